"""Calculation questions on the median and the mode.

Conventions of Chinese psychology statistics textbooks: the median is interpolated from exact limits where
the stem says so; the mode is estimated by Pearson's or King's formula, which the stem prints.
"""

import random
import statistics

from psygen.engines.offline.figures import enumerated, plain
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


def median_from_groups(rng: random.Random, rank: int) -> Problem:
    """Find the median of a grouped table: $Md = L_b + (N/2 - F_b)/f * i$."""
    table = draw_grouped(rng, (40, 50, 60), (5, 10), rng.choice((40, 50, 60, 100)))
    half, i = table.total / 2, table.width
    k = table.group_at(half)
    edge, base, f = table.bound(k), table.below(k), table.counts[k]
    if half - base < 1 or base + f - half < 1:
        raise Redraw
    step = (half - base) / f * i
    key = settled(edge + step, 1, edge + float(number((half - base) / f, 2)) * i)
    mistakes = [
        Mistake(edge + 0.5 + step, "用表述下限代替精确下限"),
        Mistake(table.bound(k + 1) - step, "从精确上限往下插值却仍用$F_b$"),
        Mistake(table.middle(k), "直接取中数所在组的组中值"),
        Mistake(edge + half / f * i, "插值时没有减去$F_b$"),
        Mistake(edge + (base + f - half) / f * i, "把$F_b$误作包括中数所在组的累加次数"),
        Mistake(edge + (half - base) / f, "插值时漏乘组距"),
        Mistake(edge - i + step, "精确下限错取为前一组的下限"),
        Mistake(edge + i + step, "精确下限错取为本组的精确上限"),
        Mistake(table.middle(len(table.counts) // 2 - 1), "取分组表正中一组的组中值"),
    ]
    test = rng.choice(("执行功能测验", "空间记忆测验", "语词类推测验"))
    stem = (
        f"{table.total}名老年人{test}的得分（整数）分布如下：{table.rows()}。"
        "用次数分布表法（精确下限插值）求得的中数（保留一位小数）为（　　）。"
    )
    steps = (
        f"$N/2={plain(half)}$，中数落在“{table.name(k)}”组，"
        f"$L_b={plain(edge)}$，$F_b={base}$，$f={f}$，$i={i}$；"
        f"$Md=L_b+\\frac{{N/2-F_b}}{{f}}\\times i={plain(edge)}+\\frac{{{plain(half)}-{base}}}{{{f}}}"
        f"\\times {i}$，即{number(key, 1)}"
    )
    return Problem("find", stem, numeric_choice(key, inside(table, mistakes), rank, decimals=1), steps)


def median_with_ties(rng: random.Random, rank: int) -> Problem:
    """Find the median when the middle value is repeated, by interpolation inside its exact limits."""
    ties, lower = rng.choice((3, 4, 5)), rng.randint(3, 6)
    upper = lower + rng.choice((-2, -1, 1, 2))
    n, x = lower + ties + upper, rng.choice((4, 5, 6))
    need = n / 2 - lower
    low = sorted(rng.choice(range(x - 3, x)) for _ in range(lower))
    high = sorted(rng.choice(range(x + 1, x + 5)) for _ in range(upper))
    values = [*low, *([x] * ties), *high]
    key = settled(x - 0.5 + need / ties, 2)
    mistakes = [
        Mistake(float(x), "直接取重复的数值，没有插值"),
        Mistake(x + need / ties, "把重复的数值本身当作精确下限"),
        Mistake(x + 0.5 - need / ties, "从精确上限往下插值却仍用以下的次数"),
        Mistake(statistics.fmean(values), "求成算术平均数"),
        Mistake(x - 0.5, "取重复数值的精确下限"),
        Mistake(x + 0.5, "取重复数值的精确上限"),
        Mistake(x - 0.5 + ((n + 1) / 2 - lower) / ties, "用$(N+1)/2$代替$N/2$"),
        Mistake(x - 1 + need / ties, "把数值减1当作精确下限"),
    ]
    task = rng.choice(("复述数字的最大位数", "一周内做梦的次数", "走迷津的错误次数"))
    stem = (
        f"{n}名被试{task}从小到大为：{enumerated(values)}。"
        f"位于中间的数值有重复，若把重复的{ties}个{x}看作均匀分布在精确界限{x - 0.5}～{x + 0.5}之内，"
        "以$N/2$定位用插值法求中数，则中数（保留两位小数）为（　　）。"
    )
    steps = (
        f"$N/2={plain(n / 2)}$，小于{x}的有{lower}个，还需{plain(need)}个；"
        f"$Md={x - 0.5}+\\frac{{{plain(need)}}}{{{ties}}}\\times 1$，即{number(key, 2)}"
    )
    return Problem("find", stem, numeric_choice(key, mistakes, rank), steps)


def mean_from_median(rng: random.Random, rank: int) -> Problem:
    """Find the mean when one ordered value is unknown but the median is given."""
    values = [rng.randint(2, 8)]
    for _ in range(5):
        values.append(values[-1] + rng.randint(4, 10))
    values[-1] += rng.choice((6, 8, 12))
    place = rng.choice((2, 3))
    known, other, beside = values[5 - place], values[place], values[3 * place - 5]
    median, rest = (known + other) / 2, sum(values) - other
    key = settled(sum(values) / 6, 2)
    mistakes = [
        Mistake((rest + median) / 6, "把中数直接当作缺失的数据"),
        Mistake((rest + 2 * median - beside) / 6, "求缺失数据时取错了与它相邻的数"),
        Mistake(rest / 5, "略去缺失数据，只平均其余5个"),
        Mistake(rest / 6, "略去缺失数据却仍除以6"),
        Mistake(median, "以中数代替平均数"),
        Mistake((rest + 2 * median) / 6, "把两个中间数之和当作缺失的数据"),
        Mistake(sum(values) / 5, "求出缺失数据后误除以5"),
        Mistake((rest + abs(median - known)) / 6, "把中数与相邻数之差当作缺失的数据"),
    ]
    shown = "、".join("$x$" if j == place else str(v) for j, v in enumerate(values))
    what = rng.choice(("完成拼图所用的时间（秒）", "一周的学习时间（小时）", "走出迷宫的尝试次数"))
    stem = (
        f"6名被试{what}由小到大排列为：{shown}。若这组数据的中数为{plain(median)}，"
        "则其平均数（保留两位小数）为（　　）。"
    )
    steps = (
        f"6个数据的中数是第3、4两个数的平均，$(x+{known})/2={plain(median)}$，得$x={other}$；"
        f"$\\bar X={sum(values)}\\div 6$，即{number(key, 2)}"
    )
    return Problem("missing", stem, numeric_choice(key, mistakes, rank), steps, "analyse")


def which_average(rng: random.Random, rank: int) -> Problem:
    """Decide which average represents data with an extreme value, and reckon it."""
    base, n = rng.choice((280, 320, 360, 410)), rng.choice((7, 9))
    values = [base + step for step in rng.sample(range(60), n - 1)]
    values.insert(rng.choice((1, 2, n - 2, n - 1)), base + rng.choice((900, 1200, 1500)))
    order, median, in_list = sorted(values), statistics.median(values), values[n // 2]
    if abs(in_list - median) < 3:
        raise Redraw

    def verdict(name: str, value: float) -> str:
        return f"用{name}，其值为{number(value, 1)}毫秒"

    distractors = [
        (verdict("平均数", statistics.fmean(values)), "平均数受极端数据影响太大，不宜用它代表这组数据"),
        (verdict("中数", in_list), "没有排序就取了居中的数据"),
        (verdict("平均数", (sum(values) - order[-1]) / (n - 1)), "擅自删去了极端数据，题目要求保留"),
    ]
    stem = (
        f"一名被试在{n}次有效试次中的反应时（毫秒）依次为：{enumerated(values)}。"
        "若不删除任何数据，要用受极端数据影响较小的集中量数代表其典型反应时，"
        "应当选用的量数及其数值（保留一位小数）是（　　）。"
    )
    key = verdict("中数", median)
    steps = (
        f"数据中有极端大的数值，宜用中数；排序后为{enumerated(order)}，"
        f"第{n // 2 + 1}个数即中数：{number(median, 1)}毫秒"
    )
    return Problem("decide", stem, text_choice(key, distractors, rank), steps, "analyse")


def draw_correction(rng: random.Random, values: list[int]) -> tuple[int, int]:
    """Which of the sorted values is corrected, and to what: an end moves outwards, or the least passes the middle."""
    n, kind = len(values), rng.choice(("up", "down", "across"))
    shifts = [n * k for k in range(1, 5)]
    if kind == "up":
        return n - 1, values[-1] + rng.choice(shifts)
    if kind == "down":
        return 0, values[0] - rng.choice(shifts)
    return 0, rng.choice([values[0] + s for s in shifts if values[0] + s > values[n // 2]] or [values[0]])


def change_of_averages(rng: random.Random, rank: int) -> Problem:
    """Compare mean and median before and after the largest or the smallest value is corrected."""
    n = rng.choice((5, 7, 9))
    values = sorted(rng.sample(range(20, 20 + 3 * n), n))
    place, right = draw_correction(rng, values)
    new = sorted([*values[:place], *values[place + 1 :], right])
    shift = abs(right - values[place])
    step, moved = shift // n, new[n // 2] - values[n // 2]
    if right in values or right < 2 or (moved and moved in (step, shift)):
        raise Redraw
    grows = "增大" if right > values[place] else "减小"

    def verdict(mean: int, median: int) -> str:
        first, second = (f"{grows}{v}" if v else "不变" for v in (mean, median))
        return f"平均数{first}，中数{second}"

    crossed = (step, 0) if moved else (0, step)
    distractors = [
        (verdict(step, step), "以为中数与平均数变化同样多"),
        (verdict(*crossed), "以为改动一端的数据不影响中数" if moved else "把平均数与中数受极端数据影响的情形弄反"),
        (verdict(shift, moved), "把数据的增减量当作平均数的增减量，未除以数据个数"),
    ]
    shown = values.copy()
    rng.shuffle(shown)
    what = rng.choice(("攻击行为次数", "错误记忆个数", "顿悟题求解步数"))
    stem = (
        f"{n}名被试的{what}为：{enumerated(shown)}。"
        f"核对时发现其中最{'大' if place else '小'}的数据{values[place]}应为{right}，更正后与更正前相比（　　）。"
    )
    steps = (
        f"总和{grows}{shift}，平均数{grows}{shift}÷{n}={step}；更正后由小到大为{enumerated(new)}，"
        f"第{n // 2 + 1}个数为{new[n // 2]}，原来为{values[n // 2]}；故{verdict(step, moved)}"
    )
    return Problem("compare", stem, text_choice(verdict(step, moved), distractors, rank), steps, "analyse")


# ---- mode ----


def pearson_mode(rng: random.Random, rank: int) -> Problem:
    """Find the mode by Pearson's formula after reckoning the mean: $M_o \\approx 3M_d - 2\\bar X$."""
    n = rng.choice((40, 50, 80, 100))
    mean = rng.randint(480, 640) / 10
    median = mean + rng.choice((-1, 1)) * rng.randint(20, 40) / 10
    key = 3 * median - 2 * mean
    mistakes = [
        Mistake(3 * mean - 2 * median, "公式中平均数与中数的位置颠倒"),
        Mistake(2 * median - mean, "误用$2M_d-\\bar X$"),
        Mistake((median + mean) / 2, "把中数与平均数直接平均"),
        Mistake(mean - (mean - median) / 3, "误用平均数减去两者之差的三分之一"),
        Mistake(median + 3 * (median - mean), "在中数上加了3倍的差"),
    ]
    test = rng.choice(("拖延行为量表", "冲动性量表", "完美主义量表"))
    total = round(mean * n)
    if abs(total - mean * n) > 1e-6:
        raise Redraw
    stem = (
        f"{n}名被试{test}得分的总和为{total}，中数为{number(median, 1)}，分布略呈偏态。"
        "按皮尔逊经验公式$M_o\\approx 3M_d-2\\bar X$估计，众数（保留一位小数）约为（　　）。"
    )
    steps = (
        f"$\\bar X={total}\\div {n}={number(mean, 1)}$；$M_o\\approx 3\\times {number(median, 1)}"
        f"-2\\times {number(mean, 1)}$={number(key, 1)}"
    )
    return Problem("find", stem, numeric_choice(key, mistakes, rank, decimals=1), steps)


def king_mode(rng: random.Random, rank: int) -> Problem:
    """Find the mode by King's interpolation: $M_o = L_b + f_a/(f_a+f_b) * i$."""
    table = draw_grouped(rng, (10, 20, 30), (6, 8, 10), rng.choice((50, 60, 80, 100)))
    k, i = table.counts.index(max(table.counts)), table.width
    edge, fa, fb, f = table.bound(k), table.counts[k + 1], table.counts[k - 1], max(table.counts)
    part = fa / (fa + fb)
    key = settled(edge + part * i, 1, edge + float(number(part, 2)) * i)
    mistakes = [
        Mistake(edge + (1 - part) * i, "把$f_a$与$f_b$弄反"),
        Mistake(table.middle(k), "直接取众数所在组的组中值"),
        Mistake(edge + f / (f + fa + fb) * i, "分子误用众数所在组的次数"),
        Mistake(edge + 0.5 + part * i, "用表述下限代替精确下限"),
        Mistake(edge + fa / (f + fa + fb) * i, "分母多加了众数所在组的次数"),
        Mistake(table.bound(k + 1) + part * i, "以精确上限为起点插值"),
        Mistake(table.bound(k - 1) + part * i, "以前一组的精确下限为起点插值"),
        Mistake(table.at(table.total / 2), "求成中数"),
        Mistake(edge + part, "插值时漏乘组距"),
    ]
    test = rng.choice(("时间管理倾向量表", "睡眠质量指数", "观点采择测验"))
    stem = (
        f"{table.total}名大学生{test}的得分（整数）分布为：{table.rows()}。按金氏插补公式"
        "$M_o=L_b+\\frac{f_a}{f_a+f_b}\\times i$（$L_b$为众数所在组的精确下限，$f_a$、$f_b$分别为比众数所在组"
        "高一组和低一组的次数），众数（保留一位小数）为（　　）。"
    )
    steps = (
        f"众数在“{table.name(k)}”组，$L_b={plain(edge)}$，$f_a={fa}$，$f_b={fb}$，$i={i}$；"
        f"$M_o={plain(edge)}+\\frac{{{fa}}}{{{fa}+{fb}}}\\times {i}$，即{number(key, 1)}"
    )
    return Problem("find", stem, numeric_choice(key, inside(table, mistakes), rank, decimals=1), steps)


def mean_from_mode(rng: random.Random, rank: int) -> Problem:
    """Find the mean from mode and median by Pearson's formula: $\\bar X = (3M_d - M_o)/2$."""
    median = rng.randint(180, 420) / 10
    mode = median + rng.choice((-1, 1)) * rng.randint(30, 72) / 10
    key = settled((3 * median - mode) / 2, 1)
    gap = median - mode
    mistakes = [
        Mistake(3 * mode - 2 * median, "把公式中的平均数与众数互换"),
        Mistake(median + gap, "以为中数在众数与平均数的正中间"),
        Mistake(3 * median - 2 * mode, "把众数当作平均数代入公式"),
        Mistake((median + mode) / 2, "把中数与众数直接平均"),
        Mistake(median + gap / 3, "以为平均数到中数的距离是众数到中数距离的三分之一"),
        Mistake(median - gap / 2, "移项时弄错了符号"),
        Mistake(median + 3 * gap, "以为平均数到中数的距离是中数到众数距离的3倍"),
        Mistake((2 * mode + median) / 3, "误用求中数的公式且两者位置颠倒"),
    ]
    what = rng.choice(("考试焦虑量表得分", "职场压力量表得分", "网络使用问卷得分"))
    stem = (
        f"某研究报告大样本{what}的众数为{number(mode, 1)}，中数为{number(median, 1)}，平均数一栏漏印。"
        "分布略呈偏态，按皮尔逊经验公式$M_o\\approx 3M_d-2\\bar X$估计，平均数（保留一位小数）约为（　　）。"
    )
    steps = (
        f"$\\bar X\\approx (3M_d-M_o)/2=(3\\times {number(median, 1)}-{number(mode, 1)})\\div 2$，即{number(key, 1)}"
    )
    return Problem("missing", stem, numeric_choice(key, mistakes, rank, decimals=1), steps, "analyse")


def skew_from_averages(rng: random.Random, rank: int) -> Problem:
    """Decide the direction of skewness from mean and median, with Pearson's mode."""
    mean = rng.randint(50, 80)
    median = mean + rng.choice((-1, 1)) * rng.randint(2, 6)

    def verdict(mode: int, is_positive: bool) -> str:
        return f"众数约为{mode}，分布呈{'正' if is_positive else '负'}偏态"

    mode, is_positive = 3 * median - 2 * mean, mean > median
    swapped = 3 * mean - 2 * median
    distractors = [
        (verdict(mode, not is_positive), "把正偏态与负偏态中三个集中量数的次序弄反"),
        (verdict(swapped, is_positive), "公式中平均数与中数的位置颠倒"),
        (verdict(swapped, not is_positive), "公式中平均数与中数的位置颠倒，并据此判断偏态方向"),
    ]
    test = rng.choice(("期末统计测验", "创业意向量表", "听觉记忆测验"))
    stem = (
        f"某年级{test}得分的平均数为{mean}，中数为{median}，分布为单峰的偏态分布。按皮尔逊经验公式"
        "$M_o\\approx 3M_d-2\\bar X$估计众数，并判断偏态的方向，正确的是（　　）。"
    )
    order = "众数小于中数小于平均数" if is_positive else "平均数小于中数小于众数"
    key = verdict(mode, is_positive)
    steps = f"$M_o\\approx 3\\times {median}-2\\times {mean}={mode}$；{order}，{key}"
    return Problem("decide", stem, text_choice(key, distractors, rank), steps, "analyse")


def mode_after_joining(rng: random.Random, rank: int) -> Problem:
    """Compare mode and median before and after more scores join the data."""
    for _ in range(200):
        counts = {v: rng.randint(1, 7) for v in range(3, 9)}
        value, extra = rng.randint(3, 8), rng.choice((4, 5, 6))
        new = {**counts, value: counts[value] + extra}
        data, grown = ([v for v, c in d.items() for _ in range(c)] for d in (counts, new))
        modes = [statistics.multimode(d) for d in (data, grown)]
        medians = [statistics.median(d) for d in (data, grown)]
        if len(modes[0]) == len(modes[1]) == 1 and modes[0] != modes[1] and medians[0] != medians[1]:
            break
    else:
        raise Redraw
    old, late = modes[0][0], modes[1][0]

    def verdict(mode: float, median: float) -> str:
        return f"众数为{plain(mode)}，中数为{plain(median)}"

    distractors = [
        (verdict(old, medians[1]), "忽略了众数随次数的增加而改变"),
        (verdict(late, medians[0]), "忽略了中数的位置也随之改变"),
        (verdict(new[late], medians[1]), "把最多的次数当作众数"),
    ]
    listed = "，".join(f"{v}个的{c}人" for v, c in counts.items())
    task = rng.choice(("短时记忆测验中正确再认的图片", "一周内报告的侵入性想法", "放声思维中提出的解法"))
    stem = (
        f"某研究统计了被试{task}个数：{listed}。后来又补测了{extra}人，他们都是{value}个。"
        f"原来的众数为{old}，中数为{plain(medians[0])}；"
        "补测后（取原始数据的众数与中数，不作插值）应为（　　）。"
    )
    steps = (
        f"补测后{value}个的有{new[value]}人，次数最多，众数由{old}变为{late}；"
        f"共{len(grown)}人，居中位置的数值为{plain(medians[1])}，即中数为{plain(medians[1])}"
    )
    choice = text_choice(verdict(late, medians[1]), distractors, rank)
    return Problem("compare", stem, choice, steps, "analyse")


FAMILIES: dict[str, list[Family]] = {
    "median": [median_from_groups, median_with_ties, mean_from_median, which_average, change_of_averages],
    "mode": [pearson_mode, king_mode, mean_from_mode, skew_from_averages, mode_after_joining],
}
