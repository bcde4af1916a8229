"""The constraints of a text.

`.Name~argument~argument` one behind the other, with blanks wherever one likes.
"""

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
    """A name, which givens have none of, and what stands behind it."""

    word: str
    arguments: list[str]


def fits(text: str) -> bool:
    """Whether a text is constraints, or the address of the page with them."""
    found, *_ = _joined(text)
    if not _ITEMS.fullmatch(found):
        return False
    words = {item.partition("~")[0] for item in found.split(".")[1:]} - {""}
    return "~" in found or (
        any(len(word) > 1 for word in words) and words <= table.WORDS
    )  # a dot and an X are a grid's, too


def parse_constraints(text: str) -> list[Constraint]:
    """The constraints.

    Of alternatives, and of what is to be repeated, just the word that opens them. Raises
    PuzzleError.
    """
    found, *more = _joined(text)
    if more:
        raise PuzzleError("this address has the parameter q twice, and a puzzle is one text")
    if not found.startswith("."):
        raise PuzzleError(
            "these are no constraints: each begins with a dot, as in .Cage~10~R1C1~R1C2"
        )
    return list(_flatten(found))


def _joined(text: str) -> list[str]:
    """The text without blanks and remarks.

    Of an address, the values of its parameter q, if it has one.
    """
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
            raise PuzzleError(
                f"{word} takes no arguments, and here has {'~'.join(arguments)[:30]!r}"
            )
        if word == _END:
            if not within:
                raise PuzzleError("there is an End, and nothing that it ends")
            within.pop()
            continue
        if word != _ALL and all(each == _ALL for each in within):
            yield Constraint(word, arguments)
        if word in _OPENING:
            within.append(word)
    if within:
        raise PuzzleError(f"{within[-1]} has no End")
