"""Requests of units: what exactly is sent to which engine."""

from collections.abc import Mapping, Sequence
from typing import Any, Protocol

from psygen.engines.offline.engine import VERSION
from psygen.engines.online.forms import FORMS, Form, next_form, request_body
from psygen.ids import text_hash
from psygen.prompts import Prompts
from psygen.records.concept import Bank, Concept
from psygen.records.exchange import Request
from psygen.settings import ServerSettings
from psygen.store.database import Store
from psygen.store.units import Unit
from psygen.text import letters_only

NEIGHBOURS = 40
"""How many neighbouring concepts an offline request carries."""


class Tasks(Protocol):
    """Makes the bodies of requests."""

    def body(self, unit: Unit, questions: int, held: Sequence[str], *, too_long: int = 0) -> Mapping[str, Any]:
        """What is sent for a unit: so many questions beside the stems it holds.

        too_long: how many replies of the unit were cut at the output limit; each doubles the limit.
        """
        ...

    def may_ask_again(self, request: Request) -> bool:
        """Whether a request the server could not take is worth asking in another form."""
        ...

    def answered(self, request: Request) -> None:
        """The server took a request of this form."""
        ...


class OfflineTasks:
    """Bodies for the offline engine: the concept and its neighbours by content hash, hashed like messages."""

    def __init__(self, bank: Bank, seed: int) -> None:
        self._seed = seed
        self._by_subject: dict[str, list[Concept]] = {}
        for concept in bank:
            self._by_subject.setdefault(concept.subject, []).append(concept)

    def body(self, unit: Unit, questions: int, held: Sequence[str], *, too_long: int = 0) -> Mapping[str, Any]:
        """The task of a unit."""
        near = neighbours(unit.concept, self._by_subject.get(unit.concept.subject, []))
        return {
            "task": "offline",
            "version": VERSION,
            "seed": self._seed,
            "concept": unit.concept.content,
            "neighbours": [c.content for c in near],
            "prompt_type": unit.prompt_type,
            "template": unit.template,
            "questions": questions,
            "held": sorted(letters_only(stem) for stem in held),
        }

    def may_ask_again(self, request: Request) -> bool:
        """Never: there is one form."""
        return False

    def answered(self, request: Request) -> None:
        """Nothing to learn."""


class OnlineTasks:
    """Bodies for a server: rendered messages and parameters, in the form the server is known to take."""

    def __init__(self, bank: Bank, prompts: Prompts, settings: ServerSettings, lang: str, store: Store) -> None:
        self._bank, self._prompts, self._settings, self._lang, self._store = bank, prompts, settings, lang, store
        self._place = f"form {settings.base_url} {settings.model}"
        self._known = store.recall(self._place) if settings.form == "auto" else settings.form
        self.form: Form = next((f for f in FORMS if f == self._known), "schema")

    def body(self, unit: Unit, questions: int, held: Sequence[str], *, too_long: int = 0) -> Mapping[str, Any]:
        """Messages and parameters for a unit."""
        subject = self._bank.subject(unit.concept.subject)
        messages = self._prompts.render(
            unit.concept, subject, unit.prompt_type, lang=self._lang, questions=questions, held=held
        )
        limit = self._settings.output_limit
        longer = limit * 2**too_long if limit is not None and too_long else None
        return request_body(self._settings, messages, unit.prompt_type, self.form, output_limit=longer)

    def may_ask_again(self, request: Request) -> bool:
        """Step down to the next form if the server refused the present one."""
        if self._settings.form != "auto":
            return False
        used = _form_of(request)
        if used == self.form:
            lower = next_form(self.form)
            if lower is None:
                return False
            self.form = lower
        return True

    def answered(self, request: Request) -> None:
        """Remember the form the server took, once."""
        if self._settings.form == "auto" and self._known != self.form and _form_of(request) == self.form:
            self._known = self.form
            self._store.remember(self._place, self.form)


def _form_of(request: Request) -> Form:
    kind = (request.body.get("response_format") or {}).get("type")
    return "schema" if kind == "json_schema" else "json" if kind == "json_object" else "text"


def neighbours(concept: Concept, others: Sequence[Concept]) -> list[Concept]:
    """The nearest concepts of the subject: same section first, then same chapter, then the same kind elsewhere.

    The order of rows plays no part, so that a re-sorted file asks the same.
    """

    def distance(other: Concept) -> tuple[int, str]:
        same_kind = bool(concept.kind) and other.kind == concept.kind
        if other.chapter == concept.chapter:
            near = 0 if other.heading == concept.heading else 1
        else:
            near = 3
        return near + (0 if same_kind else 2), text_hash(f"{concept.id}/{other.id}", 12)

    return sorted((o for o in others if o.id != concept.id), key=distance)[:NEIGHBOURS]
