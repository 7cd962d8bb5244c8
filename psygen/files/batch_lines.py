"""Requests and results as JSON lines, the form every batch service reads and writes. Streaming both ways.

A request is `{"custom_id", "method": "POST", "url": "/v1/chat/completions", "body"}`; a result carries the same
`custom_id` and `response: {"status_code", "body"}`. Results come in any order, some twice, some not at all, the last
one perhaps cut: reading never raises for what a line says.
"""

import json
import re
from collections.abc import Iterable, Iterator
from json.decoder import scanstring  # type: ignore[attr-defined]  # (not in the stubs)
from pathlib import Path
from typing import Any, NamedTuple

from psygen.errors import InputError

URL = "/v1/chat/completions"
MOST_REQUESTS = 50_000
MOST_BYTES = 200_000_000
"""What providers take in one file (OpenAI's Batch API guide: 50,000 requests, 200 MB)."""
LONGEST_LINE = 64 * 2**20
"""A result longer than this is none; it is skipped without being held."""

_BLANK = re.compile(r"[ \t\n\r]*")
_DECODE = json.JSONDecoder(strict=False).raw_decode
_ENCODE = json.JSONEncoder(ensure_ascii=False, separators=(",", ":")).encode


class Result(NamedTuple):
    """One line of results."""

    line: int
    """Number of the line, from 1."""
    custom_id: str
    """Empty when the line could not be read so far."""
    status: int | None
    """HTTP status of this one request; None when it got none."""
    raw: bytes
    """The body exactly as in the line; empty when there is none."""
    error: str = ""
    """Why there is no answer, in the provider's words; empty for an answer."""

    @property
    def is_answer(self) -> bool:
        """Whether the server answered this request."""
        return bool(self.custom_id and self.raw and not self.error)


def request_line(custom_id: str, body: str) -> str:
    """One request as a line. body: its JSON as it is stored, which is passed on unchanged."""
    return f'{{"custom_id":{_ENCODE(custom_id)},"method":"POST","url":{_ENCODE(URL)},"body":{body}}}\n'


def read_results(path: Path) -> Iterator[Result]:
    """The results of a file, a line at a time; a line that is none has no `custom_id` and says why in `error`.

    Raises InputError when the file cannot be read.
    """
    try:
        with path.open("rb") as file:
            for number, line in enumerate(_lines(file), 1):
                if len(line) > LONGEST_LINE:
                    yield Result(number, "", None, b"", f"over {LONGEST_LINE // 2**20} MiB")
                elif line.strip():
                    yield _result(number, line.removeprefix(b"\xef\xbb\xbf"))
    except OSError as error:
        raise InputError(f"{path}: cannot be read: {error.strerror or error}.") from error


def _lines(file: Any) -> Iterator[bytes]:
    """Lines of a file opened for bytes; of one that is too long only the beginning."""
    while line := file.readline(LONGEST_LINE + 1):
        rest = line
        while rest and not rest.endswith(b"\n"):
            rest = file.readline(LONGEST_LINE)
        yield line


def _result(number: int, line: bytes) -> Result:
    try:
        text = line.decode("utf-8")
        members = dict(_members(text, 0))
    except (ValueError, RecursionError):
        return Result(number, "", None, b"", "no complete JSON object")
    name = members.get("custom_id", _NOTHING).value
    if not isinstance(name, str) or not name:
        return Result(number, "", None, b"", "no custom_id")
    status, body, raw = _answer(text, members.get("response", _NOTHING))
    error = _said(members.get("error", _NOTHING).value)
    if status is not None and status != 200:
        return Result(number, name, status, raw, error or _said(body) or f"status {status}")
    if error or not raw:
        return Result(number, name, status, raw, error or "no answer in the line")
    return Result(number, name, status, raw)


class _Member(NamedTuple):
    """A value inside a line, and where it stands there."""

    value: Any
    start: int
    end: int


_NOTHING = _Member(None, 0, 0)


def _members(text: str, place: int) -> Iterator[tuple[str, _Member]]:
    """The members of the JSON object that begins at `place`, each with its place. Raises ValueError.

    json.loads would do but for one thing: the body is kept byte for byte, and only its place says where it is.
    """
    place = _skip(text, place)
    if text[place : place + 1] != "{":
        raise ValueError("no object")
    place = _skip(text, place + 1)
    while text[place : place + 1] == '"':
        name, place = scanstring(text, place + 1, False)
        place = _skip(text, place)
        if text[place : place + 1] != ":":
            raise ValueError("no colon")
        start = _skip(text, place + 1)
        value, end = _DECODE(text, start)
        yield name, _Member(value, start, end)
        place = _skip(text, end)
        if text[place : place + 1] == ",":
            place = _skip(text, place + 1)
    if text[place : place + 1] != "}":
        raise ValueError("no end")


def _skip(text: str, place: int) -> int:
    found = _BLANK.match(text, place)
    assert found is not None
    return found.end()


def _answer(text: str, response: _Member) -> tuple[int | None, Any, bytes]:
    """Status, body and raw body of a line's response. Some runners put the completion itself there."""
    if not isinstance(response.value, dict):
        return None, None, b""
    status = response.value.get("status_code")
    if "choices" in response.value:
        body = response
    else:
        body = dict(_members(text, response.start)).get("body", _NOTHING)
    raw = text[body.start : body.end].encode("utf-8") if isinstance(body.value, dict) and body.value else b""
    return (status if isinstance(status, int) and not isinstance(status, bool) else None), body.value, raw


def _said(value: Any) -> str:
    """Code and sentence of an error in any of the shapes services use; empty for none."""
    if isinstance(value, dict):
        inner = value.get("error", value)
        if isinstance(inner, dict):
            parts = [str(inner[k]) for k in ("code", "message") if inner.get(k) not in (None, "")]
            return " ".join(": ".join(parts).split())[:300]
        value = inner
    return " ".join(value.split())[:300] if isinstance(value, str) else ""


def in_parts(sizes: Iterable[tuple[str, int]], *, most: int, most_bytes: int) -> Iterator[list[str]]:
    """Request ids in parts of at most `most` requests and `most_bytes` bytes of lines each, in their order.

    A single line longer than that is a part of its own: the provider will say so.
    """
    part: list[str] = []
    held = 0
    for request_id, size in sizes:
        if part and (len(part) >= most or held + size > most_bytes):
            yield part
            part, held = [], 0
        part.append(request_id)
        held += size
    if part:
        yield part
