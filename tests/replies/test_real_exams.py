"""Real examination questions in every layout; the data stay outside the project, without them this is skipped."""

import csv
import json
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import pytest

from psygen.replies.read import read_reply
from tests.replies.layouts import TEXTS, Q, as_json, meant, read

DATA = Path(__file__).parents[3] / "shared" / "data"


def exams() -> Iterator[Q]:
    """Single-choice questions with four different options and nothing that a table or a JSON file would not hold."""
    for path in sorted(DATA.glob("c[me]*/**/*.csv")):
        with path.open(encoding="utf-8", newline="") as file:
            for row in csv.DictReader(file):
                fields = {k.casefold(): v for k, v in row.items() if k}
                if {"question", "a", "b", "c", "d", "answer"} <= fields.keys():
                    yield from _usable(fields["question"], [fields[x] for x in "abcd"], fields["answer"], "")
    for path in sorted(DATA.glob("cpsyexam/dev/*单项*.json")):
        for row in json.loads(path.read_text(encoding="utf-8")):
            options = [row["options"].get(x, "") for x in "ABCD"]
            yield from _usable(row["question"], options, row["answer"], row.get("explanation") or "")


def _usable(stem: str, options: Sequence[str], answer: str, explanation: str) -> Iterator[Q]:
    texts = [stem.strip(), *(o.strip() for o in options), explanation.strip()]
    # "案例七：" is a label, which goes, and "a. b. c. d." before the options is another list of options.
    is_plain = (
        not stem.startswith("案例")
        and all(t == " ".join(t.split()) and "|" not in t and "**" not in t for t in texts)
        and all(texts[:5])
    )
    if answer in tuple("ABCD") and is_plain:
        yield Q(texts[0], (texts[1], texts[2], texts[3], texts[4]), "ABCD".index(answer), texts[5] or "见教材。")


REAL = list(exams())
needs_data = pytest.mark.skipif(not REAL, reason="no ../shared/data")


@needs_data
@pytest.mark.parametrize("layout", TEXTS.values(), ids=TEXTS)
def test_real_questions_are_read_or_refused_but_never_damaged(layout: Callable[[Sequence[Q]], str]) -> None:
    whole = 0
    for n in range(0, len(REAL), 4):
        four = REAL[n : n + 4]
        got = read([d for d in read_reply(layout(four)).drafts if not d.fault])
        assert all(g in meant(four) for g in got)
        whole += len(got)
    assert whole >= 0.97 * len(REAL)


@needs_data
def test_real_questions_survive_json() -> None:
    for n in range(0, len(REAL), 4):
        assert read(read_reply(as_json(REAL[n : n + 4])).drafts) == meant(REAL[n : n + 4])
