"""Chi-square test of independence: laws and oracles."""

import pytest
from scipy import stats

from psygen.engines.offline.calculation import contingency
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


def pearson(table: list[list[float]]) -> tuple[float, float]:
    chi, p, _, _ = stats.chi2_contingency(table, correction=False)
    return float(chi), float(p)


def table_chi(stem: str) -> float:
    return pearson(grab_rows(stem, r"：((?:[^，；。\d]+\d+人[，；。]){3})"))[0]


def cell(stem: str) -> float:
    m, c1, chi = grab(stem, r"各(\d+)人，.*共有(\d+)人.*chi\^2=([\d.]+)\$")
    candidates = range(int(c1 / 2) + 1, int(min(c1, m)))
    return min(candidates, key=lambda a: abs(pearson([[a, m - a], [c1 - a, m - c1 + a]])[0] - chi))


def table_verdict(stem: str) -> str:
    chi, p = pearson(grab_rows(stem, r"：((?:[^，；。\d]+\d+人[，；。]){2})"))
    return f"$\\chi^2={chi:.2f}$，两者{'有' if p < 0.05 else '无'}显著关联"


def enough(stem: str) -> float:
    a, b, c, d = grab(stem, r"a=(\d+)，b=(\d+)（第一行），c=(\d+)，d=(\d+)（")
    times = next(k for k in range(1, 99) if pearson([[k * a, k * b], [k * c, k * d]])[1] < 0.05)
    return times * (a + b + c + d)


ORACLES: dict[Family, Oracle] = {
    contingency.independence_from_table: table_chi,
    contingency.cell_from_chi: cell,
    contingency.independence_decision: table_verdict,
    contingency.sample_for_significance: enough,
}


@pytest.mark.parametrize("family", families_of(contingency.FAMILIES), ids=lambda f: f.__name__)
def test_family_keeps_the_laws_and_its_oracle(family: Family) -> None:
    check_laws(family)
    check_oracle(family, ORACLES[family])


def test_both_verdicts_occur() -> None:
    check_both_verdicts(contingency.independence_decision, "无显著")
