"""How long exporting takes and how much memory it needs, format by format, each in a process of its own.

python -m tests.benchmarks.exports [QUESTIONS]
"""

import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from psygen.curate.export import export_benchmark
from psygen.files.concepts import load_subjects
from psygen.files.exports.formats import FORMATS
from psygen.files.exports.options import ExportOptions
from psygen.records.benchmark import Benchmark, Question, Split
from psygen.settings import packaged_folder
from tests.files.exports.corpus import benchmark, question


def many(questions: int) -> Benchmark:
    """So many questions over all subjects and chapters in the published proportion; one in three has formulas."""
    places = [(s.slug, c.slug) for s in load_subjects((packaged_folder() / "concepts",)) for c in s.chapters]
    return benchmark([_question(n, places[n % len(places)]) for n in range(questions)])


def _question(n: int, place: tuple[str, str]) -> Question:
    part = n * 7919 % 4573
    split: Split = "dev" if part < 60 else "val" if part < 488 else "test"
    has_formulas = n % 3 == 0
    stem = f"研究者对第{n}名被试进行了测验，" + "并在相同条件下重复测量以考察结果的稳定性，" * 3 + "下列说法正确的是"
    stem += rf"，已知 $\bar{{x}}={n}$，$s^2=\frac{{{n}}}{{7}}$" if has_formulas else ""
    options = tuple(f"${n / 7 + k:.2f}$" if has_formulas else f"第{k}种说法，与第{n}名被试的结果一致" for k in range(4))
    return question(n, split, subject=place[0], chapter=place[1], stem=stem, options=options, explanation="解析" * 40)


def one(name: str, questions: int) -> None:
    """Export in one format, or all, and print seconds and megabytes."""
    made = many(questions)
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    start = time.perf_counter()
    with tempfile.TemporaryDirectory() as folder:
        export_benchmark(made, [name], Path(folder) / "out", ExportOptions())
        took = time.perf_counter() - start
        size = sum(p.stat().st_size for p in Path(folder).rglob("*") if p.is_file())
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    # ru_maxrss is in kilobytes on Linux, in bytes on macOS.
    unit = 2**20 if sys.platform == "darwin" else 2**10
    print(
        f"{name:12} {took:7.1f} s   peak {peak / unit:6.0f} MB, {before / unit:.0f} of them the questions; "
        f"{size / 2**20:,.0f} MB on disk"
    )


def main() -> None:
    if len(sys.argv) == 3:
        one(sys.argv[2], int(sys.argv[1]))
        return
    questions = sys.argv[1] if len(sys.argv) > 1 else "100000"
    for name in (*FORMATS, "all"):
        subprocess.run([sys.executable, "-m", "tests.benchmarks.exports", questions, name], check=True)


if __name__ == "__main__":
    main()
