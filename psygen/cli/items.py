"""`psygen items`: list, show, export."""

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from psygen.cli.common import select_options, settings_of

if TYPE_CHECKING:
    from psygen.settings import Settings
    from psygen.store.queries import Filter

F = TypeVar("F", bound=Callable[..., Any])


@click.group("items")
def command() -> None:
    """The questions: list, show, export."""


def filter_options(function: F) -> F:
    """Which items: place, kind, engine, state, flag."""
    for option in (
        click.option("--id", "ids", multiple=True, metavar="ID", help="Only this item."),
        click.option("--flag", "flags", multiple=True, help="Only items with this flag."),
        click.option("--state", "states", multiple=True, help="Only this state (default: not invalid or superseded)."),
        click.option("--model", "models", multiple=True, help="Only items of this model."),
        click.option("--engine", "engines", multiple=True, help="Only items of this engine."),
        click.option("--type", "prompt_types", multiple=True, help="Only items asked for in this prompt type."),
        click.option("--kind", "kinds", multiple=True, help="theory, case_study or calculation."),
    ):
        function = option(function)
    return select_options(function)


@command.command("list")
@filter_options
@click.option("--limit", type=click.IntRange(1), default=50, show_default=True, help="At most so many.")
@click.pass_context
def list_items(ctx: click.Context, /, limit: int, **options: Any) -> None:
    """List questions, a line each."""
    from psygen.reports.tables import Table, err_console, out_console, print_table
    from psygen.store.queries import Reader
    from psygen.text import shorten

    settings = settings_of(ctx)
    wanted = _filter(settings, options)
    with Reader(settings.database) as reader:
        rows = [
            [i.id, i.concept_id, i.kind, i.key_letters, i.state, shorten(i.stem, 60), " ".join(i.flags)]
            for i in reader.items(wanted, limit=limit)
        ]
        count = reader.count_items(wanted)
    columns = ["id", "concept", "kind", "key", "state", "stem", "flags"]
    print_table(Table("", columns, rows), out_console())
    if count > len(rows):
        err_console().print(f"{len(rows):,} of {count:,}; --limit shows more, psygen items export all.", markup=False)


@command.command("show")
@filter_options
@click.argument("item_ids", nargs=-1, metavar="[ID]...")
@click.option("--limit", type=click.IntRange(1), default=3, show_default=True, help="At most so many without an id.")
@click.option("--origin", is_flag=True, help="Also concept text, template, request and raw reply.")
@click.pass_context
def show_items(ctx: click.Context, /, item_ids: tuple[str, ...], limit: int, origin: bool, **options: Any) -> None:
    """Show questions in full: by ID, or the first ones that fit the filters."""
    import sys

    from psygen.errors import UnknownName
    from psygen.reports.items import origin_text, reading_text
    from psygen.store.queries import Reader

    settings = settings_of(ctx)
    wanted = _filter(settings, options, any_state=bool(item_ids))
    if item_ids:
        wanted, limit = wanted._replace(ids=item_ids), -1
    with Reader(settings.database) as reader:
        items = list(reader.items(wanted, limit=limit))
        missing = set(item_ids) - {i.id for i in items}
        if missing:
            raise UnknownName(f"There is no item {', '.join(sorted(missing))}. See: psygen items list.")
        for item in items:
            sys.stdout.write(reading_text(item) + "\n")
            if origin:
                sys.stdout.write(origin_text(reader.origin(item.id) or {}) + "\n")


@command.command("export")
@filter_options
@click.option("--format", "form", type=click.Choice(["jsonl", "csv"]), default="jsonl", show_default=True)
@click.option("--stable", is_flag=True, help="Without times and sorted by id: equal banks give equal bytes.")
@click.option("--out", type=click.Path(dir_okay=False), help="Write this file instead of stdout.")
@click.pass_context
def export_items(ctx: click.Context, /, form: str, stable: bool, out: str | None, **options: Any) -> None:
    """Export questions as JSON lines, or as csv for a spreadsheet (guarded against formulas)."""
    import sys

    from psygen.files.items import csv_lines, jsonl_lines, write_lines
    from psygen.reports.tables import err_console
    from psygen.store.queries import Reader

    settings = settings_of(ctx)
    with Reader(settings.database) as reader:
        items = reader.items(_filter(settings, options))
        if stable:
            items = iter(sorted(items, key=lambda i: i.id))
        lines = csv_lines(items) if form == "csv" else jsonl_lines(items, stable=stable)
        if out is None:
            for line in lines:
                sys.stdout.write(line)
            return
        count = write_lines(Path(out), lines)
    err_console().print(f"{count - (form == 'csv'):,} questions in {out}", markup=False)


def _filter(settings: "Settings", options: dict[str, Any], *, any_state: bool = False) -> "Filter":
    """The options as a filter; subject and chapter may be named in any way."""
    from psygen.errors import UnknownName
    from psygen.files.concepts import load_subjects
    from psygen.make.selection import chapter_named, subject_named
    from psygen.records.item import ITEM_STATES
    from psygen.store.queries import Filter

    known = load_subjects(settings.concept_folders)
    subjects = [subject_named(name, known) for name in options["subjects"]]
    chapters = []
    for name in options["chapters"]:
        found = {c.slug for s in subjects or known if (c := chapter_named(name, s)) is not None}
        if not found:
            raise UnknownName(f'There is no chapter "{name}". See: psygen concepts stats.')
        chapters += sorted(found)
    for state in options["states"]:
        if state not in (*ITEM_STATES, "any"):
            raise UnknownName(f'There is no state "{state}". States: {", ".join(ITEM_STATES)}, any.')
    states = tuple(options["states"])
    if not states and not any_state:
        states = tuple(s for s in ITEM_STATES if s not in ("invalid", "superseded"))
    return Filter(
        subjects=tuple(s.slug for s in subjects),
        chapters=tuple(chapters),
        concepts=tuple(options["concepts"]),
        kinds=tuple(k.replace("-", "_") for k in options["kinds"]),
        prompt_types=tuple(options["prompt_types"]),
        engines=tuple(options["engines"]),
        models=tuple(options["models"]),
        states=() if "any" in states else states,
        flags=tuple(options["flags"]),
        ids=tuple(options["ids"]),
    )
