"""Choice rules for inputs: they range over the values that the letters in the comment denote."""

import clingo
import pytest
from rule_files import rule_file

from aspdoku.lecture.equivalence import all_inputs, choose_inputs
from aspdoku.program import library

CASES = [
    ("#defined mark/2.  % mark(R,C): a marked cell", "{ mark(R,C) : row(R), column(C) }.", 16),
    (
        "#defined gt/4.  % gt(R,C,R1,C1): greater",
        "{ gt(R,C,R1,C1) : row(R), column(C), row(R1), column(C1) }.",
        256,
    ),
    (
        "#defined cage/3.  % cage(R,C,I): in cage I",
        "{ cage(R,C,I) : row(R), column(C), I = 1..2 }.",
        32,
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


@pytest.mark.parametrize(("text", "line", "atoms"), CASES, ids=[case[0] for case in CASES])
def test_the_choice_rule_of_an_input(text, line, atoms):
    (given,) = rule_file(text).inputs
    guess = choose_inputs([given])
    assert guess.text == f"{line}\n#show {given}.\n"
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
    assert choose_inputs([]).text.strip() == ""


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
        assert "X1" not in choose_inputs([item]).text, item
