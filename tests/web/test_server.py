import os
import re
import signal
import socket
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from psygen.errors import InputError
from psygen.web.server import open_socket
from tests.web.table import fill, settings_in

Psygen = Callable[..., subprocess.CompletedProcess[str]]


def test_it_listens_on_this_machine_only_and_on_a_free_port() -> None:
    opened = open_socket("127.0.0.1", 0, lan=False)
    with opened.socket:
        assert opened.socket.getsockname()[0] == "127.0.0.1"
        assert opened.port > 0
        assert opened.hosts == {f"{name}:{opened.port}" for name in ("127.0.0.1", "localhost", "[::1]")}


@pytest.mark.parametrize(("host", "lan"), [("192.0.2.1", False), ("0.0.0.0", True), ("::", True), ("", True)])
def test_other_machines_are_let_in_only_when_that_is_said_and_only_by_one_address(host: str, lan: bool) -> None:
    with pytest.raises(InputError, match=r"--lan|name one address"):
        open_socket(host, 0, lan=lan)


def test_a_port_that_is_taken_is_said_to_be_so() -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken, pytest.raises(InputError, match="another --port"):
        open_socket("127.0.0.1", taken.getsockname()[1], lan=False)


def test_without_a_batch_there_is_nothing_to_serve(tmp_path: Path, psygen: Psygen) -> None:
    settings = settings_in(tmp_path)
    fill(settings.database, ["题？"], people=())
    done = psygen("review", "serve")
    assert done.returncode == 2
    assert "psygen review export" in done.stderr


def test_an_unknown_reviewer_gets_no_link(tmp_path: Path, psygen: Psygen) -> None:
    settings = settings_in(tmp_path)
    fill(settings.database, ["题？"])
    done = psygen("review", "serve", "--reviewer", "r9")
    assert done.returncode == 2
    assert "there are r1, r2, r3" in done.stderr


def test_links_are_printed_once_and_logged_nowhere_and_ctrl_c_is_a_clean_end(tmp_path: Path) -> None:
    settings = settings_in(tmp_path)
    fill(settings.database, ["题？"])
    clean = {k: v for k, v in os.environ.items() if not k.startswith(("PSYGEN_", "OPENAI_"))}
    command = [sys.executable, "-m", "psygen", "-w", str(tmp_path), "review", "serve", "--reviewer", "r1"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=clean) as process:
        assert process.stderr is not None
        said = ""
        while "Ctrl-C" not in said:
            said += process.stderr.readline()
        link = re.search(r"http://127\.0\.0\.1:(\d+)(/enter/\S+)", said)
        assert link is not None
        with socket.create_connection(("127.0.0.1", int(link[1]))) as browser:
            ask = f"GET {link[2]} HTTP/1.1\r\nHost: 127.0.0.1:{link[1]}\r\nConnection: close\r\n\r\n"
            browser.sendall(ask.encode())
            answer = b"".join(iter(lambda: browser.recv(65536), b""))
        assert answer.startswith(b"HTTP/1.1 200")
        assert b"set-cookie: psygen-" in answer
        process.send_signal(signal.SIGINT)
        out, rest = process.communicate(timeout=30)
    assert (process.returncode, out) == (0, "")
    assert rest == "psygen: the page is closed; everything said is stored.\n"
