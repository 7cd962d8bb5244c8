"""The questions on normal curve areas keep the rules of offline problems.

A judge takes stem and option and says whether the option is right, by a route of its own.
"""

import re

import pytest
from scipy.stats import norm

from psygen.engines.offline.calculation.normal_curve_area import FAMILIES
from psygen.engines.offline.problem import Family
from tests.engines.offline.applied_checks import families_of
from tests.engines.offline.descriptive_checks import (
    Judge,
    after,
    check_only_the_key,
    check_places,
    numbers,
)


def judge_number_between(stem: str, option: str) -> bool:
    n, mean, sigma = numbers(stem)[0], after("平均分", stem), after("标准差", stem)
    low, high = after("成绩在", stem), after("分与", stem)
    share = float(norm.cdf(high, mean, sigma) - norm.cdf(low, mean, sigma))
    return abs(numbers(option)[0] - n * share) < 0.5 + 0.0002 * n


def judge_ability_groups(stem: str, option: str) -> bool:
    n, name = after("假定", stem), re.findall(r"则(.)组应有", stem)[0]
    edges = [9.0, 1.8, 0.6, -0.6, -1.8, -9.0]
    k = "甲乙丙丁戊".index(name)
    share = float(norm.cdf(edges[k]) - norm.cdf(edges[k + 1]))
    return abs(numbers(option)[0] - n * share) < 0.5 + 0.0002 * n


def judge_cut_off_score(stem: str, option: str) -> bool:
    n, admitted = numbers(stem)[0], after("择优录取", stem)
    mean, sigma = after("平均分", stem), after("标准差", stem)
    return abs(numbers(option)[0] - float(norm.isf(admitted / n, mean, sigma))) < 0.05 + 0.006 * sigma


def judge_sigma_from_pass_rate(stem: str, option: str) -> bool:
    mean, limit, share = after("平均分", stem), after("[格秀]（", stem), after("的人占", stem) / 100
    exact = (limit - mean) / float(norm.isf(share))
    return abs(numbers(option)[0] / exact - 1) < 0.015


def judge_admitted_or_not(stem: str, option: str) -> bool:
    n, quota, mean, sigma, x = numbers(stem)[:5]
    above = n * float(norm.sf(x, mean, sigma))
    return abs(numbers(option)[0] - above) < 0.5 + 0.0002 * n and ("不能" not in option) == (above < quota)


def judge_pass_numbers_compared(stem: str, option: str) -> bool:
    schools = re.findall(r"校(\d+)人，平均分(\d+(?:\.\d+)?)，标准差(\d+)", stem)
    line = after("各校", stem)
    above = [int(n) * float(norm.sf(line, float(m), float(s))) for n, m, s in schools]
    return abs(numbers(option)[0] - abs(above[0] - above[1])) < 1.2


JUDGES: dict[str, Judge] = {
    "number_between": judge_number_between,
    "ability_groups": judge_ability_groups,
    "cut_off_score": judge_cut_off_score,
    "sigma_from_pass_rate": judge_sigma_from_pass_rate,
    "admitted_or_not": judge_admitted_or_not,
    "pass_numbers_compared": judge_pass_numbers_compared,
}


@pytest.mark.parametrize("family", families_of(FAMILIES), ids=lambda f: f.__name__)
def test_family_keeps_the_laws_and_only_its_key_is_right(family: Family) -> None:
    check_places(family)
    check_only_the_key(family, JUDGES[family.__name__])
