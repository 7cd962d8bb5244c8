"""Printed table values: what the appendices of Chinese statistics textbooks show."""

import pytest

from psygen.engines.offline.tables import chi2_critical, f_critical, normal_area, t_critical, z_critical


@pytest.mark.parametrize(
    ("alpha", "tails", "value"),
    [(0.05, 2, 1.96), (0.05, 1, 1.645), (0.01, 2, 2.58), (0.01, 1, 2.33), (0.10, 2, 1.645), (0.025, 1, 1.96)],
)
def test_z_values_are_those_of_the_table(alpha: float, tails: int, value: float) -> None:
    assert z_critical(alpha, tails) == value


@pytest.mark.parametrize(
    ("df", "alpha", "tails", "value"),
    [(9, 0.05, 2, 2.262), (24, 0.05, 2, 2.064), (15, 0.05, 1, 1.753), (30, 0.01, 2, 2.750), (60, 0.05, 2, 2.000)],
)
def test_t_values_are_those_of_the_table(df: int, alpha: float, tails: int, value: float) -> None:
    assert t_critical(df, alpha, tails) == value


def test_chi_square_values_are_those_of_the_table() -> None:
    shares = (0.975, 0.95, 0.05, 0.025, 0.01)
    assert [chi2_critical(10, a) for a in shares] == [3.25, 3.94, 18.31, 20.48, 23.21]


def test_f_values_are_those_of_the_table() -> None:
    assert (f_critical(3, 20, 0.05), f_critical(20, 3, 0.05), f_critical(9, 9, 0.025)) == (3.10, 8.66, 4.03)


def test_normal_areas_run_from_the_mean() -> None:
    assert [normal_area(z) for z in (0.0, 1.0, 1.5, 1.96, 2.58)] == [0.0, 0.34134, 0.43319, 0.475, 0.49506]
