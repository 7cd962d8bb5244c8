"""Lines of free text that say what follows: a number, an answer, an explanation, a case, a heading, a rule."""

import re
from typing import Literal, NamedTuple

from psygen.replies.page import BLOT, Page

Kind = Literal[
    "number", "answer", "both", "explanation", "aside", "case", "reading", "stem", "options", "meta", "heading",
    "rule", "closing", "fence",
]  # fmt: skip
"""`both` is "答案与解析"; `aside` may open an explanation (分析：) or be part of one; `reading` is "阅读以下案例"."""

# Everything here runs over a model's text, so every repetition is possessive or bounded: no pattern backtracks.
_S = r"[ \t]*+"
_STARS = r"(?:\*{1,3}+)?+"
_SIGNS = "✅✔☑✓📌📝💡🔑👉➡★☆※■▶◆🎯📖"
_LEAD = rf"[ \t>]*+(?:[-+•●▪◆]{_S}(?=\S)|\*[ \t]++)?+(?:\#{{1,6}}{_S})?+(?:[{_SIGNS}]\ufe0f?{_S})?+{_STARS}{_S}[【\[(《<「]?+{_S}{_STARS}"
_TAIL = rf"{_S}(?P<stars>{_STARS}){_S}(?P<close>[】\])》>」]?+){_S}(?P<stars2>{_STARS}){_S}(?P<colon>[:.、]?+){_S}{_STARS}{_S}"
_HAN = "一二三四五六七八九十"
_N = rf"(?:\d{{1,3}}+|[{_HAN}]{{1,3}}+)"

_ANSWER = re.compile(
    rf"{_LEAD}(?P<word>(?:本题|该题)?(?:的)?(?:正确|参考|标准|最佳)?(?:答案|选项)(?P<both>(?:与|及|和|、|&|/){_S}解析)?|"
    rf"(?:the[ ])?(?:correct[ ]|right[ ]|best[ ])?(?:answer|option)(?:[ ]key)?|ans|key)"
    rf"{_S}(?P<verb>是|为|应为|应选|应该选|选|is\b)?{_TAIL}",
    re.IGNORECASE,
)
_EXPLANATION = re.compile(
    rf"{_LEAD}(?P<word>(?:答案|试题|题目|本题|详细|参考)?(?:解析|详解)|解题(?:思路|过程)|(?:detailed[ ])?explanations?|rationale)"
    rf"{_TAIL}",
    re.IGNORECASE,
)
_ASIDE = re.compile(
    rf"{_LEAD}(?P<word>(?:答案|选项|题目)?(?:分析|解释|说明)|理由|点评|思路|解答|reason(?:ing)?|analysis|why|justification){_TAIL}",
    re.IGNORECASE,
)
_CASE = re.compile(
    rf"{_LEAD}(?P<word>(?:背景|案例|共用)?(?:案例|情境|情景|材料|背景|题干材料|个案)(?:描述|背景|材料|资料)?|共用题干|"
    rf"case(?:[ ]study|[ ]description)?|scenario|vignette|background|passage){_S}(?:{_N}|[A-F](?![A-Za-z]))?+{_TAIL}",
    re.IGNORECASE,
)
_READING = re.compile(
    rf"{_LEAD}(?:(?:请)?(?:阅读|根据|依据|结合|分析)(?:以下|下列|下面|下述)|\d{{1,3}}{_S}[-~—–至到]{_S}\d{{1,3}}{_S}题?(?:共用|基于|根据)|"
    r"(?:read|use|consider|refer to)[ ]the[ ](?:following|passage|case|scenario))",
    re.IGNORECASE,
)
_READ_NOUN = re.compile(r"案例|材料|资料|情境|情景|个案|题干|case|scenario|passage|vignette|information", re.IGNORECASE)
_RANGE = re.compile(
    rf"(\d{{1,3}}){_S}(?:[-~—–至到]|to|and|和|、){_S}(?:第{_S})?(\d{{1,3}}){_S}(?:小?题|个|\)|$|[.:。,;])",
    re.IGNORECASE,
)
_STEM = re.compile(
    rf"{_LEAD}(?P<word>题干|题目|问题|试题|提问|设问|题目内容|question|stem|problem){_TAIL}", re.IGNORECASE
)
_OPTIONS = re.compile(
    rf"{_LEAD}(?P<word>(?:备选)?选项|备选答案|候选答案|(?:answer[ ])?(?:options|choices)){_TAIL}$", re.IGNORECASE
)
_META = re.compile(
    rf"{_LEAD}(?P<word>题型|题目类型|类型|难度(?:系数|等级)?|知识点|考查?点|考察点|考查(?:内容|知识点)|认知(?:水平|层次|层级)|能力层次|章节|分值|"
    rf"(?:question[ ])?type|difficulty|(?:cognitive[ ])?level|topic|concept|domain){_TAIL}",
    re.IGNORECASE,
)
_RULE = re.compile(
    rf"{_S}(?:-{{3,}}+|\*{{3,}}+|_{{3,}}+|={{3,}}+|—{{3,}}+|~{{3,}}+|(?:-[ ]){{2,}}+-|(?:\*[ ]){{2,}}+\*){_S}$"
)
_FENCE = re.compile(rf"{_S}(?:```|~~~)[\w+-]*+{_S}$")
_MARKDOWN_HEADING = re.compile(rf"[ ]{{0,3}}\#{{1,6}}{_S}(?=\S)")
_SECTION = re.compile(
    rf"{_S}{_STARS}{_S}(?:[(]?[{_HAN}]{{1,3}}[)]?{_S}[、.:]?|第[{_HAN}\d]{{1,3}}(?:部分|节|章|大题)|part[ ][IVX\d]+)(?P<name>[^\n]{{0,60}})$",
    re.IGNORECASE,
)
_SECTION_NAME = re.compile(r"题|部分|选择|案例|计算|questions|^[\s*:、.]*$", re.IGNORECASE)
_CLOSING = re.compile(
    rf"{_S}{_STARS}(?:以上(?:题目|试题|各题|[{_HAN}\d]{{1,3}}{_S}(?:道|个)|就?是(?:为[您你]|我|根据|本次|全部|[{_HAN}\d]{{1,3}}{_S}道))|"
    rf"希望(?:这|以上|对[您你]|能)|如需|若需|如有|(?:如果|若)(?:[您你])?(?:还)?(?:需要|想要|有其他)|需要我|是否需要|祝[您你]|请告诉我|"
    rf"这(?:些|[{_HAN}\d]{{1,3}}道)(?:题|试题)|I[ ]hope|hope[ ]th|let[ ]me[ ]know|feel[ ]free|these[ ](?:questions|items)|"
    rf"would[ ]you[ ]like|if[ ]you(?:'d|[ ]would|[ ]need|[ ]want))",
    re.IGNORECASE,
)
_NUMBERS = {
    "word": re.compile(
        rf"(?P<lead>[ \t>]*+(?:[-+•●▪◆]{_S}|\*[ \t]++)?+(?:\#{{1,6}}{_S})?+)(?P<open>{_STARS}){_S}[【\[(]?+{_S}"
        rf"(?:第{_S}(?P<a>{_N}){_S}(?:小|道)?[题问]|(?:(?:单项|单|多项)?选择?题|题目|试题|问题|例题|(?:案例|计算|理论)(?:分析)?题|题|"
        rf"question|problem|item|mcq|q){_S}[#.№]?{_S}(?P<b>{_N}))(?![\w{BLOT}])"
        rf"{_S}(?P<note>(?:[(\[【][^()\[\]【】\n]{{0,20}}+[)\]】])?+){_TAIL}",
        re.IGNORECASE,
    ),
    "dot": re.compile(
        rf"(?P<lead>[ \t>]*+(?:\#{{1,6}}{_S})?+)(?P<open>{_STARS}){_S}(?P<a>\d{{1,3}}+){_S}(?P<sep>、|[.:)](?!\d))\)?+{_S}(?P<stars>{_STARS}){_S}"
    ),
    "bracket": re.compile(
        rf"(?P<lead>[ \t>]*+(?:\#{{1,6}}{_S})?+)(?P<open>{_STARS}){_S}[(\[【]{_S}(?P<a>\d{{1,3}}+){_S}[)\]】][.、:]?+{_S}(?P<stars>{_STARS}){_S}"
    ),
    "bare": re.compile(
        rf"(?P<lead>[ \t>]*+(?:\#{{1,6}}{_S})?+)(?P<open>{_STARS}){_S}(?P<a>{_N})(?:(?P<stars>\*{{2}}){_S}[.、:]?+{_S}|{_S}$)"
    ),
    "han": re.compile(
        rf"(?P<lead>[ \t>]*+(?:\#{{1,6}}{_S})?+)(?P<open>{_STARS}){_S}[(]?(?P<a>[{_HAN}]{{1,3}}+)[、.)](?!\d)[、.]?+{_S}(?P<stars>{_STARS}){_S}"
    ),
}


_LAST_OPTION = re.compile(r"(?:^|[ \t(*])D[ ]?[.、:)]")
_BEHIND = re.compile(
    r"(?<=[ \t])[【*(]{0,3}(?:正确|参考)?(?:答案|(?:Correct )?Answer)[】*)]{0,3}[ ]?[:】][ \t*]*+(?=[(]?[A-Ha-h](?![A-Za-z]))"
)


class Mark(NamedTuple):
    """What a line opens."""

    kind: Kind
    start: int
    """Of its line."""
    body: int
    """Where the text after the mark begins."""
    end: int
    """Of its line, before the newline."""
    word: str = ""
    """The label itself, small."""
    number: int = 0
    style: tuple[str, ...] = ()
    """How a number is dressed; questions of one reply are dressed alike."""
    is_bold: bool = False
    """A number that opened `**` and did not close it."""
    scope: tuple[int, int] = (0, 0)
    """First and last question of a shared case, where the line says so."""
    is_shared: bool = False
    """A reading line that speaks of several questions."""
    is_line_start: bool = True
    """False for a number right behind "解析：", which can only open a list."""


def line_spans(text: str) -> list[tuple[int, int]]:
    """Start and end of every line, without its newline."""
    spans: list[tuple[int, int]] = []
    start = 0
    for line in text.split("\n"):
        spans.append((start, start + len(line)))
        start += len(line) + 1
    return spans


def find_marks(page: Page) -> list[Mark]:
    """The marks of a page in order; a line may carry a number and, behind it, another mark."""
    marks: list[Mark] = []
    for start, end in line_spans(page.shadow):
        line = page.shadow[start:end]
        if line.strip():
            marks += _marks_of(line, start, end)
            marks += _answer_behind_options(line, start, end)
    return marks


def _marks_of(line: str, start: int, end: int) -> list[Mark]:
    label = _label(line, start, end)
    if label is not None:
        if label.kind in ("explanation", "both", "aside"):
            inner = _number(page_line := line[label.body - start :], label.body, end)
            return [label, inner._replace(is_line_start=False)] if inner and page_line else [label]
        return [label]
    section = _section(line, start, end)
    number = _number(line, start, end)
    if number is None:
        return [section] if section else []
    if section is not None and number.style[0] == "han":
        return [section]
    inner = _label(line[number.body - start :], number.body, end)
    if inner is not None and inner.kind in ("case", "stem", "meta", "answer", "both", "reading"):
        return [number, inner]
    return [number]


def _answer_behind_options(line: str, start: int, end: int) -> list[Mark]:
    """The answer in the line of the last option: "C. 丙 D. 丁 答案：B"."""
    last = _LAST_OPTION.search(line)
    match = _BEHIND.search(line, last.end()) if last else None
    return [Mark("answer", start + match.start(), start + match.end(), end, "答案")] if match else []


def _label(line: str, start: int, end: int) -> Mark | None:
    """The mark that a line opens with a word, or a rule."""

    def mark(kind: Kind, match: re.Match[str]) -> Mark:
        word = match["word"].casefold() if "word" in match.re.groupindex else ""
        return Mark(kind, start, start + match.end(), end, word)

    if match := _RULE.match(line):
        return mark("rule", match)
    if match := _FENCE.match(line):
        return mark("fence", match)
    if (match := _OPTIONS.match(line)) and _is_label(match, line):
        return mark("options", match)
    if (match := _EXPLANATION.match(line)) and _is_label(match, line):
        return mark("explanation", match)
    if (match := _ASIDE.match(line)) and _is_label(match, line):
        return mark("aside", match)
    if (match := _ANSWER.match(line)) and (match["verb"] or _is_label(match, line) or _is_letter(line[match.end() :])):
        return mark("both" if match["both"] else "answer", match)
    if (match := _READING.match(line)) and (noun := _READ_NOUN.search(line, match.end(), match.end() + 60)):
        return _reading(line, start, end, noun.end())
    if (match := _CASE.match(line)) and _is_label(match, line):
        return _scoped(mark("case", match), line)
    if (match := _META.match(line)) and _is_label(match, line):
        return mark("meta", match)
    if (match := _STEM.match(line)) and (match["colon"] == ":" or match["close"] or match["stars"] or match["stars2"]):
        return mark("stem", match)
    if match := _CLOSING.match(line):
        return Mark("closing", start, start, end)
    return None


def _is_label(match: re.Match[str], line: str) -> bool:
    """A colon, a closing bracket, closing stars or the end of the line make a word a label; a full stop doesn't."""
    return bool(
        match["colon"] == ":" or match["close"] or match["stars"] or match["stars2"] or match.end() == len(line)
    )


def _is_letter(body: str) -> bool:
    return re.match(r"[A-H](?:[ \t.。]*+$|[.、:)])", body.strip("*() ")) is not None


def _reading(line: str, start: int, end: int, after: int) -> Mark:
    r"""A line "阅读以下案例，回答1-4题"; its body is what stands behind its colon or first full stop."""
    stop = re.compile(r"[:。]|\.(?=\s|$)").search(line, after)
    body = start + (stop.end() if stop else len(line))
    return _scoped(Mark("reading", start, body, end), line[: body - start])


def _scoped(mark: Mark, line: str) -> Mark:
    """The mark with the questions that its line names ("回答1-4题")."""
    found = _RANGE.search(line[:200])
    is_shared = (
        found is not None
        or re.search(
            r"(?:下列|以下|下面|后面|各)(?:的)?(?:问题|[\d一二三四五六七八九十]*[小道]?题)|questions", line[:200]
        )
        is not None
    )
    scope = (int(found[1]), int(found[2])) if found else (0, 0)
    return mark._replace(scope=scope, is_shared=is_shared)


def _section(line: str, start: int, end: int) -> Mark | None:
    match = _SECTION.match(line)
    is_section = (
        match is not None and _SECTION_NAME.search(match["name"]) and not re.search(r"[?？。]|_{2,}|\(\s*\)|是$", line)
    )
    if is_section or (_MARKDOWN_HEADING.match(line) and _number(line, start, end) is None):
        return Mark("heading", start, end, end)
    return None


def _number(line: str, start: int, end: int) -> Mark | None:
    for name, pattern in _NUMBERS.items():
        match = pattern.match(line)
        if match is None or (name == "word" and not (match["colon"] or match["note"] or _is_label(match, line))):
            continue
        groups = match.groupdict()
        if name == "bare" and not ("#" in match["lead"] or match["open"]):
            continue
        is_open = bool(match["open"]) and not (groups.get("stars") or groups.get("stars2"))
        if name == "word":
            is_open = bool(match["open"]) and "*" not in line[match.start("note") : match.end()]
        style = (name, "#" if "#" in match["lead"] else "", "*" if match["open"] else "", groups.get("sep") or "")
        number = int_of(match["a"] or groups.get("b") or "")
        return Mark("number", start, start + match.end(), end, groups.get("note") or "", number, style, is_open)
    return None


def int_of(digits: str) -> int:
    """The number that digits or Chinese numerals up to 99 spell."""
    if digits.isdecimal():
        return int(digits)
    tens, ten, ones = digits.rpartition("十")
    value = (_HAN.find(tens) + 1 if tens else 1) * 10 if ten else 0
    return value + (_HAN.find(ones[0]) + 1 if ones else 0)
