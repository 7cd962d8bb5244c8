import sqlite3
from pathlib import Path

import pytest

from psygen.records.exchange import Reply
from psygen.store.audit import audit
from psygen.store.database import Progress, Reading, Store
from tests.files.test_sheets import item
from tests.store.test_database import PROFILE, planned, received, request


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """A finished run: two units with an answer and an item each."""
    path = tmp_path / "psygen.db"
    with Store(path) as store:
        run = store.start_run(PROFILE, {})
        journal = store.journal(run)
        for n, unit in enumerate(planned(store, 2)):
            one = request(unit)
            reply = received(one, journal.intend([one])[0])
            journal.settle([reply])
            made = item(n, request_id=one.id, position=0)
            store.save_reading([Reading(reply, [made], Progress(unit.id, "partial", ""), "short")])
        store.end_run(run, 0)
    return path


def changed(path: Path, *statements: str) -> None:
    conn = sqlite3.connect(path)
    with conn:
        for statement in statements:
            conn.execute(statement)
    conn.close()


def test_a_database_that_keeps_its_promises_has_no_finding(path: Path) -> None:
    assert audit(path) == []


@pytest.mark.parametrize(
    ("statement", "promise", "said"),
    [
        ("UPDATE calls SET raw = NULL WHERE id = 1", "V1", "1 answers have lost their raw bytes"),
        ("UPDATE calls SET state = 'failed', read_at = NULL WHERE id = 1", "V1", "request without an answer"),
        ("UPDATE calls SET request_id = (SELECT request_id FROM calls WHERE id = 2) WHERE id = 1", "V2", "two answers"),
        ("UPDATE units SET kept = 4 WHERE rank = 0", "V7", "count other questions"),
        ("UPDATE items SET state = 'invalid'", "V7", "2 units count other questions"),
        ("UPDATE items SET unit_id = (SELECT id FROM units WHERE rank = 1)", "V7", "another unit than their request"),
        ("UPDATE requests SET unit_id = 'nothing' WHERE rowid = 1", "V8", "1 rows refer to rows that are not there"),
        ("UPDATE calls SET state = 'intent', read_at = NULL WHERE id = 1", "V5", "did not settle"),
        ("UPDATE calls SET state = 'unknown' WHERE id = 1", "V7", "read although they are none"),
    ],
)
def test_every_broken_promise_is_found(path: Path, statement: str, promise: str, said: str) -> None:
    changed(path, "DROP INDEX calls_answer", statement)
    faults = [f for f in audit(path) if f.level == "fault"]
    assert [f for f in faults if f.promise == promise and said in f.text], faults


def test_an_index_that_disagrees_with_its_table_is_found(path: Path) -> None:
    changed(
        path,
        "PRAGMA writable_schema = ON",
        "UPDATE sqlite_master SET sql = replace(sql, '(concept_id)', '(stem)') WHERE name = 'items_by_concept'",
    )
    assert [f.promise for f in audit(path)] == ["V8"] * 2
    assert audit(path, thorough=False) == []


def test_questions_that_review_rejected_may_count_or_not(path: Path) -> None:
    changed(path, "UPDATE items SET state = 'rejected' WHERE unit_id = (SELECT id FROM units WHERE rank = 0)")
    assert audit(path) == []
    changed(path, "UPDATE units SET kept = 0 WHERE rank = 0")
    assert audit(path) == []


def test_what_a_killed_run_left_open_is_a_note_and_no_fault(path: Path) -> None:
    with Store(path) as store:
        journal = store.journal(store.start_run(PROFILE, {}))
        one, two, three = (request(unit, sample=1) for unit in (*planned(store, 2), planned(store, 3)[2]))
        calls = journal.intend([one, two, three])
        journal.settle([received(one, calls[0])])
        journal.settle([Reply(request_id=two.id, call_id=calls[1], state="unknown")])
    found = audit(path)
    assert [(f.level, f.promise, f.rows) for f in found] == [("note", "V5", 1), ("note", "V1", 1), ("note", "V3", 1)]
    assert [f.promise for f in audit(path, is_running=True)] == ["V3"]


def test_calls_that_wait_for_a_batch_are_no_open_end(path: Path) -> None:
    with Store(path) as store:
        journal = store.journal(run := store.start_run(PROFILE, {}))
        journal.intend([request(planned(store)[0], sample=1)])
        store.end_run(run, 0)
    changed(
        path,
        "INSERT INTO submissions (id, run_id, profile, base_url, requests, state, made_at) "
        "SELECT 's', id, 'p', 'u', 1, 'submitted', '' FROM runs WHERE id = 1",
        "UPDATE calls SET submission_id = 's' WHERE state = 'intent'",
    )
    assert audit(path) == []
