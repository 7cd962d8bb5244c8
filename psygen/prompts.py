"""Templates in prompts/ become messages. Concept text is data: it reaches a template only as a value.

A template `generate/{type}.{lang}.j2` writes the system message, then `{{ end_of_system }}`, then the user message.
Jinja runs sandboxed and strict: an unknown variable is an error with file and line, found before anything is asked.
"""

import re
from collections.abc import Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import NamedTuple

from jinja2 import (
    FileSystemLoader,
    StrictUndefined,
    Template,
    TemplateError,
    TemplateNotFound,
    TemplateSyntaxError,
    nodes,
)
from jinja2.meta import find_referenced_templates
from jinja2.sandbox import ImmutableSandboxedEnvironment

from psygen.errors import TemplateFault
from psygen.ids import content_hash
from psygen.records.concept import PROMPT_TYPES, Concept, PromptType, Subject
from psygen.records.exchange import Message

LANGS = ("zh", "en")
MAX_CHARACTERS = 400_000
"""A prompt longer than this is a mistake in a template, not a prompt."""

_BOUNDARY = "\x1e"
_VARIABLES = frozenset(
    "subject_zh subject_en chapter_zh chapter_en headings concept concept_en "
    "descriptions questions held end_of_system".split()
)
_MARKER = re.compile(r"[<＜](?=\s*/?\s*(?:knowledge_point|held_questions)\b)", re.IGNORECASE)


class Source(NamedTuple):
    """Where a template was found and what it says, line ends and BOM evened out."""

    path: Path
    text: str


class Prompts:
    """The templates of a workspace: the user's own folder first, then the packaged one, file by file."""

    def __init__(self, folders: Sequence[Path]) -> None:
        self.folders = tuple(folders)
        self._fingerprints: dict[str, str] = {}

    @cached_property
    def _environment(self) -> ImmutableSandboxedEnvironment:
        return ImmutableSandboxedEnvironment(
            loader=FileSystemLoader(self.folders, encoding="utf-8-sig"),
            undefined=StrictUndefined,
            trim_blocks=True,
            lstrip_blocks=True,
        )

    def fingerprint(self, prompt_type: PromptType, lang: str) -> str:
        """Hash of the template and of everything it extends or includes."""
        name = template_name(prompt_type, lang)
        if name not in self._fingerprints:
            self._fingerprints[name] = content_hash(sorted((n, s.text) for n, s in self._closure(name).items()))
        return self._fingerprints[name]

    def sources(self, prompt_type: PromptType, lang: str) -> dict[str, str]:
        """The text of the template and of everything it extends or includes, by name."""
        return {n: s.text for n, s in self._closure(template_name(prompt_type, lang)).items()}

    def render(
        self,
        concept: Concept,
        subject: Subject,
        prompt_type: PromptType,
        *,
        lang: str = "zh",
        questions: int = 4,
        held: Sequence[str] = (),
    ) -> tuple[Message, ...]:
        """The messages that ask for `questions` questions of that type.

        held: stems already there, which the new questions must not repeat.
        Raises TemplateFault, naming file and line.
        """
        chapter = subject.chapter(concept.chapter)
        values: dict[str, object] = {
            "subject_zh": subject.zh,
            "subject_en": subject.en,
            "chapter_zh": chapter.zh,
            "chapter_en": chapter.en,
            "headings": [_data(h) for h in (concept.heading, concept.subheading) if h],
            "concept": _data(concept.concept),
            "concept_en": _data(concept.concept_en),
            "descriptions": [_data(d) for d in concept.descriptions_for(prompt_type)],
            "questions": questions,
            "held": [_data(stem) for stem in held],
        }
        return self._render(template_name(prompt_type, lang), values)

    def check(self, langs: Sequence[str] = LANGS) -> None:
        """Try every template of generate/ on made-up data. Raises TemplateFault for the first that fails."""
        sample: dict[str, object] = dict.fromkeys(_VARIABLES, "x")
        sample |= {"headings": ["x"], "descriptions": ["x", "y"], "questions": 4, "held": ["x"]}
        for lang in langs:
            for prompt_type in PROMPT_TYPES:
                name = template_name(prompt_type, lang)
                for part, source in self._closure(name).items():
                    self._check_names(part, source)
                for held in (["x"], []):
                    self._render(name, {**sample, "held": held})

    def _render(self, name: str, values: Mapping[str, object]) -> tuple[Message, ...]:
        template = self._template(name)
        try:
            text = template.render({**values, "end_of_system": _BOUNDARY})
        except TemplateNotFound as error:
            raise _missing(str(error.name or name), self.folders) from error
        except TemplateSyntaxError as error:
            raise _syntax(error, name) from error
        except (TemplateError, ArithmeticError, LookupError, TypeError, ValueError) as error:
            raise TemplateFault(f"{_place(error, template)}: {error}.") from error
        if len(text) > MAX_CHARACTERS:
            raise TemplateFault(f"{template.filename}: renders to over {MAX_CHARACTERS:,} characters; shorten it.")
        system, _, user = (part.strip() for part in re.sub(r"\n{3,}", "\n\n", text).rpartition(_BOUNDARY))
        if not user:
            raise TemplateFault(f"{template.filename}: asks nothing; write the request after end_of_system.")
        return (Message("system", system), Message("user", user)) if system else (Message("user", user),)

    def _template(self, name: str) -> Template:
        try:
            return self._environment.get_template(name)
        except TemplateNotFound as error:
            raise _missing(str(error.name or name), self.folders) from error
        except TemplateSyntaxError as error:
            raise _syntax(error, name) from error

    def _closure(self, name: str) -> dict[str, Source]:
        found: dict[str, Source] = {}
        waiting = [name]
        while waiting:
            part = waiting.pop()
            if part in found:
                continue
            found[part] = source = self._read(part)
            waiting += [n for n in find_referenced_templates(self._parse(source)) if n]
        return found

    def _read(self, name: str) -> Source:
        for folder in self.folders:
            path = folder / name
            if path.is_file():
                try:
                    return Source(path, path.read_text(encoding="utf-8-sig").replace("\r\n", "\n"))
                except (OSError, UnicodeDecodeError) as error:
                    raise TemplateFault(f"{path}: cannot be read as UTF-8 text: {error}.") from error
        raise _missing(name, self.folders)

    def _parse(self, source: Source) -> nodes.Template:
        try:
            return self._environment.parse(source.text, filename=str(source.path))
        except TemplateSyntaxError as error:
            raise _syntax(error, str(source.path)) from error

    def _check_names(self, name: str, source: Source) -> None:
        tree = self._parse(source)
        stored = {n.name for n in tree.find_all(nodes.Name) if n.ctx != "load"} | {"loop", "self", "super"}
        for node in tree.find_all(nodes.Name):
            if node.ctx == "load" and node.name not in _VARIABLES | stored | set(self._environment.globals):
                raise TemplateFault(
                    f"{source.path} line {node.lineno}: unknown variable {node.name}; "
                    f"there are {', '.join(sorted(_VARIABLES))}."
                )


def template_name(prompt_type: PromptType, lang: str) -> str:
    """Path of a template inside prompts/."""
    return f"generate/{prompt_type}.{lang}.j2"


def _data(text: str) -> str:
    """`text` in which our own markers are no markers."""
    return _MARKER.sub("&lt;", text.replace(_BOUNDARY, ""))


def _syntax(error: TemplateSyntaxError, name: str) -> TemplateFault:
    return TemplateFault(f"{error.filename or name} line {error.lineno}: {error.message}.")


def _missing(name: str, folders: Sequence[Path]) -> TemplateFault:
    places = " or ".join(str(f) for f in folders)
    return TemplateFault(f"Template {name} is missing in {places}; copy it from the packaged ones with: psygen init.")


def _place(error: BaseException, template: Template) -> str:
    """File and line of the innermost template frame of an error."""
    place = str(template.filename)
    traceback = error.__traceback__
    while traceback is not None:
        file = traceback.tb_frame.f_code.co_filename
        if file.endswith(".j2"):
            place = f"{file} line {traceback.tb_lineno}"
        traceback = traceback.tb_next
    return place
