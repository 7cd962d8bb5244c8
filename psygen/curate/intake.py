"""Importing a review sheet: every row that can be taken, in one transaction; the others named with what is wrong."""

from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple

from psygen.crash import crash_point
from psygen.curate.edits import looks_same
from psygen.curate.judge import Entry, Recorded, record_within
from psygen.errors import InputError, PsygenError
from psygen.files.filled import Filled, FilledRow, Label, Refused, read_filled
from psygen.ids import file_hash
from psygen.records.review import CHECKS, Event, Policy, Wording
from psygen.store import reviews
from psygen.store.connection import Connection
from psygen.store.database import Store

_FIELDS = ("verdict", *CHECKS, "reason", "blind_answer", "comment")


class Conflict(NamedTuple):
    """An edit that collides with an earlier one of the same fields."""

    item_id: str
    fields: tuple[str, ...]
    cell: str


class Imported(NamedTuple):
    """What an import did."""

    path: Path
    batch: str
    reviewer: str
    rows: int
    """Rows read."""
    new: int
    """Rows that said something new."""
    unchanged: int
    """Rows that said what was known."""
    empty: int
    """Rows in which nothing is filled in: not reviewed."""
    edits: int
    merged: int
    """Edits of an older revision that were joined with what others changed."""
    conflicts: tuple[Conflict, ...]
    refused: tuple[Refused, ...]
    without_answer: int
    """Verdicts without a blind answer."""
    notes: tuple[str, ...]
    was_known: bool = False
    """Whether the very same file was imported before."""


def import_sheet(store: Store, policy: Policy, path: Path, *, reviewer: str = "") -> Imported:
    """Import one file, whole or not at all but for the rows that are refused.

    reviewer: who filled it in, when nothing in the file says so.
    Raises InputError for a file that is no sheet of this database.
    """
    filled = read_filled(path)
    try:
        sha = file_hash(path)
    except OSError as error:
        raise InputError(f"{path}: cannot be read: {error.strerror or error}.") from error
    label = _label_of(filled, reviewer)
    with store.writing() as conn:
        batch = _refuse_foreign(conn, filled, label)
        if reviews.sheet_is_known(conn, sha):
            return _report(filled, label, [], [], filled.refused, was_known=True)
        refused = list(filled.refused)
        entries, rows = [], {}
        for row in filled.rows:
            if fault := _row_fault(conn, row, batch):
                refused.append(fault)
            elif entry := _entry(row, label.reviewer, sha):
                entries.append(entry)
                rows[row.item_id] = row
        done = record_within(conn, policy, entries, on_refusal=lambda e, why: refused.append(_blamed(rows, e, why)))
        made = _report(filled, label, done, _conflicts(done, rows), refused)
        reviews.note_sheet(
            conn, sha, path.name, label.batch, label.reviewer, rows=filled.read, events=sum(d.is_new for d in done)
        )
        crash_point("before_sheet_commit")
        return made


def _label_of(filled: Filled, reviewer: str) -> Label:
    if filled.label is None:
        if not reviewer:
            raise InputError(
                f"{filled.path}: nothing in it says whose sheet it is; add --reviewer ID, or export the batch again."
            )
        return Label("", reviewer, "")
    if reviewer and reviewer != filled.label.reviewer:
        raise InputError(f"{filled.path}: is the sheet of {filled.label.reviewer}, not of {reviewer}.")
    return filled.label


def _refuse_foreign(conn: Connection, filled: Filled, label: Label) -> dict[str, str]:
    """The revisions of the reviewer's batch by item; of all their batches when the sheet names none."""
    if label.project and label.project != reviews.project(conn):
        raise InputError(f"{filled.path}: belongs to another project ({label.project}); import it there (-w FOLDER).")
    tasks = [t for t in reviews.tasks_of(conn, label.reviewer) if label.batch in ("", t.batch)]
    if not tasks:
        what = f"batch {label.batch}" if label.batch else "batch"
        raise InputError(f"{filled.path}: no {what} of reviewer {label.reviewer} was exported from this database.")
    return {task.item_id: task.revision for task in tasks}


def _row_fault(conn: Connection, row: FilledRow, batch: dict[str, str]) -> Refused | None:
    """What is wrong with a row as a whole: another question's id, a foreign revision, a text written over."""
    if row.item_id not in batch:
        what = "this question is not in the reviewer's batch; was the id changed?"
        return Refused(row.cells["item"], row.item_id, what)
    known = {r.revision: r.wording for r in reviews.revisions_of(conn, row.item_id)}
    if not known:
        planted = reviews.sentinels(conn, [row.item_id])
        known = {batch[i]: Wording.of(s.item) for i, s in planted.items()}
    if row.revision not in known:
        return Refused(row.cells["rev"], row.item_id, "this question never had that revision; put back what stood here")
    fields = known[row.revision].fields()
    for name, text in row.shown.items():
        if text and name in fields and not looks_same(text, fields[name]):
            column = name if name == "stem" else f"option_{name}"
            what = "the question's own text was changed; write it into new_… instead"
            return Refused(row.cells[column], row.item_id, what)
    return None


def _entry(row: FilledRow, reviewer: str, sha: str) -> Entry | None:
    """What the row says; None when nothing is filled in."""
    if not row.values and not row.changes:
        return None
    kind = "verdict" if "verdict" in row.values else "answer" if "blind_answer" in row.values else "comment"
    values: dict[str, object] = {name: row.values[name] for name in _FIELDS if name in row.values}
    facts = {"reviewer": reviewer, "via": "sheet", "source": sha, "item_id": row.item_id, "revision": row.revision}
    return Entry(Event.model_validate({**facts, "kind": kind, **values}), row.changes)


def _blamed(rows: dict[str, FilledRow], entry: Entry, why: PsygenError) -> Refused:
    row = rows[entry.event.item_id]
    field = next(iter(entry.changes), "")
    column = f"new_{field}" if field else "verdict"
    return Refused(row.cells[column], row.item_id, str(why))


def _conflicts(done: Iterable[Recorded], rows: dict[str, FilledRow]) -> list[Conflict]:
    return [
        Conflict(d.event.item_id, d.event.clash, rows[d.event.item_id].cells["item"])
        for d in done
        if d.is_new and d.event.merge == "conflict"
    ]


def _report(
    filled: Filled,
    label: Label,
    done: list[Recorded],
    conflicts: list[Conflict],
    refused: Iterable[Refused],
    *,
    was_known: bool = False,
) -> Imported:
    refused = tuple(sorted(refused, key=lambda r: (len(r.cell), r.cell)))
    new = [d.event for d in done if d.is_new]
    said = len([r for r in filled.rows if r.values]) if was_known else len(done)
    return Imported(
        path=filled.path,
        batch=label.batch,
        reviewer=label.reviewer,
        rows=filled.read,
        new=len(new),
        unchanged=said - len(new),
        empty=max(0, filled.read - said - len(refused)),
        edits=sum(bool(e.edit) for e in new),
        merged=sum(e.merge == "merged" for e in new),
        conflicts=tuple(conflicts),
        refused=refused,
        without_answer=sum(e.kind == "verdict" and e.verdict != "skip" and not e.blind_answer for e in new),
        notes=filled.notes,
        was_known=was_known,
    )
