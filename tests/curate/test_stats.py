import pytest

from psygen.curate.judge import Entry, record
from psygen.curate.stats import review_stats
from psygen.errors import StoreUnusable
from psygen.metrics.rates import Rate
from psygen.records.review import Policy
from psygen.settings import Settings
from psygen.store.database import Store
from psygen.store.reviews import Sentinel
from tests.curate.small_bank import event, fill


def test_without_a_database_there_is_nothing_to_count(workspace: Settings) -> None:
    with pytest.raises(StoreUnusable):
        review_stats(workspace)


def test_an_accepted_change_leaves_the_first_wording_the_measure(workspace: Settings) -> None:
    item = fill(workspace.database, 4)[0]
    with Store(workspace.database) as store:
        changes = {"stem": "另一个题干是什么？", "key": "B"}
        first = event(item, "r1", "modify", reason="wrong_key")
        [done] = record(store, Policy(min_reviews=1, modify_needs=2), [Entry(first, changes)])
        approval = event(item, "r2").model_copy(update={"revision": done.event.edit, "blind_answer": "B"})
        record(store, Policy(min_reviews=1, modify_needs=2), [Entry(event(item, "r2", "skip")), Entry(approval)])
    found = review_stats(workspace)
    assert found.groups[0].states["accepted"] == 1
    assert [r.judged for r in found.reviewers] == [1, 0, 0]
    assert [r.blind for r in found.reviewers] == [Rate(1, 1), Rate(1, 1), Rate(0, 0)]


def test_sentinels_count_for_detection_and_for_nothing_else(workspace: Settings) -> None:
    items = fill(workspace.database, 8)
    planted = items[0].model_copy(update={"id": "psy-feedfeedfeed", "key": (1,)})
    with Store(workspace.database) as store:
        rows = {who: [(planted.id, planted.revision)] for who in ("r1", "r2")}
        store.note_batch("b2", 1, rows, [Sentinel(planted, "b2", items[0].id, "wrong_key", "c")])
        said = [event(planted, "r1", "delete", reason="wrong_key"), event(planted, "r2", blind_answer="B")]
        record(store, Policy(), [Entry(e) for e in [*said, event(items[1], "r1")]])
    found = review_stats(workspace)
    assert [r.sentinels for r in found.reviewers] == [Rate(1, 1), Rate(0, 1), Rate(0, 0)]
    assert found.reviewers[1].defects == {"wrong_key": Rate(0, 1)}
    assert (found.items, found.begun) == (8, 1)
    assert [(r.assigned, r.judged) for r in found.reviewers] == [(8, 1), (8, 0), (8, 0)]


def test_a_reviewer_the_settings_do_not_name_is_shown_last(workspace: Settings) -> None:
    item = fill(workspace.database, 4)[0]
    with Store(workspace.database) as store:
        record(store, Policy(), [Entry(event(item, "guest"))])
    assert [r.reviewer for r in review_stats(workspace).reviewers] == ["r1", "r2", "r3", "guest"]
