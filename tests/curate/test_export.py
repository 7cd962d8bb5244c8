"""`psygen export`: formats chosen, answers hidden, manifest, and what a kill leaves."""

import hashlib
import json
import os
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from psygen.curate.export import export_benchmark
from psygen.errors import ExportFault, InputError, UnknownName
from psygen.files.exports.options import ExportOptions
from tests.files.exports.corpus import CANARY, benchmark, corpus, json_lines, question

HIDE = ExportOptions(hide_answers=frozenset({"test"}))
PLAIN = ExportOptions()
Run = Callable[..., subprocess.CompletedProcess[str]]


def test_the_manifest_lists_every_file_with_its_hash(tmp_path: Path) -> None:
    out = tmp_path / "out"
    export_benchmark(corpus(), ["all"], out, PLAIN)
    manifest = json.loads((out / "psygen.json").read_text(encoding="utf-8"))
    there = {p.relative_to(out).as_posix(): p for p in out.rglob("*") if p.is_file() and p.name != "psygen.json"}
    assert manifest["files"] == {n: hashlib.sha256(p.read_bytes()).hexdigest() for n, p in sorted(there.items())}
    assert manifest["counts"] == {"dev": 10, "val": 2, "test": 17}
    assert manifest["canary"] == CANARY


def test_equal_input_gives_equal_bytes(tmp_path: Path) -> None:
    for name in ("one", "two"):
        export_benchmark(corpus(), ["all"], tmp_path / name, PLAIN)
    one, two = (tmp_path / name / "psygen.json" for name in ("one", "two"))
    assert one.read_bytes() == two.read_bytes()


def test_hidden_answers_are_nowhere_in_the_public_folder(tmp_path: Path) -> None:
    secret = question(1, explanation="绝密的解析")
    done = export_benchmark(benchmark([secret, question(2, "dev")]), ["all"], tmp_path / "out", HIDE)
    for path in (tmp_path / "out").rglob("*"):
        assert not path.is_file() or "绝密的解析".encode() not in path.read_bytes()
    row = json_lines(tmp_path / "out/data/test.jsonl")[0]
    assert [row[name] for name in ("key", "explanation", "flags", "revision")] == ["", "", [], ""]
    assert done.keys == tmp_path / "out-keys/keys.jsonl"


def test_hidden_answers_stand_in_the_key_file(tmp_path: Path) -> None:
    made = corpus()
    keys = tmp_path / "safe.jsonl"
    export_benchmark(made, ["canonical"], tmp_path / "out", HIDE, keys)
    found = {row["id"]: row["key"] for row in json_lines(keys)}
    assert found == {q.id: "".join("ABCD"[k] for k in q.key) for q in made.questions if q.split == "test"}


@pytest.mark.parametrize("name", ["out/keys.jsonl", "out/data/x/keys.jsonl", "out"])
def test_keys_never_lie_inside_the_public_folder(tmp_path: Path, name: str) -> None:
    with pytest.raises(ExportFault, match="lies inside"):
        export_benchmark(corpus(), ["canonical"], tmp_path / "out", HIDE, tmp_path / name)
    assert not (tmp_path / "out").exists()


def test_keys_overwrite_keys_and_nothing_else(tmp_path: Path) -> None:
    keys = tmp_path / "keys.jsonl"
    for _ in range(2):
        export_benchmark(corpus(), ["canonical"], tmp_path / "out", HIDE, keys)
    (tmp_path / "notes.txt").write_text("mine")
    with pytest.raises(ExportFault, match="holds no keys"):
        export_benchmark(corpus(), ["canonical"], tmp_path / "out", HIDE, tmp_path / "notes.txt")


def test_reserved_questions_are_never_exported(tmp_path: Path) -> None:
    made = benchmark([question(1), question(2, "reserved", stem="保留的题干是什么？")])
    export_benchmark(made, ["all"], tmp_path / "out", PLAIN)
    for path in (tmp_path / "out").rglob("*"):
        assert not path.is_file() or "保留的题干".encode() not in path.read_bytes()
    manifest = json.loads((tmp_path / "out/psygen.json").read_text(encoding="utf-8"))
    assert manifest["counts"] == {"test": 1}


def test_nothing_to_export_is_said_before_anything_is_written(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no question to export"):
        export_benchmark(benchmark([question(2, "reserved")]), ["all"], tmp_path / "out", PLAIN)
    assert not list(tmp_path.iterdir())


def test_an_unknown_format_names_the_nearest(tmp_path: Path) -> None:
    with pytest.raises(UnknownName, match="Did you mean ceval"):
        export_benchmark(corpus(), ["c-eval"], tmp_path / "out", PLAIN)


def test_hiding_a_split_that_is_not_there_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="hide-answers tset"):
        export_benchmark(corpus(), ["all"], tmp_path / "out", ExportOptions(hide_answers=frozenset({"tset"})))


def test_a_source_of_imported_questions_is_named(tmp_path: Path) -> None:
    made = benchmark([question(1), question(2, engine="import", model="C-Eval")])
    assert export_benchmark(made, ["canonical"], tmp_path / "out", PLAIN).notes == (
        '1 of the questions come from "C-Eval": its licence says whether you may give them away.',
    )


EXPORT = """
import sys
from pathlib import Path
from psygen.curate.export import export_benchmark
from psygen.files.exports.options import ExportOptions
from tests.files.exports.corpus import benchmark, question
export_benchmark(benchmark([question(int(sys.argv[2]))]), [sys.argv[3]], Path(sys.argv[1]), ExportOptions())
"""


def export_process(out: Path, number: int, crash: str = "") -> int:
    """Export question `number` in a process that may be killed on its way."""
    environment = os.environ | ({"PSYGEN_CRASH_AT": crash} if crash else {})
    command = [sys.executable, "-c", EXPORT, str(out), str(number), "canonical"]
    return subprocess.run(command, env=environment, cwd=Path(__file__).parents[2], check=False).returncode


def test_a_kill_before_the_rename_leaves_the_old_export_whole(tmp_path: Path) -> None:
    assert export_process(tmp_path / "out", 1) == 0
    assert export_process(tmp_path / "out", 2, "before_rename") == -signal.SIGKILL
    assert json_lines(tmp_path / "out/data/test.jsonl")[0]["stem"] == "第1题的题干是什么？"
    assert export_process(tmp_path / "out", 2) == 0
    assert json_lines(tmp_path / "out/data/test.jsonl")[0]["stem"] == "第2题的题干是什么？"
    assert [p.name for p in tmp_path.iterdir()] == ["out"]


def test_a_kill_between_the_renames_loses_nothing(tmp_path: Path) -> None:
    assert export_process(tmp_path / "out", 1) == 0
    assert export_process(tmp_path / "out", 2, "between_renames") == -signal.SIGKILL
    assert json_lines(tmp_path / ".out.old/data/test.jsonl")[0]["stem"] == "第1题的题干是什么？"
    assert export_process(tmp_path / "out", 3) == 0
    assert json_lines(tmp_path / "out/data/test.jsonl")[0]["stem"] == "第3题的题干是什么？"
    assert [p.name for p in tmp_path.iterdir()] == ["out"]


@pytest.mark.parametrize(("name", "is_written"), [("hf", False), ("all", True)])
def test_without_pyarrow_all_is_the_rest_and_hf_is_refused(tmp_path: Path, name: str, *, is_written: bool) -> None:
    # None in sys.modules makes an import fail as if the package were not installed.
    blocked = "import sys; sys.modules['pyarrow'] = None; sys.modules['pyarrow.parquet'] = None\n"
    command = [sys.executable, "-c", blocked + EXPORT, str(tmp_path / "out"), "1", name]
    run = subprocess.run(command, cwd=Path(__file__).parents[2], capture_output=True, text=True, check=False)
    assert (tmp_path / "out" / "lm_eval").is_dir() is is_written
    assert not (tmp_path / "out" / "hf").exists()
    assert ('pip install "psygen[parquet]"' in run.stderr) is not is_written


def test_from_concepts_to_a_benchmark(psygen: Run, own_workspace: Path) -> None:
    assert psygen("generate", "--all", "--engine", "offline").returncode == 0
    assert psygen("split", "--engine", "offline", "--state", "any").returncode == 0
    done = psygen("export", "--format", "all", "--out", "bench", "--json")
    assert done.returncode == 0, done.stderr
    value = json.loads(done.stdout)
    exported = [row for split in value["counts"] for row in json_lines(own_workspace / f"bench/data/{split}.jsonl")]
    items = [json.loads(line) for line in psygen("items", "export", "--stable").stdout.splitlines()]
    kept = {i["id"]: (i["stem"], i["options"], i["key"]) for i in items}
    assert {r["id"]: (r["stem"], r["options"], r["key"]) for r in exported} == kept
    assert "Next:" in done.stderr


def test_wrong_use_is_a_sentence(psygen: Run, own_workspace: Path) -> None:
    psygen("generate", "--all", "--engine", "offline")
    psygen("split", "--engine", "offline", "--state", "any")
    for args, said in (
        (("--format", "foo", "--out", "b"), 'There is no format "foo"'),
        (("--format", "hf", "--out", "."), "is no export of psygen"),
        (("--format", "hf", "--out", "/"), "give one a name"),
        (("--format", "hf", "--out", "b", "--split", "none"), "There is no split"),
    ):
        done = psygen("export", *args)
        assert (done.returncode, said in done.stderr, done.stdout) == (2, True, "")
        assert not (own_workspace / "b").exists()
