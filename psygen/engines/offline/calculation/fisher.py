"""Problems on Fisher's z: averaging, taking apart and comparing correlations.

Convention: $Z_r=\\frac12\\ln\\frac{1+r}{1-r}$ with standard error $1/\\sqrt{n-3}$; averages weigh by n-3.
"""

import math
import random

from psygen.engines.offline.fisher_table import read_back, spread, to_z, z_r_note
from psygen.engines.offline.guards import patient, settled
from psygen.engines.offline.inference import (
    RELATED,
    crossed_decision,
    even_out,
    z_note,
    z_text,
    z_verdict,
)
from psygen.engines.offline.problem import Family, Mistake, Problem, Redraw, number, numeric_choice
from psygen.engines.offline.tables import z_critical


@patient
def average_correlation(rng: random.Random, rank: int) -> Problem:
    """The average of three correlations through Fisher's z, weighted by n - 3."""
    _, x, y = rng.choice(RELATED[:3])
    low = rng.randint(35, 60)
    rs = sorted(rng.sample([k / 100 for k in range(low, low + 30)], 3))
    ns = rng.sample([23, 33, 43, 53, 63, 83, 103], 3)
    zs, weights = [to_z(r) for r in rs], [n - 3 for n in ns]
    key_z = sum(w * z for w, z in zip(weights, zs, strict=True)) / sum(weights)
    wrong = [
        (sum(zs) / 3, "把三个$Z_r$直接平均，未加权"),
        (sorted(zs)[1], "取了居中的$Z_r$"),
        (max(zip(weights, zs, strict=True))[1], "只用了人数最多的样本"),
        (sum(w * z for w, z in zip(weights, reversed(zs), strict=True)) / sum(weights), "权数与$Z_r$对应错"),
    ]
    extra = [
        Mistake(sum(w * r for w, r in zip(weights, rs, strict=True)) / sum(weights), "未作转换，直接把r加权平均"),
        Mistake(sum(rs) / 3, "未作转换，直接把三个r平均"),
        Mistake(key_z, "未把平均的$Z_r$转换回r"),
        Mistake((rs[0] + rs[2]) / 2, "误取最大与最小r的中点"),
    ]
    choice, table = read_back(key_z, wrong, extra, rank)
    data = "；".join(f"n={n}，r={r:.2f}（$Z_r={z:.3f}$）" for n, r, z in zip(ns, rs, zs, strict=True))
    stem = (
        f"三项研究分别调查{x}与{y}的相关，三个样本可视为来自同一总体，结果为：{data}。"
        f"用费舍Z转换并以n-3为权数求平均相关系数，反查表：{table}。结果（保留两位小数）为（　　）。"
    )
    parts = "+".join(f"{w}\\times{z:.3f}" for w, z in zip(weights, zs, strict=True))
    steps = (
        f"$\\bar Z_r=\\dfrac{{{parts}}}{{{sum(weights)}}}={number(key_z, 3)}$，"
        f"反查得平均相关系数为{choice.options[rank]}。"
    )
    return Problem("find", stem, choice, steps)


@patient
def third_correlation(rng: random.Random, rank: int) -> Problem:
    """The third correlation behind an average through Fisher's z of equal samples: 3 mean Z - Z1 - Z2."""
    who, x, y = rng.choice(RELATED[3:5])
    n = rng.choice([30, 40, 50, 60])
    r1, r2, mean = rng.sample([k / 100 for k in range(20, 91)], 3)
    z1, z2, zm = to_z(r1), to_z(r2), to_z(mean)
    key_z = 3 * zm - z1 - z2
    if not 0.1 < key_z < 1.6:
        raise Redraw
    wrong = [
        (2 * zm - (z1 + z2) / 2, "误按两组平均倒推"),
        (3 * zm - z1, "只减去了一个$Z_r$"),
        ((z1 + z2 + zm) / 3, "把三个$Z_r$又平均了一次"),
        (abs(zm - z1 - z2), "平均的$Z_r$漏乘3"),
        (zm, "误把平均相关当作所求"),
    ]
    extra = [
        Mistake(3 * mean - r1 - r2, "未作转换，直接用r倒推"),
        Mistake(key_z, "求出$Z_r$后未转换回r"),
        Mistake(key_z / 2, "把$Z_r$除以2当作r"),
    ]
    choice, table = read_back(key_z, [w for w in wrong if w[0] > 0.02], extra, rank)
    stem = (
        f"三个独立样本各有{n}名{who}，用费舍Z转换求得{x}与{y}的平均相关系数为{mean:.2f}。"
        f"已知前两个样本的相关系数为{r1:.2f}和{r2:.2f}，"
        f"{z_r_note(r1)}，{z_r_note(r2)}，{z_r_note(mean)}；反查表：{table}。"
        "则第三个样本的相关系数（保留两位小数）为（　　）。"
    )
    steps = (
        "样本容量相等，$\\bar Z_r$为三个$Z_r$的平均数；"
        f"$Z_3=3\\times{zm:.3f}-{z1:.3f}-{z2:.3f}={number(key_z, 3)}$，"
        f"反查得r={choice.options[rank]}。"
    )
    return Problem("missing", stem, choice, steps)


@patient
def unequal_steps(rng: random.Random, rank: int) -> Problem:
    """How many times as large one step of r is as another one in units of Fisher's z."""
    who, x, y = rng.choice(RELATED[5:7])
    low = rng.randint(10, 40) / 100
    step = rng.choice([0.1, 0.15, 0.2])
    high = rng.randint(60, 80) / 100
    a, b, c, d = (round(v, 2) for v in (low, low + step, high, high + step))
    if d > 0.96:
        raise Redraw
    za, zb, zc, zd = (to_z(v) for v in (a, b, c, d))
    key = settled((zd - zc) / (zb - za), 2)
    mistakes = [
        Mistake(1.0, "误以为r的差异可以直接比较"),
        Mistake((zb - za) / (zd - zc), "把两个差异的位置颠倒"),
        Mistake(zd / zb, "只比较了较大的两个$Z_r$"),
        Mistake((d * d - c * c) / (b * b - a * a), "误用决定系数之差比较"),
        Mistake(zc / za, "只比较了较小的两个$Z_r$"),
        Mistake((zd - za) / (zb - za), "求乙的变化时误以甲的起点为起点"),
        Mistake((zc - za) / (zb - za), "求成两项研究起点之差与甲的变化之比"),
        Mistake(d / b, "误求两个r之比"),
        Mistake(zd - zc + zb - za, "误把两个$Z_r$之差相加"),
    ]
    notes = "，".join(z_r_note(v) for v in (a, b, c, d))
    stem = (
        f"甲、乙两项追踪研究各对一批{who}测量两次，考察{x}与{y}的相关：甲研究的相关系数由第一次的{a:.2f}"
        f"升至第二次的{b:.2f}，乙研究由第一次的{c:.2f}升至第二次的{d:.2f}。"
        f"为使差异可比，先作费舍Z转换。已知{notes}。按$Z_r$计算，乙研究的变化是甲研究的多少倍"
        "（保留两位小数）？"
    )
    steps = (
        f"甲：${zb:.3f}-{za:.3f}={zb - za:.3f}$；乙：${zd:.3f}-{zc:.3f}={zd - zc:.3f}$；"
        f"${zd - zc:.3f}/{zb - za:.3f}={number(key, 2)}$。"
    )
    return Problem("compare", stem, numeric_choice(key, mistakes, rank), steps, "analyse")


@patient
def two_correlations(rng: random.Random, rank: int) -> Problem:
    """Whether two independent correlations differ: (Z1 - Z2) / sqrt(1/(n1 - 3) + 1/(n2 - 3))."""
    _, x, y = rng.choice(RELATED[7:])
    first, second = rng.choice([("男性样本", "女性样本"), ("东部样本", "西部样本"), ("甲地样本", "乙地样本")])
    n1, n2 = rng.sample([28, 33, 43, 53, 63, 78, 103], 2)
    r2, r1 = sorted(rng.sample([k / 100 for k in range(20, 90)], 2))
    z1, z2 = to_z(r1), to_z(r2)
    error = math.sqrt(1 / (n1 - 3) + 1 / (n2 - 3))
    key = settled((z1 - z2) / error, 2, (z1 - z2) / round(error, 3))
    alpha = rng.choice([0.05, 0.01])
    stats = [
        Mistake((r1 - r2) / error, "未作费舍转换，直接用r之差"),
        Mistake((z1 - z2) / (spread(n1) + spread(n2)), "把两个标准误直接相加"),
        Mistake((z1 - z2) * math.sqrt(n1 + n2 - 6), "标准误误用$1/\\sqrt{n_1+n_2-6}$"),
    ]
    lines = [
        Mistake(z_critical(alpha, 1), "误用单侧的临界值"),
        Mistake(z_critical(0.06 - alpha, 2), f"误用$\\alpha={0.01 if alpha == 0.05 else 0.05}$的临界值"),
    ]
    choice = crossed_decision(rng, z_verdict, (key, stats), (z_critical(alpha, 2), lines), rank)
    even_out(rng, choice, "保留", 0.5)
    stem = (
        f"研究者分别考察{first}（{n1}人）和{second}（{n2}人）{x}与{y}的相关，得$r_1={r1:.2f}$，"
        f"$r_2={r2:.2f}$，"
        "两样本独立。"
        f"已知{z_r_note(r1)}，{z_r_note(r2)}，{z_note(0.05, 2)}，{z_note(0.05, 1)}，{z_note(0.01, 2)}，"
        f"{z_note(0.01, 1)}。"
        f"用费舍Z转换检验两总体相关是否有差异（双侧，$\\alpha={alpha}$），检验统计量、临界值和结论都正确的是（　　）。"
    )
    steps = (
        f"$SE=\\sqrt{{1/{n1 - 3}+1/{n2 - 3}}}={number(error, 3)}$，"
        f"$Z=({z1:.3f}-{z2:.3f})/{number(error, 3)}={number(key, 2)}$，"
        f"双侧临界值为{z_text(z_critical(alpha, 2))}，即{choice.options[rank]}。"
    )
    return Problem("decide", stem, choice, steps, "analyse")


FAMILIES: dict[str, list[Family]] = {
    "fisher-z-transformation": [average_correlation, third_correlation, unequal_steps, two_correlations],
}
