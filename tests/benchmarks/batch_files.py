"""How much memory and time files of requests and results take: a generated bank, written, answered, read.

python -m tests.benchmarks.batch_files [CONCEPTS] [TYPES]     (requests: concepts x types; types at most 4)
"""

import json
import sys
import tempfile
from pathlib import Path

from tests.benchmarks.million import write_bank
from tests.benchmarks.online import Cost, measure
from tests.stub import questions_for


def answer(requests: Path, results: Path) -> int:
    """What a cluster would write for a file of requests; how many lines."""
    count = 0
    with requests.open(encoding="utf-8") as asked, results.open("w", encoding="utf-8") as file:
        for count, line in enumerate(asked, 1):  # noqa: B007  (the number of the last line is the count)
            value = json.loads(line)
            questions = questions_for(value["custom_id"], 4)
            content = json.dumps({"questions": questions}, ensure_ascii=False)
            body = {
                "model": value["body"]["model"],
                "choices": [{"message": {"role": "assistant", "content": content}, "finish_reason": "stop"}],
                "usage": {"prompt_tokens": 900, "completion_tokens": 1100},
            }
            result = {"custom_id": value["custom_id"], "response": {"status_code": 200, "body": body}, "error": None}
            file.write(json.dumps(result, ensure_ascii=False) + "\n")
    return count


def run(concepts: int, types: int) -> dict[str, tuple[int, Cost]]:
    """Lines and cost of writing requests and of reading results."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "concepts").mkdir()
        (folder / "psygen.toml").write_text("", encoding="utf-8")
        write_bank(folder / "concepts", concepts, types)
        requests, results = folder / "requests.jsonl", folder / "results.jsonl"
        psygen = [str(Path(sys.executable).parent / "psygen"), "batch"]
        every = ["--all", "--model", "big", "--type", "all"]
        written = measure([*psygen, "write", str(requests), *every], folder)
        count = answer(requests, results)
        read = measure([*psygen, "read", str(results)], folder)
    return {"batch write": (count, written), "batch read": (count, read)}


def table(found: dict[str, tuple[int, Cost]]) -> str:
    """The figures as Markdown."""
    lines = ["| command | lines | wall, s | lines a second | peak, MiB |", "| --- | ---: | ---: | ---: | ---: |"]
    lines += [
        f"| psygen {name} | {count:,} | {c.wall_s:.1f} | {count / c.wall_s:,.0f} | {c.peak_mib:.0f} |"
        for name, (count, c) in found.items()
    ]
    return "\n".join(lines)


if __name__ == "__main__":
    given = [int(a) for a in sys.argv[1:]]
    print(table(run(given[0] if given else 250_000, given[1] if len(given) > 1 else 4)))
