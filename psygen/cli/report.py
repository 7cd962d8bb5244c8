"""`psygen report`: what the night brought."""

import sys

import click

from psygen.cli.common import json_option, settings_of


@click.command("report")
@click.option("-s", "--subject", "subjects", multiple=True, metavar="NAME", help="Only this one.")
@click.option("--run", default="", metavar="N|last", help="Calls, money and time of one run (default: of all).")
@click.option("--md", "as_markdown", is_flag=True, help="Markdown on stdout.")
@json_option
@click.pass_context
def command(ctx: click.Context, subjects: tuple[str, ...], run: str, as_markdown: bool, as_json: bool) -> None:
    """Show what was done, what is short or given up and why, what it cost, and what to type next.

    Money is the cost of answered calls by their own usage. Calls in doubt are possibly billed and shown apart; what
    has no known price is said to be unknown.
    """
    from psygen.make import report_text
    from psygen.make.report import report_of
    from psygen.reports.tables import out_console, print_json, print_table
    from psygen.text import for_terminal

    if as_markdown and as_json:
        raise click.UsageError("Say --md or --json, not both.")
    report = report_of(settings_of(ctx), subjects, run=run)
    if as_json:
        print_json(report_text.as_json(report))
        return
    if as_markdown:
        sys.stdout.write(for_terminal(report_text.as_md(report)))
        return
    console = out_console()
    lines = [report_text.title(report), *report_text.headline(report), *report_text.reasons(report, most=100)]
    console.print(for_terminal("\n".join(lines)), markup=False)
    for table in report_text.tables(report):
        print_table(table, console)
    console.print(for_terminal(f"Next: {report.next}"), markup=False)
