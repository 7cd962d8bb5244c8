import json
import subprocess
from collections.abc import Callable
from pathlib import Path

import openpyxl
import pytest

Run = Callable[..., subprocess.CompletedProcess[str]]


@pytest.fixture
def exported(own_workspace: Path, psygen: Run) -> Path:
    """A workspace with an adjudicator and a batch of eight."""
    toml = own_workspace / "psygen.toml"
    text = toml.read_text(encoding="utf-8").replace('# adjudicator = ""', 'adjudicator = "chief"')
    toml.write_text(text, encoding="utf-8")
    psygen("generate", "--all", "--engine", "offline", cwd=own_workspace)
    assert psygen("review", "export", "--size", "8", cwd=own_workspace).returncode == 0
    return own_workspace


def fill(folder: Path, who: str, verdicts: list[str]) -> tuple[str, str]:
    """Fill a reviewer's workbook in, in the order of ids; its file and the first id."""
    [path] = (folder / "outputs" / "review").glob(f"b*-{who}.xlsx")
    book = openpyxl.load_workbook(path)
    page = book["审题"]
    names = {str(c.value).split("\n")[-1]: c.column for c in page[1]}
    rows = sorted(range(2, 10), key=lambda r: str(page.cell(r, 1).value))
    for row, verdict in zip(rows, verdicts, strict=False):
        page.cell(row, names["verdict"]).value = verdict
        page.cell(row, names["blind_answer"]).value = "A"
        page.cell(row, names["concept_sound"]).value = "unsure"
    out = folder / f"{who}.xlsx"
    book.save(out)
    return out.name, str(page.cell(rows[0], 1).value)


def test_the_whole_road_on_the_command_line(exported: Path, psygen: Run) -> None:
    first, item = fill(exported, "r1", ["keep", "keep", "perhaps"])
    second, _ = fill(exported, "r2", ["delete", "keep"])
    done = psygen("review", "import", first, second, cwd=exported)
    assert done.returncode == 0, done.stderr
    assert "8 rows read, 2 new" in done.stderr
    assert "'perhaps' found" in done.stderr
    status = json.loads(psygen("review", "status", "--json", cwd=exported).stdout)
    assert status["states"]["contested"] == 1
    assert sum(c["judged"] for c in status["chapters"] if c["reviewer"] == "r1") == 2
    assert "would keep it" in psygen("review", "log", item, cwd=exported).stdout
    assert "is accepted, settled by chief" in psygen("review", "settle", item, "keep", cwd=exported).stderr
    log = json.loads(psygen("review", "log", item, "--json", cwd=exported).stdout)
    assert [e["kind"] for e in log["events"]] == ["verdict", "verdict", "settle"]
    assert "unsure" in psygen("concepts", "doubts", cwd=exported).stdout


def test_a_good_file_comes_in_beside_a_bad_one(exported: Path, psygen: Run) -> None:
    good, _ = fill(exported, "r1", ["keep"])
    (exported / "bad.xlsx").write_bytes(b"PK half")
    done = psygen("review", "import", "bad.xlsx", good, "--json", cwd=exported)
    assert done.returncode == 2
    value = json.loads(done.stdout)
    assert ([f["new"] for f in value["files"]], len(value["failed"])) == ([1], 1)


def test_another_policy_is_replayed(exported: Path, psygen: Run) -> None:
    name, item = fill(exported, "r1", ["keep"])
    psygen("review", "import", name, cwd=exported)
    toml = exported / "psygen.toml"
    text = toml.read_text(encoding="utf-8").replace("# min_reviews = 3", "min_reviews = 1")
    toml.write_text(text, encoding="utf-8")
    done = json.loads(psygen("review", "replay", "--json", cwd=exported).stdout)
    assert done["changed"] == {item: {"before": "in_review", "after": "accepted"}}


def test_a_batch_for_the_page_writes_no_file(exported: Path, psygen: Run) -> None:
    done = psygen("review", "export", "--size", "4", "--no-files", "--json", cwd=exported)
    assert json.loads(done.stdout)["files"] == []
    assert len(list((exported / "outputs" / "review").glob("*.xlsx"))) == 3


def test_named_reviewers_get_the_batches(own_workspace: Path, psygen: Run) -> None:
    toml = own_workspace / "psygen.toml"
    named = "".join(f'[[reviewers]]\nid = "{who}"\nrole = "咨询师"\nyears = 5\n' for who in ("wang", "li"))
    toml.write_text(toml.read_text(encoding="utf-8") + named, encoding="utf-8")
    psygen("generate", "--all", "--engine", "offline", cwd=own_workspace)
    done = psygen("review", "export", "--sentinels", "1", "--json", cwd=own_workspace)
    value = json.loads(done.stdout)
    assert sorted(value["each"]) == ["li", "wang"]
    assert value["sentinels"] == 1
    too_many = psygen("review", "export", "--reviewers", "3", cwd=own_workspace)
    assert (too_many.returncode, "names 2 reviewers" in too_many.stderr) == (2, True)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ('[[reviewers]]\nid = "a"\n[[reviewers]]\nid = "a"', "two reviewers have the id a"),
        ('[[reviewers]]\nid = "../x"', "reviewers.0.id"),
        ('[[reviewers]]\nid = "a"\nyear = 3', "did you mean years"),
        ('[reviewers]\nid = "a"', "two brackets"),
        ("[review]\nmodify_needs = 1", "review.modify_needs"),
    ],
)
def test_a_wrong_setting_is_one_clear_sentence(tmp_path: Path, psygen: Run, text: str, said: str) -> None:
    (tmp_path / "psygen.toml").write_text(text, encoding="utf-8")
    done = psygen("review", "status")
    assert done.returncode == 2
    assert said in done.stderr


@pytest.mark.parametrize(
    "args", [["import", "x.xlsx"], ["status"], ["log", "psy-1"], ["replay"], ["settle", "a", "keep"]]
)
def test_without_a_database_it_says_what_to_type(tmp_path: Path, psygen: Run, args: list[str]) -> None:
    (tmp_path / "psygen.toml").write_text('[review]\nadjudicator = "chief"', encoding="utf-8")
    done = psygen("review", *args)
    assert (done.returncode, "psygen generate" in done.stderr) == (6, True)
    assert not (tmp_path / "outputs").exists()
