"""Texts in documents: the title, the author, the rules in words, and the solution that is stated.

No format has its own reading of them: `described` adds them to a puzzle. Words that state rules are
an unsupported part of the puzzle, because nothing interprets them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from aspdoku.formats.json_document import is_blank
from aspdoku.puzzle.puzzle import RULES_IN_WORDS, Grid, Puzzle
from aspdoku.puzzlefile.grid import EMPTY, letter_value
from aspdoku.puzzlefile.lines import is_digits

_UNKNOWN = EMPTY | {"?"}


def described(
    puzzle: Puzzle,
    title: Iterable[object] = (),
    author: Iterable[object] = (),
    rules: Iterable[object] = (),
    solution: Iterable[object] = (),
) -> Puzzle:
    """The puzzle with the texts of its document.

    Each argument has the values of all places of the document that may state the text. Rules in
    words, solutions that do not fit the grid and solutions that differ are unsupported parts.
    """
    words = "\n\n".join(dict.fromkeys(filter(None, map(_paragraphs, rules))))
    unsupported = [*puzzle.unsupported, *([RULES_IN_WORDS] if words else [])]
    stated: set[Grid] = set()
    for value in solution:
        try:
            stated.update(_solution(value, puzzle))
        except ValueError:
            unsupported.append("a solution that does not fit the grid")
    if len(stated) > 1:
        unsupported.append("solutions that differ from each other")
    return puzzle.replace(
        title=_joined(title),
        author=_joined(author),
        rules=words,
        unsupported=tuple(dict.fromkeys(unsupported)),
        solution=stated.pop() if len(stated) == 1 else None,
    )


def one_line(text: object) -> str:
    """A value of a document as one line of printable text; empty for a blank value."""
    shown = "" if is_blank(text) else str(text)
    return " ".join("".join(sign if sign.isprintable() else " " for sign in shown).split())


def unread(puzzle: Puzzle) -> Puzzle:
    """The puzzle as a writer gets it whose format states the rules in words: its reader reports
    them again.
    """
    rest = tuple(text for text in puzzle.unsupported if text != RULES_IN_WORDS)
    return puzzle.replace(unsupported=rest) if puzzle.rules else puzzle


def _joined(values: Iterable[object]) -> str:
    return " / ".join(dict.fromkeys(filter(None, map(one_line, values))))


def _paragraphs(value: object) -> str:
    """A value as lines of printable text, with at most one blank line between two of them."""
    parts = value if isinstance(value, list) else [value]
    texts = (str(part) for part in parts if not is_blank(part))
    lines = [one_line(line) for text in texts for line in text.splitlines()]
    kept = [line for place, line in enumerate(lines) if line or any(lines[place - 1 : place])]
    return "\n".join(kept).strip("\n")


def _solution(value: object, puzzle: Puzzle) -> Iterator[Grid]:
    """The grid that a value states; none if it states no number.

    Raises ValueError for a value that is not a grid of the size and with the numbers of the puzzle.
    """
    if isinstance(value, str):
        words = value.replace(",", " ").split()
        value = words if len(words) == puzzle.size**2 else list("".join(words))
    if is_blank(value):
        return
    if not isinstance(value, list):
        raise ValueError("neither a text nor a list")
    cells = [cell for row in value for cell in (row if isinstance(row, list) else [row])]
    numbers = [_number(cell, puzzle) for cell in cells]
    size = puzzle.size
    if len(numbers) != size * size:
        raise ValueError(f"{len(numbers)} cells")
    if any(number is not None for number in numbers):
        yield tuple(tuple(numbers[row * size : (row + 1) * size]) for row in range(size))


def _number(cell: object, puzzle: Puzzle) -> int | None:
    text = one_line(cell) if type(cell) is not int else str(cell)
    if not text or (text in _UNKNOWN and not (text == "0" and 0 in puzzle.numbers)):
        return None
    number = int(text) if is_digits(text) and len(text) < 4 else letter_value(text)
    if number not in puzzle.numbers:
        raise ValueError(f"the number {text[:20]!r}")
    return number
