"""Statistical power of Z tests, worked with the normal distribution.

Conventions: power = 1 - beta; a two-sided test counts only the tail in which the true value lies.
"""

import math
import random
from statistics import NormalDist

from psygen.engines.offline.figures import sided, z_entry
from psygen.engines.offline.guards import hand, patient, settled
from psygen.engines.offline.problem import (
    Family,
    Mistake,
    Problem,
    Redraw,
    number,
    numeric_choice,
    text_choice,
)
from psygen.engines.offline.tables import z_critical

_NORMAL = NormalDist()
_TESTS = ((0.05, 2), (0.01, 1), (0.01, 2))
_BETAS = ((0.80, 0.84), (0.90, 1.28))


def _below(z: float) -> float:
    """Area below z as printed, four decimals."""
    return float(number(_NORMAL.cdf(z), 4))


def _areas(points: list[float]) -> str:
    """Areas below the given points, as the stem prints them, without repetition."""
    kept = sorted({number(abs(p), 2) for p in points if abs(p) < 3.6})
    return "，".join(f"$\\Phi({p})={_below(float(p)):.4f}$" for p in kept)


def _question(cause: str, target: str, tails: int) -> str:
    """The hypothesis in words, with or without a direction."""
    return f"{cause}{'是否影响' if tails == 2 else '能否提高'}{target}"


def _shift(rng: random.Random, low: int, high: int) -> tuple[int, int, int, float]:
    """(n, sigma, difference, standardized difference with two decimals at most)."""
    root, sigma = rng.choice([4, 5, 6, 8, 10]), rng.choice([5, 8, 10, 12, 15, 16, 20])
    gap = rng.randint(2, 9)
    shift = gap * root / sigma
    if abs(shift - hand(shift)) > 1e-9 or not low <= shift * 10 <= high:
        raise Redraw
    return root * root, sigma, gap, shift


@patient
def power_of_z_test(rng: random.Random, rank: int) -> Problem:
    """Power of a one-sample z test from n, sigma, the true difference and alpha."""
    (cause, target), norm = rng.choice(
        [
            (("新教材", "阅读测验得分"), 60),
            (("早期干预", "言语测验得分"), 100),
            (("游戏训练", "空间能力得分"), 50),
        ]
    )
    n, sigma, gap, shift = _shift(rng, 15, 38)
    alpha, tails = rng.choice(_TESTS)
    critical, other = z_critical(alpha, tails), z_critical(alpha, 3 - tails)
    edge = shift - critical
    key = _below(edge)
    points = [edge, shift, shift - other, gap / sigma, shift + critical, critical]
    mistakes = [
        Mistake(1 - key, "误求成II型错误的概率"),
        Mistake(_below(shift - other), f"误按{sided(3 - tails)}检验取临界值"),
        Mistake(_below(shift), "没有减去临界值"),
        Mistake(1 - alpha, "误用1-α作检验力"),
        Mistake(_below(gap / sigma), "误用标准差代替标准误，又没有减去临界值"),
        Mistake(1 - _below(shift), "没有减去临界值，又误取了另一侧的面积"),
        Mistake(1 - _below(gap / sigma), "误用标准差代替标准误，又误取了另一侧的面积"),
        Mistake(key - 0.5 if key > 0.5 else 0.5 - key, "误用平均数到Z之间的面积"),
    ]
    stem = (
        f"某测验分数服从正态分布，总体标准差为{sigma}，常模平均数为{norm}。"
        f"研究者要检验{_question(cause, target, tails)}，"
        f"拟取{n}名被试，用{sided(tails)}Z检验，"
        f"$\\alpha={alpha:g}$（${z_entry(alpha, tails)}$，${z_entry(alpha, 3 - tails)}$）。"
        f"若真实平均数为{norm + gap}，已知{_areas(points)}"
        "（$\\Phi(Z)$为Z以下的面积），忽略另一侧的极小概率，则统计检验力（保留四位小数）为（　　）。"
    )
    steps = (
        f"$\\sigma_{{\\bar X}}={sigma}/\\sqrt{{{n}}}$，真实平均数偏离{gap}，相当于{shift:.2f}个标准误。"
        "检验力等于"
        f"$\\Phi({shift:.2f}-{critical:g})=\\Phi({edge:.2f})$，即{number(key, 4)}。"
    )
    return Problem("find", stem, numeric_choice(key, mistakes, rank, decimals=4), steps)


@patient
def beta_from_cutoff(rng: random.Random, rank: int) -> Problem:
    """Probability of a Type II error from a given rejection region: P(mean <= c | mu_1)."""
    story, norm = rng.choice(
        [
            ("某校学生的数学成绩高于区平均分", 70),
            ("受训员工的服务评分高于原水平", 80),
            ("长跑者的主观活力得分高于常模", 40),
        ]
    )
    n, sigma, gap, _ = _shift(rng, 12, 40)
    error = sigma / math.sqrt(n)
    cut = norm + gap * rng.choice([0.4, 0.5, 0.6, 0.7, 0.8])
    from_true, from_null = (norm + gap - cut) / error, (cut - norm) / error
    printed = (from_true, from_null, cut, error)
    if any(abs(v - hand(v)) > 1e-9 for v in printed) or abs(from_true - from_null) < 0.1:
        raise Redraw
    raw = (norm + gap - cut) / sigma
    key = 1 - _below(from_true)
    points = [from_true, from_null, raw, gap / error]
    mistakes = [
        Mistake(1 - _below(from_null), "误求成I型错误的概率"),
        Mistake(_below(from_true), "误求成统计检验力"),
        Mistake(1 - _below(raw), "误用标准差代替标准误"),
        Mistake(1 - _below(gap / error), "误用两个总体平均数之差计算"),
        Mistake(_below(from_null), "误求成正确接受虚无假设的概率"),
        Mistake((1 - _below(from_true)) / 2, "误把概率分到两侧"),
        Mistake(2 * (1 - _below(from_true)), "误把概率加倍"),
    ]
    stem = (
        f"为检验{story}（$H_0$：$\\mu={norm}$），随机抽取{n}人，总体标准差为{sigma}，"
        f"规定样本平均数超过{cut:g}时拒绝$H_0$。若真实平均数为"
        f"{norm + gap}，已知{_areas(points)}（$\\Phi(Z)$为Z以下的面积），"
        "则犯II型错误的概率（保留四位小数）为（　　）。"
    )
    steps = (
        f"$\\sigma_{{\\bar X}}={sigma}/\\sqrt{{{n}}}={error:g}$。"
        f"$\\beta=P(\\bar X\\le{cut:g}\\mid\\mu={norm + gap})$，"
        f"$Z=({cut:g}-{norm + gap})/{error:g}=-{from_true:.2f}$，"
        f"$\\beta=1-\\Phi({from_true:.2f})={number(key, 4)}$。"
    )
    return Problem("find", stem, numeric_choice(key, mistakes, rank, decimals=4), steps, "analyse")


@patient
def detectable_difference(rng: random.Random, rank: int) -> Problem:
    """Smallest true difference detected with a given power: (z_alpha + z_beta) * sigma / sqrt(n)."""
    story = rng.choice(
        [
            "药物对简单反应时的影响（毫秒）",
            "夏令营对科学素养得分的影响",
            "新排班对工作倦怠得分的影响",
        ]
    )
    n, sigma = rng.choice([16, 25, 36, 49, 64, 100]), rng.randint(8, 40)
    (alpha, tails), (power, z_beta) = rng.choice(_TESTS[:2]), rng.choice(_BETAS)
    critical, other = z_critical(alpha, tails), z_critical(alpha, 3 - tails)
    error = sigma / n**0.5
    key = settled((critical + z_beta) * error, 2)
    mistakes = [
        Mistake((other + z_beta) * error, f"误按{sided(3 - tails)}检验取临界值"),
        Mistake(critical * error, "只用了临界值，漏加与检验力对应的Z"),
        Mistake((critical - z_beta) * error, "把两个Z值相减"),
        Mistake((critical + z_beta) * (2 * sigma**2 / n) ** 0.5, "误用两样本平均数之差的标准误"),
        Mistake(z_beta * error, "只用了与检验力对应的Z"),
        Mistake((critical * 2 + z_beta) * error, "误把临界值加倍"),
        Mistake((critical + 2 * z_beta) * error, "误把与检验力对应的Z加倍"),
    ]
    stem = (
        f"研究者用{n}名被试的单样本Z检验考察{story}，总体标准差为{sigma}，{sided(tails)}检验，"
        f"$\\alpha={alpha:g}$。已知${z_entry(alpha, tails)}$，"
        f"${z_entry(alpha, 3 - tails)}$，标准正态分布中Z={z_beta:g}以下的面积约为{power:.2f}。"
        f"要使统计检验力达到{power:.2f}，"
        "总体平均数与假设值的最小差异（保留两位小数）约为（　　）。"
    )
    steps = (
        f"$\\delta=(Z_\\alpha+Z_\\beta)\\sigma/\\sqrt n=({critical:g}+{z_beta:g})\\times{sigma}/"
        f"{n**0.5:g}="
        f"{number(key, 2)}$。"
    )
    return Problem("missing", stem, numeric_choice(key, mistakes, rank), steps, "analyse")


@patient
def most_powerful_plan(rng: random.Random, rank: int) -> Problem:
    """Which of four plans has the greatest power: compare gap * sqrt(n) / sigma - z_alpha."""
    story = rng.choice(["睡眠教育提高睡眠质量得分", "生涯课程提高决策自我效能", "亲子阅读提高词汇得分"])
    sigma = rng.choice([8, 10, 12])
    pool = [
        (n, gap, test)
        for n in (16, 25, 36, 49, 64)
        for gap in (2, 3, 4, 5)
        for test in ((0.05, 1), (0.05, 2), (0.01, 1), (0.01, 2))
    ]

    def excess(plan: tuple[int, int, tuple[float, int]]) -> float:
        return plan[1] * math.sqrt(plan[0]) / sigma - z_critical(*plan[2])

    def text(plan: tuple[int, int, tuple[float, int]]) -> str:
        n, gap, (alpha, tails) = plan
        return f"取{n}人，真实差异为{gap}分，$\\alpha={alpha:.2f}$，{sided(tails)}检验"

    plans = rng.sample(pool, 4)
    best, *rest = sorted(plans, key=excess, reverse=True)
    most, widest = max(plans, key=lambda p: p[0]), max(plans, key=lambda p: p[1])
    easiest = min(plans, key=lambda p: z_critical(*p[2]))
    if excess(best) - excess(rest[0]) < 0.2 or excess(best) > 2.2:
        raise Redraw
    reasons = {most: "只看样本容量最大", widest: "只看真实差异最大", easiest: "只看拒绝区域最大"}
    distractors = [(text(p), reasons.get(p, "几个因素都较弱，没有综合比较")) for p in rest]
    if sum(p in reasons for p in rest) < 2:
        raise Redraw
    rng.shuffle(distractors)
    stem = (
        f"为检验{story}，研究者拟用单样本Z检验，总体标准差为{sigma}分，单侧检验的方向与真实差异一致。"
        f"已知$Z_{{0.05}}=1.645$，"
        "$Z_{0.05/2}=1.96$，$Z_{0.01}=2.33$，$Z_{0.01/2}=2.58$。下列方案中统计检验力最高的是（　　）。"
    )
    steps = (
        "检验力随$\\delta\\sqrt n/\\sigma-Z$增大而增大，其中Z为临界值。从大到小："
        + "；".join(f"“{text(p)}”为{number(excess(p), 2)}" for p in (best, *rest))
        + "。"
    )
    return Problem("decide", stem, text_choice(text(best), distractors, rank), steps, "analyse")


@patient
def power_gained(rng: random.Random, rank: int) -> Problem:
    """Gain of power when n becomes four- or ninefold: Phi(2d - z) - Phi(d - z)."""
    cause, target = rng.choice(
        [
            ("社交技能训练", "同伴接纳得分"),
            ("营养早餐", "注意测验得分"),
            ("导师制", "新员工适应得分"),
        ]
    )
    root, times = rng.choice([4, 5, 6, 8]), rng.choice([2, 3])
    sigma, gap = rng.choice([8, 10, 12, 16, 20]), rng.randint(2, 6)
    shift = gap * root / sigma
    alpha, tails = rng.choice(_TESTS)
    critical, other = z_critical(alpha, tails), z_critical(alpha, 3 - tails)
    if abs(shift - hand(shift)) > 1e-9 or not 0.7 < shift < 2 or shift * times > 4.5:
        raise Redraw
    before, after = shift - critical, shift * times - critical

    def area(z: float) -> float:
        return _below(z) if z >= 0 else 1 - _below(-z)

    key = area(after) - area(before)
    linear = shift * times**2 - critical
    points = [before, after, shift, shift * times, shift - other, shift * times - other]
    if key < 0.1 or after > 3.4:
        raise Redraw
    mistakes = [
        Mistake(area(shift * times - other) - area(shift - other), f"误按{sided(3 - tails)}检验取临界值"),
        Mistake(area(shift * times) - area(shift), "没有减去临界值"),
        Mistake(area(after), "误求成增加样本后的检验力"),
        Mistake(area(before), "误求成增加样本前的检验力"),
        Mistake(min(area(linear), 0.9999) - area(before), "误以为标准误与n成反比"),
        Mistake(1 - area(after), "误求成增加样本后II型错误的概率"),
        Mistake(1 - area(before), "误求成增加样本前II型错误的概率"),
        Mistake(area(before) * (times - 1), "误以为检验力与样本容量的平方根成正比"),
    ]
    stem = (
        f"研究者用单样本Z检验考察{_question(cause, target, tails)}，{sided(tails)}检验，"
        f"$\\alpha={alpha:g}$（${z_entry(alpha, tails)}"
        f"$，${z_entry(alpha, 3 - tails)}$），"
        f"总体标准差为{sigma}，真实平均数比假设值高{gap}分。已知{_areas(points)}（$\\Phi(Z)$为Z以下的面积"
        "），忽略另一侧的极小概率。"
        f"样本容量由{root**2}增加到{(root * times) ** 2}，统计检验力提高（保留四位小数）多少？"
    )
    steps = (
        f"原来偏离$\\delta/(\\sigma/\\sqrt n)={shift:.2f}$，"
        f"检验力为$\\Phi({before:.2f})={area(before):.4f}$；后来偏离{shift * times:.2f}，"
        f"检验力为$\\Phi({after:.2f})={area(after):.4f}$。提高{number(key, 4)}。"
    )
    return Problem("compare", stem, numeric_choice(key, mistakes, rank, decimals=4), steps, "analyse")


FAMILIES: dict[str, list[Family]] = {
    "statistical-power": [
        power_of_z_test,
        beta_from_cutoff,
        detectable_difference,
        most_powerful_plan,
        power_gained,
    ],
}
