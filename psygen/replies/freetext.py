"""Free text becomes drafts: questions as people and models type them, numbered or not.

A question is kept when nothing about its extent is in doubt. The last one is kept only when something shows that it
ended: a rule, a heading, a closing line, or the caller's word that the reply is complete.
"""

import re
from collections.abc import Sequence
from typing import NamedTuple

from psygen.records.item import Draft
from psygen.replies.gathered import find_answers
from psygen.replies.labels import find_runs
from psygen.replies.marks import Mark, find_marks, line_spans
from psygen.replies.outline import Start, find_starts, zone_start
from psygen.replies.page import Page, Span, leftovers, open_page
from psygen.replies.question import read_question

MAX_LINES, MAX_LINE = 20_000, 50_000
"""Lines of a text and characters of a line; more is no text of questions."""
_STOPS = ("answer", "both", "explanation", "heading", "rule", "closing", "case", "reading", "options", "fence")
_STRONG = ("answer", "both", "explanation")
_ENDS = ("rule", "heading", "closing", "fence", "case", "reading")
# A later question of a case without a stated range speaks of it like this.
_REFERS = re.compile(
    r"该(?:来访者|案例|患者|求助者|学生|被试|研究|实验|教师|儿童|个案|同学|女士|先生|男孩|女孩)|上述|本案例|此案例|案例中|材料中|上文|以上案例|"
    r"the (?:client|case|patient|study|student|scenario)|this (?:client|case|patient|study)",
    re.IGNORECASE,
)


class Typed(NamedTuple):
    """Drafts of a text and every piece of it that went into none."""

    drafts: tuple[Draft, ...]
    rest: tuple[str, ...]
    is_too_long: bool = False


class _Case(NamedTuple):
    text: str
    first: int = 0
    last: int = 0
    is_shared: bool = False

    def holds(self, number: int, stem: str) -> bool:
        if self.last:
            return self.first <= number <= self.last
        return self.is_shared or _REFERS.search(stem) is not None


def read_text(text: str, *, is_complete: bool) -> Typed:
    """The drafts that a free text holds."""
    spans = line_spans(text)
    if len(spans) > MAX_LINES or any(end - start > MAX_LINE for start, end in spans):
        return Typed((), (text,), True)
    page = open_page(text)
    lines = line_spans(page.shadow)
    return _Reader(page, lines, is_complete=is_complete).read()


class _Reader:
    def __init__(self, page: Page, lines: Sequence[Span], *, is_complete: bool) -> None:
        self.page = page
        self.is_complete = is_complete
        self.marks = find_marks(page)
        self.runs = find_runs(page, lines, [m.start for m in self.marks if m.kind in _STOPS])
        self.answers = find_answers(page, self.marks, self.runs)
        self.end = self.answers.start if self.answers else len(page.text)
        self.marks = [m for m in self.marks if m.start < self.end]
        self.runs = [r for r in self.runs if r.start < self.end]
        self.strong = [m.start for m in self.marks if m.kind in _STRONG]
        self.starts = find_starts(page, self.marks, self.runs)
        self.drafts: list[Draft] = []
        self.used: list[Span] = [(m.start, m.end) for m in self.marks if m.kind in ("rule", "fence")]

    def read(self) -> Typed:
        case: _Case | None = None
        leads = [self._lead(n) for n in range(len(self.starts))]
        for n, start in enumerate(self.starts):
            case, is_new = self._case(leads[n], start, case)
            is_last = n + 1 == len(self.starts)
            end, is_ended = self._tail(start) if is_last else (leads[n + 1], True)
            if end < 0 or start.is_doubtful:
                continue
            self._take(
                start, end, case if case and (is_new or case.holds(start.number, self._stem(start))) else None, is_ended
            )
        return Typed(tuple(self.drafts), leftovers(self.page.text, self.used))

    def _take(self, start: Start, end: int, case: _Case | None, is_ended: bool) -> None:
        told = None
        if self.answers is not None:
            # An answer too many: a question was overlooked, perhaps in the stem of this one.
            is_short = start.is_replaced and len(self.answers.entries) > len(self.starts)
            if self.answers.is_doubtful or is_short:
                return
            told = self.answers.entries.get(start.number)
            if self.answers.is_cut and start.number == self.answers.last:
                return
            is_last_entry = start.number == self.answers.last or not self.answers.has_explanations
            is_ended = not is_last_entry
        text = case.text if case else ""
        found = read_question(self.page, self.marks, self.runs, start, end, case=text, told=told)
        if found is None:
            return
        # The others are explained and this one isn't: it was cut before its explanation.
        is_unlike = not found.draft.explanation and any(d.explanation for d in self.drafts)
        if not is_ended and (is_unlike or not (self.is_complete and found.is_ended)):
            return
        self.drafts.append(found.draft)
        self.used += found.used
        if told is not None and self.answers is not None:
            self.used += [told[1], *self.answers.used]

    def _stem(self, start: Start) -> str:
        return self.page.text[start.body : start.run.start]

    def _lead(self, n: int) -> int:
        """Where the text before question `n` ends that still belongs to the one before it."""
        start = self.starts[n]
        if n == 0:
            return 0
        left = zone_start(start.start, self.strong, self.starts[n - 1].run.end)
        between = [m.start for m in self.marks if left < m.start < start.start and self._is_end(m)]
        places = [*between[:1], start.start, *([start.gap] if start.gap >= 0 else [])]
        return min(places)

    def _is_end(self, mark: Mark) -> bool:
        if mark.kind == "closing":
            return self.page.shadow[max(0, mark.start - 2) : mark.start] == "\n\n"
        return mark.kind in _ENDS

    def _tail(self, start: Start) -> tuple[int, bool]:
        """Where the last question ends and whether that is certain; -1 where it is doubtful."""
        left = zone_start(self.end, self.strong, start.run.end)
        ends = [m for m in self.marks if m.start >= max(left + 1, start.run.end) and self._is_end(m)]
        end = ends[0].start if ends else self.end
        # A line that is still being written may turn out to be something else.
        is_ended = bool(ends) and (ends[0].kind == "rule" or ends[0].end < len(self.page.text))
        following = [
            m
            for m in self.marks
            if m.kind == "number"
            and left <= m.start < end
            and m.start > start.run.start
            and m.style[:1] == start.style[:1]
        ]
        numbers = [m.number for m in following]
        if start.number + 1 in numbers and start.style:
            first = following[0]
            if first.number != start.number + 1:
                # 1. 2. 3. behind question 1: a list of its explanation, or one cut off at the start of question 2.
                is_list = numbers == list(range(1, len(numbers) + 1))
                return (end, is_ended) if is_list else (-1, False)
            before = self.page.shadow[left : first.start]
            is_parted = self.page.shadow[max(0, first.start - 2) : first.start] == "\n\n"
            if is_parted and not re.search(r"(?<!\d)1[.、)]|①|其一|首先|第一", before):
                return first.start, True
            return (end, is_ended) if ends and not is_parted else (-1, False)
        return end, is_ended or self.end < len(self.page.text)

    def _case(self, lead: int, start: Start, active: _Case | None) -> tuple[_Case | None, bool]:
        """The case in force for a question, and whether it stands right before it."""
        between = [m for m in self.marks if lead <= m.start < start.start and m.kind in ("case", "reading", "heading")]
        opening = [m for m in between if m.kind != "heading"]
        if not opening:
            is_over = any(m.kind == "heading" for m in between) and not (active and active.last)
            return (None if is_over else active), False
        scope = next((m.scope for m in reversed(opening) if m.scope[1]), (0, 0))
        bodies = [m for m in opening if m.kind == "case"] or opening
        chosen = bodies[-1]
        stops = [
            m.start for m in self.marks if chosen.body < m.start < start.start and m.kind in ("heading", "rule", "stem")
        ]
        end = min([*stops, start.start])
        text = self.page.text[chosen.body : end].strip().strip("*").strip()
        self.used += [(m.start, m.body) for m in opening] + [(chosen.body, end)]
        return _Case(text, *scope, any(m.is_shared for m in opening)), True
