"""Header of a puzzle file: the lines `key: value` before the grid."""

from __future__ import annotations

import re
from typing import NamedTuple

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


class Header(NamedTuple):
    """The values of the header lines.

    rules: a line for each header `rules`
    box_line, solution_line: the lines of the box shape and of the solution, if any
    """

    title: str = ""
    elaborations: tuple[str, ...] = ()
    without: tuple[str, ...] = ()
    box: tuple[int, int] | None = None
    box_line: Line | None = None
    numbers: range = range(0)
    unsupported: tuple[str, ...] = ()
    author: str = ""
    rules: str = ""
    solution_line: Line | None = None


def key_of(line: Line) -> str:
    """The key of a header line, known or unknown; empty for any other line."""
    match = HEADER.match(line.content)
    return match[1].strip().lower() if match else ""


def parse_header(lines: list[Line]) -> Header:
    """Parse the header lines.

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
    return Header(
        title="".join(_text(line) for line in values["title"]),
        elaborations=tuple(name for line in values["with"] for name in _names(line)),
        without=tuple(name for line in values["without"] for name in _names(line)),
        box=_shape(values["box"][0]) if values["box"] else None,
        box_line=values["box"][0] if values["box"] else None,
        numbers=_range(values["numbers"][0]) if values["numbers"] else range(0),
        unsupported=tuple(_text(line) for line in values["unsupported"]),
        author="".join(_text(line) for line in values["author"]),
        rules="\n".join(_text(line) for line in values["rules"]),
        solution_line=values["solution"][0] if values["solution"] else None,
    )


def _text(line: Line) -> str:
    return TITLE_COMMENT.sub("", _value(line.text)).strip()


def _range(line: Line) -> range:
    value = _value(line.content)
    match = NUMBERS.fullmatch(value)
    if not match or not int(match[1]) <= int(match[2]) <= LARGEST_SIZE:
        example = f"expected the smallest and the largest number, e.g. 0-8, up to {LARGEST_SIZE}"
        raise line.error(f"invalid number range {quote(value)}: {example}")
    return range(int(match[1]), int(match[2]) + 1)


def value_line(line: Line) -> Line:
    """The value of a header line, as a line at the same place."""
    return Line(_value(line.content), line.number, line.name)


def _value(text: str) -> str:
    return text.partition(":")[2].strip()


def has_blanks(name: str) -> bool:
    """Whether a name of a rule contains blanks, which only a path can."""
    return len(name.split()) > 1 and not {*name} & {*"./"}


def _names(line: Line) -> list[str]:
    value = _value(line.content)
    names = [name.strip() for name in value.split(",")] if value else []
    if "" in names:
        raise line.error(
            f"empty name in {quote(value)}: separate names with single commas, e.g. anti-knight,"
            " offset"
        )
    for name in names:
        if has_blanks(name):
            words = name.split()
            raise line.error(
                f"blanks in {quote(name)}: separate names with commas, as in {', '.join(words)}, or"
                " write a path, as in ./my rule.lp"
            )
    return names


def _shape(line: Line) -> tuple[int, int]:
    value = _value(line.content)
    match = BOX.fullmatch(value)
    if not match:
        raise line.error(f"invalid box shape {quote(value)}: expected rows and columns, e.g. 2x3")
    return int(match[1]), int(match[2])
