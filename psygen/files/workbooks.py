"""Workbooks that come back from other people: looked over before anything parses them, then read in a child process.

Source of the dangers: OWASP (XML external entities, decompression bombs, macros).
"""

import json
import re
import subprocess
import sys
import zipfile
from pathlib import Path
from typing import NamedTuple

from psygen.errors import InputError
from psygen.files import workbook_child

MOST_PARTS = 200
MOST_UNPACKED = 512 * 2**20
MOST_RATIO = 200
"""Unpacked to packed size of a part of a megabyte or more; sheets have 5 to 40."""
MOST_SECONDS = 300
_CHUNK = 2**20
_OVERLAP = 256
_DOCTYPE = re.compile(rb"<!(DOCTYPE|ENTITY)", re.IGNORECASE)
_CELL = re.compile(rb'<c [^>]*?\br="([A-Z]{1,4})(\d{1,9})"[^>]*(?<!/)>')
_FOREIGN = (
    ("vbaproject", "contains macros"),
    ("externallink", "contains links to other files"),
    ("embeddings/", "contains embedded files"),
    ("activex", "contains controls"),
)


class Cell(NamedTuple):
    """A cell that is not empty."""

    kind: str
    """s text, n number, d date, b truth value, e error value, f formula without a value."""
    text: str


Page = dict[int, dict[int, Cell]]
"""Rows by number, in each the cells by column, both from 1."""


def read_workbook(path: Path) -> dict[str, Page]:
    """The sheets of an xlsx by name, hidden ones too.

    Raises InputError for whatever is no plain workbook of bearable size; nothing in it is evaluated or followed.
    """
    refuse_hostile(path)
    command = [sys.executable, "-P", str(Path(workbook_child.__file__)), str(path.absolute())]
    try:
        done = subprocess.run(command, capture_output=True, timeout=MOST_SECONDS, check=False)
    except subprocess.TimeoutExpired as error:
        raise InputError(
            f"{path}: takes longer than {MOST_SECONDS} seconds to read; save it again as .xlsx."
        ) from error
    if done.returncode:
        why = done.stderr.decode("utf-8", "replace").strip().split("\n")[-1] or "the reader was stopped by its limits"
        raise InputError(f"{path}: not a readable workbook ({why}); save it again as .xlsx.")
    pages: dict[str, Page] = {}
    page: Page = {}
    for line in done.stdout.decode("utf-8", "surrogatepass").split("\n"):
        if not line:
            continue
        value = json.loads(line)
        if isinstance(value, dict):
            page = pages.setdefault(value["sheet"], {})
        else:
            page[value[0]] = {column: Cell(kind, text) for column, kind, text in value[1]}
    return pages


def refuse_hostile(path: Path) -> None:
    """Refuse what is no workbook, or one that would hurt, from the archive's own directory and its first bytes."""
    try:
        with zipfile.ZipFile(path) as archive:
            parts = archive.infolist()
            _refuse_parts(path, parts)
            for part in parts:
                if part.filename.lower().endswith((".xml", ".rels", ".vml")):
                    _refuse_contents(path, archive, part)
    except (zipfile.BadZipFile, EOFError, NotImplementedError, RuntimeError) as error:
        raise InputError(f"{path}: not an xlsx file, or only half copied; copy or save it again.") from error
    except OSError as error:
        raise InputError(
            f"{path}: cannot be read ({error.strerror or error}); close it in Excel and repeat."
        ) from error
    except ValueError as error:
        raise InputError(f"{path}: a damaged xlsx file ({error}); save it again.") from error


def _refuse_parts(path: Path, parts: list[zipfile.ZipInfo]) -> None:
    unpacked = sum(part.file_size for part in parts)
    if len(parts) > MOST_PARTS or unpacked > MOST_UNPACKED:
        raise InputError(f"{path}: unpacks to {unpacked:,} bytes in {len(parts)} parts; that is no review sheet.")
    names = [part.filename for part in parts]
    if "[Content_Types].xml" not in names or len(set(names)) < len(names):
        raise InputError(f"{path}: not an xlsx file; save it as .xlsx.")
    for part in parts:
        name = part.filename.lower()
        if name.startswith(("/", "\\")) or ".." in name.replace("\\", "/").split("/"):
            raise InputError(f"{path}: holds a part named {part.filename!r}; that is no workbook.")
        if part.file_size >= _CHUNK and part.file_size > MOST_RATIO * max(part.compress_size, 1):
            raise InputError(f"{path}: a part unpacks to {part.file_size:,} bytes; that is no review sheet.")
        for word, what in _FOREIGN:
            if word in name:
                raise InputError(f"{path}: {what}; save it as a plain .xlsx.")


def _refuse_contents(path: Path, archive: zipfile.ZipFile, part: zipfile.ZipInfo) -> None:
    """Look through a part, a megabyte at a time: entities, foreign encodings, macros, cells far out."""
    is_sheet = part.filename.startswith("xl/worksheets/")
    before = b""
    with archive.open(part) as file:
        while data := file.read(_CHUNK):
            if not before and (data[:2] in (b"\xff\xfe", b"\xfe\xff") or b"\x00" in data[:64]):
                raise InputError(f"{path}: {part.filename} is not in UTF-8; save it again as .xlsx.")
            text = before + data
            if _DOCTYPE.search(text):
                raise InputError(f"{path}: {part.filename} declares entities; that is no workbook.")
            if part.filename == "[Content_Types].xml" and b"macroEnabled" in text:
                raise InputError(f"{path}: contains macros; save it as a plain .xlsx.")
            if is_sheet:
                _refuse_far_cells(path, text)
            before = text[-_OVERLAP:]


def _refuse_far_cells(path: Path, text: bytes) -> None:
    for match in _CELL.finditer(text):
        letters, row = match.group(1), int(match.group(2))
        if row > workbook_child.MOST_ROWS or _column(letters) > workbook_child.MOST_COLUMNS:
            raise InputError(
                f"{path}: something stands in cell {letters.decode()}{row}; a review sheet ends far before. Delete it."
            )


def _column(letters: bytes) -> int:
    number = 0
    for c in letters:
        number = number * 26 + c - 64
    return number


def cell_name(column: int, row: int) -> str:
    """`L17` for column 12 of row 17."""
    letters = ""
    while column:
        column, rest = divmod(column - 1, 26)
        letters = chr(65 + rest) + letters
    return f"{letters}{row}"
