"""Problems on confidence intervals for one mean, with the population variance known and unknown.

Conventions: $\\bar X\\pm Z\\sigma/\\sqrt n$ when $\\sigma$ is known; otherwise t with n-1 degrees of freedom and the
standard error $S/\\sqrt{n-1}=S_{n-1}/\\sqrt n$. The stem gives every table value it needs.
"""

import math
import random

from psygen.engines.offline.figures import listed, plain
from psygen.engines.offline.guards import patient, settled
from psygen.engines.offline.inference import (
    ABILITY,
    EMOTION,
    SCHOOL,
    SOCIAL,
    SPEED,
    check_spread,
    count_choice,
    crossed_decision,
    interval_verdict,
    neat_deviations,
    spaced_choice,
    t_note,
    z_note,
    z_text,
)
from psygen.engines.offline.problem import Family, Mistake, Problem, Redraw, number, numeric_choice
from psygen.engines.offline.tables import t_critical, z_critical


def percent(alpha: float) -> str:
    """The confidence level that belongs to `alpha`."""
    return f"{round(100 * (1 - alpha))}%"


def neat_sample(rng: random.Random, roots: tuple[int, ...]) -> tuple[int, int, float]:
    """(n, σ, σ / sqrt(n)) with a standard error of at most one decimal."""
    root, sigma = rng.choice(roots), rng.randint(8, 24)
    if sigma * 10 % root:
        raise Redraw
    return root**2, sigma, sigma / root


@patient
def limit_with_sigma(rng: random.Random, rank: int) -> Problem:
    """One limit of the interval for a mean, σ known: mean ± Z σ / sqrt(n)."""
    measure = rng.choice(ABILITY)
    n, sigma, error = neat_sample(rng, (5, 6, 7, 8, 9, 10))
    check_spread(measure, sigma)
    alpha = rng.choice([0.05, 0.01])
    sign, side = rng.choice([(-1, "下限"), (1, "上限")])
    mean = measure.mean + rng.randint(-6, 6)
    z, one = z_critical(alpha, 2), z_critical(alpha, 1)
    key = settled(mean + sign * z * error, 2)
    mistakes = [
        Mistake(mean + sign * one * error, "误用单侧的Z值"),
        Mistake(mean + sign * z * sigma / n, "标准误除以n而未开平方"),
        Mistake(mean + sign * z * sigma, "用总体标准差代替标准误"),
        Mistake(mean + sign * error, "漏乘Z值"),
        Mistake(mean - sign * z * error, "求成另一端的界限"),
        Mistake(mean - sign * one * error, "误用单侧的Z值且求成另一端"),
        Mistake(mean + sign * 2 * z * error, "把区间的全长加减到平均数上"),
        Mistake(mean + sign * z * math.sqrt(2) * error, "标准误误乘$\\sqrt2$"),
    ]
    stem = (
        f"已知{measure.what}服从正态分布，总体标准差$\\sigma={sigma}$。从{measure.who}中随机抽取{n}人，"
        f"得平均数$\\bar X={mean}$。已知{z_note(alpha, 2)}，{z_note(alpha, 1)}，"
        f"则该总体平均数的{percent(alpha)}置信区间的{side}（保留两位小数）为（　　）。"
    )
    steps = (
        f"$\\sigma_{{\\bar X}}={sigma}/\\sqrt{{{n}}}={plain(error)}$；{side}"
        f"$=\\bar X{'+' if sign > 0 else '-'}Z_{{{alpha}/2}}\\sigma_{{\\bar X}}"
        f"={mean}{'+' if sign > 0 else '-'}{z_text(z)}\\times{plain(error)}={number(key, 2)}$。"
    )
    return Problem("find", stem, spaced_choice(key, mistakes, rank, gap=0.15 * error), steps)


@patient
def people_behind_interval(rng: random.Random, rank: int) -> Problem:
    """The sample size behind a reported interval, σ known: n = (2 Z σ / width)²."""
    measure = rng.choice(EMOTION)
    n, sigma, error = neat_sample(rng, (4, 5, 6, 8, 9, 10, 12))
    check_spread(measure, sigma)
    alpha = rng.choice([0.05, 0.01])
    z = z_critical(alpha, 2)
    mean = measure.mean + rng.randint(-4, 4)
    half = settled(z * error, 2)
    if abs(half * 100 - round(half * 100)) > 1e-9:
        raise Redraw
    one = z_critical(alpha, 1)
    mistakes = [
        Mistake(n / 4, "把区间全长当作$Z\\sigma/\\sqrt n$"),
        Mistake((one / z) ** 2 * n, "误用单侧的Z值"),
        Mistake(math.sqrt(n), "漏了平方"),
        Mistake(4 * n, "把半个区间长度又除以2"),
        Mistake((sigma / half) ** 2, "漏乘Z值"),
        Mistake(z * n, "Z值在平方后才乘入"),
        Mistake(z**2 * n, "Z值乘了两次"),
    ]
    stem = (
        f"已知{measure.what}服从正态分布，$\\sigma={sigma}${measure.unit}。某研究从{measure.who}中随机抽样，"
        "报告总体平均数的"
        f"{percent(alpha)}置信区间为[{number(mean - half, 2)}，{number(mean + half, 2)}]{measure.unit}。"
        f"已知{z_note(alpha, 2)}，{z_note(alpha, 1)}，则该研究的样本容量为（　　）。"
    )
    steps = (
        f"区间半长$=({number(mean + half, 2)}-{number(mean - half, 2)})/2={number(half, 2)}"
        "=Z\\sigma/\\sqrt n$，"
        f"$n=\\left(\\dfrac{{{z_text(z)}\\times{sigma}}}{{{number(half, 2)}}}\\right)^2={n}$人。"
    )
    return Problem("missing", stem, count_choice(n, mistakes, rank, "人"), steps)


@patient
def width_after_change(rng: random.Random, rank: int) -> Problem:
    """The width of an interval after both the confidence level and n changed."""
    measure = rng.choice(SPEED)
    times = rng.choice([4, 9, 16])
    rising = rng.random() < 0.6
    alpha, later = (0.05, 0.01) if rising else (0.01, 0.05)
    z1, z2 = z_critical(alpha, 2), z_critical(later, 2)
    width = rng.randint(20, 60)
    key = settled(width * z2 / z1 / math.sqrt(times), 2)
    mistakes = [
        Mistake(width / math.sqrt(times), "只考虑样本容量，未考虑置信水平"),
        Mistake(width * z2 / z1, "只考虑置信水平，未考虑样本容量"),
        Mistake(width * z2 / z1 / times, "误以为区间长度与n成反比"),
        Mistake(width * z1 / z2 / math.sqrt(times), "把两个Z值的位置颠倒"),
        Mistake(width * z2 / z1 / math.sqrt(times) / 2, "只求了区间的半长"),
        Mistake(width * z2 / z1 * math.sqrt(times), "误以为区间随样本容量增大而加长"),
        Mistake(width * z1 / z2 / times, "把Z值颠倒，且误以为与n成反比"),
    ]
    before, after = percent(alpha), percent(later)
    stem = (
        f"某研究以{measure.who}为对象，总体标准差$\\sigma$已知，"
        f"测得{measure.what}总体平均数的{before}置信区间，"
        f"其全长为{width}毫秒。"
        f"若把样本容量增加到原来的{times}倍，并把置信水平由{before}改为{after}"
        f"（已知{z_note(0.05, 2)}，{z_note(0.01, 2)}），则新区间的全长（保留两位小数）为（　　）。"
    )
    steps = (
        "全长$=2Z\\sigma/\\sqrt n$，"
        f"新全长$={width}\\times\\dfrac{{{z2:.2f}}}{{{z1:.2f}}}\\times\\dfrac{{1}}{{\\sqrt{{{times}}}}}"
        f"={number(key, 2)}$毫秒。"
    )
    return Problem("compare", stem, numeric_choice(key, mistakes, rank, unit="毫秒"), steps, "analyse")


@patient
def norm_in_interval(rng: random.Random, rank: int) -> Problem:
    """The interval with σ known, and whether the norm lies in it."""
    measure = rng.choice(SCHOOL)
    n, sigma, error = neat_sample(rng, (5, 6, 7, 8, 9, 10))
    check_spread(measure, sigma)
    alpha = rng.choice([0.05, 0.01])
    z, one = z_critical(alpha, 2), z_critical(alpha, 1)
    norm = measure.mean
    mean = norm + rng.choice([-1, 1]) * rng.randint(8, 90) / 10
    errors = [
        Mistake(sigma / math.sqrt(2 * n), "标准误误用$\\sigma/\\sqrt{2n}$"),
        Mistake(2 * error, "标准误多乘了2"),
    ]
    lines = [Mistake(one, "误用单侧的Z值"), Mistake(1.0, "漏乘Z值")]
    choice = crossed_decision(rng, interval_verdict(mean, norm), (error, errors), (z, lines), rank)
    settled(z * error + 0.001, 2)
    stem = (
        f"{measure.what}的全国常模为$\\mu_0={norm}$分，$\\sigma={sigma}$分。从{measure.who}中随机抽取{n}人，"
        f"得平均分{plain(mean)}分。"
        f"已知{z_note(alpha, 2)}，{z_note(alpha, 1)}。若求该总体平均数的{percent(alpha)}置信区间"
        "（保留两位小数），"
        f"并据此在$\\alpha={alpha}$水平上作双侧判断，该总体与常模的差异如何？"
    )
    steps = (
        f"$\\sigma_{{\\bar X}}={sigma}/\\sqrt{{{n}}}={plain(error)}$；"
        f"${plain(mean)}\\pm{z_text(z)}\\times{plain(error)}$，"
        f"即{choice.options[rank]}。"
    )
    return Problem("decide", stem, choice, steps, "analyse")


@patient
def limit_without_sigma(rng: random.Random, rank: int) -> Problem:
    """One limit of the interval for a mean from the descriptive SD: mean ± t S / sqrt(n - 1)."""
    measure = rng.choice(SOCIAL)
    root = rng.choice([3, 4, 5])
    n = root**2 + 1
    s = rng.choice([k for k in range(6, 19) if k * 10 % root == 0])
    check_spread(measure, s)
    error = s / root
    alpha = rng.choice([0.05, 0.01])
    sign, side = rng.choice([(-1, "下限"), (1, "上限")])
    mean = measure.mean + rng.randint(-5, 5)
    t, one, z = t_critical(n - 1, alpha, 2), t_critical(n - 1, alpha, 1), z_critical(alpha, 2)
    key = settled(mean + sign * t * error, 2)
    mistakes = [
        Mistake(mean + sign * one * error, "误用单侧的t值"),
        Mistake(mean + sign * z * error, "总体方差未知的小样本误用Z值"),
        Mistake(mean + sign * t * s / (n - 1), "标准误的分母漏开平方"),
        Mistake(mean + sign * t * s, "用样本标准差代替标准误"),
        Mistake(mean - sign * t * error, "求成另一端的界限"),
        Mistake(mean - sign * z * error, "误用Z值且求成另一端"),
        Mistake(mean - sign * one * error, "误用单侧的t值且求成另一端"),
        Mistake(mean + sign * 2 * t * error, "把区间的全长加减到平均数上"),
    ]
    stem = (
        f"从{measure.who}中随机抽取{n}人，测得{measure.what}的平均数为{mean}{measure.unit}，"
        f"以n为分母的样本标准差$S={s}${measure.unit}。总体服从正态分布，方差未知。"
        f"已知{t_note(n - 1, alpha, 2)}，{t_note(n - 1, alpha, 1)}，{z_note(alpha, 2)}，"
        f"则总体平均数的{percent(alpha)}置信区间的{side}（保留两位小数）为（　　）。"
    )
    steps = (
        f"$SE_{{\\bar X}}=S/\\sqrt{{n-1}}={s}/\\sqrt{{{n - 1}}}={plain(error)}$，$df={n - 1}$；"
        f"{side}$={mean}{'+' if sign > 0 else '-'}{t:.3f}\\times{plain(error)}={number(key, 2)}$。"
    )
    return Problem("find", stem, spaced_choice(key, mistakes, rank, gap=0.1 * error), steps)


@patient
def sd_behind_interval(rng: random.Random, rank: int) -> Problem:
    """S_{n-1} behind a reported t interval: half width times sqrt(n) over t."""
    measure = rng.choice(ABILITY)
    n = rng.choice([9, 16, 25])
    root = math.isqrt(n)
    s = rng.randint(6, 18)
    check_spread(measure, s)
    t = t_critical(n - 1, 0.05, 2)
    half = float(number(t * s / root, 2))
    mean = measure.mean + rng.randint(-5, 5)
    key = settled(half * root / t, 1)
    mistakes = [
        Mistake(half * root / z_critical(0.05, 2), "误用Z值代替t值"),
        Mistake(2 * half * root / t, "把区间全长当作半长"),
        Mistake(half / t, "求成标准误，未乘$\\sqrt n$"),
        Mistake(half * n / t, "乘以n而不是$\\sqrt n$"),
        Mistake(half * root / t_critical(n - 1, 0.05, 1), "误用单侧的t值"),
        Mistake(half * root, "漏除以t值"),
        Mistake(2 * half / t, "把全长当作半长且未乘$\\sqrt n$"),
        Mistake(half * math.sqrt(root) / t, "样本容量开了两次平方"),
    ]
    stem = (
        f"研究者从{measure.who}中随机抽取{n}人测{measure.what}（总体正态，方差未知），"
        "报告总体平均数的95%置信区间为"
        f"[{number(mean - half, 2)}，{number(mean + half, 2)}]。已知{t_note(n - 1, 0.05, 2)}，"
        f"{t_note(n - 1, 0.05, 1)}，"
        f"{z_note(0.05, 2)}，则样本的$S_{{n-1}}$（以n-1为分母的标准差，保留一位小数）为（　　）。"
    )
    steps = (
        f"半长$=({number(mean + half, 2)}-{number(mean - half, 2)})/2={number(half, 2)}"
        "=t\\cdot S_{n-1}/\\sqrt n$，"
        f"$S_{{n-1}}=\\dfrac{{{number(half, 2)}\\times\\sqrt{{{n}}}}}{{{t:.3f}}}={number(key, 1)}$。"
    )
    return Problem("missing", stem, numeric_choice(key, mistakes, rank, decimals=1), steps)


@patient
def known_versus_unknown(rng: random.Random, rank: int) -> Problem:
    """How many times as long the t interval is as the Z interval of the same sample."""
    measure = rng.choice(SPEED)
    n = rng.choice([9, 10, 12, 15, 16, 20, 25])
    sigma = rng.choice([40, 45, 50, 54, 60, 66, 72])
    check_spread(measure, sigma)
    s = sigma + rng.choice([-1, 1]) * rng.randint(2, 15)
    alpha = rng.choice([0.05, 0.01])
    t, z = t_critical(n - 1, alpha, 2), z_critical(alpha, 2)
    key = settled(t * s / (z * sigma), 2)
    root = math.sqrt(n / (n - 1))
    mistakes = [
        Mistake(s / sigma, "乙也使用Z值"),
        Mistake(t / z, "未考虑两个标准差不同"),
        Mistake(t * s / (z * sigma) * root, "对$S_{n-1}$仍除以$\\sqrt{n-1}$"),
        Mistake(z * sigma / (t * s), "把两个区间的位置颠倒"),
        Mistake(t_critical(n - 1, alpha, 1) * s / (z * sigma), "t值误用单侧"),
        Mistake((t * s / (z * sigma)) ** 2, "比较的是平方"),
        Mistake(t * sigma / (z * s), "把两个标准差的位置颠倒"),
        Mistake(z * s / (t * sigma), "把Z值与t值的位置颠倒"),
    ]
    stem = (
        f"从{measure.who}中随机抽取{n}人测{measure.what}（总体正态），得$S_{{n-1}}={s}$毫秒。"
        "甲依据以往资料取总体标准差"
        f"$\\sigma={sigma}$毫秒求总体平均数的{percent(alpha)}置信区间；乙不采用以往资料，"
        "只用样本的$S_{n-1}$求同一置信水平的区间。"
        f"已知{z_note(alpha, 2)}，{t_note(n - 1, alpha, 2)}，{t_note(n - 1, alpha, 1)}，"
        "则乙的区间长度是甲的多少倍（保留两位小数）？"
    )
    steps = (
        f"甲的长度为$2\\times{z_text(z)}\\times{sigma}/\\sqrt{{{n}}}$，"
        f"乙的长度为$2\\times{t:.3f}\\times{s}/\\sqrt{{{n}}}$；"
        f"二者之比$=\\dfrac{{{t:.3f}\\times{s}}}{{{z_text(z)}\\times{sigma}}}={number(key, 2)}$。"
    )
    return Problem("compare", stem, numeric_choice(key, mistakes, rank), steps, "analyse")


@patient
def scores_against_norm(rng: random.Random, rank: int) -> Problem:
    """The t interval from nine to sixteen raw scores, and whether the expected mean lies in it."""
    n = rng.choice([9, 10])
    mean = rng.randint(12, 24)
    scores = [mean + d for d in neat_deviations(rng, n, 6)]
    ss = sum((x - mean) ** 2 for x in scores)
    s = math.sqrt(ss / (n - 1))
    if abs(s * 2 - round(s * 2)) > 1e-9 and rng.random() < 0.9:
        raise Redraw
    error = s / math.sqrt(n)
    t, z = t_critical(n - 1, 0.05, 2), z_critical(0.05, 2)
    norm = mean + rng.choice([-1, 1]) * rng.choice([1, 2, 3, 4])
    errors = [
        Mistake(s, "用样本标准差代替标准误"),
        Mistake(math.sqrt(ss) / n, "标准差以n为分母后仍除以$\\sqrt n$"),
        Mistake(s / n, "标准误的分母漏开平方"),
    ]
    lines = [Mistake(t_critical(n - 1, 0.05, 1), "误用单侧的t值"), Mistake(z, "误用Z值代替t值")]
    choice = crossed_decision(rng, interval_verdict(mean, norm), (error, errors), (t, lines), rank)
    for limit in (mean - t * error, mean + t * error):
        settled(limit, 2, mean + math.copysign(t * round(error, 3), limit - mean))
    stem = (
        f"从某年级随机抽取{n}名学生，{rng.choice(['数字符号', '图形推理', '词语联想'])}测验的得分为："
        f"{listed(scores)}。"
        f"该测验的全国平均分为{norm}分，总体正态、方差未知。已知{t_note(n - 1, 0.05, 2)}，"
        f"{t_note(n - 1, 0.05, 1)}，"
        f"{z_note(0.05, 2)}。求该年级平均分的95%置信区间（保留两位小数），"
        "并据此在$\\alpha=0.05$水平上作双侧判断，与全国平均分的差异如何？"
    )
    steps = (
        f"$\\bar X={mean}$，离差平方和为{ss}，$S_{{n-1}}=\\sqrt{{{ss}/{n - 1}}}={number(s, 3)}$，"
        f"$SE=S_{{n-1}}/\\sqrt{{{n}}}={number(error, 3)}$；${mean}\\pm{t:.3f}\\times{number(error, 3)}$，"
        f"即{choice.options[rank]}。"
    )
    return Problem("decide", stem, choice, steps, "analyse")


FAMILIES: dict[str, list[Family]] = {
    "ci-mean-known-variance": [limit_with_sigma, people_behind_interval, width_after_change, norm_in_interval],
    "ci-mean-unknown-variance": [limit_without_sigma, sd_behind_interval, known_versus_unknown, scores_against_norm],
}
