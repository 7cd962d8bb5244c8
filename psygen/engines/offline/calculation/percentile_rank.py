"""Calculation questions on the percentile rank.

Several rules for percentile ranks are in use, so each stem prints its own: interpolation from exact limits
for grouped data, $PR=100-(100R-50)/N$ for ranked data, the area below z for normal distributions.
"""

import random
from statistics import NormalDist

from psygen.engines.offline.figures import plain
from psygen.engines.offline.frequency_table import draw_grouped, inside
from psygen.engines.offline.guards import settled
from psygen.engines.offline.problem import (
    Family,
    Mistake,
    Problem,
    Redraw,
    number,
    numeric_choice,
    text_choice,
)

GROUPED_RULE = "$PR=\\frac{100}{N}\\left[F_b+\\frac{f(X-L_b)}{i}\\right]$"
"""The percentile rank in grouped data, as the stems print it."""

RANKED_RULE = "$PR=100-\\frac{100R-50}{N}$"
"""The percentile rank of the person in place R among N, as the stems print it."""


def rank_in_groups(rng: random.Random, rank: int) -> Problem:
    """Find the percentile rank of a score in a grouped table: $PR = 100/N [F_b + f (X - L_b)/i]$."""
    table = draw_grouped(rng, (40, 50, 60), (5, 10), rng.choice((40, 50, 80, 100)))
    k, i, n = rng.randint(1, len(table.counts) - 2), table.width, table.total
    x = table.lower + k * i + rng.randint(1, i - 2)
    base, f, edge = table.below(k), table.counts[k], table.bound(k)
    key = settled(100 / n * (base + f * (x - edge) / i), 1)
    mistakes = [
        Mistake(100 / n * (base + f * (x - edge - 0.5) / i), "用表述下限代替精确下限"),
        Mistake(100 / n * base, "只取低于该组的百分数，没有插值"),
        Mistake(100 / n * (base + f), "取到该组上限为止的百分数"),
        Mistake(100 / n * (n - base - f * (x - edge) / i), "求成高于该分数者的百分数"),
        Mistake(100 / n * (base + f * (edge + i - x) / i), "从精确上限往下插值却仍用$F_b$"),
        Mistake(100 / n * (base + f / 2), "不论分数高低都取该组次数的一半"),
        Mistake(base + f * (x - edge) / i, "求得次数后没有换成百分数"),
        Mistake(100 / n * (base + f + f * (x - edge) / i), "$F_b$误把本组次数也累加在内"),
        Mistake(100 / n * f * (x - edge) / i, "漏加$F_b$"),
    ]
    test = rng.choice(("公务员行政能力模拟测验", "色觉辨认测验", "急救知识测验"))
    stem = (
        f"{n}人参加{test}，得分（整数）的次数分布为：{table.rows()}。按{GROUPED_RULE}"
        f"（$L_b$为精确下限，$F_b$为低于该组的累加次数），{x}分的百分等级（保留一位小数）为（　　）。"
    )
    steps = (
        f"{x}分在“{table.name(k)}”组，$L_b={plain(edge)}$，$F_b={base}$，$f={f}$，$i={i}$；"
        f"$PR=\\frac{{100}}{{{n}}}\\left[{base}+\\frac{{{f}\\times({x}-{plain(edge)})}}{{{i}}}\\right]$，"
        f"即{number(key, 1)}"
    )
    return Problem("find", stem, numeric_choice(key, mistakes, rank, decimals=1), steps)


def score_at_rank(rng: random.Random, rank: int) -> Problem:
    """Find the score with a given percentile rank in a grouped table, solving the rule backwards."""
    table = draw_grouped(rng, (20, 30, 40), (5, 10), rng.choice((40, 50, 80, 100)))
    n, i, wanted = table.total, table.width, rng.choice((15, 25, 35, 60, 65, 75, 84, 90))
    place = n * wanted / 100
    k = table.group_at(place)
    base, f, edge = table.below(k), table.counts[k], table.bound(k)
    if place - base < 1 or base + f - place < 1:
        raise Redraw
    key = settled(table.at(place), 1, edge + float(number((place - base) / f, 2)) * i)
    mistakes = [
        Mistake(edge + 0.5 + (place - base) / f * i, "用表述下限代替精确下限"),
        Mistake(edge + (base + f - place) / f * i, "误用$F_b$为包括本组在内的累加次数"),
        Mistake(table.at(n - place), "从高分端数起"),
        Mistake(edge, "只取精确下限，没有插值"),
        Mistake(table.bound(k + 1), "直接取精确上限"),
        Mistake(edge + (wanted - base) / f * i, "把百分等级直接当作次数代入"),
        Mistake(table.middle(k), "直接取组中值"),
        Mistake(table.bound(k + 1) + (place - base) / f * i, "$L_b$误取为本组的精确上限"),
        Mistake(table.bound(k - 1) + (place - base) / f * i, "$L_b$误取为前一组的精确下限"),
    ]
    test = rng.choice(("体能综合测验", "青少年生活满意度量表", "家庭功能评定量表"))
    stem = (
        f"{n}名中学生{test}的得分（整数）分布为：{table.rows()}。百分等级按{GROUPED_RULE}计算，"
        f"其中$L_b$为精确下限。百分等级恰为{wanted}的分数$X$（保留一位小数）为（　　）。"
    )
    steps = (
        f"累加次数应为{n}×{wanted}%={plain(place)}，落在“{table.name(k)}”组，"
        f"$L_b={plain(edge)}$，$F_b={base}$，$f={f}$；"
        f"$X={plain(edge)}+\\frac{{{plain(place)}-{base}}}{{{f}}}\\times {i}$，即{number(key, 1)}"
    )
    choice = numeric_choice(key, inside(table, mistakes), rank, decimals=1)
    return Problem("missing", stem, choice, steps, "analyse")


def place_from_rank(rng: random.Random, rank: int) -> Problem:
    """Find the place R from the percentile rank: $R = [N (100 - PR) + 50]/100$."""
    n = rng.choice((50, 100, 125, 200, 250))
    place = rng.randint(n // 20, n - n // 20)
    pr = 100 - (100 * place - 50) / n
    if abs(pr * 100 - round(pr * 100)) > 1e-6:
        raise Redraw
    mistakes = [
        Mistake(float(n + 1 - place), "从低分端数起名次"),
        Mistake(round(pr), "把百分等级当作名次"),
        Mistake(round(100 - pr), "用100减百分等级当作名次，没有乘人数"),
        Mistake(round(pr * n / 100), "求成低于该生的人数"),
        Mistake(n - place, "求成名次在他之后的人数"),
        Mistake(round((n * (100 - pr) + 50 * n) / 100), "把50误乘了人数"),
        Mistake(round(n * pr / 200), "求成低于该生的人数又除以2"),
    ]
    contest = rng.choice(("英语演讲比赛", "数学竞赛", "心理学知识竞赛"))
    stem = (
        f"{n}人参加{contest}，按成绩由高到低排名次$R$，没有并列。百分等级按{RANKED_RULE}计算，"
        f"若一名选手的百分等级为{plain(pr)}，则他的名次是第（　　）。"
    )
    steps = f"由公式得$R=\\frac{{N(100-PR)+50}}{{100}}$=({n}×{plain(100 - pr)}+50)÷100={place}名"
    choice = numeric_choice(place, mistakes, rank, decimals=0, unit="名")
    return Problem("missing", stem, choice, steps, "analyse")


def better_place(rng: random.Random, rank: int) -> Problem:
    """Decide in which of two classes a place is relatively higher, by percentile ranks of ranked data."""
    small, large = rng.choice(((20, 50), (25, 40), (25, 50), (40, 50), (20, 40)))
    r1 = rng.randint(3, 8)
    r2 = rng.randint(r1 + 1, 2 * r1 + 4)

    def pr(r: float, n: int) -> float:
        return 100 - (100 * r - 50) / n

    first, second = pr(r1, small), pr(r2, large)
    if abs(first - second) < 2:
        raise Redraw

    def verdict(is_first: bool, value: float) -> str:
        return f"{'校赛' if is_first else '市赛'}较好，百分等级为{number(value, 2)}"

    is_first = first > second
    n, r = (small, r1) if is_first else (large, r2)
    other = second if is_first else first
    distractors = [
        (verdict(not is_first, other), "百分等级算对了，却取了较低者"),
        (verdict(is_first, 100 - 100 * r / n), "漏减了名次之内的半个名次"),
        (verdict(not is_first, 100 - other), "漏了用100去减"),
    ]
    if abs(other - 50) < 1:
        raise Redraw
    event = rng.choice(("记忆大赛", "辩论能力选拔", "科技创新评比"))
    stem = (
        f"某生参加{event}，校赛在{small}人中得第{r1}名，市赛在{large}人中得第{r2}名（名次由高到低，无并列）。"
        f"按{RANKED_RULE}（$R$为名次）比较他两次的相对地位，正确的是（　　）。"
    )
    steps = (
        f"校赛$PR=100-(100\\times {r1}-50)\\div {small}={number(first, 2)}$，"
        f"市赛$PR=100-(100\\times {r2}-50)\\div {large}={number(second, 2)}$；{verdict(is_first, max(first, second))}"
    )
    key = text_choice(verdict(is_first, max(first, second)), distractors, rank)
    return Problem("decide", stem, key, steps, "analyse")


def ranks_in_two_tests(rng: random.Random, rank: int) -> Problem:
    """Compare the percentile ranks of two normal test scores through the areas below z."""
    z1, z2 = rng.sample((-1.5, -1.0, -0.5, 0.5, 1.0, 1.5, 2.0), 2)
    m1, s1, m2, s2 = rng.choice((70, 75)), rng.choice((6, 8)), rng.choice((50, 100)), rng.choice((10, 12))
    areas = [float(number(NormalDist().cdf(abs(z)) - 0.5, 4)) for z in (z1, z2)]

    def pr(z: float, area: float) -> float:
        return 100 * (0.5 + (area if z > 0 else -area))

    first, second = pr(z1, areas[0]), pr(z2, areas[1])
    key = abs(first - second)
    if abs(z1) == abs(z2):
        raise Redraw
    mistakes = [
        Mistake(100 * abs(areas[0] - areas[1]), "忽略标准分数的正负，直接用两块面积相减"),
        Mistake(100 * (areas[0] + areas[1]), "把两块面积相加"),
        Mistake(100 * abs(z1 - z2) / 6, "把标准分数之差按六个标准差折成百分数"),
        Mistake(abs(m1 + z1 * s1 - m2 - z2 * s2), "用原始分数之差作百分等级之差"),
        Mistake(10 * abs(z1 - z2), "求成T分数之差"),
        Mistake(100 * (1 - areas[0] - areas[1]), "用1减去两块面积之和"),
        Mistake(100 * max(areas), "只取了其中一块面积"),
        Mistake(max(first, second), "只求了较高的百分等级，没有相减"),
        Mistake(min(first, second), "只求了较低的百分等级，没有相减"),
    ]
    one, two = rng.choice((("言语测验", "操作测验"), ("短时记忆测验", "长时记忆测验")))
    table = sorted(zip((abs(z1), abs(z2)), areas, strict=True))
    shown = "，".join(f"$z$为0到{plain(z)}的面积为{number(area, 4)}" for z, area in table)
    stem = (
        f"两个测验的分数都服从正态分布：{one}平均分{m1}、标准差{s1}，{two}平均分{m2}、标准差{s2}。"
        f"某生{one}得{plain(m1 + z1 * s1)}分，{two}得{plain(m2 + z2 * s2)}分。已知正态曲线下{shown}，"
        "以低于该分数者的百分数为百分等级，他两个测验百分等级之差的绝对值（保留两位小数）为（　　）。"
    )
    steps = (
        f"{one}$z={plain(z1)}$，$PR={number(first, 2)}$；{two}$z={plain(z2)}$，$PR={number(second, 2)}$；"
        f"差的绝对值为{number(key, 2)}"
    )
    return Problem("compare", stem, numeric_choice(key, mistakes, rank), steps, "analyse")


FAMILIES: dict[str, list[Family]] = {
    "percentile-rank": [rank_in_groups, score_at_rank, place_from_rank, better_place, ranks_in_two_tests]
}
