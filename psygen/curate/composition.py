"""`psygen stats`: what the bank is made of, per subject, part of a split and chapter, and which concepts it reaches."""

from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from psygen.curate.choice import ANY_STATE, chosen_engines, chosen_states
from psygen.files.concepts import load_bank, load_subjects
from psygen.files.published import Figures, Published, read_published
from psygen.metrics.composition import Line, Measured, Spread, line, per_concept, spread
from psygen.records.concept import Bank, Chapter, Concept, Subject
from psygen.records.item import Item, ItemState
from psygen.records.split import PARTS
from psygen.settings import Settings
from psygen.store.queries import Filter
from psygen.store.splits import SplitReader


class ChapterLine(NamedTuple):
    """A chapter with its counts."""

    chapter: Chapter
    line: Line
    published: Figures | None


class SubjectLine(NamedTuple):
    """A subject with its counts, those of its parts and chapters, and how its concepts fare."""

    subject: Subject
    line: Line
    parts: Mapping[str, Line]
    """By part of the split, in the usual order; empty without a split."""
    chapters: tuple[ChapterLine, ...]
    spread: Spread
    published: Figures | None


class Composition(NamedTuple):
    """The whole report."""

    states: tuple[ItemState, ...]
    engines: tuple[str, ...]
    split: str
    """The split whose parts are shown; empty when there is none of that name."""
    subjects: tuple[SubjectLine, ...]
    total: Line
    parts: Mapping[str, Line]
    spread: Spread
    counts: Mapping[str, int]
    """Questions of each required concept, by id, in bank order."""
    missing: tuple[Concept, ...]
    """Required concepts without a question."""
    has_published: bool
    notes: tuple[str, ...]

    def as_json(self) -> dict[str, Any]:
        """Everything as plain JSON; fractions as they are."""
        return {
            "states": list(self.states),
            "engines": list(self.engines),
            "split": self.split,
            "subjects": [_subject_json(s) for s in self.subjects],
            "total": _line_json(self.total) | {"parts": {p: _line_json(v) for p, v in self.parts.items()}},
            "spread": self.spread._asdict(),
            "missing": [
                {"id": c.id, "subject": c.subject, "chapter": c.chapter, "concept": c.concept} for c in self.missing
            ],
            "notes": list(self.notes),
        }


def composition(
    settings: Settings,
    published: Published | None = None,
    *,
    subjects: Sequence[Subject] = (),
    states: Sequence[str] = (),
    engines: Sequence[str] = (),
    split: str = "main",
) -> Composition:
    """Count the bank: accepted questions of every engine, unless states or engines are named (`any` for all).

    published: figures to stand beside ours. split: whose parts are shown; a missing one shows none.
    Raises InputError for unknown names, ConceptFaults for a faulty bank.
    """
    slugs = tuple(s.slug for s in subjects)
    bank = load_bank(settings.concept_folders, slugs or None)
    with SplitReader(settings.database) as reader:
        may_states, may_engines = chosen_states(states), chosen_engines(reader, engines or ("any",))
        parts = reader.parts(split)
        wanted = Filter(subjects=slugs, states=may_states, engines=may_engines)
        questions = [_measured(item, parts.get(item.id, "")) for item in reader.items(wanted)] if may_engines else []
        waiting = reader.count_items(Filter(subjects=slugs, states=ANY_STATE))
        asked = reader.asked(may_engines)
    found = _composed(bank, asked, questions, published)
    return found._replace(
        states=may_states,
        engines=may_engines,
        split=split if parts else "",
        notes=(*_notes(found, may_states, waiting), *found.notes),
    )


def read_figures(settings: Settings, folder: Path) -> Published:
    """The published figures of a folder, matched with the workspace's subjects."""
    return read_published(folder, load_subjects(settings.concept_folders))


def _measured(item: Item, part: str) -> Measured:
    answers = [len(item.options[k]) for k in item.key if k < len(item.options)]
    mean = sum(answers) / len(answers) if answers else None
    return Measured(item.subject, item.chapter, item.concept_id, part, len(item.stem), mean)


def _composed(
    bank: Bank, asked: Mapping[tuple[str, str], int], questions: Sequence[Measured], published: Published | None
) -> Composition:
    by_place: dict[tuple[str, str], list[Measured]] = defaultdict(list)
    for question in questions:
        by_place[question.subject, question.chapter].append(question)
    lines = [_subject_line(s, bank, asked, by_place, published) for s in bank.subjects]
    lines = [entry for entry in lines if entry.line.concepts or entry.line.kept]
    shown = {entry.subject.slug for entry in lines}
    here = [q for q in questions if q.subject in shown]
    counts = per_concept((c.id for c in bank), questions)
    return Composition(
        states=(),
        engines=(),
        split="",
        subjects=tuple(lines),
        total=line(counts, sum(entry.line.asked or 0 for entry in lines), here),
        parts=_by_part(counts, here),
        spread=spread(counts.values()),
        counts=counts,
        missing=tuple(c for c in bank if not counts[c.id]),
        has_published=published is not None,
        notes=published.notes if published else (),
    )


def _subject_line(
    subject: Subject,
    bank: Bank,
    asked: Mapping[tuple[str, str], int],
    by_place: Mapping[tuple[str, str], Sequence[Measured]],
    published: Published | None,
) -> SubjectLine:
    slug = subject.slug
    concepts: dict[str, list[str]] = defaultdict(list)
    for concept in bank:
        if concept.subject == slug:
            concepts[concept.chapter].append(concept.id)
    required = [concept_id for chapter in concepts.values() for concept_id in chapter]
    here = [q for (its, _), questions in by_place.items() if its == slug for q in questions]
    chapters = tuple(
        ChapterLine(
            chapter,
            line(concepts[chapter.slug], asked.get((slug, chapter.slug), 0), by_place.get((slug, chapter.slug), [])),
            published.chapters.get((slug, chapter.slug)) if published else None,
        )
        for chapter in subject.chapters
    )
    return SubjectLine(
        subject,
        line(required, sum(n for (its, _), n in asked.items() if its == slug), here),
        _by_part(required, here),
        chapters,
        spread(per_concept(required, here).values()),
        published.subjects.get(slug) if published else None,
    )


def _by_part(required: Collection[str], questions: Sequence[Measured]) -> dict[str, Line]:
    """A line for each part that occurs; what is asked for is asked before it has a part."""
    groups: dict[str, list[Measured]] = defaultdict(list)
    for question in questions:
        groups[question.part].append(question)
    return {part: line(required, None, groups[part]) for part in PARTS if part in groups}


def _notes(found: Composition, states: Sequence[str], waiting: int) -> list[str]:
    notes = []
    if not found.total.kept:
        more = f"; the bank has {waiting:,} in some state: --state any counts them" if waiting else ""
        notes.append(f"No question is {' or '.join(states)}{more}.")
    return notes + [
        f"{s.subject.slug}: the bank lists {s.line.concepts} of {s.subject.required} required concepts."
        for s in found.subjects
        if s.line.concepts != s.subject.required
    ]


def _line_json(counts: Line) -> dict[str, Any]:
    return counts._asdict() | {"coverage": counts.coverage}


def _subject_json(entry: SubjectLine) -> dict[str, Any]:
    def published(figures: Figures | None) -> dict[str, Any]:
        return {} if figures is None else {"published": figures._asdict()}

    return {
        "subject": entry.subject.slug,
        **_line_json(entry.line),
        **published(entry.published),
        "parts": {part: _line_json(counts) for part, counts in entry.parts.items()},
        "spread": entry.spread._asdict(),
        "chapters": [
            {"chapter": c.chapter.slug, **_line_json(c.line), **published(c.published)} for c in entry.chapters
        ],
    }
