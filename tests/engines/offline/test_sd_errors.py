"""Standard error of the standard deviation: laws and oracles."""

import math

import pytest

from psygen.engines.offline.calculation import sd_errors
from psygen.engines.offline.problem import Family
from tests.engines.offline.applied_checks import (
    Oracle,
    check_both_verdicts,
    check_laws,
    check_oracle,
    families_of,
    grab,
)
from tests.engines.offline.inference_checks import shown, z_line


def sd_error(stem: str) -> float:
    n, s = grab(stem, r"随机抽取(\d+)人.*S_\{n-1\}=(\d+)")
    return s / math.sqrt(n) / math.sqrt(2)


def people_behind_sd_error(stem: str) -> float:
    s, error = grab(stem, r"S_\{n-1\}=(\d+)\$.*估计值为([\d.]+)分")
    return next(n for n in range(1, 2000) if abs(s / math.sqrt(2 * n) - error) < 1e-9)


def error_from_other_error(stem: str) -> float:
    n, error, more = grab(stem, r"抽取(\d+)名.*sqrt n=([\d.]+)\$.*扩大为(\d+)人")
    return error * math.sqrt(n / more / 2)


def sd_against_norm(stem: str) -> str:
    norm, n, s, alpha = grab(stem, r"标准差为(\d+)分。.*抽取(\d+)人，得\$S_\{n-1\}=([\d.]+)\$.*alpha=([\d.]+)\$")
    half = z_line(stem, f"{alpha:g}/2") * s / math.sqrt(2 * n)
    inside = abs(s - norm) < half
    ends = f"[{shown(s - half, 2)}，{shown(s + half, 2)}]"
    return f"{ends}，{'包含' if inside else '不含'}{norm:g}，与常模{'无' if inside else '有'}显著差异"


ORACLES: dict[Family, Oracle] = {
    sd_errors.sd_error: sd_error,
    sd_errors.people_behind_sd_error: people_behind_sd_error,
    sd_errors.error_from_other_error: error_from_other_error,
    sd_errors.sd_against_norm: sd_against_norm,
}


@pytest.mark.parametrize("family", families_of(sd_errors.FAMILIES), ids=lambda f: f.__name__)
def test_family_keeps_the_laws_and_its_oracle(family: Family) -> None:
    check_laws(family)
    check_oracle(family, ORACLES[family])


def test_both_verdicts_of_sd_against_norm() -> None:
    check_both_verdicts(sd_errors.sd_against_norm, "包含")
