"""The server of `aspdoku serve`: who is answered, and what no client can do."""

import json
import threading
from html.parser import HTMLParser
from types import SimpleNamespace

import pytest
from in_one_test import in_one_test

pytest.importorskip("flask")
pytest.importorskip("waitress")

from werkzeug.exceptions import ServiceUnavailable, TooManyRequests

from aspdoku.errors import AspdokuError
from aspdoku.runtime.child import Limits
from aspdoku.web import server
from aspdoku.web.server import Queue, RateLimit, Site, application, new_token

pytestmark = pytest.mark.versions

PORT, TOKEN = 8123, "secret-token"
HOST = f"127.0.0.1:{PORT}"
DEPTHS = [40, 480, 490, 700, 970, 975, 980, 2000]  # Python parses the first ones
CHECK = {"kind": "check", "name": "mine", "text": ":- a(1,1,1)."}


@pytest.fixture
def asked(monkeypatch):
    """The questions that get as far as a child process, which is not started."""
    questions = []

    def ask(question, *_):
        questions.append(question)
        if question.get("kind") == "wrong":
            raise AspdokuError("no such kind")
        return {"answer": 42}

    monkeypatch.setattr(server, "ask", ask)
    return questions


def client_of(**changes):
    site = Site("<p>page</p>", TOKEN, PORT, Limits(5), **changes)
    return application(site).test_client()


def get(client, path, host=HOST, **headers):
    return client.get(path, headers={"Host": host, **headers})


def post(client, question, host=HOST, token=TOKEN, **headers):
    headers = {"Host": host, "X-Aspdoku-Token": token, **headers}
    body = question if isinstance(question, bytes | str) else json.dumps(question)
    return client.post("/ask", data=body, content_type="application/json", headers=headers)


def test_the_page_needs_the_token():
    client = client_of()
    found = get(client, f"/?token={TOKEN}")
    assert (found.status_code, found.text) == (200, "<p>page</p>")
    for path in ("/", "/?token=", "/?token=secret", "/?token=%F0%9F%8E%B2"):
        refused = get(client, path)
        assert refused.status_code == 403
        assert "This page needs a token" in refused.text
        assert TOKEN not in refused.text


@pytest.mark.parametrize(
    "path", [f"/?token={TOKEN}", "/", "/static/nothing", "/static/exercise.js"]
)
def test_every_answer_has_a_strict_policy(path):
    headers = get(client_of(), path).headers
    policy = dict(
        each.strip().split(" ", 1) for each in headers["Content-Security-Policy"].split(";")
    )
    assert policy == {
        "default-src": "'none'",
        "script-src": "'self' 'wasm-unsafe-eval'",
        "worker-src": "blob:",
        "style-src": "'self'",
        "img-src": "'self' data:",
        "connect-src": "'self'",
        "base-uri": "'none'",
        "form-action": "'self'" if path == "/" else "'none'",  # there, the token is entered
        "frame-ancestors": "'none'",
    }
    assert headers["X-Content-Type-Options"] == "nosniff"
    assert headers["Referrer-Policy"] == "no-referrer"
    assert not [name for name, _ in headers if name.startswith("Access-Control")]


@pytest.mark.parametrize("host", [HOST, f"localhost:{PORT}", f"[::1]:{PORT}", f"LOCALHOST:{PORT}"])
@pytest.mark.usefixtures("asked")
def test_own_hosts(host):
    assert post(client_of(), CHECK, host, Origin=f"http://{host}").json == {"answer": 42}


FORGED = [
    *("evil.example", f"evil.example:{PORT}", "127.0.0.1", "127.0.0.1:80", f"192.0.2.1:{PORT}"),
    *(
        f"127.0.0.1.evil.example:{PORT}",
        f"evil.example@127.0.0.1:{PORT}",
        "",
        f"localhost:{PORT}/x",
    ),
    *(
        f"localhost:{PORT}/x",
        "localhost:x",
        "[::1",
        f"0.0.0.0:{PORT}",
        f"evil.example#127.0.0.1:{PORT}",
    ),
]


@in_one_test("host", FORGED)
def test_forged_hosts(host, asked):
    client = client_of()
    assert get(client, f"/?token={TOKEN}", host).status_code in (400, 403)
    assert post(client, CHECK, host).status_code in (400, 403)
    assert not asked


@pytest.mark.parametrize(
    "headers",
    [
        {"Origin": "https://evil.example"},
        {"Origin": "null"},
        {"Origin": f"https://{HOST}"},
        {"Origin": "http://127.0.0.1:80"},
        {"Origin": f"http://localhost:{PORT}"},
        {"Sec-Fetch-Site": "cross-site"},
        {"Sec-Fetch-Site": "same-site"},
    ],
    ids=str,
)
def test_questions_of_other_sites(headers, asked):
    assert post(client_of(), CHECK, **headers).status_code == 403
    assert not asked


@pytest.mark.parametrize("token", ["", "secret", TOKEN.upper(), TOKEN + " x", "\u00e9"])
def test_questions_without_the_token(token, asked):
    assert post(client_of(), CHECK, token=token).status_code == 403
    assert not asked


@in_one_test(
    ("body", "status"),
    [
        ("", 400),
        ("{", 400),
        *[(f'{{"kind": "check", "text": {"[" * depth}{"]" * depth}}}', 400) for depth in DEPTHS],
        *[('{"a":' * depth + "1" + "}" * depth, 400) for depth in DEPTHS],
        ("[]", 400),
        ('"check"', 400),
        ("null", 400),
        ("[" * 100_000, 400),
        ('{"a":' * 100_000, 400),
        (b"\xff\xfe", 400),
        (json.dumps(CHECK | {"text": "x" * 1_100_000}), 413),
        (b"x" * 10_000_000, 413),
        ('{"kind": "wrong"}', 422),
    ],
)
@pytest.mark.usefixtures("asked")
def test_invalid_questions(body, status):
    found = post(client_of(), body)
    assert found.status_code == status
    assert found.json["error"]
    assert "Traceback" not in found.text


@pytest.mark.parametrize(
    ("body", "says"),
    [
        (b'{"kind": "\xff"}', "byte 11 is no UTF-8"),
        *[(body, "expected a JSON object") for body in ("[]", "null", "7", '"check"', "")],
    ],
)
@pytest.mark.usefixtures("asked")
def test_what_is_wrong_with_a_question(body, says):
    error = post(client_of(), body).json["error"]
    assert error.startswith(f"invalid question: {says}")
    assert "puzzle" not in error
    assert "codec" not in error


def test_other_methods_and_paths():
    client = client_of()
    assert get(client, "/ask").status_code == 405
    assert client.post("/ask", data="kind=check", headers={"Host": HOST}).status_code == 403
    form = {"Host": HOST, "X-Aspdoku-Token": TOKEN}
    assert client.post("/ask", data={"kind": "check"}, headers=form).status_code == 415
    for method in ("put", "delete", "options", "trace"):
        refused = getattr(client, method)("/ask", headers={"Host": HOST})
        assert refused.status_code in (200, 405)
        assert "Access-Control-Allow-Origin" not in refused.headers
    assert get(client, "/nothing").status_code == 404


def test_the_engine_needs_the_token():
    """Who has no join code could have it sent again and again: it is by far the largest file."""
    client = client_of(classroom=True)
    for name in ("clingo.js", "clingo.wasm.gz", "worker.js"):
        content = (server.STATIC / name).read_bytes()
        found = get(client, f"/static/{name}", **{"X-Aspdoku-Token": TOKEN})
        assert (found.status_code, found.data) == (200, content)
        assert get(client, f"/static/{name}").status_code == 403


def test_static_files():
    client = client_of()
    types = {"exercise.js": "text/javascript", "exercise.css": "text/css"}
    for name, kind in types.items():
        found = get(client, f"/static/{name}")
        assert (found.status_code, found.mimetype) == (200, kind)
        assert found.data == (server.STATIC / name).read_bytes()
        assert "Content-Encoding" not in found.headers


@in_one_test(
    "path",
    [
        "../server.py",
        "..%2fserver.py",
        "%2e%2e/server.py",
        "..%5cserver.py",
        "%2fetc%2fpasswd",
        "....//server.py",
        "server.py",
        "exercise.js%00",
        "",
        ".",
        "sub/exercise.js",
    ],
)
def test_no_other_files(path):
    assert get(client_of(), f"/static/{path}").status_code in (308, 404)


def test_it_is_busy_and_then_not():
    queue = Queue(running=1, waiting=1)
    waits, entered = threading.Event(), threading.Event()

    def wait():
        with queue.turn(lambda: False):
            waits.wait(20)

    def second():
        with queue.turn(lambda: entered.set() or False):
            pass

    threads = [threading.Thread(target=each) for each in (wait, second)]
    threads[0].start()
    threads[1].start()
    assert entered.wait(20)  # the second one waits
    with pytest.raises(ServiceUnavailable, match="busy"), queue.turn(lambda: False):
        pass
    waits.set()
    for thread in threads:
        thread.join(20)
    with queue.turn(lambda: False):
        pass


def test_who_waits_can_go():
    queue = Queue(running=1, waiting=1)
    with queue.turn(lambda: False):
        with pytest.raises(ServiceUnavailable), queue.turn(lambda: True):
            pass
        with pytest.raises(ServiceUnavailable), queue.turn(lambda: True):
            pass
    with queue.turn(lambda: True):
        pass


def test_first_come_first_served():
    queue = Queue(running=1, waiting=9)
    order, threads = [], []

    def enter(number, waits):
        def is_cancelled():
            waits.set()

        with queue.turn(is_cancelled):
            order.append(number)

    with queue.turn(lambda: False):
        for number in range(5):
            waits = threading.Event()
            threads.append(threading.Thread(target=enter, args=(number, waits)))
            threads[-1].start()
            assert waits.wait(20)
    for thread in threads:
        thread.join(20)
    assert order == [*range(5)]


@pytest.fixture
def entering():
    """Begins to ask in another thread, as a client that waits in a queue or is refused; the order
    of the answers, and of those that are refused.
    """
    order, refused, threads = [], [], []

    def enter(queue, client):
        waits = threading.Event()

        def ask():
            try:
                with queue.turn(lambda: waits.set() or False, client):
                    order.append(client)
            except ServiceUnavailable:
                refused.append(client)
            waits.set()

        threads.append(threading.Thread(target=ask))
        threads[-1].start()
        assert waits.wait(20)

    def ended():
        for thread in threads:
            thread.join(20)
        return order, refused

    return enter, ended


def test_clients_take_turns(entering):
    enter, ended = entering
    queue = Queue(running=2, waiting=9)
    with queue.turn(lambda: False, "one"):
        with queue.turn(lambda: False, "two"):
            for client in ("one", "two", "three"):
                enter(queue, client)
        assert ended() == (["three", "two", "one"], [])


def test_a_client_with_many_places_gives_way(entering):
    enter, ended = entering
    queue = Queue(running=1, waiting=5)
    with queue.turn(lambda: False, "one"):
        for client in ("one", "one", "two", "one", "two", "three", "one"):
            enter(queue, client)
    assert ended() == (["two", "three", "one", "two", "one"], ["one", "one"])


def test_an_answer_is_given_again(asked):
    client = client_of()
    for question in (CHECK, dict(reversed(CHECK.items())), CHECK | {"name": "other"}):
        assert post(client, question).json == {"answer": 42}
    assert [question["name"] for question in asked] == ["mine", "other"]
    for _ in range(2):
        assert post(client, {"kind": "wrong"}).status_code == 422
    assert len(asked) == 4


def test_an_answer_that_took_long_is_not_kept(asked, monkeypatch):
    """It may depend on the time limit; questions that take long have more time."""
    now = iter(range(0, 100, 3))
    monkeypatch.setattr(server.time, "monotonic", lambda: next(now))
    client = client_of()
    for question, times in ((CHECK, 2), ({"kind": "explain"}, 1)):
        asked.clear()
        for _ in range(2):
            assert post(client, question).status_code == 200
        assert len(asked) == times


def accepted_addresses(addresses, each, most):
    """The addresses of the connections that are accepted, the indices of those that are closed
    later, and how many are refused.
    """
    refused = []

    class Connection:
        def close(self):
            refused.append(self)

    coming = iter([address and (Connection(), (address, 5000)) for address in addresses])
    waitress = SimpleNamespace(accept=lambda: next(coming), active_channels={})
    server.limit_connections(waitress, each, most)
    found = []
    for number, _ in enumerate(addresses):
        accepted = waitress.accept()
        found.append(accepted and accepted[1][0])
        if accepted:
            waitress.active_channels[number] = SimpleNamespace(
                addr=accepted[1], will_close=False, creation_time=number, requests=[]
            )
    closed = [place for place, one in waitress.active_channels.items() if one.will_close]
    return found, closed, len(refused)


def test_connections_of_an_address():
    """Others can still connect."""
    one, two = "192.0.2.1", "192.0.2.2"
    addresses = [one, one, one, two, None, one]
    assert accepted_addresses(addresses, 2, 9) == ([one, one, None, two, None, None], [], 2)


def test_an_address_with_many_connections_gives_way():
    """All connections are taken: whoever has most of them loses the oldest."""
    one, two, three = "192.0.2.1", "192.0.2.2", "192.0.2.3"
    addresses = [two, one, one, one, three, three]
    assert accepted_addresses(addresses, 9, 4) == (addresses, [1, 2], 0)


@pytest.mark.usefixtures("asked")
def test_questions_that_take_long_leave_room_for_others():
    full = Queue(running=0, waiting=0)
    client = client_of(long_queue=full)
    assert post(client, {"kind": "explain"}).status_code == 503
    assert post(client, {"kind": "explain", "own": [1]}).status_code == 200
    assert post(client, CHECK).status_code == 200


def test_the_rate_of_a_client():
    now = [0.0]
    rate = RateLimit(most=3, seconds=10, clock=lambda: now[0])
    for _ in range(3):
        rate.count("one")
    with pytest.raises(TooManyRequests):
        rate.count("one")
    rate.count("two")
    now[0] = 10
    for _ in range(2):
        rate.count("one")
    rate.forget("one", rate.count("one"))
    rate.forget("three", 10)
    rate.count("one")
    with pytest.raises(TooManyRequests):
        rate.count("one")


def test_busy_answers_are_not_counted(monkeypatch):
    def busy(*_):
        raise ServiceUnavailable("busy")

    monkeypatch.setattr(server, "ask", busy)
    client = client_of(classroom=True, rate=RateLimit(most=2))
    assert [post(client, CHECK).status_code for _ in range(5)] == [503] * 5
    monkeypatch.setattr(server, "ask", lambda *_: {})
    assert [post(client, CHECK).status_code for _ in range(4)] == [200, 200, 429, 429]


@pytest.mark.usefixtures("asked")
def test_without_a_class_questions_are_not_counted():
    client = client_of(rate=RateLimit(most=1))
    assert [post(client, CHECK).status_code for _ in range(3)] == [200] * 3


@pytest.mark.usefixtures("asked")
def test_a_join_code_may_be_typed_in_capitals():
    client = client_of(classroom=True)
    for code in (TOKEN.upper(), TOKEN.title(), f" {TOKEN} "):
        assert client.get("/", query_string={"token": code}, headers={"Host": HOST}).text == (
            "<p>page</p>"
        )
    assert get(client_of(), f"/?token={TOKEN.upper()}").status_code == 403


def test_a_class_joins_with_a_code():
    client = client_of(classroom=True, rate=RateLimit(most=2))
    host = f"192.0.2.7:{PORT}"
    join = get(client, "/", host)
    assert (join.status_code, 'name="token"' in join.text, TOKEN in join.text) == (200, True, False)
    assert "form-action 'self'" in join.headers["Content-Security-Policy"]
    assert get(client, f"/?token={TOKEN}", host).text == "<p>page</p>"
    wrong = get(client, "/?token=%3Cscript%3E", host)
    assert (wrong.status_code, "<script>" in wrong.text) == (403, False)
    assert post(client, CHECK, host, token="guess").status_code == 403
    assert get(client, "/?token=third", host).status_code == 429
    assert get(client, "/", f"evil.example:{PORT}").status_code == 403


def test_tokens_are_random():
    for classroom in (False, True):
        found = {new_token(classroom) for _ in range(200)}
        assert len(found) == 200
        assert min(map(len, found)) >= (8 if classroom else 32)


class Tags(HTMLParser):
    def __init__(self, text):
        super().__init__()
        self.found = []
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        self.found.append((tag, dict(attrs)))


def test_texts_are_escaped():
    from aspdoku.web.class_page import student_page

    evil = "</p><script>alert(1)</script>"
    tags = Tags(student_page([{"title": evil, "task": evil, "hints": 0}], '"><script>')).found
    assert [attrs for tag, attrs in tags if tag == "script"] == [
        {"type": "application/json", "id": "data"},
        {"type": "module", "src": "/static/exercise.js"},
    ]
    assert not [attrs for _, attrs in tags if any(name.startswith("on") for name in attrs)]
