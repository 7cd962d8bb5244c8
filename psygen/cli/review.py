"""`psygen review`: batches for the reviewers."""

from pathlib import Path

import click

from psygen.cli.common import settings_of


@click.group("review")
def command() -> None:
    """Batches for the three reviewers."""


@command.command("export")
@click.option("--size", type=click.IntRange(1, 100_000), default=100, show_default=True, help="Questions in the batch.")
@click.option("--reviewers", type=click.IntRange(1, 26), help="How many workbooks.  [default: 3]")
@click.option("--out", type=click.Path(file_okay=False), help="Folder for the workbooks.  [default: outputs/review]")
@click.option("-s", "--subject", "subjects", multiple=True, metavar="NAME", help="Only this subject.")
@click.option("--engine", "engines", multiple=True, help="Only questions of this engine.")
@click.option("--seed", type=int, help="Seed of the choice and the order.")
@click.pass_context
def export_batch_command(
    ctx: click.Context,
    size: int,
    reviewers: int | None,
    out: str | None,
    subjects: tuple[str, ...],
    engines: tuple[str, ...],
    seed: int | None,
) -> None:
    """Write the next batch as one workbook per reviewer: the same questions, each in an order of their own.

    Reviewers answer first; key and concept stand on another sheet. Earlier batches' questions don't come again.
    """
    from psygen.curate.review import export_batch
    from psygen.files.concepts import load_subjects
    from psygen.make.selection import subject_named
    from psygen.reports.tables import err_console

    settings = settings_of(ctx, {"generate": {"seed": seed}, "review": {"reviewers": reviewers}})
    known = load_subjects(settings.concept_folders)
    done = export_batch(
        settings,
        tuple(subject_named(name, known) for name in subjects),
        known,
        size=size,
        reviewers=settings.review.reviewers,
        out=Path(out) if out else settings.outputs / "review",
        seed=settings.generate.seed,
        engines=engines,
    )
    console = err_console()
    console.print(f"psygen: batch {done.batch}, {done.items} questions for each reviewer:", markup=False)
    for path in done.files:
        console.print(f"  {path}", markup=False)
    console.print("Next: send each reviewer their workbook.", markup=False)
