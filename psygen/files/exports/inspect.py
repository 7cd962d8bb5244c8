"""A task for Inspect: `inspect eval OUT/inspect/psygen_inspect.py@psygen --model PROVIDER/MODEL`."""

from psygen.files.exports.folder import ExportFolder
from psygen.files.exports.harness import note_unscored, scorable, ship, write_data
from psygen.files.exports.options import ExportOptions
from psygen.records.benchmark import Benchmark

CODE = ("psygen_inspect.py", "psygen_questions.py", "psygen_extract.py")


def write(benchmark: Benchmark, folder: ExportFolder, options: ExportOptions) -> None:
    """Write inspect/: the task's code and data/SPLIT.jsonl, questions with several right answers among them."""
    found = scorable(benchmark, ("single", "multiple"))
    note_unscored(folder, "inspect", benchmark, found, options, "its task asks questions with options")
    if found.split is None:
        return
    write_data(folder, "inspect", benchmark, found)
    for name in CODE:
        ship(folder, name, f"inspect/{name}")
