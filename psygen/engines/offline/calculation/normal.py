"""Calculation questions on the standard normal distribution and areas under the normal curve.

Each stem prints the areas from 0 to z (or the z) it needs, four decimals as the printed tables give them, and
the key is reckoned from what is printed.
"""

import random

from psygen.engines.offline.figures import area, plain, printed_areas, proper
from psygen.engines.offline.guards import settled
from psygen.engines.offline.problem import (
    Family,
    Mistake,
    Problem,
    Redraw,
    number,
    numeric_choice,
    text_choice,
)

# ---- standard normal distribution ----


def area_between(rng: random.Random, rank: int) -> Problem:
    """Find P(a < Z < b) from two areas measured from 0."""
    low = rng.choice((-1.96, -1.5, -1.2, -1.0, -0.8, -0.5, 0.4, 0.5, 0.75, 1.0))
    high = rng.choice((0.6, 0.84, 1.1, 1.25, 1.6, 1.8, 2.0, 2.33))
    if high - low < 0.5 or abs(abs(low) - high) < 0.1:
        raise Redraw
    a, b = area(low), area(high)
    key = b - a if low > 0 else b + a
    mistakes = proper(
        [
            (abs(b - a) if low < 0 else b + a, "两块面积该加的相减或该减的相加"),
            (b, "只取了上界以内的面积"),
            (a, "只取了下界以内的面积"),
            (1 - key, "求成区间以外的面积"),
            (0.5 + b - a, "多加了0.5"),
            (0.5 + b, "求成上界以下的全部面积"),
            (abs(0.5 - b) + (0.5 - a), "求成两侧尾部的面积之和"),
            (key / 2, "结果又除以2"),
            ((high - low) / 6, "误按全长6个标准差的比例计算"),
        ]
    )
    stem = (
        f"已知标准正态曲线下{printed_areas(low, high)}。随机变量$Z$服从标准正态分布，"
        f"则$Z$落在{number(low, 2)}与{number(high, 2)}之间的概率（保留四位小数）为（　　）。"
    )
    sign = "同侧，两块面积相减" if low > 0 else "异侧，两块面积相加"
    steps = f"两个界限在平均数的{sign}：{number(b, 4)}{'-' if low > 0 else '+'}{number(a, 4)}={number(key, 4)}"
    return Problem("find", stem, numeric_choice(key, mistakes, rank, decimals=4), steps)


def symmetric_share(rng: random.Random, rank: int) -> Problem:
    """Find P(|Z| < a) when P(Z < a) is known: $2P(Z<a)-1$; or the tail outside."""
    z = rng.randint(20, 150) / 100
    below = 0.5 + area(z)
    key = 2 * below - 1
    mistakes = proper(
        [
            (2 * (1 - below), "求成绝对值大于该值的概率"),
            (below - 0.5, "只求了平均数一侧的面积"),
            (1 - below, "求成大于该值的概率"),
            (below, "没有去掉左侧尾部"),
            (below / 2, "误把累积概率除以2"),
            (1 - (1 - below) / 2, "只去掉了一半的尾部"),
            (below**2, "误把累积概率平方"),
            (1 - below**2, "误用1减去累积概率的平方"),
        ]
    )
    stem = f"标准正态变量$Z$满足$P(Z<a)={number(below, 4)}$（$a>0$），则$P(|Z|<a)$（保留四位小数）为（　　）。"
    steps = f"由对称性$P(|Z|<a)=2P(Z<a)-1=2\\times {number(below, 4)}-1$={number(key, 4)}"
    return Problem("find", stem, numeric_choice(key, mistakes, rank, decimals=4), steps)


def middle_limits(rng: random.Random, rank: int) -> Problem:
    """Find sigma or a limit when the middle share of a normal distribution is given by two raw scores."""
    share, z = rng.choice(((68, 0.99), (80, 1.28), (90, 1.645), (95, 1.96), (99, 2.58)))
    sigma = rng.choice((4, 5, 6, 8, 10, 12, 15))
    mean = rng.choice((50, 70, 80, 100))
    half = float(number(z * sigma, 2))
    key = settled(half / z, 1)
    one_tail = {68: 0.47, 80: 0.84, 90: 1.28, 95: 1.645, 99: 2.33}[share]
    mistakes = [
        Mistake(2 * half / z, "把两界限之间的全长当作半长"),
        Mistake(half / one_tail, "误用单侧面积对应的标准分数"),
        Mistake(half, "把半长直接当作标准差"),
        Mistake(half / 2 / z, "半长又除以2"),
        Mistake(half * z, "误把除法作乘法"),
        Mistake(2 * half / 6, "误以全长的六分之一作标准差"),
        Mistake(half / 3, "误以为半长是3个标准差"),
        Mistake(half / (share / 100), "把面积当作标准分数"),
        Mistake(half / (2.58 if share < 99 else 1.96), "误用别的面积对应的标准分数"),
        Mistake(sigma**2, "求成方差"),
    ]
    test = rng.choice(("空间旋转测验", "语言推理测验", "知觉速度测验"))
    stem = (
        f"{test}的分数服从正态分布，正中间{share}%的人得分在{plain(mean - half)}与{plain(mean + half)}之间"
        "（关于平均数对称）。"
        f"已知标准正态分布中$|z|<{plain(z)}$的概率为{share / 100:.2f}，则该测验分数的标准差（保留一位小数）为"
        "（　　）。"
    )
    steps = (
        f"$\\mu={mean}$，半长为{plain(half)}，$z\\sigma={plain(half)}$，"
        f"$\\sigma={plain(half)}\\div {plain(z)}$，"
        f"即{number(key, 1)}"
    )
    return Problem("missing", stem, numeric_choice(key, mistakes, rank, decimals=1), steps, "analyse")


def rarer_score(rng: random.Random, rank: int) -> Problem:
    """Decide which of two scores is the more extreme and the share beyond it."""
    z1 = rng.choice((-2.2, -1.8, -1.5, -1.2))
    z2 = rng.choice((0.8, 1.0, 1.4, 1.6, 2.0))
    if abs(abs(z1) - z2) < 0.15:
        raise Redraw
    m1, s1, m2, s2 = rng.choice((60, 70)), rng.choice((5, 10)), rng.choice((80, 100)), rng.choice((15, 20))
    x1, x2 = m1 + z1 * s1, m2 + z2 * s2
    first_is = abs(z1) > z2
    tail = [0.5 - area(z1), 0.5 - area(z2)]

    names = rng.sample(("记忆", "推理", "语言", "空间"), 2)

    def verdict(is_first: bool, value: float) -> str:
        return f"{names[0] if is_first else names[1]}分更偏离，尾部面积为{number(value, 4)}"

    best, other = (tail[0], tail[1]) if first_is else (tail[1], tail[0])
    distractors = [
        (verdict(not first_is, other), "以为尾部面积大者更偏离平均数"),
        (verdict(first_is, 0.5 - best), "把平均数到该分数的面积当作尾部面积"),
        (verdict(not first_is, 0.5 - other), "既判断错了，又误用平均数到该分数的面积"),
    ]
    stem = (
        f"两个测验的分数均服从正态分布：{names[0]}测验平均{m1}、标准差{s1}，{names[1]}测验平均{m2}、标准差{s2}。"
        f"某生{names[0]}得{plain(x1)}分，"
        f"{names[1]}得{plain(x2)}分。已知正态曲线下{printed_areas(z1, z2)}。哪个分数偏离平均数更远，"
        "比它更偏离的一侧尾部面积是多少？"
    )
    steps = (
        f"{names[0]}$z={plain(z1)}$，{names[1]}$z={plain(z2)}$，绝对值大者更偏离；"
        f"尾部面积为0.5-{number(0.5 - best, 4)}；{verdict(first_is, best)}"
    )
    return Problem("decide", stem, text_choice(verdict(first_is, best), distractors, rank), steps, "analyse")


def equal_widths(rng: random.Random, rank: int) -> Problem:
    """Compare the areas of two intervals of equal width, one near the mean and one farther out."""
    width, start = rng.randint(8, 20) / 20, rng.randint(12, 30) / 20
    near_area = area(width)
    a, b = area(start), area(start + width)
    key = near_area - (b - a)
    mistakes = proper(
        [
            (near_area, "只求了靠近平均数一段的面积"),
            (b - a, "只求了远离平均数一段的面积"),
            (abs(near_area - b), "后一段没有减去起点以内的面积"),
            (near_area + b - a, "把两段面积相加"),
            (abs(a - near_area), "误用起点以内的面积代替后一段的面积"),
            (2 * key, "误按两侧计算"),
            (key / 2, "差值又除以2"),
            (0.5 - near_area, "求成靠近平均数一段以外的单侧面积"),
        ]
    )
    if start == width:
        raise Redraw
    stem = (
        f"已知标准正态曲线下{printed_areas(width, start, start + width)}。$Z$落在0到{number(width, 2)}之间的概率，"
        f"比落在{number(start, 2)}到{number(start + width, 2)}之间的概率大（保留四位小数）（　　）。"
    )
    steps = (
        f"后一段为{number(b, 4)}-{number(a, 4)}={number(b - a, 4)}；"
        f"两段之差为{number(near_area, 4)}-{number(b - a, 4)}={number(key, 4)}"
    )
    return Problem("compare", stem, numeric_choice(key, mistakes, rank, decimals=4), steps, "analyse")


FAMILIES: dict[str, list[Family]] = {
    "standard-normal-distribution": [
        area_between,
        symmetric_share,
        middle_limits,
        rarer_score,
        equal_widths,
    ]
}
