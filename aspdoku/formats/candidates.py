"""Grids of candidates: n³ characters on one line, or a group of digits per cell, drawn as a grid.

A cell with one candidate is a given and a cell with all candidates is empty; any other cell becomes
facts pencilmark(R,C,N), one of which must hold.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Sequence
from itertools import takewhile
from math import isqrt

from aspdoku.formats import base
from aspdoku.formats.boards import Content
from aspdoku.puzzle.puzzle import Puzzle
from aspdoku.puzzle.term import Function
from aspdoku.puzzlefile.grid import TO_ASCII, GridRow, box_shape_of_separators
from aspdoku.puzzlefile.lines import Line

PREDICATE = base.PENCILMARKED.predicates[0][0]
LARGEST = 16
FRAME = str.maketrans(dict.fromkeys("|│┃║", " "))
SEPARATOR = re.compile(r"(?=.*(?:==|--))[ \t.:'`,|+*=-]*|[ \t|+]*")
GROUP = re.compile(r"[1-9]+|[.0]")


def _fits_candidate_string(text: str) -> bool:
    """Whether the text is n³ candidates at their positions, or a line of one more or one less."""
    cells = base.joined(text)
    size = _size(len(cells))
    if size**3 == len(cells):
        return bool(size) and _is_whole(cells, size)
    one_line = len(base.content_lines(text)) == 1 and " " not in text.strip()
    return bool(size) and one_line and _is_nearly(cells, size)


def _size(signs: int) -> int:
    """The number of rows of the grid with this number of candidates, give or take one; else 0."""
    size = round(signs ** (1 / 3))
    return size if abs(size**3 - signs) <= 1 and 4 <= size <= LARGEST else 0


def _is_whole(cells: str, size: int) -> bool:
    return all(_is_cell(cells[start : start + size]) for start in range(0, len(cells), size))


def _is_cell(group: str) -> bool:
    placed = all(sign in (".", "0", base.SYMBOLS[index]) for index, sign in enumerate(group))
    return placed and any(sign not in ".0" for sign in group)


def _is_nearly(cells: str, size: int) -> bool:
    """Whether all cells but one are valid, aligned with the start or with the end of the text."""
    before = takewhile(_is_cell, (cells[start : start + size] for start in range(0, size**3, size)))
    after = takewhile(
        _is_cell, (cells[end - size : end] for end in range(len(cells), size - 1, -size))
    )
    return sum(1 for _ in before) + sum(1 for _ in after) >= size * size - 1


def _read_candidate_string(text: str, name: str) -> list[Puzzle]:
    lines = base.content_lines(text, name)
    cells = base.joined(text)
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


def _write_candidate_string(puzzle: Puzzle) -> str:
    signs = [
        sign if number in cell else "."
        for cell in _candidates(puzzle)
        for number, sign in enumerate(base.SYMBOLS[: puzzle.size], 1)
    ]
    return "".join(signs) + "\n"


def _fits_candidate_grid(text: str) -> bool:
    """Whether n lines have n groups of ascending digits, at least one of them of several."""
    rows = _rows(base.content_lines(text))
    groups = [group for _, row in rows for group in row]
    whole = 4 <= len(rows) <= 9 and all(len(row) == len(rows) for _, row in rows)
    return whole and any(len(group) > 1 for group in groups) and all(map(_is_group, groups))


def _read_candidate_grid(text: str, name: str) -> list[Puzzle]:
    lines = base.content_lines(text, name)
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
    box = box_shape_of_separators(lines, rows)
    groups = (group for _, row in rows for group in row)
    cells = [everything if group in ".0" else list(map(int, group)) for group in groups]
    return [_puzzle(cells, box)]


def _write_candidate_grid(puzzle: Puzzle) -> str:
    cells = ["".join(map(str, cell)) for cell in _candidates(puzzle)]
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


def _rows(lines: Sequence[Line]) -> list[GridRow]:
    return [
        GridRow(line, line.content.translate(FRAME).split())
        for line in lines
        if not SEPARATOR.fullmatch(line.content.translate(TO_ASCII))
    ]


def _is_group(group: str) -> bool:
    return GROUP.fullmatch(group) is not None and list(group) == sorted(set(group))


def _puzzle(candidates: list[list[int]], box: tuple[int, int] | None = None) -> Puzzle:
    givens = [cell[0] if len(cell) == 1 else None for cell in candidates]
    return with_candidates(givens, candidates).replace(box=box)


def with_candidates(givens: Sequence[int | None], candidates: Iterable[Collection[int]]) -> Puzzle:
    """The puzzle with these cells; if a cell without a given has not all candidates, with those as
    pencil marks.
    """
    size = isqrt(len(givens))
    marks = [
        Function(PREDICATE, (index // size + 1, index % size + 1, number))
        for index, (given, left) in enumerate(zip(givens, candidates, strict=True))
        if given is None and len(left) < size
        for number in left
    ]
    return base.puzzle_with(base.PENCILMARKED, base.to_rows(givens), marks)


def _candidates(puzzle: Puzzle) -> list[list[int]]:
    """The candidates of each cell in reading order."""
    known = Content(puzzle).marks() | {cell: [n] for cell, n in puzzle.givens().items()}
    span = range(1, puzzle.size + 1)
    return [known.get((row, column), list(span)) for row in span for column in span]


CANDIDATE_STRING = base.Format(
    "candidates",
    "the candidates of every cell at their positions, on one line",
    _fits_candidate_string,
    _read_candidate_string,
    _write_candidate_string,
    kinds=(base.PENCILMARKED,),
    sizes=range(base.SMALLEST, LARGEST + 1),
)
CANDIDATE_GRID = base.Format(
    "candidate-grid",
    "the candidates of every cell, drawn as a grid",
    _fits_candidate_grid,
    _read_candidate_grid,
    _write_candidate_grid,
    kinds=(base.PENCILMARKED,),
    sizes=range(base.SMALLEST, 10),
    suffixes=(".pm",),
)
