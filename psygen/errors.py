"""Every exception psygen raises, each with the exit code the command line ends with.

PsygenError                     1   something of ours went wrong
├── InputError                  2   a file, a flag or a setting is not as it must be
│   ├── ConceptFaults               the concept bank has faults; lists them all
│   ├── QuestionFaults              questions from elsewhere have faults; lists them
│   ├── TemplateFault               a prompt template does not work
│   ├── SettingsFault               psygen.toml or a PSYGEN_* variable
│   ├── UnknownName                 a subject, chapter, concept, item that does not exist
│   └── ExportFault                 the target cannot be written
├── BudgetSpent                 4   the cap is reached
├── EngineRefused               5   the provider refuses: key, quota, model
├── StoreUnusable               6   the database is locked, damaged, too new, read-only
├── NetworkAway                75   try again later
└── Stopped               130/143   a signal, after a clean drain

Exit code 3 is no error: a run finished and some units are parked.
"""

from collections.abc import Sequence

PARKED_EXIT = 3


class PsygenError(Exception):
    """What happened, where, what was expected, what to do next: one clear sentence."""

    exit_code = 1


class InputError(PsygenError):
    """Something the user gave us is not as it must be."""

    exit_code = 2


class ConceptFaults(InputError):
    """The concept bank has faults: `faults` holds one sentence for each."""

    def __init__(self, faults: Sequence[str]) -> None:
        self.faults = tuple(faults)
        count = f"{len(faults)} faults" if len(faults) != 1 else "1 fault"
        super().__init__("\n".join([*faults, f"{count} in the concepts; nothing was done."]))


class QuestionFaults(InputError):
    """Questions from elsewhere have faults: `faults` holds one sentence for each; the message shows the first fifty."""

    def __init__(self, faults: Sequence[str]) -> None:
        self.faults = tuple(faults)
        shown = self.faults[:50]
        more = [f"… and {len(faults) - 50:,} more."] if len(faults) > 50 else []
        count = f"{len(faults):,} faults" if len(faults) != 1 else "1 fault"
        super().__init__("\n".join([*shown, *more, f"{count}; nothing was imported."]))


class TemplateFault(InputError):
    """A prompt template has a syntax error, an unknown variable, or is missing."""


class SettingsFault(InputError):
    """psygen.toml, an environment variable or a flag has no meaning."""


class UnknownName(InputError):
    """A name that stands for nothing; the message offers the nearest ones."""


class ExportFault(InputError):
    """The target of an export cannot be written."""


class BudgetSpent(PsygenError):
    """The cap on money is reached."""

    exit_code = 4


class EngineRefused(PsygenError):
    """The provider refuses every request alike: key, quota or model."""

    exit_code = 5


class StoreUnusable(PsygenError):
    """The database cannot be used as it is; the file is left untouched."""

    exit_code = 6


class NetworkAway(PsygenError):
    """Nobody answers; the same command later goes on."""

    exit_code = 75


class Stopped(PsygenError):
    """A signal asked to stop; everything received is stored."""

    def __init__(self, message: str, exit_code: int) -> None:
        self.exit_code = exit_code
        super().__init__(message)
