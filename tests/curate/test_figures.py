from collections.abc import Sequence

import krippendorff
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from psygen.curate.figures import ReviewFigures, Work, review_figures
from psygen.metrics.agreement import ALL_EQUAL, NOTHING_SHARED
from psygen.metrics.rates import Rate
from psygen.records.review import Event
from psygen.store.judged import ItemCount, Original

REVIEWERS = ("r1", "r2", "r3")


def said(seq: int, reviewer: str, item: int = 0, **fields: object) -> Event:
    """A verdict on the original, `keep` unless told; other kinds come without one."""
    values: dict[str, object] = {"seq": seq, "reviewer": reviewer, "item_id": f"i{item}", "revision": "rev"}
    values |= {"via": "web", "kind": "verdict"} | fields
    if values["kind"] == "verdict":
        values.setdefault("verdict", "keep")
    return Event.model_validate(values)


def figures(events: Sequence[Event], items: int = 1, work: dict[str, Work] | None = None) -> ReviewFigures:
    """Figures of so many items, i0 and on, whose original is `rev` and whose key is A."""
    bank = [Original(f"i{n}", "rev", "A") for n in range(items)]
    return review_figures([], bank, events, REVIEWERS, work=work or {}, seed=1)


def verdicts(found: ReviewFigures, reviewer: int = 0) -> dict[str, int]:
    return {verdict: rate.part for verdict, rate in found.reviewers[reviewer].verdicts.items() if rate.part}


def test_a_reviewers_first_verdict_counts_and_no_later_one() -> None:
    found = figures([said(1, "r1", verdict="delete"), said(2, "r1", verdict="keep")])
    assert verdicts(found) == {"delete": 1}
    assert found.reviewers[0].judged == found.begun == 1


def test_a_verdict_that_was_taken_back_and_a_skip_are_none() -> None:
    slip = [said(1, "r1", verdict="delete"), said(2, "r1", kind="undo", undoes=1), said(3, "r1", verdict="modify")]
    assert verdicts(figures(slip)) == {"modify": 1}
    assert verdicts(figures([said(1, "r1", verdict="skip"), said(2, "r1")])) == {"keep": 1}
    assert figures([said(1, "r1", verdict="skip")]).begun == 0


def test_a_verdict_on_a_later_wording_is_no_independent_one() -> None:
    assert figures([said(1, "r1", revision="rev2")]).begun == 0


def test_proposing_another_wording_is_a_modify() -> None:
    assert verdicts(figures([said(1, "r1", kind="edit", edit="rev2", proposal="rev2")])) == {"modify": 1}


def test_blind_answers_count_as_first_given_on_the_original() -> None:
    events = [
        said(1, "r1", kind="answer", blind_answer="B"),
        said(2, "r1", blind_answer="A"),
        said(3, "r2", blind_answer="A"),
        said(4, "r2", item=1, revision="rev2", blind_answer="A"),
    ]
    found = figures(events, 2)
    assert [r.blind for r in found.reviewers] == [Rate(0, 1), Rate(1, 1), Rate(0, 0)]


def test_keys_that_most_blind_answers_contradict_are_named_the_surest_first() -> None:
    letters = {0: "AAB", 1: "BCA", 2: "CCC", 3: "BAA"}
    events = [
        said(1 + 3 * item + n, who, item=item, kind="answer", blind_answer=answers[n])
        for item, answers in letters.items()
        for n, who in enumerate(REVIEWERS)
    ]
    found = figures(events, 4).contradicted
    assert [(c.item, c.key, "".join(c.answers.values())) for c in found] == [("i2", "A", "CCC"), ("i1", "A", "BCA")]


def test_yield_is_accepted_of_decided_by_subject_chapter_kind_and_model() -> None:
    states = {"accepted": 5, "rejected": 1, "contested": 2, "new": 4, "superseded": 7}
    counts = [ItemCount("statistics", "c", "theory", "a", state, n) for state, n in states.items()]
    counts.append(ItemCount("statistics", "d", "theory", "b", "rejected", 3))
    found = review_figures(counts, [], [], REVIEWERS, work={}, seed=1)
    groups = {(g.by, g.name): g for g in found.groups}
    assert groups["", ""].yielded == groups["subject", "statistics"].yielded == Rate(5, 9)
    assert [groups["model", m].yielded for m in "ab"] == [Rate(5, 6), Rate(0, 3)]
    assert [groups["chapter", c].yielded for c in "cd"] == [Rate(5, 6), Rate(0, 3)]
    assert found.items == sum(groups["kind", "theory"].states.values()) == 15


def test_agreement_is_the_oracles_over_first_verdicts_with_gaps() -> None:
    codes = np.random.default_rng(1).choice([-1, 0, 0, 0, 1, 2], (60, 3))
    events = [
        said(1 + 3 * item + who, REVIEWERS[who], item=item, verdict=("keep", "modify", "delete")[code])
        for (item, who), code in np.ndenumerate(codes)
        if code >= 0
    ]
    found = {aspect.name: aspect for aspect in figures(events, 60).aspects}
    gaps = np.where(codes < 0, np.nan, codes).T
    whole = krippendorff.alpha(gaps, level_of_measurement="nominal")
    delete = krippendorff.alpha(np.where(np.isnan(gaps), np.nan, gaps == 2), level_of_measurement="nominal")
    assert found["verdict"].agreement.alpha.value == pytest.approx(whole, abs=1e-6)
    assert found["delete"].agreement.alpha.value == pytest.approx(delete, abs=1e-6)
    assert found["verdict"].shares["delete"] == Rate(int((codes == 2).sum()), len(events))


def test_checks_agree_on_their_own() -> None:
    checks = {"r1": ("yes", "no"), "r2": ("yes", "no"), "r3": ("yes", "")}
    events = [
        said(1 + n, who, item=item, concept_sound=checks[who][item])
        for n, (item, who) in enumerate((i, w) for i in (0, 1) for w in REVIEWERS)
    ]
    found = {aspect.name: aspect for aspect in figures(events, 2).aspects}
    assert found["concept_sound"].agreement.alpha.value == 1
    assert found["concept_sound"].shares["no"] == Rate(2, 5)
    assert found["options_fit"].agreement.alpha.undefined == NOTHING_SHARED
    assert found["verdict"].agreement.alpha.undefined == ALL_EQUAL


def test_who_judged_nothing_has_no_pair() -> None:
    found = figures([said(1, "r1"), said(2, "r3")])
    assert list(found.aspects[0].pairs) == [("r1", "r3")]
    assert [r.judged for r in found.reviewers] == [1, 0, 1]


def test_time_is_the_median_of_the_items_whose_time_is_known() -> None:
    events = [said(n + 1, "r1", item=n, ms=ms) for n, ms in enumerate([10_000, 30_000, None, 90_000])]
    found = figures(events, 4).reviewers[0]
    assert (found.median_ms, found.timed) == (30_000, 3)
    assert figures(events, 4).reviewers[1].median_ms is None


def test_what_a_reviewer_was_given_comes_beside() -> None:
    found = figures([], work={"r2": Work(7, Rate(2, 3), {"wrong_key": Rate(2, 3)})}).reviewers
    assert [r.defects for r in found] == [{}, {"wrong_key": Rate(2, 3)}, {}]
    assert [(r.assigned, r.sentinels) for r in found] == [(0, Rate(0, 0)), (7, Rate(2, 3)), (0, Rate(0, 0))]


def test_events_of_sentinels_and_strangers_do_not_count() -> None:
    assert figures([said(1, "r1", item=9), said(2, "r9")]).begun == 0


@given(st.permutations([(item, who) for item in range(4) for who in REVIEWERS]))
def test_the_order_in_which_reviewers_worked_changes_nothing(order: list[tuple[int, str]]) -> None:
    events = [
        said(n + 1, who, item=item, verdict=("keep", "delete")[(item + int(who[1])) % 2], blind_answer="B")
        for n, (item, who) in enumerate(order)
    ]
    straight = sorted(events, key=lambda e: (e.item_id, e.reviewer))
    assert figures(events, 4) == figures([e.model_copy(update={"seq": n}) for n, e in enumerate(straight, 1)], 4)
