"""What each error of the exchange means."""

import email.utils
import time

import httpx2
import openai
import pytest

from psygen.engines.online.faults import fault_of, retry_after


def status_error(status: int, code: str | None = None, message: str = "no", **headers: str) -> openai.APIStatusError:
    request = httpx2.Request("POST", "http://127.0.0.1/v1/chat/completions")
    body = {"message": message, "code": code, "type": code, "param": None}
    response = httpx2.Response(status, headers=headers, json={"error": body}, request=request)
    return openai.APIStatusError(message, response=response, body=body)


@pytest.mark.parametrize(
    ("status", "code", "message", "action", "billed"),
    [
        (401, "invalid_api_key", "", "stop", False),
        (402, None, "Insufficient Balance", "stop", False),
        (403, None, "", "stop", False),
        (404, "model_not_found", "", "stop", False),
        (429, "insufficient_quota", "", "stop", False),
        (429, "organization_spend_limit_exceeded", "", "stop", False),
        (307, None, "", "stop", False),
        (429, "rate_limit_exceeded", "", "retry", False),
        (408, None, "", "retry", True),
        (409, None, "", "retry", True),
        (500, None, "", "retry", True),
        (503, None, "", "retry", True),
        (529, None, "", "retry", True),
        (400, None, "response_format json_schema is not supported", "form", False),
        (422, None, "structured outputs: unknown", "form", False),
        (400, "invalid_value", "prompt is odd", "park", False),
        (413, None, "too large", "park", False),
    ],
)
def test_each_status_has_its_meaning(status: int, code: str | None, message: str, action: str, billed: bool) -> None:
    fault = fault_of(status_error(status, code, message))
    assert (fault.action, fault.is_billed) == (action, billed)


def test_a_lost_answer_may_be_billed_and_an_unreachable_server_not() -> None:
    request = httpx2.Request("POST", "http://x")
    lost = openai.APIConnectionError(request=request)
    lost.__cause__ = httpx2.ReadError("gone")
    away = openai.APIConnectionError(request=request)
    away.__cause__ = httpx2.ConnectError("refused")
    assert (fault_of(lost).action, fault_of(lost).is_billed) == ("retry", True)
    assert (fault_of(away).action, fault_of(away).is_billed) == ("retry", False)
    assert fault_of(TimeoutError()).is_billed


def test_what_the_server_says_is_told_in_one_line_and_nothing_else() -> None:
    fault = fault_of(status_error(400, None, "first\nsecond " + "x" * 900))
    assert fault.message.startswith("first second x")
    assert len(fault.message) == 300


@pytest.mark.parametrize(
    ("headers", "seconds"),
    [
        ({"retry-after-ms": "300"}, 0.3),
        ({"retry-after": "2"}, 2.0),
        ({"retry-after": "3600"}, 3600.0),
        ({"retry-after": "0"}, None),
        ({"retry-after": "-5"}, None),
        ({"retry-after": "banana"}, None),
        ({"retry-after": "inf"}, None),
        ({"retry-after": email.utils.formatdate(0)}, None),
        ({}, None),
    ],
)
def test_retry_after_in_every_dress(headers: dict[str, str], seconds: float | None) -> None:
    assert retry_after(status_error(429, **headers)) == seconds


def test_retry_after_as_a_date() -> None:
    wait = retry_after(status_error(429, **{"retry-after": email.utils.formatdate(time.time() + 30)}))
    assert wait is not None
    assert 25 < wait <= 30
