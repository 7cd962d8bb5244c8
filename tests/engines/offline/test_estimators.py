"""Unbiased variance: laws and oracles."""

import math
import statistics

import pytest
from scipy import stats

from psygen.engines.offline.calculation import estimators
from psygen.engines.offline.problem import Family
from tests.engines.offline.applied_checks import (
    Oracle,
    check_both_verdicts,
    check_laws,
    check_oracle,
    families_of,
    grab,
    grab_rows,
)
from tests.engines.offline.inference_checks import shown


def variance_from_scores(stem: str) -> float:
    return statistics.variance(grab_rows(stem, r"结果为：([\d，]+)。")[0])


def squares_from_estimate(stem: str) -> float:
    n, mean, variance = grab(stem, r"测查了(\d+)名.*\\bar X=(\d+)\$.*S_\{n-1\}\^2=(\d+)")
    return n * (variance * (n - 1) / n + mean * mean)


def pooled_estimate(stem: str) -> float:
    n1, n2, s1, s2 = grab(stem, r"抽取(\d+)人，从乙类中随机抽取(\d+)人.*S_1=(\d+)\$和\$S_2=(\d+)")
    sds = [s * math.sqrt(n / (n - 1)) for s, n in ((s1, n1), (s2, n2))]
    t = stats.ttest_ind_from_stats(1, sds[0], round(n1), 0, sds[1], round(n2)).statistic
    return float(1 / t**2 / (1 / n1 + 1 / n2))


def bias_of_two_designs(stem: str) -> float:
    sigma, n1, n2 = grab(stem, r"sigma=(\d+).*随机抽取(\d+)人，乙方案每次随机抽取(\d+)人")
    return sigma**2 * ((n2 - 1) / n2 - (n1 - 1) / n1)


def larger_estimate(stem: str) -> str:
    n1, a, n2, b = grab(stem, r"甲组抽取(\d+)人，离差平方和为(\d+)；乙组抽取(\d+)人，离差平方和为(\d+)")
    gap = a / (n1 - 1) - b / (n2 - 1)
    return f"{'甲' if gap > 0 else '乙'}组较大，两者相差{shown(abs(gap), 2)}"


ORACLES: dict[Family, Oracle] = {
    estimators.variance_from_scores: variance_from_scores,
    estimators.squares_from_estimate: squares_from_estimate,
    estimators.pooled_estimate: pooled_estimate,
    estimators.bias_of_two_designs: bias_of_two_designs,
    estimators.larger_estimate: larger_estimate,
}


@pytest.mark.parametrize("family", families_of(estimators.FAMILIES), ids=lambda f: f.__name__)
def test_family_keeps_the_laws_and_its_oracle(family: Family) -> None:
    check_laws(family)
    check_oracle(family, ORACLES[family])


def test_both_verdicts_of_larger_estimate() -> None:
    check_both_verdicts(estimators.larger_estimate, "甲组")
