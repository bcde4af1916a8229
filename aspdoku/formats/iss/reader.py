"""Reader for the constraint strings of Interactive Sudoku Solver.

Unsupported constraints are reported, never ignored silently.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import replace
from itertools import count
from typing import NamedTuple
from urllib.parse import unquote

from aspdoku.errors import PuzzleError
from aspdoku.formats import boards
from aspdoku.formats.base import UnsupportedError, facts_of_sets, joined
from aspdoku.formats.iss import table
from aspdoku.formats.iss.blocks import (
    AND,
    END,
    OPENING,
    OR,
    Constraint,
    exceptions,
    expand,
    options,
)
from aspdoku.formats.iss.codecs import FOUND, Codec, is_single_arrow
from aspdoku.formats.iss.grid import IssGrid, parse_shape
from aspdoku.formats.json_document import DocumentReader
from aspdoku.puzzle.puzzle import REGION, Cell, Grid, Puzzle, format_range, grid_of
from aspdoku.puzzle.term import Function

_GIVEN = re.compile(r"([^_]*)((?:_[0-9]{1,3})+)")
_EXTRA_PREFIX = re.compile(r"[A-Z]{1,20}")
_EXTRA_NUMBER = re.compile(r"(?:([1-9][0-9]{0,3})x)?([1-9][0-9]{0,3})?")


def read(text: str, name: str) -> list[Puzzle]:
    """The one puzzle in a text. Raises PuzzleError for invalid constraints."""
    try:
        return [_ConstraintReader(parse_constraints(text)).puzzle()]
    except PuzzleError as error:
        raise PuzzleError(str(error), name) from None


class _ConstraintReader(DocumentReader):
    def __init__(self, constraints: list[Constraint]) -> None:
        super().__init__()
        self._arguments: dict[str, list[list[str]]] = defaultdict(list)
        self._alternatives: list[Constraint] = []
        for constraint in constraints:
            if constraint.word == OR:
                self._alternatives.append(constraint)
            else:
                self._sort(constraint.word, constraint.arguments)
        self._reject_conflicting_clues()
        self._field = self._shape()
        self._reject_houses()
        self._lacking = self._reads_missing_numbers()
        self._field = self._field.with_extra_cells(self._extra_cells())
        self._field = replace(self._field, groups=self._groups())
        self._regions = regions_of(self._field, self._arguments)
        self._add(self._regions.elaborations, self._regions.facts)
        self._unsupported.update(self._regions.unsupported)
        if self._lacking:
            self._add([table.MISSING[0]], self._missing_numbers())
        self._labels: dict[str, Iterator[int]] = {}

    def _sort(self, word: str, arguments: list[str]) -> None:
        """Store a constraint without its meaningless arguments; report one with too many."""
        arguments = _meaningful(word, arguments)
        if word in table.WITHOUT_ARGUMENTS and arguments:
            self._unsupported[f"{word}: {'~'.join(arguments)[:30]!r}"] += 1
        else:
            self._arguments[word].append(arguments)

    def _reject_conflicting_clues(self) -> None:
        """Raise PuzzleError for two different clues at a place; that solver would use the last."""
        clues: dict[tuple[str, str, int], str] = {}
        for word in [*table.ONE_AT_A_PLACE, *table.ONE_AT_AN_END]:
            for arguments in self._arguments[word]:
                at = table.ONE_AT_A_PLACE.get(word, 0)
                place, others = (
                    "".join(arguments[at : at + 1]).upper(),
                    [*arguments[:at], *arguments[at + 1 :]],
                )
                for end, clue in enumerate(
                    others if word in table.ONE_AT_AN_END else ["~".join(others)]
                ):
                    if clue and clues.setdefault((word, place, end), clue) != clue:
                        raise PuzzleError(
                            f"{word}: conflicting clues at {place[:30]!r},"
                            f" {clues[word, place, end][:30]} and {clue[:30]}"
                        )

    def puzzle(self) -> Puzzle:
        grid = self._grid()
        for word, codec in table.CONSTRAINTS.items():
            if not self._arguments[word] or self._reports_as_undefined(word):
                continue
            for arguments in self._arguments[word]:
                self._read(word, codec, arguments)
        self._read_alternatives()
        self._read_flags()
        self._read_ties()
        self._report_unknown_names()
        return self._puzzle(grid, without=self._regions.without, numbers=self._field.numbers)

    def _shape(self) -> IssGrid:
        shapes = self._arguments.pop("Shape", [["9x9"]])
        if len(shapes) > 1:
            raise PuzzleError("several shapes")
        return parse_shape(shapes[0])

    def _reads_missing_numbers(self) -> bool:
        """Whether houses lack a number, as far as that is defined for this grid."""
        if not self._arguments[table.MISSING_WORD]:
            return False
        numbers, shape = self._field.numbers, self._field.shape
        shape_size = shape[0]
        defined = self._field.houses and numbers == range(shape[0] + 1) and not self._field.board
        sizes = self._arguments["RegionSize"]
        if not defined or any(size != [str(shape_size)] for size in sizes):
            self._unsupported[f"{table.MISSING_WORD}: undefined for this grid"] += 1
            return False
        return True

    def _houses(self) -> dict[str, list[Cell]]:
        """The rows, columns and boxes, by the names of the cells for the numbers that they lack."""
        field = self._field
        boxes = [] if self._arguments["NoBoxes"] else field.boxes(field.shape[0])
        houses = zip(table.MISSING_CELLS, (field.rows(), field.columns(), boxes), strict=True)
        return {
            f"{prefix}{place}": cells
            for prefix, listed in houses
            for place, cells in enumerate(listed, 1)
        }

    def _extra_cells(self) -> Iterator[str]:
        """The names of the cells outside the grid. Raises PuzzleError."""
        if self._lacking:
            yield from self._houses()
        for arguments in self._arguments[table.EXTRA_WORD]:
            prefix, _, number = [*arguments, "", "", ""][:3]
            match = _EXTRA_NUMBER.fullmatch(number)
            if not _EXTRA_PREFIX.fullmatch(prefix) or not match or len(arguments) > 3:
                raise PuzzleError(
                    f"{table.EXTRA_WORD}: invalid {'~'.join(arguments)[:30]!r}: expected e.g."
                    f" {table.EXTRA_WORD}~S~label~6 for six cells, or 2x3 for their number"
                )
            cells = int(match[1] or 1) * int(match[2] or 1)
            name = f"{table.EXTRA}{prefix}"
            yield from [name] if cells == 1 else (f"{name}{place}" for place in range(1, cells + 1))

    def _groups(self) -> dict[str, int]:
        """The number of columns of each group of extra cells; without one, that of the grid."""
        columns = self._field.shape[1]
        found: dict[str, int] = {}
        if self._lacking:
            box = self._field.box(columns)
            found = dict.fromkeys(table.MISSING_CELLS, columns) | {"DGB": box[1] if box else 1}
        for arguments in self._arguments[table.EXTRA_WORD]:
            prefix, _, number = [*arguments, "", "", ""][:3]
            match = _EXTRA_NUMBER.fullmatch(number)
            found[f"{table.EXTRA}{prefix}"] = int(match[2]) if match and match[1] else columns
        return found

    def _missing_numbers(self) -> list[Function]:
        """The facts for the cells with the numbers that the houses lack."""
        return [
            Function(
                table.MISSING[1],
                (Function(table.MISSING_CELLS[name[:3]]), *self._field.of(name), *cell),
            )
            for name, cells in self._houses().items()
            for cell in cells
        ]

    def _reject_houses(self) -> None:
        """Raise PuzzleError for a constraint on rows, columns or boxes, if there are none."""
        for word in table.HOUSES_ONLY:
            if self._arguments[word] and not self._field.houses:
                raise PuzzleError(f"{word}: a grid of the type Raw has no rows, columns and boxes")

    def _grid(self) -> Grid:
        """The givens. The candidates of a cell with several become pencil marks."""
        candidates: dict[Cell, set[int]] = {}
        for given in (given for arguments in self._arguments.pop("", []) for given in arguments):
            name, numbers = self._given(given)
            try:
                cell = self._field.of(name)
            except UnsupportedError as what:
                self._unsupported[f"a given in {what}"] += 1
                continue
            candidates[cell] = candidates.get(cell, numbers) & numbers
            if not candidates[cell]:
                raise PuzzleError(f"the givens leave no number for {name}")
        name, predicate = table.PENCILMARKS
        for cell, numbers in candidates.items():
            if len(numbers) > 1:
                self._add([name], [Function(predicate, (*cell, number)) for number in numbers])
        certain = {cell: min(numbers) for cell, numbers in candidates.items() if len(numbers) == 1}
        return grid_of(self._field.size, certain)

    def _given(self, text: str) -> tuple[str, set[int]]:
        """The name of a cell and its possible numbers. Raises PuzzleError."""
        match = _GIVEN.fullmatch(text)
        if not match:
            raise PuzzleError(
                f"invalid given {text[:30]!r}: expected e.g. R1C2_3, or R1C2_3_4 for a choice"
                " between two numbers"
            )
        numbers = set(map(int, match[2][1:].split("_")))
        if not numbers <= set(self._field.numbers):
            raise PuzzleError(
                f"{text[:30]!r}: the numbers of this puzzle are {format_range(self._field.numbers)}"
            )
        return match[1], numbers

    def _read(self, word: str, codec: Codec, arguments: list[str]) -> None:
        try:
            if word in table.BY_REGION and not self._field.extra.keys().isdisjoint(arguments):
                raise UnsupportedError("a cell in no region")
            if word in table.ONE_IN_A_CELL and self._is_second(word, arguments):
                raise UnsupportedError(f"a second one in {arguments[0][:30]}")
            if word in table.SEVERAL_IN_A_CELL and self._shares_its_cell(word, arguments):
                codec = table.SEVERAL_IN_A_CELL[word]
            stated = self._facts_of(word, codec, arguments)
        except UnsupportedError as what:
            self._unsupported[f"{word}: {what}"] += 1
        else:
            for name, facts in stated.items():
                self._add([name], facts)

    def _facts_of(self, word: str, codec: Codec, arguments: list[str]) -> dict[str, list[Function]]:
        """The facts of a constraint by the elaborations that use them. Raises UnsupportedError."""
        labels = self._labels.setdefault(
            codec.rule,
            count(self._regions.labels + 1 if word == table.DIFFERENT_WORD else 1),
        )
        stated: dict[str, list[Function]] = defaultdict(list)
        try:
            for fact in codec.read(arguments, labels, self._field):
                stated[codec.others.get(fact.name, codec.rule)].append(fact)
        except (IndexError, ValueError):
            raise UnsupportedError(f"{'~'.join(arguments)[:30]!r}") from None
        except PuzzleError as error:
            raise PuzzleError(f"{word}: {error}") from None
        if not stated:
            raise UnsupportedError("no cells")
        if FOUND in stated and not self._finds_regions:
            raise UnsupportedError(f"regions to be found, without {table.FOUND_WORD}")
        return stated

    def _read_alternatives(self) -> None:
        """Read the blocks of which at least one constraint is true."""
        elaboration, predicate = table.EITHER
        groups = count(1)
        always_true = {*self._facts}  # also if they are stated in a block, too
        for block in self._alternatives:
            try:
                found = [
                    [
                        (name, clues)
                        for each in option
                        for name, facts in self._alternative(*each[:2]).items()
                        if (clues := [fact for fact in facts if fact not in always_true])
                    ]
                    for option in options(block)
                ]
            except UnsupportedError as what:
                self._unsupported[f"{OR}: {what}"] += 1
                continue
            if not all(found):
                continue
            group = next(groups)
            for number, option in enumerate(found, 1):
                for name, facts in option:
                    self._add([name], facts)
                    self._add(
                        [elaboration],
                        [
                            Function(predicate, (group, number, *exception))
                            for exception in exceptions(facts, name)
                        ],
                    )

    def _alternative(self, word: str, arguments: list[str]) -> dict[str, list[Function]]:
        """The facts of a constraint of an option by elaboration.

        Raises UnsupportedError if one of its clues cannot be retracted.
        """
        if not word:
            name, (number,) = self._given(arguments[0])
            return self._alternative(table.SUM_WORD, [str(number), name])
        codec = table.IN_BLOCKS.get(word)
        reason = self._undefined_reason(word)
        if word in table.FLAGS:
            reason = "a whole rule"
        if self._arguments[other := table.UNDEFINED_IN_BLOCKS.get(word, "")]:
            reason = f"undefined with {other}"
        if codec is None or reason:
            raise UnsupportedError(f"{word[:30]}{reason and f', {reason}'}")
        try:
            stated = self._facts_of(word, codec, _meaningful(word, arguments))
            for name, facts in stated.items():
                list(exceptions(facts, name))
        except UnsupportedError as what:
            raise UnsupportedError(f"{word}: {what}") from None
        return stated

    def _shares_its_cell(self, word: str, arguments: list[str]) -> bool:
        """Whether another constraint of this name begins with the same cell."""
        return any(
            _first(each) == _first(arguments) and each != arguments
            for each in self._arguments[word]
        )

    def _is_second(self, word: str, arguments: list[str]) -> bool:
        """Whether another constraint of this name begins with the same cell before this one."""
        joint = [
            each
            for each in self._arguments[word]
            if _first(each) == _first(arguments)
            and not (word in table.SEVERAL_IN_A_CELL and is_single_arrow(each))
        ]
        return arguments in joint[1:] and arguments != joint[0]

    @property
    def _finds_regions(self) -> bool:
        return bool(self._arguments[table.FOUND_WORD]) and not self._undefined_reason(
            table.FOUND_WORD
        )

    def _reports_as_undefined(self, word: str) -> bool:
        """Whether a constraint is undefined for these numbers or regions; if so, report it."""
        why = self._undefined_reason(word)
        if why:
            self._unsupported[f"{word}: {why}"] += len(self._arguments[word])
        return bool(why)

    def _undefined_reason(self, word: str) -> str:
        """Why a constraint is not defined for this grid; empty if it is."""
        numbers = self._field.numbers
        rows, columns = self._field.shape
        if word in table.SQUARE_ONLY and rows != columns:
            return "undefined for a grid that is not square"
        if word in table.WITHOUT_REPEATS and not self._field.houses:
            return "undefined for a grid without rows and columns"
        if (
            (word in table.NARROW_ONLY and self._field.wide)
            or (word in table.FROM_ONE_ONLY and numbers[0] != 1)
            or (word in table.ONE_TO_NINE_ONLY and numbers != range(1, 10))
            or (word in table.ONE_DIGIT_ONLY and numbers[-1] > 9)
        ):
            return f"undefined for the numbers {format_range(numbers)}"
        if (word in table.BY_REGION and not self._regions.even) or (
            word in table.BY_BOX
            and not (self._regions.boxes or windows_of(self._field, self._arguments))
        ):
            return "undefined without boxes"
        if word in table.BY_REGION and self._arguments[table.FOUND_WORD]:
            return "undefined for regions to be found"
        if word in table.BY_SIZE and self._regions.cells != max(self._field.shape):
            return f"undefined for regions of {self._regions.cells} cells"
        return ""

    def _read_flags(self) -> None:
        for word, names in table.FLAGS.items():
            if self._arguments[word] and not self._reports_as_undefined(word):
                if word in table.BY_BOX and not self._regions.boxes:
                    continue  # the windows are sets of cells
                self._elaborations += names
        self._read_diagonals()

    def _read_diagonals(self) -> None:
        """Read the constraints for one or both diagonals."""
        words = ["~".join(arguments) for arguments in self._arguments[table.DIAGONAL_WORD]]
        for word in words:
            if word not in table.DIAGONALS:
                self._unsupported[f"{table.DIAGONAL_WORD}: {word[:30]!r}"] += 1
        wanted = [way for word, way in table.DIAGONALS.items() if word in words]
        if not wanted or self._reports_as_undefined(table.DIAGONAL_WORD):
            return
        if self._field.board or self._field.wide:
            return  # the diagonals are sets of cells
        others = [way for way in table.DIAGONALS.values() if way not in wanted]
        self._add(
            [table.DIAGONAL],
            [Function("ab", (Function(table.DIAGONAL), Function(way))) for way in others],
        )

    def _read_ties(self) -> None:
        """Read which lines may be equal; all values but one matter only if a line has a rank."""
        stated = {"~".join(arguments) for arguments in self._arguments[table.TIED]} or {
            table.TIES_DEFAULT
        }
        if len(stated) > 1:
            raise PuzzleError(
                f"{table.TIED}: conflicting values {' and '.join(sorted(stated))[:60]!r}"
            )
        (ties,) = stated
        if self._arguments[table.TIED] and self._reports_as_undefined(table.TIED):
            return
        if ties == table.TIES_NONE:
            self._elaborations.append(table.NO_TIES)
        elif ties not in table.TIES:
            self._unsupported[f"{table.TIED}: {ties[:30]!r}"] += 1
        elif self._arguments[table.RANKED] and (exception := table.TIES[ties]):
            self._facts.append(Function("ab", tuple(map(Function, exception))))

    def _report_unknown_names(self) -> None:
        known = table.CONSTRAINTS.keys() | table.FLAGS.keys() | table.HANDLED_ELSEWHERE
        for word, times in self._arguments.items():
            if word not in known and times:
                self._unsupported[word[:30]] += len(times)


def _first(arguments: list[str]) -> str:
    return "".join(arguments[:1]).upper()


def _meaningful(word: str, arguments: list[str]) -> list[str]:
    """The arguments of a constraint without those that have no meaning."""
    if word not in table.MEANINGLESS or not arguments:
        return arguments
    meaningless, _ = table.MEANINGLESS[word]
    return meaningless.sub("", "~".join(arguments)).split("~")


ConstraintArguments = Mapping[str, list[list[str]]]


class Regions(NamedTuple):
    """The regions as facts.

    elaborations: the rules that use the facts
    labels: the number of sets of cells without repeated numbers
    without: the retracted rules
    cells: the number of cells in a region
    boxes: whether this format has the default boxes that rules derive from the size of the grid
    even: whether boxes or drawn regions partition the grid, each with all numbers
    unsupported: constraints on regions that have no effect on this grid
    """

    facts: list[Function]
    elaborations: list[str]
    labels: int
    without: tuple[str, ...]
    cells: int
    boxes: bool = False
    even: bool = False
    unsupported: tuple[str, ...] = ()


def regions_of(field: IssGrid, constraints: ConstraintArguments) -> Regions:
    """The regions of the grid: boxes, pieces of a jigsaw, or both. Raises PuzzleError.

    Sizes such as 7x7 have no boxes. Without boxes, for this reason or because of NoBoxes, the
    pieces of a jigsaw are the regions; otherwise each piece is an additional set of cells without
    repeated numbers.
    """
    size = _size(field, constraints)
    possible = field.boxes(size)
    no_boxes = bool(constraints.get("NoBoxes"))
    boxes = [] if no_boxes else possible
    drawn = _drawn(field, constraints, size)
    disjoint = (
        [list(place) for place in zip(*possible, strict=True)]
        if constraints.get(table.DISJOINT_WORD)
        else []
    )
    others = [*disjoint, *_diagonals(field, constraints), *windows_of(field, constraints)]
    sets, pieces, rules, without = [*boxes, *drawn, *others], list[list[Cell]](), [], ["box"]
    ordinary = field.houses and not field.board and not field.wide and size == field.size
    box = None
    if ordinary and drawn and not boxes:
        pieces, sets, without = drawn, others, []
    elif ordinary:
        sets, rules = drawn, [*table.DISJOINT] if disjoint else []
        box, without = field.box(size) if boxes else None, without if no_boxes else []
    elif field.board or not field.houses:
        plain = size == len(field.numbers) and not constraints.get(table.DISJOINT_WORD)
        box = field.box(size) if plain and boxes and not drawn else None
        pieces = drawn if plain and field.board and not boxes else []
        sets = others if box or pieces else sets
        without = [*boards.WITHOUT, *([] if box or pieces else without)]
    elif field.wide:
        sets, without = [*field.lines(), *sets], [*boards.WITHOUT, *without]
    facts = [*facts_of_sets(REGION[0], pieces), *facts_of_sets(table.DIFFERENT[1], sets)]
    rules = [*([table.DIFFERENT[0]] if sets else []), *rules]
    if field.wide and constraints.get(table.SAME_IN_REGIONS):
        lines = field.lines() if field.houses else ()
        same = _same_values([*lines, *boxes, *drawn], len(field.numbers))
        facts += same
        rules += [table.SAME[0]] if same else []
    if field.board:
        rules = [boards.RULE, *([table.EXTRA_CELL[0]] if field.extra else []), *rules]
        # The rule would derive boxes next to the pieces.
        none = boards.NO_BOXES if pieces and field.box(size) else None
        facts += _board_facts(field, field.board, box or none)
    rows, columns = field.shape
    return Regions(
        facts,
        rules,
        len(sets),
        tuple(without),
        size,
        boxes=ordinary and not pieces and bool(possible),
        even=bool(box) or sum(map(len, pieces)) == rows * columns,
        unsupported=_without_effect(constraints, possible, drawn),
    )


def _board_facts(
    field: IssGrid, board: tuple[int, int], box: tuple[int, int] | None
) -> list[Function]:
    """The facts for a grid that is a part of a field."""
    facts = boards.board_facts(Function(table.GRID), (1, 1, *board), box)
    facts += [Function(table.EXTRA_CELL[1], cell) for cell in field.extra.values()]
    if not field.houses:
        facts.append(Function("ab", (Function(boards.RULE), Function(table.GRID))))
    return facts


def _diagonals(field: IssGrid, constraints: ConstraintArguments) -> list[list[Cell]]:
    """The cells of each diagonal, on a grid where it has other numbers than the whole field."""
    size = field.shape[0]
    if size != field.shape[1] or not (field.board or field.wide):
        return []
    found = boards.Board(1, 1, size, size).diagonals()
    words = {"~".join(arguments) for arguments in constraints.get(table.DIAGONAL_WORD, [])}
    return [found[way] for word, way in table.DIAGONALS.items() if word in words]


def windows_of(field: IssGrid, constraints: ConstraintArguments) -> list[list[Cell]]:
    """The cells of each window, on a grid where these are not those of the whole field."""
    if not constraints.get(table.WINDOWS_WORD) or not (field.board or field.wide):
        return []
    size = _size(field, constraints) if constraints.get("RegionSize") else len(field.numbers)
    box = field.box(size)
    rows, columns = field.shape
    if not box or rows != columns:
        return []
    height, width = box
    return [
        [(top + y, left + x) for y in range(height) for x in range(width)]
        for left in range(2, columns - width + 1, width + 1)
        for top in range(2, rows - height + 1, height + 1)
    ]


def _without_effect(
    constraints: ConstraintArguments, possible: list[list[Cell]], drawn: list[list[Cell]]
) -> tuple[str, ...]:
    """The constraints that need boxes or pieces, if there are none."""
    needs = ((table.DISJOINT_WORD, possible, "boxes"), ("Jigsaw", drawn, "regions"))
    return tuple(
        f"{word}: a grid without {what}"
        for word, cells, what in needs
        if constraints.get(word) and not cells
    )


def _same_values(regions: list[list[Cell]], numbers: int) -> list[Function]:
    """The facts for the largest regions, which contain the same numbers; none if these are all."""
    largest = max(map(len, regions))
    sets = [cells for cells in regions if len(cells) == largest < numbers]
    return facts_of_sets(table.SAME[1], sets, (table.SAME_GROUP,))


def _size(field: IssGrid, constraints: ConstraintArguments) -> int:
    """The number of cells in a box."""
    sizes = {"~".join(arguments) for arguments in constraints.get("RegionSize", [])} or {
        str(max(field.shape))
    }
    size = sizes.pop()
    largest = max(*field.shape, len(field.numbers))
    if sizes or not size.isdecimal() or not 1 <= int(size) <= largest:
        raise PuzzleError(f"RegionSize: expected one size from 1 to {largest}, not {size[:30]!r}")
    return int(size)


def _drawn(field: IssGrid, constraints: ConstraintArguments, size: int) -> list[list[Cell]]:
    """The pieces of a jigsaw. Cells outside all pieces share a character."""
    regions: dict[str, list[Cell]] = defaultdict(list)
    layouts = constraints.get("Jigsaw", [])
    rows, columns = field.shape
    for arguments in layouts:
        layout = "~".join(arguments)
        if len(layout) != rows * columns or len(layouts) > 1:
            raise PuzzleError(
                f"Jigsaw: expected once, with {rows * columns} characters, one per cell; found"
                f" {len(layout)}"
            )
        for place, sign in enumerate(layout):
            regions[sign].append((place // columns + 1, place % columns + 1))
    pieces = [
        cells for cells in regions.values() if max(field.shape) <= len(cells) <= len(field.numbers)
    ]
    if len(regions) > len(pieces) + 1 or any(len(cells) != size for cells in pieces):
        raise PuzzleError(
            f"Jigsaw: regions of this grid must have {size} cells; one other character can mark"
            " cells outside them"
        )
    return pieces


_ADDRESS = re.compile(
    r"(?:https?://)?sigh\.github\.io/Interactive-Sudoku-Solver(?:/[\w.]*)?\?(?P<query>[^#]*)(?:#.*)?"
)
_DEEPEST = 50  # blocks inside of each other
_CELL = re.compile(r"R[0-9]+C[0-9]")
_ITEMS = re.compile(r"(?:\.[A-Za-z]*(?:~[^.~]*)*)+")


def fits(text: str) -> bool:
    """Whether a text consists of constraints, or is a URL that contains them."""
    found, *_ = _joined(text)
    if not _ITEMS.fullmatch(found):
        return False
    words = {item.partition("~")[0] for item in found.split(".")[1:]} - {""}
    # A dot and an X alone can also be the cells of a grid, and letters with a ~ words after it.
    known = {word for word in words & table.WORDS if len(word) > 1}
    if "~" in found:
        return bool(known or _CELL.search(found) or _ADDRESS.search(text))
    return bool(known) and words <= table.WORDS


def parse_constraints(text: str) -> list[Constraint]:
    """Parse the constraints; blocks of alternatives or repetitions are represented by their names.

    Raises PuzzleError.
    """
    found, *more = _joined(text)
    if more:
        raise PuzzleError("the URL has several parameters q")
    if not found.startswith("."):
        raise PuzzleError("expected constraints that start with a dot, e.g. .Cage~10~R1C1~R1C2")
    return list(_parsed(expand(found)))


def _joined(text: str) -> list[str]:
    """The text without blanks and comments; for a URL, the values of its parameter q."""
    found = joined(text.lstrip("\ufeff"))
    match = _ADDRESS.fullmatch(found)
    parameters = [part.partition("=") for part in match["query"].split("&")] if match else []
    return ["".join(unquote(value).split()) for name, _, value in parameters if name == "q"] or [
        found
    ]


def _parsed(text: str) -> Iterator[Constraint]:
    """The constraints, with those inside of blocks; And only as an option of Or."""
    blocks = [Constraint("", [])]
    inside: list[list[Constraint]] = [[]]
    for item in text.split(".")[1:]:
        word, *arguments = item.split("~")
        if word in (AND, END) and arguments:
            raise PuzzleError(f"unexpected arguments of {word}: {'~'.join(arguments)[:30]!r}")
        if word in OPENING:
            if len(blocks) > _DEEPEST:
                raise PuzzleError(f"more than {_DEEPEST} blocks inside of each other")
            blocks.append(Constraint(word, arguments))
            inside.append([])
            continue
        constraint = Constraint(word, arguments)
        if word == END:
            if len(blocks) == 1:
                raise PuzzleError("End without a matching beginning")
            constraint = blocks.pop()._replace(inside=tuple(inside.pop()))
        if constraint.word == AND and blocks[-1].word in ("", AND):
            inside[-1] += constraint.inside
        else:
            inside[-1].append(constraint)
    if len(blocks) > 1:
        raise PuzzleError(f"{blocks[-1].word} without a matching End")
    yield from inside[0]
