"""Items as JSON lines and as csv, and files that are written whole or not at all."""

import csv
import io
import json
import os
import tempfile
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

from psygen.errors import ExportFault
from psygen.records.item import Item
from psygen.text import for_csv

CSV_COLUMNS = (
    "id concept_id subject chapter headings prompt_type kind stem A B C D key explanation "
    "state flags engine model revision"
).split()


def item_json(item: Item, *, stable: bool = False) -> dict[str, Any]:
    """The fields of an exported item; with `stable` without the time it was made."""
    value: dict[str, Any] = {
        "id": item.id,
        "concept_id": item.concept_id,
        "subject": item.subject,
        "chapter": item.chapter,
        "headings": list(item.headings),
        "prompt_type": item.prompt_type,
        "kind": item.kind,
        "level": item.level,
        "form": item.form,
        "lang": item.lang,
        "stem": item.stem,
        "options": list(item.options),
        "key": item.key_letters,
        "explanation": item.explanation,
        "state": item.state,
        "flags": list(item.flags),
        "engine": item.engine,
        "model": item.model,
        "request_id": item.request_id,
        "revision": item.revision,
        "created_at": item.created_at,
    }
    if stable:
        del value["created_at"]
    return value


def jsonl_lines(items: Iterable[Item], *, stable: bool = False) -> Iterator[str]:
    """One JSON object a line."""
    for item in items:
        yield json.dumps(item_json(item, stable=stable), ensure_ascii=False) + "\n"


def csv_lines(items: Iterable[Item]) -> Iterator[str]:
    """A csv that Excel opens: BOM, columns A-D, and an apostrophe before what would be a formula."""
    yield "\ufeff" + csv_line(CSV_COLUMNS)
    for item in items:
        value = item_json(item)
        options = [*item.options, "", "", "", ""][:4]
        value |= dict(zip("ABCD", options, strict=True))
        value["headings"], value["flags"] = " > ".join(item.headings), " ".join(item.flags)
        yield csv_line([for_csv(str(value[name])) for name in CSV_COLUMNS])


def csv_line(cells: Sequence[str]) -> str:
    """One record as Excel writes it."""
    out = io.StringIO()
    csv.writer(out, lineterminator="\r\n").writerow(cells)
    return out.getvalue()


def sync(path: Path) -> None:
    """See to it that a written file is on the disk before it gets its name."""
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def write_lines(path: Path, lines: Iterable[str]) -> int:
    """Write lines to a file that appears whole or not at all; how many. Raises ExportFault."""
    count = 0
    temporary = ""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        handle, temporary = tempfile.mkstemp(prefix=f".{path.name}.", dir=path.parent)
        with os.fdopen(handle, "w", encoding="utf-8", newline="") as file:
            for count, line in enumerate(lines, 1):  # noqa: B007  (the number of the last line is the count)
                file.write(line)
            file.flush()
            os.fsync(file.fileno())
        os.replace(temporary, path)
    except OSError as error:
        raise ExportFault(f"{path}: cannot be written: {error.strerror or error}.") from error
    finally:
        if temporary and os.path.exists(temporary):
            os.unlink(temporary)
    return count
