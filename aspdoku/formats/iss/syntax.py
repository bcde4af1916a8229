"""Parser for constraint strings: a sequence of `.Name~argument~argument`, ignoring blanks."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple
from urllib.parse import unquote

from aspdoku.errors import PuzzleError
from aspdoku.formats.base import content_lines
from aspdoku.formats.iss import table

_ADDRESS = re.compile(
    r"(?:https?://)?sigh\.github\.io/Interactive-Sudoku-Solver/?\?(?P<query>[^#]*)(?:#.*)?"
)
_ITEMS = re.compile(r"(?:\.[A-Za-z]*(?:~[^.~]*)*)+")
_ALL, _OPENING, _END = "And", {"And", "Or", "Replicate"}, "End"


class Constraint(NamedTuple):
    """The name of a constraint, which is empty for givens, and its arguments."""

    word: str
    arguments: list[str]


def fits(text: str) -> bool:
    """Whether a text consists of constraints, or is a URL that contains them."""
    found, *_ = _joined(text)
    if not _ITEMS.fullmatch(found):
        return False
    words = {item.partition("~")[0] for item in found.split(".")[1:]} - {""}
    # A dot and an X alone can also be the cells of a grid.
    return "~" in found or (any(len(word) > 1 for word in words) and words <= table.WORDS)


def parse_constraints(text: str) -> list[Constraint]:
    """Parse the constraints; blocks of alternatives or repetitions are represented by their names.

    Raises PuzzleError.
    """
    found, *more = _joined(text)
    if more:
        raise PuzzleError("the URL has several parameters q")
    if not found.startswith("."):
        raise PuzzleError("expected constraints that start with a dot, e.g. .Cage~10~R1C1~R1C2")
    return list(_flatten(found))


def _joined(text: str) -> list[str]:
    """The text without blanks and comments; for a URL, the values of its parameter q."""
    found = "".join("".join(line.content.split()) for line in content_lines(text.lstrip("\ufeff")))
    match = _ADDRESS.fullmatch(found)
    parameters = [part.partition("=") for part in match["query"].split("&")] if match else []
    return ["".join(unquote(value).split()) for name, _, value in parameters if name == "q"] or [
        found
    ]


def _flatten(text: str) -> Iterator[Constraint]:
    within: list[str] = []
    for item in text.split(".")[1:]:
        word, *arguments = item.split("~")
        if word in (_ALL, _END) and arguments:
            raise PuzzleError(f"unexpected arguments of {word}: {'~'.join(arguments)[:30]!r}")
        if word == _END:
            if not within:
                raise PuzzleError("End without a matching beginning")
            within.pop()
            continue
        if word != _ALL and all(each == _ALL for each in within):
            yield Constraint(word, arguments)
        if word in _OPENING:
            within.append(word)
    if within:
        raise PuzzleError(f"{within[-1]} without a matching End")
