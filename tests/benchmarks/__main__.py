"""`make bench`: how quick psygen is, as ratios and seconds of one run on one machine."""

import os
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from psygen.replies.read import read_reply
from tests.benchmarks.million import make_million

ROUNDS = 7


def seconds(command: list[str], folder: Path, rounds: int = ROUNDS) -> float:
    """Median wall time of a command, spawn to exit."""
    times = []
    for _ in range(rounds):
        start = time.perf_counter()
        subprocess.run(command, cwd=folder, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=True)
        times.append(time.perf_counter() - start)
    return statistics.median(times)


def worst_reply() -> float:
    """Seconds for the slowest megabyte of nonsense."""
    pieces = ("$", "**", "<think>", "1. ", "答案：", "A. x B. y C. z D. w\n", "```\n", "| A |", "（", "[", '{"a":')
    times = []
    for piece in pieces:
        start = time.perf_counter()
        read_reply((piece * (1_000_000 // len(piece)))[:999_999])
        times.append(time.perf_counter() - start)
    return max(times)


def main() -> None:
    psygen = str(Path(sys.executable).parent / "psygen")
    click = [sys.executable, "-c", "import click"]
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        base, shown = seconds(click, folder, 21), seconds([psygen, "--help"], folder, 21)
        print(f"psygen --help               {shown * 1000:7.0f} ms = {shown / base:.2f} x python -c 'import click'")
        fresh = [psygen, "generate", "--subject", "statistics", "--engine", "offline"]
        start = time.perf_counter()
        subprocess.run(fresh, cwd=folder, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=True)
        print(f"generate, 99 concepts       {time.perf_counter() - start:7.2f} s")
        print(f"1 MB of the worst reply     {worst_reply():7.2f} s")
        items = int(os.environ.get("PSYGEN_BENCH_ITEMS", "1000000"))
        big = make_million(folder / "big", items)
        every = [psygen, "generate", "--all", "--engine", "offline"]
        print(f"nothing to do, {items:>9,} items {seconds(every, big):6.2f} s")
        print(f"status, {items:>9,} items        {seconds([psygen, 'status'], big):6.2f} s")


if __name__ == "__main__":
    main()
