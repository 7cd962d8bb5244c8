"""Review in the store: events, revisions, where items stand, sheets and sentinels. Events only ever come to more.

Reading needs no more than a Reader's connection; what writes is called inside Store.writing.
"""

import json
import sqlite3
import sys
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from psygen.records.item import Item
from psygen.records.review import Event, Revision, Wording
from psygen.store.connection import now
from psygen.store.items import as_json, item_of
from psygen.store.queries import Filter, where_clause

_EVENT_COLUMNS = tuple(name for name in Event.model_fields if name != "seq")
_INSERT_EVENT = f"INSERT INTO events ({', '.join(_EVENT_COLUMNS)}) VALUES ({', '.join('?' * len(_EVENT_COLUMNS))})"  # noqa: S608


class Stand(NamedTuple):
    """Where an item stands, as last derived."""

    item_id: str
    state: str
    revision: str
    """The wording the item shows: the last accepted one, or the original."""
    head: str
    """The wording under discussion."""
    why: str


class Task(NamedTuple):
    """A question in a reviewer's batch."""

    batch: str
    place: int
    item_id: str
    revision: str
    """As it was when the batch was made."""


class Waiting(NamedTuple):
    """What drawing a batch needs of an item."""

    id: str
    revision: str
    concept_id: str
    subject: str
    chapter: str
    flags: tuple[str, ...]


class Shown(NamedTuple):
    """What a sheet shows of an item."""

    id: str
    revision: str
    subject: str
    chapter: str
    stem: str
    options: tuple[str, ...]
    key: tuple[int, ...]
    explanation: str

    @classmethod
    def of(cls, item: Item) -> "Shown":
        """An item as a sheet shows it."""
        text = (item.stem, item.options, item.key, item.explanation)
        return cls(item.id, item.revision, item.subject, item.chapter, *text)


class Place(NamedTuple):
    """Where a question belongs, for queues and progress."""

    subject: str
    chapter: str
    state: str
    flags: tuple[str, ...]
    is_sentinel: bool


class Sentinel(NamedTuple):
    """A question with a planted defect; to reviewers it looks like any other."""

    item: Item
    batch: str
    source_item: str
    """The good item it was made from."""
    defect: str
    concept_content: str
    """Version of the concept it is shown under."""


# Events


def add_event(conn: sqlite3.Connection, event: Event) -> Event:
    """Append an event; it comes back with its place in the log and, if it had none, the time."""
    at = event.at or now()
    values = event.model_dump()
    values |= {"at": at, "clash": as_json(event.clash)}
    cursor = conn.execute(_INSERT_EVENT, [values[name] for name in _EVENT_COLUMNS])
    return event.model_copy(update={"seq": int(cursor.lastrowid or 0), "at": at})


def events_of(conn: sqlite3.Connection, item_id: str) -> list[Event]:
    """An item's events in the order they came."""
    return [_event_of(row) for row in conn.execute("SELECT * FROM events WHERE item_id = ? ORDER BY seq", (item_id,))]


def all_events(conn: sqlite3.Connection) -> dict[str, list[Event]]:
    """Every event by item, an item's in the order they came."""
    found: dict[str, list[Event]] = {}
    for row in conn.execute("SELECT * FROM events ORDER BY item_id, seq"):
        found.setdefault(row["item_id"], []).append(_event_of(row))
    return found


def _event_of(row: sqlite3.Row) -> Event:
    # Rows were checked when they were written, so they are not checked again.
    return Event.model_construct(**{**dict(row), "clash": tuple(json.loads(row["clash"]))})


# Revisions


def add_revision(
    conn: sqlite3.Connection, item_id: str, wording: Wording, *, parent: str, author: str, at: str = ""
) -> None:
    """Keep a wording of an item; one that is there already stays as it is."""
    conn.execute(
        "INSERT OR IGNORE INTO revisions (item_id, revision, number, parent, stem, options, key, explanation, author, "
        "at) VALUES (?1, ?2, (SELECT count(*) + 1 FROM revisions WHERE item_id = ?1), ?3, ?4, ?5, ?6, ?7, ?8, ?9)",
        (
            item_id,
            wording.revision,
            parent,
            wording.stem,
            as_json(wording.options),
            as_json(wording.key),
            wording.explanation,
            author,
            at or now(),
        ),
    )


def keep_originals(conn: sqlite3.Connection, batch: str) -> None:
    """Keep the wording of a batch's items as their revision 1, so that reviews find what they speak of."""
    conn.execute(
        "INSERT OR IGNORE INTO revisions SELECT id, revision, 1, '', stem, options, key, explanation, "
        "engine || ' ' || model, created_at FROM items WHERE id IN (SELECT item_id FROM batch_items WHERE batch_id = ?)"
        " AND NOT EXISTS (SELECT 1 FROM revisions r WHERE r.item_id = items.id)",
        (batch,),
    )


def revisions_of(conn: sqlite3.Connection, item_id: str) -> list[Revision]:
    """An item's wordings, the original first; none before it was given to anybody."""
    rows = conn.execute("SELECT * FROM revisions WHERE item_id = ? ORDER BY number", (item_id,))
    return [
        Revision(
            row["item_id"],
            row["revision"],
            row["number"],
            row["parent"],
            Wording.model_construct(
                stem=row["stem"],
                options=tuple(json.loads(row["options"])),
                key=tuple(json.loads(row["key"])),
                explanation=row["explanation"],
            ),
            row["author"],
            row["at"],
        )
        for row in rows
    ]


# Items and where they stand


def item_named(conn: sqlite3.Connection, item_id: str) -> Item | None:
    """An item as its row shows it; None for an unknown id (sentinels are not among the items)."""
    row = conn.execute("SELECT * FROM items WHERE id = ?", (item_id,)).fetchone()
    return None if row is None else item_of(row)


def shown_named(conn: sqlite3.Connection, item_ids: Sequence[str]) -> list[Shown]:
    """What sheets show of items, by id, in any order; at most a thousand at once."""
    marks = ", ".join("?" * len(item_ids))
    rows = conn.execute(
        "SELECT id, revision, subject, chapter, stem, options, key, explanation FROM items "  # noqa: S608
        f"WHERE id IN ({marks})",
        item_ids,
    )
    return [Shown(i, r, s, c, q, tuple(json.loads(o)), tuple(json.loads(k)), e) for i, r, s, c, q, o, k, e in rows]


def set_stand(conn: sqlite3.Connection, stand: Stand, wording: Wording) -> None:
    """Note where an item stands and let its row show it; invalid and superseded items stay what they are."""
    conn.execute("INSERT OR REPLACE INTO standings (item_id, state, revision, head, why) VALUES (?, ?, ?, ?, ?)", stand)
    conn.execute(
        "UPDATE items SET state = CASE WHEN state IN ('invalid', 'superseded') THEN state ELSE ?1 END, stem = ?2, "
        "options = ?3, key = ?4, explanation = ?5, revision = ?6 WHERE id = ?7",
        (
            stand.state,
            wording.stem,
            as_json(wording.options),
            as_json(wording.key),
            wording.explanation,
            stand.revision,
            stand.item_id,
        ),
    )


def stand_of(conn: sqlite3.Connection, item_id: str) -> Stand | None:
    """Where an item stands; None when nobody said anything about it yet."""
    row = conn.execute("SELECT * FROM standings WHERE item_id = ?", (item_id,)).fetchone()
    return None if row is None else Stand(**dict(row))


def contested(conn: sqlite3.Connection) -> list[Stand]:
    """The contested items that are live, the longest waiting first."""
    rows = conn.execute(
        "SELECT s.* FROM standings s JOIN items i ON i.id = s.item_id WHERE s.state = 'contested' "
        "AND i.state = 'contested' ORDER BY (SELECT max(seq) FROM events e WHERE e.item_id = s.item_id)"
    )
    return [Stand(**dict(row)) for row in rows]


# Batches


def waiting(conn: sqlite3.Connection, wanted: Filter) -> list[Waiting]:
    """What a filter lets through, in bank order, with no more than drawing a batch needs."""
    where, values = where_clause(wanted)
    rows = conn.execute(
        "SELECT i.id, i.revision, i.concept_id, i.subject, i.chapter, i.flags FROM items i "  # noqa: S608
        f"JOIN units u ON u.id = i.unit_id {where} ORDER BY u.rank, u.prompt_type, i.engine, i.model, i.lang, "
        "i.unit_id, i.ordinal IS NULL, i.ordinal, i.request_id, i.position",
        values,
    )
    # Names repeat by the thousand; each is held once.
    return [
        Waiting(r[0], r[1], sys.intern(r[2]), sys.intern(r[3]), sys.intern(r[4]), tuple(json.loads(r[5]))) for r in rows
    ]


def contents(conn: sqlite3.Connection) -> dict[str, str]:
    """By item id: the version of the concept it was made from."""
    rows = conn.execute("SELECT i.id, u.concept_content FROM items i JOIN units u ON u.id = i.unit_id")
    return {row[0]: sys.intern(row[1]) for row in rows}


def tasks_of(conn: sqlite3.Connection, reviewer: str) -> list[Task]:
    """Every question of a reviewer's batches, in the order of batches and places."""
    rows = conn.execute(
        # CROSS JOIN: batch by batch, as the key of batch_items goes; otherwise all of it is read.
        "SELECT b.batch_id, b.place, b.item_id, b.revision FROM batches t "
        "CROSS JOIN batch_items b ON b.batch_id = t.id AND b.reviewer = ? ORDER BY t.made_at, t.rowid, b.place",
        (reviewer,),
    )
    return [Task(*row) for row in rows]


def tasks_of_item(conn: sqlite3.Connection, reviewer: str, item_id: str) -> list[Task]:
    """A question's places in a reviewer's batches."""
    rows = conn.execute(
        "SELECT batch_id, place, item_id, revision FROM batch_items WHERE item_id = ? AND reviewer = ?",
        (item_id, reviewer),
    )
    return [Task(*row) for row in rows]


def places(conn: sqlite3.Connection, reviewer: str) -> dict[str, Place]:
    """By item id: where the questions of a reviewer's batches belong; sentinels too, where they pretend to belong."""
    rows = conn.execute(
        "SELECT b.item_id, coalesce(i.subject, json_extract(s.item, '$.subject')), "
        "coalesce(i.chapter, json_extract(s.item, '$.chapter')), coalesce(i.state, 'new'), "
        "coalesce(i.flags, json_extract(s.item, '$.flags')), s.id IS NOT NULL FROM batches t "
        "CROSS JOIN batch_items b ON b.batch_id = t.id AND b.reviewer = ? "
        "LEFT JOIN items i ON i.id = b.item_id LEFT JOIN sentinels s ON s.id = b.item_id",
        (reviewer,),
    )
    return {i: Place(s, c, state, () if f == "[]" else tuple(json.loads(f)), bool(n)) for i, s, c, state, f, n in rows}


def last_verdicts(conn: sqlite3.Connection, reviewer: str) -> dict[str, str]:
    """By item id: a reviewer's last verdict that was not taken back, `skip` included; an edit counts as modify."""
    undone = {r[0] for r in conn.execute("SELECT undoes FROM events WHERE reviewer = ? AND undoes > 0", (reviewer,))}
    rows = conn.execute(
        "SELECT seq, item_id, verdict FROM events WHERE reviewer = ? AND kind IN ('verdict', 'edit') ORDER BY seq",
        (reviewer,),
    )
    return {row["item_id"]: row["verdict"] or "modify" for row in rows if row["seq"] not in undone}


def first_answers(conn: sqlite3.Connection, reviewer: str) -> dict[str, str]:
    """By item id: the letter a reviewer chose first, before key and concept were shown."""
    rows = conn.execute(
        "SELECT item_id, blind_answer FROM events WHERE reviewer = ? AND blind_answer != '' ORDER BY seq DESC",
        (reviewer,),
    )
    return {row["item_id"]: row["blind_answer"] for row in rows}


def reviewers_known(conn: sqlite3.Connection) -> list[str]:
    """Ids of all who ever got a batch or said anything."""
    rows = conn.execute("SELECT reviewer FROM batch_items UNION SELECT reviewer FROM events ORDER BY 1")
    return [row["reviewer"] for row in rows]


# Sheets


def project(conn: sqlite3.Connection) -> str:
    """Random id of this database, as sheets carry it."""
    return str(conn.execute("SELECT value FROM meta WHERE key = 'project'").fetchone()[0])


def sheet_is_known(conn: sqlite3.Connection, sha: str) -> bool:
    """Whether a file with these bytes was imported before."""
    return conn.execute("SELECT 1 FROM sheets WHERE sha = ?", (sha,)).fetchone() is not None


def note_sheet(
    conn: sqlite3.Connection, sha: str, name: str, batch: str, reviewer: str, *, rows: int, events: int
) -> None:
    """Note a file that was imported."""
    conn.execute(
        "INSERT INTO sheets (sha, name, batch_id, reviewer, rows, events, at) VALUES (?, ?, ?, ?, ?, ?, ?)",
        (sha, name, batch, reviewer, rows, events, now()),
    )


# Sentinels


def add_sentinels(conn: sqlite3.Connection, sentinels: Iterable[Sentinel]) -> None:
    """Keep sentinels, in their own table."""
    conn.executemany(
        "INSERT OR IGNORE INTO sentinels (id, batch_id, source_item, defect, concept_content, item, made_at) "
        "VALUES (?, ?, ?, ?, ?, ?, ?)",
        [
            (s.item.id, s.batch, s.source_item, s.defect, s.concept_content, s.item.model_dump_json(), now())
            for s in sentinels
        ],
    )


def sentinels(conn: sqlite3.Connection, ids: Sequence[str] = ()) -> dict[str, Sentinel]:
    """Sentinels by id: all of them, or those among `ids`."""
    if ids:
        rows = [row for i in ids for row in conn.execute("SELECT * FROM sentinels WHERE id = ?", (i,))]
    else:
        rows = conn.execute("SELECT * FROM sentinels ORDER BY rowid").fetchall()
    return {
        row["id"]: Sentinel(
            Item.model_validate_json(row["item"]),
            row["batch_id"],
            row["source_item"],
            row["defect"],
            row["concept_content"],
        )
        for row in rows
    }


def concept_shown(conn: sqlite3.Connection, item_id: str) -> Mapping[str, object] | None:
    """The concept version an item or sentinel is judged against: concept, concept_en, descriptions as JSON."""
    row = conn.execute(
        "SELECT c.* FROM concepts c WHERE c.content = coalesce((SELECT concept_content FROM sentinels WHERE id = ?1), "
        "(SELECT u.concept_content FROM items i JOIN units u ON u.id = i.unit_id WHERE i.id = ?1))",
        (item_id,),
    ).fetchone()
    return None if row is None else dict(row)
