"""A syllabus: subjects, chapters, and the concepts an examination requires."""

from collections.abc import Iterable, Iterator, Mapping
from functools import cached_property
from typing import Annotated, Literal, get_args

from pydantic import AfterValidator, BaseModel, ConfigDict, Field

from psygen.ids import content_hash

PromptType = Literal["theory", "case_study", "calculation", "mixed"]
PROMPT_TYPES: tuple[PromptType, ...] = get_args(PromptType)


class Record(BaseModel):
    """A value that cannot be wrong and cannot change."""

    model_config = ConfigDict(frozen=True, extra="forbid", hide_input_in_errors=True)


class Chapter(Record):
    """A chapter of a subject, in the textbook's order."""

    slug: str = Field(pattern=r"^[a-z0-9]+(-[a-z0-9]+)*$")
    zh: str = Field(min_length=1)
    en: str = Field(min_length=1)
    concepts: int = Field(ge=0)
    """How many concepts the syllabus requires here."""


def _chapters_differ(chapters: tuple[Chapter, ...]) -> tuple[Chapter, ...]:
    slugs = [c.slug for c in chapters]
    if twice := {s for s in slugs if slugs.count(s) > 1}:
        raise ValueError(f"chapter slug used twice: {', '.join(sorted(twice))}")
    return chapters


class Subject(Record):
    """A subject of the examination; every name in it may be typed by a user."""

    slug: str = Field(pattern=r"^[a-z0-9]+(-[a-z0-9]+)*$")
    prefix: str = Field(pattern=r"^[a-z]{2,8}$")
    """What the ids of its concepts begin with."""
    zh: str = Field(min_length=1)
    en: str = Field(min_length=1)
    aliases: tuple[str, ...] = ()
    chapters: Annotated[tuple[Chapter, ...], AfterValidator(_chapters_differ)] = Field(min_length=1)

    @property
    def required(self) -> int:
        """How many concepts the syllabus requires."""
        return sum(c.concepts for c in self.chapters)

    def chapter(self, slug: str) -> Chapter:
        """The chapter with that slug. Raises KeyError."""
        for chapter in self.chapters:
            if chapter.slug == slug:
                return chapter
        raise KeyError(slug)


class Description(Record):
    """One description of a concept and the kinds of question it serves."""

    text: str = Field(min_length=1)
    prompt_types: tuple[PromptType, ...] = Field(min_length=1)


class Concept(Record):
    """A unit of knowledge that the examination requires, with its place and its descriptions."""

    id: str
    subject: str
    chapter: str
    heading: str = ""
    subheading: str = ""
    concept: str
    concept_en: str = ""
    descriptions: tuple[Description, ...] = Field(min_length=1)
    """In the order of the file."""
    kind: str = ""
    """What sort of thing the term names (theory, disorder, statistic …): distractors are of the same kind."""
    synonyms: tuple[str, ...] = ()
    """Other names of the same thing: never distractors, and masked together with the term."""
    overlaps: tuple[str, ...] = ()
    """Ids of concepts that would also be a defensible answer: never distractors."""

    @cached_property
    def prompt_types(self) -> tuple[PromptType, ...]:
        """Every assigned type, the primary one first, each once."""
        return tuple(dict.fromkeys(t for d in self.descriptions for t in d.prompt_types))

    @property
    def primary(self) -> PromptType:
        """The first type of the first row: what the examination would ask."""
        return self.prompt_types[0]

    def descriptions_for(self, prompt_type: PromptType) -> tuple[str, ...]:
        """The texts a request of that type carries: those naming it; all of them for `mixed`."""
        return tuple(d.text for d in self.descriptions if prompt_type == "mixed" or prompt_type in d.prompt_types)

    @cached_property
    def content(self) -> str:
        """Hash of everything here except the order of the rows: the version of this concept's text."""
        fields = self.model_dump(mode="json", exclude={"descriptions"})
        rows = sorted((d.text, sorted(d.prompt_types)) for d in self.descriptions)
        return content_hash([fields, rows])

    def asked_content(self, prompt_type: PromptType) -> str:
        """Hash of what a request of that type is built from: place, names, descriptions.

        The order of rows does not count, so a re-sorted file is no new work.
        """
        place = [self.subject, self.chapter, self.heading, self.subheading, self.concept, self.concept_en]
        return content_hash([place, sorted(self.descriptions_for(prompt_type))])


class Bank:
    """Subjects and their concepts, both in the textbook's order."""

    def __init__(self, subjects: Iterable[Subject], concepts: Iterable[Concept]) -> None:
        self.subjects: tuple[Subject, ...] = tuple(subjects)
        order = {s.slug: n for n, s in enumerate(self.subjects)}
        chapter_order = {(s.slug, c.slug): n for s in self.subjects for n, c in enumerate(s.chapters)}
        # Within a chapter the file's own order stays (sorted is stable).
        self.concepts: tuple[Concept, ...] = tuple(
            sorted(concepts, key=lambda c: (order[c.subject], chapter_order[c.subject, c.chapter]))
        )

    def __len__(self) -> int:
        return len(self.concepts)

    def __iter__(self) -> Iterator[Concept]:
        return iter(self.concepts)

    @cached_property
    def by_id(self) -> Mapping[str, Concept]:
        """Concepts by their id."""
        return {c.id: c for c in self.concepts}

    @cached_property
    def rank(self) -> Mapping[str, int]:
        """Each concept's place in bank order, from 0."""
        return {c.id: n for n, c in enumerate(self.concepts)}

    def counts(self) -> dict[str, dict[str, int]]:
        """Concepts per subject and chapter, in bank order."""
        found: dict[str, dict[str, int]] = {}
        for concept in self.concepts:
            chapters = found.setdefault(concept.subject, {})
            chapters[concept.chapter] = chapters.get(concept.chapter, 0) + 1
        return found

    def subject(self, slug: str) -> Subject:
        """The subject with that slug. Raises KeyError."""
        for subject in self.subjects:
            if subject.slug == slug:
                return subject
        raise KeyError(slug)
