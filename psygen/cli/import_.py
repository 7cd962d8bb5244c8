"""`psygen import`: questions from elsewhere beside our own."""

from pathlib import Path

import click

from psygen.cli.common import json_option, settings_of


@click.command("import")
@click.argument("files", nargs=-1, required=True, type=click.Path(exists=True, dir_okay=False), metavar="FILE...")
@click.option("--source", required=True, metavar="NAME", help="Where they come from, e.g. C-Eval; their model's name.")
@click.option("-s", "--subject", metavar="NAME", help="Their subject.  [default: as the rows or the file's name say]")
@click.option("--chapter", metavar="NAME", help="Their chapter.  [default: as the rows say, or none]")
@click.option(
    "--format",
    "form",
    type=click.Choice(["auto", "canonical", "ceval", "cmmlu"]),
    default="auto",
    show_default=True,
    help="canonical: JSON lines as psygen exports them.",
)
@click.option(
    "--kind",
    type=click.Choice(["theory", "case_study", "calculation"]),
    default="theory",
    show_default=True,
    help="Of questions that name none.",
)
@click.option("--lang", type=click.Choice(["zh", "en"]), default="zh", show_default=True, help="Likewise.")
@json_option
@click.pass_context
def command(
    ctx: click.Context,
    files: tuple[str, ...],
    source: str,
    subject: str | None,
    chapter: str | None,
    form: str,
    kind: str,
    lang: str,
    as_json: bool,
) -> None:
    """Import questions with their keys, all of the FILEs or nothing; what is there already changes nothing.

    They become new items of engine `import` with the source as their model, and are reviewed like others.
    """
    from psygen.curate.import_ import Wanted, import_questions
    from psygen.errors import InputError, UnknownName
    from psygen.files.concepts import load_subjects
    from psygen.make.selection import chapter_named, subject_named
    from psygen.reports.tables import err_console, print_json

    settings = settings_of(ctx)
    place = subject_named(subject, load_subjects(settings.concept_folders)) if subject else None
    if chapter and place is None:
        raise InputError("--chapter needs --subject: chapters of different subjects may share a name.")
    section = chapter_named(chapter, place) if chapter and place else None
    if chapter and section is None:
        raise UnknownName(f'There is no chapter "{chapter}". See: psygen concepts stats.')
    wanted = Wanted(source, place, section.slug if section else "", kind, lang, form)  # type: ignore[arg-type]
    done = import_questions(settings, [Path(f) for f in files], wanted)
    if as_json:
        print_json(done._asdict())
    console = err_console()
    places = ", ".join(f"{count:,} {name}" for name, count in done.subjects.items())
    console.print(
        f'psygen: {done.added:,} new of {done.read:,} questions of source "{source}" ({places}).', markup=False
    )
    if done.added < done.read:
        console.print(f"  {done.read - done.added:,} were there already.", markup=False)
    if done.without_concept:
        console.print(f"  {done.without_concept:,} name no concept of this bank.", markup=False)
    if done.added:
        console.print("Next: psygen items list --engine import, psygen check --engine import.", markup=False)
