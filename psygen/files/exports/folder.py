"""A folder that appears whole or not at all: where every export is written.

Files go into a hidden folder beside the target, readable by their owner only. When everything is written and on the
disk, the hidden folder is renamed into place. POSIX cannot exchange two folders in one step, so an older export is
first renamed to `.NAME.old`: a kill between the two leaves both of them whole, and the next export into the same
place puts the old one back before it begins.
"""

import fcntl
import hashlib
import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path, PurePosixPath
from typing import IO, Self

from psygen.crash import crash_point
from psygen.errors import ExportFault
from psygen.files.exports.names import is_safe_name

MANIFEST = "psygen.json"
"""The file by which an export of ours is known, in the folder's top."""


class ExportFolder:
    """The folder of one export. Use as a context manager: leaving it without an exception puts the folder in place."""

    def __init__(self, out: Path) -> None:
        """Nothing is touched yet. Raises ExportFault for the root of the file system."""
        # Not resolve(): a link in the place of the folder is refused, not followed.
        self.out = Path(os.path.abspath(out))
        if not self.out.name:
            raise ExportFault(f"--out {out} is no folder that can be made; give one a name.")
        self.files: dict[str, str] = {}
        """SHA-256 of every file written, by its path in the folder."""
        self.rows: dict[str, str] = {}
        """SHA-256 of the rows of files whose bytes depend on a library's version; by path."""
        self.notes: list[str] = []
        """Sentences for the user, e.g. which questions a format cannot hold."""
        self._old = self.out.with_name(f".{self.out.name}.old")
        self._draft = Path()
        self._lock = -1

    def __enter__(self) -> Self:
        """Raises ExportFault when the target is not ours to replace, or its parent cannot be written."""
        try:
            self._restore()
            if self.out.is_symlink() or (self.out.exists() and not _may_replace(self.out)):
                raise ExportFault(
                    f"{self.out} exists and is no export of psygen (it holds no {MANIFEST}); "
                    "give --out a new folder, or move this one away."
                )
            self.out.parent.mkdir(parents=True, exist_ok=True)
            self._remove_drafts()
            self._draft = Path(tempfile.mkdtemp(prefix=f".{self.out.name}.new-", dir=self.out.parent))
            self._lock = os.open(self._draft, os.O_RDONLY | os.O_DIRECTORY)
            fcntl.flock(self._lock, fcntl.LOCK_EX)
        except OSError as error:
            raise ExportFault(f"{self.out}: cannot be written: {error.strerror or error}.") from error
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: object) -> None:
        """Put the folder in place, or take the draft away when there was an exception.

        Raises ExportFault for a full or failing disk; whatever stood there before is then still there.
        """
        try:
            if kind is None:
                self._put_in_place()
        except OSError as fault:
            raise ExportFault(f"{self.out}: cannot be written: {fault.strerror or fault}.") from fault
        finally:
            shutil.rmtree(self._draft, ignore_errors=True)
            os.close(self._lock)
        if isinstance(error, OSError):
            raise ExportFault(f"{self.out}: cannot be written: {error.strerror or error}.") from error

    @contextmanager
    def open_text(self, relative: str) -> Iterator[IO[str]]:
        """A new UTF-8 file of the folder, line ends as written. relative: parts joined by `/`, each a safe name."""
        path = self._place(relative)
        with open(path, "x", encoding="utf-8", newline="", opener=_private) as file:
            yield file
        self._seal(relative, path)

    @contextmanager
    def open_bytes(self, relative: str) -> Iterator[IO[bytes]]:
        """A new binary file of the folder."""
        path = self._place(relative)
        with open(path, "xb", opener=_private) as file:
            yield file
        self._seal(relative, path)

    def write_text(self, relative: str, text: str) -> None:
        """Write a small text file."""
        self.write_bytes(relative, text.encode("utf-8"))

    def write_bytes(self, relative: str, data: bytes) -> None:
        """Write a small file."""
        with self.open_bytes(relative) as file:
            file.write(data)

    def note(self, sentence: str) -> None:
        """Keep a sentence that the user is told at the end."""
        self.notes.append(sentence)

    def _place(self, relative: str) -> Path:
        """Where a file of that name is written. Raises ValueError for a name that could leave the folder."""
        parts = PurePosixPath(relative).parts
        if not parts or "/".join(parts) != relative or not all(is_safe_name(part) for part in parts):
            raise ValueError(f"{relative!r} is no path inside an export")
        path = self._draft.joinpath(*parts)
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        return path

    def _seal(self, relative: str, path: Path) -> None:
        """Hash what was written and bring it to the disk."""
        with path.open("rb") as file:
            self.files[relative] = hashlib.file_digest(file, "sha256").hexdigest()
            os.fsync(file.fileno())

    def _put_in_place(self) -> None:
        for folder in sorted({self._draft, *(p for p in self._draft.rglob("*") if p.is_dir())}):
            _sync_folder(folder)
        crash_point("before_rename")
        replaces = self.out.exists()
        if replaces:
            os.rename(self.out, self._old)
        crash_point("between_renames")
        try:
            os.rename(self._draft, self.out)
        except OSError:
            if replaces:
                os.rename(self._old, self.out)
            raise
        _sync_folder(self.out.parent)
        if replaces:
            shutil.rmtree(self._old, ignore_errors=True)

    def _restore(self) -> None:
        """Put back an export that a kill left between the two renames; take away one that was replaced."""
        if self._old.is_symlink() or not (self._old / MANIFEST).is_file():
            return
        if self.out.exists():
            shutil.rmtree(self._old)
        else:
            os.rename(self._old, self.out)

    def _remove_drafts(self) -> None:
        """Take away what killed exports into this place left behind; a draft at work is locked and stays."""
        for draft in self.out.parent.glob(f".{_literal(self.out.name)}.new-*"):
            if draft.is_symlink() or not draft.is_dir():
                continue
            lock = os.open(draft, os.O_RDONLY | os.O_DIRECTORY)
            try:
                with suppress(BlockingIOError):
                    fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
                    shutil.rmtree(draft)
            finally:
                os.close(lock)


def _may_replace(out: Path) -> bool:
    """Whether the folder is an export of ours, or empty."""
    return out.is_dir() and ((out / MANIFEST).is_file() or not any(out.iterdir()))


def _private(path: str, flags: int) -> int:
    return os.open(path, flags, 0o600)


def _literal(name: str) -> str:
    """`name` as a glob pattern that means itself."""
    return "".join(f"[{c}]" if c in "*?[" else c for c in name)


def _sync_folder(folder: Path) -> None:
    """Bring a folder's entries to the disk."""
    handle = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
