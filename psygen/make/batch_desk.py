"""The desk between store and provider: requests become submissions, batches that ended become answers.

A kill between any two steps leaves a submission that the next command finishes: it looks for a batch with its key
before it makes one. So one key is never billed twice.
"""

import contextlib
import time
from collections.abc import Iterable, Iterator
from pathlib import Path

from psygen.crash import crash_point
from psygen.engines.online.batch import Batch, BatchService, FileGone
from psygen.engines.online.server import Server
from psygen.errors import BudgetSpent, EngineRefused, InputError
from psygen.files.batch_lines import MOST_BYTES, MOST_REQUESTS, Result, in_parts, read_results, request_line
from psygen.files.items import write_lines
from psygen.ids import canonical_json
from psygen.make.generate import Job
from psygen.make.plan import Plan
from psygen.make.results import SHOWN, Say, StoredWork, Tally, keep_and_read, sorted_lines
from psygen.make.tasks import OnlineTasks
from psygen.make.work import Work
from psygen.prices import Price, price_of
from psygen.records.exchange import Profile, Request
from psygen.runner import Stop, listening, lock
from psygen.settings import Settings
from psygen.store.database import Store
from psygen.store.lastrun import refuse_step_back
from psygen.store.money import Spent
from psygen.store.submissions import Call, Submission, Submissions, Unanswered, at_once

AT_ONCE = 500
"""Units whose requests are made and noted at once."""
PAUSE_S = 30.0
"""Between two looks at batches under way."""
ONE_BY_ONE = frozenset([400, 413, 422])
"""Statuses of a line that speak of its request alone."""


class _Purse:
    """What the requests of a batch may cost at most, at the batch price, and whether the cap has room for them."""

    def __init__(self, price: Price | None, cap: int | None, spent: Spent) -> None:
        """cap: micro-USD over all runs; there is none where nobody knows the price."""
        self._price, self._cap, self._left = price, cap, (cap or 0) - spent.certain - spent.in_doubt
        self.reserved: dict[str, int | None] = {}
        self.is_empty = False

    def those_that_fit(self, requests: Iterable[Request]) -> Iterator[Request]:
        """Requests until the cap has no room for the next one; what each may cost stands in `reserved`."""
        for request in requests:
            most = None if self._price is None else self._price.reserve(request.body, batch=True)
            if self._cap is not None and most is not None:
                if most > self._left:
                    self.is_empty = True
                    return
                self._left -= most
            self.reserved[request.id] = most
            yield request

    def error(self, asked: int) -> BudgetSpent:
        """How a command ends whose cap is reached."""
        return BudgetSpent(
            f"The cap of {(self._cap or 0) / 1e6:,.2f} USD leaves no room for another request; {asked:,} were "
            "submitted now. What a batch may cost at most is set aside until it ends: collect, or raise --max-cost, "
            "and repeat."
        )


class Desk:
    """The store and the provider side by side, for the length of one command."""

    def __init__(
        self, settings: Settings, store: Store, service: BatchService, stop: Stop, say: Say, *, pause_s: float = PAUSE_S
    ) -> None:
        self.settings, self.store, self.service, self.stop, self.say = settings, store, service, stop, say
        self.pause_s = pause_s
        self.submissions = Submissions(store.writing)
        self.tally = Tally()
        self.refusals: list[str] = []

    @property
    def folder(self) -> Path:
        """Where files of requests and results lie while they are of use."""
        return self.settings.outputs / "batches"

    def open(self) -> list[Submission]:
        """Submissions whose results are to come, of this server. Raises InputError for one of another server."""
        found = [s for s in self.submissions.all() if s.is_open]
        if others := sorted({s.base_url for s in found if s.base_url != self.service.base_url}):
            raise InputError(
                f"There are batches at {', '.join(others)}, and the server now is {self.service.base_url}. "
                f"Say --base-url {others[0]} (with its key) to collect or cancel them first."
            )
        return found

    # Towards the provider

    def advance(self, one: Submission) -> None:
        """Bring a submission to the provider, unless its batch is there already.

        One that is refused before it was ever sent (no such API, no key) is forgotten: its units are open again.
        """
        if one.state == "submitted":
            return
        try:
            batch = self.service.find(one.id)
            if batch is not None:
                self.say(f"batch {batch.id} was there already, with the key {one.id}; adopted.")
            else:
                batch = self._send(one)
        except EngineRefused as error:
            if self.submissions.get(one.id).state == "prepared":
                self.submissions.end(one.id, "failed", "refused", str(error), call_state="failed")
            raise
        self.submissions.submitted(one.id, batch.id, batch.status)
        self.say(f"batch {batch.id}: {one.requests:,} requests at {self.service.base_url}.")

    def found(self, one: Submission) -> Batch | None:
        """The batch of a submission whose id was never noted; None also where one that was never sent is refused."""
        try:
            return self.service.find(one.id)
        except EngineRefused:
            if one.state == "prepared":
                return None
            raise

    def _send(self, one: Submission) -> Batch:
        path = self.folder / f"psygen-{one.id}.jsonl"
        try:
            write_lines(path, (request_line(i, body) for i, body in self.submissions.lines(one.id)))
            input_file = self.service.upload(path)
        finally:
            path.unlink(missing_ok=True)
        crash_point("after_upload")
        self.submissions.uploaded(one.id, input_file)
        batch = self.service.create(input_file, one.id)
        crash_point("after_batch_create")
        return batch

    def submit(self, job: Job, plan: Plan, run_id: int, limit: int | None) -> tuple[int, int]:
        """Note and send the requests of every open unit; how many requests in how many batches.

        Raises BudgetSpent once what fits under the cap is sent.
        """
        profile = asked_as(job.profile)
        purse = _Purse(job.price, job.cap_micro_usd, self.store.spent())
        asked = parts = 0
        requests = purse.those_that_fit(requests_of(job, plan, self.store, limit))
        for part in in_parts(self._noted(requests), most=MOST_REQUESTS, most_bytes=MOST_BYTES):
            calls = [Call(i, purse.reserved.pop(i)) for i in part]
            key = self.submissions.prepare(run_id, profile.id, self.service.base_url, parts, calls)
            self.advance(self.submissions.get(key))
            asked, parts = asked + len(part), parts + 1
            if self.stop.is_requested:
                raise self.stop.error()
        if purse.is_empty:
            raise purse.error(asked)
        return asked, parts

    def _noted(self, requests: Iterable[Request]) -> Iterator[tuple[str, int]]:
        """Requests stored, each with the length of its line in bytes."""
        for some in at_once(requests, AT_ONCE):
            self.submissions.note_requests(some)
            for request in some:
                yield request.id, len(request_line(request.id, canonical_json(request.body)).encode())

    # Back from the provider

    def settle(self) -> list[Submission]:
        """Bring every open submission as far as it goes; those whose results are still to come.

        Raises EngineRefused when a whole batch was turned away.
        """
        left = []
        for one in self.open():
            self.advance(one)
            one = self.submissions.get(one.id)
            if not self.collect(one):
                left.append(one)
            if self.stop.is_requested:
                raise self.stop.error()
        if self.refusals:
            raise EngineRefused("\n".join(self.refusals))
        return left

    def collect(self, one: Submission) -> bool:
        """Fetch the results of a submission if its batch has ended; whether it is settled now."""
        batch = self.service.retrieve(one.batch)
        self.submissions.noticed(one.id, batch.status)
        if not batch.has_ended:
            status = batch.status or "no status"
            self.say(f"batch {batch.id}: {status}, {batch.completed:,} of {one.requests:,} answered.")
            return False
        if batch.status == "failed":
            self._refused(one, batch)
            return True
        before = self.tally.answers + self.tally.held
        try:
            turned_away = self._results(one, batch)
        except FileGone as error:
            self._lost(one, batch, error)
            return True
        came = self.tally.answers + self.tally.held - before
        self._give_up(batch, turned_away, came)
        call_state = "failed" if batch.status in ("expired", "cancelled") else "unknown"
        left = self.submissions.end(one.id, "collected", batch.status, "", call_state=call_state)
        self.tally.failed += left if call_state == "failed" else 0
        self.tally.unknown += left if call_state == "unknown" else 0
        rest = _open_end(left, call_state)
        self.say(f"batch {batch.id}: {batch.status}, {came:,} of {one.requests:,} answered{rest}.")
        return True

    def _results(self, one: Submission, batch: Batch) -> list[Result]:
        """Fetch and read both files of an ended batch; the requests that were turned away for what they say."""
        profile = profile_of(one.profile)
        work = StoredWork(self.store, self.submissions, profile, one.seed)
        price = price_of(profile.model, one.base_url, self.settings.prices)
        turned_away: list[Result] = []
        try:
            for name, file_id in (("answers", batch.output_file), ("errors", batch.error_file)):
                if file_id:
                    path = self.folder / f"psygen-{one.id}.{name}.jsonl"
                    self.service.download(file_id, path)
                    turned_away += self._read_file(path, one, work, price)
        finally:
            self.tally.compare(self.store, work)
        return turned_away

    def _read_file(self, path: Path, one: Submission, work: StoredWork, price: Price | None) -> list[Result]:
        """Keep and read a file of results; it stays on disk when lines of it are not ours."""
        tally, turned_away = self.tally, []
        strange = tally.strangers + tally.unreadable
        for lines in sorted_lines(read_results(path)):
            keep_and_read(self.store, work, lines.answers, tally, price=price, run_id=one.run_id, key=one.id)
            ours = self.submissions.note_unanswered(one.id, [_unanswered(r) for r in lines.others])
            tally.failed += ours
            known = self.submissions.profiles(r.custom_id for r in lines.others)
            tally.strangers += sum(r.custom_id not in known for r in lines.others)
            tally.unreadable += len(lines.unreadable)
            for result in lines.others:
                tally.note(result.error)
            turned_away += [r for r in lines.others if r.status in ONE_BY_ONE]
            if self.stop.is_requested:
                raise self.stop.error()
        if tally.strangers + tally.unreadable > strange:
            self.say(f"{path} holds lines that are no answer to a request of this batch; it is kept.")
        else:
            path.unlink(missing_ok=True)
        return turned_away

    def _give_up(self, batch: Batch, turned_away: list[Result], came: int) -> None:
        """Park units whose request the server does not take; not when it took none at all."""
        if turned_away and not came:
            self.refusals.append(
                f"batch {batch.id}: every request was turned away ({turned_away[0].error}). Check --model and the "
                "[server] settings (form, output limit); nothing was billed, and the same command asks again."
            )
            return
        for result in turned_away:
            self.tally.parked += self.submissions.park_units([result.custom_id], result.error)

    def _refused(self, one: Submission, batch: Batch) -> None:
        """The whole file was refused before any of it was asked: nothing is billed, every unit is open again."""
        said = "; ".join(batch.messages[:SHOWN]) or "the provider does not say why"
        self.tally.failed += self.submissions.end(one.id, "failed", batch.status, said, call_state="failed")
        self.refusals.append(
            f"batch {batch.id} was refused as a whole: {said}. Nothing was billed; correct that, and the same command "
            "asks again."
        )

    def _lost(self, one: Submission, batch: Batch, error: FileGone) -> None:
        """The results are gone: perhaps billed, so nobody asks again unless the user says so."""
        self.tally.unknown += self.submissions.end(one.id, "lost", batch.status, str(error), call_state="unknown")
        reason = f"the results of batch {batch.id} are gone at the provider; asking again costs again"
        self.tally.parked += self.submissions.park_lost(one.id, reason)
        self.say(f"batch {batch.id}: {error} Its requests were perhaps billed; psygen retry asks them again.")

    def wait(self, left: list[Submission]) -> None:
        """Until the next look at batches under way. Raises Stopped after a signal."""
        self.say(f"{len(left):,} batches under way; looking again in {self.pause_s:g} s. Ctrl-C leaves them running.")
        until = time.monotonic() + self.pause_s
        while (rest := until - time.monotonic()) > 0:
            if self.stop.is_requested:
                raise self.stop.error()
            time.sleep(min(0.2, rest))


@contextlib.contextmanager
def desk_of(settings: Settings, server: Server, say: Say, *, pause_s: float = PAUSE_S) -> Iterator[Desk]:
    """Store and provider, opened under the run lock, signals heard."""
    stop = Stop()
    with lock(settings.database):
        refuse_step_back(settings.database)
        with (
            Store(settings.database) as store,
            listening(stop),
            BatchService(server, timeout_s=settings.server.timeout_s) as service,
        ):
            yield Desk(settings, store, service, stop, say, pause_s=pause_s)


def requests_of(job: Job, plan: Plan, store: Store, limit: int | None) -> Iterator[Request]:
    """The next request of each open unit of a plan, in bank order; few of them are held at a time."""
    submissions, profile = Submissions(store.writing), asked_as(job.profile)
    tasks = OnlineTasks(job.bank, job.prompts, job.settings.server, profile.lang, store)
    left = limit
    for some in at_once(plan.units, AT_ONCE):
        states = submissions.unit_states((u.id for u in some), only_open=True)
        now = [states[u.id] for u in some if u.id in states][:left]
        yield from Work(store, tasks, profile, {u.id: u for u in some}, job.seed).requests(now)
        left = None if left is None else left - len(now)


def asked_as(profile: Profile) -> Profile:
    """The profile under which a batch's work is kept: that of the same questions asked one by one."""
    return profile.model_copy(update={"engine": "online"}) if profile.engine == "batch" else profile


def profile_of(profile_id: str) -> Profile:
    """A profile from its id."""
    engine, _, rest = profile_id.partition("/")
    model, _, lang = rest.rpartition("/")
    return Profile.model_validate({"engine": engine, "model": model, "lang": lang})


def _unanswered(result: Result) -> Unanswered:
    """A line without an answer. Services bill answers only; a 200 without one is anybody's guess."""
    state = "unknown" if result.status == 200 else "failed"
    # As with calls of the online engine, a word of ours stands before code and sentence.
    return Unanswered(result.custom_id, state, result.status, f"batch {result.error}")


def _open_end(left: int, call_state: str) -> str:
    """What is to be said of requests that no line settled."""
    if not left:
        return ""
    if call_state == "failed":
        return f", {left:,} never asked and not billed: the next psygen generate asks them"
    return f", {left:,} without any line: perhaps billed, the next psygen generate asks them again"
