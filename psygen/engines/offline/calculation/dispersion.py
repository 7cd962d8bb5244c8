"""Calculation questions on the variance and the standard deviation.

Conventions of Chinese psychology statistics textbooks: as a description of the data at hand the sum of
squares is divided by n; where a population is estimated the stem says n-1.
"""

import random

from psygen.engines.offline.figures import enumerated, plain
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


def variance_from_sums(rng: random.Random, rank: int) -> Problem:
    """Find the variance from the sums: $S^2 = \\sum X^2/n - (\\sum X/n)^2$."""
    n = rng.choice((10, 20, 25, 40, 50))
    mean = rng.randint(60, 140) / 10
    variance = rng.randint(30, 140) / 10
    total, squares = round(n * mean), round(n * (variance + mean**2))
    exact = squares / n - (total / n) ** 2
    key = settled(exact, 2)
    if key < 2:
        raise Redraw
    ss = n * exact
    mistakes = [
        Mistake(squares / (n - 1) - (total / n) ** 2, "只在平方和一项误以n-1作分母"),
        Mistake(ss / (n - 1), "误以n-1作分母"),
        Mistake(exact**0.5, "求成标准差"),
        Mistake(squares / n - (total / (n - 1)) ** 2, "只在平均数一项误以n-1作分母"),
        Mistake((exact / n) ** 0.5, "求成平均数的标准误"),
        Mistake(ss / (n - 2), "误以n-2作分母"),
        Mistake(exact / n, "多除以了一次n"),
        Mistake(squares / n - total / n, "平均数没有平方就相减"),
        Mistake(squares / n, "没有减去平均数的平方"),
    ]
    mistakes = [m for m in mistakes if m.value > 0]
    task = rng.choice(("迷津学习的错误次数", "一分钟内的联想词数", "顺背数字的总记分"))
    stem = (
        f"{n}名被试{task}$X$的整理结果为$\\sum X={total}$，$\\sum X^2={squares}$。"
        "只描述这组数据的离散程度（以n为分母），其方差（保留两位小数）为（　　）。"
    )
    steps = (
        f"$S^2=\\frac{{\\sum X^2}}{{n}}-(\\frac{{\\sum X}}{{n}})^2={squares}\\div {n}-({total}\\div {n})^2"
        f"={plain(squares / n)}-{plain((total / n) ** 2)}$={number(key, 2)}"
    )
    return Problem("find", stem, numeric_choice(key, mistakes, rank), steps)


def squares_from_variance(rng: random.Random, rank: int) -> Problem:
    """Find $\\sum X^2$ from the population estimate of the variance: $(n-1) S_{n-1}^2 + n \\bar X^2$."""
    n, mean = rng.choice((5, 6, 8, 9, 10)), rng.randint(5, 12)
    variance = rng.randint(9, 36)
    key = (n - 1) * variance + n * mean**2
    mistakes = [
        Mistake(n * variance + n * mean**2, "还原离差平方和时误乘n"),
        Mistake((n - 1) * variance + mean**2, "校正项漏乘n"),
        Mistake((n - 1) * (variance + mean**2), "两项都误乘n-1"),
        Mistake((n - 1) * variance, "求成离差平方和"),
        Mistake((n - 1) * variance + (n * mean) ** 2, "校正项漏除以n"),
        Mistake(n * mean**2, "只求了校正项"),
        Mistake((n + 1) * variance + n * mean**2, "还原离差平方和时误乘n+1"),
        Mistake(n * mean**2 - (n - 1) * variance, "移项时弄错了符号"),
        Mistake((n - 1) * variance**2 + n * mean**2, "把方差又平方了一次"),
    ]
    what = rng.choice(("视觉搜索的漏报个数", "问题解决的提示次数", "情绪词的正确再认个数"))
    stem = (
        f"{n}名被试{what}的平均数为{mean}，由这个样本估计的总体方差$S_{{n-1}}^2$为{variance}。"
        "原始资料遗失，若要恢复中间结果，则$\\sum X^2$为（　　）。"
    )
    steps = (
        f"离差平方和为$(n-1)S_{{n-1}}^2$={n - 1}×{variance}={(n - 1) * variance}；"
        f"$\\sum X^2=\\sum x^2+n\\bar X^2$={(n - 1) * variance}+{n}×{mean * mean}={key}"
    )
    return Problem("missing", stem, numeric_choice(key, mistakes, rank, decimals=0), steps, "analyse")


def two_variances(rng: random.Random, rank: int) -> Problem:
    """Decide which divisor describes the sample and which estimates the population."""
    n = rng.choice((5, 6, 9, 10, 11, 13, 16, 21))
    ss = rng.choice((36, 48, 60, 72, 90, 120, 144, 180, 240))

    def verdict(describe: float, estimate: float) -> str:
        return f"描述用{number(describe, 2)}，估计总体用{number(estimate, 2)}"

    by_n, by_less = settled(ss / n, 2), settled(ss / (n - 1), 2)
    distractors = [
        (verdict(by_less, by_n), "把n与n-1两个分母的用途弄反"),
        (verdict(by_n, by_n), "估计总体方差时没有改用自由度n-1"),
        (verdict(by_less, by_less), "描述样本本身时也用了n-1"),
    ]
    task = rng.choice(("眼动注视次数", "错误否定的次数", "自由回忆的词数"))
    stem = (
        f"随机抽取{n}人，测得{task}的离差平方和$\\sum(X-\\bar X)^2={ss}$。"
        f"若一方面要描述这{n}人自身的离散程度，"
        "另一方面要无偏地估计总体方差，两处应当使用的方差（保留两位小数）是（　　）。"
    )
    steps = (
        f"描述样本以n为分母：{ss}÷{n}={number(by_n, 2)}；估计总体以自由度n-1为分母：{ss}÷{n - 1}={number(by_less, 2)}"
    )
    return Problem("decide", stem, text_choice(verdict(by_n, by_less), distractors, rank), steps, "analyse")


def variance_rescaled(rng: random.Random, rank: int) -> Problem:
    """Compare variances before and after a linear change: $S_Y^2 = b^2 S_X^2$, the constant drops out."""
    variance = rng.choice((9, 12, 16, 20, 25, 30, 36))
    factor, shift = rng.choice((0.6, 0.8, 1.2, 1.5, 2, 2.5)), rng.choice((3, 5, 8, 10))
    new = factor**2 * variance
    key = abs(new - variance)
    mistakes = [
        Mistake(abs(factor * variance - variance), "乘数没有平方"),
        Mistake(abs(new + shift - variance), "以为加上的常数也使方差改变"),
        Mistake(new, "求成换算后的方差，没有与原来的相减"),
        Mistake(abs(factor * variance + shift - variance), "乘数没有平方，又加上了常数"),
        Mistake(float(shift), "以为方差只随所加的常数改变"),
        Mistake(abs(factor * variance**0.5 - variance**0.5), "求成标准差的变化"),
        Mistake(abs((factor - 1) ** 2 * variance), "以为变化量等于原方差乘以（乘数-1）的平方"),
        Mistake(abs(factor**2 * (variance + shift) - variance), "先加常数再乘以乘数的平方"),
    ]
    test = rng.choice(("成就动机量表", "应激反应问卷", "审美能力测验"))
    change = "减小" if factor < 1 else "增大"
    stem = (
        f"{test}原始分数$X$的方差为{variance}。为了便于解释，将全部分数按$Y={plain(factor)}X+{shift}$换算，"
        f"则换算后的方差比换算前{change}了（保留两位小数）（　　）。"
    )
    steps = (
        f"$S_Y^2={plain(factor)}^2\\times S_X^2={plain(factor**2)}\\times {variance}={plain(new)}$，"
        f"加常数不改变方差；相差{number(key, 2)}"
    )
    return Problem("compare", stem, numeric_choice(key, mistakes, rank), steps, "analyse")


# ---- standard deviation ----


def standard_deviation(rng: random.Random, rank: int) -> Problem:
    """Find the standard deviation of raw data as a description: $S = \\sqrt{\\sum x^2/n}$."""
    n = rng.choice((5, 6, 7, 8))
    for _ in range(300):
        values = rng.sample(range(5, 30), n)
        if sum(values) % n == 0:
            break
    else:
        raise Redraw
    mean = sum(values) // n
    ss = sum((v - mean) ** 2 for v in values)
    key = settled((ss / n) ** 0.5, 2, float(number(ss / n, 2)) ** 0.5)
    mistakes = [
        Mistake((ss / (n - 1)) ** 0.5, "误以n-1作分母"),
        Mistake(sum(abs(v - mean) for v in values) / n, "求成平均差"),
        Mistake(ss / n, "求成方差，漏了开方"),
        Mistake(ss**0.5, "离差平方和没有除以n就开方"),
        Mistake(ss**0.5 / n, "除以n放在了开方之后"),
        Mistake((max(values) - min(values)) / 2, "误用全距的一半"),
        Mistake((ss / (n - 1) / n) ** 0.5, "求成平均数的标准误"),
        Mistake((max(values) - min(values)) / n, "误用全距除以n"),
    ]
    what = rng.choice(("心算题的正确数", "一周的失眠次数记分", "双任务中的漏答数"))
    stem = f"{n}名被试{what}为：{enumerated(values)}。只描述这组数据（以n为分母），其标准差（保留两位小数）为（　　）。"
    steps = (
        f"$\\bar X={mean}$，$\\sum(X-\\bar X)^2={ss}$；"
        f"$S=\\sqrt{{\\frac{{\\sum(X-\\bar X)^2}}{{n}}}}=\\sqrt{{{ss}\\div {n}}}$，即{number(key, 2)}"
    )
    return Problem("find", stem, numeric_choice(key, mistakes, rank), steps)


def combined_standard_deviation(rng: random.Random, rank: int) -> Problem:
    """Find the standard deviation of two groups together: $S_T^2 = (\\sum n s^2 + \\sum n d^2)/\\sum n$."""
    m, n = rng.choice(((20, 30), (40, 60), (30, 20), (25, 25), (30, 50), (40, 10)))
    first, gap = rng.randint(60, 75), rng.choice((-1, 1)) * rng.randint(8, 16)
    s1, s2 = rng.sample(range(4, 11), 2)
    second = first + gap
    whole = (m * first + n * second) / (m + n)
    within = (m * s1**2 + n * s2**2) / (m + n)
    between = (m * (first - whole) ** 2 + n * (second - whole) ** 2) / (m + n)
    key = settled((within + between) ** 0.5, 2, float(number(within + between, 2)) ** 0.5)
    mistakes = [
        Mistake(within**0.5, "只合并组内方差，漏加各组平均数与总平均数之差"),
        Mistake((m * s1 + n * s2) / (m + n), "把两个标准差加权平均"),
        Mistake((s1 + s2) / 2, "把两个标准差直接平均"),
        Mistake((s1**2 + s2**2) ** 0.5, "把两个方差直接相加再开方"),
        Mistake((within + gap**2) ** 0.5, "把两组平均数之差的平方直接加入"),
        Mistake((within + (first - whole) ** 2 + (second - whole) ** 2) ** 0.5, "离差平方没有用人数加权平均"),
        Mistake((m * s1 + n * s2) / (m + n) + between**0.5, "把标准差与离差直接相加"),
        Mistake(float(s1 + s2), "把两个标准差直接相加"),
    ]
    test = rng.choice(("批判性思维测验", "科学素养测验", "中文阅读测验"))
    stem = (
        f"对两所学校施测{test}：A校{m}人，平均分{first}，标准差{s1}；B校{n}人，平均分{second}，标准差{s2}"
        "（标准差均以n为分母）。两校合并后全体分数的标准差（以n为分母，保留两位小数）为（　　）。"
    )
    steps = (
        f"总平均数为{plain(whole)}；$S_T^2=\\frac{{\\sum n_is_i^2+\\sum n_id_i^2}}{{\\sum n_i}}$，"
        f"其中组内部分为{number(within, 3)}，$d_i$部分为{number(between, 3)}；"
        f"$S_T=\\sqrt{{{number(within + between, 3)}}}$，即{number(key, 2)}"
    )
    return Problem("find", stem, numeric_choice(key, mistakes, rank), steps, "analyse")


def mean_from_deviation(rng: random.Random, rank: int) -> Problem:
    """Find the mean from S, n and $\\sum X^2$: $\\bar X = \\sqrt{\\sum X^2/n - S^2}$."""
    n, s, key = rng.choice((25, 50, 100)), rng.choice((6, 8, 9, 12, 15)), 2 * rng.randint(70, 200) / 10
    squares = round(n * (key**2 + s**2))
    mistakes = [
        Mistake((squares / n) ** 0.5, "没有减去方差就开方"),
        Mistake((squares / n + s**2) ** 0.5, "移项时把减方差弄成加方差"),
        Mistake((squares / n - s) ** 0.5, "标准差没有平方就相减"),
        Mistake((squares / n) ** 0.5 - s, "先开方再减去标准差"),
        Mistake((squares / n) ** 0.5 + s, "先开方再加上标准差"),
        Mistake(squares**0.5 / n, "平方和开方之后才除以n"),
        Mistake(max(0.0, squares / n - 2 * s**2) ** 0.5, "方差减了两次"),
        Mistake(max(0.0, squares / (n - 1) - n * s**2 / (n - 1)) ** 0.5 - s, "用n-1还原后又减去标准差"),
    ]
    what = rng.choice(("手指灵活性测验分数", "音高辨别测验分数", "表情识别测验分数"))
    stem = (
        f"{n}名被试{what}的标准差（以n为分母）为{s}，各分数平方之和$\\sum X^2={squares}$，"
        "所有分数均为正数，则这批分数的平均数（保留一位小数）为（　　）。"
    )
    steps = (
        f"由$S^2=\\frac{{\\sum X^2}}{{n}}-\\bar X^2$得$\\bar X^2={squares}\\div {n}-{s}^2"
        f"={plain(squares / n)}-{s * s}={plain(key**2)}$；开方得{number(key, 1)}"
    )
    return Problem("missing", stem, numeric_choice(key, mistakes, rank, decimals=1), steps, "analyse")


def outlier_by_three_sigma(rng: random.Random, rank: int) -> Problem:
    """Decide by the rule of three standard deviations which values are dropped."""
    mean, s = rng.choice((420, 480, 520, 560)), rng.choice((40, 50, 60, 70))
    high = rng.sample((3.3, 3.5, 3.8), rng.choice((1, 2)))
    low = rng.sample((-3.6, -3.4, -3.2), rng.choice((1, 2)))
    middle = rng.sample((-2.8, -2.6, -2.3, 2.2, 2.5, 2.7), 7 - len(high) - len(low))
    offsets = (*high, *low, *middle, rng.choice((-1.2, 1.4)))
    values = [round(mean + s * z) for z in offsets]
    rng.shuffle(values)

    def verdict(width: int, dropped: int) -> str:
        return f"界限为{mean - width * s}～{mean + width * s}，剔除{dropped}个"

    def outside(width: int) -> int:
        return sum(abs(v - mean) > width * s for v in values)

    key = verdict(3, outside(3))
    distractors = [
        (verdict(2, outside(2)), "误用两个标准差"),
        (verdict(3, len(high)), "只剔除了过大的数据，漏了过小的数据"),
        (verdict(3, 8 - outside(3)), "把界限以内的数据当作应剔除的数据"),
    ]
    task = rng.choice(("斯特鲁普任务", "停止信号任务", "侧抑制任务"))
    stem = (
        f"某被试在{task}中反应时的平均数为{mean}毫秒，标准差为{s}毫秒。按三个标准差法则"
        "（平均数加减三个标准差以外者剔除）"
        f"处理下面八个可疑数据：{enumerated(values)}，正确的是（　　）。"
    )
    bottom, top = mean - 3 * s, mean + 3 * s
    gone = enumerated(sorted(v for v in values if abs(v - mean) > 3 * s))
    steps = f"下限{mean}-3×{s}={bottom}，上限{mean}+3×{s}={top}；界限以外的是{gone}；故{key}"
    return Problem("decide", stem, text_choice(key, distractors, rank), steps, "analyse")


def deviation_after_correction(rng: random.Random, rank: int) -> Problem:
    """Compare S before and after a recording error is mended, through $\\sum X$ and $\\sum X^2$."""
    n, mean = rng.choice((10, 20, 25)), rng.randint(20, 40)
    s = rng.choice((5, 6, 7, 8))
    wrong = mean + rng.choice((-1, 1)) * rng.randint(12, 18)
    right = mean + rng.randint(-6, 6)
    if rng.random() < 0.5:
        wrong, right = right, wrong
    total = n * mean - wrong + right
    squares = n * (s**2 + mean**2) - wrong**2 + right**2
    new_mean, new = total / n, squares / n - (total / n) ** 2
    if new < 4 or right in (wrong, mean):
        raise Redraw
    key = settled(new**0.5, 2, float(number(new, 2)) ** 0.5)
    stale = squares / n - mean**2
    back = (n * (s**2 + mean**2) + wrong**2 - right**2) / n - ((n * mean + wrong - right) / n) ** 2
    mistakes = [
        Mistake(float(s), "以为更正一个数据不影响标准差"),
        Mistake(max(stale, 0.0) ** 0.5, "只更正了平方和，没有更正平均数"),
        Mistake(max((n * (s**2 + mean**2)) / n - new_mean**2, 0.0) ** 0.5, "只更正了平均数，没有更正平方和"),
        Mistake((new * n / (n - 1)) ** 0.5, "误以n-1作分母"),
        Mistake(max(back, 0.0) ** 0.5, "更正时把正误两数的加减弄反"),
        Mistake(s - abs(wrong - right) / n, "把差额除以n后从标准差中减去"),
        Mistake(s + abs(wrong - right) / n, "把差额除以n后加到标准差上"),
        Mistake((max(n * s**2 - (wrong - mean) ** 2, 0.0) / n) ** 0.5, "只减去误登数据的离差平方"),
    ]
    mistakes = [m for m in mistakes if m.value > 1]
    test = rng.choice(("图形推理测验", "汉语词汇测验", "三维空间测验"))
    stem = (
        f"{n}名学生{test}的平均分为{mean}，标准差为{s}（以n为分母）。"
        f"核对发现有一人的{right}分误登为{wrong}分，"
        f"其余无误。与更正前的标准差{s}相比，更正后的标准差（以n为分母，保留两位小数）变为（　　）。"
    )
    steps = (
        f"更正后$\\sum X={n}\\times {mean}-{wrong}+{right}={total}$，"
        f"$\\sum X^2={n}\\times({s}^2+{mean}^2)-{wrong}^2+{right}^2={squares}$；"
        f"$S=\\sqrt{{{squares}\\div {n}-({total}\\div {n})^2}}=\\sqrt{{{plain(new)}}}$，即{number(key, 2)}"
    )
    return Problem("compare", stem, numeric_choice(key, mistakes, rank), steps, "analyse")


FAMILIES: dict[str, list[Family]] = {
    "variance": [variance_from_sums, squares_from_variance, two_variances, variance_rescaled],
    "standard-deviation": [
        standard_deviation,
        combined_standard_deviation,
        mean_from_deviation,
        outlier_by_three_sigma,
        deviation_after_correction,
    ],
}
