import pytest

from psygen.checks.bank import chapter_stats, syllabus_faults
from psygen.checks.health import bank_health
from psygen.records.concept import Bank
from tests.files.test_sheets import item


def test_an_even_bank_raises_no_alarm() -> None:
    items = [item(n, stem=f"{'甲乙丙丁戊己庚辛'[n % 8] * (5 + n)}是什么？") for n in range(40)]
    health = bank_health(items)[0]
    assert (health.subject, health.kind, health.items) == ("statistics", "", 40)
    assert health.key_share == {"A": 0.25, "B": 0.25, "C": 0.25, "D": 0.25}
    assert health.longest_is_key == pytest.approx(0.25)
    assert health.alarms == ()


def test_each_alarm_is_raised() -> None:
    items = [item(0, id=f"psy-{n:012x}", options=("这是一个很长很长的正确选项", "乙", "丙", "丁")) for n in range(30)]
    health = bank_health(items)[0]
    said = " ".join(health.alarms)
    assert "letter A is the key in 100%" in said
    assert "the longest option is the key in 100%" in said
    assert "over 1.5 x its distractors in 100%" in said
    assert "29 stems stand twice" in said
    assert (health.exact_duplicates, health.near_duplicates) == (29, 29)


def test_engines_are_kept_apart_and_a_tie_for_longest_is_shared() -> None:
    items = [item(0), item(1, engine="online", model="m")]
    found = bank_health(items)
    assert [(h.engine, h.kind) for h in found] == [
        ("offline", ""),
        ("offline", "theory"),
        ("online", ""),
        ("online", "theory"),
    ]
    assert found[0].longest_is_key == pytest.approx(0.25)
    assert found[0].exact_duplicates == 0


def test_few_items_raise_no_alarm_and_none_give_nothing() -> None:
    assert bank_health([item(0), item(4)])[0].alarms == ()
    assert bank_health([]) == []


def test_statistics_covers_its_syllabus(bank: Bank) -> None:
    only = Bank([bank.subject("statistics")], bank.concepts)
    assert syllabus_faults(only) == []
    assert sum(s.concepts for s in chapter_stats(only)) == 99


def test_what_a_bank_lacks_is_said(bank: Bank) -> None:
    less = Bank([bank.subject("statistics")], bank.concepts[1:])
    assert syllabus_faults(less)[0] == "statistics > basic-concepts: 2 concepts, the syllabus requires 3."
