"""`psygen stats` as a user runs it, on the offline engine's questions."""

import csv
import json
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from psygen.files.concepts import load_bank
from psygen.files.workspace import make_workspace
from psygen.settings import load_settings
from psygen.store.database import Store
from psygen.store.queries import Filter, Reader
from tests.conftest import SUBJECTS, write_concepts

Run = Callable[..., subprocess.CompletedProcess[str]]


@pytest.fixture(scope="module")
def generated(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The small workspace with questions of the offline engine, made once."""
    folder = tmp_path_factory.mktemp("bank")
    make_workspace(folder)
    shutil.rmtree(folder / "concepts")
    (folder / "concepts").mkdir()
    (folder / "concepts" / "subjects.toml").write_text(SUBJECTS, encoding="utf-8")
    write_concepts(folder)
    command = [sys.executable, "-m", "psygen", "generate", "--all", "--engine", "offline"]
    subprocess.run(command, cwd=folder, check=True, capture_output=True)
    return folder


@pytest.fixture
def bank(generated: Path, tmp_path: Path) -> Path:
    """A copy for one test."""
    shutil.copytree(generated, tmp_path / "bank")
    return tmp_path / "bank"


def stats(psygen: Run, folder: Path, *flags: str) -> dict[str, Any]:
    done = psygen("stats", "--json", *flags, cwd=folder)
    assert done.returncode == 0, done.stderr
    found: dict[str, Any] = json.loads(done.stdout)
    return found


def test_counts_are_those_of_the_bank(psygen: Run, bank: Path) -> None:
    total = stats(psygen, bank, "--state", "any")["total"]
    with Reader(bank / "outputs" / "psygen.db") as reader:
        items = list(reader.items(Filter(states=("new",))))
    assert (total["kept"], total["asked"]) == (len(items), 48)
    assert total["question_chars"] == pytest.approx(sum(len(i.stem) for i in items) / len(items))
    assert total["answer_chars"] == pytest.approx(sum(len(i.options[i.key[0]]) for i in items) / len(items))


def test_a_required_concept_without_a_question_is_missing_by_name(psygen: Run, bank: Path) -> None:
    with Store(bank / "outputs" / "psygen.db") as store, store.writing() as conn:
        conn.execute("UPDATE items SET state = 'accepted' WHERE concept_id != 'lrn-shaping'")
    found = stats(psygen, bank)
    concepts = load_bank(load_settings(bank, {}).concept_folders)
    reached = {c.id for c in concepts} - {m["id"] for m in found["missing"]}
    assert "lrn-shaping" not in reached
    assert found["total"]["covered"] == len(reached) > 0
    assert "塑造" in psygen("stats", cwd=bank).stdout


def test_an_unreviewed_bank_says_how_to_count_it(psygen: Run, bank: Path) -> None:
    done = psygen("stats", cwd=bank)
    assert done.returncode == 0
    assert "--state any" in done.stderr


def test_parts_add_up_to_the_subject(psygen: Run, bank: Path) -> None:
    psygen("split", "--state", "any", "--engine", "offline", cwd=bank)
    (subject,) = stats(psygen, bank, "--state", "any")["subjects"]
    assert sum(part["kept"] for part in subject["parts"].values()) == subject["kept"]
    assert sum(chapter["kept"] for chapter in subject["chapters"]) == subject["kept"]
    assert subject["parts"]["dev"]["kept"] == 5


def test_files_hold_what_the_tables_hold(psygen: Run, bank: Path) -> None:
    done = psygen("stats", "--state", "any", "--csv", "sheets", "--html", "page.html", cwd=bank)
    assert (done.returncode, done.stdout) == (0, "")
    with (bank / "sheets" / "concepts.csv").open(encoding="utf-8-sig", newline="") as file:
        rows = list(csv.DictReader(file))
    total = stats(psygen, bank, "--state", "any")["total"]["kept"]
    assert sum(int(row["questions"]) for row in rows) == total
    page = (bank / "page.html").read_text(encoding="utf-8")
    assert "学习心理学" in page
    assert f"{total} questions" in page


def test_markdown_has_every_chapter(psygen: Run, bank: Path) -> None:
    text = psygen("stats", "--state", "any", "--md", cwd=bank).stdout
    assert "| 条件作用 |" in text
    assert "### Questions per required concept" in text


def test_figures_of_others_stand_beside_ours_when_a_folder_is_named(psygen: Run, bank: Path, tmp_path: Path) -> None:
    folder = tmp_path / "published"
    folder.mkdir()
    head = "subject,concepts,questions_after_review,mean_question_chars,mean_answer_chars\n"
    (folder / "subjects.csv").write_text(f"{head}learning,12,40,33.3,7.7\n", encoding="utf-8")
    (folder / "chapters.csv").write_text("subject,chapter,concepts,questions_after_review\n", encoding="utf-8")
    assert "33.3" in psygen("stats", "--state", "any", "--published", str(folder), cwd=bank).stdout
    assert "publ." not in psygen("stats", "--state", "any", cwd=bank).stdout


def test_a_folder_without_tables_is_one_sentence(psygen: Run, bank: Path, tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    done = psygen("stats", "--published", str(tmp_path / "empty"), cwd=bank)
    assert (done.returncode, done.stdout) == (2, "")
    assert "subjects.csv: cannot be read" in done.stderr
