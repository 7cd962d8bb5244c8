"""The laws of a split: whole, disjoint, proportional, seeded, and nothing that belongs together is parted."""

import random
from collections import Counter
from math import ceil, floor

from hypothesis import given
from hypothesis import strategies as st

from psygen.curate.divide import Candidate, divide
from psygen.records.benchmark import Split
from psygen.records.split import PUBLISHED, Policy

SHARES: tuple[tuple[Split, int], ...] = (("train", 7), ("dev", 1), ("test", 1), ("reserved", 1))
RULES = st.sampled_from([{}, {"shares": SHARES, "dev": 0, "label": "chapter"}])


def policy(**fields: object) -> Policy:
    values = {"seed": 1, "lang": "zh", "states": ("accepted",), "engines": ("online",)}
    return Policy.model_validate(values | fields)


def candidate(n: int, subject: int, chapter: int, letter: str = "A", is_plain: bool = True) -> Candidate:
    return Candidate(f"psy-{n:012x}", (f"s{subject}", f"c{chapter}"), letter, is_plain)


@st.composite
def banks(draw: st.DrawFn, size: int = 120) -> list[Candidate]:
    rows = draw(
        st.lists(st.tuples(st.integers(0, 2), st.integers(0, 4), st.sampled_from("ABCD"), st.booleans()), max_size=size)
    )
    return [candidate(n, *row) for n, row in enumerate(rows)]


@st.composite
def groups(draw: st.DrawFn, size: int = 120) -> list[list[str]]:
    numbers = st.lists(st.integers(0, size - 1), min_size=2, max_size=4)
    return [[f"psy-{n:012x}" for n in group] for group in draw(st.lists(numbers, max_size=20))]


def sizes(bank: list[Candidate], parts: dict[str, Split], *, depth: int) -> dict[tuple[str, ...], Counter[str]]:
    found: dict[tuple[str, ...], Counter[str]] = {}
    for one in bank:
        found.setdefault(one.place[:depth], Counter())[parts[one.id]] += 1
    return found


@given(banks(), groups(), st.integers(0, 5))
def test_every_question_has_one_part(bank: list[Candidate], together: list[list[str]], dev: int) -> None:
    parts = divide(bank, policy(dev=dev), together=together)
    assert set(parts) == {one.id for one in bank}
    assert set(parts.values()) <= {"dev", "val", "test"}


@given(banks())
def test_counts_are_the_proportions_rounded_up_or_down_in_the_whole_every_subject_and_every_chapter(
    bank: list[Candidate],
) -> None:
    parts = divide(bank, policy())
    share = policy().share("val")
    for depth in (0, 1, 2):
        for counts in sizes(bank, parts, depth=depth).values():
            exact = share * (counts["val"] + counts["test"])
            assert floor(exact) <= counts["val"] <= ceil(exact)
    for counts in sizes(bank, parts, depth=1).values():
        assert counts["dev"] == min(5, counts.total())


@given(banks())
def test_shares_are_even_over_a_label(bank: list[Candidate]) -> None:
    labelled = policy(shares=SHARES, dev=0, label="chapter")
    parts = divide(bank, labelled)
    for counts in sizes(bank, parts, depth=2).values():
        for part, _ in SHARES:
            exact = labelled.share(part) * counts.total()
            assert floor(exact) <= counts[part] <= ceil(exact)


def test_what_rounding_takes_from_a_part_in_one_label_it_gets_in_another() -> None:
    bank = [candidate(n, n, 0) for n in range(1000)]
    counts = Counter(divide(bank, policy(shares=SHARES, dev=0, label="concept_id")).values())
    assert counts == {"train": 700, "dev": 100, "test": 100, "reserved": 100}


def test_the_whole_keeps_its_shares_where_every_label_is_one_group() -> None:
    bank = [candidate(n, n // 4, 0) for n in range(400)]
    siblings = [[one.id for one in bank[n : n + 4]] for n in range(0, 400, 4)]
    counts = Counter(divide(bank, policy(shares=SHARES, dev=0, label="concept_id"), together=siblings).values())
    assert counts == {"train": 280, "dev": 40, "test": 40, "reserved": 40}


@given(banks(), groups(), RULES)
def test_what_belongs_together_is_never_parted(
    bank: list[Candidate], together: list[list[str]], rules: dict[str, object]
) -> None:
    parts = divide(bank, policy(**rules), together=together)
    for group in together:
        assert len({parts[one] for one in group if one in parts}) <= 1


@given(banks(), st.integers(0, 2**32), st.randoms(use_true_random=False))
def test_order_plays_no_part(bank: list[Candidate], seed: int, chance: random.Random) -> None:
    shuffled = chance.sample(bank, len(bank))
    assert divide(shuffled, policy(seed=seed)) == divide(bank, policy(seed=seed))


@given(banks(), groups(), st.integers(0, 120), RULES)
def test_extending_moves_nothing_and_leaves_nothing_out(
    bank: list[Candidate], together: list[list[str]], first: int, rules: dict[str, object]
) -> None:
    old = divide(bank[:first], policy(**rules), together=together)
    new = divide(bank, policy(**rules), kept=old, together=together)
    assert {one: new[one] for one in old} == old
    assert set(new) == {one.id for one in bank}


@given(banks(), st.integers(0, 120))
def test_an_extended_split_is_as_proportional_as_a_new_one(bank: list[Candidate], first: int) -> None:
    share = policy().share("val")
    new = divide(bank, policy(), kept=divide(bank[:first], policy()))
    for counts in sizes(bank, new, depth=1).values():
        exact = share * (counts["val"] + counts["test"])
        assert counts["dev"] == min(5, counts.total())
        assert floor(exact) <= counts["val"] <= ceil(exact)


@given(banks(), groups())
def test_a_quota_is_missed_by_no_more_than_the_largest_group(bank: list[Candidate], together: list[list[str]]) -> None:
    # Each question in one group at most, and every group in one subject.
    home = {one.id: one.place[0] for one in bank}
    seen: set[str] = set()
    apart = []
    for group in together:
        one_home = [one for one in dict.fromkeys(group) if one in home and home[one] == home.get(group[0])]
        if not seen & set(one_home):
            apart.append(one_home)
            seen |= set(one_home)
    parts = divide(bank, policy(), together=apart)
    largest = max([1, *(len(group) for group in apart)])
    share = policy().share("val")
    for counts in sizes(bank, parts, depth=1).values():
        exact = share * (counts["val"] + counts["test"])
        assert abs(counts["val"] - exact) <= largest
        assert min(5, counts.total()) <= counts["dev"] < 5 + largest


def test_a_new_question_follows_the_one_it_resembles() -> None:
    bank = [candidate(n, 0, n % 3) for n in range(200)]
    old = divide(bank[:199], policy())
    for part in ("dev", "val", "test"):
        twin = next(one for one, held in old.items() if held == part)
        assert divide(bank, policy(), kept=old, together=[[bank[199].id, twin]])[bank[199].id] == part


def test_demonstrations_are_spread_over_chapters_and_answer_letters() -> None:
    bank = [candidate(n, 0, n % 7, "ABCD"[n // 7 % 4]) for n in range(280)]
    parts = divide(bank, policy())
    demos = [one for one in bank if parts[one.id] == "dev"]
    assert len({one.place for one in demos}) == 5
    assert sorted(Counter(one.letters for one in demos).values()) == [1, 1, 1, 2]


def test_a_demonstration_has_one_right_answer_of_four_where_there_are_enough() -> None:
    bank = [candidate(n, 0, n % 7, is_plain=n % 10 == 0) for n in range(280)]
    parts = divide(bank, policy())
    assert all(one.is_plain for one in bank if parts[one.id] == "dev")


def test_a_new_demonstration_goes_where_there_is_none_yet() -> None:
    bank = [candidate(n, 0, n % 5, "ABCD"[n % 4]) for n in range(100)]
    kept: dict[str, Split] = {bank[n].id: "dev" for n in (0, 1, 2, 3)}
    parts = divide(bank, policy(), kept=kept)
    assert len({one.place for one in bank if parts[one.id] == "dev"}) == 5


def test_siblings_stay_together_and_the_proportion_is_kept_as_near_as_they_allow() -> None:
    bank = [candidate(n, 0, n // 4 % 12) for n in range(400)]
    siblings = [[one.id for one in bank[n : n + 4]] for n in range(0, 400, 4)]
    counts = Counter(divide(bank, policy(), together=siblings).values())
    exact = policy().share("val") * (400 - counts["dev"])
    assert counts["dev"] == 8
    assert abs(counts["val"] - exact) <= 2


def test_the_published_bank_gives_the_published_counts() -> None:
    questions = (156, 318, 268, 472, 605, 368, 559, 315, 311, 413, 580, 208)
    subjects = [subject for subject, count in enumerate(questions) for _ in range(count)]
    counts = Counter(divide([candidate(n, s, n % 9) for n, s in enumerate(subjects)], policy()).values())
    assert counts == {"dev": 60, **dict(PUBLISHED)}
