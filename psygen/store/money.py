"""Sums of money over all calls, in micro-USD."""

import sqlite3
from typing import NamedTuple


class Spent(NamedTuple):
    """What was spent on a database so far."""

    certain: int
    """Received calls: their cost, or all that was set aside where the server did not say."""
    in_doubt: int
    """Set aside for calls that got no answer but may have been billed, and for those a provider has in a batch."""
    unpriced: int
    """Received calls whose price nobody knows."""


def spent(conn: sqlite3.Connection) -> Spent:
    """The sums over all runs; quick, from an index alone."""
    row = conn.execute(
        "SELECT coalesce(sum(CASE state WHEN 'received' THEN coalesce(cost_micro_usd, reserved_micro_usd) END), 0), "
        "coalesce(sum(CASE WHEN state IN ('intent', 'unknown') THEN reserved_micro_usd END), 0), "
        "coalesce(sum(state = 'received' AND coalesce(cost_micro_usd, reserved_micro_usd) IS NULL), 0) FROM calls"
    ).fetchone()
    return Spent(*row)
