"""The questions on the arithmetic mean keep the rules of offline problems.

A judge takes stem and option and says whether the option is right, by a route of its own.
"""

import re
import statistics

import pytest

from psygen.engines.offline.calculation.central import FAMILIES
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


def judge_corrected_mean(stem: str, option: str) -> bool:
    n, old = int(numbers(stem)[0]), after("平均分为", stem)
    right, wrong = after("有一人的", stem), after("误登记为", stem)
    others = (n * old - wrong) / (n - 1)
    mended = statistics.fmean([others] * (n - 1) + [right])
    return near(option, mended * after("都乘以", stem) + after("后加上", stem))


def judge_mean_from_groups(stem: str, option: str) -> bool:
    rows = re.findall(r"(\d+)～(\d+)组(\d+)人", stem)
    return near(option, statistics.fmean((int(a) + int(b)) / 2 for a, b, c in rows for _ in range(int(c))))


def judge_third_mean(stem: str, option: str) -> bool:
    a, b, c = (after(f"{name}班", stem) for name in "甲乙丙")
    first, second = (float(v) for v in re.findall(r"，平均分(\d+)；", stem))
    found = numbers(option)[0]
    return abs((a * first + b * second + c * found) / (a + b + c) - after("总平均分为", stem)) < 0.02


def judge_weighted_admission(stem: str, option: str) -> bool:
    lists = [[int(v) for v in found.split("、")] for found in re.findall(r"\d+(?:、\d+){2}", stem)]
    weights, scores = lists[0], {"甲": lists[1], "乙": lists[2]}
    best = {who: statistics.fmean(s, weights) for who, s in scores.items()}
    return option[2] == max(best, key=lambda who: best[who]) and near(option, best[option[2]])


def judge_mean_after_leaving(stem: str, option: str) -> bool:
    n, whole = numbers(stem)[0], after("平均分为", stem)
    k, left = after("后来有", stem), after("前测的平均分为", stem)
    new = whole + numbers(option)[0] * (1 if "升高" in stem else -1)
    return abs(new * (n - k) + left * k - whole * n) < 0.01 * n


JUDGES: dict[str, Judge] = {
    "corrected_mean": judge_corrected_mean,
    "mean_from_groups": judge_mean_from_groups,
    "third_mean": judge_third_mean,
    "weighted_admission": judge_weighted_admission,
    "mean_after_leaving": judge_mean_after_leaving,
}


@pytest.mark.parametrize("family", families_of(FAMILIES), ids=lambda f: f.__name__)
def test_family_keeps_the_laws_and_only_its_key_is_right(family: Family) -> None:
    check_places(family)
    check_only_the_key(family, JUDGES[family.__name__])
