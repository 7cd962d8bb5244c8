"""Standard error of the mean: laws and oracles."""

import math

import pytest

from psygen.engines.offline.calculation import standard_errors
from psygen.engines.offline.problem import Family
from tests.engines.offline.applied_checks import Oracle, check_laws, check_oracle, families_of, grab, grab_rows


def from_descriptive_sd(stem: str) -> float:
    n, s = grab(stem, r"随机抽取(\d+)人.*S=(\d+)\$")
    return s * math.sqrt(n / (n - 1)) / math.sqrt(n)


def people_to_add(stem: str) -> float:
    sigma, before, after = grab(stem, r"sigma=(\d+)\$.*标准误为([\d.]+)分.*降到([\d.]+)分")
    return sigma**2 / after**2 - sigma**2 / before**2


def ratio_of_errors(stem: str) -> float:
    s1, s2, n1, n2 = grab(stem, r"标准差为(\d+)毫秒，.*标准差为(\d+)毫秒。.*抽取(\d+)人，.*抽取(\d+)人")
    return math.sqrt(s1**2 / n1) / math.sqrt(s2**2 / n2)


def cheapest_scheme(stem: str) -> str:
    limit = grab(stem, r"不超过([\d.]+)分")[0]
    rows = grab_rows(stem, r"方案[一二三四]用(标准差为\d+分的测验，抽取\d+人，人均费用\d+元)")
    fit = [(n * cost, name) for (s, n, cost), name in zip(rows, "一二三四", strict=True) if s * s / n <= limit**2]
    assert len(fit) == 2
    return f"方案{min(fit)[1]}"


def from_sums(stem: str) -> float:
    n, total, squares = grab(stem, r"随机抽取(\d+)人.*sum X=(\d+)\$.*sum X\^2=(\d+)")
    return math.sqrt((squares / n - (total / n) ** 2) / (n - 1))


ORACLES: dict[Family, Oracle] = {
    standard_errors.from_descriptive_sd: from_descriptive_sd,
    standard_errors.people_to_add: people_to_add,
    standard_errors.ratio_of_errors: ratio_of_errors,
    standard_errors.cheapest_scheme: cheapest_scheme,
    standard_errors.from_sums: from_sums,
}


@pytest.mark.parametrize("family", families_of(standard_errors.FAMILIES), ids=lambda f: f.__name__)
def test_family_keeps_the_laws_and_its_oracle(family: Family) -> None:
    check_laws(family)
    check_oracle(family, ORACLES[family])
