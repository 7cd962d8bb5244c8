"""The writing side of the store: units of work, the ledger of calls, and items. One connection, one process.

A unit is (concept, prompt type) for one profile and one version of text and template. A request is what is sent for it;
a call is one attempt at sending: `intent` before the first byte, then `received`, `failed` or `unknown`. No request has
two answers: the database itself refuses the second.
"""

import json
import os
import socket
import sqlite3
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

from psygen import __version__
from psygen.crash import crash_point
from psygen.ids import canonical_json
from psygen.records.concept import Concept
from psygen.records.exchange import Profile, Reply, Request, Usage
from psygen.records.item import Item
from psygen.store.concepts import concept_of, concept_row
from psygen.store.connection import connect, now, transaction, translated
from psygen.store.items import INSERT_ITEM, as_json, item_of, item_row
from psygen.store.ledger import Ledger, last_row, reply_of, request_of
from psygen.store.migrations import migrate
from psygen.store.money import Spent, spent
from psygen.store.reviews import Sentinel, add_sentinels, keep_originals
from psygen.store.units import MOST_TRIES, KnownUnits, OpenUnit, Unit, known_units
from psygen.store.utils import Database


class Progress(NamedTuple):
    """What became of a unit by one reply."""

    unit_id: str
    state: str
    reason: str


class Reading(NamedTuple):
    """A reply as it was read, ready to be stored."""

    reply: Reply
    items: Sequence[Item]
    """Usable and invalid ones."""
    progress: Progress
    outcome: str
    """`ok`, `short`, or a code."""
    usage: Usage = Usage()
    model: str = ""
    cost_micro_usd: int | None = None
    """None: unknown, and what is stored stays."""


class LastAnswer(NamedTuple):
    """A unit's latest request that was answered, and what it brought."""

    request_id: str
    questions: int
    """How many were asked for."""
    outcome: str
    """As it was read; empty while it was not."""
    usable: int
    """Questions of it that stand."""


class Answer(NamedTuple):
    """A stored answer with what reading it needs."""

    request: Request
    raw: bytes
    asked: int
    """Questions the unit is asked for."""
    turn: int
    seed: int
    """Seed of the run that asked."""


class Store:
    """The database opened for writing. Use as a context manager."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._conn = connect(path, write=True)
        migrate(self._conn, path)
        self._db = Database(self._conn, execute_plugins=False)
        self._inode = os.stat(path).st_ino

    def __enter__(self) -> "Store":
        return self

    def __exit__(self, *_: object) -> None:
        self._conn.close()

    @contextmanager
    def writing(self) -> Iterator[sqlite3.Connection]:
        """One transaction. Raises StoreUnusable when the file is locked, full, or was replaced meanwhile."""
        with translated(self.path):
            if os.stat(self.path).st_ino != self._inode:
                raise OSError(f"{self.path} was replaced while in use")
            with transaction(self._conn) as conn:
                yield conn

    # Runs

    def start_run(
        self, profile: Profile, selection: Mapping[str, object], prices: Mapping[str, object] | None = None
    ) -> int:
        """Note a run and take back what an earlier one left in flight: those calls are `unknown` from now on.

        Calls of a batch stay: the provider works on without us. prices: what the run reckons with.
        """
        with self.writing() as conn:
            conn.execute(
                "UPDATE calls SET state = 'unknown', ended_at = ? WHERE state = 'intent' AND submission_id IS NULL",
                (now(),),
            )
            asked, reckoned = canonical_json(selection), canonical_json(prices or {})
            row = (profile.id, asked, os.getpid(), socket.gethostname(), __version__, now(), reckoned)
            return last_row(
                conn.execute(
                    "INSERT INTO runs (profile, selection, pid, host, version, started_at, prices) "
                    "VALUES (?, ?, ?, ?, ?, ?, ?)",
                    row,
                )
            )

    def end_run(self, run_id: int, exit_code: int, outcome: Mapping[str, object] | None = None) -> None:
        """Note how a run ended; outcome: what it did, in plain JSON."""
        row = (now(), exit_code, canonical_json(outcome or {}), run_id)
        with self.writing() as conn:
            conn.execute("UPDATE runs SET ended_at = ?, exit_code = ?, outcome = ? WHERE id = ?", row)

    def spent(self) -> Spent:
        """What was spent on this database so far."""
        return spent(self._conn)

    # Units

    def known_units(self, profile: Profile) -> KnownUnits:
        """Every unit of a profile."""
        return known_units(self._conn, profile)

    def apply_plan(
        self,
        profile: Profile,
        units: Sequence[Unit],
        *,
        asked: int,
        stale: Iterable[str],
        templates: Mapping[str, tuple[str, Mapping[str, str]]],
    ) -> None:
        """Make the planned units known and set aside the given ones, all at once.

        asked: questions a unit; more than a unit was asked before makes it `partial` again.
        templates: by fingerprint, name and sources. Items of stale units become `superseded`; a unit that comes back
        (its text was put back) brings its items back as they stood in review.
        """
        with self.writing() as conn:
            self._save_versions(units, templates, profile.lang)
            for one in stale:
                conn.execute("UPDATE units SET is_stale = 1, updated_at = ? WHERE id = ?", (now(), one))
                conn.execute("UPDATE items SET state = 'superseded' WHERE unit_id = ? AND state != 'invalid'", (one,))
            self._insert_units(conn, profile, units, asked)
            ids = [(unit.rank, unit.id) for unit in units]
            conn.executemany("UPDATE units SET rank = ?1 WHERE id = ?2 AND rank != ?1", ids)
            back = conn.executemany(
                "UPDATE items SET state = coalesce((SELECT state FROM standings WHERE item_id = items.id), 'new') "
                "WHERE state = 'superseded' AND unit_id = (SELECT id FROM units WHERE id = ? AND is_stale = 1)",
                [(unit.id,) for unit in units],
            )
            back.executemany("UPDATE units SET is_stale = 0 WHERE id = ? AND is_stale = 1", [(u.id,) for u in units])
            conn.executemany(
                "UPDATE units SET asked = ?1, state = CASE WHEN kept = 0 THEN 'pending' ELSE 'partial' END, tries = 0, "
                "reason = '', updated_at = ?2 WHERE id = ?3 AND asked < ?1",
                [(asked, now(), unit.id) for unit in units],
            )

    def _insert_units(self, conn: sqlite3.Connection, profile: Profile, units: Sequence[Unit], asked: int) -> None:
        """Insert the units that are not there yet, each with its turn in its subject and type."""
        there = {row["id"] for row in conn.execute("SELECT id FROM units WHERE profile = ?", (profile.id,))}
        turns: dict[tuple[str, str], int] = {}
        for row in conn.execute(
            "SELECT subject, prompt_type, max(turn) + 1 AS n FROM units WHERE profile = ? GROUP BY 1, 2", (profile.id,)
        ):
            turns[row["subject"], row["prompt_type"]] = row["n"]
        rows = []
        for unit in units:
            if unit.id not in there:
                place = (unit.concept.subject, unit.prompt_type)
                turns.setdefault(place, 0)
                rows.append({**self._unit_row(profile, unit, asked), "turn": turns[place]})
                turns[place] += 1
        self._db.table("units").insert_all(rows)

    def _save_versions(
        self, units: Sequence[Unit], templates: Mapping[str, tuple[str, Mapping[str, str]]], lang: str
    ) -> None:
        """The concept texts and templates that the units are asked with, each version once."""
        self.save_concepts(unit.concept for unit in units)
        rows = [
            {"fingerprint": f, "name": n, "lang": lang, "sources": canonical_json(s), "seen_at": now()}
            for f, (n, s) in templates.items()
        ]
        self._db.table("templates").insert_all(rows, ignore=True)

    def save_concepts(self, concepts: Iterable[Concept]) -> None:
        """Concept versions, each once; call inside `writing`."""
        rows = [concept_row(c) for c in {c.content: c for c in concepts}.values()]
        self._db.table("concepts").insert_all(rows, ignore=True)

    @staticmethod
    def _unit_row(profile: Profile, unit: Unit, asked: int) -> dict[str, object]:
        return {
            "id": unit.id,
            "profile": profile.id,
            "concept_id": unit.concept.id,
            "subject": unit.concept.subject,
            "chapter": unit.concept.chapter,
            "prompt_type": unit.prompt_type,
            "is_primary": int(unit.is_primary),
            "rank": unit.rank,
            "concept_content": unit.concept.content,
            "template": unit.template,
            "asked": asked,
            "updated_at": now(),
        }

    def open_units(self, profile: Profile) -> dict[str, OpenUnit]:
        """Units of the profile that are pending or partial, by id, in bank order."""
        rows = self._conn.execute(
            "SELECT id, state, asked, kept, tries, "
            "(SELECT coalesce(max(ordinal) + 1, 0) FROM items WHERE unit_id = units.id), turn, sample FROM units "
            "WHERE profile = ? AND state IN ('pending', 'partial') AND is_stale = 0 AND tries < ? "
            # What a provider has in a batch is not asked a second time.
            "AND NOT EXISTS (SELECT 1 FROM requests r JOIN calls c ON c.request_id = r.id WHERE r.unit_id = units.id "
            "AND c.state = 'intent' AND c.submission_id IS NOT NULL) ORDER BY rank",
            (profile.id, MOST_TRIES),
        )
        return {row["id"]: OpenUnit(*row) for row in rows}

    def held_stems(self, unit_id: str) -> list[str]:
        """Stems of the unit's usable items, in order."""
        rows = self._conn.execute(
            "SELECT stem FROM items WHERE unit_id = ? AND state != 'invalid' ORDER BY ordinal", (unit_id,)
        )
        return [row["stem"] for row in rows]

    def last_answer(self, unit_id: str) -> LastAnswer | None:
        """The unit's latest request that was answered, the parent of the next one."""
        row = self._conn.execute(
            "SELECT r.id, r.questions, coalesce(c.outcome, '') AS outcome, (SELECT count(*) FROM items i "
            "WHERE i.unit_id = r.unit_id AND i.request_id = r.id AND i.state != 'invalid') AS usable "
            "FROM requests r JOIN calls c ON c.request_id = r.id AND c.state = 'received' "
            "WHERE r.unit_id = ? ORDER BY c.id DESC LIMIT 1",
            (unit_id,),
        ).fetchone()
        return None if row is None else LastAnswer(*row)

    # The ledger (engines.base.Journal)

    def journal(self, run_id: int) -> Ledger:
        """The engines' side of the store for one run."""
        return Ledger(self.writing, run_id)

    def unread(self) -> list[tuple[Request, Reply]]:
        """Answers that are stored but were not read yet, after a crash between storing and reading."""
        rows = self._conn.execute(
            "SELECT c.*, r.unit_id, r.questions, r.sample, r.parent, r.body, u.concept_id, u.prompt_type, u.profile "
            "FROM calls c JOIN requests r ON r.id = c.request_id JOIN units u ON u.id = r.unit_id "
            "WHERE c.state = 'received' AND c.read_at IS NULL ORDER BY c.id"
        )
        return [(request_of(row), reply_of(row)) for row in rows]

    def answers(self) -> Iterator[Answer]:
        """Every answer of an engine, a unit's together, in the order they came; imported rows are none."""
        rows = self._conn.execute(
            "SELECT c.raw, c.request_id, r.unit_id, r.questions, r.sample, r.parent, r.body, u.concept_id, "
            "u.prompt_type, u.profile, u.asked, u.turn, coalesce(json_extract(runs.selection, '$.seed'), 0) AS seed "
            "FROM units u JOIN requests r ON r.unit_id = u.id "
            "JOIN calls c ON c.request_id = r.id AND c.state = 'received' JOIN runs ON runs.id = c.run_id "
            "WHERE u.profile NOT LIKE 'import/%' ORDER BY u.profile, u.rank, u.id, c.id"
        ).fetchall()
        for row in rows:
            yield Answer(request_of(row), row["raw"] or b"", row["asked"], row["turn"], row["seed"])

    def unit_items(self, unit: str) -> list[Item]:
        """Every item of a unit, faulty ones too."""
        return [item_of(row) for row in self._conn.execute("SELECT * FROM items WHERE unit_id = ?", (unit,))]

    # Items

    def rewrite_unit(
        self, unit: str, items: Sequence[Item], gone: Sequence[str], code: str, progress: Progress
    ) -> bool:
        """Write items of a unit anew, mark those that are gone, and recount; whether the unit itself changed.

        A unit's `tries` stay: reading again is not asking again. Items handed to reviewers keep their wording.
        code: reject code of the items that are gone.
        """
        if not items and not gone:
            return False
        with self.writing() as conn:
            before = tuple(conn.execute("SELECT state, kept, reason FROM units WHERE id = ?", (unit,)).fetchone())
            for item in items:
                if conn.execute("SELECT 1 FROM revisions WHERE item_id = ?", (item.id,)).fetchone():
                    continue  # Reviewers have it before them as it was read first.
                old = conn.execute("SELECT created_at, ordinal FROM items WHERE id = ?", (item.id,)).fetchone()
                conn.execute("DELETE FROM items WHERE id = ?", (item.id,))
                made_at = item.model_copy(update={"created_at": old["created_at"] if old else ""})
                conn.execute(INSERT_ITEM, item_row(made_at, unit, None))
            for item_id in gone:
                conn.execute("UPDATE items SET state = 'invalid', reject_code = ? WHERE id = ?", (code, item_id))
            conn.execute("UPDATE items SET ordinal = NULL WHERE unit_id = ? AND state = 'invalid'", (unit,))
            conn.execute(
                "UPDATE items SET ordinal = n FROM (SELECT items.id AS i, "
                "row_number() OVER (ORDER BY r.rowid, position) - 1 AS n "
                "FROM items JOIN requests r ON r.id = items.request_id "
                "WHERE items.unit_id = ?1 AND items.state != 'invalid') WHERE items.id = i",
                (unit,),
            )
            conn.execute(
                "UPDATE units SET kept = (SELECT count(*) FROM items WHERE unit_id = ?1 "
                "AND state NOT IN ('invalid', 'rejected')), state = ?2, reason = ?3, updated_at = ?4 WHERE id = ?1",
                (unit, progress.state, progress.reason, now()),
            )
            after = tuple(conn.execute("SELECT state, kept, reason FROM units WHERE id = ?", (unit,)).fetchone())
        return before != after

    def save_reading(self, readings: Sequence[Reading]) -> None:
        """Store what replies said: items, the mark that the reply was read, and the unit's state, all at once."""
        if not readings:
            return
        with self.writing() as conn:
            for reply, items, progress, outcome, usage, model, cost in readings:
                self._insert_items(conn, items, progress.unit_id)
                crash_point("in_parse")
                conn.execute(
                    "UPDATE calls SET read_at = ?1, outcome = ?2, input_tokens = coalesce(?3, input_tokens), "
                    "cached_tokens = coalesce(?4, cached_tokens), output_tokens = coalesce(?5, output_tokens), "
                    "model = CASE ?6 WHEN '' THEN model ELSE ?6 END, cost_micro_usd = coalesce(?7, cost_micro_usd) "
                    "WHERE id = ?8",
                    (now(), outcome, usage.input, usage.cached, usage.output, model, cost, reply.call_id),
                )
                conn.execute(
                    "UPDATE units SET kept = (SELECT count(*) FROM items WHERE unit_id = ?1 "
                    "AND state NOT IN ('invalid', 'rejected')), state = ?2, reason = ?3, tries = tries + 1, "
                    "updated_at = ?4 WHERE id = ?1",
                    (progress.unit_id, progress.state, progress.reason, now()),
                )

    def park(self, unit: str, reason: str) -> None:
        """Give a unit up, with the reason."""
        with self.writing() as conn:
            conn.execute(
                "UPDATE units SET state = 'parked', reason = ?, updated_at = ? WHERE id = ?", (reason, now(), unit)
            )

    def remember(self, key: str, value: str) -> None:
        """Keep a small fact for later runs."""
        with self.writing() as conn:
            conn.execute("INSERT OR REPLACE INTO meta (key, value) VALUES (?, ?)", (key, value))

    def recall(self, key: str) -> str:
        """A fact kept by `remember`; empty when there is none."""
        row = self._conn.execute("SELECT value FROM meta WHERE key = ?", (key,)).fetchone()
        return "" if row is None else str(row["value"])

    @staticmethod
    def _insert_items(conn: sqlite3.Connection, items: Sequence[Item], unit: str) -> None:
        """Insert a unit's items, the usable ones numbered on from those it has. Raw SQL: this is the hot path."""
        sql = "SELECT coalesce(max(ordinal) + 1, 0) FROM items WHERE unit_id = ?"
        ordinal = int(conn.execute(sql, (unit,)).fetchone()[0])
        rows = []
        for item in items:
            is_usable = item.state != "invalid"
            rows.append(item_row(item, unit, ordinal if is_usable else None))
            ordinal += is_usable
        conn.executemany(INSERT_ITEM, rows)

    def set_flag(self, flag: str, *, add: Iterable[str], remove: Iterable[str]) -> None:
        """Add a flag to some items and take it from others."""
        with self.writing() as conn:
            for item_ids, is_on in ((add, True), (remove, False)):
                for item_id in item_ids:
                    row = conn.execute("SELECT flags FROM items WHERE id = ?", (item_id,)).fetchone()
                    flags = set(json.loads(row["flags"])) - {flag} | ({flag} if is_on else set())
                    conn.execute("UPDATE items SET flags = ? WHERE id = ?", (as_json(sorted(flags)), item_id))

    def reject_items(self, item_ids: Iterable[str], code: str, reason: str) -> None:
        """Make items `invalid` after the fact, and note at their units why they are short."""
        with self.writing() as conn:
            for item_id in item_ids:
                conn.execute("UPDATE items SET state = 'invalid', reject_code = ? WHERE id = ?", (code, item_id))
                conn.execute(
                    "UPDATE units SET kept = kept - 1, reason = CASE reason WHEN '' THEN ?1 ELSE reason END "
                    "WHERE id = (SELECT unit_id FROM items WHERE id = ?2)",
                    (reason, item_id),
                )

    def concept_of(self, unit: str) -> Concept:
        """The concept as a unit was planned with it, from the stored version."""
        row = self._conn.execute(
            "SELECT c.* FROM units u JOIN concepts c ON c.content = u.concept_content WHERE u.id = ?", (unit,)
        ).fetchone()
        return concept_of(row)

    # Plans: what makes "nothing to do" quick

    def note_plan(self, fingerprint: str, profile: Profile, chapters: Mapping[str, Mapping[str, int]]) -> None:
        """Remember that a plan with this fingerprint is in the units, with its units per subject and chapter."""
        row = (fingerprint, profile.id, canonical_json(chapters), now())
        with self.writing() as conn:
            conn.execute(
                "INSERT OR REPLACE INTO plans (fingerprint, profile, chapters, made_at) VALUES (?, ?, ?, ?)", row
            )

    def note_batch(
        self,
        batch: str,
        seed: int,
        sheets: Mapping[str, Sequence[tuple[str, str]]],
        sentinels: Iterable[Sentinel] = (),
    ) -> None:
        """Note a review batch: for each reviewer the (item, revision) pairs in their order; once is enough."""
        with self.writing() as conn:
            longest = max((len(s) for s in sheets.values()), default=0)
            conn.execute(
                "INSERT OR IGNORE INTO batches (id, seed, reviewers, items, made_at) VALUES (?, ?, ?, ?, ?)",
                (batch, seed, len(sheets), longest, now()),
            )
            conn.executemany(
                "INSERT OR IGNORE INTO batch_items (batch_id, reviewer, place, item_id, revision) "
                "VALUES (?, ?, ?, ?, ?)",
                ((batch, who, n, i, rev) for who, rows in sheets.items() for n, (i, rev) in enumerate(rows)),
            )
            keep_originals(conn, batch)
            add_sentinels(conn, sentinels)
