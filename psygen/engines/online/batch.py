"""The provider's Batch API: a file of requests goes up, a batch is made of it, files of results come down.

A batch carries our own key in its metadata, so that one whose id was lost in a crash is found again instead of being
made, and billed, twice. Only what surely did nothing is tried again here; what may have made a batch is left to the
next command, which looks for it first.
"""

import contextlib
import os
import random
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

import httpx2
import openai
from tenacity import RetryCallState, Retrying, retry_if_exception, stop_after_attempt

from psygen.engines.online.faults import Fault, fault_of
from psygen.engines.online.server import Server
from psygen.errors import EngineRefused, NetworkAway, PsygenError

ENDPOINT = "/v1/chat/completions"
"""What every line of a batch asks for; the provider's own path, whatever the base URL says."""
METADATA = "psygen_batch"
ENDED = frozenset(["completed", "failed", "expired", "cancelled"])
"""Statuses after which a batch does not change any more."""
ATTEMPTS = 4
PAGE = 100
"""Batches a page when one is looked for."""
LONGEST_WAIT_S = 60.0

T = TypeVar("T")


class FileGone(PsygenError):
    """The provider has no such file any more."""

    exit_code = 5


class Batch(NamedTuple):
    """A batch as the provider describes it."""

    id: str
    status: str
    """validating, in_progress, finalizing, completed, failed, expired, cancelling, cancelled."""
    key: str
    """Our key in its metadata; empty for a batch of somebody else."""
    input_file: str
    output_file: str
    """Answers; empty when there are none."""
    error_file: str
    """Lines without an answer; empty when there are none."""
    total: int
    completed: int
    failed: int
    messages: tuple[str, ...]
    """Why the whole file was refused, with the line numbers."""

    @property
    def has_ended(self) -> bool:
        """Whether its results are final."""
        return self.status in ENDED


class _Failed(Exception):
    """An exchange that failed, with what it means."""

    def __init__(self, fault: Fault) -> None:
        self.fault = fault
        super().__init__(fault.code)


class BatchService:
    """Files and batches of one server. Use as a context manager.

    Every method raises EngineRefused for a refusal (key, quota, no such API) and NetworkAway when nobody answers.
    """

    def __init__(self, server: Server, *, timeout_s: float, sleep: Callable[[float], None] = time.sleep) -> None:
        self._server = server
        self._sleep = sleep
        self._chance = random.Random()
        timeout = openai.Timeout(timeout_s, connect=10.0)
        http = openai.DefaultHttpxClient(timeout=timeout, follow_redirects=False, trust_env=not server.is_loopback)
        self._client = openai.OpenAI(
            api_key=server.key,
            base_url=server.base_url,
            organization="",
            project="",
            max_retries=0,
            timeout=timeout,
            http_client=http,
        )

    def __enter__(self) -> "BatchService":
        return self

    def __exit__(self, *_: object) -> None:
        self._client.close()

    @property
    def base_url(self) -> str:
        """Where the batches are."""
        return self._server.base_url

    def upload(self, path: Path) -> str:
        """Send a file of requests; its id there. Costs nothing, so a lost answer is simply asked for again."""

        def send() -> str:
            with path.open("rb") as file:
                found = self._client.files.create(file=(path.name, file), purpose="batch")
            return _text(getattr(found, "id", ""))

        file_id = self._exchange(send, is_safe=True)
        if not file_id:
            raise self._not_understood("uploading a file")
        return file_id

    def create(self, file_id: str, key: str) -> Batch:
        """Make a batch of an uploaded file. Call `find` first: this is the step that is billed."""
        body = {
            "input_file_id": file_id,
            "endpoint": ENDPOINT,
            "completion_window": "24h",
            "metadata": {METADATA: key},
        }

        def send() -> httpx2.Response:
            return self._client.post("/batches", cast_to=httpx2.Response, body=body)

        return self._batch(self._exchange(send, is_safe=False))

    def find(self, key: str) -> Batch | None:
        """The batch that carries our key, looked for page by page, the newest first."""
        after = ""
        while True:
            query = {"limit": str(PAGE)} | ({"after": after} if after else {})
            page = self._json(self._get("/batches", query))
            found = [_batch(value) for value in page.get("data") or () if isinstance(value, dict)]
            for batch in found:
                if batch.key == key:
                    return batch
            if not page.get("has_more") or not found or found[-1].id == after:
                return None
            after = found[-1].id

    def retrieve(self, batch_id: str) -> Batch:
        """How a batch stands."""
        return self._batch(self._get(f"/batches/{batch_id}"))

    def cancel(self, batch_id: str) -> Batch:
        """Ask for the end of a batch; what is finished by then is billed and can be collected."""

        def send() -> httpx2.Response:
            return self._client.post(f"/batches/{batch_id}/cancel", cast_to=httpx2.Response)

        return self._batch(self._exchange(send, is_safe=True))

    def download(self, file_id: str, path: Path) -> None:
        """Stream a file to `path`, which appears whole or not at all. Raises FileGone when it is deleted there."""

        def fetch() -> None:
            with (
                _whole_file(path) as target,
                self._client.files.with_streaming_response.content(file_id) as response,
            ):
                for piece in response.iter_bytes(2**16):
                    target.write(piece)

        self._exchange(fetch, is_safe=True, gone=file_id)

    # One exchange

    def _get(self, path: str, query: Mapping[str, str] | None = None) -> httpx2.Response:
        def send() -> httpx2.Response:
            options: Any = {"params": dict(query or {})}
            return self._client.get(path, cast_to=httpx2.Response, options=options)

        return self._exchange(send, is_safe=True)

    def _exchange(self, send: Callable[[], T], *, is_safe: bool, gone: str = "") -> T:
        """Do one thing with a few attempts.

        is_safe: doing it twice does no harm; else only what surely had no effect is tried again.
        gone: the file whose absence is no refusal.
        """

        def again(error: BaseException) -> bool:
            return (
                isinstance(error, _Failed) and error.fault.action == "retry" and (is_safe or not error.fault.is_billed)
            )

        attempts = Retrying(
            stop=stop_after_attempt(ATTEMPTS),
            retry=retry_if_exception(again),
            wait=self._wait,
            sleep=self._sleep,
            reraise=True,
        )
        try:
            for attempt in attempts:
                with attempt:
                    try:
                        return send()
                    except (openai.OpenAIError, httpx2.HTTPError, TimeoutError) as error:
                        raise _Failed(_fault(error)) from error
        except _Failed as failed:
            raise self._translated(failed.fault, gone) from failed.__cause__
        raise AssertionError("tenacity ends with a value or an error")

    def _wait(self, state: RetryCallState) -> float:
        """Never earlier than the server asks; else full jitter below an exponential bound."""
        error = state.outcome.exception() if state.outcome else None
        asked = error.fault.retry_after_s if isinstance(error, _Failed) else None
        if asked is not None:
            return min(LONGEST_WAIT_S, asked)
        return self._chance.uniform(0, min(LONGEST_WAIT_S, 2.0 ** (state.attempt_number - 1)))

    def _translated(self, fault: Fault, gone: str) -> PsygenError:
        if gone and fault.status == 404:
            return FileGone(f"The provider has no file {gone} any more ({fault.said}).")
        if fault.action == "retry":
            return NetworkAway(
                f"No answer from {self.base_url} ({fault.said}); everything so far is noted. "
                "Try the same command again later."
            )
        advice = "Check the key, the account's balance and limits."
        if fault.status in (404, 405, 501):
            advice = "If this server has no Batch API, use --engine online, or psygen batch write for other machines."
        return EngineRefused(f"The server refuses ({fault.said}). {advice} Nothing is lost; the same command goes on.")

    def _batch(self, response: httpx2.Response) -> Batch:
        batch = _batch(self._json(response))
        if not batch.id:
            raise self._not_understood("asking for a batch")
        return batch

    def _json(self, response: httpx2.Response) -> dict[str, Any]:
        try:
            value = response.json()
        except ValueError:
            value = None
        if not isinstance(value, dict):
            raise self._not_understood("asking for batches")
        return value

    def _not_understood(self, doing: str) -> NetworkAway:
        return NetworkAway(
            f"{self.base_url} answers {doing} with something else than the Batch API's JSON (a sign-in page?). "
            "Check the network and try the same command again."
        )


def _fault(error: Exception) -> Fault:
    """As fault_of; a stream that breaks while it is read raises the transport's own errors."""
    if isinstance(error, httpx2.HTTPError):
        return Fault("retry", True, "connection", type(error).__name__)
    return fault_of(error)


def _batch(value: Mapping[str, Any]) -> Batch:
    """A batch from the provider's JSON; what is missing or odd counts as empty."""
    metadata = value.get("metadata")
    counts = value.get("request_counts")
    errors = value.get("errors")
    data = errors.get("data") if isinstance(errors, dict) else None
    return Batch(
        id=_text(value.get("id")),
        status=_text(value.get("status")),
        key=_text(metadata.get(METADATA)) if isinstance(metadata, dict) else "",
        input_file=_text(value.get("input_file_id")),
        output_file=_text(value.get("output_file_id")),
        error_file=_text(value.get("error_file_id")),
        total=_count(counts, "total"),
        completed=_count(counts, "completed"),
        failed=_count(counts, "failed"),
        messages=tuple(_message(e) for e in data if isinstance(e, dict)) if isinstance(data, list) else (),
    )


def _message(error: Mapping[str, Any]) -> str:
    line = error.get("line")
    place = f"line {line}: " if isinstance(line, int) else ""
    return " ".join(f"{place}{_text(error.get('code'))} {_text(error.get('message'))}".split())[:300]


def _text(value: object) -> str:
    return value if isinstance(value, str) else ""


def _count(counts: object, name: str) -> int:
    value = counts.get(name) if isinstance(counts, dict) else None
    return value if isinstance(value, int) else 0


@contextlib.contextmanager
def _whole_file(path: Path) -> Iterator[Any]:
    """A file opened for bytes beside `path`, which it becomes once all is written."""
    path.parent.mkdir(parents=True, exist_ok=True)
    handle, temporary = tempfile.mkstemp(prefix=f".{path.name}.", dir=path.parent)
    try:
        with os.fdopen(handle, "wb") as file:
            yield file
            file.flush()
            os.fsync(file.fileno())
        os.replace(temporary, path)
    finally:
        if os.path.exists(temporary):
            os.unlink(temporary)
