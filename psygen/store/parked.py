"""Units that were given up, and how they are put back."""

from typing import NamedTuple

from psygen.store.connection import now
from psygen.store.database import Store
from psygen.store.units import MOST_TRIES


class GivenUp(NamedTuple):
    """Units that were given up for one reason."""

    subject: str
    reason: str
    units: int


GIVEN_UP = f"is_stale = 0 AND (state = 'parked' OR (state IN ('pending', 'partial') AND tries >= {MOST_TRIES:d}))"
"""SQL: parked, or still short after as many replies as a unit may have."""

ANSWERED = (
    "EXISTS (SELECT 1 FROM requests r JOIN calls c ON c.request_id = r.id AND c.state = 'received' "
    "WHERE r.unit_id = units.id)"
)
"""SQL: some request of the unit was answered."""


def given_up(store: Store, profile: str) -> list[GivenUp]:
    """Why units of a profile were given up, the most frequent reason first."""
    with store.writing() as conn:
        rows = conn.execute(
            "SELECT subject, reason, count(*) AS n FROM units WHERE profile = ? AND "  # noqa: S608  (a constant)
            f"{GIVEN_UP} GROUP BY subject, reason ORDER BY n DESC, reason, subject",
            (profile,),
        )
        return [GivenUp(*row) for row in rows]


def put_back(store: Store, profile: str, chosen: list[GivenUp]) -> int:
    """Make the chosen units as if they had not been asked too often; how many.

    A unit without a question whose requests were answered is asked by a further sample: its first request has an
    answer already, and no request gets two.
    """
    count = 0
    with store.writing() as conn:
        for subject, reason, _ in chosen:
            count += conn.execute(
                "UPDATE units SET state = CASE WHEN kept = 0 THEN 'pending' ELSE 'partial' END, tries = 0, "  # noqa: S608
                f"reason = '', sample = sample + (kept = 0 AND {ANSWERED}), updated_at = ? "
                f"WHERE profile = ? AND subject = ? AND reason = ? AND {GIVEN_UP}",
                (now(), profile, subject, reason),
            ).rowcount
    return count
