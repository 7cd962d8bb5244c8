from pathlib import Path

import pytest

from psygen.errors import InputError
from psygen.files.concepts import load_subjects
from psygen.files.published import Figures, read_published
from psygen.records.concept import Subject
from psygen.settings import packaged_folder
from tests.conftest import needs_shared


@pytest.fixture(scope="module")
def known() -> tuple[Subject, ...]:
    return load_subjects((packaged_folder() / "concepts",))


def write(folder: Path, subjects: str = "", chapters: str = "") -> Path:
    head = "subject,concepts,questions_after_review,mean_question_chars,mean_answer_chars\n"
    (folder / "subjects.csv").write_text(head + (subjects or "statistics,9,30,41.5,8.0\n"), encoding="utf-8")
    head = "subject,chapter,concepts,questions_after_review\n"
    (folder / "chapters.csv").write_text(head + (chapters or "statistics,集中量数,3,13\n"), encoding="utf-8")
    return folder


def test_a_subject_and_a_chapter_may_have_either_name(tmp_path: Path, known: tuple[Subject, ...]) -> None:
    folder = write(tmp_path, "心理统计学,9,30,41.5,8.0\n", "Psychological Statistics,集中量数,3,\n")
    found = read_published(folder, known)
    assert found.subjects == {"statistics": Figures(9, 30, 41.5, 8.0)}
    assert found.chapters == {("statistics", "central-tendency"): Figures(3, None)}
    assert found.notes == ()


def test_what_is_none_of_ours_is_named(tmp_path: Path, known: tuple[Subject, ...]) -> None:
    found = read_published(write(tmp_path, "alchemy,1,1,1,1\n", "statistics,Alchemy,3,1\n"), known)
    assert [note.split(";")[0] for note in found.notes] == [
        'subjects.csv line 2: there is no subject "alchemy" of ours',
        'chapters.csv line 2: there is no chapter "Alchemy" of ours',
    ]


@pytest.mark.parametrize(
    ("rows", "said"),
    [("statistics,9,many,1,1\n", "line 2.*many"), ("statistics,9,-1,1,1\n", "line 2.*-1"), ("a,b\n", "line 2")],
)
def test_a_faulty_row_is_named(tmp_path: Path, known: tuple[Subject, ...], rows: str, said: str) -> None:
    with pytest.raises(InputError, match=said):
        read_published(write(tmp_path, rows), known)


def test_a_missing_column_is_named(tmp_path: Path, known: tuple[Subject, ...]) -> None:
    (write(tmp_path) / "chapters.csv").write_text("subject,chapter\nstatistics,集中量数\n", encoding="utf-8")
    with pytest.raises(InputError, match=r"chapters\.csv line 1: no column concepts"):
        read_published(tmp_path, known)


def test_the_published_tables_stand_beside_every_subject_and_chapter(known: tuple[Subject, ...]) -> None:
    found = read_published(needs_shared("conceptpsy"), known)
    assert set(found.subjects) == {s.slug for s in known}
    assert set(found.chapters) == {(s.slug, c.slug) for s in known for c in s.chapters}
    assert all("the only chapter" in note for note in found.notes)
    assert sum(f.kept or 0 for f in found.subjects.values()) == 4573
    for subject in known:
        own = [found.chapters[subject.slug, c.slug].kept or 0 for c in subject.chapters]
        assert sum(own) == found.subjects[subject.slug].kept
