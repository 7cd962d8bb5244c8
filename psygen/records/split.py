"""How a bank is divided: the rules of a split, stored beside it so that it can be extended and explained."""

from fractions import Fraction
from typing import Annotated, Literal, Self

from pydantic import AfterValidator, Field, model_validator

from psygen.records.benchmark import Split
from psygen.records.concept import Record
from psygen.records.item import ItemState

PARTS: tuple[Split, ...] = ("train", "dev", "val", "test", "reserved")
DEMONSTRATIONS = 5
PUBLISHED: tuple[tuple[Split, int], ...] = (("val", 428), ("test", 4085))
"""Validation and test questions of ConceptPsy, beside 60 for demonstrations: five of each of twelve subjects."""

Group = Literal["none", "concept"]


def _parts_differ(shares: tuple[tuple[Split, int], ...]) -> tuple[tuple[Split, int], ...]:
    if len({part for part, _ in shares}) < len(shares):
        raise ValueError("a part is named twice")
    return shares


class Policy(Record):
    """The rules of a split."""

    shares: Annotated[tuple[tuple[Split, Annotated[int, Field(ge=1)]], ...], AfterValidator(_parts_differ)] = PUBLISHED
    """Parts and their weights, in whole numbers; of what demonstrations leave over."""
    dev: int = Field(default=DEMONSTRATIONS, ge=0)
    """Demonstrations of each subject; 0 when shares are even over a label."""
    label: str = ""
    """Shares are even over the values of this label; empty for subject and chapter."""
    group: Group = "none"
    """What stays together besides near-duplicates: nothing, or the questions of a concept."""
    seed: int
    lang: str
    states: tuple[ItemState, ...]
    """Questions in these states take part."""
    engines: tuple[str, ...]
    """Questions of these engines take part."""

    @model_validator(mode="after")
    def _shares_are_whole(self) -> Self:
        if not self.shares:
            raise ValueError("a split has at least one part")
        if self.dev and "dev" in dict(self.shares):
            raise ValueError("dev has both a number and a share")
        return self

    def share(self, part: Split) -> Fraction:
        """The share of a part. Raises KeyError for a part without one."""
        weights = dict(self.shares)
        return Fraction(weights[part], sum(weights.values()))

    @property
    def parts(self) -> tuple[Split, ...]:
        """The parts it divides into, in their usual order."""
        used = set(dict(self.shares)) | ({"dev"} if self.dev else set())
        return tuple(part for part in PARTS if part in used)
