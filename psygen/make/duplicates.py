"""Duplicates across a bank, decided in bank order after a run: the first stays, so arrival plays no part."""

from typing import NamedTuple

from psygen.checks.similar import later_ones
from psygen.records.exchange import Profile
from psygen.store.database import Store
from psygen.store.queries import Reader
from psygen.text import letters_only

EXACT = "E_DUP_ITEM"
SIMILAR = "similar"


class Found(NamedTuple):
    """How many items were set aside or flagged."""

    exact: int
    similar: int


def settle_duplicates(store: Store, profile: Profile) -> Found:
    """Reject later items whose stem exists already, flag later ones that are nearly the same."""
    with Reader(store.path) as reader:
        texts = list(reader.texts(profile.engine, profile.model, profile.lang))
    seen: set[str] = set()
    exact = []
    for text in texts:
        stem = letters_only(text.stem)
        if stem in seen and text.state == "new":
            exact.append(text.id)
        seen.add(stem)
    rejected = set(exact)
    left = [t for t in texts if t.id not in rejected]
    later = {left[n].id for n in later_ones([f"{t.stem}\n{t.options}" for t in left])}
    flagged = {t.id for t in left if SIMILAR in t.flags}
    if exact:
        store.reject_items(exact, EXACT, "a question's stem exists already in the bank")
    if later != flagged:
        store.set_flag(SIMILAR, add=sorted(later - flagged), remove=sorted(flagged - later))
    return Found(len(exact), len(later - flagged))
