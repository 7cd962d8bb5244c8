"""Chi-square test of independence, as Chinese psychology statistics textbooks work it.

Conventions: chi-square = sum (f_o - f_e)^2 / f_e, never with Yates's correction unless the stem names it.
"""

import math
import random

from psygen.engines.offline.figures import carried_chi_sum, chi_sum
from psygen.engines.offline.guards import Ruling, decision_choice, exceeds, hand, patient, settled
from psygen.engines.offline.problem import Family, Mistake, Problem, Redraw, number, numeric_choice


def _expected(table: list[list[int]]) -> list[list[float]]:
    """Expected frequencies of a contingency table."""
    total = sum(map(sum, table))
    columns = [sum(row[j] for row in table) for j in range(len(table[0]))]
    return [[sum(row) * c / total for c in columns] for row in table]


def _flat_chi(table: list[list[int]]) -> tuple[float, float]:
    """chi-square exactly and with every term rounded."""
    observed = [o for row in table for o in row]
    expected = [e for row in _expected(table) for e in row]
    return chi_sum(observed, expected), carried_chi_sum(observed, expected)


def _independence_mistakes(table: list[list[int]]) -> list[Mistake]:
    """Wrong ways to chi-square in a contingency table."""
    observed, expected = [o for row in table for o in row], [e for row in _expected(table) for e in row]
    cells, total, columns = len(observed), sum(observed), len(table[0])
    pairs = list(zip(observed, expected, strict=True))
    by_row = [sum(row) / columns for row in table for _ in row]
    return [
        Mistake(chi_sum(observed, by_row), "误按各行内人数相等求理论次数"),
        Mistake(chi_sum(observed, [total / cells] * cells), "误按各格人数相等求理论次数"),
        Mistake(sum((o - e) ** 2 / o for o, e in pairs), "误用实际次数作分母"),
        Mistake(sum(max(abs(o - e) - 0.5, 0) ** 2 / e for o, e in pairs), "误作连续性校正"),
        Mistake(sum((o - e) ** 2 for o, e in pairs) / total, "误用总人数作分母"),
        Mistake(sum(abs(o - e) / e for o, e in pairs), "差数漏取平方"),
        Mistake(sum((o - e) ** 2 / e for o, e in pairs[:columns]), "只计算了第一行各格"),
        Mistake(sum((o - e) ** 2 / e for o, e in pairs) ** 0.5, "误开平方"),
    ]


@patient
def independence_from_table(rng: random.Random, rank: int) -> Problem:
    """chi-square of a 2x3 contingency table."""
    story, rows, columns = rng.choice(
        [
            ("性别与职业兴趣类型", ("男", "女"), ("技术型", "艺术型", "社会型")),
            ("年级与压力来源", ("大一", "大四"), ("学业", "就业", "人际")),
            ("居住地与求助方式", ("城市", "农村"), ("家人", "朋友", "专业人员")),
        ]
    )
    table = [[rng.randint(8, 40) for _ in range(3)] for _ in range(2)]
    expected = _expected(table)
    if sum(map(sum, table)) % 10 or any(abs(e - hand(e)) > 1e-9 for row in expected for e in row):
        raise Redraw
    exact, carried = _flat_chi(table)
    key = settled(exact, 2, carried)
    if not 1.5 < key < 25:
        raise Redraw
    lines = "；".join(
        f"{name}：{'，'.join(f'{c}{v}人' for c, v in zip(columns, row, strict=True))}"
        for name, row in zip(rows, table, strict=True)
    )
    stem = f"研究者调查{story}是否有关，结果如下。{lines}。独立性检验的χ²值（不作连续性校正，保留两位小数）为（　　）。"
    theory = "；".join("，".join(f"{e:g}" for e in row) for row in expected)
    steps = (
        f"理论次数为行和乘列和除以总数，依次为{theory}。$\\chi^2=\\sum\\frac{{(f_o-f_e)^2}}{{f_e}}={number(key, 2)}$。"
    )
    return Problem("find", stem, numeric_choice(key, _independence_mistakes(table), rank), steps)


@patient
def cell_from_chi(rng: random.Random, rank: int) -> Problem:
    """A frequency backwards from chi-square and the margins of a fourfold table."""
    one, group = rng.choice(
        [
            ("通过驾照理论考试", "参加模拟练习"),
            ("按时完成任务", "收到提醒"),
            ("记住关键情节", "观看预告片"),
        ]
    )
    m, c1 = rng.choice([40, 50, 60, 80, 100]), rng.randint(20, 150)
    n, gap = 2 * m, rng.randint(3, 16)
    if c1 % 2 or not gap < c1 / 2 < m - gap:
        raise Redraw
    chi = gap * gap * n**3 / (m * m * c1 * (n - c1))
    if abs(chi - hand(chi, 3)) > 1e-9 or not 1 < chi < 20:
        raise Redraw
    key = c1 / 2 + gap
    raw = [
        (c1 / 2 - gap, "误求成另一组的人数"),
        (c1 / 2, "误求成理论次数"),
        (c1 / 2 + 2 * gap, "误把两组之差当作与理论次数之差"),
        (m - c1 / 2 - gap, "误求成该组中没有做到的人数"),
        (m - c1 / 2 + gap, "误求成另一组中没有做到的人数"),
        (c1 / 2 + (chi * c1 / 2) ** 0.5, "只用了一格的项"),
        (c1 / 2 + (chi * c1 / 4) ** 0.5, "只用了同一列两格的项"),
        (c1 / 2 + chi, "误把χ²值直接加到理论次数上"),
        (c1 / 2 + gap / 2, "误把差数平分到两组"),
        (c1 * 1.0, "误以为做到的人都在该组"),
    ]
    mistakes = [Mistake(float(round(v)), why) for v, why in raw if 0 < v < m]
    stem = (
        f"实验组与对照组各{m}人，实验组{group}，对照组没有。结果两组共有{c1}人{one}，"
        f"独立性检验得$\\chi^2={chi:.3f}$（不作连续性校正），"
        f"且实验组{one}的人数多于对照组。实验组{one}的人数为（　　）。"
    )
    steps = (
        f"该格的理论次数为{c1 / 2:g}，设实际比理论多x，四格的差数绝对值都是x。"
        f"$\\chi^2=\\frac{{2x^2}}{{{c1 / 2:g}}}+"
        f"\\frac{{2x^2}}{{{m - c1 / 2:g}}}={chi:.3f}$，$x={gap}$，"
        f"实际人数为{c1 / 2:g}+{gap}={number(key, 0)}人。"
    )
    choice = numeric_choice(key, mistakes, rank, decimals=0, unit="人")
    return Problem("missing", stem, choice, steps, "analyse")


@patient
def independence_decision(rng: random.Random, rank: int) -> Problem:
    """Whether two attributes are related in a 3x2 table: chi-square against df = (r-1)(c-1)."""
    story, rows, columns = rng.choice(
        [
            ("教养方式与是否网络成瘾", ("权威型", "专制型", "放任型"), ("成瘾", "未成瘾")),
            ("治疗方法与疗效", ("药物组", "心理组", "联合组"), ("有效", "无效")),
            ("通勤方式与迟到情况", ("步行", "公交", "自驾"), ("迟到过", "没迟到过")),
        ]
    )
    table = [[rng.randint(8, 36) for _ in range(2)] for _ in range(3)]
    exact, carried = _flat_chi(table)
    key = settled(exact, 2, carried)
    is_large = exceeds(key, 5.99)
    if exact > 30 or sum(map(sum, table)) % 5:
        raise Redraw
    mistakes = _independence_mistakes(table)
    rng.shuffle(mistakes)
    ruling = Ruling(5.99, "两者有显著关联", "两者无显著关联")
    choice = decision_choice(rng, lambda x: f"$\\chi^2={number(x, 2)}$", ruling, key, mistakes, rank)
    lines = "；".join(
        f"{name}：{'，'.join(f'{c}{v}人' for c, v in zip(columns, row, strict=True))}"
        for name, row in zip(rows, table, strict=True)
    )
    stem = (
        f"研究者考察{story}是否有关，结果如下。{lines}。已知$\\chi^2_{{0.05}}(2)=5.99$，"
        f"$\\chi^2_{{0.05}}(5)=11.07$，"
        "取$\\alpha=0.05$，不作连续性校正，检验结果是（　　）。"
    )
    steps = (
        f"各格理论次数为行和乘列和除以总数，$\\chi^2=\\sum\\frac{{(f_o-f_e)^2}}{{f_e}}={number(key, 2)}$"
        "，自由度为(3-1)×(2-1)=2，"
        f"{'大于' if is_large else '小于'}5.99，{ruling.above if is_large else ruling.below}。"
    )
    return Problem("decide", stem, choice, steps, "analyse")


@patient
def sample_for_significance(rng: random.Random, rank: int) -> Problem:
    """Smallest whole multiple of a table that makes the same proportions significant."""
    one, other = rng.choice(
        [
            ("是否午睡", "下午测验是否及格"),
            ("是否戴耳机", "是否察觉提示音"),
            ("是否领取礼品", "是否填完问卷"),
        ]
    )
    a, b, c, d = (rng.randint(6, 24) for _ in range(4))
    n = a + b + c + d
    chi = n * (a * d - b * c) ** 2 / ((a + b) * (c + d) * (a + c) * (b + d))
    if not 0.3 < chi < 2.5 or n % 2:
        raise Redraw
    need = 3.84 / chi
    times = math.ceil(need)
    printed = 3.84 / hand(chi)
    if not 0.06 < need % 1 < 0.94 or not 0.06 < printed % 1 < 0.94 or math.ceil(printed) != times:
        raise Redraw
    key = float(n * times)

    def after(value: float) -> int:
        return math.ceil(value) if 0 < value < 60 else 0

    root = math.ceil(need**0.5)
    mistakes = [
        Mistake(float(n * root), "误以为χ²值与倍数的平方成正比"),
        Mistake(float(n * (times - 1)), "倍数误作舍去小数"),
        Mistake(float(n * (times + 1)), "误把所需倍数当作应增加的倍数"),
        Mistake(float(n * after(6.63 / chi)), "误用0.01水平的临界值"),
        Mistake(float(n * after(3.84 / chi**0.5)), "误对χ²值开平方"),
        Mistake(float(n * after(1.96 / chi)), "误用Z的临界值1.96"),
        Mistake(float(n * after(5.99 / chi)), "误用自由度为2的临界值"),
        Mistake(float(n * after(9.49 / chi)), "误用自由度为4的临界值"),
    ]
    mistakes = [m for m in mistakes if m.value > 0]
    stem = (
        f"调查{one}与{other}的关系，得四格表：a={a}，b={b}（第一行），c={c}，d={d}（第二行），"
        "χ²检验不显著。若各格人数按同一整数倍增加，比例保持不变，"
        "不作连续性校正，$\\chi^2_{0.05}(1)=3.84$，要在0.05水平上显著，总人数至少应为（　　）。"
    )
    steps = (
        f"原来$n={n}$，$\\chi^2=\\frac{{n(ad-bc)^2}}{{(a+b)(c+d)(a+c)(b+d)}}={number(chi, 2)}$。"
        "比例不变时χ²与总人数成正比，"
        f"倍数至少为$3.84/{number(chi, 2)}={number(printed, 2)}$，取整数{times}，"
        f"总人数为{n}×{times}={number(key, 0)}人。"
    )
    choice = numeric_choice(key, mistakes, rank, decimals=0, unit="人")
    return Problem("compare", stem, choice, steps, "analyse")


FAMILIES: dict[str, list[Family]] = {
    "independence-test": [
        independence_from_table,
        cell_from_chi,
        independence_decision,
        sample_for_significance,
    ],
}
