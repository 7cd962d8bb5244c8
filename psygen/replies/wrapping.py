"""What models put around an answer: reasoning, special tokens, code fences, refusals."""

import re
from typing import NamedTuple

_NAMES = r"(?:think|thinking|thought|reasoning|reflection|scratchpad)"
_OPEN = re.compile(
    rf"<{_NAMES}>|<\|begin_of_thought\|>|<\|(?:start\|>assistant<\|)?channel\|>(?:analysis|commentary)", re.IGNORECASE
)
_CLOSE = re.compile(
    rf"</{_NAMES}>|<\|end_of_thought\|>|(?:<\|end\|>(?:<\|start\|>assistant)?)?<\|channel\|>final<\|message\|>",
    re.IGNORECASE,
)
_TOKEN = re.compile(r"<[|｜][\w▁ /-]{1,40}[|｜]>(?:assistant\b)?")
_REFUSAL = re.compile(
    r"(?:(?:非常|很|十分)?抱歉|对不起|不好意思|很遗憾)[，,。！!、\s]{0,3}.{0,30}?(?:不能|无法|不便|不可以|没有办法|拒绝)"
    r"|(?:作为|身为).{0,20}(?:AI|人工智能|语言模型|助手).{0,20}(?:不能|无法|不便)"
    r"|我(?:不能|无法|不便)(?:提供|回答|满足|协助|帮助|完成|为[您你])|该?(?:内容|请求|问题).{0,12}(?:违反|不合规|敏感)"
    r"|(?:(?:I['’]?m|I am) )?(?:very |so )?sorry,? but"
    r"|(?:(?:I['’]?m|I am) (?:very |so )?)?sorry[,.]? .{0,30}?(?:can['’]?t|cannot|unable|won['’]?t)"
    r"|I (?:can['’]?t|cannot|can not|won['’]?t|will not|am unable to|am not able to)|I['’]m (?:unable|not able) to"
    r"|(?:As|I am|I['’]m) an AI .{0,60}?(?:can['’]?t|cannot|unable|not able)",
    re.IGNORECASE | re.DOTALL,
)
_FENCE_LINE = re.compile(r"(?:^|\n)[ \t]*(?:```|~~~)[\w+-]*[ \t]*(?=\n|$)")


class Opened(NamedTuple):
    """A reply without what stood around its answer."""

    text: str
    removed: tuple[str, ...] = ()
    is_unanswered: bool = False
    """The reasoning never ended."""


def unwrap(text: str) -> Opened:
    """`text` without reasoning blocks and special tokens. JSON that begins at once is left as it is."""
    if text.lstrip("\ufeff \t\r\n")[:1] in ("{", "["):
        return Opened(text)
    removed: list[str] = []
    at = 0
    kept: list[str] = []
    # A template may have opened the reasoning in the prompt; then only its end is seen.
    first_close, first_open = _CLOSE.search(text), _OPEN.search(text)
    if first_close and (first_open is None or first_close.start() < first_open.start()):
        removed.append(text[: first_close.end()].strip())
        at = first_close.end()
    while match := _OPEN.search(text, at):
        if text[: match.start()].rpartition("\n")[2].strip() and kept:
            break
        close = _CLOSE.search(text, match.end())
        kept.append(text[at : match.start()])
        if close is None:
            removed.append(text[match.start() :].strip())
            return Opened("".join(kept).strip(), tuple(removed), True)
        removed.append(text[match.start() : close.end()].strip())
        at = close.end()
    plain = "".join(kept) + text[at:]
    removed += _TOKEN.findall(plain)
    return Opened(_TOKEN.sub("", plain) if removed else plain, tuple(removed))


def is_refusal(text: str) -> bool:
    """The model says that it won't."""
    return _REFUSAL.match(text.lstrip(" \t\n\"'“*")[:300]) is not None


def fence_spans(text: str) -> list[tuple[int, int]]:
    """Spans of the lines that open or close a code block."""
    return [m.span() for m in _FENCE_LINE.finditer(text)]
