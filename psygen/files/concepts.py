"""The syllabus from files: subjects.toml and one table of concepts a subject. Every fault is named at once."""

import difflib
import re
import tomllib
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

from pydantic import ValidationError

from psygen.errors import ConceptFaults, InputError
from psygen.files.tables import FORMATS, Row, Table, decode, read_table
from psygen.ids import file_hash, text_hash
from psygen.records.concept import PROMPT_TYPES, Bank, Concept, Description, PromptType, Subject
from psygen.text import has_surrogate, without_controls

COLUMNS = ("id", "chapter", "heading", "subheading", "concept", "concept_en", "prompt_types", "description")
NEEDED = ("id", "chapter", "concept", "prompt_types", "description")
KINDS = (
    "theory school effect law method therapy design test statistic distribution procedure disorder symptom stage "
    "process structure trait state person event variable error chart ability relation principle type concept"
).split()

_ID = re.compile(r"[a-z]{2,8}(-[a-z0-9]+)+")
_LIST = re.compile(r"[;；,，、|]")


class Fault(NamedTuple):
    """Something wrong in a file: where, what, and what to do."""

    path: Path
    line: int | None
    what: str

    def __str__(self) -> str:
        place = f"{self.path} line {self.line}" if self.line else str(self.path)
        return f"{place}: {self.what}"


class Loaded(NamedTuple):
    """A bank and where it came from."""

    bank: Bank
    files: tuple[Path, ...]
    faults: tuple[Fault, ...]


def load_bank(folders: Sequence[Path], subjects: Iterable[str] | None = None) -> Bank:
    """The bank of the given folders, the first folder's file winning over the next one's.

    subjects: slugs to load; default all that have a file.
    Raises ConceptFaults with every fault of every file.
    """
    loaded = read_bank(folders, subjects)
    if loaded.faults:
        raise ConceptFaults([str(f) for f in loaded.faults])
    return loaded.bank


def read_bank(folders: Sequence[Path], subjects: Iterable[str] | None = None) -> Loaded:
    """As load_bank, but with the faults beside what could be read."""
    known = load_subjects(folders)
    wanted = None if subjects is None else set(subjects)
    files: list[Path] = []
    faults: list[Fault] = []
    concepts: list[Concept] = []
    for subject in known:
        path = concept_file(folders, subject.slug)
        if path is None or (wanted is not None and subject.slug not in wanted):
            continue
        files.append(path)
        found, problems = read_concepts(path, subject)
        terms_path = _first(folders, Path("terms") / f"{subject.slug}.csv")
        if terms_path is not None and found:
            files.append(terms_path)
            found, term_problems = _with_terms(terms_path, found)
            problems += term_problems
        concepts += found
        faults += problems
    return Loaded(Bank(known, concepts), tuple(files), tuple(faults))


def read_table_of(path: Path, folders: Sequence[Path]) -> Loaded:
    """One table by itself; its name says the subject. Raises InputError when it names none."""
    known = load_subjects(folders)
    subject = next((s for s in known if s.slug == path.stem), None)
    if subject is None:
        raise InputError(
            f"{path}: the file's name says the subject, and {path.stem} is none of {', '.join(s.slug for s in known)}; "
            "rename it, or use: psygen concepts import FILE --subject NAME"
        )
    concepts, faults = read_concepts(path, subject)
    return Loaded(Bank(known, concepts), (path,), tuple(faults))


def load_subjects(folders: Sequence[Path]) -> tuple[Subject, ...]:
    """The subjects of the first subjects.toml found. Raises InputError naming file and entry."""
    path = _first(folders, Path("subjects.toml"))
    if path is None:
        places = " or ".join(str(f) for f in folders)
        raise InputError(f"subjects.toml is missing in {places}; copy the packaged one with: psygen init.")
    text, _ = decode(path.read_bytes(), path)
    try:
        entries = tomllib.loads(text.lstrip("\ufeff")).get("subject", [])
        subjects = tuple(Subject.model_validate(entry) for entry in entries)
    except tomllib.TOMLDecodeError as error:
        raise InputError(f"{path}: not valid TOML: {error}.") from error
    except ValidationError as error:
        fault = error.errors(include_input=False, include_url=False)[0]
        where = ".".join(str(p) for p in fault["loc"])
        raise InputError(f"{path}: a [[subject]] entry is wrong at {where}: {fault['msg']}.") from error
    for field in ("slug", "prefix"):
        values = [getattr(s, field) for s in subjects]
        if twice := sorted({v for v in values if values.count(v) > 1}):
            raise InputError(f"{path}: {field} {', '.join(twice)} is used by two subjects; give each its own.")
    return subjects


def concept_file(folders: Sequence[Path], slug: str) -> Path | None:
    """The table of a subject: the first folder that has one, csv before xlsx before jsonl."""
    for folder in folders:
        for suffix in (".csv", ".xlsx", ".jsonl"):
            path = folder / f"{slug}{suffix}"
            if path.is_file():
                return path
    return None


def bank_fingerprint(folders: Sequence[Path]) -> str:
    """Hash of the bytes of every file a bank is made of: equal files, equal bank."""
    files = [_first(folders, Path("subjects.toml"))]
    for subject in load_subjects(folders):
        files += [concept_file(folders, subject.slug), _first(folders, Path("terms") / f"{subject.slug}.csv")]
    return text_hash("\n".join(f"{p.name}={file_hash(p)}" for p in files if p is not None))


def read_concepts(path: Path, subject: Subject) -> tuple[list[Concept], list[Fault]]:
    """The concepts of one table and everything wrong with it; a row with a fault gives no description."""
    try:
        table = read_table(path)
    except InputError as error:
        return [], [Fault(path, None, str(error).removeprefix(f"{path}: ").removeprefix(f"{path} "))]
    faults = _header_faults(table)
    if faults:
        return [], faults
    groups: dict[str, list[Row]] = {}
    for row in map(_cleaned, table.rows):
        problems = _row_faults(row, subject)
        faults += [Fault(path, row.line, problem) for problem in problems]
        if not problems:
            groups.setdefault(_cell(row, "id"), []).append(row)
    concepts = []
    for rows in groups.values():
        problems_here = _group_faults(path, rows)
        faults += problems_here
        if not problems_here:
            concepts.append(_concept(rows, subject))
    faults += _cross_faults(path, groups)
    return concepts, sorted(faults, key=lambda f: f.line or 0)


@lru_cache(maxsize=1024)
def prompt_types_of(cell: str) -> tuple[tuple[PromptType, ...], tuple[str, ...]]:
    """The types a cell names, and the words in it that name none; any usual separator, `case study` too."""
    words = [re.sub(r"[\s-]+", "_", w.strip().casefold()) for w in _LIST.split(cell) if w.strip()]
    types = [t for w in words for t in PROMPT_TYPES if t == w]
    return tuple(dict.fromkeys(types)), tuple(w for w in words if w not in PROMPT_TYPES)


def _first(folders: Sequence[Path], name: Path) -> Path | None:
    return next((folder / name for folder in folders if (folder / name).is_file()), None)


def _cleaned(row: Row) -> Row:
    cells = {name: without_controls(cell).replace("\r\n", "\n").strip() for name, cell in row.cells.items()}
    return row._replace(cells=cells)


def _cell(row: Row, name: str) -> str:
    return row.cells.get(name, "")


def _header_faults(table: Table) -> list[Fault]:
    faults = []
    for name in NEEDED:
        if name not in table.header:
            near = difflib.get_close_matches(name, table.header, 1, 0.6)
            hint = f'rename the column "{near[0]}"' if near else "add it, or use: psygen concepts import"
            faults.append(Fault(table.path, 1, f'column "{name}" is missing; {hint}.'))
    for name in table.header:
        if name and name not in COLUMNS and name != "subject":
            near = difflib.get_close_matches(name, COLUMNS, 1, 0.6)
            hint = f"did you mean {near[0]}?" if near else f"the columns are {', '.join(COLUMNS)}."
            faults.append(Fault(table.path, 1, f'unknown column "{name}"; {hint}'))
    return faults


def _row_faults(row: Row, subject: Subject) -> list[str]:
    if row.problem:
        return [f"{row.problem}. Check separators and quotes."]
    faults = [f'no value for "{name}"; fill it in.' for name in NEEDED if not _cell(row, name)]
    faults += [f'"{n}" holds a damaged character; type it anew.' for n in COLUMNS if has_surrogate(_cell(row, n))]
    if (concept_id := _cell(row, "id")) and not _ID.fullmatch(concept_id):
        faults.append(
            f'id "{concept_id}": use lower-case letters, digits and hyphens, e.g. {subject.prefix}-some-name.'
        )
    elif concept_id and not concept_id.startswith(f"{subject.prefix}-"):
        faults.append(f'id "{concept_id}" must begin with {subject.prefix}- as every id of {subject.slug} does.')
    slugs = [c.slug for c in subject.chapters]
    if (chapter := _cell(row, "chapter")) and chapter not in slugs:
        near = difflib.get_close_matches(chapter, slugs, 1, 0.4)
        faults.append(f'chapter "{chapter}" is not one of {", ".join(slugs)}' + (f"; {near[0]}?" if near else "."))
    types, unknown = prompt_types_of(_cell(row, "prompt_types"))
    if unknown:
        faults.append(f'prompt type "{unknown[0]}" is none of {", ".join(PROMPT_TYPES)}.')
    elif _cell(row, "prompt_types") and not types:
        faults.append(f"no prompt type; name one or more of {', '.join(PROMPT_TYPES)}, separated by ;")
    if (named := _cell(row, "subject")) and named != subject.slug:
        faults.append(f'subject "{named}" does not belong in the table of {subject.slug}.')
    return faults


def _group_faults(path: Path, rows: Sequence[Row]) -> list[Fault]:
    """Rows of one id must agree on everything but types and description, and differ in the description."""
    first = rows[0]
    return [
        Fault(
            path,
            row.line,
            f'{name} "{_cell(row, name)}" differs from "{_cell(first, name)}" in line {first.line} for the '
            f"same id {_cell(row, 'id')}; make them equal or give this row an id of its own.",
        )
        for row in rows[1:]
        for name in ("chapter", "heading", "subheading", "concept", "concept_en")
        if _cell(row, name) != _cell(first, name)
    ]


def _cross_faults(path: Path, groups: Mapping[str, Sequence[Row]]) -> list[Fault]:
    """The same description twice, or one name for two ids."""
    faults = []
    texts: dict[str, Row] = {}
    names: dict[str, str] = {}
    for concept_id, rows in groups.items():
        name = _cell(rows[0], "concept")
        if names.setdefault(name, concept_id) != concept_id:
            faults.append(
                Fault(path, rows[0].line, f'concept "{name}" has the id {names[name]} already; merge or rename one.')
            )
        for row in rows:
            seen = texts.setdefault(_cell(row, "description"), row)
            if seen is not row:
                faults.append(Fault(path, row.line, f"the same description as in line {seen.line}; keep one of them."))
    return faults


def _concept(rows: Sequence[Row], subject: Subject) -> Concept:
    first = rows[0]
    return Concept(
        id=_cell(first, "id"),
        subject=subject.slug,
        chapter=_cell(first, "chapter"),
        heading=_cell(first, "heading"),
        subheading=_cell(first, "subheading"),
        concept=_cell(first, "concept"),
        concept_en=_cell(first, "concept_en"),
        descriptions=tuple(
            Description(text=_cell(r, "description"), prompt_types=prompt_types_of(_cell(r, "prompt_types"))[0])
            for r in rows
        ),
    )


def _with_terms(path: Path, concepts: Sequence[Concept]) -> tuple[list[Concept], list[Fault]]:
    """Concepts with kind, synonyms and overlaps of terms/<slug>.csv; a concept without a row stays as it is."""
    try:
        table = read_table(path)
    except InputError as error:
        return list(concepts), [Fault(path, None, str(error).removeprefix(f"{path}: "))]
    missing = [n for n in ("id", "kind", "synonyms", "overlaps") if n not in table.header]
    if missing:
        return list(concepts), [Fault(path, 1, f'column "{missing[0]}" is missing.')]
    by_id = {c.id: c for c in concepts}
    faults = []
    for row in map(_cleaned, table.rows):
        concept_id, kind = _cell(row, "id"), _cell(row, "kind")
        overlaps = tuple(o.strip() for o in _LIST.split(_cell(row, "overlaps")) if o.strip())
        for other in (concept_id, *overlaps):
            if other not in by_id:
                near = difflib.get_close_matches(other, by_id, 1, 0.6)
                faults.append(Fault(path, row.line, f'no concept "{other}"' + (f"; {near[0]}?" if near else ".")))
        if kind and kind not in KINDS:
            faults.append(Fault(path, row.line, f'kind "{kind}" is none of {", ".join(KINDS)}.'))
        if concept_id in by_id:
            synonyms = tuple(s.strip() for s in re.split(r"[;；]", _cell(row, "synonyms")) if s.strip())
            update = {"kind": kind, "synonyms": synonyms, "overlaps": overlaps}
            by_id[concept_id] = by_id[concept_id].model_copy(update=update)
    return list(by_id.values()), faults


__all__ = ["COLUMNS", "FORMATS", "Fault", "Loaded", "bank_fingerprint", "load_bank", "load_subjects", "read_bank"]
