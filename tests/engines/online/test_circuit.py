"""When a server counts as down, who finds out that it is back, and when nobody waits any longer."""

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from psygen.engines.online.circuit import FIRST_PROBE_S, LONGEST_PROBE_S, OPENS_AFTER, UNREACHABLE_S, Circuit
from tests.engines.online.conftest import Clock

PATIENCE_S = 1800.0


def circuit(clock: Clock) -> Circuit:
    return Circuit(PATIENCE_S, clock, random.Random(7))


def opened(clock: Clock, *, was_reached: bool = True) -> Circuit:
    one = circuit(clock)
    for _ in range(OPENS_AFTER):
        one.failed(was_reached=was_reached)
    return one


def test_five_failures_in_a_row_open_it_and_that_is_said_once(clock: Clock) -> None:
    one = circuit(clock)
    assert [one.failed(was_reached=True) for _ in range(OPENS_AFTER + 1)] == [False] * 4 + [True, False]
    assert one.is_open


def test_an_answer_between_them_counts_from_the_start(clock: Clock) -> None:
    one = circuit(clock)
    for _ in range(3):
        for _ in range(OPENS_AFTER - 1):
            assert not one.failed(was_reached=True)
        assert not one.answered()
    assert not one.is_open


def test_closed_it_lets_everybody_through(clock: Clock) -> None:
    one = circuit(clock)
    assert all(one.may_send(r) for r in ("a", "b", "c"))
    assert one.probe_in_s == 0


def test_open_it_lets_one_probe_through_and_only_when_it_is_time(clock: Clock) -> None:
    one = opened(clock)
    assert not one.may_send("a")
    assert 0.75 * FIRST_PROBE_S <= one.probe_in_s <= 1.25 * FIRST_PROBE_S
    clock.now += one.probe_in_s
    assert one.may_send("a")
    assert not one.may_send("b")


def test_the_probe_stays_the_same_request_until_it_leaves(clock: Clock) -> None:
    one = opened(clock)
    clock.now += one.probe_in_s
    assert one.may_send("a")
    one.failed(was_reached=True)
    clock.now += one.probe_in_s
    assert not one.may_send("b")
    one.left("b")
    assert not one.may_send("b")
    one.left("a")
    assert one.may_send("b")


def test_an_answer_closes_it_and_that_is_said_once(clock: Clock) -> None:
    one = opened(clock)
    assert one.answered()
    assert not one.answered()
    assert one.may_send("a")
    assert one.may_send("b")


def test_waits_between_probes_double_up_to_a_minute(clock: Clock) -> None:
    one = opened(clock)
    for n in range(10):
        wait = min(LONGEST_PROBE_S, FIRST_PROBE_S * 2**n)
        assert 0.75 * wait <= one.probe_in_s <= 1.25 * wait
        clock.now += one.probe_in_s
        assert one.may_send("a")
        one.failed(was_reached=True)


def test_stragglers_that_fail_put_no_probe_off(clock: Clock) -> None:
    one = opened(clock)
    wait = one.probe_in_s
    for _ in range(50):
        one.failed(was_reached=True)
    assert one.probe_in_s == wait


def test_a_probe_is_not_sent_earlier_than_the_server_asks(clock: Clock) -> None:
    one = circuit(clock)
    for _ in range(OPENS_AFTER):
        one.failed(was_reached=True, advice_s=40.0)
    assert one.probe_in_s == pytest.approx(40.0)


def test_a_server_that_cannot_be_reached_is_given_up_soon_and_one_that_is_ill_by_patience(clock: Clock) -> None:
    away, ill = opened(clock, was_reached=False), opened(clock, was_reached=True)
    assert not away.is_given_up
    clock.now += UNREACHABLE_S
    assert (away.is_given_up, ill.is_given_up) == (True, False)
    clock.now += PATIENCE_S
    assert ill.is_given_up


def test_one_sign_of_life_during_an_outage_is_enough_for_patience(clock: Clock) -> None:
    one = opened(clock, was_reached=False)
    one.failed(was_reached=True)
    clock.now += UNREACHABLE_S
    assert not one.is_given_up


def test_each_outage_is_measured_from_its_own_beginning(clock: Clock) -> None:
    one = opened(clock)
    clock.now += PATIENCE_S - 1
    one.answered()
    for _ in range(OPENS_AFTER):
        one.failed(was_reached=True)
    clock.now += 2
    assert not one.is_given_up
    assert circuit(clock).is_given_up is False


STEPS = st.lists(
    st.one_of(
        st.tuples(st.just("send"), st.sampled_from("abc")),
        st.tuples(st.just("fail"), st.booleans(), st.none() | st.floats(0, 100)),
        st.tuples(st.just("answer")),
        st.tuples(st.just("leave"), st.sampled_from("abc")),
        st.tuples(st.just("pass"), st.floats(0, 100)),
    ),
    max_size=60,
)


@given(STEPS)
def test_while_it_is_open_at_most_one_request_may_leave(steps: list[tuple[object, ...]]) -> None:
    clock = Clock()
    one = circuit(clock)
    for word, *rest in steps:
        match word, rest:
            case "send", [str(name)]:
                one.may_send(name)
            case "fail", [bool(reached), wait]:
                one.failed(was_reached=reached, advice_s=wait)  # type: ignore[arg-type]
            case "leave", [str(name)]:
                one.left(name)
            case "pass", [float(seconds)]:
                clock.now += seconds
            case "answer", _:
                one.answered()
                assert not one.is_open
        if one.is_open:
            assert sum(one.may_send(name) for name in "abc") <= 1
        else:
            assert not one.is_given_up
            assert one.probe_in_s == 0
