"""The short way reads what the long way reads."""

import json
import random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import psygen.replies.read as room
from psygen.replies.plain import read_plain
from psygen.replies.read import read_reply
from tests.stub import questions_for


def long_way(text: str, monkeypatch: pytest.MonkeyPatch) -> room.Reading:
    with monkeypatch.context() as patch:
        patch.setattr(room, "read_plain", lambda _: None)
        return read_reply(text)


def reply(**change: Any) -> str:
    return json.dumps({"questions": [{**q, **change} for q in questions_for("x", 4)]}, ensure_ascii=False)


@pytest.mark.parametrize("indent", [None, 2])
def test_a_reply_as_asked_takes_the_short_way(indent: int | None, monkeypatch: pytest.MonkeyPatch) -> None:
    text = json.dumps({"questions": questions_for("x", 4)}, ensure_ascii=False, indent=indent)
    assert read_plain(text) is not None
    assert read_reply(text) == long_way(text, monkeypatch)


@pytest.mark.parametrize(
    "change",
    [
        {"answer": "b"},
        {"options": ["A. 甲", "B. 乙", "C. 丙", "D. 丁"]},
        {"options": ["甲", "乙", "丙"]},
        {"stem": "题干\n分两行？"},
        {"stem": " 题干？"},
        {"stem": ""},
        {"explanation": "\\frac"},
        {"explanation": "零宽\u200b"},
        {"level": "hard"},
        {"kind": "essay"},
        {"note": "x"},
    ],
)
def test_anything_odd_takes_the_long_way(change: dict[str, Any], monkeypatch: pytest.MonkeyPatch) -> None:
    text = reply(**change)
    if change != {"explanation": "\\frac"}:
        assert read_plain(text) is None
    assert read_reply(text) == long_way(text, monkeypatch)


@given(st.text(max_size=8), st.integers(0, 2**32))
def test_whatever_is_spliced_in_both_ways_agree(piece: str, seed: int) -> None:
    text = reply()
    at = random.Random(seed).randrange(len(text))
    spliced = text[:at] + piece + text[at:]
    drafts = read_plain(spliced)
    if drafts is not None:
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(room, "read_plain", lambda _: None)
            assert read_reply(spliced).drafts == drafts
