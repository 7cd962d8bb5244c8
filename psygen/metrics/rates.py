"""Shares that travel with their counts."""

from math import sqrt
from statistics import NormalDist
from typing import NamedTuple


class Interval(NamedTuple):
    """Two limits, lower first."""

    low: float
    high: float


class Rate(NamedTuple):
    """`part` out of `of`; both at least 0, `part` at most `of`."""

    part: int
    of: int

    @property
    def value(self) -> float | None:
        """The fraction in [0, 1]; None when there is nothing to count."""
        return self.part / self.of if self.of else None

    def interval(self, level: float = 0.95) -> Interval | None:
        """Wilson's score interval, without continuity correction; None when there is nothing to count.

        Source: Wilson, E. B. (1927), Journal of the American Statistical Association 22, 209-212.
        """
        if not self.of:
            return None
        z2 = NormalDist().inv_cdf((1 + level) / 2) ** 2
        share = self.part / self.of
        middle = share + z2 / (2 * self.of)
        half = sqrt(z2 * (share * (1 - share) + z2 / (4 * self.of)) / self.of)
        scale = 1 + z2 / self.of
        # Rounding would leave the limits of nothing and of all a hair inside or outside [0, 1].
        low = (middle - half) / scale if self.part else 0.0
        high = (middle + half) / scale if self.part < self.of else 1.0
        return Interval(low, high)
