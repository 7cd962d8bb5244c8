"""What must hold after every fault: the standing promises, checked by one function.

The books are compared with the stub server's own billing log, which is written before an answer leaves.
"""

import base64
import json
import sqlite3
from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from psygen.ids import canonical_json
from psygen.make.lock_holder import lock_holder
from psygen.prices import Price
from psygen.records.exchange import Usage
from psygen.store.audit import audit
from tests.stub import bills

INPUT_TOKENS = 900
"""What the stub says of every prompt, unless its log says otherwise."""


def keep_promises(
    folder: Path,
    *,
    log: Path | None = None,
    price: Price | None = None,
    cap_micro_usd: int | None = None,
    most_in_doubt: int | None = None,
    key: str = "",
    said: str = "",
) -> None:
    """Assert V1-V5, V8-V10 of a workspace, at rest or while a run is going on.

    log: the stub's bills. price: what the stub's tokens cost (V3, V4). most_in_doubt: calls that crashes may have left
    (V5). key: a planted key that must be nowhere (V9). said: everything the commands wrote on stderr (V10).
    """
    database = folder / "outputs" / "psygen.db"
    if not database.exists():
        # Nothing is sent before there is a place for the answer.
        assert not (bills(log) if log else []), "V1: billed without a database"
        return
    is_running = bool(lock_holder(database))
    faults = [f for f in audit(database, is_running=is_running) if f.level == "fault"]
    assert not faults, faults
    conn = sqlite3.connect(f"file:{database}?mode=ro", uri=True)
    conn.row_factory = sqlite3.Row
    # The bill is read first: a call's intent is in the books before it can be billed.
    billed = [b for b in bills(log) if b["status"] == 200] if log else []
    with conn:
        books = conn.execute(
            "SELECT c.state, c.cost_micro_usd, c.reserved_micro_usd, r.body FROM calls c "
            "JOIN requests r ON r.id = c.request_id WHERE c.state != 'failed'"
        ).fetchall()
    conn.close()
    _no_loss(billed, books)
    if price is not None:
        _books_bound_the_bill(sum(_cost(b, price) for b in billed), books, cap_micro_usd)
    if most_in_doubt is not None:
        in_doubt = sum(row["state"] in ("unknown", "intent") for row in books)
        assert in_doubt <= most_in_doubt, f"V5: {in_doubt} calls in doubt, at most {most_in_doubt} may be"
    if not is_running:
        _nothing_open(database)
    if key:
        _nothing_secret(folder, key, said)
    assert "Traceback" not in said, f"V10: {said}"


def _no_loss(billed: list[dict[str, Any]], books: list[sqlite3.Row]) -> None:
    """V1, V2: every answer the stub was paid for is held, or in doubt; none was paid for without a trace."""
    sent = [json.loads(row["body"]).get("messages") for row in books] if billed else []
    known = Counter(canonical_json(messages) for messages in sent if messages is not None)
    paid = Counter(canonical_json(b["messages"]) for b in billed)
    lost = {k: (n, known[k]) for k, n in paid.items() if n > known[k]}
    assert not lost, f"V1: billed more often than answered or in doubt: {lost}"


def _books_bound_the_bill(bill: int, books: list[sqlite3.Row], cap: int | None) -> None:
    """V3, V4: what is certain and what is in doubt is at least the bill, and at most the cap."""
    bound = 0
    for row in books:
        cost = row["cost_micro_usd"] if row["cost_micro_usd"] is not None else row["reserved_micro_usd"]
        assert cost is not None, "V3: a call with a known price has neither cost nor reserve"
        bound += cost
    assert bound >= bill, f"V3: the stub billed {bill} micro-USD, the books say at most {bound}"
    assert cap is None or bound <= cap, f"V4: {bound} micro-USD under a cap of {cap}"


def _cost(bill: Mapping[str, Any], price: Price) -> int:
    usage = Usage(input=bill.get("input", INPUT_TOKENS), output=bill["output"])
    return price.cost(usage) or 0


def _nothing_open(database: Path) -> None:
    """V8: nobody holds a transaction."""
    conn = sqlite3.connect(database, timeout=0, isolation_level=None)
    conn.execute("BEGIN IMMEDIATE")
    conn.execute("ROLLBACK")
    conn.close()


def _nothing_secret(folder: Path, key: str, said: str) -> None:
    """V9: the key is in no file and no output, plain or in base64."""
    forms = [key.encode(), base64.b64encode(key.encode()).rstrip(b"=")]
    assert not [f for f in forms if f.decode() in said], "V9: the key was shown"
    for path in (folder / "outputs").rglob("*"):
        if path.is_file():
            data = path.read_bytes()
            assert not [f for f in forms if f in data], f"V9: the key is in {path}"
