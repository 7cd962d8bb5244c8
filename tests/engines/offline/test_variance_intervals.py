"""Intervals for a variance: laws and oracles."""

import pytest

from psygen.engines.offline.calculation import variance_intervals
from psygen.engines.offline.problem import Family
from tests.engines.offline.applied_checks import (
    Oracle,
    check_both_verdicts,
    check_laws,
    check_oracle,
    families_of,
    grab,
)
from tests.engines.offline.inference_checks import shown


def chi2_line(stem: str, df: float, share: str) -> float:
    return grab(stem, rf"chi\^2_\{{{share}\}}\({round(df)}\)=([\d.]+)")[0]


def variance_limit(stem: str) -> float:
    n, variance = grab(stem, r"抽取(\d+)人，.*S_\{n-1\}\^2=(\d+)\$")
    return (n - 1) * variance / chi2_line(stem, n - 1, "0.975" if "上限" in stem else "0.025")


def variance_behind_limit(stem: str) -> float:
    n, low = grab(stem, r"抽取(\d+)人.*下限为([\d.]+)。")
    return low / (n - 1) * chi2_line(stem, n - 1, "0.025")


def shorter_with_more_people(stem: str) -> float:
    n1, n2, variance = grab(stem, r"抽取(\d+)人测.*抽取(\d+)人，.*都是(\d+)。")
    lengths = [
        (n - 1) * variance * (1 / chi2_line(stem, n - 1, "0.975") - 1 / chi2_line(stem, n - 1, "0.025"))
        for n in (n1, n2)
    ]
    return lengths[0] - lengths[1]


def variance_against_norm(stem: str) -> str:
    norm, n, s = grab(stem, r"sigma_0\^2=(\d+)\$.*抽取(\d+)人，.*S=(\d+)\$")
    low, high = (n * s * s / chi2_line(stem, n - 1, share) for share in ("0.025", "0.975"))
    inside = low < norm < high
    says = f"{'包含' if inside else '不含'}{norm:g}，与常模{'无' if inside else '有'}显著差异"
    return f"[{shown(low, 2)}，{shown(high, 2)}]，{says}"


ORACLES: dict[Family, Oracle] = {
    variance_intervals.variance_limit: variance_limit,
    variance_intervals.variance_behind_limit: variance_behind_limit,
    variance_intervals.shorter_with_more_people: shorter_with_more_people,
    variance_intervals.variance_against_norm: variance_against_norm,
}


@pytest.mark.parametrize("family", families_of(variance_intervals.FAMILIES), ids=lambda f: f.__name__)
def test_family_keeps_the_laws_and_its_oracle(family: Family) -> None:
    check_laws(family)
    check_oracle(family, ORACLES[family])


def test_both_verdicts_of_variance_against_norm() -> None:
    check_both_verdicts(variance_intervals.variance_against_norm, "包含")
