"""A run's purse: what every call may cost is set aside before it is sent, and booked once its reply was read.

What was certainly billed and what is in doubt never exceed the cap together: a request for whose worst case there is
no room is not sent. The sums are those of all runs on the database.
"""

from collections.abc import Sequence

from psygen.errors import BudgetSpent
from psygen.prices import Price
from psygen.records.exchange import Reply, Request, Usage
from psygen.replies.envelope import read_envelope
from psygen.store.ledger import Ledger
from psygen.store.money import Spent


class Purse:
    """The engine's journal (engines.base.Journal) with an eye on the money."""

    def __init__(self, ledger: Ledger, price: Price | None, cap_micro: int | None, spent: Spent) -> None:
        """price: None when nobody knows it, then there can be no cap. spent: by earlier runs."""
        self._ledger, self._price, self._cap = ledger, price, cap_micro
        self._certain, self._in_doubt = spent.certain, spent.in_doubt
        self._held: dict[int, int] = {}
        self._granted: dict[str, int] = {}
        self.overruns = 0
        """Calls that cost more than was set aside for them."""
        self.is_spent = False
        """Whether a request was not tried again for want of money."""

    # For the queue

    def fits(self, request: Request) -> bool:
        """Whether the cap has room for this request beside all that is spent, in doubt and under way; grants it."""
        if self._cap is None:
            return True
        amount = self._reserve(request) or 0
        if self._committed + sum(self._granted.values()) + amount > self._cap:
            return False
        self._granted[request.id] = amount
        return True

    # For the engine

    def intend(self, requests: Sequence[Request]) -> list[int]:
        """Note requests about to be sent, with what they may cost.

        Raises BudgetSpent, with nothing noted, when a request tried again has no room any more.
        """
        for request in requests:
            if request.id not in self._granted and not self.fits(request):
                self.is_spent = True
                raise self.error()
        reserves = [self._reserve(r) for r in requests]
        calls = self._ledger.intend(requests, reserves)
        self._granted.clear()
        self._held.update((c, r) for c, r in zip(calls, reserves, strict=True) if r is not None)
        return calls

    def settle(self, replies: Sequence[Reply]) -> None:
        """Store what came of calls; what is set aside for a failed one is free again, for a lost one it is in doubt."""
        self._ledger.settle(replies)
        for reply in replies:
            if reply.state == "failed":
                self._held.pop(reply.call_id, None)
            elif reply.state == "unknown":
                self._in_doubt += self._held.pop(reply.call_id, 0)
            elif self._cap is not None:
                self._see(reply)

    # For the reader of replies

    def book(self, reply: Reply, usage: Usage) -> int | None:
        """What a received call cost, in micro-USD: by its usage, or all that was set aside when the server did not say.

        None when nobody knows the price. The price is that of the run: an answer that an earlier run left unread costs
        what was reserved for it until now.
        """
        if reply.cost_micro_usd is not None or self._price is None:
            return reply.cost_micro_usd
        held = self._held.pop(reply.call_id, None)
        cost = self._price.cost(usage)
        if cost is None:
            cost = held
        elif held is not None and cost > held:
            self.overruns += 1
        self._certain += cost or 0
        return cost

    def error(self) -> BudgetSpent:
        """How a run ends whose cap is reached."""
        cap = (self._cap or 0) / 1e6
        return BudgetSpent(
            f"The cap of {cap:,.2f} USD leaves no room for another request: {self._certain / 1e6:,.4f} USD are "
            f"certain, {(self._in_doubt + sum(self._held.values())) / 1e6:,.4f} USD possibly billed. "
            "Everything received is stored; raise --max-cost and repeat the command."
        )

    def _see(self, reply: Reply) -> None:
        """A reply dearer than its reserve counts at once: the next request leaves before anybody reads this one."""
        cost = self._price.cost(read_envelope(reply.raw).usage) if self._price is not None else None
        if cost is not None and cost > self._held.get(reply.call_id, cost):
            self._held[reply.call_id] = cost
            self.overruns += 1

    @property
    def _committed(self) -> int:
        return self._certain + self._in_doubt + sum(self._held.values())

    def _reserve(self, request: Request) -> int | None:
        return None if self._price is None else self._price.reserve(request.body)
