"""Vet the text of an untrusted rule file with clingo's own parser, in a sandboxed child process.

Whether a file runs code, reads other files, or is nested so deeply that it would crash clingo is
decided on clingo's syntax tree, never by searching the text: two lexers may disagree about what is
a comment. The child process (`vetting_process.py`) cannot open files and is limited in memory and
time. Only text that it has accepted is parsed in this process.
"""

from __future__ import annotations

import atexit
import json
import os
import subprocess
import sys
import threading
from contextlib import suppress
from functools import lru_cache
from pathlib import Path
from typing import Any, NamedTuple

from aspdoku.errors import RuleError
from aspdoku.signals import postponed

_CHILD = Path(__file__).with_name("vetting_process.py")
# Generous: the largest file that is accepted takes a second or two.
SECONDS = 20.0


class VettingResult(NamedTuple):
    """The result of vetting a text. A valid text has neither errors nor refusals.

    errors: the parser's messages
    refusals: (line, column, message) for each construct that rule files may not contain; line 0 for
    the file as a whole
    unsafe: messages about unsafe variables
    """

    errors: tuple[str, ...] = ()
    refusals: tuple[tuple[int, int, str], ...] = ()
    unsafe: tuple[str, ...] = ()


@lru_cache(maxsize=256)
def vet(text: str) -> VettingResult:
    """Vet the text of a rule file.

    Raises RuleError if the child process cannot be started.
    """
    if "\0" in text:  # where clingo would stop reading
        return VettingResult(refusals=((0, 0, "not a text file (it contains a NUL)"),))
    try:
        text.encode()
    except UnicodeEncodeError:
        return VettingResult(refusals=((0, 0, "not a text file (it contains a lone surrogate)"),))
    for _ in range(2):  # the process may have been killed for an unrelated reason
        try:
            answer = _parser.ask(text)
        except TimeoutError:
            return VettingResult(
                refusals=((0, 0, f"clingo's parser did not finish this file within {SECONDS:g} s"),)
            )
        except EOFError:
            continue
        refusals = tuple((line, column, reason) for line, column, reason in answer["refusals"])
        return VettingResult(tuple(answer["errors"]), refusals, tuple(answer["unsafe"]))
    reason = (
        "clingo's parser crashed on this file: a statement may be too long or nested too deeply"
    )
    return VettingResult(refusals=((0, 0, reason),))


class _Parser:
    """The child process.

    It is started for the first text and runs until this process ends or a text crashes it.
    """

    def __init__(self) -> None:
        self._child: subprocess.Popen[bytes] | None = None
        self._owner = 0
        self._lock = threading.Lock()

    def ask(self, text: str) -> dict[str, list[Any]]:
        """The child's answer.

        Raises TimeoutError if it takes too long, EOFError if the child ends instead.
        """
        with self._lock:
            child = self._running()
            try:
                return _exchange(child, json.dumps({"text": text}).encode() + b"\n")
            except BaseException:  # a late answer must not be mistaken for the next one
                self.close()
                raise

    def close(self) -> None:
        """End the child process."""
        child, self._child = self._child, None
        if child is not None and self._owner == os.getpid():
            child.kill()
            with suppress(OSError), child:
                return

    def _running(self) -> subprocess.Popen[bytes]:
        # A forked process would share the pipes to its parent's child.
        if self._child is None or self._owner != os.getpid():
            environment = os.environ | {
                "PYTHONPATH": os.pathsep.join(path for path in sys.path if path)
            }
            pipe = subprocess.PIPE
            command = [sys.executable, "-P", str(_CHILD)]
            try:
                self._child = subprocess.Popen(
                    command, stdin=pipe, stdout=pipe, stderr=subprocess.DEVNULL, env=environment
                )
            except OSError as error:
                raise RuleError(
                    f"cannot start a process to parse rule files: {error.strerror or error}"
                ) from None
            self._owner = os.getpid()
        return self._child


def _exchange(child: subprocess.Popen[bytes], request: bytes) -> dict[str, list[Any]]:
    assert child.stdin is not None
    assert child.stdout is not None
    answers: list[bytes] = []
    reader = threading.Thread(
        target=lambda read: answers.append(read()), args=(child.stdout.readline,), daemon=True
    )
    with postponed:
        reader.start()
    with suppress(OSError):  # a child that has exited does not answer
        child.stdin.write(request)
        child.stdin.flush()
    reader.join(SECONDS)
    if not answers:
        raise TimeoutError
    if not answers[0].endswith(b"\n"):
        raise EOFError
    answer: dict[str, list[Any]] = json.loads(answers[0])
    return answer


_parser = _Parser()
atexit.register(_parser.close)
