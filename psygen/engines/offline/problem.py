"""A calculation problem and its options: the key is computed, each distractor is a named mistake.

Numeric options always stand in ascending order, as examinations print them. Where the key stands is
therefore decided here, by choosing which mistakes become distractors: `rank` of them must lie below.
"""

import math
import random
from collections.abc import Callable, Sequence
from typing import Literal, NamedTuple

Asks = Literal["find", "missing", "decide", "compare"]


class Redraw(Exception):
    """The numbers drawn give no four clearly different options; draw again."""


class Mistake(NamedTuple):
    """A wrong result somebody would really get, and how."""

    value: float
    why: str
    """Chinese, without a full stop: what was done wrong, e.g. 误用n-1作分母."""


class Choice(NamedTuple):
    """Four options as shown, where the key stands, and why the other three are wrong."""

    options: tuple[str, str, str, str]
    key: int
    is_ordered: bool
    """Numeric options in ascending order, which no later shuffle may touch."""
    notes: str
    """Chinese sentence(s) for the explanation: how each distractor comes about."""


class Problem(NamedTuple):
    """One calculation question, complete."""

    asks: Asks
    stem: str
    choice: Choice
    steps: str
    """The worked solution in Chinese; the last number in it is the answer."""
    level: Literal["apply", "analyse"] = "apply"


Family = Callable[[random.Random, int], Problem]
"""(rng, rank) -> Problem: `rank` (0-3) is the position the key shall have. Raises Redraw."""


def numeric_choice(key: float, mistakes: Sequence[Mistake], rank: int, *, decimals: int = 2, unit: str = "") -> Choice:
    """Four numbers in ascending order with the key at position `rank`.

    mistakes: in order of plausibility; more than three, on both sides of the key, make every rank possible.
    Results of another order of magnitude than the key come last, lest the key be the only one that looks likely.
    Raises Redraw when there are not enough mistakes below or above that differ clearly
    (by at least 2 % of the key and by two units of the last digit) from the key and one another.
    """
    gap = max(abs(key) * 0.02, 2.0 * 10.0**-decimals)
    below: list[Mistake] = []
    above: list[Mistake] = []
    for mistake in sorted(mistakes, key=lambda m: is_far(m.value, key)):
        taken = [key, *(m.value for m in below), *(m.value for m in above)]
        if not math.isfinite(mistake.value) or any(abs(mistake.value - v) < gap for v in taken):
            continue
        (below if mistake.value < key else above).append(mistake)
    if len(below) < rank or len(above) < 3 - rank:
        raise Redraw
    chosen = below[:rank] + above[: 3 - rank]
    values = sorted([key, *(m.value for m in chosen)])
    shown = [number(v, decimals) + unit for v in values]
    notes = "；".join(f"{number(m.value, decimals)}{unit}是{m.why}的结果" for m in chosen) + "。"
    return Choice((shown[0], shown[1], shown[2], shown[3]), rank, True, notes)


def is_far(value: float, key: float) -> bool:
    """Whether `value` is of another order of magnitude than the key: ten times as large or as small, or nought."""
    small, large = sorted((abs(value), abs(key)))
    return large > 10 * small


def text_choice(key: str, distractors: Sequence[tuple[str, str]], rank: int) -> Choice:
    """Three (text, why it is wrong) distractors and the key at position `rank`, in the given order."""
    if len({key, *(text for text, _ in distractors)}) != 4:
        raise Redraw
    texts = [text for text, _ in distractors]
    texts.insert(rank, key)
    notes = "；".join(f"“{text}”错在{why}" for text, why in distractors) + "。"
    return Choice((texts[0], texts[1], texts[2], texts[3]), rank, False, notes)


def number(value: float, decimals: int) -> str:
    """`value` with `decimals` digits, halves rounded away from zero as on paper, and no negative zero."""
    scaled = math.floor(abs(value) * 10**decimals + 0.5 + 1e-9) / 10**decimals
    sign = "-" if value < 0 and scaled else ""
    return f"{sign}{scaled:.{decimals}f}"
