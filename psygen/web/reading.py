"""What can be looked at: the queue, contested items, progress, agreement, histories. Nothing is changed here."""

from starlette.responses import Response

from psygen.curate import desk as curate
from psygen.store import reviews
from psygen.web.calls import Call, go, page, queue
from psygen.web.desk import item_url, wanted_of, with_filters
from psygen.web.item import item_page
from psygen.web.screens import changes, may_see_others, others, revision_names

MOST_CONTESTED = 20
"""Contested items on one page, those longest at rest first; settled ones make room for others."""


def show_home(call: Call) -> Response:
    """The front door leads to the queue."""
    return go("/mine")


def show_mine(call: Call) -> Response:
    """A reviewer's queue, and what they have judged."""
    everything = curate.queue_of(call.reader, call.who)
    places = call.reader.ask(reviews.places, call.who)
    said = call.reader.ask(reviews.last_verdicts, call.who)
    subjects: dict[str, int] = {}
    for task in everything:
        subject = places[task.item_id].subject
        subjects[subject] = subjects.get(subject, 0) + 1
    chosen = set(wanted_of(call.filters).subjects)
    waiting = [task for task in everything if not chosen or places[task.item_id].subject in chosen]
    return page(
        call,
        "mine.html",
        title="我的 Mine",
        tab="mine",
        subjects=subjects,
        waiting=waiting,
        places=places,
        said=said,
        judged=[i for i, verdict in reversed(said.items()) if verdict != "skip" and i in places],
        item_url=lambda item_id: item_url(item_id, call.filters),
        next_url=with_filters("/next", call.filters),
    )


def show_next(call: Call) -> Response:
    """Where the queue goes on."""
    waiting = queue(call)
    return go(item_url(waiting[0].item_id, call.filters) if waiting else with_filters("/mine", call.filters))


def show_item(call: Call) -> Response:
    """One item."""
    return item_page(call)


def show_contested(call: Call) -> Response:
    """What reviewers disagree about; before the own verdict without what others said."""
    rows = []
    stands = curate.contested(call.reader)
    for stand in stands[:MOST_CONTESTED]:
        is_open = may_see_others(call.reader, call.desk.policy, call.who, stand.item_id)
        said = others(call.reader, call.desk.policy, stand.item_id).verdicts if is_open else {}
        view = curate.view(call.reader, call.desk.policy, call.who, stand.item_id, stand.head if is_open else "")
        place = call.desk.names.place(view.subject, view.chapter)
        url = _contested_url(stand.item_id, stand.head if is_open else "")
        rows.append({"stand": stand, "view": view, "place": place, "is_open": is_open, "said": said, "url": url})
    return page(call, "contested.html", title="有争议 Contested", tab="contested", rows=rows, count=len(stands))


def show_progress(call: Call) -> Response:
    """How far everyone is in every chapter, and how many items stand where."""
    names = call.desk.names
    lines = sorted(curate.progress(call.reader), key=lambda line: names.rank(line.subject, line.chapter))
    people = list(dict.fromkeys(line.reviewer for line in lines))
    subjects: dict[str, dict[str, dict[str, curate.Line]]] = {}
    for line in lines:
        subjects.setdefault(line.subject, {}).setdefault(line.chapter, {})[line.reviewer] = line
    return page(
        call,
        "progress.html",
        title="进度 Progress",
        tab="progress",
        people=sorted(people),
        subjects=subjects,
        totals={who: _total([line for line in lines if line.reviewer == who]) for who in people},
        states=curate.states(call.reader),
    )


def _total(lines: list[curate.Line]) -> dict[str, int]:
    verdicts = {v: sum(line.verdicts[v] for line in lines) for v in ("keep", "modify", "delete")}
    return {
        "assigned": sum(line.assigned for line in lines),
        "judged": sum(line.judged for line in lines),
        "skipped": sum(line.skipped for line in lines),
        **verdicts,
    }


def show_agreement(call: Call) -> Response:
    """How far reviewers agree; the newest figures there are."""
    shown = call.desk.figures.look(call.reader)
    contradicted = shown.figures.contradicted if shown.figures else ()
    # A key is told only to those who have judged the question.
    told = [c for c in contradicted if may_see_others(call.reader, call.desk.policy, call.who, c.item)]
    return page(
        call,
        "agreement.html",
        title="一致性 Agreement",
        tab="agreement",
        shown=shown,
        figures=shown.figures,
        contradicted=told,
        untold=len(contradicted) - len(told),
    )


def show_history(call: Call) -> Response:
    """Everything that was said about an item, for those who have judged it."""
    view = curate.view(call.reader, call.desk.policy, call.who, call.item_id)
    place = call.desk.names.place(view.subject, view.chapter)
    context: dict[str, object] = {"title": f"历史 {call.item_id}", "tab": "", "view": view, "place": place}
    if not (view.is_open and may_see_others(call.reader, call.desk.policy, call.who, call.item_id)):
        return page(call, "closed.html", **context)
    seen = others(call.reader, call.desk.policy, call.item_id)
    wordings = {r.revision: r.wording for r in seen.history.revisions}
    return page(
        call,
        "history.html",
        others=seen,
        names_of=revision_names(seen.history.revisions),
        changes={
            r.revision: changes(wordings[r.parent], r.wording) for r in seen.history.revisions if r.parent in wordings
        },
        **context,
    )


def _contested_url(item_id: str, revision: str = "") -> str:
    return with_filters(f"/item/{item_id}", {"from": "contested", **({"revision": revision} if revision else {})})
