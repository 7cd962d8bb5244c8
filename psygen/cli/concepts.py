"""`psygen concepts`: check, list, show, stats, doubts, import, export."""

from pathlib import Path
from typing import TYPE_CHECKING

import click

from psygen.cli.common import json_option, load_subject_bank, select_options, settings_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from psygen.records.concept import Bank, Concept
    from psygen.reports.tables import Cell, Table


@click.group("concepts")
def command() -> None:
    """The syllabus: check, list, show, stats, doubts, import, export."""


@command.command("check")
@click.argument("path", required=False, type=click.Path(exists=True))
@click.option("--syllabus", is_flag=True, help="Also compare with the numbers and lengths the syllabus requires.")
@click.pass_context
def check_concepts(ctx: click.Context, path: str | None, syllabus: bool) -> None:
    """Name every fault of the bank, or of PATH (a folder, or one subject's table), with line and remedy."""
    from psygen.checks.bank import syllabus_faults
    from psygen.errors import ConceptFaults
    from psygen.files.concepts import read_bank, read_table_of
    from psygen.reports.tables import err_console

    folders = settings_of(ctx).concept_folders
    if path and Path(path).is_file():
        loaded = read_table_of(Path(path), folders)
    else:
        loaded = read_bank((Path(path), *folders) if path else folders)
    faults = [str(f) for f in loaded.faults]
    if syllabus and not faults:
        faults += syllabus_faults(loaded.bank)
    if faults:
        raise ConceptFaults(faults)
    rows = sum(len(c.descriptions) for c in loaded.bank)
    said = "No fault, and the syllabus is covered" if syllabus else "No fault"
    files = len([f for f in loaded.files if f.parent.name != "terms"])
    err_console().print(
        f"{said}: {len(loaded.bank):,} concepts in {rows:,} descriptions, {files} subjects.", markup=False
    )


@command.command("list")
@select_options
@json_option
@click.pass_context
def list_concepts(
    ctx: click.Context, subjects: tuple[str, ...], chapters: tuple[str, ...], concepts: tuple[str, ...], as_json: bool
) -> None:
    """List the concepts in bank order."""
    from psygen.make.plan import select
    from psygen.make.selection import Selection
    from psygen.reports.tables import Table, out_console, print_json, print_table

    bank = load_subject_bank(settings_of(ctx), subjects)
    chosen = select(bank, Selection(subjects, chapters, concepts))
    if as_json:
        print_json([_as_json(c) for c in chosen])
        return
    rows = [[c.id, bank.subject(c.subject).chapter(c.chapter).zh, c.concept, ";".join(c.prompt_types)] for c in chosen]
    print_table(Table("", ["id", "chapter", "concept", "types, primary first"], rows), out_console())


def _as_json(concept: "Concept") -> dict[str, object]:
    return {
        "id": concept.id,
        "subject": concept.subject,
        "chapter": concept.chapter,
        "heading": concept.heading,
        "subheading": concept.subheading,
        "concept": concept.concept,
        "concept_en": concept.concept_en,
        "prompt_types": list(concept.prompt_types),
        "descriptions": [{"text": d.text, "prompt_types": list(d.prompt_types)} for d in concept.descriptions],
    }


@command.command("show")
@click.argument("concept")
@json_option
@click.pass_context
def show_concept(ctx: click.Context, concept: str, as_json: bool) -> None:
    """Show a CONCEPT (id, Chinese or English name) with all its descriptions."""
    import sys

    from psygen.make.plan import concept_named
    from psygen.reports.tables import print_json
    from psygen.text import for_terminal

    bank = load_subject_bank(settings_of(ctx), ())
    found = concept_named(concept, bank)
    if as_json:
        print_json(_as_json(found))
        return
    subject = bank.subject(found.subject)
    place = [subject.zh, subject.chapter(found.chapter).zh, found.heading, found.subheading]
    lines = [f"{found.id}  {found.concept} ({found.concept_en})", "  " + " > ".join(p for p in place if p)]
    if found.synonyms:
        lines.append("  also: " + ", ".join(found.synonyms))
    lines += [f"  [{';'.join(d.prompt_types)}] {d.text}" for d in found.descriptions]
    sys.stdout.write(for_terminal("\n".join(lines)) + "\n")


@command.command("stats")
@click.option("-s", "--subject", "subjects", multiple=True, metavar="NAME", help="Only this subject, by chapter.")
@click.option("--md", is_flag=True, help="As Markdown.")
@json_option
@click.pass_context
def stats(ctx: click.Context, subjects: tuple[str, ...], md: bool, as_json: bool) -> None:
    """Concepts, descriptions and units per subject, or per chapter of the subjects named."""
    import sys

    from psygen.checks.bank import chapter_stats
    from psygen.reports.tables import as_markdown, out_console, print_json, print_table

    bank = load_subject_bank(settings_of(ctx), subjects)
    if as_json:
        print_json([s._asdict() for s in chapter_stats(bank)])
        return
    table = _stats_table(bank, by_chapter=bool(subjects))
    if md:
        sys.stdout.write(as_markdown(table))
    else:
        print_table(table, out_console())


def _stats_table(bank: "Bank", *, by_chapter: bool) -> "Table":
    from psygen.checks.bank import ChapterStats, chapter_stats
    from psygen.records.concept import PROMPT_TYPES
    from psygen.reports.tables import Table

    def row(name: str, parts: "Sequence[ChapterStats]") -> "list[Cell]":
        descriptions = sum(p.descriptions for p in parts)
        chars = sum((p.mean_chars or 0) * p.descriptions for p in parts)
        return [
            name,
            sum(p.required for p in parts),
            sum(p.concepts for p in parts),
            descriptions,
            *(sum(p.primary[t] for p in parts) for t in PROMPT_TYPES),
            sum(sum(p.assigned.values()) for p in parts),
            chars / descriptions if descriptions else None,
        ]

    chapters = chapter_stats(bank)
    if by_chapter:
        rows = [row(bank.subject(s.subject).chapter(s.chapter).zh, [s]) for s in chapters]
    else:
        slugs = list(dict.fromkeys(s.subject for s in chapters))
        rows = [row(bank.subject(slug).zh, [s for s in chapters if s.subject == slug]) for slug in slugs]
    columns = ["chapter" if by_chapter else "subject", "required", "concepts", "descriptions"]
    columns += ["theory", "case study", "calculation", "mixed", "all types", "mean chars"]
    title = "Units by primary type, and by all assigned types"
    return Table(title, columns, rows, row("total", chapters))


@command.command("doubts")
@json_option
@click.pass_context
def doubts(ctx: click.Context, as_json: bool) -> None:
    """Show the concepts whose descriptions reviewers doubt, with what they wrote."""
    import sys

    from psygen.curate.doubts import doubts_of
    from psygen.reports.tables import err_console, print_json
    from psygen.store.queries import Reader
    from psygen.text import for_terminal

    with Reader(settings_of(ctx).database) as reader:
        found = doubts_of(reader)
    if as_json:
        print_json([d.as_json() for d in found])
        return
    if not found:
        err_console().print("No reviewer doubts a concept.", markup=False)
    for doubt in found:
        sys.stdout.write(for_terminal(doubt.as_text()) + "\n")


@command.command("import")
@click.argument("file", type=click.Path(exists=True, dir_okay=False))
@click.option("-s", "--subject", required=True, metavar="NAME", help="The subject the table belongs to.")
@click.option("--map", "maps", multiple=True, metavar="COLUMN=HEADER", help="e.g. --map description=知识点描述")
@click.option("--out", type=click.Path(dir_okay=False), help="Default: concepts/<subject>.csv of the workspace.")
@click.option("--force", is_flag=True, help="Overwrite the target.")
@click.pass_context
def import_concepts(
    ctx: click.Context, file: str, subject: str, maps: tuple[str, ...], out: str | None, force: bool
) -> None:
    """Turn an annotator's FILE (csv, xlsx, jsonl; other column names, Chinese values) into a table of the bank."""
    from psygen.files.annotators import import_table
    from psygen.files.concepts import load_subjects
    from psygen.make.selection import subject_named
    from psygen.reports.tables import err_console

    settings = settings_of(ctx)
    found = subject_named(subject, load_subjects(settings.concept_folders))
    target = Path(out) if out else settings.workspace / "concepts" / f"{found.slug}.csv"
    report = import_table(Path(file), found, dict(_pairs(maps)), target, overwrite=force)
    console = err_console()
    for line in report.notes:
        console.print(f"  {line}", markup=False)
    console.print(
        f"psygen: {report.concepts} concepts in {report.rows} rows written to {target}. Next: psygen concepts check",
        markup=False,
    )


def _pairs(maps: tuple[str, ...]) -> list[tuple[str, str]]:
    pairs = []
    for text in maps:
        column, equals, header = text.partition("=")
        if not equals or not header:
            raise click.UsageError(f'--map {text}: write COLUMN=HEADER, e.g. --map "description=知识点描述".')
        pairs.append((column.strip(), header.strip()))
    return pairs


@command.command("export")
@click.option("-s", "--subject", "subjects", multiple=True, metavar="NAME", help="Only this subject.")
@click.option("--xlsx", "out", required=True, type=click.Path(dir_okay=False), help="Write this workbook.")
@click.pass_context
def export_concepts(ctx: click.Context, subjects: tuple[str, ...], out: str) -> None:
    """Write the bank as a workbook, a sheet per subject, with drop-downs for chapter and prompt types."""
    from psygen.files.concept_sheets import write_workbook
    from psygen.reports.tables import err_console

    bank = load_subject_bank(settings_of(ctx), subjects)
    write_workbook(bank, Path(out))
    err_console().print(
        f"psygen: {len(bank):,} concepts written to {out}. Bring changes back with: psygen concepts import",
        markup=False,
    )
