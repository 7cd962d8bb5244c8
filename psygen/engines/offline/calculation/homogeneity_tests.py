"""Problems on testing whether variances are equal.

Conventions: F is the larger $S_{n-1}^2$ over the smaller, two-tailed with $F_{\\alpha/2}$; several equal groups use
$F_{max}$; paired variances use t with n-2 degrees of freedom.
"""

import math
import random

from psygen.engines.offline.figures import plain
from psygen.engines.offline.guards import exceeds, patient, settled
from psygen.engines.offline.inference import (
    ABILITY,
    EMOTION,
    SCHOOL,
    SOCIAL,
    SPEED,
    Reading,
    check_spread,
    crossed_decision,
    even_out,
)
from psygen.engines.offline.problem import Family, Mistake, Problem, Redraw, number, numeric_choice
from psygen.engines.offline.tables import f_critical


@patient
def f_from_descriptive_sds(rng: random.Random, rank: int) -> Problem:
    """F of two variances from descriptive SDs: n S² / (n - 1), the larger over the smaller."""
    measure = rng.choice(ABILITY)
    n1, n2 = rng.choice([5, 6, 7, 8]), rng.choice([10, 12, 15, 16, 20, 21])
    if rng.random() < 0.5:
        n1, n2 = n2, n1
    s1, s2 = rng.randint(8, 15), rng.randint(5, 10)
    check_spread(measure, s1)
    check_spread(measure, s2)
    v1, v2 = n1 * s1**2 / (n1 - 1), n2 * s2**2 / (n2 - 1)
    if v1 < 1.2 * v2 or s1 <= s2:
        raise Redraw
    key = settled(v1 / v2, 2, float(number(v1, 2)) / float(number(v2, 2)))
    mistakes = [
        Mistake(s1**2 / s2**2, "直接用以n为分母的方差相比"),
        Mistake(s1 / s2, "用标准差之比代替方差之比"),
        Mistake((n1 - 1) * s1**2 / n1 / ((n2 - 1) * s2**2 / n2), "校正系数误用(n-1)/n"),
        Mistake(n1 * s1**2 / (n2 * s2**2), "只比较了离差平方和"),
        Mistake(math.sqrt(v1 / v2), "用$S_{n-1}$之比代替方差之比"),
        Mistake(v2 / v1, "把较小的方差放在了分子上"),
        Mistake((v1 / v2) ** 2, "方差之比又平方了一次"),
        Mistake((v1 + v2) / v2, "误以方差之和作分子"),
    ]
    stem = (
        f"随机抽取甲类{measure.people}{n1}人、乙类{measure.people}{n2}人，测{measure.what}，"
        f"以n为分母的标准差$S$分别为{s1}和{s2}。"
        "两总体正态，两样本独立。用F检验考察两总体方差是否齐性，以较大的总体方差估计值为分子，"
        "F值（保留两位小数）为（　　）。"
    )
    steps = (
        f"$S_{{n-1}}^2=nS^2/(n-1)$：甲$={n1}\\times{s1**2}/{n1 - 1}={number(v1, 2)}$，"
        f"乙$={n2}\\times{s2**2}/{n2 - 1}={number(v2, 2)}$；"
        f"$F={number(v1, 2)}/{number(v2, 2)}={number(key, 2)}$。"
    )
    return Problem("find", stem, numeric_choice(key, mistakes, rank), steps)


@patient
def largest_over_smallest(rng: random.Random, rank: int) -> Problem:
    """Hartley's F_max of three equal groups from ΣX and ΣX²."""
    measure = rng.choice(EMOTION)
    n = rng.choice([8, 9, 10, 11, 16])
    means = [rng.randint(8, 20) for _ in range(3)]
    squares = [rng.randint(30, 320) for _ in range(3)]
    low, middle, high = sorted(squares)
    if high < 1.3 * low or len(set(squares)) < 3:
        raise Redraw
    key = settled(high / low, 2, *(round(high / d, 2) / round(low / d, 2) for d in (n - 1,)))
    raw = [ss + n * m * m for ss, m in zip(squares, means, strict=True)]
    mistakes = [
        Mistake(math.sqrt(high / low), "用标准差之比代替方差之比"),
        Mistake(high / middle, "用居中的方差作分母"),
        Mistake(max(raw) / min(raw), "未减$(\\sum X)^2/n$，直接用平方和相比"),
        Mistake(high / (sum(squares) / 3), "用三个方差的平均数作分母"),
        Mistake(high / ((low + middle) / 2), "用其余两个方差的平均数作分母"),
        Mistake((high + middle) / low, "把两个较大的方差相加作分子"),
        Mistake(sum(squares) / low, "把三个方差之和作分子"),
        Mistake((high / low) ** 2, "方差之比又平方了一次"),
    ]
    data = "；".join(
        f"{name}组$\\sum X={n * m}$，$\\sum X^2={r}$" for name, m, r in zip("甲乙丙", means, raw, strict=True)
    )
    stem = (
        f"{3 * n}名{measure.people}随机分成三组，每组{n}人，接受不同的处理后测{measure.what}（短式量表）："
        f"{data}。"
        "用哈特莱最大F比率法检验方差齐性，$F_{max}$（保留两位小数）为（　　）。"
    )
    listed = "、".join(str(s) for s in squares)
    steps = (
        f"$\\sum X^2-(\\sum X)^2/n$依次为{listed}，各组自由度同为{n - 1}；$F_{{max}}=S_{{max}}^2/S_{{min}}^2"
        f"={high}/{low}={number(key, 2)}$。"
    )
    return Problem("find", stem, numeric_choice(key, mistakes, rank), steps)


@patient
def sd_behind_f(rng: random.Random, rank: int) -> Problem:
    """The descriptive SD of the second sample behind a reported F."""
    measure = rng.choice(SCHOOL)
    n1, n2 = rng.sample([5, 6, 8, 9, 10, 11, 16, 21], 2)
    s1 = rng.randint(9, 18)
    f = rng.randint(130, 420) / 100
    v1 = n1 * s1**2 / (n1 - 1)
    key = settled(math.sqrt(v1 / f * (n2 - 1) / n2), 1, math.sqrt(round(v1 / f, 2) * (n2 - 1) / n2))
    mistakes = [
        Mistake(math.sqrt(s1**2 / f), "直接用以n为分母的方差相比"),
        Mistake(math.sqrt(v1 / f), "求成$S_{n-1}$"),
        Mistake(v1 / f * (n2 - 1) / n2, "漏开平方，求成方差"),
        Mistake(s1 / f, "把F值当作标准差之比"),
        Mistake(math.sqrt(v1 * f * (n2 - 1) / n2), "误乘F值"),
        Mistake(math.sqrt(v1 / f * n2 / (n2 - 1)), "换算系数误用n/(n-1)"),
        Mistake(math.sqrt(s1**2 / f * (n2 - 1) / n2), "甲样本的方差未换算"),
        Mistake(math.sqrt(v1 / f) / math.sqrt(2), "又多除以$\\sqrt2$"),
    ]
    stem = (
        f"研究者比较甲、乙两校{measure.what}的总体方差。甲校随机抽取{n1}人，以n为分母的标准差$S={s1}$；"
        f"乙校随机抽取{n2}人。"
        f"论文报告以甲校为分子的方差齐性检验结果$F({n1 - 1}, {n2 - 1})={f:.2f}$。"
        "则乙校样本以n为分母的标准差$S$（保留一位小数）为（　　）。"
    )
    steps = (
        f"甲校$S_{{n-1}}^2={n1}\\times{s1**2}/{n1 - 1}={number(v1, 2)}$，"
        f"乙校$S_{{n-1}}^2={number(v1, 2)}/{f:.2f}={number(v1 / f, 2)}$，"
        f"$S=\\sqrt{{{number(v1 / f, 2)}\\times{n2 - 1}/{n2}}}={number(key, 1)}$。"
    )
    return Problem("missing", stem, numeric_choice(key, mistakes, rank, decimals=1), steps)


def f_verdict(statistic: float, critical: float) -> Reading:
    """The decision of an F test by its printed value."""
    rejects = exceeds(statistic, critical)
    sign, action = (">", "方差不齐") if rejects else ("<", "方差齐性")
    return Reading(f"$F={number(statistic, 2)}{sign}{critical:.2f}$，{action}", rejects)


@patient
def variances_equal(rng: random.Random, rank: int) -> Problem:
    """The decision of a two-tailed F test of two variances from descriptive SDs."""
    measure = rng.choice(SOCIAL)
    n1, n2 = rng.sample([5, 6, 7, 8, 9, 10, 11, 13, 16, 21], 2)
    v2 = rng.randint(12, 60)
    line, df1, df2 = f_critical(n1 - 1, n2 - 1, 0.025), n1 - 1, n2 - 1
    one, turned = f_critical(df1, df2, 0.05), f_critical(df2, df1, 0.025)
    wrong, why = rng.choice([(one, "误用单侧的临界值"), (turned, "把两个自由度的位置颠倒")])
    v1 = round(v2 * rng.uniform(min(line, wrong), max(line, wrong)))
    if v1 < 1.3 * v2:
        raise Redraw
    key = settled(v1 / v2, 2)
    stats = [
        Mistake(v1 * (n1 - 1) / n1 / (v2 * (n2 - 1) / n2), "对$S_{n-1}^2$又乘以(n-1)/n"),
        Mistake(v1 * n1 / (n1 - 1) / (v2 * n2 / (n2 - 1)), "对$S_{n-1}^2$又乘以n/(n-1)"),
    ]
    choice = crossed_decision(rng, f_verdict, (key, stats), (line, [Mistake(wrong, why)]), rank)
    even_out(rng, choice, "齐性", 0.5)
    extra = f"$F_{{0.05}}({df1}, {df2})={one:.2f}$" if wrong == one else f"$F_{{0.05/2}}({df2}, {df1})={turned:.2f}$"
    stem = (
        f"测量两类{measure.people}的{measure.what}：甲类随机抽取{n1}人，总体方差的无偏估计值为{v1}；"
        f"乙类随机抽取{n2}人，无偏估计值为{v2}。"
        "两总体正态，两样本独立。以较大的估计值为分子作双侧F检验（$\\alpha=0.05$，两侧尾部各占0.025），"
        f"已知$F_{{0.05/2}}({df1}, {df2})={line:.2f}$，{extra}。检验统计量、临界值和结论都正确的是（　　）。"
    )
    steps = (
        f"$F={v1}/{v2}={number(key, 2)}$，分子自由度{df1}，分母自由度{df2}，双侧临界值为{line:.2f}，"
        f"即{choice.options[rank]}。"
    )
    return Problem("decide", stem, choice, steps, "analyse")


@patient
def paired_variances(rng: random.Random, rank: int) -> Problem:
    """t of two variances of the same people: (S1² - S2²) / sqrt(4 S1² S2² (1 - r²) / (n - 2))."""
    measure = rng.choice(SPEED)
    n, r = rng.choice([11, 18, 27, 38, 51]), rng.choice([0.3, 0.4, 0.5, 0.6, 0.7, 0.8])
    later = round(r + rng.choice([-0.2, -0.1, 0.1, 0.2]), 1)
    s1, s2 = rng.randint(36, 60), rng.randint(28, 50)
    if s1 < s2 + 4 or not 0.1 < later < 0.95:
        raise Redraw

    def test(rho2: float, df: float, factor: float = 4) -> float:
        return (s1**2 - s2**2) / math.sqrt(factor * s1**2 * s2**2 * (1 - rho2) / df)

    t = float(number(test(r * r, n - 2), 2))
    ratio = math.sqrt((1 - r * r) / (1 - later**2))
    key = settled(t * ratio, 2, t * round(ratio, 3))
    mistakes = [
        Mistake(t * ratio**2, "$1-r^2$之比漏开平方"),
        Mistake(t / ratio, "把两个$1-r^2$的位置颠倒"),
        Mistake(t, "误以为t与相关无关"),
        Mistake(t * math.sqrt((1 - r) / (1 - later)), "把$1-r^2$误作$1-r$"),
        Mistake(t * later / r, "误以为t与相关成正比"),
        Mistake(t * math.sqrt(later / r), "误以为t与相关的平方根成正比"),
        Mistake(t * r / later, "误以为t与相关成反比"),
        Mistake(t * math.sqrt((1 - later) / (1 - r)), "把$1-r^2$误作$1-r$且位置颠倒"),
    ]
    stem = (
        f"{n}名{measure.people}先后在两种条件下测{measure.what}，两个方差是相关样本的方差，用"
        "$t=\\dfrac{S_1^2-S_2^2}{\\sqrt{4S_1^2S_2^2(1-r^2)/(n-2)}}$检验其差异。"
        f"当两次得分的相关系数为{plain(r)}时，算得$t={t:.2f}$。若两个方差和人数都不变，"
        f"而相关系数为{plain(later)}，"
        "则t值（保留两位小数）为（　　）。"
    )
    steps = (
        "t与$\\sqrt{1-r^2}$成反比，"
        f"$t={t:.2f}\\times\\sqrt{{\\dfrac{{1-{plain(r)}^2}}{{1-{plain(later)}^2}}}}={number(key, 2)}$。"
    )
    return Problem("compare", stem, numeric_choice(key, mistakes, rank), steps, "analyse")


FAMILIES: dict[str, list[Family]] = {
    "homogeneity-of-variance-test": [
        f_from_descriptive_sds,
        largest_over_smallest,
        sd_behind_f,
        variances_equal,
        paired_variances,
    ],
}
