"""Laws: no text raises, nothing is lost, and what is read does not depend on what stands around it."""
# ruff: noqa: E501  (tables of cases read better unbroken)

import re

from hypothesis import given, settings
from hypothesis import strategies as st

from psygen.replies.read import Reading, read_reply
from tests.replies.layouts import FOUR, TEXTS, as_json, meant, read

PIECES = (
    "1. ", "2、", "（3）", "第4题：", "**题目5**\n", "### 6\n", "A. ", "B、", "（C）", "Ｄ．", "- **A.** ", "| A | x |\n", "答案：", "【答案】B",
    "正确答案：(C)\n", "解析：", "【解析】", "案例：", "阅读以下案例，回答1-4题。\n", "---\n", "\n", "\n\n", "甲", "乙。", "why ", "$x$", "\\(a\\)", "\\frac",
    "**", "```json\n", "```", "{", "}", "[", "]", '"', ":", ",", '"stem"', '"options"', '{"stem": "甲", "options": [', "<think>", "</think>",
    "1-4：ABCD", "1.A 2.B", "\u200b", "\ud800", "\x0crac", "\t", "故选A。", "选项：", "Question 1: ", "Answer: B\n", "以上题目", "　",
)  # fmt: skip
NOISE = st.lists(st.sampled_from(PIECES), max_size=40).map("".join)
# What the reader takes for layout and does not repeat: labels, numbers, the words that announce a part.
LAYOUT = re.compile(
    r"答案|解析|正确|案例|题|第|阅读以下|回答|选项|故选|以上|[A-Da-d]|\d|why|question|answer|stem|options|json|x|rac|frac|think|以下",
    re.IGNORECASE,
)


def told(found: Reading) -> str:
    drafts = [" ".join([d.stem, *d.options, d.explanation]) for d in found.drafts]
    return " ".join([*drafts, *found.rest])


@given(NOISE, st.booleans())
@settings(max_examples=400, deadline=None)
def test_no_text_raises_and_every_draft_can_be_stored(text: str, is_complete: bool) -> None:
    found = read_reply(text, is_complete=is_complete)
    assert bool(found.drafts) != bool(found.problem)
    assert (found.form != "") == bool(found.drafts) or found.form == "json"
    told(found).encode()
    assert not set("\b\f\t\r\x1b\u200b") & set(told(found))
    assert all(0 <= k < len(d.options) for d in found.drafts for k in d.key)
    assert read_reply(text, is_complete=is_complete) == found


@given(
    st.lists(st.sampled_from(sorted(TEXTS)), min_size=1, max_size=1),
    st.lists(st.integers(0, 3000), max_size=3),
    st.booleans(),
)
@settings(max_examples=150, deadline=None)
def test_every_word_of_a_text_is_in_a_draft_or_in_the_rest(
    names: list[str], places: list[int], is_complete: bool
) -> None:
    """Words nobody else says are strewn in, and found again."""
    text = TEXTS[names[0]](FOUR)
    for n, place in enumerate(sorted(places, reverse=True)):
        text = text[:place] + f"壹{'甲乙丙'[n]}壹" + text[place:]
    found = told(read_reply(text, is_complete=is_complete))
    assert all(f"壹{'甲乙丙'[n]}壹" in found for n in range(len(places)))


@given(NOISE)
@settings(max_examples=300, deadline=None)
def test_every_letter_of_any_text_is_in_a_draft_or_in_the_rest_or_is_layout(text: str) -> None:
    found = told(read_reply(text))
    lost = [c for c in set(re.findall(r"[^\W_]", LAYOUT.sub("", text))) if c not in found]
    assert not lost


@given(st.integers(0, 3), NOISE.filter(lambda t: not re.search(r'[{}\[\]"<`\\]', t)))
@settings(max_examples=100, deadline=None)
def test_chatter_around_json_changes_no_draft(n: int, noise: str) -> None:
    found = read_reply(f"{noise}\n{as_json(FOUR[n:])}\n{noise}")
    assert read(found.drafts) == meant(FOUR[n:])


@given(st.sampled_from(sorted(TEXTS)), st.permutations(range(4)))
@settings(max_examples=60, deadline=None)
def test_questions_read_alike_in_any_order(name: str, order: list[int]) -> None:
    questions = [FOUR[n] for n in order]
    assert read(read_reply(TEXTS[name](questions)).drafts) == meant(questions)
