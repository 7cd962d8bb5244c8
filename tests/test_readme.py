"""The README is true: its commands are run, its outputs compared, every command stands in it."""

import re
import shlex
import subprocess
import sys
from pathlib import Path

import click
import pytest

from psygen.cli.main import COMMANDS, cli
from psygen.reports.items import reading_text
from psygen.store.queries import Filter, Reader
from tests.conftest import REPOSITORY

README = REPOSITORY / "README.md"
FENCE = re.compile(r"```console\n(.*?)```", re.DOTALL)
CUT = "…"
LONG = 26
"""An output of more lines than this is shown by its beginning and its end."""
SHOWN = 3


def run(command: str, folder: Path) -> str:
    words = shlex.split(command)
    assert words[0] == "psygen"
    done = subprocess.run(
        [sys.executable, "-m", "psygen", *words[1:]],
        cwd=folder,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        env={"PATH": "/usr/bin:/bin", "COLUMNS": "100", "LANG": "C.UTF-8", "PYTHONUNBUFFERED": "1"},
        check=False,
    )
    assert done.returncode == 0, done.stdout
    lines = [line.rstrip() for line in done.stdout.strip().splitlines()]
    return "\n".join(lines if len(lines) <= LONG else [*lines[:14], CUT, *lines[-8:]])


def questions(folder: Path) -> str:
    """Three questions of the bank: the second of the first unit of each kind."""
    found = []
    with Reader(folder / "outputs" / "psygen.db") as reader:
        for kind, concept in (
            ("calculation", "sta-standard-error-of-mean"),
            ("theory", "sta-levels-of-measurement"),
            ("case_study", ""),
        ):
            wanted = Filter(kinds=(kind,), concepts=(concept,) if concept and kind == "calculation" else ())
            items = list(reader.items(wanted, limit=8))
            found.append(reading_text(items[1 if kind == "calculation" else 2]).strip())
    return "\n\n".join(f"```text\n{text}\n```" for text in found)


def commands() -> str:
    """The table of commands, from the program itself."""
    lines = ["| command | what it does |", "| --- | --- |"]
    for name in COMMANDS:
        command = cli.get_command(click.Context(cli), name)
        assert command is not None
        if isinstance(command, click.Group):
            lines += [f"| `psygen {name} {s.name}` | {_first_sentence(s)} |" for s in command.commands.values()]
        else:
            lines.append(f"| `psygen {name}` | {_first_sentence(command)} |")
    return "\n".join(lines)


def _first_sentence(command: click.Command) -> str:
    return " ".join((command.help or "").split("\n\n")[0].split())


def rebuilt(text: str, folder: Path) -> str:
    """The README with every output as it comes now."""

    def block(match: re.Match[str]) -> str:
        command = match.group(1).splitlines()[0].removeprefix("$ ")
        if command.startswith("psygen items show psy-"):
            with Reader(folder / "outputs" / "psygen.db") as reader:
                wanted = Filter(concepts=("sta-coefficient-of-variation",))
                command = f"psygen items show {next(reader.items(wanted)).id}"
        return f"```console\n$ {command}\n{run(command, folder)}\n```"

    text = FENCE.sub(block, text)
    stats = run("psygen concepts stats --md", folder)
    for name, made in (("questions", questions(folder)), ("commands", commands()), ("stats", stats)):
        mark = f"<!-- {name} -->"
        text = re.sub(rf"{mark}.*?(?=\n##)", lambda _, m=mark, t=made: f"{m}\n\n{t}\n", text, flags=re.DOTALL)
    return text


def test_every_output_in_the_readme_is_what_comes(tmp_path: Path, request: pytest.FixtureRequest) -> None:
    text = README.read_text(encoding="utf-8")
    now = rebuilt(text, tmp_path)
    if request.config.getoption("--update-golden"):
        README.write_text(now, encoding="utf-8")
        text = now
    assert now == text


def test_every_command_stands_in_the_readme() -> None:
    text = README.read_text(encoding="utf-8")
    for line in commands().splitlines()[2:]:
        assert line in text


def test_the_first_screen_shows_the_two_commands_and_why() -> None:
    screen = README.read_text(encoding="utf-8").splitlines()[:20]
    assert sum(line.startswith("make ") for line in screen) == 2
    assert any("within a minute" in line for line in screen) or any("main job" in line for line in screen)


def test_every_file_of_the_map_exists() -> None:
    text = README.read_text(encoding="utf-8")
    rows = text[text.index("## The map") : text.index("## For psychologists")]
    for path in re.findall(r"`((?:psygen|concepts|prompts|outputs)/[\w./]*)`", rows):
        assert (REPOSITORY / path).exists(), path


def test_every_table_and_its_columns_are_described(tmp_path: Path) -> None:
    from psygen.store.database import Store

    text = README.read_text(encoding="utf-8")
    section = text[text.index("## The database") : text.index("## Commands")]
    with Store(tmp_path / "x.db") as store, store.writing() as conn:
        tables = [r[0] for r in conn.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
    for table in tables:
        if not table.startswith(("_", "sqlite_")):
            assert f"`{table}`" in section, table


def test_make_runs_what_the_readme_says() -> None:
    done = subprocess.run(["make", "-n", "generate"], cwd=REPOSITORY, capture_output=True, text=True, check=True)
    assert "psygen generate --subject statistics --engine offline" in done.stdout
    done = subprocess.run(["make", "-n", "test"], cwd=REPOSITORY, capture_output=True, text=True, check=True)
    assert "pytest" in done.stdout
