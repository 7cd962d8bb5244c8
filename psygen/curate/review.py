"""Batches of items for reviewers, from the store to their workbooks."""

import json
from collections.abc import Collection, Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple, overload

from psygen.curate.batches import Sharing, batch_id, draw_groups, share_out
from psygen.curate.sentinels import plant
from psygen.errors import InputError
from psygen.files.sheets import Sheet, write_answer_book, write_answer_csv, write_review_csv, write_review_sheet
from psygen.ids import rng
from psygen.records.concept import Subject
from psygen.records.item import Item
from psygen.records.review import Policy
from psygen.settings import Settings
from psygen.store import reviews
from psygen.store.database import Store
from psygen.store.queries import Filter, Reader
from psygen.store.reviews import Sentinel, Shown, Waiting

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
        files, answers = _written(sheets, _Concepts(reader, [i.id for g in mixed for i in g], planted), out, form)
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
    some = [_items(reader, [item.id for item in group]) for group in order[: count * 4]]
    _, made = plant(some, _items(reader, spare[:SPARE]), count, seed=seed)
    contents = reader.concept_contents([source for _, source, _ in made])
    return [Sentinel(item, batch, source, defect, contents[source]) for item, source, defect in made]


def _items(reader: Reader, ids: Sequence[str]) -> list[Item]:
    """Items by id, in that order."""
    found = (reader.ask(reviews.item_named, item_id) for item_id in ids)
    return [item for item in found if item is not None]


class _Stored(Sequence[Shown]):
    """A reviewer's items in order, fetched while they are written: a hundred thousand don't have to fit in memory."""

    def __init__(self, reader: Reader, own: Sequence[Waiting | Item], planted: Collection[Sentinel]) -> None:
        self._reader = reader
        self._ids = [item.id for item in own]
        self._planted = {s.item.id: Shown.of(s.item) for s in planted}

    def __len__(self) -> int:
        return len(self._ids)

    def __iter__(self) -> Iterator[Shown]:
        for start in range(0, len(self._ids), 500):
            part = self._ids[start : start + 500]
            found = {item.id: item for item in self._reader.ask(reviews.shown_named, part)} | self._planted
            yield from (found[item_id] for item_id in part)

    @overload
    def __getitem__(self, index: int) -> Shown: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[Shown]: ...
    def __getitem__(self, index: int | slice) -> Shown | Sequence[Shown]:
        return list(self)[index]


class _Concepts(Mapping[str, tuple[str, str]]):
    """Name and descriptions of the concept each question is judged against, by item id, looked up as they are asked."""

    def __init__(self, reader: Reader, ids: Sequence[str], planted: Collection[Sentinel]) -> None:
        self._reader = reader
        self._ids = ids
        # A sentinel stands under the concept of the question it replaces.
        self._instead = {s.item.id: s.source_item for s in planted}

    def __getitem__(self, item_id: str) -> tuple[str, str]:
        concept = self._reader.ask(reviews.concept_shown, self._instead.get(item_id, item_id))
        if concept is None:
            raise KeyError(item_id)
        return str(concept["concept"]), "\n".join(d["text"] for d in json.loads(str(concept["descriptions"])))

    def __iter__(self) -> Iterator[str]:
        return iter(self._ids)

    def __len__(self) -> int:
        return len(self._ids)


def _sheets(
    reader: Reader, batch: str, items: Mapping[str, Sequence[Shown]], policy: Policy, known: tuple[Subject, ...]
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
            answers.append(out / "answers" / f"{name}-answers.{form}")
            (write_answer_csv if form == "csv" else write_answer_book)(answers[-1], whole)
    return files, answers
