"""Datasets for OpenCompass: a config above the ceval/ folder of the same export.

OpenCompass reads `ceval/SPLIT/NAME_SPLIT.csv` under $COMPASS_DATA_CACHE, all three splits of a subject or none.
"""

import json
from collections.abc import Iterable, Iterator

from psygen.files.exports import ceval
from psygen.files.exports.folder import ExportFolder
from psygen.files.exports.harness import SHOTS, SPLITS, Scorable, note_unscored, scorable, ship
from psygen.files.exports.names import safe_name
from psygen.files.exports.options import ExportOptions
from psygen.files.exports.rows import Names
from psygen.files.exports.tables import fits_four
from psygen.records.benchmark import Benchmark, Split

OPTIONS = "{question}\nA. {A}\nB. {B}\nC. {C}\nD. {D}\n"
PROMPTS = {
    "zh": f"以下是中国关于{{subject}}考试的单项选择题，请选出其中的正确答案。\n{OPTIONS}答案：",
    "en": f"The following is a multiple choice question about {{subject}}. Choose the right answer.\n{OPTIONS}Answer: ",
}
"""C-Eval's prompt; OpenCompass fills in everything but {subject}."""


def write(benchmark: Benchmark, folder: ExportFolder, options: ExportOptions) -> None:
    """Write opencompass/, and the ceval/ folder it reads when that is not asked for besides."""
    if not any(name.startswith("ceval/") for name in folder.files):
        ceval.write(benchmark, folder, options)
    found = scorable(benchmark._replace(questions=[q for q in benchmark.questions if fits_four(q)]), ("single",))
    note_unscored(folder, "opencompass", benchmark, found, options, "C-Eval holds four options and one right answer")
    if found.split is None:
        return
    ship(folder, "psygen_datasets.py", "opencompass/psygen_datasets.py")
    folder.write_text("opencompass/psygen_subjects.py", _subjects(benchmark, folder, found, found.split))


def _subjects(benchmark: Benchmark, folder: ExportFolder, found: Scorable, split: Split) -> str:
    """The module that the config reads: the split to score, and a subject's name, prompt and demonstrations a line."""
    names, dev = Names(benchmark), found.by_subject("dev")
    lines = ['"""What psygen_datasets.py asks: written by psygen."""', "", f"psygen_split = {json.dumps(split)}"]
    lines.append("psygen_subjects = [")
    for subject in _whole(folder, found.by_subject(split)):
        zh = benchmark.lang == "zh"
        name = names.subject_zh(subject) if zh else names.subject_en(subject)
        entry = {
            "name": safe_name(subject),
            "prompt": PROMPTS["zh" if zh else "en"].replace("{subject}", name),
            "demonstrations": list(range(min(SHOTS, dev[subject]))),
        }
        # JSON of text and numbers is Python too, and no name can break out of it.
        lines.append(f"    {json.dumps(entry, ensure_ascii=False)},")
    return "\n".join([*lines, "]", ""])


def _whole(folder: ExportFolder, subjects: Iterable[str]) -> Iterator[str]:
    """Subjects with a file in every split; the user is told of the others, which OpenCompass could not load."""
    for subject in subjects:
        name = safe_name(subject)
        if all(f"ceval/{split}/{name}_{split}.csv" in folder.files for split in SPLITS):
            yield subject
        else:
            folder.note(f"opencompass: {subject} is left out; OpenCompass reads dev, val and test, and it lacks one.")
