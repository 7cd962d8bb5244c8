"""Calculation questions on stratified sampling.

Conventions of Chinese psychology statistics textbooks: proportional allocation $n_h = n N_h/N$; optimum
allocation $n_h = n N_h\\sigma_h / \\sum N_h\\sigma_h$; the numbers give every stratum whole people.
"""

import random

from psygen.engines.offline.figures import plain
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

STRATA = (
    ("重点中学", "普通中学", "职业中学"),
    ("城市", "县镇", "农村"),
    ("低年级", "中年级", "高年级"),
    ("东部", "中部", "西部"),
)
"""Names of three strata."""


def sizes_in_words(names: tuple[str, ...], sizes: tuple[int, ...]) -> str:
    """The strata and their sizes as Chinese text."""
    return "，".join(f"{name}{size}人" for name, size in zip(names, sizes, strict=True))


def optimum(n: int, sizes: tuple[int, ...], sds: tuple[int, ...]) -> list[float]:
    """Optimum allocation of a sample of `n`."""
    weights = [size * sd for size, sd in zip(sizes, sds, strict=True)]
    return [n * w / sum(weights) for w in weights]


def draw_strata(rng: random.Random) -> tuple[int, tuple[int, ...], tuple[int, ...], list[int]]:
    """Sample size, strata sizes, standard deviations and the optimum allocation in whole people."""
    for _ in range(2000):
        sizes = tuple(rng.choice((200, 240, 300, 320, 400, 480, 500, 600, 720, 800, 900)) for _ in range(3))
        sds = tuple(rng.choice((4, 5, 6, 8, 10, 12, 15)) for _ in range(3))
        n = rng.choice((60, 75, 80, 90, 96, 100, 120, 125, 144, 150, 160, 180, 200, 240))
        shares = [n * size / sum(sizes) for size in sizes]
        best = optimum(n, sizes, sds)
        whole = all(abs(v - round(v)) < 1e-9 for v in (*best, *shares))
        apart = all(abs(v - w) >= 4 for v, w in zip(best, shares, strict=True))
        if whole and apart and len(set(sizes)) == 3 and len(set(sds)) > 1:
            return n, sizes, sds, [round(v) for v in best]
    raise Redraw


def proportional_share(rng: random.Random, rank: int) -> Problem:
    """Find one stratum's sample size, or the difference of two, by proportional allocation."""
    unit = rng.choice((20, 25, 40, 50))
    parts = rng.choice(((2, 3, 5), (3, 4, 5), (1, 4, 7), (2, 5, 8), (3, 5, 8), (2, 7, 9)))
    each = rng.choice((4, 5, 6, 8, 10, 12))
    order = rng.sample(range(3), 3)
    sizes = tuple(parts[j] * unit * 2 for j in order)
    n, total = sum(parts) * each, sum(sizes)
    k = rng.randrange(3)
    key = parts[order[k]] * each
    names = rng.choice(STRATA)
    wrong = [
        (n / 3, "三层平均分配"),
        (float(parts[order[k - 1]] * each), "把两层的人数弄混"),
        (float(parts[order[k - 2]] * each), "把两层的人数弄混"),
        (n - key, "求成其余两层的样本人数"),
        (n * sizes[k] / (total - sizes[k]), "以其余两层的人数作分母"),
        (sizes[k] / n, "误以层人数除以样本容量"),
        (total / n, "误以总人数除以样本容量"),
    ]
    mistakes = [Mistake(v, why) for v, why in wrong if abs(v - round(v)) < 1e-9]
    topic = rng.choice(("情绪智力", "心理健康素养", "睡眠状况"))
    stem = (
        f"为调查{topic}，研究者把总体分为三层：{sizes_in_words(names, sizes)}。计划共抽取{n}人，"
        f"按各层人数比例分配，则{names[k]}应抽取（　　）。"
    )
    steps = f"总体共{total}人；$n_h=n\\frac{{N_h}}{{N}}$={n}×{sizes[k]}÷{total}={key}人"
    choice = numeric_choice(key, mistakes, rank, decimals=0, unit="人")
    return Problem("find", stem, choice, steps)


def optimum_share(rng: random.Random, rank: int) -> Problem:
    """Find one stratum's sample size by optimum allocation."""
    n, sizes, sds, best = draw_strata(rng)
    k = rng.randrange(3)
    total = sum(sizes)
    squares = [size * sd * sd for size, sd in zip(sizes, sds, strict=True)]
    inverse = [size / sd for size, sd in zip(sizes, sds, strict=True)]
    wrong = [
        (n * sizes[k] / total, "只按各层人数比例分配，没有考虑标准差"),
        (n * sds[k] / sum(sds), "只按各层标准差分配，没有考虑人数"),
        (n * squares[k] / sum(squares), "以方差代替标准差"),
        (n / 3, "三层平均分配"),
        (n * inverse[k] / sum(inverse), "把乘以标准差弄成除以标准差"),
        (float(best[k - 1]), "把两层的样本人数弄混"),
        (float(best[k - 2]), "把两层的样本人数弄混"),
    ]
    mistakes = [Mistake(float(number(v, 0)), why) for v, why in wrong]
    names = rng.choice(STRATA)
    topic = rng.choice(("同伴关系", "学习倦怠", "主观幸福感"))
    spread = "、".join(str(s) for s in sds)
    stem = (
        f"调查{topic}，总体分为三层：{sizes_in_words(names, sizes)}，由以往资料知各层标准差依次为{spread}。"
        f"共抽取{n}人，按最优分配（兼顾各层人数与标准差），{names[k]}应抽取（　　）。"
    )
    terms = "+".join(f"{size}×{sd}" for size, sd in zip(sizes, sds, strict=True))
    steps = (
        f"$n_h=n\\frac{{N_h\\sigma_h}}{{\\sum N_h\\sigma_h}}$，$\\sum N_h\\sigma_h$={terms}="
        f"{sum(a * b for a, b in zip(sizes, sds, strict=True))}；{n}×{sizes[k] * sds[k]}÷"
        f"{sum(a * b for a, b in zip(sizes, sds, strict=True))}={best[k]}人"
    )
    choice = numeric_choice(best[k], mistakes, rank, decimals=0, unit="人")
    return Problem("find", stem, choice, steps, "analyse")


def stratum_size_back(rng: random.Random, rank: int) -> Problem:
    """Find a stratum's size in the population from the sample sizes of proportional allocation."""
    each = rng.choice((15, 20, 24, 25, 30, 40))
    a, b, c = rng.sample((8, 10, 12, 15, 16, 18, 20, 24, 25, 30), 3)
    n, known = a + b + c, a * each
    key = c * each
    wrong = [
        (float(b * each), "求成第二层的总人数"),
        (float(n * each), "求成总体人数"),
        (float((n - a) * each), "求成后两层的总人数，没有减去第二层"),
        (float(known), "以为各层总人数相等"),
        (known * a / c, "比例颠倒"),
        (known * c / n, "以样本容量作第一层的样本人数"),
        (float((a + b) * each), "求成前两层的总人数"),
    ]
    mistakes = [Mistake(v, why) for v, why in wrong if abs(v - round(v)) < 1e-9]
    names = rng.choice(STRATA)
    stem = (
        f"某调查按各层人数比例作分层抽样，共抽取{n}人，其中{names[0]}{a}人，{names[1]}{b}人，"
        f"其余为{names[2]}。"
        f"已知总体中{names[0]}有{known}人，则总体中{names[2]}有（　　）。"
    )
    steps = f"{names[2]}抽取{n}-{a}-{b}={c}人；抽样比为{a}÷{known}，即每{each}人抽1人；{names[2]}共有{c}×{each}={key}人"
    choice = numeric_choice(key, mistakes, rank, decimals=0, unit="人")
    return Problem("missing", stem, choice, steps, "analyse")


def which_allocation(rng: random.Random, rank: int) -> Problem:
    """Decide which numbers are the optimum allocation."""
    n, sizes, sds, best = draw_strata(rng)
    squares = [size * sd * sd for size, sd in zip(sizes, sds, strict=True)]
    total = sum(sizes)

    def rounded(weights: list[float]) -> list[int]:
        plan = [round(n * w / sum(weights)) for w in weights[:2]]
        return [*plan, n - sum(plan)]

    def verdict(plan: list[int]) -> str:
        return "、".join(f"{v}人" for v in plan)

    plans = [
        (rounded([float(s) for s in sizes]), "只按各层人数比例分配"),
        (rounded([float(s) for s in sds]), "只按各层标准差分配"),
        (rounded([float(s) for s in squares]), "以方差代替标准差"),
    ]
    if any(max(abs(a - b) for a, b in zip(plan, best, strict=True)) < 3 for plan, _ in plans):
        raise Redraw
    names = rng.choice(STRATA)
    topic = rng.choice(("时间管理", "人际信任", "风险偏好"))
    spread = "、".join(str(s) for s in sds)
    stem = (
        f"研究{topic}时总体{total}人分为三层：{sizes_in_words(names, sizes)}，"
        f"各层得分的标准差依次为{spread}。"
        f"样本容量定为{n}，各层抽样费用相同，要使估计总体平均数的误差最小，三层依次应抽取（　　）。"
    )
    steps = (
        f"最优分配$n_h=n\\frac{{N_h\\sigma_h}}{{\\sum N_h\\sigma_h}}$，各层$N_h\\sigma_h$之比为"
        f"{'：'.join(str(a * b) for a, b in zip(sizes, sds, strict=True))}；依次为{verdict(best)}"
    )
    distractors = [(verdict(plan), why) for plan, why in plans]
    return Problem("decide", stem, text_choice(verdict(best), distractors, rank), steps, "analyse")


def allocation_difference(rng: random.Random, rank: int) -> Problem:
    """Compare optimum and proportional allocation for one stratum."""
    n, sizes, sds, best = draw_strata(rng)
    k, total = rng.randrange(3), sum(sizes)
    share = round(n * sizes[k] / total)
    key = abs(best[k] - share)
    squares = [size * sd * sd for size, sd in zip(sizes, sds, strict=True)]
    wrong = [
        (abs(n * sds[k] / sum(sds) - share), "最优分配只按标准差分配"),
        (abs(n * squares[k] / sum(squares) - share), "最优分配误用方差"),
        (abs(n / 3 - share), "把最优分配当作三层平均分配"),
        (abs(best[k] - n / 3), "把比例分配当作三层平均分配"),
        (float(best[k]), "求成最优分配的人数，没有相减"),
        (float(share), "求成比例分配的人数，没有相减"),
        (abs(best[k - 1] - n * sizes[k - 1] / total), "求成另一层的差"),
        (abs(best[k - 2] - n * sizes[k - 2] / total), "求成另一层的差"),
    ]
    mistakes = [Mistake(float(number(v, 0)), why) for v, why in wrong if v >= 0.5]
    names = rng.choice(STRATA)
    topic = rng.choice(("亲子沟通", "生活满意度", "数字素养"))
    spread = "、".join(str(s) for s in sds)
    direction = "多" if best[k] > share else "少"
    stem = (
        f"关于{topic}的调查把总体分为三层：{sizes_in_words(names, sizes)}，各层标准差依次为{spread}，"
        f"共抽取{n}人。"
        f"与按人数比例分配相比，最优分配（兼顾各层人数与标准差）使{names[k]}{direction}抽取（　　）。"
    )
    sums = sum(a * b for a, b in zip(sizes, sds, strict=True))
    steps = (
        f"比例分配：{n}×{sizes[k]}÷{total}={share}人；最优分配："
        f"{n}×({sizes[k]}×{sds[k]})÷{sums}={best[k]}人；"
        f"相差{key}人"
    )
    choice = numeric_choice(key, mistakes, rank, decimals=0, unit="人")
    return Problem("compare", stem, choice, steps, "analyse")


def stratified_error(rng: random.Random, rank: int) -> Problem:
    """Find the standard error of a stratified mean: $\\sqrt{\\sum W_h^2\\sigma_h^2/n_h}$."""
    weights = rng.choice(((0.5, 0.3, 0.2), (0.4, 0.4, 0.2), (0.6, 0.3, 0.1), (0.2, 0.5, 0.3)))
    n = rng.choice((50, 100, 200, 400))
    sds = tuple(rng.sample((4, 5, 6, 8, 10, 12), 3))
    counts = [round(n * w) for w in weights]
    pairs = list(zip(weights, sds, counts, strict=True))
    variance = sum(w * w * s * s / c for w, s, c in pairs)
    key = settled(variance**0.5, 2, float(number(variance, 4)) ** 0.5)
    mean_sd = sum(w * s for w, s, _ in pairs)
    wrong = [
        (sum(w * s * s / c for w, s, c in pairs) ** 0.5, "各层权数没有平方"),
        (sum(s * s / c for _, s, c in pairs) ** 0.5, "漏乘各层权数"),
        (variance, "漏了开方"),
        (mean_sd / n**0.5, "以标准差的加权平均代替方差的加权平均"),
        (sum(w * s / c**0.5 for w, s, c in pairs), "把各层标准误按权数直接相加"),
        (mean_sd / (n / 3) ** 0.5, "以每层平均人数作分母"),
        (sum(w * w * s / c for w, s, c in pairs) ** 0.5, "以标准差代替方差"),
        (sum(w * w * s * s for w, s, _ in pairs) ** 0.5 / n**0.5, "各层都以总样本容量作分母"),
    ]
    mistakes = [Mistake(v, why) for v, why in wrong]
    names = rng.choice(STRATA)
    shown = "，".join(f"{name}占{plain(w)}" for name, w in zip(names, weights, strict=True))
    stem = (
        f"总体很大，分为三层：{shown}。按此比例分层抽取{n}人（各层人数依次为{'、'.join(map(str, counts))}），"
        f"由大量资料知各层标准差依次为{'、'.join(map(str, sds))}，则用分层样本估计总体平均数的标准误"
        "$\\sqrt{\\sum W_h^2\\sigma_h^2/n_h}$的值（$W_h$为各层的比例，保留两位小数）为（　　）。"
    )
    terms = "+".join(f"{plain(w)}^2\\times {s}^2\\div {c}" for w, s, c in pairs)
    steps = f"$\\sum W_h^2\\sigma_h^2/n_h={terms}={number(variance, 4)}$；开方，即{number(key, 2)}"
    return Problem("find", stem, numeric_choice(key, mistakes, rank), steps, "analyse")


FAMILIES: dict[str, list[Family]] = {
    "stratified-sampling": [
        proportional_share,
        optimum_share,
        stratified_error,
        stratum_size_back,
        which_allocation,
        allocation_difference,
    ]
}
