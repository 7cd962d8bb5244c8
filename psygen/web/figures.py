"""The figures of the agreement page, which take a second or more: counted aside, so that no page waits for them."""

import threading
from typing import NamedTuple

from psygen.curate.figures import ReviewFigures
from psygen.curate.stats import review_stats
from psygen.errors import PsygenError
from psygen.settings import Settings
from psygen.store.desk import log_end
from psygen.store.queries import Reader


class Shown(NamedTuple):
    """The newest figures there are."""

    figures: ReviewFigures | None
    """None before the first are counted."""
    is_fresh: bool
    """Whether they hold for the log as it stands; if not, newer ones are being counted."""
    fault: str
    """Why they could not be counted; empty otherwise."""


class FigureBoard:
    """Keeps the last figures and counts new ones in a thread of its own when the log has grown."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._lock = threading.Lock()
        self._thread: threading.Thread | None = None
        self._figures: ReviewFigures | None = None
        self._fault = ""
        self._end = -1

    def look(self, reader: Reader) -> Shown:
        """The figures as they are; starts counting anew if they are old, and waits for nothing."""
        end = reader.ask(log_end)
        with self._lock:
            is_fresh = self._end == end
            if not is_fresh and (self._thread is None or not self._thread.is_alive()):
                self._thread = threading.Thread(target=self._count, args=(end,), daemon=True)
                self._thread.start()
            return Shown(self._figures, is_fresh, self._fault)

    def wait(self) -> None:
        """Until nothing is being counted."""
        thread = self._thread
        if thread is not None:
            thread.join()

    def _count(self, end: int) -> None:
        figures, fault = None, ""
        try:
            figures = review_stats(self._settings)
        except PsygenError as error:
            fault = str(error)
        with self._lock:
            self._figures, self._fault, self._end = figures or self._figures, fault, end
