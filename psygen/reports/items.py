"""A question as people read it, and where it comes from. Control characters in it are shown, not obeyed."""

import json
from collections.abc import Mapping

from psygen.records.item import LETTERS, Item
from psygen.text import for_terminal


def reading_text(item: Item) -> str:
    """Stem, lettered options, key, explanation, and a line of facts."""
    options = "\n".join(f"  {LETTERS[n]}. {text}" for n, text in enumerate(item.options))
    facts = [item.id, item.concept_id, item.kind, item.level or "–", item.state, f"{item.engine} {item.model}"]
    if item.reject_code:
        facts.append(item.reject_code)
    if item.flags:
        facts.append("flags: " + ", ".join(item.flags))
    return for_terminal(
        f"[{' | '.join(facts)}]\n{item.stem}\n{options}\n答案：{item.key_letters or '–'}\n解析：{item.explanation}\n"
    )


def origin_text(origin: Mapping[str, object]) -> str:
    """Concept text, template, request and raw reply of an item."""
    raw = origin.get("raw")
    reply = raw.decode("utf-8", "replace") if isinstance(raw, bytes) else ""
    descriptions = [d["text"] for d in json.loads(str(origin.get("descriptions") or "[]"))]
    return for_terminal(
        "\n".join(
            [
                f"  concept    {origin.get('concept')} ({origin.get('concept_en')}), version {origin.get('content')}",
                *(f"             {text}" for text in descriptions),
                f"  template   {origin.get('template')}, fingerprint {origin.get('fingerprint')}",
                f"  request    {origin.get('request_id')}, sent {origin.get('sent_at')}, model {origin.get('model')}",
                f"  reply      {reply}",
                "",
            ]
        )
    )
