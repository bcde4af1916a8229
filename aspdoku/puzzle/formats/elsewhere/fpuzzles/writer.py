"""From a puzzle to f-puzzles' JSON. What that cannot carry is refused, never dropped."""

from __future__ import annotations

from collections import defaultdict

from aspdoku.puzzle.formats.elsewhere.documents import Object
from aspdoku.puzzle.formats.elsewhere.fpuzzles import table
from aspdoku.puzzle.formats.elsewhere.fpuzzles.shapes import Board, NotUnderstoodError, Signature
from aspdoku.puzzle.formats.elsewhere.outside import cannot_carry
from aspdoku.puzzle.puzzle import REGION, Puzzle, box_shape, said
from aspdoku.puzzle.term import Function, Term, order


def write(puzzle: Puzzle, format_: str = "fpuzzles") -> Object:
    """The document. Raises PuzzleError, naming all that it cannot carry; the format is called so there."""
    return _Writing(puzzle, format_).document()


class _Writing:
    def __init__(self, puzzle: Puzzle, format_: str) -> None:
        self._puzzle = puzzle
        self._format = format_
        self._stated: dict[Signature, list[tuple[Term, ...]]] = defaultdict(list)
        for fact in puzzle.facts:
            self._stated[fact.signature].append(fact.arguments)
        self._carried: set[Function] = set()
        self._names = set(puzzle.elaborations)

    def document(self) -> Object:
        puzzle = self._puzzle
        rules = self._kinds() | self._flags() | self._negatives()
        grid = self._grid()
        self._refuse_the_rest()
        return {"size": puzzle.size, "title": puzzle.title, "grid": grid} | rules

    def _kinds(self) -> Object:
        found: Object = {}
        for kind in table.KINDS:
            on = self._names.intersection(kind.elaborations)
            stated = {signature: self._stated[signature] for signature in kind.shape.signatures}
            if not on or not any(stated.values()):
                continue
            try:
                found[kind.key] = list(kind.shape.write(stated, Board(self._puzzle.size)))
            except NotUnderstoodError as what:
                raise cannot_carry(self._format, [str(what)]) from None
            except (KeyError, TypeError, ValueError):  # something else than a cell, an edge or a number where one should be
                names = sorted({name for name, _ in kind.shape.signatures})
                raise cannot_carry(self._format, [f"all that is said of {' and '.join(names)}"]) from None
            self._carry(*kind.shape.signatures)
            self._names -= on
        return found

    def _flags(self) -> Object:
        found: Object = {key: True for key, name in table.FLAGS.items() if name in self._names}
        self._names -= set(table.FLAGS.values())
        if table.DIAGONAL in self._names:
            off = {key: Function("ab", (Function(table.DIAGONAL), Function(value))) for key, value in table.DIAGONALS.items()}
            found |= {key: True for key, fact in off.items() if fact not in self._puzzle.facts}
            self._carried.update(off.values())
            self._names.discard(table.DIAGONAL)
        return found

    def _negatives(self) -> Object:
        """`negative` speaks of the values that its marks have; others it cannot say."""
        found = []
        for key, (name, predicate, marks) in table.NEGATIVES.items():
            if name not in self._names:
                continue
            values = {arguments[0] for arguments in self._stated[predicate, 1]}
            marked = {fact.arguments[-1] for fact in self._puzzle.facts if fact.name == marks}
            if not predicate or values == marked:
                found.append(key)
                self._names.discard(name)
                self._carry((predicate, 1))
        return {"negative": found} if found else {}

    def _grid(self) -> list[list[Object]]:
        puzzle = self._puzzle
        name, predicate = table.PENCILMARKS
        span = range(1, puzzle.size + 1)
        cells: dict[tuple[Term, Term], Object] = {(row, column): {} for row in span for column in span}
        for cell, number in puzzle.givens().items():
            cells[cell] |= {"value": number, "given": True}
        for place, region in self._regions().items():
            cells[place]["region"] = region
        if name in self._names:
            marks = defaultdict(list)
            for row, column, mark in self._stated[predicate, 3]:
                marks[row, column].append(mark)
            for place, numbers in marks.items():
                if place in cells and all(isinstance(mark, int) for mark in numbers):
                    cells[place]["givenPencilMarks"] = numbers
                    self._carried.update(Function(predicate, (*place, number)) for number in numbers)
            self._names.discard(name)
        return [[cells[row, column] for column in span] for row in span]

    def _regions(self) -> dict[tuple[Term, Term], int | None]:
        """What each cell says of its region; nothing where these are the boxes that go without saying."""
        puzzle = self._puzzle
        span = range(1, puzzle.size + 1)
        places: list[tuple[Term, Term]] = [(row, column) for row in span for column in span]
        if "box" in puzzle.without:
            return dict.fromkeys(places)
        if puzzle.box is not None:
            height, width = puzzle.box
            if puzzle.box == box_shape(puzzle.size):
                return {}
            return {(row, column): (row - 1) // height * height + (column - 1) // width for row in span for column in span}
        regions = {(row, column): label for row, column, label in self._stated[REGION] if (row, column) in places}
        if len(regions) == len(self._stated[REGION]):
            self._carry(REGION)
        numbers = {label: place for place, label in enumerate(sorted(set(regions.values()), key=order))}
        return {place: numbers[regions[place]] if place in regions else None for place in places}

    def _carry(self, *signatures: Signature) -> None:
        self._carried.update(Function(name, arguments) for name, arity in signatures for arguments in self._stated[name, arity])

    def _refuse_the_rest(self) -> None:
        """Raise PuzzleError where something was not written."""
        puzzle = self._puzzle
        left = sorted({fact.signature for fact in puzzle.facts if fact not in self._carried})
        lost = [f"facts {predicate}/{arity}" for predicate, arity in left]
        lost += [] if puzzle.plain else [f"the numbers {said(puzzle.numbers)}"]
        lost += [f"the rule {name}" for name in puzzle.elaborations if name in self._names]
        lost += [f"`without: {name}`" for name in puzzle.without if name != "box"]
        lost += [f"what was not understood ({text})" for text in puzzle.unread]
        if lost:
            raise cannot_carry(self._format, lost)
