"""Money: the cap holds whatever happens, the books and the bill agree, and unknown is never nothing.

PSYGEN_MONEY_RUNS=20 python -m pytest -s tests/faults/test_money.py      more random runs with random kills
PSYGEN_MONEY_SEED=123 ...                                                the same ones again
"""

import json
import os
import random
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import click
import pytest

from psygen.cli.generate import _confirm
from psygen.engines.online.server import Server
from psygen.make.generate import Job, load_job, preview
from psygen.make.selection import Selection
from psygen.prices import Price
from psygen.records.exchange import Profile
from psygen.settings import load_settings
from tests.faults.promises import keep_promises
from tests.faults.test_store import wait_for
from tests.stub import bills, running

Run = Callable[..., subprocess.CompletedProcess[str]]
# Read here and not in a test: a test sees no setting of the machine.
RUNS = int(os.environ.get("PSYGEN_MONEY_RUNS", "3"))
SEED = int(os.environ.get("PSYGEN_MONEY_SEED", random.SystemRandom().randrange(10**6)))
INPUT, OUTPUT = 2.5, 15.0
PRICE = Price("stub", INPUT, OUTPUT)
ROOMY = 10_000_000
WIDE = 4


def priced(folder: Path, *models: str, output: float = OUTPUT, **server: float) -> None:
    """psygen.toml with the stub's price for some scenarios."""
    lines = ["[server]", *(f"{name} = {value}" for name, value in server.items())]
    for model in models:
        lines += [f'[prices."{model}"]', f"input = {INPUT}", f"output = {output}"]
    (folder / "psygen.toml").write_text("\n".join([*lines, ""]), encoding="utf-8")


def arguments(url: str, model: str, *more: str) -> list[str]:
    args = ["generate", "--all", "--engine", "online", "--base-url", url, "--model", model]
    return [*args, "--concurrency", str(WIDE), *more]


def generate(psygen: Run, folder: Path, url: str, model: str, *more: str) -> subprocess.CompletedProcess[str]:
    return psygen(*arguments(url, model, *more), cwd=folder)


def report(psygen: Run, folder: Path) -> dict[str, Any]:
    return json.loads(psygen("report", "--json", cwd=folder).stdout)  # type: ignore[no-any-return]


def micro(usd: float) -> int:
    return round(usd * 1e6)


def billed(log: Path, price: Price = PRICE) -> int:
    """What the stub's log comes to, in micro-USD, call by call."""
    from psygen.records.exchange import Usage

    return sum(price.cost(Usage(input=900, output=b["output"])) or 0 for b in bills(log) if b["status"] == 200)


def agree(psygen: Run, folder: Path, log: Path) -> None:
    """certain <= bill <= certain + possibly billed, to the cent where nothing is in doubt."""
    money, bill = report(psygen, folder)["money"], billed(log)
    certain, possible = micro(money["certain_usd"]), micro(money["possible_usd"])
    assert certain <= bill <= certain + possible
    assert possible or certain == bill


# The cap


def test_a_cap_ends_the_run_before_it_is_broken_and_raised_it_goes_on(
    own_workspace: Path, psygen: Run, tmp_path: Path
) -> None:
    log = tmp_path / "bills"
    priced(own_workspace, "good")
    with running(latency=0.05, log=log) as url:
        capped = generate(psygen, own_workspace, url, "good", "--max-cost", "0.25")
        assert (capped.returncode, "raise --max-cost" in capped.stderr) == (4, True), capped.stderr
        assert 0 < len(bills(log)) < 12
        keep_promises(own_workspace, log=log, price=PRICE, cap_micro_usd=250_000, most_in_doubt=0, said=capped.stderr)
        agree(psygen, own_workspace, log)
        again = generate(psygen, own_workspace, url, "good", "--max-cost", "0.25")
        assert again.returncode == 4, again.stderr
        paid = [b["request"] for b in bills(log)]
        raised = generate(psygen, own_workspace, url, "good", "--max-cost", "10")
    assert raised.returncode == 0, raised.stderr
    after = [b["request"] for b in bills(log)]
    assert (after[: len(paid)], len(after), len(set(after))) == (paid, 12, 12)
    keep_promises(own_workspace, log=log, price=PRICE, cap_micro_usd=ROOMY, most_in_doubt=0, said=raised.stderr)
    agree(psygen, own_workspace, log)


def test_a_cap_below_one_request_sends_nothing(own_workspace: Path, psygen: Run, tmp_path: Path) -> None:
    log = tmp_path / "bills"
    priced(own_workspace, "good")
    with running(log=log) as url:
        done = generate(psygen, own_workspace, url, "good", "--max-cost", "0.01")
    assert (done.returncode, bills(log)) == (4, []), done.stderr
    keep_promises(own_workspace, log=log, price=PRICE, cap_micro_usd=10_000, most_in_doubt=0, said=done.stderr)


def test_a_lost_answer_stays_reserved_and_trying_again_needs_room_of_its_own(
    own_workspace: Path, psygen: Run, tmp_path: Path
) -> None:
    log = tmp_path / "bills"
    priced(own_workspace, "once-reset")
    with running(log=log) as url:
        done = generate(psygen, own_workspace, url, "once-reset", "--limit", "1", "--max-cost", "0.2")
    assert (done.returncode, "raise --max-cost" in done.stderr) == (4, True), done.stderr
    assert len(bills(log)) == 1
    keep_promises(own_workspace, log=log, price=PRICE, cap_micro_usd=200_000, most_in_doubt=1, said=done.stderr)
    agree(psygen, own_workspace, log)


def test_a_reply_dearer_than_its_reserve_is_booked_in_full_told_and_counted_by_the_next(
    own_workspace: Path, psygen: Run, tmp_path: Path
) -> None:
    log = tmp_path / "bills"
    priced(own_workspace, "dear20000")
    with running(log=log) as url:
        args = ["--max-cost", "0.42", "--concurrency", "1"]
        done = generate(psygen, own_workspace, url, "dear20000", *args)
    # 0.30 USD where about 0.14 was set aside: beside it there is no room for another.
    assert (done.returncode, len(bills(log))) == (4, 1), done.stderr
    assert "1 calls cost more than was set aside" in done.stderr
    assert micro(report(psygen, own_workspace)["money"]["certain_usd"]) == billed(log) == 302_250
    keep_promises(own_workspace, log=log, price=PRICE, cap_micro_usd=420_000, most_in_doubt=0, said=done.stderr)


# What nobody knows


def test_a_cap_without_a_price_is_refused_before_anything_is_sent(
    own_workspace: Path, psygen: Run, tmp_path: Path
) -> None:
    log = tmp_path / "bills"
    with running(log=log) as url:
        done = generate(psygen, own_workspace, url, "good", "--max-cost", "1")
    assert (done.returncode, '[prices."good"]' in done.stderr, bills(log)) == (2, True, []), done.stderr
    keep_promises(own_workspace, log=log, said=done.stderr)


def test_unknown_money_is_nowhere_shown_as_nothing(own_workspace: Path, psygen: Run, tmp_path: Path) -> None:
    log = tmp_path / "bills"
    with running(log=log) as url:
        done = generate(psygen, own_workspace, url, "good", "--limit", "2")
        dry = psygen(*arguments(url, "good", "--dry-run", "--json"), cwd=own_workspace)
        text = psygen(*arguments(url, "good", "--dry-run"), cwd=own_workspace).stdout
    shown = psygen("report", cwd=own_workspace).stdout
    assert "0.00 USD" not in done.stderr
    for said in (done.stderr, shown):
        assert "unknown for 2 answered calls" in said
    estimate = json.loads(dry.stdout)
    assert (estimate["cost_usd"], estimate["paid_usd"]) == ({"expected": None, "worst": None}, None)
    assert "an unknown sum" in text
    assert "0.00 USD" not in text
    assert report(psygen, own_workspace)["money"]["certain_usd"] is None
    keep_promises(own_workspace, log=log, most_in_doubt=0, said=done.stderr)


def test_a_cap_says_what_it_cannot_count(own_workspace: Path, psygen: Run, tmp_path: Path) -> None:
    log = tmp_path / "bills"
    with running(log=log) as url:
        generate(psygen, own_workspace, url, "good", "--limit", "2")
        priced(own_workspace, "good")
        done = generate(psygen, own_workspace, url, "good", "--max-cost", "5")
    assert done.returncode == 0, done.stderr
    assert "2 earlier calls have no known price; --max-cost does not count them" in done.stderr
    keep_promises(own_workspace, log=log, most_in_doubt=0, said=done.stderr)


def test_a_server_that_does_not_say_its_usage_is_paid_what_was_set_aside(
    own_workspace: Path, psygen: Run, tmp_path: Path
) -> None:
    log = tmp_path / "bills"
    priced(own_workspace, "no-usage")
    with running(log=log) as url:
        done = generate(psygen, own_workspace, url, "no-usage", "--limit", "2")
    assert done.returncode == 0, done.stderr
    assert micro(report(psygen, own_workspace)["money"]["certain_usd"]) > billed(log) > 0
    keep_promises(own_workspace, log=log, price=PRICE, most_in_doubt=0, said=done.stderr)


# Prices


def test_a_changed_price_counts_for_later_calls_only(own_workspace: Path, psygen: Run, tmp_path: Path) -> None:
    log = tmp_path / "bills"
    with running(log=log) as url:
        priced(own_workspace, "good")
        generate(psygen, own_workspace, url, "good", "--limit", "2")
        first = billed(log)
        assert micro(report(psygen, own_workspace)["money"]["certain_usd"]) == first
        priced(own_workspace, "good", output=60.0)
        generate(psygen, own_workspace, url, "good", "--limit", "3")
    dear = Price("stub", INPUT, 60.0)
    later = billed(log, dear) - billed_of_first(log, 2, dear)
    assert micro(report(psygen, own_workspace)["money"]["certain_usd"]) == first + later
    keep_promises(own_workspace, log=log, price=PRICE, most_in_doubt=0)


def billed_of_first(log: Path, count: int, price: Price) -> int:
    from psygen.records.exchange import Usage

    return sum(price.cost(Usage(input=900, output=b["output"])) or 0 for b in bills(log)[:count])


def test_answers_that_are_no_use_cost_too(own_workspace: Path, psygen: Run, tmp_path: Path) -> None:
    log = tmp_path / "bills"
    priced(own_workspace, "length")
    with running(log=log) as url:
        done = generate(psygen, own_workspace, url, "length", "--limit", "1")
    assert (done.returncode, len(bills(log))) == (3, 4), done.stderr
    agree(psygen, own_workspace, log)
    keep_promises(own_workspace, log=log, price=PRICE, most_in_doubt=0, said=done.stderr)


# Before a run


def test_an_estimate_bounds_what_the_run_then_costs(own_workspace: Path, psygen: Run, tmp_path: Path) -> None:
    log = tmp_path / "bills"
    priced(own_workspace, "good")
    with running(log=log) as url:
        before = json.loads(psygen(*arguments(url, "good", "--dry-run", "--json"), cwd=own_workspace).stdout)
        text = psygen(*arguments(url, "good", "--dry-run"), cwd=own_workspace).stdout
        assert bills(log) == []
        generate(psygen, own_workspace, url, "good", "--limit", "4")
        after = json.loads(psygen(*arguments(url, "good", "--dry-run", "--json"), cwd=own_workspace).stdout)
        generate(psygen, own_workspace, url, "good")
    assert (before["calls"], after["calls"], before["paid_usd"]) == (12, 8, 0.0)
    assert 0 < before["cost_usd"]["expected"] < before["cost_usd"]["worst"]
    assert billed(log) / 1e6 < before["cost_usd"]["worst"]
    # Once four replies are known, the rest is expected to be like them.
    whole = after["paid_usd"] + after["cost_usd"]["expected"]
    assert whole == pytest.approx(billed(log) / 1e6, rel=0.1)
    assert "USD expected" in text
    assert "at worst" in text
    agree(psygen, own_workspace, log)


def paid_job(folder: Path, cap: float | None) -> Job:
    """A run that would go to a server that costs money; nothing is sent by loading it."""
    priced(folder, "good")
    settings = load_settings(folder, {}, {"server": {"model": "good", "base_url": "https://api.example.org/v1"}})
    profile = Profile(engine="online", model="good")
    server = Server("https://api.example.org/v1", "sk-none", False)
    return load_job(settings, Selection(), profile, questions=4, seed=7, server=server, max_cost_usd=cap)


def test_without_a_terminal_a_paid_run_needs_a_yes_or_a_cap(own_workspace: Path) -> None:
    free, capped = paid_job(own_workspace, None), paid_job(own_workspace, 1.0)
    options: dict[str, Any] = {"yes": False, "limit": None}
    with pytest.raises(click.UsageError, match=r"Send 12 requests to .* for about .* USD.* --yes or --max-cost"):
        _confirm(free, preview(free), options)
    _confirm(capped, preview(capped), options)
    _confirm(free, preview(free), {**options, "yes": True})


# All at once


def test_random_runs_with_random_kills_stay_below_the_cap_and_agree_with_the_bill(
    own_workspace: Path, psygen: Run, tmp_path: Path
) -> None:
    print(f"\nPSYGEN_MONEY_RUNS={RUNS} PSYGEN_MONEY_SEED={SEED}")
    chance = random.Random(SEED)
    for n in range(RUNS):
        model = chance.choice(["good", "cut30", "cut30+once-short"])
        folder, log = tmp_path / f"run{n}", tmp_path / f"bills{n}"
        cap = chance.randrange(300_000, 3_000_000)
        folder.mkdir()
        for part in ("concepts", "prompts"):
            (folder / part).symlink_to(own_workspace / part)
        priced(folder, model)
        with running(chance.choice([0.0, 0.1]), log) as url:
            for _ in range(chance.randint(1, 3)):
                killed_once(folder, log, arguments(url, model, "--max-cost", str(cap / 1e6)), chance)
                keep_promises(folder, log=log, price=PRICE, cap_micro_usd=cap)
                if (folder / "outputs" / "psygen.db").exists():
                    agree(psygen, folder, log)
            last = generate(psygen, folder, url, model, "--max-cost", str(cap / 1e6))
        assert last.returncode in (0, 3, 4), last.stderr
        assert billed(log) <= cap
        keep_promises(folder, log=log, price=PRICE, cap_micro_usd=cap, said=last.stderr)
        agree(psygen, folder, log)
        print(f"{model}: cap {cap / 1e6:.2f}, bill {billed(log) / 1e6:.4f} USD, exit {last.returncode}")


def killed_once(folder: Path, log: Path, args: list[str], chance: random.Random) -> None:
    """Start a run and kill it at a random moment, mostly while it asks; it may come to its end before."""
    clean = {k: v for k, v in os.environ.items() if not k.startswith(("PSYGEN_", "OPENAI_"))}
    before = len(bills(log))
    process = subprocess.Popen(
        [sys.executable, "-m", "psygen", *args],
        cwd=folder,
        env=clean,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    wait_for(lambda: process.poll() is not None or len(bills(log)) > before)
    time.sleep(chance.uniform(0, 0.4))
    process.send_signal(signal.SIGKILL)
    process.wait()
