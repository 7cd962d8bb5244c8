"""Frequency tables of whole-number scores, as several topics draw and read them.

Conventions of Chinese psychology statistics textbooks: a group `60～64` has the exact limits 59.5 and 64.5,
frequencies are cumulated from the lowest group upwards, and a percentile is interpolated inside its group.
"""

import random
from collections.abc import Sequence
from typing import NamedTuple

from psygen.engines.offline.problem import Mistake, Redraw


class Grouped(NamedTuple):
    """A frequency table of whole-number scores, lowest group first."""

    lower: int
    """Stated lower limit of the lowest group."""
    width: int
    counts: tuple[int, ...]

    @property
    def total(self) -> int:
        """Number of all scores."""
        return sum(self.counts)

    def name(self, k: int) -> str:
        """Group `k` by its stated limits, such as 60～64."""
        start = self.lower + k * self.width
        return f"{start}～{start + self.width - 1}"

    def bound(self, k: int) -> float:
        """Exact lower limit of group `k`, which is the exact upper limit of the group before."""
        return self.lower + k * self.width - 0.5

    def middle(self, k: int) -> float:
        """Midpoint of group `k`."""
        return self.lower + k * self.width + (self.width - 1) / 2

    def below(self, k: int) -> int:
        """How many scores lie below group `k`."""
        return sum(self.counts[:k])

    def rows(self) -> str:
        """The table as one line of Chinese text, lowest group first."""
        return "，".join(f"{self.name(k)}组{count}人" for k, count in enumerate(self.counts))

    def group_at(self, position: float) -> int:
        """The group in which the score with `position` scores below it lies."""
        return next(k for k in range(len(self.counts)) if self.below(k + 1) >= position)

    def at(self, position: float) -> float:
        """The interpolated score with `position` scores below it."""
        k = self.group_at(position)
        return self.bound(k) + (position - self.below(k)) / self.counts[k] * self.width


SHAPES = {
    6: ((2, 5, 9, 12, 8, 4), (3, 8, 12, 9, 5, 3), (3, 6, 9, 13, 6, 3)),
    7: ((2, 4, 8, 12, 9, 6, 3), (3, 5, 8, 9, 12, 6, 3), (3, 7, 11, 9, 7, 5, 3)),
}
"""One-peaked proportions of the groups, by number of groups."""


def draw_grouped(
    rng: random.Random,
    lowers: Sequence[int],
    widths: Sequence[int],
    total: int,
    sizes: Sequence[int] = (6, 7),
) -> Grouped:
    """A table with `total` scores, no group empty and one group the fullest."""
    shape = rng.choice(SHAPES[rng.choice(sizes)])
    counts = [max(2, round(s * total / sum(shape)) + rng.choice((-1, 0, 1))) for s in shape]
    peak = counts.index(max(counts))
    counts[peak] += total - sum(counts)
    if counts[peak] <= max(c for k, c in enumerate(counts) if k != peak):
        raise Redraw
    return Grouped(rng.choice(lowers), rng.choice(widths), tuple(counts))


def inside(table: Grouped, mistakes: Sequence[Mistake]) -> list[Mistake]:
    """The mistakes whose result still is a possible score of the table; others would be given away."""
    return [m for m in mistakes if table.bound(0) <= m.value <= table.bound(len(table.counts))]
