"""Problems on the margin of error (最大允许误差).

Convention: $d=Z\\sigma/\\sqrt n$, $Z\\sqrt{pq/n}$ or $t\\cdot SE$: half the length of the interval.
"""

import math
import random

from psygen.engines.offline.figures import plain
from psygen.engines.offline.guards import exceeds, patient, settled
from psygen.engines.offline.inference import (
    ABILITY,
    SOCIAL,
    Reading,
    check_spread,
    crossed_decision,
    t_note,
    z_note,
    z_text,
)
from psygen.engines.offline.problem import Family, Mistake, Problem, Redraw, number, numeric_choice
from psygen.engines.offline.tables import t_critical, z_critical


@patient
def margin_of_share(rng: random.Random, rank: int) -> Problem:
    """The margin of error of a proportion from a count: Z sqrt(pq / n)."""
    topic = rng.choice(["赞成延长心理健康课时", "愿意接受在线心理咨询", "认为作业负担过重"])
    n = rng.choice([100, 144, 150, 200, 225, 300, 400, 600])
    x = rng.randint(n // 5, n // 2)
    p = x / n
    if abs(p * 100 - round(p * 100)) > 1e-9 or abs(p - 0.5) < 0.04:
        raise Redraw
    alpha = rng.choice([0.05, 0.01])
    z, one, error = z_critical(alpha, 2), z_critical(alpha, 1), math.sqrt(p * (1 - p) / n)
    key = settled(100 * z * error, 2)
    mistakes = [
        Mistake(100 * one * error, "误用单侧的Z值"),
        Mistake(50 * z / math.sqrt(n), "误按p=0.5计算"),
        Mistake(100 * error, "漏乘Z值"),
        Mistake(200 * z * error, "求成置信区间的全长"),
        Mistake(100 * z * math.sqrt(p / n), "标准误漏乘q"),
        Mistake(100 * z * p * (1 - p) / math.sqrt(n), "pq漏开平方"),
        Mistake(100 * z * math.sqrt((1 - p) / n), "标准误漏乘p"),
    ]
    stem = (
        f"在一次随机抽样调查中，{n}名中学生里有{x}人{topic}。已知{z_note(alpha, 2)}，{z_note(alpha, 1)}。"
        f"用样本比率估计标准误，在{round(100 * (1 - alpha))}%的置信水平下，"
        "用该样本比率估计总体比率的最大允许误差"
        "（以百分点计，保留两位小数）为（　　）。"
    )
    steps = (
        f"$p={x}/{n}={plain(p)}$，$d=Z\\sqrt{{pq/n}}"
        f"={z_text(z)}\\times\\sqrt{{{plain(p)}\\times{plain(1 - p)}/{n}}}"
        f"={number(key / 100, 4)}$，即{number(key, 2)}。"
    )
    return Problem("find", stem, numeric_choice(key, mistakes, rank), steps)


@patient
def sigma_behind_margin(rng: random.Random, rank: int) -> Problem:
    """σ behind a reported margin of error: d sqrt(n) / Z."""
    measure = rng.choice(ABILITY)
    root = rng.choice([6, 7, 8, 9, 10, 12])
    n = root**2
    alpha = rng.choice([0.05, 0.01])
    z, one = z_critical(alpha, 2), z_critical(alpha, 1)
    d = rng.randint(12, 60) / 10
    key = settled(d * root / z, 1)
    check_spread(measure, key)
    mistakes = [
        Mistake(d * root / one, "误用单侧的Z值"),
        Mistake(d * root / (2 * z), "把最大允许误差当作区间全长"),
        Mistake(d * root, "漏除以Z值"),
        Mistake(d / z, "求成标准误"),
        Mistake(2 * d * root / z, "把最大允许误差又乘了2"),
        Mistake(d * n / z, "乘以n而不是$\\sqrt n$"),
        Mistake(d * math.sqrt(n / 2) / z, "误按标准差的标准误公式倒推"),
    ]
    stem = (
        f"某报告称：随机抽取{n}名被试，用{measure.what}的样本平均数估计总体平均数，"
        f"在{round(100 * (1 - alpha))}%的置信水平下"
        f"最大允许误差为{plain(d)}分，总体标准差取自以往资料。已知{z_note(alpha, 2)}，{z_note(alpha, 1)}，"
        "则报告所用的总体标准差（保留一位小数）为（　　）。"
    )
    steps = f"由$d=Z\\sigma/\\sqrt n$得$\\sigma=d\\sqrt n/Z={plain(d)}\\times{root}/{z_text(z)}={number(key, 1)}$分。"
    return Problem("missing", stem, numeric_choice(key, mistakes, rank, decimals=1, unit="分"), steps)


@patient
def margin_after_changes(rng: random.Random, rank: int) -> Problem:
    """The margin of error of a second survey with another proportion, size and confidence level."""
    p1, p2 = rng.sample([0.1, 0.2, 0.3, 0.4, 0.5], 2)
    times = rng.choice([4, 9])
    rising = rng.random() < 0.5
    alpha, later = (0.05, 0.01) if rising else (0.01, 0.05)
    z1, z2 = z_critical(alpha, 2), z_critical(later, 2)
    d = rng.randint(40, 98) / 10
    ratio = math.sqrt(p2 * (1 - p2) / (p1 * (1 - p1)))
    key = settled(d * ratio / math.sqrt(times) * z2 / z1, 2, d * round(ratio, 3) / math.sqrt(times) * z2 / z1)
    mistakes = [
        Mistake(d / math.sqrt(times) * z2 / z1, "未考虑比率的变化"),
        Mistake(d * ratio / math.sqrt(times), "未考虑置信水平的变化"),
        Mistake(d * ratio * z2 / z1, "未考虑样本容量的变化"),
        Mistake(d * ratio / times * z2 / z1, "误以为与n成反比"),
        Mistake(d * ratio**2 / math.sqrt(times) * z2 / z1, "pq之比漏开平方"),
        Mistake(d / ratio / math.sqrt(times) * z2 / z1, "把两个比率的位置颠倒"),
        Mistake(d * ratio / math.sqrt(times) * z1 / z2, "把两个Z值的位置颠倒"),
    ]
    before, after = f"{round(100 * (1 - alpha))}%", f"{round(100 * (1 - later))}%"
    stem = (
        f"甲调查中有睡眠困扰者的样本比率为{plain(p1)}，"
        f"在{before}的置信水平下最大允许误差为{plain(d)}个百分点。"
        f"乙调查的样本容量是甲的{times}倍，样本比率为{plain(p2)}，置信水平取{after}。已知{z_note(0.05, 2)}，"
        f"{z_note(0.01, 2)}，"
        "两调查均为简单随机抽样并用样本比率估计标准误。乙调查的最大允许误差（以百分点计，保留两位小数）为"
        "（　　）。"
    )
    steps = (
        "$d=Z\\sqrt{pq/n}$，故"
        f"$d_2={plain(d)}\\times\\dfrac{{{z2:.2f}}}{{{z1:.2f}}}\\times"
        f"\\sqrt{{\\dfrac{{{plain(p2)}\\times{plain(1 - p2)}}}{{{plain(p1)}\\times{plain(1 - p1)}\\times{times}}}}}"
        f"={number(key, 2)}$。"
    )
    return Problem("compare", stem, numeric_choice(key, mistakes, rank), steps, "analyse")


@patient
def deviation_against_margin(rng: random.Random, rank: int) -> Problem:
    """Whether the distance of a sample mean from a target exceeds the margin of error of a small sample."""
    measure = rng.choice(SOCIAL)
    root = rng.choice([3, 4, 5])
    n, s = root**2 + 1, rng.randint(5, 12)
    check_spread(measure, s)
    alpha = rng.choice([0.05, 0.01])
    t = t_critical(n - 1, alpha, 2)
    gap = rng.randint(10, 90) / 10
    settled(t * s / root, 2)

    def read(error: float, critical: float) -> Reading:
        margin = settled(error * critical, 2)
        beyond = exceeds(gap, margin)
        return Reading(f"最大允许误差{number(margin, 2)}分，偏离{'超出' if beyond else '未超'}误差范围", beyond)

    errors = [
        Mistake(s / math.sqrt(n), "对以n为分母的$S$仍除以$\\sqrt n$"),
        Mistake(s / (n - 1), "标准误的分母漏开平方"),
        Mistake(float(s), "用样本标准差代替标准误"),
    ]
    lines = [
        Mistake(t_critical(n - 1, alpha, 1), "误用单侧的t值"),
        Mistake(z_critical(alpha, 2), "误用Z值代替t值"),
    ]
    choice = crossed_decision(rng, read, (s / root, errors), (t, lines), rank)
    stem = (
        f"某机构称{measure.who}{measure.what}的总体平均数为{measure.mean}{measure.unit}。现随机抽取{n}人，"
        f"平均数为{plain(measure.mean + gap)}{measure.unit}，以n为分母的标准差$S={s}${measure.unit}，"
        "总体正态、"
        "方差未知。"
        f"已知{t_note(n - 1, alpha, 2)}，{t_note(n - 1, alpha, 1)}，{z_note(alpha, 2)}。"
        f"在{round(100 * (1 - alpha))}%的置信水平下，"
        "估计总体平均数的最大允许误差（保留两位小数）以及样本平均数对所称数值的偏离，"
        "正确的是（　　）。"
    )
    steps = (
        f"$d=t\\cdot S/\\sqrt{{n-1}}={t:.3f}\\times{s}/\\sqrt{{{n - 1}}}={number(t * s / root, 2)}$，"
        f"偏离为{plain(gap)}，"
        f"即{choice.options[rank]}。"
    )
    return Problem("decide", stem, choice, steps, "analyse")


FAMILIES: dict[str, list[Family]] = {
    "margin-of-error": [margin_of_share, sigma_behind_margin, margin_after_changes, deviation_against_margin],
}
