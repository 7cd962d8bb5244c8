import pytest

from psygen.reports.tables import Percent, Table, as_markdown, show_estimate


@pytest.mark.parametrize(
    ("value", "interval", "shown"),
    [
        (0.8059, (0.789, 0.8226), "0.81 [0.79,0.82]"),
        (-0.001, (-0.02, 0.001), "0.00 [-0.02,0.00]"),
        (Percent(0.8312), (0.81, 0.85), "83.1% [81.0,85.0]"),
        (Percent(1), None, "100.0%"),
        (0.5, None, "0.50"),
        (None, None, "–"),
    ],
)
def test_an_estimate_is_shown_with_its_interval(
    value: float | None, interval: tuple[float, float] | None, shown: str
) -> None:
    assert show_estimate(value, interval) == shown


def test_a_cell_cannot_break_a_markdown_table_nor_drive_a_terminal() -> None:
    shown = as_markdown(Table("", ["name", "items"], [["a|b\nc\x1b[31m", 1234]]))
    assert shown.splitlines()[2] == "| a\\|b c<U+001B>[31m | 1,234 |"
