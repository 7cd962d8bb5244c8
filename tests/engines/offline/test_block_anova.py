"""Randomized block analysis of variance: laws and oracles."""

import numpy as np
import pytest
from scipy import stats

from psygen.engines.offline.calculation import block_anova
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


def block_scores(stem: str) -> float:
    table = np.array(grab_rows(stem, r"区组[甲乙丙丁戊]：([\d，]+)"))
    residual = table - table.mean(0) - table.mean(1)[:, None] + table.mean()
    n, k = table.shape
    return float(n * np.var(table.mean(0), ddof=1) / ((residual**2).sum() / (n - 1) / (k - 1)))


def block_squares(stem: str) -> float:
    n = grab(stem, r"有\d+种处理、(\d+)个区组")[0]
    total, treat, f = grab(stem, r"总平方和为([\d.]+)，处理间平方和为([\d.]+)，处理效应的\$F=([\d.]+)\$")
    return total - treat * (1 + (n - 1) / f)


def block_verdict(stem: str) -> str:
    k, n = (int(v) for v in grab(stem, r"有(\d+)种处理和(\d+)个区组"))
    total, treat, block = grab(stem, r"总平方和为(\d+)，处理间平方和为(\d+)，区组平方和为(\d+)")
    df = k * n - 1 - (k - 1) - (n - 1)
    f = treat / (k - 1) / ((total - treat - block) / df)
    significant = stats.f.sf(f, k - 1, df) < 0.05
    return f"$F={f:.2f}$，处理效应{'达到' if significant else '未达'}显著水平"


def block_difference(stem: str) -> float:
    (n,), (treat, block, error) = (
        grab(stem, r"有(\d+)个区组"),
        grab(stem, r"平方和为(\d+)，区组平方和为(\d+)，误差平方和为(\d+)"),
    )
    return treat / 2 * (2 * n - 2) / error - treat / 2 * (3 * n - 3) / (error + block)


ORACLES: dict[Family, Oracle] = {
    block_anova.block_f_from_scores: block_scores,
    block_anova.block_sum_of_squares: block_squares,
    block_anova.block_decision: block_verdict,
    block_anova.block_gain: block_difference,
}


@pytest.mark.parametrize("family", families_of(block_anova.FAMILIES), ids=lambda f: f.__name__)
def test_family_keeps_the_laws_and_its_oracle(family: Family) -> None:
    check_laws(family)
    check_oracle(family, ORACLES[family])


@pytest.mark.parametrize("family", [block_anova.block_decision], ids=lambda f: f.__name__)
def test_both_verdicts_occur(family: Family) -> None:
    check_both_verdicts(family, "未达显著")
