"""Answers a request from the concept bank. The same request gives the same bytes, on any machine."""

import json
import random
from collections.abc import Iterator, Mapping, Sequence

from psygen.engines.base import Journal, Source
from psygen.engines.offline.calculation import calculation_questions
from psygen.engines.offline.case_study import case_questions
from psygen.engines.offline.question import Question
from psygen.engines.offline.theory import theory_questions
from psygen.ids import rng
from psygen.records.concept import Concept
from psygen.records.exchange import Reply, Usage
from psygen.text import letters_only

VERSION = 1
"""Part of every request: raised when the same task would give other questions."""

AT_ONCE = 32


class OfflineEngine:
    """Reads the task in a request's body: a concept and its neighbours by the hash of their content."""

    def __init__(self, concepts: Mapping[str, Concept]) -> None:
        self._concepts = concepts

    def ask(self, source: Source, journal: Journal) -> Iterator[list[Reply]]:
        """Replies in the order of the requests, `AT_ONCE` at a time."""
        while requests := source.take(AT_ONCE):
            calls = journal.intend(requests)
            replies = [
                Reply(
                    request_id=request.id,
                    call_id=call,
                    state="received",
                    raw=self._answer(request.body),
                    model="offline",
                    usage=Usage(input=0, output=0),
                    cost_micro_usd=0,
                )
                for request, call in zip(requests, calls, strict=True)
            ]
            journal.settle(replies)
            yield replies

    def _answer(self, task: Mapping[str, object]) -> bytes:
        concept = self._concepts[str(task["concept"])]
        hashes = task["neighbours"]
        assert isinstance(hashes, list)
        neighbours = [self._concepts[h] for h in hashes]
        questions = write_questions(
            concept,
            neighbours,
            str(task["prompt_type"]),
            most=int(str(task["questions"])),
            held={str(h) for h in task["held"]} if isinstance(task["held"], list) else set(),
            chance=rng(int(str(task["seed"])), f"offline/{concept.id}/{task['prompt_type']}"),
        )
        return json.dumps({"questions": [q.as_json() for q in questions]}, ensure_ascii=False).encode()


def write_questions(
    concept: Concept,
    neighbours: Sequence[Concept],
    prompt_type: str,
    *,
    most: int,
    chance: random.Random,
    held: set[str] | None = None,
) -> list[Question]:
    """At most `most` questions of a type, fewer where the concept offers no more good ones.

    held: `letters_only` of stems that exist already. No two questions share a stem.
    """
    slug = concept.id.partition("-")[2]
    makers = {
        "theory": lambda: theory_questions(concept, neighbours, chance),
        "case_study": lambda: case_questions(concept, neighbours, chance),
        "calculation": lambda: calculation_questions(slug, chance),
        "mixed": lambda: _mixed(concept, neighbours, slug, chance),
    }
    taken = set(held or ())
    questions: list[Question] = []
    for question in makers[prompt_type]():
        if len(questions) == most:
            break
        if (stem := letters_only(question.stem)) not in taken:
            taken.add(stem)
            questions.append(question)
    return questions


def _mixed(concept: Concept, neighbours: Sequence[Concept], slug: str, chance: random.Random) -> Iterator[Question]:
    """Questions of the three kinds in turn, as long as each has any."""
    sorts = [
        calculation_questions(slug, chance),
        case_questions(concept, neighbours, chance),
        theory_questions(concept, neighbours, chance),
    ]
    while sorts:
        for sort in list(sorts):
            question = next(sort, None)
            if question is None:
                sorts.remove(sort)
            else:
                yield question
