"""A review page over a small bank, as tests use it: who comes in, what forms hold, what a page is made of."""

import re
from collections.abc import Sequence
from html.parser import HTMLParser
from pathlib import Path
from typing import NamedTuple

from starlette.testclient import TestClient

from psygen.records.concept import Concept, Description
from psygen.records.exchange import Reply, Request
from psygen.records.item import Item
from psygen.records.review import people_of
from psygen.settings import Settings, load_settings
from psygen.store.database import Progress, Reading, Store
from psygen.store.units import Unit, unit_id
from psygen.web.app import make_app
from psygen.web.desk import Desk
from psygen.web.guard import Guard
from tests.conftest import concept
from tests.curate.small_bank import PEOPLE, PROFILE
from tests.files.test_sheets import item

HOST = "127.0.0.1:8000"
ORIGIN = {"Origin": f"http://{HOST}"}
SETTINGS = '[review]\nadjudicator = "r1"\n'


def settings_in(folder: Path, toml: str = SETTINGS) -> Settings:
    """A workspace with packaged concepts."""
    (folder / "psygen.toml").write_text(toml, encoding="utf-8")
    return load_settings(folder, {})


def concept_of(description: str = "知识点的描述。") -> Concept:
    """The concept every question is asked about."""
    told = Description(text=description, prompt_types=("theory",))
    return concept("sta-one", concept="知识点名", descriptions=(told,))


def fill(
    path: Path, stems: Sequence[str], description: str = "知识点的描述。", *, people: Sequence[str] = PEOPLE
) -> list[Item]:
    """A database with a question for each stem (its options and explanation carry the stem too), all in one batch.

    The key of question n is option n % 4.
    """
    one = concept_of(description)
    unit = Unit(unit_id(PROFILE, one, "theory", "t"), one, "theory", "t", 0)
    with Store(path) as store:
        run = store.start_run(PROFILE, {})
        store.apply_plan(PROFILE, [unit], asked=len(stems), stale=[], templates={"t": ("name", {})})
        ask = Request(
            profile=PROFILE, unit_id=unit.id, concept_id=one.id, prompt_type="theory", questions=len(stems), body={}
        )
        journal = store.journal(run)
        reply = Reply(request_id=ask.id, call_id=journal.intend([ask])[0], state="received", raw=b"{}")
        journal.settle([reply])
        made = [
            item(
                n,
                request_id=ask.id,
                concept_id=one.id,
                position=n,
                stem=stem,
                options=(f"甲{stem}", "乙", "丙", "丁"),
                explanation=f"解析：{stem}",
                flags=("longest_is_key",),
            )
            for n, stem in enumerate(stems)
        ]
        store.save_reading([Reading(reply, made, Progress(unit.id, "done", ""), "ok")])
        store.note_batch("b1", 1, {who: [(i.id, i.revision) for i in made] for who in people})
    return made


class Table(NamedTuple):
    """A page with somebody at it."""

    desk: Desk
    client: TestClient

    def token(self) -> str:
        """The hidden token of this browser's forms."""
        found = re.search(
            r'name="token" value="([^"]+)"', self.client.get("/next").text + self.client.get("/mine").text
        )
        assert found is not None
        return found[1]

    def send(self, path: str, **fields: str) -> str:
        """Send a form as the page does; the page it leads to."""
        done = self.client.post(path, data={"token": self.token(), **fields}, headers=ORIGIN)
        assert done.status_code == 200, done.text
        return done.text

    def judge(self, one: Item, answer: str = "A", verdict: str = "keep", **fields: str) -> str:
        """Answer blind, then judge the original (or another revision)."""
        self.send(f"/item/{one.id}/answer", revision=one.revision, answer=answer)
        return self.send(f"/item/{one.id}/verdict", **{"revision": one.revision, "verdict": verdict, **fields})


def sit_down(settings: Settings, *people: str) -> list[Table]:
    """The page of a workspace with each of these reviewers at a browser of their own."""
    desk = Desk(settings, people_of(settings))
    app = Guard(make_app(desk), {HOST})
    tables = []
    for who in people:
        client = TestClient(app, base_url=f"http://{HOST}")
        assert client.get(f"/enter/{desk.sessions.links[who]}").status_code == 200
        tables.append(Table(desk, client))
    return tables


class Parts(HTMLParser):
    """What a page is made of: elements with their attributes, and its text."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.elements: list[tuple[str, dict[str, str]]] = []
        self.text = ""
        self.feed(str(html))
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, {name: value or "" for name, value in attrs}))

    def handle_data(self, data: str) -> None:
        self.text += data
