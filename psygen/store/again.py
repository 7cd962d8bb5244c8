"""Finished units opened once more: for new samples, or for as many questions as review has rejected."""

from collections.abc import Callable, Iterable, Sequence
from contextlib import AbstractContextManager
from sqlite3 import Connection

from psygen.store.connection import now

Writing = Callable[[], AbstractContextManager[Connection]]

LACKS_REJECTED = (
    "is_stale = 0 AND EXISTS (SELECT 1 FROM items i WHERE i.unit_id = units.id AND i.state = 'rejected') "
    "AND asked > (SELECT count(*) FROM items i WHERE i.unit_id = units.id AND i.state NOT IN ('invalid', 'rejected'))"
)
"""Which units lack questions because review has rejected some."""


def ask_again(writing: Writing, unit_ids: Sequence[str], questions: int, limit: int | None) -> int:
    """New samples of finished units, so many questions more of each: of those sampled the least often, in their order.

    limit: at most so many. Returns how many units are open now.
    """
    with writing() as conn:
        found = {
            row["id"]: row["sample"]
            for row in conn.execute("SELECT id, sample FROM units WHERE state IN ('done', 'parked') AND is_stale = 0")
        }
        samples = {unit: found[unit] for unit in unit_ids if unit in found}
        least = min(samples.values(), default=0)
        chosen = [unit for unit, sample in samples.items() if sample == least][:limit]
        conn.executemany(
            "UPDATE units SET asked = asked + ?1, sample = sample + 1, tries = 0, reason = '', updated_at = ?2, "
            "state = CASE WHEN kept = 0 THEN 'pending' ELSE 'partial' END WHERE id = ?3",
            [(questions, now(), unit) for unit in chosen],
        )
    return len(chosen)


def refill(writing: Writing, unit_ids: Iterable[str]) -> int:
    """Units whose questions review has rejected are open again for as many; how many units that concerns."""
    with writing() as conn:
        lacking = {row["id"] for row in conn.execute(f"SELECT id FROM units WHERE {LACKS_REJECTED}")}  # noqa: S608
        chosen = [unit for unit in unit_ids if unit in lacking]
        conn.executemany(
            "UPDATE units SET tries = 0, reason = '', updated_at = ?1, kept = (SELECT count(*) FROM items i "
            "WHERE i.unit_id = units.id AND i.state NOT IN ('invalid', 'rejected')) WHERE id = ?2",
            [(now(), unit) for unit in chosen],
        )
        conn.executemany(
            "UPDATE units SET state = CASE WHEN kept = 0 THEN 'pending' ELSE 'partial' END WHERE id = ?",
            [(unit,) for unit in chosen],
        )
    return len(chosen)
