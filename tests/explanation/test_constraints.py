"""The constraint model against the ground program and tests/oracle.py, on full grids that are
solutions or nearly so.

The model is encoded as a program in which all atoms are chosen freely, so that only its constraints
decide.
"""

import random

import oracle
import pytest
from clingo import Control
from constraint_cases import (
    BLANK,
    RULES,
    STUDENTS,
    Encoded,
    Plain,
    constraints_of,
    encoded,
    grids,
    literals_of,
)
from sampling import one_in

import aspdoku
from aspdoku.explanation.constraints import ConstraintModel
from aspdoku.program import RuleFile, assemble, library

pytestmark = pytest.mark.versions


@pytest.mark.parametrize("name", one_in(3, RULES))
def test_constraints_accept_the_grids_that_the_oracle_accepts(name):
    constraints = constraints_of(name)
    expected = [not oracle.violations(grid, BLANK.grid, RULES[name]) for grid in grids()]
    assert True in expected
    assert False in expected
    assert [
        encoded(name).possible(literals_of(constraints, grid), constraints.all_rules)
        for grid in grids()
    ] == expected


@pytest.mark.parametrize("name", STUDENTS)
def test_constraints_accept_the_grids_that_clingo_accepts(name):
    constraints, plain = constraints_of(name), Plain(name)
    assert constraints.unguarded == ()
    expected = [plain.solves(grid) for grid in grids()]
    assert False in expected
    assert [
        encoded(name).possible(literals_of(constraints, grid), constraints.all_rules)
        for grid in grids()
    ] == expected


# The model may omit consequences of unguarded statements and recursion; it must not add any.
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


@pytest.mark.slow_cases("an external", "recursion")
@pytest.mark.parametrize("name", LOOSE)
def test_solutions_satisfy_the_constraints_of_unguarded_statements(name):
    program = assemble(
        BLANK, [library.base(), library.find("box"), RuleFile("mine", "mine.lp", LOOSE[name])]
    )
    constraints = ConstraintModel(program)
    mine = Encoded(constraints)
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
            for (row, column, number), literal in constraints.candidates.items()
        ]
        assert mine.possible(held, constraints.all_rules)
        assert constraints.unsat_core(held, constraints.all_rules) is None


@pytest.mark.parametrize("name", [*RULES, *STUDENTS])
def test_subsets_of_the_rules_accept_the_same_grids_as_in_clingo(name):
    """Bits correspond to guards: the model and clingo are compared with the same guards on."""
    constraints = constraints_of(name)
    rng = random.Random(name)
    always = (
        sum(each.bit for each in constraints.instances if each.guard.name == "base")
        if constraints.sums
        else 0
    )
    answers = set()
    for grid in rng.sample(grids(), 24):
        few = rng.choice((0.02, 0.1, 0.5, 0.95))
        rules = always | sum(each.bit for each in constraints.instances if rng.random() < few)
        literals = literals_of(constraints, grid)
        by_clingo = constraints.unsat_core(literals, rules) is None
        assert encoded(name).possible(literals, rules) == by_clingo
        answers.add(by_clingo)
    assert len(answers) == 2


@pytest.mark.parametrize(
    "name", [*RULES, "a sum", "a helper that is needed", "two aggregates", "a custom choice"]
)
def test_an_unsat_core_is_unsatisfiable(name):
    constraints, plain = constraints_of(name), Plain(name)
    for grid in random.Random(name).sample(grids(), 15):
        literals = [literal for literal in literals_of(constraints, grid) if literal > 0]
        found = constraints.unsat_core(literals, constraints.all_rules)
        assert (found is None) == plain.solves(grid)
        if found:
            some, rules = found
            assert set(some) <= set(literals)
            assert constraints.unsat_core(some, rules) is not None


def test_every_number_of_every_cell_has_a_literal():
    for name in ("box", "a sum", "given"):
        assert constraints_of(name).candidates.keys() == {
            (r, c, n) for r in range(1, 5) for c in range(1, 5) for n in range(1, 5)
        }


def test_the_givens_are_not_in_the_constraint_model():
    puzzle = aspdoku.parse("1 2 3 4\n....\n....\n....")
    constraints = ConstraintModel(assemble(puzzle, [library.base(), library.find("box")]))
    for grid in oracle.solutions(BLANK.grid, oracle.CLASSIC)[::20]:
        assert constraints.unsat_core(literals_of(constraints, grid), constraints.all_rules) is None


def test_the_message_of_an_instance_has_its_values():
    messages = {
        each.words for each in constraints_of("killer").instances if each.guard.name == "killer"
    }
    assert messages == {
        "cage A adds up to 5",
        *(f"cage A has at most one {number}" for number in range(1, 5)),
    }
    messages = {
        each.words
        for each in constraints_of("anti-knight").instances
        if each.guard.name == "anti-knight"
    }
    pairs = [sorted(pair) for pair in oracle.knight_pairs(4)]
    assert messages == {
        f"r{r}c{c} and r{r1}c{c1} are a knight's move apart" for (r, c), (r1, c1) in pairs
    }


def test_bits_are_in_the_order_of_the_instances():
    constraints = constraints_of("offset")
    assert [each.bit for each in constraints.instances] == [
        1 << place for place in range(len(constraints.instances))
    ]
    assert constraints.all_rules.bit_count() == len(constraints.instances)
