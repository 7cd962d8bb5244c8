"""What every engine is given and what it must do, so that a kill at any moment loses nothing.

An engine takes requests from a Source while it has room, tells the Journal *before* the first byte of a request is
sent, tells it again with the raw reply *before* anyone looks inside, and only then hands the reply out. asyncio or
threads stay inside the engine.
"""

from collections.abc import Iterator, Sequence
from typing import Protocol

from psygen.records.exchange import Reply, Request


class Source(Protocol):
    """Requests still to be sent. While replies are handed out, further ones may come in."""

    def take(self, most: int) -> list[Request]:
        """At most `most` requests to send now; none when there is nothing to send or the run shall stop."""
        ...


class Journal(Protocol):
    """The store's side of an exchange; every method commits before it returns."""

    def intend(self, requests: Sequence[Request]) -> list[int]:
        """Note that these requests are about to be sent; one call id each."""
        ...

    def settle(self, replies: Sequence[Reply]) -> None:
        """Store what came of calls, raw bytes included."""
        ...


class Engine(Protocol):
    """Something that answers requests."""

    def ask(self, source: Source, journal: Journal) -> Iterator[list[Reply]]:
        """Replies in any order, a list at a time, until the source is empty and nothing is in flight.

        The caller works on a list (and may put follow-ups into the source) before the next one is fetched.
        """
        ...
