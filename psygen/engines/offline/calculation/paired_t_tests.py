"""Problems on the t test for paired samples.

Convention: n-1 degrees of freedom, n the number of pairs; with r, the squared standard error is
$(S_1^2+S_2^2-2rS_1S_2)$ over n-1 for descriptive $S$ and over n for $S_{n-1}$.
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
    neat_deviations,
    t_note,
    t_verdict,
)
from psygen.engines.offline.problem import Family, Mistake, Problem, Redraw, number, numeric_choice
from psygen.engines.offline.tables import t_critical


@patient
def paired_t(rng: random.Random, rank: int) -> Problem:
    """t of paired samples from raw scores: mean difference over sqrt(SS_D / (n (n - 1)))."""
    contrast = rng.choice(REPEATED_SKILL)
    n, gap = rng.choice([6, 7, 8]), rng.randint(2, 4)
    before = [rng.randint(8, 20) for _ in range(n)]
    deviations = neat_deviations(rng, n, 4)
    after = [b + gap + d for b, d in zip(before, deviations, strict=True)]
    ss = sum(d * d for d in deviations)
    error = math.sqrt(ss / (n * (n - 1)))
    key = settled(gap / error, 2, gap / hand(error, 3))
    within = sum((x - sum(v) / n) ** 2 for v in (before, after) for x in v)
    squares = sum(d * d for d in (gap + k for k in deviations))
    mistakes = [
        Mistake(gap / math.sqrt(within / (n * (n - 1))), "误按独立样本计算"),
        Mistake(gap * n / math.sqrt(ss), "$S_D$以n为分母后仍除以$\\sqrt n$"),
        Mistake(gap / math.sqrt(ss / (n - 1)), "用差数的标准差代替标准误"),
        Mistake(gap / math.sqrt(squares / (n * (n - 1))), "$\\sum D^2$未减$(\\sum D)^2/n$"),
        Mistake(gap * (n - 1) / math.sqrt(ss), "自由度减了两次"),
        Mistake(gap / error**2, "标准误漏开平方"),
        Mistake(gap / math.sqrt(ss / (2 * n * (n - 1))), "误把n对当作2n个数据"),
    ]
    stem = (
        f"{n}名被试{contrast.other}的{contrast.what}依次为{listed(before)}，"
        f"{contrast.one}依次为{listed(after)}，"
        "差数总体正态。"
        f"以{contrast.one}减{contrast.other}，检验平均数差异的统计量t（保留两位小数）为（　　）。"
    )
    total = sum(gap + k for k in deviations)
    steps = (
        f"$\\sum D={total}$，$\\sum D^2={squares}$，$\\bar D={gap}$，$\\sum D^2-(\\sum D)^2/n={ss}$；"
        f"$t=\\dfrac{{{gap}}}{{\\sqrt{{{ss}/({n}\\times{n - 1})}}}}=\\dfrac{{{gap}}}{{{number(error, 3)}}}"
        f"={number(key, 2)}$。"
    )
    return Problem("find", stem, numeric_choice(key, mistakes, rank), steps)


def pair_error(s1: float, s2: float, r: float, n: float) -> float:
    """Standard error of the mean difference of pairs; n - 1 instead of n for descriptive SDs."""
    return math.sqrt((s1**2 + s2**2 - 2 * r * s1 * s2) / n)


@patient
def t_from_correlation(rng: random.Random, rank: int) -> Problem:
    """t of paired samples from descriptive SDs and r: D / sqrt((S1² + S2² - 2 r S1 S2) / (n - 1))."""
    contrast = rng.choice(REPEATED_MOOD)
    n = rng.choice([10, 12, 15, 17, 20, 26])
    s1, s2 = rng.sample([4, 5, 6, 7, 8, 9, 10], 2)
    r = rng.choice([0.3, 0.4, 0.5, 0.6, 0.7, 0.8])
    mean, gap = rng.randint(30, 60), rng.randint(20, 70) / 10
    error = pair_error(s1, s2, r, n - 1)
    key = settled(gap / error, 2, gap / hand(error, 3), gap / hand(error))
    if not 0.8 < key < 6:
        raise Redraw
    mistakes = [
        Mistake(gap / pair_error(s1, s2, 0, n - 1), "忽略相关，按独立样本求标准误"),
        Mistake(gap / pair_error(s1, s2, r, n), "对以n为分母的$S$仍除以n"),
        Mistake(gap / pair_error(s1, s2, r / 2, n - 1), "协方差项漏乘2"),
        Mistake(gap / pair_error(s1, s2, -r, n - 1), "协方差项误用加号"),
        Mistake(gap / pair_error(s1, s2, r, 1), "用差数的标准差代替标准误"),
        Mistake(gap / pair_error(s1, s2, r, n - 1) * math.sqrt(2), "误把n对当作2n个数据"),
        Mistake(gap / error**2, "标准误漏开平方"),
        Mistake(gap / pair_error(s1, s2, math.sqrt(r), n - 1), "把$r$误作$\\sqrt r$"),
    ]
    stem = (
        f"{n}名学生{contrast.other}与{contrast.one}都接受测量，"
        f"{contrast.what}的平均数由{mean}升至{plain(mean + gap)}，"
        f"以n为分母的标准差$S$分别为{s2}和{s1}，两次得分的相关系数$r={plain(r)}$，总体正态。"
        "用相关样本t检验，检验统计量t（取正值，保留两位小数）为（　　）。"
    )
    steps = (
        "$SE=\\sqrt{\\dfrac{S_1^2+S_2^2-2rS_1S_2}{n-1}}"
        f"=\\sqrt{{\\dfrac{{{s1**2}+{s2**2}-2\\times{plain(r)}\\times{s1}\\times{s2}}}{{{n - 1}}}}}"
        f"={number(error, 3)}$；"
        f"$t={plain(gap)}/{number(error, 3)}={number(key, 2)}$。"
    )
    return Problem("find", stem, numeric_choice(key, mistakes, rank), steps)


@patient
def squares_behind_t(rng: random.Random, rank: int) -> Problem:
    """The sum of squared differences behind a reported t: SS_D + n D²."""
    contrast = rng.choice(REPEATED_SPEED)
    n = rng.choice([5, 6, 8, 9, 10, 12, 16])
    gap, error = rng.randint(6, 20), rng.randint(3, 8)
    t = gap / error
    if abs(t * 100 - round(t * 100)) > 1e-9 or t < 1.2:
        raise Redraw
    ss = error**2 * n * (n - 1)
    key = ss + n * gap**2
    mistakes = [
        Mistake(ss, "求成$\\sum(D-\\bar D)^2$，漏加$n\\bar D^2$"),
        Mistake(error**2 * n * n + n * gap**2, "离差平方和误用$n^2SE^2$"),
        Mistake(error**2 * n + n * gap**2, "把$nSE^2$当作离差平方和"),
        Mistake(ss + gap**2, "$\\bar D^2$漏乘n"),
        Mistake(error**2 * (n - 1) + n * gap**2, "把$(n-1)SE^2$当作离差平方和"),
        Mistake(ss + (n * gap) ** 2, "误把$n\\bar D^2$算成$(\\sum D)^2$"),
        Mistake(2 * ss + n * gap**2, "误按两组数据加倍"),
        Mistake(abs(ss - n * gap**2), "误减$n\\bar D^2$"),
    ]
    stem = (
        f"{n}名被试先后在{contrast.one}与{contrast.other}下完成任务，用相关样本t检验比较{contrast.what}，"
        f"报告差数（{contrast.one}减{contrast.other}）的平均数$\\bar D={gap}$毫秒，$t({n - 1})={plain(t)}$。"
        "则差数的平方和$\\sum D^2$为（　　）。"
    )
    steps = (
        f"$SE_{{\\bar D}}={gap}/{plain(t)}={error}$，"
        f"$\\sum(D-\\bar D)^2=n(n-1)SE_{{\\bar D}}^2={n}\\times{n - 1}\\times{error}^2={ss}$；"
        f"$\\sum D^2={ss}+{n}\\times{gap}^2={key}$。"
    )
    return Problem("missing", stem, numeric_choice(key, mistakes, rank, decimals=0), steps, "analyse")


@patient
def paired_decision(rng: random.Random, rank: int) -> Problem:
    """The decision of a paired t test from S_{n-1} and r."""
    contrast = rng.choice(REPEATED_RECALL)
    n, tails = rng.choice([8, 9, 10, 12, 13, 15, 16]), rng.choice([1, 2])
    s1, s2 = rng.sample([4, 5, 6, 7, 8, 9, 10], 2)
    r = rng.choice([0.4, 0.5, 0.6, 0.7, 0.8])
    mean, gap = rng.randint(20, 40), rng.randint(12, 60) / 10
    error = pair_error(s1, s2, r, n)
    key = settled(gap / error, 2, gap / hand(error, 3), gap / hand(error))
    if key > 5:
        raise Redraw
    line = t_critical(n - 1, 0.05, tails)
    stats = [
        Mistake(gap / pair_error(s1, s2, 0, n), "忽略相关，按独立样本求标准误"),
        Mistake(gap / pair_error(s1, s2, r / 2, n), "协方差项漏乘2"),
        Mistake(gap / pair_error(s1, s2, r, 2 * n), "误把n对当作2n个数据"),
    ]
    lines = [
        Mistake(t_critical(2 * n - 2, 0.05, tails), "误用独立样本的自由度"),
        Mistake(t_critical(n - 1, 0.05, 3 - tails), f"误用{'双' if tails == 1 else '单'}侧的临界值"),
    ]
    choice = crossed_decision(rng, t_verdict, (key, stats), (line, lines), rank)
    aim = f"{contrast.one}是否优于{contrast.other}" if tails == 1 else f"{contrast.one}与{contrast.other}有无差异"
    notes = f"{t_note(n - 1, 0.05, 1)}，{t_note(n - 1, 0.05, 2)}，{t_note(2 * n - 2, 0.05, tails)}"
    stem = (
        f"{n}名被试分别接受{contrast.one}和{contrast.other}的测验，"
        f"{contrast.what}的平均数为{plain(mean + gap)}和{mean}，$S_{{n-1}}$为{s1}和{s2}，"
        f"两次得分的相关系数为{plain(r)}，总体正态。检验{aim}（{'单' if tails == 1 else '双'}侧，"
        "$\\alpha=0.05$）。"
        f"已知{notes}。检验统计量、临界值和结论都正确的是（　　）。"
    )
    steps = (
        f"$SE=\\sqrt{{({s1}^2+{s2}^2-2\\times{plain(r)}\\times{s1}\\times{s2})/{n}}}={number(error, 3)}$，"
        f"$t={plain(gap)}/{number(error, 3)}={number(key, 2)}$，$df={n - 1}$，临界值为{line:.3f}，"
        f"即{choice.options[rank]}。"
    )
    return Problem("decide", stem, choice, steps, "analyse")


@patient
def t_if_matched(rng: random.Random, rank: int) -> Problem:
    """The paired t from the t the same data give as independent samples: t / sqrt(1 - r) for equal SDs."""
    contrast = rng.choice(MATCHED)
    n = rng.choice([10, 12, 15, 16, 20, 25])
    r = rng.choice([0.3, 0.36, 0.4, 0.5, 0.51, 0.6, 0.64, 0.7, 0.75, 0.8])
    s = rng.randint(5, 12)
    t = rng.randint(80, 190) / 100
    key = settled(t / math.sqrt(1 - r), 2)
    mistakes = [
        Mistake(t / (1 - r), "$1-r$漏开平方"),
        Mistake(t / math.sqrt(1 - r * r), "把$r$误作$r^2$"),
        Mistake(t * math.sqrt(1 - r), "乘除颠倒"),
        Mistake(t, "误以为t值与相关无关"),
        Mistake(t * math.sqrt(1 + r), "误乘$\\sqrt{1+r}$"),
        Mistake(t / math.sqrt(1 - r / 2), "协方差项漏乘2"),
        Mistake(t / r, "误除以相关系数"),
        Mistake(t * math.sqrt(2 / (1 - r)), "相关样本的标准误漏乘2"),
        Mistake(t / math.sqrt(2 * (1 - r)), "多除以$\\sqrt2$"),
    ]
    stem = (
        f"{n}对学生按智力配对后分别接受{contrast.one}与{contrast.other}的处理，"
        f"两种处理下{contrast.what}的$S_{{n-1}}$恰好都是{s}，"
        f"配对得分的相关系数为{plain(r)}。一名学生误用独立样本t检验（合并方差），得$t={t:.2f}$。"
        "若改用正确的相关样本t检验，t值（保留两位小数）应为（　　）。"
    )
    steps = (
        "两个标准差相等时，独立样本的$SE=\\sqrt{2S^2/n}$，相关样本的$SE=\\sqrt{2S^2(1-r)/n}$；"
        f"$t={t:.2f}/\\sqrt{{1-{plain(r)}}}={number(key, 2)}$。"
    )
    return Problem("compare", stem, numeric_choice(key, mistakes, rank), steps, "analyse")


FAMILIES: dict[str, list[Family]] = {
    "paired-samples-t-test": [paired_t, t_from_correlation, squares_behind_t, paired_decision, t_if_matched],
}
