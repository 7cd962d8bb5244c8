"""Statistical power: laws and oracles."""

import math
import re
from statistics import NormalDist

import pytest

from psygen.engines.offline.calculation import power
from psygen.engines.offline.problem import Family
from tests.engines.offline.applied_checks import (
    Oracle,
    check_laws,
    check_oracle,
    draws,
    families_of,
    grab,
)

NORMAL = NormalDist()


def critical(stem: str) -> float:
    """The first printed table value belongs to the test that the stem describes."""
    return grab(stem, r"Z_\{[^}]*\}=([\d.]+)")[0]


def area(z: float) -> float:
    return round(NORMAL.cdf(z), 4)


def z_power(stem: str) -> float:
    sigma, norm, n, true = grab(stem, r"标准差为(\d+)，常模平均数为(\d+)。.*拟取(\d+)名.*真实平均数为(\d+)，")
    return area((true - norm) / math.sqrt(sigma**2 / n) - critical(stem))


def beta(stem: str) -> float:
    n, sigma, cut, true = grab(stem, r"抽取(\d+)人，总体标准差为(\d+)，.*超过([\d.]+)时.*真实平均数为(\d+)，")
    return area((cut - true) / math.sqrt(sigma**2 / n))


def detectable(stem: str) -> float:
    n, sigma, z = grab(stem, r"用(\d+)名被试.*标准差为(\d+)，.*中Z=([\d.]+)以下")
    return (critical(stem) + z) * math.sqrt(sigma * sigma / n)


def plan_power(text: str, sigma: float) -> float:
    n, gap, alpha = grab(text, r"取(\d+)人，真实差异为(\d+)分，\$\\alpha=([\d.]+)\$")
    tails = 2 if "双侧" in text else 1
    return NORMAL.cdf(gap / (sigma / math.sqrt(n)) - NORMAL.inv_cdf(1 - alpha / tails))


def gained(stem: str) -> float:
    sigma, gap, before, after = grab(
        stem,
        r"标准差为(\d+)，真实平均数比假设值高(\d+)分.*由(\d+)增加到(\d+)"
        "，",
    )
    powers = [area(gap / math.sqrt(sigma**2 / n) - critical(stem)) for n in (before, after)]
    return powers[1] - powers[0]


ORACLES: dict[Family, Oracle] = {
    power.power_of_z_test: z_power,
    power.beta_from_cutoff: beta,
    power.detectable_difference: detectable,
    power.power_gained: gained,
}


@pytest.mark.parametrize("family", families_of(power.FAMILIES), ids=lambda f: f.__name__)
def test_family_keeps_the_laws(family: Family) -> None:
    check_laws(family)


@pytest.mark.parametrize("family", ORACLES, ids=lambda f: f.__name__)
def test_family_agrees_with_its_oracle(family: Family) -> None:
    check_oracle(family, ORACLES[family])


def test_the_chosen_plan_has_the_greatest_power() -> None:
    for rank, problem in draws(power.most_powerful_plan):
        (sigma,) = grab(problem.stem, r"标准差为(\d+)分")
        powers = [plan_power(option, sigma) for option in problem.choice.options]
        assert powers.index(max(powers)) == rank
        assert sorted(powers)[-1] - sorted(powers)[-2] > 0.004


def test_areas_needed_for_the_key_are_printed() -> None:
    for family in (power.power_of_z_test, power.beta_from_cutoff, power.power_gained):
        for _, problem in draws(family):
            for z in re.findall(r"Phi\(-?([\d.]+)\)", problem.steps):
                assert f"\\Phi({z})" in problem.stem
