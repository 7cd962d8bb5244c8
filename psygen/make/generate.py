"""The main job: every unit of a selection is asked until it has its questions, and nothing is asked twice."""

import contextlib
import os
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from types import MappingProxyType
from typing import NamedTuple, Protocol

from psygen.engines.base import Engine
from psygen.engines.offline.engine import OfflineEngine
from psygen.engines.online.server import Server
from psygen.errors import (
    PARKED_EXIT,
    BudgetSpent,
    EngineRefused,
    InputError,
    NetworkAway,
    PsygenError,
    Stopped,
    StoreUnusable,
)
from psygen.files.concepts import load_bank, load_subjects
from psygen.make.duplicates import settle_duplicates
from psygen.make.finished import bank_plan, fingerprint_of
from psygen.make.money import Purse
from psygen.make.plan import Plan, chapter_counts, plan_units, templates_of
from psygen.make.selection import Selection, subject_named
from psygen.make.tasks import OfflineTasks, OnlineTasks, Tasks
from psygen.make.work import Work
from psygen.prices import ASSUMED_OUTPUT, Price, price_of
from psygen.prompts import Prompts
from psygen.records.concept import Bank
from psygen.records.exchange import Profile
from psygen.runlog import RunLog, run_log
from psygen.runner import Queue, Stop, exchange, listening, lock
from psygen.settings import Settings
from psygen.store.again import ask_again, refill
from psygen.store.database import Store
from psygen.store.lastrun import note_run, refuse_step_back
from psygen.store.queries import Reader
from psygen.store.units import KnownUnits

Tell = Callable[[str, Mapping[str, object]], None]


class Observer(Protocol):
    """Whoever watches a run; every method returns at once."""

    def planned(self, plan: Plan, to_ask: int) -> None:
        """The plan stands; `to_ask` units are asked in this call."""

    def advanced(self, units: int, items: int, trouble: str) -> None:
        """So many more units are finished, so many more items usable; trouble is the last one, or empty."""

    def noticed(self, word: str, facts: Mapping[str, object]) -> None:
        """Something happened on the way to the server: paused, resumed, slowed, call_failed, call_unknown."""


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
    price: Price | None = None
    """What its calls cost; None: nobody knows."""
    cap_micro_usd: int | None = None
    """What all calls on the database may cost together."""
    again: bool = False
    """New samples of finished units are asked for."""
    refill: bool = False
    """Units whose questions review has rejected are asked for as many."""
    typed: Mapping[str, object] = MappingProxyType({})
    """Further flags as the user typed them, so that a report can name the same command."""


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
    left: int = 0
    """Units that got no answer in this run; the same command asks them again."""
    run: int = 0
    error: PsygenError | None = None
    """What ended the run early, everything before it done and stored."""
    overruns: int = 0
    """Calls that cost more than was set aside for them."""

    def as_json(self) -> dict[str, object]:
        """What `runs.outcome` keeps."""
        names = ("asked", "finished", "items", "invalid", "short", "parked", "duplicates", "similar", "left")
        return {name: getattr(self, name) for name in names}


def load_job(
    settings: Settings,
    selection: Selection,
    profile: Profile,
    *,
    questions: int,
    seed: int,
    server: Server | None = None,
    max_cost_usd: float | None = None,
    again: bool = False,
    refill: bool = False,
    typed: Mapping[str, object] = MappingProxyType({}),
) -> Job:
    """Load and check everything a run needs; nothing is written.

    Raises InputError with every fault, and for a cap on calls whose price nobody knows.
    """
    price, cap = _money(settings, profile, max_cost_usd)
    if cap is not None and settings.server.output_limit is None:
        # Only a limit that is sent bounds what a reply may cost.
        limited = settings.server.model_copy(update={"output_limit": ASSUMED_OUTPUT})
        settings = settings.model_copy(update={"server": limited})
    fingerprint = fingerprint_of(settings, selection, profile, questions)
    subjects = load_subjects(settings.concept_folders)
    wanted = {subject_named(name, subjects).slug for name in selection.subjects} or None
    bank = load_bank(settings.concept_folders, wanted)
    if not len(bank):
        raise InputError(f"No concept file for {', '.join(sorted(wanted or {'any subject'}))} in the concepts folder.")
    prompts = Prompts(settings.prompt_folders)
    prompts.check((profile.lang,))
    return Job(
        settings,
        selection,
        profile,
        bank,
        prompts,
        questions,
        seed,
        fingerprint,
        server,
        price,
        cap,
        again,
        refill,
        typed,
    )


def _money(settings: Settings, profile: Profile, max_cost_usd: float | None) -> tuple[Price | None, int | None]:
    """Price and cap of a run; the offline engine costs nothing and knows neither."""
    if profile.engine == "offline":
        return None, None
    price = price_of(profile.model, settings.server.base_url, settings.prices)
    if max_cost_usd is None:
        return price, None
    if price is None:
        raise InputError(
            f"No price is known for {profile.model}, so --max-cost cannot hold: put it into psygen.toml as "
            f'[prices."{profile.model}"] with input and output in USD per million tokens, or leave --max-cost away.'
        )
    return price, int(max_cost_usd * 1_000_000)


def preview(job: Job) -> Plan:
    """The plan as it would run now; nothing is written."""
    known: KnownUnits = {}
    lacking: set[str] = set()
    if job.settings.database.is_file():
        with Reader(job.settings.database) as reader:
            known = reader.known_units(job.profile)
            lacking = reader.lacking(job.profile) if job.refill else set()
    plan = plan_units(job.bank, job.selection, job.profile, job.prompts, known, questions=job.questions)
    if job.refill:
        more = sum(u.id in lacking for u in plan.units)
        return plan._replace(raised=plan.raised + more, done=max(0, plan.done - more))
    if job.again and not plan.to_do:
        return plan._replace(raised=plan.done + plan.parked, done=0, parked=0)
    return plan


def generate(job: Job, observer: Observer, *, limit: int | None = None) -> Outcome:
    """Ask for every unit of the plan that is not finished, at most `limit` of them.

    What ends a run early is told in `Outcome.error`: Stopped, BudgetSpent, EngineRefused, NetworkAway. Raises
    StoreUnusable when another run holds the database, or it fails. Whatever came before is stored.
    """
    stop = Stop()
    with _room(job.settings.database) as store, listening(stop):
        known = store.known_units(job.profile)
        plan = plan_units(job.bank, job.selection, job.profile, job.prompts, known, questions=job.questions)
        store_plan(job, store, plan)
        asked = {**job.selection._asdict(), "questions": job.questions, "limit": limit, "seed": job.seed, **job.typed}
        prices = {} if job.price is None else job.price._asdict()
        run_id = store.start_run(job.profile, asked, prices)
        note_run(job.settings.database)
        log = run_log(job.settings, run_id)
        engine, model, lang = job.profile.engine, job.profile.model, job.profile.lang
        log.event("run_started", engine=engine, model=model, lang=lang, limit=limit, pid=os.getpid())
        exit_code, outcome = 1, None
        try:
            outcome = _run(job, store, plan, observer, limit, run_id, stop, log)
            exit_code = outcome.error.exit_code if outcome.error else PARKED_EXIT if outcome.parked else 0
        except PsygenError as error:
            exit_code = error.exit_code
            raise
        finally:
            # A store that fails just now cannot note its own failure; the next run takes it for killed.
            with contextlib.suppress(StoreUnusable):
                store.end_run(run_id, exit_code, outcome.as_json() if outcome else None)
                note_run(job.settings.database)
            log.event("run_ended", exit_code=exit_code, **(outcome.as_json() if outcome else {}))
            log.close()
    return outcome


def store_plan(job: Job, store: Store, plan: Plan) -> None:
    """Make a plan's units known to the store, and the plan itself."""
    store.apply_plan(
        job.profile,
        plan.units,
        asked=job.questions,
        stale=plan.stale,
        templates=templates_of(plan, job.prompts, job.profile.lang),
    )
    store.note_plan(job.fingerprint, job.profile, chapter_counts(plan.units))
    if job.refill:
        refill(store.writing, [u.id for u in plan.units])
    if not job.selection.subjects:
        store.note_plan(bank_plan(job.settings), job.profile, job.bank.counts())


def _run(
    job: Job,
    store: Store,
    plan: Plan,
    observer: Observer,
    limit: int | None,
    run_id: int,
    stop: Stop,
    log: RunLog,
) -> Outcome:
    def tell(word: str, facts: Mapping[str, object]) -> None:
        log.event(word, **facts)
        observer.noticed(word, facts)

    engine, tasks = _engine(job, store, stop, tell)
    purse = Purse(store.journal(run_id), job.price, job.cap_micro_usd, store.spent())
    work = Work(store, tasks, job.profile, {u.id: u for u in plan.units}, job.seed, purse.book)
    queue = Queue(stop, purse.fits)
    work.catch_up(queue)
    to_ask = work.open_units(limit)
    if job.again and not to_ask and not work.under_way:
        ask_again(store.writing, [u.id for u in plan.units], job.questions, limit)
        to_ask = work.open_units(limit)
    to_ask_count = len(work.under_way) + len(to_ask)
    queue.begin(work.requests(to_ask))
    observer.planned(plan, to_ask_count)
    log.event("planned", units=len(plan.units), to_ask=to_ask_count)
    error: PsygenError | None = None
    try:
        for replies in exchange(engine, queue, purse, stop):
            finished, items = work.read(replies, queue)
            observer.advanced(finished, items, work.trouble)
        if queue.is_too_dear or purse.is_spent:
            error = purse.error()
        elif work.left:
            error = NetworkAway(
                f"{work.left:,} units got no answer ({work.trouble}); the same command later asks them again."
            )
    except (Stopped, BudgetSpent, EngineRefused, NetworkAway) as ending:
        error = ending
    finally:
        found = settle_duplicates(store, job.profile) if work.items else None
    return Outcome(
        plan=plan,
        asked=to_ask_count,
        finished=work.finished,
        items=work.items - (found.exact if found else 0),
        invalid=work.invalid,
        short=work.short,
        parked=work.parked,
        duplicates=found.exact if found else 0,
        similar=found.similar if found else 0,
        left=work.left,
        run=run_id,
        error=error,
        overruns=purse.overruns,
    )


@contextlib.contextmanager
def _room(database: Path) -> Iterator[Store]:
    with lock(database):
        refuse_step_back(database)
        with Store(database) as store:
            yield store


def _engine(job: Job, store: Store, stop: Stop, tell: Tell) -> tuple[Engine, Tasks]:
    """Who answers, and what they are sent."""
    if job.profile.engine == "offline":
        with store.writing():
            # An offline request names its neighbours by the hash of their text: the text must be findable later.
            store.save_concepts(job.bank)
        return OfflineEngine({c.content: c for c in job.bank}), OfflineTasks(job.bank, job.seed)
    from psygen.engines.online.engine import OnlineEngine

    assert job.server is not None
    engine = OnlineEngine(job.server, job.settings.server, is_stopping=lambda: stop.is_requested, tell=tell)
    return engine, OnlineTasks(job.bank, job.prompts, job.settings.server, job.profile.lang, store)
