"""Degrees of freedom: laws and oracles."""

import statistics

import numpy as np
import pytest
from scipy import stats

from psygen.engines.offline.calculation import degrees_of_freedom
from psygen.engines.offline.problem import Family
from tests.engines.offline.applied_checks import (
    Oracle,
    check_both_verdicts,
    check_laws,
    check_oracle,
    families_of,
    grab,
    grab_all,
    grab_rows,
)
from tests.engines.offline.inference_checks import t_line


def merged_table(stem: str) -> float:
    rows, columns = grab(stem, r"列成(\d+)×(\d+)的列联表")
    table = np.arange(1, rows * (columns - 1) + 1).reshape(round(rows), round(columns) - 1)
    return float(stats.chi2_contingency(table).dof)


def people_behind_reports(stem: str) -> float:
    independent, paired = grab_all(stem, r"t\((\d+)\)=")
    per_group = (independent + 2) / 2
    return sum([per_group, per_group, paired + 1])


def two_designs(stem: str) -> str:
    people, pairs = grab(stem, r"有(\d+)名学生.*配成(\d+)对")
    assert people == 2 * pairs
    return f"甲方案{people - 2:.0f}，乙方案{pairs - 1:.0f}"


def which_line(stem: str) -> str:
    n, t = grab(stem, r"^(\d+)名被试.*之差的\$t=([\d.]+)\$")
    line = t_line(stem, n - 1, "0.05" if "是否高于" in stem else "0.05/2")
    sign, action = (">", "拒绝") if t > line else ("<", "保留")
    return f"$df={n - 1:.0f}$，${t:.2f}{sign}{line:.3f}$，{action}虚无假设"


def bound_deviation(stem: str) -> float:
    known = grab_rows(stem, r"离差为：([-\d，]+)，另1人")[0]
    assert len(known) + 1 == grab(stem, r"随机抽取(\d+)人")[0]
    return statistics.variance([*known, -sum(known)])


ORACLES: dict[Family, Oracle] = {
    degrees_of_freedom.merged_table: merged_table,
    degrees_of_freedom.people_behind_reports: people_behind_reports,
    degrees_of_freedom.two_designs: two_designs,
    degrees_of_freedom.which_line: which_line,
    degrees_of_freedom.bound_deviation: bound_deviation,
}


@pytest.mark.parametrize("family", families_of(degrees_of_freedom.FAMILIES), ids=lambda f: f.__name__)
def test_family_keeps_the_laws_and_its_oracle(family: Family) -> None:
    check_laws(family)
    check_oracle(family, ORACLES[family])


def test_both_verdicts_of_which_line() -> None:
    check_both_verdicts(degrees_of_freedom.which_line, "拒绝")
