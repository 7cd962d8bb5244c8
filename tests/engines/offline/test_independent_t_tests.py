"""t tests for independent samples: laws and oracles."""

import math

import pytest
from scipy import stats

from psygen.engines.offline.calculation import independent_t_tests
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


def pooled_t(stem: str) -> float:
    n1, n2, a, b, s1, s2 = grab(stem, r"抽取\D+(\d+)人、\D+(\d+)人，\D+分别为(\d+)和(\d+)，.*分别为(\d+)和(\d+)。")
    u1, u2 = s1 * math.sqrt(n1 / (n1 - 1)), s2 * math.sqrt(n2 / (n2 - 1))
    return float(stats.ttest_ind_from_stats(a, u1, round(n1), b, u2, round(n2)).statistic)


def t_from_two_lists(stem: str) -> float:
    first, second = grab_rows(stem, r"[组班](\d+(?:，\d+)+)")
    return float(stats.ttest_ind(first, second).statistic)


def least_difference(stem: str) -> float:
    n, v1, v2 = grab(stem, r"分配(\d+)人，.*分别为(\d+)和(\d+)（")
    line = t_line(stem, 2 * n - 2, "0.05/2" if "双侧" in stem else "0.05")
    one = stats.ttest_ind_from_stats(1, math.sqrt(v1), round(n), 0, math.sqrt(v2), round(n)).statistic
    return line / float(one)


def independent_decision(stem: str) -> str:
    n, a, b, s1, s2 = grab(stem, r"每组(\d+)人。\D+([\d.]+)和(\d+)，\$S_\{n-1\}\$为(\d+)和(\d+)，")
    line = t_line(stem, 2 * n - 2, "0.05/2" if "双侧" in stem else "0.05")
    t = float(stats.ttest_ind_from_stats(a, s1, round(n), b, s2, round(n)).statistic)
    return verdict("t", t, line, 3)


def t_of_other_split(stem: str) -> float:
    even, t, small, large = grab(stem, r"两组各(\d+)人时.*t=([\d.]+)\$.*一组(\d+)人、另一组(\d+)人")
    return t * math.sqrt(2 / even) * math.sqrt(small * large / (small + large))


ORACLES: dict[Family, Oracle] = {
    independent_t_tests.pooled_t: pooled_t,
    independent_t_tests.t_from_two_lists: t_from_two_lists,
    independent_t_tests.least_difference: least_difference,
    independent_t_tests.independent_decision: independent_decision,
    independent_t_tests.t_of_other_split: t_of_other_split,
}


@pytest.mark.parametrize("family", families_of(independent_t_tests.FAMILIES), ids=lambda f: f.__name__)
def test_family_keeps_the_laws_and_its_oracle(family: Family) -> None:
    check_laws(family)
    check_oracle(family, ORACLES[family])


def test_both_verdicts_of_independent_decision() -> None:
    check_both_verdicts(independent_t_tests.independent_decision, "拒绝")
