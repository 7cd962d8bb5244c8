"""The promises hold at every instant of a run that is killed, and their check finds whatever breaks them."""

import os
import signal
import sqlite3
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from psygen.prices import Price
from tests.faults.promises import keep_promises
from tests.faults.test_store import wait_for
from tests.stub import bills, running

Run = Callable[..., subprocess.CompletedProcess[str]]
KEY = "sk-planted-0123456789"
PRICE = Price("good", 2.5, 15.0)
WIDE = 4


@pytest.fixture
def priced(own_workspace: Path) -> Path:
    (own_workspace / "psygen.toml").write_text("[prices.good]\ninput = 2.5\noutput = 15\n", encoding="utf-8")
    return own_workspace


def command(url: str) -> list[str]:
    args = ["generate", "--all", "--engine", "online", "--base-url", url, "--model", "good"]
    return [sys.executable, "-m", "psygen", *args, "--concurrency", str(WIDE)]


def environment() -> dict[str, str]:
    clean = {k: v for k, v in os.environ.items() if not k.startswith(("PSYGEN_", "OPENAI_"))}
    return clean | {"OPENAI_API_KEY": KEY}


def test_the_promises_hold_while_a_run_goes_on_and_after_each_kill(priced: Path, tmp_path: Path) -> None:
    log = tmp_path / "bills"
    said = ""
    with running(latency=0.3, log=log) as url:
        for kills in (1, 2):
            process = subprocess.Popen(
                command(url),
                cwd=priced,
                env=environment(),
                stderr=subprocess.PIPE,
                stdout=subprocess.DEVNULL,
                text=True,
            )
            before = len(bills(log))
            wait_for(lambda before=before: len(bills(log)) >= before + 2)  # type: ignore[misc]
            keep_promises(priced, log=log, price=PRICE)
            process.send_signal(signal.SIGKILL)
            said += process.communicate()[1]
            keep_promises(priced, log=log, price=PRICE, most_in_doubt=kills * WIDE, key=KEY, said=said)
        last = subprocess.run(command(url), cwd=priced, env=environment(), capture_output=True, text=True, check=False)
    assert last.returncode == 0, last.stderr
    keep_promises(priced, log=log, price=PRICE, most_in_doubt=2 * WIDE, key=KEY, said=said + last.stderr)


@pytest.mark.parametrize(
    ("statement", "promise"),
    [
        ("UPDATE calls SET raw = NULL WHERE id = 1", "V1"),
        ("UPDATE calls SET state = 'failed' WHERE id = 1", "V1"),
        ("UPDATE calls SET cost_micro_usd = 0", "V3: the stub billed"),
        ("UPDATE calls SET cost_micro_usd = NULL, reserved_micro_usd = NULL WHERE id = 1", "V3: a call"),
        ("UPDATE calls SET cost_micro_usd = 9000000", "V4"),
        ("UPDATE units SET reason = 'sk-planted-0123456789'", "V9"),
    ],
)
def test_the_check_finds_what_breaks_a_promise(priced: Path, tmp_path: Path, statement: str, promise: str) -> None:
    log = tmp_path / "bills"
    with running(log=log) as url:
        subprocess.run([*command(url), "--limit", "2"], cwd=priced, env=environment(), capture_output=True, check=True)

    def check() -> None:
        keep_promises(priced, log=log, price=PRICE, cap_micro_usd=5_000_000, most_in_doubt=0, key=KEY)

    check()
    conn = sqlite3.connect(priced / "outputs" / "psygen.db")
    with conn:
        conn.execute(statement)
    conn.close()
    with pytest.raises(AssertionError, match=promise):
        check()
