"""What the oracles of estimation and testing read from a stem: table values, and how a decision is worded."""

from tests.engines.offline.applied_checks import grab


def z_line(stem: str, share: str) -> float:
    """The printed value of Z for a share such as `0.05/2`."""
    return grab(stem, rf"Z_\{{{share}\}}=([\d.]+)")[0]


def t_line(stem: str, df: float, share: str) -> float:
    """The printed value of t with exactly these degrees of freedom."""
    return grab(stem, rf"t_\{{{share}\}}\({round(df)}\)=([\d.]+)")[0]


def shown(value: float, decimals: int) -> str:
    """A positive number as printed, halves upwards."""
    return f"{int(value * 10**decimals + 0.5 + 1e-9) / 10**decimals:.{decimals}f}"


def signed(value: float, decimals: int) -> str:
    """Like `shown`, for limits that may be negative."""
    text = shown(abs(value), decimals)
    return f"-{text}" if value < 0 and float(text) else text


def line_text(line: float, decimals: int) -> str:
    """A critical value as printed: Z with two decimals or 1.645, t with three."""
    return "1.645" if line == 1.645 else f"{line:.{decimals}f}"


def verdict(symbol: str, statistic: float, line: float, decimals: int) -> str:
    """The option that states |statistic| against the critical value and the decision on H0."""
    sign, action = (">", "拒绝") if abs(statistic) > line else ("<", "保留")
    return f"$|{symbol}|={shown(abs(statistic), 2)}{sign}{line_text(line, decimals)}$，{action}虚无假设"


def norm_verdict(low: float, high: float, norm: float) -> str:
    """The option that states an interval, whether it holds the norm, and the decision."""
    inside = low < norm < high
    ends = f"[{signed(low, 2)}，{signed(high, 2)}]"
    return f"{ends}，{'包含' if inside else '不含'}{norm:g}，差异{'未达' if inside else '达到'}显著"


def level_share(stem: str) -> str:
    """The share, such as `0.05/2`, that belongs to the confidence level the stem names first."""
    return f"{round(1 - grab(stem, r'([0-9]+)%的?置信')[0] / 100, 2):g}/2"
