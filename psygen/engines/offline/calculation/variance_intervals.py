"""Problems on confidence intervals for a population variance.

Convention: $(n-1)S_{n-1}^2/\\chi^2$ with n-1 degrees of freedom; $\\chi^2_{\\alpha/2}$ leaves $\\alpha/2$ above it
and so belongs to the lower limit. The stem says on which side the printed area lies.
"""

import math
import random

from psygen.engines.offline.figures import plain
from psygen.engines.offline.guards import patient, settled
from psygen.engines.offline.inference import (
    ABILITY,
    EMOTION,
    SCHOOL,
    SOCIAL,
    Reading,
    check_spread,
    crossed_decision,
    even_out,
)
from psygen.engines.offline.problem import Family, Mistake, Problem, Redraw, number, numeric_choice
from psygen.engines.offline.tables import chi2_critical


def chi2_note(df: int, share: float) -> str:
    """The table value of chi-square as the stem gives it; `share` is the area above it."""
    return f"$\\chi^2_{{{plain(share)}}}({df})={chi2_critical(df, share):.2f}$"


@patient
def variance_limit(rng: random.Random, rank: int) -> Problem:
    """One limit of the interval for a variance: (n - 1) S² / chi-square."""
    measure = rng.choice(ABILITY)
    n = rng.choice([10, 12, 15, 16, 20, 21, 25])
    s2 = rng.choice([25, 36, 49, 64, 81, 100, 121, 144, 169, 196, 225])
    check_spread(measure, math.sqrt(s2))
    df = n - 1
    upper, lower = chi2_critical(df, 0.025), chi2_critical(df, 0.975)
    side, value, other = rng.choice([("下限", upper, lower), ("上限", lower, upper)])
    key = settled(df * s2 / value, 2)
    one = chi2_critical(df, 0.05 if side == "下限" else 0.95)
    mistakes = [
        Mistake(n * s2 / value, "分子误用$nS_{n-1}^2$"),
        Mistake(df * s2 / one, "误用单侧的卡方值"),
        Mistake(df * s2 / other, "用错了另一端的卡方值"),
        Mistake(df * math.sqrt(s2) / value, "分子误用标准差"),
        Mistake(math.sqrt(key), "又开了平方，求成标准差的界限"),
        Mistake((df - 1) * s2 / value, "分子误用$(n-2)S_{n-1}^2$"),
        Mistake(n * s2 / other, "用错卡方值，且分子误用$nS_{n-1}^2$"),
        Mistake(s2 * value / df, "把卡方值放到了分子上"),
    ]
    notes = "，".join(chi2_note(df, a) for a in (0.025, 0.05, 0.95, 0.975))
    stem = (
        f"从{measure.who}中随机抽取{n}人，{measure.what}的$S_{{n-1}}^2={s2}$，总体服从正态分布。"
        f"已知（下标为该值右侧的面积）{notes}，则总体方差$\\sigma^2$的95%置信区间的{side}"
        "（保留两位小数）为（　　）。"
    )
    steps = (
        f"$df={df}$；{side}$=\\dfrac{{(n-1)S_{{n-1}}^2}}{{\\chi^2_{{{0.025 if side == '下限' else 0.975}}}}}"
        f"=\\dfrac{{{df}\\times{s2}}}{{{value:.2f}}}={number(key, 2)}$。"
    )
    return Problem("find", stem, numeric_choice(key, mistakes, rank), steps)


@patient
def variance_behind_limit(rng: random.Random, rank: int) -> Problem:
    """The sample variance behind a reported lower limit: S² = limit times chi-square over n - 1."""
    measure = rng.choice(EMOTION)
    n = rng.choice([8, 10, 13, 16, 18, 21, 26])
    df = n - 1
    s2 = rng.randint(30, 120)
    check_spread(measure, math.sqrt(s2))
    upper, lower = chi2_critical(df, 0.025), chi2_critical(df, 0.975)
    low = float(number(df * s2 / upper, 1))
    key = settled(low * upper / df, 1)
    mistakes = [
        Mistake(low * lower / df, "用错了另一端的卡方值"),
        Mistake(low * upper / n, "误除以n"),
        Mistake(low * upper / (df - 1), "误除以n-2"),
        Mistake(low * upper / lower, "求成置信区间的上限"),
        Mistake(math.sqrt(low * upper / df), "又开了平方"),
        Mistake((low + low * upper / lower) / 2, "误把区间中点当作样本方差"),
        Mistake(low * upper, "漏除以自由度"),
    ]
    stem = (
        f"研究者从{measure.who}中随机抽取{n}人测{measure.what}（总体正态），报告总体方差的95%置信区间，"
        f"其下限为{plain(low)}。"
        f"已知（下标为该值右侧的面积）{chi2_note(df, 0.025)}，{chi2_note(df, 0.975)}，"
        "则样本的$S_{n-1}^2$（保留一位小数）为（　　）。"
    )
    steps = (
        "下限$=(n-1)S_{n-1}^2/\\chi^2_{0.025}$，"
        f"$S_{{n-1}}^2=\\dfrac{{{plain(low)}\\times{upper:.2f}}}{{{df}}}"
        f"={number(key, 1)}$。"
    )
    return Problem("missing", stem, numeric_choice(key, mistakes, rank, decimals=1), steps)


@patient
def shorter_with_more_people(rng: random.Random, rank: int) -> Problem:
    """How much shorter the interval for a variance becomes with a larger sample."""
    measure = rng.choice(SOCIAL)
    n1, n2 = rng.choice([8, 10, 11]), rng.choice([16, 20, 21, 25, 31])
    s2 = rng.choice([9, 16, 20, 25, 30, 36])
    check_spread(measure, math.sqrt(s2))

    def limits(n: int) -> tuple[float, float]:
        df = n - 1
        return df * s2 / chi2_critical(df, 0.025), df * s2 / chi2_critical(df, 0.975)

    (a, b), (c, d) = limits(n1), limits(n2)
    key = settled(b - a - (d - c), 1, *(x - y for x in (round(b - a, 1), b - a) for y in (round(d - c, 1), d - c)))
    mistakes = [
        Mistake(b - d, "只比较了两个上限"),
        Mistake(c - a, "只比较了两个下限"),
        Mistake((b - a) * n1 / (n1 - 1) - (d - c) * n2 / (n2 - 1), "分子误用$nS_{n-1}^2$"),
        Mistake((b - a) - (b - a) * math.sqrt(n1 / n2), "误以为区间长度与$\\sqrt n$成反比"),
        Mistake((b - a) - (b - a) * n1 / n2, "误以为区间长度与n成反比"),
        Mistake(b - a, "只求了原区间的长度"),
        Mistake(d - c, "只求了新区间的长度"),
        Mistake(key / 2, "只算了半长的变化"),
    ]
    notes = "，".join(chi2_note(n - 1, share) for n in (n1, n2) for share in (0.025, 0.975))
    stem = (
        f"预研究从{measure.who}中随机抽取{n1}人测{measure.what}（总体正态），正式研究改为抽取{n2}人，"
        f"两次的$S_{{n-1}}^2$恰好都是{s2}。"
        f"已知（下标为该值右侧的面积）{notes}，则正式研究中总体方差的95%置信区间比预研究缩短"
        "（保留一位小数）（　　）。"
    )
    steps = (
        f"预研究区间为[{number(a, 2)}，{number(b, 2)}]，长{number(b - a, 2)}；"
        f"正式研究区间为[{number(c, 2)}，{number(d, 2)}]，长{number(d - c, 2)}；缩短{number(key, 1)}。"
    )
    return Problem("compare", stem, numeric_choice(key, mistakes, rank, decimals=1), steps, "analyse")


@patient
def variance_against_norm(rng: random.Random, rank: int) -> Problem:
    """The 95% interval of a variance from the descriptive SD, and whether the norm's variance lies in it."""
    measure = rng.choice(SCHOOL)
    n = rng.choice([10, 12, 15, 16, 20, 21, 25])
    s = rng.randint(5, 12)
    check_spread(measure, s)
    df, ss = n - 1, n * s * s
    wrong_share, why = rng.choice([(0.05, "误用单侧的卡方值"), (0.005, "误用99%置信水平的卡方值")])
    ends = [(ss / chi2_critical(df, a), ss / chi2_critical(df, 1 - a)) for a in (0.025, wrong_share)]
    near, far = sorted(rng.choice(list(zip(*ends, strict=True))))
    norm = rng.randint(math.floor(near), math.ceil(far))
    check_spread(measure, math.sqrt(norm))

    def read(squares: float, share: float) -> Reading:
        low = settled(squares / chi2_critical(df, share), 2)
        high = settled(squares / chi2_critical(df, 1 - share), 2)
        differs = not low < norm < high
        if min(abs(norm / low - 1), abs(norm / high - 1)) < 0.03:
            raise Redraw
        says = f"{'不含' if differs else '包含'}{norm}，与常模{'有' if differs else '无'}显著差异"
        return Reading(f"[{number(low, 2)}，{number(high, 2)}]，{says}", differs)

    squares = [Mistake((n - 1) * s * s, "离差平方和误用$(n-1)S^2$")]
    choice = crossed_decision(rng, read, (ss, squares), (0.025, [Mistake(wrong_share, why)]), rank)
    even_out(rng, choice, "不含", 0.2)
    shares = sorted({0.025, wrong_share, round(1 - wrong_share, 3), 0.975})
    notes = "，".join(chi2_note(df, a) for a in shares)
    stem = (
        f"{measure.what}的常模方差$\\sigma_0^2={norm}$。从{measure.who}中随机抽取{n}人，"
        f"以n为分母的样本标准差$S={s}$，"
        "总体正态。"
        f"已知（下标为该值右侧的面积）{notes}。求该总体方差的95%置信区间（保留两位小数），"
        "并据此在$\\alpha=0.05$水平上双侧判断其与常模方差是否不同，正确的是（　　）。"
    )
    low, high = ss / chi2_critical(df, 0.025), ss / chi2_critical(df, 0.975)
    steps = (
        f"离差平方和$nS^2={n}\\times{s}^2={ss}$，$df={df}$；"
        f"区间为${ss}/{chi2_critical(df, 0.025):.2f}={number(low, 2)}$"
        f"至${ss}/{chi2_critical(df, 0.975):.2f}={number(high, 2)}$，常模方差为{norm}；"
        f"即{choice.options[rank]}。"
    )
    return Problem("decide", stem, choice, steps, "analyse")


FAMILIES: dict[str, list[Family]] = {
    "ci-variance": [variance_limit, variance_behind_limit, shorter_with_more_people, variance_against_norm],
}
