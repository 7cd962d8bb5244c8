"""A key goes to the host it was meant for, and nowhere else (T01-T05)."""

from pathlib import Path

import pytest

from psygen.engines.online.forms import FORMS, next_form, request_body, schema
from psygen.engines.online.server import NO_KEY, OPENAI, normal_url, proxy_in_use, server_of
from psygen.errors import InputError
from psygen.records.exchange import Message
from psygen.settings import ServerSettings, Settings, load_settings

KEY = {"OPENAI_API_KEY": "sk-planted"}


def settings(tmp_path: Path, toml: str = "", **flags: object) -> Settings:
    if toml:
        (tmp_path / "psygen.toml").write_text(toml, encoding="utf-8")
    return load_settings(tmp_path, {}, {"server": flags})


def test_without_a_server_the_key_goes_to_openai(tmp_path: Path) -> None:
    found = server_of(settings(tmp_path), KEY)
    assert (found.base_url, found.key, found.is_loopback) == (OPENAI, "sk-planted", False)
    assert "sk-planted" not in repr(found)


def test_without_a_key_there_is_one_clear_sentence(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="set OPENAI_API_KEY, or use --engine offline") as error:
        server_of(settings(tmp_path), {})
    assert error.value.exit_code == 2


def test_a_local_server_needs_no_key(tmp_path: Path) -> None:
    found = server_of(settings(tmp_path, base_url="http://127.0.0.1:8000"), {})
    assert (found.base_url, found.key, found.is_loopback) == ("http://127.0.0.1:8000/v1", NO_KEY, True)


def test_a_local_server_of_a_project_file_gets_no_key_meant_for_openai(tmp_path: Path) -> None:
    toml = '[server]\nbase_url = "http://localhost:11434/v1"\n'
    assert server_of(settings(tmp_path, toml), KEY).key == NO_KEY
    own = toml + 'api_key_env = "LOCAL_KEY"\n'
    assert server_of(settings(tmp_path, own), {"LOCAL_KEY": "k"}).key == "k"


def test_a_foreign_host_of_a_project_file_must_be_trusted_once(tmp_path: Path) -> None:
    found = settings(tmp_path, '[server]\nbase_url = "https://evil.example/v1"\n')
    environment = {**KEY, "HOME": str(tmp_path / "home")}
    with pytest.raises(InputError, match="--trust-config"):
        server_of(found, environment)
    assert server_of(found, environment, trust=True).key == "sk-planted"
    assert server_of(found, environment).key == "sk-planted"
    other = settings(tmp_path, '[server]\nbase_url = "https://other.example/v1"\n')
    with pytest.raises(InputError, match="--trust-config"):
        server_of(other, environment)


def test_a_host_the_user_types_is_the_users_own_choice(tmp_path: Path) -> None:
    found = settings(tmp_path, '[server]\nbase_url = "https://evil.example/v1"\n', base_url="https://mine.example/v1")
    assert server_of(found, KEY).base_url == "https://mine.example/v1"


@pytest.mark.parametrize(
    ("url", "said"),
    [
        ("http://gpu.example/v1", "PSYGEN_HTTP_HOSTS=gpu.example"),
        ("http://169.254.169.254/v1", "link-local or metadata"),
        ("https://[fe80::1]/v1", "link-local or metadata"),
        ("https://user:pw@host/v1", "no user name"),
        ("https://host/v1?x=1", "no user name"),
        ("ftp://host/v1", "write it like"),
        ("host:8000", "write it like"),
        ("https://host:99999/v1", "write it like"),
    ],
)
def test_addresses_that_must_not_be_used(tmp_path: Path, url: str, said: str) -> None:
    with pytest.raises(InputError, match=said):
        server_of(settings(tmp_path, base_url=url), KEY)


def test_plain_http_in_the_own_lab_is_named_by_the_user(tmp_path: Path) -> None:
    environment = {**KEY, "PSYGEN_HTTP_HOSTS": "gpu.example"}
    assert server_of(settings(tmp_path, base_url="http://gpu.example/v1"), environment).key == "sk-planted"


@pytest.mark.parametrize(
    ("typed", "used"),
    [
        ("https://host", "https://host/v1"),
        ("https://host/v1/", "https://host/v1"),
        ("https://host/v1/chat/completions", "https://host/v1"),
        ("https://r.example/openai/v1/", "https://r.example/openai/v1"),
    ],
)
def test_base_urls_are_evened_out(typed: str, used: str) -> None:
    assert normal_url(typed) == used


def test_a_proxy_is_told_without_its_password(tmp_path: Path) -> None:
    far = server_of(settings(tmp_path), KEY)
    assert proxy_in_use(far, {"HTTPS_PROXY": "http://u:secret@proxy.example:3128"}) == "proxy.example"
    near = server_of(settings(tmp_path, base_url="http://127.0.0.1:1/v1"), {})
    assert proxy_in_use(near, {"HTTP_PROXY": "http://proxy.example"}) == ""


def test_only_parameters_that_are_set_are_sent() -> None:
    messages = (Message("user", "问"),)
    assert request_body(ServerSettings(model="m"), messages, "theory", "text") == {
        "model": "m",
        "messages": [{"role": "user", "content": "问"}],
    }
    full = ServerSettings(
        model="m",
        temperature=0.5,
        output_limit=100,
        output_limit_name="max_tokens",
        reasoning_effort="low",
        extra_body={"enable_thinking": False},
    )
    body = request_body(full, messages, "theory", "json", output_limit=200)
    assert (body["temperature"], body["max_tokens"], body["reasoning_effort"]) == (0.5, 200, "low")
    assert body["enable_thinking"] is False
    assert body["response_format"] == {"type": "json_object"}


def test_the_schema_keeps_to_what_strict_servers_take() -> None:
    question = schema("theory")["properties"]["questions"]["items"]
    assert question["additionalProperties"] is False
    assert question["required"] == list(question["properties"])
    assert "kind" in schema("mixed")["properties"]["questions"]["items"]["properties"]
    assert [next_form(f) for f in FORMS] == ["json", "text", None]
