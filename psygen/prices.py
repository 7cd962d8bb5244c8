"""What tokens cost: the dated table of the package, the user's own prices before it, and the arithmetic of both.

Money is integer micro-USD, rounded up call by call; USD per million tokens is micro-USD per token. Unknown is None,
never 0.
"""

import math
import re
import tomllib
from collections.abc import Mapping
from fractions import Fraction
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import urlsplit

from psygen.ids import canonical_json
from psygen.records.exchange import Usage
from psygen.settings import PriceSettings

TABLE = Path(__file__).with_name("prices.toml")
OPENAI_HOST = "api.openai.com"
ASSUMED_OUTPUT = 8000
"""Tokens of a reply where no limit is sent; a run with a cap sends this one."""
FRAME_TOKENS = 64
"""Tokens that a server adds around messages; more than any documented frame of two messages."""
_DATED = re.compile(r"-\d{4}-?\d{2}-?\d{2}$")


class Price(NamedTuple):
    """USD per million tokens of one model at one host."""

    model: str
    input: float
    output: float
    cached_input: float | None = None
    """None: cached tokens cost what others cost."""
    batch: float = 1.0
    """Share of the price that a batch pays."""
    date: str = ""
    source: str = "psygen.toml"

    def cost(self, usage: Usage, *, batch: bool = False) -> int | None:
        """Micro-USD of one call, rounded up; None when the server did not say how many tokens it took.

        Cached tokens are a part of the input tokens.
        """
        if usage.input is None or usage.output is None:
            return None
        cached = min(usage.cached or 0, usage.input)
        cached_price = self.input if self.cached_input is None else self.cached_input
        total = (
            (usage.input - cached) * Fraction(str(self.input))
            + cached * Fraction(str(cached_price))
            + usage.output * Fraction(str(self.output))
        )
        return math.ceil(total * (Fraction(str(self.batch)) if batch else 1))

    def reserve(self, body: Mapping[str, Any], *, batch: bool = False) -> int:
        """The most a request can cost, in micro-USD.

        A byte-level tokenizer never makes more tokens than a text has bytes, so the bytes of everything sent bound
        the input; the limit sent with the request bounds the output.
        """
        return self.cost(Usage(input=input_bound(body), output=output_bound(body)), batch=batch) or 0


def input_bound(body: Mapping[str, Any]) -> int:
    """Tokens a request's input can have at most: the bytes of its messages and schema, and the frame around them."""
    sent = {k: body[k] for k in ("messages", "response_format") if k in body}
    return len(canonical_json(sent).encode("utf-8", "surrogatepass")) + FRAME_TOKENS


def output_bound(body: Mapping[str, Any]) -> int:
    """Tokens a reply can have at most: the limit in the request's body, or what is assumed where there is none."""
    limits = (body.get(name) for name in ("max_completion_tokens", "max_tokens"))
    return next((n for n in limits if isinstance(n, int)), ASSUMED_OUTPUT)


def price_of(model: str, base_url: str, own: Mapping[str, PriceSettings]) -> Price | None:
    """The price of a model at a server; None when nobody knows it.

    own: the [prices] of psygen.toml by "HOST/MODEL" or "MODEL", which win over the package's table. A dated name
    (gpt-5.4-2026-03-05) has the price of its family unless it has one of its own. A server on this machine that offers
    a provider's model by its name is taken for a proxy: what it forwards is billed there.
    """
    host = (urlsplit(base_url).hostname or "") if base_url else OPENAI_HOST
    for name in dict.fromkeys([model, _DATED.sub("", model)]):
        mine = own.get(f"{host}/{name}") or own.get(name)
        if mine is not None:
            return Price(name, mine.input, mine.output, mine.cached_input, mine.batch)
        for row in packaged_prices():
            if row["model"] == name and (row["host"] == host or _is_here(host)):
                return Price(**{k: v for k, v in row.items() if k != "host"})
    return None


def _is_here(host: str) -> bool:
    return host in ("localhost", "::1") or host.startswith("127.")


def packaged_prices() -> list[dict[str, Any]]:
    """The rows of the package's table."""
    rows: list[dict[str, Any]] = tomllib.loads(TABLE.read_text(encoding="utf-8"))["price"]
    return rows
