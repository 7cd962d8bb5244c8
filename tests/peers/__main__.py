"""Export the whole offline bank and run it in the real harnesses, with a model that knows the keys and one that errs.

python -m tests.peers                            lm-eval, Inspect and datasets, from fresh environments
python -m tests.peers --opencompass              OpenCompass besides: 6 GB
python -m tests.peers --subject clinical         a quick look: one subject
python -m tests.peers --environments FOLDER      keep the environments there and use them again

Nothing but the installation needs a network. Ends with 1 when a check fails.
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

from tests.peers import harnesses
from tests.peers.harnesses import Failed, Run

ROOT = Path(__file__).parent.parent.parent
SHOTS = 5
WORTH = {"right": 1.0, "wrong": 0.0}
Harness = Callable[[Path, Path, int, str, Path], list[Run]]
RUNS: tuple[tuple[str, str, Harness], ...] = (
    ("inspect", "task", harnesses.inspect),
    ("lm-eval", "generation", harnesses.lm_eval_generation),
    ("lm-eval", "likelihood", harnesses.lm_eval_likelihood),
    ("opencompass", "config", harnesses.opencompass),
)
"""Environment, name and function of each run."""


class Exported(NamedTuple):
    """The export under test, and what must be in it."""

    folder: Path
    items: Path
    """The bank's own keys, which never went through an export."""
    places: dict[str, tuple[str, str]]
    """Split and subject of each question."""

    def ids(self, split: str) -> list[str]:
        """Ids of a split, sorted."""
        return sorted(i for i, (place, _) in self.places.items() if place == split)


def make_export(work: Path, subject: str | None) -> Exported:
    """Generate, split and export as a user would; every subject, or one."""
    env = {"PYTHONPATH": str(ROOT)}
    psygen = [sys.executable, "-m", "psygen"]
    wanted = ["--subject", subject] if subject else ["--all"]
    harnesses.call([*psygen, "generate", *wanted, "--engine", "offline"], work, env)
    harnesses.call([*psygen, "split", "--state", "any", "--engine", "offline"], work, env)
    harnesses.call([*psygen, "export", "--format", "all", "--out", "export"], work, env)
    items = work / "items.jsonl"
    harnesses.call([*psygen, "items", "export", "--out", str(items)], work, env)
    places = {}
    for path in sorted((work / "export" / "data").glob("*.jsonl")):
        with path.open(encoding="utf-8") as lines:
            places |= {row["id"]: (row["split"], row["subject"]) for row in map(json.loads, lines)}
    return Exported(work / "export", items, places)


@contextmanager
def serving(items: Path, log: Path) -> Iterator[int]:
    """The stub on a port of its own."""
    command = [sys.executable, "-m", "tests.peers.stub", str(items), str(log)]
    env = os.environ | {"PYTHONPATH": str(ROOT)}
    with subprocess.Popen(command, env=env, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        try:
            yield int(process.stdout.readline())
        finally:
            process.terminate()


def faults_of_run(run: Run, model: str, exported: Exported) -> list[str]:
    """What is wrong with a run's score and with the ids in its log."""
    faults = []
    if run.score != WORTH[model]:
        faults.append(f"{run.name}: {run.score} instead of {WORTH[model]} with the model `{model}`")
    if run.ids and sorted(run.ids) != exported.ids("test"):
        faults.append(f"{run.name}: {len(run.ids)} scored ids ({len(set(run.ids))} different) are not those of test")
    return faults


def faults_of_log(log: Path, times: int, exported: Exported) -> list[str]:
    """What is wrong with what the stub was asked: which questions, how often, after which demonstrations.

    times: prompts for each question, e.g. four when each letter's likelihood is asked for.
    """
    with log.open(encoding="utf-8") as file:
        lines = [json.loads(line) for line in file]
    asked = Counter(line["asked"] for line in lines)
    faults = []
    if asked != Counter(dict.fromkeys(exported.ids("test"), times)):
        faults.append(f"{len(asked)} questions in {asked.total()} prompts; each of test was to come {times} times")
    bad = [line for line in lines if not _demonstrates(line["demos"], line["asked"], exported)]
    if bad:
        faults.append(f"{len(bad)} prompts without five demonstrations of their subject from dev, e.g. {bad[0]}")
    return faults


def _demonstrates(demos: Sequence[str], asked: str | None, exported: Exported) -> bool:
    if asked is None or len(set(demos)) != SHOTS or len(demos) != SHOTS:
        return False
    return {exported.places[d] for d in demos} == {("dev", exported.places[asked][1])}


def prompts_for_each(name: str, groups: int, exported: Exported) -> int:
    """Prompts that a run sends for each question: one for each letter in each group of a likelihood run; else one."""
    if name != "likelihood":
        return 1
    with exported.items.open(encoding="utf-8") as file:
        options = {len(item["options"]) for item in map(json.loads, file) if item["id"] in exported.places}
    [each] = options
    return groups * each


def check(environments: Path, work: Path, exported: Exported, wanted: set[str]) -> list[str]:
    """Run everything; the faults found."""
    faults = []
    loaded = harnesses.load_dataset(harnesses.environment(environments, "lm-eval"), exported.folder, work / "datasets")
    if any(sorted(ids) != exported.ids(split) for split, ids in loaded.items()) or len(loaded) != 3:
        faults.append("datasets: the splits loaded are not those exported")
    for environment, name, harness in RUNS:
        if environment not in wanted:
            continue
        programs = harnesses.environment(environments, environment)
        for model in WORTH:
            began, log = time.monotonic(), work / f"{environment}-{name}-{model}.jsonl"
            with serving(exported.items, log) as port:
                runs = harness(programs, exported.folder, port, model, work / f"{environment}-{name}-{model}")
            found = [f for run in runs for f in faults_of_run(run, model, exported)]
            found += faults_of_log(log, prompts_for_each(name, len(runs), exported), exported)
            faults += [f"{environment} {name}: {fault}" for fault in found]
            scores = ", ".join(f"{run.name} {run.score:.3f}" for run in runs)
            print(f"{environment:12} {name:10} {model:6} {scores:44} {time.monotonic() - began:5.0f} s", flush=True)
    return faults


def main() -> int:
    """0 when every check holds, else 1."""
    parser = argparse.ArgumentParser(prog="python -m tests.peers", description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--opencompass", action="store_true", help="OpenCompass besides (6 GB)")
    parser.add_argument("--subject", help="only this subject: a quick look")
    parser.add_argument("--environments", type=Path, help="keep the environments in this folder")
    args = parser.parse_args()
    wanted = {"lm-eval", "inspect"} | ({"opencompass"} if args.opencompass else set())
    with tempfile.TemporaryDirectory(prefix="psygen-peers-") as name:
        work = Path(name)
        environments = (args.environments or work / "environments").absolute()
        environments.mkdir(parents=True, exist_ok=True)
        try:
            exported = make_export(work, args.subject)
            splits = Counter(split for split, _ in exported.places.values())
            print(", ".join(f"{splits[s]:,} {s}" for s in ("dev", "val", "test")), flush=True)
            faults = check(environments, work, exported, wanted)
        except Failed as error:
            faults = [str(error)]
    for fault in faults:
        print(f"FAULT {fault}", file=sys.stderr)
    print("Every check holds." if not faults else f"{len(faults)} checks failed.")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
