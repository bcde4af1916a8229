"""Grids of candidates: n³ characters on one line, or a group of digits per cell, drawn as a grid.

A cell with one candidate is a given and a cell with all candidates is empty; any other cell becomes
facts pencilmark(R,C,N), one of which must hold.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import takewhile

from aspdoku.errors import PuzzleError
from aspdoku.formats.base import (
    PENCILMARKED,
    SMALLEST,
    SYMBOLS,
    Format,
    cell_name,
    content_lines,
    joined,
    puzzle_with,
    require_representable,
    to_rows,
)
from aspdoku.puzzle.puzzle import Puzzle
from aspdoku.puzzle.term import Function
from aspdoku.puzzlefile.grid import TO_ASCII, GridRow, box_shape_of_separators
from aspdoku.puzzlefile.lines import Line

PREDICATE = PENCILMARKED.predicates[0][0]
LARGEST = 16
FRAME = str.maketrans(dict.fromkeys("|│┃║", " "))
SEPARATOR_CHARACTERS = frozenset(" \t.:'`,|+*=-")
GROUP = re.compile(r"[1-9]+|[.0]")


def fits_candidate_string(text: str) -> bool:
    """Whether the text is n³ characters with each candidate at its position, or one line that has
    one character too many or too few.
    """
    cells = joined(text)
    size = _size(len(cells))
    if size**3 == len(cells):
        return bool(size) and _is_whole(cells, size)
    one_line = len(content_lines(text)) == 1 and " " not in text.strip()
    return bool(size) and one_line and _is_nearly(cells, size)


def _size(signs: int) -> int:
    """The number of rows of the grid with this number of candidates, give or take one; else 0."""
    size = round(signs ** (1 / 3))
    return size if abs(size**3 - signs) <= 1 and 4 <= size <= LARGEST else 0


def _is_whole(cells: str, size: int) -> bool:
    return all(_is_cell(cells[start : start + size]) for start in range(0, len(cells), size))


def _is_cell(group: str) -> bool:
    """Whether each candidate is at its position, and there is at least one."""
    placed = all(sign in (".", "0", SYMBOLS[index]) for index, sign in enumerate(group))
    return placed and any(sign not in ".0" for sign in group)


def _is_nearly(cells: str, size: int) -> bool:
    """Whether all cells but one are valid, aligned with the start or with the end of the text."""
    before = takewhile(_is_cell, (cells[start : start + size] for start in range(0, size**3, size)))
    after = takewhile(
        _is_cell, (cells[end - size : end] for end in range(len(cells), size - 1, -size))
    )
    return sum(1 for _ in before) + sum(1 for _ in after) >= size * size - 1


def read_candidate_string(text: str, name: str) -> list[Puzzle]:
    """The one puzzle of such a text. Raises PuzzleError."""
    lines = content_lines(text, name)
    cells = joined(text)
    size = _size(len(cells))
    if not size or size**3 != len(cells):
        grids = (
            f"{size}x{size} grid has {size**3}" if size > 4 else "4x4 grid has 64, a 9x9 grid 729"
        )
        raise lines[0].error(f"{len(cells)} characters do not form a grid of candidates: a {grids}")
    if not _is_whole(cells, size):
        raise lines[0].error(
            "invalid cell: each cell needs at least one candidate, and each candidate must be at"
            " its position, e.g. 1.3.5...."
        )
    groups = (cells[start : start + size] for start in range(0, size**3, size))
    return [
        _puzzle([[at for at, sign in enumerate(each, 1) if sign not in ".0"] for each in groups])
    ]


def write_candidate_string(puzzle: Puzzle) -> str:
    """All candidates on one line. Raises PuzzleError."""
    signs = [
        sign if number in cell else "."
        for cell in candidates_of(puzzle, CANDIDATE_STRING.name, LARGEST)
        for number, sign in enumerate(SYMBOLS[: puzzle.size], 1)
    ]
    return "".join(signs) + "\n"


def fits_candidate_grid(text: str) -> bool:
    """Whether the text, without separators, is n lines of n groups of ascending digits.

    At least one group has several digits.
    """
    rows = _rows(content_lines(text))
    groups = [group for _, row in rows for group in row]
    whole = 4 <= len(rows) <= 9 and all(len(row) == len(rows) for _, row in rows)
    return whole and any(len(group) > 1 for group in groups) and all(map(_is_group, groups))


def read_candidate_grid(text: str, name: str) -> list[Puzzle]:
    """The one puzzle of such a text. Raises PuzzleError."""
    lines = content_lines(text, name)
    rows = _rows(lines)
    for line, row in rows:
        if len(row) != len(rows):
            raise line.error(
                f"the line has {len(row)} groups of candidates, but there are {len(rows)} rows"
            )
        for group in row:
            if not _is_group(group) or int(group[-1].replace(".", "0")) > len(rows):
                raise line.error(
                    f"invalid group of candidates {group[:20]!r} for a {len(rows)}x{len(rows)}"
                    " grid: write candidates in ascending order, e.g. 148"
                )
    if not 4 <= len(rows) <= 9:
        raise lines[0].error(
            f"{len(rows)} rows do not form a grid of candidates: 4 to 9 are possible"
        )
    everything = list(range(1, len(rows) + 1))
    box = box_shape_of_separators(lines, [GridRow(line, row) for line, row in rows])
    groups = (group for _, row in rows for group in row)
    cells = [everything if group in ".0" else list(map(int, group)) for group in groups]
    return [_puzzle(cells, box)]


def write_candidate_grid(puzzle: Puzzle) -> str:
    """The candidates of each cell, drawn with aligned columns and boxes. Raises PuzzleError."""
    cells = ["".join(map(str, cell)) for cell in candidates_of(puzzle, CANDIDATE_GRID.name, 9)]
    size = puzzle.size
    height, width = puzzle.box or (1, 1)
    wide = [max(map(len, cells[column::size])) for column in range(size)]
    bands = [range(start, start + width) for start in range(0, size, width)]
    separator = (
        "+" + "+".join("-" * (sum(wide[column] + 1 for column in band) + 1) for band in bands) + "+"
    )
    lines = [separator]
    for row in range(size):
        words = [cells[row * size + column].ljust(wide[column]) for column in range(size)]
        lines.append(
            "| " + " | ".join(" ".join(words[column] for column in band) for band in bands) + " |"
        )
        lines += [separator] if (row + 1) % height == 0 else []
    return "\n".join(lines) + "\n"


def _rows(lines: Sequence[Line]) -> list[tuple[Line, list[str]]]:
    return [
        (line, line.content.translate(FRAME).split())
        for line in lines
        if not _is_separator(line.content)
    ]


def _is_separator(text: str) -> bool:
    plain = text.translate(TO_ASCII)
    return set(plain) <= SEPARATOR_CHARACTERS and (
        "==" in plain or "--" in plain or set(plain) <= set(" \t|+")
    )


def _is_group(group: str) -> bool:
    return GROUP.fullmatch(group) is not None and list(group) == sorted(set(group))


def _puzzle(candidates: list[list[int]], box: tuple[int, int] | None = None) -> Puzzle:
    size = round(len(candidates) ** 0.5)
    grid = to_rows([cell[0] if len(cell) == 1 else None for cell in candidates])
    marks = [
        mark(index, size, number)
        for index, cell in enumerate(candidates)
        if 1 < len(cell) < size
        for number in cell
    ]
    return puzzle_with(PENCILMARKED, grid, marks, box=box)


def mark(index: int, size: int, number: int) -> Function:
    """The fact that a number is a pencil mark of the cell with this index in reading order."""
    return Function(PREDICATE, (index // size + 1, index % size + 1, number))


def candidates_of(
    puzzle: Puzzle, name: str, largest: int, least: int = SMALLEST
) -> list[list[int]]:
    """The candidates of each cell in reading order.

    Raises PuzzleError, in particular for pencil marks outside the grid.
    """
    require_representable(puzzle, PENCILMARKED, name, largest, least)
    size = puzzle.size
    marks: dict[tuple[object, object], list[int]] = {}
    for fact in puzzle.facts:
        row, column, number = fact.arguments
        if not all(isinstance(term, int) and 1 <= term <= size for term in fact.arguments):
            raise PuzzleError(
                f"the format {name} cannot represent {fact}, which is not a candidate of the grid"
            )
        marks.setdefault((row, column), []).append(number)  # type: ignore[arg-type]
    everything = list(range(1, size + 1))
    givens = puzzle.givens()
    found = []
    for index in range(size * size):
        cell = (index // size + 1, index % size + 1)
        known = marks.get(cell, everything)
        if cell in givens and givens[cell] not in known:
            raise PuzzleError(
                f"the format {name} cannot represent {cell_name(index, size)}, whose given is not"
                " one of its pencil marks"
            )
        found.append([givens[cell]] if cell in givens else known)
    return found


CANDIDATE_STRING = Format(
    "candidates",
    "the candidates of every cell at their positions, on one line",
    fits_candidate_string,
    read_candidate_string,
    write_candidate_string,
)
CANDIDATE_GRID = Format(
    "candidate-grid",
    "the candidates of every cell, drawn as a grid",
    fits_candidate_grid,
    read_candidate_grid,
    write_candidate_grid,
    suffixes=(".pm",),
)
