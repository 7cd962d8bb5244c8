"""The questions on cumulative frequency distributions keep the rules of offline problems.

A judge takes stem and option and says whether the option is right, by a route of its own.
"""

import re

import pytest

from psygen.engines.offline.calculation.grouped import FAMILIES
from psygen.engines.offline.problem import Family
from tests.engines.offline.applied_checks import families_of
from tests.engines.offline.descriptive_checks import Judge, after, check_only_the_key, check_places, near


def table(text: str) -> list[tuple[int, int, int]]:
    """Rows (lower, upper, count) of the frequency table in `text`."""
    return [(int(a), int(b), int(c)) for a, b, c in re.findall(r"(\d+)～(\d+)组(\d+)人", text)]


def under(rows: list[tuple[int, int, int]], limit: float) -> float:
    """How many scores lie under `limit`, spread evenly inside their group."""
    return sum(c * min(1.0, max(0.0, (limit - a + 0.5) / (b - a + 1))) for a, b, c in rows)


def judge_cumulative_percent(stem: str, option: str) -> bool:
    rows = table(stem)
    limit = after("精确上限", stem)
    return near(option, 100 * under(rows, limit) / sum(c for _, _, c in rows))


def judge_hidden_count(stem: str, option: str) -> bool:
    sums = [int(s) if s.isdigit() else -1 for s in re.findall(r"第\d组(（　）|\d+)[，。]", stem)]
    k = sums.index(-1)
    share = after("相对次数为", stem)
    return near(option, sums[k + 1] - sums[k - 1] - share * sums[-1])


def judge_percentile_point(stem: str, option: str) -> bool:
    rows = table(stem)
    place = after("则第", stem) / 100 * sum(c for _, _, c in rows)
    low, high = 0.0, 1000.0
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (middle, high) if under(rows, middle) < place else (low, middle)
    return near(option, low)


def judge_reaches_share(stem: str, option: str) -> bool:
    rows = table(stem)
    percent = 100 * under(rows, after("恰为", stem)) / sum(c for _, _, c in rows)
    is_slow = percent > 100 - after("属于“最慢的", stem)
    return near(option, percent) and ("不属于" not in option) == is_slow


def judge_two_groups_below(stem: str, option: str) -> bool:
    first, second = (table(part) for part in stem.split("乙校", 1))
    limit = after("比较两校学生得分在", stem)
    shares = [100 * under(rows, limit) / sum(c for _, _, c in rows) for rows in (first, second)]
    better = "甲校" if shares[0] > shares[1] else "乙校"
    return near(option, abs(shares[0] - shares[1])) and option.startswith(better)


JUDGES: dict[str, Judge] = {
    "cumulative_percent": judge_cumulative_percent,
    "hidden_count": judge_hidden_count,
    "percentile_point": judge_percentile_point,
    "reaches_share": judge_reaches_share,
    "two_groups_below": judge_two_groups_below,
}


@pytest.mark.parametrize("family", families_of(FAMILIES), ids=lambda f: f.__name__)
def test_family_keeps_the_laws_and_only_its_key_is_right(family: Family) -> None:
    check_places(family)
    check_only_the_key(family, JUDGES[family.__name__])
