"""Inputs invented for a comparison: they range over the values that the letters in the comment
denote, and cages and lines are such as a section of a puzzle file can state.
"""

import clingo
from in_one_test import in_one_test
from rule_files import rule_file

from aspdoku.lecture.equivalence import all_inputs
from aspdoku.lecture.invented import GROUPS_DRAWN, InventedInputs
from aspdoku.program import library
from aspdoku.puzzle import Function

CASES = [
    ("#defined mark/2.  % mark(R,C): a marked cell", "{ mark(R,C) : row(R), column(C) }.", 16),
    (
        "#defined gt/4.  % gt(R,C,R1,C1): greater",
        "{ gt(R,C,R1,C1) : row(R), column(C), row(R1), column(C1), (R,C) != (R1,C1) }.",
        240,
    ),
    (
        "#defined look/3.  % look(E,J,S): the clue",
        "{ look(E,J,S) : S = 0..n*n } 1 :- E = (left;right;top;bottom), row(J).",
        4 * 4 * 17,
    ),
    ("#defined total/2.  % total(I,S): the sum", "{ total(I,S) : I = 1..2, S = 0..n*n }.", 34),
    (
        "#defined step/3.  % step(I,K,N): at K",
        "{ step(I,K,N) : I = 1..2, number(K), number(N) }.",
        32,
    ),
    ("#defined p/2.  % p(X,Y1): no letters of ours", "{ p(X,Y1) : number(X), number(Y1) }.", 16),
    ("#defined p/2.", "{ p(X1,X2) : number(X1), number(X2) }.", 16),
    ("#defined p/2.  % p(R): too few", "{ p(X1,X2) : number(X1), number(X2) }.", 16),
    ("#defined p/2.  % p(R,R): one letter twice", "{ p(X1,X2) : number(X1), number(X2) }.", 16),
    ("#defined p/2.  % p(R,c): no variable", "{ p(X1,X2) : number(X1), number(X2) }.", 16),
    ("#defined p/2.  % q(R,C): another name", "{ p(X1,X2) : number(X1), number(X2) }.", 16),
    ("#defined on/0.  % on: whether it is", "{ on }.", 1),
]


@in_one_test(("text", "line", "atoms"), CASES)
def test_the_choice_rule_of_an_input(text, line, atoms):
    (given,) = rule_file(text).inputs
    guess = InventedInputs.of([given]).rules(4)
    assert sorted(guess.text.splitlines()) == sorted([line, f"#show {given}."])
    control = clingo.Control(["-cn=4", "--warn=none"])
    control.add("base", [], "number(1..n). row(1..n). column(1..n).\n" + guess.text)
    control.ground()
    assert (
        sum(
            1
            for atom in control.symbolic_atoms.by_signature(given.name, given.arity)
            if not atom.is_fact
        )
        == atoms
    )


def test_no_inputs_need_no_choice_rule():
    assert InventedInputs.of([]).rules(4).text.strip() == ""


def test_an_input_of_two_files_is_chosen_once_with_the_first_meaning():
    undescribed, described = (
        rule_file("#defined gt/4.  #defined ab/1."),
        rule_file("#defined gt/4.  % gt(R,C,R1,C1): greater\n#defined gt/2."),
    )
    for order in ([undescribed, described], [described, undescribed]):
        found = {str(item): item.meaning for item in all_inputs(order)}
        assert found == {"gt/4": "gt(R,C,R1,C1): greater", "gt/2": ""}


def test_the_arguments_of_all_bundled_inputs_are_known():
    """No argument of a bundled input falls back to all numbers because of a missing comment."""
    for item in all_inputs(library.find(name) for name in library.rule_names()):
        assert "X1" not in InventedInputs.of([item]).rules(4).text, item


def invented(rule, size):
    """All atoms that a query may choose, and each choice of some of them as sets of facts."""
    control = clingo.Control([f"-cn={size}", "--warn=none", "20"])
    control.configuration.solve.models = 20
    control.configuration.solver.rand_freq = 1.0
    control.configuration.solver.seed = 1
    control.add("base", [], "number(1..n). row(1..n). column(1..n).\n")
    control.add("base", [], InventedInputs.of(library.find(rule).inputs).rules(size).text)
    control.ground()
    found = []
    control.solve(on_model=lambda model: found.append(model.symbols(shown=True)))
    return found


@in_one_test("size", [4, 9])
@in_one_test("rule", ["thermo", "arrow", "whispers", "killer", "sum-cage"])
def test_invented_cages_and_lines_are_those_of_a_section(rule, size):
    """Positions without gaps, distinct cells, at most one value, and none without cells."""
    groups = 0
    for symbols in invented(rule, size):
        facts = [Function(each.name, tuple(map(value, each.arguments))) for each in symbols]
        by_name = {}
        for fact in facts:
            by_name.setdefault(fact.name, []).append(fact.arguments)
        values = [rows for name, rows in by_name.items() if name.endswith("_value")]
        cells = [rows for name, rows in by_name.items() if name.count("_") == rule.count("-")]
        if not cells:
            assert not values
            continue
        named = {}
        for arguments in cells[0]:
            if len(arguments) == 4:
                name, position, *cell = arguments
            else:
                (*cell, name), position = arguments, None
            named.setdefault(name, []).append((position, tuple(cell)))
        for group in named.values():
            assert len({cell for _, cell in group}) == len(group)
            if group[0][0] is not None:
                assert sorted(position for position, _ in group) == list(range(1, len(group) + 1))
        for owners in ([name for name, _ in rows] for rows in values):
            assert len(set(owners)) == len(owners)
            assert set(owners) <= set(named)
        groups = max(groups, len(named))
    assert groups == (2 if size == 4 else 1)


def value(symbol):
    return symbol.number if symbol.type == clingo.SymbolType.Number else str(symbol)


def test_different_lengths_are_invented():
    text = InventedInputs.of(library.find("thermo").inputs).rules(9).text
    lengths = [
        text.count(f"thermo({name},{last},") > 0
        for name in range(1, GROUPS_DRAWN + 1)
        for last in (5,)
    ]
    assert any(lengths)
    assert not all(lengths)
