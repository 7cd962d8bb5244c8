"""What a bank is made of: how many questions, how long they are, which concepts they reach and how evenly.

Lengths are characters (code points, LaTeX as it is written): of the stem without its options, and of the right option.
"""

from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from math import fsum, log
from typing import NamedTuple


class Measured(NamedTuple):
    """What counting needs of a question."""

    subject: str
    chapter: str
    concept_id: str
    part: str
    """Its part of a split; empty when it is in none."""
    question_chars: int
    answer_chars: float | None
    """Mean over the right options; None without one."""


class Line(NamedTuple):
    """One line of a table of composition: a subject, a chapter, a part, or everything."""

    concepts: int
    """Required concepts."""
    covered: int
    """Required concepts with at least one question."""
    asked: int | None
    """Questions asked for; None where that cannot be said."""
    kept: int
    question_chars: float | None
    answer_chars: float | None

    @property
    def coverage(self) -> float | None:
        """Share of the required concepts with at least one question; None when nothing is required.

        Source: ConceptPsy, section 2.1.
        """
        return self.covered / self.concepts if self.concepts else None


class Spread(NamedTuple):
    """How questions are spread over the required concepts, those without a question among them."""

    least: int | None
    most: int | None
    mean: float | None
    evenness: float | None
    distribution: dict[int, int]
    """Concepts by their number of questions, ascending."""


def line(required: Collection[str], asked: int | None, questions: Sequence[Measured]) -> Line:
    """Counts and mean lengths of some questions beside what is required of them (concept ids)."""
    answers = [q.answer_chars for q in questions if q.answer_chars is not None]
    return Line(
        concepts=len(required),
        covered=len({q.concept_id for q in questions}.intersection(required)),
        asked=asked,
        kept=len(questions),
        question_chars=_mean([q.question_chars for q in questions]),
        answer_chars=_mean(answers),
    )


def per_concept(required: Iterable[str], questions: Iterable[Measured]) -> dict[str, int]:
    """Questions of each required concept, in the order given; 0 for those without one."""
    counts = Counter(q.concept_id for q in questions)
    return {concept_id: counts[concept_id] for concept_id in required}


def spread(counts: Collection[int]) -> Spread:
    """Smallest, largest and mean number of questions per concept, their evenness and distribution."""
    return Spread(
        least=min(counts, default=None),
        most=max(counts, default=None),
        mean=_mean(counts),
        evenness=evenness(counts),
        distribution=dict(sorted(Counter(counts).items())),
    )


def evenness(counts: Collection[int]) -> float | None:
    """Pielou's J: the entropy of the counts over that of equal counts; 1 when every concept has as many questions.

    A concept without a question counts as one of those over which questions could be spread. None with fewer than two
    concepts or no question at all. Source: Pielou, The measurement of diversity in different types of biological
    collections, Journal of Theoretical Biology 13 (1966), 131-144.
    """
    total = sum(counts)
    if len(counts) < 2 or not total:
        return None
    entropy = fsum(-count / total * log(count / total) for count in counts if count)
    return min(entropy / log(len(counts)), 1.0)


def _mean(values: Collection[float]) -> float | None:
    return fsum(values) / len(values) if values else None
