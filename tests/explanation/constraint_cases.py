"""Programs for the tests of the constraint model, and the model encoded as a program for clingo."""

import random
from dataclasses import replace
from functools import cache

import oracle
from clingo import Control

import aspdoku
from aspdoku.explanation.constraints import ConstraintModel
from aspdoku.program import RuleFile, assemble, library
from aspdoku.puzzle import Puzzle

BLANK = Puzzle.blank(4)
RULES = {
    "box": oracle.CLASSIC,
    "anti-knight": replace(oracle.CLASSIC, anti_knight=True),
    "offset": replace(oracle.CLASSIC, offset=True),
    "greater-than": replace(oracle.CLASSIC, greater_than=(((1, 1), (1, 2)),)),
    "chain": replace(oracle.CLASSIC, chains={"A": ((1, 1), (2, 2), (3, 2), (4, 3))}),
    "killer": replace(oracle.CLASSIC, cages=(oracle.Cage(((1, 1), (2, 1)), 5, "A"),)),
}

# Files without unguarded statements and recursion.
STUDENTS = {
    "a pair": ":- a(R,C,N), a(R+1,C+1,N).",
    "a difference": ":- a(R,C,N), a(R,C+1,M), |N-M| = 1, R < 3.",
    "a condition": ":- a(1,1,1) : row(1).",
    "a condition over cells": ":- not a(C,C,1) : column(C).",
    "a condition over two": ":- a(1,1,N), not a(C,C,N) : column(C), C > 1.",
    "double negation": ":- not not a(1,1,1).",
    "given": "a(1,1,2). a(2,2,N) :- a(1,1,N-1), not a(4,4,4).",
    "a sum": ":- #sum { N,C : a(1,C,N), C < 3 } != 5.",
    "a sum under a condition": ":- a(1,1,N), #sum { M,C : a(2,C,M), C > 2 } != N+3.",
    "a sum under two conditions": (
        ":- a(1,1,N), not a(4,4,1), #sum { M,C : a(2,C,M), C > 2 } > N+3."
    ),
    "a sum of negative weights": ":- #sum { N,1 : a(1,1,N); -N,2 : a(1,2,N) } < 1.",
    "a sum in which numbers occur twice": (
        ":- #sum { 1,1 : a(1,1,1); 2,2 : a(1,1,1); 1,3 : a(2,2,1); 1,4 : a(2,3,1) } < 3."
    ),
    "a count in which numbers occur twice": (
        ":- 2 #count { 1 : a(1,1,1); 2 : a(1,1,1); 3 : a(2,3,1); 4 : a(3,2,1) }."
    ),
    "a sum over helpers": "big(R,C) :- a(R,C,N), N > 2.\n:- #sum { R,R,C : big(R,C), R = C } != 4.",
    "a sum with a name": ":- row(R), S = #sum { N,C : a(R,C,N), C < 3 }, S = 3.",
    "a sum between": ":- not 4 <= #sum { N,C : a(1,C,N), C < 3 } <= 6.",
    "a sum outside": ":- 4 <= #sum { N,C : a(1,C,N), C < 3 } <= 6.",
    "two aggregates": ":- row(R), #sum { N : a(R,1,N) } > 2, #sum { N : a(R,2,N) } > 2.",
    "three aggregates": ":- 2 { a(1,C,C) }, 3 { a(2,C,1..3) : C < 4 }, #sum { N : a(3,1,N) } > 1.",
    "two aggregates, one negated": (
        ":- row(R), #sum { N,C : a(R,C,N), C < 3 } > 4, not #sum { N : a(R,4,N) } < 3."
    ),
    "two equal sums": ":- row(R), X = #sum { N : a(R,1,N) }, #sum { N : a(R,2,N) } = X+1.",
    "sums that must be equal": ":- #sum { N,C : a(1,C,N), C < 3; -N,C+5 : a(2,C,N), C < 3 } != 0.",
    "a count": ":- row(R), #count { C : a(R,C,N), N > 2, C < 3 } = 2.",
    "a count that is needed": ":- #count { C : a(C,C,N), N > 2 } != 2.",
    "a count of numbers": ":- #count { N : a(C,C,N) } < 3.",
    "at most one of a diagonal": ":- 2 { a(C,C,1) }.",
    "at most one under a condition": ":- a(1,2,N), 2 { a(C,C,N) }.",
    "at most two": ":- 3 { a(C,C,1..2) }.",
    "a maximum": ":- #max { N : a(1,C,N), C < 3 } < 3.",
    "a minimum": ":- #min { N : a(1,C,N), C < 3 } != 1.",
    "extrema of many numbers": (
        ":- #min { V : a(1..2,C,V) } > 1, #max { V : a(R,C,V), a(C,R,W), R < C, V*2 > W } != 3."
    ),
    "a helper": "big(R,C) :- a(R,C,N), N > 2.\n:- big(1,1), big(2,2).",
    "a helper that is needed": "big(R,C) :- a(R,C,N), N > 2.\n:- not big(1,1), not big(4,4).",
    "helpers over helpers": (
        "big(R,C) :- a(R,C,3..4).\nheavy(R) :- row(R), 2 { big(R,1..2) }.\n:- not heavy(1)."
    ),
    "a helper of two atoms": (
        "same(N) :- a(1,1,N), a(2,3,N).\nsame(N) :- a(1,2,N), a(2,4,N), not a(4,4,N).\n"
        ":- not same(N) : number(N)."
    ),
    "a helper's negation in a helper": (
        "low(R) :- a(R,1,1..2).\nhigh(R) :- row(R), not low(R).\n"
        ":- high(1), high(2).\n:- low(1), low(4)."
    ),
    "a sum of a helper": (
        "total(R) :- row(R), #sum { N,C : a(R,C,N), C < 3 } >= 5.\n:- total(1), total(3).\n:- not"
        " total(1)."
    ),
    "a custom choice": "{ lucky(R) : row(R) } = 1.\n:- lucky(R), not a(R,R,1).",
    "a choice of two to three": "2 { lucky(R) : row(R) } 3.\n:- lucky(R), not a(R,R,R).",
    "a choice of any number but two": (
        "{ lucky(R) : row(R) } != 2.\n:- lucky(R), a(R,R,R).\n:- not lucky(R), not a(R,R,R),"
        " row(R)."
    ),
    "a choice over the grid": "{ lucky(R) : a(R,R,N), N > 2 } = 1.\n:- lucky(R), not a(R,1,R).",
    "coarse instances": "%@(R) row {R} falls\n:- a(R,1,X), a(R,2,Y), X < Y, R < 3.",
    "coarse instances of a sum": (
        "%@(R) so\n:- R = 1, B = 5..6, B <= #sum { N,C : a(1,C,N), C < 3 }."
    ),
    "coarse instances of a sum, the looser first": (
        "%@(R) so\n:- R = 1, X = 4..5, B = 10-X, B <= #sum { N,C : a(1,C,N), C < 3 }."
    ),
    "coarse instances of a lower sum": (
        "%@(R) so\n:- R = 1, B = 4..5, #sum { N,C : a(R,C,N), C < 3 } <= B."
    ),
    "coarse instances of a lower sum, the looser first": (
        "%@(R) so\n:- R = 1, B = -5..-4, #sum { N,C : a(R,C,N), C < 3 } <= -B."
    ),
    "an exception": "ab(box,3).",
    "simplified away": ":- a(R,C,N), number(7).\n:- row(1), a(1,1,1).",
}


def composed(name):
    """A bundled rule or a custom file with the base and boxes, on a blank grid."""
    if name in STUDENTS:
        return assemble(
            BLANK,
            [library.base(), library.find("box"), RuleFile("mine", "mine.lp", STUDENTS[name])],
        )
    example = library.find(name).example
    puzzle = aspdoku.parse("....\n" * 4 + f"[facts]\n{example}") if example else BLANK
    return assemble(puzzle, [library.base(), library.find("box"), library.find(name)])


@cache
def constraints_of(name):
    return ConstraintModel(composed(name))


class Encoded:
    """The constraints of a model, and nothing else, as a program.

    `possible`: are these literals consistent with the constraints of these rules?
    """

    def __init__(self, constraints):
        self._control = Control(["1"], logger=lambda *_: None)
        lines = [f"rule(0..{len(constraints.instances)}).", "{ on(B) : rule(B) }."]
        atoms = set()

        def literal(number):
            atoms.add(abs(number))
            return f"v({number})" if number > 0 else f"not v({-number})"

        def body(bit):
            return f"on({bit.bit_length()})"

        lines += [
            f":- {'; '.join([body(each.bit), *(literal(-held) for held in each.literals)])}."
            for each in constraints.clauses
        ]
        for each in constraints.at_most_ones:
            inside = "; ".join(
                f"{place} : {literal(number)}" for place, number in enumerate(each.literals)
            )
            lines.append(f":- {body(each.bit)}; 2 #count {{ {inside} }}.")
        for each in constraints.sums:
            pairs = enumerate(zip(each.weights, each.literals, strict=True))
            inside = "; ".join(
                f"{weight},{place} : {literal(number)}" for place, (weight, number) in pairs
            )
            start = "; ".join([body(each.bit), *map(literal, each.conditions)])
            if each.least is not None:
                lines.append(f":- {start}; #sum {{ {inside} }} < {each.least}.")
            if each.most is not None:
                lines.append(f":- {start}; #sum {{ {inside} }} > {each.most}.")
        lines.append("{ " + "; ".join(f"v({atom})" for atom in sorted(atoms)) + " }.")
        self._control.add("base", [], "\n".join(lines))
        self._control.ground([("base", [])])
        self._atoms = {
            atom.symbol.arguments[0].number: atom.literal
            for atom in self._control.symbolic_atoms.by_signature("v", 1)
        }
        self._rules = {
            atom.symbol.arguments[0].number: atom.literal
            for atom in self._control.symbolic_atoms.by_signature("on", 1)
        }

    def possible(self, literals, rules):
        """Whether the literals are consistent with the rules in this mask and with everything
        unguarded.
        """
        on = [number for bit, number in self._rules.items() if bit == 0 or rules >> (bit - 1) & 1]
        known = [number for number in literals if abs(number) in self._atoms]
        held = [self._atoms[number] if number > 0 else -self._atoms[-number] for number in known]
        return bool(self._control.solve(assumptions=[*on, *held]).satisfiable)


@cache
def encoded(name):
    return Encoded(constraints_of(name))


@cache
def grids():
    """Sudokus, Latin squares, and both with one or two cells changed or exchanged."""
    rng = random.Random(7)
    latin, classic = (
        oracle.solutions(BLANK.grid, rules) for rules in (oracle.LATIN, oracle.CLASSIC)
    )
    found = [*rng.sample(classic, 60), *rng.sample(latin, 15)]
    for grid in rng.sample(latin, 15) + rng.sample(classic, 25):
        changed = [list(row) for row in grid]
        for _ in range(rng.choice((1, 1, 2))):
            changed[rng.randrange(4)][rng.randrange(4)] = rng.randint(1, 4)
        found.append(changed)
    return found


def literals_of(constraints, grid):
    return [
        literal if grid[row - 1][column - 1] == number else -literal
        for (row, column, number), literal in constraints.candidates.items()
    ]


class Plain:
    """The original program in clingo; `solves` tests whether a grid is a solution."""

    def __init__(self, name):
        self._control = Control(["1"], logger=lambda *_: None)
        self._control.add("base", [], composed(name).text)
        self._control.ground([("base", [])])
        self._atoms = {
            tuple(each.number for each in atom.symbol.arguments): atom.literal
            for atom in self._control.symbolic_atoms.by_signature("a", 3)
        }

    def solves(self, grid):
        held = [
            literal if grid[r - 1][c - 1] == number else -literal
            for (r, c, number), literal in self._atoms.items()
        ]
        return bool(self._control.solve(assumptions=held).satisfiable)
