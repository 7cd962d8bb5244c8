"""Splits in the store: which question stands in which part, under which policy."""

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple, cast

from psygen.errors import InputError
from psygen.records.benchmark import Split
from psygen.records.item import Item
from psygen.records.split import Policy
from psygen.store.connection import now
from psygen.store.database import Store
from psygen.store.items import item_of
from psygen.store.queries import Reader


class StoredSplit(NamedTuple):
    """A split as it was made."""

    name: str
    policy: Policy
    made_at: str
    extended_at: str | None


class Placed(NamedTuple):
    """A question with its part, and what readers of a benchmark want to know of its concept."""

    part: Split
    item: Item
    revision: str
    concept: str
    """The concept's name; empty when the question has none."""
    rank: int
    """The concept's place in bank order, from 0."""


class SplitReader(Reader):
    """A reader that also knows the splits."""

    def splits(self) -> list[StoredSplit]:
        """Every split, in the order they were made."""
        rows = self._rows("SELECT * FROM splits ORDER BY made_at, rowid")
        return [
            StoredSplit(r["name"], Policy.model_validate_json(r["policy"]), r["made_at"], r["extended_at"])
            for r in rows
        ]

    def split(self, name: str) -> StoredSplit | None:
        """The split of that name; None when there is none."""
        return next((s for s in self.splits() if s.name == name), None)

    def parts(self, name: str) -> dict[str, Split]:
        """The part of every question of a split, by id; questions that no longer count among them."""
        rows = self._rows("SELECT item_id, part FROM split_items WHERE split = ? ORDER BY item_id", (name,))
        return {row["item_id"]: cast(Split, row["part"]) for row in rows}

    def placed(self, name: str) -> Iterator[Placed]:
        """Every question of a split with its part, whatever its state, in no particular order."""
        rows = self._rows(
            "SELECT i.*, p.part, u.rank, coalesce(c.concept, '') AS concept FROM split_items p "
            "JOIN items i ON i.id = p.item_id JOIN units u ON u.id = i.unit_id "
            "LEFT JOIN concepts c ON c.content = u.concept_content WHERE p.split = ?",
            (name,),
        )
        for row in rows:
            yield Placed(row["part"], item_of(row), row["revision"], row["concept"], row["rank"])

    def asked(self, engines: Sequence[str]) -> dict[tuple[str, str], int]:
        """Questions asked for of the engines' current units, by subject and chapter; batch and online are one."""
        rows = self._rows(
            "SELECT profile, subject, chapter, sum(asked) AS n FROM units WHERE is_stale = 0 "
            "GROUP BY profile, subject, chapter"
        )
        wanted = {"online" if engine == "batch" else engine for engine in engines}
        found: dict[tuple[str, str], int] = {}
        for row in rows:
            if row["profile"].split("/")[0] in wanted:
                place = (row["subject"], row["chapter"])
                found[place] = found.get(place, 0) + row["n"]
        return found

    def engines(self) -> list[str]:
        """Engines that have questions in the bank, sorted."""
        return [row["engine"] for row in self._rows("SELECT DISTINCT engine FROM items ORDER BY engine")]


def save_split(store: Store, name: str, policy: Policy, parts: Mapping[str, Split], *, replace: bool = False) -> None:
    """Store a new split. With `replace` one of that name gives way to it.

    Raises InputError when there is one of that name; nothing is changed then.
    """
    with store.writing() as conn:
        if replace:
            conn.execute("DELETE FROM split_items WHERE split = ?", (name,))
            conn.execute("DELETE FROM splits WHERE name = ?", (name,))
        elif conn.execute("SELECT 1 FROM splits WHERE name = ?", (name,)).fetchone():
            raise InputError(f'There is a split "{name}" already; extend it with --extend, or choose another --name.')
        conn.execute(
            "INSERT INTO splits (name, policy, seed, made_at) VALUES (?, ?, ?, ?)",
            (name, policy.model_dump_json(), policy.seed, now()),
        )
        rows = [(name, item_id, part) for item_id, part in sorted(parts.items())]
        conn.executemany("INSERT INTO split_items (split, item_id, part) VALUES (?, ?, ?)", rows)


def extend_split(store: Store, name: str, policy: Policy, parts: Mapping[str, Split]) -> None:
    """Add questions to a split and note what it takes in from now on. A place once stored is never changed."""
    with store.writing() as conn:
        conn.execute(
            "UPDATE splits SET policy = ?, extended_at = ? WHERE name = ?", (policy.model_dump_json(), now(), name)
        )
        rows = [(name, item_id, part) for item_id, part in sorted(parts.items())]
        conn.executemany("INSERT OR IGNORE INTO split_items (split, item_id, part) VALUES (?, ?, ?)", rows)
