"""Batches at a provider and files for others: one batch billed, every answer read, nothing asked twice."""

import json
import sqlite3
import subprocess
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from tests.stub import batches, bills, running

Run = Callable[..., subprocess.CompletedProcess[str]]
KEY = "sk-planted-0123456789"


class Desk:
    """psygen in one workspace beside one stub."""

    def __init__(self, psygen: Run, folder: Path, url: str, log: Path) -> None:
        self.psygen, self.folder, self.url, self.log = psygen, folder, url, log

    def run(self, *args: str, code: int = 0, crash: str = "") -> str:
        """stderr of a command that ends with `code`."""
        env = {"OPENAI_API_KEY": KEY} | ({"PSYGEN_CRASH_AT": crash} if crash else {})
        done = self.psygen(*args, cwd=self.folder, env=env)
        assert done.returncode == (-9 if crash else code), done.stderr
        return done.stderr

    def generate(self, model: str = "good", *more: str, code: int = 0, crash: str = "") -> str:
        args = ["generate", "--all", "--engine", "batch", "--base-url", self.url, "--model", model, *more]
        return self.run(*args, code=code, crash=crash)

    def collect(self, *more: str, code: int = 0, crash: str = "") -> str:
        return self.run("batch", "collect", "--base-url", self.url, *more, code=code, crash=crash)

    def status(self) -> dict[str, Any]:
        found = json.loads(self.psygen("status", "--json", cwd=self.folder).stdout)
        requests: dict[str, Any] = found["requests"] | {"cost_usd": found["cost_usd"]}
        return requests | {k: found["subjects"][0][k] for k in ("done", "partial", "pending", "parked", "items")}

    def batches(self) -> list[dict[str, Any]]:
        text = self.psygen("batch", "status", "--json", "--base-url", self.url, cwd=self.folder).stdout
        return json.loads(text)["batches"]  # type: ignore[no-any-return]

    def export(self) -> str:
        return self.psygen("items", "export", "--stable", cwd=self.folder).stdout

    def sound(self) -> None:
        """The file is whole, and no request has two answers or has them without bytes."""
        conn = sqlite3.connect(self.folder / "outputs" / "psygen.db")
        assert conn.execute("PRAGMA integrity_check").fetchone()[0] == "ok"
        assert conn.execute("PRAGMA foreign_key_check").fetchall() == []
        assert conn.execute("SELECT count(*) FROM calls WHERE state = 'received' AND raw IS NULL").fetchone()[0] == 0
        conn.close()


@pytest.fixture
def desk(psygen: Run, own_workspace: Path, tmp_path: Path) -> Iterator[Desk]:
    log = tmp_path / "bills"
    with running(log=log) as url:
        made = Desk(psygen, own_workspace, url, log)
        yield made
        if (own_workspace / "outputs" / "psygen.db").exists():
            made.sound()


@contextmanager
def another(psygen: Run, folder: Path) -> Iterator[Desk]:
    """A second workspace beside the first, with the same small bank."""
    from psygen.files.workspace import make_workspace
    from tests.conftest import SUBJECTS, write_concepts

    make_workspace(folder)
    for path in (folder / "concepts").iterdir():
        if path.is_file():
            path.unlink()
    (folder / "concepts" / "subjects.toml").write_text(SUBJECTS, encoding="utf-8")
    write_concepts(folder)
    with running(log=folder / "bills") as url:
        yield Desk(psygen, folder, url, folder / "bills")


def test_a_batch_brings_what_asking_one_by_one_brings(desk: Desk, psygen: Run, tmp_path: Path) -> None:
    assert "psygen batch status" in desk.generate()
    assert desk.status()["pending"] == 12
    desk.collect()
    with another(psygen, tmp_path / "online") as online:
        online.run("generate", "--all", "--engine", "online", "--base-url", online.url, "--model", "good")
        assert desk.export() == online.export()
    assert len(desk.export().splitlines()) == 48
    assert "Nothing to do" in desk.generate()
    assert (len(bills(desk.log)), len(batches(desk.log))) == (12, 1)


def test_what_a_batch_has_is_not_asked_again_meanwhile(desk: Desk) -> None:
    desk.generate("batch-slow9")
    desk.generate("batch-slow9")
    args = ["--all", "--engine", "online", "--base-url", desk.url, "--model", "batch-slow9"]
    desk.run("generate", *args)
    assert len(batches(desk.log)) == 1
    assert bills(desk.log) == []
    assert desk.status() | {"sent": 12, "unknown": 12, "pending": 12} == desk.status()


def test_wait_stays_until_everything_is_there(desk: Desk) -> None:
    desk.generate("three+batch-slow1", "--wait", "--every", "0.1")
    assert desk.status()["done"] == 12
    assert len(batches(desk.log)) == 2
    assert len(bills(desk.log)) == 24


def test_missing_questions_go_into_the_next_batch(desk: Desk) -> None:
    desk.generate("three")
    desk.generate("three")
    assert desk.status()["partial"] == 12
    desk.collect()
    assert desk.status() | {"done": 12, "items": 48} == desk.status()


@pytest.mark.parametrize("crash", ["after_prepare", "after_upload", "after_batch_create"])
@pytest.mark.parametrize("again", ["generate", "collect"])
def test_a_kill_while_submitting_never_makes_two_batches(desk: Desk, crash: str, again: str) -> None:
    desk.generate(crash=crash)
    said = desk.generate() if again == "generate" else desk.collect()
    assert ("adopted" in said) == (crash == "after_batch_create")
    desk.collect()
    assert (len(batches(desk.log)), len(bills(desk.log))) == (1, 12)
    assert desk.status() | {"done": 12, "items": 48, "unknown": 0} == desk.status()


@pytest.mark.parametrize("crash", ["in_collect", "in_parse"])
@pytest.mark.parametrize("again", ["generate", "collect"])
def test_a_kill_while_collecting_loses_nothing(desk: Desk, crash: str, again: str) -> None:
    desk.generate()
    desk.collect(crash=crash)
    desk.generate() if again == "generate" else desk.collect()
    assert (len(batches(desk.log)), len(bills(desk.log))) == (1, 12)
    assert desk.status() | {"done": 12, "items": 48, "received": 12} == desk.status()


def test_a_database_put_back_from_a_copy_finds_its_batch_again(desk: Desk) -> None:
    desk.generate("good", "--limit", "1")
    desk.collect()
    database = desk.folder / "outputs" / "psygen.db"
    conn = sqlite3.connect(database)
    conn.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    conn.close()
    before = database.read_bytes()
    desk.generate()
    for path in [*database.parent.glob("psygen.db-*"), database.with_name("psygen.run.json")]:
        path.unlink()
    database.write_bytes(before)
    assert "adopted" in desk.generate()
    assert len(batches(desk.log)) == 2


def test_an_orphan_is_found_on_a_later_page(desk: Desk) -> None:
    desk.generate("good", "--concept", "lrn-shaping", crash="after_batch_create")
    with sqlite3.connect(desk.folder / "outputs" / "psygen.db") as conn:
        conn.execute("UPDATE submissions SET state = 'lost'")
    conn.close()
    for name in ("lrn-encoding", "lrn-storage", "lrn-retrieval"):
        desk.generate("good", "--concept", name)
    with sqlite3.connect(desk.folder / "outputs" / "psygen.db") as conn:
        conn.execute("UPDATE submissions SET state = 'uploaded' WHERE state = 'lost'")
    conn.close()
    assert "adopted" in desk.collect()
    assert len(batches(desk.log)) == 4


def test_a_file_refused_at_validation_opens_its_units_again(desk: Desk) -> None:
    desk.generate("batch-failed")
    said = desk.collect(code=5)
    assert "line 2: invalid_json_line" in said
    assert desk.status() | {"failed": 12, "pending": 12, "unknown": 0} == desk.status()
    desk.generate("batch-failed")
    assert len(batches(desk.log)) == 2


@pytest.mark.parametrize(
    ("model", "answered"), [("batch-expired", 6), ("batch-expired+batch-errors-only", 0)], ids=["part", "none"]
)
def test_an_expired_batch_keeps_what_was_answered(desk: Desk, model: str, answered: int) -> None:
    desk.generate(model)
    said = desk.collect()
    assert "not billed" in said
    assert len(bills(desk.log)) == answered
    assert desk.status() | {"done": answered, "failed": 12 - answered, "pending": 12 - answered} == desk.status()


def test_a_cancelled_batch_keeps_what_was_answered(desk: Desk) -> None:
    desk.generate("batch-slow9")
    assert "cancelling" in desk.run("batch", "cancel", "--base-url", desk.url)
    desk.collect()
    assert desk.status() | {"done": 6, "failed": 6, "pending": 6} == desk.status()
    assert "no batch is under way" in desk.run("batch", "cancel", "--base-url", desk.url)


def test_a_batch_that_was_never_made_is_forgotten_by_cancel(desk: Desk) -> None:
    desk.generate(crash="after_upload")
    assert "never sent" in desk.run("batch", "cancel", "--base-url", desk.url)
    assert desk.status() | {"failed": 12, "pending": 12} == desk.status()
    assert batches(desk.log) == []


def test_results_come_in_any_order(desk: Desk) -> None:
    desk.generate("batch-shuffled")
    desk.collect()
    assert desk.status() | {"done": 12, "items": 48} == desk.status()


def test_of_two_answers_the_first_stays(desk: Desk) -> None:
    desk.generate("batch-duplicate")
    assert "1 results were answered already" in desk.collect()
    assert desk.status() | {"received": 12, "done": 12, "items": 48} == desk.status()


def test_results_of_strangers_are_reported_and_their_file_kept(desk: Desk) -> None:
    desk.generate("batch-stranger")
    said = desk.collect()
    assert "1 results are of requests psygen never made" in said
    assert len(list((desk.folder / "outputs" / "batches").iterdir())) == 1
    assert desk.status()["done"] == 12


def test_a_cut_last_line_is_one_call_in_doubt(desk: Desk) -> None:
    desk.generate("batch-cut-line")
    assert "perhaps billed" in desk.collect()
    assert desk.status() | {"received": 11, "unknown": 1, "done": 11, "pending": 1} == desk.status()


def test_a_request_turned_away_is_parked_with_the_reason(desk: Desk) -> None:
    desk.generate("batch-bad-line")
    assert "Something about this request is wrong" in desk.collect(code=3)
    assert desk.status() | {"done": 8, "parked": 4, "failed": 4} == desk.status()


def test_a_batch_turned_away_line_by_line_parks_nothing(desk: Desk) -> None:
    desk.generate("batch-all-bad")
    assert "every request was turned away" in desk.collect(code=5)
    assert desk.status() | {"pending": 12, "parked": 0, "failed": 12} == desk.status()


def test_results_that_are_gone_are_not_silently_asked_again(desk: Desk) -> None:
    desk.generate("batch-gone")
    assert "perhaps billed" in desk.collect(code=3)
    assert desk.status() | {"unknown": 12, "parked": 12} == desk.status()
    desk.generate("batch-gone", code=3)
    assert len(batches(desk.log)) == 1


def test_a_refused_batch_costs_nothing_and_goes_on_later(desk: Desk) -> None:
    said = desk.generate("batch-no-quota", code=5)
    assert "insufficient_quota" in said
    assert batches(desk.log) == []
    [one] = desk.batches()
    assert one["state"] == "uploaded"


def test_a_server_without_batches_leaves_every_unit_open(desk: Desk) -> None:
    elsewhere = desk.url.replace("/v1", "/v2")
    args = ["generate", "--all", "--engine", "batch", "--base-url", elsewhere, "--model", "good"]
    assert "psygen batch write" in desk.run(*args, code=5)
    desk.run("generate", "--all", "--engine", "online", "--base-url", desk.url, "--model", "good")
    assert desk.status() | {"done": 12, "failed": 12} == desk.status()


def test_nobody_there_is_no_loss(own_workspace: Path, psygen: Run) -> None:
    args = ["generate", "--all", "--engine", "batch", "--base-url", "http://127.0.0.1:9/v1", "--model", "good"]
    assert psygen(*args, cwd=own_workspace).returncode == 75


def test_a_batch_of_another_server_is_not_looked_for_here(desk: Desk) -> None:
    desk.generate("batch-slow9")
    done = desk.psygen("batch", "collect", "--base-url", "http://127.0.0.1:9/v1", cwd=desk.folder)
    assert (done.returncode, desk.url in done.stderr) == (2, True)
    shown = desk.psygen("batch", "status", "--base-url", "http://127.0.0.1:9/v1", cwd=desk.folder)
    assert f"say --base-url {desk.url}" in shown.stderr


PRICES = "[prices.good]\ninput = 10\noutput = 100\nbatch = 0.5\n"


def bill(desk: Desk) -> float:
    """USD of everything the stub answered, at half the price."""
    return sum((900 * 10 + int(b["output"]) * 100) / 2 / 1e6 for b in bills(desk.log))


def test_a_batch_costs_what_the_provider_bills_for_one(desk: Desk) -> None:
    (desk.folder / "psygen.toml").write_text(PRICES, encoding="utf-8")
    desk.generate()
    desk.collect()
    assert desk.status()["cost_usd"] == pytest.approx(bill(desk), abs=12e-6)


def test_a_cap_lets_through_what_fits_at_worst(desk: Desk) -> None:
    (desk.folder / "psygen.toml").write_text(PRICES, encoding="utf-8")
    assert "raise --max-cost" in desk.generate("good", "--max-cost", "2", code=4)
    sent = desk.status()["sent"]
    assert 0 < sent < 12
    desk.collect()
    assert bill(desk) <= 2
    assert len(bills(desk.log)) == sent
    desk.generate("good", "--max-cost", "20")
    desk.collect()
    assert desk.status()["done"] == 12


def test_a_cap_without_a_price_is_a_wrong_use(desk: Desk) -> None:
    assert "price" in desk.generate("unheard-of", "--max-cost", "2", code=2)


def test_the_key_is_nowhere_but_on_the_wire(desk: Desk) -> None:
    said = desk.generate() + desk.collect()
    assert {b["authorization"] for b in bills(desk.log)} == {f"Bearer {KEY}"}
    assert KEY not in said
    assert not any(KEY.encode() in p.read_bytes() for p in (desk.folder / "outputs").rglob("*") if p.is_file())


def answered_by_a_cluster(requests: Path, results: Path, desk: Desk, model: str) -> None:
    """The requests of a file answered by the stub's batch route, far from psygen."""
    import openai

    with openai.OpenAI(api_key="x", base_url=desk.url, max_retries=0) as client, requests.open("rb") as file:
        up = client.files.create(file=("r.jsonl", file), purpose="batch")
        batch = client.batches.create(
            input_file_id=up.id, endpoint="/v1/chat/completions", completion_window="24h", metadata={}
        )
        assert batch.output_file_id is not None, model
        results.write_bytes(client.files.content(batch.output_file_id).content)


def test_a_file_answered_elsewhere_is_read_like_any_answer(desk: Desk, tmp_path: Path) -> None:
    requests, results = tmp_path / "requests.jsonl", tmp_path / "results.jsonl"
    desk.run("batch", "write", str(requests), "--all", "--model", "batch-shuffled+batch-stranger")
    assert desk.status() | {"sent": 0, "pending": 12} == desk.status()
    first = requests.read_bytes()
    desk.run("batch", "write", str(requests), "--all", "--model", "batch-shuffled+batch-stranger")
    assert requests.read_bytes() == first
    answered_by_a_cluster(requests, results, desk, "batch-shuffled")
    assert "1 results are of requests psygen never made" in desk.run("batch", "read", str(results))
    assert desk.status() | {"done": 12, "items": 48, "received": 12} == desk.status()
    before = desk.export()
    assert "12 results were answered already" in desk.run("batch", "read", str(results))
    assert desk.export() == before
    assert "nothing is left to ask" in desk.run(
        "batch", "write", str(requests), "--all", "--model", "batch-shuffled+batch-stranger"
    )


def test_an_answer_of_the_server_wins_over_a_later_file(desk: Desk, tmp_path: Path) -> None:
    requests, results = tmp_path / "requests.jsonl", tmp_path / "results.jsonl"
    desk.run("batch", "write", str(requests), "--all", "--model", "good")
    answered_by_a_cluster(requests, results, desk, "good")
    online = ["generate", "--all", "--engine", "online", "--base-url", desk.url, "--model", "good", "--limit", "5"]
    desk.run(*online)
    said = desk.run("batch", "read", str(results))
    assert "5 results were answered already" in said
    assert desk.status() | {"received": 12, "done": 12, "items": 48} == desk.status()


def test_a_kill_while_reading_a_file_loses_nothing(desk: Desk, tmp_path: Path) -> None:
    requests, results = tmp_path / "requests.jsonl", tmp_path / "results.jsonl"
    desk.run("batch", "write", str(requests), "--all", "--model", "good")
    answered_by_a_cluster(requests, results, desk, "good")
    desk.run("batch", "read", str(results), crash="in_collect")
    desk.run("batch", "read", str(results))
    assert desk.status() | {"received": 12, "done": 12, "items": 48} == desk.status()


def test_a_missing_file_of_results_is_a_wrong_use(desk: Desk) -> None:
    assert "no such file" in desk.run("batch", "read", "nothing.jsonl", code=2)
