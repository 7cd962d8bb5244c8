"""The questions on variance and standard deviation keep the rules of offline problems.

A judge takes stem and option and says whether the option is right, by a route of its own.
"""

import re
import statistics

import pytest

from psygen.engines.offline.calculation.dispersion import FAMILIES
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


def listed(text: str) -> list[float]:
    """The first enumeration of at least four numbers in `text`."""
    found = re.search(r"\d+(?:、\d+){3,}", text)
    assert found, text
    return [float(v) for v in found.group().split("、")]


def with_moments(n: int, mean: float, deviation: float) -> list[float]:
    """An even number `n` of values with this mean and standard deviation (divisor n)."""
    assert n % 2 == 0
    return [mean - deviation, mean + deviation] * (n // 2)


def judge_variance_from_sums(stem: str, option: str) -> bool:
    n, total, squares = numbers(stem)[0], after(r"sum X=", stem), after(r"sum X\^2=", stem)
    return near(option, (n * squares - total * total) / (n * n))


def judge_squares_from_variance(stem: str, option: str) -> bool:
    n, mean, estimate = int(numbers(stem)[0]), after("平均数为", stem), after(r"\^2\$为", stem)
    half = (estimate * (n - 1) / 2) ** 0.5
    values = [mean - half, mean + half] + [mean] * (n - 2)
    assert abs(statistics.variance(values) - estimate) < 1e-6
    return near(option, sum(v * v for v in values))


def judge_two_variances(stem: str, option: str) -> bool:
    n, ss = int(after("随机抽取", stem)), after("=", stem)
    half = (ss / 2) ** 0.5
    values = [-half, half] + [0.0] * (n - 2)
    first, second = (part for part in option.split("，"))
    return near(first, statistics.pvariance(values)) and near(second, statistics.variance(values))


def judge_variance_rescaled(stem: str, option: str) -> bool:
    old, factor, shift = after("的方差为", stem), after("Y=", stem), after(r"X\+", stem)
    values = with_moments(4, 50, old**0.5)
    new = statistics.pvariance([factor * v + shift for v in values])
    return near(option, abs(new - old)) and ("增大" in stem) == (new > old)


def judge_standard_deviation(stem: str, option: str) -> bool:
    return near(option, statistics.pstdev(listed(stem)))


def judge_combined_standard_deviation(stem: str, option: str) -> bool:
    sizes = [int(v) for v in re.findall(r"校(\d+)人", stem)]
    means = [float(v) for v in re.findall(r"平均分(\d+)", stem)]
    deviations = [float(v) for v in re.findall(r"标准差(\d+)", stem)]
    schools = zip(sizes, means, deviations, strict=True)
    everyone = [v for n, m, s in schools for v in with_moments(2 * n, m, s)]
    return near(option, statistics.pstdev(everyone))


def judge_mean_from_deviation(stem: str, option: str) -> bool:
    n, s, squares = int(numbers(stem)[0]), after("）为", stem), after(r"sum X\^2=", stem)
    values = with_moments(2 * n, numbers(option)[0], s)
    return abs(sum(v * v for v in values) / 2 - squares) < 0.01 * squares


def judge_outlier_by_three_sigma(stem: str, option: str) -> bool:
    mean, s = after("平均数为", stem), after("标准差为", stem)
    dropped = [v for v in listed(stem) if abs(v - mean) / s > 3]
    return numbers(option) == [mean - 3 * s, mean + 3 * s, len(dropped)]


def judge_deviation_after_correction(stem: str, option: str) -> bool:
    n, mean, s = numbers(stem)[0], after("平均分为", stem), after("标准差为", stem)
    right, wrong = after("有一人的", stem), after("误登为", stem)
    total = n * mean + right - wrong
    ss = n * s * s + (right - mean) ** 2 - (wrong - mean) ** 2
    return near(option, ((ss - n * (total / n - mean) ** 2) / n) ** 0.5)


JUDGES: dict[str, Judge] = {
    "variance_from_sums": judge_variance_from_sums,
    "squares_from_variance": judge_squares_from_variance,
    "two_variances": judge_two_variances,
    "variance_rescaled": judge_variance_rescaled,
    "standard_deviation": judge_standard_deviation,
    "combined_standard_deviation": judge_combined_standard_deviation,
    "mean_from_deviation": judge_mean_from_deviation,
    "outlier_by_three_sigma": judge_outlier_by_three_sigma,
    "deviation_after_correction": judge_deviation_after_correction,
}


@pytest.mark.parametrize("family", families_of(FAMILIES), ids=lambda f: f.__name__)
def test_family_keeps_the_laws_and_only_its_key_is_right(family: Family) -> None:
    check_places(family)
    check_only_the_key(family, JUDGES[family.__name__])
