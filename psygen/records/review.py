"""What reviewers say, as it is kept: events that never change, wordings they speak of, the policy they fall under.

An item's state is nowhere in here: it follows from its events and the policy (psygen.curate.states).
"""

from typing import Annotated, Literal, NamedTuple, Self, get_args

from pydantic import AfterValidator, Field, model_validator

from psygen.ids import content_hash
from psygen.records.concept import Record
from psygen.records.item import LETTERS, Item
from psygen.settings import Settings

Verdict = Literal["keep", "modify", "delete", "skip"]
Check = Literal["yes", "no", "unsure", ""]
EventKind = Literal["answer", "verdict", "edit", "comment", "undo", "settle"]
Via = Literal["web", "sheet", "cli"]
Merge = Literal["", "clean", "merged", "conflict"]
VERDICTS: tuple[Verdict, ...] = get_args(Verdict)
CHECK_VALUES = ("yes", "no", "unsure")
CHECKS = ("concept_sound", "question_sound", "question_fits", "options_fit")
REASONS_ZH = {
    "unclear_stem": "题干不清",
    "unclear_options": "选项不清",
    "wrong_key": "答案错误",
    "no_right": "无正确项",
    "two_right": "不止一个正确项",
    "off_concept": "不切合知识点",
    "fact_error": "事实错误",
    "too_easy": "过易或有提示",
    "language": "语言",
    "duplicate": "重复",
    "other": "其他",
}
VERDICTS_ZH = {"keep": "保留", "modify": "修改", "delete": "删除", "skip": "跳过"}
CHECKS_ZH = {"yes": "是", "no": "否", "unsure": "不确定"}
REASONS = tuple(REASONS_ZH)
REVIEWER_ID = r"^[A-Za-z0-9][A-Za-z0-9_-]{0,31}$"
"""Ids stand in file names and addresses."""


class Wording(Record):
    """What a reviewer approves or changes: the text of an item without anything about it."""

    stem: str = Field(min_length=1)
    options: tuple[str, ...] = Field(min_length=1)
    key: Annotated[tuple[int, ...], AfterValidator(lambda k: tuple(sorted(set(k))))]
    """Positions of the right options, from 0, ascending."""
    explanation: str = ""

    @classmethod
    def of(cls, item: Item) -> "Wording":
        """The wording of an item as it stands."""
        return cls.model_construct(stem=item.stem, options=item.options, key=item.key, explanation=item.explanation)

    @property
    def revision(self) -> str:
        """The same hash as Item.revision."""
        return content_hash([self.stem, self.options, self.key, self.explanation], 16)

    @property
    def key_letters(self) -> str:
        """The key as letters of the options as shown."""
        return "".join(LETTERS[k] for k in self.key)

    def fields(self) -> dict[str, str]:
        """The wording field by field, as sheets and differences name them: stem, a, b, c, d, key, explanation."""
        options = {LETTERS[n].lower(): text for n, text in enumerate(self.options)}
        return {"stem": self.stem, **options, "key": self.key_letters, "explanation": self.explanation}


class Revision(NamedTuple):
    """A wording an item has or was proposed to have."""

    item_id: str
    revision: str
    number: int
    """1 for the original, then as they came."""
    parent: str
    """The revision it was made from; empty for the original."""
    wording: Wording
    author: str
    """The reviewer; for the original the engine and model."""
    at: str


class Event(Record):
    """One thing a reviewer did to one revision of one item. What was stored is never changed."""

    seq: int = 0
    """Place in the log, from 1; 0 before it is stored."""
    at: str = ""
    """UTC, ISO 8601 with seconds; empty before it is stored."""
    reviewer: str = Field(pattern=REVIEWER_ID)
    via: Via
    source: str = ""
    """Hash of the sheet's file; empty otherwise."""
    item_id: str
    revision: str
    """The revision the reviewer had before them."""
    kind: EventKind
    verdict: Verdict | Literal[""] = ""
    concept_sound: Check = ""
    question_sound: Check = ""
    question_fits: Check = ""
    options_fit: Check = ""
    reason: str = ""
    """One of REASONS, or empty."""
    blind_answer: str = Field(default="", pattern=r"^[A-Z]?$")
    """The letter chosen before key and concept were seen."""
    comment: str = ""
    ms: int | None = Field(default=None, ge=0)
    """Milliseconds the item was on the screen, as far as known."""
    proposal: str = ""
    """Revision hash of the text exactly as the reviewer wrote it; empty without an edit."""
    edit: str = ""
    """The revision that came of it: the proposal itself (clean, conflict), or its merge with what others changed."""
    merge: Merge = ""
    clash: tuple[str, ...] = ()
    """Fields that both this edit and an earlier one changed; only with `conflict`."""
    undoes: int = 0
    """Of an `undo`: the event it takes back."""

    @model_validator(mode="after")
    def _is_whole(self) -> Self:
        if (self.kind in ("verdict", "settle")) != bool(self.verdict):
            raise ValueError("a verdict belongs to the kinds verdict and settle, and to them only")
        if self.kind == "settle" and self.verdict not in ("keep", "delete"):
            raise ValueError("a contested item is settled with keep or delete")
        if self.kind == "answer" and not self.blind_answer:
            raise ValueError("an answer needs its letter")
        if self.reason and self.reason not in REASONS:
            raise ValueError(f"reasons are {', '.join(REASONS)}")
        if (self.kind == "undo") != bool(self.undoes):
            raise ValueError("an undo names the event it takes back")
        return self

    @property
    def checks(self) -> dict[str, Check]:
        """The four checks by name."""
        return {
            "concept_sound": self.concept_sound,
            "question_sound": self.question_sound,
            "question_fits": self.question_fits,
            "options_fit": self.options_fit,
        }

    @property
    def said(self) -> str:
        """Hash of who said what about which revision, whenever and by whatever way: equal rows say nothing new."""
        return content_hash(
            [
                self.reviewer, self.item_id, self.revision, self.kind, self.verdict, list(self.checks.values()),
                self.reason, self.blind_answer, self.comment, self.proposal,
            ],
            16,
        )  # fmt: skip


class Reviewer(Record):
    """A person who judges; role and years go into the data card."""

    id: str = Field(pattern=REVIEWER_ID)
    name: str = ""
    role: str = ""
    years: int | None = Field(default=None, ge=0)
    """Years of practice."""
    adjudicator: bool = False


class Policy(Record):
    """When an item is accepted, rejected or contested. Changing it and replaying the events costs nothing."""

    min_reviews: int = Field(default=3, ge=1)
    """Reviewers who must keep an undisputed original."""
    modify_needs: int = Field(default=3, ge=2)
    """Approvals of the same revision that a modified or disputed item needs; never a single person's."""
    delete_needs: int = Field(default=2, ge=1)
    """Deletes that reject."""
    overlap: float = Field(default=1.0, ge=0, le=1)
    """Share of a batch that every reviewer gets, when fewer reviews than reviewers are asked for."""
    adjudicator: str = ""
    """Id of the one who may settle contested items; empty: nobody, only consensus does."""
    blind: bool = True
    """Whether reviewers answer before they see key and concept."""


def policy_of(settings: Settings) -> Policy:
    """The policy of a workspace."""
    return Policy.model_validate(settings.review.model_dump(exclude={"reviewers"}))


def reviewers_of(settings: Settings) -> tuple[Reviewer, ...]:
    """Those who get batches: the [[reviewers]] of psygen.toml, or r1, r2, … when only their number is given."""
    given = settings.reviewers
    chair = settings.review.adjudicator
    if given:
        return tuple(Reviewer(**r.model_dump(), adjudicator=r.id == chair) for r in given)
    return tuple(Reviewer(id=f"r{n}", adjudicator=f"r{n}" == chair) for n in range(1, settings.review.reviewers + 1))


def people_of(settings: Settings) -> tuple[Reviewer, ...]:
    """The reviewers, and the adjudicator as the last one when that is somebody else."""
    reviewers = reviewers_of(settings)
    chair = settings.review.adjudicator
    if chair and all(r.id != chair for r in reviewers):
        return (*reviewers, Reviewer(id=chair, adjudicator=True))
    return reviewers
