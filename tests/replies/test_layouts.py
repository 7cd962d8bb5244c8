"""The same questions read alike whatever they are dressed in."""

from collections.abc import Callable, Sequence

import pytest

from psygen.replies.read import read_reply
from tests.replies.layouts import ENGLISH, FOUR, TEXTS, Q, as_json, meant, read


@pytest.mark.parametrize("layout", TEXTS.values(), ids=TEXTS)
@pytest.mark.parametrize(
    "questions", [FOUR, ENGLISH, FOUR[:1], FOUR[1:2], FOUR[2:3]], ids=["zh", "en", "1", "list", "A"]
)
def test_a_layout_reads_to_the_same_drafts(layout: Callable[[Sequence[Q]], str], questions: Sequence[Q]) -> None:
    found = read_reply(layout(questions))
    assert read(found.drafts) == meant(questions)
    assert [d.fault for d in found.drafts] == [""] * len(questions)
    assert found.form == "text"


@pytest.mark.parametrize("layout", TEXTS.values(), ids=TEXTS)
def test_windows_line_ends_and_a_byte_order_mark_change_nothing(layout: Callable[[Sequence[Q]], str]) -> None:
    text = "\ufeff" + layout(FOUR).replace("\n", "\r\n")
    found = read_reply(text)
    assert read(found.drafts) == meant(FOUR)
    assert all("control" not in d.repairs for d in found.drafts)


@pytest.mark.parametrize("indent", [None, 2])
@pytest.mark.parametrize(
    "around", ["{}", "```json\n{}\n```", "好的，如下：\n{}\n请审阅。", '<think>先想想 {{"a": 1}}。</think>\n{}']
)
def test_json_reads_to_the_same_drafts(indent: int | None, around: str) -> None:
    found = read_reply(around.format(as_json(FOUR, indent)))
    assert read(found.drafts) == meant(FOUR)
    assert found.form == "json"
