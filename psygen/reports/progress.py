"""A run as it goes: a live line on a terminal, a heartbeat line a minute elsewhere. Never on stdout."""

import time
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

from rich.console import Console

if TYPE_CHECKING:
    from rich.progress import Progress, TaskID

HEARTBEAT_S = 60.0


class RunProgress:
    """Shows how far a run is: units done, questions, rate, time left, the last trouble."""

    def __init__(self, console: Console, total: int, *, clock: Callable[[], float] = time.monotonic) -> None:
        self._console = console
        self._total = total
        self._clock = clock
        self._started = self._last = clock()
        self._units = self._items = 0
        self._trouble = ""
        self._live: Progress | None = None
        self._task: TaskID | None = None

    def __enter__(self) -> "RunProgress":
        if self._console.is_terminal and self._total:
            self._live = _live_display(self._console)
            self._task = self._live.add_task("asking", total=self._total, items=0, trouble="")
            self._live.start()
        return self

    def __exit__(self, *_: object) -> None:
        if self._live is not None:
            self._live.stop()

    def advance(self, units: int, items: int, trouble: str = "") -> None:
        """So many more units done and questions kept."""
        self._units += units
        self._items += items
        self._trouble = trouble or self._trouble
        if self._live is not None and self._task is not None:
            self._live.update(self._task, advance=units, items=self._items, trouble=self._trouble)
        elif self._clock() - self._last >= HEARTBEAT_S:
            self._last = self._clock()
            self._console.print(self.line(), markup=False)

    def notice(self, word: str, facts: Mapping[str, object]) -> None:
        """Something happened on the way to the server; shown as the last trouble."""
        code = facts.get("code")
        if word == "paused":
            self._trouble = f"waiting {facts.get('seconds')} s ({code})"
        elif word == "slowed":
            self._trouble = f"{facts.get('in_flight')} requests at once ({code})"
        elif word == "resumed":
            self._trouble = "the server answers again"
        else:
            self._trouble = f"a call failed ({code})"
        self.advance(0, 0)

    def line(self) -> str:
        """The heartbeat: where the run is, in one line."""
        elapsed = max(self._clock() - self._started, 1e-9)
        rate = self._units / elapsed
        left = f"{_duration((self._total - self._units) / rate)} left" if rate else "time left unknown"
        trouble = f"; last trouble: {self._trouble}" if self._trouble else ""
        return (
            f"psygen: {self._units:,} of {self._total:,} units, {self._items:,} questions, "
            f"{rate * 60:,.0f} units/min, {left}{trouble}"
        )


def _live_display(console: Console) -> "Progress":
    from rich.progress import (
        BarColumn,
        MofNCompleteColumn,
        Progress,
        TextColumn,
        TimeElapsedColumn,
        TimeRemainingColumn,
    )

    return Progress(
        BarColumn(bar_width=None),
        MofNCompleteColumn(),
        TextColumn("units  {task.fields[items]} questions", markup=False),
        TimeElapsedColumn(),
        TimeRemainingColumn(),
        TextColumn("{task.fields[trouble]}", style="yellow", markup=False),
        console=console,
        redirect_stdout=False,
        redirect_stderr=False,
        expand=True,
    )


def _duration(seconds: float) -> str:
    minutes = round(seconds / 60)
    if minutes < 1:
        return f"{seconds:.0f} s"
    return f"{minutes} min" if minutes < 90 else f"{minutes / 60:.1f} h"
