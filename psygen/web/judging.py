"""What a form does: answer, judge, settle, comment, undo. Each is one entry in the log, in a transaction of its own."""

from starlette.exceptions import HTTPException
from starlette.responses import Response

from psygen.curate import desk as curate
from psygen.curate.judge import Entry, Recorded, record
from psygen.errors import InputError, UnknownName
from psygen.records.review import VERDICTS_ZH
from psygen.store import reviews
from psygen.store.database import Store
from psygen.store.desk import last_said
from psygen.web.calls import Call, draft_key, go, way
from psygen.web.desk import item_url, with_filters
from psygen.web.forms import answer_entry, event_of, settle_entry, undo_entry, verdict_entry
from psygen.web.item import item_page
from psygen.web.screens import may_see_others, wording_of


def answer(call: Call) -> Response:
    """A blind answer; then the item is shown whole."""
    try:
        _record(call, answer_entry(call.form, call.who, call.item_id))
    except UnknownName:
        raise
    except InputError as error:
        return item_page(call, str(error), 400)
    return go(item_url(call.item_id, call.filters))


def verdict(call: Call) -> Response:
    """A verdict with its edits; then the next item of the queue."""
    try:
        after = _after(call)
        view = curate.view(call.reader, call.desk.policy, call.who, call.item_id, call.form.get("revision", ""))
        own = [e for e in call.reader.ask(reviews.events_of, call.item_id) if e.reviewer == call.who]
        answer_ms = next((e.ms for e in own if e.kind == "answer"), None)
        # The time before the blind answer belongs to the first verdict only.
        is_first = all(e.kind == "answer" for e in own)
        entry = verdict_entry(call.form, call.who, call.item_id, wording_of(view), answer_ms if is_first else None)
        done = _record(call, entry)
    except UnknownName:
        raise
    except InputError as error:
        return item_page(call, str(error), 400)
    call.session.said = _what_was_said(done)
    call.session.done = draft_key(call, call.item_id, entry.event.revision)
    return go(after)


def _after(call: Call) -> str:
    """Where to go when this item is done: the one that follows it in its queue."""
    if call.filters.get("from") == "contested":
        return "/contested"
    return way(call).after or with_filters("/next", call.filters)


def _what_was_said(done: Recorded) -> str:
    """What became of a verdict, in a sentence. Not where the item stands: that would tell planted questions apart."""
    event = done.event
    said = f"已记下 {event.item_id}：{VERDICTS_ZH.get(event.verdict, '修改')}"
    if event.merge == "merged":
        return f"{said}；你的修改与他人的修改已合并，请再看一遍。Merged with another edit; please look at it again."
    if event.merge == "conflict":
        return f"{said}；你的修改与他人的修改相冲突，已列入“有争议”。It collides with another edit; see Contested."
    return f"{said}。Noted."


def settle(call: Call) -> Response:
    """The adjudicator's decision on a contested item."""
    if not may_see_others(call.reader, call.desk.policy, call.who, call.item_id):
        raise HTTPException(403)
    try:
        _record(call, settle_entry(call.form, call.who, call.item_id))
    except UnknownName:
        raise
    except InputError as error:
        return item_page(call, str(error), 400)
    call.session.said = f"已裁定 {call.item_id}。Settled."
    return go("/contested")


def comment(call: Call) -> Response:
    """A comment for the history."""
    fields = {"revision": call.form.get("revision", ""), "comment": call.form.get("comment", "")}
    if not fields["comment"].strip():
        raise InputError("备注是空的。The comment is empty.")
    _record(call, Entry(event_of(kind="comment", reviewer=call.who, item_id=call.item_id, **fields)))
    call.session.said = "已记下备注。Comment noted."
    return go(f"/history/{call.item_id}")


def undo(call: Call) -> Response:
    """Take back the reviewer's last verdict and show its item again."""
    said = call.reader.ask(last_said, call.who)
    if said is None:
        call.session.said = "没有可以撤回的结论。Nothing to undo."
        return go("/mine")
    [target] = [e for e in call.reader.ask(reviews.events_of, said.item_id) if e.seq == said.seq]
    _record(call, undo_entry(said.seq, call.who, said.item_id, target.revision))
    call.session.said = f"已撤回 {said.item_id} 的结论。Undone."
    return go(item_url(said.item_id, call.filters))


def _record(call: Call, entry: Entry) -> Recorded:
    """Append an entry, in a transaction of its own; another process may be writing at the same time."""
    with Store(call.desk.settings.database) as store:
        [done] = record(store, call.desk.policy, [entry])
    return done
