"""Plots and pages: what stands in them is in the picture, escaped, and nothing else."""

import xml.etree.ElementTree as ET
from html.parser import HTMLParser

import pytest
from hypothesis import given
from hypothesis import strategies as st

from psygen.reports.page import Page, Section, render_page
from psygen.reports.plots import LABELS, VALUES, WIDTH, Bar, Dot, bar_plot, column_plot, dot_plot, ticks
from psygen.reports.tables import Percent, Table

EVIL = "</td><script>alert(1)</script>{{ 7*7 }}\x1b[31m"


class Seen(HTMLParser):
    """Tags and texts of a page."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.texts: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        assert not {"src", "href"} & {name for name, _ in attrs}

    def handle_data(self, data: str) -> None:
        self.texts.append(data.strip())


def page(text: str = "平均数") -> str:
    table = Table(text, ["概念", "n", "share"], [[text, 1234, Percent(0.5)], ["–", None, None]], ["", 1, None])
    plots = [
        bar_plot("条", [Bar(text, [("dev", 5), ("test", 20)], 30.0)], mark="published"),
        dot_plot("点", [Dot(text, {"question": 3.0, "question, published": 4.0})]),
        column_plot("柱", [("0", 3), (text, 4)]),
    ]
    return render_page(Page("Title", "题目", text, [text], [Section("节", plots, [table], text, [text])]))


def test_texts_are_data_in_every_place() -> None:
    seen = Seen(page(EVIL))
    assert "script" not in seen.tags
    assert "\x1b" not in page(EVIL)
    assert sum("{{ 7*7 }}" in text for text in seen.texts) >= 8


def test_a_page_needs_nothing_from_elsewhere() -> None:
    text = page()
    assert "default-src 'none'" in text
    assert "http" not in text.replace("http-equiv", "")
    assert page() == text


def test_the_pictures_are_well_formed_and_every_mark_says_what_it_is() -> None:
    pictures = [part.split("</svg>")[0] for part in page().split("<svg")[1:]]
    drawn = [ET.fromstring("<svg" + part + "</svg>") for part in pictures]
    assert [len(svg.findall(".//title")) for svg in drawn] == [3, 2, 2]


@given(st.floats(0.001, 1e7))
def test_a_scale_reaches_over_the_largest_value_in_a_few_round_steps(top: float) -> None:
    scale = ticks(top)
    assert scale[0] == 0
    assert scale[-1] >= top * (1 - 1e-8)
    assert 2 <= len(scale) <= 8


@given(st.lists(st.lists(st.integers(0, 500), min_size=1, max_size=4), min_size=1, max_size=12))
def test_bars_are_as_long_as_their_values_and_stay_in_the_picture(values: list[list[int]]) -> None:
    plot = bar_plot("", [Bar(str(n), [(f"s{k}", v) for k, v in enumerate(row)]) for n, row in enumerate(values)])
    per_unit = (WIDTH - LABELS - VALUES) / ticks(max(map(sum, values)))[-1]
    flat = [v for row in values for v in row]
    assert [box.width for box in plot.boxes] == pytest.approx([v * per_unit for v in flat])
    assert all(box.x + box.width <= WIDTH - VALUES + 1e-6 for box in plot.boxes)
