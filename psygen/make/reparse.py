"""All stored replies read again, after a change of the reader: no request is sent, items change only where they differ.

A reply is read as it was the first time: with the seed of its run, and after the replies that came before it in its
unit. What people have touched (any state but `new` and `invalid`) stays as it is and is counted.
"""

from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import NamedTuple

from psygen.make.duplicates import EXACT, SIMILAR, settle_duplicates
from psygen.make.items import Made, Task, make_items
from psygen.make.progress import after_reply
from psygen.records.exchange import Profile
from psygen.records.item import Item
from psygen.runner import lock
from psygen.settings import Settings
from psygen.store.database import Answer, Progress, Store
from psygen.store.queries import Reader

GONE = "E_REPARSED"
"""Reject code of an item that the present reader no longer finds in its reply."""
FREE = ("new", "invalid", "superseded")
"""States in which nobody has judged an item yet."""


class Reparsed(NamedTuple):
    """What reading again changed."""

    replies: int
    unchanged: int
    changed: int
    added: int
    gone: int
    kept_back: int
    """Items that read differently now but are under review or judged, and so stay as they are."""
    units: int
    """Units whose state or count changed."""


class _Differences(NamedTuple):
    """A unit's items, new beside stored."""

    write: list[Item]
    added: int
    changed: int
    unchanged: int
    gone: list[str]
    kept_back: int


def reparse(settings: Settings) -> Reparsed:
    """Read every stored reply again. Raises StoreUnusable when there is no database, or a run holds it."""
    total = Reparsed(0, 0, 0, 0, 0, 0, 0)
    # Opening for reading first says what is missing, and makes no database where there is none.
    with Reader(settings.database):
        pass
    with lock(settings.database), Store(settings.database) as store:
        profiles: set[Profile] = set()
        for answers in _by_unit(store.answers()):
            found, replies = _unit(store, answers)
            total = Reparsed(*(a + b for a, b in zip(total, found, strict=True)))._replace(
                replies=total.replies + replies
            )
            profiles.add(answers[0].request.profile)
        if total.changed or total.added or total.gone:
            for profile in sorted(profiles, key=lambda p: p.id):
                settle_duplicates(store, profile)
    return total


def _by_unit(answers: Iterator[Answer]) -> Iterator[list[Answer]]:
    """Answers of one unit together, in the order they came."""
    for _, group in groupby(answers, key=lambda a: a.request.unit_id):
        yield list(group)


def _unit(store: Store, answers: Sequence[Answer]) -> tuple[Reparsed, int]:
    unit = answers[0].request.unit_id
    made, progress = _read_again(store, answers)
    stored = {item.id: item for item in store.unit_items(unit)}
    found = _compare(made, stored)
    changed = store.rewrite_unit(unit, found.write, found.gone, GONE, progress)
    return (
        Reparsed(0, found.unchanged, found.changed, found.added, len(found.gone), found.kept_back, int(changed)),
        len(answers),
    )


def _read_again(store: Store, answers: Sequence[Answer]) -> tuple[list[Item], Progress]:
    """The unit's items as they read now, and what becomes of it."""
    first = answers[0]
    concept = store.concept_of(first.request.unit_id)
    items: list[Item] = []
    progress = Progress(first.request.unit_id, "pending", "")
    for tries, answer in enumerate(answers, 1):
        usable = [i for i in items if i.state != "invalid"]
        request = answer.request
        task = Task(
            unit_id=request.unit_id,
            concept=concept,
            prompt_type=request.prompt_type,
            profile=request.profile,
            request_id=request.id,
            seed=answer.seed,
            wanted=min(request.questions, max(answer.asked - len(usable), 0)),
            next_ordinal=len(usable),
            turn=answer.turn,
            held=tuple(i.stem for i in usable),
        )
        made: Made = make_items(answer.raw, task)
        items += made.items
        kept = len(usable) + made.usable
        step = after_reply(
            made,
            kept=kept,
            asked=answer.asked,
            tries=tries,
            engine=request.profile.engine,
            prompt_type=request.prompt_type,
        )
        progress = Progress(request.unit_id, step.state, step.reason)
    return items, progress


def _compare(made: Sequence[Item], stored: dict[str, Item]) -> _Differences:
    write: list[Item] = []
    added = changed = unchanged = kept_back = 0
    for item in made:
        old = stored.get(item.id)
        if old is None:
            write.append(item)
            added += 1
        elif _same(item, old):
            unchanged += 1
        elif old.state in FREE:
            write.append(item.model_copy(update={"state": old.state if old.state == "superseded" else item.state}))
            changed += 1
        else:
            kept_back += 1
    new_ids = {i.id for i in made}
    lost = [i for i in stored.values() if i.id not in new_ids and i.reject_code != GONE]
    gone = [i.id for i in lost if i.state in FREE]
    return _Differences(write, added, changed, unchanged, gone, kept_back + len(lost) - len(gone))


def _same(new: Item, old: Item) -> bool:
    """Whether an item reads as it is stored; what is decided across the bank does not count."""

    def essence(item: Item) -> tuple[object, ...]:
        code = "" if item.reject_code == EXACT else item.reject_code
        flags = tuple(f for f in item.flags if f != SIMILAR)
        return item.stem, item.options, item.key, item.explanation, item.kind, item.level, code, flags, item.repairs

    return essence(new) == essence(old)
