"""Intervals for a correlation: laws and oracles."""

import math

import pytest

from psygen.engines.offline.calculation import correlation_intervals
from psygen.engines.offline.problem import Family
from tests.engines.offline.applied_checks import (
    Oracle,
    check_both_verdicts,
    check_laws,
    check_oracle,
    families_of,
    grab,
    grab_all,
)
from tests.engines.offline.inference_checks import level_share, signed, z_line


def limits(stem: str, share: str) -> tuple[float, float]:
    n = grab(stem, r"抽取(\d+)名")[0]
    center = grab(stem, r"时\$Z_r=([\d.]+)\$")[0]
    half = z_line(stem, share) / math.sqrt(n - 3)
    return center - half, center + half


def correlation_limit(stem: str) -> float:
    low, high = limits(stem, level_share(stem))
    return round(math.tanh(high if "上限" in stem else low), 2)


def people_behind_correlation(stem: str) -> float:
    low, high = grab(stem, r"\[(-?[\d.]+)，([\d.]+)\]")
    z = z_line(stem, level_share(stem))
    return min(range(4, 999), key=lambda n: abs(2 * z / math.sqrt(n - 3) - (high - low)))


def lopsided_interval(stem: str) -> float:
    r = grab(stem, r"r=([\d.]+)\$。")[0]
    low, high = (round(math.tanh(z), 2) for z in limits(stem, "0.05/2"))
    assert [low, high] == grab_all(stem, r"\$时r=([\d.]+)")
    return (r - low) / (high - r)


def old_value_in_interval(stem: str) -> str:
    low, high = limits(stem, level_share(stem))
    norm = grab_all(stem, r"时\$Z_r=([\d.]+)\$")[1]
    inside = low < norm < high
    ends = f"[{signed(low, 3)}，{signed(high, 3)}]"
    return f"{ends}，{'包含' if inside else '不含'}{norm:.3f}，差异{'未达' if inside else '达到'}显著"


ORACLES: dict[Family, Oracle] = {
    correlation_intervals.correlation_limit: correlation_limit,
    correlation_intervals.people_behind_correlation: people_behind_correlation,
    correlation_intervals.lopsided_interval: lopsided_interval,
    correlation_intervals.old_value_in_interval: old_value_in_interval,
}


@pytest.mark.parametrize("family", families_of(correlation_intervals.FAMILIES), ids=lambda f: f.__name__)
def test_family_keeps_the_laws_and_its_oracle(family: Family) -> None:
    check_laws(family)
    check_oracle(family, ORACLES[family])


def test_both_verdicts_of_old_value_in_interval() -> None:
    check_both_verdicts(correlation_intervals.old_value_in_interval, "包含")
