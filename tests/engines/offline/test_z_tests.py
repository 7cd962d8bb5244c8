"""One-sample Z tests: laws and oracles."""

import math

import pytest

from psygen.engines.offline.calculation import z_tests
from psygen.engines.offline.problem import Family
from tests.engines.offline.applied_checks import (
    Oracle,
    check_both_verdicts,
    check_laws,
    check_oracle,
    families_of,
    grab,
)
from tests.engines.offline.inference_checks import verdict, z_line


def z_statistic(stem: str) -> float:
    mu, sigma, n, mean = grab(stem, r"平均数为(\d+)，标准差为(\d+)，.*抽取(\d+)名[^。]+?平均数为([\d.]+)。")
    return (mean - mu) / math.sqrt(sigma**2 / n)


def critical_mean(stem: str) -> float:
    mu, sigma, n, alpha = grab(stem, r"平均数为(\d+)分，标准差为(\d+)分，.*抽取(\d+)名.*alpha=([\d.]+)\$")
    z = z_line(stem, f"{alpha:g}/2" if "双侧" in stem else f"{alpha:g}")
    return mu + (z if "则它至少" in stem else -z) * sigma / math.sqrt(n)


def z_decision(stem: str) -> str:
    mu, sigma, n, mean, alpha = grab(
        stem, r"平均分为(\d+)分，标准差为(\d+)分，.*抽取(\d+)人，平均分为([\d.]+)分.*alpha=([\d.]+)\$"
    )
    line = z_line(stem, f"{alpha:g}/2" if "双侧" in stem else f"{alpha:g}")
    return verdict("Z", (mean - mu) / math.sqrt(sigma**2 / n), line, 2)


def people_for_significance(stem: str) -> float:
    sigma, gap, alpha = grab(stem, r"sigma=(\d+)\$.*常模相差(\d+)毫秒.*alpha=([\d.]+)\$")
    return next(n for n in range(1, 999) if gap * math.sqrt(n) / sigma > z_line(stem, f"{alpha:g}/2"))


def z_of_proportion(stem: str) -> float:
    p0, n, x = grab(stem, r"者占([\d.]+)。今随机抽查某校(\d+)名学生，其中(\d+)人")
    return (x - n * p0) / math.sqrt(n * p0 * (1 - p0))


ORACLES: dict[Family, Oracle] = {
    z_tests.z_statistic: z_statistic,
    z_tests.critical_mean: critical_mean,
    z_tests.z_decision: z_decision,
    z_tests.people_for_significance: people_for_significance,
    z_tests.z_of_proportion: z_of_proportion,
}


@pytest.mark.parametrize("family", families_of(z_tests.FAMILIES), ids=lambda f: f.__name__)
def test_family_keeps_the_laws_and_its_oracle(family: Family) -> None:
    check_laws(family)
    check_oracle(family, ORACLES[family])


def test_both_verdicts_of_z_decision() -> None:
    check_both_verdicts(z_tests.z_decision, "拒绝")
