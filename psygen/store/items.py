"""Items from their rows, for both sides of the store."""

import json
import sqlite3

from psygen.records.item import Item


def item_of(row: sqlite3.Row) -> Item:
    """An item from its row. Rows were checked when they were written, so they are not checked again."""
    return Item.model_construct(
        id=row["id"],
        concept_id=row["concept_id"],
        subject=row["subject"],
        chapter=row["chapter"],
        headings=tuple(json.loads(row["headings"])),
        prompt_type=row["prompt_type"],
        kind=row["kind"],
        level=row["level"],
        form=row["form"],
        lang=row["lang"],
        stem=row["stem"],
        options=tuple(json.loads(row["options"])),
        key=tuple(json.loads(row["key"])),
        explanation=row["explanation"],
        labels={k: tuple(v) for k, v in json.loads(row["labels"]).items()},
        state=row["state"],
        flags=tuple(json.loads(row["flags"])),
        reject_code=row["reject_code"],
        repairs=tuple(json.loads(row["repairs"])),
        engine=row["engine"],
        model=row["model"],
        request_id=row["request_id"],
        position=row["position"],
        created_at=row["created_at"],
    )
