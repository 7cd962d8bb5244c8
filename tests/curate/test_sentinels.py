import pytest

from psygen.curate.desk import history
from psygen.curate.judge import Entry, record
from psygen.curate.review import Wish, export_batch
from psygen.curate.sentinels import detection, is_detected, plant, said_again
from psygen.records.item import Item
from psygen.records.review import Policy, Wording
from psygen.settings import Settings
from psygen.store import reviews
from psygen.store.database import Store
from psygen.store.queries import Filter, Reader
from psygen.store.reviews import Sentinel
from tests.curate.small_bank import PEOPLE, event, fill
from tests.files.test_sheets import item


def groups() -> list[list[Item]]:
    return [[item(n) for n in range(first, first + 4)] for first in range(0, 24, 4)]


SPARE = [item(n, stem=f"别处的第{n}题？") for n in range(100, 140)]


def test_each_defect_is_what_its_name_says() -> None:
    planted, made = plant(groups(), SPARE, 6, seed=1)
    before = {i.id: i for group in groups() for i in group}
    assert sorted(defect for _, _, defect in made) == sorted(("wrong_key", "two_right", "off_concept") * 2)
    for bad, source_id, defect in made:
        source = before[source_id]
        if defect == "wrong_key":
            assert (bad.stem, bad.options) == (source.stem, source.options)
            assert bad.key != source.key
        elif defect == "two_right":
            assert (bad.stem, bad.key) == (source.stem, source.key)
            changed = [n for n in range(4) if bad.options[n] != source.options[n]]
            assert len(changed) == 1
            assert bad.options[changed[0]] == "即" + source.options[source.key[0]]
        else:
            assert bad.stem.startswith("别处")
            assert bad.concept_id == source.concept_id
    assert [len(g) for g in planted] == [4] * 6


def test_sentinels_are_the_same_for_the_same_seed_and_spare_the_doubtful() -> None:
    assert plant(groups(), SPARE, 4, seed=1) == plant(groups(), SPARE, 4, seed=1)
    assert plant(groups(), SPARE, 4, seed=1) != plant(groups(), SPARE, 4, seed=2)
    flagged = [[i.model_copy(update={"flags": ("similar",)}) for i in group] for group in groups()]
    assert plant(flagged, SPARE, 4, seed=1)[1] == []


@pytest.mark.parametrize(
    ("text", "again"),
    [("25%", "0.25"), ("4.2", "4.20"), ("12", "12.0"), ("-3", "-3.0"), ("标准差", "即标准差"), ("100%", "1")],
)
def test_the_key_is_said_again_with_the_same_meaning(text: str, again: str) -> None:
    assert said_again(text, "zh") == again


def export(workspace: Settings) -> tuple[dict[str, Sentinel], list[str]]:
    fill(workspace.database, 40, batch=())
    wish = Wish(24, sentinels=4)
    export_batch(workspace, Policy(), (), wish, reviewers=PEOPLE, out=workspace.outputs / "review", seed=3)
    with Reader(workspace.database) as reader:
        return reader.ask(reviews.sentinels), [t.item_id for t in reader.ask(reviews.tasks_of, "r1")]


def test_a_sentinel_takes_the_place_of_its_question_and_looks_like_one(workspace: Settings) -> None:
    planted, tasks = export(workspace)
    assert len(planted) == 4
    assert len(tasks) == 24
    assert set(planted) <= set(tasks)
    assert not {s.source_item for s in planted.values()} & set(tasks)
    assert all(len(i) == len(tasks[0]) and i.startswith("psy-") for i in planted)


def test_sentinels_are_nowhere_among_the_items(workspace: Settings) -> None:
    planted, _ = export(workspace)
    one = next(iter(planted.values())).item
    with Store(workspace.database) as store:
        for who in PEOPLE:
            [done] = record(store, Policy(), [Entry(event(one, who))])
    assert done.standing.state == "in_review"
    with Reader(workspace.database) as reader:
        assert not {i.id for i in reader.items(Filter())} & set(planted)
        assert reader.count_items() == 40
        assert len(history(reader, one.id).events) == 3


def test_an_edit_of_a_sentinel_is_taken_like_any_other(workspace: Settings) -> None:
    planted, _ = export(workspace)
    one = next(iter(planted.values())).item
    with Store(workspace.database) as store:
        [done] = record(store, Policy(), [Entry(event(one, verdict="modify"), {"stem": "改过的题干？"})])
    assert done.event.merge == "clean"
    assert Wording.of(one).revision == done.event.revision


def test_detection_counts_verdicts_and_answers_off_the_planted_key(workspace: Settings) -> None:
    planted, _ = export(workspace)
    wrong = next(s for s in planted.values() if s.defect == "wrong_key")
    other = next(s for s in planted.values() if s.defect != "wrong_key")
    letter = wrong.item.key_letters
    not_it = "A" if letter != "A" else "B"
    with Store(workspace.database) as store:
        for who, answer, verdict in (("r1", letter, "keep"), ("r2", not_it, "keep"), ("r3", letter, "delete")):
            seen = Entry(event(wrong.item, who, verdict, blind_answer=answer))
            record(store, Policy(), [seen, Entry(event(other.item, who, "skip"))])
    with Reader(workspace.database) as reader:
        assert [(d.reviewer, d.judged, d.found) for d in detection(reader)] == [
            ("r1", 1, 0),
            ("r2", 1, 1),
            ("r3", 1, 1),
        ]
    assert not is_detected(other, "keep", "A")
