import csv
from collections import Counter
from pathlib import Path

import pytest

from psygen.errors import ConceptFaults, InputError
from psygen.files.concepts import bank_fingerprint, load_bank, load_subjects, read_bank
from psygen.records.concept import Bank
from psygen.settings import packaged_folder
from tests.conftest import needs_shared, write_concepts

PACKAGED = packaged_folder() / "concepts"


def folders(workspace: Path) -> tuple[Path, ...]:
    return (workspace / "concepts",)


def faults(workspace: Path) -> list[str]:
    return [str(f) for f in read_bank(folders(workspace)).faults]


def test_every_fault_is_named_at_once_with_its_line(own_workspace: Path) -> None:
    def spoil(rows: list[list[str]]) -> None:
        rows[0][1] = "conditionning"
        rows[1][6] = "theorie"
        rows[2][0] = "Mem 1"
        rows[3][7] = ""
        rows[4][0], rows[4][4] = rows[5][0], "另一个名字"
        rows[6][7] = rows[7][7]

    write_concepts(own_workspace, change=spoil)
    found = faults(own_workspace)
    assert len(found) == 7
    assert "learning.csv line 2" in found[0]
    assert "conditioning?" in found[0]
    assert 'line 3: prompt type "theorie"' in found[1]
    assert 'line 4: id "Mem 1"' in found[2]
    assert 'line 5: no value for "description"' in found[3]
    assert 'line 7: concept "惩罚" differs' in found[4]
    assert "line 7: concept_en" in found[5]
    assert "line 9: the same description as in line 8" in found[6]


def test_a_bank_with_faults_is_not_loaded(own_workspace: Path) -> None:
    write_concepts(own_workspace, change=lambda rows: rows[0].__setitem__(1, "nowhere"))
    with pytest.raises(ConceptFaults) as error:
        load_bank(folders(own_workspace))
    assert error.value.exit_code == 2
    assert str(error.value).endswith("1 fault in the concepts; nothing was done.")


def test_a_missing_or_misspelt_column_is_named(own_workspace: Path) -> None:
    path = own_workspace / "concepts" / "learning.csv"
    path.write_text(path.read_text(encoding="utf-8").replace("prompt_types", "prompt_typ", 1), encoding="utf-8")
    found = faults(own_workspace)
    assert any('column "prompt_types" is missing; rename the column "prompt_typ"' in f for f in found)


def test_other_encodings_line_ends_and_empty_rows_are_the_same_bank(own_workspace: Path) -> None:
    before = [c.content for c in load_bank(folders(own_workspace))]
    path = own_workspace / "concepts" / "learning.csv"
    text = path.read_text(encoding="utf-8").replace("\n", "\r\n") + ",,,,,,,\r\n,,,,,,,\r\n"
    for data in (text.encode("gb18030"), b"\xef\xbb\xbf" + text.encode()):
        path.write_bytes(data)
        assert [c.content for c in load_bank(folders(own_workspace))] == before


def test_the_fingerprint_of_a_bank_follows_its_bytes(own_workspace: Path) -> None:
    before = bank_fingerprint(folders(own_workspace))
    assert bank_fingerprint(folders(own_workspace)) == before
    write_concepts(own_workspace, change=lambda rows: rows[0].__setitem__(5, "other"))
    assert bank_fingerprint(folders(own_workspace)) != before


def test_terms_with_unknown_concepts_or_kinds_are_faults(own_workspace: Path) -> None:
    (own_workspace / "concepts" / "terms").mkdir()
    text = "id,kind,synonyms,overlaps\nlrn-shapin,process,,\nlrn-storage,thing,存储;保持,lrn-encoding\n"
    (own_workspace / "concepts" / "terms" / "learning.csv").write_text(text, encoding="utf-8")
    found = faults(own_workspace)
    assert 'line 2: no concept "lrn-shapin"; lrn-shaping?' in found[0]
    assert 'line 3: kind "thing" is none of' in found[1]


def test_a_broken_subjects_file_is_one_sentence(own_workspace: Path) -> None:
    path = own_workspace / "concepts" / "subjects.toml"
    path.write_text(path.read_text(encoding="utf-8").replace('slug = "learning"', 'slug = "Learning!"'))
    with pytest.raises(InputError, match=r"\[\[subject\]\] entry is wrong at slug"):
        load_subjects(folders(own_workspace))


def test_statistics_holds_its_99_concepts_where_the_syllabus_wants_them(bank: Bank) -> None:
    assert len(bank) == 99
    counts = Counter(c.chapter for c in bank)
    subject = bank.subject("statistics")
    assert {c.slug: c.concepts for c in subject.chapters} == dict(counts)


def test_subjects_and_chapters_agree_with_the_published_counts() -> None:
    folder = needs_shared("conceptpsy")
    subjects = {s.slug: s for s in load_subjects((PACKAGED,))}
    published = list(csv.DictReader((folder / "subjects.csv").read_text(encoding="utf-8").splitlines()))
    assert {row["subject"]: int(row["concepts"]) for row in published} == {s: v.required for s, v in subjects.items()}
    rows = list(csv.DictReader((folder / "chapters.csv").read_text(encoding="utf-8").splitlines()))
    short = {"abnormal", "general", "management", "experimental", "developmental", "educational"}
    for slug, subject in subjects.items():
        printed = [row for row in rows if row["subject"] == slug]
        assert len(printed) == len(subject.chapters)
        for row, chapter in zip(printed, subject.chapters, strict=True):
            if row["concepts_printed"] and slug not in short:
                assert chapter.concepts == int(row["concepts_printed"]), f"{slug} {chapter.slug}"
            elif row["concepts_printed"]:
                assert chapter.concepts >= int(row["concepts_printed"])
