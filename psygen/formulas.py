"""Text from outside as HTML that is text: escaped, what cannot be seen made visible, formulas as MathML.

The one place where markup is made by hand, for the review page and for printed papers. latex2mathml's output is not
trusted (it copies what stands in \\text, \\href and \\style): it is parsed, and written anew from what is known to be
harmless.
"""

import re
from functools import lru_cache
from xml.etree.ElementTree import Element, ParseError

from defusedxml import DefusedXmlException
from defusedxml.ElementTree import fromstring
from latex2mathml.converter import convert
from markupsafe import Markup, escape

from psygen.text import cjk_share

_FORMULA = re.compile(
    r"\$\$(?P<block>.+?)\$\$"
    r"|\\\[(?P<bracket>.+?)\\\]"
    r"|\\\((?P<round>.+?)\\\)"
    # As in pandoc: no blank inside the dollars, no digit after the second, so that "$5 和 $10" are prices.
    r"|(?<![\\$])\$(?P<dollar>(?=[^\s$])[^$\n]*?(?<=[^\s\\$]))\$(?!\d)",
    re.DOTALL,
)
_HIDDEN = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u00ad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufe00-\ufe0f\ufeff"
    "\ufff9-\ufffb\U000e0000-\U000e007f\ud800-\udfff]"
)
_MACROS = re.compile(r"\\((re)?newcommand|def|let|phantom|[hv]phantom|includegraphics|href|url)\b")
"""Macros can grow without end, phantoms hide what they hold, and links have no place in a question."""
MOST_CHARS = 1000
"""A longer formula is shown as its source."""

_MATHML = "{http://www.w3.org/1998/Math/MathML}"
_ELEMENTS = frozenset(
    "math mrow mi mn mo mtext mspace mfrac msqrt mroot mstyle msub msup msubsup munder mover munderover mmultiscripts "
    "mprescripts none mtable mtr mtd mpadded menclose".split()
)
_WORD = re.compile(r"[A-Za-z][A-Za-z -]{0,60}")
_LENGTH = re.compile(r"[0-4](\.[0-9]{1,5})?(em|ex)|[0-9]{1,2}(\.[0-9]{1,5})?(px|pt)|0")
_NUMBER = re.compile(r"[+-]?[0-9]")
_ATTRIBUTES = {
    **dict.fromkeys(
        "display mathvariant stretchy fence separator form accent accentunder largeop movablelimits symmetric "
        "displaystyle columnalign rowalign columnlines rowlines frame notation".split(),
        _WORD,
    ),
    **dict.fromkeys("width lspace rspace minsize maxsize linethickness columnspacing rowspacing".split(), _LENGTH),
    "scriptlevel": _NUMBER,
}
"""What an attribute's whole value must look like. No colour, no place, no class: nothing can be hidden or moved."""


def show(text: str) -> Markup:
    """`text` as HTML: formulas between $…$, \\(…\\), $$…$$, \\[…\\] as MathML, all else escaped and visible."""
    pieces, end = [], 0
    for found in _FORMULA.finditer(text):
        source = next(part for part in found.groups() if part is not None)
        is_block = found["block"] is not None or found["bracket"] is not None
        formula = None if found["dollar"] is not None and cjk_share(source) else mathml(source, is_block=is_block)
        if formula is not None:
            pieces += [plain(text[end : found.start()]), formula]
            end = found.end()
    return Markup("").join([*pieces, plain(text[end:])])


def lines(text: str) -> Markup:
    """As `show`, with line breaks kept."""
    return show(text).replace("\n", Markup("<br>\n"))


def plain(text: str) -> Markup:
    """`text` escaped; control, zero-width and direction-changing characters stand as <U+202E>."""
    pieces, end = [], 0
    text = text.replace("\r\n", "\n")
    for found in _HIDDEN.finditer(text):
        pieces += [escape(text[end : found.start()]), _mark(found.group())]
        end = found.end()
    return Markup("").join([*pieces, escape(text[end:])])


def has_hidden(text: str) -> bool:
    """Whether `text` holds characters that cannot be seen."""
    return _HIDDEN.search(text.replace("\r\n", "\n")) is not None


def _mark(character: str) -> Markup:
    return Markup('<span class="hidden-character">&lt;U+{:04X}&gt;</span>').format(ord(character))


@lru_cache(maxsize=4096)
def mathml(latex: str, *, is_block: bool = False) -> Markup | None:
    """A formula as MathML of harmless elements only; None when it is too long, faulty, or wants anything else."""
    if len(latex) > MOST_CHARS or _MACROS.search(latex):
        return None
    try:
        root = fromstring(convert(latex, display="block" if is_block else "inline"), forbid_dtd=True)
    except (ParseError, DefusedXmlException):
        return None
    except Exception:  # noqa: BLE001  (the converter raises whatever it stumbles over; the source is shown then)
        return None
    return _written(root)


def _written(element: Element) -> Markup | None:
    """The element and all within it, written anew; None when one of them is not allowed."""
    name = element.tag.removeprefix(_MATHML)
    # A backslash is a command the converter does not know.
    if name not in _ELEMENTS or "\\" in (element.text or ""):
        return None
    inside = [plain(element.text or "")]
    for child in element:
        written = _written(child)
        if written is None:
            return None
        inside += [written, plain(child.tail or "")]
    attributes = Markup("").join(
        Markup(' {}="{}"').format(key, value)
        for key, value in element.attrib.items()
        if key in _ATTRIBUTES and _ATTRIBUTES[key].fullmatch(value)
    )
    return Markup("<{0}{1}>{2}</{0}>").format(name, attributes, Markup("").join(inside))
