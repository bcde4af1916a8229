"""Types of puzzles in the text format of puzzlekit and janko.at whose rules the text leaves open.

The text of a Skyscraper sudoku is also one of a frame sum sudoku, and a Renban one of a Suguru, so
these formats are never detected: each has a name, for `--from`. Those of several boards are also
written.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial

from aspdoku.formats.base import (
    Format,
    RuleSet,
    UnsupportedError,
    cells_of,
    content_lines,
    facts_of_sets,
    puzzle_with,
    to_rows,
)
from aspdoku.formats.boards import BOARD, BOARD_BOX, RULE, WITHOUT, Board, boards_of
from aspdoku.formats.janko import JankoText, Row, rows_of, words_of
from aspdoku.puzzle.puzzle import GIVEN, REGION, Cell, Grid, Puzzle
from aspdoku.puzzle.term import Function
from aspdoku.puzzlefile.lines import Line, is_digits

PREFIX = "janko-"
EMPTY = {"-", "."}
NO_BOXES = ("box",)
EDGES = tuple(map(Function, ("top", "bottom", "left", "right")))
OPERATIONS = {
    "+": "kenken_sum",
    "*": "kenken_product",
    "-": "kenken_difference",
    "/": "kenken_quotient",
}
# A set of cells without repeated numbers: the elaboration and the predicate.
DIFFERENT = "extra-region", "extra_region"
OF_TWO_CELLS = {"-", "/"}
BLACK = "x"
DIAGONALS = "D"
# The neighbours to which the bits of a cell refer.
CONSECUTIVE = {1: (0, 1), 2: (1, 0), 4: (0, -1), 8: (-1, 0)}

# The number for a word, which must be one of these; then its place and its line for errors.
Value = Callable[[str, range, str, Line], int]
Reader = Callable[[str, str], list[Puzzle]]
Content = tuple[Grid, list[Function]]
Rules = tuple[str, ...]


def _parse(text: str, name: str, more: int = 0, after: int | None = None) -> JankoText:
    """The words of a text with a square grid; `more` is how many words may follow the size in its
    first line, `after` the number of rows in addition to the grid, by default as many. Raises
    PuzzleError.
    """
    example = "5 5, or 5 5 4 for the numbers 1 to 4" if more else "9 9"
    words = words_of(text, name, example, more)
    _require_rows(words.head, words.rows, words.size + (words.size if after is None else after))
    return words


def _require_rows(head: Line, rows: list[Row], number: int) -> None:
    if len(rows) != number:
        raise head.error(f"expected {number} rows after this line, but {len(rows)} follow")


def _number(word: str, numbers: range, where: str, line: Line) -> int:
    if not is_digits(word) or len(word) > 3 or int(word) not in numbers:
        raise line.error(
            f"invalid number {word[:20]!r} in {where}: expected {numbers[0]} to {numbers[-1]}, or -"
            " for none"
        )
    return int(word)


def _letter(word: str, numbers: range, where: str, line: Line) -> int:
    value = ord(word.upper()) - ord("A") + 1 if len(word) == 1 and word.isalpha() else 0
    if value not in numbers or not value:
        raise line.error(f"invalid letter {word[:20]!r} in {where}: expected A and so on")
    return value


def _givens(
    found: JankoText, start: int = 0, numbers: range = range(0), value: Value = _number
) -> Grid:
    """The grid from this row on; its numbers are 1 to n by default."""
    allowed = numbers or range(1, found.size + 1)
    return to_rows(
        [
            None if word in EMPTY else value(word, allowed, f"r{row}c{column}", line)
            for (row, column), word, line in found.part(start, found.size)
        ]
    )


def _outside(
    text: str, name: str, rule: str, value: Value = _number, largest: bool = True
) -> list[Puzzle]:
    """Clues at the top, at the bottom, on the left and on the right, then the grid.

    value: reads clues and numbers, which may be letters, A for 1
    largest: whether the first line states the largest number of a grid without boxes; numbers
    that are missing to fill a row are empty cells, which hold 0
    """
    words = _parse(text, name, 2 if largest else 0, after=len(EDGES))
    numbers = _numbers(words, value)
    clues = numbers if value is _letter else range(1, words.size**2 + 1)
    facts = [
        Function(rule.replace("-", "_"), (EDGES[edge - 1], line, value(word, clues, "a clue", at)))
        for (edge, line), word, at in words.part(0, len(EDGES))
        if word not in EMPTY
    ]
    return [
        Puzzle(
            _givens(words, len(EDGES), numbers, value),
            facts=tuple(facts),
            elaborations=(rule, *["diagonal"] * bool(words.more[1:])),
            without=NO_BOXES if words.more else (),
            numbers=numbers,
        )
    ]


def _numbers(found: JankoText, value: Value) -> range:
    size, head = found.size, found.head
    if not found.more:
        return range(1, size + 1)
    largest, *mark = found.more
    if mark not in ([], [DIAGONALS]):
        raise head.error(f"invalid word {mark[0][:20]!r}: expected {DIAGONALS} for diagonals")
    last = value(largest, range(1, 27 if value is _letter else 36), "the first line", head)
    if last not in (size - 1, size):
        raise head.error(
            f"invalid largest number {largest[:20]}: {size} cells hold {size} numbers, or one"
            " less and an empty cell"
        )
    return range(last - size + 1, last + 1)


def _suguru(found: JankoText) -> Content:
    regions = found.part(found.size, found.size)
    return _givens(found), [Function("suguru", (*cell, label)) for cell, label, _ in regions]


def _renban(found: JankoText) -> Content:
    return _givens(found), [
        Function("renban", (label, place, *cell))
        for label, cells in found.regions().items()
        for place, cell in enumerate(cells, 1)
    ]


def _kenken(found: JankoText) -> Content:
    """Cages with a result and its operation, such as 24*, in one of their cells, or a number."""
    regions = found.regions()
    label_of = {cell: label for label, cells in regions.items() for cell in cells}
    clued: set[str] = set()
    numbers: list[int | None] = []
    facts = [Function("kenken", (*cell, label)) for label in regions for cell in regions[label]]
    for cell, word, line in found.part(0, found.size):
        label = label_of[cell]
        result, operation = word[:-1], word[-1]
        given = is_digits(word)
        numbers.append(
            _number(word, range(1, found.size + 1), "a cage of one cell", line) if given else None
        )
        if word in EMPTY:
            continue
        if label in clued:
            raise line.error(f"several clues for the cage {label[:20]}")
        clued.add(label)
        if given and len(regions[label]) > 1:
            raise line.error(f"{word[:20]!r} without an operation in a cage of several cells")
        if given:
            continue
        if operation not in OPERATIONS or not is_digits(result) or len(result) > 9:
            raise line.error(
                f"invalid clue {word[:20]!r}: expected a result and one of {' '.join(OPERATIONS)},"
                " e.g. 24*"
            )
        if operation in OF_TWO_CELLS and len(regions[label]) != 2:
            raise line.error(f"{word[:20]!r} in a cage of {len(regions[label])} cells, not of two")
        facts.append(Function(OPERATIONS[operation], (label, int(result))))
    return to_rows(numbers), facts


def _str8ts(found: JankoText) -> Content:
    numbers = range(1, found.size + 1)
    givens: list[int | None] = []
    facts = []
    for cell, word, line in found.part(0, found.size):
        black = word.endswith(BLACK)
        held = word.removesuffix(BLACK)
        where = "r{}c{}".format(*cell)
        number = _number(held, numbers, where, line) if held and held not in EMPTY else None
        if black:
            facts.append(Function("black", cell if number is None else (*cell, number)))
        givens.append(None if black else number)
    return to_rows(givens), facts


def _consecutive(found: JankoText) -> Content:
    """A grid, then for each cell the sum of bits for its consecutive neighbours. 1 for the
    neighbour on the right, 2 below, 4 on the left and 8 above.
    """
    marks = {}
    for cell, word, line in found.part(found.size, found.size):
        bits = _number(word, range(16), "the marks", line)
        for bit, (down, right) in CONSECUTIVE.items():
            marks[cell, (cell[0] + down, cell[1] + right)] = bool(bits & bit), line
    for (cell, other), (marked, line) in marks.items():
        if marked != marks.get((other, cell), (False, line))[0]:
            raise line.error(
                f"contradictory marks between r{cell[0]}c{cell[1]} and r{other[0]}c{other[1]}"
            )
    return _givens(found), [
        Function("white_dot", (*cell, *other, 1))
        for (cell, other), (marked, _) in marks.items()
        if marked and cell < other
    ]


@dataclass(frozen=True)
class _Boards:
    """Boards of 9x9 in a grid of this size, given by their upper left cells; other cells are empty.
    A grid that is not square becomes a part of a square one.

    others: other sets of cells in which no number occurs twice
    """

    name: str
    rows: int
    columns: int
    corners: tuple[Cell, ...]
    others: tuple[frozenset[Cell], ...] = ()

    @property
    def size(self) -> int:
        return max(self.rows, self.columns)

    def read(self, text: str, name: str) -> list[Puzzle]:
        head, *lines = content_lines(text, name) or [Line("", 1, name)]
        if head.content.split() != [str(self.rows), str(self.columns)]:
            raise head.error(f"expected {self.rows} {self.columns}, the size of this type")
        rows = rows_of(lines, self.columns)
        _require_rows(head, rows, self.rows)
        givens = [
            Function(GIVEN[0], (row, column, _number(word, NUMBERS, f"r{row}c{column}", line)))
            for row, (line, words) in enumerate(rows, 1)
            for column, word in enumerate(words, 1)
            if word not in EMPTY
        ]
        facts = [
            *(
                Function(BOARD[0], (place, *corner, 9, 9))
                for place, corner in enumerate(self.corners, 1)
            ),
            *facts_of_sets(DIFFERENT[1], self.others),
        ]
        puzzle = Puzzle(
            ((None,) * self.size,) * self.size,
            facts=(*givens, *facts),
            elaborations=(RULE, *([DIFFERENT[0]] if self.others else [])),
            without=WITHOUT,
            numbers=NUMBERS,
        )
        return [puzzle]

    def write(self, puzzle: Puzzle) -> str:
        """The grid of a puzzle on these boards. Raises UnsupportedError for another one."""
        if boards_of(puzzle) != [Board(*corner, 9, 9, (3, 3)) for corner in sorted(self.corners)]:
            raise UnsupportedError("other boards than those of this type")
        cells = to_rows(cells_of(puzzle, empty="-"))
        rows = (" ".join(row[: self.columns]) for row in cells[: self.rows])
        return "\n".join([f"{self.rows} {self.columns}", *rows, ""])


def _layout(rows: int, columns: int) -> tuple[Cell, ...]:
    """Boards every 12 cells, and one between each four of these."""
    return tuple(
        (row, column)
        for start in (1, 7)
        for row in range(start, rows - 7, 12)
        for column in range(start, columns - 7, 12)
    )


NUMBERS = range(1, 10)
NINE = tuple((row, column) for row in (1, 10, 19) for column in (1, 10, 19))
# Clueless: the centres of all boxes form another sudoku, or the boxes in the centres of all boards,
# whose boxes need no statement.
CENTRES = range(2, 27, 3)
IN_CENTRE_BOXES = (4, 5, 6, 13, 14, 15, 22, 23, 24)


def _lines(places: Sequence[int]) -> tuple[frozenset[Cell], ...]:
    """The rows and columns of a sudoku whose rows and columns are these of the grid."""
    return tuple(
        frozenset((place, other) if across else (other, place) for other in places)
        for across in (True, False)
        for place in places
    )


IN_BOARDS = tuple(
    frozenset((row + down, column + right) for down in (1, 4, 7) for right in (1, 4, 7))
    for row, column in NINE
)
BOARDS = (
    _Boards("samurai", 21, 21, ((1, 1), (1, 13), (7, 7), (13, 1), (13, 13))),
    _Boards("butterfly", 12, 12, ((1, 1), (1, 4), (4, 1), (4, 4))),
    _Boards("windmill", 21, 21, ((1, 4), (4, 13), (7, 7), (10, 1), (13, 10))),
    _Boards("sohei", 21, 21, ((1, 7), (7, 1), (7, 13), (13, 7))),
    _Boards("sumo", 33, 33, _layout(33, 33)),
    _Boards("gattai-8", 21, 33, _layout(21, 33)),
    _Boards("shogun", 21, 45, _layout(21, 45)),
    _Boards("clueless-1", 27, 27, NINE, (*_lines(CENTRES), *IN_BOARDS)),
    _Boards("clueless-2", 27, 27, NINE, _lines(IN_CENTRE_BOXES)),
)
ON_BOARDS = RuleSet((BOARD, BOARD_BOX, REGION, (DIFFERENT[1], 3)), (RULE, DIFFERENT[0]), WITHOUT)
TYPES = (
    ("consecutive", "consecutive numbers", _consecutive, ("white-dots", "negative-white-dots")),
    ("kenken", "KenKen", _kenken, ("kenken",)),
    ("renban", "Renban", _renban, ("renban",)),
    ("str8ts", "Str8ts", _str8ts, ("str8ts",)),
    ("suguru", "Suguru", _suguru, ("suguru",)),
)
WITHOUT_LINES = {"str8ts": ("column", "box"), "suguru": ("row", "column", "box")}


def _read(
    text: str, name: str, type_: str, content: Callable[[JankoText], Content], rules: Rules
) -> list[Puzzle]:
    words = _parse(text, name, after=0 if content is _str8ts else None)
    kind = RuleSet((), rules, WITHOUT_LINES.get(type_, NO_BOXES))
    return [puzzle_with(kind, *content(words))]


def _format(name: str, description: str, read: Reader, boards: _Boards | None = None) -> Format:
    return Format(
        f"{PREFIX}{name}",
        f"{description} of puzzlekit and janko.at, not detected",
        lambda _: False,
        read,
        boards.write if boards else None,
        kinds=(ON_BOARDS,),
        sizes=range(boards.size, boards.size + 1) if boards else range(0),
        numbers=NUMBERS,
        undetected=True,
    )


FORMATS = (
    _format("skyscraper", "Skyscrapers", partial(_outside, rule="skyscraper")),
    _format("frame-sum", "frame sums", partial(_outside, rule="frame-sum", largest=False)),
    _format("end-view", "ABC End View", partial(_outside, rule="end-view", value=_letter)),
    *(
        _format(name, description, partial(_read, type_=name, content=content, rules=rules))
        for name, description, content, rules in TYPES
    ),
    *(_format(each.name, f"{each.name} sudoku", each.read, each) for each in BOARDS),
)
