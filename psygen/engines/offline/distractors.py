"""Wrong options of the same kind as the right one, from neighbouring concepts: near, but never also right.

A neighbour is out when it overlaps with the concept, when either name contains the other, or when the text of the
question names it. Among the rest, the nearer place and the same kind come first. So that length gives nothing away, the
key is the longest option only as often as chance has it.
"""

import random
from collections.abc import Callable, Sequence

from psygen.records.concept import Concept
from psygen.text import letters_only


def candidates(concept: Concept, neighbours: Sequence[Concept], *, named_in: str = "") -> list[Concept]:
    """Neighbours that may serve as distractors, the nearest first.

    named_in: text in which a distractor must not be named.
    """
    own = {letters_only(n) for n in (concept.concept, *concept.synonyms)}
    found = []
    for other in neighbours:
        names = {letters_only(n) for n in (other.concept, *other.synonyms)}
        if other.id == concept.id or other.id in concept.overlaps or concept.id in other.overlaps:
            continue
        if any(a in b or b in a for a in own for b in names) or any(
            n in letters_only(named_in) for n in names if len(n) > 1
        ):
            continue
        if not same_sort(concept, other):
            continue
        found.append(other)
    return sorted(found, key=lambda other: (-nearness(concept, other), other.id))


def same_sort(a: Concept, b: Concept) -> bool:
    """The terms name things of the same sort: by their kind where the bank says it, else by their last characters."""
    if a.kind and b.kind:
        return a.kind == b.kind
    return a.concept[-1:] == b.concept[-1:]


def nearness(a: Concept, b: Concept) -> int:
    """How near two concepts of a subject stand: 4 the same subheading … 0 only the subject."""
    if a.chapter != b.chapter:
        return 0
    if a.heading != b.heading or not a.heading:
        return 1
    return 4 if a.subheading == b.subheading and a.subheading else 2


def choose(
    key: str,
    pool: Sequence[Concept],
    text_of: Callable[[Concept], str],
    rng: random.Random,
    *,
    at_most: float = 3.0,
) -> list[Concept]:
    """Three concepts whose texts go with `key`; fewer when the pool has no more.

    pool: the nearest first. at_most: how many times longer or shorter than the key a text may be.
    In one case of four the key may be the longest; otherwise at least one text is longer, if the pool has one.
    """
    length = len(key)
    fitting = [c for c in pool if length / at_most <= len(text_of(c)) <= length * at_most]
    # Among the nearest eight, chance decides, so that siblings don't all share their distractors.
    near = fitting[:8]
    rng.shuffle(near)
    chosen: list[Concept] = []
    for concept in [*near, *fitting[8:]]:
        if all(letters_only(text_of(concept)) != letters_only(text_of(c)) for c in chosen):
            chosen.append(concept)
        if len(chosen) == 3:
            break
    longer = [c for c in fitting if len(text_of(c)) >= length and c not in chosen]
    if len(chosen) == 3 and rng.random() >= 0.25 and all(len(text_of(c)) < length for c in chosen) and longer:
        chosen[2] = longer[0]
    return chosen
