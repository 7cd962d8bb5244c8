"""The questions on relative measures keep the rules of offline problems.

A judge takes stem and option and says whether the option is right, by a route of its own.
"""

import re

import pytest

from psygen.engines.offline.calculation.relative import FAMILIES
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


def judge_coefficient_from_sums(stem: str, option: str) -> bool:
    n, total, ss = numbers(stem)[0], after(r"sum X=", stem), after(r"\^2=", stem)
    return near(option, 100 * (ss / n) ** 0.5 * n / total)


def judge_variance_from_coefficient(stem: str, option: str) -> bool:
    first, s = after("平均数为", stem), after("标准差为", stem)
    second = after("同一指标的平均数为", stem)
    return near(option, (s * second / first) ** 2)


def judge_more_scattered_trait(stem: str, option: str) -> bool:
    rows = re.findall(r"[的；]([^的；]+)平均为(\d+)\D+标准差为(\d+)", stem)
    ratio = {name: int(s) / int(mean) for name, mean, s in rows}
    assert len(ratio) == 2
    largest = max(ratio, key=lambda name: ratio[name])
    return option.startswith(largest) and near(option, 100 * ratio[largest])


def judge_coefficient_after_change(stem: str, option: str) -> bool:
    mean, s = after("平均为", stem), after("标准差为", stem)
    factor, bonus = after("变为原来的", stem), after("各增加", stem)
    low, high = (factor * (mean + d) + bonus for d in (-s, s))
    return near(option, 100 * (high - low) / (high + low))


def judge_t_score(stem: str, option: str) -> bool:
    mean, variance, x = after("平均分为", stem), after("方差为", stem), after("一名学生得", stem)
    return near(option, 50 + 10 * (x - mean) / variance**0.5)


def judge_mean_and_deviation_back(stem: str, option: str) -> bool:
    x1, x2 = after("甲得", stem), after("乙得", stem)
    z1, z2, z3 = (float(v) for v in re.findall(r"z\$为(-?\d+(?:\.\d+)?)", stem))
    return near(option, x1 + (x2 - x1) * (z3 - z1) / (z2 - z1))


def judge_better_by_total_z(stem: str, option: str) -> bool:
    norms = [(float(m), float(s)) for m, s in re.findall(r"平均(\d+)、标准差(\d+)", stem)]
    totals = {}
    for who, marks in re.findall(r"([甲乙])((?:\d+、){2}\d+)", stem):
        pairs = zip(marks.split("、"), norms, strict=True)
        totals[who] = sum((float(x) - m) / s for x, (m, s) in pairs)
    return option[0] == max(totals, key=lambda who: totals[who]) and near(option, totals[option[0]])


def judge_equivalent_score(stem: str, option: str) -> bool:
    m1, m2 = (float(v) for v in re.findall(r"平均分为(\d+)", stem))
    s1, s2 = (float(v) for v in re.findall(r"标准差为(\d+)", stem))
    x = float(re.findall(r"的(\d+)分相当于", stem)[0])
    return abs((numbers(option)[0] - m2) / s2 - (x - m1) / s1) < 0.06 / s2


JUDGES: dict[str, Judge] = {
    "coefficient_from_sums": judge_coefficient_from_sums,
    "variance_from_coefficient": judge_variance_from_coefficient,
    "more_scattered_trait": judge_more_scattered_trait,
    "coefficient_after_change": judge_coefficient_after_change,
    "t_score": judge_t_score,
    "mean_and_deviation_back": judge_mean_and_deviation_back,
    "better_by_total_z": judge_better_by_total_z,
    "equivalent_score": judge_equivalent_score,
}


@pytest.mark.parametrize("family", families_of(FAMILIES), ids=lambda f: f.__name__)
def test_family_keeps_the_laws_and_only_its_key_is_right(family: Family) -> None:
    check_places(family)
    check_only_the_key(family, JUDGES[family.__name__])
