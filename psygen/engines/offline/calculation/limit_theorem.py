"""Problems on the central limit theorem: shape, mean and spread of sample means and sums, and probabilities.

Conventions: n of 30 and more counts as large; areas are those between the mean and Z, as Chinese tables print them.
"""

import math
import random

from psygen.engines.offline.figures import plain
from psygen.engines.offline.guards import patient, settled
from psygen.engines.offline.inference import (
    ABILITY,
    EMOTION,
    SOCIAL,
    SPEED,
    area_note,
    check_spread,
    spaced_choice,
    z_note,
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
from psygen.engines.offline.tables import normal_area, z_critical


@patient
def mean_within(rng: random.Random, rank: int) -> Problem:
    """Probability that the mean of a large sample from a skewed population lies in a region."""
    measure = rng.choice(SPEED)
    n = rng.choice([36, 64, 100])
    z = rng.choice([0.8, 1.0, 1.2, 1.25, 1.5, 1.6, 1.75, 2.0])
    distance = z * measure.sd / math.sqrt(n)
    if abs(distance * 10 - round(distance * 10)) > 1e-9:
        raise Redraw
    raw = round(distance / measure.sd, 2)
    if abs(raw - distance / measure.sd) > 0.004:
        raise Redraw
    kind = rng.choice(["tail", "rest", "within"])
    mu, area, wrong = measure.mean, normal_area(z), normal_area(raw)
    edge = plain(mu + distance)
    region, answer, other = {
        "tail": (f"大于{edge}毫秒", 0.5 - area, 0.5 - wrong),
        "rest": (f"小于{edge}毫秒", 0.5 + area, 0.5 + wrong),
        "within": (f"在{plain(mu - distance)}毫秒与{edge}毫秒之间", 2 * area, 2 * wrong),
    }[kind]
    key = settled(answer, 4)
    mistakes = [
        Mistake(other, "标准误漏除以$\\sqrt n$"),
        Mistake(area, "只取了平均数到Z值之间的面积"),
        Mistake(0.5 - area, "求成一端尾部的面积"),
        Mistake(0.5 + area, "求成该Z值以下的全部面积"),
        Mistake(1 - 2 * area, "求成两端尾部的面积之和"),
        Mistake(0.25 - area / 2, "把一端尾部的面积又除以2"),
        Mistake(wrong, "漏除以$\\sqrt n$且只取了一侧面积"),
        Mistake(2 * area, "把一侧面积误乘2"),
    ]
    stem = (
        f"某任务的{measure.what}分布呈正偏态，总体平均数$\\mu={mu}$毫秒，标准差$\\sigma={measure.sd}$毫秒。"
        f"从中随机抽取{n}个观测值求平均数。已知正态表中平均数至Z之间的面积：{area_note(raw)}，"
        f"{area_note(z)}。"
        f"根据中心极限定理，样本平均数{region}的概率（保留四位小数）约为（　　）。"
    )
    work = {"tail": f"0.5-{area:.5f}", "rest": f"0.5+{area:.5f}", "within": f"2\\times{area:.5f}"}[kind]
    steps = (
        f"样本平均数近似正态，标准误$={measure.sd}/\\sqrt{{{n}}}={plain(measure.sd / math.sqrt(n))}$毫秒，"
        f"$Z={plain(distance)}/{plain(measure.sd / math.sqrt(n))}={plain(z)}$；"
        f"概率$={work}={number(key, 4)}$。"
    )
    return Problem("find", stem, numeric_choice(key, mistakes, rank, decimals=4), steps)


@patient
def limit_of_means(rng: random.Random, rank: int) -> Problem:
    """The value that a given small share of sample means exceeds: μ + Z σ / sqrt(n)."""
    measure = rng.choice(EMOTION)
    n = rng.choice([36, 49, 64, 81, 100])
    alpha = rng.choice([0.05, 0.01])
    upper = rng.random() < 0.5
    sign = 1 if upper else -1
    z, two = z_critical(alpha, 1), z_critical(alpha, 2)
    error = measure.sd / math.sqrt(n)
    mu = measure.mean
    key = settled(mu + sign * z * error, 2, mu + sign * z * round(error, 2))
    mistakes = [
        Mistake(mu + sign * two * error, "误用双侧的Z值"),
        Mistake(mu + sign * z * measure.sd, "用总体标准差代替标准误"),
        Mistake(mu + sign * z * measure.sd / n, "标准误除以n而未开平方"),
        Mistake(mu - sign * z * error, "方向弄反"),
        Mistake(mu - sign * two * error, "误用双侧的Z值且方向弄反"),
        Mistake(mu + sign * error, "漏乘Z值"),
        Mistake(mu - sign * z * measure.sd, "方向弄反且用总体标准差代替标准误"),
    ]
    share = f"{round(alpha * 100)}%"
    stem = (
        f"{measure.who}的{measure.what}呈偏态分布，$\\mu={mu}${measure.unit}，"
        f"$\\sigma={measure.sd}${measure.unit}。"
        f"反复随机抽取{n}人并计算平均数，"
        f"所有样本平均数中最{'高' if upper else '低'}的{share}与其余部分的分界点"
        f"（已知{z_note(alpha, 1)}，{z_note(alpha, 2)}；保留两位小数）约为（　　）。"
    )
    steps = (
        f"$\\sigma_{{\\bar X}}={measure.sd}/\\sqrt{{{n}}}={plain(error)}${measure.unit}；分界点"
        f"$={mu}{'+' if upper else '-'}{plain(z)}\\times{plain(error)}={number(key, 2)}${measure.unit}。"
    )
    choice = spaced_choice(key, mistakes, rank, gap=0.15 * error, unit=measure.unit)
    return Problem("missing", stem, choice, steps)


@patient
def narrower_middle(rng: random.Random, rank: int) -> Problem:
    """How much the middle 95% of sample means narrows when n grows."""
    measure = rng.choice(ABILITY)
    n, times = rng.choice([36, 49, 64, 100]), rng.choice([4, 9])
    alpha = rng.choice([0.05, 0.01])
    z = z_critical(alpha, 2)
    sigma = rng.choice([12, 14, 15, 16, 18, 20])
    check_spread(measure, sigma)
    before, after = 2 * z * sigma / math.sqrt(n), 2 * z * sigma / math.sqrt(times * n)
    key = settled(before - after, 2, round(before, 2) - round(after, 2))
    mistakes = [
        Mistake(key / 2, "只算了一侧的变化"),
        Mistake(before - before / times, "误以为宽度与n成反比"),
        Mistake(after, "求成新的宽度"),
        Mistake(before, "求成原来的宽度"),
        Mistake(after / 2, "只求了新区间一侧的宽度"),
        Mistake(before + after, "把两个宽度相加"),
        Mistake((before - before / times) / 2, "误以为与n成反比且只算一侧"),
    ]
    level = f"{round(100 * (1 - alpha))}%"
    stem = (
        f"已知{measure.what}在某总体中呈偏态分布，$\\sigma={sigma}$。研究者随机抽取{n}人计算平均数，"
        f"由中心极限定理可求得以$\\mu$为中心、包含中间{level}样本平均数的范围。若改为抽取{times * n}人，"
        f"则这一范围的全距比原来缩小（已知{z_note(alpha, 2)}；保留两位小数）（　　）。"
    )
    steps = (
        f"原全距$=2\\times{z:.2f}\\times{sigma}/\\sqrt{{{n}}}={number(before, 2)}$，"
        f"新全距$=2\\times{z:.2f}\\times{sigma}/\\sqrt{{{times * n}}}={number(after, 2)}$，"
        f"缩小{number(before, 2)}-{number(after, 2)}={number(key, 2)}分。"
    )
    return Problem("compare", stem, numeric_choice(key, mistakes, rank, unit="分"), steps, "analyse")


SKEWED = (
    ("某市家庭的月均教育支出", "百元", 30, 12),
    ("某网站用户的单次停留时间", "秒", 90, 40),
    ("某校学生每周使用社交媒体的时间", "小时", 14, 6),
    ("某门诊患者的候诊时间", "分钟", 35, 20),
)


@patient
def shape_mean_spread(rng: random.Random, rank: int) -> Problem:
    """The shape and the standard deviation of the means of large samples from a skewed population."""
    what, unit, mu, sigma = rng.choice(SKEWED)
    n = rng.choice([36, 49, 64, 81, 100, 144])
    spread = settled(sigma / math.sqrt(n), 2)
    right, wrong = number(spread, 2), number(sigma, 2)
    mistakes = [
        (f"正偏态，平均数{mu}，标准差{right}", "误以为样本平均数仍保持总体的偏态"),
        (f"近似正态，平均数{mu}，标准差{wrong}", "误把总体标准差当作样本平均数的标准差"),
        (f"正偏态，平均数{mu}，标准差{wrong}", "把总体分布当作样本平均数的分布"),
    ]
    rng.shuffle(mistakes)
    stem = (
        f"{what}呈明显的正偏态，总体平均数为{mu}{unit}，标准差为{sigma}{unit}。"
        f"从中随机抽取{n}个观测值求其平均数，"
        f"如此重复一万次，把得到的一万个平均数作成次数分布。该分布最可能（单位：{unit}）是（　　）。"
    )
    steps = (
        f"$n={n}$为大样本，由中心极限定理，样本平均数近似正态，平均数等于$\\mu={mu}$，"
        f"标准差为$\\sigma/\\sqrt n={sigma}/\\sqrt{{{n}}}={right}$。"
    )
    choice = text_choice(f"近似正态，平均数{mu}，标准差{right}", mistakes, rank)
    return Problem("decide", stem, choice, steps)


@patient
def sum_of_scores(rng: random.Random, rank: int) -> Problem:
    """Probability that the sum of n scores passes a limit: Z = (T - nμ) / (σ sqrt(n))."""
    measure = rng.choice(SOCIAL)
    n = rng.choice([36, 64, 100])
    z = rng.choice([0.8, 1.0, 1.2, 1.25, 1.5, 1.6, 1.75, 2.0])
    spread = measure.sd * math.sqrt(n)
    total = n * measure.mean + z * spread
    if abs(total - round(total)) > 1e-9:
        raise Redraw
    upper = rng.random() < 0.4
    wrong_z = round(z / math.sqrt(n), 2)
    area, wrong = normal_area(z), normal_area(wrong_z)
    key = settled(0.5 - area if upper else 0.5 + area, 4)
    sign = -1 if upper else 1
    mistakes = [
        Mistake(0.5 + sign * wrong, "总和的标准差误作$n\\sigma$"),
        Mistake(area, "只取了平均数到Z值之间的面积"),
        Mistake(0.5 - sign * area, "方向弄反"),
        Mistake(2 * area, "把一侧面积误乘2"),
        Mistake(1 - 2 * area, "求成两端尾部的面积之和"),
        Mistake(0.25 - area / 2, "把一端尾部的面积又除以2"),
        Mistake(wrong, "总和的标准差误作$n\\sigma$，且只取一侧面积"),
        Mistake(0.75 + area / 2, "把尾部面积除以2后再用1去减"),
    ]
    stem = (
        f"{measure.who}的{measure.what}呈偏态分布，$\\mu={measure.mean}${measure.unit}，"
        f"$\\sigma={measure.sd}${measure.unit}。"
        f"随机抽取{n}人，把他们的得分相加。已知正态表中平均数至Z之间的面积：{area_note(wrong_z)}，"
        f"{area_note(z)}。"
        "根据中心极限定理，"
        f"总分{'超过' if upper else '低于'}{plain(total)}{measure.unit}的概率（保留四位小数）约为（　　）。"
    )
    steps = (
        f"总分近似正态，平均数$n\\mu={n * measure.mean}$，标准差$\\sigma\\sqrt n={plain(spread)}$；"
        f"$Z=({plain(total)}-{n * measure.mean})/{plain(spread)}={plain(z)}$，"
        f"概率$=0.5{'-' if upper else '+'}{area:.5f}={number(key, 4)}$。"
    )
    return Problem("find", stem, numeric_choice(key, mistakes, rank, decimals=4), steps, "analyse")


FAMILIES: dict[str, list[Family]] = {
    "central-limit-theorem": [mean_within, limit_of_means, narrower_middle, shape_mean_spread, sum_of_scores],
}
