"""Problems on the unbiased estimate of a population variance.

Convention: $S^2$ divides by n and describes the sample, $S_{n-1}^2$ divides by n-1 and estimates $\\sigma^2$.
"""

import math
import random

from psygen.engines.offline.figures import listed
from psygen.engines.offline.guards import hand, patient, settled
from psygen.engines.offline.inference import ABILITY, EMOTION, SOCIAL, check_spread, count_choice, neat_deviations
from psygen.engines.offline.problem import (
    Family,
    Mistake,
    Problem,
    Redraw,
    number,
    numeric_choice,
    text_choice,
)

SHORT_TASKS = ("一分钟内说出的动物名称数（个）", "划消测验中漏划的符号数（个）", "十分钟内的分心次数（次）")


@patient
def variance_from_scores(rng: random.Random, rank: int) -> Problem:
    """Unbiased variance from raw scores: SS / (n - 1)."""
    task = rng.choice(SHORT_TASKS)
    n = rng.randint(6, 8)
    mean = rng.randint(10, 25)
    scores = [mean + d for d in neat_deviations(rng, n, 5)]
    squares = sum((x - mean) ** 2 for x in scores)
    key = settled(squares / (n - 1), 2)
    mistakes = [
        Mistake(squares / n, "误用n作分母"),
        Mistake(squares / (n - 2), "误用n-2作分母"),
        Mistake(squares, "求得离差平方和后未除以自由度"),
        Mistake(math.sqrt(key), "又开了平方，求成标准差"),
        Mistake(squares / (n + 1), "误用n+1作分母"),
        Mistake(sum(x * x for x in scores) / (n - 1), "未减去平均数，直接用原始分数的平方和"),
        Mistake(sum(abs(x - mean) for x in scores) / (n - 1), "用离差绝对值代替离差平方"),
    ]
    stem = (
        f"从某小学四年级学生中随机抽取{n}人，记录每人{task}，结果为："
        f"{listed(scores)}。据此对总体方差$\\sigma^2$作无偏估计，估计值（保留两位小数）为（　　）。"
    )
    steps = (
        f"$\\bar X={mean}$，离差平方和$\\sum(X-\\bar X)^2={squares}$，自由度为{n - 1}；"
        f"$S_{{n-1}}^2={squares}/{n - 1}={number(key, 2)}$。"
    )
    return Problem("find", stem, numeric_choice(key, mistakes, rank), steps)


@patient
def squares_from_estimate(rng: random.Random, rank: int) -> Problem:
    """The sum of squared scores behind an unbiased estimate: (n - 1) S² + n mean²."""
    n = rng.choice([8, 10, 11, 12, 15, 16])
    mean = rng.randint(4, 9)
    variance = rng.choice([3, 4, 5, 6, 8, 9])
    key = (n - 1) * variance + n * mean**2
    mistakes = [
        Mistake(n * variance + n * mean**2, "把$S_{n-1}^2$当作以n为分母的方差"),
        Mistake((n - 1) * variance, "漏加$n\\bar X^2$"),
        Mistake((n - 1) * variance + (n * mean) ** 2, "误把$n\\bar X^2$算成$(\\sum X)^2$"),
        Mistake((n - 1) * variance + mean**2, "平均数的平方未乘n"),
        Mistake((n - 1) * (variance + mean**2), "平均数的平方也误乘n-1"),
        Mistake((n - 1) * variance**2 + n * mean**2, "把方差又平方了一次"),
    ]
    stem = (
        f"研究者测查了{n}名大学生的数字记忆广度（单位：个），只报告平均数$\\bar X={mean}$，"
        f"总体方差的无偏估计值$S_{{n-1}}^2={variance}$。则这{n}个数据的平方和$\\sum X^2$为（　　）。"
    )
    steps = (
        "由$S_{n-1}^2=\\dfrac{\\sum X^2-n\\bar X^2}{n-1}$得$\\sum X^2=(n-1)S_{n-1}^2+n\\bar X^2"
        f"={n - 1}\\times{variance}+{n}\\times{mean}^2={key}$。"
    )
    return Problem("missing", stem, count_choice(key, mistakes, rank), steps)


@patient
def pooled_estimate(rng: random.Random, rank: int) -> Problem:
    """Pooled unbiased variance from two descriptive SDs: (n1 S1² + n2 S2²) / (n1 + n2 - 2)."""
    measure = rng.choice(EMOTION)
    n1, n2 = rng.sample([6, 8, 9, 10, 12, 14, 15], 2)
    s1, s2 = rng.sample(range(4, 11), 2)
    squares = n1 * s1**2 + n2 * s2**2
    key = settled(squares / (n1 + n2 - 2), 2)
    mistakes = [
        Mistake(squares / (n1 + n2), "以两组总人数为分母"),
        Mistake(((n1 - 1) * s1**2 + (n2 - 1) * s2**2) / (n1 + n2 - 2), "离差平方和误用$(n-1)S^2$计算"),
        Mistake((s1**2 + s2**2) / 2, "把两个样本方差直接平均"),
        Mistake(n1 * s1**2 / (n1 - 1) + n2 * s2**2 / (n2 - 1), "把两个无偏估计相加而未合并"),
        Mistake(squares / (n1 + n2 - 4), "误用$n_1+n_2-4$作分母"),
        Mistake(max(n1 * s1**2 / (n1 - 1), n2 * s2**2 / (n2 - 1)), "只用了方差较大的一组"),
        Mistake(math.sqrt(key), "又开了平方"),
    ]
    stem = (
        f"设甲、乙两类{measure.people}的{measure.what}的总体方差相等。从甲类中随机抽取{n1}人，"
        f"从乙类中随机抽取{n2}人，"
        f"以n为分母计算的样本标准差分别为$S_1={s1}$和$S_2={s2}$。把两个样本的离差平方和与自由度分别合并，"
        "则共同总体方差的无偏估计值（保留两位小数）为（　　）。"
    )
    steps = (
        "$S_p^2=\\dfrac{n_1S_1^2+n_2S_2^2}{n_1+n_2-2}"
        f"=\\dfrac{{{n1}\\times{s1 * s1}+{n2}\\times{s2 * s2}}}{{{n1 + n2 - 2}}}"
        f"=\\dfrac{{{squares}}}{{{n1 + n2 - 2}}}={number(key, 2)}$。"
    )
    return Problem("find", stem, numeric_choice(key, mistakes, rank), steps)


@patient
def bias_of_two_designs(rng: random.Random, rank: int) -> Problem:
    """How far two biased estimators lie apart in the long run: σ² (1/n1 - 1/n2)."""
    measure, sigma = rng.choice(ABILITY), rng.choice([6, 8, 9, 10, 12, 14, 15, 16, 18, 20])
    check_spread(measure, sigma)
    n1, n2 = rng.choice([4, 5, 6, 8]), rng.choice([10, 12, 15, 16, 20, 25])
    v = sigma**2
    key = settled(v / n1 - v / n2, 2)
    mistakes = [
        Mistake(v / (n1 - 1) - v / (n2 - 1), "把偏差误作$\\sigma^2/(n-1)$"),
        Mistake(sigma / math.sqrt(n1) - sigma / math.sqrt(n2), "求成两个平均数标准误之差"),
        Mistake(v / n1, "只求了甲方案的偏差"),
        Mistake(v / n2, "只求了乙方案的偏差"),
        Mistake(v / (n2 - n1), "先把两个样本容量相减"),
        Mistake(v / n1 + v / n2, "把两个偏差相加"),
        Mistake(0.0, "误认为以n为分母的样本方差没有偏差"),
    ]
    stem = (
        f"已知{measure.what}的总体标准差$\\sigma={sigma}$。甲方案每次随机抽取{n1}人，"
        f"乙方案每次随机抽取{n2}人（均视为有放回抽样），都用以n为分母的样本方差$S^2$估计$\\sigma^2$。"
        "若抽样重复无穷多次，则甲、乙两方案$S^2$的平均值相差（取绝对值，保留两位小数）为（　　）。"
    )
    steps = (
        "$E(S^2)=\\dfrac{n-1}{n}\\sigma^2$，即平均偏低$\\sigma^2/n$；两方案相差"
        f"$\\dfrac{{{v}}}{{{n1}}}-\\dfrac{{{v}}}{{{n2}}}={number(key, 2)}$。"
    )
    return Problem("compare", stem, numeric_choice(key, mistakes, rank), steps, "analyse")


@patient
def larger_estimate(rng: random.Random, rank: int) -> Problem:
    """Which of two unequal samples estimates the larger population variance, and by how much."""
    measure = rng.choice(SOCIAL)
    n1, n2 = rng.choice([4, 5, 6]), rng.choice([11, 13, 16, 21])
    ss1, ss2 = rng.randint(40, 160), rng.randint(120, 600)
    v1, v2 = ss1 / (n1 - 1), ss2 / (n2 - 1)
    gap = settled(v1 - v2, 2, hand(v1) - hand(v2))
    biased = settled(ss2 / n2 - ss1 / n1, 2)
    roots = settled(math.sqrt(v1) - math.sqrt(v2), 2)
    both = settled(math.sqrt(ss2 / n2) - math.sqrt(ss1 / n1), 2)
    if min(gap, biased, roots, both) < 0.1 or gap - roots < 0.1 or biased - both < 0.1:
        raise Redraw
    first, second = ("甲", "乙") if rng.random() < 0.5 else ("乙", "甲")
    wrong = [
        (f"{second}组较大，两者相差{number(biased, 2)}", "误用n作分母"),
        (f"{first}组较大，两者相差{number(roots, 2)}", "比较的是标准差而不是方差"),
        (f"{second}组较大，两者相差{number(both, 2)}", "误用n作分母，并且比较的是标准差"),
    ]
    rng.shuffle(wrong)
    groups = sorted([(first, n1, ss1), (second, n2, ss2)], key=lambda group: group[0] == "乙")
    data = "；".join(f"{name}组抽取{n}人，离差平方和为{ss}" for name, n, ss in groups)
    stem = (
        f"从{measure.who}中分出甲、乙两类，分别随机抽样测{measure.what}：{data}。"
        "比较两组总体方差的无偏估计值（保留两位小数），正确的是（　　）。"
    )
    steps = (
        f"{first}组$S_{{n-1}}^2={ss1}/{n1 - 1}={number(ss1 / (n1 - 1), 3)}$，"
        f"{second}组$S_{{n-1}}^2={ss2}/{n2 - 1}={number(ss2 / (n2 - 1), 3)}$；"
        f"{first}组较大，相差{number(gap, 2)}。"
    )
    choice = text_choice(f"{first}组较大，两者相差{number(gap, 2)}", wrong, rank)
    return Problem("decide", stem, choice, steps, "analyse")


FAMILIES: dict[str, list[Family]] = {
    "unbiased-variance": [
        variance_from_scores,
        squares_from_estimate,
        pooled_estimate,
        bias_of_two_designs,
        larger_estimate,
    ],
}
