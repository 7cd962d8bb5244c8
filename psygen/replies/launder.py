"""What no stored text may hold: control characters, terminal sequences, lone surrogates, destroyed LaTeX."""

import re
from typing import NamedTuple

from psygen.replies.latex import command_of

REPLACEMENT = "\ufffd"

_BAD = re.compile(
    r"(?P<ansi>\x1b\[[0-9;?]*[@-~])"
    r"|(?P<line>\r\n)"
    r"|(?P<latex>[\x07\x08\x0b\x0c\r\t])(?P<tail>[A-Za-z]*)"
    r"|(?P<damaged>[\ud800-\udfff\ufffd])"
    r"|(?P<control>\x1b|[\x00-\x06\x0e-\x1a\x1c-\x1f\x7f-\x9f\u200b-\u200f\u2028-\u202e\u2060-\u2064\u2066-\u206f\ufeff]+)"
)


class Note(NamedTuple):
    """Something that was changed at `place` of the laundered text."""

    place: int
    repair: str = ""
    fault: str = ""


class Laundered(NamedTuple):
    """A text that can be stored and shown, and what it took."""

    text: str
    notes: tuple[Note, ...] = ()

    @property
    def fault(self) -> str:
        """The first fault noted."""
        return next((n.fault for n in self.notes if n.fault), "")


def launder(text: str) -> Laundered:
    """`text` without what may not be stored. Line ends become newlines and tabs blanks; damage becomes U+FFFD."""
    pieces: list[str] = []
    notes: list[Note] = []
    end = length = 0
    for match in _BAD.finditer(text):
        new, repair, fault = _mended(match)
        before = text[end : match.start()]
        length += len(before)
        if repair or fault:
            notes.append(Note(length, repair, fault))
        pieces += [before, new]
        length += len(new)
        end = match.end()
    return Laundered("".join(pieces) + text[end:], tuple(notes))


def _mended(match: re.Match[str]) -> tuple[str, str, str]:
    """New text, repair, fault."""
    if match["line"]:
        return "\n", "", ""
    if match["damaged"]:
        return REPLACEMENT, "", "E_UNICODE"
    if not match["latex"]:
        return "", "control", ""
    char, tail = match["latex"], match["tail"]
    command = command_of(char, tail)
    # A real tab or line end may well stand before a short word ("an", "o"); longer tails are no words.
    if command and (char not in "\t\r" or len(tail) > 2):
        return command, "latex", ""
    if char in "\t\r":
        blank = " " if char == "\t" else "\n"
        return blank + tail, "control", "E_CONTROL" if command else ""
    return tail, "control", "E_CONTROL" if tail else ""
