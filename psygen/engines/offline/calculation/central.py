"""Calculation questions on the arithmetic mean.

Conventions of Chinese psychology statistics textbooks: grouped data are reckoned from midpoints; means of
groups of unequal size are combined with the sizes as weights.
"""

import random

from psygen.engines.offline.figures import enumerated, plain
from psygen.engines.offline.frequency_table import draw_grouped
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


def corrected_mean(rng: random.Random, rank: int) -> Problem:
    """Find the mean after a recording error is mended and every score rescaled."""
    n = rng.choice((8, 10, 16, 20, 25))
    old = rng.randint(56, 75)
    right = rng.randint(60, 95)
    wrong = right + rng.choice((-1, 1)) * rng.choice((20, 24, 27, 30, 36))
    factor, shift = rng.choice((0.8, 1.2, 1.5)), rng.choice((4, 5, 6, 8))
    mended = old + (right - wrong) / n
    key = settled(factor * mended + shift, 2)
    backwards = old - (right - wrong) / n
    mistakes = [
        Mistake(factor * backwards + shift, "更正时把差额的加减方向弄反"),
        Mistake(factor * old + shift, "没有更正登记错误"),
        Mistake(factor * mended, "只乘常数而漏加常数"),
        Mistake(mended + shift, "只加常数而漏乘常数"),
        Mistake(factor * (mended + shift), "先加后乘，弄错了换算次序"),
        Mistake(factor * (old + right - wrong) + shift, "把差额直接加到平均数上，未除以人数"),
        Mistake(mended, "只更正错误而没有换算"),
    ]
    test = rng.choice(("创造性思维测验", "情绪识别测验", "工作记忆更新任务"))
    stem = (
        f"{n}名被试{test}的平均分为{old}，复核时发现有一人的{right}分被误登记为{wrong}分。更正之后，"
        f"再把每个人的分数都乘以{plain(factor)}后加上{shift}分，则新分数的平均数（保留两位小数）为（　　）。"
    )
    steps = (
        f"更正后的总分为{n}×{old}-{wrong}+{right}={n * old - wrong + right}，"
        f"平均数为{plain(mended)}；"
        f"换算后$\\bar Y={plain(factor)}\\bar X+{shift}$"
        f"={plain(factor)}×{plain(mended)}+{shift}={number(key, 2)}"
    )
    return Problem("find", stem, numeric_choice(key, mistakes, rank), steps)


def mean_from_groups(rng: random.Random, rank: int) -> Problem:
    """Find the mean of a grouped table: $\\bar X = \\sum f X_c / N$."""
    table = draw_grouped(rng, (0, 5, 10), (5, 6), rng.choice((40, 50, 80)), (6,))
    n, i, groups = table.total, table.width, range(6)
    products = sum(table.counts[k] * table.middle(k) for k in groups)
    key = settled(products / n, 2)
    mistakes = [
        Mistake(key - (i - 1) / 2, "以各组的表述下限代替组中值"),
        Mistake(key + (i - 1) / 2, "以各组的表述上限代替组中值"),
        Mistake(sum(table.middle(k) for k in groups) / 6, "各组组中值直接平均，没有以次数加权"),
        Mistake(key + 0.5, "误以相邻两组表述下限的平均数作组中值"),
        Mistake(table.middle(table.counts.index(max(table.counts))), "以次数最多一组的组中值代替"),
        Mistake(key + i, "各组的组中值都错取了后一组"),
        Mistake(key - i, "各组的组中值都错取了前一组"),
    ]
    test = rng.choice(("艾森克神经质分量表", "贝克抑郁筛查", "孤独感量表"))
    stem = (
        f"{n}名来访者{test}的得分（整数）整理为次数分布表：{table.rows()}。"
        "用组中值计算，这批得分的平均数（保留两位小数）为（　　）。"
    )
    terms = "+".join(f"{table.counts[k]}×{plain(table.middle(k))}" for k in groups)
    steps = (
        f"$\\bar X=\\frac{{\\sum fX_c}}{{N}}$，$\\sum fX_c$={terms}={plain(products)}；"
        f"{plain(products)}÷{n}，即{number(key, 2)}"
    )
    return Problem("find", stem, numeric_choice(key, mistakes, rank), steps)


def third_mean(rng: random.Random, rank: int) -> Problem:
    """Find one group's mean from the mean of all and the means of the other groups."""
    sizes = rng.choice(((20, 30, 50), (40, 20, 40), (30, 50, 20), (50, 30, 20), (20, 40, 40)))
    a = rng.randint(60, 78)
    b = a + rng.choice((-1, 1)) * rng.randint(6, 14)
    key = a + rng.choice((-1, 1)) * rng.randint(80, 170) / 10
    n, rest = sum(sizes), sizes[0] * a + sizes[1] * b
    whole = (rest + sizes[2] * key) / n
    pooled = rest / (sizes[0] + sizes[1])
    mistakes = [
        Mistake(3 * whole - a - b, "当作三班人数相等来求"),
        Mistake((whole * n - a * sizes[1] - b * sizes[0]) / sizes[2], "甲、乙两班的人数互相用错"),
        Mistake(2 * whole - pooled, "把甲乙合并后当作与丙班人数相等"),
        Mistake((a + b + whole) / 3, "把三个已知平均数直接平均"),
        Mistake(pooled, "求成甲乙两班的合并平均数"),
        Mistake(2 * whole - key, "由总平均数求丙班时把离差的方向弄反"),
        Mistake(2 * whole - (a + b) / 2, "求甲乙的平均时没有用人数加权，又当作与丙班人数相等"),
    ]
    test = rng.choice(("心理健康常识测验", "普通心理学期中考试", "信息素养测验"))
    stem = (
        f"三个班参加同一次{test}：甲班{sizes[0]}人，平均分{a}；乙班{sizes[1]}人，平均分{b}；"
        f"丙班{sizes[2]}人。已知三个班全体的总平均分为{number(whole, 2)}，则丙班的平均分（保留一位小数）为"
        "（　　）。"
    )
    steps = (
        f"丙班总分为{n}×{number(whole, 2)}-{sizes[0]}×{a}-{sizes[1]}×{b}={plain(sizes[2] * key)}；"
        f"{plain(sizes[2] * key)}÷{sizes[2]}={number(key, 1)}"
    )
    return Problem("missing", stem, numeric_choice(key, mistakes, rank, decimals=1), steps, "analyse")


def weighted(scores: list[int], weights: tuple[int, ...]) -> float:
    """The weighted mean of `scores`."""
    return sum(s * w for s, w in zip(scores, weights, strict=True)) / sum(weights)


def draw_applicants(rng: random.Random, weights: tuple[int, ...]) -> tuple[list[int], list[int]]:
    """Scores of two applicants, the first better only when the weights are used, in either order."""
    orders = (weights, weights[::-1], (1,) * len(weights))
    for _ in range(400):
        first, second = ([rng.randint(65, 95) for _ in weights] for _ in range(2))
        leads = [weighted(first, w) - weighted(second, w) for w in orders]
        if leads[0] > 0.3 and leads[1] > 0.3 and leads[2] < -0.3:
            return first, second
    raise Redraw


def weighted_admission(rng: random.Random, rank: int) -> Problem:
    """Decide which applicant is admitted by a weighted mean."""
    weights = rng.choice(((3, 5, 2), (2, 5, 3), (3, 6, 1), (4, 5, 1), (1, 6, 3)))
    better, other = draw_applicants(rng, weights)
    names = rng.choice((("甲", "乙"), ("乙", "甲")))

    def verdict(name: str, value: float) -> str:
        return f"录取{name}，其综合分为{number(value, 1)}"

    best = settled(weighted(better, weights), 1)
    key = verdict(names[0], best)
    distractors = [
        (verdict(names[1], weighted(other, (1, 1, 1))), "三项成绩直接平均，没有加权"),
        (verdict(names[0], weighted(better, weights[::-1])), "权数与成绩的对应次序颠倒"),
        (verdict(names[1], weighted(other, weights)), "加权平均数算对了，却取了较低者"),
    ]
    people = dict(zip(names, (better, other), strict=True))
    stem = (
        "某心理学院复试按笔试、面试、实验操作三项的加权平均数（综合分，保留一位小数）择优录取一人，"
        f"权数依次为{weights[0]}、{weights[1]}、{weights[2]}。三项成绩依次为：甲{enumerated(people['甲'])}；"
        f"乙{enumerated(people['乙'])}。录取结果应为（　　）。"
    )
    sums = [
        f"{who}为({'+'.join(f'{w}×{s}' for w, s in zip(weights, people[who], strict=True))})÷{sum(weights)}"
        f"={number(weighted(people[who], weights), 1)}"
        for who in "甲乙"
    ]
    steps = f"综合分$=\\sum WX/\\sum W$：{'，'.join(sums)}；{key}"
    return Problem("decide", stem, text_choice(key, distractors, rank), steps, "analyse")


def mean_after_leaving(rng: random.Random, rank: int) -> Problem:
    """Compare the means before and after some people leave: (N M - k m) / (N - k) - M."""
    n, k = rng.choice(((30, 5), (25, 5), (24, 4), (36, 6), (40, 8), (18, 3)))
    whole = rng.randint(40, 60)
    left = whole + rng.choice((-1, 1)) * rng.randint(10, 24)
    new = (n * whole - k * left) / (n - k)
    key = settled(abs(new - whole), 2)
    sign = "升高" if new > whole else "降低"
    mistakes = [
        Mistake(abs(left - whole) * k / n, "以原来的总人数作分母"),
        Mistake(abs(left - whole), "把退出者与全体平均数之差当作变化量"),
        Mistake(abs(left - whole) / k, "以退出人数作分母"),
        Mistake(abs(left - whole) / (n - k), "漏乘退出人数"),
        Mistake(abs(left - whole) * k / (n + k), "把退出者误作新加入者"),
        Mistake(abs(left - whole) / 2, "把两个平均数直接对半平均"),
        Mistake(abs(left - whole) * k / (n - 2 * k), "退出人数扣除了两次"),
    ]
    test = rng.choice(("正念训练", "认知行为团体辅导", "社交技能训练"))
    stem = (
        f"{n}人报名参加{test}，前测抑郁量表的平均分为{whole}。后来有{k}人中途退出，"
        f"这{k}人前测的平均分为{left}。与原来{n}人相比，留下者的前测平均分{sign}了（保留两位小数）（　　）。"
    )
    steps = (
        f"留下{n - k}人，平均数为({n}×{whole}-{k}×{left})÷{n - k}={number(new, 3)}；"
        f"与{whole}之差的绝对值为{number(key, 2)}"
    )
    return Problem("compare", stem, numeric_choice(key, mistakes, rank), steps, "analyse")


FAMILIES: dict[str, list[Family]] = {
    "arithmetic-mean": [corrected_mean, mean_from_groups, third_mean, weighted_admission, mean_after_leaving],
}
