import pytest

from psygen.errors import InputError, UnknownName
from psygen.files.concepts import load_subjects
from psygen.make.plan import concept_named, plan_units, select
from psygen.make.selection import Selection, subject_named
from psygen.make.tasks import neighbours
from psygen.prompts import Prompts
from psygen.records.concept import Bank
from psygen.records.exchange import Profile
from psygen.settings import packaged_folder

SUBJECTS = load_subjects((packaged_folder() / "concepts",))
PROMPTS = Prompts((packaged_folder() / "prompts",))
PROFILE = Profile(engine="offline", model="offline")


@pytest.mark.parametrize(
    ("typed", "slug"),
    [
        ("statistics", "statistics"),
        ("心理统计学", "statistics"),
        ("Psychological Statistics", "statistics"),
        ("psychological statistics", "statistics"),
        ("stats", "statistics"),
        ("ＳＴＡＴＳ", "statistics"),
        ("变态心理学", "abnormal"),
        ("Clinical & Counseling Psychology", "clinical"),
        ("organizational-behavior", "management"),
    ],
)
def test_a_subject_answers_to_all_its_names(typed: str, slug: str) -> None:
    assert subject_named(typed, SUBJECTS).slug == slug


def test_no_name_stands_for_two_subjects() -> None:
    from psygen.text import match_key

    names = [n for s in SUBJECTS for n in {match_key(n) for n in (s.slug, s.zh, s.en, s.prefix, *s.aliases)}]
    assert sorted({n for n in names if names.count(n) > 1}) == []


def test_a_wrong_name_gets_the_nearest_ones() -> None:
    with pytest.raises(UnknownName, match="Nearest: statistics"):
        subject_named("statistcs", SUBJECTS)


def test_a_selection_is_in_bank_order_whatever_was_typed(bank: Bank) -> None:
    chosen = select(bank, Selection(subjects=("stats",), chapters=("差异量数", "central-tendency")))
    assert [c.chapter for c in chosen] == ["central-tendency"] * 3 + ["variation"] * 7


def test_concepts_answer_to_id_and_names(bank: Bank) -> None:
    assert concept_named("方差", bank) == concept_named("variance", bank) == concept_named("sta-variance", bank)
    with pytest.raises(UnknownName, match="sta-variance"):
        concept_named("方差数", bank)
    with pytest.raises(UnknownName, match="There is no chapter"):
        select(bank, Selection(subjects=("stats",), chapters=("variations",)))


@pytest.mark.parametrize(("types", "units"), [((), 99), (("mixed",), 7)])
def test_types_decide_the_units(bank: Bank, types: tuple[str, ...], units: int) -> None:
    plan = plan_units(bank, Selection(types=types), PROFILE, PROMPTS, {}, questions=4)
    if types:
        assert {u.prompt_type for u in plan.units} == {"mixed"}
    else:
        assert len(plan.units) == units
        assert all(u.is_primary for u in plan.units)


def test_all_types_are_every_assigned_one(bank: Bank) -> None:
    plan = plan_units(bank, Selection(types=("all",)), PROFILE, PROMPTS, {}, questions=4)
    assert len(plan.units) == sum(len(c.prompt_types) for c in bank)


def test_a_selection_without_a_concept_is_said(bank: Bank) -> None:
    with pytest.raises(InputError, match="no concept of that type"):
        plan_units(
            bank, Selection(concepts=("sta-t-distribution",), types=("mixed",)), PROFILE, PROMPTS, {}, questions=4
        )


def test_neighbours_do_not_depend_on_the_order_of_rows(bank: Bank) -> None:
    one = bank.by_id["sta-variance"]
    assert neighbours(one, bank.concepts) == neighbours(one, list(reversed(bank.concepts)))
    assert neighbours(one, bank.concepts)[0].chapter == "variation"
