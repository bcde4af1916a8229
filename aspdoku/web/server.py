"""The server of `aspdoku serve`: a page, its static files, and answers to its questions.

clingo runs in the browser; the server answers only what needs Python (`questions`), each question
in a child process with limits. A random token in the address that the command prints, the checks of
the headers Host and Origin and a strict Content-Security-Policy keep other pages in the same
browser from asking (https://www.w3.org/TR/CSP3; https://owasp.org on DNS rebinding and CSRF).
"""

from __future__ import annotations

import hashlib
import hmac
import json
import logging
import secrets
import socket
import threading
import time
from collections import Counter, defaultdict, deque
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, ExitStack, contextmanager
from dataclasses import dataclass, field
from functools import partial
from io import BytesIO
from ipaddress import ip_address
from typing import Any
from urllib.parse import urlsplit

import waitress
from flask import Flask, Response, request
from waitress.channel import HTTPChannel
from waitress.task import WSGITask
from werkzeug.exceptions import (
    BadRequest,
    Forbidden,
    HTTPException,
    NotFound,
    ServiceUnavailable,
    TooManyRequests,
    UnprocessableEntity,
    UnsupportedMediaType,
)
from werkzeug.wsgi import wrap_file

from aspdoku.errors import AspdokuError, PuzzleError
from aspdoku.formats import json_document
from aspdoku.markup import render
from aspdoku.runtime.child import Aborted, Limits, run_limited
from aspdoku.web.answers import BUSY, HEARTBEAT, IsCancelled, SharedAnswers
from aspdoku.web.classroom import LECTURER, STUDENT, Classroom
from aspdoku.web.page import ENGINE, STATIC, static
from aspdoku.web.questions import ask, limits_for, takes_long, unknown_kind

_TOKEN = "X-Aspdoku-Token"
# Bytes of a question: a rule and a puzzle of the largest size, escaped; and of the headers.
_LARGEST_BODY, _LARGEST_HEADER = 1_000_000, 16_000
# Bytes of a request or an answer that stay in memory: waitress writes larger ones to a file.
_LARGEST_IN_MEMORY = 16_000_000
# Questions that are answered at the same time, and those that wait, such as one of each client in a
# class; for further ones it is busy.
_RUNNING, _WAITING = 3, 30
# The same for those that take long, which are fewer, so that there is always room for others.
_LONG_RUNNING, _LONG_WAITING = 2, 22
_SHARING = 30  # clients that wait for the answer to a question of another one
# Questions of a client in a class, in this many seconds.
_MOST_QUESTIONS, _MINUTE = 120, 60.0
# Connections at the same time, of all clients and of one in a class, and the seconds after which an
# inactive one is closed.
_CONNECTIONS, _CONNECTIONS_EACH, _INACTIVE = 200, 40, 10
# Questions of students that are answered from memory, and one that any page asks.
_UNCOUNTED, _CHECK = ("join", "hint", "vote"), "check"
# Without characters that look alike: it is copied from a projector.
_CODE_SIGNS, _CODE_LENGTH = "abcdefghjkmnpqrstuvwxyz23456789", 8
_TYPES = {
    ".css": "text/css; charset=utf-8",
    ".gz": "application/gzip",
    ".js": "text/javascript; charset=utf-8",
    ".md": "text/plain; charset=utf-8",
    ".txt": "text/plain; charset=utf-8",
}
_POLICY = (
    "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; worker-src blob:; style-src 'self';"
    " img-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action {forms};"
    " frame-ancestors 'none'"
)
_HEADERS = {
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cache-Control": "no-store",
}


def new_token(classroom: bool) -> str:
    """A random token; for a class a join code that can be copied from a projector."""
    if classroom:
        return "".join(secrets.choice(_CODE_SIGNS) for _ in range(_CODE_LENGTH))
    return secrets.token_urlsafe(24)


@dataclass(eq=False)
class _Ticket:
    """A question that is answered if it `runs`, or waits; one that is `refused` gave way."""

    client: str
    runs: bool = False
    refused: bool = False


class Queue:
    """Bounds the number of questions that are answered or wait. Clients take turns, each with its
    questions in order: next is the one of which fewest are answered, and whose last turn is longest
    ago. If all places are taken, a client that has most of them gives way to one with fewer.

    running, waiting: how many of each
    """

    def __init__(self, running: int = _RUNNING, waiting: int = _WAITING) -> None:
        self._running, self._places = running, running + waiting
        self._tickets: list[_Ticket] = []
        self._last_turns: dict[str, int] = {}  # since the queue was empty
        self._changed = threading.Condition()

    @contextmanager
    def turn(self, is_cancelled: IsCancelled, client: str = "") -> Iterator[None]:
        """Wait for a turn. Raises ServiceUnavailable if too many wait, or if it is cancelled."""
        ticket = _Ticket(client)
        with self._changed:
            if len(self._tickets) >= self._places:
                self._refuse_one_for(client)
            self._tickets.append(ticket)
        try:
            with self._changed:
                while self._next() is not ticket:
                    self._changed.wait(HEARTBEAT)
                    if ticket.refused:
                        raise ServiceUnavailable(BUSY)
                    if is_cancelled():
                        raise ServiceUnavailable("cancelled")
                ticket.runs = True
                self._last_turns[client] = max(self._last_turns.values(), default=0) + 1
                self._changed.notify_all()
            yield
        finally:
            with self._changed:
                if not ticket.refused:
                    self._tickets.remove(ticket)
                if not self._tickets:
                    self._last_turns.clear()
                self._changed.notify_all()

    def _next(self) -> _Ticket | None:
        """The one whose turn it is, if there is room."""
        running = Counter(each.client for each in self._tickets if each.runs)
        waiting = [each for each in self._tickets if not each.runs]
        if running.total() >= self._running or not waiting:
            return None
        return min(
            waiting, key=lambda each: (running[each.client], self._last_turns.get(each.client, 0))
        )

    def _refuse_one_for(self, client: str) -> None:
        """Make room for a client. Raises ServiceUnavailable if no other client has more places."""
        places = Counter(each.client for each in self._tickets)
        waiting = [each for each in self._tickets if not each.runs]
        last = max(reversed(waiting), key=lambda each: places[each.client], default=None)
        if last is None or places[last.client] <= places[client] + 1:
            raise ServiceUnavailable(BUSY)
        last.refused = True
        self._tickets.remove(last)
        self._changed.notify_all()


class RateLimit:
    """Bounds the number of questions of each client in a period.

    clock: the seconds since some point in time
    """

    def __init__(
        self,
        most: int = _MOST_QUESTIONS,
        seconds: float = _MINUTE,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._most, self._seconds, self._clock = most, seconds, clock
        self._asked: dict[str, deque[float]] = defaultdict(deque)
        self._lock = threading.Lock()

    def count(self, client: str) -> float:
        """Count a question; its time, for `forget`. Raises TooManyRequests."""
        now = self._clock()
        with self._lock:
            for other in [*self._asked]:
                asked = self._asked[other]
                while asked and asked[0] <= now - self._seconds:
                    asked.popleft()
                if not asked:
                    del self._asked[other]
            if len(self._asked[client]) >= self._most:
                raise TooManyRequests(
                    f"more than {self._most} questions in {self._seconds:g} s: wait a little"
                )
            self._asked[client].append(now)
        return now

    def forget(self, client: str, asked: float) -> None:
        """Do not count a question that was answered with "busy"."""
        with self._lock:
            if asked in self._asked.get(client, ()):
                self._asked[client].remove(asked)


@dataclass(frozen=True)
class Site:
    """What the server shows, and to whom.

    page: HTML for those who have the token, which it contains
    token: has to be in the address of the page and in the header of each question
    port: the one in the addresses that clients use
    limits: for each question
    classroom: whether other machines may connect, with the token as a join code
    room: the class, if there are exercises; only its questions and `check` are then answered to
    those who have the token
    lecturer: the token of the lecturer, whose questions are all answered, and in a queue of their
    own; pages: HTML for the lecturer, by the names of their paths
    queue: for all questions; `long_queue` before it, for those that take long
    answers: those that were given, for clients that ask the same
    run: starts the child process of a question, see `questions.ask`
    """

    page: str
    token: str
    port: int
    limits: Limits
    classroom: bool = False
    room: Classroom | None = None
    lecturer: str = ""
    pages: Mapping[str, str] = field(default_factory=dict)
    queue: Queue = field(default_factory=Queue)
    long_queue: Queue = field(default_factory=lambda: Queue(_LONG_RUNNING, _LONG_WAITING))
    rate: RateLimit = field(default_factory=RateLimit)
    lecturers_queue: Queue = field(default_factory=Queue)
    answers: SharedAnswers = field(default_factory=lambda: SharedAnswers(waiting=_SHARING))
    run: Callable[..., Any] = run_limited

    def is_own_host(self, host: str) -> bool:
        """Whether a Host header names this server: not a name that another site may have bound to
        its address.
        """
        try:
            parts = urlsplit(f"//{host}")
            name, port = (parts.hostname or "").lower(), parts.port or 80
        except ValueError:
            return False
        if port != self.port or parts.username is not None or parts.path:
            return False
        if name == "localhost":
            return True
        own = socket.gethostname().lower()
        if self.classroom and name in (own, f"{own}.local"):
            return True
        try:
            address = ip_address(name)
        except ValueError:
            return False
        return self.classroom or address.is_loopback


def application(site: Site) -> Flask:
    """The WSGI application of a site."""
    app = Flask("aspdoku.web", static_folder=None, template_folder=None)
    app.config["MAX_CONTENT_LENGTH"] = _LARGEST_BODY
    files = {file.name for file in STATIC.iterdir() if file.suffix in _TYPES}

    @app.before_request
    def refuse_other_sites() -> None:
        host = request.headers.get("Host", "")
        if not site.is_own_host(host):
            raise Forbidden("unknown host: use the address that aspdoku has printed")
        origin = request.headers.get("Origin")
        foreign = request.headers.get("Sec-Fetch-Site") in ("cross-site", "same-site")
        if request.method == "POST" and (origin not in (None, f"http://{host}") or foreign):
            raise Forbidden("questions of other sites are refused")

    @app.get("/")
    def page() -> Response:
        token = request.args.get("token", "")
        if site.classroom:  # a phone may begin it with a capital letter
            token = token.strip().lower()
        if _is_equal(token, site.token):
            return _html(site.page.encode())
        return _entry(site.classroom, token)

    def page_of_lecturer() -> Response:
        token = request.args.get("token", "")
        if site.lecturer and _is_equal(token, site.lecturer):
            return _html(site.pages[request.path[1:]].encode())
        return _entry(False, token)

    for name in site.pages:
        app.add_url_rule(f"/{name}", name, page_of_lecturer)

    def _entry(joins: bool, token: str) -> Response:
        """The page on which a token is entered, or the join code of a class."""
        if site.classroom and token:
            _count_guess()
        word = "join code" if joins else "token"
        text = render("join.html.j2", classroom=joins, word=word, wrong=bool(token))
        return _html(text.encode(), 200 if joins and not token else 403, "'self'")

    @app.get("/static/<name>")
    def file(name: str) -> Response:
        if name not in files:
            raise NotFound("unknown file")
        if name in ENGINE:  # who has no token needs no engine, which is the largest file
            refuse_without_token()
        return _content(static(name), _TYPES[f".{name.rpartition('.')[2]}"])

    @app.post("/ask")
    def answer() -> Response:
        is_lecturer = refuse_without_token()
        question = _question()
        is_cancelled = request.environ.get("waitress.client_disconnected", lambda: False)
        if is_lecturer:
            return _to_lecturer(site, question, is_cancelled)
        client, kind = request.remote_addr or "", question.get("kind")
        # A page of a class repeats some questions every few seconds; to answer them costs nothing.
        counted = site.classroom and not (site.room and kind in _UNCOUNTED)
        asked = site.rate.count(client) if counted else 0.0
        try:
            if site.room and isinstance(kind, str) and kind in STUDENT:
                turn = partial(site.queue.turn, is_cancelled, client)
                call = partial(_called, site, turn, is_cancelled)
                return _json(_refusing(STUDENT[kind], site.room, question, call, client))
            if site.room and kind != _CHECK:
                raise UnprocessableEntity(str(unknown_kind(sorted([*STUDENT, _CHECK]))))
            key = hashlib.sha256(json.dumps(question, sort_keys=True).encode()).digest()
            find = partial(_answer, site, question, client if site.classroom else "")
            return _content(site.answers.get(key, find, is_cancelled), "application/json")
        except ServiceUnavailable:
            site.rate.forget(client, asked)
            raise

    def refuse_without_token() -> bool:
        """Whether the question is one of the lecturer."""
        token = request.headers.get(_TOKEN, "")
        if site.lecturer and _is_equal(token, site.lecturer):
            return True
        if not _is_equal(token, site.token):
            if site.classroom:
                _count_guess()
            raise Forbidden("wrong token: reload the page")
        return False

    def _count_guess() -> None:
        site.rate.count(request.remote_addr or "")

    @app.after_request
    def restrict(response: Response) -> Response:
        for name, value in _HEADERS.items():
            response.headers[name] = value
        response.headers.setdefault("Content-Security-Policy", _POLICY.format(forms="'none'"))
        return response

    @app.errorhandler(HTTPException)
    def refuse(error: HTTPException) -> Response:
        return _json({"error": error.description}, error.code or 500)

    return app


def _answer(
    site: Site, question: Mapping[str, object], client: str, is_cancelled: IsCancelled
) -> tuple[bytes, bool]:
    """The answer as JSON, and whether it does not depend on the time limit, so that it can be kept.

    Raises ServiceUnavailable if the server is busy or the answer is not needed any more.
    """
    with ExitStack() as turns:
        if takes_long(question):
            turns.enter_context(site.long_queue.turn(is_cancelled, client))
        turns.enter_context(site.queue.turn(is_cancelled, client))
        began = time.monotonic()
        answer = _asked(site, question, is_cancelled)
        seconds = time.monotonic() - began
    return json.dumps(answer).encode(), seconds < limits_for(question, site.limits).seconds / 2


def _to_lecturer(site: Site, question: Mapping[str, object], is_cancelled: IsCancelled) -> Response:
    """The answer to the lecturer, for which no question of a student is waited for."""
    kind, turn = question.get("kind"), partial(site.lecturers_queue.turn, is_cancelled)
    if site.room and isinstance(kind, str) and kind in LECTURER:
        call = partial(_called, site, turn, is_cancelled)
        return _json(_refusing(LECTURER[kind], site.room, question, call))
    with turn():
        return _json(_asked(site, question, is_cancelled))


def _asked(
    site: Site, question: Mapping[str, object], is_cancelled: IsCancelled
) -> dict[str, object]:
    try:
        return ask(question, site.limits, is_cancelled, site.run)
    except AspdokuError as error:
        if is_cancelled():
            raise ServiceUnavailable("cancelled") from None
        raise UnprocessableEntity(str(error)) from None


def _refusing(answer: Callable[..., dict[str, object]], *arguments: object) -> dict[str, object]:
    """An answer about a class. Raises UnprocessableEntity if the question is invalid."""
    try:
        return answer(*arguments)
    except AspdokuError as error:
        raise UnprocessableEntity(str(error)) from None


def _called(
    site: Site,
    turn: Callable[[], AbstractContextManager[None]],
    is_cancelled: IsCancelled,
    function: Callable[..., object],
    *arguments: object,
    seconds: float | None = None,
) -> object:
    """The value of a function in a child process, or why it was `Aborted`.

    seconds: for the function, by default as for a question
    Raises ServiceUnavailable if the server is busy or the value is not needed any more.
    """
    limits = site.limits._replace(seconds=seconds or site.limits.seconds)
    with turn():
        value = site.run(limits, function, *arguments, is_cancelled=is_cancelled)
    if isinstance(value, Aborted) and value.limit == "cancelled":
        raise ServiceUnavailable("cancelled")
    return value


def _is_equal(one: str, two: str) -> bool:
    return hmac.compare_digest(one.encode(errors="replace"), two.encode())


def _html(text: bytes, status: int = 200, forms: str = "'none'") -> Response:
    response = _content(text, "text/html; charset=utf-8", status)
    response.headers["Content-Security-Policy"] = _POLICY.format(forms=forms)
    return response


def _content(content: bytes, kind: str, status: int = 200) -> Response:
    """An answer that is sent from these bytes: clients that do not read it share them."""
    body = wrap_file(request.environ, BytesIO(content))
    return Response(body, status, content_type=kind, direct_passthrough=True)


def _json(answer: object, status: int = 200) -> Response:
    return Response(json.dumps(answer), status, content_type="application/json")


def _question() -> dict[str, object]:
    """The question in the body of the request. Raises BadRequest if it is not a JSON object."""
    if not request.is_json:
        raise UnsupportedMediaType("invalid question: expected the type application/json")
    try:
        text = request.get_data().decode()
    except UnicodeDecodeError as error:
        place = f"byte {error.start + 1} is no UTF-8"
        raise BadRequest(f"invalid question: {place}: send JSON in UTF-8") from None
    if not text.lstrip("\ufeff \t\r\n").startswith("{"):
        raise BadRequest('invalid question: expected a JSON object such as {"kind": "check"}')
    try:
        return json_document.load(text, "")
    except PuzzleError as error:
        raise BadRequest(f"invalid question: {error}") from None


def listen(host: str, port: int) -> socket.socket:
    """A socket that listens at an address; port 0 is any free one.

    Raises AspdokuError if that is not possible.
    """
    try:
        return socket.create_server((host, port), family=_family(host))
    except (OSError, OverflowError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise AspdokuError(f"cannot listen at {host}, port {port}: {reason}") from None


def _family(host: str) -> socket.AddressFamily:
    return socket.AF_INET6 if ":" in host else socket.AF_INET


def serve(site: Site, listener: socket.socket) -> None:
    """Serve a site until the process is interrupted."""
    # It warns of each request that waits for a thread, as some do when a class opens the page.
    logging.getLogger("waitress.queue").setLevel(logging.ERROR)
    server = waitress.create_server(
        application(site),
        sockets=[listener],
        # Some are left for pages while questions wait.
        threads=_RUNNING + _WAITING + _SHARING + 8,
        max_request_body_size=_LARGEST_BODY,
        max_request_header_size=_LARGEST_HEADER,
        inbuf_overflow=_LARGEST_IN_MEMORY,
        outbuf_overflow=_LARGEST_IN_MEMORY,
        channel_request_lookahead=1,  # to notice that a client has gone
        connection_limit=2 * _CONNECTIONS,  # `limit_connections` closes some before
        # A client may leave as many requests unfinished; questions being answered are not inactive.
        channel_timeout=_INACTIVE,
        cleanup_interval=_INACTIVE // 2,
        ident=None,
    )
    server.channel_class = _Channel
    limit_connections(server, _CONNECTIONS_EACH if site.classroom else 2 * _CONNECTIONS)
    server.run()


class _Task(WSGITask):  # type: ignore[misc]  # it has no types
    """One answer, after which the connection is closed.

    A client that sends many requests and reads no answer would otherwise fill the memory and keep
    the threads from others.
    """

    def build_response_header(self) -> bytes:
        self.request.headers["CONNECTION"] = "close"
        header: bytes = super().build_response_header()
        return header


class _Channel(HTTPChannel):  # type: ignore[misc]
    task_class = _Task


def limit_connections(server: Any, each: int, most: int = _CONNECTIONS) -> None:
    """Close connections, so that no address can take those of others: new ones of an address that
    has `each`; and if there are `most`, the oldest of the address that has most of them, rather one
    without a question.

    server: of waitress
    """
    accept = server.accept

    def accept_some() -> Any:
        accepted = accept()
        if accepted is None:
            return None
        connection, (address, *_) = accepted
        channels = [one for one in server.active_channels.values() if not one.will_close]
        addresses = Counter(channel.addr[0] for channel in channels)
        if addresses[address] >= each:
            connection.close()
            return None
        if len(channels) >= most:
            [(frequent, _)] = addresses.most_common(1)
            own = [one for one in channels if one.addr[0] == frequent]
            min(own, key=lambda one: (bool(one.requests), one.creation_time)).will_close = True
        return accepted

    server.accept = accept_some
