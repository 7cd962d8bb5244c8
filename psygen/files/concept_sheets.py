"""The bank as a workbook for annotators: a sheet per subject, drop-downs where a value comes from a list."""

from pathlib import Path
from typing import Any

import xlsxwriter
from xlsxwriter.exceptions import XlsxWriterException

from psygen.errors import ExportFault
from psygen.files.concepts import COLUMNS
from psygen.records.concept import PROMPT_TYPES, Bank, Subject

OPTIONS = {"strings_to_formulas": False, "strings_to_urls": False, "strings_to_numbers": False}
"""A cell of ours is text, whatever it begins with."""
SPARE_ROWS = 500
"""Empty rows below that have the drop-downs too."""
_WIDTHS = {"id": 30, "chapter": 22, "heading": 18, "subheading": 18, "concept": 20, "concept_en": 26}


def write_workbook(bank: Bank, path: Path) -> None:
    """Write the bank; every cell is text. Raises ExportFault."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        book = xlsxwriter.Workbook(str(path), OPTIONS)
        for subject in bank.subjects:
            if any(c.subject == subject.slug for c in bank):
                _sheet(book, subject, bank)
        book.close()
    except (OSError, XlsxWriterException) as error:
        raise ExportFault(f"{path}: cannot be written: {error}.") from error


def _sheet(book: Any, subject: Subject, bank: Bank) -> None:
    sheet = book.add_worksheet(subject.slug[:31])
    head = book.add_format({"bold": True, "bg_color": "#DDEBF7", "num_format": "@"})
    cell = book.add_format({"num_format": "@", "text_wrap": True, "valign": "top"})
    for column, name in enumerate(COLUMNS):
        sheet.write_string(0, column, name, head)
        sheet.set_column(column, column, _WIDTHS.get(name, 80 if name == "description" else 18), cell)
    row = 0
    for concept in bank:
        if concept.subject != subject.slug:
            continue
        place = [concept.id, concept.chapter, concept.heading, concept.subheading, concept.concept, concept.concept_en]
        for description in concept.descriptions:
            row += 1
            for column, text in enumerate([*place, ";".join(description.prompt_types), description.text]):
                sheet.write_string(row, column, text, cell)
    last = row + SPARE_ROWS
    _drop_down(book, sheet, 1, last, [c.slug for c in subject.chapters], "stop")
    # Several types in one cell are right too, so another value is only asked about.
    _drop_down(book, sheet, 6, last, list(PROMPT_TYPES), "warning")
    sheet.freeze_panes(1, 1)
    sheet.autofilter(0, 0, max(row, 1), len(COLUMNS) - 1)


def _drop_down(book: Any, sheet: Any, column: int, last: int, values: list[str], error_type: str) -> None:
    source: Any = values
    if len(",".join(values)) > 255:
        # Excel takes lists of up to 255 characters; longer ones stand on a hidden sheet.
        lists = book.add_worksheet(f"lists {sheet.get_name()}"[:31])
        for n, value in enumerate(values):
            lists.write_string(n, 0, value)
        lists.hide()
        source = f"='{lists.get_name()}'!$A$1:$A${len(values)}"
    message = f"One of: {', '.join(values)}"[:255]
    rule = {"validate": "list", "source": source, "error_type": error_type, "error_message": message}
    sheet.data_validation(1, column, last, column, rule)
