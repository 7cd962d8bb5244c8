"""What several commands share: the workspace's settings and the options that select concepts."""

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

if TYPE_CHECKING:
    from psygen.records.concept import Bank
    from psygen.settings import Settings

F = TypeVar("F", bound=Callable[..., Any])


def settings_of(ctx: click.Context, flags: Mapping[str, Mapping[str, object]] | None = None) -> "Settings":
    """The settings of the workspace named by --workspace, or of the working folder."""
    from psygen.settings import load_settings

    workspace = ctx.find_root().obj
    return load_settings(Path(workspace) if workspace else None, flags=flags)


def load_subject_bank(settings: "Settings", subjects: tuple[str, ...]) -> "Bank":
    """The bank of some subjects, named in any way, or of all."""
    from psygen.files.concepts import load_bank, load_subjects
    from psygen.make.selection import subject_named

    known = load_subjects(settings.concept_folders)
    wanted = {subject_named(name, known).slug for name in subjects} or None
    return load_bank(settings.concept_folders, wanted)


def select_options(function: F) -> F:
    """--subject, --chapter, --concept: each may be given several times, by slug or by either name."""
    for option in (
        click.option("--concept", "concepts", multiple=True, metavar="NAME", help="Only this concept (id or name)."),
        click.option("--chapter", "chapters", multiple=True, metavar="NAME", help="Only this chapter."),
        click.option(
            "-s", "--subject", "subjects", multiple=True, metavar="NAME", help="Subject: slug, name in either language."
        ),
    ):
        function = option(function)
    return function


def ask_options(function: F) -> F:
    """--all, --type, --questions: what a run, or a file of requests, asks of the selection."""
    for option in (
        click.option("--questions", type=click.IntRange(1, 20), help="Questions per concept and type.  [default: 4]"),
        click.option(
            "--type",
            "types",
            multiple=True,
            type=click.Choice(["theory", "case_study", "calculation", "mixed", "all"]),
            help="Ask for this assigned type (default: each concept's primary type).",
        ),
        click.option("--all", "everything", is_flag=True, help="Every subject of the bank."),
    ):
        function = option(function)
    return function


json_option = click.option("--json", "as_json", is_flag=True, help="One JSON object on stdout and nothing else.")
