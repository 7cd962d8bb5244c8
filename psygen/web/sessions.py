"""Who is at the page: a secret link for each reviewer, a session for each browser, and whether a form is our own.

Everything here lives as long as the server: secrets are made anew at every start and stand in no file and no log.
"""

import hmac
import secrets
import threading
from collections.abc import Iterable
from dataclasses import dataclass, field

from starlette.requests import Request

from psygen.records.review import Reviewer

MOST_SESSIONS = 64
"""Browsers at once; the one that came first leaves when there are more."""


@dataclass(slots=True)
class Session:
    """A browser that came by a reviewer's link."""

    reviewer: Reviewer
    id: str = field(default_factory=lambda: secrets.token_urlsafe(32))
    """What the cookie holds."""
    token: str = field(default_factory=lambda: secrets.token_urlsafe(32))
    """What every form holds."""
    said: str = ""
    """What became of the last form, to be shown once."""
    done: str = ""
    """The draft that form made superfluous."""

    def take_said(self) -> tuple[str, str]:
        """What to show once: the message, and the draft to drop."""
        taken = self.said, self.done
        self.said = self.done = ""
        return taken


class Sessions:
    """The links of a server's reviewers and the sessions they opened."""

    def __init__(self, reviewers: Iterable[Reviewer]) -> None:
        self.links: dict[str, str] = {}
        """Secret by reviewer."""
        self._reviewers = {reviewer.id: reviewer for reviewer in reviewers}
        for who in self._reviewers:
            self.links[who] = secrets.token_urlsafe(32)
        self._open: dict[str, Session] = {}
        self._lock = threading.Lock()

    def enter(self, secret: str) -> Session | None:
        """A new session for the reviewer whose secret it is; None when it is nobody's."""
        found = [who for who, link in self.links.items() if _equal(link, secret)]
        if not found:
            return None
        session = Session(self._reviewers[found[0]])
        with self._lock:
            self._open[session.id] = session
            while len(self._open) > MOST_SESSIONS:
                del self._open[next(iter(self._open))]
        return session

    def of(self, request: Request) -> Session | None:
        """The session of a request's cookie; None without a valid one."""
        return self._open.get(request.cookies.get(cookie_name(request), ""))


def cookie_name(request: Request) -> str:
    """Browsers send a host's cookies to all its ports: two servers on one machine need two names."""
    return f"psygen-{request.url.port or 80}"


def is_own_form(request: Request) -> bool:
    """Whether our own page sent this form, as far as the browser says.

    With `Referrer-Policy: no-referrer` browsers send `Origin: null` even for forms of the page itself; then only
    Sec-Fetch-Site, which no script can set, tells.
    """
    origins = request.headers.getlist("origin")
    site = request.headers.get("sec-fetch-site")
    if site not in (None, "same-origin", "none"):
        return False
    if origins == ["null"]:
        return site == "same-origin"
    if not origins:
        return site is not None
    return origins == [f"http://{request.headers['host'].lower()}"]


def is_token(session: Session, token: str) -> bool:
    """Whether a form's hidden token is the session's."""
    return _equal(session.token, token)


def _equal(one: str, other: str) -> bool:
    """Compared in constant time."""
    return hmac.compare_digest(one.encode(), other.encode("utf-8", "replace"))
