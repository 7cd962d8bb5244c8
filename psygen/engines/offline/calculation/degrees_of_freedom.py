"""Problems on degrees of freedom: how many there are, and what follows from having lost some.

Whole-number answers (counts of people, degrees of freedom) may lie one apart; they are exact.
"""

import math
import random

from psygen.engines.offline.figures import listed, plain
from psygen.engines.offline.guards import patient, settled
from psygen.engines.offline.inference import (
    EMOTION,
    REPEATED_SKILL,
    SPEED,
    TAUGHT,
    Reading,
    count_choice,
    crossed_decision,
    neat_deviations,
    t_note,
)
from psygen.engines.offline.problem import (
    Family,
    Mistake,
    Problem,
    Redraw,
    number,
    numeric_choice,
    text_choice,
)
from psygen.engines.offline.tables import t_critical


@patient
def merged_table(rng: random.Random, rank: int) -> Problem:
    """Degrees of freedom of a contingency table after categories were merged: (r - 1)(c - 1)."""
    rows, columns = rng.choice([3, 4, 5]), rng.choice([4, 5, 6])
    people = rng.randint(12, 30) * 10
    left = columns - 1
    key = (rows - 1) * (left - 1)
    mistakes = [
        Mistake((rows - 1) * (columns - 1), "用合并前的列数计算"),
        Mistake(rows * left - 1, "误作格子数减1"),
        Mistake((rows - 1) + (left - 1), "把两个自由度相加而不是相乘"),
        Mistake((rows - 2) * (left - 1), "行、列同时减少了一类"),
        Mistake((rows - 1) * left, "列数未减1"),
        Mistake(left - 1, "只算了列的自由度"),
        Mistake(rows * left, "误以格子总数为自由度"),
    ]
    stem = (
        f"为考察{rows}种家庭教养方式与{columns}种课余活动偏好是否有关，研究者调查了{people}名中学生，"
        f"列成{rows}×{columns}的列联表。由于部分格子的理论次数过小，研究者把其中两种活动偏好合并为一种，"
        "再作独立性检验。该检验的自由度为（　　）。"
    )
    steps = (
        f"合并后为{rows}×{left}列联表，$df=(r-1)(c-1)=({rows}-1)\\times({left}-1)={key}$；"
        f"自由度与总人数无关，故为{key}。"
    )
    return Problem("find", stem, count_choice(key, mistakes, rank), steps)


@patient
def people_behind_reports(rng: random.Random, rank: int) -> Problem:
    """How many people two reported t values imply: (df + 2) for independent, (df + 1) for paired samples."""
    measure = rng.choice(SPEED)
    independent = rng.choice([28, 34, 38, 46, 48, 54, 58])
    paired = rng.choice([11, 14, 17, 19, 23, 24, 29])
    t1, t2 = rng.randint(205, 290) / 100, rng.randint(205, 290) / 100
    key = independent + 2 + paired + 1
    mistakes = [
        Mistake(independent + paired, "把自由度之和当作人数"),
        Mistake(independent + paired + 2, "两个实验都按只失去一个自由度计算"),
        Mistake(independent + paired + 4, "两个实验都按失去两个自由度计算"),
        Mistake(independent + 2 + 2 * (paired + 1), "把重复测量的人数按两组人数计算"),
        Mistake(independent // 2 + 1 + paired + 1, "只算了独立样本实验中一组的人数"),
        Mistake(independent + 1 + 2 * (paired + 1), "独立样本按一个、重复测量按两组计算"),
    ]
    stem = (
        f"一篇论文以{measure.what}为指标报告了两个实验：实验一把被试随机分成人数相等的两组，"
        "经方差齐性的独立样本t检验，"
        f"$t({independent})={t1:.2f}$；实验二让另一批被试先后接受两种处理，经相关样本t检验，"
        f"$t({paired})={t2:.2f}$。"
        "括号内为自由度，则两个实验共有被试（　　）。"
    )
    steps = (
        f"独立样本$df=n_1+n_2-2$，实验一有{independent}+2={independent + 2}人；"
        f"相关样本$df=n-1$，实验二有{paired}+1={paired + 1}人；共{key}人。"
    )
    return Problem("missing", stem, count_choice(key, mistakes, rank, "人"), steps)


@patient
def two_designs(rng: random.Random, rank: int) -> Problem:
    """Degrees of freedom of an independent and a matched design with the same people."""
    contrast = rng.choice(TAUGHT)
    pairs = rng.randint(9, 32)
    independent, matched = 2 * pairs - 2, pairs - 1
    wrong = [
        (f"甲方案{2 * pairs - 1}，乙方案{matched}", "把两组数据合成一组，只减去1"),
        (f"甲方案{independent}，乙方案{2 * pairs - 2}", "把配对数据仍按独立样本计算"),
        (f"甲方案{2 * pairs - 1}，乙方案{2 * pairs - 2}", "两个方案都算错：前者只减1，后者按独立样本计算"),
    ]
    rng.shuffle(wrong)
    stem = (
        f"有{2 * pairs}名学生参加教学实验，比较“{contrast.one}”与“{contrast.other}”的{contrast.what}。"
        f"甲方案：把学生随机分成两组，每组{pairs}人；乙方案：先按前测成绩配成{pairs}对，"
        "再把每对中的两人随机分到两组。"
        "两总体方差未知但相等，用t检验比较平均数时，两方案的自由度依次是（　　）。"
    )
    steps = (
        f"甲方案为独立样本，$df=n_1+n_2-2={pairs}+{pairs}-2={independent}$；"
        f"乙方案为配对样本，以对数计，$df=n-1={pairs}-1={matched}$。"
    )
    choice = text_choice(f"甲方案{independent}，乙方案{matched}", wrong, rank)
    return Problem("compare", stem, choice, steps)


@patient
def which_line(rng: random.Random, rank: int) -> Problem:
    """Choose the degrees of freedom of a paired t test, then the table value, then decide."""
    contrast = rng.choice(REPEATED_SKILL)
    n = rng.randint(8, 16)
    tails = rng.choice([1, 2])
    low, high = t_critical(n - 1, 0.05, 1), t_critical(2 * n - 2, 0.05, 2)
    t = rng.randint(math.ceil(low * 103), math.floor(high * 97)) / 100

    def read(df: float, sides: float) -> Reading:
        critical = t_critical(int(df), 0.05, int(sides))
        rejects = t > critical
        sign, action = (">", "拒绝") if rejects else ("<", "保留")
        return Reading(f"$df={int(df)}$，${t:.2f}{sign}{critical:.3f}$，{action}虚无假设", rejects)

    sided = "误作双侧检验" if tails == 1 else "误作单侧检验"
    choice = crossed_decision(
        rng,
        read,
        (n - 1, [Mistake(2 * n - 2, "误用独立样本的自由度")]),
        (tails, [Mistake(3 - tails, sided)]),
        rank,
    )
    rows = "，".join(t_note(df, 0.05, s) for df in (n - 1, 2 * n - 2) for s in (1, 2))
    aim = (
        f"检验{contrast.one}的成绩是否与{contrast.other}有差异"
        if tails == 2
        else f"检验{contrast.one}的成绩是否高于{contrast.other}"
    )
    stem = (
        f"{n}名被试先后接受两次测量（{contrast.other}、{contrast.one}），指标为{contrast.what}。"
        f"研究者要{aim}（$\\alpha=0.05$），"
        f"用相关样本t检验算得{contrast.one}与{contrast.other}之差的$t={t:.2f}$。"
        f"查表得：{rows}。自由度、临界值和结论都正确的是（　　）。"
    )
    critical = t_critical(n - 1, 0.05, tails)
    steps = (
        f"同一批被试两次测量，$df=n-1={n - 1}$；{'双' if tails == 2 else '单'}侧检验临界值为{critical:.3f}，"
        f"$t={t:.2f}{'>' if t > critical else '<'}{critical:.3f}$，"
        f"{'拒绝' if t > critical else '不能拒绝，保留'}虚无假设。"
    )
    return Problem("decide", stem, choice, steps, "analyse")


@patient
def bound_deviation(rng: random.Random, rank: int) -> Problem:
    """The variance estimate when one deviation is missing: deviations sum to nought, so n - 1 are free."""
    n = rng.choice([5, 6, 7])
    deviations = neat_deviations(rng, n, 6)
    known, last = deviations[:-1], deviations[-1]
    part = sum(d * d for d in known)
    if last == 0:
        raise Redraw
    key = settled((part + last**2) / (n - 1), 2)
    mistakes = [
        Mistake((part + last**2) / n, "补出离差后误用n作分母"),
        Mistake(part / (n - 1), "未补出最后一个离差，误作0"),
        Mistake(part / (n - 2), "只按已知离差计算并再减一个自由度"),
        Mistake((part + last**2) / (n - 2), "误用n-2作分母"),
        Mistake(part + last**2, "未除以自由度"),
        Mistake(math.sqrt(key), "又开了平方"),
    ]
    measure = rng.choice(EMOTION)
    stem = (
        f"从{measure.who}中随机抽取{n}人测{measure.what}，每人的得分与样本平均数之差称为离差。"
        f"已知其中{n - 1}人的离差为："
        f"{listed(known)}，另1人的离差未记录。据此求得总体方差的无偏估计值（保留两位小数）为（　　）。"
    )
    total = part + last**2
    steps = (
        f"离差之和为0，故未记录的离差为{plain(last)}，只有{n - 1}个离差可以自由变化；"
        f"离差平方和为{total}，$S_{{n-1}}^2={total}/{n - 1}={number(key, 2)}$。"
    )
    return Problem("missing", stem, numeric_choice(key, mistakes, rank), steps, "analyse")


FAMILIES: dict[str, list[Family]] = {
    "degrees-of-freedom": [merged_table, people_behind_reports, two_designs, which_line, bound_deviation],
}
