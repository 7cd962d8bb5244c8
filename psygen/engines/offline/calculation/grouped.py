"""Calculation questions on cumulative frequency distributions.

Conventions of Chinese psychology statistics textbooks: scores are whole numbers, a group `60～64` has the
exact limits 59.5 and 64.5, frequencies are cumulated from the lowest group upwards, and a percentile is
interpolated inside its group.
"""

import random

from psygen.engines.offline.figures import plain
from psygen.engines.offline.frequency_table import draw_grouped, inside
from psygen.engines.offline.guards import Ruling, decision_choice, settled
from psygen.engines.offline.problem import (
    Family,
    Mistake,
    Problem,
    Redraw,
    number,
    numeric_choice,
    text_choice,
)


def cumulative_percent(rng: random.Random, rank: int) -> Problem:
    """Find the cumulative percentage at an exact upper limit: 100 * cumulative frequency / N."""
    who, test = rng.choice((("大学生", "社交焦虑量表"), ("初中生", "学习动机问卷"), ("护士", "职业倦怠量表")))
    table = draw_grouped(rng, (20, 30, 40), (4, 5, 6), rng.choice((40, 50, 60, 120)))
    k, n = rng.randint(1, len(table.counts) - 2), table.total
    upto = table.below(k + 1)
    key = 100 * upto / n
    mistakes = [
        Mistake(100 * table.below(k) / n, "漏加本组次数，只累加到前一组"),
        Mistake(100 * (n - table.below(k)) / n, "由高分组向低分组累加"),
        Mistake(100 * table.counts[k] / n, "只求本组的百分数而未累加"),
        Mistake(100 * table.below(k + 2) / n, "多累加了一组"),
        Mistake(100 * (n - upto) / n, "求成该上限以上人数的百分数"),
        Mistake(100 * (upto - table.counts[k] / 2) / n, "误取组中值为界，本组次数只计一半"),
        Mistake(float(upto), "把累加次数当作累加百分数"),
        Mistake(100 * (upto + table.counts[k + 1] / 2) / n, "误以后一组的组中值为界"),
    ]
    stem = (
        f"用{test}测查{n}名{who}，得分均为整数，整理成的次数分布表为：{table.rows()}。"
        f"若由低分组向高分组累加，则“{table.name(k)}”组精确上限{plain(table.bound(k + 1))}分以下的"
        "累加百分数（保留一位小数）为（　　）。"
    )
    adds = "+".join(str(c) for c in table.counts[: k + 1])
    steps = (
        f"由低向高累加至“{table.name(k)}”组（含本组）：累加次数为{adds}={upto}；"
        f"累加百分数$=\\frac{{{upto}}}{{{n}}}\\times 100\\%$，即{number(key, 1)}%"
    )
    return Problem("find", stem, numeric_choice(key, mistakes, rank, decimals=1, unit="%"), steps)


def hidden_count(rng: random.Random, rank: int) -> Problem:
    """Find a group's frequency when the cumulative frequency before it is hidden but its share is known."""
    total = rng.choice((50, 100, 200))
    counts = draw_grouped(rng, (0,), (5,), total).counts
    k = rng.randint(2, len(counts) - 3)
    sums = [sum(counts[: j + 1]) for j in range(len(counts))]
    share = number(counts[k] / total, 3 if total == 200 else 2)
    key = counts[k + 1]
    mistakes = [
        Mistake(sums[k + 1] - sums[k - 1], "两个已知累加次数直接相减，未扣除缺失组的次数"),
        Mistake(counts[k], "求成缺失组自身的次数"),
        Mistake(total - sums[k + 1], "求成该组以上各组的次数和"),
        Mistake(sums[k + 1] - counts[k], "只扣除缺失组的次数，未扣除更低各组的次数"),
        Mistake(sums[k], "求成缺失的累加次数"),
        Mistake(sums[k - 1] - sums[k - 2], "错用前一组的两个累加次数相减"),
        Mistake(total - sums[k], "用总次数减缺失的累加次数"),
        Mistake(counts[-1], "误取最高组的次数"),
        Mistake(abs(counts[k] - key), "从所求组的次数中又减去缺失组的次数"),
    ]
    listed = "，".join(f"第{j + 1}组" + ("（　）" if j == k else str(s)) for j, s in enumerate(sums))
    test = rng.choice(("瑞文推理测验", "青少年自尊量表", "广泛性焦虑筛查"))
    stem = (
        f"某研究者整理{test}的得分，从最低组（第1组）起逐组累加得到的累加次数依次为：{listed}，"
        f"其中一个数据字迹不清（以空括号表示）。已知第{k + 1}组的相对次数为{share}，"
        f"则第{k + 2}组的次数为（　　）。"
    )
    steps = (
        f"总次数为最高组的累加次数{total}；第{k + 1}组次数为{total}×{share}={counts[k]}；"
        f"第{k + 1}组累加次数为{sums[k - 1]}+{counts[k]}={sums[k]}；"
        f"第{k + 2}组次数为{sums[k + 1]}-{sums[k]}={key}"
    )
    return Problem("missing", stem, numeric_choice(key, mistakes, rank, decimals=0), steps, "analyse")


def percentile_point(rng: random.Random, rank: int) -> Problem:
    """Find a percentile from a grouped table: $P_p = L_b + (pN/100 - F_b)/f * i$."""
    table = draw_grouped(rng, (30, 40, 50), (5, 10), rng.choice((40, 60, 80, 120)))
    p = rng.choice((10, 20, 30, 40, 60, 70, 80, 85, 90))
    place, i = table.total * p / 100, table.width
    k = table.group_at(place)
    base, f, edge = table.below(k), table.counts[k], table.bound(k)
    if place - base < 1 or base + f - place < 1:
        raise Redraw
    rounded = edge + float(number((place - base) / f, 2)) * i
    key = settled(table.at(place), 1, rounded)
    mistakes = [
        Mistake(edge + place / f * i, "插值时没有减去$F_b$"),
        Mistake(edge + i - (place - base) / f * i, "从该组精确上限向下插值却仍用$F_b$"),
        Mistake(edge + (p - base) / f * i, "未把百分数换成次数，直接用百分数减$F_b$"),
        Mistake(table.middle(k), "直接以组中值代替，没有插值"),
        Mistake(table.bound(k + 1), "直接取该组的精确上限"),
        Mistake(edge, "直接取该组的精确下限"),
        Mistake(table.at(table.total - place), "由高分端向低分端数次数"),
        Mistake(edge - i + (place - base) / f * i, "精确下限错取为前一组的下限"),
        Mistake(edge + i + (place - base) / f * i, "精确下限错取为本组的精确上限"),
    ]
    test = rng.choice(("空间能力测验", "汉语阅读理解测验", "数学推理测验"))
    stem = (
        f"{table.total}名应聘者参加{test}，得分为整数，次数分布为：{table.rows()}。"
        f"假定各组内分数均匀分布，则第{p}百分位数$P_{{{p}}}$（用精确下限插值，保留一位小数）为（　　）。"
    )
    steps = (
        f"{table.total}×{p}%={plain(place)}，由低向高累加，$P_{{{p}}}$落在“{table.name(k)}”组，"
        f"$L_b={plain(edge)}$，$F_b={base}$，$f={f}$，$i={i}$；"
        f"$P_{{{p}}}=L_b+\\frac{{{p}N/100-F_b}}{{f}}\\times i"
        f"={plain(edge)}+\\frac{{{plain(place)}-{base}}}{{{f}}}\\times {i}$，即{number(key, 1)}"
    )
    return Problem("find", stem, numeric_choice(key, inside(table, mistakes), rank, decimals=1), steps)


def reaches_share(rng: random.Random, rank: int) -> Problem:
    """Decide from the cumulative percentage whether a score is among the best or slowest part of a group."""
    table = draw_grouped(rng, (200, 250, 300), (20, 25), rng.choice((40, 50, 100)))
    k = rng.randint(len(table.counts) - 4, len(table.counts) - 2)
    n, upto = table.total, table.below(k + 1)
    percent = 100 * upto / n
    share = rng.choice((15, 20, 25, 30, 35, 40))
    mistakes = [
        Mistake(100 * table.below(k) / n, "漏加该被试所在组的次数"),
        Mistake(100 - percent, "由高分组向低分组累加，得到的是以上的百分数"),
        Mistake(100 * table.below(k + 2) / n, "多累加了一组"),
        Mistake(100 * (upto - table.counts[k] / 2) / n, "误取组中值为界，该组次数只计一半"),
        Mistake(100 * table.counts[k] / n, "只求该组的百分数而未累加"),
    ]
    mistakes = [m for m in mistakes if m.value < 99]
    ruling = Ruling(100 - share, f"属于最慢的{share}%", f"不属于最慢的{share}%")
    choice = decision_choice(rng, lambda v: f"累加百分数为{number(v, 1)}%", ruling, percent, mistakes, rank)
    stem = (
        f"{n}名被试的简单反应时（毫秒，整数）次数分布为：{table.rows()}。规定反应时长于全体中"
        f"{100 - share}%的人者属于“最慢的{share}%”。某被试的反应时恰为{plain(table.bound(k + 1))}毫秒"
        f"（即“{table.name(k)}”组的精确上限），由低到高累加，他的累加百分数及结论应为（　　）。"
    )
    is_slow = percent > 100 - share
    steps = (
        f"该上限以下的累加次数为{upto}，累加百分数为{upto}÷{n}×100%={number(percent, 1)}%；"
        f"{'大于' if is_slow else '小于'}{100 - share}%，故{'属于' if is_slow else '不属于'}最慢的{share}%"
    )
    return Problem("decide", stem, choice, steps, "analyse")


def two_groups_below(rng: random.Random, rank: int) -> Problem:
    """Compare the cumulative percentages of two groups of unequal size at one exact limit."""
    small, large = rng.choice(((40, 50), (50, 100), (40, 100), (40, 200), (50, 200)))
    first = draw_grouped(rng, (45, 50), (5,), small, (6,))
    second = draw_grouped(rng, (first.lower,), (5,), large, (6,))
    k = rng.randint(1, 3)
    a, b = first.below(k + 1), second.below(k + 1)
    pa, pb = 100 * a / small, 100 * b / large

    def verdict(difference: float) -> str:
        return f"{'甲' if difference > 0 else '乙'}校较高，相差{number(abs(difference), 1)}个百分点"

    wrong = [
        (100 * first.below(k) / small - 100 * second.below(k) / large, "漏加界限所在组的次数"),
        (100 * a / (small + large) - 100 * b / (small + large), "两校都以总人数作分母"),
        (float(a - b), "直接比较累加次数，没有化成百分数"),
        (pb - pa, "把两校的累加百分数相减时颠倒了学校"),
    ]
    wrong = [w for w in wrong if min(abs(w[0]), abs(w[0] - pa + pb)) > 0.4 and abs(w[0]) < 60]
    if abs(pa - pb) < 1.5 or len(wrong) < 3:
        raise Redraw
    distractors = [(verdict(v), why) for v, why in wrong[:3]]
    stem = (
        f"在两所学校各抽取一部分学生施测同一份阅读测验（得分为整数）。甲校{small}人：{first.rows()}。"
        f"乙校{large}人：{second.rows()}。比较两校学生得分在{plain(first.bound(k + 1))}分以下者的"
        "累加百分数，正确的是（　　）。"
    )
    steps = f"甲校{a}÷{small}×100%={number(pa, 1)}%，乙校{b}÷{large}×100%={number(pb, 1)}%；{verdict(pa - pb)}"
    return Problem("compare", stem, text_choice(verdict(pa - pb), distractors, rank), steps, "analyse")


FAMILIES: dict[str, list[Family]] = {
    "cumulative-frequency-distribution": [
        cumulative_percent,
        hidden_count,
        percentile_point,
        reaches_share,
        two_groups_below,
    ]
}
