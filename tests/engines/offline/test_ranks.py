"""Rank-sum test: laws and oracles."""

import numpy as np
import pytest
from scipy import stats

from psygen.engines.offline.calculation import ranks
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


def rank_total(first: list[float], second: list[float]) -> float:
    """Through the Mann-Whitney statistic of scipy."""
    u = float(stats.mannwhitneyu(first, second).statistic)
    return u + len(first) * (len(first) + 1) / 2


def rank_sum(stem: str) -> float:
    first, second = grab_rows(stem, r"人）为([\d，]+)")
    return rank_total(first, second)


def z_value(small: float, large: float, t: float) -> float:
    positions = np.arange(1, small + large + 1)
    spread = positions.var(ddof=1) * small * large / (small + large)
    return float((t - small * positions.mean()) / np.sqrt(spread))


def z_of_other(stem: str) -> float:
    small, large, other = grab(stem, r"分别为(\d+)人和(\d+)人，.*等级之和为(\d+)。")
    return z_value(small, large, sum(range(1, int(small + large) + 1)) - other)


def rank_verdict(stem: str) -> str:
    small, large, t = grab(stem, r"（(\d+)人）与.*?（(\d+)人）.*等级之和为(\d+)。")
    z = abs(z_value(small, large, t))
    return f"$|Z|={z:.2f}$，两组差异{'达到' if 2 * stats.norm.sf(z) < 0.05 else '未达'}显著水平"


def corrected(stem: str) -> float:
    first, second = grab_rows(stem, r"人）为([\d，]+)")
    old, new = grab(stem, r"中的(\d+)应更正为(\d+)。")
    first[first.index(old)] = new
    return rank_total(first, second)


ORACLES: dict[Family, Oracle] = {
    ranks.rank_sum_from_scores: rank_sum,
    ranks.z_from_other_sum: z_of_other,
    ranks.rank_sum_decision: rank_verdict,
    ranks.corrected_score: corrected,
}


@pytest.mark.parametrize("family", families_of(ranks.FAMILIES), ids=lambda f: f.__name__)
def test_family_keeps_the_laws_and_its_oracle(family: Family) -> None:
    check_laws(family)
    check_oracle(family, ORACLES[family])


def test_both_verdicts_occur() -> None:
    check_both_verdicts(ranks.rank_sum_decision, "未达显著")
