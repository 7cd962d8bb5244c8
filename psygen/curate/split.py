"""`psygen split`: from the bank to a stored split.

What takes part and stays together is candidates.py's, dividing itself divide.py's; here the two meet the store.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from psygen.curate.candidates import Entries, read_entries, together
from psygen.curate.choice import chosen_engines, chosen_states
from psygen.curate.divide import divide
from psygen.errors import InputError
from psygen.records.benchmark import Split
from psygen.records.concept import Subject
from psygen.records.split import DEMONSTRATIONS, PARTS, PUBLISHED, Group, Policy
from psygen.settings import Settings
from psygen.store.database import Store
from psygen.store.splits import SplitReader, StoredSplit, extend_split, save_split

Count = dict[str, dict[Split, int]]
"""Questions by subject and part."""


class Divided(NamedTuple):
    """A split with what became of every question."""

    name: str
    policy: Policy
    parts: dict[str, Split]
    """Every question that takes part now, by id."""
    added: int
    """How many of them are new in this split."""
    counts: Count
    notes: tuple[str, ...]
    """What the user should know, a sentence each."""


def make_split(
    settings: Settings,
    known: Sequence[Subject],
    policy: Policy,
    *,
    name: str,
    subjects: Sequence[Subject] = (),
    replace: bool = False,
    is_dry_run: bool = False,
) -> Divided:
    """Divide the bank and store the split.

    known: every subject, in bank order. subjects: only these; all when empty.
    Raises InputError when nothing fits, or when the name is taken and not to be replaced.
    """
    _bring_up_to_date(settings)
    with SplitReader(settings.database) as reader:
        if (there := reader.split(name)) and not replace:
            raise InputError(
                f'There is a split "{name}" already, made {there.made_at}; extend it with --extend, '
                "choose another --name, or make it anew with --replace."
            )
        entries = read_entries(reader, policy, [s.slug for s in subjects or known])
    divided = _divide(name, policy, entries, known, {})
    if not is_dry_run:
        with Store(settings.database) as store:
            save_split(store, name, policy, divided.parts, replace=replace)
    return divided


def extend(
    settings: Settings,
    known: Sequence[Subject],
    stored: StoredSplit,
    policy: Policy,
    *,
    subjects: Sequence[Subject] = (),
    is_dry_run: bool = False,
) -> Divided:
    """Add the questions a split does not have yet; what it has keeps its place.

    policy: the stored one, perhaps with other states or engines. subjects: new questions of these only.
    """
    with SplitReader(settings.database) as reader:
        found = read_entries(reader, policy, [s.slug for s in known])
        kept = reader.parts(stored.name)
    slugs = {s.slug for s in subjects or known}
    entries = [entry for entry in found.entries if entry.candidate.id in kept or entry.subject in slugs]
    divided = _divide(stored.name, policy, found._replace(entries=entries), known, kept)
    if not is_dry_run:
        with Store(settings.database) as store:
            extend_split(store, stored.name, policy, divided.parts)
    return divided


def stored_splits(settings: Settings) -> list[StoredSplit]:
    """Every split, in the order they were made."""
    _bring_up_to_date(settings)
    with SplitReader(settings.database) as reader:
        return reader.splits()


def stored_split(settings: Settings, name: str) -> StoredSplit:
    """The split of that name. Raises InputError that lists those there are."""
    found = stored_splits(settings)
    for split in found:
        if split.name == name:
            return split
    names = ", ".join(s.name for s in found)
    raise InputError(
        f'There is no split "{name}"; ' + (f"there is {names}." if names else "make one with: psygen split.")
    )


def stored_counts(settings: Settings, known: Sequence[Subject], name: str) -> Count:
    """Questions of a stored split by subject and part, whatever their state is now."""
    with SplitReader(settings.database) as reader:
        return _counts(((p.item.subject, p.part) for p in reader.placed(name)), known)


def new_policy(
    settings: Settings,
    *,
    states: Sequence[str] = (),
    engines: Sequence[str] = (),
    shares: tuple[tuple[Split, int], ...] = PUBLISHED,
    dev: int = DEMONSTRATIONS,
    label: str = "",
    group: Group = "none",
) -> Policy:
    """The policy of a new split: seed and language are the settings'. Raises InputError for what cannot be."""
    _bring_up_to_date(settings)
    with SplitReader(settings.database) as reader:
        chosen = chosen_engines(reader, engines)
    return Policy(
        shares=shares,
        dev=0 if label else dev,
        label=label,
        group=group,
        seed=settings.generate.seed,
        lang=settings.generate.lang,
        states=chosen_states(states),
        engines=chosen,
    )


def widened(settings: Settings, policy: Policy, *, states: Sequence[str], engines: Sequence[str]) -> Policy:
    """A stored policy, with other states and engines when they are named."""
    with SplitReader(settings.database) as reader:
        changes = {"engines": chosen_engines(reader, engines)} if engines else {}
    return policy.model_copy(update=changes | ({"states": chosen_states(states)} if states else {}))


def _bring_up_to_date(settings: Settings) -> None:
    """Bring an older database to the present schema; a missing one stays missing, which reading complains about."""
    if settings.database.is_file():
        with Store(settings.database):
            pass


def _divide(name: str, policy: Policy, found: Entries, known: Sequence[Subject], kept: Mapping[str, Split]) -> Divided:
    candidates = [entry.candidate for entry in found.entries]
    parts = divide(candidates, policy, kept=kept, together=together(found.entries, policy))
    counts = _counts(((entry.subject, parts[entry.candidate.id]) for entry in found.entries), known)
    added = len(parts.keys() - kept.keys())
    return Divided(name, policy, parts, added, counts, (*found.notes, *_shortages(counts, policy)))


def _shortages(counts: Count, policy: Policy) -> list[str]:
    if not policy.dev:
        return []
    return [
        f"{subject}: only {parts.get('dev', 0)} questions, all of them demonstrations; nothing is left to test."
        for subject, parts in counts.items()
        if not any(parts.get(part) for part in PARTS if part != "dev")
    ]


def _counts(placed: Iterable[tuple[str, Split]], known: Sequence[Subject]) -> Count:
    """Questions by subject, in bank order, and part, in the usual order."""
    found = Counter(placed)
    there = {slug for slug, _ in found}
    return {
        s.slug: {part: found[s.slug, part] for part in PARTS if found[s.slug, part]} for s in known if s.slug in there
    }
