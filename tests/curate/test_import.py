"""`psygen import`: questions from elsewhere stand beside ours, whole, once, and uncounted where they don't belong."""

import json
import signal
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from psygen.curate.import_ import Imported, Wanted, import_questions
from psygen.errors import InputError, QuestionFaults
from psygen.files.concepts import load_subjects
from psygen.files.exports.rows import letters
from psygen.make.reparse import reparse
from psygen.make.status import status_of
from psygen.records.item import Item
from psygen.settings import Settings
from psygen.store.queries import Filter, Reader
from tests.conftest import needs_shared
from tests.files.exports.corpus import corpus, written

CEVAL = "id,question,A,B,C,D,answer\n"
ROW = "0,短时记忆的容量一般为,3±1个组块,7±2个组块,15±3个组块,没有限制,B\n"
Run = Callable[..., subprocess.CompletedProcess[str]]


def items(settings: Settings) -> list[Item]:
    with Reader(settings.database) as reader:
        return list(reader.items(Filter(engines=("import",))))


def bring(settings: Settings, *paths: Path, source: str = "测试", **said: object) -> Imported:
    return import_questions(settings, paths, Wanted(source, **said))  # type: ignore[arg-type]


def table(folder: Path, text: str, name: str = "statistics_val.csv") -> Path:
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return path


@pytest.mark.parametrize("split", ["dev", "test"])
def test_canonical_lines_come_back_whole(workspace: Settings, tmp_path: Path, split: str) -> None:
    written(tmp_path / "out", "canonical", corpus())
    bring(workspace, tmp_path / f"out/data/{split}.jsonl")
    fields = ("subject", "chapter", "concept_id", "headings", "prompt_type", "kind", "form", "stem", "options", "key",
              "explanation")  # fmt: skip
    back = {i.labels["origin"][0]: tuple(getattr(i, f) for f in fields) for i in items(workspace)}
    assert back == {q.id: tuple(getattr(q, f) for f in fields) for q in corpus().questions if q.split == split}


@pytest.mark.parametrize(
    ("form", "name"), [("ceval", "ceval/test/statistics_test.csv"), ("cmmlu", "cmmlu/test/statistics.csv")]
)
def test_tables_come_back_whole(workspace: Settings, tmp_path: Path, form: str, name: str) -> None:
    written(tmp_path / "out", form, corpus())
    bring(workspace, tmp_path / "out" / name)
    made = [q for q in corpus().questions if (q.split, q.subject, q.form) == ("test", "statistics", "single")]
    back = [(i.stem, i.options, i.key_letters) for i in items(workspace)]
    assert back == [(q.stem, q.options, letters(q)) for q in made]


def test_published_questions_are_items_of_their_source(workspace: Settings) -> None:
    general = next(s for s in load_subjects(workspace.concept_folders) if s.slug == "general")
    done = bring(workspace, needs_shared("cmmlu/test/professional_psychology.csv"), source="CMMLU", subject=general)
    found = items(workspace)
    assert (done.added, len(found)) == (232, 232)
    assert {(i.engine, i.model, i.subject, i.chapter, i.concept_id, i.state) for i in found} == {
        ("import", "CMMLU", "general", "", "", "new")
    }


def test_the_same_file_twice_changes_nothing(workspace: Settings, tmp_path: Path) -> None:
    path = table(tmp_path, CEVAL + ROW)
    first, second = bring(workspace, path), bring(workspace, path)
    assert (first.added, second.added, second.read) == (1, 0, 1)
    assert len(items(workspace)) == 1


def test_a_longer_file_adds_only_what_is_new(workspace: Settings, tmp_path: Path) -> None:
    bring(workspace, table(tmp_path, CEVAL + ROW))
    done = bring(workspace, table(tmp_path, CEVAL + "7,另一题是什么,甲,乙,丙,丁,D\n" + ROW))
    assert (done.added, done.read) == (1, 2)
    assert [i.key_letters for i in items(workspace)] == ["B", "D"]


def test_another_source_may_have_the_same_question(workspace: Settings, tmp_path: Path) -> None:
    path = table(tmp_path, CEVAL + ROW)
    assert [bring(workspace, path, source=s).added for s in ("甲", "乙")] == [1, 1]


def test_a_fault_in_one_file_keeps_all_of_them_out(workspace: Settings, tmp_path: Path) -> None:
    good = table(tmp_path, CEVAL + ROW)
    bad = table(tmp_path, CEVAL + ROW + "1,题,甲,乙,丙,丁,\n2,题,甲,乙,丙,丁,AB\n", "general_val.csv")
    with pytest.raises(QuestionFaults) as caught:
        bring(workspace, good, bad)
    assert [f.split(": ")[0] for f in caught.value.faults] == [f"{bad} line 3", f"{bad} line 4"]
    assert not workspace.database.exists()


def test_a_subject_nobody_names_is_asked_for_once(workspace: Settings, tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"say a subject of this bank; say --subject\.$"):
        bring(workspace, table(tmp_path, CEVAL + ROW + ROW, "exam.csv"))


@pytest.mark.parametrize("source", ["", "a/b", "x" * 81, "\x1b[31m", " a"])
def test_a_source_has_a_plain_name(workspace: Settings, tmp_path: Path, source: str) -> None:
    with pytest.raises(InputError, match="a source has"):
        bring(workspace, table(tmp_path, CEVAL + ROW), source=source)


def test_each_item_can_be_traced_to_its_row(workspace: Settings, tmp_path: Path) -> None:
    bring(workspace, table(tmp_path, CEVAL + ROW))
    with Reader(workspace.database) as reader:
        origin = reader.origin(items(workspace)[0].id)
    assert origin is not None
    body, raw = json.loads(str(origin["body"])), origin["raw"]
    assert (body["task"], body["file"], body["line"]) == ("import", "statistics_val.csv", 2)
    assert isinstance(raw, bytes)
    assert json.loads(raw)["B"] == "7±2个组块"


def test_imports_count_in_no_ledger_and_no_progress(workspace: Settings, tmp_path: Path) -> None:
    bring(workspace, table(tmp_path, CEVAL + ROW))
    status = status_of(workspace, ("statistics",))
    assert (status.items, status.books.sent, status.books.cost_micro_usd) == (0, 0, 0)
    assert status.profile == "offline/offline/zh"
    assert status.subjects[0][0].units["done"] == 0


def test_reading_replies_again_leaves_imports_alone(workspace: Settings, tmp_path: Path) -> None:
    bring(workspace, table(tmp_path, CEVAL + ROW))
    before = items(workspace)
    assert reparse(workspace).replies == 0
    assert items(workspace) == before


def test_a_kill_before_the_end_imports_nothing(psygen: Run, workspace: Settings, tmp_path: Path) -> None:
    table(tmp_path, CEVAL + ROW)
    command = ("import", "statistics_val.csv", "--source", "x")
    assert psygen(*command, env={"PSYGEN_CRASH_AT": "in_import"}).returncode == -signal.SIGKILL
    assert items(workspace) == []
    assert psygen(*command).returncode == 0
    assert len(items(workspace)) == 1


def test_generating_beside_imports_goes_on_as_before(psygen: Run, own_workspace: Path) -> None:
    row = {"stem": "习得是什么过程", "options": ["甲", "乙", "丙", "丁"], "key": "A", "subject": "learning",
           "concept_id": "lrn-acquisition", "chapter": "conditioning"}  # fmt: skip
    (own_workspace / "x.jsonl").write_text(json.dumps(row), encoding="utf-8")
    assert psygen("import", "x.jsonl", "--source", "卷一").returncode == 0
    made = psygen("generate", "--all", "--engine", "offline", "--json")
    assert made.returncode == 0, made.stderr
    status = json.loads(psygen("status", "--json").stdout)
    assert sum(s["units"] for s in status["subjects"]) == 12
    lines = [json.loads(x) for x in psygen("items", "export").stdout.splitlines()]
    assert [x["stem"] for x in lines if x["engine"] == "import"] == ["习得是什么过程"]
    assert lines[0]["concept_id"] == "lrn-acquisition"
    assert psygen("check", "--json").returncode == 0


def test_the_command_says_what_it_did(psygen: Run, tmp_path: Path) -> None:
    table(tmp_path, CEVAL + ROW)
    done = psygen("import", "statistics_val.csv", "--source", "卷一", "--json")
    assert json.loads(done.stdout) == {
        "source": "卷一", "read": 1, "added": 1, "subjects": {"statistics": 1}, "without_concept": 1,
    }  # fmt: skip
    assert '1 new of 1 questions of source "卷一"' in done.stderr


def test_a_chapter_needs_its_subject(psygen: Run, tmp_path: Path) -> None:
    table(tmp_path, CEVAL + ROW)
    done = psygen("import", "statistics_val.csv", "--source", "x", "--chapter", "memory")
    assert (done.returncode, "--chapter needs --subject" in done.stderr) == (2, True)
