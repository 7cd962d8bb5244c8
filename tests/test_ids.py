from hypothesis import given
from hypothesis import strategies as st

from psygen.ids import canonical_json, content_hash, item_id, rng


def test_equal_values_have_equal_hashes_whatever_their_order() -> None:
    assert content_hash({"a": 1, "b": [2]}) == content_hash({"b": [2], "a": 1})


def test_hashes_are_the_same_on_every_machine() -> None:
    assert content_hash(["心理", 1]) == "75bd0a366666b02bf80f3cac1a77ece1"
    assert item_id("0" * 32, 0) == "psy-e20de3aed2b1"


@given(st.text(max_size=20), st.integers(0, 99))
def test_item_ids_have_their_form(request_id: str, position: int) -> None:
    found = item_id(request_id, position)
    assert found.startswith("psy-")
    assert len(found) == 16
    assert set(found[4:]) <= set("0123456789abcdef")


def test_draws_for_one_purpose_never_shift_anothers() -> None:
    first = rng(1, "a").random()
    rng(1, "b").random()
    assert rng(1, "a").random() == first != rng(2, "a").random()


def test_json_keeps_chinese_and_sorts_keys() -> None:
    assert canonical_json({"乙": 1, "a": "甲"}) == '{"a":"甲","乙":1}'
