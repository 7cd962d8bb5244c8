"""Two small files beside the database: where the last backup lies, and how far the last run had come.

They stand outside of it because they are wanted exactly when it is damaged, or older than it should be.
"""

import json
from pathlib import Path
from typing import NamedTuple

from psygen.store.whole import whole


class LastBackup(NamedTuple):
    """The latest sound copy."""

    path: str
    made_at: str
    """UTC, ISO 8601 with seconds."""


class LastRun(NamedTuple):
    """How far the latest run had come when it began or ended."""

    project: str
    """Id of the database; empty in a file without tables."""
    run: int
    call: int
    """The highest ids there were."""


def backup_note(database: Path) -> Path:
    """Where a database's last backup is noted."""
    return database.with_suffix(".backup.json")


def run_note(database: Path) -> Path:
    """Where a database's last run is noted."""
    return database.with_suffix(".run.json")


def last_backup(database: Path) -> LastBackup | None:
    """The latest backup of a database that was noted; None when there is none."""
    value = _read(backup_note(database))
    path, made_at = value.get("path"), value.get("made_at")
    return LastBackup(path, made_at) if isinstance(path, str) and isinstance(made_at, str) else None


def last_run(database: Path) -> LastRun | None:
    """The latest run on a database that was noted; None when there is none."""
    value = _read(run_note(database))
    project, run, call = value.get("project"), value.get("run"), value.get("call")
    if isinstance(project, str) and isinstance(run, int) and isinstance(call, int):
        return LastRun(project, run, call)
    return None


def write_note(path: Path, note: LastBackup | LastRun) -> None:
    """Write a note whole. Raises OSError."""
    with whole(path) as temporary:
        temporary.write_text(json.dumps(note._asdict(), ensure_ascii=False) + "\n", encoding="utf-8")


def _read(path: Path) -> dict[str, object]:
    """A note's fields; none when it is missing or not ours, because a note is a help, not a condition."""
    try:
        value = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    return value if isinstance(value, dict) else {}
