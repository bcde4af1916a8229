"""`aspdoku serve`: the live page with answers to questions that need Python, or an exercise; and
`aspdoku lesson`.
"""

from __future__ import annotations

import socket
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from ipaddress import ip_address
from pathlib import Path
from typing import Any, TypeAlias

import click
from click import option

from aspdoku.cli import options
from aspdoku.cli.echo import echo, warn, write_to

# How a class joins, as `web.classroom.joining` describes it.
Join: TypeAlias = dict[str, Any] | None
# The packages of the server, the extra that installs them, and their modules.
_SERVER = ("Flask and waitress", "web", "flask", "waitress")
_MEGABYTE = 1 << 20
# For each of the questions that are answered at the same time.
_MEMORY = 512 * _MEGABYTE


def server_options(function: Callable[..., None]) -> Callable[..., None]:
    """The options of commands that serve pages: the address, a class and its folder, limits."""
    for each in (
        options.each_limit_option("question", 2),
        option(
            "-o",
            "--output",
            "folder",
            metavar="FOLDER",
            type=click.Path(path_type=Path),
            help="Save each hand-in with its verdict in this folder, which must be new or empty.",
        ),
        options.flag("--class", "classroom", help="Let a class join, with a code."),
        options.natural(
            "--port",
            most=65535,
            default=0,
            show_default=False,
            help="The port to listen at.  [default: a free one]",
        ),
        option("--host", default="127.0.0.1", help="The address to listen at."),
    ):
        function = each(function)
    return function


@options.puzzle_command(
    "Serve the live page, or exercises for a class.",
    (),
    requiring={"--task": "--exercise", "-o": "--exercise"},
)
@server_options
@option(
    "--exercise",
    "exercises",
    metavar="RULE",
    type=options.RULE,
    multiple=True,
    help="Serve the exercise to write this rule, instead of the live page. Repeat it for several.",
)
@option(
    "--task",
    "tasks",
    metavar="TEXT",
    multiple=True,
    help="The text of an exercise: the first one is about the first exercise.  [default: the title"
    " of a bundled rule]",
)
def serve(
    request: options.Request, exercises: tuple[str, ...], tasks: tuple[str, ...], **server: Any
) -> None:
    """Serve the live page of a puzzle to a browser, until Ctrl-C.

    The printed address contains a token, without which nothing is answered. Puzzles are solved in
    the browser. Questions that need Python, such as `check` and `explain`, are answered here, each
    in a child process with limits: explanations of bundled rules may take five times as long as
    --time-limit-each, two at a time. Nothing is written to disk without -o.

    With --exercise, the page accepts solutions, and shows the verdict, the findings and a grid on
    which the solution is wrong, as `aspdoku check --against RULE`. The text of RULE is not sent,
    but its comments `% hint: TEXT` are shown one by one on request. The live page contains, of your
    own rules, those that the puzzle uses.

    The second address is that of the wall, for the lecturer only: how many have joined and handed
    in, their answers without names in groups by the same grid, the next exercise, a clock, and
    "guess the rule". -o saves each hand-in as FOLDER/exercise-1-client-01-1.lp, where clients are
    numbered, with its verdict as the last comment, and the table that `check --against` prints as
    FOLDER/assessments.txt.

    Other machines can only connect with --class, for example with --host 0.0.0.0. The address then
    asks for a join code. The connection is not encrypted.

    Needs the extra aspdoku[web].

    Exit status: 0 ended by Ctrl-C, 65 bad input.

    \b
    aspdoku serve --with anti-knight grid.txt
    aspdoku serve --host 0.0.0.0 --class --exercise ./reference.lp --task 'No two equal neighbours.'
    aspdoku serve --class --exercise offset --exercise anti-knight -o answers
    """
    options.require_packages("serve", *_SERVER)
    if exercises and not request.names_no_puzzle:
        raise click.UsageError("--exercise takes no puzzle and no rules")
    if len(tasks) > len(exercises):
        raise click.UsageError("more --task than --exercise: state at most one for each")
    require_class(**server)
    from aspdoku.web.page import live_page

    def alone(token: str) -> str:
        return live_page(request.program(), server=True, token=token)

    serve_pages(alone, exercises or None, tasks, **server)


@options.command(
    short_help="Show a lesson, check it, or write it as a page.",
    excluding=[f"--check --handout --sheet {name}" for name in ("--class", "--host", "--port")],
    requiring={"-o": "--class"},
)
@click.argument("file", metavar="FILE.md", type=options.Completed("lesson"))
@options.flag("--check", help="Only check the file, and print its steps, minutes and numbers.")
@option(
    "--handout",
    metavar="PAGE.html",
    type=options.OUTPUT,
    help="Write the lesson as one page, which needs no network.",
)
@option(
    "--sheet",
    metavar="PAGE.html",
    type=options.OUTPUT,
    help="Write sheets to print: tasks for students, and a second page with answers.",
)
@server_options
@options.limit_options
def lesson(file: str, check: bool, handout: Path | None, sheet: Path | None, **server: Any) -> None:
    """Show a lesson in a browser, until Ctrl-C: steps with a sentence, a board, the tower of rules,
    a question and its answer, and notes in a second window.

    FILE.md is Markdown that reads as a handout (docs/lesson.md describes it), or the name of a
    bundled lesson: hour, fifteen. All numbers are computed. A mistake, and a line `expect:` that
    does not hold, is an error with file and line.

    With --class, students write the exercises that the file names, as with `aspdoku serve --class`:
    the key J shows the join code, W opens the wall. To show a lesson needs the extra aspdoku[web];
    the others do not.

    Exit status: 0, 65 a mistake in the lesson, 124 time limit, 130 interrupted.

    \b
    aspdoku lesson hour
    aspdoku lesson --check mine.md
    aspdoku lesson --handout hour.html hour
    aspdoku lesson --host 0.0.0.0 --class -o answers mine.md
    """
    from aspdoku.lesson import lesson as read
    from aspdoku.lesson import lesson_file, summary

    require_class(**server)
    if page := handout or sheet:
        options.require_page(page, "--handout" if handout else "--sheet")
        write_to(page)
    elif not check:
        options.require_packages("lesson", *_SERVER)
    shown_lesson = read(lesson_file(file), file, time_limit=options.seconds_left())
    if check:
        echo(summary(shown_lesson))
        return
    from aspdoku.web.lesson_page import lesson_data, lesson_handout, lesson_sheet

    data = lesson_data(shown_lesson)
    if page:
        echo(lesson_handout(data) if handout else lesson_sheet(data), nl=False)
        return
    from aspdoku.program.library import is_bundled
    from aspdoku.web.lesson_page import join_parts, lesson_page

    def shown(token: str, join: Join = None) -> str:
        parts = join and join_parts(join, f"/wall?token={token}")
        return lesson_page(data, token=token, join=parts)

    names = [rule.name if is_bundled(rule) else str(rule.path) for rule in shown_lesson.exercises]
    exercises, tasks = (names, shown_lesson.file.tasks) if server["classroom"] else (None, ())
    serve_pages(shown, exercises, tasks, {"lesson": shown}, **server)


def serve_pages(
    alone: Callable[[str], str],
    exercises: Sequence[str] | None,
    tasks: Sequence[str],
    lecturer_pages: Mapping[str, Callable[[str, Join], str]] = {},
    *,
    host: str,
    port: int,
    each_limit: float,
    classroom: bool,
    folder: Path | None,
) -> None:
    """Print the addresses of pages, and serve them until the process is interrupted.

    alone: makes the page without a class, with a token
    exercises: of the class, perhaps none; None for a page without a class
    lecturer_pages: make those besides the wall by their paths, with the token of the lecturer and
        how a class joins
    """
    from aspdoku.runtime.child import Limits
    from aspdoku.runtime.fork_server import fork_server
    from aspdoku.web.class_page import student_page, wall_page
    from aspdoku.web.classroom import Classroom, joining
    from aspdoku.web.server import Site, listen, new_token
    from aspdoku.web.server import serve as serve_site

    limits = Limits(each_limit, _MEMORY)
    room = None if exercises is None else Classroom.of(exercises, tasks, limits, folder)
    token, lecturer = new_token(classroom), new_token(False) if room else ""
    with listen(host, port) as listener, fork_server("aspdoku.web.warm") as run:
        port = listener.getsockname()[1]
        addresses = [f"http://{address}:{port}/" for address in _addresses(host)]
        join = joining(addresses, token) if room and classroom else None
        if join and not join["qr"]:
            warn("no QR code: that needs segno; install it with: pip install 'aspdoku[web]'")
        others: dict[str, str] = {}
        if room:
            others = {path: make(lecturer, join) for path, make in lecturer_pages.items()}
            others["wall"] = wall_page(room.exercises(), join, lecturer)
        page = student_page(room.exercises(), token) if room else alone(token)
        if not _is_loopback(host):
            warn("every machine in the network can connect, without encryption")
        secret = f"  join code: {token}" if classroom else f"?token={token}"
        for address in addresses:
            echo(f"{address}{secret}")
        own = _in_address({"0.0.0.0": "127.0.0.1", "::": "::1"}.get(host, host))
        for name in others:  # in a browser on this machine
            echo(f"http://{own}:{port}/{name}?token={lecturer}  for the lecturer")
        site = Site(page, token, port, limits, classroom, room, lecturer, others, run=run)
        serve_site(site, listener)


def require_class(host: str, classroom: bool, **_: object) -> None:
    """Raise UsageError if other machines could connect without a code."""
    if not classroom and not _is_loopback(host):
        raise click.UsageError(f"--host {host} lets other machines connect: it requires --class")


def _is_loopback(host: str) -> bool:
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


def _addresses(host: str) -> list[str]:
    """The hosts in the addresses for clients: those of this machine that students can type."""
    hosts = [host]
    if host in ("0.0.0.0", "::"):
        family = socket.AF_INET6 if ":" in host else socket.AF_INET
        hosts = list(dict.fromkeys(_own_addresses(family))) or [socket.gethostname()]
    return list(map(_in_address, hosts))


def _in_address(host: str) -> str:
    return f"[{host}]" if ":" in host else host


# Addresses for documentation, of no machine (RFC 5737, RFC 3849).
_REMOTE = {socket.AF_INET: "192.0.2.1", socket.AF_INET6: "2001:db8::1"}


def _own_addresses(family: socket.AddressFamily) -> Iterator[str]:
    """The address from which other machines are reached, and those of this machine's name."""
    # Connecting a UDP socket sends nothing.
    with suppress(OSError), socket.socket(family, socket.SOCK_DGRAM) as probe:
        probe.connect((_REMOTE[family], 9))
        yield probe.getsockname()[0]
    with suppress(OSError):
        for *_, (address, *_) in socket.getaddrinfo(socket.gethostname(), None, family):
            if not (ip_address(address).is_loopback or ip_address(address).is_link_local):
                yield str(address)
