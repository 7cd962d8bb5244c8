"""The ledger of calls: intent before the first byte, raw bytes before anyone looks inside."""

import json
import sqlite3
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager

from psygen.crash import crash_point
from psygen.ids import canonical_json
from psygen.records.exchange import Profile, Reply, Request
from psygen.store.connection import now

Writing = Callable[[], AbstractContextManager[sqlite3.Connection]]
"""Opens one transaction."""


class Ledger:
    """The store as an engine's journal."""

    def __init__(self, writing: Writing, run_id: int) -> None:
        self._writing = writing
        self._run_id = run_id

    def intend(self, requests: Sequence[Request], reserves: Sequence[int | None] = ()) -> list[int]:
        """Commit one `intent` for each request, and the request itself if it is new; the calls' ids.

        reserves: for each request what it may cost at most, in micro-USD; None where nobody knows.
        """
        sent_at = now()
        with self._writing() as conn:
            conn.executemany(
                "INSERT OR IGNORE INTO requests (id, unit_id, profile, questions, sample, parent, body, created_at) "
                "VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
                [
                    (r.id, r.unit_id, r.profile.id, r.questions, r.sample, r.parent, canonical_json(r.body), sent_at)
                    for r in requests
                ],
            )
            insert = (
                "INSERT INTO calls (request_id, run_id, state, sent_at, reserved_micro_usd) "
                "VALUES (?, ?, 'intent', ?, ?)"
            )
            calls = [
                last_row(conn.execute(insert, (r.id, self._run_id, sent_at, reserve)))
                for r, reserve in zip(requests, reserves or [None] * len(requests), strict=True)
            ]
        crash_point("after_intent")
        return calls

    def settle(self, replies: Sequence[Reply]) -> None:
        """Commit what came of calls, raw bytes included."""
        ended_at = now()
        with self._writing() as conn:
            conn.executemany(
                "UPDATE calls SET state = ?, status = ?, error = ?, model = ?, input_tokens = ?, cached_tokens = ?, "
                "output_tokens = ?, cost_micro_usd = ?, ended_at = ?, raw = ? WHERE id = ?",
                [
                    (
                        r.state,
                        r.status,
                        r.error,
                        r.model,
                        r.usage.input,
                        r.usage.cached,
                        r.usage.output,
                        r.cost_micro_usd,
                        ended_at,
                        r.raw or None,
                        r.call_id,
                    )
                    for r in replies
                ],
            )
        crash_point("after_received")


def request_of(row: sqlite3.Row) -> Request:
    """A request from its row, joined with its unit."""
    engine, _, rest = row["profile"].partition("/")
    model, _, lang = rest.rpartition("/")
    return Request(
        profile=Profile(engine=engine, model=model, lang=lang),
        unit_id=row["unit_id"],
        concept_id=row["concept_id"],
        prompt_type=row["prompt_type"],
        questions=row["questions"],
        body=json.loads(row["body"]),
        sample=row["sample"],
        parent=row["parent"],
    )


def reply_of(row: sqlite3.Row) -> Reply:
    """A received reply from its call's row."""
    return Reply(
        request_id=row["request_id"],
        call_id=row["id"],
        state="received",
        raw=row["raw"] or b"",
        status=row["status"],
        error=row["error"],
        cost_micro_usd=row["cost_micro_usd"],
        model=row["model"],
    )


def last_row(cursor: sqlite3.Cursor) -> int:
    """The id of the row just inserted."""
    assert cursor.lastrowid is not None
    return cursor.lastrowid
