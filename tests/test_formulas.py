"""Formulas as MathML, and nothing else as markup."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from psygen.formulas import lines, mathml, plain, show
from tests.web.table import Parts

MATH = frozenset("math mrow mi mn mo mtext mspace mfrac msqrt mroot mstyle msub msup msubsup munder mover".split())


@pytest.mark.parametrize("text", [r"均值$\bar{x}$是", r"均值\(\bar{x}\)是", r"均值$$\bar{x}$$是", r"均值\[\bar{x}\]是"])
def test_formulas_become_mathml_and_their_neighbours_stay(text: str) -> None:
    shown = show(text)
    assert shown.startswith("均值<math")
    assert shown.endswith("</math>是")
    assert "<mover>" in shown


@pytest.mark.parametrize(
    "text", ["花费$5，得到$10", "一个$符号", r"写作\$x\$", "$ x $", r"$\frac{$", "$平均数$", "$x$5"]
)
def test_what_is_no_formula_stays_text(text: str) -> None:
    assert show(text) == plain(text)


@pytest.mark.parametrize(
    "latex",
    [
        r"\text{<script>alert(1)</script>}",
        r"\text{<b>x</b>}",
        r"\text{&amp;<!--}",
        r"\href{javascript:alert(1)}{x}",
        r"\unknown{x}",
        r"\phantom{x}",
        r"\newcommand{\a}{\b\b}\a",
        "x" * 1001,
        "{" * 900 + "}" * 900,
    ],
)
def test_a_formula_that_wants_more_than_letters_and_signs_is_shown_as_its_source(latex: str) -> None:
    assert mathml(latex) is None


def test_what_moves_or_hides_is_left_out() -> None:
    shown = mathml(r"\style{position:fixed}{x}\class{a}{y}\color{white}{z}\hspace{99em}w")
    assert shown is not None
    assert {name for _, found in Parts(shown).elements for name in found} == {"display"}


def test_a_number_is_one_number_and_a_sign_is_no_tag() -> None:
    assert "<mn>12.50</mn>" in show("$12.50$")
    assert "<mo>&lt;</mo>" in show("$x<y$")


def test_line_breaks_are_kept() -> None:
    assert lines("一\n二") == "一<br>\n二"


def test_what_cannot_be_seen_is_shown() -> None:
    assert Parts(plain("a\u202eb\u200bc\x1bd")).text == "a<U+202E>b<U+200B>c<U+001B>d"
    assert Parts(show("$x\u202ey$")).text == "x<U+202E>y"


@given(st.text(alphabet=st.sampled_from("ab甲<>&\"'$\\{}()[]^_ \n\u202e\x00"), max_size=60))
def test_no_text_becomes_markup_of_its_own(text: str) -> None:
    for tag, attributes in Parts(show(text)).elements:
        assert tag in MATH or (tag, attributes) == ("span", {"class": "hidden-character"})
