"""A sound copy of the database at any time, also while a run writes.

SQLite's own backup takes one snapshot of the pages in a single step: writers go on meanwhile, and the -wal file's part
is in it, which a copied file would lack. VACUUM INTO would do as well but rebuilds every table, slower and with the
copy's pages no longer those of the original.
"""

import sqlite3
from pathlib import Path
from typing import NamedTuple

from psygen.errors import ExportFault, StoreUnusable
from psygen.store.connection import connect, now
from psygen.store.notes import LastBackup, backup_note, write_note
from psygen.store.whole import whole


class Backup(NamedTuple):
    """A copy that was made."""

    path: Path
    size: int
    """Bytes."""


def back_up(database: Path, target: Path, *, overwrite: bool = False) -> Backup:
    """Copy the database to one file for its owner only, checked before it appears; remembers where it is.

    Raises ExportFault when the target exists or cannot be written, StoreUnusable when the database is missing or
    damaged (then nothing is written: a copy of a damaged file is no backup).
    """
    if target.resolve() == database.resolve():
        raise ExportFault(f"{target}: is the database itself; name another file.")
    if target.exists() and not overwrite:
        raise ExportFault(f"{target}: exists already; name another file, or say --force.")
    source = connect(database, write=False)
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        with whole(target) as temporary:
            _copy(source, database, temporary)
        size = target.stat().st_size
        write_note(backup_note(database), LastBackup(str(target.resolve()), now()))
    except OSError as error:
        raise ExportFault(f"{target}: cannot be written: {error.strerror or error}.") from error
    finally:
        source.close()
    return Backup(target, size)


def back_up_schema(database: Path, version: int) -> Path:
    """The copy that is kept before a database of an older schema is changed: beside it, named for that schema.

    Raises StoreUnusable when it cannot be made; then the database must stay as it is.
    """
    target = database.with_name(f"{database.name}.schema-{version}.bak")
    try:
        return back_up(database, target, overwrite=True).path
    except ExportFault as error:
        raise StoreUnusable(f"No copy could be kept of the older schema, so nothing was changed. {error}") from error


def _copy(source: sqlite3.Connection, database: Path, temporary: Path) -> None:
    """Copy and check. The copy leaves WAL mode, so that it is one file and stays one wherever it is taken."""
    copy = sqlite3.connect(temporary, isolation_level=None)
    try:
        source.backup(copy)
        copy.execute("PRAGMA journal_mode=DELETE")
        found = str(copy.execute("PRAGMA quick_check(1)").fetchone()[0])
    except sqlite3.Error as error:
        if error.sqlite_errorname in ("SQLITE_FULL", "SQLITE_IOERR_WRITE"):
            raise OSError("the disk is full") from error
        found = str(error)
    finally:
        copy.close()
    if found != "ok":
        raise StoreUnusable(
            f"{database}: no sound copy can be made of it ({found}); nothing was written, keep the file."
        )
    temporary.chmod(0o600)
