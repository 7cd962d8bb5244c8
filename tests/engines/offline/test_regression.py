"""Simple linear regression and its significance test: laws and oracles."""

import re

import numpy as np
import pytest
from scipy import stats

from psygen.engines.offline.calculation import regression
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


def prediction(stem: str) -> float:
    pairs = np.array(grab_rows(stem, r"（(\d+，\d+)）"))
    slope, intercept = np.polyfit(pairs[:, 0], pairs[:, 1], 1)
    return float(intercept + slope * grab(stem, r"X=(\d+)的被试")[0])


def spread(stem: str) -> float:
    forth, back, sx = grab(stem, r"b_\{YX\}=([\d.]+).*b_\{XY\}=([\d.]+).*X的标准差为(\d+)")
    return float(np.sqrt(forth / back * sx * sx))


def equation(stem: str) -> str:
    mx, sx, my, sy, r = grab(stem, r"X=(\d+)\$，\$s_X=(\d+).*Y=(\d+)\$，\$s_Y=(\d+)\$，\$r=([-\d.]+)\$")
    covariance = r * sx * sy
    slope = covariance / sx**2
    return f"$\\hat Y={my - slope * mx:.2f}{slope:+.2f}X$"


def intercept(stem: str) -> float:
    a, b, kx, cx = grab(stem, r"Y=(\d+)\+([\d.]+)X\$.*X'=(\d+)X\+(\d+)")
    found = re.search(r"Y'=(\d*)Y(?:\+(\d+))?\$", stem)
    assert found is not None
    ky, cy = float(found[1] or 1), float(found[2] or 0)
    xs = np.array([0.0, 1.0, 5.0])
    return float(np.polyfit(kx * xs + cx, ky * (a + b * xs) + cy, 1)[1])


def f_ratio(stem: str) -> float:
    n, lxx, lyy, lxy = grab(stem, r"对(\d+)名.*\^2=(\d+)\$，\$L_\{yy\}.*\^2=(\d+)\$.*Y\)=(\d+)\$")
    r = lxy / np.sqrt(lxx * lyy)
    return float((r * np.sqrt((n - 2) / (1 - r * r))) ** 2)


def correlation(stem: str) -> float:
    n, f = grab(stem, r"对(\d+)名.*F=([\d.]+)\$")
    t = np.sqrt(f)
    return float(t / np.sqrt(t * t + n - 2))


def verdict(stem: str) -> str:
    n, r = grab(stem, r"抽取(\d+)名.*r=([\d.]+)\$")
    t = r / np.sqrt((1 - r * r) / (n - 2))
    significant = 2 * stats.t.sf(t, n - 2) < 0.05
    return f"$F={t * t:.2f}$，回归方程{'达到' if significant else '未达'}显著水平"


def wider(stem: str) -> float:
    b, s, lxx, factor = grab(stem, r"b=([\d.]+)\$.*s_\{YX\}=([\d.]+)\$.*\^2=(\d+)\$。.*原来的([\d.]+)倍")
    return float(b / (s / np.sqrt(lxx * factor)))


ORACLES: dict[Family, Oracle] = {
    regression.prediction_from_scores: prediction,
    regression.spread_from_two_slopes: spread,
    regression.equation_from_summary: equation,
    regression.intercept_after_rescaling: intercept,
    regression.f_of_regression: f_ratio,
    regression.correlation_from_f: correlation,
    regression.regression_decision: verdict,
    regression.slope_test_after_wider_range: wider,
}


@pytest.mark.parametrize("family", families_of(regression.FAMILIES), ids=lambda f: f.__name__)
def test_family_keeps_the_laws_and_its_oracle(family: Family) -> None:
    check_laws(family)
    check_oracle(family, ORACLES[family])


def test_both_verdicts_occur() -> None:
    check_both_verdicts(regression.regression_decision, "未达显著")
