"""JSON documents of other programs, read with care: they come from strangers."""

from __future__ import annotations

import json
from collections.abc import Mapping

from aspdoku.errors import PuzzleError
from aspdoku.puzzle.formats.lines import counted

Object = dict[str, object]


def is_one(text: str) -> bool:
    """Whether a text looks like a JSON object."""
    text = text.lstrip("\ufeff \t\r\n")
    return text.startswith("{") and text[1:].lstrip()[:1] in ('"', "}")


def load(text: str, name: str) -> Object:
    """The object in a text; `name` stands for the file in errors. Raises PuzzleError."""
    try:
        found = json.loads(text.lstrip("\ufeff"))
    except json.JSONDecodeError as error:
        raise PuzzleError(f"this is broken JSON: {error.msg} at column {error.colno}", f"{name}:{error.lineno}") from None
    except (RecursionError, ValueError):
        raise PuzzleError("no puzzle has such JSON: it is nested too deeply, or a number is too long", name) from None
    if not isinstance(found, dict):
        raise PuzzleError("this is JSON, but no object", name)
    return found


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
