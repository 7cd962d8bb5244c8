"""One request's attempts: each noted before it is sent, tried again as its fault allows, and settled when it failed.

tenacity carries the policy: which faults are tried again, how often, and how long to wait between. What a fault says
about the server as a whole goes to the pace and the circuit, which hold everybody alike.
"""

import asyncio
import random
from collections.abc import Callable, Mapping

import httpx2
import openai
from tenacity import AsyncRetrying, RetryCallState, retry_if_exception

from psygen.engines.base import Journal
from psygen.engines.online.circuit import Circuit
from psygen.engines.online.faults import Fault, body_fault, fault_of, response_headers
from psygen.engines.online.pace import Pace
from psygen.errors import BudgetSpent
from psygen.records.exchange import Reply, Request
from psygen.settings import ServerSettings

BACK_OFF_CAP_S = 60.0
TICK_S = 0.2
AWAY_CODES = ("unreachable", "html")
"""Faults of the way to the server, not of the server."""
CUT_OFF = Fault("retry", True, "cancelled", "cut off at the end of the run")

Tell = Callable[[str, Mapping[str, object]], None]
"""Somebody who is told what happens: a word, and plain facts without any text of prompts or replies."""


class _Failed(Exception):
    """An attempt that failed, with what it means."""

    def __init__(self, fault: Fault) -> None:
        self.fault = fault
        super().__init__(fault.code)


class _Stopping(Exception):
    """The run shall end; a request that waits for its next attempt gives up."""


class Attempts:
    """Asks a server for one request after another, each for itself."""

    def __init__(
        self,
        settings: ServerSettings,
        pace: Pace,
        circuit: Circuit,
        *,
        is_over: Callable[[], bool],
        chance: random.Random,
        clock: Callable[[], float],
        tell: Tell,
    ) -> None:
        """is_over: whether nothing more may be sent in this run."""
        self._settings, self._pace, self._circuit = settings, pace, circuit
        self._is_over, self._chance, self._clock, self._tell = is_over, chance, clock, tell
        self.has_answer = False
        """Whether the server has answered any request."""
        self.away = ""
        """Why nobody should be asked any more for now; empty as long as it goes on."""
        self.is_asked_to_wait = False
        """Whether that is because the server wants a pause: what is in flight will still be answered."""

    async def answer(
        self, client: openai.AsyncOpenAI, request: Request, call: int, number: int, journal: Journal
    ) -> tuple[Reply | None, Fault | None]:
        """The reply of a request, or how it was given up with its last fault; neither when the run ends meanwhile.

        call, number: of its first attempt, as the journal and the pace gave them.
        """
        tries = _Tries(call, number)
        try:
            async for attempt in self._retrying(tries):
                with attempt:
                    if attempt.retry_state.attempt_number > 1:
                        await self._turn(request)
                        tries.call = journal.intend([request])[0]
                        tries.number = self._pace.sent()
                    raw = await self._try(client, request, tries, journal)
            return Reply(request_id=request.id, call_id=tries.call, state="received", raw=raw, status=200), None
        except _Failed:
            self._notice_loss(tries.fault)
            return self._failure(request, tries), tries.fault
        except (_Stopping, BudgetSpent):
            # The last attempt is settled already; the unit stays as it is.
            return None, None
        except asyncio.CancelledError:
            return self._failure(request, tries), None
        finally:
            self._circuit.left(request.id)

    async def _try(self, client: openai.AsyncOpenAI, request: Request, tries: "_Tries", journal: Journal) -> bytes:
        """One attempt. Raises _Failed, its call settled unless it was the last one."""
        tries.fault = CUT_OFF
        try:
            response = await self._post(client, request)
        except Exception as error:  # noqa: BLE001  (every fault of the exchange is sorted by fault_of)
            fault, headers = self._sorted(fault_of(error), request), response_headers(error)
        else:
            portal = body_fault(response.headers.get("content-type", ""), response.content)
            if portal is None:
                self._pace.came(tries.number, response.headers, is_answer=True)
                if self._circuit.answered():
                    self._tell("resumed", {})
                return response.content
            fault, headers = portal, None
        tries.fault = fault
        self._learn(tries.number, fault, headers)
        # An outage uses up nobody's attempts; an answer that was lost may have been paid for, and counts always.
        tries.counted += not self._circuit.is_open or fault.is_lost
        if fault.action == "retry" and tries.counted < self._settings.attempts:
            journal.settle([self._failure(request, tries)])
        raise _Failed(fault)

    def _learn(self, number: int, fault: Fault, headers: "httpx2.Headers | None") -> None:
        """What a fault says about the server, for everybody."""
        self._pace.came(number, headers, is_answer=False)
        self._tell("call_unknown" if fault.is_billed else "call_failed", {"code": fault.code, "status": fault.status})
        wait = fault.retry_after_s
        if wait is not None and wait > self._settings.patience_s and fault.action == "retry":
            self.away, self.is_asked_to_wait = f"The server asks to wait {wait:,.0f} s", True
        if fault.action != "retry" or fault.status == 429:
            self._circuit.answered()
        elif self._circuit.failed(was_reached=fault.code not in AWAY_CODES, advice_s=wait):
            self._tell("paused", {"code": fault.code, "seconds": round(self._circuit.probe_in_s, 1)})
        if fault.action == "retry" and fault.status == 429:
            if self._pace.refused(number, wait):
                self._tell("slowed", {"code": fault.code, "in_flight": self._pace.window})
            elif wait is not None:
                self._tell("paused", {"code": fault.code, "seconds": round(wait, 1)})
        elif wait is not None and fault.action == "retry":
            self._pace.hold(wait)

    def _sorted(self, fault: Fault, request: Request) -> Fault:
        """The fault, taken for a matter of form as long as no request of that server went through."""
        is_first = fault.action == "park" and fault.status in (400, 415, 422, 501) and not self.has_answer
        return fault._replace(action="form") if is_first and "response_format" in request.body else fault

    async def _post(self, client: openai.AsyncOpenAI, request: Request) -> httpx2.Response:
        """One answer with status 200. Raises what the client raises, TimeoutError after the time for a whole answer."""
        async with asyncio.timeout(self._settings.timeout_s):
            # Not chat.completions.create: its walk over parameters and response costs more than the exchange.
            return await client.post("/chat/completions", cast_to=httpx2.Response, body=dict(request.body))

    def _retrying(self, tries: "_Tries") -> AsyncRetrying:
        return AsyncRetrying(
            stop=lambda _: tries.counted >= self._settings.attempts,
            retry=retry_if_exception(lambda e: isinstance(e, _Failed) and e.fault.action == "retry"),
            wait=lambda state: self._wait(state, tries.counted),
            sleep=self._sleep,
            reraise=True,
        )

    def _wait(self, state: RetryCallState, counted: int) -> float:
        """Never earlier than the server asks; else full jitter below an exponential bound."""
        error = state.outcome.exception() if state.outcome else None
        asked = error.fault.retry_after_s if isinstance(error, _Failed) else None
        if asked is not None:
            return asked + self._chance.uniform(0, min(1.0, asked))
        return self._chance.uniform(0, min(BACK_OFF_CAP_S, 2.0 ** max(0, counted - 1)))

    async def _sleep(self, seconds: float) -> None:
        """Wait in ticks, so that a stop is noticed. Raises _Stopping."""
        end = self._clock() + seconds
        while (left := end - self._clock()) > 0:
            self._stop_if_over()
            await asyncio.sleep(min(TICK_S, left))
        self._stop_if_over()

    async def _turn(self, request: Request) -> None:
        """Wait until a further attempt may leave: the server is up, or this is the probe, and the pace has room."""
        while True:
            self._stop_if_over()
            if self._circuit.may_send(request.id) and (self._circuit.is_open or self._pace.room() > 0):
                return
            await asyncio.sleep(min(TICK_S, max(0.01, self._circuit.probe_in_s, self._pace.wait_s())))

    def _stop_if_over(self) -> None:
        if self._is_over():
            raise _Stopping

    @staticmethod
    def _failure(request: Request, tries: "_Tries") -> Reply:
        fault = tries.fault
        return Reply(
            request_id=request.id,
            call_id=tries.call,
            state="unknown" if fault.is_billed else "failed",
            status=fault.status,
            error=f"{fault.action} {fault.said}",
        )

    def _notice_loss(self, fault: Fault) -> None:
        """A request given up for lost answers while the server counts as down: each try may have been paid for."""
        if fault.is_lost and self._circuit.is_open:
            self.away = f"No complete answer from the server ({fault.said})"


class _Tries:
    """How far a request is: the call and number of its present attempt, what went wrong, and what counts."""

    def __init__(self, call: int, number: int) -> None:
        self.call, self.number = call, number
        self.fault = CUT_OFF
        self.counted = 0
