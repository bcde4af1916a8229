"""Loading of untrusted JSON documents, with limits on nesting and without duplicate keys."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Mapping

from aspdoku.errors import PuzzleError
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


def unsupported_texts(times: Mapping[str, int]) -> tuple[str, ...]:
    """The unsupported constraints, each once with its number of occurrences."""
    return tuple(
        text if often == 1 else f"{text} ({pluralize(often, 'time')})"
        for text, often in times.items()
    )
