"""The short way for a reply that is exactly as asked: strict JSON, nothing odd in it. Anything else takes the long way.

The long way would read the same (a test holds that); this one costs a tenth, and a night is made of such replies.
"""

import json
import re

from psygen.records.item import KINDS, LEVELS, Draft
from psygen.text import has_surrogate, without_controls

_NEEDED = {"stem", "options", "answer", "explanation"}
_ALLOWED = _NEEDED | {"level", "kind"}
_ODD_ESCAPE = re.compile(r"\\(?![\"\\/])")
_ODD_TEXT = re.compile("[\ufffd\u2028\u2029]")
_NUMBERED = re.compile(r"\s*(?:\d{1,3}\s*[.、．:：)）]|[（(]\d{1,3}[）)]|第\d)")


class _Odd(Exception):
    """Something the short way does not decide."""


def read_plain(text: str) -> tuple[Draft, ...] | None:
    """The drafts of a plain reply; None for any other."""
    if (
        _ODD_TEXT.search(text)
        or _ODD_ESCAPE.search(text.replace("\\\\", ""))
        or without_controls(text) != text
        or has_surrogate(text)
    ):
        return None
    try:
        value = json.loads(text, object_pairs_hook=_unique)
        if not isinstance(value, dict) or list(value) != ["questions"]:
            return None
        questions = value["questions"]
        if not isinstance(questions, list) or not questions:
            return None
        return tuple(_draft(q) for q in questions)
    except (_Odd, ValueError, RecursionError):
        return None


def _unique(pairs: list[tuple[str, object]]) -> dict[str, object]:
    value = dict(pairs)
    if len(value) != len(pairs):
        raise _Odd
    return value


def _draft(value: object) -> Draft:
    if not isinstance(value, dict) or not value.keys() >= _NEEDED or not value.keys() <= _ALLOWED:
        raise _Odd
    options, answer = value["options"], value["answer"]
    if not isinstance(options, list) or len(options) != 4 or answer not in ("A", "B", "C", "D"):
        raise _Odd
    texts = [value["stem"], value["explanation"], *options]
    if not all(isinstance(t, str) and t and t == t.strip() and "\n" not in t and "\t" not in t for t in texts):
        raise _Odd
    # A number that the long way may take off; a letter that is an option's text as well as its place.
    if _NUMBERED.match(texts[0]) or any(len(o.strip(" .。")) == 1 and o.strip(" .。").isalpha() for o in options):
        raise _Odd
    level, kind = value.get("level"), value.get("kind")
    if level not in (None, *LEVELS) or kind not in (None, *KINDS) or any(_is_labelled(o) for o in options):
        raise _Odd
    return Draft(
        stem=texts[0],
        options=tuple(options),
        key=("ABCD".index(answer),),
        explanation=texts[1],
        kind=kind,
        level=level,
    )


def _is_labelled(option: str) -> bool:
    """An option that begins like `A.` or （A）, whose label the long way may take off."""
    return re.match(r"[\s*_(（\[【]*[A-Da-dＡ-Ｄ]\s*[.、．:：)）\]】]", option) is not None
