"""Central limit theorem: laws and oracles."""

import math

import pytest
from scipy import stats

from psygen.engines.offline.calculation import limit_theorem
from psygen.engines.offline.problem import Family
from tests.engines.offline.applied_checks import Oracle, check_laws, check_oracle, families_of, grab
from tests.engines.offline.inference_checks import shown, z_line


def mean_within(stem: str) -> float:
    mu, sigma, n = grab(stem, r"mu=(\d+)\$毫秒，标准差\$\\sigma=(\d+)\$.*随机抽取(\d+)个")
    means = stats.norm(mu, sigma / math.sqrt(n))
    ask = stem[stem.index("根据中心极限定理") :]
    if "之间" in ask:
        low, high = grab(ask, r"在([\d.]+)毫秒与([\d.]+)毫秒")
        return float(means.cdf(high) - means.cdf(low))
    edge = grab(ask, r"[大小]于([\d.]+)毫秒")[0]
    return float(means.sf(edge) if "大于" in ask else means.cdf(edge))


def limit_of_means(stem: str) -> float:
    mu, sigma, n, share = grab(stem, r"mu=(\d+)\$.*sigma=(\d+)\$.*随机抽取(\d+)人.*最[高低]的(\d+)%")
    z = z_line(stem, f"{share / 100:g}")
    return mu + (z if "最高" in stem else -z) * sigma / math.sqrt(n)


def narrower_middle(stem: str) -> float:
    sigma, n, level, more = grab(stem, r"sigma=(\d+)\$.*抽取(\d+)人计算.*中间(\d+)%.*改为抽取(\d+)人")
    z = z_line(stem, f"{1 - level / 100:.2f}/2")
    return 2 * z * sigma * (1 / math.sqrt(n) - 1 / math.sqrt(more))


def shape_mean_spread(stem: str) -> str:
    mu, sigma, n = grab(stem, r"平均数为(\d+)\D+标准差为(\d+)\D+随机抽取(\d+)个")
    return f"近似正态，平均数{mu:g}，标准差{shown(math.sqrt(sigma**2 / n), 2)}"


def sum_of_scores(stem: str) -> float:
    mu, sigma, n = grab(stem, r"mu=(\d+)\$.*sigma=(\d+)\$.*随机抽取(\d+)人")
    total = grab(stem, r"总分..([\d.]+)分")[0]
    sums = stats.norm(n * mu, sigma * math.sqrt(n))
    return float(sums.sf(total) if "总分超过" in stem else sums.cdf(total))


ORACLES: dict[Family, Oracle] = {
    limit_theorem.mean_within: mean_within,
    limit_theorem.limit_of_means: limit_of_means,
    limit_theorem.narrower_middle: narrower_middle,
    limit_theorem.shape_mean_spread: shape_mean_spread,
    limit_theorem.sum_of_scores: sum_of_scores,
}


@pytest.mark.parametrize("family", families_of(limit_theorem.FAMILIES), ids=lambda f: f.__name__)
def test_family_keeps_the_laws_and_its_oracle(family: Family) -> None:
    check_laws(family)
    check_oracle(family, ORACLES[family])
