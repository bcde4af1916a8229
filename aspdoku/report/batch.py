"""Results of many puzzles, one per line, and reading them back from a file."""

from __future__ import annotations

import csv
import io
import json
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import get_args

from aspdoku.engine.batch import LineResult, LineStatus
from aspdoku.errors import AspdokuError
from aspdoku.puzzlefile import oneline
from aspdoku.puzzlefile.lines import quote

FORMATS = ("line", "jsonl", "csv")
_HEADER = "line,status,solution,reason\n"
_FIRST = '{"line": 1, "status": '
_SIGNS = re.compile("[1-9A-Z.]+|-")  # a dot for an unused cell
_STATUS = rf"({'|'.join(get_args(LineStatus))})"
_LINES = {
    "line": re.compile(rf"(?:{_SIGNS.pattern}) {_STATUS}(?:: .*)?\n"),
    "jsonl": re.compile(rf'{{"line": (?P<number>\d+), "status": "{_STATUS}", .*}}\n'),
    "csv": re.compile(rf"(?P<number>\d+),{_STATUS},.*,.*\n"),
}


def header(format_: str) -> str:
    """The header of the results, if the format has one."""
    return _HEADER if format_ == "csv" else ""


def result_formatter(format_: str) -> Callable[[int, LineResult], str]:
    """The function that formats a result, given the number of its input line, counted from 1."""
    return {"line": _line, "jsonl": _jsonl, "csv": _csv}[format_]


def read_results(path: Path, format_: str) -> Iterator[bytes]:
    """The complete results in a file, one line each; none if there is no file.

    An incomplete last line is omitted.

    Raises AspdokuError if the file holds anything else.
    """
    if not path.is_file():
        return
    heads = len(header(format_).splitlines())
    with path.open("rb") as file:
        for number, line in enumerate(file, 1 - heads):
            text = line.decode(errors="replace")
            if number == 1 - heads and not _may_begin(text, format_):
                raise AspdokuError(
                    f"{path}: not a file of results in the format {format_}; cannot resume"
                )
            if not line.endswith(b"\n"):
                return
            if number < 1:
                continue
            if not _is_result(number, text, format_):
                raise AspdokuError(
                    f"{path}:{number + heads}: not result {number} in the format {format_}:"
                    f" {quote(text)}"
                )
            yield line


def _is_result(number: int, text: str, format_: str) -> bool:
    """Whether a line is the result of this input line, if the format contains line numbers."""
    found = _LINES[format_].fullmatch(text)
    return found is not None and int(found.groupdict().get("number", number)) == number


def _may_begin(line: str, format_: str) -> bool:
    """Whether a file of results can start with this line, which may be incomplete."""
    if format_ == "csv":
        return _is_prefix(line, _HEADER)
    if format_ == "jsonl":
        return _is_prefix(line, _FIRST)
    signs, _, rest = line.partition(" ")
    return bool(_SIGNS.fullmatch(signs)) and any(
        _is_prefix(rest, status + end) for status in get_args(LineStatus) for end in (": ", "\n")
    )


def _is_prefix(text: str, other: str) -> bool:
    """Whether one text is a prefix of the other."""
    return text.startswith(other) or other.startswith(text)


def _line(_: int, result: LineResult) -> str:
    reason = f": {_one_line(result)}" if result.reason else ""
    return f"{oneline.format_line(result.numbers) or '-'} {result.status}{reason}\n"


def result_json(number: int, result: LineResult) -> dict[str, object]:
    """A result as a JSON object."""
    return {
        "line": number,
        "status": result.status,
        "solution": oneline.format_line(result.numbers) or None,
        "reason": _one_line(result),
    }


def _jsonl(number: int, result: LineResult) -> str:
    return json.dumps(result_json(number, result)) + "\n"


def _csv(number: int, result: LineResult) -> str:
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerow(
        [number, result.status, oneline.format_line(result.numbers), _one_line(result)]
    )
    return text.getvalue()


def _one_line(result: LineResult) -> str:
    return "; ".join(result.reason.splitlines())
