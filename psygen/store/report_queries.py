"""What a report asks of the database: money, tokens, time and errors, of all runs of a profile or of one."""

import json
import sqlite3
from collections.abc import Iterable, Mapping
from typing import NamedTuple

from psygen.store.queries import Reader
from psygen.store.units import MOST_TRIES


class Money(NamedTuple):
    """What calls cost, in micro-USD. What is not known is counted, never taken for nothing."""

    calls: int = 0
    """Calls that were answered, or may have been."""
    certain: int = 0
    """Answered calls that were read, by their own usage; by their reserve where the server did not say its usage."""
    unpriced: int = 0
    """Answered calls without cost and reserve: their money is unknown."""
    possible: int = 0
    """Calls in doubt and answers not read yet, by their reserve: billed perhaps, and at most so much."""
    possible_unpriced: int = 0
    """Calls in doubt without a reserve."""

    def __add__(self, other: object) -> "Money":
        return Money(*(a + b for a, b in zip(self, other, strict=True))) if isinstance(other, Money) else NotImplemented

    @property
    def known(self) -> int | None:
        """The certain cost; None as soon as one answered call has no known price."""
        return None if self.unpriced else self.certain

    @property
    def doubt(self) -> int | None:
        """What is possibly billed besides; None as soon as one call in doubt has no reserve."""
        return None if self.possible_unpriced else self.possible


class Calls(NamedTuple):
    """The ledger's sums over some runs."""

    received: int = 0
    failed: int = 0
    in_doubt: int = 0
    in_flight: int = 0
    input_tokens: int = 0
    output_tokens: int = 0
    money: Money = Money()

    def __add__(self, other: object) -> "Calls":
        if not isinstance(other, Calls):
            return NotImplemented
        return Calls(
            self.received + other.received,
            self.failed + other.failed,
            self.in_doubt + other.in_doubt,
            self.in_flight + other.in_flight,
            self.input_tokens + other.input_tokens,
            self.output_tokens + other.output_tokens,
            self.money + other.money,
        )

    @property
    def sent(self) -> int:
        """Attempts, whatever came of them."""
        return self.received + self.failed + self.in_doubt + self.in_flight


class RunRow(NamedTuple):
    """A run as it was noted."""

    id: int
    profile: str
    selection: Mapping[str, object]
    started_at: str
    ended_at: str
    """When it ended; its last sign of life when it did not end by itself; empty when there was none."""
    exit_code: int | None
    """None: it runs still, or it died."""
    outcome: Mapping[str, object]
    """What the run itself wrote at its end; empty when it could not."""


class UnitSum(NamedTuple):
    """Units of a chapter in one state with one reason."""

    subject: str
    chapter: str
    state: str
    reason: str
    units: int
    open: int
    """Units of them that the next run asks."""
    asked: int
    """Questions asked for."""
    kept: int


# A call's money: its cost, else its reserve. Received ones are certain, `intent` and `unknown` possible.
_MONEY = (
    "coalesce(sum(coalesce({c}cost_micro_usd, {c}reserved_micro_usd)), 0) AS money, "
    "sum({c}cost_micro_usd IS NULL AND {c}reserved_micro_usd IS NULL) AS unpriced"
)


class ReportReader(Reader):
    """The database opened for a report."""

    def run_rows(self, profile: str = "") -> list[RunRow]:
        """The runs of a profile, or of all, in their order."""
        sql = (
            "SELECT id, profile, selection, started_at, coalesce(ended_at, (SELECT c.ended_at FROM calls c WHERE "
            "c.id = (SELECT max(k.id) FROM calls k WHERE k.state = 'received' AND k.run_id = runs.id)), '') "
            "AS ended_at, exit_code, outcome FROM runs WHERE ?1 IN ('', profile) ORDER BY id"
        )
        return [
            RunRow(
                row["id"],
                row["profile"],
                json.loads(row["selection"]),
                row["started_at"],
                row["ended_at"],
                row["exit_code"],
                json.loads(row["outcome"] or "{}"),
            )
            for row in self._rows(sql, (profile,))
        ]

    def unit_sums(self, profile: str) -> list[UnitSum]:
        """Units of a profile that are not stale, by chapter, state and reason."""
        rows = self._rows(
            "SELECT subject, chapter, state, reason, count(*) AS units, "
            "sum(state IN ('pending', 'partial') AND tries < ?) AS open, sum(asked) AS asked, sum(kept) AS kept "
            "FROM units WHERE profile = ? AND is_stale = 0 GROUP BY subject, chapter, state, reason",
            (MOST_TRIES, profile),
        )
        return [UnitSum(*row) for row in rows]

    def accepted(self, profile: str) -> dict[tuple[str, str], int]:
        """Questions of a profile that review accepted, by subject and chapter."""
        engine, model, lang = _parts(profile)
        rows = self._rows(
            "SELECT subject, chapter, count(*) AS n FROM items WHERE engine = ? AND state = 'accepted' AND model = ? "
            "AND lang = ? GROUP BY subject, chapter",
            (engine, model, lang),
        )
        return {(r["subject"], r["chapter"]): r["n"] for r in rows}

    def calls_of(self, runs: Iterable[int]) -> Calls:
        """The ledger's sums over some runs. Indexes alone answer it, but for the few answers nobody read yet."""
        chosen = (json.dumps(list(runs)),)
        found = _summed(
            self._rows(
                "SELECT state, count(*) AS n, sum(input_tokens) AS i, sum(output_tokens) AS o, "  # noqa: S608
                f"{_MONEY.format(c='')} FROM calls WHERE run_id IN (SELECT value FROM json_each(?)) GROUP BY state",
                chosen,
            )
        )
        unread = self._rows(
            "SELECT coalesce(sum(reserved_micro_usd), 0) AS money FROM calls WHERE state = 'received' "
            "AND read_at IS NULL AND cost_micro_usd IS NULL AND run_id IN (SELECT value FROM json_each(?))",
            chosen,
        )
        held = int(next(unread)["money"])
        return found._replace(money=found.money + Money(certain=-held, possible=held))

    def calls_by_chapter(self, runs: Iterable[int]) -> dict[tuple[str, str], Calls]:
        """The ledger's sums over some runs by subject and chapter; every call is looked at."""
        groups: dict[tuple[str, str], list[sqlite3.Row]] = {}
        for row in self._rows(
            "SELECT u.subject, u.chapter, CASE WHEN c.state = 'received' AND c.read_at IS NULL "  # noqa: S608
            "AND c.cost_micro_usd IS NULL THEN 'unread' ELSE c.state END AS state, count(*) AS n, "
            "sum(c.input_tokens) AS i, "
            f"sum(c.output_tokens) AS o, {_MONEY.format(c='c.')} "
            "FROM calls c CROSS JOIN requests r ON r.id = c.request_id CROSS JOIN units u ON u.id = r.unit_id "
            "WHERE c.run_id IN (SELECT value FROM json_each(?)) GROUP BY 1, 2, 3",
            (json.dumps(list(runs)),),
        ):
            groups.setdefault((row["subject"], row["chapter"]), []).append(row)
        return {place: _summed(rows) for place, rows in groups.items()}

    def errors(self, runs: Iterable[int]) -> list[tuple[str, int]]:
        """What went wrong with calls that have no answer, as it was noted, and how often."""
        rows = self._rows(
            "SELECT error, count(*) AS n FROM calls WHERE state IN ('failed', 'unknown') "
            "AND run_id IN (SELECT value FROM json_each(?)) GROUP BY error ORDER BY n DESC, error",
            (json.dumps(list(runs)),),
        )
        return [(row["error"], row["n"]) for row in rows]

    def in_batches(self) -> int:
        """Calls that wait for a provider's batch, of whichever run."""
        sql = "SELECT count(*) AS n FROM calls WHERE submission_id IS NOT NULL AND state = 'intent'"
        return int(next(self._rows(sql))["n"])

    def finished_in(self, run: int) -> int:
        """Units that a run brought to their end, for a run that could not say so itself."""
        sql = (
            "SELECT count(DISTINCT u.id) AS n FROM calls c JOIN requests r ON r.id = c.request_id "
            "JOIN units u ON u.id = r.unit_id WHERE c.run_id = ? AND c.state = 'received' "
            "AND u.state IN ('done', 'parked')"
        )
        return int(next(self._rows(sql, (run,)))["n"])


def _summed(rows: Iterable[sqlite3.Row]) -> Calls:
    """Rows by state as one."""
    found = Calls()
    for row in rows:
        state, n = str(row["state"]), row["n"]
        found = found._replace(
            input_tokens=found.input_tokens + (row["i"] or 0),
            output_tokens=found.output_tokens + (row["o"] or 0),
        )
        if state == "failed":
            found = found._replace(failed=found.failed + n)
        elif state == "received":
            money = Money(n, certain=row["money"], unpriced=row["unpriced"])
            found = found._replace(received=found.received + n, money=found.money + money)
        elif state == "unread":
            # Its own cost is not known yet; a price nobody knows is not known either way.
            money = Money(n, possible=row["money"], unpriced=row["unpriced"])
            found = found._replace(received=found.received + n, money=found.money + money)
        else:
            money = Money(n, possible=row["money"], possible_unpriced=row["unpriced"])
            field = {"unknown": "in_doubt", "intent": "in_flight"}[state]
            found = found._replace(money=found.money + money, **{field: n})
    return found


def _parts(profile: str) -> tuple[str, str, str]:
    """Engine, model and language of a profile's id."""
    engine, _, rest = profile.partition("/")
    model, _, lang = rest.rpartition("/")
    return engine, model, lang
