"""Whether there is anything to do, without loading a bank: equal files, selection and profile give an equal plan."""

from psygen import __version__
from psygen.files.concepts import bank_fingerprint
from psygen.ids import content_hash, file_hash
from psygen.make.selection import Selection
from psygen.records.exchange import Profile
from psygen.settings import Settings
from psygen.store.queries import Reader


def fingerprint_of(settings: Settings, selection: Selection, profile: Profile, questions: int) -> str:
    """Hash of everything a plan depends on: the bytes of concepts and templates, the selection, the profile."""
    prompts = [
        f"{path.relative_to(folder)}={file_hash(path)}"
        for folder in settings.prompt_folders
        for path in sorted(folder.rglob("*.j2"))
    ]
    return content_hash(
        [__version__, bank_fingerprint(settings.concept_folders), prompts, list(selection), profile.id, questions]
    )


def is_finished(settings: Settings, fingerprint: str, profile: Profile) -> bool:
    """Whether this very plan is in the store and nothing of the profile is open; quick on any size of bank."""
    if not settings.database.is_file():
        return False
    with Reader(settings.database) as reader:
        return reader.plan(fingerprint) is not None and not reader.unfinished(profile)


def bank_plan(settings: Settings) -> str:
    """Fingerprint of the stored plan that holds a whole bank's concepts per chapter."""
    return f"bank:{bank_fingerprint(settings.concept_folders)}"
