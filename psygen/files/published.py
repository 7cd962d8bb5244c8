"""Published figures of another benchmark, from two tables in a folder the user names: subjects.csv and chapters.csv.

They stand beside ours in a report. psygen brings none of its own: such tables have licences of their own.
"""

from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from psygen.errors import InputError
from psygen.files.tables import Row, Table, read_table
from psygen.records.concept import Subject
from psygen.text import match_key

SUBJECT_COLUMNS = ("subject", "concepts", "questions_after_review", "mean_question_chars", "mean_answer_chars")
CHAPTER_COLUMNS = ("subject", "chapter", "concepts", "questions_after_review")


class Figures(NamedTuple):
    """What was published of a subject or chapter; None for an empty cell."""

    concepts: int | None
    kept: int | None
    question_chars: float | None = None
    answer_chars: float | None = None


class Published(NamedTuple):
    """Figures by subject, and by subject and chapter: slugs of ours."""

    subjects: dict[str, Figures]
    chapters: dict[tuple[str, str], Figures]
    notes: tuple[str, ...]
    """One sentence for each row that was not matched by its name."""


def read_published(folder: Path, known: Sequence[Subject]) -> Published:
    """The figures of a folder. A subject or chapter may be given by slug or by either name.

    Raises InputError that names file, line and column.
    """
    by_name = {match_key(n): s for s in known for n in (s.slug, s.zh, s.en, *s.aliases)}
    notes: list[str] = []

    def grouped(table: Table) -> dict[str, list[Row]]:
        """A table's rows by subject of ours."""
        rows: dict[str, list[Row]] = {}
        for row in table.rows:
            if subject := by_name.get(match_key(row.cells["subject"])):
                rows.setdefault(subject.slug, []).append(row)
            else:
                notes.append(_stranger(table, row, "subject"))
        return rows

    table = _read(folder / "subjects.csv", SUBJECT_COLUMNS)
    subjects = {slug: _figures(table, rows[-1]) for slug, rows in grouped(table).items()}
    table = _read(folder / "chapters.csv", CHAPTER_COLUMNS)
    rows = grouped(table)
    chapters: dict[tuple[str, str], Figures] = {}
    for subject in known:
        found, said = _chapters(table, rows.get(subject.slug, []), subject)
        chapters |= {(subject.slug, slug): figures for slug, figures in found.items()}
        notes += said
    return Published(subjects, chapters, tuple(notes))


def _chapters(table: Table, rows: Sequence[Row], subject: Subject) -> tuple[dict[str, Figures], list[str]]:
    """The figures of a subject's chapters by slug, and notes.

    Translations differ: when one row and one chapter are left over, and both have as many concepts, they are taken for
    the same, and the note says so.
    """
    names = {match_key(n): c for c in subject.chapters for n in (c.slug, c.zh, c.en)}
    found = {c.slug: _figures(table, row) for row in rows if (c := names.get(match_key(row.cells["chapter"])))}
    left = [row for row in rows if match_key(row.cells["chapter"]) not in names]
    others = [c for c in subject.chapters if c.slug not in found]
    if len(left) == len(others) == 1 and _figures(table, left[0]).concepts == others[0].concepts:
        found[others[0].slug] = _figures(table, left[0])
        return found, [
            f'{table.path.name} line {left[0].line}: "{left[0].cells["chapter"]}" is taken for {others[0].en}, '
            f"the only chapter of {subject.slug} left over."
        ]
    return found, [_stranger(table, row, "chapter") for row in left]


def _stranger(table: Table, row: Row, column: str) -> str:
    return f'{table.path.name} line {row.line}: there is no {column} "{row.cells[column]}" of ours; left out.'


def _read(path: Path, columns: Sequence[str]) -> Table:
    table = read_table(path)
    if missing := [name for name in columns if name not in table.header]:
        raise InputError(f"{path} line 1: no column {', '.join(missing)}; expected {', '.join(columns)}.")
    for row in table.rows:
        if row.problem:
            raise InputError(f"{path} line {row.line}: {row.problem}.")
    return table


def _figures(table: Table, row: Row) -> Figures:
    concepts, kept = (_number(table, row, name) for name in ("concepts", "questions_after_review"))
    question, answer = (_number(table, row, name) for name in ("mean_question_chars", "mean_answer_chars"))
    return Figures(None if concepts is None else int(concepts), None if kept is None else int(kept), question, answer)


def _number(table: Table, row: Row, name: str) -> float | None:
    text = row.cells.get(name, "").strip()
    if not text:
        return None
    try:
        value = float(text)
    except ValueError:
        value = float("nan")
    if not 0 <= value < 1e9:
        raise InputError(f'{table.path} line {row.line}: "{text}" in column {name} is no number from 0 up.')
    return value
