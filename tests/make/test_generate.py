"""The whole road, offline: planned, asked, stored, continued, never twice."""

import csv
import json
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from psygen.make.finished import is_finished
from psygen.make.generate import Outcome, generate, load_job, preview
from psygen.make.plan import Plan
from psygen.make.selection import Selection
from psygen.records.exchange import Profile
from psygen.records.item import Item
from psygen.settings import Settings, load_settings
from psygen.store.queries import Filter, Reader
from tests.conftest import write_concepts

PROFILE = Profile(engine="offline", model="offline")
Run = Callable[..., subprocess.CompletedProcess[str]]


class Silent:
    def planned(self, plan: Plan, to_ask: int) -> None: ...
    def advanced(self, units: int, items: int, trouble: str) -> None: ...


def job(folder: Path, questions: int = 4):  # type: ignore[no-untyped-def]
    return load_job(load_settings(folder, {}), Selection(), PROFILE, questions=questions, seed=7)


def run(folder: Path, **options: int) -> Outcome:
    limit = options.pop("limit", None)
    return generate(job(folder, **options), Silent(), limit=limit)


def items(folder: Path, **wanted: tuple[str, ...]) -> list[Item]:
    with Reader(folder / "outputs" / "psygen.db") as reader:
        return list(reader.items(Filter(**wanted)))


def test_every_concept_is_asked_once_and_then_nothing_is_left(own_workspace: Path) -> None:
    first = run(own_workspace)
    assert (first.asked, first.finished, first.invalid, first.duplicates) == (12, 12, 0, 0)
    assert {i.concept_id for i in items(own_workspace)} == {c.id for c in job(own_workspace).bank}
    settings = load_settings(own_workspace, {})
    assert is_finished(settings, job(own_workspace).fingerprint, PROFILE)
    assert run(own_workspace).asked == 0


def test_every_item_traces_to_concept_template_request_and_reply(own_workspace: Path) -> None:
    run(own_workspace)
    one = items(own_workspace)[0]
    with Reader(own_workspace / "outputs" / "psygen.db") as reader:
        origin = reader.origin(one.id)
    assert origin is not None
    reply = json.loads(bytes(origin["raw"]))  # type: ignore[call-overload]
    assert one.stem in [q["stem"] for q in reply["questions"]]
    assert origin["template"] == "generate/theory.zh.j2"
    assert origin["request_id"] == one.request_id


def test_a_limit_goes_on_where_it_stopped(own_workspace: Path) -> None:
    counts = [run(own_workspace, limit=5).asked for _ in range(4)]
    assert counts == [5, 5, 2, 0]


def test_resorted_rows_a_bom_and_line_ends_are_no_new_work(own_workspace: Path) -> None:
    run(own_workspace)
    path = write_concepts(own_workspace, change=lambda rows: rows.reverse())
    path.write_bytes(b"\xef\xbb\xbf" + path.read_bytes().replace(b"\n", b"\r\n"))
    plan = preview(job(own_workspace))
    assert (plan.to_do, plan.done, plan.stale) == (0, 12, ())


def test_changed_text_is_new_work_for_that_concept_only(own_workspace: Path) -> None:
    run(own_workspace)
    old = items(own_workspace, concepts=("lrn-shaping",))

    def change(rows: list[list[str]]) -> None:
        rows[4][7] = rows[4][7].replace("依次给以强化", "逐步给以强化")

    write_concepts(own_workspace, change=change)
    plan = preview(job(own_workspace))
    assert (plan.changed, plan.new, plan.done, len(plan.stale)) == (1, 0, 11, 1)
    assert run(own_workspace).asked == 1
    states = {i.id: i.state for i in items(own_workspace, concepts=("lrn-shaping",))}
    assert all(states[i.id] == "superseded" for i in old)
    assert "new" in states.values()


def test_text_put_back_brings_its_old_items_back_unasked(own_workspace: Path) -> None:
    run(own_workspace)
    before = {i.id for i in items(own_workspace, states=("new",))}
    write_concepts(own_workspace, change=lambda rows: rows[4].__setitem__(7, rows[4][7] + "改。"))
    run(own_workspace)
    write_concepts(own_workspace)
    assert run(own_workspace).asked == 0
    assert {i.id for i in items(own_workspace, states=("new",))} == before


def test_a_changed_template_is_new_work_for_its_type(own_workspace: Path) -> None:
    run(own_workspace)
    path = own_workspace / "prompts" / "generate" / "theory.zh.j2"
    path.write_text(path.read_text(encoding="utf-8").replace("不要只问", "切勿只问"), encoding="utf-8")
    assert preview(job(own_workspace)).changed == 12


def test_a_concept_that_left_the_bank_is_superseded(own_workspace: Path) -> None:
    run(own_workspace)
    write_concepts(own_workspace, change=lambda rows: rows.pop())
    assert run(own_workspace).asked == 0
    assert {i.state for i in items(own_workspace, concepts=("lrn-interference",))} == {"superseded"}


def test_more_questions_top_up_and_keep_what_is_there(own_workspace: Path) -> None:
    run(own_workspace, questions=1)
    before = {i.id for i in items(own_workspace)}
    assert len(before) == 12
    second = run(own_workspace, questions=4)
    after = items(own_workspace)
    assert second.asked == 12
    assert before < {i.id for i in after}
    assert len({i.stem for i in after}) == len(after)


@pytest.mark.parametrize(
    "point", ["after_intent:1", "after_received:1", "in_parse:1", "in_parse:7", "after_received:2"]
)
def test_kill_9_loses_nothing_and_doubles_nothing(own_workspace: Path, tmp_path: Path, psygen: Run, point: str) -> None:
    undisturbed = tmp_path / "undisturbed"
    shutil.copytree(own_workspace, undisturbed, ignore=lambda *_: ["undisturbed"])
    args = ("generate", "--all", "--engine", "offline")
    assert psygen(*args, cwd=undisturbed).returncode == 0
    killed = psygen(*args, cwd=own_workspace, env={"PSYGEN_CRASH_AT": point})
    assert killed.returncode == -9 or point == "after_received:2"
    again = psygen(*args, cwd=own_workspace)
    assert again.returncode == 0, again.stderr
    export = ("items", "export", "--stable")
    assert psygen(*export, cwd=own_workspace).stdout == psygen(*export, cwd=undisturbed).stdout != ""
    status = json.loads(psygen("status", "--json", cwd=own_workspace).stdout)
    assert status["subjects"][0]["done"] == 12
    assert status["requests"]["received"] == 12
    assert status["requests"]["unknown"] == (12 if point == "after_intent:1" else 0)


def test_statistics_has_a_question_for_every_concept(workspace: Settings) -> None:
    found = generate(load_job(workspace, Selection(subjects=("统计",)), PROFILE, questions=4, seed=20230525), Silent())
    assert found.finished == 99
    assert found.duplicates == found.invalid == 0
    all_items = items(workspace.workspace)
    assert len({i.concept_id for i in all_items}) == 99
    assert {i.engine for i in all_items} == {i.model for i in all_items} == {"offline"}
    from psygen.checks.health import bank_health

    for health in bank_health(all_items):
        assert health.exact_duplicates == 0
        assert health.longest_is_key is not None
        assert health.longest_is_key <= 0.33
        assert health.alarms == (), health
        assert all(0.2 <= (share or 0) <= 0.3 for share in health.key_share.values()), health


def test_a_selection_that_cannot_be_is_one_sentence(own_workspace: Path, psygen: Run) -> None:
    broken = write_concepts(own_workspace, change=lambda rows: rows[0].__setitem__(1, "x"))
    done = psygen("generate", "--all", cwd=own_workspace)
    assert done.returncode == 2
    assert f"{broken} line 2" in done.stderr
    assert "Traceback" not in done.stderr
    assert not (own_workspace / "outputs").exists()


def test_exports_hold_the_fields_others_rely_on(own_workspace: Path, psygen: Run) -> None:
    run(own_workspace)
    lines = psygen("items", "export", cwd=own_workspace).stdout.splitlines()
    fields = set(json.loads(lines[0]))
    wanted = (
        "id concept_id subject chapter headings prompt_type form stem options key explanation state flags engine model"
    )
    assert {*wanted.split(), "request_id", "revision", "created_at"} <= fields
    out = psygen("items", "export", "--format", "csv", cwd=own_workspace).stdout
    rows = list(csv.DictReader(out.removeprefix("\ufeff").splitlines()))
    assert out.startswith("\ufeff")
    assert len(rows) == len(lines)
    assert rows[0]["key"] in "ABCD"
