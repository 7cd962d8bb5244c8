import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from psygen.replies.read import read_key, read_reply

QUESTION = {"stem": "题干是什么？", "options": ["甲", "乙", "丙", "丁"], "answer": "B", "explanation": "因为。"}


def reply(*questions: object) -> bytes:
    return json.dumps({"questions": list(questions)}, ensure_ascii=False).encode()


def test_a_reply_in_the_asked_form_is_read_word_for_word() -> None:
    found = read_reply(reply(QUESTION | {"kind": "case study", "level": "Apply"}))
    draft = found.drafts[0]
    assert found.problem == ""
    assert (draft.stem, draft.options, draft.key, draft.explanation) == (
        "题干是什么？",
        ("甲", "乙", "丙", "丁"),
        (1,),
        "因为。",
    )
    assert (draft.kind, draft.level, draft.repairs, draft.fault) == ("case_study", "apply", (), "")


@pytest.mark.parametrize("answer", ["B", "b", "Ｂ", "（B）", "B.", "选B", "答案：B", "乙", "选项B", ["B"]])
def test_a_letter_in_any_usual_dress_is_a_key(answer: object) -> None:
    assert read_key(answer, ["甲", "乙", "丙", "丁"]) == ((1,), "")


@pytest.mark.parametrize("answer", ["E", "", None, 3, "戊", "В", "Α", ["B", 2], {}])
def test_what_is_no_letter_is_never_guessed(answer: object) -> None:
    assert read_key(answer, ["甲", "乙", "丙", "丁"]) == ((), "E_ANSWER")


def test_two_letters_are_two_positions() -> None:
    assert read_key("AC", ["甲", "乙", "丙", "丁"]) == ((0, 2), "")
    assert read_key(["C", "A"], ["甲", "乙", "丙", "丁"]) == ((0, 2), "")


@pytest.mark.parametrize(
    ("raw", "problem"),
    [
        (b"", "E_JSON"),
        (b"not json", "E_JSON"),
        (b'{"questions": []}', "E_EMPTY"),
        (b'{"items": [1]}', "E_JSON"),
        (b'{"questions": [], "questions": []}', "E_JSON_DUPKEY"),
        (b"[" * 100_000, "E_JSON"),
        (b"1" * 1_000_001, "E_SIZE"),
    ],
)
def test_a_reply_that_cannot_be_read_has_a_code(raw: bytes, problem: str) -> None:
    assert read_reply(raw).problem == problem


def test_control_characters_are_removed_and_noted() -> None:
    draft = read_reply(reply(QUESTION | {"stem": "题干\u202e是\x00什么\x1b[31m？"})).drafts[0]
    assert draft.stem == "题干是什么[31m？"
    assert draft.repairs == ("control",)


def test_a_lone_surrogate_is_a_fault_and_can_be_stored() -> None:
    raw = reply(QUESTION).replace("题干".encode(), b"\\ud800")
    draft = read_reply(raw).drafts[0]
    assert draft.fault == "E_UNICODE"
    draft.stem.encode()


@given(st.binary(max_size=300))
def test_no_bytes_raise(raw: bytes) -> None:
    read_reply(raw)


@given(
    st.recursive(
        st.none() | st.booleans() | st.integers() | st.text(), lambda x: st.lists(x) | st.dictionaries(st.text(), x)
    )
)
def test_no_json_raises(value: object) -> None:
    found = read_reply(reply(value, QUESTION))
    assert len(found.drafts) == 2
    assert found.drafts[1].fault == ""
