"""How long review takes in the large: a batch of 100,000 questions written, sheets read back, a queue opened.

python -m tests.benchmarks.review FOLDER [QUESTIONS]
"""

import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

from psygen.curate.desk import progress, queue_of, view
from psygen.curate.judge import Entry, record
from psygen.records.review import Event, policy_of
from psygen.settings import load_settings
from psygen.store.database import Store
from psygen.store.queries import Reader
from tests.benchmarks.million import make_million

SMALL = 5_532
"""The questions of the papers' bank."""


def run(folder: Path, *args: str) -> None:
    """Run psygen in a process of its own; print its time, the processor's, and its largest memory."""
    code = (
        "import os, sys\n"
        "from psygen.cli.main import main\n"
        f"sys.argv = ['psygen', '-w', {str(folder)!r}, *{list(args)!r}]\n"
        "try:\n    main()\n"
        "finally:\n"
        "    kilobytes = [l.split()[1] for l in open('/proc/self/status') if l.startswith('VmHWM')][0]\n"
        "    t = os.times()\n"
        "    used = t.user + t.system + t.children_user + t.children_system\n"
        "    print(f'{used:.1f} s of processor, {int(kilobytes) // 1024} MiB', file=sys.stderr)\n"
    )
    began = time.monotonic()
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    said = done.stderr.strip().splitlines()
    if done.returncode:
        sys.exit("\n".join(said))
    print(f"psygen {' '.join(args[:2])} {' '.join(args[2:])}: {time.monotonic() - began:.1f} s, {said[-1]}")


def clock(name: str, work: Callable[[], object]) -> None:
    """Print how long something takes."""
    began, used = time.monotonic(), time.process_time()
    work()
    took = (time.monotonic() - began) * 1000
    print(f"{name}: {took:.0f} ms, {(time.process_time() - used) * 1000:.0f} ms of processor")


def main(folder: Path, questions: int) -> None:
    """Make the bank if it is not there, then measure."""
    if not (folder / "outputs").exists():
        make_million(folder, questions)
    # A folder each time: what is there already is never written over.
    stamp = str(time.time_ns())
    run(folder, "review", "export", "--size", str(SMALL), "--out", f"{folder}/{stamp}/a")
    for path in sorted((folder / stamp / "a").glob("*.xlsx")):
        run(folder, "review", "import", str(path))
    rest = str(min(100_000, questions - SMALL))
    run(folder, "review", "export", "--size", rest, "--reviewers", "1", "--format", "csv", "--out", f"{folder}/{stamp}")
    settings = load_settings(folder, {})
    policy = policy_of(settings)
    with Reader(settings.database) as reader:
        tasks = queue_of(reader, "r2")
        clock(f"queue of {len(tasks):,}", lambda: queue_of(reader, "r2"))
        clock("one question", lambda: view(reader, policy, "r2", tasks[0].item_id))
        clock("progress of two reviewers", lambda: progress(reader, ["r2", "r3"]))
    facts = {"reviewer": "r2", "via": "web", "kind": "verdict", "verdict": "keep", "blind_answer": "A"}
    said = [Entry(Event.model_validate({**facts, "item_id": t.item_id, "revision": t.revision})) for t in tasks]
    with Store(settings.database) as store:
        clock("one verdict", lambda: record(store, policy, said[:1]))
        clock(f"{len(said) - 1:,} verdicts", lambda: record(store, policy, said[1:]))


if __name__ == "__main__":
    main(Path(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) > 2 else 105_532)
