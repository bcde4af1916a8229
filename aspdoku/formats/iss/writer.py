"""Writer for the constraint strings of Interactive Sudoku Solver.

What they cannot represent is left out, or raises UnsupportedError.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from functools import partial

from aspdoku.formats import boards
from aspdoku.formats.base import UnsupportedError
from aspdoku.formats.boards import Content
from aspdoku.formats.iss import table
from aspdoku.formats.iss.grid import EXTRA, LARGEST, LETTERS, IssGrid
from aspdoku.puzzle.puzzle import Cell, Puzzle, format_range
from aspdoku.puzzle.term import Function


def write(puzzle: Puzzle) -> str:
    """The constraints, one per line. Raises UnsupportedError."""
    field, numbers = _field_of(puzzle), puzzle.numbers
    if max(field.shape) > LARGEST:
        raise UnsupportedError("a {}x{} grid".format(*field.shape))
    square = field.houses and not field.board
    if numbers[0] > 1 or (len(numbers) != puzzle.size and square):
        raise UnsupportedError(f"the numbers {format_range(numbers)}")
    constraints = _ConstraintWriter(puzzle, field).constraints()
    return "".join(f".{'~'.join(constraint)}\n" for constraint in constraints)


def _field_of(puzzle: Puzzle) -> IssGrid:
    """The grid of a puzzle, which is its only board if there is one. Raises UnsupportedError."""
    if not (placed := boards.boards_of(puzzle)):
        houses = not {*boards.WITHOUT, "box"} <= {*puzzle.without}
        return IssGrid(puzzle.size, puzzle.numbers, houses=houses)
    first, *others = placed
    if others:
        raise UnsupportedError("several boards")
    extra = [fact.arguments for fact in puzzle.facts if fact.name == table.EXTRA_CELL[1]]
    shape = first.height, first.width
    houses = Function("ab", (Function(boards.RULE), Function(table.GRID))) not in puzzle.facts
    field = IssGrid(max(shape), puzzle.numbers, shape, houses=houses)
    field = field.with_extra_cells(_extra_cells(puzzle, first.height, len(extra)))
    if (
        first[:2] != (1, 1)
        or sorted(extra) != sorted(field.extra.values())
        or field.size != puzzle.size
    ):
        corner = f"r{first.height + 1}c{first.width + 1}"
        raise UnsupportedError(
            "a board other than one in the upper left corner with extra cells in a block that"
            f" begins at {corner}"
        )
    return field


def _extra_cells(puzzle: Puzzle, rows: int, number: int) -> list[tuple[str, int, int]]:
    name, predicate = table.MISSING
    kinds = {str(fact.arguments[0]) for fact in puzzle.facts if fact.signature == (predicate, 5)}
    groups = [
        (prefix, rows, 1)
        for prefix, kind in table.MISSING_CELLS.items()
        if name in puzzle.elaborations and kind in kinds
    ]
    others = number - rows * len(groups)
    return [*groups, (f"{EXTRA}{table.EXTRA_GROUP}", others, 1)] if others > 0 else groups


class _ConstraintWriter:
    def __init__(self, puzzle: Puzzle, field: IssGrid) -> None:
        self._puzzle = puzzle
        self._field = field
        self._content = Content(puzzle)

    def constraints(self) -> Iterator[list[str]]:
        yield from self._shape()
        for word, names in {**table.FLAGS, table.DISJOINT_WORD: table.DISJOINT}.items():
            if self._content.has_rules(*names):
                yield [word]
        for word, way in table.DIAGONALS.items():
            if way in self._content.diagonals:
                yield [table.DIAGONAL_WORD, word]
        if self._content.has_rules(table.NO_TIES):
            yield [table.TIED, table.TIES_NONE]
        for word, exception in table.TIES.items():
            ranked = self._content.has_rules(table.CONSTRAINTS[table.RANKED].rule)
            if ranked and exception and self._content.has_exception(*exception):
                yield [table.TIED, word]
        yield from self._constraints()
        yield from self._givens()

    def _shape(self) -> Iterator[list[str]]:
        field, content, numbers = self._field, self._content, self._puzzle.numbers
        rows, columns = field.shape
        default = numbers == range(1, max(rows, columns) + 1)
        shape = [f"{rows}x{columns}", "" if default else f"{numbers[0]}-{numbers[-1]}"]
        yield ["Shape", *(filter(None, shape) if field.houses else [*shape, table.RAW])]
        if content.has_rules(table.MISSING[0]):
            yield [table.MISSING_WORD]
        if number := sum(name.startswith(EXTRA) for name in field.extra):
            yield [table.EXTRA_WORD, table.EXTRA_GROUP, "", str(number)]
        if not field.houses or content.has_default_boxes:
            return
        yield ["NoBoxes"]
        regions = content.regions()
        if max(regions.values(), default=0) >= LARGEST:
            raise UnsupportedError(f"more than {LARGEST} regions")
        if regions:
            cells = (cell for row in field.rows() for cell in row)
            yield ["Jigsaw", "".join(LETTERS[regions.get(cell, -1)] for cell in cells)]

    def _constraints(self) -> Iterator[list[str]]:
        played = {*self._puzzle.elaborations}
        for word, codec in (
            (word, codecs[word])
            for word in table.CONSTRAINTS
            for codecs in (table.CONSTRAINTS, table.OF_REGIONS)
            if word in codecs
        ):
            if codec.written and codec.rules & played and self._content.has_facts(codec.signatures):
                write = partial(codec.write, field=self._field)
                for arguments in self._content.written(codec.signatures, write):
                    yield [word, *arguments]

    def _givens(self) -> Iterator[list[str]]:
        """The givens and the pencil marks, one list per row of the grid."""
        name, predicate = table.PENCILMARKS
        numbers: dict[Cell, list[int]] = defaultdict(list)
        for cell, number in self._puzzle.givens().items():
            numbers[cell] = [number]
        marks = self._content.arguments[predicate, 3] if self._content.has_rules(name) else ()
        for arguments in marks:
            match arguments:
                case (int(row), int(column), int(mark)) if self._puzzle.contains(row, column, mark):
                    numbers[row, column].append(mark)
        rows: dict[int, list[str]] = defaultdict(list)
        for cell in sorted(numbers):
            try:
                name = self._field.name(cell)
            except UnsupportedError as what:
                raise UnsupportedError(f"a given in {what}") from None
            rows[cell[0]].append("_".join([name, *map(str, numbers[cell])]))
        yield from (["", *row] for row in rows.values())
