"""Randomized block analysis of variance, worked as in Chinese psychology statistics textbooks.

Conventions: one subject for each block and treatment; total = treatments + blocks + error.
"""

import random

from psygen.engines.offline.figures import listed
from psygen.engines.offline.guards import Ruling, decision_choice, exceeds, hand, patient, settled
from psygen.engines.offline.problem import Family, Mistake, Problem, Redraw, number, numeric_choice
from psygen.engines.offline.tables import f_critical


def _block_table(rng: random.Random, blocks: int, k: int) -> list[list[int]]:
    """Positive whole scores, rows are blocks; every row, column and grand mean is whole."""
    rows = [rng.randint(-2, 2) for _ in range(blocks - 1)]
    columns = [rng.randint(-3, 3) for _ in range(k - 1)]
    rows, columns = [*rows, -sum(rows)], [*columns, -sum(columns)]
    table = [[9 + r + c for c in columns] for r in rows]
    for _ in range(rng.randint(2, 4)):
        (i, j), (p, q) = rng.sample(range(blocks), 2), rng.sample(range(k), 2)
        for row, column, step in ((i, p, 1), (i, q, -1), (j, p, -1), (j, q, 1)):
            table[row][column] += step
    if max(map(abs, rows)) > 4 or max(map(abs, columns)) > 4 or not any(rows) or not any(columns):
        raise Redraw
    if min(min(row) for row in table) < 1:
        raise Redraw
    return table


@patient
def block_f_from_scores(rng: random.Random, rank: int) -> Problem:
    """F of the treatments from a blocks-by-treatments table: error = total - treatment - block."""
    story, k = rng.choice(
        [
            ("三种照明条件下的校对错误数", 3),
            ("三种药物条件下的记忆成绩", 3),
            ("四种界面上的操作失误数", 4),
        ]
    )
    blocks = rng.choice([4, 5])
    table = _block_table(rng, blocks, k)
    columns = [sum(row[j] for row in table) / blocks for j in range(k)]
    rows = [sum(row) / k for row in table]
    grand = sum(rows) / blocks
    treat = blocks * sum((c - grand) ** 2 for c in columns)
    block = k * sum((r - grand) ** 2 for r in rows)
    error = sum((x - grand) ** 2 for row in table for x in row) - treat - block
    df = (k - 1) * (blocks - 1)
    if error < 1:
        raise Redraw
    key = settled(treat / (k - 1) / (error / df), 2, hand(treat / (k - 1)) / hand(error / df))
    if key > 40:
        raise Redraw
    wide = k * (blocks - 1)
    mistakes = [
        Mistake(treat / (k - 1) / ((error + block) / wide), "误按完全随机设计，没有分离区组效应"),
        Mistake(block / (blocks - 1) / (error / df), "误求成区组效应的F值"),
        Mistake(treat / (k - 1) / (error / wide), "误差自由度误用k(n-1)"),
        Mistake(treat / error, "没有除以自由度，直接用平方和相除"),
        Mistake(treat / k / (error / df), "处理自由度误用k"),
        Mistake((treat + block) / (k - 1) / (error / df), "把区组平方和并入了处理平方和"),
        Mistake(treat / (error / df), "处理平方和没有除以自由度"),
        Mistake(treat / (k - 1) / (error / (k * blocks - 1)), "误差自由度误用总自由度"),
    ]
    lines = "；".join(f"区组{'甲乙丙丁戊'[i]}：{listed(row)}" for i, row in enumerate(table))
    stem = (
        f"研究者采用随机区组设计考察{story}，共{blocks}个区组，"
        f"每个区组内的{k}名被试随机接受{k}种处理之一。"
        f"各区组在{k}种处理下的结果依次如下。{lines}。处理效应的F值（保留两位小数）为（　　）。"
    )
    steps = (
        f"处理平均数为{listed([int(c) for c in columns])}，"
        f"区组平均数为{listed([int(r) for r in rows])}，总平均数为"
        f"{grand:g}。$SS_b={treat:g}$，$SS_r={block:g}$，$SS_e={error:g}$，$df_b={k - 1}$，$df_e={df}$。"
        f"$F=({treat:g}/{k - 1})/({error:g}/{df})={number(key, 2)}$。"
    )
    return Problem("find", stem, numeric_choice(key, mistakes, rank), steps)


@patient
def block_sum_of_squares(rng: random.Random, rank: int) -> Problem:
    """SS of the blocks backwards from SS_t, SS of treatments and F."""
    story = rng.choice(
        [
            "按智力水平划分区组，比较几种教学法的效果",
            "按焦虑水平划分区组，比较几种放松训练的效果",
            "按年龄划分区组，比较几种提示方式的效果",
        ]
    )
    k, blocks = rng.choice([(3, 6), (3, 8), (4, 6), (4, 7), (5, 6)])
    df, error = (k - 1) * (blocks - 1), rng.randint(6, 40) / 2
    f_value, block = rng.randint(11, 30) / 4, rng.randint(60, 240)
    treat = f_value * error * (k - 1)
    total = treat + block + error * df
    if abs(treat - hand(treat)) > 1e-9:
        raise Redraw
    mistakes = [
        Mistake(total - treat - error * k * (blocks - 1), "误差自由度误用k(n-1)"),
        Mistake(total - treat - error, "减去的是误差均方而不是误差平方和"),
        Mistake(total - treat, "没有减去误差平方和"),
        Mistake(total - treat - treat / f_value, "误把F当作两个平方和之比"),
        Mistake(total - treat / (k - 1) - error * df, "减去的是处理均方而不是处理平方和"),
        Mistake(total - treat - error * (k * blocks - 1), "误差自由度误用总自由度"),
        Mistake(total - treat - error * (k - 1) * blocks, "误差自由度误用(k-1)n"),
        Mistake(error * df, "误求成误差平方和"),
    ]
    if min(m.value for m in mistakes) < 0:
        mistakes = [m for m in mistakes if m.value > 0]
    stem = (
        f"某实验{story}，采用随机区组设计，有{k}种处理、{blocks}个区组，每个区组在每种处理下1名被试。"
        f"已知总平方和为{total:g}，"
        f"处理间平方和为{treat:g}，处理效应的$F={f_value:.2f}$，则区组平方和（保留两位小数）为（　　）。"
    )
    steps = (
        f"处理均方为{treat:g}/{k - 1}={treat / (k - 1):g}，"
        f"误差均方为{treat / (k - 1):g}/{f_value:.2f}={error:g}，"
        f"误差自由度为({k}-1)×({blocks}-1)={df}，误差平方和为{error * df:g}。区组平方和为"
        f"{total:g}-{treat:g}-{error * df:g}={number(block, 2)}。"
    )
    return Problem("missing", stem, numeric_choice(block, mistakes, rank), steps, "analyse")


@patient
def block_decision(rng: random.Random, rank: int) -> Problem:
    """F of the treatments from sums of squares, with two table values printed: decide."""
    story = rng.choice(["四种刺激呈现时间下的识别成绩", "几种音乐条件下的心算成绩", "几种激励方式下的作业量"])
    shapes = [(4, 6), (4, 8)] if "四种" in story else [(3, 6), (3, 8), (5, 7), (3, 11)]
    k, blocks = rng.choice(shapes)
    df, wide = (k - 1) * (blocks - 1), k * (blocks - 1)
    treat, block, error = rng.randint(40, 150), rng.randint(60, 300), rng.randint(80, 220)
    near, far = f_critical(k - 1, df, 0.05), f_critical(k - 1, wide, 0.05)
    f_value = settled(treat / (k - 1) * df / error, 2, hand(treat / (k - 1)) / hand(error / df))
    loose = settled(treat / (k - 1) * wide / (error + block), 2)
    is_large = exceeds(f_value, near)
    if f_value > 15 or f_critical(k - 1, wide, 0.05) * 0.97 < loose < near * 1.03:
        raise Redraw
    verdict = "处理效应达到显著水平" if is_large else "处理效应未达显著水平"
    mistakes = [
        Mistake(loose, "误按完全随机设计，把区组变异留在误差中"),
        Mistake(block / (blocks - 1) * df / error, "误求成区组效应的F值"),
        Mistake(treat / (k - 1) * (k * blocks - 1) / error, "误差自由度误用总自由度"),
        Mistake(treat / error, "没有除以自由度，直接用平方和相除"),
        Mistake(treat * df / error, "处理平方和没有除以自由度"),
        Mistake((treat + block) / (k - 1) * df / error, "把区组平方和并入了处理平方和"),
    ]
    ruling = Ruling(near, "处理效应达到显著水平", "处理效应未达显著水平")
    choice = decision_choice(rng, lambda f: f"$F={number(f, 2)}$", ruling, f_value, mistakes, rank)
    stem = (
        f"研究者用随机区组设计比较{story}，有{k}种处理和{blocks}个区组，每个区组在每种处理下1名被试。"
        "已知总平方和为"
        f"{treat + block + error}，处理间平方和为{treat}，区组平方和为{block}；"
        f"$F_{{0.05}}({k - 1},{df})={near:.2f}$，"
        f"$F_{{0.05}}({k - 1},{wide})={far:.2f}$。取$\\alpha=0.05$，对处理效应的检验结果是（　　）。"
    )
    steps = (
        f"误差平方和为{treat + block + error}-{treat}-{block}={error}，误差自由度为{df}。"
        f"$F=({treat}/{k - 1})/({error}/{df})={number(f_value, 2)}$，{'大于' if is_large else '小于'}"
        f"临界值{near:.2f}，{verdict}。"
    )
    return Problem("decide", stem, choice, steps, "analyse")


@patient
def block_gain(rng: random.Random, rank: int) -> Problem:
    """How much larger F is with blocks than without: F_block - F_random."""
    story = rng.choice(
        [
            "把被试按前测成绩匹配成区组后，比较三种复习方式的效果",
            "把病人按病程匹配成区组后，比较三种疗法的效果",
            "把学生按学业水平匹配成区组后，比较三种作业形式的效果",
        ]
    )
    blocks = rng.choice([6, 8, 10, 11])
    df, wide = 2 * (blocks - 1), 3 * (blocks - 1)
    treat, block, error = rng.randint(30, 120), rng.randint(60, 260), rng.randint(50, 150)
    mean = treat / 2
    with_blocks, without = mean * df / error, mean * wide / (error + block)
    key = settled(
        with_blocks - without,
        2,
        hand(with_blocks) - hand(without),
        hand(mean / hand(error / df)) - hand(mean / hand((error + block) / wide)),
    )
    if key < 0.4 or with_blocks > 20:
        raise Redraw
    mistakes = [
        Mistake(mean * wide / error - without, "误差自由度误用k(n-1)，没有减去区组自由度"),
        Mistake(with_blocks, "误求成随机区组设计的F值"),
        Mistake(with_blocks - mean * df / (error + block), "完全随机设计的误差自由度没有加回区组自由度"),
        Mistake(without, "误求成完全随机设计的F值"),
        Mistake(block / (blocks - 1) * df / error, "误求成区组效应的F值"),
        Mistake(with_blocks - mean * (3 * blocks - 1) / (error + block), "完全随机设计的误差自由度误用N-1"),
        Mistake(abs(treat / error - treat / (error + block)), "没有除以自由度，直接用平方和相除"),
        Mistake(with_blocks - mean * wide / (error + block + treat), "完全随机设计的误差误用了总平方和"),
    ]
    stem = (
        f"某研究{story}，有{blocks}个区组，每个区组3人随机接受三种处理。已知处理间平方和为{treat}，"
        f"区组平方和为{block}，"
        f"误差平方和为{error}。若误把这批数据当作完全随机设计分析，"
        "处理效应的F值与按随机区组设计分析时相比，减小的数值（保留两位小数）为（　　）。"
    )
    steps = (
        f"随机区组设计：$F=({treat}/2)/({error}/{df})={number(with_blocks, 2)}$。"
        "当作完全随机设计时区组变异并入误差："
        f"$F=({treat}/2)/({error + block}/{wide})={number(without, 2)}$。两者相差{number(key, 2)}。"
    )
    return Problem("compare", stem, numeric_choice(key, mistakes, rank), steps, "analyse")


FAMILIES: dict[str, list[Family]] = {
    "randomized-block-anova": [block_f_from_scores, block_sum_of_squares, block_decision, block_gain],
}
