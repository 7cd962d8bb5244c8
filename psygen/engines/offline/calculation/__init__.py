"""Families of calculation problems, by concept slug (the concept's id without its subject's prefix)."""

import importlib
import pkgutil
import random
from collections.abc import Iterator

from psygen.engines.offline.problem import Family, Problem, Redraw
from psygen.engines.offline.question import Question

DRAWS = 60
"""How often a family may draw anew for one place of the key."""


def families_of(slug: str) -> list[Family]:
    """The families that ask about a concept; none when it has no calculation of ours."""
    return _all_families().get(slug, [])


def calculation_questions(slug: str, rng: random.Random) -> Iterator[Question]:
    """One question of each family, the key's places spread evenly over four."""
    places: list[int] = []
    for family in families_of(slug):
        if not places:
            places = rng.sample(range(4), 4)
        problem = _draw(family, rng, places)
        if problem is not None:
            options, key, _, notes = problem.choice
            steps = problem.steps if problem.steps[-1] in "。；" else problem.steps + "。"
            yield Question("calculation", problem.level, problem.stem, options, key, steps + notes)


def _draw(family: Family, rng: random.Random, places: list[int]) -> Problem | None:
    """A problem with its key at one of `places` (which is then used up), the first of them if it can be."""
    for place in places:
        for _ in range(DRAWS):
            try:
                problem = family(rng, place)
            except Redraw:
                continue
            places.remove(place)
            return problem
    return None


_FAMILIES: dict[str, list[Family]] = {}


def _all_families() -> dict[str, list[Family]]:
    if not _FAMILIES:
        for module in pkgutil.iter_modules(__path__):
            _FAMILIES.update(getattr(importlib.import_module(f"{__name__}.{module.name}"), "FAMILIES", {}))
    return _FAMILIES
