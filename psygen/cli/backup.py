"""`psygen backup`: a sound copy of the database."""

from pathlib import Path

import click

from psygen.cli.common import json_option, settings_of


@click.command("backup")
@click.argument("file", type=click.Path(dir_okay=False))
@click.option("--force", is_flag=True, help="Overwrite FILE.")
@json_option
@click.pass_context
def command(ctx: click.Context, file: str, force: bool, as_json: bool) -> None:
    """Copy the database to FILE, at any time, also while a run writes.

    The copy is checked before it appears, and is one file for its owner only. To go back to it, stop the run and copy
    it over outputs/psygen.db (and delete outputs/psygen.db-wal and -shm, if they are there).
    """
    from psygen.reports.tables import err_console, print_json
    from psygen.store.backup import back_up

    done = back_up(settings_of(ctx).database, Path(file), overwrite=force)
    if as_json:
        print_json({"path": str(done.path), "bytes": done.size})
    else:
        err_console().print(f"psygen: {done.size:,} bytes, checked, in {done.path}.", markup=False)
