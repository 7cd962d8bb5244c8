"""Units that were given up go back among those that are asked."""

from typing import NamedTuple

from psygen.errors import InputError
from psygen.files.concepts import load_subjects
from psygen.make.report import same_command
from psygen.make.selection import subject_named
from psygen.runner import lock
from psygen.settings import Settings
from psygen.store.database import Store
from psygen.store.parked import GivenUp, given_up, put_back
from psygen.store.report_queries import ReportReader


class Retried(NamedTuple):
    """What was put back."""

    units: int
    left: int
    """Units that were given up for other reasons and stay so."""
    next: str
    """The command that asks them."""


def retry(settings: Settings, subjects: tuple[str, ...] = (), reason: str = "") -> Retried:
    """Put back units of the profile last used; all, or those whose reason holds a text (in any case).

    Raises StoreUnusable without a database or while a run holds it, InputError when nothing fits, with what there is.
    """
    known = load_subjects(settings.concept_folders)
    wanted = [subject_named(name, known).slug for name in subjects]
    # Opening for reading first makes no database where there is none.
    with ReportReader(settings.database) as reader:
        runs = reader.run_rows()
    if not runs:
        return Retried(0, 0, "psygen generate --subject statistics")
    with lock(settings.database), Store(settings.database) as store:
        found = given_up(store, runs[-1].profile)
        chosen = [g for g in found if reason.casefold() in g.reason.casefold() and (not wanted or g.subject in wanted)]
        if found and not chosen:
            raise InputError(f"Nothing was given up for such a reason. There is:\n{_listed(found)}")
        units = put_back(store, runs[-1].profile, chosen)
    left = sum(g.units for g in found) - units
    return Retried(units, left, same_command(runs[-1]))


def _listed(found: list[GivenUp]) -> str:
    return "\n".join(f"{g.units:>7,}  {g.subject}: {g.reason}" for g in found[:20])
