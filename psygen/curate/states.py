"""Where an item stands, as a pure function of its events and the policy. Nothing here knows a database.

The rules, after the checking procedure of ConceptPsy (section 3.3 and figure 6):

* A reviewer has one verdict on a revision: the last one. `skip` is no verdict and takes an earlier one back; an undone
  event counts as if it had never been.
* An edit makes a new revision. Approvals belong to a revision and don't carry over. Proposing a revision is approving
  it, if it is word for word what the reviewer wrote; a merge with somebody else's changes has to be looked at first.
  Who proposes a wording takes back the approvals they gave to others.
* Accepted: an original that all keep, by `min_reviews` of them; a modified or disputed one when `modify_needs`
  reviewers approve the same revision (for a disputed original not fewer than `min_reviews`).
* Rejected: the last verdict of `delete_needs` reviewers is delete, on whichever revision, and no revision has its
  approvals. When a revision has them and as many reviewers would delete that very revision: contested.
* Contested: a modify or an edit, keep against delete, or an edit that collides with an earlier one.
* The adjudicator may settle an item. Verdicts after that change nothing; another edit opens it again.
* A sentinel is never accepted, rejected or contested.
"""

from collections.abc import Iterable, Sequence
from typing import Literal, NamedTuple

from psygen.records.review import Event, Policy

State = Literal["new", "in_review", "accepted", "rejected", "contested"]


class Standing(NamedTuple):
    """Where an item stands."""

    state: State
    revision: str
    """What the item shows: the last wording that was accepted, or the original."""
    head: str
    """The wording under discussion: the last one proposed, or the original."""
    why: str
    """The reason in a sentence."""
    approvals: dict[str, tuple[str, ...]]
    """By revision: the reviewers who approve it, sorted; revisions in the order they were proposed."""
    conflicts: tuple[str, ...] = ()
    """Proposed revisions that collided with an earlier one."""


class _Votes(NamedTuple):
    """What live events amount to."""

    on: dict[tuple[str, str], str]
    """The last verdict by (reviewer, revision)."""
    last: dict[str, tuple[str, str]]
    """Each reviewer's last (revision, verdict), over all revisions."""
    candidates: tuple[str, ...]
    """The original, then what was proposed, in order."""
    head: str
    conflicts: tuple[str, ...]

    def approving(self, revision: str) -> tuple[str, ...]:
        return tuple(sorted(who for (who, on), verdict in self.on.items() if on == revision and verdict == "keep"))

    def saying(self, verdict: str) -> list[str]:
        return sorted(who for who, (_, said) in self.last.items() if said == verdict)


def standing(events: Iterable[Event], original: str, policy: Policy, *, is_sentinel: bool = False) -> Standing:
    """Where an item stands after its events.

    events: all of the item's, in the order of the log. original: the revision the item was made with.
    """
    live = live_events(events)
    votes = _count(live, original)
    if is_sentinel:
        state: State = "in_review" if votes.last else "new"
        return Standing(state, original, original, "", _approvals(votes))
    shown = original
    for end in range(1, len(live) + 1):
        state, revision, _ = _decide(live[:end], original, policy)
        if state == "accepted":
            shown = revision
    state, _, why = _decide(live, original, policy)
    return Standing(state, shown, votes.head, why, _approvals(votes), votes.conflicts)


def live_events(events: Iterable[Event]) -> list[Event]:
    """The events that count: those that are not undone by their own reviewer, without the undoing itself."""
    events = list(events)
    undone = {(e.reviewer, e.undoes) for e in events if e.kind == "undo" and e.undoes < e.seq}
    return [e for e in events if e.kind != "undo" and (e.reviewer, e.seq) not in undone]


def _count(live: Sequence[Event], original: str) -> _Votes:
    on: dict[tuple[str, str], str] = {}
    last: dict[str, tuple[str, str]] = {}
    candidates, conflicts = [original], []
    head = original
    for event in live:
        who = event.reviewer
        if event.kind in ("verdict", "edit"):
            verdict = event.verdict or "modify"
            on.pop((who, event.revision), None)
            if last.get(who, ("",))[0] == event.revision:
                last.pop(who)
            if verdict != "skip":
                on[who, event.revision] = verdict
                last[who] = (event.revision, verdict)
        if event.edit:
            if event.merge == "conflict":
                conflicts.append(event.edit)
            else:
                head = event.edit
            if event.edit not in candidates:
                candidates.append(event.edit)
            for revision in candidates:
                if on.get((who, revision)) == "keep":
                    del on[who, revision]
            if event.edit == event.proposal:
                on[who, event.edit] = "keep"
                last[who] = (event.edit, "keep")
    return _Votes(on, last, tuple(candidates), head, tuple(dict.fromkeys(conflicts)))


def _approvals(votes: _Votes) -> dict[str, tuple[str, ...]]:
    return {revision: votes.approving(revision) for revision in votes.candidates}


def _decide(live: Sequence[Event], original: str, policy: Policy) -> tuple[State, str, str]:
    """State, the revision it speaks of, and why."""
    settled = _settlement(live, policy)
    if settled is not None:
        return settled
    votes = _count(live, original)
    deletes = votes.saying("delete")
    agreed = _agreed(votes, original, policy)
    if agreed:
        against = [who for who in deletes if votes.last[who][0] == agreed]
        approving = votes.approving(agreed)
        if len(against) >= policy.delete_needs:
            return "contested", agreed, f"{_names(approving)} approve it, {_names(against)} would delete it"
        return "accepted", agreed, f"{_names(approving)} approve the same wording"
    if len(deletes) >= policy.delete_needs:
        return "rejected", votes.head, f"{_names(deletes)} would delete it"
    if why := _dispute(votes, original, policy):
        return "contested", votes.head, why
    if votes.last:
        return "in_review", votes.head, f"judged by {_names(sorted(votes.last))}, {policy.min_reviews} are needed"
    return "new", votes.head, "nobody has judged it yet"


def _settlement(live: Sequence[Event], policy: Policy) -> tuple[State, str, str] | None:
    """What the adjudicator decided, unless somebody proposed another wording since."""
    for event in reversed(live):
        if event.edit:
            return None
        if event.kind == "settle" and policy.adjudicator and event.reviewer == policy.adjudicator:
            state: State = "accepted" if event.verdict == "keep" else "rejected"
            return (
                state,
                event.revision,
                f"settled by {event.reviewer}" + (f": {event.comment}" if event.comment else ""),
            )
    return None


def _agreed(votes: _Votes, original: str, policy: Policy) -> str:
    """The revision that has its approvals; of several the one most reviewers stand by now, then the later; or ""."""
    disputed = bool(_dispute(votes, original, policy))
    found = []
    for place, revision in enumerate(votes.candidates):
        needed = policy.modify_needs
        if revision == original:
            needed = max(policy.min_reviews, policy.modify_needs) if disputed else policy.min_reviews
        if len(votes.approving(revision)) >= needed:
            backers = sum(last == (revision, "keep") for last in votes.last.values())
            found.append((backers, place, revision))
    return max(found)[2] if found else ""


def _dispute(votes: _Votes, original: str, policy: Policy) -> str:
    """What reviewers disagree about, in a sentence; empty when they don't."""
    modify, delete, keep = votes.saying("modify"), votes.saying("delete"), votes.saying("keep")
    if votes.conflicts:
        return f"proposed wordings collide ({len(votes.conflicts)} with an earlier one); compare them"
    if votes.head != original:
        approving = votes.approving(votes.head)
        said = f"{_names(approving)} of {policy.modify_needs} approve" if approving else "nobody has approved"
        return f"a changed wording was proposed; {said} it"
    if modify:
        return f"{_names(modify)} would modify it"
    if delete and keep:
        return f"{_names(keep)} would keep it, {_names(delete)} would delete it"
    return ""


def _names(people: Sequence[str]) -> str:
    return ", ".join(people)
