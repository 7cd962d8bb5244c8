"""The questions on the median and the mode keep the rules of offline problems.

A judge takes stem and option and says whether the option is right, by a route of its own.
"""

import re
import statistics

import pytest

from psygen.engines.offline.calculation.median_and_mode import FAMILIES
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


def table(text: str) -> list[tuple[int, int, int]]:
    """Rows (lower, upper, count) of the frequency table in `text`."""
    return [(int(a), int(b), int(c)) for a, b, c in re.findall(r"(\d+)～(\d+)组(\d+)人", text)]


def listed(text: str) -> list[float]:
    """The first long enumeration of numbers in `text`."""
    found = re.search(r"\d+(?:、(?:\d+|\$x\$)){3,}", text)
    assert found, text
    return [float(v) if v[0].isdigit() else -1.0 for v in found.group().split("、")]


def judge_median_from_groups(stem: str, option: str) -> bool:
    rows = table(stem)
    i = rows[0][1] - rows[0][0] + 1
    data = [(a + b) / 2 for a, b, c in rows for _ in range(c)]
    return near(option, statistics.median_grouped(data, interval=i))


def judge_median_with_ties(stem: str, option: str) -> bool:
    return near(option, statistics.median_grouped(listed(stem), interval=1))


def judge_mean_from_median(stem: str, option: str) -> bool:
    values = listed(stem)
    median, gap = after("中数为", stem), values.index(-1.0)
    fits = [x for x in range(200) if statistics.median([*values[:gap], x, *values[gap + 1 :]]) == median]
    return len(fits) == 1 and near(option, (sum(values) + 1 + fits[0]) / 6)


def judge_which_average(stem: str, option: str) -> bool:
    return option.startswith("用中数") and near(option, statistics.median(listed(stem)))


def judge_change_of_averages(stem: str, option: str) -> bool:
    values = listed(stem)
    new = values.copy()
    new[new.index(after("最[大小]的数据", stem))] = after("应为", stem)
    changes = (average(new) - average(values) for average in (statistics.fmean, statistics.median))
    words = (f"{'增大' if c > 0 else '减小'}{abs(c):.0f}" if abs(c) > 1e-9 else "不变" for c in changes)
    return option == "平均数{}，中数{}".format(*words)


def judge_pearson_mode(stem: str, option: str) -> bool:
    mean, median = after("总和为", stem) / numbers(stem)[0], after("中数为", stem)
    return near(option, mean - 3 * (mean - median))


def judge_king_mode(stem: str, option: str) -> bool:
    counts = [c for _, _, c in table(stem)]
    k = counts.index(max(counts))
    low, high, _ = table(stem)[k]
    pull = counts[k + 1] / (counts[k - 1] + counts[k + 1])
    return near(option, (low - 0.5) * (1 - pull) + (high + 0.5) * pull)


def judge_mean_from_mode(stem: str, option: str) -> bool:
    mode, median = after("众数为", stem), after("中数为", stem)
    return abs(3 * median - 2 * numbers(option)[0] - mode) < 0.11


def judge_skew_from_averages(stem: str, option: str) -> bool:
    mean, median = after("平均数为", stem), after("中数为", stem)
    return near(option, 3 * median - 2 * mean) and ("正" in option) == (mean > median)


def judge_mode_after_joining(stem: str, option: str) -> bool:
    data = [int(v) for v, c in re.findall(r"(\d+)个的(\d+)人", stem) for _ in range(int(c))]
    extra, value = int(after("补测了", stem)), int(after("他们都是", stem))
    assert statistics.mode(data) == after("原来的众数为", stem)
    assert statistics.median(data) == after("，中数为", stem)
    data += [value] * extra
    return numbers(option) == [statistics.mode(data), statistics.median(data)]


JUDGES: dict[str, Judge] = {
    "median_from_groups": judge_median_from_groups,
    "median_with_ties": judge_median_with_ties,
    "mean_from_median": judge_mean_from_median,
    "which_average": judge_which_average,
    "change_of_averages": judge_change_of_averages,
    "pearson_mode": judge_pearson_mode,
    "king_mode": judge_king_mode,
    "mean_from_mode": judge_mean_from_mode,
    "skew_from_averages": judge_skew_from_averages,
    "mode_after_joining": judge_mode_after_joining,
}


@pytest.mark.parametrize("family", families_of(FAMILIES), ids=lambda f: f.__name__)
def test_family_keeps_the_laws_and_only_its_key_is_right(family: Family) -> None:
    check_places(family)
    check_only_the_key(family, JUDGES[family.__name__])
