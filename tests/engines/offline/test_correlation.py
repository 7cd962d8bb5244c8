"""The questions on product-moment correlation keep the rules of offline problems.

A judge takes stem and option and says whether the option is right, by a route of its own.
"""

import re
import statistics

import pytest

from psygen.engines.offline.calculation.correlation import FAMILIES
from psygen.engines.offline.problem import Family
from tests.engines.offline.applied_checks import families_of
from tests.engines.offline.descriptive_checks import (
    Judge,
    after,
    check_only_the_key,
    check_places,
    near,
    numbers,
)


def judge_correlation_of_data(stem: str, option: str) -> bool:
    x, y = ([float(v) for v in part.split("、")] for part in re.findall(r"\d+(?:、\d+){4,}", stem))
    return option == f"{statistics.correlation(x, y):.2f}"


def judge_correlation_from_sums(stem: str, option: str) -> bool:
    n = numbers(stem)[0]
    x, y, xx, yy, xy = (after(rf"\\sum {p}=", stem) for p in ("X", "Y", r"X\^2", r"Y\^2", "XY"))
    return near(option, (n * xy - x * y) / ((n * xx - x * x) * (n * yy - y * y)) ** 0.5)


def judge_covariance_back(stem: str, option: str) -> bool:
    n, r = numbers(stem)[0], after("积差相关系数为", stem)
    return near(option, r * (n * after("S_X=", stem) ** 2 * n * after("S_Y=", stem) ** 2) ** 0.5)


def judge_correlation_rescaled(stem: str, option: str) -> bool:
    r, cov = after("积差相关系数为", stem), after("协方差为", stem)
    sx, sy = 2.0, cov / r / 2
    root = (1 - r * r) ** 0.5
    u, v = [1, 1, -1, -1], [1, -1, 1, -1]
    x = [sx * a for a in u]
    y = [sy * (r * a + root * b) for a, b in zip(u, v, strict=True)]
    b, c, d = after("X'=", stem), after(r"X'=\dX\+", stem), after("Y'=", stem)
    new_x, new_y = [b * a + c for a in x], [d - a for a in y]
    covariance = statistics.covariance(new_x, new_y) * 3 / 4
    return option == f"相关系数为{statistics.correlation(new_x, new_y):.2f}，协方差为{covariance:.1f}"


def judge_shared_variance(stem: str, option: str) -> bool:
    big, small = (float(v) for v in re.findall(r"系数为(-?\d\.\d+)", stem))
    percent, times = numbers(option)
    return abs(percent - 100 * big * big) < 0.01 and abs(times * small * small - big * big) < 1e-6


JUDGES: dict[str, Judge] = {
    "correlation_of_data": judge_correlation_of_data,
    "correlation_from_sums": judge_correlation_from_sums,
    "covariance_back": judge_covariance_back,
    "correlation_rescaled": judge_correlation_rescaled,
    "shared_variance": judge_shared_variance,
}


@pytest.mark.parametrize("family", families_of(FAMILIES), ids=lambda f: f.__name__)
def test_family_keeps_the_laws_and_only_its_key_is_right(family: Family) -> None:
    check_places(family)
    check_only_the_key(family, JUDGES[family.__name__])
