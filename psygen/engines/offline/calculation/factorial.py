"""Two-way between-subjects analysis of variance with equal cells, as Chinese textbooks work it.

Conventions: total = A + B + AB + within cells; both factors fixed, all F over the within-cell mean square.
"""

import random

from psygen.engines.offline.figures import plain
from psygen.engines.offline.guards import exceeds, hand, patient, settled
from psygen.engines.offline.problem import (
    Family,
    Mistake,
    Problem,
    Redraw,
    number,
    numeric_choice,
    text_choice,
)
from psygen.engines.offline.tables import f_critical


@patient
def interaction_f(rng: random.Random, rank: int) -> Problem:
    """F of the interaction from the other sums of squares: SS_AB = SS_t - SS_A - SS_B - SS_w."""
    factors = rng.choice(
        [
            ("教材类型", "教学方法", "学生成绩"),
            ("练习方式", "反馈类型", "技能得分"),
            ("情绪状态", "任务难度", "解题得分"),
        ]
    )
    a, b, size = rng.choice([(2, 3, 5), (3, 3, 6), (2, 4, 6), (3, 4, 5), (2, 3, 8)])
    df, within_df = (a - 1) * (b - 1), a * b * (size - 1)
    first, second, both = rng.randint(20, 90), rng.randint(20, 120), rng.randint(30, 150)
    within = rng.randint(3, 14) * within_df + rng.choice([0, within_df // 2])
    total = first + second + both + within
    unit = within / within_df
    key = settled(both / df / unit, 2, hand(both / df) / hand(unit))
    mistakes = [
        Mistake((both + first + second) / df / unit, "没有从组间平方和中减去两个主效应"),
        Mistake(both / (a * b - 1) / unit, "交互作用自由度误用ab-1"),
        Mistake(both / df / (within / (a * b * size - 1)), "组内自由度误用N-1"),
        Mistake(both / unit, "交互作用平方和没有除以自由度"),
        Mistake(both / (a * b) / unit, "交互作用自由度误用ab"),
        Mistake(both / (a + b - 2) / unit, "交互作用自由度误作两因素自由度之和"),
        Mistake(second / (b - 1) / unit, "误求成B因素主效应的F值"),
        Mistake(first / (a - 1) / unit, "误求成A因素主效应的F值"),
        Mistake(both / within, "没有除以自由度，直接用平方和相除"),
        Mistake((both + first) / df / unit, "漏减A因素的平方和"),
    ]
    stem = (
        f"某研究采用两因素完全随机设计，A因素为{factors[0]}（{a}个水平），"
        f"B因素为{factors[1]}（{b}个水平），因变量为{factors[2]}，"
        f"每种处理结合{size}人。已知总平方和为{total}，A因素平方和为{first}，B因素平方和为{second}，"
        "组内（误差）平方和为"
        f"{within}，则交互作用的F值（保留两位小数）为（　　）。"
    )
    steps = (
        f"$SS_{{AB}}={total}-{first}-{second}-{within}={both}$，$df_{{AB}}=({a}-1)({b}-1)={df}$，"
        f"$df_w={a}\\times{b}\\times({size}-1)={within_df}$，$MS_w={plain(hand(unit))}$。"
        f"$F_{{AB}}=({both}/{df})/{plain(hand(unit))}={number(key, 2)}$。"
    )
    return Problem("find", stem, numeric_choice(key, mistakes, rank), steps)


def _interaction_square(cells: list[list[int]], size: int) -> float:
    """Interaction sum of squares of a table of cell means."""
    a, b = len(cells), len(cells[0])
    rows, columns = [sum(r) / b for r in cells], [sum(r[j] for r in cells) / a for j in range(b)]
    grand = sum(rows) / a
    return size * sum((cells[i][j] - rows[i] - columns[j] + grand) ** 2 for i in range(a) for j in range(b))


@patient
def interaction_square_from_means(rng: random.Random, rank: int) -> Problem:
    """SS_AB from a 2x3 table of cell means: n * sum (cell - row - column + grand)^2."""
    story = rng.choice(
        [
            ("性别", "男生", "女生", "奖励条件", "亲社会行为得分"),
            ("训练", "有训练", "无训练", "任务难度", "正确数"),
            ("年龄", "青年", "老年", "呈现速度", "回忆量"),
        ]
    )
    size = rng.choice([4, 5, 6, 8, 10])
    cells = [[rng.randint(8, 24) for _ in range(3)] for _ in range(2)]
    sums = [sum(row) for row in cells]
    columns = [cells[0][j] + cells[1][j] for j in range(3)]
    if any(s % 3 for s in sums) or any(c % 2 for c in columns) or sum(sums) % 6:
        raise Redraw
    grand = sum(sums) / 6
    key = _interaction_square(cells, size)
    row_square = 3 * size * sum((s / 3 - grand) ** 2 for s in sums)
    column_square = 2 * size * sum((c / 2 - grand) ** 2 for c in columns)
    between = key + row_square + column_square
    if key == 0 or row_square == 0:
        raise Redraw
    mistakes = [
        Mistake(between, "误求成组间平方和，没有减去两个主效应"),
        Mistake(key / size, "漏乘每格人数"),
        Mistake(between - row_square, "漏减B因素的平方和"),
        Mistake(between - column_square, "漏减A因素的平方和"),
        Mistake(key / 2, "误求成交互作用的均方"),
        Mistake(column_square, "误求成B因素的平方和"),
        Mistake(row_square, "误求成A因素的平方和"),
        Mistake(between - row_square / 3 - column_square / 2, "主效应平方和按每格人数而不是每个水平的人数加权"),
        Mistake(key * 6, "误乘总人数"),
    ]
    upper, lower = ("，".join(map(str, row)) for row in cells)
    lines = f"{story[1]}：{upper}；{story[2]}：{lower}"
    stem = (
        f"某研究用2×3两因素被试间设计考察{story[0]}（A因素）与{story[3]}（B因素）对{story[4]}的影响，每格{size}人。"
        f"各格平均数（依次为B1、B2、B3）如下。{lines}。交互作用的平方和（保留两位小数）为（　　）。"
    )
    steps = (
        f"A各水平平均数为{sums[0] / 3:g}，{sums[1] / 3:g}；"
        f"B各水平平均数为{'，'.join(f'{c / 2:g}' for c in columns)}；总平均数为"
        f"{grand:g}。组间平方和为{between:g}，$SS_A={row_square:g}$，$SS_B={column_square:g}$，"
        f"$SS_{{AB}}={between:g}-{row_square:g}-{column_square:g}={number(key, 2)}$。"
    )
    return Problem("find", stem, numeric_choice(key, mistakes, rank), steps)


@patient
def total_subjects(rng: random.Random, rank: int) -> Problem:
    """Number of subjects from reported degrees of freedom: a, b from df_A and df_AB, N = df_e + ab."""
    story = rng.choice(["自我损耗与动机", "面孔种族与表情", "学习材料与提取方式", "噪声强度与任务类型"])
    a, b, size = rng.randint(2, 4), rng.randint(3, 5), rng.randint(6, 15)
    first, both, error = a - 1, (a - 1) * (b - 1), a * b * (size - 1)
    key = float(a * b * size)
    wide = both + 1
    mistakes = [
        Mistake(error + first + both + 1, "漏掉B因素的自由度"),
        Mistake(error + first * both, "把自由度相乘当作处理结合数"),
        Mistake(error + (first + 1) * wide, "误把交互作用的自由度加1当作B因素的水平数"),
        Mistake(error + both, "误以为误差自由度等于总人数减交互作用自由度"),
        Mistake(error + (first + 1) * (both + 1) + first, "误把交互作用当作B因素，再加A的自由度"),
        Mistake(error + 1, "误以为误差自由度等于总人数减1"),
        Mistake(error + a * b * 2, "误以为每格自由度等于每格人数减2"),
        Mistake(error, "误把误差自由度当作总人数"),
        Mistake(error + a + b, "误差自由度只加回两个因素的水平数之和"),
    ]
    stem = (
        f"一篇论文考察{story}的影响，采用两因素被试间设计，各处理结合人数相等。"
        f"论文报告A因素主效应$F({first},{error})$和"
        f"交互作用$F({both},{error})$的值，没有给出B因素的水平数。参加该实验的被试总数为（　　）。"
    )
    steps = (
        f"$a={first}+1={a}$；$df_{{AB}}=(a-1)(b-1)={both}$，所以$b={both}/{first}+1={b}$。"
        f"误差自由度$ab(n-1)={error}$，"
        f"即总人数减处理结合数{a * b}，总人数为{error}+{a * b}={number(key, 0)}人。"
    )
    choice = numeric_choice(key, mistakes, rank, decimals=0, unit="人")
    return Problem("missing", stem, choice, steps, "analyse")


@patient
def effects_pattern(rng: random.Random, rank: int) -> Problem:
    """Significance of A and of AB in a 2x2 table of means with MS_w: four patterns."""
    first, second, measure = rng.choice(
        [
            ("教学法", "学习能力", "测验成绩"),
            ("音乐", "任务难度", "作业成绩"),
            ("线索", "注意负荷", "正确数"),
        ]
    )
    size, unit = rng.choice([6, 8, 9, 11, 16]), rng.randint(20, 60)
    cells = [[rng.randint(20, 40) for _ in range(2)] for _ in range(2)]
    (p, q), (r, s) = cells
    df = 4 * (size - 1)
    critical = f_critical(1, df, 0.05)
    main, both = size * (p + q - r - s) ** 2 / 4 / unit, size * (p - q - r + s) ** 2 / 4 / unit
    if max(main, both) > 30 or not main or not both or max(map(max, cells)) - min(map(min, cells)) > 12:
        raise Redraw
    has_main, has_both = exceeds(settled(main, 2), critical), exceeds(settled(both, 2), critical)
    if not has_both and rng.random() < 0.4:
        raise Redraw

    def text(one: bool, two: bool) -> str:
        return f"A的主效应{'达到' if one else '未达'}显著，交互作用{'达到' if two else '未达'}显著"

    main_why = "只看边际平均数不相等就断定主效应显著"
    if has_main:
        main_why = f"误以为{'有' if has_both else '没有'}交互作用就没有主效应"
    both_why = "只看两条线不平行就断定交互作用显著"
    if has_both:
        both_why = f"误以为主效应{'' if has_main else '不'}显著时就没有交互作用"
    distractors = [
        (text(not has_main, has_both), main_why),
        (text(has_main, not has_both), both_why),
        (text(not has_main, not has_both), f"{main_why}，并且{both_why}"),
    ]
    rng.shuffle(distractors)
    stem = (
        f"某2×2两因素完全随机实验，A因素为{first}，B因素为{second}，因变量为{measure}，每格{size}人。"
        "各格平均数为："
        f"A1B1={p}，A1B2={q}，A2B1={r}，A2B2={s}，组内均方$MS_w={unit}$。"
        f"已知$F_{{0.05}}(1,{df})={critical:.2f}$，"
        "取$\\alpha=0.05$，检验结果是（　　）。"
    )
    steps = (
        f"$SS_A={size}\\times({p}+{q}-{r}-{s})^2/4={size * (p + q - r - s) ** 2 / 4:g}$，"
        f"$F_A={number(main, 2)}$；"
        f"$SS_{{AB}}={size}\\times({p}-{q}-{r}+{s})^2/4={size * (p - q - r + s) ** 2 / 4:g}$，"
        f"$F_{{AB}}={number(both, 2)}$。与{critical:.2f}比较，{text(has_main, has_both)}。"
    )
    return Problem("decide", stem, text_choice(text(has_main, has_both), distractors, rank), steps, "analyse")


@patient
def factor_ignored(rng: random.Random, rank: int) -> Problem:
    """F of A when B is ignored: B and AB fall into the error with their degrees of freedom."""
    first, second = rng.choice([("睡眠时长", "任务难度"), ("指导语类型", "年级"), ("包装颜色", "消费者卷入程度")])
    a, b, size = rng.choice([(2, 2, 6), (2, 2, 11), (3, 2, 5), (3, 2, 8), (2, 3, 6), (3, 3, 5)])
    df, within_df = a - 1, a * b * (size - 1)
    error_df = a * b * size - a
    main, other, both = rng.randint(40, 120), rng.randint(60, 200), rng.randint(20, 120)
    within = rng.randint(4, 12) * within_df
    merged = within + other + both
    key = settled(main / df / (merged / error_df), 2, hand(main / df) / hand(merged / error_df))
    mistakes = [
        Mistake(main / df / (within / within_df), "误差没有并入B因素和交互作用，仍用两因素设计的F值"),
        Mistake(main / df / ((within + other) / (within_df + b - 1)), "只把B因素并入误差，漏掉交互作用"),
        Mistake(main / df / (merged / within_df), "误差自由度没有随之增加"),
        Mistake(main / df / ((within + both) / (within_df + df * (b - 1))), "只把交互作用并入误差，漏掉B因素"),
        Mistake(main / df / (within / error_df), "误差自由度增加了，误差平方和却没有增加"),
        Mistake(main / merged, "没有除以自由度，直接用平方和相除"),
        Mistake((main + both) / df / (merged / error_df), "把交互作用同时计入处理和误差"),
        Mistake(main / df / ((merged + main) / error_df), "误用总平方和作误差平方和"),
        Mistake((main + other + both) / df / (within / error_df), "把B因素和交互作用并入了A因素"),
    ]
    stem = (
        f"某研究用{a}×{b}两因素完全随机设计考察{first}（A因素，{a}个水平）与{second}（B因素，"
        f"{b}个水平）的作用，每格{size}人。"
        f"已知$SS_A={main}$，$SS_B={other}$，$SS_{{AB}}={both}$，$SS_w={within}$。若忽略B因素，"
        "把同一批数据只按A因素作"
        "单因素完全随机设计的方差分析，A因素的F值（保留两位小数）将变为（　　）。"
    )
    steps = (
        f"忽略B后，B因素和交互作用的变异都进入误差：$SS_e={within}+{other}+{both}={merged}$，"
        f"$df_e={a * b * size}-{a}={error_df}$。$F=({main}/{df})/({merged}/{error_df})={number(key, 2)}$"
        "。"
    )
    return Problem("compare", stem, numeric_choice(key, mistakes, rank), steps, "analyse")


FAMILIES: dict[str, list[Family]] = {
    "two-way-anova": [
        interaction_f,
        interaction_square_from_means,
        total_subjects,
        effects_pattern,
        factor_ignored,
    ],
}
