"""What stands before every route: the Host check against rebinding, headers on every answer, errors without internals.

Sources: OWASP cheat sheets on DNS rebinding, clickjacking and Content Security Policy.
"""

import sys
from collections.abc import Collection
from pathlib import Path

from starlette.types import ASGIApp, Message, Receive, Scope, Send

HEADERS = {
    "Content-Security-Policy": (
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; "
        "form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
    ),
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Cache-Control": "no-store",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
}
INTERNAL = "内部错误，已保存的内容没有受影响。Internal error; nothing stored was lost."
_RAW_HEADERS = [(name.lower().encode(), value.encode()) for name, value in HEADERS.items()]


class Guard:
    """An application behind the checks that no route may forget."""

    def __init__(self, app: ASGIApp, hosts: Collection[str]) -> None:
        """hosts: what a Host header may say, in small letters, with the port."""
        self._app = app
        self._hosts = frozenset(hosts)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one connection; only HTTP (and the server's own start and end) gets further."""
        if scope["type"] == "lifespan":
            await self._app(scope, receive, send)
            return
        if scope["type"] != "http":
            await send({"type": "websocket.close", "code": 1008})
            return
        started = False

        async def send_guarded(message: Message) -> None:
            nonlocal started
            if message["type"] == "http.response.start":
                started = True
                kept = [(k, v) for k, v in message.get("headers", []) if k.lower() not in dict(_RAW_HEADERS)]
                message = {**message, "headers": [*kept, *_RAW_HEADERS]}
            await send(message)

        hosts = [value.decode("latin-1").lower() for name, value in scope["headers"] if name == b"host"]
        if len(hosts) != 1 or hosts[0] not in self._hosts:
            await _say(send_guarded, 421, "This address is not served here. 请使用启动时给出的链接。")
            return
        try:
            await self._app(scope, receive, send_guarded)
        except Exception as error:  # noqa: BLE001  (the last line of defence: no traceback, no internals)
            _note(error)
            if not started:
                await _say(send_guarded, 500, INTERNAL)


async def _say(send: Send, status: int, text: str) -> None:
    headers = [(b"content-type", b"text/plain; charset=utf-8")]
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": f"{text}\n".encode()})


def _note(error: Exception) -> None:
    """One line for whoever keeps the server: the kind of error and its place, nothing that passed through it."""
    last = error.__traceback__
    while last is not None and last.tb_next is not None:
        last = last.tb_next
    place = f"{Path(last.tb_frame.f_code.co_filename).name} line {last.tb_lineno}" if last else "unknown place"
    sys.stderr.write(f"psygen: internal error, {type(error).__name__} in {place}. This is a bug.\n")
