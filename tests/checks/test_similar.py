from hypothesis import given
from hypothesis import strategies as st

from psygen.checks.similar import THRESHOLD, later_ones, similar_pairs
from psygen.text import letters_only

STEM = (
    "某班四十名学生数学成绩的平均分为七十五分，标准差为八分，某生得八十三分，"
    "他的标准分数是多少？请写出所用的公式，并保留两位小数。"
)


def test_a_changed_word_is_nearly_the_same_and_another_question_is_not() -> None:
    texts = [STEM, "方差的正平方根称为什么？", STEM.replace("数学", "语文")]
    assert later_ones(texts) == [2]


def test_the_first_stays_and_what_resembles_only_a_dropped_one_stays_too() -> None:
    near = STEM.replace("数学", "语文")
    assert later_ones([STEM, near, near]) == [1, 2]
    assert later_ones([]) == []


@given(st.lists(st.text("甲乙丙丁", min_size=5, max_size=12), max_size=12))
def test_the_filter_finds_exactly_what_comparing_all_pairs_finds(texts: list[str]) -> None:
    def grams(text: str) -> set[str]:
        letters = letters_only(text)
        return {letters[n : n + 4] for n in range(len(letters) - 3)}

    brute = []
    for second in range(len(texts)):
        for first in range(second):
            a, b = grams(texts[first]), grams(texts[second])
            if a and b and len(a & b) / len(a | b) >= THRESHOLD:
                brute.append((first, second))
    assert [(p.first, p.second) for p in similar_pairs(texts)] == brute
