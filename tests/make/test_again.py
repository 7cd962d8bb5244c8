"""Finished units opened once more by name: new samples, and as many questions as review has rejected."""

import json
import sqlite3
import subprocess
from collections.abc import Callable
from pathlib import Path

from tests.faults.promises import keep_promises
from tests.stub import bills, running

Run = Callable[..., subprocess.CompletedProcess[str]]


def generate(psygen: Run, folder: Path, url: str, *more: str) -> subprocess.CompletedProcess[str]:
    args = ["generate", "--all", "--engine", "online", "--base-url", url, "--model", "good", *more]
    done = psygen(*args, cwd=folder)
    assert done.returncode == 0, done.stderr
    return done


def exported(psygen: Run, folder: Path) -> list[dict[str, object]]:
    lines = psygen("items", "export", "--stable", cwd=folder).stdout.splitlines()
    return [json.loads(line) for line in lines]


def reject(folder: Path, count: int) -> list[str]:
    """Reject the first questions, as review would; their stems."""
    conn = sqlite3.connect(folder / "outputs" / "psygen.db")
    with conn:
        rows = conn.execute("SELECT id, stem FROM items ORDER BY id LIMIT ?", (count,)).fetchall()
        conn.executemany("UPDATE items SET state = 'rejected' WHERE id = ?", [(i,) for i, _ in rows])
    conn.close()
    return [stem for _, stem in rows]


def test_new_samples_come_beside_the_old_ones_and_only_by_name(
    own_workspace: Path, psygen: Run, tmp_path: Path
) -> None:
    log = tmp_path / "bills"
    with running(log=log) as url:
        generate(psygen, own_workspace, url)
        first = {i["id"] for i in exported(psygen, own_workspace)}
        generate(psygen, own_workspace, url, "--again", "--concept", "lrn-shaping")
        assert "Nothing to do" in generate(psygen, own_workspace, url).stderr
        again = exported(psygen, own_workspace)
        generate(psygen, own_workspace, url, "--again", "--concept", "lrn-shaping")
    assert first < {i["id"] for i in again}
    assert len(again) == 52
    assert len(exported(psygen, own_workspace)) == 56
    assert len(bills(log)) == 14
    keep_promises(own_workspace, log=log)


def test_new_samples_with_a_limit_go_round_the_bank(own_workspace: Path, psygen: Run) -> None:
    with running() as url:
        generate(psygen, own_workspace, url)
        for _ in range(3):
            generate(psygen, own_workspace, url, "--again", "--limit", "4")
    counts: dict[object, int] = {}
    for item in exported(psygen, own_workspace):
        counts[item["concept_id"]] = counts.get(item["concept_id"], 0) + 1
    assert set(counts.values()) == {8}


def test_as_many_questions_as_review_rejected_are_asked_for_once(
    own_workspace: Path, psygen: Run, tmp_path: Path
) -> None:
    log = tmp_path / "bills"
    with running(log=log) as url:
        generate(psygen, own_workspace, url)
        stems = reject(own_workspace, 3)
        assert "Nothing to do" in generate(psygen, own_workspace, url).stderr
        generate(psygen, own_workspace, url, "--refill")
        later = [b["messages"][-1]["content"] for b in bills(log)[12:]]
        generate(psygen, own_workspace, url, "--refill")
    states = [i["state"] for i in exported(psygen, own_workspace)]
    assert states.count("new") == 48
    assert len(bills(log)) == 12 + len(later)
    # What was rejected is not to come again: it stands among the questions held.
    assert all(any(stem in prompt for prompt in later) for stem in stems)
    keep_promises(own_workspace, log=log)
