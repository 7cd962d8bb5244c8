"""The questions that take part in a split, as little of each as dividing needs, and which of them stay together."""

from collections import Counter, defaultdict
from collections.abc import Sequence
from typing import NamedTuple

from psygen.checks.similar import similar_pairs
from psygen.curate.choice import ANY_STATE, REVIEWED
from psygen.curate.divide import Candidate
from psygen.errors import InputError
from psygen.records.item import Item
from psygen.records.split import Policy
from psygen.store.queries import Filter
from psygen.store.splits import SplitReader
from psygen.text import letters_only

LABEL_FIELDS = ("subject", "concept_id", "prompt_type", "kind", "level", "form", "engine", "model")
"""Fields of a question that serve as labels besides the label schemes."""


class Entry(NamedTuple):
    """A question that takes part."""

    candidate: Candidate
    subject: str
    concept_id: str
    stem_letters: str
    text: str
    """Stem and options, to find near-duplicates."""


class Entries(NamedTuple):
    """Those that take part, and what the user should know of them, a sentence each."""

    entries: list[Entry]
    notes: tuple[str, ...]


def read_entries(reader: SplitReader, policy: Policy, subjects: Sequence[str]) -> Entries:
    """The questions of these subjects (slugs) that a policy takes in.

    Raises InputError when there is none, or none with the label the shares are to be even over.
    """
    entries: list[Entry] = []
    seen: Counter[str] = Counter()
    schemes: set[str] = set()
    wanted = Filter(subjects=tuple(subjects), states=policy.states, engines=policy.engines)
    for item in reader.items(wanted) if policy.engines else ():
        if item.lang != policy.lang:
            seen["foreign"] += 1
        elif not item.key:
            seen["keyless"] += 1
        else:
            entries.append(_entry(item, policy))
            schemes.update(item.labels)
            seen["unreviewed"] += item.state not in REVIEWED
            seen["offline"] += item.engine == "offline"
    if not entries:
        raise InputError(_nothing_fits(reader, policy, tuple(subjects)))
    if policy.label and not any(any(entry.candidate.place) for entry in entries):
        names = ", ".join(sorted(schemes | set(LABEL_FIELDS)))
        raise InputError(f'No question has the label "{policy.label}"; labels: {names}.')
    return Entries(entries, tuple(_notes(seen, len(entries), policy)))


def together(entries: Sequence[Entry], policy: Policy) -> list[list[str]]:
    """Ids that must not be parted: equal stems, near-duplicates, and with `group` the questions of a concept."""
    groups: dict[tuple[str, str], list[str]] = defaultdict(list)
    for entry in entries:
        groups["stem", entry.stem_letters].append(entry.candidate.id)
        if policy.group == "concept" and entry.concept_id:
            groups["concept", entry.concept_id].append(entry.candidate.id)
    pairs = similar_pairs([entry.text for entry in entries])
    near = [[entries[pair.first].candidate.id, entries[pair.second].candidate.id] for pair in pairs]
    return [ids for ids in groups.values() if len(ids) > 1] + near


def label_of(item: Item, scheme: str) -> tuple[str, ...]:
    """The path of a label, or a field as a path of one; ("",) when the question has none."""
    if scheme in item.labels:
        return item.labels[scheme]
    value = getattr(item, scheme) if scheme in LABEL_FIELDS else ""
    return (str(value or ""),)


def _entry(item: Item, policy: Policy) -> Entry:
    place = label_of(item, policy.label) if policy.label else (item.subject, item.chapter)
    is_plain = item.form == "single" and len(item.key) == 1 and len(item.options) == 4
    return Entry(
        candidate=Candidate(item.id, place, item.key_letters, is_plain),
        subject=item.subject,
        concept_id=item.concept_id,
        stem_letters=letters_only(item.stem),
        text="\n".join((item.stem, *item.options)),
    )


def _notes(seen: Counter[str], count: int, policy: Policy) -> list[str]:
    notes = {
        "unreviewed": f"of {count:,} questions are not accepted by reviewers: this is no reviewed benchmark.",
        "offline": "questions come from the offline engine.",
        "keyless": "questions without a key are left out.",
        "foreign": f"questions in another language than {policy.lang} are left out.",
    }
    return [f"{seen[name]:,} {text}" for name, text in notes.items() if seen[name]]


def _nothing_fits(reader: SplitReader, policy: Policy, subjects: tuple[str, ...]) -> str:
    """What the bank has instead of what was asked for, and what to do."""
    here = Filter(subjects=subjects)
    others = {s: reader.count_items(here._replace(states=(s,))) for s in (*ANY_STATE, "rejected")}
    listed = ", ".join(f"{n:,} {state}" for state, n in others.items() if n)
    if not listed:
        return "There is no question to divide; make some with: psygen generate."
    offline = reader.count_items(here._replace(engines=("offline",), states=ANY_STATE))
    named = [] if "offline" in policy.engines or not offline else ["--engine offline"]
    is_unreviewed = policy.states == REVIEWED and not reader.count_items(here._replace(states=REVIEWED))
    named += ["--state any"] if is_unreviewed else []
    hint = f", or take them as they are with {' '.join(named)}" if named else ""
    by = f" of engine {', '.join(policy.engines)}" if policy.engines else " by a model"
    return (
        f"No question{by} is {' or '.join(policy.states)}, so there is nothing to divide; the bank has {listed} "
        f"({offline:,} of the offline engine). "
        f"Have them reviewed (psygen review export){hint}."
    )
