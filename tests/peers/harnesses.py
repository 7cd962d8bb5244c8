"""The harnesses: how each is installed, run offline against the stub, and what its own log then says."""

import csv
import json
import os
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

REQUIREMENTS: dict[str, tuple[str, ...]] = {
    "lm-eval": ("lm-eval[api]==0.4.13", "datasets>=5"),
    "inspect": ("inspect-ai==0.3.285", "openai"),
    # OpenCompass pins numpy 1, which later pyarrow does not take.
    "opencompass": ("opencompass==0.5.4", "pyarrow<21"),
}
OFFLINE = {"HF_HUB_OFFLINE": "1", "HF_DATASETS_OFFLINE": "1", "TRANSFORMERS_OFFLINE": "1", "NO_PROXY": "127.0.0.1"}


class Run(NamedTuple):
    """What one run of a harness said."""

    name: str
    score: float
    """0 to 1."""
    ids: Sequence[str]
    """Ids of the questions it scored, as its log has them; empty where the log knows none."""


class Failed(Exception):
    """A program ended with an error; the message holds the end of what it said."""


def call(command: Sequence[str | Path], cwd: Path, env: Mapping[str, str] | None = None) -> str:
    """Run a program to its end; what it wrote to stdout. Raises Failed."""
    clean = {k: v for k, v in os.environ.items() if not k.startswith(("OPENAI_", "PSYGEN_", "PYTHONPATH"))}
    parts = [str(part) for part in command]
    done = subprocess.run(parts, cwd=cwd, env=clean | dict(env or {}), capture_output=True, text=True, check=False)
    if done.returncode:
        raise Failed(f"{' '.join(parts)}\nended with {done.returncode}:\n{(done.stdout + done.stderr)[-4000:]}")
    return done.stdout


def environment(folder: Path, name: str) -> Path:
    """The bin folder of a virtual environment with a harness, made unless it is there already."""
    place = folder / name
    if not (place / "made").exists():
        print(f"making the environment of {name} in {place}", flush=True)
        call([sys.executable, "-m", "venv", "--clear", place], folder)
        pip = [place / "bin" / "python", "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
        call([*pip, *REQUIREMENTS[name]], folder)
        (place / "made").touch()
    return place / "bin"


def lm_eval_likelihood(programs: Path, export: Path, port: int, model: str, out: Path) -> list[Run]:
    """Log-likelihood of the letters: by subject, and of the model that is right by chapter too (the slow part)."""
    groups = ("psygen", "psygen_chapters") if model == "right" else ("psygen",)
    args = (
        f"model={model},base_url=http://127.0.0.1:{port}/v1/completions,tokenizer_backend=remote,"
        "num_concurrent=8,max_length=16384"
    )
    command = ["run", "--model", "local-completions", "--model_args", args, "--tasks", ",".join(groups)]
    _lm_eval(programs, command, export, out)
    return [_lm_eval_run(out, group, "acc,none") for group in groups]


def lm_eval_generation(programs: Path, export: Path, port: int, model: str, out: Path) -> list[Run]:
    """Answers read from generated text."""
    args = f"model={model},base_url=http://127.0.0.1:{port}/v1/chat/completions,num_concurrent=8,max_length=16384"
    command = ["run", "--model", "local-chat-completions", "--model_args", args, "--apply_chat_template"]
    _lm_eval(programs, [*command, "--tasks", "psygen_gen"], export, out)
    return [_lm_eval_run(out, "psygen_gen", "exact_match,extract")]


def _lm_eval(programs: Path, command: Sequence[str], export: Path, out: Path) -> None:
    """Run it in a folder of its own: nothing may depend on the working directory."""
    out.mkdir(parents=True)
    end = ["--include_path", export / "lm_eval", "--log_samples", "--output_path", out / "log"]
    env = OFFLINE | {"OPENAI_API_KEY": "none", "HF_HOME": str(out / "hf")}
    call([programs / "lm-eval", *command, *end], out, env)


def _lm_eval_run(out: Path, group: str, metric: str) -> Run:
    """A group's score, and the ids in the samples of its tasks."""
    [results] = out.glob("log/*/results_*.json")
    found = json.loads(results.read_text(encoding="utf-8"))
    tasks, ids = _leaves(found["group_subtasks"], group), []
    for task in tasks:
        [samples] = results.parent.glob(f"samples_{task}_2*.jsonl")
        with samples.open(encoding="utf-8") as lines:
            ids += [json.loads(line)["doc"]["id"] for line in lines]
    return Run(group, found["results"][group][metric], ids)


def _leaves(subtasks: Mapping[str, Sequence[str]], name: str) -> list[str]:
    """The tasks of a group, groups within it taken apart."""
    return [leaf for child in subtasks[name] for leaf in _leaves(subtasks, child)] if subtasks.get(name) else [name]


def inspect(programs: Path, export: Path, port: int, model: str, out: Path) -> list[Run]:
    """The Inspect task."""
    out.mkdir(parents=True)
    task = f"{export}/inspect/psygen_inspect.py@psygen"
    command = ["eval", task, "--model", f"openai-api/mock/{model}", "--log-format", "json", "--display", "none"]
    # A JSON log is written anew at every flush; one flush is enough.
    command += ["--log-buffer", "1000000", "--no-log-realtime"]
    env = OFFLINE | {"MOCK_BASE_URL": f"http://127.0.0.1:{port}/v1", "MOCK_API_KEY": "none"}
    call([programs / "inspect", *command, "--log-dir", out / "log"], out, env)
    [log] = (out / "log").glob("*.json")
    found = json.loads(log.read_text(encoding="utf-8"))
    [score] = [s for s in found["results"]["scores"] if "accuracy" in s["metrics"]]
    return [Run("inspect", score["metrics"]["accuracy"]["value"], [s["id"] for s in found["samples"]])]


def opencompass(programs: Path, export: Path, port: int, model: str, out: Path) -> list[Run]:
    """The OpenCompass config. Its predictions have no ids; the stub's log has."""
    out.mkdir(parents=True)
    for part in (export / "opencompass").iterdir():
        (out / part.name).write_bytes(part.read_bytes())
    _tokenizer(out / "tokenizer")
    text = CONFIG
    for name, value in {"MODEL": model, "PORT": str(port), "TOKENIZER": str(out / "tokenizer")}.items():
        text = text.replace(name, value)
    (out / "run.py").write_text(text, encoding="utf-8")
    env = OFFLINE | {"COMPASS_DATA_CACHE": str(export), "OPENAI_API_KEY": "none", "HF_HOME": str(out / "hf")}
    call([programs / "opencompass", "run.py", "-w", "log", "--debug"], out, env)
    [summary] = out.glob("log/*/summary/summary_*.csv")
    with summary.open(encoding="utf-8", newline="") as file:
        scores = [float(row[model]) for row in csv.DictReader(file)]
    # Every subject alike, or the mean would hide one.
    return [Run("opencompass", score / 100, []) for score in sorted({min(scores), max(scores)})]


def _tokenizer(folder: Path) -> None:
    """A tokenizer of characters: OpenCompass insists on one to count with."""
    folder.mkdir()
    split = {"type": "Split", "pattern": {"Regex": "."}, "behavior": "Isolated", "invert": False}
    model = {"type": "WordLevel", "vocab": {"[UNK]": 0}, "unk_token": "[UNK]"}
    parts = {"version": "1.0", "added_tokens": [], "normalizer": None, "pre_tokenizer": split, "model": model}
    whole = parts | {"truncation": None, "padding": None, "post_processor": None, "decoder": None}
    (folder / "tokenizer.json").write_text(json.dumps(whole))
    (folder / "tokenizer_config.json").write_text(json.dumps({"tokenizer_class": "PreTrainedTokenizerFast"}))


CONFIG = """
from mmengine.config import read_base
from opencompass.models import OpenAISDK

with read_base():
    from .psygen_datasets import psygen_datasets

datasets = psygen_datasets
models = [
    {
        "type": OpenAISDK, "abbr": "MODEL", "path": "MODEL", "key": "none", "tokenizer_path": "TOKENIZER",
        "openai_api_base": "http://127.0.0.1:PORT/v1", "max_out_len": 16, "max_seq_len": 16384, "batch_size": 16,
        "query_per_second": 1000, "retry": 1, "temperature": 0.0,
        "meta_template": {
            "round": [
                {"role": "HUMAN", "api_role": "HUMAN"},
                {"role": "BOT", "api_role": "BOT", "generate": True},
            ],
        },
    },
]
"""

LOAD = """
import json, sys
from datasets import __version__, load_dataset
loaded = load_dataset(sys.argv[1])
print(json.dumps([__version__, {split: rows["id"] for split, rows in loaded.items()}], default=list))
"""


def load_dataset(programs: Path, export: Path, out: Path) -> dict[str, list[str]]:
    """Ids by split, as `datasets` loads the Hugging Face folder."""
    out.mkdir(parents=True)
    said = call([programs / "python", "-c", LOAD, export / "hf"], out, OFFLINE | {"HF_HOME": str(out / "cache")})
    version, splits = json.loads(said.splitlines()[-1])
    if int(version.split(".")[0]) < 5:
        raise Failed(f"datasets {version} was installed; the check is for 5 and later.")
    return {split: list(ids) for split, ids in splits.items()}
