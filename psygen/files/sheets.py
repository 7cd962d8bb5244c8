"""Review sheets: one workbook or csv a reviewer. Answering comes first; key and concept stand apart from the questions.

The format, which reading back (psygen.files.filled) relies on: on the sheet `审题` row 1 is the header, and each header
cell ends in a line with the column's machine name (`blind_answer`); rows are found by `item` and `rev`, never by
position. The hidden sheet `_psygen` says batch, reviewer, project, format, and so does the hidden column `sheet`, which
survives saving as csv. Every cell is text in text format; nothing is a formula.

With blind reviewing the workbook holds no key, explanation or concept anywhere; they are in a workbook of their own,
handed out when the answers are in.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import chain
from pathlib import Path
from typing import Any, NamedTuple, Protocol

import xlsxwriter
from xlsxwriter.exceptions import XlsxWriterException

from psygen.errors import ExportFault
from psygen.files.items import csv_line, sync, write_lines
from psygen.records.item import LETTERS
from psygen.records.review import CHECK_VALUES, REASONS, REASONS_ZH, VERDICTS
from psygen.text import for_csv

FORMAT = 2
REVIEW, ANSWERS, RULES, META = "审题", "答案与知识点", "说明", "_psygen"


class Column(NamedTuple):
    """A column of the review sheet."""

    name: str
    title: str
    width: int
    is_input: bool = False
    values: tuple[str, ...] = ()
    hint: str = ""


COLUMNS = (
    Column("item", "题号", 17),
    Column("rev", "修订", 18),
    Column("place", "科目与章", 18),
    Column("stem", "题干", 56),
    *(Column(f"option_{letter.lower()}", f"选项{letter}", 24) for letter in "ABCD"),
    Column("blind_answer", "① 我的答案", 11, True, ("A", "B", "C", "D"), "先作答，再看答案页。Answer before you look."),
    Column("verdict", "② 结论", 11, True, VERDICTS, "保留 keep，修改 modify，删除 delete，跳过 skip"),
    Column("concept_sound", "③ 知识点正确", 12, True, CHECK_VALUES, "知识点的描述本身是否正确 Is the concept sound?"),
    Column("question_sound", "④ 题目正确", 12, True, CHECK_VALUES, "题干是否正确、清楚 Is the question sound?"),
    Column("question_fits", "⑤ 题目切合", 12, True, CHECK_VALUES, "题目是否考查该知识点 Does it test the concept?"),
    Column("options_fit", "⑥ 选项切合", 12, True, CHECK_VALUES, "选项是否切合、唯一正确 Do the options fit?"),
    Column("reason", "⑦ 原因", 16, True, REASONS, "修改或删除时选一个 Needed for modify and delete"),
    Column("new_stem", "改后题干", 40, True),
    *(Column(f"new_{letter.lower()}", f"改后{letter}", 20, True) for letter in "ABCD"),
    Column("new_key", "改后答案", 11, True, ("A", "B", "C", "D")),
    Column("new_explanation", "改后解析", 40, True),
    Column("comment", "备注", 40, True),
    Column("sheet", "批次", 12),
)
ANSWER_COLUMNS = (("题号", 17), ("答案", 8), ("解析", 60), ("知识点", 22), ("知识点描述", 90))

RULES_OPEN = (
    "1. 先在“审题”页独立作答（①），再打开“答案与知识点”页对照。不要与其他审题人商量。",
    "1. Answer on the sheet 审题 (①) first, then look at the sheet 答案与知识点. Don't confer with others.",
)
RULES_BLIND = (
    "1. 先独立作答（①），全部答完后再向组织者索取答案册（文件名以 -answers 结尾），对照后填②至⑦。"
    "不要与其他审题人商量。",
    "1. Answer everything (①) first. Then ask for the answer book (its name ends in -answers), compare, and fill in "
    "②-⑦. Don't confer with others.",
)
RULES_TITLE = ("审题说明", "How to review")
RULES_TEXT = (
    ("2. 给出结论（②）：keep 保留；modify 修改；delete 删除；skip 暂不判断。",
     "2. Give a verdict (②): keep, modify, delete, or skip when you cannot judge."),
    ("3. 四项检查（③至⑥）：知识点的描述正确；题目正确；题目切合知识点；选项切合知识点。填 yes、no 或 unsure。",
     "3. Four checks (③-⑥): concept sound, question sound, question fits concept, options fit concept: "
     "yes, no or unsure."),
    ("4. 题目与知识点不符，或质量低下：delete，并选原因。",
     "4. A question that does not match its concept, or of poor quality: delete, with a reason."),
    ("5. 正确答案不止一个或没有：modify，改选项或答案，使恰有一个正确，题目保留。只填改动的格子，其余留空。",
     "5. More than one right answer, or none: modify options or key so that exactly one is right; the question stays. "
     "Fill in only the cells that change."),
    ("6. 修改须经至少三位审题人对同一修订一致同意后才生效。",
     "6. A modification takes effect when at least three reviewers agree on the same revision."),
    ("7. 可以排序、筛选、删去整行（视为未审）；请不要改动题号与修订两列。",
     "7. You may sort, filter, and delete whole rows (they count as not reviewed); please leave item and rev alone."),
    ("原因代码：", "Reason codes:"),
    ("；".join(f"{code} {zh}" for code, zh in REASONS_ZH.items()), ", ".join(REASONS)),
)  # fmt: skip

BOOK_OPTIONS = {
    "strings_to_formulas": False,
    "strings_to_urls": False,
    "strings_to_numbers": False,
    "constant_memory": True,
}


LINE_POINTS, MOST_POINTS = 15.0, 400.0
"""Height of a line of text, and the most Excel gives a row."""


MOST_BLANKS = 10_000
"""Rows up to which empty input cells are written out; beyond, they take their column's format, in half the time."""


def _columns(text: str) -> int:
    """Columns a text takes at most, a Chinese character two; from its bytes, for counting each is slow."""
    return len(text) + (len(text.encode("utf-8", "surrogatepass")) - len(text) + 1) // 2


def _height(cells: Sequence[tuple[str, int]]) -> float:
    """Points a row needs so that each (text, column width) is seen whole; not every program sees to it by itself."""
    lines = max(sum(max(1, -(-_columns(part) // (room - 1))) for part in text.split("\n")) for text, room in cells)
    return min(MOST_POINTS, LINE_POINTS * lines + 3)


class Asked(Protocol):
    """What a sheet shows of an item."""

    @property
    def id(self) -> str:
        """Its id."""

    @property
    def revision(self) -> str:
        """Hash of its wording."""

    @property
    def subject(self) -> str:
        """Slug of its subject."""

    @property
    def chapter(self) -> str:
        """Slug of its chapter."""

    @property
    def stem(self) -> str:
        """The question."""

    @property
    def options(self) -> tuple[str, ...]:
        """In the order they are shown."""

    @property
    def key(self) -> tuple[int, ...]:
        """Positions of the right options, from 0."""

    @property
    def explanation(self) -> str:
        """Why the key is right."""


class Sheet(NamedTuple):
    """What one reviewer's workbook holds."""

    batch: str
    reviewer: str
    project: str
    items: Sequence[Asked]
    concepts: Mapping[str, tuple[str, str]]
    """By item id: the concept's name and its descriptions, one a line."""
    places: Mapping[tuple[str, str], str]
    """By (subject, chapter): their Chinese names."""
    is_blind: bool = False
    """Whether key, explanation and concept stay out of the workbook."""

    @property
    def label(self) -> str:
        """What the column `sheet` says in every row."""
        return f"{FORMAT} {self.batch} {self.reviewer} {self.project}"


def write_review_sheet(path: Path, sheet: Sheet) -> None:
    """Write one reviewer's workbook. Raises ExportFault, also rather than overwrite a sheet that is there."""
    _write_book(path, sheet, lambda writer: writer.write(sheet))


def write_answer_book(path: Path, sheet: Sheet) -> None:
    """Write the answers to a blind sheet, in its order. Raises ExportFault, also rather than overwrite a file."""
    _write_book(path, sheet, lambda writer: writer.write_answers(sheet))


def write_review_csv(path: Path, sheet: Sheet) -> None:
    """Write one reviewer's sheet as csv: UTF-8 with BOM, an apostrophe before what would be a formula; no answers.

    Raises ExportFault, also rather than overwrite a sheet that is there.
    """
    _refuse_overwriting(path)
    write_lines(path, csv_lines(sheet))


def write_answer_csv(path: Path, sheet: Sheet) -> None:
    """Write the answers to a csv sheet, in its order. Raises ExportFault, also rather than overwrite a file."""
    _refuse_overwriting(path)
    lines = (csv_line([for_csv(text) for text in _answer(sheet, item)]) for item in sheet.items)
    write_lines(path, chain(["\ufeff" + csv_line([title for title, _ in ANSWER_COLUMNS])], lines))


def csv_lines(sheet: Sheet) -> Iterator[str]:
    """The lines of a csv sheet."""
    yield "\ufeff" + csv_line([column.name for column in COLUMNS])
    for item in sheet.items:
        facts = _facts(sheet, item)
        yield csv_line([for_csv(facts.get(column.name, "")) for column in COLUMNS])


def _refuse_overwriting(path: Path) -> None:
    if path.exists():
        raise ExportFault(f"{path} exists and may hold a reviewer's work; move it away or give another --out.")


def _facts(sheet: Sheet, item: Asked) -> dict[str, str]:
    """The cells of a row that are not for input, by column."""
    place = sheet.places.get((item.subject, item.chapter), f"{item.subject} {item.chapter}")
    facts = {"item": item.id, "rev": item.revision, "place": place, "stem": item.stem, "sheet": sheet.label}
    return facts | {f"option_{letter.lower()}": text for letter, text in zip("ABCD", item.options, strict=False)}


def _answer(sheet: Sheet, item: Asked) -> list[str]:
    """The cells of a row of the answers, in the order of ANSWER_COLUMNS."""
    name, text = sheet.concepts.get(item.id, ("", ""))
    return [item.id, "".join(LETTERS[k] for k in item.key), item.explanation, name, text]


def _write_book(path: Path, sheet: Sheet, write: Callable[["_Writer"], None]) -> None:
    _refuse_overwriting(path)
    draft = path.with_name(f".{path.name}")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        book = xlsxwriter.Workbook(str(draft), BOOK_OPTIONS)
        book.set_properties({"author": "psygen", "company": "", "title": f"psygen {sheet.batch} {sheet.reviewer}"})
        try:
            write(_Writer(book))
        finally:
            book.close()
        sync(draft)
        draft.replace(path)
    except (OSError, XlsxWriterException) as error:
        raise ExportFault(f"{path}: cannot be written: {error}.") from error
    finally:
        draft.unlink(missing_ok=True)


class _Writer:
    """The formats and sheets of one workbook."""

    def __init__(self, book: Any) -> None:
        text: dict[str, object] = {"num_format": "@", "text_wrap": True, "valign": "top"}
        self._book = book
        self._head = book.add_format({**text, "bold": True, "bg_color": "#DDEBF7", "border": 1})
        self._head_input = book.add_format({**text, "bold": True, "bg_color": "#FFF2CC", "border": 1})
        self._text = book.add_format({**text})
        self._input = book.add_format({**text, "bg_color": "#FFFBEF", "locked": False, "border": 4})
        self._big = book.add_format({**text, "bold": True, "font_size": 14})

    def write(self, sheet: Sheet) -> None:
        """The reviewer's own workbook."""
        self._rules(sheet)
        self._review(sheet)
        if not sheet.is_blind:
            self._answers(sheet)
        self._meta(sheet)

    def write_answers(self, sheet: Sheet) -> None:
        """The workbook handed out after blind answering."""
        self._answers(sheet)
        self._meta(sheet)

    def _meta(self, sheet: Sheet) -> None:
        meta = self._book.add_worksheet(META)
        facts = {"format": str(FORMAT), "batch": sheet.batch, "reviewer": sheet.reviewer, "project": sheet.project}
        for row, (name, value) in enumerate(facts.items()):
            self._cell(meta, row, 0, name, self._text)
            self._cell(meta, row, 1, value, self._text)
        meta.very_hidden()

    def _rules(self, sheet: Sheet) -> None:
        page = self._book.add_worksheet(RULES)
        page.set_column(0, 1, 70)
        page.hide_gridlines(2)
        page.set_landscape()
        page.fit_to_pages(1, 0)
        rules = (RULES_TITLE, RULES_BLIND if sheet.is_blind else RULES_OPEN, *RULES_TEXT)
        for row, (zh, en) in enumerate(rules):
            page.set_row(row, _height([(zh, 70), (en, 70)]) + (6 if row == 0 else 0))
            style = self._big if row == 0 else self._text
            self._cell(page, row, 0, zh, style)
            self._cell(page, row, 1, en, style)
        row = len(rules) + 1
        self._cell(page, row, 0, f"批次 {sheet.batch}，审题人 {sheet.reviewer}，共 {len(sheet.items)} 题", self._text)
        self._cell(
            page, row, 1, f"Batch {sheet.batch}, reviewer {sheet.reviewer}, {len(sheet.items)} questions", self._text
        )

    def _review(self, sheet: Sheet) -> None:
        page = self._book.add_worksheet(REVIEW)
        for column, spec in enumerate(COLUMNS):
            hidden = {"hidden": True} if spec.name in ("rev", "sheet") else {}
            page.set_column(column, column, spec.width, self._input if spec.is_input else self._text, hidden)
        for column, spec in enumerate(COLUMNS):
            style = self._head_input if spec.is_input else self._head
            self._cell(page, 0, column, f"{spec.title}\n{spec.name}", style)
        for row, item in enumerate(sheet.items, 1):
            facts = _facts(sheet, item)
            options = [(option, 24) for option in item.options]
            page.set_row(row, _height([(facts["place"], 18), (item.stem, 56), *options]))
            for column, spec in enumerate(COLUMNS):
                if not spec.is_input:
                    self._cell(page, row, column, facts.get(spec.name, ""), self._text)
                elif len(sheet.items) <= MOST_BLANKS:
                    page.write_blank(row, column, None, self._input)
        self._validate(page, len(sheet.items))
        page.set_landscape()
        page.fit_to_pages(1, 0)
        page.freeze_panes(1, 1)
        page.autofilter(0, 0, max(len(sheet.items), 1), len(COLUMNS) - 1)
        page.protect(
            "",
            {
                "sort": True,
                "autofilter": True,
                "format_columns": True,
                "format_rows": True,
                "delete_rows": True,
                "select_locked_cells": True,
                "select_unlocked_cells": True,
            },
        )
        page.activate()

    def _validate(self, page: Any, rows: int) -> None:
        for column, spec in enumerate(COLUMNS):
            if spec.values:
                rule: dict[str, object] = {"validate": "list", "source": list(spec.values), "ignore_blank": True}
                rule |= {"error_title": spec.title[:32], "error_message": f"{', '.join(spec.values)}"[:255]}
                rule |= {"input_title": spec.title[:32], "input_message": spec.hint[:255]} if spec.hint else {}
                page.data_validation(1, column, max(rows, 1), column, rule)

    def _answers(self, sheet: Sheet) -> None:
        page = self._book.add_worksheet(ANSWERS)
        page.set_landscape()
        page.fit_to_pages(1, 0)
        for column, (title, columns) in enumerate(ANSWER_COLUMNS):
            page.set_column(column, column, columns, self._text)
            self._cell(page, 0, column, title, self._head)
        for row, item in enumerate(sheet.items, 1):
            cells = _answer(sheet, item)
            page.set_row(row, _height([(cells[2], 60), (cells[4], 90)]))
            for column, cell in enumerate(cells):
                self._cell(page, row, column, cell, self._text)
        page.freeze_panes(1, 1)
        page.protect("", {"sort": True, "autofilter": True, "format_columns": True, "format_rows": True})

    @staticmethod
    def _cell(page: Any, row: int, column: int, text: str, style: Any) -> None:
        if page.write_string(row, column, text, style) == -2:
            raise ExportFault(
                f"a text of {len(text):,} characters does not fit into a cell (row {row + 1}); shorten that question."
            )
