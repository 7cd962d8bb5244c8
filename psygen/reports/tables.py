"""A table once, shown in any way: rich on a terminal, Markdown. Cells are data, never markup."""

import json
import os
import sys
from collections.abc import Mapping, Sequence
from typing import Literal, NamedTuple

from rich.console import Console
from rich.table import Table as RichTable
from rich.text import Text

from psygen.text import for_terminal, width

Cell = str | int | float | None


class Percent(float):
    """A fraction that is shown as a percentage."""


class Ratio(float):
    """A number between 0 and 1 that is shown with two decimals, as the papers print it."""


LEAST_TEXT = 12
"""Columns a text keeps on a narrow terminal; it goes on in further lines. Numbers keep all they need."""


class Table(NamedTuple):
    """A title, column names, and rows of cells; numbers stand right, None is a dash."""

    title: str
    columns: Sequence[str]
    rows: Sequence[Sequence[Cell]]
    footer: Sequence[Cell] = ()


def show_number(cell: Cell) -> str:
    """A cell as people read it: 1,234, 12.3%, 0.97, 4.6, a dash for nothing."""
    if cell is None:
        return "–"
    if isinstance(cell, Percent):
        return f"{cell * 100:.1f}%"
    if isinstance(cell, Ratio):
        return f"{cell:.2f}"
    if isinstance(cell, bool):
        return "yes" if cell else "no"
    if isinstance(cell, int):
        return f"{cell:,}"
    if isinstance(cell, float):
        return f"{cell:,.1f}"
    return cell


def usd(micro: int | None) -> str:
    """Micro-USD as people read it: four decimals below ten cents, two above; `unknown` for None."""
    if micro is None:
        return "unknown"
    return f"{micro / 1e6:.4f} USD" if 0 < micro < 100_000 else f"{micro / 1e6:,.2f} USD"


def show_estimate(value: float | None, interval: tuple[float, float] | None = None) -> str:
    """A coefficient with its interval: 0.81 [0.79,0.82]; a Percent as 83.1% [81.0,85.0]; a dash for nothing."""
    if value is None:
        return "–"
    is_percent = isinstance(value, Percent)
    shown = show_number(value) if is_percent else f"{value:z.2f}"
    if interval is None:
        return shown
    # No blank between the limits: in a narrow column the interval goes to the next line whole.
    low, high = (f"{limit * 100:.1f}" if is_percent else f"{limit:z.2f}" for limit in interval)
    return f"{shown} [{low},{high}]"


def print_table(table: Table, console: Console) -> None:
    """Draw a table; long texts wrap, Chinese is measured by its width."""
    drawn = RichTable(
        title=Text(table.title) if table.title else None,
        title_justify="left",
        box=None,
        pad_edge=False,
        show_footer=bool(table.footer),
        header_style="bold",
        footer_style="bold",
    )
    least = 0
    for n, name in enumerate(table.columns):
        is_number = any(isinstance(row[n], int | float) for row in table.rows if row[n] is not None)
        footer = show_number(table.footer[n]) if table.footer else ""
        natural = max(map(width, [name, footer, *(for_terminal(show_number(row[n])) for row in table.rows)]))
        room = natural if is_number else min(natural, LEAST_TEXT)
        align: Literal["left", "right"] = "right" if is_number else "left"
        drawn.add_column(Text(name), justify=align, footer=Text(footer), min_width=room, overflow="fold")
        least += room + 2
    for row in table.rows:
        drawn.add_row(*(Text(for_terminal(show_number(cell))) for cell in row))
    # On a terminal too narrow for that the lines run on; nothing is cut.
    console.print(drawn, width=max(console.width, least), crop=False, no_wrap=True, overflow="ignore")


def as_markdown(table: Table) -> str:
    """The table in GitHub's Markdown."""
    lines = ["| " + " | ".join(table.columns) + " |"]
    numbers = [any(isinstance(r[n], int | float) for r in table.rows) for n in range(len(table.columns))]
    lines.append("|" + "|".join(" ---: " if is_number else " --- " for is_number in numbers) + "|")
    rows = [*table.rows, *([table.footer] if table.footer else [])]
    lines += ["| " + " | ".join(_markdown_cell(cell) for cell in row) + " |" for row in rows]
    return "\n".join(lines) + "\n"


def _markdown_cell(cell: Cell) -> str:
    return for_terminal(show_number(cell)).replace("|", "\\|").replace("\n", " ")


def print_json(value: Mapping[str, object] | Sequence[object]) -> None:
    """One JSON value on stdout, Chinese as it is."""
    sys.stdout.write(json.dumps(value, ensure_ascii=False, indent=2) + "\n")


class _Console(Console):
    """Rich's console, but a reader that leaves early is no error (rich would end the program with exit code 1)."""

    def on_broken_pipe(self) -> None:
        """Let the command line end as it does for every closed pipe."""
        raise BrokenPipeError


def err_console() -> Console:
    """Where everything that is not data goes."""
    return _Console(stderr=True, highlight=False, soft_wrap=True)


def out_console() -> Console:
    """Where tables for people go."""
    # Rich takes a pipe for a terminal of 80 columns; a file has room.
    width = None if sys.stdout.isatty() or os.environ.get("COLUMNS") else 200
    return _Console(highlight=False, width=width)
