import csv
import shutil
import subprocess
import zipfile
from pathlib import Path

import openpyxl
import pytest

from psygen.errors import ExportFault
from psygen.files.sheets import ANSWERS, COLUMNS, META, REVIEW, RULES, Sheet, write_review_sheet
from psygen.records.item import Item

HOSTILE = ('=HYPERLINK("http://x","y")', "+1", "-1", "@SUM(1)", "<script>alert(1)</script>", "https://example.org")


def item(n: int, **fields: object) -> Item:
    values: dict[str, object] = {
        "id": f"psy-{n:012x}",
        "concept_id": f"sta-c{n // 4}",
        "subject": "statistics",
        "chapter": ("variation", "correlation")[n // 4 % 2],
        "prompt_type": "theory",
        "kind": "theory",
        "stem": f"第{n}题的题干是什么？",
        "options": ("甲", "乙", "丙", "丁"),
        "key": (n % 4,),
        "explanation": "解析。",
        "engine": "offline",
        "model": "offline",
        "request_id": "r",
        "position": 0,
    }
    return Item.model_validate(values | fields)


def sheet(items: list[Item]) -> Sheet:
    return Sheet("b1", "r1", "project", items, {i.id: ("概念", "描述") for i in items}, {})


def test_a_sheet_asks_first_and_answers_on_another_page(tmp_path: Path) -> None:
    path = tmp_path / "s.xlsx"
    write_review_sheet(path, sheet([item(n) for n in range(8)]))
    book = openpyxl.load_workbook(path)
    assert book.sheetnames == [RULES, REVIEW, ANSWERS, META]
    page = book[REVIEW]
    names = [str(cell.value).split("\n")[-1] for cell in page[1]]
    assert names == [c.name for c in COLUMNS]
    assert names.index("blind_answer") < names.index("verdict")
    assert page.column_dimensions["B"].hidden
    assert [row[0].value for row in page.iter_rows(min_row=2)] == [f"psy-{n:012x}" for n in range(8)]
    assert "解析。" not in [cell.value for row in page.iter_rows() for cell in row]
    assert book[ANSWERS]["B2"].value == "A"
    assert book[META].sheet_state == "veryHidden"
    assert {r[0].value: r[1].value for r in book[META].iter_rows()}["batch"] == "b1"


def test_every_list_is_a_drop_down_and_only_inputs_are_unlocked(tmp_path: Path) -> None:
    path = tmp_path / "s.xlsx"
    write_review_sheet(path, sheet([item(1)]))
    page = openpyxl.load_workbook(path)[REVIEW]
    assert len(page.data_validations.dataValidation) == sum(bool(c.values) for c in COLUMNS)
    assert page.protection.sheet
    for cell, column in zip(page[2], COLUMNS, strict=True):
        assert cell.protection.locked is not column.is_input, column.name
        assert cell.number_format == "@"


def test_hostile_text_is_text_in_every_cell(tmp_path: Path) -> None:
    path = tmp_path / "s.xlsx"
    items = [
        item(n, stem=text * 2, options=(text, "乙", "丙", "丁"), explanation=text) for n, text in enumerate(HOSTILE)
    ]
    write_review_sheet(path, sheet(items))
    book = openpyxl.load_workbook(path)
    cells = [cell for page in book for row in page.iter_rows() for cell in row if cell.value is not None]
    assert all(cell.data_type == "s" for cell in cells)
    assert all(cell.hyperlink is None for cell in cells)
    assert [row[3].value for row in book[REVIEW].iter_rows(min_row=2)] == [text * 2 for text in HOSTILE]
    with zipfile.ZipFile(path) as archive:
        parts = [archive.read(n).decode("utf-8") for n in archive.namelist() if n.endswith(".rels")]
    assert not any("hyperlink" in part.lower() for part in parts)


def test_libreoffice_sees_what_was_written(tmp_path: Path) -> None:
    office = shutil.which("soffice")
    if office is None:
        pytest.skip("LibreOffice (soffice) is not installed")
    path = tmp_path / "s.xlsx"
    items = [item(n, stem=f"{text}是什么？", options=(text, "乙", "丙", "丁")) for n, text in enumerate(HOSTILE)]
    write_review_sheet(path, sheet(items))
    # 44 , 34 " 76 UTF-8, and the sheet's number: the second one.
    form = "csv:Text - txt - csv (StarCalc):44,34,76,1,,0,false,true,false,false,false,2"
    home = f"-env:UserInstallation=file://{tmp_path}/office"
    command = [office, home, "--headless", "--convert-to", form, "--outdir", str(tmp_path), str(path)]
    subprocess.run(command, check=True, capture_output=True, timeout=180)
    [made] = tmp_path.glob("*.csv")
    rows = list(csv.DictReader(made.read_text(encoding="utf-8").splitlines(keepends=True)))
    names = {name.split("\n")[-1]: name for name in rows[0]}
    assert [row[names["stem"]] for row in rows] == [f"{text}是什么？" for text in HOSTILE]
    assert [row[names["option_a"]] for row in rows] == list(HOSTILE)
    assert [row[names["item"]] for row in rows] == [i.id for i in items]


def test_a_filled_sheet_is_never_overwritten(tmp_path: Path) -> None:
    path = tmp_path / "s.xlsx"
    write_review_sheet(path, sheet([item(1)]))
    with pytest.raises(ExportFault, match="may hold a reviewer's work"):
        write_review_sheet(path, sheet([item(2)]))


def test_a_text_too_long_for_a_cell_is_refused_not_cut(tmp_path: Path) -> None:
    with pytest.raises(ExportFault, match="does not fit into a cell"):
        write_review_sheet(tmp_path / "s.xlsx", sheet([item(1, explanation="长" * 40_000)]))
    assert list(tmp_path.iterdir()) == []
