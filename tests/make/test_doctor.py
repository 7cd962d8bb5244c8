import json
import socket
import sqlite3
import subprocess
import threading
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from psygen.make.doctor import Check, exit_code, file_system
from psygen.runner import lock
from tests.stub import bills, running

Run = Callable[..., subprocess.CompletedProcess[str]]
KEY = "sk-planted-0123456789"


def checks(done: subprocess.CompletedProcess[str]) -> dict[str, tuple[str, str]]:
    return {c["check"]: (c["level"], c["said"]) for c in json.loads(done.stdout)["checks"]}


@pytest.fixture
def doctor(psygen: Run, own_workspace: Path) -> Callable[..., subprocess.CompletedProcess[str]]:
    return lambda *args, **env: psygen("doctor", *args, cwd=own_workspace, env=env)


@pytest.fixture
def unused_address() -> str:
    """A base URL on this machine where nobody listens."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        return f"http://127.0.0.1:{server.getsockname()[1]}/v1"


@pytest.fixture
def refusing() -> Iterator[str]:
    """A server that answers every request with 401."""

    class Refusal(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_error(401)

        def log_message(self, *_: object) -> None:
            """Nothing on stderr."""

    with ThreadingHTTPServer(("127.0.0.1", 0), Refusal) as server:
        threading.Thread(target=server.serve_forever).start()
        yield f"http://127.0.0.1:{server.server_port}/v1"
        server.shutdown()


def test_a_sound_workspace_has_no_fault(doctor: Run, psygen: Run, own_workspace: Path) -> None:
    psygen("generate", "--all", "--engine", "offline", cwd=own_workspace)
    psygen("backup", "safe.db", cwd=own_workspace)
    done = doctor("--json")
    found = checks(done)
    assert done.returncode == 0, done.stdout
    assert {name for name, (level, _) in found.items() if level != "ok"} <= {"key", "disk", "file system"}
    assert "12 concepts of 1 subjects" in found["concepts"][1]
    assert str(own_workspace / "safe.db") in found["backup"][1]
    shown = doctor()
    assert len(shown.stdout.splitlines()) == len(found)


def test_before_the_first_run_nothing_is_wrong_and_nothing_is_made(doctor: Run, own_workspace: Path) -> None:
    assert doctor().returncode == 0
    assert not (own_workspace / "outputs").exists()


def test_wrong_settings_concepts_and_templates_are_named(doctor: Run, own_workspace: Path) -> None:
    (own_workspace / "concepts" / "learning.csv").write_text("id,nothing\n1,2\n", encoding="utf-8")
    (own_workspace / "prompts" / "generate" / "theory.zh.j2").write_text("{{ oops }}", encoding="utf-8")
    found = checks(done := doctor("--json"))
    assert done.returncode == 2
    assert (found["concepts"][0], found["templates"][0]) == ("fault", "fault")
    (own_workspace / "psygen.toml").write_text("[server]\nmodle = 'x'\n", encoding="utf-8")
    done = doctor()
    assert done.returncode == 2
    assert "did you mean model?" in done.stdout


def test_a_refused_key_is_told_apart_from_nobody_there(doctor: Run, unused_address: str, refusing: str) -> None:
    away = doctor("--json", OPENAI_BASE_URL=unused_address)
    assert (away.returncode, "nobody answers" in checks(away)["server"][1]) == (75, True)
    refused = doctor("--json", OPENAI_BASE_URL=refusing, OPENAI_API_KEY=KEY)
    assert (refused.returncode, "refuses the key (401)" in checks(refused)["server"][1]) == (5, True)
    assert KEY not in refused.stdout + refused.stderr + away.stdout


def test_a_server_without_a_list_of_models_is_a_warning_and_nothing_is_billed(doctor: Run, tmp_path: Path) -> None:
    log = tmp_path / "bills"
    with running(log=log) as url:
        done = doctor("--json", OPENAI_BASE_URL=url)
    assert (done.returncode, checks(done)["server"][0]) == (0, "warning")
    assert bills(log) == []


def test_a_server_that_a_project_file_names_gets_no_key_before_it_is_trusted(
    doctor: Run, own_workspace: Path, tmp_path: Path
) -> None:
    (own_workspace / "psygen.toml").write_text('[server]\nbase_url = "https://models.example/v1"\n', encoding="utf-8")
    done = doctor("--json", OPENAI_API_KEY=KEY, HOME=str(tmp_path))
    assert (done.returncode, "--trust-config" in checks(done)["server"][1]) == (2, True)


def test_what_others_can_read_is_a_warning(doctor: Run, psygen: Run, own_workspace: Path) -> None:
    psygen("generate", "--all", "--engine", "offline", cwd=own_workspace)
    outputs = own_workspace / "outputs"
    (outputs / "psygen.db").chmod(0o644)
    assert checks(doctor("--json"))["permissions"][0] == "ok"
    outputs.chmod(0o755)
    level, said = checks(doctor("--json"))["permissions"]
    assert (level, "psygen.db" in said, "chmod -R go=" in said) == ("warning", True, True)


def test_a_broken_promise_is_a_fault_with_code_6(doctor: Run, psygen: Run, own_workspace: Path) -> None:
    psygen("generate", "--all", "--engine", "offline", cwd=own_workspace)
    conn = sqlite3.connect(own_workspace / "outputs" / "psygen.db")
    with conn:
        conn.execute("UPDATE units SET kept = 9 WHERE rank = 0")
    conn.close()
    done = doctor("--json")
    assert (done.returncode, checks(done)["database"][0]) == (6, "fault")


def test_who_holds_the_run_lock_is_told(doctor: Run, psygen: Run, own_workspace: Path) -> None:
    psygen("generate", "--all", "--engine", "offline", cwd=own_workspace)
    with lock(own_workspace / "outputs" / "psygen.db"):
        assert "held by process" in checks(doctor("--json"))["run lock"][1]
    assert checks(doctor("--json"))["run lock"][1] == "free"


def test_a_database_that_cannot_be_used_wins_over_other_faults() -> None:
    faults = [Check("key", "fault", "", 2), Check("database", "fault", "", 6), Check("server", "warning", "", 75)]
    assert exit_code(faults) == 6
    assert exit_code(faults[:1]) == 2
    assert exit_code(faults[2:]) == 0


@pytest.mark.parametrize(
    ("folder", "kind"),
    [
        ("/home/me/work", "ext4"),
        ("/mnt/share/x", "nfs4"),
        ("/mnt/c/x", "9p"),
        ("/mnt/my disk/x", "cifs"),
        ("/x", "ext4"),
    ],
)
def test_the_file_system_is_that_of_the_longest_mount_point(tmp_path: Path, folder: str, kind: str) -> None:
    mounts = tmp_path / "mounts"
    mounts.write_text(
        "/dev/a / ext4 rw 0 0\nhost:/x /mnt/share nfs4 rw 0 0\nC: /mnt/c 9p rw 0 0\n"
        "//h/s /mnt/my\\040disk cifs rw 0 0\n",
        encoding="utf-8",
    )
    assert file_system(Path(folder), mounts) == kind
    assert file_system(Path(folder), tmp_path / "nothing") == ""
