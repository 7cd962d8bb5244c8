"""C-Eval's layout: `ceval/SPLIT/SUBJECT_SPLIT.csv` and the mapping of subjects' names.

Columns: id,question,A,B,C,D,answer, in dev an explanation too; a split whose answers are hidden has no answer column,
as C-Eval's own test has none. Source: Huang et al. 2023, C-Eval, NeurIPS Datasets and Benchmarks; its published files.
"""

import json
from collections.abc import Iterable, Iterator

from psygen.files.exports.folder import ExportFolder
from psygen.files.exports.names import safe_name
from psygen.files.exports.options import ExportOptions
from psygen.files.exports.rows import Names, letters
from psygen.files.exports.tables import by_file, fits_four, note_left_out, write_rows
from psygen.records.benchmark import Benchmark, Question, Split

CATEGORY = "Social Science"
"""C-Eval's category of psychology."""


def write(benchmark: Benchmark, folder: ExportFolder, options: ExportOptions) -> None:
    """Write the csv of every split and subject, then the mapping. What has another shape is left out and counted."""
    names, left_out = Names(benchmark), 0
    for split, subject, questions in by_file(benchmark.questions):
        held = [q for q in questions if fits_four(q)]
        left_out -= len(held)
        if held:
            with folder.open_text(f"ceval/{split}/{safe_name(subject)}_{split}.csv") as file:
                write_rows(file, _rows(split, held, split in options.hide_answers))
    left_out += len(benchmark.questions)
    note_left_out(folder, "ceval", left_out, "C-Eval holds questions with four options and one right answer")
    mapping = {safe_name(s.slug): [names.subject_en(s.slug), s.zh, CATEGORY] for s in benchmark.subjects}
    folder.write_text("ceval/subject_mapping.json", json.dumps(mapping, ensure_ascii=False, indent=2) + "\n")


def _rows(split: Split, questions: Iterable[Question], is_hidden: bool) -> Iterator[list[str]]:
    """Header and rows of one file."""
    has_explanation = split == "dev" and not is_hidden
    header = ["id", "question", *"ABCD", *([] if is_hidden else ["answer"])]
    yield [*header, "explanation"] if has_explanation else header
    for number, question in enumerate(questions):
        row = [str(number), question.stem, *question.options, *([] if is_hidden else [letters(question)])]
        yield [*row, question.explanation] if has_explanation else row
