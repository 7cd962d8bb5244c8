"""Laws every calculation family keeps, and the comparison of its key with an independent oracle."""

import random
import re
from collections.abc import Callable, Iterator, Mapping, Sequence

from psygen.engines.offline.problem import Family, Problem, Redraw

Oracle = Callable[[str], float | str]
"""From the stem alone: the key as a number, or the whole text of the right option."""
SEEDS = range(40)


def families_of(topic: Mapping[str, Sequence[Family]]) -> list[Family]:
    """All families of a topic in order."""
    return [family for families in topic.values() for family in families]


def draw(family: Family, seed: int, rank: int) -> Problem | None:
    """One problem, or None when the draw has to be repeated."""
    try:
        return family(random.Random(seed), rank)
    except Redraw:
        return None


def draws(family: Family) -> Iterator[tuple[int, Problem]]:
    """(rank, problem) for every seed and rank that gives one."""
    for seed in SEEDS:
        for rank in range(4):
            problem = draw(family, seed, rank)
            if problem is not None:
                yield rank, problem


def last_number(text: str) -> str:
    """The last number in a text, sign included."""
    found: list[str] = re.findall(r"-?\d+(?:\.\d+)?", text)
    return found[-1]


def check_laws(family: Family) -> None:
    """Distinct and sorted options, key at its rank, steps that end in the key, enough ranks, determinism."""
    share = [0, 0, 0, 0]
    for rank, problem in draws(family):
        share[rank] += 1
        choice = problem.choice
        assert choice.key == rank
        assert len(set(choice.options)) == 4
        assert problem.stem.endswith(("（　　）。", "？"))
        assert "如上" not in problem.stem
        assert problem.stem.count("$") % 2 == 0
        if choice.is_ordered:
            values = [float(last_number(option)) for option in choice.options]
            assert values == sorted(values)
            assert last_number(problem.steps) == last_number(choice.options[rank])
    enough = [count * 3 >= len(SEEDS) for count in share]
    assert sum(enough) >= 3, share
    assert draw(family, 7, 1) == draw(family, 7, 1)


def check_oracle(family: Family, oracle: Oracle) -> None:
    """The key is what the oracle gets from the stem's numbers."""
    seen = 0
    for _, problem in draws(family):
        key = problem.choice.options[problem.choice.key]
        answer = oracle(problem.stem)
        seen += 1
        if isinstance(answer, str):
            assert answer == key, problem.stem
            continue
        decimals = len(last_number(key).partition(".")[2])
        assert abs(float(last_number(key)) - answer) <= 0.5 * 10**-decimals + 1e-6, (problem, answer)
    assert seen >= 40


def check_both_verdicts(family: Family, verdict: str) -> None:
    """Over the seeds the right option sometimes contains the verdict and sometimes not."""
    keys = [problem.choice.options[problem.choice.key] for _, problem in draws(family)]
    share = sum(verdict in key for key in keys) / len(keys)
    assert 0.2 < share < 0.8, share


def grab(stem: str, pattern: str) -> list[float]:
    """The groups of the first match as numbers."""
    found = re.search(pattern, stem)
    assert found is not None, (pattern, stem)
    return [float(group) for group in found.groups()]


def grab_all(stem: str, pattern: str) -> list[float]:
    """The first group of every match as a number."""
    found = re.findall(pattern, stem)
    assert found, (pattern, stem)
    return [float(text) for text in found]


def grab_rows(stem: str, pattern: str) -> list[list[float]]:
    """For every match, the numbers (with signs) in its first group."""
    found = re.findall(pattern, stem)
    assert found, (pattern, stem)
    return [[float(n) for n in re.findall(r"-?\d+(?:\.\d+)?", text)] for text in found]
