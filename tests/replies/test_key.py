"""Answers: letters in any dress, the text of one option, and what is never guessed."""
# ruff: noqa: E501  (tables of cases read better unbroken)

import pytest

from psygen.replies.key import read_index, read_key

OPTIONS = ["甲", "乙", "丙", "丁"]


@pytest.mark.parametrize(
    "answer",
    ["b", "Ｂ", "（B）", "(B)", "B.", "B、", "**B**", "选B", "故选B。", "答案：B", "正确答案是B", "选项B", "Answer: B",
     "The correct answer is B", "option b", "[B]", "【B】", "B. 乙", "B：乙", "(B) 乙", ["B"], ["b"]],
)  # fmt: skip
def test_a_letter_in_any_usual_dress_is_a_key(answer: object) -> None:
    assert read_key(answer, OPTIONS) == ((1,), "", "label")


def test_a_plain_letter_needs_no_repair() -> None:
    assert read_key("B", OPTIONS) == ((1,), "", "")


def test_the_text_of_exactly_one_option_is_a_key() -> None:
    assert read_key("乙", OPTIONS) == ((1,), "", "answer_text")
    assert read_key("乙。", OPTIONS) == ((1,), "", "answer_text")
    assert read_key("乙", ["甲", "乙", "乙。", "丁"]).fault == "E_ANSWER"


@pytest.mark.parametrize(
    "answer",
    ["E", "", " ", None, 3, 0, True, "戊", "В", "Α", "В.", ["B", 2], {}, [], "B. 甲", "ABE", "AA", "无", "B或者别的", "1", "bad", "B" * 999],
    ids=lambda v: repr(v)[:12],
)  # fmt: skip
def test_what_is_no_letter_is_never_guessed(answer: object) -> None:
    assert read_key(answer, OPTIONS) == ((), "E_ANSWER", "")


@pytest.mark.parametrize("answer", ["AC", "A,C", "A、C", "C和A", "A and C", "A C", "ＡＣ", ["C", "A"], ["A", "丙"]])
def test_two_letters_are_two_positions(answer: object) -> None:
    assert read_key(answer, OPTIONS).positions == (0, 2)


def test_a_letter_that_is_another_options_text_is_no_key() -> None:
    assert read_key("A", ["B", "A", "O", "AB"]).fault == "E_ANSWER"
    assert read_key("A", ["A", "B", "AB", "O"]).positions == (0,)


@pytest.mark.parametrize(
    ("index", "positions"), [("0", (0,)), ("3", (3,)), ("4", ()), ("-1", ()), ("1.0", ()), (None, ())]
)
def test_an_index_counts_from_zero(index: str | None, positions: tuple[int, ...]) -> None:
    assert read_index(index, OPTIONS).positions == positions
