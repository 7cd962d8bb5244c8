"""Simple linear regression and its significance test, as Chinese psychology statistics textbooks work it.

Conventions: Y-hat = a + bX, b = r * s_Y / s_X; SS_t = SS_R + SS_E with 1 and n-2 degrees of freedom.
"""

import random

from psygen.engines.offline.guards import Ruling, decision_choice, exceeds, hand, patient, settled
from psygen.engines.offline.problem import (
    Family,
    Mistake,
    Problem,
    Redraw,
    number,
    numeric_choice,
    text_choice,
)
from psygen.engines.offline.tables import f_critical


def _line(intercept: float, slope: float, decimals: int = 1) -> str:
    """A regression equation as printed."""
    sign = "+" if slope >= 0 else "-"
    return f"$\\hat Y={number(intercept, decimals)}{sign}{number(abs(slope), 2)}X$"


@patient
def prediction_from_scores(rng: random.Random, rank: int) -> Problem:
    """Predicted Y from five raw pairs: b = L_xy / L_xx, a = mean Y - b * mean X."""
    what, given, target = rng.choice(
        [
            ("复习时间（小时）与测验成绩", "复习时间", "测验成绩"),
            ("练习次数与打字成绩", "练习次数", "打字成绩"),
            ("心理韧性得分与适应得分", "心理韧性得分", "适应得分"),
        ]
    )
    xs = sorted(rng.sample(range(1, 11), 5))
    ys = [x + rng.randint(2, 9) + x * rng.choice([0, 0, 1]) for x in xs]
    if sum(xs) % 5 or sum(ys) % 5:
        raise Redraw
    mx, my = sum(xs) / 5, sum(ys) / 5
    lxx, lyy = sum((x - mx) ** 2 for x in xs), sum((y - my) ** 2 for y in ys)
    lxy = sum((x - mx) * (y - my) for x, y in zip(xs, ys, strict=True))
    if lxy <= 0 or lxy * lxy == lxx * lyy:
        raise Redraw
    at = rng.choice([x for x in range(1, 13) if abs(x - mx) > 2])
    slope, cosine = lxy / lxx, lxy / (lxx * lyy) ** 0.5
    key = settled(my + slope * (at - mx), 2)
    carried = hand(my - hand(slope) * mx) + hand(slope) * at
    if abs(carried - key) > 0.02:
        raise Redraw
    mistakes = [
        Mistake(my + lxy / lyy * (at - mx), "误用由Y推X的回归系数"),
        Mistake(my + cosine * (at - mx), "误把相关系数当作回归系数"),
        Mistake(slope * at, "漏掉截距"),
        Mistake(my + slope * at, "误把Y的平均数当作截距"),
        Mistake(my + slope * mx + slope * at, "求截距时符号弄反"),
        Mistake(my - slope * (at - mx), "把离均差的符号弄反"),
        Mistake(my + (at - mx), "误把回归系数当作1"),
        Mistake(my + lxx / lxy * (at - mx), "求回归系数时分子分母颠倒"),
        Mistake(mx - slope * my + slope * at, "求截距时两个平均数互换"),
    ]
    stem = (
        f"为用{given}（X）预测{target}（Y），研究者测得5名被试的{what}如下（X，Y）："
        f"{'；'.join(f'（{x}，{y}）' for x, y in zip(xs, ys, strict=True))}。"
        "按最小二乘法建立由X预测Y的回归方程，"
        f"X={at}的被试的预测值（计算过程不舍入，结果保留两位小数）为（　　）。"
    )
    steps = (
        f"$\\bar X={mx:g}$，$\\bar Y={my:g}$，$L_{{xx}}={lxx:g}$，$L_{{xy}}={lxy:g}$，"
        f"$b=L_{{xy}}/L_{{xx}}={lxy:g}/{lxx:g}$。"
        f"$\\hat Y=\\bar Y+b(X-\\bar X)={my:g}+{lxy:g}/{lxx:g}\\times({at}-{mx:g})={number(key, 2)}$。"
    )
    return Problem("find", stem, numeric_choice(key, mistakes, rank), steps)


@patient
def spread_from_two_slopes(rng: random.Random, rank: int) -> Problem:
    """s_Y backwards from both regression coefficients and s_X: s_Y = s_X * sqrt(b_YX / b_XY)."""
    pair = rng.choice(
        [
            "言语智力（X）与语文成绩（Y）",
            "自尊（X）与生活满意度（Y）",
            "工作投入（X）与绩效评分（Y）",
        ]
    )
    r, sx, sy = rng.randint(8, 18) / 20, rng.randint(4, 16), rng.randint(4, 20)
    forth, back = r * sy / sx, r * sx / sy
    if abs(forth - hand(forth)) > 1e-9 or abs(back - hand(back)) > 1e-9 or forth == back:
        raise Redraw
    mistakes = [
        Mistake(sx * forth, "误以为回归系数就是标准差之比，漏除以相关系数"),
        Mistake(sx * forth / back, "漏开平方"),
        Mistake(sx * back / forth, "两个回归系数颠倒，又漏开平方"),
        Mistake(sx * (back / forth) ** 0.5, "两个回归系数颠倒"),
        Mistake(sx * forth / (forth * back), "求相关系数时漏开平方"),
        Mistake(sx / back, "把由Y推X的回归系数当作标准差之比"),
        Mistake(sx * r, "误把相关系数当作标准差之比"),
        Mistake(sx * back, "误用由Y推X的回归系数，又漏除以相关系数"),
        Mistake(sx / r, "误用X的标准差除以相关系数"),
    ]
    stem = (
        f"在一项关于{pair}的调查中，由X推Y的回归系数$b_{{YX}}={forth:.2f}$，"
        f"由Y推X的回归系数$b_{{XY}}={back:.2f}$，"
        f"X的标准差为{sx}（两个标准差的分母相同）。Y的标准差（保留两位小数）为（　　）。"
    )
    steps = (
        f"$r=\\sqrt{{b_{{YX}}b_{{XY}}}}=\\sqrt{{{forth:.2f}\\times{back:.2f}}}={r:.2f}$。"
        f"由$b_{{YX}}=r s_Y/s_X$，"
        f"$s_Y=b_{{YX}}s_X/r={forth:.2f}\\times{sx}/{r:.2f}={number(sy, 2)}$。"
    )
    return Problem("missing", stem, numeric_choice(sy, mistakes, rank), steps, "analyse")


@patient
def equation_from_summary(rng: random.Random, rank: int) -> Problem:
    """Which equation predicts Y from X, given means, standard deviations and r."""
    given, target = rng.choice([("入学测验", "期末成绩"), ("焦虑水平", "操作成绩"), ("睡眠不足时数", "注意力得分")])
    is_negative = given != "入学测验"
    r, sx, sy = rng.randint(8, 17) / 20, rng.randint(4, 12), rng.randint(5, 16)
    mx, my = rng.randint(20, 60), rng.randint(60, 90)
    r = -r if is_negative else r
    if given == "睡眠不足时数":
        sx, mx = rng.randint(1, 2), rng.randint(3, 6)
    slope, flipped = r * sy / sx, r * sx / sy
    if abs(slope - hand(slope)) > 1e-9 or abs(flipped - hand(flipped)) > 1e-9 or abs(slope - flipped) < 0.08:
        raise Redraw
    right, wrong = my - slope * mx, my + slope * mx
    if min(right, my - flipped * mx) < 5:
        raise Redraw
    distractors = [
        (_line(my - flipped * mx, flipped, 2), "回归系数中两个标准差颠倒"),
        (_line(wrong, slope, 2), "求截距时符号弄反"),
        (_line(my + flipped * mx, flipped, 2), "回归系数中两个标准差颠倒，求截距时符号又弄反"),
    ]
    rng.shuffle(distractors)
    stem = (
        f"某研究用{given}（X）预测{target}（Y），得到$\\bar X={mx}$，$s_X={sx}$，$\\bar Y={my}$，"
        f"$s_Y={sy}$，$r={r:.2f}$"
        "（两个标准差的分母相同）。由X预测Y的回归方程应判断为（　　）。"
    )
    minus = f"({slope:.2f})" if slope < 0 else f"{slope:.2f}"
    steps = (
        f"$b=r s_Y/s_X={r:.2f}\\times{sy}/{sx}={slope:.2f}$，"
        f"$a=\\bar Y-b\\bar X={my}-{minus}\\times{mx}="
        f"{right:.2f}$，方程为{_line(right, slope, 2)}。"
    )
    return Problem("decide", stem, text_choice(_line(right, slope, 2), distractors, rank), steps)


@patient
def intercept_after_rescaling(rng: random.Random, rank: int) -> Problem:
    """New intercept after linear changes of X and Y: b' = b*k_Y/k_X, a' = k_Y*a + c_Y - b'*c_X."""
    pair = rng.choice(
        [
            "能力倾向测验（X）与培训成绩（Y）",
            "动机问卷（X）与作业得分（Y）",
            "知觉速度（X）与驾驶评分（Y）",
        ]
    )
    slope, intercept = rng.randint(2, 15) / 10, rng.randint(4, 30)
    kx, ky = rng.choice([(2, 1), (2, 5), (5, 2), (10, 5), (4, 2), (5, 10)])
    cx, cy = rng.choice([10, 20, 50]), rng.choice([0, 10, 20, 50])
    new = slope * ky / kx
    key = ky * intercept + cy - new * cx
    if abs(new - hand(new)) > 1e-9 or key < 3:
        raise Redraw
    mistakes = [
        Mistake(ky * intercept + cy, "只变换了截距，没有考虑X的变换"),
        Mistake(ky * intercept + cy + new * cx, "X的变换方向弄反"),
        Mistake(ky * intercept + cy - slope * cx, "斜率没有随之变换"),
        Mistake(ky * intercept - new * cx, "漏加Y的常数") if cy else Mistake(intercept - new * cx, "漏乘Y的倍数"),
        Mistake(intercept + cy - new * cx, "截距漏乘Y的倍数"),
        Mistake(ky * intercept + cy - slope * ky * cx, "斜率漏除以X的倍数"),
        Mistake(ky * intercept + cy - slope * ky * kx * cx, "斜率误乘X的倍数"),
        Mistake(ky * intercept + cy - cx, "直接减去X的常数"),
        Mistake(float(intercept), "误以为线性变换不改变截距"),
    ]
    times, plus = f"{ky}" if ky > 1 else "", f"+{cy}" if cy else ""
    change = f"Y'={times}Y{plus}"
    stem = (
        f"根据{pair}的原始分数建立了回归方程$\\hat Y={intercept}+{slope:.1f}X$。"
        "现将两个测验的分数作线性转换："
        f"$X'={kx}X+{cx}$，${change}$。用转换后的分数重新建立由$X'$预测$Y'$的回归方程，"
        "其截距（保留两位小数）为（　　）。"
    )
    steps = (
        f"由$X=(X'-{cx})/{kx}$，$\\hat Y'={times}({intercept}+{slope:.1f}X){plus}$，新斜率为"
        f"{slope:.1f}×{ky}/{kx}={new:.2f}，新截距为{ky}×{intercept}{plus}-{new:.2f}×{cx}="
        f"{number(key, 2)}"
        "。"
    )
    return Problem("compare", stem, numeric_choice(key, mistakes, rank), steps, "analyse")


@patient
def f_of_regression(rng: random.Random, rank: int) -> Problem:
    """F of the regression from L_xx, L_yy, L_xy and n: F = SS_R / (SS_E / (n-2))."""
    pair = rng.choice(
        [
            "阅读量（X）与写作成绩（Y）",
            "亲子沟通（X）与学校适应（Y）",
            "冥想时间（X）与情绪稳定性（Y）",
        ]
    )
    n, lxx = rng.choice([10, 12, 14, 17, 18, 20, 22]), rng.choice([40, 50, 80, 100, 120, 160, 200])
    slope = rng.randint(4, 24) / 10
    lxy, explained = slope * lxx, slope * slope * lxx
    total = round(explained / (rng.randint(15, 60) / 100))
    rest = total - explained
    if lxy % 1 or rest <= 0:
        raise Redraw
    key = settled(explained / (rest / (n - 2)), 2, hand(explained) / hand(rest / (n - 2)))
    mistakes = [
        Mistake(explained / (rest / (n - 1)), "误差自由度误用n-1"),
        Mistake(explained / rest, "没有除以自由度，直接用平方和相除"),
        Mistake(explained / (rest / n), "误差自由度误用n"),
        Mistake(explained / (total / (n - 1)), "误用总均方作分母"),
        Mistake(total / (rest / (n - 2)), "误把总平方和当作回归平方和"),
        Mistake(key**0.5, "误求成t值"),
        Mistake(explained / (total / (n - 2)), "误用总平方和作误差平方和"),
        Mistake(explained / 2 / (rest / (n - 2)), "回归自由度误用2"),
        Mistake(explained / (rest / (n - 3)), "误差自由度误用n-3"),
    ]
    stem = (
        f"研究者对{n}名被试测量{pair}，算得$L_{{xx}}=\\sum(X-\\bar X)^2={lxx}$，"
        f"$L_{{yy}}=\\sum(Y-\\bar Y)^2={total}$，"
        f"$L_{{xy}}=\\sum(X-\\bar X)(Y-\\bar Y)={lxy:g}$。对由X预测Y的一元线性回归方程作方差分析，"
        "F值（保留两位小数）为（　　）。"
    )
    steps = (
        f"$SS_R=L_{{xy}}^2/L_{{xx}}={explained:g}$，$SS_E={total}-{explained:g}={rest:g}$，"
        f"$MS_E={rest:g}/({n}-2)="
        f"{number(rest / (n - 2), 2)}$。$F=MS_R/MS_E={number(key, 2)}$。"
    )
    return Problem("find", stem, numeric_choice(key, mistakes, rank), steps)


@patient
def correlation_from_f(rng: random.Random, rank: int) -> Problem:
    """r backwards from F and n: r^2 = F / (F + n - 2)."""
    pair = rng.choice(["情绪智力与领导效能", "运动时间与睡眠质量得分", "执行功能与数学成绩"])
    n, f_value = rng.randint(12, 60), rng.randint(45, 240) / 10
    key = settled((f_value / (f_value + n - 2)) ** 0.5, 2, hand(f_value / (f_value + n - 2)) ** 0.5)
    mistakes = [
        Mistake(key * key, "误求成决定系数，漏开平方"),
        Mistake((f_value / (f_value + 1)) ** 0.5, "误用回归自由度代替误差自由度"),
        Mistake((f_value / n) ** 0.5 if f_value < n else 0.99, "误用n作总变异的份数"),
        Mistake((1 - key * key) ** 0.5, "误求成未被解释部分的平方根"),
        Mistake(1 - key * key, "误求成未被解释的变异比例"),
        Mistake(key**0.5, "对相关系数又开了一次平方"),
        Mistake(f_value**2 / (f_value**2 + n - 2), "误把F当作t，又漏开平方"),
        Mistake((f_value**2 / (f_value**2 + n - 2)) ** 0.5, "误把F当作t代入公式"),
        Mistake((1 / f_value) ** 0.5, "误把F的倒数当作决定系数"),
    ]
    mistakes = [m for m in mistakes if m.value < 1]
    stem = (
        f"对{n}名被试考察{pair}的关系，建立一元线性回归方程，方差分析得回归效应$F={f_value:.2f}$，"
        "回归系数为正。"
        "两变量的积差相关系数（保留两位小数）为（　　）。"
    )
    steps = (
        f"误差自由度为{n}-2={n - 2}。$r^2=F/(F+n-2)={f_value:.2f}/({f_value:.2f}+{n - 2})="
        f"{number(key * key, 4)}$，"
        f"$r=\\sqrt{{r^2}}={number(key, 2)}$。"
    )
    return Problem("missing", stem, numeric_choice(key, mistakes, rank), steps, "analyse")


@patient
def regression_decision(rng: random.Random, rank: int) -> Problem:
    """F from r and n against F_.05(1, n-2): decide on the equation."""
    pair = rng.choice([("父母陪伴时间", "儿童社会能力"), ("工作负荷", "失误次数"), ("词汇量", "阅读速度")])
    n, r = rng.randint(10, 30), rng.randint(25, 70) / 100
    critical = f_critical(1, n - 2, 0.05)
    raw = r * r * (n - 2) / (1 - r * r)
    f_value = settled(raw, 2, hand(r * r) * (n - 2) / hand(1 - r * r))
    is_large = exceeds(f_value, critical)
    mistakes = [
        Mistake(r * (n - 2) / (1 - r), "误把相关系数当作决定系数"),
        Mistake(raw**0.5, "误把t值当作F值"),
        Mistake(r * r * (n - 2), "误用总变异代替误差变异作分母"),
        Mistake(r * r * (n - 2) / (1 - r * r) ** 0.5, "误差变异比例多开了平方"),
        Mistake(r * r / (1 - r * r), "没有乘误差自由度"),
        Mistake(r * (n - 2) / (1 - r * r), "分子漏取平方"),
        Mistake(r * r * (n - 2) / (1 - r * r) / 2, "回归自由度误用2"),
    ]
    rng.shuffle(mistakes)
    ruling = Ruling(critical, "回归方程达到显著水平", "回归方程未达显著水平")
    choice = decision_choice(rng, lambda f: f"$F={number(f, 2)}$", ruling, f_value, mistakes, rank)
    stem = (
        f"研究者随机抽取{n}名被试，用{pair[0]}预测{pair[1]}，建立一元线性回归方程，"
        f"已知两变量的积差相关系数$r={r:.2f}$，"
        f"$F_{{0.05}}(1,{n - 2})={critical:.2f}$。取$\\alpha=0.05$，对回归方程的检验结果是（　　）。"
    )
    steps = (
        f"$F=\\frac{{r^2/1}}{{(1-r^2)/(n-2)}}=\\frac{{{r * r:.4f}\\times{n - 2}}}{{{1 - r * r:.4f}}}="
        f"{number(f_value, 2)}$，{'大于' if is_large else '小于'}{critical:.2f}，"
        f"{ruling.above if is_large else ruling.below}。"
    )
    return Problem("decide", stem, choice, steps, "analyse")


@patient
def slope_test_after_wider_range(rng: random.Random, rank: int) -> Problem:
    """t of the slope when L_xx grows k-fold with b and s_YX unchanged: t = b * sqrt(L_xx) / s_YX."""
    story = rng.choice(["学习时间与保持量", "药物剂量与反应速度", "奖励次数与坚持时间"])
    n, root = rng.choice([12, 16, 20, 26]), rng.choice([4, 5, 6, 8, 10])
    factor = rng.choice([4, 9, 2.25, 6.25])
    slope, error = rng.randint(4, 24) / 10, rng.randint(20, 90) / 10
    lxx = root * root
    t_value = slope * root / error
    scale = factor**0.5
    key = settled(t_value * scale, 2)
    if not 1.2 < t_value < 4 or abs(hand(error / (root * scale)) - error / (root * scale)) > 0.004:
        raise Redraw
    mistakes = [
        Mistake(t_value, "误以为t值不受X取值范围的影响"),
        Mistake(t_value * factor, "离差平方和漏开平方"),
        Mistake(t_value / scale, "误以为离差平方和越大标准误越大"),
        Mistake(slope / error * scale, "标准误漏除以离差平方和的平方根，只乘了变化倍数"),
        Mistake(t_value * (factor * (n - 2) / n) ** 0.5, "标准误的公式中误用了n与n-2"),
        Mistake(t_value + scale, "把倍数当作增量"),
        Mistake(t_value / factor, "误以为t值与离差平方和成反比"),
        Mistake(t_value * (factor - 1) ** 0.5, "只用了离差平方和的增加部分"),
        Mistake(t_value * (factor + 1) ** 0.5, "离差平方和的倍数多加了1"),
    ]
    stem = (
        f"{n}名被试参加一项{story}的研究，由X预测Y的回归系数$b={slope:.2f}$，"
        f"估计标准误$s_{{YX}}={error:.2f}$（以$n-2$为分母），"
        f"$\\sum(X-\\bar X)^2={lxx}$。回归系数的标准误为$s_{{YX}}/\\sqrt{{\\sum(X-\\bar X)^2}}$。"
        "若设计时把X的取值拉开，使"
        f"$\\sum(X-\\bar X)^2$变为原来的{factor:g}倍，而b、$s_{{YX}}$和n都不变，"
        "则检验回归系数的t值（保留两位小数）将变为（　　）。"
    )
    steps = (
        f"原来$t=b\\sqrt{{L_{{xx}}}}/s_{{YX}}={slope:.2f}\\times{root}/{error:.2f}={number(t_value, 2)}$"
        "。"
        f"$L_{{xx}}$变为{factor:g}倍，$\\sqrt{{L_{{xx}}}}$变为{root * scale:g}，"
        f"$t={slope:.2f}\\times{root * scale:g}/{error:.2f}={number(key, 2)}$。"
    )
    return Problem("compare", stem, numeric_choice(key, mistakes, rank), steps, "analyse")


FAMILIES: dict[str, list[Family]] = {
    "simple-linear-regression": [
        prediction_from_scores,
        spread_from_two_slopes,
        equation_from_summary,
        intercept_after_rescaling,
    ],
    "regression-significance-test": [
        f_of_regression,
        correlation_from_f,
        regression_decision,
        slope_test_after_wider_range,
    ],
}
