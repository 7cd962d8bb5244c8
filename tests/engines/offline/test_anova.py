"""One-way analysis of variance: laws and oracles."""

import re

import numpy as np
import pytest
from scipy import stats

from psygen.engines.offline.calculation import anova
from psygen.engines.offline.problem import Family
from tests.engines.offline.applied_checks import (
    Oracle,
    check_both_verdicts,
    check_laws,
    check_oracle,
    families_of,
    grab,
    grab_all,
    grab_rows,
)


def one_way_scores(stem: str) -> float:
    return float(stats.f_oneway(*grab_rows(stem, r"组：([\d，]+)")).statistic)


def unequal_groups(stem: str) -> float:
    groups = []
    for n, m, s in (
        grab(text, r"=(\d+)\$，\$\\bar X=(\d+)\$，\$s_\{n-1\}=(\d+)\$") for text in re.findall(r"组\$n[^；（]*", stem)
    ):
        base = np.arange(n) - (n - 1) / 2
        groups.append(m + base / np.std(base, ddof=1) * s)
    return float(stats.f_oneway(*groups).statistic)


def within(stem: str) -> float:
    (k,), (size,), (total,), (f,) = (
        grab(stem, p) for p in (r"共有(\d+)个处理", r"每个处理(\d+)名", r"SS_t=([\d.]+)", r"\$F=([\d.]+)\$")
    )
    shares = np.linalg.solve(np.array([[1, 1], [1 / (k - 1), -f / (k * size - k)]]), np.array([total, 0.0]))
    return float(shares[1] / (k * size - k))


def one_way_verdict(stem: str) -> str:
    means, variances = grab_all(stem, r"\\bar X=(\d+)"), grab_all(stem, r"s\^2=(\d+)")
    (size,), (critical,) = grab(stem, r"每组(\d+)人"), grab(stem, r"\(2,\d+\)=([\d.]+)")
    f = size * np.var(means, ddof=1) / np.mean(variances)
    return f"$F={f:.2f}$，三组差异{'达到' if f > critical else '未达'}显著水平"


def raised(stem: str) -> float:
    means, (size,), (error,) = (
        grab(stem, r"依次为(\d+)，(\d+)，(\d+)"),
        grab(stem, r"每组(\d+)人"),
        grab(stem, r"MS_w=(\d+)"),
    )
    means["一二三".index(stem[stem.index("发现第") + 3])] += grab(stem, r"再加(\d+)分")[0]
    return float(size * np.var(means, ddof=1) / error)


ORACLES: dict[Family, Oracle] = {
    anova.f_from_scores: one_way_scores,
    anova.f_unequal_groups: unequal_groups,
    anova.within_from_f: within,
    anova.one_way_decision: one_way_verdict,
    anova.raised_group: raised,
}


@pytest.mark.parametrize("family", families_of(anova.FAMILIES), ids=lambda f: f.__name__)
def test_family_keeps_the_laws_and_its_oracle(family: Family) -> None:
    check_laws(family)
    check_oracle(family, ORACLES[family])


@pytest.mark.parametrize("family", [anova.one_way_decision], ids=lambda f: f.__name__)
def test_both_verdicts_occur(family: Family) -> None:
    check_both_verdicts(family, "未达显著")
