"""The questions on rank correlation keep the rules of offline problems.

A judge takes stem and option and says whether the option is right, by a route of its own.
"""

import re
import statistics

import pytest

from psygen.engines.offline.calculation.rank_correlation import FAMILIES
from psygen.engines.offline.problem import Family
from tests.engines.offline.applied_checks import families_of
from tests.engines.offline.descriptive_checks import (
    Judge,
    after,
    check_only_the_key,
    check_places,
    numbers,
)


def lists(text: str) -> list[list[float]]:
    """Every enumeration of at least four numbers in `text`."""
    return [[float(v) for v in part.split("、")] for part in re.findall(r"\d+(?:、\d+){3,}", text)]


def judge_rank_correlation(stem: str, option: str) -> bool:
    scores, places = lists(stem)
    ranks = [float(sorted(scores, reverse=True).index(v)) for v in scores]
    return abs(float(option) - statistics.correlation(ranks, places)) < 0.005


def judge_squared_differences_back(stem: str, option: str) -> bool:
    n, r = numbers(stem)[0], after("恰为", stem)
    return abs(1 - 6 * numbers(option)[0] / (n**3 - n) - r) < 1e-9


def judge_most_alike_judges(stem: str, option: str) -> bool:
    columns = dict(zip("甲乙丙", lists(stem), strict=True))
    r = {p: statistics.correlation(columns[p[0]], columns[p[2]]) for p in ("甲与乙", "甲与丙", "乙与丙")}
    value = float(option.split("=")[1])
    return r[option[:3]] == max(r.values()) and abs(value - r[option[:3]]) < 0.0051


def judge_corrected_rank_correlation(stem: str, option: str) -> bool:
    first, second = lists(stem)
    a, b = (int(v) - 1 for v in re.findall(r"第(\d+)个", stem))
    old = statistics.correlation(first, second)
    second[a], second[b] = second[b], second[a]
    new = statistics.correlation(first, second)
    return abs(numbers(option)[0] - abs(new - old)) < 0.005 and ("升高" in stem) == (new > old)


JUDGES: dict[str, Judge] = {
    "rank_correlation": judge_rank_correlation,
    "squared_differences_back": judge_squared_differences_back,
    "most_alike_judges": judge_most_alike_judges,
    "corrected_rank_correlation": judge_corrected_rank_correlation,
}


@pytest.mark.parametrize("family", families_of(FAMILIES), ids=lambda f: f.__name__)
def test_family_keeps_the_laws_and_only_its_key_is_right(family: Family) -> None:
    check_places(family)
    check_only_the_key(family, JUDGES[family.__name__])
