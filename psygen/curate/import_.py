"""Questions from elsewhere as items of a named source, beside those psygen made: engine `import`, model the source.

They are new items: nobody here has judged them, whatever their file says. Soft checks look at them as at ours, so that
`psygen check` compares like with like; hard checks are for engines, and what people have published stays as it is.
"""

import hashlib
import re
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from psygen.checks.item import Shown, soft_flags
from psygen.errors import InputError, QuestionFaults
from psygen.files.concepts import load_bank
from psygen.files.questions import Found, Questions, file_subject, read_questions
from psygen.ids import canonical_json, item_id
from psygen.records.concept import Bank, Subject
from psygen.records.exchange import Profile, Request
from psygen.records.item import Item, Kind
from psygen.settings import Settings
from psygen.store.database import Store
from psygen.store.imports import AFTER_BANK, Parcel, Place, import_unit, save_import

_SOURCE = re.compile(r"\w[\w .()+-]{0,79}")


class Wanted(NamedTuple):
    """What the user says about the questions of all files."""

    source: str
    subject: Subject | None = None
    """None: as the rows or the file's name say."""
    chapter: str = ""
    """Slug of a chapter of that subject; empty: as the rows say."""
    kind: Kind = "theory"
    """For rows that name none."""
    lang: str = "zh"
    """For rows that name none."""
    form: str = "auto"


class Imported(NamedTuple):
    """What an import did."""

    source: str
    read: int
    """Questions in the files."""
    added: int
    """Those that were not there yet."""
    subjects: dict[str, int]
    """Questions in the files by subject."""
    without_concept: int
    """Questions that name no concept of the bank."""


class _Placed(NamedTuple):
    """A question with where it belongs here."""

    found: Found
    place: Place
    kind: Kind
    lang: str


def import_questions(settings: Settings, paths: Sequence[Path], wanted: Wanted) -> Imported:
    """Import files, all of them or nothing.

    Raises QuestionFaults with every fault of every file, InputError for a file or a name that cannot be used.
    """
    if not _SOURCE.fullmatch(wanted.source):
        raise InputError(
            f'--source "{wanted.source}": a source has 1 to 80 letters, digits, blanks and . ( ) + - _, e.g. "C-Eval".'
        )
    bank = load_bank(settings.concept_folders)
    faults: list[str] = []
    files: list[tuple[Questions, list[_Placed]]] = []
    for path in paths:
        file = read_questions(path, wanted.form)
        placed, wrong = _place_all(file, wanted, bank)
        files.append((file, placed))
        faults += [*file.faults, *wrong]
    if faults:
        raise QuestionFaults(faults)
    parcels = (parcel for file, placed in files for parcel in _parcels(file, placed, wanted.source))
    facts = {"task": "import", "files": [path.name for path in paths]}
    with Store(settings.database) as store:
        added = save_import(store, facts, parcels)
    places = [one.place for _, placed in files for one in placed]
    counts = {s.slug: sum(p.subject == s.slug for p in places) for s in bank.subjects}
    without = sum(p.concept is None for p in places)
    return Imported(wanted.source, len(places), added, {s: n for s, n in counts.items() if n}, without)


def _place_all(file: Questions, wanted: Wanted, bank: Bank) -> tuple[list[_Placed], list[str]]:
    """A file's questions with their places, and what is wrong with the places."""
    placed, faults = [], []
    for found in file.found:
        try:
            placed.append(_placed(file, found, wanted, bank))
        except ValueError as error:
            faults.append(f"{file.path} line {found.line}: {error}.")
    return placed, faults


def _placed(file: Questions, found: Found, wanted: Wanted, bank: Bank) -> _Placed:
    """Where a question belongs. Raises ValueError for a subject or chapter that is none of ours."""
    subject = wanted.subject or _subject(file, found, bank)
    own = found.subject in ("", subject.slug)
    chapter = wanted.chapter or (found.chapter if own else "")
    if chapter and chapter not in {c.slug for c in subject.chapters}:
        raise ValueError(f'{subject.slug} has no chapter "{chapter}"; say --chapter')
    concept = bank.by_id.get(found.concept_id)
    if concept is not None and concept.subject != subject.slug:
        concept = None
    kind = found.kind or wanted.kind
    place = Place(
        subject=subject.slug,
        chapter=chapter,
        concept_id=found.concept_id,
        name=concept.concept if concept else found.concept,
        prompt_type=found.prompt_type or kind,
        concept=concept,
        rank=bank.rank[concept.id] if concept else AFTER_BANK,
    )
    return _Placed(found, place, kind, found.lang or wanted.lang)


def _subject(file: Questions, found: Found, bank: Bank) -> Subject:
    """The subject a row or its file's name says by slug. Raises ValueError for a row's, InputError for a file's."""
    slug = found.subject or file_subject(file.path)
    for subject in bank.subjects:
        if subject.slug == slug:
            return subject
    if found.subject:
        raise ValueError(f'"{slug}" is no subject of this bank; say --subject')
    raise InputError(
        f'{file.path}: neither its rows nor its name ("{slug}") say a subject of this bank; say --subject.'
    )


def _parcels(file: Questions, placed: Iterable[_Placed], source: str) -> Iterator[Parcel]:
    """A file's questions, each with the row it comes from."""
    sha256 = hashlib.sha256(file.path.read_bytes()).hexdigest()
    for one in placed:
        place = one.place
        profile = Profile(engine="import", model=source, lang=one.lang)
        request = Request(
            profile=profile,
            unit_id=import_unit(profile, place.subject, place.chapter, place.concept_id, place.prompt_type),
            concept_id=place.concept_id,
            prompt_type=place.prompt_type,
            questions=1,
            body={
                "task": "import",
                "file": file.path.name,
                "format": file.form,
                "sha256": sha256,
                "line": one.found.line,
            },
        )
        yield Parcel(place, request, canonical_json(one.found.row).encode(), _item(one, request))


def _item(one: _Placed, request: Request) -> Item:
    """A question as an item of this bank."""
    found, place = one.found, one.place
    shown = Shown(found.stem, found.options, found.key, found.explanation, one.kind, one.lang)
    labels: dict[str, tuple[str, ...]] = {"origin": (found.origin,)} if found.origin else {}
    if place.chapter:
        labels["chapter"] = (place.subject, place.chapter)
    return Item(
        id=item_id(request.id, 0),
        concept_id=place.concept_id,
        subject=place.subject,
        chapter=place.chapter,
        headings=found.headings,
        prompt_type=place.prompt_type,
        kind=one.kind,
        level=found.level,
        form=found.form,
        lang=one.lang,
        stem=found.stem,
        options=found.options,
        key=found.key,
        explanation=found.explanation,
        labels=labels,
        flags=soft_flags(shown, concept=place.name, synonyms=place.concept.synonyms if place.concept else ()),
        engine=request.profile.engine,
        model=request.profile.model,
        request_id=request.id,
        position=0,
    )
