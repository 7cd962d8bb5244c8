"""Concepts whose soundness reviewers doubt: a list of its own, for those who keep the bank."""

import json
from typing import NamedTuple

from psygen.curate.states import live_events
from psygen.records.review import Event
from psygen.store import reviews
from psygen.store.queries import Reader


class Doubt(NamedTuple):
    """A concept, the version of its text that was doubted, and the events that doubt it."""

    concept_id: str
    concept: str
    content: str
    """Version of the text: another one may be in the bank by now."""
    descriptions: tuple[str, ...]
    events: tuple[Event, ...]
    """One for each reviewer and item, with the check no or unsure."""

    def as_json(self) -> dict[str, object]:
        """Concept and who said what about it."""
        return {
            "concept_id": self.concept_id,
            "concept": self.concept,
            "content": self.content,
            "descriptions": list(self.descriptions),
            "doubts": [
                {
                    "reviewer": e.reviewer,
                    "item_id": e.item_id,
                    "concept_sound": e.concept_sound,
                    "comment": e.comment,
                    "at": e.at,
                }
                for e in self.events
            ],
        }

    def as_text(self) -> str:
        """The same for people."""
        lines = [f"{self.concept_id}  {self.concept}", *(f"  {text}" for text in self.descriptions)]
        words = {"no": "not sound", "unsure": "unsure"}
        lines += [
            f"  - {e.reviewer} on {e.item_id}: {words[e.concept_sound]}" + (f", “{e.comment}”" if e.comment else "")
            for e in self.events
        ]
        return "\n".join(lines) + "\n"


def doubts_of(reader: Reader) -> list[Doubt]:
    """Doubted concepts, those most often called unsound first. What was said of sentinels does not count."""
    found: dict[str, list[Event]] = {}
    versions = reader.ask(reviews.contents)
    for item_id, events in reader.ask(reviews.all_events).items():
        last = {e.reviewer: e for e in live_events(events) if e.kind == "verdict"}
        for event in last.values():
            if event.concept_sound in ("no", "unsure") and item_id in versions:
                found.setdefault(versions[item_id], []).append(event)
    texts = reader.concept_texts(sorted(found))
    doubts = [
        Doubt(
            texts[content]["concept_id"],
            texts[content]["concept"],
            content,
            tuple(d["text"] for d in json.loads(texts[content]["descriptions"])),
            tuple(sorted(events, key=lambda e: e.seq)),
        )
        for content, events in found.items()
    ]
    return sorted(doubts, key=lambda d: (-sum(e.concept_sound == "no" for e in d.events), d.concept_id))
