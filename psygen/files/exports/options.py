"""What an export is asked for besides the questions."""

from typing import NamedTuple


class ExportOptions(NamedTuple):
    """Choices that every format knows."""

    hide_answers: frozenset[str] = frozenset()
    """Splits whose questions come without key and explanation; they are already empty in the benchmark."""
    licence: str = "cc-by-4.0"
    """Licence of the questions, as the Hugging Face hub names it."""
