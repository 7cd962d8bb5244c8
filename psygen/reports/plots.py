"""Plots as shapes with places; a template draws them as SVG. Plain geometry, in units of about a pixel."""

from collections.abc import Mapping, Sequence
from math import ceil, floor, log10
from typing import NamedTuple

WIDTH = 720
LABELS = 150
"""Room for the labels at the left."""
VALUES = 60
"""Room for the values at the right."""
ROW = 26
TOP = 34
"""Room for the legend."""
AXIS = 30
"""Room for the numbers below."""
MIDDLE = 4.5
"""From the middle of a line of text to its base line."""


class Box(NamedTuple):
    """A filled rectangle; series picks its colour, from 0."""

    x: float
    y: float
    width: float
    height: float
    series: int
    title: str


class Spot(NamedTuple):
    """A round or square mark; hollow for figures that are not ours."""

    x: float
    y: float
    series: int
    is_round: bool
    is_hollow: bool
    title: str


class Rule(NamedTuple):
    """A straight line."""

    x1: float
    y1: float
    x2: float
    y2: float


class Words(NamedTuple):
    """A piece of text; anchor is start, middle or end."""

    x: float
    y: float
    text: str
    anchor: str


class Plot(NamedTuple):
    """A picture with its title, which also describes it to those who cannot see it."""

    title: str
    width: float
    height: float
    legend: Sequence[tuple[Box | Spot, Words]]
    rules: Sequence[Rule]
    boxes: Sequence[Box]
    spots: Sequence[Spot]
    words: Sequence[Words]


class Bar(NamedTuple):
    """A bar of segments (series name, value), and perhaps a mark to compare its length with."""

    label: str
    segments: Sequence[tuple[str, float]]
    mark: float | None = None


class Dot(NamedTuple):
    """A row of values by series name; a name that ends in `published` is drawn hollow."""

    label: str
    values: Mapping[str, float]


def ticks(top: float) -> list[float]:
    """Round numbers from 0 to just above `top`: steps of 1, 2 or 5 times a power of ten, about five of them."""
    if top <= 0:
        return [0.0, 1.0]
    power = 10.0 ** floor(log10(top / 5))
    step = next(factor * power for factor in (1, 2, 5, 10) if top / (factor * power) <= 6)
    return [n * step for n in range(ceil(round(top / step, 9)) + 1)]


def bar_plot(title: str, bars: Sequence[Bar], *, top: float = 0.0, decimals: int = 0, mark: str = "") -> Plot:
    """Horizontal stacked bars, one a row, with their sums at the right. mark: what the marks are, for the legend."""
    sums = [sum(value for _, value in bar.segments) for bar in bars]
    marks = [bar.mark for bar in bars if bar.mark is not None]
    scale = ticks(top or max([0.0, *sums, *marks]))
    series = list(dict.fromkeys(name for bar in bars for name, _ in bar.segments))
    boxes, spots, words = [], [], []
    for n, (bar, total) in enumerate(zip(bars, sums, strict=True)):
        middle, at = TOP + ROW * (n + 0.5), 0.0
        for name, value in bar.segments:
            left, right = _x(at, scale), _x(at + value, scale)
            what = f"{bar.label}, {name}: {value:,.{decimals}f}"
            boxes.append(Box(left, middle - ROW * 0.32, right - left, ROW * 0.64, series.index(name), what))
            at += value
        if bar.mark is not None:
            what = f"{bar.label}, {mark}: {bar.mark:,.{decimals}f}"
            spots.append(Spot(_x(bar.mark, scale), middle, len(series), False, True, what))
        words.append(Words(LABELS - 8, middle + MIDDLE, bar.label, "end"))
        words.append(Words(WIDTH, middle + MIDDLE, f"{total:,.{decimals}f}", "end"))
    legend: list[tuple[Box | Spot, str]] = [
        (Box(0, TOP / 2 - 11, 12, 12, n, ""), name) for n, name in enumerate(series)
    ]
    legend += [(Spot(6, TOP / 2 - 5, len(series), False, True, ""), mark)] if spots else []
    # One series needs no legend: the title names it.
    placed = _legend(legend) if len(legend) > 1 else []
    rules, numbers = _grid(scale, len(bars))
    return Plot(title, WIDTH, TOP + ROW * len(bars) + AXIS, placed, rules, boxes, spots, [*words, *numbers])


def dot_plot(title: str, dots: Sequence[Dot]) -> Plot:
    """Rows of marks on one scale."""
    scale = ticks(max([0.0, *(value for dot in dots for value in dot.values.values())]))
    names = list(dict.fromkeys(name for dot in dots for name in dot.values))
    kinds = list(dict.fromkeys(name.split(",")[0] for name in names))
    spots, words = [], []
    for n, dot in enumerate(dots):
        middle = TOP + ROW * (n + 0.5)
        for name, value in dot.values.items():
            spots.append(_spot(_x(value, scale), middle, name, kinds, f"{dot.label}, {name}: {value:,.1f}"))
        words.append(Words(LABELS - 8, middle + MIDDLE, dot.label, "end"))
    legend: list[tuple[Box | Spot, str]] = [(_spot(6, TOP / 2 - 5, name, kinds, ""), name) for name in names]
    rules, numbers = _grid(scale, len(dots))
    return Plot(title, WIDTH, TOP + ROW * len(dots) + AXIS, _legend(legend), rules, [], spots, [*words, *numbers])


def column_plot(title: str, columns: Sequence[tuple[str, int]]) -> Plot:
    """Upright columns with their numbers above and labels below."""
    height, below = 180.0, TOP + 180.0
    scale = ticks(max([0, *(value for _, value in columns)]))
    pitch = min(WIDTH / max(len(columns), 1), 64.0)
    boxes, words = [], []
    for n, (label, value) in enumerate(columns):
        size = height * value / scale[-1]
        middle = pitch * (n + 0.5)
        boxes.append(Box(middle - pitch * 0.36, below - size, pitch * 0.72, size, 0, f"{label}: {value:,}"))
        words.append(Words(middle, below - size - 5, f"{value:,}", "middle"))
        words.append(Words(middle, below + 18, label, "middle"))
    return Plot(title, WIDTH, below + AXIS, [], [Rule(0, below, pitch * len(columns), below)], boxes, [], words)


def _x(value: float, scale: Sequence[float]) -> float:
    return LABELS + (WIDTH - LABELS - VALUES) * value / scale[-1]


def _grid(scale: Sequence[float], rows: int) -> tuple[list[Rule], list[Words]]:
    """A line and a number for each tick."""
    bottom = TOP + ROW * rows
    decimals = max(0, -floor(log10(scale[1])))
    rules = [Rule(_x(n, scale), TOP, _x(n, scale), bottom) for n in scale]
    return rules, [Words(_x(n, scale), bottom + 18, f"{n:,.{decimals}f}", "middle") for n in scale]


def _spot(x: float, y: float, name: str, kinds: Sequence[str], title: str) -> Spot:
    kind = kinds.index(name.split(",")[0])
    return Spot(x, y, kind, kind == 0, name.endswith("published"), title)


def _legend(entries: Sequence[tuple[Box | Spot, str]]) -> list[tuple[Box | Spot, Words]]:
    """Samples and names side by side, from the left."""
    placed: list[tuple[Box | Spot, Words]] = []
    x = float(LABELS)
    for sample, name in entries:
        placed.append((sample._replace(x=sample.x + x), Words(x + 18, TOP / 2 - 1, name, "start")))
        x += 34 + 7.5 * len(name)
    return placed
