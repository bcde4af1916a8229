"""Loading of untrusted JSON documents, with limits on nesting and without duplicate keys; and what
readers of documents have in common.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Collection, Iterable, Iterator
from contextlib import contextmanager

from aspdoku.errors import PuzzleError
from aspdoku.puzzle.puzzle import Grid, Puzzle
from aspdoku.puzzle.term import Function
from aspdoku.puzzlefile.lines import place_of, pluralize, quote

Object = dict[str, object]

MAX_DEPTH = 30  # four times the depth of real puzzles

_TOO_DEEP = "JSON nested too deeply, or a number is too long"


def looks_like_object(text: str) -> bool:
    """Whether a text looks like a JSON object."""
    text = text.lstrip("\ufeff \t\r\n")
    return text.startswith("{") and text[1:].lstrip()[:1] in ('"', "}")


def is_other_value(text: str) -> bool:
    """Whether a text is JSON other than an object or a number: a list, a string, null or a truth
    value.
    """
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
        found = json.loads(
            text.lstrip("\ufeff"),
            object_pairs_hook=object_without_duplicates,
            parse_constant=_reject_constant,
        )
    except json.JSONDecodeError as error:
        message = f"invalid JSON: {error.msg} at column {error.colno}"
        place = place_of(name, error.lineno) if name or error.lineno > 1 else ""
        raise PuzzleError(message, place) from None
    except PuzzleError as error:
        raise PuzzleError(str(error), name) from None
    except (RecursionError, ValueError):
        raise PuzzleError(_TOO_DEEP, name) from None
    if _is_deep(found):
        raise PuzzleError(_TOO_DEEP, name)
    if not isinstance(found, dict):
        raise PuzzleError("unknown type of JSON document: the JSON of a puzzle is an object", name)
    return found


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
        level = [inner for each in level for inner in _inside(each)]
    return bool(level)


def _inside(found: object) -> Iterable[object]:
    """The values of an object, or the items of a list."""
    return found.values() if isinstance(found, dict) else items(found)


def _reject_constant(word: str) -> object:
    raise PuzzleError(f"invalid JSON number {word}")


def is_blank(value: object) -> bool:
    """Whether a value is null, false, or an empty string, list or object; the number 0 is not."""
    return value is None or value is False or value in ("", [], {})


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
    found = list_of(value, where)
    if not all(isinstance(each, dict) for each in found):
        raise PuzzleError("an item is not an object", where)
    return found  # type: ignore[return-value]


def number_of(value: object, least: int, most: int) -> int:
    """A number from `least` to `most`. Raises PuzzleError for anything else."""
    if type(value) is not int or not least <= value <= most:
        raise PuzzleError(f"{str(value)[:30]!r} is not a number from {least} to {most}")
    return value


@contextmanager
def errors_at(place: str) -> Iterator[None]:
    """Errors in this context have a place, if it is not empty: the name of a file, or a part of its
    document.
    """
    try:
        yield
    except PuzzleError as error:
        raise PuzzleError(str(error), place) from None


class DocumentReader:
    """What has been read from a document: facts, rules, and how often it has unsupported parts."""

    def __init__(self) -> None:
        self._facts: list[Function] = []
        self._elaborations: list[str] = []
        self._unsupported: Counter[str] = Counter()

    def _add(self, rules: Iterable[str], facts: Iterable[Function]) -> None:
        self._elaborations += rules
        self._facts += facts

    def _note_keys(self, where: str, entry: Object, known: Collection[str]) -> None:
        """Report the unknown keys that have a value; `where` is a format for a key."""
        for key in entry:
            if key not in known and not is_blank(entry[key]):
                self._unsupported[where.format(repr(key[:30]))] += 1

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
            unsupported=tuple(
                text if often == 1 else f"{text} ({pluralize(often, 'time')})"
                for text, often in self._unsupported.items()
            ),
        )
