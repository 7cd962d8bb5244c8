"""A report in words: lines for a terminal, Markdown for a file, JSON for a program."""

from typing import Any

from psygen.make.report import ENDINGS, Report, report_of
from psygen.records.exchange import Profile
from psygen.reports.tables import Cell, Table, as_markdown, show_number, usd
from psygen.settings import Settings
from psygen.store.report_queries import Money, RunRow


def short_report(settings: Settings, profile: Profile | None = None, run: int | None = None) -> list[str]:
    """The last lines of a run: units, questions, money, time, reasons and the next command. Quick at any size."""
    chosen = "" if run is None else str(run)
    report = report_of(settings, run=chosen, profile=profile.id if profile else "", with_chapters=False)
    return [*headline(report), *reasons(report, most=5), f"Next: {report.next}"]


def headline(report: Report) -> list[str]:
    """Units, questions, money, tokens and time, a line each."""
    units, calls = report.units, report.calls
    missing = f", {report.short:,} short of what was asked for" if report.short else ""
    lines = [
        f"Units: {sum(units.values()):,} planned, {units['done']:,} done, {units['partial']:,} partial, "
        f"{units['parked']:,} parked, {units['pending']:,} pending.",
        f"Questions: {report.questions:,} usable, {report.accepted:,} accepted{missing}.",
        f"Money{' of this run' if report.is_one_run else ''}: {money_text(calls.money)}",
    ]
    if calls.money.certain and calls.money.known is not None:
        lines.append(f"  {_per(report)}.")
    lines.append(
        f"Calls: {calls.sent:,} sent, {calls.received:,} received, {calls.failed:,} failed, {calls.in_doubt:,} in doubt"
        + (f", {calls.in_flight:,} in flight" if calls.in_flight else "")
        + f". Tokens: {calls.input_tokens:,} in, {calls.output_tokens:,} out."
    )
    return [*lines, _time_text(report)]


def money_text(money: Money) -> str:
    """Certain, possible and unknown money, each said as what it is."""
    if money.unpriced:
        text = f"unknown for {money.unpriced:,} answered calls"
        text += f", {usd(money.certain)} for the others." if money.certain else "."
    else:
        text = f"{usd(money.certain)} certain."
    if money.possible:
        text += f" At most {usd(money.possible)} more is possibly billed (calls in doubt)."
    if money.possible_unpriced:
        text += f" {money.possible_unpriced:,} calls in doubt are possibly billed at an unknown price."
    return text


def reasons(report: Report, *, most: int) -> list[str]:
    """Why units were given up or are short, at most so many reasons, each with what it means."""
    if not report.why:
        return []
    lines = ["Given up or short:"]
    told = {""}
    for why in report.why[:most]:
        lines.append(f"  {why.units:>5,}  {why.reason}" + ("  (parked)" if why.state == "parked" else ""))
        if why.meaning not in told:
            lines.append(f"         {why.meaning}")
        told.add(why.meaning)
    if len(report.why) > most:
        lines.append(f"  and {len(report.why) - most:,} reasons more: psygen report")
    return lines


def tables(report: Report) -> list[Table]:
    """Errors of calls, then the chapters with their money."""
    found = []
    if report.errors:
        rows: list[list[Cell]] = [[e.code, e.calls, e.example] for e in report.errors]
        found.append(Table("Calls without an answer", ["code", "calls", "for example"], rows))
    if report.chapters:
        columns = [
            "subject",
            "chapter",
            "units",
            "done",
            "parked",
            "questions",
            "accepted",
            "short",
            "certain",
            "possible",
        ]
        chapter_rows: list[list[Cell]] = [
            [
                c.subject_zh,
                c.chapter_zh,
                c.units,
                c.done,
                c.parked,
                c.questions,
                c.accepted,
                c.short,
                usd(c.calls.money.known),
                usd(c.calls.money.doubt),
            ]
            for c in report.chapters
        ]
        found.append(Table("Chapters", columns, chapter_rows))
    return found


def title(report: Report) -> str:
    """Which profile and which runs."""
    first, last = report.runs[0], report.runs[-1]
    if report.is_one_run:
        return f"Run {last.id} of {report.profile}, begun {last.started_at}, {_ending(last)}"
    runs = "1 run" if len(report.runs) == 1 else f"{len(report.runs):,} runs"
    return f"{report.profile} (engine/model/language), {runs} since {first.started_at}; the last {_ending(last)}"


def as_md(report: Report) -> str:
    """The whole report as Markdown."""
    parts = [f"# Report: {title(report)}", "\n".join(f"- {line.strip()}" for line in headline(report))]
    if report.why:
        rows: list[list[Cell]] = [[w.units, w.state, w.reason, w.meaning] for w in report.why]
        parts += ["## Given up or short", as_markdown(Table("", ["units", "state", "reason", "what it means"], rows))]
    for table in tables(report):
        parts += [f"## {table.title}", as_markdown(table)]
    return "\n\n".join(part.strip() for part in [*parts, f"Next: {report.next}"]) + "\n"


def as_json(report: Report) -> dict[str, Any]:
    """The whole report; money in USD, null where it is unknown."""
    calls = report.calls
    return {
        "profile": report.profile,
        "runs": [
            {"run": r.id, "started_at": r.started_at, "ended_at": r.ended_at or None, "exit_code": r.exit_code}
            for r in report.runs
        ],
        "units": {"planned": sum(report.units.values()), **report.units, "open": report.open},
        "questions": {
            "asked": report.asked,
            "usable": report.questions,
            "accepted": report.accepted,
            "short": report.short,
        },
        "money": _money_json(calls.money)
        | {
            "usd_per_unit": _in_usd(report.money_per(report.finished)),
            "usd_per_usable": _in_usd(report.money_per(_usable(report))),
            "usd_per_accepted": _in_usd(report.money_per(report.accepted)) if not report.is_one_run else None,
        },
        "calls": {
            "sent": calls.sent,
            "received": calls.received,
            "failed": calls.failed,
            "in_doubt": calls.in_doubt,
            "in_flight": calls.in_flight,
        },
        "tokens": {"input": calls.input_tokens, "output": calls.output_tokens},
        "time": {"seconds": report.elapsed_s, "finished": report.finished, "units_per_hour": report.per_hour},
        "reasons": [w._asdict() for w in report.why],
        "errors": [e._asdict() for e in report.errors],
        "chapters": [
            {k: v for k, v in c._asdict().items() if k not in ("calls", "subject_zh", "chapter_zh")}
            | {"money": _money_json(c.calls.money)}
            for c in report.chapters
        ],
        "next": report.next,
    }


def _money_json(money: Money) -> dict[str, Any]:
    return {
        "certain_usd": _in_usd(money.known),
        "possible_usd": _in_usd(money.doubt),
        "unpriced_calls": money.unpriced,
        "unpriced_in_doubt": money.possible_unpriced,
    }


def _in_usd(micro: float | None) -> float | None:
    return None if micro is None else micro / 1e6


def _usable(report: Report) -> int | None:
    return report.made if report.is_one_run else report.questions


def _per(report: Report) -> str:
    """The certain cost per unit and per question; what one run's questions became later is not its doing."""
    shares = {"unit": report.finished, "usable question": _usable(report)}
    if not report.is_one_run:
        shares["accepted question"] = report.accepted
    texts = []
    for what, count in shares.items():
        share = report.money_per(count)
        texts.append(f"{'–' if share is None else usd(round(share))} a{'n' if what[0] in 'a' else ''} {what}")
    return ", ".join(texts)


def _time_text(report: Report) -> str:
    seconds = report.elapsed_s
    spent = (
        f"{seconds:,.0f} s"
        if seconds < 180
        else f"{seconds / 60:,.0f} min"
        if seconds < 5400
        else f"{seconds / 3600:,.1f} h"
    )
    rate = report.per_hour
    return f"Time: {spent}" + ("." if rate is None else f", {show_number(round(rate))} units an hour.")


def _ending(run: RunRow) -> str:
    if run.exit_code is None:
        return "runs still, or was killed"
    return ENDINGS.get(run.exit_code, f"ended with exit code {run.exit_code}")
