"""The online engine: many requests at once on one event loop, each attempt noted before it is sent.

The loop runs in steps. While it stands still, the caller reads and stores what came; a step ends as soon as anything
has arrived, and everything that arrived in it is committed at once. No reply waits for another to be stored.
What may leave when is the business of `pace` and `circuit`; whether a fault is tried again that of `faults`.
"""

import asyncio
import random
import time
from collections.abc import Callable, Iterator

import httpx2
import openai

from psygen.engines.base import Journal, Source
from psygen.engines.online.attempts import TICK_S, Attempts, Tell
from psygen.engines.online.circuit import Circuit
from psygen.engines.online.faults import Fault
from psygen.engines.online.pace import Pace
from psygen.engines.online.server import Server
from psygen.errors import EngineRefused, NetworkAway
from psygen.records.exchange import Reply, Request
from psygen.settings import ServerSettings

REFUSALS = 3
"""Answered refusals in a row (key, quota, model) that end a run; requests in flight come on top."""
FIRST_ALIKE = 5
"""When so many first requests are all turned away one by one, it is no matter of one prompt."""
GRACE_S = 4.0
"""How long requests in flight are waited for once a run is refused."""
DRAIN_S = 120.0
"""How long they are waited for after a signal, or when the server wants a long pause: they are paid for."""
SLEPT_S = 60.0
"""A wall clock that ran ahead by so much: the machine was asleep."""
LOOK_S = 0.5
"""How long a step waits at most before somebody looks whether the run shall end."""
AT_ONCE = 32
"""Replies handed on at once; more would keep the loop, and so the server, waiting."""


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
        self._pace = Pace(settings.concurrency, clock)
        self._circuit = Circuit(settings.patience_s, clock, self._chance)
        self._attempts = Attempts(
            settings,
            self._pace,
            self._circuit,
            is_over=self._is_over,
            chance=self._chance,
            clock=clock,
            tell=tell,
        )
        self._done: list[Reply] = []
        # Stored already, and not handed on yet.
        self._settled: list[Reply] = []
        # Taken to see whether there is anything left, and sent first.
        self._ahead: list[Request] = []
        self._broken: Exception | None = None
        self._refused: Fault | None = None
        self._refusals = 0
        self._turned_away: list[Reply] = []
        self._lead_s = time.time() - clock()
        self._drain_until = 0.0

    def ask(self, source: Source, journal: Journal) -> Iterator[list[Reply]]:
        """Replies as they come (see engines.base).

        Raises EngineRefused when the provider refuses everything, NetworkAway when nobody answers for too long or the
        server asks to wait longer than anybody wants to; in each case after handing out what came before. Whatever the
        journal raises ends it at once.
        """
        with asyncio.Runner() as runner:
            self._arrived = asyncio.Event()
            client = runner.run(self._open())
            tasks: set[asyncio.Task[None]] = set()
            try:
                while True:
                    if self._broken is not None:
                        raise self._broken
                    self._notice_sleep()
                    self._launch(runner, client, tasks, source, journal)
                    if not tasks and not self._done and not self._settled:
                        if not self._is_held() or not self._has_next(source) or self._is_over():
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
        """Send as many requests as concurrency, pace and circuit leave room for.

        Answers not yet stored count as if they were still in flight: so many calls at most are in doubt after a crash.
        """
        unsettled = len(tasks) + len(self._done)
        most = 0 if self._is_over() else min(self._settings.concurrency - unsettled, self._room(bool(tasks)))
        if most <= 0:
            return
        requests = [*self._ahead, *source.take(most - len(self._ahead))]
        self._ahead = []
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

    def _has_next(self, source: Source) -> bool:
        """Whether a run that is held has anything to wait for, and whether that is worth the wait."""
        self._ahead = self._ahead or source.take(1)
        wait = self._pace.wait_s()
        if self._ahead and wait > self._settings.patience_s:
            self._attempts.away = f"The server's limits ask to wait {wait:,.0f} s"
            self._attempts.is_asked_to_wait = True
        return bool(self._ahead)

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
        if self._refused is not None or self._attempts.away:
            if tasks:
                grace_s = DRAIN_S if self._attempts.is_asked_to_wait and self._refused is None else GRACE_S
                await asyncio.wait(list(tasks), timeout=grace_s)
            await self._cancel(tasks)
            return
        if self._is_stopping():
            self._drain_until = self._drain_until or self._clock() + DRAIN_S
            if self._clock() >= self._drain_until:
                await self._cancel(tasks)
                return
        if not self._done and not self._settled:
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
        """Have a request answered or given up; puts at most one reply among the done ones."""
        try:
            reply, fault = await self._attempts.answer(client, request, call, number, journal)
        except Exception as error:  # noqa: BLE001  (raised again by `ask`; here nobody would hear of it)
            self._broken = error
        else:
            if reply is not None:
                self._done.append(reply)
            if fault is not None:
                self._count(fault)
        self._arrived.set()

    # Between steps

    def _is_over(self) -> bool:
        """Whether nothing more may be sent in this run."""
        if self._circuit.is_given_up and not self._attempts.away:
            self._attempts.away = f"No answer from {self._server.base_url}"
        return self._refused is not None or bool(self._attempts.away) or self._is_stopping()

    def _notice_sleep(self) -> None:
        """After the machine slept, all connections fail at once: what is tried again is spread over a few seconds."""
        ahead = time.time() - self._clock() - self._lead_s
        if ahead > SLEPT_S:
            self._pace.hold(self._chance.uniform(0, 5))
        self._lead_s += ahead

    def _collect(self, journal: Journal) -> list[Reply]:
        """Commit everything that arrived in this step, and hand on the next part of what is committed."""
        if self._done:
            journal.settle(self._done)
            self._settled += self._done
            self._done = []
        arrived, self._settled = self._settled[:AT_ONCE], self._settled[AT_ONCE:]
        if any(r.state == "received" for r in arrived):
            self._attempts.has_answer = True
            self._refusals = 0
        handed = [r for r in arrived if r.state == "received" or not r.error.startswith("park ")]
        self._turned_away += [r for r in arrived if r.state != "received" and r.error.startswith("park ")]
        if self._attempts.has_answer:
            return handed + self._release()
        if len(self._turned_away) >= FIRST_ALIKE and self._refused is None:
            error = self._turned_away[0].error.removeprefix("park ")
            self._refused = Fault("stop", False, "first requests", error)
        return handed

    def _release(self) -> list[Reply]:
        """Requests that were turned away one by one, once it is clear that it is a matter of each alone."""
        released, self._turned_away = self._turned_away, []
        return released

    def _count(self, fault: Fault) -> None:
        if fault.action == "stop":
            self._refusals += 1
            if self._refusals >= REFUSALS or not self._attempts.has_answer:
                self._refused = fault

    def _raise_if_over(self) -> None:
        if self._refused is not None:
            fault = self._refused
            raise EngineRefused(
                f"The server refuses ({fault.said}). {_advice(fault, self._settings)} "
                "Nothing is lost; the same command goes on."
            )
        if self._attempts.away:
            raise NetworkAway(
                f"{self._attempts.away}; everything received is stored. Try the same command again later."
            )


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
