"""What a reviewer's page asks of the log by itself: where it ends, and what somebody said last."""

import sqlite3
from typing import NamedTuple


class Said(NamedTuple):
    """An event and the item it speaks of."""

    seq: int
    item_id: str


def log_end(conn: sqlite3.Connection) -> int:
    """The last event's place in the log; 0 before the first. While it stays, no figure changes but for new items."""
    return int(conn.execute("SELECT coalesce(max(seq), 0) FROM events").fetchone()[0])


def last_said(conn: sqlite3.Connection, reviewer: str) -> Said | None:
    """A reviewer's last verdict or edit that was not taken back."""
    row = conn.execute(
        "SELECT seq, item_id FROM events WHERE reviewer = ?1 AND kind IN ('verdict', 'edit') AND seq NOT IN "
        "(SELECT undoes FROM events WHERE reviewer = ?1 AND undoes > 0) ORDER BY seq DESC LIMIT 1",
        (reviewer,),
    ).fetchone()
    return None if row is None else Said(*row)
