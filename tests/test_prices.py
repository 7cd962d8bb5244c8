"""What tokens cost: the package's table, the user's own prices, and the arithmetic."""

from hypothesis import given
from hypothesis import strategies as st

from psygen.prices import Price, input_bound, packaged_prices, price_of
from psygen.records.exchange import Usage
from psygen.settings import PriceSettings

OPENAI = "https://api.openai.com/v1"


def test_every_packaged_price_has_a_date_and_a_source() -> None:
    for row in packaged_prices():
        assert row["date"] >= "2026"
        assert row["source"]
        assert 0 < row["cached_input"] < row["input"] < row["output"]


def test_cached_tokens_are_a_part_of_the_input_and_cost_less() -> None:
    price = Price("m", input=2.5, output=15.0, cached_input=0.25)
    assert price.cost(Usage(input=1000, cached=400, output=200)) == 600 * 2.5 + 400 * 0.25 + 200 * 15
    assert price.cost(Usage(input=1000, output=200)) == 1000 * 2.5 + 200 * 15


def test_a_batch_pays_its_share_and_fractions_are_rounded_up() -> None:
    price = Price("m", input=0.2, output=1.25, batch=0.5)
    assert price.cost(Usage(input=1, output=0)) == 1
    assert price.cost(Usage(input=1000, output=1000), batch=True) == 725


def test_what_the_server_does_not_say_is_unknown_not_nothing() -> None:
    assert Price("m", 1, 1).cost(Usage(input=5)) is None
    assert price_of("gpt-unheard-of", OPENAI, {}) is None
    assert price_of("gpt-5.4", "https://models.example/v1", {}) is None


def test_a_provider_s_model_on_this_machine_is_behind_a_proxy() -> None:
    assert price_of("gpt-5.4", "http://127.0.0.1:8000/v1", {}) == price_of("gpt-5.4", OPENAI, {}) is not None
    assert price_of("Qwen/Qwen3-32B", "http://localhost:8000/v1", {}) is None


def test_a_users_price_wins_and_one_for_a_host_wins_over_one_for_all() -> None:
    own = {"gpt-5.4": PriceSettings(input=1, output=2), "h.example/gpt-5.4": PriceSettings(input=3, output=4)}
    found = [price_of("gpt-5.4", url, own) for url in (OPENAI, "", "https://h.example/v1")]
    assert [p.input for p in found if p] == [1, 1, 3]


def test_a_dated_name_has_the_price_of_its_family() -> None:
    dated, family = price_of("gpt-5.4-2026-03-05", "", {}), price_of("gpt-5.4", "", {})
    assert dated == family is not None


@given(st.text(max_size=300), st.text(max_size=300))
def test_a_reserve_is_never_below_the_bytes_of_what_is_sent(system: str, user: str) -> None:
    messages = [{"role": "system", "content": system}, {"role": "user", "content": user}]
    body = {"messages": messages, "max_tokens": 100}
    sent = len((system + user).encode("utf-8", "surrogatepass"))
    assert input_bound(body) > sent
    assert Price("m", 1, 10).reserve(body) >= sent + 1000
