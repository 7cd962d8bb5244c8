"""t tests for paired samples: laws and oracles."""

import math

import numpy as np
import pytest
from scipy import stats

from psygen.engines.offline.calculation import paired_t_tests
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
from tests.engines.offline.inference_checks import t_line, verdict


def paired_t(stem: str) -> float:
    before, after = grab_rows(stem, r"依次为([\d，]+\d)")
    return float(stats.ttest_rel(after, before).statistic)


def difference_sd(s1: float, s2: float, r: float) -> float:
    cov = np.array([[s1 * s1, r * s1 * s2], [r * s1 * s2, s2 * s2]])
    return math.sqrt(float(np.array([1, -1]) @ cov @ np.array([1, -1])))


def t_from_correlation(stem: str) -> float:
    n, a, b, s1, s2, r = grab(stem, r"^(\d+)名.*平均数由(\d+)升至([\d.]+)，.*分别为(\d+)和(\d+)，.*r=([\d.]+)\$")
    return (b - a) / difference_sd(s1, s2, r) * math.sqrt(n - 1)


def squares_behind_t(stem: str) -> float:
    n, gap, t = grab(stem, r"^(\d+)名.*bar D=(\d+)\$毫秒，\$t\(\d+\)=([\d.]+)\$")
    unbiased = (gap / t) ** 2 * n
    return n * (unbiased * (n - 1) / n + gap**2)


def paired_decision(stem: str) -> str:
    n, a, b, s1, s2, r = grab(
        stem, r"^(\d+)名.*平均数为([\d.]+)和(\d+)，\$S_\{n-1\}\$为(\d+)和(\d+)，.*系数为([\d.]+)，"
    )
    line = t_line(stem, n - 1, "0.05/2" if "双侧" in stem else "0.05")
    return verdict("t", (a - b) / difference_sd(s1, s2, r) * math.sqrt(n), line, 3)


def t_if_matched(stem: str) -> float:
    n, s, r, t = grab(stem, r"^(\d+)对.*都是(\d+)，.*系数为([\d.]+)。.*t=([\d.]+)\$")
    gap = t * difference_sd(s, s, 0) / math.sqrt(n)
    return gap / difference_sd(s, s, r) * math.sqrt(n)


ORACLES: dict[Family, Oracle] = {
    paired_t_tests.paired_t: paired_t,
    paired_t_tests.t_from_correlation: t_from_correlation,
    paired_t_tests.squares_behind_t: squares_behind_t,
    paired_t_tests.paired_decision: paired_decision,
    paired_t_tests.t_if_matched: t_if_matched,
}


@pytest.mark.parametrize("family", families_of(paired_t_tests.FAMILIES), ids=lambda f: f.__name__)
def test_family_keeps_the_laws_and_its_oracle(family: Family) -> None:
    check_laws(family)
    check_oracle(family, ORACLES[family])


def test_both_verdicts_of_paired_decision() -> None:
    check_both_verdicts(paired_t_tests.paired_decision, "拒绝")
