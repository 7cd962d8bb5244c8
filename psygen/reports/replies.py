"""A reply beside what was read from it. Everything a model wrote is shown, nothing in it is obeyed."""

import json
from collections.abc import Mapping, Sequence

from psygen.records.item import LETTERS, Item
from psygen.text import for_terminal


def reply_text(exchange: Mapping[str, object], items: Sequence[Item]) -> str:
    """The facts of a call, the raw reply, and each question read from it with what was wrong or mended."""
    raw = exchange.get("raw")
    body = raw.decode("utf-8", "replace") if isinstance(raw, bytes) else ""
    facts = [
        f"request   {exchange['id']}" + (f", after {exchange['parent']}" if exchange.get("parent") else ""),
        f"asked     {exchange['questions']} x {exchange['prompt_type']} on {exchange['concept_id']} of "
        f"{exchange['profile']}",
        f"call      {exchange['state']}, sent {exchange['sent_at']}, ended {exchange['ended_at'] or '–'}, "
        f"model {exchange['model'] or '–'}, tokens {_or_dash(exchange['input_tokens'])} in "
        f"{_or_dash(exchange['output_tokens'])} out",
        f"read as   {exchange['outcome'] or exchange['error'] or '–'}",
    ]
    read = [_item_text(item) for item in sorted(items, key=lambda i: i.position)]
    parts = [*facts, "", "--- raw ---", _content(body), "", "--- read ---", *(read or ["nothing"])]
    return for_terminal("\n".join(parts)) + "\n"


def _content(body: str) -> str:
    """The model's own text inside the server's JSON, or the whole body where there is none."""
    try:
        message = json.loads(body)["choices"][0]["message"]
        return str(message.get("content") or message.get("refusal") or body)
    except (ValueError, KeyError, IndexError, TypeError, AttributeError):
        return body


def _item_text(item: Item) -> str:
    marks = [m for m in (item.state, item.reject_code, *(f"mended: {r}" for r in item.repairs), *item.flags) if m]
    options = "\n".join(f"   {'*' if n in item.key else ' '} {LETTERS[n]}. {o}" for n, o in enumerate(item.options))
    return f"{item.position + 1}. {item.id} [{', '.join(marks)}]\n   {item.stem}\n{options}\n   {item.explanation}"


def _or_dash(value: object) -> str:
    return "–" if value is None else f"{value:,}" if isinstance(value, int) else str(value)
