"""Plain numbers, lists, the normal table, chi-square sums and frequency tables that several topics share."""

import contextlib
import random

import pytest

from psygen.engines.offline.figures import (
    area,
    carried_chi_sum,
    chi_sum,
    enumerated,
    listed,
    neat_error,
    plain,
    printed_areas,
    proper,
    z_entry,
)
from psygen.engines.offline.frequency_table import Grouped, draw_grouped
from psygen.engines.offline.inference import Measure, check_spread
from psygen.engines.offline.problem import Redraw


def test_numbers_and_lists_are_plain() -> None:
    assert [plain(v) for v in (12.0, 12.5, 0.33333, 1200)] == ["12", "12.5", "0.3333", "1200"]
    assert (listed([1, 2.5]), enumerated([1, 2.5])) == ("1，2.5", "1、2.5")


def test_entries_of_the_normal_table() -> None:
    assert [area(z) for z in (0.5, -1.0, 1.96)] == [0.1915, 0.3413, 0.475]
    assert printed_areas(1.0, -0.5) == "$z$为0到0.50的面积为0.1915，$z$为0到1.00的面积为0.3413"
    assert (z_entry(0.05, 2), z_entry(0.05, 1)) == ("Z_{0.05/2}=1.96", "Z_{0.05}=1.645")


def test_only_probabilities_are_proper() -> None:
    assert [m.value for m in proper([(0.3, "a"), (1.2, "b"), (0.0, "c"), (-0.1, "d")])] == [0.3]


def test_chi_square_exactly_and_by_hand() -> None:
    assert chi_sum([30, 10], [24, 16]) == pytest.approx(3.75)
    assert carried_chi_sum([7, 8], [7.5, 7.5]) == 0.06


def test_a_neat_standard_error_has_one_decimal() -> None:
    root, sd, error = neat_error(random.Random(2), (6, 7), 8, 24)
    assert error == sd / root
    assert round(error * 10) == pytest.approx(error * 10)


def test_a_frequency_table_is_read_by_its_exact_limits() -> None:
    table = Grouped(60, 5, (4, 10, 6))
    assert (table.total, table.name(1), table.bound(1), table.middle(1)) == (20, "65～69", 64.5, 67.0)
    assert (table.below(2), table.group_at(4), table.at(9)) == (14, 0, 67.0)


def test_a_drawn_table_adds_up_and_has_one_peak() -> None:
    tables = []
    for seed in range(20):
        with contextlib.suppress(Redraw):
            tables.append(draw_grouped(random.Random(seed), (20,), (5,), 60))
    assert len(tables) > 5
    assert all(table.total == 60 and table.counts.count(max(table.counts)) == 1 for table in tables)


def test_a_spread_must_suit_its_measure() -> None:
    measure = Measure("某校学生", "阅读测验得分", "分", 70, 10)
    check_spread(measure, 12)
    for sd in (4, 24):
        with pytest.raises(Redraw):
            check_spread(measure, sd)
