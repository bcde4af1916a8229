"""Loading of untrusted JSON documents, with limits on nesting and without duplicate keys; and what
readers of documents have in common: facts, rules, unsupported parts, and texts.

The texts are the title, the author, the rules in words, and the solution that is stated. No format
has its own reading of them: `described` adds them to a puzzle. Words that state rules are an
unsupported part of the puzzle, because nothing interprets them.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from contextlib import contextmanager
from itertools import chain

from aspdoku.errors import PuzzleError
from aspdoku.formats.base import UnsupportedError, errors_at
from aspdoku.puzzle.puzzle import LARGEST_SIZE, RULES_IN_WORDS, Grid, Puzzle
from aspdoku.puzzle.term import Function
from aspdoku.puzzlefile.grid import EMPTY, letter_value
from aspdoku.puzzlefile.lines import is_digits, place_of, pluralize, quote

Object = dict[str, object]

MISFIT = "a solution that does not fit the grid"
MAX_DEPTH = 30  # four times the depth of real puzzles

_UNKNOWN = EMPTY | {"?"}
_TOO_DEEP = "JSON nested too deeply, or a number is too long"


def looks_like_object(text: str) -> bool:
    """Whether a text looks like a JSON object."""
    text = text.lstrip("\ufeff \t\r\n")
    return text.startswith("{") and text[1:].lstrip()[:1] in ('"', "}")


def is_other_value(text: str) -> bool:
    """Whether a text is JSON other than an object or a number."""
    text = text.strip("\ufeff \t\r\n")
    if not text.startswith(("[", '"')) and text not in ("null", "true", "false"):
        return False
    try:
        return not isinstance(json.loads(text), dict)
    except (ValueError, RecursionError):
        return False


def load(text: str, name: str) -> Object:
    """The JSON object in a text; `name` is the file name for errors. Raises PuzzleError."""
    try:
        with errors_at(name):
            found = json.loads(
                text.lstrip("\ufeff"),
                object_pairs_hook=object_without_duplicates,
                parse_constant=_reject_constant,
            )
    except json.JSONDecodeError as error:
        message = f"invalid JSON: {error.msg} at column {error.colno}"
        place = place_of(name, error.lineno) if name or error.lineno > 1 else ""
        raise PuzzleError(message, place) from None
    except (RecursionError, ValueError):
        raise PuzzleError(_TOO_DEEP, name) from None
    if _is_deep(found):
        raise PuzzleError(_TOO_DEEP, name)
    if not isinstance(found, dict):
        raise PuzzleError("unknown type of JSON document: the JSON of a puzzle is an object", name)
    return found


def puzzle_of(text: str, name: str, read: Callable[[Object], Puzzle]) -> list[Puzzle]:
    """The one puzzle of a text, as a reader of its document gives it. Raises PuzzleError."""
    document = load(text, name)
    with errors_at(name):
        return [read(document)]


def dumps(found: Object, rows: str) -> str:
    """The text of a document in which each row of the grid, under this key, has a line."""
    drawn = ",\n".join(json.dumps(row, ensure_ascii=False) for row in items(found[rows]))
    rest = (
        f",\n{json.dumps(key)}: {json.dumps(value, ensure_ascii=False)}"
        for key, value in found.items()
        if key != rows
    )
    return f'{{"{rows}": [\n{drawn}]{"".join(rest)}}}\n'


def object_without_duplicates(pairs: list[tuple[str, object]]) -> Object:
    """The object with these keys and values. Raises PuzzleError for a duplicate key."""
    found = dict(pairs)
    if len(found) < len(pairs):
        twice = next(key for key, times in Counter(key for key, _ in pairs).items() if times > 1)
        raise PuzzleError(f"duplicate key {quote(twice)} in a JSON object")
    return found


def _is_deep(found: object) -> bool:
    """Whether values are nested too deeply; iterative, because Python limits recursion."""
    level = [found]
    for _ in range(MAX_DEPTH):
        inside = (each.values() if isinstance(each, dict) else items(each) for each in level)
        level = [*chain.from_iterable(inside)]
    return bool(level)


def _reject_constant(word: str) -> object:
    raise PuzzleError(f"invalid JSON number {word}")


def is_blank(value: object) -> bool:
    """Whether a value is null, false, or an empty string, list or object; the number 0 is not."""
    return value is None or value is False or value in ("", [], {})


def unread_keys(entry: Object, known: Collection[str]) -> list[str]:
    """The unknown keys that have a value, as texts for messages."""
    return [repr(k[:30]) for k, value in entry.items() if k not in known and not is_blank(value)]


def items(value: object) -> list[object]:
    """A list unchanged; an empty list for anything else."""
    return value if isinstance(value, list) else []


def list_of(value: object, where: str = "") -> list[object]:
    """A list; a missing one is empty. Raises PuzzleError for anything else, with its place."""
    if value in (None, {}):
        return []
    if not isinstance(value, list):
        raise PuzzleError(f"{str(value)[:30]!r} instead of a list", where)
    return value


def objects_of(value: object, where: str) -> list[Object]:
    """The objects of a list; a missing list is empty. Raises PuzzleError for anything else."""
    objects = list_of(value, where)
    if not all(isinstance(each, dict) for each in objects):
        raise PuzzleError("an item is not an object", where)
    return objects  # type: ignore[return-value]


def square_of(value: object, where: str) -> list[list[Object]]:
    """The objects of the cells of a grid, by rows. Raises PuzzleError unless it is a square."""
    rows = list_of(value, where)
    size = len(rows)
    if not 1 <= size <= LARGEST_SIZE:
        raise PuzzleError(f"the grid has {size} rows; 1 to {LARGEST_SIZE} are allowed")
    lines = [objects_of(cells, f"row {row} of {where}") for row, cells in enumerate(rows, 1)]
    for row, line in enumerate(lines, 1):
        if len(line) != size:
            raise PuzzleError(f"row {row} of {where}: {len(line)} cells instead of {size}")
    return lines


def number_of(value: object, least: int, most: int) -> int:
    """A number from `least` to `most`. Raises PuzzleError for anything else."""
    if type(value) is not int or not least <= value <= most:
        raise PuzzleError(f"{str(value)[:30]!r} is not a number from {least} to {most}")
    return value


def counted(texts: Iterable[str] | Mapping[str, int]) -> tuple[str, ...]:
    """Each text once; one that occurs several times with their number."""
    return tuple(
        text if often == 1 else type(text)(f"{text} ({pluralize(often, 'time')})")
        for text, often in Counter(texts).items()
    )


class OfDrawing(str):
    """An unsupported part that is drawn or written, so that words may state what it means."""

    __slots__ = ()


class DocumentReader:
    """What has been read from a document: facts, rules, and how often it has unsupported parts."""

    def __init__(self) -> None:
        self._facts: list[Function] = []
        self._elaborations: list[str] = []
        self._unsupported: Counter[str] = Counter()

    def _add(self, rules: Iterable[str], facts: Iterable[Function]) -> None:
        self._elaborations += rules
        self._facts += facts

    @contextmanager
    def _reporting(self, part: str) -> Iterator[None]:
        """In this context, what has no supported meaning is reported as a part of the document."""
        try:
            yield
        except UnsupportedError as what:
            self._unsupported[f"{part}: {what}"] += 1

    def _note_keys(self, where: str, entry: Object, known: Collection[str]) -> None:
        """Report the unknown keys that have a value; `where` is a format for a key."""
        self._unsupported.update(map(where.format, unread_keys(entry, known)))

    def _puzzle(
        self,
        grid: Grid,
        box: tuple[int, int] | None = None,
        without: tuple[str, ...] = (),
        numbers: range = range(0),
    ) -> Puzzle:
        """The puzzle with what has been read; each unsupported part with its number of times."""
        return Puzzle(
            grid,
            box,
            facts=tuple(self._facts),
            elaborations=tuple(dict.fromkeys(self._elaborations)),
            without=without,
            numbers=numbers,
            unsupported=counted(self._unsupported),
        )


def described(
    puzzle: Puzzle,
    title: Iterable[object] = (),
    author: Iterable[object] = (),
    rules: Iterable[object] = (),
    solution: Iterable[object] = (),
) -> Puzzle:
    """The puzzle with the texts of its document. Each argument has the values of all places of the
    document that may state the text. Rules in words, solutions that do not fit the grid and
    solutions that differ are unsupported parts.
    """
    words = "\n\n".join(dict.fromkeys(filter(None, map(_paragraphs, rules))))
    unsupported = [*puzzle.unsupported, *([OfDrawing(RULES_IN_WORDS)] if words else [])]
    stated: set[Grid] = set()
    for value in solution:
        try:
            stated.update(_solution(value, puzzle))
        except ValueError:
            unsupported.append(MISFIT)
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
