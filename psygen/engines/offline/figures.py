"""What several topics print or add up alike: plain numbers, lists, entries of the normal table, chi-square sums.

Nothing here draws a problem; the guards against doubtful rounding stand in `guards`.
"""

import random
from collections.abc import Sequence
from statistics import NormalDist

from psygen.engines.offline.problem import Mistake, number
from psygen.engines.offline.tables import z_critical


def plain(value: float) -> str:
    """`value` without trailing zeros, at most four decimals: 12.0 is 12, 12.50 is 12.5."""
    return f"{value:.4f}".rstrip("0").rstrip(".")


def listed(values: Sequence[float]) -> str:
    """Scores as a stem lists them."""
    return "，".join(plain(v) for v in values)


def enumerated(values: Sequence[float]) -> str:
    """Values as a Chinese enumeration."""
    return "、".join(plain(v) for v in values)


def proper(wrong: Sequence[tuple[float, str]]) -> list[Mistake]:
    """The mistakes whose result still is a probability; others would be given away."""
    return [Mistake(value, why) for value, why in wrong if 0 < value < 1]


def area(z: float) -> float:
    """Printed area under the normal curve between 0 and |z|, four decimals."""
    return float(number(NormalDist().cdf(abs(z)) - 0.5, 4))


def printed_areas(*zs: float) -> str:
    """The entries of the normal table a stem needs, smallest z first."""
    entries = sorted({abs(z) for z in zs})
    return "，".join(f"$z$为0到{number(z, 2)}的面积为{number(area(z), 4)}" for z in entries)


def sided(tails: int) -> str:
    """The kind of a test in words."""
    return "双侧" if tails == 2 else "单侧"


def z_entry(alpha: float, tails: int) -> str:
    """The table value of Z inside a formula, such as Z_{0.05/2}=1.96."""
    return f"Z_{{{alpha:g}{'/2' if tails == 2 else ''}}}={z_critical(alpha, tails):g}"


def neat_error(rng: random.Random, roots: Sequence[int], low: int, high: int) -> tuple[int, int, float]:
    """(root, SD, SD / root) with at most one decimal in the standard error."""
    root = rng.choice(roots)
    sd = rng.choice([k for k in range(low, high) if k * 10 % root == 0])
    return root, sd, sd / root


def chi_sum(observed: Sequence[float], expected: Sequence[float]) -> float:
    """Chi-square of observed against expected frequencies."""
    return sum((o - e) ** 2 / e for o, e in zip(observed, expected, strict=True))


def carried_chi_sum(observed: Sequence[float], expected: Sequence[float]) -> float:
    """The same with every term rounded to two decimals, as by hand."""
    return sum(float(number((o - e) ** 2 / e, 2)) for o, e in zip(observed, expected, strict=True))
