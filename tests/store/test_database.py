import os
import sqlite3
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from psygen.errors import StoreUnusable
from psygen.records.exchange import Profile, Reply, Request
from psygen.runner import lock
from psygen.store.connection import connect, transaction
from psygen.store.database import Progress, Reading, Store
from psygen.store.queries import Filter, Reader
from psygen.store.units import Unit, unit_id
from tests.conftest import concept
from tests.files.test_sheets import item

PROFILE = Profile(engine="offline", model="offline")


def planned(store: Store, count: int = 1) -> list[Unit]:
    units = []
    for n in range(count):
        one = concept(f"sta-c{n}", concept=f"概念{n}")
        units.append(Unit(unit_id(PROFILE, one, "theory", "t"), one, "theory", "t", n))
    store.apply_plan(PROFILE, units, asked=4, stale=[], templates={"t": ("name", {})})
    return units


def request(unit: Unit, sample: int = 0) -> Request:
    return Request(
        profile=PROFILE,
        unit_id=unit.id,
        concept_id=unit.concept.id,
        prompt_type="theory",
        questions=4,
        body={"n": unit.rank},
        sample=sample,
    )


def received(one: Request, call: int, raw: bytes = b"{}") -> Reply:
    return Reply(request_id=one.id, call_id=call, state="received", raw=raw)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "outputs" / "psygen.db"


def test_the_file_and_its_companions_are_their_owners_only(path: Path) -> None:
    with Store(path) as store:
        planned(store)
        modes = {p.name: stat.S_IMODE(os.stat(p).st_mode) for p in path.parent.iterdir()}
    assert set(modes) == {"psygen.db", "psygen.db-wal", "psygen.db-shm"}
    assert set(modes.values()) == {0o600}


def test_a_request_never_gets_two_answers(path: Path) -> None:
    with Store(path) as store:
        one = request(planned(store)[0])
        journal = store.journal(store.start_run(PROFILE, {}))
        first, second = journal.intend([one]) + journal.intend([one])
        journal.settle([received(one, first)])
        with pytest.raises(StoreUnusable, match="UNIQUE"):
            journal.settle([received(one, second)])


def test_what_a_dead_run_left_in_flight_is_in_doubt(path: Path) -> None:
    with Store(path) as store:
        units = planned(store, 3)
        journal = store.journal(store.start_run(PROFILE, {}))
        journal.intend([request(u) for u in units])
        store.start_run(PROFILE, {})
    with Reader(path) as reader:
        books = reader.books()
    assert (books.sent, books.unknown, books.received) == (3, 3, 0)


def test_an_answer_stored_but_not_read_is_found_again(path: Path) -> None:
    with Store(path) as store:
        one = request(planned(store)[0])
        journal = store.journal(store.start_run(PROFILE, {}))
        journal.settle([received(one, journal.intend([one])[0], "答".encode())])
        [(again, reply)] = store.unread()
        assert (again, reply.raw.decode()) == (one, "答")
        store.save_reading([Reading(reply, [], Progress(one.unit_id, "done", "0 of 4"), "E_JSON")])
        assert store.unread() == []


def test_items_come_back_as_they_were_saved(path: Path) -> None:
    hostile = "'; DROP TABLE items; -- \n{{x}} \U0001f600 =1+1"
    with Store(path) as store:
        one = request(planned(store)[0])
        journal = store.journal(store.start_run(PROFILE, {}))
        call = journal.intend([one])[0]
        journal.settle([received(one, call)])
        made = item(1, request_id=one.id, stem=hostile, labels={"chapter": ("a", "b")}, flags=("similar",))
        store.save_reading([Reading(received(one, call), [made], Progress(one.unit_id, "done", ""), "ok")])
    with Reader(path) as reader:
        [back] = reader.items(Filter(flags=("similar",)))
        assert back.model_copy(update={"created_at": ""}) == made
        assert back.revision == made.revision
        assert reader.count_items(Filter(flags=("long_key",))) == 0
        origin = reader.origin(made.id)
    assert origin is not None
    assert origin["raw"] == b"{}"


def test_nothing_of_a_failed_transaction_stays(path: Path) -> None:
    with Store(path) as store:
        units = planned(store)
        with pytest.raises(StoreUnusable), store.writing() as conn:  # noqa: PT012
            conn.execute("UPDATE units SET asked = 99")
            conn.execute("SELECT nothing FROM nowhere")
        assert store.open_units(PROFILE)[units[0].id].asked == 4


def test_text_put_back_brings_its_items_back(path: Path) -> None:
    with Store(path) as store:
        unit = planned(store)[0]
        store.apply_plan(PROFILE, [], asked=4, stale=[unit.id], templates={})
        assert store.open_units(PROFILE) == {}
        store.apply_plan(PROFILE, [unit], asked=4, stale=[], templates={})
        assert list(store.open_units(PROFILE)) == [unit.id]


@pytest.mark.parametrize(
    ("data", "said"), [(b"this is no database, only text" * 50, "not a database"), (b"", "older schema")]
)
def test_a_file_that_is_no_database_is_left_untouched(path: Path, data: bytes, said: str) -> None:
    path.parent.mkdir()
    path.write_bytes(data)
    with pytest.raises(StoreUnusable, match=said):
        Reader(path)
    assert path.read_bytes() == data


def test_a_newer_or_a_foreign_database_is_refused(path: Path) -> None:
    with Store(path):
        pass
    conn = sqlite3.connect(path)
    conn.execute("PRAGMA user_version = 99")
    conn.commit()
    for opener in (Store, Reader):
        with pytest.raises(StoreUnusable, match="newer psygen"):
            opener(path)
    conn.execute("PRAGMA application_id = 77")
    conn.commit()
    conn.close()
    with pytest.raises(StoreUnusable, match="another program"):
        Store(path)


def test_a_file_replaced_while_in_use_is_noticed(path: Path) -> None:
    with Store(path) as store:
        planned(store)
        path.rename(path.with_suffix(".moved"))
        path.write_bytes(b"")
        with pytest.raises(StoreUnusable, match="replaced"):
            store.start_run(PROFILE, {})


def test_two_processes_make_a_fresh_database_together(path: Path) -> None:
    code = f"from pathlib import Path; from psygen.store.database import Store; Store(Path({str(path)!r}))"
    both = [subprocess.Popen([sys.executable, "-c", code], stderr=subprocess.PIPE, text=True) for _ in range(2)]
    assert [process.communicate()[1] for process in both] == ["", ""]
    assert [process.returncode for process in both] == [0, 0]


def test_the_run_lock_has_one_holder_and_names_it(path: Path) -> None:
    with lock(path), pytest.raises(StoreUnusable, match=f"process {os.getpid()}"), lock(path):
        pass
    with lock(path):
        pass


def test_reading_never_writes(path: Path) -> None:
    with Store(path) as store:
        planned(store)
    conn = connect(path, write=False)
    with pytest.raises(sqlite3.OperationalError, match="readonly"), transaction(conn):
        conn.execute("DELETE FROM units")
    conn.close()


def test_a_missing_database_says_what_to_type(path: Path) -> None:
    with pytest.raises(StoreUnusable, match="psygen generate"):
        Reader(path)
