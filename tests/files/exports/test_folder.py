"""The folder of an export: whole or not at all, and nothing leaves it."""

import hashlib
import os
import stat
from pathlib import Path

import pytest

from psygen.errors import ExportFault
from psygen.files.exports.folder import ExportFolder


def write(out: Path, text: str) -> ExportFolder:
    with ExportFolder(out) as folder:
        folder.write_text("data/a.txt", text)
        folder.write_text("psygen.json", "{}")
    return folder


def names(folder: Path) -> list[str]:
    return sorted(p.name for p in folder.iterdir())


def test_files_stand_in_place_with_their_hashes(tmp_path: Path) -> None:
    folder = write(tmp_path / "out", "一")
    data = (tmp_path / "out/data/a.txt").read_bytes()
    assert folder.files["data/a.txt"] == hashlib.sha256(data).hexdigest()
    assert names(tmp_path) == ["out"]


def test_everything_is_for_its_owner_only(tmp_path: Path) -> None:
    old = os.umask(0o022)
    try:
        write(tmp_path / "out", "一")
    finally:
        os.umask(old)
    modes = {p.relative_to(tmp_path).as_posix(): stat.S_IMODE(p.stat().st_mode) for p in tmp_path.rglob("*")}
    assert modes == {"out": 0o700, "out/data": 0o700, "out/data/a.txt": 0o600, "out/psygen.json": 0o600}


def test_an_export_of_ours_is_replaced_whole(tmp_path: Path) -> None:
    write(tmp_path / "out", "一")
    with ExportFolder(tmp_path / "out") as folder:
        folder.write_text("b.txt", "二")
        assert names(tmp_path / "out") == ["data", "psygen.json"]
    assert names(tmp_path / "out") == ["b.txt"]
    assert names(tmp_path) == ["out"]


def test_a_failure_leaves_the_old_export(tmp_path: Path) -> None:
    write(tmp_path / "out", "一")
    with pytest.raises(ZeroDivisionError), ExportFolder(tmp_path / "out") as folder:
        folder.write_text("data/a.txt", str(1 // len(folder.rows)))
    assert (tmp_path / "out/data/a.txt").read_text(encoding="utf-8") == "一"
    assert names(tmp_path) == ["out"]


def test_a_folder_of_somebody_else_is_refused(tmp_path: Path) -> None:
    (tmp_path / "out").mkdir()
    (tmp_path / "out/thesis.doc").write_text("x")
    with pytest.raises(ExportFault, match="no export of psygen"):
        write(tmp_path / "out", "一")
    assert names(tmp_path / "out") == ["thesis.doc"]


def test_a_link_is_refused(tmp_path: Path) -> None:
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "out").symlink_to(tmp_path / "elsewhere")
    with pytest.raises(ExportFault):
        write(tmp_path / "out", "一")


def test_an_empty_folder_is_taken(tmp_path: Path) -> None:
    (tmp_path / "out").mkdir()
    write(tmp_path / "out", "一")
    assert (tmp_path / "out/data/a.txt").is_file()


def test_an_export_set_aside_by_a_kill_comes_back(tmp_path: Path) -> None:
    write(tmp_path / ".out.old", "一")
    with pytest.raises(ZeroDivisionError), ExportFolder(tmp_path / "out") as folder:
        folder.write_text("a.txt", str(1 // len(folder.rows)))
    assert (tmp_path / "out/data/a.txt").read_text(encoding="utf-8") == "一"


def test_a_hidden_folder_of_somebody_else_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / ".out.old").mkdir()
    (tmp_path / ".out.old/thesis.doc").write_text("x")
    write(tmp_path / "out", "一")
    assert names(tmp_path / ".out.old") == ["thesis.doc"]


def test_drafts_of_killed_exports_go_and_a_draft_at_work_stays(tmp_path: Path) -> None:
    (tmp_path / ".out.new-dead").mkdir()
    with ExportFolder(tmp_path / "out") as first:
        first.write_text("psygen.json", "1")
        write(tmp_path / "out", "二")
        assert len([n for n in names(tmp_path) if n.startswith(".out.new-")]) == 1
    assert names(tmp_path) == ["out"]


@pytest.mark.parametrize(
    "name", ["../x", "/etc/x", "a/../../x", "a//b", "", ".hidden", "-rf", "a/CON.csv", "中文", "a\\b"]
)
def test_no_file_leaves_the_folder(tmp_path: Path, name: str) -> None:
    with pytest.raises(ValueError, match="no path inside"), ExportFolder(tmp_path / "out") as folder:
        folder.write_text(name, "x")


def test_a_file_is_written_once(tmp_path: Path) -> None:
    with ExportFolder(tmp_path / "out") as folder:
        folder.write_text("a.txt", "x")
        with pytest.raises(FileExistsError):
            folder.write_text("a.txt", "y")


def test_a_parent_that_cannot_be_made_is_a_sentence(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("x")
    with pytest.raises(ExportFault, match="cannot be written"):
        write(tmp_path / "file/out", "x")
