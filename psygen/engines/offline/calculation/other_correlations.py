"""Point-biserial and phi correlation, as Chinese psychology statistics textbooks work them.

Conventions: r_pb = (mean_p - mean_q) / s_t * sqrt(pq) with s_t over n; phi has the sign of ad - bc.
"""

import math
import random

from psygen.engines.offline.figures import listed
from psygen.engines.offline.guards import Ruling, decision_choice, exceeds, hand, patient, settled
from psygen.engines.offline.inference import even_out
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
def biserial_from_scores(rng: random.Random, rank: int) -> Problem:
    """r_pb of one item and the total from ten examinees: (mean_p - mean_q) / s_t * sqrt(pq)."""
    what = rng.choice(["数学测验的一道选择题", "词汇测验的一道选择题", "常识测验的一道判断题"])
    passed = rng.choice([4, 5, 6, 8])
    right = sorted(rng.randint(9, 20) for _ in range(passed))
    wrong = sorted(rng.randint(5, 15) for _ in range(10 - passed))
    if sum(right) % passed or sum(wrong) % (10 - passed) or sum(right + wrong) % 10:
        raise Redraw
    p, mean = passed / 10, sum(right + wrong) / 10
    one, other = sum(right) / passed, sum(wrong) / (10 - passed)
    variance = sum((x - mean) ** 2 for x in right + wrong) / 10
    if one - other < 2:
        raise Redraw
    key = settled(
        (one - other) * (p * (1 - p) / variance) ** 0.5,
        2,
        hand((one - other) / hand(variance**0.5)) * hand((p * (1 - p)) ** 0.5),
        (one - other) / hand(variance**0.5) * hand((p * (1 - p)) ** 0.5),
    )
    sd = variance**0.5
    mistakes = [
        Mistake((one - other) / sd * p * (1 - p), "p与q的乘积漏开平方"),
        Mistake((one - other) / sd * (p / (1 - p)) ** 0.5, "误用p与q之比的平方根"),
        Mistake((one - mean) / sd * (p * (1 - p)) ** 0.5, "误用总平均数代替答错者的平均数"),
        Mistake((one - other) / sd * p, "误乘p"),
        Mistake(key**2, "误求成决定系数"),
        Mistake(key**0.5, "误对结果开平方"),
        Mistake((one - other) / sd, "漏乘p与q乘积的平方根"),
        Mistake((one - other) / variance * (p * (1 - p)) ** 0.5, "误用方差代替标准差"),
        Mistake((one - other) / sd * p**0.5, "误乘p的平方根"),
    ]
    mistakes = [m for m in mistakes if m.value < 1]
    stem = (
        f"10名学生参加测验。在{what}上，答对者的测验总分为{listed(right)}，"
        f"答错者的测验总分为{listed(wrong)}。"
        "总分的标准差以n为分母。该题与总分的点二列相关系数（保留两位小数）为（　　）。"
    )
    steps = (
        f"$\\bar X_p={one:g}$，$\\bar X_q={other:g}$，$p={p:.1f}$，$q={1 - p:.1f}$，总平均数为{mean:g}，"
        f"$s_t=\\sqrt{{{variance:g}}}={number(sd, 2)}$。$r_{{pb}}=\\frac{{\\bar X_p-\\bar X_q}}{{s_t}}"
        f"\\sqrt{{pq}}={number(key, 2)}$。"
    )
    return Problem("find", stem, numeric_choice(key, mistakes, rank), steps)


@patient
def mean_of_failed(rng: random.Random, rank: int) -> Problem:
    """mean_q backwards from r_pb, p, s_t and mean_p."""
    what = rng.choice(
        [
            "是否参加过培训与岗位知识得分",
            "有无留守经历与安全感得分",
            "是否担任班干部与自信得分",
        ]
    )
    p, sd, one = rng.choice([0.2, 0.4, 0.5, 0.6, 0.8, 0.36, 0.64]), rng.randint(5, 14), rng.randint(60, 85)
    r = rng.randint(20, 60) / 100
    root = (p * (1 - p)) ** 0.5
    gap = r * sd / root
    key = settled(one - gap, 2, one - r * sd / hand(root))
    mistakes = [
        Mistake(one - r * sd / (p * (1 - p)), "p与q的乘积漏开平方"),
        Mistake(one - r * sd * root, "误把除以写成乘以p与q乘积的平方根"),
        Mistake(one - r * sd, "漏掉p与q乘积的平方根"),
        Mistake(one - r * sd * ((1 - p) / p) ** 0.5, "误用与总平均数有关的公式，求成了总平均数"),
        Mistake(one + gap, "误认为两组平均数之差的方向相反"),
        Mistake(one - r / root, "漏乘标准差"),
        Mistake(one - r * sd / p, "误用p代替p与q乘积的平方根"),
        Mistake(one - r * sd / (1 - p), "误用q代替p与q乘积的平方根"),
        Mistake(one - r * sd**2 / root, "误用方差代替标准差"),
    ]
    mistakes = [m for m in mistakes if 20 < m.value < 100]
    stem = (
        f"一项研究用点二列相关分析{what}的关系。全体被试得分的标准差为{sd}（以n为分母），"
        f"“是”组占{p * 100:g}%，平均分为{one}，"
        f"点二列相关系数为{r:.2f}，且“是”组的平均分高于“否”组。"
        "“否”组的平均分（保留两位小数）为（　　）。"
    )
    steps = (
        f"由$r_{{pb}}=\\frac{{\\bar X_p-\\bar X_q}}{{s_t}}\\sqrt{{pq}}$得$\\bar X_p-\\bar X_q="
        f"{r:.2f}\\times{sd}/\\sqrt{{{p:g}\\times{1 - p:g}}}={number(gap, 2)}$，"
        f"$\\bar X_q={one}-{number(gap, 2)}={number(key, 2)}$。"
    )
    return Problem("missing", stem, numeric_choice(key, mistakes, rank), steps, "analyse")


@patient
def biserial_decision(rng: random.Random, rank: int) -> Problem:
    """t of a point-biserial correlation found from mean_p, mean_t, p and s_t: r*sqrt(n-2)/sqrt(1-r^2)."""
    what = rng.choice(["是否独生与合群性得分", "有无运动习惯与睡眠质量得分", "是否住校与自理能力得分"])
    n, p, sd = rng.choice([20, 25, 30, 40, 50]), rng.choice([0.2, 0.4, 0.5, 0.6, 0.8]), rng.randint(6, 12)
    mean, gap = rng.randint(50, 70), rng.randint(10, 45) / 10
    r = gap / sd * (p / (1 - p)) ** 0.5
    if not 0.12 < r < 0.7:
        raise Redraw
    critical = t_critical(n - 2, 0.05, 2)

    def t_of(value: float) -> float:
        return value * (n - 2) ** 0.5 / (1 - value**2) ** 0.5 if abs(value) < 0.97 else 0.0

    key = settled(t_of(r), 1, t_of(hand(r)), t_of(hand(r, 3)))
    is_large = exceeds(key, critical)
    mistakes = [
        Mistake(t_of(gap / sd * (p * (1 - p)) ** 0.5), "误把与总平均数之差代入两组平均数之差的公式"),
        Mistake(t_of(gap / sd * p / (1 - p)), "p与q之比漏开平方"),
        Mistake(t_of(gap / sd), "漏乘p与q之比的平方根"),
        Mistake(t_of(gap / sd * ((1 - p) / p) ** 0.5), "p与q颠倒"),
        Mistake(r * (n - 2) / (1 - r * r), "漏开平方"),
        Mistake(r * r * (n - 2) ** 0.5 / (1 - r * r) ** 0.5, "误用相关系数的平方作分子"),
        Mistake(r * (n - 2), "误用相关系数直接乘自由度"),
    ]
    rng.shuffle(mistakes)
    ruling = Ruling(critical, "相关达到显著水平", "相关未达显著水平")
    choice = decision_choice(rng, lambda t: f"$t={number(t, 1)}$", ruling, key, mistakes, rank)
    choice = even_out(rng, choice, "未达", 0.45)
    stem = (
        f"研究者调查了{n}名学生{what}的关系，其中“是（有）”者占{p * 100:g}%，"
        f"平均分为{number(mean + gap, 1)}，全体平均分为{mean}，"
        f"全体标准差为{sd}（以n为分母）。点二列相关用$r=\\frac{{\\bar X_p-\\bar X_t}}{{s_t}}\\sqrt{{\\fra"
        f"c{{p}}{{q}}}}$计算，"
        f"用$t=\\frac{{r\\sqrt{{n-2}}}}{{\\sqrt{{1-r^2}}}}$检验，$t_{{0.05/2}}({n - 2})={critical:.3f}$。"
        "双侧检验的结果（t保留一位小数）是（　　）。"
    )
    steps = (
        f"$r=\\frac{{{gap:.1f}}}{{{sd}}}\\sqrt{{\\frac{{{p:g}}}{{{1 - p:g}}}}}={number(r, 3)}$，"
        f"$t={number(key, 1)}$，"
        f"{'大于' if is_large else '小于'}{critical:.3f}，"
        f"{ruling.above if is_large else ruling.below}。"
    )
    return Problem("decide", stem, choice, steps, "analyse")


@patient
def two_items_compared(rng: random.Random, rank: int) -> Problem:
    """Difference of the point-biserial correlations of two items of one test."""
    what = rng.choice(["逻辑推理测验", "空间想象测验", "语法测验"])
    sd = rng.choice([5, 6, 8, 10])
    p1, p2 = rng.sample([0.2, 0.4, 0.5, 0.6, 0.8, 0.9], 2)
    g1, g2 = rng.randint(30, 80) / 10, rng.randint(20, 70) / 10
    one, two = (g / sd * (p * (1 - p)) ** 0.5 for g, p in ((g1, p1), (g2, p2)))
    key = settled(one - two, 2, hand(one) - hand(two), hand(one, 3) - hand(two, 3))
    if key < 0.07 or one > 0.85:
        raise Redraw
    mistakes = [
        Mistake(g1 / sd * p1 * (1 - p1) - g2 / sd * p2 * (1 - p2), "p与q的乘积漏开平方"),
        Mistake((g1 - g2) / sd, "漏乘p与q乘积的平方根"),
        Mistake(one, "误求成第一题的点二列相关"),
        Mistake(two, "误求成第二题的点二列相关"),
        Mistake(one**2 - two**2, "误求成两个决定系数之差"),
        Mistake(g1 / sd * p1 - g2 / sd * p2, "误乘通过率"),
        Mistake(one + two, "误把两个相关系数相加"),
        Mistake(abs(p1 - p2), "误把通过率之差当作区分度之差"),
        Mistake((one + two) / 2, "误求成两个相关系数的平均"),
    ]
    mistakes = [m for m in mistakes if 0 < m.value < 1]
    stem = (
        f"某{what}总分的标准差为{sd}（以n为分母）。第一题的通过率为{p1:.2f}，"
        f"通过者的总分平均比未通过者高{g1:.1f}分；"
        f"第二题的通过率为{p2:.2f}，通过者的总分平均比未通过者高{g2:.1f}分。"
        "以题目与总分的点二列相关作为区分度，"
        "第一题的区分度比第二题高（保留两位小数）多少？"
    )
    steps = (
        f"第一题$r={g1:.1f}/{sd}\\times\\sqrt{{{p1:g}\\times{1 - p1:g}}}={number(one, 3)}$，第二题"
        f"$r={g2:.1f}/{sd}\\times\\sqrt{{{p2:g}\\times{1 - p2:g}}}={number(two, 3)}$，"
        f"相差{number(key, 2)}。"
    )
    return Problem("compare", stem, numeric_choice(key, mistakes, rank), steps, "analyse")


def _table(rng: random.Random, low: int, high: int) -> tuple[int, int, int, int, float]:
    """Four frequencies and their phi."""
    a, b, c, d = (rng.randint(low, high) for _ in range(4))
    return a, b, c, d, _phi(a, b, c, d)


def _phi(a: float, b: float, c: float, d: float) -> float:
    return (a * d - b * c) / math.sqrt((a + b) * (c + d) * (a + c) * (b + d))


@patient
def phi_from_table(rng: random.Random, rank: int) -> Problem:
    """phi of a fourfold table: (ad - bc) / sqrt of the product of the four margins."""
    one, yes, no = rng.choice(
        [
            ("第3题与第7题的得分", "对", "错"),
            ("吸烟与失眠的有无", "有", "无"),
            ("参加社团与担任干部的情况", "是", "否"),
        ]
    )
    a, b, c, d, raw = _table(rng, 6, 45)
    if not 0.15 < raw < 0.75 or (a + b + c + d) % 10:
        raise Redraw
    key, n = settled(raw, 2), a + b + c + d
    product = (a + b) * (c + d) * (a + c) * (b + d)
    mistakes = [
        Mistake((a * d - b * c) / (a * d + b * c), "误用对角线乘积之和作分母"),
        Mistake(raw**2, "误求成φ的平方"),
        Mistake((a * d + b * c) / product**0.5, "分子误用对角线乘积之和"),
        Mistake((a * d - b * c) / n**2 * 2, "误用总人数平方的一半作分母"),
        Mistake((a + d - b - c) / n, "误用对角线人数之差除以总人数"),
        Mistake(raw**0.5, "误对φ开平方"),
        Mistake(abs(a / (a + b) - c / (c + d)), "误用两行比率之差"),
        Mistake((1 - raw**2) ** 0.5, "误求成未被解释部分的平方根"),
    ]
    mistakes = [m for m in mistakes if 0 < m.value < 1]
    stem = (
        f"调查{n}名学生{one}，前者为“{yes}”且后者为“{yes}”的{a}人，前者为“{yes}”且后者为“{no}”的{b}人，"
        f"前者为“{no}”且后者为“{yes}”的{c}人，两者都为“{no}”的{d}人。两个变量都是真正的二分变量，"
        "其φ相关系数（保留两位小数）为（　　）。"
    )
    steps = (
        f"$\\varphi=\\frac{{ad-bc}}{{\\sqrt{{(a+b)(c+d)(a+c)(b+d)}}}}=\\frac{{{a}\\times{d}-{b}\\times"
        f"{c}}}"
        f"{{\\sqrt{{{a + b}\\times{c + d}\\times{a + c}\\times{b + d}}}}}={number(key, 2)}$。"
    )
    return Problem("find", stem, numeric_choice(key, mistakes, rank), steps)


@patient
def cell_from_phi(rng: random.Random, rank: int) -> Problem:
    """A cell backwards from phi and the margins: R1 - a with a = (R1*C1 + phi*sqrt(R1 R2 C1 C2)) / n."""
    one, two = rng.choice([("通过笔试", "通过面试"), ("完成预习", "完成作业"), ("坚持晨读", "达到优秀")])
    n, share = rng.choice([100, 200, 300]), rng.choice([0.2, 0.4, 0.5, 0.6, 0.8])
    other = rng.choice([0.2, 0.5, 0.8, 0.4, 0.6])
    r1, c1 = round(n * share), round(n * other)
    phi = rng.randint(10, 60) / 100
    root = (share * (1 - share) * other * (1 - other)) ** 0.5
    both = n * (share * other + phi * root)
    product = r1 * (n - r1) * c1 * (n - c1)
    if abs(both - round(both)) > 1e-9 or math.isqrt(product) ** 2 != product:
        raise Redraw
    a, most = round(both), min(r1, n - c1)
    key = float(r1 - a)
    if not 0 < key < most or not 0 < a < min(r1, c1):
        raise Redraw
    raw = [
        (r1 - n * share * other, "误用两变量独立时的期望人数"),
        (r1 - n * (share * other - phi * root), "误把φ的方向弄反"),
        (float(a), "误求成同时具备两项的人数"),
        (float(c1 - a), "误求成只具备第二项的人数"),
        (float(n - r1 - c1 + a), "误求成两项都不具备的人数"),
        (r1 - n * (share * other + phi * root**2), "四个比率的乘积漏开平方"),
        (r1 - n * (share * other + phi**2 * root), "误用φ的平方"),
        (r1 - n * (share * other + phi * root**0.5), "四个比率的乘积误开了四次方"),
        (r1 - phi * c1, "误用φ乘第二个边际人数作为同时具备的人数"),
        (r1 * (1 - phi), "误用φ乘第一个边际人数作为同时具备的人数"),
        (n * share * other * (1 - phi), "误用1-φ乘期望人数"),
    ]
    mistakes = [Mistake(float(round(value)), why) for value, why in raw if 0 < round(value) < most]
    stem = (
        f"在{n}名被试中，{one}的有{r1}人，{two}的有{c1}人，这两项的φ相关系数为{phi:.2f}（正相关）。"
        f"{one}但没有{two}的人数为（　　）。"
    )
    steps = (
        f"设同时具备者为a，由$\\varphi=\\frac{{ad-bc}}{{\\sqrt{{(a+b)(c+d)(a+c)(b+d)}}}}=\\frac{{{n}a-"
        f"{r1}\\times{c1}}}"
        f"{{\\sqrt{{{r1}\\times{n - r1}\\times{c1}\\times{n - c1}}}}}$，"
        f"得$a=({r1}\\times{c1}+{phi:.2f}\\times"
        f"{math.isqrt(product)})/{n}={a}$。只具备第一项的为{r1}-{a}={number(key, 0)}人。"
    )
    choice = numeric_choice(key, mistakes, rank, decimals=0, unit="人")
    return Problem("missing", stem, choice, steps, "analyse")


@patient
def phi_decision(rng: random.Random, rank: int) -> Problem:
    """Significance of phi by chi-square = n * phi^2 with one degree of freedom."""
    one = rng.choice(
        [
            "是否有兄弟姐妹与是否愿意分享",
            "是否使用记事本与是否忘记任务",
            "是否看过预告与是否购票",
        ]
    )
    a, b, c, d, raw = _table(rng, 8, 40)
    n = a + b + c + d
    if not 0.05 < abs(raw) < 0.5:
        raise Redraw
    key = settled(n * raw**2, 2)
    if abs(key - n * hand(raw) ** 2) > 0.08 * key:
        raise Redraw
    is_large = exceeds(key, 3.84)
    rows, columns = (a + b) * (c + d), (a + c) * (b + d)
    mistakes = [
        Mistake(n * abs(raw), "误用φ而不是φ的平方乘n"),
        Mistake(abs(raw) * n**0.5, "误把φ与n的平方根之积当作χ²"),
        Mistake(n * ((a * d - b * c) / (a * d + b * c)) ** 2, "φ的分母误用对角线乘积之和"),
        Mistake(n * (a / (a + b) - c / (c + d)) ** 2, "误用两行比率之差代替φ"),
        Mistake(n * ((a + d - b - c) / n) ** 2, "φ误用对角线人数之差除以总人数"),
        Mistake(n * (max(abs(a * d - b * c) - n / 2, 0)) ** 2 / rows / columns, "误作了连续性校正"),
        Mistake(n * ((a * d + b * c) ** 2) / rows / columns, "φ的分子误用对角线乘积之和"),
    ]
    rng.shuffle(mistakes)
    ruling = Ruling(3.84, "相关达到显著水平", "相关未达显著水平")
    choice = decision_choice(rng, lambda x: f"$\\chi^2={number(x, 2)}$", ruling, key, mistakes, rank)
    stem = (
        f"研究者调查{one}，得四格表：a={a}，b={b}（第一行），c={c}，d={d}（第二行）。"
        "用$\\chi^2=n\\varphi^2$检验φ相关是否显著"
        f"（不作连续性校正，中间结果不舍入），已知$\\chi^2_{{0.05}}(1)=3.84$。结果是（　　）。"
    )
    steps = (
        f"$\\varphi=\\frac{{{a}\\times{d}-{b}\\times{c}}}{{\\sqrt{{{a + b}\\times{c + d}\\times{a + c}"
        f"\\times{b + d}}}}}="
        f"{number(raw, 3)}$，$\\chi^2={n}\\times\\varphi^2={number(key, 2)}$，"
        f"{'大于' if is_large else '小于'}3.84，"
        f"{ruling.above if is_large else ruling.below}。"
    )
    return Problem("decide", stem, choice, steps, "analyse")


@patient
def enlarged_table(rng: random.Random, rank: int) -> Problem:
    """phi and chi-square after all frequencies are multiplied: phi stays, chi-square grows as n."""
    one = rng.choice(["某题的对错与性别", "是否报名与是否收到提醒", "是否复诊与是否签约"])
    times = rng.choice([2, 3, 4])
    a, b, c, d, raw = _table(rng, 5, 25)
    n = a + b + c + d
    if not 0.12 < raw < 0.45:
        raise Redraw
    phi, before = settled(raw, 2), settled(n * raw**2, 2)
    chi = settled(times * n * raw**2, 2, times * hand(before))

    def text(one_value: float, other: float) -> str:
        return f"$\\varphi={number(one_value, 2)}$，$\\chi^2={number(other, 2)}$"

    same, grown = "误以为χ²与样本容量无关", "误以为φ随样本容量成倍增大"
    distractors = [
        (text(phi, before), same),
        (text(phi * times, chi), grown),
        (text(phi * times, before), f"{grown}，并且{same}"),
    ]
    if phi * times > 0.95 or n * raw**2 < 0.5:
        raise Redraw
    rng.shuffle(distractors)
    stem = (
        f"对{one}的调查得四格表：a={a}，b={b}（第一行），c={c}，d={d}（第二行）。若样本扩大到{times}倍，"
        f"四格人数都变为原来的{times}倍，"
        "则新的φ相关系数与独立性检验的χ²值（不作连续性校正，保留两位小数）是（　　）。"
    )
    steps = (
        f"原来$\\varphi={number(phi, 2)}$，$\\chi^2=n\\varphi^2={number(before, 2)}$。各格同乘{times}，"
        f"φ的分子和分母都变为{times**2}倍，"
        f"φ不变；$\\chi^2$与n成正比，变为{number(before, 2)}的{times}倍，"
        f"即{number(chi, 2)}。"
    )
    return Problem("compare", stem, text_choice(text(phi, chi), distractors, rank), steps, "analyse")


FAMILIES: dict[str, list[Family]] = {
    "point-biserial-correlation": [
        biserial_from_scores,
        mean_of_failed,
        biserial_decision,
        two_items_compared,
    ],
    "phi-coefficient": [phi_from_table, cell_from_phi, phi_decision, enlarged_table],
}
