"""`psygen review status`, `log`, `settle`, `replay`: what came of the reviews."""

from typing import TYPE_CHECKING

import click

from psygen.cli.common import json_option, settings_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from psygen.curate.desk import Line
    from psygen.records.concept import Subject
    from psygen.reports.tables import Cell, Table


@click.command("status")
@click.option("-s", "--subject", "subjects", multiple=True, metavar="NAME", help="Only this one.")
@json_option
@click.pass_context
def show_status(ctx: click.Context, subjects: tuple[str, ...], as_json: bool) -> None:
    """Show how far each reviewer is in each chapter, and how many questions stand where."""
    from psygen.curate.desk import progress, states
    from psygen.files.concepts import load_subjects
    from psygen.make.selection import subject_named
    from psygen.reports.tables import out_console, print_json, print_table
    from psygen.store.queries import Reader

    settings = settings_of(ctx)
    known = load_subjects(settings.concept_folders)
    wanted = {subject_named(name, known).slug for name in subjects}
    order = {place: n for n, place in enumerate((s.slug, c.slug) for s in known for c in s.chapters)}
    with Reader(settings.database) as reader:
        lines = [line for line in progress(reader) if not wanted or line.subject in wanted]
        counts = states(reader, tuple(sorted(wanted)))
    lines.sort(key=lambda line: order.get((line.subject, line.chapter), len(order)))
    if as_json:
        print_json({"states": counts, "chapters": [line._asdict() for line in lines]})
        return
    console = out_console()
    print_table(_progress_table(lines, known), console)
    console.print("Questions: " + ", ".join(f"{n:,} {state}" for state, n in counts.items()) + ".", markup=False)


def _progress_table(lines: "Sequence[Line]", known: "Sequence[Subject]") -> "Table":
    from psygen.reports.tables import Percent, Table

    names = {(s.slug, c.slug): (s.zh, c.zh) for s in known for c in s.chapters}

    def row(place: tuple[str, str], who: str, some: "Sequence[Line]") -> "list[Cell]":
        assigned, judged = sum(x.assigned for x in some), sum(x.judged for x in some)
        verdicts = [sum(x.verdicts[v] for x in some) for v in ("keep", "modify", "delete")]
        done = Percent(judged / assigned) if assigned else None
        return [*place, who, assigned, judged, sum(x.skipped for x in some), *verdicts, done]

    rows = [row(names.get((x.subject, x.chapter), (x.subject, x.chapter)), x.reviewer, [x]) for x in lines]
    people = sorted({x.reviewer for x in lines})
    rows += [row(("all", ""), who, [x for x in lines if x.reviewer == who]) for who in people]
    columns = ["subject", "chapter", "reviewer", "questions", "judged", "skipped", "keep", "modify", "delete", "done"]
    return Table("Progress of the reviewers", columns, rows)


@click.command("log")
@click.argument("item_id", metavar="ITEM")
@json_option
@click.pass_context
def log(ctx: click.Context, item_id: str, as_json: bool) -> None:
    """Show the whole life of an ITEM: concept, request, reply, its wordings with their differences, every verdict."""
    import sys

    from psygen.curate.lives import life_of
    from psygen.records.review import policy_of
    from psygen.reports.tables import print_json
    from psygen.store.queries import Reader
    from psygen.text import for_terminal

    settings = settings_of(ctx)
    with Reader(settings.database) as reader:
        life = life_of(reader, policy_of(settings), item_id)
    if as_json:
        print_json(life.as_json())
    else:
        sys.stdout.write(for_terminal(life.as_text()))


@click.command("settle")
@click.argument("item_id", metavar="ITEM")
@click.argument("decision", metavar="keep|delete|REVISION")
@click.option("--comment", default="", help="Why; stands in the log.")
@click.pass_context
def settle(ctx: click.Context, item_id: str, decision: str, comment: str) -> None:
    """Decide about a contested ITEM as its adjudicator: keep it as it is shown, delete it, or take a REVISION.

    A revision is named by its number or hash as psygen review log shows it.
    """
    from psygen.curate.judge import Entry, record
    from psygen.curate.lives import decided
    from psygen.errors import InputError
    from psygen.records.review import Event, policy_of
    from psygen.reports.tables import err_console
    from psygen.store.database import Store
    from psygen.store.queries import Reader

    settings = settings_of(ctx)
    policy = policy_of(settings)
    if not policy.adjudicator:
        raise InputError("Nobody may settle: set adjudicator under [review] in psygen.toml.")
    with Reader(settings.database) as reader:
        verdict, revision = decided(reader, item_id, decision)
    event = Event.model_validate(
        {
            "reviewer": policy.adjudicator,
            "via": "cli",
            "item_id": item_id,
            "revision": revision,
            "kind": "settle",
            "verdict": verdict,
            "comment": comment,
        }
    )
    with Store(settings.database) as store:
        [done] = record(store, policy, [Entry(event)])
    err_console().print(f"psygen: {item_id} is {done.standing.state}, {done.standing.why}.", markup=False)


@click.command("replay")
@json_option
@click.pass_context
def replay_command(ctx: click.Context, as_json: bool) -> None:
    """Derive every question's state anew from what was said, under the policy psygen.toml has now."""
    from collections import Counter

    from psygen.curate.judge import replay
    from psygen.records.review import policy_of
    from psygen.reports.tables import err_console, print_json
    from psygen.store.connection import must_exist
    from psygen.store.database import Store

    settings = settings_of(ctx)
    must_exist(settings.database)
    with Store(settings.database) as store:
        moved = replay(store, policy_of(settings))
    if as_json:
        print_json({"changed": {item: {"before": a, "after": b} for item, (a, b) in moved.items()}})
        return
    console = err_console()
    console.print(f"psygen: {len(moved):,} questions changed their state.", markup=False)
    for (before, after), count in sorted(Counter(moved.values()).items()):
        console.print(f"  {count:,} from {before} to {after}", markup=False)
