"""One-way analysis of variance, worked as in Chinese psychology statistics textbooks.

Conventions: total = between + within sums of squares; F tests are one-sided at the printed level.
"""

import random

from psygen.engines.offline.figures import listed
from psygen.engines.offline.guards import Ruling, decision_choice, exceeds, hand, patient, settled
from psygen.engines.offline.problem import Family, Mistake, Problem, Redraw, number, numeric_choice
from psygen.engines.offline.tables import f_critical


def _scores(rng: random.Random, size: int, mean: int) -> list[int]:
    """`size` positive scores with exactly this mean, at most 3 away from it."""
    gaps = [rng.randint(-3, 3) for _ in range(size - 1)]
    gaps.append(-sum(gaps))
    if abs(gaps[-1]) > 3 or mean <= 3 or not any(gaps):
        raise Redraw
    return [mean + gap for gap in gaps]


def _three_means(rng: random.Random, low: int, high: int, reach: int) -> list[int]:
    """Three different whole means whose average is whole as well."""
    means = [rng.randint(low, high) for _ in range(3)]
    if sum(means) % 3 or len(set(means)) < 3 or max(means) - min(means) > reach:
        raise Redraw
    return means


@patient
def f_from_scores(rng: random.Random, rank: int) -> Problem:
    """F from the raw scores of three equal groups: F = MS_b / MS_w."""
    story, names = rng.choice(
        [
            ("三种记忆策略对词语回忆量（个）的影响", ("复述组", "组块组", "联想组")),
            ("三种背景噪声对校对任务错误数（个）的影响", ("安静组", "音乐组", "噪声组")),
            ("三种教学方式对单元测验成绩（分）的影响", ("讲授组", "讨论组", "自学组")),
        ]
    )
    size = rng.choice([4, 5, 6])
    means = _three_means(rng, 5, 14, 6)
    groups = [_scores(rng, size, mean) for mean in means]
    grand = sum(means) / 3
    between = size * sum((mean - grand) ** 2 for mean in means)
    within = float(sum((x - mean) ** 2 for group, mean in zip(groups, means, strict=True) for x in group))
    total, df, count = between + within, 3 * (size - 1), 3 * size
    key = settled(between / 2 * df / within, 2, hand(between / 2) / hand(within / df))
    mistakes = [
        Mistake(between / 2 / (within / (count - 1)), "组内自由度误用N-1"),
        Mistake(total / 2 / (within / df), "误把总平方和当作组间平方和"),
        Mistake(between / within, "没有除以自由度，直接用平方和相除"),
        Mistake(between / 3 / (within / df), "组间自由度误用k"),
        Mistake(between / 2 / (total / (count - 1)), "误用总均方作分母"),
        Mistake(key / size, "计算组间平方和时漏乘每组人数"),
        Mistake(between / (within / df), "组间平方和没有除以自由度"),
        Mistake(between / 2 / (within / count), "组内自由度误用N"),
    ]
    rows = "；".join(f"{name}：{listed(group)}" for name, group in zip(names, groups, strict=True))
    stem = (
        f"研究者采用完全随机设计考察{story}，每组{size}人，结果如下。{rows}。"
        "对三组数据作单因素方差分析，所得F值（保留两位小数）为（　　）。"
    )
    steps = (
        f"各组平均数为{listed(means)}，总平均数为{grand:g}。$SS_b={size}\\times\\sum(\\bar X_j-\\bar X_"
        "t)^2="
        f"{between:g}$，$SS_w=\\sum\\sum(X-\\bar X_j)^2={within:g}$。"
        f"$MS_b={between:g}/2={between / 2:g}$，"
        f"$MS_w={within:g}/{df}={number(within / df, 2)}$，$F=MS_b/MS_w={number(key, 2)}$。"
    )
    return Problem("find", stem, numeric_choice(key, mistakes, rank), steps)


@patient
def f_unequal_groups(rng: random.Random, rank: int) -> Problem:
    """F from sizes, means and S_{n-1} of three unequal groups: weighted grand mean, SS_w = sum (n-1)S^2."""
    story = rng.choice(
        [
            "三种压力水平下被试的创造力测验得分",
            "高、中、低三种自我效能感学生的解题得分",
            "三所学校学生的阅读理解得分",
        ]
    )
    sizes = rng.choice([[4, 6, 10], [5, 5, 10], [6, 6, 8], [5, 7, 8], [3, 7, 10]])
    rng.shuffle(sizes)
    means = [rng.randint(12, 24) for _ in range(3)]
    sds = [rng.choice([3, 4, 5, 6]) for _ in range(3)]
    if max(means) - min(means) < 4:
        raise Redraw
    count, plain = sum(sizes), sum(means) / 3
    grand = sum(n * m for n, m in zip(sizes, means, strict=True)) / count
    squares = [n * (m - grand) ** 2 for n, m in zip(sizes, means, strict=True)]
    between = sum(squares)
    within = float(sum((n - 1) * s * s for n, s in zip(sizes, sds, strict=True)))
    df = count - 3
    key = settled(
        between / 2 * df / within,
        2,
        hand(between / 2) / hand(within / df),
        hand(sum(hand(q) for q in squares) / 2) / hand(within / df),
    )
    loose = sum(n * (m - plain) ** 2 for n, m in zip(sizes, means, strict=True))
    summed = float(sum(n * s * s for n, s in zip(sizes, sds, strict=True)))
    bare = sum((m - plain) ** 2 for m in means)
    mistakes = [
        Mistake(between / 2 / (summed / df), "组内平方和误用nS²而不是(n-1)S²"),
        Mistake(between / 2 / (within / (count - 1)), "组内自由度误用N-1"),
        Mistake(between / 3 / (within / df), "组间自由度误用k"),
        Mistake(between / (within / df), "组间平方和没有除以自由度"),
        Mistake(bare / 2 / (within / df), "计算组间平方和时没有用各组人数加权"),
        Mistake(loose / 2 / (within / df), "总平均数没有按人数加权"),
        Mistake(between / within, "没有除以自由度，直接用平方和相除"),
        Mistake((between + within) / 2 / (within / df), "误把总平方和当作组间平方和"),
    ]
    rows = "；".join(
        f"第{name}组$n={n}$，$\\bar X={m}$，$s_{{n-1}}={s}$"
        for name, n, m, s in zip("一二三", sizes, means, sds, strict=True)
    )
    stem = (
        f"某研究用完全随机设计比较{story}，三组人数不等：{rows}（标准差均以$n-1$为分母）。"
        "单因素方差分析的F值（保留两位小数）为（　　）。"
    )
    steps = (
        f"总平均数按人数加权，为{grand:g}。$SS_b=\\sum n_j(\\bar X_j-\\bar X_t)^2={between:g}$，"
        f"$SS_w=\\sum(n_j-1)s_j^2={within:g}$。$MS_b={between:g}/2$，$MS_w={within:g}/{df}="
        f"{number(within / df, 2)}$，$F={number(key, 2)}$。"
    )
    return Problem("find", stem, numeric_choice(key, mistakes, rank), steps)


@patient
def within_from_f(rng: random.Random, rank: int) -> Problem:
    """MS_w backwards from SS_t and F: MS_w = SS_t / (F*df_b + df_w)."""
    story = rng.choice(
        [
            "四种反馈方式对动作技能成绩的影响",
            "不同睡眠剥夺时间对警觉性得分的影响",
            "不同奖励方式对任务坚持时间的影响",
        ]
    )
    k, size = rng.choice([(3, 7), (3, 8), (4, 6), (4, 8), (4, 11), (5, 7)])
    if "四种" in story and k != 4:
        raise Redraw
    mean_square = rng.randint(8, 60) / 2
    f_value = rng.randint(22, 90) / 20
    between, within, count = k - 1, k * (size - 1), k * size
    total = mean_square * (f_value * between + within)
    if abs(total - hand(total)) > 1e-9:
        raise Redraw
    mistakes = [
        Mistake(total / (count - 1), "误求成总均方"),
        Mistake(total / (f_value * k + within), "组间自由度误用k"),
        Mistake(total / (f_value * between + count - 1), "组内自由度误用N-1"),
        Mistake(total / (1 + f_value) / within, "误把F当作两个平方和之比"),
        Mistake(total / (f_value + within), "误把组间均方当作组间平方和"),
        Mistake(total / within, "没有从总平方和中减去组间平方和"),
        Mistake(total * f_value / (f_value * between + within), "误求成组间均方"),
    ]
    stem = (
        f"为考察{story}，研究者采用完全随机设计，共有{k}个处理，每个处理{size}名被试。"
        "方差分析得到总平方和$SS_t="
        f"{total:g}$，检验处理效应的$F={f_value:.2f}$，则组内均方$MS_w$（保留两位小数）为（　　）。"
    )
    steps = (
        f"$df_b={k}-1={between}$，$df_w={k}\\times({size}-1)={within}$。"
        "由$SS_b=F\\cdot MS_w\\cdot df_b$，"
        f"$SS_t=MS_w(F\\cdot df_b+df_w)$，得$MS_w={total:g}/({f_value:.2f}\\times{between}+{within})="
        f"{number(mean_square, 2)}$。"
    )
    return Problem("missing", stem, numeric_choice(mean_square, mistakes, rank), steps, "analyse")


@patient
def one_way_decision(rng: random.Random, rank: int) -> Problem:
    """F from means and S_{n-1}^2 of three equal groups against F_.05: decide."""
    story, names = rng.choice(
        [
            ("三种咖啡因剂量下被试的警觉任务得分", ("低剂量组", "中剂量组", "高剂量组")),
            ("三种心理干预后来访者的焦虑量表得分", ("认知疗法组", "正念组", "放松训练组")),
            ("三种字号条件下被试的阅读速度（字/10秒）", ("小字号组", "中字号组", "大字号组")),
        ]
    )
    size = rng.choice([5, 6, 7, 8, 9, 10])
    means, variances = _three_means(rng, 30, 50, 9), [rng.randint(6, 40) for _ in range(3)]
    if sum(variances) % 3:
        raise Redraw
    within = sum(variances) / 3
    squares = sum((m - sum(means) / 3) ** 2 for m in means)
    df = 3 * (size - 1)
    critical = f_critical(2, df, 0.05)
    f_value = settled(size * squares / 2 / within, 2)
    is_large = exceeds(f_value, critical)
    verdict = "三组差异达到显著水平" if is_large else "三组差异未达显著水平"
    mistakes = [
        Mistake(size * squares / within, "组间平方和没有除以自由度"),
        Mistake(squares / 2 / within, "计算组间均方时漏乘每组人数"),
        Mistake(size * squares / 2 / (within * 3), "把三组方差之和当作组内均方"),
        Mistake(size * squares / 3 / within, "组间自由度误用k"),
        Mistake(size * squares / 2 / within**0.5, "把组内标准差当作组内均方"),
        Mistake(3 * size * squares / 2 / within, "组间平方和误用总人数加权"),
    ]
    rng.shuffle(mistakes)
    ruling = Ruling(critical, "三组差异达到显著水平", "三组差异未达显著水平")
    choice = decision_choice(rng, lambda f: f"$F={number(f, 2)}$", ruling, f_value, mistakes, rank)
    rows = "；".join(f"{name}$\\bar X={m}$，$s^2={v}$" for name, m, v in zip(names, means, variances, strict=True))
    stem = (
        f"研究者随机分派被试，比较{story}，每组{size}人。{rows}（方差均以$n-1$为分母）。"
        f"已知$F_{{0.05}}(2,{df})={critical:.2f}$，取$\\alpha=0.05$，"
        "单因素方差分析的结果与结论是（　　）。"
    )
    steps = (
        f"$MS_b={size}\\times{squares:g}/2={size * squares / 2:g}$，各组人数相等，"
        f"$MS_w$等于三组方差的平均，即{within:g}。"
        f"$F={number(f_value, 2)}$，{'大于' if is_large else '小于'}临界值{critical:.2f}，"
        f"所以{verdict}。"
    )
    return Problem("decide", stem, choice, steps, "analyse")


@patient
def raised_group(rng: random.Random, rank: int) -> Problem:
    """New F after one whole group gains a constant: SS_w stays, SS_b changes."""
    story = rng.choice(
        [
            "三种训练方案下运动员的专注力得分",
            "三种编排方式下被试的材料回忆得分",
            "三个年级学生的心理韧性得分",
        ]
    )
    size, means = rng.choice([5, 6, 8, 10]), _three_means(rng, 20, 40, 8)
    which, gain, within = rng.randrange(3), rng.choice([3, 6]), rng.randint(16, 60)
    moved = [m + gain * (i == which) for i, m in enumerate(means)]

    def f_of(values: list[int], error: float) -> float:
        grand = sum(values) / 3
        return size * sum((m - grand) ** 2 for m in values) / 2 / error

    before, key = f_of(means, within), settled(f_of(moved, within), 2)
    stale = sum(means) / 3
    around_old = size * sum((m - stale) ** 2 for m in moved) / 2 / within
    mistakes = [
        Mistake(before, "误以为加常数不影响F值"),
        Mistake(key / size, "计算组间平方和时漏乘每组人数"),
        Mistake(around_old, "总平均数没有随之改变"),
        Mistake(key * 2 / 3, "组间自由度误用k"),
        Mistake(key * 2, "组间平方和没有除以自由度"),
        Mistake(f_of(moved, within + gain), "误以为组内均方也随之增加"),
        Mistake(f_of([m - gain * (i == which) for i, m in enumerate(means)], within), "把提高误作降低"),
        Mistake(key * (3 * size - 1) / (3 * size - 3), "组内自由度误用N-1"),
    ]
    stem = (
        f"某研究用完全随机设计考察{story}，每组{size}人，三组平均数依次为{listed(means)}，"
        f"组内均方$MS_w={within}$。"
        f"事后发现第{'一二三'[which]}组的计分有误，该组每名被试都应再加{gain}分，其他数据不变。"
        "更正后的F值（保留两位小数）为（　　）。"
    )
    grand = sum(moved) / 3
    between = size * sum((m - grand) ** 2 for m in moved)
    steps = (
        f"同一组每个分数加同一常数，组内离差不变，$MS_w$仍为{within}。新的平均数为{listed(moved)}，"
        f"总平均数为{grand:g}，"
        f"$SS_b={between:g}$，$MS_b={between / 2:g}$，$F={between / 2:g}/{within}={number(key, 2)}$。"
    )
    return Problem("compare", stem, numeric_choice(key, mistakes, rank), steps, "analyse")


FAMILIES: dict[str, list[Family]] = {
    "one-way-anova": [f_from_scores, f_unequal_groups, within_from_f, one_way_decision, raised_group],
}
