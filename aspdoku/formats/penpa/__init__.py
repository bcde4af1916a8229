"""Reader and writer for URLs of Penpa+, an editor of drawings for pencil puzzles.

`document` converts between a URL and its document, `board` between cells and the numbers of points;
`writer` draws. What has one usual meaning in a sudoku is interpreted here, everything else that is
drawn is reported.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from itertools import count

from aspdoku.errors import PuzzleError
from aspdoku.formats import boards
from aspdoku.formats.base import Format, UnsupportedError, read_urls
from aspdoku.formats.boards import regions_or_boxes
from aspdoku.formats.json_document import DocumentReader, described, is_blank, items
from aspdoku.formats.penpa import table
from aspdoku.formats.penpa.board import (
    CENTRE,
    CORNER,
    LOWER,
    RIGHT,
    SMALL,
    Board,
    Border,
    PartialGrid,
    boards_in,
)
from aspdoku.formats.penpa.document import HISTORY, Document, fits, load
from aspdoku.formats.penpa.writer import LARGEST, write
from aspdoku.formats.shapes import Clue, SquareGrid, shape_of, square, to_number
from aspdoku.puzzle.puzzle import LARGEST_SIZE, Cell, Puzzle, grid_of, joined_cells
from aspdoku.puzzle.term import Function

_TYPES = ("sudoku", "square")
_OTHER_STYLE = "a text in another style or place"


def read(text: str, name: str) -> list[Puzzle]:
    """The puzzle in each URL. Raises PuzzleError if one contains no puzzle."""
    return read_urls(text, name, lambda url: _DocumentReader(load(url)).puzzle())


class _DocumentReader(DocumentReader):
    def __init__(self, document: Document) -> None:
        super().__init__()
        self._document = document
        self._board, self._grid = _board_of(document)
        self._boards: list[boards.Board] = []
        self._borders: dict[Border, object] = {}
        self._across: set[tuple[str, Cell]] = set()  # the direction of a diagonal, and a cell
        self._numbers = range(0)
        self._givens: dict[Cell, int] = {}
        self._labels: dict[str, Iterator[int]] = defaultdict(lambda: count(1))

    def puzzle(self) -> Puzzle:
        document = self._document
        box, without = self._read_lines()
        self._read_cages()
        for key, rule in table.PATHS.items():
            for points in filter(None, items(document.drawn.get(key))):
                self._read_part(key, self._path, points, rule)
        for key, read_entry in (("symbol", self._symbol), ("number", self._text)):
            for point, entry in self._entries(key):
                self._read_part(key, read_entry, point, entry)
        self._read_the_rest()
        grid = grid_of(self._grid.size, self._givens)
        puzzle = self._puzzle(grid, box, without, self._numbers)
        return described(puzzle, [document.title], [document.author], [document.rules])

    def _read_part(self, key: str, read_part: Callable[..., None], *arguments: object) -> None:
        """Read a part of the drawing; report it if it has no supported meaning."""
        with self._reporting(key):
            try:
                read_part(*arguments)
            except (TypeError, ValueError, KeyError, IndexError):
                raise UnsupportedError("an invalid entry") from None

    def _entries(self, key: str) -> list[tuple[str, object]]:
        """The entries under a key by their points, without empty ones."""
        entries = self._document.drawn.get(key)
        pairs = entries.items() if isinstance(entries, dict) else []
        return [(point, entry) for point, entry in pairs if not is_blank(entry)]

    def _add_clue(self, rule: str, clue: Clue) -> None:
        """Add the facts of a clue. Raises UnsupportedError; the facts before an error count."""
        for fact in shape_of(rule).read(clue, self._labels[rule], self._grid):
            self._add([rule], [fact])

    # ---- Lines: regions and diagonals ----

    def _read_lines(self) -> tuple[tuple[int, int] | None, tuple[str, ...]]:
        """The box shape and retracted rules, from the borders drawn within the grid."""
        size = self._grid.size
        for points, style in self._entries("lineE"):
            self._read_part("lineE", self._line, points, style)
        borders = self._borders
        regions = joined_cells(self._grid.in_order(), borders.keys())
        frames = {border for border, style in borders.items() if style == table.FRAME}
        self._boards = boards_in(
            self._grid, regions, frames if len(frames) < len(borders) else set()
        )
        self._read_diagonals()
        if self._boards:
            self._read_boards(regions)
            return None, boards.WITHOUT
        if len(regions) == 1 < size or not self._are_equal(regions, size):
            return None, ("box",)
        box, facts = regions_or_boxes(regions, size)
        self._facts += facts
        return box, ()

    def _are_equal(self, regions: list[list[Cell]], size: int) -> bool:
        """Whether all regions have so many cells; if not, report it."""
        equal = all(len(cells) == size for cells in regions)
        if not equal:
            self._unsupported[f"lineE: {len(regions)} regions that have not {size} cells each"] += 1
        return equal

    def _read_diagonals(self) -> None:
        """Read the diagonals of the grid or of its boards from the lines across cells."""
        size = self._grid.size
        possible = {
            (place, way): {(way, cell) for cell in cells}
            for place, board in enumerate(self._boards or [boards.Board(1, 1, size, size)], 1)
            for way, cells in board.diagonals().items()
        }
        drawn = self._across
        whole = [key for key, cells in possible.items() if cells <= drawn]
        if not drawn <= set().union(*(possible[key] for key in whole)):
            self._unsupported["lineE: a part of a diagonal"] += 1
        if not whole:
            return
        if not self._boards:
            self._add(*boards.diagonals(way for _, way in whole))
            return
        self._elaborations.append(table.BOARD_DIAGONALS)
        for place, way in whole if len(whole) < len(possible) else ():
            self._facts.append(Function(table.BOARD_DIAGONAL[0], (place, Function(way))))

    def _read_boards(self, regions: list[list[Cell]]) -> None:
        """Add the facts for the boards, which these regions divide."""
        size = max(self._boards[0].height, self._boards[0].width)
        box = None
        if len(regions) > 1 and self._are_equal(regions, size):
            box, facts = regions_or_boxes(regions, size)
            self._facts += facts
        for place, (row, column, height, width, _) in enumerate(self._boards, 1):
            derived = boards.default_box(height, width, size)
            stated = (box or boards.NO_BOXES) if box != derived else None
            self._facts += boards.board_facts(place, (row, column, height, width), stated)
        self._elaborations.append(boards.RULE)
        self._numbers = range(1, size + 1)

    def _line(self, points: str, style: object) -> None:
        """Add a line between two corners to the borders or the diagonals."""
        board = self._board
        ends = sorted(map(int, points.split(",")))
        if len(ends) != 2 or any(board.kind(end) != CORNER for end in ends):
            raise UnsupportedError("a line that is not between corners")
        (row, column), (row1, column1) = map(board.cell, ends)
        if max(abs(row - row1), abs(column - column1)) != 1:
            raise UnsupportedError("a line that is not along or across a cell")
        if row == row1:
            cells = (row, column1), (row + 1, column1)
        elif column == column1:
            cells = (row1, column), (row1, column + 1)
        else:
            way, cell = ("down", (row1, column1)) if column1 > column else ("up", (row1, column))
            if not self._grid.has(cell):
                raise UnsupportedError("a line across a cell")
            self._across.add((way, cell))
            return
        inside = [self._grid.has(cell) for cell in cells]
        if not any(inside) or (all(inside) and style not in table.BORDERS):
            raise UnsupportedError("a line that is not the border of a region")
        if all(inside):
            self._borders[cells] = style

    # ---- Cages and paths ----

    def _read_cages(self) -> None:
        """Cages, with the small number in a corner as their sum."""
        sums = {
            point: entry
            for point, entry in self._entries("numberS")
            if point.isdecimal() and isinstance(entry, list) and entry
        }
        self._unsupported["numberS: an invalid entry"] += len(self._entries("numberS")) - len(sums)
        caged: set[Cell] = set()
        for points in filter(None, items(self._document.drawn.get(table.CAGES))):
            self._read_part(table.CAGES, self._cage, points, sums, caged)
        self._unsupported["numberS: a small number that is not the sum of a cage"] += len(sums)
        for points, _ in self._entries("cage"):
            self._read_part("cage", self._cage_line, points, caged)
        self._unsupported = +self._unsupported

    def _cage(self, points: object, sums: dict[str, Sequence[object]], caged: set[Cell]) -> None:
        cells = self._cells(points)
        caged.update(cells)
        corners = [str(self._board.point(cell, SMALL)) for cell in cells]
        texts = [str(sums.pop(corner)[0]).strip() for corner in corners if corner in sums]
        if len(texts) > 1:
            raise UnsupportedError(f"a cage with {len(texts)} sums")
        self._add_clue(table.CAGE, Clue(cells=cells, value=texts[0] if texts else None))

    def _cage_line(self, points: str, caged: set[Cell]) -> None:
        """Report a piece of the outline of a cage that belongs to no cage."""
        ends = [int(point) for point in points.split(",")]
        if any(
            self._board.kind(end) != SMALL or self._board.cell(end) not in caged for end in ends
        ):
            raise UnsupportedError("the outline of a cage drawn by hand")

    def _path(self, points: object, rule: str) -> None:
        cells = self._cells(points)
        self._add_clue(rule, Clue(cells=cells[:1], lines=[cells]))

    def _cells(self, points: object) -> list[Cell]:
        """The cells with these centres. Raises UnsupportedError if one is outside the grid."""
        cells = []
        for point in items(points):
            if not isinstance(point, int) or self._board.kind(point) != CENTRE:
                raise UnsupportedError("an invalid cell")
            cells.append(self._board.cell(point))
        if not all(map(self._grid.has, cells)):
            raise UnsupportedError("a cell outside the grid")
        return cells

    # ---- Symbols and texts ----

    def _symbol(self, name: str, entry: Sequence[object]) -> None:
        style, symbol, *_ = entry
        kind, cell = self._place(name)
        if kind in (LOWER, RIGHT):
            first, second = self._pair(kind, cell)
            if symbol in table.DOT_SIZES and style in table.DOTS:
                self._add_clue(table.DOTS[style], Clue(cells=(first, second)))
                return
            # The tip points left, up, right or down to the smaller number.
            if symbol == table.INEQUALITY and isinstance(style, int) and 1 <= style <= 8:
                tip = (style - 1) % 4
                if (kind == RIGHT) == (tip % 2 == 0):
                    greater_first = (second, first) if tip < 2 else (first, second)
                    self._add_clue(table.GREATER, Clue(cells=greater_first))
                    return
        inside = kind == CENTRE and self._grid.has(cell)
        parity = table.PARITY.get(str(symbol)) if inside and self._has(table.EVEN_ODD) else None
        if not parity:
            raise UnsupportedError("a symbol without a known meaning")
        self._add_clue(parity, Clue(cells=[cell]))

    def _text(self, name: str, entry: Sequence[object]) -> None:
        content, style, kind_of_text, *turned = entry
        text = str(content)
        kind, cell = self._place(name)
        if not text.strip():
            return
        if any(turned):
            raise UnsupportedError(_OTHER_STYLE)
        if kind in (LOWER, RIGHT) and text.strip() in ("X", "V"):
            self._add_clue(table.XV, Clue(cells=self._pair(kind, cell), value=text))
        elif kind == CORNER and kind_of_text == table.SEVERAL and style in table.IN_CIRCLE:
            around = square(*cell)
            if not all(map(self._grid.has, around)):
                raise UnsupportedError(_OTHER_STYLE)
            self._add_clue(table.QUADRUPLE, Clue(cells=around, values=list(text.replace(" ", ""))))
        elif kind == CENTRE and self._grid.has(cell) and kind_of_text in table.GIVEN_STYLES:
            number = to_number(text.strip())
            if number is not None:
                self._givens[cell] = number
        elif kind == CENTRE and not self._grid.has(cell):
            self._outside(cell, text, kind_of_text)
        else:
            raise UnsupportedError(_OTHER_STYLE)

    def _outside(self, cell: Cell, text: str, kind_of_text: object) -> None:
        """A text outside the grid: a diagonal sum, or what the settings or the genre state."""
        if self._boards:
            raise UnsupportedError("a text outside several boards, or a rectangle")
        if max(cell) > self._grid.size + 1 or min(cell) < 0:
            raise UnsupportedError("a text that is not next to the grid")
        if kind_of_text == table.WITH_ARROW:
            way = table.ARROW_DIRECTIONS.get(text[-2:])
            if way is None:
                raise UnsupportedError("a clue outside the grid with a straight arrow")
            self._add_clue(table.LITTLE_KILLER, Clue(outside=cell, direction=way, value=text[:-2]))
            return
        sandwich = self._document.settings[2:3] == [True]
        if kind_of_text not in table.GIVEN_STYLES or sandwich == self._has(table.SKYSCRAPERS):
            raise UnsupportedError("a clue outside the grid whose kind is not stated")
        self._add_clue(
            table.SANDWICH if sandwich else table.SKYSCRAPER, Clue(outside=cell, value=text.strip())
        )

    def _place(self, name: str) -> tuple[int, Cell]:
        """The kind and the cell of a point; a text on an edge has an E after its number."""
        point = int(name.removesuffix("E"))
        return self._board.kind(point), self._board.cell(point)

    def _pair(self, kind: int, cell: Cell) -> tuple[Cell, Cell]:
        """The cells on both sides of an edge. Raises UnsupportedError at the edge of the grid."""
        other = (cell[0] + 1, cell[1]) if kind == LOWER else (cell[0], cell[1] + 1)
        if not (self._grid.has(cell) and self._grid.has(other)):
            raise UnsupportedError("a clue on the edge of the grid")
        return cell, other

    # ---- The rest ----

    def _has(self, genre: str) -> bool:
        return genre in self._document.genres

    def _read_the_rest(self) -> None:
        self._elaborations += [rule for genre, rule in table.RULES.items() if self._has(genre)]
        for genre in self._document.genres:
            if genre not in table.GENRES:
                self._unsupported[f"the genre {genre[:30]!r}"] += 1
        drawn = self._document.drawn
        for key in filter(table.DRAWN.__contains__, drawn):
            value = drawn[key]
            entries = value.values() if isinstance(value, dict) else items(value)
            if times := sum(not is_blank(each) for each in entries):
                self._unsupported[f"drawings that may represent a rule: {key}"] += times
        self._note_keys("{}", drawn, {*table.READ, *table.DRAWN, *HISTORY})


def _board_of(document: Document) -> tuple[Board, SquareGrid]:
    """The board, and the grid that its cells form. Raises PuzzleError."""
    if document.type not in _TYPES:
        raise PuzzleError(
            f"unsupported type of board {document.type[:30]!r}: only {' and '.join(_TYPES)} are"
            " supported"
        )
    board = Board(document.columns, document.rows, 1, 1)
    points = set(document.cells)
    if not points or min(points) < 0 or max(points) >= board.cells:
        raise PuzzleError("the board has no cells, or invalid ones")
    cells = list(map(board.cell, points))
    row, column = min(row for row, _ in cells), min(column for _, column in cells)
    grid = frozenset((down - row + 1, right - column + 1) for down, right in cells)
    size = max(map(max, grid))
    if size > LARGEST_SIZE:
        raise PuzzleError(
            f"the board has {size} rows or columns; at most {LARGEST_SIZE} are allowed"
        )
    is_square = len(grid) == size**2
    return board._replace(row=row, column=column), (
        SquareGrid(size) if is_square else PartialGrid(size, grid)
    )


FORMAT = Format(
    "penpa",
    "URLs of Penpa+ that contain the puzzle, one per line",
    fits,
    read,
    write,
    sizes=range(1, LARGEST - 1),
    numbers=None,
    multiple=True,
    texts=("title", "author", "rules"),
)
