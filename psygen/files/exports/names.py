"""Names of files made from names of subjects: nothing in them can leave the folder, clash, or mean a device."""

import re

from psygen.ids import text_hash

MOST_BYTES = 80
_SAFE = re.compile(r"[A-Za-z0-9_][A-Za-z0-9._-]*")
_DEVICES = frozenset(("con", "prn", "aux", "nul", *(f"{port}{n}" for port in ("com", "lpt") for n in range(1, 10))))
"""Names that Windows takes for devices, whatever their ending."""


def is_safe_name(name: str) -> bool:
    """Whether `name` may be one part of a path: plain ASCII, no leading dot or hyphen, no device, not too long."""
    stem = name.partition(".")[0].lower()
    # 80 bytes for the name itself and some for what a format puts around it, e.g. `_test.csv`.
    return bool(_SAFE.fullmatch(name)) and stem not in _DEVICES and len(name) <= MOST_BYTES + 60


def safe_name(text: str) -> str:
    """A file name for `text`: itself when it is a plain slug, else what can be kept of it and a hash of the whole.

    At most 80 bytes; two texts never share a name, on file systems that ignore case neither.
    """
    if re.fullmatch(r"[a-z0-9]+([_-][a-z0-9]+)*", text) and len(text) <= MOST_BYTES and text not in _DEVICES:
        return text
    kept = re.sub(r"[^a-z0-9]+", "-", text.lower()).strip("-")[: MOST_BYTES - 10].rstrip("-")
    return f"{kept or 'x'}-{text_hash(text, 8)}"
