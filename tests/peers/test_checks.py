"""The checks themselves: what the stub reads in a prompt, and that every kind of fault is named. Needs no harness."""

import json
from collections.abc import Sequence
from pathlib import Path

import pytest

from psygen.files.exports.shipped import psygen_questions
from tests.files.exports.corpus import corpus, json_lines, written
from tests.peers.__main__ import Exported, faults_of_log, faults_of_run
from tests.peers.harnesses import Run
from tests.peers.stub import Knowledge, Stub

DEV = ["d1", "d2", "d3", "d4", "d5"]
PLACES = dict.fromkeys(DEV, ("dev", "statistics")) | dict.fromkeys(("t1", "t2"), ("test", "statistics"))
ELSEWHERE = {"v1": ("val", "statistics"), "g1": ("dev", "general")}


@pytest.fixture
def exported(tmp_path: Path) -> Exported:
    return Exported(tmp_path, tmp_path / "items.jsonl", PLACES | ELSEWHERE)


def log(folder: Path, lines: Sequence[tuple[str | None, list[str]]]) -> Path:
    path = folder / "log.jsonl"
    path.write_text("".join(json.dumps({"asked": a, "demos": d}) + "\n" for a, d in lines))
    return path


def test_the_stub_finds_every_question_and_its_demonstrations(tmp_path: Path) -> None:
    made = corpus()
    written(tmp_path / "out", "inspect", made)
    data = tmp_path / "out/inspect/data"
    rows = [row for split in ("dev", "val", "test") for row in json_lines(data / f"{split}.jsonl")]
    known = Knowledge({"id": r["id"], "stem": r["question"], "options": r["choices"], "key": r["answer"]} for r in rows)
    dev = psygen_questions.rows("dev", data)
    for row in psygen_questions.rows("test", data):
        shots = psygen_questions.demonstrations(row, dev, 5)
        asked = known.asked(psygen_questions.prompt(row, shots))
        assert [k.id for k in asked] == [s["id"] for s in [*shots, row]]
        assert asked[-1].answer("right") == row["answer"] != asked[-1].answer("wrong")


def test_the_likelihood_of_the_right_letter_is_the_highest(tmp_path: Path) -> None:
    item = {"id": "t1", "stem": "甲？", "options": ["子", "丑", "寅", "卯"], "key": "C"}
    prompt = "甲？\nA. 子\nB. 丑\nC. 寅\nD. 卯\n答案："
    with (tmp_path / "log").open("w", encoding="utf-8") as out:
        stub = Stub(Knowledge([item]), out)
        found = {c: stub._choice(0, prompt + c, {"model": "right", "echo": True})["logprobs"] for c in "ABCD"}
    # The harness adds the values from the letter to the last but one.
    likely = {c: sum(found[c]["token_logprobs"][len(prompt) : -1]) for c in "ABCD"}
    assert max(likely, key=likely.__getitem__) == "C"


def test_a_faultless_run_has_no_faults(exported: Exported) -> None:
    assert faults_of_run(Run("x", 1.0, ["t2", "t1"]), "right", exported) == []
    assert faults_of_log(log(exported.folder, [("t1", DEV), ("t2", DEV)]), 1, exported) == []


@pytest.mark.parametrize(
    "run", [Run("x", 0.999, []), Run("x", 1.0, ["t1"]), Run("x", 1.0, ["t1", "t1", "t2"]), Run("x", 1.0, ["t1", "v1"])]
)
def test_a_score_or_an_id_amiss_is_named(exported: Exported, run: Run) -> None:
    assert len(faults_of_run(run, "right", exported)) == 1


@pytest.mark.parametrize(
    "second",
    [
        ("t2", DEV[:4]),
        ("t2", [*DEV[:4], "d4"]),
        ("t2", [*DEV[:4], "v1"]),
        ("t2", [*DEV[:4], "g1"]),
        ("t2", [*DEV[:4], "t1"]),
        ("t1", DEV),
        (None, []),
    ],
)
def test_a_prompt_amiss_is_named(exported: Exported, second: tuple[str | None, list[str]]) -> None:
    assert faults_of_log(log(exported.folder, [("t1", DEV), second]), 1, exported)
