"""A database that went back in time is noticed: copied without its -wal file, or put back from an old backup.

Going on with it in silence would ask, and pay, once more for answers that were already held. So each run notes how far
the database had come, in a small file beside it, and the next one compares.
"""

from pathlib import Path

from psygen.errors import StoreUnusable
from psygen.store.connection import connect, translated
from psygen.store.notes import LastRun, last_run, run_note, write_note


def note_run(database: Path) -> None:
    """Note how far the database has come. Raises StoreUnusable when nothing can be written beside it."""
    with translated(database):
        write_note(run_note(database), _as_it_is(database))


def refuse_step_back(database: Path) -> None:
    """Raise StoreUnusable when the database is older than the last run on it; before anything else is done to it."""
    fault = step_back(database)
    if fault:
        raise StoreUnusable(fault)


def step_back(database: Path) -> str:
    """What is wrong when the database is older than the last run on it, and what to do; empty when nothing is.

    Another database in its place, or none, is the user's own doing and no fault.
    """
    noted = last_run(database)
    if noted is None or not database.is_file():
        return ""
    found = _as_it_is(database)
    if found.project not in ("", noted.project) or (found.run >= noted.run and found.call >= noted.call):
        return ""
    return (
        f"{database}: older than the last run on it: run {noted.run:,} and call {noted.call:,} were noted, it knows "
        f"run {found.run:,} and call {found.call:,}. Was it copied without {database.name}-wal, or put back from a "
        f"backup? Put the newer files back; or delete {run_note(database)} to go on from here: what came later will be "
        "asked and paid again."
    )


def _as_it_is(database: Path) -> LastRun:
    conn = connect(database, write=False)
    try:
        with translated(database):
            if not conn.execute("SELECT count(*) FROM sqlite_master WHERE name = 'meta'").fetchone()[0]:
                return LastRun("", 0, 0)
            sql = (
                "SELECT (SELECT value FROM meta WHERE key = 'project') AS project, "
                "(SELECT coalesce(max(id), 0) FROM runs) AS run, (SELECT coalesce(max(id), 0) FROM calls) AS call"
            )
            return LastRun(*conn.execute(sql).fetchone())
    finally:
        conn.close()
