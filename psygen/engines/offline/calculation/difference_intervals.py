"""Problems on confidence intervals for the difference of two independent means.

Conventions: $\\sqrt{\\sigma_1^2/n_1+\\sigma_2^2/n_2}$ when both variances are known; the pooled variance and
$n_1+n_2-2$ degrees of freedom when they are unknown and equal.
"""

import math
import random

from psygen.engines.offline.figures import plain
from psygen.engines.offline.guards import hand, patient, settled
from psygen.engines.offline.inference import (
    COMPARED,
    HASTENED,
    SOOTHED,
    TAUGHT,
    TRAINED,
    crossed_decision,
    even_out,
    interval_verdict,
    spaced_choice,
    t_note,
    z_note,
    z_text,
)
from psygen.engines.offline.problem import Family, Mistake, Problem, Redraw, number, numeric_choice
from psygen.engines.offline.tables import t_critical, z_critical


@patient
def limit_with_sigmas(rng: random.Random, rank: int) -> Problem:
    """One limit of the interval for a difference, both σ known: D ± Z sqrt(σ1²/n1 + σ2²/n2)."""
    contrast = rng.choice(COMPARED)
    s1, s2 = rng.sample(range(6, 17), 2)
    n1, n2 = rng.choice([36, 40, 50, 64, 80, 100]), rng.choice([36, 40, 50, 64, 80, 100])
    square = s1**2 / n1 + s2**2 / n2
    error = math.sqrt(square)
    if abs(error * 10 - round(error * 10)) > 1e-9:
        raise Redraw
    alpha = rng.choice([0.05, 0.01])
    z, one = z_critical(alpha, 2), z_critical(alpha, 1)
    mean = rng.randint(50, 70)
    gap = rng.randint(3, 9)
    sign, side = rng.choice([(-1, "下限"), (1, "上限")])
    key = settled(gap + sign * z * error, 2)
    simple = s1 / math.sqrt(n1) + s2 / math.sqrt(n2)
    mistakes = [
        Mistake(gap + sign * one * error, "误用单侧的Z值"),
        Mistake(gap + sign * z * simple, "把两个标准误直接相加"),
        Mistake(gap + sign * z * square, "标准误漏开平方"),
        Mistake(gap - sign * z * error, "求成另一端的界限"),
        Mistake(gap + sign * error, "漏乘Z值"),
        Mistake(gap + sign * z * math.sqrt(abs(s1**2 / n1 - s2**2 / n2)), "两个标准误的平方误相减"),
        Mistake(gap - sign * one * error, "误用单侧的Z值且求成另一端"),
        Mistake(gap + sign * 2 * z * error, "把区间的全长加减到平均数之差上"),
    ]
    stem = (
        f"{contrast.what}在{contrast.one}和{contrast.other}中都服从正态分布，"
        f"总体标准差分别为$\\sigma_1={s1}$和$\\sigma_2={s2}$。"
        f"分别独立随机抽取{contrast.one}{n1}人、{contrast.other}{n2}人，"
        f"平均数为{mean + gap}{contrast.unit}和{mean}{contrast.unit}。"
        f"已知{z_note(alpha, 2)}，{z_note(alpha, 1)}，"
        f"则两总体平均数之差$\\mu_1-\\mu_2$的{round(100 * (1 - alpha))}%置信区间的"
        f"{side}（保留两位小数）为（　　）。"
    )
    steps = (
        f"$SE=\\sqrt{{{s1}^2/{n1}+{s2}^2/{n2}}}={plain(error)}$；{side}"
        f"$=({mean + gap}-{mean}){'+' if sign > 0 else '-'}{z_text(z)}\\times{plain(error)}"
        f"={number(key, 2)}$。"
    )
    return Problem("find", stem, spaced_choice(key, mistakes, rank, gap=0.15 * error), steps)


@patient
def pooled_limit(rng: random.Random, rank: int) -> Problem:
    """One limit of the pooled t interval for a difference, from two S_{n-1}."""
    contrast = rng.choice(TAUGHT)
    n1, n2 = rng.sample([8, 9, 10, 12, 13, 15, 16], 2)
    s1, s2 = rng.randint(4, 10), rng.randint(4, 10)
    df = n1 + n2 - 2
    pooled = ((n1 - 1) * s1**2 + (n2 - 1) * s2**2) / df
    error = math.sqrt(pooled * (1 / n1 + 1 / n2))
    t, one = t_critical(df, 0.05, 2), t_critical(df, 0.05, 1)
    mean, gap = rng.randint(60, 75), rng.randint(4, 10)
    sign, side = rng.choice([(-1, "下限"), (1, "上限")])
    key = settled(gap + sign * t * error, 1, gap + sign * t * hand(error))
    mistakes = [
        Mistake(gap + sign * one * error, "误用单侧的t值"),
        Mistake(gap + sign * t * math.sqrt(pooled / (n1 + n2)), "误用$\\sqrt{S_p^2/(n_1+n_2)}$作标准误"),
        Mistake(gap + sign * t * math.sqrt(pooled), "漏乘$\\sqrt{1/n_1+1/n_2}$"),
        Mistake(gap - sign * t * error, "求成另一端的界限"),
        Mistake(gap + sign * error, "漏乘t值"),
        Mistake(gap - sign * one * error, "误用单侧的t值且求成另一端"),
        Mistake(gap + sign * 2 * t * error, "把区间的全长加减到平均数之差上"),
    ]
    stem = (
        f"把学生随机分成两组，{contrast.one}{n1}人，{contrast.other}{n2}人。"
        f"实验后{contrast.what}的平均数分别为{mean + gap}{contrast.unit}"
        f"和{mean}{contrast.unit}，$S_{{n-1}}$分别为{s1}和{s2}。两总体正态，方差未知但相等。"
        f"已知{t_note(df, 0.05, 2)}，{t_note(df, 0.05, 1)}，{z_note(0.05, 2)}，"
        f"则$\\mu_1-\\mu_2$的95%置信区间的{side}（保留一位小数）为（　　）。"
    )
    steps = (
        f"$S_p^2=\\dfrac{{{n1 - 1}\\times{s1**2}+{n2 - 1}\\times{s2**2}}}{{{df}}}={number(pooled, 2)}$，"
        f"$SE=\\sqrt{{{number(pooled, 2)}\\times(1/{n1}+1/{n2})}}={number(error, 2)}$；"
        f"{side}$={gap}{'+' if sign > 0 else '-'}{t:.3f}\\times{number(error, 2)}={number(key, 1)}$。"
    )
    choice = spaced_choice(key, mistakes, rank, gap=max(0.2, 0.1 * error), decimals=1)
    return Problem("find", stem, choice, steps)


@patient
def pooled_variance_behind(rng: random.Random, rank: int) -> Problem:
    """The pooled variance behind a reported interval: n / 2 times (half width / t)²."""
    contrast = rng.choice(HASTENED)
    n = rng.choice([8, 10, 11, 13, 16, 18])
    df = 2 * n - 2
    t, one = t_critical(df, 0.05, 2), t_critical(df, 0.05, 1)
    half = rng.randint(150, 400) / 10
    gap = rng.randint(30, 60)
    key = settled((half / t) ** 2 * n / 2, 0, hand(half / t, 2) ** 2 * n / 2)
    mistakes = [
        Mistake((half / t) ** 2 * n, "漏乘1/2，把两组当作一组"),
        Mistake((2 * half / t) ** 2 * n / 2, "把区间全长当作半长"),
        Mistake((half / one) ** 2 * n / 2, "误用单侧的t值"),
        Mistake((half / t) ** 2, "求成标准误的平方"),
        Mistake((half / t) ** 2 * 2 / n, "把系数2/n的位置颠倒"),
        Mistake(half / t * n / 2, "标准误漏了平方"),
        Mistake((half / z_critical(0.05, 2)) ** 2 * n / 2, "误用Z值代替t值"),
        Mistake((half / t) ** 2 * n / 4, "系数1/2多乘了一次"),
    ]
    stem = (
        f"研究者比较{contrast.one}与{contrast.other}的{contrast.what}，每组随机分配{n}人，"
        "两总体正态且方差相等但未知。"
        f"论文只报告$\\mu_1-\\mu_2$的95%置信区间为[{plain(gap - half)}，{plain(gap + half)}]毫秒。"
        f"已知{t_note(df, 0.05, 2)}，{t_note(df, 0.05, 1)}，则合并方差（共同总体方差的无偏估计值，"
        "保留到整数）为（　　）。"
    )
    steps = (
        f"半长为{plain(half)}，标准误$={plain(half)}/{t:.3f}={number(half / t, 2)}$；"
        f"由$SE^2=S_p^2(1/{n}+1/{n})$得"
        f"$S_p^2={number(half / t, 2)}^2\\times{n}/2={number(key, 0)}$。"
    )
    return Problem("missing", stem, numeric_choice(key, mistakes, rank, decimals=0), steps)


@patient
def unequal_groups(rng: random.Random, rank: int) -> Problem:
    """How many times as long the interval is with unequal groups of the same total and the same pooled variance."""
    contrast = rng.choice(SOOTHED)
    total = rng.choice([24, 30, 36, 40, 48, 60])
    small = rng.choice([k for k in range(4, total // 2 - 3) if total * 10 % k == 0])
    large, even = total - small, total // 2
    key = settled(math.sqrt((1 / small + 1 / large) / (2 / even)), 2)
    mistakes = [
        Mistake(key**2, "比较的是标准误的平方"),
        Mistake(1 / key, "把两个方案的位置颠倒"),
        Mistake(1.0, "误以为总人数不变则长度不变"),
        Mistake(math.sqrt(even / small), "只比较了人数较少的一组"),
        Mistake(1 / key**2, "比较的是标准误的平方，且位置颠倒"),
        Mistake(math.sqrt(large / small), "误以为等于两组人数之比的平方根"),
        Mistake(math.sqrt(even / large), "只比较了人数较多的一组"),
    ]
    stem = (
        f"研究者用{total}名被试比较{contrast.one}与{contrast.other}的{contrast.what}，两总体正态，"
        "方差未知但相等。"
        f"甲方案两组各{even}人，"
        f"乙方案一组{small}人、另一组{large}人，都用合并方差求平均数之差的95%置信区间。"
        "若两方案得到的合并方差相同，"
        "则乙方案的区间长度是甲方案的多少倍（保留两位小数）？"
    )
    steps = (
        "自由度与合并方差都相同，长度之比等于标准误之比："
        f"$\\sqrt{{\\dfrac{{1/{small}+1/{large}}}{{1/{even}+1/{even}}}}}={number(key, 2)}$。"
    )
    return Problem("compare", stem, numeric_choice(key, mistakes, rank), steps, "analyse")


@patient
def difference_contains_zero(rng: random.Random, rank: int) -> Problem:
    """The pooled t interval of two equal groups, and whether nought lies in it."""
    contrast = rng.choice(TRAINED)
    n = rng.choice([8, 10, 12, 13, 16, 18])
    v1, v2 = rng.randint(16, 90), rng.randint(16, 90)
    df = 2 * n - 2
    error = math.sqrt((v1 + v2) / n)
    t = t_critical(df, 0.05, 2)
    mean, gap = rng.randint(40, 60), rng.randint(15, 90) / 10
    for limit in (gap - t * error, gap + t * error):
        settled(limit, 2, gap + math.copysign(t * hand(error, 3), limit - gap))
    errors = [
        Mistake(math.sqrt((v1 + v2) / (2 * n)), "标准误误用$\\sqrt{S_p^2/n}$，漏乘2"),
        Mistake(math.sqrt(v1 / n) + math.sqrt(v2 / n), "把两个标准误直接相加"),
        Mistake(math.sqrt((v1 + v2) / 2 / (2 * n)), "标准误误用$\\sqrt{S_p^2/(n_1+n_2)}$"),
    ]
    lines = [Mistake(t_critical(df, 0.05, 1), "误用单侧的t值"), Mistake(z_critical(0.05, 2), "误用Z值代替t值")]
    choice = crossed_decision(rng, interval_verdict(gap, 0), (error, errors), (t, lines), rank)
    even_out(rng, choice, "包含", 0.6)
    stem = (
        f"把{2 * n}名被试随机分成{contrast.one}和{contrast.other}，每组{n}人，"
        f"{contrast.what}的平均数分别为{plain(mean + gap)}和{mean}，"
        f"$S_{{n-1}}^2$分别为{v1}和{v2}，两总体正态且方差相等。已知{t_note(df, 0.05, 2)}，"
        f"{t_note(df, 0.05, 1)}，"
        f"{z_note(0.05, 2)}。"
        "求$\\mu_1-\\mu_2$的95%置信区间（保留两位小数），并据此在$\\alpha=0.05$水平上作双侧判断，正确的是"
        "（　　）。"
    )
    steps = (
        f"两组人数相等，$SE=\\sqrt{{({v1}+{v2})/{n}}}={number(error, 3)}$，$df={df}$；"
        f"${plain(gap)}\\pm{t:.3f}\\times{number(error, 3)}$，即{choice.options[rank]}。"
    )
    return Problem("decide", stem, choice, steps, "analyse")


FAMILIES: dict[str, list[Family]] = {
    "ci-mean-difference-independent": [
        limit_with_sigmas,
        pooled_limit,
        pooled_variance_behind,
        unequal_groups,
        difference_contains_zero,
    ],
}
