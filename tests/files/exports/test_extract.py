"""Which letters a reply announces: a table of replies as models write them."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from psygen.files.exports.shipped.psygen_extract import INVALID, extract, extract_filter

ANNOUNCED = (
    "答案：B", "答案:B", "答案：Ｂ", "答案是Ⓑ", "答案 B", "答案B", "选B。", "选 B", "选择：B", "应选B。", "可选B",
    "我选 B，因为A和C都不对", "故本题选B", "所以答案选择B", "因此选 B 项", "本题应选择B选项", "这道题选的是B",
    "答案选B", "答案为选项B", "答案：选 B", "答案：第B项", "答案应该是B", "我认为应该是B", "这题的答案就是B了",
    "正确答案应为B", "正确答案是：B", "正确选项是B", "正确的选项为 B", "正确的说法是B", "最合适的是B", "【答案】B",
    "【答案】B\n【解析】A错误", "本题答案为（B）。", "答案：[B]", "**答案：B**", "答案为 **B. 众数**",
    "答案：B（众数）", "答案：B. 众数", "答案：\nB", "答案：\n\n**B**", "答案：b", "答案：B 类比推理",
    "答案：B\n解析：A错误，C错误", "分别选B", "没错，选B", "The answer is B", "The answer is B.",
    "the correct answer is option B", "Answer: B", "Answer: (b)", "**Answer:** B", "Final Answer: B", "I choose B",
    "The best choice is B", "The correct option is (B).", "no doubt the answer is B", '{"answer": "B"}',
    "<answer>B</answer>", "Answer: B\n\nExplanation: A is wrong", r"\boxed{B}", r"因此 $\boxed{\text{B}}$。",
    r"The final answer is: $\boxed{B}$", r"答案：\(B\)", r"\boxed{答案：B}", r"\boxed{\mathrm{B}}",
)  # fmt: skip
BARE = (
    "B", "b", "B。", "B.", "(B)", "（B）", "[B]", "B)", "**B**", "「B」", "```\nB\n```", "ⓑ", " B \n", "B. 中数",
    "B．中数", "B、中数", "B：中数", "(B) 中数", "B\n解析：A错误，C错误", "B。因为众数最多", "经分析，\n\nB",
    "B. 不变", "B. 错误", "B项正确", "B选项是对的", "A错误，B正确，C错误", "B是正确答案", "只有B符合题意",
    "Option B is correct.", "选项 B 是正确的",
)  # fmt: skip
LAST = (
    "答案是A。不对，应为B。", "答案：A\n更正：答案：B", "选 A？不，选 B。", "先想选A，后来选B",
    "A、C、D均正确，所以不正确的是B。故选B", "答案是A</think>B", "<think>答案是A</think>答案：B", "选B，C项错误。",
    "选B。C项错误", "答案：B, A项不对",
)  # fmt: skip
DENIED_FIRST = (
    "不选A，选B", "不选A而选B", "选A不对，应选B", "排除A、C，选B", "别选A，选B", "如果选A就错了，选B", "不是A，而是B",
    "答案不是A，而是B", "选A、C、D都不对，选B", "The answer is not A. The answer is B", "非常明显选B",
    "不难看出答案是B", "不得不选B", "毫不犹豫地选B", "不论如何选B", "主要是选B", "The most important answer is B",
)  # fmt: skip
DENIED = (
    "不选A", "不能选A。", "不应选A", "不应该选择A", "答案不是A", "答案并非A", "非A", "排除A", "排除选项A",
    "我不认为答案是A", "错误答案是A", "不正确的选项是A", "若选A，则与题意不符", "答案是A吗？", "答案是A还是B？",
    "选A或者B", "A不选，B也不选", "A不正确", "A是错误的", "A. 错误，因为样本太小", "The answer is not A",
    "I don't choose A", "I dont think the answer is A",
)  # fmt: skip
INVALID_REPLIES = (
    "", "我不知道", "以上都不对", "答案：E", "答案：AE", "答案：Apple", "答案：A1", "答案：没有", "答案：B/C",
    "答案：A或B", "答案：ABC", "答案：B和C", "A,B", "A B", "选项B", "维生素A缺乏", "A measure of spread",
    "the answer is a measure", "答案是 a 项", "选择t检验", "选择A型血", r"\boxed{4.22}", "C 因为",
    "A正确，B正确，D错误", "A. 平均数\nB. 中数\nC. 众数", "请选择：\nA. 甲\nB. 乙\nC. 丙", "<think>答案是A",
    "除A外都不对", "It is B",
)  # fmt: skip
SEVERAL = {
    "答案：ＢＤ": "BD", "BD": "BD", "DCA": "ACD", "AA": "A", "A": "A", "A、C、D": "ACD", "A,C,D": "ACD", "A；C": "AC",
    "选A、C": "AC", "选A和C": "AC", "答案是A，C。": "AC", "答案：A C": "AC", "选A+C": "AC", "答案：A, C and D": "ACD",
    "The answers are A, B and D.": "ABD", '{"answer": ["A", "C"]}': "AC", r"\boxed{A, C}": "AC",
    "正确的是A、B、C。": "ABC", "A和C正确": "AC", "排除A、B，选C、D": "CD", "答案：B、C项": "BC",
    "ABD。因为C错误": "ABD", "答案：A\nC也对": "A", "选B，C项错误。": "B", "答案：A、B、C、D全选": "ABCD",
    "答案：AE": "", "A. 甲\nC. 丙": "", "不选A、C": "",
}  # fmt: skip


@pytest.mark.parametrize("reply", [*ANNOUNCED, *BARE, *LAST, *DENIED_FIRST])
def test_these_replies_announce_b(reply: str) -> None:
    assert extract(reply) == "B"


@pytest.mark.parametrize("reply", [*DENIED, *INVALID_REPLIES])
def test_nobody_guesses(reply: str) -> None:
    assert extract(reply) == ""


@pytest.mark.parametrize(("reply", "letters"), SEVERAL.items())
def test_the_letters_a_reply_announces(reply: str, letters: str) -> None:
    assert extract(reply, multiple=True) == letters


def test_letters_are_those_of_the_options() -> None:
    assert extract("答案：E", "ABCDE") == "E"
    assert extract("答案：C", "AB") == ""


@given(st.text(alphabet="ABCDE选不非答案是为：、，。 \n()or项错对answer{}\\", max_size=60), st.booleans())
def test_what_is_read_is_letters_of_the_options_in_order(reply: str, multiple: bool) -> None:
    found = extract(reply, multiple=multiple)
    assert found == "".join(sorted(set(found)))
    assert set(found) <= set("ABCD")
    assert multiple or len(found) <= 1


@given(st.sampled_from([*ANNOUNCED, *BARE]), st.sampled_from("ABCD"))
def test_a_later_announcement_wins_over_any_reply(reply: str, letter: str) -> None:
    assert extract(f"{reply}\n综上所述，正确答案是{letter}。") == letter


@pytest.mark.parametrize(
    "reply", ["选" * 20_000, "答案" + "=" * 20_000 + "B", "选A " * 5_000, "答案：" + " \n" * 10_000]
)
def test_a_long_reply_is_read(reply: str) -> None:
    # The harness runs this on whatever a model says: no pattern may need time beyond the reply's length.
    assert len(extract(reply)) <= 1


def test_the_filter_counts_what_cannot_be_read() -> None:
    docs = [{"choices": ["甲", "乙"], "format": "SCQ"}, {"choices": ["甲", "乙", "丙"], "format": "MAQ"}]
    assert extract_filter([["答案：C"], ["答案：AC"]], docs) == [[INVALID], ["AC"]]
