"""A loopback server that knows the answers, or errs in all of them, and writes down what it was asked.

It speaks what the harnesses ask for: chat completions, completions with echo and log-probabilities, and a tokenizer
whose tokens are characters. It finds the question that stands last in a prompt by its stem and options and answers
rightly as the model `right`, with the next option's letter as the model `wrong`.

python -m tests.peers.stub ITEMS.jsonl LOG      (prints its port; ITEMS as `psygen items export` writes them)
"""

import asyncio
import json
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import IO, Any, NamedTuple

from aiohttp import web

LETTERS = "ABCDEFGHIJ"
CUES = ("\n答案：", "\n答案:", "\nAnswer:")
TAIL = 6
"""Characters at a question's end by which it is looked up before it is compared."""
USAGE = {"prompt_tokens": 1, "completion_tokens": 1, "total_tokens": 2}


class Known(NamedTuple):
    """A question the server knows."""

    id: str
    stem: str
    options: tuple[str, ...]
    key: str

    @property
    def block(self) -> str:
        """The question as every harness shows it."""
        shown = [f"{letter}. {option}" for letter, option in zip(LETTERS, self.options, strict=False)]
        return "\n".join([self.stem.strip(), *shown])

    def answer(self, model: str) -> str:
        """The key, or for the model `wrong` the letters one further."""
        if model == "right":
            return self.key
        return "".join(LETTERS[(LETTERS.index(k) + 1) % len(self.options)] for k in self.key)


class Knowledge:
    """Questions by the end of their block, so that a prompt of any length is read at once."""

    def __init__(self, items: Iterable[dict[str, Any]]) -> None:
        self.by_tail: dict[str, list[Known]] = {}
        for item in items:
            known = Known(item["id"], item["stem"], tuple(item["options"]), item["key"])
            self.by_tail.setdefault(known.block[-TAIL:], []).append(known)

    def asked(self, prompt: str) -> list[Known]:
        """The questions of a prompt in their order, each standing before a cue: demonstrations, and the one asked."""
        found = [self._before(prompt[:end].rstrip()) for end in _cues(prompt)]
        return [known for known in found if known is not None]

    def _before(self, text: str) -> Known | None:
        """The question that ends a text: the one with the longest block, if several fit."""
        fitting = [k for k in self.by_tail.get(text[-TAIL:], ()) if text.endswith(k.block.rstrip())]
        return max(fitting, key=lambda k: len(k.block), default=None)


def _cues(prompt: str) -> Iterator[int]:
    """Where the cues stand, in order."""
    places = []
    for cue in CUES:
        at = prompt.find(cue)
        while at >= 0:
            places.append(at)
            at = prompt.find(cue, at + 1)
    yield from sorted(set(places))


class Stub:
    """The routes; every answered prompt is one line of the log."""

    def __init__(self, knowledge: Knowledge, log: IO[str]) -> None:
        self.knowledge = knowledge
        self.log = log

    def answer(self, prompt: str, model: str, route: str) -> str:
        """The letters for a prompt; empty when no question is found in it."""
        asked = self.knowledge.asked(prompt)
        line = {"route": route, "model": model, "demos": [k.id for k in asked[:-1]]}
        self.log.write(json.dumps(line | {"asked": asked[-1].id if asked else None}) + "\n")
        self.log.flush()
        return asked[-1].answer(model) if asked else ""

    async def chat(self, request: web.Request) -> web.Response:
        """POST /v1/chat/completions."""
        body = await request.json()
        prompt = "\n\n".join(_said(message["content"]) for message in body["messages"])
        letters = self.answer(prompt, body["model"], "chat")
        choice = {"index": 0, "finish_reason": "stop", "message": {"role": "assistant", "content": f"答案：{letters}"}}
        return web.json_response({"id": "x", "object": "chat.completion", "created": 0, "model": body["model"],
                                  "choices": [choice], "usage": USAGE})  # fmt: skip

    async def completions(self, request: web.Request) -> web.Response:
        """POST /v1/completions: the probability of a prompt's last letter, or the answer."""
        body = await request.json()
        texts = [_text(prompt) for prompt in _prompts(body["prompt"])]
        choices = [self._choice(n, text, body) for n, text in enumerate(texts)]
        return web.json_response({"id": "x", "object": "text_completion", "created": 0, "model": body["model"],
                                  "choices": choices, "usage": USAGE})  # fmt: skip

    def _choice(self, index: int, text: str, body: dict[str, Any]) -> dict[str, Any]:
        if not body.get("echo"):
            letters = self.answer(text, body["model"], "text")
            return {"index": index, "finish_reason": "stop", "text": letters}
        context, letter = text[:-1], text[-1]
        likely = -0.01 if self.answer(context, body["model"], "likelihood") == letter else -9.0
        # One value for each character and one for the token that was asked for besides.
        values = [None, *[-1.0] * (len(context) - 1), likely, -1.0]
        tops = [None if v is None else {"x": max(v, -1.0)} for v in values]
        logprobs = {"token_logprobs": values, "top_logprobs": tops, "tokens": [*text, "\n"], "text_offset": []}
        return {"index": index, "finish_reason": "length", "text": f"{text}\n", "logprobs": logprobs}

    async def tokenizer_info(self, _: web.Request) -> web.Response:
        """GET /tokenizer_info."""
        return web.json_response({"eos_token": "\0", "bos_token": None, "chat_template": None})

    async def tokenize(self, request: web.Request) -> web.Response:
        """POST /tokenize: a token is a character's number."""
        return web.json_response({"tokens": [ord(c) for c in (await request.json())["prompt"]]})

    async def detokenize(self, request: web.Request) -> web.Response:
        """POST /detokenize."""
        return web.json_response({"prompt": _text((await request.json())["tokens"])})


def _said(content: str | list[dict[str, str]]) -> str:
    """A message's text, which may come in parts."""
    return content if isinstance(content, str) else "".join(part.get("text", "") for part in content)


def _prompts(prompt: Any) -> list[Any]:
    """One prompt or several, as text or as tokens: always several."""
    is_one = isinstance(prompt, str) or (bool(prompt) and isinstance(prompt[0], int))
    return [prompt] if is_one else list(prompt)


def _text(prompt: str | list[int]) -> str:
    return prompt if isinstance(prompt, str) else "".join(map(chr, prompt))


async def serve(items: Path, log: Path) -> None:
    """Serve until killed."""
    with items.open(encoding="utf-8") as lines, log.open("a", encoding="utf-8") as out:
        stub = Stub(Knowledge(json.loads(line) for line in lines), out)
        app = web.Application(client_max_size=2**28)
        app.router.add_post("/v1/chat/completions", stub.chat)
        app.router.add_post("/v1/completions", stub.completions)
        app.router.add_get("/tokenizer_info", stub.tokenizer_info)
        app.router.add_post("/tokenize", stub.tokenize)
        app.router.add_post("/detokenize", stub.detokenize)
        runner = web.AppRunner(app)
        await runner.setup()
        site = web.TCPSite(runner, "127.0.0.1", 0)
        await site.start()
        print(runner.addresses[0][1], flush=True)
        await asyncio.Event().wait()


if __name__ == "__main__":
    asyncio.run(serve(Path(sys.argv[1]), Path(sys.argv[2])))
