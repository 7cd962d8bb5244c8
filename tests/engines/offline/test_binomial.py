"""The questions on the binomial distribution keep the rules of offline problems.

A judge takes stem and option and says whether the option is right, by a route of its own.
"""

import pytest
from scipy.stats import binom

from psygen.engines.offline.calculation.binomial import FAMILIES
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


def judge_at_least(stem: str, option: str) -> bool:
    n, options = int(after("小测有", stem)), 2 if "是非题" in stem else int(after("道", stem))
    return near(option, float(binom.sf(after("至少猜对", stem) - 1, n, 1 / options)))


def judge_trials_back(stem: str, option: str) -> bool:
    mean, variance, n = after("平均数为", stem), after("方差为", stem), numbers(option)[0]
    return mean < n and abs(float(binom.var(n, mean / n)) - variance) < 1e-6


def judge_better_than_guessing(stem: str, option: str) -> bool:
    n, k = after("在", stem), after("他辨对了", stem)
    p = float(binom.sf(k - 1, n, 0.5))
    return near(option, p) and ("不能" not in option) == (p < 0.05)


def judge_spread_of_two_tests(stem: str, option: str) -> bool:
    n, m, options = (int(v) for v in numbers(stem)[:3])
    return near(option, abs(float(binom.std(n, 0.5)) - float(binom.std(m, 1 / options))))


JUDGES: dict[str, Judge] = {
    "at_least": judge_at_least,
    "trials_back": judge_trials_back,
    "better_than_guessing": judge_better_than_guessing,
    "spread_of_two_tests": judge_spread_of_two_tests,
}


@pytest.mark.parametrize("family", families_of(FAMILIES), ids=lambda f: f.__name__)
def test_family_keeps_the_laws_and_only_its_key_is_right(family: Family) -> None:
    check_places(family)
    check_only_the_key(family, JUDGES[family.__name__])
