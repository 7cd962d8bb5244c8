"""The process is stopped, and the network and the provider fail in every way a night may bring."""

import json
import os
import signal
import sqlite3
import subprocess
import sys
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import pytest

from psygen.prices import Price
from tests.faults.promises import keep_promises
from tests.faults.test_store import wait_for
from tests.stub import bills, luck_of, running

Run = Callable[..., subprocess.CompletedProcess[str]]
KEY = "sk-planted-0123456789"
PRICE = Price("good", 2.5, 15.0)
WIDE = 4


def settings(folder: Path, **server: float) -> None:
    """A price for whatever model, and [server] settings."""
    lines = [f"{name} = {value}" for name, value in server.items()]
    (folder / "psygen.toml").write_text("\n".join(["[server]", *lines, ""]), encoding="utf-8")


def priced(folder: Path, model: str) -> None:
    """The stub's price, for the scenario `model`."""
    with (folder / "psygen.toml").open("a", encoding="utf-8") as file:
        file.write(f'[prices."{model}"]\ninput = 2.5\noutput = 15\n')


def arguments(url: str, model: str, *more: str, wide: int = WIDE) -> list[str]:
    args = ["generate", "--all", "--engine", "online", "--base-url", url, "--model", model]
    return [*args, "--concurrency", str(wide), *more]


def generate(
    psygen: Run, folder: Path, url: str, model: str, *more: str, **how: int
) -> subprocess.CompletedProcess[str]:
    return psygen(*arguments(url, model, *more, **how), cwd=folder, env={"OPENAI_API_KEY": KEY})


def started(folder: Path, url: str, model: str, *before: str, **pipes: int) -> "subprocess.Popen[str]":
    """The command in a process of its own, to be sent signals."""
    clean = {k: v for k, v in os.environ.items() if not k.startswith(("PSYGEN_", "OPENAI_"))}
    return subprocess.Popen(
        [*before, sys.executable, "-m", "psygen", *arguments(url, model)],
        cwd=folder,
        env=clean | {"OPENAI_API_KEY": KEY},
        stdout=pipes.get("stdout", subprocess.PIPE),
        stderr=pipes.get("stderr", subprocess.PIPE),
        text=True,
    )


def calls(folder: Path) -> Counter[str]:
    """How many calls are in which state."""
    database = folder / "outputs" / "psygen.db"
    if not database.exists():
        return Counter()
    conn = sqlite3.connect(f"file:{database}?mode=ro", uri=True)
    try:
        return Counter(dict(conn.execute("SELECT state, count(*) FROM calls GROUP BY state").fetchall()))
    except sqlite3.OperationalError:  # no table yet
        return Counter()
    finally:
        conn.close()


def units(psygen: Run, folder: Path) -> dict[str, int]:
    """How many units are in which state."""
    found = json.loads(psygen("status", "--json", cwd=folder).stdout)["subjects"]
    return {state: sum(s[state] for s in found) for state in ("done", "pending", "parked")}


# Signals


@pytest.mark.parametrize(
    ("signum", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143), (signal.SIGHUP, 143)], ids=lambda v: str(v)
)
def test_a_signal_ends_a_run_with_everything_in_flight_stored(
    own_workspace: Path, psygen: Run, tmp_path: Path, signum: signal.Signals, code: int
) -> None:
    log = tmp_path / "bills"
    priced(own_workspace, "good")
    with running(latency=0.4, log=log) as url:
        process = started(own_workspace, url, "good")
        wait_for(lambda: calls(own_workspace)["received"] >= WIDE and calls(own_workspace)["intent"])
        process.send_signal(signum)
        said = process.communicate(timeout=60)[1]
        assert (process.returncode, "stopping" in said) == (code, True), said
        assert set(calls(own_workspace)) == {"received"}
        assert WIDE < len(bills(log)) <= 3 * WIDE
        keep_promises(own_workspace, log=log, price=PRICE, most_in_doubt=0, key=KEY, said=said)
        again = generate(psygen, own_workspace, url, "good")
    assert again.returncode == 0, again.stderr
    assert calls(own_workspace) == {"received": 12}


def test_nohup_keeps_a_run_going_when_the_terminal_goes(own_workspace: Path, tmp_path: Path) -> None:
    log = tmp_path / "bills"
    with running(latency=0.2, log=log) as url:
        process = started(own_workspace, url, "good", "nohup")
        wait_for(lambda: calls(own_workspace)["intent"])
        process.send_signal(signal.SIGHUP)
        said = process.communicate(timeout=60)[1]
    assert (process.returncode, calls(own_workspace)) == (0, {"received": 12}), said
    keep_promises(own_workspace, log=log, most_in_doubt=0, key=KEY, said=said)


def test_the_second_signal_leaves_at_once_and_what_is_in_flight_is_in_doubt(
    own_workspace: Path, psygen: Run, tmp_path: Path
) -> None:
    log = tmp_path / "bills"
    priced(own_workspace, "good")
    with running(latency=3600, log=log) as url:
        process = started(own_workspace, url, "good")
        wait_for(lambda: calls(own_workspace)["intent"] == WIDE)
        process.send_signal(signal.SIGINT)
        assert process.stderr is not None
        said = ""
        while "Once more leaves at once" not in said:
            said += process.stderr.readline()
        process.send_signal(signal.SIGINT)
        said += process.communicate(timeout=60)[1]
    assert process.returncode == 130
    keep_promises(own_workspace, log=log, price=PRICE, most_in_doubt=WIDE, key=KEY, said=said)
    with running(log=log) as url:
        assert generate(psygen, own_workspace, url, "good").returncode == 0
    assert calls(own_workspace) == {"unknown": WIDE, "received": 12}
    keep_promises(own_workspace, log=log, price=PRICE, most_in_doubt=WIDE, key=KEY)


def test_a_signal_during_a_long_wait_the_server_asked_for_ends_it_and_sends_nothing(
    own_workspace: Path, psygen: Run, tmp_path: Path
) -> None:
    log = tmp_path / "bills"
    with running(log=log) as url:
        process = started(own_workspace, url, "after600000ms")
        wait_for(lambda: calls(own_workspace)["failed"])
        sent = len(bills(log))
        process.send_signal(signal.SIGINT)
        said = process.communicate(timeout=60)[1]
    assert process.returncode == 130, said
    assert len(bills(log)) == sent <= WIDE
    assert calls(own_workspace) == {"failed": sent}
    assert units(psygen, own_workspace)["pending"] == 12
    keep_promises(own_workspace, log=log, most_in_doubt=0, key=KEY, said=said)


@pytest.mark.parametrize("pipe", ["stdout", "stderr"])
def test_a_reader_that_left_costs_no_work(own_workspace: Path, tmp_path: Path, pipe: str) -> None:
    log = tmp_path / "bills"
    with running(latency=0.1, log=log) as url:
        reading, writing = os.pipe()
        process = started(own_workspace, url, "good", **{pipe: writing})
        os.close(writing)
        os.close(reading)
        out, said = process.communicate(timeout=60)
    assert (process.returncode, calls(own_workspace)) == (0, {"received": 12}), (out, said)
    keep_promises(own_workspace, log=log, most_in_doubt=0, key=KEY, said=said or "")


ON_TERMINAL = (
    "import fcntl, os, sys, termios; fcntl.ioctl(0, termios.TIOCSCTTY, 0); os.execv(sys.argv[1], sys.argv[1:])"
)


def on_terminal(folder: Path, url: str) -> "tuple[subprocess.Popen[bytes], int]":
    """The command in a session of its own on a terminal whose other end is returned."""
    ours, its = os.openpty()
    clean = {k: v for k, v in os.environ.items() if not k.startswith(("PSYGEN_", "OPENAI_"))}
    process = subprocess.Popen(
        [sys.executable, "-c", ON_TERMINAL, sys.executable, "-m", "psygen", *arguments(url, "good")],
        cwd=folder,
        env=clean | {"TERM": "xterm"},
        stdin=its,
        stdout=its,
        stderr=its,
        start_new_session=True,
    )
    os.close(its)
    return process, ours


def shown_on(terminal: int, until: str = "") -> str:
    """What a terminal shows until some text has come, or until nobody writes to it any more."""
    shown = b""
    while not until or until.encode() not in shown:
        try:
            part = os.read(terminal, 4096)
        except OSError:  # Linux, when the other end is closed
            break
        if not part:
            break
        shown += part
    return shown.decode("utf-8", "replace")


def test_a_terminal_that_is_gone_ends_a_run_cleanly(own_workspace: Path, tmp_path: Path) -> None:
    log = tmp_path / "bills"
    with running(latency=0.5, log=log) as url:
        process, terminal = on_terminal(own_workspace, url)
        wait_for(lambda: calls(own_workspace)["received"] and calls(own_workspace)["intent"])
        os.close(terminal)
        assert process.wait(timeout=60) == 143
    assert set(calls(own_workspace)) == {"received"}
    assert len(bills(log)) < 12
    keep_promises(own_workspace, log=log, most_in_doubt=0)


def test_leaving_at_once_gives_the_terminal_its_cursor_back(own_workspace: Path) -> None:
    with running(latency=3600) as url:
        process, terminal = on_terminal(own_workspace, url)
        shown = shown_on(terminal, "\x1b[?25l")
        process.send_signal(signal.SIGINT)
        shown += shown_on(terminal, "Once more leaves at once")
        process.send_signal(signal.SIGINT)
        shown += shown_on(terminal)
        os.close(terminal)
        assert process.wait(timeout=60) == 130
    assert shown.rindex("\x1b[?25h") > shown.rindex("\x1b[?25l")


# The way to the server


def test_nobody_there_pauses_the_run_and_reserves_nothing(own_workspace: Path, psygen: Run) -> None:
    settings(own_workspace, patience_s=1.5)
    priced(own_workspace, "good")
    done = generate(psygen, own_workspace, "http://127.0.0.1:9/v1", "good")
    assert (done.returncode, "again later" in done.stderr) == (75, True), done.stderr
    assert set(calls(own_workspace)) == {"failed"}
    assert calls(own_workspace)["failed"] <= WIDE + 5
    assert units(psygen, own_workspace) == {"done": 0, "pending": 12, "parked": 0}
    assert json.loads(psygen("report", "--json", cwd=own_workspace).stdout)["money"]["possible_usd"] == 0
    keep_promises(own_workspace, price=PRICE, cap_micro_usd=0, most_in_doubt=0, key=KEY, said=done.stderr)


@pytest.mark.parametrize("model", ["silent", "dribble"])
def test_an_answer_that_does_not_come_whole_in_time_is_cut_off_and_in_doubt(
    own_workspace: Path, psygen: Run, tmp_path: Path, model: str
) -> None:
    log = tmp_path / "bills"
    settings(own_workspace, timeout_s=0.8, attempts=2)
    priced(own_workspace, model)
    with running(log=log) as url:
        done = generate(psygen, own_workspace, url, model, "--limit", "2")
    assert (done.returncode, "time limit" in done.stderr) == (75, True), done.stderr
    assert calls(own_workspace) == {"unknown": 4}
    assert units(psygen, own_workspace)["pending"] == 12
    keep_promises(own_workspace, log=log, price=PRICE, most_in_doubt=4, key=KEY, said=done.stderr)


@pytest.mark.parametrize("fault", ["reset", "short", "silent"])
def test_an_answer_lost_on_the_way_is_in_doubt_and_asked_for_again(
    own_workspace: Path, psygen: Run, tmp_path: Path, fault: str
) -> None:
    log = tmp_path / "bills"
    settings(own_workspace, timeout_s=1.0)
    priced(own_workspace, f"once-{fault}")
    with running(log=log) as url:
        done = generate(psygen, own_workspace, url, f"once-{fault}", "--limit", "3")
    assert done.returncode == 0, done.stderr
    assert calls(own_workspace) == {"unknown": 3, "received": 3}
    keep_promises(own_workspace, log=log, price=PRICE, most_in_doubt=3, key=KEY, said=done.stderr)


def test_a_sign_in_page_is_no_answer_and_pauses_the_run(own_workspace: Path, psygen: Run, tmp_path: Path) -> None:
    log = tmp_path / "bills"
    settings(own_workspace, patience_s=1.0)
    with running(log=log) as url:
        done = generate(psygen, own_workspace, url, "html")
    assert done.returncode == 75, done.stderr
    assert set(calls(own_workspace)) == {"failed"}
    assert len(bills(log)) <= WIDE + 5
    assert units(psygen, own_workspace) == {"done": 0, "pending": 12, "parked": 0}
    keep_promises(own_workspace, log=log, most_in_doubt=0, key=KEY, said=done.stderr)


# Limits


def test_when_one_is_told_to_wait_everybody_waits(own_workspace: Path, psygen: Run, tmp_path: Path) -> None:
    log = tmp_path / "bills"
    with running(latency=0.1, log=log) as url:
        done = generate(psygen, own_workspace, url, "first-after1500ms")
    assert done.returncode == 0, done.stderr
    [refused] = [b["at"] for b in bills(log) if b["status"] == 429]
    early = [b for b in bills(log) if refused < b["came"] < refused + 1.5]
    # Whoever had left before the refusal was read. Without the wait all eleven others would be among them.
    assert len(early) <= WIDE
    keep_promises(own_workspace, log=log, most_in_doubt=0, key=KEY, said=done.stderr)


def test_a_wait_beyond_all_patience_ends_the_run_to_be_repeated(
    own_workspace: Path, psygen: Run, tmp_path: Path
) -> None:
    log = tmp_path / "bills"
    with running(log=log) as url:
        done = generate(psygen, own_workspace, url, "after3600000ms")
    assert (done.returncode, "3,600 s" in done.stderr) == (75, True), done.stderr
    assert len(bills(log)) <= WIDE
    assert units(psygen, own_workspace)["pending"] == 12
    keep_promises(own_workspace, log=log, most_in_doubt=0, key=KEY, said=done.stderr)


@pytest.mark.parametrize(("limit", "code", "said"), [("1", 0, "4 questions"), ("2", 75, "limits ask to wait")])
def test_a_limit_that_is_used_up_for_hours_is_waited_for_by_nobody(
    own_workspace: Path, psygen: Run, tmp_path: Path, limit: str, code: int, said: str
) -> None:
    log = tmp_path / "bills"
    with running(log=log) as url:
        done = generate(psygen, own_workspace, url, "spent36000s", "--limit", limit, wide=1)
    assert (done.returncode, said in done.stderr) == (code, True), done.stderr
    assert len(bills(log)) == 1
    keep_promises(own_workspace, log=log, most_in_doubt=0, key=KEY, said=done.stderr)


@pytest.mark.parametrize("advice", ["0", "-5", "banana", "inf"])
def test_advice_that_makes_no_sense_is_an_ordinary_refusal(
    own_workspace: Path, psygen: Run, tmp_path: Path, advice: str
) -> None:
    log = tmp_path / "bills"
    with running(log=log) as url:
        done = generate(psygen, own_workspace, url, f"advice-{advice}", "--limit", "2")
    assert done.returncode == 0, done.stderr
    assert calls(own_workspace) == {"failed": 2, "received": 2}
    keep_promises(own_workspace, log=log, most_in_doubt=0, key=KEY, said=done.stderr)


def test_a_limit_nobody_speaks_of_is_found_out_and_kept(own_workspace: Path, psygen: Run, tmp_path: Path) -> None:
    log = tmp_path / "bills"
    with running(log=log) as url:
        done = generate(psygen, own_workspace, url, "limit6per1-silent", wide=32)
    assert done.returncode == 0, done.stderr
    statuses = Counter(b["status"] for b in bills(log))
    assert statuses[200] == 12
    assert statuses[429] <= 12
    keep_promises(own_workspace, log=log, most_in_doubt=0, key=KEY, said=done.stderr)


def test_a_limit_that_speaks_costs_hardly_a_refusal_however_many_might_be_in_flight(
    psygen: Run, tmp_path: Path
) -> None:
    log = tmp_path / "bills"
    with running(log=log) as url:
        done = generate(psygen, tmp_path, url, "limit6per2", "--limit", "18", wide=32)
    assert done.returncode == 0, done.stderr
    statuses = Counter(b["status"] for b in bills(log))
    assert statuses[200] == 18
    assert statuses[429] <= 3
    keep_promises(tmp_path, log=log, most_in_doubt=0, key=KEY, said=done.stderr)


# Outages and refusals


def test_an_outage_uses_up_nobodys_attempts(own_workspace: Path, psygen: Run, tmp_path: Path) -> None:
    log = tmp_path / "bills"
    settings(own_workspace, attempts=2)
    with running(log=log) as url:
        done = generate(psygen, own_workspace, url, "down7")
    assert done.returncode == 0, done.stderr
    statuses = Counter(b["status"] for b in bills(log))
    # The one that probes has failed three times and more by the time the server is back.
    assert statuses == {503: 7, 200: 12}
    log_file = own_workspace / "outputs" / "logs" / "psygen.jsonl"
    events = [json.loads(line)["event"] for line in log_file.read_text(encoding="utf-8").splitlines()]
    assert (events.count("paused"), events.count("resumed")) == (1, 1)
    keep_promises(own_workspace, log=log, most_in_doubt=7, key=KEY, said=done.stderr)


@pytest.mark.parametrize("status", ["408", "409"])
def test_statuses_after_which_nobody_knows_are_in_doubt_and_tried_again(
    own_workspace: Path, psygen: Run, tmp_path: Path, status: str
) -> None:
    log = tmp_path / "bills"
    with running(log=log) as url:
        done = generate(psygen, own_workspace, url, f"fail{status}x1", "--limit", "2")
    assert done.returncode == 0, done.stderr
    assert calls(own_workspace) == {"unknown": 2, "received": 2}
    keep_promises(own_workspace, log=log, most_in_doubt=2, key=KEY, said=done.stderr)


def test_a_redirect_is_not_followed(own_workspace: Path, psygen: Run, tmp_path: Path) -> None:
    log = tmp_path / "bills"
    with running(log=log) as url:
        done = generate(psygen, own_workspace, url, "redirect")
    assert (done.returncode, "does not follow" in done.stderr) == (5, True), done.stderr
    assert set(calls(own_workspace)) == {"failed"}
    keep_promises(own_workspace, log=log, most_in_doubt=0, key=KEY, said=done.stderr)


def test_one_prompt_the_server_refuses_is_parked_with_its_words_and_the_others_go_on(
    own_workspace: Path, psygen: Run, tmp_path: Path
) -> None:
    log = tmp_path / "bills"
    with running(log=log) as url:
        done = generate(psygen, own_workspace, url, "odd40", wide=1)
    odd = {p for b in bills(log) if luck_of(p := b["messages"][-1]["content"]) < 40}
    assert 0 < len(odd) < 12
    assert done.returncode == 3, done.stderr
    assert units(psygen, own_workspace) == {"done": 12 - len(odd), "pending": 0, "parked": len(odd)}
    found = json.loads(psygen("status", "--json", cwd=own_workspace).stdout)
    assert "This prompt is odd" in found["reasons"][0]["reason"]
    keep_promises(own_workspace, log=log, most_in_doubt=0, key=KEY, said=done.stderr)


@pytest.mark.parametrize(
    ("what", "said"), [("key", "invalid_api_key"), ("quota", "insufficient_quota"), ("model", "--model")]
)
def test_a_refusal_of_everything_in_mid_run_ends_it_soon_and_the_rest_stays_pending(
    psygen: Run, tmp_path: Path, what: str, said: str
) -> None:
    log, wide = tmp_path / "bills", 16
    with running(latency=0.2, log=log) as url:
        done = generate(psygen, tmp_path, url, f"{what}-dies20", "--subject", "statistics", wide=wide)
    assert (done.returncode, said in done.stderr) == (5, True), done.stderr
    statuses = Counter(b["status"] for b in bills(log))
    assert statuses.total() - statuses[200] <= wide + 5
    state = units(psygen, tmp_path)
    assert (state["done"], state["parked"]) == (statuses[200], 0)
    assert state["pending"] > 0
    keep_promises(tmp_path, log=log, most_in_doubt=0, key=KEY, said=done.stderr)


@pytest.mark.parametrize("model", ["broken", "error200", "no-choices"])
def test_an_answer_that_is_none_is_kept_paid_for_and_asked_for_once_more(
    own_workspace: Path, psygen: Run, tmp_path: Path, model: str
) -> None:
    log = tmp_path / "bills"
    priced(own_workspace, model)
    with running(log=log) as url:
        done = generate(psygen, own_workspace, url, model, "--limit", "2")
    assert done.returncode == 3, done.stderr
    assert calls(own_workspace) == {"received": 4}
    assert units(psygen, own_workspace)["parked"] == 2
    keep_promises(own_workspace, log=log, price=PRICE, most_in_doubt=0, key=KEY, said=done.stderr)


def test_a_database_that_fails_while_a_request_is_tried_again_ends_the_run_and_says_so(
    own_workspace: Path, psygen: Run, tmp_path: Path
) -> None:
    log = tmp_path / "bills"
    psygen("generate", "--all", "--engine", "offline", "--limit", "1", cwd=own_workspace)
    with running(log=log) as url:
        clean = {k: v for k, v in os.environ.items() if not k.startswith(("PSYGEN_", "OPENAI_"))}
        process = subprocess.Popen(
            [sys.executable, "-m", "psygen", *arguments(url, "after2000ms", "--limit", "1")],
            cwd=own_workspace,
            env=clean | {"OPENAI_API_KEY": KEY, "PSYGEN_BUSY_S": "0.3"},
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            text=True,
        )
        wait_for(lambda: calls(own_workspace)["failed"])
        conn = sqlite3.connect(own_workspace / "outputs" / "psygen.db", isolation_level=None)
        conn.execute("BEGIN IMMEDIATE")
        said = process.communicate(timeout=60)[1]
        conn.close()
    assert process.returncode == 6, said
    assert len(bills(log)) == 1
    keep_promises(own_workspace, log=log, most_in_doubt=0, key=KEY, said=said)
