"""Critical values and areas as the printed tables at the back of Chinese statistics textbooks give them.

Rounded as printed: z two decimals (1.645 kept whole), t three, chi-square and F two, normal areas five.
A problem prints these values in its stem and computes with exactly what it printed.
"""

from functools import cache
from statistics import NormalDist


def z_critical(alpha: float, tails: int) -> float:
    """Upper critical value of the standard normal distribution: 1.645, 1.96, 2.33, 2.58 and the like."""
    share = alpha / tails
    if abs(share - 0.05) < 1e-9:
        return 1.645
    return round(NormalDist().inv_cdf(1 - share), 2)


@cache
def t_critical(df: int, alpha: float, tails: int) -> float:
    """Upper critical value of t with `df` degrees of freedom, three decimals."""
    from scipy.stats import t

    return round(float(t.ppf(1 - alpha / tails, df)), 3)


@cache
def chi2_critical(df: int, alpha: float) -> float:
    """Value of chi-square with the share `alpha` of the distribution above it, two decimals."""
    from scipy.stats import chi2

    return round(float(chi2.ppf(1 - alpha, df)), 2)


@cache
def f_critical(df1: int, df2: int, alpha: float) -> float:
    """Value of F(df1, df2) with the share `alpha` of the distribution above it, two decimals."""
    from scipy.stats import f

    return round(float(f.ppf(1 - alpha, df1, df2)), 2)


def normal_area(z: float) -> float:
    """Area under the standard normal curve between 0 and `z` (z >= 0), five decimals."""
    return round(NormalDist().cdf(z) - 0.5, 5)
