import csv
import io
import subprocess
import sys
import zipfile
from collections.abc import Callable
from pathlib import Path

import openpyxl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from psygen.errors import InputError
from psygen.files.filled import read_filled
from psygen.files.sheets import Sheet, csv_lines, write_review_sheet
from psygen.files.workbooks import cell_name, read_workbook
from psygen.text import for_csv, from_csv
from tests.files.test_sheets import HOSTILE, item, sheet

Change = Callable[[dict[str, bytes]], object]


@pytest.fixture
def good(tmp_path: Path) -> Path:
    path = tmp_path / "good.xlsx"
    write_review_sheet(path, sheet([item(n) for n in range(4)]))
    return path


def altered(path: Path, change: Change) -> Path:
    """The workbook with parts changed, added or taken away."""
    with zipfile.ZipFile(path) as archive:
        parts = {name: archive.read(name) for name in archive.namelist()}
    change(parts)
    out = path.with_name("bad.xlsx")
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in parts.items():
            archive.writestr(name, data)
    return out


PAGE = "xl/worksheets/sheet2.xml"
ENTITY = b'<!DOCTYPE x [<!ENTITY e SYSTEM "file:///etc/hostname">]>'
FAR = b'<row r="1048576"><c r="XFD1048576" t="inlineStr"><is><t>x</t></is></c></row>'


def put(name: str, data: bytes) -> Change:
    return lambda parts: parts.update({name: data})


def insert(before: bytes, text: bytes, name: str = PAGE) -> Change:
    return lambda parts: parts.update({name: parts[name].replace(before, text + before, 1)})


HOSTILE_BOOKS: dict[str, tuple[Change, str]] = {
    "bomb": (put("xl/media/image1.png", b"0" * 80_000_000), "unpacks to 80,000,000"),
    "many parts": (lambda parts: parts.update({f"xl/a{n}.xml": b"<a/>" for n in range(300)}), "no review sheet"),
    "entities": (insert(b"<worksheet", ENTITY), "declares entities"),
    "entities in the strings": (put("xl/sharedStrings.xml", b"<?xml version='1.0'?>" + ENTITY + b"<sst/>"), "entities"),
    "utf-16 hides entities": (put("xl/sharedStrings.xml", "<!DOCTYPE x>".encode("utf-16")), "not in UTF-8"),
    "far cell": (insert(b"</sheetData>", FAR), "XFD1048576"),
    "macros": (put("xl/vbaProject.bin", b"x"), "contains macros"),
    "macro type": (insert(b"</Types>", b"<x t='macroEnabled'/>", "[Content_Types].xml"), "contains macros"),
    "links to files": (put("xl/externalLinks/externalLink1.xml", b"<a/>"), "links to other files"),
    "path out": (put("../../evil.xml", b"<a/>"), "no workbook"),
    "absolute path": (put("/etc/evil.xml", b"<a/>"), "no workbook"),
    "broken xml": (put(PAGE, b"<worksheet><sheetData><row"), "not a readable workbook"),
    "no workbook at all": (lambda parts: parts.clear(), "not an xlsx file"),
}


@pytest.mark.parametrize(("change", "said"), HOSTILE_BOOKS.values(), ids=HOSTILE_BOOKS.keys())
def test_a_hostile_workbook_is_refused(good: Path, change: Change, said: str) -> None:
    with pytest.raises(InputError, match=said):
        read_filled(altered(good, change))


@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="memory is read from /proc")
def test_refusing_a_bomb_takes_no_memory(good: Path) -> None:
    path = altered(good, HOSTILE_BOOKS["bomb"][0])
    code = (
        "import resource\nfrom pathlib import Path\nfrom psygen.errors import InputError\n"
        "from psygen.files.filled import read_filled\n"
        f"try:\n    read_filled(Path({str(path)!r}))\n"
        "except InputError:\n"
        "    print([line.split()[1] for line in open('/proc/self/status') if line.startswith('VmHWM')][0])\n"
        "    print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    own, children = map(int, done.stdout.split())
    assert own * 1024 < 100e6
    assert children == 0, "no parser has seen it"


@pytest.mark.parametrize("data", [b"", b"PK\x03\x04 half a zip", b"item;rev\n"])
def test_a_half_copied_workbook_is_refused(tmp_path: Path, data: bytes) -> None:
    path = tmp_path / "half.xlsx"
    path.write_bytes(data)
    with pytest.raises(InputError, match="only half copied"):
        read_filled(path)


def test_half_of_a_real_workbook_is_refused(good: Path) -> None:
    good.write_bytes(good.read_bytes()[:-200])
    with pytest.raises(InputError, match="only half copied"):
        read_filled(good)


@pytest.mark.parametrize("mark", ["~$good.xlsx", ".~lock.good.xlsx#"])
def test_a_workbook_open_elsewhere_is_refused(good: Path, mark: str) -> None:
    good.with_name(mark).write_text("someone")
    with pytest.raises(InputError, match="open in another program"):
        read_filled(good)


def test_a_macro_workbook_by_its_name_is_refused(good: Path) -> None:
    with pytest.raises(InputError, match=r"are \.xlsx or \.csv"):
        read_filled(good.rename(good.with_suffix(".xlsm")))


def test_cells_come_with_their_kind_and_formulas_with_their_value(tmp_path: Path) -> None:
    import datetime

    import xlsxwriter

    path = tmp_path / "kinds.xlsx"
    book = xlsxwriter.Workbook(str(path))
    page = book.add_worksheet("一")
    page.write_row(0, 0, ["文字", 3, 0.5, True])
    page.write_datetime(0, 4, datetime.datetime(2026, 1, 2), book.add_format({"num_format": "yyyy-mm-dd"}))
    page.write_formula(0, 5, "=1+1", None, 2)
    page.write_formula(0, 6, "=NA()", None, "#N/A")
    book.close()
    row = read_workbook(path)["一"][1]
    assert [c.kind for c in row.values()] == ["s", "n", "n", "b", "d", "n", "e"]
    assert (row[1].text, row[6].text) == ("文字", "2")


def test_a_formula_saved_without_its_value_is_told_from_an_empty_cell(good: Path) -> None:
    book = openpyxl.load_workbook(good)
    book["审题"]["J2"] = "=A1"
    book.save(good)
    assert read_workbook(good)["审题"][2][10] == ("f", "=A1")


@pytest.mark.parametrize(("place", "name"), [((1, 1), "A1"), ((26, 2), "Z2"), ((27, 3), "AA3"), ((16384, 9), "XFD9")])
def test_cells_are_named_as_excel_does(place: tuple[int, int], name: str) -> None:
    assert cell_name(*place) == name


@given(st.text().filter(lambda t: not t.startswith("'")))
def test_a_cell_guarded_for_csv_comes_back(text: str) -> None:
    assert from_csv(for_csv(text)) == text


@pytest.mark.parametrize(("text", "read"), [("'=1", "=1"), ("'甲", "'甲"), ("''", "''"), ("'", "'")])
def test_an_apostrophe_of_ones_own_is_kept_unless_it_guards(text: str, read: str) -> None:
    assert from_csv(text) == read


def test_no_cell_of_a_csv_sheet_begins_a_formula() -> None:
    items = [item(n, stem=text, options=(text, "乙", "丙", "丁")) for n, text in enumerate(HOSTILE)]
    text = "".join(csv_lines(Sheet("b", "r1", "p", items, {}, {}))).lstrip("\ufeff")
    rows = list(csv.reader(io.StringIO(text)))
    assert len(rows) == len(HOSTILE) + 1
    assert all(cell[:1] not in ("=", "+", "-", "@") for row in rows for cell in row)
