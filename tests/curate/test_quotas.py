from fractions import Fraction

from hypothesis import given
from hypothesis import strategies as st

from psygen.curate.quotas import evenly, share_out, stratified

WEIGHTS = st.lists(st.integers(0, 50), min_size=1, max_size=8)


@given(WEIGHTS, st.integers(1, 20))
def test_largest_remainders_add_up_and_are_rounded_down_or_up(sizes: list[int], part: int) -> None:
    ideals = [Fraction(part, 20) * size for size in sizes]
    total = round(sum(ideals))
    found = share_out(total, ideals, least=[0] * len(sizes), most=sizes)
    assert sum(found) == total
    assert all(abs(n - ideal) < 1 for n, ideal in zip(found, ideals, strict=True))


@given(st.lists(st.tuples(st.integers(0, 9), st.integers(0, 9)), min_size=1, max_size=6), st.integers(0, 120))
def test_limits_are_kept_whatever_the_total(limits: list[tuple[int, int]], total: int) -> None:
    least, most = [a for a, _ in limits], [a + b for a, b in limits]
    found = share_out(total, [Fraction(5)] * len(limits), least=least, most=most)
    assert all(lo <= n <= hi for lo, n, hi in zip(least, found, most, strict=True))
    assert sum(found) == min(max(total, sum(least)), sum(most))


def test_the_largest_remainder_is_rounded_up() -> None:
    assert share_out(10, [Fraction(n, 10) for n in (47, 33, 20)], least=[0] * 3, most=[10] * 3) == [5, 3, 2]


def test_a_stratum_that_holds_too_much_is_made_up_for_by_its_neighbours() -> None:
    sizes = {("a", "x"): 10, ("a", "y"): 10, ("a", "z"): 10}
    held = {("a", "x"): 4}
    assert stratified(sizes, Fraction(1, 5), least=held, most=sizes) == {("a", "x"): 4, ("a", "y"): 1, ("a", "z"): 1}


def test_every_stratum_is_shared_out_whole() -> None:
    sizes = {("a",): 7, ("b",): 1, ("c",): 0}
    found = evenly(sizes, [Fraction(1, 2), Fraction(1, 4), Fraction(1, 4)], {place: [0, 0, 0] for place in sizes})
    assert {place: sum(counts) for place, counts in found.items()} == sizes
