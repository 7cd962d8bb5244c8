"""The wheel carries prompts and concepts, and works from an empty folder."""

import os
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from tests.conftest import REPOSITORY


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel, built from this tree and unpacked as an installer would."""
    folder = tmp_path_factory.mktemp("wheel")
    build = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(folder)]
    done = subprocess.run(build, cwd=REPOSITORY, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    [wheel] = folder.glob("*.whl")
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(folder / "site")
    return folder / "site"


def test_prompts_and_concepts_travel_inside(installed: Path) -> None:
    data = installed / "psygen" / "data"
    for name in ("prompts", "concepts"):
        inside = {str(p.relative_to(data)) for p in (data / name).rglob("*") if p.is_file()}
        here = {str(p.relative_to(REPOSITORY)) for p in (REPOSITORY / name).rglob("*") if p.is_file()}
        assert inside == here
    assert not (installed / "tests").exists()


def test_code_that_leaves_with_exports_travels_inside(installed: Path) -> None:
    here = REPOSITORY / "psygen" / "files" / "exports" / "shipped"
    inside = installed / "psygen" / "files" / "exports" / "shipped"
    names = {p.relative_to(here) for p in here.rglob("*") if p.suffix in (".py", ".yaml")}
    assert {p.relative_to(inside) for p in inside.rglob("*") if p.is_file()} == names
    assert all((inside / name).read_bytes() == (here / name).read_bytes() for name in names)


def test_it_works_from_an_empty_folder(installed: Path, tmp_path: Path) -> None:
    env = {"PATH": os.environ["PATH"], "PYTHONPATH": str(installed), "LANG": "C.UTF-8"}
    command = [sys.executable, "-P", "-m", "psygen", "generate", "--subject", "statistics", "--limit", "3"]
    done = subprocess.run(command, cwd=tmp_path, env=env, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert "engine offline, because" in done.stderr
    where = "import psygen.settings as s; print(s.packaged_folder())"
    shown = subprocess.run(
        [sys.executable, "-P", "-c", where], cwd=tmp_path, env=env, capture_output=True, text=True, check=True
    )
    assert shown.stdout.strip() == str(installed / "psygen" / "data")


def test_only_declared_packages_are_imported() -> None:
    import ast
    import tomllib

    project = tomllib.loads((REPOSITORY / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    named = [*project["dependencies"], *project["optional-dependencies"]["parquet"]]
    declared = {d.split(">")[0].split("[")[0].replace("-", "_") for d in named}
    found = set()
    for path in (REPOSITORY / "psygen").rglob("*.py"):
        if "shipped" in path.parts:  # Leaves with an export and runs in a harness's environment, never in ours.
            continue
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Import):
                found |= {alias.name.split(".")[0] for alias in node.names}
            elif isinstance(node, ast.ImportFrom) and node.module:
                found.add(node.module.split(".")[0])
    assert found - set(sys.stdlib_module_names) - {"psygen"} <= declared


def test_nothing_speaks_of_the_workplace() -> None:
    listed = subprocess.run(
        ["git", "ls-files", "-co", "--exclude-standard"], cwd=REPOSITORY, capture_output=True, text=True, check=False
    )
    words = [
        w.encode()
        for w in ("/work/" + "main", "/work/" + "shared", "." + "library", "pypi" + ".org", "files.python" + "hosted")
    ]
    for name in listed.stdout.splitlines():
        path = REPOSITORY / name
        if path.is_file():
            data = path.read_bytes()
            assert not [w for w in words if w in data], name
