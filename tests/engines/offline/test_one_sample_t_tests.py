"""One-sample t tests: laws and oracles."""

import math

import pytest
from scipy import stats

from psygen.engines.offline.calculation import one_sample_t_tests
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
from tests.engines.offline.inference_checks import t_line, verdict


def t_from_descriptive_sd(stem: str) -> float:
    mu, n, mean, s = grab(stem, r"平均数为(\d+)分。.*抽取(\d+)人，平均数为([\d.]+)分，.*S=(\d+)\$")
    return (mean - mu) / (s * math.sqrt(n / (n - 1)) / math.sqrt(n))


def t_from_scores(stem: str) -> float:
    mu, scores = grab(stem, r"平均分为(\d+)分")[0], grab_rows(stem, r"得分为：([\d，]+)。")[0]
    return float(stats.ttest_1samp(scores, mu).statistic)


def sd_behind_t(stem: str) -> float:
    n, mean, mu, t = grab(stem, r"抽取(\d+)人，.*平均数为([\d.]+)分，而全国平均数为(\d+)分.*=([\d.]+)\$")
    unbiased = (mean - mu) / t * math.sqrt(n)
    return unbiased * math.sqrt((n - 1) / n)


def t_decision(stem: str) -> str:
    mu, n, mean, s, alpha = grab(
        stem, r"平均数为(\d+)毫秒。.*抽取(\d+)人，平均数为(\d+)毫秒，.*=(\d+)\$毫秒.*alpha=([\d.]+)\$"
    )
    line = t_line(stem, n - 1, f"{alpha:g}/2" if "双侧" in stem else f"{alpha:g}")
    return verdict("t", (mu - mean) / s * math.sqrt(n), line, 3)


def t_after_growth(stem: str) -> float:
    n1, t, n2 = grab(stem, r"抽取(\d+)人测.*t=([\d.]+)\$.*容量为(\d+)人")
    effect = t / math.sqrt(n1 - 1)
    return effect * math.sqrt(n2 - 1)


ORACLES: dict[Family, Oracle] = {
    one_sample_t_tests.t_from_descriptive_sd: t_from_descriptive_sd,
    one_sample_t_tests.t_from_scores: t_from_scores,
    one_sample_t_tests.sd_behind_t: sd_behind_t,
    one_sample_t_tests.t_decision: t_decision,
    one_sample_t_tests.t_after_growth: t_after_growth,
}


@pytest.mark.parametrize("family", families_of(one_sample_t_tests.FAMILIES), ids=lambda f: f.__name__)
def test_family_keeps_the_laws_and_its_oracle(family: Family) -> None:
    check_laws(family)
    check_oracle(family, ORACLES[family])


def test_both_verdicts_of_t_decision() -> None:
    check_both_verdicts(one_sample_t_tests.t_decision, "拒绝")
