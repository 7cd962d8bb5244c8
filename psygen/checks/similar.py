"""Near-duplicates: pairs of items whose stems and options share most of their character sequences.

Similarity is Jaccard's over sets of four-character sequences (letters and digits after NFKC). Pairs are found exactly,
not by chance, with a prefix filter: two sets of similarity t share at least one of their rarest (1 - t) share of
members (Chaudhuri, Ganti & Kaushik 2006).
"""

from collections import defaultdict
from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from psygen.text import letters_only

THRESHOLD = 0.8
_GRAM = 4
_BASE = np.uint64(0x110001)
"""Larger than any code point, so that four of them make numbers that hardly ever collide."""

_MOST_BUCKETS = 22
"""Powers of two."""
_CHUNK = 20_000
"""Sets that are counted at a time."""

_MOST_MEMBERS = 4_000
"""Sets of Python's own kind kept at a time, some 10 kB each."""

Grams = NDArray[np.uint64]


class Pair(NamedTuple):
    """Two positions in the sequence given, the earlier first, and their similarity (0-1)."""

    first: int
    second: int
    similarity: float


def similar_pairs(texts: Sequence[str], threshold: float = THRESHOLD) -> list[Pair]:
    """Every pair of texts at least `threshold` alike, ordered by the later and then the earlier position."""
    sets = [_grams(text) for text in texts]
    prefixes = _shared(_prefixes(sets, threshold))
    postings: dict[int, list[int]] = defaultdict(list)
    pairs: list[Pair] = []

    @lru_cache(maxsize=_MOST_MEMBERS)
    def members(position: int) -> frozenset[int]:
        # Python's sets meet faster than sorted arrays, but take ten times the memory: only those in use are made.
        return frozenset(sets[position].tolist())

    for position, prefix in enumerate(prefixes):
        candidates = {other for gram in prefix for other in postings[gram]}
        pairs += [
            Pair(other, position, similarity)
            for other in sorted(candidates)
            if min(len(sets[position]), len(sets[other])) >= threshold * max(len(sets[position]), len(sets[other]))
            and (similarity := _jaccard(members(position), members(other))) >= threshold
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


def _grams(text: str) -> Grams:
    """The text's sequences of four as sorted numbers, each once  # (n,)"""
    letters = letters_only(text)
    codes = np.frombuffer(letters.encode("utf-32-le", "surrogatepass"), dtype=np.uint32).astype(np.uint64)
    if len(codes) == 0:
        return codes
    padded = codes if len(codes) >= _GRAM else np.pad(codes, (0, _GRAM - len(codes)))
    count = len(padded) - _GRAM + 1
    numbers = np.zeros(count, dtype=np.uint64)
    for n in range(_GRAM):
        numbers = numbers * _BASE + padded[n : n + count]
    return np.unique(numbers)


def _prefixes(sets: Sequence[Grams], threshold: float) -> list[Grams]:
    """Of each set its rarest members, as many as two similar sets must share one of.

    Any order that is the same for all sets is right; rarity makes it quick, so counts may be taken by buckets.
    """
    bits = min(sum(map(len, sets)).bit_length() + 1, _MOST_BUCKETS)
    counts = np.zeros(1 << bits, dtype=np.int64)
    for start in range(0, len(sets), _CHUNK):
        counts += np.bincount(_bucket(np.concatenate(sets[start : start + _CHUNK]), bits), minlength=1 << bits)
    found = []
    for grams in sets:
        rarest = np.lexsort((grams, counts[_bucket(grams, bits)]))
        size = len(grams) - int(threshold * len(grams)) + 1
        found.append(grams[rarest[:size]])
    return found


def _bucket(grams: Grams, bits: int) -> NDArray[np.int64]:
    """A number below 2**bits for each member, all of it mixed in (Fibonacci hashing; Knuth, TAOCP 3, 6.4)."""
    return ((grams * np.uint64(0x9E3779B97F4A7C15)) >> np.uint64(64 - bits)).astype(np.int64)


def _shared(prefixes: Sequence[Grams]) -> list[list[int]]:
    """Each prefix without the members that no other prefix has: they lead to no pair."""
    if not prefixes:
        return []
    everything = np.concatenate(prefixes)
    known, counts = np.unique(everything, return_counts=True)
    is_shared = counts[np.searchsorted(known, everything)] > 1
    found = []
    start = 0
    for prefix in prefixes:
        end = start + len(prefix)
        found.append([int(gram) for gram in prefix[is_shared[start:end]]])
        start = end
    return found


def _jaccard(a: frozenset[int], b: frozenset[int]) -> float:
    shared = len(a & b)
    return shared / (len(a) + len(b) - shared)
