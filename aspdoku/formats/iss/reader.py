"""Reader for the constraint strings of Interactive Sudoku Solver.

Unsupported constraints are reported, never ignored silently.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from itertools import count

from aspdoku.errors import PuzzleError
from aspdoku.formats import json_document
from aspdoku.formats.base import UnsupportedError
from aspdoku.formats.iss import syntax, table
from aspdoku.formats.iss.grid import IssGrid, parse_shape
from aspdoku.formats.iss.regions import regions_of
from aspdoku.puzzle.puzzle import Cell, Grid, Puzzle, format_range
from aspdoku.puzzle.term import Function

_GIVEN = re.compile(r"([^_]*)((?:_[0-9]{1,3})+)")


def read(text: str, name: str) -> list[Puzzle]:
    """The one puzzle in a text. Raises PuzzleError for invalid constraints."""
    try:
        return [_ConstraintReader(syntax.parse_constraints(text)).puzzle()]
    except PuzzleError as error:
        raise PuzzleError(str(error), name) from None


class _ConstraintReader:
    def __init__(self, constraints: list[syntax.Constraint]) -> None:
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
                raise UnsupportedError("nothing that it could be about")
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
            return f"what it says of the numbers {format_range(numbers)}"
        if (word in table.BY_REGION and not self._regions.even) or (
            word in table.BY_BOX and not self._regions.boxes
        ):
            return "what it says without boxes"
        if word in table.BY_REGION and self._arguments[table.FOUND_WORD]:
            return "what it says of regions to be found"
        if word in table.BY_SIZE and self._regions.cells != self._field.size:
            return f"what it says of regions of {self._regions.cells} cells"
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
