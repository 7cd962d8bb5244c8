"""Sample sizes of Z tests: laws and oracles."""

import math

import pytest

from psygen.engines.offline.calculation import power_sizes
from psygen.engines.offline.problem import Family
from tests.engines.offline.applied_checks import (
    Oracle,
    check_both_verdicts,
    check_laws,
    check_oracle,
    families_of,
    grab,
)


def critical(stem: str) -> float:
    """The first printed table value belongs to the test that the stem describes."""
    return grab(stem, r"Z_\{[^}]*\}=([\d.]+)")[0]


def one_sample(stem: str) -> float:
    sigma, gap, z = grab(stem, r"标准差为(\d+)，.*真实差异为(\d+)时.*中Z=([\d.]+)以下")
    return next(n for n in range(1, 9999) if gap / math.sqrt(sigma**2 / n) - critical(stem) >= z)


def spread(stem: str) -> float:
    n, z, gap = grab(stem, r"两组各(\d+)人.*中Z=([\d.]+)以下.*真实差异为(\d+)分")
    return gap / (critical(stem) + z) / math.sqrt(2 / n)


def enough(stem: str) -> str:
    planned, effect, z = grab(stem, r"已招募(\d+)人.*d=([\d.]+)\$.*中Z=([\d.]+)以下")
    needed = next(n for n in range(2, 9999) if effect / math.sqrt(2 / n) - critical(stem) >= z)
    return f"每组至少需要{needed}人，现有人数{'不足' if needed > planned else '够用'}"


def extra(stem: str) -> float:
    sigma, gap = grab(stem, r"标准差为(\d+)，预期真实差异为(\d+)。")
    before, after = (next(n for n in range(1, 9999) if gap / math.sqrt(sigma**2 / n) >= total) for total in (2.8, 3.86))
    return after - before


ORACLES: dict[Family, Oracle] = {
    power_sizes.size_for_one_sample: one_sample,
    power_sizes.spread_allowed: spread,
    power_sizes.enough_subjects: enough,
    power_sizes.extra_subjects: extra,
}


@pytest.mark.parametrize("family", families_of(power_sizes.FAMILIES), ids=lambda f: f.__name__)
def test_family_keeps_the_laws_and_its_oracle(family: Family) -> None:
    check_laws(family)
    check_oracle(family, ORACLES[family])


def test_both_verdicts_occur() -> None:
    check_both_verdicts(power_sizes.enough_subjects, "不足")
