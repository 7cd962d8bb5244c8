"""How far several raters agree: percent, Krippendorff's alpha, Fleiss' kappa, Gwet's AC1, Cohen's kappa.

Ratings are an array of integers (items, raters): categories from 0, -1 where a rater did not rate. Raters are
exchangeable but for Cohen's kappa, so every measure needs only how often each category was given to each item;
items with equal counts are taken together, which makes a thousand resamples cheap.

A measure corrected for chance is undefined when all ratings of the items with two or more are of one category: then
nothing shows that the raters tell the categories apart, and a 1 would say they do. For AC1 this is our rule, its
formula gives 1 there; for the others the formula is 0 / 0.
"""

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from psygen.ids import rng
from psygen.metrics.rates import Interval

Ratings = NDArray[np.integer[Any]]
"""(items, raters): category from 0, or MISSING."""
Floats = NDArray[np.float64]
MISSING = -1
NOTHING_SHARED = "undefined: no item has two verdicts"
ALL_EQUAL = "undefined: all verdicts equal"


class Figure(NamedTuple):
    """A measure of agreement, or why there is none."""

    value: float | None
    items: int
    """Items with two ratings or more: those on which agreement can show."""
    undefined: str = ""
    """Why `value` is None, for a report."""
    interval: Interval | None = None
    """Where asked for; None also when it cannot be told."""


class Agreement(NamedTuple):
    """The measures of one set of ratings, with intervals over the same resamples of its items."""

    percent: Figure
    alpha: Figure
    fleiss: Figure
    ac1: Figure


class _Sums(NamedTuple):
    """What the measures are made of, for one set of items or for many resamples (leading axis) of it."""

    rated: Floats  # (…) items with a rating or more
    paired: Floats  # (…) items with two ratings or more
    agreeing: Floats  # (…) sum over paired items of the share of their pairs of ratings that agree
    shares: Floats  # (…, categories) sum over rated items of the share of their ratings
    values: Floats  # (…, categories) ratings of paired items
    matches: Floats  # (…) sum over paired items of agreeing ordered pairs, divided by their ratings less one

    @property
    def is_varied(self) -> NDArray[np.bool_]:
        """Whether the ratings of paired items are of two categories or more."""
        varied: NDArray[np.bool_] = self.values.max(axis=-1) < self.values.sum(axis=-1)
        return varied


Measure = Callable[[_Sums], Floats]


def percent_agreement(ratings: Ratings, categories: int) -> Figure:
    """Mean over items with two ratings or more of the share of their pairs of ratings that agree.

    Raises ValueError for fewer than two categories, or a rating outside them.
    Source: Fleiss, J. L. (1971), Psychological Bulletin 76, 378-382: the observed agreement.
    """
    return _figure(_percent, ratings, categories)


def krippendorff_alpha(ratings: Ratings, categories: int) -> Figure:
    """Krippendorff's alpha for nominal data; items with a single rating don't count.

    Raises ValueError for fewer than two categories, or a rating outside them.
    Source: Krippendorff, K. (2019), Content Analysis, 4th edition, chapter 12: 1 - observed / expected disagreement,
    from coincidences, in which an item of m ratings gives each of its pairs the weight 1 / (m - 1).
    """
    return _figure(_alpha, ratings, categories)


def fleiss_kappa(ratings: Ratings, categories: int) -> Figure:
    """Fleiss' kappa; the numbers of ratings may differ from item to item.

    Raises ValueError for fewer than two categories, or a rating outside them.
    Source: Fleiss, J. L. (1971), Psychological Bulletin 76, 378-382; for missing ratings as in Gwet, K. L. (2014),
    Handbook of Inter-Rater Reliability, 4th edition, chapter 2: observed agreement is the mean over items with two
    ratings or more, a category's probability the mean over all rated items of its share of the item's ratings.
    """
    return _figure(_fleiss, ratings, categories)


def gwet_ac1(ratings: Ratings, categories: int) -> Figure:
    """Gwet's AC1, which stays near the percentage where one category is much the most frequent.

    categories: those the raters could choose from, used or not: the formula depends on their number.
    Raises ValueError for fewer than two categories, or a rating outside them.
    Source: Gwet, K. L. (2008), British Journal of Mathematical and Statistical Psychology 61, 29-48; for missing
    ratings as for Fleiss' kappa.
    """
    return _figure(_ac1, ratings, categories)


def cohen_kappa(one: Ratings, other: Ratings, categories: int) -> Figure:
    """Cohen's kappa of two raters on the items both rated; each has shares of their own.

    one, other: (items,), of the same items in the same order.
    Raises ValueError for a rating outside the categories.
    Source: Cohen, J. (1960), Educational and Psychological Measurement 20, 37-46.
    """
    both = (one != MISSING) & (other != MISSING)
    items = int(both.sum())
    if not items:
        return Figure(None, 0, NOTHING_SHARED)
    table = _crossed(one[both], other[both], categories) / items
    expected = float(table.sum(axis=1) @ table.sum(axis=0))
    if np.count_nonzero(table) == 1 and table.trace() > 0:
        return Figure(None, items, ALL_EQUAL)
    return Figure(float((table.trace() - expected) / (1 - expected)), items)


def agreement(
    ratings: Ratings, categories: int, *, seed: int, purpose: str, resamples: int = 1000, level: float = 0.95
) -> Agreement:
    """All measures of three or however many raters, with bootstrap intervals over items.

    The interval runs between percentiles of the measure in `resamples` samples of the rated items, drawn with
    replacement. It is None when the measure is undefined, or is so in more than 1 - `level` of the samples.
    seed, purpose: same seed, purpose and ratings, same interval.
    Raises ValueError for fewer than two categories, or a rating outside them.
    Source: Zapf, A. et al. (2016), BMC Medical Research Methodology 16, 93.
    """
    patterns, times = _patterns(ratings, categories)
    rated = int(times.sum())
    whole = _sums(patterns, times.astype(np.float64))
    drawn = None
    if rated:
        # The legacy generator: numpy promises that its draws stay the same in every version.
        source = np.random.RandomState(rng(seed, purpose).getrandbits(32))
        drawn = _sums(patterns, source.multinomial(rated, times / rated, size=resamples).astype(np.float64))
    found = []
    for measure in (_percent, _alpha, _fleiss, _ac1):
        figure = _of(measure, whole)
        if figure.value is not None and drawn is not None:
            figure = figure._replace(interval=_middle(measure(drawn), level))
        found.append(figure)
    return Agreement(*found)


def _figure(measure: Measure, ratings: Ratings, categories: int) -> Figure:
    patterns, times = _patterns(ratings, categories)
    return _of(measure, _sums(patterns, times.astype(np.float64)))


def _of(measure: Measure, sums: _Sums) -> Figure:
    """A measure of one set of items, its NaN turned into a reason."""
    items = int(sums.paired)
    value = float(measure(sums))
    if np.isnan(value):
        return Figure(None, items, ALL_EQUAL if items else NOTHING_SHARED)
    return Figure(value, items)


def _patterns(ratings: Ratings, categories: int) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """How often each category was given to an item (patterns, categories), and how many items are so (patterns,).

    Sorted, so that neither the order of items nor that of raters matters; items nobody rated are left out.
    """
    if categories < 2:
        raise ValueError(f"agreement needs two categories or more, not {categories}")
    if ratings.size and not MISSING <= ratings.min() <= ratings.max() < categories:
        raise ValueError(f"a rating lies outside {MISSING} and 0 to {categories - 1}")
    counts = (ratings[:, :, np.newaxis] == np.arange(categories)).sum(axis=1, dtype=np.int64)
    patterns, times = np.unique(counts[counts.any(axis=1)], axis=0, return_counts=True)
    return patterns, times


def _sums(patterns: NDArray[np.int64], weights: Floats) -> _Sums:
    """Sums over items; weights: (…, patterns) how many items are of each pattern."""
    size = patterns.sum(axis=1)
    is_paired = size >= 2
    same = (patterns * (patterns - 1)).sum(axis=1)  # ordered pairs of ratings that agree
    others = np.maximum(size - 1, 1)
    return _Sums(
        rated=weights.sum(axis=-1),
        paired=weights @ is_paired,
        agreeing=weights @ (same / (size * others)),
        shares=weights @ (patterns / size[:, np.newaxis]),
        values=weights @ (patterns * is_paired[:, np.newaxis]),
        matches=weights @ (same / others),
    )


def _crossed(one: Ratings, other: Ratings, categories: int) -> NDArray[np.int64]:
    """Items by the category of one rater (rows) and of another (columns)."""
    for ratings in (one, other):
        if not 0 <= ratings.min() <= ratings.max() < categories:
            raise ValueError(f"a rating lies outside {MISSING} and 0 to {categories - 1}")
    cells = one.astype(np.int64) * categories + other
    return np.bincount(cells, minlength=categories**2).reshape(categories, categories)


def _percent(sums: _Sums) -> Floats:
    return _ratio(sums.agreeing, sums.paired, sums.paired > 0)


def _alpha(sums: _Sums) -> Floats:
    total = sums.values.sum(axis=-1)
    observed = total - sums.matches
    # times (total - 1) on both sides: expected disagreement without a division
    expected = total * (total - 1) - (sums.values * (sums.values - 1)).sum(axis=-1)
    return 1 - _ratio(observed * (total - 1), expected, sums.is_varied)


def _fleiss(sums: _Sums) -> Floats:
    return _beyond_chance(sums, (_probabilities(sums) ** 2).sum(axis=-1))


def _ac1(sums: _Sums) -> Floats:
    chance = _probabilities(sums)
    return _beyond_chance(sums, (chance * (1 - chance)).sum(axis=-1) / (chance.shape[-1] - 1))


def _probabilities(sums: _Sums) -> Floats:
    return sums.shares / np.maximum(sums.rated, 1)[..., np.newaxis]


def _beyond_chance(sums: _Sums, chance: Floats) -> Floats:
    return _ratio(_percent(sums) - chance, 1 - chance, sums.is_varied)


def _ratio(above: Floats, below: Floats, is_defined: NDArray[np.bool_]) -> Floats:
    """above / below, NaN where not defined."""
    ratio: Floats = np.divide(above, below, out=np.full(np.shape(above), np.nan), where=is_defined)
    return ratio


def _middle(values: Floats, level: float) -> Interval | None:
    """The middle `level` of the values; None when more than the rest of them are NaN."""
    defined = values[~np.isnan(values)]
    if len(defined) < level * len(values):
        return None
    low, high = np.quantile(defined, [(1 - level) / 2, (1 + level) / 2])
    return Interval(float(low), float(high))
