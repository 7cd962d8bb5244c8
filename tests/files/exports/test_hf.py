"""The Hugging Face dataset loads with `datasets` from the folder alone, without a network."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from psygen.files.exports.card import Config, card_text
from psygen.files.exports.options import ExportOptions
from psygen.files.exports.rows import Names, reader_row
from tests.files.exports.corpus import CANARY, corpus, written

Loaded = dict[str, dict[str, list[dict[str, object]]]]
LOAD = """
import json, sys
from datasets import get_dataset_config_names, load_dataset
folder = sys.argv[1]
out = {}
for config in [None, *sorted(get_dataset_config_names(folder))]:
    loaded = load_dataset(folder, config) if config else load_dataset(folder)
    out[config or "default"] = {split: rows.to_list() for split, rows in loaded.items()}
print(json.dumps(out))
"""


@pytest.fixture(scope="module")
def loaded(tmp_path_factory: pytest.TempPathFactory) -> Loaded:
    """Every configuration and split of the corpus, as `datasets` reads them in a process of its own."""
    folder = tmp_path_factory.mktemp("hf")
    written(folder / "out", "hf", corpus())
    offline = {"HF_HUB_OFFLINE": "1", "HF_DATASETS_OFFLINE": "1", "HF_HOME": str(folder / "cache")}
    run = subprocess.run(
        [sys.executable, "-c", LOAD, str(folder / "out/hf")],
        env=os.environ | offline,
        capture_output=True,
        text=True,
        check=False,
    )
    assert run.returncode == 0, run.stderr
    value: Loaded = json.loads(run.stdout.splitlines()[-1])
    return value


def test_every_question_comes_back_whole(loaded: Loaded) -> None:
    made = corpus()
    names = Names(made)
    for split in ("dev", "val", "test"):
        assert loaded["default"][split] == [reader_row(q, names, CANARY) for q in made.questions if q.split == split]


def test_there_is_a_configuration_for_each_subject(loaded: Loaded) -> None:
    assert sorted(loaded) == ["all", "default", "general", "statistics"]
    assert loaded["all"] == loaded["default"]
    both = [*loaded["general"]["test"], *loaded["statistics"]["test"]]
    assert both == loaded["all"]["test"]


def test_rows_have_a_hash_of_their_own(tmp_path: Path) -> None:
    folder = written(tmp_path / "out", "hf", corpus())
    assert sorted(folder.rows) == sorted(f for f in folder.files if f.endswith(".parquet"))


def test_the_card_says_what_a_stranger_must_know() -> None:
    text = card_text(corpus(), [Config("all", {"test": 1})], ExportOptions(hide_answers=frozenset({"test"})))
    for words in ("scores itself", "心理学教师", "cc-by-4.0", CANARY, "The answers of test are not in this dataset"):
        assert words in text


def test_a_name_cannot_break_the_head_of_the_card() -> None:
    made = corpus()._replace(name='x"\n---\n# <b>')
    head = card_text(made, [Config("all", {"test": 1})], ExportOptions()).split("\n---\n")[0]
    assert "configs:" in head
    assert "<b>" in json.loads(next(x for x in head.split("\n") if x.startswith("pretty_name")).partition(" ")[2])
