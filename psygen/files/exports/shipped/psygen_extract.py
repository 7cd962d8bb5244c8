"""Read the letters that a model's reply announces as its answer, in Chinese or English; standard library only.

The rules, in order:

1. The reply is folded by NFKC (Ｂ and Ⓑ are B, ： is :); what stands inside <think> is no answer; quotes, emphasis and
   LaTeX around a letter do not count.
2. An announcement is a letter after a word of announcing (答案是, 选, answer is, \\boxed). It is void in a clause
   that denies or supposes it (不选, 非, 排除, 若选) and when it is taken back (选A吗, 选A不对). The last one wins.
3. Without one: letters that alone fill the last line; then those before the first text ("B. 中数"), unless the reply
   goes on to list other options; then what is called right ("B项正确"), unless two things are.
4. A question with one right answer takes exactly one letter. Everything else is invalid: "" says so, nobody guesses.
"""

import re
import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Any, NamedTuple

ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
INVALID = "[invalid]"
"""What a harness's log shows where no answer could be read."""

_THOUGHT = re.compile(r"^.*</think(?:ing)?>|<think(?:ing)?>.*$", re.DOTALL | re.IGNORECASE)
_BOXED = re.compile(r"\\boxed\s*(?=\{)")
_LATEX = re.compile(r"\\(?:text|textbf|mathrm|mathbf|mathsf|rm|bf)\b|\\[()\[\],;!]|\\")
_DRESS = re.compile(r"[*`$#_\"'“”‘’「」『』]|</?\w+>")

_OPEN = r"[\s:=→>,(\[{【】\])}<《-]{0,8}"
"""What may stand between the word and the letter. Bounded: a reply of ten thousand blanks is read in no time."""
_NAMED = r"(?:选项|选|第|(?i:options?\b|choices?\b|letters?\b))?"
_IS = r"(?:应该|应当|应|就|便|只能|可以)?(?:是|为|选择|选)?"
_CHINESE = (
    rf"答案(?:的?选项)?{_IS}"
    r"|(?:正确|恰当|合适|合理|准确|符合题意|最佳)的?(?:选项|说法|一项|项)?(?:应该|应当|应)?[是为:]"
    rf"|(?:选择|选)(?!项)(?:的?答案|的)?{_IS}"
    r"|(?:应该|应当|应|而)[是为]"
)
_ENGLISH = (
    r"\b(?:answers?|(?:correct|right|best)\s(?:option|choice|one)|choose|select|pick)\b"
    r"(?:\s(?:would\sbe|should\sbe|must\sbe|is|are)\b)?(?:\sthe\b)?"
)

_DENIED = re.compile(
    r"(?:(?<!得)不(?!得不|难|妨|仅|只|过|论|管|错|犹豫)|非(?!常)|没|未|(?<![分特区级性类])别(?!是)|勿|无法|无从"
    r"|排除|否定|否认|错误|若|如果|假如|假设|(?<![主只需])要是|是否|能否|可否|哪)[^,.;:!?\s、A-Z]{0,6}$"
    r"|\b(?:not|never|cannot|(?:do|does|did|would|could|should|ca|wo|is)nt|wrong|incorrect|if|whether)(?:\s\w+){0,3}\s*$",
    re.IGNORECASE,
)
_TAKEN_BACK = re.compile(
    r"[型组类级班校轴卷]|[\s)\]}】]*(?:选?项|选项)?\s*"
    r"(?:吗|么|呢|\?|还是|或|的话|就?是?(?:错|不对|不正确|不成立|不符|不合|不行|不妥|有误)|[+&/]"
    r"|(?:or|is\s(?:not|wrong|incorrect)|isnt)\b)",
    re.IGNORECASE,
)
_LISTING = re.compile(r"[.、:)][^\n]*\n\(?B[.、:)]")
_BEFORE = 40
"""Characters before an announcement in which its denial is looked for."""


class _Patterns(NamedTuple):
    """The regular expressions for one set of letters; the letters themselves are the group `run` or `small`."""

    announced: re.Pattern[str]
    alone: re.Pattern[str]
    leading: re.Pattern[str]
    label: re.Pattern[str]
    called_right: re.Pattern[str]


@lru_cache
def _patterns(letters: str) -> _Patterns:
    one = f"[{letters}]"
    joined = r"\s?(?:、|以及|和|与|及|&|\+|and\b)\s?(?:选项)?"
    # A comma or a blank goes on with the list only where the next letter does not begin a clause: "选B, C项错误".
    goes_on = rf"{one}(?:\s?(?:[,;/、]|和|与|及|and\b)|\s{one}\b|[.!)\]}}】]|\s*$|\n)"
    listed = rf"(?:[ ]?[,;/][ ]?|[ ])(?:and[ ])?(?={goes_on})"
    run = rf"(?P<run>{one}(?:(?:{joined}|{listed})?{one})*)(?![A-Za-z0-9])"
    # A small letter counts only where it cannot be the English article.
    small = rf"(?P<small>[{letters.lower()}])(?=\s?[).\]}}】、,;!]|\s*$|\n)"
    called = (
        r"(?:正确|最佳|最合适|最恰当)(?!与否|吗|么|\?)|对的|符合题意|符合要求|(?i:is\s(?:the\s)?(?:correct|right|best))"
    )
    return _Patterns(
        announced=re.compile(rf"(?:{_CHINESE}|(?i:{_ENGLISH}))(?P<gap>{_OPEN}{_NAMED}{_OPEN})(?:{run}|{small})"),
        alone=re.compile(rf"[\s(\[{{【]*(?:{run}|{small})[\s.,;!)\]}}】]*"),
        leading=re.compile(rf"[(\[{{【]?{run}\s?(?:[)\]}}】.、:,;]|\n|$)(?!\s?(?:错误?|不对|不正确)[,.;:])"),
        label=re.compile(rf"^[(\[【]?({one})\s?[)\]】.、:]", re.MULTILINE),
        called_right=re.compile(rf"(?<![A-Za-z0-9]){run}\s?(?:选项|选?项)?[都均才就]?[是为]?(?:唯一)?的?(?:{called})"),
    )


def extract(text: str, letters: str = "ABCD", *, multiple: bool = False) -> str:
    """The announced letters, sorted, each once; "" when the reply announces none that could be the answer.

    letters: those the options stand under. multiple: whether a question may have several right answers.
    """
    folded = _fold(text)
    found = _last_announcement(folded, letters) or _bare(folded, letters) or _called_right(folded, letters)
    return found if len(found) <= 1 or multiple else ""


def read(question: Mapping[str, Any], reply: str) -> str:
    """The letters a reply announces for a question of the data files; "" when invalid."""
    return extract(reply, ALPHABET[: len(question["choices"])], multiple=question["format"] == "MAQ")


def extract_filter(resps: Sequence[Sequence[str]], docs: Sequence[Mapping[str, Any]]) -> list[list[str]]:
    """The filter of lm-evaluation-harness: for each document's replies the letters read, or `INVALID`."""
    return [[read(doc, reply) or INVALID for reply in replies] for replies, doc in zip(resps, docs, strict=True)]


def _fold(text: str) -> str:
    """The reply without thoughts and dress, blanks single; `\\boxed` becomes a word of announcing."""
    spoken = _THOUGHT.sub("", unicodedata.normalize("NFKC", text))
    plain = _DRESS.sub("", _LATEX.sub("", _BOXED.sub(" 答案:", spoken))).replace("。", ".")
    return re.sub(r"[^\S\n]+", " ", re.sub(r"\s*\n\s*", "\n", plain)).strip()


def _last_announcement(text: str, letters: str) -> str:
    found = ""
    for match in _announcements(text, letters):
        found = _letters(match)
    return found


def _announcements(text: str, letters: str) -> Iterator[re.Match[str]]:
    """Announcements that stand: not denied, not supposed, not taken back, no list of the options."""
    for match in _patterns(letters).announced.finditer(text):
        before, after = text[max(0, match.start() - _BEFORE) : match.start()], text[match.end() :]
        lists_options = "\n" in match["gap"] and _letters(match) == "A" and _LISTING.match(after)
        if not (lists_options or _DENIED.search(before) or _TAKEN_BACK.match(after)):
            yield match


def _bare(text: str, letters: str) -> str:
    """Letters that fill the last line, or that stand before the first text while no other option is listed."""
    patterns = _patterns(letters)
    last = patterns.alone.fullmatch(text.rpartition("\n")[2])
    if last:
        return _letters(last)
    first = patterns.leading.match(text)
    if first is None or set(patterns.label.findall(text)) - {first["run"][0]}:
        return ""
    return _letters(first)


def _called_right(text: str, letters: str) -> str:
    """The one thing that is called right; nothing when two are."""
    called = {_letters(match) for match in _patterns(letters).called_right.finditer(text)}
    return called.pop() if len(called) == 1 else ""


def _letters(match: re.Match[str]) -> str:
    """The letters of a match without the words between them."""
    groups = match.groupdict()
    shown = groups["run"] or groups["small"].upper()
    return "".join(sorted({c for c in shown if c in ALPHABET}))
