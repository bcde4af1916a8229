"""SudokuPad's encodings of givens in URLs: `classic...` and `scf...`."""

from __future__ import annotations

import re
from math import isqrt

from aspdoku.errors import PuzzleError
from aspdoku.puzzle.puzzle import Puzzle

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
