"""psygen beside bare loops that store the same replies: wall time, CPU and memory of the client, in one run.

python -m tests.benchmarks.online [UNITS] [CONCURRENCY] [LATENCY]
"""

import os
import resource
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path
from time import perf_counter
from typing import NamedTuple

from tests.stub import running

LOOP = """
import asyncio, json, sqlite3, sys
url, requests, database, wide = sys.argv[1], sys.argv[2], sys.argv[3], int(sys.argv[4])
conn = sqlite3.connect(database, isolation_level=None)
conn.execute("PRAGMA journal_mode=WAL"); conn.execute("PRAGMA synchronous=FULL")
conn.execute("CREATE TABLE replies (id INTEGER PRIMARY KEY, raw TEXT)")
conn.execute("CREATE TABLE items (stem TEXT, options TEXT, answer TEXT, explanation TEXT)")
def store(n, text):
    value = json.loads(text)
    conn.execute("BEGIN"); conn.execute("INSERT INTO replies VALUES (?, ?)", (n, text))
    conn.executemany("INSERT INTO items VALUES (?, ?, ?, ?)", [(q["stem"], json.dumps(q["options"], ensure_ascii=False),
        q["answer"], q["explanation"]) for q in value["questions"]]); conn.execute("COMMIT")
async def every(ask):
    gate = asyncio.Semaphore(wide)
    async def one(n, body):
        async with gate:
            store(n, await ask(body))
    await asyncio.gather(*(one(n, json.loads(line)) for n, line in enumerate(open(requests, encoding="utf-8"))))
"""
OPENAI = (
    LOOP
    + """
from openai import AsyncOpenAI
import openai
async def main():
    async with AsyncOpenAI(api_key="x", base_url=url, max_retries=0) as client:
        async def ask(body):
            reply = await client.chat.completions.create(**body)
            return reply.choices[0].message.content
        await every(ask)
asyncio.run(main())
"""
)
AIOHTTP = (
    LOOP
    + """
import aiohttp
async def main():
    async with aiohttp.ClientSession(connector=aiohttp.TCPConnector(limit=0)) as session:
        async def ask(body):
            async with session.post(url + "/chat/completions", json=body) as reply:
                return (await reply.json())["choices"][0]["message"]["content"]
        await every(ask)
asyncio.run(main())
"""
)


class Cost(NamedTuple):
    """One run of a client: seconds spawn to exit, CPU seconds, peak memory in MiB."""

    wall_s: float
    cpu_s: float
    peak_mib: float


def measure(command: list[str], folder: Path) -> Cost:
    """Run a command and read off what it cost; its children count."""
    env = {k: v for k, v in os.environ.items() if not k.startswith(("PSYGEN_", "OPENAI_"))}
    env["NO_PROXY"] = "127.0.0.1,localhost"
    before = perf_counter()
    process = subprocess.Popen(command, cwd=folder, env=env, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
    assert process.stderr is not None
    errors = process.stderr.read()
    _, status, used = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    process.stderr.close()
    if process.returncode:
        raise RuntimeError(errors.decode())
    return Cost(perf_counter() - before, used.ru_utime + used.ru_stime, used.ru_maxrss / 1024)


def compare(units: int = 1383, wide: int = 256, latency: float = 1.0, rounds: int = 3) -> dict[str, Cost]:
    """Medians of `rounds` for a bare AsyncOpenAI loop, a bare aiohttp loop and psygen."""
    resource.setrlimit(resource.RLIMIT_NOFILE, (8192, resource.getrlimit(resource.RLIMIT_NOFILE)[1]))
    found: dict[str, list[Cost]] = {"AsyncOpenAI loop": [], "psygen": [], "aiohttp loop": []}
    with tempfile.TemporaryDirectory() as name, running(latency) as url:
        folder = Path(name)
        requests = _requests(folder, units)
        for n in range(rounds):
            for label, script in (("AsyncOpenAI loop", OPENAI), ("aiohttp loop", AIOHTTP)):
                args = [url, str(requests), str(folder / f"{label[:2]}{n}.db"), str(wide)]
                found[label].append(measure([sys.executable, "-c", script, *args], folder))
            own = folder / f"psygen{n}"
            own.mkdir()
            command = [str(Path(sys.executable).parent / "psygen"), "generate", "--all", "--engine", "online"]
            command += ["--base-url", url, "--model", "good", "--concurrency", str(wide), "--limit", str(units)]
            found["psygen"].append(measure(command, own))
    return {label: Cost(*(statistics.median(v) for v in zip(*runs, strict=True))) for label, runs in found.items()}


def _requests(folder: Path, units: int) -> Path:
    """What psygen would send, one body a line, for the bare loops to send too."""
    import json

    from psygen.engines.online.forms import request_body
    from psygen.files.concepts import load_bank
    from psygen.prompts import Prompts
    from psygen.settings import ServerSettings, load_settings

    settings = load_settings(folder, {})
    bank, prompts = load_bank(settings.concept_folders), Prompts(settings.prompt_folders)
    path = folder / "requests.jsonl"
    with path.open("w", encoding="utf-8") as file:
        for concept in bank.concepts[:units]:
            messages = prompts.render(concept, bank.subject(concept.subject), concept.primary)
            body = request_body(ServerSettings(model="good"), messages, concept.primary, "schema")
            file.write(json.dumps(body, ensure_ascii=False) + "\n")
    return path


def table(found: dict[str, Cost], units: int) -> str:
    """The comparison as Markdown."""
    base = found["AsyncOpenAI loop"]
    lines = ["| client | wall, s | ratio | CPU, s | CPU, ms a request | peak, MiB |"]
    lines.append("| --- | ---: | ---: | ---: | ---: | ---: |")
    lines += [
        f"| {label} | {c.wall_s:.2f} | {c.wall_s / base.wall_s:.2f} | {c.cpu_s:.2f} | {c.cpu_s / units * 1000:.2f} "
        f"| {c.peak_mib:.0f} |"
        for label, c in found.items()
    ]
    return "\n".join(lines)


if __name__ == "__main__":
    given = [float(a) for a in sys.argv[1:]]
    count, wide, wait = int(given[0]) if given else 1383, int(given[1]) if len(given) > 1 else 256, 1.0
    wait = given[2] if len(given) > 2 else wait
    print(table(compare(count, wide, wait), count))
