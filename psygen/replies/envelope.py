"""The server's JSON around a model's text: why it stopped, what it cost, which model it was. Never raises."""

import json
from collections.abc import Mapping
from typing import Any, NamedTuple

from psygen.records.exchange import Usage

MAX_BYTES = 64 * 2**20
"""A body larger than this is no reply."""


class Envelope(NamedTuple):
    """A reply's text and what stands around it."""

    text: str
    is_complete: bool
    """The model stopped by itself; a text that was cut is read with more care."""
    problem: str = ""
    """E_ENVELOPE, E_FILTER, E_REFUSAL, E_LENGTH, E_FINISH or E_EMPTY; empty for an ordinary answer."""
    detail: str = ""
    usage: Usage = Usage()
    model: str = ""


def read_envelope(raw: bytes) -> Envelope:
    """The envelope of a chat completion.

    E_ENVELOPE: not JSON, an error in place of an answer, or no choice. E_FILTER, E_REFUSAL, E_LENGTH, E_FINISH: as the
    server says; the text that came is kept. E_EMPTY: an ordinary end without text.
    """
    if len(raw) > MAX_BYTES:
        return Envelope("", False, "E_ENVELOPE", f"{len(raw):,} bytes")
    try:
        value = json.loads(raw)
    except (ValueError, RecursionError):
        start = raw[:60].decode("utf-8", "replace").strip()
        return Envelope("", False, "E_ENVELOPE", f"no JSON: {start!r}")
    if not isinstance(value, dict):
        return Envelope("", False, "E_ENVELOPE", "no JSON object")
    usage, model = _usage(value.get("usage")), _text(value.get("model"))
    choices = value.get("choices")
    choice = choices[0] if isinstance(choices, list) and choices else None
    if not isinstance(choice, dict) or not isinstance(choice.get("message"), dict):
        said = _text(_inside(value.get("error"), "message")) or "no choice in the reply"
        return Envelope("", False, "E_ENVELOPE", said[:300], usage, model)
    message = choice["message"]
    text, finish = _content(message.get("content")), _text(choice.get("finish_reason"))
    problem, detail = _problem(text, finish, _text(message.get("refusal")))
    return Envelope(text, finish in ("stop", "") and not problem, problem, detail, usage, model)


def _problem(text: str, finish: str, refusal: str) -> tuple[str, str]:
    if refusal:
        return "E_REFUSAL", refusal[:300]
    if finish == "content_filter":
        return "E_FILTER", "the provider's content filter stopped the reply"
    if finish == "length":
        return "E_LENGTH", "the reply was cut at the output limit"
    if finish not in ("stop", ""):
        return "E_FINISH", f"the reply ended with {finish[:60]!r}"
    return ("", "") if text.strip() else ("E_EMPTY", "the reply is empty")


def _content(value: object) -> str:
    """A message's text: a string, or the text parts of a list of parts."""
    if isinstance(value, list):
        return "".join(_text(_inside(part, "text")) for part in value)
    return _text(value)


def _usage(value: object) -> Usage:
    cached = _inside(_inside(value, "prompt_tokens_details"), "cached_tokens")
    return Usage(
        input=_count(_inside(value, "prompt_tokens")),
        cached=_count(cached),
        output=_count(_inside(value, "completion_tokens")),
    )


def _inside(value: object, name: str) -> Any:
    return value.get(name) if isinstance(value, Mapping) else None


def _count(value: object) -> int | None:
    return value if isinstance(value, int) and not isinstance(value, bool) and 0 <= value < 2**53 else None


def _text(value: object) -> str:
    return value if isinstance(value, str) else ""
