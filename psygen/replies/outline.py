"""Where each question of a free text starts: the option runs, and the numbers that lead to them.

Numbers also count lists in stems and explanations, and A, B, C also head explanations. So a start is a number that
leads to a run of options, is dressed like its neighbours, and continues their count, where all other numbers around
it read as lists that begin at 1. Where two readings remain, the questions concerned are marked doubtful.
"""

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from typing import NamedTuple

from psygen.replies.labels import Run
from psygen.replies.marks import Mark
from psygen.replies.page import Page

_ORDER = ("word", "dot", "bracket", "bare", "han")
_STRONG = ("answer", "both", "explanation")
_PARTING = ("rule", "heading", "case", "reading", "stem", "fence")


class Start(NamedTuple):
    """The beginning of one question."""

    number: int
    start: int
    """Of its first line."""
    body: int
    """Behind its number."""
    run: Run
    is_bold: bool = False
    is_doubtful: bool = False
    gap: int = -1
    """Where a question without options begins that stands before this one; -1 for none."""
    style: tuple[str, ...] = ()
    is_replaced: bool = False
    """An earlier run of labels was taken for a part of the stem."""


def find_starts(page: Page, marks: Sequence[Mark], runs: Sequence[Run]) -> list[Start]:
    """The questions of a text in order, by the numbering that leads to most runs; without one by what parts them."""
    strong = [m.start for m in marks if m.kind in _STRONG]
    numbers = [m for m in marks if m.kind == "number"]
    best: list[Start] = []
    for depth in (4, 1):
        for style in sorted({m.style[:depth] for m in numbers if m.is_line_start}, key=_rank):
            chosen = [m for m in numbers if not m.is_line_start or m.style[:depth] == style]
            found = _numbered(runs, chosen, strong, style)
            if _worth(found) > _worth(best):
                best = found
    return best or _unnumbered(page, marks, runs, strong)


def _rank(style: tuple[str, ...]) -> tuple[int, tuple[str, ...]]:
    return _ORDER.index(style[0]), tuple(reversed(style))


def _worth(starts: Sequence[Start]) -> int:
    return sum(not s.is_doubtful for s in starts)


def zone_start(place: int, strong: Sequence[int], before: int) -> int:
    """Start of the last answer or explanation line between two places, or the first of them."""
    at = bisect_left(strong, place)
    return max(before, strong[at - 1]) if at else before


def _numbered(
    runs: Sequence[Run], numbers: Sequence[Mark], strong: Sequence[int], style: tuple[str, ...]
) -> list[Start]:
    found: list[Start] = []
    places = [m.start for m in numbers]
    end = 0
    for run in runs:
        left = zone_start(run.start, strong, end)
        near = numbers[bisect_left(places, left) : bisect_right(places, run.start)]
        chosen, gap = _choose(near, found[-1].number + 1 if found else 0)
        if len(chosen) == 1:
            mark = near[chosen[0]]
            found.append(Start(mark.number, mark.start, mark.body, run, mark.is_bold, False, gap, style))
        elif chosen:
            mark = near[chosen[-1]]
            found[-1:] = [s._replace(is_doubtful=True) for s in found[-1:]]
            found.append(Start(mark.number, mark.start, mark.body, run, mark.is_bold, True, gap, style))
        elif found and left == end:
            # Nothing but text since the last run: that one was a table or a list of the stem.
            found[-1] = found[-1]._replace(run=run, is_replaced=True)
        elif found:
            _skip(found, near, numbers[bisect_left(places, end) : bisect_left(places, left)], run, style)
        end = run.end
    return found


def _skip(found: list[Start], near: Sequence[Mark], behind: Sequence[Mark], run: Run, style: tuple[str, ...]) -> None:
    """Go on with a later number where the wanted one leads to no options; what lies between may hide a question.

    behind: numbers between the last options and the zone of this run.
    """
    wanted = found[-1].number + 1
    for number in (wanted + 1, wanted + 2):
        places = [p for p in _fitting([m.number for m in near], number) if near[p].is_line_start]
        if len(places) == 1:
            mark = near[places[0]]
            gaps = [m for m in behind if m.number == wanted and m.is_line_start]
            is_clear = len(gaps) == 1 and [m.number for m in behind] == list(range(wanted, number))
            if not is_clear:
                found[-1] = found[-1]._replace(is_doubtful=True)
            gap = gaps[0].start if is_clear else -1
            found.append(Start(mark.number, mark.start, mark.body, run, mark.is_bold, False, gap, style))
            return


def _choose(near: Sequence[Mark], wanted: int) -> tuple[list[int], int]:
    """Places among the numbers before a run where question `wanted` can start (0: the first), and a gap's start."""
    numbers = [m.number for m in near]
    for number in [wanted] if wanted else [1, *numbers[:1]]:
        places = [p for p in _fitting(numbers, number) if near[p].is_line_start]
        if places:
            return places, -1
    # Question `wanted` may have no options; then the next one follows it at once.
    if (
        wanted
        and numbers[:2] == [wanted, wanted + 1]
        and near[0].is_line_start
        and _fitting(numbers[1:], wanted + 1) == [0]
    ):
        return [1], near[0].start
    return [], -1


def _fitting(numbers: Sequence[int], wanted: int) -> list[int]:
    """Places of `wanted` before and behind which all numbers are lists that begin at 1."""
    size = len(numbers)
    goes_on = [n == 1 or (p > 0 and n == numbers[p - 1] + 1) for p, n in enumerate(numbers)]
    good_before = [True] * (size + 1)
    for p in range(size):
        good_before[p + 1] = good_before[p] and goes_on[p]
    good_behind = [True] * (size + 1)
    for p in range(size - 1, -1, -1):
        good_behind[p] = goes_on[p] and (p + 1 == size or good_behind[p + 1])
    return [
        p
        for p, n in enumerate(numbers)
        if n == wanted and good_before[p] and (p + 1 == size or (numbers[p + 1] == 1 and good_behind[p + 1]))
    ]


def _unnumbered(page: Page, marks: Sequence[Mark], runs: Sequence[Run], strong: Sequence[int]) -> list[Start]:
    """Questions parted by rules, headings, labels, or simply one paragraph of explanation and one of stem."""
    answers = [m.start for m in marks if m.kind in ("answer", "both")]
    found: list[Start] = []
    end = 0
    for n, run in enumerate(runs):
        left = zone_start(run.start, strong, end)
        following = runs[n + 1].start if n + 1 < len(runs) else len(page.text)
        has_answer = bisect_left(answers, following) > bisect_left(answers, run.end)
        if found and left > end and not has_answer:
            end = run.end
            continue  # an explanation's own A, B, C
        start = _unnumbered_start(page, marks, left, run.start, is_first=not found, is_marked=left > end)
        if start is None:
            found[-1:] = [s._replace(is_doubtful=True) for s in found[-1:]]
            found.append(Start(len(found) + 1, run.start, run.start, run, False, True))
        else:
            found.append(Start(len(found) + 1, start, start, run))
        end = run.end
    return found


def _unnumbered_start(
    page: Page, marks: Sequence[Mark], left: int, right: int, *, is_first: bool, is_marked: bool
) -> int | None:
    parting = [m for m in marks if left < m.start < right and m.kind in _PARTING] or [
        m for m in marks if is_first and m.start == 0 and m.kind in _PARTING
    ]
    hard = [m for m in parting if m.kind in ("rule", "heading", "fence")]
    if hard:
        return min(hard[-1].end + 1, right)
    if parting:
        return parting[0].start
    paragraphs = _paragraphs(page.shadow, left, right)
    if is_first:
        is_chatter = len(paragraphs) > 1 and page.shadow[: paragraphs[1]].rstrip().endswith((":", "。", "!", "."))
        return paragraphs[1] if is_chatter and len(paragraphs) == 2 else left
    wanted = 2 if is_marked else 1
    return paragraphs[-1] if len(paragraphs) == wanted else None


def _paragraphs(shadow: str, left: int, right: int) -> list[int]:
    """Starts of the paragraphs between two places."""
    starts: list[int] = []
    is_blank = True
    at = left
    for line in shadow[left:right].split("\n"):
        if line.strip() and is_blank:
            starts.append(at)
        is_blank = not line.strip()
        at += len(line) + 1
    return starts
