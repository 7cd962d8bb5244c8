"""Units of work as values, and the one query that both sides of the store need."""

import sqlite3
from typing import NamedTuple

from psygen.ids import content_hash
from psygen.records.concept import Concept, PromptType
from psygen.records.exchange import Profile

MOST_TRIES = 4
"""A unit that had so many replies and is still short is not asked again by itself."""


class Unit(NamedTuple):
    """A unit of work as planned from the bank."""

    id: str
    concept: Concept
    prompt_type: PromptType
    template: str
    """Fingerprint of the template."""
    rank: int
    """Place in bank order, from 0."""

    @property
    def is_primary(self) -> bool:
        """Whether the type is the concept's primary one."""
        return self.prompt_type == self.concept.primary


class OpenUnit(NamedTuple):
    """What the store knows of a unit that is not finished."""

    id: str
    state: str
    asked: int
    kept: int
    tries: int
    next_ordinal: int
    """Number of the next usable item, from 0."""
    turn: int
    """Number of the unit among those of its subject and type, in the order they were planned."""
    sample: int = 0
    """How often new samples of it were asked for by name."""


class KnownUnit(NamedTuple):
    """A unit as the store has it, whichever version of text and template it belongs to."""

    id: str
    concept_id: str
    subject: str
    prompt_type: str
    state: str
    asked: int
    kept: int
    tries: int
    is_stale: bool


KnownUnits = dict[tuple[str, str], list[KnownUnit]]
"""Every unit of a profile, stale ones too, by concept id and type."""


def unit_id(profile: Profile, concept: Concept, prompt_type: PromptType, template: str) -> str:
    """Id of a unit: who is asked, what about, and the version of text and template."""
    return content_hash([profile.id, concept.id, prompt_type, concept.asked_content(prompt_type), template], 24)


def known_units(conn: sqlite3.Connection, profile: Profile) -> KnownUnits:
    """Every unit of a profile."""
    found: KnownUnits = {}
    for row in conn.execute(
        "SELECT id, concept_id, subject, prompt_type, state, asked, kept, tries, is_stale FROM units WHERE profile = ?",
        (profile.id,),
    ):
        found.setdefault((row["concept_id"], row["prompt_type"]), []).append(KnownUnit(*row))
    return found
