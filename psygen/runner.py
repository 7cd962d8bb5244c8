"""One run: the lock, the signals, and the exchange between a queue of requests and an engine.

Whatever was received is in the store before this room hands it on; a stop is a matter of handing out no more requests.
"""

import contextlib
import fcntl
import os
import signal
import socket
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from types import FrameType

from psygen.engines.base import Engine, Journal
from psygen.errors import Stopped, StoreUnusable
from psygen.records.exchange import Reply, Request
from psygen.store.connection import now, translated


class Stop:
    """Whether the run shall end, and by which signal."""

    def __init__(self) -> None:
        self.signal = 0

    def request(self, signum: int) -> None:
        """Ask for the end: nothing more is sent, what is in flight is waited for."""
        self.signal = signum

    @property
    def is_requested(self) -> bool:
        """Whether somebody asked."""
        return self.signal != 0

    def error(self) -> Stopped:
        """How the run ends after a drain."""
        name = signal.Signals(self.signal).name
        exit_code = 130 if self.signal == signal.SIGINT else 143
        return Stopped(f"Stopped by {name}; everything received is stored. The same command goes on.", exit_code)


class Queue:
    """Requests still to be sent (engines.base.Source): a lazy beginning, and follow-ups that come in meanwhile."""

    def __init__(self, stop: Stop, fits: Callable[[Request], bool] = lambda request: True) -> None:
        """fits: whether there is money for a request beside those under way; it is asked again later."""
        self._first: Iterator[Request] = iter(())
        self._more: deque[Request] = deque()
        self._stop = stop
        self._fits = fits
        self.is_too_dear = False
        """Whether the next request was held back for want of money when it was last looked at."""

    def begin(self, requests: Iterable[Request]) -> None:
        """The requests to start with; each is made when it is taken."""
        self._first = iter(requests)

    def put(self, request: Request) -> None:
        """Add a follow-up; it is sent before anything new."""
        self._more.append(request)

    def take(self, most: int) -> list[Request]:
        """At most `most` requests to send now; none once the run shall stop."""
        taken: list[Request] = []
        while len(taken) < most and not self._stop.is_requested:
            request = self._more.popleft() if self._more else next(self._first, None)
            if request is None:
                break
            self.is_too_dear = not self._fits(request)
            if self.is_too_dear:
                self._more.appendleft(request)
                break
            taken.append(request)
        return taken


def exchange(engine: Engine, queue: Queue, journal: Journal, stop: Stop) -> Iterator[Sequence[Reply]]:
    """Lists of replies as they come, every one of them stored already.

    Raises Stopped after the drain when a signal asked for the end, and whatever ends the engine.
    """
    yield from engine.ask(queue, journal)
    if stop.is_requested:
        raise stop.error()


@contextlib.contextmanager
def listening(stop: Stop) -> Iterator[None]:
    """SIGINT, SIGTERM and SIGHUP ask `stop` for a clean end; the second one leaves at once. Main thread only."""
    signals = [signal.SIGINT, signal.SIGTERM, signal.SIGHUP]
    # nohup ignores SIGHUP; that choice is the user's.
    signals = [s for s in signals if signal.getsignal(s) != signal.SIG_IGN]

    def ask(signum: int, _: FrameType | None) -> None:
        if stop.is_requested:
            _leave(130 if signum == signal.SIGINT else 143)
        stop.request(signum)
        _say("psygen: stopping; what is in flight is waited for and stored. Once more leaves at once.\n")

    before = {s: signal.signal(s, ask) for s in signals}
    try:
        yield
    finally:
        for s, handler in before.items():
            signal.signal(s, handler)


def _say(text: str) -> None:
    """Write to stderr from a signal handler, whoever may be writing there."""
    with contextlib.suppress(OSError):
        os.write(2, ("\n" if os.isatty(2) else "").encode() + text.encode())


def _leave(exit_code: int) -> None:
    """End the process now; the terminal gets back its cursor, which a live display hides."""
    if os.isatty(2):
        _say("\x1b[?25h")
    os._exit(exit_code)


@contextlib.contextmanager
def lock(database: Path) -> Iterator[None]:
    """Hold the run lock of a database. Raises StoreUnusable naming the process that holds it.

    The lock is the kernel's: it is free the moment its holder dies, however it dies.
    """
    path = database.with_suffix(".lock")
    with translated(path):
        path.parent.mkdir(parents=True, exist_ok=True)
        handle = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    try:
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as error:
            holder = os.pread(handle, 200, 0).decode("utf-8", "replace").strip() or "another process"
            raise StoreUnusable(
                f"{database}: in use by {holder}; wait for it, or stop it with Ctrl-C. Reading commands work meanwhile."
            ) from error
        os.ftruncate(handle, 0)
        os.pwrite(handle, f"process {os.getpid()} on {socket.gethostname()} since {now()}\n".encode(), 0)
        yield
    finally:
        os.close(handle)
