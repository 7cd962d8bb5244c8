"""What outsiders try on the page: markup in texts, foreign hosts and origins, forged forms, other paths."""

from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest
from starlette.testclient import TestClient

from psygen.formulas import plain
from psygen.settings import Settings
from psygen.store.desk import log_end
from psygen.store.queries import Reader
from psygen.web.guard import HEADERS
from tests.web.table import HOST, ORIGIN, Parts, Table, fill, settings_in, sit_down

PAYLOADS = (
    "<script>alert(1)</script>",
    "\"><img src=x onerror=alert(1)>'",
    "</textarea></script></title><svg onload=alert(1)>",
    "<a href='javascript:alert(1)'>甲</a><base href=//x>",
    "{{ 7*7 }}{% raw %}",
    '=HYPERLINK("http://x","y")',
    "[/a][red]\x1b]0;x\x07\x1b[2J",
    "看不见\u202egnp.\u200b\u2066x",
    r"$\text{<script>alert(1)</script>}$",
    r"$\href{javascript:alert(1)}{x}\style{position:fixed}{y}\class{z}{w}$",
    r"\(\phantom{x}\color{white}{y}\)",
    "<!-- ]]> &lt;b&gt; &#60;",
)
VARYING = frozenset("math mrow mi mn mo mtext mstyle span ins del p br small".split())
"""Elements of formulas, differences and notes on invisible characters, of which a text may make more or fewer."""
ADDRESSES = ("/", "#main")
PAGES = (
    "/mine",
    "/next",
    "/contested",
    "/progress",
    "/agreement",
    "/history/{}",
    "/item/{}",
    "/item/{}?from=contested",
)
NAMES = "".join(
    f"[[reviewers]]\nid = \"r{n}\"\nname = '''{PAYLOADS[n]}'''\nrole = '''{PAYLOADS[n + 1]}'''\n" for n in (1, 2, 3)
)


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    return settings_in(tmp_path)


@pytest.fixture
def table(settings: Settings) -> Iterator[Table]:
    fill(settings.database, ["题干是什么？", "另一题？"])
    [one] = sit_down(settings, "r1")
    with one.client:
        yield one


def end_of_log(table: Table) -> int:
    with Reader(table.desk.settings.database) as reader:
        return reader.ask(log_end)


def visited(folder: Path, text: str) -> dict[str, str]:
    """Every page as a second reviewer sees it who judged a question made of `text`, proposed by a first one."""
    settings = settings_in(folder, NAMES)
    [one] = fill(settings.database, [text], f"描述{text}")
    r1, r2 = sit_down(settings, "r1", "r2")
    r1.judge(one, verdict="modify", stem=f"改过的{text}", explanation=text, comment=text)
    blind = r2.client.get(f"/item/{one.id}").text
    r2.judge(one, verdict="keep", comment=text)
    r2.client.get("/agreement")
    r2.desk.figures.wait()
    return {"blind": blind} | {path: r2.client.get(path.format(one.id)).text for path in PAGES}


@pytest.fixture(scope="module")
def harmless(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    return visited(tmp_path_factory.mktemp("harmless"), "题干")


def kinds(page: Parts) -> Counter[tuple[str, tuple[str, ...]]]:
    """How many elements of a kind there are: name and names of attributes."""
    return Counter((tag, tuple(sorted(attributes))) for tag, attributes in page.elements if tag not in VARYING)


@pytest.mark.parametrize("payload", PAYLOADS, ids=range(len(PAYLOADS)))
def test_texts_from_outside_are_shown_as_text_and_never_as_markup(
    tmp_path: Path, harmless: dict[str, str], payload: str
) -> None:
    shown = Parts(plain(payload)).text
    for path, html in visited(tmp_path, payload).items():
        page = Parts(html)
        assert kinds(page) == kinds(Parts(harmless[path])), path
        for _, attributes in page.elements:
            assert not [name for name in attributes if name.startswith("on") or name == "style"], path
            for name in ("href", "src", "action"):
                assert attributes.get(name, "/").startswith(ADDRESSES), path
        if "item" in path and not payload.startswith(("$", "\\")):
            assert shown in page.text, path


def test_every_answer_carries_the_headers(table: Table) -> None:
    answers = [
        table.client.get(path) for path in ("/mine", "/next", "/none", "/static/page.css", "/static/none", "/enter/x")
    ]
    answers += [
        table.client.post("/undo"),
        table.client.get("/mine", headers={"Host": "evil"}),
        table.client.put("/mine"),
    ]
    assert {answer.status_code for answer in answers} == {200, 403, 404, 405, 421}
    for answer in answers:
        for name, value in HEADERS.items():
            assert answer.headers.get_list(name) == [value], answer.url
        assert "server" not in answer.headers


@pytest.mark.parametrize(
    "host", ["evil.example:8000", "127.0.0.1", "127.0.0.1:8001", "localhost.:8000", "", HOST + ","]
)
def test_a_foreign_host_is_refused_before_anything_else(table: Table, host: str) -> None:
    for path in ("/mine", "/static/page.css", "/none"):
        assert table.client.get(path, headers={"Host": host}).status_code == 421


def test_two_hosts_are_refused(table: Table) -> None:
    assert table.client.get("/mine", headers=[("Host", HOST), ("Host", HOST)]).status_code == 421


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        (ORIGIN, 303),
        ({"Sec-Fetch-Site": "same-origin"}, 303),
        ({"Origin": "null", "Sec-Fetch-Site": "same-origin"}, 303),
        ({}, 403),
        ({"Origin": "null"}, 403),
        ({"Origin": "null", "Sec-Fetch-Site": "none"}, 403),
        ({"Origin": "http://evil.example"}, 403),
        ({"Origin": "https://127.0.0.1:8000"}, 403),
        ({"Origin": "http://127.0.0.1:8001"}, 403),
        ({"Origin": "http://localhost:8000"}, 403),
        (ORIGIN | {"Sec-Fetch-Site": "cross-site"}, 403),
        (ORIGIN | {"Sec-Fetch-Site": "same-site"}, 403),
    ],
)
def test_only_forms_of_the_page_itself_change_anything(table: Table, headers: dict[str, str], status: int) -> None:
    form = {"token": table.token(), "revision": "x", "verdict": "skip"}
    done = table.client.post("/undo", data=form, headers=headers, follow_redirects=False)
    assert done.status_code == status


@pytest.mark.parametrize("token", [None, "", "x", "é"])
def test_a_form_without_its_token_is_refused(table: Table, settings: Settings, token: str | None) -> None:
    [other] = sit_down(settings, "r2")
    for wrong in (token, other.token()):
        form = {"verdict": "skip"} | ({} if wrong is None else {"token": wrong})
        done = table.client.post("/item/psy-000000000000/verdict", data=form, headers=ORIGIN)
        assert done.status_code == 403
    assert end_of_log(table) == 0


def test_nobody_gets_in_without_a_link(table: Table) -> None:
    stranger = TestClient(table.client.app, base_url=f"http://{HOST}")
    for path in ("/", "/mine", "/next", "/item/psy-000000000000", "/progress", "/history/psy-000000000000"):
        assert stranger.get(path, headers={"Cookie": "psygen-8000=x"}).status_code == 403
    assert stranger.get("/enter/" + "x" * 43).status_code == 403
    assert stranger.post("/undo", data={"token": table.token()}, headers=ORIGIN).status_code == 403
    assert "题干" not in stranger.get("/mine").text


def test_the_cookie_is_kept_from_scripts_and_other_sites(table: Table) -> None:
    came = table.client.get(f"/enter/{table.desk.sessions.links['r2']}")
    [cookie] = came.headers.get_list("set-cookie")
    assert "HttpOnly" in cookie
    assert "SameSite=strict" in cookie
    assert cookie.startswith("psygen-8000=")


@pytest.mark.parametrize(
    "path",
    [
        "../app.py",
        "..%2fapp.py",
        "%2e%2e/app.py",
        "page.css%00",
        "/etc/passwd",
        "%2fetc%2fpasswd",
        "..\\app.py",
        "PAGE.CSS",
    ],
)
def test_only_the_files_of_the_table_are_served(table: Table, path: str) -> None:
    assert table.client.get(f"/static/{path}").status_code == 404


def test_reading_changes_nothing(table: Table) -> None:
    before = end_of_log(table)
    for path in PAGES:
        table.client.get(path.format("psy-000000000000"))
    for path in ("/undo", "/item/psy-000000000000/verdict?verdict=keep", "/item/psy-000000000000/answer?answer=A"):
        assert table.client.get(path).status_code == 405
    assert end_of_log(table) == before == 0


@pytest.mark.parametrize(
    ("body", "kind", "status"),
    [
        (b"x" * 5_000_000, "application/x-www-form-urlencoded", 413),
        (b"a=b&a=c", "application/x-www-form-urlencoded", 400),
        (b"token=%ff%fe", "application/x-www-form-urlencoded", 400),
        ("token=题".encode(), "application/x-www-form-urlencoded", 400),
        (b"&".join(b"a%d=1" % n for n in range(200)), "application/x-www-form-urlencoded", 400),
        (b"{}", "application/json", 400),
        (b"token=x", "text/plain", 400),
        (b"--x--", "multipart/form-data; boundary=x", 400),
    ],
)
def test_what_is_no_form_is_refused(table: Table, body: bytes, kind: str, status: int) -> None:
    done = table.client.post("/undo", content=body, headers={**ORIGIN, "Content-Type": kind})
    assert done.status_code == status


@pytest.mark.parametrize(
    "fields",
    [
        {"verdict": "love"},
        {"verdict": ""},
        {"verdict": "keep", "concept_sound": "perhaps"},
        {"verdict": "keep", "reason": "<b>"},
        {"verdict": "modify", "stem": "", "with_key": "1", "key_A": "A"},
        {"verdict": "modify", "b": "丙"},
        {"verdict": "modify", "with_key": "1"},
    ],
)
def test_a_verdict_that_makes_no_sense_is_said_to_be_so_and_not_stored(table: Table, fields: dict[str, str]) -> None:
    with Reader(table.desk.settings.database) as reader:
        one = next(reader.items())
    table.send(f"/item/{one.id}/answer", revision=one.revision, answer="A")
    form = {"token": table.token(), "revision": one.revision, "comment": "留着我", **fields}
    done = table.client.post(f"/item/{one.id}/verdict", data=form, headers=ORIGIN)
    assert done.status_code == 400
    assert 'role="alert"' in done.text
    assert "留着我" in done.text
    assert end_of_log(table) == 1


def test_an_error_page_tells_no_internals(settings: Settings) -> None:
    fill(settings.database, ["题？"])
    [table] = sit_down(settings, "r1")
    settings.database.rename(settings.database.with_suffix(".away"))
    done = table.client.get("/mine")
    assert done.status_code == 503
    assert str(settings.workspace) not in done.text
    assert table.client.get("/item/psy-999999999999").status_code == 503


def test_a_bug_is_a_plain_page_and_one_line_for_the_keeper(table: Table, capsys: pytest.CaptureFixture[str]) -> None:
    table.desk.pages = None  # type: ignore[assignment]
    done = table.client.get("/mine")
    assert done.status_code == 500
    assert "Internal error" in done.text
    said = capsys.readouterr().err
    assert said.count("\n") == 1
    assert "AttributeError in app.py line" in said
