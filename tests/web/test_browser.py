"""The page in a real browser: three reviewers at three browsers, by keyboard alone; and without JavaScript."""

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect, sync_playwright

from psygen.curate.desk import history
from psygen.records.item import Item
from psygen.settings import Settings
from psygen.store.queries import Reader
from tests.web.table import fill, settings_in

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
pytestmark = pytest.mark.skipif(CHROMIUM is None, reason="there is no Chromium here")
LONG = "设总体服从正态分布，样本均值为$\\bar{x}=\\frac{1}{n}\\sum_{i=1}^{n}x_i$，下列说法正确的是哪一项？" * 3


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with sync_playwright() as driver:
        opened = driver.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        yield opened
        opened.close()


@contextmanager
def served(settings: Settings) -> Iterator[dict[str, str]]:
    """`psygen review serve` in a process of its own; the links by reviewer."""
    clean = {k: v for k, v in os.environ.items() if not k.startswith(("PSYGEN_", "OPENAI_"))}
    command = [sys.executable, "-m", "psygen", "-w", str(settings.workspace), "review", "serve"]
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True, env=clean) as process:
        assert process.stderr is not None
        links = {}
        for line in process.stderr:
            if found := re.match(r"  (\S+) .*(http://\S+)", line):
                links[found[1]] = found[2]
            if line.startswith("Ctrl-C"):
                break
        try:
            yield links
        finally:
            process.terminate()
            assert process.stderr.read() == ""


@contextmanager
def at(browser: Browser, link: str, *, scripts: bool = True) -> Iterator[Page]:
    """A browser of one's own that came by a link."""
    context = browser.new_context(java_script_enabled=scripts)
    page = context.new_page()
    page.set_default_timeout(10_000)
    faults: list[str] = []
    page.on("pageerror", lambda error: faults.append(str(error)))
    page.on("console", lambda message: faults.append(message.text) if message.type == "error" else None)
    page.goto(link)
    page.wait_for_url("**/mine")
    yield page
    context.close()
    # A form that is refused (400) is told to the console too; nothing else is.
    assert [fault for fault in faults if "400" not in fault] == []


def press(page: Page, *keys: str) -> None:
    for key in keys:
        page.keyboard.press(key)


def go(page: Page, key: str) -> None:
    """Press a key that leads to another page, and wait for that page."""
    with page.expect_navigation():
        page.keyboard.press(key)


def open_next(page: Page) -> None:
    go(page, "m")
    go(page, "n")


def answer(page: Page, letter: str) -> None:
    press(page, letter)
    go(page, "Enter")
    expect(page.locator("#judge")).to_be_visible()


def submit(page: Page, key: str = "Enter") -> None:
    go(page, key)
    expect(page.locator("#said")).to_contain_text("已")


def state(settings: Settings, one: Item) -> str:
    with Reader(settings.database) as reader:
        return next(i.state for i in reader.items() if i.id == one.id)


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    return settings_in(tmp_path)


def test_three_reviewers_judge_edit_disagree_and_settle_by_keyboard(browser: Browser, settings: Settings) -> None:
    one, other = fill(settings.database, [LONG, "第二题的题干是什么？"])
    with (
        served(settings) as links,
        at(browser, links["r1"]) as r1,
        at(browser, links["r2"]) as r2,
        at(browser, links["r3"]) as r3,
    ):
        open_next(r1)
        answer(r1, "b")
        press(r1, "y", "r", "e", "Control+End")
        r1.keyboard.type("（修订）")
        expect(r1.locator("#difference-stem ins")).to_have_text("（修订）")
        expect(r1.locator("input[value=modify]")).to_be_checked()
        press(r1, "Escape", "c")
        r1.keyboard.type("题干太长")
        press(r1, "Escape")
        submit(r1)
        for page, verdict in ((r2, "1"), (r3, "3")):
            open_next(page)
            answer(page, "a")
            press(page, "y", verdict)
            submit(page)
        assert state(settings, one) == "contested"
        for page in (r2, r3):
            go(page, "v")
            go(page, "n")
            expect(page.locator(".dispute ins")).to_have_text("（修订）")
            press(page, "1")
            submit(page)
        assert state(settings, one) == "accepted"
        for page, verdict in ((r1, "1"), (r2, "3")):
            open_next(page)
            answer(page, "b")
            press(page, verdict)
            submit(page)
        go(r1, "v")
        go(r1, "n")
        expect(r1.locator(".settle")).to_be_visible()
        submit(r1, "9")
        assert state(settings, other) == "rejected"
    with Reader(settings.database) as reader:
        events = history(reader, one.id).events
    first = next(e for e in events if e.kind == "verdict")
    assert (first.reviewer, first.verdict, first.comment, first.question_fits) == ("r1", "modify", "题干太长", "no")
    assert first.ms is not None
    assert first.ms > 0


def test_undo_brings_the_question_back_without_asking(browser: Browser, settings: Settings) -> None:
    one, _ = fill(settings.database, ["第一题？", "第二题？"])
    with served(settings) as links, at(browser, links["r1"]) as page:
        open_next(page)
        answer(page, "a")
        press(page, "3")
        submit(page)
        submit(page, "u")
        assert page.url.endswith(one.id)
        assert state(settings, one) == "new"


def test_no_key_fires_in_a_text_field_or_while_an_input_method_composes(browser: Browser, settings: Settings) -> None:
    [one] = fill(settings.database, ["题？"])
    with served(settings) as links, at(browser, links["r1"]) as page:
        open_next(page)
        answer(page, "a")
        press(page, "c")
        page.keyboard.type("1 n u ? 3")
        expect(page.locator("#comment")).to_have_value("1 n u ? 3")
        press(page, "Escape")
        for init in ("isComposing: true, key: '1'", "keyCode: 229, key: '1'", "isComposing: true, key: 'n'"):
            page.evaluate(f"document.body.dispatchEvent(new KeyboardEvent('keydown', {{bubbles: true, {init}}}))")
        page.evaluate(
            "document.body.dispatchEvent(new CompositionEvent('compositionend', {bubbles: true}));"
            "document.body.dispatchEvent(new KeyboardEvent('keydown', {bubbles: true, key: 'Enter', ctrlKey: true}))"
        )
        page.wait_for_timeout(200)
        expect(page.locator("input[name=verdict]:checked")).to_have_count(0)
        assert page.url.endswith(one.id)
        press(page, "1")
        expect(page.locator("input[value=keep]")).to_be_checked()
        page.locator("#comment").focus()
        submit(page, "Control+Enter")


def test_a_draft_outlives_leaving_the_page_and_goes_with_the_verdict(browser: Browser, settings: Settings) -> None:
    [one] = fill(settings.database, ["题？"])
    with served(settings) as links, at(browser, links["r1"]) as page:
        open_next(page)
        answer(page, "a")
        press(page, "2", "e")
        page.keyboard.type("改")
        press(page, "Escape")
        go(page, "o")
        page.goto(page.url.replace("/progress", f"/item/{one.id}"))
        expect(page.locator("#field-stem")).to_have_value("改题？")
        expect(page.locator("input[value=modify]")).to_be_checked()
        submit(page)
        assert page.evaluate("Object.keys(localStorage).length") == 0


def test_help_opens_and_closes_by_key_and_keys_rest_meanwhile(browser: Browser, settings: Settings) -> None:
    fill(settings.database, ["题？"])
    with served(settings) as links, at(browser, links["r1"]) as page:
        open_next(page)
        press(page, "?")
        expect(page.locator("#help")).to_be_visible()
        press(page, "b")
        press(page, "Escape")
        expect(page.locator("#help")).to_be_hidden()
        expect(page.locator("input[name=answer]:checked")).to_have_count(0)


def test_without_scripts_a_question_is_answered_edited_and_judged(browser: Browser, settings: Settings) -> None:
    [one] = fill(settings.database, ["题？"])
    with served(settings) as links, at(browser, links["r1"], scripts=False) as page:
        page.get_by_role("link", name="开始").click()
        page.locator("input[name=answer][value=B]").check()
        page.get_by_role("button", name="提交回答").click()
        page.locator("summary", has_text="修改文字").click()
        page.get_by_label("题干").fill("改过的题？")
        page.locator(".check input[value=yes]").first.check()
        page.locator("input[name=verdict][value=modify]").check()
        page.get_by_role("button", name="提交", exact=False).click()
        expect(page.locator("#said")).to_contain_text("已记下")
    assert state(settings, one) == "contested"


@pytest.mark.parametrize("width", [390, 1280])
def test_nothing_runs_over_the_side_of_the_screen(browser: Browser, settings: Settings, width: int) -> None:
    [one] = fill(settings.database, [LONG + "x" * 300])
    with served(settings) as links, at(browser, links["r1"]) as page:
        page.set_viewport_size({"width": width, "height": 800})
        open_next(page)
        answer(page, "a")
        press(page, "1")
        submit(page)
        for path in ("/mine", f"/item/{one.id}", "/contested", "/progress", "/agreement", f"/history/{one.id}"):
            page.goto("/".join(page.url.split("/")[:3]) + path)
            assert page.evaluate("document.documentElement.scrollWidth") <= width, path


def test_markup_in_a_question_runs_nowhere(browser: Browser, settings: Settings) -> None:
    hostile = "<script>document.title='bad'</script><img src=x onerror=\"document.title='bad'\">"
    [one] = fill(settings.database, [hostile])
    with served(settings) as links, at(browser, links["r1"]) as page:
        open_next(page)
        assert "<script>" in page.locator(".stem").inner_text()
        answer(page, "a")
        press(page, "e")
        page.keyboard.type("<b>改</b>")
        expect(page.locator("#difference-stem ins")).to_contain_text("b>改</b>")
        press(page, "Escape")
        submit(page)
        page.goto("/".join(page.url.split("/")[:3]) + f"/history/{one.id}")
        assert "bad" not in page.title()
        assert page.locator("main img, main script, .difference b").count() == 0
