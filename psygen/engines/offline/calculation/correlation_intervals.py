"""Problems on confidence intervals for a correlation.

Convention: limits are found for $Z_r$ with the standard error $1/\\sqrt{n-3}$ and turned back into r by the table.
"""

import math
import random

from psygen.engines.offline.fisher_table import back, read_back, spread, table_lines, to_z, z_r_note
from psygen.engines.offline.guards import exceeds, patient, settled
from psygen.engines.offline.inference import (
    RELATED,
    Reading,
    count_choice,
    crossed_decision,
    even_out,
    z_note,
    z_text,
)
from psygen.engines.offline.problem import Family, Mistake, Problem, Redraw, number, numeric_choice
from psygen.engines.offline.tables import z_critical

NEAT_N = (12, 19, 28, 39, 52, 67, 103)


@patient
def correlation_limit(rng: random.Random, rank: int) -> Problem:
    """One limit of the interval for ρ: transform, add Z / sqrt(n - 3), transform back."""
    who, x, y = rng.choice(RELATED[:3])
    n = rng.choice(NEAT_N)
    r = rng.randint(35, 80) / 100
    alpha = rng.choice([0.05, 0.01])
    sign, side = rng.choice([(-1, "下限"), (1, "上限")])
    z, one, error, center = z_critical(alpha, 2), z_critical(alpha, 1), spread(n), to_z(r)
    naive = math.sqrt((1 - r * r) / (n - 2))
    wrong = [
        (center + sign * one * error, "误用单侧的Z值"),
        (center + sign * z / math.sqrt(2 * n), "标准误误用$1/\\sqrt{2n}$"),
        (center - sign * z * error, "求成另一端的界限"),
        (center + sign * z / (n - 3), "标准误漏开平方"),
        (center + sign * error, "漏乘Z值"),
        (center - sign * one * error, "误用单侧的Z值且求成另一端"),
    ]
    extra = [Mistake(r + sign * z * naive, "未作费舍转换，直接用$\\sqrt{(1-r^2)/(n-2)}$作标准误")]
    key_z = center + sign * z * error
    choice, table = read_back(key_z, wrong, extra, rank)
    stem = (
        f"随机抽取{n}名{who}，{x}与{y}的积差相关系数$r={r:.2f}$。用费舍Z转换求总体相关系数$\\rho$的"
        f"{round(100 * (1 - alpha))}%置信区间。已知{z_r_note(r)}，{z_note(alpha, 2)}，{z_note(alpha, 1)}；"
        f"反查表：{table}。则该区间的{side}为（　　）。"
    )
    steps = (
        f"$SE_Z=1/\\sqrt{{{n}-3}}={number(error, 3)}$；{side}的$Z_r={center:.3f}{'+' if sign > 0 else '-'}"
        f"{z_text(z)}\\times{number(error, 3)}={number(key_z, 3)}$，反查得r={choice.options[rank]}。"
    )
    return Problem("find", stem, choice, steps)


@patient
def people_behind_correlation(rng: random.Random, rank: int) -> Problem:
    """The sample size behind an interval in units of Z_r: (2 Z / width)² + 3."""
    who, x, y = rng.choice(RELATED[3:5])
    n = rng.choice([12, 19, 28, 39, 52, 67])
    alpha = rng.choice([0.05, 0.01])
    z, one = z_critical(alpha, 2), z_critical(alpha, 1)
    half = z * spread(n)
    center = to_z(rng.randint(40, 90) / 100)
    if abs(half * 1000 - round(half * 1000)) > 1e-6 or center - half < 0.05:
        raise Redraw
    mistakes = [
        Mistake(n - 3, "漏加3"),
        Mistake((n - 3) / 4 + 3, "把区间全长当作半长"),
        Mistake(n - 1, "误按标准误$1/\\sqrt{n-2}$倒推"),
        Mistake((one / half) ** 2 + 3, "误用单侧的Z值"),
        Mistake(4 * (n - 3) + 3, "把半长又除以2"),
        Mistake(n + 3, "把3加了两次"),
        Mistake(z * (n - 3) + 3, "Z值在平方后才乘入"),
        Mistake(z**2 * (n - 3) + 3, "Z值乘了两次"),
        Mistake(1 / half**2 + 3, "漏乘Z值"),
    ]
    stem = (
        f"某研究考察{who}的{x}与{y}的关系，把样本相关系数r转换成$Z_r$后，"
        f"求得$Z_\\rho$的{round(100 * (1 - alpha))}%置信区间为"
        f"[{number(center - half, 3)}，{number(center + half, 3)}]。已知{z_note(alpha, 2)}，"
        f"{z_note(alpha, 1)}，"
        "则该研究的样本容量为（　　）。"
    )
    steps = (
        f"半长$=({number(center + half, 3)}-{number(center - half, 3)})/2={number(half, 3)}"
        "=Z/\\sqrt{n-3}$，"
        f"$n=({z_text(z)}/{number(half, 3)})^2+3={n}$人。"
    )
    return Problem("missing", stem, count_choice(n, mistakes, rank, "人"), steps)


@patient
def lopsided_interval(rng: random.Random, rank: int) -> Problem:
    """How many times as far the lower limit of ρ lies from r as the upper one."""
    who, x, y = rng.choice(RELATED[5:7])
    n, r = rng.choice([12, 19, 28, 39]), rng.randint(50, 80) / 100
    z, error, center = z_critical(0.05, 2), spread(n), to_z(r)
    low, high = back(center - z * error), back(center + z * error)
    if low < 0.05:
        raise Redraw
    down, up = r - low, high - r
    key = settled(down / up, 2)
    mistakes = [
        Mistake(1.0, "误以为置信区间以r为中心左右对称"),
        Mistake(1 / key, "把两个距离的位置颠倒"),
        Mistake(high / low, "误求两个界限之比"),
        Mistake((high - low) / up, "误以区间全长与上侧距离相比"),
        Mistake(key**2, "又平方了一次"),
        Mistake(math.sqrt(key), "又开了平方"),
        Mistake((high - low) / down, "误以区间全长与下侧距离相比"),
        Mistake(r / high, "误求r与上限之比"),
    ]
    table = table_lines({low: center - z * error, high: center + z * error})
    stem = (
        f"随机抽取{n}名{who}，{x}与{y}的相关系数$r={r:.2f}$。用费舍Z转换求总体相关系数的95%置信区间，"
        f"已知{z_r_note(r)}，{z_note(0.05, 2)}；反查表：{table}。"
        "则r到置信下限的距离是r到置信上限距离的多少倍（保留两位小数）？"
    )
    steps = (
        f"$Z_r$的界限为${center:.3f}\\pm1.96/\\sqrt{{{n - 3}}}$，反查得[{low:.2f}，{high:.2f}]；"
        f"$\\dfrac{{{r:.2f}-{low:.2f}}}{{{high:.2f}-{r:.2f}}}=\\dfrac{{{down:.2f}}}{{{up:.2f}}}"
        f"={number(key, 2)}$。"
    )
    return Problem("compare", stem, numeric_choice(key, mistakes, rank), steps, "analyse")


@patient
def old_value_in_interval(rng: random.Random, rank: int) -> Problem:
    """The interval in units of Z_r, and whether an earlier correlation lies in it."""
    who, x, y = rng.choice(RELATED[7:])
    n = rng.choice([12, 19, 28, 39, 52])
    r, old = rng.sample([k / 100 for k in range(20, 85)], 2)
    alpha = rng.choice([0.05, 0.01])
    center, norm = to_z(r), to_z(old)

    def read(error: float, critical: float) -> Reading:
        half = error * critical
        differs = exceeds(center - norm, half)
        low, high = settled(center - half, 3), settled(center + half, 3)
        says = f"{'不含' if differs else '包含'}{norm:.3f}，差异{'达到' if differs else '未达'}显著"
        return Reading(f"[{number(low, 3)}，{number(high, 3)}]，{says}", differs)

    errors = [
        Mistake(1 / (n - 3), "标准误漏开平方"),
        Mistake(1 / math.sqrt(2 * n), "标准误误用$1/\\sqrt{2n}$"),
        Mistake(1 / math.sqrt(math.sqrt(n - 3)), "标准误多开了一次平方"),
    ]
    line = z_critical(alpha, 2)
    lines = [Mistake(z_critical(alpha, 1), "误用单侧的Z值"), Mistake(1.0, "漏乘Z值")]
    choice = crossed_decision(rng, read, (spread(n), errors), (line, lines), rank)
    even_out(rng, choice, "包含", 0.6)
    stem = (
        f"以往研究认为{who}的{x}与{y}的总体相关为{old:.2f}。现随机抽取{n}名{who}，测得$r={r:.2f}$。"
        f"已知{z_r_note(r)}，{z_r_note(old)}，{z_note(alpha, 2)}，{z_note(alpha, 1)}。求$Z_\\rho$的"
        f"{round(100 * (1 - alpha))}%置信区间（标准误不舍入，界限保留三位小数），"
        f"并据此在$\\alpha={alpha}$水平上双侧判断总体相关是否不同于{old:.2f}，"
        "正确的是（　　）。"
    )
    steps = (
        f"$SE_Z=1/\\sqrt{{{n}-3}}=1/{math.isqrt(n - 3)}$；${center:.3f}\\pm{z_text(line)}/{math.isqrt(n - 3)}$，"
        f"原相关对应的$Z_\\rho={norm:.3f}$，即{choice.options[rank]}。"
    )
    return Problem("decide", stem, choice, steps, "analyse")


FAMILIES: dict[str, list[Family]] = {
    "ci-correlation": [correlation_limit, people_behind_correlation, lopsided_interval, old_value_in_interval],
}
