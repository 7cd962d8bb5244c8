"""Calculation questions on the normal approximation to the binomial distribution.

Conventions of Chinese psychology statistics textbooks: mean np and standard deviation $\\sqrt{npq}$; used for
np >= 5 and nq >= 5, without a continuity correction unless the stem asks for one; the one-tailed 0.05 limit
is 1.645.
"""

import math
import random
from statistics import NormalDist

from psygen.engines.offline.figures import plain
from psygen.engines.offline.guards import Ruling, decision_choice, settled
from psygen.engines.offline.inference import even_out
from psygen.engines.offline.problem import (
    Family,
    Mistake,
    Problem,
    Redraw,
    number,
    numeric_choice,
)

TESTS = (
    *((36, 2, 3.0), (64, 2, 4.0), (100, 2, 5.0), (144, 2, 6.0), (81, 2, 4.5), (121, 2, 5.5)),
    *((48, 4, 3.0), (75, 4, 3.75), (108, 4, 4.5), (147, 4, 5.25), (192, 4, 6.0)),
    *((100, 5, 4.0), (144, 5, 4.8), (225, 5, 6.0), (64, 5, 3.2)),
)
"""Number of items, options of each item, standard deviation of guessing."""


def kind_of_item(options: int) -> str:
    """The Chinese name of an item with so many options."""
    return "是非题" if options == 2 else f"{options}选1的单项选择题"


def guessing_limit(rng: random.Random, rank: int) -> Problem:
    """Find how many right answers rule out guessing: the least whole number above $np + 1.645\\sqrt{npq}$."""
    n, options = rng.randrange(30, 125, 5), rng.choice((2, 4, 5))
    p = 1 / options
    mean, sigma = n * p, (n * p * (1 - p)) ** 0.5
    limit = mean + 1.645 * sigma
    if n * p < 5 or abs(limit - round(limit)) < 0.12:
        raise Redraw
    key = math.ceil(limit)

    def need(value: float) -> float:
        return float(math.ceil(value))

    mistakes = [
        Mistake(need(mean + 2.33 * sigma), "误用0.01水平的2.33"),
        Mistake(need(mean), "只取猜测的平均数，没有加上误差范围"),
        Mistake(need(mean + sigma), "只加了一个标准差"),
        Mistake(need(mean + 1.645 * n * p * (1 - p)), "标准差漏了开方"),
        Mistake(need(mean + 3 * sigma), "误用三个标准差"),
        Mistake(need(mean + 1.645 * (n * p) ** 0.5), "标准差漏乘$q$"),
        Mistake(need(mean - 1.645 * sigma), "把界限算到了平均数的另一侧"),
        Mistake(need(0.95 * n), "误以题数的95%作界限"),
        Mistake(need(mean + 1.645), "1.645没有乘标准差"),
        Mistake(need(0.6 * n), "误以六成题数的及格线作界限"),
    ]
    kind = kind_of_item(options)
    subject = rng.choice(("认知心理学", "管理心理学", "变态心理学"))
    stem = (
        f"一份{subject}试卷有{n}道{kind}。用二项分布的正态近似（不作连续性校正），取单侧0.05水平的界限"
        "$z=1.645$，考生至少要答对多少题，才能认为他不是全凭猜测？"
    )
    steps = (
        f"$\\mu=np={plain(mean)}$，$\\sigma=\\sqrt{{npq}}={number(sigma, 2)}$；"
        f"$\\mu+1.645\\sigma={number(limit, 2)}$，题数须为整数且超过它，即{key}题"
    )
    return Problem("find", stem, numeric_choice(key, mistakes, rank, decimals=0, unit="题"), steps)


def approximate_tail(rng: random.Random, rank: int) -> Problem:
    """Find P(X >= k) approximately with continuity correction: $z = (k - 0.5 - np)/\\sqrt{npq}$."""
    n, options, sigma = rng.choice(TESTS)
    p = 1 / options
    mean = n * p
    k = round(mean + rng.choice((0.5, 0.8, 1.0, 1.2, 1.5, 1.8)) * sigma)
    zs = [(k - 0.5 - mean) / sigma, (k - mean) / sigma, (k + 0.5 - mean) / sigma]
    z = float(number(settled(zs[0], 2), 2))
    area = float(number(NormalDist().cdf(z) - 0.5, 4))
    if z < 0.3:
        raise Redraw
    key = 0.5 - area
    other = [NormalDist().cdf(v) - 0.5 for v in zs]
    wrong = [
        (0.5 - other[1], "没有作连续性校正"),
        (0.5 - other[2], "连续性校正的方向弄反"),
        (area, "把平均数到界限之间的面积当作答案"),
        (0.5 + area, "求成低于界限的概率"),
        (2 * key, "误按双侧计算"),
        (key / 2, "把单侧概率又除以2"),
        (0.5 - (NormalDist().cdf((k - 0.5 - mean) / (n * p) ** 0.5) - 0.5), "标准差漏乘$q$"),
        (0.5 - (NormalDist().cdf((k - 0.5 - mean) / sigma**2) - 0.5), "以方差代替标准差"),
    ]
    mistakes = [Mistake(v, why) for v, why in wrong if 0 < v < 1]
    kind = kind_of_item(options)
    subject = rng.choice(("常识", "安全知识", "法律知识"))
    stem = (
        f"一份{subject}测验有{n}道{kind}。用正态近似并作连续性校正（以{k - 0.5}为界，$z$取两位小数），"
        "已知正态曲线下"
        f"$z$为0到{number(z, 2)}的面积为{number(area, 4)}，全凭猜测者答对{k}题及以上的概率"
        "（保留四位小数）约为（　　）。"
    )
    steps = (
        f"$\\mu={plain(mean)}$，$\\sigma={plain(sigma)}$；$z=({k - 0.5}-{plain(mean)})\\div {plain(sigma)}="
        f"{number(z, 2)}$；概率为0.5-{number(area, 4)}={number(key, 4)}"
    )
    return Problem("find", stem, numeric_choice(key, mistakes, rank, decimals=4), steps)


def items_needed(rng: random.Random, rank: int) -> Problem:
    """Find how many items let a share w of right answers rule out guessing: $n=(1.645/(w-p))^2 pq$."""
    options = rng.choice((2, 4, 5))
    highest = {2: 66, 4: 40, 5: 31}
    share = rng.randint(100 // options + 5, highest[options]) / 100
    p = 1 / options
    base = 1.645**2 * p * (1 - p) / (share - p) ** 2
    if abs(base - round(base)) < 0.06 or base * p < 5 or base * (1 - p) < 5:
        raise Redraw
    key = math.ceil(base)

    def need(value: float) -> float:
        return float(math.ceil(value))

    mistakes = [
        Mistake(need(1.96**2 * p * (1 - p) / (share - p) ** 2), "误用双侧的1.96"),
        Mistake(need(base**0.5), "结果没有平方"),
        Mistake(need(1.645**2 * share * (1 - share) / (share - p) ** 2), "误以答对率求标准差"),
        Mistake(need(1.645 * p * (1 - p) / (share - p) ** 2), "1.645没有平方"),
        Mistake(need(2.33**2 * p * (1 - p) / (share - p) ** 2), "误用0.01水平的2.33"),
        Mistake(need(1.645**2 * p / (share - p) ** 2), "标准差漏乘$q$"),
        Mistake(need(1.645**2 * p * (1 - p) / share**2), "没有用答对比率与猜对概率之差"),
        Mistake(need(p * (1 - p) / (share - p) ** 2), "漏乘1.645的平方"),
    ]
    kind = kind_of_item(options)
    stem = (
        f"拟编一份全由{kind}组成的测验，希望答对率达到{plain(100 * share)}%的考生就可认为不是全凭猜测。"
        "用二项分布的正态近似"
        "（不作连续性校正），以答对题数不低于$np+1.645\\sqrt{npq}$为标准，测验至少需要多少题？"
    )
    steps = (
        f"由$({plain(share)}-{plain(p)})n\\ge 1.645\\sqrt{{{plain(p)}\\times {plain(1 - p)}\\times n}}$得"
        f"$n\\ge\\frac{{1.645^2\\times {plain(p * (1 - p))}}}{{{plain(share - p)}^2}}={number(base, 2)}$，"
        f"取整数，即{key}题"
    )
    choice = numeric_choice(key, mistakes, rank, decimals=0, unit="题")
    return Problem("missing", stem, choice, steps, "analyse")


def beyond_guessing(rng: random.Random, rank: int) -> Problem:
    """Decide by $z = (k - np)/\\sqrt{npq}$ whether a candidate's score goes beyond guessing."""
    n, options, sigma = rng.choice(TESTS)
    mean = n / options
    k = round(mean) + rng.randint(4, 9)
    z = settled((k - mean) / sigma, 2)
    if not 1 < z < 2.4:
        raise Redraw
    gap, p = k - mean, 1 / options
    q = 1 - p
    mistakes = [
        Mistake(gap / sigma**2, "以方差$npq$代替标准差"),
        Mistake(gap / (n**0.5 * p * q), "求标准差时$pq$漏开平方"),
        Mistake(gap / (n * p) ** 0.5, "标准差漏乘$q$"),
        Mistake(gap / n**0.5, "标准差误用$\\sqrt{n}$"),
        Mistake(gap / ((n * p) ** 0.5 * q), "求标准差时$q$漏开平方"),
        Mistake(gap / (n * q) ** 0.5, "标准差漏乘$p$"),
    ]
    ruling = Ruling(1.645, "拒绝全凭猜测的假设", "保留全凭猜测的假设")
    choice = decision_choice(rng, lambda v: f"$z={number(v, 2)}$", ruling, z, mistakes, rank)
    choice = even_out(rng, choice, "保留", 0.5)
    kind = kind_of_item(options)
    subject = rng.choice(("心理测量学", "人格心理学", "实验心理学"))
    stem = (
        f"一份{subject}试卷有{n}道{kind}，某考生答对{k}题。用二项分布的正态近似（不作连续性校正）作单侧检验，"
        "$\\alpha=0.05$的界限为1.645，他的检验统计量和结论是（　　）。"
    )
    steps = (
        f"$\\mu={plain(mean)}$，$\\sigma=\\sqrt{{npq}}={plain(sigma)}$；"
        f"$z=({k}-{plain(mean)})\\div {plain(sigma)}="
        f"{number(z, 2)}$，{'大于' if z > 1.645 else '小于'}1.645；{choice.options[rank]}"
    )
    return Problem("decide", stem, choice, steps, "analyse")


def limits_of_two_forms(rng: random.Random, rank: int) -> Problem:
    """Compare the guessing limits of true-false and multiple-choice tests of one length, in items."""
    n, options = rng.randrange(60, 244, 4), rng.choice((4, 5))
    p = 1 / options

    def limit(p: float, z: float, power: float = 0.5) -> float:
        return n * p + z * math.pow(n * p * (1 - p), power)

    bounds = [limit(0.5, 1.645), limit(p, 1.645)]
    if min(abs(b - round(b)) for b in bounds) < 0.05:
        raise Redraw

    def gap(first: float, second: float) -> float:
        return float(math.ceil(first) - math.ceil(second))

    key = gap(*bounds)
    mistakes = [
        Mistake(gap(n / 2, n * p), "只比较了猜测的平均数"),
        Mistake(gap(bounds[0], n * p), "选择题卷没有加上误差范围"),
        Mistake(gap(n / 2, bounds[1]), "是非题卷没有加上误差范围"),
        Mistake(float(math.ceil(bounds[1])), "求成选择题卷的界限"),
        Mistake(float(math.ceil(bounds[0])), "求成是非题卷的界限"),
        Mistake(gap(limit(0.5, -1.645), limit(p, -1.645)), "把两卷的界限都算到平均数的另一侧"),
        Mistake(gap(limit(0.5, 1.645), limit(p, 2.33)), "乙卷误用0.01水平的2.33"),
        Mistake(gap(limit(0.5, 2.33), limit(p, 1.645)), "甲卷误用0.01水平的2.33"),
        Mistake(gap(limit(0.5, 1.645, 1), limit(p, 1.645, 1)), "两卷的标准差都漏了开方"),
    ]
    mistakes = [m for m in mistakes if m.value > 0]
    course = rng.choice(("公共课", "选修课", "岗前培训"))
    stem = (
        f"某{course}的两份试卷各有{n}题，甲卷全是是非题，乙卷全是{options}选1的单项选择题。"
        "用二项分布的正态近似"
        "（不作连续性校正），以答对题数超过$np+1.645\\sqrt{npq}$的最小整数作为“不是全凭猜测”的最低题数，"
        "甲卷的最低题数比乙卷多多少题？"
    )
    steps = (
        f"甲卷界限为{number(bounds[0], 2)}，至少{math.ceil(bounds[0])}题；乙卷界限为{number(bounds[1], 2)}，"
        f"至少{math.ceil(bounds[1])}题；相差{plain(key)}题"
    )
    choice = numeric_choice(key, mistakes, rank, decimals=0, unit="题")
    return Problem("compare", stem, choice, steps, "analyse")


FAMILIES: dict[str, list[Family]] = {
    "normal-approximation-to-binomial": [
        guessing_limit,
        approximate_tail,
        items_needed,
        beyond_guessing,
        limits_of_two_forms,
    ],
}
