"""The text of puzzlekit and janko.at.

A line `9 9`, then the grid with - in empty cells, then perhaps as many lines of regions.

E and O are even and odd cells. Regions of n cells each make a jigsaw. Cages with a sum in one of
their cells make a killer, and its grid holds nothing else. The text of other kinds does not say by
which rule it goes, and is refused.
"""

from __future__ import annotations

import re

from aspdoku.errors import PuzzleError
from aspdoku.formats import regions
from aspdoku.formats.base import (
    SMALLEST,
    Format,
    cell_name,
    cell_number,
    content_lines,
    puzzle_with,
    require_no_givens,
    require_representable,
    to_rows,
)
from aspdoku.formats.presets import JIGSAW, KILLER, PARITY, PLAIN
from aspdoku.formats.regions import Cages, cages_of, first_cells, killer_puzzle, require_all_sums
from aspdoku.puzzle.puzzle import Puzzle
from aspdoku.puzzle.term import Function
from aspdoku.puzzlefile.lines import Line
from aspdoku.puzzlefile.value import is_digits

HEADER = re.compile(r"\s*([1-9][0-9]?)\s+([1-9][0-9]?)(\s+\S+)?\s*")
EMPTY = "-"
MARKS = dict(zip("EO", (name for name, _ in PARITY.predicates), strict=True))
SEVERAL_GRIDS = 12  # rows of the smallest that are drawn in one


def fits(text: str) -> bool:
    """Whether a line of two numbers and perhaps a word stands above rows of as many cells, or more
    rows than that.
    """
    lines = content_lines(text)
    match = HEADER.fullmatch(lines[0].content) if lines else None
    if not match or int(match[2]) < SMALLEST or len(lines) <= int(match[1]):
        return False
    return all(len(line.content.split()) == int(match[2]) for line in lines[1:])


def read(text: str, name: str) -> list[Puzzle]:
    """The one puzzle of the text.

    Raises PuzzleError, also where it does not say by which rule the puzzle goes.
    """
    head, *lines = content_lines(text, name) or [Line("", 1, name)]
    words = head.content.split()
    if (
        len(words) != 2
        or words[0] != words[1]
        or not is_digits(words[0])
        or not 1 < int(words[0]) <= 35
    ):
        raise head.error(
            "only square grids can be read from this format, below a line such as 9 9, not"
            f" {head.content.strip()!r}"
        )
    size = int(words[0])
    rows = [line.content.split() for line in lines]
    wrong = next((line for line, row in zip(lines, rows, strict=True) if len(row) != size), None)
    if wrong:
        raise wrong.error(
            f"the row has {len(wrong.content.split())} cells; below {size} {size} each has {size}"
        )
    if len(rows) not in (size, 2 * size):
        clues = (
            ": clues outside the grid, whose rule the text does not say"
            if len(rows) == size + 4
            else ""
        )
        raise head.error(
            f"{len(rows)} rows follow{clues}; a grid has {size}, and a grid with its regions"
            f" {2 * size}"
        )
    cells = [cell for row in rows[:size] for cell in row]
    labels = [label for row in rows[size:] for label in row]
    if labels and not _is_jigsaw(cells, labels, size):
        return [_killer(cells, labels, head)]
    empty = {EMPTY} if labels else {EMPTY, *MARKS}
    numbers = [
        None
        if cell in empty
        else cell_number(cell, size, lines[index // size], cell_name(index, size))
        for index, cell in enumerate(cells)
    ]
    if size >= SEVERAL_GRIDS and max(filter(None, numbers), default=0) < 10:
        raise head.error(
            f"no number above 9 stands in this {size}x{size} grid: it may be several grids that"
            " overlap, which cannot be read"
        )
    marks = [
        Function(MARKS[cell], (index // size + 1, index % size + 1))
        for index, cell in enumerate(cells)
        if cell in MARKS
    ]
    if marks and not labels:
        return [puzzle_with(PARITY, to_rows(numbers), marks)]
    facts = regions.region_facts(JIGSAW.predicates[0][0], labels, size) if labels else []
    return [puzzle_with(JIGSAW if labels else PLAIN, to_rows(numbers), facts)]


def write(puzzle: Puzzle) -> str:
    """The grid, and its regions or cages. Raises PuzzleError."""
    if puzzle.elaborations == KILLER.elaborations:
        return _killer_text(puzzle)
    if puzzle.elaborations == PARITY.elaborations:
        return _parity_text(puzzle)
    require_representable(puzzle, JIGSAW, FORMAT.name)
    cells = [EMPTY if each is None else str(each) for row in puzzle.grid for each in row]
    if puzzle.box:
        return _text(cells, [], puzzle.size)
    stated = regions.cell_labels(puzzle, JIGSAW.predicates[0][0], FORMAT.name)
    known = regions.relabelled(stated, list(map(str, range(1, puzzle.size + 1))), FORMAT.name)
    labels = [known[label] for label in stated]
    if not regions.is_partition(labels, puzzle.size):
        raise PuzzleError(
            f"the format {FORMAT.name} is for jigsaws, where each of n regions has n cells"
        )
    return _text(cells, labels, puzzle.size)


def _is_jigsaw(cells: list[str], labels: list[str], size: int) -> bool:
    return regions.is_partition(labels, size) and all(
        len(cell) < 3 and not (is_digits(cell) and int(cell) > size) for cell in cells
    )


def _killer(cells: list[str], labels: list[str], head: Line) -> Puzzle:
    """The killer in which the sum of each cage stands in one of its cells.

    Raises PuzzleError where this is none.
    """
    stated = [(label, cell) for label, cell in zip(labels, cells, strict=True) if cell != EMPTY]
    sums = {label: int(cell) for label, cell in stated if is_digits(cell) and len(cell) < 5}
    feasible = all(
        total >= labels.count(label) * (labels.count(label) + 1) // 2
        for label, total in sums.items()
    )
    if not len(sums) == len(stated) == len({*labels}) or not feasible:
        raise head.error(
            "the regions below the grid have not n cells each, as in a jigsaw, nor has each the sum"
            " of different numbers in one of its cells, as in a killer: the text does not say by"
            " which other rule the puzzle goes"
        )
    return killer_puzzle(Cages(labels, sums))


def _killer_text(puzzle: Puzzle) -> str:
    names = [str(number) for number in range(1, puzzle.size**2 + 1)]
    cages = cages_of(puzzle, names, FORMAT.name)
    require_no_givens(puzzle, FORMAT.name)
    require_all_sums(cages, FORMAT.name)
    first = first_cells(cages.labels)
    cells = [
        str(cages.sums[label]) if first[label] == index else EMPTY
        for index, label in enumerate(cages.labels)
    ]
    return _text(cells, cages.labels, puzzle.size)


def _parity_text(puzzle: Puzzle) -> str:
    require_representable(puzzle, PARITY, FORMAT.name)
    cells = [EMPTY if each is None else str(each) for row in puzzle.grid for each in row]
    signs = {name: sign for sign, name in MARKS.items()}
    for fact in puzzle.facts:
        row, column = (
            term if isinstance(term, int) and 1 <= term <= puzzle.size else 0
            for term in fact.arguments
        )
        index = (row - 1) * puzzle.size + column - 1
        if not (row and column) or cells[index] != EMPTY:
            raise PuzzleError(
                f"the format {FORMAT.name} cannot carry {fact}: it is about one empty cell, and the"
                " only one about it"
            )
        cells[index] = signs[fact.name]
    return _text(cells, [], puzzle.size)


def _text(cells: list[str], labels: list[str], size: int) -> str:
    rows = [
        " ".join([*cells, *labels][start : start + size])
        for start in range(0, len(cells) + len(labels), size)
    ]
    return "\n".join([f"{size} {size}", *rows]) + "\n"


FORMAT = Format("janko", "the text of puzzlekit and janko.at, below a line 9 9", fits, read, write)
