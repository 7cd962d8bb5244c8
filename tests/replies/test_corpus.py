"""Ugly replies of our own invention and how they read; `--update-golden` rewrites the readings, to be reviewed."""

import json
from pathlib import Path

import pytest

from psygen.replies.read import read_reply

CORPUS = sorted((Path(__file__).parent / "corpus").glob("*.txt"))


def reading_of(path: Path) -> dict[str, object]:
    found = read_reply(path.read_bytes())
    drafts = [
        {k: v for k, v in d.model_dump(mode="json").items() if v not in (None, "", [])} | {"key": list(d.key)}
        for d in found.drafts
    ]
    return {"form": found.form, "problem": found.problem, "drafts": drafts, "rest": list(found.rest)}


@pytest.mark.parametrize("path", CORPUS, ids=lambda p: p.stem)
def test_a_reply_reads_as_expected(path: Path, request: pytest.FixtureRequest) -> None:
    golden = path.with_suffix(".json")
    found = reading_of(path)
    if request.config.getoption("--update-golden"):
        golden.write_text(json.dumps(found, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")
    assert found == json.loads(golden.read_text(encoding="utf-8"))


def test_the_corpus_is_there() -> None:
    assert len(CORPUS) >= 40
