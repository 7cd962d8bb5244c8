"""`psygen review serve`: the review page."""

from typing import TYPE_CHECKING

import click

from psygen.cli.common import settings_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from psygen.records.review import Reviewer
    from psygen.settings import Settings


@click.command("serve")
@click.option("--host", default="127.0.0.1", show_default=True, help="The address to listen on.")
@click.option("--port", type=click.IntRange(0, 65535), default=0, help="The port.  [default: any that is free]")
@click.option("--lan", is_flag=True, help="Let other machines in: needed with a --host they can reach.")
@click.option("--reviewer", "only", multiple=True, metavar="ID", help="A link for this reviewer only; may be repeated.")
@click.pass_context
def serve_command(ctx: click.Context, host: str, port: int, lan: bool, only: tuple[str, ...]) -> None:
    """Serve the review page to a browser, with a secret link for each reviewer, until Ctrl-C.

    Reviewers are the [[reviewers]] of psygen.toml, or r1, r2, r3. Links hold until the page is stopped. With the same
    --port every time, drafts outlive a restart.
    """
    from psygen.reports.tables import err_console
    from psygen.web.desk import Desk
    from psygen.web.server import is_loopback, open_socket, serve

    settings = settings_of(ctx)
    reviewers = _chosen(settings, only)
    opened = open_socket(host, port, lan=lan)
    desk = Desk(settings, reviewers)
    _refuse_nothing_to_do(settings)
    console = err_console()
    console.print("psygen: the review page. Everyone opens their own link, and nobody else's:", markup=False)
    for reviewer in reviewers:
        name = f" ({reviewer.name})" if reviewer.name else ""
        secret = desk.sessions.links[reviewer.id]
        console.print(f"  {reviewer.id}{name}  {opened.origin}/enter/{secret}", markup=False, no_wrap=True, crop=False)
    if not is_loopback(host):
        console.print(
            "Other machines of this network can open it, and whoever has a link is that reviewer. Nothing is "
            "encrypted on the way: use it in a network you trust.",
            markup=False,
        )
    console.print("Ctrl-C stops it; everything said is stored at once.", markup=False)
    try:
        serve(desk, opened)
    except KeyboardInterrupt:
        console.print("psygen: the page is closed; everything said is stored.", markup=False)


def _chosen(settings: "Settings", only: tuple[str, ...]) -> "Sequence[Reviewer]":
    from psygen.errors import UnknownName
    from psygen.records.review import people_of

    people = people_of(settings)
    known = [person.id for person in people]
    if unknown := [name for name in only if name not in known]:
        raise UnknownName(f"There is no reviewer {', '.join(unknown)}; there are {', '.join(known)} (see psygen.toml).")
    return [person for person in people if not only or person.id in only]


def _refuse_nothing_to_do(settings: "Settings") -> None:
    """A page without a batch would be empty for everyone."""
    from psygen.errors import InputError
    from psygen.store import reviews
    from psygen.store.queries import Reader

    with Reader(settings.database) as reader:
        if not reader.ask(reviews.reviewers_known):
            raise InputError("Nobody has anything to review yet; give out a batch with: psygen review export.")
