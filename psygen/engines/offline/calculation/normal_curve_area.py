"""Calculation questions on uses of areas under the normal curve: numbers of people and cut-off scores.

Each stem prints the areas from 0 to z or the z it needs; numbers of people are rounded to whole people.
"""

import random
from statistics import NormalDist

from psygen.engines.offline.figures import area, plain, printed_areas
from psygen.engines.offline.guards import Ruling, decision_choice, settled
from psygen.engines.offline.problem import (
    Family,
    Mistake,
    Problem,
    Redraw,
    number,
    numeric_choice,
)


def people(count: float) -> float:
    """A number of people as a whole number."""
    return float(number(count, 0))


def number_between(rng: random.Random, rank: int) -> Problem:
    """Find how many of N people score between two limits."""
    n, mean, sigma = rng.choice((400, 500, 800, 1000, 2000)), rng.choice((70, 75, 80)), rng.choice((5, 8, 10))
    z1, z2 = rng.choice((-1.5, -1.0, -0.5, 0.5)), rng.choice((1.0, 1.5, 2.0))
    if abs(z1) == z2:
        raise Redraw
    a, b = area(z1), area(z2)
    share = b + a if z1 < 0 else b - a
    key = round(settled(n * share, 0))
    wrong = [
        (n * (abs(b - a) if z1 < 0 else b + a), "两块面积该加的相减或该减的相加"),
        (n * (1 - share), "求成区间以外的人数"),
        (n * b, "只取了平均数到上限的人数"),
        (n * a, "只取了平均数到下限的人数"),
        (n * (0.5 + b), "求成低于上限的人数"),
        (n * (0.5 + a if z1 < 0 else 0.5 - a), "求成高于下限的人数"),
        (n * (z2 - z1) / 6, "误按全长6个标准差的比例计算"),
        (n * share / 2, "结果又除以2"),
    ]
    mistakes = [Mistake(people(v), why) for v, why in wrong]
    test = rng.choice(("普通话水平测试", "学业水平考试", "体质健康测试"))
    stem = (
        f"{n}人参加{test}，成绩服从正态分布，平均分{mean}，标准差{sigma}。已知正态曲线下{printed_areas(z1, z2)}。"
        f"成绩在{plain(mean + z1 * sigma)}分与{plain(mean + z2 * sigma)}分之间的人数（四舍五入取整）约为"
        "（　　）。"
    )
    steps = (
        f"$z_1={plain(z1)}$，$z_2={plain(z2)}$；面积为{number(b, 4)}{'+' if z1 < 0 else '-'}{number(a, 4)}="
        f"{number(share, 4)}；人数为{n}×{number(share, 4)}，即{key}人"
    )
    choice = numeric_choice(key, mistakes, rank, decimals=0, unit="人")
    return Problem("find", stem, choice, steps)


def ability_groups(rng: random.Random, rank: int) -> Problem:
    """Find how many people one of five groups of equal width (6 sigma in all) should hold."""
    n = rng.randrange(100, 1020, 20)
    inner, outer = area(0.6), area(1.8)
    shares = {"甲": 0.5 - outer, "乙": outer - inner, "丙": 2 * inner, "丁": outer - inner, "戊": 0.5 - outer}
    name = rng.choice(("甲", "乙", "丙", "丁"))
    key = round(settled(n * shares[name], 0))
    wrong = [
        (n * 0.2, "按人数五等分"),
        (n * shares["乙"], "求成乙组或丁组的人数"),
        (n * shares["丙"], "求成丙组的人数"),
        (n * shares["甲"], "求成甲组或戊组的人数"),
        (n * inner, "只求了丙组一侧的人数"),
        (n * outer, "没有减去丙组一侧的部分"),
        (n * (0.5 - inner), "求成甲、乙两组的人数之和"),
        (n * 2 * outer, "求成中间三组的人数之和"),
    ]
    mistakes = [Mistake(people(v), why) for v, why in wrong]
    trait = rng.choice(("数学能力", "语言能力", "音乐能力"))
    stem = (
        f"假定{n}名学生的{trait}服从正态分布，要按能力由高到低分成甲、乙、丙、丁、戊五组，"
        "各组在能力量尺上等距，"
        f"全距取6个标准差。已知正态曲线下{printed_areas(0.6, 1.8)}，两端超出3个标准差的人归入甲、戊两组，"
        f"则{name}组应有的人数（四舍五入取整）为（　　）。"
    )
    how = {"甲": f"0.5-{number(outer, 4)}", "丙": f"2×{number(inner, 4)}"}
    steps = (
        f"每组宽$6\\sigma\\div 5=1.2\\sigma$，界限为$z$=±0.6和±1.8；{name}组的面积为"
        f"{how.get(name, f'{number(outer, 4)}-{number(inner, 4)}')}={number(shares[name], 4)}；"
        f"人数为{n}×{number(shares[name], 4)}，即{key}人"
    )
    choice = numeric_choice(key, mistakes, rank, decimals=0, unit="人")
    return Problem("find", stem, choice, steps, "analyse")


def cut_off_score(rng: random.Random, rank: int) -> Problem:
    """Find the cut-off score when the best k of N are admitted: $X = \\mu + z\\sigma$."""
    share, z = rng.choice(((0.05, 1.645), (0.1, 1.28), (0.15, 1.04), (0.2, 0.84), (0.25, 0.67), (0.3, 0.52)))
    n = rng.choice((400, 600, 800, 1200, 1600, 2000))
    mean, sigma = rng.choice((62, 65, 70, 72)), rng.choice((6, 8, 10, 12))
    key = settled(mean + z * sigma, 1)
    wide = NormalDist().inv_cdf(1 - share / 2)
    mistakes = [
        Mistake(mean - z * sigma, "界限算到了平均数以下"),
        Mistake(mean + wide * sigma, "误按双侧取标准分数"),
        Mistake(mean + z * sigma**0.5, "误以标准差的平方根代入"),
        Mistake(mean + share * sigma, "把录取比例直接当作标准分数"),
        Mistake(mean + (1 - share) * sigma, "把淘汰比例直接当作标准分数"),
        Mistake(mean + (0.5 - share) * sigma, "把面积直接当作标准分数"),
        Mistake(mean + 2 * z * sigma, "标准分数误乘以2"),
        Mistake(mean + 1.96 * sigma, "误用双侧0.05对应的1.96"),
        Mistake(mean + z, "标准分数没有乘标准差"),
    ]
    exam = rng.choice(("事业单位招聘考试", "研究生入学初试", "夏令营选拔考试"))
    stem = (
        f"{n}人参加{exam}，成绩服从正态分布，平均分{mean}，标准差{sigma}，择优录取{round(n * share)}人。"
        f"已知正态曲线下$z$为0到{plain(z)}的面积约为{plain(0.5 - share)}，则录取分数线（保留一位小数）约为"
        "（　　）。"
    )
    steps = (
        f"录取比例为{round(n * share)}÷{n}={plain(share)}，平均数到分数线的面积为{plain(0.5 - share)}，"
        f"$z={plain(z)}$；$X={mean}+{plain(z)}\\times {sigma}$，即{number(key, 1)}分"
    )
    choice = numeric_choice(key, mistakes, rank, decimals=1, unit="分")
    return Problem("find", stem, choice, steps)


def sigma_from_pass_rate(rng: random.Random, rank: int) -> Problem:
    """Find sigma from the share above one limit: $\\sigma = (X - \\mu)/z$."""
    rates = ((84, -0.99), (90, -1.28), (80, -0.84), (75, -0.67), (20, 0.84), (10, 1.28), (5, 1.645))
    share, z = rng.choice(rates)
    mean = rng.choice((68, 70, 72, 75))
    limit = 60 if z < 0 else rng.choice((80, 85, 90))
    sigma = (limit - mean) / z
    if not 6 <= sigma <= 15:
        raise Redraw
    key = settled(sigma, 1)
    off = abs(limit - mean)
    mistakes = [
        Mistake(off * abs(z), "误把除法作乘法"),
        Mistake(float(off), "把分数线与平均分之差当作标准差"),
        Mistake(off / 1.96, "误用双侧0.05对应的1.96"),
        Mistake(off / (share / 100), "把比例直接当作标准分数"),
        Mistake(off / abs(share / 100 - 0.5), "把面积直接当作标准分数"),
        Mistake(off / abs(z) / 2, "标准分数误乘以2"),
        Mistake(2 * off / abs(z), "离差误乘以2"),
        Mistake((off / abs(z)) ** 2, "求成方差"),
        Mistake(off / (1 - share / 100), "把未达到的比例当作标准分数"),
    ]
    mistakes = [m for m in mistakes if m.value < 30]
    name = "及格（60分及以上）" if z < 0 else f"优秀（{limit}分及以上）"
    course = rng.choice(("生理心理学", "心理学史", "心理统计"))
    stem = (
        f"某校{course}期末成绩服从正态分布，平均分{mean}，{name}的人占{share}%。"
        f"已知正态曲线下$z$为0到{plain(abs(z))}的面积约为{plain(abs(share / 100 - 0.5))}，"
        "则成绩的标准差（保留一位小数）约为（　　）。"
    )
    divisor = f"({plain(z)})" if z < 0 else plain(z)
    steps = (
        f"分数线在平均数{'以下' if z < 0 else '以上'}，$z={plain(z)}$；"
        f"$\\sigma=\\frac{{X-\\mu}}{{z}}=({limit}-{mean})\\div {divisor}$，即{number(key, 1)}"
    )
    return Problem("missing", stem, numeric_choice(key, mistakes, rank, decimals=1), steps, "analyse")


def admitted_or_not(rng: random.Random, rank: int) -> Problem:
    """Decide whether a candidate is admitted, by the expected number of people above the score."""
    n, mean, sigma = rng.choice((300, 500, 800, 1000)), rng.choice((60, 65, 70)), rng.choice((8, 10, 12))
    z = rng.choice((0.75, 1.0, 1.25, 1.5, 1.75, 2.0))
    above = settled(n * (0.5 - area(z)), 0)
    quota = round(above * rng.choice((0.6, 0.7, 1.4, 1.6)))
    ruling = Ruling(quota, "不能录取", "可以录取")
    wrong = [
        (n * area(z), "误取平均数到该分数的面积"),
        (above / 2, "把单侧的面积又除以2"),
        (2 * above, "误把两侧的面积相加"),
        (n * (3 - z) / 6, "误按全长6个标准差的比例计算"),
        (n * (0.5 + area(z)), "求成低于他的人数"),
    ]
    mistakes = [Mistake(people(value), why) for value, why in wrong]
    choice = decision_choice(rng, lambda v: f"约有{number(v, 0)}人高于他", ruling, people(above), mistakes, rank)
    conclusion = choice.options[rank]
    post = rng.choice(("辅导员岗位", "心理教师岗位", "社区工作岗位"))
    stem = (
        f"{n}人报考{post}，计划录取{quota}人，笔试成绩服从正态分布，平均分{mean}，标准差{sigma}。某考生得"
        f"{plain(mean + z * sigma)}分，已知正态曲线下{printed_areas(z)}。据此估计成绩高于他的人数"
        "（四舍五入取整）并判断他能否"
        "按成绩录取，正确的是（　　）。"
    )
    steps = (
        f"$z={plain(z)}$，高于他的面积为0.5-{number(area(z), 4)}={number(0.5 - area(z), 4)}；"
        f"人数为{n}×{number(0.5 - area(z), 4)}，即{number(above, 0)}人，名额{quota}人；"
        f"{conclusion}"
    )
    return Problem("decide", stem, choice, steps, "analyse")


def pass_numbers_compared(rng: random.Random, rank: int) -> Problem:
    """Compare how many people two groups of different mean and size send above one line."""
    line = rng.choice((80, 85, 90))
    n1, n2 = rng.choice(((400, 600), (500, 800), (300, 500), (600, 1000), (800, 500)))
    s1, s2 = rng.choice(((8, 10), (10, 8), (10, 12), (5, 10)))
    z1, z2 = rng.choice(((0.5, 1.0), (1.0, 0.5), (0.75, 1.25), (1.5, 1.0), (0.5, 1.5)))
    first, second = (settled(n * (0.5 - area(z)), 0) for n, z in ((n1, z1), (n2, z2)))
    key = abs(round(first) - round(second))
    wrong = [
        (abs(n1 * area(z1) - n2 * area(z2)), "误取平均数到分数线的面积"),
        (abs((0.5 - area(z1)) - (0.5 - area(z2))) * (n1 + n2), "用比例之差乘总人数"),
        (abs((0.5 - area(z1)) - (0.5 - area(z2))) * (n1 + n2) / 2, "用比例之差乘平均人数"),
        (first + second, "把两校上线人数相加"),
        (max(first, second), "只求了上线人数较多的一校"),
        (min(first, second), "只求了上线人数较少的一校"),
        (abs(n1 * (0.5 + area(z1)) - n2 * (0.5 + area(z2))), "求成线下人数之差"),
        (abs(first - second) / 2, "差值又除以2"),
    ]
    mistakes = [Mistake(people(v), why) for v, why in wrong]
    exam = rng.choice(("区统一质量检测", "市级学科调研", "省级水平测试"))
    stem = (
        f"两校参加{exam}，成绩均服从正态分布。A校{n1}人，平均分{plain(line - z1 * s1)}，标准差{s1}；"
        f"B校{n2}人，"
        f"平均分{plain(line - z2 * s2)}，标准差{s2}。已知正态曲线下{printed_areas(z1, z2)}。"
        f"各校{line}分以上的人数先四舍五入取整，"
        "两校相差（　　）。"
    )
    steps = (
        f"A校$z={plain(z1)}$，{n1}×{number(0.5 - area(z1), 4)}约{number(first, 0)}人；"
        f"B校$z={plain(z2)}$，{n2}×{number(0.5 - area(z2), 4)}约{number(second, 0)}人；相差{key}人"
    )
    choice = numeric_choice(key, mistakes, rank, decimals=0, unit="人")
    return Problem("compare", stem, choice, steps, "analyse")


FAMILIES: dict[str, list[Family]] = {
    "normal-curve-area": [
        number_between,
        ability_groups,
        cut_off_score,
        sigma_from_pass_rate,
        admitted_or_not,
        pass_numbers_compared,
    ]
}
