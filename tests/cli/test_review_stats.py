import json
from collections.abc import Callable
from pathlib import Path
from subprocess import CompletedProcess

import pytest

from psygen.curate.judge import Entry, record
from psygen.records.review import Event, Policy
from psygen.settings import load_settings
from psygen.store.database import Store
from psygen.store.queries import Reader
from tests.benchmarks.million import make_million

Run = Callable[..., CompletedProcess[str]]


@pytest.fixture
def bank(tmp_path: Path) -> Path:
    """A workspace with 40 questions nobody has judged."""
    return make_million(tmp_path / "bank", 40)


def judge(folder: Path, verdicts: str, **fields: object) -> None:
    """Let r1, r2, r3 judge the first questions: a word of three letters each, k(eep), m(odify), d(elete), -."""
    settings = load_settings(folder, {})
    names = {"k": "keep", "m": "modify", "d": "delete"}
    with Reader(settings.database) as reader:
        items = list(reader.items(limit=len(verdicts.split())))
    entries = [
        Entry(
            Event.model_validate(
                {"reviewer": f"r{n}", "via": "sheet", "item_id": item.id, "revision": item.revision}
                | {"kind": "verdict", "verdict": names[letter], "blind_answer": item.key_letters}
                | fields
            )
        )
        for item, word in zip(items, verdicts.split(), strict=True)
        for n, letter in enumerate(word, 1)
        if letter in names
    ]
    with Store(settings.database) as store:
        record(store, Policy(), entries)


def test_nobody_judged_is_said_and_no_error(bank: Path, psygen: Run) -> None:
    done = psygen("-w", str(bank), "review", "stats")
    assert done.returncode == 0
    assert "No verdict yet" in done.stderr
    found = json.loads(psygen("-w", str(bank), "review", "stats", "--json").stdout)
    assert (found["items"], found["begun"]) == (40, 0)
    assert found["agreement"][0]["alpha"]["value"] is None


def test_equal_verdicts_are_said_to_be_undefined(bank: Path, psygen: Run) -> None:
    judge(bank, "kkk " * 10)
    shown = psygen("-w", str(bank), "review", "stats").stdout
    line = next(line for line in shown.splitlines() if line.startswith("verdict"))
    assert line.split()[1:] == "10 100.0% [100.0,100.0] – – – undefined: all verdicts equal".split()
    found = json.loads(psygen("-w", str(bank), "review", "stats", "--json").stdout)["agreement"][0]
    for name in ("alpha", "fleiss", "ac1"):
        assert (found[name]["value"], found[name]["undefined"]) == (None, "undefined: all verdicts equal")
    assert {pair["value"] for pair in found["cohen"]} == {None}


def test_figures_of_a_small_review(bank: Path, psygen: Run) -> None:
    judge(bank, "kkk kkk kkk ddd ddk kk-", ms=20_000)
    found = json.loads(psygen("-w", str(bank), "review", "stats", "--json").stdout)
    everything = found["groups"][0]
    assert everything["states"] == {"new": 34, "in_review": 1, "contested": 0, "accepted": 3, "rejected": 2}
    assert (everything["yield"]["count"], everything["yield"]["of"], everything["yield"]["rate"]) == (3, 5, 0.6)
    assert everything["yield"]["interval"] == pytest.approx([0.2307, 0.8824], abs=1e-4)
    first = found["reviewers"][0]
    assert (first["judged"], first["median_ms"]) == (6, 20_000)
    assert first["verdicts"] == {"keep": 4, "modify": 0, "delete": 2}
    assert first["blind"]["rate"] == 1
    verdict = found["agreement"][0]
    assert (verdict["on"], verdict["percent"]["items"]) == ("verdict", 6)
    assert verdict["percent"]["value"] == pytest.approx((5 + 1 / 3) / 6)
    assert [pair["reviewers"] for pair in verdict["cohen"]] == [["r1", "r2"], ["r1", "r3"], ["r2", "r3"]]
    assert verdict["cohen"][0]["value"] == 1


def test_markdown_has_a_heading_for_each_table(bank: Path, psygen: Run) -> None:
    judge(bank, "kkk kdk")
    shown = psygen("-w", str(bank), "review", "stats", "--md").stdout
    assert shown.startswith("### Progress and yield: accepted of accepted and rejected, with 95 % intervals\n\n| by |")
    assert shown.count("\n| --- |") == shown.count("### ")


def test_subjects_are_shown_by_chapter_and_unknown_ones_refused(bank: Path, psygen: Run) -> None:
    assert "chapter" in psygen("-w", str(bank), "review", "stats", "--subject", "大").stdout
    assert psygen("-w", str(bank), "review", "stats", "--subject", "nonsense").returncode == 2
    assert json.loads(psygen("-w", str(bank), "review", "stats", "--json", "--engine", "online").stdout)["items"] == 0
