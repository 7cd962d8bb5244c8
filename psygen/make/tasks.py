"""Requests of units: what exactly is sent to which engine."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from psygen.engines.offline.engine import VERSION
from psygen.ids import text_hash
from psygen.records.concept import Bank, Concept
from psygen.store.database import Unit
from psygen.text import letters_only

NEIGHBOURS = 40
"""How many neighbouring concepts an offline request carries."""

BodyMaker = Callable[[Unit, int, Sequence[str]], Mapping[str, Any]]
"""(unit, questions still wanted, stems held) -> the body of the request."""


def offline_bodies(bank: Bank, seed: int) -> BodyMaker:
    """Bodies for the offline engine: the concept and its neighbours by content hash, hashed like messages."""
    by_subject: dict[str, list[Concept]] = {}
    for concept in bank:
        by_subject.setdefault(concept.subject, []).append(concept)

    def body(unit: Unit, questions: int, held: Sequence[str]) -> Mapping[str, Any]:
        near = neighbours(unit.concept, by_subject.get(unit.concept.subject, []))
        return {
            "task": "offline",
            "version": VERSION,
            "seed": seed,
            "concept": unit.concept.content,
            "neighbours": [c.content for c in near],
            "prompt_type": unit.prompt_type,
            "template": unit.template,
            "questions": questions,
            "held": sorted(letters_only(stem) for stem in held),
        }

    return body


def neighbours(concept: Concept, others: Sequence[Concept]) -> list[Concept]:
    """The nearest concepts of the subject: same section first, then same chapter, then the same kind elsewhere.

    The order of rows plays no part, so that a re-sorted file asks the same.
    """

    def distance(other: Concept) -> tuple[int, str]:
        same_kind = bool(concept.kind) and other.kind == concept.kind
        if other.chapter == concept.chapter:
            near = 0 if other.heading == concept.heading else 1
        else:
            near = 3
        return near + (0 if same_kind else 2), text_hash(f"{concept.id}/{other.id}", 12)

    return sorted((o for o in others if o.id != concept.id), key=distance)[:NEIGHBOURS]
