import json
import re
import sqlite3
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from psygen.make.report import report_of
from psygen.make.report_text import as_json, as_md, headline, money_text, short_report
from psygen.records.exchange import Profile, Reply, Usage
from psygen.settings import Settings
from psygen.store.database import Progress, Reading, Store
from psygen.store.report_queries import Money
from tests.files.test_sheets import item
from tests.store.test_database import PROFILE, planned, request
from tests.stub import running

Run = Callable[..., subprocess.CompletedProcess[str]]


def answer(
    store: Store, run: int, unit: object, n: int, *, state: str = "done", reason: str = "", **money: int
) -> None:
    """One unit answered with one question, as a run stores it."""
    one = request(unit, sample=run)  # type: ignore[arg-type]
    journal = store.journal(run)
    cost = money.get("cost_micro_usd")
    reply = Reply(
        request_id=one.id,
        call_id=journal.intend([one])[0],
        state="received",
        raw=b"{}",
        usage=Usage(input=1000, output=100),
        cost_micro_usd=cost,
    )
    journal.settle([reply])
    made = [item(n, request_id=one.id, position=0)]
    store.save_reading([Reading(reply, made, Progress(one.unit_id, state, reason), "ok")])


def changed(settings: Settings, *statements: str) -> None:
    conn = sqlite3.connect(settings.database)
    with conn:
        for statement in statements:
            conn.execute(statement)
    conn.close()


@pytest.fixture
def night(workspace: Settings) -> Settings:
    """Five units: two done, one short, one parked, one pending; two runs, one of which died with a call in flight."""
    with Store(workspace.database) as store:
        units = planned(store, 5)
        first = store.start_run(PROFILE, {"subjects": ["statistics"], "questions": 4})
        answer(store, first, units[0], 0, cost_micro_usd=1000)
        answer(store, first, units[1], 1, cost_micro_usd=3000)
        store.journal(first).intend([request(units[4], sample=9)])
        second = store.start_run(PROFILE, {"subjects": ["statistics"], "questions": 4})
        answer(store, second, units[2], 2, reason="1 of 4: E_LENGTH (cut)", cost_micro_usd=2000)
        journal = store.journal(second)
        call = journal.intend([request(units[3], sample=9)])[0]
        journal.settle(
            [Reply(request_id=request(units[3], sample=9).id, call_id=call, state="failed", error="park 400: no")]
        )
        store.park(units[3].id, "400: no")
        store.end_run(second, 3)
    changed(
        workspace,
        "UPDATE calls SET reserved_micro_usd = 7000 WHERE state = 'unknown'",
        "UPDATE calls SET ended_at = '2026-01-01T01:00:00Z'",
        "UPDATE runs SET started_at = '2026-01-01T00:00:00Z'",
        "UPDATE runs SET ended_at = '2026-01-01T03:00:00Z' WHERE id = 2",
    )
    return workspace


def test_units_questions_money_time_and_reasons_are_told(night: Settings) -> None:
    report = report_of(night)
    assert report.units == {"done": 3, "partial": 0, "parked": 1, "pending": 1}
    assert (report.asked, report.questions, report.open) == (20, 3, 1)
    assert report.short == 3 * 3 + 4
    assert report.calls.money == Money(4, certain=6000, possible=7000)
    assert (report.calls.sent, report.calls.received, report.calls.failed, report.calls.in_doubt) == (5, 3, 1, 1)
    assert (report.calls.input_tokens, report.calls.output_tokens) == (3000, 300)
    # The first run died; its last sign of life was an answer after one hour. The second took three.
    assert (report.elapsed_s, report.per_hour) == (4 * 3600, 1.0)
    assert [(w.state, w.reason, w.units) for w in report.why] == [
        ("parked", "400: no", 1),
        ("done", "1 of 4: E_LENGTH (cut)", 1),
    ]
    assert "output_limit" in report.why[1].meaning
    assert [(e.code, e.calls, e.example) for e in report.errors] == [("400", 1, "no"), ("killed", 1, KILLED)]


KILLED = "the run ended before the answer came"


def test_the_next_command_is_the_same_one_while_anything_is_open(night: Settings) -> None:
    assert report_of(night).next.endswith("psygen generate --subject statistics --engine offline")
    changed(night, "UPDATE units SET state = 'done' WHERE state = 'pending'")
    assert "psygen retry" in report_of(night).next
    changed(night, "UPDATE units SET state = 'done'")
    assert "psygen check" in report_of(night).next


@pytest.mark.parametrize(("code", "said"), [(4, "Raise --max-cost"), (5, "provider refuses"), (75, "Later, repeat")])
def test_the_next_command_says_what_comes_before_it(night: Settings, code: int, said: str) -> None:
    changed(night, f"UPDATE runs SET exit_code = {code} WHERE id = 2")  # noqa: S608  (a number of ours)
    assert said in report_of(night).next


def test_one_run_is_told_by_itself(night: Settings) -> None:
    first, last = report_of(night, run="1"), report_of(night, run="last")
    assert (first.calls.money.certain, last.calls.money.certain) == (4000, 2000)
    assert (first.finished, last.finished) == (2, 1)
    assert last.elapsed_s == 3 * 3600
    changed(night, """UPDATE runs SET outcome = '{"finished": 2, "items": 5}' WHERE id = 2""")
    assert (report_of(night, run="2").finished, report_of(night, run="2").made) == (2, 5)


def test_unknown_money_is_said_to_be_unknown_and_never_nothing(night: Settings) -> None:
    changed(night, "UPDATE calls SET cost_micro_usd = NULL WHERE id = 1")
    report = report_of(night)
    assert (report.calls.money.known, report.calls.money.certain) == (None, 5000)
    assert as_json(report)["money"]["certain_usd"] is None
    assert "unknown for 1 answered calls, 0.0050 USD for the others" in "\n".join(headline(report))
    assert report.money_per(3) is None
    # A server that does not say its usage is paid at most what was reserved.
    changed(night, "UPDATE calls SET reserved_micro_usd = 8000 WHERE id = 1")
    assert report_of(night).calls.money.known == 13000
    assert money_text(Money(2, possible_unpriced=2)).endswith(
        "2 calls in doubt are possibly billed at an unknown price."
    )


def test_the_chapters_sums_are_the_whole(night: Settings) -> None:
    report = report_of(night)
    assert sum(c.calls.money.certain for c in report.chapters) == report.calls.money.certain
    assert sum(c.units for c in report.chapters) == 5
    assert report_of(night, ["statistics"]).calls == report.calls
    empty = report_of(night, ["social-psychology"])
    assert (sum(empty.units.values()), empty.calls.sent, empty.chapters) == (0, 0, [])


def test_a_clock_set_back_gives_no_negative_time(night: Settings) -> None:
    changed(night, "UPDATE runs SET started_at = '2031-01-01T00:00:00Z'")
    report = report_of(night)
    assert (report.elapsed_s, report.per_hour) == (0.0, None)
    assert report.runs[-1].id == 2


def test_the_short_report_ends_with_the_next_command(night: Settings) -> None:
    lines = short_report(night, Profile(engine="offline", model="offline"), 2)
    assert lines[0].startswith("Units: 5 planned, 3 done")
    assert lines[-1].startswith("Next: ")
    assert any(line.startswith("Money of this run: 0.0020 USD certain") for line in lines)


def test_markdown_holds_text_from_a_server_in_its_cell(night: Settings) -> None:
    changed(night, "UPDATE units SET reason = '400: a | b' WHERE state = 'parked'")
    assert "| 1 | parked | 400: a \\| b |" in as_md(report_of(night))


def test_a_run_that_is_not_there_is_one_sentence(psygen: Run, night: Settings) -> None:
    for run in ("7", "first", "-1"):
        done = psygen("report", "--run", run, cwd=night.workspace)
        assert (done.returncode, "runs 1 to 2" in done.stderr) == (2, True)
    assert psygen("report", "--md", "--json", cwd=night.workspace).returncode == 2


def test_the_report_of_a_real_run_adds_up(own_workspace: Path, psygen: Run, tmp_path: Path) -> None:
    with running(log=tmp_path / "bills") as url:
        args = ["generate", "--all", "--engine", "online", "--base-url", url, "--model", "three"]
        psygen(*args, cwd=own_workspace)
    shown = psygen("report", cwd=own_workspace)
    assert shown.returncode == 0, shown.stderr
    assert "Units: 12 planned, 12 done" in shown.stdout
    found = json.loads(psygen("report", "--json", cwd=own_workspace).stdout)
    assert found["questions"] == {"asked": 48, "usable": 48, "accepted": 0, "short": 0}
    assert found["calls"]["received"] == 24
    assert sum(c["questions"] for c in found["chapters"]) == 48
    # No price for this model is known.
    assert found["money"]["certain_usd"] is None
    md = psygen("report", "--md", cwd=own_workspace).stdout
    assert re.search(r"\| 学习心理学 \| 条件作用 \| 6 \| 6 \| 0 \| 24 \|", md)
