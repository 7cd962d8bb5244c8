"""A reply as a page: its text, and a shadow of equal length in which only the layout can be seen.

In the shadow full-width signs are narrow and formulas are blotted out, so that patterns meet labels and never the
letters and digits of a formula. Places in the shadow are places in the text.
"""

import re
from collections.abc import Sequence
from typing import NamedTuple

from psygen.replies.launder import Note, launder

BLOT = "¤"
Span = tuple[int, int]

_NARROW = {code: code - 0xFEE0 for code in range(0xFF01, 0xFF5F)} | {0x3000: 0x20, 0xA0: 0x20}
_DELIMITER = re.compile(r"\\\\|\\\$|\\[()\[\]]|\$\$?|\n[ \t]*+\n|\n")
_CLOSER = {"$": "$", "$$": "$$", "\\(": "\\)", "\\[": "\\]"}
_WORD = re.compile(r"[^\W_]")


class Page(NamedTuple):
    """A laundered text with its shadow."""

    text: str
    shadow: str
    notes: tuple[Note, ...]
    """What laundering changed, and where."""


def open_page(text: str) -> Page:
    """The page of a reply's text."""
    clean, notes = launder(text)
    return Page(clean, shadow_of(clean), notes)


def shadow_of(text: str) -> str:
    """`text` with full-width signs narrow and formulas blotted out, character by character."""
    shadow = text.translate(_NARROW)
    pieces: list[str] = []
    end = 0
    for start, stop in _formulas(text):
        blotted = "".join("\n" if c == "\n" else BLOT for c in text[start:stop])
        pieces += [shadow[end:start], blotted]
        end = stop
    return "".join(pieces) + shadow[end:]


def leftovers(text: str, used: Sequence[Span], edge: str = " \t\n|") -> tuple[str, ...]:
    """The pieces of `text` outside the used spans that hold a letter or a digit, in order.

    edge: signs of the layout that no piece begins or ends with.
    """
    pieces: list[str] = []
    end = 0
    for start, stop in [*sorted(used), (len(text), len(text))]:
        piece = text[end:start].strip(edge) if start > end else ""
        if _WORD.search(piece):
            pieces.append(piece)
        end = max(end, stop)
    return tuple(pieces)


def _formulas(text: str) -> list[Span]:
    r"""Spans of `$…$`, `$$…$$`, `\(…\)`, `\[…\]`; what is not closed in its line or paragraph is no formula."""
    spans: list[Span] = []
    opener, start = "", 0
    for match in _DELIMITER.finditer(text):
        sign = match.group()
        if sign[0] == "\n":
            if len(sign) > 1 or opener == "$":
                opener = ""
        elif sign in ("\\\\", "\\$"):
            continue
        elif opener and sign == _CLOSER[opener] and _may_close(text, match, opener):
            spans.append((start, match.end()))
            opener = ""
        elif sign in _CLOSER and (not opener or opener == sign == "$"):
            opener, start = sign, match.start()
    return spans


def _may_close(text: str, match: re.Match[str], opener: str) -> bool:
    """A dollar between a blank and a digit is money: "$5 and $6"."""
    return opener != "$" or not (text[match.start() - 1].isspace() and text[match.end() : match.end() + 1].isdecimal())
