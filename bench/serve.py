"""A class at `aspdoku serve`: thirty clients of a live page for a minute, and sixty clients of an
exercise for five (`--seconds`), on the loopback interface.

Each client opens the page with its files, and then asks questions, with pauses in between, as a
page does: upon "busy" it asks again after a second. The numbers and texts in most questions differ,
since the server keeps answers. Every answer is compared with that of the functions in this process.
The lower bound of an answer is a call in a child process of its own.

The clients of the exercise hand in rules of five kinds, while the wall is shown, and two more
addresses hand in rules that never end and read no answers. Each verdict is compared with the one
that the rule deserves. The time of a hand-in that a known counterexample refutes is measured before
that, while the server is idle.
"""

from __future__ import annotations

import argparse
import http.client
import json
import random
import re
import socket
import statistics
import subprocess
import sys
import threading
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Any, NamedTuple

import measure
from start_up import ASPDOKU

from aspdoku.runtime.child import Limits, run_limited
from aspdoku.web.page import STYLES, scripts, static
from aspdoku.web.questions import QUESTIONS

CLIENTS, SECONDS, SEED = 30, 60.0, 1
# Seconds between the questions of a client; a page waits as long when the server is busy.
PAUSE, BUSY_PAUSE, TRIES = (5.0, 15.0), 1.0, 20
OK, BUSY, TIMEOUT = 200, 503, 120.0
STARTS = 11
FILES = [*STYLES, *scripts(), "clingo.js", "worker.js", "clingo.wasm.gz"]
PUZZLE = "1... ..3. .4.. 2..."
# The same for an exercise: students think longer before they hand in.
STUDENTS, CLASS_SECONDS, HAND_IN_PAUSE, TRIES_TO_HAND_IN = 60, 300.0, (20.0, 60.0), 60
JOIN_EVERY, WALL_EVERY = 5.0, 2.0
HAND_INS = {
    ":- a(R,C,N), a(R1,C1,N), |R1-R| * |C1-C| == 2.": "right",
    ":- a(R,C,N), a(R1,C1,N), |R1-R| + |C1-C| == 3.": "right",
    ":- a(R,C,N), a(R+1,C+2,N).": "too lax",
    ":- a(R,C,N), a(R1,C1,N), |R1-R| + |C1-C| <= 3, R1 != R.": "too strict",
    ":- a(R,C,N), a(R+1,C+2,N)": "cannot be used",
}
KNOWN, ENDLESS = ":- a(R,C,N), a(R+1,C+2,N).", "p(0). p(X+1) :- p(X). :- p(3)."
HOSTILE = 2
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
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=CLASS_SECONDS, help="of the exercise")
    seconds = parser.parse_args().seconds
    answers: list[Answer] = []
    with served("--class", "example:killer") as (port, token, _):
        end = time.monotonic() + SECONDS
        together(
            threading.Thread(target=client, args=[number, port, token, end, answers])
            for number in range(CLIENTS)
        )
    with served("--class", "--exercise", "anti-knight", "--time-limit-each", "5") as (
        port,
        token,
        lecturer,
    ):
        times = measure.interleaved(
            {"known": lambda: handed_in(port, token, KNOWN), "empty": started}, STARTS
        )
        found = exercise(port, token, lecturer, seconds)
    report(answers, times, found, seconds)


def together(threads: Iterator[threading.Thread]) -> None:
    """Run threads to their end."""
    begun = list(threads)
    for thread in begun:
        thread.start()
    for thread in begun:
        thread.join()


@contextmanager
def served(*arguments: str) -> Iterator[tuple[int, str, str]]:
    """A running server: its port, its token, and that of the lecturer of an exercise."""
    command = [ASPDOKU, "serve", *arguments]
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, text=True, env=measure.ENVIRONMENT
    ) as process:
        try:
            assert process.stdout is not None
            found = re.search(r":(\d+)/(?:\?token=|  join code: )(\S+)", process.stdout.readline())
            if not found:
                sys.exit("aspdoku serve did not start: is the extra aspdoku[web] installed?")
            lecturer = ""
            if "--exercise" in arguments:
                lecturer = process.stdout.readline().partition("token=")[2].split()[0]
            yield int(found[1]), found[2], lecturer
        finally:
            process.terminate()


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


class HandIn(NamedTuple):
    """A hand-in of the exercise: see `Answer`; the verdict is empty if there was no answer."""

    text: str
    seconds: float
    busy: int
    verdict: str


def handed_in(
    port: int, token: str, rule: str, address: str = "127.0.0.1", version: int = 0
) -> HandIn:
    """Hand in a rule as the client of this address."""
    question = {"kind": "mark", "exercise": 0, "name": "mine", "text": f"{rule}\n% {version}\n"}
    question["client"] = address.replace(".", "-")
    found = answered(address, port, token, question, TRIES_TO_HAND_IN)
    verdict = json.loads(found.found)["verdict"] if found.found else ""
    return HandIn(rule, found.seconds, found.busy, verdict)


def exercise(
    port: int, token: str, lecturer: str, seconds: float
) -> tuple[list[HandIn], list[float], dict[str, Any]]:
    """The hand-ins of a class, the seconds for each answer to the wall, and the last wall."""
    end = time.monotonic() + seconds
    hand_ins: list[HandIn] = []
    waits: list[float] = []

    def student(number: int) -> None:
        chance = random.Random(SEED + number)
        address = f"127.0.1.{number + 1}"
        next_one = time.monotonic() + chance.uniform(0, HAND_IN_PAUSE[1])
        while time.monotonic() < end:
            asked = {"kind": "join", "client": address.replace(".", "-")}
            answered(address, port, token, asked)
            if time.monotonic() >= next_one:
                rule, version = chance.choice([*HAND_INS]), chance.randrange(10**6)
                hand_ins.append(handed_in(port, token, rule, address, version))
                next_one = time.monotonic() + chance.uniform(*HAND_IN_PAUSE)
            time.sleep(JOIN_EVERY)

    def hostile(number: int) -> None:
        address = f"127.0.2.{number // 10 + 1}"
        while time.monotonic() < end:
            if number % 10:
                handed_in(port, token, ENDLESS, address, random.randrange(10**6))
                time.sleep(0.1)
            else:
                unread(port, address, token, end)

    def wall() -> None:
        while time.monotonic() < end:
            waits.append(answered("127.0.0.1", port, lecturer, {"kind": "wall"}).seconds)
            time.sleep(WALL_EVERY)

    together(
        threading.Thread(target=target, args=arguments)
        for target, arguments in [
            *((student, [number]) for number in range(STUDENTS)),
            *((hostile, [number]) for number in range(10 * HOSTILE)),
            (wall, []),
        ]
    )
    last = answered("127.0.0.1", port, lecturer, {"kind": "wall"}).found
    return hand_ins, waits, json.loads(last or b"{}")


def unread(port: int, address: str, token: str, end: float) -> None:
    """Ask for the page many times on one connection, and read nothing."""
    page = f"GET /?token={token} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\n\r\n".encode()
    with socket.socket() as connection, suppress(OSError):
        connection.settimeout(1)
        connection.bind((address, 0))
        connection.connect(("127.0.0.1", port))
        connection.sendall(150 * page)
        time.sleep(max(0.0, min(2.0, end - time.monotonic())))


def answered(
    address: str, port: int, token: str, asked: dict[str, Any], tries: int = TRIES
) -> Answer:
    """Ask a question until the server is not busy."""
    began = time.perf_counter()
    headers = {"Content-Type": "application/json", "X-Aspdoku-Token": token}
    body = json.dumps(asked).encode()
    busy, found = 0, b""
    while busy < tries:
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
        "127.0.0.1", port, timeout=TIMEOUT, source_address=(address, 0)
    )
    try:
        connection.request(method, path, body, headers or {})
        found = connection.getresponse()
        return found.status, found.read()
    except OSError:
        return 0, b""
    finally:
        connection.close()


def report(
    answers: list[Answer],
    times: measure.Times,
    found: tuple[list[HandIn], list[float], dict[str, Any]],
    class_seconds: float,
) -> None:
    hand_ins, waits, last = found
    medians = measure.medians(times)
    kinds = []
    for verdict in sorted({*HAND_INS.values()}):
        of_kind = [each for each in hand_ins if HAND_INS[each.text] == verdict]
        taken = sorted(each.seconds for each in of_kind) or [0.0]
        kinds.append(
            [
                verdict,
                str(len(of_kind)),
                *(f"{each:.2f}" for each in (statistics.median(taken), taken[-1])),
                str(sum(each.busy for each in of_kind)),
            ]
        )
    verdicts = [(each.verdict, HAND_INS[each.text]) for each in hand_ins]
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
        f"An exercise: {STUDENTS} clients for {class_seconds:g} s, and {HOSTILE} hostile addresses",
        measure.table(["hand-in", "answers", "median s", "slowest s", "busy"], kinds),
        f"{last.get('handed')} of {last.get('joined')} clients have handed in; the slowest answer"
        f" to the wall took {max(waits):.2f} s.",
        measure.goal("lost hand-ins", sum(not verdict for verdict, _ in verdicts), 0),
        measure.goal("wrong verdicts", sum(bool(one) and one != two for one, two in verdicts), 0),
        measure.goal(
            "hand-in that a known counterexample refutes, to an empty call in a child process",
            medians["known"] / medians["empty"],
            2,
        ),
    )


def started() -> float:
    """Seconds of a call that does nothing in a child process."""
    began = time.perf_counter()
    run_limited(Limits(), int)
    return time.perf_counter() - began


if __name__ == "__main__":
    main()
