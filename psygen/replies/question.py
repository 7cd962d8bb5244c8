"""One question of a free text: stem, options, answer and explanation between where it starts and where it ends."""

import re
from collections.abc import Sequence
from typing import NamedTuple

from psygen.records.item import KINDS, LEVELS, Draft
from psygen.replies.endings import is_finished
from psygen.replies.key import WRONG, Key, read_key
from psygen.replies.labels import Run
from psygen.replies.marks import Mark
from psygen.replies.names import KIND_WORDS, LEVEL_WORDS, folded
from psygen.replies.outline import Start
from psygen.replies.page import Page, Span

_LETTERS = re.compile(r"\**[(\[【]?[ ]?([A-H](?:[ ]?[,、和与及/&]?[ ]?[A-H]){0,7})(?![A-Za-z0-9])[ ]?[)\]】]?\**")
_INLINE = re.compile(
    r"[ \t.,;。；(\[【*]*+(?:(?:答案)?解析|理由|解释|explanation|rationale|reason)[】\])*]*+[ ]?[:】\]][ \t*]*+",
    re.IGNORECASE,
)
_THEREFORE = re.compile(
    r"(?:(?:故|因此|所以|综上|因而|可见|由此)[^。\n]{0,20}?(?:选择?|答案(?:应?[为是选])?|为)|(?:正确)?答案(?:应?[为是选]|:)|"
    r"(?:correct )?answer is(?: option)?|故?本题选)"
    r"[ ]?\**[(]?(?:选项)?([A-H]{1,4})[)]?\**(?:选?项)?(?:正确)?[。.!;\s)*]*$",
    re.IGNORECASE,
)
_STEM_TAG = re.compile(
    r"[(\[【](?:单选|单项选择|多选|案例|计算|理论|single)[^()\[\]【】\n]{0,12}[)\]】][ \t*]*+[:.、]?[ \t]*+",
    re.IGNORECASE,
)
_NOTE = re.compile(r"[(（【\[]([^()（）【】\[\]\d]{2,12})[)）】\]]")
_TABLE_HEAD = re.compile(r"[ \t]*\|[ \t\w:|选项内容-]*$")


class Pieces(NamedTuple):
    """Spans of one question; only what reads as one is here."""

    draft: Draft
    used: tuple[Span, ...]
    explanation: Span
    has_answer: bool
    is_ended: bool
    """The last piece of text ends as texts end."""


def read_question(
    page: Page,
    marks: Sequence[Mark],
    runs: Sequence[Run],
    start: Start,
    end: int,
    *,
    case: str = "",
    told: tuple[str, Span] | None = None,
) -> Pieces | None:
    """The question between a start and `end`; None when its text does not read as exactly one question.

    told: answer and span of the explanation from a list of answers at the end.
    """
    inside = [m for m in marks if start.start <= m.start < end]
    if any(m.kind in ("answer", "both", "explanation") and m.start < start.run.start for m in inside):
        return None
    stem, stem_used, is_case, facts = _stem(page, inside, start)
    options = tuple(page.text[a:b].strip() for a, b in start.run.texts)
    tail = [m for m in inside if m.start >= start.run.end and m.kind in ("answer", "both", "explanation", "aside")]
    answers = [m for m in tail if m.kind in ("answer", "both")]
    if any(start.run.end <= r.start < m.start for m in answers[1:] for r in runs):
        return None
    told_answer = _answers(page, answers, options, end)
    key, used, after, inline = told_answer
    if told is not None and not answers:
        key = read_key(told[0], options)
    explanation, label_used = _explanation(page, start, tail, answers, after, inline, end)
    if explanation is None:
        return None
    if told is not None and explanation[0] == explanation[1]:
        explanation = told[1]
    text = _bare(page.text[explanation[0] : explanation[1]])
    has_answer = bool(answers) or told is not None
    if not has_answer and (
        found := _THEREFORE.search(page.shadow, max(explanation[0], explanation[1] - 80), explanation[1])
    ):
        key = read_key(found[1], options)
    spans = [*stem_used, *used, *label_used, (start.run.start, start.run.end), explanation]
    repairs, fault = _noted(page, [(start.start, start.run.end), explanation, *used])
    stem = "\n".join(t for t in (case if case not in stem else "", stem) if t)
    repairs += [key.repair] + (["case"] if case or is_case else [])
    if not fault:
        fault = "E_EMPTY" if not stem or not all(options) else "E_OPTION_COUNT" if len(options) != 4 else key.fault
    draft = Draft(
        stem=stem,
        options=options,
        key=key.positions,
        explanation=text,
        kind=next((k for k in KINDS if k == _meant(facts, KINDS, KIND_WORDS)), None),
        level=next((v for v in LEVELS if v == _meant(facts, LEVELS, LEVEL_WORDS)), None),
        repairs=tuple(dict.fromkeys(r for r in repairs if r)),
        fault=fault,
    )
    is_announced = any(m.kind in ("explanation", "aside", "both") for m in tail)
    is_ended = is_finished(text) if text or is_announced else True
    return Pieces(draft, tuple(spans), explanation, has_answer or not key.fault, is_ended)


def _stem(page: Page, marks: Sequence[Mark], start: Start) -> tuple[str, list[Span], bool, list[tuple[str, str]]]:
    """The stem without labels and facts about the question, what was used, and whether a case is in it."""
    by_line = {m.start: m for m in marks if m.kind in ("stem", "case", "meta", "options")}
    inner = {m.end: m for m in marks if m.kind in ("stem", "case", "meta", "options") and m.end <= start.run.start}
    pieces: list[str] = []
    used: list[Span] = [(start.start, start.body)]
    facts: list[tuple[str, str]] = []
    is_case = False
    at = start.body
    while at < start.run.start:
        line_end = page.text.find("\n", at)
        line_end = start.run.start if line_end < 0 else min(line_end, start.run.start)
        mark = by_line.get(at) or (inner.get(line_end) if at <= inner.get(line_end, _NOWHERE).body else None)
        if mark is not None and mark.kind == "meta":
            facts.append((mark.word, page.text[mark.body : line_end].strip(" *")))
        elif mark is not None and mark.kind in ("stem", "case"):
            is_case = is_case or mark.kind == "case"
            pieces.append(page.text[mark.body : line_end])
            used.append((at, line_end))
        elif mark is not None and not page.text[mark.body : line_end].strip():
            used.append((at, line_end))
        elif not (start.run.labels[0].shape.startswith("table") and _TABLE_HEAD.match(page.shadow[at:line_end])):
            pieces.append(page.text[at:line_end])
            used.append((at, line_end))
        at = line_end + 1
    text = "\n".join(pieces).strip()
    if tag := _STEM_TAG.match(page.shadow[start.body : start.body + 60]):
        tagged = page.text[start.body : start.body + tag.end()]
        text = text.removeprefix(tagged.strip()).lstrip(" *") if text.startswith(tagged.strip()) else text
        facts.append(("题型", tag.group().strip(" ()[]【】*:.、")))
    if noted := _NOTE.search(page.text, start.start, start.body):
        facts.append(("题型", noted[1]))
    return _bare(text, is_open=start.is_bold), used, is_case, facts


_NOWHERE = Mark("rule", -1, -1, -1)


def _answers(page: Page, answers: Sequence[Mark], options: Sequence[str], end: int) -> tuple[Key, list[Span], int, int]:
    """The key, the spans used, where the answer ends, and where an explanation in its line begins (-1: nowhere)."""
    if not answers:
        return WRONG, [], -1, -1
    found = [_answer(page, m, options, end) for m in answers]
    key, span, after, inline = found[0]
    others = {k.positions for k, _, _, _ in found[1:] if not k.fault}
    if others - {key.positions} and not key.fault:
        key = WRONG
    return key, [span], after, inline


def _answer(page: Page, mark: Mark, options: Sequence[str], end: int) -> tuple[Key, Span, int, int]:
    """The key, the span used, where the answer ends, and where an explanation in its line begins (-1: nowhere)."""
    body, stop = mark.body, min(mark.end, end)
    if not page.shadow[body:stop].strip(" *"):
        following = re.compile(r"\s*").match(page.shadow, stop, end)
        body = following.end() if following else stop
        stop = page.shadow.find("\n", body, end)
        stop = end if stop < 0 else stop
    key = read_key(page.text[body:stop].strip(), options)
    if not key.fault:
        return key, (mark.start, stop), stop, -1
    letters = _LETTERS.match(page.shadow, body, stop)
    if letters is None:
        return WRONG, (mark.start, mark.body), stop, -1
    key = read_key(letters[1], options)
    if inline := _INLINE.match(page.shadow, letters.end(), stop):
        return key, (mark.start, inline.end()), inline.end(), inline.end()
    behind = page.text[letters.end() : stop].lstrip(" .．。、:：，,；;*")
    if behind.strip(" ()（）") in options:
        return WRONG, (mark.start, mark.body), stop, -1  # a letter and another option's text
    return key, (mark.start, letters.end()), letters.end(), stop - len(behind)


def _explanation(
    page: Page, start: Start, tail: Sequence[Mark], answers: Sequence[Mark], after: int, inline: int, end: int
) -> tuple[Span | None, list[Span]]:
    """The span of the explanation (empty: none); None when text behind the options belongs to nobody knows what."""
    first = min([m.start for m in tail], default=end)
    loose = page.text[start.run.end : first]
    if loose.strip("* \n") and not loose.startswith(("\n\n", "\n \n")) and not _THEREFORE.search(loose.strip()):
        return None, []
    marked = next((m for m in tail if m.kind == "explanation"), None)
    aside = next((m for m in tail if m.kind == "aside"), None)
    if marked is None and aside is not None and not page.text[max(after, start.run.end) : aside.start].strip("* \n。."):
        marked = aside
    if marked is not None and inline >= 0 and page.shadow[inline - 2 : inline].rstrip()[-1:] in (":", "】", "]"):
        marked = None  # the answer's own line has begun the explanation
    if marked is not None:
        later = [m.start for m in answers if m.start > marked.start and _is_first(m, answers)]
        return _trimmed(page, marked.body, min([*later, end])), [(marked.start, marked.body)]
    if answers:
        return _trimmed(page, inline if inline >= 0 else after, end), []
    return _trimmed(page, start.run.end, end), []


def _is_first(mark: Mark, answers: Sequence[Mark]) -> bool:
    return mark is answers[0]


def _trimmed(page: Page, start: int, end: int) -> Span:
    text = page.text[start:end]
    lead = len(text) - len(text.lstrip(" \t\n"))
    return (start + lead, max(start + lead, end - (len(text) - len(text.rstrip(" \t\n")))))


def _bare(text: str, *, is_open: bool = False) -> str:
    """`text` without stars that wrap all of it, or that were opened before it."""
    text = text.strip()
    if is_open and "**" in text and text.count("**") % 2:
        head, _, rest = text.partition("**")
        text = (head + rest).strip()
    if len(text) > 4 and text.startswith("**") and text.endswith("**") and text.count("**") == 2:
        return text[2:-2].strip()
    return text


def _noted(page: Page, spans: Sequence[Span]) -> tuple[list[str], str]:
    notes = [n for n in page.notes if any(a <= n.place <= b for a, b in spans)]
    return [n.repair for n in notes], next((n.fault for n in notes if n.fault), "")


def _meant(facts: Sequence[tuple[str, str]], allowed: Sequence[str], words: dict[str, str]) -> str | None:
    for _, value in facts:
        word = folded(value)
        plain = {folded(a): a for a in allowed} | words
        found = plain.get(word) or plain.get(word.removesuffix("题").removesuffix("分析"))
        if found in allowed:
            return found
    return None
