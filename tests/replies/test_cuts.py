"""Replies cut anywhere: what is kept is whole, and no question is ever damaged."""

import random
from collections.abc import Callable, Sequence

import pytest

from psygen.replies.read import read_reply
from tests.replies.layouts import ENGLISH, FOUR, TEXTS, Q, as_json, meant, plain, read


def usable(text: str | bytes, *, is_complete: bool) -> list[tuple[object, ...]]:
    return read([d for d in read_reply(text, is_complete=is_complete).drafts if not d.fault])


@pytest.mark.parametrize("is_complete", [True, False])
@pytest.mark.parametrize("indent", [None, 2], ids=["compact", "pretty"])
def test_json_cut_at_every_byte_keeps_whole_questions_only(indent: int | None, is_complete: bool) -> None:
    raw = ("```json\n" + as_json(FOUR, indent) + "\n```").encode()
    kept = [usable(raw[:cut], is_complete=is_complete) for cut in range(len(raw) + 1)]
    assert all(k == meant(FOUR)[: len(k)] for k in kept)
    assert [len(k) for k in kept] == sorted(len(k) for k in kept)
    assert len(kept[-1]) == 4


@pytest.mark.parametrize("layout", TEXTS.values(), ids=TEXTS)
@pytest.mark.parametrize("questions", [FOUR, ENGLISH], ids=["zh", "en"])
def test_text_cut_at_every_byte_keeps_whole_questions_only(
    layout: Callable[[Sequence[Q]], str], questions: Sequence[Q]
) -> None:
    text = layout(questions)
    ends = [len(text[:n].encode()) for n in range(len(text) + 1)]
    for cut in ends:  # cuts inside a character only add U+FFFD, see below
        kept = usable(text.encode()[:cut], is_complete=False)
        assert kept == meant(questions)[: len(kept)], text[: ends.index(cut)][-60:]


def test_text_cut_inside_a_character_keeps_whole_questions_only() -> None:
    raw = plain(FOUR).encode()
    for cut in range(len(raw)):
        kept = usable(raw[:cut], is_complete=False)
        assert kept == meant(FOUR)[: len(kept)]


@pytest.mark.parametrize("layout", TEXTS.values(), ids=TEXTS)
def test_a_reply_said_to_be_complete_is_still_kept_only_where_it_reads_finished(
    layout: Callable[[Sequence[Q]], str],
) -> None:
    """A cut at the end of a sentence or behind a bare answer is all that can deceive."""
    text = layout(FOUR)
    for cut in range(0, len(text), 3):
        kept = usable(text[:cut], is_complete=True)
        if kept != meant(FOUR)[: len(kept)]:
            stem, options, key, explanation = kept[-1]
            whole = meant(FOUR)[len(kept) - 1]
            assert (stem, options, key) == whole[:3]
            assert str(whole[3]).startswith(str(explanation))
            assert str(explanation)[-1:] in ("", *"。.）$”")


@pytest.mark.parametrize("seed", range(60))
def test_pieces_put_together_at_random_never_make_a_question_that_nobody_wrote(seed: int) -> None:
    chance = random.Random(seed)
    whole = as_json(FOUR, chance.choice([None, 2]))
    a, b = sorted(chance.sample(range(len(whole)), 2))
    spliced = chance.choice([whole[:a] + whole[b:], whole[:b] + whole[a:], whole[a:] + whole[:b]])
    kept = [k for k in usable(spliced, is_complete=True) if k not in meant(FOUR)]
    # A piece cut out of the middle may leave valid JSON, and nothing shows that; at least two parts are real.
    parts = [str(p) for q in meant(FOUR) for p in q]
    assert all(sum(str(p) in parts for p in k) >= 2 for k in kept)
