"""Options in every shape that JSON gives them."""

import re
from collections.abc import Sequence
from typing import NamedTuple

from psygen.replies.labels import split_options
from psygen.replies.latex import Decoded
from psygen.replies.names import folded, option_letter
from psygen.replies.page import Span, shadow_of
from psygen.replies.scan import Block, Member, Numeral, Row, Value

_LABEL = re.compile(
    r"[ \t]*+(?:\*\*)?(?:[(\[【][ ]?([A-Ha-h])[ ]?[)\]】][.、:]?|([A-Ha-h])(?:\*\*)?[ ]?(?:[.、:]|\)))"
    r"(?:\*\*)?[ \t]*+(?=\S)"
)
_RIGHT = {"iscorrect", "correct", "isanswer", "isright", "是否正确", "正确", "is_correct", "right"}


class Choices(NamedTuple):
    """Options as read, in the order of their labels where they have some."""

    texts: tuple[Decoded, ...] = ()
    repairs: tuple[str, ...] = ()
    marked: tuple[int, ...] = ()
    """Positions of options that call themselves right."""
    used: tuple[Span, ...] = ()
    """What of the reply went into them; empty for all of it."""
    twin: str = ""


def read_choices(value: Value) -> Choices:
    """The options that a value is; none when it has no such shape."""
    if isinstance(value, Decoded):
        return _from_text(value)
    if isinstance(value, Block):
        return from_letters(value.members)._replace(twin=value.twin)
    if not isinstance(value, Row):
        return Choices()
    plain = tuple(as_text(v) for v in value.values)
    texts = tuple(t for t in plain if t is not None)
    if len(texts) == len(plain):
        return _unlabelled(texts)
    blocks = [v for v in value.values if isinstance(v, Block)]
    return _from_blocks(blocks) if len(blocks) == len(plain) else Choices()


def from_letters(members: Sequence[Member]) -> Choices:
    """Options under the names A, B, C …, whatever stands around them; each letter once, none left out."""
    lettered = {option_letter(m.name): m for m in members if option_letter(m.name)}
    if "".join(sorted(lettered)) != "ABCDEFGH"[: len(lettered)] or len(lettered) < 2:
        return Choices()
    chosen = [lettered[letter] for letter in sorted(lettered)]
    texts = [as_text(m.value) for m in chosen]
    if any(t is None for t in texts):
        return Choices()
    return Choices(tuple(t for t in texts if t is not None), (), (), tuple((m.start, m.end) for m in chosen))


def split_stem(stem: Decoded) -> tuple[Decoded, Choices] | None:
    """A stem that carries its own options, parted from them."""
    parts = split_options(stem.text)
    if parts is None or not parts[0]:
        return None
    texts = tuple(stem._replace(text=t) for t in parts[1])
    return stem._replace(text=parts[0]), Choices(texts, ("split",))


def as_text(value: Value) -> Decoded | None:
    """A string, or a number as it was written; None for anything else."""
    return value if isinstance(value, Decoded) else Decoded(value.text) if isinstance(value, Numeral) else None


def _from_text(value: Decoded) -> Choices:
    parts = split_options(value.text)
    if parts is None or parts[0]:
        return Choices()
    return Choices(tuple(value._replace(text=t) for t in parts[1]), ("split",))


def _unlabelled(texts: Sequence[Decoded]) -> Choices:
    """Options without the letters A, B, C … when every one of them has its own."""
    matches = [_LABEL.match(shadow_of(t.text)) for t in texts]
    letters = "".join((m[1] or m[2]) if m else "-" for m in matches)
    if len(texts) < 2 or letters.upper() != "ABCDEFGH"[: len(texts)]:
        return Choices(tuple(texts))
    bare = (t._replace(text=t.text[m.end() :]) for t, m in zip(texts, matches, strict=True) if m)
    return Choices(tuple(bare), ("label",))


def _from_blocks(blocks: Sequence[Block]) -> Choices:
    """Options as objects: {"label": "A", "text": …}, {"A": …}, {"text": …, "is_correct": true}."""
    texts: list[Decoded] = []
    letters = ""
    marked: list[int] = []
    used: list[Span] = []
    for place, block in enumerate(blocks):
        found = _one_of(block)
        if found is None:
            return Choices()
        letter, member, is_right = found
        texts.append(as_text(member.value) or Decoded(""))
        letters += letter or "ABCDEFGH"[place : place + 1]
        marked += [place] if is_right else []
        used += [(m.start, m.end) for m in block.members if m is member or _is_label(m) or folded(m.name) in _RIGHT]
    if letters != "ABCDEFGH"[: len(blocks)]:
        return Choices()
    plain = _unlabelled(texts)
    twin = next((b.twin for b in blocks if b.twin), "")
    return plain._replace(marked=tuple(marked), used=tuple(used), twin=twin)


def _one_of(block: Block) -> tuple[str, Member, bool] | None:
    """Letter, text and rightness of one option object; None when it is not clear which member is the text."""
    if len(block.members) == 1 and option_letter(block.members[0].name) and as_text(block.members[0].value):
        return option_letter(block.members[0].name), block.members[0], False
    labels = [m for m in block.members if _is_label(m)]
    is_right = any(folded(m.name) in _RIGHT and m.value is True for m in block.members)
    texts = [m for m in block.members if isinstance(m.value, Decoded | Numeral) and m not in labels]
    named = [
        m for m in texts if folded(m.name) in ("text", "content", "value", "option", "选项", "内容", "选项内容", "文本")
    ]
    if len(named or texts) != 1 or len(labels) > 1:
        return None
    value = labels[0].value if labels else None
    return (option_letter(value.text) if isinstance(value, Decoded) else ""), (named or texts)[0], is_right


def _is_label(member: Member) -> bool:
    names = ("label", "key", "letter", "id", "option", "标签", "选项", "字母", "序号", "编号", "标号")
    return isinstance(member.value, Decoded) and folded(member.name) in names and bool(option_letter(member.value.text))
