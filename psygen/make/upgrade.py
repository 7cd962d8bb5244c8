"""A database of an older psygen is brought up to date before a run looks at it."""

from pathlib import Path

from psygen.runner import lock
from psygen.settings import Settings
from psygen.store.audit import schema_of
from psygen.store.connection import LATEST
from psygen.store.database import Store
from psygen.store.notes import last_backup


def upgrade(settings: Settings) -> Path | None:
    """Migrate a database of an older schema; the copy that was kept of it, None when there was nothing to keep.

    One without any schema was left behind by a run that was killed while it made it.

    Raises StoreUnusable when a run holds it, when it is newer or damaged, or when no copy can be made.
    """
    database = settings.database
    if not database.is_file() or (schema := schema_of(database)) >= LATEST:
        return None
    with lock(database), Store(database):
        pass
    copy = last_backup(database) if schema else None
    return Path(copy.path) if copy else None
