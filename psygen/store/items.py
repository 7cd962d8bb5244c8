"""Items to and from their rows, for both sides of the store."""

import json
import sqlite3

from psygen.records.item import Item
from psygen.store.connection import now

as_json = json.JSONEncoder(ensure_ascii=False).encode

_ITEM_COLUMNS = (
    "id unit_id request_id position ordinal concept_id subject chapter headings prompt_type kind level form lang stem "
    "options key explanation labels state flags reject_code repairs engine model revision created_at"
).split()
INSERT_ITEM = f"INSERT INTO items ({', '.join(_ITEM_COLUMNS)}) VALUES ({', '.join('?' * len(_ITEM_COLUMNS))})"  # noqa: S608


def item_row(item: Item, unit: str, ordinal: int | None) -> tuple[object, ...]:
    """An item's values in the order of _ITEM_COLUMNS."""
    return (
        item.id,
        unit,
        item.request_id,
        item.position,
        ordinal,
        item.concept_id,
        item.subject,
        item.chapter,
        as_json(item.headings),
        item.prompt_type,
        item.kind,
        item.level,
        item.form,
        item.lang,
        item.stem,
        as_json(item.options),
        as_json(item.key),
        item.explanation,
        as_json(dict(item.labels)),
        item.state,
        as_json(item.flags),
        item.reject_code,
        as_json(item.repairs),
        item.engine,
        item.model,
        item.revision,
        item.created_at or now(),
    )


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
