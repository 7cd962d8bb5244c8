"""Whether the database keeps what psygen promises: nothing lost, nothing paid twice, nothing half written.

Only what the database alone can tell is looked at; a comparison with the provider's bill needs the bill.
"""

import sqlite3
from pathlib import Path
from typing import Literal, NamedTuple

from psygen.errors import StoreUnusable
from psygen.store.connection import connect, translated

MOST_LINES = 5
"""Of SQLite's own findings: a damaged file has thousands."""


class Finding(NamedTuple):
    """One thing that is not as it must be, or that a person should know."""

    level: Literal["fault", "note"]
    """A note is normal after a crash and settled by the next run."""
    promise: str
    """V1 no loss, V2 no second payment, V5 bounded doubt, V7 consistent counts, V8 a sound file."""
    text: str
    rows: int = 1
    """How many rows it concerns."""


_COUNTS: tuple[tuple[str, str, str], ...] = (
    (
        "V1",
        "answers have lost their raw bytes",
        "SELECT count(*) FROM calls WHERE state = 'received' AND raw IS NULL",
    ),
    (
        "V2",
        "requests have two answers",
        "SELECT count(*) FROM (SELECT 1 FROM calls WHERE state = 'received' GROUP BY request_id HAVING count(*) > 1)",
    ),
    (
        "V1",
        "questions come from a request without an answer",
        "SELECT count(*) FROM items i WHERE NOT EXISTS "
        "(SELECT 1 FROM calls c WHERE c.request_id = i.request_id AND c.state = 'received')",
    ),
    (
        "V7",
        "questions stand with another unit than their request",
        "SELECT count(*) FROM items i JOIN requests r ON r.id = i.request_id WHERE r.unit_id != i.unit_id",
    ),
    (
        # Questions that review rejected may count or not: a unit may have been topped up since.
        "V7",
        "units count other questions than they have",
        "SELECT count(*) FROM units u LEFT JOIN (SELECT unit_id, sum(state != 'invalid') AS most, "
        "sum(state NOT IN ('invalid', 'rejected')) AS least FROM items GROUP BY unit_id) i ON i.unit_id = u.id "
        "WHERE u.kept NOT BETWEEN coalesce(i.least, 0) AND coalesce(i.most, 0)",
    ),
    (
        "V7",
        "answers were read although they are none",
        "SELECT count(*) FROM calls WHERE state != 'received' AND read_at IS NOT NULL",
    ),
)


def audit(database: Path, *, is_running: bool = False, thorough: bool = True) -> list[Finding]:
    """What is wrong with a database, and what a person should know of it; empty when all is well.

    is_running: a run holds the database, so that calls may be in flight.
    thorough: compare the indexes with their tables too, which takes seconds a gigabyte.
    Raises StoreUnusable for a file that cannot be read at all.
    """
    conn = connect(database, write=False)
    try:
        with translated(database):
            # One snapshot for all questions, also while a run writes.
            conn.execute("BEGIN")
            found = _file(conn, thorough)
            if any(f.level == "fault" for f in found):
                return found
            return found + _counts(conn) + _open_ends(conn, is_running)
    finally:
        conn.close()


def schema_of(database: Path) -> int:
    """The number of the schema the database has. Raises StoreUnusable for a file that cannot be read at all."""
    conn = connect(database, write=False)
    try:
        with translated(database):
            return int(conn.execute("PRAGMA user_version").fetchone()[0])
    finally:
        conn.close()


def _file(conn: sqlite3.Connection, thorough: bool) -> list[Finding]:
    """Whether the pages and the references between rows are sound."""
    check = "integrity_check" if thorough else "quick_check"
    said = [str(row[0]) for row in conn.execute(f"PRAGMA {check}({MOST_LINES})")]
    found = [Finding("fault", "V8", f"the file is damaged: {text}") for text in said if text != "ok"]
    lost = conn.execute("SELECT count(*) FROM pragma_foreign_key_check").fetchone()[0] if not found else 0
    if lost:
        found.append(Finding("fault", "V8", f"{lost:,} rows refer to rows that are not there", lost))
    return found


def _counts(conn: sqlite3.Connection) -> list[Finding]:
    found = []
    for promise, text, sql in _COUNTS:
        count = int(conn.execute(sql).fetchone()[0])
        if count:
            found.append(Finding("fault", promise, f"{count:,} {text}", count))
    return found


def _open_ends(conn: sqlite3.Connection, is_running: bool) -> list[Finding]:
    """Calls without an end and answers nobody read yet: normal while a run lasts and after it was killed."""
    found = []
    sql = "SELECT count(*) FROM calls WHERE state = 'intent' AND submission_id IS NULL"
    in_flight = int(conn.execute(sql).fetchone()[0])
    unread = int(conn.execute("SELECT count(*) FROM calls WHERE state = 'received' AND read_at IS NULL").fetchone()[0])
    doubtful = int(conn.execute("SELECT count(*) FROM calls WHERE state = 'unknown'").fetchone()[0])
    last = conn.execute("SELECT exit_code FROM runs ORDER BY id DESC LIMIT 1").fetchone()
    if in_flight and not is_running:
        # Killed, or with a database it could not write: only then may a run leave them as they are.
        may_be = last is not None and last["exit_code"] in (None, 1, StoreUnusable.exit_code)
        how = "died; the next one settles them" if may_be else "ended, and it did not settle them"
        text = f"{in_flight:,} calls were in flight when the last run {how}"
        found.append(Finding("note" if may_be else "fault", "V5", text, in_flight))
    if unread and not is_running:
        text = f"{unread:,} answers are stored and not read yet; the next psygen generate reads them, nothing is sent"
        found.append(Finding("note", "V1", text, unread))
    if doubtful:
        found.append(
            Finding("note", "V3", f"{doubtful:,} calls are in doubt: possibly billed, without an answer", doubtful)
        )
    return found
