import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from psygen import __version__

Run = Callable[..., subprocess.CompletedProcess[str]]
HEAVY = ["openai", "pandas", "numpy", "scipy", "sqlite_utils", "sqlite3", "jinja2", "pydantic", "tenacity", "asyncio"]
HEAVY += ["rich", "openpyxl", "xlsxwriter", "httpx2", "aiohttp"]


def test_nothing_heavy_is_imported_before_a_command_runs() -> None:
    code = (
        "import sys; sys.argv = ['psygen', '--help']\n"
        "from psygen.cli.main import cli\n"
        "cli.main(standalone_mode=False)\n"
        f"print([m for m in {HEAVY} if m in sys.modules], file=sys.stderr)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stderr.strip() == "[]"
    assert "generate" in done.stdout


def test_every_command_has_help_of_its_own(psygen: Run) -> None:
    from psygen.cli.main import COMMANDS

    for name in COMMANDS:
        done = psygen(name, "--help")
        assert done.returncode == 0, done.stderr
        assert done.stdout.startswith("Usage:")


def test_the_version_is_shown(psygen: Run) -> None:
    assert psygen("--version").stdout.strip() == f"psygen, version {__version__}"


@pytest.mark.parametrize(
    ("args", "code", "said"),
    [
        (["generat"], 2, "Did you mean generate?"),
        (["generate"], 2, "--subject NAME"),
        (["generate", "-s", "statistcs"], 2, "Nearest: statistics"),
        (["generate", "-s", "stats", "--type", "essay"], 2, "essay"),
        (["generate", "-s", "stats", "--engine", "offline", "--lang", "en"], 2, "no English"),
        (["generate", "-s", "stats", "--chapter", "variations"], 2, "Nearest: variation"),
        (["status", "-s", "nothing"], 2, "There is no subject"),
        (["items", "list"], 6, "psygen generate --subject statistics"),
        (["check"], 6, "no database yet"),
        (["review", "export"], 6, "no database yet"),
        (["reparse"], 6, "no database yet"),
        (["prompt", "nothing-like-this"], 2, "There is no concept"),
        (["prompt", "方差", "--type", "mixed"], 2, "has no description for mixed"),
        (["concepts", "show", "nothing-like-this"], 2, "There is no concept"),
        (["-w", "/nowhere/at/all", "status"], 2, "psygen init"),
        (["concepts", "import", "missing.csv", "-s", "stats"], 2, "missing.csv"),
    ],
)
def test_wrong_use_is_one_clear_sentence(psygen: Run, args: list[str], code: int, said: str) -> None:
    done = psygen(*args)
    assert done.returncode == code, done.stderr
    assert said in done.stderr
    assert done.stdout == ""
    assert "Traceback" not in done.stderr


def test_json_is_one_object_on_stdout_and_nothing_else(own_workspace: Path, psygen: Run) -> None:
    args = ["generate", "--all", "--engine", "offline", "--json"]
    assert json.loads(psygen(*args, "--dry-run", cwd=own_workspace).stdout)["to_ask"] == 12
    assert json.loads(psygen(*args, cwd=own_workspace).stdout)["finished"] == 12
    assert json.loads(psygen(*args, cwd=own_workspace).stdout)["nothing_to_do"] is True
    status = json.loads(psygen("status", "--json", cwd=own_workspace).stdout)
    assert set(status) >= {"subjects", "items", "requests", "tokens", "cost_usd"}
    subject = status["subjects"][0]
    assert (subject["subject"], subject["units"], subject["done"], subject["pending"]) == ("learning", 12, 12, 0)
    assert [c["chapter"] for c in subject["chapters"]] == ["conditioning", "memory"]
    check = json.loads(psygen("check", "--json", cwd=own_workspace).stdout)
    assert set(check["subjects"][0]) >= {"subject", "engine", "items", "key_share", "longest_is_key", "alarms"}
    listed = json.loads(psygen("concepts", "list", "--json", cwd=own_workspace).stdout)
    assert len(listed) == 12


def test_a_dry_run_writes_nothing(own_workspace: Path, psygen: Run) -> None:
    done = psygen("generate", "--all", "--dry-run", cwd=own_workspace)
    assert "Would ask 12 of 12 units" in " ".join(done.stdout.split())
    assert not (own_workspace / "outputs").exists()


def test_on_a_narrow_terminal_nothing_is_cut(own_workspace: Path, psygen: Run) -> None:
    shown = psygen("status", cwd=own_workspace, env={"COLUMNS": "40"}).stdout
    assert "…" not in shown
    assert "学习心理学" in shown
    assert "questions" in shown


def test_status_before_any_run_shows_what_waits(own_workspace: Path, psygen: Run) -> None:
    assert json.loads(psygen("status", "--json", cwd=own_workspace).stdout)["subjects"][0]["pending"] == 12


def test_a_reader_that_leaves_early_is_no_error(psygen: Run, own_workspace: Path) -> None:
    assert psygen("generate", "--all", "--engine", "offline", cwd=own_workspace).returncode == 0
    command = f"{sys.executable} -m psygen items export | head -n 1; exit ${{PIPESTATUS[0]}}"
    done = subprocess.run(["bash", "-c", command], cwd=own_workspace, capture_output=True, text=True, check=False)
    assert done.returncode == 0
    assert done.stderr == ""


def test_what_is_written_is_for_its_owner_only(psygen: Run, own_workspace: Path) -> None:
    psygen("generate", "--all", "--engine", "offline", cwd=own_workspace)
    psygen("items", "export", "--out", "outputs/items.jsonl", cwd=own_workspace)
    psygen("review", "export", cwd=own_workspace)
    files = [p for p in (own_workspace / "outputs").rglob("*") if p.is_file()]
    assert len(files) >= 5
    assert all(p.stat().st_mode & 0o077 == 0 for p in files)


def test_a_batch_is_exported_and_the_next_one_has_other_questions(psygen: Run, own_workspace: Path) -> None:
    psygen("generate", "--all", "--engine", "offline", cwd=own_workspace)
    first = psygen("review", "export", "--size", "10", cwd=own_workspace)
    second = psygen("review", "export", "--size", "10", cwd=own_workspace)
    assert first.returncode == second.returncode == 0
    assert len(list((own_workspace / "outputs" / "review").glob("*.xlsx"))) == 6
    assert "10 questions for each reviewer" in first.stderr
    last = psygen("review", "export", "--size", "1000", cwd=own_workspace)
    assert last.returncode == 0
    none = psygen("review", "export", cwd=own_workspace)
    assert (none.returncode, "all of them are in earlier batches" in none.stderr) == (2, True)


def test_init_makes_a_workspace_and_overwrites_nothing(psygen: Run, tmp_path: Path) -> None:
    assert psygen("init", "ws").returncode == 0
    own = tmp_path / "ws" / "prompts" / "generate" / "theory.zh.j2"
    assert (tmp_path / "ws" / "psygen.toml").exists()
    own.write_text("mine", encoding="utf-8")
    own.with_name("mixed.zh.j2").unlink()
    again = psygen("init", "ws")
    assert "made 1 file in" in again.stderr
    assert own.read_text(encoding="utf-8") == "mine"


def test_the_shown_prompt_is_the_rendered_one(psygen: Run) -> None:
    done = psygen("prompt", "sta-variance", "--json")
    value = json.loads(done.stdout)
    assert value["prompt_type"] == "calculation"
    assert [m["role"] for m in value["messages"]] == ["system", "user"]
    plain = psygen("prompt", "方差").stdout
    assert all(m["content"] in plain for m in value["messages"])


def test_sigint_drains_and_the_same_command_goes_on(own_workspace: Path, psygen: Run) -> None:
    code = (
        "import os, signal, sys\n"
        "from psygen.store.ledger import Ledger\n"
        "settle = Ledger.settle\n"
        "def interrupted(self, replies):\n"
        "    os.kill(os.getpid(), signal.SIGINT)\n"
        "    settle(self, replies)\n"
        "Ledger.settle = interrupted\n"
        "import psygen.engines.offline.engine as engine\n"
        "engine.AT_ONCE = 5\n"
        "sys.argv = ['psygen', 'generate', '--all', '--engine', 'offline']\n"
        "from psygen.cli.main import main; main()"
    )
    env = {k: v for k, v in os.environ.items() if not k.startswith("PSYGEN_")}
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=own_workspace, env=env, capture_output=True, text=True, check=False
    )
    assert done.returncode == 130, done.stderr
    assert "The same command goes on" in done.stderr
    status = json.loads(psygen("status", "--json", cwd=own_workspace).stdout)
    assert (status["subjects"][0]["done"], status["requests"]["unknown"]) == (5, 0)
    assert psygen("generate", "--all", "--engine", "offline", cwd=own_workspace).returncode == 0
