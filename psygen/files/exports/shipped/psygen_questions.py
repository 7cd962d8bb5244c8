"""Questions and prompts of this export; standard library only."""

import json
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

DATA = Path(__file__).resolve().parent / "data"
LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"

Row = Mapping[str, Any]
"""One line of a data file: id, subject, chapter, concept_id, format, question, choices, answer …"""


class Wording(NamedTuple):
    """How a question is put in one language."""

    single: str
    """Said before the demonstrations; {subject} is the subject's name."""
    multiple: str
    answer: str
    """Stands before the answer's letters."""


WORDINGS = {
    "zh": Wording(
        "以下是中国关于{subject}考试的单项选择题，请选出其中的正确答案。只回答选项字母。",
        "以下是中国关于{subject}考试的多项选择题，请选出所有正确答案。只回答选项字母。",
        "答案：",
    ),
    "en": Wording(
        "The following are multiple choice questions about {subject}. Answer with the letter of the right option only.",
        "The following are questions about {subject}. Answer with the letters of all right options only.",
        "Answer: ",
    ),
}


def scored_split(data: Path = DATA) -> str:
    """The split to score when none is named: test, or val where the answers of test are not in this export."""
    return "test" if (data / "test.jsonl").exists() else "val"


def rows(split: str, data: Path = DATA) -> list[Row]:
    """The questions of a split, in the file's order. Raises ValueError for a split that is not here."""
    path = data / f"{split}.jsonl"
    if not path.exists():
        here = ", ".join(sorted(p.stem for p in data.glob("*.jsonl")))
        raise ValueError(f"split={split}: this export has no questions with answers of that split; here are {here}.")
    with path.open(encoding="utf-8") as file:
        return [json.loads(line) for line in file]


def demonstrations(row: Row, dev: Iterable[Row], count: int) -> list[Row]:
    """The first `count` questions of dev with the row's subject and format."""
    return [d for d in dev if (d["subject"], d["format"]) == (row["subject"], row["format"])][:count]


def prompt(row: Row, shots: Sequence[Row]) -> str:
    """What the model is asked: what it is about, the demonstrations with their answers, the question."""
    wording = WORDINGS.get(row["lang"], WORDINGS["en"])
    head = wording.multiple if row["format"] == "MAQ" else wording.single
    subject = row["subject_zh"] if row["lang"] == "zh" else row["subject_en"]
    blocks = [_block(shot, wording) + shot["answer"] for shot in shots]
    return "\n\n".join([head.replace("{subject}", subject), *blocks, _block(row, wording).rstrip()])


def _block(row: Row, wording: Wording) -> str:
    """A question, its options under letters, and the word the answer follows."""
    options = [f"{letter}. {option}" for letter, option in zip(LETTERS, row["choices"], strict=False)]
    return "\n".join([row["question"].strip(), *options, wording.answer])
