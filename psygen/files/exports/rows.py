"""One question as plain JSON, in the two shapes that exports share."""

from typing import Any

from psygen.records.benchmark import Benchmark, Question
from psygen.records.item import LETTERS


def letters(question: Question) -> str:
    """The key as letters, `B` or `ACD`; empty when it is hidden or the question is open."""
    return "".join(LETTERS[k] for k in question.key)


def canonical_row(question: Question, canary: str) -> dict[str, Any]:
    """The fields of an exported item, with split, the concept's name and its place in the bank's order."""
    return {
        "id": question.id,
        "split": question.split,
        "concept_id": question.concept_id,
        "concept": question.concept,
        "concept_order": question.concept_order,
        "subject": question.subject,
        "chapter": question.chapter,
        "headings": list(question.headings),
        "prompt_type": question.prompt_type,
        "kind": question.kind,
        "level": question.level,
        "form": question.form,
        "lang": question.lang,
        "stem": question.stem,
        "options": list(question.options),
        "key": letters(question),
        "explanation": question.explanation,
        "state": question.state,
        "flags": list(question.flags),
        "engine": question.engine,
        "model": question.model,
        "request_id": question.request_id,
        "revision": question.revision,
        "canary": canary,
    }


class Names:
    """Names of subjects and chapters in both languages, by slug; a slug without one is its own name."""

    def __init__(self, benchmark: Benchmark) -> None:
        self._subjects = {s.slug: s for s in benchmark.subjects}
        self._chapters = {(s.slug, c.slug): c for s in benchmark.subjects for c in s.chapters}

    def subject_zh(self, slug: str) -> str:
        """The subject's Chinese name."""
        return self._subjects[slug].zh if slug in self._subjects else slug

    def subject_en(self, slug: str) -> str:
        """The subject's English name."""
        return self._subjects[slug].en if slug in self._subjects else slug

    def chapter_zh(self, subject: str, chapter: str) -> str:
        """The chapter's Chinese name."""
        return self._chapters[subject, chapter].zh if (subject, chapter) in self._chapters else chapter

    def chapter_en(self, subject: str, chapter: str) -> str:
        """The chapter's English name."""
        return self._chapters[subject, chapter].en if (subject, chapter) in self._chapters else chapter


def reader_row(question: Question, names: Names, canary: str) -> dict[str, Any]:
    """The shape that harnesses and the Hugging Face dataset read: names beside slugs, key as letters and as positions.

    format: SCQ for a single right answer, MAQ for several, OPEN for none to choose from.
    """
    return {
        "id": question.id,
        "split": question.split,
        "subject": question.subject,
        "subject_zh": names.subject_zh(question.subject),
        "chapter": question.chapter,
        "chapter_zh": names.chapter_zh(question.subject, question.chapter),
        "concept_id": question.concept_id,
        "concept": question.concept,
        "kind": question.kind,
        "format": {"single": "SCQ", "multiple": "MAQ"}.get(question.form, "OPEN"),
        "question": question.stem,
        "choices": list(question.options),
        "answer": letters(question),
        "answer_index": list(question.key),
        "explanation": question.explanation,
        "canary": canary,
    }
