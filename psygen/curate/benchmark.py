"""From a stored split to a benchmark that may leave the house."""

from collections import Counter
from collections.abc import Mapping, Sequence

from psygen.curate.choice import chosen_engines, chosen_states
from psygen.curate.split import stored_split
from psygen.errors import InputError
from psygen.files.concepts import load_subjects
from psygen.ids import text_hash
from psygen.records.benchmark import SPLITS, Benchmark, Question
from psygen.records.concept import Subject
from psygen.settings import ReviewerSettings, Settings
from psygen.store.splits import Placed, SplitReader, StoredSplit


def load_benchmark(
    settings: Settings,
    *,
    split: str = "main",
    states: Sequence[str] = (),
    engines: Sequence[str] = (),
    subjects: Sequence[str] = (),
) -> Benchmark:
    """The questions of a split that may leave, sorted by split, subject, chapter, concept order and id.

    states, engines: as for `psygen split` (`any` among them); without one those the split was made with.
    subjects: slugs; all when empty. Reserved questions are left out, whatever is asked for; so are questions that were
    rejected, or failed, or whose concept changed, since they were placed.
    Raises InputError for an unknown split, and when no question fits.
    """
    stored = stored_split(settings, split)
    known = load_subjects(settings.concept_folders)
    with SplitReader(settings.database) as reader:
        may_states = chosen_states(states) if states else stored.policy.states
        may_engines = chosen_engines(reader, engines) if engines else stored.policy.engines
        placed = [
            p
            for p in reader.placed(split)
            if p.part in SPLITS
            and p.item.state in may_states
            and p.item.engine in may_engines
            and (not subjects or p.item.subject in subjects)
        ]
        project = reader.project()
    if not placed:
        raise InputError(
            f'No question of split "{split}" may leave: none is {" or ".join(may_states)} '
            f"of engine {', '.join(may_engines) or 'none'}. Name others with --state or --engine."
        )
    used = _used_subjects(placed, known)
    return Benchmark(
        name=split,
        lang=stored.policy.lang,
        subjects=used,
        questions=_sorted(placed, used),
        canary=f"psygen canary {text_hash(f'{project}/{split}')}",
        facts=_facts(stored, placed, settings.reviewers),
    )


def _used_subjects(placed: Sequence[Placed], known: Sequence[Subject]) -> tuple[Subject, ...]:
    slugs = {p.item.subject for p in placed}
    if missing := slugs - {s.slug for s in known}:
        raise InputError(
            f"The split has questions of subject {', '.join(sorted(missing))}, which concepts/subjects.toml does not "
            "name; put it back there, or choose others with --subject."
        )
    return tuple(s for s in known if s.slug in slugs)


def _sorted(placed: Sequence[Placed], subjects: Sequence[Subject]) -> list[Question]:
    subject_order = {s.slug: n for n, s in enumerate(subjects)}
    chapter_order = {(s.slug, c.slug): n for s in subjects for n, c in enumerate(s.chapters)}

    def order(p: Placed) -> tuple[int, int, int, int, str]:
        # A question that came from outside may belong to no chapter of ours; it stands after the others.
        chapter = chapter_order.get((p.item.subject, p.item.chapter), len(chapter_order))
        return SPLITS.index(p.part), subject_order[p.item.subject], chapter, p.rank, p.item.id

    return [_question(p) for p in sorted(placed, key=order)]


def _question(placed: Placed) -> Question:
    item = placed.item
    return Question(
        id=item.id,
        split=placed.part,
        subject=item.subject,
        chapter=item.chapter,
        concept_id=item.concept_id,
        concept=placed.concept,
        concept_order=placed.rank,
        headings=item.headings,
        prompt_type=item.prompt_type,
        kind=item.kind,
        level=item.level,
        form=item.form,
        lang=item.lang,
        stem=item.stem,
        options=item.options,
        key=item.key,
        explanation=item.explanation,
        state=item.state,
        flags=item.flags,
        engine=item.engine,
        model=item.model,
        request_id=item.request_id,
        revision=placed.revision,
    )


def _facts(
    stored: StoredSplit, placed: Sequence[Placed], reviewers: Sequence[ReviewerSettings]
) -> Mapping[str, object]:
    """What cards and the manifest say about where the questions come from; plain JSON, no time and no names."""

    def counted(values: Sequence[str]) -> dict[str, int]:
        return dict(sorted(Counter(values).items()))

    return {
        "split": stored.policy.model_dump(mode="json"),
        "states": counted([p.item.state for p in placed]),
        "engines": counted([p.item.engine for p in placed]),
        "models": counted([p.item.model for p in placed]),
        "reviewers": counted([_as_reader_knows(r) for r in reviewers]),
    }


def _as_reader_knows(reviewer: ReviewerSettings) -> str:
    """A reviewer by role and years of practice, without a name."""
    role = reviewer.role or "reviewer"
    return role if reviewer.years is None else f"{role}, {reviewer.years} years"
