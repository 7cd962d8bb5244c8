"""Opening the database file: permissions, WAL, transactions, and SQLite's errors in psygen's words."""

import contextlib
import os
import sqlite3
import time
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from urllib.parse import quote

from psygen.errors import StoreUnusable

Connection = sqlite3.Connection
"""For rooms that hand a connection on without speaking SQL themselves."""
APPLICATION_ID = 0x50535947  # "PSYG"
LATEST = 3
"""What PRAGMA user_version says when every migration is applied."""
BUSY_S = 20.0


def now() -> str:
    """The present moment in UTC, ISO 8601 with seconds."""
    return datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def connect(path: Path, *, write: bool) -> sqlite3.Connection:
    """A connection in WAL mode, rows by name. A new file and its companions are readable by their owner only.

    Raises StoreUnusable when the file is missing (reading), damaged, not a database, read-only or newer.
    """
    with translated(path):
        if write:
            conn = _connect_writing(path)
        else:
            must_exist(path)
            conn = sqlite3.connect(f"file:{quote(str(path))}?mode=ro", uri=True, timeout=BUSY_S, isolation_level=None)
        conn.row_factory = sqlite3.Row
        _refuse_foreign(conn, path)
    return conn


def must_exist(path: Path) -> None:
    """Raises StoreUnusable, with what to type, when there is no database: for commands that never make one."""
    if not path.is_file():
        raise StoreUnusable(f"{path}: no database yet; make one with: psygen generate --subject statistics")


def _connect_writing(path: Path) -> sqlite3.Connection:
    old = os.umask(0o077)
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        conn = sqlite3.connect(path, timeout=BUSY_S, isolation_level=None)
        # A second process that opens the new file at the same moment waits here for the switch to WAL.
        for _ in range(200):
            try:
                conn.execute("PRAGMA journal_mode=WAL")
                break
            except sqlite3.OperationalError as error:
                if error.sqlite_errorname not in ("SQLITE_BUSY", "SQLITE_LOCKED"):
                    raise
                time.sleep(0.05)
        conn.execute("PRAGMA synchronous=FULL")
        conn.execute("PRAGMA foreign_keys=ON")
    finally:
        os.umask(old)
    return conn


def _refuse_foreign(conn: sqlite3.Connection, path: Path) -> None:
    found = conn.execute("PRAGMA application_id").fetchone()[0]
    has_tables = conn.execute("SELECT count(*) FROM sqlite_master").fetchone()[0] > 0
    if has_tables and found not in (APPLICATION_ID, 0):
        raise StoreUnusable(f"{path}: a database of another program; move it away or use another folder.")


@contextlib.contextmanager
def transaction(conn: sqlite3.Connection) -> Iterator[sqlite3.Connection]:
    """One transaction that may read before it writes; rolled back whole when anything is raised."""
    conn.execute("BEGIN IMMEDIATE")
    try:
        yield conn
    except BaseException:
        conn.rollback()
        raise
    try:
        conn.execute("COMMIT")
    except BaseException:
        conn.rollback()
        raise


@contextlib.contextmanager
def translated(path: Path) -> Iterator[None]:
    """SQLite's and the file system's errors as StoreUnusable, with what to do next."""
    try:
        yield
    except sqlite3.Error as error:
        raise StoreUnusable(f"{path}: {_advice(error)}") from error
    except OSError as error:
        raise StoreUnusable(f"{path}: {error.strerror or error}; check folder, permissions and disk space.") from error


def _advice(error: sqlite3.Error) -> str:
    name = getattr(error, "sqlite_errorname", "") or ""
    for part, advice in (
        ("BUSY", "another program holds the database; close it and repeat the command."),
        ("LOCKED", "another program holds the database; close it and repeat the command."),
        ("READONLY", "cannot be written; check the permissions of the file and its folder."),
        ("CANTOPEN", "cannot be opened; check that the folder exists and may be written."),
        ("NOTADB", "not a database; move the file away, nothing was changed."),
        ("CORRUPT", "damaged; nothing was changed. Keep the file and go back to the last backup."),
        ("FULL", "the disk is full; make room and repeat the command, everything received so far is stored."),
        ("IOERR", "the disk reports an error; everything received so far is stored."),
    ):
        if part in name:
            return advice
    return f"{error} ({name or type(error).__name__})."
