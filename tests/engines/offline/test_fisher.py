"""Fisher's z: laws and oracles."""

import math
import re

import numpy as np
import pytest

from psygen.engines.offline.calculation import fisher
from psygen.engines.offline.problem import Family
from tests.engines.offline.applied_checks import (
    Oracle,
    check_both_verdicts,
    check_laws,
    check_oracle,
    families_of,
    grab,
    grab_all,
)
from tests.engines.offline.inference_checks import verdict, z_line


def looked_up(stem: str, z: float) -> float:
    """The r that the stem's table gives for the line nearest to z, and that the formula gives too."""
    table = re.findall(r"\$Z_r=(-?[\d.]+)\$时r=(-?[\d.]+)", stem)
    line, r = min(((float(a), float(b)) for a, b in table), key=lambda pair: abs(pair[0] - z))
    assert abs(line - z) < 0.001
    assert abs((math.exp(2 * z) - 1) / (math.exp(2 * z) + 1) - r) < 0.006
    return r


def average_correlation(stem: str) -> float:
    groups = re.findall(r"n=(\d+)，r=([\d.]+)（\$Z_r=([\d.]+)", stem)
    assert len(groups) == 3
    return looked_up(stem, float(np.average([float(z) for *_, z in groups], weights=[int(n) - 3 for n, *_ in groups])))


def third_correlation(stem: str) -> float:
    first, second, mean = grab_all(stem, r"r=[\d.]+时\$Z_r=([\d.]+)\$")
    return looked_up(stem, 3 * mean - (first + second))


def unequal_steps(stem: str) -> float:
    a, b, c, d = grab_all(stem, r"r=[\d.]+时\$Z_r=([\d.]+)\$")
    rs = grab_all(stem, r"r=([\d.]+)时")
    assert all(abs(0.5 * math.log((1 + r) / (1 - r)) - z) < 0.0006 for r, z in zip(rs, (a, b, c, d), strict=True))
    return (d - c) / (b - a)


def two_correlations(stem: str) -> str:
    n1, n2, alpha = grab(stem, r"（(\d+)人）和\D+（(\d+)人）.*alpha=([\d.]+)\$")
    z1, z2 = grab_all(stem, r"时\$Z_r=([\d.]+)\$")
    z = (z1 - z2) / math.hypot(1 / math.sqrt(n1 - 3), 1 / math.sqrt(n2 - 3))
    return verdict("Z", z, z_line(stem, f"{alpha:g}/2"), 2)


ORACLES: dict[Family, Oracle] = {
    fisher.average_correlation: average_correlation,
    fisher.third_correlation: third_correlation,
    fisher.unequal_steps: unequal_steps,
    fisher.two_correlations: two_correlations,
}


@pytest.mark.parametrize("family", families_of(fisher.FAMILIES), ids=lambda f: f.__name__)
def test_family_keeps_the_laws_and_its_oracle(family: Family) -> None:
    check_laws(family)
    check_oracle(family, ORACLES[family])


def test_both_verdicts_of_two_correlations() -> None:
    check_both_verdicts(fisher.two_correlations, "拒绝")
