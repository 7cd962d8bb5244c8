"""A task folder for lm-evaluation-harness: `lm-eval run --include_path OUT/lm_eval --tasks psygen`.

Groups: `psygen` (log-likelihood of the letters, a task for each subject), `psygen_chapters` (the same by chapter) and
`psygen_gen` (the answer read from generated text). All YAML lies flat beside utils.py, because `!function ../x` finds
nothing; the questions come through `custom_dataset`, because `data_files` would be looked for in the working directory.
Questions with several right answers are left out: the likelihood of letters asks for one.
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from psygen.errors import ExportFault
from psygen.files.exports.folder import ExportFolder
from psygen.files.exports.harness import SHIPPED, SHOTS, Scorable, note_unscored, scorable, ship, write_data
from psygen.files.exports.names import safe_name
from psygen.files.exports.options import ExportOptions
from psygen.records.benchmark import Benchmark, Split

VERSION = 1.0
"""Of the tasks, as the harness reports it beside every score."""


class Yaml(NamedTuple):
    """One file of the folder: a task or a group; `name` is what a user types after --tasks."""

    name: str
    text: str


def write(benchmark: Benchmark, folder: ExportFolder, options: ExportOptions) -> None:
    """Write lm_eval/: templates, tasks, groups, code and data. Raises ExportFault when two tasks would share a name."""
    found = scorable(benchmark, ("single",))
    note_unscored(folder, "lm-eval", benchmark, found, options, "its tasks ask for one right answer among options")
    if found.split is None:
        return
    write_data(folder, "lm_eval", benchmark, found)
    ship(folder, "lm_eval_utils.py", "lm_eval/utils.py")
    ship(folder, "psygen_extract.py", "lm_eval/psygen_extract.py")
    ship(folder, "yaml/likelihood.yaml", "lm_eval/_psygen_template_yaml")
    ship(folder, "yaml/generation.yaml", "lm_eval/_psygen_gen_template_yaml")
    folder.write_text("lm_eval/_psygen_common_yaml", _common(benchmark.lang, found.split))
    for yaml in _distinct(_yamls(found, found.split)):
        folder.write_text(f"lm_eval/{yaml.name}.yaml", yaml.text)


def _common(lang: str, split: Split) -> str:
    """The template of the benchmark's language, with the split that is scored."""
    text = (SHIPPED / "yaml" / f"common_{'zh' if lang == 'zh' else 'en'}.yaml").read_text(encoding="utf-8")
    return f"{text}{'test_split' if split == 'test' else 'validation_split'}: {split}\nnum_fewshot: {SHOTS}\n"


def _yamls(found: Scorable, split: Split) -> Iterator[Yaml]:
    """Every task and group; only subjects and chapters that have something to score."""
    subjects, dev = list(found.by_subject(split)), found.by_subject("dev")
    for subject in subjects:
        yield _task("psygen", subject, "_psygen_template_yaml", dev)
        yield _task("psygen_gen", subject, "_psygen_gen_template_yaml", dev)
        chapters = found.chapters(split, subject)
        for chapter in chapters:
            yield _task("psygen_ch", subject, "_psygen_template_yaml", dev, chapter)
        yield _group(_name("psygen_ch", subject), [_name("psygen_ch", subject, c) for c in chapters], ("acc",), subject)
    yield _group("psygen", [_name("psygen", s) for s in subjects], ("acc",))
    yield _group("psygen_chapters", [_name("psygen_ch", s) for s in subjects], ("acc",))
    yield _group("psygen_gen", [_name("psygen_gen", s) for s in subjects], ("exact_match", "invalid"))


def _name(*parts: str) -> str:
    return "_".join([parts[0], *map(safe_name, parts[1:])])


def _task(prefix: str, subject: str, template: str, dev: Mapping[str, int], chapter: str | None = None) -> Yaml:
    """A task over a subject, or over one of its chapters; `dev` counts the demonstrations that each subject has."""
    place = (subject,) if chapter is None else (subject, chapter)
    name = _name(prefix, *place)
    fields: dict[str, object] = {"include": template, "task": name, "task_alias": place[-1]}
    if dev[subject] < SHOTS:
        fields["num_fewshot"] = dev[subject]
    fields["metadata"] = {"version": VERSION, **dict(zip(("subject", "chapter"), place, strict=False))}
    return Yaml(name, _text(fields))


def _group(name: str, tasks: Sequence[str], metrics: Sequence[str], alias: str | None = None) -> Yaml:
    """A group whose scores are means over questions, not over tasks."""
    filters = {"filter_list": ["extract"]} if "exact_match" in metrics else {}
    fields: dict[str, object] = {"group": name}
    if alias is not None:
        fields["group_alias"] = alias
    fields["task"] = list(tasks)
    fields["aggregate_metric_list"] = [
        {"metric": m, "aggregation": "mean", "weight_by_size": True, **filters} for m in metrics
    ]
    fields["metadata"] = {"version": VERSION}
    return Yaml(name, _text(fields))


def _text(fields: Mapping[str, object]) -> str:
    """The fields as YAML, one a line; every value is JSON, which YAML reads, so a subject called `no` stays a name."""
    return "".join(f"{key}: {json.dumps(value, ensure_ascii=False)}\n" for key, value in fields.items())


def _distinct(yamls: Iterator[Yaml]) -> Iterator[Yaml]:
    """The same, as long as no name comes twice: a subject called `gen` would be the group of generation."""
    seen: set[str] = set()
    for yaml in yamls:
        if yaml.name in seen:
            raise ExportFault(
                f"lm-eval: two tasks would be called {yaml.name}; rename the subject, or leave this format out."
            )
        seen.add(yaml.name)
        yield yaml
