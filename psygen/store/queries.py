"""The reading side of the store: a connection that cannot write, and plain sqlite3, because reports must be quick."""

import json
import sqlite3
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Concatenate, NamedTuple, ParamSpec, Self, TypeVar

from psygen.errors import StoreUnusable
from psygen.records.exchange import Profile
from psygen.records.item import Item
from psygen.store.again import LACKS_REJECTED
from psygen.store.connection import LATEST, connect, translated
from psygen.store.items import item_of
from psygen.store.money import Spent, spent
from psygen.store.units import MOST_TRIES, KnownUnits, known_units

P = ParamSpec("P")
T = TypeVar("T")


class Filter(NamedTuple):
    """Which items are wanted; an empty field does not restrict."""

    subjects: tuple[str, ...] = ()
    chapters: tuple[str, ...] = ()
    concepts: tuple[str, ...] = ()
    kinds: tuple[str, ...] = ()
    prompt_types: tuple[str, ...] = ()
    engines: tuple[str, ...] = ()
    models: tuple[str, ...] = ()
    states: tuple[str, ...] = ()
    flags: tuple[str, ...] = ()
    ids: tuple[str, ...] = ()


class UnitCount(NamedTuple):
    """How many units of a chapter and type are in a state."""

    subject: str
    chapter: str
    state: str
    is_primary: bool
    prompt_type: str
    units: int


class Books(NamedTuple):
    """The ledger in numbers; cost is None as soon as one received call has no known price.

    A received call whose server did not say what it took costs what was set aside for it.
    """

    sent: int
    received: int
    failed: int
    unknown: int
    input_tokens: int
    output_tokens: int
    cost_micro_usd: int | None
    possible_micro_usd: int = 0
    """Set aside for calls in doubt: possibly billed."""


class ItemText(NamedTuple):
    """What comparing items needs of one."""

    id: str
    state: str
    flags: str
    """As stored: JSON."""
    stem: str
    options: str
    """As stored: JSON; good enough to compare letters."""


class Reader:
    """The database opened for reading. Use as a context manager."""

    def __init__(self, path: Path) -> None:
        """Raises StoreUnusable when there is no database, or one of another version."""
        self.path = path
        self._conn = connect(path, write=False)
        with translated(path):
            version = self._conn.execute("PRAGMA user_version").fetchone()[0]
        if version > LATEST:
            raise StoreUnusable(f"{path}: made by a newer psygen (schema {version}, this one knows {LATEST}).")
        if version < LATEST:
            raise StoreUnusable(f"{path}: has an older schema; psygen generate brings it up to date.")

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._conn.close()

    def _rows(self, sql: str, values: Sequence[object] = ()) -> Iterator[sqlite3.Row]:
        with translated(self.path):
            # Not `yield from`: that would close the cursor once more after the connection, when a reader leaves early.
            for row in self._conn.execute(sql, values):  # noqa: UP028
                yield row

    def ask(self, question: Callable[Concatenate[sqlite3.Connection, P], T], *args: P.args, **kwargs: P.kwargs) -> T:
        """The answer of a function over the connection (psygen.store.reviews), with SQLite's errors in our words."""
        with translated(self.path):
            return question(self._conn, *args, **kwargs)

    def profiles(self) -> list[str]:
        """Ids of the profiles that were ever run, the last used first; sources of imports are none."""
        rows = self._rows(
            "SELECT profile FROM runs WHERE profile NOT LIKE 'import/%' GROUP BY profile ORDER BY max(id) DESC"
        )
        return [row["profile"] for row in rows]

    def unit_counts(self, profile: str) -> list[UnitCount]:
        """Units of a profile that are not stale, by subject, chapter, state and type."""
        rows = self._rows(
            "SELECT subject, chapter, state, is_primary, prompt_type, count(*) AS n FROM units "
            "WHERE profile = ? AND is_stale = 0 GROUP BY subject, chapter, state, is_primary, prompt_type",
            (profile,),
        )
        return [
            UnitCount(r["subject"], r["chapter"], r["state"], bool(r["is_primary"]), r["prompt_type"], r["n"])
            for r in rows
        ]

    def item_counts(self, engine: str) -> dict[tuple[str, str], int]:
        """Usable items of an engine (neither invalid nor superseded nor rejected) by subject and chapter."""
        rows = self._rows(
            "SELECT subject, chapter, count(*) AS n FROM items WHERE engine = ? "
            "AND state NOT IN ('invalid', 'superseded', 'rejected') GROUP BY subject, chapter",
            (engine,),
        )
        return {(r["subject"], r["chapter"]): r["n"] for r in rows}

    def unit_items(self, profile: str) -> dict[tuple[str, str], tuple[int, int]]:
        """By subject and chapter: questions kept by the profile's current units, and units that are short."""
        rows = self._rows(
            "SELECT subject, chapter, sum(kept) AS n, sum(reason != '') AS short FROM units "
            "WHERE profile = ? AND is_stale = 0 GROUP BY subject, chapter",
            (profile,),
        )
        return {(r["subject"], r["chapter"]): (r["n"], r["short"]) for r in rows}

    def unfinished(self, profile: Profile) -> bool:
        """Whether the profile has a unit that is pending or partial, or an answer that was not read yet."""
        sql = (
            "SELECT EXISTS (SELECT 1 FROM units WHERE profile = ? AND state IN ('pending', 'partial') "
            "AND is_stale = 0 AND tries < ?) "
            "OR EXISTS (SELECT 1 FROM calls WHERE state = 'received' AND read_at IS NULL) "
            "OR EXISTS (SELECT 1 FROM calls WHERE state = 'intent') AS open"
        )
        return bool(next(self._rows(sql, (profile.id, MOST_TRIES)))["open"])

    def lacking(self, profile: Profile) -> set[str]:
        """Ids of units of the profile that lack questions because review has rejected some."""
        sql = f"SELECT id FROM units WHERE profile = ? AND {LACKS_REJECTED}"  # noqa: S608  (a constant of ours)
        return {row["id"] for row in self._rows(sql, (profile.id,))}

    def means(self, profile: Profile) -> tuple[float, float] | None:
        """Input and output tokens of the profile's answered calls on average; None when none says so."""
        sql = (
            "SELECT avg(c.input_tokens) AS i, avg(c.output_tokens) AS o FROM calls c JOIN runs r ON r.id = c.run_id "
            "WHERE r.profile = ? AND c.state = 'received' AND c.output_tokens IS NOT NULL"
        )
        row = next(self._rows(sql, (profile.id,)))
        return None if row["o"] is None or row["i"] is None else (row["i"], row["o"])

    def spent(self) -> Spent:
        """What was spent on this database so far."""
        with translated(self.path):
            return spent(self._conn)

    def parked(self, profile: Profile) -> int:
        """How many units of the profile are parked."""
        sql = "SELECT count(*) AS n FROM units WHERE profile = ? AND state = 'parked' AND is_stale = 0"
        return int(next(self._rows(sql, (profile.id,)))["n"])

    def plan(self, fingerprint: str) -> dict[str, dict[str, int]] | None:
        """Units per subject and chapter of a plan that is in the store; None when it is not."""
        for row in self._rows("SELECT chapters FROM plans WHERE fingerprint = ?", (fingerprint,)):
            value: dict[str, dict[str, int]] = json.loads(row["chapters"])
            return value
        return None

    def known_units(self, profile: Profile) -> KnownUnits:
        """Every unit of a profile, stale ones too, by concept and type."""
        with translated(self.path):
            return known_units(self._conn, profile)

    def reasons(self, profile: str) -> list[tuple[str, str, int]]:
        """Why units are short or parked: state, reason, how many; the most frequent first."""
        rows = self._rows(
            "SELECT state, reason, count(*) AS n FROM units WHERE profile = ? AND is_stale = 0 AND reason != '' "
            "GROUP BY state, reason ORDER BY n DESC, reason",
            (profile,),
        )
        return [(r["state"], r["reason"], r["n"]) for r in rows]

    def books(self) -> Books:
        """The ledger's sums over all runs; imports asked nobody."""
        states = {"intent": 0, "received": 0, "failed": 0, "unknown": 0}
        tokens_in = tokens_out = cost = priced = possible = 0
        for r in self._rows(
            "SELECT state, count(*) AS n, sum(input_tokens) AS i, sum(output_tokens) AS o, "
            "sum(coalesce(cost_micro_usd, reserved_micro_usd)) AS c, sum(reserved_micro_usd) AS r, "
            "count(coalesce(cost_micro_usd, reserved_micro_usd)) AS priced "
            "FROM calls WHERE run_id NOT IN (SELECT id FROM runs WHERE profile LIKE 'import/%') GROUP BY state"
        ):
            states[r["state"]] = r["n"]
            tokens_in += r["i"] or 0
            tokens_out += r["o"] or 0
            if r["state"] == "received":
                cost, priced = r["c"] or 0, r["priced"]
            elif r["state"] != "failed":
                possible += r["r"] or 0
        return Books(
            sent=sum(states.values()),
            received=states["received"],
            failed=states["failed"],
            unknown=states["unknown"] + states["intent"],
            input_tokens=tokens_in,
            output_tokens=tokens_out,
            cost_micro_usd=cost if priced == states["received"] else None,
            possible_micro_usd=possible,
        )

    def items(self, wanted: Filter = Filter(), *, limit: int = -1) -> Iterator[Item]:  # noqa: B008
        """Items in bank order (subject, chapter and concept as planned), a unit's items in their own order.

        limit: at most so many; -1 for all.
        """
        where, values = where_clause(wanted)
        sql = (
            f"SELECT i.* FROM items i JOIN units u ON u.id = i.unit_id {where} "  # noqa: S608  (clauses of ours only)
            "ORDER BY u.rank, u.prompt_type, i.engine, i.model, i.lang, i.unit_id, i.ordinal IS NULL, i.ordinal, "
            "i.request_id, i.position LIMIT ?"
        )
        for row in self._rows(sql, (*values, limit)):
            yield item_of(row)

    def texts(self, engine: str, model: str, lang: str) -> Iterator[ItemText]:
        """The live items of a profile in bank order, with just the text that comparing needs."""
        rows = self._rows(
            "SELECT i.id, i.state, i.flags, i.stem, i.options FROM items i JOIN units u ON u.id = i.unit_id "
            "WHERE i.engine = ? AND i.model = ? AND i.lang = ? "
            "AND i.state NOT IN ('invalid', 'superseded', 'rejected') "
            "ORDER BY u.rank, u.prompt_type, i.unit_id, i.ordinal",
            (engine, model, lang),
        )
        return (ItemText(*row) for row in rows)

    def count_items(self, wanted: Filter = Filter()) -> int:  # noqa: B008
        """How many items a filter lets through."""
        where, values = where_clause(wanted)
        sql = f"SELECT count(*) AS n FROM items i {where}"  # noqa: S608
        return int(next(self._rows(sql, values))["n"])

    def invalid_codes(self, wanted: Filter) -> dict[str, int]:
        """How many invalid items a filter lets through, by reject code, the most frequent first."""
        where, values = where_clause(wanted._replace(states=("invalid",)))
        sql = f"SELECT reject_code, count(*) AS n FROM items i {where} GROUP BY reject_code ORDER BY n DESC"  # noqa: S608
        return {row["reject_code"]: row["n"] for row in self._rows(sql, values)}

    def origin(self, item_id: str) -> Mapping[str, object] | None:
        """Where an item comes from: concept text, template, request, raw reply; None for an unknown id."""
        for row in self._rows(
            "SELECT c.concept, c.concept_en, c.descriptions, c.content, t.name AS template, t.fingerprint, r.id AS "
            "request_id, r.body, k.raw, k.model, k.sent_at, k.ended_at, u.state AS unit_state, u.reason "
            "FROM items i JOIN units u ON u.id = i.unit_id JOIN concepts c ON c.content = u.concept_content "
            "JOIN templates t ON t.fingerprint = u.template JOIN requests r ON r.id = i.request_id "
            "JOIN calls k ON k.request_id = r.id AND k.state = 'received' WHERE i.id = ?",
            (item_id,),
        ):
            return dict(row)
        return None

    def exchange(self, request_id: str) -> Mapping[str, object] | None:
        """A request (by its id, the beginning of one, or an item of it) with its answer or last call."""
        for row in self._rows(
            "SELECT r.id, r.body, r.parent, r.questions, u.concept_id, u.prompt_type, u.profile, u.asked, k.state, "
            "k.raw, k.error, k.model, k.status, k.sent_at, k.ended_at, k.outcome, k.input_tokens, k.output_tokens "
            "FROM requests r JOIN units u ON u.id = r.unit_id JOIN calls k ON k.request_id = r.id "
            "WHERE r.id >= ?1 AND r.id < ?1 || 'g' OR r.id = (SELECT request_id FROM items WHERE id = ?1) "
            "ORDER BY k.state = 'received' DESC, k.id DESC LIMIT 1",
            (request_id,),
        ):
            return dict(row)
        return None

    def concept_texts(self, contents: Sequence[str]) -> dict[str, sqlite3.Row]:
        """Stored concept versions by their content hash."""
        found = {}
        for content in contents:
            for row in self._rows("SELECT * FROM concepts WHERE content = ?", (content,)):
                found[content] = row
        return found

    def concept_contents(self, item_ids: Sequence[str]) -> dict[str, str]:
        """The content hash of the concept version each item was made from."""
        return {
            item_id: row["concept_content"]
            for item_id in item_ids
            for row in self._rows(
                "SELECT u.concept_content FROM items i JOIN units u ON u.id = i.unit_id WHERE i.id = ?", (item_id,)
            )
        }

    def batched_items(self) -> set[str]:
        """Ids of the items that are in any review batch."""
        return {row["item_id"] for row in self._rows("SELECT DISTINCT item_id FROM batch_items")}

    def project(self) -> str:
        """Random id of this database, written into sheets so that they find home."""
        return str(next(self._rows("SELECT value FROM meta WHERE key = 'project'"))["value"])


def where_clause(wanted: Filter) -> tuple[str, list[object]]:
    """The WHERE clause of a filter over items i (empty or beginning with WHERE), and its values."""
    columns = {
        "i.subject": wanted.subjects,
        "i.chapter": wanted.chapters,
        "i.concept_id": wanted.concepts,
        "i.kind": wanted.kinds,
        "i.prompt_type": wanted.prompt_types,
        "i.engine": wanted.engines,
        "i.model": wanted.models,
        "i.state": wanted.states,
        "i.id": wanted.ids,
    }
    clauses = [f"{column} IN ({', '.join('?' * len(allowed))})" for column, allowed in columns.items() if allowed]
    values: list[object] = [value for allowed in columns.values() for value in allowed]
    if wanted.flags:
        marks = ", ".join("?" * len(wanted.flags))
        clauses.append(f"EXISTS (SELECT 1 FROM json_each(i.flags) f WHERE f.value IN ({marks}))")  # noqa: S608  (question marks only)
        values += wanted.flags
    return ("WHERE " + " AND ".join(clauses) if clauses else ""), values
