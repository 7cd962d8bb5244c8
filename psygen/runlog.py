"""The log of runs: outputs/logs/psygen.jsonl, one JSON object a line, rotated, for its owner only.

It says what happened, never what was asked or answered: only the fields of a fixed list go in, and whatever looks like
a key is blotted out. Logging never stops a run: where it cannot write, it stays silent.
"""

import contextlib
import json
import logging
import os
import re
from datetime import UTC, datetime
from io import TextIOWrapper
from logging.handlers import RotatingFileHandler
from pathlib import Path

from psygen.settings import Settings
from psygen.text import without_controls

FIELDS = frozenset(
    "pid version engine model lang subjects limit concurrency units left planned to_ask done asked finished "
    "items invalid short parked pending code status unit request call attempt reason wait_s in_flight signal "
    "exit_code certain_usd possible_usd cap_usd seconds batch path schema".split()
)
"""Names of the fields a line may have besides time, level, event and run. Nothing else is written."""
MOST_BYTES = 5 * 2**20
KEPT_FILES = 5
LONGEST_VALUE = 300
"""Characters of a text at most: a server's sentence, never a reply."""
WARNINGS = frozenset(["call_failed", "call_unknown", "paused", "slowed", "parked", "stopped"])
_KEY = re.compile(r"\b[spr]k-[A-Za-z0-9_\-]{6,}|\bBearer\s+\S+")
_BLOT = "[redacted]"


class RunLog:
    """The log of one run."""

    def __init__(self, logger: logging.Logger, run: int | None) -> None:
        self._logger = logger
        self._run = run

    def event(self, name: str, **fields: object) -> None:
        """One line; fields outside FIELDS are left out, and so are those that are None."""
        level = logging.WARNING if name in WARNINGS else logging.INFO
        self._logger.log(level, name, extra={"run": self._run, "fields": fields})

    def close(self) -> None:
        """Close the file."""
        for handler in list(self._logger.handlers):
            self._logger.removeHandler(handler)
            with contextlib.suppress(OSError):
                handler.close()


def log_file(settings: Settings) -> Path:
    """Where the log of a workspace is."""
    return settings.outputs / "logs" / "psygen.jsonl"


def run_log(settings: Settings, run: int | None = None) -> RunLog:
    """The log of a run, opened at its first line. The key, wherever it is named, is known to be blotted out."""
    logger = logging.Logger("psygen.run", logging.INFO)
    # Without any handler logging would complain on stderr.
    logger.addHandler(logging.NullHandler())
    path = log_file(settings)
    try:
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    except OSError:
        return RunLog(logger, run)
    handler = _OwnersFile(path, maxBytes=MOST_BYTES, backupCount=KEPT_FILES, encoding="utf-8", delay=True)
    handler.setFormatter(_JsonLine(os.environ.get(settings.server.api_key_env, "").strip()))
    logger.addHandler(handler)
    return RunLog(logger, run)


class _OwnersFile(RotatingFileHandler):
    """A rotating file of mode 0600 that never raises and never complains on stderr."""

    def _open(self) -> TextIOWrapper:
        # The mode of the open call, not a chmod afterwards: at no moment may others read it.
        # Without a buffer: what a full disk did not take would be tried, and raised, again when the file is closed.
        file = open(self.baseFilename, "ab", buffering=0, opener=_for_owner)  # noqa: SIM115  (the handler closes it)
        return TextIOWrapper(file, encoding="utf-8", errors="backslashreplace", write_through=True)

    def handleError(self, record: logging.LogRecord) -> None:  # noqa: N802  (logging's name)
        """A full disk or a lost folder ends the log, not the run."""


def _for_owner(path: str, flags: int) -> int:
    return os.open(path, flags | os.O_CLOEXEC, 0o600)


class _JsonLine(logging.Formatter):
    """A record as one JSON object in one line."""

    def __init__(self, key: str) -> None:
        super().__init__()
        self._key = key

    def format(self, record: logging.LogRecord) -> str:
        """Time in UTC, level, event, run, then the allowed fields in the order they were given."""
        moment = datetime.fromtimestamp(record.created, UTC).strftime("%Y-%m-%dT%H:%M:%S.%f")[:-3] + "Z"
        value: dict[str, object] = {"time": moment, "level": record.levelname.lower(), "event": record.msg}
        if (run := getattr(record, "run", None)) is not None:
            value["run"] = run
        fields: dict[str, object] = getattr(record, "fields", {})
        value |= {k: self._clean(v) for k, v in fields.items() if k in FIELDS and v is not None}
        return json.dumps(value, ensure_ascii=False)

    def _clean(self, value: object) -> object:
        """Numbers as they are; anything else as a short text without keys, control characters and line ends."""
        if isinstance(value, bool | int | float):
            return value
        if isinstance(value, list | tuple):
            return [self._clean(one) for one in value]
        # One line, whatever a server wrote: its text cannot begin a line of its own.
        text = " ".join(without_controls(str(value)).split())
        if self._key:
            text = text.replace(self._key, _BLOT)
        return _KEY.sub(_BLOT, text)[:LONGEST_VALUE]
