"""`psygen export`: a split benchmark as files that other programs load."""

from pathlib import Path

import click

from psygen.cli.common import json_option, settings_of


@click.command("export")
@click.option(
    "--format",
    "formats",
    multiple=True,
    required=True,
    metavar="NAME",
    help="canonical, ceval, cmmlu, hf, lm-eval, inspect, opencompass, print, or all; may be given several times.",
)
@click.option(
    "--out",
    required=True,
    type=click.Path(file_okay=False),
    help="Folder to write; an older export there is replaced as a whole.",
)
@click.option("--split", default="main", show_default=True, metavar="NAME", help="Which split, by its name.")
@click.option("--state", "states", multiple=True, help="Only questions in this state, or any.  [default: as split]")
@click.option("--engine", "engines", multiple=True, help="Only questions of this engine, or any.  [default: as split]")
@click.option("-s", "--subject", "subjects", multiple=True, metavar="NAME", help="Only this subject.")
@click.option("--hide-answers", "hidden", multiple=True, metavar="SPLIT", help="Leave out this split's answers.")
@click.option("--keys", type=click.Path(dir_okay=False), help="File for the hidden answers.  [default: OUT-keys/…]")
@click.option("--licence", default="cc-by-4.0", show_default=True, help="Licence of the questions, for the card.")
@json_option
@click.pass_context
def command(
    ctx: click.Context,
    formats: tuple[str, ...],
    out: str,
    split: str,
    states: tuple[str, ...],
    engines: tuple[str, ...],
    subjects: tuple[str, ...],
    hidden: tuple[str, ...],
    keys: str | None,
    licence: str,
    as_json: bool,
) -> None:
    """Export a split of the bank as a benchmark, in one format or all.

    The folder appears whole or not at all; psygen.json in it lists every file with its SHA-256. The same questions
    give the same bytes.
    """
    from psygen.curate.benchmark import load_benchmark
    from psygen.curate.export import export_benchmark
    from psygen.files.concepts import load_subjects
    from psygen.files.exports.options import ExportOptions
    from psygen.make.selection import subject_named
    from psygen.reports.tables import err_console, print_json

    settings = settings_of(ctx)
    known = load_subjects(settings.concept_folders)
    slugs = tuple(subject_named(name, known).slug for name in subjects)
    benchmark = load_benchmark(settings, split=split, states=states, engines=engines, subjects=slugs)
    done = export_benchmark(
        benchmark,
        formats,
        Path(out),
        ExportOptions(hide_answers=frozenset(hidden), licence=licence),
        Path(keys) if keys else None,
    )
    if as_json:
        value = done._asdict() | {"out": str(done.out), "keys": str(done.keys) if done.keys else None}
        print_json(value | {"canary": benchmark.canary})
    console = err_console()
    counts = ", ".join(f"{n:,} {name}" for name, n in done.counts.items())
    console.print(f"psygen: {counts}; {done.files:,} files in {done.out}", markup=False)
    for note in done.notes:
        console.print(f"  {note}", markup=False)
    if done.keys:
        console.print(f"Hidden answers: {done.keys}. Keep that file to yourself.", markup=False)
    for line in _next(done.out, done.formats):
        console.print(line, markup=False)


def _next(out: Path, formats: tuple[str, ...]) -> list[str]:
    """What to do with the folder now."""
    commands = {
        "lm-eval": f"lm-eval run --model … --tasks psygen --include_path {out}/lm_eval",
        "inspect": f"inspect eval {out}/inspect/psygen_inspect.py@psygen --model …",
        "opencompass": f"COMPASS_DATA_CACHE={out} opencompass …",
        "hf": f"datasets.load_dataset('{out}/hf')",
        "print": f"open {out}/print in a browser and print",
    }
    found = [f"  {text}" for name, text in commands.items() if name in formats]
    return ["Next:", *found] if found else []
