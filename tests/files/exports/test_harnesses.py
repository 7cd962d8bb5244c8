"""What the exports for harnesses promise without the harnesses; `python -m tests.peers` runs the real ones."""

import ast
import importlib
import json
import re
import subprocess
import sys
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
import yaml

from psygen.errors import ExportFault
from psygen.files.exports.harness import SHIPPED
from psygen.files.exports.shipped import psygen_questions
from tests.files.exports.corpus import benchmark, corpus, json_lines, question, written

LOAD = """
import json, sys
sys.path.insert(0, sys.argv[1])
import utils
loaded = utils.load(**json.loads(sys.argv[2]))
print(json.dumps({split: list(rows["id"]) if len(rows) else [] for split, rows in loaded.items()}))
print(json.dumps(utils.score({"answer": "B"}, ["B"]) | {"unread": utils.score({"answer": "B"}, ["[invalid]"])}))
"""


class Loader(yaml.SafeLoader):
    """Reads `!function x` as the text x."""


Loader.add_constructor("!function", lambda loader, node: loader.construct_scalar(node))


def read_yaml(path: Path) -> dict[str, Any]:
    """A file of the task folder, functions by their names."""
    value: dict[str, Any] = Loader(path.read_text(encoding="utf-8")).get_single_data()
    return value


@pytest.fixture(scope="module")
def out(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("harnesses")
    for name in ("lm-eval", "inspect", "opencompass"):
        written(folder / name, name, corpus())
    return folder


def tasks(folder: Path) -> dict[str, dict[str, Any]]:
    """Every YAML of a task folder by what --tasks calls it."""
    found = [read_yaml(p) for p in sorted(folder.glob("*.yaml"))]
    return {one.get("task") if isinstance(one.get("task"), str) else one["group"]: one for one in found}


def load(out: Path, **metadata: object) -> dict[str, list[str]]:
    """Ids by split, as the harness would be given them, from another working directory."""
    command = [sys.executable, "-c", LOAD, str(out / "lm-eval/lm_eval"), json.dumps(metadata)]
    run = subprocess.run(command, cwd=out, capture_output=True, text=True, check=False)
    assert run.returncode == 0, run.stderr
    value: dict[str, list[str]] = json.loads(run.stdout.splitlines()[0])
    return value


def test_every_group_names_tasks_that_exist(out: Path) -> None:
    found = tasks(out / "lm-eval/lm_eval")
    assert {"psygen", "psygen_chapters", "psygen_gen", "psygen_statistics", "psygen_gen_general"} <= set(found)
    assert found["psygen"]["task"] == ["psygen_general", "psygen_statistics"]
    named = {name for one in found.values() if "group" in one for name in one["task"]}
    assert named == set(found) - {"psygen", "psygen_chapters", "psygen_gen"}


def test_every_include_and_function_of_a_task_folder_is_there(out: Path) -> None:
    folder = out / "lm-eval/lm_eval"
    for path in [p for p in folder.iterdir() if p.suffix == ".yaml" or p.name.startswith("_psygen")]:
        text = path.read_text(encoding="utf-8")
        assert all((folder / name).is_file() for name in re.findall(r'^include: "?([\w.]+)', text, re.M))
        for module, function in re.findall(r"!function (\w+)\.(\w+)", text):
            defined = ast.parse((folder / f"{module}.py").read_text(encoding="utf-8")).body
            assert function in {n.name for n in defined if isinstance(n, ast.FunctionDef)}


def test_a_generating_task_has_no_choices_to_index(out: Path) -> None:
    folder = out / "lm-eval/lm_eval"
    for name in ("_psygen_common_yaml", "_psygen_gen_template_yaml"):
        assert "doc_to_choice" not in read_yaml(folder / name)


def test_a_task_loads_its_subject_and_the_subjects_demonstrations(out: Path) -> None:
    made = corpus().questions
    loaded = load(out, version=1.0, subject="general")
    for split in ("dev", "val", "test"):
        assert loaded[split] == [q.id for q in made if (q.split, q.subject) == (split, "general")]


def test_a_chapters_task_has_the_whole_subjects_demonstrations(out: Path) -> None:
    whole, part = load(out, subject="statistics"), load(out, subject="statistics", chapter="no-such-chapter")
    assert part == {"dev": whole["dev"], "val": [], "test": []}


def test_every_question_with_one_answer_is_in_one_task_of_each_group(out: Path) -> None:
    found, data = tasks(out / "lm-eval/lm_eval"), json_lines(out / "lm-eval/lm_eval/data/test.jsonl")
    for prefix in ("psygen_", "psygen_gen_"):
        fitting = Counter(
            row["id"] for row in data for one in found.values()
            if one.get("task") == prefix + str(row["subject"]) and one["metadata"]["subject"] == row["subject"]
        )  # fmt: skip
        assert fitting == Counter(q.id for q in corpus().questions if q.split == "test" and q.form == "single")


def test_fewer_demonstrations_are_asked_for_where_there_are_fewer(tmp_path: Path) -> None:
    few = benchmark([question(1, "dev"), question(2, "dev"), question(3)])
    written(tmp_path / "out", "lm-eval", few)
    assert tasks(tmp_path / "out/lm_eval")["psygen_statistics"]["num_fewshot"] == 2


@pytest.mark.parametrize(("name", "data"), [("lm-eval", "lm_eval/data"), ("inspect", "inspect/data")])
def test_a_split_with_hidden_answers_is_left_out_and_val_is_scored(tmp_path: Path, name: str, data: str) -> None:
    made = corpus()
    hidden = made._replace(questions=[q._replace(key=()) if q.split == "test" else q for q in made.questions])
    folder = written(tmp_path / "out", name, hidden, frozenset({"test"}))
    assert {p.stem for p in (tmp_path / "out" / data).iterdir()} == {"dev", "val"}
    assert psygen_questions.scored_split(tmp_path / "out" / data) == "val"
    assert f"{name}: test is left out, because nothing can be scored without its answers." in folder.notes


def test_with_nothing_to_score_nothing_is_written(tmp_path: Path) -> None:
    folder = written(tmp_path / "out", "lm-eval", benchmark([question(1, "dev")]))
    assert not (tmp_path / "out/lm_eval").exists()
    assert "nothing was written" in folder.notes[0]


def test_a_subject_that_would_be_a_group_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ExportFault, match="two tasks would be called psygen_gen"):
        written(tmp_path / "out", "lm-eval", benchmark([question(1, subject="gen")]))


def test_shipped_code_is_copied_byte_for_byte_and_compiles(out: Path) -> None:
    for place, name, source in (
        ("lm-eval/lm_eval", "utils.py", "lm_eval_utils.py"),
        ("lm-eval/lm_eval", "psygen_extract.py", "psygen_extract.py"),
        ("inspect/inspect", "psygen_extract.py", "psygen_extract.py"),
        ("inspect/inspect", "psygen_questions.py", "psygen_questions.py"),
        ("inspect/inspect", "psygen_inspect.py", "psygen_inspect.py"),
        ("opencompass/opencompass", "psygen_datasets.py", "psygen_datasets.py"),
    ):
        data = (out / place / name).read_bytes()
        assert data == (SHIPPED / source).read_bytes()
        compile(data, name, "exec")


@pytest.mark.parametrize("name", ["psygen_extract", "psygen_questions"])
def test_what_every_harness_uses_needs_only_the_standard_library(name: str) -> None:
    tree = ast.parse((SHIPPED / f"{name}.py").read_text(encoding="utf-8"))
    modules = {n.module.split(".")[0] for n in ast.walk(tree) if isinstance(n, ast.ImportFrom) and n.module}
    modules |= {a.name for n in ast.walk(tree) if isinstance(n, ast.Import) for a in n.names}
    assert modules <= set(sys.stdlib_module_names)


def test_a_prompt_shows_five_demonstrations_and_ends_where_the_answer_begins(out: Path) -> None:
    data = out / "inspect/inspect/data"
    dev = psygen_questions.rows("dev", data)
    for row in psygen_questions.rows("test", data):
        shots = psygen_questions.demonstrations(row, dev, 5)
        prompt = psygen_questions.prompt(row, shots)
        assert len(shots) == (5 if row["format"] == "SCQ" else 0)
        assert {s["subject"] for s in shots} <= {row["subject"]}
        assert prompt.endswith(f"D. {row['choices'][3]}\n答案：")
        assert row["question"].strip() in prompt


def test_inspect_says_which_splits_are_there(out: Path) -> None:
    with pytest.raises(ValueError, match=r"split=train: .*here are dev, test, val"):
        psygen_questions.rows("train", out / "inspect/inspect/data")


def test_opencompass_brings_the_tables_it_reads(out: Path) -> None:
    folder = out / "opencompass"
    text = (folder / "opencompass/psygen_subjects.py").read_text(encoding="utf-8")
    values = {n.targets[0].id: ast.literal_eval(n.value) for n in ast.parse(text).body if isinstance(n, ast.Assign)}  # type: ignore[attr-defined]
    assert values["psygen_split"] == "test"
    assert [s["name"] for s in values["psygen_subjects"]] == ["general", "statistics"]
    for subject in values["psygen_subjects"]:
        assert subject["demonstrations"] == [0, 1, 2, 3, 4]
        assert all((folder / f"ceval/{s}/{subject['name']}_{s}.csv").is_file() for s in ("dev", "val", "test"))


def test_a_name_is_data_in_the_config(tmp_path: Path) -> None:
    made = corpus()
    evil = tuple(s.model_copy(update={"zh": '"] + print("x")  # {question}'}) for s in made.subjects)
    written(tmp_path / "out", "opencompass", made._replace(subjects=evil))
    text = (tmp_path / "out/opencompass/psygen_subjects.py").read_text(encoding="utf-8")
    assert not [n for n in ast.walk(ast.parse(text)) if isinstance(n, ast.Call)]


def test_an_english_benchmark_is_asked_in_english(tmp_path: Path) -> None:
    english = benchmark([question(n, s, lang="en") for n, s in enumerate(("dev", "test"))])._replace(lang="en")
    written(tmp_path / "lm", "lm-eval", english)
    common = (tmp_path / "lm/lm_eval/_psygen_common_yaml").read_text(encoding="utf-8")
    assert "about {{subject_en}}" in common
    assert not re.search(r"[\u4e00-\u9fff]", common)


def test_shipped_modules_import_without_their_harness() -> None:
    # The ones that hold logic: a fault in them must show in every test run, not only where a harness is installed.
    for name in ("psygen_extract", "psygen_questions"):
        assert importlib.import_module(f"psygen.files.exports.shipped.{name}").__doc__
