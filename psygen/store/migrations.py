"""The schema, one step a function, run in one transaction with its record; a step is never edited after it shipped."""

import sqlite3
from pathlib import Path

from psygen.crash import crash_point
from psygen.errors import StoreUnusable
from psygen.ids import text_hash
from psygen.store.backup import back_up_schema
from psygen.store.connection import APPLICATION_ID, LATEST, now, transaction, translated
from psygen.store.utils import Database, Migrations

migrations = Migrations("psygen")


@migrations()
def m001_foundation(db: Database) -> None:
    """Concepts and templates as asked, units of work, requests, calls, items, review batches."""
    for statement in _FOUNDATION.split(";\n\n"):
        if statement.strip():
            db.execute(statement)


@migrations()
def m002_night(db: Database) -> None:
    """Money reserved for calls, prices of runs, samples of units, and batches handed to a provider."""
    for statement in _NIGHT.split(";\n\n"):
        if statement.strip():
            db.execute(statement)


@migrations()
def m003_review(db: Database) -> None:
    """Reviewers' events and revisions, where each item stands, sheets that were read, and sentinels."""
    for statement in _REVIEW.split(";\n\n"):
        if statement.strip():
            db.execute(statement)


@migrations()
def m004_splits(db: Database) -> None:
    """Splits by name, and the part of each of their questions."""
    for statement in _SPLITS.split(";\n\n"):
        if statement.strip():
            db.execute(statement)


_FOUNDATION = """
CREATE TABLE meta (
    key TEXT PRIMARY KEY,
    value TEXT NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE concepts (
    content TEXT PRIMARY KEY,
    concept_id TEXT NOT NULL,
    subject TEXT NOT NULL,
    chapter TEXT NOT NULL,
    heading TEXT NOT NULL,
    subheading TEXT NOT NULL,
    concept TEXT NOT NULL,
    concept_en TEXT NOT NULL,
    descriptions TEXT NOT NULL,
    kind TEXT NOT NULL,
    synonyms TEXT NOT NULL,
    overlaps TEXT NOT NULL,
    seen_at TEXT NOT NULL
) STRICT;

CREATE INDEX concepts_by_id ON concepts (concept_id);

CREATE TABLE templates (
    fingerprint TEXT PRIMARY KEY,
    name TEXT NOT NULL,
    lang TEXT NOT NULL,
    sources TEXT NOT NULL,
    seen_at TEXT NOT NULL
) STRICT;

CREATE TABLE runs (
    id INTEGER PRIMARY KEY,
    profile TEXT NOT NULL,
    selection TEXT NOT NULL,
    pid INTEGER NOT NULL,
    host TEXT NOT NULL,
    version TEXT NOT NULL,
    started_at TEXT NOT NULL,
    ended_at TEXT,
    exit_code INTEGER
) STRICT;

CREATE TABLE units (
    id TEXT PRIMARY KEY,
    profile TEXT NOT NULL,
    concept_id TEXT NOT NULL,
    subject TEXT NOT NULL,
    chapter TEXT NOT NULL,
    prompt_type TEXT NOT NULL,
    is_primary INTEGER NOT NULL,
    rank INTEGER NOT NULL,
    turn INTEGER NOT NULL DEFAULT 0,
    concept_content TEXT NOT NULL REFERENCES concepts (content),
    template TEXT NOT NULL REFERENCES templates (fingerprint),
    asked INTEGER NOT NULL,
    kept INTEGER NOT NULL DEFAULT 0,
    tries INTEGER NOT NULL DEFAULT 0,
    state TEXT NOT NULL DEFAULT 'pending' CHECK (state IN ('pending', 'partial', 'done', 'parked')),
    reason TEXT NOT NULL DEFAULT '',
    is_stale INTEGER NOT NULL DEFAULT 0,
    updated_at TEXT NOT NULL
) STRICT;

CREATE INDEX units_by_place ON units (profile, is_stale, subject, chapter, state, is_primary, prompt_type);

CREATE INDEX units_by_concept ON units (concept_id, prompt_type, profile);

CREATE INDEX units_open ON units (profile, rank) WHERE state IN ('pending', 'partial') AND is_stale = 0;

CREATE TABLE requests (
    id TEXT PRIMARY KEY,
    unit_id TEXT NOT NULL REFERENCES units (id),
    profile TEXT NOT NULL,
    questions INTEGER NOT NULL,
    sample INTEGER NOT NULL,
    parent TEXT REFERENCES requests (id),
    body TEXT NOT NULL,
    created_at TEXT NOT NULL
) STRICT;

CREATE INDEX requests_by_unit ON requests (unit_id);

CREATE TABLE calls (
    id INTEGER PRIMARY KEY,
    request_id TEXT NOT NULL REFERENCES requests (id),
    run_id INTEGER NOT NULL REFERENCES runs (id),
    state TEXT NOT NULL CHECK (state IN ('intent', 'received', 'failed', 'unknown')),
    status INTEGER,
    error TEXT NOT NULL DEFAULT '',
    model TEXT NOT NULL DEFAULT '',
    input_tokens INTEGER,
    cached_tokens INTEGER,
    output_tokens INTEGER,
    cost_micro_usd INTEGER,
    sent_at TEXT NOT NULL,
    ended_at TEXT,
    read_at TEXT,
    outcome TEXT NOT NULL DEFAULT '',
    raw BLOB
) STRICT;

CREATE UNIQUE INDEX calls_answer ON calls (request_id) WHERE state = 'received';

CREATE INDEX calls_in_flight ON calls (id) WHERE state = 'intent';

CREATE INDEX calls_unread ON calls (id) WHERE state = 'received' AND read_at IS NULL;

CREATE INDEX calls_books ON calls (state, input_tokens, output_tokens, cost_micro_usd);

CREATE INDEX calls_by_request ON calls (request_id);

CREATE TABLE items (
    id TEXT PRIMARY KEY,
    unit_id TEXT NOT NULL REFERENCES units (id),
    request_id TEXT NOT NULL REFERENCES requests (id),
    position INTEGER NOT NULL,
    ordinal INTEGER,
    concept_id TEXT NOT NULL,
    subject TEXT NOT NULL,
    chapter TEXT NOT NULL,
    headings TEXT NOT NULL,
    prompt_type TEXT NOT NULL,
    kind TEXT NOT NULL,
    level TEXT,
    form TEXT NOT NULL,
    lang TEXT NOT NULL,
    stem TEXT NOT NULL,
    options TEXT NOT NULL,
    key TEXT NOT NULL,
    explanation TEXT NOT NULL,
    labels TEXT NOT NULL,
    state TEXT NOT NULL,
    flags TEXT NOT NULL,
    reject_code TEXT NOT NULL DEFAULT '',
    repairs TEXT NOT NULL,
    engine TEXT NOT NULL,
    model TEXT NOT NULL,
    revision TEXT NOT NULL,
    created_at TEXT NOT NULL,
    UNIQUE (request_id, position)
) STRICT;

CREATE INDEX items_by_unit ON items (unit_id);

CREATE INDEX items_by_place ON items (engine, subject, chapter, state);

CREATE INDEX items_by_concept ON items (concept_id);

CREATE TABLE plans (
    fingerprint TEXT PRIMARY KEY,
    profile TEXT NOT NULL,
    chapters TEXT NOT NULL,
    made_at TEXT NOT NULL
) STRICT;

CREATE TABLE batches (
    id TEXT PRIMARY KEY,
    seed INTEGER NOT NULL,
    reviewers INTEGER NOT NULL,
    items INTEGER NOT NULL,
    made_at TEXT NOT NULL
) STRICT;

CREATE TABLE batch_items (
    batch_id TEXT NOT NULL REFERENCES batches (id),
    reviewer TEXT NOT NULL,
    place INTEGER NOT NULL,
    item_id TEXT NOT NULL REFERENCES items (id),
    revision TEXT NOT NULL,
    PRIMARY KEY (batch_id, reviewer, place)
) STRICT, WITHOUT ROWID;

CREATE INDEX batch_items_by_item ON batch_items (item_id);

"""

_NIGHT = """
CREATE TABLE submissions (
    id TEXT PRIMARY KEY,
    run_id INTEGER NOT NULL REFERENCES runs (id),
    profile TEXT NOT NULL,
    base_url TEXT NOT NULL,
    part INTEGER NOT NULL DEFAULT 0,
    requests INTEGER NOT NULL,
    state TEXT NOT NULL CHECK (state IN ('prepared', 'uploaded', 'submitted', 'collected', 'failed', 'lost')),
    status TEXT NOT NULL DEFAULT '',
    message TEXT NOT NULL DEFAULT '',
    input_file TEXT NOT NULL DEFAULT '',
    batch TEXT NOT NULL DEFAULT '',
    output_file TEXT NOT NULL DEFAULT '',
    error_file TEXT NOT NULL DEFAULT '',
    made_at TEXT NOT NULL,
    submitted_at TEXT,
    ended_at TEXT
) STRICT;

ALTER TABLE calls ADD COLUMN reserved_micro_usd INTEGER;

ALTER TABLE calls ADD COLUMN submission_id TEXT REFERENCES submissions (id);

ALTER TABLE runs ADD COLUMN prices TEXT NOT NULL DEFAULT '';

ALTER TABLE runs ADD COLUMN outcome TEXT NOT NULL DEFAULT '';

ALTER TABLE units ADD COLUMN sample INTEGER NOT NULL DEFAULT 0;

DROP INDEX calls_books;

CREATE INDEX calls_books ON calls (state, run_id, input_tokens, output_tokens, cost_micro_usd, reserved_micro_usd);

CREATE INDEX calls_by_submission ON calls (submission_id) WHERE submission_id IS NOT NULL;

"""

# Items of a batch no longer refer to the table of items: a batch may hold sentinels.
_REVIEW = """
CREATE TABLE events (
    seq INTEGER PRIMARY KEY AUTOINCREMENT,
    at TEXT NOT NULL,
    reviewer TEXT NOT NULL,
    via TEXT NOT NULL CHECK (via IN ('web', 'sheet', 'cli')),
    source TEXT NOT NULL DEFAULT '',
    item_id TEXT NOT NULL,
    revision TEXT NOT NULL,
    kind TEXT NOT NULL CHECK (kind IN ('answer', 'verdict', 'edit', 'comment', 'undo', 'settle')),
    verdict TEXT NOT NULL DEFAULT '' CHECK (verdict IN ('', 'keep', 'modify', 'delete', 'skip')),
    concept_sound TEXT NOT NULL DEFAULT '',
    question_sound TEXT NOT NULL DEFAULT '',
    question_fits TEXT NOT NULL DEFAULT '',
    options_fit TEXT NOT NULL DEFAULT '',
    reason TEXT NOT NULL DEFAULT '',
    blind_answer TEXT NOT NULL DEFAULT '',
    comment TEXT NOT NULL DEFAULT '',
    ms INTEGER,
    proposal TEXT NOT NULL DEFAULT '',
    edit TEXT NOT NULL DEFAULT '',
    merge TEXT NOT NULL DEFAULT '',
    clash TEXT NOT NULL DEFAULT '[]',
    undoes INTEGER NOT NULL DEFAULT 0
) STRICT;

CREATE INDEX events_by_item ON events (item_id, seq);

CREATE INDEX events_by_reviewer ON events (reviewer, item_id);

CREATE TRIGGER events_stay BEFORE UPDATE ON events
BEGIN SELECT raise(ABORT, 'events are never changed'); END;

CREATE TRIGGER events_remain BEFORE DELETE ON events
BEGIN SELECT raise(ABORT, 'events are never deleted'); END;

CREATE TABLE revisions (
    item_id TEXT NOT NULL,
    revision TEXT NOT NULL,
    number INTEGER NOT NULL,
    parent TEXT NOT NULL,
    stem TEXT NOT NULL,
    options TEXT NOT NULL,
    key TEXT NOT NULL,
    explanation TEXT NOT NULL,
    author TEXT NOT NULL,
    at TEXT NOT NULL,
    PRIMARY KEY (item_id, revision),
    UNIQUE (item_id, number)
) STRICT;

CREATE TABLE standings (
    item_id TEXT PRIMARY KEY,
    state TEXT NOT NULL CHECK (state IN ('new', 'in_review', 'accepted', 'rejected', 'contested')),
    revision TEXT NOT NULL,
    head TEXT NOT NULL,
    why TEXT NOT NULL
) STRICT;

CREATE INDEX standings_by_state ON standings (state);

CREATE TABLE sheets (
    sha TEXT PRIMARY KEY,
    name TEXT NOT NULL,
    batch_id TEXT NOT NULL,
    reviewer TEXT NOT NULL,
    rows INTEGER NOT NULL,
    events INTEGER NOT NULL,
    at TEXT NOT NULL
) STRICT;

CREATE TABLE sentinels (
    id TEXT PRIMARY KEY,
    batch_id TEXT NOT NULL,
    source_item TEXT NOT NULL,
    defect TEXT NOT NULL CHECK (defect IN ('wrong_key', 'two_right', 'off_concept')),
    concept_content TEXT NOT NULL,
    item TEXT NOT NULL,
    made_at TEXT NOT NULL
) STRICT;

CREATE TABLE batch_rows (
    batch_id TEXT NOT NULL REFERENCES batches (id),
    reviewer TEXT NOT NULL,
    place INTEGER NOT NULL,
    item_id TEXT NOT NULL,
    revision TEXT NOT NULL,
    PRIMARY KEY (batch_id, reviewer, place)
) STRICT, WITHOUT ROWID;

INSERT INTO batch_rows SELECT batch_id, reviewer, place, item_id, revision FROM batch_items;

DROP TABLE batch_items;

ALTER TABLE batch_rows RENAME TO batch_items;

CREATE INDEX batch_items_by_item ON batch_items (item_id);

"""

_SPLITS = """
CREATE TABLE splits (
    name TEXT PRIMARY KEY,
    policy TEXT NOT NULL,
    seed INTEGER NOT NULL,
    made_at TEXT NOT NULL,
    extended_at TEXT
) STRICT;

CREATE TABLE split_items (
    split TEXT NOT NULL REFERENCES splits (name),
    item_id TEXT NOT NULL REFERENCES items (id),
    part TEXT NOT NULL CHECK (part IN ('train', 'dev', 'val', 'test', 'reserved')),
    PRIMARY KEY (split, item_id)
) STRICT, WITHOUT ROWID;

CREATE INDEX split_items_by_item ON split_items (item_id);

"""


def migrate(conn: sqlite3.Connection, path: Path) -> Path | None:
    """Bring the database to the latest schema; two processes may try at once.

    Returns the copy that was made of an older database before it was changed; None when nothing was copied.
    Raises StoreUnusable for a database made by a newer psygen, which is left untouched.
    """
    version = _version(conn)
    if version > LATEST:
        raise StoreUnusable(f"{path}: made by a newer psygen (schema {version}, this one knows {LATEST}); update it.")
    if version == LATEST:
        return None
    with translated(path), transaction(conn):
        # Another process may have migrated it while this one waited for the transaction.
        version = _version(conn)
        copy = back_up_schema(path, version) if 0 < version < LATEST else None
        migrations.apply(Database(conn, execute_plugins=False))
        conn.execute(f"PRAGMA user_version = {LATEST:d}")
        conn.execute(f"PRAGMA application_id = {APPLICATION_ID:d}")
        project = text_hash(f"{path}/{now()}/{id(conn)}", 16)
        conn.execute("INSERT OR IGNORE INTO meta (key, value) VALUES ('project', ?), ('made_at', ?)", (project, now()))
        crash_point("in_migration")
    return copy


def _version(conn: sqlite3.Connection) -> int:
    return int(conn.execute("PRAGMA user_version").fetchone()[0])
