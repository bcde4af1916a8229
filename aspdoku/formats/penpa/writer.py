"""Writer for documents of Penpa+. Anything that cannot be drawn reliably is an error."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from aspdoku.formats import boards
from aspdoku.formats.base import unrepresentable
from aspdoku.formats.json_document import Object
from aspdoku.formats.pending import PendingContent
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
from aspdoku.formats.shapes import Clue, SquareGrid, shape_of
from aspdoku.puzzle.puzzle import Cell, Puzzle
from aspdoku.puzzle.term import Function

_FORMAT = "penpa"
# Penpa+ has at most 61 rows and columns, two of which are for clues outside the grid.
_LARGEST = 59
_OUTSIDE = (table.SANDWICH, table.SKYSCRAPER, table.LITTLE_KILLER)
_THICK, _DIAGONAL, _CAGE, _BLACK, _GREY = 2, 12, 10, 1, 3


def write(puzzle: Puzzle) -> str:
    """The puzzle as a URL. Raises PuzzleError listing everything that it cannot represent."""
    return _DocumentWriter(puzzle).url() + "\n"


class _DocumentWriter:
    def __init__(self, puzzle: Puzzle) -> None:
        self._puzzle = puzzle
        self._pending = PendingContent(puzzle, _FORMAT)
        self._grid = self._grid_on_boards() if self._pending.boards else SquareGrid(puzzle.size)
        rows, columns = self._grid.shape
        around = int(any(self._is_played(rule) for rule in _OUTSIDE))
        if around and self._pending.boards:
            raise unrepresentable(_FORMAT, ["clues outside several boards, or a rectangle"])
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
        """The grid of a puzzle on boards, which count as written.

        Raises PuzzleError for boards that would be read as others.
        """
        puzzle, boards = self._puzzle, self._pending.boards
        grid = PartialGrid(
            puzzle.size, frozenset(cell for board in boards for cell in board.cells())
        )
        rows, columns = grid.shape
        first = min(row for row, _ in grid.cells), min(column for _, column in grid.cells)
        if max(rows, columns) < puzzle.size or first != (1, 1):
            raise unrepresentable(_FORMAT, ["empty rows or columns around the boards"])
        self._pending.mark_boards_written()
        return grid

    def url(self) -> str:
        puzzle, board = self._puzzle, self._board
        for cell, number in puzzle.givens().items():
            self._text(board.point(cell), str(number))
        self._draw_regions()
        self._draw_diagonals()
        cages = [self._cage(clue) for clue in self._clues(table.CAGE)]
        thermos = [self._points(clue.lines[0]) for clue in self._clues(table.THERMO)]
        arrows = [self._points(clue.lines[0]) for clue in self._clues(table.ARROW)]
        self._draw_marks()
        self._draw_outside()
        if self._pending.mark_rules_written(table.NONCONSECUTIVE):
            self._genres.append(table.NONCONSECUTIVE_GENRE)
        too_large = puzzle.size > _LARGEST - 2
        largest = max((max(board[2:4]) for board in self._pending.boards), default=puzzle.size)
        self._pending.require_empty(
            *([f"a {puzzle.size}x{puzzle.size} grid"] if too_large else []), largest=largest
        )
        drawn: Object = {
            **{key: [] if key in table.LISTS else {} for key in table.DRAWN},
            **{"number": self._numbers, "numberS": self._small, "symbol": self._symbols},
            **{"lineE": self._lines, "cage": self._outlines},
            **{"killercages": cages, "thermo": thermos, "arrows": arrows},
        }
        return dump(
            Document(
                "square" if self._pending.boards else "sudoku",
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

    def _is_played(self, rule: str) -> bool:
        signatures = shape_of(rule).signatures
        return rule in self._pending.rules and self._pending.has_facts(signatures)

    def _clues(self, rule: str) -> list[Clue]:
        return self._pending.clues_of(rule, self._grid)

    def _point(self, cell: Cell, kind: int = 0) -> int:
        """The number of a point of a cell. Raises PuzzleError for a cell outside the grid."""
        if not self._grid.has(cell):
            raise unrepresentable(_FORMAT, ["a cell outside the grid"])
        return self._board.point(cell, kind)

    def _points(self, cells: Sequence[Cell]) -> list[int]:
        return [self._point(cell) for cell in cells]

    def _text(self, point: int, text: str, style: str = table.NORMAL, colour: int = _BLACK) -> None:
        """Draw a text. Raises PuzzleError if there is one at this point."""
        if self._numbers.setdefault(str(point), [text, colour, style]) != [text, colour, style]:
            raise unrepresentable(_FORMAT, [f"both {self._numbers[str(point)]} and {text}"])

    def _draw_line(self, cell: Cell, other: Cell, style: int) -> None:
        """Draw a line between the lower right corners of two cells."""
        ends = sorted(self._board.point(each, CORNER) for each in (cell, other))
        self._lines[f"{ends[0]},{ends[1]}"] = style

    def _draw_regions(self) -> None:
        """Draw the borders of regions; thicker ones around several boards."""
        regions = self._pending.regions()
        frames = set().union(*(outline(board, self._grid) for board in self._pending.boards))
        for (row, column), region in regions.items():
            for other, start in (
                ((row, column + 1), (row - 1, column)),
                ((row + 1, column), (row, column - 1)),
            ):
                if regions.get(other, region) != region:
                    style = table.FRAME if ((row, column), other) in frames else _THICK
                    self._draw_line(start, (row, column), style)

    def _draw_diagonals(self) -> None:
        for way, cells in self._diagonals():
            for row, column in cells:
                left, right = (column - 1, column) if way == "down" else (column, column - 1)
                self._draw_line((row - 1, left), (row, right), _DIAGONAL)

    def _diagonals(self) -> Iterator[tuple[str, list[Cell]]]:
        """The cells of each diagonal, of the grid or of its boards, and whether it goes up."""
        pending, size = self._pending, self._grid.size
        if pending.boards and pending.mark_rules_written(table.BOARD_DIAGONALS):
            chosen = pending.arguments[table.BOARD_DIAGONAL]
            pending.mark_written(table.BOARD_DIAGONAL)
            for name, *place in pending.arguments[boards.BOARD]:
                found = next(each for each in pending.boards if [*each[:4]] == place)
                for way, cells in found.diagonals().items():
                    if not chosen or (name, Function(way)) in chosen:
                        yield way, cells
        elif not pending.boards and pending.mark_rules_written(table.DIAGONAL):
            whole = boards.Board(1, 1, size, size)
            for setting, (way, cells) in enumerate(whole.diagonals().items()):
                if not pending.mark_exception_written(table.DIAGONAL, way):
                    self._settings[3 * setting] = True
                    yield way, cells

    def _cage(self, clue: Clue) -> list[int]:
        """Draw the sum and the outline of a cage. Returns its cells."""
        points = self._points(sorted(clue.cells))
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
                    beside = [(each[0] + down, each[1] + right) for each in ((row, column), other)]
                    if other in cells and cells.isdisjoint(beside):
                        start = corner + ends[0] + more
                        end = self._board.point(other, SMALL) + ends[1] + more
                        self._outlines[f"{start},{end}"] = _CAGE
        return points

    def _edge(self, first: Cell, second: Cell) -> tuple[int, bool]:
        """The middle of the edge between two neighbours, and whether the second one comes first.

        Raises PuzzleError if they are not neighbours.
        """
        upper, lower = sorted((first, second))
        steps = {(1, 0): LOWER, (0, 1): RIGHT}
        kind = steps.get((lower[0] - upper[0], lower[1] - upper[1]))
        if kind is None or not self._grid.has(lower):
            raise unrepresentable(_FORMAT, ["a mark that is not between neighbours in the grid"])
        return self._point(upper, kind), upper != first

    def _symbol(self, point: int, style: int, symbol: str) -> None:
        """Draw a symbol. Raises PuzzleError if there is another one at this point."""
        if self._symbols.setdefault(str(point), [style, symbol, 2]) != [style, symbol, 2]:
            raise unrepresentable(_FORMAT, ["two marks in one place"])

    def _draw_marks(self) -> None:
        for style, rule in ((8, table.WHITE_DOT), (2, table.BLACK_DOT)):
            for clue in self._clues(rule):
                if clue.value is not None:
                    raise unrepresentable(_FORMAT, [f"a dot with the value {clue.value}"])
                self._symbol(self._edge(*clue.cells)[0], style, table.DOT_SIZES[-1])
        for clue in self._clues(table.XV):
            self._text(self._edge(*clue.cells)[0], str(clue.value))
        self._draw_signs()
        for symbol, rule in (("circle_L", table.ODD), ("square_L", table.EVEN)):
            for clue in self._clues(rule):
                self._genres += [] if table.EVEN_ODD in self._genres else [table.EVEN_ODD]
                for cell in clue.cells:
                    self._symbol(self._point(cell), _GREY, symbol)
        for clue in self._clues(table.QUADRUPLE):
            text = "".join(map(str, clue.values))
            self._text(self._point(clue.cells[0], CORNER), text, table.SEVERAL, table.IN_CIRCLE[1])

    def _draw_signs(self) -> None:
        """Draw the signs of gt(R,C,R1,C1), whose tips point to the smaller number."""
        predicate, rule = table.GREATER
        pending = self._pending
        if not pending.has_facts([(predicate, 4)]) or not pending.mark_rules_written(rule):
            return
        for cells in self._pending.arguments[predicate, 4]:
            if not all(isinstance(each, int) for each in cells):
                raise unrepresentable(_FORMAT, ["a sign between invalid cells"])
            point, is_first = self._edge(cells[:2], cells[2:])  # type: ignore[arg-type]
            across = self._board.kind(point) == RIGHT
            self._symbol(point, (5 if is_first else 7) + (not across), table.INEQUALITY)
        self._pending.mark_written((predicate, 4))

    def _draw_outside(self) -> None:
        if self._is_played(table.SANDWICH):
            self._settings[2] = True
        if self._is_played(table.SKYSCRAPER):
            self._genres.append(table.SKYSCRAPERS)
        if self._settings[2] and table.SKYSCRAPERS in self._genres:
            raise unrepresentable(_FORMAT, ["both sandwich sums and skyscrapers"])
        for clue in (*self._clues(table.SANDWICH), *self._clues(table.SKYSCRAPER)):
            self._outside(clue, str(clue.value), table.NORMAL)
        ends = {way: end for end, way in table.ARROW_DIRECTIONS.items()}
        for clue in self._clues(table.LITTLE_KILLER):
            self._outside(clue, f"{clue.value}{ends[clue.direction]}", table.WITH_ARROW)

    def _outside(self, clue: Clue, text: str, style: str) -> None:
        row, column = clue.outside or (-1, -1)
        if not (0 <= row <= self._grid.size + 1 and 0 <= column <= self._grid.size + 1):
            raise unrepresentable(_FORMAT, ["a clue that is not next to the grid"])
        self._text(self._board.point((row, column)), text, style)
