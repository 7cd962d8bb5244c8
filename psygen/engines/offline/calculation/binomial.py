"""Calculation questions on the binomial distribution, reckoned exactly.

Conventions of Chinese psychology statistics textbooks: p success, q failure, mean np, variance npq.
"""

import math
import random

from psygen.engines.offline.figures import plain
from psygen.engines.offline.guards import Ruling, decision_choice, settled
from psygen.engines.offline.problem import (
    Family,
    Mistake,
    Problem,
    Redraw,
    number,
    numeric_choice,
)


def mass(n: int, k: int, p: float) -> float:
    """Probability of exactly `k` successes in `n` trials."""
    return math.comb(n, k) * p**k * (1 - p) ** (n - k)


def upper(n: int, k: int, p: float) -> float:
    """Probability of at least `k` successes in `n` trials."""
    return sum(mass(n, j, p) for j in range(k, n + 1))


def at_least(rng: random.Random, rank: int) -> Problem:
    """Find P(X >= k) for guessed items: the sum of $C_n^x p^x q^{n-x}$."""
    n, options = rng.choice((4, 5, 6, 7, 8)), rng.choice((2, 3, 4, 5))
    p = 1 / options
    k = rng.randint(2, n - 1)
    key = settled(upper(n, k, p), 4)
    wrong = [
        (mass(n, k, p), f"只求了恰好猜对{k}题的概率"),
        (upper(n, k - 1, p), f"从{k - 1}题开始累加"),
        (math.comb(n, k) * p**k, "漏乘猜错的概率"),
        (upper(n, k + 1, p), f"求成猜对{k}题以上而不含{k}题的概率"),
        (p**k, "只求了某几题都猜对的概率，漏乘组合数和猜错的概率"),
        (upper(n, k, 1 / (options - 1)) if options > 2 else 0.0, "猜对的概率误用剩余选项数的倒数"),
        (p**k * (1 - p) ** (n - k), "漏乘组合数"),
        (upper(n, k, 0.5) if options > 2 else 0.0, "误以猜对的概率为0.5"),
        (1 - upper(n, k, p), f"求成猜对不足{k}题的概率"),
        (1 - upper(n, k + 1, p), f"求成至多猜对{k}题的概率"),
        (upper(n, k, 1 - p), "把猜对与猜错的概率互换"),
    ]
    mistakes = [Mistake(v, why) for v, why in wrong if 0.00005 < v < 1]
    kind = "是非题" if options == 2 else f"{options}选1的单项选择题"
    subject = rng.choice(("社会心理学", "发展心理学", "教育心理学"))
    stem = (
        f"一份{subject}小测有{n}道{kind}，一名学生全凭猜测作答，各题互不影响。"
        f"他至少猜对{k}题的概率（保留四位小数）为（　　）。"
    )
    terms = "+".join(f"C_{{{n}}}^{{{j}}}p^{{{j}}}q^{{{n - j}}}" for j in range(k, n + 1))
    steps = (
        f"$p=\\frac{{1}}{{{options}}}$，$q=\\frac{{{options - 1}}}{{{options}}}$；"
        f"$P(X\\ge {k})={terms}$，即{number(key, 4)}"
    )
    return Problem("find", stem, numeric_choice(key, mistakes, rank, decimals=4), steps)


def trials_back(rng: random.Random, rank: int) -> Problem:
    """Find n from the mean and the standard deviation of a binomial: $q = \\sigma^2/\\mu$, $n = \\mu/p$."""
    p = rng.choice((0.2, 0.25, 0.4, 0.5, 0.6, 0.75, 0.8))
    n = rng.choice((20, 40, 48, 60, 64, 75, 80, 100, 120, 150))
    mean, variance = n * p, n * p * (1 - p)
    if abs(mean - round(mean)) > 1e-9 or abs(variance * 100 - round(variance * 100)) > 1e-9:
        raise Redraw
    wrong = [
        (mean / (1 - p), "把$q$当作$p$"),
        (mean / (p * (1 - p)), "误用均数除以$pq$"),
        (mean + variance, "误以均数与方差之和作试验次数"),
        (variance / p, "误用方差除以$p$"),
        (variance / (p * p), "误用$p^2$代替$pq$"),
        (variance / ((1 - p) ** 2), "误用$q^2$代替$pq$"),
        (2 * mean, "误以为$p=0.5$"),
        (mean * (1 - p), "误把均数乘以$q$"),
        (mean * p, "误把均数乘以$p$"),
    ]
    mistakes = [Mistake(v, why) for v, why in wrong if abs(v - round(v)) < 1e-6]
    task = rng.choice(("闪烁信号的觉察反应", "简单再认判断", "模拟驾驶中的避让反应"))
    stem = (
        f"某被试每次{task}成功的概率相同且各次相互独立，成功次数服从二项分布，平均数为{plain(mean)}，"
        f"方差为{plain(variance)}。试验总次数$n$为（　　）。"
    )
    steps = (
        f"$np={plain(mean)}$，$npq={plain(variance)}$，"
        f"$q={plain(variance)}\\div {plain(mean)}={plain(1 - p)}$，"
        f"$p={plain(p)}$；$n={plain(mean)}\\div {plain(p)}={n}$"
    )
    return Problem("missing", stem, numeric_choice(n, mistakes, rank, decimals=0), steps, "analyse")


def better_than_guessing(rng: random.Random, rank: int) -> Problem:
    """Decide by the exact binomial tail whether a result goes beyond guessing at the 0.05 level."""
    p, n = 0.5, rng.randint(6, 14)
    k = rng.randint(n - n // 3, n)
    tail = settled(upper(n, k, p), 4)
    if not 0.002 < tail < 0.3:
        raise Redraw
    wrong = [
        (mass(n, k, p), "只求了恰好这么多次的概率，没有加上更极端的情形"),
        (upper(n, k - 1, p), "多累加了一项"),
        (upper(n, k + 1, p), "漏了恰好这么多次的情形"),
        (2 * tail, "误按双侧计算"),
        (p**k, "漏乘组合数和猜错的概率"),
        (tail / 2, "把单侧概率又除以2"),
    ]
    in_percent = [Mistake(100 * value, why) for value, why in wrong if value > 0.0005]
    ruling = Ruling(5, "不能认为他有辨别能力", "可以认为他有辨别能力")
    choice = decision_choice(rng, lambda v: f"概率为{number(v / 100, 4)}", ruling, 100 * tail, in_percent, rank)
    drink = rng.choice(("两种矿泉水", "真假微笑的短片", "两种近似的音高"))
    stem = (
        f"让一名被试在{n}次独立测试中辨别{drink}（每次全凭猜测时猜对的概率为0.5），他辨对了{k}次。"
        f"用二项分布求出全凭猜测时至少辨对{k}次的概率，并以0.05为显著性水平作单侧判断，结论应为（　　）。"
    )
    sums = "+".join(str(math.comb(n, j)) for j in range(k, n + 1))
    relation = "小于" if tail < 0.05 else "大于"
    top = sums if k == n else f"({sums})"
    steps = f"$P={top}\\div 2^{{{n}}}$={number(tail, 4)}，{relation}0.05；{choice.options[rank]}"
    return Problem("decide", stem, choice, steps, "analyse")


def spread_of_two_tests(rng: random.Random, rank: int) -> Problem:
    """Compare the standard deviations of guessing scores in two tests of different form: $\\sqrt{npq}$."""
    n, m = rng.choice((100, 144, 196, 256, 324)), rng.choice((50, 60, 80, 90, 100, 120, 150))
    options = rng.choice((4, 5))
    p = 1 / options
    q = 1 - p
    first, second = n**0.5 / 2, (m * p * q) ** 0.5
    key = settled(abs(first - second), 2, abs(first - float(number(second, 2))))
    if key < 0.5:
        raise Redraw
    wrong = [
        (abs(first - (m * p) ** 0.5), "选择题卷漏乘$q$"),
        (abs(first - m**0.5 / 2), "选择题卷也取$p=0.5$"),
        (abs((n / 2) ** 0.5 - (m * p) ** 0.5), "两卷都漏乘$q$"),
        (max(first, second), "只求了较大的标准差，没有相减"),
        (min(first, second), "只求了较小的标准差，没有相减"),
        (abs(n / 4 - m * p * q) ** 0.5, "先求方差之差再开方"),
        (abs(first - (m * q) ** 0.5), "选择题卷漏乘$p$"),
        (abs(n / 2 - m * p), "求成两卷猜测得分平均数之差"),
        (abs(n / 4 - m * p * q), "求成两卷方差之差，漏了开方"),
    ]
    stem = (
        f"A卷有{n}道是非题，B卷有{m}道{options}选1的单项选择题，每题1分。若考生全凭猜测作答，"
        "两卷得分标准差之差的绝对值（保留两位小数）为（　　）。"
    )
    school = rng.choice(("某校编制了两份基础知识试卷：", "某机构的题库组成两份试卷：", "教师拟了两份测验："))
    steps = (
        f"$\\sigma=\\sqrt{{npq}}$；A卷$\\sqrt{{{n}\\times 0.5\\times 0.5}}={plain(first)}$，"
        f"B卷$\\sqrt{{{m}\\times {plain(p)}\\times {plain(q)}}}={number(second, 2)}$；相差{number(key, 2)}"
    )
    mistakes = [Mistake(v, why) for v, why in wrong]
    return Problem("compare", school + stem, numeric_choice(key, mistakes, rank), steps, "analyse")


FAMILIES: dict[str, list[Family]] = {
    "binomial-distribution": [at_least, trials_back, better_than_guessing, spread_of_two_tests],
}
