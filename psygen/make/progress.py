"""What becomes of a unit after a reply: done, asked again for the missing questions, partial, or parked."""

from typing import NamedTuple

from psygen.make.items import Made, short_reason
from psygen.records.concept import PromptType

TOP_UPS = 3
"""How often the missing questions of a unit are asked for again."""
FINAL = {"E_FILTER": "content filter", "E_REFUSAL": "the model refused"}
"""Outcomes that another try would not change."""
ENVELOPE_TRIES = 2
"""A server that answers with something else than a completion is asked once more."""


class Next(NamedTuple):
    """The unit's state, why (empty when nothing is to be said), and whether it is asked again in this run."""

    state: str
    reason: str
    ask_again: bool


def after_reply(made: Made, *, kept: int, asked: int, tries: int, engine: str, prompt_type: PromptType) -> Next:
    """kept: usable items of the unit with this reply's; tries: replies of the unit with this one."""
    if kept >= asked:
        return Next("done", "", False)
    if engine == "offline":
        return Next("done", short_reason(kept, asked, prompt_type), False)
    reason = f"{kept} of {asked}: {_why(made)}"
    if made.outcome in FINAL:
        return Next("partial" if kept else "parked", reason, False)
    most = ENVELOPE_TRIES if made.outcome == "E_ENVELOPE" else 1 + TOP_UPS
    if tries < most:
        return Next("partial" if kept else "pending", reason, True)
    return Next("partial" if kept else "parked", f"{reason}, after {tries} replies", False)


def _why(made: Made) -> str:
    word = FINAL.get(made.outcome, made.outcome)
    if made.outcome == "short":
        codes = sorted({i.reject_code for i in made.items if i.reject_code})
        word = f"too few questions ({', '.join(codes)})" if codes else "too few questions"
    return f"{word} ({made.detail})" if made.detail and made.outcome != "short" else word
