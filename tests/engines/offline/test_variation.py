"""The questions on quartile and mean deviation keep the rules of offline problems.

A judge takes stem and option and says whether the option is right, by a route of its own.
"""

import re
import statistics

import pytest

from psygen.engines.offline.calculation.variation import FAMILIES
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


def at(text: str, place: float) -> float:
    """The score below which `place` scores of the table in `text` lie, found by halving."""
    rows = [(int(a), int(b), int(c)) for a, b, c in re.findall(r"(\d+)～(\d+)组(\d+)人", text)]
    low, high = 0.0, 1000.0
    for _ in range(60):
        x = (low + high) / 2
        under = sum(c * min(1.0, max(0.0, (x - a + 0.5) / (b - a + 1))) for a, b, c in rows)
        low, high = (x, high) if under < place else (low, x)
    return low


def lists(text: str) -> list[list[float]]:
    """Every enumeration of at least four numbers in `text`."""
    found = re.findall(r"-?\d+(?:、(?:-?\d+|（　）)){3,}|（　）(?:、-?\d+){3,}", text)
    return [[float(v) for v in part.split("、") if v != "（　）"] for part in found]


def mean_off(values: list[float]) -> float:
    """Mean absolute deviation from the mean."""
    mean = statistics.fmean(values)
    return statistics.fmean(abs(v - mean) for v in values)


def judge_quartile_deviation(stem: str, option: str) -> bool:
    n = numbers(stem)[0]
    return near(option, (at(stem, 0.75 * n) - at(stem, 0.25 * n)) / 2)


def judge_sigma_from_quartile_deviation(stem: str, option: str) -> bool:
    mean, q, z = after("平均数为", stem), after(r"四分位差\$Q\$为", stem), after("标准分数为", stem)
    return near(option, statistics.NormalDist(mean, q / 0.67).mean + z * q / 0.67)


def judge_skew_from_quartiles(stem: str, option: str) -> bool:
    low, middle, high = (after(rf"Q_{k}=", stem) for k in (1, 2, 3))
    return near(option.split("=")[1], (high - low) / 2) and ("正" in option) == (low + high > 2 * middle)


def judge_quartile_deviation_rescaled(stem: str, option: str) -> bool:
    low, high = after("百分位数分别为", stem), after(r"百分位数分别为\d+和", stem)
    factor, shift = after("Y=", stem), after(r"X\+", stem)
    old, new = (high - low) / 2, ((factor * high + shift) - (factor * low + shift)) / 2
    return near(option, abs(new - old)) and ("增大" in stem) == (new > old)


def judge_mean_deviation(stem: str, option: str) -> bool:
    return near(option, mean_off(lists(stem)[0]))


def judge_mean_deviation_from_deviations(stem: str, option: str) -> bool:
    known = lists(stem)[0]
    assert len(known) + 1 == numbers(stem)[0]
    return near(option, mean_off([*known, -sum(known)]))


def judge_steadier_group(stem: str, option: str) -> bool:
    off = dict(zip("甲乙", map(mean_off, lists(stem)), strict=True))
    return option[0] == min(off, key=lambda who: off[who]) and near(option, off[option[0]])


def judge_mean_deviation_with_newcomers(stem: str, option: str) -> bool:
    n, old = int(numbers(stem)[0]), after("的平均差为", stem)
    new = statistics.fmean([old] * n + [0.0] * int(after("补测了", stem)))
    return near(option, old - new)


JUDGES: dict[str, Judge] = {
    "quartile_deviation": judge_quartile_deviation,
    "sigma_from_quartile_deviation": judge_sigma_from_quartile_deviation,
    "skew_from_quartiles": judge_skew_from_quartiles,
    "quartile_deviation_rescaled": judge_quartile_deviation_rescaled,
    "mean_deviation": judge_mean_deviation,
    "mean_deviation_from_deviations": judge_mean_deviation_from_deviations,
    "steadier_group": judge_steadier_group,
    "mean_deviation_with_newcomers": judge_mean_deviation_with_newcomers,
}


@pytest.mark.parametrize("family", families_of(FAMILIES), ids=lambda f: f.__name__)
def test_family_keeps_the_laws_and_only_its_key_is_right(family: Family) -> None:
    check_places(family)
    check_only_the_key(family, JUDGES[family.__name__])
