"""`psygen`: finds the command asked for, and turns every error into one sentence and an exit code."""

import os
import sys
from importlib import import_module
from typing import Any, TextIO, cast

import click

from psygen import __version__

COMMANDS = {
    "init": ("init", "Make a workspace: psygen.toml, prompts and concepts of your own."),
    "concepts": ("concepts", "The syllabus: check, list, show, stats, import, export."),
    "prompt": ("prompt", "Show exactly what would be sent for a concept."),
    "generate": ("generate", "Ask for questions on every concept that has none yet."),
    "status": ("status", "How far each subject and chapter is."),
    "report": ("report", "What the night brought: done, short, given up, money, time, and the next command."),
    "retry": ("retry", "Put units back that were given up."),
    "doctor": ("doctor", "Check settings, key, server, disk, permissions and database."),
    "backup": ("backup", "A sound copy of the database, at any time."),
    "batch": ("batch", "Batches at a provider, and files for a cluster."),
    "replies": ("replies", "What models said: show a reply raw and read."),
    "reparse": ("reparse", "Read all stored replies again; sends nothing."),
    "items": ("items", "The questions: list, show, export."),
    "check": ("check", "The bank's health beside human examinations."),
    "review": ("review", "Review: batches out and back, who said what, where all stands."),
    "split": ("split", "Divide the questions into dev, val and test."),
    "stats": ("stats", "The papers' tables for the bank: counts, lengths, coverage."),
    "export": ("export", "A split as a benchmark: tables, dataset, harness tasks, papers to print."),
    "import": ("import_", "Questions from elsewhere as items of a named source."),
}
CONTEXT = {"help_option_names": ["-h", "--help"], "max_content_width": 100}


class LazyGroup(click.Group):
    """A group whose commands are imported when they run; --help shows them from the table above."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """The commands in the order of the work."""
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Import a command's module; None for an unknown name."""
        if cmd_name not in COMMANDS:
            return None
        command: click.Command = import_module(f"psygen.cli.{COMMANDS[cmd_name][0]}").command
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """As click's, with the nearest command for a mistyped one."""
        if args and args[0] not in COMMANDS and not args[0].startswith("-"):
            import difflib

            near = difflib.get_close_matches(args[0], COMMANDS, 1, 0.5)
            hint = f" Did you mean {near[0]}?" if near else " See: psygen --help."
            ctx.fail(f'There is no command "{args[0]}".{hint}')
        return super().resolve_command(ctx, args)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """The list of commands, without importing one."""
        with formatter.section("Commands"):
            formatter.write_dl([(name, text) for name, (_, text) in COMMANDS.items()])


@click.group(cls=LazyGroup, context_settings=CONTEXT)
@click.version_option(__version__, "-V", "--version", prog_name="psygen")
@click.option(
    "-w",
    "--workspace",
    type=click.Path(file_okay=False),
    help="Folder with psygen.toml, prompts/, concepts/, outputs/ (default: the working folder).",
)
@click.pass_context
def cli(ctx: click.Context, workspace: str | None) -> None:
    """Turn a syllabus into a benchmark: concepts in, reviewed multiple-choice questions out."""
    ctx.obj = workspace


class _Unheard:
    """stderr that may lose its listener, a pipe into head or a terminal that is gone: no work ends for that."""

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream

    def __getattr__(self, name: str) -> Any:  # whatever a text stream has
        return getattr(self._stream, name)

    def write(self, text: str) -> int:
        """As the stream's; what nobody can hear any more is dropped."""
        try:
            self._stream.write(text)
        except OSError:
            self._drop()
        return len(text)

    def flush(self) -> None:
        """As the stream's."""
        try:
            self._stream.flush()
        except OSError:
            self._drop()

    def _drop(self) -> None:
        os.dup2(os.open(os.devnull, os.O_WRONLY), self._stream.fileno())


def main() -> None:
    """Run psygen and leave with its exit code (see psygen.errors)."""
    if sys.stderr is not None:
        sys.stderr = cast(TextIO, _Unheard(sys.stderr))
    # What psygen writes holds unpublished questions: for its owner only.
    os.umask(0o077)
    try:
        # Not cli.main(): click answers a closed pipe with exit code 1.
        with cli.make_context("psygen", sys.argv[1:]) as ctx:
            code = cli.invoke(ctx)
    except click.exceptions.Exit as leaving:
        code = leaving.exit_code
    except click.exceptions.Abort:
        code = 130
    except click.ClickException as error:
        error.show()
        code = error.exit_code
    except BrokenPipeError:
        # The reader left (a pipe into head); what was written is complete, and nobody is there to complain to.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        code = 0
    except KeyboardInterrupt:
        code = 130
    except Exception as error:  # noqa: BLE001  (the last line of defence)
        code = _explain(error)
    try:
        sys.stdout.flush()
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    sys.exit(code if isinstance(code, int) else 0)


def _explain(error: Exception) -> int:
    """One sentence on stderr for an error of ours; a bug says where it is, without what passed through it."""
    from psygen.errors import PsygenError

    if isinstance(error, PsygenError):
        sys.stderr.write(f"psygen: {error}\n")
        return error.exit_code
    if os.environ.get("PSYGEN_DEBUG"):
        raise error
    last = error.__traceback__
    while last is not None and last.tb_next is not None:
        last = last.tb_next
    place = f"{os.path.basename(last.tb_frame.f_code.co_filename)} line {last.tb_lineno}" if last else "unknown place"
    sys.stderr.write(
        f"psygen: internal error, {type(error).__name__} in {place}. This is a bug; nothing stored was lost. "
        "PSYGEN_DEBUG=1 shows the traceback.\n"
    )
    return 1
