"""Random small puzzles under random rules, with all their solutions, which tests/rule_semantics.py
and tests/choice_semantics.py compute without clingo. In some, a line has a cell twice.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from random import Random
from typing import NamedTuple

import oracle
from choice_semantics import VARIANTS, latin_squares, sudokus
from rule_semantics import (
    RULE_SEMANTICS,
    Facts,
    Grid,
    RuleSemantics,
    cells_of,
    edge,
    groups,
    labelled,
    nothing,
    repeated,
)

from aspdoku.program import Program, compose
from aspdoku.puzzle import Function, Puzzle

SIZE = 4
Given = tuple[int, int, int]


def satisfies_cages(grid, facts):
    totals = dict(facts["cage_value"])
    return oracle.cages(
        grid,
        [
            oracle.Cage(tuple(cells), totals.get(label))
            for label, cells in labelled(facts, "cage").items()
        ],
    )


def satisfies_signs(grid, facts):
    return oracle.greater_than(grid, [((r, c), (r1, c1)) for r, c, r1, c1 in facts["gt"]])


# The rules of tests/rule_semantics.py, except for boards, which replaces the boxes of the grid, and
# those that only tests/oracle.py implements.
RULES: dict[str, RuleSemantics] = {
    name: rule for name, rule in RULE_SEMANTICS.items() if name != "boards"
} | {
    "anti-knight": RuleSemantics(nothing, lambda grid, _: oracle.anti_knight(grid)),
    "offset": RuleSemantics(nothing, lambda grid, _: oracle.offset(grid, 2, 2)),
    "killer": RuleSemantics(groups("cage", totals=True), satisfies_cages),
    "greater-than": RuleSemantics(
        lambda rng, size: {"gt": [edge(rng, size) for _ in range(rng.randint(1, 4))]},
        satisfies_signs,
    ),
    "chain": RuleSemantics(
        lambda rng, size: {"chain": [(*cell, "A") for cell in rng.sample(cells_of(size), size)]},
        lambda grid, facts: oracle.chains(grid, labelled(facts, "chain")),
    ),
}


class SmallPuzzle(NamedTuple):
    """A puzzle without givens: its rules, retracted rules, facts, all solutions, and how many more
    numbers there are than rows.
    """

    names: tuple[str, ...]
    without: tuple[str, ...]
    facts: Facts
    size: int
    solutions: frozenset[Grid]
    more: int = 0

    def program(self, givens: Iterable[Given] = ()) -> Program:
        """The program of the puzzle with these givens."""
        return compose(self.puzzle(givens), *self.names, without=self.without)

    def puzzle(self, givens: Iterable[Given] = ()) -> Puzzle:
        """The puzzle with these givens."""
        rows: list[list[int | None]] = [[None] * self.size for _ in range(self.size)]
        for r, c, n in givens:
            rows[r - 1][c - 1] = n
        atoms = tuple(
            Function(name, arguments) for name, each in self.facts.items() for arguments in each
        )
        numbers = range(1, self.size + self.more + 1)
        return Puzzle(tuple(map(tuple, rows)), facts=atoms, numbers=numbers)

    def with_givens(self, givens: Iterable[Given]) -> set[Grid]:
        """The solutions with all the givens."""
        givens = list(givens)
        return {
            grid for grid in self.solutions if all(grid[r - 1][c - 1] == n for r, c, n in givens)
        }

    def some_givens(self, rng: Random, fewest: int, most: int) -> list[Given]:
        """Random numbers of a solution; if there is none, of a grid of equal rows."""
        grid = (
            rng.choice(sorted(self.solutions))
            if self.solutions
            else (tuple(range(1, self.size + 1)),) * self.size
        )
        cells = rng.sample(cells_of(self.size), rng.randint(fewest, most))
        return [(r, c, grid[r - 1][c - 1]) for r, c in sorted(cells)]


def grids_satisfying(names: Iterable[str], boxes: bool, facts: Facts) -> frozenset[Grid]:
    """The Latin squares that satisfy the rules, with or without boxes."""
    squares = sudokus(SIZE) if boxes else latin_squares(SIZE)
    return frozenset(
        grid for grid in squares if all(RULES[name].holds(grid, facts) for name in names)
    )


def random_puzzle(rng: Random, most: int = 2) -> SmallPuzzle:
    """A puzzle with up to `most` random rules, which share no input, and facts for them."""
    facts: Facts = defaultdict(list)
    names: list[str] = []
    for name in rng.sample(sorted(RULES), rng.randint(1, most)):
        more = RULES[name].example(rng, SIZE)
        if rng.random() < 0.3:
            more = repeated(rng, name, more)
        if not facts.keys() & more.keys():
            facts.update({predicate: list(dict.fromkeys(each)) for predicate, each in more.items()})
            names.append(name)
    boxes = rng.random() < 0.6
    return SmallPuzzle(
        tuple(names), () if boxes else ("box",), facts, SIZE, grids_satisfying(names, boxes, facts)
    )


def random_variant(rng: Random) -> SmallPuzzle:
    """A puzzle of a random rule in tests/choice_semantics.py, with its retracted rules."""
    name = rng.choice(sorted(VARIANTS))
    rules = VARIANTS[name]
    facts = rules.example(rng, rules.size)
    if rng.random() < 0.3:
        facts = repeated(rng, name, facts)
    names = (name, *rules.others)
    solutions = frozenset(rules.solutions(rules.size, facts))
    return SmallPuzzle(names, rules.without, facts, rules.size, solutions, rules.more)
