"""Batches at a provider: every request noted, then sent as a file, and the results fetched by a later command."""

from collections.abc import Callable, Sequence
from typing import NamedTuple

from psygen.engines.online.batch import Batch, BatchService
from psygen.engines.online.server import Server
from psygen.errors import PsygenError, UnknownName
from psygen.make.batch_desk import PAUSE_S, Desk, asked_as, desk_of
from psygen.make.generate import Job, store_plan
from psygen.make.plan import Plan, plan_units
from psygen.make.results import Say, StoredWork, Tally
from psygen.settings import Settings
from psygen.store.again import ask_again
from psygen.store.lastrun import note_run
from psygen.store.submissions import Submission, read_submissions

MOST_BARREN = 2
"""Rounds in a row without an answer, after which --wait gives up."""


class Sent(NamedTuple):
    """What `generate --engine batch` or `batch collect` did."""

    plan: Plan | None
    """None where nothing was planned."""
    asked: int
    """Requests submitted in this call."""
    batches: int
    """Batches submitted in this call."""
    in_flight: int
    """Requests that wait for their batch, of earlier calls too."""
    tally: Tally
    """What came of batches that had ended."""


def send(
    job: Job,
    say: Say,
    *,
    limit: int | None = None,
    wait: bool = False,
    pause_s: float = PAUSE_S,
) -> Sent:
    """Collect what has ended, then submit the requests of every open unit, at most `limit` of them.

    wait: go on until every batch has ended and nothing is left to ask.
    Raises BudgetSpent, EngineRefused, NetworkAway, Stopped; what came before is stored, and the same command goes on.
    """
    assert job.server is not None
    with desk_of(job.settings, job.server, say, pause_s=pause_s) as desk:
        profile = asked_as(job.profile)
        known = desk.store.known_units(profile)
        plan = plan_units(job.bank, job.selection, profile, job.prompts, known, questions=job.questions)
        store_plan(job, desk.store, plan)
        asked = {**job.selection._asdict(), "questions": job.questions, "limit": limit, "seed": job.seed, **job.typed}
        run_id = desk.store.start_run(profile, asked, {} if job.price is None else job.price._asdict())
        note_run(job.settings.database)
        exit_code = 1
        try:
            desk.tally.finished += StoredWork(desk.store, desk.submissions, profile, job.seed).read_stored()
            sent = _rounds(desk, job, plan, run_id, limit, wait)
            exit_code = 0
        except PsygenError as error:
            exit_code = error.exit_code
            raise
        finally:
            done = {"finished": desk.tally.finished, "items": desk.tally.items}
            desk.store.end_run(run_id, exit_code, done)
            note_run(job.settings.database)
    return sent


def _rounds(desk: Desk, job: Job, plan: Plan, run_id: int, limit: int | None, wait: bool) -> Sent:
    asked = batches = barren = 0
    while True:
        before = desk.tally.answers
        left = desk.settle()
        if not left or not batches:
            barren = barren + 1 if batches and desk.tally.answers == before else 0
            room = None if limit is None else limit - asked
            # Requests that nobody answers twice in a row are left for another day.
            requests, made = desk.submit(job, plan, run_id, room) if barren < MOST_BARREN else (0, 0)
            if job.again and not left and not asked + requests:
                ask_again(desk.store.writing, [u.id for u in plan.units], job.questions, limit)
                requests, made = desk.submit(job, plan, run_id, room)
            asked, batches = asked + requests, batches + made
            left = desk.open()
        if not wait or not left:
            in_flight = sum(desk.submissions.in_flight(s.id) for s in left)
            return Sent(plan, asked, batches, in_flight, desk.tally)
        desk.wait(left)


def collect(settings: Settings, server: Server, say: Say, *, wait: bool = False, pause_s: float = PAUSE_S) -> Sent:
    """Fetch and read the results of batches that have ended; submits no new requests.

    wait: until every batch under way has ended.
    """
    with desk_of(settings, server, say, pause_s=pause_s) as desk:
        while left := desk.settle():
            if not wait:
                break
            desk.wait(left)
        in_flight = sum(desk.submissions.in_flight(s.id) for s in left)
        return Sent(None, 0, 0, in_flight, desk.tally)


def cancel(settings: Settings, server: Server, names: Sequence[str], say: Say) -> int:
    """Ask the provider to end batches under way (all, or those named by key or id); how many.

    What is answered by then is billed and collected as usual; a batch that was never made is simply forgotten.
    """
    with desk_of(settings, server, say) as desk:
        found = [s for s in desk.open() if not names or s.id in names or (s.batch and s.batch in names)]
        if missing := set(names) - {s.id for s in found} - {s.batch for s in found}:
            raise UnknownName(f"There is no batch {', '.join(sorted(missing))} under way. See: psygen batch status.")
        for one in found:
            batch_id = one.batch
            if not batch_id:
                batch = desk.found(one)
                if batch is None:
                    desk.submissions.end(one.id, "failed", "cancelled", "never sent", call_state="failed")
                    say(f"batch {one.id} was never sent; its {one.requests:,} requests are open again.")
                    continue
                desk.submissions.submitted(one.id, batch.id, batch.status)
                batch_id = batch.id
            batch = desk.service.cancel(batch_id)
            desk.submissions.noticed(one.id, batch.status)
            say(f"batch {batch_id}: {batch.status}. Next: psygen batch collect, for what was answered by then.")
        return len(found)


class Standing(NamedTuple):
    """A submission and what its provider says of it now."""

    submission: Submission
    batch: Batch | None
    """None for a settled one, and where the provider has none with its key."""


def standings(settings: Settings, server_of: Callable[[], Server]) -> list[Standing]:
    """Every submission, with the provider's word on those under way; nothing is written.

    server_of: called only when somebody must be asked.
    """
    found = read_submissions(settings.database)
    if not any(s.is_open for s in found):
        return [Standing(s, None) for s in found]
    server = server_of()
    with BatchService(server, timeout_s=settings.server.timeout_s) as service:
        return [
            Standing(s, _asked_about(service, s) if s.is_open and s.base_url == server.base_url else None)
            for s in found
        ]


def _asked_about(service: BatchService, one: Submission) -> Batch | None:
    return service.retrieve(one.batch) if one.batch else service.find(one.id)
