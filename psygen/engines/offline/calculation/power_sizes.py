"""How many subjects a Z test needs for a given power, worked with the normal distribution.

Conventions: n = ((z_alpha + z_beta) * sigma / delta)^2 for one sample, twice that in each of two groups;
needed numbers are rounded up.
"""

import math
import random
from itertools import pairwise

from psygen.engines.offline.figures import sided, z_entry
from psygen.engines.offline.guards import patient, settled
from psygen.engines.offline.problem import (
    Choice,
    Family,
    Mistake,
    Problem,
    Redraw,
    number,
    numeric_choice,
    text_choice,
)
from psygen.engines.offline.tables import z_critical

_BETAS = ((0.80, 0.84), (0.90, 1.28))


def _whole(value: float) -> int:
    """The next whole number; Redraw when `value` is too near one to be sure."""
    if not 0.06 < value % 1 < 0.94:
        raise Redraw
    return math.ceil(value)


def _counts(key: int, raw: list[tuple[float, str]], rank: int) -> Choice:
    """A choice among numbers of subjects, every wrong one rounded up as well."""
    mistakes = [Mistake(float(math.ceil(value)), why) for value, why in raw if value < 9999]
    return numeric_choice(float(key), mistakes, rank, decimals=0, unit="人")


@patient
def size_for_one_sample(rng: random.Random, rank: int) -> Problem:
    """n of a one-sample z test: ((z_alpha + z_beta) * sigma / delta)^2, rounded up."""
    story = rng.choice(["某地儿童的推理测验得分", "轮班护士的抑郁得分", "篮球运动员的专注力得分"])
    sigma, gap = rng.choice([8, 10, 12, 15, 16, 20]), rng.randint(2, 8)
    (alpha, tails), (power, z_beta) = rng.choice([(0.05, 2), (0.01, 2), (0.05, 1)]), rng.choice(_BETAS)
    critical, other = z_critical(alpha, tails), z_critical(alpha, 3 - tails)
    ratio, total = sigma / gap, critical + z_beta
    key = _whole((total * ratio) ** 2)
    if not 12 < key < 250:
        raise Redraw
    raw = [
        (((other + z_beta) * ratio) ** 2, f"误按{sided(3 - tails)}检验取临界值"),
        ((critical * ratio) ** 2, "漏加与检验力对应的Z"),
        (2 * (total * ratio) ** 2, "误用两独立样本的公式"),
        (total * ratio**2, "两个Z值之和漏取平方"),
        (total**2 * ratio, "标准差与差异之比漏取平方"),
        (4 * (total * ratio) ** 2, "误用两独立样本的公式，又求成了两组总人数"),
        ((critical**2 + z_beta**2) * ratio**2, "把两个Z值分别平方后相加"),
        (((critical - z_beta) * ratio) ** 2, "把两个Z值相减"),
        (((2 * critical + z_beta) * ratio) ** 2, "误把临界值加倍"),
    ]
    stem = (
        f"研究者拟用单样本Z检验考察{story}与常模的差异，总体标准差为{sigma}，{sided(tails)}检验，"
        f"$\\alpha={alpha:g}$。"
        f"希望真实差异为{gap}时统计检验力达到{power:.2f}。已知${z_entry(alpha, tails)}$，"
        f"${z_entry(alpha, 3 - tails)}$，"
        f"标准正态分布中Z={z_beta:g}以下的面积约为{power:.2f}。"
        "至少需要的被试人数（向上取整）为（　　）。"
    )
    steps = (
        f"$n=\\left(\\frac{{(Z_\\alpha+Z_\\beta)\\sigma}}{{\\delta}}\\right)^2=\\left(\\frac{{("
        f"{critical:g}+"
        f"{z_beta:g})\\times{sigma}}}{{{gap}}}\\right)^2={number((total * ratio) ** 2, 2)}$，"
        f"向上取整，至少{key}人。"
    )
    return Problem("find", stem, _counts(key, raw, rank), steps)


@patient
def spread_allowed(rng: random.Random, rank: int) -> Problem:
    """sigma backwards from the size of each of two groups: delta * sqrt(n/2) / (z_alpha + z_beta)."""
    story = rng.choice(["两种心理治疗后的焦虑得分", "两种培训后的操作评分", "两种阅读指导后的理解得分"])
    n, gap, alpha = rng.randint(20, 90), rng.randint(3, 12), rng.choice([0.05, 0.01])
    power, z_beta = rng.choice(_BETAS)
    critical, other = z_critical(alpha, 2), z_critical(alpha, 1)
    total, root = critical + z_beta, (n / 2) ** 0.5
    key = settled(gap * root / total, 2)
    mistakes = [
        Mistake(gap * root / (other + z_beta), "误按单侧检验取临界值"),
        Mistake(gap * n**0.5 / total, "误用单样本的公式"),
        Mistake(gap * root / critical, "漏加与检验力对应的Z"),
        Mistake(gap * (n / 4) ** 0.5 / total, "误把每组人数当作总人数"),
        Mistake(gap * (n / 2) / total**2, "漏开平方"),
        Mistake(gap * root / (2 * critical + z_beta), "误把临界值加倍"),
        Mistake(gap * root / (critical - z_beta), "把两个Z值相减"),
        Mistake(gap * root / (critical + 2 * z_beta), "误把与检验力对应的Z加倍"),
    ]
    stem = (
        f"某实验比较{story}，两组各{n}人，用双侧Z检验，$\\alpha={alpha:g}$，两总体标准差相等。"
        f"已知${z_entry(alpha, 2)}$，"
        f"${z_entry(alpha, 1)}$，标准正态分布中Z={z_beta:g}以下的面积约为{power:.2f}。"
        f"要使真实差异为{gap}分时统计检验力"
        f"不低于{power:.2f}，所允许的最大总体标准差（保留两位小数）约为（　　）。"
    )
    steps = (
        f"每组人数$n=\\frac{{2(Z_\\alpha+Z_\\beta)^2\\sigma^2}}{{\\delta^2}}$，"
        f"所以$\\sigma=\\frac{{\\delta"
        f"\\sqrt{{n/2}}}}{{Z_\\alpha+Z_\\beta}}=\\frac{{{gap}\\times\\sqrt{{{n}/2}}}}{{{critical:g}+"
        f"{z_beta:g}}}="
        f"{number(key, 2)}$。"
    )
    return Problem("missing", stem, numeric_choice(key, mistakes, rank), steps, "analyse")


@patient
def enough_subjects(rng: random.Random, rank: int) -> Problem:
    """Whether the planned number in each of two groups suffices: 2 * ((z_alpha + z_beta) / d)^2."""
    story = rng.choice(["沙盘游戏与常规活动", "视频教学与现场教学", "即时反馈与延迟反馈"])
    effect = rng.randint(30, 90) / 100
    (alpha, tails), (power, z_beta) = rng.choice([(0.05, 2), (0.01, 2), (0.05, 1)]), rng.choice(_BETAS)
    critical, other = z_critical(alpha, tails), z_critical(alpha, 3 - tails)
    exact = 2 * ((critical + z_beta) / effect) ** 2
    needed = _whole(exact)
    planned = round(needed * rng.choice([0.75, 0.85, 1.15, 1.3]))
    wrong = [
        (exact / 2, "误用单样本的公式"),
        (exact * 2, "误把总人数当作每组人数"),
        (2 * (critical / effect) ** 2, "漏加与检验力对应的Z"),
        (2 * ((other + z_beta) / effect) ** 2, f"误按{sided(3 - tails)}检验取临界值"),
        (2 * (critical**2 + z_beta**2) / effect**2, "把两个Z值分别平方后相加"),
        (2 * ((2 * critical + z_beta) / effect) ** 2, "误把临界值加倍"),
        (2 * ((critical + 2 * z_beta) / effect) ** 2, "误把与检验力对应的Z加倍"),
    ]
    rng.shuffle(wrong)
    counts = [math.ceil(value) for value, _ in wrong[:3]]
    if any(b - a < 3 for a, b in pairwise(sorted([needed, planned, *counts]))):
        raise Redraw
    if sum(c > planned for c in (needed, *counts)) != 2:
        raise Redraw

    def text(count: int) -> str:
        return f"每组至少需要{count}人，现有人数{'不足' if count > planned else '够用'}"

    distractors = [(text(count), why) for count, (_, why) in zip(counts, wrong[:3], strict=True)]
    stem = (
        f"研究者拟用两独立样本Z检验比较{story}的效果，每组已招募{planned}人，{sided(tails)}检验，"
        f"$\\alpha={alpha:g}$，"
        f"预期效应量$d={effect:.2f}$。已知${z_entry(alpha, tails)}$，${z_entry(alpha, 3 - tails)}$，"
        f"标准正态分布中Z={z_beta:g}"
        f"以下的面积约为{power:.2f}。若要求统计检验力达到{power:.2f}，则（　　）。"
    )
    steps = (
        f"$n=2\\left(\\frac{{Z_\\alpha+Z_\\beta}}{{d}}\\right)^2=2\\times\\left(\\frac{{{critical:g}+"
        f"{z_beta:g}}}"
        f"{{{effect:.2f}}}\\right)^2={number(exact, 2)}$，向上取整，{text(needed)}。"
    )
    return Problem("decide", stem, text_choice(text(needed), distractors, rank), steps, "analyse")


@patient
def extra_subjects(rng: random.Random, rank: int) -> Problem:
    """How many more subjects a stricter plan needs: difference of two rounded-up one-sample sizes."""
    story = rng.choice(["冥想课程对专注时间的影响", "新版说明书对装配速度的影响", "课间运动对计算成绩的影响"])
    sigma, gap = rng.choice([8, 10, 12, 15, 16, 20]), rng.randint(3, 8)
    ratio = sigma / gap
    before, after = _whole((2.80 * ratio) ** 2), _whole((3.86 * ratio) ** 2)
    key = after - before
    raw = [
        ((3.42 * ratio) ** 2 - before, "只改变了显著性水平，没有改变检验力"),
        ((3.24 * ratio) ** 2 - before, "只改变了检验力，没有改变显著性水平"),
        ((1.06 * ratio) ** 2, "把两次的Z值之和相减后再平方"),
        (float(after), "误求成新计划所需的总人数"),
        (2.0 * key, "误用两独立样本的公式"),
        ((2.58**2 - 1.96**2) * ratio**2, "漏加与检验力对应的Z"),
        ((3.61 * ratio) ** 2 - math.ceil((2.485 * ratio) ** 2), "误按单侧检验取临界值"),
        (float(after + before), "误把两种计划的人数相加"),
    ]
    stem = (
        f"研究者拟用单样本双侧Z检验考察{story}，总体标准差为{sigma}，预期真实差异为{gap}。"
        "原计划$\\alpha=0.05$、统计检验力0.80，"
        "现改为$\\alpha=0.01$、统计检验力0.90。已知$Z_{0.05}=1.645$，$Z_{0.05/2}=1.96$，$Z_{0.01}=2.33$，"
        "$Z_{0.01/2}=2.58$，标准正态分布中Z=0.84以下的面积约为0.80，Z=1.28以下的面积约为0.90。"
        "两种计划所需人数都向上取整，"
        "至少要增加的被试为（　　）。"
    )
    steps = (
        f"原计划$n=((1.96+0.84)\\times{sigma}/{gap})^2$，取{before}人；"
        f"新计划$n=((2.58+1.28)\\times{sigma}/{gap})^2$，"
        f"取{after}人。至少增加{key}人。"
    )
    return Problem("compare", stem, _counts(key, raw, rank), steps, "analyse")


FAMILIES: dict[str, list[Family]] = {
    "sample-size-for-test": [size_for_one_sample, spread_allowed, enough_subjects, extra_subjects],
}
