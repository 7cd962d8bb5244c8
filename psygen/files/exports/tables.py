"""What the two csv layouts share: which questions they can hold, and lines that any csv reader gives back unchanged."""

import csv
from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby
from typing import IO

from psygen.files.exports.folder import ExportFolder
from psygen.records.benchmark import Question, Split


def fits_four(question: Question) -> bool:
    """Whether a question has four options and one right answer (or one that is hidden), which these layouts ask for."""
    return question.form == "single" and len(question.options) == 4 and len(question.key) <= 1


def by_file(questions: Iterable[Question]) -> Iterator[tuple[Split, str, Iterator[Question]]]:
    """Questions by split and subject, in their order, one after the other."""
    for (split, subject), group in groupby(questions, key=lambda q: (q.split, q.subject)):
        yield split, subject, group


def write_rows(file: IO[str], rows: Iterable[Sequence[str]]) -> None:
    """Write rows as in RFC 4180, `\\n` between them. No guard against formulas: this is data for programs."""
    csv.writer(file, lineterminator="\n").writerows(rows)


def note_left_out(folder: ExportFolder, name: str, left_out: int, why: str) -> None:
    """Tell the user what a layout could not hold; nothing when it held everything."""
    if left_out:
        folder.note(f"{name}: {left_out:,} {'questions' if left_out != 1 else 'question'} left out; {why}.")
