"""What a reply says, as drafts; what could not be read, by code. Pure, so it can be repeated for free."""

import json
import unicodedata
from collections.abc import Mapping, Sequence
from typing import NamedTuple, TypeVar

from psygen.records.item import KINDS, LETTERS, LEVELS, Draft
from psygen.text import has_surrogate, match_key, without_controls

MAX_REPLY = 1_000_000
"""Bytes of a reply that are looked at; a longer one is refused whole (E_SIZE)."""


_T = TypeVar("_T", bound=str)


class Reading(NamedTuple):
    """What was read from one reply."""

    drafts: tuple[Draft, ...]
    """In the order of the reply; a draft with a `fault` is kept but not usable."""
    problem: str = ""
    """Code for the reply as a whole (E_JSON, E_EMPTY, E_SIZE …); empty when it could be read."""
    detail: str = ""
    """One clause that explains `problem`."""


class _DuplicateKey(ValueError):
    pass


def read_reply(raw: bytes) -> Reading:
    """The drafts in a reply of the form {"questions": [{stem, options, answer, explanation}]}."""
    if len(raw) > MAX_REPLY:
        return Reading((), "E_SIZE", f"{len(raw):,} bytes")
    text = raw.decode("utf-8", "replace")
    try:
        value = json.loads(text, object_pairs_hook=_unique)
    except _DuplicateKey as error:
        return Reading((), "E_JSON_DUPKEY", str(error))
    except (ValueError, RecursionError) as error:
        return Reading((), "E_JSON", str(error)[:200])
    questions = value.get("questions") if isinstance(value, dict) else value
    if not isinstance(questions, list):
        return Reading((), "E_JSON", 'no list under "questions"')
    if not questions:
        return Reading((), "E_EMPTY", "the list of questions is empty")
    return Reading(tuple(_draft(q) for q in questions))


def read_key(answer: object, options: Sequence[str]) -> tuple[tuple[int, ...], str]:
    """Positions an answer names and the code of what is wrong with it (empty when nothing).

    A letter in any usual dress (Ａ, （A）, A., a, 选A), or the text of exactly one option.
    Look-alikes of other alphabets are not letters.
    """
    words = [answer] if isinstance(answer, str) else answer if isinstance(answer, list) else []
    letters: list[str] = []
    for word in words:
        if not isinstance(word, str):
            return (), "E_ANSWER"
        bare = unicodedata.normalize("NFKC", word).strip()
        for lead in ("正确答案", "答案", "选项", "选", "Answer", "answer", "Option", "option"):
            bare = bare.removeprefix(lead).strip(" :是为")
        bare = bare.strip(" ()[]【】.。、,:;").upper()
        if bare and all(c in LETTERS[: len(options)] for c in bare.replace(",", "").replace("、", "").replace(" ", "")):
            letters += [c for c in bare if c in LETTERS]
            continue
        same = [n for n, option in enumerate(options) if match_key(option) == match_key(word)]
        if len(same) != 1:
            return (), "E_ANSWER"
        letters.append(LETTERS[same[0]])
    key = tuple(sorted({LETTERS.index(c) for c in letters}))
    return (key, "") if key else ((), "E_ANSWER")


def _unique(pairs: list[tuple[str, object]]) -> dict[str, object]:
    value = dict(pairs)
    if len(value) != len(pairs):
        names = [k for k, _ in pairs]
        raise _DuplicateKey(f'"{next(n for n in names if names.count(n) > 1)}" stands twice in one object')
    return value


def _draft(value: object) -> Draft:
    if not isinstance(value, dict):
        return Draft(stem="", options=(), key=(), fault="E_JSON")
    stem, options = value.get("stem"), value.get("options")
    explanation = value.get("explanation", "")
    if not isinstance(stem, str) or not isinstance(explanation, str):
        return Draft(stem="", options=(), key=(), fault="E_EMPTY")
    if not isinstance(options, list) or not all(isinstance(o, str) for o in options):
        return Draft(stem=_clean(stem), options=(), key=(), explanation=_clean(explanation), fault="E_OPTION_COUNT")
    texts = tuple(_clean(o) for o in options)
    key, fault = read_key(value.get("answer"), texts)
    if any(has_surrogate(t) for t in (stem, explanation, *options)):
        fault = "E_UNICODE"
    before = [stem, explanation, *options]
    after = [_clean(stem), _clean(explanation), *texts]
    return Draft(
        stem=after[0],
        options=texts,
        key=key,
        explanation=after[1],
        kind=_one_of(value, "kind", KINDS),
        level=_one_of(value, "level", LEVELS),
        repairs=() if [b.strip() for b in before] == after else ("control",),
        fault=fault,
    )


def _clean(text: str) -> str:
    """Without control characters; what cannot be encoded becomes U+FFFD, the raw reply keeps it."""
    return without_controls(text).encode("utf-8", "replace").decode("utf-8").strip()


def _one_of(value: Mapping[str, object], name: str, allowed: Sequence[_T]) -> _T | None:
    found = value.get(name)
    word = found.strip().casefold().replace(" ", "_") if isinstance(found, str) else ""
    return next((a for a in allowed if a == word), None)
