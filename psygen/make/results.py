"""Results that come as files: kept as they are, then read like any other answer. Streaming, a few hundred at a time."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from psygen.files.batch_lines import Result
from psygen.make.duplicates import settle_duplicates
from psygen.make.tasks import Tasks
from psygen.make.work import Work
from psygen.prices import Price
from psygen.records.exchange import Profile, Reply, Request
from psygen.replies.envelope import read_envelope
from psygen.runner import Queue, Stop
from psygen.store.database import Store
from psygen.store.queries import Filter, Reader
from psygen.store.submissions import Answered, Submissions, at_once
from psygen.store.units import OpenUnit, Unit

AT_ONCE = 200
"""Results kept and read at once."""
MOST_COMPARED = 200_000
"""Questions that are compared with each other after reading; more would take gigabytes (`psygen check` counts them)."""
SHOWN = 3
"""Messages of one kind that are shown."""


class Tally:
    """What came of results, counted over all files of one command."""

    def __init__(self) -> None:
        self.answers = self.held = self.strangers = self.unreadable = 0
        self.failed = self.unknown = self.parked = 0
        self.finished = self.items = self.invalid = 0
        self.duplicates = self.similar = self.uncompared = 0
        self.messages: dict[str, int] = {}

    def note(self, message: str) -> None:
        """Count a message of the provider."""
        if len(self.messages) < 100 or message in self.messages:
            self.messages[message] = self.messages.get(message, 0) + 1

    @property
    def shown(self) -> list[str]:
        """The most frequent messages, each with how often it came."""
        often = sorted(self.messages.items(), key=lambda m: -m[1])[:SHOWN]
        return [f"{n:,} x {text}" if n > 1 else text for text, n in often]

    def compare(self, store: Store, work: "StoredWork") -> None:
        """Settle duplicates among the questions of a profile, once new ones came; too many are left as they are."""
        if not work.items:
            return
        with Reader(store.path) as reader:
            count = reader.count_items(Filter(engines=(work.profile.engine,), models=(work.profile.model,)))
        if count > MOST_COMPARED:
            self.uncompared = count
            return
        found = settle_duplicates(store, work.profile)
        self.duplicates += found.exact
        self.similar += found.similar

    def as_json(self) -> dict[str, int]:
        """The numbers by name."""
        return {name: value for name, value in vars(self).items() if isinstance(value, int)}


class Lines(NamedTuple):
    """Some results, sorted by what they are."""

    answers: list[Result]
    others: list[Result]
    """Lines that name a request and bring no answer."""
    unreadable: list[Result]


class Later(Tasks):
    """Stands where requests are made: a command that only reads makes none."""

    def body(self, unit: Unit, questions: int, held: Sequence[str], *, too_long: int = 0) -> Mapping[str, Any]:
        """Never called: what is missing is asked for by the next generate."""
        raise AssertionError("reading results makes no request")

    def may_ask_again(self, request: Request) -> bool:
        """Not here."""
        return False

    def answered(self, request: Request) -> None:
        """Nothing to learn."""


class StoredWork(Work):
    """Reads answers that are in the store; asks nothing."""

    def __init__(self, store: Store, submissions: Submissions, profile: Profile, seed: int) -> None:
        super().__init__(store, Later(), profile, {}, seed)
        self.profile = profile
        self._submissions = submissions

    def read_stored(self) -> int:
        """Read every unread answer of the profile; how many units are finished by that."""
        waiting = [pair for pair in self._store.unread() if pair[0].profile.id == self._profile.id]
        finished = 0
        while waiting:
            # A unit's second answer is read beside the questions of its first.
            now = list({request.unit_id: (request, reply) for request, reply in reversed(waiting)}.values())
            finished += self._read_some(now)
            done = {request.id for request, _ in now}
            waiting = [pair for pair in waiting if pair[0].id not in done]
        return finished

    def _read_some(self, pairs: Sequence[tuple[Request, Reply]]) -> int:
        units = {request.unit_id for request, _ in pairs}
        states: Mapping[str, OpenUnit] = self._submissions.unit_states(units)
        self._asked.update({request.id: (request, states[request.unit_id]) for request, _ in pairs})
        finished, _ = self.read([reply for _, reply in pairs], Queue(Stop()))
        self._submissions.supersede_stale(units)
        return finished


def sorted_lines(results: Iterable[Result]) -> Iterator[Lines]:
    """Results some hundred at a time, answers apart from the rest."""
    for some in at_once(results, AT_ONCE):
        yield Lines(
            answers=[r for r in some if r.is_answer],
            others=[r for r in some if r.custom_id and not r.is_answer],
            unreadable=[r for r in some if not r.custom_id],
        )


def keep_and_read(
    store: Store,
    work: StoredWork,
    answers: Sequence[Result],
    tally: Tally,
    *,
    price: Price | None,
    run_id: int,
    key: str = "",
) -> int:
    """Commit answers, then read them. How many of them were new."""
    submissions = Submissions(store.writing)
    rows = [Answered(r.custom_id, r.raw, r.status, cost_of(r.raw, price)) for r in answers]
    kept = submissions.keep_answers(rows, run_id=run_id, key=key)
    before = (work.items, work.invalid, work.parked)
    tally.finished += work.read_stored()
    tally.answers += kept.new
    tally.held += kept.held
    tally.strangers += kept.strangers
    tally.items += work.items - before[0]
    tally.invalid += work.invalid - before[1]
    tally.parked += work.parked - before[2]
    return kept.new


def cost_of(raw: bytes, price: Price | None) -> int | None:
    """Micro-USD of one answer at the batch price; None when nobody knows."""
    return None if price is None else price.cost(read_envelope(raw).usage, batch=True)


Say = Callable[[str], None]
"""Tells the user one line."""
