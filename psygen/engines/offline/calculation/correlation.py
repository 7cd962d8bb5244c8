"""Calculation questions on the product-moment correlation.

Convention of Chinese psychology statistics textbooks: $r=\\sum xy/(n S_X S_Y)$, standard deviations over n.
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


def draw_pairs(rng: random.Random, n: int) -> tuple[list[int], list[int]]:
    """Two correlated columns of `n` whole numbers, both with a whole mean."""
    for _ in range(500):
        x = rng.sample(range(2, 16), n)
        slope = rng.choice((1, -1, 1))
        y = [(v if slope > 0 else 18 - v) + rng.randint(-4, 4) for v in x]
        if sum(x) % n == 0 and sum(y) % n == 0 and min(y) > 0 and len(set(y)) > 2:
            return x, y
    raise Redraw


def products(x: list[int], y: list[int]) -> tuple[int, int, int]:
    """Sums of squared deviations of x and of y, and of their products, for whole means."""
    mx, my = sum(x) // len(x), sum(y) // len(y)
    sxy = sum((a - mx) * (b - my) for a, b in zip(x, y, strict=True))
    return sum((a - mx) ** 2 for a in x), sum((b - my) ** 2 for b in y), sxy


def correlation_of_data(rng: random.Random, rank: int) -> Problem:
    """Find r from five or six pairs: $r = \\sum xy / \\sqrt{\\sum x^2 \\sum y^2}$."""
    n = rng.choice((5, 6))
    x, y = draw_pairs(rng, n)
    sxx, syy, sxy = products(x, y)
    exact = sxy / (sxx * syy) ** 0.5
    if not 0.3 < abs(exact) < 0.93:
        raise Redraw
    key = settled(exact, 2)
    raw = sum(a * b for a, b in zip(x, y, strict=True))
    wrong = [
        (exact * (n - 1) / n, "协方差以n为分母而标准差以n-1为分母"),
        (exact * n / (n - 1), "协方差以n-1为分母而标准差以n为分母"),
        (sxy / ((sxx + syy) / 2), "分母误用两个平方和的算术平均"),
        (sxy / max(sxx, syy), "分母误用较大的平方和"),
        (sxy / min(sxx, syy), "分母误用较小的平方和"),
        (-exact, "离差乘积之和的正负号弄反"),
        (raw / (sum(a * a for a in x) * sum(b * b for b in y)) ** 0.5, "用原始分数代替离差"),
    ]
    if exact > 0:
        wrong[:0] = [(exact**2, "求成决定系数"), (exact**0.5, "结果又开了一次方")]
    mistakes = [Mistake(v, why) for v, why in wrong if abs(v) < 0.995]
    pairs = (("记忆广度", "阅读成绩"), ("焦虑水平", "操作得分"), ("睡眠质量", "注意力得分"))
    first, second = rng.choice(pairs)
    stem = (
        f"{n}名被试的{first}$X$依次为{enumerated(x)}，{second}$Y$依次为{enumerated(y)}。"
        "两变量的积差相关系数（保留两位小数）为（　　）。"
    )
    steps = (
        f"$\\bar X={sum(x) // n}$，$\\bar Y={sum(y) // n}$，$\\sum x^2={sxx}$，$\\sum y^2={syy}$，"
        f"$\\sum xy={sxy}$；"
        f"$r=\\frac{{\\sum xy}}{{\\sqrt{{\\sum x^2\\sum y^2}}}}"
        f"=\\frac{{{sxy}}}{{\\sqrt{{{sxx}\\times {syy}}}}}$，"
        f"即{number(key, 2)}"
    )
    return Problem("find", stem, numeric_choice(key, mistakes, rank), steps)


def correlation_from_sums(rng: random.Random, rank: int) -> Problem:
    """Find r from the sums of raw scores, squares and products."""
    n = rng.choice((10, 20, 25))
    sx, sy = rng.choice((2, 3, 4, 5)), rng.choice((4, 5, 6, 8))
    r = rng.randint(30, 85) / 100
    mx, my = rng.randint(6, 15), rng.randint(10, 30)
    sxx, syy = n * sx * sx, n * sy * sy
    sxy = round(r * n * sx * sy)
    x, y, xx, yy, xy = n * mx, n * my, sxx + n * mx * mx, syy + n * my * my, sxy + n * mx * my
    exact = sxy / (n * sx * sy)
    key = settled(exact, 2)
    wrong = [
        (exact**2, "求成决定系数"),
        (exact * n / (n - 1), "协方差以n-1为分母而标准差以n为分母"),
        (exact * (n - 1) / n, "协方差以n为分母而标准差以n-1为分母"),
        (xy / (xx * yy) ** 0.5, "没有减去校正项，直接用原始分数的乘积和与平方和"),
        (sxy / (n * sx * sx) if sx > sy else sxy / (n * sy * sy), "分母误用较大的平方和"),
        (sxy / (n * (sx * sx + sy * sy) / 2), "分母误用两个方差的平均"),
        (exact**0.5, "结果又开了一次方"),
        (sxy / (n * sx * sx) if sx < sy else sxy / (n * sy * sy), "分母误用较小的平方和"),
    ]
    mistakes = [Mistake(v, why) for v, why in wrong if abs(v) < 0.995]
    pairs = (("练习次数", "遥控操作得分"), ("词汇量表分", "阅读成绩"), ("自尊得分", "生活满意度"))
    first, second = rng.choice(pairs)
    stem = (
        f"由{n}名被试的{first}$X$与{second}$Y$得$\\sum X={x}$，$\\sum Y={y}$，$\\sum X^2={xx}$，"
        f"$\\sum Y^2={yy}$，"
        f"$\\sum XY={xy}$。两变量的积差相关系数（保留两位小数）为（　　）。"
    )
    steps = (
        f"$\\sum xy={xy}-{x}\\times {y}\\div {n}={sxy}$，$\\sum x^2={xx}-{x}^2\\div {n}={sxx}$，"
        f"$\\sum y^2={yy}-{y}^2\\div {n}={syy}$；$r=\\frac{{{sxy}}}{{\\sqrt{{{sxx}\\times {syy}}}}}$，"
        f"即{number(key, 2)}"
    )
    return Problem("find", stem, numeric_choice(key, mistakes, rank), steps)


def covariance_back(rng: random.Random, rank: int) -> Problem:
    """Find the sum of products of deviations from r and two standard deviations: $\\sum xy = n r S_X S_Y$."""
    n, sx, sy = rng.choice((10, 20, 25, 40, 50)), rng.choice((3, 4, 5, 6)), rng.choice((5, 8, 10, 12))
    r = rng.choice((0.3, 0.4, 0.5, 0.6, 0.7, 0.8))
    key = settled(n * r * sx * sy, 1)
    if sx == sy:
        raise Redraw
    mistakes = [
        Mistake((n - 1) * r * sx * sy, "误乘n-1，与以n为分母的标准差不符"),
        Mistake(r * sx * sy, "求成协方差，漏乘n"),
        Mistake(n * sx * sy, "漏乘相关系数"),
        Mistake(n * r * sx * sx, "把$S_X$用了两次"),
        Mistake(n * r * sy * sy, "把$S_Y$用了两次"),
        Mistake(n * r**2 * sx * sy, "相关系数误作平方"),
        Mistake(n * r * (sx * sy) ** 0.5, "误用两个标准差之积的平方根"),
        Mistake(n * r * sx**2 * sy, "误把一个标准差平方"),
        Mistake(n * sx * sy / r, "误除以相关系数"),
    ]
    pairs = (("孤独感", "网络使用时间"), ("教养温暖", "亲社会行为"), ("工作记忆", "流体智力"))
    first, second = rng.choice(pairs)
    stem = (
        f"对{n}名被试求得{first}$X$与{second}$Y$的积差相关系数为{plain(r)}，标准差"
        f"（以n为分母）分别为$S_X={sx}$、"
        f"$S_Y={sy}$。原始数据遗失，要恢复离差乘积之和，则$\\sum(X-\\bar X)(Y-\\bar Y)$（保留一位小数）为"
        "（　　）。"
    )
    steps = (
        f"由$r=\\frac{{\\sum xy}}{{nS_XS_Y}}$得$\\sum xy=nrS_XS_Y"
        f"={n}\\times {plain(r)}\\times {sx}\\times {sy}$，"
        f"即{number(key, 1)}"
    )
    return Problem("missing", stem, numeric_choice(key, mistakes, rank, decimals=1), steps, "analyse")


def correlation_rescaled(rng: random.Random, rank: int) -> Problem:
    """Compare r and covariance before and after both variables are changed linearly, one reversed."""
    r = rng.choice((0.4, 0.45, 0.5, 0.6, 0.65, 0.7)) * rng.choice((-1, 1))
    sx, sy = rng.choice((3, 4, 5)), rng.choice((6, 8, 10))
    cov = r * sx * sy
    b, a, d = rng.choice((2, 3)), rng.choice((5, 10)), rng.choice((60, 80, 100))

    def verdict(correlation: float, covariance: float) -> str:
        return f"相关系数为{number(correlation, 2)}，协方差为{number(covariance, 1)}"

    distractors = [
        (verdict(r, b * cov), "忽略了反向计分使符号改变"),
        (verdict(-r, -cov), "以为协方差也不受乘数影响"),
        (verdict(r, -b * cov), "以为相关系数的符号不受反向计分影响"),
    ]
    pairs = (("情绪稳定性", "人际困扰"), ("疲劳感", "工作投入"), ("依恋焦虑", "关系满意度"))
    first, second = rng.choice(pairs)
    stem = (
        f"{first}$X$与{second}$Y$的积差相关系数为{number(r, 2)}，协方差为{number(cov, 1)}。"
        f"现将$X$换算为$X'={b}X+{a}$，"
        f"并把$Y$反向计分为$Y'={d}-Y$，则$X'$与$Y'$的相关系数和协方差应为（　　）。"
    )
    key = verdict(-r, -b * cov)
    steps = f"加常数无影响；乘以正数{b}不改变$r$，反向计分（乘以-1）使$r$变号；协方差变为{b}×(-1)×原协方差；故{key}"
    return Problem("compare", stem, text_choice(key, distractors, rank), steps, "analyse")


def shared_variance(rng: random.Random, rank: int) -> Problem:
    """Decide how many times as much variance one correlation explains as another: $r_1^2 / r_2^2$."""
    ratio = rng.choice((2, 3))
    small = rng.randint(16, 90 // ratio) / 100
    big = ratio * small
    first = round(100 * big**2, 2)

    def verdict(percent: float, times: float) -> str:
        return f"能解释{number(percent, 2)}%的变异，是后者的{plain(times)}倍"

    distractors = [
        (verdict(first, ratio), "直接用相关系数之比作解释力之比"),
        (verdict(100 * big, ratio), "把相关系数当作解释的百分数"),
        (verdict(100 * big, ratio**2), "解释的百分数误用了相关系数本身"),
    ]
    triples = (
        ("高中成绩", "面试评分", "大学绩点"),
        ("能力测验", "人格问卷", "工作绩效"),
        ("病前功能", "家庭支持", "康复水平"),
    )
    first_name, second_name, target = rng.choice(triples)
    sign = rng.choice(("", "-"))
    stem = (
        f"某研究得到{first_name}与{target}的积差相关系数为{plain(big)}，"
        f"{second_name}与{target}的积差相关系数为"
        f"{sign}{plain(small)}。就用一元线性关系解释{target}的变异而言，{first_name}（　　）。"
    )
    steps = (
        f"解释的变异比例为$r^2$：{plain(big)}的平方为{plain(big**2)}，"
        f"{plain(small)}的平方为{plain(small**2)}，"
        f"后者与正负号无关；前者{verdict(first, ratio**2)}"
    )
    return Problem("decide", stem, text_choice(verdict(first, ratio**2), distractors, rank), steps, "analyse")


FAMILIES: dict[str, list[Family]] = {
    "product-moment-correlation": [
        correlation_of_data,
        correlation_from_sums,
        covariance_back,
        correlation_rescaled,
        shared_variance,
    ],
}
