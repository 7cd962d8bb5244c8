"""The routes of the review page. Reading is by GET and changes nothing; every change is a POST form with its token."""

from collections.abc import Callable

from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from psygen.errors import InputError, PsygenError, StoreUnusable, UnknownName
from psygen.web import judging, reading
from psygen.web.calls import Call
from psygen.web.desk import Desk
from psygen.web.forms import MOST_BYTES, Form, read_form
from psygen.web.guard import INTERNAL
from psygen.web.pages import STATIC, static_file
from psygen.web.sessions import Session, cookie_name, is_own_form, is_token

Handler = Callable[[Call], Response]


def make_app(desk: Desk) -> Starlette:
    """The page of a workspace, without its guard."""
    routes = [
        Route("/static/{name}", _static),
        Route("/enter/{secret}", _entering(desk)),
        Route("/", _reading(desk, reading.show_home)),
        Route("/mine", _reading(desk, reading.show_mine)),
        Route("/next", _reading(desk, reading.show_next)),
        Route("/item/{item_id}", _reading(desk, reading.show_item)),
        Route("/contested", _reading(desk, reading.show_contested)),
        Route("/progress", _reading(desk, reading.show_progress)),
        Route("/agreement", _reading(desk, reading.show_agreement)),
        Route("/history/{item_id}", _reading(desk, reading.show_history)),
        Route("/item/{item_id}/answer", _writing(desk, judging.answer), methods=["POST"]),
        Route("/item/{item_id}/verdict", _writing(desk, judging.verdict), methods=["POST"]),
        Route("/item/{item_id}/settle", _writing(desk, judging.settle), methods=["POST"]),
        Route("/item/{item_id}/comment", _writing(desk, judging.comment), methods=["POST"]),
        Route("/undo", _writing(desk, judging.undo), methods=["POST"]),
    ]

    def explained(request: Request, error: Exception) -> Response:
        return _error_page(desk, error)

    handlers = {HTTPException: explained, PsygenError: explained, 500: explained}
    return Starlette(routes=routes, exception_handlers=handlers, max_body_size=MOST_BYTES)


# Coming in


def _static(request: Request) -> Response:
    name = request.path_params["name"]
    if name not in STATIC:
        raise HTTPException(404)
    return Response(static_file(name), media_type=STATIC[name])


def _entering(desk: Desk) -> Callable[[Request], Response]:
    def enter(request: Request) -> Response:
        session = desk.sessions.enter(request.path_params["secret"])
        if session is None:
            raise HTTPException(403)
        # Not a redirect: a browser that came from a mail program would send no strict cookie along it.
        response = desk.pages.page("enter.html", {"reviewer": session.reviewer, "title": "进入 Enter"})
        response.set_cookie(cookie_name(request), session.id, httponly=True, samesite="strict")
        return response

    return enter


def _reading(desk: Desk, handler: Handler) -> Callable[[Request], Response]:
    """A GET route: runs in a thread, with a connection of its own that cannot write."""

    def endpoint(request: Request) -> Response:
        session = desk.sessions.of(request)
        if session is None:
            raise HTTPException(403)
        with desk.reader() as reader:
            return handler(Call(desk, session, reader, request.path_params, request.query_params))

    return endpoint


def _writing(desk: Desk, handler: Handler) -> Callable[[Request], object]:
    """A POST route: refuses what is not a form of our own, then runs the handler in a thread."""

    async def endpoint(request: Request) -> Response:
        session = desk.sessions.of(request)
        if session is None or not is_own_form(request):
            raise HTTPException(403)
        form = await read_form(request)
        if not is_token(session, form.get("token", "")):
            raise HTTPException(403)
        return await run_in_threadpool(run, session, request, form)

    def run(session: Session, request: Request, form: Form) -> Response:
        with desk.reader() as reader:
            return handler(Call(desk, session, reader, request.path_params, request.query_params, form))

    return endpoint


_SENTENCES = {
    403: "请用启动 psygen review serve 时给出的链接打开。Open the link that psygen review serve printed.",
    404: "没有这一页。There is no such page.",
    405: "没有这一页。There is no such page.",
    413: "内容太长。Too long.",
}


def _error_page(desk: Desk, error: Exception) -> Response:
    """A plain page for what went wrong, without internals."""
    status, sentence = 500, INTERNAL
    if isinstance(error, HTTPException):
        status = error.status_code
        sentence = _SENTENCES.get(status, "这样不行。This does not work.")
    elif isinstance(error, UnknownName):
        status, sentence = 404, str(error)
    elif isinstance(error, InputError):
        status, sentence = 400, str(error)
    elif isinstance(error, StoreUnusable):
        # The sentence names a path of this machine, which a reviewer in the network has no use for.
        status, sentence = 503, "数据库暂时不能用，请稍后再试。The database cannot be used just now; try again."
    return desk.pages.page("error.html", {"title": str(status), "status": status, "sentence": sentence}, status)
