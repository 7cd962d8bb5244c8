"""A request by somebody who is known, and the pages that answer it."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import NamedTuple

from starlette.responses import RedirectResponse, Response

from psygen.curate import desk as curate
from psygen.store.desk import last_said
from psygen.store.queries import Reader
from psygen.store.reviews import Task
from psygen.web.desk import Desk, Way, wanted_of, way_through, with_filters
from psygen.web.forms import Form
from psygen.web.sessions import Session

FILTERS = ("subject", "from")
"""What an address says about the queue somebody is in."""


class Call(NamedTuple):
    """A request by somebody who is known."""

    desk: Desk
    session: Session
    reader: Reader
    path: Mapping[str, str]
    query: Mapping[str, str]
    form: Form = MappingProxyType({})

    @property
    def who(self) -> str:
        """The reviewer's id."""
        return self.session.reviewer.id

    @property
    def item_id(self) -> str:
        """The item the address names."""
        return self.path["item_id"]

    @property
    def filters(self) -> dict[str, str]:
        """What the address says about the queue the reviewer is in."""
        return {name: self.query[name] for name in FILTERS if self.query.get(name)}


def way(call: Call) -> Way:
    """The way on from an item: through the contested ones for who came from there, else through the own queue."""
    if call.filters.get("from") != "contested":
        return way_through([task.item_id for task in queue(call)], call.item_id, call.filters)
    return way_through([stand.item_id for stand in curate.contested(call.reader)], call.item_id, call.filters)


def queue(call: Call) -> list[Task]:
    """What waits for the reviewer, under the filters of the address."""
    return curate.queue_of(call.reader, call.who, wanted_of(call.filters))


def page(call: Call, template: str, status: int = 200, /, **context: object) -> Response:
    """A page with all that the frame around it shows."""
    notice, done = call.session.take_said()
    frame = {
        "reviewer": call.session.reviewer,
        "token": call.session.token,
        "filters": call.filters,
        "query": with_filters("", call.filters),
        "notice": notice,
        "done": done,
        "policy": call.desk.policy,
        "draft_key": lambda item_id, revision: draft_key(call, item_id, revision),
        "can_undo": call.reader.ask(last_said, call.who) is not None,
    }
    return call.desk.pages.page(template, {**frame, **context}, status)


def go(url: str) -> Response:
    """On to another page; what was sent is not sent again by going back."""
    return RedirectResponse(url, status_code=303)


def draft_key(call: Call, item_id: str, revision: str) -> str:
    """The name under which a browser keeps what was typed on a revision."""
    return f"psygen:{call.desk.project}:{call.who}:{item_id}:{revision}"
