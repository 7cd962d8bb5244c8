"""Batches of items for reviewers, from the store to their workbooks."""

import json
from collections.abc import Collection, Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple, overload

from psygen.curate.batches import Sharing, batch_id, draw_groups, share_out
from psygen.curate.sentinels import plant
from psygen.errors import InputError
from psygen.files.sheets import Sheet, write_answer_book, write_review_csv, write_review_sheet
from psygen.ids import rng
from psygen.records.concept import Subject
from psygen.records.item import Item
from psygen.records.review import Policy
from psygen.settings import Settings
from psygen.store import reviews
from psygen.store.database import Store
from psygen.store.queries import Filter, Reader
from psygen.store.reviews import Sentinel, Waiting

WAITING = ("new", "in_review")
SPARE = 2_000
"""Questions outside the batch among which a sentinel looks for one that is off its concept."""


class Wish(NamedTuple):
    """What a batch shall hold."""

    size: int
    wanted: Filter = Filter()
    first: tuple[str, ...] = ()
    """Flags whose questions come first; `any` for every flag."""
    sentinels: int = 0


class Exported(NamedTuple):
    """What an export wrote."""

    batch: str
    items: int
    """Different questions in the batch, sentinels included."""
    each: Mapping[str, int]
    """Questions by reviewer."""
    sentinels: int
    files: tuple[Path, ...]
    answers: tuple[Path, ...]


def export_batch(
    settings: Settings,
    policy: Policy,
    known: tuple[Subject, ...],
    wish: Wish,
    *,
    reviewers: Sequence[str],
    out: Path,
    seed: int,
    form: str = "xlsx",
) -> Exported:
    """Make the next batch and write it for every reviewer; items of earlier batches don't come again.

    known: every subject, for the names. form: `xlsx`, `csv`, or `none` (the batch is for the page only).
    Raises InputError when no item waits for review, ExportFault when a file cannot be written.
    """
    with Reader(settings.database) as reader:
        waiting = _waiting(reader, wish)
        groups = draw_groups(waiting, size=wish.size, seed=seed, first=wish.first)
        batch = batch_id(groups, seed)
        planted = _planted(reader, groups, waiting, wish.sentinels, batch, seed)
        instead = {s.source_item: s.item for s in planted}
        mixed: list[list[Waiting | Item]] = [[instead.get(i.id, i) for i in group] for group in groups]
        sharing = Sharing(policy.min_reviews, policy.overlap)
        shares = share_out(mixed, batch=batch, reviewers=reviewers, seed=seed, sharing=sharing)
        items = {who: _Stored(reader, own, planted) for who, own in shares.items()}
        sheets = _sheets(reader, batch, items, policy, known)
        files, answers = _written(sheets, _Concepts(reader, planted), out, form)
    rows = {who: [(i.id, i.revision) for i in own] for who, own in shares.items()}
    with Store(settings.database) as store:
        store.note_batch(batch, seed, rows, planted)
    each = {who: len(own) for who, own in shares.items()}
    return Exported(batch, sum(map(len, groups)), each, len(planted), tuple(files), tuple(answers))


def _waiting(reader: Reader, wish: Wish) -> list[Waiting]:
    """What no batch holds yet. Raises InputError when there is nothing."""
    seen = reader.batched_items()
    everything = reader.ask(reviews.waiting, wish.wanted._replace(states=WAITING))
    waiting = [item for item in everything if item.id not in seen]
    if not waiting:
        raise InputError(
            "No question waits for review"
            + (": all of them are in earlier batches." if seen else "; make some with: psygen generate.")
        )
    return waiting


def _planted(
    reader: Reader, groups: list[list[Waiting]], waiting: Sequence[Waiting], count: int, batch: str, seed: int
) -> list[Sentinel]:
    """The sentinels of a batch."""
    if not count:
        return []
    inside = {item.id for group in groups for item in group}
    spare = [item.id for item in waiting if item.id not in inside] or sorted(inside)
    rng(seed, f"spare/{batch}").shuffle(spare)
    # Several concepts a sentinel: some questions have flags, some rules don't fit.
    order = list(groups)
    rng(seed, f"planted/{batch}").shuffle(order)
    some = [list(_fetch(reader, [item.id for item in group])) for group in order[: count * 4]]
    _, made = plant(some, list(_fetch(reader, spare[:SPARE])), count, seed=seed)
    contents = reader.concept_contents([source for _, source, _ in made])
    return [Sentinel(item, batch, source, defect, contents[source]) for item, source, defect in made]


def _fetch(reader: Reader, ids: Sequence[str]) -> Iterator[Item]:
    """Items by id, in that order, a few hundred at a time."""
    for start in range(0, len(ids), 500):
        part = ids[start : start + 500]
        found = {item.id: item for item in reader.ask(reviews.items_named, part)}
        yield from (found[item_id] for item_id in part)


class _Stored(Sequence[Item]):
    """A reviewer's items in order, fetched while they are written: a hundred thousand don't have to fit in memory."""

    def __init__(self, reader: Reader, own: Sequence[Waiting | Item], planted: Collection[Sentinel]) -> None:
        self._reader = reader
        self._ids = [item.id for item in own]
        self._planted = {s.item.id: s.item for s in planted}

    def __len__(self) -> int:
        return len(self._ids)

    def __iter__(self) -> Iterator[Item]:
        stored = _fetch(self._reader, [i for i in self._ids if i not in self._planted])
        for item_id in self._ids:
            yield self._planted.get(item_id) or next(stored)

    @overload
    def __getitem__(self, index: int) -> Item: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[Item]: ...
    def __getitem__(self, index: int | slice) -> Item | Sequence[Item]:
        return list(self)[index]


class _Concepts(Mapping[str, tuple[str, str]]):
    """Name and descriptions of the concept each question is judged against, by item id."""

    def __init__(self, reader: Reader, planted: Collection[Sentinel]) -> None:
        self._contents = reader.ask(reviews.contents) | {s.item.id: s.concept_content for s in planted}
        self._texts = {
            content: (name, "\n".join(d["text"] for d in json.loads(descriptions)))
            for content, name, descriptions in reader.ask(reviews.concept_texts, set(self._contents.values()))
        }

    def __getitem__(self, item_id: str) -> tuple[str, str]:
        return self._texts[self._contents[item_id]]

    def __iter__(self) -> Iterator[str]:
        return iter(self._contents)

    def __len__(self) -> int:
        return len(self._contents)


def _sheets(
    reader: Reader, batch: str, items: Mapping[str, Sequence[Item]], policy: Policy, known: tuple[Subject, ...]
) -> list[Sheet]:
    places = {(s.slug, c.slug): f"{s.zh}\n{c.zh}" for s in known for c in s.chapters}
    project = reader.project()
    return [Sheet(batch, who, project, own, {}, places, policy.blind) for who, own in items.items()]


def _written(sheets: Sequence[Sheet], concepts: _Concepts, out: Path, form: str) -> tuple[list[Path], list[Path]]:
    """Write the sheets, and the answers where they stand apart; the files of both kinds."""
    if form == "none":
        return [], []
    files, answers = [], []
    for sheet in sheets:
        name = f"{sheet.batch}-{sheet.reviewer}"
        files.append(out / f"{name}.{form}")
        whole = sheet._replace(concepts=concepts)
        if form == "csv":
            write_review_csv(files[-1], sheet)
        else:
            write_review_sheet(files[-1], sheet if sheet.is_blind else whole)
        if sheet.is_blind or form == "csv":
            answers.append(out / "answers" / f"{name}-answers.xlsx")
            write_answer_book(answers[-1], whole)
    return files, answers
