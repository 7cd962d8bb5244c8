"""What there is to do: the units a selection asks for, beside those the store knows."""

import difflib
from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

from psygen.errors import InputError, UnknownName
from psygen.make.selection import Selection, chapter_named, nearest, subject_named
from psygen.prompts import Prompts, template_name
from psygen.records.concept import PROMPT_TYPES, Bank, Concept, PromptType
from psygen.records.exchange import Profile
from psygen.store.units import MOST_TRIES, KnownUnit, KnownUnits, Unit, unit_id
from psygen.text import match_key


class Plan(NamedTuple):
    """The units of a selection, by what has to be done about them."""

    units: tuple[Unit, ...]
    """All of them, in bank order."""
    new: int
    changed: int
    """New because text or template changed since the concept was asked."""
    raised: int
    """Finished units of which more questions are asked now."""
    open: int
    """Begun or waiting from an earlier run."""
    done: int
    parked: int
    stale: tuple[str, ...]
    """Ids of units whose items are superseded: older versions, and concepts that left the bank."""

    @property
    def to_do(self) -> int:
        """Units that will be asked."""
        return self.new + self.changed + self.raised + self.open


def select(bank: Bank, selection: Selection) -> list[Concept]:
    """The concepts of a selection in bank order. Raises UnknownName for a name that stands for nothing."""
    wanted = [subject_named(name, bank.subjects) for name in selection.subjects] or list(bank.subjects)
    slugs = {s.slug for s in wanted}
    chosen = [c for c in bank if c.subject in slugs]
    if selection.chapters:
        places = set()
        for name in selection.chapters:
            found = [(s.slug, c.slug) for s in wanted if (c := chapter_named(name, s)) is not None]
            if not found:
                names = {match_key(n): c for s in wanted for c in s.chapters for n in (c.slug, c.zh, c.en)}
                listed = [c.slug for s in wanted for c in s.chapters] if len(wanted) == 1 else []
                raise UnknownName(f'There is no chapter "{name}". {nearest(name, names, "Chapters", listed)}')
            places.update(found)
        chosen = [c for c in chosen if (c.subject, c.chapter) in places]
    if selection.concepts:
        ids = {concept_named(name, bank).id for name in selection.concepts}
        chosen = [c for c in chosen if c.id in ids]
    return chosen


def concept_named(name: str, bank: Bank) -> Concept:
    """The concept a user means by id, Chinese or English name or synonym. Raises UnknownName with the nearest."""
    if name in bank.by_id:
        return bank.by_id[name]
    names: dict[str, list[Concept]] = {}
    for concept in bank:
        for own in (concept.id, concept.concept, concept.concept_en, *concept.synonyms):
            if own and concept not in names.setdefault(match_key(own), []):
                names[match_key(own)].append(concept)
    found = names.get(match_key(name), [])
    if len(found) == 1:
        return found[0]
    if found:
        raise UnknownName(f'"{name}" is the name of several concepts: {", ".join(c.id for c in found)}. Give the id.')
    near = difflib.get_close_matches(match_key(name), names, 4, 0.45)
    hint = ", ".join(dict.fromkeys(names[n][0].id for n in near))
    raise UnknownName(
        f'There is no concept "{name}". ' + (f"Nearest: {hint}." if hint else "See: psygen concepts list.")
    )


def types_of(concept: Concept, asked: Sequence[str]) -> list[PromptType]:
    """The types a concept is asked in: its primary one, all assigned, or those asked for that it has."""
    if not asked:
        return [concept.primary]
    if "all" in asked:
        return list(concept.prompt_types)
    return [t for t in PROMPT_TYPES if t in asked and t in concept.prompt_types]


def plan_units(
    bank: Bank,
    selection: Selection,
    profile: Profile,
    prompts: Prompts,
    known: KnownUnits,
    *,
    questions: int,
) -> Plan:
    """The units of a selection and what is to be done about each.

    known: units of the profile in the store, by concept id and type (see Store.known_units).
    Raises InputError when nothing is selected.
    """
    chosen = select(bank, selection)
    units = [
        _unit(concept, prompt_type, bank.rank[concept.id], profile, prompts)
        for concept in chosen
        for prompt_type in types_of(concept, selection.types)
    ]
    if not units:
        raise InputError("The selection holds no concept" + (" of that type." if chosen else "."))
    counts: Counter[str] = Counter()
    stale: list[str] = []
    for unit in units:
        versions = known.get((unit.concept.id, unit.prompt_type), [])
        counts[_standing(unit, versions, questions)] += 1
        stale += [v.id for v in versions if v.id != unit.id and not v.is_stale]
    stale += _left_the_bank(bank, known)
    return Plan(
        units=tuple(units),
        new=counts["new"],
        changed=counts["changed"],
        raised=counts["raised"],
        open=counts["open"],
        done=counts["done"],
        parked=counts["parked"],
        stale=tuple(stale),
    )


def _unit(concept: Concept, prompt_type: PromptType, rank: int, profile: Profile, prompts: Prompts) -> Unit:
    template = prompts.fingerprint(prompt_type, profile.lang)
    return Unit(unit_id(profile, concept, prompt_type, template), concept, prompt_type, template, rank)


def _standing(unit: Unit, versions: Sequence[KnownUnit], questions: int) -> str:
    """In a word, where a unit stands: new, changed, raised, open, done, parked."""
    same = next((v for v in versions if v.id == unit.id), None)
    if same is None:
        return "changed" if any(not v.is_stale for v in versions) else "new"
    if same.asked < questions:
        return "raised"
    if same.state in ("pending", "partial"):
        # Asked as often as psygen does by itself: what it holds it keeps, and it may be topped up by name.
        return "open" if same.tries < MOST_TRIES else "done" if same.kept else "parked"
    return same.state


def _left_the_bank(bank: Bank, known: KnownUnits) -> list[str]:
    """Units of concepts, or of types of concepts, that the bank no longer has, in subjects it has loaded."""
    loaded = {c.subject for c in bank}
    gone = []
    for (concept_id, prompt_type), versions in known.items():
        concept = bank.by_id.get(concept_id)
        if concept is None or prompt_type not in concept.prompt_types:
            gone += [v.id for v in versions if not v.is_stale and v.subject in loaded]
    return gone


def templates_of(plan: Plan, prompts: Prompts, lang: str) -> dict[str, tuple[str, dict[str, str]]]:
    """Name and sources of every template a plan uses, by fingerprint."""
    used = {(u.template, u.prompt_type) for u in plan.units}
    return {f: (template_name(t, lang), prompts.sources(t, lang)) for f, t in used}


def chapter_counts(units: Sequence[Unit]) -> dict[str, dict[str, int]]:
    """Units per subject and chapter, in bank order."""
    counts: dict[str, dict[str, int]] = {}
    for unit in units:
        chapters = counts.setdefault(unit.concept.subject, {})
        chapters[unit.concept.chapter] = chapters.get(unit.concept.chapter, 0) + 1
    return counts
