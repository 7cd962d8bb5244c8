import math
import warnings
from collections.abc import Callable
from fractions import Fraction
from itertools import combinations
from random import Random

import krippendorff
import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays
from sklearn.metrics import cohen_kappa_score
from statsmodels.stats.inter_rater import fleiss_kappa as oracle_fleiss

from psygen.metrics.agreement import (
    ALL_EQUAL,
    MISSING,
    NOTHING_SHARED,
    Figure,
    Ratings,
    agreement,
    cohen_kappa,
    fleiss_kappa,
    gwet_ac1,
    krippendorff_alpha,
    percent_agreement,
)

MEASURES = (percent_agreement, krippendorff_alpha, fleiss_kappa, gwet_ac1)
CORRECTED = MEASURES[1:]
CATEGORIES = 4

Measure = Callable[[Ratings, int], Figure]


def drawn(least: int) -> st.SearchStrategy[Ratings]:
    """Small tables of ratings, from `least`: MISSING or 0."""
    shapes = st.tuples(st.integers(1, 12), st.integers(2, 5))
    return arrays.arrays(np.int64, shapes, elements=st.integers(least, CATEGORIES - 1))


def reviewed(seed: int, items: int = 500, missing: float = 0.2) -> Ratings:
    """Three reviewers who mostly see the same: five in six items are good, some verdicts are missing."""
    source = np.random.default_rng(seed)
    truth = source.choice(3, items, p=[0.83, 0.1, 0.07])
    seen = [np.where(source.random(items) < 0.9, truth, source.integers(0, 3, items)) for _ in range(3)]
    ratings = np.stack(seen, axis=1)
    ratings[source.random(ratings.shape) < missing] = MISSING
    return ratings


def counted(ratings: Ratings, categories: int) -> Ratings:
    return np.stack([(ratings == c).sum(axis=1) for c in range(categories)], axis=1)


def oracle_alpha(ratings: Ratings) -> float:
    """krippendorff.alpha, with NaN where it raises or divides nothing by nothing."""
    with_gaps = np.where(ratings == MISSING, np.nan, ratings).T
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", RuntimeWarning)
            return float(krippendorff.alpha(with_gaps, level_of_measurement="nominal"))
    except ValueError:
        return math.nan


def by_definition(ratings: Ratings, categories: int) -> tuple[float, float]:
    """Fleiss' kappa and AC1 as Gwet (2014) writes them for missing ratings, item by item in fractions."""
    agreed, shares = [], []
    for row in ratings.tolist():
        given_ = [r for r in row if r != MISSING]
        if given_:
            shares.append([Fraction(given_.count(c), len(given_)) for c in range(categories)])
        pairs = list(combinations(given_, 2))
        if pairs:
            agreed.append(Fraction(sum(a == b for a, b in pairs), len(pairs)))
    observed = sum(agreed, Fraction(0)) / len(agreed)
    means = [sum(column, Fraction(0)) / len(shares) for column in zip(*shares, strict=True)]
    by_shares = sum(p * p for p in means)
    by_spread = sum(p * (1 - p) for p in means) / (categories - 1)
    return float((observed - by_shares) / (1 - by_shares)), float((observed - by_spread) / (1 - by_spread))


@given(drawn(MISSING))
def test_alpha_is_the_oracles_with_missing_ratings(ratings: Ratings) -> None:
    figure, expected = krippendorff_alpha(ratings, CATEGORIES), oracle_alpha(ratings)
    assert (figure.value is None) == math.isnan(expected)
    if figure.value is not None:
        assert figure.value == pytest.approx(expected, abs=1e-6)


@given(drawn(0))
def test_fleiss_kappa_is_the_oracles_where_nothing_is_missing(ratings: Ratings) -> None:
    assume(len(np.unique(ratings)) > 1)
    expected = oracle_fleiss(counted(ratings, CATEGORIES))
    assert fleiss_kappa(ratings, CATEGORIES).value == pytest.approx(expected, abs=1e-6)


@given(drawn(MISSING))
def test_fleiss_kappa_and_ac1_follow_their_definition_with_missing_ratings(ratings: Ratings) -> None:
    assume(krippendorff_alpha(ratings, CATEGORIES).value is not None)
    found = fleiss_kappa(ratings, CATEGORIES).value, gwet_ac1(ratings, CATEGORIES).value
    assert found == pytest.approx(by_definition(ratings, CATEGORIES), abs=1e-6)


@given(drawn(MISSING))
def test_cohens_kappa_is_the_oracles_on_common_items(ratings: Ratings) -> None:
    one, other = ratings[:, 0], ratings[:, 1]
    both = (one != MISSING) & (other != MISSING)
    figure = cohen_kappa(one, other, CATEGORIES)
    assert figure.items == both.sum()
    if len(np.union1d(one[both], other[both])) > 1:
        assert figure.value == pytest.approx(cohen_kappa_score(one[both], other[both]), abs=1e-6)
    else:
        assert figure == Figure(None, int(both.sum()), ALL_EQUAL if both.any() else NOTHING_SHARED)


@pytest.mark.parametrize("missing", [0.0, 0.2, 0.6])
def test_a_review_of_five_hundred_items_gives_the_oracles_figures(missing: float) -> None:
    ratings = reviewed(1, missing=missing)
    found = agreement(ratings, 3, seed=1, purpose="test", resamples=10)
    assert found.alpha.value == pytest.approx(oracle_alpha(ratings), abs=1e-6)
    assert (found.fleiss.value, found.ac1.value) == pytest.approx(by_definition(ratings, 3), abs=1e-6)
    whole = ratings[(ratings != MISSING).all(axis=1)]
    assert fleiss_kappa(whole, 3).value == pytest.approx(oracle_fleiss(counted(whole, 3)), abs=1e-6)


def test_published_figures_of_four_raters_with_missing_ratings() -> None:
    # Gwet (2014), table 2.10: 12 units, 4 raters, 5 categories; coefficients as printed by the R package irrCAC.
    rows = ["123321412...", "1233224125.3", ".3332342251.", "12332441251."]
    ratings = np.array([[MISSING if c == "." else int(c) - 1 for c in row] for row in rows]).T
    found = [measure(ratings, 5).value for measure in MEASURES]
    assert found == pytest.approx([0.81818, 0.74342, 0.76117, 0.77544], abs=5e-6)


def test_ac1_of_an_example_worked_by_hand() -> None:
    # Verdicts of four items: 3-0-0, 2-1-0, 0-0-3, 1-0-1 with one missing.
    # Observed (1 + 1/3 + 1 + 0) / 4 = 7/12. Mean shares 13/24, 2/24, 9/24: expected (143 + 44 + 135) / 576 / 2.
    ratings = np.array([[0, 0, 0], [0, 1, 0], [2, 2, 2], [0, MISSING, 2]])
    assert gwet_ac1(ratings, 3).value == pytest.approx((7 / 12 - 161 / 576) / (1 - 161 / 576))


def test_rare_categories_lower_alpha_and_not_ac1() -> None:
    ratings = np.zeros((200, 3), dtype=np.int64)
    ratings[:5, 0] = 1
    assert krippendorff_alpha(ratings, 2).value == pytest.approx(oracle_alpha(ratings))
    alpha, ac1 = krippendorff_alpha(ratings, 2).value, gwet_ac1(ratings, 2).value
    assert alpha is not None
    assert ac1 is not None
    assert alpha < 0 < 0.95 < ac1


@pytest.mark.parametrize("measure", MEASURES)
@given(ratings=drawn(MISSING), order=st.randoms(use_true_random=False))
def test_the_names_of_raters_items_and_categories_change_nothing(
    measure: Measure, ratings: Ratings, order: Random
) -> None:
    items, raters = ratings.shape
    names = np.array([*order.sample(range(CATEGORIES), CATEGORIES), MISSING])
    other = names[ratings][order.sample(range(items), items)][:, order.sample(range(raters), raters)]
    found, expected = measure(other, CATEGORIES), measure(ratings, CATEGORIES)
    assert found._replace(value=None) == expected._replace(value=None)
    assert found.value == pytest.approx(expected.value)


@pytest.mark.parametrize("measure", MEASURES)
@given(values=st.lists(st.integers(0, CATEGORIES - 1), min_size=2, max_size=12), raters=st.integers(2, 5))
def test_perfect_agreement_on_several_categories_is_one(measure: Measure, values: list[int], raters: int) -> None:
    assume(len(set(values)) > 1)
    assert measure(np.array([values] * raters).T, CATEGORIES) == (pytest.approx(1), len(values), "", None)


@pytest.mark.parametrize("measure", MEASURES)
@given(ratings=drawn(MISSING))
def test_a_figure_is_a_number_up_to_one_or_says_why_there_is_none(measure: Measure, ratings: Ratings) -> None:
    figure = measure(ratings, CATEGORIES)
    if figure.value is None:
        assert figure.undefined in (ALL_EQUAL, NOTHING_SHARED)
    else:
        assert figure.undefined == ""
        assert math.isfinite(figure.value)
        assert figure.value <= 1 + 1e-12


@pytest.mark.parametrize("measure", CORRECTED)
def test_equal_verdicts_are_undefined_and_not_one(measure: Measure) -> None:
    assert measure(np.zeros((50, 3), dtype=np.int64), 3) == Figure(None, 50, ALL_EQUAL)
    assert percent_agreement(np.zeros((50, 3), dtype=np.int64), 3).value == 1


@pytest.mark.parametrize("measure", MEASURES)
@pytest.mark.parametrize("ratings", [[[0, MISSING], [MISSING, 1]], [[MISSING, MISSING]], np.empty((0, 3))])
def test_items_judged_once_show_no_agreement(measure: Measure, ratings: Ratings) -> None:
    assert measure(np.array(ratings, dtype=np.int64), 2) == Figure(None, 0, NOTHING_SHARED)


@pytest.mark.parametrize("measure", MEASURES)
@pytest.mark.parametrize(("rating", "categories"), [(3, 3), (-2, 3), (0, 1)])
def test_a_rating_outside_the_categories_is_refused(measure: Measure, rating: int, categories: int) -> None:
    with pytest.raises(ValueError, match=r"outside|two categories"):
        measure(np.array([[0, rating]]), categories)


def test_intervals_hold_the_figure_and_come_again_with_the_seed() -> None:
    ratings = reviewed(2)
    found = agreement(ratings, 3, seed=7, purpose="test")
    for figure in found:
        assert figure.interval is not None
        assert figure.value is not None
        assert figure.interval.low < figure.value < figure.interval.high
    assert agreement(ratings[::-1, ::-1], 3, seed=7, purpose="test") == found
    assert agreement(ratings, 3, seed=8, purpose="test") != found


def test_the_interval_is_that_of_drawing_items_one_by_one() -> None:
    ratings = reviewed(3, items=120)
    source = np.random.default_rng(3)
    values = [krippendorff_alpha(ratings[source.integers(0, 120, 120)], 3).value or 0 for _ in range(2000)]
    found = agreement(ratings, 3, seed=3, purpose="test", resamples=4000).alpha.interval
    assert found == pytest.approx(tuple(np.quantile(values, [0.025, 0.975])), abs=0.03)


def test_intervals_narrow_with_more_items() -> None:
    few, many = (agreement(reviewed(4, items=n), 3, seed=4, purpose="test").ac1.interval for n in (100, 5000))
    assert few is not None
    assert many is not None
    assert many.high - many.low < (few.high - few.low) / 4


def test_no_interval_where_many_samples_would_be_undefined() -> None:
    ratings = np.zeros((10, 3), dtype=np.int64)
    ratings[0, 0] = 1
    found = agreement(ratings, 2, seed=1, purpose="test")
    assert found.alpha.value is not None
    assert (found.alpha.interval, found.fleiss.interval, found.ac1.interval) == (None, None, None)
    assert found.percent.interval is not None
