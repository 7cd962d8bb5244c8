"""Calculation questions on the rank correlation.

Convention of Chinese psychology statistics textbooks: Spearman's $r_R=1-6\\sum D^2/[n(n^2-1)]$, ranks without
ties.
"""

import random

from psygen.engines.offline.figures import enumerated, plain
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


def spearman(d2: float, n: int) -> float:
    """Spearman's coefficient for untied ranks."""
    return 1 - 6 * d2 / (n * (n * n - 1))


def draw_ranks(rng: random.Random, n: int, shuffles: int) -> list[int]:
    """The ranks 1..n with a few exchanges."""
    ranks = list(range(1, n + 1))
    for _ in range(shuffles):
        a, b = rng.sample(range(n), 2)
        ranks[a], ranks[b] = ranks[b], ranks[a]
    return ranks


def rank_order_differences(x: list[int], y: list[int]) -> int:
    """Sum of squared rank differences."""
    return sum((a - b) ** 2 for a, b in zip(x, y, strict=True))


def rank_correlation(rng: random.Random, rank: int) -> Problem:
    """Find Spearman's coefficient from scores that must be ranked first."""
    n = rng.choice((6, 7, 8))
    order = draw_ranks(rng, n, n)
    other = draw_ranks(rng, n, rng.randint(2, 3))
    y_rank = [other[v - 1] for v in order]
    d2 = rank_order_differences(order, y_rank)
    exact = spearman(d2, n)
    if not 0.2 < abs(exact) < 0.95:
        raise Redraw
    key = settled(exact, 2)
    low, gap = rng.randint(55, 62), rng.randint(2, 4)
    x = [low + gap * (n - v) + v % 2 for v in order]
    total = sum(abs(a - b) for a, b in zip(order, y_rank, strict=True))
    wrong = [
        (1 - d2 / (n * (n * n - 1)), "公式中漏乘6"),
        (6 * d2 / (n * (n * n - 1)), "漏了用1去减"),
        (1 - 6 * d2 / n**3, "分母误用n的立方"),
        (1 - 6 * d2 / (n * n * (n - 1)), "分母误用$n^2(n-1)$"),
        (1 - 6 * total / (n * (n * n - 1)), "等级差没有平方"),
        (-exact, "两列的等级一列由大到小、一列由小到大"),
        (1 - 6 * d2 / (n * (n * n + 1)), "分母误用$n(n^2+1)$"),
        (1 - 6 * d2 / ((n - 1) * (n * n - 1)), "分母误用$(n-1)(n^2-1)$"),
    ]
    mistakes = [Mistake(v, why) for v, why in wrong if abs(v) <= 1]
    what = rng.choice(("创造性得分", "语言表达得分", "同伴提名得分"))
    stem = (
        f"{n}名学生的{what}依次为{enumerated(x)}，教师按由高到低给他们评定的名次依次为{enumerated(y_rank)}。"
        "把得分也由高到低化成等级后，两者的斯皮尔曼等级相关系数（保留两位小数）为（　　）。"
    )
    steps = (
        f"得分的等级依次为{enumerated(order)}；$\\sum D^2={d2}$；$r_R=1-\\frac{{6\\sum D^2}}{{n(n^2-1)}}"
        f"=1-\\frac{{6\\times {d2}}}{{{n}\\times({n}^2-1)}}$，即{number(key, 2)}"
    )
    return Problem("find", stem, numeric_choice(key, mistakes, rank), steps)


def squared_differences_back(rng: random.Random, rank: int) -> Problem:
    """Find $\\sum D^2$ from Spearman's coefficient: $\\sum D^2 = (1 - r_R) n (n^2 - 1)/6$."""
    n = rng.choice((9, 10, 11, 15, 16, 20))
    base = n * (n * n - 1) // 6
    r = rng.choice((-0.3, -0.2, 0.1, 0.2, 0.3, 0.4, 0.45, 0.6, 0.7, 0.75, 0.8))
    exact = base * (1 - r)
    if abs(exact - round(exact)) > 1e-6 or round(exact) % 2:
        raise Redraw
    key = round(exact)
    wrong = [
        (base * abs(r), "漏了用1去减"),
        (base * (1 + r), "移项时弄错了符号"),
        (6 * base * (1 - r), "移项时漏除以6"),
        ((1 - r) * n * n * (n - 1) / 6, "误用$n^2(n-1)$"),
        (base * (1 - r * r), "相关系数误作平方"),
        ((1 - r) * n * n / 6, "误用$n^2$代替$n(n^2-1)$"),
        (base, "没有乘以$(1-r_R)$"),
        (base * (1 - r) / 2, "误除以12"),
    ]
    mistakes = [Mistake(v, why) for v, why in wrong if abs(v - round(v)) < 1e-6]
    judges = rng.choice(("两位评委按效果给{}则广告", "两位教练按表现给{}名队员", "两位导师给{}份开题报告"))
    stem = (
        f"{judges.format(n)}各自排出名次，没有相同名次，"
        f"求得斯皮尔曼等级相关系数$r_R$恰为{plain(r)}，"
        "则两列名次之差的平方和$\\sum D^2$为（　　）。"
    )
    steps = (
        f"由$r_R=1-\\frac{{6\\sum D^2}}{{n(n^2-1)}}$得$\\sum D^2=\\frac{{(1-r_R)n(n^2-1)}}{{6}}"
        f"=(1-{plain(r)})\\times {n}\\times {n * n - 1}\\div 6$，即{key}"
    ).replace("1--", "1+")
    return Problem("missing", stem, numeric_choice(key, mistakes, rank, decimals=0), steps, "analyse")


def most_alike_judges(rng: random.Random, rank: int) -> Problem:
    """Decide which pair of three judges agrees most, by Spearman's coefficient."""
    n = rng.choice((5, 6, 7))
    columns = {name: draw_ranks(rng, n, 3) for name in "甲乙丙"}
    pairs = ("甲与乙", "甲与丙", "乙与丙")
    d2 = {p: rank_order_differences(columns[p[0]], columns[p[2]]) for p in pairs}
    order = sorted(pairs, key=lambda p: d2[p])
    r = {p: spearman(d2[p], n) for p in pairs}
    ahead = r[order[0]] - r[order[1]]
    if len(set(d2.values())) < 3 or d2[order[0]] == 0 or r[order[0]] < 0.3 or ahead < 0.08:
        raise Redraw

    def verdict(pair: str, value: float) -> str:
        return f"{pair}最一致，$r_R$={number(value, 2)}"

    best = order[0]
    settled(r[best], 2)
    distractors = [
        (verdict(order[2], r[order[2]]), "把等级差平方和最大的一对当作最一致"),
        (verdict(best, 1 - d2[best] / (n * (n * n - 1))), "公式中漏乘6"),
        (verdict(order[1], r[order[1]]), "没有找出等级差平方和最小的一对"),
    ]
    things = rng.choice(("部短片", "件设计作品", "篇征文"))
    shown = "；".join(f"{name}{enumerated(ranks)}" for name, ranks in columns.items())
    stem = (
        f"甲、乙、丙三位评委按由好到差给同样的{n}{things}排名次，没有相同名次，各件依次得到的名次为："
        f"{shown}。"
        "用斯皮尔曼等级相关比较评委两两之间的一致程度，正确的是（　　）。"
    )
    sums = "，".join(f"{p}$\\sum D^2={d2[p]}$" for p in pairs)
    steps = f"{sums}；平方和越小相关越高；$r_R=1-6\\times {d2[best]}\\div {n * (n * n - 1)}$，{verdict(best, r[best])}"
    return Problem("decide", stem, text_choice(verdict(best, r[best]), distractors, rank), steps, "analyse")


def corrected_rank_correlation(rng: random.Random, rank: int) -> Problem:
    """Compare Spearman's coefficient before and after two ranks of one judge are exchanged."""
    n = rng.choice((6, 7, 8, 9))
    x, y = draw_ranks(rng, n, n), draw_ranks(rng, n, n)
    a, b = sorted(rng.sample(range(n), 2))
    new = y.copy()
    new[a], new[b] = new[b], new[a]
    old_d2, new_d2 = rank_order_differences(x, y), rank_order_differences(x, new)
    exact = abs(spearman(old_d2, n) - spearman(new_d2, n))
    change = abs(old_d2 - new_d2)
    if change < 6 or exact > 1.2:
        raise Redraw
    base = n * (n * n - 1)
    rounded = [float(number(spearman(d2, n), 2)) for d2 in (old_d2, new_d2)]
    key = settled(exact, 2, abs(rounded[0] - rounded[1]))
    wrong = [
        (change / base, "公式中漏乘6"),
        (6 * change / n**3, "分母误用n的立方"),
        (6 * change / (n * n * (n - 1)), "分母误用$n^2(n-1)$"),
        (1 - exact, "用1减去了变化量"),
        (exact / 2, "只更正了一个名次"),
        (exact * 2, "把变化重复计算了一次"),
        (abs(spearman(new_d2, n)), "求成更正后的相关系数（绝对值）"),
        (abs(spearman(old_d2, n)), "求成更正前的相关系数（绝对值）"),
    ]
    mistakes = [Mistake(v, why) for v, why in wrong if 0 < v < 1.6]
    what = rng.choice(("语文与英语成绩", "专家与新手对风险情境", "自评与同伴对外向性"))
    direction = "升高" if new_d2 < old_d2 else "降低"
    stem = (
        f"关于{what}的两列等级（无相同等级）依次为：第一列{enumerated(x)}；第二列{enumerated(y)}。后来发现第二列的"
        f"第{a + 1}个与第{b + 1}个等级抄反了，对调之后，斯皮尔曼等级相关系数比对调前{direction}了"
        "（保留两位小数）（　　）。"
    )
    steps = (
        f"对调前$\\sum D^2={old_d2}$，对调后$\\sum D^2={new_d2}$；相关系数之差为"
        f"$\\frac{{6\\times {change}}}{{{n}\\times({n}^2-1)}}$，即{number(key, 2)}"
    )
    return Problem("compare", stem, numeric_choice(key, mistakes, rank), steps, "analyse")


FAMILIES: dict[str, list[Family]] = {
    "rank-correlation": [
        rank_correlation,
        squared_differences_back,
        most_alike_judges,
        corrected_rank_correlation,
    ],
}
