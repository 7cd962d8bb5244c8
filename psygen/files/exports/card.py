"""The dataset card: what a stranger must know before using the benchmark, beside the YAML that names its files.

The data statement follows Bender & Friedman 2018, Data Statements for Natural Language Processing, TACL 6.
"""

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from psygen.files.exports.options import ExportOptions
from psygen.files.exports.rows import Names
from psygen.records.benchmark import Benchmark


class Config(NamedTuple):
    """One configuration of the dataset: its name and its questions by split."""

    name: str
    counts: Mapping[str, int]


def card_text(benchmark: Benchmark, configs: Sequence[Config], options: ExportOptions) -> str:
    """README.md of the dataset."""
    total = len(benchmark.questions)
    parts = [
        _front_matter(benchmark, configs, options, total),
        f"# {_plain(_title(benchmark))}\n",
        f"{total:,} multiple-choice questions on {len(benchmark.subjects)} subjects of psychology, put "
        "together with psygen: every question it made tests one concept that an examination requires.\n",
        "## Questions\n\n" + _counts(benchmark, configs),
        "## Columns\n\n" + COLUMNS,
        "## Data statement\n\n" + _statement(benchmark, options),
        "## Known limits\n\n" + _limits(options),
        "## Canary\n\n" + CANARY_TEXT + f"\n    {benchmark.canary}\n",
    ]
    return "\n".join(parts)


COLUMNS = """\
`id` names the question for ever. `question`, `choices`, `answer` (letters, `B` or `ACD`) and `answer_index` (positions
from 0) are what a model is asked; `format` is SCQ (one right answer), MAQ (several) or OPEN. `subject`, `chapter`,
`concept_id` are slugs and ids, `subject_zh`, `chapter_zh`, `concept` their names; questions of one concept are
siblings: cluster error bars by `concept_id`. `kind` is theory, case_study or calculation.
`dev` holds demonstrations for few-shot prompts, `val` is for choosing settings, `test` for results.
"""

CANARY_TEXT = """\
Benchmark data should never stand in training data. Whoever searches a corpus for this line finds this benchmark:
"""


def _title(benchmark: Benchmark) -> str:
    return f"psygen {benchmark.name}" if benchmark.name != "main" else "psygen"


def _plain(text: str) -> str:
    """`text` on one line, without what Markdown or HTML would act upon."""
    return "".join(f"\\{c}" if c in "\\`*_{}[]<>#|!" else c for c in " ".join(text.split()))


def _front_matter(benchmark: Benchmark, configs: Sequence[Config], options: ExportOptions, total: int) -> str:
    """The YAML head. Every value is written as JSON, which YAML reads as it stands."""

    def quoted(value: object) -> str:
        return json.dumps(value, ensure_ascii=False)

    lines = ["---", "language:", f"- {quoted(benchmark.lang)}", f"license: {quoted(options.licence)}"]
    lines += ["task_categories:", "- multiple-choice", "- question-answering"]
    lines += [f"pretty_name: {quoted(_title(benchmark))}", "size_categories:", f"- {quoted(_size(total))}"]
    lines += ["tags:", "- psychology", "- benchmark", "configs:"]
    for config in configs:
        lines += [f"- config_name: {quoted(config.name)}"]
        lines += ["  default: true"] if config is configs[0] else []
        lines += ["  data_files:"]
        for split in config.counts:
            path = f"data/{config.name}/{split}-00000-of-00001.parquet"
            lines += [f"  - split: {quoted(split)}", f"    path: {quoted(path)}"]
    return "\n".join([*lines, "---", ""])


def _size(total: int) -> str:
    """The hub's word for a number of rows."""
    for limit, word in ((1000, "n<1K"), (10_000, "1K<n<10K"), (100_000, "10K<n<100K"), (1_000_000, "100K<n<1M")):
        if total < limit:
            return word
    return "1M<n<10M"


def _counts(benchmark: Benchmark, configs: Sequence[Config]) -> str:
    """A table of questions by subject and split."""
    names = Names(benchmark)
    splits = list(dict.fromkeys(s for c in configs for s in c.counts))
    lines = ["| configuration | subject | " + " | ".join(splits) + " |", "| --- | --- |" + " ---: |" * len(splits)]
    for config in configs:
        name = "every subject" if config is configs[0] else names.subject_zh(config.name)
        cells = " | ".join(f"{config.counts.get(s, 0):,}" for s in splits)
        lines.append(f"| {_plain(config.name)} | {_plain(name)} | {cells} |")
    return "\n".join(lines) + "\n"


def _statement(benchmark: Benchmark, options: ExportOptions) -> str:
    """Curation, language, authors, reviewers, as far as the database knows them."""
    authors = Counter(f"{q.engine} {q.model}" if q.model != q.engine else q.engine for q in benchmark.questions)
    states = Counter(q.state for q in benchmark.questions)
    language = {"zh": "Chinese as written in mainland China (zh-CN)", "en": "English"}
    lines = [
        "- **Curation.** A list of the concepts that an examination requires; questions are asked of an engine for "
        "each concept, checked by rules, and reviewed by people.",
        f"- **Language.** {language.get(benchmark.lang, _plain(benchmark.lang))}.",
        f"- **Who wrote the questions.** {_tally(authors)} (engine and model; `import` and a name: a source elsewhere, "
        "whose licence applies to them).",
        f"- **Who judged them.** State in review: {_tally(states)}. Only `accepted` questions were approved by "
        "reviewers; `new` ones were read by nobody.",
        f"- **Reviewers.** {_fact(benchmark.facts['reviewers'])}."
        if benchmark.facts.get("reviewers")
        else "- **Reviewers.** None are on record.",
        f"- **Licence.** {_plain(options.licence)}.",
    ]
    rest = [n for n in sorted(benchmark.facts) if n not in _SAID and benchmark.facts[n] not in _NOTHING]
    lines += [f"- **{_plain(n.replace('_', ' ').capitalize())}.** {_fact(benchmark.facts[n])}." for n in rest]
    return "\n".join(lines) + "\n"


_SAID = ("reviewers", "engines", "models", "states")
"""Facts that the statement has in words of its own."""
_NOTHING: tuple[object, ...] = (None, "", [], {})


def _tally(counts: Counter[str]) -> str:
    return "; ".join(f"{count:,} {_plain(name)}" for name, count in sorted(counts.items())) or "none"


def _fact(value: object) -> str:
    """A fact as a phrase: pairs of a name and a number belong together, what is empty is left out."""
    if isinstance(value, Mapping):
        return "; ".join(f"{_plain(str(k))}: {_fact(v)}" for k, v in value.items() if v not in _NOTHING)
    if isinstance(value, Sequence) and not isinstance(value, str):
        is_pair = len(value) == 2 and isinstance(value[0], str) and isinstance(value[1], int)
        return (" " if is_pair else ", ").join(_fact(v) for v in value)
    return _plain(str(value))


def _limits(options: ExportOptions) -> str:
    """What the numbers of this benchmark cannot say."""
    lines = [
        "- **A model of the generator's family scores itself.** Where a language model wrote the questions, models of "
        "its family find its wording, its distractors and its mistakes familiar: don't compare them with others by "
        "this benchmark alone.",
        "- Right answers follow the syllabus and its textbooks; where schools of thought differ, one of them is right "
        "here.",
        "- Questions of one concept are alike, so error bars that take them for independent are too small.",
        "- Knowledge of an examination is no measure of a model's fitness to counsel, diagnose or treat anyone.",
    ]
    if options.hide_answers:
        hidden = ", ".join(sorted(options.hide_answers))
        lines.append(f"- The answers of {hidden} are not in this dataset.")
    return "\n".join(lines) + "\n"
