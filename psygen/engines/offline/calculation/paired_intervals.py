"""Problems on confidence intervals for the difference of two paired means.

Convention: $\\bar D\\pm t\\cdot S_D/\\sqrt n$ with n-1 degrees of freedom, n the number of pairs; with r, the squared
standard error is $(S_1^2+S_2^2-2rS_1S_2)/n$ from the two $S_{n-1}$.
"""

import math
import random

from psygen.engines.offline.figures import listed, plain
from psygen.engines.offline.guards import hand, patient, settled
from psygen.engines.offline.inference import (
    MATCHED,
    REPEATED_MOOD,
    REPEATED_RECALL,
    REPEATED_SKILL,
    REPEATED_SPEED,
    crossed_decision,
    interval_verdict,
    neat_deviations,
    spaced_choice,
    t_note,
)
from psygen.engines.offline.problem import Family, Mistake, Problem, number, numeric_choice
from psygen.engines.offline.tables import t_critical, z_critical


@patient
def paired_limit(rng: random.Random, rank: int) -> Problem:
    """One limit of the t interval from raw paired scores: mean difference ± t S_D / sqrt(n)."""
    contrast = rng.choice(REPEATED_SKILL)
    n, gap = rng.choice([7, 8, 9, 10]), rng.randint(2, 5)
    before = [rng.randint(10, 24) for _ in range(n)]
    deviations = neat_deviations(rng, n, 4)
    after = [b + gap + d for b, d in zip(before, deviations, strict=True)]
    ss = sum(d * d for d in deviations)
    error = math.sqrt(ss / (n * (n - 1)))
    t, one = t_critical(n - 1, 0.05, 2), t_critical(n - 1, 0.05, 1)
    sign, side = rng.choice([(-1, "下限"), (1, "上限")])
    key = settled(gap + sign * t * error, 2, gap + sign * t * hand(error, 3))
    pooled = sum((x - sum(s) / n) ** 2 for s in (before, after) for x in s) / (2 * n - 2)
    mistakes = [
        Mistake(gap + sign * one * error, "误用单侧的t值"),
        Mistake(
            gap + sign * t_critical(2 * n - 2, 0.05, 2) * math.sqrt(2 * pooled / n), "误按独立样本求标准误和自由度"
        ),
        Mistake(gap + sign * t * math.sqrt(ss) / n, "$S_D$以n为分母后仍除以$\\sqrt n$"),
        Mistake(gap - sign * t * error, "求成另一端的界限"),
        Mistake(gap + sign * t * math.sqrt(ss / (n - 1)), "用差数的标准差代替标准误"),
        Mistake(gap + sign * error, "漏乘t值"),
        Mistake(gap - sign * one * error, "误用单侧的t值且求成另一端"),
        Mistake(gap + sign * 2 * t * error, "把区间的全长加减到差数平均数上"),
    ]
    notes = f"{t_note(n - 1, 0.05, 2)}，{t_note(n - 1, 0.05, 1)}，{t_note(2 * n - 2, 0.05, 2)}"
    stem = (
        f"{n}名被试{contrast.other}的{contrast.what}依次为{listed(before)}，"
        f"{contrast.one}依次为{listed(after)}。"
        f"差数总体正态。已知{notes}，"
        f"则{contrast.one}与{contrast.other}总体平均数之差的95%置信区间的{side}（保留两位小数）为（　　）。"
    )
    steps = (
        f"差数（后减前）平均数$\\bar D={gap}$，$\\sum(D-\\bar D)^2={ss}$，"
        f"$SE_{{\\bar D}}=\\sqrt{{{ss}/({n}\\times{n - 1})}}"
        f"={number(error, 3)}$；"
        f"{side}$={gap}{'+' if sign > 0 else '-'}{t:.3f}\\times{number(error, 3)}={number(key, 2)}$。"
    )
    return Problem("find", stem, spaced_choice(key, mistakes, rank, gap=0.15 * error), steps)


def paired_error(s1: float, s2: float, r: float, n: int) -> float:
    """Standard error of the mean difference of pairs from S_{n-1} and r."""
    return math.sqrt((s1**2 + s2**2 - 2 * r * s1 * s2) / n)


@patient
def half_width_from_r(rng: random.Random, rank: int) -> Problem:
    """The half width of a paired interval from two S_{n-1} and r."""
    contrast = rng.choice(REPEATED_SPEED)
    n = rng.choice([9, 12, 15, 16, 20, 25])
    s1, s2 = rng.sample(range(30, 61, 5), 2)
    r = rng.choice([0.4, 0.5, 0.6, 0.7, 0.8])
    error = paired_error(s1, s2, r, n)
    t = t_critical(n - 1, 0.05, 2)
    key = settled(t * error, 1, t * hand(error))
    mistakes = [
        Mistake(t * paired_error(s1, s2, 0, n), "忽略相关，按独立样本求标准误"),
        Mistake(t * paired_error(s1, s2, r / 2, n), "协方差项漏乘2"),
        Mistake(t * paired_error(s1, s2, -r, n), "协方差项误用加号"),
        Mistake(t_critical(n - 1, 0.05, 1) * error, "误用单侧的t值"),
        Mistake(t * error * math.sqrt(n / (n - 1)), "对$S_{n-1}$仍除以n-1"),
        Mistake(error, "漏乘t值"),
        Mistake(t * paired_error(s1, s2, r * r, n), "把$r$误作$r^2$"),
        Mistake(t * error / math.sqrt(2), "误把n对当作2n个数据"),
        Mistake(2 * t * error, "求成区间的全长"),
    ]
    stem = (
        f"{n}名被试先后在{contrast.one}与{contrast.other}下完成任务，"
        f"{contrast.what}的$S_{{n-1}}$分别为{s1}毫秒和{s2}毫秒，"
        f"两种条件下反应时的相关系数$r={plain(r)}$，总体正态。已知{t_note(n - 1, 0.05, 2)}，"
        f"{t_note(n - 1, 0.05, 1)}，"
        "则两总体平均数之差的95%置信区间的半长（即$t\\cdot SE$，保留一位小数）为（　　）。"
    )
    steps = (
        f"$SE=\\sqrt{{\\dfrac{{{s1}^2+{s2}^2-2\\times{plain(r)}\\times{s1}\\times{s2}}}{{{n}}}}}"
        f"={number(error, 2)}$，"
        f"$df={n - 1}$；半长$={t:.3f}\\times{number(error, 2)}={number(key, 1)}$毫秒。"
    )
    return Problem("find", stem, numeric_choice(key, mistakes, rank, decimals=1, unit="毫秒"), steps)


@patient
def correlation_behind(rng: random.Random, rank: int) -> Problem:
    """The correlation behind a reported paired interval: (S1² + S2² - n SE²) / (2 S1 S2)."""
    contrast = rng.choice(REPEATED_MOOD)
    n = rng.choice([9, 10, 12, 15, 16, 20, 25])
    s1, s2 = rng.sample([5, 6, 8, 9, 10, 12], 2)
    r = rng.randint(30, 80) / 100
    t = t_critical(n - 1, 0.05, 2)
    half = hand(t * paired_error(s1, s2, r, n), 2)
    gap = rng.randint(30, 80) / 10

    def solve(spread: float, count: float) -> float:
        return (s1**2 + s2**2 - count * spread**2) / (2 * s1 * s2)

    error = half / t
    key = settled(solve(error, n), 2, solve(hand(error, 3), n))
    mistakes = [
        Mistake(solve(error, n - 1), "误用n-1代替n"),
        Mistake(solve(half / t_critical(n - 1, 0.05, 1), n), "误用单侧的t值"),
        Mistake(solve(half / z_critical(0.05, 2), n), "误用Z值代替t值"),
        Mistake(2 * key, "解方程时漏除以2"),
        Mistake(key**2, "又平方了一次"),
        Mistake(math.sqrt(max(key, 0)), "又开了平方"),
        Mistake(1 - key, "求成1与相关系数之差"),
        Mistake(solve(error, 2 * n), "误用2n代替n"),
        Mistake(solve(error, n / 2), "误用n/2代替n"),
    ]
    mistakes = [m for m in mistakes if 0.02 < m.value < 0.995]
    stem = (
        f"{n}名学生{contrast.one}与{contrast.other}的{contrast.what}的$S_{{n-1}}$分别为{s1}和{s2}。总体正态，"
        "按相关样本求得"
        f"总体平均数之差的95%置信区间为[{number(gap - half, 2)}，{number(gap + half, 2)}]。"
        f"已知{t_note(n - 1, 0.05, 2)}，"
        f"{t_note(n - 1, 0.05, 1)}，则两次得分的相关系数（保留两位小数）为（　　）。"
    )
    steps = (
        f"半长为{number(half, 2)}，$SE={number(half, 2)}/{t:.3f}={number(error, 3)}$；"
        "由$nSE^2=S_1^2+S_2^2-2rS_1S_2$，"
        f"$r=\\dfrac{{{s1**2}+{s2**2}-{n}\\times{number(error, 3)}^2}}{{2\\times{s1}\\times{s2}}}"
        f"={number(key, 2)}$。"
    )
    return Problem("missing", stem, numeric_choice(key, mistakes, rank), steps, "analyse")


@patient
def gain_of_matching(rng: random.Random, rank: int) -> Problem:
    """How long the paired interval is in percent of the independent one, t values included."""
    contrast = rng.choice(MATCHED)
    n = rng.choice([8, 10, 11, 13, 15, 16])
    s = rng.randint(5, 12)
    r = rng.choice([0.3, 0.4, 0.5, 0.6, 0.7, 0.8])
    tp, ti = t_critical(n - 1, 0.05, 2), t_critical(2 * n - 2, 0.05, 2)
    key = settled(100 * tp * math.sqrt(1 - r) / ti, 1)
    mistakes = [
        Mistake(100 * math.sqrt(1 - r), "未考虑两种设计的自由度不同"),
        Mistake(100 * (1 - r) * tp / ti, "$1-r$漏开平方"),
        Mistake(100 * ti * math.sqrt(1 - r) / tp, "把两个t值的位置颠倒"),
        Mistake(100 * tp * math.sqrt(1 - r * r) / ti, "把$r$误作$r^2$"),
        Mistake(100 * tp * math.sqrt(1 - r / 2) / ti, "协方差项漏乘2"),
        Mistake(100 * r, "误以为等于相关系数"),
        Mistake(100 * tp / ti, "只考虑t值，未考虑标准误"),
        Mistake(100 - key, "求成缩短的百分比"),
    ]
    stem = (
        f"比较{contrast.one}与{contrast.other}的{contrast.what}，共{2 * n}名学生。甲方案随机分成两组，"
        f"每组{n}人；"
        f"乙方案配成{n}对，每对两人分别接受两种处理。假定两种方案、两种处理下的$S_{{n-1}}$都是{s}，"
        f"乙方案中配对得分的相关系数为{plain(r)}。"
        f"已知{t_note(2 * n - 2, 0.05, 2)}，{t_note(n - 1, 0.05, 2)}，"
        "则乙方案平均数之差的95%置信区间的长度是甲方案（合并方差）的百分之几（保留一位小数）？"
    )
    steps = (
        "甲：$SE=S\\sqrt{2/n}$，乙：$SE=S\\sqrt{2(1-r)/n}$；长度之比"
        f"$=\\dfrac{{{tp:.3f}\\times\\sqrt{{1-{plain(r)}}}}}{{{ti:.3f}}}$，即{number(key, 1)}%。"
    )
    return Problem("compare", stem, numeric_choice(key, mistakes, rank, decimals=1, unit="%"), steps, "analyse")


@patient
def paired_contains_zero(rng: random.Random, rank: int) -> Problem:
    """The paired interval from two S_{n-1} and r, and whether nought lies in it."""
    contrast = rng.choice(REPEATED_RECALL)
    n = rng.choice([9, 10, 12, 15, 16, 20])
    s1, s2 = rng.sample([4, 5, 6, 7, 8, 9, 10], 2)
    r = rng.choice([0.3, 0.4, 0.5, 0.6, 0.7])
    error = paired_error(s1, s2, r, n)
    t = t_critical(n - 1, 0.05, 2)
    mean, gap = rng.randint(20, 40), rng.randint(15, 70) / 10
    for limit in (gap - t * error, gap + t * error):
        settled(limit, 2, gap + math.copysign(t * hand(error, 3), limit - gap))
    errors = [
        Mistake(paired_error(s1, s2, 0, n), "忽略相关，按独立样本求标准误"),
        Mistake(paired_error(s1, s2, r / 2, n), "协方差项漏乘2"),
        Mistake(paired_error(s1, s2, r, 2 * n), "误把n对当作2n个数据"),
    ]
    lines = [
        Mistake(t_critical(n - 1, 0.05, 1), "误用单侧的t值"),
        Mistake(t_critical(2 * n - 2, 0.05, 2), "误用独立样本的自由度"),
    ]
    choice = crossed_decision(rng, interval_verdict(gap, 0), (error, errors), (t, lines), rank)
    stem = (
        f"{n}名被试分别在{contrast.one}和{contrast.other}下接受测验，"
        f"{contrast.what}的平均数为{plain(mean + gap)}和{mean}，"
        f"$S_{{n-1}}$为{s1}和{s2}，两次得分的相关系数为{plain(r)}，总体正态。已知{t_note(n - 1, 0.05, 2)}，"
        f"{t_note(n - 1, 0.05, 1)}，{t_note(2 * n - 2, 0.05, 2)}。求两总体平均数之差的95%置信区间"
        "（保留两位小数），"
        "并据此在$\\alpha=0.05$水平上作双侧判断，正确的是（　　）。"
    )
    steps = (
        f"$SE=\\sqrt{{({s1}^2+{s2}^2-2\\times{plain(r)}\\times{s1}\\times{s2})/{n}}}={number(error, 3)}$，"
        f"$df={n - 1}$；"
        f"${plain(gap)}\\pm{t:.3f}\\times{number(error, 3)}$，即{choice.options[rank]}。"
    )
    return Problem("decide", stem, choice, steps, "analyse")


FAMILIES: dict[str, list[Family]] = {
    "ci-mean-difference-paired": [
        paired_limit,
        half_width_from_r,
        correlation_behind,
        gain_of_matching,
        paired_contains_zero,
    ],
}
