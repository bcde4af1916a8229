"""Reader for the constraint strings of Interactive Sudoku Solver.

Unsupported constraints are reported, never ignored silently.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping
from itertools import count
from typing import NamedTuple
from urllib.parse import unquote

from aspdoku.errors import PuzzleError
from aspdoku.formats import json_document
from aspdoku.formats.base import UnsupportedError, content_lines
from aspdoku.formats.iss import table
from aspdoku.formats.iss.grid import IssGrid, parse_shape
from aspdoku.puzzle.puzzle import REGION, Cell, Grid, Puzzle, format_range
from aspdoku.puzzle.term import Function

_GIVEN = re.compile(r"([^_]*)((?:_[0-9]{1,3})+)")


def read(text: str, name: str) -> list[Puzzle]:
    """The one puzzle in a text. Raises PuzzleError for invalid constraints."""
    try:
        return [_ConstraintReader(parse_constraints(text)).puzzle()]
    except PuzzleError as error:
        raise PuzzleError(str(error), name) from None


class _ConstraintReader:
    def __init__(self, constraints: list[Constraint]) -> None:
        self._arguments: dict[str, list[list[str]]] = defaultdict(list)
        self._unsupported: Counter[str] = Counter()
        for word, arguments in constraints:
            self._sort(word, arguments)
        self._reject_conflicting_clues()
        self._field = self._shape()
        self._regions = regions_of(self._field, self._arguments)
        self._facts: list[Function] = list(self._regions.facts)
        self._elaborations: list[str] = list(self._regions.elaborations)
        self._unsupported.update(self._regions.unsupported)
        self._labels: dict[str, Iterator[int]] = {}

    def _sort(self, word: str, arguments: list[str]) -> None:
        """Store a constraint without its meaningless arguments; report one with too many."""
        if word in table.MEANINGLESS and arguments:
            meaningless, _ = table.MEANINGLESS[word]
            arguments = meaningless.sub("", "~".join(arguments)).split("~")
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
        for word, kind in table.CONSTRAINTS.items():
            if not self._arguments[word] or self._reports_as_undefined(word):
                continue
            labels = count(self._regions.labels + 1 if word == table.DIFFERENT_WORD else 1)
            for arguments in self._arguments[word]:
                self._read(word, kind, arguments, self._labels.setdefault(kind.elaboration, labels))
        self._read_flags()
        self._read_ties()
        self._report_unknown_names()
        return Puzzle(
            grid,
            facts=tuple(self._facts),
            elaborations=tuple(dict.fromkeys(self._elaborations)),
            without=self._regions.without,
            numbers=self._field.numbers,
            unsupported=json_document.unsupported_texts(self._unsupported),
        )

    def _shape(self) -> IssGrid:
        shapes = self._arguments.pop("Shape", [["9x9"]])
        if len(shapes) > 1:
            raise PuzzleError("several shapes")
        return parse_shape(shapes[0])

    def _grid(self) -> Grid:
        """The givens. The candidates of a cell with several become pencil marks."""
        candidates: dict[Cell, set[int]] = {}
        for given in (given for arguments in self._arguments.pop("", []) for given in arguments):
            match = _GIVEN.fullmatch(given)
            if not match:
                raise PuzzleError(
                    f"invalid given {given[:30]!r}: expected e.g. R1C2_3, or R1C2_3_4 for a choice"
                    " between two numbers"
                )
            numbers = set(map(int, match[2][1:].split("_")))
            try:
                cell = self._field.of(match[1])
            except UnsupportedError as what:
                self._unsupported[f"a given in {what}"] += 1
                continue
            candidates[cell] = candidates.get(cell, numbers) & numbers
            if not numbers <= set(self._field.numbers):
                raise PuzzleError(
                    f"{given[:30]!r}: the numbers of this puzzle are"
                    f" {format_range(self._field.numbers)}"
                )
            if not candidates[cell]:
                raise PuzzleError(f"the givens leave no number for {match[1]}")
        name, predicate = table.PENCILMARKS
        for cell, numbers in candidates.items():
            if len(numbers) > 1:
                self._add([name], [Function(predicate, (*cell, number)) for number in numbers])
        span = range(1, self._field.size + 1)
        certain = {cell: min(numbers) for cell, numbers in candidates.items() if len(numbers) == 1}
        return tuple(tuple(certain.get((row, column)) for column in span) for row in span)

    def _read(
        self, word: str, kind: table.ConstraintType, arguments: list[str], labels: Iterator[int]
    ) -> None:
        try:
            stated = list(kind.codec.read(arguments, labels, self._field))
            names = dict.fromkeys(kind.others.get(fact.name, kind.elaboration) for fact in stated)
            if not stated:
                raise UnsupportedError("no cells")
            if table.FOUND in names and not self._finds_regions:
                raise UnsupportedError(f"regions to be found, without {table.FOUND_WORD}")
        except UnsupportedError as what:
            self._unsupported[f"{word}: {what}"] += 1
        except (IndexError, ValueError):
            self._unsupported[f"{word}: {'~'.join(arguments)[:30]!r}"] += 1
        except PuzzleError as error:
            raise PuzzleError(f"{word}: {error}") from None
        else:
            self._add(names, stated)

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
        if (
            (word in table.NARROW_ONLY and self._field.wide)
            or (word in table.FROM_ONE_ONLY and numbers[0] != 1)
            or (word in table.ONE_TO_NINE_ONLY and numbers != range(1, 10))
            or (word in table.ONE_DIGIT_ONLY and numbers[-1] > 9)
        ):
            return f"undefined for the numbers {format_range(numbers)}"
        if (word in table.BY_REGION and not self._regions.even) or (
            word in table.BY_BOX and not self._regions.boxes
        ):
            return "undefined without boxes"
        if word in table.BY_REGION and self._arguments[table.FOUND_WORD]:
            return "undefined for regions to be found"
        if word in table.BY_SIZE and self._regions.cells != self._field.size:
            return f"undefined for regions of {self._regions.cells} cells"
        return ""

    def _read_flags(self) -> None:
        for word, names in table.FLAGS.items():
            if self._arguments[word] and not self._reports_as_undefined(word):
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
        others = [way for way in table.DIAGONALS.values() if way not in wanted]
        self._add(
            [table.DIAGONAL],
            [Function("ab", (Function(table.DIAGONAL), Function(way))) for way in others],
        )

    def _read_ties(self) -> None:
        """Read whether lines may be equal, which matters only if a line has a rank."""
        stated = {"~".join(arguments) for arguments in self._arguments[table.TIED]} or {
            table.TIES_DEFAULT
        }
        if len(stated) > 1:
            raise PuzzleError(
                f"{table.TIED}: conflicting values {' and '.join(sorted(stated))[:60]!r}"
            )
        (ties,) = stated
        if ties not in table.TIES:
            self._unsupported[f"{table.TIED}: {ties[:30]!r}"] += 1
        elif self._arguments[table.RANKED] and (exception := table.TIES[ties]):
            self._facts.append(Function("ab", tuple(map(Function, exception))))

    def _report_unknown_names(self) -> None:
        known = table.CONSTRAINTS.keys() | table.FLAGS.keys() | table.HANDLED_ELSEWHERE
        for word, times in self._arguments.items():
            if word not in known and times:
                self._unsupported[word[:30]] += len(times)

    def _add(self, names: Iterable[str], facts: list[Function]) -> None:
        self._elaborations += names
        self._facts += facts


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
    boxes = [] if constraints.get("NoBoxes") else possible
    drawn = _drawn(field, constraints, size)
    disjoint = (
        [list(place) for place in zip(*possible, strict=True)]
        if constraints.get(table.DISJOINT_WORD)
        else []
    )
    unsupported = _without_effect(constraints, possible, drawn)
    if field.wide:
        different = _different([*field.lines(), *boxes, *drawn, *disjoint])
        return Regions(*different, ("row", "column", "box"), size, unsupported=unsupported)
    if size != field.size:
        return Regions(*_different([*boxes, *disjoint]), ("box",), size, unsupported=unsupported)
    if drawn and not boxes:
        facts = [
            Function(REGION[0], (*cell, place))
            for place, cells in enumerate(drawn, 1)
            for cell in cells
        ]
        more, names, number = _different(disjoint)
        return Regions(
            [*facts, *more],
            names,
            number,
            (),
            size,
            even=len(facts) == field.size**2,
            unsupported=unsupported,
        )
    facts, names, number = _different(drawn)
    names += table.DISJOINT if disjoint else ()
    without = ("box",) if constraints.get("NoBoxes") else ()
    return Regions(
        facts,
        names,
        number,
        without,
        size,
        boxes=bool(possible),
        even=bool(boxes),
        unsupported=unsupported,
    )


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


def _different(sets: list[list[Cell]]) -> tuple[list[Function], list[str], int]:
    """The facts for sets of cells without repeated numbers, their rule, and the number of sets."""
    name, predicate = table.DIFFERENT
    facts = [
        Function(predicate, (*cell, label)) for label, cells in enumerate(sets, 1) for cell in cells
    ]
    return facts, [name] if sets else [], len(sets)


def _size(field: IssGrid, constraints: ConstraintArguments) -> int:
    """The number of cells in a box."""
    sizes = {"~".join(arguments) for arguments in constraints.get("RegionSize", [])} or {
        str(field.size)
    }
    size = sizes.pop()
    if sizes or not size.isdecimal() or not 1 <= int(size) <= len(field.numbers):
        raise PuzzleError(
            f"RegionSize: expected one size from 1 to {len(field.numbers)}, not {size[:30]!r}"
        )
    return int(size)


def _drawn(field: IssGrid, constraints: ConstraintArguments, size: int) -> list[list[Cell]]:
    """The pieces of a jigsaw. Cells outside all pieces share a character."""
    regions: dict[str, list[Cell]] = defaultdict(list)
    layouts = constraints.get("Jigsaw", [])
    for arguments in layouts:
        layout = "~".join(arguments)
        if len(layout) != field.size**2 or len(layouts) > 1:
            raise PuzzleError(
                f"Jigsaw: expected once, with {field.size**2} characters, one per cell; found"
                f" {len(layout)}"
            )
        for place, sign in enumerate(layout):
            regions[sign].append((place // field.size + 1, place % field.size + 1))
    pieces = [cells for cells in regions.values() if field.size <= len(cells) <= len(field.numbers)]
    if len(regions) > len(pieces) + 1 or any(len(cells) != size for cells in pieces):
        raise PuzzleError(
            f"Jigsaw: regions of this grid must have {size} cells; one other character can mark"
            " cells outside them"
        )
    return pieces


_ADDRESS = re.compile(
    r"(?:https?://)?sigh\.github\.io/Interactive-Sudoku-Solver/?\?(?P<query>[^#]*)(?:#.*)?"
)
_ITEMS = re.compile(r"(?:\.[A-Za-z]*(?:~[^.~]*)*)+")
_ALL, _OPENING, _END = "And", {"And", "Or", "Replicate"}, "End"


class Constraint(NamedTuple):
    """The name of a constraint, which is empty for givens, and its arguments."""

    word: str
    arguments: list[str]


def fits(text: str) -> bool:
    """Whether a text consists of constraints, or is a URL that contains them."""
    found, *_ = _joined(text)
    if not _ITEMS.fullmatch(found):
        return False
    words = {item.partition("~")[0] for item in found.split(".")[1:]} - {""}
    # A dot and an X alone can also be the cells of a grid.
    return "~" in found or (any(len(word) > 1 for word in words) and words <= table.WORDS)


def parse_constraints(text: str) -> list[Constraint]:
    """Parse the constraints; blocks of alternatives or repetitions are represented by their names.

    Raises PuzzleError.
    """
    found, *more = _joined(text)
    if more:
        raise PuzzleError("the URL has several parameters q")
    if not found.startswith("."):
        raise PuzzleError("expected constraints that start with a dot, e.g. .Cage~10~R1C1~R1C2")
    return list(_flatten(found))


def _joined(text: str) -> list[str]:
    """The text without blanks and comments; for a URL, the values of its parameter q."""
    found = "".join("".join(line.content.split()) for line in content_lines(text.lstrip("\ufeff")))
    match = _ADDRESS.fullmatch(found)
    parameters = [part.partition("=") for part in match["query"].split("&")] if match else []
    return ["".join(unquote(value).split()) for name, _, value in parameters if name == "q"] or [
        found
    ]


def _flatten(text: str) -> Iterator[Constraint]:
    within: list[str] = []
    for item in text.split(".")[1:]:
        word, *arguments = item.split("~")
        if word in (_ALL, _END) and arguments:
            raise PuzzleError(f"unexpected arguments of {word}: {'~'.join(arguments)[:30]!r}")
        if word == _END:
            if not within:
                raise PuzzleError("End without a matching beginning")
            within.pop()
            continue
        if word != _ALL and all(each == _ALL for each in within):
            yield Constraint(word, arguments)
        if word in _OPENING:
            within.append(word)
    if within:
        raise PuzzleError(f"{within[-1]} without a matching End")
