"""One item: hard checks give it a reject code, soft checks give the reviewer a flag.

Codes and flags are words of the database and of `psygen check`; quality rules follow Haladyna, Downing & Rodriguez
(2002) and Tarrant et al. (2006), with thresholds calibrated on human examinations, where a rule that fires on one
human item in ten is a note and not a defect.
"""

import re
from collections.abc import Collection, Sequence
from typing import NamedTuple

from psygen.checks.options import are_numeric, is_collective, letters_meant, number_of, refer_to_each_other
from psygen.records.item import LETTERS, Draft, Item, Kind
from psygen.text import cjk_share, letters_only, match_key

HARD = {
    "E_EMPTY": "stem or an option is empty",
    "E_OPTION_COUNT": "not four options",
    "E_DUP_OPTION": "two options say the same",
    "E_ANSWER": "the answer names no option",
    "E_MULTI": "more than one answer in a single-choice item",
    "E_LANG": "wrong language",
    "E_SIZE": "absurdly long or short",
    "E_ECHO": "the prompt or its example came back",
    "E_DUP_ITEM": "the same stem exists already",
    "E_UNICODE": "damaged characters",
    "E_CONTROL": "control characters where a formula stood",
    "E_JSON": "not readable as a question",
    "E_JSON_DUPKEY": "a field stands twice in the question",
    "E_REPARSED": "the present reader no longer finds it in its reply",
}
SOFT = {
    "explanation_conflict": "the explanation names another letter than the key",
    "option_style": "an option says all, none, or speaks of other options",
    "long_key": "the key is longer by half than every other option",
    "negative_stem": "the stem asks what is not so",
    "term_leak": "the stem gives the answer away",
    "similar": "nearly the same as an earlier item",
    "script": "traditional characters in a simplified text",
    "calculation_mismatch": "the explanation ends in another number than the key",
    "order_kept": "options were left in the order they came",
}
MAX_STEM, MAX_OPTION = 4000, 1000

_NEGATIVE = re.compile(r"不属于|不正确|不包括|不恰当|不符合|错误的是|不是(?=[（(]|$)|除.{1,12}外|\b(?:NOT|EXCEPT)\b")
_ECHO = re.compile(r"knowledge_point|held_questions|^题干$|^the stem$", re.IGNORECASE)
_RESULT = re.compile(r"(?:[=≈＝为得是即约差小大加减共：:]|\\approx|\\doteq)\s*\$?\s*([-−]?\d+(?:\.\d+)?)")
# Frequent characters that differ between the scripts and are never right in simplified text.
_TRADITIONAL = frozenset(
    "們個來為會學習經過這還實驗證說論設計語調誤識覺憶體關係變應對點現場發資質題選擇給與並從於產業務動勞協單雙類數據樣"
    "較進遠運達適際陰陽隨顯飛養馬駕驅騙髮鬆魚鳥麗黃齊齒龍龜醫藝藥觀親讀讓認歲歷壓廣張強當錄徵態慮憂懷懼戰戶擇換損搖"
)


def hard_fault(draft: Draft, *, lang: str, stems: Collection[str] = (), options: int = 4) -> str:
    """Code of the first hard check a draft fails; empty when it passes all.

    stems: `letters_only` of stems the unit holds already.
    """
    if draft.fault:
        return draft.fault
    texts = [draft.stem, *draft.options]
    if not draft.stem or not draft.options or not all(t.strip() for t in texts):
        return "E_EMPTY"
    if len(draft.options) != options:
        return "E_OPTION_COUNT"
    if len({match_key(o) for o in draft.options}) != options:
        return "E_DUP_OPTION"
    if not draft.key or any(not 0 <= k < options for k in draft.key):
        return "E_ANSWER"
    if len(draft.key) > 1:
        return "E_MULTI"
    if not 4 <= len(draft.stem) <= MAX_STEM or any(len(o) > MAX_OPTION for o in draft.options):
        return "E_SIZE"
    if any(_ECHO.search(t.strip()) for t in texts):
        return "E_ECHO"
    if not _is_language(draft.stem, lang):
        return "E_LANG"
    return "E_DUP_ITEM" if letters_only(draft.stem) in stems else ""


class Shown(NamedTuple):
    """What the soft checks look at: a question as it will be shown."""

    stem: str
    options: tuple[str, ...]
    key: tuple[int, ...]
    explanation: str
    kind: Kind
    lang: str


def soft_flags(item: Shown | Item, *, concept: str, synonyms: Sequence[str] = ()) -> tuple[str, ...]:
    """Flags of an item, sorted; `similar` and `order_kept` are decided elsewhere."""
    found = {
        "explanation_conflict": _conflicts(item),
        "option_style": refer_to_each_other(item.options) or any(is_collective(o) for o in item.options),
        "long_key": is_key_long(item.options, item.key),
        "negative_stem": _NEGATIVE.search(_question(item.stem)) is not None,
        "term_leak": _leaks(item, concept, synonyms),
        "script": item.lang == "zh" and _is_traditional(item),
        "calculation_mismatch": item.kind == "calculation" and _ends_elsewhere(item),
    }
    return tuple(sorted(name for name, is_so in found.items() if is_so))


def is_key_long(options: Sequence[str], key: Sequence[int]) -> bool:
    """The key is longer by half than every other option, and long enough for that to show (8 characters)."""
    if len(key) != 1:
        return False
    others = max((len(o) for n, o in enumerate(options) if n != key[0]), default=0)
    return len(options[key[0]]) >= max(8, 1.5 * others)


def _is_language(stem: str, lang: str) -> bool:
    share = cjk_share(stem)
    return share is None or (share >= 0.5 if lang == "zh" else share <= 0.3)


def _question(stem: str) -> str:
    """The last sentence of a stem, which asks; a case before it may say what it likes."""
    sentences = [s for s in re.split(r"(?<=[。！？?!])", stem) if letters_only(s)]
    return sentences[-1] if sentences else stem


def _conflicts(item: Shown | Item) -> bool:
    named = letters_meant(item.explanation)
    return bool(named) and named != {LETTERS[k] for k in item.key}


def _leaks(item: Shown | Item, concept: str, synonyms: Sequence[str]) -> bool:
    """The key is the concept's name, and the stem says that name."""
    if len(item.key) != 1:
        return False
    names = {letters_only(n) for n in (concept, *synonyms)} - {""}
    answer = letters_only(item.options[item.key[0]])
    stem = letters_only(item.stem)
    return answer in names and any(name in stem for name in names if len(name) > 1)


def _is_traditional(item: Shown | Item) -> bool:
    return len(traditional_characters(item.stem + "".join(item.options) + item.explanation)) >= 2


def traditional_characters(text: str) -> str:
    """The traditional characters in a text, as many as there are; empty for simplified text."""
    return "".join(c for c in text if c in _TRADITIONAL)


def _ends_elsewhere(item: Shown | Item) -> bool:
    """The key is a number, and the solution computes results, but never that one."""
    if len(item.key) != 1 or not are_numeric(item.options):
        return False
    wanted = number_of(item.options[item.key[0]])
    results = [float(n.replace("−", "-")) for n in _RESULT.findall(item.explanation)]
    if wanted is None or not results:
        return False
    return not any(abs(n - wanted[0]) <= 0.005 * max(1.0, abs(wanted[0])) for n in results)
