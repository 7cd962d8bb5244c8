"""The questions on the standard normal distribution keep the rules of offline problems.

A judge takes stem and option and says whether the option is right, by a route of its own.
"""

import re

import pytest
from scipy.stats import norm

from psygen.engines.offline.calculation.normal import FAMILIES
from psygen.engines.offline.problem import Family
from tests.engines.offline.applied_checks import families_of
from tests.engines.offline.descriptive_checks import (
    Judge,
    after,
    check_only_the_key,
    check_places,
    numbers,
)


def roughly(option: str, value: float) -> bool:
    """Is the first number of `option` this area, up to the rounding of two printed areas?"""
    return abs(numbers(option)[0] - value) < 0.0003


def judge_area_between(stem: str, option: str) -> bool:
    low, high = after("则\\$Z\\$落在", stem), after("与", stem)
    return roughly(option, float(norm.cdf(high) - norm.cdf(low)))


def judge_symmetric_share(stem: str, option: str) -> bool:
    limit = float(norm.ppf(after(r"P\(Z<a\)=", stem)))
    return roughly(option, float(norm.cdf(limit) - norm.cdf(-limit)))


def judge_middle_limits(stem: str, option: str) -> bool:
    share, low, high = after("正中间", stem) / 100, after("得分在", stem), after("之间（|与", stem)
    exact = (high - low) / 2 / float(norm.ppf(0.5 + share / 2))
    return abs(numbers(option)[0] / exact - 1) < 0.01


def judge_rarer_score(stem: str, option: str) -> bool:
    norms = re.findall(r"(..)测验平均(\d+)、标准差(\d+)", stem)
    scores = re.findall(r"得(\d+(?:\.\d+)?)分", stem)
    z = {name: abs(float(x) - float(m)) / float(s) for (name, m, s), x in zip(norms, scores, strict=True)}
    return z[option[:2]] == max(z.values()) and roughly(option, float(norm.sf(max(z.values()))))


def judge_equal_widths(stem: str, option: str) -> bool:
    near_end = after("之?落在0到", stem)
    start, end = after("比落在", stem), after(r"比落在\d\.\d\d到", stem)
    return roughly(option, float(norm.cdf(near_end) - 0.5 - norm.cdf(end) + norm.cdf(start)))


JUDGES: dict[str, Judge] = {
    "area_between": judge_area_between,
    "symmetric_share": judge_symmetric_share,
    "middle_limits": judge_middle_limits,
    "rarer_score": judge_rarer_score,
    "equal_widths": judge_equal_widths,
}


@pytest.mark.parametrize("family", families_of(FAMILIES), ids=lambda f: f.__name__)
def test_family_keeps_the_laws_and_only_its_key_is_right(family: Family) -> None:
    check_places(family)
    check_only_the_key(family, JUDGES[family.__name__])
