"""Sign test, as Chinese psychology statistics textbooks work it.

Conventions: zero differences are dropped; r counts the rarer sign; the normal form is used above 25 pairs.
"""

import math
import random

from psygen.engines.offline.figures import listed
from psygen.engines.offline.guards import hand, patient, settled
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


def _tail(n: int, r: int) -> float:
    """P(X <= r) for n fair signs."""
    return sum(math.comb(n, i) for i in range(r + 1)) / 2.0**n


@patient
def exact_probability(rng: random.Random, rank: int) -> Problem:
    """Two-sided probability of a sign test from raw pairs: 2 * P(X <= r)."""
    what, before, after = rng.choice(
        [
            ("接受沟通训练的夫妻的冲突次数", "训练前", "训练后"),
            ("学生在两种字体下的错读数", "宋体", "楷体"),
            ("工人在两种灯光下的次品数", "白光", "黄光"),
        ]
    )
    zeros, n, r = rng.choice([0, 1, 2]), rng.choice([7, 8, 9, 10]), rng.choice([0, 1, 2])
    if r > (n - 3) / 2:
        raise Redraw
    gaps = [0] * zeros + [rng.randint(-6, -1) for _ in range(r)] + [rng.randint(1, 8) for _ in range(n - r)]
    rng.shuffle(gaps)
    lower = [rng.randint(6, 15) for _ in gaps]
    upper = [v + g for v, g in zip(lower, gaps, strict=True)]
    if min(upper) < 1:
        raise Redraw
    key, all_pairs = settled(2 * _tail(n, r), 4), n + zeros
    mistakes = [
        Mistake(_tail(n, r), "只算了一侧的概率"),
        Mistake(2 * math.comb(n, r) / 2**n, "只算了恰好出现这一次数的概率，没有累加"),
        Mistake(math.comb(n, r) / 2**n, "只算了一侧恰好出现这一次数的概率"),
        Mistake(2 * _tail(all_pairs, r), "没有剔除差数为0的对子"),
        Mistake(2 * _tail(n, r + 1), "多累加了一项"),
        Mistake(2 * _tail(n - 1, r), "误把n减1"),
        Mistake(_tail(n - 1, r), "误把n减1，又只算了一侧"),
        Mistake(1 - 2 * _tail(n, r), "误求成相反事件的概率"),
        Mistake(4 * _tail(n, r), "误把双侧概率又加倍"),
        Mistake(2 * _tail(n, r - 1) if r else 2 * _tail(n + 1, 0), "少累加了一项" if r else "误把n加1"),
    ]
    pairs = "；".join(f"（{a}，{b}）" for a, b in zip(upper, lower, strict=True))
    stem = (
        f"{all_pairs}对数据为{what}（{before}，{after}）：{pairs}。用符号检验考察两种情况有无差异，"
        "差数为0的对子剔除，"
        "按二项分布（正负号概率相等）计算，双侧检验的概率值（保留四位小数）为（　　）。"
    )
    steps = (
        f"差数为正的{n - r}个，为负的{r}个，为0的{zeros}个，有效对数{n}。"
        f"$P=2\\sum_{{i=0}}^{{{r}}}C_{{{n}}}^i/2^{{{n}}}="
        f"{number(key, 4)}$。"
    )
    return Problem("find", stem, numeric_choice(key, mistakes, rank, decimals=4), steps)


@patient
def most_minority_signs(rng: random.Random, rank: int) -> Problem:
    """Largest number of the rarer sign still significant: r + 0.5 <= n/2 - 1.96 * sqrt(n)/2."""
    what = rng.choice(
        [
            "双胞胎中先出生者与后出生者的外向性",
            "同一批影片上映前后的评分",
            "配对学生在两种座位上的听课时间",
        ]
    )
    zeros, n = rng.randint(2, 8), rng.randint(30, 120)
    edge = n / 2 - 0.98 * n**0.5 - 0.5
    if not 0.06 < edge % 1 < 0.94:
        raise Redraw
    key = float(math.floor(edge))

    def largest(count: int, z: float, shift: float = 0.5) -> float:
        return float(math.floor(count / 2 - z / 2 * count**0.5 - shift))

    mistakes = [
        Mistake(largest(n, 1.645), "误用单侧检验的临界值"),
        Mistake(largest(n + zeros, 1.96), "没有剔除差数为0的对子"),
        Mistake(largest(n, 3.92), "标准差误用n的平方根，漏除以2"),
        Mistake(largest(n, 2.58), "误用0.01水平的临界值"),
        Mistake(largest(n, 1.96, -0.5), "连续性校正的方向弄反"),
        Mistake(float(n) - key, "误求成较多一种符号的最少个数"),
        Mistake(float(n // 2), "误取了总数的一半"),
        Mistake(largest(n - 1, 0.98), "误把标准差再除以2"),
        Mistake(largest(n - zeros, 1.96), "把差数为0的对子剔除了两次"),
    ]
    mistakes = [m for m in mistakes if m.value >= 0]
    stem = (
        f"对{n + zeros}对数据（{what}）作符号检验，其中{zeros}对差数为0，予以剔除。"
        "按正态近似并作连续性校正，"
        "$Z=\\frac{(r+0.5)-n/2}{\\sqrt n/2}$，r为较少一种符号的个数。双侧检验，$Z_{0.05/2}=1.96$，"
        "要使差异在0.05水平上显著，r最多为（　　）。"
    )
    steps = (
        f"有效对数n={n}。要求$(r+0.5)-{n / 2:g}\\le-1.96\\times\\sqrt{{{n}}}/2$，"
        f"即$r\\le{number(edge, 2)}$，"
        f"r最多为{number(key, 0)}。"
    )
    return Problem("missing", stem, numeric_choice(key, mistakes, rank, decimals=0), steps, "analyse")


@patient
def sign_decision(rng: random.Random, rank: int) -> Problem:
    """Sign test by the table: r of the rarer sign and n without zeros, significant when r <= critical."""
    what = rng.choice(
        [
            "16名儿童参加社交小组前后的退缩行为评分",
            "16名运动员赛前与赛后的焦虑评分",
            "16名患者治疗前后的失眠评分",
        ]
    )
    zeros = rng.choice([1, 2, 3, 4])
    n, minority = 16 - zeros, rng.randint(1, 5)
    critical = {16: 3, 15: 3, 14: 2, 13: 2, 12: 2, 11: 1}
    plus = n - minority
    gaps = [0] * zeros + [rng.randint(1, 7) for _ in range(plus)]
    gaps += [-rng.randint(1, 5) for _ in range(minority)]
    rng.shuffle(gaps)
    is_small = minority <= critical[n]

    def text(count: int, r: int) -> str:
        significant = r <= critical[count]
        return f"有效对数为{count}，r为{r}，差异{'达到' if significant else '未达'}显著水平"

    distractors = [
        (text(16, minority), "没有剔除差数为0的对子"),
        (text(16, minority + zeros), "没有剔除差数为0的对子，并把它们归入了较少的一种符号"),
        (text(n - 1, minority), "误以有效对数减1查表"),
    ]
    shared = sum(text.endswith("达到显著水平") == is_small for text, _ in distractors)
    if shared not in (1, 2) or minority + zeros > 8:
        raise Redraw
    rng.shuffle(distractors)
    table = "，".join(f"n={count}时为{critical[count]}" for count in (n - 1, n, 16))
    stem = (
        f"{what}之差依次为{listed(gaps)}。用符号检验（双侧，$\\alpha=0.05$），r为较少一种符号的个数，"
        "r小于或等于临界值时差异显著；"
        f"已知r的临界值：{table}。检验结果是（　　）。"
    )
    choice = even_out(rng, text_choice(text(n, minority), distractors, rank), "达到", 0.5)
    steps = (
        f"差数为0的{zeros}对剔除，n={n}；正号{plus}个，负号{minority}个，r={minority}。"
        f"临界值为{critical[n]}，"
        f"{text(n, minority)}。"
    )
    return Problem("decide", stem, choice, steps, "analyse")


@patient
def probability_after_correction(rng: random.Random, rank: int) -> Problem:
    """Change of the two-sided probability when one recorded sign is corrected: 2P(X<=r) - 2P(X<=r-1)."""
    what = rng.choice(["对两种包装的偏好", "对两位候选人演讲的优劣判断", "在左右两种呈现位置上的反应快慢"])
    n, r = rng.choice([8, 9, 10, 11, 12]), rng.choice([1, 2, 3])
    if r > n / 2 - 1.5:
        raise Redraw
    first, second = 2 * _tail(n, r), 2 * _tail(n, r - 1)
    key = settled(first - second, 4, hand(first, 4) - hand(second, 4))
    mistakes = [
        Mistake(_tail(n, r) - _tail(n, r - 1), "只算了一侧的概率"),
        Mistake(first, "误求成更正前的概率"),
        Mistake(second, "误求成更正后的概率"),
        Mistake(first - 2 * _tail(n - 1, r - 1), "误把更正的对子剔除"),
        Mistake(2 * _tail(n, r + 1) - first, "误以为较少一种符号增加了一个"),
        Mistake(2 * math.comb(n, r) / 2**n - 2 * math.comb(n, r - 1) / 2**n, "没有累加更小的次数"),
        Mistake(2 * _tail(n - 1, r) - first, "误以为有效对数减少一个而r不变"),
        Mistake(first + second, "误把两个概率相加"),
        Mistake(_tail(n, r), "误求成更正前一侧的概率"),
    ]
    mistakes = [m for m in mistakes if m.value > 0]
    stem = (
        f"{n}名被试比较{what}，没有人认为相等，其中{n - r}人为正号，{r}人为负号，"
        "用符号检验按二项分布计算双侧概率。核对记录时发现有1人的负号应为正号，"
        "更正后双侧概率比更正前减小（保留四位小数）多少？"
    )
    steps = (
        f"更正前$P=2\\sum_{{i=0}}^{{{r}}}C_{{{n}}}^i/2^{{{n}}}={number(first, 4)}$，"
        f"更正后负号为{r - 1}个，"
        f"$P=2\\sum_{{i=0}}^{{{r - 1}}}C_{{{n}}}^i/2^{{{n}}}={number(second, 4)}$，"
        f"减小{number(key, 4)}。"
    )
    return Problem("compare", stem, numeric_choice(key, mistakes, rank, decimals=4), steps, "analyse")


FAMILIES: dict[str, list[Family]] = {
    "sign-test": [exact_probability, most_minority_signs, sign_decision, probability_after_correction],
}
