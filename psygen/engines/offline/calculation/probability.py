"""Calculation questions on the addition rule and the multiplication rule of probability.

Probabilities are written as decimals; drawing is with or without replacement as the stem says; a guessed
answer falls on each option with equal probability.
"""

import random

from psygen.engines.offline.figures import plain, proper
from psygen.engines.offline.guards import settled
from psygen.engines.offline.problem import (
    Family,
    Problem,
    Redraw,
    number,
    numeric_choice,
    text_choice,
)


def union_of_symptoms(rng: random.Random, rank: int) -> Problem:
    """Find P(A or B) from counts that overlap: $P(A)+P(B)-P(AB)$."""
    n = rng.choice((80, 120, 150, 200, 250))
    a, b = rng.randint(n // 6, n // 3), rng.randint(n // 6, n // 3)
    both = rng.randint(n // 20, min(a, b) - n // 20)
    key = settled((a + b - both) / n, 2)
    mistakes = proper(
        [
            ((a + b) / n, "当作互斥事件直接相加，没有减去两者皆有的部分"),
            ((a + b - 2 * both) / n, "把两者皆有的部分减了两次，求成恰有一项的概率"),
            (1 - (a + b - both) / n, "求成两项都没有的概率"),
            (a * b / n**2, "误用乘法定理"),
            (a / n + b / n - a * b / n**2, "当作独立事件，用两概率之积代替$P(AB)$"),
            ((a + b + both) / n, "把两者皆有的部分又加了一次"),
            (both / n, "求成两项皆有的概率"),
            (max(a, b) / n, "只取了较大的一个概率"),
        ]
    )
    first, second = rng.choice((("失眠", "头痛"), ("拖延", "考试焦虑"), ("近视", "脊柱不适")))
    stem = (
        f"在{n}名学生的健康普查中，有{first}问题的{a}人，有{second}问题的{b}人，两种问题都有的{both}人。"
        "从中随机抽取1人，他至少有一种问题的概率（保留两位小数）为（　　）。"
    )
    steps = (
        f"两事件相容，$P(A\\cup B)=P(A)+P(B)-P(AB)=({a}+{b}-{both})\\div {n}={a + b - both}\\div {n}$，"
        f"即{number(key, 2)}"
    )
    return Problem("find", stem, numeric_choice(key, mistakes, rank), steps)


def exclusive_grades(rng: random.Random, rank: int) -> Problem:
    """Find the probability that at least one of two draws hits one of several exclusive grades."""
    parts = [rng.randint(1, 7), rng.randint(2, 7), rng.randint(2, 7)]
    if not 2 <= 20 - sum(parts) <= 9:
        raise Redraw
    shares = [part / 20 for part in (*parts, 20 - sum(parts))]
    p = shares[0] + shares[1]
    key = settled(2 * p * (1 - p), 4)
    mistakes = proper(
        [
            (p * (1 - p), "漏算了两种先后次序，没有相加"),
            (p * p, "求成两人都属于前两类的概率"),
            (1 - (1 - p) ** 2, "求成至少一人属于前两类的概率"),
            (2 * shares[0] * shares[1], "把前两类的概率相乘而不是相加"),
            (p, "只考虑了一个人"),
            ((1 - p) ** 2, "求成两人都不属于前两类的概率"),
            (2 * shares[0] * (1 - shares[0]), "只把第一类算作前两类"),
            (1 - p, "求成一个人不属于前两类的概率"),
        ]
    )
    names = rng.choice((("多血质", "胆汁质", "黏液质", "抑郁质"), ("视觉型", "听觉型", "动觉型", "混合型")))
    shown = "、".join(f"{name}{plain(s)}" for name, s in zip(names, shares, strict=True))
    stem = (
        f"某地青年在一项类型测验中各类型的概率为：{shown}，每人只属于一种类型。独立地随机抽取2人，"
        f"恰有1人属于{names[0]}或{names[1]}的概率（保留四位小数）为（　　）。"
    )
    steps = (
        f"两类互斥，$P(A)={plain(shares[0])}+{plain(shares[1])}={plain(p)}$；“恰有1人”含两种互斥情形，"
        f"概率为{plain(p)}×{plain(1 - p)}+{plain(1 - p)}×{plain(p)}={number(key, 4)}"
    )
    return Problem("find", stem, numeric_choice(key, mistakes, rank, decimals=4), steps)


def only_one_event(rng: random.Random, rank: int) -> Problem:
    """Find P(A without B) from P(A), P(B) and the probability of neither: $P(A\\cup B)-P(B)$."""
    a, b = rng.randint(25, 60) / 100, rng.randint(25, 60) / 100
    both = rng.randint(8, 20) / 100
    neither = 1 - (a + b - both)
    if neither < 0.1 or abs(a - b) < 0.03 or abs(both - a * b) < 0.02:
        raise Redraw
    key = a - both
    mistakes = proper(
        [
            (both, "求成两者皆有的概率"),
            (b - both, "求成只有后者的概率"),
            (a * (1 - b), "当作独立事件，用$P(A)[1-P(B)]$"),
            (a, "求成有前者的概率，没有减去两者皆有的部分"),
            (a + b - 2 * both, "求成恰有一项的概率"),
            (a + b - both, "求成至少有一项的概率"),
            (a - neither, "误减去了两者皆无的概率"),
            (1 - neither - a, "误减去了前者的概率"),
            (a * b, "当作独立事件求两者皆有的概率"),
        ]
    )
    first, second = rng.choice((("心理咨询", "团体辅导"), ("冥想练习", "有氧锻炼"), ("线上课程", "线下讲座")))
    stem = (
        f"调查显示，某校学生参加过{first}的概率为{number(a, 2)}，参加过{second}的概率为{number(b, 2)}，"
        "两种都没有参加过的"
        f"概率为{number(neither, 2)}。随机抽取1名学生，他只参加过{first}而没有参加过{second}的概率"
        "（保留两位小数）为（　　）。"
    )
    steps = (
        f"$P(A\\cup B)=1-{number(neither, 2)}={number(1 - neither, 2)}$；"
        f"$P(AB)={number(a, 2)}+{number(b, 2)}-{number(1 - neither, 2)}={number(both, 2)}$；"
        f"$P(A)-P(AB)$，即{number(key, 2)}"
    )
    return Problem("missing", stem, numeric_choice(key, mistakes, rank), steps, "analyse")


RELATIONS = {
    (True, True): "两事件互斥，且相互独立",
    (True, False): "两事件互斥，但不相互独立",
    (False, True): "两事件不互斥，但相互独立",
    (False, False): "两事件不互斥，也不相互独立",
}
"""The four conclusions by (exclusive, independent); the first cannot be, as neither event has probability 0."""


def relation_of_events(rng: random.Random, rank: int) -> Problem:
    """Decide from P(A or B) whether two events exclude each other and whether they are independent."""
    a, b = rng.choice((0.2, 0.3, 0.4, 0.5)), rng.choice((0.2, 0.25, 0.3, 0.4))
    both = rng.choice((0.0, a * b, a * b + rng.choice((0.04, 0.05, 0.06))))
    if both >= min(a, b) - 0.02:
        raise Redraw
    truth = (both == 0, both == a * b)
    reasons = {
        (True, True): "互斥与独立不能并存，把两者混为一谈",
        (True, False): "$P(AB)$不为零，两事件可以同时发生",
        (False, True): "没有正确求出$P(AB)$并与$P(A)P(B)$比较",
        (False, False): "没有正确求出$P(AB)$并与0和$P(A)P(B)$比较",
    }
    distractors = [(text, reasons[kind]) for kind, text in RELATIONS.items() if kind != truth]
    first, second = rng.choice((("答对甲题", "答对乙题"), ("选修甲课程", "选修乙课程"), ("报名甲社团", "报名乙社团")))
    stem = (
        f"随机抽取一名学生，设事件A为“{first}”，事件B为“{second}”，已知$P(A)={plain(a)}$，$P(B)={plain(b)}$，"
        f"$P(A\\cup B)={plain(a + b - both)}$。由概率的加法定理和乘法定理推断，正确的是（　　）。"
    )
    steps = (
        rf"$P(AB)=P(A)+P(B)-P(A\cup B)={plain(both)}$，{'' if both else '恰'}{'不' if both else ''}为零；"
        f"$P(A)P(B)={plain(a * b)}$，与$P(AB)${'相等' if truth[1] else '不相等'}，故{RELATIONS[truth]}"
    )
    return Problem("decide", stem, text_choice(RELATIONS[truth], distractors, rank), steps, "analyse")


def union_exclusive_or_independent(rng: random.Random, rank: int) -> Problem:
    """Compare P(A or B) for exclusive and for independent events: the difference is P(A) P(B)."""
    a, b = rng.choice((0.2, 0.25, 0.3, 0.35, 0.4)), rng.choice((0.3, 0.35, 0.4, 0.45, 0.5))
    key = settled(a * b, 4)
    mistakes = proper(
        [
            (a + b - a * b, "求成相互独立时至少发生一个的概率"),
            (a + b, "求成互斥时至少发生一个的概率"),
            ((1 - a) * (1 - b), "求成相互独立时都不发生的概率"),
            (a * b / 2, "误把差值平分到两个事件"),
            (abs(a - b) if a != b else a / 2, "误以两个概率之差作答"),
            (a * a * b, "误把其中一个概率平方"),
            (a * b * b, "误把后一个概率平方"),
            (2 * a * b, "把同时发生的概率减了两次"),
        ]
    )
    pairs = (("漏看信号甲", "漏看信号乙"), ("答错甲题", "答错乙题"), ("选中甲方案", "选中乙方案"))
    first, second = rng.choice(pairs)
    stem = (
        f"已知“{first}”的概率为{plain(a)}，“{second}”的概率为{plain(b)}。两事件互斥时至少发生一个的概率，"
        "比两事件相互独立时至少发生一个的概率大（保留四位小数）（　　）。"
    )
    steps = (
        f"互斥时为{plain(a)}+{plain(b)}={plain(a + b)}；独立时为{plain(a + b)}-{plain(a)}×{plain(b)}="
        f"{plain(a + b - a * b)}；相差{number(key, 4)}"
    )
    return Problem("compare", stem, numeric_choice(key, mistakes, rank, decimals=4), steps, "analyse")


# ---- multiplication rule ----


def guessing_with_one_right(rng: random.Random, rank: int) -> Problem:
    """Find P(all true-false items right and at least one choice item right): $0.5^m [1-(1-1/c)^k]$."""
    m, k, options = rng.choice((1, 2, 3)), rng.choice((2, 3, 4)), rng.choice((3, 4, 5))
    half, hit, miss = 0.5**m, 1 / options, 1 - 1 / options
    key = settled(half * (1 - miss**k), 4)
    mistakes = proper(
        [
            (half * k * hit, "把各选择题猜对的概率直接相加，没有考虑同时猜对"),
            (half * hit**k, "求成全部题目都猜对的概率"),
            (half * miss**k, "求成选择题全部猜错的概率，漏用1去减"),
            (half * k * hit * miss ** (k - 1), "只求了恰好猜对1道选择题的情形"),
            (half * hit, "只考虑了一道选择题"),
            (1 - miss**k, "漏乘是非题的概率"),
            (half + (1 - miss**k), "两部分的概率误作相加"),
            (half * (1 - hit**k), "求成选择题不全对的概率"),
            (0.5 * (1 - miss**k), "是非题只算了一道"),
            ((1 - half) * (1 - miss**k), "误用是非题不全对的概率"),
        ]
    )
    subject = rng.choice(("普通心理学小测", "职业资格模拟卷", "阅读理解练习"))
    stem = (
        f"某{subject}有是非题{m}道和{options}选1的单项选择题{k}道。一名考生全凭猜测作答，各题互不影响，"
        f"他的是非题{'全部猜对' if m > 1 else '猜对'}并且选择题至少猜对1道的概率（保留四位小数）为（　　）。"
    )
    steps = (
        f"各题相互独立；选择题至少猜对1道的概率为$1-(1-\\frac{{1}}{{{options}}})^{{{k}}}"
        f"={number(1 - miss**k, 4)}$；"
        f"$P=(\\frac{{1}}{{2}})^{{{m}}}\\times {number(1 - miss**k, 4)}$，即{number(key, 4)}"
    )
    return Problem("find", stem, numeric_choice(key, mistakes, rank, decimals=4), steps)


def second_event_back(rng: random.Random, rank: int) -> Problem:
    """Find P(B) for independent events from P(A) and the probability of at least one: $1-(1-u)/(1-a)$."""
    a, b = rng.choice((0.2, 0.3, 0.4, 0.5, 0.6)), rng.choice((0.2, 0.25, 0.3, 0.35, 0.4, 0.5, 0.6, 0.7))
    union = a + b - a * b
    if a == b:
        raise Redraw
    mistakes = proper(
        [
            (union - a, "当作互斥事件，用加法定理直接相减"),
            (union / a, "误用两概率之商"),
            (1 - union, "求成两人都没有识别的概率"),
            (union * a, "误用两概率之积"),
            ((1 - union) / (1 - a), "求得乙没有识别的概率后漏用1去减"),
            (a * b, "求成两人都识别的概率"),
            (1 - (1 - union) * (1 - a), "把除法误作乘法"),
            (union * (1 - a), "误乘甲没有识别的概率"),
            (union, "把至少一人识别的概率当作乙的概率"),
            (a / union, "误用甲的概率除以至少一人的概率"),
        ]
    )
    what = rng.choice(("识别伪装表情", "察觉阈下刺激", "发现录音中的异常音"))
    stem = (
        f"甲、乙两人互不影响地完成同一次任务，甲{what}的概率为{plain(a)}，"
        f"两人中至少有一人{what}的概率为{plain(union)}，"
        f"则乙{what}的概率（保留两位小数）为（　　）。"
    )
    steps = (
        f"设乙的概率为$p$，由独立性$1-{plain(union)}=(1-{plain(a)})(1-p)$，"
        f"$1-p={plain(1 - union)}\\div {plain(1 - a)}={plain(1 - b)}$，$p={number(b, 2)}$"
    )
    return Problem("missing", stem, numeric_choice(b, mistakes, rank), steps, "analyse")


def independence_in_counts(rng: random.Random, rank: int) -> Problem:
    """Decide from counts whether two events are independent: compare P(B|A) with P(B)."""
    n = rng.choice((200, 400, 500))
    a, b = n * rng.choice((20, 25, 40, 50)) // 100, n * rng.choice((30, 40, 60)) // 100
    both = a * b // n + rng.choice((0, 0, n // 20, -(n // 25)))
    if a == b or a * b % n or not 4 <= both < min(a, b) - 3:
        raise Redraw
    is_independent = both * n == a * b
    right, wrong = settled(both / a, 3), settled(both / b, 3)

    def verdict(share: float, independent: bool) -> str:
        return f"$P(B|A)={number(share, 3)}$，A与B{'相互独立' if independent else '并不独立'}"

    key = verdict(right, is_independent)
    distractors = [
        (verdict(right, not is_independent), "条件概率算对了，但没有正确地与$P(B)$比较"),
        (verdict(wrong, is_independent), "把条件弄反，求成了$P(A|B)$"),
        (verdict(wrong, not is_independent), "把条件弄反，又没有正确地比较"),
    ]
    first, second, joint = rng.choice(
        (
            ("独生子女", "住校生", "既是独生子女又是住校生"),
            ("理科生", "戴眼镜者", "既是理科生又戴眼镜"),
            ("修过心理学者", "社团成员", "既修过心理学又是社团成员"),
        )
    )
    stem = (
        f"某年级{n}名学生中，{first}有{a}人，{second}有{b}人，{joint}的有{both}人。随机抽取1人，"
        f"设A为“抽到{first}”，B为“抽到{second}”。求条件概率$P(B|A)$（保留三位小数），"
        f"并就这{n}人判断A与B是否独立，正确的是（　　）。"
    )
    steps = (
        f"$P(B|A)=\\frac{{P(AB)}}{{P(A)}}={both}\\div {a}={number(right, 3)}$，$P(B)={b}\\div {n}={plain(b / n)}$，"
        f"两者{'相等' if is_independent else '不相等'}，故{key}"
    )
    return Problem("decide", stem, text_choice(key, distractors, rank), steps, "analyse")


def with_and_without_replacement(rng: random.Random, rank: int) -> Problem:
    """Compare drawing two of a kind with and without replacement."""
    n = rng.randint(7, 15)
    k = rng.randint(3, n // 2 + 1)
    kept, put = k * (k - 1) / (n * (n - 1)), k * k / n**2
    key = settled(put - kept, 4, float(number(put, 5)) - float(number(kept, 5)))
    mistakes = proper(
        [
            (put, "求成放回时的概率，没有相减"),
            (kept, "求成不放回时的概率，没有相减"),
            (k / n - (k - 1) / (n - 1), "只比较了第二次抽取的概率"),
            (abs(put - k * (k - 1) / n**2), "不放回时第二次的分母没有减1"),
            (abs(put - k * k / (n * (n - 1))), "不放回时第二次的分子没有减1"),
            ((put - kept) * 2, "把差值重复计算了一次"),
            ((put - kept) / 2, "把两次抽取看作无序，误除以2"),
            (put - kept * (k - 2) / (n - 2) if k > 2 else put, "不放回时多乘了第三次抽取的概率"),
        ]
    )
    cards = rng.choice(("情绪词卡片", "面孔照片", "靶刺激卡片"))
    colour = {"情绪词卡片": "消极词", "面孔照片": "愤怒面孔", "靶刺激卡片": "红色靶"}[cards]
    stem = (
        f"{n}张{cards}中有{k}张是{colour}。从中随机依次抽取2张，若每次抽后放回，"
        f"两张都是{colour}的概率比抽后不放回时"
        "大（保留四位小数）（　　）。"
    )
    steps = (
        f"放回：$\\frac{{{k}}}{{{n}}}\\times\\frac{{{k}}}{{{n}}}={number(put, 5)}$；不放回："
        f"$\\frac{{{k}}}{{{n}}}\\times\\frac{{{k - 1}}}{{{n - 1}}}={number(kept, 5)}$；相差{number(key, 4)}"
    )
    return Problem("compare", stem, numeric_choice(key, mistakes, rank, decimals=4), steps, "analyse")


def two_stage_draw(rng: random.Random, rank: int) -> Problem:
    """Find the probability that two people drawn without replacement are one of each kind."""
    a, b = rng.sample(range(3, 13), 2)
    n = a + b
    exact = 2 * a * b / (n * (n - 1))
    key = settled(exact, 3)
    mistakes = proper(
        [
            (exact / 2, "只考虑了一种先后次序"),
            (2 * a * b / n**2, "当作抽后放回"),
            (a * b / n**2, "当作抽后放回，又只考虑一种先后次序"),
            (1 - exact, "求成两人同类的概率"),
            (a * (a - 1) / (n * (n - 1)), "求成两人都是前一类的概率"),
            (1 - b * (b - 1) / (n * (n - 1)), "求成至少有一人是前一类的概率"),
            (1 - a * (a - 1) / (n * (n - 1)), "求成至少有一人是后一类的概率"),
            (a / n, "只求了第一次抽取的概率"),
        ]
    )
    first, second = rng.choice((("实验组", "对照组"), ("新手", "专家"), ("男被试", "女被试")))
    stem = (
        f"被试名册上有{first}{a}人、{second}{b}人。从中随机依次抽取2人（抽后不放回）参加访谈，"
        f"抽到{first}、{second}各1人的概率（保留三位小数）为（　　）。"
    )
    steps = (
        f"两种次序互斥：$2\\times\\frac{{{a}}}{{{n}}}\\times\\frac{{{b}}}{{{n - 1}}}=\\frac{{{2 * a * b}}}"
        f"{{{n * (n - 1)}}}$，即{number(key, 3)}"
    )
    return Problem("find", stem, numeric_choice(key, mistakes, rank, decimals=3), steps)


FAMILIES: dict[str, list[Family]] = {
    "addition-rule": [
        union_of_symptoms,
        exclusive_grades,
        only_one_event,
        relation_of_events,
        union_exclusive_or_independent,
    ],
    "multiplication-rule": [
        guessing_with_one_right,
        two_stage_draw,
        second_event_back,
        independence_in_counts,
        with_and_without_replacement,
    ],
}
