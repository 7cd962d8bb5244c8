"""Margin of error: laws and oracles."""

import math

import pytest

from psygen.engines.offline.calculation import margin_of_error
from psygen.engines.offline.problem import Family
from tests.engines.offline.applied_checks import (
    Oracle,
    check_both_verdicts,
    check_laws,
    check_oracle,
    families_of,
    grab,
)
from tests.engines.offline.inference_checks import level_share, shown, t_line, z_line


def margin_of_share(stem: str) -> float:
    n, x = grab(stem, r"，(\d+)名中学生里有(\d+)人")
    return 100 * z_line(stem, level_share(stem)) * math.sqrt(x * (n - x) / n**3)


def sigma_behind_margin(stem: str) -> float:
    n, d = grab(stem, r"抽取(\d+)名.*误差为([\d.]+)分")
    return d / z_line(stem, level_share(stem)) * math.sqrt(n)


def margin_after_changes(stem: str) -> float:
    p1, level, d, times, p2, later = grab(
        stem, r"比率为([\d.]+)，在(\d+)%.*误差为([\d.]+)个.*甲的(\d+)倍，样本比率为([\d.]+)，置信水平取(\d+)%"
    )
    z = {95: z_line(stem, "0.05/2"), 99: z_line(stem, "0.01/2")}
    n = p1 * (1 - p1) * (z[round(level)] / d) ** 2
    return z[round(later)] * math.sqrt(p2 * (1 - p2) / (times * n))


def deviation_against_margin(stem: str) -> str:
    norm, n, mean, s = grab(stem, r"总体平均数为(\d+)分。.*抽取(\d+)人，平均数为([\d.]+)分，.*S=(\d+)\$")
    margin = t_line(stem, n - 1, level_share(stem)) * s / math.sqrt(n - 1)
    return f"最大允许误差{shown(margin, 2)}分，偏离{'超出' if mean - norm > margin else '未超'}误差范围"


ORACLES: dict[Family, Oracle] = {
    margin_of_error.margin_of_share: margin_of_share,
    margin_of_error.sigma_behind_margin: sigma_behind_margin,
    margin_of_error.margin_after_changes: margin_after_changes,
    margin_of_error.deviation_against_margin: deviation_against_margin,
}


@pytest.mark.parametrize("family", families_of(margin_of_error.FAMILIES), ids=lambda f: f.__name__)
def test_family_keeps_the_laws_and_its_oracle(family: Family) -> None:
    check_laws(family)
    check_oracle(family, ORACLES[family])


def test_both_verdicts_of_deviation_against_margin() -> None:
    check_both_verdicts(margin_of_error.deviation_against_margin, "超出")
