"""`psygen doctor`: is everything in order?"""

import os
from pathlib import Path

import click

from psygen.cli.common import json_option


@click.command("doctor")
@click.option("--trust-config", is_flag=True, help="The server named in psygen.toml is right; remembered.")
@click.option("--quick", is_flag=True, help="Leave out comparing the database's indexes with its tables.")
@json_option
@click.pass_context
def command(ctx: click.Context, trust_config: bool, quick: bool, as_json: bool) -> None:
    """Check settings, concepts, templates, key, server, disk, permissions and the database.

    One line a check: ok, warning or fault, and what to do. Nothing is changed and nothing is paid; the key is sent only
    where a run would send it. Exit code 0 without a fault, 6 when the database cannot be used, 2 for wrong settings.
    """
    from psygen.make.doctor import Check, examine, exit_code
    from psygen.reports.tables import out_console, print_json
    from psygen.text import for_terminal

    workspace = ctx.find_root().obj
    console = out_console()
    checks: list[Check] = []
    for check in examine(Path(workspace) if workspace else None, os.environ, trust=trust_config, thorough=not quick):
        checks.append(check)
        if not as_json:
            console.print(for_terminal(f"{check.level:<8} {check.name:<12} {check.said}"), markup=False, soft_wrap=True)
    code = exit_code(checks)
    if as_json:
        print_json({"exit_code": code, "checks": [{"check": c.name, "level": c.level, "said": c.said} for c in checks]})
    ctx.exit(code)
