"""`psygen review stats`: progress, agreement, blind answers, yield, in figures."""

from typing import TYPE_CHECKING

import click

from psygen.cli.common import json_option, settings_of

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from psygen.curate.figures import Group, ReviewerFigures, ReviewFigures
    from psygen.metrics.agreement import Figure
    from psygen.metrics.rates import Rate
    from psygen.records.concept import Subject
    from psygen.reports.tables import Cell, Table

MOST_CONTRADICTED = 10


@click.command("stats")
@click.option("-s", "--subject", "subjects", multiple=True, metavar="NAME", help="Only this subject, by chapter.")
@click.option("--engine", "engines", multiple=True, help="Only questions of this engine.")
@click.option("--md", is_flag=True, help="As Markdown.")
@json_option
@click.pass_context
def stats(ctx: click.Context, subjects: tuple[str, ...], engines: tuple[str, ...], md: bool, as_json: bool) -> None:
    """Show how far the review is, how well the reviewers agree, and how many questions it keeps.

    Agreement is of first verdicts on the original wording, before anybody saw another's. What cannot be told is said
    to be undefined: where all verdicts are equal, no coefficient shows that the reviewers can tell good from bad.
    """
    import sys

    from psygen.curate.stats import review_stats
    from psygen.files.concepts import load_subjects
    from psygen.make.selection import subject_named
    from psygen.reports.tables import as_markdown, err_console, out_console, print_json, print_table

    settings = settings_of(ctx)
    known = load_subjects(settings.concept_folders)
    slugs = tuple(subject_named(name, known).slug for name in subjects)
    figures = review_stats(settings, subjects=slugs, engines=engines)
    if as_json:
        print_json(_as_json(figures))
        return
    console = out_console()
    for n, table in enumerate(_tables(figures, known, by_chapter=bool(slugs))):
        if md:
            sys.stdout.write("\n" * bool(n) + f"### {table.title}\n\n{as_markdown(table)}")
        else:
            console.print("\n" * bool(n), end="")
            print_table(table, console)
    if not figures.begun:
        err_console().print("No verdict yet. Next: psygen review export, or psygen review serve.", markup=False)


def _tables(figures: "ReviewFigures", known: "Sequence[Subject]", *, by_chapter: bool) -> "list[Table]":
    tables = [_progress(figures, known, by_chapter=by_chapter), _reviewers(figures.reviewers)]
    if figures.begun:
        tables += [_agreement(figures), _checks(figures), _cohen(figures), _cohen_parts(figures)]
    if figures.contradicted:
        tables.append(_contradicted(figures))
    return tables


def _progress(figures: "ReviewFigures", known: "Sequence[Subject]", *, by_chapter: bool) -> "Table":
    from psygen.curate.figures import STATES
    from psygen.reports.tables import Table

    names = {(s.slug, ""): s.zh for s in known} | {(s.slug, c.slug): c.zh for s in known for c in s.chapters}
    rows: list[list[Cell]] = []
    for group in figures.groups:
        if group.by == "chapter" and not by_chapter:
            continue
        name = group.name
        if group.by == "subject":
            name = names.get((group.name, ""), group.name)
        elif group.by == "chapter":
            name = f"{names.get((group.subject, ''), group.subject)} {names.get((group.subject, name), name)}"
        counts = [group.states[state] for state in STATES]
        rows.append([group.by or "all", name, sum(counts), *counts, _share(group.yielded)])
    columns = ["by", "name", "questions", *(s.replace("_", " ") for s in STATES), "yield"]
    return Table("Progress and yield: accepted of accepted and rejected, with 95 % intervals", columns, rows)


def _reviewers(reviewers: "Sequence[ReviewerFigures]") -> "Table":
    from psygen.curate.figures import JUDGEMENTS
    from psygen.reports.tables import Table

    columns = ["reviewer", "assigned", "judged", *JUDGEMENTS, "blind = key", "of", "median s", "sentinels"]
    rows: list[list[Cell]] = [
        [
            r.reviewer,
            r.assigned,
            r.judged,
            *(_percent(r.verdicts[verdict]) for verdict in JUDGEMENTS),
            _share(r.blind),
            r.blind.of,
            None if r.median_ms is None else r.median_ms / 1000,
            f"{r.sentinels.part} of {r.sentinels.of}" if r.sentinels.of else None,
        ]
        for r in reviewers
    ]
    title = "Reviewers: first verdicts on the original, blind answers that are the key, planted defects found"
    return Table(title, columns, rows)


def _agreement(figures: "ReviewFigures") -> "Table":
    from psygen.curate.figures import JUDGEMENTS
    from psygen.reports.tables import Percent, Table, show_estimate

    rows: list[list[Cell]] = []
    for aspect in figures.aspects:
        found = aspect.agreement
        percent = found.percent
        rows.append(
            [
                _label(aspect.name) + (" or other" if aspect.name in JUDGEMENTS else ""),
                percent.items,
                show_estimate(None if percent.value is None else Percent(percent.value), percent.interval),
                *(show_estimate(f.value, f.interval) for f in (found.alpha, found.fleiss, found.ac1)),
                found.alpha.undefined,
            ]
        )
    columns = ["agreement on", "questions", "percent", "Krippendorff's α", "Fleiss' κ", "Gwet's AC1", "note"]
    if not any(row[-1] for row in rows):
        columns, rows = columns[:-1], [row[:-1] for row in rows]
    return Table("Agreement on questions judged twice or more, with 95 % bootstrap intervals", columns, rows)


def _checks(figures: "ReviewFigures") -> "Table":
    from psygen.records.review import CHECK_VALUES, CHECKS
    from psygen.reports.tables import Table

    rows: list[list[Cell]] = [
        [_label(a.name), a.shares["yes"].of, *(_percent(a.shares[value]) for value in CHECK_VALUES)]
        for a in figures.aspects
        if a.name in CHECKS
    ]
    return Table("Checks", ["check", "answers", *CHECK_VALUES], rows)


def _cohen(figures: "ReviewFigures") -> "Table":
    """Reviewers by reviewers: kappa of the verdicts, with the number of questions both judged."""
    from psygen.reports.tables import Table

    pairs = figures.aspects[0].pairs
    people = list(dict.fromkeys(who for pair in pairs for who in pair))
    rows: list[list[Cell]] = [[one, *(_kappa(pairs, one, other) for other in people)] for one in people]
    return Table("Cohen's κ of the verdicts (questions both judged)", ["", *people], rows)


def _kappa(pairs: "Mapping[tuple[str, str], Figure]", one: str, other: str) -> str:
    from psygen.reports.tables import show_estimate, show_number

    figure = pairs.get((one, other)) or pairs.get((other, one))
    if figure is None:
        return ""
    return figure.undefined or f"{show_estimate(figure.value)} ({show_number(figure.items)})"


def _cohen_parts(figures: "ReviewFigures") -> "Table":
    """Pairs of reviewers by what they agree on."""
    from psygen.reports.tables import Table, show_estimate

    parts = figures.aspects[1:]
    rows: list[list[Cell]] = [
        [f"{one}, {other}", *(show_estimate(part.pairs[one, other].value) for part in parts)]
        for one, other in figures.aspects[0].pairs
    ]
    title = "Cohen's κ of each verdict against the others, and of the checks (a dash: undefined)"
    return Table(title, ["reviewers", *(_label(part.name) for part in parts)], rows)


def _contradicted(figures: "ReviewFigures") -> "Table":
    from psygen.reports.tables import Table

    rows: list[list[Cell]] = [
        [found.item, found.key, ", ".join(f"{who} {letter}" for who, letter in found.answers.items())]
        for found in figures.contradicted[:MOST_CONTRADICTED]
    ]
    more = len(figures.contradicted) - len(rows)
    title = "Keys that most blind answers contradict: psygen review log ITEM" + (f" ({more:,} more)" if more else "")
    return Table(title, ["item", "key", "answers"], rows)


def _label(name: str) -> str:
    return name.replace("_", " ")


def _percent(rate: "Rate") -> "Cell":
    from psygen.reports.tables import Percent

    return None if rate.value is None else Percent(rate.value)


def _share(rate: "Rate") -> str:
    """A share and its interval."""
    from psygen.reports.tables import Percent, show_estimate

    return show_estimate(None if rate.value is None else Percent(rate.value), rate.interval())


def _as_json(figures: "ReviewFigures") -> dict[str, object]:
    return {
        "items": figures.items,
        "begun": figures.begun,
        "groups": [_group_json(group) for group in figures.groups],
        "reviewers": [
            r._asdict()
            | {"verdicts": {verdict: rate.part for verdict, rate in r.verdicts.items()}}
            | {"blind": _rate_json(r.blind), "sentinels": _rate_json(r.sentinels)}
            | {"defects": {defect: _rate_json(rate) for defect, rate in r.defects.items()}}
            for r in figures.reviewers
        ],
        "agreement": [
            {
                "on": aspect.name,
                "shares": {value: _rate_json(rate) for value, rate in aspect.shares.items()},
                **{name: _figure_json(figure) for name, figure in aspect.agreement._asdict().items()},
                "cohen": [{"reviewers": list(pair), **_figure_json(figure)} for pair, figure in aspect.pairs.items()],
            }
            for aspect in figures.aspects
        ],
        "contradicted_keys": [found._asdict() for found in figures.contradicted],
    }


def _group_json(group: "Group") -> dict[str, object]:
    value = group._asdict() | {"by": group.by or "all"}
    return {k: v for k, v in value.items() if v != ""} | {"yield": _rate_json(group.yielded)}


def _rate_json(rate: "Rate") -> dict[str, object]:
    return {"count": rate.part, "of": rate.of, "rate": rate.value, "interval": rate.interval()}


def _figure_json(figure: "Figure") -> dict[str, object]:
    value = {"value": figure.value, "items": figure.items, "interval": figure.interval}
    return value | ({"undefined": figure.undefined} if figure.undefined else {})
