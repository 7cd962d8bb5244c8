import csv
from pathlib import Path

import openpyxl
import pytest

from psygen.errors import ConceptFaults, ExportFault, InputError
from psygen.files.annotators import import_table
from psygen.files.concept_sheets import write_workbook
from psygen.files.concepts import load_bank, load_subjects
from psygen.files.tables import read_table
from psygen.settings import packaged_folder

ROWS = [
    ["知识点", "所属章节", "题型", "知识点描述", "英文", "标注人"],
    ["消退", "条件作用", "理论、案例", "强化不再出现以后，反应逐渐减弱直至不再发生的过程。", "extinction", "甲"],
    ["消退", "conditioning", "案例", "情境：给了糖就不哭的孩子，后来不再给糖。分析：这是消退。", "extinction", "甲"],
    ["复述", "记忆", "", "为了保持信息而在心里反复念诵材料的活动。", "", "乙"],
]


def annotated(tmp_path: Path, rows: list[list[str]] = ROWS) -> Path:
    path = tmp_path / "annotated.csv"
    with path.open("w", encoding="gb18030", newline="") as file:
        csv.writer(file).writerows(rows)
    return path


def test_chinese_headers_and_values_become_a_table_of_the_bank(own_workspace: Path) -> None:
    subject = load_subjects((own_workspace / "concepts",))[0]
    target = own_workspace / "concepts" / "learning.csv"
    report = import_table(annotated(own_workspace), subject, {}, target, overwrite=True)
    assert (report.concepts, report.rows) == (2, 3)
    assert any("标注人" in note for note in report.notes)
    found = load_bank((own_workspace / "concepts",)).concepts
    assert [c.id for c in found] == ["lrn-extinction", "lrn-memory-2"]
    assert found[0].prompt_types == ("theory", "case_study")
    assert [c.chapter for c in found] == ["conditioning", "memory"]


def test_a_wrong_row_is_named_by_the_line_of_the_annotators_file(own_workspace: Path) -> None:
    subject = load_subjects((own_workspace / "concepts",))[0]
    target = own_workspace / "new.csv"
    rows = [*ROWS, ["干扰", "动机", "理论", "说明", "interference", ""]]
    with pytest.raises(ConceptFaults, match=r"annotated.csv line 5: chapter \"动机\""):
        import_table(annotated(own_workspace, rows), subject, {}, target)
    assert not target.exists()


def test_unusual_headers_are_mapped_by_hand_and_nothing_is_overwritten(own_workspace: Path) -> None:
    subject = load_subjects((own_workspace / "concepts",))[0]
    rows = [[c.replace("知识点描述", "正文") for c in row] for row in ROWS]
    with pytest.raises(InputError, match="--map description=HEADER"):
        import_table(annotated(own_workspace, rows), subject, {}, own_workspace / "new.csv")
    import_table(annotated(own_workspace, rows), subject, {"description": "正文"}, own_workspace / "new.csv")
    with pytest.raises(ExportFault, match="exists"):
        import_table(annotated(own_workspace), subject, {}, own_workspace / "new.csv")


def test_the_workbook_has_drop_downs_and_comes_back_as_the_same_bank(own_workspace: Path) -> None:
    folder = own_workspace / "concepts"
    bank = load_bank((folder,))
    path = own_workspace / "bank.xlsx"
    write_workbook(bank, path)
    sheet = openpyxl.load_workbook(path)["learning"]
    lists = {str(rule.sqref): rule.formula1 for rule in sheet.data_validations.dataValidation}
    assert '"conditioning,memory"' in lists.values()
    assert any("case_study" in str(formula) for formula in lists.values())
    assert all(cell.data_type in ("s", "n") for row in sheet.iter_rows() for cell in row)
    (folder / "learning.csv").unlink()
    path.rename(folder / "learning.xlsx")
    assert [c.content for c in load_bank((folder,))] == [c.content for c in bank]
    assert read_table(folder / "learning.xlsx").rows[0].line == 2


def test_of_a_workbook_with_many_subjects_the_right_sheet_is_imported(tmp_path: Path) -> None:
    packaged = packaged_folder() / "concepts"
    write_workbook(load_bank((packaged,), ["management", "educational"]), tmp_path / "bank.xlsx")
    subjects = {s.slug: s for s in load_subjects((packaged,))}
    report = import_table(tmp_path / "bank.xlsx", subjects["educational"], {}, tmp_path / "educational.csv")
    assert report.concepts == 67
    assert (tmp_path / "educational.csv").read_bytes() == (packaged / "educational.csv").read_bytes()
