"""Edits of an item's wording: what counts as a change, three-way merging field by field, differences to look at.

What nobody can see is no change: line ends, trailing blanks, no-break spaces, and the shape of quotation marks, which
spreadsheets and input methods alter on their own.
"""

import re
from collections.abc import Mapping
from difflib import SequenceMatcher
from typing import Literal, NamedTuple

from psygen.errors import InputError
from psygen.records.item import LETTERS
from psygen.records.review import Wording
from psygen.text import has_surrogate, match_key, without_controls

_BLANKS = re.compile("[\u00a0\u2007\u202f]")
_TRAILING = re.compile(r"[ \t]+(?=\n|$)")
_QUOTES = str.maketrans({"“": '"', "”": '"', "„": '"', "＂": '"', "‘": "'", "’": "'", "＇": "'"})
MOST_CHARS = 30_000
"""More does not fit into a cell together with what is around it."""


class Merged(NamedTuple):
    """What comes of two edits of the same wording."""

    wording: Wording | None
    """None when they collide."""
    clash: tuple[str, ...]
    """Fields that both changed, each to something else."""


class Piece(NamedTuple):
    """A stretch of a difference."""

    kind: Literal["same", "out", "in"]
    text: str


def tidy(text: str) -> str:
    """`text` as it is kept: one kind of line end and blank, nothing invisible at the ends, no control characters."""
    text = _BLANKS.sub(" ", text.replace("\r\n", "\n").replace("\r", "\n"))
    return _TRAILING.sub("", without_controls(text)).strip()


def looks_same(one: str, other: str) -> bool:
    """Whether two texts differ in nothing a reader sees, or only in the shape of quotation marks."""
    return tidy(one).translate(_QUOTES) == tidy(other).translate(_QUOTES)


def changed(base: Wording, changes: Mapping[str, str]) -> Wording:
    """The wording with some fields changed, as Wording.fields() names them; an invisible change leaves a field alone.

    Raises InputError for a field there is not, an empty stem or option, two equal options, a key outside the options.
    """
    fields = base.fields()
    if unknown := set(changes) - set(fields):
        raise InputError(f"There is no field {', '.join(sorted(unknown))}; there are {', '.join(fields)}.")
    new = {
        name: old if looks_same(old, changes.get(name, old)) else tidy(changes[name]) for name, old in fields.items()
    }
    new["key"] = changes["key"].strip().upper() if "key" in changes else fields["key"]
    wording = _wording(new)
    if new != fields and (fault := _fault(wording, new["key"])):
        raise InputError(fault)
    return wording


def merge(base: Wording, ours: Wording, theirs: Wording) -> Merged:
    """Both changes of `base` together: a field that only one changed is taken from them.

    The key goes with the options it points to: a key changed by one and an option changed by the other collide.
    """
    old, a, b = base.fields(), ours.fields(), theirs.fields()
    clash = {n for n in old if a[n] != b[n] and a[n] != old[n] and b[n] != old[n]}
    if _key_moved_while_options_changed(old, a, b) or _key_moved_while_options_changed(old, b, a):
        clash.add("key")
    wording = _wording({n: b[n] if b[n] != old[n] else a[n] for n in old})
    if not clash and _fault(wording, wording.key_letters):
        clash = {n for n in old if len(n) == 1 and (a[n] != old[n] or b[n] != old[n])}
    return Merged(None if clash else wording, tuple(n for n in old if n in clash))


def difference(old: str, new: str) -> list[Piece]:
    """`old` to `new` character by character: stretches that stay, go out, come in."""
    pieces = []
    for tag, a, b, c, d in SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
        if tag == "equal":
            pieces.append(Piece("same", old[a:b]))
            continue
        pieces += [Piece("out", old[a:b])] if a < b else []
        pieces += [Piece("in", new[c:d])] if c < d else []
    return pieces


def _key_moved_while_options_changed(old: Mapping[str, str], one: Mapping[str, str], other: Mapping[str, str]) -> bool:
    changed_options = any(other[n] != old[n] and other[n] != one[n] for n in old if len(n) == 1)
    return one["key"] != old["key"] and one["key"] != other["key"] and changed_options


def _wording(fields: Mapping[str, str]) -> Wording:
    options = tuple(text for name, text in fields.items() if len(name) == 1)
    key = tuple(sorted({LETTERS.index(c) for c in fields["key"] if c in LETTERS}))
    return Wording.model_construct(stem=fields["stem"], options=options, key=key, explanation=fields["explanation"])


def _fault(wording: Wording, letters: str) -> str:
    """What makes a wording unusable, in a sentence; empty when nothing does."""
    texts = [wording.stem, *wording.options]
    if not all(texts):
        return "Stem and options cannot be empty."
    if len({match_key(o) for o in wording.options}) < len(wording.options):
        return "Two options are equal."
    if not letters or any(c not in LETTERS[: len(wording.options)] for c in letters):
        return f"The key must be among {', '.join(LETTERS[: len(wording.options)])}."
    if max(map(len, [*texts, wording.explanation])) > MOST_CHARS:
        return f"A text may have {MOST_CHARS:,} characters."
    if any(map(has_surrogate, [*texts, wording.explanation])):
        return "A text holds half a character (a lone surrogate); type it again."
    return ""
