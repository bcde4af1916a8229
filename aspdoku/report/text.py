"""Grids as text: for people, for pipes, and as facts."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable

from aspdoku.errors import AspdokuError
from aspdoku.puzzle import Function, render
from aspdoku.puzzle.puzzle import Cell, Grid, GridLike, Puzzle, Solution
from aspdoku.puzzle.term import Term, to_asp
from aspdoku.puzzlefile import oneline


def grid(drawable: GridLike, colour: bool = False, marked: Collection[Cell] = ()) -> str:
    """The grid as `render.text` lays it out."""
    return render.text(*_parts(drawable), colour, marked)


def _parts(drawable: GridLike) -> tuple[Puzzle, Grid]:
    return (
        (drawable.puzzle, drawable.rows)
        if isinstance(drawable, Solution)
        else (drawable, drawable.grid)
    )


def shown_atoms(solution: Solution) -> str:
    """What the rules show beside the grid.

    Pictures of p(R,C,I), the cells of p(R,C), and whatever else there is as it is.
    """
    size = solution.puzzle.size
    drawn: dict[str, dict[Cell, str]] = defaultdict(dict)
    rest: list[Term] = []
    for term in solution.shown:
        cell, label = _labelled(term, size)
        if isinstance(term, Function) and cell and cell not in drawn[term.name]:
            drawn[term.name][cell] = label
        else:
            rest.append(term)
    blocks = [
        f"{name.replace('_', '-')}\n{_picture(cells, size)}"
        for name, cells in drawn.items()
        if cells
    ]
    return "\n\n".join([*blocks, *([" ".join(map(to_asp, rest))] if rest else [])])


def _labelled(term: Term, size: int) -> tuple[Cell | None, str]:
    """The cell that a term is about and what it says of it, a cross if nothing.

    No cell where it is about none.
    """
    if not isinstance(term, Function) or len(term.arguments) not in (2, 3):
        return None, ""
    row, column, *label = term.arguments
    if not (
        isinstance(row, int)
        and isinstance(column, int)
        and 1 <= row <= size
        and 1 <= column <= size
    ):
        return None, ""
    return (row, column), to_asp(label[0]) if label else "x"


def _picture(labels: dict[Cell, str], size: int) -> str:
    width = max(map(len, labels.values()))
    span = range(1, size + 1)
    return "\n".join(
        " ".join(labels.get((row, column), ".").rjust(width) for column in span) for row in span
    )


def candidate_grid(puzzle: Puzzle, cells: list[list[str]], colour: bool = False) -> str:
    """A text in each cell, set out in columns, with rules between the boxes.

    A given stands out in colour.
    """
    width = max(len(cell) for row in cells for cell in row)
    givens = puzzle.givens()

    def padded(place: Cell, cell: str) -> str:
        return (
            f"{render.BOLD_CYAN}{cell}{render.RESET}" if colour and place in givens else cell
        ) + " " * (width - len(cell))

    lines = [
        [padded((row, column), cell) for column, cell in enumerate(line, 1)]
        for row, line in enumerate(cells, 1)
    ]
    return render.framed(lines, puzzle, width)


def symbols(numbers: Iterable[int], puzzle: Puzzle) -> str:
    """Some numbers of a puzzle, a character each, A for 10.

    With commas between them where there are not characters enough.
    """
    if puzzle.numbers[-1] > oneline.LARGEST:
        return ",".join(map(str, numbers))
    return "".join(map(_symbol, numbers))


def _symbol(number: int | None) -> str:
    return "." if number is None else ("0" + oneline.SYMBOLS)[number]


def line(drawable: GridLike) -> str:
    """The grid in reading order without a break.

    A character a cell, A for 10 and so on, a dot where it is empty.
    """
    puzzle, rows = _parts(drawable)
    if puzzle.numbers[-1] > oneline.LARGEST:
        most, greatest = oneline.LARGEST, puzzle.numbers[-1]
        raise AspdokuError(
            f"a line has symbols for numbers up to {most}, and this grid goes up to {greatest}"
        )
    return "".join(_symbol(number) for cells in rows for number in cells)


def facts(drawable: GridLike) -> str:
    """The grid as facts a(R,C,N), a row of the grid a line."""
    _, rows = _parts(drawable)
    return "\n".join(
        " ".join(
            f"a({row},{column},{number})."
            for column, number in enumerate(cells, 1)
            if number is not None
        )
        for row, cells in enumerate(rows, 1)
    )
