"""Problems on the standard error of the standard deviation.

Convention: $\\sigma/\\sqrt{2n}$ in samples above 30, with $S_{n-1}$ in place of an unknown $\\sigma$.
"""

import math
import random

from psygen.engines.offline.figures import plain
from psygen.engines.offline.guards import exceeds, patient, settled
from psygen.engines.offline.inference import (
    ABILITY,
    EMOTION,
    SCHOOL,
    SPEED,
    Reading,
    count_choice,
    crossed_decision,
    z_note,
    z_text,
)
from psygen.engines.offline.problem import (
    Family,
    Mistake,
    Problem,
    Redraw,
    number,
    numeric_choice,
)
from psygen.engines.offline.tables import z_critical


@patient
def sd_error(rng: random.Random, rank: int) -> Problem:
    """Standard error of the SD in a large sample: S_{n-1} / sqrt(2n)."""
    measure = rng.choice(ABILITY)
    half = rng.choice([8, 10, 12, 14, 16, 20])
    n = half**2 // 2
    s = measure.sd + rng.randint(-3, 4)
    key = settled(s / half, 2)
    mistakes = [
        Mistake(s / math.sqrt(n), "误用平均数的标准误公式$S_{n-1}/\\sqrt n$"),
        Mistake(s / (2 * math.sqrt(n)), "把分母误作$2\\sqrt n$"),
        Mistake(s / n, "分母漏乘2又漏开平方"),
        Mistake(s**2 / half, "分子误用方差"),
        Mistake(s * math.sqrt(2 / n), "误用方差标准误中的系数$\\sqrt{2/n}$"),
        Mistake(s / (2 * n), "分母漏开平方"),
        Mistake(math.sqrt(s) / half, "分子误用标准差的平方根"),
    ]
    stem = (
        f"从{measure.who}中随机抽取{n}人，测得{measure.what}的$S_{{n-1}}={s}${measure.unit}。总体近似正态，"
        "样本容量大于30，标准差的抽样分布可视为正态。样本标准差的标准误（保留两位小数）估计为（　　）。"
    )
    steps = (
        f"$SE_S=\\dfrac{{S_{{n-1}}}}{{\\sqrt{{2n}}}}=\\dfrac{{{s}}}{{\\sqrt{{{2 * n}}}}}"
        f"={number(key, 2)}${measure.unit}。"
    )
    return Problem("find", stem, numeric_choice(key, mistakes, rank, unit=measure.unit), steps)


@patient
def people_behind_sd_error(rng: random.Random, rank: int) -> Problem:
    """The sample size that gives the SD a wanted standard error: n = S² / (2 SE²)."""
    measure = rng.choice(EMOTION)
    half = rng.choice([10, 12, 14, 16, 18, 20, 24, 30])
    n = half**2 // 2
    neat = [s for s in range(measure.sd - 3, measure.sd + 7) if s * 100 % half == 0]
    if not neat:
        raise Redraw
    s = rng.choice(neat)
    error = s / half
    mistakes = [
        Mistake(2 * n, "漏掉公式中的2，按平均数的标准误计算"),
        Mistake(n / 2, "把$\\sqrt{2n}$误作$2\\sqrt n$"),
        Mistake(half, "漏了平方"),
        Mistake(half / 2, "漏了平方，又除以2"),
        Mistake(4 * n, "误乘2而不是除以2"),
        Mistake(s / error / 2, "把公式误记为$S_{n-1}/(2n)$"),
        Mistake(8 * n, "误把2乘了两次"),
        Mistake(s**2 / error / 2, "标准误漏了平方"),
    ]
    stem = (
        f"对{measure.who}的大样本调查算得{measure.what}的$S_{{n-1}}={s}${measure.unit}，"
        f"并报告样本标准差的标准误估计值为{plain(error)}{measure.unit}（按正态近似公式计算）。"
        "该调查的样本容量为（　　）。"
    )
    steps = (
        "由$SE_S=S_{n-1}/\\sqrt{2n}$得$n=\\dfrac{S_{n-1}^2}{2SE_S^2}"
        f"=\\dfrac{{{s}^2}}{{2\\times{plain(error)}^2}}={n}$人。"
    )
    return Problem("missing", stem, count_choice(n, mistakes, rank, "人"), steps)


@patient
def error_from_other_error(rng: random.Random, rank: int) -> Problem:
    """The SD's standard error of a larger sample, from the mean's standard error of a smaller one."""
    measure = rng.choice(SPEED)
    root, times = rng.choice([6, 7, 8, 9]), rng.choice([2, 4])
    s = rng.choice([36, 42, 48, 54, 56, 63, 72])
    error = s / root
    if abs(error * 10 - round(error * 10)) > 1e-9:
        raise Redraw
    n = root**2
    key = settled(s / math.sqrt(2 * times * n), 2)
    mistakes = [
        Mistake(s / math.sqrt(times * n), "漏掉标准差标准误公式中的2"),
        Mistake(s / math.sqrt(2 * n), "未考虑样本容量的变化"),
        Mistake(error / (2 * math.sqrt(times)), "把$\\sqrt{2n}$误作$2\\sqrt n$"),
        Mistake(error / (times * math.sqrt(2)), "误以为标准误与n成反比"),
        Mistake(error * math.sqrt(2 / times), "误乘$\\sqrt2$而不是除以$\\sqrt2$"),
        Mistake(error / (2 * times), "分母漏开平方"),
        Mistake(error, "误认为标准误不变，且等于平均数的标准误"),
        Mistake(error * math.sqrt(2), "误乘$\\sqrt2$，且未考虑样本容量的变化"),
    ]
    stem = (
        f"研究者抽取{n}名{measure.people}测{measure.what}，"
        f"由样本算得平均数标准误的估计值$S_{{n-1}}/\\sqrt n={plain(error)}$毫秒。"
        f"若把样本扩大为{times * n}人而$S_{{n-1}}$不变，"
        "则样本标准差的标准误（按大样本正态近似，保留两位小数）为（　　）。"
    )
    steps = (
        f"$S_{{n-1}}={plain(error)}\\times\\sqrt{{{n}}}={s}$毫秒；"
        f"$SE_S=\\dfrac{{{s}}}{{\\sqrt{{2\\times{times * n}}}}}"
        f"={number(key, 2)}$毫秒。"
    )
    choice = numeric_choice(key, mistakes, rank, unit="毫秒")
    return Problem("compare", stem, choice, steps, "analyse")


@patient
def sd_against_norm(rng: random.Random, rank: int) -> Problem:
    """The 95% or 99% interval of σ from a large sample, and whether it contains the norm's σ."""
    measure = rng.choice(SCHOOL)
    half = rng.choice([10, 12, 16, 20])
    n = half**2 // 2
    norm = rng.choice([10, 12, 15])
    alpha = rng.choice([0.05, 0.01])
    s = norm + rng.choice([-1, 1]) * rng.randint(10, 40) / 10

    def read(error: float, critical: float) -> Reading:
        differs = exceeds(s - norm, error * critical)
        low, high = settled(s - critical * error, 2), settled(s + critical * error, 2)
        says = "不含" if differs else "包含"
        ends = f"[{number(low, 2)}，{number(high, 2)}]"
        return Reading(f"{ends}，{says}{norm}，与常模{'有' if differs else '无'}显著差异", differs)

    z = z_critical(alpha, 2)
    errors = [
        Mistake(s / math.sqrt(n), "误用平均数的标准误"),
        Mistake(s / (2 * math.sqrt(n)), "把$\\sqrt{2n}$误作$2\\sqrt n$"),
    ]
    lines = [Mistake(z_critical(alpha, 1), "误用单侧的临界值")]
    choice = crossed_decision(rng, read, (s / half, errors), (z, lines), rank)
    level = f"{round((1 - alpha) * 100)}%"
    stem = (
        f"{measure.what}的全国常模标准差为{norm}分。从{measure.who}中随机抽取{n}人，"
        f"得$S_{{n-1}}={plain(s)}$分。"
        f"按大样本正态近似求总体标准差$\\sigma$的{level}置信区间（已知{z_note(alpha, 2)}，"
        f"{z_note(alpha, 1)}；保留两位小数），"
        f"并据此在$\\alpha={alpha}$水平上作双侧判断，正确的是（　　）。"
    )
    key = choice.options[choice.key]
    steps = (
        f"$SE_S={plain(s)}/\\sqrt{{{2 * n}}}={number(s / half, 3)}$；"
        f"${plain(s)}\\pm{z_text(z)}\\times{number(s / half, 3)}$，即{key}。"
    )
    return Problem("decide", stem, choice, steps, "analyse")


FAMILIES: dict[str, list[Family]] = {
    "standard-error-of-standard-deviation": [sd_error, people_behind_sd_error, error_from_other_error, sd_against_norm],
}
