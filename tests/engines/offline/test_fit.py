"""Coefficient of determination and standard error of estimate: laws and oracles."""

import math
import re

import numpy as np
import pytest

from psygen.engines.offline.calculation import fit
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


def determination(stem: str) -> float:
    b, sx, sy = grab(stem, r"b=([\d.]+)\$，X的标准差为(\d+)，Y的标准差为(\d+)")
    return (b * sx) ** 2 / sy**2


def residual(stem: str) -> float:
    n, s, r = grab(stem, r"(\d+)名被试.*s_\{n-1\}=(\d+)\$.*系数为([\d.]+)。")
    variance = s * s
    return variance * (n - 1) - variance * (n - 1) * r**2


def better(stem: str) -> str:
    names = re.findall(r"(?:对同一批被试，|，)([^，]+)与[^，。]+的积差相关系数为(-?[\d.]+)", stem)
    (first, one), (second, two) = [(name, float(r)) for name, r in names]
    best = first if abs(one) > abs(two) else second
    points = 100 * abs(one - two) * abs(one + two)
    return f"{best}的预测力较强，解释的变异多{points + 1e-9:.1f}个百分点"


def shares(stem: str) -> float:
    t1, r1, t2, e2 = grab(stem, r"总平方和(\d+)，回归平方和(\d+)；.*总平方和(\d+)，残差平方和(\d+)")
    return 100 * (r1 / t1 + e2 / t2 - 1)


def error(stem: str) -> float:
    rows = np.array(grab_rows(stem, r"（(\d+，\d+)）"))
    return math.sqrt(((rows[:, 0] - rows[:, 1]) ** 2).sum() / (len(rows) - 2))


def correlation(stem: str) -> float:
    s, sy = grab(stem, r"估计标准误为([\d.]+)，Y的标准差为(\d+)")
    return math.sin(math.acos(s / sy))


def interval(stem: str) -> str:
    a, b, r, sy = grab(stem, r"Y=(\d+)\+([\d.]+)X\$，\$r=([\d.]+)\$，\$s_Y=(\d+)\$")
    x, actual = grab(stem, r"某生X为(\d+)，实际.*?为(\d+)。")
    half = 1.96 * math.sqrt(sy**2 - (r * sy) ** 2)
    center = a + b * x
    place = "之内" if center - half < actual < center + half else "之外"
    return f"预测区间为{center - half:.1f}～{center + half:.1f}，该生的实际分数落在区间{place}"


def reduction(stem: str) -> float:
    low, high = grab(stem, r"由([\d.]+)提高到([\d.]+)，")
    return 100 - 100 * math.sqrt((1 - high**2) / (1 - low**2))


ORACLES: dict[Family, Oracle] = {
    fit.determination_from_slope: determination,
    fit.residual_square_from_share: residual,
    fit.better_predictor: better,
    fit.shares_of_two_samples: shares,
    fit.error_from_residuals: error,
    fit.correlation_from_error: correlation,
    fit.score_against_interval: interval,
    fit.error_reduction: reduction,
}


@pytest.mark.parametrize("family", families_of(fit.FAMILIES), ids=lambda f: f.__name__)
def test_family_keeps_the_laws_and_its_oracle(family: Family) -> None:
    check_laws(family)
    check_oracle(family, ORACLES[family])


def test_both_verdicts_occur() -> None:
    check_both_verdicts(fit.score_against_interval, "区间之外")
