"""`psygen check`: the bank's health."""

from typing import TYPE_CHECKING, Any

import click

from psygen.cli.common import json_option, settings_of

if TYPE_CHECKING:
    from psygen.checks.health import Health


@click.command("check")
@click.option("-s", "--subject", "subjects", multiple=True, metavar="NAME", help="Only this subject.")
@click.option("--engine", "engines", multiple=True, help="Only items of this engine.")
@click.option("--strict", is_flag=True, help="Exit with 1 when there is an alarm.")
@json_option
@click.pass_context
def command(
    ctx: click.Context, subjects: tuple[str, ...], engines: tuple[str, ...], strict: bool, as_json: bool
) -> None:
    """Show letters, lengths, duplicates and flags of the bank, per subject, kind and engine.

    Beside them stand human examinations, measured the same way; what they would not show is an alarm.
    """
    from psygen.checks.health import bank_health
    from psygen.files.concepts import load_subjects
    from psygen.make.selection import subject_named
    from psygen.reports.tables import print_json
    from psygen.store.queries import Filter, Reader

    settings = settings_of(ctx)
    known = load_subjects(settings.concept_folders)
    slugs = tuple(subject_named(name, known).slug for name in subjects)
    live = ("new", "in_review", "accepted", "contested")
    with Reader(settings.database) as reader:
        items = list(reader.items(Filter(subjects=slugs, engines=engines, states=live)))
        invalid = reader.invalid_codes(Filter(subjects=slugs, engines=engines))
    found = bank_health(items)
    if as_json:
        print_json(_as_json(found, invalid))
    else:
        _show(found, invalid)
    if strict and any(h.alarms for h in found):
        ctx.exit(1)


def _as_json(found: "list[Health]", invalid: dict[str, int]) -> dict[str, Any]:
    def entry(health: "Health") -> dict[str, Any]:
        value = health._asdict() | {"alarms": list(health.alarms)}
        if not health.kind:
            del value["kind"]
        return value

    return {
        "subjects": [entry(h) for h in found if not h.kind],
        "kinds": [entry(h) for h in found if h.kind],
        "invalid": sum(invalid.values()),
        "invalid_codes": invalid,
    }


def _show(found: "list[Health]", invalid: dict[str, int]) -> None:
    from psygen.checks.health import REFERENCES
    from psygen.reports.tables import Cell, Percent, Table, out_console, print_table

    console = out_console()
    engines = sorted({h.engine for h in found})
    names = ["subject", "kind", *(["engine"] if len(engines) > 1 else []), "items", *"ABCD", "longest"]
    names += ["stem", "key", "distr", "same", "alike"]
    rows: list[list[Cell]] = []
    for h in found:
        place: list[Cell] = ["" if h.kind else h.subject, h.kind or "all", *([h.engine] if len(engines) > 1 else [])]
        letters: list[Cell] = [None if s is None else Percent(s) for s in h.key_share.values()]
        longest = None if h.longest_is_key is None else Percent(h.longest_is_key)
        lengths: list[Cell] = [h.stem_chars, h.answer_chars, h.distractor_chars]
        rows.append([*place, h.items, *letters, longest, *lengths, h.exact_duplicates, h.near_duplicates])
    print_table(Table(f"Engine {', '.join(engines) or 'none'}", names, rows), console)
    console.print(
        "A-D: where the key stands. longest: how often the longest option is the key. "
        "stem, key, distr: mean characters.\n"
        "same, alike: stems, and whole questions, that repeat an earlier one.",
        markup=False,
        style="dim",
    )
    human: list[list[Cell]] = [
        [r.name, r.items, *(Percent(s) for s in r.key_share), Percent(r.longest_is_key), r.stem_chars, r.answer_chars]
        for r in REFERENCES
    ]
    console.print()
    columns = ["human examinations", "items", "A", "B", "C", "D", "longest", "stem", "key"]
    print_table(Table("", columns, human), console)
    console.print()
    _show_flags(found, invalid)


def _show_flags(found: "list[Health]", invalid: dict[str, int]) -> None:
    from psygen.checks.item import HARD, SOFT
    from psygen.reports.tables import out_console

    console = out_console()
    totals: dict[str, int] = {}
    for h in found:
        for flag, count in h.flags.items() if not h.kind else ():
            totals[flag] = totals.get(flag, 0) + count
    for flag, count in sorted(totals.items(), key=lambda f: -f[1]):
        console.print(f"{count:>6,}  {flag}: {SOFT.get(flag, '')}", markup=False)
    for code, count in invalid.items():
        console.print(f"{count:>6,}  invalid, {code}: {HARD.get(code, '')} (kept, never exported)", markup=False)
    alarms = [f"ALARM {h.subject} {h.kind} {h.engine}: {a}".replace("  ", " ") for h in found for a in h.alarms]
    console.print("\n".join(alarms) if alarms else "No alarm.", markup=False)
