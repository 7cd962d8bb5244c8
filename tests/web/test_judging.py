"""Judging by forms alone, as a browser without JavaScript does."""

import re
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from psygen.curate.desk import history
from psygen.curate.judge import Entry, record
from psygen.records.item import Item
from psygen.records.review import Policy
from psygen.settings import Settings
from psygen.store.database import Store
from psygen.store.queries import Reader
from psygen.store.reviews import Sentinel
from tests.curate.small_bank import event
from tests.web.table import ORIGIN, concept_of, fill, settings_in, sit_down

TIME = re.compile(r"\d{4}-\d\d-\d\d[T ][\d:]+")


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    return settings_in(tmp_path)


def state(settings: Settings, one: Item) -> str:
    with Reader(settings.database) as reader:
        return next(i.state for i in reader.items() if i.id == one.id)


def said(settings: Settings, one: Item) -> list[tuple[str, str, str]]:
    with Reader(settings.database) as reader:
        return [(e.reviewer, e.kind, e.verdict or e.blind_answer) for e in history(reader, one.id).events]


def test_before_the_answer_nothing_that_tells_the_key_is_in_the_page(settings: Settings) -> None:
    [one] = fill(settings.database, ["题干是什么？"], "秘密的描述")
    [r1] = sit_down(settings, "r1")
    blind = r1.client.get(f"/item/{one.id}").text
    for secret in ("秘密的描述", "知识点名", "解析：", "longest_is_key", "is-key", "offline"):
        assert secret not in blind
    after = r1.send(f"/item/{one.id}/answer", revision=one.revision, answer="B")
    for told in ("秘密的描述", "知识点名", "解析：", "longest_is_key", "is-key", "我选 B，答案是 A"):
        assert told in after


def test_the_first_answer_stays(settings: Settings) -> None:
    [one] = fill(settings.database, ["题？"])
    [r1] = sit_down(settings, "r1")
    for letter in "BA":
        r1.send(f"/item/{one.id}/answer", revision=one.revision, answer=letter)
    assert said(settings, one) == [("r1", "answer", "B")]


def test_nothing_is_judged_before_it_is_answered(settings: Settings) -> None:
    [one] = fill(settings.database, ["题？"])
    [r1] = sit_down(settings, "r1")
    form = {"token": r1.token(), "revision": one.revision, "verdict": "keep"}
    done = r1.client.post(f"/item/{one.id}/verdict", data=form, headers=ORIGIN)
    assert done.status_code == 400
    assert "is-key" not in done.text
    assert said(settings, one) == []


def test_others_words_are_shown_only_after_ones_own_verdict(settings: Settings) -> None:
    [one] = fill(settings.database, ["题？"])
    r1, r2 = sit_down(settings, "r1", "r2")
    r1.judge(one, verdict="modify", stem="悄悄改过的题？", comment="悄悄话")
    with Reader(settings.database) as reader:
        head = history(reader, one.id).revisions[1].revision
    pages = ("/item/{}", f"/item/{{}}?revision={head}&from=contested", "/history/{}", "/contested", "/agreement")
    for answered in (False, True):
        for path in pages:
            assert "悄悄" not in r2.client.get(path.format(one.id)).text, (path, answered)
        r2.send(f"/item/{one.id}/answer", revision=one.revision, answer="A")
    r2.send(f"/item/{one.id}/verdict", revision=one.revision, verdict="keep")
    for path in pages[:4]:
        assert "悄悄" in r2.client.get(path.format(one.id)).text, path


def test_three_who_keep_a_question_accept_it_and_each_goes_on_to_the_next(settings: Settings) -> None:
    one, other = fill(settings.database, ["第一题？", "第二题？"])
    for table in sit_down(settings, "r1", "r2", "r3"):
        assert f"{other.id}</code>" in table.judge(one)
    assert state(settings, one) == "accepted"
    assert state(settings, other) == "new"


def test_a_changed_text_is_a_proposal_that_three_must_approve(settings: Settings) -> None:
    [one] = fill(settings.database, ["题？"])
    r1, r2, r3 = sit_down(settings, "r1", "r2", "r3")
    r1.judge(one, verdict="modify", stem="改过的题？", with_key="1", key_B="B")
    with Reader(settings.database) as reader:
        head = history(reader, one.id).revisions[1]
    assert (head.wording.stem, head.wording.key_letters) == ("改过的题？", "B")
    for table in (r2, r3):
        table.judge(one, verdict="delete" if table is r3 else "keep")
        assert state(settings, one) == "contested"
    for table in (r2, r3):
        page = table.client.get(f"/item/{one.id}?from=contested").text
        assert "<ins>改过的</ins>" in page
        table.send(f"/item/{one.id}/verdict?from=contested", revision=head.revision, verdict="keep")
    assert state(settings, one) == "accepted"
    with Reader(settings.database) as reader:
        assert next(reader.items()).stem == "改过的题？"


def test_the_adjudicator_settles_and_nobody_else(settings: Settings) -> None:
    [one] = fill(settings.database, ["题？"])
    r1, r2 = sit_down(settings, "r1", "r2")
    r1.judge(one, verdict="keep")
    r2.judge(one, verdict="delete")
    form = {"token": r2.token(), "revision": one.revision, "verdict": "delete"}
    assert r2.client.post(f"/item/{one.id}/settle", data=form, headers=ORIGIN).status_code == 400
    assert state(settings, one) == "contested"
    r1.send(f"/item/{one.id}/settle", revision=one.revision, verdict="delete", comment="理由")
    assert state(settings, one) == "rejected"


def test_the_last_verdict_is_taken_back_even_after_a_restart(settings: Settings) -> None:
    one, other = fill(settings.database, ["第一题？", "第二题？"])
    [r1] = sit_down(settings, "r1")
    r1.judge(one, verdict="delete")
    r1.judge(other)
    [again] = sit_down(settings, "r1")
    assert f"{other.id}</code>" in again.send("/undo")
    assert f"{one.id}</code>" in again.send("/undo")
    assert "Nothing to undo" in again.send("/undo")
    assert [kind for _, kind, _ in said(settings, one)] == ["answer", "verdict", "undo"]


def test_a_refused_form_keeps_what_was_typed(settings: Settings) -> None:
    [one] = fill(settings.database, ["题？"])
    [r1] = sit_down(settings, "r1")
    r1.send(f"/item/{one.id}/answer", revision=one.revision, answer="A")
    form = {"token": r1.token(), "revision": one.revision, "verdict": "modify", "b": "丙", "stem": "打了很久的字"}
    done = r1.client.post(f"/item/{one.id}/verdict", data=form, headers=ORIGIN)
    assert done.status_code == 400
    assert "打了很久的字</textarea>" in done.text


def test_a_skipped_question_comes_back_last(settings: Settings) -> None:
    one, other = fill(settings.database, ["第一题？", "第二题？"])
    [r1] = sit_down(settings, "r1")
    page = r1.send(f"/item/{one.id}/verdict", revision=one.revision, verdict="skip")
    assert f"{other.id}</code>" in page
    page = r1.judge(other)
    assert f"{one.id}</code>" in page


def test_colliding_edits_are_said_to_collide(settings: Settings) -> None:
    [one] = fill(settings.database, ["题？"])
    r1, r2 = sit_down(settings, "r1", "r2")
    r1.judge(one, verdict="modify", stem="甲的题？")
    assert "相冲突" in r2.judge(one, verdict="modify", stem="乙的题？")
    assert state(settings, one) == "contested"


def test_the_queue_can_be_narrowed_to_a_subject(settings: Settings) -> None:
    [one] = fill(settings.database, ["题？"])
    [r1] = sit_down(settings, "r1")
    assert one.id in r1.client.get("/mine?subject=statistics").text
    assert one.id not in r1.client.get("/mine?subject=learning").text
    assert "subject=statistics" in str(r1.client.get("/next?subject=statistics").url)


def test_figures_come_by_themselves_and_anew_when_somebody_judges(settings: Settings) -> None:
    one, other = fill(settings.database, ["第一题？", "第二题？"])
    r1, r2 = sit_down(settings, "r1", "r2")
    r1.judge(one)
    r2.judge(one)
    assert "http-equiv" in r1.client.get("/agreement").text
    r1.desk.figures.wait()
    page = r1.client.get("/agreement").text
    assert "http-equiv" not in page
    assert "undefined: all verdicts equal" in page
    r1.judge(other, verdict="delete")
    assert "http-equiv" in r1.client.get("/agreement").text
    r1.desk.figures.wait()


def test_a_question_can_be_judged_while_another_process_writes(settings: Settings) -> None:
    one, other = fill(settings.database, ["第一题？", "第二题？"])
    [r1] = sit_down(settings, "r1")
    with Store(settings.database) as store:
        r1.judge(one)
        record(store, Policy(), [Entry(event(other, "r2"))])
        r1.judge(other)
    assert len(said(settings, other)) == 3


def test_a_comment_is_kept_in_the_history(settings: Settings) -> None:
    [one] = fill(settings.database, ["题？"])
    [r1] = sit_down(settings, "r1")
    r1.judge(one)
    assert "回头再议" in r1.send(f"/item/{one.id}/comment", revision=one.revision, comment="回头再议")
    assert said(settings, one)[-1] == ("r1", "comment", "")


def test_a_planted_question_looks_like_any_other(settings: Settings) -> None:
    one, other = fill(settings.database, ["甲题？", "乙题？"], people=())
    planted = other.model_copy(update={"id": "psy-feedfeedfeed", "key": one.key})
    with Store(settings.database) as store:
        rows = [(i.id, i.revision) for i in (one, planted)]
        sentinel = Sentinel(planted, "b2", other.id, "wrong_key", concept_of().content)
        store.note_batch("b2", 1, {"r1": rows}, [sentinel])
    [r1] = sit_down(settings, "r1")
    for question in (one, planted):
        r1.judge(question, verdict="modify", comment="改", reason="wrong_key")
    r1.client.get("/mine")
    for path in ("/item/{}", "/history/{}"):
        shown = [r1.client.get(path.format(question.id)).text for question in (one, planted)]
        assert "sentinel" not in shown[1]
        like = shown[1].replace(planted.id, one.id).replace("乙题？", "甲题？").replace(planted.revision, one.revision)
        # Their seconds may differ.
        assert TIME.sub("", like) == TIME.sub("", shown[0])


def test_everything_said_at_the_same_time_is_kept(settings: Settings) -> None:
    items = fill(settings.database, [f"第{n}题？" for n in range(5)])
    tables = sit_down(settings, "r1", "r2", "r3")
    with ThreadPoolExecutor(3) as pool:
        for done in [pool.submit(lambda t=table: [t.judge(one) for one in items]) for table in tables]:
            done.result()
    assert [state(settings, one) for one in items] == ["accepted"] * 5
    assert all(len(said(settings, one)) == 6 for one in items)
