"""The lines `key: value` before the grid."""

from __future__ import annotations

import re
from dataclasses import dataclass

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

# A title is said once and taken as it stands; names may be said in several lines, and so may what
# was not understood.
KEYS = ["title", "with", "without", "box", "numbers", "unread"]
UNIQUE_KEYS = ("title", "box", "numbers")


@dataclass(frozen=True)
class Header:
    """What a file says before its grid; `box_line` is where it says the shape of a box."""

    title: str = ""
    elaborations: tuple[str, ...] = ()
    without: tuple[str, ...] = ()
    box: tuple[int, int] | None = None
    box_line: Line | None = None
    numbers: range = range(0)
    unread: tuple[str, ...] = ()


def key_of(line: Line) -> str:
    """The key of a header line, known or not; empty for any other line."""
    match = HEADER.match(line.content)
    return match[1].strip().lower() if match else ""


def parse_header(lines: list[Line]) -> Header:
    """What these header lines say.

    Raises PuzzleError where a key is unknown or repeated, or a value has no sense.
    """
    said: dict[str, list[Line]] = {key: [] for key in KEYS}
    for line in lines:
        key = key_of(line)
        if key not in said:
            known = ", ".join(KEYS)
            raise line.error(
                f"there is no header {quote(key)}; the headers are"
                f" {known}.{did_you_mean(key, KEYS)}"
            )
        if said[key] and key in UNIQUE_KEYS:
            raise line.error(
                f"{key} is said twice, first in line {said[key][0].number}: one of the two has"
                " to go"
            )
        said[key].append(line)
    return Header(
        title="".join(_text(line) for line in said["title"]),
        elaborations=tuple(name for line in said["with"] for name in _names(line)),
        without=tuple(name for line in said["without"] for name in _names(line)),
        box=_shape(said["box"][0]) if said["box"] else None,
        box_line=said["box"][0] if said["box"] else None,
        numbers=_range(said["numbers"][0]) if said["numbers"] else range(0),
        unread=tuple(_text(line) for line in said["unread"]),
    )


def _text(line: Line) -> str:
    return TITLE_COMMENT.sub("", _value(line.text)).strip()


def _range(line: Line) -> range:
    value = _value(line.content)
    match = NUMBERS.fullmatch(value)
    if not match or not int(match[1]) <= int(match[2]) <= LARGEST_SIZE:
        example = f"write the least and the greatest, such as 0-8, up to {LARGEST_SIZE}"
        raise line.error(f"{quote(value)} are no numbers to play with: {example}")
    return range(int(match[1]), int(match[2]) + 1)


def _value(text: str) -> str:
    return text.partition(":")[2].strip()


def _names(line: Line) -> list[str]:
    value = _value(line.content)
    names = [name.strip() for name in value.split(",")] if value else []
    if "" in names:
        raise line.error(
            f"a name is missing beside a comma in {quote(value)}: write names as in anti-knight,"
            " offset"
        )
    return names


def _shape(line: Line) -> tuple[int, int]:
    value = _value(line.content)
    match = BOX.fullmatch(value)
    if not match:
        raise line.error(
            f"{quote(value)} is not the shape of a box: write its rows and columns, such as 2x3"
        )
    return int(match[1]), int(match[2])
