"""Kendall's W: laws and oracles."""

import numpy as np
import pytest
from scipy import stats

from psygen.engines.offline.calculation import concordance
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


def from_rankings(stem: str) -> float:
    """Through Friedman's chi-square, which is K (N - 1) W."""
    table = np.array(grab_rows(stem, r"[甲乙丙丁]：([\d，]+)"))
    k, n = table.shape
    chi = float(stats.friedmanchisquare(*table.T).statistic)
    return chi / float(k * (n - 1))


def squares(stem: str) -> float:
    k, n, w = grab(stem, r"(\d+)名.*?对(\d+)件.*W=([\d.]+)\$")
    best = np.arange(1, n + 1) * k
    return float(w * best.var() * n + n * best.mean() ** 2)


def verdict(stem: str) -> str:
    k, n, s = grab(stem, r"(\d+)名.*?对(\d+)个.*S=(\d+)\$")
    chi = 12 * s / (k * n * (n + 1))
    significant = stats.chi2.sf(chi, n - 1) < 0.05
    return f"$\\chi^2={chi:.1f}$，评价者的一致性{'达到' if significant else '未达'}显著水平"


def panels(stem: str) -> float:
    n, k1, q1, k2, q2 = grab(stem, r"同样的(\d+)..*甲组(\d+)人，.*=(\d+)\$；乙组(\d+)人，.*=(\d+)\$")

    def w(k: float, q: float) -> float:
        best = np.arange(1, n + 1) * k
        return float((q / n - best.mean() ** 2) / best.var())

    return w(k1, q1) - w(k2, q2)


ORACLES: dict[Family, Oracle] = {
    concordance.w_from_rankings: from_rankings,
    concordance.squares_from_w: squares,
    concordance.concordance_decision: verdict,
    concordance.two_panels: panels,
}


@pytest.mark.parametrize("family", families_of(concordance.FAMILIES), ids=lambda f: f.__name__)
def test_family_keeps_the_laws_and_its_oracle(family: Family) -> None:
    check_laws(family)
    check_oracle(family, ORACLES[family])


def test_both_verdicts_occur() -> None:
    check_both_verdicts(concordance.concordance_decision, "未达显著")
