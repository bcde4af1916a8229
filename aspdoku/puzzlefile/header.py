"""Header of a puzzle file: the lines `key: value` before the grid."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from aspdoku.errors import did_you_mean
from aspdoku.puzzle.puzzle import LARGEST_SIZE
from aspdoku.puzzlefile.lines import Line, quote

HEADER = re.compile(r"\s*([A-Za-z][^:]*):(.*)")
# A title may contain a number sign, as in "No. #5"; a comment after it is preceded by at least two
# blanks and followed by one. The pattern matches from the number sign on: starting with the blanks
# would take quadratic time on a long run of them.
TITLE_COMMENT = re.compile(r"(?<=\s\s)#\s.*")
BOX = re.compile(r"([0-9]{1,3})\s*[xX]\s*([0-9]{1,3})")
NUMBERS = re.compile(r"([0-9]{1,3})\s*(?:-|to)\s*([0-9]{1,3})")

# The other keys may be repeated; their values are then concatenated.
KEYS = [
    *("title", "author", "rules", "with", "without", "box", "numbers", "unsupported", "solution"),
]
# The beginning of a text that is a puzzle file. Each line can match in one way only: with `.`
# instead of [^\r\n], a number of comment lines with CRLF took exponential time.
FIRST_HEADER = re.compile(
    rf"\ufeff?(?:[ \t]*(?:[#;%][^\r\n]*)?[\r\n])*[ \t]*({'|'.join(KEYS)})[ \t]*:", re.IGNORECASE
)
UNIQUE_KEYS = ("title", "author", "box", "numbers", "solution")


def key_of(line: Line) -> str:
    """The key of a header line, known or unknown; empty for any other line."""
    match = HEADER.match(line.content)
    return match[1].strip().lower() if match else ""


def parse_header(lines: list[Line]) -> tuple[dict[str, Any], dict[str, list[Line]]]:
    """The fields of a puzzle that the header lines state, and the lines of each key.

    Raises PuzzleError for an unknown or repeated key or an invalid value.
    """
    values: dict[str, list[Line]] = {key: [] for key in KEYS}
    for line in lines:
        key = key_of(line)
        if key not in values:
            known = ", ".join(KEYS)
            raise line.error(
                f"unknown header {quote(key)}; the headers are {known}.{did_you_mean(key, KEYS)}"
            )
        if values[key] and key in UNIQUE_KEYS:
            raise line.error(f"duplicate header {key}, first given in line {values[key][0].number}")
        values[key].append(line)
    fields = {name: parse(values[key]) for key, (name, parse) in FIELDS.items() if values[key]}
    return fields, values


def _one_text(lines: list[Line]) -> str:
    return TITLE_COMMENT.sub("", _value(lines[0].text)).strip()


def _texts(lines: list[Line]) -> tuple[str, ...]:
    return tuple(_one_text([line]) for line in lines)


def _range(lines: list[Line]) -> range:
    value = _value(lines[0].content)
    match = NUMBERS.fullmatch(value)
    if not match or not int(match[1]) <= int(match[2]) <= LARGEST_SIZE:
        example = f"expected the smallest and the largest number, e.g. 0-8, up to {LARGEST_SIZE}"
        raise lines[0].error(f"invalid number range {quote(value)}: {example}")
    return range(int(match[1]), int(match[2]) + 1)


def _shape(lines: list[Line]) -> tuple[int, int]:
    value = _value(lines[0].content)
    match = BOX.fullmatch(value)
    if not match:
        example = "expected rows and columns, e.g. 2x3"
        raise lines[0].error(f"invalid box shape {quote(value)}: {example}")
    return int(match[1]), int(match[2])


def value_line(line: Line) -> Line:
    """The value of a header line, as a line at the same place."""
    return Line(_value(line.content), line.number, line.name)


def _value(text: str) -> str:
    return text.partition(":")[2].strip()


def has_blanks(name: str) -> bool:
    """Whether a name of a rule contains blanks, which only a path can."""
    return len(name.split()) > 1 and not {*name} & {*"./"}


def _names(lines: list[Line]) -> tuple[str, ...]:
    found: list[str] = []
    for line in lines:
        value = _value(line.content)
        names = [name.strip() for name in value.split(",")] if value else []
        if "" in names:
            raise line.error(
                f"empty name in {quote(value)}: separate names with single commas, e.g."
                " anti-knight, offset"
            )
        if odd := next(filter(has_blanks, names), ""):
            raise line.error(
                f"blanks in {quote(odd)}: separate names with commas, as in"
                f" {', '.join(odd.split())}, or write a path, as in ./my rule.lp"
            )
        found += names
    return tuple(found)


# The fields of a puzzle, and how their lines are read.
FIELDS: dict[str, tuple[str, Callable[[list[Line]], Any]]] = {
    "title": ("title", _one_text),
    "author": ("author", _one_text),
    "with": ("elaborations", _names),
    "without": ("without", _names),
    "box": ("box", _shape),
    "numbers": ("numbers", _range),
    "unsupported": ("unsupported", _texts),
    "rules": ("rules", lambda lines: "\n".join(_texts(lines))),
}
