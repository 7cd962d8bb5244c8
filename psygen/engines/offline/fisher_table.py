"""Fisher's z as the printed tables give it: three decimals one way, two decimals on the way back.

A stem prints the lines of the table it needs, one for each option, so that looking up gives nothing away.
"""

import math
from collections.abc import Mapping, Sequence

from psygen.engines.offline.guards import settled
from psygen.engines.offline.problem import Choice, Mistake, number, numeric_choice


def to_z(r: float) -> float:
    """The table value of Fisher's z for `r`, three decimals."""
    return round(math.atanh(r), 3)


def z_r_note(r: float) -> str:
    """The table value of one r as the stem gives it."""
    return f"r={r:.2f}时$Z_r={to_z(r):.3f}$"


def back(z: float) -> float:
    """The r, two decimals, that belongs to `z`; Redraw when the table could give either of two."""
    return float(number(settled(math.tanh(z), 2), 2))


def read_back(
    key_z: float, wrong: Sequence[tuple[float, str]], extra: Sequence[Mistake], rank: int
) -> tuple[Choice, str]:
    """The options for an r found by way of Fisher's z, and the lines of the table that the stem has to print."""
    table = {back(key_z): key_z}
    mistakes = []
    for z, why in wrong:
        if abs(math.tanh(z)) < 0.985 and back(z) not in table:
            table[back(z)] = z
            mistakes.append(Mistake(back(z), why))
    possible = [m for m in extra if 0.005 < abs(m.value) < 0.985]
    choice = numeric_choice(back(key_z), [*mistakes, *possible], rank)
    shown = {float(r): table.get(float(r), to_z(float(r))) for r in choice.options}
    return choice, table_lines(shown)


def table_lines(table: Mapping[float, float]) -> str:
    """Pairs of Z_r and r, in ascending order, as the stem prints them."""
    return "，".join(f"$Z_r={number(z, 3)}$时r={number(r, 2)}" for r, z in sorted(table.items()))


def spread(n: int) -> float:
    """Standard error of Fisher's z."""
    return 1 / math.sqrt(n - 3)
