"""Batches of items for reviewers, from the store to their workbooks."""

import json
from pathlib import Path
from typing import NamedTuple

from psygen.curate.batches import Batch, draw_batch
from psygen.errors import InputError
from psygen.files.sheets import Sheet, write_review_sheet
from psygen.records.concept import Subject
from psygen.settings import Settings
from psygen.store.database import Store
from psygen.store.queries import Filter, Reader

WAITING = ("new", "in_review")


class Exported(NamedTuple):
    """What an export wrote."""

    batch: str
    items: int
    files: tuple[Path, ...]


def export_batch(
    settings: Settings,
    subjects: tuple[Subject, ...],
    known: tuple[Subject, ...],
    *,
    size: int,
    reviewers: int,
    out: Path,
    seed: int,
    engines: tuple[str, ...] = (),
) -> Exported:
    """Write the next batch: one workbook for each of r1, r2, …; items of earlier batches don't come again.

    subjects: only these; all of them when empty. known: every subject, for the names.
    Raises InputError when no item waits for review.
    """
    wanted = Filter(subjects=tuple(s.slug for s in subjects), engines=engines, states=WAITING)
    with Reader(settings.database) as reader:
        seen = reader.batched_items()
        waiting = [item for item in reader.items(wanted) if item.id not in seen]
        if not waiting:
            raise InputError(
                "No question waits for review"
                + (": all of them are in earlier batches." if seen else "; make some with: psygen generate.")
            )
        names = [f"r{n}" for n in range(1, reviewers + 1)]
        batch = draw_batch(waiting, size=size, reviewers=names, seed=seed)
        sheets = _sheets(reader, batch, known)
    files = [out / f"{batch.id}-{sheet.reviewer}.xlsx" for sheet in sheets]
    for path, sheet in zip(files, sheets, strict=True):
        write_review_sheet(path, sheet)
    with Store(settings.database) as store:
        store.note_batch(batch.id, seed, {w: [(i.id, i.revision) for i in items] for w, items in batch.sheets.items()})
    return Exported(batch.id, len(sheets[0].items), tuple(files))


def _sheets(reader: Reader, batch: Batch, known: tuple[Subject, ...]) -> list[Sheet]:
    some = next(iter(batch.sheets.values()))
    contents = reader.concept_contents([item.id for item in some])
    texts = reader.concept_texts(sorted(set(contents.values())))
    concepts = {}
    for item in some:
        row = texts[contents[item.id]]
        descriptions = [d["text"] for d in json.loads(row["descriptions"])]
        concepts[item.id] = (str(row["concept"]), "\n".join(descriptions))
    places = {(s.slug, c.slug): f"{s.zh}\n{c.zh}" for s in known for c in s.chapters}
    project = reader.project()
    return [Sheet(batch.id, who, project, items, concepts, places) for who, items in batch.sheets.items()]
