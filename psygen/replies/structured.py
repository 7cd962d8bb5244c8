"""JSON values become drafts, in whatever shape a model wrapped its questions."""

import re
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from psygen.records.item import KINDS, LEVELS, Draft
from psygen.replies.choices import Choices, as_text, from_letters, read_choices, split_stem
from psygen.replies.key import WRONG, Key, read_index, read_key
from psygen.replies.latex import Decoded
from psygen.replies.launder import launder
from psygen.replies.names import KIND_WORDS, LEVEL_WORDS, Part, folded, option_letter, part_of, rank_of
from psygen.replies.page import Span
from psygen.replies.scan import Block, Member, Numeral, Root, Row, Value

_NUMBER_ONLY = re.compile(
    r"\s*(?:第?\s*[\d一二三四五六七八九十]{1,4}\s*题?|(?:题目|问题|Q|Question)\s*\d{1,3})[.:：、]?\s*$"
)
_OWN_NUMBER = re.compile(r"\s*(?:(\d{1,3})\s*[.、．:：)）](?!\d)|[（(](\d{1,3})[）)]|第(\d{1,3})题[：:.、]?)\s*")
_CASE_STEMS = ("stem", "题干", "题干内容", "questionstem")


class Found(NamedTuple):
    """Drafts of a reply in order, and the spans that went into them."""

    drafts: tuple[Draft, ...]
    used: tuple[Span, ...]
    is_empty: bool = False
    """A list of questions was there and held none."""
    twin: str = ""
    """A name that stands twice in an object around questions, which is refused whole."""
    error: str = ""
    """What broke the text, or nothing."""


def read_structured(roots: Iterable[Root]) -> Found:
    """The drafts in the outermost values of a reply; from broken ones the questions that were closed before."""
    reader = _Reader()
    error = ""
    for root in roots:
        late = root.is_late
        if isinstance(root.value, Row) and not root.value.values and root.value.is_closed:
            reader.is_empty = True
        before = len(reader.drafts)
        reader.read(root.value, ())
        if late:
            reader.drop_doubtful(before)
        error = error or root.error
        if root.error and _hides_context(root):
            break
    drafts = _without_numbers([d for d, _ in reader.drafts])
    used = [span for _, spans in reader.drafts for span in spans]
    return Found(tuple(drafts), tuple(used + reader.used), reader.is_empty, reader.twin, error)


class _Reader:
    def __init__(self) -> None:
        self.drafts: list[tuple[Draft, tuple[Span, ...]]] = []
        self.used: list[Span] = []
        self.is_empty = False
        self.twin = ""

    def read(self, value: Value, cases: Sequence[str]) -> None:
        if isinstance(value, Row):
            self._row(value, cases)
        elif isinstance(value, Block):
            self._block(value, cases)

    def drop_doubtful(self, start: int) -> None:
        """Of what was found behind a broken piece, only whole questions stay: four fields and no fault."""
        kept = [d for d in self.drafts[start:] if d[0].explanation and not d[0].fault]
        self.drafts[start:] = kept

    def _row(self, row: Row, cases: Sequence[str]) -> None:
        if not any(_holds(v) for v in row.values):
            return
        for value in row.values:
            if (isinstance(value, Row | Block) and not value.is_closed) or _holds(value):
                self.read(value, cases)
            else:
                self.drafts.append((Draft(stem="", options=(), key=(), fault="E_JSON"), ()))

    def _block(self, block: Block, cases: Sequence[str]) -> None:
        inner = [m for m in block.members if _holds(m.value)]
        if block.is_closed and _is_question(block) and not (inner and not _has_options(block)):
            self.drafts.append(_draft(block, cases))
            inner = [m for m in inner if part_of(m.name) != "options"]
        elif inner and block.is_closed and block.twin:
            self.twin = block.twin
            return
        if any(isinstance(m.value, Row) and not m.value.values and m.value.is_closed for m in block.members):
            self.is_empty = True
            self.twin = self.twin or block.twin
        own = [m for m in block.members if _is_context(m)] if inner else []
        for member in own:
            self.used.append((member.start, member.end))
        for member in inner:
            if isinstance(member.value, Row | Block):
                self.used.append((member.start, member.value.start))
            self.read(member.value, [*cases, *(_text(m) for m in own)])


def _holds(value: Value) -> bool:
    """There is a question somewhere in a value."""
    if isinstance(value, Row):
        return any(_holds(v) for v in value.values)
    if not isinstance(value, Block):
        return False
    return (value.is_closed and _is_question(value)) or any(_holds(m.value) for m in value.members)


def _is_question(block: Block) -> bool:
    parts = {
        part_of(m.name) for m in block.members if not (part_of(m.name) == "stem" and isinstance(m.value, Row | Block))
    }
    return "stem" in parts or ("options" in parts and bool(parts & {"answer", "index"}))


def _has_options(block: Block) -> bool:
    return any(part_of(m.name) in ("options", "answer", "index") for m in block.members) or bool(
        from_letters(block.members).texts
    )


def _is_context(member: Member) -> bool:
    is_named = part_of(member.name) == "case" or folded(member.name) in _CASE_STEMS
    return is_named and isinstance(member.value, Decoded) and bool(member.value.text.strip())


def _hides_context(root: Root) -> bool:
    """What follows the break may belong to something that broke with it: a case, or a wrapper nobody knows."""
    blocks = root.open_blocks
    broken = next((n for n in reversed(range(len(blocks))) if _parts(blocks[n]) & {"stem", "options"}), None)
    around = blocks[:broken]
    if any(_is_context(m) for block in around for m in block.members):
        return True
    if broken is not None or not blocks or not blocks[-1].pending:
        return False
    last = blocks[-1].members[-1]
    return not isinstance(last.value, Row | Block) and part_of(last.name) in (None, "case")


def _parts(block: Block) -> set[Part | None]:
    """Parts of a block, names that hold lists of questions aside."""
    return {
        part_of(m.name) for m in block.members if not (part_of(m.name) == "stem" and isinstance(m.value, Row | Block))
    }


def _draft(block: Block, cases: Sequence[str]) -> tuple[Draft, tuple[Span, ...]]:
    """The draft of one question object, and the spans of the members that went into it."""
    by_part: dict[Part, list[Member]] = {}
    for member in block.members:
        if (part := part_of(member.name)) is not None:
            by_part.setdefault(part, []).append(member)
    stem, stem_fault, used = _stem(by_part.get("stem", []))
    choices, option_span = _choices(block, by_part)
    if not choices.texts and (parted := split_stem(stem)) is not None and not by_part.get("options"):
        stem, choices = parted
    explanation, spans = _explanation(by_part.get("explanation", []))
    case, case_spans = _case(by_part.get("case", []), cases, stem.text)
    texts = [stem, explanation, *choices.texts]
    clean = [launder(t.text) for t in texts]
    options = tuple(c.text.strip() for c in clean[2:])
    key, key_spans = _key(by_part, options, choices.marked)
    kind, level = (
        _word(by_part.get("kind", []), KINDS, KIND_WORDS),
        _word(by_part.get("level", []), LEVELS, LEVEL_WORDS),
    )
    twins = [m.value.twin for m in by_part.get("options", []) if isinstance(m.value, Block)]
    fault = _fault(block.twin or choices.twin or "".join(twins), clean_faults=[c.fault for c in clean], texts=texts)
    fault = fault or stem_fault or ("E_OPTION_COUNT" if len(options) != 4 else "")
    if not clean[0].text.strip() or any(not o for o in options):
        fault = fault if fault in ("E_JSON_DUPKEY", "E_UNICODE", "E_CONTROL", "E_JSON") else "E_EMPTY"
    repairs = [r for t in texts for r in t.repairs] + [n.repair for c in clean for n in c.notes] + [*choices.repairs]
    repairs += [key.repair, "case" if case else ""]
    draft = Draft(
        stem="\n".join([*case, clean[0].text.strip()]),
        options=options,
        key=key.positions,
        explanation=clean[1].text.strip(),
        kind=next((k for k in KINDS if k == kind), None),
        level=next((v for v in LEVELS if v == level), None),
        repairs=tuple(dict.fromkeys(r for r in repairs if r)),
        fault=fault or key.fault,
    )
    words = [m for p, w in (("kind", kind), ("level", level)) for m in by_part.get(p, []) if w]  # type: ignore[call-overload]
    serial = by_part.get("serial", [])
    used += option_span + spans + case_spans + key_spans + [(m.start, m.end) for m in [*words, *serial]]
    return draft, tuple(used)


def _fault(twin: str, *, clean_faults: Sequence[str], texts: Sequence[Decoded]) -> str:
    if twin:
        return "E_JSON_DUPKEY"
    return next((f for f in [*clean_faults, *(t.fault for t in texts)] if f), "")


def _stem(members: Sequence[Member]) -> tuple[Decoded, str, list[Span]]:
    """The stem; two different ones in one object are a fault, since nobody knows which one asks."""
    ranked = sorted(members, key=lambda m: rank_of(m.name))
    texts = [m for m in ranked if isinstance(m.value, Decoded)]
    real = [m for m in texts if not _NUMBER_ONLY.match(_text(m))] or texts
    if not real:
        return Decoded(""), "E_EMPTY", []
    value = real[0].value
    is_clear = len({_text(m).strip() for m in real}) == 1
    used = [(m.start, m.end) for m in (texts if is_clear else real[:1])]
    return value if isinstance(value, Decoded) else Decoded(""), "" if is_clear else "E_JSON", used


def _choices(block: Block, by_part: dict[Part, list[Member]]) -> tuple[Choices, list[Span]]:
    members = by_part.get("options", [])
    found = [(read_choices(m.value), m) for m in members]
    real = [(c, m) for c, m in found if c.texts]
    if len(real) == 1:
        choices, member = real[0]
        value = member.value
        if not choices.used or not isinstance(value, Row | Block):
            return choices, [(member.start, member.end)]
        return choices, [(member.start, value.start), *choices.used]
    if not real:
        choices = from_letters([m for m in block.members if option_letter(m.name)])
        return choices, list(choices.used)
    return Choices(), []


def _explanation(members: Sequence[Member]) -> tuple[Decoded, list[Span]]:
    """The explanation: text, lines of a list, or one line for each letter."""
    for member in sorted(members, key=lambda m: rank_of(m.name)):
        value = member.value
        text = as_text(value)
        if text is None and isinstance(value, Row):
            text = _joined([as_text(v) for v in value.values])
        if text is None and isinstance(value, Block):
            lines = [(m.name, as_text(m.value)) for m in value.members]
            text = _joined([t._replace(text=f"{name}. {t.text}") if t else None for name, t in lines])
        if text is not None and text.text.strip():
            return text, [(member.start, member.end)]
    return Decoded(""), []


def _joined(lines: Sequence[Decoded | None]) -> Decoded | None:
    texts = [line for line in lines if line is not None]
    if not texts or len(texts) != len(lines):
        return None
    repairs = dict.fromkeys(["joined", *(r for t in texts for r in t.repairs)])
    return Decoded("\n".join(t.text for t in texts), tuple(repairs), next((t.fault for t in texts if t.fault), ""))


def _case(members: Sequence[Member], cases: Sequence[str], stem: str) -> tuple[list[str], list[Span]]:
    """Texts that go before the stem: shared cases, then its own; what the stem says already is not said twice."""
    texts = [*cases, *(_text(m) for m in members if isinstance(m.value, Decoded))]
    clean = dict.fromkeys(launder(t).text.strip() for t in texts)
    spans = [(m.start, m.end) for m in members if isinstance(m.value, Decoded)]
    return [t for t in clean if t and t not in stem], spans


def _key(by_part: dict[Part, list[Member]], options: Sequence[str], marked: tuple[int, ...]) -> tuple[Key, list[Span]]:
    """The key that all answers of an object agree on."""
    answers, indexes = by_part.get("answer", []), by_part.get("index", [])
    keys = [read_key(_plain(m.value), options) for m in answers]
    keys += [read_index(m.value.text if isinstance(m.value, Decoded | Numeral) else None, options) for m in indexes]
    if marked:
        keys.append(Key(marked, "", "" if keys else "label"))
    spans = [(m.start, m.end) for m in [*answers, *indexes]]
    if not keys or any(k.fault for k in keys) or len({k.positions for k in keys}) != 1:
        return WRONG, []
    return keys[0], spans


def _plain(value: Value) -> object:
    """A value as `read_key` takes it; integers stay numbers, which name nothing."""
    if isinstance(value, Row):
        return [_plain(v) for v in value.values]
    if isinstance(value, Numeral):
        return value.text if "." in value.text else 0
    return value.text if isinstance(value, Decoded) else None


def _word(members: Sequence[Member], allowed: Sequence[str], words: dict[str, str]) -> str | None:
    """The word of ours that a member's value means."""
    for member in members:
        word = folded(_text(member)).removesuffix("题").removesuffix("分析") or folded(_text(member))
        plain = {folded(a): a for a in allowed} | words
        if found := plain.get(word) or plain.get(folded(_text(member))):
            return found
    return None


def _text(member: Member) -> str:
    return member.value.text if isinstance(member.value, Decoded) else ""


def _without_numbers(drafts: list[Draft]) -> list[Draft]:
    """Drafts whose stems lose their numbers, when every stem starts with its own."""
    matches = [_OWN_NUMBER.match(d.stem) for d in drafts]
    numbers = [int(next(g for g in m.groups() if g)) if m else 0 for m in matches]
    if len(drafts) < 2 or numbers != list(range(numbers[0], numbers[0] + len(drafts))) or numbers[0] < 1:
        return drafts
    return [
        d.model_copy(update={"stem": d.stem[m.end() :], "repairs": (*d.repairs, "label")}) if m else d
        for d, m in zip(drafts, matches, strict=True)
    ]
