"""The same questions as JSON and as text, in the layouts that models and people use."""
# ruff: noqa: E501  (tables of cases read better unbroken)

import json
from collections.abc import Callable, Sequence
from typing import NamedTuple

from psygen.records.item import Draft

HAN = "一二三四五六七八九十"


class Q(NamedTuple):
    """A question as it was meant."""

    stem: str
    options: tuple[str, str, str, str]
    key: int
    explanation: str = ""

    @property
    def letter(self) -> str:
        return "ABCD"[self.key]


def meant(questions: Sequence[Q]) -> list[tuple[object, ...]]:
    return [(q.stem, q.options, (q.key,), q.explanation) for q in questions]


def read(drafts: Sequence[Draft]) -> list[tuple[object, ...]]:
    return [(d.stem, d.options, d.key, d.explanation) for d in drafts]


FOUR = (
    Q(
        "巴甫洛夫的实验中，铃声在与食物多次配对之后单独引起唾液分泌。此时铃声属于（　）",
        ("无条件刺激", "条件刺激", "中性刺激", "辨别性刺激"),
        1,
        "铃声原为中性刺激，与食物配对后成为条件刺激。食物才是无条件刺激。",
    ),
    Q(
        "研究者把 A、B、C、D 四组被试的成绩作方差分析，$F(3, 36) = 4.38$，$p = 0.01$。下列说法：\n1. 至少两组均值不同；\n"
        "2. 四组两两不同；\n3. 效应量未知。\n其中正确的是",
        ("1和3", "1和2", "2和3", "只有2"),
        0,
        "逐条说明：\n1. $F$ 检验显著只说明至少有两组均值不同。\n2. 两两不同须作事后检验，故不对。\n3. 题中没有给出 $\\eta^2$。",
    ),
    Q(
        "弗里德曼与罗森曼提出的A型行为，其核心成分是什么？",
        ("敌意与时间紧迫感", "压抑 A. H. Maslow 所说的需要", "社交焦虑", "B型人的放松"),
        0,
        "敌意与冠心病的关系最稳定；“A-B-A设计”与此无关。\n\n社交焦虑常见于C型之外的人群，得分约1.96个标准差。",
    ),
    Q(
        "已知 $\\bar{X}=100$，$\\sigma=15$，某人得分 $X=130$，则其 $z$ 分数与百分等级 $\\frac{A}{B}$ 约为",
        ("1.00，84", "1.96，97.5", "2.00，97.7", "$\\frac{3}{2}$，93.3"),
        2,
        "由 $z=\\frac{X-\\mu}{\\sigma}=\\frac{130-100}{15}=2.00$ 得 $97.7$。",
    ),
)

ENGLISH = (
    Q(
        "A researcher uses an A-B-A design. What does the second A phase show?",
        (
            "Whether the effect reverses",
            "How large the sample is",
            "That B. F. Skinner was right",
            "Test-retest reliability",
        ),
        0,
        "Withdrawing the treatment shows whether behaviour returns to baseline. Sample size is unrelated.",
    ),
    Q(
        "With $n = 25$ and $s = 10$, the standard error of the mean is",
        ("0.40", "2.00", "4.00", "10.00"),
        1,
        "It is $\\frac{s}{\\sqrt{n}} = \\frac{10}{5} = 2.00$.\n1. Dividing by n gives 0.40.\n2. Multiplying is wrong.",
    ),
)


def as_json(questions: Sequence[Q], indent: int | None = None) -> str:
    rows = [
        {"stem": q.stem, "options": list(q.options), "answer": q.letter, "explanation": q.explanation, "level": "apply"}
        for q in questions
    ]
    return json.dumps({"questions": rows}, ensure_ascii=False, indent=indent)


def _each(questions: Sequence[Q], one: Callable[[int, Q], str], between: str = "\n\n") -> str:
    return between.join(one(n, q) for n, q in enumerate(questions, 1))


def _lines(q: Q, form: str, between: str = "\n") -> str:
    return between.join(form.format(letter, o) for letter, o in zip("ABCD", q.options, strict=True))


def plain(questions: Sequence[Q]) -> str:
    return _each(
        questions, lambda n, q: f"{n}. {q.stem}\n{_lines(q, '{}. {}')}\n答案：{q.letter}\n解析：{q.explanation}"
    )


def comma(questions: Sequence[Q]) -> str:
    return "一、单项选择题\n" + _each(
        questions,
        lambda n, q: f"{n}、{q.stem}\n{_lines(q, '{}、{}')}\n正确答案：{q.letter}\n答案解析：{q.explanation}",
        "\n",
    )


def wide(questions: Sequence[Q]) -> str:
    wides = dict(zip("ABCD", "ＡＢＣＤ", strict=True))
    return _each(
        questions,
        lambda n, q: (
            f"（{n}）{q.stem}\n"
            + "\n".join(f"{wides[a]}．{o}" for a, o in zip("ABCD", q.options, strict=True))
            + f"\n【答案】{wides[q.letter]}\n【解析】{q.explanation}"
        ),
    )


def bold(questions: Sequence[Q]) -> str:
    return (
        "好的，以下是为您命制的题目：\n\n"
        + _each(
            questions,
            lambda n, q: (
                f"**题目{n}**\n\n{q.stem}\n\n{_lines(q, '- **{}.** {}')}\n\n**答案：** {q.letter}\n\n**解析：** {q.explanation}"
            ),
            "\n\n---\n\n",
        )
        + "\n\n---\n\n希望以上题目对您有帮助。"
    )


def headed(questions: Sequence[Q]) -> str:
    return _each(
        questions,
        lambda n, q: (
            f"### 第{HAN[n - 1]}题\n\n**题干：** {q.stem}\n\n**选项：**\n{_lines(q, '{}. {}')}\n\n"
            f"**正确答案：({q.letter})**\n\n**解析**：{q.explanation}"
        ),
    )


def bracketed(questions: Sequence[Q]) -> str:
    return _each(
        questions,
        lambda n, q: f"第{n}题：{q.stem}\n{_lines(q, '（{}）{}')}\n参考答案 {q.letter}\n【解析】\n{q.explanation}",
    )


def two_a_line(questions: Sequence[Q]) -> str:
    return _each(
        questions,
        lambda n, q: (
            f"{n}．{q.stem}\nA. {q.options[0]}    B. {q.options[1]}\nC. {q.options[2]}    D. {q.options[3]}\n"
            f"答案:{q.letter}。\n解析:{q.explanation}"
        ),
    )


def four_a_line(questions: Sequence[Q]) -> str:
    return _each(
        questions,
        lambda n, q: f"**{n}. {q.stem}**\n{_lines(q, '{}．{}', '　')}\n**答案**：{q.letter}\n**解析**：{q.explanation}",
    )


def explained_first(questions: Sequence[Q]) -> str:
    return _each(
        questions,
        lambda n, q: f"题目{HAN[n - 1]}：{q.stem}\n{_lines(q, '{}) {}')}\n解析：{q.explanation}\n答案：{q.letter}",
    )


def tabled(questions: Sequence[Q]) -> str:
    return _each(
        questions,
        lambda n, q: (
            f"## {n}. {q.stem}\n\n| 选项 | 内容 |\n|---|---|\n{_lines(q, '| {} | {} |')}\n\n"
            f"**答案**：{q.letter}\n\n**解析**：{q.explanation}"
        ),
    )


def answers_behind(questions: Sequence[Q]) -> str:
    return (
        _each(questions, lambda n, q: f"{n}. {q.stem}\n{_lines(q, '{}. {}')}")
        + "\n\n参考答案与解析\n\n"
        + _each(questions, lambda n, q: f"{n}. {q.letter}\n解析：{q.explanation}")
    )


def answers_in_brackets(questions: Sequence[Q]) -> str:
    return (
        _each(questions, lambda n, q: f"{n}. {q.stem}\n{_lines(q, '{}. {}')}")
        + "\n\n**答案：**\n"
        + _each(questions, lambda n, q: f"{n}. **{q.letter}**（解析：{q.explanation}）", "\n")
    )


def key_alone(questions: Sequence[Q]) -> str:
    return (
        _each(questions, lambda n, q: f"{n}. {q.stem}\n{_lines(q, '{}. {}')}")
        + "\n\nAnswers:\n"
        + _each(questions, lambda n, q: f"{n}) {q.letter} - {q.explanation}", "\n")
    )


def english(questions: Sequence[Q]) -> str:
    return "Sure! Here are the questions:\n\n" + _each(
        questions,
        lambda n, q: (
            f"**Question {n}:** {q.stem}\n\n{_lines(q, '{}) {}')}\n\n**Correct Answer: {q.letter}**\n\n"
            f"**Explanation:** {q.explanation}"
        ),
        "\n\n---\n\n",
    )


def english_plain(questions: Sequence[Q]) -> str:
    return _each(
        questions,
        lambda n, q: f"Q{n}. {q.stem}\n{_lines(q, '({}) {}')}\nAnswer: {q.letter}\nRationale: {q.explanation}",
    )


TEXTS: dict[str, Callable[[Sequence[Q]], str]] = {
    f.__name__: f
    for f in (
        plain, comma, wide, bold, headed, bracketed, two_a_line, four_a_line, explained_first, tabled, answers_behind,
        answers_in_brackets, key_alone, english, english_plain,
    )
}  # fmt: skip
