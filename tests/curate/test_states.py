from itertools import permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from psygen.curate.states import Standing, standing
from psygen.records.review import Event, Policy

STRICT = Policy()
PAPER = Policy(min_reviews=1, adjudicator="chief")
PEOPLE = ("r1", "r2", "r3", "r4")


def said(reviewer: str, verdict: str, revision: str = "a", **fields: object) -> Event:
    kind = fields.pop("kind", "verdict")
    values = {"reviewer": reviewer, "via": "web", "item_id": "psy-1", "revision": revision, "kind": kind}
    return Event.model_validate({**values, "verdict": verdict, **fields})


def edited(reviewer: str, revision: str, to: str, merge: str = "clean", proposal: str = "") -> Event:
    return said(reviewer, "modify", revision, edit=to, proposal=proposal or to, merge=merge)


def after(*events: Event, policy: Policy = STRICT) -> Standing:
    return standing([e.model_copy(update={"seq": n}) for n, e in enumerate(events, 1)], "a", policy)


KEEP3 = [said(r, "keep") for r in ("r1", "r2", "r3")]


@pytest.mark.parametrize(
    ("events", "state"),
    [
        ([], "new"),
        ([said("r1", "skip")], "new"),
        ([said("r1", "", kind="comment", comment="?")], "new"),
        ([said("r1", "keep")], "in_review"),
        ([said("r1", "delete")], "in_review"),
        (KEEP3[:2], "in_review"),
        (KEEP3, "accepted"),
        ([said("r1", "keep")] * 3, "in_review"),
        ([*KEEP3[:2], said("r3", "skip")], "in_review"),
        ([said("r1", "delete"), said("r2", "delete")], "rejected"),
        ([said("r1", "keep"), said("r2", "delete")], "contested"),
        ([said("r1", "modify")], "contested"),
        ([*KEEP3[:2], said("r3", "modify")], "contested"),
        ([*KEEP3, said("r4", "modify")], "accepted"),
        ([*KEEP3, said("r1", "delete"), said("r2", "delete")], "rejected"),
        ([said("r1", "delete"), said("r1", "keep"), *KEEP3[1:]], "accepted"),
        ([*KEEP3, said("r3", "skip")], "in_review"),
    ],
)
def test_verdicts_on_the_original_decide(events: list[Event], state: str) -> None:
    assert after(*events).state == state


def test_a_changed_wording_needs_its_own_three_approvals() -> None:
    events = [*KEEP3[:2], edited("r3", "a", "b"), said("r1", "keep", "b")]
    assert after(*events)[:3] == ("contested", "a", "b")
    assert after(*events).approvals == {"a": ("r1", "r2"), "b": ("r1", "r3")}
    assert after(*events, said("r2", "keep", "b"))[:3] == ("accepted", "b", "b")


def test_a_merge_is_not_approved_by_its_author_before_they_saw_it() -> None:
    events = [edited("r1", "a", "b"), edited("r2", "a", "c", "merged", proposal="x")]
    assert after(*events).approvals == {"a": (), "b": ("r1",), "c": ()}


def test_an_edit_that_collides_is_kept_beside_the_other_and_contested() -> None:
    found = after(edited("r1", "a", "b"), edited("r2", "a", "c", "conflict"))
    assert found[:3] == ("contested", "a", "b")
    assert found.conflicts == ("c",)
    both = [
        edited("r1", "a", "b"),
        edited("r2", "a", "c", "conflict"),
        said("r1", "keep", "c"),
        said("r3", "keep", "c"),
    ]
    assert after(*both)[:2] == ("accepted", "c")


def test_the_accepted_wording_stays_shown_while_another_is_discussed() -> None:
    events = [edited("r1", "a", "b"), said("r2", "keep", "b"), said("r3", "keep", "b"), edited("r1", "b", "c")]
    assert after(*events)[:3] == ("contested", "b", "c")


def test_a_later_proposal_of_one_who_approved_opens_the_question_again() -> None:
    events = [edited("r1", "a", "b"), said("r2", "keep", "b"), said("r3", "keep", "b")]
    assert after(*events).state == "accepted"
    assert after(*events, edited("r2", "a", "c", "conflict"))[:2] == ("contested", "b")


def test_an_undone_event_was_never_there() -> None:
    undo = said("r1", "", kind="undo", undoes=1)
    assert after(edited("r1", "a", "b"), undo)[:3] == ("new", "a", "a")
    assert after(said("r2", "keep"), said("r1", "", kind="undo", undoes=1)).state == "in_review", "only one's own"


def test_one_review_is_enough_under_that_policy_but_dissent_contests() -> None:
    assert after(said("r1", "keep"), policy=PAPER).state == "accepted"
    assert after(said("r1", "keep"), said("r2", "delete"), policy=PAPER).state == "contested"


def test_the_adjudicator_settles_and_a_later_edit_opens_again() -> None:
    events = [said("r1", "keep"), said("r2", "delete"), said("chief", "keep", kind="settle", comment="好题")]
    assert after(*events, policy=PAPER)[:2] == ("accepted", "a")
    assert "好题" in after(*events, policy=PAPER).why
    assert after(*events, said("r3", "delete"), policy=PAPER).state == "accepted"
    assert after(*events, edited("r3", "a", "b"), policy=PAPER).state == "contested"
    assert after(*events, policy=STRICT).state == "contested", "nobody is adjudicator under that policy"


def test_a_sentinel_is_never_decided() -> None:
    events = [e.model_copy(update={"seq": n}) for n, e in enumerate(KEEP3, 1)]
    assert standing(events, "a", STRICT, is_sentinel=True).state == "in_review"


VERDICTS = st.sampled_from(["keep", "modify", "delete", "skip"])


@given(st.lists(VERDICTS, min_size=4, max_size=4), st.sampled_from([STRICT, PAPER]))
def test_the_order_of_independent_verdicts_does_not_matter(verdicts: list[str], policy: Policy) -> None:
    events = [said(who, verdict) for who, verdict in zip(PEOPLE, verdicts, strict=True)]
    found = {(after(*order, policy=policy).state, after(*order, policy=policy).head) for order in permutations(events)}
    assert len(found) == 1


EVENTS = st.one_of(
    st.builds(said, st.sampled_from(PEOPLE), VERDICTS, st.sampled_from("abc")),
    st.builds(edited, st.sampled_from(PEOPLE), st.sampled_from("abc"), st.sampled_from("bcd")),
    st.builds(lambda who, n: said(who, "", kind="undo", undoes=n), st.sampled_from(PEOPLE), st.integers(1, 8)),
)


@given(st.lists(EVENTS, max_size=9))
def test_saying_the_last_thing_twice_changes_nothing(events: list[Event]) -> None:
    again = [*events, events[-1]] if events and events[-1].kind == "verdict" else events
    assert after(*again)[:3] == after(*events)[:3]


@given(st.lists(EVENTS, max_size=9), st.sampled_from(PEOPLE))
def test_doing_and_undoing_changes_nothing(events: list[Event], who: str) -> None:
    there_and_back = [*events, edited(who, "a", "e"), said(who, "", kind="undo", undoes=len(events) + 1)]
    assert after(*there_and_back) == after(*events)


@given(st.lists(EVENTS, max_size=9))
def test_accepted_means_approved(events: list[Event]) -> None:
    found = after(*events)
    if found.state == "accepted":
        assert len(found.approvals[found.revision]) >= 3
    assert found.revision in found.approvals
    assert found.head in found.approvals
