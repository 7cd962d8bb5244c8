"""Tables of annotators: other column names, Chinese values, ids left out. They become tables of the bank."""

import csv
import io
import re
import unicodedata
from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

from psygen.errors import ConceptFaults, ExportFault, InputError
from psygen.files.concepts import COLUMNS, read_concepts
from psygen.files.items import write_lines
from psygen.files.tables import Row, Table, read_table
from psygen.records.concept import Subject
from psygen.text import match_key

HEADERS = {
    "id": ("id", "编号", "序号", "概念编号", "知识点编号"),
    "chapter": ("chapter", "章", "章节", "一级目录", "所属章节", "章名"),
    "heading": ("heading", "节", "一级标题", "主标题", "小节", "二级目录", "primary heading"),
    "subheading": ("subheading", "二级标题", "子标题", "三级目录", "目", "secondary heading"),
    "concept": ("concept", "概念", "知识点", "概念名称", "知识点名称", "考点", "name"),
    "concept_en": ("concept_en", "英文", "英文名", "英文名称", "english", "concept english"),
    "prompt_types": ("prompt_types", "题型", "适用题型", "类型", "prompt type", "type", "types"),
    "description": ("description", "描述", "概念描述", "知识点描述", "内容", "解释", "说明", "定义"),
}
TYPES = {
    **dict.fromkeys(("理论", "理论型", "理论题"), "theory"),
    **dict.fromkeys(("案例", "案例型", "案例题", "案例分析", "case"), "case_study"),
    **dict.fromkeys(("计算", "计算型", "计算题"), "calculation"),
    **dict.fromkeys(("混合", "混合型", "综合"), "mixed"),
}


class Report(NamedTuple):
    """What an import did."""

    concepts: int
    rows: int
    notes: tuple[str, ...]
    """Which header became which column, what was left out, which ids were made."""


def import_table(
    path: Path, subject: Subject, maps: Mapping[str, str], target: Path, *, overwrite: bool = False
) -> Report:
    """Write `target` as a table of the bank from an annotator's table.

    maps: column of the bank -> header of the file, where the usual names don't fit.
    Raises InputError for a column that cannot be found, ConceptFaults with every wrong row (nothing is written).
    """
    if target.exists() and not overwrite:
        raise ExportFault(f"{target} exists; give --out another file, or --force to overwrite it.")
    table = read_table(path, sheet=subject.slug)
    chosen, notes = _columns(table, maps)
    if broken := [f"{path} line {r.line}: {r.problem}." for r in table.rows if r.problem]:
        raise ConceptFaults(broken)
    made: dict[str, str] = {}
    rows = [_row(row, chosen, subject, made) for row in table.rows]
    if made:
        notes.append(f"{len(made)} ids were made, e.g. {next(iter(made.values()))}")
    lines = [_line(COLUMNS), *(_line([row[name] for name in COLUMNS]) for row in rows)]
    draft = target.with_name(f".{target.name}.import.csv")
    write_lines(draft, lines)
    try:
        concepts, faults = read_concepts(draft, subject)
        if faults:
            # Line n of the draft is row n-2 of the file.
            lines_of = {n: row.line for n, row in enumerate(table.rows, 2)}
            raise ConceptFaults([f"{path} line {lines_of.get(f.line or 0, 1)}: {f.what}" for f in faults])
        draft.replace(target)
    finally:
        draft.unlink(missing_ok=True)
    return Report(len(concepts), len(rows), tuple(notes))


def _columns(table: Table, maps: Mapping[str, str]) -> tuple[dict[str, str], list[str]]:
    """Which header serves as which column, and what was decided."""
    headers = {match_key(h): h for h in table.header}
    chosen: dict[str, str] = {}
    for column in COLUMNS:
        wanted = maps.get(column)
        if wanted is not None and match_key(wanted) not in headers:
            raise InputError(f'{table.path}: there is no column "{wanted}"; there are {", ".join(table.header)}.')
        names = (wanted,) if wanted else HEADERS[column]
        found = next((headers[match_key(n)] for n in names if match_key(n) in headers), None)
        if found is not None:
            chosen[column] = found
    for column in maps:
        if column not in COLUMNS:
            raise InputError(f"--map {column}: the columns are {', '.join(COLUMNS)}.")
    for column in ("chapter", "concept", "description"):
        if column not in chosen:
            raise InputError(
                f"{table.path}: no column for {column} among {', '.join(table.header)}; "
                f"say it with --map {column}=HEADER."
            )
    notes = [f"{header} -> {column}" for column, header in chosen.items() if header != column]
    left = [h for h in table.header if h and h not in chosen.values()]
    return chosen, notes + ([f"left out: {', '.join(left)}"] if left else [])


def _row(row: Row, chosen: Mapping[str, str], subject: Subject, made: dict[str, str]) -> dict[str, str]:
    value = {column: row.cells.get(chosen[column], "").strip() if column in chosen else "" for column in COLUMNS}
    chapters = {match_key(n): c.slug for c in subject.chapters for n in (c.slug, c.zh, c.en)}
    value["chapter"] = chapters.get(match_key(value["chapter"]), value["chapter"])
    words = [w.strip() for w in re.split(r"[;；,，、/|]", value["prompt_types"]) if w.strip()]
    value["prompt_types"] = ";".join(TYPES.get(unicodedata.normalize("NFKC", w), w) for w in words) or "theory"
    value["id"] = _id(value, subject, made)
    return value


def _id(value: Mapping[str, str], subject: Subject, made: dict[str, str]) -> str:
    """The row's id, or one made from the English name, or else from chapter and number; one per concept name."""
    given = value["id"].lower()
    if re.fullmatch(rf"{subject.prefix}(-[a-z0-9]+)+", given):
        return given
    name = value["concept"]
    if name not in made:
        slug = re.sub(r"[^a-z0-9]+", "-", value["concept_en"].lower()).strip("-")
        base = f"{subject.prefix}-{slug or value['chapter'] + f'-{len(made) + 1}'}"
        taken = set(made.values())
        made[name] = base if base not in taken else f"{base}-{len(made) + 1}"
    return made[name]


def _line(cells: "list[str] | tuple[str, ...]") -> str:
    out = io.StringIO()
    csv.writer(out, lineterminator="\n").writerow(cells)
    return out.getvalue()
