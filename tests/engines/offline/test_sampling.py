"""The questions on stratified sampling keep the rules of offline problems.

A judge takes stem and option and says whether the option is right, by a route of its own.
"""

import re

import numpy as np
import pytest

from psygen.engines.offline.calculation.sampling import FAMILIES
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


def strata(stem: str) -> tuple[list[str], list[float]]:
    """Names and sizes of the three strata."""
    found = re.findall(r"([一-龥]+?)(\d+)人[，。]", stem.split("三层：")[1])[:3]
    return [name for name, _ in found], [float(size) for _, size in found]


def spreads(stem: str) -> list[float]:
    """Standard deviations of the three strata."""
    found = re.search(r"标准差依次为([\d、]+)", stem)
    assert found, stem
    return [float(v) for v in found.group(1).split("、")]


def judge_proportional_share(stem: str, option: str) -> bool:
    names, sizes = strata(stem)
    k = names.index(re.findall(r"分配，则(.+?)应抽取", stem)[0])
    return abs(numbers(option)[0] / after("计划共抽取", stem) - sizes[k] / sum(sizes)) < 1e-9


def judge_optimum_share(stem: str, option: str) -> bool:
    names, sizes = strata(stem)
    weights = np.multiply(sizes, spreads(stem))
    k = names.index(re.findall(r"），(.+?)应抽取", stem)[0])
    return abs(numbers(option)[0] - float(after("共抽取", stem) * weights[k] / weights.sum())) < 1e-6


def judge_stratified_error(stem: str, option: str) -> bool:
    w = np.array([float(v) for v in re.findall(r"占(0\.\d)", stem)])
    counts = re.search(r"人数依次为([\d、]+)）", stem)
    assert counts
    n = np.array([float(v) for v in counts.group(1).split("、")])
    return near(option, float(np.linalg.norm(w * np.array(spreads(stem)) / np.sqrt(n))))


def judge_stratum_size_back(stem: str, option: str) -> bool:
    n, a, b = numbers(stem)[:3]
    known = numbers(stem)[3]
    return abs(numbers(option)[0] * a - known * (n - a - b)) < 1e-6


def judge_which_allocation(stem: str, option: str) -> bool:
    sizes, sds, plan = np.array(strata(stem)[1]), np.array(spreads(stem)), np.array(numbers(option))
    assert plan.sum() == after("样本容量定为", stem)

    def error(counts: np.ndarray) -> float:
        return float(np.sum((sizes * sds) ** 2 / counts))

    moves = [np.roll(np.array(step), turn) for step in ((1, -1, 0), (-1, 1, 0)) for turn in range(3)]
    return all(error(plan) <= error(plan + move) + 1e-6 for move in moves)


def judge_allocation_difference(stem: str, option: str) -> bool:
    names, sizes = strata(stem)
    weights = np.multiply(sizes, spreads(stem))
    k = names.index(re.findall(r"标准差）使(.+?)[多少]抽取", stem)[0])
    n = after("共抽取", stem)
    change = float(n * weights[k] / weights.sum() - n * sizes[k] / sum(sizes))
    return abs(numbers(option)[0] - abs(change)) < 1e-6 and ("多抽取" in stem) == (change > 0)


JUDGES: dict[str, Judge] = {
    "proportional_share": judge_proportional_share,
    "optimum_share": judge_optimum_share,
    "stratified_error": judge_stratified_error,
    "stratum_size_back": judge_stratum_size_back,
    "which_allocation": judge_which_allocation,
    "allocation_difference": judge_allocation_difference,
}


@pytest.mark.parametrize("family", families_of(FAMILIES), ids=lambda f: f.__name__)
def test_family_keeps_the_laws_and_only_its_key_is_right(family: Family) -> None:
    check_places(family)
    check_only_the_key(family, JUDGES[family.__name__])
