"""How long dividing and counting a large bank takes, and how much memory it needs.

python -m tests.benchmarks.split [QUESTIONS]
"""

import os
import random
import sqlite3
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from tests.benchmarks.million import make_million

COMMANDS = (
    "split --state any --engine offline",
    "split --state any --engine offline --group concept --name whole",
    "split --state any --engine offline --label kind --name label",
    "split --extend",
    "stats --state any --html page.html",
)


def lengthen(database: Path) -> None:
    """Give every question a stem of its own of usual length, one in fifty nearly that of the question before."""
    chance = random.Random(1)
    with sqlite3.connect(database) as conn:
        ids = [row[0] for row in conn.execute("SELECT id FROM items ORDER BY id")]
        stem = ""
        rows = []
        for n, item_id in enumerate(ids):
            if n % 50:
                stem = "".join(chr(0x4E00 + int(chance.triangular(0, 3000, 0))) for _ in range(70))
            rows.append((f"{stem}，第{n % 7}项", item_id))
        conn.executemany("UPDATE items SET stem = ? WHERE id = ?", rows)


def main() -> None:
    questions = int(sys.argv[1]) if len(sys.argv) > 1 else 100_000
    with tempfile.TemporaryDirectory() as name:
        folder = make_million(Path(name) / "big", questions)
        lengthen(folder / "outputs" / "psygen.db")
        for command in COMMANDS:
            start = time.perf_counter()
            done = subprocess.Popen(
                [sys.executable, "-m", "psygen", *command.split()], cwd=folder, stdout=-3, stderr=-3
            )
            _, status, usage = os.wait4(done.pid, 0)
            done.returncode = os.waitstatus_to_exitcode(status)
            # ru_maxrss is in kilobytes on Linux, in bytes on macOS.
            peak = usage.ru_maxrss / (2**20 if sys.platform == "darwin" else 2**10)
            took, busy = time.perf_counter() - start, usage.ru_utime + usage.ru_stime
            print(f"{command:66} {took:6.1f} s ({busy:5.1f} s CPU)  {peak:5.0f} MB  exit {done.returncode}")


if __name__ == "__main__":
    main()
