"""The road with a server: a loopback stub that answers, refuses, cuts and dies."""

import json
import os
import random
import signal
import sqlite3
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.stub import bills, questions_for, running

Run = Callable[..., subprocess.CompletedProcess[str]]
KEY = "sk-planted-0123456789"


def generate(psygen: Run, folder: Path, url: str, model: str, *more: str) -> subprocess.CompletedProcess[str]:
    args = ["generate", "--all", "--engine", "online", "--base-url", url, "--model", model, *more]
    return psygen(*args, cwd=folder, env={"OPENAI_API_KEY": KEY})


def exported(psygen: Run, folder: Path, *more: str) -> list[dict[str, object]]:
    lines = psygen("items", "export", "--stable", *more, cwd=folder).stdout.splitlines()
    return [json.loads(line) for line in lines]


def status(psygen: Run, folder: Path) -> dict[str, dict[str, int]]:
    return json.loads(psygen("status", "--json", cwd=folder).stdout)  # type: ignore[no-any-return]


def originals(log: Path) -> dict[str, tuple[frozenset[str], str]]:
    """What the stub wrote, by stem: the options and the right one."""
    found = {}
    for bill in bills(log):
        for q in questions_for(bill["messages"][-1]["content"], 4):
            found[q["stem"]] = (frozenset(q["options"]), q["options"]["ABCD".index(q["answer"])])
    return found


def test_every_unit_is_asked_and_the_same_command_again_is_free(
    own_workspace: Path, psygen: Run, tmp_path: Path
) -> None:
    log = tmp_path / "bills"
    with running(log=log) as url:
        done = generate(psygen, own_workspace, url, "good")
        assert done.returncode == 0, done.stderr
        assert "48 questions from 12 units" in done.stderr
        again = generate(psygen, own_workspace, url, "good")
    assert "Nothing to do" in again.stderr
    assert len(bills(log)) == 12
    assert {i["engine"] for i in exported(psygen, own_workspace)} == {"online"}


def test_what_prompt_shows_is_what_the_server_receives(own_workspace: Path, psygen: Run, tmp_path: Path) -> None:
    log = tmp_path / "bills"
    with running(log=log) as url:
        generate(psygen, own_workspace, url, "good", "--concept", "lrn-shaping")
    [bill] = bills(log)
    shown = json.loads(psygen("prompt", "lrn-shaping", "--json", cwd=own_workspace).stdout)
    assert bill["messages"] == shown["messages"]
    plain = psygen("prompt", "塑造", cwd=own_workspace).stdout
    assert all(m["content"] in plain for m in bill["messages"])


@pytest.mark.parametrize(
    ("model", "form", "refused"), [("no-schema", "json_object", 1), ("no-schema+no-json", "text", 2)]
)
def test_a_form_the_server_refuses_is_learnt_once(
    own_workspace: Path, psygen: Run, tmp_path: Path, model: str, form: str, refused: int
) -> None:
    log = tmp_path / "bills"
    with running(log=log) as url:
        first = generate(psygen, own_workspace, url, model, "--concurrency", "1", "--limit", "3")
        assert first.returncode == 0, first.stderr
        assert Counter(b["status"] for b in bills(log)) == {400: refused, 200: 3}
        assert bills(log)[-1]["form"] == form
        generate(psygen, own_workspace, url, model, "--concurrency", "1")
    assert Counter(b["status"] for b in bills(log)) == {400: refused, 200: 12}
    assert len(exported(psygen, own_workspace)) == 48


def test_the_same_items_come_out_of_every_form(own_workspace: Path, psygen: Run) -> None:
    found = []
    with running() as url:
        for model in ("good", "fence", "text"):
            generate(psygen, own_workspace, url, model, "--limit", "3")
            items = exported(psygen, own_workspace)
            found.append({(i["stem"], frozenset(i["options"])) for i in items if i["model"] == model})  # type: ignore[arg-type,misc,call-overload]
    assert found[0] == found[1] == found[2]
    assert len(found[0]) == 12


@pytest.mark.parametrize(
    ("model", "said"),
    [
        ("dead-key", "Check the key in OPENAI_API_KEY"),
        ("no-quota", "insufficient_quota"),
        ("no-model", "--model"),
        ("redirect", "does not follow"),
        ("bad-request", "Something about this request is wrong"),
    ],
)
def test_a_refusal_ends_the_run_and_parks_nothing(
    own_workspace: Path, psygen: Run, tmp_path: Path, model: str, said: str
) -> None:
    log = tmp_path / "bills"
    with running(log=log) as url:
        done = generate(psygen, own_workspace, url, model, "--concurrency", "2")
    assert done.returncode == 5, done.stderr
    assert said in done.stderr
    assert "Nothing is lost" in done.stderr
    # In flight: two. A plain 400 is also tried in the two other forms.
    assert len(bills(log)) <= (5 + 2 if model != "bad-request" else 5 + 2 + 4)
    subject = status(psygen, own_workspace)["subjects"][0]  # type: ignore[index]
    assert (subject["pending"], subject["parked"]) == (12, 0)


def test_a_key_that_dies_in_mid_run_loses_nothing(own_workspace: Path, psygen: Run, tmp_path: Path) -> None:
    with running(log=tmp_path / "bills") as url:
        done = generate(psygen, own_workspace, url, "key-dies5", "--concurrency", "1")
        assert done.returncode == 5
        assert len(exported(psygen, own_workspace)) == 20
    assert status(psygen, own_workspace)["subjects"][0]["done"] == 5  # type: ignore[index]


@pytest.mark.parametrize("model", ["fail500x2", "fail503x1", "fail429x2", "after300ms"])
def test_ordinary_errors_are_tried_again(own_workspace: Path, psygen: Run, tmp_path: Path, model: str) -> None:
    log = tmp_path / "bills"
    with running(log=log) as url:
        done = generate(psygen, own_workspace, url, model)
    assert done.returncode == 0, done.stderr
    assert len(exported(psygen, own_workspace)) == 48
    if model == "after300ms":
        first: dict[str, float] = {}
        for bill in bills(log):
            if bill["status"] == 429:
                first[bill["request"]] = bill["at"]
            else:
                assert bill["at"] - first[bill["request"]] >= 0.3


@pytest.mark.parametrize(
    ("model", "calls", "state", "said"),
    [
        ("filter", 1, "parked", "content filter"),
        ("refusal", 1, "parked", "I can't help with that"),
        ("error200", 2, "parked", "upstream gone"),
        ("no-choices", 2, "parked", "no choice"),
        ("broken", 2, "parked", "no JSON"),
        ("empty", 4, "parked", "E_EMPTY"),
        ("length", 4, "parked", "E_LENGTH"),
    ],
)
def test_answers_without_questions_are_named_and_given_up(
    own_workspace: Path, psygen: Run, tmp_path: Path, model: str, calls: int, state: str, said: str
) -> None:
    log = tmp_path / "bills"
    with running(log=log) as url:
        done = generate(psygen, own_workspace, url, model, "--concept", "lrn-shaping")
        assert done.returncode == 3, done.stderr
        assert len(bills(log)) == calls
        again = generate(psygen, own_workspace, url, model, "--concept", "lrn-shaping")
        assert len(bills(log)) == calls
    assert again.returncode == 3
    assert "given up" in again.stderr
    found = json.loads(psygen("status", "--json", cwd=own_workspace).stdout)
    assert found["subjects"][0][state] == 1
    assert said in found["reasons"][0]["reason"]


def test_missing_questions_are_asked_for_with_the_stems_already_held(
    own_workspace: Path, psygen: Run, tmp_path: Path
) -> None:
    log = tmp_path / "bills"
    with running(log=log) as url:
        generate(psygen, own_workspace, url, "three", "--concept", "lrn-shaping")
    first, second = bills(log)
    held = [i["stem"] for i in exported(psygen, own_workspace)]
    assert len(held) == 4
    assert "命制 1 道" in second["messages"][-1]["content"]
    assert sum(str(stem) in second["messages"][-1]["content"] for stem in held) == 3
    assert "held_questions" not in first["messages"][-1]["content"]


def test_thirty_percent_of_replies_cut_cost_few_calls_and_no_question(psygen: Run, tmp_path: Path) -> None:
    log = tmp_path / "bills"
    with running(log=log) as url:
        args = ["generate", "--subject", "statistics", "--limit", "60", "--engine", "online", "--model", "cut30"]
        done = psygen(*args, "--base-url", url)
    assert done.returncode in (0, 3), done.stderr
    items = exported(psygen, tmp_path)
    assert len(items) >= 236
    assert len(bills(log)) <= 95
    written = originals(log)
    for item in items:
        options = item["options"]
        assert isinstance(options, list)
        right = options["ABCD".index(str(item["key"]))]
        assert written[str(item["stem"])] == (frozenset(options), right)


def test_a_model_after_the_offline_engine_is_new_work_and_both_stay_apart(own_workspace: Path, psygen: Run) -> None:
    psygen("generate", "--all", "--engine", "offline", cwd=own_workspace)
    before = exported(psygen, own_workspace)
    with running() as url:
        done = generate(psygen, own_workspace, url, "good")
    assert "12 new" in done.stderr
    after = exported(psygen, own_workspace, "--engine", "offline")
    assert after == before
    check = json.loads(psygen("check", "--json", cwd=own_workspace).stdout)
    assert [s["engine"] for s in check["subjects"]] == ["offline", "online"]
    assert status(psygen, own_workspace)["profile"] == "online/good/zh"  # type: ignore[comparison-overlap]
    offline = json.loads(psygen("status", "--engine", "offline", "--json", cwd=own_workspace).stdout)
    assert offline["subjects"][0]["items"] == len(before)


def test_kill_9_ten_times_pays_at_most_what_was_in_flight(psygen: Run, tmp_path: Path) -> None:
    log, wide = tmp_path / "bills", 8
    args = ["generate", "--subject", "statistics", "--engine", "online", "--model", "good", "--concurrency", str(wide)]
    env = {k: v for k, v in os.environ.items() if not k.startswith("PSYGEN_")} | {"OPENAI_API_KEY": KEY}
    chance = random.Random(7)
    kills = 0
    with running(latency=0.15, log=log) as url:
        for _ in range(10):
            command = [sys.executable, "-m", "psygen", *args, "--base-url", url]
            process = subprocess.Popen(
                command, cwd=tmp_path, env=env, stderr=subprocess.DEVNULL, stdout=subprocess.DEVNULL
            )
            time.sleep(1.0 + chance.random() * 0.5)
            if process.poll() is None:
                process.send_signal(signal.SIGKILL)
                kills += 1
            process.wait()
        last = psygen(*args, "--base-url", url, env={"OPENAI_API_KEY": KEY})
    assert last.returncode == 0, last.stderr
    assert kills >= 2
    found = json.loads(psygen("status", "--json").stdout)
    statistics = next(s for s in found["subjects"] if s["subject"] == "statistics")
    assert statistics["done"] == 99
    assert statistics["items"] == len(exported(psygen, tmp_path)) == 396
    paid = Counter(b["request"] for b in bills(log))
    assert len(paid) == 99
    twice = sum(n - 1 for n in paid.values())
    assert twice <= found["requests"]["unknown"] <= kills * wide
    conn = sqlite3.connect(tmp_path / "outputs" / "psygen.db")
    assert conn.execute("PRAGMA integrity_check").fetchone()[0] == "ok"
    assert conn.execute("PRAGMA foreign_key_check").fetchall() == []
    conn.close()


def test_a_planted_key_is_nowhere_but_on_the_wire(own_workspace: Path, psygen: Run, tmp_path: Path) -> None:
    log = tmp_path / "bills"
    said = ""
    (own_workspace / "psygen.toml").write_text("[server]\nattempts = 2\npatience_s = 2\n", encoding="utf-8")
    with running(log=log) as url:
        for model in ("good", "dead-key", "html", "reset", "fail500x1"):
            done = generate(psygen, own_workspace, url, model, "--limit", "2", "--concurrency", "1")
            said += done.stdout + done.stderr
    assert all(b["authorization"] == f"Bearer {KEY}" for b in bills(log))
    assert KEY not in said
    for path in (own_workspace / "outputs").rglob("*"):
        if path.is_file():
            assert KEY.encode() not in path.read_bytes(), path


def test_reading_again_after_a_change_of_the_reader_sends_nothing(
    own_workspace: Path, psygen: Run, tmp_path: Path
) -> None:
    log = tmp_path / "bills"
    with running(log=log) as url:
        generate(psygen, own_workspace, url, "three")
    before = exported(psygen, own_workspace)
    conn = sqlite3.connect(own_workspace / "outputs" / "psygen.db")
    with conn:
        # As if an older reader had read one stem wrongly, missed one item, and made one up.
        conn.execute("UPDATE items SET stem = 'wrong' WHERE id = (SELECT min(id) FROM items)")
        conn.execute("DELETE FROM items WHERE id = (SELECT max(id) FROM items)")
    conn.close()
    sent = len(bills(log))
    found = json.loads(psygen("reparse", "--json", cwd=own_workspace).stdout)
    assert (found["changed"], found["added"], found["gone"]) == (1, 1, 0)
    assert found["unchanged"] == 46
    assert exported(psygen, own_workspace) == before
    assert len(bills(log)) == sent
    again = json.loads(psygen("reparse", "--json", cwd=own_workspace).stdout)
    assert (again["unchanged"], again["changed"]) == (48, 0)


def test_a_reply_is_shown_raw_and_read(own_workspace: Path, psygen: Run) -> None:
    with running() as url:
        generate(psygen, own_workspace, url, "good", "--limit", "1")
    item = exported(psygen, own_workspace)[0]
    shown = psygen("replies", "show", str(item["id"]), cwd=own_workspace).stdout
    raw, read = shown.split("--- read ---")
    assert '"questions"' in raw
    assert str(item["stem"]) in read
    for wrong in ("nothing", "", "a"):
        assert psygen("replies", "show", wrong, cwd=own_workspace).returncode == 2


def test_an_online_run_that_costs_money_asks_first(own_workspace: Path, psygen: Run) -> None:
    done = psygen("generate", "--all", "--engine", "online", cwd=own_workspace, env={"OPENAI_API_KEY": KEY})
    assert done.returncode == 2
    assert "--yes" in done.stderr
    missing = psygen("generate", "--all", "--engine", "online", cwd=own_workspace)
    assert (missing.returncode, "OPENAI_API_KEY" in missing.stderr) == (2, True)


def test_nobody_there_ends_the_run_to_be_repeated(own_workspace: Path, psygen: Run) -> None:
    (own_workspace / "psygen.toml").write_text("[server]\nattempts = 1\n", encoding="utf-8")
    done = generate(psygen, own_workspace, "http://127.0.0.1:9/v1", "good", "--concurrency", "1")
    assert done.returncode == 75, done.stderr
    assert status(psygen, own_workspace)["subjects"][0]["pending"] == 12  # type: ignore[index]
