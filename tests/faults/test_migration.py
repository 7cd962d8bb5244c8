"""A change of the schema: killed half-way, begun by two at once, met by an older or a newer psygen."""

import os
import signal
import sqlite3
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from psygen.errors import StoreUnusable
from psygen.make.upgrade import upgrade
from psygen.settings import Settings
from psygen.store.audit import audit, schema_of
from psygen.store.connection import APPLICATION_ID, LATEST, connect, transaction
from psygen.store.database import Store
from psygen.store.migrations import migrate, migrations
from psygen.store.notes import last_backup
from psygen.store.utils import Database

Run = Callable[..., subprocess.CompletedProcess[str]]
OPEN = "import sys; from pathlib import Path; from psygen.store.database import Store; Store(Path(sys.argv[1]))"


@pytest.fixture
def old(tmp_path: Path) -> Path:
    """A database of the first schema with something in it."""
    path = tmp_path / "outputs" / "psygen.db"
    conn = connect(path, write=True)
    with transaction(conn):
        migrations.apply(Database(conn, execute_plugins=False), stop_before="m002_night")
        conn.execute("PRAGMA user_version = 1")
        conn.execute(f"PRAGMA application_id = {APPLICATION_ID}")
        conn.execute("INSERT INTO meta (key, value) VALUES ('project', 'p'), ('made_at', 'once')")
    conn.close()
    return path


def opened(path: Path, **environment: str) -> subprocess.Popen[str]:
    env = {k: v for k, v in os.environ.items() if not k.startswith("PSYGEN_")} | environment
    return subprocess.Popen([sys.executable, "-c", OPEN, str(path)], env=env, stderr=subprocess.PIPE, text=True)


def test_an_older_database_is_copied_before_it_is_changed(old: Path) -> None:
    conn = connect(old, write=True)
    copy = migrate(conn, old)
    assert migrate(conn, old) is None
    conn.close()
    assert copy == old.with_name("psygen.db.schema-1.bak")
    assert (schema_of(copy), schema_of(old)) == (1, LATEST)
    assert audit(old) == []
    noted = last_backup(old)
    assert noted is not None
    assert noted.path == str(copy)
    assert copy.stat().st_mode & 0o077 == 0


def test_without_room_for_the_copy_nothing_is_changed(old: Path, workspace: Settings) -> None:
    old.with_name("psygen.db.schema-1.bak").mkdir()
    with pytest.raises(StoreUnusable, match="nothing was changed"):
        upgrade(workspace)
    assert schema_of(old) == 1


def test_a_run_is_told_where_the_copy_is_and_only_once(old: Path, workspace: Settings) -> None:
    assert upgrade(workspace) == old.with_name("psygen.db.schema-1.bak")
    assert upgrade(workspace) is None


def test_a_kill_in_a_migration_leaves_the_old_schema_and_the_next_start_finishes(old: Path) -> None:
    process = opened(old, PSYGEN_CRASH_AT="in_migration")
    assert (process.communicate()[1], process.returncode) == ("", -signal.SIGKILL)
    assert schema_of(old) == 1
    with Store(old) as store:
        assert store.recall("made_at") == "once"
    assert (schema_of(old), audit(old)) == (LATEST, [])


def test_a_kill_while_a_fresh_database_is_made_leaves_one_that_can_be_used(tmp_path: Path) -> None:
    path = tmp_path / "psygen.db"
    process = opened(path, PSYGEN_CRASH_AT="in_migration")
    assert (process.communicate()[1], process.returncode) == ("", -signal.SIGKILL)
    with Store(path):
        pass
    assert (schema_of(path), audit(path)) == (LATEST, [])


def test_two_processes_migrate_an_older_database_together(old: Path) -> None:
    both = [opened(old), opened(old)]
    assert [process.communicate()[1] for process in both] == ["", ""]
    assert [process.returncode for process in both] == [0, 0]
    assert (schema_of(old), audit(old)) == (LATEST, [])
    assert schema_of(old.with_name("psygen.db.schema-1.bak")) == 1


def test_a_newer_database_is_refused_and_left_untouched(psygen: Run, tmp_path: Path) -> None:
    path = tmp_path / "outputs" / "psygen.db"
    with Store(path):
        pass
    conn = sqlite3.connect(path)
    conn.execute("PRAGMA user_version = 99")
    conn.close()
    before = path.read_bytes()
    for args in (["generate", "--all", "--engine", "offline"], ["status"], ["report"], ["retry"], ["doctor"]):
        done = psygen(*args)
        assert done.returncode == 6, (args, done.stderr)
        assert "newer psygen" in done.stderr + done.stdout
    assert path.read_bytes() == before


def test_reading_commands_say_how_an_older_database_is_brought_up_to_date(old: Path, psygen: Run) -> None:
    done = psygen("report")
    assert (done.returncode, "psygen generate brings it up to date" in done.stderr) == (6, True)
    doctor = psygen("doctor")
    assert (doctor.returncode, "has schema 1" in doctor.stdout) == (0, True)
