"""What the templates show of an item: its texts, differences, and what others said of it. No HTML is made here."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from psygen.curate.desk import History, View, history
from psygen.curate.edits import Piece, difference
from psygen.curate.states import standing
from psygen.records.item import LETTERS
from psygen.records.review import Policy, Revision, Wording
from psygen.store import reviews
from psygen.store.queries import Reader

MOST_COMPARED = 4_000_000
"""Comparing takes time with the product of both lengths; beyond this a text goes out and comes in as a whole."""
FIELDS_ZH = {"stem": "题干", "key": "答案", "explanation": "解析"}


class Change(NamedTuple):
    """A field that differs, as a character difference."""

    label: str
    pieces: Sequence[Piece]


class Candidate(NamedTuple):
    """A wording that may become the item's."""

    revision: Revision
    changes: list[Change]
    """Against the original; none for the original itself."""
    approvals: tuple[str, ...]
    """Reviewers who approve it."""
    is_head: bool
    is_conflict: bool
    """Whether it collides with an earlier proposal."""


class Others(NamedTuple):
    """What everybody said about an item: for those who have judged it themselves."""

    state: str
    why: str
    verdicts: Mapping[str, str]
    """By reviewer, sorted: the last verdict on any wording; an edit counts as modify."""
    head: str
    candidates: list[Candidate]
    history: History


def wording_of(view: View) -> Wording:
    """The wording a view shows; only when it is open."""
    key = tuple(LETTERS.index(letter) for letter in view.key)
    return Wording.model_construct(stem=view.stem, options=view.options, key=key, explanation=view.explanation)


def may_see_others(reader: Reader, policy: Policy, reviewer: str, item_id: str) -> bool:
    """Whether somebody may see what others said: after judging the item, so that first verdicts stay independent.

    The adjudicator may see items that are in no batch of theirs.
    """
    own = [e for e in reader.ask(reviews.events_of, item_id) if e.reviewer == reviewer]
    if any(e.kind == "edit" or (e.kind == "verdict" and e.verdict != "skip") for e in own):
        return True
    return reviewer == policy.adjudicator and not reader.ask(reviews.tasks_of_item, reviewer, item_id)


def others(reader: Reader, policy: Policy, item_id: str) -> Others:
    """Where an item stands, every wording proposed, and who approves which. Raises UnknownName."""
    found = history(reader, item_id)
    revisions = {r.revision: r for r in found.revisions}
    original = next(iter(revisions), found.item.revision)
    stands = standing(found.events, original, policy)
    live = (e for e in found.events if e.seq in found.live and e.kind in ("verdict", "edit"))
    said = {e.reviewer: e.verdict or "modify" for e in live}
    candidates = [
        Candidate(
            revisions[revision],
            changes(revisions[original].wording, revisions[revision].wording),
            who,
            revision == stands.head,
            revision in stands.conflicts,
        )
        for revision, who in stands.approvals.items()
        if revision in revisions
    ]
    # What the events amount to, not the stored state: planted questions have none, and must look like any other.
    return Others(stands.state, stands.why, dict(sorted(said.items())), stands.head, candidates, found)


def changes(old: Wording, new: Wording) -> list[Change]:
    """The fields that differ, each with its character difference."""
    before, after = old.fields(), new.fields()
    return [
        Change(field_label(name), compare(before.get(name, ""), after.get(name, "")))
        for name in {**before, **after}
        if before.get(name) != after.get(name)
    ]


def field_label(name: str) -> str:
    """A field's Chinese name: 题干, 选项 A, 答案, 解析."""
    return FIELDS_ZH.get(name) or f"选项 {name.upper()}"


def compare(old: str, new: str) -> list[Piece]:
    """`old` to `new` character by character, or as a whole when they are too long for that."""
    if len(old) * len(new) <= MOST_COMPARED:
        return difference(old, new)
    return [Piece("out", old), Piece("in", new)]


def revision_names(revisions: Sequence[Revision]) -> Mapping[str, str]:
    """Short names of revisions: #1, #2, …"""
    return {r.revision: f"#{r.number}" for r in revisions}
