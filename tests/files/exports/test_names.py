"""File names made from subjects' names."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from psygen.files.exports.names import MOST_BYTES, is_safe_name, safe_name


def test_a_slug_is_its_own_name() -> None:
    assert safe_name("abnormal-psychology") == "abnormal-psychology"


@pytest.mark.parametrize(
    "text", ["../../etc", "CON", "con", "a/b", "x" * 200, "....", "-rf", "普通心理学", "", "A", "a "]
)
def test_any_name_becomes_a_safe_one(text: str) -> None:
    name = safe_name(text)
    assert is_safe_name(name)
    assert name != text
    assert len(name) <= MOST_BYTES


@given(st.text(max_size=300), st.text(max_size=300))
def test_two_subjects_never_share_a_file(one: str, other: str) -> None:
    assert is_safe_name(safe_name(one))
    assert (safe_name(one) == safe_name(other)) == (one == other)
