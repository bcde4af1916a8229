"""Clues that could be added to a puzzle: all that are like its own, and some that are drawn.

A clue like those of the puzzle is a fact that uses an input of which the puzzle has facts, at a
place where there is none yet. Two cells of a clue lie like those of another one, also if that is
turned or reflected. Clues of a row, a column or an edge and clues of a named cage or line may have
any value, others only values that occur.

Clues of several facts, such as cages and lines, are too many to try all of them. The `.gen` files
of the rules draw some of them for solutions of the puzzle.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from itertools import chain, count, islice, product
from random import Random
from typing import NamedTuple

from aspdoku.engine.clues import Clue, clues, names_of_files, words_of
from aspdoku.generation.clue_files import ClueFile, clue_files
from aspdoku.generation.clues import Drawing, NoCluesError, Scene, grouped, renamed
from aspdoku.program import Input, Program, RuleFile, library
from aspdoku.program.lint import defined_predicates
from aspdoku.program.syntax import predicates
from aspdoku.puzzle import Function, Puzzle, Solution
from aspdoku.puzzle.puzzle import EDGES
from aspdoku.puzzle.term import Signature, Term, to_asp
from aspdoku.runtime.deadline import Deadline
from aspdoku.runtime.progress import note

# How many clues of a rule are drawn, and for how many solutions, how often for each, at most.
_DRAWN, _SOLUTIONS, _DRAWINGS = 40, 5, 4
# Conflicts of the search for the clues of one drawing: for some rules it would take minutes.
_CONFLICTS = 20_000

# A place of clues, and the values of a clue there.
_Terms = tuple[Term, ...]


class NewClue(NamedTuple):
    """A clue that could be added, or several that a `.gen` file keeps together.

    name: the fact as a puzzle file states it; for several facts, such as "cage 1 from r1c1"
    look: what it has in common with one whose cells are in another order
    drawn: whether a `.gen` file has drawn it
    """

    rule: str
    name: str
    facts: tuple[Function, ...]
    look: object
    drawn: bool


def new_clues(program: Program) -> Iterator[NewClue]:
    """The clues of one fact that could be added, in the order of the rules and in reading order."""
    names = names_of_files(program)
    board = library.game()
    inputs = {
        item.signature: (item, part.rule)
        for part in reversed(program.parts)
        for item in part.rule.inputs
        if part.rule not in board
    }
    for item, rule in reversed(inputs.values()):
        for fact, look in _facts_like(program.puzzle, item, rule):
            yield NewClue(names[rule], str(fact), (fact,), (item, *look), drawn=False)


def _facts_like(
    puzzle: Puzzle, item: Input, rule: RuleFile
) -> Iterator[tuple[Function, tuple[object, _Terms]]]:
    """The facts that use one input, which are like those of the puzzle, at other places; each with
    its place, whose cells have no order, and its values.
    """
    facts = [fact for fact in puzzle.facts if fact.signature == item.signature]
    where = _where(item)
    if not facts or not where or item.default_terms:
        return
    others = [place for place in range(item.arity) if place not in where]
    outside = not item.cells
    of_several = item.of_kind("group", "name", "position")
    if not {*others}.isdisjoint(of_several) or (outside and len(others) != 1):
        return  # several facts are one clue, or a clue has several values
    taken = {_place(tuple(fact.arguments[index] for index in where)) for fact in facts}
    if len(taken) < len(facts):
        return  # several facts at a place are one clue
    if where == item.identity:  # a cage has one value, such as a sum or a product
        about = _facts_with_names(rule, puzzle)
        taken |= {_place((label,)) for each, label in about if each.arity == item.arity}
    values: Iterable[_Terms] = dict.fromkeys(
        tuple(fact.arguments[index] for index in others) for fact in facts
    )
    if outside:
        of_grid = others[0] in item.positions("N")
        numbers = puzzle.numbers if of_grid else range(puzzle.size**2 + 1)
        values = [(number,) for number in numbers]
    for place, value in product(_places(where, facts, item, rule, puzzle), values):
        if (look := _place(place)) not in taken:
            arguments = dict(zip((*where, *others), (*place, *value), strict=True))
            terms = tuple(arguments[index] for index in range(item.arity))
            yield Function(item.name, terms), (look, value)


def _where(item: Input) -> tuple[int, ...]:
    """Indices of the place of a clue: cells, an edge and a line, a name, or a line; or empty."""
    edge, line = item.of_kind("edge"), item.of_kind("line")
    return tuple(chain(*item.cells)) or (*edge, *(edge and line)) or item.identity or line


def _place(arguments: _Terms) -> object:
    """Cells in any order, or the arguments of another place."""
    return frozenset((arguments[:2], arguments[2:]))


def _facts_with_names(rule: RuleFile, puzzle: Puzzle) -> Iterator[tuple[Input, Term]]:
    """The inputs of the facts about the cages and lines of a rule, each with the name."""
    inputs = {item.signature: item for item in rule.inputs if item.identity}
    for fact in puzzle.facts:
        if fact.signature in inputs:
            item = inputs[fact.signature]
            yield item, fact.arguments[item.identity[0]]


def _places(
    where: Sequence[int], facts: Iterable[Function], item: Input, rule: RuleFile, puzzle: Puzzle
) -> Iterator[_Terms]:
    span = range(1, puzzle.size + 1)
    cells = list(product(span, repeat=2))
    if len(item.cells) == 2:
        steps = _steps(facts, item)
        for row, column in cells:
            for down, right in steps:
                other = row + down, column + right
                if other[0] in span and other[1] in span:
                    yield row, column, *other
    elif item.cells:
        yield from cells
    elif where == item.identity:
        names = (name for _, name in _facts_with_names(rule, puzzle))
        yield from ((name,) for name in dict.fromkeys(names))
    elif len(where) == 2:
        yield from product(map(Function, EDGES), span)
    else:
        yield from ((index,) for index in span)


def _steps(facts: Iterable[Function], item: Input) -> list[tuple[int, int]]:
    steps = set()
    for (row, column), (row1, column1) in map(item.cells_of, facts):
        for down, right in product((row1 - row, row - row1), (column1 - column, column - column1)):
            steps |= {(down, right), (right, down)}
    return sorted(steps)


def drawn_clues(
    program: Program,
    solutions: Sequence[Solution],
    known: Iterable[NewClue],
    seed: int,
    deadline: Deadline,
) -> dict[str, list[NewClue]]:
    """Some clues that the `.gen` files draw, by the names of the rules; those of a cage or line
    have no cell in common with a clue of the same rule. Each clue is right in one of the solutions,
    by its own rule, and uses no input of the `known` clues. Raises RuleError, TimeLimitError.
    """
    files = clue_files(program)
    if not files:
        return {}
    names = names_of_files(program)
    random = Random(seed)
    chosen = random.sample(solutions, min(len(solutions), _SOLUTIONS))
    scene = Scene(program, deadline)
    scenes = [(solution, scene.solved(solution)) for solution in chosen]
    complete = {clue.facts[0].signature for clue in known}
    clues_by_rule: dict[str, list[NewClue]] = {}
    for file in files:
        note(f"drawing clues of {names[file.rule]}")
        source = _Source(program, file, names[file.rule], complete)
        if drawn := source.drawn(scenes, random, deadline):
            clues_by_rule[source.name] = drawn
    return clues_by_rule


class _Source:
    """Draws new clues of one rule, not those of one fact if all such are known."""

    def __init__(
        self, program: Program, file: ClueFile, name: str, complete: Collection[Signature]
    ) -> None:
        self.name = name
        self._program = program
        self._file = file
        self._complete = complete
        puzzle = program.puzzle
        inputs = file.drawn_inputs(puzzle.facts)
        self._own = {fact for fact in puzzle.facts if fact.signature in inputs}
        self._taken = [set(clue.cells) for clue in clues(program) if clue.rule == name]
        self._inputs = {item.signature: item for item in file.rule.inputs}
        self._used = {str(name) for fact in self._own for name in self._names_in(fact).values()}

    def drawn(
        self, scenes: Iterable[tuple[Solution, list[str]]], random: Random, deadline: Deadline
    ) -> list[NewClue]:
        """Clues that are right in one of these solutions, each with the facts of its scene."""
        groups_by_facts: dict[object, tuple[Clue, ...]] = {}
        for solution, facts in scenes:
            for groups in self._drawings(solution, facts, random, deadline):
                for group in random.sample(groups, len(groups)):
                    groups_by_facts.setdefault(self._without_names(group), group)
                if len(groups_by_facts) >= _DRAWN:
                    break
        free = (number for number in count(1) if str(number) not in self._used)
        return [self._named(group, free) for group in islice(groups_by_facts.values(), _DRAWN)]

    def _drawings(
        self, solution: Solution, scene: list[str], random: Random, deadline: Deadline
    ) -> Iterator[list[tuple[Clue, ...]]]:
        own = set(map(to_asp, self._own))
        facts = [fact for fact in scene if fact not in own]
        drawing = Drawing(
            self._limited, self._program, facts, random, deadline, most_conflicts=_CONFLICTS
        )
        before: dict[Function, str] = {}
        for _ in range(_DRAWINGS):
            try:
                drawn = drawing.clues()
            except NoCluesError:  # there are none for this solution
                return
            new = {fact: drawn[fact] for group in self._grouped(drawn) for fact in _facts(group)}
            if not new or new == before:
                return
            before = new
            right = drawing.accepted(new, solution)
            yield self._grouped({fact: new[fact] for fact in right})

    @cached_property
    def _limited(self) -> ClueFile:
        """The `.gen` file; with its rule if it does not know the solution, in which most of what it
        draws would be wrong.
        """
        file, rule = self._file, self._file.rule
        if file.follows_solution:
            return file
        first, *others = file.programs
        names = {name for name, _ in predicates(rule) - defined_predicates(rule)}
        first = first._replace(files=(*first.files, rule), read=first.read | names)
        return file._replace(programs=(first, *others))

    def _grouped(self, drawn: Mapping[Function, str]) -> list[tuple[Clue, ...]]:
        every = clues(self._program.changed(facts=tuple(drawn)))
        own = (clue for clue in every if clue.rule == self.name)
        return [group for group in grouped(own, drawn) if self._is_new(group)]

    def _is_new(self, group: tuple[Clue, ...]) -> bool:
        """Whether clues differ from those of the puzzle, and from those that are known."""
        facts = _facts(group)
        cells = {cell for clue in group for cell in clue.cells}
        if len(facts) > 1:
            return all(cells.isdisjoint(taken) for taken in self._taken)
        return (
            facts[0].signature not in self._complete
            and facts[0] not in self._own
            and not (cells and cells in self._taken)
        )

    def _names_in(self, fact: Function) -> dict[int, Term]:
        """The names of cages and lines in a fact, by the positions of the arguments."""
        item = self._inputs.get(fact.signature)
        return {place: fact.arguments[place] for place in item.names} if item else {}

    def _without_names(self, group: tuple[Clue, ...]) -> frozenset[Function]:
        named = ((fact, self._names_in(fact)) for fact in _facts(group))
        return frozenset(renamed(fact, its, dict.fromkeys(its.values(), 0)) for fact, its in named)

    def _named(self, group: tuple[Clue, ...], free: Iterator[int]) -> NewClue:
        """The clues with names that no other clue of the rule has."""
        old = (name for fact in _facts(group) for name in self._names_in(fact).values())
        new: dict[Term, Term] = {name: next(free) for name in dict.fromkeys(old)}
        facts = tuple(renamed(fact, self._names_in(fact), new) for fact in _facts(group))
        name = str(facts[0])
        if len(facts) > 1:
            own = [(fact, self._inputs[fact.signature]) for fact in facts[: len(group[0].facts)]]
            fact, item = own[0]
            label = " ".join(str(fact.arguments[place]) for place in item.identity)
            more = f" and {len(group) - 1} more" if len(group) > 1 else ""
            name = words_of(label, own) + more
        return NewClue(self.name, name, facts, facts, drawn=True)


def _facts(group: Iterable[Clue]) -> tuple[Function, ...]:
    return tuple(fact for clue in group for fact in clue.facts)
