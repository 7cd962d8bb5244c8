"""Significance tests of a correlation: laws and oracles."""

import math

import pytest
from scipy import optimize

from psygen.engines.offline.calculation import correlation_tests
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
from tests.engines.offline.inference_checks import t_line, verdict


def t_statistic(r: float, n: float) -> float:
    """Through the slope of a regression on standard scores: b / SE(b)."""
    return r / math.sqrt((1 - r * r) / (n - 2))


def correlation_t(stem: str) -> float:
    n, xx, yy, xy = grab(stem, r"抽取(\d+)名.*\^2=(\d+)\$，.*\^2=(\d+)\$，.*=(\d+)\$。")
    slope = xy / xx
    rest = (yy - slope * xy) / (n - 2)
    return slope / math.sqrt(rest / xx)


def least_correlation(stem: str) -> float:
    n, alpha = grab(stem, r"抽取(\d+)名.*alpha=([\d.]+)\$")
    line = t_line(stem, n - 2, f"{alpha:g}/2" if "双侧" in stem else f"{alpha:g}")
    return float(optimize.brentq(lambda r: t_statistic(r, n) - line, 0.001, 0.999))


def correlation_decision(stem: str) -> str:
    n, r, alpha = grab(stem, r"抽取(\d+)名.*系数为([\d.]+)，.*alpha=([\d.]+)\$")
    line = t_line(stem, n - 2, f"{alpha:g}/2" if "双侧" in stem else f"{alpha:g}")
    return verdict("t", t_statistic(r, n), line, 3)


def people_for_same_t(stem: str) -> float:
    n, r1, r2 = grab(stem, r"抽取(\d+)名.*系数为([\d.]+)。乙研究预计只能得到([\d.]+)的")
    return next(k for k in range(3, 999) if t_statistic(r2, k) >= t_statistic(r1, n))


def against_other_rho(stem: str) -> float:
    n = grab(stem, r"抽取(\d+)名")[0]
    here, there = grab_all(stem, r"Z_r=([\d.]+)\$")
    return (here - there) / (1 / math.sqrt(n - 3))


ORACLES: dict[Family, Oracle] = {
    correlation_tests.correlation_t: correlation_t,
    correlation_tests.least_correlation: least_correlation,
    correlation_tests.correlation_decision: correlation_decision,
    correlation_tests.people_for_same_t: people_for_same_t,
    correlation_tests.against_other_rho: against_other_rho,
}


@pytest.mark.parametrize("family", families_of(correlation_tests.FAMILIES), ids=lambda f: f.__name__)
def test_family_keeps_the_laws_and_its_oracle(family: Family) -> None:
    check_laws(family)
    check_oracle(family, ORACLES[family])


def test_both_verdicts_of_correlation_decision() -> None:
    check_both_verdicts(correlation_tests.correlation_decision, "拒绝")
