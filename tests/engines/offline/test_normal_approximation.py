"""The questions on the normal approximation keep the rules of offline problems.

A judge takes stem and option and says whether the option is right, by a route of its own.
"""

import re

import pytest
from scipy.stats import norm

from psygen.engines.offline.calculation.normal_approximation import FAMILIES
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


def guesses(stem: str) -> tuple[int, float]:
    """Number of items and probability of guessing one right."""
    n = int(re.findall(r"有(\d+)道", stem)[0])
    return n, 0.5 if "是非题" in stem else 1 / int(re.findall(r"(\d)选1", stem)[0])


def passes(n: int, k: float, p: float) -> bool:
    """Is `k` right answers out of `n` beyond the one-tailed 0.05 limit?"""
    return (k - n * p) ** 2 > 1.645**2 * n * p * (1 - p) and k > n * p


def judge_guessing_limit(stem: str, option: str) -> bool:
    n, p = guesses(stem)
    return int(numbers(option)[0]) == next(k for k in range(n + 1) if passes(n, k, p))


def judge_approximate_tail(stem: str, option: str) -> bool:
    n, p = guesses(stem)
    edge = after("答对", stem) - 0.5
    exact = float(norm.sf(edge, n * p, (n * p * (1 - p)) ** 0.5))
    return abs(numbers(option)[0] - exact) < 0.002 and abs(after("以", stem.split("校正（")[1]) - edge) < 1e-9


def judge_items_needed(stem: str, option: str) -> bool:
    p = 0.5 if "是非题" in stem else 1 / int(re.findall(r"(\d)选1", stem)[0])
    share = after("答对率达到", stem) / 100
    return int(numbers(option)[0]) == next(n for n in range(1, 2000) if passes(n, share * n, p))


def judge_beyond_guessing(stem: str, option: str) -> bool:
    n, p = guesses(stem)
    k = after("考生答对", stem)
    z = (k - n * p) / (n * p * (1 - p)) ** 0.5
    return near(option, z) and ("拒绝" in option) == passes(n, k, p)


def judge_limits_of_two_forms(stem: str, option: str) -> bool:
    n, options = int(after("各有", stem)), int(after("乙卷全是", stem))
    least = [next(k for k in range(n + 1) if passes(n, k, p)) for p in (0.5, 1 / options)]
    return numbers(option)[0] == least[0] - least[1]


JUDGES: dict[str, Judge] = {
    "guessing_limit": judge_guessing_limit,
    "approximate_tail": judge_approximate_tail,
    "items_needed": judge_items_needed,
    "beyond_guessing": judge_beyond_guessing,
    "limits_of_two_forms": judge_limits_of_two_forms,
}


@pytest.mark.parametrize("family", families_of(FAMILIES), ids=lambda f: f.__name__)
def test_family_keeps_the_laws_and_only_its_key_is_right(family: Family) -> None:
    check_places(family)
    check_only_the_key(family, JUDGES[family.__name__])
