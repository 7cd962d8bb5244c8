"""What a night brought: planned, done, short, given up and why, money, tokens, time, errors, and what to type next."""

import os
import shlex
from collections import Counter
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import NamedTuple

from psygen.errors import InputError, StoreUnusable
from psygen.files.concepts import load_subjects
from psygen.make.lock_holder import lock_holder
from psygen.make.selection import subject_named
from psygen.records.concept import Subject
from psygen.settings import OFFLINE_MODEL, GenerateSettings, Settings
from psygen.store.report_queries import Calls, ReportReader, RunRow, UnitSum

EXPLANATIONS = {
    "content filter": "the provider's filter stopped the reply; another model may answer, or reword the concept",
    "the model refused": "psygen replies show tells its words; another model may answer, or reword the concept",
    "E_LENGTH": "replies were cut: raise output_limit in [server], or ask for fewer --questions",
    "E_FINISH": "replies ended in a way psygen does not know; psygen replies show tells how",
    "E_EMPTY": "the model answered without text; a reasoning model may need a higher output_limit in [server]",
    "E_ENVELOPE": "the server answered with something that is no completion; psygen replies show tells what",
    "E_JSON": "no question could be read in the replies; psygen replies show tells what came",
    "E_SIZE": "replies were far too long to be questions",
    "E_LANG": "questions came in another language than asked",
    "E_DUP_ITEM": "the model repeats questions it has already given",
    "E_ECHO": "the model gave back the prompt or its example",
    "too few questions": "replies held fewer usable questions than asked; psygen items list --state invalid shows why",
    "of the same kind": "the bank offers the offline engine no more for this concept; a longer description helps",
}
"""What a reason means and what helps, by a word that stands in it."""
REFUSED_ONE = "the server refuses this request alone; correct what it names, then psygen retry"
ENDINGS = {
    0: "finished",
    1: "ended by an internal error",
    2: "ended by wrong use",
    3: "finished, some units given up",
    4: "stopped at the cap on money",
    5: "stopped because the provider refuses",
    6: "stopped because the database cannot be used",
    75: "stopped because nobody answered",
    130: "stopped by Ctrl-C",
    143: "stopped by a signal",
}
FIRST = {
    4: "Raise --max-cost and repeat",
    5: "Correct what the provider refuses, then repeat",
    6: "Make the database usable (psygen doctor), then repeat",
    75: "Later, repeat",
}
"""What comes before the same command, by the exit code of the last run."""


class Why(NamedTuple):
    """One reason for which units were given up or are short."""

    state: str
    reason: str
    meaning: str
    """What it means and what helps; empty when the reason says all."""
    units: int


class Error(NamedTuple):
    """Calls that got no answer, by code."""

    code: str
    calls: int
    example: str


class Chapter(NamedTuple):
    """One chapter."""

    subject: str
    chapter: str
    subject_zh: str
    chapter_zh: str
    units: int
    done: int
    parked: int
    questions: int
    accepted: int
    short: int
    calls: Calls


class Report(NamedTuple):
    """The morning's report on one profile: its units as they are now; calls, money and time of the runs looked at."""

    profile: str
    runs: Sequence[RunRow]
    """The runs looked at, in their order."""
    is_one_run: bool
    """Whether calls, money and time are those of one run, not of all."""
    units: Mapping[str, int]
    """By state; the sum is what was planned."""
    open: int
    """Units that the same command would ask again."""
    asked: int
    questions: int
    accepted: int
    short: int
    """Questions missing in units that are not asked again by themselves."""
    finished: int | None
    """Units brought to their end by the runs looked at; None when only some subjects are, or nobody can say quickly."""
    made: int | None
    """Usable questions made by the one run; None when it could not say, or all runs are looked at."""
    calls: Calls
    elapsed_s: float
    why: Sequence[Why]
    errors: Sequence[Error]
    chapters: Sequence[Chapter]
    next: str
    """The next command, with a word on it."""

    @property
    def per_hour(self) -> float | None:
        """Units an hour; None when nothing was finished or no time can be told."""
        return self.finished * 3600 / self.elapsed_s if self.finished and self.elapsed_s > 0 else None

    def money_per(self, count: int | None) -> float | None:
        """The certain cost per one of `count`, in micro-USD; None when it is unknown or there is nothing to count."""
        known = self.calls.money.known
        return known / count if known is not None and count else None


def report_of(
    settings: Settings, subjects: Sequence[str] = (), *, run: str = "", profile: str = "", with_chapters: bool = True
) -> Report:
    """The report on a profile (default: the one last used) over all its runs, or over one.

    run: a run's number, or `last`; then its profile counts. subjects: only these, by any name.
    with_chapters: look at every call for the costs of chapters; without, a report comes in a moment at any size.
    Raises StoreUnusable without a database, InputError for a run that is not there.
    """
    known = load_subjects(settings.concept_folders)
    wanted = [subject_named(name, known).slug for name in subjects]
    with ReportReader(settings.database) as reader:
        runs, profile = _chosen(reader, run, profile)
        ids = [r.id for r in runs]
        sums = [u for u in reader.unit_sums(profile) if not wanted or u.subject in wanted]
        by_chapter = reader.calls_by_chapter(ids) if with_chapters or wanted else {}
        accepted = {p: n for p, n in reader.accepted(profile).items() if not wanted or p[0] in wanted}
        ours = [c for place, c in by_chapter.items() if place[0] in wanted]
        calls = sum(ours, start=Calls()) if wanted else reader.calls_of(ids)
        states = Counter(dict.fromkeys(("done", "partial", "parked", "pending"), 0))
        for one in sums:
            states[one.state] += one.units
        found = Report(
            profile=profile,
            runs=runs,
            is_one_run=bool(run),
            units=dict(states),
            open=sum(u.open for u in sums),
            asked=sum(u.asked for u in sums),
            questions=sum(u.kept for u in sums),
            accepted=sum(accepted.values()),
            short=sum(u.asked - u.kept for u in sums if not u.open),
            finished=None if wanted else _finished(reader, runs, states, one=bool(run), quick=not with_chapters),
            made=_number(runs[-1].outcome.get("items")) if run else None,
            calls=calls,
            elapsed_s=sum(map(_seconds, runs)),
            why=_why(sums),
            errors=_errors(reader.errors(ids)) if not wanted else (),
            chapters=_chapters(sums, by_chapter, accepted, known) if with_chapters else (),
            next="",
        )
        last, in_batches = reader.run_rows(profile)[-1], reader.in_batches()
    return found._replace(next=_next(settings, found, last, in_batches))


def _chosen(reader: ReportReader, run: str, profile: str) -> tuple[list[RunRow], str]:
    """The runs to look at, and their profile."""
    runs = reader.run_rows()
    if not runs:
        raise StoreUnusable(f"{reader.path}: no run yet; begin with: psygen generate --subject statistics")
    if not run:
        profile = profile or runs[-1].profile
        return [r for r in runs if r.profile == profile], profile
    number = runs[-1].id if run == "last" else _number(run)
    chosen = [r for r in runs if r.id == number]
    if not chosen:
        raise InputError(f"There is no run {run}; there are runs {runs[0].id} to {runs[-1].id}, or say last.")
    return chosen, chosen[0].profile


def _finished(
    reader: ReportReader, runs: Sequence[RunRow], states: Mapping[str, int], *, one: bool, quick: bool
) -> int | None:
    """Units brought to their end; of one run what it said itself, else what its calls say, unless it must be quick."""
    if not one:
        return states["done"] + states["parked"]
    said = _number(runs[-1].outcome.get("finished"))
    return said if said is not None or quick else reader.finished_in(runs[-1].id)


def _number(value: object) -> int | None:
    """A whole number given as one or as digits; None for anything else."""
    if isinstance(value, str) and value.isdecimal():
        return int(value)
    return value if isinstance(value, int) else None


def _seconds(run: RunRow) -> float:
    """How long a run lasted; 0 when nobody can tell."""
    if not run.ended_at:
        return 0.0
    return max((datetime.fromisoformat(run.ended_at) - datetime.fromisoformat(run.started_at)).total_seconds(), 0.0)


def _why(sums: Sequence[UnitSum]) -> list[Why]:
    """Reasons of units that are not asked again by themselves: given up first, then the most frequent."""
    counts: Counter[tuple[str, str]] = Counter()
    for one in sums:
        if one.reason and one.units > one.open:
            counts[one.state, one.reason] += one.units - one.open
    order = sorted(counts.items(), key=lambda c: (c[0][0] != "parked", -c[1], c[0][1]))
    return [Why(state, reason, _meaning(state, reason), n) for (state, reason), n in order]


def _meaning(state: str, reason: str) -> str:
    for word, meaning in EXPLANATIONS.items():
        if word in reason:
            return meaning
    return REFUSED_ONE if state == "parked" else ""


def _errors(noted: Sequence[tuple[str, int]]) -> list[Error]:
    """Notes like `retry 503: Try again.` by their code, the most frequent first; calls of a killed run have none."""
    counts: Counter[str] = Counter()
    examples: dict[str, str] = {}
    for text, count in noted:
        said = text.partition(" ")[2] or "killed: the run ended before the answer came"
        code, _, message = said.partition(": ")
        counts[code] += count
        examples.setdefault(code, message)
    return [Error(code, n, examples[code]) for code, n in sorted(counts.items(), key=lambda c: (-c[1], c[0]))]


def _chapters(
    sums: Sequence[UnitSum],
    calls: Mapping[tuple[str, str], Calls],
    accepted: Mapping[tuple[str, str], int],
    known: Sequence[Subject],
) -> list[Chapter]:
    """Each chapter that has units, in the order of the syllabus."""
    by_place: dict[tuple[str, str], list[UnitSum]] = {}
    for one in sums:
        by_place.setdefault((one.subject, one.chapter), []).append(one)
    places = [(s, c) for s in known for c in s.chapters if (s.slug, c.slug) in by_place]
    found = []
    for subject, chapter in places:
        place = (subject.slug, chapter.slug)
        units = by_place[place]
        found.append(
            Chapter(
                *place,
                subject_zh=subject.zh,
                chapter_zh=chapter.zh,
                units=sum(u.units for u in units),
                done=sum(u.units for u in units if u.state == "done"),
                parked=sum(u.units for u in units if u.state == "parked"),
                questions=sum(u.kept for u in units),
                accepted=accepted.get(place, 0),
                short=sum(u.asked - u.kept for u in units if not u.open),
                calls=calls.get(place, Calls()),
            )
        )
    return found


def _next(settings: Settings, report: Report, last: RunRow, in_batches: int) -> str:
    """What to type next, in one sentence."""
    holder = lock_holder(settings.database)
    # The run that ends with this report holds the lock itself.
    if holder and not holder.startswith(f"process {os.getpid()} "):
        return f"A run goes on ({holder}); psygen status shows how far it is."
    if in_batches:
        return f"{in_batches:,} requests wait in batches: psygen batch collect"
    if report.open or report.calls.in_flight:
        first = FIRST.get(last.exit_code or 0, "The same command goes on")
        return f"{first}: {same_command(last)}"
    if report.units["parked"]:
        return "Units that were given up can be asked again: psygen retry"
    return "psygen check, or psygen review export --size 100 --reviewers 3 --out outputs/review"


def same_command(run: RunRow) -> str:
    """The command of a run, as far as it was noted and differs from what is so without saying."""
    chosen = {name: value for name, value in run.selection.items() if value}
    words = ["psygen", "generate"]
    for name, option in (
        ("subjects", "--subject"),
        ("chapters", "--chapter"),
        ("concepts", "--concept"),
        ("types", "--type"),
    ):
        values = chosen.get(name)
        words += [w for value in (values if isinstance(values, list) else []) for w in (option, str(value))]
    if len(words) == 2 or words[2] == "--type":
        words.insert(2, "--all")
    engine, _, rest = run.profile.partition("/")
    model, _, lang = rest.rpartition("/")
    words += ["--engine", str(chosen.get("engine", engine))]
    usual: dict[str, tuple[object, object]] = {
        "--model": (model, OFFLINE_MODEL),
        "--base-url": (chosen.get("base_url"), None),
        "--lang": (lang, GenerateSettings().lang),
        "--questions": (chosen.get("questions"), GenerateSettings().questions),
        "--max-cost": (chosen.get("max_cost"), None),
        "--limit": (chosen.get("limit"), None),
    }
    for option, (value, default) in usual.items():
        if value is not None and value != default:
            words += [option, str(value)]
    return shlex.join(words)
