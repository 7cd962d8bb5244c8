"""Problems on the sample size an estimate needs: $(Z\\sigma/d)^2$ for a mean, $Z^2pq/d^2$ for a proportion.

Draws are kept only where rounding off and rounding up agree on the number of people.
"""

import math
import random

from psygen.engines.offline.figures import plain
from psygen.engines.offline.guards import patient
from psygen.engines.offline.inference import ABILITY, EMOTION, SCHOOL, SPEED, check_spread, count_choice, z_note, z_text
from psygen.engines.offline.problem import Family, Mistake, Problem, Redraw, number, text_choice
from psygen.engines.offline.tables import z_critical


def people(exact: float) -> int:
    """The number of people for a computed size; Redraw unless rounding off and rounding up agree."""
    if 1e-6 < exact % 1 < 0.55:
        raise Redraw
    return math.ceil(exact - 1e-6)


@patient
def size_for_mean(rng: random.Random, rank: int) -> Problem:
    """The sample size for a mean with known σ: (Z σ / d)²."""
    measure = rng.choice(EMOTION)
    sigma, d = rng.randint(8, 20), rng.choice([1, 1.5, 2, 2.5, 3, 4])
    check_spread(measure, sigma)
    alpha = rng.choice([0.05, 0.01])
    z, one = z_critical(alpha, 2), z_critical(alpha, 1)
    key = people((z * sigma / d) ** 2)
    if not 25 <= key <= 900:
        raise Redraw
    mistakes = [
        Mistake((one * sigma / d) ** 2, "误用单侧的Z值"),
        Mistake((2 * z * sigma / d) ** 2, "把最大允许误差当作区间全长"),
        Mistake(z * sigma / d, "漏了平方"),
        Mistake((sigma / d) ** 2, "漏乘Z值"),
        Mistake((z * sigma) ** 2 / d, "最大允许误差漏了平方"),
        Mistake(2 * (z * sigma / d) ** 2, "误用两个平均数比较的公式，多乘了2"),
        Mistake(z * sigma**2 / d**2, "Z值漏了平方"),
    ]
    stem = (
        f"已知{measure.who}的{measure.what}服从正态分布，$\\sigma={sigma}${measure.unit}。要估计总体平均数，"
        "希望在"
        f"{round(100 * (1 - alpha))}%的置信水平下最大允许误差不超过{plain(d)}{measure.unit}。"
        f"已知{z_note(alpha, 2)}，{z_note(alpha, 1)}，则至少应抽取（　　）。"
    )
    steps = (
        "$n=\\left(\\dfrac{Z\\sigma}{d}\\right)^2"
        f"=\\left(\\dfrac{{{z_text(z)}\\times{sigma}}}{{{plain(d)}}}\\right)^2"
        f"={number((z * sigma / d) ** 2, 2)}$，取整为{key}人。"
    )
    return Problem("find", stem, count_choice(key, mistakes, rank, "人"), steps)


@patient
def size_for_share(rng: random.Random, rank: int) -> Problem:
    """The sample size for a proportion nothing is known about: Z² 0.25 / d²."""
    topic = rng.choice(["中学生中有考试焦虑者", "大学生中拖延者", "教师中有职业倦怠者"])
    d = rng.choice([0.02, 0.03, 0.04, 0.05, 0.06, 0.07, 0.08])
    alpha = rng.choice([0.10, 0.05, 0.01])
    z, one = z_critical(alpha, 2), z_critical(alpha, 1)
    key = people(z**2 * 0.25 / d**2)
    other = rng.choice([0.2, 0.3])
    mistakes = [
        Mistake(one**2 * 0.25 / d**2, "误用单侧的Z值"),
        Mistake(z**2 * 0.5 / d**2, "漏乘q，只乘p=0.5"),
        Mistake(z**2 * other * (1 - other) / d**2, "误用小样本中的比率"),
        Mistake(z**2 * 0.25 / (2 * d) ** 2, "把最大允许误差又乘了2"),
        Mistake(z**2 * 0.25 / (d / 2) ** 2, "把最大允许误差当作区间全长"),
        Mistake(z * 0.25 / d**2, "Z值漏了平方"),
        Mistake(z**2 / d**2, "漏乘pq"),
        Mistake({0.10: 1.96, 0.05: 2.58, 0.01: z}[alpha] ** 2 * 0.25 / d**2, "误用了更高置信水平的Z值"),
    ]
    stem = (
        f"拟调查{topic}在总体中的比率。总体比率未知，试测的几名对象中虽有{round(other * 10)}成符合，"
        "但人数太少，"
        "不足为据，"
        "故按最保守的情形确定样本容量。"
        f"要求在{round(100 * (1 - alpha))}%的置信水平下最大允许误差不超过{plain(d)}"
        f"（已知{z_note(alpha, 2)}，{z_note(alpha, 1)}），至少应抽取（　　）。"
    )
    steps = (
        "最保守的情形为p=q=0.5，$n=\\dfrac{Z^2pq}{d^2}"
        f"=\\dfrac{{{z_text(z)}^2\\times0.25}}{{{plain(d)}^2}}"
        f"={number(z**2 * 0.25 / d**2, 2)}$，取整为{key}人。"
    )
    return Problem("find", stem, count_choice(key, mistakes, rank, "人"), steps)


@patient
def size_from_earlier_interval(rng: random.Random, rank: int) -> Problem:
    """The size for a smaller margin, from an earlier study's size and interval: n (d1 / d2)²."""
    measure = rng.choice(SPEED)
    n = rng.choice([25, 36, 49, 64, 81, 100])
    d1 = rng.randint(12, 40)
    d2 = rng.choice([k for k in range(5, 36) if k < d1 - 3])
    key = people(n * (d1 / d2) ** 2)
    if key > 1000:
        raise Redraw
    mistakes = [
        Mistake(n * d1 / d2, "误以为n与最大允许误差成反比"),
        Mistake(n * (2 * d1 / d2) ** 2, "把区间全长当作原来的最大允许误差"),
        Mistake(n * (d1 / d2) ** 2 - n, "求成还要增加的人数"),
        Mistake(n * math.sqrt(d1 / d2), "误差之比误开平方"),
        Mistake(n * (2 * d1) / d2, "用了区间全长，又误以为成反比"),
        Mistake(n * (d1 / d2) ** 2 + n, "又加上了原来的人数"),
        Mistake(n * (d1 / d2) ** 3, "误差之比误取三次方"),
    ]
    center = measure.mean + rng.randint(-15, 15)
    stem = (
        f"一项预研究随机抽取{n}名{measure.people}，"
        f"测得{measure.what}总体平均数的95%置信区间为[{center - d1}，"
        f"{center + d1}]毫秒"
        f"（总体标准差已知，总体正态）。正式研究仍取95%的置信水平，要求最大允许误差不超过{d2}毫秒，"
        "则至少应抽取（　　）。"
    )
    steps = (
        f"预研究的最大允许误差为({center + d1}-{center - d1})/2={d1}毫秒；$d=Z\\sigma/\\sqrt n$，"
        f"$n_2=n_1(d_1/d_2)^2={n}\\times({d1}/{d2})^2={number(n * (d1 / d2) ** 2, 2)}$，取整为{key}人。"
    )
    return Problem("missing", stem, count_choice(key, mistakes, rank, "人"), steps, "analyse")


@patient
def stricter_demand(rng: random.Random, rank: int) -> Problem:
    """How many more people a smaller margin at a higher confidence level takes."""
    measure = rng.choice(ABILITY)
    sigma = rng.randint(10, 20)
    check_spread(measure, sigma)
    d1, d2 = rng.choice([(4, 2), (4, 3), (3, 2), (5, 4), (5, 3), (6, 4)])
    z1, z2 = z_critical(0.05, 2), z_critical(0.01, 2)
    first, second = people((z1 * sigma / d1) ** 2), people((z2 * sigma / d2) ** 2)
    key = second - first
    mistakes = [
        Mistake(second, "求成所需的总人数"),
        Mistake((z1 * sigma / d2) ** 2 - first, "未考虑置信水平的提高"),
        Mistake((z2 * sigma / d1) ** 2 - first, "未考虑误差要求的提高"),
        Mistake(first * (d1 / d2) * (z2 / z1) - first, "误以为n与误差成反比、与Z值成正比"),
        Mistake(second + first, "把两个人数相加"),
        Mistake((z_critical(0.01, 1) * sigma / d2) ** 2 - first, "99%置信水平误用单侧的Z值"),
        Mistake((2 * z2 * sigma / d2) ** 2 - first, "把新的最大允许误差当作区间全长"),
    ]
    stem = (
        f"用{measure.what}估计总体平均数，已知$\\sigma={sigma}$。"
        f"原计划在95%的置信水平下使最大允许误差不超过{d1}分；"
        f"后来改为在99%的置信水平下不超过{d2}分。已知{z_note(0.05, 2)}，{z_note(0.01, 2)}，"
        f"{z_note(0.01, 1)}，"
        "各自按所需的最少人数抽样，则改变要求后需要多抽取（　　）。"
    )
    steps = (
        f"原需$({z1:.2f}\\times{sigma}/{d1})^2$，取整为{first}人；现需$({z2:.2f}\\times{sigma}/{d2})^2$，"
        f"取整为{second}人；"
        f"多抽取{second}-{first}={key}人。"
    )
    return Problem("compare", stem, count_choice(key, mistakes, rank, "人"), steps, "analyse")


@patient
def within_budget(rng: random.Random, rank: int) -> Problem:
    """Whether the money suffices for the needed number of people, and how much is left or lacking."""
    measure = rng.choice(SCHOOL)
    sigma, d, cost = rng.randint(8, 20), rng.choice([1.5, 2, 2.5, 3]), rng.choice([20, 25, 30, 40, 50])
    check_spread(measure, sigma)
    z, one = z_critical(0.05, 2), z_critical(0.05, 1)
    need, low = people((z * sigma / d) ** 2), people((one * sigma / d) ** 2)
    half, forgot = people((2 * z * sigma / d) ** 2), people((sigma / d) ** 2)
    wrong_need, why = rng.choice([(low, "误用单侧的Z值"), (half, "把最大允许误差当作区间全长"), (forgot, "漏乘Z值")])
    if not 40 <= need <= 400:
        raise Redraw
    between = (need + wrong_need) * cost // 2 // 100 * 100
    if min(abs(between - need * cost), abs(between - wrong_need * cost)) < 100:
        raise Redraw

    if between < need * cost and rng.random() < 0.55:  # otherwise the money would mostly fall short
        raise Redraw

    def tell(count: int) -> str:
        balance = between - count * cost
        return f"需{count}人，经费{'剩余' if balance > 0 else '不足'}{abs(balance)}元"

    def flipped(count: int) -> str:
        balance = between - count * cost
        return f"需{count}人，经费{'不足' if balance > 0 else '剩余'}{abs(balance)}元"

    wrong = [
        (flipped(need), "余缺的方向判断反了"),
        (tell(wrong_need), why),
        (flipped(wrong_need), f"{why}，并且余缺的方向判断反了"),
    ]
    rng.shuffle(wrong)
    stem = (
        f"要在95%的置信水平下估计{measure.who}{measure.what}的总体平均数，$\\sigma={sigma}$分，"
        f"最大允许误差不超过{plain(d)}分"
        f"（已知{z_note(0.05, 2)}，{z_note(0.05, 1)}）。每名被试的费用为{cost}元，现有经费{between}元。"
        "按所需的最少人数抽样，正确的判断是（　　）。"
    )
    steps = (
        f"$n=({z_text(z)}\\times{sigma}/{plain(d)})^2={number((z * sigma / d) ** 2, 2)}$，取整为{need}人，"
        f"需{need * cost}元；"
        f"现有{between}元，即{tell(need)}。"
    )
    return Problem("decide", stem, text_choice(tell(need), wrong, rank), steps, "analyse")


FAMILIES: dict[str, list[Family]] = {
    "sample-size-for-estimation": [
        size_for_mean,
        size_for_share,
        size_from_earlier_interval,
        stricter_demand,
        within_budget,
    ],
}
