"""`psygen status`: how far each subject and chapter is."""

from typing import TYPE_CHECKING

import click

from psygen.cli.common import json_option, settings_of

if TYPE_CHECKING:
    from psygen.make.status import Line, Status
    from psygen.reports.tables import Cell

COLUMNS = ("subject", "chapter", "units", "done", "partial", "parked", "pending", "finished", "questions")


@click.command("status")
@click.option("-s", "--subject", "subjects", multiple=True, metavar="NAME", help="Only this one, by chapter.")
@click.option("--engine", help="Profile to show: its engine (default: the one last used).")
@click.option("--model", help="Profile to show: its model.")
@click.option("--lang", help="Profile to show: its language.")
@json_option
@click.pass_context
def command(
    ctx: click.Context,
    subjects: tuple[str, ...],
    engine: str | None,
    model: str | None,
    lang: str | None,
    as_json: bool,
) -> None:
    """Show how far each subject and chapter is, the calls made, and what they cost."""
    from psygen.make.status import status_of
    from psygen.reports.tables import print_json

    status = status_of(settings_of(ctx), subjects, engine=engine, model=model, lang=lang)
    if as_json:
        print_json(status.as_json())
    else:
        _show(status, by_chapter=bool(subjects))


def _show(status: "Status", *, by_chapter: bool) -> None:
    """Print the table, then the ledger in one line and why units are short."""
    from psygen.reports.tables import Table, out_console, print_table, usd
    from psygen.text import for_terminal

    console = out_console()
    rows: list[list[Cell]] = []
    for line, chapters in status.subjects:
        if by_chapter:
            rows += [_row(c, c.subject.chapter(c.chapter).zh) for c in chapters]
        rows.append(_row(line, "all chapters" if by_chapter else ""))
    columns = list(COLUMNS)
    if not by_chapter:
        columns.pop(1)
        rows = [[row[0], *row[2:]] for row in rows]
    print_table(Table(f"Profile {status.profile or 'none yet'} (engine/model/language)", columns, rows), console)
    books = status.books
    cost = usd(books.cost_micro_usd)
    if books.possible_micro_usd:
        cost += f", at most {usd(books.possible_micro_usd)} more possibly billed"
    console.print(
        f"Calls: {books.sent:,} sent, {books.received:,} received, {books.failed:,} failed, "
        f"{books.unknown:,} in doubt. "
        f"Tokens: {books.input_tokens:,} in, {books.output_tokens:,} out. Cost: {cost}.",
        markup=False,
    )
    if status.reasons:
        console.print("Units with fewer questions than asked:", markup=False)
        for state, reason, count in status.reasons[:12]:
            console.print(
                f"  {count:>5,}  {for_terminal(reason)}" + ("  (parked)" if state == "parked" else ""), markup=False
            )


def _row(line: "Line", chapter: str) -> "list[Cell]":
    from psygen.reports.tables import Percent

    units = sum(line.units.values())
    states = line.units
    done = Percent(states["done"] / units) if units else None
    counts: list[Cell] = [units, states["done"], states["partial"], states["parked"], states["pending"]]
    return [line.subject.zh, chapter, *counts, done, line.items]
