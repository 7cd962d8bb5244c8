"""What every test may use: a workspace of its own, the packaged bank, and the command line as a user runs it."""

import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

from psygen.files.concepts import load_bank
from psygen.records.concept import Bank, Concept, Description
from psygen.settings import Settings, load_settings, packaged_folder

REPOSITORY = Path(__file__).parent.parent
OUTER = ("PSYGEN_", "OPENAI_", "COLUMNS", "LINES")
"""Variables of the machine that would change what a test sees."""
SHARED = REPOSITORY.parent / "shared" / "data"

settings.register_profile("psygen", deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
settings.load_profile("psygen")


@pytest.fixture(autouse=True)
def _no_outer_settings(monkeypatch: pytest.MonkeyPatch) -> None:
    """No key and no setting of the machine reaches a test."""
    for name in list(os.environ):
        if name.startswith(OUTER):
            monkeypatch.delenv(name)


@pytest.fixture(scope="session")
def bank() -> Bank:
    """The packaged statistics bank."""
    return load_bank((packaged_folder() / "concepts",), ["statistics"])


@pytest.fixture
def workspace(tmp_path: Path) -> Settings:
    """Settings of an empty folder: packaged prompts and concepts, outputs of its own."""
    return load_settings(tmp_path, {})


@pytest.fixture
def own_workspace(tmp_path: Path) -> Path:
    """A small workspace: prompts copied, one subject with twelve concepts of our own."""
    from psygen.files.workspace import make_workspace

    make_workspace(tmp_path)
    shutil.rmtree(tmp_path / "concepts")
    (tmp_path / "concepts").mkdir()
    (tmp_path / "concepts" / "subjects.toml").write_text(SUBJECTS, encoding="utf-8")
    write_concepts(tmp_path)
    return tmp_path


SUBJECTS = """
[[subject]]
slug = "learning"
prefix = "lrn"
zh = "学习心理学"
en = "Psychology of Learning"
aliases = ["学习"]
chapters = [
    { slug = "conditioning", zh = "条件作用", en = "Conditioning", concepts = 6 },
    { slug = "memory", zh = "记忆", en = "Memory", concepts = 6 },
]
"""

TERMS = (
    ("acquisition", "习得", "反应与刺激之间的联系在配对中逐渐建立的过程"),
    ("extinction", "消退", "强化不再出现以后反应逐渐减弱直至不再发生的过程"),
    ("generalization", "泛化", "与原来的刺激相似的其他刺激也能引起同样反应的现象"),
    ("discrimination", "分化", "只对受到强化的刺激作出反应而对近似刺激不作反应的过程"),
    ("shaping", "塑造", "对越来越接近目标的行为依次给以强化的训练过程"),
    ("punishment", "惩罚", "行为之后出现厌恶的后果而使这种行为减少的过程"),
    ("encoding", "编码", "把外来信息转换成可以保存的形式的过程"),
    ("storage", "贮存", "把已经获得的信息在头脑里保持一段时间的过程"),
    ("retrieval", "提取", "从头脑中把保持着的信息重新找出来使用的过程"),
    ("rehearsal", "复述", "为了保持信息而在心里反复念诵材料的活动"),
    ("chunking", "组块", "把若干小单位联合成较大的有意义单位的加工"),
    ("interference", "干扰", "先后学习的材料彼此妨碍而造成回忆困难的现象"),
)


def write_concepts(folder: Path, *, change: Callable[[list[list[str]]], object] | None = None) -> Path:
    """Write concepts/learning.csv of the small workspace; `change` may alter the rows first."""
    import csv

    rows = []
    for n, (slug, term, meaning) in enumerate(TERMS):
        chapter = "conditioning" if n < 6 else "memory"
        tail = "这是学习心理学的基本概念，与相邻的概念应当仔细区分，不能混为一谈，考试中常以实例加以辨别和说明。"
        rows.append([f"lrn-{slug}", chapter, "基本概念", "", term, slug, "theory", f"{term}是{meaning}。{tail}"])
    if change is not None:
        change(rows)
    path = folder / "concepts" / "learning.csv"
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow("id chapter heading subheading concept concept_en prompt_types description".split())
        writer.writerows(rows)
    return path


def concept(concept_id: str = "sta-mean", **fields: object) -> Concept:
    """A concept with one theory description, changed by `fields`."""
    text = f"{fields.get('concept', '平均数')}是一组数据之和除以数据个数所得的商。它是最常用的集中量数，受极端值影响。"
    values: dict[str, object] = {
        "id": concept_id,
        "subject": "statistics",
        "chapter": "central-tendency",
        "concept": "平均数",
        "concept_en": "mean",
        "descriptions": (Description(text=text, prompt_types=("theory",)),),
    }
    return Concept.model_validate(values | fields)


@pytest.fixture
def psygen(tmp_path: Path) -> Callable[..., subprocess.CompletedProcess[str]]:
    """Run `psygen ARGS` in a process of its own, in tmp_path, without any key."""

    def run(*args: str, cwd: Path | None = None, env: dict[str, str] | None = None) -> subprocess.CompletedProcess[str]:
        clean = {k: v for k, v in os.environ.items() if not k.startswith(OUTER)}
        return subprocess.run(
            [sys.executable, "-m", "psygen", *args],
            cwd=cwd or tmp_path,
            env=clean | (env or {}),
            capture_output=True,
            text=True,
            timeout=300,
            check=False,
        )

    return run


def needs_shared(name: str) -> Path:
    """A folder of the shared test data; the test is skipped where it is absent."""
    path = SHARED / name
    if not path.exists():
        pytest.skip(f"../shared/data/{name} is not here")
    return path


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--update-golden", action="store_true", help="rewrite the reviewed texts in tests/golden")
