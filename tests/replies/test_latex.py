r"""LaTeX in JSON strings: mended where exact, a fault where in doubt, never a form feed or a tab."""

import json
import string

import pytest
from hypothesis import given
from hypothesis import strategies as st

from psygen.replies.latex import COMMANDS, decode_string
from psygen.replies.read import read_reply


@pytest.mark.parametrize("name", sorted(COMMANDS))
def test_every_known_command_survives_a_single_backslash_in_a_formula(name: str) -> None:
    assert decode_string(rf"$\{name}$") == (rf"$\{name}$", ("latex",), "")
    assert decode_string(rf"\(x \{name} y\)").text == rf"\(x \{name} y\)"


@pytest.mark.parametrize("name", sorted(COMMANDS))
def test_every_known_command_doubled_stays_right(name: str) -> None:
    assert decode_string(rf"$\\{name}$") == (rf"$\{name}$", (), "")


@pytest.mark.parametrize(
    ("raw", "text", "repairs", "fault"),
    [
        (r"第一\n因此", "第一\n因此", (), ""),
        (r"first\nTherefore", "first\nTherefore", (), ""),
        (r"一\n\n二", "一\n\n二", (), ""),
        (r"a\r\nb", "a\r\nb", (), ""),
        (r"\nabla f", r"\nabla f", ("latex",), ""),
        (r"x \notin S", r"x \notin S", ("latex",), ""),
        (r"a=\nu", r"a=\nu", ("latex",), ""),
        (r"$\\mu=\nu$", r"$\mu=\nu$", ("latex",), "E_CONTROL"),
        (r"如下\nu检验", "如下\nu检验", (), "E_CONTROL"),
        (r"如下\ni) 一", "如下\ni) 一", (), ""),
        (r"$5 \times 10\%$", r"$5 \times 10\%$", ("latex",), ""),
        (r"\(x\)", r"\(x\)", ("latex",), ""),
        (r"\xyz", r"\xyz", (), "E_JSON"),
        (r"\'", r"\'", ("latex",), "E_JSON"),
        (r"\foo", "\foo", (), "E_CONTROL"),
        (r"\thing", "\thing", (), "E_CONTROL"),
        (r"甲\t乙", "甲\t乙", (), ""),
        (r"\underline{x}", r"\underline{x}", ("latex",), ""),
        (r"\u4e2d\\u4e2d", "中\\u4e2d", (), ""),
        (r"\"\/\\", '"/\\', (), ""),
    ],
)
def test_an_escape_is_decoded(raw: str, text: str, repairs: tuple[str, ...], fault: str) -> None:
    assert decode_string(raw) == (text, repairs, fault)


@given(st.text(alphabet=string.ascii_letters + string.digits + " 中文$\\{}^_\n\t\"'。"))
def test_what_json_wrote_is_read_as_it_was(text: str) -> None:
    """A correct writer is never mended, unless a line break stands before the tail of a command."""
    raw = json.dumps(text, ensure_ascii=False)[1:-1]
    found = decode_string(raw)
    if not found.repairs and not found.fault:
        assert found.text == text


@given(st.lists(st.sampled_from([*sorted(COMMANDS), "n", "t", "b", "f", "r", "foo"]), min_size=1))
def test_no_draft_holds_a_destroyed_command(names: list[str]) -> None:
    stem = " ".join(rf"\{n} x" for n in names)
    reply = rf'[{{"stem": "式 {stem}", "options": ["1", "2", "3", "4"], "answer": "A", "explanation": ""}}]'
    draft = read_reply(reply).drafts[0]
    assert not set(draft.stem) & set("\b\f\t\r")
    assert draft.fault == "E_CONTROL" or not ({"foo", "b", "f"} & set(names))
