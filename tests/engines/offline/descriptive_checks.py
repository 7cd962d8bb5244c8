"""What the tests of descriptive statistics share: a judge says of each option whether it is right.

A judge takes stem and option and goes a route of its own, by the numbers it reads from the stem.
"""

import random
import re
from collections.abc import Callable

from psygen.engines.offline.problem import Family, Problem, Redraw

Judge = Callable[[str, str], bool]
"""(stem, option) -> whether the option is right."""
SEEDS = range(40)


def draw(family: Family, seed: int, rank: int) -> Problem | None:
    """The first problem among 60 draws, as the callers do it."""
    rng = random.Random(seed)
    for _ in range(60):
        try:
            return family(rng, rank)
        except Redraw:
            continue
    return None


def numbers(text: str) -> list[float]:
    """All unsigned numbers of `text`, in order."""
    return [float(found) for found in re.findall(r"\d+(?:\.\d+)?", text)]


def after(pattern: str, text: str) -> float:
    """The number that `pattern`, a regular expression, leads up to."""
    found = re.search(pattern + r"(-?\d+(?:\.\d+)?)", text)
    assert found, (pattern, text)
    return float(found.group(1))


def near(option: str, value: float) -> bool:
    """Is the first number of `option` what `value` prints as?"""
    shown = signed(option)[0]
    decimals = len(shown.partition(".")[2])
    return abs(float(shown) - value) <= 0.5 * 10.0**-decimals + 1e-6


def signed(text: str) -> list[str]:
    """All numbers of `text` with their signs, as written."""
    found: list[str] = re.findall(r"-?\d+(?:\.\d+)?", text)
    return found


def check_places(family: Family) -> None:
    """Distinct and sorted options, key at its rank, steps that end in the key, enough ranks, determinism."""
    reached = set()
    for rank in range(4):
        for seed in SEEDS:
            problem = draw(family, seed, rank)
            if problem is None:
                continue
            reached.add(rank)
            options, key = problem.choice.options, problem.choice.key
            assert key == rank
            assert len(set(options)) == 4
            assert problem.stem.endswith(("（　　）。", "？"))
            assert problem.stem.count("$") % 2 == 0
            if problem.choice.is_ordered:
                shown = [float(signed(option)[0]) for option in options]
                assert shown == sorted(shown)
                assert signed(problem.steps)[-1].lstrip("-") == signed(options[key])[0].lstrip("-")
    assert len(reached) >= 3
    assert all(draw(family, seed, seed % 4) == draw(family, seed, seed % 4) for seed in range(4))


def check_only_the_key(family: Family, judge: Judge) -> None:
    """The judge finds the key right and every other option wrong."""
    for seed in SEEDS:
        problem = draw(family, seed, seed % 4) or draw(family, seed, 1)
        assert problem
        right = [judge(problem.stem, option) for option in problem.choice.options]
        assert right == [position == problem.choice.key for position in range(4)], problem
