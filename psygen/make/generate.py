"""The main job: every unit of a selection is asked until it has its questions, and nothing is asked twice."""

import contextlib
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple, Protocol

from psygen.engines.base import Engine
from psygen.engines.offline.engine import OfflineEngine
from psygen.errors import InputError
from psygen.files.concepts import load_bank, load_subjects
from psygen.make.duplicates import settle_duplicates
from psygen.make.finished import bank_plan, fingerprint_of
from psygen.make.items import Made, Task, make_items, short_reason, stems_of
from psygen.make.plan import Plan, chapter_counts, plan_units, templates_of
from psygen.make.selection import Selection, subject_named
from psygen.make.tasks import BodyMaker, offline_bodies
from psygen.prompts import Prompts
from psygen.records.concept import Bank
from psygen.records.exchange import Profile, Reply, Request
from psygen.runner import Queue, Stop, exchange, listening, lock
from psygen.settings import Settings
from psygen.store.database import OpenUnit, Progress, Store, Unit
from psygen.store.queries import Reader


class Observer(Protocol):
    """Whoever watches a run; every method returns at once."""

    def planned(self, plan: Plan, to_ask: int) -> None:
        """The plan stands; `to_ask` units are asked in this call."""

    def advanced(self, units: int, items: int, trouble: str) -> None:
        """So many more units are finished, so many more items usable; trouble is the last one, or empty."""


class Job(NamedTuple):
    """Everything a run needs, loaded and checked."""

    settings: Settings
    selection: Selection
    profile: Profile
    bank: Bank
    prompts: Prompts
    questions: int
    seed: int
    fingerprint: str


class Outcome(NamedTuple):
    """What a run did."""

    plan: Plan
    asked: int
    finished: int
    items: int
    invalid: int
    short: int
    """Units finished in this run with fewer questions than asked, with a reason."""
    duplicates: int
    similar: int


def load_job(settings: Settings, selection: Selection, profile: Profile, *, questions: int, seed: int) -> Job:
    """Load and check everything a run needs; nothing is written. Raises InputError with every fault."""
    fingerprint = fingerprint_of(settings, selection, profile, questions)
    subjects = load_subjects(settings.concept_folders)
    wanted = {subject_named(name, subjects).slug for name in selection.subjects} or None
    bank = load_bank(settings.concept_folders, wanted)
    if not len(bank):
        raise InputError(f"No concept file for {', '.join(sorted(wanted or {'any subject'}))} in the concepts folder.")
    prompts = Prompts(settings.prompt_folders)
    prompts.check((profile.lang,))
    return Job(settings, selection, profile, bank, prompts, questions, seed, fingerprint)


def preview(job: Job) -> Plan:
    """The plan as it would run now; nothing is written."""
    known: Mapping[tuple[str, str], Sequence[Mapping[str, Any]]] = {}
    if job.settings.database.is_file():
        with Reader(job.settings.database) as reader:
            known = reader.known_units(job.profile)  # type: ignore[assignment]
    return plan_units(job.bank, job.selection, job.profile, job.prompts, known, questions=job.questions)


def generate(job: Job, observer: Observer, *, limit: int | None = None) -> Outcome:
    """Ask for every unit of the plan that is not finished, at most `limit` of them.

    Raises Stopped after a signal, StoreUnusable when another run holds the database. Whatever came before is stored.
    """
    stop = Stop()
    with _room(job.settings.database) as store, listening(stop):
        known = store.known_units(job.profile)
        plan = plan_units(job.bank, job.selection, job.profile, job.prompts, known, questions=job.questions)  # type: ignore[arg-type]
        store.apply_plan(
            job.profile,
            plan.units,
            asked=job.questions,
            stale=plan.stale,
            templates=templates_of(plan, job.prompts, job.profile.lang),
        )
        store.note_plan(job.fingerprint, job.profile, chapter_counts(plan.units))
        if not job.selection.subjects:
            store.note_plan(bank_plan(job.settings), job.profile, job.bank.counts())
        run_id = store.start_run(job.profile, {**job.selection._asdict(), "questions": job.questions, "limit": limit})
        exit_code = 1
        try:
            work = _Work(job, store, plan)
            work.catch_up()
            to_ask = work.open_units(limit)
            observer.planned(plan, len(to_ask))
            queue = Queue(work.requests(to_ask), stop)
            for replies in exchange(_engine(job, store), queue, store.journal(run_id), stop):
                finished, items = work.read(replies, queue)
                observer.advanced(finished, items, work.trouble)
            found = settle_duplicates(store, job.profile) if work.items else None
            exit_code = 0
        finally:
            if stop.is_requested:
                exit_code = stop.error().exit_code
            store.end_run(run_id, exit_code)
    return Outcome(
        plan=plan,
        asked=len(to_ask),
        finished=work.finished,
        items=work.items - (found.exact if found else 0),
        invalid=work.invalid,
        short=work.short,
        duplicates=found.exact if found else 0,
        similar=found.similar if found else 0,
    )


@contextlib.contextmanager
def _room(database: Path) -> Iterator[Store]:
    with lock(database), Store(database) as store:
        yield store


def _engine(job: Job, store: Store) -> Engine:
    concepts = {c.content: c for c in job.bank}
    with store.writing():
        # An offline request names its neighbours by the hash of their text: the text must be findable later.
        store.save_concepts(job.bank)
    return OfflineEngine(concepts)


def _bodies(job: Job) -> BodyMaker:
    return offline_bodies(job.bank, job.seed)


class _Work:
    """What a run keeps in mind: which units it asks, and what came of them."""

    def __init__(self, job: Job, store: Store, plan: Plan) -> None:
        self._job = job
        self._store = store
        self._units = {u.id: u for u in plan.units}
        self._asked: dict[str, tuple[Request, OpenUnit]] = {}
        self._bodies = _bodies(job)
        self.finished = self.items = self.invalid = self.short = 0
        self.trouble = ""

    def catch_up(self) -> None:
        """Read answers that an earlier run stored and could not read any more."""
        unread = self._store.unread()
        if not unread:
            return
        open_units = self._store.open_units(self._job.profile)
        for request, _ in unread:
            if request.unit_id in open_units:
                self._asked[request.id] = (request, open_units[request.unit_id])
        self.read([reply for request, reply in unread if request.id in self._asked], None)

    def open_units(self, limit: int | None) -> list[tuple[Unit, OpenUnit]]:
        """The units to ask now, in bank order."""
        found = self._store.open_units(self._job.profile)
        both = [(self._units[key], unit) for key, unit in found.items() if key in self._units]
        return both if limit is None else both[:limit]

    def requests(self, units: Sequence[tuple[Unit, OpenUnit]]) -> Iterator[Request]:
        """The first request of each unit, made when the engine asks for it."""
        for unit, state in units:
            yield self._request(unit, state)

    def _request(self, unit: Unit, state: OpenUnit) -> Request:
        """What is asked of a unit next: all its questions, or the missing ones beside the stems it holds."""
        held = self._store.held_stems(unit.id) if state.state == "partial" or state.tries else []
        missing = state.asked - state.kept
        request = Request(
            profile=self._job.profile,
            unit_id=unit.id,
            concept_id=unit.concept.id,
            prompt_type=unit.prompt_type,
            questions=missing,
            body=self._bodies(unit, missing, held),
            parent=self._store.last_answered(unit.id) if state.tries or state.kept else None,
        )
        self._asked[request.id] = (request, state)
        return request

    def read(self, replies: Sequence[Reply], queue: Queue | None) -> tuple[int, int]:
        """Read replies, store their items, and count: units finished, items usable."""
        readings = []
        finished = usable = 0
        for reply in replies:
            request, state = self._asked.pop(reply.request_id)
            made = make_items(reply.raw, self._task(request, state))
            progress = self._progress(request, state, made)
            readings.append((reply, made.items, progress, made.outcome))
            finished += progress.state == "done"
            self.short += bool(progress.reason)
            usable += made.usable
            self.invalid += len(made.items) - made.usable
        self._store.save_reading(readings)
        self.finished += finished
        self.items += usable
        return finished, usable

    def _task(self, request: Request, state: OpenUnit) -> Task:
        unit = self._units.get(request.unit_id)
        return Task(
            unit_id=request.unit_id,
            concept=unit.concept if unit else self._store.concept_of(request.unit_id),
            prompt_type=request.prompt_type,
            profile=request.profile,
            request_id=request.id,
            seed=self._job.seed,
            wanted=state.asked - state.kept,
            next_ordinal=state.next_ordinal,
            turn=state.turn,
            held=tuple(self._store.held_stems(request.unit_id)) if state.kept else (),
        )

    def _progress(self, request: Request, state: OpenUnit, made: Made) -> Progress:
        kept = state.kept + made.usable
        if kept >= state.asked:
            return Progress(request.unit_id, "done", "")
        return Progress(request.unit_id, "done", short_reason(kept, state.asked, request.prompt_type))


__all__ = ["Job", "Observer", "Outcome", "generate", "load_job", "preview", "stems_of"]
