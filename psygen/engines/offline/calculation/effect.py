"""Effect sizes: Cohen's d and eta squared, as Chinese psychology statistics textbooks give them.

Conventions: d over the pooled or the stated standard deviation; eta^2 = SS_effect / SS_t. Stems say which.
"""

import random
from typing import NamedTuple

from psygen.engines.offline.guards import hand, patient, settled
from psygen.engines.offline.inference import even_out
from psygen.engines.offline.problem import (
    Choice,
    Family,
    Mistake,
    Problem,
    Redraw,
    number,
    numeric_choice,
    text_choice,
)


class Scale(NamedTuple):
    """An effect size's symbol, its printed decimals, and the lower bounds of small, medium and large."""

    symbol: str
    decimals: int
    cuts: tuple[float, float, float]

    def grade(self, value: float) -> str:
        """The name this size deserves; Redraw when too near a bound to be sure."""
        if any(abs(value - cut) < max(0.04 * cut, 0.005) for cut in self.cuts):
            raise Redraw
        return ("极小", "小", "中等", "大")[sum(value >= cut for cut in self.cuts)]

    def read(self, value: float) -> str:
        """The option's text."""
        return f"${self.symbol}={number(value, self.decimals)}$，属于{self.grade(value)}效应"


def _graded_choice(rng: random.Random, scale: Scale, key: float, mistakes: list[Mistake], rank: int) -> Choice:
    """Four effect sizes, each with the name it deserves; the key's name occurs twice, or all differ."""
    gap = 2 * 10.0**-scale.decimals
    chosen: list[Mistake] = []
    for mistake in mistakes:
        taken = [key, *(m.value for m in chosen)]
        if mistake.value < 20 and all(abs(mistake.value - v) >= max(0.03 * v, gap) for v in taken):
            chosen.append(mistake)
    chosen = chosen[:3]
    grades = [scale.grade(m.value) for m in chosen]
    shared = grades.count(scale.grade(key))
    if len(chosen) < 3 or shared == 3 or (shared == 0 and len(set(grades)) < 3):
        raise Redraw
    return text_choice(scale.read(key), [(scale.read(m.value), m.why) for m in chosen], rank)


@patient
def pooled_d(rng: random.Random, rank: int) -> Problem:
    """d of two unequal groups over the pooled standard deviation weighted by degrees of freedom."""
    story = rng.choice(
        [
            "放松训练组与对照组的主观睡眠质量得分",
            "双语儿童与单语儿童的注意转换得分",
            "游戏化学习组与传统组的测验成绩",
        ]
    )
    n1, n2 = rng.choice([(10, 20), (8, 16), (12, 30), (9, 25), (25, 11), (32, 12)])
    s1, s2 = rng.randint(4, 9), rng.randint(9, 15)
    m2 = rng.randint(40, 60)
    m1 = m2 + rng.randint(3, 12)
    pooled = ((n1 - 1) * s1**2 + (n2 - 1) * s2**2) / (n1 + n2 - 2)
    gap = m1 - m2
    key = settled(gap / pooled**0.5, 2, gap / hand(pooled**0.5), gap / hand(hand(pooled) ** 0.5))
    mistakes = [
        Mistake(gap / ((s1**2 + s2**2) / 2) ** 0.5, "合并时没有按自由度加权"),
        Mistake(gap / (pooled * (1 / n1 + 1 / n2)) ** 0.5, "误用平均数之差的标准误作分母，求成了t值"),
        Mistake(gap / (((n2 - 1) * s1**2 + (n1 - 1) * s2**2) / (n1 + n2 - 2)) ** 0.5, "两组的权数弄反"),
        Mistake(gap / s2, "只用第二组的标准差作分母"),
        Mistake(gap / s1, "只用第一组的标准差作分母"),
        Mistake(gap / pooled, "误用合并方差作分母，漏开平方"),
        Mistake(gap / (s1**2 + s2**2) ** 0.5, "用两组方差之和的平方根作分母"),
        Mistake(gap / (s1 + s2), "用两组标准差之和作分母"),
    ]
    stem = (
        f"某研究比较{story}，第一组$n_1={n1}$，$\\bar X_1={m1}$，$s_1={s1}$；第二组$n_2={n2}$，"
        f"$\\bar X_2={m2}$，$s_2={s2}$（标准差均以"
        "$n-1$为分母）。以按自由度加权的合并标准差为分母，Cohen的d值（保留两位小数）为（　　）。"
    )
    steps = (
        f"$s_p^2=\\frac{{({n1}-1)\\times{s1}^2+({n2}-1)\\times{s2}^2}}{{{n1}+{n2}-2}}="
        f"{number(pooled, 2)}$，"
        f"$s_p={number(pooled**0.5, 2)}$，$d=({m1}-{m2})/s_p={number(key, 2)}$。"
    )
    return Problem("find", stem, numeric_choice(key, mistakes, rank), steps)


@patient
def d_from_t(rng: random.Random, rank: int) -> Problem:
    """d backwards from a reported independent-samples t: d = t * sqrt(1/n1 + 1/n2)."""
    story = rng.choice(
        [
            "男女大学生的空间旋转成绩",
            "独生与非独生子女的合作行为得分",
            "线上与线下咨询来访者的满意度",
        ]
    )
    n1, n2 = rng.choice([(20, 30), (16, 48), (18, 36), (40, 60), (15, 45), (25, 50), (24, 72)])
    t_value = rng.randint(21, 42) / 10
    key = settled(t_value * (1 / n1 + 1 / n2) ** 0.5, 2, t_value * hand((1 / n1 + 1 / n2) ** 0.5, 3))
    mistakes = [
        Mistake(t_value / (n1 + n2) ** 0.5, "误按单样本公式用t除以总人数的平方根"),
        Mistake(t_value * (1 / n1 + 1 / n2), "漏开平方"),
        Mistake(t_value / n2**0.5, "误用t除以较大组人数的平方根"),
        Mistake(t_value / n1**0.5, "误用t除以较小组人数的平方根"),
        Mistake(t_value * ((1 / n1) ** 0.5 + (1 / n2) ** 0.5), "误把两个平方根相加"),
        Mistake((t_value**2 / (t_value**2 + n1 + n2 - 2)) ** 0.5, "误求成相关系数"),
        Mistake(t_value * (2 / n1) ** 0.5, "误以为两组人数都等于较小组的人数"),
        Mistake(t_value * (2 / n2) ** 0.5, "误以为两组人数都等于较大组的人数"),
        Mistake(t_value / 2, "误以为d是t的一半"),
    ]
    stem = (
        f"一篇论文用独立样本t检验（方差齐性）比较{story}，只报告了$n_1={n1}$，$n_2={n2}$，"
        f"$t={t_value:.2f}$，没有给出平均数和标准差。"
        "以合并标准差为分母的Cohen的d值（保留两位小数）为（　　）。"
    )
    steps = (
        f"$t=\\frac{{\\bar X_1-\\bar X_2}}{{s_p\\sqrt{{1/n_1+1/n_2}}}}$，"
        f"所以$d=t\\sqrt{{1/n_1+1/n_2}}={t_value:.2f}\\times"
        f"\\sqrt{{1/{n1}+1/{n2}}}={number(key, 2)}$。"
    )
    return Problem("missing", stem, numeric_choice(key, mistakes, rank), steps, "analyse")


@patient
def graded_d(rng: random.Random, rank: int) -> Problem:
    """d of paired differences, mean difference over their standard deviation, and its grade after Cohen."""
    story = rng.choice(["团体辅导前后的自尊得分", "记忆策略训练前后的回忆量", "放松训练前后的焦虑得分"])
    n, gap, sd = rng.choice([16, 25, 36, 49]), rng.randint(10, 60) / 10, rng.randint(4, 12)
    key = settled(gap / sd, 2)
    if not 0.22 < key < 1.2 or (key < 0.5 and rng.random() < 0.7):
        raise Redraw  # medium and large effects would be rare otherwise
    mistakes = [
        Mistake(gap / (sd / n**0.5), "误用标准误作分母，求成了t值"),
        Mistake(gap / sd**0.5, "误对标准差开平方"),
        Mistake(gap / (2 * sd), "误把标准差加倍"),
        Mistake(gap / sd**2, "误用方差作分母"),
        Mistake((gap / sd) ** 0.5, "误对d值开平方"),
        Mistake((gap / sd) ** 2, "误取d值的平方"),
        Mistake(gap * 2**0.5 / sd, "误乘根号2"),
    ]
    rng.shuffle(mistakes)
    choice = _graded_choice(rng, Scale("d", 2, (0.2, 0.5, 0.8)), key, mistakes, rank)
    stem = (
        f"{n}名被试{story}之差的平均数为{gap:.1f}，差数的标准差为{sd}（以$n-1$为分母）。"
        "定义$d=\\bar D/s_D$，并按0.2（小）、0.5（中等）、"
        "0.8（大）的界限判断，不足0.2的为极小。对效应量（保留两位小数）的判断是（　　）。"
    )
    steps = f"$d=\\bar D/s_D={gap:.1f}/{sd}={number(key, 2)}$，与0.2、0.5、0.8三个界限比较即可；人数不进入d的计算。"
    return Problem("decide", stem, choice, steps)


@patient
def same_t_two_studies(rng: random.Random, rank: int) -> Problem:
    """Difference of d between two one-sample studies with their own t and n: t1/sqrt(n1) - t2/sqrt(n2)."""
    story = rng.choice(
        [
            "检验某地儿童智力测验得分与常模的差异",
            "检验新兵体能得分与标准的差异",
            "检验运动员反应速度与常模的差异",
        ]
    )
    n1, n2 = rng.choice([(9, 36), (16, 64), (16, 100), (25, 100), (9, 64), (36, 144), (25, 144)])
    t1, t2 = rng.randint(20, 34) / 10, rng.randint(20, 36) / 10
    key = settled(t1 / n1**0.5 - t2 / n2**0.5, 2, hand(t1 / n1**0.5) - hand(t2 / n2**0.5))
    mistakes = [
        Mistake(t1 / (n1 - 1) ** 0.5 - t2 / (n2 - 1) ** 0.5, "误用自由度的平方根作分母"),
        Mistake(t1 / n1 - t2 / n2, "误用t除以n，漏开平方"),
        Mistake(t1 / n1**0.5, "误求成第一项研究的d值"),
        Mistake(t2 / n2**0.5, "误求成第二项研究的d值"),
        Mistake(abs(t1 - t2), "误把t值之差当作效应量之差"),
        Mistake(t1 / n1**0.5 + t2 / n2**0.5, "把两个d值相加"),
        Mistake((t1 / n1**0.5 + t2 / n2**0.5) / 2, "误求成两个d值的平均"),
        Mistake(t1 * (2 / n1) ** 0.5 - t2 * (2 / n2) ** 0.5, "误按两独立样本的公式换算"),
        Mistake(t1 * 2 / n1**0.5 - t2 * 2 / n2**0.5, "误按两独立样本总人数的公式换算"),
    ]
    if key < 0.08:
        raise Redraw
    stem = (
        f"两项研究都{story}，并用单样本t检验。研究一：$n={n1}$，$t={t1:.2f}$；研究二：$n={n2}$，"
        f"$t={t2:.2f}$。效应量定义为平均数与常模之差"
        "除以样本标准差（以$n-1$为分母）。研究一的效应量比研究二大（保留两位小数）多少？"
    )
    steps = (
        f"$d=t/\\sqrt n$。研究一$d={t1:.2f}/\\sqrt{{{n1}}}={number(t1 / n1**0.5, 2)}$，"
        f"研究二$d={t2:.2f}/\\sqrt{{{n2}}}="
        f"{number(t2 / n2**0.5, 2)}$，相差{number(key, 2)}。"
    )
    return Problem("compare", stem, numeric_choice(key, mistakes, rank), steps, "analyse")


@patient
def eta_from_table(rng: random.Random, rank: int) -> Problem:
    """eta^2 from SS_b, MS_w and the design: SS_b / (SS_b + MS_w * df_w)."""
    story = rng.choice(["四种压力应对训练的效果", "四种颜色背景下的视觉搜索成绩", "四种阅读策略的效果"])
    size, between = rng.choice([6, 8, 10, 11]), rng.randint(40, 260)
    df, unit = 4 * (size - 1), rng.randint(4, 30) / 2
    within = unit * df
    total = between + within
    key = settled(between / total, 2)
    mistakes = [
        Mistake(between / within, "误用组内平方和作分母"),
        Mistake(between / 3 / (between / 3 + unit), "误用均方代替平方和"),
        Mistake(within / total, "误求成组内变异的比例"),
        Mistake(between / (between + unit * (4 * size - 1)), "组内自由度误用N-1"),
        Mistake((between / total) ** 0.5, "误开平方"),
        Mistake(between / (between + unit), "误把组内均方当作组内平方和"),
        Mistake(between / 3 / (between / 3 + within), "误把组间均方当作组间平方和"),
        Mistake(between / (between + unit * (size - 1)), "组内自由度只算了一组"),
        Mistake((between / total) ** 2, "误取平方"),
    ]
    mistakes = [m for m in mistakes if m.value < 1]
    if not 0.08 < key < 0.7:
        raise Redraw
    stem = (
        f"研究者用完全随机设计比较{story}，每组{size}人。方差分析表中组间平方和为{between}，"
        f"组内均方为{unit:g}，其余数据缺失。"
        "效应量$\\eta^2$（保留两位小数）为（　　）。"
    )
    steps = (
        f"$df_w=4\\times({size}-1)={df}$，$SS_w={unit:g}\\times{df}={within:g}$，"
        f"$SS_t={between}+{within:g}={total:g}$。"
        f"$\\eta^2=SS_b/SS_t={number(key, 2)}$。"
    )
    return Problem("find", stem, numeric_choice(key, mistakes, rank), steps)


@patient
def f_from_eta(rng: random.Random, rank: int) -> Problem:
    """F backwards from eta^2, k and N: (eta^2/df_b) / ((1-eta^2)/df_w)."""
    story = rng.choice(["不同教养方式下儿童的自主性", "不同岗位员工的工作满意度", "不同年级学生的求助行为"])
    k, count, eta = rng.choice([3, 4, 5]), rng.randint(30, 90), rng.randint(8, 36) / 100
    df = count - k
    key = settled(eta / (k - 1) / ((1 - eta) / df), 2, hand(eta / (k - 1), 4) / hand((1 - eta) / df, 6))
    mistakes = [
        Mistake(eta / (k - 1) / ((1 - eta) / (count - 1)), "组内自由度误用N-1"),
        Mistake(eta / k / ((1 - eta) / df), "组间自由度误用k"),
        Mistake(eta / (1 - eta), "没有除以自由度"),
        Mistake(eta / (k - 1) * df, "误用总变异作分母"),
        Mistake(eta * df / (1 - eta), "组间部分没有除以自由度"),
        Mistake(eta / (k - 1) / ((1 - eta) / count), "组内自由度误用N"),
        Mistake(eta**0.5 / (k - 1) / ((1 - eta**0.5) / df), "误对η²开平方后代入"),
        Mistake(eta / k / ((1 - eta) / (count - 1)), "组间自由度误用k，组内自由度误用N-1"),
    ]
    stem = (
        f"一项关于{story}的研究比较了{k}组共{count}名被试，"
        f"单因素方差分析只报告了$\\eta^2={eta:.2f}$（组间平方和占总平方和的比例）。"
        "由此推算的F值（保留两位小数）为（　　）。"
    )
    steps = (
        f"$F=\\frac{{\\eta^2/(k-1)}}{{(1-\\eta^2)/(N-k)}}=\\frac{{{eta:.2f}/{k - 1}}}{{{1 - eta:.2f}/"
        f"{df}}}="
        f"{number(key, 2)}$。"
    )
    return Problem("missing", stem, numeric_choice(key, mistakes, rank), steps, "analyse")


@patient
def graded_eta(rng: random.Random, rank: int) -> Problem:
    """eta^2 from F and its degrees of freedom, with its grade: F*df_b / (F*df_b + df_w)."""
    story = rng.choice(["三种字体对阅读速度的影响", "三种包装对购买意愿的影响", "三种提示对风险决策的影响"])
    df = 3 * rng.randint(9, 39) - 3
    f_value = rng.randint(32, 98) / 10
    key = settled(2 * f_value / (2 * f_value + df), 3)
    mistakes = [
        Mistake(f_value / (f_value + df), "漏乘组间自由度"),
        Mistake(2 * f_value / df, "误用组内部分作分母"),
        Mistake(f_value / df, "误用F除以组内自由度"),
        Mistake(3 * f_value / (3 * f_value + df), "组间自由度误用k"),
        Mistake((2 * f_value / (2 * f_value + df)) ** 0.5, "误开平方"),
        Mistake(1 / (1 + f_value), "误把F当作两个平方和之比，又取了组内部分"),
        Mistake((2 * f_value / (2 * f_value + df)) ** 2, "误取平方"),
        Mistake((f_value - 1) / df, "分子误减1，又漏乘组间自由度"),
    ]
    rng.shuffle(mistakes)
    choice = _graded_choice(rng, Scale("\\eta^2", 3, (0.01, 0.06, 0.14)), key, mistakes, rank)
    choice = even_out(rng, choice, "大效应", 0.35)
    stem = (
        f"某完全随机实验考察{story}，方差分析结果为$F(2,{df})={f_value:.2f}$，$p<0.05$。"
        "以组间平方和占总平方和的比例为$\\eta^2$，并按"
        "0.01（小）、0.06（中等）、0.14（大）的界限判断，不足0.01的为极小。"
        "对效应量（保留三位小数）的判断是（　　）。"
    )
    steps = (
        f"$\\eta^2=\\frac{{F\\cdot df_b}}{{F\\cdot df_b+df_w}}=\\frac{{{2 * f_value:.2f}"
        f"}}{{{2 * f_value:.2f}+{df}}}="
        f"{number(key, 3)}$，再与三个界限比较；p值的大小不说明效应的大小。"
    )
    return Problem("decide", stem, choice, steps, "analyse")


@patient
def partial_against_whole(rng: random.Random, rank: int) -> Problem:
    """Partial eta^2 minus eta^2 of factor A in a two-way design: SS_A/(SS_A+SS_w) - SS_A/SS_t."""
    first, second = rng.choice([("奖励类型", "任务兴趣"), ("呈现通道", "年龄组"), ("领导风格", "团队规模")])
    main, other, both, within = (rng.randint(*ends) for ends in ((30, 120), (60, 240), (20, 120), (100, 320)))
    total = main + other + both + within
    whole, partial = main / total, main / (main + within)
    key = settled(partial - whole, 2, hand(partial) - hand(whole))
    if key < 0.06:
        raise Redraw
    mistakes = [
        Mistake(partial, "误求成偏η²"),
        Mistake(main / within - whole, "偏η²误用组内平方和作分母"),
        Mistake(whole, "误求成η²"),
        Mistake(main / (main + within + both) - whole, "偏η²的分母多加了交互作用平方和"),
        Mistake(main / (main + within + other) - whole, "偏η²的分母多加了B因素平方和"),
        Mistake(partial - main / (total - main), "η²的分母漏加A因素平方和"),
        Mistake(main / (main + other + both) - whole, "偏η²误用组间平方和作分母"),
        Mistake(partial + whole, "误把两者相加"),
        Mistake(main / within, "误求成A因素与组内平方和之比"),
    ]
    mistakes = [m for m in mistakes if 0 < m.value < 1]
    stem = (
        f"某两因素完全随机实验考察{first}（A）与{second}（B），方差分析得$SS_A={main}$，$SS_B={other}$，"
        f"$SS_{{AB}}={both}$，"
        f"$SS_w={within}$。A因素的偏$\\eta^2$（分母只含该效应与组内平方和）比$\\eta^2$（分母为总平方和）"
        "大（保留两位小数）多少？"
    )
    steps = (
        f"$\\eta^2={main}/{total}={number(whole, 2)}$，"
        f"偏$\\eta^2={main}/({main}+{within})={number(partial, 2)}$，相差"
        f"{number(key, 2)}。"
    )
    return Problem("compare", stem, numeric_choice(key, mistakes, rank), steps, "analyse")


FAMILIES: dict[str, list[Family]] = {
    "effect-size": [pooled_d, d_from_t, graded_d, same_t_two_studies],
    "eta-squared": [eta_from_table, f_from_eta, graded_eta, partial_against_whole],
}
