"""What an error of the exchange means: try again, park this request, ask in another form, or stop the run."""

import email.utils
import math
import re
import time
from typing import Literal, NamedTuple

import httpx2
import openai

Action = Literal["retry", "park", "form", "stop"]

STOP_CODES = frozenset(
    [
        "insufficient_quota",
        "credit_balance_exhausted",
        "organization_spend_limit_exceeded",
        "project_spend_limit_exceeded",
        "organization_usage_limit_exceeded",
        "billing_hard_limit_reached",
        "invalid_api_key",
        "model_not_found",
    ]
)
_SURELY_UNSENT = ("ConnectError", "ConnectTimeout", "PoolTimeout")
_FORM_WORDS = re.compile(r"response_format|json_schema|json_object|json mode|structured|guided|schema", re.IGNORECASE)


class Fault(NamedTuple):
    """One failed attempt."""

    action: Action
    is_billed: bool
    """Whether it may have been billed (then the call is `unknown`, else `failed`)."""
    code: str
    message: str
    status: int | None = None
    retry_after_s: float | None = None

    @property
    def is_lost(self) -> bool:
        """Whether the server was at work and its answer did not come through: paid for, perhaps, every time."""
        return self.is_billed and self.status is None

    @property
    def said(self) -> str:
        """Code and sentence, as stored with the call."""
        return f"{self.code}: {self.message}"


def fault_of(error: Exception) -> Fault:
    """What an exception of the client means; a bug of ours is raised again by the caller."""
    if isinstance(error, TimeoutError):
        return Fault("retry", True, "timeout", "no complete answer within the time limit")
    if isinstance(error, openai.APIConnectionError):
        cause = type(error.__cause__).__name__
        billed = cause not in _SURELY_UNSENT
        word = "connection" if billed else "unreachable"
        return Fault("retry", billed, word, f"{cause if cause != 'NoneType' else 'connection error'}")
    if isinstance(error, openai.APIStatusError):
        return _status_fault(error)
    return Fault("park", True, "client", f"{type(error).__name__}: {error}"[:300])


def body_fault(content_type: str, body: bytes) -> Fault | None:
    """What is wrong with an answer of status 200 before anybody reads it: a web page comes from the network between.

    None for anything else, broken or not: that may have been paid for, so it is stored and read.
    """
    start = body[:200].lstrip().lower()
    if "html" in content_type.lower() or start.startswith((b"<!doctype html", b"<html")):
        return Fault("retry", False, "html", "a web page in place of an answer (a network's sign-in page?)", 200)
    return None


def response_headers(error: Exception) -> httpx2.Headers | None:
    """The headers of the response an error stands for; None when there was none."""
    return error.response.headers if isinstance(error, openai.APIStatusError) else None


def _status_fault(error: openai.APIStatusError) -> Fault:
    status, code = error.status_code, str(error.code or "")
    message = _sentence(error)
    known = code or str(status)
    wait = retry_after(error)
    if status in (401, 402, 403) or code in STOP_CODES or error.type == "insufficient_quota":
        return Fault("stop", False, known, message, status)
    if 300 <= status < 400:
        return Fault("stop", False, "redirect", "the server redirects elsewhere; psygen does not follow", status)
    if status == 404:
        return Fault("stop", False, known, message, status)
    if status == 429:
        return Fault("retry", False, known, message, status, wait)
    if status in (408, 409) or (status >= 500 and status != 501):
        return Fault("retry", True, known, message, status, wait)
    about_form = error.param == "response_format" or _FORM_WORDS.search(message) is not None
    if about_form and status in (400, 415, 422, 501):
        return Fault("form", False, known, message, status)
    return Fault("park", False, known, message, status)


def retry_after(error: openai.APIStatusError) -> float | None:
    """Seconds the server asks to wait; None when it doesn't say, or says nonsense.

    `retry-after-ms` first, then `retry-after` as seconds or as an HTTP date.
    """
    headers = error.response.headers
    for name, divisor in (("retry-after-ms", 1000.0), ("retry-after", 1.0)):
        try:
            seconds = float(headers[name]) / divisor
        except (KeyError, ValueError):
            continue
        if math.isfinite(seconds) and seconds > 0:
            return seconds
    moment = email.utils.parsedate_tz(headers.get("retry-after") or "")
    if moment is None:
        return None
    seconds = email.utils.mktime_tz(moment) - time.time()
    return seconds if seconds > 0 else None


def _sentence(error: openai.APIStatusError) -> str:
    """The server's own words, in one line and short; never the request."""
    body = error.body
    found = body.get("message") if isinstance(body, dict) else None
    text = found if isinstance(found, str) else error.message
    return " ".join(text.split())[:300]
