"""Intervals for a difference of independent means: laws and oracles."""

import math

import pytest
from scipy import stats

from psygen.engines.offline.calculation import difference_intervals
from psygen.engines.offline.problem import Family
from tests.engines.offline.applied_checks import (
    Oracle,
    check_both_verdicts,
    check_laws,
    check_oracle,
    families_of,
    grab,
)
from tests.engines.offline.inference_checks import level_share, norm_verdict, t_line, z_line


def limit_with_sigmas(stem: str) -> float:
    s1, s2, n1, n2 = grab(stem, r"sigma_1=(\d+)\$和\$\\sigma_2=(\d+)\$.*?(\d+)人、\D+(\d+)人")
    a, b = grab(stem, r"平均数为(\d+)分和(\d+)分")
    half = z_line(stem, level_share(stem)) * math.hypot(s1 / math.sqrt(n1), s2 / math.sqrt(n2))
    return a - b + (half if "上限" in stem else -half)


def pooled_limit(stem: str) -> float:
    n1, n2, a, b, s1, s2 = grab(
        stem, r"(\d+)人，\D+(\d+)人。.*分别为(\d+)分和(\d+)分，\$S_\{n-1\}\$分别为(\d+)和(\d+)。"
    )
    t = stats.ttest_ind_from_stats(a, s1, round(n1), b, s2, round(n2)).statistic
    half = t_line(stem, n1 + n2 - 2, "0.05/2") * (a - b) / float(t)
    return a - b + (half if "上限" in stem else -half)


def pooled_variance_behind(stem: str) -> float:
    n, low, high = grab(stem, r"分配(\d+)人.*\[(-?[\d.]+)，([\d.]+)\]毫秒")
    error = (high - low) / 2 / t_line(stem, 2 * n - 2, "0.05/2")
    return error**2 / (1 / n + 1 / n)


def unequal_groups(stem: str) -> float:
    even, small, large = grab(stem, r"两组各(\d+)人，乙方案一组(\d+)人、另一组(\d+)人")
    return math.sqrt(even / 2 * (small + large) / (small * large))


def difference_contains_zero(stem: str) -> str:
    n, a, b, v1, v2 = grab(stem, r"每组(\d+)人，\D+([\d.]+)和(\d+)，.*\$分别为(\d+)和(\d+)，")
    t = float(stats.ttest_ind_from_stats(a, math.sqrt(v1), round(n), b, math.sqrt(v2), round(n)).statistic)
    half = t_line(stem, 2 * n - 2, "0.05/2") * (a - b) / t
    return norm_verdict(a - b - half, a - b + half, 0)


ORACLES: dict[Family, Oracle] = {
    difference_intervals.limit_with_sigmas: limit_with_sigmas,
    difference_intervals.pooled_limit: pooled_limit,
    difference_intervals.pooled_variance_behind: pooled_variance_behind,
    difference_intervals.unequal_groups: unequal_groups,
    difference_intervals.difference_contains_zero: difference_contains_zero,
}


@pytest.mark.parametrize("family", families_of(difference_intervals.FAMILIES), ids=lambda f: f.__name__)
def test_family_keeps_the_laws_and_its_oracle(family: Family) -> None:
    check_laws(family)
    check_oracle(family, ORACLES[family])


def test_both_verdicts_of_difference_contains_zero() -> None:
    check_both_verdicts(difference_intervals.difference_contains_zero, "包含")
