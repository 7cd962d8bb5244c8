"""Papers to print: for each split and subject one HTML page with the questions and one with the key.

A page is one file without script, font or picture from elsewhere. Formulas are MathML; what cannot be converted stands
as it was written. Printed on A4 with 2 cm margins; no question is cut in two unless it is longer than a page.
"""

import re
from collections.abc import Iterable, Iterator
from html import escape
from itertools import groupby
from typing import NamedTuple

from psygen.files.exports.folder import ExportFolder
from psygen.files.exports.names import safe_name
from psygen.files.exports.options import ExportOptions
from psygen.files.exports.rows import Names, letters
from psygen.files.exports.tables import by_file
from psygen.formulas import lines
from psygen.records.benchmark import Benchmark, Question
from psygen.records.item import LETTERS

SHORT_OPTION, MIDDLE_OPTION = 8, 20
"""Characters of the longest option up to which four, or two, options stand on a line."""
_COMMAND = re.compile(r"\\[A-Za-z]+|[${}]")
"""What of a formula's source takes no room on paper."""


class Page(NamedTuple):
    """What stands at a page's head."""

    title: str
    note: str
    lang: str
    canary: str


def write(benchmark: Benchmark, folder: ExportFolder, options: ExportOptions) -> None:
    """Write `print/SPLIT/SUBJECT-paper.html` and `-key.html`; no key where answers are hidden."""
    names = Names(benchmark)
    for split, subject, group in by_file(benchmark.questions):
        questions = list(group)
        name = f"print/{split}/{safe_name(subject)}"
        head = names.subject_zh(subject) if benchmark.lang == "zh" else names.subject_en(subject)
        words = _words(benchmark.lang)
        note = words.note.format(count=len(questions), split=split, name=benchmark.name)
        with folder.open_text(f"{name}-paper.html") as file:
            file.writelines(_page(Page(head, note, benchmark.lang, benchmark.canary), _paper(questions, names)))
        if split not in options.hide_answers:
            with folder.open_text(f"{name}-key.html") as file:
                page = Page(f"{head} {words.key}", note, benchmark.lang, benchmark.canary)
                file.writelines(_page(page, _key(questions)))


class _Words(NamedTuple):
    note: str
    key: str
    several: str


def _words(lang: str) -> _Words:
    if lang == "zh":
        note = "共 {count} 题。单项选择题只有一个正确答案；标明“多选”的题有多个。（{name}，{split}）"
        return _Words(note, "答案与解析", "（多选）")
    note = "{count} questions; one right answer each, several where it says so. ({name}, {split})"
    return _Words(note, "Key", "(Several answers.) ")


def _page(page: Page, body: Iterable[str]) -> Iterator[str]:
    lang = "zh-CN" if page.lang == "zh" else escape(page.lang)
    yield f'<!DOCTYPE html>\n<html lang="{lang}">\n<head>\n<meta charset="utf-8">\n'
    yield f"<title>{escape(page.title)}</title>\n<style>\n{STYLE}</style>\n</head>\n<body>\n"
    yield f"<h1>{escape(page.title)}</h1>\n<p class=note>{escape(page.note)}</p>\n"
    yield from body
    yield f"<footer>{escape(page.canary)}</footer>\n</body>\n</html>\n"


def _paper(questions: Iterable[Question], names: Names) -> Iterator[str]:
    """Questions by chapter, numbered through."""
    number = 0
    for (subject, chapter), group in groupby(questions, key=lambda q: (q.subject, q.chapter)):
        if chapter:
            zh, en = names.chapter_zh(subject, chapter), names.chapter_en(subject, chapter)
            yield f"<h2>{escape(zh)} <small>{escape(en)}</small></h2>\n"
        for question in group:
            number += 1
            yield _question(number, question)


def _question(number: int, question: Question) -> str:
    longest = max((len(_COMMAND.sub("", option)) for option in question.options), default=0)
    shape = "four" if longest <= SHORT_OPTION else "two" if longest <= MIDDLE_OPTION else "one"
    mark = f"<b>{_words(question.lang).several}</b>" if question.form == "multiple" else ""
    options = "".join(
        f"<li><span>{LETTERS[n]}.</span> <span>{lines(text)}</span></li>\n" for n, text in enumerate(question.options)
    )
    return (
        f"<section><p><span class=n>{number}.</span>{mark}{lines(question.stem)}</p>\n"
        f"<ul class={shape}>\n{options}</ul></section>\n"
    )


def _key(questions: Iterable[Question]) -> Iterator[str]:
    """Number, letters, explanation, and the id that finds the question again."""
    yield "<table>\n"
    for number, question in enumerate(questions, 1):
        yield (
            f"<tr><td class=n>{number}</td><td class=k>{letters(question) or '–'}</td>"
            f"<td>{lines(question.explanation)}</td><td class=i>{escape(question.id)}</td></tr>\n"
        )
    yield "</table>\n"


STYLE = """\
@page { size: A4; margin: 2cm; }
body { font: 11pt/1.7 "Noto Serif CJK SC", "Source Han Serif SC", "Songti SC", SimSun, serif; max-width: 46em;
  margin: 2em auto; padding: 0 1em; color: #111; line-break: strict; text-autospace: normal; }
h1 { font-size: 1.6em; text-align: center; margin: 0 0 .3em; }
h2 { font-size: 1.15em; border-bottom: 1px solid #999; margin: 1.6em 0 .6em; break-after: avoid; }
h2 small { font-weight: normal; color: #666; font-size: .75em; }
.note { text-align: center; color: #444; font-size: .9em; }
section { break-inside: avoid; margin: 0 0 1em; }
section p { margin: 0 0 .25em; padding-left: 2.4em; text-indent: -2.4em; text-align: justify; overflow-wrap: anywhere; }
section p .n { display: inline-block; width: 2.4em; text-indent: 0; font-weight: bold; }
ul { list-style: none; margin: 0; padding: 0 0 0 2.4em; display: grid; gap: .1em 1em; }
ul.four { grid-template-columns: repeat(4, 1fr); }
ul.two { grid-template-columns: repeat(2, 1fr); }
math { math-style: normal; }
li { display: flex; gap: .4em; overflow-wrap: anywhere; min-width: 0; }
li span:first-child { flex: none; }
table { border-collapse: collapse; width: 100%; font-size: .92em; }
td { border-bottom: 1px solid #ccc; padding: .25em .5em; vertical-align: top; overflow-wrap: anywhere; }
tr { break-inside: avoid; }
td.n { text-align: right; width: 2.5em; } td.k { font-weight: bold; width: 3em; }
td.i { font-family: monospace; font-size: .8em; color: #666; white-space: nowrap; }
footer { margin-top: 2em; color: #888; font-size: .75em; text-align: center; overflow-wrap: anywhere; }
@media print { body { margin: 0; padding: 0; max-width: none; } }
"""
