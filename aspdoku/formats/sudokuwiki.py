"""The parameter `bd` of URLs of sudokuwiki.org: the cells of a sudoku.

Either 81 numbers, or two signs per cell. Version B, `S9B…`, is in base 36: a clue, 9 + a number
that was entered, or 18 + a set of candidates as bits; S9B is a sudoku, X9B one with diagonals, W9B
a windoku. Without this header, base 32: 2 * a set of candidates as bits, + 1 for a clue. Numbers
that were entered and candidates are a state of solving, and become facts pencilmark(R,C,N).

https://www.sudokuwiki.org/Sudoku_String_Definitions
"""

from __future__ import annotations

import re

from aspdoku.errors import PuzzleError
from aspdoku.formats.base import PENCILMARKED, cell_name, to_rows
from aspdoku.formats.candidates import mark
from aspdoku.puzzle.puzzle import Puzzle
from aspdoku.puzzlefile.lines import quote

SIZE = 9
CELLS = SIZE * SIZE
ALL = 2**SIZE - 1
PLAIN = re.compile(f"[0-9.]{{{CELLS}}}")
STATE = re.compile(rf"(?:([A-Z])9B)?([0-9a-z]{{{2 * CELLS}}})", re.IGNORECASE)
RULES: dict[str | None, tuple[str, ...]] = {
    **{None: (), "S": (), "X": ("diagonal",), "W": ("windoku",)},
}


# Pages whose puzzles have no other rules than their cells state.
PAGES = {"", "sudoku.htm", "sudoku_player.htm"}


def read(packed: str, page: str = "") -> Puzzle:
    """The puzzle in the value of the parameter; other pages have rules of their own, which are
    unsupported. Raises PuzzleError.
    """
    puzzle = _puzzle(packed)
    if page.lower() in PAGES:
        return puzzle
    return puzzle.replace(unsupported=(f"the rules of the page {quote(page)}",))


def _puzzle(packed: str) -> Puzzle:
    if PLAIN.fullmatch(packed):
        return Puzzle(to_rows([int(sign) if sign not in ".0" else None for sign in packed]))
    state = STATE.fullmatch(packed)
    kind = state[1] and state[1].upper() if state else ""
    if not state or kind not in RULES:
        raise PuzzleError(
            f"{quote(packed)} is no sudoku of sudokuwiki.org: expected 81 numbers, or two signs per"
            f" cell, perhaps after S9B, X9B or W9B"
        )
    grid: list[int | None] = []
    marks = []
    for index in range(CELLS):
        field = state[2][2 * index : 2 * index + 2]
        given, candidates = (_version_b if kind else _first_version)(field, index)
        grid.append(given)
        if given is None and candidates not in (0, ALL):
            numbers = [number for number in range(1, SIZE + 1) if candidates >> (number - 1) & 1]
            marks += [mark(index, SIZE, number) for number in numbers]
    rules = (*RULES[kind], *(PENCILMARKED.elaborations if marks else ()))
    return Puzzle(to_rows(grid), facts=tuple(marks), elaborations=rules)


def _version_b(field: str, index: int) -> tuple[int | None, int]:
    """The given in a cell, or None and its candidates as bits."""
    value = int(field, 36)
    if value > 2 * SIZE + ALL:
        raise _invalid(field, index)
    if value > 2 * SIZE:
        return None, value - 2 * SIZE
    return (value or None, 0) if value <= SIZE else (None, 1 << (value - SIZE - 1))


def _first_version(field: str, index: int) -> tuple[int | None, int]:
    try:
        value = int(field, 32)
    except ValueError:
        raise _invalid(field, index) from None
    candidates, is_clue = value >> 1, value & 1
    if candidates > ALL or (is_clue and candidates.bit_count() != 1):
        raise _invalid(field, index)
    return (candidates.bit_length(), 0) if is_clue else (None, candidates)


def _invalid(field: str, index: int) -> PuzzleError:
    return PuzzleError(f"invalid cell {field!r} in {cell_name(index, SIZE)}: copy all of the URL")
