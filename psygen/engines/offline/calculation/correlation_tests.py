"""Problems on testing whether a correlation is significant.

Conventions: r against nought uses t with n-2 degrees of freedom; against another $\\rho_0$ it goes by way of
Fisher's z with the standard error $1/\\sqrt{n-3}$.
"""

import math
import random

from psygen.engines.offline.figures import plain
from psygen.engines.offline.guards import patient, settled
from psygen.engines.offline.inference import (
    RELATED,
    count_choice,
    crossed_decision,
    even_out,
    t_note,
    t_verdict,
    z_note,
)
from psygen.engines.offline.problem import Family, Mistake, Problem, Redraw, number, numeric_choice
from psygen.engines.offline.tables import t_critical, z_critical


def t_of_r(r: float, df: float) -> float:
    """t of a correlation against nought."""
    return r * math.sqrt(df) / math.sqrt(1 - r * r)


@patient
def correlation_t(rng: random.Random, rank: int) -> Problem:
    """t of a correlation from sums of squares and products: r sqrt(n - 2) / sqrt(1 - r²)."""
    who, x, y = rng.choice(RELATED[:2])
    n = rng.choice([11, 18, 27, 38, 51])
    r = rng.choice([0.28, 0.36, 0.48, 0.6, 0.64, 0.8])
    a, b = rng.choice([40, 50, 60, 80, 90]), rng.choice([20, 25, 30, 45])
    product = r * math.sqrt(a * a * b * b)
    if abs(product - round(product)) > 1e-9:
        raise Redraw
    key = settled(t_of_r(r, n - 2), 2)
    mistakes = [
        Mistake(t_of_r(r, n), "$\\sqrt{n-2}$误作$\\sqrt n$"),
        Mistake(r * math.sqrt(n - 2) / (1 - r * r), "$1-r^2$漏开平方"),
        Mistake(r * math.sqrt(n - 2), "漏除以$\\sqrt{1-r^2}$"),
        Mistake(r * math.sqrt(n - 2) / math.sqrt(1 - r), "把$1-r^2$误作$1-r$"),
        Mistake(r * r * math.sqrt(n - 2) / math.sqrt(1 - r * r), "分子误用$r^2$"),
        Mistake(r * math.sqrt(n - 2) / math.sqrt(1 + r), "把$1-r^2$误作$1+r$"),
        Mistake(r * (n - 2) / math.sqrt(1 - r * r), "分子的n-2漏开平方"),
        Mistake(r * math.sqrt(n - 2) * math.sqrt(1 - r * r), "误乘$\\sqrt{1-r^2}$"),
    ]
    stem = (
        f"随机抽取{n}名{who}测{x}（X）与{y}（Y），得$\\sum(X-\\bar X)^2={a * a}$，"
        f"$\\sum(Y-\\bar Y)^2={b * b}$，"
        f"$\\sum(X-\\bar X)(Y-\\bar Y)={round(product)}$。检验总体相关系数是否为零，"
        "检验统计量t（保留两位小数）为（　　）。"
    )
    steps = (
        f"$r=\\dfrac{{{round(product)}}}{{\\sqrt{{{a * a}\\times{b * b}}}}}={plain(r)}$；"
        "$t=\\dfrac{r\\sqrt{n-2}}{\\sqrt{1-r^2}}"
        f"=\\dfrac{{{plain(r)}\\times\\sqrt{{{n - 2}}}}}{{\\sqrt{{1-{plain(r)}^2}}}}"
        f"={number(key, 2)}$。"
    )
    return Problem("find", stem, numeric_choice(key, mistakes, rank), steps)


@patient
def least_correlation(rng: random.Random, rank: int) -> Problem:
    """The smallest significant r: t / sqrt(t² + n - 2)."""
    who, x, y = rng.choice(RELATED[2:4])
    n, tails, alpha = rng.choice([8, 10, 12, 15, 18, 20, 22, 27, 32]), rng.choice([1, 2]), rng.choice([0.05, 0.01])
    df = n - 2
    t, other = t_critical(df, alpha, tails), t_critical(df, alpha, 3 - tails)

    def edge(line: float, free: float) -> float:
        return line / math.sqrt(line**2 + free)

    key = settled(edge(t, df), 3)
    mistakes = [
        Mistake(edge(other, df), f"误用{'双' if tails == 1 else '单'}侧的临界值"),
        Mistake(edge(t, n), "自由度误作n"),
        Mistake(t / math.sqrt(df), "漏掉$\\sqrt{1-r^2}$"),
        Mistake(edge(t, df) ** 2, "求成$r^2$"),
        Mistake(math.sqrt(edge(t, df)), "多开了一次平方"),
        Mistake(t / math.sqrt(t + df), "根号内的t漏了平方"),
        Mistake(math.sqrt(1 - edge(t, df) ** 2), "求成$\\sqrt{1-r^2}$"),
        Mistake(t / (t + math.sqrt(df)), "根号内的两项误分别开平方"),
    ]
    mistakes = [m for m in mistakes if m.value < 0.995]
    aim = "是否为正" if tails == 1 else "是否为零"
    stem = (
        f"研究者拟抽取{n}名{who}考察{x}与{y}的相关，检验总体相关{aim}（{'单' if tails == 1 else '双'}侧，"
        f"$\\alpha={alpha}$）。"
        f"已知{t_note(df, alpha, 1)}，{t_note(df, alpha, 2)}。样本的正相关系数至少为多少"
        "（保留三位小数）才能达到显著？"
    )
    steps = (
        "由$t=\\dfrac{r\\sqrt{n-2}}{\\sqrt{1-r^2}}$得$r=\\dfrac{t}{\\sqrt{t^2+n-2}}"
        f"=\\dfrac{{{t:.3f}}}{{\\sqrt{{{t:.3f}^2+{df}}}}}={number(key, 3)}$。"
    )
    return Problem("missing", stem, numeric_choice(key, mistakes, rank, decimals=3), steps)


@patient
def correlation_decision(rng: random.Random, rank: int) -> Problem:
    """The decision of the t test of a correlation."""
    who, x, y = rng.choice(RELATED[4:6])
    n, tails, alpha = rng.choice([10, 11, 12, 15, 18, 20, 27]), rng.choice([1, 2]), rng.choice([0.05, 0.01])
    r = rng.randint(25, 80) / 100
    key = settled(t_of_r(r, n - 2), 2)
    stats = [
        Mistake(r * math.sqrt(n - 2), "漏除以$\\sqrt{1-r^2}$"),
        Mistake(r * math.sqrt(n - 2) / (1 - r * r), "$1-r^2$漏开平方"),
        Mistake(r * r * math.sqrt(n - 2) / math.sqrt(1 - r * r), "分子误用$r^2$"),
        Mistake(r * math.sqrt(n - 2) / math.sqrt(1 - r), "把$1-r^2$误作$1-r$"),
    ]
    line = t_critical(n - 2, alpha, tails)
    lines = [
        Mistake(t_critical(n - 2, alpha, 3 - tails), f"误用{'双' if tails == 1 else '单'}侧的临界值"),
        Mistake(z_critical(alpha, tails), "误用Z的临界值代替t的临界值"),
    ]
    choice = crossed_decision(rng, t_verdict, (key, stats), (line, lines), rank)
    even_out(rng, choice, "拒绝", 0.15)
    aim = "是否为正相关" if tails == 1 else "是否存在相关"
    stem = (
        f"随机抽取{n}名{who}，{x}与{y}的积差相关系数为{r:.2f}，两变量总体均为正态。检验二者{aim}"
        f"（{'单' if tails == 1 else '双'}侧，$\\alpha={alpha}$）。已知{t_note(n - 2, alpha, 1)}，"
        f"{t_note(n - 2, alpha, 2)}，"
        f"{z_note(alpha, tails)}。检验统计量、临界值和结论都正确的是（　　）。"
    )
    steps = (
        f"$t=\\dfrac{{{r:.2f}\\times\\sqrt{{{n - 2}}}}}{{\\sqrt{{1-{r:.2f}^2}}}}={number(key, 2)}$，"
        f"$df={n - 2}$，"
        f"临界值为{line:.3f}，即{choice.options[rank]}。"
    )
    return Problem("decide", stem, choice, steps, "analyse")


@patient
def people_for_same_t(rng: random.Random, rank: int) -> Problem:
    """How many people a weaker correlation takes to reach the same t: (n1 - 2) r1² (1 - r2²) / (r2² (1 - r1²)) + 2."""
    who, x, y = rng.choice(RELATED[6:8])
    n1 = rng.choice([11, 18, 27, 38])
    r1, r2 = rng.sample([0.3, 0.4, 0.5, 0.6, 0.7, 0.8], 2)
    exact = (n1 - 2) * r1**2 * (1 - r2**2) / (r2**2 * (1 - r1**2)) + 2
    if not 8 < exact < 400 or not 0.1 < exact % 1 < 0.9 or r1 < r2:
        raise Redraw
    key = math.ceil(exact)
    mistakes = [
        Mistake(math.ceil(exact) - 2, "漏加2"),
        Mistake(math.ceil((n1 - 2) * r1**2 / r2**2 + 2), "漏掉$1-r^2$的变化"),
        Mistake(math.ceil(n1 * r1 / r2), "误以为人数与r成反比"),
        Mistake(math.ceil((n1 - 2) * r1 * (1 - r2**2) / (r2 * (1 - r1**2)) + 2), "$r$漏了平方"),
        Mistake(math.ceil((n1 - 2) * r1**2 * math.sqrt((1 - r2**2) / (1 - r1**2)) / r2**2 + 2), "$1-r^2$误开平方"),
        Mistake(key + 2, "把2加了两次"),
        Mistake(math.ceil(n1 * r1**2 * (1 - r2**2) / (r2**2 * (1 - r1**2)) + 2), "自由度误作n"),
        Mistake(math.ceil(((n1 - 2) * r1**2 * (1 - r2**2) / (r2**2 * (1 - r1**2))) * 2), "误乘2"),
    ]
    t = t_of_r(r1, n1 - 2)
    stem = (
        f"甲研究抽取{n1}名{who}，测得{x}与{y}的相关系数为{plain(r1)}。"
        f"乙研究预计只能得到{plain(r2)}的相关系数，"
        "若要使乙研究对总体相关为零这一假设的检验统计量t不小于甲研究的t，则乙研究的样本容量至少应为（　　）。"
    )
    steps = (
        f"甲研究$t^2=\\dfrac{{{plain(r1)}^2\\times{n1 - 2}}}{{1-{plain(r1)}^2}}={number(t * t, 2)}$；乙研究需"
        f"$n-2\\ge\\dfrac{{{number(t * t, 2)}\\times(1-{plain(r2)}^2)}}{{{plain(r2)}^2}}"
        f"={number(exact - 2, 2)}$，"
        f"即n至少为{key}人。"
    )
    return Problem("compare", stem, count_choice(key, mistakes, rank, "人"), steps, "analyse")


@patient
def against_other_rho(rng: random.Random, rank: int) -> Problem:
    """Z of a correlation against a ρ0 other than nought: (Z_r - Z_ρ) sqrt(n - 3)."""
    who, x, y = rng.choice(RELATED[8:])
    n = rng.choice([28, 39, 52, 67, 84, 103])
    r, rho = rng.sample([k / 100 for k in range(25, 86)], 2)
    z, base = round(math.atanh(r), 3), round(math.atanh(rho), 3)
    key = settled((z - base) * math.sqrt(n - 3), 2)
    if not 0.6 < abs(key) < 4:
        raise Redraw
    mistakes = [
        Mistake((r - rho) * math.sqrt(n - 3), "未作费舍转换，直接用r之差"),
        Mistake((z - base) * math.sqrt(2 * n), "标准误误用$1/\\sqrt{2n}$"),
        Mistake((base - z) * math.sqrt(n - 3), "分子的相减方向弄反"),
        Mistake((r - rho) * math.sqrt(n - 2) / math.sqrt(1 - r * r), "误用检验零相关的t公式"),
        Mistake((z - base) * math.sqrt((n - 3) / 2), "标准误误用两个样本的公式"),
        Mistake(z * math.sqrt(n - 3), "误按总体相关为零计算"),
        Mistake(z - base, "漏除以标准误"),
        Mistake((rho - r) * math.sqrt(n - 3), "未作费舍转换，且方向弄反"),
    ]
    stem = (
        f"已有研究得到{who}的{x}与{y}的总体相关为{rho:.2f}。现从某地随机抽取{n}名{who}，"
        f"测得相关系数为{r:.2f}。"
        f"已知r={r:.2f}时$Z_r={z:.3f}$，r={rho:.2f}时$Z_r={base:.3f}$。"
        f"检验该地的总体相关是否不同于{rho:.2f}，"
        "以该地的$Z_r$减已有研究的为分子，检验统计量Z（保留两位小数）为（　　）。"
    )
    steps = (
        "总体相关不为零，须作费舍转换，"
        f"$Z=(Z_r-Z_\\rho)\\sqrt{{n-3}}=({z:.3f}-{base:.3f})\\times\\sqrt{{{n - 3}}}={number(key, 2)}$。"
    )
    return Problem("find", stem, numeric_choice(key, mistakes, rank), steps, "analyse")


FAMILIES: dict[str, list[Family]] = {
    "correlation-significance-test": [
        correlation_t,
        least_correlation,
        correlation_decision,
        people_for_same_t,
        against_other_rho,
    ],
}
