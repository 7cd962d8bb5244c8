"""Problems on confidence intervals for a population proportion.

Convention: $p\\pm Z\\sqrt{pq/n}$ in large samples, the standard error from the sample proportion.
"""

import math
import random

from psygen.engines.offline.figures import plain
from psygen.engines.offline.guards import exceeds, patient, settled
from psygen.engines.offline.inference import (
    Reading,
    count_choice,
    crossed_decision,
    even_out,
    spaced_choice,
    z_note,
    z_text,
)
from psygen.engines.offline.problem import Family, Mistake, Problem, Redraw, number
from psygen.engines.offline.tables import z_critical

# (n, p) whose standard error sqrt(pq / n) is a neat decimal, with np and nq of at least five
NEAT_SHARES = (
    (100, 0.2), (100, 0.5), (100, 0.8), (100, 0.1), (400, 0.2), (400, 0.5), (400, 0.1), (400, 0.8),
    (225, 0.1), (225, 0.2), (225, 0.36), (144, 0.36), (64, 0.36), (64, 0.2), (256, 0.2), (150, 0.4),
    (150, 0.6), (600, 0.4), (600, 0.6), (625, 0.2), (900, 0.1), (144, 0.64), (225, 0.64),
)  # fmt: skip


HABITS = (
    ("大学生", "经常熬夜"),
    ("中学生", "近视"),
    ("新手母亲", "参加过育儿课程"),
    ("企业员工", "有午睡习惯"),
)


OPINIONS = (
    ("某市家长", "赞成推迟上学时间"),
    ("某校教师", "支持新的评价办法"),
    ("某社区居民", "愿意接受心理咨询"),
)


SIGNS = (
    ("某高校新生", "加入学生社团"),
    ("某区小学生", "每天阅读半小时以上"),
    ("某县中学生", "睡眠时间不足"),
)


def share_error(p: float, n: int) -> float:
    """Standard error of a sample proportion."""
    return math.sqrt(p * (1 - p) / n)


def neat_share(rng: random.Random) -> tuple[int, float]:
    """(n, p) with a whole number of people and a neat standard error."""
    n, p = rng.choice(NEAT_SHARES)
    if abs(n * p - round(n * p)) > 1e-9:
        raise Redraw
    return n, p


@patient
def share_limit(rng: random.Random, rank: int) -> Problem:
    """One limit of the interval for a proportion: p ± Z sqrt(pq / n)."""
    who, habit = rng.choice(HABITS)
    n, p = neat_share(rng)
    alpha = rng.choice([0.05, 0.01])
    sign, side = rng.choice([(-1, "下限"), (1, "上限")])
    z, one, error = z_critical(alpha, 2), z_critical(alpha, 1), share_error(p, n)
    key = settled(p + sign * z * error, 4)
    mistakes = [
        Mistake(p + sign * one * error, "误用单侧的Z值"),
        Mistake(p + sign * z * 0.5 / math.sqrt(n), "标准误一律按p=0.5计算"),
        Mistake(p + sign * z * p * (1 - p), "标准误漏除以n且漏开平方"),
        Mistake(p + sign * error, "漏乘Z值"),
        Mistake(p - sign * z * error, "求成另一端的界限"),
        Mistake(p + sign * z * math.sqrt(p / n), "标准误漏乘q"),
        Mistake(p - sign * one * error, "误用单侧的Z值且求成另一端"),
        Mistake(p + sign * z * error / math.sqrt(n), "标准误又多除以$\\sqrt n$"),
    ]
    mistakes = [m for m in mistakes if 0 < m.value < 1]
    stem = (
        f"随机调查{n}名{who}，其中{round(n * p)}人{habit}。样本比率的抽样分布近似正态，标准误用样本比率估计。"
        f"已知{z_note(alpha, 2)}，{z_note(alpha, 1)}，"
        f"则总体中{habit}者比率的{round(100 * (1 - alpha))}%置信区间的"
        f"{side}（保留四位小数）为（　　）。"
    )
    steps = (
        f"$p={round(n * p)}/{n}={plain(p)}$，"
        f"$SE_p=\\sqrt{{{plain(p)}\\times{plain(1 - p)}/{n}}}={plain(error)}$；"
        f"{side}$={plain(p)}{'+' if sign > 0 else '-'}{z_text(z)}\\times{plain(error)}={number(key, 4)}$。"
    )
    return Problem("find", stem, spaced_choice(key, mistakes, rank, gap=0.12 * error, decimals=4), steps)


@patient
def people_behind_share(rng: random.Random, rank: int) -> Problem:
    """The sample size behind a reported interval for a proportion: n = pq (Z / half width)²."""
    who, opinion = rng.choice(OPINIONS)
    n, p = neat_share(rng)
    alpha = rng.choice([0.05, 0.01])
    z, error = z_critical(alpha, 2), share_error(p, n)
    half = settled(z * error, 4)
    if abs(p - 0.5) < 0.05 or abs(half * 1e4 - round(half * 1e4)) > 1e-6:
        raise Redraw
    one = z_critical(alpha, 1)
    mistakes = [
        Mistake(n / 4, "把区间全长当作半长"),
        Mistake(0.25 * (z / half) ** 2, "误按p=0.5计算"),
        Mistake(p * (1 - p) * (one / half) ** 2, "误用单侧的Z值"),
        Mistake(p * (z / half) ** 2, "漏乘q"),
        Mistake(n * 4, "把半长又除以2"),
        Mistake(p * (1 - p) / half**2, "漏乘Z值"),
        Mistake((1 - p) * (z / half) ** 2, "漏乘p"),
    ]
    stem = (
        f"某项抽样调查报告：{who}中{opinion}者比率的{round(100 * (1 - alpha))}%置信区间为"
        f"[{number(p - half, 4)}，{number(p + half, 4)}]。该区间按正态近似、用样本比率估计标准误求得"
        f"（{z_note(alpha, 2)}，{z_note(alpha, 1)}），则这次调查的样本容量为（　　）。"
    )
    steps = (
        f"$p=({number(p - half, 4)}+{number(p + half, 4)})/2={plain(p)}$，半长为{number(half, 4)}；"
        f"$n=pq\\left(\\dfrac{{Z}}{{\\text{{半长}}}}\\right)^2={plain(p)}\\times{plain(1 - p)}\\times"
        f"\\left(\\dfrac{{{z_text(z)}}}{{{number(half, 4)}}}\\right)^2={n}$人。"
    )
    return Problem("missing", stem, count_choice(n, mistakes, rank, "人"), steps)


@patient
def equal_precision(rng: random.Random, rank: int) -> Problem:
    """How many people a second survey needs for an interval as long as the first one's."""
    p1, p2 = rng.sample([0.1, 0.2, 0.3, 0.4, 0.5], 2)
    n1 = rng.choice([100, 120, 150, 200, 240, 300])
    exact = n1 * p2 * (1 - p2) / (p1 * (1 - p1))
    if abs(exact - round(exact)) > 1e-9:
        raise Redraw
    key = round(exact)
    ratio = (p2 * (1 - p2)) / (p1 * (1 - p1))
    mistakes = [
        Mistake(n1 * math.sqrt(ratio), "误以为n与$\\sqrt{pq}$成正比"),
        Mistake(n1 / ratio, "把两个pq的位置颠倒"),
        Mistake(n1 * p2 / p1, "只按p的大小折算，漏乘q"),
        Mistake(n1, "误以为容量相同则区间同长"),
        Mistake(n1 * (1 - p2) / (1 - p1), "只按q的大小折算，漏乘p"),
        Mistake(n1 * ratio**2, "误以为n与pq的平方成正比"),
        Mistake(n1 * p1 / p2, "按p的大小折算且位置颠倒"),
    ]
    stem = (
        f"甲校随机调查{n1}名学生，有网络成瘾倾向者的比率为{plain(p1)}；乙校学生的该比率估计约为{plain(p2)}。"
        "若要使乙校总体比率的95%置信区间与甲校的一样长（均用正态近似，标准误用各自的样本比率估计），"
        "乙校应调查学生（　　）。"
    )
    steps = (
        "区间同长即标准误相等，$\\dfrac{p_1q_1}{n_1}=\\dfrac{p_2q_2}{n_2}$，"
        f"$n_2={n1}\\times\\dfrac{{{plain(p2)}\\times{plain(1 - p2)}}}{{{plain(p1)}\\times{plain(1 - p1)}}}"
        f"={key}$人。"
    )
    return Problem("compare", stem, count_choice(key, mistakes, rank, "人"), steps, "analyse")


@patient
def share_against_claim(rng: random.Random, rank: int) -> Problem:
    """The interval for a proportion, and whether a claimed proportion lies in it."""
    who, sign = rng.choice(SIGNS)
    n, p = neat_share(rng)
    alpha = rng.choice([0.05, 0.01])
    claim = round(p + rng.choice([-1, 1]) * rng.randint(2, 12) / 100, 2)
    if not 0.02 < claim < 0.98:
        raise Redraw
    z, one, error = z_critical(alpha, 2), z_critical(alpha, 1), share_error(p, n)

    def read(spread: float, critical: float) -> Reading:
        differs = exceeds(p - claim, spread * critical)
        low, high = settled(p - critical * spread, 4), settled(p + critical * spread, 4)
        if low <= 0 or high >= 1:
            raise Redraw
        says = f"{'不含' if differs else '包含'}{claim:.2f}，与{claim:.2f}{'有' if differs else '无'}显著差异"
        return Reading(f"[{number(low, 4)}，{number(high, 4)}]，{says}", differs)

    errors = [
        Mistake(0.5 / math.sqrt(n), "标准误误按p=0.5计算"),
        Mistake(math.sqrt(p / n), "标准误漏乘q"),
        Mistake(p * (1 - p) / math.sqrt(n), "pq漏开平方"),
    ]
    lines = [Mistake(one, "误用单侧的Z值"), Mistake(1.0, "漏乘Z值")]
    choice = crossed_decision(rng, read, (error, errors), (z, lines), rank)
    even_out(rng, choice, "包含", 0.25)
    stem = (
        f"有报道称{who}中{sign}者的比率为{claim:.2f}。研究者随机抽查{n}人，其中{round(n * p)}人{sign}。"
        f"已知{z_note(alpha, 2)}，{z_note(alpha, 1)}。用样本比率估计标准误，"
        f"求总体比率的{round(100 * (1 - alpha))}%置信区间"
        f"（保留四位小数），并据此在$\\alpha={alpha}$水平上作双侧判断，正确的是（　　）。"
    )
    steps = (
        f"$p={plain(p)}$，$SE_p=\\sqrt{{{plain(p)}\\times{plain(1 - p)}/{n}}}={plain(error)}$；"
        f"${plain(p)}\\pm{z_text(z)}\\times{plain(error)}$，即{choice.options[rank]}。"
    )
    return Problem("decide", stem, choice, steps, "analyse")


FAMILIES: dict[str, list[Family]] = {
    "ci-proportion": [share_limit, people_behind_share, equal_precision, share_against_claim],
}
