import json
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from psygen.runner import lock
from psygen.store.audit import audit
from tests.stub import bills, running

Run = Callable[..., subprocess.CompletedProcess[str]]


def generate(psygen: Run, folder: Path, url: str, model: str, *more: str) -> subprocess.CompletedProcess[str]:
    return psygen("generate", "--all", "--engine", "online", "--base-url", url, "--model", model, *more, cwd=folder)


def units(psygen: Run, folder: Path) -> dict[str, int]:
    found = json.loads(psygen("report", "--json", cwd=folder).stdout)["units"]
    return {state: found[state] for state in ("done", "partial", "parked", "pending")}


def test_parked_units_are_asked_again_and_nothing_held_is_paid_twice(
    own_workspace: Path, psygen: Run, tmp_path: Path
) -> None:
    log = tmp_path / "bills"
    with running(log=log) as url:
        assert generate(psygen, own_workspace, url, "filter").returncode == 3
        assert units(psygen, own_workspace)["parked"] == 12
        done = psygen("retry", cwd=own_workspace)
        assert (done.returncode, done.stdout) == (0, "")
        assert "12 units are asked again" in done.stderr
        assert units(psygen, own_workspace)["pending"] == 12
        again = generate(psygen, own_workspace, url, "filter")
    assert again.returncode == 3, again.stderr
    assert len(bills(log)) == 24
    assert audit(own_workspace / "outputs" / "psygen.db") == []


def test_units_are_put_back_by_reason(own_workspace: Path, psygen: Run) -> None:
    with running() as url:
        generate(psygen, own_workspace, url, "refusal", "--limit", "3")
        wrong = psygen("retry", "--reason", "E_LENGTH", cwd=own_workspace)
        assert wrong.returncode == 2
        assert "3  learning: 0 of 4: the model refused" in wrong.stderr
        found = json.loads(psygen("retry", "--reason", "REFUSED", "--json", cwd=own_workspace).stdout)
    assert (found["units"], found["left"]) == (3, 0)
    assert "psygen generate --all --engine online --model refusal" in found["next"]


def test_a_unit_short_after_all_its_tries_is_asked_for_the_rest(
    own_workspace: Path, psygen: Run, tmp_path: Path
) -> None:
    log = tmp_path / "bills"
    with running(log=log) as url:
        generate(psygen, own_workspace, url, "cut100", "--concept", "lrn-shaping")
        first = len(bills(log))
        assert first == 4
        put_back = json.loads(psygen("retry", "--json", cwd=own_workspace).stdout)
        assert put_back["units"] == 1
        generate(psygen, own_workspace, url, "cut100", "--concept", "lrn-shaping")
    assert len(bills(log)) > first
    assert [f for f in audit(own_workspace / "outputs" / "psygen.db") if f.level == "fault"] == []


def test_nothing_given_up_is_nothing_to_do(own_workspace: Path, psygen: Run) -> None:
    psygen("generate", "--all", "--engine", "offline", cwd=own_workspace)
    done = psygen("retry", cwd=own_workspace)
    assert (done.returncode, done.stderr) == (0, "psygen: no unit was given up.\n")


@pytest.mark.parametrize("args", [["--all", "--reason", "x"], ["--subject", "nothing"]])
def test_wrong_use_is_one_sentence(own_workspace: Path, psygen: Run, args: list[str]) -> None:
    psygen("generate", "--all", "--engine", "offline", cwd=own_workspace)
    assert psygen("retry", *args, cwd=own_workspace).returncode == 2


def test_while_a_run_goes_on_nothing_is_put_back(own_workspace: Path, psygen: Run) -> None:
    psygen("generate", "--all", "--engine", "offline", cwd=own_workspace)
    with lock(own_workspace / "outputs" / "psygen.db"):
        done = psygen("retry", cwd=own_workspace)
    assert (done.returncode, "in use by process" in done.stderr) == (6, True)
