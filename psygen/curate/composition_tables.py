"""The composition of a bank as tables for people, as sheets, and as a page with plots."""

import csv
import io
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from psygen.curate.composition import Composition, SubjectLine
from psygen.files.published import Figures
from psygen.metrics.composition import Line, Spread
from psygen.records.concept import Bank
from psygen.reports.page import Page, Section, render_page
from psygen.reports.plots import Bar, Dot, Plot, bar_plot, column_plot, dot_plot
from psygen.reports.tables import Cell, Percent, Ratio, Table
from psygen.text import for_csv

COUNT_COLUMNS = ("concepts", "asked", "kept", "kept/asked", "question", "answer")
PUBLISHED_COLUMNS = ("publ. concepts", "publ. kept", "publ. question", "publ. answer")
LENGTHS = (
    "question: mean characters of the stem, without options, formulas as written in LaTeX. "
    "answer: mean characters of the right option."
)
EVENNESS = "evenness: Pielou's J over the required concepts, 1.00 when each has as many questions."
MOST_COLUMNS = 40
"""A histogram with more numbers than that shows ranges."""


class Sheet(NamedTuple):
    """A csv file of the report: its name and its rows, the header first."""

    name: str
    rows: list[list[object]]


def subject_table(found: Composition) -> Table:
    """Concepts, questions and lengths per subject (ConceptPsy, table 5)."""
    rows = [[s.subject.zh, *_counts(s.line), *_published(s.published, found)] for s in found.subjects]
    footer: list[Cell] = ["", *_counts(found.total)]
    if found.has_published:
        footer += _sums([s.published for s in found.subjects])
    return Table("Questions per subject", ["subject", *_count_columns(found)], rows, footer)


def part_table(found: Composition) -> Table:
    """Questions and lengths per subject and part of the split."""

    def rows(name: str, parts: Iterable[tuple[str, Line]]) -> list[list[Cell]]:
        return [[name, part, n.kept, n.covered, n.question_chars, n.answer_chars] for part, n in parts]

    lines = [row for s in found.subjects for row in rows(s.subject.zh, s.parts.items())]
    lines += rows("all", found.parts.items())
    columns = ["subject", "part", "questions", "concepts reached", "question", "answer"]
    return Table(f'Split "{found.split}"', columns, lines)


def chapter_table(entry: SubjectLine, found: Composition) -> Table:
    """Concepts, questions and lengths per chapter of a subject (ConceptPsy, tables 10 and 11)."""
    rows = [[c.chapter.zh, *_counts(c.line), *_published(c.published, found)] for c in entry.chapters]
    # The papers print no lengths per chapter; a column of theirs that is empty everywhere says nothing.
    columns = ["chapter", *_count_columns(found)]
    used = [n for n in range(len(columns)) if n <= len(COUNT_COLUMNS) or any(row[n] is not None for row in rows)]
    rows = [[row[n] for n in used] for row in rows]
    return Table(f"{entry.subject.zh}, per chapter", [columns[n] for n in used], rows)


def coverage_table(found: Composition) -> Table:
    """Per subject: required concepts reached, and how evenly questions are spread over them."""

    def row(name: str, counts: Line, how: Spread) -> list[Cell]:
        coverage, even = (None if n is None else Ratio(n) for n in (counts.coverage, how.evenness))
        return [name, counts.concepts, counts.covered, coverage, how.least, how.most, how.mean, even]

    columns = ["subject", "required", "reached", "coverage", "least", "most", "mean", "evenness"]
    rows = [row(s.subject.zh, s.line, s.spread) for s in found.subjects]
    return Table("Questions per required concept", columns, rows, row("", found.total, found.spread))


def distribution_table(found: Composition) -> Table:
    """How many concepts have so many questions."""
    total = len(found.counts)
    rows: list[Sequence[Cell]] = [[n, count, Percent(count / total)] for n, count in found.spread.distribution.items()]
    return Table("Concepts by their number of questions", ["questions", "concepts", "share"], rows)


def tables(found: Composition, *, by_chapter: bool) -> list[Table]:
    """Every table of the report."""
    chapters = [chapter_table(s, found) for s in found.subjects] if by_chapter else []
    parts = [part_table(found)] if found.split else []
    return [subject_table(found), *chapters, *parts, coverage_table(found), distribution_table(found)]


def missing_names(found: Composition) -> list[str]:
    """Required concepts without a question, one line for each subject."""
    names: dict[str, list[str]] = {}
    for concept in found.missing:
        names.setdefault(concept.subject, []).append(concept.concept)
    zh = {s.subject.slug: s.subject.zh for s in found.subjects}
    return [f"{zh[slug]}: {'、'.join(listed)}" for slug, listed in names.items()]


def sheets(found: Composition, bank: Bank) -> list[Sheet]:
    """The report as csv files for a spreadsheet; numbers unrounded."""
    counts = ["required_concepts", "reached_concepts", "asked", "kept", "mean_question_chars", "mean_answer_chars"]
    published = [f"published_{n}" for n in ("concepts", "kept", "mean_question_chars", "mean_answer_chars")]
    published = published if found.has_published else []

    def figures(one: Figures | None) -> list[object]:
        return list(one or Figures(None, None)) if found.has_published else []

    subjects: list[list[object]] = [["subject", "name", *counts, "evenness", *published]]
    chapters: list[list[object]] = [["subject", "chapter", "name", *counts, *published]]
    parts: list[list[object]] = [["subject", "part", *(c for c in counts if c != "asked")]]
    for entry in found.subjects:
        slug = entry.subject.slug
        subjects.append([slug, entry.subject.zh, *_plain(entry.line), entry.spread.evenness, *figures(entry.published)])
        chapters += [
            [slug, c.chapter.slug, c.chapter.zh, *_plain(c.line), *figures(c.published)] for c in entry.chapters
        ]
        parts += [[slug, part, *(n for i, n in enumerate(_plain(v)) if i != 2)] for part, v in entry.parts.items()]
    concepts: list[list[object]] = [["concept_id", "subject", "chapter", "concept", "questions"]]
    concepts += [[c.id, c.subject, c.chapter, c.concept, found.counts[c.id]] for c in bank if c.id in found.counts]
    named = [Sheet("subjects", subjects), Sheet("chapters", chapters), Sheet("concepts", concepts)]
    return [*named, Sheet("parts", parts)] if found.split else named


def sheet_lines(sheet: Sheet) -> list[str]:
    """The lines of a csv file: with BOM, so that Excel reads its Chinese; texts guarded against formulas."""
    lines = []
    for row in sheet.rows:
        out = io.StringIO()
        cells = [for_csv(cell) if isinstance(cell, str) else cell for cell in row]
        csv.writer(out, lineterminator="\r\n").writerow(cells)
        lines.append(out.getvalue())
    return ["\ufeff" + lines[0], *lines[1:]]


def as_page(found: Composition) -> str:
    """The report as one HTML page with plots: no script, no file besides it."""
    lead = (
        f"{found.total.kept:,} questions ({', '.join(found.states)}; {', '.join(found.engines) or 'no engine'}) "
        f"reach {found.total.covered:,} of {found.total.concepts:,} required concepts."
    )
    sections = [
        Section("Questions", [_questions_plot(found)], [subject_table(found)]),
        Section("Lengths", [_lengths_plot(found)], [], LENGTHS),
        Section("Concepts reached", [_coverage_plot(found), _spread_plot(found)], [coverage_table(found)], EVENNESS),
    ]
    if found.missing:
        title = f"Required concepts without a question ({len(found.missing):,})"
        sections.append(Section(title, texts=missing_names(found)))
    if found.split:
        sections.append(Section("Parts", [], [part_table(found)]))
    sections.append(Section("Chapters", [], [chapter_table(s, found) for s in found.subjects]))
    return render_page(Page("Composition of the bank", "题库构成", lead, found.notes, sections))


def _questions_plot(found: Composition) -> Plot:
    bars = []
    for s in found.subjects:
        segments = [(part, n.kept) for part, n in s.parts.items()]
        left = s.line.kept - sum(n for _, n in segments)
        segments += [("in no part" if found.split else "questions", left)] if left else []
        bars.append(Bar(s.subject.zh, segments, s.published.kept if s.published else None))
    return bar_plot("Questions per subject", bars, mark="published")


def _coverage_plot(found: Composition) -> Plot:
    bars = [Bar(s.subject.zh, [("reached", s.line.coverage or 0.0)]) for s in found.subjects]
    return bar_plot("Share of the required concepts reached", bars, top=1.0, decimals=2)


def _lengths_plot(found: Composition) -> Plot:
    dots = []
    for s in found.subjects:
        values = {"question": s.line.question_chars, "answer": s.line.answer_chars}
        if s.published:
            values["question, published"] = s.published.question_chars
            values["answer, published"] = s.published.answer_chars
        dots.append(Dot(s.subject.zh, {name: n for name, n in values.items() if n is not None}))
    return dot_plot("Mean length in characters", dots)


def _spread_plot(found: Composition) -> Plot:
    """A column for each number of questions, or for ranges of equal width when there are too many numbers."""
    spread = found.spread.distribution
    width = -(-(max(spread, default=0) + 1) // MOST_COLUMNS)
    sums = dict.fromkeys(range(max(spread, default=0) // width + 1), 0)
    for n, count in spread.items():
        sums[n // width] += count
    columns = [(str(k) if width == 1 else f"{k * width}–{(k + 1) * width - 1}", n) for k, n in sums.items()]
    return column_plot("Concepts by their number of questions", columns)


def _count_columns(found: Composition) -> list[str]:
    return [*COUNT_COLUMNS, *(PUBLISHED_COLUMNS if found.has_published else ())]


def _counts(counts: Line) -> list[Cell]:
    share = Percent(counts.kept / counts.asked) if counts.asked else None
    return [counts.concepts, counts.asked, counts.kept, share, counts.question_chars, counts.answer_chars]


def _plain(counts: Line) -> list[object]:
    return [counts.concepts, counts.covered, counts.asked, counts.kept, counts.question_chars, counts.answer_chars]


def _published(figures: Figures | None, found: Composition) -> list[Cell]:
    return list(figures or Figures(None, None)) if found.has_published else []


def _sums(figures: Sequence[Figures | None]) -> list[Cell]:
    """Published sums, and means weighted by the questions kept."""
    there = [f for f in figures if f is not None]

    def mean(values: Sequence[float | None]) -> float | None:
        pairs = [(v, f.kept or 0) for v, f in zip(values, there, strict=True) if v is not None]
        weight = sum(n for _, n in pairs)
        return sum(v * n for v, n in pairs) / weight if weight else None

    concepts, kept = sum(f.concepts or 0 for f in there), sum(f.kept or 0 for f in there)
    return [concepts, kept, mean([f.question_chars for f in there]), mean([f.answer_chars for f in there])]
