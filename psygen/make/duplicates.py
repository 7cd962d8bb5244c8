"""Duplicates across a bank, decided in bank order after a run: the first stays, so arrival plays no part."""

from typing import NamedTuple

from psygen.checks.similar import later_ones
from psygen.records.exchange import Profile
from psygen.store.database import Store
from psygen.store.queries import Filter, Reader
from psygen.text import letters_only

EXACT = "E_DUP_ITEM"
SIMILAR = "similar"
_LIVE = ("new", "in_review", "accepted", "contested")


class Found(NamedTuple):
    """How many items were set aside or flagged."""

    exact: int
    similar: int


def settle_duplicates(store: Store, profile: Profile) -> Found:
    """Reject later items whose stem exists already, flag later ones that are nearly the same."""
    wanted = Filter(engines=(profile.engine,), models=(profile.model,), states=_LIVE)
    with Reader(store.path) as reader:
        items = [i for i in reader.items(wanted) if i.lang == profile.lang]
    seen: set[str] = set()
    exact = []
    for item in items:
        stem = letters_only(item.stem)
        if stem in seen and item.state == "new":
            exact.append(item.id)
        seen.add(stem)
    rejected = set(exact)
    left = [i for i in items if i.id not in rejected]
    later = {left[n].id for n in later_ones(["\n".join((i.stem, *i.options)) for i in left])}
    flagged = {i.id for i in left if SIMILAR in i.flags}
    store.reject_items(exact, EXACT, "a question's stem exists already in the bank")
    store.set_flag(SIMILAR, add=sorted(later - flagged), remove=sorted(flagged - later))
    return Found(len(exact), len(later - flagged))
