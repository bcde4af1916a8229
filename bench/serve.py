"""A class at `aspdoku serve`: thirty clients on the loopback interface for a minute.

Each client opens the page with its files, and then asks questions, with pauses in between, as a
page does: upon "busy" it asks again after a second. The numbers and texts in most questions differ,
since the server keeps answers. Every answer is compared with that of the functions in this process.
The lower bound of an answer is a call in a child process of its own.
"""

from __future__ import annotations

import http.client
import json
import random
import re
import signal
import statistics
import subprocess
import sys
import threading
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, NamedTuple

import measure
from start_up import ASPDOKU

from aspdoku.runtime.child import Limits, run_limited
from aspdoku.web.page import STYLES, scripts, static
from aspdoku.web.questions import QUESTIONS

CLIENTS, SECONDS, SEED = 30, 60.0, 1
# Seconds between the questions of a client; a page waits as long when the server is busy.
PAUSE, BUSY_PAUSE, TRIES = (5.0, 15.0), 1.0, 20
OK, BUSY = 200, 503
STARTS = 11
FILES = [*STYLES, *scripts(), "clingo.js", "worker.js", "clingo.wasm.gz"]
PUZZLE = "1... ..3. .4.. 2..."
RULE = "% Mine, version {version}.\n#defined ab/1.\n:- a(R,C,N), a(R+1,C+{step},N), not ab(mine).\n"


def question(chance: random.Random) -> dict[str, Any]:
    """A random question."""
    numbers = "".join(chance.sample("1234", 4))
    puzzle = PUZZLE.translate(str.maketrans("1234", numbers))
    version = chance.randrange(10**6)
    return chance.choice(
        [
            {"kind": "check", "name": "mine", "text": RULE.format(version=version, step=1)},
            {"kind": "check", "name": "mine", "text": RULE.format(version=version, step="")},
            {"kind": "load", "puzzle": "example:killer"},
            {"kind": "load", "puzzle": numbers[0].rjust(1 + version % 81, ".").ljust(81, ".")},
            {"kind": "explain", "puzzle": puzzle},
            {"kind": "hint", "puzzle": puzzle},
            {"kind": "why", "puzzle": puzzle, "claim": f"r1c2={numbers[2]}"},
            {"kind": "depends", "puzzle": puzzle, "cell": "r1c2"},
            {"kind": "convert", "puzzle": puzzle, "to": "fpuzzles"},
        ]
    )


class Answer(NamedTuple):
    """An answer: the seconds from the first request on, how often the server was busy, and what the
    server returned to a question; empty if there was no answer.

    found: for the page and its files, whether they are right
    """

    asked: dict[str, Any]
    seconds: float
    busy: int
    found: bytes | bool

    @property
    def status(self) -> str:
        """Whether the answer is right, "wrong" or "missing"."""
        if self.found == b"":
            return "missing"
        if isinstance(self.found, bool):
            return "right" if self.found else "wrong"
        expected = json.dumps(QUESTIONS[self.asked["kind"]](self.asked, 60.0))
        return "right" if json.loads(self.found) == json.loads(expected) else "wrong"


def main() -> None:
    answers: list[Answer] = []
    with served("--class", "example:killer") as (port, token):
        end = time.monotonic() + SECONDS
        threads = [
            threading.Thread(target=client, args=[number, port, token, end, answers])
            for number in range(CLIENTS)
        ]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    report(answers)


@contextmanager
def served(*arguments: str) -> Iterator[tuple[int, str]]:
    """A running server: its port and its token."""
    command = [ASPDOKU, "serve", *arguments]
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, text=True, env=measure.ENVIRONMENT
    ) as process:
        try:
            assert process.stdout is not None
            found = re.search(r":(\d+)/(?:\?token=|  join code: )(\S+)", process.stdout.readline())
            if not found:
                sys.exit("aspdoku serve did not start: is the extra aspdoku[web] installed?")
            yield int(found[1]), found[2]
        finally:
            process.send_signal(signal.SIGINT)


def client(number: int, port: int, token: str, end: float, answers: list[Answer]) -> None:
    """Open the page, and ask questions until the end. Each client has an address of its own."""
    chance = random.Random(SEED + number)
    address = f"127.0.0.{2 + number}"
    answers.append(opened(address, port, token))
    while True:
        pause = chance.uniform(*PAUSE)
        if time.monotonic() + pause > end:
            return
        time.sleep(pause)
        answers.append(answered(address, port, token, question(chance)))


def opened(address: str, port: int, token: str) -> Answer:
    """Load the page and its files."""
    began = time.perf_counter()
    page, _ = request(address, port, "GET", f"/?token={token}")
    headers = {"X-Aspdoku-Token": token}  # which the engine needs
    files = [request(address, port, "GET", f"/static/{name}", headers=headers) for name in FILES]
    right = page == OK and files == [(OK, static(name)) for name in FILES]
    seconds = time.perf_counter() - began
    return Answer({"kind": "the page and its files"}, seconds, 0, right)


def answered(address: str, port: int, token: str, asked: dict[str, Any]) -> Answer:
    """Ask a question until the server is not busy."""
    began = time.perf_counter()
    headers = {"Content-Type": "application/json", "X-Aspdoku-Token": token}
    body = json.dumps(asked).encode()
    busy, found = 0, b""
    while busy < TRIES:
        status, content = request(address, port, "POST", "/ask", body, headers)
        if status == OK:
            found = content
        if status != BUSY:
            break
        busy += 1
        time.sleep(BUSY_PAUSE)
    return Answer(asked, time.perf_counter() - began, busy, found)


def request(
    address: str,
    port: int,
    method: str,
    path: str,
    body: bytes | None = None,
    headers: dict[str, str] | None = None,
) -> tuple[int, bytes]:
    """The status and the content of the server's answer to a client with this address.

    The status is 0 if there is none in time.
    """
    connection = http.client.HTTPConnection(
        "127.0.0.1", port, timeout=SECONDS, source_address=(address, 0)
    )
    try:
        connection.request(method, path, body, headers or {})
        found = connection.getresponse()
        return found.status, found.read()
    except OSError:
        return 0, b""
    finally:
        connection.close()


def report(answers: list[Answer]) -> None:
    floor = statistics.median(started() for _ in range(STARTS))
    rows = []
    for kind in sorted({each.asked["kind"] for each in answers}):
        seconds = sorted(each.seconds for each in answers if each.asked["kind"] == kind)
        busy = sum(each.busy for each in answers if each.asked["kind"] == kind)
        rows.append(
            [
                kind,
                str(len(seconds)),
                *(f"{found:.2f}" for found in (statistics.median(seconds), seconds[-1])),
                f"{statistics.median(seconds) / floor:.1f}",
                str(busy),
            ]
        )
    statuses = Counter(each.status for each in answers)
    measure.publish(
        "serve",
        "A class at a server: 30 clients for a minute",
        measure.table(
            ["question", "answers", "median s", "slowest s", "to the floor", "busy"], rows
        ),
        f"Each client asks every {PAUSE[0]:g} to {PAUSE[1]:g} seconds, {TRIES} times at most if"
        " the server is busy; the seconds are those from the first time on. The floor is an empty"
        f" call in a child process, {floor:.2f} s.",
        f"{statuses['missing']} questions had no answer, because the server was busy or the time"
        " limit was reached.",
        measure.goal("wrong answers", statuses["wrong"], 0),
    )


def started() -> float:
    """Seconds of a call that does nothing in a child process."""
    began = time.perf_counter()
    run_limited(Limits(), int)
    return time.perf_counter() - began


if __name__ == "__main__":
    main()
