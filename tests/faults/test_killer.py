"""kill -9 at random moments of a long run: nothing lost, nothing paid for twice, the books right at every instant.

PSYGEN_KILLS=60 PSYGEN_KILL_UNITS=3000 python -m pytest -s tests/faults/test_killer.py     kills more often
PSYGEN_KILL_SEED=123 ...                                                                   kills as that run did
"""

import json
import math
import os
import random
import signal
import statistics
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path

from psygen.prices import Price
from tests.benchmarks.million import write_bank
from tests.faults.promises import keep_promises
from tests.stub import bills, running

Run = Callable[..., subprocess.CompletedProcess[str]]
# Read here and not in a test: a test sees no setting of the machine.
KILLS = int(os.environ.get("PSYGEN_KILLS", "20"))
UNITS = int(os.environ.get("PSYGEN_KILL_UNITS", KILLS * 15))
SEED = int(os.environ.get("PSYGEN_KILL_SEED", random.SystemRandom().randrange(10**6)))
WIDE, LATENCY_S = 6, 0.05
MODEL = "cut30"
"""Three in ten replies are cut: those units are asked again for what is missing, or in a shorter form."""
PRICE = Price(MODEL, 2.5, 15.0)


def workspace(folder: Path) -> Path:
    """UNITS concepts, and a price for the stub's model."""
    (folder / "concepts").mkdir(parents=True)
    write_bank(folder / "concepts", UNITS)
    (folder / "psygen.toml").write_text(f"[prices.{MODEL}]\ninput = 2.5\noutput = 15\n", encoding="utf-8")
    return folder


def command(url: str) -> list[str]:
    args = ["generate", "--all", "--engine", "online", "--base-url", url, "--model", MODEL]
    return [sys.executable, "-m", "psygen", *args, "--concurrency", str(WIDE)]


def environment() -> dict[str, str]:
    return {k: v for k, v in os.environ.items() if not k.startswith(("PSYGEN_", "OPENAI_"))}


class Killer:
    """Starts the same command again and again, and kills it: while it starts, while it asks, while it stores."""

    def __init__(self, folder: Path, url: str, log: Path, chance: random.Random) -> None:
        self.folder, self.url, self.log, self.chance = folder, url, log, chance
        self.kills = 0
        self.starts: list[float] = []

    def live_once(self) -> int | None:
        """One life; its exit code, or None when it was killed."""
        self.starts.append(time.time())
        process = subprocess.Popen(
            command(self.url),
            cwd=self.folder,
            env=environment(),
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            text=True,
        )
        try:
            if self.chance.random() < 0.2:
                time.sleep(self.chance.uniform(0, 1))
            else:
                self._live_on(process)
        finally:
            # In any case: a run that is left behind would hold the lock.
            if process.poll() is None:
                process.send_signal(signal.SIGKILL)
            said = process.communicate()[1]
        killed = process.returncode == -signal.SIGKILL
        self.kills += killed
        self._look(said)
        return None if killed else process.returncode

    def _live_on(self, process: "subprocess.Popen[str]") -> None:
        """Until a random moment after the first request of this life."""
        before = self._size()
        while process.poll() is None and self._size() == before:
            time.sleep(0.02)
        # So long that all lives together are about the whole run.
        time.sleep(self.chance.uniform(0, 1.8 * UNITS / KILLS * LATENCY_S / WIDE))
        self._look()

    def _size(self) -> int:
        return self.log.stat().st_size if self.log.exists() else 0

    def first_request_s(self) -> list[float]:
        """From each start that came so far to its first request at the server, in seconds."""
        came = sorted(b["came"] for b in bills(self.log))
        ends = [*self.starts[1:], math.inf]
        firsts = [
            next((c - start for c in came if start < c < end), None)
            for start, end in zip(self.starts, ends, strict=True)
        ]
        return [f for f in firsts if f is not None]

    def _look(self, said: str = "") -> None:
        most = (self.kills + 1) * WIDE
        keep_promises(self.folder, log=self.log, price=PRICE, most_in_doubt=most, said=said)


def test_an_answer_left_unread_by_a_kill_and_not_enough_is_followed_up_once(
    own_workspace: Path, psygen: Run, tmp_path: Path
) -> None:
    # Its follow-up was queued and its unit asked besides: one request, paid for twice.
    log = tmp_path / "bills"
    with running(log=log) as url:
        args = ["generate", "--all", "--engine", "online", "--base-url", url, "--model", "three"]
        killed = psygen(*args, "--limit", "1", cwd=own_workspace, env={"PSYGEN_CRASH_AT": "after_received"})
        assert (killed.returncode, len(bills(log))) == (-signal.SIGKILL, 1)
        done = psygen(*args, cwd=own_workspace)
    assert done.returncode == 0, done.stderr
    paid = Counter(b["request"] for b in bills(log))
    assert (len(paid), paid.total()) == (24, 24)
    keep_promises(own_workspace, log=log, most_in_doubt=0, said=done.stderr)


def test_a_run_killed_while_it_made_its_database_is_begun_again(own_workspace: Path, psygen: Run) -> None:
    args = ["generate", "--all", "--engine", "offline"]
    killed = psygen(*args, cwd=own_workspace, env={"PSYGEN_CRASH_AT": "in_migration"})
    assert killed.returncode == -signal.SIGKILL
    assert (own_workspace / "outputs" / "psygen.db").exists()
    done = psygen(*args, cwd=own_workspace)
    assert done.returncode == 0, done.stderr
    keep_promises(own_workspace, said=done.stderr)


def exported(psygen: Run, folder: Path) -> str:
    done = psygen("items", "export", "--stable", cwd=folder)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_random_kills_lose_nothing_and_the_bank_is_that_of_an_undisturbed_run(psygen: Run, tmp_path: Path) -> None:
    print(f"\nPSYGEN_KILLS={KILLS} PSYGEN_KILL_UNITS={UNITS} PSYGEN_KILL_SEED={SEED}")
    log = tmp_path / "bills"
    killed, calm = workspace(tmp_path / "killed"), workspace(tmp_path / "calm")
    with running(LATENCY_S, log) as url:
        killer = Killer(killed, url, log, random.Random(SEED))
        ended = None
        while killer.kills < KILLS and ended is None:
            ended = killer.live_once()
        last = subprocess.run(command(url), cwd=killed, env=environment(), capture_output=True, text=True, check=False)
    keep_promises(killed, log=log, price=PRICE, most_in_doubt=killer.kills * WIDE, said=last.stderr)
    calm_log = tmp_path / "calm bills"
    with running(log=calm_log) as url:
        subprocess.run(command(url), cwd=calm, env=environment(), capture_output=True, check=False)
    assert last.returncode in (0, 3), last.stderr
    assert exported(psygen, killed) == exported(psygen, calm)
    paid = Counter(b["request"] for b in bills(log))
    due = Counter(b["request"] for b in bills(calm_log))
    assert set(paid) == set(due)
    found = json.loads(psygen("report", "--json", cwd=killed).stdout)
    twice = (paid - due).total()
    print(f"{killer.kills} kills, {due.total()} requests, {twice} paid twice, {found['calls']['in_doubt']} in doubt")
    waits = killer.first_request_s()
    print(f"start to first request: median {statistics.median(waits):.2f} s, longest {max(waits):.2f} s")
    assert killer.kills >= KILLS // 2
    assert found["units"]["pending"] == 0
    assert twice <= found["calls"]["in_doubt"] <= killer.kills * WIDE
