"""Rank-sum test, as Chinese psychology statistics textbooks work it.

Conventions: T is the rank sum of the smaller sample, ranks ascend, ties share their mean rank; the normal
form is used when both samples are above 10.
"""

import math
import random

from psygen.engines.offline.figures import listed
from psygen.engines.offline.guards import Ruling, decision_choice, exceeds, hand, patient, settled
from psygen.engines.offline.problem import (
    Family,
    Mistake,
    Problem,
    Redraw,
    number,
    numeric_choice,
)


def _rank_of(value: int, pool: list[int]) -> float:
    """Ascending rank with ties at their mean."""
    return sum(v < value for v in pool) + (pool.count(value) + 1) / 2


def _rank_sum(values: list[int], pool: list[int]) -> float:
    return sum(_rank_of(v, pool) for v in values)


def _two_samples(rng: random.Random, small: int, large: int) -> tuple[list[int], list[int]]:
    """A smaller and a larger sample of whole scores with a few ties between them."""
    first = [rng.randint(12, 30) for _ in range(small)]
    second = [rng.randint(10, 28) for _ in range(large)]
    pool = first + second
    ties = len(pool) - len(set(pool))
    if not 1 <= ties <= 4 or len(set(first)) < small - 1 or not set(first) & set(second):
        raise Redraw
    return first, second


@patient
def rank_sum_from_scores(rng: random.Random, rank: int) -> Problem:
    """T of the smaller sample from raw scores with ties."""
    what, one, other = rng.choice(
        [
            ("攻击行为次数", "实验组", "对照组"),
            ("口语评定得分", "留学组", "本土组"),
            ("图形推理得分", "城市组", "乡村组"),
        ]
    )
    small, large = rng.choice([(4, 6), (5, 7), (4, 7), (5, 6), (6, 8)])
    first, second = _two_samples(rng, small, large)
    pool = first + second
    key = _rank_sum(first, pool)
    highest = [-v for v in pool]
    by_order = sorted(pool)
    mistakes = [
        Mistake(_rank_sum([-v for v in first], highest), "误从大到小排等级"),
        Mistake(_rank_sum(second, pool), "误取了人数较多一组的秩和"),
        Mistake(sum(by_order.index(v) + 1.0 for v in first), "相同分数误都取其中最小的等级"),
        Mistake(sum(by_order.index(v) + float(pool.count(v)) for v in first), "相同分数误都取其中最大的等级"),
        Mistake(small * (small + large + 1) / 2, "误求成秩和的理论平均数"),
        Mistake(key - small * (small + 1) / 2, "误又减去n(n+1)/2，求成了U值"),
        Mistake(sum(sorted(set(pool)).index(v) + 1.0 for v in first), "相同分数占用同一等级后，后面的等级没有跳过"),
        Mistake(small * (small + 1) / 2, "只在本组内排等级"),
        Mistake(large * (small + large + 1) / 2, "误求成另一组秩和的理论平均数"),
    ]
    stem = (
        f"比较两组被试的{what}，{one}（{small}人）为{listed(first)}；"
        f"{other}（{large}人）为{listed(second)}。"
        "把两组数据合在一起由小到大排列等级，相同分数取平均等级，"
        "则秩和检验的统计量T（人数较少一组的等级之和，保留一位小数）为（　　）。"
    )
    ranks = "，".join(f"{_rank_of(v, pool):g}" for v in first)
    steps = f"{one}各分数的等级依次为{ranks}，$T={number(key, 1)}$。"
    return Problem("find", stem, numeric_choice(key, mistakes, rank, decimals=1), steps)


def _z(t: float, small: int, large: int) -> float:
    return (t - small * (small + large + 1) / 2) / math.sqrt(small * large * (small + large + 1) / 12)


@patient
def z_from_other_sum(rng: random.Random, rank: int) -> Problem:
    """Z of the smaller sample's rank sum when only the other sum is given: T = N(N+1)/2 - other sum."""
    what = rng.choice(
        [
            "两种培训方式下员工的绩效等级",
            "两所学校学生的艺术素养得分",
            "两种疗法后病人的社会功能评分",
        ]
    )
    small, large = rng.choice(
        [
            (11, 12),
            (12, 15),
            (12, 13),
            (14, 16),
            (15, 16),
            (12, 14),
            (11, 13),
            (12, 17),
        ]
    )
    total = small + large
    other_sum = rng.randint(large * (total + 1) // 2 - 70, large * (total + 1) // 2 + 70)
    t = total * (total + 1) / 2 - other_sum
    error = math.sqrt(small * large * (total + 1) / 12)
    key = settled(_z(t, small, large), 2, (t - small * (total + 1) / 2) / hand(error))
    if not 0.5 < abs(key) < 3.2:
        raise Redraw
    mistakes = [
        Mistake(-key, "误用人数较多一组的秩和计算"),
        Mistake((other_sum - small * (total + 1) / 2) / error, "用较多一组的秩和减去较少一组的理论平均数"),
        Mistake((t - small * total / 2) / error, "理论平均数误用总人数代替总人数加1"),
        Mistake(key * error / (small * large * (total + 1) / 12), "标准误漏开平方"),
        Mistake(key * (large / small) ** 0.5, "标准误中两组人数都误用较少一组的人数"),
        Mistake(key * (small / large) ** 0.5, "标准误中两组人数都误用较多一组的人数"),
        Mistake((t - small * large / 2) / error, "理论平均数误用两组人数之积的一半"),
        Mistake((t - large * (total + 1) / 2) / error, "理论平均数误用人数较多的一组"),
        Mistake(key * error / math.sqrt(total * (total + 1) * (2 * total + 1) / 24), "误用符号等级检验的标准误"),
    ]
    stem = (
        f"用秩和检验比较{what}，两组分别为{small}人和{large}人，合并由小到大排列等级（没有相同等级），"
        f"{large}人组的等级之和为{other_sum}。"
        f"以{small}人组的秩和为T，按正态近似$Z=(T-\\mu_T)/\\sigma_T$（不作连续性校正）求得的Z值（保留两位"
        "小数）为（　　）。"
    )
    steps = (
        f"等级总和为{total}×{total + 1}/2={total * (total + 1) // 2}，"
        f"$T={total * (total + 1) // 2}-{other_sum}={t:g}$。"
        f"$\\mu_T={small}\\times({total}+1)/2={small * (total + 1) / 2:g}$，"
        f"$\\sigma_T=\\sqrt{{{small}\\times{large}\\times"
        f"({total}+1)/12}}={number(error, 2)}$，$Z=(T-\\mu_T)/\\sigma_T={number(key, 2)}$。"
    )
    return Problem("missing", stem, numeric_choice(key, mistakes, rank), steps, "analyse")


@patient
def rank_sum_decision(rng: random.Random, rank: int) -> Problem:
    """Z of a rank sum of larger samples against 1.96: decide."""
    story, one, other = rng.choice(
        [
            ("对某部影片的喜爱评分", "男观众", "女观众"),
            ("助人意愿评分", "受表扬组", "未受表扬组"),
            ("疼痛评分", "听音乐组", "安静组"),
        ]
    )
    small, large = rng.choice([(11, 13), (12, 14), (12, 16), (14, 15), (15, 18), (16, 20)])
    middle, error = small * (small + large + 1) / 2, math.sqrt(small * large * (small + large + 1) / 12)
    t = round(middle + rng.choice([-1, 1]) * rng.uniform(1.0, 3.0) * error)
    key = settled(abs(_z(t, small, large)), 2, abs(t - middle) / hand(error))
    is_large = exceeds(key, 1.96)
    total = small + large
    wide = math.sqrt(total * (total + 1) * (2 * total + 1) / 24)
    mistakes = [
        Mistake(abs(t - large * (small + large + 1) / 2) / error, "理论平均数误用人数较多的一组"),
        Mistake(abs(t - small * (small + large) / 2) / error, "理论平均数误用总人数代替总人数加1"),
        Mistake(key * error / wide, "误用符号等级检验的标准误"),
        Mistake(key * (large / small) ** 0.5, "标准误中两组人数都误用较少一组的人数"),
        Mistake(key * (small / large) ** 0.5, "标准误中两组人数都误用较多一组的人数"),
        Mistake(key / error, "标准误漏开平方"),
        Mistake(key * error / math.sqrt(small * large / 12), "标准误漏乘总人数加1"),
        Mistake(abs(t - small * large / 2) / error, "理论平均数误用两组人数之积的一半"),
        Mistake(abs(t - small * (small + 1) / 2) / error, "理论平均数只用了较少一组的人数"),
    ]
    rng.shuffle(mistakes)
    ruling = Ruling(1.96, "两组差异达到显著水平", "两组差异未达显著水平")
    choice = decision_choice(rng, lambda z: f"$|Z|={number(z, 2)}$", ruling, key, mistakes, rank)
    stem = (
        f"研究者比较{one}（{small}人）与{other}（{large}人）{story}。"
        f"合并由小到大排列等级（没有相同等级）后，{one}的等级之和为{t}。"
        "用秩和检验的正态近似（不作连续性校正），$Z_{0.05/2}=1.96$，双侧检验的结果是（　　）。"
    )
    steps = (
        f"$\\mu_T={small}\\times({small + large}+1)/2={middle:g}$，"
        f"$\\sigma_T=\\sqrt{{{small}\\times{large}\\times"
        f"{small + large + 1}/12}}={number(error, 2)}$，"
        f"$|Z|=|{t}-{middle:g}|/{number(error, 2)}={number(key, 2)}$，"
        f"{'大于' if is_large else '小于'}1.96，{ruling.above if is_large else ruling.below}。"
    )
    return Problem("decide", stem, choice, steps, "analyse")


@patient
def corrected_score(rng: random.Random, rank: int) -> Problem:
    """Rank sum of the smaller sample after one of its scores is corrected upwards."""
    what, one, other = rng.choice(
        [
            ("投篮命中数", "想象训练组", "常规组"),
            ("错别字数", "三年级", "四年级"),
            ("主动发言次数", "小组教学班", "讲授班"),
        ]
    )
    small, large = rng.choice([(4, 6), (5, 6), (5, 7), (6, 7)])
    pool = rng.sample(range(5, 40), small + large)
    first, second = sorted(pool[:small]), sorted(pool[small:])
    index, new = rng.randrange(small), rng.randint(5, 40)
    old = first[index]
    if new in pool or new < old + 5:
        raise Redraw
    moved = [new if v == old else v for v in first]
    before, key = _rank_sum(first, pool), _rank_sum(moved, moved + second)
    passed_second, passed_all = (sum(old < v < new for v in group) for group in (second, pool))
    if passed_second < 2:
        raise Redraw
    total = (small + large) * (small + large + 1) / 2
    mistakes = [
        Mistake(before, "误以为一个分数的改变不影响秩和"),
        Mistake(before + passed_all, "只提高了更正者的等级，没有相应降低本组被它超过者的等级"),
        Mistake(before - passed_second, "误把等级的变化方向弄反"),
        Mistake(total - key, "误求成另一组的秩和"),
        Mistake(before + new - old, "误把分数的增量加到秩和上"),
        Mistake(total - before, "误求成更正前另一组的秩和"),
        Mistake(before + 1, "误以为等级只提高一位"),
        Mistake(key - small * (small + 1) / 2, "误又减去n(n+1)/2，求成了U值"),
        Mistake(small * (small + large + 1) / 2, "误求成秩和的理论平均数"),
    ]
    stem = (
        f"用秩和检验比较两组被试的{what}，{one}（{small}人）为{listed(first)}；"
        f"{other}（{large}人）为{listed(second)}。后来发现{one}中的"
        f"{old}应更正为{new}。合并由小到大排列等级，更正后的统计量T"
        "（人数较少一组的等级之和）为（　　）。"
    )
    steps = (
        f"更正后{one}为{listed(sorted(moved))}，在全部{small + large}个数据中的等级依次为"
        f"{'，'.join(f'{_rank_of(v, moved + second):g}' for v in sorted(moved))}，"
        f"T由{before:g}变为{number(key, 0)}。"
    )
    return Problem("compare", stem, numeric_choice(key, mistakes, rank, decimals=0), steps, "analyse")


FAMILIES: dict[str, list[Family]] = {
    "rank-sum-test": [rank_sum_from_scores, z_from_other_sum, rank_sum_decision, corrected_score],
}
