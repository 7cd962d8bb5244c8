"""Concept versions to and from their rows."""

import json
import sqlite3

from psygen.records.concept import Concept
from psygen.store.connection import now
from psygen.store.items import as_json


def concept_row(concept: Concept) -> dict[str, object]:
    """A concept version as a row, seen now."""
    return {
        "content": concept.content,
        "concept_id": concept.id,
        "subject": concept.subject,
        "chapter": concept.chapter,
        "heading": concept.heading,
        "subheading": concept.subheading,
        "concept": concept.concept,
        "concept_en": concept.concept_en,
        "descriptions": as_json([d.model_dump(mode="json") for d in concept.descriptions]),
        "kind": concept.kind,
        "synonyms": as_json(concept.synonyms),
        "overlaps": as_json(concept.overlaps),
        "seen_at": now(),
    }


def concept_of(row: sqlite3.Row) -> Concept:
    """A concept from its row."""
    return Concept(
        id=row["concept_id"],
        subject=row["subject"],
        chapter=row["chapter"],
        heading=row["heading"],
        subheading=row["subheading"],
        concept=row["concept"],
        concept_en=row["concept_en"],
        descriptions=json.loads(row["descriptions"]),
        kind=row["kind"],
        synonyms=json.loads(row["synonyms"]),
        overlaps=json.loads(row["overlaps"]),
    )
