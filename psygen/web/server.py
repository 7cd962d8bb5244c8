"""Serving the page: which address, which links, and the server itself."""

import ipaddress
import socket
from typing import NamedTuple

import uvicorn

from psygen.errors import InputError
from psygen.web.app import make_app
from psygen.web.desk import Desk
from psygen.web.guard import Guard

LOOPBACK = "127.0.0.1"


class Opened(NamedTuple):
    """A socket that waits for browsers."""

    socket: socket.socket
    host: str
    port: int

    @property
    def hosts(self) -> frozenset[str]:
        """What a browser may call us."""
        names = {self.host.lower()}
        if is_loopback(self.host):
            names |= {LOOPBACK, "localhost", "::1"}
        hosts = {_with_port(name, self.port) for name in names}
        # Browsers leave the usual port out.
        return frozenset(hosts | ({host.removesuffix(":80") for host in hosts} if self.port == 80 else set()))

    @property
    def origin(self) -> str:
        """What every address begins with."""
        return f"http://{_with_port(self.host, self.port)}".removesuffix(":80")


def open_socket(host: str, port: int, *, lan: bool) -> Opened:
    """Listen on `host`; port 0 takes any that is free.

    lan: whether an address that other machines reach is meant.
    Raises InputError for such an address without `lan`, for one that stands for all, and when it cannot be had.
    """
    if not is_loopback(host):
        if _stands_for_all(host):
            raise InputError(
                f"--host {host} would open the page on every network of this machine; name one address, "
                "such as 192.168.1.20."
            )
        if not lan:
            raise InputError(f"--host {host} lets other machines in; add --lan if that is meant, or leave --host out.")
    try:
        family = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0][0]
        opened = socket.create_server((host, port), family=family)
    except OSError as error:
        raise InputError(
            f"Cannot listen on {host} port {port}: {error.strerror or error}. Choose another --port or --host."
        ) from error
    return Opened(opened, host, int(opened.getsockname()[1]))


def is_loopback(host: str) -> bool:
    """Whether only this machine reaches an address."""
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host.lower() == "localhost"


def _stands_for_all(host: str) -> bool:
    try:
        return ipaddress.ip_address(host).is_unspecified
    except ValueError:
        return not host


def _with_port(host: str, port: int) -> str:
    return f"[{host}]:{port}" if ":" in host else f"{host}:{port}"


def serve(desk: Desk, opened: Opened) -> None:
    """Serve until a signal comes. Nothing is logged: addresses hold the reviewers' secrets."""
    config = uvicorn.Config(
        Guard(make_app(desk), opened.hosts),
        access_log=False,
        log_config=None,
        log_level="critical",
        server_header=False,
        date_header=False,
        proxy_headers=False,
        ws="none",
        lifespan="off",
        timeout_graceful_shutdown=5,
    )
    uvicorn.Server(config).run(sockets=[opened.socket])
