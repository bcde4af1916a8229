"""JSON documents of other programs, read with care: they come from strangers."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Mapping

from aspdoku.errors import PuzzleError
from aspdoku.puzzlefile.lines import pluralize, quote

Object = dict[str, object]

MAX_DEPTH = 30  # four times as deep as the documents of puzzles

_TOO_DEEP = "no puzzle has such JSON: it is nested too deeply, or a number is too long"


def looks_like_object(text: str) -> bool:
    """Whether a text looks like a JSON object."""
    text = text.lstrip("\ufeff \t\r\n")
    return text.startswith("{") and text[1:].lstrip()[:1] in ('"', "}")


def load(text: str, name: str) -> Object:
    """The object in a text; `name` stands for the file in errors. Raises PuzzleError."""
    try:
        found = json.loads(
            text.lstrip("\ufeff"),
            object_pairs_hook=object_without_duplicates,
            parse_constant=_reject_constant,
        )
    except json.JSONDecodeError as error:
        place = f"{name}:{error.lineno}" if name else ""
        raise PuzzleError(
            f"this is broken JSON: {error.msg} at column {error.colno}", place
        ) from None
    except PuzzleError as error:
        raise PuzzleError(str(error), name) from None
    except (RecursionError, ValueError):
        raise PuzzleError(_TOO_DEEP, name) from None
    if _is_deep(found):
        raise PuzzleError(_TOO_DEEP, name)
    if not isinstance(found, dict):
        raise PuzzleError("this is JSON, but no object", name)
    return found


def object_without_duplicates(pairs: list[tuple[str, object]]) -> Object:
    """The object of these keys and values. Raises PuzzleError for a key that comes twice.

    It is not said which one counts.
    """
    found = dict(pairs)
    if len(found) < len(pairs):
        twice = next(key for key, times in Counter(key for key, _ in pairs).items() if times > 1)
        raise PuzzleError(
            f"the key {quote(twice)} stands twice in one object, and only one of them can be meant"
        )
    return found


def _is_deep(found: object) -> bool:
    """Whether values are nested more deeply than in any puzzle.

    Without recursion, which has a limit of its own.
    """
    level = [found]
    for _ in range(MAX_DEPTH):
        level = [inner for each in level for inner in _inside(each)]
    return bool(level)


def _inside(found: object) -> Iterable[object]:
    """The values of an object, or the items of a list."""
    return found.values() if isinstance(found, dict) else items(found)


def _reject_constant(word: str) -> object:
    raise PuzzleError(f"{word} stands in this JSON, which is no number: write digits")


def is_blank(value: object) -> bool:
    """Whether a value states nothing: null, false, or an empty text, list or object.

    The number 0 states something.
    """
    return value is None or value is False or value in ("", [], {})


def items(value: object) -> list[object]:
    """A list; nothing where it is none."""
    return value if isinstance(value, list) else []


def unsupported_texts(times: Mapping[str, int]) -> tuple[str, ...]:
    """What was not understood, each said once, with how often it came."""
    return tuple(
        text if often == 1 else f"{text} ({pluralize(often, 'time')})"
        for text, often in times.items()
    )


def one_line(*parts: object) -> str:
    """Texts from a document, as one line of printable text with `by` between them.

    Nothing where the first has none.
    """
    texts = ["" if is_blank(part) else str(part) for part in parts]
    lines = [
        " ".join("".join(sign if sign.isprintable() else " " for sign in text).split())
        for text in texts
    ]
    return ", by ".join(filter(None, lines)) if lines[0] else ""
