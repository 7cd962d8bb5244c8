"""Chi-square test of goodness of fit: laws and oracles."""

import re

import numpy as np
import pytest
from scipy import stats

from psygen.engines.offline.calculation import chi_square
from psygen.engines.offline.problem import Family
from tests.engines.offline.applied_checks import (
    Oracle,
    check_both_verdicts,
    check_laws,
    check_oracle,
    families_of,
    grab,
)


def ratio_fit(stem: str) -> float:
    body = stem.split("结果为：")[1]
    counts = np.array([float(v) for v in re.findall(r"(\d+)人[，。]", body)])
    found = re.search(r"之比为([\d:]+)，", stem)
    assert found is not None
    ratio = np.array([float(v) for v in found[1].split(":")])
    return float(stats.chisquare(counts, counts.sum() * ratio / ratio.sum()).statistic)


def larger(stem: str) -> float:
    n, p, chi = grab(stem, r"^(\d+)名.*比率为([\d.]+)。.*chi\^2=([\d.]+)\$")
    candidates = range(int(n * p) + 1, int(n))
    return min(candidates, key=lambda f: abs(stats.chisquare([f, n - f], [n * p, n - n * p]).statistic - chi))


def fit_verdict(stem: str) -> str:
    body = stem.split("已知")[0].split("：")[1]
    chi, p = stats.chisquare([int(v) for v in re.findall(r"(\d+)人", body)])
    return f"$\\chi^2={chi:.2f}$，选择{'有' if p < 0.05 else '无'}显著偏好"


def merged(stem: str) -> float:
    a, b, c, d = grab(stem, r"非常赞成(\d+)人，赞成(\d+)人，反对(\d+)人，非常反对(\d+)人")
    return float(stats.chisquare([a, b, c, d]).statistic - stats.chisquare([a + b, c + d]).statistic)


ORACLES: dict[Family, Oracle] = {
    chi_square.fit_to_ratio: ratio_fit,
    chi_square.larger_count: larger,
    chi_square.fit_decision: fit_verdict,
    chi_square.merged_categories: merged,
}


@pytest.mark.parametrize("family", families_of(chi_square.FAMILIES), ids=lambda f: f.__name__)
def test_family_keeps_the_laws_and_its_oracle(family: Family) -> None:
    check_laws(family)
    check_oracle(family, ORACLES[family])


def test_both_verdicts_occur() -> None:
    check_both_verdicts(chi_square.fit_decision, "无显著")
