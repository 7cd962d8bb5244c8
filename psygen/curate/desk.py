"""What a reviewer's desk shows: the queue, one item (blind first), contested items, progress, an item's history."""

import json
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from psygen.curate.states import live_events
from psygen.errors import UnknownName
from psygen.records.item import ITEM_STATES, Item
from psygen.records.review import Event, Policy, Revision, Wording
from psygen.store import reviews
from psygen.store.queries import Filter, Reader
from psygen.store.reviews import Stand, Task


class Wanted(NamedTuple):
    """Which questions of a queue are wanted; an empty field does not restrict."""

    subjects: tuple[str, ...] = ()
    chapters: tuple[str, ...] = ()
    flags: tuple[str, ...] = ()
    batches: tuple[str, ...] = ()


class View(NamedTuple):
    """One item as a reviewer may see it. Before the blind answer everything that tells the key is empty."""

    item_id: str
    subject: str
    chapter: str
    stem: str
    options: tuple[str, ...]
    revision: str
    """The revision shown."""
    revisions: tuple[Revision, ...]
    """All wordings, the original first; empty while the key is hidden."""
    is_open: bool
    """Whether key and concept may be seen."""
    answer: str
    """The reviewer's blind answer, a letter; empty before it."""
    key: str
    """Letters; empty while hidden."""
    explanation: str
    concept: str
    concept_en: str
    descriptions: tuple[str, ...]
    flags: tuple[str, ...]
    last: Event | None
    """The reviewer's last verdict or edit that was not taken back."""


class Line(NamedTuple):
    """How far a reviewer is in a chapter."""

    subject: str
    chapter: str
    reviewer: str
    assigned: int
    judged: int
    skipped: int
    verdicts: Mapping[str, int]
    """keep, modify, delete: how many."""


class History(NamedTuple):
    """The whole life of an item after it was made."""

    item: Item
    stand: Stand | None
    revisions: tuple[Revision, ...]
    events: tuple[Event, ...]
    """All of them, those taken back too."""
    live: frozenset[int]
    """seq of the events that count."""


def queue_of(reader: Reader, reviewer: str, wanted: Wanted = Wanted()) -> list[Task]:  # noqa: B008
    """Questions of the reviewer's batches they have not judged, in batch order; skipped ones come last.

    Questions that became invalid or superseded are left out.
    """
    tasks = {t.item_id: t for t in reader.ask(reviews.tasks_of, reviewer)}
    places = reader.ask(reviews.places, reviewer)
    said = reader.ask(reviews.last_verdicts, reviewer)
    waiting = [
        task
        for task in tasks.values()
        if said.get(task.item_id, "skip") == "skip" and _is_wanted(task, places[task.item_id], wanted)
    ]
    return sorted(waiting, key=lambda t: t.item_id in said)


def _is_wanted(task: Task, place: reviews.Place, wanted: Wanted) -> bool:
    return (
        place.state not in ("invalid", "superseded")
        and (not wanted.subjects or place.subject in wanted.subjects)
        and (not wanted.chapters or place.chapter in wanted.chapters)
        and (not wanted.flags or bool(set(wanted.flags) & set(place.flags)))
        and (not wanted.batches or task.batch in wanted.batches)
    )


def view(reader: Reader, policy: Policy, reviewer: str, item_id: str, revision: str = "") -> View:
    """An item as the reviewer may see it now.

    revision: which wording; default the one of the reviewer's batch, else the one the item shows.
    Raises UnknownName for an item or revision there is not.
    """
    item = _item(reader, item_id)
    own = [e for e in reader.ask(reviews.events_of, item_id) if e.reviewer == reviewer]
    known = reader.ask(reviews.revisions_of, item_id)
    wordings = {r.revision: r.wording for r in known} or {item.revision: Wording.of(item)}
    if not revision:
        assigned = (t.revision for t in reader.ask(reviews.tasks_of_item, reviewer, item_id) if t.revision in wordings)
        revision = next(assigned, item.revision if item.revision in wordings else next(iter(wordings)))
    if revision not in wordings:
        raise UnknownName(f"{item_id} has no revision {revision}.")
    answer = next((e.blind_answer for e in own if e.blind_answer), "")
    judged = [e for e in live_events(own) if e.kind in ("verdict", "edit")]
    is_open = not policy.blind or bool(answer) or any(e.verdict != "skip" for e in judged)
    concept = reader.ask(reviews.concept_shown, item_id) if is_open else None
    shown = wordings[revision]
    return View(
        item_id=item_id,
        subject=item.subject,
        chapter=item.chapter,
        stem=shown.stem,
        options=shown.options,
        revision=revision,
        revisions=tuple(known) if is_open else (),
        is_open=is_open,
        answer=answer,
        key=shown.key_letters if is_open else "",
        explanation=shown.explanation if is_open else "",
        concept=str(concept["concept"]) if concept else "",
        concept_en=str(concept["concept_en"]) if concept else "",
        descriptions=tuple(d["text"] for d in json.loads(str(concept["descriptions"]))) if concept else (),
        flags=item.flags if is_open else (),
        last=judged[-1] if judged else None,
    )


def _item(reader: Reader, item_id: str) -> Item:
    item = reader.ask(reviews.item_named, item_id)
    if item is None:
        planted = reader.ask(reviews.sentinels, [item_id])
        if item_id not in planted:
            raise UnknownName(f"There is no item {item_id}. See: psygen items list.")
        item = planted[item_id].item
    return item


def contested(reader: Reader) -> list[Stand]:
    """The items reviewers disagree about, the one longest at rest first."""
    return reader.ask(reviews.contested)


def progress(reader: Reader, reviewers: Sequence[str] = ()) -> list[Line]:
    """How far each reviewer is in each chapter, chapters in the order of their names, then reviewers.

    reviewers: ids; all who ever got a batch when empty. Sentinels count like the questions they pretend to be, so that
    the numbers don't give them away.
    """
    lines = []
    for who in reviewers or reader.ask(reviews.reviewers_known):
        said = reader.ask(reviews.last_verdicts, who)
        chapters: dict[tuple[str, str], list[str]] = {}
        for item_id, place in reader.ask(reviews.places, who).items():
            if place.state not in ("invalid", "superseded"):
                chapters.setdefault((place.subject, place.chapter), []).append(said.get(item_id, ""))
        for (subject, chapter), found in chapters.items():
            verdicts = {v: found.count(v) for v in ("keep", "modify", "delete")}
            judged = sum(verdicts.values())
            lines.append(Line(subject, chapter, who, len(found), judged, found.count("skip"), verdicts))
    return sorted(lines, key=lambda line: (line.subject, line.chapter, line.reviewer))


def states(reader: Reader, subjects: tuple[str, ...] = ()) -> dict[str, int]:
    """How many items stand where, of some subjects or of all; states that nothing is in are left out."""
    counted = {state: reader.count_items(Filter(subjects=subjects, states=(state,))) for state in ITEM_STATES}
    return {state: count for state, count in counted.items() if count}


def history(reader: Reader, item_id: str) -> History:
    """Everything that was said about an item, and its wordings. Raises UnknownName."""
    item = _item(reader, item_id)
    events = reader.ask(reviews.events_of, item_id)
    return History(
        item,
        reader.ask(reviews.stand_of, item_id),
        tuple(reader.ask(reviews.revisions_of, item_id)),
        tuple(events),
        frozenset(e.seq for e in live_events(events)),
    )
