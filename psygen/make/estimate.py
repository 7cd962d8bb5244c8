"""What a run would cost before anything is sent: calls, tokens and money, as expected and at worst."""

from typing import NamedTuple

from psygen.engines.online.forms import request_body
from psygen.make.generate import Job
from psygen.make.plan import Plan
from psygen.make.progress import TOP_UPS
from psygen.prices import input_bound, output_bound
from psygen.records.exchange import Usage
from psygen.store.money import Spent
from psygen.store.queries import Reader

SAMPLE = 200
"""Units whose prompts are rendered; the others are taken to be like them."""
BYTES_A_TOKEN = 3.2
"""Bytes of UTF-8 a token holds on average, in Chinese with a little English (o200k_base and its kind)."""
TOKENS_A_QUESTION = 350
"""Output of one question with options and explanation, as long as this bank's own replies don't say better."""


class Estimate(NamedTuple):
    """One run beforehand. Tokens are sums over the run; money is micro-USD, None where nobody knows the price."""

    calls: int
    input_expected: int
    output_expected: int
    input_worst: int
    output_worst: int
    cost_expected: int | None
    cost_worst: int | None
    """Every reply at its limit, and every unit asked for missing questions as often as psygen does at most."""
    spent: Spent
    """What is paid already, by all runs."""

    def as_json(self) -> dict[str, object]:
        """For --dry-run --json; money in USD."""
        return {
            "calls": self.calls,
            "tokens": {
                "input": {"expected": self.input_expected, "worst": self.input_worst},
                "output": {"expected": self.output_expected, "worst": self.output_worst},
            },
            "cost_usd": {"expected": _usd(self.cost_expected), "worst": _usd(self.cost_worst)},
            "paid_usd": None if self.spent.unpriced else self.spent.certain / 1e6,
            "possibly_billed_usd": self.spent.in_doubt / 1e6,
        }


def estimate(job: Job, plan: Plan, calls: int) -> Estimate:
    """The estimate for `calls` units of a plan; prompts are rendered as they would be sent."""
    means, spent = None, Spent(0, 0, 0)
    if job.settings.database.is_file():
        with Reader(job.settings.database) as reader:
            means, spent = reader.means(job.profile), reader.spent()
    bodies = _bodies(job, plan)
    bound_in = sum(map(input_bound, bodies)) / len(bodies)
    bound_out = sum(map(output_bound, bodies)) / len(bodies)
    expected = means or (bound_in / BYTES_A_TOKEN, job.questions * TOKENS_A_QUESTION)
    rounds = calls * (1 + TOP_UPS)
    expected_in, expected_out = round(calls * expected[0]), round(calls * expected[1])
    worst_in, worst_out = round(rounds * bound_in), round(rounds * bound_out)
    return Estimate(
        calls=calls,
        input_expected=expected_in,
        output_expected=expected_out,
        input_worst=worst_in,
        output_worst=worst_out,
        cost_expected=_cost(job, expected_in, expected_out),
        cost_worst=_cost(job, worst_in, worst_out),
        spent=spent,
    )


def _bodies(job: Job, plan: Plan) -> list[dict[str, object]]:
    """Requests of units spread evenly over the plan."""
    units = plan.units[:: max(1, len(plan.units) // SAMPLE)]
    found = []
    for unit in units:
        subject = job.bank.subject(unit.concept.subject)
        messages = job.prompts.render(
            unit.concept, subject, unit.prompt_type, lang=job.profile.lang, questions=job.questions, held=()
        )
        found.append(request_body(job.settings.server, messages, unit.prompt_type, "schema"))
    return found


def _cost(job: Job, tokens_in: int, tokens_out: int) -> int | None:
    if job.price is None:
        return None
    return job.price.cost(Usage(input=tokens_in, output=tokens_out), batch=job.profile.engine == "batch")


def _usd(micro: int | None) -> float | None:
    return None if micro is None else micro / 1e6
