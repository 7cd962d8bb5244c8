"""Tables as people save them: csv in any usual encoding and separator, xlsx, JSON lines. Rows keep their line number.

Nothing is interpreted here: a cell is text, an empty row at the end is no row, and a header is a list of names.
"""

import csv
import io
import json
import re
import zipfile
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from psygen.errors import InputError

if TYPE_CHECKING:
    import _csv

MAX_BYTES = 512 * 2**20
MAX_UNPACKED = 256 * 2**20
MAX_MEMBERS = 1000
MAX_COLUMNS = 1000
MAX_FIELD = 1_000_000
FORMATS = (".csv", ".tsv", ".txt", ".xlsx", ".jsonl")

_QUOTED = re.compile(r'"[^"]*("|$)')
_SEPARATORS = {"，": ",", "；": ";", "\t": "\t", ";": ";", ",": ","}


class Row(NamedTuple):
    """One row: the line (or sheet row) it begins on, counted from 1, and its cells by column name."""

    line: int
    cells: Mapping[str, str]
    problem: str = ""
    """What is wrong with the row's shape, e.g. too many fields; empty when nothing."""


class Table(NamedTuple):
    """A file's header and rows, with the encoding it was read in."""

    path: Path
    header: tuple[str, ...]
    rows: tuple[Row, ...]
    encoding: str


def read_table(path: Path, *, sheet: str = "") -> Table:
    """The table in a csv, tsv, xlsx or jsonl file.

    Encodings: UTF-8 with or without BOM, UTF-16 with BOM, GB18030 (which includes GBK).
    sheet: the worksheet of an xlsx to read if it has one of that name; else its first.
    Separators: comma, semicolon, tab, and the full-width comma or semicolon when the header uses it.
    Raises InputError that names the file and what to do.
    """
    try:
        size = path.stat().st_size
        if size > MAX_BYTES:
            raise InputError(f"{path}: {size:,} bytes; a table may have {MAX_BYTES:,}. Split it.")
        if path.suffix.lower() == ".xlsx":
            return _read_xlsx(path, sheet)
        text, encoding = decode(path.read_bytes(), path)
    except OSError as error:
        raise InputError(f"{path}: cannot be read: {error.strerror or error}.") from error
    if path.suffix.lower() == ".jsonl":
        return _read_jsonl(path, text, encoding)
    if path.suffix.lower() not in FORMATS:
        raise InputError(f"{path}: psygen reads {', '.join(FORMATS)} tables; save it as one of these.")
    return _read_csv(path, text, encoding)


def decode(data: bytes, path: Path) -> tuple[str, str]:
    """The text of a file and the encoding it was in. Raises InputError with the line of the first bad byte."""
    for mark, encoding in ((b"\xef\xbb\xbf", "utf-8-sig"), (b"\xff\xfe", "utf-16"), (b"\xfe\xff", "utf-16")):
        if data.startswith(mark):
            candidates = [encoding]
            break
    else:
        candidates = ["utf-8", "gb18030"]
    first: UnicodeDecodeError | None = None
    for encoding in candidates:
        try:
            text = data.decode(encoding)
        except UnicodeDecodeError as error:
            first = first or error
            continue
        if "\x00" in text:
            break
        return text, encoding
    start = first.start if first else data.find(b"\x00")
    line = data[:start].count(b"\n") + 1
    raise InputError(f"{path} line {line}: byte {start} is neither UTF-8 nor GB18030; save the file as UTF-8.")


def _read_csv(path: Path, text: str, encoding: str) -> Table:
    separator = _separator(text)
    if separator in "，；" and separator:
        text, separator = _plain_separators(text, separator), _SEPARATORS[separator]
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=separator, strict=True)
    limit = csv.field_size_limit(MAX_FIELD)
    try:
        return _table(path, _numbered(reader), encoding)
    except csv.Error as error:
        raise InputError(
            f"{path} line {reader.line_num}: {error}; check its quotes (a quote inside a field is doubled)."
        ) from error
    finally:
        csv.field_size_limit(limit)


def _numbered(reader: "_csv.Reader") -> Iterator[tuple[int, list[str]]]:
    """Each record with the physical line it begins on; a record may span lines."""
    begins = 1
    for fields in reader:
        yield begins, fields
        begins = reader.line_num + 1


def _separator(text: str) -> str:
    """The separator of the header line: the candidate it holds most often, the earlier one in a tie."""
    header = _first_record(text)
    return max((",", ";", "\t", "，", "；"), key=header.count) if header else ","


def _first_record(text: str) -> str:
    """The header's record without what stands in quotes: there it may hold line ends and separators."""
    outside = _QUOTED.sub("_", text[:MAX_FIELD]).lstrip()
    return next(iter(outside.splitlines()), "")


def _plain_separators(text: str, separator: str) -> str:
    """Full-width separators outside quotes become plain ones; text inside quotes stays as it is.

    Only files whose header is separated so come here: their unquoted fields cannot hold the separator.
    """
    parts = text.split('"')
    parts[::2] = [part.replace(separator, _SEPARATORS[separator]) for part in parts[::2]]
    return '"'.join(parts)


def _table(path: Path, records: Iterator[tuple[int, list[str]]], encoding: str) -> Table:
    header: tuple[str, ...] = ()
    rows: list[Row] = []
    for line, fields in records:
        if not any(field.strip() for field in fields):
            continue
        if not header:
            header = _header(path, line, fields)
            continue
        rows.append(_row(line, header, fields))
    if not header:
        raise InputError(f"{path}: the file is empty; its first line must name the columns.")
    return Table(path, header, tuple(rows), encoding)


def _header(path: Path, line: int, fields: list[str]) -> tuple[str, ...]:
    names = [field.strip() for field in fields]
    while names and not names[-1]:
        names.pop()
    if len(names) > MAX_COLUMNS:
        raise InputError(f"{path} line {line}: {len(names)} columns; a table may have {MAX_COLUMNS}.")
    twice = sorted({name for name in names if name and names.count(name) > 1})
    if twice:
        raise InputError(f"{path} line {line}: column {', '.join(twice)} stands twice in the header; rename one.")
    return tuple(names)


def _row(line: int, header: tuple[str, ...], fields: list[str]) -> Row:
    surplus = [field for field in fields[len(header) :] if field.strip()]
    cells = dict(zip(header, fields + [""] * len(header), strict=False))
    if surplus:
        return Row(line, cells, f"{len(header) + len(surplus)} fields, the header has {len(header)}")
    if len(fields) < len(header):
        missing = header[len(fields)]
        return Row(line, cells, f'{len(fields)} fields, the header has {len(header)}; no value for "{missing}"')
    return Row(line, cells)


def _read_jsonl(path: Path, text: str, encoding: str) -> Table:
    header: dict[str, None] = {}
    rows = []
    for number, line in enumerate(text.split("\n"), 1):
        if not line.strip():
            continue
        try:
            value = json.loads(line)
        except (json.JSONDecodeError, RecursionError) as error:
            raise InputError(f"{path} line {number}: not a JSON object: {error}.") from error
        if not isinstance(value, dict):
            raise InputError(f'{path} line {number}: a JSON object was expected, e.g. {{"id": "…"}}.')
        cells = {str(name): _json_cell(cell) for name, cell in value.items()}
        header |= dict.fromkeys(cells)
        rows.append(Row(number, cells))
    if not rows:
        raise InputError(f"{path}: the file is empty; it must hold one JSON object a line.")
    names = tuple(header)
    full = tuple(Row(r.line, {name: r.cells.get(name, "") for name in names}) for r in rows)
    return Table(path, names, full, encoding)


def _json_cell(value: object) -> str:
    if value is None:
        return ""
    if isinstance(value, list):
        return ";".join(str(v) for v in value)
    return str(value)


def _read_xlsx(path: Path, name: str) -> Table:
    _refuse_bombs(path)
    import openpyxl
    from openpyxl.utils.exceptions import InvalidFileException

    try:
        book = openpyxl.load_workbook(path, read_only=True, data_only=True, keep_links=False)
    except (InvalidFileException, KeyError, ValueError, zipfile.BadZipFile) as error:
        raise InputError(f"{path}: not a readable xlsx file ({error}); save it again as .xlsx.") from error
    try:
        sheet = next((s for s in book.worksheets if s.title == name), book.worksheets[0])
        sheet.reset_dimensions()
        records = (
            (number, ["" if cell is None else str(cell) for cell in cells])
            for number, cells in enumerate(sheet.iter_rows(values_only=True, max_col=MAX_COLUMNS), 1)
        )
        return _table(path, records, "xlsx")
    finally:
        book.close()


def _refuse_bombs(path: Path) -> None:
    """Refuse an xlsx that would unpack to far more than a table, before anything parses it."""
    try:
        with zipfile.ZipFile(path) as archive:
            members = archive.infolist()
    except zipfile.BadZipFile as error:
        raise InputError(f"{path}: not an xlsx file (or only half copied); save it again as .xlsx.") from error
    unpacked = sum(member.file_size for member in members)
    if len(members) > MAX_MEMBERS or unpacked > MAX_UNPACKED:
        raise InputError(f"{path}: unpacks to {unpacked:,} bytes in {len(members)} parts; that is no table.")
    if any("vbaproject" in member.filename.lower() for member in members):
        raise InputError(f"{path}: contains macros; save it as a plain .xlsx.")
