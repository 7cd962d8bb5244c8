"""Laws of form that every calculation family keeps, whatever its topic."""

import re

import pytest

from psygen.engines.offline import calculation
from psygen.engines.offline.problem import Family
from tests.engines.offline.descriptive_checks import draw

TOPICS = calculation._all_families()
FAMILIES = {family.__name__: family for families in TOPICS.values() for family in families}
HALF_WIDTH = re.compile(r"[一-鿿“”）][,;:!?]|[,;:!?][一-鿿“（]")


def outside_formulas(text: str) -> str:
    return re.sub(r"\$[^$]*\$", "式", text)


def test_no_two_families_share_a_name() -> None:
    assert len(FAMILIES) == sum(map(len, TOPICS.values()))


@pytest.mark.parametrize("slug", TOPICS)
def test_each_concept_asks_in_all_four_ways(slug: str) -> None:
    kinds = {problem.asks for family in TOPICS[slug] for seed in range(3) if (problem := draw(family, seed, 1))}
    assert len(TOPICS[slug]) >= 4
    assert kinds == {"find", "missing", "decide", "compare"}


@pytest.mark.parametrize("family", FAMILIES.values(), ids=FAMILIES)
def test_texts_are_clean_chinese_with_whole_formulas(family: Family) -> None:
    for seed in range(4):
        problem = draw(family, seed, seed)
        if problem is None:
            continue
        for text in (problem.stem, *problem.choice.options, problem.steps, problem.choice.notes):
            assert text.count("$") % 2 == 0, text
            assert not HALF_WIDTH.search(outside_formulas(text)), text
            assert not re.search(r"[，。；：、]{2}|的的结果|nan|inf\b|\de[+-]\d", outside_formulas(text)), text
        lengths = [len(option) for option in problem.choice.options]
        assert problem.choice.is_ordered or max(lengths) <= 1.5 * min(lengths), problem.choice.options
