"""A concept bank beside its syllabus: required numbers, lengths, near-duplicates, types, script. Pure."""

from collections import Counter
from typing import NamedTuple

from psygen.checks.item import traditional_characters
from psygen.checks.similar import similar_pairs
from psygen.records.concept import PROMPT_TYPES, Bank, Concept

MIN_CHARS, MAX_CHARS = 60, 250
"""Length of a description that is precise and still one thought."""
SIMILAR_DESCRIPTIONS = 0.5


class ChapterStats(NamedTuple):
    """A chapter in numbers."""

    subject: str
    chapter: str
    required: int
    concepts: int
    descriptions: int
    primary: dict[str, int]
    """Units by each concept's primary type."""
    assigned: dict[str, int]
    """Units by every assigned type."""
    mean_chars: float | None


def chapter_stats(bank: Bank) -> list[ChapterStats]:
    """Every chapter of every subject that has concepts, in order."""
    by_place: dict[tuple[str, str], list[Concept]] = {}
    for concept in bank:
        by_place.setdefault((concept.subject, concept.chapter), []).append(concept)
    loaded = {c.subject for c in bank}
    return [
        _stats(subject.slug, chapter.slug, chapter.concepts, by_place.get((subject.slug, chapter.slug), []))
        for subject in bank.subjects
        if subject.slug in loaded
        for chapter in subject.chapters
    ]


def _stats(subject: str, chapter: str, required: int, concepts: list[Concept]) -> ChapterStats:
    texts = [d.text for c in concepts for d in c.descriptions]
    primary = Counter(c.primary for c in concepts)
    assigned = Counter(t for c in concepts for t in c.prompt_types)
    return ChapterStats(
        subject=subject,
        chapter=chapter,
        required=required,
        concepts=len(concepts),
        descriptions=len(texts),
        primary={t: primary[t] for t in PROMPT_TYPES},
        assigned={t: assigned[t] for t in PROMPT_TYPES},
        mean_chars=sum(map(len, texts)) / len(texts) if texts else None,
    )


def syllabus_faults(bank: Bank) -> list[str]:
    """Everything in which the bank falls short of its syllabus, one sentence each; empty when it holds."""
    faults = [
        f"{s.subject} > {s.chapter}: {s.concepts} concepts, the syllabus requires {s.required}."
        for s in chapter_stats(bank)
        if s.concepts != s.required
    ]
    loaded = {c.subject for c in bank}
    faults += [f"{s.slug}: no concept at all; it requires {s.required}." for s in bank.subjects if s.slug not in loaded]
    faults += _text_faults(bank)
    faults += _similar_faults(bank)
    used = {t for c in bank for t in c.prompt_types}
    faults += [f"No description serves {t}." for t in PROMPT_TYPES if t not in used]
    return faults


def _text_faults(bank: Bank) -> list[str]:
    faults = []
    for concept in bank:
        for number, description in enumerate(concept.descriptions, 1):
            length = len(description.text)
            if not MIN_CHARS <= length <= MAX_CHARS:
                faults.append(
                    f"{concept.id}: description {number} has {length} characters; {MIN_CHARS} to {MAX_CHARS} are right."
                )
            if found := traditional_characters(concept.concept + description.text):
                faults.append(f"{concept.id}: description {number} holds traditional characters ({found}).")
    return faults


def _similar_faults(bank: Bank) -> list[str]:
    texts = [(c.id, d.text) for c in bank for d in c.descriptions]
    return [
        f"{texts[p.first][0]} and {texts[p.second][0]}: descriptions are {p.similarity:.0%} the same."
        for p in similar_pairs([t for _, t in texts], SIMILAR_DESCRIPTIONS)
    ]
