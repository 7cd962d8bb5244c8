"""Every dress of numbers, options, answers and explanations with every other: they read alike, and cuts harm nothing."""
# ruff: noqa: E501  (tables of cases read better unbroken)

import random
from collections.abc import Sequence

import pytest

from psygen.replies.read import read_reply
from tests.replies.layouts import ENGLISH, FOUR, HAN, Q, meant, read

WIDE = dict(zip("ABCD", "ＡＢＣＤ", strict=True))
# fmt: off
NUMBERS = ["{n}. {s}","{n}、{s}","{n}．{s}","（{n}）{s}","({n}) {s}","{n}) {s}","第{n}题：{s}","第{h}题\n{s}","第{h}题：{s}","**题目{n}**\n{s}","**题目{n}：** {s}","题目{h}：{s}","### {n}\n{s}","### {n}. {s}","## 题目 {n}\n\n{s}","**{n}.** {s}","**{n}. {s}**","**{n}、{s}**","Question {n}: {s}","**Question {n}**\n\n{s}","Q{n}. {s}","Q{n}: {s}","【题目{n}】{s}","【{n}】{s}","[{n}] {s}","**第{n}题**（单选题）\n{s}","#### 第 {n} 题\n**题干**：{s}","**{n}. （理论题）** {s}","题{n}：{s}","{n}. **题干：** {s}","{n}. 【单选题】{s}","- **题目{n}**：{s}","选择题{n}：{s}","试题{n}. {s}","问题{n}：{s}", "### **{n}. {s}**"]
OPTIONS = ["{a}. {o}","{a}、{o}","{a}．{o}","{a}: {o}","{a}：{o}","（{a}）{o}","({a}) {o}","{w}．{o}","{w}、{o}","{w}：{o}","（{w}）{o}","{a}) {o}","{a}）{o}","- {a}. {o}","- **{a}.** {o}","* {a}. {o}","**{a}.** {o}","**{a}**. {o}","**{a}. **{o}","- ({a}) {o}","   {a}. {o}","> {a}. {o}","【{a}】{o}","[{a}] {o}","{a}.{o}","{w}.{o}","| {a} | {o} |", "- [ ] {a}. {o}","{a}\t{o}","**{a}** {o}"]
ANSWERS = ["答案：{k}","【答案】{k}","【答案】：{k}","正确答案：({k})","正确答案：（{k}）","**答案：** {k}","**答案：{k}**","**答案**：{k}","**正确答案**：**{k}**","Answer: {k}","**Answer:** {k}","Correct Answer: ({k})","参考答案 {k}","参考答案：{k}。","答案是{k}","答案为：{k}","【正确答案】{w}","答案: {w}","答案:{k}","- **答案**：{k}","✅ 答案：{k}","**【答案】** {k}","正确选项：{k}","答案：选项{k}","答案：{k}. {t}","答案：{k}（{t}）","**正确答案：{k}. {t}**","答案\n{k}","### 答案\n{k}","标准答案：{k}","[答案] {k}","> 答案：{k}","The correct answer is {k}.","Answer: {k}) {t}","**Correct Answer: {k}**"]
EXPLANATIONS = ["解析：{e}","【解析】{e}","【解析】：{e}","**解析**：{e}","**解析：** {e}","答案解析：{e}","Explanation: {e}","**Explanation:** {e}","Rationale: {e}","解析:\n{e}","**解析：**\n\n{e}","### 解析\n{e}","- **解析**：{e}","分析：{e}","【答案解析】{e}","题目解析：{e}","解释：{e}","> 解析：{e}","详解：{e}","[解析] {e}"]
BETWEEN = ["\n\n","\n","\n\n---\n\n","\n\n***\n\n"]
LINES = ["\n","\n\n"]
# fmt: on


def rendered(questions: Sequence[Q], chance: random.Random) -> str:
    """The questions in one dress drawn by chance."""
    number, option, answer, explanation = (chance.choice(c) for c in (NUMBERS, OPTIONS, ANSWERS, EXPLANATIONS))
    between, line, blank = chance.choice(BETWEEN), chance.choice(LINES), chance.choice(LINES)
    is_explained_first = chance.random() < 0.3
    pieces: list[str] = []
    for n, q in enumerate(questions, 1):
        options = line.join(option.format(a=a, w=WIDE[a], o=o) for a, o in zip("ABCD", q.options, strict=True))
        behind = [
            answer.format(k=q.letter, w=WIDE[q.letter], t=q.options[q.key]),
            explanation.format(e=q.explanation),
        ]
        parts = [number.format(n=n, h=HAN[n - 1], s=q.stem), options, *behind[:: -1 if is_explained_first else 1]]
        pieces.append(blank.join(parts))
    return between.join(pieces)


def drawn(seed: int) -> tuple[list[Q], str]:
    chance = random.Random(seed)
    questions = list(ENGLISH) if chance.random() < 0.25 else chance.sample(FOUR, chance.choice([1, 2, 4]))
    return questions, rendered(questions, chance)


@pytest.mark.parametrize("seed", range(250))
def test_any_dress_reads_alike(seed: int) -> None:
    questions, text = drawn(seed)
    found = read_reply(text)
    assert read(found.drafts) == meant(questions), text
    assert not any(d.fault for d in found.drafts)


@pytest.mark.parametrize("seed", range(1000, 1040))
def test_a_cut_in_any_dress_damages_nothing(seed: int) -> None:
    questions, text = drawn(seed)
    chance = random.Random(seed)
    for cut in chance.sample(range(len(text)), 40):
        kept = read([d for d in read_reply(text[:cut], is_complete=False).drafts if not d.fault])
        assert kept == meant(questions)[: len(kept)], text[:cut]
