"""Text as keys, as terminal output and as sheet cells. Stored text itself is never changed here."""

import re
import unicodedata
from functools import lru_cache

_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u200b-\u200f\u202a-\u202e\u2060-\u2064\u2066-\u206f\ufeff]")
_CJK = re.compile(r"[\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff]")
_LATIN = re.compile(r"[A-Za-z]+")
_MATH = re.compile(r"\$\$.*?\$\$|\$[^$\n]*\$|\\\(.*?\\\)|\\\[.*?\\\]", re.DOTALL)
_SURROGATE = re.compile("[\ud800-\udfff]")
_NOT_WORD = re.compile(r"[\W_]+")


@lru_cache(maxsize=2048)
def match_key(text: str) -> str:
    """What two texts share when a reader would call them the same: NFKC, no case, no blanks, no full stop."""
    folded = unicodedata.normalize("NFKC", text).casefold()
    return re.sub(r"\s+", "", folded).rstrip(".。;,")


@lru_cache(maxsize=2048)
def letters_only(text: str) -> str:
    """NFKC, no case, letters and digits only: what remains of a text when layout is gone."""
    return _NOT_WORD.sub("", unicodedata.normalize("NFKC", text).casefold())


def cjk_share(text: str) -> float | None:
    """Share of Chinese characters among Chinese characters and Latin words outside formulas.

    None when the text has neither (a number, a formula).
    """
    prose = _MATH.sub("", text)
    chinese, latin = len(_CJK.findall(prose)), len(_LATIN.findall(prose))
    return chinese / (chinese + latin) if chinese + latin else None


def without_controls(text: str) -> str:
    """`text` without control, zero-width and bidirectional-override characters; newline and tab stay."""
    return _CONTROL.sub("", text)


def has_surrogate(text: str) -> bool:
    """A lone surrogate, which no UTF-8 file and no SQLite column can hold."""
    return _SURROGATE.search(text) is not None


def for_terminal(text: str) -> str:
    """`text` that cannot drive a terminal: control characters become visible, newline and tab stay."""
    return _CONTROL.sub(lambda m: f"<U+{ord(m.group()):04X}>", text.replace("\r\n", "\n"))


def for_csv(text: str) -> str:
    """`text` that no spreadsheet takes for a formula: a trigger at the start gets an apostrophe before it.

    Source: OWASP, CSV injection. Only for sheets people open; benchmark files hold the text itself.
    """
    return "'" + text if text[:1] in ("=", "+", "-", "@", "\t", "\r", "＝", "＋", "－", "＠") else text


def from_csv(text: str) -> str:
    """What `for_csv` was given."""
    return text[1:] if text[:1] == "'" and for_csv(text[1:]) == text else text


def width(text: str) -> int:
    """Columns `text` takes on a terminal: Chinese and full-width characters take two."""
    return sum(0 if unicodedata.combining(c) else 2 if unicodedata.east_asian_width(c) in "WF" else 1 for c in text)


def shorten(text: str, columns: int) -> str:
    """The first line of `text`, cut to at most `columns` terminal columns, with … where it was cut."""
    line = " ".join(text.split())
    if width(line) <= columns:
        return line
    kept, used = [], 0
    for c in line:
        used += width(c)
        if used > columns - 1:
            break
        kept.append(c)
    return "".join(kept) + "…"
