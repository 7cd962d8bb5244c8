"""Whether a text reads as finished: its last sign, and everything opened in it closed."""

import re

_FINAL = frozenset("。！？.!?…」”』\"'）)】]$|")
_PAIRS = (("（", "）"), ("【", "】"), ("“", "”"), ("「", "」"), ("《", "》"))
_BARE_NUMBER = re.compile(r"(?:^|\n)[ \t]*[(（]?\d{1,3}[.)]$|(?:[\u4e00-\u9fff]|[=≈<>])\s?\d{1,4}\.$|(?<![\d.])0\.$")
_DOLLAR = re.compile(r"(?<!\\)\$")


def is_finished(text: str) -> bool:
    """`text` ends with a final sign, and no formula, bracket, quotation or emphasis is left open.

    A number before a point may be the head of the next line of a list, or half a decimal: not finished.
    """
    text = text.rstrip()
    ending = text.rstrip("*`_ \n")
    if not ending or ending[-1] not in _FINAL or "\n" in text[len(ending) :] or _BARE_NUMBER.search(ending[-40:]):
        return False
    if len(_DOLLAR.findall(text)) % 2 or text.count("**") % 2:
        return False
    if text.count("\\(") > text.count("\\)") or text.count("\\[") > text.count("\\]"):
        return False
    return all(text.count(a) <= text.count(b) for a, b in _PAIRS)
