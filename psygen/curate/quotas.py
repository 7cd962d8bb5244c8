"""Whole numbers for proportions: the method of the largest remainder, with what is fixed already kept in mind.

Source of the method: Hamilton; see Balinski & Young, Fair Representation (1982). Fractions are exact, so that every
machine rounds alike.
"""

from collections.abc import Mapping, Sequence
from fractions import Fraction
from math import ceil, floor

Place = tuple[str, ...]
"""A stratum as a path from the general to the special: ("statistics", "variation")."""


def share_out(
    total: int,
    ideals: Sequence[Fraction],
    *,
    least: Sequence[int],
    most: Sequence[int],
    lean: Sequence[Fraction] | None = None,
) -> list[int]:
    """Whole numbers near the ideals that add up to `total`, as far as the limits allow.

    Without limits in the way each is its ideal rounded down or up. Ties go to the earlier one.
    lean: what each is owed from earlier rounds; decides who is rounded up, never more.
    """
    owed = lean or [Fraction(0)] * len(ideals)
    found = [min(max(floor(i), lo), hi) for i, lo, hi in zip(ideals, least, most, strict=True)]

    def deserves(n: int) -> tuple[bool, Fraction]:
        return found[n] < ceil(ideals[n]), ideals[n] - found[n] + owed[n]

    def can_spare(n: int) -> tuple[bool, Fraction]:
        return found[n] > floor(ideals[n]), found[n] - ideals[n] - owed[n]

    while sum(found) < total and (open_ := [n for n, hi in enumerate(most) if found[n] < hi]):
        found[max(open_, key=deserves)] += 1
    while sum(found) > total and (open_ := [n for n, lo in enumerate(least) if found[n] > lo]):
        found[max(open_, key=can_spare)] -= 1
    return found


def stratified(
    sizes: Mapping[Place, int], share: Fraction, *, least: Mapping[Place, int], most: Mapping[Place, int]
) -> dict[Place, int]:
    """How many of each stratum a part of that share gets: rounded in the whole, in each area, in each stratum.

    An area is a first member of a path (a subject). Every number is the exact proportion rounded down or up unless
    `least` (what the part holds already) or `most` (what it may hold) forbids it; then an area's number goes before
    its strata's and the whole's. Ties go to the earlier place.
    """
    areas: dict[str, list[Place]] = {}
    for place in sizes:
        areas.setdefault(place[0], []).append(place)

    def ideals(groups: Sequence[Sequence[Place]]) -> list[Fraction]:
        return [share * sum(sizes[p] for p in group) for group in groups]

    def bounds(limit: Mapping[Place, int], groups: Sequence[Sequence[Place]]) -> list[int]:
        return [sum(limit.get(p, 0) for p in group) for group in groups]

    def divide(total: int, groups: Sequence[Sequence[Place]]) -> list[int]:
        return share_out(total, ideals(groups), least=bounds(least, groups), most=bounds(most, groups))

    groups = list(areas.values())
    lowest = sum(max(floor(i), n) for i, n in zip(ideals(groups), bounds(least, groups), strict=True))
    highest = sum(min(ceil(i), n) for i, n in zip(ideals(groups), bounds(most, groups), strict=True))
    whole = min(max(floor(share * sum(sizes.values()) + Fraction(1, 2)), lowest), highest)
    found: dict[Place, int] = {}
    for quota, places in zip(divide(whole, groups), groups, strict=True):
        found.update(zip(places, divide(quota, [[p] for p in places]), strict=True))
    return found


def evenly(
    sizes: Mapping[Place, int], shares: Sequence[Fraction], least: Mapping[Place, Sequence[int]]
) -> dict[Place, list[int]]:
    """How many of each stratum each part gets, in the order of `shares`: in every stratum rounded down or up.

    What a part missed by rounding it is owed in the next stratum, so the whole comes near the shares too.
    least: what the parts hold already, by stratum.
    """
    owed = [Fraction(0)] * len(shares)
    found: dict[Place, list[int]] = {}
    for place, size in sizes.items():
        ideals = [share * size for share in shares]
        found[place] = share_out(size, ideals, least=least[place], most=[size] * len(shares), lean=owed)
        owed = [o + i - n for o, i, n in zip(owed, ideals, found[place], strict=True)]
    return found
