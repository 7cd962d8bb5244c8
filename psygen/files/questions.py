"""Questions of other people as files: our canonical JSON lines, and the csv of C-Eval and CMMLU.

What a file does not say is not guessed: a question without a key, with a key that names no option, or with several keys
where its layout has one, is a fault with file and line.
"""

import json
import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from pydantic import TypeAdapter, ValidationError

from psygen.errors import InputError
from psygen.files.tables import MAX_BYTES, Row, Table, decode, read_table
from psygen.records.concept import PromptType
from psygen.records.item import LETTERS, Form, Kind, Level
from psygen.text import has_surrogate

CEVAL = ("id", "question", "A", "B", "C", "D")
CMMLU = ("Question", "A", "B", "C", "D")


class Found(NamedTuple):
    """One question as its file has it. Empty fields are those the file does not have."""

    line: int
    """Line of the file on which it begins, from 1."""
    origin: str
    """Its id in the file."""
    stem: str
    options: tuple[str, ...]
    key: tuple[int, ...]
    explanation: str = ""
    form: Form = "single"
    subject: str = ""
    chapter: str = ""
    concept_id: str = ""
    concept: str = ""
    headings: tuple[str, ...] = ()
    prompt_type: PromptType | None = None
    kind: Kind | None = None
    level: Level | None = None
    lang: str = ""
    row: Mapping[str, Any] = {}
    """The row as it was read."""


class Questions(NamedTuple):
    """A file's questions, and what is wrong with it."""

    path: Path
    form: str
    """canonical, ceval, cmmlu."""
    found: list[Found]
    faults: list[str]
    """One sentence each, with file and line."""


def read_questions(path: Path, form: str = "auto") -> Questions:
    """The questions of a file. form: canonical, ceval, cmmlu, or `auto` to go by ending and header.

    Raises InputError for a file that cannot be read or has another layout.
    """
    if form == "canonical" or (form == "auto" and path.suffix.lower() in (".jsonl", ".json")):
        return _canonical(path)
    table = read_table(path)
    if form in ("auto", "ceval") and set(CEVAL) <= set(table.header):
        return _csv(table, "ceval", "question", "answer")
    if form in ("auto", "cmmlu") and set(CMMLU) <= set(table.header):
        return _csv(table, "cmmlu", "Question", "Answer")
    raise InputError(
        f"{path}: the columns are {', '.join(table.header)}; C-Eval has {','.join(CEVAL)},answer, "
        f"CMMLU has ,{','.join(CMMLU)},Answer."
    )


def file_subject(path: Path) -> str:
    """The subject a file is named for in these layouts: `statistics` for `statistics_dev.csv` and `statistics.csv`."""
    stem = path.stem
    for split in ("_dev", "_val", "_test", "_train"):
        stem = stem.removesuffix(split)
    return stem


def _csv(table: Table, form: str, stem: str, answer: str) -> Questions:
    """A table of C-Eval or CMMLU."""
    if answer not in table.header:
        raise InputError(
            f'{table.path}: there is no column "{answer}"; this split is published without answers, and psygen imports '
            "questions with their key."
        )
    found, faults = [], []
    for row in table.rows:
        try:
            found.append(_of_row(row, stem, answer))
        except ValueError as error:
            faults.append(f"{table.path} line {row.line}: {error}.")
    return Questions(table.path, form, found, faults)


def _of_row(row: Row, stem: str, answer: str) -> Found:
    """A question of a table's row. Raises ValueError with what is wrong."""
    if row.problem:
        raise ValueError(row.problem)
    cells = row.cells
    options = tuple(cells[letter] for letter in "ABCD")
    _refuse_empty(cells[stem], options)
    key = _key(cells[answer], len(options))
    if len(key) != 1:
        raise ValueError(f"{len(key)} right answers ({cells[answer].strip()}); this layout has one a question")
    first = cells.get("id", cells.get("", ""))
    return Found(row.line, first, cells[stem], options, key, cells.get("explanation", ""), row=dict(cells))


def _key(text: str, options: int) -> tuple[int, ...]:
    """Positions of the letters of a key. Raises ValueError for none, and for one that names no option."""
    letters = unicodedata.normalize("NFKC", text).strip().upper()
    if not letters:
        raise ValueError("no answer; psygen imports questions with their key")
    positions = [LETTERS.find(letter) for letter in letters]
    if any(not 0 <= p < options for p in positions) or len(set(positions)) != len(positions):
        raise ValueError(f'the answer "{letters}" names no option; letters {LETTERS[0]} to {LETTERS[options - 1]}')
    return tuple(sorted(positions))


def _refuse_empty(stem: str, options: Sequence[str]) -> None:
    if not stem.strip():
        raise ValueError("the stem is empty")
    if empty := [LETTERS[n] for n, option in enumerate(options) if not option.strip()]:
        raise ValueError(f"option {', '.join(empty)} is empty")


class _Line(NamedTuple):
    """The fields of a canonical line that are read, with their types; others stay in the raw row."""

    stem: str
    options: tuple[str, ...]
    key: str
    id: str = ""
    explanation: str = ""
    form: Form = "single"
    subject: str = ""
    chapter: str = ""
    concept_id: str = ""
    concept: str = ""
    headings: tuple[str, ...] = ()
    prompt_type: PromptType | None = None
    kind: Kind | None = None
    level: Level | None = None
    lang: str = ""


_LINE = TypeAdapter(_Line)


def _canonical(path: Path) -> Questions:
    """Our own JSON lines."""
    try:
        if path.stat().st_size > MAX_BYTES:
            raise InputError(f"{path}: {path.stat().st_size:,} bytes; a file may have {MAX_BYTES:,}. Split it.")
        text, _ = decode(path.read_bytes(), path)
    except OSError as error:
        raise InputError(f"{path}: cannot be read: {error.strerror or error}.") from error
    found, faults = [], []
    for number, line in _lines(text):
        try:
            found.append(_of_line(number, line))
        except ValueError as error:
            faults.append(f"{path} line {number}: {error}.")
    if not found and not faults:
        raise InputError(f"{path}: the file is empty; it must hold one JSON object a line.")
    return Questions(path, "canonical", found, faults)


def _lines(text: str) -> Iterator[tuple[int, str]]:
    for number, line in enumerate(text.split("\n"), 1):
        if line.strip():
            yield number, line


def _of_line(number: int, text: str) -> Found:
    """A question of a canonical line. Raises ValueError with what is wrong."""
    try:
        row = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise ValueError(f"not a JSON object: {error}") from error
    if not isinstance(row, dict):
        raise ValueError('a JSON object was expected, e.g. {"stem": "…", "options": ["…"], "key": "A"}')
    # A lone surrogate or a NUL would reach the database through an explanation as well as through a stem.
    if has_surrogate(written := json.dumps(row, ensure_ascii=False)) or "\\u0000" in written:
        raise ValueError("damaged characters: a lone surrogate or a NUL")
    line = _typed(row)
    _refuse_empty(line.stem, line.options)
    if line.form == "open" and not line.options and not line.key.strip():
        key: tuple[int, ...] = ()
    elif not 2 <= len(line.options) <= len(LETTERS):
        raise ValueError(f"{len(line.options)} options; a question has 2 to {len(LETTERS)}")
    else:
        key = _key(line.key, len(line.options))
    if line.form == "single" and len(key) != 1:
        raise ValueError(f'{len(key)} right answers ({line.key}) in a question of form "single"')
    shared = line._asdict() | {"key": key}
    return Found(number, shared.pop("id"), row=row, **shared)


def _typed(row: Mapping[str, Any]) -> _Line:
    """The known fields of a row. Raises ValueError that names the field."""
    try:
        return _LINE.validate_python({name: row[name] for name in _Line._fields if row.get(name) is not None})
    except ValidationError as error:
        fault = error.errors(include_input=False, include_url=False)[0]
        field = ".".join(str(part) for part in fault["loc"])
        raise ValueError(f'field "{field}": {fault["msg"]}') from error
