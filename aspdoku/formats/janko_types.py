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
    cell_name,
    content_lines,
    facts_of_sets,
    puzzle_with,
    to_rows,
)
from aspdoku.formats.boards import BOARD, RULE, WITHOUT, Board
from aspdoku.formats.janko import JankoText, Row, rows_of, words_of
from aspdoku.formats.pending import PendingContent
from aspdoku.puzzle.puzzle import GIVEN, Cell, Grid, Puzzle, box_shape, format_range
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


def _parse(text: str, name: str, more: int = 0, after: int | None = None) -> JankoText:
    """The words of a text with a square grid; `more` is how many words may follow the size in its
    first line, `after` the number of rows in addition to the grid, by default as many.

    Raises PuzzleError.
    """
    example = "5 5, or 5 5 4 for the numbers 1 to 4" if more else "9 9"
    found = words_of(text, name, example, more)
    _require_rows(found.head, found.rows, found.size + (found.size if after is None else after))
    return found


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


def _givens(found: JankoText, start: int, numbers: range, value: Value) -> Grid:
    """The grid from this row on. Raises PuzzleError."""
    return to_rows(
        [
            None if word in EMPTY else value(word, numbers, cell_name(index, found.size), line)
            for index, (_, word, line) in enumerate(found.part(start, found.size))
        ]
    )


def _read_outside_clues(
    text: str, name: str, predicate: str, elaboration: str, value: Value, largest: bool
) -> list[Puzzle]:
    """Clues at the top, at the bottom, on the left and on the right, then the grid.

    value: reads clues and numbers, which may be letters, A for 1
    largest: whether the first line states the largest number of a grid without boxes; numbers
    that are missing to fill a row are empty cells, which hold 0
    """
    found = _parse(text, name, 2 if largest else 0, after=len(EDGES))
    numbers = _numbers(found, value)
    clues = numbers if value is _letter else range(1, found.size**2 + 1)
    facts = [
        Function(predicate, (EDGES[edge - 1], line, value(word, clues, "a clue", at)))
        for (edge, line), word, at in found.part(0, len(EDGES))
        if word not in EMPTY
    ]
    return [
        Puzzle(
            _givens(found, len(EDGES), numbers, value),
            facts=tuple(facts),
            elaborations=(elaboration, *(("diagonal",) if found.more[1:] else ())),
            without=NO_BOXES if found.more else (),
            numbers=numbers,
        )
    ]


def _numbers(found: JankoText, value: Value) -> range:
    """The numbers of a grid, by the largest in the first line if it is there."""
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


def _read_suguru(text: str, name: str) -> list[Puzzle]:
    """A grid, then the regions of its cells."""
    found = _parse(text, name)
    facts = [
        Function("suguru", (*cell, label)) for cell, label, _ in found.part(found.size, found.size)
    ]
    return [puzzle_with(SUGURU, _givens(found, 0, range(1, found.size + 1), _number), facts)]


def _read_renban(text: str, name: str) -> list[Puzzle]:
    """A grid, then the lines of its cells."""
    found = _parse(text, name)
    facts = [
        Function("renban", (label, place, *cell))
        for label, cells in found.regions().items()
        for place, cell in enumerate(cells, 1)
    ]
    return [puzzle_with(RENBAN, _givens(found, 0, range(1, found.size + 1), _number), facts)]


def _read_kenken(text: str, name: str) -> list[Puzzle]:
    """Cages with a result and its operation, such as 24*, in one of their cells, or a number."""
    found = _parse(text, name)
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
    return [puzzle_with(KENKEN, to_rows(numbers), facts)]


def _read_str8ts(text: str, name: str) -> list[Puzzle]:
    """A grid whose black cells are `x`, or a number and `x`."""
    found = _parse(text, name, after=0)
    numbers = range(1, found.size + 1)
    givens: list[int | None] = []
    facts = []
    for index, (cell, word, line) in enumerate(found.part(0, found.size)):
        where = cell_name(index, found.size)
        black = word.endswith(BLACK)
        held = word.removesuffix(BLACK)
        number = _number(held, numbers, where, line) if held and held not in EMPTY else None
        if black:
            facts.append(Function("black", cell if number is None else (*cell, number)))
        givens.append(None if black else number)
    return [puzzle_with(STR8TS, to_rows(givens), facts)]


def _read_consecutive(text: str, name: str) -> list[Puzzle]:
    """A grid, then for each cell the sum of bits for its consecutive neighbours.

    1 for the neighbour on the right, 2 below, 4 on the left and 8 above.
    """
    found = _parse(text, name)
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
    facts = [
        Function("white_dot", (*cell, *other, 1))
        for (cell, other), (marked, _) in marks.items()
        if marked and cell < other
    ]
    grid = _givens(found, 0, range(1, found.size + 1), _number)
    return [
        Puzzle(
            grid,
            facts=tuple(facts),
            elaborations=("white-dots", "negative-white-dots"),
            without=NO_BOXES,
        )
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
        size = max(self.rows, self.columns)
        puzzle = Puzzle(
            ((None,) * size,) * size,
            facts=(*givens, *facts),
            elaborations=(RULE, *([DIFFERENT[0]] if self.others else [])),
            without=WITHOUT,
            numbers=NUMBERS,
        )
        return [puzzle]

    def write(self, puzzle: Puzzle) -> str:
        """The grid of a puzzle on these boards. Raises PuzzleError for another one."""
        pending = PendingContent(puzzle, f"{PREFIX}{self.name}")
        odd = []
        if puzzle.size != max(self.rows, self.columns):
            odd.append(f"a {puzzle.size}x{puzzle.size} grid")
        if puzzle.numbers != NUMBERS:
            odd.append(f"the numbers {format_range(puzzle.numbers)}")
        if puzzle.box and puzzle.box != box_shape(puzzle.size):
            odd.append("boxes of {}x{}".format(*puzzle.box))
        if pending.boards:
            pending.mark_boards_written()
        if pending.boards != [Board(*corner, 9, 9, (3, 3)) for corner in sorted(self.corners)]:
            odd.append("other boards than those of this type")
        if self.others and pending.mark_rules_written(DIFFERENT[0]):
            pending.mark_written((DIFFERENT[1], 3))
        pending.require_empty(*odd)
        rows = [
            " ".join("-" if number is None else str(number) for number in row[: self.columns])
            for row in puzzle.grid[: self.rows]
        ]
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


SAMURAI = _Boards("samurai", 21, 21, ((1, 1), (1, 13), (7, 7), (13, 1), (13, 13)))
BUTTERFLY = _Boards("butterfly", 12, 12, ((1, 1), (1, 4), (4, 1), (4, 4)))
WINDMILL = _Boards("windmill", 21, 21, ((1, 4), (4, 13), (7, 7), (10, 1), (13, 10)))
SOHEI = _Boards("sohei", 21, 21, ((1, 7), (7, 1), (7, 13), (13, 7)))
SUMO = _Boards("sumo", 33, 33, _layout(33, 33))
GATTAI = _Boards("gattai-8", 21, 33, _layout(21, 33))
SHOGUN = _Boards("shogun", 21, 45, _layout(21, 45))
IN_BOARDS = tuple(
    frozenset((row + down, column + right) for down in (1, 4, 7) for right in (1, 4, 7))
    for row, column in NINE
)
CLUELESS_1 = _Boards("clueless-1", 27, 27, NINE, (*_lines(CENTRES), *IN_BOARDS))
CLUELESS_2 = _Boards("clueless-2", 27, 27, NINE, _lines(IN_CENTRE_BOXES))
KENKEN = RuleSet((), ("kenken",), NO_BOXES)
STR8TS = RuleSet((), ("str8ts",), ("column", "box"))
SUGURU = RuleSet((), ("suguru",), ("row", "column", "box"))
RENBAN = RuleSet((), ("renban",), NO_BOXES)


def _format(
    name: str,
    description: str,
    read: Reader,
    write: Callable[[Puzzle], str] | None = None,
) -> Format:
    return Format(
        f"{PREFIX}{name}",
        f"{description} of puzzlekit and janko.at, not detected",
        lambda _: False,
        read,
        write,
        undetected=True,
    )


def _outside(predicate: str, value: Value, largest: bool) -> Reader:
    return partial(
        _read_outside_clues,
        predicate=predicate,
        elaboration=predicate.replace("_", "-"),
        value=value,
        largest=largest,
    )


FORMATS = (
    _format("skyscraper", "Skyscrapers", _outside("skyscraper", _number, largest=True)),
    _format("frame-sum", "frame sums", _outside("frame_sum", _number, largest=False)),
    _format("end-view", "ABC End View", _outside("end_view", _letter, largest=True)),
    _format("consecutive", "consecutive numbers", _read_consecutive),
    _format("kenken", "KenKen", _read_kenken),
    _format("renban", "Renban", _read_renban),
    _format("str8ts", "Str8ts", _read_str8ts),
    _format("suguru", "Suguru", _read_suguru),
    *(
        _format(each.name, f"{each.name} sudoku", each.read, each.write)
        for each in (
            *(SAMURAI, BUTTERFLY, WINDMILL, SOHEI, SUMO),
            *(GATTAI, SHOGUN, CLUELESS_1, CLUELESS_2),
        )
    ),
)
