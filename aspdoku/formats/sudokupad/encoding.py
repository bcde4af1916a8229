"""Decode SudokuPad's payloads: compact JSON to a document, `classic...` and `scf...` to a puzzle.

Compact JSON has short keys, optional quotes, `t` and `f`, and omits empty objects.
"""

from __future__ import annotations

import re
from math import isqrt

from aspdoku.errors import PuzzleError
from aspdoku.formats import json_document
from aspdoku.puzzle.puzzle import Puzzle

# The abbreviations that SudokuPad's own tools use.
FULL_KEYS = {
    **{
        "c": "color",
        "ca": "cages",
        "ct": "center",
        "c1": "borderColor",
        "c2": "backgroundColor",
        "ce": "cells",
    },
    **{
        "cs": "cellSize",
        "a": "arrows",
        "o": "overlays",
        "u": "underlays",
        "w": "width",
        "h": "height",
        "v": "value",
    },
    **{
        "vd": "videos",
        "l": "lines",
        "r": "rounded",
        "re": "regions",
        "fs": "fontSize",
        "th": "thickness",
    },
    **{"hl": "headLength", "wp": "wayPoints", "t": "title", "te": "text", "d": "duration"},
}

_TOKEN = re.compile(
    r"""\s*(?:([{}\[\],:])|'((?:[^'\\]|\\.)*)'|"((?:[^"\\]|\\.)*)"|([^{}\[\],:'"\s]+))""", re.DOTALL
)
_NUMBER = re.compile(r"-?[0-9]{1,9}(\.[0-9]{1,9})?")
_WORDS: dict[str, object] = {"t": True, "f": False, "true": True, "false": False, "null": None}
_ESCAPES = {"n": "\n", "t": "\t", "r": "\r", "b": "\b", "f": "\f"}
_ESCAPE = re.compile(r"\\(u([0-9a-fA-F]{4})|.)", re.DOTALL)


def load(text: str) -> json_document.Object:
    """The object in JSON or its compact form, with all keys expanded.

    Raises PuzzleError.
    """
    if json_document.looks_like_object(text):
        found = json_document.load(text, "")
        return found if "cells" in found or "grid" in found else _with_full_keys(found)
    reading = _Parser(text)
    compact = reading.value(0)
    if not isinstance(compact, dict) or reading.token() is not None:
        raise PuzzleError("not a SudokuPad document")
    return _with_full_keys(compact)


def _with_full_keys(found: json_document.Object) -> json_document.Object:
    """The object with all keys expanded, also in objects inside it.

    Raises PuzzleError if two keys of an object become the same.
    """
    return json_document.object_without_duplicates(
        [(FULL_KEYS.get(key, key), _inside(value)) for key, value in found.items()]
    )


def _inside(value: object) -> object:
    if isinstance(value, list):
        return [_inside(each) for each in value]
    return _with_full_keys(value) if isinstance(value, dict) else value


class _Parser:
    def __init__(self, text: str) -> None:
        self._text = text
        self._place = 0

    def token(self) -> tuple[str, str] | None:
        """The next token as its kind (a sign, "string" or "word") and text; None at the end."""
        found = _TOKEN.match(self._text, self._place)
        if not found:
            if self._text[self._place :].strip():
                raise PuzzleError(
                    f"invalid SudokuPad text at {self._text[self._place : self._place + 20]!r}"
                )
            return None
        self._place = found.end()
        sign, single, double, word = found.groups()
        if sign is not None:
            return sign, sign
        return (
            ("word", word)
            if word is not None
            else ("string", single if single is not None else double)
        )

    def _next(self) -> str:
        """The kind of the next token, without consuming it."""
        place = self._place
        found = self.token()
        self._place = place
        return found[0] if found else ""

    def _expect(self, sign: str) -> None:
        found = self.token()
        if not found or found[0] != sign:
            raise PuzzleError(f"invalid SudokuPad text: missing {sign!r}")

    def value(self, depth: int) -> object:
        """A value; a missing value is an empty object."""
        if depth > json_document.MAX_DEPTH:
            raise PuzzleError("SudokuPad text nested too deeply")
        kind = self._next()
        if kind == "{":
            return self._object(depth)
        if kind == "[":
            return self._list(depth)
        if kind in ("string", "word"):
            _, text = self.token() or ("", "")
            return _unescaped(text) if kind == "string" else _word_value(text)
        return {}

    def _object(self, depth: int) -> dict[str, object]:
        self._expect("{")
        found: list[tuple[str, object]] = []
        while self._next() != "}":
            key = self.token()
            if not key or key[0] not in ("word", "string"):
                raise PuzzleError("invalid SudokuPad text: missing key")
            self._expect(":")
            found.append((key[1], self.value(depth + 1)))
            if self._next() != "}":
                self._expect(",")
        self._expect("}")
        return json_document.object_without_duplicates(found)

    def _list(self, depth: int) -> list[object]:
        self._expect("[")
        found: list[object] = []
        if self._next() == "]":
            self._expect("]")
            return found
        while True:
            found.append(self.value(depth + 1))
            if self._next() == "]":
                self._expect("]")
                return found
            self._expect(",")


def _word_value(word: str) -> object:
    if word in _WORDS:
        return _WORDS[word]
    return (float(word) if "." in word else int(word)) if _NUMBER.fullmatch(word) else word


def _unescaped(text: str) -> str:
    return _ESCAPE.sub(
        lambda found: chr(int(found[2], 16)) if found[2] else _ESCAPES.get(found[1], found[1]), text
    )


# In the older encoding a letter is a run of empty cells, A for none; in the newer one each
# character is a number and the run after it.
_RUNS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz()[]-.~:@!$&'*,;=_"
_NUMBER_AND_RUN = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwx"
_RULES = {"w": "windoku", "x": "diagonal"}
_SCF = re.compile(r"([0-9A-Za-v]*?)([wx]*)")


def puzzle_from_classic(packed: str) -> Puzzle:
    """The puzzle in either encoding; the number of cells determines which one.

    Raises PuzzleError.
    """
    for unpacked in (_by_number_and_run(packed), _by_runs(packed)):
        if unpacked and isqrt(len(unpacked)) ** 2 == len(unpacked):
            return _puzzle(unpacked)
    raise PuzzleError("the givens in this URL do not fill a square grid")


def puzzle_from_scf(packed: str) -> Puzzle:
    """The puzzle of a code scf...: the givens of a 9x9 grid, followed by letters for rules.

    Raises PuzzleError.
    """
    match = _SCF.fullmatch(packed)
    unpacked = _by_number_and_run(match[1]) if match else None
    if not match or not unpacked or len(unpacked) != 81:
        raise PuzzleError("the givens in this URL do not fill a 9x9 grid")
    return _puzzle(unpacked).replace(
        elaborations=tuple(_RULES[letter] for letter in dict.fromkeys(match[2]))
    )


def _by_number_and_run(packed: str) -> str | None:
    if not packed or set(packed) - set(_NUMBER_AND_RUN):
        return None
    return "".join(
        f"{code % 10}{'0' * (code // 10)}" for code in map(_NUMBER_AND_RUN.index, packed)
    )


def _by_runs(packed: str) -> str | None:
    if not packed or set(packed) - set(_RUNS) - set("123456789"):
        return None
    return "".join(sign if sign.isdigit() else "0" * _RUNS.index(sign) for sign in packed)


def _puzzle(cells: str) -> Puzzle:
    size = isqrt(len(cells))
    rows = (cells[start : start + size] for start in range(0, len(cells), size))
    return Puzzle(tuple(tuple(int(cell) or None for cell in row) for row in rows))
