"""Problems on the t test for two independent samples with equal unknown variances.

Convention: $S_p^2=(n_1S_1^2+n_2S_2^2)/(n_1+n_2-2)$ with $S$ over n, which is
$[(n_1-1)S_{n-1,1}^2+(n_2-1)S_{n-1,2}^2]/(n_1+n_2-2)$; the stem says which it gives.
"""

import math
import random

from psygen.engines.offline.figures import listed, plain
from psygen.engines.offline.guards import hand, patient, settled
from psygen.engines.offline.inference import (
    COMPARED,
    HASTENED,
    SOOTHED,
    TAUGHT,
    TRAINED,
    crossed_decision,
    even_out,
    neat_deviations,
    t_note,
    t_verdict,
)
from psygen.engines.offline.problem import Family, Mistake, Problem, Redraw, number, numeric_choice
from psygen.engines.offline.tables import t_critical


@patient
def pooled_t(rng: random.Random, rank: int) -> Problem:
    """t of two independent samples from descriptive SDs, with unequal groups."""
    contrast = rng.choice(COMPARED)
    n1, n2 = rng.sample([8, 9, 10, 12, 14, 15, 16, 18, 20], 2)
    s1, s2 = rng.randint(4, 10), rng.randint(4, 10)
    gap = rng.choice([-1, 1]) * rng.randint(2, 12)
    df = n1 + n2 - 2
    pooled = (n1 * s1**2 + n2 * s2**2) / df
    error = math.sqrt(pooled * (1 / n1 + 1 / n2))
    key = settled(gap / error, 2, gap / hand(error), gap / math.sqrt(hand(pooled) * (1 / n1 + 1 / n2)))
    if not 0.7 < abs(key) < 5:
        raise Redraw
    naive = ((n1 - 1) * s1**2 + (n2 - 1) * s2**2) / df
    mistakes = [
        Mistake(gap / math.sqrt(naive * (1 / n1 + 1 / n2)), "离差平方和误用$(n-1)S^2$"),
        Mistake(gap / math.sqrt((n1 * s1**2 + n2 * s2**2) / (n1 + n2) ** 2), "误用$\\sqrt{S^2/(n_1+n_2)}$作标准误"),
        Mistake(gap / math.sqrt(pooled), "漏乘$\\sqrt{1/n_1+1/n_2}$"),
        Mistake(-gap / error, "分子的相减方向弄反"),
        Mistake(gap / (s1 / math.sqrt(n1) + s2 / math.sqrt(n2)), "把两个标准误直接相加"),
        Mistake(gap / error**2, "标准误漏开平方"),
        Mistake(-gap / math.sqrt(pooled), "漏乘$\\sqrt{1/n_1+1/n_2}$且方向弄反"),
        Mistake(gap / math.sqrt(pooled * (1 / min(n1, n2))), "标准误只按一组人数计算"),
    ]
    mean = rng.randint(40, 70)
    stem = (
        f"随机抽取{contrast.one}{n1}人、{contrast.other}{n2}人，"
        f"{contrast.what}的平均数分别为{mean + gap}和{mean}，"
        f"以n为分母的标准差$S$分别为{s1}和{s2}。两总体正态，方差未知但相等。"
        f"以{contrast.one}减{contrast.other}，检验平均数差异的统计量t（保留两位小数）为（　　）。"
    )
    steps = (
        f"$S_p^2=\\dfrac{{{n1}\\times{s1**2}+{n2}\\times{s2**2}}}{{{df}}}={number(pooled, 2)}$，"
        f"$SE=\\sqrt{{{number(pooled, 2)}\\times(1/{n1}+1/{n2})}}={number(error, 2)}$；"
        f"$t={gap}/{number(error, 2)}={number(key, 2)}$。"
    )
    return Problem("find", stem, numeric_choice(key, mistakes, rank), steps)


@patient
def t_from_two_lists(rng: random.Random, rank: int) -> Problem:
    """t of two independent samples of the same size from raw scores."""
    contrast = rng.choice(TAUGHT)
    n = rng.choice([5, 6])
    mean, gap = rng.randint(8, 14), rng.randint(2, 6)
    first = [mean + gap + d for d in neat_deviations(rng, n, 5)]
    second = [mean + d for d in neat_deviations(rng, n, 5)]
    if min(*first, *second) < 1 or len(set(second)) < 3:
        raise Redraw
    ss1 = sum((x - mean - gap) ** 2 for x in first)
    ss2 = sum((x - mean) ** 2 for x in second)
    pooled = (ss1 + ss2) / (2 * n - 2)
    error = math.sqrt(pooled * 2 / n)
    key = settled(gap / error, 2, gap / hand(error), gap / math.sqrt(hand(pooled) * 2 / n))
    difference = [a - b - gap for a, b in zip(first, second, strict=True)]
    mistakes = [
        Mistake(gap / math.sqrt((ss1 + ss2) / (2 * n) * 2 / n), "两组方差以n为分母后仍除以n"),
        Mistake(gap / math.sqrt(pooled / n), "标准误漏乘2"),
        Mistake(gap / math.sqrt(pooled), "漏乘$\\sqrt{1/n_1+1/n_2}$"),
        Mistake(gap / math.sqrt(pooled / (2 * n)), "误用$\\sqrt{S_p^2/(n_1+n_2)}$作标准误"),
        Mistake(gap / error**2, "标准误漏开平方"),
        Mistake(gap / (2 * math.sqrt(pooled / n)), "把两个标准误直接相加"),
    ]
    if sum(d * d for d in difference):
        paired = math.sqrt(sum(d * d for d in difference) / (n * (n - 1)))
        mistakes.append(Mistake(gap / paired, "误按配对样本计算"))
    stem = (
        f"把{2 * n}名学生随机分到{contrast.one}和{contrast.other}，每组{n}人，{contrast.what}（小测验）为："
        f"{contrast.one}{listed(first)}；{contrast.other}{listed(second)}。两总体正态，方差未知但相等。"
        f"以{contrast.one}减{contrast.other}，检验平均数差异的统计量t（保留两位小数）为（　　）。"
    )
    steps = (
        f"平均数为{mean + gap}和{mean}，离差平方和为{ss1}和{ss2}，"
        f"$S_p^2=({ss1}+{ss2})/{2 * n - 2}={number(pooled, 2)}$，"
        f"$SE=\\sqrt{{{number(pooled, 2)}\\times2/{n}}}={number(error, 2)}$；"
        f"$t={gap}/{number(error, 2)}={number(key, 2)}$。"
    )
    return Problem("find", stem, numeric_choice(key, mistakes, rank), steps)


@patient
def least_difference(rng: random.Random, rank: int) -> Problem:
    """The smallest difference of means that a pooled t test calls significant: t sqrt(S² (1/n1 + 1/n2))."""
    contrast = rng.choice(HASTENED)
    n = rng.choice([8, 10, 11, 13, 16, 18])
    df, tails = 2 * n - 2, rng.choice([1, 2])
    v1, v2 = rng.randint(9, 40) * 50, rng.randint(9, 40) * 50
    error = math.sqrt((v1 + v2) / n)
    line, other = t_critical(df, 0.05, tails), t_critical(df, 0.05, 3 - tails)
    key = settled(line * error, 1, line * hand(error))
    wrong_df = t_critical(n - 1, 0.05, tails)
    mistakes = [
        Mistake(other * error, f"误用{'双' if tails == 1 else '单'}侧的临界值"),
        Mistake(line * math.sqrt((v1 + v2) / 2 / n), "标准误漏乘2，只按一组计算"),
        Mistake(wrong_df * error, "自由度误用n-1"),
        Mistake(line * (math.sqrt(v1 / n) + math.sqrt(v2 / n)), "把两个标准误直接相加"),
        Mistake(line * math.sqrt((v1 + v2) / (n - 1)), "对$S_{n-1}^2$又除以n-1"),
        Mistake(line * math.sqrt((v1 + v2) / 2), "用合并标准差代替标准误"),
        Mistake(error, "漏乘临界值"),
        Mistake(line * math.sqrt((v1 + v2) / 2 / (2 * n)), "误用$\\sqrt{S_p^2/(n_1+n_2)}$作标准误"),
    ]
    aim = f"{contrast.one}是否慢于{contrast.other}" if tails == 1 else "两组是否有差异"
    notes = f"{t_note(df, 0.05, 1)}，{t_note(df, 0.05, 2)}，{t_note(n - 1, 0.05, tails)}"
    stem = (
        f"研究者比较{contrast.one}与{contrast.other}的{contrast.what}，每组随机分配{n}人，"
        f"两组的$S_{{n-1}}^2$分别为{v1}和{v2}（单位：毫秒的平方），"
        f"两总体正态且方差相等。检验{aim}（{'单' if tails == 1 else '双'}侧，$\\alpha=0.05$）。已知{notes}。"
        "两组平均数至少相差多少毫秒（保留一位小数）才能达到显著？"
    )
    steps = (
        f"$SE=\\sqrt{{({v1}+{v2})/{n}}}={number(error, 2)}$，$df={df}$；"
        f"最小差异$={line:.3f}\\times{number(error, 2)}={number(key, 1)}$毫秒。"
    )
    choice = numeric_choice(key, mistakes, rank, decimals=1, unit="毫秒")
    return Problem("missing", stem, choice, steps)


@patient
def independent_decision(rng: random.Random, rank: int) -> Problem:
    """The decision of a pooled t test of two equal groups."""
    contrast = rng.choice(TRAINED)
    n = rng.choice([8, 9, 10, 11, 13, 16])
    df, tails = 2 * n - 2, rng.choice([1, 2])
    s1, s2 = rng.randint(4, 10), rng.randint(4, 10)
    error = math.sqrt((s1**2 + s2**2) / n)
    mean, gap = rng.randint(40, 60), rng.randint(20, 110) / 10
    key = settled(gap / error, 2, gap / hand(error))
    if key > 5:
        raise Redraw
    line = t_critical(df, 0.05, tails)
    stats = [
        Mistake(gap / math.sqrt((s1**2 + s2**2) / (2 * n)), "标准误漏乘2，误用$\\sqrt{S_p^2/n}$"),
        Mistake(gap / (s1 / math.sqrt(n) + s2 / math.sqrt(n)), "把两个标准误直接相加"),
        Mistake(gap / math.sqrt((s1**2 + s2**2) / 2), "用合并标准差代替标准误"),
    ]
    lines = [
        Mistake(t_critical(df, 0.05, 3 - tails), f"误用{'双' if tails == 1 else '单'}侧的临界值"),
        Mistake(t_critical(n - 1, 0.05, tails), "自由度误用n-1"),
    ]
    choice = crossed_decision(rng, t_verdict, (key, stats), (line, lines), rank)
    even_out(rng, choice, "拒绝", 0.4)
    aim = f"{contrast.one}是否高于{contrast.other}" if tails == 1 else "两组是否有差异"
    notes = f"{t_note(df, 0.05, 1)}，{t_note(df, 0.05, 2)}，{t_note(n - 1, 0.05, tails)}"
    stem = (
        f"把{2 * n}名被试随机分成{contrast.one}和{contrast.other}，每组{n}人。"
        f"干预后{contrast.what}的平均数为{plain(mean + gap)}和{mean}，"
        f"$S_{{n-1}}$为{s1}和{s2}，两总体正态，方差未知但经检验相等。检验{aim}"
        f"（{'单' if tails == 1 else '双'}侧，"
        "$\\alpha=0.05$）。"
        f"已知{notes}。检验统计量、临界值和结论都正确的是（　　）。"
    )
    steps = (
        f"两组人数相等，$SE=\\sqrt{{({s1}^2+{s2}^2)/{n}}}={number(error, 2)}$，"
        f"$t={plain(gap)}/{number(error, 2)}={number(key, 2)}$，"
        f"$df={df}$，临界值为{line:.3f}，即{choice.options[rank]}。"
    )
    return Problem("decide", stem, choice, steps, "analyse")


@patient
def t_of_other_split(rng: random.Random, rank: int) -> Problem:
    """t when the same people are split unequally and everything else stays."""
    contrast = rng.choice(SOOTHED)
    total = rng.choice([24, 30, 36, 40, 48, 60])
    small = rng.choice([k for k in range(4, total // 2 - 3) if total % k == 0 or total * 10 % k == 0])
    even, large = total // 2, total - small
    t = rng.randint(200, 360) / 100
    ratio = math.sqrt((2 / even) / (1 / small + 1 / large))
    key = settled(t * ratio, 2)
    mistakes = [
        Mistake(t, "误以为总人数不变则t不变"),
        Mistake(t / ratio, "把两个标准误的位置颠倒"),
        Mistake(t * ratio**2, "标准误之比漏开平方"),
        Mistake(t * math.sqrt(small / even), "只考虑了人数较少的一组"),
        Mistake(t * math.sqrt(large / even), "只考虑了人数较多的一组"),
        Mistake(t * small / even, "误以为t与较小一组的人数成正比"),
        Mistake(t / ratio**2, "标准误之比漏开平方且位置颠倒"),
        Mistake(t * math.sqrt(small / large), "误用两组人数之比折算"),
    ]
    stem = (
        f"用{total}名被试比较{contrast.one}与{contrast.other}的{contrast.what}，两组各{even}人时，"
        "独立样本t检验（方差相等，合并方差）"
        f"得$t={t:.2f}$。若总人数、两组平均数和合并方差都不变，只是改为一组{small}人、另一组{large}人，"
        "则t值（保留两位小数）为（　　）。"
    )
    steps = (
        "t与标准误成反比，标准误与$\\sqrt{1/n_1+1/n_2}$成正比；"
        f"$t={t:.2f}\\times\\sqrt{{\\dfrac{{1/{even}+1/{even}}}{{1/{small}+1/{large}}}}}={number(key, 2)}$。"
    )
    return Problem("compare", stem, numeric_choice(key, mistakes, rank), steps, "analyse")


FAMILIES: dict[str, list[Family]] = {
    "independent-samples-t-test": [
        pooled_t,
        t_from_two_lists,
        least_difference,
        independent_decision,
        t_of_other_split,
    ],
}
