"""Dividing questions into parts: pure, seeded, and the same whatever order they come in.

What must stay together (near-duplicates, siblings of a concept) is one bundle and goes into one part.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from psygen.curate.quotas import Place, evenly, stratified
from psygen.ids import rng
from psygen.records.benchmark import Split
from psygen.records.split import PARTS, Policy


class Candidate(NamedTuple):
    """What dividing needs to know of a question."""

    id: str
    place: Place
    """Subject and chapter, or the value of the label the shares are even over."""
    letters: str
    """The key as letters."""
    is_plain: bool
    """One right answer of four: what a demonstration should be."""


class Bundle(NamedTuple):
    """Questions that stay together, and how many of them lie in each place."""

    questions: tuple[Candidate, ...]
    places: Mapping[Place, int]

    @property
    def areas(self) -> dict[str, int]:
        """How many lie in each area (subject)."""
        found: Counter[str] = Counter()
        for place, count in self.places.items():
            found[place[0]] += count
        return found


def divide(
    candidates: Iterable[Candidate],
    policy: Policy,
    *,
    kept: Mapping[str, Split] | None = None,
    together: Iterable[Sequence[str]] = (),
) -> dict[str, Split]:
    """The part of every candidate, by id, sorted by id.

    kept: parts that are fixed from earlier; what belongs together with a kept question follows it.
    together: ids that stay in one part; chains are followed (a with b, b with c). Ids of no candidate are ignored.
    """
    questions = sorted(candidates)
    fixed = kept or {}
    found: dict[str, Split] = {}
    free: list[Bundle] = []
    for bundle in _bundles(questions, together):
        parts = Counter(fixed[q.id] for q in bundle.questions if q.id in fixed)
        if not parts:
            free.append(bundle)
            continue
        most = min(parts, key=lambda part: (-parts[part], PARTS.index(part)))
        found |= {q.id: fixed.get(q.id, most) for q in bundle.questions}
    rng(policy.seed, "split").shuffle(free)
    for part, bundles in _assign(questions, free, found, policy):
        found |= {q.id: part for bundle in bundles for q in bundle.questions}
    return dict(sorted(found.items()))


def _bundles(questions: Sequence[Candidate], together: Iterable[Sequence[str]]) -> list[Bundle]:
    """Who stays together, by union-find, in the order of the questions."""
    parent = {q.id: q.id for q in questions}

    def root(one: str) -> str:
        while parent[one] != one:
            parent[one] = parent[parent[one]]
            one = parent[one]
        return one

    for ids in together:
        known = [root(one) for one in ids if one in parent]
        for one in known[1:]:
            first, second = sorted((root(known[0]), root(one)))
            parent[second] = first
    members: dict[str, list[Candidate]] = defaultdict(list)
    for question in questions:
        members[root(question.id)].append(question)
    return [Bundle(tuple(m), Counter(q.place for q in m)) for m in members.values()]


def _assign(
    questions: Sequence[Candidate], free: list[Bundle], held: Mapping[str, Split], policy: Policy
) -> list[tuple[Split, list[Bundle]]]:
    """The free bundles of each part: demonstrations first, then the shares, the largest share taking what is left."""
    assigned: list[tuple[Split, list[Bundle]]] = []
    demos: set[str] = {i for i, part in held.items() if part == "dev"} if policy.dev else set()
    if policy.dev:
        taken, free = _draw_demos(questions, free, demos, policy.dev)
        assigned.append(("dev", taken))
        demos |= {q.id for bundle in taken for q in bundle.questions}
    rest = [q for q in questions if q.id not in demos]
    *first, last = sorted((part for part, _ in policy.shares), key=lambda p: (policy.share(p), PARTS.index(p)))
    for part, need in _needs(rest, held, policy, (*first, last)).items():
        if part != last:
            taken, free = _fill(free, need)
            assigned.append((part, taken))
    return [*assigned, (last, free)]


def _needs(
    questions: Sequence[Candidate], held: Mapping[str, Split], policy: Policy, parts: Sequence[Split]
) -> dict[Split, Counter[Place]]:
    """How many more questions of each place each part wants; of two parts the second takes what the first leaves."""
    sizes = Counter(q.place for q in questions)
    have: dict[Split, Counter[Place]] = {part: Counter() for part in parts}
    for question in questions:
        if (part := held.get(question.id)) in have:
            have[part][question.place] += 1
    order = sorted(sizes)
    rng(policy.seed, "split/places").shuffle(order)
    if len(parts) == 2:
        least, others = have[parts[0]], have[parts[1]]
        most = {place: sizes[place] - others[place] for place in order}
        quotas = stratified({p: sizes[p] for p in order}, policy.share(parts[0]), least=least, most=most)
        return {parts[0]: Counter({p: quotas[p] - least[p] for p in order}), parts[1]: Counter()}
    each = evenly(
        {p: sizes[p] for p in order},
        [policy.share(part) for part in parts],
        {p: [have[part][p] for part in parts] for p in order},
    )
    return {part: Counter({p: each[p][n] - have[part][p] for p in order}) for n, part in enumerate(parts)}


def _draw_demos(
    questions: Sequence[Candidate], free: list[Bundle], held: set[str], wanted: int
) -> tuple[list[Bundle], list[Bundle]]:
    """Bundles for dev until each area has as many as wanted, and the bundles left over.

    Places take turns, then answer letters; bundles that reach into another area are left alone. When only larger
    bundles are left the smallest of them is taken: a demonstration too many is better than one too few.
    """
    by_area: dict[str, list[int]] = defaultdict(list)
    for n, bundle in enumerate(free):
        areas = bundle.areas
        if len(areas) == 1:
            by_area[next(iter(areas))].append(n)
    have: dict[str, list[Candidate]] = defaultdict(list)
    for question in questions:
        if question.id in held:
            have[question.place[0]].append(question)
    chosen: set[int] = set()
    for area in sorted(by_area):
        chosen |= _demos_of_area(free, by_area[area], have[area], wanted)
    return [b for n, b in enumerate(free) if n in chosen], [b for n, b in enumerate(free) if n not in chosen]


def _demos_of_area(free: Sequence[Bundle], numbers: Sequence[int], have: Sequence[Candidate], wanted: int) -> set[int]:
    places, letters = Counter(q.place for q in have), Counter(q.letters for q in have)
    chosen: set[int] = set()
    missing = wanted - len(have)

    def merit(n: int) -> tuple[int, bool, int, int, int, int]:
        questions = free[n].questions
        too_many = max(0, len(questions) - missing)
        is_odd = not all(q.is_plain for q in questions)
        used = sum(letters[q.letters] for q in questions)
        return too_many, is_odd, max(places[p] for p in free[n].places), len(questions), used, n

    while missing > 0 and (open_ := [n for n in numbers if n not in chosen]):
        best = min(open_, key=merit)
        chosen.add(best)
        places.update(free[best].places)
        letters.update(q.letters for q in free[best].questions)
        missing -= len(free[best].questions)
    return chosen


def _fill(free: list[Bundle], need: Counter[Place]) -> tuple[list[Bundle], list[Bundle]]:
    """Bundles that meet the needs, and those left over.

    First whatever fits its places, in the order given. Then, where bundles are larger than what a place needs, whatever
    brings an area nearer to its need, and at last whatever brings the whole nearer to its own from an area that still
    lacks some. An area's need is missed by less than the size of a bundle.
    """
    need = need.copy()
    taken: set[int] = set()

    def take(n: int) -> None:
        taken.add(n)
        need.subtract(free[n].places)

    for n, bundle in enumerate(free):
        if all(need[place] >= count for place, count in bundle.places.items()):
            take(n)
    wanted: Counter[str] = Counter()
    for place, count in need.items():
        wanted[place[0]] += count
    by_area: dict[str, list[int]] = defaultdict(list)
    for n, bundle in enumerate(free):
        if n not in taken and wanted[area := next(iter(bundle.areas))] > 0:
            by_area[area].append(n)
    for area in sorted(by_area):
        while wanted[area] > 0 and (best := _nearest(free, by_area[area], taken, need, wanted)) is not None:
            take(best)
            wanted.subtract(free[best].areas)
    whole = wanted.total()
    for n in sorted((n for numbers in by_area.values() for n in numbers), key=lambda n: (-_lack(free[n], wanted), n)):
        size = len(free[n].questions)
        if n not in taken and _lack(free[n], wanted) > 0 and abs(whole - size) < whole:
            take(n)
            wanted.subtract(free[n].areas)
            whole -= size
    return [b for n, b in enumerate(free) if n in taken], [b for n, b in enumerate(free) if n not in taken]


def _lack(bundle: Bundle, wanted: Counter[str]) -> int:
    """What the area lacks that lacks least among a bundle's areas."""
    return min(wanted[area] for area in bundle.areas)


def _nearest(
    free: Sequence[Bundle], numbers: Sequence[int], taken: set[int], need: Counter[Place], wanted: Counter[str]
) -> int | None:
    """The bundle that brings the areas nearer to their needs, of the place that lacks most; None if none does."""

    def gain(n: int) -> int:
        return sum(abs(wanted[a]) - abs(wanted[a] - count) for a, count in free[n].areas.items())

    def merit(n: int) -> tuple[bool, int, int]:
        is_too_large = any(count > wanted[a] for a, count in free[n].areas.items())
        return is_too_large, -max(need[place] for place in free[n].places), n

    helpful = [n for n in numbers if n not in taken and gain(n) > 0]
    return min(helpful, key=merit, default=None)
