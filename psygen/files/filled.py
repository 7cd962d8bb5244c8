"""Review sheets that come back: xlsx or csv, sorted, filtered, saved by any program; senseless cells are refused.

Rows are found by their item, columns by the machine name in the last line of the header. Cells are text; a number, a
date or a formula where a text is wanted is refused with the cell's name, because what the reviewer typed is lost.
"""

import re
import unicodedata
from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

from psygen.errors import InputError
from psygen.files.sheets import COLUMNS, META, REVIEW
from psygen.files.tables import read_table
from psygen.files.workbooks import Cell, Page, cell_name, read_workbook
from psygen.records.review import CHECKS, CHECKS_ZH, REASONS_ZH, REVIEWER_ID, VERDICTS_ZH
from psygen.text import from_csv

READABLE = (1, 2)
"""Formats of sheets that can be read."""
NEEDED = ("item", "rev", "verdict")
INPUTS = tuple(column.name for column in COLUMNS if column.is_input)
CHANGES = {"new_stem": "stem", "new_key": "key", "new_explanation": "explanation"} | {f"new_{c}": c for c in "abcd"}
"""Columns for a changed text, and the field of the wording each stands for."""
_HEADER_ROWS = 20
_LETTERS = {letter: letter for letter in "ABCD"}


class Label(NamedTuple):
    """Which sheet it is."""

    batch: str
    reviewer: str
    project: str


class Refused(NamedTuple):
    """A row that could not be taken, and the cell that is to blame."""

    cell: str
    """Sheet and cell, `审题!L17`; of a csv the line and column."""
    item_id: str
    what: str
    """What was found and what was expected."""


class FilledRow(NamedTuple):
    """A row as the reviewer filled it in: only values that mean something, blanks left out."""

    number: int
    item_id: str
    revision: str
    values: Mapping[str, str]
    """verdict, checks, reason, blind_answer, comment in the words of the records."""
    changes: Mapping[str, str]
    """New texts by the field of the wording."""
    shown: Mapping[str, str]
    """The question as the sheet shows it, by field: whether somebody wrote into it."""
    cells: Mapping[str, str]
    """Name of the cell by column."""


class Filled(NamedTuple):
    """A sheet that came back."""

    path: Path
    label: Label | None
    """None when nothing in it says which sheet it is."""
    rows: tuple[FilledRow, ...]
    refused: tuple[Refused, ...]
    notes: tuple[str, ...]
    read: int
    """Rows with an id or anything filled in."""


class _Grid(NamedTuple):
    """A table of cells with its header, from either kind of file."""

    name: str
    columns: Mapping[str, int]
    """Column by machine name."""
    rows: Page
    header_row: int
    notes: list[str]
    is_csv: bool

    def cell(self, row: int, name: str) -> Cell:
        return self.rows[row].get(self.columns.get(name, 0), Cell("s", ""))

    def cell_name(self, row: int, name: str) -> str:
        if self.is_csv:
            return f"line {row}, {name}"
        return f"{self.name}!{cell_name(self.columns[name], row)}" if name in self.columns else f"{self.name} row {row}"


def read_filled(path: Path) -> Filled:
    """The sheet in a file. Raises InputError when it is no review sheet, is open elsewhere, or only half there."""
    _refuse_open(path)
    try:
        before = path.stat()
        if path.suffix.lower() in (".csv", ".txt", ".tsv"):
            grid, label = _csv_grid(path), None
        elif path.suffix.lower() == ".xlsx":
            pages = read_workbook(path)
            grid, label = _xlsx_grid(path, pages), _meta_label(path, pages)
        else:
            raise InputError(f"{path}: review sheets are .xlsx or .csv; save it as one of these.")
        after = path.stat()
    except OSError as error:
        raise InputError(
            f"{path}: cannot be read ({error.strerror or error}); if it is open in Excel, close it and repeat."
        ) from error
    if (before.st_size, before.st_mtime_ns) != (after.st_size, after.st_mtime_ns):
        raise InputError(f"{path}: changed while it was read; wait until it is copied or saved, and repeat.")
    return _filled(path, grid, label)


def _refuse_open(path: Path) -> None:
    """Refuse a workbook that Excel or LibreOffice has open: what is typed there may not be saved yet."""
    if path.name.startswith(("~$", ".~lock.")):
        raise InputError(f"{path}: the mark of a workbook that is open; close the workbook and import that.")
    for mark in (f"~${path.name}", f"~${path.name[2:]}", f".~lock.{path.name}#"):
        if path.with_name(mark).exists():
            raise InputError(f"{path}: is open in another program ({mark} lies beside it); save, close it and repeat.")


# From files to a grid


def _xlsx_grid(path: Path, pages: Mapping[str, Page]) -> _Grid:
    names = [REVIEW, *(name for name in pages if name not in (REVIEW, META))]
    for name in names:
        for number in sorted(pages.get(name, {}))[:_HEADER_ROWS]:
            header = {column: cell.text for column, cell in pages[name][number].items()}
            if {"item", "verdict"} <= {_machine_name(text) for text in header.values()}:
                return _grid(path, name, header, pages[name], number, is_csv=False)
    raise InputError(f"{path}: no sheet has the columns of a review sheet (item, rev, verdict); is it the right file?")


def _csv_grid(path: Path) -> _Grid:
    table = read_table(path)
    if table.rows and "no value for" in table.rows[-1].problem:
        raise InputError(f"{path}: ends in the middle of a row; copy or save it again.")
    header = dict(enumerate(table.header, 1))
    rows: Page = {}
    for row in table.rows:
        cells = [Cell("x" if row.problem else "s", from_csv(row.cells[name])) for name in table.header]
        rows[row.line] = {n: cell for n, cell in enumerate(cells, 1) if cell.text or cell.kind == "x"}
    return _grid(path, path.name, header, rows, 0, is_csv=True)


def _grid(path: Path, name: str, header: Mapping[int, str], rows: Page, number: int, *, is_csv: bool) -> _Grid:
    known = {column.name for column in COLUMNS}
    columns: dict[str, int] = {}
    unknown = []
    for place, text in header.items():
        machine = _machine_name(text)
        if machine in columns:
            raise InputError(f'{path}: the column "{machine}" stands twice in the header; take one away.')
        if machine in known:
            columns[machine] = place
        else:
            unknown.append(" ".join(text.split()))
    if missing := [column for column in NEEDED if column not in columns]:
        raise InputError(f"{path}: the column {', '.join(missing)} is missing; its header must end in that word.")
    notes = [f"columns not known and left out: {', '.join(u or '(no name)' for u in unknown)}"] if unknown else []
    if gone := [column for column in INPUTS if column not in columns]:
        notes.append(f"columns missing, read as empty: {', '.join(gone)}")
    return _Grid(name, columns, rows, number, notes, is_csv)


def _machine_name(header: str) -> str:
    words = header.split()
    return words[-1].lower() if words else ""


# Which sheet it is


def _meta_label(path: Path, pages: Mapping[str, Page]) -> Label | None:
    if META not in pages:
        return None
    facts = {row[1].text: row[2].text for row in pages[META].values() if 1 in row and 2 in row}
    return _label(path, *(facts.get(name, "") for name in ("format", "batch", "reviewer", "project")))


def _label(path: Path, form: str, batch: str, reviewer: str, project: str) -> Label:
    if not form.isdigit() or int(form) not in READABLE:
        raise InputError(
            f"{path}: a review sheet of format {form or '?'}; this psygen reads {READABLE[-1]}. Update it."
        )
    if not re.match(REVIEWER_ID, reviewer):
        raise InputError(f"{path}: its hidden sheet {META} names no reviewer; export the batch again.")
    return Label(batch, reviewer, project)


def _row_label(path: Path, text: str) -> Label | None:
    words = text.split()
    return _label(path, *words) if len(words) == 4 else None


# Rows


def _filled(path: Path, grid: _Grid, label: Label | None) -> Filled:
    refused: list[Refused] = []
    rows: list[FilledRow] = []
    read = 0
    for number in sorted(grid.rows):
        if number <= grid.header_row or not _is_row(grid, number):
            continue
        read += 1
        own = _row_label(path, grid.cell(number, "sheet").text)
        label = label or own
        row = _row(grid, number)
        if own is not None and own != label and isinstance(row, FilledRow):
            what = f"a row of the sheet of {own.reviewer}, batch {own.batch}; import that sheet itself"
            row = Refused(grid.cell_name(number, "sheet"), row.item_id, what)
        if isinstance(row, FilledRow):
            rows.append(row)
        else:
            refused.append(row)
    rows, twice = _once(rows)
    return Filled(path, label, tuple(rows), tuple(refused + twice), tuple(grid.notes), read)


def _is_row(grid: _Grid, number: int) -> bool:
    return any(grid.cell(number, name).text.strip() for name in ("item", *INPUTS))


def _once(rows: list[FilledRow]) -> tuple[list[FilledRow], list[Refused]]:
    """Rows whose item stands only once; the others are refused, all of them."""
    seen: dict[str, list[FilledRow]] = {}
    for row in rows:
        seen.setdefault(row.item_id, []).append(row)
    twice = [
        Refused(row.cells["item"], row.item_id, f"this question stands in {len(same)} rows; leave one of them")
        for same in seen.values()
        if len(same) > 1
        for row in same
    ]
    return [row for row in rows if len(seen[row.item_id]) == 1], twice


def _row(grid: _Grid, number: int) -> FilledRow | Refused:
    """A row, or the first thing in it that cannot be taken."""
    item = grid.cell(number, "item")
    revision = grid.cell(number, "rev")

    def refuse(column: str, what: str) -> Refused:
        return Refused(grid.cell_name(number, column), item.text[:40], what)

    if item.kind == "x":
        return refuse("item", "the row has more or fewer fields than the header")
    if item.kind != "s" or not re.fullmatch(r"psy-[0-9a-f]{12}", item.text.strip()):
        return refuse("item", f"{item.text[:40]!r} is no question's id; put back what stood here")
    if revision.kind != "s" or not re.fullmatch(r"[0-9a-f]{16}", revision.text.strip()):
        return refuse("rev", f"{revision.text[:40]!r} is no revision; put back what stood here")
    values: dict[str, str] = {}
    changes: dict[str, str] = {}
    for name in INPUTS:
        cell = grid.cell(number, name)
        text = cell.text.strip()
        if not text:
            continue
        if fault := _kind_fault(cell, name):
            return refuse(name, fault)
        if name in _WORDS:
            found = _word(text, _WORDS[name])
            if found is None:
                expected = ", ".join(dict.fromkeys(_WORDS[name].values()))
                return refuse(name, f"{text[:40]!r} found, {expected} expected")
            text = found
        (changes if name in CHANGES else values)[CHANGES.get(name, name)] = text
    if fault := _row_fault(values, changes):
        return refuse("verdict", fault)
    shown = {"stem": "stem"} | {f"option_{c}": c for c in "abcd"}
    return FilledRow(
        number,
        item.text.strip(),
        revision.text.strip(),
        values,
        changes,
        {field: grid.cell(number, name).text for name, field in shown.items() if name in grid.columns},
        {column.name: grid.cell_name(number, column.name) for column in COLUMNS},
    )


def _kind_fault(cell: Cell, name: str) -> str:
    if cell.kind == "f":
        return f"a formula that was saved without its value ({cell.text[:40]}); write the text itself"
    if cell.kind == "e":
        return f"the error value {cell.text}; write the text itself"
    if cell.kind != "s" and name in CHANGES:
        what = {"n": "a number", "d": "a date", "b": "a truth value"}[cell.kind]
        return f"{what} ({cell.text}) found, a text expected; set the cell's format to Text and type it again"
    return ""


def _row_fault(values: Mapping[str, str], changes: Mapping[str, str]) -> str:
    verdict = values.get("verdict", "")
    judged = [name for name in (*CHECKS, "reason") if name in values]
    if not verdict and (changes or judged):
        return f"no verdict, but {', '.join([*judged, *(f'a new {c}' for c in changes)])}; write one"
    if changes and verdict != "modify":
        return f"{verdict} found beside a changed text; write modify, or empty the changed cells"
    return ""


_ZH_WORDS: dict[str, Mapping[str, str]] = {
    "verdict": VERDICTS_ZH,
    "reason": REASONS_ZH,
    **dict.fromkeys(CHECKS, CHECKS_ZH),
}
_WORDS: dict[str, dict[str, str]] = {
    "blind_answer": _LETTERS,
    "new_key": _LETTERS,
    **{name: {w: w for w in words} | {zh: w for w, zh in words.items()} for name, words in _ZH_WORDS.items()},
}
"""By column: what may be written, and what it means; Chinese words are as good as the codes."""


def _word(text: str, words: Mapping[str, str]) -> str | None:
    """What was meant by a word from a list, in any case and width, also as `keep 保留`."""
    plain = unicodedata.normalize("NFKC", text).strip().strip(".。")
    known = {word.casefold(): meant for word, meant in words.items()}
    whole = known.get(plain.casefold())
    if whole is not None:
        return whole
    parts = {known.get(part.casefold()) for part in re.split(r"[\s/|]+", plain)}
    return parts.pop() if len(parts) == 1 else None
