import pytest
from hypothesis import given
from hypothesis import strategies as st

from psygen.text import cjk_share, for_csv, for_terminal, match_key, shorten, width, without_controls


@given(st.text())
def test_no_csv_cell_begins_with_a_trigger(text: str) -> None:
    assert for_csv(text)[:1] not in ("=", "+", "-", "@", "\t", "\r")
    assert for_csv(text).removeprefix("'") == text.removeprefix("'")


@given(st.text())
def test_no_text_drives_the_terminal(text: str) -> None:
    assert not any(c in for_terminal(text) for c in "\x1b\x00\x07\u202e\u200b\x9b")


def test_control_characters_are_shown_on_a_terminal_and_removed_from_items() -> None:
    assert for_terminal("a\x1b[31mb\u202e") == "a<U+001B>[31mb<U+202E>"
    assert without_controls("a\x1b[31mb\u202e\n\t") == "a[31mb\n\t"


@pytest.mark.parametrize(("one", "other"), [("Ａ１", "A1"), ("标准差。", "标准差"), ("T 分数", "t分数"), ("ﬁ", "fi")])
def test_texts_a_reader_calls_the_same_have_one_key(one: str, other: str) -> None:
    assert match_key(one) == match_key(other)


@given(st.text(max_size=60), st.integers(1, 40))
def test_shortened_text_fits(text: str, columns: int) -> None:
    assert width(shorten(text, columns)) <= columns


def test_chinese_takes_two_columns() -> None:
    assert width("方差Ａb") == 7
    assert shorten("标准差与方差的关系", 9) == "标准差与…"


def test_share_of_chinese_counts_words_and_leaves_formulas_out() -> None:
    assert cjk_share("标准差 $\\sigma_{abc}$") == 1.0
    assert cjk_share("standard deviation") == 0.0
    assert cjk_share("3.14 $x$") is None
