"""Chi-square test of goodness of fit, as Chinese psychology statistics textbooks work it.

Conventions: chi-square = sum (f_o - f_e)^2 / f_e, never with Yates's correction unless the stem names it.
"""

import random

from psygen.engines.offline.figures import carried_chi_sum, chi_sum
from psygen.engines.offline.guards import Ruling, decision_choice, exceeds, hand, patient, settled
from psygen.engines.offline.inference import even_out
from psygen.engines.offline.problem import Family, Mistake, Problem, Redraw, number, numeric_choice
from psygen.engines.offline.tables import chi2_critical


def _counts(rng: random.Random, total: int, expected: list[float], reach: float) -> list[int]:
    """Frequencies that add up to `total`, each within `reach` (a share) of its expectation."""
    counts = [round(e * (1 + rng.uniform(-reach, reach))) for e in expected[:-1]]
    counts.append(total - sum(counts))
    if min(counts) < 5 or abs(counts[-1] - expected[-1]) > reach * expected[-1] + 6:
        raise Redraw
    return counts


@patient
def fit_to_ratio(rng: random.Random, rank: int) -> Problem:
    """chi-square of observed frequencies against a theoretical ratio."""
    story, names, ratio = rng.choice(
        [
            ("某地居民的气质类型", ("胆汁质", "多血质", "粘液质", "抑郁质"), (1, 2, 2, 1)),
            ("某校新生的家庭所在地", ("城市", "县镇", "乡村"), (3, 2, 1)),
            ("某公司员工的用餐选择", ("套餐", "面食", "自带"), (5, 3, 2)),
            ("学生对四门选修课的选择", ("美术", "音乐", "戏剧", "舞蹈"), (3, 3, 2, 2)),
        ]
    )
    total = sum(ratio) * rng.choice([10, 12, 15, 20])
    expected = [total * part / sum(ratio) for part in ratio]
    counts = _counts(rng, total, expected, 0.35)
    key = settled(chi_sum(counts, expected), 2, carried_chi_sum(counts, expected))
    even = [total / len(ratio)] * len(ratio)
    if not 1.5 < key < 40:
        raise Redraw
    gaps = [abs(o - e) for o, e in zip(counts, expected, strict=True)]
    mistakes = [
        Mistake(chi_sum(counts, even), "误按各类人数相等求理论次数"),
        Mistake(sum((o - e) ** 2 / o for o, e in zip(counts, expected, strict=True)), "误用实际次数作分母"),
        Mistake(sum(g * g for g in gaps) / total, "误用总人数作分母"),
        Mistake(sum(max(g - 0.5, 0) ** 2 / e for g, e in zip(gaps, expected, strict=True)), "误作连续性校正"),
        Mistake(sum(g / e for g, e in zip(gaps, expected, strict=True)), "差数漏取平方"),
        Mistake(key / (len(ratio) - 1), "误除以自由度"),
        Mistake(sum(g * g for g in gaps) / even[0], "误用平均的理论次数作分母"),
        Mistake(key**0.5, "误开平方"),
        Mistake(key * len(ratio) / (len(ratio) - 1), "误乘类别数与自由度之比"),
    ]
    cells = "，".join(f"{name}{count}人" for name, count in zip(names, counts, strict=True))
    stem = (
        f"随机调查{total}人，了解{story}，结果为：{cells}。"
        f"若理论上各类人数之比为{':'.join(map(str, ratio))}，"
        "则配合度检验的χ²值（不作连续性校正，保留两位小数）为（　　）。"
    )
    theory = "，".join(f"{e:g}" for e in expected)
    steps = (
        f"理论次数依次为{theory}。$\\chi^2=\\sum\\frac{{(f_o-f_e)^2}}{{f_e}}="
        + "+".join(f"\\frac{{({o}-{e:g})^2}}{{{e:g}}}" for o, e in zip(counts, expected, strict=True))
        + f"={number(key, 2)}$。"
    )
    return Problem("find", stem, numeric_choice(key, mistakes, rank), steps)


@patient
def larger_count(rng: random.Random, rank: int) -> Problem:
    """The larger of two frequencies backwards from chi-square: n*p + sqrt(chi2 * n * p * q)."""
    one, other = rng.choice(
        [
            ("赞成", "反对"),
            ("选择左侧图片", "选择右侧图片"),
            ("偏好新产品", "偏好旧产品"),
        ]
    )
    n, p = rng.choice(
        [
            (100, 0.5),
            (64, 0.5),
            (144, 0.5),
            (100, 0.2),
            (225, 0.2),
            (400, 0.5),
            (100, 0.8),
            (48, 0.25),
        ]
    )
    gap = rng.randint(4, max(5, n // 8))
    unit = n * p * (1 - p)
    chi = gap * gap / unit
    key = float(round(n * p) + gap)
    if abs(chi - hand(chi)) > 1e-9 or not 1 < chi < 16 or key > n - 3:
        raise Redraw
    raw = [
        (n * p - gap, "误取了较少的一种可能"),
        (n * p + (chi * n * p) ** 0.5, "只用了一个类别的项"),
        (n * p + chi * n * p * (1 - p) / n * 4, "漏开平方"),
        (n * p + (chi * n) ** 0.5, "漏乘两个比率"),
        (n * p + (chi * n) ** 0.5 * p, "误用一个比率代替两个比率之积的平方根"),
        (n * p, "误求成理论次数"),
        (n - n * p - gap, "误求成另一类的人数"),
        (n * p + 2 * gap, "误把两类之差加到理论次数上"),
        (n * p + gap / 2, "误把差数平分到两类"),
        (n * p + chi, "误把χ²值直接加到理论次数上"),
    ]
    del raw[2]
    mistakes = [Mistake(float(round(v)), why) for v, why in raw if 0 < v < n]
    stem = (
        f"{n}名被试中只有“{one}”与“{other}”两种反应，理论上“{one}”的比率为{p:g}。"
        f"配合度检验得$\\chi^2={chi:.2f}$（不作连续性校正），"
        f"且实际“{one}”的人数多于理论次数。实际“{one}”的人数为（　　）。"
    )
    steps = (
        f"设实际人数比理论次数多x，$\\chi^2=\\frac{{x^2}}{{{n * p:g}}}+\\frac{{x^2}}{{{n - n * p:g}}}$，"
        f"$x=\\sqrt{{\\chi^2 npq}}=\\sqrt{{{chi:.2f}\\times{n}\\times{p:g}\\times{1 - p:g}}}={gap}$，"
        f"实际人数为{n * p:g}+{gap}={number(key, 0)}人。"
    )
    choice = numeric_choice(key, mistakes, rank, decimals=0, unit="人")
    return Problem("missing", stem, choice, steps, "analyse")


@patient
def fit_decision(rng: random.Random, rank: int) -> Problem:
    """Whether choices among equal categories are even: chi-square against its table value."""
    story, names = rng.choice(
        [
            ("儿童对四种颜色积木的选择", ("红", "黄", "蓝", "绿")),
            ("顾客对五种口味酸奶的选择", ("原味", "草莓", "芒果", "蓝莓", "香草")),
            ("学生对三种考试时段的选择", ("上午", "下午", "晚上")),
        ]
    )
    k = len(names)
    expected = [float(rng.choice([15, 16, 20, 24, 25, 30]))] * k
    total = round(sum(expected))
    counts = _counts(rng, total, expected, 0.4)
    near, far = chi2_critical(k - 1, 0.05), chi2_critical(k, 0.05)
    key = settled(chi_sum(counts, expected), 2, carried_chi_sum(counts, expected))
    is_large = exceeds(key, near)
    gaps = [abs(o - expected[0]) for o in counts]
    mistakes = [
        Mistake(key / (k - 1), "误除以自由度"),
        Mistake(sum(gaps) / expected[0], "差数漏取平方"),
        Mistake(sum(g * g for g in gaps) / total, "误用总人数作分母"),
        Mistake(sum((o - e) ** 2 / o for o, e in zip(counts, expected, strict=True)), "误用实际次数作分母"),
        Mistake(sum(max(g - 0.5, 0) ** 2 for g in gaps) / expected[0], "误作连续性校正"),
        Mistake(sum(g * g for g in gaps) / (expected[0] - 1) * k / (k - 1), "误用校正后的方差形式"),
        Mistake(sum(gaps) ** 2 / total, "先求差数之和再平方"),
        Mistake(key**0.5, "误开平方"),
        Mistake(max(gaps) ** 2 / expected[0], "只用了相差最大的一类"),
    ]
    del mistakes[5]
    rng.shuffle(mistakes)
    ruling = Ruling(near, "选择有显著偏好", "选择无显著偏好")
    choice = decision_choice(rng, lambda x: f"$\\chi^2={number(x, 2)}$", ruling, key, mistakes, rank)
    choice = even_out(rng, choice, "有显著", 0.35)
    if far * 0.97 < key < far * 1.03:
        raise Redraw
    stem = (
        f"研究者随机调查{total}人，了解{story}："
        f"{'，'.join(f'{m}{c}人' for m, c in zip(names, counts, strict=True))}。"
        f"已知$\\chi^2_{{0.05}}({k - 1})={near:.2f}$，$\\chi^2_{{0.05}}({k})={far:.2f}$，"
        "取$\\alpha=0.05$，"
        f"不作连续性校正，检验各类选择人数是否相等的结果是（　　）。"
    )
    steps = (
        f"各类理论次数为{expected[0]:g}，"
        f"$\\chi^2=\\frac{{{'+'.join(f'({c}-{expected[0]:g})^2' for c in counts)}}}"
        f"{{{expected[0]:g}}}={number(key, 2)}$，自由度为{k - 1}，"
        f"{'大于' if is_large else '小于'}{near:.2f}，"
        f"{ruling.above if is_large else ruling.below}。"
    )
    return Problem("decide", stem, choice, steps, "analyse")


@patient
def merged_categories(rng: random.Random, rank: int) -> Problem:
    """How much chi-square falls when four equal categories are merged into two."""
    topic = rng.choice(["延长午休", "实行导师制", "取消晚自习"])
    each = rng.choice([12, 15, 16, 20, 25])
    counts = _counts(rng, 4 * each, [float(each)] * 4, 0.7)
    pair = [counts[0] + counts[1], counts[2] + counts[3]]
    four, two = chi_sum(counts, [float(each)] * 4), chi_sum(pair, [2.0 * each] * 2)
    key = settled(four - two, 2, hand(four) - hand(two))
    if key < 1 or two < 0.5:
        raise Redraw
    wrong_two = chi_sum(pair, [float(each)] * 2)
    other = chi_sum([counts[0] + counts[3], counts[1] + counts[2]], [2.0 * each] * 2)
    mistakes = [
        Mistake(four, "误求成四类的χ²值"),
        Mistake(abs(four - wrong_two), "合并后没有把理论次数相加"),
        Mistake(four - two / 2, "合并后的两项只算了一项"),
        Mistake(four - other, "误把首尾两类合并"),
        Mistake(four + two, "误把两个χ²值相加"),
        Mistake(four / 3 - two, "四类的χ²值误除以自由度"),
        Mistake(four / 2, "误以为χ²值与类别数成正比"),
        Mistake(four - two**0.5, "误对合并后的χ²值开平方"),
        Mistake(two, "误求成合并后的χ²值"),
    ]
    mistakes = [m for m in mistakes if m.value > 0]
    stem = (
        f"就“{topic}”随机调查{4 * each}名学生：非常赞成{counts[0]}人，赞成{counts[1]}人，"
        f"反对{counts[2]}人，非常反对{counts[3]}人。"
        "先检验四类人数是否相等，再把前两类合并为“赞成”、后两类合并为“反对”，检验两类人数是否相等。"
        "两次都不作连续性校正，"
        "合并后的χ²值比合并前小（保留两位小数）多少？"
    )
    steps = (
        f"四类时理论次数为{each}，$\\chi^2={number(four, 2)}$；合并后人数为{pair[0]}与{pair[1]}，"
        f"理论次数为{2 * each}，"
        f"$\\chi^2={number(two, 2)}$。相差{number(key, 2)}。"
    )
    return Problem("compare", stem, numeric_choice(key, mistakes, rank), steps, "analyse")


FAMILIES: dict[str, list[Family]] = {
    "goodness-of-fit-test": [fit_to_ratio, larger_count, fit_decision, merged_categories],
}
