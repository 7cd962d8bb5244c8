"""Who holds the run lock, without taking it for longer than a look."""

import fcntl
import os
from pathlib import Path


def lock_holder(database: Path) -> str:
    """The process that holds the run lock, as it named itself; empty when nobody does."""
    try:
        handle = os.open(database.with_suffix(".lock"), os.O_RDONLY | os.O_CLOEXEC)
    except OSError:
        return ""
    try:
        # Shared, and given back at once: asking by the number noted in the file would find a stranger's process.
        fcntl.flock(handle, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except BlockingIOError:
        return os.pread(handle, 200, 0).decode("utf-8", "replace").strip() or "another process"
    finally:
        os.close(handle)
    return ""
