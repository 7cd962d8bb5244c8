"""Formulas as MathML, and nothing else as markup."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from psygen.formulas import formulas_as_html


@pytest.mark.parametrize(
    ("text", "part"),
    [
        (r"$\frac{1}{2}$", "<mfrac>"),
        (r"\(x^2\)", "<msup>"),
        (r"$$\bar{x}$$", 'display="block"'),
        ("$12.50$", '<math display="inline"><mrow><mn>12.50</mn></mrow></math>'),
        ("$x<y$", "<mo>&lt;</mo>"),
    ],
)
def test_a_formula_becomes_mathml(text: str, part: str) -> None:
    assert part in formulas_as_html(text)


@pytest.mark.parametrize(
    "text",
    [
        r"$\text{<script>alert(1)</script>}$",
        r"$\href{javascript:alert(1)}{x}$",
        r"$\style{background:url(//x)}{x}$",
        r"$\unknown{x}$",
        "$}{$",
        "价格 $5 与 $6 之间",
        "$ x $",
    ],
)
def test_what_is_no_safe_formula_stays_text(text: str) -> None:
    made = formulas_as_html(text)
    assert "<math" not in made
    assert made == text.replace("<", "&lt;").replace(">", "&gt;")


def test_line_breaks_are_kept() -> None:
    assert formulas_as_html("一\n二") == "一<br>\n二"


PIECES = [
    "$",
    "\\",
    "{",
    "}",
    "<",
    ">",
    "&",
    '"',
    "a",
    "^",
    "_",
    " ",
    "一",
    "\n",
    "\\text",
    "\\href",
    "<script>",
    "\\(",
]


@given(st.lists(st.sampled_from(PIECES), max_size=40).map("".join))
def test_no_text_makes_an_element_of_another_kind(text: str) -> None:
    made = formulas_as_html(text)
    assert "<script" not in made
    assert "href=" not in made
