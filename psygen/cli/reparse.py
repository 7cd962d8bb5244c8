"""`psygen reparse`: after a change of the reader."""

import click

from psygen.cli.common import json_option, settings_of


@click.command("reparse")
@json_option
@click.pass_context
def command(ctx: click.Context, as_json: bool) -> None:
    """Read every stored reply again with the present reader: nothing is sent, items change only where they differ."""
    from psygen.make.reparse import reparse
    from psygen.reports.tables import err_console, print_json

    found = reparse(settings_of(ctx))
    if as_json:
        print_json(found._asdict())
        return
    console = err_console()
    console.print(
        f"{found.replies:,} replies read again: {found.unchanged:,} questions as before, {found.changed:,} changed, "
        f"{found.added:,} new, {found.gone:,} no longer there; {found.units:,} units changed.",
        markup=False,
    )
    if found.kept_back:
        console.print(
            f"{found.kept_back:,} questions read differently now but are under review or judged; they stay.",
            markup=False,
        )
