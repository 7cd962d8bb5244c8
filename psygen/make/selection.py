"""What a user asks for, by any name of a subject or chapter. Light: commands that only look need no more."""

import difflib
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from psygen.errors import UnknownName
from psygen.records.concept import Chapter, Subject
from psygen.text import match_key


class Selection(NamedTuple):
    """What the user asked for, as typed. Empty fields do not restrict."""

    subjects: tuple[str, ...] = ()
    chapters: tuple[str, ...] = ()
    concepts: tuple[str, ...] = ()
    types: tuple[str, ...] = ()
    """Prompt types; `all` for every assigned one; none for each concept's primary one."""


def subject_named(name: str, subjects: Sequence[Subject]) -> Subject:
    """The subject a user means by slug, Chinese or English name, or alias. Raises UnknownName with the nearest."""
    names = {match_key(n): s for s in subjects for n in (s.slug, s.prefix, s.zh, s.en, *s.aliases)}
    found = names.get(match_key(name)) or names.get(match_key(name.replace("-", " ").replace("_", " ")))
    if found is None:
        raise UnknownName(
            f'There is no subject "{name}". {nearest(name, names, "Subjects", [s.slug for s in subjects])}'
        )
    return found


def chapter_named(name: str, subject: Subject) -> Chapter | None:
    """The chapter of a subject a user means by slug or either name; None when it has none so named."""
    names = {match_key(n): c for c in subject.chapters for n in (c.slug, c.zh, c.en)}
    return names.get(match_key(name))


def nearest(name: str, names: Mapping[str, Subject] | Mapping[str, Chapter], what: str, listed: Sequence[str]) -> str:
    """A hint for a name that stands for nothing: the nearest slugs, and all there are."""
    near = difflib.get_close_matches(match_key(name), names, 3, 0.5)
    slugs = list(dict.fromkeys(names[n].slug for n in near))
    hint = f"Nearest: {', '.join(slugs)}. " if slugs else ""
    return hint + (f"{what}: {', '.join(listed)}." if listed else "")
