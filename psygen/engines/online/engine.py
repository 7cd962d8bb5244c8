"""The online engine: many requests at once on one event loop, each attempt noted before it is sent.

The loop runs in steps. While it stands still, the caller reads and stores what came; a step ends as soon as anything
has arrived, and everything that arrived in it is committed at once. No reply waits for another to be stored.
"""

import asyncio
import random
from collections.abc import Callable, Iterator

import httpx2
import openai
from tenacity import AsyncRetrying, RetryCallState, retry_if_exception, stop_after_attempt

from psygen.engines.base import Journal, Source
from psygen.engines.online.faults import Fault, fault_of
from psygen.engines.online.server import Server
from psygen.errors import EngineRefused, NetworkAway
from psygen.records.exchange import Reply, Request
from psygen.settings import ServerSettings

REFUSALS = 3
"""Answered refusals in a row (key, quota, model) that end a run; requests in flight come on top."""
FIRST_ALIKE = 5
"""When so many first requests are all turned away one by one, it is no matter of one prompt."""
AWAY = 5
"""Requests in a row that were given up for want of an answer: then nobody is there."""
GRACE_S = 4.0
"""How long requests in flight are waited for once a run is refused."""
LONGEST_WAIT_S = 900.0
BACK_OFF_CAP_S = 60.0
TICK_S = 0.2
AT_ONCE = 32
"""Replies handed on at once; more would keep the loop, and so the server, waiting."""


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
    ) -> None:
        self._server = server
        self._settings = settings
        self._is_stopping = is_stopping
        self._chance = chance or random.Random()
        self._done: list[Reply] = []
        self._refused: Fault | None = None
        self._refusals = self._away = 0
        self._turned_away: list[Reply] = []
        self._has_answer = False

    def ask(self, source: Source, journal: Journal) -> Iterator[list[Reply]]:
        """Replies as they come (see engines.base).

        Raises EngineRefused when the provider refuses everything, NetworkAway when nobody answers; in both cases after
        handing out what came before.
        """
        with asyncio.Runner() as runner:
            self._arrived = asyncio.Event()
            client = runner.run(self._open())
            tasks: set[asyncio.Task[None]] = set()
            try:
                while True:
                    self._launch(runner, client, tasks, source, journal)
                    if not tasks and not self._done:
                        break
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
        self._raise_if_refused()

    # Inside the loop

    def _launch(
        self,
        runner: asyncio.Runner,
        client: openai.AsyncOpenAI,
        tasks: set[asyncio.Task[None]],
        source: Source,
        journal: Journal,
    ) -> None:
        if self._refused is not None or self._away >= AWAY:
            return
        requests = source.take(self._settings.concurrency - len(tasks))
        if not requests:
            return
        loop = runner.get_loop()
        for request, call in zip(requests, journal.intend(requests), strict=True):
            task = loop.create_task(self._answer(client, request, call, journal))
            tasks.add(task)
            task.add_done_callback(tasks.discard)

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
        left = list(tasks)
        for task in left:
            task.cancel()
        await asyncio.gather(*left, return_exceptions=True)
        await client.close()

    async def _step(self, tasks: set[asyncio.Task[None]]) -> None:
        """Until something arrived; at most the grace time once the run is refused."""
        if self._refused is not None or self._away >= AWAY:
            left = list(tasks)
            if left:
                await asyncio.wait(left, timeout=GRACE_S)
            for task in left:
                task.cancel()
            await asyncio.gather(*left, return_exceptions=True)
            return
        if not self._done:
            await self._arrived.wait()
        self._arrived.clear()
        # One more turn of the loop, so that what arrives together is committed together.
        await asyncio.sleep(0)

    async def _answer(self, client: openai.AsyncOpenAI, request: Request, call: int, journal: Journal) -> None:
        """Attempt a request until it has an answer or is given up; puts exactly one reply among the done ones."""
        calls = [call]
        fault = Fault("retry", True, "cancelled", "cut off at the end of the run")
        try:
            async for attempt in self._attempts():
                with attempt:
                    if attempt.retry_state.attempt_number > 1:
                        calls.append(journal.intend([request])[0])
                    try:
                        raw = await self._post(client, request)
                    except Exception as error:  # noqa: BLE001  (every fault of the exchange is sorted by fault_of)
                        fault = self._sorted(fault_of(error), request)
                        if fault.action == "retry" and attempt.retry_state.attempt_number < self._settings.attempts:
                            journal.settle([self._failure(request, calls[-1], fault)])
                        raise _Failed(fault) from None
            self._done.append(Reply(request_id=request.id, call_id=calls[-1], state="received", raw=raw, status=200))
        except _Failed:
            self._done.append(self._failure(request, calls[-1], fault))
            self._count(fault)
        except _Stopping:
            # The last attempt is settled already; the unit stays as it is.
            pass
        except asyncio.CancelledError:
            self._done.append(self._failure(request, calls[-1], fault))
        self._arrived.set()

    def _sorted(self, fault: Fault, request: Request) -> Fault:
        """The fault, taken for a matter of form as long as no request of that server went through."""
        is_first = fault.action == "park" and fault.status in (400, 415, 422, 501) and not self._has_answer
        return fault._replace(action="form") if is_first and "response_format" in request.body else fault

    async def _post(self, client: openai.AsyncOpenAI, request: Request) -> bytes:
        """The raw body of one answer with status 200. Raises what the client raises."""
        async with asyncio.timeout(self._settings.timeout_s):
            # Not chat.completions.create: its walk over parameters and response costs more than the exchange.
            response = await client.post("/chat/completions", cast_to=httpx2.Response, body=dict(request.body))
        return response.content

    def _attempts(self) -> AsyncRetrying:
        return AsyncRetrying(
            stop=stop_after_attempt(self._settings.attempts),
            retry=retry_if_exception(lambda e: isinstance(e, _Failed) and e.fault.action == "retry"),
            wait=self._wait,
            sleep=self._sleep,
            reraise=True,
        )

    def _wait(self, state: RetryCallState) -> float:
        """Never earlier than the server asks; else full jitter below an exponential bound."""
        error = state.outcome.exception() if state.outcome else None
        asked = error.fault.retry_after_s if isinstance(error, _Failed) else None
        if asked is not None:
            return min(LONGEST_WAIT_S, asked + self._chance.uniform(0, min(1.0, asked)))
        return self._chance.uniform(0, min(BACK_OFF_CAP_S, 2.0 ** (state.attempt_number - 1)))

    async def _sleep(self, seconds: float) -> None:
        """Wait in ticks, so that a stop is noticed. Raises _Stopping."""
        end = asyncio.get_running_loop().time() + seconds
        while (left := end - asyncio.get_running_loop().time()) > 0:
            if self._is_stopping() or self._refused is not None:
                raise _Stopping
            await asyncio.sleep(min(TICK_S, left))
        if self._is_stopping() or self._refused is not None:
            raise _Stopping

    # Between steps

    def _collect(self, journal: Journal) -> list[Reply]:
        """Commit everything that arrived in this step, and hand it on."""
        arrived, self._done = self._done[:AT_ONCE], self._done[AT_ONCE:]
        journal.settle(arrived)
        if any(r.state == "received" for r in arrived):
            self._has_answer = True
            self._refusals = self._away = 0
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

    def _failure(self, request: Request, call: int, fault: Fault) -> Reply:
        return Reply(
            request_id=request.id,
            call_id=call,
            state="unknown" if fault.is_billed else "failed",
            status=fault.status,
            error=f"{fault.action} {fault.said}",
        )

    def _count(self, fault: Fault) -> None:
        if fault.action == "stop":
            self._refusals += 1
            if self._refusals >= REFUSALS or not self._has_answer:
                self._refused = fault
        elif fault.action == "retry":
            self._away += 1

    def _raise_if_refused(self) -> None:
        if self._refused is not None:
            fault = self._refused
            raise EngineRefused(
                f"The server refuses ({fault.said}). {_advice(fault, self._settings)} "
                "Nothing is lost; the same command goes on."
            )
        if self._away >= AWAY:
            raise NetworkAway(
                f"No answer from {self._server.base_url} to {AWAY} requests in a row; "
                "everything received is stored. Try the same command again later."
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
