import pytest
from pydantic import ValidationError

from psygen.records.concept import Bank, Concept, Description, Subject
from tests.conftest import concept


def typed(*rows: tuple[str, str]) -> Concept:
    return concept(descriptions=tuple(Description(text=t, prompt_types=tuple(k.split(";"))) for k, t in rows))  # type: ignore[arg-type]


def test_the_first_type_of_the_first_row_is_primary() -> None:
    found = typed(("case_study", "甲"), ("theory;calculation", "乙"))
    assert found.primary == "case_study"
    assert found.prompt_types == ("case_study", "theory", "calculation")


def test_a_request_carries_the_rows_that_name_its_type_and_mixed_carries_all() -> None:
    found = typed(("theory;mixed", "甲"), ("calculation", "乙"), ("theory", "丙"))
    assert found.descriptions_for("theory") == ("甲", "丙")
    assert found.descriptions_for("mixed") == ("甲", "乙", "丙")


def test_the_order_of_rows_is_no_new_content_but_their_text_is() -> None:
    one, other = typed(("theory", "甲"), ("theory", "乙")), typed(("theory", "乙"), ("theory", "甲"))
    assert one.content == other.content
    assert one.asked_content("theory") == other.asked_content("theory")
    assert typed(("theory", "甲"), ("theory", "丁")).asked_content("theory") != one.asked_content("theory")


def test_a_row_of_another_type_changes_only_that_types_work() -> None:
    one = typed(("theory", "甲"), ("calculation", "乙"))
    other = typed(("theory", "甲"), ("calculation", "丙"))
    assert one.asked_content("theory") == other.asked_content("theory")
    assert one.asked_content("calculation") != other.asked_content("calculation")


def test_a_bank_keeps_chapters_in_textbook_order_and_rows_in_file_order(bank: Bank) -> None:
    subject = bank.subject("statistics")
    order = {c.slug: n for n, c in enumerate(subject.chapters)}
    places = [order[c.chapter] for c in bank]
    assert places == sorted(places)
    assert [bank.rank[c.id] for c in bank] == list(range(99))


def test_a_subject_with_one_chapter_twice_cannot_be() -> None:
    chapter = {"slug": "a", "zh": "甲", "en": "A", "concepts": 1}
    with pytest.raises(ValidationError, match="used twice"):
        Subject.model_validate({"slug": "s", "prefix": "sss", "zh": "科", "en": "S", "chapters": [chapter, chapter]})
