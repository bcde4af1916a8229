"""Decode SudokuPad's payloads: compact JSON to a document, `classic...` and `scf...` to a puzzle.

Compact JSON has short keys, optional quotes, `t` and `f`, and omits empty objects.
"""

from __future__ import annotations

import json
import re
import tomllib
from itertools import zip_longest
from math import isqrt
from pathlib import Path

from aspdoku.errors import PuzzleError
from aspdoku.formats import json_document
from aspdoku.formats.base import to_rows
from aspdoku.puzzle.puzzle import Puzzle

FULL_KEYS = tomllib.loads(Path(__file__).with_suffix(".toml").read_text("utf-8"))

_TOKEN = re.compile(
    r"""\s*(?:([{}\[\],:])|'((?:[^'\\]|\\.)*)'|"((?:[^"\\]|\\.)*)"|([^{}\[\],:'"\s]+))""", re.DOTALL
)
_NUMBER = re.compile(r"-?[0-9]{1,9}(\.[0-9]{1,9})?")
_WORDS: dict[str, object] = {"t": True, "f": False, "true": True, "false": False, "null": None}
# Signs between which a value is missing, which is an empty object.
_WITHOUT_VALUE = {":,", ":}", ",,", ",]", "[,"}
_ESCAPES = {"n": "\n", "t": "\t", "r": "\r", "b": "\b", "f": "\f"}
_ESCAPE = re.compile(r"\\(u([0-9a-fA-F]{4})|.)", re.DOTALL)


def load(text: str) -> json_document.Object:
    """The object in JSON or its compact form, with all keys expanded. Raises PuzzleError."""
    if not json_document.looks_like_object(text):
        return _with_full_keys(json_document.load(_as_json(text), ""))
    document = json_document.load(text, "")
    return document if "cells" in document or "grid" in document else _with_full_keys(document)


def _with_full_keys(found: json_document.Object) -> json_document.Object:
    """The object with all keys expanded, also in objects inside it. Raises PuzzleError."""
    return json_document.object_without_duplicates(
        [(FULL_KEYS.get(key, key), _inside(value)) for key, value in found.items()]
    )


def _inside(value: object) -> object:
    if isinstance(value, list):
        return [_inside(each) for each in value]
    return _with_full_keys(value) if isinstance(value, dict) else value


def _as_json(text: str) -> str:
    """JSON for the compact form of it. Raises PuzzleError for a string without an end."""
    tokens = list(_TOKEN.finditer(text))
    if "".join(token[0] for token in tokens) != text.rstrip():
        raise PuzzleError("invalid SudokuPad text: a string without an end")
    written, before = [], ""
    for token, following in zip_longest(tokens, tokens[1:]):
        sign, single, double, word = token.groups("")
        after = following[1] if following else ""
        if sign + (after or "") == ",}" and before != "{":
            continue  # a comma at the end of an object
        if after == ":" or not (sign or word):
            value: object = word or _unescaped(single or double)
        else:
            value = _value(word)
        written.append(sign or json.dumps(value))
        if sign + (after or "") in _WITHOUT_VALUE:
            written.append("{}")
        before = sign
    return "".join(written)


def _value(word: str) -> object:
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
    return Puzzle(to_rows([int(cell) or None for cell in cells]))
