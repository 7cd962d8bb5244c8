"""Guards that keep a drawn calculation problem clean: no doubtful rounding, no near decision.

The rule of the room: a draw that an honest examinee could answer differently is drawn again.
"""

import functools
import random
from collections.abc import Callable, Sequence
from typing import NamedTuple

from psygen.engines.offline.problem import Choice, Family, Mistake, Problem, Redraw, number, text_choice

TRIES = 200
"""How often a patient family draws before it gives up; each try costs microseconds."""


class Ruling(NamedTuple):
    """A critical value and what is concluded above and below it."""

    critical: float
    above: str
    below: str


def settled(value: float, decimals: int, *routes: float) -> float:
    """`value` itself when its printed form is beyond doubt.

    routes: the same quantity as got by hand, with rounded intermediate results.
    Raises Redraw near a rounding edge (6 % of the last digit) or when a route prints differently.
    """
    edge = abs(value) * 10**decimals % 1
    if abs(edge - 0.5) < 0.06 or any(number(r, decimals) != number(value, decimals) for r in routes):
        raise Redraw
    return value


def hand(value: float, decimals: int = 2) -> float:
    """`value` rounded as on paper."""
    return float(number(value, decimals))


def exceeds(statistic: float, critical: float) -> bool:
    """Whether |statistic| is above the critical value; Redraw when within 3 % of it."""
    ratio = abs(statistic) / critical
    if abs(ratio - 1) < 0.03:
        raise Redraw
    return ratio > 1


def decision_choice(
    rng: random.Random,
    show: Callable[[float], str],
    ruling: Ruling,
    key: float,
    mistakes: Sequence[Mistake],
    rank: int,
) -> Choice:
    """Four statistics, each with the verdict that really follows from it, so that none gives itself away.

    Two options share the key's verdict with it where the mistakes allow, else three; never the key alone.
    Mistakes near the critical value, within 3 % of another option, or absurdly large are passed over.
    """
    right = exceeds(key, ruling.critical)
    same: list[Mistake] = []
    other: list[Mistake] = []
    for mistake in mistakes:
        taken = [ruling.critical, key, *(m.value for m in same + other)]
        is_absurd = abs(mistake.value) > 5 * max(ruling.critical, abs(key))
        if is_absurd or any(abs(mistake.value - v) < 0.03 * abs(v) + 0.01 for v in taken):
            continue
        (same if (abs(mistake.value) > ruling.critical) == right else other).append(mistake)
    others = min(2, len(other))
    if others < 1 or len(same) < 3 - others:
        raise Redraw
    chosen = other[:others] + same[: 3 - others]
    rng.shuffle(chosen)

    def text(value: float) -> str:
        return f"{show(value)}，{ruling.above if abs(value) > ruling.critical else ruling.below}"

    return text_choice(text(key), [(text(m.value), m.why) for m in chosen], rank)


def patient(family: Family) -> Family:
    """The family, drawing up to TRIES times from the same rng before it raises Redraw."""

    @functools.wraps(family)
    def drawn(rng: random.Random, rank: int) -> Problem:
        for _ in range(TRIES - 1):
            try:
                return family(rng, rank)
            except Redraw:
                continue
        return family(rng, rank)

    return drawn
