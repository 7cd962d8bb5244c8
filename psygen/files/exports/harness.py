"""What the exports for evaluation harnesses share: which questions a harness can score, and the files they ship."""

import json
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import groupby
from pathlib import Path
from typing import Literal, NamedTuple

from psygen.files.exports.folder import ExportFolder
from psygen.files.exports.options import ExportOptions
from psygen.files.exports.rows import Names, reader_row
from psygen.records.benchmark import Benchmark, Question, Split
from psygen.records.item import LETTERS

SHIPPED = Path(__file__).parent / "shipped"
SHOTS = 5
"""Demonstrations before a question, as C-Eval, CMMLU and MMLU have it."""
SPLITS: tuple[Split, ...] = ("dev", "val", "test")
"""Splits that a harness reads; `train` is none of its business."""


class Scorable(NamedTuple):
    """The questions of a benchmark that one harness can score, and how many there are where."""

    questions: Sequence[Question]
    """In the benchmark's order."""
    counts: Counter[tuple[Split, str, str]]
    """By split, subject and chapter."""

    @property
    def split(self) -> Split | None:
        """The split to score: test, or val where test has nothing to score; None when neither has."""
        held = {split for split, _, _ in self.counts}
        return "test" if "test" in held else "val" if "val" in held else None

    def by_subject(self, split: Split) -> Counter[str]:
        """Questions of a split by subject, in the benchmark's order."""
        found: Counter[str] = Counter()
        for (counted, subject, _), number in self.counts.items():
            if counted == split:
                found[subject] += number
        return found

    def chapters(self, split: Split, subject: str) -> list[str]:
        """Chapters of a subject that have questions in a split, in the benchmark's order."""
        return [chapter for s, owner, chapter in self.counts if (s, owner) == (split, subject)]


def scorable(benchmark: Benchmark, forms: Sequence[Literal["single", "multiple"]]) -> Scorable:
    """The questions of dev, val and test with one of the forms, letters enough, and a key that may be seen."""
    kept = [q for q in benchmark.questions if q.split in SPLITS and q.form in forms and fits(q)]
    return Scorable(kept, Counter((q.split, q.subject, q.chapter) for q in kept))


def fits(question: Question) -> bool:
    """Whether a harness can score it: its key is there, one letter for `single`, and the alphabet is long enough."""
    has_key = bool(question.key) and (question.form != "single" or len(question.key) == 1)
    return has_key and 2 <= len(question.options) <= len(LETTERS)


def note_unscored(
    folder: ExportFolder, name: str, benchmark: Benchmark, found: Scorable, options: ExportOptions, why: str
) -> None:
    """Tell the user what the harness will not ask: splits whose answers are hidden, and questions of another shape."""
    for split in sorted(options.hide_answers & {q.split for q in benchmark.questions} & set(SPLITS)):
        folder.note(f"{name}: {split} is left out, because nothing can be scored without its answers.")
    shown = sum(q.split in SPLITS and q.split not in options.hide_answers for q in benchmark.questions)
    left_out = shown - len(found.questions)
    if left_out:
        folder.note(f"{name}: {left_out:,} {'questions' if left_out != 1 else 'question'} left out; {why}.")
    if found.split is None:
        folder.note(f"{name}: nothing was written, because neither test nor val has a question that can be scored.")
    elif found.split == "val":
        folder.note(f"{name}: val is scored, because test has nothing that can be.")


def write_data(folder: ExportFolder, prefix: str, benchmark: Benchmark, found: Scorable) -> None:
    """Write `PREFIX/data/SPLIT.jsonl`: a reader's row for each question, with what its prompt needs."""
    names = Names(benchmark)
    for split, questions in groupby(found.questions, key=lambda q: q.split):
        with folder.open_text(f"{prefix}/data/{split}.jsonl") as file:
            file.writelines(_lines(questions, names, benchmark.canary))


def _lines(questions: Iterator[Question], names: Names, canary: str) -> Iterator[str]:
    for question in questions:
        row = reader_row(question, names, canary)
        row |= {"lang": question.lang, "subject_en": names.subject_en(question.subject)}
        yield json.dumps(row, ensure_ascii=False) + "\n"


def ship(folder: ExportFolder, source: str, target: str) -> None:
    """Copy a shipped file as it stands."""
    folder.write_bytes(target, (SHIPPED / source).read_bytes())
