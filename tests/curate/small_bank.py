"""A small store with questions in a batch, for tests of review."""

from collections.abc import Sequence
from pathlib import Path

from psygen.records.exchange import Profile, Reply, Request
from psygen.records.item import Item
from psygen.records.review import Event
from psygen.store.database import Progress, Reading, Store
from psygen.store.units import Unit, unit_id
from tests.conftest import concept
from tests.files.test_sheets import item

PROFILE = Profile(engine="offline", model="offline")
PEOPLE = ("r1", "r2", "r3")


def fill(path: Path, count: int = 8, *, batch: Sequence[str] = PEOPLE, per_concept: int = 4) -> list[Item]:
    """Make a database with `count` questions, four a concept, all in batch b1 of some reviewers; the questions."""
    items = []
    with Store(path) as store:
        run = store.start_run(PROFILE, {})
        for first in range(0, count, per_concept):
            one = concept(f"sta-c{first // per_concept}", concept=f"概念{first}")
            unit = Unit(unit_id(PROFILE, one, "theory", "t"), one, "theory", "t", first)
            store.apply_plan(PROFILE, [unit], asked=4, stale=[], templates={"t": ("name", {})})
            ask = Request(
                profile=PROFILE,
                unit_id=unit.id,
                concept_id=one.id,
                prompt_type="theory",
                questions=4,
                body={"n": first},
            )
            journal = store.journal(run)
            reply = Reply(request_id=ask.id, call_id=journal.intend([ask])[0], state="received", raw=b"{}")
            journal.settle([reply])
            made = [
                item(n, request_id=ask.id, concept_id=one.id, position=n - first, options=tuple("甲乙丙丁"))
                for n in range(first, min(first + per_concept, count))
            ]
            store.save_reading([Reading(reply, made, Progress(unit.id, "done", ""), "ok")])
            items += made
        if batch:
            store.note_batch("b1", 1, {who: [(i.id, i.revision) for i in items] for who in batch})
    return items


def event(item_: Item, reviewer: str = "r1", verdict: str = "keep", **fields: object) -> Event:
    """A verdict on an item as it was made, with a blind answer."""
    kind = fields.get("kind", "verdict")
    values: dict[str, object] = {"reviewer": reviewer, "via": "web", "item_id": item_.id, "revision": item_.revision}
    if kind in ("verdict", "settle"):
        values["verdict"] = verdict
    if kind == "verdict":
        values["blind_answer"] = "A"
    return Event.model_validate({"kind": kind, **values, **fields})
