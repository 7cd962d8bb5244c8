"""How quick the review page answers on a bank of the papers' size, a third of it judged by three reviewers.

python -m tests.benchmarks.review_page [ITEMS]
"""

import re
import sqlite3
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from statistics import median

from httpx2 import Response
from starlette.testclient import TestClient

from psygen.curate.judge import Entry, record
from psygen.ids import rng
from psygen.records.item import Item
from psygen.records.review import CHECKS, Event, Policy, people_of
from psygen.settings import Settings, load_settings
from psygen.store.database import Store
from psygen.store.queries import Reader
from psygen.web.app import make_app
from psygen.web.desk import Desk
from psygen.web.guard import Guard
from tests.benchmarks.million import make_million

ITEMS = 5532
REVIEWERS = ("r1", "r2", "r3")
HOST = "127.0.0.1:8000"
ROUNDS = 15


def give_out(settings: Settings) -> list[Item]:
    """All items in one batch for each reviewer; a third judged, mostly kept."""
    with Reader(settings.database) as reader:
        items = list(reader.items())
    with sqlite3.connect(settings.database) as conn:
        # The bank of the benchmark has no true hashes, and reviews speak of them.
        conn.executemany("UPDATE items SET revision = ? WHERE id = ?", [(i.revision, i.id) for i in items])
    conn.close()
    with Store(settings.database) as store:
        store.note_batch("b1", 1, {who: [(i.id, i.revision) for i in items] for who in REVIEWERS})
        record(store, Policy(), (Entry(_verdict(i, who)) for i in items[: len(items) // 3] for who in REVIEWERS))
    return items


def _verdict(item: Item, who: str) -> Event:
    verdict = rng(1, f"{item.id}/{who}").choices(("keep", "modify", "delete"), (83, 10, 7))[0]
    said = {"reviewer": who, "via": "sheet", "item_id": item.id, "revision": item.revision, "kind": "verdict"}
    checks = dict.fromkeys(CHECKS, "yes")
    return Event.model_validate({**said, **checks, "verdict": verdict, "blind_answer": item.key_letters, "ms": 40_000})


def timed(ask: Callable[[], Response]) -> str:
    """Median and worst milliseconds of some rounds."""
    times = []
    for _ in range(ROUNDS):
        start = time.perf_counter()
        answer = ask()
        times.append((time.perf_counter() - start) * 1000)
        assert answer.status_code == 200, answer.status_code
    return f"{median(times):6.1f} ms, worst {max(times):6.1f} ms"


def main() -> None:
    count = int(sys.argv[1]) if len(sys.argv) > 1 else ITEMS
    with tempfile.TemporaryDirectory() as name:
        settings = load_settings(make_million(Path(name) / "bank", count), {})
        items = give_out(settings)
        desk = Desk(settings, people_of(settings))
        client = TestClient(Guard(make_app(desk), {HOST}), base_url=f"http://{HOST}")
        client.get(f"/enter/{desk.sessions.links['r1']}")
        judged, fresh = items[0].id, items[-1].id
        for path in (
            "/mine",
            "/next",
            f"/item/{fresh}",
            f"/item/{judged}",
            "/contested",
            f"/history/{judged}",
            "/progress",
            "/agreement",
        ):
            print(f"GET  {path:32} {timed(lambda p=path: client.get(p))}")
        desk.figures.wait()
        print(f"GET  {'/agreement, counted':32} {timed(lambda: client.get('/agreement'))}")
        found = re.search(r'name="token" value="([^"]+)"', client.get(f"/item/{fresh}").text)
        assert found is not None
        waiting = iter(items[-2 * ROUNDS :])
        base = {"token": found[1]}

        def judge() -> Response:
            one = next(waiting)
            form = base | {"revision": one.revision, "answer": "A", "verdict": "keep"}
            client.post(
                f"/item/{one.id}/answer", data=form, headers={"Origin": f"http://{HOST}"}, follow_redirects=False
            )
            return client.post(f"/item/{one.id}/verdict", data=form, headers={"Origin": f"http://{HOST}"})

        print(f"POST {'answer, verdict, next item':32} {timed(judge)}")


if __name__ == "__main__":
    main()
