"""Writer for documents of Penpa+. What cannot be drawn is left out, or raises UnsupportedError."""

from __future__ import annotations

from collections.abc import Iterator

from aspdoku.formats import boards
from aspdoku.formats.base import UnsupportedError
from aspdoku.formats.boards import Content
from aspdoku.formats.json_document import Object
from aspdoku.formats.penpa import table
from aspdoku.formats.penpa.board import (
    CORNER,
    LOWER,
    MARGIN,
    RIGHT,
    SMALL,
    Board,
    PartialGrid,
    outline,
)
from aspdoku.formats.penpa.document import Document, dump
from aspdoku.formats.shapes import Clue, SquareGrid
from aspdoku.puzzle.puzzle import Cell, Puzzle
from aspdoku.puzzle.term import Function

# Penpa+ has at most 61 rows and columns, two of which are for clues outside the grid.
LARGEST = 59
_OUTSIDE = (table.SANDWICH, table.SKYSCRAPER, table.LITTLE_KILLER)
_THICK, _DIAGONAL, _CAGE, _BLACK, _GREY = 2, 12, 10, 1, 3


def write(puzzle: Puzzle) -> str:
    """The puzzle as a URL. Raises UnsupportedError."""
    return _DocumentWriter(puzzle).url() + "\n"


class _DocumentWriter:
    def __init__(self, puzzle: Puzzle) -> None:
        self._puzzle = puzzle
        self._content = Content(puzzle)
        self._grid = self._grid_on_boards() if self._content.boards else SquareGrid(puzzle.size)
        rows, columns = self._grid.shape
        around = int(any(map(self._clues, _OUTSIDE)))
        if around and self._content.boards:
            raise UnsupportedError("clues outside several boards, or a rectangle")
        self._board = Board(
            columns + 2 * around, rows + 2 * around, MARGIN + around, MARGIN + around
        )
        self._settings = [False] * 4
        self._genres = ["classic"]
        self._numbers: Object = {}
        self._small: Object = {}
        self._symbols: Object = {}
        self._lines: Object = {}
        self._outlines: Object = {}

    def _grid_on_boards(self) -> PartialGrid:
        puzzle, boards = self._puzzle, self._content.boards
        grid = PartialGrid(
            puzzle.size, frozenset(cell for board in boards for cell in board.cells())
        )
        rows, columns = grid.shape
        first = min(row for row, _ in grid.cells), min(column for _, column in grid.cells)
        if max(rows, columns) < puzzle.size or first != (1, 1):
            raise UnsupportedError("empty rows or columns around the boards")
        return grid

    def url(self) -> str:
        puzzle, board = self._puzzle, self._board
        for cell, number in puzzle.givens().items():
            self._text(board.point(cell), str(number))
        self._draw_regions()
        for way, cells in self._diagonals():
            for row, column in cells:
                left, right = (column - 1, column) if way == "down" else (column, column - 1)
                self._draw_line((row - 1, left), (row, right), _DIAGONAL)
        cages = [self._cage(clue) for clue in self._clues(table.CAGE)]
        paths = {
            key: [list(map(self._point, clue.lines[0])) for clue in self._clues(rule)]
            for key, rule in table.PATHS.items()
        }
        self._draw_marks()
        self._draw_outside()
        self._genres += [key for key, rule in table.RULES.items() if self._content.has_rules(rule)]
        drawn: Object = {
            **{key: [] if key in table.LISTS else {} for key in table.DRAWN},
            **{"number": self._numbers, "numberS": self._small, "symbol": self._symbols},
            **{"lineE": self._lines, "cage": self._outlines},
            **{table.CAGES: cages, **paths},
        }
        return dump(
            Document(
                "square" if self._content.boards else "sudoku",
                board.columns,
                board.rows,
                self._settings,
                puzzle.title,
                puzzle.author,
                puzzle.rules,
                [board.point(cell) for cell in self._grid.in_order()],
                drawn,
                self._genres,
            )
        )

    def _clues(self, rule: str) -> list[Clue]:
        return self._content.clues_of(rule, self._grid)

    def _point(self, cell: Cell, kind: int = 0) -> int:
        """The number of a point of a cell. Raises UnsupportedError for a cell outside the grid."""
        if not self._grid.has(cell):
            raise UnsupportedError("a cell outside the grid")
        return self._board.point(cell, kind)

    def _text(self, point: int, text: str, style: str = table.NORMAL, colour: int = _BLACK) -> None:
        self._put(self._numbers, point, [text, colour, style])

    def _put(self, drawn: Object, point: int, entry: list[object]) -> None:
        """Draw a text or a symbol. Raises UnsupportedError if there is another at this point."""
        if drawn.setdefault(str(point), entry) != entry:
            raise UnsupportedError(f"both {drawn[str(point)]} and {entry} in one place")

    def _draw_line(self, cell: Cell, other: Cell, style: int) -> None:
        """Draw a line between the lower right corners of two cells."""
        ends = sorted(self._board.point(each, CORNER) for each in (cell, other))
        self._lines[f"{ends[0]},{ends[1]}"] = style

    def _draw_regions(self) -> None:
        """Draw the borders of regions; thicker ones around several boards."""
        regions = self._content.regions()
        frames = set().union(*(outline(board, self._grid) for board in self._content.boards))
        for (row, column), region in regions.items():
            for other, start in (
                ((row, column + 1), (row - 1, column)),
                ((row + 1, column), (row, column - 1)),
            ):
                if regions.get(other, region) != region:
                    style = table.FRAME if ((row, column), other) in frames else _THICK
                    self._draw_line(start, (row, column), style)

    def _diagonals(self) -> Iterator[tuple[str, list[Cell]]]:
        """The cells of each diagonal, of the grid or of its boards, and whether it goes up."""
        content, size = self._content, self._grid.size
        if content.boards and content.has_rules(table.BOARD_DIAGONALS):
            chosen = content.arguments[table.BOARD_DIAGONAL]
            for name, *place in content.arguments[boards.BOARD]:
                board = next(each for each in content.boards if [*each[:4]] == place)
                for way, cells in board.diagonals().items():
                    if not chosen or (name, Function(way)) in chosen:
                        yield way, cells
        elif not content.boards:
            whole = boards.Board(1, 1, size, size)
            for setting, (way, cells) in enumerate(whole.diagonals().items()):
                if way in content.diagonals:
                    self._settings[3 * setting] = True
                    yield way, cells

    def _cage(self, clue: Clue) -> list[int]:
        """Draw the sum and the outline of a cage. Returns its cells."""
        points = list(map(self._point, sorted(clue.cells)))
        cells = set(clue.cells)
        if clue.value is not None:
            self._small[str(self._board.point(min(cells), SMALL))] = [f" {clue.value}", _BLACK]
        for row, column in cells:
            # The corners of a cell: upper left and right, lower left and right.
            corner = self._board.point((row, column), SMALL)
            for other, ends in (
                ((row - 1, column), (0, 1)),
                ((row, column + 1), (1, 3)),
                ((row + 1, column), (2, 3)),
                ((row, column - 1), (0, 2)),
            ):
                if other not in cells:
                    self._outlines[f"{corner + ends[0]},{corner + ends[1]}"] = _CAGE
            for other, ends, sides in (
                ((row, column + 1), (1, 0), (((-1, 0), 0), ((1, 0), 2))),
                ((row + 1, column), (2, 0), (((0, -1), 0), ((0, 1), 1))),
            ):
                # Between two cells of the cage, the outline continues where both are at its edge.
                for (down, right), more in sides:
                    outside = [(each[0] + down, each[1] + right) for each in ((row, column), other)]
                    if other in cells and cells.isdisjoint(outside):
                        start = corner + ends[0] + more
                        end = self._board.point(other, SMALL) + ends[1] + more
                        self._outlines[f"{start},{end}"] = _CAGE
        return points

    def _edge(self, first: Cell, second: Cell) -> tuple[int, bool]:
        """The middle of the edge between two neighbours, and whether the second one comes first.
        Raises UnsupportedError if they are not neighbours.
        """
        upper, lower = sorted((first, second))
        steps = {(1, 0): LOWER, (0, 1): RIGHT}
        kind = steps.get((lower[0] - upper[0], lower[1] - upper[1]))
        if kind is None or not self._grid.has(lower):
            raise UnsupportedError("a mark that is not between neighbours in the grid")
        return self._point(upper, kind), upper != first

    def _draw_marks(self) -> None:
        for style, rule in ((8, table.WHITE_DOT), (2, table.BLACK_DOT)):
            for clue in self._clues(rule):
                if clue.value is not None:
                    raise UnsupportedError(f"a dot with the value {clue.value}")
                entry = [style, table.DOT_SIZES[-1], 2]
                self._put(self._symbols, self._edge(*clue.cells)[0], entry)
        for clue in self._clues(table.XV):
            self._text(self._edge(*clue.cells)[0], str(clue.value))
        self._draw_signs()
        for symbol, rule in (("circle_L", table.ODD), ("square_L", table.EVEN)):
            for clue in self._clues(rule):
                self._genres += [] if table.EVEN_ODD in self._genres else [table.EVEN_ODD]
                for cell in clue.cells:
                    self._put(self._symbols, self._point(cell), [_GREY, symbol, 2])
        for clue in self._clues(table.QUADRUPLE):
            text = "".join(map(str, clue.values))
            self._text(self._point(clue.cells[0], CORNER), text, table.SEVERAL, table.IN_CIRCLE[1])

    def _draw_signs(self) -> None:
        """Draw the signs, whose tips point to the smaller number."""
        for clue in self._clues(table.GREATER):
            point, is_first = self._edge(*clue.cells)
            across = self._board.kind(point) == RIGHT
            style = (5 if is_first else 7) + (not across)
            self._put(self._symbols, point, [style, table.INEQUALITY, 2])

    def _draw_outside(self) -> None:
        sums, skyscrapers = self._clues(table.SANDWICH), self._clues(table.SKYSCRAPER)
        if sums and skyscrapers:
            raise UnsupportedError("both sandwich sums and skyscrapers")
        self._settings[2] = bool(sums)
        self._genres += [table.SKYSCRAPERS] if skyscrapers else []
        for clue in (*sums, *skyscrapers):
            self._outside(clue, str(clue.value), table.NORMAL)
        ends = {way: end for end, way in table.ARROW_DIRECTIONS.items()}
        for clue in self._clues(table.LITTLE_KILLER):
            self._outside(clue, f"{clue.value}{ends[clue.direction]}", table.WITH_ARROW)

    def _outside(self, clue: Clue, text: str, style: str) -> None:
        row, column = clue.outside or (-1, -1)
        if not (0 <= row <= self._grid.size + 1 and 0 <= column <= self._grid.size + 1):
            raise UnsupportedError("a clue that is not next to the grid")
        self._text(self._board.point((row, column)), text, style)
