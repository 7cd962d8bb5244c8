"""How quick `psygen review stats` is on a bank of the papers' size, judged by three reviewers: seconds, median of runs.

python -m tests.benchmarks.review_stats [ITEMS]
"""

import subprocess
import sys
import tempfile
import time
from pathlib import Path
from statistics import median

from psygen.curate.judge import Entry, record
from psygen.curate.stats import review_stats
from psygen.ids import rng
from psygen.records.item import LETTERS, Item
from psygen.records.review import CHECKS, Event, Policy
from psygen.settings import load_settings
from psygen.store.database import Store
from psygen.store.queries import Reader
from tests.benchmarks.million import make_million

ITEMS = 5532
REVIEWERS = ("r1", "r2", "r3")
VERDICTS = ("keep", "modify", "delete")
SHARES = (83, 10, 7)
"""What the papers kept, about; the rest is a guess."""


def judge_all(folder: Path) -> None:
    """Three verdicts with checks and a blind answer for each item, of reviewers who see right 19 times in 20."""
    settings = load_settings(folder, {})
    with Reader(settings.database) as reader:
        items = list(reader.items())
    with Store(settings.database) as store:
        record(store, Policy(), (entry for item in items for entry in _entries(item)))


def _entries(item: Item) -> list[Entry]:
    source = rng(1, item.id)
    truth = source.choices(VERDICTS, SHARES)[0]
    entries = []
    for who in REVIEWERS:
        sees = source.random() < 0.95
        right = item.key_letters if sees else source.choice(LETTERS[:4])
        said = {
            "verdict": truth if sees else source.choice(VERDICTS),
            "blind_answer": right,
            "ms": source.randrange(20_000, 90_000),
            **{check: "yes" if source.random() < 0.95 else "no" for check in CHECKS},
        }
        event = {"reviewer": who, "via": "sheet", "item_id": item.id, "revision": item.revision, "kind": "verdict"}
        entries.append(Entry(Event.model_validate(event | said)))
    return entries


def main() -> None:
    items = int(sys.argv[1]) if len(sys.argv) > 1 else ITEMS
    with tempfile.TemporaryDirectory() as name:
        folder = make_million(Path(name) / "bank", items)
        start = time.perf_counter()
        judge_all(folder)
        print(f"taking in {3 * items:,} verdicts    {time.perf_counter() - start:6.2f} s")
        settings = load_settings(folder, {})
        inside, outside = [], []
        for _ in range(5):
            start = time.perf_counter()
            review_stats(settings)
            inside.append(time.perf_counter() - start)
            start = time.perf_counter()
            done = subprocess.run(
                [sys.executable, "-m", "psygen", "-w", str(folder), "review", "stats"],
                capture_output=True,
                text=True,
                check=True,
            )
            outside.append(time.perf_counter() - start)
        print(f"the figures                  {median(inside):6.2f} s")
        print(f"psygen review stats          {median(outside):6.2f} s")
        print(done.stdout)


if __name__ == "__main__":
    main()
