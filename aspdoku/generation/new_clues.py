"""Clues of one fact that could be added to a puzzle.

A new clue is like those of the puzzle: a fact that uses an input of which the puzzle has facts, at
a place where there is none yet. Two cells of a clue lie like those of another one, also if that is
turned or reflected. Clues of a row, a column or an edge and clues of a named cage or line may have
any value, others only values that occur. Clues of several facts, such as cages, are not among them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import product
from typing import NamedTuple

from aspdoku.engine.clues import names_of_files
from aspdoku.program import Input, Program, RuleFile, library
from aspdoku.puzzle import Function, Puzzle
from aspdoku.puzzle.puzzle import EDGES
from aspdoku.puzzle.term import Term

# The arguments that are the place of a clue: two cells, a cell, a place at an edge, the name of a
# cage or line, a row, or a column.
_PAIR, _CELL, _EDGE, _NAMED = ("R", "C", "R1", "C1"), ("R", "C"), ("E", "J"), ("I",)
_OUTSIDE = (_EDGE, _NAMED, ("R",), ("C",))
_PLACES = (_PAIR, _CELL, *_OUTSIDE)
# The arguments with which several facts are one clue.
_NOT_VALUES = "IGBK"

Place = frozenset[tuple[Term, ...]]


class NewClue(NamedTuple):
    """A clue of one fact.

    rule: the name of its rule
    kind: its input
    place: its cells in any order, or the arguments that name its place or its cage
    value: its other arguments
    """

    rule: str
    kind: Input
    place: Place
    value: tuple[Term, ...]
    fact: Function


def new_clues(program: Program) -> Iterator[NewClue]:
    """The clues that could be added, in the order of the rules and in reading order."""
    names = names_of_files(program)
    board = (library.base(), *library.defaults())
    inputs = {
        item.signature: (item, part.rule)
        for part in reversed(program.parts)
        for item in part.rule.inputs
        if part.rule not in board
    }
    for item, rule in reversed(inputs.values()):
        yield from _clues_like(program.puzzle, item, rule, names[rule])


def _clues_like(puzzle: Puzzle, item: Input, rule: RuleFile, name: str) -> Iterator[NewClue]:
    """The clues that use one input, which are like those of the puzzle, at other places."""
    facts = [fact for fact in puzzle.facts if fact.signature == item.signature]
    where = next((each for each in _PLACES if set(each) <= set(item.arguments)), None)
    if not facts or where is None or item.defaults(puzzle.size):
        return
    others = [each for each in item.arguments if each not in where]
    if any(each[0] in _NOT_VALUES for each in others) or (where in _OUTSIDE and len(others) != 1):
        return
    clues = [_clue(name, item, where, fact) for fact in facts]
    taken = {clue.place for clue in clues}
    if len(taken) < len(clues):
        return  # several facts at a place are one clue
    if where == _NAMED:  # a cage has one value, such as a sum or a product
        about = _facts_with_names(rule, puzzle)
        taken |= {
            _place((_arguments(each, fact)["I"],))
            for each, fact in about
            if each.arity == item.arity
        }
    values: Iterable[tuple[Term, ...]] = dict.fromkeys(clue.value for clue in clues)
    if where in _OUTSIDE:
        numbers = puzzle.numbers if others[0][0] == "N" else range(puzzle.size**2 + 1)
        values = [(number,) for number in numbers]
    for place in _places(where, facts, item, rule, puzzle):
        for value in values:
            arguments = dict(zip((*where, *others), (*place, *value), strict=True))
            fact = Function(item.name, tuple(arguments[each] for each in item.arguments))
            clue = _clue(name, item, where, fact)
            if clue.place not in taken:
                yield clue


def _clue(rule: str, item: Input, where: Sequence[str], fact: Function) -> NewClue:
    arguments = _arguments(item, fact)
    place = tuple(arguments[each] for each in where)
    value = tuple(term for each, term in arguments.items() if each not in where)
    return NewClue(rule, item, _place(place), value, fact)


def _place(arguments: tuple[Term, ...]) -> Place:
    """Cells in any order, or the arguments of another place."""
    return frozenset((arguments[:2], arguments[2:]))


def _arguments(item: Input, fact: Function) -> dict[str, Term]:
    return dict(zip(item.arguments, fact.arguments, strict=True))


def _facts_with_names(rule: RuleFile, puzzle: Puzzle) -> Iterator[tuple[Input, Function]]:
    """The facts about the cages and lines of a rule, with their inputs."""
    inputs = {item.signature: item for item in rule.inputs if "I" in item.arguments}
    for fact in puzzle.facts:
        if fact.signature in inputs:
            yield inputs[fact.signature], fact


def _places(
    where: Sequence[str], facts: Iterable[Function], item: Input, rule: RuleFile, puzzle: Puzzle
) -> Iterator[tuple[Term, ...]]:
    """The places that a clue can have, in reading order."""
    span = range(1, puzzle.size + 1)
    cells = list(product(span, repeat=2))
    if where == _PAIR:
        steps = _steps(facts, item)
        for row, column in cells:
            for down, right in steps:
                other = row + down, column + right
                if other[0] in span and other[1] in span:
                    yield row, column, *other
    elif where == _NAMED:
        names = (_arguments(each, fact)["I"] for each, fact in _facts_with_names(rule, puzzle))
        yield from ((name,) for name in dict.fromkeys(names))
    elif where == _EDGE:
        yield from product(map(Function, EDGES), span)
    else:
        yield from cells if where == _CELL else ((index,) for index in span)


def _steps(facts: Iterable[Function], item: Input) -> list[tuple[int, int]]:
    """From one cell of a clue to the other: as in the puzzle, also turned or reflected."""
    steps = set()
    for fact in facts:
        arguments = _arguments(item, fact)
        row, column, row1, column1 = (int(str(arguments[each])) for each in _PAIR)
        for down, right in product((row1 - row, row - row1), (column1 - column, column - column1)):
            steps |= {(down, right), (right, down)}
    return sorted(steps)
