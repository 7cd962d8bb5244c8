"""Which questions take part: those in the named states, of the named engines. Split, export and stats agree on it."""

from collections.abc import Sequence
from typing import cast

from psygen.errors import InputError
from psygen.records.item import ItemState
from psygen.store.splits import SplitReader

REVIEWED: tuple[ItemState, ...] = ("accepted",)
ANY_STATE: tuple[ItemState, ...] = ("new", "in_review", "accepted", "contested")
"""What `--state any` stands for: rejected questions have to be named, invalid and superseded ones never leave."""


def chosen_engines(reader: SplitReader, named: Sequence[str]) -> tuple[str, ...]:
    """The engines whose questions take part: those named; without a name every one but the offline engine."""
    there = reader.engines()
    if "any" in named:
        return tuple(there)
    if unknown := sorted(set(named) - set(there)):
        raise InputError(
            f'No question comes from engine "{unknown[0]}"; the bank has questions of {", ".join(there) or "none"}.'
        )
    return tuple(sorted(named)) or tuple(e for e in there if e != "offline")


def chosen_states(named: Sequence[str]) -> tuple[ItemState, ...]:
    """The states of the questions that take part: those named; accepted ones without a name."""
    if "any" in named:
        return ANY_STATE
    allowed = (*ANY_STATE, "rejected")
    for state in named:
        if state not in allowed:
            raise InputError(f'No question of state "{state}" enters a split; states: {", ".join(allowed)}, any.')
    return cast(tuple[ItemState, ...], tuple(dict.fromkeys(named))) or REVIEWED
