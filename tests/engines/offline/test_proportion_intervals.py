"""Intervals for a proportion: laws and oracles."""

import math

import pytest

from psygen.engines.offline.calculation import proportion_intervals
from psygen.engines.offline.problem import Family
from tests.engines.offline.applied_checks import (
    Oracle,
    check_both_verdicts,
    check_laws,
    check_oracle,
    families_of,
    grab,
)
from tests.engines.offline.inference_checks import level_share, shown, z_line


def share_limit(stem: str) -> float:
    n, x = grab(stem, r"调查(\d+)名[^，]*，其中(\d+)人")
    half = z_line(stem, level_share(stem)) * math.sqrt(x * (n - x) / n**3)
    return x / n + (half if "上限" in stem else -half)


def people_behind_share(stem: str) -> float:
    low, high = grab(stem, r"\[([\d.]+)，([\d.]+)\]")
    p, z = (low + high) / 2, z_line(stem, level_share(stem))
    return min(range(1, 3000), key=lambda n: abs(2 * z * math.sqrt(p * (1 - p) / n) - (high - low)))


def equal_precision(stem: str) -> float:
    n, p1, p2 = grab(stem, r"调查(\d+)名学生，.*比率为([\d.]+)；.*约为([\d.]+)。")
    return min(range(1, 3000), key=lambda k: abs(p2 * (1 - p2) / k - p1 * (1 - p1) / n))


def share_against_claim(stem: str) -> str:
    claim, n, x = grab(stem, r"比率为([\d.]+)。研究者随机抽查(\d+)人，其中(\d+)人")
    half = z_line(stem, level_share(stem)) * math.sqrt(x * (n - x) / n**3)
    low, high = x / n - half, x / n + half
    inside = low < claim < high
    says = f"{'包含' if inside else '不含'}{claim:.2f}，与{claim:.2f}{'无' if inside else '有'}显著差异"
    return f"[{shown(low, 4)}，{shown(high, 4)}]，{says}"


ORACLES: dict[Family, Oracle] = {
    proportion_intervals.share_limit: share_limit,
    proportion_intervals.people_behind_share: people_behind_share,
    proportion_intervals.equal_precision: equal_precision,
    proportion_intervals.share_against_claim: share_against_claim,
}


@pytest.mark.parametrize("family", families_of(proportion_intervals.FAMILIES), ids=lambda f: f.__name__)
def test_family_keeps_the_laws_and_its_oracle(family: Family) -> None:
    check_laws(family)
    check_oracle(family, ORACLES[family])


def test_both_verdicts_of_share_against_claim() -> None:
    check_both_verdicts(proportion_intervals.share_against_claim, "包含")
