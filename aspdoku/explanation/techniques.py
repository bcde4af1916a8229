"""The names that puzzlers have for steps: naked pair, X-wing, alternating chain.

A technique is recognized from the rule instances that a reason cites; nothing is searched for, and
no rule is known by name. The constraints of an instance determine its role:

- a *base*: one of these candidates holds. A cell needs a number; a house needs a number.
- a *cover*: at most one of these candidates holds. A cell holds one number; a house has at most one
  of a number; two cells differ.
- anything else, such as a sum, is a *clue*.

A house is a set of cells in a base or cover of one number: a *line* if it fills a row or a column,
a *region* if it has as many cells otherwise, else a part, such as a cage. With k bases of which
every candidate lies in one of k covers, the covers hold nothing else: locked candidates, naked
and hidden sets and fish differ only in the kinds of bases and covers. With k bases and k + 1 covers
that are linked one after the other, the candidates where both ends meet are impossible: a chain.

`DEFINITIONS` has the patterns. The names are those of Sudopedia and HoDoKu.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Sequence
from functools import cached_property
from typing import Literal as OneOf
from typing import NamedTuple

from aspdoku.explanation.constraints import (
    AtMostOne,
    Candidate,
    Clause,
    Constraint,
    ConstraintModel,
    Literal,
    RuleInstance,
    RuleMask,
    Sum,
)
from aspdoku.explanation.propagation import Derivation, Inference
from aspdoku.program import library
from aspdoku.puzzle.puzzle import Cell

# The techniques, from easy to hard, each with the pattern of its bases and covers.
DEFINITIONS = {
    "naked single": "a cell has one candidate left",
    "hidden single": "a house has one cell left for a number",
    "pointing": "the candidates of a number in a box lie in one line, so the rest of the line loses"
    " it",
    "claiming": "the candidates of a number in a line lie in one box, so the rest of the box loses"
    " it",
    "locked candidates": "the candidates of a number in a house lie in another house as well, or a"
    " clue puts the number into some of its cells",
    "innies": "the clues in whole houses leave a few of their cells, whose total is known",
    "outies": "the clues with cells in whole houses have a few cells outside, whose total is known",
    "innies and outies": "what a few cells in whole houses exceed a few cells outside by is known",
    "naked pair": "two cells of a house have two candidates between them",
    "naked triple": "three cells of a house have three candidates between them",
    "naked quad": "four cells of a house have four candidates between them",
    "naked set": "more cells of a house have as many candidates between them",
    "hidden pair": "two numbers have two cells of a house between them",
    "hidden triple": "three numbers have three cells of a house between them",
    "hidden quad": "four numbers have four cells of a house between them",
    "hidden set": "more numbers have as many cells of a house between them",
    "X-wing": "the candidates of a number in two rows lie in two columns, or the reverse",
    "swordfish": "the candidates of a number in three rows lie in three columns, or the reverse",
    "jellyfish": "the candidates of a number in four rows lie in four columns, or the reverse",
    "fish": "the candidates of a number in several houses lie in as many others",
    "skyscraper": "two rows with two candidates of a number each, of which two share a column, or"
    " the reverse: one of the other two is true",
    "two-string kite": "a row and a column with two candidates of a number each, of which two share"
    " a box: one of the other two is true",
    "empty rectangle": "the candidates of a number in a box lie in a row and a column, and another"
    " line has two",
    "turbot fish": "two houses with two candidates of a number each, linked in another way",
    "finned X-wing": "an X-wing with more candidates in one of its boxes, which see what it"
    " eliminates",
    "finned swordfish": "a swordfish with more candidates in one of its boxes",
    "finned jellyfish": "a jellyfish with more candidates in one of its boxes",
    "XY-wing": "three cells with the candidates XY, XZ and YZ: one of the last two is Z",
    "XYZ-wing": "three cells with the candidates XYZ, XZ and YZ: one of them is Z",
    "W-wing": "two cells with the same two candidates, linked by a house with two places for one of"
    " them",
    "X-chain": "houses with two places for one number, linked to a chain",
    "XY-chain": "cells with two candidates, linked to a chain",
    "almost locked sets": "cells with one candidate too many for a naked set, linked by a number",
    "alternating chain": "cells and houses with two candidates, linked to a chain: one of its ends"
    " is true",
    "grouped alternating chain": "such a chain in which several candidates of a house stand for"
    " one",
    "continuous loop": "such a chain that closes: each of its links holds one of its candidates",
    "locked set": "the candidates of several cells and houses lie in as many others, in another way"
    " than above",
    "law of leftovers": "the candidates of a number in several lines lie in as many regions, so the"
    " cells of the regions outside the lines lose it, or the reverse",
    "implied house": "the cells of several houses outside others that lie in them, one fewer, hold"
    " each number once",
    "cage combination": "the sets of numbers that are left for the sum of a cage leave no way to"
    " place the number",
    "combination": "one or several clues leave no way to place the number",
    "forcing net": "the opposite of the conclusion is refuted by inferences that branch",
    "nested forcing net": "the opposite of the conclusion is refuted by cases",
}
# The techniques that rest on the assumption that the solution is unique.
UNIQUENESS = {
    "unique rectangle type 1": "two numbers could be exchanged in four cells if one of them did not"
    " hold something else",
    "unique rectangle type 2": "the same if two or three of the cells did not hold a third number",
    "unique rectangle type 3": "the same if two of the cells did not hold one of several numbers,"
    " which are a naked set together with other cells",
    "unique rectangle type 4": "the same if two of the cells, which are the places of one of the"
    " numbers in a house, held the other number",
    "hidden rectangle": "the same if a corner held one of the numbers, since houses have places for"
    " the other one only at the corners",
    "unique rectangle": "two numbers could be exchanged in four cells, which hold them, in another"
    " way",
    "BUG+1": "every open cell but one has two candidates, which could all be exchanged without the"
    " third one in that cell",
}

_NAKED = {2: "naked pair", 3: "naked triple", 4: "naked quad"}
_HIDDEN = {2: "hidden pair", 3: "hidden triple", 4: "hidden quad"}
_LOCKED = "locked candidates"
_FISH = {2: "X-wing", 3: "swordfish", 4: "jellyfish"}
INNIES, OUTIES, INNIES_AND_OUTIES = "innies", "outies", "innies and outies"
# The rectangles whose two numbers could be exchanged, and the grids whose candidates could.
RECTANGLE, GRAVE = "unique rectangle", "BUG+1"
# The clues that a name lists.
_MOST_CLUES = 2
_NOWHERE: Candidate = (0, 0, 0)  # of a literal that is not about a cell

_Kind = OneOf["cell", "row", "column", "region", "part"]
_LINES: tuple[_Kind, _Kind] = "row", "column"
# Singles from easy to hard: the place of a number in a box is seen at once, but that a cell has one
# candidate left only by looking at three houses.
_SINGLES: dict[_Kind | None, int] = {"region": 0, "row": 1, "column": 1, "part": 2, "cell": 3}


class Technique(NamedTuple):
    """The technique of a reason, with its houses or clues, as in "cage C".

    name: a key of `DEFINITIONS` or `UNIQUENESS`
    """

    name: str
    clues: tuple[str, ...] = ()

    def __str__(self) -> str:
        if len(self.clues) > _MOST_CLUES:
            return f"{self.name} with {len(self.clues)} clues"
        return f"{self.name} with {' and '.join(self.clues)}" if self.clues else self.name


class _Unit(NamedTuple):
    """A base or a cover: its cells, the number of a house or None, and the open candidates."""

    kind: _Kind
    number: int | None
    cells: frozenset[Cell]
    open: frozenset[Candidate]


def kind_of(cells: Iterable[Cell]) -> OneOf["row", "column", "region"]:
    """The kind of a house with these cells."""
    rows, columns = map(set, zip(*cells, strict=True))
    return "row" if len(rows) == 1 else "column" if len(columns) == 1 else "region"


class Namer:
    """Names the techniques of reasons over a model."""

    def __init__(self, model: ConstraintModel) -> None:
        self._model = model
        self._candidate = model.candidate_of
        self._literals: dict[Cell, list[Literal]] = defaultdict(list)
        for candidate, literal in model.candidates.items():
            self._literals[candidate[:2]].append(literal)
        self._size = model.program.puzzle.size
        self._constraints: dict[RuleMask, list[Constraint]] = defaultdict(list)
        for each in model.constraints:
            self._constraints[each.bit].append(each)
        self._defaults = library.default_names()
        self._unique = library.bundled("unique.lp").place
        self._inputs = {part.rule.name: part.rule.inputs for part in model.program.parts}

    def technique(
        self,
        targets: Sequence[Literal],
        derivations: Sequence[Derivation | None],
        known: set[Literal],
    ) -> Technique | None:
        """The technique of a reason; None if not all of its refutations were derived."""
        derived = [each for each in derivations if each]
        if len(derived) < len(derivations):
            return None
        bases: dict[_Unit, None] = {}
        covers: dict[_Unit, None] = {}
        clues: set[RuleInstance] = set()
        others: dict[str, None] = {}
        rectangles: dict[RuleInstance, frozenset[Candidate]] = {}
        for inference in (inference for each in derived for inference in each.all_inferences):
            base, cover = self._unit(inference, known)
            if base is not None:
                bases.setdefault(base)
            elif cover is not None:
                covers.setdefault(cover)
            if inference.rule:
                instance = self._model.instances[inference.rule.bit_length() - 1]
                if instance.guard.place == self._unique:
                    (clause,) = self._constraints[inference.rule]
                    left = (self._candidate[each] for each in clause.literals if -each not in known)
                    rectangles[instance] = frozenset(left)
                elif instance.guard.name not in self._defaults:
                    others.setdefault(" ".join(filter(None, self.noun_and_name(instance))))
                if base is None and cover is None and instance.guard.place != self._unique:
                    clues.add(instance)
        positions = [self._candidate.get(abs(each), _NOWHERE) for each in targets]
        pattern = _Pattern(positions, list(bases), list(covers))
        if rectangles:
            units = [
                _Unit("part", None, frozenset(self._model.cells_of_rules[instance]), extras)
                for instance, extras in rectangles.items()
            ]
            if len(units) == 1 and not clues and (name := _rectangle(pattern, *units)):
                return Technique(name, tuple(others))
            # In another pattern, one of the numbers in `extras` holds, as in any base.
            others.setdefault(RECTANGLE)
            pattern.bases.extend(units)
        nested = any(each.cases for each in derived)
        name = _name(pattern, [set(self._model.cells_of_rules[clue]) for clue in clues], nested)
        if name == "combination" and self._is_of_one_cage(pattern, clues):
            name = "cage combination"
        if others and name in ("pointing", "claiming"):
            name = _LOCKED
        return Technique(name, tuple(others))

    def _is_of_one_cage(self, pattern: _Pattern, clues: Collection[RuleInstance]) -> bool:
        """Whether the only clue is what the numbers of a cage add up to, from which nothing follows
        for other cells. In a cage, by the same rule, no number repeats.
        """
        if len(clues) > 1:
            return False
        (clue,) = clues
        cells = frozenset(self._model.cells_of_rules[clue])
        if (clue.guard.name, cells) not in self._different:
            return False
        inside = all(base.cells <= cells for base in pattern.bases)
        inside = inside and all(each[:2] in cells for each in pattern.targets)
        return inside and all(
            isinstance(each, Sum)
            and each.least == each.most
            and not each.conditions
            and self._model.adds_numbers(each)
            for each in self._constraints[clue.bit]
        )

    @cached_property
    def _different(self) -> set[tuple[str, frozenset[Cell]]]:
        """The sets of cells in which no number repeats, with the name of the rule."""
        return {
            (instance.guard.name, frozenset(self._model.cells_of_rules[instance]))
            for instance in self._model.instances
            for each in self._constraints[instance.bit]
            if isinstance(each, AtMostOne) or self._differ(each)
        }

    def rank_of_single(self, constraint: Constraint) -> int:
        """How hard it is to see that a constraint places a number; 0 is the easiest."""
        house = self._house(constraint.literals, set()) if isinstance(constraint, Clause) else None
        return _SINGLES.get(house and house.kind, len(_SINGLES))

    def noun_and_name(self, instance: RuleInstance) -> tuple[str, str]:
        """The clue that a rule instance is about, such as "cage" and "C"; otherwise the name of the
        rule, and no name.
        """
        guard = instance.guard
        values = dict(zip(guard.variables, instance.values, strict=True))
        for item in self._inputs.get(guard.name, ()):
            for place in reversed(item.names):
                letter = item.arguments[place]
                if letter in values and (noun := item.noun(letter)):
                    return noun, values[letter]
        return guard.name, ""

    def _unit(self, inference: Inference, known: set[Literal]) -> tuple[_Unit | None, _Unit | None]:
        """What an inference uses of its rule, as a base or as a cover; neither for a clue."""
        if not inference.rule:
            return self._uncounted(inference, known)
        constraints = self._constraints[inference.rule]
        if len(constraints) == 1 and not isinstance(constraints[0], Sum):
            (constraint,) = constraints
            unit = self._house(constraint.literals, known)
            if unit is not None:
                return (unit, None) if isinstance(constraint, Clause) else (None, unit)
        # Two cells that differ are one clause for each number.
        pair = [*inference.antecedents, *inference.premises]
        pair += [inference.literal] if inference.literal else []
        unit = self._house([abs(each) for each in pair], known)
        if (
            unit is not None
            and len(unit.cells) == len(pair) == 2
            and all(self._differ(constraint) for constraint in constraints)
        ):
            return None, unit
        return None, None

    def _differ(self, constraint: Constraint) -> bool:
        if not isinstance(constraint, Clause) or len(constraint.literals) != 2:
            return False
        numbers = {self._candidate.get(-each, _NOWHERE)[2] for each in constraint.literals}
        return len(numbers) == 1 and 0 not in numbers

    def _uncounted(
        self, inference: Inference, known: set[Literal]
    ) -> tuple[_Unit | None, _Unit | None]:
        """The same if the base's rules about single cells are not counted."""
        literals = [*inference.options, *inference.antecedents, inference.literal]
        found = {self._candidate[abs(each)] for each in literals if abs(each) in self._candidate}
        cells = {each[:2] for each in found}
        if len(cells) != 1:
            return None, None
        unit = self._house(self._literals[cells.pop()], known)
        return (unit, None) if inference.options else (None, unit)

    def _house(self, literals: Iterable[Literal], known: set[Literal]) -> _Unit | None:
        literals = list(literals)
        if not all(literal in self._candidate for literal in literals):
            return None
        every = [self._candidate[literal] for literal in literals]
        open_ = frozenset(self._candidate[each] for each in literals if -each not in known)
        cells = frozenset(each[:2] for each in every)
        if len(cells) == 1:
            return _Unit("cell", None, cells, open_)
        numbers = {each[2] for each in every}
        if len(numbers) != 1:
            return None
        kind: _Kind = kind_of(cells) if len(cells) == self._size else "part"
        return _Unit(kind, numbers.pop(), cells, open_)


class _Pattern(NamedTuple):
    targets: list[Candidate]
    bases: list[_Unit]
    covers: list[_Unit]

    @property
    def numbers(self) -> set[int | None]:
        """The numbers of the houses, and None if there are cells."""
        return {unit.number for unit in (*self.bases, *self.covers)}


def _name(pattern: _Pattern, clues: Sequence[set[Cell]], nested: bool) -> str:
    """The name of a pattern, with the cells of each clue."""
    _, bases, covers = pattern
    branching = "nested forcing net" if nested else "forcing net"
    if clues:
        if _locked_by_clue(pattern, clues):
            return _LOCKED
        return branching if nested else "combination"
    if len(pattern.numbers) == 1 and len(bases) == len(covers) > 1 and _are_leftovers(pattern):
        return "law of leftovers"
    if len(pattern.numbers) == 1 and (_implies(bases, covers) or _implies(covers, bases)):
        return "implied house"
    if not covers:
        return "hidden single" if any(base.kind != "cell" for base in bases) else "naked single"
    inside = frozenset[Candidate]().union(*(base.open for base in bases))
    outside = frozenset[Candidate]().union(*(cover.open for cover in covers))
    if len(bases) == len(covers) and inside <= outside:
        return _rank_0(pattern)
    if len(bases) + 1 == len(covers):
        return _rank_1(pattern) or branching
    if len(bases) == len(covers) + 1 and all(len(base.open) == 2 for base in bases):
        return "alternating chain"
    return branching


def _rectangle(pattern: _Pattern, rectangle: _Unit) -> str:
    """The name of a step by a rectangle, whose corners can hold the open candidates besides the two
    numbers; empty if it is a part of another pattern.
    """
    targets, bases, covers = pattern
    corners = rectangle.cells
    roof, numbers = {each[:2] for each in rectangle.open}, {each[2] for each in rectangle.open}
    houses = [base for base in bases if base.kind != "cell"]
    inside = all(each[:2] in corners for each in targets)
    at_corners = all(base.number not in numbers for base in houses) and all(
        {each[:2] for each in base.open} <= corners for base in houses
    )
    cells_only = all(cover.kind == "cell" for cover in covers)
    table = (
        ("type 1", len(roof) == 1 and not bases and cells_only),
        ("type 2", len(numbers) == 1 and not bases),
        (
            "type 3",
            len(roof) == 2
            and bases
            and not houses
            and not inside
            and all(roof.union(*(base.cells for base in bases)) <= cover.cells for cover in covers),
        ),
        (
            "type 4",
            len(roof) == 2
            and len(bases) == len(houses) == 1
            and inside
            and cells_only
            and {each[:2] for each in houses[0].open} == roof,
        ),
    )
    if found := next((name for name, holds in table if holds), ""):
        return f"{RECTANGLE} {found}"
    if houses and houses == bases and at_corners and inside:
        return "hidden rectangle"
    within = inside and all({each[:2] for each in base.open} <= corners for base in bases)
    return RECTANGLE if within or not bases else ""


def _locked(base: _Unit, cover: _Unit) -> str:
    """The name of the step if all places of a number in a base lie in one cover."""
    if base.kind == "region" and cover.kind in _LINES:
        return "pointing"
    return "claiming" if base.kind in _LINES and cover.kind == "region" else _LOCKED


def _locked_by_clue(pattern: _Pattern, clues: Sequence[set[Cell]]) -> bool:
    """Whether a clue needs a number in a house, so that the other cells of the house lose it."""
    houses = [each for each in (*pattern.bases, *pattern.covers) if each.kind != "cell"]
    return (
        len(clues) == len(houses) == 1
        and houses[0] in pattern.covers
        and all(each in houses[0].open and each[:2] not in clues[0] for each in pattern.targets)
    )


def _are_leftovers(pattern: _Pattern) -> bool:
    """Whether it is about rows or columns on the one side, and regions on the other."""
    kinds = {base.kind for base in pattern.bases}, {cover.kind for cover in pattern.covers}
    return any((lines, {"region"}) in (kinds, kinds[::-1]) for lines in ({"row"}, {"column"}))


def _implies(outer: Sequence[_Unit], others: Sequence[_Unit]) -> bool:
    """Whether the cells of all outer houses outside those of the others that lie in them, one
    fewer, are as many as a house has.
    """
    around = frozenset[Cell]().union(*(each.cells for each in outer))
    inner = [each.cells for each in others if each.cells <= around]
    return (
        len(inner) == len(outer) - 1 > 0
        and all(each.kind not in ("cell", "part") for each in outer)
        and sum(map(len, inner)) == len(frozenset[Cell]().union(*inner))
        and sum(len(each.cells) for each in outer) == len(around)
        and len(around) - sum(map(len, inner)) == len(outer[0].cells)
    )


def _rank_0(pattern: _Pattern) -> str:
    _, bases, covers = pattern
    kinds = {base.kind for base in bases}, {cover.kind for cover in covers}
    size = len(bases)
    if size == 1:
        return _locked(bases[0], covers[0])
    pairs = [(base, cover) for base in bases for cover in covers]
    if kinds[0] == {"cell"} and all(base.cells < cover.cells for base, cover in pairs):
        return _NAKED.get(size, "naked set")
    if kinds[1] == {"cell"} and all(cover.cells < base.cells for base, cover in pairs):
        return _HIDDEN.get(size, "hidden set")
    if len(pattern.numbers) == 1:
        return _FISH.get(size, "fish") if _across(*kinds) else "fish"
    if all(sum(bool(base.open & cover.open) for base in bases) == 2 for cover in covers):
        return "continuous loop"
    return "locked set"


def _rank_1(pattern: _Pattern) -> str | None:
    """The first name in the table whose condition holds."""
    targets, bases, covers = pattern
    chains = (_linked(target, bases, covers) for target in targets)
    chain, links = next(filter(None, chains), ([], []))
    size, kinds = len(bases), {base.kind for base in bases}
    pairs = all(len(base.open) == 2 for base in bases)
    one_number = len(pattern.numbers) == 1
    chained = one_number and bool(chain)
    middle = {links[1].kind} if chained and size == 2 else set()
    finned = one_number and any(
        _across(kinds, {each.kind for each in covers if each is not fin}) for fin in covers
    )
    cells = kinds == {"cell"} and all(cover.kind != "cell" for cover in covers)
    table = (
        (_LOCKED, size == 1),
        ("skyscraper", middle and pairs and _across(kinds, middle)),
        ("two-string kite", middle == {"region"} and pairs and kinds == {*_LINES}),
        ("X-chain", chained and pairs and size > 2),
        *((f"finned {name}", finned and size == count) for count, name in _FISH.items()),
        ("empty rectangle", middle and not pairs and "region" in kinds and kinds & {*_LINES}),
        ("turbot fish", middle),
        ("X-chain", chained),
        ("XY-wing", cells and chain and pairs and size == 3),
        ("XY-chain", cells and chain and pairs),
        ("XYZ-wing", cells and sorted(len(base.open) for base in bases) == [2, 2, 3]),
        ("almost locked sets", cells),
        ("W-wing", chain and pairs and _is_wing(chain)),
        ("alternating chain", chain and pairs),
        ("grouped alternating chain", chain),
    )
    return next((name for name, holds in table if holds), None)


def _is_wing(chain: Sequence[_Unit]) -> bool:
    first, last = chain[0], chain[-1]
    numbers = [{number for _, _, number in each.open} for each in (first, last)]
    return [each.kind == "cell" for each in chain] == [True, False, True] and (
        numbers[0] == numbers[1]
    )


def _across(bases: set[_Kind], covers: set[_Kind]) -> bool:
    return (bases, covers) in (({"row"}, {"column"}), ({"column"}, {"row"}))


def _linked(
    target: Candidate, bases: Sequence[_Unit], covers: Sequence[_Unit]
) -> tuple[list[_Unit], list[_Unit]] | None:
    """The bases and covers in the order of a chain from the target back to it, if there is one."""

    def chains(
        last: _Unit, bases: Sequence[_Unit], covers: Sequence[_Unit]
    ) -> Iterator[tuple[list[_Unit], list[_Unit]]]:
        if not bases and target in last.open:
            yield [], [last]
        for base in bases:
            if not base.open & last.open or base.open <= last.open:
                continue
            for cover in covers:
                if base.open <= last.open | cover.open:
                    others = [each for each in bases if each is not base]
                    left = [each for each in covers if each is not cover]
                    for ordered, links in chains(cover, others, left):
                        yield [base, *ordered], [last, *links]

    for first in covers:
        if target in first.open:
            others = [each for each in covers if each is not first]
            for found in chains(first, bases, others):
                return found
    return None
