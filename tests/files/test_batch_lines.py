"""Lines of requests and results, as services write them."""

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from psygen.files.batch_lines import in_parts, read_results, request_line

BODY = '{"choices": [{"message": {"content": "\\ud800 1.50e3"}}],  "usage":null}'


def results(tmp_path: Path, *lines: str) -> list[tuple[str, int | None, bytes, str]]:
    path = tmp_path / "results.jsonl"
    path.write_text("\n".join(lines), encoding="utf-8")
    return [(r.custom_id, r.status, r.raw, r.error) for r in read_results(path)]


def line(custom_id: str = "r1", status: int | None = 200, body: str = BODY, error: str = "null") -> str:
    code = "null" if status is None else str(status)
    response = f'{{"status_code": {code}, "request_id": "x", "body": {body}}}'
    return f'{{"id":"b", "custom_id":"{custom_id}", "response": {response}, "error": {error}}}'


def test_a_body_is_kept_byte_for_byte(tmp_path: Path) -> None:
    assert results(tmp_path, line()) == [("r1", 200, BODY.encode(), "")]


@pytest.mark.parametrize(
    ("text", "custom_id", "said"),
    [
        (line()[:-40], "", "no complete JSON object"),
        ("[1, 2]", "", "no complete JSON object"),
        ('{"custom_id": 7}', "", "no custom_id"),
        ("[" * 100_000, "", "no complete JSON object"),
        (line(status=400, body='{"error": {"code": "invalid", "message": "no  such"}}'), "r1", "invalid: no such"),
        (line(status=500, body="null"), "r1", "status 500"),
        (line(body="null"), "r1", "no answer in the line"),
        ('{"custom_id": "r1", "response": null, "error": {"code": "batch_expired"}}', "r1", "batch_expired"),
        ('{"custom_id": "r1", "response": null, "error": {"error": {"message": "vllm"}}}', "r1", "vllm"),
        (line(error='"out of memory"'), "r1", "out of memory"),
    ],
    ids="cut array number-id deep bad 500 empty expired nested text".split(),
)
def test_a_line_that_is_no_answer_says_why_and_raises_nothing(
    tmp_path: Path, text: str, custom_id: str, said: str
) -> None:
    [(found, _, _, error), after] = results(tmp_path, text, line("after"))
    assert (found, error) == (custom_id, said)
    assert after[0] == "after"


def test_a_completion_without_a_frame_is_an_answer_too(tmp_path: Path) -> None:
    assert results(tmp_path, f'{{"custom_id": "r1", "response": {BODY}}}') == [("r1", None, BODY.encode(), "")]


@given(st.text(min_size=1), st.dictionaries(st.text(), st.text() | st.floats(allow_nan=False) | st.none(), min_size=1))
def test_whatever_goes_in_comes_out_again(tmp_path: Path, custom_id: str, body: dict[str, object]) -> None:
    path = tmp_path / "any.jsonl"
    raw = json.dumps(body)
    path.write_text(
        json.dumps({"response": {"body": 0}, "custom_id": custom_id})[:-1] + f', "response": {{"body":{raw}}}}}'
    )
    [found] = read_results(path)
    assert (found.custom_id, found.raw) == (custom_id, raw.encode())


def test_a_request_line_carries_the_stored_body_unchanged() -> None:
    text = request_line("r1", '{"model":"m","x":1.50}')
    assert text.endswith("\n")
    assert '"body":{"model":"m","x":1.50}' in text
    assert json.loads(text)["url"] == "/v1/chat/completions"


@given(st.lists(st.integers(1, 30)), st.integers(1, 5), st.integers(10, 40))
def test_parts_are_whole_in_order_and_within_the_limits(sizes: list[int], most: int, most_bytes: int) -> None:
    named = [(f"r{n}", size) for n, size in enumerate(sizes)]
    parts = list(in_parts(named, most=most, most_bytes=most_bytes))
    assert [i for part in parts for i in part] == [i for i, _ in named]
    size_of = dict(named)
    assert all(len(p) <= most and (len(p) == 1 or sum(size_of[i] for i in p) <= most_bytes) for p in parts)
