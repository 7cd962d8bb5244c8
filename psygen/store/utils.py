"""sqlite-utils without what it drags along.

It imports pandas whenever pandas is installed, for one function we don't use: 0.2 s and 50 MB at the start of every
run (measured). So for the moment of its import pandas is hidden from it.
"""

import sys

_hidden = "pandas" not in sys.modules
if _hidden:
    sys.modules["pandas"] = None  # type: ignore[assignment]
try:
    from sqlite_utils import Database, Migrations
finally:
    if _hidden:
        del sys.modules["pandas"]

__all__ = ["Database", "Migrations"]
