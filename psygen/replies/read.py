"""What a reply says, as drafts; what could not be read, by code. Pure, so it can be repeated for free.

JSON is read by `scan` and `structured`, anything else by `freetext`. Nothing is completed by guessing, and nothing is
dropped: what went into no draft is in `rest`.
"""

import re
from typing import NamedTuple

from psygen.records.item import Draft
from psygen.replies.freetext import read_text
from psygen.replies.key import read_key
from psygen.replies.launder import launder
from psygen.replies.page import leftovers
from psygen.replies.plain import read_plain
from psygen.replies.scan import scan_roots
from psygen.replies.structured import Found, read_structured
from psygen.replies.wrapping import Opened, fence_spans, is_refusal, unwrap

__all__ = ["MAX_REPLY", "Reading", "read_key", "read_reply"]

MAX_REPLY = 1_000_000
"""Characters of a reply that are looked at; a longer one is refused whole (E_SIZE)."""

_JSON_START = re.compile(r"[\s\ufeff]*(?:(?:```|~~~)[\w+-]*\s*)?(?:\{|\[\s*[\[{\"'\]])")
_JSON_INSIDE = re.compile(r"\{\s*\"|\[\s*\{")
_STRING = re.compile(r'"([^"\\]{4,300})')


class Reading(NamedTuple):
    """What was read from one reply."""

    drafts: tuple[Draft, ...]
    """In the order of the reply; a draft with a `fault` is kept but not usable."""
    problem: str = ""
    """Code for the reply as a whole: E_JSON, E_JSON_DUPKEY, E_EMPTY, E_SIZE, E_REFUSAL; empty if something was read."""
    detail: str = ""
    """One clause on what is wrong with the reply; it may stand beside drafts that were saved from a broken one."""
    repairs: tuple[str, ...] = ()
    """Repairs of the reply as a whole: fence (a code block or words around JSON), think (reasoning before the answer),
    salvage (whole questions out of broken JSON). Every draft repeats them."""
    rest: tuple[str, ...] = ()
    """Every piece of text that went into no draft, in order: words around, reasoning, cut questions, unknown fields."""
    form: str = ""
    """json, text, or empty when neither was found."""


def read_reply(text: bytes | str, *, is_complete: bool = True) -> Reading:
    """The drafts in a reply: JSON in any usual shape, or free text, Chinese or English.

    is_complete: the engine said that the reply ended by itself. Otherwise the last question of a free text is kept
    only when something stands behind it. JSON needs no such word: an object is closed or it is not.
    """
    if isinstance(text, bytes):
        text = text.decode("utf-8", "replace")
    text = text.removeprefix("\ufeff")
    if len(text) > MAX_REPLY:
        return Reading((), "E_SIZE", f"{len(text):,} characters", rest=_storable([text[:1000]]))
    if (drafts := read_plain(text)) is not None:
        return Reading(drafts, form="json")
    opened = unwrap(text)
    if not opened.text.strip():
        detail = "the reply ends inside its reasoning" if opened.is_unanswered else "the reply is empty"
        return Reading((), "E_EMPTY", detail, rest=_storable(opened.removed))
    if _JSON_START.match(opened.text):
        return _read_json(opened)
    if _JSON_INSIDE.search(opened.text):
        found = _read_json(opened)
        if found.drafts or found.problem == "E_JSON_DUPKEY":
            return found
    return _read_text(opened, is_complete=is_complete)


def _read_json(opened: Opened) -> Reading:
    text = opened.text
    found = read_structured(scan_roots(text))
    fences = fence_spans(text)
    rest = leftovers(text, [*found.used, *fences], " \t\n,{}[]")
    is_wrapped = bool(fences) or not re.match(r"[\s\ufeff]*[\[{]", text) or not re.search(r"[\]}]\s*$", text)
    repairs = ["think"] if opened.removed else []
    if found.drafts:
        repairs += ["salvage"] if found.error else ["fence"] if is_wrapped else []
        repairs += ["fence"] if found.error and fences else []
    drafts = tuple(_repaired(d, repairs) for d in found.drafts)
    problem, detail = _json_problem(found, text)
    return Reading(drafts, problem, detail, tuple(repairs), _storable([*opened.removed, *rest]), "json")


def _json_problem(found: Found, text: str) -> tuple[str, str]:
    if found.drafts:
        return "", found.error
    if found.twin:
        return "E_JSON_DUPKEY", f'"{found.twin}" stands twice in one object'
    if any(is_refusal(s) for s in _STRING.findall(text)):
        return "E_REFUSAL", "the model declined"
    if found.is_empty and not found.error:
        return "E_EMPTY", "the list of questions is empty"
    return "E_JSON", found.error or "no question in it"


def _read_text(opened: Opened, *, is_complete: bool) -> Reading:
    typed = read_text(opened.text, is_complete=is_complete)
    repairs = ("think",) if opened.removed else ()
    rest = _storable([*opened.removed, *typed.rest])
    if typed.drafts:
        drafts = tuple(_repaired(d, repairs) for d in typed.drafts)
        return Reading(drafts, "", "", repairs, rest, "text")
    if typed.is_too_long:
        return Reading((), "E_SIZE", "too many lines, or too long ones", repairs, rest)
    if is_refusal(opened.text):
        return Reading((), "E_REFUSAL", "the model declined", repairs, rest)
    return Reading((), "E_JSON", "neither JSON nor questions in text", repairs, rest)


def _repaired(draft: Draft, repairs: list[str] | tuple[str, ...]) -> Draft:
    return draft.model_copy(update={"repairs": tuple(dict.fromkeys([*draft.repairs, *repairs]))})


def _storable(pieces: list[str] | tuple[str, ...]) -> tuple[str, ...]:
    """Pieces that can be stored; no piece is empty."""
    return tuple(clean for p in pieces if (clean := launder(p).text.strip()))
