"""Same input, same id, same draw, on any machine."""

import hashlib
import json
import random
from pathlib import Path

_CANONICAL = json.JSONEncoder(ensure_ascii=False, sort_keys=True, separators=(",", ":"), allow_nan=False).encode


def canonical_json(value: object) -> str:
    """`value` as JSON with sorted keys and no blanks: equal values give equal text.

    Raises TypeError for what JSON cannot hold, ValueError for NaN and infinity.
    """
    return _CANONICAL(value)


def content_hash(value: object, digits: int = 32) -> str:
    """Hash of `value`'s canonical JSON: `digits` hexadecimal digits (at most 64) of BLAKE2b."""
    return text_hash(canonical_json(value), digits)


def text_hash(text: str, digits: int = 32) -> str:
    """Hash of a text: `digits` hexadecimal digits (at most 64) of BLAKE2b."""
    return hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=32).hexdigest()[:digits]


def file_hash(path: Path) -> str:
    """Hash of a file's bytes, 32 hexadecimal digits, read piece by piece. Raises OSError."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, lambda: hashlib.blake2b(digest_size=16)).hexdigest()


def item_id(request_id: str, position: int) -> str:
    """`psy-` and 12 hexadecimal digits; `position` counts the questions of the reply from 0."""
    return "psy-" + content_hash([request_id, position], 12)


def rng(seed: int, purpose: str) -> random.Random:
    """A random source of its own for one purpose: draws for one thing never shift another's."""
    return random.Random(text_hash(f"{seed}/{purpose}"))
