"""The whole life of an item: concept, request, reply, its wordings with author and difference, every verdict."""

import json
from collections.abc import Mapping
from typing import NamedTuple

from psygen.curate.desk import History, history
from psygen.curate.edits import Piece, difference
from psygen.curate.states import Standing, standing
from psygen.errors import UnknownName
from psygen.records.review import Event, Policy, Revision, Wording
from psygen.store.queries import Reader


class Life(NamedTuple):
    """An item from its concept to its last verdict."""

    history: History
    standing: Standing
    origin: Mapping[str, object]
    """Concept text, template, request, reply (Reader.origin)."""

    def as_json(self) -> dict[str, object]:
        """Everything but the raw reply's bytes, in the order it happened."""
        item = self.history.item
        return {
            "id": item.id,
            "state": item.state,
            "why": self.standing.why,
            "concept_id": item.concept_id,
            "concept": self.origin.get("concept"),
            "request_id": item.request_id,
            "template": self.origin.get("template"),
            "engine": item.engine,
            "model": item.model,
            "created_at": item.created_at,
            "revisions": [
                {
                    "number": r.number,
                    "revision": r.revision,
                    "parent": r.parent,
                    "author": r.author,
                    "at": r.at,
                    **r.wording.fields(),
                    "changes": [{"field": n, "difference": [tuple(p) for p in d]} for n, d in _changes(self, r)],
                    "approvals": list(self.standing.approvals.get(r.revision, ())),
                }
                for r in _wordings(self.history)
            ],
            "events": [
                {**e.model_dump(mode="json"), "counts": e.seq in self.history.live} for e in self.history.events
            ],
        }

    def as_text(self) -> str:
        """A page for people; the reviewers' texts are data in it, nothing else."""
        item, found = self.history.item, self.standing
        lines = [f"{item.id}  {item.state}" + (f": {found.why}" if found.why else "")]
        if self.origin:
            lines += [
                f"concept   {item.concept_id} {self.origin['concept']}, version {self.origin['content']}",
                *(f"          {d['text']}" for d in json.loads(str(self.origin["descriptions"]))),
                f"request   {item.request_id}, sent {self.origin['sent_at']}, template {self.origin['template']}",
                f"reply     question {item.position + 1} of the answer of {item.engine} {self.origin['model']} "
                f"(psygen replies show {item.id})",
            ]
        for revision in _wordings(self.history):
            lines += ["", *self._revision_lines(revision)]
        lines += ["", *(self._event_line(e) for e in self.history.events)]
        return "\n".join(lines) + "\n"

    def _revision_lines(self, revision: Revision) -> list[str]:
        marks = [f"by {revision.author}"] + ([revision.at] if revision.at else [])
        approving = self.standing.approvals.get(revision.revision, ())
        marks += [f"approved by {', '.join(approving)}"] if approving else []
        marks += ["collides with an earlier one"] if revision.revision in self.standing.conflicts else []
        marks += ["shown"] if revision.revision == self.history.item.revision else []
        lines = [f"revision {revision.number} ({revision.revision}), {', '.join(marks)}"]
        changes = _changes(self, revision)
        if not changes:
            names = {"stem": "stem", "key": "key", "explanation": "why"}
            return lines + [f"  {names.get(n, n.upper()):<6}{text}" for n, text in revision.wording.fields().items()]
        marks_of = {"same": ("", ""), "out": ("[-", "-]"), "in": ("{+", "+}")}
        for name, pieces in changes:
            text = "".join(marks_of[p.kind][0] + p.text + marks_of[p.kind][1] for p in pieces)
            lines.append(f"  {name.upper() if len(name) == 1 else name}: {text}")
        return lines

    def _event_line(self, event: Event) -> str:
        numbers = {r.revision: r.number for r in self.history.revisions}
        on = f"revision {numbers.get(event.revision, '?')}"
        parts = [f"{event.seq:>6}  {event.at}  {event.reviewer:<8} {event.verdict or event.kind} {on}"]
        if event.kind == "settle":
            parts.append("(settled)")
        if event.blind_answer:
            parts.append(f"answered {event.blind_answer}")
        checks = [f"{name}={value}" for name, value in event.checks.items() if value]
        parts += [" ".join(checks)] if checks else []
        parts += [event.reason] if event.reason else []
        if event.edit:
            parts.append(f"proposed revision {numbers.get(event.edit, '?')} ({event.merge})")
        if event.undoes:
            parts.append(f"takes back {event.undoes}")
        if event.comment:
            parts.append(f"“{event.comment}”")
        if event.kind != "undo" and event.seq not in self.history.live:
            parts.append("(taken back)")
        return "  ".join(parts)


def life_of(reader: Reader, policy: Policy, item_id: str) -> Life:
    """The life of an item. Raises UnknownName."""
    found = history(reader, item_id)
    original = found.revisions[0].revision if found.revisions else found.item.revision
    return Life(found, standing(found.events, original, policy), reader.origin(item_id) or {})


def decided(reader: Reader, item_id: str, decision: str) -> tuple[str, str]:
    """Verdict and revision meant by keep, delete, a revision's number or its hash. Raises UnknownName."""
    found = history(reader, item_id)
    if decision in ("keep", "delete"):
        return decision, found.item.revision
    for revision in _wordings(found):
        if decision in (str(revision.number), revision.revision):
            return "keep", revision.revision
    raise UnknownName(f"{item_id} has no revision {decision}; see: psygen review log {item_id}")


def _wordings(found: History) -> tuple[Revision, ...]:
    """The item's wordings; its present one when nobody has spoken of it yet."""
    item = found.item
    author = f"{item.engine} {item.model}"
    original = Revision(item.id, item.revision, 1, "", Wording.of(item), author, item.created_at)
    return found.revisions or (original,)


def _changes(life: Life, revision: Revision) -> list[tuple[str, list[Piece]]]:
    """What a revision changed against its parent, by field."""
    parent = next((r for r in life.history.revisions if r.revision == revision.parent), None)
    if parent is None:
        return []
    old, new = parent.wording.fields(), revision.wording.fields()
    return [(name, difference(old[name], new[name])) for name in new if old[name] != new[name]]
