"""The text format of puzzlekit and janko.at.

A line `9 9`, then the grid with - for empty cells, then optionally as many lines of regions.

E and O mark even and odd cells. Regions of n cells each are a jigsaw. Regions with a sum in one of
their cells are the cages of a killer sudoku, whose grid contains nothing else. The text of other
types does not specify their rules, so they are rejected here; `janko_types` reads them by name.
"""

from __future__ import annotations

import re

from aspdoku.errors import PuzzleError
from aspdoku.formats import regions
from aspdoku.formats.base import (
    JIGSAW,
    KILLER,
    LARGEST,
    PARITY,
    PLAIN,
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
from aspdoku.formats.regions import Cages, cages_of, first_cells, killer_puzzle, require_all_sums
from aspdoku.puzzle.puzzle import Puzzle
from aspdoku.puzzle.term import Function
from aspdoku.puzzlefile.lines import Line, is_digits

HEADER = re.compile(r"\s*([1-9][0-9]?)\s+([1-9][0-9]?)(\s+\S+)?\s*")
EMPTY = "-"
MARKS = dict(zip("EO", (name for name, _ in PARITY.predicates), strict=True))
OTHER_TYPES = "; `aspdoku convert --from` names other types, such as"
SEVERAL_GRIDS = 12  # rows of the smallest overlapping grids


def fits(text: str) -> bool:
    """Whether a line of two numbers, and optionally a word, is followed by at least as many rows of
    as many cells.
    """
    lines = content_lines(text)
    match = HEADER.fullmatch(lines[0].content) if lines else None
    if not match or int(match[2]) < SMALLEST or len(lines) <= int(match[1]):
        return False
    return all(len(line.content.split()) == int(match[2]) for line in lines[1:])


def read(text: str, name: str) -> list[Puzzle]:
    """The one puzzle of the text.

    Raises PuzzleError, in particular if the text does not determine the rules of the puzzle.
    """
    head, size, _, listed = words_of(
        text, name, "9 9" + OTHER_TYPES + " janko-gattai-8 and janko-shogun"
    )
    lines, rows = [line for line, _ in listed], [row for _, row in listed]
    if len(rows) not in (size, 2 * size):
        clues = (
            ": clues outside the grid, whose rule the text does not specify"
            f"{OTHER_TYPES} janko-skyscraper and janko-frame-sum"
            if len(rows) == size + 4
            else ""
        )
        raise head.error(
            f"expected {size} rows, or {2 * size} with regions, but {len(rows)} follow{clues}"
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
            f"no number above 9 occurs in this {size}x{size} grid: it may be several overlapping"
            " grids; name their type, e.g. --from janko-samurai"
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


def words_of(
    text: str, name: str, example: str = "9 9", more: int = 0
) -> tuple[Line, int, list[str], list[tuple[Line, list[str]]]]:
    """The first line, its size, its words after the size, and the words of each following line.

    more: the maximum number of words after the size
    Raises PuzzleError, for the first line with an `example`.
    """
    head, *lines = content_lines(text, name) or [Line("", 1, name)]
    first, *words = head.content.split() or [""]
    square = is_digits(first) and words[:1] == [first] and 1 < int(first) <= LARGEST
    if not square or words[more + 1 :]:
        raise head.error(
            f"invalid first line {head.content.strip()!r}: expected the size of a square grid, e.g."
            f" {example}"
        )
    return head, int(first), words[1:], rows_of(lines, int(first))


def rows_of(lines: list[Line], columns: int) -> list[tuple[Line, list[str]]]:
    """The words of these lines. Raises PuzzleError for a line with more or fewer than `columns`."""
    rows = [(line, line.content.split()) for line in lines]
    for line, row in rows:
        if len(row) != columns:
            raise line.error(f"the row has {len(row)} cells; each row needs {columns}")
    return rows


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
    names = list(map(str, range(1, puzzle.size + 1)))
    labels = regions.partition_labels(puzzle, JIGSAW, names, FORMAT.name)
    return _text(cells, labels, puzzle.size)


def _is_jigsaw(cells: list[str], labels: list[str], size: int) -> bool:
    return regions.is_partition(labels, size) and all(
        len(cell) < 3 and not (is_digits(cell) and int(cell) > size) for cell in cells
    )


def _killer(cells: list[str], labels: list[str], head: Line) -> Puzzle:
    """The killer sudoku in which one cell of each cage contains its sum.

    Raises PuzzleError if the text is not a killer sudoku.
    """
    stated = [(label, cell) for label, cell in zip(labels, cells, strict=True) if cell != EMPTY]
    sums = {label: int(cell) for label, cell in stated if is_digits(cell) and len(cell) < 5}
    feasible = all(
        total >= labels.count(label) * (labels.count(label) + 1) // 2
        for label, total in sums.items()
    )
    if not len(sums) == len(stated) == len({*labels}) or not feasible:
        raise head.error(
            "unknown type of puzzle: the regions have neither n cells each, as in a jigsaw, nor a"
            " possible sum in one of their cells, as in a killer sudoku"
            f"{OTHER_TYPES} janko-kenken, janko-consecutive, janko-renban and janko-suguru"
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
                f"the format {FORMAT.name} cannot represent {fact}: it allows one such fact per"
                " empty cell"
            )
        cells[index] = signs[fact.name]
    return _text(cells, [], puzzle.size)


def _text(cells: list[str], labels: list[str], size: int) -> str:
    rows = [
        " ".join([*cells, *labels][start : start + size])
        for start in range(0, len(cells) + len(labels), size)
    ]
    return "\n".join([f"{size} {size}", *rows]) + "\n"


FORMAT = Format(
    "janko",
    "the text format of puzzlekit and janko.at, starting with a line 9 9",
    fits,
    read,
    write,
)
