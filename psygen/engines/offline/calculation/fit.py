"""How well a regression line fits: coefficient of determination and standard error of estimate.

Conventions: r^2 = SS_R / SS_t; s_YX is s_Y * sqrt(1 - r^2), or sqrt(SS_E / (n-2)); each stem says which.
"""

import random

from psygen.engines.offline.guards import hand, patient, settled
from psygen.engines.offline.inference import even_out
from psygen.engines.offline.problem import (
    Family,
    Mistake,
    Problem,
    Redraw,
    number,
    numeric_choice,
    text_choice,
)


@patient
def determination_from_slope(rng: random.Random, rank: int) -> Problem:
    """r^2 from the slope and the two standard deviations: r = b * s_X / s_Y."""
    given, target = rng.choice([("词汇量", "阅读理解成绩"), ("反应速度", "驾驶模拟成绩"), ("学习投入", "期末成绩")])
    sx, sy, r = rng.randint(3, 12), rng.randint(4, 16), rng.randint(30, 85) / 100
    slope = hand(r * sy / sx)
    exact = slope * sx / sy
    if sx == sy or not 0.25 < exact < 0.9:
        raise Redraw
    key = settled(exact**2, 2, hand(exact) ** 2)
    mistakes = [
        Mistake(exact, "误求成相关系数，漏取平方"),
        Mistake(1 - exact**2, "误求成未被解释的变异比例"),
        Mistake(slope**2 if slope < 1 else slope * sx / sy / 2, "误把回归系数当作相关系数"),
        Mistake((slope * sy / sx) ** 2, "两个标准差颠倒"),
        Mistake(exact**0.5, "误对相关系数开方"),
        Mistake((1 - exact**2) ** 0.5, "误求成未被解释比例的平方根"),
        Mistake(1 - exact, "误用1减相关系数"),
        Mistake(slope * exact, "误用回归系数与相关系数之积"),
    ]
    if slope >= 1:
        del mistakes[2]
    mistakes = [m for m in mistakes if m.value < 1]
    stem = (
        f"研究者用{given}（X）预测{target}（Y），回归方程的斜率$b={slope:.2f}$，X的标准差为{sx}，"
        f"Y的标准差为{sy}"
        "（两个标准差的分母相同）。该回归方程的决定系数（保留两位小数）为（　　）。"
    )
    steps = f"由$b=r s_Y/s_X$得$r=b s_X/s_Y={slope:.2f}\\times{sx}/{sy}={number(exact, 4)}$，$r^2={number(key, 2)}$。"
    return Problem("find", stem, numeric_choice(key, mistakes, rank), steps)


@patient
def residual_square_from_share(rng: random.Random, rank: int) -> Problem:
    """SS_E backwards from r, s_Y (over n-1) and n: SS_E = (n-1) * s_Y^2 * (1 - r^2)."""
    pair = rng.choice(["自我控制与学业成绩", "共情与助人行为评分", "社会支持与心理健康得分"])
    n, sy, r = rng.randint(11, 41), rng.randint(4, 12), rng.choice([0.3, 0.4, 0.5, 0.6, 0.7, 0.8])
    total = (n - 1) * sy * sy
    key = total * (1 - r * r)
    mistakes = [
        Mistake(total * r * r, "误求成回归平方和"),
        Mistake(total * (1 - r), "误用1-r代替1-r²"),
        Mistake((n - 2) * sy * sy * (1 - r * r), "总平方和误用n-2乘方差"),
        Mistake(total * (1 - r * r) ** 0.5, "未被解释的比例误开平方"),
        Mistake(n * sy * sy * (1 - r * r), "没有注意标准差以n-1为分母"),
        Mistake(float(total), "误求成总平方和"),
        Mistake(sy * sy * (1 - r * r), "漏乘自由度"),
        Mistake(total * r, "误把相关系数当作解释比例"),
        Mistake(total * (1 - r * r) * n / (n - 2), "误又作了一次自由度校正"),
    ]
    stem = (
        f"在一项{pair}的研究中，{n}名被试效标变量Y的标准差$s_{{n-1}}={sy}$（以$n-1$为分母），"
        f"X与Y的积差相关系数为{r:.2f}。"
        "用X预测Y的一元线性回归中，残差平方和（保留两位小数）为（　　）。"
    )
    steps = (
        f"总平方和$SS_t=(n-1)s_{{n-1}}^2={n - 1}\\times{sy}^2={total}$，残差占$1-r^2={1 - r * r:.2f}$，"
        f"残差平方和为{total}×{1 - r * r:.2f}={number(key, 2)}。"
    )
    return Problem("missing", stem, numeric_choice(key, mistakes, rank), steps, "analyse")


@patient
def better_predictor(rng: random.Random, rank: int) -> Problem:
    """Which of two predictors explains more and by how much: |r| and the difference of r^2."""
    target, positive, negative = rng.choice(
        [
            ("期末成绩", "学习动机", "考试焦虑"),
            ("主观幸福感", "社会支持", "孤独感"),
            ("工作绩效", "组织承诺", "职业倦怠"),
        ]
    )
    one, two = rng.randint(6, 16) / 20, -rng.randint(6, 16) / 20
    first, second = (one, positive), (two, negative)
    if abs(abs(one) - abs(two)) < 0.06 or abs(one) + abs(two) > 1.6:
        raise Redraw
    gap, loose = abs(one**2 - two**2) * 100, abs(abs(one) - abs(two)) * 100
    (_, best), (_, worst) = (first, second) if abs(one) > abs(two) else (second, first)
    if abs(gap - loose) < 2:
        raise Redraw
    settled(gap, 1)

    def text(name: str, points: float) -> str:
        return f"{name}的预测力较强，解释的变异多{number(points, 1)}个百分点"

    sign_why = "误以为负相关的预测力低于正相关" if best == negative else "误以为未被解释的比例越大预测力越强"
    loose_why = "直接比较相关系数而不是决定系数"
    distractors = [
        (text(best, loose), loose_why),
        (text(worst, gap), sign_why),
        (text(worst, loose), f"{sign_why}，并且{loose_why}"),
    ]
    rng.shuffle(distractors)
    stem = (
        f"对同一批被试，{positive}与{target}的积差相关系数为{one:.2f}，"
        f"{negative}与{target}的积差相关系数为{two:.2f}。若分别用这两个变量"
        f"对{target}作一元线性回归，就其解释{target}变异的百分比而言，下列判断正确的是（　　）。"
    )
    steps = (
        f"决定系数分别为{one:.2f}²={one * one:.4f}与({two:.2f})²={two * two:.4f}，符号只表示方向。"
        f"{best}解释的百分比较大，"
        f"相差{number(gap, 1)}个百分点。"
    )
    return Problem("decide", stem, text_choice(text(best, gap), distractors, rank), steps, "analyse")


@patient
def shares_of_two_samples(rng: random.Random, rank: int) -> Problem:
    """Difference between two shares of explained variation, each from its sums of squares."""
    story, one, other = rng.choice(
        [
            ("用练习时间预测钢琴考级成绩", "成人组", "儿童组"),
            ("用阅读兴趣预测阅读成绩", "男生", "女生"),
            ("用工龄预测装配速度", "甲厂", "乙厂"),
        ]
    )
    t1, t2 = rng.choice([200, 250, 400, 500, 800]), rng.choice([160, 240, 300, 600])
    r1, e2 = round(t1 * rng.randint(35, 80) / 100), round(t2 * rng.randint(30, 85) / 100)
    first, second = r1 / t1 * 100, (1 - e2 / t2) * 100
    key = settled(first - second, 1)
    if key < 4 or abs(key) > 60:
        raise Redraw
    mistakes = [
        Mistake(first - (100 - second), "把第二组的残差平方和当作回归平方和"),
        Mistake(100 - first - second, "把第一组的回归平方和当作残差平方和"),
        Mistake((first**0.5 - second**0.5) * 10, "误求成两个相关系数之差"),
        Mistake((r1 + t2 - e2) / (t1 + t2) * 100, "把两组平方和合并后求比例"),
        Mistake(r1 / (t1 + r1) * 100 - second, "误用总平方和加回归平方和作分母"),
        Mistake(first, "误求成第一组的解释百分比"),
        Mistake(second, "误求成第二组的解释百分比"),
        Mistake(first * second / 100, "把两个比例相乘"),
        Mistake(key / second * 100, "误求成相对增加的百分比"),
    ]
    mistakes = [m for m in mistakes if 0 < m.value < 100]
    stem = (
        f"研究者{story}，在两个群体中分别建立一元线性回归方程。{one}：总平方和{t1}，回归平方和{r1}；"
        f"{other}：总平方和{t2}，"
        f"残差平方和{e2}。{one}的回归方程所能解释的变异百分比比{other}高（保留一位小数）多少个百分点？"
    )
    steps = (
        f"{one}：$r^2={r1}/{t1}$，即{number(first, 2)}%；{other}：$r^2=1-{e2}/{t2}$，"
        f"即{number(second, 2)}%。两者相差"
        f"{number(key, 1)}个百分点。"
    )
    choice = numeric_choice(key, mistakes, rank, decimals=1, unit="个百分点")
    return Problem("compare", stem, choice, steps, "analyse")


def _fitted_to(rng: random.Random, errors: list[int]) -> list[int]:
    """Different predicted scores uncorrelated with the errors, as least squares leaves them."""
    for _ in range(100):
        predicted = [rng.randint(12, 30) for _ in errors]
        dot = sum(p * e for p, e in zip(predicted, errors, strict=True))
        if not dot and len(set(predicted)) == len(errors):
            return predicted
    raise Redraw


@patient
def error_from_residuals(rng: random.Random, rank: int) -> Problem:
    """s_YX from observed and predicted scores: sqrt(sum (Y - Y-hat)^2 / (n-2))."""
    target = rng.choice(["记忆保持量", "作文成绩", "抑郁得分"])
    n = rng.choice([6, 7, 8])
    errors = [rng.choice([-4, -3, -2, -1, 1, 2, 3, 4]) for _ in range(n)]
    if sum(errors):
        raise Redraw
    predicted = _fitted_to(rng, errors)
    observed = [p + e for p, e in zip(predicted, errors, strict=True)]
    square = sum(e * e for e in errors)
    key = settled((square / (n - 2)) ** 0.5, 2, hand(square / (n - 2)) ** 0.5)
    mistakes = [
        Mistake((square / n) ** 0.5, "分母误用n"),
        Mistake((square / (n - 3)) ** 0.5, "分母误用n-3"),
        Mistake(square / (n - 2), "漏开平方，误求成误差方差"),
        Mistake(sum(map(abs, errors)) / n, "误求成残差绝对值的平均"),
        Mistake((square / (n - 1)) ** 0.5, "分母误用n-1"),
        Mistake(square**0.5, "漏除以自由度"),
        Mistake((square / (n * (n - 2))) ** 0.5, "又除以了n，误求成平均数式的标准误"),
        Mistake(square / n, "分母误用n，又漏开平方"),
    ]
    rows = "；".join(f"（{o}，{p}）" for o, p in zip(observed, predicted, strict=True))
    stem = (
        f"根据一元线性回归方程，{n}名被试的{target}的实际值与预测值$（Y，\\hat Y）$如下：{rows}。"
        "作为总体误差标准差的估计、"
        "以$n-2$为自由度的估计标准误（保留两位小数）为（　　）。"
    )
    steps = f"残差平方和$\\sum(Y-\\hat Y)^2={square}$，$s_{{YX}}=\\sqrt{{{square}/({n}-2)}}={number(key, 2)}$。"
    return Problem("find", stem, numeric_choice(key, mistakes, rank), steps)


@patient
def correlation_from_error(rng: random.Random, rank: int) -> Problem:
    """|r| backwards from s_YX and s_Y: r = sqrt(1 - (s_YX / s_Y)^2)."""
    pair = rng.choice(["入职测验与年度考核", "前测焦虑与后测焦虑", "空间能力与几何成绩"])
    sy, r = rng.randint(6, 20), rng.randint(40, 90) / 100
    error = hand(sy * (1 - r * r) ** 0.5, 1)
    share = error / sy
    key = settled((1 - share**2) ** 0.5, 2, (1 - hand(share**2)) ** 0.5, (1 - hand(share) ** 2) ** 0.5)
    mistakes = [
        Mistake(1 - share**2, "误求成决定系数，漏开平方"),
        Mistake(share, "误把两者之比当作相关系数"),
        Mistake(1 - share, "误用1减两者之比"),
        Mistake((1 - share) ** 0.5, "两者之比漏取平方"),
        Mistake(share**2, "误求成未被解释的变异比例"),
        Mistake((1 + share) ** 0.5 / 1.5, "把减号误作加号"),
        Mistake((1 - share**2) ** 0.25, "误开了两次平方"),
        Mistake(share**0.5, "误对两者之比开平方"),
        Mistake((1 - share**4) ** 0.5, "两者之比误取四次方"),
    ]
    del mistakes[5]
    mistakes = [m for m in mistakes if m.value < 1]
    stem = (
        f"在一项关于{pair}的研究中，由X预测Y的估计标准误为{error:.1f}，"
        f"Y的标准差为{sy}（估计标准误按$s_{{YX}}=s_Y\\sqrt{{1-r^2}}$计算），"
        "且X与Y为正相关。X与Y的相关系数（保留两位小数）为（　　）。"
    )
    steps = (
        f"$1-r^2=(s_{{YX}}/s_Y)^2=({error:.1f}/{sy})^2={number(share**2, 4)}$，"
        f"$r=\\sqrt{{{number(1 - share**2, 4)}}}="
        f"{number(key, 2)}$。"
    )
    return Problem("missing", stem, numeric_choice(key, mistakes, rank), steps, "analyse")


@patient
def score_against_interval(rng: random.Random, rank: int) -> Problem:
    """Whether an observed score lies in Y-hat +- 1.96 s_YX: interval and verdict, each true to itself."""
    given, target = rng.choice([("推理测验", "学业成绩"), ("体能测试", "比赛评分"), ("入学测验", "期末成绩")])
    r, sy = rng.choice([0.6, 0.7, 0.8, 0.5, 0.9]), rng.choice([5, 8, 10, 12, 15])
    slope, intercept, x = rng.randint(4, 12) / 10, rng.randint(5, 20), rng.randint(50, 70)
    center = intercept + slope * x
    key = 1.96 * sy * (1 - r * r) ** 0.5
    if not 35 < center < 78:
        raise Redraw
    settled(center + key, 1, center + 1.96 * hand(sy * hand((1 - r * r) ** 0.5)))
    settled(center - key, 1, center - 1.96 * hand(sy * hand((1 - r * r) ** 0.5)))
    wrong = [
        (1.96 * sy * (1 - r * r), "估计标准误漏开平方"),
        (1.96 * sy, "误用Y的标准差代替估计标准误"),
        (sy * (1 - r * r) ** 0.5, "漏乘1.96"),
        (1.96 * sy * r, "误用r乘标准差"),
        (1.96 * sy * (1 - r), "误用1-r乘标准差"),
    ]
    observed = round(center + rng.choice([-1, 1]) * rng.uniform(0.5, 1.6) * key)
    gap = abs(observed - center)

    def text(half: float) -> str:
        place = "区间之外" if gap > half else "区间之内"
        return f"预测区间为{number(center - half, 1)}～{number(center + half, 1)}，该生的实际分数落在{place}"

    rng.shuffle(wrong)
    chosen = [wrong[i] for i in range(3)]
    halves = [key, *(half for half, _ in chosen)]
    outside = [gap > half for half in halves]
    if any(abs(gap - h) < 0.5 for h in halves) or sum(outside) != 2:
        raise Redraw
    if min(abs(a - b) for i, a in enumerate(halves) for b in halves[:i]) < 0.3:
        raise Redraw
    distractors = [(text(half), why) for half, why in chosen]
    stem = (
        f"对大样本用{given}（X）预测{target}（Y），得回归方程$\\hat Y={intercept}+{slope:.1f}X$，"
        f"$r={r:.1f}$，$s_Y={sy}$。某生X为{x}，"
        f"实际{target}为{observed}。按$s_{{YX}}=s_Y\\sqrt{{1-r^2}}$，"
        f"用$\\hat Y\\pm1.96s_{{YX}}$作95%预测区间"
        "（保留一位小数），则（　　）。"
    )
    steps = (
        f"$\\hat Y={intercept}+{slope:.1f}\\times{x}={center:g}$，"
        f"$s_{{YX}}={sy}\\times\\sqrt{{1-{r:.1f}^2}}="
        f"{number(key / 1.96, 2)}$，{text(key)}。"
    )
    choice = even_out(rng, text_choice(text(key), distractors, rank), "之内", 0.35)
    return Problem("decide", stem, choice, steps, "analyse")


@patient
def error_reduction(rng: random.Random, rank: int) -> Problem:
    """By how many per cent s_YX falls when r rises: 1 - sqrt(1-r2^2)/sqrt(1-r1^2)."""
    story = rng.choice(
        [
            "选拔测验修订后，测验与工作绩效",
            "增加题目后，入学测验与大学成绩",
            "统一评分标准后，面试与实习表现",
        ]
    )
    low, high = rng.choice([0.2, 0.3, 0.4, 0.5]), rng.choice([0.6, 0.7, 0.8])
    sy = rng.choice([6, 8, 10, 12, 15])
    one, two = (1 - low**2) ** 0.5, (1 - high**2) ** 0.5
    key = settled((1 - two / one) * 100, 1, (1 - hand(sy * hand(two, 4)) / hand(sy * hand(one, 4))) * 100)
    mistakes = [
        Mistake((1 - two**2 / one**2) * 100, "估计标准误漏开平方"),
        Mistake((one - two) * 100, "误用Y的标准差而不是原来的估计标准误作基数"),
        Mistake((high - low) * 100, "误以为估计标准误随相关系数等量下降"),
        Mistake((high**2 - low**2) * 100, "误求成决定系数之差"),
        Mistake((one / two - 1) * 100, "误用修改后的估计标准误作基数"),
        Mistake((1 - two) * 100, "误与没有预测变量时相比"),
        Mistake((1 - (1 - high) / (1 - low)) * 100, "误用1-r代替1-r²的平方根"),
        Mistake(two / one * 100, "误求成修改后占原来的百分比"),
        Mistake((one - two) ** 2 * 100, "误把两个平方根之差又取平方"),
    ]
    stem = (
        f"{story}的相关系数由{low:.1f}提高到{high:.1f}，效标Y的标准差仍为{sy}。"
        f"按$s_{{YX}}=s_Y\\sqrt{{1-r^2}}$，"
        "预测效标的估计标准误比原来降低的百分比（保留一位小数）为（　　）。"
    )
    steps = (
        f"原来$s_{{YX}}={sy}\\times\\sqrt{{1-{low:.1f}^2}}={number(sy * one, 3)}$，"
        f"后来$s_{{YX}}={sy}\\times"
        f"\\sqrt{{1-{high:.1f}^2}}={number(sy * two, 3)}$。"
        f"降低的百分比为$1-{number(sy * two, 3)}/{number(sy * one, 3)}$，"
        f"即{number(key, 1)}%。"
    )
    return Problem("compare", stem, numeric_choice(key, mistakes, rank, decimals=1, unit="%"), steps, "analyse")


FAMILIES: dict[str, list[Family]] = {
    "coefficient-of-determination": [
        determination_from_slope,
        residual_square_from_share,
        better_predictor,
        shares_of_two_samples,
    ],
    "standard-error-of-estimate": [
        error_from_residuals,
        correlation_from_error,
        score_against_interval,
        error_reduction,
    ],
}
