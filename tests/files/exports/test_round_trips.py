"""Every format that can be read back gives the same stems, options and keys, whatever characters are in them."""

from pathlib import Path

import pytest

from psygen.files.exports.rows import letters
from psygen.records.item import LETTERS
from tests.files.exports.corpus import CANARY, benchmark, corpus, csv_rows, json_lines, question, written

MADE = corpus()
Seen = list[tuple[str, tuple[str, ...], str]]


def seen(split: str, subject: str | None = None, *, single: bool = False) -> Seen:
    """Stem, options and key of the questions of a split, in order."""
    return [
        (q.stem, q.options, letters(q))
        for q in MADE.questions
        if q.split == split and subject in (None, q.subject) and not (single and q.form != "single")
    ]


@pytest.mark.parametrize("split", ["dev", "val", "test"])
def test_canonical_lines_hold_every_question(tmp_path: Path, split: str) -> None:
    written(tmp_path / "out", "canonical", MADE)
    rows = json_lines(tmp_path / f"out/data/{split}.jsonl")
    assert [(r["stem"], tuple(r["options"]), r["key"]) for r in rows] == seen(split)  # type: ignore[arg-type]
    assert {r["canary"] for r in rows} == {CANARY}


@pytest.mark.parametrize("subject", ["statistics", "general"])
@pytest.mark.parametrize("split", ["dev", "val", "test"])
def test_ceval_tables_hold_every_single_choice_question(tmp_path: Path, split: str, subject: str) -> None:
    written(tmp_path / "out", "ceval", MADE)
    header, *rows = csv_rows(tmp_path / f"out/ceval/{split}/{subject}_{split}.csv")
    assert header == ["id", "question", "A", "B", "C", "D", "answer", *(["explanation"] if split == "dev" else [])]
    assert [(r[1], tuple(r[2:6]), r[6]) for r in rows] == seen(split, subject, single=True)
    assert [r[0] for r in rows] == [str(n) for n in range(len(rows))]


@pytest.mark.parametrize("split", ["dev", "test"])
def test_cmmlu_tables_have_seven_columns(tmp_path: Path, split: str) -> None:
    written(tmp_path / "out", "cmmlu", MADE)
    header, *rows = csv_rows(tmp_path / f"out/cmmlu/{split}/statistics.csv")
    assert header == ["", "Question", "A", "B", "C", "D", "Answer"]
    assert {len(r) for r in rows} == {7}
    assert [(r[1], tuple(r[2:6]), r[6]) for r in rows] == seen(split, "statistics", single=True)


def test_no_table_guards_against_formulas(tmp_path: Path) -> None:
    written(tmp_path / "out", "ceval", MADE)
    assert "\n4,=SUM(A1:A9)" in (tmp_path / "out/ceval/test/statistics_test.csv").read_text(encoding="utf-8")


@pytest.mark.parametrize(("name", "counts"), [("ceval", ["1 question "]), ("cmmlu", ["1 question ", "2 questions "])])
def test_what_a_table_cannot_hold_is_counted(tmp_path: Path, name: str, counts: list[str]) -> None:
    folder = written(tmp_path / "out", name, MADE)
    assert len(folder.notes) == len(counts)
    for note, count in zip(folder.notes, counts, strict=True):
        assert note.startswith(f"{name}: {count}left out")


@pytest.mark.parametrize("name", ["canonical", "ceval", "cmmlu", "hf", "print"])
def test_equal_questions_give_equal_bytes(tmp_path: Path, name: str) -> None:
    first, second = written(tmp_path / "one", name, corpus()), written(tmp_path / "two", name, corpus())
    assert first.files == second.files
    assert len(first.files) > 1


def test_hidden_answers_leave_no_column_in_ceval_and_empty_cells_in_cmmlu(tmp_path: Path) -> None:
    bare = benchmark([q._replace(key=()) if q.split == "test" else q for q in MADE.questions])
    written(tmp_path / "out", "ceval", bare, frozenset({"test"}))
    written(tmp_path / "two", "cmmlu", bare, frozenset({"test"}))
    assert csv_rows(tmp_path / "out/ceval/test/statistics_test.csv")[0] == ["id", "question", "A", "B", "C", "D"]
    assert {r[6] for r in csv_rows(tmp_path / "two/cmmlu/test/statistics.csv")[1:]} == {""}


def test_the_key_of_a_paper_names_the_letters(tmp_path: Path) -> None:
    written(tmp_path / "out", "print", benchmark([question(1), question(2)]))
    key = (tmp_path / "out/print/test/statistics-key.html").read_text(encoding="utf-8")
    assert "<td class=n>1</td><td class=k>B</td>" in key
    assert "<td class=n>2</td><td class=k>C</td>" in key
    paper = (tmp_path / "out/print/test/statistics-paper.html").read_text(encoding="utf-8")
    assert "解析" not in paper
    assert all(f"<span>{letter}.</span>" in paper for letter in LETTERS[:4])


def test_text_in_a_paper_is_never_markup(tmp_path: Path) -> None:
    written(tmp_path / "out", "print", MADE)
    paper = (tmp_path / "out/print/test/statistics-paper.html").read_text(encoding="utf-8")
    assert "<script>" not in paper
    assert "&lt;script&gt;alert(1)&lt;/script&gt; &amp; &lt;b&gt;" in paper


def test_no_key_is_printed_where_answers_are_hidden(tmp_path: Path) -> None:
    bare = benchmark([question(1)._replace(key=(), explanation="")])
    folder = written(tmp_path / "out", "print", bare, frozenset({"test"}))
    assert [f for f in folder.files if f.startswith("print")] == ["print/test/statistics-paper.html"]
