"""A benchmark out of the house: the chosen formats in one folder, a manifest over them, hidden answers apart."""

import difflib
import json
import os
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from psygen import __version__
from psygen.errors import ExportFault, InputError, UnknownName
from psygen.files.exports.folder import MANIFEST, ExportFolder
from psygen.files.exports.formats import FORMATS
from psygen.files.exports.hf import has_pyarrow, require_pyarrow
from psygen.files.exports.options import ExportOptions
from psygen.files.exports.rows import letters
from psygen.files.items import write_lines
from psygen.records.benchmark import SPLITS, Benchmark, Question

LAYOUT = 1
"""Version of the folder's layout, for readers of the manifest."""
_NEEDS = {"opencompass": ("ceval",)}
"""Formats that read another one's files."""


class Exported(NamedTuple):
    """What an export wrote."""

    out: Path
    formats: tuple[str, ...]
    counts: dict[str, int]
    """Questions by split."""
    files: int
    notes: tuple[str, ...]
    """Sentences about what a format could not hold."""
    keys: Path | None
    """The file of hidden answers; None when nothing is hidden."""


def export_benchmark(
    benchmark: Benchmark, formats: Sequence[str], out: Path, options: ExportOptions, keys: Path | None = None
) -> Exported:
    """Write a benchmark in some formats; the folder appears whole or not at all.

    formats: names, or `all` for every one that this installation can write.
    keys: file for the hidden answers; by default `OUT-keys/keys.jsonl`. It is in place before the folder is.
    Raises InputError, UnknownName or ExportFault before anything is written, ExportFault when the disk fails.
    """
    chosen = _formats(formats)
    notes = []
    if "hf" in formats:
        require_pyarrow()
    elif "hf" in chosen and not has_pyarrow():
        # `all` means all that this installation can write; what it cannot is said.
        chosen = tuple(name for name in chosen if name != "hf")
        notes.append('hf: left out, it needs pyarrow: pip install "psygen[parquet]"')
    questions = [q for q in benchmark.questions if q.split in SPLITS]
    if not questions:
        raise InputError("There is no question to export; choose other states, engines or subjects, or split first.")
    counts: Counter[str] = Counter(q.split for q in questions)
    if strange := options.hide_answers - counts.keys():
        raise InputError(
            f"--hide-answers {' '.join(sorted(strange))}: no question is in it; the splits are {', '.join(counts)}."
        )
    key_file = _key_file(out, keys) if options.hide_answers else None
    public = benchmark._replace(questions=[_hidden(q) if q.split in options.hide_answers else q for q in questions])
    with ExportFolder(out) as folder:
        for name in chosen:
            FORMATS[name](public, folder, options)
        folder.write_text(MANIFEST, _manifest(public, folder, chosen, options, counts))
        if key_file is not None:
            write_lines(key_file, _key_lines(benchmark, options))
    notes += [*folder.notes, *_licence_notes(questions)]
    return Exported(out, chosen, dict(counts), len(folder.files), tuple(notes), key_file)


def _formats(names: Sequence[str]) -> tuple[str, ...]:
    """The formats meant, each once, in the table's order, with those they read."""
    for name in names:
        if name not in (*FORMATS, "all"):
            near = difflib.get_close_matches(name, FORMATS, 1, 0.5)
            hint = f"Did you mean {near[0]}? " if near else ""
            raise UnknownName(f'There is no format "{name}". {hint}Formats: {", ".join(FORMATS)}, all.')
    wanted = set(FORMATS) if "all" in names else {n for name in names for n in (name, *_NEEDS.get(name, ()))}
    return tuple(name for name in FORMATS if name in wanted)


def _hidden(question: Question) -> Question:
    """A question without what tells its answer: flags speak of the key, and the revision is a hash over it."""
    return question._replace(key=(), explanation="", flags=(), revision="")


def _licence_notes(questions: Sequence[Question]) -> list[str]:
    """A reminder for each source of imported questions: they are somebody else's."""
    sources = Counter(q.model for q in questions if q.engine == "import")
    return [
        f'{count:,} of the questions come from "{source}": its licence says whether you may give them away.'
        for source, count in sorted(sources.items())
    ]


def _key_file(out: Path, keys: Path | None) -> Path:
    """Where the hidden answers go. Raises ExportFault for a place in the public folder, or a file that is not ours."""
    path = keys if keys is not None else Path(f"{os.path.normpath(out)}-keys") / "keys.jsonl"
    if path.resolve().is_relative_to(out.resolve()):
        raise ExportFault(f"--keys {path} lies inside {out}, which is made to be given away; choose a place outside.")
    if path.is_dir():
        raise ExportFault(f"--keys {path} is a folder; name a file.")
    if path.exists() and not _holds_keys(path):
        raise ExportFault(f"--keys {path} exists and holds no keys of psygen; move it away or name another file.")
    return path


def _holds_keys(path: Path) -> bool:
    """Whether a file is empty or begins with a line of `_key_lines`."""
    with path.open("rb") as file:
        line = file.readline(1_000_000)
    try:
        return not line or {"id", "split", "key"} <= json.loads(line).keys()
    except (ValueError, AttributeError):
        return False


def _key_lines(benchmark: Benchmark, options: ExportOptions) -> Iterator[str]:
    """A JSON object for each question whose answer is hidden."""
    for q in benchmark.questions:
        if q.split in options.hide_answers:
            value = {"id": q.id, "split": q.split, "key": letters(q), "explanation": q.explanation}
            yield json.dumps(value | {"revision": q.revision}, ensure_ascii=False) + "\n"


def _manifest(
    benchmark: Benchmark,
    folder: ExportFolder,
    formats: Sequence[str],
    options: ExportOptions,
    counts: Counter[str],
) -> str:
    """psygen.json: what the folder holds, with a SHA-256 of every file. No time: equal input gives equal bytes."""
    value = {
        "name": benchmark.name,
        "layout": LAYOUT,
        "psygen": __version__,
        "lang": benchmark.lang,
        "licence": options.licence,
        "canary": benchmark.canary,
        "formats": list(formats),
        "counts": counts,
        "hidden_answers": sorted(options.hide_answers),
        "subjects": {
            s.slug: {"en": s.en, "zh": s.zh, "chapters": {c.slug: {"en": c.en, "zh": c.zh} for c in s.chapters}}
            for s in benchmark.subjects
        },
        "facts": dict(benchmark.facts),
        "files": dict(sorted(folder.files.items())),
        "rows": dict(sorted(folder.rows.items())),
    }
    return json.dumps(value, ensure_ascii=False, indent=1) + "\n"
