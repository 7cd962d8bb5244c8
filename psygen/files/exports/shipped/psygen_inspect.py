"""The benchmark as an Inspect task.

inspect eval psygen_inspect.py@psygen --model openai/gpt-4o -T fewshot=5

-T subject=statistics asks one subject, -T format=MAQ the questions with several right answers, -T split=val that split.
Error bars are clustered by concept: sibling questions of one concept stand and fall together.
"""

from inspect_ai import Task, task
from inspect_ai.dataset import MemoryDataset, Sample
from inspect_ai.scorer import (
    CORRECT,
    INCORRECT,
    Metric,
    SampleScore,
    Score,
    Scorer,
    Target,
    accuracy,
    ci,
    grouped,
    metric,
    scorer,
    stderr,
)
from inspect_ai.solver import TaskState, generate
from psygen_extract import INVALID, read
from psygen_questions import DATA, Row, demonstrations, prompt, rows, scored_split

KEPT = ("subject", "chapter", "concept", "concept_id", "kind", "format", "choices")
"""Fields of a question that the log keeps as metadata."""


@task
def psygen(split: str | None = None, fewshot: int = 5, format: str = "SCQ", subject: str | None = None) -> Task:  # noqa: A002
    """Every question of a split, after demonstrations from dev.

    split: val or test; default test, or val in an export that hides the answers of test.
    format: SCQ (one right answer) or MAQ (several). subject: a slug; default all.
    """
    chosen = split or scored_split()
    asked = [r for r in rows(chosen) if r["format"] == format and subject in (None, r["subject"])]
    if not asked:
        raise ValueError(f"no question has split={chosen}, format={format}, subject={subject or 'any'}.")
    dev = rows("dev") if fewshot else []
    samples = [_sample(row, demonstrations(row, dev, fewshot)) for row in asked]
    dataset = MemoryDataset(samples, name="psygen", location=str(DATA / f"{chosen}.jsonl"))
    return Task(dataset=dataset, solver=[generate()], scorer=psygen_choice(), version=1)


def _sample(row: Row, shots: list[Row]) -> Sample:
    """A question as Inspect holds it; its target is the key's letters."""
    metadata = {name: row[name] for name in KEPT} | {"chapter_id": f"{row['subject']}.{row['chapter']}"}
    return Sample(id=row["id"], input=prompt(row, shots), target=row["answer"], metadata=metadata)


@metric
def invalid() -> Metric:
    """Share of the replies in which no answer could be read; they count as wrong."""

    def share(scores: list[SampleScore]) -> float:
        return sum(s.score.answer == INVALID for s in scores) / len(scores) if scores else 0.0

    return share


@scorer(
    metrics=[
        accuracy(),
        stderr(cluster="concept_id"),
        ci(cluster="concept_id"),
        invalid(),
        grouped(accuracy(), "subject", all="groups", all_label="macro", name_template="subject/{group_name}"),
        grouped(accuracy(), "chapter_id", all=False, name_template="chapter/{group_name}"),
    ]
)
def psygen_choice() -> Scorer:
    """Right when the letters announced last are exactly the key."""

    async def score(state: TaskState, target: Target) -> Score:
        answer = read(state.metadata, state.output.completion) or INVALID
        value = CORRECT if answer == target.text else INCORRECT
        return Score(value=value, answer=answer, explanation=state.output.completion)

    return score
