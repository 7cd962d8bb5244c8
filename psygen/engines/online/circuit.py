"""The circuit breaker: when a server is down, one probe at a time finds out when it is back.

Closed, everything leaves. After `OPENS_AFTER` failures in a row it opens: nothing leaves but one probe at a time, after
waits that double. An answer closes it. Attempts that fail while it is open use up nobody's attempts.

Pure: the clock and the chance are given.
"""

import random
from collections.abc import Callable

OPENS_AFTER = 5
"""Failures in a row, with no answer between."""
FIRST_PROBE_S = 1.0
LONGEST_PROBE_S = 60.0
UNREACHABLE_S = 10.0
"""How long a server is probed that cannot even be reached."""


class Circuit:
    """Open or closed; who may probe; when it has been open for too long."""

    def __init__(self, patience_s: float, clock: Callable[[], float], chance: random.Random) -> None:
        self._patience_s, self._clock, self._chance = patience_s, clock, chance
        self._failures = 0
        self._opened_at: float | None = None
        self._next_probe = 0.0
        self._wait_s = FIRST_PROBE_S
        self._prober: str | None = None
        self._was_reached = False

    @property
    def is_open(self) -> bool:
        """Whether the server counts as down."""
        return self._opened_at is not None

    @property
    def is_given_up(self) -> bool:
        """Whether it has been down for longer than anybody wants to wait."""
        if self._opened_at is None:
            return False
        patience = self._patience_s if self._was_reached else min(self._patience_s, UNREACHABLE_S)
        return self._clock() - self._opened_at >= patience

    def may_send(self, request: str) -> bool:
        """Whether this request may leave; while the circuit is open that makes it the probe."""
        if not self.is_open:
            return True
        if self._clock() < self._next_probe or self._prober not in (None, request):
            return False
        self._prober = request
        return True

    def answered(self) -> bool:
        """An answer came; whether that closed the circuit."""
        was_open = self.is_open
        self._failures = 0
        self._opened_at, self._prober, self._wait_s = None, None, FIRST_PROBE_S
        self._was_reached = False
        return was_open

    def failed(self, *, was_reached: bool, advice_s: float | None = None) -> bool:
        """A request failed for want of a server; whether that opened the circuit.

        was_reached: something answered, if only with an error. advice_s: what the server asks to wait. The prober
        stays the same: a server that fails each request a few times would never be found well by ever new ones.
        """
        self._failures += 1
        self._was_reached |= was_reached
        if not self.is_open and self._failures < OPENS_AFTER:
            return False
        opened = not self.is_open
        if opened:
            self._opened_at = self._clock()
        if opened or self._clock() >= self._next_probe:
            wait = max(self._wait_s * self._chance.uniform(0.75, 1.25), advice_s or 0.0)
            self._next_probe = self._clock() + wait
            self._wait_s = min(LONGEST_PROBE_S, self._wait_s * 2)
        return opened

    def left(self, request: str) -> None:
        """A request is no longer tried; another one may probe."""
        if self._prober == request:
            self._prober = None

    @property
    def probe_in_s(self) -> float:
        """Seconds until the next probe; 0 when the circuit is closed."""
        return max(0.0, self._next_probe - self._clock()) if self.is_open else 0.0
