"""Makes a workspace whose finished database holds a million items (or as many as asked for).

python -m tests.benchmarks.million FOLDER [ITEMS]
"""

import csv
import sqlite3
import sys
from pathlib import Path

from psygen.files.concepts import load_bank
from psygen.make.finished import bank_plan, fingerprint_of
from psygen.make.plan import chapter_counts, plan_units, templates_of
from psygen.make.selection import Selection
from psygen.prompts import Prompts
from psygen.records.concept import PROMPT_TYPES
from psygen.records.exchange import Profile
from psygen.settings import load_settings
from psygen.store.database import Store

CHAPTERS = 20
PROFILE = Profile(engine="offline", model="offline")


def make_million(folder: Path, items: int = 1_000_000) -> Path:
    """A workspace with a bank of items/4 concepts and a database in which each has its four items; the folder."""
    (folder / "concepts").mkdir(parents=True, exist_ok=True)
    (folder / "psygen.toml").write_text("", encoding="utf-8")
    write_bank(folder / "concepts", items // 4)
    settings = load_settings(folder, {})
    bank = load_bank(settings.concept_folders)
    prompts = Prompts(settings.prompt_folders)
    selection = Selection()
    plan = plan_units(bank, selection, PROFILE, prompts, {}, questions=4)
    with Store(settings.database) as store:
        templates = templates_of(plan, prompts, "zh")
        store.apply_plan(PROFILE, plan.units, asked=4, stale=(), templates=templates)
        store.note_plan(fingerprint_of(settings, selection, PROFILE, 4), PROFILE, chapter_counts(plan.units))
        store.note_plan(bank_plan(settings), PROFILE, bank.counts())
        run = store.start_run(PROFILE, {})
        store.end_run(run, 0)
    _fill(settings.database, run)
    return folder


def write_bank(folder: Path, concepts: int, types: int = 1) -> None:
    """A subject of so many concepts, each assigned the first `types` prompt types."""
    assigned = ";".join(PROMPT_TYPES[:types])
    chapters = "".join(
        f'    {{ slug = "c{n}", zh = "第{n}章", en = "Chapter {n}", concepts = {concepts // CHAPTERS} }},\n'
        for n in range(CHAPTERS)
    )
    head = '[[subject]]\nslug = "big"\nprefix = "big"\nzh = "大"\nen = "Big"\nchapters = [\n'
    (folder / "subjects.toml").write_text(f"{head}{chapters}]\n", encoding="utf-8")
    with (folder / "big.csv").open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow("id chapter heading subheading concept concept_en prompt_types description".split())
        for n in range(concepts):
            text = f"概念{n}是为了测量速度而造的第{n}个说法。" + "它没有意义，只占地方。" * 6
            writer.writerow(
                [f"big-{n}", f"c{n * CHAPTERS // concepts}", "节", "", f"概念{n}", f"c {n}", assigned, text]
            )


def _fill(database: Path, run: int) -> None:
    """Requests, replies of real size, and items for every unit, in one transaction."""
    conn = sqlite3.connect(database)
    conn.execute("PRAGMA synchronous=OFF")
    units = conn.execute("SELECT id, concept_id, subject, chapter FROM units").fetchall()
    reply = b"x" * 2000
    with conn:
        conn.executemany(
            "INSERT INTO requests (id, unit_id, profile, questions, sample, body, created_at) "
            "VALUES (?, ?, ?, 4, 0, '{}', '2026-01-01T00:00:00Z')",
            ((f"r{u[0]}", u[0], PROFILE.id) for u in units),
        )
        conn.executemany(
            "INSERT INTO calls (request_id, run_id, state, raw, input_tokens, output_tokens, cost_micro_usd, sent_at, "
            "ended_at, read_at, outcome) VALUES (?, ?, 'received', ?, 900, 1100, 12000, "
            "'2026-01-01T00:00:00Z', '2026-01-01T00:00:01Z', '2026-01-01T00:00:02Z', 'ok')",
            ((f"r{u[0]}", run, reply) for u in units),
        )
        conn.executemany(
            "INSERT INTO items (id, unit_id, request_id, position, ordinal, concept_id, subject, chapter, headings, "
            "prompt_type, kind, form, lang, stem, options, key, explanation, labels, state, flags, repairs, engine, "
            "model, revision, created_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?, '[]', 'theory', 'theory', 'single', 'zh', ?, "
            "'[\"甲\",\"乙\",\"丙\",\"丁\"]', ?, '因为如此。', '{}', 'new', '[]', '[]', 'offline', 'offline', 'rev', "
            "'2026-01-01T00:00:00Z')",
            (
                (f"psy-{n * 4 + k:012x}", u[0], f"r{u[0]}", k, k, u[1], u[2], u[3], f"第{n}个概念的第{k}题？", f"[{k}]")
                for n, u in enumerate(units)
                for k in range(4)
            ),
        )
        conn.execute("UPDATE units SET kept = 4, tries = 1, state = 'done'")
    conn.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    conn.close()


if __name__ == "__main__":
    made = make_million(Path(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) > 2 else 1_000_000)
    print(f"{made}: try psygen generate --all --engine offline, and psygen status, there")
