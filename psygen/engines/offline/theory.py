"""Masked-keyword questions from defining sentences (the method of Xiezhi): they test recall, and say so.

Masked are only the defined term, its definition, or the scholar who proposed it; never an arbitrary word.
"""

import random
import re
from collections.abc import Iterator, Sequence

from psygen.engines.offline.distractors import candidates, choose, echoes
from psygen.engines.offline.question import Question, with_key_first
from psygen.engines.offline.sentences import (
    Definition,
    Person,
    definitions_of,
    persons_in,
    proposer_of,
)
from psygen.records.concept import Concept


def theory_questions(concept: Concept, neighbours: Sequence[Concept], rng: random.Random) -> Iterator[Question]:
    """The recall questions this concept's theory descriptions allow, the most natural first; at most four sorts."""
    definitions = definitions_of(concept)
    for makers in (ask_term, ask_definition):
        for definition in definitions:
            if (question := makers(concept, definition, neighbours, rng)) is not None:
                yield question
    if definitions and (question := ask_proposer(concept, definitions[0], neighbours, rng)) is not None:
        yield question


def ask_term(
    concept: Concept, definition: Definition, neighbours: Sequence[Concept], rng: random.Random
) -> Question | None:
    """Which concept is defined so? Distractors: names of the same kind."""
    if _names(concept, definition.predicate):
        return None
    pool = candidates(concept, neighbours, named_in=definition.predicate)
    hints = echoes(concept.concept, definition.predicate)
    chosen = choose(concept.concept, pool, lambda c: c.concept, rng, echo=hints)
    if not chosen:
        return None
    return Question(
        "theory",
        "recall",
        f"（　　）{definition.copula}{definition.predicate}。",
        with_key_first(concept.concept, [c.concept for c in chosen]),
        0,
        f"{concept.concept}{definition.copula}{definition.predicate}。{_others(chosen)}",
    )


def ask_definition(
    concept: Concept, definition: Definition, neighbours: Sequence[Concept], rng: random.Random
) -> Question | None:
    """Which statement says what the concept is? Distractors: definitions of concepts of the same kind."""
    if _names(concept, definition.predicate):
        return None
    defined = {c.id: d[0].predicate for c in candidates(concept, neighbours) if (d := definitions_of(c))}
    pool = [
        c
        for c in candidates(concept, neighbours)
        if c.id in defined and not _names(c, defined[c.id]) and not _names(concept, defined[c.id])
    ]
    hints = echoes(concept.concept, definition.predicate)
    chosen = choose(definition.predicate, pool, lambda c: defined[c.id], rng, at_most=1.6, echo=hints)
    if not chosen:
        return None
    return Question(
        "theory",
        "recall",
        f"下列各项中，准确说明“{concept.concept}”的含义的是（　　）。",
        with_key_first(definition.predicate, [defined[c.id] for c in chosen]),
        0,
        f"{concept.concept}{definition.copula}{definition.predicate}。"
        + "，".join(f"“{_opening(defined[c.id])}……”说的是{c.concept}" for c in chosen)
        + "。",
    )


def ask_proposer(
    concept: Concept, definition: Definition, neighbours: Sequence[Concept], rng: random.Random
) -> Question | None:
    """Who proposed it? Distractors: scholars of neighbouring concepts whom this concept's text does not name."""
    person = proposer_of(concept)
    if person is None:
        return None
    own = {p.original.split()[-1] for d in concept.descriptions for p in persons_in(d.text)}
    text = "".join(d.text for d in concept.descriptions)
    others: dict[str, Person] = {}
    for neighbour in neighbours:
        if neighbour.id in concept.overlaps or concept.id in neighbour.overlaps:
            continue
        other = proposer_of(neighbour)
        if other and other.original.split()[-1] not in own and other.zh not in text:
            others.setdefault(other.original.split()[-1], other)
    pool = list(others.values())[:8]
    if len(pool) < 3 or person.original.split()[-1] in definition.predicate or person.zh in concept.concept:
        return None
    wrong = rng.sample(pool, 3)
    return Question(
        "theory",
        "recall",
        f"提出“{concept.concept}”的学者是（　　）。",
        with_key_first(str(person), [str(p) for p in wrong]),
        0,
        f"{concept.concept}由{person}提出。其余三位学者的贡献不在于此。",
    )


def _names(concept: Concept, text: str) -> bool:
    return any(name in text for name in (concept.concept, *concept.synonyms) if len(name) > 1)


def _others(chosen: Sequence[Concept]) -> str:
    said = [
        f"{c.concept}则指{d[0].predicate}" if (d := definitions_of(c)) else f"{c.concept}是另一概念" for c in chosen
    ]
    return "；".join(said) + "。"


def _opening(text: str) -> str:
    """Enough of a definition to know it by; parentheses are left out and formulas kept whole rather than cut."""
    plain = re.sub(r"（[^）]*）", "", text)
    end = 12
    if plain[:end].count("$") % 2:
        end = plain.index("$", end) + 1
    return plain[:end]
