"""The two kinds of options that estimation and testing share."""

import random

import pytest

from psygen.engines.offline.inference import Reading, count_choice, crossed_decision, neat_deviations, spaced_choice
from psygen.engines.offline.problem import Mistake, Redraw


def test_counts_may_lie_one_apart() -> None:
    choice = count_choice(24, [Mistake(25, "a"), Mistake(23, "b"), Mistake(12, "c"), Mistake(48, "d")], 2, "人")
    assert choice.options == ("12人", "23人", "24人", "25人")


def test_a_mistake_that_gives_the_key_is_left_out() -> None:
    with pytest.raises(Redraw):
        count_choice(24, [Mistake(24.2, "a"), Mistake(30, "b"), Mistake(40, "c")], 0)


def test_limits_keep_the_given_distance() -> None:
    mistakes = [Mistake(100.3, "a"), Mistake(101.0, "b"), Mistake(95.0, "c"), Mistake(90.0, "d")]
    assert spaced_choice(100.0, mistakes, 2, gap=0.5).options == ("90.00", "95.00", "100.00", "101.00")


def test_a_crossed_decision_falls_both_ways_twice() -> None:
    def read(statistic: float, line: float) -> Reading:
        return Reading(f"{statistic}/{line}", statistic > line)

    choice = crossed_decision(random.Random(1), read, (2.0, [Mistake(1.0, "a")]), (1.8, [Mistake(1.5, "b")]), 3)
    assert choice.options[3] == "2.0/1.8"
    assert sorted(choice.options) == ["1.0/1.5", "1.0/1.8", "2.0/1.5", "2.0/1.8"]


def test_a_mistake_that_does_not_split_the_decisions_is_drawn_anew() -> None:
    def read(statistic: float, line: float) -> Reading:
        return Reading(f"{statistic}/{line}", statistic > line)

    with pytest.raises(Redraw):
        crossed_decision(random.Random(1), read, (9.0, [Mistake(8.0, "a")]), (1.8, [Mistake(1.5, "b")]), 0)


def test_neat_deviations_sum_to_nought() -> None:
    deviations = neat_deviations(random.Random(3), 9, 5)
    assert sum(deviations) == 0
    assert max(map(abs, deviations)) <= 5
