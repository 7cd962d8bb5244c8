"""Point-biserial and phi correlation: laws and oracles."""

import math

import numpy as np
import pytest
from scipy import stats

from psygen.engines.offline.calculation import other_correlations
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


def from_scores(stem: str) -> float:
    right, wrong = grab_rows(stem, r"总分为([\d，]+\d)")
    item = [1] * len(right) + [0] * len(wrong)
    return float(np.corrcoef(item, right + wrong)[0, 1])


def failed_mean(stem: str) -> float:
    sd, share, mean, r = grab(stem, r"标准差为(\d+)（.*占([\d.]+)%，平均分为(\d+)，.*系数为([\d.]+)，")
    p = share / 100
    return mean - math.sqrt(r**2 * sd**2 / (p - p * p))


def biserial_verdict(stem: str) -> str:
    n, share, one, mean, sd = grab(
        stem, r"调查了(\d+)名.*占([\d.]+)%，平均分为([\d.]+)，全体平均分为(\d+)，全体标准差为(\d+)（"
    )
    r = (one - mean) / sd / math.sqrt(100 / share - 1)
    t = r / math.sqrt((1 - r * r) / (n - 2))
    significant = 2 * stats.t.sf(t, n - 2) < 0.05
    return f"$t={t:.1f}$，相关{'达到' if significant else '未达'}显著水平"


def items(stem: str) -> float:
    (sd,) = grab(stem, r"标准差为(\d+)（")
    (p1, g1), (p2, g2) = (grab(part, r"率为([\d.]+)，.*高([\d.]+)分") for part in stem.split("；"))
    return math.sqrt((p1 - p1**2) * g1**2) / sd - math.sqrt((p2 - p2**2) * g2**2) / sd


def correlation(a: float, b: float, c: float, d: float) -> float:
    counts = [int(v) for v in (a, b, c, d)]
    first = np.repeat([1, 1, 0, 0], counts)
    second = np.repeat([1, 0, 1, 0], counts)
    return float(np.corrcoef(first, second)[0, 1])


def phi(stem: str) -> float:
    return correlation(*grab(stem, r"的(\d+)人，.*?的(\d+)人，.*?的(\d+)人，.*?的(\d+)人。"))


def cell(stem: str) -> float:
    n, r1, c1, value = grab(stem, r"在(\d+)名被试中，.*?的有(\d+)人，.*?的有(\d+)人，.*系数为([\d.]+)（")
    low, high = int(max(1, r1 + c1 - n + 1)), int(min(r1, c1))
    both = min(range(low, high), key=lambda a: abs(correlation(a, r1 - a, c1 - a, n - r1 - c1 + a) - value))
    return r1 - both


def chi_verdict(stem: str) -> str:
    a, b, c, d = grab(stem, r"a=(\d+)，b=(\d+)（第一行），c=(\d+)，d=(\d+)（")
    chi, p, _, _ = stats.chi2_contingency([[a, b], [c, d]], correction=False)
    return f"$\\chi^2={chi:.2f}$，相关{'达到' if p < 0.05 else '未达'}显著水平"


def enlarged(stem: str) -> str:
    a, b, c, d, times = grab(stem, r"a=(\d+)，b=(\d+)（第一行），c=(\d+)，d=(\d+)（.*扩大到(\d)倍")
    chi = stats.chi2_contingency(np.array([[a, b], [c, d]]) * times, correction=False)[0]
    return f"$\\varphi={math.sqrt(chi / times / (a + b + c + d)):.2f}$，$\\chi^2={chi:.2f}$"


ORACLES: dict[Family, Oracle] = {
    other_correlations.biserial_from_scores: from_scores,
    other_correlations.mean_of_failed: failed_mean,
    other_correlations.biserial_decision: biserial_verdict,
    other_correlations.two_items_compared: items,
    other_correlations.phi_from_table: phi,
    other_correlations.cell_from_phi: cell,
    other_correlations.phi_decision: chi_verdict,
    other_correlations.enlarged_table: enlarged,
}


@pytest.mark.parametrize("family", families_of(other_correlations.FAMILIES), ids=lambda f: f.__name__)
def test_family_keeps_the_laws_and_its_oracle(family: Family) -> None:
    check_laws(family)
    check_oracle(family, ORACLES[family])


@pytest.mark.parametrize(
    "family",
    [other_correlations.biserial_decision, other_correlations.phi_decision],
    ids=lambda f: f.__name__,
)
def test_both_verdicts_occur(family: Family) -> None:
    check_both_verdicts(family, "未达显著")
