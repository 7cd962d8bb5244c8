from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from psygen.checks.options import are_numeric, arrange, key_place, number_of, refer_to_each_other, relabel

BACKWARDS = [3, 2, 1, 0]


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("故选B。", "故选C。"),
        ("答案为A，B、C、D均不正确。", "答案为D，C、B、A均不正确。"),
        ("A选项错在漏开平方；选项D漏除n。", "D选项错在漏开平方；选项A漏除n。"),
        ("A项错误，B项正确。", "D项错误，C项正确。"),
        ("Option A is wrong; the answer is C.", "Option D is wrong; the answer is B."),
        ("A. 漏算了自由度\nB. 正确", "D. 漏算了自由度\nC. 正确"),
        ("选Ａ。", "选Ｄ。"),
        ("A因素的主效应显著，故选B。", "A因素的主效应显著，故选C。"),
        ("A型行为与冠心病有关，答案是D。", "A型行为与冠心病有关，答案是A。"),
        ("A-B-A设计先测基线，选C。", "A-B-A设计先测基线，选B。"),
        ("由$A=\\pi r^2$得，选B。", "由$A=\\pi r^2$得，选C。"),
        (
            "由班杜拉（A. Bandura）提出，诺曼（D. A. Norman）并无此说，选B。",
            "由班杜拉（A. Bandura）提出，诺曼（D. A. Norman）并无此说，选C。",
        ),
        ("没有提到任何字母。", "没有提到任何字母。"),
        ("用ABCD四点评分，A1B2处理最高。", "用ABCD四点评分，A1B2处理最高。"),
    ],
)
def test_letters_that_mean_options_move_and_others_stay(before: str, after: str) -> None:
    assert relabel(before, BACKWARDS) == after


@pytest.mark.parametrize("explanation", ["把A与B相比可知。", "如图，C在上方。"])
def test_a_letter_in_doubt_leaves_the_item_alone(explanation: str) -> None:
    assert relabel(explanation, BACKWARDS) is None
    found = arrange(["甲", "乙", "丙", "丁"], [0], explanation, seed=1, purpose="x", place=3)
    assert found.options == ("甲", "乙", "丙", "丁")
    assert found.flag == "order_kept"


@pytest.mark.parametrize(
    "options",
    [
        ("甲", "乙", "丙", "以上都对"),
        ("甲", "乙", "A和B", "丁"),
        ("甲", "乙", "选项A错", "丁"),
        ("x", "y", "z", "All of the above"),
    ],
)
def test_options_that_speak_of_one_another_stay(options: tuple[str, ...]) -> None:
    assert refer_to_each_other(options)
    assert arrange(options, [0], "", seed=1, purpose="x", place=3).options == options


@pytest.mark.parametrize("option", ["以两个以上的变量预测", "20岁以上的成人", "A型血", "全部回忆法"])
def test_ordinary_words_are_no_reference(option: str) -> None:
    assert not refer_to_each_other((option, "乙", "丙", "丁"))


@pytest.mark.parametrize(
    ("option", "value"),
    [
        ("12.5", (12.5, "")),
        ("－3分", (-3.0, "分")),
        ("$0.05$", (0.05, "")),
        ("1/4", (0.25, "")),
        ("1,383个", (1383.0, "个")),
        ("95%", (95.0, "%")),
    ],
)
def test_numbers_are_read_with_their_unit(option: str, value: tuple[float, str]) -> None:
    assert number_of(option) == value


def test_numeric_options_are_sorted_whatever_the_place() -> None:
    found = arrange(["9分", "10分", "-2分", "3分"], [1], "", seed=1, purpose="x", place=0)
    assert found.options == ("-2分", "3分", "9分", "10分")
    assert found.key == (3,)
    assert not are_numeric(["9分", "10秒", "1分", "2分"])


@given(st.permutations(["甲", "乙", "丙", "丁"]), st.integers(0, 3), st.integers(0, 3), st.integers(0, 99))
def test_the_key_keeps_its_text_and_goes_to_its_place(options: list[str], key: int, place: int, seed: int) -> None:
    found = arrange(options, [key], "因为如此。", seed=seed, purpose="x", place=place)
    assert found.options[found.key[0]] == options[key]
    assert found.key == (place,)
    assert sorted(found.options) == sorted(options)


@given(st.permutations(range(4)))
def test_relabelling_back_restores_the_explanation(order: list[int]) -> None:
    text = "故选B；A项错误，选项C、D也不对。"
    moved = relabel(text, order)
    assert moved is not None
    back = [order.index(n) for n in range(4)]
    assert relabel(moved, back) == text


@given(st.integers(0, 99))
def test_places_are_even_in_a_unit_and_over_units(seed: int) -> None:
    square = [[key_place(seed, "g", turn, ordinal) for ordinal in range(4)] for turn in range(4)]
    for line in [*square, *zip(*square, strict=True)]:
        assert Counter(line) == Counter(range(4))
