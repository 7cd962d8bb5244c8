"""Options: numbers among them, references to one another, and the order they are shown in.

Keys shall stand evenly on A-D. So each item gets a place for its key from a seeded Latin square over units and items
(`key_place`), and its options move accordingly, together with the letters that mean options in the explanation. Numbers
are sorted instead. Options that speak of one another, and items whose letters are doubtful, stay as they are.
"""

import re
import unicodedata
from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

from psygen.ids import rng
from psygen.records.item import LETTERS
from psygen.text import match_key

_NUMBER = re.compile(r"^\$?\s*([-+−－]?)\s*(\d[\d,，]*(?:\.\d+)?|\.\d+)\s*(?:/\s*(\d+))?\s*\$?\s*([^\d\s]{0,8})$")
_COLLECTIVE = re.compile(
    r"(?:以上|上述)(?:各|几|三|四|选项|答案|说法|所有|任|都|均|皆|全|没有)|^(?:都|均|全部?)(?:是|对|不是|不对|正确|错误)$|全部(?:正确|错误)"
    r"|(?:all|none|any|both) of (?:the )?(?:above|these|them)",
    re.IGNORECASE,
)
_REFERS = re.compile(
    r"(?:选项|options?)\s*[A-D](?![A-Za-z0-9])|^(?:both\s+)?[A-D]\s*(?:[、,，和与及或]|and|or)\s*[A-D](?![A-Za-z0-9])",
    re.IGNORECASE,
)

_MATH = re.compile(r"\$\$.*?\$\$|\$[^$\n]*\$|\\\(.*?\\\)|\\\[.*?\\\]", re.DOTALL)
_LONE = re.compile(r"(?<![A-Za-z0-9_\\^Ａ-Ｚａ-ｚ])([A-DＡ-Ｄ])(?![A-Za-z0-9_'Ａ-Ｚａ-ｚ])")
_LIST = r"[A-DＡ-Ｄ](?:\s*(?:[、,，/和与及或]|and|or|, and|, or)\s*[A-DＡ-Ｄ])*"
_MEANS_OPTION = re.compile(
    rf"(?:选项|选择|应选|故选|所以选|因此选|可选|不选|误选|选|答案(?:是|为|应为|应是|选)?|选[项择]?[:：]|[Oo]ptions?|"
    rf"[Cc]hoices?|[Aa]nswers?(?: is)?)\s*[:：]?\s*[（(]?{_LIST}[）)]?"
    rf"|{_LIST}[）)]?\s*(?:两|三|四)?(?:个)?(?:选项|项)"
    rf"|(?<![一-鿿]){_LIST}\s*(?:两者|三者)?(?:均|都|皆)?(?:不)?(?:正确|错误|不对|错在|对|错|符合题意)"
    rf"|\b{_LIST}\s+(?:is|are|was|were)\s+(?:in)?(?:correct|wrong|right|true|false)"
    rf"|(?:^|[\n。；;])\s*[（(]?[A-DＡ-Ｄ][）)]?\s*[.．、:：](?!\d)",
    re.MULTILINE,
)
_MEANS_OTHER = re.compile(
    r"[A-DＡ-Ｄ]\s*(?:因素|型|组|班|校|君|同学|变量|水平|类|级|行为|簇|城|市|村|国|公司|车间|点|处|卷|式|法|药|方案|"
    r"阶段|类型|的主效应|的简单效应|的均方|的变异|人格|等|地|队|期|先生|女士|某|量表|测验|(?=[-－—–→>]))"
    r"|(?:因素|变量|条件|处理|实验|被试|小组|维生素|基线|甲|刺激|点|从|由|当|簇)\s*[A-DＡ-Ｄ]"
    r"|(?<=[-－—–→>])[A-DＡ-Ｄ]"
    # Initials of a name: 马斯洛（A. H. Maslow）, D. A. Norman.
    r"|(?<=[（(])[A-D]\.(?=\s*[A-Z])|(?<=[A-Z]\.)\s?[A-D]\.|(?<=& )[A-D]\."
)


_LETTER = re.compile(r"[A-Da-dＡ-Ｄａ-ｄ]")


class Arranged(NamedTuple):
    """Options and key as shown, and what was or could not be done."""

    options: tuple[str, ...]
    key: tuple[int, ...]
    explanation: str
    flag: str = ""
    """`order_kept` when the item had to stay as it was."""


def number_of(option: str) -> tuple[float, str] | None:
    """The number an option is and its unit; None when it is no plain number."""
    match = _NUMBER.match(unicodedata.normalize("NFKC", option).strip())
    if match is None:
        return None
    sign, digits, divisor, unit = match.groups()
    value = float(digits.replace(",", "").replace("，", ""))
    if divisor:
        if int(divisor) == 0:
            return None
        value /= int(divisor)
    return (-value if sign in "-−－" and sign else value), unit.rstrip("$。.").strip()


def are_numeric(options: Sequence[str]) -> bool:
    """All options are numbers of one unit."""
    units = set()
    for option in options:
        number = number_of(option)
        if number is None:
            return False
        units.add(number[1])
    return len(units) == 1


def refer_to_each_other(options: Sequence[str]) -> bool:
    """Some option speaks of others ("以上都对", "A和B", "选项C"), so their order has a meaning."""
    return any(_COLLECTIVE.search(o) or (_LETTER.search(o) and _REFERS.search(_nfkc(o))) for o in options)


def is_collective(option: str) -> bool:
    """ "All of the above" and its kin."""
    return _COLLECTIVE.search(option) is not None


def key_place(seed: int, group: str, turn: int, ordinal: int, options: int = 4) -> int:
    """Where the key of item number `ordinal` of unit number `turn` of a group (subject and type) shall stand.

    Units are taken `options` at a time, and items of a unit too: a seeded Latin square gives every place once to each
    unit's items and once to each unit's n-th items. So letters are even in a concept, in a chapter and in a kind, even
    where units are short, and an item's place depends on nothing that comes later.
    """
    shift, places = _block(seed, f"{group}/{turn // options}/{ordinal // options}", options)
    # 0, 2, 1, 3: with two questions a unit, two units already hold every place once.
    step = ordinal % options
    column = step if options != 4 else (0, 2, 1, 3)[step]
    return places[(turn + shift + column) % options]


@lru_cache(maxsize=256)
def _block(seed: int, purpose: str, size: int) -> tuple[int, list[int]]:
    """Where a block of units begins, and which places it goes through."""
    chance = rng(seed, f"key places/{purpose}")
    return chance.randrange(size), chance.sample(range(size), size)


def arrange(
    options: Sequence[str], key: Sequence[int], explanation: str, *, seed: int, purpose: str, place: int
) -> Arranged:
    """The options in the order they are shown: numbers ascending, others with the (single) key at `place`.

    seed, purpose: decide the order of the distractors.
    """
    kept = Arranged(tuple(options), tuple(key), explanation, "order_kept")
    if refer_to_each_other(options):
        return kept
    if are_numeric(options):
        order = sorted(range(len(options)), key=lambda n: (number_of(options[n]) or (0.0, ""))[0])
    elif len(key) == 1:
        order = [n for n in range(len(options)) if n != key[0]]
        # Sorted first, so that the order they came in leaves no trace.
        order.sort(key=lambda n: match_key(options[n]))
        rng(seed, f"distractors/{purpose}").shuffle(order)
        order.insert(min(place, len(order)), key[0])
    else:
        order = list(range(len(options)))
        rng(seed, f"options/{purpose}").shuffle(order)
    if order == list(range(len(options))):
        return kept._replace(flag="")
    told = relabel(explanation, order)
    if told is None:
        return kept
    where = {old: new for new, old in enumerate(order)}
    return Arranged(tuple(options[n] for n in order), tuple(sorted(where[k] for k in key)), told)


def relabel(explanation: str, order: Sequence[int]) -> str | None:
    """`explanation` with the letters that mean options moved along; None when a letter is in doubt.

    order: old position of each new one. Letters inside formulas, and those that name something else
    (A因素, A型行为, A-B-A设计), stay.
    """
    moved = {LETTERS[old]: LETTERS[new] for new, old in enumerate(order)}
    math = [m.span() for m in _MATH.finditer(explanation)]
    options = [m.span() for m in _MEANS_OPTION.finditer(explanation)]
    others = [m.span() for m in _MEANS_OTHER.finditer(explanation)]
    pieces: list[str] = []
    end = 0
    for match in _LONE.finditer(explanation):
        at = match.start()
        if _inside(at, math):
            continue
        is_option, is_other = _inside(at, options), _inside(at, others)
        if is_option == is_other:
            return None
        if is_option:
            plain = unicodedata.normalize("NFKC", match.group())
            new = moved.get(plain, plain)
            pieces += [explanation[end:at], new if match.group() == plain else chr(ord(new) + 0xFEE0)]
            end = match.end()
    return "".join(pieces) + explanation[end:]


def letters_meant(explanation: str) -> set[str]:
    """Letters that the explanation names as the right answer ("故选B", "答案为B")."""
    named = re.findall(
        r"(?:答案(?:是|为|应为|应是|选)?|故选|应选|因此选|所以选|[Cc]orrect answer is|[Aa]nswer(?: is)?)"
        r"\s*[:：]?\s*[（(]?([A-DＡ-Ｄ])(?![A-Za-zＡ-Ｚ])",
        explanation,
    )
    return {unicodedata.normalize("NFKC", n) for n in named}


def _nfkc(text: str) -> str:
    return unicodedata.normalize("NFKC", text)


def _inside(at: int, spans: Sequence[tuple[int, int]]) -> bool:
    return any(start <= at < end for start, end in spans)
