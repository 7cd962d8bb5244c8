"""Answers: which options a word, a list or an index names. Nothing is guessed, look-alikes are not letters."""

import re
import unicodedata
from collections.abc import Sequence
from typing import NamedTuple

from psygen.records.item import LETTERS
from psygen.text import match_key

_LEAD = re.compile(
    r"(?:本题)?(?:正确|参考|标准|最佳)?(?:答案|选项)|故?应?选|the\s|correct\s|right\s|answer|option|choice|key|is\s",
    re.IGNORECASE,
)
_LEADING = " \t:：=*_是为()（）[]【】「」“”\"'`.。、,"
_TRAILING = " \t*_()（）[]【】「」“”\"'`.。、,;:"
_JOINT = r"\s*(?:[,、;/&+]|和|与|及|\band\b)?\s*"
_LETTERS = re.compile(rf"[A-Z](?:{_JOINT}[A-Z])*(?![A-Za-z0-9])", re.IGNORECASE)
_LONGEST = 200  # an answer of more characters can only be the text of an option


class Key(NamedTuple):
    """Positions that an answer names."""

    positions: tuple[int, ...]
    fault: str = ""
    """E_ANSWER, or empty."""
    repair: str = ""
    """`label` when the letter came in some dress, `answer_text` when the answer was an option's text."""


WRONG = Key((), "E_ANSWER")


def read_key(answer: object, options: Sequence[str]) -> Key:
    """The options that an answer names: a letter in any usual dress, several, or the text of exactly one option.

    answer: text or a list of texts; anything else is E_ANSWER (a bare integer may count from 0 or from 1).
    """
    words = [answer] if isinstance(answer, str) else answer if isinstance(answer, list) else []
    found: list[Key] = []
    for word in words:
        key = _read_word(word, options) if isinstance(word, str) else WRONG
        if key.fault:
            return WRONG
        found.append(key)
    positions = tuple(sorted({p for key in found for p in key.positions}))
    if not positions:
        return WRONG
    repair = next((k.repair for k in found if k.repair), "label" if isinstance(answer, list) else "")
    return Key(positions, "", repair)


def read_index(index: object, options: Sequence[str]) -> Key:
    """The option at a position counted from 0, for fields whose name says that they hold an index."""
    if isinstance(index, str) and index.isdecimal() and len(index) < 4 and int(index) < len(options):
        return Key((int(index),), "", "label")
    return WRONG


def _read_word(word: str, options: Sequence[str]) -> Key:
    same = [n for n, option in enumerate(options) if match_key(option) and match_key(option) == match_key(word)]
    letters, is_dressed = _letters(word, options)
    if letters:
        # Blood groups as options: "A" is a letter and another option's text.
        if same and same != list(letters):
            return WRONG
        return Key(letters, "", "label" if is_dressed else "")
    return Key(tuple(same), "", "answer_text") if len(same) == 1 else WRONG


def _letters(word: str, options: Sequence[str]) -> tuple[tuple[int, ...], bool]:
    """Positions of letters that make up a word, and whether anything but plain letters was there."""
    folded = unicodedata.normalize("NFKC", word).strip()
    bare = folded.lstrip(_LEADING)
    for _ in range(4):
        lead = _LEAD.match(bare)
        # "Answer" is no letter A, but "A" alone is no lead either.
        if lead is None:
            break
        bare = bare[lead.end() :].lstrip(_LEADING)
    match = _LETTERS.match(bare[:_LONGEST])
    if match is None:
        return (), False
    joints = ("AND", " ", ",", "、", ";", "/", "&", "+", "和", "与", "及")
    text = match.group().upper()
    for joint in joints:
        text = text.replace(joint, "")
    positions = tuple(sorted({LETTERS.find(c) for c in text}))
    # "bad" and "DAD" are words.
    if len(positions) < len(text) or (len(text) > 1 and match.group() != match.group().upper().replace("AND", "and")):
        return (), False
    if not all(0 <= p < len(options) for p in positions):
        return (), False
    rest = bare[match.end() :].strip(_TRAILING)
    if rest and not (len(positions) == 1 and match_key(options[positions[0]]) == match_key(rest)):
        return (), False
    return positions, word != "".join(LETTERS[p] for p in positions)
