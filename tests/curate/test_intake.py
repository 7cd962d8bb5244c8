"""What comes back from reviewers, in all the ways spreadsheets and people treat it."""

import csv
import io
import os
import random
import shutil
import subprocess
import sys
import zipfile
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import openpyxl
import pytest

from psygen.curate.desk import contested, history
from psygen.curate.intake import Imported, import_sheet
from psygen.curate.judge import Entry, record
from psygen.curate.review import Wish, export_batch
from psygen.errors import InputError
from psygen.records.item import Item
from psygen.records.review import Policy
from psygen.settings import Settings
from psygen.store.database import Store
from psygen.store.queries import Filter, Reader
from tests.curate.small_bank import PEOPLE, event, fill

POLICY = Policy()
Fill = Mapping[str, Mapping[str, object]]
"""By item id: what a reviewer writes into its row, by column."""


def export(workspace: Settings, count: int = 8, form: str = "xlsx", policy: Policy = POLICY) -> list[Item]:
    fill(workspace.database, count, batch=())
    out = workspace.outputs / "review"
    export_batch(workspace, policy, (), Wish(count), reviewers=PEOPLE, out=out, seed=1, form=form)
    with Reader(workspace.database) as reader:
        return list(reader.items(Filter()))


def sheet_of(workspace: Settings, who: str, form: str = "xlsx") -> Path:
    [path] = (workspace.outputs / "review").glob(f"b*-{who}.{form}")
    return path


def columns(page: Any) -> dict[str, int]:
    return {str(cell.value).split("\n")[-1]: cell.column for cell in page[1]}


def write(path: Path, rows: Fill, change: Callable[[Any], object] = lambda page: None) -> Path:
    """Fill a workbook in as a person would, and save it."""
    book = openpyxl.load_workbook(path)
    page = book["审题"]
    where = columns(page)
    for row in range(2, page.max_row + 1):
        for name, value in rows.get(str(page.cell(row, 1).value), {}).items():
            page.cell(row, where[name]).value = value
    change(page)
    out = path.with_name(f"filled-{path.name}")
    book.save(out)
    return out


def take(workspace: Settings, *paths: Path, reviewer: str = "") -> list[Imported]:
    with Store(workspace.database) as store:
        return [import_sheet(store, POLICY, path, reviewer=reviewer) for path in paths]


def states(workspace: Settings) -> dict[str, tuple[str, str]]:
    with Reader(workspace.database) as reader:
        return {i.id: (i.state, i.options[1]) for i in reader.items(Filter())}


KEEP: dict[str, object] = {"blind_answer": "A", "verdict": "keep"}
MODIFY: dict[str, object] = {"blind_answer": "A", "verdict": "modify"}
DELETE: dict[str, object] = {"blind_answer": "A", "verdict": "delete", "reason": "off_concept"}


# The whole road

KINDS: tuple[tuple[Mapping[str, object], Mapping[str, object], Mapping[str, object], tuple[str, str]], ...] = (
    # What r1, r2 and r3 write; the state that comes of it, and option B as the item shows it.
    (KEEP, KEEP, KEEP, ("accepted", "乙")),
    (DELETE, DELETE, KEEP, ("rejected", "乙")),
    (KEEP, KEEP, DELETE, ("contested", "乙")),
    (KEEP, {**MODIFY, "new_b": "新乙", "reason": "two_right"}, KEEP, ("contested", "乙")),
    ({**MODIFY, "new_b": "新乙"}, {**MODIFY, "new_b": "新乙"}, {**MODIFY, "new_b": "新乙"}, ("accepted", "新乙")),
    (KEEP, KEEP, {}, ("in_review", "乙")),
    (KEEP, {"verdict": "skip"}, KEEP, ("in_review", "乙")),
    ({}, {}, {}, ("new", "乙")),
    ({"blind_answer": "B"}, {}, {}, ("new", "乙")),
    ({**MODIFY, "new_b": "甲说"}, {**MODIFY, "new_b": "乙说"}, KEEP, ("contested", "乙")),
)


def plan(items: list[Item]) -> tuple[dict[str, Fill], dict[str, tuple[str, str]]]:
    """What three reviewers write on the questions, and what must come of it."""
    of = {item.id: KINDS[n % len(KINDS)] for n, item in enumerate(items)}
    written: dict[str, Fill] = {who: {i: kind[n] for i, kind in of.items()} for n, who in enumerate(PEOPLE)}  # type: ignore[misc]
    return written, {i: kind[3] for i, kind in of.items()}


@pytest.mark.parametrize("order", [("r1", "r2", "r3"), ("r3", "r1", "r2"), ("r2", "r3", "r1")], ids=" ".join)
def test_two_hundred_questions_come_to_the_states_written_out(workspace: Settings, order: tuple[str, ...]) -> None:
    written, expected = plan(export(workspace, 200))
    paths = [write(sheet_of(workspace, who), written[who]) for who in order]
    first = take(workspace, *paths)
    assert states(workspace) == expected
    assert not any(done.refused for done in first)
    assert sum(len(done.conflicts) for done in first) == 20
    assert all(done.was_known and done.new == 0 for done in take(workspace, *paths))
    assert states(workspace) == expected


def through_libreoffice(path: Path, folder: Path) -> Path:
    """The workbook opened and saved by LibreOffice."""
    office = shutil.which("soffice")
    if office is None:
        pytest.skip("LibreOffice (soffice) is not installed")
    home = f"-env:UserInstallation=file://{folder}/office"
    command = [office, home, "--headless", "--convert-to", "xlsx", "--outdir", str(folder / "saved"), str(path)]
    subprocess.run(command, check=True, capture_output=True, timeout=180)
    return folder / "saved" / path.name


def test_a_round_trip_through_libreoffice_changes_nothing(workspace: Settings, tmp_path: Path) -> None:
    written, expected = plan(export(workspace, 200))
    paths = [through_libreoffice(write(sheet_of(workspace, who), written[who]), tmp_path) for who in PEOPLE]
    done = take(workspace, *paths)
    assert [(d.rows, d.refused, d.notes) for d in done] == [(200, (), ())] * 3
    assert states(workspace) == expected


# How sheets come back


def test_sorted_filtered_and_shortened_sheets_are_fine(workspace: Settings) -> None:
    items = export(workspace)
    path = write(sheet_of(workspace, "r1"), {i.id: KEEP for i in items})
    book = openpyxl.load_workbook(path)
    page = book["审题"]
    rows = [[cell.value for cell in row] for row in page.iter_rows(min_row=2)]
    random.Random(1).shuffle(rows)
    page.delete_rows(2, 8)
    for row in rows[:5]:
        page.append(row)
    page.row_dimensions[3].hidden = True
    book.save(path)
    [done] = take(workspace, path)
    assert (done.rows, done.new, done.refused) == (5, 5, ())
    assert sum(state == "in_review" for state, _ in states(workspace).values()) == 5


@pytest.mark.parametrize("value", ["psy-000000000099", "psy-xyz", 12, None, "=A1"])
def test_a_row_whose_id_was_changed_is_refused_and_the_others_come_in(workspace: Settings, value: object) -> None:
    items = export(workspace)

    def spoil(page: Any) -> None:
        page.cell(3, 1).value = value

    [done] = take(workspace, write(sheet_of(workspace, "r1"), {i.id: KEEP for i in items}, spoil))
    assert (done.new, len(done.refused)) == (7, 1)
    assert done.refused[0].cell == "审题!A3"


def test_rows_with_the_same_id_are_all_refused(workspace: Settings) -> None:
    items = export(workspace)

    def double(page: Any) -> None:
        page.cell(3, 1).value = page.cell(2, 1).value

    [done] = take(workspace, write(sheet_of(workspace, "r1"), {i.id: KEEP for i in items}, double))
    assert (done.new, [r.cell for r in done.refused]) == (6, ["审题!A2", "审题!A3"])


def test_swapped_ids_are_noticed(workspace: Settings) -> None:
    items = export(workspace)

    def swap(page: Any) -> None:
        page.cell(2, 1).value, page.cell(3, 1).value = page.cell(3, 1).value, page.cell(2, 1).value

    [done] = take(workspace, write(sheet_of(workspace, "r1"), {i.id: KEEP for i in items}, swap))
    assert (done.new, [r.cell for r in done.refused]) == (6, ["审题!B2", "审题!B3"])


def test_columns_moved_renamed_and_added_and_a_renamed_sheet_are_fine(workspace: Settings) -> None:
    items = export(workspace)

    def rearrange(page: Any) -> None:
        where = columns(page)
        page.cell(1, where["verdict"]).value = "我的结论\nverdict"
        page.insert_cols(where["stem"])
        page.cell(1, where["stem"]).value = "自己的列"
        page.insert_rows(1)
        page.title = "第一批"
        page.parent.create_sheet("草稿")["A1"] = "item"

    [done] = take(workspace, write(sheet_of(workspace, "r1"), {i.id: KEEP for i in items}, rearrange))
    assert (done.new, done.refused) == (8, ())
    assert any("自己的列" in note for note in done.notes)


@pytest.mark.parametrize("name", ["rev", "verdict"])
def test_a_missing_column_that_is_needed_refuses_the_file(workspace: Settings, name: str) -> None:
    items = export(workspace)

    def drop(page: Any) -> None:
        page.delete_cols(columns(page)[name])

    path = write(sheet_of(workspace, "r1"), {i.id: KEEP for i in items}, drop)
    with pytest.raises(InputError, match="column"):
        take(workspace, path)


@pytest.mark.parametrize(
    ("row", "cell", "said"),
    [
        ({"verdict": "perhaps"}, "J", "keep, modify, delete, skip expected"),
        ({**KEEP, "blind_answer": "E"}, "I", "A, B, C, D expected"),
        ({**KEEP, "question_fits": "maybe"}, "M", "yes, no, unsure expected"),
        ({"verdict": "modify", "new_b": 5}, "R", "a number (5) found"),
        ({"verdict": "modify", "new_b": "=A1"}, "R", "a formula that was saved without its value"),
        ({"verdict": "modify", "new_b": "甲"}, "R", "Two options are equal"),
        ({"verdict": "keep", "new_b": "新"}, "J", "keep found beside a changed text"),
        ({"new_b": "新"}, "J", "no verdict"),
        ({"question_sound": "yes"}, "J", "no verdict"),
        ({**KEEP, "stem": "改在这里"}, "D", "own text was changed"),
    ],
)
def test_a_cell_that_cannot_be_taken_is_named(
    workspace: Settings, row: dict[str, object], cell: str, said: str
) -> None:
    items = export(workspace)
    [done] = take(workspace, write(sheet_of(workspace, "r1"), {items[0].id: row, items[1].id: KEEP}))
    assert done.new == 1
    assert done.refused[0].cell.startswith(f"审题!{cell}")
    assert done.refused[0].item_id == items[0].id
    assert said in done.refused[0].what


@pytest.mark.parametrize("word", ["keep", " KEEP ", "保留", "保留 keep", "ｋｅｅｐ"])
def test_words_are_taken_as_people_write_them(workspace: Settings, word: str) -> None:
    items = export(workspace)
    row = {"verdict": word, "blind_answer": "ａ", "concept_sound": "是", "reason": ""}
    [done] = take(workspace, write(sheet_of(workspace, "r1"), {items[0].id: row}))
    assert (done.new, done.refused) == (1, ())
    with Reader(workspace.database) as reader:
        [said] = history(reader, items[0].id).events
    assert (said.verdict, said.blind_answer, said.concept_sound) == ("keep", "A", "yes")


def test_invisible_differences_are_no_edits(workspace: Settings) -> None:
    items = export(workspace)
    row = {**MODIFY, "new_stem": f"\u00a0{items[0].stem}  \r\n", "new_b": "乙 ", "stem": items[0].stem + "\u00a0"}
    [done] = take(workspace, write(sheet_of(workspace, "r1"), {items[0].id: row}))
    assert (done.new, done.edits, done.refused) == (1, 0, ())


def test_an_edit_of_an_older_wording_is_joined_or_contested_never_written_over(workspace: Settings) -> None:
    items = export(workspace)
    with Store(workspace.database) as store:
        for item in items[:2]:
            [edit] = record(store, POLICY, [Entry(event(item, "r1", "modify"), {"b": "新乙"})])
            record(store, POLICY, [Entry(event(item, who, revision=edit.event.edit)) for who in ("r2", "r3")])
    rows = {items[0].id: {**MODIFY, "new_c": "新丙"}, items[1].id: {**MODIFY, "new_b": "别的"}}
    [done] = take(workspace, write(sheet_of(workspace, "r2"), rows))
    assert (done.merged, [(c.item_id, c.fields) for c in done.conflicts]) == (1, [(items[1].id, ("b",))])
    assert [states(workspace)[i.id] for i in items[:2]] == [("contested", "新乙")] * 2
    with Reader(workspace.database) as reader:
        assert {s.item_id for s in contested(reader)} == {i.id for i in items[:2]}


def test_a_fuller_copy_adds_and_an_older_copy_takes_nothing_back(workspace: Settings) -> None:
    items = export(workspace)
    path = sheet_of(workspace, "r1")
    old = write(path, {items[0].id: KEEP}).rename(path.with_name("old.xlsx"))
    new = write(path, {items[0].id: DELETE, items[1].id: KEEP}).rename(path.with_name("new.xlsx"))
    assert [d.new for d in take(workspace, old, new)] == [1, 2]
    again = write(path, {items[0].id: KEEP, items[2].id: {"verdict": "skip"}})
    [done] = take(workspace, again)
    assert (done.new, done.unchanged) == (1, 1)
    with Reader(workspace.database) as reader:
        assert [e.verdict for e in history(reader, items[0].id).events] == ["keep", "delete"]


# Files that are none of ours


@pytest.mark.parametrize(
    ("cell", "value", "said"),
    [("B4", "other", "another project"), ("B2", "b99", "no batch b99"), ("B1", "9", "format 9")],
)
def test_a_sheet_of_another_project_batch_or_format_is_refused(
    workspace: Settings, cell: str, value: str, said: str
) -> None:
    export(workspace)
    book = openpyxl.load_workbook(sheet_of(workspace, "r1"))
    book["_psygen"][cell] = value
    out = workspace.workspace / "other.xlsx"
    book.save(out)
    with pytest.raises(InputError, match=said):
        take(workspace, out)


def test_a_row_pasted_from_another_reviewers_sheet_is_refused(workspace: Settings) -> None:
    items = export(workspace)
    other = openpyxl.load_workbook(sheet_of(workspace, "r2"))["审题"]

    def paste(page: Any) -> None:
        page.cell(2, page.max_column).value = other.cell(2, other.max_column).value

    [done] = take(workspace, write(sheet_of(workspace, "r1"), {i.id: KEEP for i in items}, paste))
    assert (done.new, [r.cell for r in done.refused]) == (7, ["审题!X2"])
    assert "r2" in done.refused[0].what


def test_a_blind_workbook_holds_no_key_in_any_of_its_parts(workspace: Settings) -> None:
    export(workspace)
    with zipfile.ZipFile(sheet_of(workspace, "r1")) as archive:
        text = "".join(archive.read(n).decode("utf-8") for n in archive.namelist())
    for secret in ("解析。", "概念0", "极端值", "答案与知识点"):
        assert secret not in text
    [book] = (workspace.outputs / "review" / "answers").glob("*-r1-answers.xlsx")
    page = openpyxl.load_workbook(book)["答案与知识点"]
    with Reader(workspace.database) as reader:
        keys = {i.id: i.key_letters for i in reader.items(Filter())}
    assert {row[0].value: row[1].value for row in page.iter_rows(min_row=2)} == keys


def test_without_blind_reviewing_the_answers_stand_in_the_workbook(workspace: Settings) -> None:
    export(workspace, policy=Policy(blind=False))
    assert "答案与知识点" in openpyxl.load_workbook(sheet_of(workspace, "r1")).sheetnames
    assert not (workspace.outputs / "review" / "answers").exists()


# csv


def filled_csv(workspace: Settings, rows: Fill, *, encoding: str = "utf-8-sig", separator: str = ",") -> Path:
    path = sheet_of(workspace, "r1", "csv")
    table = list(csv.DictReader(io.StringIO(path.read_text(encoding="utf-8-sig"), newline="")))
    for row in table:
        row.update({k: str(v) for k, v in rows.get(row["item"], {}).items()})
    out = io.StringIO()
    writer = csv.DictWriter(out, list(table[0]), delimiter=separator, lineterminator="\r\n")
    writer.writeheader()
    writer.writerows(table)
    made = path.with_name("filled.csv")
    made.write_bytes(out.getvalue().encode(encoding))
    return made


@pytest.mark.parametrize(("encoding", "separator"), [("utf-8-sig", ","), ("gbk", ";"), ("utf-16", "\t"), ("gbk", ",")])
def test_csv_as_excel_saves_it_is_read(workspace: Settings, encoding: str, separator: str) -> None:
    items = export(workspace, form="csv")
    rows: Fill = {i.id: KEEP for i in items} | {items[0].id: {**MODIFY, "new_b": "'=新乙"}}
    [done] = take(workspace, filled_csv(workspace, rows, encoding=encoding, separator=separator))
    assert (done.reviewer, done.new, done.edits, done.refused) == ("r1", 8, 1, ())
    with Reader(workspace.database) as reader:
        assert history(reader, items[0].id).revisions[1].wording.options[1] == "=新乙"


def test_a_workbook_saved_as_csv_still_says_whose_it_is(workspace: Settings, tmp_path: Path) -> None:
    items = export(workspace)
    page = openpyxl.load_workbook(write(sheet_of(workspace, "r2"), {i.id: KEEP for i in items}))["审题"]
    path = tmp_path / "saved.csv"
    with path.open("w", encoding="gbk", newline="") as file:
        csv.writer(file, delimiter=";").writerows([[c.value for c in row] for row in page.iter_rows()])
    [done] = take(workspace, path)
    assert (done.reviewer, done.new, done.refused) == ("r2", 8, ())


def test_half_a_csv_is_refused_and_a_broken_row_is_named(workspace: Settings) -> None:
    items = export(workspace, form="csv")
    path = filled_csv(workspace, {i.id: KEEP for i in items})
    text = path.read_bytes()
    path.write_bytes(text[: text[:-2].rindex(b",")])
    with pytest.raises(InputError, match="middle of a row"):
        take(workspace, path)
    lines = text.split(b"\r\n")
    path.write_bytes(b"\r\n".join([*lines[:2], lines[2] + b",more", *lines[3:]]))
    [done] = take(workspace, path)
    assert (done.new, len(done.refused)) == (7, 1)
    assert "more or fewer fields" in done.refused[0].what


# Losing nothing


@pytest.mark.parametrize("point", ["in_review:5", "before_review_commit", "before_sheet_commit"])
def test_a_kill_during_the_import_leaves_nothing_half(workspace: Settings, point: str) -> None:
    items = export(workspace)
    path = write(sheet_of(workspace, "r1"), {i.id: KEEP for i in items})
    command = [sys.executable, "-m", "psygen", "-w", str(workspace.workspace), "review", "import", str(path)]
    env = {**os.environ, "PSYGEN_CRASH_AT": point}
    assert subprocess.run(command, env=env, capture_output=True, check=False).returncode == -9
    assert {state for state, _ in states(workspace).values()} == {"new"}
    [done] = take(workspace, path)
    assert (done.new, done.was_known) == (8, False)


PAYLOADS = (
    '=HYPERLINK("http://x","y")',
    "@SUM(1)",
    "<script>alert(1)</script>",
    "[red]x[/red]",
    "{{7*7}}",
    "\x1b[31m红",
    "\u202e反向",
    "'; DROP TABLE events; --",
)


def test_what_reviewers_write_is_text_everywhere(workspace: Settings) -> None:
    items = export(workspace, form="csv")
    rows = {
        item.id: {**MODIFY, "new_b": payload, "comment": payload, "concept_sound": "no"}
        for item, payload in zip(items, PAYLOADS, strict=True)
    }
    [done] = take(workspace, filled_csv(workspace, rows))
    assert (done.new, done.edits, done.refused) == (8, 8, ())
    command = [sys.executable, "-m", "psygen", "-w", str(workspace.workspace)]
    doubts = subprocess.run([*command, "concepts", "doubts"], capture_output=True, text=True, check=True).stdout
    for item, payload in zip(items, PAYLOADS, strict=True):
        log = subprocess.run([*command, "review", "log", item.id], capture_output=True, text=True, check=True).stdout
        for shown in (log, doubts):
            assert payload.strip("\x1b\u202e") in shown
            assert "\x1b" not in shown
            assert "\u202e" not in shown
