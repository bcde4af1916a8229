"""Results of many puzzles, a line each, and how far a file of them has come."""

from __future__ import annotations

import csv
import io
import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import IO, get_args

from aspdoku.engine.batch import Result, Status
from aspdoku.errors import AspdokuError
from aspdoku.puzzle.formats import oneline

FORMATS = ("line", "jsonl", "csv")
_HEADER = "line,status,solution,reason\n"
_LINE = re.compile(rf"(?:[1-9A-Z]+|-) (?:{'|'.join(get_args(Status))})(?:: .*)?\n")
_BLOCK = 1 << 20


def head(format_: str) -> str:
    """What stands above the results."""
    return _HEADER if format_ == "csv" else ""


def writer(format_: str) -> Callable[[int, Result], str]:
    """What makes a line of output of the number of an input line, counted from 1, and its result."""
    return {"line": _line, "jsonl": _jsonl, "csv": _csv}[format_]


def done(path: Path, format_: str) -> int:
    """How many results a file holds, once a last line that was not finished is cut off; none where there is no file.

    Raises AspdokuError where the file holds something else.
    """
    if not path.exists():
        return 0
    with path.open("r+b") as file:
        first = file.readline().decode(errors="replace")
        if first.endswith("\n") and not _is_ours(first, format_):
            raise AspdokuError(f"{path} does not hold results in the format {format_}: it cannot be resumed")
        file.seek(0)
        results = _cut(file) - len(head(format_).splitlines())
        if results <= 0:
            file.truncate(0)
    return max(0, results)


def _cut(file: IO[bytes]) -> int:
    """Count the whole lines, and cut off what stands behind the last of them."""
    lines = end = 0
    while block := file.read(_BLOCK):
        if b"\n" in block:
            lines += block.count(b"\n")
            end = file.tell() - len(block) + block.rindex(b"\n") + 1
    file.truncate(end)
    return lines


def _is_ours(first: str, format_: str) -> bool:
    if format_ == "csv":
        return first == _HEADER
    if format_ == "jsonl":
        return first.startswith('{"line": 1, "status": ')
    return _LINE.match(first) is not None


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
