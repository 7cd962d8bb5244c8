"""Reads one xlsx in a process of its own, with limits, and prints its cells as JSON lines (see workbooks).

Stands alone (no import of psygen), so that it can run isolated from everything but the installed packages.
A line is a sheet, {"sheet": name}, or a row, [number, [[column, kind, text], …]] with columns from 1. Kinds: s text,
n number, d date, b truth value, e error value, f a formula that was saved without its value. Empty cells are left out.
"""

import contextlib
import datetime
import json
import sys
import zipfile
from collections.abc import Iterator
from typing import Any

MOST_MEMORY = 2 * 2**30
MOST_CPU_S = 300
MOST_ROWS, MOST_COLUMNS = 250_000, 256


def main(path: str) -> int:
    """Print the cells; 0, or 3 with one sentence on stderr when the file is not readable."""
    with contextlib.suppress(ImportError, ValueError, OSError):
        import resource

        resource.setrlimit(resource.RLIMIT_CPU, (MOST_CPU_S, MOST_CPU_S))
        resource.setrlimit(resource.RLIMIT_AS, (MOST_MEMORY, MOST_MEMORY))
    # openpyxl takes numpy along when it is there; nothing here needs it.
    sys.modules["numpy"] = None  # type: ignore[assignment]
    import openpyxl

    if not openpyxl.DEFUSEDXML:
        sys.stderr.write("the package defusedxml is missing; install psygen again")
        return 3
    try:
        for line in cells(path):
            sys.stdout.write(json.dumps(line, ensure_ascii=False) + "\n")
    except MemoryError:
        sys.stderr.write("needs more memory than a sheet may")
        return 3
    except Exception as error:  # noqa: BLE001  (a hostile file may make the parser raise anything)
        sys.stderr.write(f"{type(error).__name__}: {str(error)[:200]}")
        return 3
    return 0


def cells(path: str) -> Iterator[Any]:
    """The lines for a workbook."""
    import openpyxl

    values = openpyxl.load_workbook(path, read_only=True, data_only=True, keep_links=False)
    formulas = None
    if has_formulas(path):
        formulas = openpyxl.load_workbook(path, read_only=True, data_only=False, keep_links=False)
    for sheet in values.worksheets:
        yield {"sheet": sheet.title}
        bare = formulas[sheet.title] if formulas else None
        for page in (sheet, bare):
            if page is not None:
                page.reset_dimensions()
        rows = sheet.iter_rows(max_col=MOST_COLUMNS)
        written = bare.iter_rows(max_col=MOST_COLUMNS) if bare is not None else None
        for number, row in enumerate(rows, 1):
            as_written = next(written, ()) if written is not None else ()
            found = [line for n, cell in enumerate(row) if (line := one(n, cell, as_written))]
            if found:
                if number > MOST_ROWS:
                    raise ValueError(f"row {number:,} is not empty; a sheet may have {MOST_ROWS:,} rows")
                yield [number, found]


def has_formulas(path: str) -> bool:
    """Whether any sheet's XML has an element <f>."""
    with zipfile.ZipFile(path) as archive:
        return any(
            b"<f>" in data or b"<f " in data
            for name in archive.namelist()
            if name.startswith("xl/worksheets/") and name.endswith(".xml")
            for data in [archive.read(name)]
        )


def one(place: int, cell: Any, as_written: Any) -> list[Any] | None:
    """A cell as [column, kind, text]; None for an empty one."""
    value = cell.value
    if value is None:
        if place < len(as_written) and as_written[place].data_type == "f":
            return [place + 1, "f", str(as_written[place].value)[:200]]
        return None
    if cell.data_type == "e":
        return [place + 1, "e", str(value)]
    if isinstance(value, bool):
        return [place + 1, "b", str(value).upper()]
    if isinstance(value, int | float):
        return [place + 1, "n", repr(value)]
    if isinstance(value, datetime.date | datetime.time | datetime.timedelta):
        return [place + 1, "d", str(value)]
    return [place + 1, "s", str(value)]


if __name__ == "__main__":
    sys.stdout.reconfigure(encoding="utf-8", errors="surrogatepass")  # type: ignore[union-attr]
    sys.exit(main(sys.argv[1]))
