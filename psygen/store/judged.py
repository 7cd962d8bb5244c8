"""What the figures of a review read of the bank: how many items are where, the originals that were judged."""

import json
import sqlite3
from collections.abc import Sequence
from typing import NamedTuple

from psygen.records.item import LETTERS


class ItemCount(NamedTuple):
    """How many items of a chapter, kind and model are in a state."""

    subject: str
    chapter: str
    kind: str
    model: str
    state: str
    items: int


class Original(NamedTuple):
    """The first wording of an item that went to reviewers; sentinels are none."""

    item_id: str
    revision: str
    key: str
    """Its letters."""


def count_items(conn: sqlite3.Connection, subjects: Sequence[str] = (), engines: Sequence[str] = ()) -> list[ItemCount]:
    """Items by place, kind, model and state, in bank order; subjects, engines: only these, all when empty."""
    where, values = _where(subjects, engines)
    rows = conn.execute(
        "SELECT i.subject, i.chapter, i.kind, i.model, i.state, count(*) FROM items i "  # noqa: S608  (clauses of ours)
        f"JOIN units u ON u.id = i.unit_id {where} GROUP BY 1, 2, 3, 4, 5 ORDER BY min(u.rank), 1, 2, 3, 4, 5",
        values,
    )
    return [ItemCount(*row) for row in rows]


def originals(conn: sqlite3.Connection, subjects: Sequence[str] = (), engines: Sequence[str] = ()) -> list[Original]:
    """The originals kept for review, in bank order; subjects, engines: only these, all when empty."""
    where, values = _where(subjects, engines)
    rows = conn.execute(
        "SELECT r.item_id, r.revision, r.key FROM revisions r JOIN items i ON i.id = r.item_id "  # noqa: S608
        f"JOIN units u ON u.id = i.unit_id {where} AND r.number = 1 "
        "ORDER BY u.rank, i.unit_id, i.ordinal, i.id",
        values,
    )
    return [Original(i, revision, "".join(LETTERS[k] for k in json.loads(key))) for i, revision, key in rows]


def count_assigned(
    conn: sqlite3.Connection, subjects: Sequence[str] = (), engines: Sequence[str] = ()
) -> dict[str, int]:
    """How many items each reviewer's batches hold, without sentinels; subjects, engines: only these, all when empty."""
    where, values = _where(subjects, engines)
    rows = conn.execute(
        "SELECT b.reviewer, count(DISTINCT i.id) FROM batch_items b JOIN items i ON i.id = b.item_id "  # noqa: S608
        f"{where} GROUP BY 1",
        values,
    )
    return dict(rows.fetchall())


def _where(subjects: Sequence[str], engines: Sequence[str]) -> tuple[str, list[str]]:
    """The WHERE clause over items i, invalid ones left out, and its values."""
    clauses, values = ["i.state != 'invalid'"], list[str]()
    for column, wanted in (("i.subject", subjects), ("i.engine", engines)):
        if wanted:
            clauses.append(f"{column} IN ({', '.join('?' * len(wanted))})")
            values += wanted
    return "WHERE " + " AND ".join(clauses), values
