from collections import Counter
from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from psygen.curate.batches import Sharing, batch_id, draw_groups, share_out
from psygen.records.item import Item
from tests.files.test_sheets import item

THREE = ("r1", "r2", "r3")


def shared(items: list[Item], size: int, sharing: Sharing = Sharing(3), seed: int = 1) -> dict[str, list[Item]]:  # noqa: B008
    groups = draw_groups(items, size=size, seed=seed)
    return share_out(groups, batch=batch_id(groups, seed), reviewers=THREE, seed=seed, sharing=sharing)


def test_a_batch_is_the_same_for_all_and_ordered_for_each() -> None:
    items = [item(n) for n in range(80)]
    sheets = shared(items, 40)
    sets = [{i.id for i in sheets[who]} for who in THREE]
    assert sets[0] == sets[1] == sets[2]
    assert len(sets[0]) == 40
    orders = [[i.id for i in sheets[who]] for who in THREE]
    assert orders[0] != orders[1]
    assert shared(items, 40) == sheets


def test_a_batch_takes_chapters_in_turn_and_keeps_siblings_together() -> None:
    shown = shared([item(n) for n in range(80)], 40)["r1"]
    by_chapter = [i.chapter for i in shown]
    assert by_chapter.count("variation") == by_chapter.count("correlation") == 20
    concepts = [i.concept_id for i in shown]
    assert sum(a != b for a, b in pairwise(concepts)) == len(set(concepts)) - 1


def test_a_batch_may_be_larger_than_what_waits() -> None:
    assert len(shared([item(1), item(2)], 100)["r1"]) == 2


@given(st.integers(1, 3), st.sampled_from([0.0, 0.2, 0.5, 1.0]), st.integers(0, 99))
def test_every_item_gets_its_reviews_and_the_overlap_goes_to_all(each: int, overlap: float, seed: int) -> None:
    items = [item(n) for n in range(160)]
    counts = Counter(i.id for own in shared(items, 160, Sharing(each, overlap), seed).values() for i in own)
    assert set(counts) == {i.id for i in items}
    assert set(counts.values()) <= {each, 3}
    if each < 3:
        assert abs(sum(n == 3 for n in counts.values()) / 160 - overlap) <= 4 / 160


@given(st.integers(1, 2), st.integers(0, 99))
def test_every_chapter_is_dealt_out_evenly(each: int, seed: int) -> None:
    sheets = shared([item(n) for n in range(160)], 160, Sharing(each, 0.0), seed)
    for chapter in ("variation", "correlation"):
        counts = [sum(i.chapter == chapter for i in own) for own in sheets.values()]
        assert max(counts) - min(counts) <= 4


def test_doubtful_questions_come_first() -> None:
    flags = {50: ("similar",), 70: ("similar",), 3: ("long_key",)}
    items = [item(n, flags=flags.get(n, ())) for n in range(80)]

    def concepts(wanted: tuple[str, ...], size: int) -> set[str]:
        return {i.concept_id for group in draw_groups(items, size=size, seed=1, first=wanted) for i in group}

    assert concepts(("similar",), 8) == {"sta-c12", "sta-c17"}
    assert concepts(("any",), 12) == {"sta-c12", "sta-c17", "sta-c0"}
