"""Problems on the one-sample t test.

Convention: n-1 degrees of freedom and the standard error $S/\\sqrt{n-1}=S_{n-1}/\\sqrt n$. Tails, $\\alpha$ and table
values stand in the stem.
"""

import math
import random

from psygen.engines.offline.figures import listed, neat_error, plain
from psygen.engines.offline.guards import patient, settled
from psygen.engines.offline.inference import (
    EMOTION,
    SCHOOL,
    SOCIAL,
    SPEED,
    check_spread,
    crossed_decision,
    even_out,
    neat_deviations,
    t_note,
    t_verdict,
    z_note,
)
from psygen.engines.offline.problem import Family, Mistake, Problem, Redraw, number, numeric_choice
from psygen.engines.offline.tables import t_critical, z_critical


@patient
def t_from_descriptive_sd(rng: random.Random, rank: int) -> Problem:
    """t of one sample from the descriptive SD: (mean - μ0) sqrt(n - 1) / S."""
    measure = rng.choice(EMOTION)
    root, s, error = neat_error(rng, (3, 4, 5), 6, 17)
    check_spread(measure, s)
    n = root**2 + 1
    gap = rng.choice([-1, 1]) * rng.randint(20, 90) / 10
    key = settled(gap / error, 2)
    if not 0.8 < abs(key) < 5:
        raise Redraw
    mistakes = [
        Mistake(gap * math.sqrt(n) / s, "对以n为分母的$S$仍除以$\\sqrt n$"),
        Mistake(gap / s, "用样本标准差代替标准误"),
        Mistake(gap * (n - 1) / s, "标准误的分母漏开平方"),
        Mistake(-gap / error, "分子的相减方向弄反"),
        Mistake(gap * math.sqrt(n - 2) / s, "自由度多减了1"),
        Mistake(gap * root / s**2, "误用方差代替标准差"),
        Mistake(-gap * math.sqrt(n) / s, "除以$\\sqrt n$且方向弄反"),
        Mistake(-gap / s, "用样本标准差代替标准误，且方向弄反"),
    ]
    stem = (
        f"{measure.what}的常模平均数为{measure.mean}{measure.unit}。从{measure.who}中随机抽取{n}人，平均数为"
        f"{plain(measure.mean + gap)}{measure.unit}，以n为分母的样本标准差$S={s}${measure.unit}，总体正态、"
        "方差未知。"
        "以样本平均数减常模平均数为分子，检验差异的统计量t（保留两位小数）为（　　）。"
    )
    steps = (
        f"$t=\\dfrac{{\\bar X-\\mu_0}}{{S/\\sqrt{{n-1}}}}=\\dfrac{{{plain(gap)}}}{{{s}/\\sqrt{{{n - 1}}}}}"
        f"=\\dfrac{{{plain(gap)}}}{{{plain(error)}}}={number(key, 2)}$。"
    )
    return Problem("find", stem, numeric_choice(key, mistakes, rank), steps)


@patient
def t_from_scores(rng: random.Random, rank: int) -> Problem:
    """t of one sample from raw scores: (mean - μ0) / sqrt(SS / (n (n - 1)))."""
    n, mean = rng.choice([6, 7, 8, 9, 10]), rng.randint(12, 26)
    scores = [mean + d for d in neat_deviations(rng, n, 6)]
    ss = sum((x - mean) ** 2 for x in scores)
    gap = rng.choice([1, 2, 3, 4])
    error = math.sqrt(ss / (n * (n - 1)))
    key = settled(gap / error, 2, gap / round(error, 3))
    mistakes = [
        Mistake(gap * n / math.sqrt(ss), "标准差以n为分母后仍除以$\\sqrt n$"),
        Mistake(gap / math.sqrt(ss / (n - 1)), "用样本标准差代替标准误"),
        Mistake(gap * (n - 1) / math.sqrt(ss), "自由度减了两次"),
        Mistake(gap / error**2, "标准误漏开平方"),
        Mistake(gap * n / math.sqrt(ss / (n - 1)), "标准误的分母漏开平方"),
        Mistake(gap / math.sqrt(ss / n), "只用以n为分母的标准差作标准误"),
        Mistake(gap * math.sqrt(n) / (ss / (n - 1)), "误用方差代替标准差"),
        Mistake(gap * math.sqrt(2) / error, "标准误多除以$\\sqrt2$"),
    ]
    task = rng.choice(["数字广度", "语义流畅性", "图形复制"])
    stem = (
        f"某{task}测验的标准化样本平均分为{mean - gap}分。随机抽取{n}名受过训练的儿童，得分为："
        f"{listed(scores)}。"
        "总体正态、方差未知。检验受训儿童的平均分是否不同于标准化样本的平均分，检验统计量t（取正值，"
        "保留两位小数）为（　　）。"
    )
    steps = (
        f"$\\bar X={mean}$，$\\sum(X-\\bar X)^2={ss}$，"
        f"$SE=\\sqrt{{\\dfrac{{{ss}}}{{{n}\\times{n - 1}}}}}={number(error, 3)}$；"
        f"$t=({mean}-{mean - gap})/{number(error, 3)}={number(key, 2)}$。"
    )
    return Problem("find", stem, numeric_choice(key, mistakes, rank), steps)


@patient
def sd_behind_t(rng: random.Random, rank: int) -> Problem:
    """The descriptive SD behind a reported t: difference times sqrt(n - 1) over t."""
    measure = rng.choice(SCHOOL)
    root = rng.choice([3, 4, 5, 6])
    n = root**2 + 1
    gap = rng.randint(30, 80) / 10
    t = rng.randint(150, 320) / 100
    key = settled(gap * root / t, 1)
    mistakes = [
        Mistake(gap * math.sqrt(n) / t, "对以n为分母的$S$仍按$S/\\sqrt n$倒推"),
        Mistake(gap / t, "求成标准误"),
        Mistake(gap * (n - 1) / t, "乘以n-1而不是$\\sqrt{n-1}$"),
        Mistake((gap * root / t) ** 2, "求成方差"),
        Mistake(gap * t / root, "把t与$\\sqrt{n-1}$的位置颠倒"),
        Mistake(gap * root, "漏除以t"),
        Mistake(gap * root / t**2, "t值多除了一次"),
        Mistake(math.sqrt(gap * root / t), "又开了平方"),
    ]
    stem = (
        f"从{measure.who}中随机抽取{n}人，{measure.what}的平均数为{plain(measure.mean + gap)}{measure.unit}，"
        "而全国平均数为"
        f"{measure.mean}{measure.unit}。研究者作单样本t检验，报告$t({n - 1})={t:.2f}$。"
        "则样本以n为分母的标准差$S$（保留一位小数）为（　　）。"
    )
    steps = (
        "由$t=\\dfrac{\\bar X-\\mu_0}{S/\\sqrt{n-1}}$得$S"
        f"=\\dfrac{{{plain(gap)}\\times\\sqrt{{{n - 1}}}}}{{{t:.2f}}}"
        f"={number(key, 1)}${measure.unit}。"
    )
    return Problem("missing", stem, numeric_choice(key, mistakes, rank, decimals=1, unit=measure.unit), steps)


@patient
def t_decision(rng: random.Random, rank: int) -> Problem:
    """The decision of a one-sample t test from S_{n-1}, one- or two-tailed."""
    measure = rng.choice(SPEED)
    root, s, error = neat_error(rng, (3, 4, 5), 24, 66)
    check_spread(measure, s)
    n, tails, alpha = root**2, rng.choice([1, 2]), rng.choice([0.05, 0.01])
    gap = rng.randint(8, 60)
    key = settled(gap / error, 2)
    if key > 6:
        raise Redraw
    line = t_critical(n - 1, alpha, tails)
    stats = [
        Mistake(gap / s, "用样本标准差代替标准误"),
        Mistake(gap * math.sqrt(n - 1) / s, "对$S_{n-1}$又除以$\\sqrt{n-1}$"),
        Mistake(gap * math.sqrt(2 * n) / s, "标准误误用$S_{n-1}/\\sqrt{2n}$"),
    ]
    lines = [
        Mistake(t_critical(n - 1, alpha, 3 - tails), f"误用{'双' if tails == 1 else '单'}侧的临界值"),
        Mistake(z_critical(alpha, tails), "总体方差未知的小样本误用Z的临界值"),
    ]
    choice = crossed_decision(rng, t_verdict, (key, stats), (line, lines), rank)
    even_out(rng, choice, "拒绝", 0.25)
    aim = "是否短于常模" if tails == 1 else "与常模有无差异"
    stem = (
        f"{measure.what}的常模平均数为{measure.mean}毫秒。从{measure.who}中随机抽取{n}人，"
        f"平均数为{measure.mean - gap}毫秒，"
        f"$S_{{n-1}}={s}$毫秒，总体正态、方差未知。检验其平均反应时{aim}（{'单' if tails == 1 else '双'}侧，"
        f"$\\alpha={alpha}$）。"
        f"已知{t_note(n - 1, alpha, 1)}，{t_note(n - 1, alpha, 2)}，{z_note(alpha, tails)}。检验统计量、"
        "临界值和结论都正确的是"
        "（　　）。"
    )
    steps = (
        f"$|t|=\\dfrac{{{gap}}}{{{s}/\\sqrt{{{n}}}}}=\\dfrac{{{gap}}}{{{plain(error)}}}={number(key, 2)}$，"
        f"$df={n - 1}$，"
        f"临界值为{line:.3f}，即{choice.options[rank]}。"
    )
    return Problem("decide", stem, choice, steps, "analyse")


@patient
def t_after_growth(rng: random.Random, rank: int) -> Problem:
    """t when n grows and mean and descriptive SD stay: t sqrt((n2 - 1) / (n1 - 1))."""
    measure = rng.choice(SOCIAL)
    n1, n2 = rng.choice([(10, 37), (17, 65), (10, 26), (17, 26), (5, 17), (5, 37), (10, 17), (26, 65)])
    t = rng.randint(80, 190) / 100
    grown = math.sqrt((n2 - 1) / (n1 - 1))
    key = settled(t * grown, 2)
    mistakes = [
        Mistake(t * math.sqrt(n2 / n1), "误按$S/\\sqrt n$折算"),
        Mistake(t * (n2 - 1) / (n1 - 1), "误以为t与n-1成正比"),
        Mistake(t, "误以为平均数和标准差不变则t不变"),
        Mistake(t / grown, "把两个自由度的位置颠倒"),
        Mistake(t * n2 / n1, "误以为t与n成正比"),
        Mistake(t * math.sqrt(grown), "多开了一次平方"),
        Mistake(t * math.sqrt((n2 - n1) / (n1 - 1)), "误用增加的人数折算"),
        Mistake(t * (grown + 1), "又加上了原来的t值"),
    ]
    stem = (
        f"研究者从{measure.who}中随机抽取{n1}人测{measure.what}，与常模比较得$t={t:.2f}$，未达显著。"
        f"随后换用容量为{n2}人的另一随机样本，"
        "样本平均数、以n为分母的样本标准差$S$都与前一样本相同（$t$的分母为$S/\\sqrt{n-1}$）。"
        "新样本的t值（保留两位小数）为（　　）。"
    )
    steps = (
        "$t=\\dfrac{(\\bar X-\\mu_0)\\sqrt{n-1}}{S}$，"
        f"故新的$t={t:.2f}\\times\\sqrt{{\\dfrac{{{n2 - 1}}}{{{n1 - 1}}}}}={number(key, 2)}$。"
    )
    return Problem("compare", stem, numeric_choice(key, mistakes, rank), steps, "analyse")


FAMILIES: dict[str, list[Family]] = {
    "one-sample-t-test": [t_from_descriptive_sd, t_from_scores, sd_behind_t, t_decision, t_after_growth],
}
