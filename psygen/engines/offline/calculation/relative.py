"""Calculation questions on the coefficient of variation and the standard score.

Conventions of Chinese psychology statistics textbooks: $CV=S/\\bar X\\times 100\\%$, only for ratio scales;
$z=(X-\\bar X)/S$ and $T=10z+50$.
"""

import random
from typing import NamedTuple

from psygen.engines.offline.figures import plain
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


def coefficient_from_sums(rng: random.Random, rank: int) -> Problem:
    """Find CV from $\\sum X$ and the sum of squared deviations: $CV = S/\\bar X * 100\\%$."""
    n, s = rng.choice((10, 16, 20, 25)), rng.choice((3, 4, 6, 8, 9, 12))
    mean = rng.choice((24, 30, 32, 40, 48, 50, 60))
    if s * 3 > mean:
        raise Redraw
    ss = n * s * s
    key = settled(100 * s / mean, 2)
    mistakes = [
        Mistake(100 * s * (n / (n - 1)) ** 0.5 / mean, "标准差误以n-1作分母"),
        Mistake(100 * s * s / mean, "分子误用方差"),
        Mistake(100 * s / n**0.5 / mean, "分子误用平均数的标准误"),
        Mistake(100 * s / (mean + s), "分母误把标准差也加了进去"),
        Mistake(100 * s / (mean - s), "分母误从平均数中减去标准差"),
        Mistake(float(mean) / s, "分子与分母颠倒"),
        Mistake(100 * s / n, "分母误用人数"),
        Mistake(float(s), "把标准差当作差异系数"),
    ]
    task = rng.choice(("单脚站立时间（秒）", "一分钟仰卧起坐个数", "五分钟的抄写字数"))
    stem = (
        f"测得{n}名儿童{task}的总和$\\sum X={n * mean}$，离差平方和$\\sum(X-\\bar X)^2={ss}$。"
        "标准差以n为分母，则这组数据的差异系数（保留两位小数）为（　　）。"
    )
    steps = (
        f"$\\bar X={n * mean}\\div {n}={mean}$，$S=\\sqrt{{{ss}\\div {n}}}={s}$；"
        f"$CV=\\frac{{S}}{{\\bar X}}\\times 100\\%={s}\\div {mean}\\times 100\\%$，即{number(key, 2)}%"
    )
    return Problem("find", stem, numeric_choice(key, mistakes, rank, unit="%"), steps)


def variance_from_coefficient(rng: random.Random, rank: int) -> Problem:
    """Find a group's variance from its CV and mean, the CV being that of another group: $S = CV \\bar X$."""
    low, high = rng.choice((20, 25, 40, 50)), rng.choice((60, 64, 75, 80, 90))
    cv = rng.choice((8, 10, 12, 15, 16, 20))
    grades = (("一年级", low, "六年级", high), ("六年级", high, "一年级", low))
    known, mean1, asked, mean2 = rng.choice(grades)
    s1 = mean1 * cv / 100
    s2 = mean2 * cv / 100
    key = settled(s2**2, 2)
    mistakes = [
        Mistake(s2, "求成标准差，没有平方"),
        Mistake(s1**2, "以为差异系数相等则方差相等"),
        Mistake(s1**2 * mean2 / mean1, "以为方差与平均数成正比"),
        Mistake(s1 * mean2 / mean1 * 2, "把平方误作乘以2"),
        Mistake(s1 * s2, "两组的标准差相乘"),
        Mistake(s2**2 * mean2 / mean1, "平均数之比误作三次方"),
        Mistake((s1 * mean1 / mean2) ** 2, "平均数之比颠倒"),
    ]
    trait = rng.choice(("一分钟跳绳个数", "立定投掷得分", "一分钟口算题数"))
    stem = (
        f"某校{known}{trait}的平均数为{mean1}，标准差为{plain(s1)}；{asked}同一指标的平均数为{mean2}。"
        f"若两个年级的差异系数相等，则{asked}的方差（保留两位小数）为（　　）。"
    )
    steps = (
        f"{known}$CV={plain(s1)}\\div {mean1}={plain(cv)}\\%$；"
        f"{asked}$S=CV\\times\\bar X$={plain(cv)}%×{mean2}="
        f"{plain(s2)}；$S^2={plain(s2)}^2$，即{number(key, 2)}"
    )
    return Problem("missing", stem, numeric_choice(key, mistakes, rank), steps, "analyse")


class Trait(NamedTuple):
    """A physical or mental measure, its unit, and the means and standard deviations it may have."""

    name: str
    unit: str
    means: range
    sds: range

    def drawn(self, rng: random.Random) -> tuple[int, int]:
        """A mean and a standard deviation."""
        return rng.choice(self.means), rng.choice(self.sds)


TRAITS = (
    (
        "四年级女生",
        Trait("身高", "厘米", range(132, 146), range(5, 9)),
        Trait("体重", "千克", range(29, 40), range(3, 6)),
    ),
    (
        "初二男生",
        Trait("立定跳远成绩", "厘米", range(165, 215, 5), range(12, 31)),
        Trait("一分钟跳绳成绩", "个", range(95, 146, 5), range(8, 26)),
    ),
    (
        "大一新生",
        Trait("数字划消成绩", "个", range(70, 121, 5), range(8, 25)),
        Trait("词语流畅性成绩", "分", range(32, 51), range(4, 11)),
    ),
)
"""Who was measured on which two traits; except for the first, either may scatter more."""


def more_scattered_trait(rng: random.Random, rank: int) -> Problem:
    """Decide by CV which of two traits in different units scatters more."""
    who, *traits = rng.choice(TRAITS)
    measured = {trait.name: trait.drawn(rng) for trait in traits}
    shares = {name: settled(100 * s / mean, 2) for name, (mean, s) in measured.items()}
    less, more = sorted(shares, key=lambda name: shares[name])
    if shares[more] - shares[less] < 1.5:
        raise Redraw

    def verdict(name: str, value: float) -> str:
        return f"{name}，其差异系数为{number(value, 2)}%"

    distractors = [
        (verdict(less, shares[less]), "两个差异系数算对了，却取了较小者"),
        (verdict(more, 100 * measured[more][1] / measured[less][0]), "分母误用另一指标的平均数"),
        (verdict(less, 100 * measured[less][1] / measured[more][0]), "分母误用另一指标的平均数，大小因此颠倒"),
    ]
    shown = "；".join(
        f"{t.name}平均为{measured[t.name][0]}{t.unit}，标准差为{measured[t.name][1]}{t.unit}" for t in traits
    )
    stem = f"测得一批{who}的{shown}。比较这两项指标的离散程度，较大的一项及其差异系数（保留两位小数）是（　　）。"
    reckoned = "，".join(f"{n}{s}÷{mean}×100%={number(shares[n], 2)}%" for n, (mean, s) in measured.items())
    steps = f"两种单位不同，用差异系数$CV=\\frac{{S}}{{\\bar X}}\\times 100\\%$比较；{reckoned}；较大的是{more}"
    return Problem("decide", stem, text_choice(verdict(more, shares[more]), distractors, rank), steps, "analyse")


def coefficient_after_change(rng: random.Random, rank: int) -> Problem:
    """Compare CV before and after $Y = bX + c$: the numerator is bS, the denominator $b\\bar X + c$."""
    mean, s = rng.choice((30, 40, 50, 60)), rng.choice((4, 5, 6, 8))
    factor, bonus = rng.choice((1.1, 1.2, 1.25, 1.5)), rng.choice((5, 6, 8, 10, 12))
    new_mean, new_s = factor * mean + bonus, factor * s
    key = settled(100 * new_s / new_mean, 2)
    mistakes = [
        Mistake(100 * s / mean, "以为差异系数不受这种变换影响"),
        Mistake(100 * s / new_mean, "标准差没有乘以倍数"),
        Mistake(100 * (new_s + bonus) / new_mean, "标准差也误加了常数"),
        Mistake(100 * s / (mean + bonus), "只考虑加常数，漏了倍数"),
        Mistake(100 * factor * new_s / new_mean, "标准差误乘倍数的平方"),
        Mistake(100 * s / (factor * (mean + bonus)), "先加后乘求平均数，且标准差没有乘以倍数"),
        Mistake(100 * factor * s / mean, "平均数没有随之变化"),
    ]
    group = rng.choice(("陪护员", "心理热线接线员", "兼职助教"))
    stem = (
        f"某机构{group}的时薪平均为{mean}元，标准差为{s}元，差异系数为{number(100 * s / mean, 2)}%。"
        "调薪时先把每人的时薪"
        f"变为原来的{plain(factor)}倍，再各增加{bonus}元，则差异系数变为（保留两位小数）（　　）。"
    )
    steps = (
        f"新平均数为{plain(factor)}×{mean}+{bonus}={plain(new_mean)}，"
        f"新标准差为{plain(factor)}×{s}={plain(new_s)}；"
        f"$CV={plain(new_s)}\\div {plain(new_mean)}\\times 100\\%$，即{number(key, 2)}%"
    )
    return Problem("compare", stem, numeric_choice(key, mistakes, rank, unit="%"), steps, "analyse")


# ---- standard score ----


def t_score(rng: random.Random, rank: int) -> Problem:
    """Find the T score of a raw score, the variance being given: $T = 50 + 10 (X - \\bar X)/S$."""
    mean, s = rng.randint(50, 80), rng.choice((4, 5, 8, 10, 12))
    x = mean + rng.choice((-1, 1)) * rng.randint(3, 18)
    if x - mean > 2.5 * s or mean - x > 2.5 * s:
        raise Redraw
    z = (x - mean) / s
    key = settled(50 + 10 * z, 1)
    mistakes = [
        Mistake(50 + 10 * (x - mean) / s**2, "以方差代替标准差作分母"),
        Mistake(50 - 10 * z, "把离差的方向弄反"),
        Mistake(100 + 15 * z, "误用离差智商的换算"),
        Mistake(50 + z, "标准分数没有乘10"),
        Mistake(50 + (x - mean), "没有除以标准差"),
        Mistake(50 + 15 * z, "标准差误取15"),
        Mistake(50 + 5 * z, "标准差误取5"),
        Mistake(float(x), "把原始分数当作T分数"),
        Mistake(10 * z + x, "在原始分数上加10z"),
    ]
    test = rng.choice(("钢琴视奏测验", "普通话水平测验", "编程能力测验"))
    stem = (
        f"某班{test}的平均分为{mean}，方差为{s * s}。一名学生得{x}分，若按$T=10z+50$换算，"
        "他的T分数（保留一位小数）为（　　）。"
    )
    steps = f"$S=\\sqrt{{{s * s}}}={s}$，$z=({x}-{mean})\\div {s}={number(z, 3)}$；$T=10z+50$，即{number(key, 1)}"
    return Problem("find", stem, numeric_choice(key, mistakes, rank, decimals=1), steps)


def mean_and_deviation_back(rng: random.Random, rank: int) -> Problem:
    """Find a raw score from its z when the mean and S must be reckoned from two other persons."""
    mean, s = rng.randint(50, 80), rng.choice((4, 5, 6, 8, 10))
    z1, z2, z3 = rng.sample((-1.5, -1.0, -0.5, 0.5, 1.0, 1.5, 2.0), 3)
    x1, x2 = mean + z1 * s, mean + z2 * s
    key = mean + z3 * s
    wrong_s = abs(x1 - x2)
    centre = (x1 + x2) / 2
    mistakes = [
        Mistake(centre + z3 * s, "以两人原始分数的中点作平均数"),
        Mistake(x1 + z3 * s, "以第一人的分数作平均数"),
        Mistake(x2 + z3 * s, "以第二人的分数作平均数"),
        Mistake(mean - z3 * s, "标准分数的正负号弄反"),
        Mistake(mean + z3 * wrong_s, "以两人原始分数之差作标准差"),
        Mistake(x1 + (z3 + z1) * s, "由第一人推算时两个标准分数误作相加"),
        Mistake(x2 + (z3 + z2) * s, "由第二人推算时两个标准分数误作相加"),
        Mistake(mean + z3 * s / 2, "标准差多除了2"),
    ]
    test = rng.choice(("人际交往能力测验", "地图识别测验", "古文阅读测验"))
    names = ("甲", "乙", "丙")
    stem = (
        f"在同一次{test}中，甲得{plain(x1)}分，标准分数$z$为{plain(z1)}；乙得{plain(x2)}分，标准分数$z$为"
        f"{plain(z2)}；{names[2]}的标准分数$z$为{plain(z3)}。{names[2]}的原始分数（保留一位小数）为（　　）。"
    )
    steps = (
        f"$S=\\frac{{X_1-X_2}}{{z_1-z_2}}$={plain(abs(x1 - x2))}÷{plain(abs(z1 - z2))}={s}；"
        f"$\\bar X=X_1-z_1S={mean}$；丙的原始分数$=\\bar X+z_3S$，即{number(key, 1)}"
    )
    return Problem("missing", stem, numeric_choice(key, mistakes, rank, decimals=1), steps, "analyse")


def draw_marks(rng: random.Random, means: tuple[int, ...], sds: tuple[int, ...]) -> list[int]:
    """One person's marks, each within two standard deviations of its mean."""
    return [m + rng.randint(-s, 2 * s) for m, s in zip(means, sds, strict=True)]


def better_by_total_z(rng: random.Random, rank: int) -> Problem:
    """Decide which of two persons is better by the sum of standard scores of three subjects."""
    means = rng.choice(((72, 65, 58), (70, 68, 60), (75, 62, 66)))
    sds = rng.choice(((4, 8, 10), (5, 10, 8), (4, 10, 8)))
    for _ in range(400):
        first, second = (draw_marks(rng, means, sds) for _ in range(2))
        z = [sum((x - m) / s for x, m, s in zip(p, means, sds, strict=True)) for p in (first, second)]
        is_plain = not any(round(1000 * total) % 10 == 5 for total in z)
        if is_plain and z[0] - z[1] > 0.4 and sum(first) + 2 < sum(second) and min(z) > -2:
            break
    else:
        raise Redraw
    swapped = rng.random() < 0.5
    people = {"甲": second, "乙": first} if swapped else {"甲": first, "乙": second}
    best, other = ("乙", "甲") if swapped else ("甲", "乙")

    def verdict(name: str, value: float) -> str:
        return f"{name}较好，标准分数之和为{number(value, 2)}"

    raw = [sum(p) - sum(means) for p in (first, second)]
    one_short = z[0] - (first[2] - means[2]) / sds[2]
    distractors = [
        (verdict(other, z[1]), "标准分数之和算对了，却凭原始总分判断"),
        (verdict(other, raw[1] / (sum(sds) / 3)), "把总离差除以三科标准差的平均数"),
        (verdict(best, one_short), "漏加了第三科的标准分数"),
    ]
    if min(abs(z[0] - one_short), abs(z[1] - raw[1] / (sum(sds) / 3))) < 0.05:
        raise Redraw
    subjects = rng.choice((("语文", "数学", "英语"), ("普心", "统计", "实验"), ("历史", "地理", "生物")))
    norms = "，".join(f"{n}平均{m}、标准差{s}" for n, m, s in zip(subjects, means, sds, strict=True))
    marks = "；".join(f"{who}{'、'.join(str(v) for v in people[who])}" for who in "甲乙")
    stem = (
        f"某年级三科期末成绩：{norms}。两名学生的成绩按同样的科目次序为：{marks}。"
        "用三科标准分数之和（保留两位小数）比较两人在年级中的相对地位，正确的是（　　）。"
    )
    sums = "，".join(
        f"{who}为{'+'.join(f'({x}-{m})÷{s}' for x, m, s in zip(people[who], means, sds, strict=True))}={number(v, 2)}"
        for who, v in zip((best, other), z, strict=True)
    )
    steps = f"分别求$z=(X-\\bar X)/S$再相加：{sums}；{verdict(best, z[0])}"
    return Problem("decide", stem, text_choice(verdict(best, z[0]), distractors, rank), steps, "analyse")


def equivalent_score(rng: random.Random, rank: int) -> Problem:
    """Compare two tests: find the score on the second with the same z as a score on the first."""
    m1, s1 = rng.randint(60, 80), rng.choice((4, 5, 8, 10))
    m2, s2 = rng.choice((90, 100, 110, 120)), rng.choice((6, 12, 15, 18, 20))
    x = m1 + rng.choice((-1, 1)) * rng.randint(4, 14)
    z = (x - m1) / s1
    if abs(z) > 2.2 or s1 == s2:
        raise Redraw
    key = settled(m2 + z * s2, 1)
    mistakes = [
        Mistake(m2 + (x - m1), "以为两测验上离差相等，没有考虑标准差"),
        Mistake(m2 - z * s2, "把离差的方向弄反"),
        Mistake(x * m2 / m1, "按两测验平均分的比例换算"),
        Mistake(m2 + (x - m1) * s1 / s2, "两个标准差的位置颠倒"),
        Mistake(m2 + z * (s1 + s2) / 2, "标准差误取两测验的平均"),
        Mistake(m2 + z * (s1 + s2), "标准差误取两测验之和"),
        Mistake(m2 + z, "标准分数没有乘标准差"),
    ]
    first, second = rng.choice((("A式推理测验", "B式推理测验"), ("旧版词汇测验", "新版词汇测验")))
    stem = (
        f"同一批被试参加了两个测验，{first}平均分为{m1}，标准差为{s1}；{second}平均分为{m2}，标准差为{s2}。"
        f"以标准分数相等为准，{first}的{x}分相当于{second}的分数（保留一位小数）为（　　）。"
    )
    steps = (
        f"$z=({x}-{m1})\\div {s1}={number(z, 3)}$；相当的分数为$\\bar X_2+zS_2={m2}+({x}-{m1})\\div {s1}"
        f"\\times {s2}$，即{number(key, 1)}"
    )
    return Problem("compare", stem, numeric_choice(key, mistakes, rank, decimals=1), steps, "analyse")


FAMILIES: dict[str, list[Family]] = {
    "coefficient-of-variation": [
        coefficient_from_sums,
        variance_from_coefficient,
        more_scattered_trait,
        coefficient_after_change,
    ],
    "standard-score": [t_score, mean_and_deviation_back, better_by_total_z, equivalent_score],
}
