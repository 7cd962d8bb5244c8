"""A loopback server that speaks as OpenAI does, and fails in every way a night may bring.

The scenario is the model's name, words joined by `+`: `good`, `cut30`, `no-schema+no-json`, `dead-key`, `fail500x2` …
Replies are derived from the prompt's hash, so that two runs of equal requests can be compared. Every answered request
is one line of the billing log, written before the answer leaves.

python -m tests.stub --latency 1 --log FILE     (prints its port)
"""

import argparse
import asyncio
import hashlib
import json
import random
import re
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from aiohttp import web

from tests.stub_batch import Batches

COUNT = re.compile(r"命制 (\d+) 道|Write (\d+) ")
LIMIT = re.compile(r"limit(\d+)per([\d.]+)(-bare|-silent)?")
"""`limit6per10`: six requests in any ten seconds, told in headers; -bare: Retry-After alone; -silent: nothing."""
TERMS = "方差 标准差 中数 众数 平均差 全距 四分位差 百分等级 标准分数 差异系数 积差相关 等级相关 置信区间".split()


def questions_for(prompt: str, count: int) -> list[dict[str, Any]]:
    """`count` questions that only this prompt gets."""
    found = []
    for n in range(count):
        seed = hashlib.sha256(f"{prompt}/{n}".encode()).hexdigest()
        draw = random.Random(seed)
        terms = draw.sample(TERMS, 4)
        answer = draw.randrange(4)
        found.append(
            {
                "stem": f"关于编号为{seed[:10]}的数据（$\\bar X={draw.randint(10, 99)}$），最应报告的统计量是什么？",
                "options": [f"{term}（{seed[10 + k]}）" for k, term in enumerate(terms)],
                "answer": "ABCD"[answer],
                "explanation": f"数据{seed[:6]}呈偏态，应选{terms[answer]}，式为$\\frac{{\\sum x}}{{n}}$。",
                "level": "apply",
            }
        )
    return found


class Stub:
    """The server's memory: how often each prompt was asked, and the billing log."""

    def __init__(self, latency: float, log: Path | None) -> None:
        self.latency = latency
        self.log = log
        self.asked: Counter[str] = Counter()
        self.answered = 0
        self.seen = 0
        self.taken: list[float] = []

    async def chat(self, request: web.Request) -> web.StreamResponse:
        raw = await request.read()
        body = json.loads(raw)
        prompt = body["messages"][-1]["content"]
        key = hashlib.sha256(raw).hexdigest()
        request["came"] = time.time()
        self.asked[prompt] += 1
        self.seen += 1
        times, nth = self.asked[prompt], self.seen
        scenario = scenario_of(body["model"], times)
        await asyncio.sleep(self.latency)
        if "html" in scenario:
            # A network's sign-in page: the provider was never asked, and bills nothing.
            self.bill(request, body, key, 0, 0)
            return web.Response(text="<html>Sign in to the network</html>", content_type="text/html")
        for word in scenario:
            refusal = await self.refuse(word, body, times, nth)
            if refusal is not None:
                self.bill(request, body, key, refusal.status, 0)
                return refusal
        match = COUNT.search(prompt)
        count = int(match.group(1) or match.group(2)) if match else 4
        content, finish = self.content(scenario, prompt, questions_for(prompt, count))
        self.bill(request, body, key, 200, output_tokens(scenario, content))
        try:
            return await self.reply(request, scenario, content, finish)
        except ConnectionResetError:
            # Whoever asked was killed.
            return web.Response()

    async def refuse(self, word: str, body: dict[str, Any], times: int, nth: int) -> web.Response | None:
        """An error answer, when the scenario wants one; nth: among all requests, times: among those of this prompt."""
        if match := re.fullmatch(r"(key|quota|model)-dies(\d+)", word):
            word = "" if self.answered < int(match.group(2)) else {"key": "dead-key"}.get(match[1], f"no-{match[1]}")
        if word == "dead-key":
            return error(401, "invalid_api_key", "Incorrect API key provided.")
        if word == "no-quota":
            return error(429, "insufficient_quota", "You exceeded your current quota.")
        if word == "no-model":
            return error(404, "model_not_found", "The model does not exist.")
        if (match := re.fullmatch(r"odd(\d+)", word)) and luck_of(body["messages"][-1]["content"]) < int(
            match.group(1)
        ):
            return error(400, "invalid_value", "This prompt is odd.")
        if word == "bad-request":
            return error(400, "invalid_value", "Something about this request is wrong.")
        if word == "no-schema" and (body.get("response_format") or {}).get("type") == "json_schema":
            return error(400, "invalid_value", "response_format of type json_schema is not supported.")
        if word == "no-json" and body.get("response_format"):
            return error(400, None, "Unsupported parameter.")
        if (match := re.fullmatch(r"fail(\d+)x(\d+)", word)) and times <= int(match.group(2)):
            return error(int(match.group(1)), None, "Try again.", {"retry-after-ms": "20"})
        if (match := re.fullmatch(r"after(\d+)ms", word)) and times == 1:
            return error(429, "rate_limit_exceeded", "Slow down.", {"retry-after-ms": match.group(1)})
        if (match := re.fullmatch(r"first-after(\d+)ms", word)) and nth == 1:
            return error(429, "rate_limit_exceeded", "Slow down.", {"retry-after-ms": match.group(1)})
        if (match := re.fullmatch(r"advice-(.+)", word)) and times == 1:
            return error(429, "rate_limit_exceeded", "Slow down.", {"retry-after": match.group(1)})
        if (match := re.fullmatch(r"down(\d+)", word)) and self.seen <= int(match.group(1)):
            return error(503, None, "Overloaded.")
        if (match := LIMIT.fullmatch(word)) and (wait := self.over_limit(int(match.group(1)), float(match.group(2)))):
            headers = {"retry-after": str(int(wait) + 1)} if match.group(3) != "-silent" else {}
            return error(429, "rate_limit_exceeded", "Rate limit reached.", headers | self.counters(word))
        if word == "redirect":
            return web.Response(status=307, headers={"location": "http://127.0.0.1:9/v1/chat/completions"})
        if word == "silent":
            await asyncio.sleep(3600)
        return None

    def over_limit(self, most: int, period: float) -> float:
        """Seconds until one more request is allowed, `most` in any `period`; 0 when it is allowed now, and taken."""
        now = time.monotonic()
        self.taken = [t for t in self.taken if t > now - period]
        if len(self.taken) >= most:
            return self.taken[0] + period - now
        self.taken.append(now)
        return 0.0

    def counters(self, word: str) -> dict[str, str]:
        """The x-ratelimit headers of a limit that speaks; `spent36000s`: none left, for so long."""
        if word.startswith("spent"):
            names = ("limit", "remaining", "reset")
            return {f"x-ratelimit-{n}-requests": v for n, v in zip(names, ("6", "0", word[5:]), strict=True)}
        match = LIMIT.fullmatch(word)
        if match is None or match.group(3):
            return {}
        most, period, now = int(match.group(1)), float(match.group(2)), time.monotonic()
        left = most - len([t for t in self.taken if t > now - period])
        reset = self.taken[0] + period - now if self.taken else 0.0
        return {
            "x-ratelimit-limit-requests": str(most),
            "x-ratelimit-remaining-requests": str(max(0, left)),
            "x-ratelimit-reset-requests": f"{max(0.0, reset):.3f}s",
        }

    def content(self, scenario: list[str], prompt: str, questions: list[dict[str, Any]]) -> tuple[str, str]:
        """What the model says, and why it stopped."""
        text = json.dumps({"questions": questions}, ensure_ascii=False)
        luck = luck_of(prompt)
        for word in scenario:
            if word == "text":
                text = "\n\n".join(
                    f"{n}. {q['stem']}\n"
                    + "\n".join(f"{'ABCD'[k]}. {o}" for k, o in enumerate(q["options"]))
                    + f"\n答案：{q['answer']}\n解析：{q['explanation']}"
                    for n, q in enumerate(questions, 1)
                )
            if (match := re.fullmatch(r"cut(\d+)", word)) and luck < int(match.group(1)):
                return text[: len(text) * (30 + luck) // 100], "length"
            if word == "fence":
                text = f"好的，以下是题目：\n```json\n{text}\n```"
            if word == "length":
                return text[:60], "length"
            if word == "filter":
                return "", "content_filter"
            if word == "empty":
                return "", "stop"
            if word == "three" and len(questions) == 4:
                text = json.dumps({"questions": questions[:3]}, ensure_ascii=False)
        return text, "stop"

    async def reply(self, request: web.Request, scenario: list[str], content: str, finish: str) -> web.StreamResponse:
        """The completion, or what the scenario makes of it."""
        if "error200" in scenario:
            return web.json_response({"error": {"message": "upstream gone", "code": 502}})
        text = json.dumps(self.completion(scenario, content, finish), ensure_ascii=False)
        if "broken" in scenario:
            text = text[: len(text) // 2]
        if "reset" in scenario or "short" in scenario:
            response = web.StreamResponse(headers={"content-length": str(len(text.encode()))})
            await response.prepare(request)
            await response.write(text.encode()[:50])
            assert request.transport is not None
            if "reset" in scenario:
                request.transport.abort()
            else:
                request.transport.close()
            return response
        headers = {"x-request-id": "req-1"}
        for word in scenario:
            headers |= self.counters(word)
        if "dribble" in scenario:
            slow = web.StreamResponse(headers={"content-type": "application/json"})
            await slow.prepare(request)
            for byte in text.encode():
                await slow.write(bytes([byte]))
                await asyncio.sleep(0.5)
            return slow
        return web.Response(text=text, content_type="application/json", headers=headers)

    def completion(self, scenario: list[str], content: str, finish: str) -> dict[str, Any]:
        """The body of an answer."""
        message: dict[str, Any] = {"role": "assistant", "content": content}
        if "refusal" in scenario:
            message = {"role": "assistant", "content": None, "refusal": "I can't help with that."}
        choices = [] if "no-choices" in scenario else [{"index": 0, "message": message, "finish_reason": finish}]
        value: dict[str, Any] = {"id": "x", "object": "chat.completion", "model": "stub-1", "choices": choices}
        if "no-usage" not in scenario:
            output = output_tokens(scenario, content)
            value["usage"] = {"prompt_tokens": 900, "completion_tokens": output, "total_tokens": 900 + output}
        return value

    def in_batch(self, request: web.Request, body: dict[str, Any]) -> tuple[int, dict[str, Any]]:
        """What the chat route would answer to one line of a batch; billed."""
        prompt, scenario = body["messages"][-1]["content"], body["model"].split("+")
        match = COUNT.search(prompt)
        count = int(match.group(1) or match.group(2)) if match else 4
        content, finish = self.content(scenario, prompt, questions_for(prompt, count))
        key = hashlib.sha256(json.dumps(body, sort_keys=True).encode()).hexdigest()
        self.bill(request, body, key, 200, output_tokens(scenario, content))
        return 200, self.completion(scenario, content, finish)

    def bill(self, request: web.Request, body: dict[str, Any], key: str, status: int, output: int) -> None:
        self.answered += status == 200
        if self.log is not None:
            line = {
                "at": time.time(),
                "came": request.get("came"),
                "request": key,
                "status": status,
                "model": body["model"],
                "form": (body.get("response_format") or {}).get("type", "text"),
                "authorization": request.headers.get("authorization", ""),
                "messages": body["messages"],
                "body": {k: v for k, v in body.items() if k != "messages"},
                "output": output,
            }
            self.note(line)

    def note(self, line: dict[str, Any]) -> None:
        """One line of the log, if there is one."""
        if self.log is not None:
            with self.log.open("a", encoding="utf-8") as file:
                file.write(json.dumps(line, ensure_ascii=False) + "\n")


def scenario_of(model: str, times: int) -> list[str]:
    """The words of a model's name; `once-reset` is `reset` the first time a prompt is asked, and then nothing."""
    words = model.split("+")
    return [w.removeprefix("once-") for w in words if times == 1 or not w.startswith("once-")]


def luck_of(prompt: str) -> int:
    """0 to 99, the same for every run."""
    return int(hashlib.sha256(prompt.encode()).hexdigest(), 16) % 100


def output_tokens(scenario: list[str], content: str) -> int:
    """What a reply is said to have cost: a token a character; `dear20000` says 20,000."""
    return next((int(word[4:]) for word in scenario if re.fullmatch(r"dear\d+", word)), len(content))


def error(status: int, code: str | None, message: str, headers: dict[str, str] | None = None) -> web.Response:
    body = {"error": {"message": message, "type": code, "code": code, "param": None}}
    return web.json_response(body, status=status, headers=headers)


async def serve(latency: float, log: Path | None) -> None:
    stub = Stub(latency, log)
    app = web.Application(client_max_size=2**26)
    app.router.add_post("/v1/chat/completions", stub.chat)
    app.router.add_routes(Batches(stub.in_batch, stub.note).routes())
    runner = web.AppRunner(app, access_log=None)
    await runner.setup()
    site = web.TCPSite(runner, "127.0.0.1", 0, backlog=4096)
    await site.start()
    print(site._server.sockets[0].getsockname()[1], flush=True)  # type: ignore[union-attr]
    await asyncio.Event().wait()


@contextmanager
def running(latency: float = 0.0, log: Path | None = None) -> Iterator[str]:
    """A stub in a process of its own; its base URL."""
    command = [sys.executable, "-m", "tests.stub", "--latency", str(latency), *(["--log", str(log)] if log else [])]
    root = Path(__file__).parent.parent
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, cwd=root) as process:
        assert process.stdout is not None
        try:
            yield f"http://127.0.0.1:{int(process.stdout.readline())}/v1"
        finally:
            process.kill()


def bills(log: Path) -> list[dict[str, Any]]:
    """The billing log, a dict a request."""
    return [line for line in noted(log) if "request" in line]


def batches(log: Path) -> list[dict[str, Any]]:
    """The batches made, a dict each, with our metadata."""
    return [line for line in noted(log) if "batch" in line]


def noted(log: Path) -> list[dict[str, Any]]:
    """Every line of the log."""
    return [json.loads(line) for line in log.read_text(encoding="utf-8").splitlines()] if log.exists() else []


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--latency", type=float, default=0.0)
    parser.add_argument("--log", type=Path)
    given = parser.parse_args()
    asyncio.run(serve(given.latency, given.log))
