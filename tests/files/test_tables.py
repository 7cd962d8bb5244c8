import zipfile
from pathlib import Path

import openpyxl
import pytest

from psygen.errors import InputError
from psygen.files.tables import read_table

TEXT = "id,名称,说明\na-1,方差,一\na-2,标准差,二\n"


def cells(path: Path) -> list[dict[str, str]]:
    return [dict(row.cells) for row in read_table(path).rows]


EXPECTED = [{"id": "a-1", "名称": "方差", "说明": "一"}, {"id": "a-2", "名称": "标准差", "说明": "二"}]


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "gb18030", "gbk", "utf-16"])
def test_any_usual_encoding_reads_the_same(tmp_path: Path, encoding: str) -> None:
    path = tmp_path / "t.csv"
    path.write_bytes(TEXT.encode(encoding))
    assert cells(path) == EXPECTED


@pytest.mark.parametrize("separator", [",", ";", "\t", "，", "；"])
def test_any_usual_separator_reads_the_same(tmp_path: Path, separator: str) -> None:
    path = tmp_path / "t.csv"
    path.write_text(TEXT.replace(",", separator), encoding="utf-8")
    assert cells(path) == EXPECTED


def test_full_width_separators_inside_quotes_stay_text(tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    path.write_text('id，名称，说明\na-1，方差，"一，二；三"\n', encoding="utf-8")
    assert cells(path)[0]["说明"] == "一，二；三"


def test_lines_are_physical_even_after_a_cell_of_several_lines(tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    path.write_bytes('id,说明\r\na-1,"一\r\n二\r\n三"\r\n\r\na-2,四\r\n,\r\n,\r\n'.encode())
    assert [row.line for row in read_table(path).rows] == [2, 6]


def test_a_row_of_the_wrong_length_says_so(tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    path.write_text("id,名称,说明\na-1,方差\na-2,标准差,二,三\n", encoding="utf-8")
    problems = [row.problem for row in read_table(path).rows]
    assert problems == ['2 fields, the header has 3; no value for "说明"', "4 fields, the header has 3"]


def test_xlsx_and_jsonl_read_the_same(tmp_path: Path) -> None:
    book = openpyxl.Workbook()
    sheet = book.active
    assert sheet is not None
    for row in (["id", "名称", "说明"], ["a-1", "方差", "一"], ["a-2", "标准差", "二"], [None, None, None]):
        sheet.append(row)
    book.save(tmp_path / "t.xlsx")
    lines = '{"id": "a-1", "名称": "方差", "说明": "一"}\n\n{"id": "a-2", "名称": "标准差", "说明": "二"}\n'
    (tmp_path / "t.jsonl").write_text(lines, encoding="utf-8")
    assert cells(tmp_path / "t.xlsx") == cells(tmp_path / "t.jsonl") == EXPECTED


@pytest.mark.parametrize(
    ("name", "data", "said"),
    [
        ("t.csv", b"", "the file is empty"),
        ("t.csv", b"id,name\n1,\xff\xff\xff\n", "line 2"),
        ("t.csv", b"id,id\n1,2\n", "stands twice"),
        ("t.csv", b'id,name\n1,"open\n', "line"),
        ("t.jsonl", b'{"id": 1}\n[2]\n', "line 2"),
        ("t.xlsx", b"PK\x03\x04half", "not an xlsx file"),
        ("t.doc", b"id\n1\n", "psygen reads"),
    ],
)
def test_a_file_that_cannot_be_read_is_one_sentence(tmp_path: Path, name: str, data: bytes, said: str) -> None:
    (tmp_path / name).write_bytes(data)
    with pytest.raises(InputError) as error:
        read_table(tmp_path / name)
    assert said in str(error.value)
    assert name in str(error.value)


def test_a_zip_bomb_is_not_opened(tmp_path: Path) -> None:
    path = tmp_path / "t.xlsx"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("xl/worksheets/sheet1.xml", b"0" * (257 * 2**20))
    with pytest.raises(InputError, match="that is no table"):
        read_table(path)


def test_a_missing_file_is_one_sentence(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="No such file"):
        read_table(tmp_path / "gone.csv")
