"""When the next request may leave: what the server says of its limits, and what its refusals teach.

Three holds, the longest of which counts: a moment before which nobody sends (Retry-After, for all workers alike), the
room the server's own counters leave (`x-ratelimit-*`), and a window of requests in flight that halves at a 429 without
advice and grows again by one a round (AIMD; Chiu & Jain 1989). Before the first answer only a few requests leave, so
that a limit nobody told us of costs a few refusals and not a whole window.

Pure: the clock is given, nothing sleeps here.
"""

import re
from collections import deque
from collections.abc import Callable, Mapping

FIRST = 4
"""Requests that leave before anything is known of a server."""
FIRST_WAIT_S = 0.3
"""How long those are waited for; a limit refuses at once, an answer takes its time."""
SHORT_RESET_S = 0.05
"""A counter that is full again so soon holds nobody up."""
LONG_RESET_S = 2 * 86400.0
"""Limits are per minute, hour or day; a longer reset is a date, or nonsense."""
FIRST_HOLD_S, LONGEST_HOLD_S = 0.25, 30.0
"""How long everybody waits after a refusal without advice: at first, and at most."""
MARGIN_S = 0.1
"""Added to a moment the server names: clocks and networks are not exact."""
TOKENS_EACH = 4000
"""What a request is taken to use of a token limit: prompt and four questions."""
MOST_SENDS = 10_000
"""So many moments of sending are remembered."""
# No more digits than anybody needs: a header with thousands of them is no number, least of all an infinite one.
_WHOLE = r"[0-9]{1,12}"
_NUMBER = rf"{_WHOLE}(?:\.[0-9]{{1,12}})?"
_PART = re.compile(rf"({_NUMBER})(ms|s|m|h|d)")
_UNITS = {"ms": 0.001, "s": 1.0, "m": 60.0, "h": 3600.0, "d": 86400.0}


class Counter:
    """One of the server's counters by its latest word: what is left after request `number`, full again when."""

    def __init__(self, name: str, each: int) -> None:
        self._name, self._each = name, each
        self._number = -1
        self._left = self._limit = 0
        self._period = 0.0
        self.full_at = 0.0

    def read(self, headers: Mapping[str, str], number: int, now: float, sends: deque[float]) -> None:
        """Take the headers of the answer to request `number`; an answer that was overtaken says nothing new."""
        left = whole_number(headers.get(f"x-ratelimit-remaining-{self._name}"))
        limit = whole_number(headers.get(f"x-ratelimit-limit-{self._name}"))
        reset = duration_s(headers.get(f"x-ratelimit-reset-{self._name}"))
        if left is None or limit is None or reset is None or number < self._number:
            return
        if not SHORT_RESET_S <= reset <= LONG_RESET_S:
            return
        self._number, self._left, self._limit = number, left // self._each, max(1, limit // self._each)
        self.full_at = now + reset + MARGIN_S
        used = min(max(1, self._limit - self._left), len(sends))
        self._period = max(self._period, self.full_at - sends[-used]) if used else self._period

    def room(self, sent: int, now: float, sends: deque[float]) -> int | None:
        """Requests the counter leaves room for now; None as long as the server has not spoken of it."""
        if self._number < 0:
            return None
        if now >= self.full_at:
            self._renew(sent, now, sends)
        return self._left - (sent - self._number)

    def _renew(self, sent: int, now: float, sends: deque[float]) -> None:
        """The server's moment has come: full again, but for what we sent within the last period ourselves."""
        recent = 0
        for moment in reversed(sends):
            if moment <= now - self._period or recent == self._limit:
                break
            recent += 1
        self._number, self._left = sent, self._limit - recent
        oldest = sends[-recent] if recent else now
        self.full_at = max(oldest + self._period, now + SHORT_RESET_S)


class Pace:
    """Says how many requests may leave now. `concurrency` is never exceeded."""

    def __init__(self, concurrency: int, clock: Callable[[], float]) -> None:
        self._clock = clock
        self._concurrency = concurrency
        self._window = float(concurrency)
        self._counters = (Counter("requests", 1), Counter("tokens", TOKENS_EACH))
        self._sends: deque[float] = deque(maxlen=MOST_SENDS)
        self._in_flight = self._sent = 0
        self._is_known = False
        self._not_before = 0.0
        self._cut_at = -1
        self._cuts = 0

    # What the engine tells

    def sent(self) -> int:
        """A request leaves; its number, to be handed back with what came of it."""
        self._in_flight += 1
        self._sent += 1
        self._sends.append(self._clock())
        return self._sent

    def came(self, number: int, headers: Mapping[str, str] | None, *, is_answer: bool) -> None:
        """A request ended, with the headers of its response (None: there was none)."""
        self._in_flight -= 1
        if is_answer:
            self._cuts = 0
            self._window = min(self._concurrency, self._window + 1 / self._window)
        if headers is not None:
            self._is_known = True
            for counter in self._counters:
                counter.read(headers, number, self._clock(), self._sends)

    def refused(self, number: int, wait_s: float | None) -> bool:
        """The server says "slow down" (429) to request `number`; whether that narrowed the window.

        With advice (wait_s) everybody waits; without, the window is halved, once for all requests of one window, and
        everybody waits a moment that doubles as long as nothing but refusals come.
        """
        if wait_s is not None:
            self.hold(wait_s)
            return False
        if number <= self._cut_at:
            return False
        self._window = max(1.0, min(self._window, self._in_flight + 1) / 2)
        self._cut_at = self._sent
        self.hold(min(LONGEST_HOLD_S, FIRST_HOLD_S * 2**self._cuts))
        self._cuts += 1
        return True

    def hold(self, seconds: float) -> None:
        """Nobody sends for so long."""
        self._not_before = max(self._not_before, self._clock() + seconds)

    # What the engine asks

    def room(self) -> int:
        """How many requests may leave now."""
        now = self._clock()
        if now < self._not_before:
            return 0
        most = min(self._concurrency, max(1, int(self._window)))
        if self._is_waiting_for_first(now):
            most = min(most, FIRST)
        rooms = [most - self._in_flight]
        rooms += [r for c in self._counters if (r := c.room(self._sent, now, self._sends)) is not None]
        return max(0, min(rooms))

    def wait_s(self) -> float:
        """Seconds until `room` may change by the clock alone; 0 when only an answer can change it."""
        now = self._clock()
        moments = [self._not_before]
        if self._is_waiting_for_first(now) and self._sends:
            moments.append(self._sends[0] + FIRST_WAIT_S)
        moments += [
            c.full_at for c in self._counters if (r := c.room(self._sent, now, self._sends)) is not None and r <= 0
        ]
        return max(0.0, *(m - now for m in moments))

    @property
    def window(self) -> int:
        """Requests in flight that the server is trusted with now."""
        return max(1, int(self._window))

    def _is_waiting_for_first(self, now: float) -> bool:
        return not self._is_known and (not self._sends or now - self._sends[0] < FIRST_WAIT_S)


def whole_number(text: str | None) -> int | None:
    """A header's whole number; None for anything else."""
    return int(text) if text is not None and re.fullmatch(_WHOLE, text.strip()) else None


def duration_s(text: str | None) -> float | None:
    """Seconds of a header such as `6m0s`, `1.5s`, `250ms` or `12`; None for anything else."""
    if text is None:
        return None
    text = text.strip()
    if re.fullmatch(_NUMBER, text):
        return float(text)
    parts = _PART.findall(text)
    if not parts or "".join(n + u for n, u in parts) != text:
        return None
    return sum(float(n) * _UNITS[u] for n, u in parts)
