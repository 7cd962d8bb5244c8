import pytest
from hypothesis import given
from hypothesis import strategies as st
from statsmodels.stats.proportion import proportion_confint

from psygen.metrics.rates import Rate


@given(st.integers(1, 10_000).flatmap(lambda of: st.tuples(st.integers(0, of), st.just(of))))
def test_the_interval_is_wilsons_and_holds_the_share(counts: tuple[int, int]) -> None:
    rate = Rate(*counts)
    interval = rate.interval()
    assert interval is not None
    assert interval == pytest.approx(proportion_confint(*counts, method="wilson"), abs=1e-6)
    assert rate.value is not None
    assert 0 <= interval.low <= rate.value <= interval.high <= 1


def test_another_level_gives_another_interval() -> None:
    assert Rate(7, 10).interval(0.9) == pytest.approx(proportion_confint(7, 10, alpha=0.1, method="wilson"), abs=1e-6)


def test_nothing_to_count_is_no_rate() -> None:
    assert Rate(0, 0).value is None
    assert Rate(0, 0).interval() is None
