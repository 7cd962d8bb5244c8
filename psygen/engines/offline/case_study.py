"""Which concept does this situation show? Situations and their analyses come from the bank."""

import random
import re
from collections.abc import Iterator, Sequence

from psygen.engines.offline.distractors import candidates, choose, echoes
from psygen.engines.offline.question import Question, with_key_first
from psygen.engines.offline.sentences import Situation, definitions_of, situations_of
from psygen.records.concept import Concept

_CONTRAST = re.compile(r"(?:不是|并非|而非|不同于|有别于|区别于|不属于|不能叫|不等于|不算|与|和)([^，。；、]{2,16})")


def case_questions(concept: Concept, neighbours: Sequence[Concept], rng: random.Random) -> Iterator[Question]:
    """For each situation of the concept: what it shows, then what that means."""
    situations = situations_of(concept)
    for makers in (ask_concept, ask_meaning):
        for situation in situations:
            if (question := makers(concept, situation, neighbours, rng)) is not None:
                yield question


def ask_concept(
    concept: Concept, situation: Situation, neighbours: Sequence[Concept], rng: random.Random
) -> Question | None:
    """Name what the situation shows. Concepts the analysis sets apart are the best distractors."""
    pool = candidates(concept, neighbours, named_in=situation.scene)
    contrasted = " ".join(_CONTRAST.findall(situation.analysis))
    pool.sort(key=lambda c: c.concept not in contrasted)
    chosen = choose(concept.concept, pool, lambda c: c.concept, rng, echo=echoes(concept.concept, situation.scene))
    if not chosen:
        return None
    return Question(
        "case_study",
        "understand",
        f"{_ended(situation.scene)}这一情境最能说明的是（　　）。",
        with_key_first(concept.concept, [c.concept for c in chosen]),
        0,
        f"这一情境说明的是{concept.concept}。{situation.analysis}",
    )


def ask_meaning(
    concept: Concept, situation: Situation, neighbours: Sequence[Concept], rng: random.Random
) -> Question | None:
    """Choose the definition of what the situation shows, without its name."""
    definitions = definitions_of(concept)
    if not definitions:
        return None
    key = definitions[0].predicate
    if any(name in key for name in (concept.concept, *concept.synonyms) if len(name) > 1):
        return None
    defined = {c.id: d[0].predicate for c in candidates(concept, neighbours) if (d := definitions_of(c))}
    pool = [c for c in candidates(concept, neighbours) if c.id in defined]
    chosen = choose(key, pool, lambda c: defined[c.id], rng, at_most=1.6)
    if not chosen:
        return None
    return Question(
        "case_study",
        "understand",
        f"{_ended(situation.scene)}能够说明这一情境的概念，其含义是（　　）。",
        with_key_first(key, [defined[c.id] for c in chosen]),
        0,
        f"这一情境说明的是{concept.concept}，即{key}。{situation.analysis}",
    )


def _ended(scene: str) -> str:
    """The scene with a full stop at its end."""
    return scene if scene[-1:] in "。！？”」…" else scene + "。"
