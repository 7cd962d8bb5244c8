"""Text with formulas as HTML: `$…$` becomes MathML where it can, and stays as it was written where it cannot.

MathML needs no script and no font of ours, prints well, and every present browser shows it. What the converter makes is
not trusted (it passes `\\text{<script>}` and `\\href` through): it is taken apart, and only elements and attributes of
presentation MathML named here are written again.
"""

import re
from functools import lru_cache
from html import escape
from xml.etree.ElementTree import Element

from defusedxml import ElementTree

# As pandoc has it: no blank inside the dollars, no digit after them, so that "$5 and $6" is money and no formula.
_FORMULA = re.compile(
    r"\$\$(?P<display>[^$]+)\$\$|\$(?!\s)(?P<inline>[^$\n]+?)(?<!\s)\$(?!\d)"
    r"|\\\[(?P<block>.+?)\\\]|\\\((?P<round>.+?)\\\)",
    re.DOTALL,
)
_NUMBER = re.compile(r"\d+(?:\.\d+)?")
_LONGEST = 2000
"""Characters of a formula; a longer one stays text."""
_NAMESPACE = "{http://www.w3.org/1998/Math/MathML}"
_ELEMENTS = frozenset(
    "math mrow mi mn mo mtext mfrac msqrt mroot msup msub msubsup mover munder munderover mtable mtr mtd mspace mstyle "
    "menclose mpadded mphantom".split()
)
_ATTRIBUTES = frozenset(
    "display stretchy fence form separator columnalign columnlines columnspacing rowspacing rowlines displaystyle "
    "scriptlevel mathvariant mathcolor linethickness lspace rspace width height depth minsize maxsize accent "
    "accentunder movablelimits largeop symmetric notation linebreak".split()
)
_VALUE = re.compile(r"[\w .%+#-]*")


def formulas_as_html(text: str) -> str:
    """`text` as HTML: formulas as MathML, line breaks as `<br>`, everything else escaped."""
    parts, end = [], 0
    for match in _FORMULA.finditer(text):
        source = next(group for group in match.groups() if group is not None)
        is_block = match["display"] is not None or match["block"] is not None
        made = _mathml(source, is_block)
        if made:
            parts += [_plain(text[end : match.start()]), made]
            end = match.end()
    return "".join([*parts, _plain(text[end:])])


def _plain(text: str) -> str:
    return escape(text).replace("\r\n", "\n").replace("\n", "<br>\n")


@lru_cache(maxsize=8192)
def _mathml(source: str, is_block: bool) -> str:
    """The formula as MathML; empty when it cannot be converted, or holds what does not belong there."""
    from latex2mathml.converter import convert

    if len(source) > _LONGEST:
        return ""
    if _NUMBER.fullmatch(source) and not is_block:
        # What the converter makes of it, at a hundredth of the time: most formulas of options are plain numbers.
        return f'<math display="inline"><mrow><mn>{source}</mn></mrow></math>'
    try:
        tree = ElementTree.fromstring(convert(source, display="block" if is_block else "inline"))
        return _written(tree)
    except Exception:  # noqa: BLE001  (for bad TeX the converter raises IndexError, KeyError, ValueError and more)
        return ""


class _Foreign(Exception):
    """Something that is no presentation MathML."""


def _written(element: Element) -> str:
    """An element with its children, written anew. Raises _Foreign."""
    name = element.tag.removeprefix(_NAMESPACE)
    if name not in _ELEMENTS or any(a not in _ATTRIBUTES or not _VALUE.fullmatch(v) for a, v in element.items()):
        raise _Foreign
    text = element.text or ""
    if name == "mi" and text.startswith("\\"):
        # A command the converter does not know: better seen as it was written.
        raise _Foreign
    attributes = "".join(f' {a}="{escape(v)}"' for a, v in element.items())
    inside = escape(text) + "".join(_written(child) + escape(child.tail or "") for child in element)
    return f"<{name}{attributes}>{inside}</{name}>"
