"""Kendall's coefficient of concordance W, as Chinese psychology statistics textbooks work it.

Conventions: K judges rank N objects without ties; W = S / (K^2 (N^3 - N) / 12) with S the squared
deviations of the rank sums; chi-square = K (N - 1) W with N - 1 degrees of freedom for larger N.
"""

import random

from psygen.engines.offline.guards import Ruling, decision_choice, exceeds, hand, patient, settled
from psygen.engines.offline.problem import Family, Mistake, Problem, Redraw, number, numeric_choice
from psygen.engines.offline.tables import chi2_critical


def _full(judges: int, objects: int) -> float:
    """Largest possible sum of squared deviations of the rank sums."""
    return judges**2 * (objects**3 - objects) / 12


def _rankings(rng: random.Random, judges: int, objects: int, swaps: int) -> list[list[int]]:
    """Rankings without ties that agree more or less: each is a base order with some swaps."""
    base = rng.sample(range(1, objects + 1), objects)
    rows: list[list[int]] = []
    for _ in range(judges):
        row = base.copy()
        for _ in range(rng.randint(1, swaps)):
            i, j = rng.sample(range(objects), 2)
            row[i], row[j] = row[j], row[i]
        rows.append(row)
    return rows


def _spread(sums: list[int]) -> float:
    return sum(s * s for s in sums) - sum(sums) ** 2 / len(sums)


def _w_mistakes(s: float, judges: int, objects: int) -> list[Mistake]:
    """What goes wrong in computing W from rank sums."""
    return [
        Mistake(s / _full(objects, judges), "把评价者人数与评价对象数颠倒"),
        Mistake(s / (judges**2 * (objects**2 - 1) / 12), "分母的N³-N误作N²-1"),
        Mistake(s / _full(judges, objects - 1), "分母的N误用N-1"),
        Mistake(s / _full(judges - 1, objects), "分母的K误用K-1"),
        Mistake(s / (judges**2 * objects**3 / 12), "分母漏减N"),
        Mistake(s / (judges * (objects**3 - objects) / 12), "分母的K漏取平方"),
        Mistake((s / _full(judges, objects)) ** 0.5, "误对W开平方"),
        Mistake((s / _full(judges, objects)) ** 2, "误取W的平方"),
        Mistake(1 - s / _full(judges, objects), "误用1减去所求的比值"),
        Mistake(s / _full(judges, objects) / objects, "误把S再除以N"),
        Mistake((judges * s / _full(judges, objects) - 1) / (judges - 1), "误求成平均等级相关系数"),
    ]


@patient
def w_from_rankings(rng: random.Random, rank: int) -> Problem:
    """W from the raw rankings of K judges."""
    story, judge = rng.choice(
        [
            ("5篇作文", "教师"),
            ("5幅广告画", "评委"),
            ("5名应聘者", "面试官"),
            ("6种玩具", "儿童"),
            ("6个心理剧", "评委"),
        ]
    )
    objects, judges = int(story[0]), rng.choice([3, 4])
    rows = _rankings(rng, judges, objects, 3)
    sums = [sum(column) for column in zip(*rows, strict=True)]
    s = _spread(sums)
    key = settled(s / _full(judges, objects), 2)
    if not 0.25 < key < 0.95:
        raise Redraw
    mistakes = [m for m in _w_mistakes(s, judges, objects) if 0 < m.value < 1]
    lines = "；".join(f"{judge}{name}：{'，'.join(map(str, row))}" for name, row in zip("甲乙丙丁", rows, strict=False))
    stem = (
        f"{judges}名{judge}分别对{story}按优劣排列等级（1为最优，没有并列），各人给出的等级依次如下。"
        f"{lines}。"
        "肯德尔和谐系数W（保留两位小数）为（　　）。"
    )
    steps = (
        f"等级和$R_i$为{'，'.join(map(str, sums))}，$S=\\sum R_i^2-(\\sum R_i)^2/N={s:g}$。"
        f"$W=\\frac{{S}}{{\\frac{{1}}{{12}}K^2(N^3-N)}}=\\frac{{{s:g}}}{{{_full(judges, objects):g}}}="
        f"{number(key, 2)}$。"
    )
    return Problem("find", stem, numeric_choice(key, mistakes, rank), steps)


@patient
def squares_from_w(rng: random.Random, rank: int) -> Problem:
    """Sum of squared rank sums backwards from W: W * K^2 (N^3-N)/12 + (sum R)^2 / N."""
    story, judge = rng.choice([("菜品", "品评员"), ("演讲", "评委"), ("班级板报", "学生代表")])
    judges, objects, w = rng.randint(3, 9), rng.randint(5, 9), rng.randint(20, 90) / 100
    total = judges * objects * (objects + 1) // 2
    mean_part = total**2 / objects
    s = w * _full(judges, objects)
    key = s + mean_part
    if abs(key - round(key)) > 1e-9 or round(key) % 2 != total % 2:
        raise Redraw  # sums of squared whole ranks are whole and as odd or even as the sum itself
    mistakes = [
        Mistake(s, "误求成等级和的离差平方和S"),
        Mistake(w * _full(objects, judges) + mean_part, "把评价者人数与评价对象数颠倒"),
        Mistake(s + total**2 / judges, "等级总和的平方误除以K"),
        Mistake(w * judges * (objects**3 - objects) / 12 + mean_part, "K漏取平方"),
        Mistake(_full(judges, objects) + mean_part, "漏乘W"),
        Mistake(mean_part, "漏加离差平方和S"),
        Mistake(w**0.5 * _full(judges, objects) + mean_part, "误对W开平方"),
        Mistake(mean_part - s, "误减去离差平方和S"),
        Mistake(s / judges + total**2 / objects / judges, "误求成除以K后的结果"),
        Mistake(12 * s + mean_part, "漏除以12"),
    ]
    mistakes = [m for m in mistakes if m.value > 0]
    stem = (
        f"{judges}名{judge}对{objects}件{story}排列等级（没有并列），肯德尔和谐系数$W={w:.2f}$。"
        f"各件{story}所得等级和的平方之和"
        "$\\sum R_i^2$为（　　）。"
    )
    steps = (
        f"$S=W\\times\\frac{{1}}{{12}}K^2(N^3-N)={w:.2f}\\times{_full(judges, objects):g}={s:g}$，"
        f"$\\sum R_i=KN(N+1)/2={total}$。$\\sum R_i^2=S+(\\sum R_i)^2/N={s:g}+{mean_part:g}="
        f"{number(key, 0)}$。"
    )
    return Problem("missing", stem, numeric_choice(key, mistakes, rank, decimals=0), steps, "analyse")


@patient
def concordance_decision(rng: random.Random, rank: int) -> Problem:
    """chi-square = K (N - 1) W for larger N, from S, K and N: decide."""
    story, judge = rng.choice([("科普短片", "学生"), ("产品包装", "消费者"), ("教学案例", "专家")])
    judges, objects = rng.randint(3, 6), rng.randint(8, 12)
    s = rng.randint(10, 160) * 10
    w = s / _full(judges, objects)
    if not 0.15 < w < 0.85:
        raise Redraw
    critical, wrong_critical = chi2_critical(objects - 1, 0.05), chi2_critical(judges - 1, 0.05)
    raw = judges * (objects - 1) * w
    key = settled(raw, 1, judges * (objects - 1) * hand(w, 3))
    is_large = exceeds(key, critical)
    mistakes = [
        Mistake(judges * objects * w, "误用N代替N-1"),
        Mistake(objects * (judges - 1) * w, "把评价者人数与评价对象数颠倒"),
        Mistake((objects - 1) * w, "漏乘评价者人数"),
        Mistake(judges**2 * (objects - 1) * w, "误乘评价者人数的平方"),
        Mistake(judges * (objects - 1) * w**0.5, "误对W开平方"),
        Mistake(judges * (objects - 1) * w**2, "误取W的平方"),
        Mistake(judges * (objects - 1) * (1 - w), "误用1-W"),
        Mistake(judges * (objects - 1) * min(w * judges, 1), "W的分母中K漏取平方"),
    ]
    rng.shuffle(mistakes)
    ruling = Ruling(critical, "评价者的一致性达到显著水平", "评价者的一致性未达显著水平")
    choice = decision_choice(rng, lambda x: f"$\\chi^2={number(x, 1)}$", ruling, key, mistakes, rank)
    stem = (
        f"{judges}名{judge}对{objects}个{story}排列等级（没有并列），各{story}等级和的离差平方和$S={s}$。"
        "因对象较多，用"
        f"$\\chi^2=K(N-1)W$检验和谐系数。已知$\\chi^2_{{0.05}}({objects - 1})={critical:.2f}$，"
        f"$\\chi^2_{{0.05}}({judges - 1})={wrong_critical:.2f}$，取$\\alpha=0.05$，"
        "检验结果（保留一位小数）是（　　）。"
    )
    steps = (
        f"$W=\\frac{{{s}}}{{\\frac{{1}}{{12}}\\times{judges}^2\\times({objects}^3-{objects})}}="
        f"{number(w, 3)}$，"
        f"$\\chi^2={judges}\\times({objects}-1)\\times{number(w, 3)}={number(key, 1)}$，"
        f"自由度为{objects - 1}，"
        f"{'大于' if is_large else '小于'}{critical:.2f}，"
        f"{ruling.above if is_large else ruling.below}。"
    )
    return Problem("decide", stem, choice, steps, "analyse")


@patient
def two_panels(rng: random.Random, rank: int) -> Problem:
    """Difference of W between two panels of unlike size, from their sums of squared rank sums."""
    story = rng.choice(["首参赛歌曲", "件毕业设计", "幅候选校徽"])
    k1, k2 = rng.sample([3, 4, 5, 6, 7, 8], 2)
    objects = rng.randint(5, 8)
    w1, w2 = rng.randint(45, 90) / 100, rng.randint(15, 70) / 100
    means = [k**2 * objects * (objects + 1) ** 2 / 4 for k in (k1, k2)]
    squares = [round(w * _full(k, objects) + m) for w, k, m in zip((w1, w2), (k1, k2), means, strict=True)]
    totals = [k * objects * (objects + 1) // 2 for k in (k1, k2)]
    s1, s2 = (q - m for q, m in zip(squares, means, strict=True))
    one, two = s1 / _full(k1, objects), s2 / _full(k2, objects)
    key = settled(one - two, 2, hand(one, 3) - hand(two, 3))
    if key < 0.07 or two < 0.05 or one > 0.97:
        raise Redraw
    if any((q - t) % 2 for q, t in zip(squares, totals, strict=True)):
        raise Redraw  # whole ranks: the sum of squares is as odd or even as the sum
    mistakes = [
        Mistake(s1 / _full(objects, k1) - s2 / _full(objects, k2), "把评价者人数与评价对象数颠倒"),
        Mistake(one, "误求成甲组的和谐系数"),
        Mistake(two, "误求成乙组的和谐系数"),
        Mistake(one**0.5 - two**0.5, "误把两个和谐系数开平方后相减"),
        Mistake(one**2 - two**2, "误把两个和谐系数平方后相减"),
        Mistake(s1 / _full(k1, objects) - s2 / _full(k1, objects), "两组都用甲组的评价者人数"),
        Mistake(s1 / _full(k2, objects) - s2 / _full(k2, objects), "两组都用乙组的评价者人数"),
        Mistake((k1 * one - 1) / (k1 - 1) - (k2 * two - 1) / (k2 - 1), "误求成平均等级相关系数之差"),
        Mistake(1 - key, "误用1减去两者之差"),
        Mistake(one + two, "误把两个和谐系数相加"),
        Mistake((one + two) / 2, "误求成两个和谐系数的平均"),
    ]
    mistakes = [m for m in mistakes if 0 < m.value < 1]
    stem = (
        f"甲、乙两组评委对同样的{objects}{story}排列等级（没有并列）。甲组{k1}人，"
        f"等级和的平方之和$\\sum R_i^2={squares[0]}$；"
        f"乙组{k2}人，$\\sum R_i^2={squares[1]}$。甲组的肯德尔和谐系数比乙组高（保留两位小数）多少？"
    )
    steps = (
        f"$S=\\sum R_i^2-(\\sum R_i)^2/N$，甲组为{s1:g}，乙组为{s2:g}。"
        f"$W=S\\div\\frac{{1}}{{12}}K^2(N^3-N)$，甲组为"
        f"{s1:g}/{_full(k1, objects):g}={number(one, 3)}，"
        f"乙组为{s2:g}/{_full(k2, objects):g}={number(two, 3)}，"
        f"相差{number(key, 2)}。"
    )
    return Problem("compare", stem, numeric_choice(key, mistakes, rank), steps, "analyse")


FAMILIES: dict[str, list[Family]] = {
    "kendall-w": [w_from_rankings, squares_from_w, concordance_decision, two_panels],
}
