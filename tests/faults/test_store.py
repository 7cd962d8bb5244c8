"""What may happen to the database: locked, unwritable, damaged, cut, copied, deleted, full."""

import json
import os
import shutil
import signal
import sqlite3
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from psygen.errors import StoreUnusable
from psygen.make.lock_holder import lock_holder
from psygen.store.backup import back_up
from psygen.store.connection import connect
from psygen.store.database import Store
from psygen.store.lastrun import note_run, refuse_step_back
from psygen.store.notes import run_note
from psygen.store.queries import Reader
from tests.faults.promises import keep_promises
from tests.store.test_database import PROFILE, planned, received, request
from tests.stub import bills, running

Run = Callable[..., subprocess.CompletedProcess[str]]
OFFLINE = ("generate", "--all", "--engine", "offline")


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "outputs" / "psygen.db"


@contextmanager
def held(database: Path) -> Iterator[sqlite3.Connection]:
    """The database's write lock, as another program may hold it."""
    conn = sqlite3.connect(database, isolation_level=None, check_same_thread=False)
    conn.execute("BEGIN IMMEDIATE")
    try:
        yield conn
    finally:
        conn.close()


def test_a_database_locked_for_ever_ends_the_run_and_nothing_is_sent(
    own_workspace: Path, psygen: Run, tmp_path: Path
) -> None:
    log = tmp_path / "bills"
    database = own_workspace / "outputs" / "psygen.db"
    psygen(*OFFLINE, "--limit", "1", cwd=own_workspace)
    with running(log=log) as url, held(database):
        online = ("generate", "--all", "--engine", "online", "--base-url", url, "--model", "good")
        done = psygen(*online, cwd=own_workspace, env={"PSYGEN_BUSY_S": "0.3"})
    assert done.returncode == 6, done.stderr
    assert "another program holds the database" in done.stderr
    assert bills(log) == []
    keep_promises(own_workspace, said=done.stderr)


def test_a_database_locked_for_a_while_is_waited_for(own_workspace: Path, psygen: Run) -> None:
    psygen(*OFFLINE, "--limit", "1", cwd=own_workspace)
    with held(own_workspace / "outputs" / "psygen.db") as conn:
        release = threading.Timer(1.5, conn.rollback)
        release.start()
        done = psygen(*OFFLINE, cwd=own_workspace)
        release.join()
    assert done.returncode == 0, done.stderr


def test_a_wait_that_is_no_number_is_wrong_use(psygen: Run, own_workspace: Path) -> None:
    done = psygen(*OFFLINE, cwd=own_workspace, env={"PSYGEN_BUSY_S": "soon"})
    assert (done.returncode, "PSYGEN_BUSY_S" in done.stderr) == (2, True)


@pytest.mark.parametrize("shape", ["outputs is a file", "the database is a folder"])
def test_a_place_that_cannot_be_written_is_found_before_anything_is_sent(
    own_workspace: Path, psygen: Run, tmp_path: Path, shape: str
) -> None:
    log = tmp_path / "bills"
    if shape == "outputs is a file":
        (own_workspace / "outputs").write_text("mine", encoding="utf-8")
    else:
        (own_workspace / "outputs" / "psygen.db").mkdir(parents=True)
    with running(log=log) as url:
        args = ["generate", "--all", "--engine", "online", "--base-url", url, "--model", "good"]
        done = psygen(*args, cwd=own_workspace)
    assert done.returncode == 6, done.stderr
    assert "Traceback" not in done.stderr
    assert bills(log) == []


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write anywhere")
def test_a_read_only_database_is_found_before_anything_runs(own_workspace: Path, psygen: Run) -> None:
    psygen(*OFFLINE, "--limit", "1", cwd=own_workspace)
    database = own_workspace / "outputs" / "psygen.db"
    database.chmod(0o400)
    done = psygen(*OFFLINE, cwd=own_workspace)
    assert (done.returncode, "permissions" in done.stderr) == (6, True)


@pytest.mark.parametrize(
    ("start", "end", "said"), [(0, 40, "not a database"), (100, 4096, "damaged"), (4096, None, "damaged")]
)
def test_a_damaged_file_is_left_untouched_and_the_last_backup_named(
    own_workspace: Path, psygen: Run, start: int, end: int | None, said: str
) -> None:
    psygen(*OFFLINE, "--limit", "3", cwd=own_workspace)
    psygen("backup", "safe.db", cwd=own_workspace)
    database = own_workspace / "outputs" / "psygen.db"
    for companion in ("-wal", "-shm"):
        database.with_name(database.name + companion).unlink(missing_ok=True)
    data = bytearray(database.read_bytes())
    end = len(data) if end is None else end
    data[start:end] = b"\xa5" * (end - start)
    database.write_bytes(data)
    for args in (OFFLINE, ("status",), ("report",), ("doctor",), ("backup", "no.db")):
        done = psygen(*args, cwd=own_workspace)
        assert done.returncode == 6, (args, done.stdout, done.stderr)
        assert "Traceback" not in done.stderr
    assert not (own_workspace / "no.db").exists()
    done = psygen(*OFFLINE, cwd=own_workspace)
    assert said in done.stderr
    assert str(own_workspace / "safe.db") in done.stderr
    assert database.read_bytes() == bytes(data)


def test_a_backup_put_back_after_damage_goes_on(own_workspace: Path, psygen: Run) -> None:
    psygen(*OFFLINE, "--limit", "3", cwd=own_workspace)
    psygen("backup", "safe.db", cwd=own_workspace)
    database = own_workspace / "outputs" / "psygen.db"
    for companion in ("", "-wal", "-shm"):
        database.with_name(database.name + companion).unlink(missing_ok=True)
    shutil.copy(own_workspace / "safe.db", database)
    assert psygen(*OFFLINE, cwd=own_workspace).returncode == 0
    keep_promises(own_workspace)
    assert json.loads(psygen("status", "--json", cwd=own_workspace).stdout)["subjects"][0]["done"] == 12


def test_a_database_without_its_wal_file_is_noticed(path: Path) -> None:
    store = Store(path)
    planned(store)
    store.start_run(PROFILE, {})
    note_run(path)
    refuse_step_back(path)
    other = path.with_name("copy.db")
    shutil.copy(path, other)
    shutil.copy(run_note(path), run_note(other))
    with pytest.raises(StoreUnusable, match="copied without"):
        refuse_step_back(other)
    run_note(other).unlink()
    refuse_step_back(other)
    store.__exit__()


def test_another_database_in_its_place_or_none_is_no_step_back(path: Path) -> None:
    with Store(path) as store:
        store.start_run(PROFILE, {})
    note_run(path)
    path.unlink()
    refuse_step_back(path)
    with Store(path):
        refuse_step_back(path)


def test_a_file_deleted_while_in_use_is_noticed_at_the_next_commit(path: Path) -> None:
    with Store(path) as store:
        units = planned(store, 2)
        journal = store.journal(store.start_run(PROFILE, {}))
        path.unlink()
        with pytest.raises(StoreUnusable, match=r"psygen\.db"):
            journal.intend([request(units[0])])
    assert not path.exists()


SMALL_DISK = """
import sqlite3, sys
connect = sqlite3.connect
def small(*args, **named):
    conn = connect(*args, **named)
    pages = conn.execute("PRAGMA page_count").fetchone()[0]
    conn.execute(f"PRAGMA max_page_count = {max(pages, PAGES)}")
    return conn
sqlite3.connect = small
sys.argv = ["psygen", *sys.argv[1:]]
from psygen.cli.main import main; main()
"""


def test_a_full_disk_ends_the_run_and_the_same_command_goes_on(
    own_workspace: Path, psygen: Run, tmp_path: Path
) -> None:
    log = tmp_path / "bills"
    wide = 2
    with running(log=log) as url:
        args = ["generate", "--all", "--engine", "online", "--base-url", url, "--model", "good"]
        args += ["--concurrency", str(wide)]
        empty = psygen(*OFFLINE, "--limit", "1", cwd=own_workspace)
        assert empty.returncode == 0
        pages = (own_workspace / "outputs" / "psygen.db").stat().st_size // 4096 + 20
        code = SMALL_DISK.replace("PAGES", str(pages))
        clean = {k: v for k, v in os.environ.items() if not k.startswith(("PSYGEN_", "OPENAI_"))}
        full = subprocess.run(
            [sys.executable, "-c", code, *args],
            cwd=own_workspace,
            env=clean,
            capture_output=True,
            text=True,
            check=False,
        )
        assert full.returncode == 6, full.stderr
        assert "the disk is full" in full.stderr
        keep_promises(own_workspace, log=log, most_in_doubt=wide, said=full.stderr)
        assert 0 < len(bills(log)) < 12
        again = psygen(*args, cwd=own_workspace)
    assert again.returncode == 0, again.stderr
    keep_promises(own_workspace, log=log, most_in_doubt=wide, said=again.stderr)
    items = psygen("items", "export", "--stable", "--engine", "online", cwd=own_workspace).stdout.splitlines()
    assert len(items) == 48


def test_a_second_run_is_refused_at_once_and_names_the_first(own_workspace: Path, psygen: Run) -> None:
    with running(latency=30) as url:
        args = ["generate", "--all", "--engine", "online", "--base-url", url, "--model", "good"]
        clean = {k: v for k, v in os.environ.items() if not k.startswith(("PSYGEN_", "OPENAI_"))}
        first = subprocess.Popen(
            [sys.executable, "-m", "psygen", *args], cwd=own_workspace, env=clean, stderr=subprocess.DEVNULL
        )
        try:
            wait_for(lambda: lock_holder(own_workspace / "outputs" / "psygen.db"))
            second = psygen(*args, cwd=own_workspace)
        finally:
            first.send_signal(signal.SIGKILL)
            first.wait()
    assert second.returncode == 6
    assert f"process {first.pid} " in second.stderr
    assert lock_holder(own_workspace / "outputs" / "psygen.db") == ""


def wait_for(happened: Callable[[], object]) -> None:
    """Until something is so; a test that waits longer than its patience fails."""
    for _ in range(600):
        if happened():
            return
        time.sleep(0.05)
    raise AssertionError("it did not happen")


def test_reading_while_a_run_writes_disturbs_nobody_and_the_log_stays_small(path: Path) -> None:
    trouble: list[BaseException] = []
    over = threading.Event()

    def read() -> None:
        try:
            while not over.is_set():
                with Reader(path) as reader:
                    assert reader.books().received <= 400
        except BaseException as error:  # noqa: BLE001  (handed to the test)
            trouble.append(error)

    with Store(path) as store:
        units = planned(store, 400)
        journal = store.journal(store.start_run(PROFILE, {}))
        reader = threading.Thread(target=read)
        reader.start()
        for unit in units:
            one = request(unit)
            journal.settle([received(one, journal.intend([one])[0], b"x" * 20_000)])
        over.set()
        reader.join()
        # 8 MB of answers passed through it; it is emptied into the database every thousand pages.
        assert path.with_name("psygen.db-wal").stat().st_size < 7_000_000
    assert trouble == []


STEPS = 3


def written(path: Path) -> None:
    """A database as a power failure finds it: steps in the -wal file, each of two rows in two tables."""
    with Store(path) as store:
        conn = store._conn
        conn.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        for n in range(1, STEPS + 1):
            store.start_run(PROFILE, {"n": n})
        for companion in ("", "-wal"):
            shutil.copy(f"{path}{companion}", f"{path}.saved{companion}")


def steps_in(path: Path, wal: bytes) -> int:
    """Open the saved database with this -wal file; how many whole steps are in it."""
    victim = path.with_name("victim.db")
    for companion in ("-shm", "-wal"):
        victim.with_name(victim.name + companion).unlink(missing_ok=True)
    shutil.copy(f"{path}.saved", victim)
    victim.with_name("victim.db-wal").write_bytes(wal)
    conn = connect(victim, write=True)
    try:
        assert conn.execute("PRAGMA integrity_check").fetchone()[0] == "ok"
        found = [json.loads(row[0])["n"] for row in conn.execute("SELECT selection FROM runs ORDER BY id")]
    finally:
        conn.close()
    assert found == list(range(1, len(found) + 1))
    return len(found)


def test_a_log_cut_at_any_byte_leaves_a_prefix_of_the_commits(path: Path) -> None:
    written(path)
    wal = Path(f"{path}.saved-wal").read_bytes()
    found = [steps_in(path, wal[:cut]) for cut in range(0, len(wal), 10)]
    assert found == sorted(found)
    assert (found[0], steps_in(path, wal)) == (0, STEPS)


def test_a_log_garbled_at_any_byte_leaves_a_prefix_of_the_commits(path: Path) -> None:
    written(path)
    wal = bytearray(Path(f"{path}.saved-wal").read_bytes())
    for place in range(0, len(wal), 10):
        wal[place] ^= 0xFF
        assert steps_in(path, bytes(wal)) <= STEPS
        wal[place] ^= 0xFF


def test_a_backup_taken_while_a_run_writes_is_sound(path: Path, tmp_path: Path) -> None:
    with Store(path) as store:
        units = planned(store, 60)
        journal = store.journal(store.start_run(PROFILE, {}))
        for n, unit in enumerate(units):
            one = request(unit)
            journal.settle([received(one, journal.intend([one])[0])])
            if n % 20 == 10:
                back_up(path, tmp_path / f"{n}.db")
    for n in (10, 30, 50):
        with Reader(tmp_path / f"{n}.db") as reader:
            assert reader.books().received == n + 1
