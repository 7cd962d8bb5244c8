"""Two-way analysis of variance: laws and oracles."""

import numpy as np
import pytest
from scipy import stats

from psygen.engines.offline.calculation import factorial
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


def interaction(stem: str) -> float:
    a, b = grab(stem, r"（(\d)个水平）.*?（(\d)个水平）")
    (n,), (total, first, second, within) = (
        grab(stem, r"结合(\d+)人"),
        grab(stem, r"总平方和为(\d+)，A因素平方和为(\d+)，B因素平方和为(\d+)，组内（误差）平方和为(\d+)"),
    )
    return (total - first - second - within) / (a - 1) / (b - 1) / (within / (a * b * n - a * b))


def interaction_square(stem: str) -> float:
    cells = np.array(grab_rows(stem, r"(?:男生|女生|训练|青年|老年)：([\d，]+)"))
    (n,) = grab(stem, r"每格(\d+)人")
    contrast = cells[0] - cells[1]
    return float(n * ((contrast - contrast.mean()) ** 2).sum() / 2)


def subjects(stem: str) -> float:
    first, error, both, _ = grab(stem, r"F\((\d+),(\d+)\).*F\((\d+),(\d+)\)")
    second = both / first
    return first + second + both + error + 1


def pattern(stem: str) -> str:
    p, q, r, s = grab(stem, r"A1B1=(\d+)，A1B2=(\d+)，A2B1=(\d+)，A2B2=(\d+)")
    (n,), (error,) = grab(stem, r"每格(\d+)人"), grab(stem, r"MS_w=(\d+)")

    def significant(contrast: float) -> str:
        t = contrast / np.sqrt(4 * error / n)
        return "达到显著" if 2 * stats.t.sf(abs(t), 4 * n - 4) < 0.05 else "未达显著"

    return f"A的主效应{significant(p + q - r - s)}，交互作用{significant(p - q - r + s)}"


def ignored(stem: str) -> float:
    a, b, n = grab(stem, r"用(\d)×(\d)两因素.*每格(\d+)人")
    first, second, both, within = grab(stem, r"SS_A=(\d+).*SS_B=(\d+).*SS_\{AB\}=(\d+).*SS_w=(\d+)")
    return first * (a * b * n - a) / ((a - 1) * (second + both + within))


ORACLES: dict[Family, Oracle] = {
    factorial.interaction_f: interaction,
    factorial.interaction_square_from_means: interaction_square,
    factorial.total_subjects: subjects,
    factorial.effects_pattern: pattern,
    factorial.factor_ignored: ignored,
}


@pytest.mark.parametrize("family", families_of(factorial.FAMILIES), ids=lambda f: f.__name__)
def test_family_keeps_the_laws_and_its_oracle(family: Family) -> None:
    check_laws(family)
    check_oracle(family, ORACLES[family])


@pytest.mark.parametrize("verdict", ["主效应未达显著", "交互作用未达显著"])
def test_both_verdicts_occur(verdict: str) -> None:
    check_both_verdicts(factorial.effects_pattern, verdict)
