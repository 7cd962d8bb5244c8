"""What every handler works with: the workspace, its reviewers, the sessions; and the way through a queue."""

from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import NamedTuple
from urllib.parse import urlencode

from psygen.curate.desk import Wanted
from psygen.files.concepts import load_subjects
from psygen.records.review import Policy, Reviewer, people_of, policy_of
from psygen.settings import Settings
from psygen.store.queries import Reader
from psygen.web.figures import FigureBoard
from psygen.web.pages import Names, Pages
from psygen.web.sessions import Sessions


class Way(NamedTuple):
    """Where somebody is in a queue."""

    before: str
    """Address of the item before; empty when there is none."""
    after: str
    """Address of the next one; empty when this is the only one."""
    left: int
    """Items waiting, this one included if it waits."""


class Desk:
    """Everything a handler needs. Safe to use from several threads: nothing in it holds a connection."""

    def __init__(self, settings: Settings, reviewers: Sequence[Reviewer]) -> None:
        """reviewers: those who get a link."""
        self.settings = settings
        self.policy: Policy = policy_of(settings)
        self.reviewers = tuple(reviewers)
        self.people = people_of(settings)
        self.names = Names(load_subjects(settings.concept_folders))
        self.pages = Pages(self.names)
        self.sessions = Sessions(reviewers)
        self.figures = FigureBoard(settings)

    @cached_property
    def project(self) -> str:
        """Random id of the database: drafts of one are no drafts of another."""
        with self.reader() as reader:
            return reader.project()

    def reader(self) -> Reader:
        """A connection for one request, in the thread that serves it; kept open no longer than the page takes."""
        return Reader(self.settings.database)


def way_through(ids: Sequence[str], item_id: str, filters: Mapping[str, str]) -> Way:
    """The way on from an item, which may be in the queue no more; after the last one comes the first."""
    place = ids.index(item_id) if item_id in ids else -1
    others = [one for one in (*ids[place + 1 :], *ids[:1]) if one != item_id]
    before = item_url(ids[place - 1], filters) if place > 0 else ""
    return Way(before, item_url(others[0], filters) if others else "", len(ids))


def wanted_of(filters: Mapping[str, str]) -> Wanted:
    """The part of a queue that an address asks for."""
    return Wanted(subjects=(filters["subject"],) if filters.get("subject") else ())


def item_url(item_id: str, filters: Mapping[str, str]) -> str:
    """The address of an item in a filtered queue."""
    return with_filters(f"/item/{item_id}", filters)


def with_filters(path: str, filters: Mapping[str, str]) -> str:
    """An address that keeps the filters."""
    return f"{path}?{urlencode(filters)}" if filters else path
