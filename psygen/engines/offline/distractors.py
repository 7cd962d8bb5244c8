"""Wrong options of the same kind as the right one, from neighbouring concepts: near, but never also right.

A neighbour is out when it overlaps with the concept, when either name contains the other, or when the text of the
question names it. Among the rest, the nearer place and the same kind come first. So that length gives nothing away, the
key is not far longer than the rest.
"""

import random
from collections.abc import Callable, Collection, Sequence

from psygen.records.concept import Concept
from psygen.text import letters_only

_SORTS = (
    {"theory", "school", "principle", "law"},
    {"effect", "law", "state", "process", "symptom"},
    {"method", "therapy", "design", "procedure", "test"},
    {"statistic", "distribution", "variable", "error", "chart", "concept", "relation", "principle", "type"},
    {"structure", "trait", "ability", "type", "stage", "state", "concept"},
    {"disorder", "symptom"},
)
"""Kinds that may stand together in one set of options when there are too few of one kind."""


def candidates(concept: Concept, neighbours: Sequence[Concept], *, named_in: str = "") -> list[Concept]:
    """Neighbours that may serve as distractors: those of the same kind, the nearest first.

    With fewer than four of these, kinds that go together join in, then anything of the same chapter.
    named_in: text in which a distractor must not be named.
    """
    found = [other for other in neighbours if _may_stand_beside(concept, other, named_in)]
    found.sort(key=lambda other: (-nearness(concept, other), other.id))
    pool = [other for other in found if same_kind(concept, other)]
    if len(pool) < 4:
        pool += [o for o in found if o not in pool and same_sort(concept, o)]
    if len(pool) < 4:
        pool += [o for o in found if o not in pool and o.chapter == concept.chapter]
    return pool


def _may_stand_beside(concept: Concept, other: Concept, named_in: str) -> bool:
    """Neither the same nor overlapping, neither name inside the other, and not named in the question."""
    if other.id == concept.id or other.id in concept.overlaps or concept.id in other.overlaps:
        return False
    own = [letters_only(n) for n in (concept.concept, *concept.synonyms)]
    names = [letters_only(n) for n in (other.concept, *other.synonyms)]
    if any(a in b or b in a for a in own for b in names):
        return False
    text = letters_only(named_in)
    return not any(name in text for name in names if len(name) > 1)


def same_kind(a: Concept, b: Concept) -> bool:
    """The terms name things of one kind: as the bank says, or else by their last character."""
    return a.kind == b.kind if a.kind and b.kind else a.concept[-1:] == b.concept[-1:]


def same_sort(a: Concept, b: Concept) -> bool:
    """The terms name things that may stand together in one set of options."""
    return any({a.kind, b.kind} <= sort for sort in _SORTS)


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
    echo: Collection[str] = (),
) -> list[Concept]:
    """Three concepts whose texts go with `key`; fewer when the pool has no more.

    pool: the nearest first. at_most: how many times longer or shorter than the key a text may be.
    echo: pieces of the key that sound in the question; at least one distractor shares one, or none is returned.
    A key over 1.3 times as long as every other text gets a longer companion; without one, over 1.5 times, none is made.
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
    if len(chosen) < 3:
        return []
    longest = max(len(text_of(c)) for c in chosen)
    if length > 1.3 * longest:
        longer = [c for c in fitting if len(text_of(c)) >= length and c not in chosen]
        chosen[2:] = longer[:1] or chosen[2:]
        if length >= 8 and length >= 1.5 * max(len(text_of(c)) for c in chosen):
            return []
    if echo and not any(e in text_of(c) for e in echo for c in chosen):
        sharing = [c for c in fitting if any(e in text_of(c) for e in echo)]
        if not sharing:
            return []
        chosen[0] = sharing[0]
    return chosen


def echoes(term: str, text: str) -> set[str]:
    """What of a term sounds in a text, and so is a hint unless a distractor has it too.

    Neighbouring characters, by twos; and the last one alone when the text ends in it (a 图 defined as a 统计图).
    """
    found = {term[n : n + 2] for n in range(len(term) - 1) if term[n : n + 2] in text}
    return found | ({term[-1]} if text.endswith(term[-1]) else set())
