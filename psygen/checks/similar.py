"""Near-duplicates: pairs of items whose stems and options share most of their character sequences.

Similarity is Jaccard's over sets of four-character sequences (letters and digits after NFKC). Pairs are found exactly,
not by chance, with a prefix filter: two sets of similarity t share at least one of their rarest (1 - t) share of
members (Chaudhuri, Ganti & Kaushik 2006).
"""

from collections import Counter, defaultdict
from collections.abc import Sequence
from typing import NamedTuple

from psygen.text import letters_only

THRESHOLD = 0.8
_GRAM = 4


class Pair(NamedTuple):
    """Two positions in the sequence given, the earlier first, and their similarity (0-1)."""

    first: int
    second: int
    similarity: float


def similar_pairs(texts: Sequence[str], threshold: float = THRESHOLD) -> list[Pair]:
    """Every pair of texts at least `threshold` alike, ordered by the later and then the earlier position."""
    sets = [_grams(text) for text in texts]
    counts = Counter(gram for grams in sets for gram in grams)
    postings: dict[int, list[int]] = defaultdict(list)
    pairs: list[Pair] = []
    for position, grams in enumerate(sets):
        ordered = sorted(grams, key=lambda g: (counts[g], g))
        prefix = ordered[: len(ordered) - int(threshold * len(ordered)) + 1]
        candidates = {other for gram in prefix for other in postings[gram]}
        pairs += [
            Pair(other, position, similarity)
            for other in sorted(candidates)
            if (similarity := _jaccard(grams, sets[other], threshold)) is not None
        ]
        for gram in prefix:
            postings[gram].append(position)
    return pairs


def later_ones(texts: Sequence[str], threshold: float = THRESHOLD) -> list[int]:
    """Positions of the texts that are near-duplicates of an earlier one that stays; the first always stays."""
    dropped: set[int] = set()
    for pair in similar_pairs(texts, threshold):
        if pair.first not in dropped:
            dropped.add(pair.second)
    return sorted(dropped)


def _grams(text: str) -> frozenset[int]:
    letters = letters_only(text)
    if len(letters) <= _GRAM:
        return frozenset([hash(letters)]) if letters else frozenset()
    return frozenset(hash(letters[n : n + _GRAM]) for n in range(len(letters) - _GRAM + 1))


def _jaccard(a: frozenset[int], b: frozenset[int], threshold: float) -> float | None:
    if not a or not b or min(len(a), len(b)) < threshold * max(len(a), len(b)):
        return None
    shared = len(a & b)
    similarity = shared / (len(a) + len(b) - shared)
    return similarity if similarity >= threshold else None
