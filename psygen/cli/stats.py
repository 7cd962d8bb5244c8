"""`psygen stats`: the papers' tables for our bank."""

from pathlib import Path
from typing import TYPE_CHECKING

import click

from psygen.cli.common import json_option, load_subject_bank, settings_of

if TYPE_CHECKING:
    from psygen.curate.composition import Composition


@click.command("stats")
@click.option("-s", "--subject", "subjects", multiple=True, metavar="NAME", help="Only this subject, by chapter.")
@click.option("--state", "states", multiple=True, help="In this state, or any.  [default: accepted]")
@click.option("--engine", "engines", multiple=True, help="Of this engine, or any.  [default: any]")
@click.option("--split", default="main", show_default=True, help="Also per part of this split.")
@click.option("--chapters", "by_chapter", is_flag=True, help="Also per chapter, of every subject.")
@click.option(
    "--published",
    type=click.Path(exists=True, file_okay=False, path_type=Path),
    help="Folder with subjects.csv and chapters.csv of a published benchmark, to stand beside ours.",
)
@click.option("--md", is_flag=True, help="Every table as Markdown.")
@click.option("--csv", "csv_folder", type=click.Path(file_okay=False, path_type=Path), help="Write csv files here.")
@click.option("--html", type=click.Path(dir_okay=False, path_type=Path), help="Write one page with plots.")
@json_option
@click.pass_context
def command(
    ctx: click.Context,
    subjects: tuple[str, ...],
    states: tuple[str, ...],
    engines: tuple[str, ...],
    split: str,
    by_chapter: bool,
    published: Path | None,
    md: bool,
    csv_folder: Path | None,
    html: Path | None,
    as_json: bool,
) -> None:
    """Count concepts, questions and lengths per subject, chapter and part, and which concepts are reached.

    psygen brings no figures of other benchmarks; --published reads those you have and shows them beside ours.
    """
    import sys

    from psygen.curate.composition import composition, read_figures
    from psygen.curate.composition_tables import as_page, sheet_lines, sheets, tables
    from psygen.files.concepts import load_subjects
    from psygen.files.items import write_lines
    from psygen.make.selection import subject_named
    from psygen.reports.tables import as_markdown, err_console, print_json

    settings = settings_of(ctx)
    known = load_subjects(settings.concept_folders)
    found = composition(
        settings,
        read_figures(settings, published) if published else None,
        subjects=[subject_named(name, known) for name in subjects],
        states=states,
        engines=engines,
        split=split,
    )
    written = []
    if csv_folder:
        for sheet in sheets(found, load_subject_bank(settings, subjects)):
            written.append(csv_folder / f"{sheet.name}.csv")
            write_lines(written[-1], sheet_lines(sheet))
    if html:
        written.append(html)
        write_lines(html, [as_page(found)])
    if as_json:
        print_json(found.as_json())
    elif md:
        sys.stdout.write("\n".join(f"### {t.title}\n\n{as_markdown(t)}" for t in tables(found, by_chapter=True)))
    elif not written:
        _show(found, by_chapter=by_chapter or bool(subjects))
    console = err_console()
    for note in found.notes:
        console.print(f"psygen: {note}", markup=False)
    for path in written:
        console.print(f"psygen: wrote {path}", markup=False)


def _show(found: "Composition", *, by_chapter: bool) -> None:
    """Print the tables, what their columns mean, and the concepts without a question."""
    from psygen.curate.composition_tables import EVENNESS, LENGTHS, missing_names, tables
    from psygen.reports.tables import out_console, print_table
    from psygen.text import for_terminal

    console = out_console()
    console.print(f"State: {', '.join(found.states)}. Engine: {', '.join(found.engines) or 'none'}.", markup=False)
    for table in tables(found, by_chapter=by_chapter):
        console.print()
        print_table(table, console)
    console.print(f"\n{LENGTHS}\n{EVENNESS}", markup=False, style="dim")
    if not found.missing:
        console.print("Every required concept has a question.", markup=False)
    elif found.total.covered:
        console.print(f"{len(found.missing):,} required concepts without a question:", markup=False)
        for text in missing_names(found):
            console.print(f"  {for_terminal(text)}", markup=False, soft_wrap=True)
