"""The rule of 45: what clues leave of the total of whole houses.

A house holds each number once, so its total is known. The sums of clues that lie in some houses
are taken off, and a few cells are left, the *innies*; or the houses are taken off the sums of
clues, and cells outside are left, the *outies*. No rule is known by name: a house is a set of cells
of which the ground rules need one for each number, a sum is a ground rule about numbers of cells.

`asp/rule-of-45.lp` has the rule with its message, which explanations cite.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Set
from functools import cached_property
from itertools import chain, combinations, product
from operator import mul
from typing import NamedTuple

from clingo import Function as Symbol
from clingo import Number, String

from aspdoku.explanation.constraints import (
    NO_RULES,
    ConstraintModel,
    Literal,
    RuleInstance,
    RuleMask,
    union_of,
)
from aspdoku.explanation.techniques import INNIES, INNIES_AND_OUTIES, OUTIES, kind_of
from aspdoku.program import library
from aspdoku.program.transform import Guard, add_guards
from aspdoku.puzzle.puzzle import Cell
from aspdoku.puzzlefile.lines import enumerated, plural

# The most cells that may be left, filled ones included, and regions next to each other.
_MOST_CELLS, _MOST_REGIONS = 6, 2


class _Total(NamedTuple):
    """Cells whose numbers add up to a total, by these rules.

    names: those of the rules by which it is called
    kind: "row", "column" or "region" of a house; empty for a clue
    """

    cells: frozenset[Cell]
    total: int
    rules: RuleMask
    names: RuleMask
    kind: str = ""


class Rest(NamedTuple):
    """Cells whose numbers, added or subtracted, are a known total.

    signs: 1 for a cell whose number is added, -1 for one whose number is subtracted
    """

    houses: Sequence[_Total]
    clues: Sequence[_Total]
    signs: Mapping[Cell, int]
    total: int
    technique: str


class Conclusion(NamedTuple):
    """What a rest entails.

    instance: the instance of the rule in `asp/rule-of-45.lp`, with the bits of the rules from which
        the rest follows
    differences: the rules by which two of its cells differ, as far as they are needed
    premises: the known literals that are needed
    """

    rest: Rest
    instance: RuleInstance
    claims: Sequence[Literal]
    differences: RuleMask
    premises: Sequence[Literal]


class Rests:
    """What clues leave of houses, and what follows from it.

    noun_and_name: of the clue or the house that a rule instance is about
    all: the rests, those of few cells first
    cells: the cells that are left, by the rule instance, of each conclusion
    """

    def __init__(
        self,
        model: ConstraintModel,
        noun_and_name: Callable[[RuleInstance], tuple[str, str]],
    ) -> None:
        self._model = model
        self._noun_and_name = noun_and_name
        self._numbers = frozenset(model.program.puzzle.numbers)
        self._of_cell: dict[Cell, dict[int, Literal]] = defaultdict(dict)
        for (row, column, number), literal in model.candidates.items():
            self._of_cell[row, column][number] = literal
        self.all: list[Rest] = []
        self.cells: dict[RuleInstance, tuple[Cell, ...]] = {}
        self._failed: dict[int, list[tuple[int, ...]]] = {}
        sums = self._sums()
        if not sums:
            return
        found: dict[frozenset[tuple[Cell, int]], Rest] = {}
        for houses in self._unions():
            for rest in self._left_by(houses, sums):
                found.setdefault(frozenset(rest.signs.items()), rest)
        self.all = sorted(found.values(), key=lambda each: len(each.signs))
        left = {
            literal
            for each in self.all
            for cell in each.signs
            for literal in self._of_cell[cell].values()
        }
        # For each literal the sets of which at most one holds.
        self._groups: dict[Literal, list[tuple[frozenset[Literal], RuleMask]]] = defaultdict(list)
        pairs = (each for each in model.clauses if len(each.literals) == 2)
        for literals, rule in chain(
            model.at_most_ones,
            ((tuple(-each for each in clause.literals), clause.bit) for clause in pairs),
        ):
            group = frozenset(literals)
            for each in left & group if rule else ():
                self._groups[each].append((group, rule))

    # --- which houses and clues leave a few cells

    def _sums(self) -> list[_Total]:
        """The clues that say what the numbers of some cells add up to."""
        found: list[_Total] = []
        candidate = self._model.candidate_of
        for each in self._model.sums:
            if each.conditions or not self._model.adds_numbers(each):
                continue
            cells = frozenset(candidate[literal][:2] for literal in each.literals)
            least, most = (len(cells) * limit(self._numbers) for limit in (min, max))
            least = least if each.least is None else each.least
            most = most if each.most is None else each.most
            # Each candidate of a cell counts, but 0 has no weight.
            complete = sum(len(self._of_cell[cell].keys() - {0}) for cell in cells)
            if each.bit and least == most and len(each.literals) == complete:
                found.append(_Total(cells, least, each.bit, each.bit))
        return found

    def _houses(self) -> list[_Total]:
        """The sets of as many cells as there are numbers, of which each has to be in one."""
        needs: dict[frozenset[Cell], dict[int, RuleMask]] = defaultdict(dict)
        candidate = self._model.candidate_of
        # The box, not a clue that needs the same: the rules of the first files.
        files = [part.rule.place for part in self._model.program.parts]
        rank = {each.bit: files.index(each.guard.place) for each in self._model.instances}
        for each in sorted(self._model.clauses, key=lambda clause: rank.get(clause.bit, -1)):
            places = [candidate.get(literal) for literal in each.literals]
            numbers = {place and place[2] for place in places}
            if len(numbers) == 1 and (number := numbers.pop()) is not None:
                cells = frozenset(place[:2] for place in places if place)
                needs[cells].setdefault(number, each.bit)
        houses = []
        for cells, own in needs.items():
            if len(cells) == len(self._numbers):
                inside = [rules for others, rules in needs.items() if others < cells]
                rules = {number: bit for each in inside for number, bit in each.items()} | own
                if rules.keys() == self._numbers:
                    names, every = union_of(own.values()), union_of(rules.values())
                    total = sum(self._numbers)
                    houses.append(_Total(cells, total, every, names, kind_of(cells)))
        return houses

    def _unions(self) -> Iterator[tuple[_Total, ...]]:
        """Houses next to each other that have no cell in common, single ones first."""
        by_kind: dict[str, list[_Total]] = defaultdict(list)
        for house in self._houses():
            by_kind[house.kind].append(house)
        # Boards have lines next to each other and lines one after the other.
        rows = sorted(by_kind["row"], key=lambda each: min(each.cells)[::-1])
        columns = sorted(by_kind["column"], key=lambda each: min(each.cells))
        for count in range(1, max(_MOST_REGIONS + 1, len(rows), len(columns))):
            parts = [
                line[start : start + count]
                for line in (rows, columns)
                for start in range(len(line) - count + 1)
                if count < len(line)
            ]
            if count <= _MOST_REGIONS:
                parts += map(list, combinations(by_kind["region"], count))
            for part in parts:
                if all(map(_are_next, part, part[1:])):
                    yield tuple(part)

    def _left_by(self, houses: Sequence[_Total], sums: Iterable[_Total]) -> Iterator[Rest]:
        """The cells that are left of some houses without the clues inside, with all other clues
        that have cells inside, or with those of which most cells are inside.
        """
        area = frozenset[Cell]().union(*(house.cells for house in houses))
        covered: set[Cell] = set()
        inside: list[_Total] = []
        across: list[_Total] = []
        for each in sums:
            if each.cells & area and covered.isdisjoint(each.cells):
                covered |= each.cells
                (inside if each.cells <= area else across).append(each)
        mostly = [each for each in across if 2 * len(each.cells & area) > len(each.cells)]
        for clues in ([*inside], [*inside, *mostly], [*inside, *across]):
            used = frozenset[Cell]().union(*(each.cells for each in clues))
            if not clues or not 0 < len(area ^ used) <= _MOST_CELLS:
                continue
            inner, outer = area - used, used - area
            left = sum(each.total for each in houses) - sum(each.total for each in clues)
            sign = -1 if left < 0 or not inner else 1  # so that no sum is negative
            signs = dict.fromkeys(sorted(inner), sign) | dict.fromkeys(sorted(outer), -sign)
            technique = INNIES if not outer else OUTIES if not inner else INNIES_AND_OUTIES
            yield Rest(houses, clues, signs, sign * left, technique)

    @cached_property
    def _guard(self) -> Guard:
        (guard,) = add_guards([library.bundled("rule-of-45.lp")]).guards
        return guard

    def _instance(self, rest: Rest) -> RuleInstance:
        houses, clues, signs = rest.houses, rest.clues, rest.signs
        added, taken = ([f"r{r}c{c}" for (r, c), x in signs.items() if x == s] for s in (1, -1))
        cells = " - ".join([" + ".join(added), *taken])
        words = {"H": self._words(houses), "W": self._words(clues), "E": cells}
        totals = (sum(each.total for each in part) for part in (houses, clues))
        numbers = dict(zip("TSD", (*totals, rest.total), strict=True))
        arguments = [
            String(words[name]) if name in words else Number(numbers[name])
            for name in self._guard.variables
        ]
        symbol = Symbol("guard", [Number(0), Symbol("", arguments)])
        rules = union_of(each.rules for each in (*houses, *clues))
        return RuleInstance(self._guard, symbol, Literal(0), rules)

    def _words(self, totals: Iterable[_Total]) -> str:
        """The names of houses or clues, as in "rows 1 and 2"."""
        names: dict[str, list[str]] = defaultdict(list)
        for each in totals:
            noun, name = self._name(each)
            names[noun].append(name)
        return enumerated(
            f"{plural(noun) if len(listed) > 1 else noun} {enumerated(listed)}"
            for noun, listed in names.items()
        )

    def _name(self, total: _Total) -> tuple[str, str]:
        """The noun and the name of a house or a clue, as in "row 1" or "cage A"."""
        if total.kind in ("row", "column"):
            line = total.kind == "column"
            ends = [f"{limit(each[not line] for each in total.cells)}" for limit in (min, max)]
            name = str(min(total.cells)[line])
            other = "rows" if line else "columns"
            is_whole = len(total.cells) == self._model.program.puzzle.size
            return total.kind, name if is_whole else f"{name} ({other} {' to '.join(ends)})"
        instances = self._model.instances_of(total.names)
        noun, name = self._noun_and_name(instances[0])
        # Without a noun in the rule's inputs: what the instances for all numbers have in common,
        # but not the total.
        values = zip(*(each.values for each in instances), strict=True)
        shared = [each[0] for each in values if len(set(each)) == 1]
        return noun, name or " ".join(each for each in shared if each != str(total.total))

    # --- what follows

    def conclusion(self, known: Set[Literal], most: int) -> Conclusion | None:
        """What follows from the first rest with at most so many open cells that entails anything.

        known: literals of cells
        """
        cells = dict.fromkeys(chain.from_iterable(rest.signs for rest in self.all))
        states = {cell: self._state(cell, known) for cell in cells}
        for index, rest in enumerate(self.all):
            state = [states[cell] for cell in rest.signs]
            open_ = sum(len(each) > 1 for each in state)
            if 0 < open_ <= most and self._failed.get(index) != state:
                if (found := self._conclusion(rest, known)) is not None:
                    return found
                self._failed[index] = state
        return None

    def _state(self, cell: Cell, known: Set[Literal]) -> tuple[int, ...]:
        """The candidates of a cell that are left."""
        literals = self._of_cell[cell]
        placed = tuple(number for number, literal in literals.items() if literal in known)
        return placed or tuple(n for n, literal in literals.items() if -literal not in known)

    def _conclusion(self, rest: Rest, known: Set[Literal]) -> Conclusion | None:
        premises: dict[Literal, None] = {}
        left = rest.total
        signs, open_ = [], []
        for cell, sign in rest.signs.items():
            literals = self._of_cell[cell]
            numbers = self._state(cell, known)
            if len(numbers) > 1:
                signs.append(sign)
                open_.append(literals)
                continue
            left -= sign * numbers[0]
            placed = literals[numbers[0]]
            others = (-each for each in literals.values() if each != placed)
            premises.update(dict.fromkeys([placed] if placed in known else others))
        # The ways to add up to what is left, each with what rules it out.
        ways = [
            tuple(literals[number] for literals, number in zip(open_, numbers, strict=True))
            for numbers in product(*open_)
            if sum(map(mul, signs, numbers)) == left
        ]
        gone = [[-each for each in way if -each in known] for way in ways]
        differ = [self._difference(way) for way in ways]
        possible = {
            each
            for way, out, rules in zip(ways, gone, differ, strict=True)
            if not out and not rules
            for each in way
        }
        if not possible:
            return None
        claimed: list[Literal] = []
        excluded: set[Literal] = set()
        for literals in open_:
            new = [x for x in literals.values() if -x not in known and x not in possible]
            kept = possible.intersection(literals.values())
            if new:
                claimed += kept if len(kept) == 1 else [-each for each in new]
                excluded |= {*literals.values()} - kept if len(kept) == 1 else {*new}
        differences = NO_RULES
        for way, out, rules in zip(ways, gone, differ, strict=True):
            if excluded.isdisjoint(way) or not premises.keys().isdisjoint(out):
                continue
            if out:
                premises[out[0]] = None
            else:
                differences |= rules
        if not claimed:
            return None
        instance = self._instance(rest)
        self.cells[instance] = tuple(sorted(rest.signs))
        return Conclusion(rest, instance, claimed, differences, [*premises])

    def _difference(self, literals: Iterable[Literal]) -> RuleMask:
        """A rule by which two of these candidates exclude each other; no rule without one."""
        for one, other in combinations(literals, 2):
            for group, rule in self._groups[one]:
                if other in group:
                    return rule
        return NO_RULES


def _are_next(one: _Total, other: _Total) -> bool:
    """Whether two houses have no cell in common, but a border."""
    return one.cells.isdisjoint(other.cells) and any(
        not other.cells.isdisjoint(
            {(row + 1, column), (row, column + 1), (row - 1, column), (row, column - 1)}
        )
        for row, column in one.cells
    )
