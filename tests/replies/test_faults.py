"""Rows F47-F71 of the catalogue of faults, as far as reading decides them; the checks room decides the others."""
# ruff: noqa: E501  (tables of cases read better unbroken)

from collections.abc import Callable

import pytest

from psygen.replies.read import Reading, read_reply

Q = '{"stem": "铃声引起唾液分泌，属于什么？", "options": ["条件反射", "无条件反射", "顿悟", "模仿"], "answer": "A", "explanation": "因为配对。"}'
ASKED = '{"questions": [%s]}'


def asked(*questions: str) -> str:
    return ASKED % ", ".join(questions)


def keys(found: Reading) -> list[tuple[int, ...]]:
    return [d.key for d in found.drafts]


def faults(found: Reading) -> list[str]:
    return [d.fault for d in found.drafts]


def is_ok(found: Reading) -> bool:
    return found.problem == "" and faults(found) == [""] and keys(found) == [(0,)]


ROWS: list[tuple[str, str, Callable[[Reading], bool]]] = [
    ("F47", "这不是 JSON", lambda r: r.problem == "E_JSON" and r.rest == ("这不是 JSON",)),
    ("F47", asked(Q).replace('"', "'"), lambda r: r.problem == "E_JSON"),
    ("F47", asked(Q.replace('配对。"}', '配对。",}')), lambda r: r.problem == "E_JSON" and "配对" in r.rest[0]),
    ("F47", asked(Q) + "\n以上。", lambda r: is_ok(r) and r.repairs == ("fence",)),
    ("F48", f"```json\n{asked(Q)}\n```", lambda r: is_ok(r) and r.drafts[0].repairs == ("fence",)),
    ("F48", f"Here is the JSON you asked for:\n\n{asked(Q)}", lambda r: is_ok(r) and "fence" in r.drafts[0].repairs),
    ("F49", asked(Q, Q, Q), lambda r: keys(r) == [(0,)] * 3),
    ("F50", asked(Q, Q, Q, Q, Q), lambda r: keys(r) == [(0,)] * 5),
    ("F51", ASKED % "", lambda r: r.problem == "E_EMPTY"),
    ("F51", asked(Q.replace("铃声引起唾液分泌，属于什么？", "　")), lambda r: faults(r) == ["E_EMPTY"]),
    ("F51", asked(Q.replace("顿悟", " ")), lambda r: faults(r) == ["E_EMPTY"]),
    ("F52", asked(Q.replace("顿悟", "模仿。")), is_ok),
    ("F53", asked(Q.replace(', "模仿"', "")), lambda r: faults(r) == ["E_OPTION_COUNT"]),
    ("F53", asked(Q.replace('"模仿"', '"模仿", "其他"')), lambda r: faults(r) == ["E_OPTION_COUNT"]),
    ("F53", asked(Q.replace('["条件反射", "无条件反射", "顿悟", "模仿"]', '"A. 条件反射 B. 无条件反射 C. 顿悟 D. 模仿"')),
     lambda r: is_ok(r) and r.drafts[0].repairs == ("split",)),
    ("F53", asked(Q.replace('["条件反射", "无条件反射", "顿悟", "模仿"]', '"B. 条件反射 A. 无条件反射 C. 顿悟 D. 模仿"')),
     lambda r: faults(r) == ["E_OPTION_COUNT"]),
    ("F54", asked(Q.replace('"A"', '"条件反射"')), lambda r: is_ok(r) and r.drafts[0].repairs == ("answer_text",)),
    ("F54", asked(Q.replace('"A"', '"都不是"')), lambda r: faults(r) == ["E_ANSWER"]),
    ("F55", asked(Q.replace('"A"', '"E"')), lambda r: faults(r) == ["E_ANSWER"]),
    ("F56", asked(Q.replace('"A"', '"AC"'), Q.replace('"A"', '["A", "C"]')), lambda r: keys(r) == [(0, 2)] * 2),
    *[("F57", asked(Q.replace('"A"', f'"{a}"')), lambda r: is_ok(r) and r.drafts[0].repairs == ("label",))
      for a in ("Ａ", "（A）", "A.", "a", "选A")],
    ("F58", asked(Q.replace('"A"', '"А"'), Q.replace('"A"', '"Α"')), lambda r: faults(r) == ["E_ANSWER"] * 2),
    ("F59", asked(Q.replace("因为配对。", "故选B。")), is_ok),
    ("F60", asked(Q.replace("因为配对。", "因為配對。")), lambda r: is_ok(r) and r.drafts[0].explanation == "因為配對。"),
    ("F61", asked(Q.replace("铃声引起唾液分泌，属于什么？", "What is it?")), is_ok),
    ("F62", asked(Q.replace("顿悟", r"$\alpha$")), lambda r: is_ok(r) and r.drafts[0].options[2] == r"$\alpha$" and r.drafts[0].repairs == ("latex",)),
    ("F63", asked(Q.replace("顿悟", r"$\frac{\beta}{\theta}\nu\rho$")),
     lambda r: is_ok(r) and r.drafts[0].options[2] == r"$\frac{\beta}{\theta}\nu\rho$" and r.drafts[0].repairs == ("latex",)),
    ("F63", asked(Q.replace("顿悟", r"$\fooo$")), lambda r: faults(r) == ["E_CONTROL"] and "\f" not in r.drafts[0].options[2]),
    ("F63", asked(Q.replace("顿悟", "\x0crac{1}{2}")), lambda r: is_ok(r) and r.drafts[0].options[2] == r"\frac{1}{2}"),
    ("F64", asked(Q.replace("顿悟", "顿\x00\x1b[1m\u202e\u200b悟")), lambda r: is_ok(r) and r.drafts[0].options[2] == "顿悟" and "control" in r.drafts[0].repairs),
    ("F65", asked(Q.replace("顿悟", "顿\\ud800悟")), lambda r: faults(r) == ["E_UNICODE"] and bool(r.drafts[0].options[2].encode())),
    ("F65", asked(Q.replace("顿悟", "顿\ud800悟")), lambda r: faults(r) == ["E_UNICODE"]),
    ("F66", "甲" * 1_000_001, lambda r: r.problem == "E_SIZE"),
    ("F66", "[" * 10_000, lambda r: r.problem == "E_JSON"),
    ("F66", asked(Q.replace('"A"', "9" * 900_000)), lambda r: faults(r) == ["E_ANSWER"]),
    ("F66", "9" * 1_000_000, lambda r: r.problem == "E_SIZE"),
    ("F67", asked(Q.replace('"answer": "A"', '"answer": "B", "answer": "A"'), Q), lambda r: faults(r) == ["E_JSON_DUPKEY", ""]),
    ("F68", asked(Q.replace("铃声引起唾液分泌，属于什么？", "题干")), is_ok),
    ("F69", asked(Q, Q), lambda r: faults(r) == ["", ""]),
    ("F70", asked(Q.replace("模仿", "以上都对")), lambda r: is_ok(r) and r.drafts[0].options[3] == "以上都对"),
    ("F71", asked(Q.replace("顿悟", "=1+1<script>[/bold]{{ 7*7 }}")), lambda r: is_ok(r) and r.drafts[0].options[2] == "=1+1<script>[/bold]{{ 7*7 }}"),
]  # fmt: skip


@pytest.mark.parametrize(("row", "text", "holds"), ROWS, ids=[f"{row}-{n}" for n, (row, _, _) in enumerate(ROWS)])
def test_a_row_of_the_catalogue_has_its_outcome(row: str, text: str, holds: Callable[[Reading], bool]) -> None:
    found = read_reply(text)
    assert holds(found), found


def test_every_row_is_there() -> None:
    assert {row for row, _, _ in ROWS} == {f"F{n}" for n in range(47, 72)}
