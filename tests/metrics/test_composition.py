from math import isclose, log

from hypothesis import given
from hypothesis import strategies as st

from psygen.metrics.composition import Measured, evenness, line, per_concept, spread

COUNTS = st.lists(st.integers(0, 9), min_size=2, max_size=30)


def question(concept_id: str, stem: int = 30, answer: float | None = 8) -> Measured:
    return Measured("statistics", "variation", concept_id, "", stem, answer)


def test_a_line_counts_concepts_once_and_questions_all() -> None:
    counted = line(["a", "b", "c"], 12, [question("a", 20, 4), question("a", 40, None), question("b", 30, 8)])
    assert (counted.concepts, counted.covered, counted.asked, counted.kept) == (3, 2, 12, 3)
    assert (counted.question_chars, counted.answer_chars) == (30, 6)
    assert counted.coverage == 2 / 3


def test_a_concept_that_is_not_required_covers_nothing() -> None:
    assert line(["a"], None, [question("z")]).coverage == 0


def test_nothing_to_count_is_none_not_zero() -> None:
    empty = line([], 0, [])
    assert (empty.coverage, empty.question_chars, empty.answer_chars) == (None, None, None)
    assert spread([]) == (None, None, None, None, {})


def test_concepts_without_a_question_count_as_zero() -> None:
    counts = per_concept(["a", "b"], [question("a"), question("a"), question("z")])
    assert counts == {"a": 2, "b": 0}
    assert spread(counts.values()).distribution == {0: 1, 2: 1}


def test_evenness_of_a_worked_example() -> None:
    # H = 3/4 ln 4/3 + 1/4 ln 4, over ln 2.
    assert isclose(evenness([3, 1]) or 0, (0.75 * log(4 / 3) + 0.25 * log(4)) / log(2))


def test_evenness_is_undefined_without_a_choice() -> None:
    assert evenness([5]) is None
    assert evenness([0, 0]) is None


@given(COUNTS)
def test_evenness_lies_between_none_and_equal_and_knows_no_order_or_scale(counts: list[int]) -> None:
    found = evenness(counts)
    if found is not None:
        assert 0 <= found <= 1
        assert isclose(found, evenness(sorted(counts)) or 0, abs_tol=1e-12)
        assert isclose(found, evenness([3 * n for n in counts]) or 0, abs_tol=1e-12)


@given(st.integers(1, 9), st.integers(2, 40))
def test_equal_counts_are_perfectly_even_and_a_single_concept_not_at_all(count: int, concepts: int) -> None:
    assert isclose(evenness([count] * concepts) or 0, 1)
    assert evenness([count] + [0] * (concepts - 1)) == 0
