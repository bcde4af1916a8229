"""What follows from the assumption that a puzzle has exactly one solution.

If numbers in the solution could be exchanged so that no rule is violated, there would be another
solution. Two such exchanges have names: the two numbers of a rectangle of four cells, and the two
candidates of every open cell (BUG). Neither is known for certain rules: whether an exchange
violates a constraint is checked on each ground constraint with one of the literals that change.
What the check cannot tell is not exchanged, such as what sums of open cells add up to.

`asp/unique.lp` has the rules that follow, with their messages; facts state what can be exchanged.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Set
from functools import cached_property, reduce
from graphlib import CycleError, TopologicalSorter
from itertools import combinations
from operator import or_

from clingo import Function as Symbol
from clingo import Number

from aspdoku.engine.solver import Solver
from aspdoku.errors import AspdokuError, TimeLimitError
from aspdoku.explanation.constraints import (
    NO_RULES,
    AtMostOne,
    Candidate,
    Clause,
    Constraint,
    GroundConstraints,
    Literal,
    RuleInstance,
    Sum,
    atoms_of,
)
from aspdoku.explanation.steps import Claim
from aspdoku.program import Program, library
from aspdoku.program.transform import add_guards
from aspdoku.puzzle import Function
from aspdoku.puzzle.puzzle import Cell
from aspdoku.runtime.deadline import Deadline

RULES = "unique.lp"
_RECTANGLE = "unique_rectangle"


class Uniqueness:
    """What can be exchanged in a puzzle whose solution is unique.

    program: the program with the rules about rectangles, which explanations cite
    """

    def __init__(self, program: Program, time_limit: float | None = None) -> None:
        """Raises AspdokuError if the puzzle has several solutions, TimeLimitError."""
        self._deadline = Deadline(time_limit)
        search = Solver(program, time_limit).search(2)
        if len(list(search)) > 1:
            raise AspdokuError(
                "the puzzle has several solutions, so nothing follows from the assumption that its"
                " solution is unique"
            )
        if search.ended == "time":
            raise TimeLimitError("time limit reached before the solution was found to be unique")
        self._ground = GroundConstraints(program.without_givens(), self._deadline.time_limit())
        self._atoms = frozenset(self._ground.candidates.values())
        self._of_cell: dict[Cell, list[Literal]] = defaultdict(list)
        for (row, column, _), atom in self._ground.candidates.items():
            self._of_cell[row, column].append(atom)
        self._of_atom: dict[Literal, list[Constraint]] = defaultdict(list)
        for each in self._ground.constraints:
            for atom in atoms_of(each):
                self._of_atom[atom].append(each)
        # Sets of atoms as numbers with a bit for each: there are up to a million rectangles. The
        # candidates are first, because most sets have no other atoms.
        atoms = dict.fromkeys((*self._atoms, *self._of_atom))
        self._bit = {atom: 1 << index for index, atom in enumerate(atoms)}
        self._inside = {
            cell: sum(self._bit[atom] for atom in atoms) for cell, atoms in self._of_cell.items()
        }
        self._excluded = {atom: self._excluded_by(atom) for atom in self._atoms}
        rules = library.bundled(RULES)
        self._guard = add_guards([rules]).guards[-1]
        facts = (Function(_RECTANGLE, each) for each in self._rectangles(program))
        self.program = program.changed(
            [*program.rules, rules], facts=(*program.puzzle.facts, *facts)
        )

    def _rectangles(self, program: Program) -> Iterator[tuple[int, ...]]:
        """The rows, columns and numbers of the rectangles whose numbers can be exchanged."""
        if not self._ground.is_determined_by_grid:
            return
        givens = program.puzzle.givens()
        stated = [(*cell, number) for cell, number in givens.items()]
        gone = self._excluded_with(self._ground.candidates[each] for each in stated)
        open_: dict[Cell, set[int]] = defaultdict(set)
        for (row, column, number), atom in self._ground.candidates.items():
            if (row, column) not in givens and not gone & self._bit[atom]:
                open_[row, column].add(number)
        rows = {row for row, _ in open_}
        for first, last in combinations(sorted(rows), 2):
            columns = sorted(c for r, c in open_ if r == first and (last, c) in open_)
            for left, right in combinations(columns, 2):
                self._deadline.require_time("looking for exchangeable numbers")
                corners = (first, left), (first, right), (last, left), (last, right)
                common = set.intersection(*(open_[corner] for corner in corners))
                for numbers in combinations(sorted(common), 2):
                    if self._can_exchange(corners, numbers):
                        yield first, left, last, right, *numbers

    def _can_exchange(self, corners: Iterable[Cell], numbers: Collection[int]) -> bool:
        """Whether a solution in which these cells hold no other number belongs to another one."""
        first, right, left, last = corners
        atom = self._ground.candidates
        for number in numbers:
            for one, other in ((first, right), (first, left), (last, right), (last, left)):
                if not self._bit[atom[*other, number]] & self._excluded[atom[*one, number]]:
                    return False
        low, high = numbers
        before = {atom[*first, low], atom[*last, low], atom[*right, high], atom[*left, high]}
        after = {atom[*first, high], atom[*last, high], atom[*right, low], atom[*left, low]}
        # Each of the next two fails for most rectangles and is quick. The numbers exclude the same
        # elsewhere, such as in their boxes.
        changed = self._excluded_with(before) ^ self._excluded_with(after)
        if changed & ~sum(self._inside[each] for each in corners):
            return False
        decided = {literal for cell in corners for literal in self._of_cell[cell]}
        about = self._about(before | after)
        held, held_after = (each | {-other for other in decided - each} for each in (before, after))
        for each in about:
            if isinstance(each, Sum) and _share(each, held) != _share(each, held_after):
                return False
        about = [each for each in about if not isinstance(each, Sum)]
        return self._follows(about, held, held_after, decided) and self._follows(
            about, held_after, held, decided
        )

    def _about(self, atoms: Iterable[Literal]) -> list[Constraint]:
        """The constraints with one of these atoms."""
        return [*{id(each): each for atom in atoms for each in self._of_atom[atom]}.values()]

    def _excluded_with(self, atoms: Iterable[Literal]) -> int:
        """The atoms that a constraint forbids together with one of these."""
        return reduce(or_, (self._excluded[atom] for atom in atoms), 0)

    def _excluded_by(self, atom: Literal) -> int:
        """The atoms that a constraint forbids together with this one."""
        excluded: set[Literal] = set()
        for each in self._of_atom[atom]:
            if (isinstance(each, AtMostOne) and min(each.literals) > 0) or (
                isinstance(each, Clause) and len(each.literals) == 2 and max(each.literals) < 0
            ):
                excluded.update(map(abs, each.literals))
        return sum(self._bit[each] for each in excluded - {atom})

    def _follows(
        self,
        changed: Iterable[Constraint],
        held: Set[Literal],
        held_after: Set[Literal],
        decided: Set[Literal],
    ) -> bool:
        """Whether other atoms that satisfy these constraints with the literals of decided atoms
        that held before satisfy them with those that hold after as well.
        """
        failed, failed_after = ({-each for each in literals} for literals in (held, held_after))
        false: set[Literal] = set()  # which the constraints entail before
        clauses: dict[Literal, list[set[Literal]]] = defaultdict(list)  # what is left of them
        for each in changed:
            if not (self._is_tight or self._atoms.issuperset(atoms_of(each))):
                return False
            if isinstance(each, AtMostOne) and min(each.literals) < 0:
                return False
            if isinstance(each, AtMostOne) and not held.isdisjoint(each.literals):
                false.update(each.literals)
            elif isinstance(each, Clause) and held.isdisjoint(each.literals):
                if not (left := {*each.literals} - failed):
                    return False  # the rules exclude it anyway
                clauses[min(left)].append(left)
                if len(left) == 1:
                    false.add(-min(left))
        false -= decided
        for each in changed:
            if isinstance(each, AtMostOne):
                count = len(held_after & {*each.literals})
                if count > 1 or (count and not false.issuperset({*each.literals} - decided)):
                    return False
            elif held_after.isdisjoint(each.literals):
                left = {*each.literals} - failed_after
                if not (
                    any(-literal in false for literal in left)
                    or any(
                        clause <= left for literal in left for clause in clauses.get(literal, ())
                    )
                ):
                    return False
        return True

    @cached_property
    def _is_tight(self) -> bool:
        """Whether no atom depends on itself, so that the constraints determine all other atoms."""
        needs: dict[Literal, set[Literal]] = defaultdict(set)
        for _, head, body in self._ground.rules:
            for atom in head:
                needs[atom].update(literal for literal in body.literals if literal > 0)
        try:
            TopologicalSorter(needs).prepare()
        except CycleError:
            return False
        return True

    def grave(
        self, known: Iterable[Candidate], gone: Set[Candidate]
    ) -> tuple[Claim, RuleInstance] | None:
        """The rule that a number has to hold, since otherwise each open cell would have two
        candidates, and all could be exchanged at once.

        known, gone: the numbers that cells hold, and those that they do not
        """
        atoms = self._ground.candidates
        known = set(known)
        filled = {place[:2] for place in known}
        open_: dict[Cell, list[Candidate]] = defaultdict(list)
        for place in atoms:
            if place[:2] not in filled and place not in gone:
                open_[place[:2]].append(place)
        (longest, *others) = sorted(open_.values(), key=len, reverse=True) or [[]]
        if len(longest) != 3 or any(len(each) != 2 for each in others):
            return None
        if not self._ground.is_determined_by_grid:
            return None
        true = {atoms[place] for place in known}
        for extra in longest:
            pairs = [*others, [place for place in longest if place != extra]]
            # The second candidate of a cell holds if and only if the first does not.
            literals = {atoms[one]: atoms[one] for one, _ in pairs}
            literals |= {atoms[other]: -atoms[one] for one, other in pairs}
            if self._can_flip(literals, true):
                arguments = [Number(each) for each in extra]
                values = Symbol("", [Number(0), Symbol("", arguments)]).arguments
                symbol = Symbol("guard", values)
                rule = RuleInstance(self._guard, symbol, Literal(0), NO_RULES)
                return Claim(*extra, True), rule
        return None

    def _can_flip(self, literals: dict[Literal, Literal], true: Set[Literal]) -> bool:
        """Whether with each solution, that with the opposite of these literals is one as well."""
        clauses: set[frozenset[Literal]] = set()

        def left(literal: Literal) -> Literal | None:
            """What is left of a literal that is not decided; None of one that is false."""
            opposite = literals.get(abs(literal))
            return opposite if opposite is None or literal > 0 else -opposite

        for each in self._about(literals):
            if isinstance(each, Sum) or not self._atoms.issuperset(atoms_of(each)):
                return False
            open_ = [found for literal in each.literals if (found := left(literal)) is not None]
            decided = [literal for literal in each.literals if abs(literal) not in literals]
            if isinstance(each, AtMostOne):
                if any((abs(literal) in true) == (literal > 0) for literal in decided):
                    return False
                clauses |= {frozenset((-one, -other)) for one, other in combinations(open_, 2)}
            elif not any((abs(literal) in true) == (literal > 0) for literal in decided):
                clauses.add(frozenset(open_))
        clauses = {each for each in clauses if not any(-literal in each for literal in each)}
        return all(frozenset(-literal for literal in each) in clauses for each in clauses)


def _share(each: Sum, held: Set[Literal]) -> tuple[int, bool]:
    """What the literals that hold contribute to a sum, and whether none of its conditions fails."""
    weights = zip(each.literals, each.weights, strict=True)
    total = sum(weight for literal, weight in weights if literal in held)
    return total, all(-literal not in held for literal in each.conditions)
