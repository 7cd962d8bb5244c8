import subprocess
import sys
from pathlib import Path

import pytest

from psygen.curate.desk import Wanted, contested, history, progress, queue_of, view
from psygen.curate.judge import Entry, Recorded, record, replay
from psygen.errors import InputError, StoreUnusable, UnknownName
from psygen.records.item import Item
from psygen.records.review import Policy
from psygen.runner import lock
from psygen.store.database import Progress, Store
from psygen.store.queries import Filter, Reader
from psygen.store.units import Unit
from tests.curate.small_bank import PROFILE, event, fill

POLICY = Policy(adjudicator="chief")


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "outputs" / "psygen.db"


def say(path: Path, *entries: Entry, policy: Policy = POLICY) -> list[Recorded]:
    with Store(path) as store:
        return record(store, policy, entries)


def shown(path: Path, item: Item) -> Item:
    with Reader(path) as reader:
        return next(reader.items(Filter(ids=(item.id,))))


def test_three_keeps_accept_and_the_row_shows_it(path: Path) -> None:
    item = fill(path)[0]
    states = [say(path, Entry(event(item, who)))[0].standing.state for who in ("r1", "r2", "r3")]
    assert states == ["in_review", "in_review", "accepted"]
    assert shown(path, item).state == "accepted"


def test_an_edit_shows_only_after_three_approvals_of_it(path: Path) -> None:
    item = fill(path)[0]
    [done] = say(path, Entry(event(item, verdict="modify", reason="two_right"), {"b": "新乙"}))
    assert (done.event.merge, done.standing.state, shown(path, item).options[1]) == ("clean", "contested", "乙")
    for who in ("r2", "r3"):
        say(path, Entry(event(item, who, revision=done.event.edit)))
    assert (shown(path, item).state, shown(path, item).options[1]) == ("accepted", "新乙")
    assert shown(path, item).revision == done.event.edit


def test_edits_of_different_fields_are_merged_and_of_the_same_field_collide(path: Path) -> None:
    item = fill(path)[0]
    say(path, Entry(event(item, "r1", "modify"), {"b": "新乙"}))
    [merged] = say(path, Entry(event(item, "r2", "modify"), {"stem": "另一个题干？"}))
    [clash] = say(path, Entry(event(item, "r3", "modify"), {"b": "别的乙"}))
    assert (merged.event.merge, clash.event.merge, clash.event.clash) == ("merged", "conflict", ("b",))
    assert clash.standing.state == "contested"
    with Reader(path) as reader:
        found = history(reader, item.id)
    wordings = {r.revision: r.wording for r in found.revisions}
    assert (wordings[merged.event.edit].stem, wordings[merged.event.edit].options[1]) == ("另一个题干？", "新乙")
    assert wordings[clash.event.edit].options[1] == "别的乙"
    assert shown(path, item).stem == item.stem


def test_key_and_options_changed_by_two_people_collide(path: Path) -> None:
    item = fill(path)[0]
    say(path, Entry(event(item, "r1", "modify"), {"key": "C"}))
    [other] = say(path, Entry(event(item, "r2", "modify"), {"c": "改过的丙"}))
    assert other.event.merge == "conflict"


@pytest.mark.parametrize("text", ["第0题的题干是什么？ ", "第0题的题干是什么？\r\n", "\u00a0第0题的题干是什么？"])
def test_what_nobody_can_see_is_no_edit(path: Path, text: str) -> None:
    item = fill(path)[0]
    [done] = say(path, Entry(event(item, verdict="modify"), {"stem": text}))
    assert done.event.edit == ""


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"b": "甲"}, "Two options are equal"),
        ({"key": "E"}, "must be among A, B, C, D"),
        ({"stem": " "}, "cannot be empty"),
        ({"e": "戊"}, "no field e"),
        ({"stem": "长" * 40_000}, "30,000"),
    ],
)
def test_an_edit_that_makes_no_question_is_refused(path: Path, changes: dict[str, str], said: str) -> None:
    item = fill(path)[0]
    with pytest.raises(InputError, match=said):
        say(path, Entry(event(item, verdict="modify"), changes))


def test_entries_are_taken_all_or_none(path: Path) -> None:
    one, other = fill(path)[:2]
    with pytest.raises(UnknownName, match="no revision"):
        say(path, Entry(event(one)), Entry(event(other, revision="0" * 16)))
    assert shown(path, one).state == "new"


def test_the_same_verdict_twice_is_one(path: Path) -> None:
    item = fill(path)[0]
    assert [d.is_new for d in say(path, Entry(event(item)), Entry(event(item)))] == [True, False]
    say(path, Entry(event(item, verdict="delete")))
    assert say(path, Entry(event(item)))[0].is_new, "one may change one's mind and back"


def test_judging_on_the_page_wants_an_answer_first_and_the_first_one_stays(path: Path) -> None:
    item = fill(path)[0]
    with pytest.raises(InputError, match="has to answer"):
        say(path, Entry(event(item, blind_answer="")))
    say(path, Entry(event(item, kind="answer", blind_answer="C")))
    assert not say(path, Entry(event(item, kind="answer", blind_answer="A")))[0].is_new
    assert say(path, Entry(event(item, blind_answer="A")))[0].event.blind_answer == "C"
    assert say(path, Entry(event(item, "r2", blind_answer="")), policy=Policy(blind=False))[0].is_new


def test_nothing_that_tells_the_key_is_shown_before_the_answer(path: Path) -> None:
    item = fill(path)[0]
    with Reader(path) as reader:
        before = view(reader, POLICY, "r1", item.id)
    assert (before.is_open, before.key, before.explanation, before.concept, before.revisions) == (False, "", "", "", ())
    say(path, Entry(event(item, kind="answer", blind_answer="B")))
    with Reader(path) as reader:
        after = view(reader, POLICY, "r1", item.id)
        assert not view(reader, POLICY, "r2", item.id).is_open
    assert (after.is_open, after.key, after.answer, after.concept) == (True, "A", "B", "概念0")


def test_the_queue_is_what_is_not_judged_yet_skipped_ones_last(path: Path) -> None:
    items = fill(path)
    say(path, Entry(event(items[0])), Entry(event(items[1], verdict="skip")))
    with Reader(path) as reader:
        waiting = [t.item_id for t in queue_of(reader, "r1")]
        assert len(queue_of(reader, "r2")) == 8
        wanted = Wanted(chapters=("correlation",))
        assert [t.item_id for t in queue_of(reader, "r1", wanted)] == [i.id for i in items[4:]]
    assert waiting == [i.id for i in (*items[2:], items[1])]


def test_undo_takes_the_last_word_back_but_not_under_other_peoples_feet(path: Path) -> None:
    item = fill(path)[0]
    [edit] = say(path, Entry(event(item, verdict="modify"), {"b": "新乙"}))
    say(path, Entry(event(item, "r2", revision=edit.event.edit)))
    undo = Entry(event(item, kind="undo", undoes=edit.event.seq))
    with pytest.raises(InputError, match="Others have judged"):
        say(path, undo)
    with pytest.raises(InputError, match="cannot take back"):
        say(path, Entry(event(item, "r3", kind="undo", undoes=edit.event.seq)))
    [keep] = say(path, Entry(event(item, "r3")))
    assert say(path, Entry(event(item, "r3", kind="undo", undoes=keep.event.seq)))[0].standing.state == "contested"
    with Reader(path) as reader:
        assert item.id in [t.item_id for t in queue_of(reader, "r3")]


def test_only_the_adjudicator_settles(path: Path) -> None:
    item = fill(path)[0]
    say(path, Entry(event(item)), Entry(event(item, "r2", "delete")))
    with Reader(path) as reader:
        assert [s.item_id for s in contested(reader)] == [item.id]
    with pytest.raises(InputError, match="the adjudicator is chief"):
        say(path, Entry(event(item, "r1", kind="settle")))
    assert say(path, Entry(event(item, "chief", kind="settle")))[0].standing.state == "accepted"


def test_another_policy_is_replayed_without_asking_anybody(path: Path) -> None:
    item = fill(path)[0]
    say(path, Entry(event(item)))
    with Store(path) as store:
        assert replay(store, Policy(min_reviews=1)) == {item.id: ("in_review", "accepted")}
        assert replay(store, Policy(min_reviews=1)) == {}
    assert shown(path, item).state == "accepted"


def test_progress_counts_by_chapter_and_reviewer(path: Path) -> None:
    items = fill(path)
    say(path, Entry(event(items[0])), Entry(event(items[1], verdict="skip")), Entry(event(items[4], verdict="delete")))
    with Reader(path) as reader:
        found = {(p.chapter, p.reviewer): p for p in progress(reader)}
    assert found["variation", "r1"][3:6] == (4, 1, 1)
    assert found["correlation", "r1"].verdicts == {"keep": 0, "modify": 0, "delete": 1}
    assert found["variation", "r2"].judged == 0


def test_events_cannot_be_changed_or_deleted(path: Path) -> None:
    item = fill(path)[0]
    say(path, Entry(event(item)))
    for sql in ("UPDATE events SET verdict = 'delete'", "DELETE FROM events"):
        with Store(path) as store, pytest.raises(StoreUnusable, match="never"), store.writing() as conn:
            conn.execute(sql)


def test_reviewing_works_while_a_run_holds_its_lock(path: Path) -> None:
    item = fill(path)[0]
    with lock(path):
        assert say(path, Entry(event(item)))[0].is_new


def test_superseded_items_come_back_as_they_stood_in_review(path: Path) -> None:
    item = fill(path)[0]
    for who in ("r1", "r2", "r3"):
        say(path, Entry(event(item, who)))
    with Store(path) as store, store.writing() as conn:
        unit = conn.execute("SELECT unit_id FROM items WHERE id = ?", (item.id,)).fetchone()[0]
    with Store(path) as store:
        store.apply_plan(PROFILE, [], asked=4, stale=[unit], templates={})
        assert shown(path, item).state == "superseded"
        again = Unit(unit, store.concept_of(unit), "theory", "t", 0)
        store.apply_plan(PROFILE, [again], asked=4, stale=[], templates={})
    assert shown(path, item).state == "accepted"


def test_reading_a_reply_again_leaves_what_reviewers_have_before_them(path: Path) -> None:
    item = fill(path)[0]
    with Store(path) as store, store.writing() as conn:
        unit = conn.execute("SELECT unit_id FROM items WHERE id = ?", (item.id,)).fetchone()[0]
    with Store(path) as store:
        read = item.model_copy(update={"stem": "现在读出来的题干？"})
        store.rewrite_unit(unit, [read], [], "E_ANSWER", Progress(unit, "done", ""))
    assert shown(path, item).stem == item.stem


@pytest.mark.parametrize("point", ["in_review:2", "before_review_commit"])
def test_a_kill_in_the_middle_leaves_nothing_half(path: Path, point: str) -> None:
    items = fill(path)
    code = (
        "from pathlib import Path\n"
        "from psygen.curate.judge import Entry, record\n"
        "from psygen.records.review import Policy\n"
        "from psygen.store.database import Store\n"
        "from psygen.store.queries import Filter, Reader\n"
        "from tests.curate.small_bank import event\n"
        f"path = Path({str(path)!r})\n"
        "items = list(Reader(path).items(Filter()))\n"
        "record(Store(path), Policy(), [Entry(event(i)) for i in items])\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], env={"PSYGEN_CRASH_AT": point, "PYTHONPATH": ":".join(sys.path)}, check=False
    )
    assert done.returncode == -9
    with Reader(path) as reader:
        assert all(history(reader, i.id).events == () for i in items)
    assert all(d.is_new for d in say(path, *(Entry(event(i)) for i in items)))
