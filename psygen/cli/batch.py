"""`psygen batch`: what a provider's Batch API, or a cluster, is working on."""

import os
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from psygen.cli.common import ask_options, json_option, select_options, settings_of

if TYPE_CHECKING:
    from rich.console import Console

    from psygen.engines.online.server import Server
    from psygen.make.batch import Sent, Standing
    from psygen.make.generate import Job
    from psygen.make.results import Tally
    from psygen.settings import Settings

server_option = click.option("--base-url", help="OpenAI-compatible server, e.g. https://api.openai.com/v1")
wait_option = click.option("--wait", is_flag=True, help="Stay until every batch has ended.")
pause_option = click.option(
    "--every", "pause_s", type=click.FloatRange(0.1), default=30.0, show_default=True, help="Seconds between looks."
)


@click.group("batch")
def command() -> None:
    """Batches at a provider, and files for machines psygen does not know."""


@command.command("status")
@server_option
@json_option
@click.pass_context
def show_status(ctx: click.Context, base_url: str | None, as_json: bool) -> None:
    """Show every batch and how far the provider is with it.

    Writes nothing.
    """
    from psygen.make.batch import standings
    from psygen.reports.tables import err_console, print_json

    settings = settings_of(ctx, {"server": {"base_url": base_url}})
    found = standings(settings, lambda: _server(settings))
    if as_json:
        print_json({"batches": [_standing_json(s) for s in found]})
        return
    _show_standings(found)
    _say_next(err_console(), found)


@command.command("collect")
@server_option
@wait_option
@pause_option
@json_option
@click.pass_context
def collect_batches(ctx: click.Context, base_url: str | None, wait: bool, pause_s: float, as_json: bool) -> None:
    """Fetch and read the results of batches that have ended.

    Sends no new requests: the next psygen generate --engine batch asks for what is still missing.
    """
    from psygen.make.batch import collect
    from psygen.reports.tables import err_console

    settings = settings_of(ctx, {"server": {"base_url": base_url}})
    console = err_console()
    sent = collect(settings, _server(settings), _sayer(console), wait=wait, pause_s=pause_s)
    show_sent(ctx, console, sent, as_json=as_json)


@command.command("cancel")
@click.argument("names", nargs=-1, metavar="[BATCH]...")
@server_option
@click.pass_context
def cancel_batches(ctx: click.Context, names: tuple[str, ...], base_url: str | None) -> None:
    """Ask the provider to end batches under way: all, or those named.

    What is answered by then is billed; collect it afterwards.
    """
    from psygen.make.batch import cancel
    from psygen.reports.tables import err_console

    settings = settings_of(ctx, {"server": {"base_url": base_url}})
    console = err_console()
    count = cancel(settings, _server(settings), names, _sayer(console))
    if not count:
        console.print("psygen: no batch is under way.", markup=False)


@command.command("write")
@click.argument("file", type=click.Path(dir_okay=False))
@select_options
@ask_options
@click.option("--limit", type=click.IntRange(1), help="At most so many requests.")
@click.option("--model", help="Model the machines serve; it stands in every request.")
@click.option("--lang", type=click.Choice(["zh", "en"]), help="Language of the questions.  [default: zh]")
@json_option
@click.pass_context
def write_file(ctx: click.Context, /, file: str, **options: Any) -> None:
    """Write what is still to be asked as a file of requests; sends nothing.

    The file runs unchanged under vLLM's run-batch and other batch services; psygen batch read takes the results.

    \b
    psygen batch write requests.jsonl --all --model Qwen/Qwen3-32B
    """
    from psygen.make.batch_files import write_requests
    from psygen.make.generate import load_job
    from psygen.make.profiles import choose_profile
    from psygen.make.selection import Selection
    from psygen.reports.tables import err_console, print_json

    if not (options["subjects"] or options["everything"] or options["chapters"] or options["concepts"]):
        raise click.UsageError("Say what to ask for: --subject NAME (several times if you like) or --all.")
    settings = settings_of(
        ctx,
        {
            "generate": {"engine": "batch", "lang": options["lang"], "questions": options["questions"]},
            "server": {"model": options["model"]},
        },
    )
    profile, _ = choose_profile(settings)
    selection = Selection(
        subjects=() if options["everything"] else tuple(options["subjects"]),
        chapters=tuple(options["chapters"]),
        concepts=tuple(options["concepts"]),
        types=tuple(options["types"]),
    )
    job = load_job(settings, selection, profile, questions=settings.generate.questions, seed=settings.generate.seed)
    count = write_requests(job, Path(file), limit=options["limit"])
    if options["as_json"]:
        print_json({"requests": count, "file": file if count else None, "model": profile.model})
        return
    console = err_console()
    if not count:
        console.print("psygen: nothing is left to ask; no file was written.", markup=False)
        return
    console.print(f"psygen: {count:,} requests to {profile.model} in {file}; nothing was sent.", markup=False)
    console.print("Next: run it where you like, then psygen batch read RESULTS.jsonl", markup=False)


@command.command("read")
@click.argument("file", type=click.Path(dir_okay=False))
@click.option("--seed", type=int, help="Seed of every random choice.")
@json_option
@click.pass_context
def read_results_file(ctx: click.Context, file: str, seed: int | None, as_json: bool) -> None:
    """Read a file of results: answers become questions; what is answered already is counted and left.

    The file may be cut, in any order, and hold lines of others.
    """
    from psygen.make.batch_files import read_file
    from psygen.reports.tables import err_console, print_json

    settings = settings_of(ctx, {"generate": {"seed": seed}})
    tally = read_file(settings, Path(file))
    if as_json:
        print_json(tally.as_json() | {"messages": tally.shown})
        return
    console = err_console()
    _say_tally(console, tally)
    console.print("Next: psygen status, and psygen batch write for what is still missing.", markup=False)


def submit(ctx: click.Context, job: "Job", options: dict[str, Any]) -> None:
    """The batch side of `psygen generate`: collect what has ended, submit what is open."""
    from psygen.make.batch import send
    from psygen.reports.tables import err_console

    console = err_console()
    sent = send(
        job,
        _sayer(console),
        limit=options["limit"],
        wait=options["wait"],
        pause_s=options["pause_s"],
    )
    show_sent(ctx, console, sent, as_json=options["as_json"])


def show_sent(ctx: click.Context, console: "Console", sent: "Sent", *, as_json: bool) -> None:
    """What was submitted and what came back, and the next command; exits 3 when units were given up."""
    from psygen.errors import PARKED_EXIT
    from psygen.reports.tables import print_json

    if as_json:
        print_json(
            {"submitted": sent.asked, "batches": sent.batches, "in_flight": sent.in_flight, **sent.tally.as_json()}
        )
    else:
        _say_tally(console, sent.tally)
        if sent.in_flight:
            console.print(
                f"psygen: {sent.in_flight:,} requests are with the provider, for up to 24 hours; nothing needs to run "
                "here.\nNext: psygen batch status, then psygen batch collect",
                markup=False,
            )
        else:
            console.print("psygen: no batch is under way. Next: psygen status", markup=False)
    if sent.tally.parked:
        ctx.exit(PARKED_EXIT)


def _say_tally(console: "Console", tally: "Tally") -> None:
    """What came of results, each kind on a line of its own; what did not happen is not said."""
    usable = tally.items - tally.duplicates
    lines = [f"{tally.answers:,} answers, {usable:,} questions from {tally.finished:,} finished units."]
    for count, said in (
        (tally.invalid, "questions failed a check and are kept as invalid."),
        (tally.duplicates, "questions exist already in the bank and are kept as invalid."),
        (tally.uncompared, "questions are too many to compare here; psygen check counts those that are alike."),
        (tally.held, "results were answered already and were left."),
        (tally.strangers, "results are of requests psygen never made."),
        (tally.unreadable, "lines could not be read (cut, or no result)."),
        (tally.failed, "requests got no answer and were not billed; their units are open again."),
        (tally.unknown, "requests are in doubt: perhaps billed."),
        (tally.parked, "units were given up; psygen status says why."),
    ):
        if count:
            lines.append(f"{count:,} {said}")
    if any(vars(tally)[name] for name in ("answers", "held", "strangers", "unreadable", "failed", "unknown")):
        console.print("\n".join(f"psygen: {line}" for line in [*lines, *tally.shown]), markup=False)


def _sayer(console: "Console") -> Any:
    return lambda text: console.print(f"psygen: {text}", markup=False)


def _server(settings: "Settings") -> "Server":
    from psygen.engines.online.server import server_of

    return server_of(settings, os.environ)


def _standing_json(standing: "Standing") -> dict[str, object]:
    one, batch = standing
    return {
        "key": one.id,
        "batch": one.batch or (batch.id if batch else ""),
        "profile": one.profile,
        "base_url": one.base_url,
        "requests": one.requests,
        "state": one.state,
        "status": batch.status if batch else one.status,
        "completed": batch.completed if batch else None,
        "failed": batch.failed if batch else None,
        "message": one.message,
        "made_at": one.made_at,
        "submitted_at": one.submitted_at,
        "ended_at": one.ended_at,
    }


def _show_standings(found: "list[Standing]") -> None:
    from psygen.reports.tables import Cell, Table, out_console, print_table

    rows: list[list[Cell]] = [
        [
            one.batch or (batch.id if batch else one.id),
            one.profile,
            one.requests,
            batch.completed if batch else None,
            batch.failed if batch else None,
            one.state,
            batch.status if batch else one.status,
            one.made_at,
        ]
        for one, batch in found
    ]
    columns = ["batch", "profile", "requests", "answered", "failed", "here", "there", "made"]
    print_table(Table("", columns, rows), out_console())


def _say_next(console: "Console", found: "list[Standing]") -> None:
    open_ones = [s for s in found if s.submission.is_open]
    if not open_ones:
        text = "No batch is under way."
    elif any(s.batch is not None and s.batch.has_ended for s in open_ones):
        text = "Next: psygen batch collect"
    elif elsewhere := sorted({s.submission.base_url for s in open_ones if s.submission.batch and s.batch is None}):
        text = f"Not asked: say --base-url {elsewhere[0]} (with its key) for the batches there."
    elif any(s.batch is None for s in open_ones):
        text = (
            "Some requests never reached the provider: the same psygen generate goes on, "
            "psygen batch cancel forgets them."
        )
    else:
        text = "The provider is at work; nothing needs to run here."
    console.print(text, markup=False)
