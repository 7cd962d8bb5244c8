"""Intervals for a difference of paired means: laws and oracles."""

import math
import statistics

import numpy as np
import pytest
from scipy import optimize

from psygen.engines.offline.calculation import paired_intervals
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
from tests.engines.offline.inference_checks import norm_verdict, t_line


def paired_limit(stem: str) -> float:
    before, after = grab_rows(stem, r"依次为([\d，]+\d)")
    differences = [b - a for a, b in zip(before, after, strict=True)]
    n = len(differences)
    half = t_line(stem, n - 1, "0.05/2") * statistics.stdev(differences) / math.sqrt(n)
    return statistics.mean(differences) + (half if "上限" in stem else -half)


def difference_error(s1: float, s2: float, r: float, n: float) -> float:
    cov = np.array([[s1 * s1, r * s1 * s2], [r * s1 * s2, s2 * s2]])
    return math.sqrt(float(np.array([1, -1]) @ cov @ np.array([1, -1])) / n)


def half_width_from_r(stem: str) -> float:
    n, s1, s2, r = grab(stem, r"^(\d+)名.*分别为(\d+)毫秒和(\d+)毫秒.*r=([\d.]+)\$")
    return t_line(stem, n - 1, "0.05/2") * difference_error(s1, s2, r, n)


def correlation_behind(stem: str) -> float:
    n, s1, s2, low, high = grab(stem, r"^(\d+)名.*分别为(\d+)和(\d+)。.*\[(-?[\d.]+)，([\d.]+)\]")
    half = (high - low) / 2 / t_line(stem, n - 1, "0.05/2")
    return float(optimize.brentq(lambda r: difference_error(s1, s2, r, n) - half, -0.999, 0.999))


def gain_of_matching(stem: str) -> float:
    n, s, r = grab(stem, r"每组(\d+)人；.*都是(\d+)，.*相关系数为([\d.]+)。")
    matched = t_line(stem, n - 1, "0.05/2") * difference_error(s, s, r, n)
    return 100 * matched / (t_line(stem, 2 * n - 2, "0.05/2") * difference_error(s, s, 0, n))


def paired_contains_zero(stem: str) -> str:
    n, a, b, s1, s2, r = grab(
        stem, r"^(\d+)名.*平均数为([\d.]+)和(\d+)，\$S_\{n-1\}\$为(\d+)和(\d+)，.*系数为([\d.]+)，"
    )
    half = t_line(stem, n - 1, "0.05/2") * difference_error(s1, s2, r, n)
    return norm_verdict(a - b - half, a - b + half, 0)


ORACLES: dict[Family, Oracle] = {
    paired_intervals.paired_limit: paired_limit,
    paired_intervals.half_width_from_r: half_width_from_r,
    paired_intervals.correlation_behind: correlation_behind,
    paired_intervals.gain_of_matching: gain_of_matching,
    paired_intervals.paired_contains_zero: paired_contains_zero,
}


@pytest.mark.parametrize("family", families_of(paired_intervals.FAMILIES), ids=lambda f: f.__name__)
def test_family_keeps_the_laws_and_its_oracle(family: Family) -> None:
    check_laws(family)
    check_oracle(family, ORACLES[family])


def test_both_verdicts_of_paired_contains_zero() -> None:
    check_both_verdicts(paired_intervals.paired_contains_zero, "包含")
