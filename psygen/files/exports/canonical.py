"""Canonical JSON lines: every field of every question, one file a split. What `psygen import` reads back exactly."""

import json
from itertools import groupby

from psygen.files.exports.folder import ExportFolder
from psygen.files.exports.options import ExportOptions
from psygen.files.exports.rows import canonical_row
from psygen.records.benchmark import Benchmark


def write(benchmark: Benchmark, folder: ExportFolder, options: ExportOptions) -> None:
    """Write `data/SPLIT.jsonl` for each split that has questions."""
    encode = json.JSONEncoder(ensure_ascii=False).encode
    for split, questions in groupby(benchmark.questions, key=lambda q: q.split):
        with folder.open_text(f"data/{split}.jsonl") as file:
            for question in questions:
                file.write(encode(canonical_row(question, benchmark.canary)) + "\n")
