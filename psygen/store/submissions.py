"""Batches handed to a provider: noted before anything is sent, with every call in them, and settled line by line.

A submission is one file of requests. Its id is the key that the provider keeps with the batch. Its calls are `intent`
until a line of results settles them; a restart leaves them so, for the provider works on without us.
"""

import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from pathlib import Path
from typing import NamedTuple, TypeVar

from psygen.crash import crash_point
from psygen.ids import canonical_json, content_hash
from psygen.records.exchange import Request
from psygen.store.connection import connect, now, translated
from psygen.store.ledger import Writing
from psygen.store.units import MOST_TRIES, OpenUnit

OPEN = ("prepared", "uploaded", "submitted")
"""States of a submission whose results are still to come."""
AT_ONCE = 500
"""Values of one statement."""

T = TypeVar("T")


class Submission(NamedTuple):
    """One file of requests and the batch made of it."""

    id: str
    """The key in the batch's metadata."""
    run_id: int
    profile: str
    base_url: str
    part: int
    """Number of the file among those of its run, from 0."""
    requests: int
    state: str
    """prepared, uploaded, submitted; then collected, failed or lost."""
    status: str
    """The batch's status as the provider said last."""
    message: str
    input_file: str
    batch: str
    """The provider's id of the batch."""
    made_at: str
    submitted_at: str | None
    ended_at: str | None
    seed: int
    """Seed of the run that made it: the answers are read with the same."""

    @property
    def is_open(self) -> bool:
        """Whether results are still to come."""
        return self.state in OPEN


class Call(NamedTuple):
    """A request of a submission with what it may cost at most, in micro-USD; None when nobody knows."""

    request_id: str
    reserved_micro_usd: int | None


class Answered(NamedTuple):
    """A line of results that is an answer."""

    request_id: str
    raw: bytes
    status: int | None
    cost_micro_usd: int | None


class Unanswered(NamedTuple):
    """A line of results without an answer. call_state: `failed` (surely not billed) or `unknown`."""

    request_id: str
    call_state: str
    status: int | None
    error: str


class Kept(NamedTuple):
    """What became of lines of answers."""

    new: int
    held: int
    """Requests that are answered already; the first answer stays."""
    strangers: int
    """Ids that psygen never gave out."""


class Submissions:
    """The store's side of batches; every method is one transaction, or says otherwise."""

    def __init__(self, writing: Writing) -> None:
        self._writing = writing

    # Before anything is sent

    def note_requests(self, requests: Iterable[Request]) -> None:
        """Store requests as they will be sent, each once."""
        made_at = now()
        with self._writing() as conn:
            conn.executemany(
                "INSERT OR IGNORE INTO requests (id, unit_id, profile, questions, sample, parent, body, created_at) "
                "VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
                (
                    (r.id, r.unit_id, r.profile.id, r.questions, r.sample, r.parent, canonical_json(r.body), made_at)
                    for r in requests
                ),
            )

    def prepare(self, run_id: int, profile: str, base_url: str, part: int, calls: Sequence[Call]) -> str:
        """Note a submission and an `intent` for each of its stored requests, all at once; its key.

        The key follows from this database, the number of submissions before, and the requests: a database put back
        from a backup gives the same key again, and so finds the batch it has forgotten.
        """
        with self._writing() as conn:
            project = conn.execute("SELECT value FROM meta WHERE key = 'project'").fetchone()[0]
            turn = conn.execute("SELECT count(*) FROM submissions").fetchone()[0]
            key = content_hash([project, turn, [c.request_id for c in calls]])
            conn.execute(
                "INSERT INTO submissions (id, run_id, profile, base_url, part, requests, state, made_at) "
                "VALUES (?, ?, ?, ?, ?, ?, 'prepared', ?)",
                (key, run_id, profile, base_url, part, len(calls), now()),
            )
            conn.executemany(
                "INSERT INTO calls (request_id, run_id, state, sent_at, reserved_micro_usd, submission_id) "
                "VALUES (?, ?, 'intent', ?, ?, ?)",
                ((c.request_id, run_id, now(), c.reserved_micro_usd, key) for c in calls),
            )
        crash_point("after_prepare")
        return key

    def uploaded(self, key: str, input_file: str) -> None:
        """Note the provider's id of the file."""
        with self._writing() as conn:
            conn.execute("UPDATE submissions SET state = 'uploaded', input_file = ? WHERE id = ?", (input_file, key))

    def submitted(self, key: str, batch: str, status: str) -> None:
        """Note the provider's id of the batch."""
        with self._writing() as conn:
            conn.execute(
                "UPDATE submissions SET state = 'submitted', batch = ?, status = ?, submitted_at = ? WHERE id = ?",
                (batch, status, now(), key),
            )

    def noticed(self, key: str, status: str) -> None:
        """Note what the provider says of the batch."""
        with self._writing() as conn:
            conn.execute("UPDATE submissions SET status = ? WHERE id = ?", (status, key))

    # Looking

    def all(self) -> list[Submission]:
        """Every submission, the oldest first."""
        with self._writing() as conn:
            return submissions(conn)

    def get(self, key: str) -> Submission:
        """One submission. Raises KeyError."""
        for one in self.all():
            if one.id == key:
                return one
        raise KeyError(key)

    def lines(self, key: str) -> Iterator[tuple[str, str]]:
        """Id and body of each request of a submission, in their order; a transaction every few hundred."""
        last = 0
        while True:
            with self._writing() as conn:
                rows = conn.execute(
                    "SELECT c.id, r.id AS request_id, r.body FROM calls c JOIN requests r ON r.id = c.request_id "
                    "WHERE c.submission_id = ? AND c.id > ? ORDER BY c.id LIMIT ?",
                    (key, last, AT_ONCE),
                ).fetchall()
            if not rows:
                return
            last = rows[-1]["id"]
            yield from ((row["request_id"], row["body"]) for row in rows)

    def in_flight(self, key: str) -> int:
        """Calls of a submission that no line has settled yet."""
        with self._writing() as conn:
            sql = "SELECT count(*) FROM calls WHERE submission_id = ? AND state = 'intent'"
            return int(conn.execute(sql, (key,)).fetchone()[0])

    def profiles(self, request_ids: Iterable[str]) -> dict[str, str]:
        """The profile each of these requests was made for; ids psygen never gave out are missing."""
        found = {}
        with self._writing() as conn:
            for some in at_once(request_ids, AT_ONCE):
                sql = f"SELECT id, profile FROM requests WHERE id IN ({_marks(some)})"  # noqa: S608  (question marks only)
                found.update({row["id"]: row["profile"] for row in conn.execute(sql, some)})
        return found

    def unit_states(self, unit_ids: Iterable[str], *, only_open: bool = False) -> dict[str, OpenUnit]:
        """What the store knows of units, whatever their state; with `only_open` just those that may be asked now.

        A unit whose request is in a batch under way is not open.
        """
        open_ones = (
            "AND state IN ('pending', 'partial') AND is_stale = 0 AND tries < ? "
            "AND NOT EXISTS (SELECT 1 FROM requests r JOIN calls c ON c.request_id = r.id "
            "WHERE r.unit_id = units.id AND c.state = 'intent' AND c.submission_id IS NOT NULL)"
        )
        found = {}
        with self._writing() as conn:
            for some in at_once(unit_ids, AT_ONCE):
                sql = (
                    "SELECT id, state, asked, kept, tries, (SELECT coalesce(max(ordinal) + 1, 0) FROM items "  # noqa: S608  (clauses of ours)
                    f"WHERE unit_id = units.id), turn, sample FROM units WHERE id IN ({_marks(some)}) "
                    f"{open_ones if only_open else ''}"
                )
                values = (*some, MOST_TRIES) if only_open else some
                found.update({row["id"]: OpenUnit(*row) for row in conn.execute(sql, values)})
        return found

    # Results

    def keep_answers(self, answers: Sequence[Answered], *, run_id: int, key: str = "") -> Kept:
        """Commit answers, raw bytes included; the first answer to a request stays.

        key: the submission whose calls they settle; without one (a file of results) each is a call of its own.
        """
        new = held = strangers = 0
        with self._writing() as conn:
            for answer in answers:
                if _is_answered(conn, answer.request_id):
                    held += 1
                elif _settle(conn, key, answer) if key else _insert(conn, run_id, answer):
                    new += 1
                else:
                    strangers += 1
        crash_point("in_collect")
        return Kept(new, held, strangers)

    def note_unanswered(self, key: str, lines: Sequence[Unanswered]) -> int:
        """Commit lines without an answer; how many named a call of this submission that was still in flight."""
        with self._writing() as conn:
            done = conn.executemany(
                "UPDATE calls SET state = ?, status = ?, error = ?, ended_at = ? "
                "WHERE submission_id = ? AND request_id = ? AND state = 'intent'",
                [(u.call_state, u.status, u.error, now(), key, u.request_id) for u in lines],
            )
            return done.rowcount

    def park_units(self, request_ids: Iterable[str], reason: str) -> int:
        """Give up the unfinished units of these requests, with the reason; how many."""
        with self._writing() as conn:
            return sum(
                conn.execute(
                    "UPDATE units SET state = 'parked', reason = ?, updated_at = ? WHERE id = (SELECT unit_id FROM "
                    "requests WHERE id = ?) AND state IN ('pending', 'partial')",
                    (reason, now(), request_id),
                ).rowcount
                for request_id in request_ids
            )

    def end(self, key: str, state: str, status: str, message: str, *, call_state: str) -> int:
        """Close a submission; calls that no line settled become `call_state`. How many those were."""
        with self._writing() as conn:
            left = conn.execute(
                "UPDATE calls SET state = ?, error = ?, ended_at = ? WHERE submission_id = ? AND state = 'intent'",
                (call_state, f"batch {status}: {message or 'no line in the results'}"[:400], now(), key),
            ).rowcount
            conn.execute(
                "UPDATE submissions SET state = ?, status = ?, message = ?, ended_at = ? WHERE id = ?",
                (state, status, message, now(), key),
            )
        return left

    def park_lost(self, key: str, reason: str) -> int:
        """Give up the units whose results are gone, so that nobody pays for them twice without knowing."""
        with self._writing() as conn:
            return conn.execute(
                "UPDATE units SET state = 'parked', reason = ?, updated_at = ? WHERE state IN ('pending', 'partial') "
                "AND id IN (SELECT r.unit_id FROM calls c JOIN requests r ON r.id = c.request_id "
                "WHERE c.submission_id = ? AND c.state = 'unknown')",
                (reason, now(), key),
            ).rowcount

    def supersede_stale(self, unit_ids: Iterable[str]) -> None:
        """Set aside items of units whose text or template changed while the batch was under way."""
        with self._writing() as conn:
            conn.executemany(
                "UPDATE items SET state = 'superseded' WHERE unit_id = ? AND state = 'new' "
                "AND EXISTS (SELECT 1 FROM units WHERE id = unit_id AND is_stale = 1)",
                [(one,) for one in unit_ids],
            )


def at_once(values: Iterable[T], most: int) -> Iterator[tuple[T, ...]]:
    """The values in their order, at most `most` at a time; made when they are taken."""
    rest = iter(values)
    while some := tuple(islice(rest, most)):
        yield some


def read_submissions(path: Path) -> list[Submission]:
    """Every submission of a database, the oldest first, read only. Raises StoreUnusable when there is no database."""
    conn = connect(path, write=False)
    try:
        with translated(path):
            # Before the second schema there were no batches.
            is_old = conn.execute("PRAGMA user_version").fetchone()[0] < 2
            return [] if is_old else submissions(conn)
    finally:
        conn.close()


def submissions(conn: sqlite3.Connection) -> list[Submission]:
    """Every submission, the oldest first."""
    rows = conn.execute(
        "SELECT s.id, s.run_id, s.profile, s.base_url, s.part, s.requests, s.state, s.status, s.message, s.input_file, "
        "s.batch, s.made_at, s.submitted_at, s.ended_at, coalesce(json_extract(r.selection, '$.seed'), 0) AS seed "
        "FROM submissions s JOIN runs r ON r.id = s.run_id ORDER BY s.rowid"
    )
    return [Submission(*row) for row in rows]


def _marks(values: Sequence[object]) -> str:
    return ", ".join("?" * len(values))


def _is_answered(conn: sqlite3.Connection, request_id: str) -> bool:
    sql = "SELECT 1 FROM calls WHERE request_id = ? AND state = 'received'"
    return conn.execute(sql, (request_id,)).fetchone() is not None


def _settle(conn: sqlite3.Connection, key: str, answer: Answered) -> bool:
    """The submission's own call gets its answer; whether there is one."""
    done = conn.execute(
        "UPDATE calls SET state = 'received', status = ?, raw = ?, error = '', "
        "cost_micro_usd = coalesce(?, reserved_micro_usd), ended_at = ? "
        "WHERE submission_id = ? AND request_id = ?",
        (answer.status, answer.raw, answer.cost_micro_usd, now(), key, answer.request_id),
    )
    return done.rowcount == 1


def _insert(conn: sqlite3.Connection, run_id: int, answer: Answered) -> bool:
    """A call for an answer that came in a file; whether its request is known."""
    done = conn.execute(
        "INSERT INTO calls (request_id, run_id, state, status, raw, cost_micro_usd, sent_at, ended_at) "
        "SELECT id, ?, 'received', ?, ?, ?, ?, ? FROM requests WHERE id = ?",
        (run_id, answer.status, answer.raw, answer.cost_micro_usd, now(), now(), answer.request_id),
    )
    return done.rowcount == 1
