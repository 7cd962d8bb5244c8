"""Problems on the one-sample Z test.

Convention: Z with a known $\\sigma$, or $\\sqrt{p_0q_0/n}$ for a proportion. Tails, $\\alpha$ and table values stand in
the stem.
"""

import math
import random

from psygen.engines.offline.figures import neat_error, plain
from psygen.engines.offline.guards import patient, settled
from psygen.engines.offline.inference import (
    ABILITY,
    EMOTION,
    SCHOOL,
    SPEED,
    check_spread,
    count_choice,
    crossed_decision,
    even_out,
    spaced_choice,
    z_note,
    z_text,
    z_verdict,
)
from psygen.engines.offline.problem import Family, Mistake, Problem, Redraw, number, numeric_choice
from psygen.engines.offline.tables import z_critical


@patient
def z_statistic(rng: random.Random, rank: int) -> Problem:
    """Z of a sample mean with known σ: (mean - μ0) sqrt(n) / σ."""
    measure = rng.choice(ABILITY)
    root, sigma, error = neat_error(rng, (5, 6, 7, 8, 9, 10), 8, 24)
    check_spread(measure, sigma)
    n = root**2
    gap = rng.choice([-1, 1]) * rng.randint(10, 70) / 10
    key = settled(gap / error, 2)
    if not 0.8 < abs(key) < 4:
        raise Redraw
    mistakes = [
        Mistake(gap / sigma, "用总体标准差代替标准误"),
        Mistake(gap * math.sqrt(n - 1) / sigma, "误用$\\sqrt{n-1}$求标准误"),
        Mistake(gap * n / sigma, "标准误的分母漏开平方"),
        Mistake(-gap / error, "分子的相减方向弄反"),
        Mistake(gap * root / sigma**2, "误用方差代替标准差"),
        Mistake(gap / error * math.sqrt(2), "标准误误用$\\sigma/\\sqrt{2n}$"),
        Mistake(-gap / sigma, "用总体标准差代替标准误，且方向弄反"),
        Mistake(gap / math.sqrt(error), "标准误多开了一次平方"),
    ]
    stem = (
        f"{measure.what}的全国常模平均数为{measure.mean}，标准差为{sigma}，得分服从正态分布。"
        f"随机抽取{n}名{measure.people}，"
        f"平均数为{plain(measure.mean + gap)}。检验该总体的平均水平与常模有无差异，"
        "以样本平均数减常模平均数为分子，检验统计量Z（保留两位小数）为（　　）。"
    )
    steps = (
        "$Z=\\dfrac{\\bar X-\\mu_0}{\\sigma/\\sqrt n}"
        f"=\\dfrac{{{plain(measure.mean + gap)}-{measure.mean}}}"
        f"{{{sigma}/\\sqrt{{{n}}}}}=\\dfrac{{{plain(gap)}}}{{{plain(error)}}}={number(key, 2)}$。"
    )
    return Problem("find", stem, numeric_choice(key, mistakes, rank), steps)


@patient
def critical_mean(rng: random.Random, rank: int) -> Problem:
    """The sample mean from which on a Z test becomes significant: μ0 ± Z σ / sqrt(n)."""
    measure = rng.choice(EMOTION)
    root, sigma, error = neat_error(rng, (5, 6, 7, 8, 9, 10), 6, 16)
    check_spread(measure, sigma)
    n, mu = root**2, measure.mean
    alpha = rng.choice([0.05, 0.01])
    upper = rng.random() < 0.5
    tails = rng.choice([1, 2])
    sign = 1 if upper else -1
    z, other = z_critical(alpha, tails), z_critical(alpha, 3 - tails)
    key = settled(mu + sign * z * error, 2)
    mistakes = [
        Mistake(mu + sign * other * error, f"误用{'双' if tails == 1 else '单'}侧的临界值"),
        Mistake(mu + sign * z * sigma / n, "标准误的分母漏开平方"),
        Mistake(mu + sign * z * sigma, "用总体标准差代替标准误"),
        Mistake(mu - sign * z * error, "方向弄反"),
        Mistake(mu - sign * other * error, "临界值与方向都用错"),
        Mistake(mu + sign * error, "漏乘临界值"),
        Mistake(mu - sign * z * sigma, "用总体标准差代替标准误且方向弄反"),
    ]
    claim = ("高于" if upper else "低于") if tails == 1 else "不同于"
    stem = (
        f"{measure.what}的常模平均数为{mu}{measure.unit}，标准差为{sigma}{measure.unit}，服从正态分布。"
        f"研究者拟抽取{n}名{measure.people}，"
        f"检验其平均水平是否{claim}常模（{'单' if tails == 1 else '双'}侧，$\\alpha={alpha}$）。"
        f"已知{z_note(alpha, 1)}，{z_note(alpha, 2)}。若样本平均数{'高' if upper else '低'}于常模，"
        f"则它{'至少' if upper else '至多'}为多少（保留两位小数）才能达到显著？"
    )
    steps = (
        f"$\\sigma_{{\\bar X}}={sigma}/\\sqrt{{{n}}}={plain(error)}$；临界点"
        f"$={mu}{'+' if upper else '-'}{z_text(z)}\\times{plain(error)}={number(key, 2)}${measure.unit}。"
    )
    choice = spaced_choice(key, mistakes, rank, gap=0.15 * error, unit=measure.unit)
    return Problem("missing", stem, choice, steps)


@patient
def z_decision(rng: random.Random, rank: int) -> Problem:
    """The decision of a one-sample Z test, one- or two-tailed."""
    measure = rng.choice(SCHOOL)
    root, sigma, error = neat_error(rng, (5, 6, 7, 8, 9, 10), 8, 20)
    check_spread(measure, sigma)
    n = root**2
    tails = rng.choice([1, 2])
    alpha = rng.choice([0.05, 0.01])
    gap = rng.randint(10, 80) / 10
    key = settled(gap / error, 2)
    stats = [
        Mistake(gap / sigma, "用总体标准差代替标准误"),
        Mistake(gap * math.sqrt(2) / error, "标准误误用$\\sigma/\\sqrt{2n}$"),
        Mistake(gap * math.sqrt(n) / sigma / 2, "标准误误乘2"),
    ]
    lines = [
        Mistake(z_critical(alpha, 3 - tails), f"误用{'双' if tails == 1 else '单'}侧的临界值"),
        Mistake(z_critical(0.06 - alpha, tails), f"误用$\\alpha={plain(0.06 - alpha)}$的临界值"),
    ]
    line = z_critical(alpha, tails)
    choice = crossed_decision(rng, z_verdict, (key, stats), (line, lines), rank)
    even_out(rng, choice, "拒绝", 0.12)
    aim = "是否高于全国水平" if tails == 1 else "与全国水平有无差异"
    stem = (
        f"{measure.what}的全国平均分为{measure.mean}分，标准差为{sigma}分，服从正态分布。"
        f"从{measure.who}中随机抽取{n}人，"
        f"平均分为{plain(measure.mean + gap)}分。检验该总体的平均水平{aim}"
        f"（{'单' if tails == 1 else '双'}侧，"
        f"$\\alpha={alpha}$）。"
        f"已知{z_note(0.05, 1)}，{z_note(0.05, 2)}，{z_note(0.01, 1)}，{z_note(0.01, 2)}。检验统计量、"
        "临界值和结论都正确的是（　　）。"
    )
    steps = (
        f"$Z=\\dfrac{{{plain(gap)}}}{{{sigma}/\\sqrt{{{n}}}}}=\\dfrac{{{plain(gap)}}}{{{plain(error)}}}"
        f"={number(key, 2)}$，"
        f"{'单' if tails == 1 else '双'}侧临界值为{z_text(line)}，即{choice.options[rank]}。"
    )
    return Problem("decide", stem, choice, steps, "analyse")


@patient
def people_for_significance(rng: random.Random, rank: int) -> Problem:
    """The smallest n that makes the same difference significant: (Z σ / difference)² rounded up."""
    measure = rng.choice(SPEED)
    sigma = rng.choice([36, 40, 45, 48, 50, 54, 60, 72])
    check_spread(measure, sigma)
    gap = rng.randint(8, 25)
    small = rng.choice([9, 16, 25])
    alpha = rng.choice([0.05, 0.01])
    z, one = z_critical(alpha, 2), z_critical(alpha, 1)
    exact = (z * sigma / gap) ** 2
    if not 0.1 < exact % 1 < 0.9 or exact < 1.3 * small or exact > 400:
        raise Redraw
    key = math.ceil(exact)
    mistakes = [
        Mistake(math.ceil((one * sigma / gap) ** 2), "误用单侧的临界值"),
        Mistake(key - small, "求成还要增加的人数"),
        Mistake(math.ceil(z * sigma / gap), "漏了平方"),
        Mistake(math.ceil(2 * exact), "误用两个样本比较的公式，多乘了2"),
        Mistake(key + small, "又加上了原来的人数"),
        Mistake(math.ceil(4 * exact), "把差异又除以2"),
        Mistake(math.ceil((sigma / gap) ** 2), "漏乘临界值"),
        Mistake(math.ceil(z * exact), "临界值多乘了一次"),
    ]
    current = gap / (sigma / math.sqrt(small))
    stem = (
        f"{measure.what}的常模为$\\mu_0={measure.mean}$毫秒，$\\sigma={sigma}$毫秒，服从正态分布。"
        f"甲研究抽取{small}名{measure.people}，"
        f"平均数与常模相差{gap}毫秒，$Z={number(current, 2)}$，未达显著。若样本平均数与常模之差保持不变，"
        f"乙研究要在$\\alpha={alpha}$水平上（双侧，{z_note(alpha, 2)}，{z_note(alpha, 1)}）达到显著，"
        "样本容量至少应为（　　）。"
    )
    steps = (
        f"要求$\\dfrac{{{gap}}}{{{sigma}/\\sqrt n}}>{z:.2f}$，"
        f"即$n>\\left(\\dfrac{{{z:.2f}\\times{sigma}}}{{{gap}}}\\right)^2"
        f"={number(exact, 2)}$，至少{key}人。"
    )
    return Problem("compare", stem, count_choice(key, mistakes, rank, "人"), steps, "analyse")


@patient
def z_of_proportion(rng: random.Random, rank: int) -> Problem:
    """Z of a sample proportion against a claimed one: (p - p0) / sqrt(p0 q0 / n)."""
    n, p0 = rng.choice([(100, 0.2), (100, 0.5), (400, 0.2), (400, 0.5), (100, 0.8), (225, 0.2), (225, 0.36)])
    x = round(n * p0) + rng.choice([-1, 1]) * rng.randint(4, 25)
    p, error = x / n, math.sqrt(p0 * (1 - p0) / n)
    if not 0.04 < p < 0.96 or abs(p * 100 - round(p * 100)) > 1e-9:
        raise Redraw
    key = settled((p - p0) / error, 2)
    own = math.sqrt(p * (1 - p) / n)
    mistakes = [
        Mistake((p - p0) / own, "标准误误用样本比率计算"),
        Mistake((p - p0) / math.sqrt(p0 / n), "标准误漏乘$q_0$"),
        Mistake((p - p0) * math.sqrt(n) / (p0 * (1 - p0)), "$p_0q_0$漏开平方"),
        Mistake((p0 - p) / error, "分子的相减方向弄反"),
        Mistake((p - p0) / error / 2, "标准误误乘2"),
        Mistake((p - p0) / math.sqrt(p0 * (1 - p0)), "标准误漏除以$\\sqrt n$"),
        Mistake((p - p0) / math.sqrt((1 - p0) / n), "标准误漏乘$p_0$"),
    ]
    topic = rng.choice(["睡眠不足", "有熬夜习惯", "参加过心理社团"])
    stem = (
        f"以往调查表明，大学生中{topic}者占{plain(p0)}。今随机抽查某校{n}名学生，其中{x}人{topic}。"
        "检验该校的比率是否与以往不同，"
        "按虚无假设成立时的总体比率求标准误，以样本比率减以往比率为分子（不作连续性校正），"
        "检验统计量Z（保留两位小数）为（　　）。"
    )
    steps = (
        f"$p={x}/{n}={plain(p)}$，$Z=\\dfrac{{p-p_0}}{{\\sqrt{{p_0q_0/n}}}}=\\dfrac{{{plain(p)}-{plain(p0)}}}"
        f"{{\\sqrt{{{plain(p0)}\\times{plain(1 - p0)}/{n}}}}}={number(key, 2)}$。"
    )
    return Problem("find", stem, numeric_choice(key, mistakes, rank), steps)


FAMILIES: dict[str, list[Family]] = {
    "one-sample-z-test": [z_statistic, critical_mean, z_decision, people_for_significance, z_of_proportion],
}
