"""Requests to a file and results from a file, for machines psygen does not know: a cluster, another batch service.

Writing notes the requests and sends nothing, so it can be repeated. Reading takes whatever answers there are; what is
answered already, by whomever, is not taken a second time.
"""

from collections.abc import Iterator
from itertools import chain
from pathlib import Path

from psygen.errors import InputError, PsygenError
from psygen.files.batch_lines import Result, read_results, request_line
from psygen.files.items import write_lines
from psygen.ids import canonical_json
from psygen.make.batch_desk import AT_ONCE, asked_as, profile_of, requests_of
from psygen.make.generate import Job, store_plan
from psygen.make.plan import Plan, plan_units
from psygen.make.results import StoredWork, Tally, keep_and_read, sorted_lines
from psygen.prices import price_of
from psygen.runner import Stop, listening, lock
from psygen.settings import Settings
from psygen.store.database import Store
from psygen.store.submissions import Submissions, at_once


def write_requests(job: Job, path: Path, *, limit: int | None = None) -> int:
    """Write the next request of every open unit as a line, at most `limit`; how many. Nothing to ask: no file.

    Raises ExportFault when the file cannot be written.
    """
    with lock(job.settings.database), Store(job.settings.database) as store:
        profile = asked_as(job.profile)
        known = store.known_units(profile)
        plan = plan_units(job.bank, job.selection, profile, job.prompts, known, questions=job.questions)
        store_plan(job, store, plan)
        lines = _noted_lines(job, plan, store, limit)
        first = next(lines, None)
        return 0 if first is None else write_lines(path, chain([first], lines))


def _noted_lines(job: Job, plan: Plan, store: Store, limit: int | None) -> Iterator[str]:
    submissions = Submissions(store.writing)
    for some in at_once(requests_of(job, plan, store, limit), AT_ONCE):
        submissions.note_requests(some)
        for request in some:
            yield request_line(request.id, canonical_json(request.body))


def read_file(settings: Settings, path: Path) -> Tally:
    """Keep and read every answer of a file of results.

    Lines that are cut, without an answer, or of nobody psygen asked are counted and left where they are.
    Raises InputError when the file cannot be read, Stopped after a signal.
    """
    if not path.is_file():
        raise InputError(f"{path}: there is no such file of results.")
    stop = Stop()
    with lock(settings.database), Store(settings.database) as store, listening(stop):
        reading = _Reading(settings, store, path)
        exit_code = 1
        try:
            for lines in sorted_lines(read_results(path)):
                reading.answers(lines.answers)
                reading.others(lines.others)
                reading.tally.unreadable += len(lines.unreadable)
                if stop.is_requested:
                    raise stop.error()
            exit_code = 0
        except PsygenError as error:
            exit_code = error.exit_code
            raise
        finally:
            reading.end(exit_code)
    return reading.tally


class _Reading:
    """One file on its way into the store; a run for each profile that was asked."""

    def __init__(self, settings: Settings, store: Store, path: Path) -> None:
        self._settings, self._store, self._path = settings, store, path
        self._submissions = Submissions(store.writing)
        self._runs: dict[str, tuple[int, StoredWork]] = {}
        self.tally = Tally()

    def answers(self, answers: list[Result]) -> None:
        """Keep and read some answers."""
        profiles = self._submissions.profiles(r.custom_id for r in answers)
        self.tally.strangers += sum(r.custom_id not in profiles for r in answers)
        for profile_id in sorted(set(profiles.values())):
            own = [r for r in answers if profiles.get(r.custom_id) == profile_id]
            run_id, work = self._run(profile_id)
            price = price_of(profile_of(profile_id).model, self._settings.server.base_url, self._settings.prices)
            keep_and_read(self._store, work, own, self.tally, price=price, run_id=run_id)

    def others(self, results: list[Result]) -> None:
        """Count lines without an answer; their units stay open."""
        known = self._submissions.profiles(r.custom_id for r in results)
        for result in results:
            if result.custom_id in known:
                self.tally.failed += 1
                self.tally.note(result.error)
            else:
                self.tally.strangers += 1

    def end(self, exit_code: int) -> None:
        """Settle duplicates and close the runs."""
        for run_id, work in self._runs.values():
            self.tally.compare(self._store, work)
            self._store.end_run(run_id, exit_code)

    def _run(self, profile_id: str) -> tuple[int, StoredWork]:
        if profile_id not in self._runs:
            profile, seed = profile_of(profile_id), self._settings.generate.seed
            run_id = self._store.start_run(profile, {"results": self._path.name, "seed": seed})
            self._runs[profile_id] = (run_id, StoredWork(self._store, self._submissions, profile, seed))
        return self._runs[profile_id]
