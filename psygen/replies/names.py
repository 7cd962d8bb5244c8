"""What models call the parts of a question, in JSON and in tables, whatever the prompt asked for."""

import unicodedata
from typing import Literal

Part = Literal["stem", "options", "answer", "index", "explanation", "kind", "level", "case", "serial"]

_NAMES: dict[Part, str] = {
    # In order of trust: where two stand in one object, the one further left is the stem.
    "stem": "stem 题干 question 题目 问题 试题 questionstem questiontext 题干内容 题目内容 问题描述 题面 prompt",
    "options": "options 选项 choices 备选项 备选答案 答案选项 alternatives optionlist",
    "answer": "answer 答案 正确答案 correctanswer 标准答案 参考答案 正确选项 correctoption correctchoice key answerkey "
    "correct rightanswer correctkey",
    "index": "answerindex answeridx correctindex correctanswerindex correctoptionindex correctidx",
    "explanation": "explanation 解析 答案解析 rationale 题目解析 试题解析 解释 分析 analysis 详解 explain "
    "justification reason 理由 solution",
    "kind": "kind 题型 type questiontype 题目类型 类型",
    "level": "level 认知水平 认知层次 认知层级 cognitivelevel bloom bloomlevel 水平 层次",
    "case": "case 案例 background 背景 案例材料 背景材料 材料 情境 scenario vignette passage context 案例背景 共用题干 "
    "casestudy casedescription 阅读材料 题干材料 案例描述 sharedcase",
    "serial": "id number no 题号 序号 num index questionnumber questionid 编号",
}
PARTS: dict[str, Part] = {name: part for part, names in _NAMES.items() for name in names.split()}
_RANK = {name: n for names in _NAMES.values() for n, name in enumerate(names.split())}

KIND_WORDS = {
    "理论": "theory",
    "案例": "case_study",
    "计算": "calculation",
    "case": "case_study",
    "theoretical": "theory",
    "computation": "calculation",
}
LEVEL_WORDS = {
    "识记": "recall",
    "记忆": "recall",
    "回忆": "recall",
    "remember": "recall",
    "理解": "understand",
    "understanding": "understand",
    "应用": "apply",
    "运用": "apply",
    "application": "apply",
    "分析": "analyse",
    "analyze": "analyse",
    "analysis": "analyse",
}


def folded(name: str) -> str:
    """A name as the tables spell it: no width, case, blanks, joints."""
    plain = unicodedata.normalize("NFKC", name).casefold()
    return "".join(c for c in plain if c not in " _-:.*\t\n()[]【】")


def part_of(name: str) -> Part | None:
    """The part a name stands for; None when it stands for none."""
    return PARTS.get(folded(name))


def rank_of(name: str) -> int:
    """Place of a name among the names of its part; lower is surer."""
    return _RANK.get(folded(name), 99)


def option_letter(name: str) -> str:
    """The capital letter that a name such as `A`, `option_b`, `选项Ｃ`, `(d)` ends in; empty when it is no label."""
    plain = folded(name)
    for lead in ("option", "choice", "选项", "answer"):
        plain = plain.removeprefix(lead)
    plain = plain.strip("、,)）（(")
    return plain.upper() if len(plain) == 1 and plain in "abcdefgh" else ""
