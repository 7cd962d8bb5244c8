"""The questions on percentile ranks keep the rules of offline problems.

A judge takes stem and option and says whether the option is right, by a route of its own.
"""

import re
from statistics import NormalDist

import pytest

from psygen.engines.offline.calculation.percentile_rank import FAMILIES
from psygen.engines.offline.problem import Family
from tests.engines.offline.applied_checks import families_of
from tests.engines.offline.descriptive_checks import (
    Judge,
    after,
    check_only_the_key,
    check_places,
    near,
    numbers,
)


def share_below(text: str, x: float) -> float:
    """Per cent of the grouped scores in `text` below `x`, spread evenly inside their group."""
    rows = [(int(a), int(b), int(c)) for a, b, c in re.findall(r"(\d+)～(\d+)组(\d+)人", text)]
    under = sum(c * min(1.0, max(0.0, (x - a + 0.5) / (b - a + 1))) for a, b, c in rows)
    return 100 * under / sum(c for _, _, c in rows)


def judge_rank_in_groups(stem: str, option: str) -> bool:
    return near(option, share_below(stem, after("的累加次数），", stem)))


def judge_score_at_rank(stem: str, option: str) -> bool:
    wanted = after("百分等级恰为", stem)
    found = numbers(option)[0]
    return share_below(stem, found - 0.06) < wanted < share_below(stem, found + 0.06)


def judge_place_from_rank(stem: str, option: str) -> bool:
    n, wanted = numbers(stem)[0], after("百分等级为", stem)
    place = numbers(option)[0]
    return abs(100 * (n - place + 0.5) / n - wanted) < 1e-6


def judge_better_place(stem: str, option: str) -> bool:
    n, r = ([float(v) for v in re.findall(p, stem)] for p in (r"在(\d+)人中", r"得第(\d+)名"))
    ranks = {name: 100 * (n[j] - r[j] + 0.5) / n[j] for j, name in enumerate(("校赛", "市赛"))}
    return ranks[option[:2]] == max(ranks.values()) and near(option, ranks[option[:2]])


def judge_ranks_in_two_tests(stem: str, option: str) -> bool:
    norms = [(float(m), float(s)) for m, s in re.findall(r"平均分(\d+)、标准差(\d+)", stem)]
    scores = [float(v) for v in re.findall(r"测验得(\d+(?:\.\d+)?)分", stem)]
    ranks = [100 * NormalDist(m, s).cdf(x) for (m, s), x in zip(norms, scores, strict=True)]
    return abs(numbers(option)[0] - abs(ranks[0] - ranks[1])) < 0.03


JUDGES: dict[str, Judge] = {
    "rank_in_groups": judge_rank_in_groups,
    "score_at_rank": judge_score_at_rank,
    "place_from_rank": judge_place_from_rank,
    "better_place": judge_better_place,
    "ranks_in_two_tests": judge_ranks_in_two_tests,
}


@pytest.mark.parametrize("family", families_of(FAMILIES), ids=lambda f: f.__name__)
def test_family_keeps_the_laws_and_only_its_key_is_right(family: Family) -> None:
    check_places(family)
    check_only_the_key(family, JUDGES[family.__name__])
