"""Reader and writer for the constraint strings of Interactive Sudoku Solver and its URLs.

`syntax` parses them, and `table` maps their names to codecs, which convert their arguments.
Unsupported constraints are reported, never ignored silently.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator
from functools import partial
from itertools import count

from aspdoku.errors import PuzzleError
from aspdoku.formats import boards
from aspdoku.formats.base import PENCILMARKED, Format, UnsupportedError, by_key, errors_at
from aspdoku.formats.boards import Content
from aspdoku.formats.iss import syntax, table
from aspdoku.formats.iss.clues import Codec
from aspdoku.formats.iss.codecs import is_single_arrow
from aspdoku.formats.iss.grid import EXTRA, LARGEST, LETTERS, REGION_CELL, IssGrid
from aspdoku.formats.iss.regions import field_of, regions_of
from aspdoku.formats.json_document import DocumentReader
from aspdoku.formats.shapes import rule_of
from aspdoku.puzzle.puzzle import LARGEST_SIZE, Cell, Grid, Puzzle, format_range, grid_of
from aspdoku.puzzle.term import Function

_GIVEN = re.compile(r"([^_]*)((?:_[0-9]{1,3})+)")


def read(text: str, name: str) -> list[Puzzle]:
    """The one puzzle in a text. Raises PuzzleError for invalid constraints."""
    with errors_at(name):
        return [_ConstraintReader(syntax.parse(text)).puzzle()]


def _by_word(constraints: Iterable[syntax.Constraint]) -> dict[str, list[list[str]]]:
    """The arguments of the constraints of each name, without those that have no meaning."""
    known = (each for each in constraints if not _has_unknown_arguments(each))
    return defaultdict(list, by_key((each.word, _meaningful(each)) for each in known))


def _has_unknown_arguments(constraint: syntax.Constraint) -> bool:
    return bool(constraint.arguments) and constraint.word in table.WITHOUT_ARGUMENTS


def _meaningful(constraint: syntax.Constraint) -> list[str]:
    arguments = constraint.arguments
    if constraint.word not in table.MEANINGLESS or not arguments:
        return arguments
    meaningless, _ = table.MEANINGLESS[constraint.word]
    return meaningless.sub("", "~".join(arguments)).split("~")


class _ConstraintReader(DocumentReader):
    def __init__(self, constraints: list[syntax.Constraint]) -> None:
        super().__init__()
        self._field, lacking = field_of(_by_word(constraints))
        constraints = list(syntax.flat(syntax.expanded(each, self._field) for each in constraints))
        self._alternatives = [each for each in constraints if each.word == syntax.OR]
        self._stated = _by_word(each for each in constraints if each.word != syntax.OR)
        for each in filter(_has_unknown_arguments, constraints):
            self._unsupported[f"{each.word}: {'~'.join(each.arguments)[:30]!r}"] += 1
        self._reject_conflicting_clues()
        for word in table.HOUSES_ONLY:
            if self._stated[word] and not self._field.houses:
                raise PuzzleError(f"{word}: a grid of the type Raw has no rows, columns and boxes")
        self._regions = regions_of(self._field, self._stated)
        self._add(self._regions.elaborations, self._regions.facts)
        self._unsupported.update(self._regions.unsupported)
        if lacking:
            self._add([table.MISSING[0]], self._missing_numbers(lacking))
        elif self._stated[table.MISSING_WORD]:
            self._unsupported[f"{table.MISSING_WORD}: undefined for this grid"] += 1
        self._labels: dict[str, Iterator[int]] = {}

    def _reject_conflicting_clues(self) -> None:
        """Raise PuzzleError for two different clues at a place; that solver would use the last."""
        clues: dict[tuple[str, str, int], str] = {}
        for word in [*table.ONE_AT_A_PLACE, *table.ONE_AT_AN_END]:
            for arguments in self._stated[word]:
                at = table.ONE_AT_A_PLACE.get(word, 0)
                place = "".join(arguments[at : at + 1]).upper()
                others = [*arguments[:at], *arguments[at + 1 :]]
                ends = others if word in table.ONE_AT_AN_END else ["~".join(others)]
                for end, clue in enumerate(ends):
                    if clue and clues.setdefault((word, place, end), clue) != clue:
                        raise PuzzleError(
                            f"{word}: conflicting clues at {place[:30]!r},"
                            f" {clues[word, place, end][:30]} and {clue[:30]}"
                        )

    def puzzle(self) -> Puzzle:
        grid = self._grid()
        for word in table.CONSTRAINTS:
            if not self._reports_as_undefined(word):
                for arguments in self._stated[word]:
                    self._read(word, arguments)
        self._read_alternatives()
        for word, names in table.FLAGS.items():
            # Without the default boxes, the windows are sets of cells.
            if not self._reports_as_undefined(word) and not (
                word in table.BY_BOX and not self._regions.boxes
            ):
                self._add(names if self._stated[word] else (), ())
        self._read_diagonals()
        self._read_ties()
        known = table.CONSTRAINTS.keys() | table.FLAGS.keys() | table.HANDLED_ELSEWHERE
        for word, times in self._stated.items():
            if word not in known and times:
                self._unsupported[word[:30]] += len(times)
        return self._puzzle(grid, without=self._regions.without, numbers=self._field.numbers)

    def _missing_numbers(self, lacking: dict[str, list[Cell]]) -> Iterator[Function]:
        for name, cells in lacking.items():
            kind = Function(table.MISSING_CELLS[name[:3]])
            for cell in cells:
                yield Function(table.MISSING[1], (kind, *self._field.of(name), *cell))

    def _grid(self) -> Grid:
        """The givens. The candidates of a cell with several become pencil marks."""
        candidates: dict[Cell, set[int]] = {}
        for given in (given for arguments in self._stated[""] for given in arguments):
            name, numbers = self._given(given)
            try:
                cell = self._field.of(name)
            except UnsupportedError as what:
                self._unsupported[f"a given in {what}"] += 1
                continue
            candidates[cell] = candidates.get(cell, numbers) & numbers
            if not candidates[cell]:
                raise PuzzleError(f"the givens leave no number for {name}")
        ((predicate, _),), rules, _ = PENCILMARKED
        for cell, numbers in candidates.items():
            if len(numbers) > 1:
                self._add(rules, [Function(predicate, (*cell, number)) for number in numbers])
        certain = {cell: min(numbers) for cell, numbers in candidates.items() if len(numbers) == 1}
        return grid_of(self._field.size, certain)

    def _given(self, text: str) -> tuple[str, set[int]]:
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

    def _read(self, word: str, arguments: list[str]) -> None:
        codec = table.CONSTRAINTS[word]
        with self._reporting(word):
            if word in table.ONE_IN_A_CELL:
                same_cell = [
                    each for each in self._stated[word] if _first(each) == _first(arguments)
                ]
                several = word in table.SEVERAL_IN_A_CELL
                joint = [each for each in same_cell if not (several and is_single_arrow(each))]
                if arguments in joint[1:] and arguments != joint[0]:
                    raise UnsupportedError(f"a second one in {arguments[0][:30]}")
                if several and any(each != arguments for each in same_cell):
                    codec = table.SEVERAL_IN_A_CELL[word]
            for name, facts in self._facts_of(word, codec, arguments).items():
                self._add([name], facts)

    def _facts_of(self, word: str, codec: Codec, arguments: list[str]) -> dict[str, list[Function]]:
        if arguments[1:] and all(each.startswith(REGION_CELL) for each in arguments[1:]):
            codec = table.OF_REGIONS.get(word, codec)
        if word in table.BY_REGION and not self._field.extra.keys().isdisjoint(arguments):
            raise UnsupportedError("a cell in no region")
        first = self._regions.labels + 1 if codec.predicate == table.DIFFERENT[1] else 1
        labels = self._labels.setdefault(codec.predicate, count(first))
        stated: dict[str, list[Function]] = defaultdict(list)
        try:
            with errors_at(word):
                for fact in codec.read(arguments, labels, self._field):
                    stated[rule_of(fact.signature, codec.rule)].append(fact)
        except (IndexError, ValueError):
            raise UnsupportedError(f"{'~'.join(arguments)[:30]!r}") from None
        if not stated:
            raise UnsupportedError("no cells")
        if stated.keys() & table.ABOUT_REGIONS and not (
            self._stated[table.FOUND_WORD] and not self._undefined_reason(table.FOUND_WORD)
        ):
            raise UnsupportedError(f"regions to be found, without {table.FOUND_WORD}")
        return stated

    def _read_alternatives(self) -> None:
        elaboration, predicate = table.EITHER
        groups = count(1)
        always_true = {*self._facts}  # also if they are stated in a block, too
        for block in self._alternatives:
            found: list[list[tuple[str, list[Function]]]] = []
            with self._reporting(syntax.OR):
                found = [
                    [
                        (name, clues)
                        for each in option
                        for name, facts in self._alternative(each).items()
                        if (clues := [fact for fact in facts if fact not in always_true])
                    ]
                    for option in syntax.options(block)
                ]
            if not found or not all(found):
                continue
            group = next(groups)
            for number, option in enumerate(found, 1):
                for name, facts in option:
                    retracted = [
                        Function(predicate, (group, number, *exception))
                        for exception in syntax.exceptions(facts, name)
                    ]
                    self._add([name, elaboration], [*facts, *retracted])

    def _alternative(self, constraint: syntax.Constraint) -> dict[str, list[Function]]:
        """The facts of a constraint of an option by elaboration. Raises UnsupportedError."""
        word = constraint.word
        if not word:
            name, (number,) = self._given(constraint.arguments[0])
            return self._alternative(syntax.Constraint(table.SUM_WORD, [str(number), name]))
        codec = table.IN_BLOCKS.get(word)
        reason = self._undefined_reason(word)
        if word in table.FLAGS:
            reason = "a whole rule"
        if (other := table.UNDEFINED_IN_BLOCKS.get(word)) and self._stated[other]:
            reason = f"undefined with {other}"
        if codec is None or reason:
            raise UnsupportedError(f"{word[:30]}{reason and f', {reason}'}")
        try:
            stated = self._facts_of(word, codec, _meaningful(constraint))
            for name, facts in stated.items():
                syntax.exceptions(facts, name)
        except UnsupportedError as what:
            raise UnsupportedError(f"{word}: {what}") from None
        return stated

    def _reports_as_undefined(self, word: str) -> bool:
        """Whether a constraint is undefined for these numbers or regions; if so, report it."""
        times = len(self._stated[word])
        why = self._undefined_reason(word) if times else ""
        if why:
            self._unsupported[f"{word}: {why}"] += times
        return bool(why)

    def _undefined_reason(self, word: str) -> str:
        """Why a constraint is not defined for this grid; empty if it is."""
        field, regions = self._field, self._regions
        numbers, (rows, columns) = field.numbers, field.shape
        of_numbers = f"for the numbers {format_range(numbers)}"
        of_regions = f"for regions of {regions.cells} cells"
        reasons = (
            (table.SQUARE_ONLY, rows != columns, "for a grid that is not square"),
            (table.WITHOUT_REPEATS, not field.houses, "for a grid without rows and columns"),
            (table.NARROW_ONLY, field.wide, of_numbers),
            (table.FROM_ONE_ONLY, numbers[0] != 1, of_numbers),
            (table.ONE_TO_NINE_ONLY, numbers != range(1, 10), of_numbers),
            (table.ONE_DIGIT_ONLY, numbers[-1] > 9, of_numbers),
            (table.BY_REGION, not regions.even, "without boxes"),
            (table.BY_BOX, not (regions.boxes or regions.windows), "without boxes"),
            (table.BY_REGION, self._stated[table.FOUND_WORD], "for regions to be found"),
            (table.BY_SIZE, regions.cells != max(rows, columns), of_regions),
        )
        why = (why for words, holds, why in reasons if holds and word in words)
        return next(map("undefined {}".format, why), "")

    def _read_diagonals(self) -> None:
        words = ["~".join(arguments) for arguments in self._stated[table.DIAGONAL_WORD]]
        for word in words:
            if word not in table.DIAGONALS:
                self._unsupported[f"{table.DIAGONAL_WORD}: {word[:30]!r}"] += 1
        wanted = [way for word, way in table.DIAGONALS.items() if word in words]
        if not wanted or self._reports_as_undefined(table.DIAGONAL_WORD):
            return
        if self._field.board or self._field.wide:
            return  # the diagonals are sets of cells
        self._add(*boards.diagonals(wanted))

    def _read_ties(self) -> None:
        """Read which lines may be equal; all values but one matter only if a line has a rank."""
        values = {"~".join(arguments) for arguments in self._stated[table.TIED]}
        if len(values) > 1:
            raise PuzzleError(
                f"{table.TIED}: conflicting values {' and '.join(sorted(values))[:60]!r}"
            )
        ties = values.pop() if values else table.TIES_DEFAULT
        if self._reports_as_undefined(table.TIED):
            return
        if ties == table.TIES_NONE:
            self._elaborations.append(table.NO_TIES)
        elif ties not in table.TIES:
            self._unsupported[f"{table.TIED}: {ties[:30]!r}"] += 1
        elif self._stated[table.RANKED] and (exception := table.TIES[ties]):
            self._facts.append(Function("ab", tuple(map(Function, exception))))


def _first(arguments: list[str]) -> str:
    return "".join(arguments[:1]).upper()


def write(puzzle: Puzzle) -> str:
    """The constraints, without what they cannot represent. Raises UnsupportedError."""
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
        numbers = self._content.marks()
        numbers |= {cell: [number] for cell, number in self._puzzle.givens().items()}
        rows: dict[int, list[str]] = defaultdict(list)
        for cell in sorted(numbers):
            try:
                name = self._field.name(cell)
            except UnsupportedError as what:
                raise UnsupportedError(f"a given in {what}") from None
            rows[cell[0]].append("_".join([name, *map(str, numbers[cell])]))
        yield from (["", *row] for row in rows.values())


FORMAT = Format(
    "iss",
    "constraints of Interactive Sudoku Solver, such as .Cage~10~R1C1~R1C2",
    syntax.fits,
    read,
    write,
    sizes=range(1, LARGEST_SIZE + 1),
    numbers=None,
)
