"""Calculation questions on the frequency distribution table.

Conventions of Chinese psychology statistics textbooks: range R = largest - smallest, number of groups
K = 1.87 (N-1)^(2/5), whole-number scores, exact limits half a unit outside the stated limits.
"""

import random

from psygen.engines.offline.figures import plain
from psygen.engines.offline.frequency_table import Grouped, draw_grouped
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


def group_width(rng: random.Random, rank: int) -> Problem:
    """Find the group width: K = 1.87 (N-1)^(2/5) rounded to a whole number, i = R/K."""
    n = rng.choice((60, 80, 100, 120, 150, 200, 240, 300, 500))
    low = rng.randint(180, 240)
    high = low + rng.randint(150, 320)
    exact = 1.87 * (n - 1) ** 0.4
    groups = round(settled(exact, 0))
    spread = high - low
    key = settled(spread / groups, 1)

    def width(groups_wrong: float) -> float:
        return spread / max(1, round(groups_wrong))

    mistakes = [
        Mistake(width((n - 1) ** 0.4), "求组数时漏乘1.87"),
        Mistake(width(1.87 * (n - 1) ** 0.5), "把指数2/5误作1/2"),
        Mistake(high / groups, "用最大值代替全距"),
        Mistake(width(1.87 * (n - 1) ** 0.6), "把指数2/5误作3/5"),
        Mistake(width((1.87 * (n - 1)) ** 0.4), "把1.87也放进乘方的底数"),
        Mistake(width(1.87 * (n - 1) * 0.4), "把指数2/5当作乘数"),
        Mistake(width(1.87 * (n - 1) ** (1 / 3)), "把指数2/5误作1/3"),
    ]
    task = rng.choice(("选择反应时", "词汇判断任务反应时", "心理旋转任务反应时"))
    stem = (
        f"某研究测得{n}名被试的{task}（毫秒），最大值为{high}，最小值为{low}，资料近似正态。"
        f"编制次数分布表时用公式$K=1.87(N-1)^{{2/5}}$确定组数（取最接近的整数），再用$i=R/K$求组距，"
        "其中全距$R$为最大值与最小值之差，则组距的计算值（保留一位小数）为（　　）。"
    )
    steps = (
        f"$R={high}-{low}={spread}$；$K=1.87\\times({n}-1)^{{2/5}}\\approx {exact:.2f}$，取{groups}；"
        f"$i=R/K={spread}\\div {groups}$，即{number(key, 1)}毫秒"
    )
    return Problem("find", stem, numeric_choice(key, mistakes, rank, decimals=1, unit="毫秒"), steps)


def hidden_frequency(rng: random.Random, rank: int) -> Problem:
    """Find a missing frequency from its relative frequency p: f = S p / (1 - p), S the known frequencies."""
    p = rng.choice((0.15, 0.2, 0.25, 0.3, 0.36, 0.375, 0.4))
    total = rng.choice((40, 80, 100, 120, 200))
    key = round(total * p)
    if abs(total * p - key) > 1e-9:
        raise Redraw
    shares = rng.choice(((3, 7, 8, 4), (4, 8, 6, 2), (2, 6, 9, 5)))
    known = [max(2, round((total - key) * s / sum(shares))) for s in shares]
    rest = total - key
    known[1] += rest - sum(known)
    wrong = [
        (rest * p, "以其余各组次数之和作分母求百分数"),
        (rest * (1 - p), "用(1-p)去乘其余各组次数之和"),
        (rest / 4, "以其余四组次数的平均数代替"),
        (100 * p, "把百分次数直接当作次数"),
        (float(total), "求成总次数"),
        (float(known[0] + known[1] + key), "求成该组的累加次数"),
        (float(rest), "求成其余各组次数之和"),
        (float(known[0] + known[1]), "求成低于该组的累加次数"),
        (float(known[2]), "误取相邻组的次数"),
    ]
    mistakes = [Mistake(v, why) for v, why in wrong if abs(v - round(v)) < 1e-9]
    listed = "，".join(f"第{j}组{c}人" for j, c in zip((1, 2, 4, 5), known, strict=True))
    test = rng.choice(("学业自我效能量表", "手机依赖量表", "领悟社会支持量表"))
    stem = (
        f"某校用{test}施测后编制了分为5组的次数分布表：{listed}，第3组的次数漏填，"
        f"只知道第3组的百分次数为{plain(100 * p)}%。第3组的次数为（　　）。"
    )
    steps = (
        f"其余四组共{rest}人，占总次数的{plain(100 * (1 - p))}%；总次数为{rest}÷{plain(1 - p)}={total}；"
        f"第3组次数为{total}-{rest}={key}人"
    )
    choice = numeric_choice(key, mistakes, rank, decimals=0, unit="人")
    return Problem("missing", stem, choice, steps, "analyse")


def exact_limit(rng: random.Random, rank: int) -> Problem:
    """Find the exact upper limit of a group from the lowest midpoint and the width: m + (k-1) i + i/2."""
    width = rng.choice((3, 4, 5, 6))
    lower = rng.choice((6, 8, 10, 12, 15))
    k = rng.choice((3, 4, 5, 6))
    table = Grouped(lower, width, (1,) * 8)
    first, key = table.middle(0), table.bound(k)
    mistakes = [
        Mistake(first + k * width + width / 2, f"组序多数了一组（乘了{k}而不是{k - 1}）"),
        Mistake(first + (k - 1) * width, "求成该组的组中值"),
        Mistake(first + (k - 1) * width - width / 2, "求成该组的精确下限"),
        Mistake(first + k * width, "求成后一组的组中值"),
        Mistake(first + (k - 1) * width + width, "由组中值加上整个组距"),
        Mistake(first + (k - 2) * width, "求成前一组的组中值"),
        Mistake(first + (k + 1) * width + width / 2, "组序多数了两组"),
        Mistake(key - 0.5, "求成该组的表述上限"),
        Mistake(key + 0.5, "在表述上限上加了1"),
    ]
    test = rng.choice(("数字划消测验", "记忆广度测验", "词语流畅性测验"))
    stem = (
        f"某{test}的得分均为整数，编成等距的次数分布表。由低分到高分排列，最低组（第1组）的组中值为"
        f"{plain(first)}，组距为{width}，则第{k}组的精确上限为（　　）。"
    )
    steps = (
        f"第{k}组的组中值为{plain(first)}+({k}-1)×{width}={plain(first + (k - 1) * width)}；"
        f"精确上限为组中值加半个组距：{plain(first + (k - 1) * width)}+{width}÷2={number(key, 1)}"
    )
    return Problem("find", stem, numeric_choice(key, mistakes, rank, decimals=1), steps)


def lowest_group_and_number(rng: random.Random, rank: int) -> Problem:
    """Decide how to lay out the groups: lowest group from a multiple of i, enough groups for the maximum."""
    i = rng.choice((3, 5, 6, 10))
    low = rng.randint(32, 58)
    high = low + rng.randint(7 * i, 11 * i)
    start, last = low // i * i, high // i * i
    groups = (last - start) // i + 1
    if low == start or -(-(high - low) // i) == groups or (high - low) // i + 1 == groups:
        raise Redraw

    def layout(first: int, end: int, count: int) -> str:
        return f"最低组为{first}～{end}，共{count}组"

    by_range = -(-(high - low) // i)
    distractors = [
        (layout(start, start + i - 1, by_range), "用全距除以组距定组数，按此分组容纳不下最大值"),
        (layout(low, low + i - 1, (high - low) // i + 1), "最低组下限未取组距的整倍数"),
        (layout(start, start + i, groups), "相邻两组的表述界限重叠，恰在界上的分数归属不明"),
    ]
    key = layout(start, start + i - 1, groups)
    what = rng.choice(("注意力测验", "汉字识别测验", "应对方式问卷"))
    stem = (
        f"某{what}的得分均为整数，最低{low}分，最高{high}分。编制次数分布表时取组距$i={i}$，规定各组的表述"
        "下限均为组距的整倍数，各组用表述界限书写且不重不漏，最低组和最高组都不得是空组，则分组应为（　　）。"
    )
    steps = (
        f"不大于{low}的{i}的最大整倍数为{start}，故最低组为{start}～{start + i - 1}；"
        f"最高分{high}落在{last}～{last + i - 1}组；组数为({last}-{start})÷{i}+1={groups}"
    )
    return Problem("decide", stem, text_choice(key, distractors, rank), steps, "analyse")


def two_relative_frequencies(rng: random.Random, rank: int) -> Problem:
    """Compare the relative frequencies of one group of scores in two samples of unequal size."""
    small, large = rng.choice(((40, 50), (50, 100), (40, 100), (40, 200), (50, 200)))
    first = draw_grouped(rng, (60,), (5,), small, (6,))
    second = draw_grouped(rng, (60,), (5,), large, (6,))
    k = rng.randint(1, 4)
    a, b = first.counts[k], second.counts[k]
    exact = a / small - b / large

    def verdict(difference: float) -> str:
        return f"{'女' if difference > 0 else '男'}生组较大，相差{number(abs(difference), 3)}"

    both = small + large
    wrong = [
        (a / both - b / both, "两组都用合并的总次数作分母"),
        (first.below(k + 1) / small - second.below(k + 1) / large, "求成两组的累加相对次数之差"),
        (a / (small - a) - b / (large - b), "以其余各组的次数之和作分母"),
        (-exact, "相对次数算对了，相减时却颠倒了两组"),
    ]
    wrong = [w for w in wrong if min(abs(w[0] - exact), abs(w[0])) > 0.005]
    if abs(exact) < 0.02 or len(wrong) < 3:
        raise Redraw
    test = rng.choice(("共情量表", "职业兴趣问卷", "人际信任量表"))
    stem = (
        f"用{test}（得分为整数）测得女生组{small}人的次数分布：{first.rows()}；男生组{large}人的次数分布："
        f"{second.rows()}。就“{first.name(k)}”组的相对次数（保留三位小数）比较两组，正确的是（　　）。"
    )
    steps = f"女生组为{a}÷{small}={number(a / small, 3)}，男生组为{b}÷{large}={number(b / large, 3)}；{verdict(exact)}"
    key = text_choice(verdict(exact), [(verdict(v), why) for v, why in wrong[:3]], rank)
    return Problem("compare", stem, key, steps, "analyse")


FAMILIES: dict[str, list[Family]] = {
    "frequency-distribution-table": [
        group_width,
        hidden_frequency,
        exact_limit,
        lowest_group_and_number,
        two_relative_frequencies,
    ]
}
