"""Propositional logic: the meaning of the clauses, the results of unit propagation (the evidence
loop), and the search.
"""

import re
from collections import Counter
from importlib.util import find_spec
from itertools import combinations, product

import clingo
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from instance_files import FOLDER, SOLVED

import aspdoku
from aspdoku.errors import AspdokuError, TimeLimitError
from aspdoku.formalisms import propositional
from aspdoku.formalisms.comparison import compare_formalisms, encoding_change, transcripts
from aspdoku.formalisms.engine import Case, Encoding, EngineError
from aspdoku.formalisms.propositional import (
    Assignment,
    CellLiteral,
    SatSolver,
    UnitPropagation,
    dimacs,
    literal_of,
    parse,
    variable,
)
from aspdoku.program import compose
from aspdoku.puzzle import Puzzle

pytestmark = pytest.mark.versions

needs_sat = pytest.mark.skipif(
    find_spec("pysolvers") is None, reason="needs python-sat (pip install 'aspdoku[sat]')"
)
ENGINES = [
    pytest.param(UnitPropagation(), id="evidence"),
    pytest.param(SatSolver(), id="sat", marks=needs_sat),
]

BLANK = Puzzle.blank(4)
NONE = aspdoku.parse("11..\n....\n....\n....")

# The chain, the 4, the 3 and the conclusion of the document; the other chains and the 1 are made
# up.
DOCUMENT = aspdoku.parse(
    "with: chain\nwithout: box\n\n4 1 3 .\n. . . .\n. . . .\n. . . .\n\n[chain]\nA B C C\nB A A"
    " C\nB B A C\nD D D D"
)
DOCUMENT_SOLUTION = ((4, 1, 3, 2), (2, 3, 1, 4), (3, 4, 2, 1), (1, 2, 4, 3))


def traced(case):
    return UnitPropagation().trace(case, UnitPropagation().encode(case), 60)


def case_of(puzzle, *names, without=()):
    return Case.of(compose(puzzle, *names, without=without))


def read(name):
    return case_of(aspdoku.read(FOLDER / name))


def run(engine, case, seconds=300):
    return engine.run(case, engine.encode(case), seconds)


# The only puzzle that takes the evidence loop several seconds.
HARD = FOLDER / "made" / "cages.txt"


@pytest.mark.slow_cases(
    "evidence made/killer",
    "evidence slides/everest",
    "evidence slides/sixteen",
    "sat made/cages",
    "sat made/killer",
    "sat slides/greater-than",
    "sat slides/sixteen",
)
@pytest.mark.parametrize(
    ("engine", "file", "solution"),
    [
        pytest.param(
            *engine.values,
            *pair,
            id=f"{engine.id} {pair[0].parent.name}/{pair[0].stem}",
            marks=[
                *engine.marks,
                *([pytest.mark.slow] if pair[0] == HARD and engine.id == "evidence" else []),
            ],
        )
        for engine, pair in product(ENGINES, SOLVED)
    ],
)
def test_each_instance_is_solved(engine, file, solution):
    case = case_of(aspdoku.read(file))
    if case.unsupported:
        pytest.skip(f"no text for {case.unsupported[0]}")
    outcome = run(engine, case)
    assert (outcome.grid, outcome.unique) == (aspdoku.read(solution).grid, True)


@pytest.mark.parametrize("engine", ENGINES)
def test_several_solutions_and_none(engine):
    (several,) = compare_formalisms(compose(BLANK), [engine], 30)
    assert (several.status, several.outcome.unique) == ("agrees", False)
    (none,) = compare_formalisms(compose(NONE), [engine], 30)
    assert (none.status, none.outcome.grid) == ("agrees", None)


@pytest.mark.parametrize("engine", ENGINES)
def test_an_impossible_sum_has_no_solution(engine):
    cages = "[cage]\nA A A A\n. . . .\n. . . .\n. . . .\nA = {}"
    for total, solvable in [(10, True), (11, False)]:
        case = case_of(
            aspdoku.parse(f"with: killer\n\n....\n....\n....\n....\n\n{cages.format(total)}")
        )
        assert (run(engine, case).grid is not None) == solvable


# ---- Texts ----


def test_a_statement_is_a_set_of_literals():
    text = """
    % Two ways to write one clause
    c(1,1,2) | -c(1,1,1)
    -c(1,1,1) | c(1,1,2) | c(1,1,2)
    % and another, and one that nothing makes true
    c(1,1,2)
    false
    """
    assert UnitPropagation().statements(text) == Counter(
        {"-c(1,1,1) | c(1,1,2)": 2, "c(1,1,2)": 1, "false": 1}
    )


def test_literals_are_ordered_by_number_and_not_as_text():
    assert UnitPropagation().statements("c(1,1,10) | c(1,1,9)") == Counter(
        {"c(1,1,9) | c(1,1,10)": 1}
    )


@pytest.mark.parametrize(
    "text", ["c(1,1)", "a(1,1,1)", "c(1,1,1) c(1,1,2)", "--c(1,1,1)", "c(1,1,1) |"]
)
def test_an_invalid_clause_is_reported_with_its_line(text):
    with pytest.raises(EngineError, match=r"line 2: invalid literal"):
        list(parse(f"c(1,1,1)\n{text}"))


def test_dimacs():
    text = (
        "% r1c1 needs a number\nc(1,1,1) | c(1,1,2)\n% row 2 has at most one 2\n-c(2,1,2) |"
        " -c(2,2,2)\nfalse\n"
    )
    assert dimacs(parse(text), 2).splitlines() == [
        "c variable 4*(R-1) + 2*(C-1) + N: the cell in row R, column C holds the number N",
        "p cnf 8 3",
        "c r1c1 needs a number",
        "1 2 0",
        "c row 2 has at most one 2",
        "-6 -8 0",
        "0",
    ]


def test_variables_are_numbered_without_gaps():
    literals = [
        CellLiteral(row, column, number) for row, column, number in product((1, 2, 3), repeat=3)
    ]
    assert [variable(literal, 3) for literal in literals] == list(range(1, 28))
    assert [literal_of(sign * place, 3) for place in range(1, 28) for sign in (1, -1)] == [
        CellLiteral(*literal[:3], holds) for literal in literals for holds in (True, False)
    ]


# By hand: each of 9 places of the boxes has 36 pairs for each number, of which 18 lie in a line;
# 224 pairs of cells are a knight's move apart; a sign has 9 clauses each way; the boxes have 81
# "needs", and 18 pairs that lie in no line for each number.
CHANGES = [
    ("offset", [], "", (9 * 9 * 18, 0)),
    ("anti-knight", [], "", (224 * 9, 0)),
    ("greater-than", [], "gt(1,1,1,2). gt(1,1,2,1).", (2 * 18, 0)),
    ("chain", ["box"], "chain(1,1,a). chain(2,4,a). chain(3,4,a).", (9 + 9 * 2, 81 + 81 * 18)),
    # Only 1 and 3: 7 numbers are not in the two cells, two are; as the cells are in a line, they
    # differ anyway.
    ("killer", [], "cage(1,1,a). cage(1,2,a). cage_value(a,4).", (7 * 2 + 2, 0)),
]


@pytest.mark.parametrize(
    ("name", "without", "facts", "counts"), CHANGES, ids=[each[0] for each in CHANGES]
)
def test_numbers_of_added_and_removed_clauses(name, without, facts, counts):
    blank = "\n".join(["." * 9] * 9)
    puzzle = aspdoku.parse(f"{blank}\n\n[facts]\n{facts}" if facts else blank)
    made = encoding_change(UnitPropagation(), case_of(puzzle, name, without=without))
    assert (len(made.added), len(made.removed)) == counts


def test_the_base_has_no_clause_twice():
    clauses = UnitPropagation().statements(
        UnitPropagation().encode(case_of(Puzzle.blank(9))).program
    )
    assert set(clauses.values()) == {1}
    assert clauses.total() == 4 * 81 + 3 * 81 * 36 + 81 * 18


def elaboration_says(puzzle, name, cells):
    """The assignments to these cells that the clauses of an elaboration allow."""
    text = UnitPropagation().encode(case_of(puzzle, name)).program
    base = UnitPropagation().encode(case_of(puzzle)).program
    clauses = [clause for clause in parse(text.removeprefix(base)) if clause.literals]
    allowed = set()
    for numbers in product(range(1, puzzle.size + 1), repeat=len(cells)):
        held = dict(zip(cells, numbers, strict=True))
        if all(
            any((held[each[:2]] == each.number) == each.holds for each in clause.literals)
            for clause in clauses
        ):
            allowed.add(numbers)
    return allowed


def six(facts):
    return aspdoku.parse("\n".join(["." * 6] * 6) + f"\n\n[facts]\n{facts}")


# Three cells of which no two share a line, so that only the elaboration makes them differ; 6
# and 15 have one combination each, and 10 and 11 have three.
@pytest.mark.parametrize("total", [6, 10, 11, 15])
def test_a_cage_holds_all_the_combinations_and_no_others(total):
    cells = [(1, 1), (2, 2), (3, 3)]
    facts = " ".join(f"cage({row},{column},a)." for row, column in cells)
    expected = {
        numbers
        for numbers in product(range(1, 7), repeat=3)
        if len(set(numbers)) == 3 and sum(numbers) == total
    }
    assert elaboration_says(six(f"{facts} cage_value(a,{total})."), "killer", cells) == expected


def test_a_cage_of_most_numbers_holds_all_the_combinations_and_no_others():
    cells = [(1, 1), (2, 2), (3, 3), (4, 4)]
    facts = " ".join(f"cage({row},{column},a)." for row, column in cells)
    expected = {
        numbers
        for numbers in product(range(1, 7), repeat=4)
        if len(set(numbers)) == 4 and sum(numbers) == 14
    }
    assert elaboration_says(six(f"{facts} cage_value(a,14)."), "killer", cells) == expected


def test_a_cage_without_a_sum_holds_different_numbers():
    expected = {(one, other) for one, other in product(range(1, 7), repeat=2) if one != other}
    assert (
        elaboration_says(six("cage(1,1,a). cage(2,2,a)."), "killer", [(1, 1), (2, 2)]) == expected
    )


def test_a_sign_has_the_greater_number_first():
    expected = {(one, other) for one, other in product(range(1, 7), repeat=2) if one > other}
    assert elaboration_says(six("gt(1,1,2,2)."), "greater-than", [(1, 1), (2, 2)]) == expected


# ---- The evidence loop ----


def test_the_conclusion_of_the_document():
    lines = traced(case_of(DOCUMENT))
    assert "given: r1c3 = 3" in lines
    assert "chain A needs a 3: only r2c2 is left, so r2c2 = 3" in lines
    assert lines[-1] == "Unit propagation solves all 16 cells."
    outcome = run(UnitPropagation(), case_of(DOCUMENT))
    assert (outcome.grid, outcome.unique) == (DOCUMENT_SOLUTION, True)
    assert outcome.notes == ("literals derived by unit propagation: 64; it solves all 16 cells",)


def test_a_trace_from_a_blank_grid_to_a_contradiction():
    assert traced(case_of(BLANK)) == ["Unit propagation stops at 0 of 16 cells."]
    assert traced(case_of(NONE)) == [
        "given: r1c1 = 1",
        "row 1 has at most one 1: no literal is left, which is a contradiction",
        "Unit propagation ends in a contradiction.",
    ]


def test_a_trace_has_what_a_number_excludes_below_it():
    assert traced(case_of(aspdoku.parse("1...\n....\n....\n....")))[:5] == [
        "given: r1c1 = 1",
        "  r1c1 has at most one number: r1c1 ≠ 2, r1c1 ≠ 3, r1c1 ≠ 4",
        "  row 1 has at most one 1: r1c2 ≠ 1, r1c3 ≠ 1, r1c4 ≠ 1",
        "  column 1 has at most one 1: r2c1 ≠ 1, r3c1 ≠ 1, r4c1 ≠ 1",
        "  box 1 has at most one 1: r2c2 ≠ 1",
    ]


def test_a_trace_has_the_last_candidate_of_a_cell():
    lines = traced(case_of(aspdoku.parse("12..\n....\n..3.\n....")))
    assert "r1c3 needs a number: only 4 is left, so r1c3 = 4" in lines


def test_there_is_no_trace_without_an_encoding(tmp_path):
    (tmp_path / "mine.lp").write_text(":- a(1,1,4).\n")
    program = compose(BLANK, str(tmp_path / "mine.lp"))
    with pytest.raises(AspdokuError, match="none of the selected engines"):
        transcripts(program, [UnitPropagation()], False, None, 60)


STUCK = [("csp/escargot.txt", 24), ("slides/everest.txt", 21), ("prolog/example.txt", 48)]


@pytest.mark.slow
@pytest.mark.parametrize(("file", "cells"), STUCK, ids=[file for file, _ in STUCK])
def test_cells_at_which_unit_propagation_stops(file, cells):
    assert traced(read(file))[-1] == f"Unit propagation stops at {cells} of 81 cells."
    notes = run(UnitPropagation(), read(file)).notes
    assert notes[0].endswith(f"it stops at {cells} of 81 cells")
    assert notes[1].startswith("decisions of the subsequent search: ")
    assert notes[1].endswith("to prove that there is no other")


def test_decisions_are_counted():
    # An artificial example, a cell with three numbers and nothing else: one decision for the first
    # solution, and a second one for the other two.
    text = Encoding(
        "c(1,1,1) | c(1,1,2) | c(1,1,3)\n"
        + "".join(f"-c(1,1,{a}) | -c(1,1,{b})\n" for a, b in combinations((1, 2, 3), 2)),
        "",
    )
    outcome = UnitPropagation().run(case_of(Puzzle.blank(4)), text, 10)
    assert outcome.unique is False
    assert (
        outcome.notes[1]
        == "decisions of the subsequent search: 1 to the first solution, 2 to the second"
    )


def test_decisions_to_no_solution_are_counted():
    # All four assignments to two atoms are excluded: each decision, and then its negation, leads to
    # a contradiction.
    text = Encoding(
        "c(1,1,1) | c(1,1,2)\n-c(1,1,1) | c(1,1,2)\nc(1,1,1) | -c(1,1,2)\n-c(1,1,1) | -c(1,1,2)\n",
        "",
    )
    outcome = UnitPropagation().run(case_of(Puzzle.blank(4)), text, 10)
    assert outcome.grid is None
    assert (
        outcome.notes[1]
        == "decisions of the subsequent search: 1 to prove that there is no solution"
    )


KINDS = {
    "classic 4x4": Puzzle.blank(4),
    "classic 6x6": Puzzle.blank(6),
    "anti-knight 6x6": aspdoku.parse("with: anti-knight\n\n" + "......\n" * 6),
    "Strimko 4x4": aspdoku.read(FOLDER / "made" / "strimko.txt"),
    "Strimko 5x5": aspdoku.read(FOLDER / "made" / "strimko-five.txt"),
    "Strimko 6x6": aspdoku.read(FOLDER / "made" / "strimko-six.txt"),
    "killer 4x4": aspdoku.read(FOLDER / "made" / "cages-four.txt"),
}


@pytest.fixture(scope="module", params=KINDS)
def propagator(request):
    """The clauses of a kind of puzzle, and a solver with all of them that have more than one
    literal.
    """
    from pysat.solvers import Solver

    size = KINDS[request.param].size
    clauses = list(parse(UnitPropagation().encode(case_of(KINDS[request.param])).program))
    numbers = [[variable(literal, size) for literal in clause.literals] for clause in clauses]
    units = [clause[0] for clause in numbers if len(clause) == 1]
    with Solver(
        "glucose4", bootstrap_with=[clause for clause in numbers if len(clause) > 1]
    ) as solver:
        yield size, clauses, solver, units


@pytest.mark.slow_cases("Strimko 6x6", "anti-knight 6x6", "classic 6x6")
@needs_sat
@given(data=st.data())
@settings(max_examples=40, deadline=None)
def test_the_loop_is_unit_propagation(propagator, data):
    size, clauses, solver, units = propagator
    spots = st.integers(1, size)
    givens = data.draw(st.dictionaries(st.tuples(spots, spots), spots, max_size=size))
    text = "".join(f"c({row},{column},{number})\n" for (row, column), number in givens.items())
    state = Assignment([*clauses, *parse(text)], size)
    taken = [piece.literal for piece in state.propagate()]
    assumed = [
        *units,
        *(variable(CellLiteral(*cell, number), size) for cell, number in givens.items()),
    ]
    consistent, propagated = solver.propagate(assumptions=assumed)
    assert (state.conflict is None) == consistent
    if consistent:
        assert sorted(state.true) == sorted(propagated) == sorted(taken)


# ---- Failures ----


def pigeons(count):
    """The pigeonhole principle: this number of pigeons in one hole fewer.

    C(P,H,1) means that pigeon P is in hole H.
    """
    each = [
        " | ".join(f"c({pigeon},{hole},1)" for hole in range(1, count))
        for pigeon in range(1, count + 1)
    ]
    pairs = combinations(range(1, count + 1), 2)
    return "\n".join(
        [
            *each,
            *(
                f"-c({one},{two},1) | -c({other},{two},1)"
                for one, other in pairs
                for two in range(1, count)
            ),
        ]
    )


@pytest.mark.parametrize("engine", ENGINES)
def test_a_hard_encoding_reaches_the_time_limit(engine):
    with pytest.raises(TimeLimitError):
        engine.run(case_of(Puzzle.blank(16)), Encoding(pigeons(16), ""), 0.3)


@pytest.mark.parametrize("engine", ENGINES)
def test_an_easy_encoding_of_the_same_kind_is_solved(engine):
    assert engine.run(case_of(Puzzle.blank(16)), Encoding(pigeons(5), ""), 30).grid is None


def test_a_missing_solver_is_named(monkeypatch):
    monkeypatch.setattr(propositional, "find_spec", lambda _: None)
    (row,) = compare_formalisms(compose(BLANK), [SatSolver()], 30)
    assert (row.status, row.reason) == ("skipped", "needs python-sat (pip install 'aspdoku[sat]')")
    assert UnitPropagation().missing_requirement() is None


def test_a_clue_that_may_be_false_needs_a_literal_in_each_of_its_clauses():
    """The step of docs/formalisms.md from a contradiction to a solution, taken by clingo."""
    puzzle = aspdoku.read("example:liar")
    case = Case.of(compose(puzzle, without=["liar"]))
    engine = UnitPropagation()
    encoding = engine.encode(case)
    constraints, of_cages = [], 0
    for clause in [*parse(encoding.program), *parse(encoding.instance)]:
        body = [f"{'not ' * each.holds}{each._replace(holds=True)}" for each in clause.literals]
        if cage := re.match(r"cage (.)", clause.words):
            body.append(f'not exempt("{cage[1]}")')
            of_cages += 1
        constraints.append(f":- {', '.join(body)}.")
    exempt = [f'exempt("{cage}")' for cage in "ABCDEFGH"]
    one_is_exempt = [f":- {one}, {other}." for one, other in combinations(exempt, 2)]
    one_is_exempt.append(f":- {', '.join(f'not {each}' for each in exempt)}.")
    choice = "{ c(1..6,1..6,1..6) }. { " + "; ".join(exempt) + " }. #show c/3."
    counts = []
    for added in ([f":- {each}." for each in exempt], one_is_exempt):
        control = clingo.Control(["0"])
        control.add("\n".join([choice, *constraints, *added]))
        control.ground()
        found = []
        control.solve(on_model=lambda model, found=found: found.append(model.symbols(shown=True)))
        counts.append(len(found))
    assert counts == [0, 1]
    assert of_cages == len(encoding_change(engine, case).added) == 100
    assert len(one_is_exempt) == 29
    solution = aspdoku.solve(puzzle).solution
    cells = product(range(1, 7), repeat=2)
    assert {tuple(each.number for each in atom.arguments) for atom in found[0]} == {
        (*cell, solution[cell]) for cell in cells
    }
