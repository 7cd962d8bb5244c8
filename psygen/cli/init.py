"""`psygen init`: a workspace of one's own."""

from pathlib import Path

import click


@click.command("init")
@click.argument("folder", type=click.Path(file_okay=False))
def command(folder: str) -> None:
    """Make a workspace in FOLDER: a commented psygen.toml, and prompts and concepts to edit. Overwrites nothing."""
    from psygen.files.workspace import make_workspace
    from psygen.reports.tables import err_console

    made = make_workspace(Path(folder))
    console = err_console()
    if not made:
        console.print(f"psygen: {folder} is complete already; nothing was changed.", markup=False)
        return
    count = f"{len(made)} files" if len(made) != 1 else "1 file"
    console.print(f"psygen: made {count} in {folder}; what was there stayed as it was.", markup=False)
    console.print(f"Next: cd {folder} && psygen generate --subject statistics", markup=False)
