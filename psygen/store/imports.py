"""Questions brought from elsewhere, in the store's own terms, so that each can be traced like one of ours.

A unit holds the questions of one source about one concept (or about none); a request says in which row of which file a
question stands, and its one answer is that row as it was read. Nobody was asked anything: such requests count in no
ledger of calls, and no run goes on with them.
"""

import os
import socket
import sqlite3
from collections.abc import Iterable, Mapping
from typing import NamedTuple

from psygen import __version__
from psygen.crash import crash_point
from psygen.ids import canonical_json, content_hash
from psygen.records.concept import Concept, PromptType
from psygen.records.exchange import Profile, Request
from psygen.records.item import Item
from psygen.store.concepts import concept_row
from psygen.store.connection import now
from psygen.store.database import Store
from psygen.store.items import INSERT_ITEM, item_row
from psygen.store.ledger import last_row

AFTER_BANK = 1_000_000_000
"""Rank of questions whose concept the bank does not have: behind all that it has."""
_TEMPLATE = "import"


class Place(NamedTuple):
    """What a unit of imported questions is about."""

    subject: str
    chapter: str
    """Empty when nobody named one."""
    concept_id: str
    """Empty when the question names no concept."""
    name: str
    """The concept's name; empty when nobody gave one."""
    prompt_type: PromptType
    concept: Concept | None
    """The bank's concept of that id; None when it has none."""
    rank: int
    """Place in bank order; AFTER_BANK for no concept of the bank."""


class Parcel(NamedTuple):
    """One question, ready to be stored."""

    place: Place
    request: Request
    raw: bytes
    item: Item


def import_unit(profile: Profile, subject: str, chapter: str, concept_id: str, prompt_type: PromptType) -> str:
    """Id of the unit that holds a source's questions about one thing."""
    return content_hash([profile.id, subject, chapter, concept_id, prompt_type], 24)


def save_import(store: Store, facts: Mapping[str, object], parcels: Iterable[Parcel]) -> int:
    """Store what is new, all of it or nothing; how many items that were.

    parcels: of one source. A question that it has already (the same row of the same file, or the same stem, options,
    key and explanation) changes nothing.
    """
    with store.writing() as conn:
        known: set[str] | None = None
        run = added = 0
        kept: dict[str, int] = {}  # by unit
        for place, request, raw, item in parcels:
            known = _known(conn, request.profile) if known is None else known
            if item.id in known or item.revision in known:
                continue
            known |= {item.id, item.revision}
            run = run or _insert_run(conn, request.profile, facts)
            if request.unit_id not in kept:
                kept[request.unit_id] = _insert_unit(conn, request, place)
            _insert_exchange(conn, run, request, raw)
            conn.execute(INSERT_ITEM, item_row(item, request.unit_id, kept[request.unit_id]))
            kept[request.unit_id] += 1
            added += 1
        conn.executemany("UPDATE units SET kept = ?1, asked = ?1 WHERE id = ?2", [(n, u) for u, n in kept.items()])
        crash_point("in_import")
    return added


def _known(conn: sqlite3.Connection, profile: Profile) -> set[str]:
    """Ids and revisions of the source's items."""
    rows = conn.execute(
        "SELECT id, revision FROM items WHERE engine = ? AND model = ?", (profile.engine, profile.model)
    )
    return {value for row in rows for value in row}


def _insert_run(conn: sqlite3.Connection, profile: Profile, facts: Mapping[str, object]) -> int:
    # Not Store.start_run: that takes back what a run beside this one has in flight.
    moment = now()
    row = (profile.id, canonical_json(facts), os.getpid(), socket.gethostname(), __version__, moment, moment)
    return last_row(
        conn.execute(
            "INSERT INTO runs (profile, selection, pid, host, version, started_at, ended_at, exit_code) "
            "VALUES (?, ?, ?, ?, ?, ?, ?, 0)",
            row,
        )
    )


def _insert_unit(conn: sqlite3.Connection, request: Request, place: Place) -> int:
    """Make the unit of a place when it is not there; how many questions it holds."""
    content, moment = _insert_concept(conn, place), now()
    conn.execute(
        "INSERT OR IGNORE INTO templates (fingerprint, name, lang, sources, seen_at) VALUES (?1, ?1, ?2, '{}', ?3)",
        (_TEMPLATE, request.profile.lang, moment),
    )
    row = (
        request.unit_id,
        request.profile.id,
        place.concept_id,
        place.subject,
        place.chapter,
        place.prompt_type,
        place.rank,
        content,
        _TEMPLATE,
        moment,
    )
    conn.execute(
        "INSERT OR IGNORE INTO units (id, profile, concept_id, subject, chapter, prompt_type, is_primary, rank, "
        "concept_content, template, asked, state, updated_at) VALUES (?, ?, ?, ?, ?, ?, 0, ?, ?, ?, 0, 'done', ?)",
        row,
    )
    return int(conn.execute("SELECT kept FROM units WHERE id = ?", (request.unit_id,)).fetchone()["kept"])


def _insert_concept(conn: sqlite3.Connection, place: Place) -> str:
    """The version of the concept's text a unit refers to: the bank's, or only the name when the bank has none."""
    if place.concept is not None:
        row = concept_row(place.concept)
    else:
        fields = ("subject", "chapter", "concept_id")
        row = {name: getattr(place, name) for name in fields}
        row |= {"content": content_hash(["import", *row.values(), place.name]), "concept": place.name, "seen_at": now()}
        row |= dict.fromkeys(("heading", "subheading", "concept_en", "kind"), "")
        row |= dict.fromkeys(("descriptions", "synonyms", "overlaps"), "[]")
    columns, marks = ", ".join(row), ", ".join("?" * len(row))
    conn.execute(f"INSERT OR IGNORE INTO concepts ({columns}) VALUES ({marks})", tuple(row.values()))  # noqa: S608  (columns of ours)
    return str(row["content"])


def _insert_exchange(conn: sqlite3.Connection, run: int, request: Request, raw: bytes) -> None:
    """The request that says where the row stood, and its answer: the row."""
    moment = now()
    conn.execute(
        "INSERT INTO requests (id, unit_id, profile, questions, sample, parent, body, created_at) "
        "VALUES (?, ?, ?, 1, 0, NULL, ?, ?)",
        (request.id, request.unit_id, request.profile.id, canonical_json(request.body), moment),
    )
    conn.execute(
        "INSERT INTO calls (request_id, run_id, state, model, cost_micro_usd, sent_at, ended_at, read_at, outcome, "
        "raw) VALUES (?, ?, 'received', ?, 0, ?, ?, ?, 'ok', ?)",
        (request.id, run, request.profile.model, moment, moment, moment, raw),
    )
