"""Runs `aspdoku`: in this process if only the output matters, in a separate one for signals, pipes
and terminals.
"""

import os
import pty
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

from click.testing import CliRunner, Result

from aspdoku.cli import MODULES, cli

ROOT = Path(__file__).parents[2]
ASP = ROOT / "asp"
INSTANCES = ROOT / "instances"
ELABORATIONS = sorted(file.stem for file in (ASP / "elaborations").glob("*.lp"))
COMMAND = [sys.executable, "-m", "aspdoku"]
SOON = 20  # seconds within which every process ends, even on a busy machine
# Grounding this never ends.
ENDLESS = "endless(1).\nendless(X+1) :- endless(X).\n"
# The end of the only line that is printed about this rule before grounding.
GROWS = b"its terms may grow without end\n"
# Grounding takes a fifth of a second, solving minutes.
HARD = ["-c", "n=25", "--with", "offset"]
# The number of solutions is practically unlimited.
MANY = ["-c", "n=9", "-n", "0"]


def run(*arguments, given=None) -> Result:
    """Run the command in this process."""
    return CliRunner().invoke(cli, [str(argument) for argument in arguments], input=given)


def commands_with(option):
    """The commands with this option."""
    helps = {name: run("help", name).stdout for name in MODULES}
    return {name for name, text in helps.items() if re.search(rf"{option}\b", text)}


def without_schema(document):
    """A JSON object without the name of its schema."""
    return {key: value for key, value in document.items() if key != "schema"}


def environment(**changes):
    """The environment of a process with these changes; None removes a variable."""
    unset = ("ASPDOKU_PATH", "NO_COLOR", "FORCE_COLOR", "_ASPDOKU_COMPLETE")
    changes = dict.fromkeys(unset) | changes
    return {name: value for name, value in (os.environ | changes).items() if value is not None}


def run_process(*arguments, given=b"", cwd=None, **variables):
    """Run the command in a separate process; its output is bytes."""
    command = COMMAND + [str(argument) for argument in arguments]
    return subprocess.run(
        command, input=given, capture_output=True, cwd=cwd, env=environment(**variables), timeout=60
    )


def on_terminal(*arguments, streams=("stdout", "stderr"), meanwhile=None, **variables):
    """What the command writes to a terminal that has these of its streams, and its exit status.

    meanwhile: called once with the process, when it has written something
    """
    ours, theirs = pty.openpty()
    command = COMMAND + [str(argument) for argument in arguments]
    writes = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
    process = subprocess.Popen(
        command,
        **writes | dict.fromkeys(streams, theirs),
        env=environment(**{"TERM": "xterm"} | variables),
    )
    os.close(theirs)
    written = b""
    while part := _read(ours):
        written += part
        if meanwhile:
            meanwhile(process)
            meanwhile = None
    os.close(ours)
    return written.decode().replace("\r\n", "\n"), process.wait(60)


def _read(descriptor):
    try:
        return os.read(descriptor, 65536)
    except OSError:  # how Linux reports the end of a terminal
        return b""


def start(*arguments, cwd=None):
    """Start the command as a process; Ctrl-C interrupts it even if the tests run in the
    background.
    """
    return subprocess.Popen(
        COMMAND + [str(argument) for argument in arguments],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        cwd=cwd,
        env=environment(),
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.default_int_handler),
    )


def worker(process):
    """The process that does the work of a running command: the child of the supervising process."""
    children = Path(f"/proc/{process.pid}/task/{process.pid}/children")
    for _ in range(200):
        if children.exists() and (found := children.read_text().split()):
            return int(found[0])
        time.sleep(0.05)
    raise AssertionError("the command has not begun to work")


def interrupt(process):
    """Send Ctrl-C; return what the process wrote to both streams, and its exit status."""
    process.send_signal(signal.SIGINT)
    try:
        out, err = process.communicate(timeout=SOON)
    finally:
        process.kill()
    assert b"Traceback" not in err
    return out.decode(), err.decode(), process.returncode


def wait_until_it_works(process):
    """Wait until the process has a second thread, in which clingo grounds or solves."""
    status = Path(f"/proc/{worker(process)}/status")
    seen = 0
    for _ in range(400):
        threads = re.search(r"Threads:\s+(\d+)", status.read_text()) if status.exists() else None
        seen = seen + 1 if threads and int(threads[1]) > 1 else 0
        if seen == 10:  # a thread that waits while a rule file is parsed ends soon
            return
        time.sleep(0.05)
    if status.exists():
        raise AssertionError("the process has not begun to work")
    time.sleep(2)


def grids(text):
    """The grids that `solve` printed, separated by blank lines.

    Separator lines and other text are left out.
    """
    found = []
    for block in text.split("\n\n"):
        rows = [line.replace("|", " ").split() for line in block.splitlines()]
        rows = [row for row in rows if row and all(word.isdigit() for word in row)]
        if rows:
            found.append([list(map(int, row)) for row in rows])
    return found


def grid_of_line(line):
    size = round(len(line) ** 0.5)
    numbers = ["0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ".index(sign) for sign in line]
    return [numbers[start : start + size] for start in range(0, len(numbers), size)]


def grid_of_facts(text):
    held = {
        (int(r), int(c)): int(number)
        for r, c, number in re.findall(r"\ba\((\d+),(\d+),(\d+)\)\.", text)
    }
    size = max(r for r, _ in held)
    return [[held[r, c] for c in range(1, size + 1)] for r in range(1, size + 1)]
