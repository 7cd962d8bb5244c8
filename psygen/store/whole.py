"""Files of the store that appear whole or not at all."""

import contextlib
import os
import tempfile
from collections.abc import Iterator
from pathlib import Path

from psygen.crash import crash_point


@contextlib.contextmanager
def whole(path: Path) -> Iterator[Path]:
    """A temporary file beside `path`, readable by its owner only, that takes its place when the block ends well.

    Raises OSError when the folder cannot be written; then, and after any other error, nothing is left behind.
    """
    handle, name = tempfile.mkstemp(prefix=f".{path.name}.", dir=path.parent)
    os.close(handle)
    temporary = Path(name)
    try:
        yield temporary
        _sync(temporary)
        crash_point("before_rename")
        os.replace(temporary, path)
        _sync(path.parent)
    finally:
        temporary.unlink(missing_ok=True)


def _sync(path: Path) -> None:
    """Have the disk hold what the system holds of a file or folder."""
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
