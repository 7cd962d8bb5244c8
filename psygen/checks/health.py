"""How healthy a bank is: letters, lengths, duplicates, flags, beside what human examinations show.

Counts stand beside every rate; a rate over nothing is None. Reference values were computed on real examinations.
"""

from collections.abc import Sequence
from typing import Any, NamedTuple

import pandas as pd

from psygen.checks.similar import later_ones
from psygen.records.item import LETTERS, Item
from psygen.text import letters_only

MIN_ITEMS = 20
"""Below so many items a share says nothing and raises no alarm."""


class Reference(NamedTuple):
    """A human examination, measured the same way."""

    name: str
    items: int
    key_share: tuple[float, float, float, float]
    longest_is_key: float
    stem_chars: float
    answer_chars: float


REFERENCES = (
    Reference("CMMLU professional psychology", 232, (0.25, 0.25, 0.25, 0.25), 0.261, 28.5, 4.8),
    Reference("CPsyExam single choice, train", 6852, (0.25, 0.27, 0.26, 0.22), 0.293, 32.0, 5.8),
    Reference("counsellor examination, single", 1295, (0.20, 0.31, 0.28, 0.22), 0.271, 24.3, 6.5),
    Reference("C-Eval val", 1346, (0.23, 0.25, 0.26, 0.26), 0.298, 50.1, 12.2),
)


class Health(NamedTuple):
    """One group of items: a subject, or a kind of a subject, from one engine."""

    subject: str
    kind: str
    """Empty for all kinds together."""
    engine: str
    items: int
    key_share: dict[str, float | None]
    longest_is_key: float | None
    """Share of items whose key is the longest option; a tie counts by its share."""
    stem_chars: float | None
    answer_chars: float | None
    distractor_chars: float | None
    long_answers: float | None
    """Share of items whose key is over 1.5 times as long as its mean distractor."""
    exact_duplicates: int
    near_duplicates: int
    flags: dict[str, int]
    alarms: tuple[str, ...]


def bank_health(items: Sequence[Item]) -> list[Health]:
    """Health by subject and engine, then by kind within each, in order of appearance."""
    if not items:
        return []
    frame = pd.DataFrame([_measures(item) for item in items])
    frame["exact"] = frame.groupby("engine")["stem_key"].transform(lambda keys: keys.duplicated())
    frame["near"] = False
    for _, rows in frame.groupby("engine", sort=False):
        texts = [items[int(n)].stem + "\n" + "\n".join(items[int(n)].options) for n in rows.index]
        frame.loc[rows.index[later_ones(texts)], "near"] = True
    found = []
    for (subject, engine), rows in frame.groupby(["subject", "engine"], sort=False):
        found.append(_health(str(subject), "", str(engine), rows))
        kinds = rows.groupby("kind", sort=True)
        found += [_health(str(subject), str(kind), str(engine), part) for kind, part in kinds]
    return found


def _measures(item: Item) -> dict[str, Any]:
    lengths = [len(option) for option in item.options]
    key = item.key[0] if len(item.key) == 1 else -1
    longest = max(lengths, default=0)
    others = [n for i, n in enumerate(lengths) if i != key]
    distractor = sum(others) / len(others) if others else 0.0
    return {
        "subject": item.subject,
        "kind": item.kind,
        "engine": item.engine,
        "letter": LETTERS[key] if key >= 0 else "",
        "longest": 1 / lengths.count(longest) if key >= 0 and lengths[key] == longest else 0.0,
        "stem_chars": len(item.stem),
        "answer_chars": lengths[key] if key >= 0 else 0,
        "distractor_chars": distractor,
        "long": key >= 0 and lengths[key] > 1.5 * distractor,
        "stem_key": letters_only(item.stem),
        "flags": item.flags,
    }


def _health(subject: str, kind: str, engine: str, rows: pd.DataFrame) -> Health:
    count = len(rows)
    letters = rows["letter"].value_counts()
    exact = int(rows["exact"].sum())
    share: dict[str, float | None] = {letter: float(letters.get(letter, 0)) / count for letter in "ABCD"}
    health = Health(
        subject=subject,
        kind=kind,
        engine=engine,
        items=count,
        key_share=share,
        longest_is_key=float(rows["longest"].mean()),
        stem_chars=float(rows["stem_chars"].mean()),
        answer_chars=float(rows["answer_chars"].mean()),
        distractor_chars=float(rows["distractor_chars"].mean()),
        long_answers=float(rows["long"].mean()),
        exact_duplicates=exact,
        near_duplicates=int(rows["near"].sum()),
        flags={str(k): int(v) for k, v in rows["flags"].explode().dropna().value_counts().sort_index().items()},
        alarms=(),
    )
    return health._replace(alarms=tuple(_alarms(health)))


def _alarms(health: Health) -> list[str]:
    """What a human examination would not show, each in a clause."""
    if health.items < MIN_ITEMS:
        return []
    alarms = [
        f"letter {letter} is the key in {share:.0%}, outside 20-30 %"
        for letter, share in health.key_share.items()
        if share is not None and not 0.20 <= share <= 0.30
    ]
    if health.longest_is_key is not None and health.longest_is_key > 0.33:
        alarms.append(f"the longest option is the key in {health.longest_is_key:.0%}, over 33 %")
    if health.long_answers is not None and health.long_answers > 0.10:
        alarms.append(f"the key is over 1.5 x its distractors in {health.long_answers:.0%}, over 10 %")
    if health.exact_duplicates > 0.01 * health.items:
        alarms.append(f"{health.exact_duplicates} stems stand twice, over 1 %")
    return alarms
