"""When the next request may leave, told by a clock of our own: nothing sleeps here."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from psygen.engines.online.pace import FIRST, FIRST_WAIT_S, LONGEST_HOLD_S, MARGIN_S, Pace, duration_s, whole_number
from tests.engines.online.conftest import Clock

OK: dict[str, str] = {}
"""The headers of an answer from a server without counters."""


def known(clock: Clock, concurrency: int) -> Pace:
    """A pace whose server has answered once, without any counter."""
    pace = Pace(concurrency, clock)
    pace.came(pace.sent(), OK, is_answer=True)
    return pace


def sends(pace: Pace, count: int) -> list[int]:
    return [pace.sent() for _ in range(count)]


def counters(left: int, limit: int, reset: str) -> dict[str, str]:
    return {
        "x-ratelimit-limit-requests": str(limit),
        "x-ratelimit-remaining-requests": str(left),
        "x-ratelimit-reset-requests": reset,
    }


# The first burst


def test_few_leave_before_the_first_answer_and_everything_after_it(clock: Clock) -> None:
    pace = Pace(32, clock)
    assert pace.room() == FIRST
    first = sends(pace, FIRST)
    assert pace.room() == 0
    pace.came(first[0], OK, is_answer=True)
    assert pace.room() == 32 - (FIRST - 1)


def test_an_answer_that_takes_its_time_holds_nobody_up(clock: Clock) -> None:
    pace = Pace(32, clock)
    sends(pace, FIRST)
    assert pace.wait_s() == pytest.approx(FIRST_WAIT_S)
    clock.now += FIRST_WAIT_S + 0.001
    assert pace.room() == 32 - FIRST


def test_a_concurrency_below_the_first_burst_is_an_upper_bound_too(clock: Clock) -> None:
    assert Pace(2, clock).room() == 2


# Retry-After, and refusals without advice


def test_everybody_waits_as_long_as_the_server_asks(clock: Clock) -> None:
    pace = known(clock, 8)
    number = sends(pace, 3)[0]
    pace.came(number, OK, is_answer=False)
    assert not pace.refused(number, 2.0)
    assert (pace.room(), pace.wait_s()) == (0, pytest.approx(2.0))
    clock.now += 1.99
    assert pace.room() == 0
    clock.now += 0.02
    assert pace.room() == 8 - 2


def test_a_shorter_wait_does_not_cut_a_longer_one_short(clock: Clock) -> None:
    pace = known(clock, 8)
    pace.hold(60)
    pace.hold(1)
    assert pace.wait_s() == pytest.approx(60)


def test_the_window_halves_once_for_all_refusals_of_one_window(clock: Clock) -> None:
    pace = known(clock, 16)
    narrowed = []
    for number in sends(pace, 16):
        pace.came(number, OK, is_answer=False)
        narrowed.append(pace.refused(number, None))
    assert narrowed == [True] + [False] * 15
    assert pace.window == 8
    clock.now += LONGEST_HOLD_S
    number = pace.sent()
    pace.came(number, OK, is_answer=False)
    assert pace.refused(number, None)


def test_the_window_never_falls_below_one(clock: Clock) -> None:
    pace = known(clock, 16)
    for _ in range(20):
        number = pace.sent()
        pace.came(number, OK, is_answer=False)
        pace.refused(number, None)
    clock.now += LONGEST_HOLD_S
    assert (pace.window, pace.room()) == (1, 1)


def test_the_window_grows_by_about_one_a_round_up_to_the_concurrency(clock: Clock) -> None:
    pace = known(clock, 8)
    number = sends(pace, 8)[0]
    pace.came(number, OK, is_answer=False)
    pace.refused(number, None)
    assert pace.window == 4
    clock.now += LONGEST_HOLD_S
    for left in range(2, 9):
        pace.came(left, OK, is_answer=True)
    # Seven answers: one round of four, and most of one of five.
    assert pace.window == 5
    for _ in range(100):
        pace.came(pace.sent(), OK, is_answer=True)
    assert pace.window == pace.room() == 8


def test_holds_without_advice_double_and_an_answer_ends_that(clock: Clock) -> None:
    pace = known(clock, 4)
    held = []
    for _ in range(9):
        number = pace.sent()
        pace.came(number, OK, is_answer=False)
        pace.refused(number, None)
        held.append(pace.wait_s())
        clock.now += held[-1]
    assert held == pytest.approx([0.25, 0.5, 1, 2, 4, 8, 16, LONGEST_HOLD_S, LONGEST_HOLD_S])
    pace.came(pace.sent(), OK, is_answer=True)
    number = pace.sent()
    pace.came(number, OK, is_answer=False)
    pace.refused(number, None)
    assert pace.wait_s() == pytest.approx(0.25)


# The server's counters


def test_no_more_leave_than_the_counter_leaves(clock: Clock) -> None:
    pace = Pace(32, clock)
    number = pace.sent()
    pace.came(number, counters(5, 6, "10s"), is_answer=True)
    assert pace.room() == 5
    sends(pace, 5)
    assert (pace.room(), pace.wait_s()) == (0, pytest.approx(10 + MARGIN_S))


def test_an_answer_that_was_overtaken_says_nothing_new(clock: Clock) -> None:
    pace = Pace(32, clock)
    first, second = sends(pace, 2)
    pace.came(second, counters(4, 6, "10s"), is_answer=True)
    pace.came(first, counters(5, 6, "10s"), is_answer=True)
    assert pace.room() == 4


def test_a_full_counter_counts_what_was_sent_within_its_own_period(clock: Clock) -> None:
    pace = Pace(32, clock)
    numbers = sends(pace, 2)
    pace.came(numbers[0], counters(5, 6, "10s"), is_answer=True)
    pace.came(numbers[1], counters(4, 6, "10s"), is_answer=True)
    clock.now += 6
    later = sends(pace, 4)
    assert pace.room() == 0
    # The first two are forgotten after their ten seconds, the other four are not: no burst of six.
    clock.now += 4 + MARGIN_S + 0.01
    assert pace.room() == 2
    sends(pace, 2)
    assert pace.room() == 0
    clock.now += 6
    assert pace.room() == 4
    assert later == [3, 4, 5, 6]


def test_tokens_hold_requests_back_too(clock: Clock) -> None:
    pace = Pace(32, clock)
    spoken = {k.replace("requests", "tokens"): v for k, v in counters(9_000, 100_000, "6s").items()}
    pace.came(pace.sent(), spoken, is_answer=True)
    assert pace.room() == 2


@pytest.mark.parametrize("reset", ["20ms", "0s", "nonsense", "-3s", "", "1795300000", "2026-11-21T23:00:00Z"])
def test_a_counter_that_is_full_again_at_once_or_speaks_nonsense_holds_nobody(clock: Clock, reset: str) -> None:
    pace = Pace(32, clock)
    pace.came(pace.sent(), counters(0, 6, reset), is_answer=True)
    assert pace.room() == 32


@pytest.mark.parametrize(
    ("text", "seconds"),
    [
        ("6m0s", 360.0),
        ("20ms", 0.02),
        ("1.5s", 1.5),
        ("12", 12.0),
        (" 12.5 ", 12.5),
        ("1h2m3s", 3723.0),
        ("1d", 86400.0),
        ("", None),
        ("-5", None),
        ("soon", None),
        ("6m0", None),
        ("1e3", None),
        ("inf", None),
        ("9" * 400, None),
        ("9" * 400 + "s", None),
        (None, None),
    ],
)
def test_durations_as_servers_write_them(text: str | None, seconds: float | None) -> None:
    assert duration_s(text) == (None if seconds is None else pytest.approx(seconds))


@pytest.mark.parametrize(
    ("text", "number"), [("12", 12), ("0", 0), ("", None), ("-1", None), ("1.5", None), ("٣", None), ("9" * 5000, None)]
)
def test_whole_numbers_as_servers_write_them(text: str, number: int | None) -> None:
    assert whole_number(text) == number


# Laws

TEXTS = st.one_of(st.text(max_size=8), st.integers(-5, 10**9).map(str), st.sampled_from(["6m0s", "20ms", "1.5s", "1d"]))
HEADERS = st.one_of(
    st.none(),
    st.dictionaries(
        st.builds(
            "x-ratelimit-{}-{}".format,
            st.sampled_from(["limit", "remaining", "reset"]),
            st.sampled_from(["requests", "tokens"]),
        ),
        TEXTS,
    ),
)
STEPS = st.lists(
    st.one_of(
        st.tuples(st.just("send"), st.integers(1, 50)),
        st.tuples(st.just("answer"), HEADERS),
        st.tuples(st.just("refuse"), HEADERS, st.none() | st.floats(0.001, 1e5)),
        st.tuples(st.just("pass"), st.floats(0, 1e4)),
    ),
    max_size=60,
)


@given(st.integers(1, 64), STEPS)
def test_room_is_never_negative_nor_beyond_what_the_user_allows(
    concurrency: int, steps: list[tuple[object, ...]]
) -> None:
    clock = Clock()
    pace = Pace(concurrency, clock)
    flying: list[int] = []
    for word, *rest in steps:
        match word, rest:
            case "send", [int(most)]:
                flying += sends(pace, min(most, pace.room()))
            case "pass", [float(seconds)]:
                clock.now += seconds
            case "answer", [headers] if flying:
                pace.came(flying.pop(0), headers, is_answer=True)  # type: ignore[arg-type]
            case "refuse", [headers, wait] if flying:
                number = flying.pop()
                pace.came(number, headers, is_answer=False)  # type: ignore[arg-type]
                pace.refused(number, wait)  # type: ignore[arg-type]
        assert 0 <= pace.room() <= concurrency - len(flying)
        assert math.isfinite(pace.wait_s())
        assert pace.wait_s() >= 0
        assert 1 <= pace.window <= concurrency


@given(st.integers(1, 64), STEPS)
def test_who_waits_long_enough_may_always_send(concurrency: int, steps: list[tuple[object, ...]]) -> None:
    clock = Clock()
    pace = Pace(concurrency, clock)
    for word, *rest in steps:
        if word == "pass":
            clock.now += float(str(rest[0]))
        elif pace.room():
            number = pace.sent()
            pace.came(number, rest[0] if isinstance(rest[0], dict) else None, is_answer=word == "answer")
            if word == "refuse":
                pace.refused(number, rest[1])  # type: ignore[arg-type]
    for _ in range(10):
        if pace.room():
            break
        assert pace.wait_s() > 0
        clock.now += pace.wait_s()
    assert pace.room() > 0
