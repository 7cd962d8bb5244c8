"""A report as one HTML page: tables and plots, no script, nothing from elsewhere, good on paper and in the dark."""

from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

from jinja2 import Environment, FileSystemLoader, StrictUndefined, Template

from psygen.reports.plots import Plot
from psygen.reports.tables import Cell, Table, show_number
from psygen.text import without_controls


class Section(NamedTuple):
    """A heading with plots, tables and texts, in this order, and a small note below."""

    title: str
    plots: Sequence[Plot] = ()
    tables: Sequence[Table] = ()
    note: str = ""
    texts: Sequence[str] = ()


class Page(NamedTuple):
    """A whole page: title in both languages, a sentence, warnings, sections."""

    title: str
    title_zh: str
    lead: str
    warnings: Sequence[str]
    sections: Sequence[Section]


def render_page(page: Page) -> str:
    """The page as HTML. Every text is data: it is escaped, whatever it holds."""
    return _template().render(page=page)


@lru_cache(maxsize=1)
def _template() -> Template:
    environment = Environment(
        loader=FileSystemLoader(Path(__file__).parent),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters["cell"] = _show
    environment.filters["number"] = lambda value: f"{value:.1f}".removesuffix(".0")
    environment.filters["numeric"] = _numeric_columns
    return environment.get_template("page.html.j2")


def _show(cell: Cell) -> str:
    return without_controls(show_number(cell))


def _numeric_columns(table: Table) -> list[bool]:
    """For each column whether it holds numbers, which stand right."""
    return [any(isinstance(row[n], int | float) for row in table.rows) for n in range(len(table.columns))]
