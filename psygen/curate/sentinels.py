"""Sentinels: questions with a defect planted by rule, mixed into batches, so that a lenient reviewer shows.

A sentinel takes the place of the good question it is made from; that one waits for a later batch. Three defects:

* `wrong_key`: the key points to a distractor; all else stays.
* `two_right`: a distractor becomes the key said another way (`即…`, 25% for 0.25), so that two options are right.
* `off_concept`: a question of another chapter stands under this concept.

Found means: the reviewer's verdict is modify or delete; for `wrong_key` also a blind answer other than the planted key.
"""

import re
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from psygen.ids import content_hash, rng
from psygen.records.item import LETTERS, Item
from psygen.store import reviews
from psygen.store.queries import Reader
from psygen.store.reviews import Sentinel

DEFECTS = ("wrong_key", "two_right", "off_concept")
_DECIMAL = re.compile(r"(-?)(\d+)(\.\d+)?")
_PERCENT = re.compile(r"(-?\d+(?:\.\d+)?)%")


class Detection(NamedTuple):
    """How many sentinels a reviewer judged, and how many of them they found."""

    reviewer: str
    judged: int
    found: int
    by_defect: dict[str, tuple[int, int]]
    """By defect: judged, found."""


def plant(
    groups: Sequence[Sequence[Item]], spare: Sequence[Item], count: int, *, seed: int
) -> tuple[list[list[Item]], list[tuple[Item, str, str]]]:
    """The groups of a batch with `count` sentinels in place of good questions, and the sentinels.

    groups: the batch's questions by concept. spare: questions outside the batch that may stand under a wrong concept.
    A sentinel comes as (item, id of the question it was made from, defect). Defects take turns; a question with a flag
    or with several keys is left alone, at most one question of a concept is taken. Fewer come when there are no more.
    """
    chance = rng(seed, "sentinels")
    made: list[tuple[Item, str, str]] = []
    planted = [list(group) for group in groups]
    order = list(range(len(planted)))
    chance.shuffle(order)
    for place in order:
        if len(made) == count:
            break
        good = [n for n, item in enumerate(planted[place]) if not item.flags and len(item.key) == 1]
        if not good:
            continue
        n = chance.choice(good)
        source = planted[place][n]
        for turn in range(len(DEFECTS)):
            defect = DEFECTS[(len(made) + turn) % len(DEFECTS)]
            bad = _defective(source, defect, spare, seed)
            if bad is not None:
                planted[place][n] = bad
                made.append((bad, source.id, defect))
                break
    return planted, made


def _defective(source: Item, defect: str, spare: Sequence[Item], seed: int) -> Item | None:
    """The question with a defect; None when the rule does not fit it."""
    chance = rng(seed, f"sentinel/{defect}/{source.id}")
    wrong = [n for n in range(len(source.options)) if n not in source.key]
    if not wrong:
        return None
    changes: dict[str, object] = {}
    if defect == "wrong_key":
        changes["key"] = (chance.choice(wrong),)
    elif defect == "two_right":
        options = list(source.options)
        options[chance.choice(wrong)] = said_again(options[source.key[0]], source.lang)
        changes["options"] = tuple(options)
    else:
        strange = [i for i in spare if _is_strange(i, source)]
        if not strange:
            return None
        other = chance.choice(strange)
        changes = {name: getattr(other, name) for name in ("stem", "options", "key", "explanation", "kind", "level")}
    changes["id"] = "psy-" + content_hash(["sentinel", seed, source.id, defect], 12)
    return source.model_copy(update=changes)


def _is_strange(other: Item, source: Item) -> bool:
    return (
        not other.flags
        and len(other.key) == 1
        and other.lang == source.lang
        and other.concept_id != source.concept_id
        and (other.subject, other.chapter) != (source.subject, source.chapter)
    )


def said_again(text: str, lang: str) -> str:
    """The same said another way: a percentage as a fraction of one, a further zero, or `即` before a text."""
    if match := _PERCENT.fullmatch(text):
        return f"{float(match.group(1)) / 100:.10f}".rstrip("0").rstrip(".")
    if match := _DECIMAL.fullmatch(text):
        return text + ("0" if match.group(3) else ".0")
    return f"即{text}" if lang == "zh" else f"that is, {text}"


def detection(reader: Reader) -> list[Detection]:
    """How many sentinels each reviewer judged and found, reviewers by id; those who judged none are left out."""
    planted = reader.ask(reviews.sentinels)
    found = []
    for who in reader.ask(reviews.reviewers_known):
        said = reader.ask(reviews.last_verdicts, who)
        answers = reader.ask(reviews.first_answers, who)
        by_defect: dict[str, tuple[int, int]] = {}
        for item_id, verdict in said.items():
            if item_id in planted and verdict != "skip":
                sentinel = planted[item_id]
                judged, hits = by_defect.get(sentinel.defect, (0, 0))
                is_found = is_detected(sentinel, verdict, answers.get(item_id, ""))
                by_defect[sentinel.defect] = (judged + 1, hits + is_found)
        if by_defect:
            judged, hits = _sums(by_defect.values())
            found.append(Detection(who, judged, hits, dict(sorted(by_defect.items()))))
    return found


def is_detected(sentinel: Sentinel, verdict: str, answer: str) -> bool:
    """Whether a verdict and a blind answer show that the defect was noticed."""
    if verdict in ("modify", "delete"):
        return True
    return sentinel.defect == "wrong_key" and bool(answer) and answer != LETTERS[sentinel.item.key[0]]


def _sums(pairs: Iterable[tuple[int, int]]) -> tuple[int, int]:
    pairs = list(pairs)
    return sum(a for a, _ in pairs), sum(b for _, b in pairs)
