"""Review sheets: one workbook a reviewer. Answering comes first, key and concept stand on a sheet of their own.

The format, which reading back relies on: on the sheet `审题` row 1 is the header, and each header cell ends in a line
with the column's machine name (`blind_answer`); rows are found by `item` and `rev`, never by position. The hidden sheet
`_psygen` says batch, reviewer, project, format. Every cell is text in text format; nothing is a formula.
"""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import xlsxwriter
from xlsxwriter.exceptions import XlsxWriterException

from psygen.errors import ExportFault
from psygen.records.item import LETTERS, Item
from psygen.text import width

FORMAT = 1
REVIEW, ANSWERS, RULES, META = "审题", "答案与知识点", "说明", "_psygen"
VERDICTS = ("keep", "modify", "delete", "skip")
CHECK_VALUES = ("yes", "no", "unsure")
REASONS = (
    "unclear_stem", "unclear_options", "wrong_key", "no_right", "two_right", "off_concept", "fact_error", "too_easy",
    "language", "duplicate", "other",
)  # fmt: skip


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
)
_INPUT_CHARS = 30_000

RULES_TEXT = (
    ("审题说明", "How to review"),
    ("1. 先在“审题”页独立作答（①），再打开“答案与知识点”页对照。不要与其他审题人商量。",
     "1. Answer on the sheet 审题 (①) first, then look at the sheet 答案与知识点. Don't confer with others."),
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
    ("unclear_stem 题干不清；unclear_options 选项不清；wrong_key 答案错误；no_right 无正确项；"
     "two_right 不止一个正确项；off_concept 不切合知识点；fact_error 事实错误；"
     "too_easy 过易或有提示；language 语言；duplicate 重复；other 其他",
     "unclear_stem, unclear_options, wrong_key, no_right, two_right, off_concept, fact_error, "
     "too_easy (or given away), language, duplicate, other"),
)  # fmt: skip

BOOK_OPTIONS = {
    "strings_to_formulas": False,
    "strings_to_urls": False,
    "strings_to_numbers": False,
    "constant_memory": True,
}


LINE_POINTS, MOST_POINTS = 15.0, 400.0
"""Height of a line of text, and the most Excel gives a row."""


def _height(cells: Sequence[tuple[str, int]]) -> float:
    """Points a row needs so that each (text, column width) is seen whole; not every program sees to it by itself."""
    lines = max(sum(max(1, -(-width(part) // (columns - 1))) for part in text.split("\n")) for text, columns in cells)
    return min(MOST_POINTS, LINE_POINTS * lines + 3)


class Sheet(NamedTuple):
    """What one reviewer's workbook holds."""

    batch: str
    reviewer: str
    project: str
    items: Sequence[Item]
    concepts: Mapping[str, tuple[str, str]]
    """By item id: the concept's name and its descriptions, one a line."""
    places: Mapping[tuple[str, str], str]
    """By (subject, chapter): their Chinese names."""


def write_review_sheet(path: Path, sheet: Sheet) -> None:
    """Write one reviewer's workbook. Raises ExportFault, also rather than overwrite a sheet that is there."""
    if path.exists():
        raise ExportFault(f"{path} exists and may hold a reviewer's work; move it away or give another --out.")
    draft = path.with_name(f".{path.name}")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        book = xlsxwriter.Workbook(str(draft), BOOK_OPTIONS)
        book.set_properties({"author": "psygen", "company": "", "title": f"psygen {sheet.batch} {sheet.reviewer}"})
        try:
            _Writer(book).write(sheet)
        finally:
            book.close()
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
        self._rules(sheet)
        self._review(sheet)
        self._answers(sheet)
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
        for row, (zh, en) in enumerate(RULES_TEXT):
            page.set_row(row, _height([(zh, 70), (en, 70)]) + (6 if row == 0 else 0))
            style = self._big if row == 0 else self._text
            self._cell(page, row, 0, zh, style)
            self._cell(page, row, 1, en, style)
        row = len(RULES_TEXT) + 1
        self._cell(page, row, 0, f"批次 {sheet.batch}，审题人 {sheet.reviewer}，共 {len(sheet.items)} 题", self._text)
        self._cell(
            page, row, 1, f"Batch {sheet.batch}, reviewer {sheet.reviewer}, {len(sheet.items)} questions", self._text
        )

    def _review(self, sheet: Sheet) -> None:
        page = self._book.add_worksheet(REVIEW)
        for column, spec in enumerate(COLUMNS):
            hidden = {"hidden": True} if spec.name == "rev" else {}
            page.set_column(column, column, spec.width, self._input if spec.is_input else self._text, hidden)
        for column, spec in enumerate(COLUMNS):
            style = self._head_input if spec.is_input else self._head
            self._cell(page, 0, column, f"{spec.title}\n{spec.name}", style)
        for row, item in enumerate(sheet.items, 1):
            place = sheet.places.get((item.subject, item.chapter), f"{item.subject} {item.chapter}")
            page.set_row(row, _height([(place, 18), (item.stem, 56), *((option, 24) for option in item.options)]))
            for column, text in enumerate([item.id, item.revision, place, item.stem, *item.options]):
                self._cell(page, row, column, text, self._text)
            for column, spec in enumerate(COLUMNS):
                if spec.is_input:
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
        heads = (("题号", 17), ("答案", 8), ("解析", 60), ("知识点", 22), ("知识点描述", 90))
        for column, (title, columns) in enumerate(heads):
            page.set_column(column, column, columns, self._text)
            self._cell(page, 0, column, title, self._head)
        for row, item in enumerate(sheet.items, 1):
            name, text = sheet.concepts.get(item.id, ("", ""))
            letters = "".join(LETTERS[k] for k in item.key)
            page.set_row(row, _height([(item.explanation, 60), (text, 90)]))
            for column, cell in enumerate([item.id, letters, item.explanation, name, text]):
                self._cell(page, row, column, cell, self._text)
        page.freeze_panes(1, 1)
        page.protect("", {"sort": True, "autofilter": True, "format_columns": True, "format_rows": True})

    @staticmethod
    def _cell(page: Any, row: int, column: int, text: str, style: Any) -> None:
        if page.write_string(row, column, text, style) == -2:
            raise ExportFault(
                f"a text of {len(text):,} characters does not fit into a cell (row {row + 1}); shorten that question."
            )
