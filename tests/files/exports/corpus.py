"""A small benchmark of our own with every character that has ever broken a table, and one of any size."""

import csv
import json
from collections.abc import Sequence
from pathlib import Path

from psygen.files.concepts import load_subjects
from psygen.files.exports.folder import ExportFolder
from psygen.files.exports.formats import FORMATS
from psygen.files.exports.options import ExportOptions
from psygen.records.benchmark import SPLITS, Benchmark, Question, Split
from psygen.settings import packaged_folder

CANARY = "psygen canary 6d2f7a54-5c57-4a1e-9d3c-2b8e6f0a9d11"
STEMS = {
    "comma": "数据 2, 4, 6，中数是",
    "quote": '他说："记忆"，"遗忘"，这是',
    "line-break": "案例：小王背单词。\n\n第二天他忘了一半。\n这叫",
    "latex": r"当 $\bar{x}=\frac{\sum_i x_i}{n}$ 且 $\sum_{i}(x_i-\bar{x})^2>0$ 时，下列说法正确的是",
    "equals": "=SUM(A1:A9)，在心理统计中",
    "plus-minus": "-0.5 与 +0.5 的等级相关，@ 处应填",
    "braces": "{{ question }} {% if x %} ${name} {0} %s 所表示的是",
    "tilde": "~显著性~ 水平 ~1.96~ 是指",
    "emoji": "看到 😀👩‍👩‍👧 表情时，被试的反应属于𠀀",
    "apostrophe": "'Stroop' 效应说明",
    "blanks": "  首尾有空格，又有\t制表符  ",
    "markup": "<script>alert(1)</script> & <b>粗体</b> [/red] 是",
    "not-a-number": "NA",
    "backslash": '\\n 与 \\\\ 和 \\"，哪一个是换行',
}
OPTIONS = ("7±2个组块", 'a "b", c', "=ΔI/I", "多行\n选项")


def question(number: int, split: Split = "test", **fields: object) -> Question:
    """The question of that number: 0, 1, … of a split; fields as in `Question` may be given."""
    value = Question(
        id=f"psy-{number:012x}", split=split, subject="statistics", chapter="central-tendency", concept_id="sta-mean",
        concept="平均数", concept_order=number, headings=("集中量数",), prompt_type="theory", kind="theory", level=None,
        form="single", lang="zh", stem=f"第{number}题的题干是什么？", options=OPTIONS, key=(number % 4,),
        explanation=f"第{number}题的解析，含 $x^2$、逗号, 和引号\"。", state="accepted", flags=("long_key",),
        engine="online", model="m-1", request_id=f"{number:032x}", revision=f"{number:016x}",
    )  # fmt: skip
    return value._replace(**fields)  # type: ignore[arg-type]


def benchmark(questions: Sequence[Question]) -> Benchmark:
    """A benchmark of these questions, sorted as a benchmark is."""
    order = {s: n for n, s in enumerate([*SPLITS, "reserved"])}
    known = load_subjects((packaged_folder() / "concepts",))
    found = {q.subject for q in questions}
    rows = sorted(questions, key=lambda q: (order[q.split], q.subject, q.chapter, q.concept_order, q.id))
    facts = {"split": {"policy": "quota"}, "reviewers": [{"role": "心理学教师", "years": 9}]}
    return Benchmark("main", "zh", tuple(s for s in known if s.slug in found), rows, CANARY, facts)


def corpus() -> Benchmark:
    """Every stem above in test, plain ones in dev and val, two subjects, one question with several right answers."""
    hard = [question(100 + n, stem=stem) for n, stem in enumerate(STEMS.values())]
    demos = [question(n, "dev") for n in range(0, 10, 2)] + [_general(n, "dev") for n in range(1, 10, 2)]
    several = question(300, form="multiple", key=(0, 2, 3))
    other = [_general(400, "val"), _general(401), _general(402)]
    return benchmark([*hard, *demos, several, *other, question(500, "val")])


def _general(number: int, split: Split = "test") -> Question:
    return question(number, split, subject="general", chapter="basic-concepts", concept_id="gen-x", concept="知觉")


def written(out: Path, name: str, made: Benchmark, hide: frozenset[str] = frozenset()) -> ExportFolder:
    """Write one format into a folder."""
    with ExportFolder(out) as folder:
        FORMATS[name](made, folder, ExportOptions(hide_answers=hide))
        folder.write_text("psygen.json", "{}\n")
    return folder


def csv_rows(path: Path) -> list[list[str]]:
    """A csv as its records."""
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.reader(file, strict=True))


def json_lines(path: Path) -> list[dict[str, object]]:
    """A file of JSON lines as its objects."""
    return [json.loads(line) for line in path.read_text(encoding="utf-8").split("\n") if line]
