"""Which server, with which key. A key goes to the host it was meant for, and nowhere else.

https, or http on this machine; another host may be reached by plain http only when the user's own environment names it
(PSYGEN_HTTP_HOSTS), never because a shared project file says so. A host that a project file names gets a key only after
the user has said once that this is right (--trust-config).
"""

import ipaddress
import json
import os
from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple
from urllib.parse import urlsplit, urlunsplit

from psygen.errors import InputError
from psygen.settings import DEFAULT_KEY_VARIABLE, Settings

OPENAI = "https://api.openai.com/v1"
NO_KEY = "none"
"""What a server without keys is sent, because the protocol wants something."""


class Server(NamedTuple):
    """Where requests go."""

    base_url: str
    key: str
    is_loopback: bool

    def __repr__(self) -> str:
        return f"Server({self.base_url!r})"


def server_of(settings: Settings, environment: Mapping[str, str], *, trust: bool = False) -> Server:
    """The server of the settings with its key from the environment. Nothing is sent yet.

    trust: the user says that the host in psygen.toml is right; remembered for this workspace.
    Raises InputError for an address that must not be used, or a key that is missing.
    """
    base_url = normal_url(settings.server.base_url or OPENAI)
    host = urlsplit(base_url).hostname or ""
    loopback = is_loopback(host)
    _refuse_bad_host(base_url, host, loopback, environment)
    variable = settings.server.api_key_env
    key = environment.get(variable, "").strip()
    from_file = settings.server_from_file and base_url != OPENAI
    if loopback:
        # A local server that a project file names gets no key that was meant for OpenAI.
        meant = key and not (from_file and variable == DEFAULT_KEY_VARIABLE)
        return Server(base_url, key if meant else NO_KEY, True)
    if not key:
        raise InputError(f"No API key for {host}: set {variable}, or use --engine offline.")
    if from_file and not _is_trusted(settings.workspace, host, variable, environment, remember=trust):
        raise InputError(
            f"psygen.toml sends your prompts and the key in {variable} to {host}. "
            "If that is right, say so once with --trust-config; if not, correct [server] base_url."
        )
    return Server(base_url, key, False)


def normal_url(text: str) -> str:
    """A base URL as the protocol wants it: scheme and host given, /v1 where no path is, nothing after it.

    Raises InputError for user names, queries, or what is no URL.
    """
    parts = urlsplit(text.strip())
    try:
        port = parts.port
    except ValueError:
        port = -1
    if parts.scheme not in ("http", "https") or not parts.hostname or port == -1:
        raise InputError(f'base URL "{text}": write it like https://host/v1 or http://127.0.0.1:8000/v1.')
    if parts.username or parts.password or parts.query or parts.fragment:
        raise InputError("base URL: no user name, password, query or fragment may stand in it.")
    path = parts.path.rstrip("/").removesuffix("/chat/completions") or "/v1"
    return urlunsplit((parts.scheme, parts.netloc, path, "", ""))


def is_loopback(host: str) -> bool:
    """This machine, by name or address."""
    if host in ("localhost", "localhost."):
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def _refuse_bad_host(base_url: str, host: str, loopback: bool, environment: Mapping[str, str]) -> None:
    try:
        address = ipaddress.ip_address(host)
    except ValueError:
        address = None
    if address is not None and (address.is_link_local or str(address) == "fd00:ec2::254" or address.is_unspecified):
        raise InputError(f"base URL {base_url}: {host} is no model server (a link-local or metadata address).")
    allowed = {h.strip() for h in environment.get("PSYGEN_HTTP_HOSTS", "").split(",")}
    if base_url.startswith("http:") and not loopback and host not in allowed:
        raise InputError(
            f"base URL {base_url}: plain http would show prompts and key to the network. Use https; for a server "
            f"in your own lab set PSYGEN_HTTP_HOSTS={host} in your environment."
        )


def _is_trusted(workspace: Path, host: str, variable: str, environment: Mapping[str, str], *, remember: bool) -> bool:
    home = Path(environment.get("XDG_CONFIG_HOME") or Path(environment.get("HOME", "/")) / ".config")
    path = home / "psygen" / "trusted.json"
    entry = f"{workspace.resolve()}|{host}|{variable}"
    try:
        known = set(json.loads(path.read_text(encoding="utf-8")))
    except (OSError, ValueError):
        known = set()
    if entry not in known and remember:
        path.parent.mkdir(parents=True, exist_ok=True)
        handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
        with os.fdopen(handle, "w", encoding="utf-8") as file:
            json.dump(sorted({*known, entry}), file)
        return True
    return entry in known


def proxy_in_use(server: Server, environment: Mapping[str, str]) -> str:
    """The proxy requests will pass through, without any password; empty when there is none."""
    if server.is_loopback:
        return ""
    scheme = urlsplit(server.base_url).scheme
    proxy = environment.get(f"{scheme}_proxy") or environment.get(f"{scheme.upper()}_PROXY") or ""
    return urlsplit(proxy).hostname or "" if proxy else ""
