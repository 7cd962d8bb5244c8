"""Calculation questions on the quartile deviation and the mean deviation.

Conventions of Chinese psychology statistics textbooks: $Q=(Q_3-Q_1)/2$ with quartiles interpolated from exact
limits, and the mean deviation is taken about the arithmetic mean, $AD=\\sum|X-\\bar X|/n$.
"""

import random
import statistics

from psygen.engines.offline.figures import enumerated, plain
from psygen.engines.offline.frequency_table import draw_grouped
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


def quartile_deviation(rng: random.Random, rank: int) -> Problem:
    """Find the quartile deviation of a grouped table: $Q = (Q_3 - Q_1)/2$."""
    table = draw_grouped(rng, (20, 30, 40), (5, 6, 10), rng.choice((40, 60, 80, 100)))
    n, i = table.total, table.width
    low, high = table.at(n / 4), table.at(3 * n / 4)
    k1, k3 = table.group_at(n / 4), table.group_at(3 * n / 4)
    if k1 == k3:
        raise Redraw
    rounded = (float(number(high, 2)) - float(number(low, 2))) / 2
    key = settled((high - low) / 2, 1, rounded)
    median = table.at(n / 2)
    mistakes = [
        Mistake(high - low, "求成四分位距，漏除以2"),
        Mistake((table.middle(k3) - table.middle(k1)) / 2, "以组中值代替两个四分位数"),
        Mistake((table.at(0.9 * n) - table.at(0.1 * n)) / 2, "误用第90与第10百分位数"),
        Mistake(high - median, "只求了$Q_3$与中数之差"),
        Mistake(median - low, "只求了中数与$Q_1$之差"),
        Mistake((median - low) / 2, "误用中数与$Q_1$之差的一半"),
        Mistake((high - low) / 4, "误把四分位距除以4"),
        Mistake((high - low + i) / 2, "$Q_3$误从本组精确上限起插值"),
        Mistake((high - low - i) / 2, "$Q_3$误从前一组的下限起插值"),
        Mistake((table.bound(len(table.counts)) - table.bound(0)) / 4, "误用全距的四分之一"),
    ]
    test = rng.choice(("情绪智力量表", "心理弹性量表", "场依存性测验"))
    stem = (
        f"{n}名教师{test}的得分（整数）分布为：{table.rows()}。"
        "用精确下限插值求四分位数，则四分位差$Q$（保留一位小数）为（　　）。"
    )
    steps = (
        f"$Q_1$在“{table.name(k1)}”组，$Q_1={plain(table.bound(k1))}"
        f"+\\frac{{{plain(n / 4)}-{table.below(k1)}}}{{{table.counts[k1]}}}\\times {i}={number(low, 2)}$；"
        f"$Q_3$在“{table.name(k3)}”组，$Q_3={plain(table.bound(k3))}"
        f"+\\frac{{{plain(0.75 * n)}-{table.below(k3)}}}{{{table.counts[k3]}}}\\times {i}"
        f"={number(high, 2)}$；"
        f"$Q=(Q_3-Q_1)/2$，即{number(key, 1)}"
    )
    return Problem("find", stem, numeric_choice(key, mistakes, rank, decimals=1), steps)


def sigma_from_quartile_deviation(rng: random.Random, rank: int) -> Problem:
    """Find a percentile of a normal distribution from Q: $\\sigma = Q/0.67$, $X = \\mu + z\\sigma$."""
    q = rng.choice((6.7, 5.36, 8.04, 10.05, 13.4, 3.35, 4.02))
    mean = rng.choice((50, 60, 75, 80, 100))
    name, z = rng.choice((("P_{84}", 1.0), ("P_{90}", 1.28), ("P_{95}", 1.645)))
    sigma = q / 0.67
    key = settled(mean + z * sigma, 1)
    mistakes = [
        Mistake(mean + z * q, "把四分位差当作标准差"),
        Mistake(mean + z * q * 0.67, "由四分位差求标准差时误乘0.67"),
        Mistake(mean + z * 2 * sigma, "求标准差时先把四分位差乘了2"),
        Mistake(mean + z * sigma / 2, "求标准差时又把四分位差除以2"),
        Mistake(mean - z * sigma, "把百分位数求到了平均数的另一侧"),
        Mistake(mean + sigma * 1.96, "误用双侧0.05对应的1.96"),
        Mistake(mean + z * sigma + q, "在结果上又加了一个四分位差"),
        Mistake(mean + 2.58 * sigma, "误用双侧0.01对应的2.58"),
    ]
    test = rng.choice(("职业成熟度量表", "科学推理测验", "语言发展量表"))
    stem = (
        f"{test}的分数服从正态分布，平均数为{mean}，四分位差$Q$为{plain(q)}。已知正态分布中$Q=0.67\\sigma$，"
        f"且${name}$对应的标准分数为{plain(z)}，则该测验的${name}$（保留一位小数）为（　　）。"
    )
    steps = (
        f"$\\sigma=Q/0.67={plain(sigma)}$；${name}=\\mu+z\\sigma$={mean}+{plain(z)}×{plain(sigma)}，即{number(key, 1)}"
    )
    return Problem("missing", stem, numeric_choice(key, mistakes, rank, decimals=1), steps, "analyse")


def skew_from_quartiles(rng: random.Random, rank: int) -> Problem:
    """Decide Q and the direction of skewness from the three quartiles."""
    low = rng.randint(30, 60)
    near, far = rng.sample(range(4, 18, 2), 2)
    if abs(near - far) < 4:
        raise Redraw
    median, high = low + near, low + near + far
    q, is_positive = (near + far) / 2, far > near

    def verdict(value: float, positive: bool) -> str:
        return f"$Q={number(value, 1)}$，分布呈{'正' if positive else '负'}偏态"

    distractors = [
        (verdict(q, not is_positive), "由中数到两个四分位数的距离判断偏态时方向弄反"),
        (verdict(near + far, is_positive), "求成四分位距，漏除以2"),
        (verdict(near + far, not is_positive), "漏除以2，偏态方向也弄反"),
    ]
    what = rng.choice(("每日屏幕时间量表", "婚姻满意度量表", "学习投入量表"))
    stem = (
        f"某样本{what}得分的三个四分位数为$Q_1={low}$，$Q_2={median}$，$Q_3={high}$，分布为单峰。"
        "求四分位差$Q$，并由各四分位数到中数的距离判断偏态方向，正确的是（　　）。"
    )
    relation = "大于" if is_positive else "小于"
    steps = (
        f"$Q=(Q_3-Q_1)/2=({high}-{low})/2={number(q, 1)}$；$Q_3-Q_2={far}${relation}$Q_2-Q_1={near}$，"
        f"故{verdict(q, is_positive)}"
    )
    return Problem("decide", stem, text_choice(verdict(q, is_positive), distractors, rank), steps, "analyse")


def quartile_deviation_rescaled(rng: random.Random, rank: int) -> Problem:
    """Compare Q before and after a linear change of the scores: the new Q is |b| Q."""
    low = rng.randint(20, 50)
    high = low + 2 * rng.randint(5, 14)
    factor, shift = rng.choice((0.5, 1.5, 2, 2.5, 3)), rng.choice((4, 5, 8, 10))
    q = (high - low) / 2
    key = abs(factor * q - q)
    mistakes = [
        Mistake(abs(factor * q + shift - q), "以为加上的常数也使四分位差增大"),
        Mistake(float(shift), "以为只有加上的常数影响四分位差"),
        Mistake(2 * key, "求成四分位距的变化，漏除以2"),
        Mistake(factor * q, "求成换算后的四分位差，没有与原来的相减"),
        Mistake(abs(factor**2 * q - q), "以为四分位差变为乘数的平方倍"),
        Mistake(key / 2, "四分位差多除了一次2"),
        Mistake(q, "把原来的四分位差当作变化量"),
        Mistake(abs(factor * q - q) + 2 * shift, "两个四分位数的常数相加而未抵消"),
    ]
    test = rng.choice(("英语词汇测验", "音乐能力测验", "机械推理测验"))
    change = "缩小" if factor < 1 else "增大"
    stem = (
        f"{test}原始分数的第25、第75百分位数分别为{low}和{high}。"
        f"若按$Y={plain(factor)}X+{shift}$换算全部分数，"
        f"则换算后的四分位差比换算前{change}了（保留一位小数）（　　）。"
    )
    steps = (
        f"换算前$Q=({high}-{low})/2={plain(q)}$；加常数不改变$Q$，"
        f"乘以{plain(factor)}后$Q={plain(factor * q)}$；"
        f"相差{number(key, 1)}"
    )
    return Problem("compare", stem, numeric_choice(key, mistakes, rank, decimals=1), steps, "analyse")


# ---- mean deviation ----


def draw_scores(rng: random.Random, n: int, start: int, spread: int) -> list[int]:
    """`n` different whole numbers whose mean is a whole number."""
    for _ in range(200):
        values = rng.sample(range(start, start + spread), n)
        if sum(values) % n == 0:
            return values
    raise Redraw


def mean_deviation(rng: random.Random, rank: int) -> Problem:
    """Find the mean deviation about the mean: $AD = \\sum |X - \\bar X| / n$."""
    n = rng.choice((6, 8, 10))
    values = draw_scores(rng, n, rng.randint(10, 60), 22)
    mean = sum(values) // n
    off = sum(abs(v - mean) for v in values)
    squares = sum((v - mean) ** 2 for v in values)
    key = settled(off / n, 2)
    mistakes = [
        Mistake(off / (n - 1), "误以n-1作分母"),
        Mistake((squares / n) ** 0.5, "求成标准差"),
        Mistake(off / (2 * n), "只加了正离差而漏加负离差的绝对值"),
        Mistake((max(values) - min(values)) / 2, "误用全距的一半"),
        Mistake(squares / n, "求成方差"),
        Mistake((max(values) - min(values)) / n, "误用全距除以n"),
        Mistake((off - max(abs(v - mean) for v in values)) / n, "漏加了最大的一个离差"),
    ]
    task = rng.choice(("镜画仪描图的错误次数", "数字广度训练的正确组数", "字母划消的遗漏个数"))
    stem = (
        f"{n}名被试{task}为：{enumerated(values)}。以算术平均数为中心，这组数据的平均差$AD$（保留两位小数）为（　　）。"
    )
    steps = (
        f"$\\bar X={mean}$，$\\sum|X-\\bar X|={off}$；"
        f"$AD=\\frac{{\\sum|X-\\bar X|}}{{n}}={off}\\div {n}$，即{number(key, 2)}"
    )
    return Problem("find", stem, numeric_choice(key, mistakes, rank), steps)


def mean_deviation_from_deviations(rng: random.Random, rank: int) -> Problem:
    """Find AD when one deviation is unknown; the deviations sum to zero."""
    n = rng.choice((6, 7, 8))
    known = [rng.choice((-1, 1)) * rng.randint(1, 9) for _ in range(n - 1)]
    lost = -sum(known)
    if not 2 <= abs(lost) <= 12 or len(set(known)) < n - 2:
        raise Redraw
    total = sum(abs(d) for d in known)
    key = settled((total + abs(lost)) / n, 2)
    mistakes = [
        Mistake(total / (n - 1), "略去未知的离差，只平均其余各个"),
        Mistake(total / n, "把未知的离差当作0"),
        Mistake((total - abs(lost)) / n, "未知离差没有取绝对值就相加"),
        Mistake((total + abs(lost)) / (n - 1), "误以n-1作分母"),
        Mistake(((sum(d * d for d in known) + lost * lost) / n) ** 0.5, "求成标准差"),
        Mistake((total + 2 * abs(lost)) / n, "未知离差重复加了一次"),
        Mistake((total + abs(lost)) / (2 * n), "只加了同号的离差"),
    ]
    shown = [str(d) for d in known]
    place = rng.randrange(n)
    shown.insert(place, "（　）")
    what = rng.choice(("时间估计误差（秒）", "负性情绪评分", "距离判断误差（厘米）"))
    stem = (
        f"求{n}名被试{what}的离中趋势时，各数据与算术平均数的离差依次记为：{'、'.join(shown)}，"
        "其中一个离差（以空括号表示）漏记。以算术平均数为中心的平均差（保留两位小数）为（　　）。"
    )
    steps = (
        f"离差之和为0，漏记的离差为{lost}；各离差绝对值之和为{total}+{abs(lost)}={total + abs(lost)}；"
        f"$AD={total + abs(lost)}\\div {n}$，即{number(key, 2)}"
    )
    return Problem("missing", stem, numeric_choice(key, mistakes, rank), steps, "analyse")


def steadier_group(rng: random.Random, rank: int) -> Problem:
    """Decide by the mean deviation which of two persons' scores are steadier."""
    mean, n = rng.choice((20, 30, 40, 50)), 6
    first, second = ([mean + d for d in draw_offsets(rng, n)] for _ in range(2))
    one, two = (sum(abs(v - mean) for v in values) / n for values in (first, second))
    if abs(one - two) < 0.6 or abs(statistics.pstdev(first) - statistics.pstdev(second)) < 0.6:
        raise Redraw
    if (one < two) != (statistics.pstdev(first) < statistics.pstdev(second)):
        raise Redraw
    steadier, ad = ("甲", one) if one < two else ("乙", two)
    other, most = ("乙", two) if one < two else ("甲", one)
    n_less = n / (n - 1)

    def verdict(who: str, value: float) -> str:
        return f"{who}较稳定，其平均差为{number(value, 2)}"

    distractors = [
        (verdict(other, most), "以为平均差越大越稳定"),
        (verdict(steadier, ad * n_less), "求平均差时误以n-1作分母"),
        (verdict(other, most * n_less), "误以n-1作分母，判断也弄反"),
    ]
    skill = rng.choice(("射击训练", "视觉追踪训练", "打字训练"))
    stem = (
        f"甲、乙二人在六次{skill}中的成绩依次为：甲{enumerated(first)}；乙{enumerated(second)}。"
        "以算术平均数为中心求平均差$AD=\\frac{\\sum|X-\\bar X|}{n}$，据此判断谁的成绩较稳定，正确的是"
        "（　　）。"
    )
    steps = (
        f"两人平均数都是{mean}；甲$AD={plain(one * n)}\\div {n}={number(one, 2)}$，"
        f"乙$AD={plain(two * n)}\\div {n}={number(two, 2)}$，平均差小者较稳定；{verdict(steadier, ad)}"
    )
    return Problem("decide", stem, text_choice(verdict(steadier, ad), distractors, rank), steps, "analyse")


def draw_offsets(rng: random.Random, n: int) -> list[int]:
    """`n` whole numbers from -9 to 9 that sum to zero."""
    for _ in range(500):
        widest = rng.choice((4, 6, 9))
        offsets = [rng.randint(-widest, widest) for _ in range(n - 1)]
        if 0 < abs(sum(offsets)) <= widest and len(set(offsets)) > n - 3:
            return [*offsets, -sum(offsets)]
    raise Redraw


def mean_deviation_with_newcomers(rng: random.Random, rank: int) -> Problem:
    """Compare AD before and after people with exactly the mean join: $AD' = n AD / (n + k)$."""
    n, k = rng.choice(((16, 4), (24, 6), (18, 2), (20, 5), (30, 10), (36, 4), (40, 10)))
    ad, mean = rng.choice((4.5, 6, 7.5, 9, 10.8, 12)), rng.choice((55, 60, 72, 80))
    key = settled(ad - n * ad / (n + k), 2)
    mistakes = [
        Mistake(ad * k / n, "以原来的人数作分母"),
        Mistake(n * ad / (n + k), "求成新的平均差，没有与原来的相减"),
        Mistake(ad * k / (n + k - 1), "误以总人数减1作分母"),
        Mistake(ad - ad * (n / (n + k)) ** 0.5, "按标准差的变化规律求成开方"),
        Mistake(ad / k, "用平均差除以新加入的人数"),
        Mistake(ad / (n + k), "漏乘新加入的人数"),
        Mistake(ad / 2, "把新旧两部分的平均差不加权地平均"),
        Mistake(ad * 2 * k / (n + k), "新加入者重复计算了一次"),
    ]
    test = rng.choice(("道德判断测验", "内隐联想测验", "数量关系测验"))
    stem = (
        f"{n}名被试{test}的平均分为{mean}，以算术平均数为中心的平均差为{plain(ad)}。后来又补测了{k}人，"
        f"他们的得分恰好都是{mean}分。全体{n + k}人的平均差比原来减小了（保留两位小数）（　　）。"
    )
    steps = (
        f"平均数仍为{mean}，离差绝对值之和仍为{n}×{plain(ad)}={plain(n * ad)}；"
        f"新平均差为{plain(n * ad)}÷{n + k}={number(n * ad / (n + k), 3)}；减小{number(key, 2)}"
    )
    return Problem("compare", stem, numeric_choice(key, mistakes, rank), steps, "analyse")


FAMILIES: dict[str, list[Family]] = {
    "quartile-deviation": [
        quartile_deviation,
        sigma_from_quartile_deviation,
        skew_from_quartiles,
        quartile_deviation_rescaled,
    ],
    "mean-deviation": [
        mean_deviation,
        mean_deviation_from_deviations,
        steadier_group,
        mean_deviation_with_newcomers,
    ],
}
