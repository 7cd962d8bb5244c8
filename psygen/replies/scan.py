"""A strict JSON scanner that keeps what was closed before the text broke, and where everything stood.

Strict means: no trailing commas, comments, single quotes, NaN. Two things are milder than the standard, because they
leave no doubt: raw control characters inside strings (they are laundered later) and LaTeX backslashes (see latex.py).
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import NamedTuple

from psygen.replies.latex import Decoded, decode_string

MAX_DEPTH = 60
MAX_BROKEN = 100
"""Broken roots of one text; behind so many there is no reply."""


class Numeral(NamedTuple):
    """A number as written."""

    text: str


@dataclass(slots=True)
class Row:
    """An array: values with the span of each."""

    start: int
    end: int = 0
    values: list["Value"] = field(default_factory=list)
    spans: list[tuple[int, int]] = field(default_factory=list)
    is_closed: bool = False


@dataclass(slots=True)
class Member:
    """One `"name": value` of an object. A member whose value broke off has no value."""

    name: str
    value: "Value" = None
    start: int = 0
    end: int = 0


@dataclass(slots=True)
class Block:
    """An object: members in order, names as often as they stand there."""

    start: int
    end: int = 0
    members: list[Member] = field(default_factory=list)
    pending: str = ""
    """Name of the member whose value is being read, or broke off."""
    is_closed: bool = False

    @property
    def twin(self) -> str:
        """A name that stands here twice, or nothing."""
        names: set[str] = set()
        for member in self.members:
            if member.name in names:
                return member.name
            names.add(member.name)
        return ""


Value = Decoded | Numeral | Row | Block | bool | None


class Root(NamedTuple):
    """An outermost array or object; a broken one keeps what was closed in it."""

    value: Row | Block
    end: int
    error: str = ""
    """What broke it, or nothing."""
    open_blocks: tuple[Block, ...] = ()
    """Objects that were open where it broke, the outermost first."""
    is_late: bool = False
    """Found after another root had broken, so nobody knows what it lay in."""


_OPENER = re.compile(r"\{\s*[\"}]|\[\s*[\[{\"\]]")
_TOKEN = re.compile(
    r"\s*+(?:(?P<mark>[\[\]{},:])"
    r"|\"(?P<string>[^\"\\]*+(?:\\.[^\"\\]*+)*+)\""
    r"|(?P<number>-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?)(?![\w.])"
    r"|(?P<word>true|false|null)(?![\w]))",
    re.DOTALL,
)
_BLANKS = re.compile(r"\s*+")
_WORDS = {"true": True, "false": False, "null": None}


def scan_roots(text: str, start: int = 0) -> Iterator[Root]:
    """The outermost arrays and objects of a text, in order, the broken ones too.

    After a broken one the scan goes on behind the place where it broke; the caller decides whether to listen.
    """
    broken = 0
    while broken < MAX_BROKEN and (match := _OPENER.search(text, start)):
        root = _Scanner(text, match.start()).scan()._replace(is_late=broken > 0)
        broken += bool(root.error)
        yield root
        start = max(root.end, match.start() + 1)


def _is_end(text: str, at: int) -> bool:
    match = _BLANKS.match(text, at)
    return match is not None and match.end() == len(text)


class _Scanner:
    """One walk over one root."""

    def __init__(self, text: str, start: int) -> None:
        self.text = text
        self.at = start
        self.stack: list[Row | Block] = []

    def scan(self) -> Root:
        first: Row | Block | None = None
        wants = "value"  # what may come next: value, name, colon, more (a comma or the end), or-end (value or the end)
        while True:
            match = _TOKEN.match(self.text, self.at)
            if match is None:
                return self._broken(first, "the text ends" if _is_end(self.text, self.at) else "no JSON")
            self.token = match
            where = match.start(match.lastgroup or 0)
            found = self._step(match, wants, where)
            if found is None:
                return self._broken(first, f"unexpected {match.group().strip()[:20]}")
            wants = found
            self.at = match.end()
            if first is None:
                first = self.stack[0]
            if not self.stack:
                return Root(first, self.at)
            if len(self.stack) > MAX_DEPTH:
                return self._broken(first, "nested too deeply")

    def _broken(self, first: Row | Block | None, error: str) -> Root:
        blocks = tuple(s for s in self.stack if isinstance(s, Block))
        for container in self.stack:
            container.end = self.at
        return Root(first or Row(self.at), self.at, f"{error} at character {self.at:,}", blocks)

    def _step(self, match: re.Match[str], wants: str, where: int) -> str | None:
        """What may come after this token; None when it may not stand here."""
        mark = match["mark"]
        if mark in ("]", "}"):
            return self._close(mark, match.end()) if wants in ("more", "or-end", "name-or-end") else None
        if mark == ",":
            if wants != "more":
                return None
            return "value" if isinstance(self.stack[-1], Row) else "name"
        if mark == ":":
            return "value" if wants == "colon" else None
        if wants in ("name", "name-or-end"):
            return self._name(match, where)
        if wants not in ("value", "or-end"):
            return None
        return self._value(match, where)

    def _name(self, match: re.Match[str], where: int) -> str | None:
        block = self.stack[-1]
        if match["string"] is None or not isinstance(block, Block):
            return None
        block.pending = decode_string(match["string"]).text
        block.members.append(Member(block.pending, None, where - 1))
        return "colon"

    def _value(self, match: re.Match[str], where: int) -> str:
        if match["mark"] == "{":
            self._add(block := Block(where), where, where)
            self.stack.append(block)
            return "name-or-end"
        if match["mark"] == "[":
            self._add(row := Row(where), where, where)
            self.stack.append(row)
            return "or-end"
        if match["string"] is not None:
            self._add(decode_string(match["string"]), where - 1, match.end())
        elif match["number"] is not None:
            self._add(Numeral(match["number"]), where, match.end())
        else:
            self._add(_WORDS[match["word"]], where, match.end())
        return "more"

    def _add(self, value: Value, start: int, end: int) -> None:
        if not self.stack:
            return
        parent = self.stack[-1]
        if isinstance(parent, Row):
            parent.values.append(value)
            parent.spans.append((start, end))
        else:
            parent.members[-1].value = value
            parent.members[-1].end = end
            if not isinstance(value, Row | Block):
                parent.pending = ""

    def _close(self, mark: str, end: int) -> str | None:
        container = self.stack[-1]
        if isinstance(container, Row) != (mark == "]"):
            return None
        self.stack.pop()
        container.end = end
        container.is_closed = True
        if self.stack:
            parent = self.stack[-1]
            if isinstance(parent, Row):
                parent.spans[-1] = (parent.spans[-1][0], end)
            else:
                parent.members[-1].end = end
                parent.pending = ""
        return "more"
