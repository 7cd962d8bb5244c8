"""Lines of free text that say what follows: a number, an answer, an explanation, a case, a heading, a rule."""

import re
from typing import Literal, NamedTuple

from psygen.replies import patterns
from psygen.replies.page import Page

Kind = Literal[
    "number", "answer", "both", "explanation", "aside", "case", "reading", "stem", "options", "meta", "heading",
    "rule", "closing", "fence",
]  # fmt: skip
"""`both` is "答案与解析"; `aside` may open an explanation (分析：) or be part of one; `reading` is "阅读以下案例"."""


class Mark(NamedTuple):
    """What a line opens."""

    kind: Kind
    start: int
    """Of its line."""
    body: int
    """Where the text after the mark begins."""
    end: int
    """Of its line, before the newline."""
    word: str = ""
    """The label itself, small."""
    number: int = 0
    style: tuple[str, ...] = ()
    """How a number is dressed; questions of one reply are dressed alike."""
    is_bold: bool = False
    """A number that opened `**` and did not close it."""
    scope: tuple[int, int] = (0, 0)
    """First and last question of a shared case, where the line says so."""
    is_shared: bool = False
    """A reading line that speaks of several questions."""
    is_line_start: bool = True
    """False for a number right behind "解析：", which can only open a list."""


def line_spans(text: str) -> list[tuple[int, int]]:
    """Start and end of every line, without its newline."""
    spans: list[tuple[int, int]] = []
    start = 0
    for line in text.split("\n"):
        spans.append((start, start + len(line)))
        start += len(line) + 1
    return spans


def find_marks(page: Page) -> list[Mark]:
    """The marks of a page in order; a line may carry a number and, behind it, another mark."""
    marks: list[Mark] = []
    for start, end in line_spans(page.shadow):
        line = page.shadow[start:end]
        if line.strip():
            marks += _marks_of(line, start, end)
            marks += _answer_behind_options(line, start, end)
    return marks


def _marks_of(line: str, start: int, end: int) -> list[Mark]:
    label = _label(line, start, end)
    if label is not None:
        if label.kind in ("explanation", "both", "aside"):
            inner = _number(page_line := line[label.body - start :], label.body, end)
            return [label, inner._replace(is_line_start=False)] if inner and page_line else [label]
        return [label]
    section = _section(line, start, end)
    number = _number(line, start, end)
    if number is None:
        return [section] if section else []
    if section is not None and number.style[0] == "han":
        return [section]
    inner = _label(line[number.body - start :], number.body, end)
    if inner is not None and inner.kind in ("case", "stem", "meta", "answer", "both", "reading"):
        return [number, inner]
    return [number]


def _answer_behind_options(line: str, start: int, end: int) -> list[Mark]:
    """The answer in the line of the last option: "C. 丙 D. 丁 答案：B"."""
    last = patterns.LAST_OPTION.search(line)
    match = patterns.BEHIND.search(line, last.end()) if last else None
    return [Mark("answer", start + match.start(), start + match.end(), end, "答案")] if match else []


def _label(line: str, start: int, end: int) -> Mark | None:
    """The mark that a line opens with a word, or a rule."""

    def mark(kind: Kind, match: re.Match[str]) -> Mark:
        word = match["word"].casefold() if "word" in match.re.groupindex else ""
        return Mark(kind, start, start + match.end(), end, word)

    if match := patterns.RULE.match(line):
        return mark("rule", match)
    if match := patterns.FENCE.match(line):
        return mark("fence", match)
    if (match := patterns.OPTIONS.match(line)) and _is_label(match, line):
        return mark("options", match)
    if (match := patterns.EXPLANATION.match(line)) and _is_label(match, line):
        return mark("explanation", match)
    if (match := patterns.ASIDE.match(line)) and _is_label(match, line):
        return mark("aside", match)
    if (match := patterns.ANSWER.match(line)) and (
        match["verb"] or _is_label(match, line) or _is_letter(line[match.end() :])
    ):
        return mark("both" if match["both"] else "answer", match)
    if (match := patterns.READING.match(line)) and (
        noun := patterns.READ_NOUN.search(line, match.end(), match.end() + 60)
    ):
        return _reading(line, start, end, noun.end())
    if (match := patterns.CASE.match(line)) and _is_label(match, line):
        return _scoped(mark("case", match), line)
    if (match := patterns.META.match(line)) and _is_label(match, line):
        return mark("meta", match)
    if (match := patterns.STEM.match(line)) and (
        match["colon"] == ":" or match["close"] or match["stars"] or match["stars2"]
    ):
        return mark("stem", match)
    if match := patterns.CLOSING.match(line):
        return Mark("closing", start, start, end)
    return None


def _is_label(match: re.Match[str], line: str) -> bool:
    """A colon, a closing bracket, closing stars or the end of the line make a word a label; a full stop doesn't."""
    return bool(
        match["colon"] == ":" or match["close"] or match["stars"] or match["stars2"] or match.end() == len(line)
    )


def _is_letter(body: str) -> bool:
    return re.match(r"[A-H](?:[ \t.。]*+$|[.、:)])", body.strip("*() ")) is not None


def _reading(line: str, start: int, end: int, after: int) -> Mark:
    r"""A line "阅读以下案例，回答1-4题"; its body is what stands behind its colon or first full stop."""
    stop = re.compile(r"[:。]|\.(?=\s|$)").search(line, after)
    body = start + (stop.end() if stop else len(line))
    return _scoped(Mark("reading", start, body, end), line[: body - start])


def _scoped(mark: Mark, line: str) -> Mark:
    """The mark with the questions that its line names ("回答1-4题")."""
    found = patterns.RANGE.search(line[:200])
    is_shared = (
        found is not None
        or re.search(
            r"(?:下列|以下|下面|后面|各)(?:的)?(?:问题|[\d一二三四五六七八九十]*[小道]?题)|questions", line[:200]
        )
        is not None
    )
    scope = (int(found[1]), int(found[2])) if found else (0, 0)
    return mark._replace(scope=scope, is_shared=is_shared)


def _section(line: str, start: int, end: int) -> Mark | None:
    match = patterns.SECTION.match(line)
    is_section = (
        match is not None
        and patterns.SECTION_NAME.search(match["name"])
        and not re.search(r"[?？。]|_{2,}|\(\s*\)|是$", line)
    )
    if is_section or (patterns.MARKDOWN_HEADING.match(line) and _number(line, start, end) is None):
        return Mark("heading", start, end, end)
    return None


def _number(line: str, start: int, end: int) -> Mark | None:
    for name, pattern in patterns.NUMBERS.items():
        match = pattern.match(line)
        if match is None or (name == "word" and not (match["colon"] or match["note"] or _is_label(match, line))):
            continue
        groups = match.groupdict()
        if name == "bare" and not ("#" in match["lead"] or match["open"]):
            continue
        is_open = bool(match["open"]) and not (groups.get("stars") or groups.get("stars2"))
        if name == "word":
            is_open = bool(match["open"]) and "*" not in line[match.start("note") : match.end()]
        style = (name, "#" if "#" in match["lead"] else "", "*" if match["open"] else "", groups.get("sep") or "")
        number = int_of(match["a"] or groups.get("b") or "")
        return Mark("number", start, start + match.end(), end, groups.get("note") or "", number, style, is_open)
    return None


def int_of(digits: str) -> int:
    """The number that digits or Chinese numerals up to 99 spell."""
    if digits.isdecimal():
        return int(digits)
    tens, ten, ones = digits.rpartition("十")
    value = (patterns.HAN.find(tens) + 1 if tens else 1) * 10 if ten else 0
    return value + (patterns.HAN.find(ones[0]) + 1 if ones else 0)
