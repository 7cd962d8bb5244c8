"""The questions on the rules of probability keep the rules of offline problems.

A judge takes stem and option and says whether the option is right, by a route of its own.
"""

import itertools
import re

import pytest

from psygen.engines.offline.calculation.probability import FAMILIES
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


def judge_union_of_symptoms(stem: str, option: str) -> bool:
    n, a, b, both = (int(v) for v in numbers(stem)[:4])
    people = set(range(a)) | set(range(a - both, a - both + b))
    return near(option, len(people) / n)


def judge_exclusive_grades(stem: str, option: str) -> bool:
    shares = dict(re.findall(r"(\w{3})(0\.\d+)", stem.split("概率为：")[1]))
    names = re.search(r"属于(\w{3})或(\w{3})的", stem)
    assert names
    hit = names.groups()
    cases = itertools.product(shares, repeat=2)
    p = sum(float(shares[x]) * float(shares[y]) for x, y in cases if (x in hit) + (y in hit) == 1)
    return near(option, p)


def judge_only_one_event(stem: str, option: str) -> bool:
    _, b, neither = (float(v) for v in re.findall(r"概率为(0\.\d+)", stem))
    return near(option, 1 - neither - b)


def judge_relation_of_events(stem: str, option: str) -> bool:
    a, b, union = after(r"P\(A\)=", stem), after(r"P\(B\)=", stem), after(r"B\)=", stem.split("cup")[1])
    both = a + b - union
    assert ("不互斥" in option) + ("事件互斥" in option) == 1
    return ("不互斥" not in option) == (both < 1e-9) and ("不相互独立" not in option) == (abs(both - a * b) < 1e-9)


def judge_union_exclusive_or_independent(stem: str, option: str) -> bool:
    a, b = (float(v) for v in re.findall(r"概率为(0\.\d+)", stem))
    return near(option, (a + b) - (1 - (1 - a) * (1 - b)))


def judge_guessing_with_one_right(stem: str, option: str) -> bool:
    m, options, _, k = (int(v) for v in numbers(stem)[:4])
    sheets = list(itertools.product(*([range(2)] * m + [range(options)] * k)))
    return near(option, sum(not any(s[:m]) and 0 in s[m:] for s in sheets) / len(sheets))


def judge_two_stage_draw(stem: str, option: str) -> bool:
    a, b = (int(v) for v in numbers(stem)[:2])
    draws = list(itertools.permutations("x" * a + "y" * b, 2))
    return near(option, sum(first != second for first, second in draws) / len(draws))


def judge_second_event_back(stem: str, option: str) -> bool:
    a, union = (float(v) for v in re.findall(r"概率为(0\.\d+)", stem))
    b = numbers(option)[0]
    return abs(1 - (1 - a) * (1 - b) - union) < 1e-9


def judge_independence_in_counts(stem: str, option: str) -> bool:
    n, a, b, both = (int(v) for v in re.findall(r"(\d+)(?:名学生|人)", stem)[:4])
    first = [True] * a + [False] * (n - a)
    second = [True] * both + [False] * (a - both) + [True] * (b - both) + [False] * (n - a - b + both)
    among = [y for x, y in zip(first, second, strict=True) if x]
    is_independent = ("相互独立" in option) == (sum(among) * n == len(among) * sum(second))
    return is_independent and near(option.split("=")[1], sum(among) / len(among))


def judge_with_and_without_replacement(stem: str, option: str) -> bool:
    n, k = (int(v) for v in numbers(stem)[:2])
    cards = "x" * k + "y" * (n - k)
    put, kept = list(itertools.product(cards, repeat=2)), list(itertools.permutations(cards, 2))
    return near(option, put.count(("x", "x")) / len(put) - kept.count(("x", "x")) / len(kept))


JUDGES: dict[str, Judge] = {
    "union_of_symptoms": judge_union_of_symptoms,
    "exclusive_grades": judge_exclusive_grades,
    "only_one_event": judge_only_one_event,
    "relation_of_events": judge_relation_of_events,
    "union_exclusive_or_independent": judge_union_exclusive_or_independent,
    "guessing_with_one_right": judge_guessing_with_one_right,
    "two_stage_draw": judge_two_stage_draw,
    "second_event_back": judge_second_event_back,
    "independence_in_counts": judge_independence_in_counts,
    "with_and_without_replacement": judge_with_and_without_replacement,
}


@pytest.mark.parametrize("family", families_of(FAMILIES), ids=lambda f: f.__name__)
def test_family_keeps_the_laws_and_only_its_key_is_right(family: Family) -> None:
    check_places(family)
    check_only_the_key(family, JUDGES[family.__name__])
