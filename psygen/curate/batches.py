"""Which items a review batch holds, and in which order each reviewer meets them.

Chapters take turns, siblings of a concept stay together (they are judged against one description), chance is seeded.
"""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from psygen.ids import content_hash, rng
from psygen.records.item import Item


class Batch(NamedTuple):
    """A batch: its id, and each reviewer's items in the order they are shown."""

    id: str
    seed: int
    sheets: dict[str, list[Item]]


def draw_batch(items: Iterable[Item], *, size: int, reviewers: Sequence[str], seed: int) -> Batch:
    """The same `size` items for every reviewer (fewer when there are not so many), in an order of their own.

    items: those that wait for review, in bank order. Whole concepts are taken until `size` is reached, chapter by
    chapter in turn; the last concept may be cut.
    """
    groups = _take_turns(_by_chapter(items), seed)
    chosen: list[list[Item]] = []
    left = size
    for group in groups:
        if left == 0:
            break
        chosen.append(group[:left])
        left -= len(chosen[-1])
    ids = [item.id for group in chosen for item in group]
    batch = "b" + content_hash([seed, ids], 8)
    return Batch(batch, seed, {who: _shuffled(chosen, seed, f"{batch}/{who}") for who in reviewers})


def _by_chapter(items: Iterable[Item]) -> dict[tuple[str, str], dict[str, list[Item]]]:
    """Items by chapter and concept."""
    places: dict[tuple[str, str], dict[str, list[Item]]] = {}
    for item in items:
        concepts = places.setdefault((item.subject, item.chapter), {})
        concepts.setdefault(item.concept_id, []).append(item)
    return places


def _take_turns(places: dict[tuple[str, str], dict[str, list[Item]]], seed: int) -> list[list[Item]]:
    """Concepts' items, one concept of each chapter in turn, concepts of a chapter in a seeded order."""
    queues = []
    for place in sorted(places):
        groups = [places[place][concept] for concept in sorted(places[place])]
        rng(seed, f"batch/{'/'.join(place)}").shuffle(groups)
        queues.append(groups)
    rng(seed, "batch/chapters").shuffle(queues)
    longest = max((len(q) for q in queues), default=0)
    return [queue[n] for n in range(longest) for queue in queues if n < len(queue)]


def _shuffled(groups: Sequence[Sequence[Item]], seed: int, purpose: str) -> list[Item]:
    order = [list(group) for group in groups]
    rng(seed, f"order/{purpose}").shuffle(order)
    return [item for group in order for item in group]
