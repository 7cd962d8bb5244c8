"""The questions on frequency distribution tables keep the rules of offline problems.

A judge takes stem and option and says whether the option is right, by a route of its own.
"""

import re

import pytest

from psygen.engines.offline.calculation.charts import FAMILIES
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


def judge_group_width(stem: str, option: str) -> bool:
    n, high, low = after("测得", stem), after("最大值为", stem), after("最小值为", stem)
    return near(option, (high - low) / round(1.87 * (n - 1) ** (2 / 5)))


def judge_hidden_frequency(stem: str, option: str) -> bool:
    known = [int(c) for c in re.findall(r"第\d组(\d+)人", stem)]
    share = after("百分次数为", stem) / 100
    found = numbers(option)[0]
    return abs(found / (found + sum(known)) - share) < 1e-6


def judge_exact_limit(stem: str, option: str) -> bool:
    first, width, k = after("组中值为", stem), after("组距为", stem), after("，则第", stem)
    limit = first - width / 2
    for _ in range(int(k)):
        limit += width
    return near(option, limit)


def judge_lowest_group_and_number(stem: str, option: str) -> bool:
    low, high, i = (int(after(p, stem)) for p in ("最低", "分，最高", "i="))
    start, end, count = (int(v) for v in numbers(option))
    groups = [range(start + j * i, start + j * i + i) for j in range(count)]
    return start % i == 0 and end == start + i - 1 and low in groups[0] and high in groups[-1]


def judge_two_relative_frequencies(stem: str, option: str) -> bool:
    name = re.search(r"就“(.+?)”组", stem)
    assert name
    a, b = (int(c) for c in re.findall(name.group(1) + r"组(\d+)人", stem))
    m, n = after("女生组", stem), after("男生组", stem)
    return near(option, abs(a / m - b / n)) and option.startswith("女" if a / m > b / n else "男")


JUDGES: dict[str, Judge] = {
    "group_width": judge_group_width,
    "hidden_frequency": judge_hidden_frequency,
    "exact_limit": judge_exact_limit,
    "lowest_group_and_number": judge_lowest_group_and_number,
    "two_relative_frequencies": judge_two_relative_frequencies,
}


@pytest.mark.parametrize("family", families_of(FAMILIES), ids=lambda f: f.__name__)
def test_family_keeps_the_laws_and_only_its_key_is_right(family: Family) -> None:
    check_places(family)
    check_only_the_key(family, JUDGES[family.__name__])
