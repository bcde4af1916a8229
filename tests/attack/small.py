"""Random 4x4 puzzles under random rules, with all their solutions by tests/rule_semantics.py,
without clingo.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from random import Random
from typing import NamedTuple

import oracle
from choice_semantics import GAMES, latin, ordinary
from rule_semantics import READINGS, Facts, Grid, Reading, cells_of, edge, groups, labelled, nothing

from aspdoku.program import Program, compose
from aspdoku.puzzle import Function, Puzzle

SIZE = 4
Given = tuple[int, int, int]


def cages(grid, facts):
    totals = dict(facts["cage_value"])
    return oracle.cages(
        grid,
        [
            oracle.Cage(tuple(cells), totals.get(label))
            for label, cells in labelled(facts, "cage").items()
        ],
    )


def signs(grid, facts):
    return oracle.greater_than(grid, [((r, c), (r1, c1)) for r, c, r1, c1 in facts["gt"]])


# The rules of tests/rule_semantics.py, and those that only tests/oracle.py knows.
RULES: dict[str, Reading] = READINGS | {
    "anti-knight": Reading(nothing, lambda grid, _: oracle.anti_knight(grid)),
    "offset": Reading(nothing, lambda grid, _: oracle.offset(grid, 2, 2)),
    "killer": Reading(groups("cage", totals=True), cages),
    "greater-than": Reading(
        lambda chance, size: {"gt": [edge(chance, size) for _ in range(chance.randint(1, 4))]},
        signs,
    ),
    "chain": Reading(
        lambda chance, size: {
            "chain": [(*cell, "A") for cell in chance.sample(cells_of(size), size)]
        },
        lambda grid, facts: oracle.chains(grid, labelled(facts, "chain")),
    ),
}


class Small(NamedTuple):
    """A puzzle without givens: its rules, retracted rules, facts, and all solutions."""

    names: tuple[str, ...]
    without: tuple[str, ...]
    facts: Facts
    size: int
    solutions: frozenset[Grid]

    def program(self, givens: Iterable[Given] = ()) -> Program:
        """The program of the puzzle with these givens."""
        return compose(self.puzzle(givens), *self.names, without=self.without)

    def puzzle(self, givens: Iterable[Given] = ()) -> Puzzle:
        """The puzzle with these givens."""
        rows: list[list[int | None]] = [[None] * self.size for _ in range(self.size)]
        for r, c, n in givens:
            rows[r - 1][c - 1] = n
        stated = tuple(
            Function(name, arguments) for name, each in self.facts.items() for arguments in each
        )
        return Puzzle(tuple(map(tuple, rows)), facts=stated)

    def with_givens(self, givens: Iterable[Given]) -> set[Grid]:
        """The solutions with all the givens."""
        givens = list(givens)
        return {
            grid for grid in self.solutions if all(grid[r - 1][c - 1] == n for r, c, n in givens)
        }

    def some_givens(self, chance: Random, fewest: int, most: int) -> list[Given]:
        """Some numbers of a solution; the first row repeated if there is none."""
        grid = (
            chance.choice(sorted(self.solutions))
            if self.solutions
            else (tuple(range(1, self.size + 1)),) * self.size
        )
        cells = chance.sample(cells_of(self.size), chance.randint(fewest, most))
        return [(r, c, grid[r - 1][c - 1]) for r, c in sorted(cells)]


def keeping(names: Iterable[str], boxes: bool, facts: Facts) -> frozenset[Grid]:
    """The Latin squares that satisfy the rules, with or without boxes."""
    squares = ordinary(SIZE) if boxes else latin(SIZE)
    return frozenset(
        grid for grid in squares if all(RULES[name].holds(grid, facts) for name in names)
    )


def small(chance: Random, most: int = 2) -> Small:
    """One rule or several, which share no input, with facts for them."""
    facts: Facts = defaultdict(list)
    names: list[str] = []
    for name in chance.sample(sorted(RULES), chance.randint(1, most)):
        more = RULES[name].example(chance, SIZE)
        if not facts.keys() & more.keys():
            facts.update({predicate: list(dict.fromkeys(each)) for predicate, each in more.items()})
            names.append(name)
    boxes = chance.random() < 0.6
    return Small(tuple(names), () if boxes else ("box",), facts, SIZE, keeping(names, boxes, facts))


def game(chance: Random) -> Small:
    """One of the variants in tests/choice_semantics.py, which have choices or retract a default
    rule.
    """
    name = chance.choice(sorted(GAMES))
    rules = GAMES[name]
    facts = rules.example(chance, rules.size)
    return Small(
        (name,), rules.without, facts, rules.size, frozenset(rules.solutions(rules.size, facts))
    )
