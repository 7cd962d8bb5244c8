"""Questions of other people as files: read as they stand, and faults named with their line."""

import json
from pathlib import Path

import pytest

from psygen.errors import InputError
from psygen.files.questions import file_subject, read_questions
from tests.conftest import needs_shared

CEVAL = "id,question,A,B,C,D,answer\n"
CMMLU = ",Question,A,B,C,D,Answer\n"
DAMAGED = "damaged characters: a lone surrogate or a NUL."


def faults(tmp_path: Path, text: str, name: str = "x.csv") -> list[str]:
    """The faults of a file, without its name."""
    path = tmp_path / name
    path.write_text(text, encoding="utf-8")
    return [f.removeprefix(f"{path} ") for f in read_questions(path).faults]


@pytest.mark.parametrize(
    ("row", "fault"),
    [
        ("0,题,甲,乙,丙,丁,", "no answer; psygen imports questions with their key"),
        ("0,题,甲,乙,丙,丁,AC", "2 right answers (AC); this layout has one a question"),
        ("0,题,甲,乙,丙,丁,E", 'the answer "E" names no option; letters A to D'),
        ("0,题,甲,乙,丙,丁,对", 'the answer "对" names no option; letters A to D'),
        ("0,题,甲,,丙, ,A", "option B, D is empty"),
        ("0, ,甲,乙,丙,丁,A", "the stem is empty"),
        ("0,题,甲,乙,丙,丁,A,多", "8 fields, the header has 7"),
        ("0,题,甲,乙", '4 fields, the header has 7; no value for "C"'),
    ],
)
def test_a_wrong_row_is_named_and_not_guessed(tmp_path: Path, row: str, fault: str) -> None:
    assert faults(tmp_path, CEVAL + "9,好题,甲,乙,丙,丁,Ｂ\n" + row + "\n") == [f"line 3: {fault}."]


@pytest.mark.parametrize(
    ("value", "fault"),
    [
        ({"stem": "题", "options": ["甲", "乙"], "key": ""}, "no answer; psygen imports questions with their key."),
        ({"stem": "题", "options": ["甲", "乙"], "key": "AB"}, '2 right answers (AB) in a question of form "single".'),
        ({"stem": "题", "options": ["甲", "乙"], "key": "C"}, 'the answer "C" names no option; letters A to B.'),
        ({"stem": "题", "options": ["甲"], "key": "A"}, "1 options; a question has 2 to 26."),
        ({"stem": "题", "key": "A"}, 'field "options": Field required.'),
        ({"stem": "题", "options": "甲乙", "key": "A"}, 'field "options": Input should be a valid tuple.'),
        ({"stem": "题\ud800", "options": ["甲", "乙"], "key": "A"}, DAMAGED),
        ({"stem": "题", "options": ["甲", "乙"], "key": "A", "explanation": "\0"}, DAMAGED),
        ([1], 'a JSON object was expected, e.g. {"stem": "…", "options": ["…"], "key": "A"}.'),
    ],
)
def test_a_wrong_line_is_named_and_not_guessed(tmp_path: Path, value: object, fault: str) -> None:
    assert faults(tmp_path, json.dumps(value) + "\n", "x.jsonl") == [f"line 1: {fault}"]


def test_several_right_answers_are_read_where_the_question_says_so(tmp_path: Path) -> None:
    row = {"stem": "题", "options": ["甲", "乙", "丙"], "key": "CA", "form": "multiple"}
    (tmp_path / "x.jsonl").write_text(json.dumps(row), encoding="utf-8")
    assert read_questions(tmp_path / "x.jsonl").found[0].key == (0, 2)


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "gb18030", "utf-16"])
def test_the_encoding_does_not_matter(tmp_path: Path, encoding: str) -> None:
    (tmp_path / "x.csv").write_text(CMMLU + '0,"题, 干",甲,乙,丙,丁,D\n', encoding=encoding)
    found = read_questions(tmp_path / "x.csv").found[0]
    assert (found.stem, found.options, found.key) == ("题, 干", ("甲", "乙", "丙", "丁"), (3,))


def test_a_split_without_answers_is_refused_in_one_sentence(tmp_path: Path) -> None:
    (tmp_path / "x.csv").write_text("id,question,A,B,C,D\n0,题,甲,乙,丙,丁\n", encoding="utf-8")
    with pytest.raises(InputError, match="published without answers"):
        read_questions(tmp_path / "x.csv")


def test_another_layout_is_refused_with_both_headers(tmp_path: Path) -> None:
    (tmp_path / "x.csv").write_text("题干,答案\n题,A\n", encoding="utf-8")
    with pytest.raises(InputError, match="C-Eval has id,question"):
        read_questions(tmp_path / "x.csv")


@pytest.mark.parametrize(
    ("name", "subject"), [("statistics_dev.csv", "statistics"), ("general.csv", "general"), ("a_b_test.csv", "a_b")]
)
def test_a_file_is_named_for_its_subject(name: str, subject: str) -> None:
    assert file_subject(Path(name)) == subject


@pytest.mark.parametrize(
    ("name", "count"),
    [
        ("ceval/dev/education_science_dev.csv", 5),
        ("ceval/val/teacher_qualification_val.csv", 44),
        ("ceval/val/advanced_mathematics_val.csv", 19),
        ("cmmlu/test/professional_psychology.csv", 232),
        ("cmmlu/test/college_mathematics.csv", 105),
    ],
)
def test_published_files_are_read_whole(name: str, count: int) -> None:
    questions = read_questions(needs_shared(name))
    assert (len(questions.found), questions.faults) == (count, [])
