"""The page of one item: blind before the answer, whole after it."""

from collections.abc import Mapping

from starlette.responses import Response

from psygen.curate import desk as curate
from psygen.records.review import Event
from psygen.web.calls import Call, page, way
from psygen.web.desk import with_filters
from psygen.web.screens import changes, may_see_others, others, revision_names, wording_of


def item_page(call: Call, fault: str = "", status: int = 200) -> Response:
    """One item: blind before the answer, whole after it; with `fault`, what was typed stays."""
    who, policy = call.who, call.desk.policy
    sees_others = may_see_others(call.reader, policy, who, call.item_id)
    seen = others(call.reader, policy, call.item_id) if sees_others else None
    revision = ""
    if seen is not None:
        # Somebody's proposal is not shown to those who have not judged the item themselves.
        head = seen.head if call.filters.get("from") == "contested" else ""
        revision = call.form.get("revision") or call.query.get("revision") or head
    view = curate.view(call.reader, policy, who, call.item_id, revision)
    context: dict[str, object] = {
        "title": call.item_id,
        "tab": "contested" if call.filters.get("from") == "contested" else "mine",
        "view": view,
        "place": call.desk.names.place(view.subject, view.chapter),
        "way": way(call),
        "fault": fault,
        "act": lambda what: with_filters(f"/item/{call.item_id}/{what}", call.filters),
    }
    if not view.is_open:
        return page(call, "blind.html", status, chosen=call.form.get("answer", ""), **context)
    base = wording_of(view)
    last = view.last if view.last is not None and view.last.revision == view.revision else None
    return page(
        call,
        "judge.html",
        status,
        base=base,
        fields=base.fields(),
        typed=_typed(call, base.fields(), last),
        changes=changes,
        others=seen,
        names_of=revision_names(view.revisions),
        candidate_url=lambda r: with_filters(f"/item/{call.item_id}", {**call.filters, "revision": r}),
        may_settle=bool(policy.adjudicator) and who == policy.adjudicator and seen is not None,
        **context,
    )


def _typed(call: Call, fields: Mapping[str, str], last: Event | None) -> dict[str, str]:
    """What the form shows: what was typed, else what the reviewer said before, else the wording as it is."""
    typed = {**fields}
    if last is not None:
        names = ("verdict", "reason", "comment", "concept_sound", "question_sound", "question_fits", "options_fit")
        typed |= {name: getattr(last, name) for name in names}
    if call.form:
        typed |= {k: v for k, v in call.form.items() if k != "token"}
    if "with_key" in call.form:
        typed["key"] = "".join(name[-1] for name in call.form if name.startswith("key_"))
    return typed
