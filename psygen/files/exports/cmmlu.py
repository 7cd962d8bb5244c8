"""CMMLU's layout: `cmmlu/dev/SUBJECT.csv` and `cmmlu/test/SUBJECT.csv`, seven columns, the first one without a name.

Source: Li et al. 2023, CMMLU: Measuring massive multitask language understanding in Chinese; its published files.
"""

from psygen.files.exports.folder import ExportFolder
from psygen.files.exports.names import safe_name
from psygen.files.exports.options import ExportOptions
from psygen.files.exports.rows import letters
from psygen.files.exports.tables import by_file, fits_four, note_left_out, write_rows
from psygen.records.benchmark import Benchmark

HEADER = ("", "Question", "A", "B", "C", "D", "Answer")
SPLITS = ("dev", "test")
"""CMMLU has no others; readers look for these two."""


def write(benchmark: Benchmark, folder: ExportFolder, options: ExportOptions) -> None:
    """Write the csv of every subject in dev and test. Hidden answers are empty cells: readers count seven columns."""
    left_out = elsewhere = 0
    for split, subject, questions in by_file(benchmark.questions):
        every = list(questions)
        if split not in SPLITS:
            elsewhere += len(every)
            continue
        held = [q for q in every if fits_four(q)]
        left_out += len(every) - len(held)
        if held:
            with folder.open_text(f"cmmlu/{split}/{safe_name(subject)}.csv") as file:
                write_rows(file, [HEADER])
                write_rows(file, ((str(n), q.stem, *q.options, letters(q)) for n, q in enumerate(held)))
    note_left_out(folder, "cmmlu", left_out, "CMMLU holds questions with four options and one right answer")
    note_left_out(folder, "cmmlu", elsewhere, "CMMLU has only dev and test")
