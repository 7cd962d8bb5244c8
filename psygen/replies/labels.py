"""Runs of option labels in text: A., （B）, **C、**, | D | … in order, one a line or several."""

import re
from bisect import bisect_right
from collections.abc import Sequence
from typing import NamedTuple

from psygen.replies.page import BLOT, Page, Span, shadow_of

FEWEST = 3
"""A run of fewer labels is a list or a dialogue, not options."""
MAX_GAP = 8
"""Lines from one label to the next."""

_S = r"[ \t]*+"
_CORE = (
    rf"(?P<stars>\*{{1,3}}+)?+{_S}(?:"
    rf"[(\[【][ ]?(?P<b>[A-Ha-h])[ ]?[)\]】]\*{{0,3}}+[.、:]?+"
    rf"|(?P<p>[A-Ha-h])(?:(?P<mid>\*{{2,3}}+){_S}[.、:)]?+|[ ]?(?P<sep>[.、:)]))\)?+)"
    rf"(?(stars)(?:[ ]?(?P<close>\*{{2,3}}+))?+){_S}"
)
_LINE = re.compile(
    rf"[ \t>]*+(?:[-+•●▪◆○]{_S}(?=[(\[【*A-Ha-h])|\*[ \t]++)?+(?:\[[ xX]?\][ ]++)?+(?:选项{_S}|option[ ])?+{_CORE}",
    re.IGNORECASE,
)
_INLINE = re.compile(rf"(?<=[ \t)?。_]){_CORE}")
_TABLE = re.compile(rf"[ \t]*+\|{_S}(?:\*\*)?{_S}[(]?(?P<p>[A-H])[)]?[.、:]?{_S}(?:\*\*)?{_S}\|{_S}")
_BARE = re.compile(r"[ \t]*+(?P<p>[A-H])[ \t]{1,4}(?=\S)")
_GLUED = re.compile(r"(?<![A-Za-z0-9_\\])(?P<p>[A-H])[ ]?[.、:)][ ]?")


class Label(NamedTuple):
    """One label."""

    letter: str
    start: int
    body: int
    shape: str
    """Labels of one run have one shape."""
    line: int
    is_first: bool
    """Stands first in its line."""
    is_open: bool = False
    """Opened `**` and did not close it."""
    is_wide: bool = False
    """Stands first in its line or behind two blanks."""


class Run(NamedTuple):
    """Labels A, B, C … in order and the span of each option's text."""

    labels: tuple[Label, ...]
    texts: tuple[Span, ...]
    start: int
    end: int


def find_runs(page: Page, lines: Sequence[Span], stops: Sequence[int]) -> list[Run]:
    """All runs of at least three labels, in order, none within another.

    stops: starts of lines that no option reaches (answers, explanations, headings, rules), ascending.
    """
    labels = _find_labels(page.shadow, lines)
    barriers = sorted(stops)
    runs: list[Run] = []
    at = 0
    while at < len(labels):
        chosen = _run_at(labels, at, barriers)
        if chosen is None:
            at += 1
            continue
        run = _measured(page, [labels[n] for n in chosen], lines, barriers)
        if run is not None:
            runs.append(run)
        at = chosen[-1] + 1
    return runs


def split_options(text: str) -> tuple[str, tuple[str, ...]] | None:
    """What stands before the labels A, B, C, D in one string, and the option behind each; None when they don't."""
    shadow = shadow_of(text)
    found: list[re.Match[str]] = []
    for match in _GLUED.finditer(shadow):
        if match["p"] == "ABCDEFGH"[len(found) : len(found) + 1]:
            found.append(match)
        elif match["p"] in "ABCDEFGH"[: len(found)] and match["p"] != "A":
            continue
        elif match["p"] == "A" and len(found) < 2:
            found = [match]
    if len(found) != 4:
        return None
    ends = [*(m.start() for m in found[1:]), len(text)]
    options = [text[m.end() : end].strip().strip("*|").strip() for m, end in zip(found, ends, strict=True)]
    before = text[: found[0].start()].rstrip(" \t\n(（[*")
    return before, _without_joints(options)


def _without_joints(options: Sequence[str]) -> tuple[str, ...]:
    """Options without the sign that only parts them: "甲；", "乙；", "丙；", "丁。"."""
    last = {o[-1:] for o in options[:-1]}
    if len(last) == 1 and last <= set("；;，,、"):
        sign = last.pop()
        return tuple(o.removesuffix(sign).rstrip() for o in options)
    return tuple(options)


def _find_labels(shadow: str, lines: Sequence[Span]) -> list[Label]:
    labels: list[Label] = []
    for number, (start, end) in enumerate(lines):
        line = shadow[start:end]
        first = _TABLE.match(line) or _LINE.match(line) or _BARE.match(line)
        at = 0
        if first is not None:
            labels.append(_label(first, start, number, is_first=True))
            at = first.end()
        if first is not None and first.re is _TABLE:
            continue
        for match in _INLINE.finditer(line, max(at, 1)):
            # "A. B. Skinner": what follows a label at once is an initial.
            if labels and match.start() + start <= labels[-1].body:
                continue
            labels.append(_label(match, start, number, is_first=False))
    return labels


def _label(match: re.Match[str], start: int, line: int, *, is_first: bool) -> Label:
    groups = match.groupdict()
    letter = groups["p"] or groups.get("b") or ""
    shape = {_TABLE: "table", _BARE: "bare"}.get(match.re) or (
        "bracket" if groups.get("b") else groups.get("sep") or "*"
    )
    shape = "." if shape in ".、)*" else shape
    is_open = bool(groups.get("stars")) and not (groups.get("close") or groups.get("mid"))
    if groups.get("b") and "**" in match.group()[1:].lstrip(" *") and groups.get("stars"):
        is_open = False
    shape += "a" if letter.islower() else "A"
    gap = match.string[max(0, match.start() - 2) : match.start()]
    is_wide = is_first or gap in ("  ", "\t\t") or gap.endswith("\t")
    return Label(letter.upper(), start + match.start(), start + match.end(), shape, line, is_first, is_open, is_wide)


def _run_at(labels: Sequence[Label], at: int, barriers: Sequence[int]) -> list[int] | None:
    """Places in `labels` of the run that starts with the label at `at`; lines that start with labels go first."""
    if labels[at].letter != "A":
        return None
    found = None
    if labels[at].is_first:
        found = _follow(labels, at, only_first=True)
    if found is None and not labels[at].shape.startswith(("bare", "table")):
        found = _follow(labels, at, only_first=False)
    if found is None:
        return None
    first, last = labels[found[0]].start, labels[found[-1]].start
    return None if any(first < b <= last for b in _near(barriers, first)) else found


def _near(barriers: Sequence[int], place: int) -> Sequence[int]:
    at = bisect_right(barriers, place)
    return barriers[at : at + 1]


def _follow(labels: Sequence[Label], at: int, *, only_first: bool) -> list[int] | None:
    found = [at]
    n = at
    while (n := n + 1) < len(labels) and len(found) < 8:
        label, last = labels[n], labels[found[-1]]
        if label.line - last.line > MAX_GAP:
            break
        if label.shape != labels[at].shape or (only_first and not label.is_first):
            continue
        if label.letter == "ABCDEFGH"[len(found)]:
            found.append(n)
        elif label.is_first or (label.letter == "A" and (len(found) == 1 or label.line > last.line)):
            break
        elif label.letter == last.letter and not only_first:
            # "A. 甲 by B. F. Skinner  B. 乙": the wider gap parts the options, equal gaps leave a doubt.
            if label.is_wide == last.is_wide:
                return None
            found[-1] = n if label.is_wide else found[-1]
    fewest = 4 if labels[at].shape.startswith("bare") or not labels[at].is_first else FEWEST
    return found if len(found) >= fewest else None


def _measured(page: Page, labels: Sequence[Label], lines: Sequence[Span], barriers: Sequence[int]) -> Run | None:
    """The run with the text of each option; None for a table of more columns than label and text."""
    ends = [*(label.start for label in labels[1:]), _last_end(page, labels[-1], lines, barriers)]
    texts: list[Span] = []
    for label, end in zip(labels, ends, strict=True):
        text = page.text[label.body : end].rstrip()
        if label.shape.startswith("table"):
            text = text.rstrip("|").rstrip()
            if "|" in text:
                return None
        stop = label.body + len(text)
        texts.append(_unwrapped(page.text, label.body, stop, is_open=label.is_open))
    return Run(tuple(labels), tuple(texts), labels[0].start, ends[-1])


def _last_end(page: Page, label: Label, lines: Sequence[Span], barriers: Sequence[int]) -> int:
    """End of the last option: its line, and lines that go on with a formula."""
    end = lines[label.line][1]
    tail = re.compile(
        r"[ \t]+(?=[【(\[*]{0,3}(?:正确|参考)?答案[】:*])|[ \t]+(?=\*{0,2}(?:Correct )?Answer\*{0,2}:)"
    ).search(page.shadow, label.body, end)
    if tail is not None:
        return tail.start()
    for start, stop in lines[label.line + 1 : label.line + 1 + MAX_GAP]:
        if page.shadow[start:stop].lstrip()[:1] != BLOT or start in barriers:
            break
        end = stop
    return end


def _unwrapped(text: str, start: int, end: int, *, is_open: bool) -> Span:
    """The span without stars that wrap all of it, or that the label opened."""
    inner = text[start:end]
    if is_open and inner.endswith("**") and inner.count("**") == 1:
        return start, end - 2
    if len(inner) > 4 and inner.startswith("**") and inner.endswith("**") and inner.count("**") == 2:
        return start + 2, end - 2
    return start, end
