"""A run's bookkeeping: which units it asks, what is asked next of each, and what came of it."""

from collections.abc import Callable, Iterator, Mapping, Sequence

from psygen.make.items import Made, Task, make_items
from psygen.make.progress import after_reply
from psygen.make.tasks import Tasks
from psygen.records.exchange import Profile, Reply, Request, Usage
from psygen.runner import Queue
from psygen.store.database import Progress, Reading, Store
from psygen.store.units import OpenUnit, Unit


class Work:
    """Requests out, replies in, for one profile."""

    def __init__(
        self,
        store: Store,
        tasks: Tasks,
        profile: Profile,
        units: Mapping[str, Unit],
        seed: int,
        book: Callable[[Reply, Usage], int | None] = lambda reply, usage: reply.cost_micro_usd,
    ) -> None:
        """book: what a received call cost, in micro-USD; None where nobody knows."""
        self._store, self._tasks, self._profile, self._units, self._seed = store, tasks, profile, units, seed
        self._book = book
        self._asked: dict[str, tuple[Request, OpenUnit]] = {}
        self.finished = self.items = self.invalid = self.short = self.parked = self.left = 0
        self.trouble = ""

    def open_units(self, limit: int | None) -> list[OpenUnit]:
        """The planned units to ask now, in bank order; not those whose follow-up is queued already."""
        busy = self.under_way
        known = self._store.open_units(self._profile)
        found = [u for key, u in known.items() if key in self._units and key not in busy]
        return found if limit is None else found[: max(0, limit - len(busy))]

    @property
    def under_way(self) -> set[str]:
        """Units with a request that waits for its answer, or to be sent."""
        return {state.id for _, state in self._asked.values()}

    def requests(self, units: Sequence[OpenUnit]) -> Iterator[Request]:
        """The next request of each unit, made when the engine asks for it."""
        for state in units:
            yield self._request(self._units[state.id], state)

    def catch_up(self, queue: Queue) -> None:
        """Read answers that an earlier run stored and could not read any more."""
        unread = self._store.unread()
        if not unread:
            return
        open_units = self._store.open_units(self._profile)
        for request, _ in unread:
            if request.unit_id in open_units:
                self._asked[request.id] = (request, open_units[request.unit_id])
        self.read([reply for request, reply in unread if request.id in self._asked], queue)

    def read(self, replies: Sequence[Reply], queue: Queue) -> tuple[int, int]:
        """Read replies, store their items, put follow-ups into the queue; units finished and items usable."""
        readings = []
        finished, before = 0, self.items
        for reply in replies:
            request, state = self._asked.pop(reply.request_id)
            if reply.state == "received":
                self._tasks.answered(request)
                reading, again = self._reading(reply, request, state)
                readings.append(reading)
                finished += reading.progress.state in ("done", "parked")
                if again is not None:
                    # Only once this reading is stored does the store know what the unit holds.
                    self._store.save_reading(readings)
                    readings = []
                    queue.put(self._request(self._units[state.id], self._after(state, again)))
            else:
                finished += self._unanswered(reply, request, state, queue)
        self._store.save_reading(readings)
        self.finished += finished
        return finished, self.items - before

    def _request(self, unit: Unit, state: OpenUnit) -> Request:
        """What is asked of a unit next: its questions, or the missing ones beside those it holds.

        After a reply without any usable question, half as many as it was asked for: the same prompt often gives the
        same answer, and a shorter one fits where a long one was cut. All of it follows from what is stored, so that a
        run that was killed asks what it would have asked.
        """
        is_first = state.tries == 0 and state.kept == 0
        held = [] if is_first else self._store.held_stems(unit.id)
        last = None if is_first else self._store.last_answer(unit.id)
        missing, too_long = state.asked - state.kept, 0
        if last is not None and last.outcome:
            missing = min(missing, state.asked if last.usable else max(1, last.questions // 2))
            too_long = state.tries if last.outcome == "E_LENGTH" else 0
        request = Request(
            profile=self._profile,
            unit_id=unit.id,
            concept_id=unit.concept.id,
            prompt_type=unit.prompt_type,
            questions=missing,
            body=self._tasks.body(unit, missing, held, too_long=too_long),
            sample=state.sample,
            parent=None if last is None else last.request_id,
        )
        self._asked[request.id] = (request, state)
        return request

    @staticmethod
    def _after(state: OpenUnit, made: Made) -> OpenUnit:
        return state._replace(
            kept=state.kept + made.usable, tries=state.tries + 1, next_ordinal=state.next_ordinal + made.usable
        )

    def _reading(self, reply: Reply, request: Request, state: OpenUnit) -> tuple[Reading, Made | None]:
        """What a reply says, and itself again when the unit is to be asked once more."""
        made = make_items(reply.raw, self._task(request, state))
        after = self._after(state, made)
        step = after_reply(
            made,
            kept=after.kept,
            asked=after.asked,
            tries=after.tries,
            engine=self._profile.engine,
            prompt_type=request.prompt_type,
        )
        self.items += made.usable
        self.invalid += len(made.items) - made.usable
        if step.state == "done":
            self.short += bool(step.reason)
        elif not step.ask_again:
            self.parked += step.state == "parked"
            self.short += step.state == "partial"
            self.trouble = step.reason
        progress = Progress(request.unit_id, step.state, step.reason)
        cost = self._book(reply, made.usage)
        reading = Reading(reply, made.items, progress, made.outcome, made.usage, made.model, cost)
        return reading, made if step.ask_again and request.unit_id in self._units else None

    def _unanswered(self, reply: Reply, request: Request, state: OpenUnit, queue: Queue) -> int:
        """A call without an answer: another form, a parked unit, or a unit left for another run."""
        action, _, said = reply.error.partition(" ")
        self.trouble = said
        if action == "form" and request.unit_id in self._units and self._tasks.may_ask_again(request):
            queue.put(self._request(self._units[request.unit_id], state))
            return 0
        if action in ("park", "form"):
            self._store.park(request.unit_id, said)
            self.parked += 1
            return 1
        self.left += 1
        return 0

    def _task(self, request: Request, state: OpenUnit) -> Task:
        unit = self._units.get(request.unit_id)
        return Task(
            unit_id=request.unit_id,
            concept=unit.concept if unit else self._store.concept_of(request.unit_id),
            prompt_type=request.prompt_type,
            profile=request.profile,
            request_id=request.id,
            seed=self._seed,
            wanted=state.asked - state.kept,
            next_ordinal=state.next_ordinal,
            turn=state.turn,
            held=tuple(self._store.held_stems(request.unit_id)) if state.kept else (),
        )
