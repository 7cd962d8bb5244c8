"""Sign test: laws and oracles."""

import re

import numpy as np
import pytest
from scipy import stats

from psygen.engines.offline.calculation import signs
from psygen.engines.offline.problem import Family
from tests.engines.offline.applied_checks import (
    Oracle,
    check_both_verdicts,
    check_laws,
    check_oracle,
    draws,
    families_of,
    grab,
    grab_rows,
)


def exact(stem: str) -> float:
    pairs = grab_rows(stem, r"（(\d+，\d+)）")
    signs = [a > b for a, b in pairs if a != b]
    return float(stats.binomtest(sum(signs), len(signs)).pvalue)


def most(stem: str) -> float:
    pairs, zeros = grab(stem, r"对(\d+)对数据.*其中(\d+)对")
    n = pairs - zeros
    return max(r for r in range(int(n / 2)) if (r + 0.5 - n / 2) / (np.sqrt(n) / 2) <= -1.96)


def sign_verdict(stem: str) -> str:
    (gaps,) = grab_rows(stem, r"之差依次为([-\d，]+)。")
    plus, minus = sum(g > 0 for g in gaps), sum(g < 0 for g in gaps)
    r = min(plus, minus)
    significant = stats.binomtest(r, plus + minus).pvalue < 0.05
    return f"有效对数为{plus + minus}，r为{r}，差异{'达到' if significant else '未达'}显著水平"


def change(stem: str) -> float:
    n, r = (int(v) for v in grab(stem, r"(\d+)名被试.*?(\d+)人为负号"))
    return float(stats.binomtest(r, n).pvalue - stats.binomtest(r - 1, n).pvalue)


ORACLES: dict[Family, Oracle] = {
    signs.exact_probability: exact,
    signs.most_minority_signs: most,
    signs.sign_decision: sign_verdict,
    signs.probability_after_correction: change,
}


@pytest.mark.parametrize("family", families_of(signs.FAMILIES), ids=lambda f: f.__name__)
def test_family_keeps_the_laws_and_its_oracle(family: Family) -> None:
    check_laws(family)
    check_oracle(family, ORACLES[family])


@pytest.mark.parametrize("n", range(11, 17))
def test_printed_critical_values_are_those_of_the_binomial(n: int) -> None:
    exact_value = max(r for r in range(n) if stats.binomtest(r, n).pvalue < 0.05 and r < n / 2)
    printed = {found for seed_stem in _sign_stems() for found in re.findall(rf"n={n}时为(\d)", seed_stem)}
    assert printed <= {str(exact_value)}


def _sign_stems() -> list[str]:
    return [problem.stem for _, problem in draws(signs.sign_decision)]


def test_both_verdicts_occur() -> None:
    check_both_verdicts(signs.sign_decision, "未达显著")
