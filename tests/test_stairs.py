"""Imports go down the stairs: a room knows only rooms on floors below its own."""

import ast
from pathlib import Path

import pytest

import psygen

ROOT = Path(psygen.__file__).parent
FLOORS = {
    "errors": 0,
    "crash": 0,
    "ids": 1,
    "text": 1,
    "formulas": 2,
    "settings": 1,
    "runlog": 2,
    "records": 2,
    "prompts": 3,
    "prices": 3,
    "replies": 3,
    "checks": 3,
    "metrics": 3,
    "reports": 3,
    "engines": 3,
    "store": 3,
    "files": 3,
    "runner": 4,
    "make": 5,
    "curate": 5,
    "web": 6,
    "cli": 7,
}
MODULES = sorted(p for p in ROOT.rglob("*.py") if "data" not in p.relative_to(ROOT).parts)


def room(path: Path) -> str:
    return path.relative_to(ROOT).with_suffix("").parts[0]


def imported(path: Path) -> set[str]:
    names = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom) and node.module:
            names.add(node.module)
        elif isinstance(node, ast.Import):
            names.update(alias.name for alias in node.names)
    return {name.split(".")[1] for name in names if name.startswith("psygen.")}


@pytest.mark.parametrize("path", MODULES, ids=lambda p: str(p.relative_to(ROOT)))
def test_a_room_knows_only_the_floors_below(path: Path) -> None:
    own = room(path)
    if own in ("__init__", "__main__"):
        return
    for other in imported(path) - {own}:
        assert FLOORS[other] < FLOORS[own], f"{path.relative_to(ROOT)} imports psygen.{other}"


def test_every_room_has_its_floor() -> None:
    assert {room(p) for p in MODULES} - {"__init__", "__main__"} == set(FLOORS)


@pytest.mark.parametrize("path", MODULES, ids=lambda p: str(p.relative_to(ROOT)))
def test_only_the_store_speaks_sql(path: Path) -> None:
    if room(path) != "store":
        assert "import sqlite3" not in path.read_text(encoding="utf-8")
