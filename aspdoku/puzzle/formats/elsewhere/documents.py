"""JSON documents of other programs, read with care: they come from strangers."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping

from aspdoku.errors import PuzzleError
from aspdoku.puzzle.formats.lines import counted, shown

Object = dict[str, object]


def is_one(text: str) -> bool:
    """Whether a text looks like a JSON object."""
    text = text.lstrip("\ufeff \t\r\n")
    return text.startswith("{") and text[1:].lstrip()[:1] in ('"', "}")


def load(text: str, name: str) -> Object:
    """The object in a text; `name` stands for the file in errors. Raises PuzzleError."""
    try:
        found = json.loads(text.lstrip("\ufeff"), object_pairs_hook=_object, parse_constant=_no_number)
    except json.JSONDecodeError as error:
        place = f"{name}:{error.lineno}" if name else ""
        raise PuzzleError(f"this is broken JSON: {error.msg} at column {error.colno}", place) from None
    except PuzzleError as error:
        raise PuzzleError(str(error), name) from None
    except (RecursionError, ValueError):
        raise PuzzleError("no puzzle has such JSON: it is nested too deeply, or a number is too long", name) from None
    if not isinstance(found, dict):
        raise PuzzleError("this is JSON, but no object", name)
    return found


def _object(pairs: list[tuple[str, object]]) -> Object:
    """The object of these keys and values. Raises PuzzleError for a key that comes twice: it is not said which one counts."""
    found = dict(pairs)
    if len(found) < len(pairs):
        twice = next(key for key, times in Counter(key for key, _ in pairs).items() if times > 1)
        raise PuzzleError(f"the key {shown(twice)} stands twice in one object, and only one of them can be meant")
    return found


def _no_number(word: str) -> object:
    raise PuzzleError(f"{word} stands in this JSON, which is no number: write digits")


def items(value: object) -> list[object]:
    """A list; nothing where it is none."""
    return value if isinstance(value, list) else []


def unread(times: Mapping[str, int]) -> tuple[str, ...]:
    """What was not understood, each said once, with how often it came."""
    return tuple(text if often == 1 else f"{text} ({counted(often, 'time')})" for text, often in times.items())


def one_line(*parts: object) -> str:
    """Texts from a document, as one line of printable text with `by` between them; nothing where the first has none."""
    lines = [" ".join("".join(sign if sign.isprintable() else " " for sign in str(part or "")).split()) for part in parts]
    return ", by ".join(filter(None, lines)) if lines[0] else ""
