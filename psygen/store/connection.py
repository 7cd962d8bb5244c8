"""Opening the database file: permissions, WAL, transactions, and SQLite's errors in psygen's words."""

import contextlib
import os
import sqlite3
import time
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from pathlib import Path
from urllib.parse import quote

from psygen.errors import SettingsFault, StoreUnusable
from psygen.store.notes import last_backup

Connection = sqlite3.Connection
"""For rooms that hand a connection on without speaking SQL themselves."""
APPLICATION_ID = 0x50535947  # "PSYG"
LATEST = 4
"""What PRAGMA user_version says when every migration is applied."""
BUSY_S = 20.0
"""How long another program's lock is waited for; PSYGEN_BUSY_S says otherwise."""


def now() -> str:
    """The present moment in UTC, ISO 8601 with seconds."""
    return datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def busy_s(environment: Mapping[str, str]) -> float:
    """Seconds to wait for another program that holds the database. Raises SettingsFault for what is no number."""
    text = environment.get("PSYGEN_BUSY_S", "")
    try:
        seconds = float(text or BUSY_S)
    except ValueError:
        seconds = -1.0
    if not 0 <= seconds < 1e6:
        raise SettingsFault(f'environment variable PSYGEN_BUSY_S: "{text}" is no number of seconds; write e.g. 20.')
    return seconds


def connect(path: Path, *, write: bool) -> sqlite3.Connection:
    """A connection in WAL mode, rows by name. A new file and its companions are readable by their owner only.

    Raises StoreUnusable when the file is missing (reading), damaged, not a database, read-only or newer.
    """
    wait_s = busy_s(os.environ)
    with translated(path):
        if write:
            conn = _connect_writing(path, wait_s)
        else:
            must_exist(path)
            conn = sqlite3.connect(f"file:{quote(str(path))}?mode=ro", uri=True, timeout=wait_s, isolation_level=None)
        conn.row_factory = sqlite3.Row
        _refuse_foreign(conn, path)
    return conn


def must_exist(path: Path) -> None:
    """Raises StoreUnusable, with what to type, when there is no database: for commands that never make one."""
    if not path.is_file():
        raise StoreUnusable(f"{path}: no database yet; make one with: psygen generate --subject statistics")


def _connect_writing(path: Path, wait_s: float) -> sqlite3.Connection:
    old = os.umask(0o077)
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        conn = sqlite3.connect(path, timeout=wait_s, isolation_level=None)
        _switch_to_wal(conn, wait_s)
        conn.execute("PRAGMA synchronous=FULL")
        conn.execute("PRAGMA foreign_keys=ON")
    finally:
        os.umask(old)
    return conn


def _switch_to_wal(conn: sqlite3.Connection, wait_s: float) -> None:
    """WAL mode. A second process that opens the new file at the same moment waits here: SQLite itself would not."""
    deadline = time.monotonic() + wait_s
    while True:
        try:
            conn.execute("PRAGMA journal_mode=WAL")
            return
        except sqlite3.OperationalError as error:
            busy = error.sqlite_errorname in ("SQLITE_BUSY", "SQLITE_LOCKED")
            if not busy or time.monotonic() >= deadline:
                raise
        time.sleep(0.05)


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
        raise StoreUnusable(f"{path}: {_advice(error)}{_way_back(error, path)}") from error
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


def _way_back(error: sqlite3.Error, path: Path) -> str:
    """Where the last backup lies, when the file is of no more use."""
    name = getattr(error, "sqlite_errorname", "") or ""
    if "CORRUPT" not in name and "NOTADB" not in name:
        return ""
    found = last_backup(path)
    if found is None:
        return " No backup of it was noted (psygen backup FILE makes one)."
    return f" The last backup: {found.path}, made {found.made_at}."
