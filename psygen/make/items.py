"""From a stored reply to items: read, check, arrange. Pure: the same reply always gives the same items."""

from typing import NamedTuple

from psygen.checks.item import Shown, hard_fault, soft_flags
from psygen.checks.options import are_numeric, arrange, key_place
from psygen.ids import item_id
from psygen.records.concept import Concept, PromptType
from psygen.records.exchange import Profile, Usage
from psygen.records.item import Draft, Item, Kind
from psygen.replies.envelope import Envelope, read_envelope
from psygen.replies.read import read_reply
from psygen.text import letters_only

CASE_LENGTH = 80
"""A mixed question that does not say its kind counts as a case from this many characters on."""


class Task(NamedTuple):
    """What is known of the unit before its reply is read."""

    unit_id: str
    concept: Concept
    prompt_type: PromptType
    profile: Profile
    request_id: str
    seed: int
    wanted: int
    """How many more usable items the unit takes."""
    next_ordinal: int
    turn: int
    """Number of the unit among those of its subject and type; with the ordinal it decides where the key stands."""
    held: tuple[str, ...] = ()
    """Stems of the unit's usable items."""


class Made(NamedTuple):
    """Items of one reply, in its order, and what the reply was worth in a word or code."""

    items: tuple[Item, ...]
    usable: int
    outcome: str
    """`ok`, `short`, or the code of what was wrong with the reply."""
    detail: str = ""
    usage: Usage = Usage()
    model: str = ""
    """The model that answered, as the reply says."""


def make_items(raw: bytes, task: Task) -> Made:
    """The items of a reply. Faulty ones are `invalid` and kept; usable ones beyond `wanted` stay in the raw reply."""
    envelope = _envelope(raw, task.profile)
    reading = read_reply(envelope.text, is_complete=envelope.is_complete)
    stems = {letters_only(stem) for stem in task.held}
    items: list[Item] = []
    usable = 0
    for position, draft in enumerate(reading.drafts):
        code = hard_fault(draft, lang=task.profile.lang, stems=stems)
        if not code and usable == task.wanted:
            continue
        kind = _kind(draft, task.prompt_type)
        siblings = sum(i.kind == kind and i.state != "invalid" for i in items)
        item = _item(draft, position, task, code, kind, task.next_ordinal + siblings)
        items.append(item)
        if not code:
            usable += 1
            stems.add(letters_only(item.stem))
    outcome = "ok" if usable == task.wanted else envelope.problem or reading.problem or "short"
    detail = envelope.detail or reading.detail
    return Made(tuple(items), usable, outcome, detail, envelope.usage, envelope.model)


def _envelope(raw: bytes, profile: Profile) -> Envelope:
    """What stands around the text; the offline engine's replies are nothing but text."""
    if profile.engine == "offline":
        return Envelope(raw.decode("utf-8", "replace"), True, model=profile.model)
    return read_envelope(raw)


def _item(draft: Draft, position: int, task: Task, code: str, kind: Kind, ordinal: int) -> Item:
    concept, profile = task.concept, task.profile
    item_id_ = item_id(task.request_id, position)
    shown, flags = (_shown(draft, task, kind, ordinal, item_id_)) if not code else (draft, ())
    return Item(
        id=item_id_,
        concept_id=concept.id,
        subject=concept.subject,
        chapter=concept.chapter,
        headings=tuple(h for h in (concept.heading, concept.subheading) if h),
        prompt_type=task.prompt_type,
        kind=kind,
        level=draft.level,
        lang=profile.lang,
        stem=draft.stem,
        options=shown.options,
        key=shown.key,
        explanation=shown.explanation,
        labels={"chapter": (concept.subject, concept.chapter)},
        state="invalid" if code else "new",
        flags=flags,
        reject_code=code,
        repairs=draft.repairs,
        engine=profile.engine,
        model=profile.model,
        request_id=task.request_id,
        position=position,
    )


def _shown(draft: Draft, task: Task, kind: Kind, ordinal: int, purpose: str) -> tuple[Shown, tuple[str, ...]]:
    """The question with its options in the order they are shown, and its flags."""
    group = f"{task.concept.subject}/{task.prompt_type}/{kind}"
    place = key_place(task.seed, group, task.turn, ordinal, len(draft.options))
    found = arrange(draft.options, draft.key, draft.explanation, seed=task.seed, purpose=purpose, place=place)
    shown = Shown(draft.stem, found.options, found.key, found.explanation, kind, task.profile.lang)
    flags = soft_flags(shown, concept=task.concept.concept, synonyms=task.concept.synonyms)
    return shown, tuple(sorted({*flags, found.flag})) if found.flag else flags


def _kind(draft: Draft, prompt_type: PromptType) -> Kind:
    if prompt_type != "mixed":
        return prompt_type
    if draft.kind is not None:
        return draft.kind
    if draft.options and are_numeric(draft.options):
        return "calculation"
    return "case_study" if len(draft.stem) >= CASE_LENGTH else "theory"


def short_reason(kept: int, asked: int, prompt_type: PromptType) -> str:
    """Why the offline engine stopped before `asked`, for the unit's record."""
    cause = {
        "theory": "no further defining sentence with three distractors of the same kind",
        "case_study": "no further situation with three distractors of the same kind",
        "calculation": "no further family of problems for this concept",
        "mixed": "no further question of any kind",
    }[prompt_type]
    return f"{kept} of {asked}: {cause}"
