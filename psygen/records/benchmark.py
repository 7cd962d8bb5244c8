"""A benchmark about to leave the house: the chosen questions, each in its split, and what readers must know."""

from collections.abc import Mapping, Sequence
from typing import Literal, NamedTuple

from psygen.records.concept import Subject

Split = Literal["dev", "val", "test", "train", "reserved"]
SPLITS: tuple[Split, ...] = ("train", "dev", "val", "test")
"""Splits that may leave, in the order they are written; `reserved` never does."""


class Question(NamedTuple):
    """One item as a benchmark's reader sees it. Options stand in the order they are shown."""

    id: str
    split: Split
    subject: str
    chapter: str
    """Slugs; names are in the benchmark's subjects."""
    concept_id: str
    concept: str
    """The concept's name."""
    concept_order: int
    """Place of the concept in bank order, from 0."""
    headings: tuple[str, ...]
    prompt_type: str
    kind: str
    level: str | None
    form: str
    """single, multiple, open."""
    lang: str
    stem: str
    options: tuple[str, ...]
    key: tuple[int, ...]
    """Positions of the right options, from 0, ascending; empty when nobody may see it."""
    explanation: str
    state: str
    flags: tuple[str, ...]
    engine: str
    model: str
    request_id: str
    revision: str


class Benchmark(NamedTuple):
    """Questions sorted by split, subject, chapter, concept order and id, with everything an export says about them."""

    name: str
    """Name of the split it was made with, e.g. `main`."""
    lang: str
    subjects: tuple[Subject, ...]
    """Those that occur, in bank order, with their chapters' names in both languages."""
    questions: Sequence[Question]
    canary: str
    """A string that no other text holds, so that training data can be searched for it."""
    facts: Mapping[str, object]
    """Plain JSON for cards and manifest: split policy, item states, engines and models, reviewers' roles and years."""
