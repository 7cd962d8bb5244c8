"""What a description says, taken apart: the defining sentence, who proposed it, the situation and its analysis."""

import re
from typing import NamedTuple

from psygen.records.concept import Concept

_PAREN = r"(?:（[^（）]{0,60}）)?"
_PERSON = re.compile(
    r"([一-鿿]{1,6}(?:·[一-鿿]{1,6})*)（((?:[A-Z]\.\s?)+[A-Z][A-Za-z\-’']+(?:\s[A-Z][a-z]+)?)(?:，[^（）]*)?）"
)
_PROPOSED = re.compile(r"(?<!未)(?:首先|最早|首次|率先|正式|系统|明确)?(?:提出|创立|首创|开创|创建|提出了|命名)")
_NOT_NAME = re.compile(
    r"^(?:由|和|与|及|而|后|经|据|按|以|对|在|是|其|后来|此后|美国|英国|德国|法国|奥地利|瑞士|苏联|俄国|加拿大)+"
)


class Definition(NamedTuple):
    """`term` + `copula` + `predicate` + 。 is the first sentence of a description."""

    term: str
    copula: str
    predicate: str


class Situation(NamedTuple):
    """A case from the bank and the analysis that names the concept."""

    scene: str
    analysis: str


class Person(NamedTuple):
    """A scholar as the text names them: 费斯廷格（L. Festinger）."""

    zh: str
    original: str

    def __str__(self) -> str:
        return f"{self.zh}（{self.original}）"


def definition_of(concept: Concept, text: str) -> Definition | None:
    """The defining sentence of a description that begins with the concept's term; None when there is none."""
    for term in sorted({concept.concept, *concept.synonyms}, key=len, reverse=True):
        match = re.match(
            rf"{re.escape(term)}{_PAREN}(，?(?:又称|也称|亦称|简称)[^，。]{{1,20}}，)?(是指|是|指)([^。]+)。", text
        )
        if match and len(match.group(3)) >= 12:
            return Definition(concept.concept, match.group(2), match.group(3).strip())
    return None


def definitions_of(concept: Concept) -> list[Definition]:
    """The defining sentences of all theory descriptions, in order."""
    found = (definition_of(concept, d.text) for d in concept.descriptions if "theory" in d.prompt_types)
    return [d for d in found if d is not None]


def situations_of(concept: Concept) -> list[Situation]:
    """Every `情境：… 分析：…` of the bank for this concept whose scene does not name it."""
    found = []
    for description in concept.descriptions:
        match = re.match(r"\s*情境[：:]\s*(.+?)\s*分析[：:]\s*(.+)$", description.text, re.DOTALL)
        if match and not any(name in match.group(1) for name in (concept.concept, *concept.synonyms) if len(name) > 1):
            found.append(Situation(match.group(1), match.group(2)))
    return found


def persons_in(text: str) -> list[Person]:
    """Scholars named with their original name, in order, each once."""
    found: dict[str, Person] = {}
    for match in _PERSON.finditer(text):
        name = _NOT_NAME.sub("", match.group(1))
        if 2 <= len(name) <= 8:
            found.setdefault(match.group(2), Person(name, match.group(2)))
    return list(found.values())


def proposer_of(concept: Concept) -> Person | None:
    """The one scholar a theory description says proposed the concept; None when it names none or several.

    Only a sentence that says it (提出, 创立 …) of a single person counts.
    """
    for description in concept.descriptions:
        if "theory" not in description.prompt_types:
            continue
        for sentence in re.split(r"[。；]", description.text):
            found = _PROPOSED.search(sentence)
            persons = persons_in(sentence)
            if (
                found
                and len(persons) == 1
                and sentence.find(persons[0].original) < found.start()
                and _is_plain(sentence[: found.start()])
            ):
                return persons[0]
    return None


def _is_plain(before: str) -> bool:
    """One proposer, nobody beside them ("等", "与", "和" between names), nothing denied."""
    return not re.search(r"）(?:等|和|与|及|、)|(?:和|与|及|、)[一-鿿]{2,6}（|并非|不是|修正|批评|反对|发展", before)
