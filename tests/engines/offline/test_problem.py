"""Numeric and text options: places, distances, and which mistakes come first."""

import pytest

from psygen.engines.offline.problem import Mistake, Redraw, number, numeric_choice, text_choice


def mistakes(*values: float) -> list[Mistake]:
    return [Mistake(value, f"错法{place}") for place, value in enumerate(values)]


def test_options_ascend_with_the_key_at_its_rank() -> None:
    choice = numeric_choice(5.0, mistakes(9, 3, 7, 4, 1, 8), 2)
    assert choice.options == ("3.00", "4.00", "5.00", "9.00")
    assert (choice.key, choice.is_ordered) == (2, True)


def test_mistakes_nearly_equal_to_the_key_are_left_out() -> None:
    with pytest.raises(Redraw):
        numeric_choice(5.0, mistakes(5.05, 7, 9), 0)


def test_another_order_of_magnitude_comes_last() -> None:
    assert numeric_choice(5.0, mistakes(500, 0.01, 3, 7, 8, 4), 1).options == ("3.00", "5.00", "7.00", "8.00")
    assert numeric_choice(5.0, mistakes(500, 7, 8), 0).options == ("5.00", "7.00", "8.00", "500.00")


def test_text_options_keep_their_order_around_the_key() -> None:
    choice = text_choice("对", [("甲", "错一"), ("乙", "错二"), ("丙", "错三")], 1)
    assert choice.options == ("甲", "对", "乙", "丙")
    assert "“乙”错在错二" in choice.notes


def test_text_options_must_differ() -> None:
    with pytest.raises(Redraw):
        text_choice("对", [("甲", ""), ("甲", ""), ("丙", "")], 0)


@pytest.mark.parametrize(("value", "shown"), [(2.675, "2.68"), (-0.001, "0.00"), (-1.005, "-1.01"), (3, "3.00")])
def test_numbers_are_rounded_as_on_paper(value: float, shown: str) -> None:
    assert number(value, 2) == shown
