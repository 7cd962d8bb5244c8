"""`psygen split`: divide the bank into demonstrations, validation and test questions."""

from typing import TYPE_CHECKING, Any

import click

from psygen.cli.common import json_option, settings_of

if TYPE_CHECKING:
    from psygen.curate.split import Count, Divided
    from psygen.records.benchmark import Split
    from psygen.records.concept import Subject
    from psygen.records.split import Policy
    from psygen.settings import Settings

MADE_ONCE = ("group", "label", "parts", "dev", "seed")
"""What an extended split keeps from the day it was made."""


@click.command("split")
@click.option("--name", default="main", show_default=True, help="The split's name.")
@click.option("--extend", "is_extension", is_flag=True, help="Add new questions; what is placed stays in its place.")
@click.option("--replace", is_flag=True, help="Make a split of this name anew: its questions may change places.")
@click.option("--list", "is_list", is_flag=True, help="Show the splits there are.")
@click.option("--show", "is_show", is_flag=True, help="Show the questions per subject and part of a split.")
@click.option("--state", "states", multiple=True, help="In this state, or any.  [default: accepted]")
@click.option("--engine", "engines", multiple=True, help="Of this engine, or any.  [default: all but offline]")
@click.option("-s", "--subject", "subjects", multiple=True, metavar="NAME", help="Only this subject.")
@click.option("--group", type=click.Choice(["none", "concept"]), help="Keep the questions of a concept together.")
@click.option("--dev", type=click.IntRange(0, 1000), help="Demonstrations of each subject.  [default: 5]")
@click.option("--label", metavar="SCHEME", help="Even shares over this label instead, e.g. kind.")
@click.option("--parts", metavar="PART=N,…", help="With --label.  [default: train,dev,test,reserved]")
@click.option("--seed", type=int, help="Seed of every draw.")
@click.option("--dry-run", is_flag=True, help="Show what would come, store nothing.")
@json_option
@click.pass_context
def command(ctx: click.Context, /, name: str, subjects: tuple[str, ...], as_json: bool, **options: Any) -> None:
    """Divide the questions: five demonstrations per subject, the rest 428 : 4,085 into val and test.

    Counts follow the published proportion in every subject and chapter. Near-duplicates never part. With --label the
    parts train, dev, test and reserved get even shares over a label; reserved questions never leave.
    """
    from psygen.curate.split import stored_counts, stored_split
    from psygen.files.concepts import load_subjects
    from psygen.make.selection import subject_named

    settings = settings_of(ctx, {"generate": {"seed": options["seed"]}})
    known = load_subjects(settings.concept_folders)
    chosen = [subject_named(one, known) for one in subjects]
    if options["is_list"]:
        _list(settings, as_json=as_json)
    elif options["is_show"]:
        stored = stored_split(settings, name)
        _show(name, stored.policy, stored_counts(settings, known, name), known, as_json=as_json)
    else:
        done = _divide(settings, known, chosen, name, options)
        _show(name, done.policy, done.counts, known, as_json=as_json, done=done)
        _say(done, is_dry_run=options["dry_run"], is_extension=options["is_extension"])


def _divide(
    settings: "Settings", known: "tuple[Subject, ...]", subjects: "list[Subject]", name: str, options: dict[str, Any]
) -> "Divided":
    from psygen.curate.split import extend, make_split, new_policy, stored_split, widened

    named = {"states": options["states"], "engines": options["engines"]}
    if options["is_extension"]:
        if options["replace"]:
            raise click.UsageError("--extend keeps a split and --replace makes it anew; use one of them.")
        if given := [f"--{option}" for option in MADE_ONCE if options[option] is not None]:
            raise click.UsageError(f"{given[0]} cannot change with --extend: a split keeps its policy.")
        stored = stored_split(settings, name)
        policy = widened(settings, stored.policy, **named)
        return extend(settings, known, stored, policy, subjects=subjects, is_dry_run=options["dry_run"])
    return make_split(
        settings,
        known,
        new_policy(settings, **named, **_rules_of(options)),
        name=name,
        subjects=subjects,
        replace=options["replace"],
        is_dry_run=options["dry_run"],
    )


def _rules_of(options: dict[str, Any]) -> dict[str, Any]:
    """What the flags say about a new split's policy."""
    rules: dict[str, Any] = {"group": options["group"] or "none", "label": options["label"] or ""}
    if options["label"]:
        if options["dev"] is not None:
            raise click.UsageError("With --label dev is a part like the others: --parts train=70,dev=5,test=20,…")
        rules["shares"] = _shares(options["parts"] or "train,dev,test,reserved")
    elif options["parts"]:
        raise click.UsageError("--parts needs --label: without one, dev, val and test follow the published proportion.")
    elif options["dev"] is not None:
        rules["dev"] = options["dev"]
    return rules


def _shares(text: str) -> "tuple[tuple[Split, int], ...]":
    """`train=7,test=2` as parts and weights; a part without a number weighs 1."""
    from psygen.records.split import PARTS

    found: dict[Split, int] = {}
    for entry in text.split(","):
        name, _, weight = (part.strip() for part in entry.partition("="))
        part = next((p for p in PARTS if p == name), None)
        if part is None or part in found or not (weight or "1").isdecimal() or int(weight or 1) == 0:
            raise click.UsageError(
                f'"{entry}" in --parts: expected {", ".join(PARTS)}, each at most once, with a whole number after =.'
            )
        found[part] = int(weight or 1)
    return tuple(found.items())


def _list(settings: "Settings", *, as_json: bool) -> None:
    from psygen.curate.split import stored_splits
    from psygen.reports.tables import Table, err_console, out_console, print_json, print_table

    splits = stored_splits(settings)
    if as_json:
        print_json({"splits": [s._asdict() | {"policy": s.policy.model_dump(mode="json")} for s in splits]})
    elif splits:
        rows = [[s.name, s.made_at, s.extended_at or "", _in_a_line(s.policy)] for s in splits]
        print_table(Table("", ["split", "made", "extended", "policy"], rows), out_console())
    else:
        err_console().print("There is no split yet; make one with: psygen split.", markup=False)


def _in_a_line(policy: "Policy") -> str:
    shares = " : ".join(f"{part} {weight:,}" for part, weight in policy.shares)
    dev = f"dev {policy.dev} per subject, " if policy.dev else ""
    over = f" over {policy.label}" if policy.label else ""
    group = ", concepts whole" if policy.group == "concept" else ""
    return (
        f"{dev}{shares}{over}{group}; {', '.join(policy.states)}; {', '.join(policy.engines)}; "
        f"{policy.lang}; seed {policy.seed}"
    )


def _show(
    name: str,
    policy: "Policy",
    counts: "Count",
    known: "tuple[Subject, ...]",
    *,
    as_json: bool,
    done: "Divided | None" = None,
) -> None:
    """Questions per subject and part, as a table or as JSON."""
    from psygen.reports.tables import Cell, Table, out_console, print_json, print_table

    if as_json:
        more = {"added": done.added, "notes": list(done.notes)} if done else {}
        print_json({"split": name, "policy": policy.model_dump(mode="json"), "counts": counts, **more})
        return
    names = {s.slug: s.zh for s in known}
    rows: list[list[Cell]] = [
        [names[slug], *(parts.get(p, 0) for p in policy.parts), sum(parts.values())] for slug, parts in counts.items()
    ]
    sums: list[Cell] = [sum(parts.get(p, 0) for parts in counts.values()) for p in policy.parts]
    total = sum(sum(parts.values()) for parts in counts.values())
    title = f'Split "{name}": {_in_a_line(policy)}'
    print_table(Table(title, ["subject", *policy.parts, "all"], rows, ["", *sums, total]), out_console())


def _say(done: "Divided", *, is_dry_run: bool, is_extension: bool) -> None:
    from psygen.reports.tables import err_console

    console = err_console()
    for note in done.notes:
        console.print(f"psygen: WARNING: {note}", markup=False)
    if is_dry_run:
        console.print("psygen: nothing was stored (--dry-run).", markup=False)
    elif is_extension:
        console.print(f"psygen: {done.added:,} questions are new in the split; no other moved.", markup=False)
    else:
        console.print("Next: psygen export --format all --out DIR", markup=False)
