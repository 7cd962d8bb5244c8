"""The guards against doubtful rounding and near decisions."""

import random

import pytest

from psygen.engines.offline.guards import Ruling, decision_choice, exceeds, patient, settled
from psygen.engines.offline.problem import Mistake, Problem, Redraw, number, numeric_choice


@pytest.mark.parametrize(("value", "routes"), [(1.2349, (1.24,)), (1.2351, ()), (1.2346, ())])
def test_doubtful_rounding_is_drawn_anew(value: float, routes: tuple[float, ...]) -> None:
    with pytest.raises(Redraw):
        settled(value, 2, *routes)


def test_a_clear_value_passes_as_it_is() -> None:
    assert settled(1.2321, 2, 1.2289) == 1.2321


def test_a_near_decision_is_drawn_anew() -> None:
    assert exceeds(-2.1, 1.96)
    with pytest.raises(Redraw):
        exceeds(1.99, 1.96)


def test_each_option_of_a_decision_draws_the_conclusion_of_its_own_statistic() -> None:
    ruling = Ruling(1.96, "显著", "不显著")
    wrong = [Mistake(1.2, "a"), Mistake(1.0, "b"), Mistake(3.0, "c"), Mistake(2.5, "d")]
    choice = decision_choice(random.Random(1), lambda v: number(v, 2), ruling, 2.2, wrong, 3)
    assert choice.options[3] == "2.20，显著"
    assert all(("不显著" in option) == (float(option[:4]) < 1.96) for option in choice.options)
    assert sum("不显著" in option for option in choice.options) == 2


def test_a_patient_family_draws_until_it_succeeds() -> None:
    @patient
    def family(rng: random.Random, rank: int) -> Problem:
        if rng.random() < 0.9:
            raise Redraw
        choice = numeric_choice(5.0, [Mistake(6, "a"), Mistake(7, "b"), Mistake(8, "c")], rank)
        return Problem("find", "问（　　）。", choice, "解5.00")

    assert all(family(random.Random(seed), 0).choice.key == 0 for seed in range(20))
