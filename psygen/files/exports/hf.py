"""The Hugging Face dataset: parquet with explicit splits and a card. No loading script, which datasets >= 4 refuses.

Configuration `all` (the default) and one for each subject; each split is one file,
`hf/data/CONFIG/SPLIT-00000-of-00001.parquet`. The bytes of parquet vary with pyarrow's version, so the manifest also
holds a hash of the rows.
"""

import hashlib
from collections.abc import Iterable, Iterator
from contextlib import ExitStack
from itertools import groupby, islice
from typing import TYPE_CHECKING, Any

from psygen.errors import InputError
from psygen.files.exports.card import Config, card_text
from psygen.files.exports.folder import ExportFolder
from psygen.files.exports.names import safe_name
from psygen.files.exports.options import ExportOptions
from psygen.files.exports.rows import Names, reader_row
from psygen.ids import canonical_json
from psygen.records.benchmark import Benchmark, Question

if TYPE_CHECKING:
    import pyarrow as pa  # type: ignore[import-untyped]

ALL = "all"
BATCH = 2000
"""Rows turned into columns at once."""


def has_pyarrow() -> bool:
    """Whether pyarrow is installed: it is 170 MB and only this format needs it."""
    try:
        import pyarrow.parquet  # type: ignore[import-untyped]  # noqa: F401
    except ImportError:
        return False
    return True


def require_pyarrow() -> None:
    """Raises InputError when pyarrow is not installed."""
    if not has_pyarrow():
        raise InputError(
            'The format hf is parquet, which needs pyarrow: pip install "psygen[parquet]", or name other formats.'
        )


def write(benchmark: Benchmark, folder: ExportFolder, options: ExportOptions) -> None:
    """Write the parquet files and the card. Raises InputError without pyarrow."""
    require_pyarrow()
    names = Names(benchmark)
    counts: dict[str, dict[str, int]] = {}
    for split, questions in groupby(benchmark.questions, key=lambda q: q.split):
        with _Table(folder, ALL, split) as whole:
            for subject, group in groupby(questions, key=lambda q: q.subject):
                config = safe_name(subject)
                with _Table(folder, config, split) as part:
                    for batch in _batches(group):
                        rows = [reader_row(q, names, benchmark.canary) for q in batch]
                        whole.add(rows)
                        part.add(rows)
                counts.setdefault(config, {})[split] = part.count
        counts.setdefault(ALL, {})[split] = whole.count
    rest = sorted(name for name in counts if name != ALL)
    configs = [Config(name, counts[name]) for name in [ALL, *rest] if name in counts]
    folder.write_text("hf/README.md", card_text(benchmark, configs, options))


def _batches(questions: Iterable[Question]) -> Iterator[list[Question]]:
    rest = iter(questions)
    while batch := list(islice(rest, BATCH)):
        yield batch


class _Table:
    """One parquet file, written batch by batch, with the hash of its rows. Use as a context manager."""

    def __init__(self, folder: ExportFolder, config: str, split: str) -> None:
        self.count = 0
        self._folder = folder
        self._path = f"hf/data/{config}/{split}-00000-of-00001.parquet"
        self._hash = hashlib.sha256()
        self._stack = ExitStack()

    def __enter__(self) -> "_Table":
        import pyarrow.parquet as pq

        file = self._stack.enter_context(self._folder.open_bytes(self._path))
        self._schema = _schema()
        self._writer = self._stack.enter_context(pq.ParquetWriter(file, self._schema))
        return self

    def __exit__(self, *error: Any) -> None:
        self._stack.__exit__(*error)
        self._folder.rows[self._path] = self._hash.hexdigest()

    def add(self, rows: list[dict[str, Any]]) -> None:
        """Append rows."""
        import pyarrow as pa

        self._writer.write_batch(pa.RecordBatch.from_pylist(rows, schema=self._schema))
        for row in rows:
            self._hash.update(canonical_json(row).encode() + b"\n")
        self.count += len(rows)


def _schema() -> "pa.Schema":
    """Columns in the order of `reader_row`."""
    import pyarrow as pa

    text, words, places = pa.string(), pa.list_(pa.string()), pa.list_(pa.int32())
    lists = {"choices": words, "answer_index": places}
    columns = (
        "id split subject subject_zh chapter chapter_zh concept_id concept kind format question choices answer "
        "answer_index explanation canary"
    ).split()
    return pa.schema([(name, lists.get(name, text)) for name in columns])
