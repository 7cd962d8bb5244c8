"""JSON in the odd shapes that models give it."""

import json

import pytest

from psygen.replies.read import read_reply

STEM, EXPLANATION = "铃声引起唾液分泌，这属于", "铃声与食物多次配对。"
OPTIONS = ["条件反射", "无条件反射", "顿悟", "观察学习"]
BASE = {"stem": STEM, "options": OPTIONS, "answer": "A", "explanation": EXPLANATION}
BY_LETTER = dict(zip("ABCD", OPTIONS, strict=True))


def only(value: object) -> tuple[object, ...]:
    found = read_reply(value if isinstance(value, str) else json.dumps(value, ensure_ascii=False))
    assert len(found.drafts) == 1, found
    draft = found.drafts[0]
    return draft.stem, list(draft.options), draft.key, draft.explanation, draft.fault


@pytest.mark.parametrize(
    "value",
    [
        BASE,
        [BASE],
        {"questions": [BASE]},
        {"questions": BASE},
        {"data": {"questions": [BASE]}},
        {"题目": [BASE]},
        {"question": BASE},
        {"question_1": BASE},
        [[BASE]],
        {"题干": STEM, "选项": OPTIONS, "正确答案": "A", "解析": EXPLANATION},
        {"问题": STEM, "选项": BY_LETTER, "答案": "A", "分析": EXPLANATION},
        {"Question": STEM, "Choices": BY_LETTER, "Correct Answer": "A", "Rationale": EXPLANATION},
        {"题号": "第1题", "题目": STEM, "选项": OPTIONS, "答案": "（A）", "答案解析": EXPLANATION},
        {"题目": "题目1", "题干": STEM, "选项": OPTIONS, "答案": "A", "解析": EXPLANATION},
        BASE | {"options": {"B": OPTIONS[1], "A": OPTIONS[0], "D": OPTIONS[3], "C": OPTIONS[2]}},
        BASE
        | {"options": {"option_a": OPTIONS[0], "option_b": OPTIONS[1], "option_c": OPTIONS[2], "option_d": OPTIONS[3]}},
        BASE | {"options": [f"{a}. {o}" for a, o in BY_LETTER.items()]},
        BASE | {"options": [f"（{a}）{o}" for a, o in BY_LETTER.items()]},
        BASE | {"options": " ".join(f"{a}. {o}" for a, o in BY_LETTER.items())},
        BASE | {"options": "\n".join(f"{a}、{o}；" for a, o in BY_LETTER.items()).removesuffix("；")},
        BASE | {"options": [{"label": a, "text": o} for a, o in BY_LETTER.items()]},
        BASE | {"options": [{"key": a, "value": o} for a, o in BY_LETTER.items()]},
        BASE | {"options": [{a: o} for a, o in BY_LETTER.items()]},
        BASE | {"options": [{"text": o, "correct": a == "A"} for a, o in BY_LETTER.items()]},
        {"stem": STEM, "answer": "A", "explanation": EXPLANATION} | BY_LETTER,
        {"stem": STEM, "answer": "A", "explanation": EXPLANATION} | {f"option{a}": o for a, o in BY_LETTER.items()},
        {
            "stem": STEM + "\n" + "\n".join(f"{a}. {o}" for a, o in BY_LETTER.items()),
            "answer": "A",
            "explanation": EXPLANATION,
        },
        BASE | {"answer": "条件反射"},
        BASE | {"answer": ["A"]},
        BASE | {"answer": "A", "correct_answer": "条件反射"},
        BASE | {"explanation": [EXPLANATION]},
        BASE | {"answer_index": 0},
        {k: v for k, v in BASE.items() if k != "answer"} | {"correctIndex": 0},
        BASE | {"case": "", "background": None},
    ],
    ids=lambda v: json.dumps(v, ensure_ascii=False)[:60],
)
def test_a_shape_is_read(value: object) -> None:
    assert only(value) == (STEM, OPTIONS, (0,), EXPLANATION, "")


@pytest.mark.parametrize(
    ("change", "fault"),
    [
        ({"options": OPTIONS[:3]}, "E_OPTION_COUNT"),
        ({"options": [*OPTIONS, "模仿"]}, "E_OPTION_COUNT"),
        ({"options": "条件反射、顿悟"}, "E_OPTION_COUNT"),
        ({"options": {"一": "甲", "二": "乙"}}, "E_OPTION_COUNT"),
        ({"options": "B. 甲 A. 乙 C. 丙 D. 丁"}, "E_OPTION_COUNT"),
        ({"options": [["甲"], ["乙"], ["丙"], ["丁"]]}, "E_OPTION_COUNT"),
        ({"options": None}, "E_OPTION_COUNT"),
        ({"options": ["甲", " ", "丙", "丁"]}, "E_EMPTY"),
        ({"stem": ""}, "E_EMPTY"),
        ({"stem": 3}, "E_EMPTY"),
        ({"answer": "E"}, "E_ANSWER"),
        ({"answer": 1}, "E_ANSWER"),
        ({"answer": "В"}, "E_ANSWER"),
        ({"answer": "顿悟了"}, "E_ANSWER"),
        ({"answer": None}, "E_ANSWER"),
        ({"answer_index": 2}, "E_ANSWER"),
        ({"question": "另一个题干？"}, "E_JSON"),
        ({"stem": "题\ufffd干"}, "E_UNICODE"),
    ],
    ids=str,
)
def test_a_shape_in_doubt_is_a_fault(change: dict[str, object], fault: str) -> None:
    assert only(BASE | change)[-1] == fault


def test_two_answers_are_kept_for_the_caller_to_judge() -> None:
    assert only(BASE | {"answer": "A、C"})[2] == (0, 2)
    assert only(BASE | {"answer": ["A", "C"]})[2] == (0, 2)


def test_a_shared_case_stands_before_each_stem_once() -> None:
    value = {"case": "小王怕猫。", "questions": [BASE, BASE | {"stem": "小王怕猫。他怎么了？"}]}
    found = read_reply(json.dumps(value, ensure_ascii=False))
    assert [d.stem for d in found.drafts] == [f"小王怕猫。\n{STEM}", "小王怕猫。他怎么了？"]
    assert [d.repairs for d in found.drafts] == [("case",), ()]


def test_a_stem_with_questions_under_it_is_their_case() -> None:
    value = [{"题干": "小王怕猫。", "小题": [BASE]}, BASE]
    assert [d.stem for d in read_reply(json.dumps(value)).drafts] == [f"小王怕猫。\n{STEM}", STEM]


@pytest.mark.parametrize(
    "text",
    [
        '{"case": "他说"好"。", "questions": [%s]}',
        '{"background": "小王怕猫。", "questions": [{"stem": "坏"了", "options": ["1"]}, %s]}',
    ],
)
def test_questions_that_may_have_lost_their_case_are_not_kept(text: str) -> None:
    found = read_reply(text % json.dumps(BASE, ensure_ascii=False))
    assert (found.drafts, found.problem) == ((), "E_JSON")
    assert STEM in "".join(found.rest)


def test_duplicate_keys_fault_only_their_own_object() -> None:
    text = json.dumps([BASE, BASE], ensure_ascii=False).replace('"answer": "A"', '"answer": "B", "answer": "A"', 1)
    assert [d.fault for d in read_reply(text).drafts] == ["E_JSON_DUPKEY", ""]
    text = json.dumps([BASE | {"options": BY_LETTER}], ensure_ascii=False).replace('"B":', '"A":')
    assert [d.fault for d in read_reply(text).drafts] == ["E_JSON_DUPKEY"]


@pytest.mark.parametrize("bad", ["NaN", "// note\n1", "'x'", "1,", "01", "tru", "+1", "Infinity", "0x1"])
def test_a_question_with_something_that_is_no_json_goes_to_the_rest(bad: str) -> None:
    good = json.dumps(BASE, ensure_ascii=False)
    text = '{"questions": [' + good.replace("{", '{"id": ' + bad + ", ", 1) + ", " + good + "]}"
    found = read_reply(text)
    assert [d.fault for d in found.drafts] == [""]
    assert STEM in "".join(found.rest)
    assert found.repairs == ("salvage",)


def test_fields_nobody_asked_for_lie_in_the_rest() -> None:
    found = read_reply(json.dumps({"note": "附言", "questions": [BASE | {"difficulty": "难"}]}, ensure_ascii=False))
    assert '"note": "附言"' in " ".join(found.rest)
    assert '"difficulty": "难"' in found.rest
