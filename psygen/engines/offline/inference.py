"""What the families of estimation and testing share: stories, table notes, and two kinds of options.

Table values are printed in the stem and used exactly as printed. Stories stand in pools: each family of a
concept takes its own pool, so that the questions of one concept do not share a story.
"""

import random
import re
from collections.abc import Callable, Sequence
from typing import NamedTuple

from psygen.engines.offline.figures import plain
from psygen.engines.offline.guards import exceeds
from psygen.engines.offline.problem import Choice, Mistake, Redraw, is_far, number, text_choice
from psygen.engines.offline.tables import normal_area, t_critical, z_critical


class Measure(NamedTuple):
    """A population, a variable measured in it, and plausible values."""

    who: str
    what: str
    unit: str
    mean: int
    sd: int

    @property
    def people(self) -> str:
        """Who is measured, without the place: for "12名…"."""
        return re.sub("^某(地区|区|校|市)?", "", self.who)


class Contrast(NamedTuple):
    """Two groups or conditions and the variable they are compared on."""

    one: str
    other: str
    what: str
    unit: str


ABILITY = (
    Measure("某地区8岁儿童", "认知能力测验得分", "分", 100, 15),
    Measure("某职业学校新生", "空间能力测验得分", "分", 60, 12),
    Measure("某区小学四年级学生", "瑞文推理测验得分", "分", 40, 8),
    Measure("某校高一学生", "创造性思维测验得分", "分", 75, 10),
)
EMOTION = (
    Measure("某高校大一新生", "状态焦虑量表得分", "分", 45, 9),
    Measure("某企业员工", "工作倦怠量表得分", "分", 52, 12),
    Measure("某社区老年人", "抑郁自评量表得分", "分", 41, 8),
    Measure("某中学住校生", "孤独感量表得分", "分", 44, 10),
)
SPEED = (
    Measure("某驾校学员", "选择反应时", "毫秒", 420, 60),
    Measure("某航校学员", "简单反应时", "毫秒", 260, 40),
    Measure("某校篮球队员", "视觉搜索反应时", "毫秒", 540, 72),
    Measure("某校大学生", "Stroop任务反应时", "毫秒", 680, 90),
)
SCHOOL = (
    Measure("某区初三学生", "数学学业水平测验成绩", "分", 72, 12),
    Measure("某校五年级学生", "阅读理解测验成绩", "分", 68, 10),
    Measure("某校高二学生", "英语词汇测验成绩", "分", 80, 12),
    Measure("某市六年级学生", "科学素养测验成绩", "分", 64, 9),
)
SOCIAL = (
    Measure("某师范院校学生", "共情量表得分", "分", 58, 10),
    Measure("某幼儿园大班儿童", "亲社会行为评定得分", "分", 36, 6),
    Measure("某校学生干部", "社会支持量表得分", "分", 42, 8),
    Measure("某公司中层管理者", "变革型领导问卷得分", "分", 66, 9),
)

TRAINED = (
    Contrast("正念训练组", "等待对照组", "注意力测验得分", "分"),
    Contrast("工作记忆训练组", "常规活动组", "推理测验得分", "分"),
    Contrast("自我肯定组", "中性写作组", "自尊量表得分", "分"),
)
TAUGHT = (
    Contrast("探究教学班", "讲授教学班", "物理测验成绩", "分"),
    Contrast("分散学习组", "集中学习组", "单词测验成绩", "分"),
    Contrast("同伴互教组", "独立自学组", "数学测验成绩", "分"),
)
HASTENED = (
    Contrast("睡眠剥夺组", "正常睡眠组", "选择反应时", "毫秒"),
    Contrast("双任务组", "单任务组", "视觉搜索反应时", "毫秒"),
    Contrast("新手组", "专家组", "图形匹配反应时", "毫秒"),
)
COMPARED = (
    Contrast("城市学生", "农村学生", "社会支持量表得分", "分"),
    Contrast("女生", "男生", "共情量表得分", "分"),
    Contrast("独生子女", "非独生子女", "独立性量表得分", "分"),
)
SOOTHED = (
    Contrast("音乐放松组", "安静休息组", "积极情绪量表得分", "分"),
    Contrast("团体辅导组", "未辅导组", "人际信任量表得分", "分"),
    Contrast("运动干预组", "控制组", "主观幸福感得分", "分"),
)

REPEATED_SKILL = (
    Contrast("训练后", "训练前", "记忆广度测验得分", "分"),
    Contrast("练习后", "练习前", "镜画任务得分", "分"),
    Contrast("学习策略指导后", "学习策略指导前", "阅读测验成绩", "分"),
)
REPEATED_MOOD = (
    Contrast("辅导后", "辅导前", "自信心量表得分", "分"),
    Contrast("放松训练后", "放松训练前", "积极情绪得分", "分"),
    Contrast("心理课程结束后", "心理课程开始前", "心理韧性量表得分", "分"),
)
REPEATED_SPEED = (
    Contrast("噪音条件", "安静条件", "选择反应时", "毫秒"),
    Contrast("不一致条件", "一致条件", "Stroop反应时", "毫秒"),
    Contrast("双耳分听条件", "单耳听条件", "辨认反应时", "毫秒"),
)
REPEATED_RECALL = (
    Contrast("深加工条件", "浅加工条件", "回忆成绩", "分"),
    Contrast("有线索条件", "无线索条件", "再现成绩", "分"),
    Contrast("图片材料", "文字材料", "再认成绩", "分"),
)
MATCHED = (
    Contrast("新教法", "旧教法", "语文测验成绩", "分"),
    Contrast("反馈组", "无反馈组", "操作成绩", "分"),
    Contrast("奖励组", "无奖励组", "坚持性得分", "分"),
)

RELATED = (
    ("高中生", "学习投入", "学业成绩"),
    ("大学生", "自我效能感", "职业决策得分"),
    ("企业员工", "工作满意度", "组织承诺"),
    ("初中生", "父母情感温暖", "自尊水平"),
    ("老年人", "社会参与度", "生活满意度"),
    ("小学生", "语音意识", "识字量"),
    ("护士", "共情疲劳", "职业倦怠"),
    ("运动员", "意志品质", "比赛成绩"),
    ("研究生", "导师支持", "科研产出"),
    ("飞行学员", "空间定向能力", "模拟飞行成绩"),
)


Z_LINES = (1.645, 1.96, 2.33, 2.58)
"""Critical values of Z that somebody may hold against a t."""


class Reading(NamedTuple):
    """One option of a decision: how it reads, and which way it falls."""

    text: str
    rejects: bool


def area_note(z: float) -> str:
    """The table's area between the mean and `z` as the stem gives it."""
    return f"Z={z:.2f}时p={normal_area(z):.5f}"


def z_text(critical: float) -> str:
    """A critical value of Z as printed in tables: 1.645, otherwise two decimals."""
    return "1.645" if critical == 1.645 else f"{critical:.2f}"


def z_note(alpha: float, tails: int) -> str:
    """The table value of Z as the stem gives it."""
    share = f"{plain(alpha)}/2" if tails == 2 else plain(alpha)
    return f"$Z_{{{share}}}={z_text(z_critical(alpha, tails))}$"


def t_note(df: int, alpha: float, tails: int) -> str:
    """The table value of t as the stem gives it."""
    share = f"{plain(alpha)}/2" if tails == 2 else plain(alpha)
    return f"$t_{{{share}}}({df})={t_critical(df, alpha, tails):.3f}$"


def check_spread(measure: Measure, sd: float) -> None:
    """Raises Redraw when people could hardly differ by so much, or so little, on the measure."""
    if not 0.55 * measure.sd <= sd <= 1.7 * measure.sd:
        raise Redraw


def neat_deviations(rng: random.Random, n: int, spread: int) -> list[int]:
    """`n` whole deviations, none above `spread`, that sum to nought."""
    for _ in range(200):
        deviations = [rng.randint(-spread, spread) for _ in range(n - 1)]
        last = -sum(deviations)
        if abs(last) <= spread and len({*deviations, last}) > n // 2:
            return [*deviations, last]
    raise AssertionError("whole deviations always exist")


def count_choice(key: int, mistakes: Sequence[Mistake], rank: int, unit: str = "") -> Choice:
    """Four whole numbers in ascending order with the key at `rank`; a difference of one is enough."""
    possible = [m._replace(value=round(m.value)) for m in mistakes if m.value >= 0.5]
    return spaced_choice(key, possible, rank, gap=1, decimals=0, unit=unit)


def spaced_choice(
    key: float, mistakes: Sequence[Mistake], rank: int, *, gap: float, decimals: int = 2, unit: str = ""
) -> Choice:
    """Like `numeric_choice`, with the least distance between options given instead of 2 % of the key.

    For exact counts, and for the limits of an interval, where the distance from the mean is what was computed.
    """
    below: list[Mistake] = []
    above: list[Mistake] = []
    for mistake in sorted(mistakes, key=lambda m: is_far(m.value, key)):
        if any(abs(mistake.value - v) < gap - 1e-9 for v in (key, *(m.value for m in below + above))):
            continue
        (below if mistake.value < key else above).append(mistake)
    if len(below) < rank or len(above) < 3 - rank:
        raise Redraw
    chosen = below[:rank] + above[: 3 - rank]
    shown = [number(v, decimals) + unit for v in sorted([key, *(m.value for m in chosen)])]
    notes = "；".join(f"{number(m.value, decimals)}{unit}是{m.why}的结果" for m in chosen) + "。"
    return Choice((shown[0], shown[1], shown[2], shown[3]), rank, True, notes)


def crossed_decision(
    rng: random.Random,
    read: Callable[[float, float], Reading],
    first: tuple[float, Sequence[Mistake]],
    second: tuple[float, Sequence[Mistake]],
    rank: int,
) -> Choice:
    """Four decisions from a right and a wrong value of each of two quantities, each consistent in itself.

    first, second: the right value and its mistakes (say the statistic and the critical value).
    Each value stands twice and two options fall each way, so counting repetitions gives nothing away.
    Raises Redraw when no pair of mistakes splits the four two and two.
    """
    pairs = [(a, b) for a in first[1] for b in second[1]]
    rng.shuffle(pairs)
    for a, b in pairs:
        try:
            key, *wrong = (read(x, y) for x, y in _corners(first[0], a.value, second[0], b.value))
        except Redraw:
            continue
        if sum(r.rejects for r in (key, *wrong)) == 2 and len({key.text, *(r.text for r in wrong)}) == 4:
            reasons = (a.why, b.why, f"{a.why}，并且{b.why}")
            distractors = [(r.text, why) for r, why in zip(wrong, reasons, strict=True)]
            rng.shuffle(distractors)
            return text_choice(key.text, distractors, rank)
    raise Redraw


def _corners(x: float, x_wrong: float, y: float, y_wrong: float) -> list[tuple[float, float]]:
    return [(x, y), (x_wrong, y), (x, y_wrong), (x_wrong, y_wrong)]


def even_out(rng: random.Random, choice: Choice, often: str, keep: float) -> Choice:
    """The choice, or Redraw with probability 1 - keep when its key says what keys of this family say too often."""
    if often in choice.options[choice.key] and rng.random() >= keep:
        raise Redraw
    return choice


def z_verdict(statistic: float, critical: float) -> Reading:
    """The decision of a Z test, by the printed value of Z."""
    rejects = exceeds(statistic, critical)
    return _verdict("Z", number(abs(statistic), 2), z_text(critical), rejects)


def t_verdict(statistic: float, critical: float) -> Reading:
    """The decision of a t test, by the printed value of t; the line may wrongly be one of Z."""
    rejects = exceeds(statistic, critical)
    shown = z_text(critical) if critical in Z_LINES else f"{critical:.3f}"
    return _verdict("t", number(abs(statistic), 2), shown, rejects)


def _verdict(symbol: str, statistic: str, critical: str, rejects: bool) -> Reading:
    sign, action = (">", "拒绝") if rejects else ("<", "保留")
    return Reading(f"$|{symbol}|={statistic}{sign}{critical}$，{action}虚无假设", rejects)


def interval_verdict(center: float, norm: float, unit: str = "") -> Callable[[float, float], Reading]:
    """The decision read off an interval: `norm` outside means a significant difference.

    The returned function takes (standard error, critical value). Redraw when `norm` is nearly on a limit.
    """

    def read(error: float, critical: float) -> Reading:
        half = error * critical
        rejects = exceeds(center - norm, half)
        ends = f"[{number(center - half, 2)}，{number(center + half, 2)}]{unit}"
        says = "不含" if rejects else "包含"
        return Reading(f"{ends}，{says}{plain(norm)}，差异{'达到' if rejects else '未达'}显著", rejects)

    return read
