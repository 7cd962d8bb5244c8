"""Taking in what reviewers say: checked, appended to the log, and the items' states derived anew, in one transaction.

The page, the sheets and the command line all come here. Nothing holds the run lock: reviewing goes on while questions
are being made.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import NamedTuple

from psygen.crash import crash_point
from psygen.curate.edits import changed, merge, tidy
from psygen.curate.states import Standing, live_events, standing
from psygen.errors import InputError, UnknownName
from psygen.records.item import Item
from psygen.records.review import Event, Policy, Revision, Wording
from psygen.store import reviews
from psygen.store.connection import Connection
from psygen.store.database import Store


class Entry(NamedTuple):
    """Something a reviewer does: the event, and with an edit the fields that change."""

    event: Event
    """Without seq, time, proposal, edit and merge; those are filled in here."""
    changes: Mapping[str, str] = {}
    """New texts by field (stem, a, b, c, d, key, explanation) against the event's revision; others stay."""


class Recorded(NamedTuple):
    """What became of an entry."""

    event: Event
    """As stored; as it was before, when the entry says nothing new."""
    standing: Standing
    """Where the item stands after all entries."""
    is_new: bool = True


class _Case(NamedTuple):
    """An item (or sentinel) under review with all that was said about it."""

    item: Item
    is_sentinel: bool
    revisions: dict[str, Revision]
    events: list[Event]

    @property
    def original(self) -> str:
        return next(iter(self.revisions))


def record(store: Store, policy: Policy, entries: Iterable[Entry]) -> list[Recorded]:
    """Take in entries, all or none of them; what became of each, in their order.

    An entry that repeats what the reviewer said before is not stored again.
    Raises UnknownName for an item or revision there is not, InputError for what is not allowed.
    """
    with store.writing() as conn:
        return record_within(conn, policy, entries)


def record_within(
    conn: Connection,
    policy: Policy,
    entries: Iterable[Entry],
    on_refusal: Callable[[Entry, InputError], object] | None = None,
) -> list[Recorded]:
    """`record` inside a transaction of the caller's; with `on_refusal` a refused entry is told there and left out."""
    cases: dict[str, _Case] = {}
    done = []
    for entry in entries:
        item_id = entry.event.item_id
        try:
            case = cases.get(item_id) or _open(conn, item_id)
            cases[item_id] = case
            done.append(_take(conn, policy, case, entry))
        except InputError as error:
            # Entries are refused before anything of theirs is written.
            if on_refusal is None:
                raise
            on_refusal(entry, error)
        crash_point("in_review")
    stands = {item_id: _settle(conn, policy, case) for item_id, case in cases.items()}
    crash_point("before_review_commit")
    return [Recorded(event, stands[event.item_id], is_new) for event, is_new in done]


def replay(store: Store, policy: Policy) -> dict[str, tuple[str, str]]:
    """Derive the state of every item anew under a policy; what changed, by item: state before and after."""
    moved: dict[str, tuple[str, str]] = {}
    with store.writing() as conn:
        for item_id in reviews.all_events(conn):
            before = reviews.stand_of(conn, item_id)
            after = _settle(conn, policy, _open(conn, item_id))
            if before is not None and before.state != after.state:
                moved[item_id] = (before.state, after.state)
    return moved


def blind_answer(events: Sequence[Event], event: Event) -> str:
    """The letter a reviewer chose first, in the log or in the event itself; empty for none."""
    earlier = (e.blind_answer for e in events if e.reviewer == event.reviewer and e.blind_answer)
    return next(earlier, event.blind_answer)


def _open(conn: Connection, item_id: str) -> _Case:
    """The item with its log. Its wording becomes revision 1 as soon as somebody speaks of it."""
    item = reviews.item_named(conn, item_id)
    is_sentinel = item is None
    if item is None:
        planted = reviews.sentinels(conn, [item_id])
        if item_id not in planted:
            raise UnknownName(f"There is no item {item_id}. See: psygen items list.")
        item = planted[item_id].item
    found = reviews.revisions_of(conn, item_id)
    if not found:
        author = f"{item.engine} {item.model}"
        reviews.add_revision(conn, item_id, Wording.of(item), parent="", author=author, at=item.created_at)
        found = reviews.revisions_of(conn, item_id)
    return _Case(item, is_sentinel, {r.revision: r for r in found}, reviews.events_of(conn, item_id))


def _take(conn: Connection, policy: Policy, case: _Case, entry: Entry) -> tuple[Event, bool]:
    """Check one entry and append it; the event, and whether it says anything new."""
    event = entry.event.model_copy(update={"comment": tidy(entry.event.comment)})
    _refuse_forbidden(policy, case, event)
    if event.kind == "undo":
        _refuse_undo(case, event)
    if event.via == "web" and event.kind == "verdict":
        # After the key was seen nobody answers blind: the first answer stays.
        event = event.model_copy(update={"blind_answer": blind_answer(case.events, event)})
    wording = _proposed(case, event, entry.changes)
    if wording is not None:
        event = event.model_copy(update={"proposal": wording.revision})
    if known := _said_before(case, event):
        return known, False
    if wording is not None:
        event = _merged(conn, case, event, wording)
    event = reviews.add_event(conn, event)
    case.events.append(event)
    return event, True


def _refuse_forbidden(policy: Policy, case: _Case, event: Event) -> None:
    if case.item.state == "invalid":
        raise InputError(f"{event.item_id} is invalid ({case.item.reject_code}) and not under review.")
    if event.revision not in case.revisions:
        raise UnknownName(f"{event.item_id} has no revision {event.revision}; it was judged on a text not known here.")
    if event.kind == "settle" and (not policy.adjudicator or event.reviewer != policy.adjudicator):
        who = policy.adjudicator or "nobody; set adjudicator in psygen.toml"
        raise InputError(f"{event.reviewer} cannot settle {event.item_id}: the adjudicator is {who}.")
    is_judging = event.kind == "edit" or (event.kind == "verdict" and event.verdict != "skip")
    if policy.blind and event.via == "web" and is_judging and not blind_answer(case.events, event):
        raise InputError(f"{event.reviewer} has to answer {event.item_id} before judging it.")


def _refuse_undo(case: _Case, event: Event) -> None:
    target = next((e for e in case.events if e.seq == event.undoes), None)
    if target is None or target.reviewer != event.reviewer or target.kind in ("undo", "answer"):
        raise InputError(f"{event.reviewer} cannot take back event {event.undoes} of {event.item_id}.")
    if target.edit and any(
        e.reviewer != event.reviewer and target.edit in (e.revision, e.edit) for e in live_events(case.events)
    ):
        raise InputError(f"Others have judged that wording of {event.item_id} already; propose another one instead.")


def _proposed(case: _Case, event: Event, changes: Mapping[str, str]) -> Wording | None:
    """The wording as the reviewer wrote it; None when nothing changes that can be seen."""
    base = case.revisions[event.revision].wording
    wording = changed(base, changes) if changes else base
    if wording == base:
        if event.kind == "edit":
            raise InputError(f"Nothing is changed in {event.item_id}; approve it, or change something.")
        return None
    if event.kind != "edit" and event.verdict != "modify":
        raise InputError(f"{event.item_id} has a changed text and the verdict {event.verdict}; write modify.")
    return wording


def _said_before(case: _Case, event: Event) -> Event | None:
    """The event by which the reviewer said the same already.

    A sheet says nothing new if it says what was ever said, so that an old copy changes nothing; elsewhere only the last
    word counts, so that one may change one's mind and back.
    """
    said = event.said
    if event.kind == "answer":
        return next((e for e in case.events if e.reviewer == event.reviewer and e.blind_answer), None)
    if event.kind in ("comment", "undo", "settle"):
        return next((e for e in live_events(case.events) if e.said == said and e.undoes == event.undoes), None)
    if event.via == "sheet":
        return next((e for e in case.events if e.said == said), None)
    own = [e for e in live_events(case.events) if e.reviewer == event.reviewer and e.kind in ("verdict", "edit")]
    return own[-1] if own and own[-1].said == said else None


def _merged(conn: Connection, case: _Case, event: Event, wording: Wording) -> Event:
    """The event with what came of its edit; the new revision is kept."""
    head = _head(case)
    made = merge(case.revisions[event.revision].wording, case.revisions[head].wording, wording)
    parent, result = head, made.wording
    if result is None:
        update: dict[str, object] = {"merge": "conflict", "clash": made.clash}
        parent, result = event.revision, wording
    else:
        update = {"merge": "clean" if result == wording else "merged"}
    if result.revision not in case.revisions:
        reviews.add_revision(conn, event.item_id, result, parent=parent, author=event.reviewer)
        number = len(case.revisions) + 1
        case.revisions[result.revision] = Revision(
            event.item_id, result.revision, number, parent, result, event.reviewer, ""
        )
    return event.model_copy(update={**update, "edit": result.revision})


def _head(case: _Case) -> str:
    """The revision under discussion: what further edits are merged with."""
    edits = [e.edit for e in live_events(case.events) if e.edit and e.merge != "conflict"]
    return edits[-1] if edits else case.original


def _settle(conn: Connection, policy: Policy, case: _Case) -> Standing:
    """Derive where the item stands and let its row show it."""
    found = standing(case.events, case.original, policy, is_sentinel=case.is_sentinel)
    if not case.is_sentinel:
        stand = reviews.Stand(case.item.id, found.state, found.revision, found.head, found.why)
        reviews.set_stand(conn, stand, case.revisions[found.revision].wording)
    return found
