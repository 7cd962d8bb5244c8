"""`psygen review stats`: the figures of a workspace's review."""

from collections.abc import Iterable, Sequence

from psygen.curate.figures import ReviewFigures, Work, review_figures
from psygen.curate.sentinels import Detection, detection
from psygen.metrics.rates import Rate
from psygen.records.review import Event, reviewers_of
from psygen.settings import Settings
from psygen.store.judged import count_assigned, count_items, originals
from psygen.store.queries import Reader
from psygen.store.reviews import all_events


def review_stats(settings: Settings, *, subjects: Sequence[str] = (), engines: Sequence[str] = ()) -> ReviewFigures:
    """The figures of the review so far, of some subjects and engines, or of all when empty; sentinels always of all.

    Raises StoreUnusable when there is no database.
    """
    with Reader(settings.database) as reader:
        counts = reader.ask(count_items, subjects, engines)
        judged = reader.ask(originals, subjects, engines)
        assigned = reader.ask(count_assigned, subjects, engines)
        detected = {found.reviewer: found for found in detection(reader)}
        events = [event for found in reader.ask(all_events).values() for event in found]
    reviewers = _reviewers(settings, events)
    work = {who: _work(assigned.get(who, 0), detected.get(who)) for who in reviewers}
    return review_figures(counts, judged, events, reviewers, work=work, seed=settings.generate.seed)


def _work(assigned: int, detected: Detection | None) -> Work:
    if detected is None:
        return Work(assigned)
    defects = {defect: Rate(found, judged) for defect, (judged, found) in detected.by_defect.items()}
    return Work(assigned, Rate(detected.found, detected.judged), defects)


def _reviewers(settings: Settings, events: Iterable[Event]) -> list[str]:
    """Those who get batches, then whoever else judged an item."""
    named = [reviewer.id for reviewer in reviewers_of(settings)]
    others = {event.reviewer for event in events if event.kind in ("answer", "verdict", "edit")} - set(named)
    return [*named, *sorted(others)]
