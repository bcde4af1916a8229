"""Results of many puzzles, a line each, and how far a file of them has come."""

from __future__ import annotations

import csv
import io
import json
import os
import re
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple, get_args

from aspdoku.engine.batch import Result, Status
from aspdoku.errors import AspdokuError
from aspdoku.puzzle.formats import oneline

FORMATS = ("line", "jsonl", "csv")
_HEADER = "line,status,solution,reason\n"
_FIRST = '{"line": 1, "status": '
_SIGNS = re.compile("[1-9A-Z]+|-")
_STATUS = rf"({'|'.join(get_args(Status))})"
_LINES = {
    "line": re.compile(rf"(?:{_SIGNS.pattern}) {_STATUS}(?:: .*)?\n"),
    "jsonl": re.compile(rf'{{"line": \d+, "status": "{_STATUS}", .*}}\n'),
    "csv": re.compile(rf"\d+,{_STATUS},.*,.*\n"),
}
# What a puzzle may come to today and not tomorrow.
_UNSETTLED = ("timed out", "crashed")


class Done(NamedTuple):
    """How far a file of results has come: how many there are, the last of them, its status, its line, and its end in bytes."""

    results: int = 0
    last: str = ""
    status: str = ""
    line: int = 0
    end: int = 0

    @property
    def settled(self) -> bool:
        """Whether the last result is the same whenever it is asked for."""
        return self.status not in _UNSETTLED

    def agrees(self, result: Result, text: str) -> bool:
        """Whether the last result can be this one, which is written like this; which of several solutions is found may change."""
        return text == self.last or result.status in _UNSETTLED or result.status == self.status == "several"


def head(format_: str) -> str:
    """What stands above the results."""
    return _HEADER if format_ == "csv" else ""


def writer(format_: str) -> Callable[[int, Result], str]:
    """What makes a line of output of the number of an input line, counted from 1, and its result."""
    return {"line": _line, "jsonl": _jsonl, "csv": _csv}[format_]


def done(path: Path, format_: str) -> Done:
    """How far a file has come; nowhere if it is none, or holds no whole result.

    Raises AspdokuError where the file holds something else.
    """
    if not path.is_file():
        return Done()
    lines, last, end = 0, b"", 0
    with path.open("rb") as file:
        for line in file:
            if not lines and not _may_begin(line.decode(errors="replace"), format_):
                raise AspdokuError(f"{path} does not hold results in the format {format_}: it cannot be resumed")
            if line.endswith(b"\n"):
                lines, last, end = lines + 1, line, end + len(line)
    results = lines - len(head(format_).splitlines())
    if results <= 0:
        return Done()
    text = last.decode(errors="replace")
    found = _LINES[format_].fullmatch(text)
    return Done(results, text, found[1] if found else "", lines, end)


def cut(path: Path, done: Done) -> None:
    """Cut off what stands behind the last whole result of a file."""
    if path.is_file():
        os.truncate(path, done.end)


def _may_begin(line: str, format_: str) -> bool:
    """Whether a file of results may begin with this line, which may be unfinished."""
    if format_ == "csv":
        return _agree(line, _HEADER)
    if format_ == "jsonl":
        return _agree(line, _FIRST)
    signs, _, rest = line.partition(" ")
    return bool(_SIGNS.fullmatch(signs)) and any(
        _agree(rest, status + end) for status in get_args(Status) for end in (": ", "\n")
    )


def _agree(text: str, other: str) -> bool:
    """Whether one of them is the beginning of the other."""
    return text.startswith(other) or other.startswith(text)


def _line(_: int, result: Result) -> str:
    reason = f": {_one_line(result)}" if result.reason else ""
    return f"{oneline.write(result.numbers) or '-'} {result.status}{reason}\n"


def _jsonl(number: int, result: Result) -> str:
    solution = oneline.write(result.numbers) or None
    return json.dumps({"line": number, "status": result.status, "solution": solution, "reason": _one_line(result)}) + "\n"


def _csv(number: int, result: Result) -> str:
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerow([number, result.status, oneline.write(result.numbers), _one_line(result)])
    return text.getvalue()


def _one_line(result: Result) -> str:
    return "; ".join(result.reason.splitlines())
