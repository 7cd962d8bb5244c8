"""Which items a review batch holds, who gets which, and in which order each reviewer meets them.

Chapters take turns, siblings of a concept stay together (they are judged against one description), chance is seeded.
"""

from collections.abc import Collection, Iterable, Sequence
from typing import NamedTuple, Protocol, TypeVar

from psygen.ids import content_hash, rng


class Placed(Protocol):
    """What drawing needs of an item."""

    @property
    def id(self) -> str:
        """Its id."""

    @property
    def concept_id(self) -> str:
        """The concept it tests: siblings stay together."""

    @property
    def subject(self) -> str:
        """Slug of its subject."""

    @property
    def chapter(self) -> str:
        """Slug of its chapter."""

    @property
    def flags(self) -> Collection[str]:
        """Soft findings."""


P = TypeVar("P", bound=Placed)
Groups = list[list[P]]
"""Items, a concept's together."""


class Sharing(NamedTuple):
    """How a batch is shared among reviewers."""

    each: int
    """Reviewers every item gets."""
    overlap: float = 1.0
    """Share of the concepts that go to all reviewers even so."""


EVERYBODY = Sharing(26)


def draw_groups(items: Iterable[P], *, size: int, seed: int, first: Collection[str] = ()) -> "Groups[P]":
    """At most `size` items by concept: whole concepts, chapter by chapter in turn; the last concept may be cut.

    items: those that wait for review, in bank order. first: flags; concepts with such an item are taken before others,
    `any` stands for every flag.
    """
    chosen: Groups[P] = []
    left = size
    for group in _doubtful_first(_take_turns(_by_chapter(items), seed), first):
        if left == 0:
            break
        chosen.append(group[:left])
        left -= len(chosen[-1])
    return chosen


def batch_id(groups: "Groups[P]", seed: int) -> str:
    """`b` and 8 hexadecimal digits that follow from the seed and the items."""
    return "b" + content_hash([seed, [item.id for group in groups for item in group]], 8)


def share_out(
    groups: "Groups[P]", *, batch: str, reviewers: Sequence[str], seed: int, sharing: Sharing = EVERYBODY
) -> dict[str, list[P]]:
    """Each reviewer's items, in an order of their own; concepts stay whole.

    With fewer reviews than reviewers every chapter's concepts are dealt out so that all get equally many of them.
    """
    mine: dict[str, Groups[P]] = {who: [] for who in reviewers}
    for group, people in zip(groups, _dealt(groups, batch, reviewers, seed, sharing), strict=True):
        for who in people:
            mine[who].append(group)
    for who, own in mine.items():
        rng(seed, f"order/{batch}/{who}").shuffle(own)
    return {who: [item for group in own for item in group] for who, own in mine.items()}


def _dealt(
    groups: "Groups[P]", batch: str, reviewers: Sequence[str], seed: int, sharing: Sharing
) -> list[tuple[str, ...]]:
    """Who gets each group."""
    everybody = tuple(reviewers)
    if sharing.each >= len(everybody):
        return [everybody] * len(groups)
    order = list(everybody)
    rng(seed, f"deal/{batch}").shuffle(order)
    # Groups come with chapters in turn, so counting through them spreads the overlap over the chapters.
    credit = rng(seed, f"overlap/{batch}").random()
    in_chapter: dict[tuple[str, str, str], int] = {}
    in_all = dict.fromkeys(order, 0)
    dealt = []
    for group in groups:
        credit += sharing.overlap
        people = everybody
        if credit < 1:
            place = (group[0].subject, group[0].chapter)
            people = tuple(sorted(order, key=lambda w: (in_chapter.get((*place, w), 0), in_all[w]))[: sharing.each])
            for who in people:
                in_chapter[(*place, who)] = in_chapter.get((*place, who), 0) + len(group)
                in_all[who] += len(group)
        else:
            credit -= 1
        dealt.append(people)
    return dealt


def _by_chapter(items: Iterable[P]) -> dict[tuple[str, str], dict[str, list[P]]]:
    """Items by chapter and concept."""
    places: dict[tuple[str, str], dict[str, list[P]]] = {}
    for item in items:
        concepts = places.setdefault((item.subject, item.chapter), {})
        concepts.setdefault(item.concept_id, []).append(item)
    return places


def _take_turns(places: dict[tuple[str, str], dict[str, list[P]]], seed: int) -> "Groups[P]":
    """Concepts' items, one concept of each chapter in turn, concepts of a chapter in a seeded order."""
    queues = []
    for place in sorted(places):
        groups = [places[place][concept] for concept in sorted(places[place])]
        rng(seed, f"batch/{'/'.join(place)}").shuffle(groups)
        queues.append(groups)
    rng(seed, "batch/chapters").shuffle(queues)
    longest = max((len(q) for q in queues), default=0)
    return [queue[n] for n in range(longest) for queue in queues if n < len(queue)]


def _doubtful_first(groups: "Groups[P]", flags: Collection[str]) -> "Groups[P]":
    def is_late(group: list[P]) -> bool:
        return not any((item.flags and "any" in flags) or set(flags) & set(item.flags) for item in group)

    return sorted(groups, key=is_late) if flags else groups
