"""The text format of puzzlekit and janko.at.

A line `9 9`, then the grid with - for empty cells, then optionally as many lines of regions.

E and O mark even and odd cells. Regions of n cells each are a jigsaw. Regions with a sum in one of
their cells are the cages of a killer sudoku, whose grid contains nothing else. The text of other
types does not specify their rules, so they are rejected here; `janko_types` reads them by name.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from aspdoku.formats import base, partitions
from aspdoku.formats.partitions import Cages, cages_of, first_cells, killer_puzzle
from aspdoku.puzzle.puzzle import Cell, Puzzle
from aspdoku.puzzle.term import Function, Term
from aspdoku.puzzlefile.lines import Line, is_digits

HEADER = re.compile(r"\s*([1-9][0-9]?)\s+([1-9][0-9]?)(\s+\S+)?\s*")
EMPTY = "-"
MARKS = dict(zip("EO", (name for name, _ in base.PARITY.predicates), strict=True))
OTHER_TYPES = "; `aspdoku convert --from` names other types, such as"
SEVERAL_GRIDS = 12  # rows of the smallest overlapping grids

Row = tuple[Line, list[str]]


@dataclass(frozen=True)
class JankoText:
    """The words of a text.

    more: the words of its first line after the size
    """

    head: Line
    size: int
    more: list[str]
    rows: list[Row]

    def part(self, start: int, length: int) -> Iterator[tuple[Cell, str, Line]]:
        """Position, word and line for each word of these rows, which are counted from 1 again."""
        for row, (line, words) in enumerate(self.rows[start : start + length], 1):
            for column, word in enumerate(words, 1):
                yield (row, column), word, line

    def regions(self) -> dict[str, list[Cell]]:
        """The cells of each region, in the rows after the grid."""
        rows = self.part(self.size, self.size)
        return base.by_key((label, cell) for cell, label, _ in rows)


def _fits(text: str) -> bool:
    """Whether a line of two numbers, perhaps with a word, is above enough rows of as many cells."""
    lines = base.content_lines(text)
    match = HEADER.fullmatch(lines[0].content) if lines else None
    if not match or int(match[2]) < base.SMALLEST or len(lines) <= int(match[1]):
        return False
    return all(len(line.content.split()) == int(match[2]) for line in lines[1:])


def words_of(text: str, name: str, example: str = "9 9", more: int = 0) -> JankoText:
    """The words of a text.

    more: the maximum number of words in the first line after the size
    Raises PuzzleError, for the first line with an `example`.
    """
    head, *lines = base.content_lines(text, name) or [Line("", 1, name)]
    first, *words = head.content.split() or [""]
    square = is_digits(first) and words[:1] == [first] and 1 < int(first) <= base.LARGEST
    if not square or words[more + 1 :]:
        raise head.error(
            f"invalid first line {head.content.strip()!r}: expected the size of a square grid, e.g."
            f" {example}"
        )
    return JankoText(head, int(first), words[1:], rows_of(lines, int(first)))


def rows_of(lines: list[Line], columns: int) -> list[Row]:
    """The words of these lines. Raises PuzzleError for a line with more or fewer than `columns`."""
    rows = [(line, line.content.split()) for line in lines]
    for line, row in rows:
        if len(row) != columns:
            raise line.error(f"the row has {len(row)} cells; each row needs {columns}")
    return rows


def _read(text: str, name: str) -> list[Puzzle]:
    words = words_of(text, name, f"9 9{OTHER_TYPES} janko-gattai-8 and janko-shogun")
    size, number = words.size, len(words.rows)
    if number not in (size, 2 * size):
        clues = (
            ": clues outside the grid, whose rule the text does not specify"
            f"{OTHER_TYPES} janko-skyscraper and janko-frame-sum"
            if number == size + 4
            else ""
        )
        raise words.head.error(
            f"expected {size} rows, or {2 * size} with regions, but {number} follow{clues}"
        )
    cells, labels = ([word for _, word, _ in words.part(at, size)] for at in (0, size))
    if labels and not (
        partitions.is_partition(labels, size)
        and all(len(cell) < 3 and not (is_digits(cell) and int(cell) > size) for cell in cells)
    ):
        return [_killer(cells, labels, words.head)]
    empty = {EMPTY} if labels else {EMPTY, *MARKS}
    numbers = [
        None if word in empty else base.number_in(word, size, f"r{row}c{column}", line)
        for (row, column), word, line in words.part(0, size)
    ]
    if size >= SEVERAL_GRIDS and max(filter(None, numbers), default=0) < 10:
        raise words.head.error(
            f"no number above 9 occurs in this {size}x{size} grid: it may be several overlapping"
            " grids; name their type, e.g. --from janko-samurai"
        )
    if labels:
        facts = partitions.region_facts(base.JIGSAW.predicates[0][0], labels, size)
        return [base.puzzle_with(base.JIGSAW, base.to_rows(numbers), facts)]
    marks = [Function(MARKS[word], at) for at, word, _ in words.part(0, size) if word in MARKS]
    return [base.puzzle_with(base.PARITY if marks else base.PLAIN, base.to_rows(numbers), marks)]


def _killer(cells: list[str], labels: list[str], head: Line) -> Puzzle:
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


def _write(puzzle: Puzzle) -> str:
    size = puzzle.size
    cells = base.cells_of(puzzle, empty=EMPTY)
    labels: list[str] = []
    if puzzle.elaborations == base.KILLER.elaborations:
        labels, sums = cages_of(puzzle, list(map(str, range(1, size**2 + 1))))
        if {*labels} != sums.keys():
            raise base.UnsupportedError("cells outside all cages, or cages without a sum")
        for label, index in first_cells(labels).items():
            cells[index] = str(sums[label])
    elif puzzle.elaborations == base.PARITY.elaborations:
        _mark(cells, puzzle)
    elif not puzzle.box:
        labels = partitions.partition_labels(
            puzzle, base.JIGSAW, list(map(str, range(1, size + 1)))
        )
    rows = map(" ".join, (*base.to_rows(cells), *base.to_rows(labels)))
    return "\n".join([f"{size} {size}", *rows]) + "\n"


def _mark(cells: list[str], puzzle: Puzzle) -> None:
    """Put signs for even and odd into the cells. Raises UnsupportedError if there is a number."""
    signs = {name: sign for sign, name in MARKS.items()}
    places: dict[tuple[Term, ...], int] = {
        (1 + at // puzzle.size, 1 + at % puzzle.size): at for at in range(len(cells))
    }
    for fact in puzzle.facts:
        at = places.get(fact.arguments)
        if at is None or cells[at] != EMPTY:
            raise base.UnsupportedError(f"{fact}: it allows one such fact per empty cell")
        cells[at] = signs[fact.name]


FORMAT = base.Format(
    "janko",
    "the text format of puzzlekit and janko.at, starting with a line 9 9",
    _fits,
    _read,
    _write,
    kinds=(base.KILLER, base.PARITY, base.JIGSAW),
)
