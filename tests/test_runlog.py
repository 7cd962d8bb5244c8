import json
import logging
import os
import stat
from pathlib import Path
from typing import Any

import pytest

from psygen.runlog import KEPT_FILES, MOST_BYTES, log_file, run_log
from psygen.settings import Settings

KEY = "planted-secret-0123456789"


def lines(settings: Settings) -> list[dict[str, Any]]:
    return [json.loads(line) for line in log_file(settings).read_text(encoding="utf-8").split("\n")[:-1]]


def test_an_event_is_one_json_object_in_one_line(workspace: Settings) -> None:
    log = run_log(workspace, 7)
    log.event("run_started", model="模型", concurrency=4)
    log.event("call_failed", code="429", status=429, unit="abc", wait_s=0.5, attempt=None)
    log.close()
    first, second = lines(workspace)
    assert first.pop("time").endswith("Z")
    assert first == {"level": "info", "event": "run_started", "run": 7, "model": "模型", "concurrency": 4}
    assert list(second) == ["time", "level", "event", "run", "code", "status", "unit", "wait_s"]
    assert second["level"] == "warning"


def test_only_listed_fields_are_written(workspace: Settings) -> None:
    log = run_log(workspace)
    log.event("planned", prompt="问题", body={"messages": []}, raw=b"x", to_ask=3)
    log.close()
    assert list(lines(workspace)[0]) == ["time", "level", "event", "to_ask"]


@pytest.mark.parametrize(
    "text", ["a\nb", "a\r\nb", 'x\n{"event": "forged"}', "\u2028line", "\x1b[2J", "\x85next", "\x00", "\udc80"]
)
def test_text_from_a_server_begins_no_line_of_its_own(workspace: Settings, text: str) -> None:
    log = run_log(workspace)
    log.event("call_failed", reason=text)
    log.close()
    raw = log_file(workspace).read_bytes().decode("utf-8")
    assert len(raw.splitlines()) == 1
    assert [one["event"] for one in lines(workspace)] == ["call_failed"]


def test_no_key_is_written(workspace: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    log = run_log(workspace)
    for text in (KEY, f"Incorrect API key {KEY}.", "sk-proj-abcdef_123456", "Bearer abc.def", ["x", f"y{KEY}"]):
        log.event("call_failed", reason=text)
    log.close()
    raw = log_file(workspace).read_text(encoding="utf-8")
    assert not [secret for secret in (KEY, "abcdef_123456", "abc.def") if secret in raw]
    assert raw.count("[redacted]") == 5


def test_the_log_is_its_owners_only_and_is_rotated(workspace: Settings) -> None:
    old = os.umask(0)
    try:
        log = run_log(workspace, 1)
        line = "x" * 290
        for _ in range(MOST_BYTES // 300 + 100):
            log.event("call_failed", reason=line)
        log.close()
    finally:
        os.umask(old)
    files = sorted(log_file(workspace).parent.iterdir())
    assert [p.name for p in files] == ["psygen.jsonl", "psygen.jsonl.1"]
    assert len(files) <= 1 + KEPT_FILES
    assert all(stat.S_IMODE(p.stat().st_mode) == 0o600 for p in files)
    assert all(p.stat().st_size <= MOST_BYTES for p in files)


def test_a_full_disk_or_a_folder_in_the_way_never_stops_a_run(
    workspace: Settings, capfd: pytest.CaptureFixture[str]
) -> None:
    if not Path("/dev/full").exists():
        pytest.skip("no /dev/full here")
    log_file(workspace).parent.mkdir(parents=True)
    log_file(workspace).symlink_to("/dev/full")
    full = run_log(workspace)
    full.event("stopped", reason="x")
    full.close()
    log_file(workspace).unlink()
    log_file(workspace).mkdir()
    blocked = run_log(workspace)
    blocked.event("stopped", reason="x")
    blocked.close()
    assert capfd.readouterr() == ("", "")


def test_the_log_is_not_part_of_the_programs_own_logging(workspace: Settings, caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.DEBUG):
        log = run_log(workspace)
        log.event("run_ended", exit_code=0)
        log.close()
    assert caplog.records == []
