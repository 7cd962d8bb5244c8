"""`psygen generate`: the main job."""

import os
import sys
from typing import TYPE_CHECKING, Any

import click

from psygen.cli.common import ask_options, json_option, select_options, settings_of

if TYPE_CHECKING:
    from collections.abc import Mapping

    from rich.console import Console

    from psygen.make.estimate import Estimate
    from psygen.make.generate import Job, Outcome
    from psygen.make.plan import Plan
    from psygen.records.exchange import Profile
    from psygen.reports.tables import Cell
    from psygen.settings import Settings


@click.command("generate")
@select_options
@ask_options
@click.option("--limit", type=click.IntRange(1), help="Ask for at most so many units in this call.")
@click.option("--engine", type=click.Choice(["auto", "online", "offline", "batch"]), help="Who answers.")
@click.option("--model", help="Model of an online run.")
@click.option("--base-url", help="OpenAI-compatible server, e.g. http://127.0.0.1:8000/v1")
@click.option("--concurrency", type=click.IntRange(1, 4096), help="Requests in flight at most.  [default: 16]")
@click.option("--lang", type=click.Choice(["zh", "en"]), help="Language of the questions.  [default: zh]")
@click.option(
    "--max-cost",
    type=click.FloatRange(0.0, min_open=True),
    metavar="USD",
    help="What all calls on this database may cost together; nothing is sent that could exceed it.",
)
@click.option("--again", is_flag=True, help="Ask for new questions on concepts that have theirs.")
@click.option("--refill", is_flag=True, help="Ask for as many questions as review has rejected.")
@click.option("--yes", is_flag=True, help="Start an online run without asking.")
@click.option("--trust-config", is_flag=True, help="The server named in psygen.toml is right; remembered.")
@click.option("--seed", type=int, help="Seed of every random choice.")
@click.option("--wait", is_flag=True, help="With --engine batch: stay until every batch has ended.")
@click.option(
    "--every",
    "pause_s",
    type=click.FloatRange(0.1),
    default=30.0,
    show_default=True,
    help="With --wait: seconds between looks.",
)
@click.option("--dry-run", is_flag=True, help="Show what would be asked, and stop.")
@json_option
@click.pass_context
def command(ctx: click.Context, /, **options: Any) -> None:
    """Ask for questions on every selected concept that has none yet.

    The same command again goes on where the last one stopped, and does nothing when nothing is left.

    \b
    psygen generate --subject statistics
    psygen generate --all --engine offline
    psygen generate --subject 统计 --chapter hypothesis-testing --type all
    """
    from psygen.errors import PARKED_EXIT
    from psygen.reports.tables import err_console, print_json

    console = err_console()
    settings = settings_of(ctx, _flags(options))
    job_or_none, profile = _prepare(settings, options, console)
    if job_or_none is None:
        if _say_nothing_to_do(console, settings, profile, options["as_json"]):
            ctx.exit(PARKED_EXIT)
        return
    from psygen.make.generate import preview

    plan = preview(job_or_none)
    if options["dry_run"]:
        _show_dry_run(job_or_none, plan, options)
        return
    _say_plan(console, plan, profile)
    if job_or_none.cap_micro_usd is not None:
        _say_uncounted(console, settings)
    _confirm(job_or_none, plan, options)
    if profile.engine == "batch":
        from psygen.cli.batch import submit

        submit(ctx, job_or_none, options)
        return
    outcome = _run(job_or_none, console, options["limit"])
    if options["as_json"]:
        print_json(_summary(outcome, profile))
    elif outcome.error is None:
        _show_outcome(console, settings, job_or_none, outcome)
    _say_outcome(console, settings, job_or_none, outcome)
    if outcome.error is not None:
        raise outcome.error
    if outcome.plan.parked or outcome.parked:
        ctx.exit(PARKED_EXIT)


def _flags(options: dict[str, Any]) -> dict[str, dict[str, object]]:
    return {
        "generate": {name: options[name] for name in ("engine", "lang", "questions", "seed")},
        "server": {name: options[name] for name in ("model", "base_url", "concurrency")},
    }


def _prepare(settings: "Settings", options: dict[str, Any], console: "Console") -> "tuple[Job | None, Profile]":
    """The job, checked and loaded; None instead when this very plan is finished already."""
    from psygen.engines.online.server import proxy_in_use, server_of
    from psygen.make.finished import fingerprint_of, is_finished
    from psygen.make.profiles import choose_profile
    from psygen.make.selection import Selection

    subjects = options["subjects"]
    if not (subjects or options["everything"] or options["chapters"] or options["concepts"]):
        raise click.UsageError("Say what to ask for: --subject NAME (several times if you like) or --all.")
    profile, why = choose_profile(settings)
    if why:
        console.print(f"psygen: {why}", markup=False)
    selection = Selection(
        subjects=() if options["everything"] else tuple(subjects),
        chapters=tuple(options["chapters"]),
        concepts=tuple(options["concepts"]),
        types=tuple(options["types"]),
    )
    questions, seed = settings.generate.questions, settings.generate.seed
    if not options["dry_run"]:
        from psygen.make.upgrade import upgrade

        if copy := upgrade(settings):
            console.print(f"psygen: the database had an older schema; a copy is kept in {copy}.", markup=False)
    is_plain = not (options["dry_run"] or options["again"] or options["refill"])
    if is_plain and options["limit"] is None:
        fingerprint = fingerprint_of(settings, selection, profile, questions)
        if is_finished(settings, fingerprint, profile):
            return None, profile
    from psygen.make.generate import load_job

    server = None
    if profile.engine in ("online", "batch") and not options["dry_run"]:
        server = server_of(settings, os.environ, trust=options["trust_config"])
        if proxy := proxy_in_use(server, os.environ):
            console.print(f"psygen: requests pass through the proxy {proxy}.", markup=False)
    job = load_job(
        settings,
        selection,
        profile,
        questions=questions,
        seed=seed,
        server=server,
        max_cost_usd=options["max_cost"],
        again=options["again"],
        refill=options["refill"],
        typed=_typed(profile, options),
    )
    return job, profile


def _typed(profile: "Profile", options: dict[str, Any]) -> dict[str, object]:
    """Flags beside the selection that the same command needs again."""
    flags = {name: options[name] for name in ("base_url", "max_cost") if options[name] is not None}
    return flags | ({"engine": "batch"} if profile.engine == "batch" else {})


def _confirm(job: "Job", plan: "Plan", options: dict[str, Any]) -> None:
    """A run on a paid server: a terminal sees plan and cost and is asked, elsewhere it needs --yes or --max-cost."""
    if job.server is None or job.server.is_loopback or options["yes"] or not plan.to_do:
        return
    is_terminal = sys.stdin.isatty()
    if not is_terminal and job.cap_micro_usd is not None:
        return
    from psygen.make.estimate import estimate

    asked = min(plan.to_do, options["limit"] or plan.to_do)
    cost = _cost_phrase(estimate(job, plan, asked))
    what = f"Send {asked:,} requests to {job.server.base_url} ({job.profile.model}) {cost}"
    if not is_terminal:
        raise click.UsageError(f"{what}? Say --yes or --max-cost USD to start without a terminal.")
    if job.cap_micro_usd is not None:
        what += f", and {job.cap_micro_usd / 1e6:,.2f} USD at most"
    click.confirm(f"{what}?", abort=True, err=True)


def _cost_phrase(estimate: "Estimate") -> str:
    from psygen.reports.tables import usd

    if estimate.cost_expected is None:
        return "at a cost psygen does not know"
    return f"for about {usd(estimate.cost_expected)}, at worst {usd(estimate.cost_worst)}"


def _say_nothing_to_do(console: "Console", settings: "Settings", profile: "Profile", as_json: bool) -> int:
    """Say so; how many units are parked."""
    from psygen.reports.tables import print_json
    from psygen.store.queries import Reader

    with Reader(settings.database) as reader:
        parked = reader.parked(profile)
    if as_json:
        print_json({"planned": 0, "asked": 0, "finished": 0, "items": 0, "parked": parked, "nothing_to_do": True})
    if parked:
        console.print(f"Nothing to do, but {parked:,} units were given up; psygen status says why.", markup=False)
        return parked
    console.print(
        "Nothing to do: every selected concept has its questions. Next: psygen check, or "
        "psygen review export --size 100 --reviewers 3 --out outputs/review",
        markup=False,
    )
    return 0


def _say_plan(console: "Console", plan: "Plan", profile: "Profile") -> None:
    parts = [f"{plan.new:,} new"]
    parts += [f"{plan.open:,} begun"] if plan.open else []
    parts += [f"{plan.raised:,} to top up"] if plan.raised else []
    parts += [f"{plan.changed:,} anew because text or template changed"] if plan.changed else []
    parts += [f"{plan.parked:,} parked"] if plan.parked else []
    console.print(
        f"psygen: {len(plan.units):,} units for {_who(profile)}: {', '.join(parts)}, {plan.done:,} done.",
        markup=False,
    )
    if plan.stale:
        console.print(
            f"psygen: questions of {len(plan.stale):,} outdated units become superseded (kept, not exported).",
            markup=False,
        )


def _say_uncounted(console: "Console", settings: "Settings") -> None:
    """A cap cannot count what nobody knows."""
    from psygen.store.queries import Reader

    if not settings.database.is_file():
        return
    with Reader(settings.database) as reader:
        unpriced = reader.spent().unpriced
    if unpriced:
        console.print(
            f"psygen: {unpriced:,} earlier calls have no known price; --max-cost does not count them.", markup=False
        )


def _run(job: "Job", console: "Console", limit: int | None) -> "Outcome":
    from psygen.make.generate import generate
    from psygen.reports.progress import RunProgress

    class Watch:
        """Passes on to the progress display what the run says."""

        progress: RunProgress | None = None

        def planned(self, plan: "Plan", to_ask: int) -> None:
            self.progress = RunProgress(console, to_ask).__enter__()

        def advanced(self, units: int, items: int, trouble: str) -> None:
            if self.progress is not None:
                self.progress.advance(units, items, trouble)

        def noticed(self, word: str, facts: "Mapping[str, object]") -> None:
            if self.progress is not None:
                self.progress.notice(word, facts)

    watch = Watch()
    try:
        return generate(job, watch, limit=limit)
    finally:
        if watch.progress is not None:
            watch.progress.__exit__()


def _summary(outcome: "Outcome", profile: "Profile") -> dict[str, object]:
    return {
        "engine": profile.engine,
        "model": profile.model,
        "planned": len(outcome.plan.units),
        "asked": outcome.asked,
        "finished": outcome.finished,
        "items": outcome.items,
        "invalid": outcome.invalid,
        "short": outcome.short,
        "duplicates": outcome.duplicates,
        "similar": outcome.similar,
        "parked": outcome.plan.parked + outcome.parked,
        "left": outcome.left,
        "ended_by": str(outcome.error) if outcome.error else None,
        "nothing_to_do": outcome.asked == 0,
    }


def _show_dry_run(job: "Job", plan: "Plan", options: dict[str, Any]) -> None:
    from psygen.make.plan import chapter_counts
    from psygen.reports.tables import Table, out_console, print_json, print_table

    asked = min(plan.to_do, options["limit"] or plan.to_do)
    counts = chapter_counts(plan.units)
    money = None
    if job.profile.engine != "offline":
        from psygen.make.estimate import estimate

        money = estimate(job, plan, asked)
    if options["as_json"]:
        value: dict[str, object] = {
            "engine": job.profile.engine,
            "model": job.profile.model,
            "units": len(plan.units),
            "to_ask": asked,
        }
        value |= {"new": plan.new, "changed": plan.changed, "raised": plan.raised, "open": plan.open}
        value |= {"done": plan.done, "parked": plan.parked, "superseded_units": len(plan.stale), "chapters": counts}
        print_json(value | (money.as_json() if money else {}))
        return
    rows: list[list[Cell]] = [
        [job.bank.subject(s).zh, job.bank.subject(s).chapter(c).zh, c, n, n * job.questions]
        for s, chapters in counts.items()
        for c, n in chapters.items()
    ]
    title = (
        f"Would ask {asked:,} of {len(plan.units):,} units ({plan.new:,} new, {plan.open:,} begun, "
        f"{plan.changed:,} changed, {plan.raised:,} to top up, {plan.done:,} done) of {_who(job.profile)}. "
        f"Nothing was sent or written."
    )
    footer: list[Cell] = ["", "", "", len(plan.units), len(plan.units) * job.questions]
    console = out_console()
    print_table(Table(title, ["subject", "chapter", "slug", "units", "questions"], rows, footer), console)
    if money is not None:
        console.print(_estimate_text(money), markup=False)


def _estimate_text(money: "Estimate") -> str:
    """Calls, tokens and money of a run beforehand, and what is paid already."""
    from psygen.reports.tables import usd

    paid = "an unknown sum" if money.spent.unpriced else usd(money.spent.certain)
    doubt = f", and at most {usd(money.spent.in_doubt)} more possibly billed" if money.spent.in_doubt else ""
    return (
        f"Calls: {money.calls:,}. Input: {money.input_expected:,} tokens expected, {money.input_worst:,} at worst. "
        f"Output: {money.output_expected:,} expected, {money.output_worst:,} at worst.\n"
        f"Cost: {usd(money.cost_expected)} expected, {usd(money.cost_worst)} at worst (every reply at its limit, every "
        f"unit asked four times). Paid already: {paid}{doubt}."
    )


def _show_outcome(console: "Console", settings: "Settings", job: "Job", outcome: "Outcome") -> None:
    from psygen.make.plan import chapter_counts
    from psygen.reports.tables import Table, out_console, print_table
    from psygen.store.queries import Reader

    counts = chapter_counts(outcome.plan.units)
    with Reader(settings.database) as reader:
        items = reader.unit_items(job.profile.id)
    rows: list[list[Cell]] = []
    for subject, chapters in counts.items():
        for chapter, units in chapters.items():
            questions, short = items.get((subject, chapter), (0, 0))
            place = job.bank.subject(subject)
            rows.append([place.zh, place.chapter(chapter).zh, units, questions, short])
    total = [sum(int(str(row[n])) for row in rows) for n in (2, 3, 4)]
    title = f"Questions of {_who(job.profile)} so far"
    columns = ["subject", "chapter", "units", "questions", "short units"]
    print_table(Table(title, columns, rows, ["", "", *total]), out_console())


def _say_outcome(console: "Console", settings: "Settings", job: "Job", outcome: "Outcome") -> None:
    """The last lines of a run: what it made, and for a server what the morning report says."""
    lines = [f"{outcome.items:,} questions from {outcome.finished:,} units are in {_shown(settings)}."]
    if outcome.short:
        lines.append(f"{outcome.short:,} units made fewer questions than asked; psygen status says why.")
    if outcome.parked:
        lines.append(f"{outcome.parked:,} units were given up; psygen status says why.")
    if outcome.invalid or outcome.duplicates:
        lines.append(f"{outcome.invalid + outcome.duplicates:,} failed a check and are kept as invalid.")
    if outcome.overruns:
        lines.append(
            f"{outcome.overruns:,} calls cost more than was set aside for them; the books hold what they cost."
        )
    if job.profile.engine != "offline":
        from psygen.make.report_text import short_report

        report = short_report(settings, job.profile, outcome.run)
        lines += report[:-1] if outcome.error else report
    elif outcome.error is None:
        lines.append("Next: psygen items show, psygen check, or")
        lines.append("      psygen review export --size 100 --reviewers 3 --out outputs/review")
    console.print("\n".join(lines), markup=False)


def _shown(settings: "Settings") -> str:
    """The database as the user would type it."""
    try:
        return str(settings.database.relative_to(settings.workspace))
    except ValueError:
        return str(settings.database)


def _who(profile: "Profile") -> str:
    """Engine and model as a phrase."""
    return "the offline engine" if profile.engine == "offline" else f"{profile.engine} {profile.model}"
