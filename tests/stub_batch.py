"""The stub's Batch API: files and batches in memory, answers as the chat route gives them, each billed once.

Scenario words in the model's name, beside those of the chat route:
batch-failed (the file is refused), batch-expired, batch-cancels (partial results), batch-errors-only, batch-shuffled,
batch-duplicate, batch-stranger, batch-cut-line, batch-gone (the results are deleted), batch-bad-line (every third line
is a 400 in the results), batch-all-bad, batch-slowN (N looks until it has ended).
"""

import hashlib
import json
import re
from collections.abc import Callable
from itertools import count
from typing import Any

from aiohttp import web

Answer = Callable[[web.Request, dict[str, Any]], "tuple[int, dict[str, Any]]"]
"""Status and body of the answer to one request, billed when it is one."""


class Batches:
    """Everything uploaded and asked so far."""

    def __init__(self, answer: Answer, note: Callable[[dict[str, Any]], None]) -> None:
        self.answer, self.note = answer, note
        self.files: dict[str, bytes] = {}
        self.batches: dict[str, dict[str, Any]] = {}
        self.looks: dict[str, int] = {}
        self.numbers = count(1)

    def routes(self) -> list[web.RouteDef]:
        return [
            web.post("/v1/files", self.upload),
            web.get("/v1/files/{id}/content", self.content),
            web.post("/v1/batches", self.create),
            web.get("/v1/batches", self.list_page),
            web.get("/v1/batches/{id}", self.retrieve),
            web.post("/v1/batches/{id}/cancel", self.cancel),
        ]

    async def upload(self, request: web.Request) -> web.Response:
        form = await request.post()
        field = form["file"]
        assert isinstance(field, web.FileField)
        file_id = f"file-{next(self.numbers)}"
        self.files[file_id] = field.file.read()
        self.note({"file": file_id, "purpose": form["purpose"], "bytes": len(self.files[file_id])})
        return web.json_response({"id": file_id, "object": "file", "filename": field.filename, "purpose": "batch"})

    async def content(self, request: web.Request) -> web.Response:
        found = self.files.get(request.match_info["id"])
        if found is None:
            return _error(404, "not_found", "No such File object.")
        return web.Response(body=found, content_type="application/octet-stream")

    async def create(self, request: web.Request) -> web.Response:
        body = await request.json()
        lines = [json.loads(line) for line in self.files[body["input_file_id"]].splitlines()]
        words = lines[0]["body"]["model"].split("+")
        if "batch-no-quota" in words:
            return _error(429, "insufficient_quota", "You exceeded your current quota.")
        batch: dict[str, Any] = {
            "id": f"batch_{next(self.numbers)}",
            "object": "batch",
            "endpoint": body["endpoint"],
            "status": "in_progress",
            "input_file_id": body["input_file_id"],
            "output_file_id": None,
            "error_file_id": None,
            "errors": None,
            "metadata": body.get("metadata"),
            "request_counts": {"total": len(lines), "completed": 0, "failed": 0},
        }
        self.batches[batch["id"]] = batch
        self.note({"batch": batch["id"], "metadata": batch["metadata"], "lines": len(lines)})
        if "batch-failed" in words:
            error = {"code": "invalid_json_line", "line": 2, "message": "This line is not parseable as valid JSON."}
            batch |= {"status": "failed", "errors": {"object": "list", "data": [error]}}
        elif not any(w.startswith("batch-slow") for w in words):
            self.finish(request, batch, words, lines)
        return web.json_response(batch)

    async def list_page(self, request: web.Request) -> web.Response:
        """Pages of two, whatever was asked for: so that paging is used."""
        newest_first = list(self.batches.values())[::-1]
        ids = [b["id"] for b in newest_first]
        after = request.query.get("after")
        start = ids.index(after) + 1 if after else 0
        page = newest_first[start : start + 2]
        has_more = start + 2 < len(ids)
        return web.json_response({"object": "list", "data": page, "has_more": has_more})

    async def retrieve(self, request: web.Request) -> web.Response:
        batch = self.batches.get(request.match_info["id"])
        if batch is None:
            return _error(404, "not_found", "No such batch.")
        if batch["status"] in ("in_progress", "cancelling"):
            lines = [json.loads(line) for line in self.files[batch["input_file_id"]].splitlines()]
            words = lines[0]["body"]["model"].split("+")
            slow = next((int(m.group(1)) for w in words if (m := re.fullmatch(r"batch-slow(\d+)", w))), 0)
            self.looks[batch["id"]] = self.looks.get(batch["id"], 0) + 1
            if batch["status"] == "cancelling" or self.looks[batch["id"]] > slow:
                self.finish(request, batch, words, lines)
        return web.json_response(batch)

    async def cancel(self, request: web.Request) -> web.Response:
        batch = self.batches[request.match_info["id"]]
        if batch["status"] == "in_progress":
            batch["status"] = "cancelling"
        return web.json_response(batch)

    def finish(self, request: web.Request, batch: dict[str, Any], words: list[str], lines: list[Any]) -> None:
        """Answer what is answered, write both files, and set the final status."""
        was_cancelled = batch["status"] == "cancelling"
        batch["status"] = "cancelled" if was_cancelled else "expired" if "batch-expired" in words else "completed"
        part = batch["status"] != "completed" or "batch-partial" in words
        answers: list[str] = []
        errors: list[str] = []
        for n, line in enumerate(lines):
            if "batch-errors-only" in words or (part and n % 2):
                code = "batch_cancelled" if was_cancelled else "batch_expired"
                errors.append(_line(line, None, {"code": code, "message": "This request was not executed in time."}))
            elif "batch-all-bad" in words or ("batch-bad-line" in words and n % 3 == 0):
                said = {"error": {"code": "invalid_value", "message": "Something about this request is wrong."}}
                answers.append(_line(line, {"status_code": 400, "body": said}, None))
            else:
                status, body = self.answer(request, line["body"])
                answers.append(_line(line, {"status_code": status, "request_id": f"r{n}", "body": body}, None))
        answers = _disturbed(answers, words)
        for name, found in (("output_file_id", answers), ("error_file_id", errors)):
            if found:
                text = "\n".join(found) + ("" if "batch-cut-line" in words and name == "output_file_id" else "\n")
                batch[name] = f"file-{next(self.numbers)}"
                self.files[batch[name]] = text.encode()
        if "batch-gone" in words:
            self.files.pop(batch["output_file_id"], None)
        batch["request_counts"] = {"total": len(lines), "completed": len(answers), "failed": len(errors)}


def _disturbed(answers: list[str], words: list[str]) -> list[str]:
    """The lines of answers as the scenario wants them."""
    if "batch-shuffled" in words:
        answers = sorted(answers, key=lambda a: hashlib.sha256(a.encode()).hexdigest())
    if "batch-duplicate" in words and answers:
        again = json.loads(answers[0])
        again["response"]["body"]["choices"] = []
        answers = [*answers, json.dumps(again, ensure_ascii=False)]
    if "batch-stranger" in words and answers:
        answers = [answers[0].replace('"custom_id": "', '"custom_id": "not-ours-'), *answers]
    if "batch-cut-line" in words and answers:
        answers = [*answers[:-1], answers[-1][: len(answers[-1]) // 2]]
    return answers


def _line(asked: dict[str, Any], response: dict[str, Any] | None, error: dict[str, Any] | None) -> str:
    value = {"id": "x", "custom_id": asked["custom_id"], "response": response, "error": error}
    return json.dumps(value, ensure_ascii=False)


def _error(status: int, code: str, message: str) -> web.Response:
    return web.json_response({"error": {"message": message, "type": code, "code": code, "param": None}}, status=status)
