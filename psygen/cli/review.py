"""`psygen review`: batches out and back, and what came of them."""

from pathlib import Path
from typing import TYPE_CHECKING

import click

from psygen.cli.common import json_option, settings_of
from psygen.cli.review_desk import log, replay_command, settle, show_status
from psygen.cli.review_stats import stats
from psygen.cli.serve import serve_command

if TYPE_CHECKING:
    from psygen.curate.intake import Imported
    from psygen.curate.review import Exported
    from psygen.settings import Settings
    from psygen.store.queries import Filter

MOST_SHOWN = 40
"""Refused rows shown on a terminal; --json has them all."""


@click.group("review")
def command() -> None:
    """Review by professionals: batches out and back, who said what, where everything stands."""


@command.command("export")
@click.option("--size", type=click.IntRange(1, 100_000), default=100, show_default=True, help="Questions in the batch.")
@click.option("--reviewers", type=click.IntRange(1, 26), help="How many reviewers get it.  [default: all]")
@click.option("--overlap", type=click.FloatRange(0, 1), help="Share that all get, if min_reviews is less than all.")
@click.option(
    "--sentinels", type=click.IntRange(0, 1000), default=0, help="Questions with a planted defect among them."
)
@click.option("-s", "--subject", "subjects", multiple=True, metavar="NAME", help="Only this subject.")
@click.option("--chapter", "chapters", multiple=True, metavar="NAME", help="Only this chapter.")
@click.option("--flag", "flags", multiple=True, help="Questions with this flag first; any: with whatever flag.")
@click.option("--engine", "engines", multiple=True, help="Only questions of this engine.")
@click.option("--format", "form", type=click.Choice(["xlsx", "csv"]), default="xlsx", show_default=True)
@click.option("--no-files", is_flag=True, help="Make the batch for the page only.")
@click.option("--out", type=click.Path(file_okay=False), help="Folder for the files.  [default: outputs/review]")
@click.option("--seed", type=int, help="Seed of the choice and the order.")
@json_option
@click.pass_context
def export_batch_command(
    ctx: click.Context,
    size: int,
    reviewers: int | None,
    overlap: float | None,
    sentinels: int,
    subjects: tuple[str, ...],
    chapters: tuple[str, ...],
    flags: tuple[str, ...],
    engines: tuple[str, ...],
    form: str,
    no_files: bool,
    out: str | None,
    seed: int | None,
    as_json: bool,
) -> None:
    """Write the next batch, a workbook per reviewer, each in an order of its own.

    Reviewers answer first. With blind reviewing (the default) their workbooks hold no key anywhere; the answers are
    workbooks of their own, to be handed out afterwards. Earlier batches' questions don't come again.
    """
    from psygen.curate.review import Wish, export_batch
    from psygen.errors import InputError
    from psygen.files.concepts import load_subjects
    from psygen.records.review import policy_of, reviewers_of
    from psygen.reports.tables import print_json

    settings = settings_of(ctx, {"generate": {"seed": seed}, "review": {"reviewers": reviewers, "overlap": overlap}})
    people = [r.id for r in reviewers_of(settings)]
    if reviewers is not None and reviewers > len(people):
        raise InputError(f"--reviewers {reviewers}: psygen.toml names {len(people)} reviewers.")
    done = export_batch(
        settings,
        policy_of(settings),
        load_subjects(settings.concept_folders),
        Wish(size, _filter(settings, subjects, chapters, engines), flags, sentinels),
        reviewers=people[:reviewers],
        out=Path(out) if out else settings.outputs / "review",
        seed=settings.generate.seed,
        form="none" if no_files else form,
    )
    if as_json:
        print_json(done._asdict() | {"files": [*map(str, done.files)], "answers": [*map(str, done.answers)]})
    else:
        _show_export(done)


def _filter(
    settings: "Settings", subjects: tuple[str, ...], chapters: tuple[str, ...], engines: tuple[str, ...]
) -> "Filter":
    from psygen.errors import UnknownName
    from psygen.files.concepts import load_subjects
    from psygen.make.selection import chapter_named, subject_named
    from psygen.store.queries import Filter

    known = load_subjects(settings.concept_folders)
    wanted = [subject_named(name, known) for name in subjects]
    slugs: list[str] = []
    for name in chapters:
        found = {c.slug for s in wanted or known if (c := chapter_named(name, s)) is not None}
        if not found:
            raise UnknownName(f'There is no chapter "{name}". See: psygen concepts stats.')
        slugs += sorted(found)
    return Filter(subjects=tuple(s.slug for s in wanted), chapters=tuple(slugs), engines=engines)


def _show_export(done: "Exported") -> None:
    from psygen.reports.tables import err_console

    console = err_console()
    counts = sorted(set(done.each.values()))
    each = f"{counts[0]:,}" if len(counts) == 1 else f"{counts[0]:,} to {counts[-1]:,}"
    console.print(f"psygen: batch {done.batch}, {each} questions for each reviewer:", markup=False)
    for path in done.files:
        console.print(f"  {path}", markup=False)
    if done.sentinels:
        console.print(f"{done.sentinels} of them have a planted defect; the good ones come later.", markup=False)
    if not done.files:
        console.print("Next: psygen review serve.", markup=False)
        return
    if done.answers:
        console.print(f"Their answers, for afterwards, are in {done.answers[0].parent}.", markup=False)
    console.print("Next: send each reviewer their file; when it comes back: psygen review import FILE.", markup=False)


@command.command("import")
@click.argument("files", nargs=-1, required=True, type=click.Path(dir_okay=False))
@click.option("--reviewer", default="", help="Who filled it in, when a file does not say so.")
@json_option
@click.pass_context
def import_sheets(ctx: click.Context, files: tuple[str, ...], reviewer: str, as_json: bool) -> None:
    """Take in reviewers' FILES (xlsx, csv): sorted, filtered, half filled, in any order, as often as you like.

    Rows that cannot be taken are named with their cells; all others of a file come in together, or none does.
    """
    from psygen.curate.intake import import_sheet
    from psygen.errors import InputError
    from psygen.records.review import policy_of
    from psygen.reports.tables import err_console, print_json
    from psygen.store.connection import must_exist
    from psygen.store.database import Store

    settings = settings_of(ctx)
    must_exist(settings.database)
    done: list[Imported] = []
    failed: list[InputError] = []
    with Store(settings.database) as store:
        for name in files:
            try:
                done.append(import_sheet(store, policy_of(settings), Path(name), reviewer=reviewer))
            except InputError as error:
                failed.append(error)
                continue
            if not as_json:
                _show_import(done[-1])
    if as_json:
        print_json({"files": [_import_json(one) for one in done], "failed": [str(e) for e in failed]})
    if failed:
        for fault in failed[:-1]:
            err_console().print(f"psygen: {fault}", markup=False)
        raise failed[-1]


def _show_import(done: "Imported") -> None:
    from psygen.reports.tables import err_console
    from psygen.text import for_terminal

    console = err_console()
    who = f"{done.reviewer}, batch {done.batch}" if done.batch else done.reviewer
    said = "imported before, nothing new" if done.was_known else f"{done.new:,} new, {done.unchanged:,} unchanged"
    lines = [f"psygen: {done.path} ({who}): {done.rows:,} rows read, {said}, {done.empty:,} not reviewed."]
    if done.edits:
        lines.append(f"  {done.edits:,} changed texts, {done.merged:,} of them joined with what others changed")
    if done.without_answer:
        lines.append(f"  {done.without_answer:,} verdicts without a blind answer")
    lines += [f"  {note}" for note in done.notes]
    for conflict in done.conflicts:
        fields = ", ".join(conflict.fields)
        lines.append(f"  conflict {conflict.cell}: {conflict.item_id}, {fields} changed by others too; now contested")
    lines += [f"  refused {r.cell}: {r.what}" for r in done.refused[:MOST_SHOWN]]
    if len(done.refused) > MOST_SHOWN:
        lines.append(f"  … and {len(done.refused) - MOST_SHOWN:,} more; --json shows them all")
    for line in lines:
        console.print(for_terminal(line), markup=False)


def _import_json(done: "Imported") -> dict[str, object]:
    value = done._asdict() | {"path": str(done.path)}
    value["conflicts"] = [c._asdict() for c in done.conflicts]
    value["refused"] = [r._asdict() for r in done.refused]
    return value


for _command in (show_status, log, settle, replay_command, stats, serve_command):
    command.add_command(_command)
