"""The online engine: many requests at once on one event loop, each attempt noted before it is sent.

The loop runs in steps. While it stands still, the caller reads and stores what came; a step ends as soon as anything
has arrived, and everything that arrived in it is committed at once. No reply waits for another to be stored.
What may leave when is the business of `pace` and `circuit`; whether a fault is tried again that of `faults`.
"""

import asyncio
import random
import time
from collections.abc import Callable, Iterator, Mapping

import httpx2
import openai
from tenacity import AsyncRetrying, RetryCallState, retry_if_exception

from psygen.engines.base import Journal, Source
from psygen.engines.online.circuit import Circuit
from psygen.engines.online.faults import Fault, body_fault, fault_of, response_headers
from psygen.engines.online.pace import Pace
from psygen.engines.online.server import Server
from psygen.errors import BudgetSpent, EngineRefused, NetworkAway
from psygen.records.exchange import Reply, Request
from psygen.settings import ServerSettings

REFUSALS = 3
"""Answered refusals in a row (key, quota, model) that end a run; requests in flight come on top."""
FIRST_ALIKE = 5
"""When so many first requests are all turned away one by one, it is no matter of one prompt."""
GRACE_S = 4.0
"""How long requests in flight are waited for once a run is refused."""
DRAIN_S = 120.0
"""How long they are waited for after a signal: they are paid for."""
BACK_OFF_CAP_S = 60.0
TICK_S = 0.2
SLEPT_S = 60.0
"""A wall clock that ran ahead by so much: the machine was asleep."""
LOOK_S = 0.5
"""How long a step waits at most before somebody looks whether the run shall end."""
AWAY_CODES = ("unreachable", "html")
"""Faults of the way to the server, not of the server."""
CUT_OFF = Fault("retry", True, "cancelled", "cut off at the end of the run")
AT_ONCE = 32
"""Replies handed on at once; more would keep the loop, and so the server, waiting."""

Tell = Callable[[str, Mapping[str, object]], None]
"""Somebody who is told what happens: a word, and plain facts without any text of prompts or replies."""


class _Failed(Exception):
    """An attempt that failed, with what it means."""

    def __init__(self, fault: Fault) -> None:
        self.fault = fault
        super().__init__(fault.code)


class _Stopping(Exception):
    """The run shall end; a request that waits for its next attempt gives up."""


class OnlineEngine:
    """Posts a request's body to /chat/completions. Use it once: `ask` closes what it opens."""

    def __init__(
        self,
        server: Server,
        settings: ServerSettings,
        *,
        is_stopping: Callable[[], bool] = lambda: False,
        chance: random.Random | None = None,
        clock: Callable[[], float] = time.monotonic,
        tell: Tell = lambda word, facts: None,
    ) -> None:
        self._server = server
        self._settings = settings
        self._is_stopping = is_stopping
        self._chance = chance or random.Random()
        self._clock = clock
        self._tell = tell
        self._pace = Pace(settings.concurrency, clock)
        self._circuit = Circuit(settings.patience_s, clock, self._chance)
        self._done: list[Reply] = []
        self._refused: Fault | None = None
        self._away = ""
        self._refusals = 0
        self._turned_away: list[Reply] = []
        self._has_answer = False
        self._lead_s = time.time() - clock()
        self._drain_until = 0.0

    def ask(self, source: Source, journal: Journal) -> Iterator[list[Reply]]:
        """Replies as they come (see engines.base).

        Raises EngineRefused when the provider refuses everything, NetworkAway when nobody answers for too long or the
        server asks to wait longer than anybody wants to; in each case after handing out what came before.
        """
        with asyncio.Runner() as runner:
            self._arrived = asyncio.Event()
            client = runner.run(self._open())
            tasks: set[asyncio.Task[None]] = set()
            try:
                while True:
                    self._notice_sleep()
                    self._launch(runner, client, tasks, source, journal)
                    if not tasks and not self._done:
                        if self._is_over() or not self._is_held():
                            break
                        runner.run(asyncio.sleep(min(TICK_S, self._held_s())))
                        yield []
                        continue
                    runner.run(self._step(tasks))
                    replies = self._collect(journal)
                    # Replacements leave before the caller reads what came: reading is hidden behind the waiting.
                    # Not after a refused form: the caller will ask in another one.
                    if not any(r.error.startswith("form ") for r in replies):
                        self._launch(runner, client, tasks, source, journal)
                        runner.run(asyncio.sleep(0))
                    yield replies
                if self._turned_away and self._refused is None:
                    yield self._release()
            finally:
                runner.run(self._close(client, tasks))
        self._raise_if_over()

    # Inside the loop

    def _launch(
        self,
        runner: asyncio.Runner,
        client: openai.AsyncOpenAI,
        tasks: set[asyncio.Task[None]],
        source: Source,
        journal: Journal,
    ) -> None:
        """Send as many requests as concurrency, pace and circuit leave room for."""
        most = 0 if self._is_over() else min(self._settings.concurrency - len(tasks), self._room(bool(tasks)))
        requests = source.take(most) if most > 0 else []
        if not requests:
            return
        loop = runner.get_loop()
        for request, call in zip(requests, journal.intend(requests), strict=True):
            task = loop.create_task(self._answer(client, request, call, self._pace.sent(), journal))
            tasks.add(task)
            task.add_done_callback(tasks.discard)

    def _room(self, has_tasks: bool) -> int:
        """How many first attempts may leave now; while the server is down only a probe, if nobody else probes."""
        if self._circuit.is_open:
            return 0 if has_tasks or self._circuit.probe_in_s else 1
        return self._pace.room()

    def _is_held(self) -> bool:
        """Whether nothing may leave although there may be something to send."""
        return self._room(has_tasks=False) == 0

    def _held_s(self) -> float:
        return max(0.01, self._circuit.probe_in_s, self._pace.wait_s())

    async def _open(self) -> openai.AsyncOpenAI:
        timeout = openai.Timeout(self._settings.timeout_s, connect=10.0)
        # A number, never None: that would be aiohttp's own limit of 100.
        limits = httpx2.Limits(max_connections=self._settings.concurrency)
        http = openai.DefaultAioHttpClient(
            timeout=timeout, limits=limits, follow_redirects=False, trust_env=not self._server.is_loopback
        )
        return openai.AsyncOpenAI(
            api_key=self._server.key,
            base_url=self._server.base_url,
            organization="",
            project="",
            max_retries=0,
            timeout=timeout,
            http_client=http,
        )

    async def _close(self, client: openai.AsyncOpenAI, tasks: set[asyncio.Task[None]]) -> None:
        await self._cancel(tasks)
        await client.close()

    async def _cancel(self, tasks: set[asyncio.Task[None]]) -> None:
        left = list(tasks)
        for task in left:
            task.cancel()
        await asyncio.gather(*left, return_exceptions=True)

    async def _step(self, tasks: set[asyncio.Task[None]]) -> None:
        """Until something arrived or may leave; at most the grace time once the run is over."""
        if self._refused is not None or self._away:
            if tasks:
                await asyncio.wait(list(tasks), timeout=GRACE_S)
            await self._cancel(tasks)
            return
        if self._is_stopping():
            self._drain_until = self._drain_until or self._clock() + DRAIN_S
            if self._clock() >= self._drain_until:
                await self._cancel(tasks)
                return
        if not self._done:
            try:
                async with asyncio.timeout(self._step_s(len(tasks))):
                    await self._arrived.wait()
            except TimeoutError:
                return
        self._arrived.clear()
        # One more turn of the loop, so that what arrives together is committed together.
        await asyncio.sleep(0)

    def _step_s(self, tasks: int) -> float:
        """How long a step may wait: until the pace may leave room for somebody, and never long without a look."""
        wait = self._pace.wait_s() if tasks < self._settings.concurrency else 0.0
        return min(LOOK_S, wait) if wait else LOOK_S

    async def _answer(
        self, client: openai.AsyncOpenAI, request: Request, call: int, number: int, journal: Journal
    ) -> None:
        """Attempt a request until it has an answer or is given up; puts exactly one reply among the done ones.

        number: of its first attempt, given by the pace.
        """
        tries = _Tries(call, number)
        try:
            async for attempt in self._attempts(tries):
                with attempt:
                    if attempt.retry_state.attempt_number > 1:
                        await self._turn(request)
                        tries.call = journal.intend([request])[0]
                        tries.number = self._pace.sent()
                    raw = await self._try(client, request, tries, journal)
            self._done.append(Reply(request_id=request.id, call_id=tries.call, state="received", raw=raw, status=200))
        except _Failed:
            self._done.append(self._failure(request, tries))
            self._count(tries.fault)
        except (_Stopping, BudgetSpent):
            # The last attempt is settled already; the unit stays as it is.
            pass
        except asyncio.CancelledError:
            self._done.append(self._failure(request, tries))
        finally:
            self._circuit.left(request.id)
            self._arrived.set()

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
            self._away = f"The server asks to wait {wait:,.0f} s"
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
        is_first = fault.action == "park" and fault.status in (400, 415, 422, 501) and not self._has_answer
        return fault._replace(action="form") if is_first and "response_format" in request.body else fault

    async def _post(self, client: openai.AsyncOpenAI, request: Request) -> httpx2.Response:
        """One answer with status 200. Raises what the client raises, TimeoutError after the time for a whole answer."""
        async with asyncio.timeout(self._settings.timeout_s):
            # Not chat.completions.create: its walk over parameters and response costs more than the exchange.
            return await client.post("/chat/completions", cast_to=httpx2.Response, body=dict(request.body))

    def _attempts(self, tries: "_Tries") -> AsyncRetrying:
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
        if self._is_stopping() or self._is_over():
            raise _Stopping

    # Between steps

    def _is_over(self) -> bool:
        """Whether nothing more may be sent in this run."""
        if self._circuit.is_given_up and not self._away:
            self._away = f"No answer from {self._server.base_url}"
        return self._refused is not None or bool(self._away) or self._is_stopping()

    def _notice_sleep(self) -> None:
        """After the machine slept, all connections fail at once: what is tried again is spread over a few seconds."""
        ahead = time.time() - self._clock() - self._lead_s
        if ahead > SLEPT_S:
            self._pace.hold(self._chance.uniform(0, 5))
        self._lead_s += ahead

    def _collect(self, journal: Journal) -> list[Reply]:
        """Commit everything that arrived in this step, and hand it on."""
        arrived, self._done = self._done[:AT_ONCE], self._done[AT_ONCE:]
        if not arrived:
            return []
        journal.settle(arrived)
        if any(r.state == "received" for r in arrived):
            self._has_answer = True
            self._refusals = 0
        handed = [r for r in arrived if r.state == "received" or not r.error.startswith("park ")]
        self._turned_away += [r for r in arrived if r.state != "received" and r.error.startswith("park ")]
        if self._has_answer:
            return handed + self._release()
        if len(self._turned_away) >= FIRST_ALIKE and self._refused is None:
            error = self._turned_away[0].error.removeprefix("park ")
            self._refused = Fault("stop", False, "first requests", error)
        return handed

    def _release(self) -> list[Reply]:
        """Requests that were turned away one by one, once it is clear that it is a matter of each alone."""
        released, self._turned_away = self._turned_away, []
        return released

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

    def _count(self, fault: Fault) -> None:
        if fault.action == "stop":
            self._refusals += 1
            if self._refusals >= REFUSALS or not self._has_answer:
                self._refused = fault
        elif fault.is_lost and self._circuit.is_open:
            self._away = f"No complete answer from {self._server.base_url} ({fault.said})"

    def _raise_if_over(self) -> None:
        if self._refused is not None:
            fault = self._refused
            raise EngineRefused(
                f"The server refuses ({fault.said}). {_advice(fault, self._settings)} "
                "Nothing is lost; the same command goes on."
            )
        if self._away:
            raise NetworkAway(f"{self._away}; everything received is stored. Try the same command again later.")


class _Tries:
    """How far a request is: the call and number of its present attempt, what went wrong, and what counts."""

    def __init__(self, call: int, number: int) -> None:
        self.call, self.number = call, number
        self.fault = CUT_OFF
        self.counted = 0


def _advice(fault: Fault, settings: ServerSettings) -> str:
    """What to do about a refusal."""
    if fault.code in ("invalid_api_key", "401", "403"):
        return f"Check the key in {settings.api_key_env}."
    if fault.code == "model_not_found":
        return f'There is no model "{settings.model}" there; name another with --model.'
    if fault.status == 404:
        return "Check --base-url (it usually ends in /v1) and --model."
    if fault.code == "redirect":
        return "Check --base-url."
    if fault.code == "first requests":
        return "Check --model and the [server] settings."
    return "Check the account's balance and limits."
