"""How a server is asked for JSON: by schema, by JSON mode, or by words alone; and the body of a request."""

from collections.abc import Mapping, Sequence
from typing import Any, Literal

from psygen.records.concept import PromptType
from psygen.records.exchange import Message
from psygen.records.item import KINDS, LEVELS
from psygen.settings import ServerSettings

Form = Literal["schema", "json", "text"]
FORMS: tuple[Form, ...] = ("schema", "json", "text")
"""From the strictest; a server that refuses one is asked in the next."""


def next_form(form: Form) -> Form | None:
    """The form to try when a server refuses this one; None after the last."""
    place = FORMS.index(form) + 1
    return FORMS[place] if place < len(FORMS) else None


def request_body(
    server: ServerSettings,
    messages: Sequence[Message],
    prompt_type: PromptType,
    form: Form,
    *,
    output_limit: int | None = None,
) -> dict[str, Any]:
    """What is posted to /chat/completions. Parameters that are not set are left out: models refuse what they lack.

    output_limit: instead of the setting, for a reply that was too long.
    """
    body: dict[str, Any] = {
        "model": server.model,
        "messages": [{"role": m.role, "content": m.content} for m in messages],
    }
    limit = output_limit or server.output_limit
    if limit is not None:
        body[server.output_limit_name] = limit
    if server.temperature is not None:
        body["temperature"] = server.temperature
    if server.reasoning_effort:
        body["reasoning_effort"] = server.reasoning_effort
    if form != "text":
        body["response_format"] = response_format(prompt_type, form)
    return body | dict(server.extra_body)


def response_format(prompt_type: PromptType, form: Form) -> Mapping[str, Any]:
    """The `response_format` of a form."""
    if form == "json":
        return {"type": "json_object"}
    return {"type": "json_schema", "json_schema": {"name": "questions", "strict": True, "schema": schema(prompt_type)}}


def schema(prompt_type: PromptType) -> dict[str, Any]:
    """The JSON schema of a reply, within the subset strict servers accept; the real checks are ours."""
    text = {"type": "string"}
    fields: dict[str, Any] = {
        "stem": text,
        "options": {"type": "array", "items": text, "minItems": 4, "maxItems": 4},
        "answer": {"type": "string", "enum": ["A", "B", "C", "D"]},
        "explanation": text,
        "level": {"type": "string", "enum": list(LEVELS)},
    }
    if prompt_type == "mixed":
        fields["kind"] = {"type": "string", "enum": list(KINDS)}
    question = {"type": "object", "properties": fields, "required": list(fields), "additionalProperties": False}
    questions = {"type": "array", "items": question}
    return {
        "type": "object",
        "properties": {"questions": questions},
        "required": ["questions"],
        "additionalProperties": False,
    }
