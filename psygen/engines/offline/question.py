"""A question of the offline engine on its way into the reply."""

from typing import Any, Literal, NamedTuple


class Question(NamedTuple):
    """What the offline engine writes for one question; the options' final order is decided later."""

    kind: Literal["theory", "case_study", "calculation"]
    level: Literal["recall", "understand", "apply", "analyse"]
    stem: str
    options: tuple[str, str, str, str]
    key: int
    explanation: str

    def as_json(self) -> dict[str, Any]:
        """The shape every model is asked for."""
        return {
            "stem": self.stem,
            "options": list(self.options),
            "answer": "ABCD"[self.key],
            "explanation": self.explanation,
            "kind": self.kind,
            "level": self.level,
        }


def with_key_first(key: str, wrong: list[str]) -> tuple[str, str, str, str]:
    """Four options with the key at position 0. Raises ValueError unless there are three wrong ones."""
    first, second, third = wrong
    return key, first, second, third
