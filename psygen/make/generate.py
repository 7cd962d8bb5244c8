"""The main job: every unit of a selection is asked until it has its questions, and nothing is asked twice."""

import contextlib
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple, Protocol

from psygen.engines.base import Engine
from psygen.engines.offline.engine import OfflineEngine
from psygen.engines.online.server import Server
from psygen.errors import InputError, PsygenError
from psygen.files.concepts import load_bank, load_subjects
from psygen.make.duplicates import settle_duplicates
from psygen.make.finished import bank_plan, fingerprint_of
from psygen.make.plan import Plan, chapter_counts, plan_units, templates_of
from psygen.make.selection import Selection, subject_named
from psygen.make.tasks import OfflineTasks, OnlineTasks, Tasks
from psygen.make.work import Work
from psygen.prompts import Prompts
from psygen.records.concept import Bank
from psygen.records.exchange import Profile
from psygen.runner import Queue, Stop, exchange, listening, lock
from psygen.settings import Settings
from psygen.store.database import Store
from psygen.store.queries import Reader
from psygen.store.units import KnownUnits


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
    server: Server | None = None
    """Where an online run goes."""


class Outcome(NamedTuple):
    """What a run did."""

    plan: Plan
    asked: int
    finished: int
    items: int
    invalid: int
    short: int
    """Units finished in this run with fewer questions than asked, with a reason."""
    parked: int
    """Units given up in this run, with a reason."""
    duplicates: int
    similar: int


def load_job(
    settings: Settings,
    selection: Selection,
    profile: Profile,
    *,
    questions: int,
    seed: int,
    server: Server | None = None,
) -> Job:
    """Load and check everything a run needs; nothing is written. Raises InputError with every fault."""
    fingerprint = fingerprint_of(settings, selection, profile, questions)
    subjects = load_subjects(settings.concept_folders)
    wanted = {subject_named(name, subjects).slug for name in selection.subjects} or None
    bank = load_bank(settings.concept_folders, wanted)
    if not len(bank):
        raise InputError(f"No concept file for {', '.join(sorted(wanted or {'any subject'}))} in the concepts folder.")
    prompts = Prompts(settings.prompt_folders)
    prompts.check((profile.lang,))
    return Job(settings, selection, profile, bank, prompts, questions, seed, fingerprint, server)


def preview(job: Job) -> Plan:
    """The plan as it would run now; nothing is written."""
    known: KnownUnits = {}
    if job.settings.database.is_file():
        with Reader(job.settings.database) as reader:
            known = reader.known_units(job.profile)
    return plan_units(job.bank, job.selection, job.profile, job.prompts, known, questions=job.questions)


def generate(job: Job, observer: Observer, *, limit: int | None = None) -> Outcome:
    """Ask for every unit of the plan that is not finished, at most `limit` of them.

    Raises Stopped after a signal, StoreUnusable when another run holds the database. Whatever came before is stored.
    """
    stop = Stop()
    with _room(job.settings.database) as store, listening(stop):
        known = store.known_units(job.profile)
        plan = plan_units(job.bank, job.selection, job.profile, job.prompts, known, questions=job.questions)
        _store_plan(job, store, plan)
        asked = {**job.selection._asdict(), "questions": job.questions, "limit": limit, "seed": job.seed}
        run_id = store.start_run(job.profile, asked)
        exit_code = 1
        try:
            outcome = _run(job, store, plan, observer, limit, run_id, stop)
            exit_code = 0
        except PsygenError as error:
            exit_code = error.exit_code
            raise
        finally:
            store.end_run(run_id, exit_code)
    return outcome


def _store_plan(job: Job, store: Store, plan: Plan) -> None:
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


def _run(job: Job, store: Store, plan: Plan, observer: Observer, limit: int | None, run_id: int, stop: Stop) -> Outcome:
    engine, tasks = _engine(job, store, stop)
    work = Work(store, tasks, job.profile, {u.id: u for u in plan.units}, job.seed)
    queue = Queue(stop)
    work.catch_up(queue)
    to_ask = work.open_units(limit)
    queue.begin(work.requests(to_ask))
    observer.planned(plan, len(to_ask))
    try:
        for replies in exchange(engine, queue, store.journal(run_id), stop):
            finished, items = work.read(replies, queue)
            observer.advanced(finished, items, work.trouble)
    finally:
        found = settle_duplicates(store, job.profile) if work.items else None
    return Outcome(
        plan=plan,
        asked=len(to_ask),
        finished=work.finished,
        items=work.items - (found.exact if found else 0),
        invalid=work.invalid,
        short=work.short,
        parked=work.parked,
        duplicates=found.exact if found else 0,
        similar=found.similar if found else 0,
    )


@contextlib.contextmanager
def _room(database: Path) -> Iterator[Store]:
    with lock(database), Store(database) as store:
        yield store


def _engine(job: Job, store: Store, stop: Stop) -> tuple[Engine, Tasks]:
    """Who answers, and what they are sent."""
    if job.profile.engine == "offline":
        with store.writing():
            # An offline request names its neighbours by the hash of their text: the text must be findable later.
            store.save_concepts(job.bank)
        return OfflineEngine({c.content: c for c in job.bank}), OfflineTasks(job.bank, job.seed)
    from psygen.engines.online.engine import OnlineEngine

    assert job.server is not None
    engine = OnlineEngine(job.server, job.settings.server, is_stopping=lambda: stop.is_requested)
    return engine, OnlineTasks(job.bank, job.prompts, job.settings.server, job.profile.lang, store)
