import pytest

from psygen.checks.item import hard_fault, soft_flags
from psygen.records.item import Draft, Item
from tests.files.test_sheets import item

GOOD = {"stem": "下列指标中属于差异量数的是（　　）。", "options": ("方差", "中数", "众数", "平均数"), "key": (0,)}


@pytest.mark.parametrize(
    ("change", "code"),
    [
        ({}, ""),
        ({"stem": ""}, "E_EMPTY"),
        ({"options": ("方差", " ", "众数", "平均数")}, "E_EMPTY"),
        ({"options": ("方差", "中数", "众数")}, "E_OPTION_COUNT"),
        ({"options": ("方差", "方 差。", "众数", "平均数")}, "E_DUP_OPTION"),
        ({"options": ("Ａ型", "A型", "众数", "平均数")}, "E_DUP_OPTION"),
        ({"key": ()}, "E_ANSWER"),
        ({"key": (4,)}, "E_ANSWER"),
        ({"key": (0, 2)}, "E_MULTI"),
        ({"stem": "Which of these measures variation best?"}, "E_LANG"),
        ({"stem": "题干"}, "E_SIZE"),
        ({"stem": "长" * 4001}, "E_SIZE"),
        ({"stem": "<knowledge_point>位置"}, "E_ECHO"),
        ({"fault": "E_CONTROL"}, "E_CONTROL"),
    ],
)
def test_each_hard_check_has_its_code(change: dict[str, object], code: str) -> None:
    assert hard_fault(Draft.model_validate(GOOD | change), lang="zh") == code


def test_numbers_that_differ_only_in_sign_are_two_options() -> None:
    assert hard_fault(Draft.model_validate(GOOD | {"options": ("-1", "1", "2", "3")}), lang="zh") == ""


def test_a_sibling_with_the_same_stem_is_a_duplicate() -> None:
    from psygen.text import letters_only

    assert hard_fault(Draft.model_validate(GOOD), lang="zh", stems={letters_only(str(GOOD["stem"]))}) == "E_DUP_ITEM"


def test_english_stems_pass_in_english_and_chinese_ones_do_not() -> None:
    english = Draft.model_validate(GOOD | {"stem": "Which measure describes variation?"})
    assert hard_fault(english, lang="en") == ""
    assert hard_fault(Draft.model_validate(GOOD), lang="en") == "E_LANG"


def flagged(**fields: object) -> tuple[str, ...]:
    found: Item = item(0, **fields)
    return soft_flags(found, concept="标准差", synonyms=("SD",))


@pytest.mark.parametrize(
    ("fields", "flag"),
    [
        ({"explanation": "故选B。"}, "explanation_conflict"),
        ({"options": ("甲", "乙", "丙", "以上都不对")}, "option_style"),
        ({"options": ("它是各个数据与平均数之差的平方的平均数", "乙乙乙乙乙", "丙丙丙", "丁丁丁丁")}, "long_key"),
        ({"stem": "下列各项中，不属于差异量数的是（　　）。"}, "negative_stem"),
        ({"stem": "标准差是什么的正平方根？", "options": ("SD", "乙", "丙", "丁")}, "term_leak"),
        ({"stem": "這個問題的變異數是多少？"}, "script"),
        (
            {"kind": "calculation", "options": ("1.0", "2.0", "3.0", "4.0"), "explanation": "方差$=36/9=2.0$。"},
            "calculation_mismatch",
        ),
    ],
)
def test_each_soft_check_has_its_flag(fields: dict[str, object], flag: str) -> None:
    assert flag in flagged(**fields)


def test_a_plain_item_has_no_flag() -> None:
    assert flagged() == ()
    assert flagged(explanation="故选A。") == ()
    calculated = {"kind": "calculation", "options": ("1.0", "2.0", "3.0", "4.0")}
    assert flagged(**calculated, explanation="$S^2=9/9=1.0$；误除以n-1得2.0。") == ()
