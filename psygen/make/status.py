"""How far a bank is: planned from the concepts, done from the store. Quick on any size of bank."""

from collections import Counter
from typing import Any, NamedTuple

from psygen.errors import InputError
from psygen.files.concepts import load_bank, load_subjects
from psygen.make.finished import bank_plan
from psygen.make.selection import subject_named
from psygen.records.concept import Subject
from psygen.settings import OFFLINE_MODEL, Settings
from psygen.store.queries import Books, Reader, UnitCount

STATES = ("done", "partial", "parked", "pending")


class Line(NamedTuple):
    """One chapter, or a whole subject with an empty chapter."""

    subject: Subject
    chapter: str
    units: dict[str, int]
    """By state; the sum is the number of units."""
    items: int

    def as_json(self) -> dict[str, Any]:
        """Units, states and items in the contract's shape."""
        return {"units": sum(self.units.values()), **self.units, "items": self.items}


class Status(NamedTuple):
    """The whole report."""

    profile: str
    subjects: tuple[tuple[Line, tuple[Line, ...]], ...]
    """Each subject's line with its chapters' lines."""
    items: int
    books: Books
    reasons: list[tuple[str, str, int]]
    """Why units are short or parked: state, reason, how many."""

    def as_json(self) -> dict[str, Any]:
        """The contract's shape."""
        cost = self.books.cost_micro_usd
        return {
            "profile": self.profile,
            "subjects": [
                {
                    "subject": line.subject.slug,
                    **line.as_json(),
                    "chapters": [{"chapter": c.chapter, **c.as_json()} for c in chapters],
                }
                for line, chapters in self.subjects
            ],
            "items": self.items,
            "requests": {
                "sent": self.books.sent,
                "received": self.books.received,
                "failed": self.books.failed,
                "unknown": self.books.unknown,
            },
            "tokens": {"input": self.books.input_tokens, "output": self.books.output_tokens},
            "cost_usd": None if cost is None else cost / 1e6,
            "possible_usd": self.books.possible_micro_usd / 1e6,
            "reasons": [{"state": s, "reason": r, "units": n} for s, r, n in self.reasons],
        }


def status_of(
    settings: Settings,
    subjects: tuple[str, ...] = (),
    *,
    engine: str | None = None,
    model: str | None = None,
    lang: str | None = None,
) -> Status:
    """Units of the loaded bank in their primary type, and whatever else was asked for, for one profile.

    The profile is the one last used, or the last used that fits engine, model and lang.
    """
    known = load_subjects(settings.concept_folders)
    wanted = [subject_named(name, known) for name in subjects] or list(known)
    if not settings.database.is_file():
        planned = load_bank(settings.concept_folders).counts()
        empty = Books(0, 0, 0, 0, 0, 0, 0)
        return _status("", wanted, planned, [], {}, empty, [])
    with Reader(settings.database) as reader:
        profile = _profile(reader.profiles(), engine, model, lang)
        planned = reader.plan(bank_plan(settings)) or load_bank(settings.concept_folders).counts()
        return _status(
            profile,
            wanted,
            planned,
            reader.unit_counts(profile),
            reader.item_counts(profile.split("/", 1)[0]),
            reader.books(),
            reader.reasons(profile),
        )


def _profile(used: list[str], engine: str | None, model: str | None, lang: str | None) -> str:
    """The last used profile that fits. Raises InputError with those there are."""
    for profile in used:
        has_engine, rest = profile.split("/", 1)
        has_model, has_lang = rest.rsplit("/", 1)
        if engine in (None, has_engine) and model in (None, has_model) and lang in (None, has_lang):
            return profile
    if used and (engine or model or lang):
        raise InputError(f"No run fits; there are {', '.join(used)} (engine/model/language).")
    return used[0] if used else f"offline/{OFFLINE_MODEL}/zh"


def _status(
    profile: str,
    wanted: list[Subject],
    planned: dict[str, dict[str, int]],
    counts: list[UnitCount],
    items: dict[tuple[str, str], int],
    books: Books,
    reasons: list[tuple[str, str, int]],
) -> Status:
    states: dict[tuple[str, str], Counter[str]] = {}
    primary: Counter[tuple[str, str]] = Counter()
    for count in counts:
        place = (count.subject, count.chapter)
        states.setdefault(place, Counter())[count.state] += count.units
        primary[place] += count.units if count.is_primary else 0
    lines = []
    for subject in wanted:
        chapters = []
        for chapter in subject.chapters:
            place = (subject.slug, chapter.slug)
            units = Counter(dict.fromkeys(STATES, 0)) + states.get(place, Counter())
            missing = planned.get(subject.slug, {}).get(chapter.slug, 0) - primary[place]
            units["pending"] += max(missing, 0)
            chapters.append(Line(subject, chapter.slug, {s: units[s] for s in STATES}, items.get(place, 0)))
        total = {s: sum(c.units[s] for c in chapters) for s in STATES}
        if sum(total.values()):
            line = Line(subject, "", total, sum(c.items for c in chapters))
            lines.append((line, tuple(c for c in chapters if sum(c.units.values()))))
    return Status(profile, tuple(lines), sum(line.items for line, _ in lines), books, reasons)
