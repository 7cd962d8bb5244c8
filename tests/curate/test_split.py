"""Splits of a real bank, as stored and as they leave."""

import os
import shutil
import subprocess
import sys
from collections import Counter
from collections.abc import Callable, Iterable
from pathlib import Path

import pytest

from psygen.curate.benchmark import load_benchmark
from psygen.curate.candidates import label_of
from psygen.curate.choice import ANY_STATE
from psygen.curate.split import Divided, extend, make_split, new_policy, stored_split
from psygen.errors import InputError
from psygen.files.concepts import load_subjects
from psygen.records.benchmark import Split
from psygen.settings import Settings, load_settings
from psygen.store.database import Store
from psygen.store.queries import Filter
from psygen.store.splits import SplitReader
from psygen.text import letters_only

Run = Callable[..., subprocess.CompletedProcess[str]]
EVERYTHING = {"states": ("any",), "engines": ("offline",)}


@pytest.fixture(scope="module")
def generated(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The offline engine's questions of statistics."""
    folder = tmp_path_factory.mktemp("bank")
    command = [sys.executable, "-m", "psygen", "generate", "--subject", "statistics", "--engine", "offline"]
    clean = {k: v for k, v in os.environ.items() if not k.startswith(("PSYGEN_", "OPENAI_"))}
    subprocess.run(command, cwd=folder, env=clean, check=True, capture_output=True)
    return folder


@pytest.fixture
def settings(generated: Path, tmp_path: Path) -> Settings:
    shutil.copytree(generated, tmp_path, dirs_exist_ok=True)
    return load_settings(tmp_path, {})


def divided(settings: Settings, name: str = "main", **rules: object) -> Divided:
    policy = new_policy(settings, **{**EVERYTHING, **rules})  # type: ignore[arg-type]
    return make_split(settings, load_subjects(settings.concept_folders), policy, name=name)


def extended(settings: Settings, name: str = "main") -> Divided:
    stored = stored_split(settings, name)
    return extend(settings, load_subjects(settings.concept_folders), stored, stored.policy)


def seeded(settings: Settings, seed: int) -> Settings:
    return settings.model_copy(update={"generate": settings.generate.model_copy(update={"seed": seed})})


def stored_parts(settings: Settings, name: str = "main") -> dict[str, Split]:
    with SplitReader(settings.database) as reader:
        return reader.parts(name)


def set_state(settings: Settings, state: str, item_ids: Iterable[str]) -> None:
    with Store(settings.database) as store, store.writing() as conn:
        conn.executemany("UPDATE items SET state = ? WHERE id = ?", [(state, item_id) for item_id in item_ids])


def ids(settings: Settings) -> list[str]:
    with SplitReader(settings.database) as reader:
        return [item.id for item in reader.items(Filter(states=ANY_STATE))]


def test_a_split_holds_every_usable_question_once_with_its_policy_and_date(settings: Settings) -> None:
    done = divided(settings)
    assert stored_parts(settings) == done.parts
    assert set(done.parts) == set(ids(settings))
    stored = stored_split(settings, "main")
    assert (stored.policy, stored.extended_at) == (done.policy, None)
    assert stored.made_at.endswith("Z")


def test_the_counts_of_a_subject(settings: Settings) -> None:
    assert divided(settings).counts == {"statistics": {"dev": 5, "val": 29, "test": 281}}


def test_the_same_bank_and_seed_give_the_same_split_under_any_name(settings: Settings) -> None:
    assert divided(settings).parts == divided(settings, "again").parts
    assert divided(seeded(settings, 7), "other").parts != divided(settings, "third").parts


def test_a_second_split_does_not_disturb_the_first(settings: Settings) -> None:
    first = divided(settings).parts
    divided(settings, "second", label="kind", shares=(("train", 1), ("reserved", 1)))
    assert stored_parts(settings) == first


def test_a_name_is_used_once(settings: Settings) -> None:
    divided(settings)
    with pytest.raises(InputError, match="--extend"):
        divided(settings)


def test_extending_takes_new_questions_only(settings: Settings) -> None:
    everyone = ids(settings)
    set_state(settings, "accepted", everyone[::2])
    first = divided(settings, states=()).parts
    set_state(settings, "accepted", everyone)
    done = extended(settings)
    assert done.added == len(everyone) - len(first)
    now = stored_parts(settings)
    assert {one: now[one] for one in first} == first
    assert Counter(now.values()) == {"dev": 5, "val": 29, "test": 281}
    assert stored_split(settings, "main").extended_at


def test_a_question_that_lost_its_state_keeps_its_place_but_does_not_leave(settings: Settings) -> None:
    first = divided(settings).parts
    gone = next(one for one, part in first.items() if part == "val")
    set_state(settings, "rejected", [gone])
    extended(settings)
    assert stored_parts(settings) == first
    assert gone not in {q.id for q in load_benchmark(settings).questions}


@pytest.mark.parametrize("state", ["invalid", "superseded", "rejected"])
def test_what_failed_takes_no_part(settings: Settings, state: str) -> None:
    out = ids(settings)[:7]
    set_state(settings, state, out)
    assert not set(out) & set(divided(settings).parts)


def test_near_duplicates_are_never_parted(settings: Settings) -> None:
    one, other = ids(settings)[0], ids(settings)[200]
    with Store(settings.database) as store, store.writing() as conn:
        row = conn.execute("SELECT stem, options FROM items WHERE id = ?", (one,)).fetchone()
        texts = (f"{row['stem']} 甲", row["options"], other)
        conn.execute("UPDATE items SET stem = ?, options = ? WHERE id = ?", texts)
    for n in range(8):
        parts = divided(seeded(settings, n), f"s{n}").parts
        assert parts[one] == parts[other]


def test_siblings_stay_together_when_asked(settings: Settings) -> None:
    divided(settings, group="concept")
    places: dict[str, set[str]] = {}
    with SplitReader(settings.database) as reader:
        for placed in reader.placed("main"):
            places.setdefault(placed.item.concept_id, set()).add(placed.part)
    assert all(len(parts) == 1 for parts in places.values())


def test_a_question_with_several_right_answers_takes_part_and_one_without_a_key_does_not(settings: Settings) -> None:
    several, none = ids(settings)[:2]
    with Store(settings.database) as store, store.writing() as conn:
        conn.execute("UPDATE items SET key = '[0, 2]', form = 'multiple' WHERE id = ?", (several,))
        conn.execute("UPDATE items SET key = '[]' WHERE id = ?", (none,))
    done = divided(settings)
    assert several in done.parts
    assert none not in done.parts
    assert "1 questions without a key are left out." in done.notes


def test_reserved_questions_are_never_handed_out(settings: Settings) -> None:
    divided(settings, label="kind", shares=(("train", 1), ("dev", 1), ("test", 1), ("reserved", 1)))
    left = load_benchmark(settings, states=("any",), engines=("any",)).questions
    parts = stored_parts(settings)
    assert {q.split for q in left} == {"train", "dev", "test"}
    assert {q.id for q in left} == {one for one, part in parts.items() if part != "reserved"}


def test_shares_are_even_over_the_kinds(settings: Settings) -> None:
    divided(settings, label="kind", shares=(("train", 1), ("test", 1)))
    counts: dict[tuple[str, ...], Counter[str]] = {}
    with SplitReader(settings.database) as reader:
        for placed in reader.placed("main"):
            counts.setdefault(label_of(placed.item, "kind"), Counter())[placed.part] += 1
    assert len(counts) == 3
    assert all(abs(c["train"] - c["test"]) <= 1 for c in counts.values())


def test_an_unknown_label_names_those_there_are(settings: Settings) -> None:
    with pytest.raises(InputError, match="chapter, concept_id"):
        divided(settings, label="exam")


def test_only_accepted_questions_of_a_model_take_part_by_themselves(settings: Settings) -> None:
    with pytest.raises(InputError, match="--engine offline --state any"):
        divided(settings, states=(), engines=())
    accepted = ids(settings)[:40]
    set_state(settings, "accepted", accepted)
    assert set(divided(settings, states=()).parts) == set(accepted)


def test_a_benchmark_is_sorted_and_says_what_it_holds(settings: Settings) -> None:
    divided(settings)
    benchmark = load_benchmark(settings)
    orders = [("dev", "val", "test").index(q.split) for q in benchmark.questions]
    assert orders == sorted(orders)
    for part in ("dev", "val", "test"):
        places = [(q.concept_order, q.id) for q in benchmark.questions if q.split == part]
        assert places == sorted(places)
    assert benchmark.facts["states"] == {"new": 315}
    assert [s.slug for s in benchmark.subjects] == ["statistics"]
    assert all(q.concept and letters_only(q.stem) and q.key for q in benchmark.questions)


def test_the_canary_is_the_banks_and_the_splits_own(settings: Settings) -> None:
    divided(settings)
    divided(settings, "second")
    canaries = [load_benchmark(settings, split=name).canary for name in ("main", "main", "second")]
    assert canaries[0] == canaries[1] != canaries[2]


def test_the_command_divides_shows_lists_and_warns(psygen: Run, settings: Settings) -> None:
    here = settings.workspace
    dry = psygen("split", "--state", "any", "--engine", "offline", "--dry-run", cwd=here)
    assert "not accepted by reviewers" in dry.stderr
    assert "no split yet" in psygen("split", "--list", cwd=here).stderr
    made = psygen("split", "--state", "any", "--engine", "offline", cwd=here)
    assert made.stdout == dry.stdout
    assert psygen("split", "--show", cwd=here).stdout == made.stdout
    assert "main" in psygen("split", "--list", cwd=here).stdout
    again = psygen("split", "--state", "any", "--engine", "offline", cwd=here)
    assert (again.returncode, again.stdout) == (2, "")
    assert "0 questions are new" in psygen("split", "--extend", cwd=here).stderr


@pytest.mark.parametrize(
    ("flags", "said"),
    [
        (["--extend", "--seed", "3"], "keeps its policy"),
        (["--extend"], "make one with"),
        (["--parts", "train"], "needs --label"),
        (["--label", "kind", "--parts", "train,train"], "at most once"),
        (["--label", "kind", "--parts", "train=0"], "whole number"),
        (["--label", "kind", "--dev", "3"], "like the others"),
        (["--state", "invalid"], "enters a split"),
        (["--engine", "quantum"], "offline"),
        ([], "--engine offline --state any"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else "",
)
def test_wrong_use_ends_with_one_sentence(psygen: Run, settings: Settings, flags: list[str], said: str) -> None:
    done = psygen("split", *flags, cwd=settings.workspace)
    assert (done.returncode, done.stdout) == (2, "")
    assert said in " ".join(done.stderr.split())
    assert "Traceback" not in done.stderr


def test_no_database_is_said_and_none_is_made(psygen: Run, tmp_path: Path) -> None:
    done = psygen("split", "--list")
    assert done.returncode == 6
    assert "no database yet" in done.stderr
    assert not (tmp_path / "outputs").exists()
