"""`psygen replies`: what models said."""

import sys

import click

from psygen.cli.common import settings_of

SHORTEST = 6
"""Characters of a request's id that name it; fewer would show some request or other."""


@click.group("replies")
def command() -> None:
    """What models said."""


@command.command("show")
@click.argument("request")
@click.pass_context
def show_reply(ctx: click.Context, request: str) -> None:
    """Show the reply to a REQUEST (its id, the beginning of it, or a question's id): raw, then as it was read."""
    from psygen.errors import UnknownName
    from psygen.reports.replies import reply_text
    from psygen.store.queries import Filter, Reader

    with Reader(settings_of(ctx).database) as reader:
        exchange = reader.exchange(request) if len(request) >= SHORTEST else None
        if exchange is None:
            raise UnknownName(f"There is no request {request}. psygen items show ID --origin names an item's request.")
        items = [
            i for i in reader.items(Filter(concepts=(str(exchange["concept_id"]),))) if i.request_id == exchange["id"]
        ]
    sys.stdout.write(reply_text(exchange, items))
