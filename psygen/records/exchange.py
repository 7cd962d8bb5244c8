"""What goes to an engine and what comes back, as sent and as received."""

from collections.abc import Mapping
from functools import cached_property
from typing import Any, Literal, NamedTuple

from pydantic import Field

from psygen.ids import content_hash
from psygen.records.concept import PromptType, Record


class Message(NamedTuple):
    """One message of a conversation."""

    role: Literal["system", "user", "assistant"]
    content: str


class Profile(Record):
    """Who is asked, in which language: a unit is done per profile."""

    engine: Literal["offline", "online", "batch", "import"]
    """`import`: nobody was asked; the questions were brought from elsewhere, and `model` names the source."""
    model: str
    lang: str = "zh"

    @property
    def id(self) -> str:
        """Readable key of the profile, e.g. `online/gpt-6/zh`. Batch and online answers are the same work."""
        return f"{'online' if self.engine == 'batch' else self.engine}/{self.model}/{self.lang}"


class Request(Record):
    """One question to an engine; its id is the hash of what is sent."""

    profile: Profile
    unit_id: str
    concept_id: str
    prompt_type: PromptType
    questions: int = Field(ge=1)
    """How many questions this request asks for."""
    body: Mapping[str, Any]
    """What is sent: messages and parameters, or the offline engine's task. Plain JSON."""
    sample: int = 0
    """0, or the number of a further sample asked for by name."""
    parent: str | None = None
    """The request whose answer was not enough."""

    @cached_property
    def id(self) -> str:
        """32 hexadecimal digits: profile, body, sample and parent decide it."""
        return content_hash([self.profile.id, self.body, self.sample, self.parent])


class Usage(Record):
    """Tokens of one call; None when the server did not say."""

    input: int | None = None
    cached: int | None = None
    output: int | None = None


CallState = Literal["intent", "received", "failed", "unknown"]


class Reply(Record):
    """What came of one call."""

    request_id: str
    call_id: int
    state: CallState
    raw: bytes = b""
    """The body exactly as received; empty unless `received` (or an error body worth keeping)."""
    status: int | None = None
    """HTTP status; None for engines without HTTP and for calls that got no answer."""
    error: str = ""
    """Code and sentence of what went wrong; empty when nothing did."""
    usage: Usage = Usage()
    cost_micro_usd: int | None = None
    """None: unknown. Never 0 for a call that has a price."""
    model: str = ""
    """The model that answered, as the reply names it."""
