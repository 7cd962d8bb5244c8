"""Intervals for one mean: laws and oracles."""

import math
import statistics

import pytest

from psygen.engines.offline.calculation import mean_intervals
from psygen.engines.offline.problem import Family
from tests.engines.offline.applied_checks import (
    Oracle,
    check_both_verdicts,
    check_laws,
    check_oracle,
    families_of,
    grab,
    grab_rows,
)
from tests.engines.offline.inference_checks import level_share, norm_verdict, t_line, z_line


def limit_with_sigma(stem: str) -> float:
    sigma, n, mean = grab(stem, r"sigma=(\d+)\$.*抽取(\d+)人，得平均数\$\\bar X=(\d+)\$")
    half = z_line(stem, level_share(stem)) * sigma / math.sqrt(n)
    return mean + (half if "上限" in stem else -half)


def people_behind_interval(stem: str) -> float:
    sigma, low, high = grab(stem, r"sigma=(\d+)\$.*\[([\d.]+)，([\d.]+)\]")
    z = z_line(stem, level_share(stem))
    return min(range(1, 2000), key=lambda n: abs(2 * z * sigma / math.sqrt(n) - (high - low)))


def width_after_change(stem: str) -> float:
    width, times, later = grab(stem, r"全长为(\d+)毫秒.*原来的(\d+)倍.*改为(\d+)%")
    z = {95: z_line(stem, "0.05/2"), 99: z_line(stem, "0.01/2")}
    spread = width / 2 / z[194 - round(later)]
    return 2 * z[round(later)] * spread / math.sqrt(times)


def norm_in_interval(stem: str) -> str:
    norm, sigma, n, mean = grab(stem, r"mu_0=(\d+)\$分，\$\\sigma=(\d+)\$分。.*抽取(\d+)人，得平均分([\d.]+)分")
    half = z_line(stem, level_share(stem)) * math.sqrt(sigma**2 / n)
    return norm_verdict(mean - half, mean + half, norm)


def limit_without_sigma(stem: str) -> float:
    n, mean, s = grab(stem, r"抽取(\d+)人，.*平均数为(\d+)分.*S=(\d+)\$")
    share = level_share(stem)
    half = t_line(stem, n - 1, share) * s * math.sqrt(n / (n - 1)) / math.sqrt(n)
    return mean + (half if "上限" in stem else -half)


def sd_behind_interval(stem: str) -> float:
    n, low, high = grab(stem, r"抽取(\d+)人.*\[(-?[\d.]+)，([\d.]+)\]")
    return math.sqrt(n) * (high - low) / (2 * t_line(stem, n - 1, "0.05/2"))


def known_versus_unknown(stem: str) -> float:
    n, s, sigma = grab(stem, r"抽取(\d+)人.*S_\{n-1\}=(\d+)\$.*sigma=(\d+)\$")
    share = level_share(stem)
    first = 2 * z_line(stem, share) * sigma / math.sqrt(n)
    return 2 * t_line(stem, n - 1, share) * s / math.sqrt(n) / first


def scores_against_norm(stem: str) -> str:
    scores, norm = grab_rows(stem, r"得分为：([\d，]+)。")[0], grab(stem, r"全国平均分为(\d+)分")[0]
    n = len(scores)
    half = t_line(stem, n - 1, "0.05/2") * statistics.stdev(scores) / math.sqrt(n)
    mean = statistics.mean(scores)
    return norm_verdict(mean - half, mean + half, norm)


ORACLES: dict[Family, Oracle] = {
    mean_intervals.limit_with_sigma: limit_with_sigma,
    mean_intervals.people_behind_interval: people_behind_interval,
    mean_intervals.width_after_change: width_after_change,
    mean_intervals.norm_in_interval: norm_in_interval,
    mean_intervals.limit_without_sigma: limit_without_sigma,
    mean_intervals.sd_behind_interval: sd_behind_interval,
    mean_intervals.known_versus_unknown: known_versus_unknown,
    mean_intervals.scores_against_norm: scores_against_norm,
}


@pytest.mark.parametrize("family", families_of(mean_intervals.FAMILIES), ids=lambda f: f.__name__)
def test_family_keeps_the_laws_and_its_oracle(family: Family) -> None:
    check_laws(family)
    check_oracle(family, ORACLES[family])


def test_both_verdicts_of_norm_in_interval() -> None:
    check_both_verdicts(mean_intervals.norm_in_interval, "包含")


def test_both_verdicts_of_scores_against_norm() -> None:
    check_both_verdicts(mean_intervals.scores_against_norm, "包含")
