"""Cohen's d and eta squared: laws and oracles."""

import math

import pytest

from psygen.engines.offline.calculation import effect
from psygen.engines.offline.problem import Family
from tests.engines.offline.applied_checks import (
    Oracle,
    check_both_verdicts,
    check_laws,
    check_oracle,
    families_of,
    grab,
)


def pooled(stem: str) -> float:
    n1, m1, s1, n2, m2, s2 = grab(stem, r"n_1=(\d+)\$.*X_1=(\d+)\$.*s_1=(\d+)\$.*n_2=(\d+)\$.*X_2=(\d+)\$.*s_2=(\d+)\$")
    squares = s1**2 * n1 - s1**2 + s2**2 * n2 - s2**2
    return (m1 - m2) * math.sqrt((n1 + n2 - 2) / squares)


def from_t(stem: str) -> float:
    n1, n2, t = grab(stem, r"n_1=(\d+)\$.*n_2=(\d+)\$.*t=([\d.]+)\$")
    return t * math.sqrt((n1 + n2) / (n1 * n2))


def grade(value: float, cuts: tuple[float, float, float]) -> str:
    if value < cuts[0]:
        return "极小"
    if value < cuts[1]:
        return "小"
    return "中等" if value < cuts[2] else "大"


def paired(stem: str) -> str:
    gap, sd = grab(stem, r"平均数为([\d.]+)，差数的标准差为(\d+)")
    return f"$d={gap / sd + 1e-9:.2f}$，属于{grade(gap / sd, (0.2, 0.5, 0.8))}效应"


def two_studies(stem: str) -> float:
    n1, t1, n2, t2 = grab(stem, r"n=(\d+)\$，\$t=([\d.]+)\$；.*n=(\d+)\$，\$t=([\d.]+)\$")
    return math.sqrt(t1**2 / n1) - math.sqrt(t2**2 / n2)


def eta(stem: str) -> float:
    size, between, unit = grab(stem, r"每组(\d+)人.*组间平方和为(\d+)，组内均方为([\d.]+)")
    f = between / 3 / unit
    return 3 * f / (3 * f + 4 * size - 4)


def f_ratio(stem: str) -> float:
    k, count, share = grab(stem, r"比较了(\d)组共(\d+)名.*eta\^2=([\d.]+)\$")
    return share * (count - k) / ((k - 1) * (1 - share))


def graded_share(stem: str) -> str:
    df, f = grab(stem, r"F\(2,(\d+)\)=([\d.]+)\$")
    share = 1 / (1 + df / (2 * f))
    return f"$\\eta^2={share:.3f}$，属于{grade(share, (0.01, 0.06, 0.14))}效应"


def partial(stem: str) -> float:
    main, other, both, within = grab(stem, r"SS_A=(\d+)\$.*SS_B=(\d+)\$.*SS_\{AB\}=(\d+)\$.*SS_w=(\d+)\$")
    return main * (other + both) / ((main + within) * (main + other + both + within))


ORACLES: dict[Family, Oracle] = {
    effect.pooled_d: pooled,
    effect.d_from_t: from_t,
    effect.graded_d: paired,
    effect.same_t_two_studies: two_studies,
    effect.eta_from_table: eta,
    effect.f_from_eta: f_ratio,
    effect.graded_eta: graded_share,
    effect.partial_against_whole: partial,
}


@pytest.mark.parametrize("family", families_of(effect.FAMILIES), ids=lambda f: f.__name__)
def test_family_keeps_the_laws_and_its_oracle(family: Family) -> None:
    check_laws(family)
    check_oracle(family, ORACLES[family])


@pytest.mark.parametrize("family", [effect.graded_d, effect.graded_eta], ids=lambda f: f.__name__)
def test_several_grades_occur(family: Family) -> None:
    check_both_verdicts(family, "中等")
