"""A question: what is asked, what is offered, which options are right, and where it comes from."""

from collections.abc import Mapping
from typing import Annotated, Literal, Self, get_args

from pydantic import AfterValidator, Field, model_validator

from psygen.ids import content_hash
from psygen.records.concept import PromptType, Record

Kind = Literal["theory", "case_study", "calculation"]
Level = Literal["recall", "understand", "apply", "analyse"]
Form = Literal["single", "multiple", "open"]
ItemState = Literal["new", "in_review", "accepted", "rejected", "contested", "invalid", "superseded"]
KINDS: tuple[Kind, ...] = get_args(Kind)
LEVELS: tuple[Level, ...] = get_args(Level)
ITEM_STATES: tuple[ItemState, ...] = get_args(ItemState)
LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"


class Draft(Record):
    """A question as read from a reply, before anything is checked: any of it may be wrong."""

    stem: str
    options: tuple[str, ...]
    key: tuple[int, ...]
    """Positions of the options named as right; empty when the answer could not be read."""
    explanation: str = ""
    kind: Kind | None = None
    level: Level | None = None
    repairs: tuple[str, ...] = ()
    """Names of the rules by which the text was mended while reading."""
    fault: str = ""
    """Code of what reading itself found wrong (E_ANSWER, E_CONTROL …); empty when nothing."""


class Item(Record):
    """One question of the bank with everything that traces it back."""

    id: str
    concept_id: str
    subject: str
    chapter: str
    headings: tuple[str, ...] = ()
    """Heading and subheading of the concept; empty ones left out."""
    prompt_type: PromptType
    kind: Kind
    level: Level | None = None
    """As the generator claims it."""
    form: Form = "single"
    lang: str = "zh"
    stem: str
    options: tuple[str, ...]
    """In the order they are shown; letters are drawn only then."""
    key: Annotated[tuple[int, ...], AfterValidator(lambda k: tuple(sorted(set(k))))]
    """Positions of the right options, from 0, ascending."""
    explanation: str = ""
    labels: Mapping[str, tuple[str, ...]] = Field(default_factory=dict)
    """Paths in taxonomies, by scheme: {"chapter": ("statistics", "variation")}."""
    state: ItemState = "new"
    flags: tuple[str, ...] = ()
    """Soft findings for the reviewer, sorted."""
    reject_code: str = ""
    """Code of the hard check that failed, with state `invalid`."""
    repairs: tuple[str, ...] = ()
    engine: str
    model: str
    request_id: str
    position: int = Field(ge=0)
    """Place in the reply, from 0."""
    created_at: str = ""
    """UTC, ISO 8601 with seconds."""

    @model_validator(mode="after")
    def _key_is_among_options(self) -> Self:
        if self.state != "invalid" and any(not 0 <= k < len(self.options) for k in self.key):
            raise ValueError("a key position lies outside the options")
        return self

    @property
    def revision(self) -> str:
        """Hash of what a reviewer approves: stem, options, key, explanation."""
        return content_hash([self.stem, self.options, self.key, self.explanation], 16)

    @property
    def key_letters(self) -> str:
        """The key as letters of the options as shown: `B`, `ACD`; empty for an open question."""
        return "".join(LETTERS[k] for k in self.key)
