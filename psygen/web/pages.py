"""The templates, and what every page needs of the world around it. Escaping is on everywhere."""

from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from starlette.responses import HTMLResponse, Response

from psygen.formulas import has_hidden, plain, show
from psygen.metrics.rates import Rate
from psygen.records.concept import Subject
from psygen.records.item import LETTERS
from psygen.records.review import CHECKS_ZH, REASONS_ZH, VERDICTS_ZH
from psygen.reports.tables import Percent, show_estimate, show_number

FOLDER = Path(__file__).parent
STATIC = {"page.css": "text/css", "page.js": "text/javascript", "icon.svg": "image/svg+xml"}
"""Every file that is served, and as what."""
STATES_ZH = {
    "new": "未审",
    "in_review": "审题中",
    "accepted": "通过",
    "rejected": "淘汰",
    "contested": "有争议",
    "invalid": "无效",
    "superseded": "已被取代",
}
CHECK_LABELS = {
    "concept_sound": ("知识点正确", "Concept sound"),
    "question_sound": ("题目正确", "Question sound"),
    "question_fits": ("题目切合知识点", "Question fits concept"),
    "options_fit": ("选项切合、唯一正确", "Options fit, one is right"),
}
VERDICTS_EN = {"keep": "Keep", "modify": "Modify", "delete": "Delete", "skip": "Skip"}
KINDS_ZH = {"answer": "作答", "verdict": "结论", "edit": "修改", "comment": "备注", "undo": "撤回", "settle": "裁定"}


class Place(NamedTuple):
    """Names of a subject and a chapter, in Chinese and English; the slugs where they have none."""

    subject_zh: str
    subject_en: str
    chapter_zh: str
    chapter_en: str

    @property
    def zh(self) -> str:
        """Both in Chinese."""
        return f"{self.subject_zh} · {self.chapter_zh}"

    @property
    def en(self) -> str:
        """Both in English."""
        return f"{self.subject_en} · {self.chapter_en}"


class Names:
    """Names of subjects and chapters by slug."""

    def __init__(self, subjects: tuple[Subject, ...]) -> None:
        self._subjects = {s.slug: (s.zh, s.en) for s in subjects}
        self._ranks = {place: n for n, place in enumerate((s.slug, c.slug) for s in subjects for c in s.chapters)}
        self._chapters = {(s.slug, c.slug): (c.zh, c.en) for s in subjects for c in s.chapters}

    def subject(self, slug: str) -> str:
        """A subject's Chinese name."""
        return self._subjects.get(slug, (slug, slug))[0]

    def place(self, subject: str, chapter: str) -> Place:
        """Subject and chapter."""
        one = self._subjects.get(subject, (subject, subject))
        two = self._chapters.get((subject, chapter), (chapter, chapter))
        return Place(*one, *two)

    def rank(self, subject: str, chapter: str) -> int:
        """Its place in the syllabus; chapters that are in none come last."""
        return self._ranks.get((subject, chapter), len(self._ranks))


class Pages:
    """Renders templates."""

    def __init__(self, names: Names) -> None:
        self._environment = Environment(
            loader=FileSystemLoader(FOLDER / "templates"),
            autoescape=True,
            undefined=StrictUndefined,
            trim_blocks=True,
            lstrip_blocks=True,
        )
        self._environment.globals.update(
            names=names,
            letters=LETTERS,
            verdicts_zh=VERDICTS_ZH,
            verdicts_en=VERDICTS_EN,
            checks_zh=CHECKS_ZH,
            reasons_zh=REASONS_ZH,
            states_zh=STATES_ZH,
            kinds_zh=KINDS_ZH,
            check_labels=CHECK_LABELS,
            has_hidden=has_hidden,
            number=show_number,
            estimate=show_estimate,
            share=share,
            percent=percent,
        )
        self._environment.filters.update(show=show, plain=plain, moment=moment)

    def page(self, template: str, context: Mapping[str, object], status: int = 200) -> Response:
        """A template filled in. Raises jinja2.UndefinedError for a variable that is missing: a bug."""
        return HTMLResponse(self._environment.get_template(template).render(context), status)


def moment(at: str) -> str:
    """A stored time as people read it: 2026-01-31 14:05 UTC."""
    return f"{at[:10]} {at[11:16]} UTC" if at else "–"


def share(rate: Rate) -> str:
    """A share with its interval: 83.1% [81.0,85.0]; a dash when there is nothing to count."""
    return show_estimate(percent(rate.value), rate.interval())


def percent(value: float | None) -> Percent | None:
    """A fraction that is shown as a percentage."""
    return None if value is None else Percent(value)


@lru_cache
def static_file(name: str) -> bytes:
    """A file of STATIC."""
    return (FOLDER / "static" / name).read_bytes()
