"""`psygen retry`: another chance for what was given up."""

import click

from psygen.cli.common import json_option, settings_of


@click.command("retry")
@click.option("-s", "--subject", "subjects", multiple=True, metavar="NAME", help="Only this one.")
@click.option("--reason", metavar="TEXT", default="", help="Only units whose reason holds this text or code.")
@click.option("--all", "everything", is_flag=True, help="Whatever the reason and subject; the default.")
@json_option
@click.pass_context
def command(ctx: click.Context, subjects: tuple[str, ...], reason: str, everything: bool, as_json: bool) -> None:
    """Put units back that were given up; the next psygen generate asks them anew. Nothing is sent now.

    \b
    psygen retry
    psygen retry --reason E_LENGTH
    """
    from psygen.make.retry import retry
    from psygen.reports.tables import err_console, print_json

    if everything and (reason or subjects):
        raise click.UsageError("--all means whatever the reason and subject; leave it out to choose.")
    done = retry(settings_of(ctx), subjects, reason)
    if as_json:
        print_json(done._asdict())
        return
    console = err_console()
    if not done.units:
        console.print("psygen: no unit was given up.", markup=False)
        return
    stay = f" {done.left:,} more were given up for other reasons." if done.left else ""
    console.print(f"psygen: {done.units:,} units are asked again.{stay}\nNext: {done.next}", markup=False)
