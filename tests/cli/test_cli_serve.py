"""`aspdoku serve` as a process: its answers, and hostile questions."""

import http.client
import json
import os
import re
import signal
import socket
import threading
import time
from contextlib import ExitStack, closing, suppress
from ipaddress import ip_address
from pathlib import Path

import pytest
from cli_runner import SOON, run
from serving import ask, needs_flask, request, served

from aspdoku.cli import web

BUSY = 503
PIGEONS = "{ in(P,H) : H = 1..13 } = 1 :- P = 1..14.\n:- in(P,H), in(Q,H), P < Q.\n"
RESIDENT = re.compile(r"VmRSS:\s+([0-9]+) kB")
WAITED = re.compile(r"\nvoluntary_ctxt_switches:\s+([0-9]+)")
TCP_INFO, ESTABLISHED = getattr(socket, "TCP_INFO", None), b"\1"  # the state is its first byte
HOSTILE = ["p(0).\np(X+1) :- p(X).\n:- p(3).\n", "p(1..1000000000).\n:- p(3).\n", PIGEONS]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--host", "0.0.0.0"], "it requires --class"),
        (["--host", "example.org"], "it requires --class"),
        (["--task", "x"], "--task requires --exercise"),
        (["-o", "x"], "-o requires --exercise"),
        (["--exercise", "offset", "--task", "x", "--task", "y"], "more --task than --exercise"),
        (["--exercise", "anti-knight", "." * 16], "--exercise takes no puzzle and no rules"),
    ],
)
@needs_flask
def test_wrong_usage(arguments, message):
    result = run("serve", *arguments)
    assert result.exit_code == 2
    assert message in result.stderr.replace("\n", " ")


def test_without_flask(monkeypatch):
    monkeypatch.setattr("importlib.util.find_spec", lambda _: None)
    result = run("serve", "." * 16)
    assert result.exit_code == 65
    assert "pip install 'aspdoku[web]'" in result.stderr


@needs_flask
def test_an_unusable_port():
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        result = run("serve", "." * 16, "--port", port)
    assert result.exit_code == 65
    assert f"cannot listen at 127.0.0.1, port {port}" in result.stderr


@pytest.mark.slow
@needs_flask
def test_a_page_and_its_end():
    with served("1...............", "--time-limit-each", "60") as (process, port, token):
        status, page = request(port, "GET", f"/?token={token}")
        assert (status, token in page) == (200, True)
        assert request(port, "GET", "/")[0] == 403
        assert request(port, "GET", f"/?token={token}", Host="evil.example")[0] == 403
        assert request(port, "GET", "/static/exercise.js")[0] == 200
        assert request(port, "GET", "/static/../server.py")[0] == 404
        status, found = ask(port, token, kind="check", name="mine", text=":- a(1,1,1).")
        assert (status, list(found)) == (200, ["findings"])
        process.send_signal(signal.SIGINT)
        assert process.wait(SOON) == 0


def answered(port, token, **question):
    """The status and the content of the answer, as a page asks: again if the server is busy."""
    while (answer := ask(port, token, **question))[0] == BUSY:
        time.sleep(0.1)
    return answer


@pytest.mark.slow
@needs_flask
def test_thirty_clients_are_answered():
    with served("." * 16, "--time-limit-each", "60") as (_, port, token):
        answers = {}

        def ask_about(line):
            text = "%\n" * (line - 1) + ":- a(1,1,N), M > 2.\n"
            assert request(port, "GET", f"/?token={token}")[0] == 200
            answers[line] = answered(port, token, kind="check", name="mine", text=text)

        threads = [threading.Thread(target=ask_about, args=[line]) for line in range(1, 31)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert {status for status, _ in answers.values()} == {200}
        assert [(line, answers[line][1]["findings"][0]["line"]) for line in sorted(answers)] == [
            (line, line) for line in range(1, 31)
        ]


@pytest.mark.slow
@needs_flask
def test_hostile_questions_do_not_stop_others():
    attacks = []
    for text in HOSTILE:
        rule = {"name": "mine", "text": text}
        attacks.append({"kind": "hint", "puzzle": "." * 81, "own": [rule]})
        attacks.append({"kind": "equal", "reference": "anti-knight", **rule})
    with served("." * 16, "--time-limit-each", "3") as (_, port, token):
        answers, pages = [], []

        def attack(question):
            answers.append((question["kind"], *answered(port, token, **question)))

        threads = [threading.Thread(target=attack, args=[question]) for question in attacks]
        for thread in threads:
            thread.start()
        while len(answers) < len(attacks) and any(thread.is_alive() for thread in threads):
            pages.append(request(port, "GET", f"/?token={token}")[0])
            time.sleep(0.1)
        for thread in threads:
            thread.join()
        assert set(pages) == {200}
        assert len(answers) == len(attacks)
        for kind, status, answer in answers:
            undecided = kind == "equal" and answer.get("relation") == "undecided"
            assert undecided or (status == 422 and "failed" not in answer["error"])
        status, found = ask(port, token, kind="check", name="mine", text=":- a(1,1,1).")
        assert status == 200 or "more than" in found["error"]  # on a slow machine


@pytest.mark.slow
@needs_flask
def test_forged_requests():
    with served("." * 16) as (_, port, token):
        question = json.dumps({"kind": "check", "name": "mine", "text": ":- a(1,1,1)."})
        headers = {"Content-Type": "application/json", "X-Aspdoku-Token": token}
        for more in ({"Origin": "http://evil.example"}, {"Host": "evil.example"}):
            assert request(port, "POST", "/ask", question, **headers | more)[0] == 403
        for path in ("/static/../server.py", "/static/%2e%2e/server.py", "/../../../etc/passwd"):
            assert request(port, "GET", path)[0] == 404
        assert request(port, "GET", f"http://evil.example/?token={token}")[0] == 403
        with suppress(OSError):  # the connection may be closed while the body is sent
            large = json.dumps({"kind": "check", "name": "mine", "text": "x" * 10_000_000})
            assert request(port, "POST", "/ask", large, **headers)[0] == 413
        with ExitStack() as stack:  # as many unfinished requests as there can be connections
            for _ in range(200):
                slow = stack.enter_context(socket.create_connection(("127.0.0.1", port)))
                slow.sendall(b"POST /ask HTTP/1.1\r\nContent-Length: 1000\r\n")
            assert request(port, "GET", f"/?token={token}")[0] == 200


def started_by(process):
    """The folders in /proc of the processes that a process has started, and of those of theirs."""
    found = []
    for file in Path(f"/proc/{process}/task").glob("*/children"):
        with suppress(OSError):
            for child in file.read_text().split():
                found += [Path(f"/proc/{child}"), *started_by(child)]
    return found


def commands_of(process):
    """The command lines of these processes."""
    for folder in started_by(process):
        with suppress(OSError):
            yield (folder / "cmdline").read_text()


def files_of(process):
    """The files that these processes have opened."""
    for folder in started_by(process):
        with suppress(OSError):
            for file in (folder / "fd").iterdir():
                yield str(file.readlink())


@pytest.mark.slow
@needs_flask
@pytest.mark.skipif(not Path("/proc/self/task").exists(), reason="/proc lists no processes")
def test_a_question_is_cancelled_when_the_client_goes():
    with served("." * 16, "--time-limit-each", "300") as (process, port, token):

        def busy():
            """Whether the server that forks has other processes than the two of the next call."""
            return sum("server_main" in command for command in commands_of(process.pid)) > 3

        def wait_until(condition):
            end = time.monotonic() + 3 * SOON
            while not condition():
                assert time.monotonic() < end
                time.sleep(0.1)

        own = [{"name": "mine", "text": PIGEONS}]
        unused = "x" * 900_000
        body = json.dumps({"kind": "hint", "puzzle": "." * 81, "own": own, "unused": unused})
        headers = {"Content-Type": "application/json", "X-Aspdoku-Token": token}
        with closing(http.client.HTTPConnection("127.0.0.1", port)) as connection:
            connection.request("POST", "/ask", body, headers)
            wait_until(busy)
            # Temporary files are deleted while they are open.
            assert not any("(deleted)" in file for file in files_of(process.pid))
        wait_until(lambda: not busy())


def wake_ups(process):
    """How often a process, and those that it has started, have waited so far."""
    folders = [Path(f"/proc/{process}"), *started_by(process)]
    tasks = [task for folder in folders for task in folder.glob("task/*/status")]
    return sum(int(WAITED.search(task.read_text())[1]) for task in tasks)


@pytest.mark.slow
@needs_flask
@pytest.mark.skipif(not Path("/proc/self/task").exists(), reason="/proc lists no processes")
def test_an_idle_server_waits_for_events():
    """Checks for limits, of the supervising process and of the connections, are rare."""
    with served("--class", "." * 16) as (process, port, token):
        assert request(port, "GET", f"/?token={token}")[0] == 200
        time.sleep(2)
        before = wake_ups(process.pid)
        time.sleep(4)
        assert wake_ups(process.pid) - before <= 20


def memory_of(process):
    """The resident memory of the processes that a process has started, in MB."""
    texts = []
    for folder in started_by(process):
        with suppress(OSError):
            texts.append((folder / "status").read_text())
    return sum(int(found[1]) for text in texts if (found := RESIDENT.search(text))) // 1024


def pipelined(port, address, content):
    """A connection from this address that asks often, and reads nothing."""
    with ExitStack() as stack:
        connection = stack.enter_context(socket.socket())
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        connection.settimeout(1)
        connection.bind((address, 0))
        connection.connect(("127.0.0.1", port))
        with suppress(OSError):  # closed, or full
            connection.sendall(content)
        stack.pop_all()
        return connection


def is_closed(connection):
    """Whether the server has closed a connection from which nothing is read."""
    return TCP_INFO and connection.getsockopt(socket.IPPROTO_TCP, TCP_INFO, 1) != ESTABLISHED


@pytest.mark.slow
@needs_flask
@pytest.mark.skipif(not TCP_INFO, reason="other systems have one loopback address")
@pytest.mark.parametrize(
    "attack",
    [
        "GET /static/clingo.wasm.gz HTTP/1.1\r\nHost: {host}\r\n\r\n",
        "GET /static/live.js HTTP/1.1\r\nHost: {host}\r\n\r\n",
        "GET /?token={code} HTTP/1.1\r\nHost: {host}\r\n\r\n",
    ],
    ids=["the engine", "a script", "a client with the code"],
)
def test_connections_that_are_not_read_do_not_stop_others(attack):
    """Two addresses have as many connections as they can, all of which ask and read nothing."""
    with ExitStack() as stack, served("--class", "example:anti-knight") as (process, port, code):
        content = attack.format(host=f"127.0.0.1:{port}", code=code).encode() * 150
        places = [address for address in ("127.0.0.2", "127.0.0.3") for _ in range(40)]
        held = [stack.enter_context(pipelined(port, each, content)) for each in places]
        for number in range(6):
            time.sleep(2)
            for place, address in enumerate(places):
                if is_closed(held[place]):
                    held[place].close()
                    held[place] = stack.enter_context(pipelined(port, address, content))
            assert request(port, "GET", f"/?token={code}")[0] == 200
            assert answered(port, code, kind="check", name=f"a{number}", text="")[0] == 200
            assert memory_of(process.pid) < 400


def mark(port, code, text):
    return ask(port, code, kind="mark", exercise=0, client="one", name="mine", text=text)


@pytest.mark.slow
@needs_flask
def test_an_exercise_for_a_class(tmp_path):
    secret = "a_name_of_the_reference"
    (tmp_path / "reference.lp").write_text(
        f"% {secret}\n#defined ab/1.\n{secret}(1).\n"
        f":- {secret}(X), a(X,1,N), a(X,4,N+1), not ab(reference).\n"
    )
    arguments = ["--class", "--exercise", tmp_path / "reference.lp", "--task", "<b>Write it.</b>"]
    with served(*arguments) as (_, port, code):
        status, join = request(port, "GET", "/")
        assert (status, code in join) == (200, False)
        status, page = request(port, "GET", f"/?token={code}")
        assert (status, "<b>" in page, secret in page) == (200, False, False)
        join = ask(port, code, kind="join", client="one")[1]
        assert [each["task"] for each in join["exercises"]] == ["<b>Write it.</b>"]
        text = "#defined ab/1.\n:- a(1,1,N), a(1,4,N+1), not ab(mine).\n"
        status, found = mark(port, code, text)
        assert (status, found["verdict"]) == (200, "right")
        assert secret not in json.dumps(found)
        assert ask(port, code, kind="load", puzzle="." * 16)[0] == 422


@pytest.mark.slow
@needs_flask
def test_a_reference_on_the_path_is_hidden(tmp_path, monkeypatch):
    """As one that is given by its path."""
    (tmp_path / "ref.lp").write_text("% The secret solution.\n:- a(1,1,N), a(1,4,N+1).\n")
    monkeypatch.setenv("ASPDOKU_PATH", str(tmp_path))
    monkeypatch.setattr("serving.environment", lambda: os.environ)
    with served("--class", "--exercise", "ref") as (_, port, code):
        page = request(port, "GET", f"/?token={code}")[1]
        assert "Write a rule that is equivalent to the reference." in page
        found = mark(port, code, ":- a(1,1,1).")
        assert not any(word in str((page, found)) for word in ("secret", "ref.lp", str(tmp_path)))


@pytest.mark.parametrize("host", ["0.0.0.0", "::"])
def test_the_printed_addresses_are_those_of_this_machine(host, monkeypatch):
    """A class types them: many networks do not know the name of the machine."""
    family = socket.AF_INET6 if host == "::" else socket.AF_INET
    found = [address.strip("[]") for address in web._addresses(host)]
    if found != [socket.gethostname()]:  # a machine without a network
        assert not any(ip_address(address).is_loopback for address in found)
        with socket.create_server((host, 0), family=family) as listener:
            for address in found:
                socket.create_connection((address, listener.getsockname()[1]), SOON).close()
    monkeypatch.setattr(web, "_own_addresses", lambda _: iter(["10.0.0.7", "fd00::7", "10.0.0.7"]))
    assert web._addresses(host) == ["10.0.0.7", "[fd00::7]"]
    monkeypatch.setattr(web, "_own_addresses", lambda _: iter([]))
    assert web._addresses(host) == [socket.gethostname()]
    assert web._addresses("192.0.2.5") == ["192.0.2.5"]
