"""Sample sizes for estimation: laws and oracles."""

import math
from collections.abc import Callable

import pytest

from psygen.engines.offline.calculation import estimation_sizes
from psygen.engines.offline.problem import Family
from tests.engines.offline.applied_checks import (
    Oracle,
    check_both_verdicts,
    check_laws,
    check_oracle,
    families_of,
    grab,
)
from tests.engines.offline.inference_checks import level_share, z_line


def least(margin: Callable[[int], float], limit: float) -> int:
    """The smallest sample whose margin of error keeps within the limit."""
    return next(n for n in range(1, 9999) if margin(n) <= limit + 1e-9)


def size_for_mean(stem: str) -> float:
    sigma, d = grab(stem, r"sigma=(\d+)\$.*不超过([\d.]+)分")
    z = z_line(stem, level_share(stem))
    return least(lambda n: z * sigma / math.sqrt(n), d)


def size_for_share(stem: str) -> float:
    d, z = grab(stem, r"不超过([\d.]+)（")[0], z_line(stem, level_share(stem))
    return max(least(lambda n, p=p: z * math.sqrt(p * (1 - p) / n), d) for p in (0.2, 0.4, 0.5, 0.7))  # type: ignore[misc]


def size_from_earlier_interval(stem: str) -> float:
    n, low, high, d = grab(stem, r"抽取(\d+)名.*\[(\d+)，(\d+)\]毫秒.*不超过(\d+)毫秒")
    return least(lambda k: (high - low) / 2 * math.sqrt(n / k), d)


def stricter_demand(stem: str) -> float:
    sigma, d1, d2 = grab(stem, r"sigma=(\d+)\$.*不超过(\d+)分；.*不超过(\d+)分。")
    z1, z2 = z_line(stem, "0.05/2"), z_line(stem, "0.01/2")
    return least(lambda n: z2 * sigma / math.sqrt(n), d2) - least(lambda n: z1 * sigma / math.sqrt(n), d1)


def within_budget(stem: str) -> str:
    sigma, d, cost, money = grab(stem, r"sigma=(\d+)\$分，.*不超过([\d.]+)分.*费用为(\d+)元，现有经费(\d+)元")
    z = z_line(stem, "0.05/2")
    need = least(lambda n: z * sigma / math.sqrt(n), d)
    left = money - need * cost
    return f"需{need}人，经费{'剩余' if left > 0 else '不足'}{abs(left):g}元"


ORACLES: dict[Family, Oracle] = {
    estimation_sizes.size_for_mean: size_for_mean,
    estimation_sizes.size_for_share: size_for_share,
    estimation_sizes.size_from_earlier_interval: size_from_earlier_interval,
    estimation_sizes.stricter_demand: stricter_demand,
    estimation_sizes.within_budget: within_budget,
}


@pytest.mark.parametrize("family", families_of(estimation_sizes.FAMILIES), ids=lambda f: f.__name__)
def test_family_keeps_the_laws_and_its_oracle(family: Family) -> None:
    check_laws(family)
    check_oracle(family, ORACLES[family])


def test_both_verdicts_of_within_budget() -> None:
    check_both_verdicts(estimation_sizes.within_budget, "剩余")
