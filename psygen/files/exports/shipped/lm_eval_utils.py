"""What the YAML files beside this one call with `!function utils.<name>`.

The questions lie in data/ beside this file and are found there whatever the working directory is.
"""

import json
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any

import datasets

DATA = Path(__file__).resolve().parent / "data"
INVALID = "[invalid]"


def load(subject: str | None = None, chapter: str | None = None, **_: Any) -> dict[str, datasets.Dataset]:
    """The splits of a task, as its `metadata` names it: one subject, and of it one chapter, or all.

    Demonstrations (dev) are the subject's whatever the chapter.
    """
    splits = {}
    for split in ("dev", "val", "test"):
        rows = [r for r in _rows(split) if subject in (None, r["subject"])]
        if split != "dev":
            rows = [r for r in rows if chapter in (None, r["chapter"])]
        splits[split] = datasets.Dataset.from_list(rows)
    return splits


@cache
def _rows(split: str) -> list[dict[str, Any]]:
    """The rows of a split, in the file's order; none when the export has no such file."""
    path = DATA / f"{split}.jsonl"
    if not path.exists():
        return []
    with path.open(encoding="utf-8") as file:
        return [json.loads(line) for line in file]


def score(doc: Mapping[str, Any], results: Sequence[str]) -> dict[str, float]:
    """Of the letters that the filter read: whether they are the key, and whether there were none to read."""
    return {"exact_match": float(results[0] == doc["answer"]), "invalid": float(results[0] == INVALID)}
