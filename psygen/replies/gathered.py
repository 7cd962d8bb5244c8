"""Answers gathered behind the questions: "1.B 2.C", "1-4：BCAD", a table, or a list with explanations."""

import re
from collections.abc import Sequence
from typing import NamedTuple

from psygen.replies.labels import Run
from psygen.replies.marks import Mark
from psygen.replies.page import Page, Span

_S = r"[ \t]*+"
_RANGE = re.compile(
    rf"(\d{{1,3}}){_S}[-~—–至到]{_S}(\d{{1,3}}){_S}(?:题)?{_S}[:.、]?{_S}\**([A-H](?:[ ,、]?[A-H])*)(?![A-Za-z])"
)
_ENTRY = re.compile(
    rf"\**(?:第)?[(]?(\d{{1,3}})[)]?(?:题)?\**{_S}[.、:)\-–|]?{_S}\**[(]?([A-H]{{1,4}})[)]?(?![A-Za-z])\**"
)
_LINE = re.compile(
    rf"[ \t>]*+(?:[-+•]{_S}|\*[ ])?(?:\#{{1,6}}{_S})?\**{_S}(?:第{_S}|题目{_S}|Question[ ]|Q)?[(【\[|]?{_S}"
    rf"(\d{{1,3}}){_S}[)】\]]?(?:题)?\**{_S}[.、:)|]?{_S}\**{_S}"
    rf"[【]?(?:(?:正确|参考)?答案|answer)?{_S}[】]?\**{_S}[:]?{_S}\**{_S}[(【]?([A-H](?:[,、]?[A-H]){{0,3}})[)】]?\**(?![A-Za-z0-9])",
    re.IGNORECASE,
)
_NUMBER_LINE = re.compile(
    rf"[ \t>]*+(?:\#{{1,6}}{_S})?\**{_S}(?:第)?[(]?(\d{{1,3}})[)]?(?:题)?\**{_S}[.、:)]{_S}\**{_S}"
)
_LABEL = re.compile(
    r"[ \t\n.,;。；:|*]*+[(\[【]?\**(?:(?:答案)?解析|理由|解释|explanation|rationale)\**[】\]]?\**[:]?\**[ \t\n]*+",
    re.IGNORECASE,
)
_HEAD = re.compile(r"答案|answer|key", re.IGNORECASE)
_BLANKS = re.compile(r"\s*+")
_JUNK = " \t\n.,;，；。、|*()（）-"


class Answers(NamedTuple):
    """Answers by number of question."""

    start: int
    """Where the list begins; no question reaches behind it."""
    entries: dict[int, tuple[str, Span]]
    """Letters and the span of the explanation, empty where there is none."""
    used: tuple[Span, ...]
    last: int
    """Number of the entry that the text ends with."""
    has_explanations: bool
    is_doubtful: bool = False
    """A number stands twice, or entries do not follow one another."""
    is_cut: bool = False
    """The last entry announces an explanation that is not there."""


def find_answers(page: Page, marks: Sequence[Mark], runs: Sequence[Run]) -> Answers | None:
    """The list of answers behind the questions; None when there is none, or when each question has its own."""
    if not runs:
        return None
    for mark in marks:
        if mark.start < runs[0].end or mark.kind not in ("answer", "both", "heading"):
            continue
        if mark.kind == "heading" and not _HEAD.search(page.shadow, mark.start, mark.end):
            continue
        found = _read(page, mark.end if mark.kind == "heading" else mark.body, mark.start)
        if found is not None:
            return _checked(found, marks, runs)
        if mark.kind != "heading":
            return None
    return _headless(page, max(r.end for r in runs))


def _checked(answers: Answers, marks: Sequence[Mark], runs: Sequence[Run]) -> Answers:
    """Doubtful when questions with answers of their own stand behind the list."""
    behind = [r for r in runs if r.start > answers.start]
    own = [m for m in marks if behind and m.start > behind[0].end and m.kind in ("answer", "both")]
    return answers._replace(is_doubtful=answers.is_doubtful or bool(own))


def _headless(page: Page, after: int) -> Answers | None:
    """A list right behind the last options that no heading announces."""
    blanks = _BLANKS.match(page.shadow, after)
    at = blanks.end() if blanks else after
    line_end = page.shadow.find("\n", at)
    line = page.shadow[at : len(page.shadow) if line_end < 0 else line_end]
    if len(_ENTRY.findall(line)) > 1 or _RANGE.match(line):
        return _read(page, at, at)
    return None


def _read(page: Page, body: int, start: int) -> Answers | None:
    first = _BLANKS.match(page.shadow, body)
    at = first.end() if first else body
    return _ranges(page, at, start) or _table(page, at, start) or _compact(page, at, start) or _long(page, at, start)


def _ranges(page: Page, at: int, start: int) -> Answers | None:
    entries: dict[int, tuple[str, Span]] = {}
    end = at
    while match := re.compile(rf"[\s,;，；。]*+{_RANGE.pattern}").match(page.shadow, end):
        first, last = int(match[1]), int(match[2])
        letters = re.sub(r"[^A-H]", "", match[3])
        if last - first + 1 != len(letters):
            return Answers(start, {}, (), 0, False, True)
        entries.update({first + n: (letter, (match.end(), match.end())) for n, letter in enumerate(letters)})
        end = match.end()
    if not entries:
        return None
    return _with_explanations(page, Answers(start, entries, ((start, end),), max(entries), False), end)


def _table(page: Page, at: int, start: int) -> Answers | None:
    """`| 题号 | 1 | 2 |` over `| 答案 | B | C |`."""
    lines = page.shadow[at:].split("\n")[:6]
    rows = [
        [c.strip(" *") for c in line.strip().strip("|").split("|")] for line in lines if line.strip().startswith("|")
    ]
    rows = [r for r in rows if not all(set(c) <= set("-: ") for c in r)]
    if len(rows) < 2 or len(rows[0]) != len(rows[1]):
        return None
    pairs = [
        (int(n), a) for n, a in zip(rows[0], rows[1], strict=True) if n.isdecimal() and re.fullmatch("[A-H]{1,4}", a)
    ]
    if len(pairs) < 2 or len(pairs) < len(rows[0]) - 1:
        return None
    end = at
    for line in lines:
        if not line.strip().startswith("|"):
            break
        end += len(line) + 1
    end = min(end, len(page.shadow))
    found = Answers(start, {n: (a, (end, end)) for n, a in pairs}, ((start, end),), max(n for n, _ in pairs), False)
    return _with_explanations(page, found, end)


def _compact(page: Page, at: int, start: int) -> Answers | None:
    """Several entries in one line, and nothing else in it."""
    entries: dict[int, tuple[str, Span]] = {}
    end = at
    line_end = page.shadow.find("\n", at)
    line_end = len(page.shadow) if line_end < 0 else line_end
    while match := re.compile(rf"[\s,;，；。、|]*+{_ENTRY.pattern}").match(page.shadow, end, len(page.shadow)):
        behind = page.shadow[match.end() : match.end() + 40].lstrip(" \t")
        if not re.match(r"[\n,;.，；。、|)]|\**\(?第?\(?\d|$", behind) or re.match(
            r"[.,，。、]\s*[^\s\d(第*|]", behind
        ):
            break
        if int(match[1]) in entries:
            return Answers(start, {}, (), 0, False, True)
        entries[int(match[1])] = (match[2], (match.end(), match.end()))
        end = match.end()
    if len(entries) < 2 or _LINE.match(page.shadow, end + 1):
        return None
    return _with_explanations(page, Answers(start, entries, ((start, end),), max(entries), False), end)


def _long(page: Page, at: int, start: int) -> Answers | None:
    """One entry a line, each with or without an explanation behind it."""
    found: list[tuple[int, str, int, int]] = []
    place = at
    while 0 <= place < len(page.shadow):
        match = _LINE.match(page.shadow, place)
        if match is not None and (not found or int(match[1]) == found[-1][0] + 1):
            found.append((int(match[1]), re.sub(r"[^A-Ha-h]", "", match[2]), place, match.end()))
        elif not found and page.shadow[place:].strip()[:1] != "|":
            return None
        following = page.shadow.find("\n", place)
        place = following + 1 if following >= 0 else -1
    if not found:
        return None
    entries: dict[int, tuple[str, Span]] = {}
    used: list[Span] = [(start, found[0][2])]
    for n, (number, letters, line_start, end) in enumerate(found):
        stop = found[n + 1][2] if n + 1 < len(found) else len(page.text)
        span, label = explanation_span(page, end, stop)
        entries[number] = (letters, span)
        used += [(line_start, end), label]
    has = any(a < b for _, (a, b) in entries.values())
    last = page.text[found[-1][3] :]
    line = page.text[found[-1][2] :].partition("\n")[0]
    is_cut = entries[found[-1][0]][1][0] == len(page.text) and (bool(last.strip(_JUNK)) or line.count("*") % 2 > 0)
    return Answers(start, entries, tuple(used), found[-1][0], has, False, is_cut)


def explanation_span(page: Page, start: int, end: int) -> tuple[Span, Span]:
    """The explanation behind an entry without its label and brackets, and the label's span."""
    label = _LABEL.match(page.shadow, start, end)
    at = label.end() if label else start
    text = page.text[at:end]
    if label is None:
        at += len(text) - len(text.lstrip(" \t\n.．,，;；:：、|*-"))
    stop = at + len(page.text[at:end].rstrip(" \t\n|*"))
    opened = page.shadow[start:at].rstrip(" ")
    if ("(" in opened or page.shadow[at : at + 1] == "(") and page.shadow[at:stop].endswith(")"):
        at += page.shadow[at : at + 1] == "("
        inner = explanation_span(page, at, stop - 1) if "(" not in opened else ((at, stop - 1), (start, at))
        return inner[0], (start, inner[0][0])
    if not page.text[at:stop].strip(_JUNK):
        return (at, at), (start, at)
    return (at, stop), (start, at)


def _with_explanations(page: Page, answers: Answers, end: int) -> Answers:
    """Answers with explanations that follow as a list of their own, numbered like the answers."""
    heads: list[tuple[int, int, int]] = []
    place = page.shadow.find("\n", end)
    while 0 <= place < len(page.shadow):
        match = _NUMBER_LINE.match(page.shadow, place + 1)
        if match is not None:
            heads.append((int(match[1]), place + 1, match.end()))
        place = page.shadow.find("\n", place + 1)
    if not heads:
        return answers
    if [n for n, _, _ in heads] != sorted(answers.entries):
        return answers._replace(is_doubtful=True)
    entries = dict(answers.entries)
    used = [*answers.used, (end, heads[0][1])]
    for n, (number, line_start, body) in enumerate(heads):
        stop = heads[n + 1][1] if n + 1 < len(heads) else len(page.text)
        span, label = explanation_span(page, body, stop)
        entries[number] = (entries[number][0], span)
        used += [(line_start, body), label]
    return answers._replace(entries=entries, used=tuple(used), last=heads[-1][0], has_explanations=True)
