"""Tests of homogeneity of variance: laws and oracles."""

import math

import pytest

from psygen.engines.offline.calculation import homogeneity_tests
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
from tests.engines.offline.inference_checks import shown


def f_from_descriptive_sds(stem: str) -> float:
    n1, n2, s1, s2 = grab(stem, r"抽取甲类[^、]+?(\d+)人、乙类[^，]+?(\d+)人，.*分别为(\d+)和(\d+)。")
    unbiased = sorted((n1 / (n1 - 1) * s1**2, n2 / (n2 - 1) * s2**2))
    return unbiased[1] / unbiased[0]


def largest_over_smallest(stem: str) -> float:
    n = grab(stem, r"每组(\d+)人")[0]
    sums, squares = grab_all(stem, r"sum X=(\d+)"), grab_all(stem, r"sum X\^2=(\d+)")
    spreads = [q / n - (x / n) ** 2 for x, q in zip(sums, squares, strict=True)]
    assert len(spreads) == 3
    return max(spreads) / min(spreads)


def sd_behind_f(stem: str) -> float:
    n1, s1, n2, f = grab(stem, r"抽取(\d+)人，.*S=(\d+)\$；乙校随机抽取(\d+)人。.*=([\d.]+)\$")
    df1, df2 = grab(stem, r"F\((\d+), (\d+)\)")
    assert (df1, df2) == (n1 - 1, n2 - 1)
    squares = n1 * s1**2 / df1 / f * df2
    return math.sqrt(squares / n2)


def variances_equal(stem: str) -> str:
    n1, v1, n2, v2 = grab(stem, r"抽取(\d+)人，\D+为(\d+)；乙类随机抽取(\d+)人，\D+为(\d+)。")
    line = grab(stem, rf"F_\{{0.05/2\}}\({n1 - 1:.0f}, {n2 - 1:.0f}\)=([\d.]+)")[0]
    assert v1 > v2
    sign, says = (">", "方差不齐") if v1 / v2 > line else ("<", "方差齐性")
    return f"$F={shown(v1 / v2, 2)}{sign}{line:.2f}$，{says}"


def paired_variances(stem: str) -> float:
    before, t, after = grab(stem, r"相关系数为([\d.]+)时，算得\$t=([\d.]+)\$.*相关系数为([\d.]+)，")
    return t * math.sqrt(1 - before**2) / math.sqrt(1 - after**2)


ORACLES: dict[Family, Oracle] = {
    homogeneity_tests.f_from_descriptive_sds: f_from_descriptive_sds,
    homogeneity_tests.largest_over_smallest: largest_over_smallest,
    homogeneity_tests.sd_behind_f: sd_behind_f,
    homogeneity_tests.variances_equal: variances_equal,
    homogeneity_tests.paired_variances: paired_variances,
}


@pytest.mark.parametrize("family", families_of(homogeneity_tests.FAMILIES), ids=lambda f: f.__name__)
def test_family_keeps_the_laws_and_its_oracle(family: Family) -> None:
    check_laws(family)
    check_oracle(family, ORACLES[family])


def test_both_verdicts_of_variances_equal() -> None:
    check_both_verdicts(homogeneity_tests.variances_equal, "不齐")
