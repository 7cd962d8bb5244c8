import os
import signal
import stat
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from psygen.errors import ExportFault, StoreUnusable
from psygen.store.backup import back_up
from psygen.store.database import Store
from psygen.store.notes import LastBackup, backup_note, last_backup, last_run
from psygen.store.queries import Reader
from tests.store.test_database import PROFILE, planned

Run = Callable[..., subprocess.CompletedProcess[str]]


@pytest.fixture
def path(tmp_path: Path) -> Path:
    path = tmp_path / "outputs" / "psygen.db"
    with Store(path) as store:
        planned(store, 3)
    return path


def test_a_backup_is_one_file_for_its_owner_and_holds_everything(path: Path, tmp_path: Path) -> None:
    target = tmp_path / "safe" / "copy.db"
    with Store(path) as store:
        store.start_run(PROFILE, {})  # Still in the -wal file.
        done = back_up(path, target)
    assert (done.path, done.size) == (target, target.stat().st_size)
    assert [p.name for p in target.parent.iterdir()] == ["copy.db"]
    assert stat.S_IMODE(target.stat().st_mode) == 0o600
    with Reader(target) as reader:
        assert reader.profiles() == [PROFILE.id]


def test_a_backup_overwrites_only_when_told_and_never_the_database(path: Path, tmp_path: Path) -> None:
    target = tmp_path / "copy.db"
    target.write_text("mine", encoding="utf-8")
    with pytest.raises(ExportFault, match="--force"):
        back_up(path, target)
    assert target.read_text(encoding="utf-8") == "mine"
    back_up(path, target, overwrite=True)
    with pytest.raises(ExportFault, match="the database itself"):
        back_up(path, path, overwrite=True)
    with Reader(target) as reader:
        assert reader.project()


def test_of_a_missing_or_damaged_database_there_is_no_backup(path: Path, tmp_path: Path) -> None:
    with pytest.raises(StoreUnusable, match="no database yet"):
        back_up(tmp_path / "nothing.db", tmp_path / "copy.db")
    data = bytearray(path.read_bytes())
    data[4096 * 5 : 4096 * 12] = b"\xa5" * 4096 * 7
    path.write_bytes(data)
    with pytest.raises(StoreUnusable, match="no sound copy"):
        back_up(path, tmp_path / "copy.db")
    assert [p.name for p in tmp_path.iterdir()] == ["outputs"]


def test_the_last_backup_is_remembered_outside_the_database(path: Path, tmp_path: Path) -> None:
    before = path.read_bytes()
    assert last_backup(path) is None
    back_up(path, tmp_path / "a.db")
    back_up(path, tmp_path / "b.db")
    found = last_backup(path)
    assert isinstance(found, LastBackup)
    assert found.path == str(tmp_path / "b.db")
    assert path.read_bytes() == before
    backup_note(path).write_text('["not", "ours"]', encoding="utf-8")
    assert (last_backup(path), last_run(path)) == (None, None)


def test_a_kill_before_the_rename_leaves_the_old_backup(path: Path, tmp_path: Path, psygen: Run) -> None:
    (tmp_path / "copy.db").write_text("old", encoding="utf-8")
    args = [sys.executable, "-m", "psygen", "backup", "copy.db", "--force"]
    env = {k: v for k, v in os.environ.items() if not k.startswith("PSYGEN_")} | {"PSYGEN_CRASH_AT": "before_rename"}
    assert subprocess.run(args, cwd=tmp_path, env=env, check=False).returncode == -signal.SIGKILL
    assert (tmp_path / "copy.db").read_text(encoding="utf-8") == "old"
    assert psygen("backup", "copy.db", "--force").returncode == 0
    with Reader(tmp_path / "copy.db") as reader:
        assert reader.project()


def test_a_target_that_cannot_be_written_is_one_sentence(psygen: Run, path: Path, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("", encoding="utf-8")
    done = psygen("backup", "file/copy.db")
    assert (done.returncode, "cannot be written" in done.stderr) == (2, True)
    assert "Traceback" not in done.stderr
