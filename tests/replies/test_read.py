"""The entry: the asked form, wrappings, and replies that cannot be read."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from psygen.replies.read import Reading, read_reply

QUESTION = {"stem": "题干是什么？", "options": ["甲", "乙", "丙", "丁"], "answer": "B", "explanation": "因为。"}


def reply(*questions: object) -> str:
    return json.dumps({"questions": list(questions)}, ensure_ascii=False)


def test_a_reply_in_the_asked_form_is_read_word_for_word() -> None:
    found = read_reply(reply(QUESTION | {"kind": "case study", "level": "Apply"}))
    draft = found.drafts[0]
    assert found == Reading(found.drafts, form="json")
    assert (draft.stem, draft.options, draft.key, draft.explanation) == (
        "题干是什么？",
        ("甲", "乙", "丙", "丁"),
        (1,),
        "因为。",
    )
    assert (draft.kind, draft.level, draft.repairs, draft.fault) == ("case_study", "apply", (), "")


def test_bytes_read_like_their_text() -> None:
    assert read_reply(reply(QUESTION).encode()) == read_reply(reply(QUESTION))


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("", "E_EMPTY"),
        (" \n\u3000", "E_EMPTY"),
        ("<think>只有思考", "E_EMPTY"),
        ("not json", "E_JSON"),
        ('{"questions": []}', "E_EMPTY"),
        ("[]", "E_EMPTY"),
        ("{}", "E_JSON"),
        ('{"items": [1]}', "E_JSON"),
        ('{"questions": [], "questions": []}', "E_JSON_DUPKEY"),
        ("[" * 100_000, "E_JSON"),
        ('{"a":' * 100_000, "E_JSON"),
        ("1" * 1_000_000, "E_SIZE"),
        ("1" * 1_000_001, "E_SIZE"),
        ("x\n" * 100_000, "E_SIZE"),
        ("抱歉，我无法为您生成这些题目。", "E_REFUSAL"),
        ("I can’t help with that.", "E_REFUSAL"),
        ('{"message": "很抱歉，我不能完成。"}', "E_REFUSAL"),
    ],
    ids=lambda v: repr(v)[:24],
)
def test_a_reply_that_cannot_be_read_has_a_code(text: str, problem: str) -> None:
    found = read_reply(text)
    assert (found.problem, found.drafts) == (problem, ())


@pytest.mark.parametrize(
    ("text", "repairs", "rest"),
    [
        ("```json\n{}\n```", ("fence",), ()),
        ("```\n{}", ("fence",), ()),
        ("Here is the JSON:\n{}", ("fence",), ("Here is the JSON:",)),
        ("{}\n以上是题目。", ("fence",), ("以上是题目。",)),
        ("<think>想\n</think>{}", ("think",), ("<think>想\n</think>",)),
        ("想了想\n</think>\n{}", ("think",), ("想了想\n</think>",)),
        ("<|channel|>analysis<|message|>想<|end|><|start|>assistant<|channel|>final<|message|>{}", ("think",), None),
        ("\ufeff{}", (), ()),
        ("  {}  ", (), ()),
    ],
    ids=lambda v: repr(v)[:20],
)
def test_what_stands_around_json_is_kept_apart(
    text: str, repairs: tuple[str, ...], rest: tuple[str, ...] | None
) -> None:
    found = read_reply(text.replace("{}", reply(QUESTION)))
    assert [d.stem for d in found.drafts] == ["题干是什么？"]
    assert found.repairs == found.drafts[0].repairs == repairs
    assert rest is None or found.rest == rest


def test_a_case_of_think_tags_inside_json_stays() -> None:
    found = read_reply(reply(QUESTION | {"stem": "标签<think>是什么</think>意思？"}))
    assert found.drafts[0].stem == "标签<think>是什么</think>意思？"


def test_control_characters_and_terminal_sequences_are_removed_and_noted() -> None:
    draft = read_reply(reply(QUESTION | {"stem": "题干\u202e是\x00什么\x1b[31m？"})).drafts[0]
    assert (draft.stem, draft.repairs) == ("题干是什么？", ("control",))


def test_a_lone_surrogate_is_a_fault_and_can_be_stored() -> None:
    draft = read_reply(reply(QUESTION).replace("题干", "\\ud800")).drafts[0]
    assert draft.fault == "E_UNICODE"
    draft.stem.encode()


def test_escaped_surrogate_pairs_are_one_character() -> None:
    draft = read_reply(reply(QUESTION).replace("题干", "\\ud83d\\ude00")).drafts[0]
    assert (draft.stem, draft.fault) == ("😀是什么？", "")


@pytest.mark.parametrize(
    "piece",
    [
        '{"a',
        '{"a":{',
        '{"\\',
        "[{",
        "A. ",
        "\\(",
        "$",
        "**",
        "<think>",
        "1. ",
        "答案：",
        "A. x B. y C. z D. w\n",
        "```\n",
        "| A |",
        "（",
        "\u200b",
    ],
)
def test_a_megabyte_of_anything_gives_no_question(piece: str) -> None:
    text = (piece * (1_000_000 // len(piece)))[:999_999]
    found = read_reply(text)
    assert found.drafts == () or all(d.fault for d in found.drafts)


@given(st.binary(max_size=300))
def test_no_bytes_raise(raw: bytes) -> None:
    read_reply(raw)


@given(
    st.recursive(
        st.none() | st.booleans() | st.integers() | st.text(), lambda x: st.lists(x) | st.dictionaries(st.text(), x)
    )
)
def test_no_json_beside_a_question_harms_it(value: object) -> None:
    found = read_reply(reply(value, QUESTION))
    assert found.drafts[-1] == read_reply(reply(QUESTION)).drafts[0]
