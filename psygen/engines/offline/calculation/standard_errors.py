"""Problems on the standard error of the mean.

Convention: $\\sigma/\\sqrt n$ when $\\sigma$ is known; otherwise $S/\\sqrt{n-1}$ with $S$ over n, which is
$S_{n-1}/\\sqrt n$. The stem says which standard deviation it gives.
"""

import math
import random

from psygen.engines.offline.figures import plain
from psygen.engines.offline.guards import exceeds, patient, settled
from psygen.engines.offline.inference import ABILITY, EMOTION, SCHOOL, SOCIAL, SPEED, check_spread, count_choice
from psygen.engines.offline.problem import (
    Family,
    Mistake,
    Problem,
    Redraw,
    number,
    numeric_choice,
    text_choice,
)


@patient
def from_descriptive_sd(rng: random.Random, rank: int) -> Problem:
    """Standard error of the mean from the descriptive SD: S / sqrt(n - 1)."""
    measure = rng.choice(ABILITY)
    root = rng.choice([3, 4])
    n = root**2 + 1
    s = measure.sd + rng.randint(-3, 3)
    key = settled(s / root, 2)
    mistakes = [
        Mistake(s / math.sqrt(n), "对以n为分母的$S$仍除以$\\sqrt n$"),
        Mistake(s / (n - 1), "除以n-1时漏开平方"),
        Mistake(s**2 / (n - 1), "误用方差作分子且未开平方"),
        Mistake(s / math.sqrt(n - 2), "自由度多减了1"),
        Mistake(s / n, "除以n且漏开平方"),
        Mistake(float(s), "把样本标准差当作标准误"),
        Mistake(s * math.sqrt(2) / root, "误乘$\\sqrt2$"),
    ]
    stem = (
        f"从{measure.who}中随机抽取{n}人，测得{measure.what}的平均数为{measure.mean}{measure.unit}，"
        f"以n为分母的样本标准差$S={s}${measure.unit}，总体标准差未知。"
        "由该样本估计平均数的标准误（保留两位小数），结果为（　　）。"
    )
    steps = (
        f"$S$以n为分母，故$SE_{{\\bar X}}=\\dfrac{{S}}{{\\sqrt{{n-1}}}}=\\dfrac{{{s}}}{{\\sqrt{{{n - 1}}}}}"
        f"={number(key, 2)}${measure.unit}。"
    )
    return Problem("find", stem, numeric_choice(key, mistakes, rank, unit=measure.unit), steps)


@patient
def people_to_add(rng: random.Random, rank: int) -> Problem:
    """How many people to add so that the standard error shrinks to a given value: (σ / SE2)² - n."""
    measure = rng.choice(EMOTION)
    sigma = rng.choice([8, 10, 12, 16])
    check_spread(measure, sigma)
    first, second = sorted(rng.sample([16, 25, 64, 100, 256, 400], 2))
    before, after = sigma / math.sqrt(first), sigma / math.sqrt(second)
    if any(abs(v * 100 - round(v * 100)) > 1e-9 for v in (before, after)):
        raise Redraw
    key = second - first
    ratio = before / after
    mistakes = [
        Mistake(second, "把所需总人数当作增加的人数"),
        Mistake(round(first * ratio) - first, "误以为标准误与n成反比"),
        Mistake(round(first * ratio), "误以为标准误与n成反比，且未减去原有人数"),
        Mistake(second + 1 - first, "按$\\sqrt{n-1}$计算总人数"),
        Mistake(second + first, "把原有人数加了进去而不是减去"),
        Mistake(round(first * math.sqrt(ratio)), "把标准误之比开了平方"),
        Mistake(second - first - 1, "把增加的人数又减了1"),
    ]
    stem = (
        f"已知{measure.who}{measure.what}的总体标准差$\\sigma={sigma}${measure.unit}。研究者随机抽取若干人，"
        f"算得平均数的标准误为{plain(before)}{measure.unit}。若要使标准误降到{plain(after)}{measure.unit}，"
        "需要再增加被试（　　）。"
    )
    steps = (
        "由$\\sigma_{\\bar X}=\\sigma/\\sqrt n$得$n=(\\sigma/\\sigma_{\\bar X})^2$："
        f"原有$({sigma}/{plain(before)})^2={first}$人，"
        f"需要$({sigma}/{plain(after)})^2={second}$人，再增加{second}-{first}={key}人。"
    )
    return Problem("missing", stem, count_choice(key, mistakes, rank, "人"), steps)


@patient
def ratio_of_errors(rng: random.Random, rank: int) -> Problem:
    """The ratio of two standard errors of the mean with different σ and n."""
    measure = rng.choice(SPEED)
    s1, s2 = rng.choice([40, 50, 60, 80, 90]), rng.choice([20, 30, 45, 48])
    n1, n2 = rng.choice([16, 25, 36]), rng.choice([64, 81, 100, 144])
    key = settled((s1 / math.sqrt(n1)) / (s2 / math.sqrt(n2)), 2)
    mistakes = [
        Mistake((s1 / n1) / (s2 / n2), "除以n时漏开平方"),
        Mistake(s1 / s2, "只比较总体标准差，未考虑样本容量"),
        Mistake(math.sqrt(n2 / n1), "只比较样本容量，未考虑总体标准差"),
        Mistake(key**2, "比较的是标准误的平方"),
        Mistake((s1 * math.sqrt(n1)) / (s2 * math.sqrt(n2)), "误把样本容量放在分子"),
        Mistake(1 / key, "把两个标准误的位置颠倒"),
        Mistake(math.sqrt(s1 / math.sqrt(n1) / (s2 / math.sqrt(n2))), "求出比值后又开平方"),
    ]
    stem = (
        f"在{measure.what}的研究中，甲总体的标准差为{s1}毫秒，乙总体的标准差为{s2}毫秒。"
        f"从甲总体中随机抽取{n1}人，从乙总体中随机抽取{n2}人，"
        "则甲样本平均数的标准误是乙样本平均数标准误的多少倍（保留两位小数）？"
    )
    steps = (
        f"$\\dfrac{{{s1}/\\sqrt{{{n1}}}}}{{{s2}/\\sqrt{{{n2}}}}}"
        f"=\\dfrac{{{plain(s1 / math.sqrt(n1))}}}{{{plain(s2 / math.sqrt(n2))}}}={number(key, 2)}$。"
    )
    return Problem("compare", stem, numeric_choice(key, mistakes, rank), steps)


@patient
def cheapest_scheme(rng: random.Random, rank: int) -> Problem:
    """The cheapest of four sampling schemes whose standard error keeps within a limit."""
    measure = rng.choice(SCHOOL)
    limit = rng.choice([1.5, 2.0, 2.5])
    schemes = [_scheme(rng, limit, fits) for fits in (True, True, False, False)]
    good = min(schemes[:2], key=lambda s: s[3])
    dear = max(schemes[:2], key=lambda s: s[3])
    # The inexact schemes cost less than the key, so that cost alone does not decide.
    if dear[3] - good[3] < 100 or any(good[3] - s[3] < 50 for s in schemes[2:]):
        raise Redraw
    others = [dear, *schemes[2:]]
    rng.shuffle(others)
    others.insert(rank, good)
    names = ("方案一", "方案二", "方案三", "方案四")
    lines = "；".join(
        f"{name}用标准差为{s}分的测验，抽取{n}人，人均费用{cost}元"
        for name, (s, n, cost, _) in zip(names, others, strict=True)
    )
    wrong = [
        (name, "精度够，但总费用不是最低" if scheme is dear else "标准误超过了规定值")
        for name, scheme in zip(names, others, strict=True)
        if scheme is not good
    ]
    stem = (
        f"为估计{measure.who}的平均水平，有四种测验可用，都用同一量尺计分，但测量误差大小不同，各测验的总体标准差已知，均采用简单随机抽样。"
        f"{lines}。"
        f"要求平均数的标准误不超过{plain(limit)}分且总费用最低，应选择（　　）。"
    )
    errors = "；".join(
        f"{name}标准误为${s}/\\sqrt{{{n}}}={number(s / math.sqrt(n), 2)}$分，总费用{total}元"
        for name, (s, n, _, total) in zip(names, others, strict=True)
    )
    steps = f"{errors}。标准误合乎要求的方案中，{names[rank]}费用最低。"
    return Problem("decide", stem, text_choice(names[rank], wrong, rank), steps, "analyse")


def _scheme(rng: random.Random, limit: float, fits: bool) -> tuple[int, int, int, int]:
    """(σ, n, cost a head, total cost) of a scheme that keeps within the limit or does not."""
    for _ in range(500):
        sigma, n, cost = rng.randint(8, 20), rng.choice([16, 25, 36, 49, 64, 81, 100]), rng.randint(8, 30)
        if exceeds(sigma / math.sqrt(n), limit) != fits and 500 < n * cost < 2500:
            return sigma, n, cost, n * cost
    raise Redraw


@patient
def from_sums(rng: random.Random, rank: int) -> Problem:
    """Standard error of the mean from n, ΣX and ΣX²: sqrt(SS / (n (n - 1)))."""
    measure = rng.choice(SOCIAL)
    n = rng.choice([9, 10, 16, 25])
    error = rng.choice([0.5, 0.8, 1.0, 1.2, 1.5, 2.0])
    squares = error**2 * n * (n - 1)
    mean = measure.mean // 2
    if abs(squares - round(squares)) > 1e-9:
        raise Redraw
    ss = round(squares)
    key = error
    mistakes = [
        Mistake(math.sqrt(ss) / n, "标准差以n为分母，仍除以$\\sqrt n$"),
        Mistake(math.sqrt(ss / n), "只求到以n为分母的标准差"),
        Mistake(math.sqrt(ss / (n - 1)), "只求到$S_{n-1}$，未除以$\\sqrt n$"),
        Mistake(ss / (n * (n - 1)), "漏开平方，求成标准误的平方"),
        Mistake(math.sqrt(ss / (n - 1)) / n, "除以n而不是$\\sqrt n$"),
        Mistake(math.sqrt(ss) / (n - 1), "自由度减了两次"),
        Mistake(ss / (n - 1), "求成总体方差的估计值"),
    ]
    stem = (
        f"从{measure.who}中随机抽取{n}人，{measure.what}（短式量表）的$\\sum X={n * mean}$，"
        f"$\\sum X^2={ss + n * mean**2}$。总体方差未知，由样本估计平均数的标准误（保留两位小数）为（　　）。"
    )
    steps = (
        f"$\\sum(X-\\bar X)^2={ss + n * mean**2}-{n * mean}^2/{n}={ss}$，"
        f"$S_{{n-1}}^2={ss}/{n - 1}={plain(ss / (n - 1))}$，"
        f"$SE_{{\\bar X}}=\\sqrt{{S_{{n-1}}^2/n}}=\\sqrt{{{plain(ss / (n - 1))}/{n}}}={number(key, 2)}$。"
    )
    return Problem("find", stem, numeric_choice(key, mistakes, rank), steps)


FAMILIES: dict[str, list[Family]] = {
    "standard-error-of-mean": [from_descriptive_sd, people_to_add, ratio_of_errors, cheapest_scheme, from_sums],
}
