"""Forms as they come from a browser: read with limits, turned into entries for the log."""

from collections.abc import Mapping
from urllib.parse import parse_qsl

from pydantic import ValidationError
from starlette.requests import Request

from psygen.curate.judge import Entry
from psygen.errors import InputError
from psygen.records.item import LETTERS
from psygen.records.review import CHECKS, Event, Wording

MOST_BYTES = 4_000_000
"""Seven texts of the longest kind, every character percent-encoded."""
MOST_FIELDS = 100
MOST_MS = 24 * 3600 * 1000
FORM_TYPE = "application/x-www-form-urlencoded"

Form = Mapping[str, str]


async def read_form(request: Request) -> dict[str, str]:
    """The fields of a form. Raises InputError for another content type, broken text, a field that comes twice."""
    if request.headers.get("content-type", "").split(";")[0].strip().lower() != FORM_TYPE:
        raise InputError(f"Forms are sent as {FORM_TYPE}.")
    try:
        text = (await request.body()).decode("ascii")
        pairs = parse_qsl(text, keep_blank_values=True, errors="strict", max_num_fields=MOST_FIELDS)
    except ValueError as error:
        raise InputError("The form cannot be read; go back and send it again.") from error
    form = dict(pairs)
    if len(form) != len(pairs):
        raise InputError("A field of the form comes twice; go back and send it again.")
    return form


def edited(form: Form, base: Wording) -> dict[str, str]:
    """The fields of a wording as the form has them; empty when it holds none."""
    fields = {name: form[name] for name in base.fields() if name in form and name != "key"}
    if "with_key" in form:
        letters = LETTERS[: len(base.options)]
        fields["key"] = "".join(letter for letter in letters if form.get(f"key_{letter}"))
    return fields


def verdict_entry(form: Form, reviewer: str, item_id: str, base: Wording, earlier_ms: int | None) -> Entry:
    """A verdict with its checks, reason, comment and edits.

    earlier_ms: the time the item was on the screen before the blind answer, if known.
    Raises InputError for what no form of ours sends.
    """
    ms = _ms(form)
    event = event_of(
        kind="verdict",
        reviewer=reviewer,
        item_id=item_id,
        revision=form.get("revision", ""),
        verdict=form.get("verdict", ""),
        **{check: form.get(check, "") for check in CHECKS},
        reason=form.get("reason", ""),
        comment=form.get("comment", ""),
        ms=None if ms is None else min(MOST_MS, ms + (earlier_ms or 0)),
    )
    return Entry(event, edited(form, base) if event.verdict != "skip" else {})


def answer_entry(form: Form, reviewer: str, item_id: str) -> Entry:
    """A blind answer. Raises InputError without a letter."""
    letter = form.get("answer", "")
    if not letter:
        raise InputError("请先选择一个答案。Choose an answer first.")
    fields = {"revision": form.get("revision", ""), "blind_answer": letter, "ms": _ms(form)}
    return Entry(event_of(kind="answer", reviewer=reviewer, item_id=item_id, **fields))


def settle_entry(form: Form, reviewer: str, item_id: str) -> Entry:
    """The adjudicator's decision. Raises InputError for what no form of ours sends."""
    fields = {name: form.get(name, "") for name in ("revision", "verdict", "comment")}
    return Entry(event_of(kind="settle", reviewer=reviewer, item_id=item_id, **fields))


def undo_entry(seq: int, reviewer: str, item_id: str, revision: str) -> Entry:
    """Takes back an event."""
    return Entry(event_of(kind="undo", reviewer=reviewer, item_id=item_id, revision=revision, undoes=seq))


def event_of(**fields: object) -> Event:
    """An event of the page. Raises InputError, in a sentence, for values there are not."""
    try:
        return Event.model_validate({"via": "web", **fields})
    except ValidationError as error:
        fault = error.errors(include_input=False, include_url=False)[0]
        if fault["loc"] == ("verdict",) or "verdict belongs" in fault["msg"]:
            raise InputError("请先选择结论。Choose a verdict first.") from error
        where = ".".join(str(part) for part in fault["loc"])
        raise InputError(f"{where}: {fault['msg']}.".lstrip(": ")) from error


def _ms(form: Form) -> int | None:
    text = form.get("ms", "")
    return min(MOST_MS, int(text)) if text.isascii() and text.isdigit() and len(text) < 12 else None
