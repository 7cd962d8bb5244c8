"""What a review shows in figures: progress, agreement, blind answers, time, yield.

Agreement is about judging alone: of each reviewer the first verdict on an item's original revision counts, as given
before anybody saw another's; proposing another wording is a `modify`. A verdict that was taken back was a slip and does
not count, a skip is none. Blind answers count as first given, taken back or not: after them the key was shown.
Items that were superseded since count for all that, and not for progress and yield.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from itertools import combinations
from statistics import median
from typing import NamedTuple

import numpy as np

from psygen.curate.states import live_events
from psygen.metrics.agreement import MISSING, Agreement, Figure, Ratings, agreement, cohen_kappa
from psygen.metrics.rates import Rate
from psygen.records.review import CHECK_VALUES, CHECKS, VERDICTS, Event
from psygen.store.judged import ItemCount, Original

JUDGEMENTS = tuple(verdict for verdict in VERDICTS if verdict != "skip")
STATES = ("new", "in_review", "contested", "accepted", "rejected")
GROUPINGS = ("subject", "chapter", "kind", "model")


class Group(NamedTuple):
    """Items that have something in common, by state."""

    by: str
    """One of GROUPINGS; empty for all items."""
    subject: str
    """Only where grouped by subject or chapter."""
    name: str
    states: dict[str, int]
    """Every one of STATES."""

    @property
    def yielded(self) -> Rate:
        """Accepted items out of those that were decided; contested ones wait for more."""
        accepted = self.states["accepted"]
        return Rate(accepted, accepted + self.states["rejected"])


class ReviewerFigures(NamedTuple):
    """One reviewer's work."""

    reviewer: str
    assigned: int
    """Items in the reviewer's batches."""
    judged: int
    """Items with a verdict on the original."""
    verdicts: dict[str, Rate]
    """Share of each of JUDGEMENTS."""
    blind: Rate
    """Blind answers that are the key."""
    median_ms: float | None
    """Of the items whose time is known."""
    timed: int
    """Items whose time is known."""
    sentinels: Rate
    """Planted defects found, of those judged."""
    defects: dict[str, Rate]
    """The same by defect."""


class Aspect(NamedTuple):
    """How far reviewers agree on the verdict, on one verdict against the others, or on one check."""

    name: str
    """`verdict`, one of JUDGEMENTS, or one of CHECKS."""
    shares: dict[str, Rate]
    """Of each value among everything said."""
    agreement: Agreement
    pairs: dict[tuple[str, str], Figure]
    """Cohen's kappa of each two reviewers."""


class Contradicted(NamedTuple):
    """An item whose key most blind answers contradict: it may be miskeyed."""

    item: str
    key: str
    answers: dict[str, str]
    """Letter by reviewer."""


class ReviewFigures(NamedTuple):
    """All figures of a review."""

    items: int
    """Items of the bank that can be reviewed."""
    begun: int
    """Items with a verdict on the original."""
    groups: tuple[Group, ...]
    """All items first, then by each of GROUPINGS."""
    reviewers: tuple[ReviewerFigures, ...]
    aspects: tuple[Aspect, ...]
    contradicted: tuple[Contradicted, ...]


class Work(NamedTuple):
    """What a reviewer was given besides what the log tells."""

    assigned: int = 0
    """Items in the reviewer's batches, without sentinels."""
    sentinels: Rate = Rate(0, 0)
    """Planted defects found, of those judged."""
    defects: Mapping[str, Rate] = {}
    """The same by defect."""


class _First(NamedTuple):
    """A reviewer's first judgement of an item."""

    said: Mapping[str, str]
    """By aspect: `verdict` and each of CHECKS; empty where nothing was said."""
    ms: int | None


class _Heard(NamedTuple):
    """What counts of the events, by (item, reviewer)."""

    verdicts: dict[tuple[str, str], _First]
    answers: dict[tuple[str, str], str]


def review_figures(
    counts: Sequence[ItemCount],
    originals: Sequence[Original],
    events: Iterable[Event],
    reviewers: Sequence[str],
    *,
    work: Mapping[str, Work],
    seed: int,
) -> ReviewFigures:
    """The figures of a review; intervals are drawn with `seed`.

    counts, originals: in bank order. events: an item's in the order of the log; those on other items, and of others
    than `reviewers`, are left out. reviewers: their ids, in the order shown. work: by reviewer.
    """
    known = {original.item_id: original for original in originals}
    heard = _heard(events, known, frozenset(reviewers))
    begun = sorted({item for item, _ in heard.verdicts})
    judging = [who for who in reviewers if any(who == reviewer for _, reviewer in heard.verdicts)]
    return ReviewFigures(
        items=sum(count.items for count in counts if count.state in STATES),
        begun=len(begun),
        groups=tuple(_groups(count for count in counts if count.state in STATES)),
        reviewers=tuple(_reviewer(who, heard, known, work.get(who, Work())) for who in reviewers),
        aspects=tuple(_aspects(heard.verdicts, begun, judging, seed)),
        contradicted=tuple(_contradicted(heard.answers, known)),
    )


def _heard(events: Iterable[Event], known: Mapping[str, Original], reviewers: frozenset[str]) -> _Heard:
    """First verdicts and first blind answers, each on the original revision."""
    mine = [e for e in events if e.item_id in known and e.reviewer in reviewers]
    live = {event.seq for event in live_events(mine)}
    heard = _Heard({}, {})
    for event in mine:
        if event.revision != known[event.item_id].revision:
            continue
        place = event.item_id, event.reviewer
        if event.blind_answer:
            heard.answers.setdefault(place, event.blind_answer)
        if event.kind in ("verdict", "edit") and event.verdict != "skip" and event.seq in live:
            said = {"verdict": event.verdict or "modify", **event.checks}
            heard.verdicts.setdefault(place, _First(said, event.ms))
    return heard


def _groups(counts: Iterable[ItemCount]) -> list[Group]:
    """Items by state: all, then by subject, chapter, kind, model, each in the order of the bank."""
    found: dict[tuple[str, str, str], Counter[str]] = defaultdict(Counter)
    for count in counts:
        for group in (
            ("", "", ""),
            ("subject", count.subject, count.subject),
            ("chapter", count.subject, count.chapter),
            ("kind", "", count.kind),
            ("model", "", count.model),
        ):
            found[group][count.state] += count.items
    order = ("", *GROUPINGS)
    return [
        Group(by, subject, name, {state: states[state] for state in STATES})
        for (by, subject, name), states in sorted(found.items(), key=lambda group: order.index(group[0][0]))
    ]


def _reviewer(who: str, heard: _Heard, known: Mapping[str, Original], work: Work) -> ReviewerFigures:
    own = [first for (_, reviewer), first in heard.verdicts.items() if reviewer == who]
    said = Counter(first.said["verdict"] for first in own)
    answers = [(known[item].key, letter) for (item, reviewer), letter in heard.answers.items() if reviewer == who]
    times = [first.ms for first in own if first.ms]
    return ReviewerFigures(
        reviewer=who,
        assigned=work.assigned,
        judged=len(own),
        verdicts={verdict: Rate(said[verdict], len(own)) for verdict in JUDGEMENTS},
        blind=Rate(sum(key == letter for key, letter in answers), len(answers)),
        median_ms=median(times) if times else None,
        timed=len(times),
        sentinels=work.sentinels,
        defects=dict(work.defects),
    )


def _aspects(
    verdicts: Mapping[tuple[str, str], _First], items: Sequence[str], reviewers: Sequence[str], seed: int
) -> list[Aspect]:
    """Agreement on the verdict, on each verdict against the others, and on each check."""
    rated = _ratings("verdict", JUDGEMENTS, verdicts, items, reviewers)
    aspects = [_aspect("verdict", rated, JUDGEMENTS, reviewers, seed)]
    for n, verdict in enumerate(JUDGEMENTS):
        one_or_other = np.where(rated == MISSING, MISSING, rated != n)
        aspects.append(_aspect(verdict, one_or_other, (verdict, "other"), reviewers, seed))
    for check in CHECKS:
        rated = _ratings(check, CHECK_VALUES, verdicts, items, reviewers)
        aspects.append(_aspect(check, rated, CHECK_VALUES, reviewers, seed))
    return aspects


def _ratings(
    aspect: str,
    values: Sequence[str],
    verdicts: Mapping[tuple[str, str], _First],
    items: Sequence[str],
    reviewers: Sequence[str],
) -> Ratings:
    """(items, reviewers): positions among `values`, MISSING where nothing was said."""
    row = {item: n for n, item in enumerate(items)}
    column = {who: n for n, who in enumerate(reviewers)}
    code = {value: n for n, value in enumerate(values)}
    ratings = np.full((len(items), len(reviewers)), MISSING, dtype=np.int64)
    for (item, who), first in verdicts.items():
        ratings[row[item], column[who]] = code.get(first.said[aspect], MISSING)
    return ratings


def _aspect(name: str, ratings: Ratings, values: Sequence[str], reviewers: Sequence[str], seed: int) -> Aspect:
    given = ratings[ratings != MISSING]
    return Aspect(
        name=name,
        shares={value: Rate(int((given == n).sum()), len(given)) for n, value in enumerate(values)},
        agreement=agreement(ratings, len(values), seed=seed, purpose=f"agreement/{name}"),
        pairs={
            (reviewers[a], reviewers[b]): cohen_kappa(ratings[:, a], ratings[:, b], len(values))
            for a, b in combinations(range(len(reviewers)), 2)
        },
    )


def _contradicted(answers: Mapping[tuple[str, str], str], known: Mapping[str, Original]) -> list[Contradicted]:
    """Items to which two reviewers or more, and most of them, gave another answer than the key.

    Those on which the most agree against the key come first, then in bank order.
    """
    letters: dict[str, dict[str, str]] = defaultdict(dict)
    for (item_id, who), letter in sorted(answers.items()):
        letters[item_id][who] = letter
    found = []
    for item_id, original in known.items():
        given = letters.get(item_id, {})
        others = Counter(letter for letter in given.values() if letter != original.key)
        if others.total() >= 2 and 2 * others.total() > len(given):
            found.append((max(others.values()), Contradicted(item_id, original.key, given)))
    return [item for _, item in sorted(found, key=lambda one: -one[0])]
