"""The constraints of a network against the ground program and tests/oracle.py, on full grids that
are solutions or nearly so.

The network is given back to clingo as a program of its own, all atoms chosen freely, so that its
constraints alone decide.
"""

import random
from dataclasses import replace
from functools import cache

import oracle
import pytest
from clingo import Control

import aspdoku
from aspdoku.explain.constraints import ConstraintModel
from aspdoku.program import RuleFile, join, library
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

# Files that give no statement that is taken for granted, and no recursion.
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
    "an own choice": "{ lucky(R) : row(R) } = 1.\n:- lucky(R), not a(R,R,1).",
    "a choice of two to three": "2 { lucky(R) : row(R) } 3.\n:- lucky(R), not a(R,R,R).",
    "a choice unlike two": (
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
    """A bundled elaboration or a student's file over base and boxes, on a blank grid."""
    if name in STUDENTS:
        return join(
            BLANK,
            [library.base(), library.find("box"), RuleFile("mine", "mine.lp", STUDENTS[name])],
        )
    example = library.find(name).example
    puzzle = aspdoku.parse("....\n" * 4 + f"[facts]\n{example}") if example else BLANK
    return join(puzzle, [library.base(), library.find("box"), library.find(name)])


@cache
def network_of(name):
    return ConstraintModel(composed(name))


class Encoded:
    """The constraints of a network, and nothing else, as a program.

    Can these literals be, by the constraints of these rules?
    """

    def __init__(self, network):
        self._control = Control(["1"], logger=lambda *_: None)
        lines = [f"rule(0..{len(network.instances)}).", "{ on(B) : rule(B) }."]
        atoms = set()

        def literal(number):
            atoms.add(abs(number))
            return f"v({number})" if number > 0 else f"not v({-number})"

        def body(bit):
            return f"on({bit.bit_length()})"

        lines += [
            f":- {'; '.join([body(each.bit), *(literal(-held) for held in each.literals)])}."
            for each in network.clauses
        ]
        for each in network.groups:
            inside = "; ".join(
                f"{place} : {literal(number)}" for place, number in enumerate(each.literals)
            )
            lines.append(f":- {body(each.bit)}; 2 #count {{ {inside} }}.")
        for each in network.sums:
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
        """Whether the literals can be together by the rules in this mask, and by what holds in any
        case.
        """
        on = [number for bit, number in self._rules.items() if bit == 0 or rules >> (bit - 1) & 1]
        known = [number for number in literals if abs(number) in self._atoms]
        held = [self._atoms[number] if number > 0 else -self._atoms[-number] for number in known]
        return bool(self._control.solve(assumptions=[*on, *held]).satisfiable)


@cache
def encoded(name):
    return Encoded(network_of(name))


@cache
def grids():
    """Solutions of the ordinary game, Latin squares, and both with a cell or two changed or
    exchanged.
    """
    chance = random.Random(7)
    latin, classic = (
        oracle.solutions(BLANK.grid, rules) for rules in (oracle.LATIN, oracle.CLASSIC)
    )
    found = [*classic, *chance.sample(latin, 15)]
    for grid in chance.sample(latin, 15) + chance.sample(classic, 25):
        changed = [list(row) for row in grid]
        for _ in range(chance.choice((1, 1, 2))):
            changed[chance.randrange(4)][chance.randrange(4)] = chance.randint(1, 4)
        found.append(changed)
    return found


def literals_of(network, grid):
    return [
        literal if grid[row - 1][column - 1] == number else -literal
        for (row, column, number), literal in network.candidates.items()
    ]


class Plain:
    """The author's own program in clingo: is this grid a solution?"""

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


@pytest.mark.parametrize("name", RULES)
def test_a_grid_keeps_the_constraints_just_where_the_oracle_finds_no_breach(name):
    network = network_of(name)
    expected = [not oracle.violations(grid, BLANK.grid, RULES[name]) for grid in grids()]
    assert True in expected
    assert False in expected
    assert [
        encoded(name).possible(literals_of(network, grid), network.all_rules) for grid in grids()
    ] == expected


@pytest.mark.parametrize("name", STUDENTS)
def test_a_grid_keeps_the_constraints_of_a_file_just_where_clingo_takes_it_for_a_solution(name):
    network, plain = network_of(name), Plain(name)
    assert network.granted == ()
    expected = [plain.solves(grid) for grid in grids()]
    assert False in expected
    assert [
        encoded(name).possible(literals_of(network, grid), network.all_rules) for grid in grids()
    ] == expected


# Of what is taken for granted, and of recursion, the network may know less; it must not know more.
LOOSE = {
    "a disjunction": "p ; q.\n:- p, not a(1,1,1).\n:- q, not a(1,1,2).",
    "a head aggregate": "#count { R : lucky(R) : row(R) } = 1.\n:- lucky(R), not a(R,R,1).",
    "recursion": (
        "edge(C,N) :- a(1,C,N).\nreach(1).\nreach(N) :- reach(C), edge(C,N).\n:- not reach(4)."
    ),
    "a loop through a helper": (
        "p(R) :- q(R).\nq(R) :- p(R).\nq(R) :- a(R,R,R).\n:- not p(1), not p(2)."
    ),
    "an external": "#external p.\n:- p, a(1,1,1).\n:- not p, a(1,1,2).",
}


@pytest.mark.parametrize("name", LOOSE)
def test_a_solution_keeps_the_constraints_also_of_what_is_taken_for_granted(name):
    program = join(
        BLANK, [library.base(), library.find("box"), RuleFile("mine", "mine.lp", LOOSE[name])]
    )
    network = ConstraintModel(program)
    mine = Encoded(network)
    control = Control(["0", "--project=project"], logger=lambda *_: None)
    control.add("base", [], program.text)
    control.ground([("base", [])])
    solutions = []
    control.solve(
        on_model=lambda model: solutions.append({str(atom) for atom in model.symbols(shown=True)})
    )
    assert 0 < len(solutions) < 288
    for solution in solutions:
        held = [
            literal if f"a({row},{column},{number})" in solution else -literal
            for (row, column, number), literal in network.candidates.items()
        ]
        assert mine.possible(held, network.all_rules)
        assert network.clash(held, network.all_rules) is None


@pytest.mark.parametrize("name", [*RULES, *STUDENTS])
def test_some_of_the_rules_forbid_a_grid_by_the_network_just_where_they_do_by_clingo(name):
    """The bits stand for the guards: both are asked with the same rules on."""
    network = network_of(name)
    chance = random.Random(name)
    always = (
        sum(each.bit for each in network.instances if each.guard.name == "base")
        if network.sums
        else 0
    )
    answers = set()
    for grid in chance.sample(grids(), 40):
        few = chance.choice((0.02, 0.1, 0.5, 0.95))
        rules = always | sum(each.bit for each in network.instances if chance.random() < few)
        literals = literals_of(network, grid)
        by_clingo = network.clash(literals, rules) is None
        assert encoded(name).possible(literals, rules) == by_clingo
        answers.add(by_clingo)
    assert len(answers) == 2


@pytest.mark.parametrize(
    "name", [*RULES, "a sum", "a helper that is needed", "two aggregates", "an own choice"]
)
def test_a_clash_names_literals_and_rules_that_cannot_be_together(name):
    network, plain = network_of(name), Plain(name)
    for grid in random.Random(name).sample(grids(), 25):
        literals = [literal for literal in literals_of(network, grid) if literal > 0]
        found = network.clash(literals, network.all_rules)
        assert (found is None) == plain.solves(grid)
        if found:
            some, rules = found
            assert set(some) <= set(literals)
            assert network.clash(some, rules) is not None


def test_every_number_of_every_cell_has_a_literal():
    for name in ("box", "a sum", "given"):
        assert network_of(name).candidates.keys() == {
            (r, c, n) for r in range(1, 5) for c in range(1, 5) for n in range(1, 5)
        }


def test_the_givens_of_the_puzzle_are_not_in_its_network():
    puzzle = aspdoku.parse("1 2 3 4\n....\n....\n....")
    network = ConstraintModel(join(puzzle, [library.base(), library.find("box")]))
    for grid in oracle.solutions(BLANK.grid, oracle.CLASSIC)[::20]:
        assert network.clash(literals_of(network, grid), network.all_rules) is None


def test_each_instance_says_its_words_with_its_values():
    said = {each.words for each in network_of("killer").instances if each.guard.name == "killer"}
    assert said == {
        "cage A adds up to 5",
        *(f"cage A has at most one {number}" for number in range(1, 5)),
    }
    said = {
        each.words
        for each in network_of("anti-knight").instances
        if each.guard.name == "anti-knight"
    }
    pairs = [sorted(pair) for pair in oracle.knight_pairs(4)]
    assert said == {
        f"r{r}c{c} and r{r1}c{c1} are a knight's move apart" for (r, c), (r1, c1) in pairs
    }


def test_bits_and_places_belong_together():
    network = network_of("offset")
    assert [each.bit for each in network.instances] == [
        1 << place for place in range(len(network.instances))
    ]
    assert network.all_rules.bit_count() == len(network.instances)
