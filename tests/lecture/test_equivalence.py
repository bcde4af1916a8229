"""Decisions on the equivalence of rules: pairs of formulations from the slides, planted differences
at each size, and the grids that distinguish two rules.

The grids are checked by the oracle, with each rule implemented a second time in Python.
"""

import pickle
import re
from itertools import count
from typing import NamedTuple

import oracle
import pytest
from rule_files import rule_file
from sampling import one_in

import aspdoku
from aspdoku import Puzzle, Solution
from aspdoku.errors import RuleError, TimeLimitError
from aspdoku.lecture import equivalence
from aspdoku.lecture.equivalence import compare_rules, needed_facts
from aspdoku.lecture.grading import Assessment, Exercise
from aspdoku.lecture.invented import InventedInputs
from aspdoku.program import RuleFile, library
from aspdoku.puzzle import Function
from aspdoku.questions.check import (
    gradescope_results,
    grading_json,
    grading_page,
    grading_text,
    junit_xml,
)
from aspdoku.questions.equal import Equivalence
from aspdoku.runtime.deadline import Deadline

SIZES = (4, 6, 9)
BOX_BY_PAIRS = """
in_box(R,C,(R-1)/box_rows,(C-1)/box_columns) :- cell(R,C).
:- in_box(R,C,Y,X), in_box(R1,C1,Y,X), (R,C) < (R1,C1), a(R,C,N), a(R1,C1,N).
"""
GT = "#defined gt/4.  % gt(R,C,R1,C1): the number in R,C is greater than the one in R1,C1\n"


def at(*sizes):
    return [Puzzle.blank(size) for size in sizes]


def relations(comparison):
    return [(finding.size, finding.relation) for finding in comparison.results]


def distance_is_three(cell, other):
    return abs(cell[0] - other[0]) + abs(cell[1] - other[1]) == 3


def same_place(grid):
    return oracle.same_box_position(*oracle.CLASSIC.shape(len(grid)))


def satisfies_offset(grid):
    return not any(oracle.equal_pairs(grid, same_place(grid)))


def satisfies_offset_pairwise(grid):
    return all(
        one[0] == two[0] or one[1] == two[1]
        for one, two in oracle.equal_pairs(grid, same_place(grid))
    )


def satisfies_distance(grid):
    return not any(oracle.equal_pairs(grid, distance_is_three))


SEMANTICS = {
    "anti-knight": oracle.anti_knight,
    "slides/anti-knight-eight-rules": oracle.anti_knight,
    "slides/anti-knight-distance": satisfies_distance,
    "offset": satisfies_offset,
    "slides/offset-aggregate": satisfies_offset,
    "slides/offset-pairwise": satisfies_offset_pairwise,
}
ANTI_KNIGHT = ["slides/anti-knight-eight-rules", "slides/anti-knight-distance", "anti-knight"]
OFFSET = ["slides/offset-aggregate", "slides/offset-pairwise", "offset"]
PAIRS = [
    (names[i], names[j]) for names in (ANTI_KNIGHT, OFFSET) for i, j in ((0, 1), (0, 2), (1, 2))
]


@pytest.mark.slow_cases("slides/offset-aggregate-offset")
@pytest.mark.parametrize(("one", "two"), [*PAIRS, ("slides/greater-than", "greater-than")])
def test_the_pairs_of_the_slides_are_equivalent(one, two):
    comparison = compare_rules(library.find(one), library.find(two), at(*SIZES), time_limit=60)
    assert relations(comparison) == [(4, "same"), (6, "same"), (9, "same")]
    assert (comparison.relation, comparison.witnesses) == ("same", ())


WITHOUT = [
    ("slides/anti-knight-distance", "anti-knight", ("row",), "one stricter"),
    ("slides/anti-knight-distance", "anti-knight", ("column",), "one stricter"),
    ("slides/anti-knight-distance", "anti-knight", ("row", "column"), "one stricter"),
    (
        "slides/anti-knight-eight-rules",
        "slides/anti-knight-distance",
        ("row", "column"),
        "two stricter",
    ),
    ("slides/anti-knight-eight-rules", "anti-knight", ("row", "column", "box"), "same"),
    ("slides/anti-knight-distance", "anti-knight", ("box",), "same"),
    ("slides/offset-pairwise", "offset", ("row",), "two stricter"),
    ("slides/offset-pairwise", "offset", ("column",), "two stricter"),
    ("slides/offset-aggregate", "slides/offset-pairwise", ("row", "column"), "one stricter"),
    ("slides/offset-aggregate", "offset", ("row", "column", "box"), "same"),
    ("slides/offset-pairwise", "offset", ("box",), "same"),
]


@pytest.mark.slow_cases("slides/offset-aggregate-offset-without9-same-9")
@pytest.mark.parametrize("size", one_in(3, [4, 6, 9]))
@pytest.mark.parametrize(("one", "two", "without", "relation"), WITHOUT)
def test_without_rules_of_the_game(one, two, without, relation, size):
    comparison = compare_rules(
        library.find(one), library.find(two), at(size), without, time_limit=60
    )
    assert comparison.relation == relation
    assert len(comparison.witnesses) == (relation != "same")
    for witness in comparison.witnesses:
        stricter, laxer = (one, two) if relation == "one stricter" else (two, one)
        assert (witness.violated, witness.satisfied) == (
            library.find(stricter),
            library.find(laxer),
        )
        check(witness, SEMANTICS[stricter], SEMANTICS[laxer], without, size)
        for violation in witness.violations:
            held = {oracle.number(witness.grid.rows, cell) for cell in violation.cells}
            assert len(violation.cells) >= 2
            assert len(held) == 1


def check(witness, violated, satisfied, without, size):
    """Assert that the grid is a solution without these rules that violates one rule and satisfies
    the other.
    """
    grid = witness.grid.rows
    game = oracle.Rules(
        rows="row" not in without, columns="column" not in without, boxes="box" not in without
    )
    assert oracle.violations(grid, [[None] * size] * size, game) == []
    assert not violated(grid)
    assert satisfied(grid)
    assert witness.violations
    assert {violation.place for violation in witness.violations} == {witness.violated.place}
    assert all(
        ":-" in witness.violated.text.splitlines()[violation.line - 1]
        for violation in witness.violations
    )


def corners(n):
    return lambda grid: len(grid) < n or grid[0][n - 1] != grid[n - 1][0]


def mirrored(n):
    """The rule that the first row and the first column hold different numbers at each index from 2
    to n.
    """
    return lambda grid: all(grid[0][k] != grid[k][0] for k in range(1, min(n, len(grid))))


class Planted(NamedTuple):
    size: int
    one: str
    two: str
    relation: str
    semantics_one: object
    semantics_two: object


PLANTED = [
    planted
    for n in SIZES
    for planted in (
        Planted(
            n,
            f":- a(1,{n},N), a({n},1,N).",
            "% nothing",
            "one stricter",
            corners(n),
            lambda _: True,
        ),
        Planted(
            n,
            "% nothing",
            f":- a(R,C,N), a(C,R,N), C > {n - 1}, R = 1.",
            "two stricter",
            lambda _: True,
            corners(n),
        ),
        Planted(
            n,
            f":- a(1,C,N), a(C,1,N), 1 < C, C < {n}.",
            f":- a(1,C,N), a(C,1,N), 1 < C, C <= {n}.",
            "two stricter",
            mirrored(n - 1),
            mirrored(n),
        ),
        Planted(
            n,
            f":- a(1,1,N), N = {n}.",
            f":- a(2,2,N), N >= {n}.",
            "neither",
            lambda grid, n=n: grid[0][0] != n,
            lambda grid, n=n: grid[1][1] < n,
        ),
    )
]


@pytest.mark.parametrize(
    "planted", PLANTED, ids=[f"{each.size} {each.relation}" for each in PLANTED]
)
def test_a_planted_difference_is_found_at_its_size(planted):
    one, two = rule_file(planted.one, "one"), rule_file(planted.two, "two")
    comparison = compare_rules(one, two, at(*SIZES), time_limit=60)
    smaller = [(size, "same") for size in SIZES if size < planted.size]
    assert relations(comparison) == [*smaller, (planted.size, planted.relation)]
    assert comparison.relation == planted.relation
    broken = {"one stricter": ["one"], "two stricter": ["two"], "neither": ["one", "two"]}[
        planted.relation
    ]
    assert [witness.violated.name for witness in comparison.witnesses] == broken
    for witness in comparison.witnesses:
        semantics = planted.semantics_one, planted.semantics_two
        check(
            witness, *(semantics if witness.violated == one else semantics[::-1]), (), planted.size
        )


@pytest.mark.slow
def test_a_hard_comparison_is_undecided():
    """That sixteen cells without a certain number hold some other number twice is a pigeonhole
    problem, which is out of reach at 16x16.
    """
    comparison = compare_rules(
        rule_file(BOX_BY_PAIRS), library.find("box"), at(4, 6, 16), time_limit=1
    )
    assert relations(comparison) == [(4, "same"), (6, "same"), (16, "undecided")]
    assert (comparison.relation, comparison.witnesses) == ("undecided", ())


def test_an_interrupted_size_is_undecided_although_no_search_has_begun(monkeypatch):
    calls = count(1)

    def interrupted(*_):
        if next(calls) == 2:
            raise KeyboardInterrupt
        return True

    monkeypatch.setattr(equivalence, "is_textually_equal", interrupted)
    rule = library.find("anti-knight")
    comparison = compare_rules(rule, rule, at(4, 6, 9), interruptible=True)
    assert comparison.interrupted
    assert comparison.relation == "undecided"
    assert [(each.size, each.relation) for each in comparison.results] == [
        (4, "same"),
        (6, "undecided"),
    ]


@pytest.mark.slow
def test_a_witness_suffices_if_the_other_direction_is_undecided():
    one, two = rule_file(BOX_BY_PAIRS + ":- a(1,1,1)."), library.find("box")
    comparison = compare_rules(one, two, at(12), time_limit=2)
    assert comparison.relation == "different"
    (witness,) = comparison.witnesses
    check(
        witness, lambda grid: grid[0][0] != 1, lambda grid: oracle.boxes(grid, 3, 4), ("box",), 12
    )


def test_helpers_of_the_same_name_do_not_interfere():
    one = rule_file("near(1,1).\n:- near(R,C), a(R,C,1).", "one")
    two = rule_file("near(2,2).\n:- near(R,C), a(R,C,1).", "two")
    comparison = compare_rules(one, two, at(4))
    assert comparison.relation == "neither"
    for witness in comparison.witnesses:
        assert [witness.grid.rows[i][i] == 1 for i in (0, 1)] == [
            witness.violated == one,
            witness.violated == two,
        ]


@pytest.mark.parametrize(
    "text",
    [":- two_broken.", ":- one_broken.", ":- guess.", "two_broken.\n:- two_broken, a(1,1,1)."],
)
def test_negated_files_do_not_interfere(text):
    mine, corner = rule_file(text), rule_file(":- a(1,1,1).", "corner")
    expected = "same" if "a(1,1,1)" in text else "two stricter"
    assert compare_rules(mine, corner, at(4)).relation == expected
    assert compare_rules(corner, mine, at(4)).relation == expected.replace("two", "one")


@pytest.mark.parametrize("one", ["row", "box", "anti-knight"])
def test_a_rule_is_equivalent_to_itself(one):
    text = (
        library.find(one).text
        if one != "row"
        else ":- row(R), number(N), not 1 { a(R,C,N) : column(C) } 1."
    )
    assert compare_rules(rule_file(text, "one"), rule_file(text, "two"), at(4)).relation == "same"


def test_a_difference_implied_by_the_game_only_counts_without_it():
    rows, nothing = rule_file(":- a(R,C,N), a(R,C1,N), C < C1.", "rows"), rule_file("", "nothing")
    assert compare_rules(rows, nothing, at(4)).relation == "same"
    assert compare_rules(rows, nothing, at(4), ["row"]).relation == "one stricter"
    assert compare_rules(nothing, rows, at(4), ["row"]).relation == "two stricter"


def test_the_inputs_of_a_witness_are_minimal_and_distinguish_the_rules():
    one = rule_file(GT + ":- gt(R,C,R1,C1), a(R,C,N), a(R1,C1,N1), N <= N1, C != C1.", "one")
    comparison = compare_rules(one, library.find("greater-than"), at(4))
    (witness,) = comparison.witnesses
    assert comparison.relation == "two stricter"
    (sign,) = witness.facts
    greater, less = sign.arguments[:2], sign.arguments[2:]
    assert sign.name == "gt"
    assert greater[1] == less[1]
    assert not oracle.greater_than(witness.grid.rows, [(greater, less)])


def test_only_inputs_of_the_puzzle_are_used():
    one = rule_file(GT + ":- gt(R,C,R1,C1), a(R,C,N), a(R1,C1,N1), N <= N1, C != C1.", "one")
    two = library.find("greater-than")

    def with_sign(*sign):
        return Puzzle.blank(4).replace(facts=(Function("gt", sign),))

    assert compare_rules(one, two, [with_sign(1, 1, 1, 2)], given_facts=True).relation == "same"
    comparison = compare_rules(one, two, [with_sign(1, 1, 2, 1)], given_facts=True)
    assert comparison.relation == "two stricter"
    (witness,) = comparison.witnesses
    assert witness.facts == (Function("gt", (1, 1, 2, 1)),)
    assert witness.grid.rows[0][0] <= witness.grid.rows[1][0]
    assert [violation.cells for violation in witness.violations] == [((1, 1), (2, 1))]


def test_a_witness_drops_what_it_does_not_need():
    one, two = library.find("greater-than"), rule_file("", "nothing")
    grid = Solution(Puzzle.blank(4), ((1, 2, 3, 4), (3, 4, 1, 2), (2, 1, 4, 3), (4, 3, 2, 1)))
    signs = [
        Function("gt", sign) for sign in ((1, 2, 1, 1), (1, 1, 1, 2), (2, 2, 2, 1), (1, 3, 1, 4))
    ]
    invented = InventedInputs.of(one.inputs)
    facts, _ = needed_facts(one, two, grid, signs, invented, (), Deadline(None))
    assert facts in ([signs[1]], [signs[3]])


COMPARISON_INSIDE = ":- cell(R,C), cell(R,C+1), #count { N,M : a(R,C,N), a(R,C+1,M), M-N > 2 } > 0."


def test_a_comparison_inside_an_aggregate():
    comparison = compare_rules(
        rule_file(COMPARISON_INSIDE, "one"),
        rule_file(":- a(R,C,N), a(R,C+1,M), M-N > 2.", "two"),
        at(4, 6),
    )
    assert comparison.relation == "same"
    (witness,) = compare_rules(
        rule_file(COMPARISON_INSIDE, "one"), rule_file("", "nothing"), at(4)
    ).witnesses
    rows = witness.grid.rows
    expected = {
        ((r, c), (r, c + 1))
        for r in range(1, 5)
        for c in range(1, 4)
        if rows[r - 1][c] - rows[r - 1][c - 1] > 2
    }
    assert {violation.cells for violation in witness.violations} == expected


def test_the_violation_of_a_rule_that_depends_on_another_not_being_retracted():
    """To look at a grid that violates the row rule, that rule is retracted, which would retract
    this one, too.
    """
    (witness,) = compare_rules(
        rule_file(":- a(1,1,1), not ab(row)."), rule_file("", "nothing"), at(4)
    ).witnesses
    assert [violation.cells for violation in witness.violations] == [((1, 1),)]
    assert (
        compare_rules(
            rule_file(":- a(1,1,1), not ab(row)."), rule_file("", "nothing"), at(4), ["row"]
        ).relation
        == "same"
    )


BOX = "#defined box/3.\n"


def test_a_rule_may_use_predicates_of_the_base():
    one, two = (
        rule_file(BOX + ":- box(R,C,B), a(R,C,B), R = C.", "one"),
        rule_file(":- a(1,1,1).\n:- a(2,2,1).\n:- a(3,3,4). :- a(4,4,4)."),
    )
    assert compare_rules(one, two, at(4)).relation == "same"
    (witness,) = compare_rules(one, rule_file("", "nothing"), at(4)).witnesses
    assert witness.facts == ()
    assert witness.violations
    by_pairs = rule_file(
        BOX + ":- box(R,C,B), box(R1,C1,B), (R,C) < (R1,C1), a(R,C,N), a(R1,C1,N)."
    )
    assert relations(compare_rules(by_pairs, library.find("box"), at(4, 6))) == [
        (4, "same"),
        (6, "same"),
    ]


def test_regions_of_the_puzzle_apply_to_both_rules():
    jigsaw = aspdoku.parse("....\n....\n....\n....\n\n[box]\nA B B B\nA A A B\nC D D D\nC C C D\n")
    box, corners_ = (
        library.find("box"),
        rule_file(BOX + ":- box(1,1,B), box(R,C,B), (R,C) != (1,1), a(1,1,N), a(R,C,N)."),
    )
    comparison = compare_rules(box, corners_, [jigsaw], given_facts=True)
    assert comparison.relation == "one stricter"
    (witness,) = comparison.witnesses
    assert all(
        len({jigsaw_label(cell) for cell in violation.cells}) == 1
        for violation in witness.violations
    )


def jigsaw_label(cell):
    return ("ABBB", "AAAB", "CDDD", "CCCD")[cell[0] - 1][cell[1] - 1]


def test_numbers_of_the_puzzle_are_not_an_input():
    one = rule_file("#defined own_numbers/0.\n:- own_numbers, a(1,1,1).")
    assert compare_rules(one, rule_file("", "nothing"), at(4)).relation == "same"


@pytest.mark.parametrize(
    "text",
    ["N < 4 :- a(1,1,N).", "not a(1,1,4).", "not not a(1,1,N) :- a(1,1,M), M = 4, N = 1..3."],
)
def test_rules_with_a_head_can_be_constraints(text):
    assert (
        compare_rules(rule_file(text, "one"), rule_file(":- a(1,1,4).", "two"), at(4)).relation
        == "same"
    )


def test_weights_that_are_too_large_have_an_error_message():
    with pytest.raises(RuleError, match="integer overflow: the total of the weights"):
        compare_rules(
            rule_file(":- #sum { N*1000000000 : a(1,1,N) } > 5."), rule_file("", "nothing"), at(4)
        )


def test_no_size_without_solutions_is_evidence():
    """There is no 4x4 grid without equal numbers a king's move apart, but there are 6x6 ones."""
    nothing, king = rule_file(":- cell(R,C).", "nothing"), library.find("anti-king")
    assert relations(compare_rules(nothing, king, at(4))) == [(4, "vacuous")]
    assert compare_rules(nothing, king, at(4)).relation == "undecided"
    both = compare_rules(nothing, king, at(4, 9))
    assert relations(both) == [(4, "vacuous"), (9, "one stricter")]
    assert both.relation == "one stricter"


THERMO = "#defined thermo/4.\n"
CORRECT = {
    "thermo": THERMO + ":- thermo(I,K,R,C), thermo(I,L,R1,C1), K<L, a(R,C,N), a(R1,C1,M), M<=N.",
    "killer": """#defined cage/3.  #defined cage_value/2.
:- cage_value(I,S), #sum{N,R,C : cage(R,C,I), a(R,C,N)} != S.
:- cage(R,C,I), cage(R1,C1,I), (R,C) < (R1,C1), a(R,C,N), a(R1,C1,N).
""",
    "arrow": """#defined arrow/4.
:- arrow(I,1,R,C), a(R,C,S), #sum{N,K : arrow(I,K,R1,C1), K > 1, a(R1,C1,N)} != S.
""",
}
SUM_OF_A_SET = """#defined cage/3.  #defined cage_value/2.
:- cage_value(I,S), #sum{N : cage(R,C,I), a(R,C,N)} != S.
"""
WRONG = [
    (
        "thermo",
        THERMO + ":- thermo(I,K,R,C), thermo(I,K+1,R1,C1), a(R,C,N), a(R1,C1,M), M<N.",
        "two",
    ),
    (
        "thermo",
        THERMO + ":- thermo(I,K,R,C), thermo(J,K+1,R1,C1), a(R,C,N), a(R1,C1,M), M<=N.",
        "one",
    ),
    (
        "thermo",
        THERMO + ":- thermo(I,3,R,C), thermo(I,4,R1,C1), a(R,C,N), a(R1,C1,M), M<=N.",
        "two",
    ),
    ("killer", SUM_OF_A_SET, "two"),
    (
        "arrow",
        CORRECT["arrow"].replace("N,K :", "N :"),
        "neither",
    ),
]


@pytest.mark.parametrize("name", CORRECT)
def test_rules_about_cages_and_lines_in_the_usual_form_are_equivalent(name):
    comparison = compare_rules(rule_file(CORRECT[name]), library.find(name), at(4))
    assert relations(comparison) == [(4, "same")]


@pytest.mark.parametrize(("name", "text", "stricter"), WRONG, ids=range(len(WRONG)))
def test_wrong_rules_about_cages_and_lines_are_found_out(name, text, stricter):
    comparison = compare_rules(rule_file(text), library.find(name), at(4))
    assert comparison.relation == (stricter if stricter == "neither" else f"{stricter} stricter")
    for witness in comparison.witnesses:
        assert {fact.name for fact in witness.facts} <= {"thermo", "cage", "cage_value", "arrow"}
        assert witness.violations


@pytest.mark.slow
@pytest.mark.parametrize("name", CORRECT)
def test_rules_about_cages_and_lines_at_the_usual_sizes(name):
    comparison = compare_rules(rule_file(CORRECT[name]), library.find(name), at(6, 9))
    assert relations(comparison) == [(6, "same"), (9, "same")]


# ---- witnesses that may be incomplete ----

READS = "#defined p/1.  % p(N): a number\n:- p(N), a(1,1,N).\n"
DEFINES = "p(1).\n:- p(N), a(1,1,N).\n"
REQUIRES = "#defined p/1.  % p(N): a number\n:- not p(2), a(1,1,1).\n"
REQUIRES_ITS_OWN = "p(1).\n:- not p(2), a(1,1,1).\n"
NEEDS_RETRACTION = ":- a(1,1,1), ab(row).\n"


@pytest.mark.parametrize(
    ("one", "two", "relation"),
    # By hand: p/1 of the second rule is only what it defines, and no fact of a puzzle.
    [(READS, DEFINES, "neither"), (REQUIRES, REQUIRES_ITS_OWN, "two stricter")],
)
def test_an_input_of_one_rule_that_the_other_one_defines(one, two, relation):
    first, second = RuleFile("one", "one.lp", one), RuleFile("two", "two.lp", two)
    for rules in ((first, second), (second, first)):
        compared = compare_rules(*rules, at(4))
        swapped = {"two stricter": "one stricter"} if rules[0] is second else {}
        assert compared.relation == swapped.get(relation, relation)
        assert compared.witnesses
        for witness in compared.witnesses:
            number = witness.grid.rows[0][0]
            reads = Function("p", (number if one == READS else 2,)) in witness.facts
            broken = {
                READS: reads,
                DEFINES: number == 1,
                REQUIRES: number == 1 and not reads,
                REQUIRES_ITS_OWN: number == 1,
            }
            assert broken[witness.violated.text]
            assert not broken[witness.satisfied.text]
            assert [each.cells for each in witness.violations] == [((1, 1),)]


def test_rules_that_a_puzzle_retracts_are_retracted_for_violations():
    rule, other = RuleFile("one", "one.lp", NEEDS_RETRACTION), RuleFile("two", "two.lp", ":- p.")
    for puzzle, without in (
        (Puzzle.blank(4).replace(without=("row",)), ()),
        (Puzzle.blank(4), ("row",)),
    ):
        compared = compare_rules(rule, other, [puzzle], without)
        (witness,) = compared.witnesses
        assert compared.relation == "one stricter"
        assert [each.cells for each in witness.violations] == [((1, 1),)]


def out_of_time(*_, **__):
    raise TimeLimitError("time limit reached")


@pytest.mark.parametrize("number", [0, 1, 2])
def test_the_time_limit_ends_before_all_violations_are_found(number, monkeypatch):
    """Between the grid and its violations, and while its facts are left out."""
    found, calls = equivalence.find_violations, count()
    monkeypatch.setattr(
        equivalence,
        "find_violations",
        lambda *given, **named: (out_of_time if next(calls) >= number else found)(*given, **named),
    )
    mine = RuleFile("mine", "mine.lp", ":- gt(R,C,R1,C1), a(R,C,N), a(R1,C1,M), N < M.\n" + GT)
    compared = compare_rules(library.find("greater-than"), mine, at(4))
    assert compared.relation == "one stricter"
    (witness,) = compared.witnesses
    assert bool(witness.violations) == (number > 0)
    assert witness.facts
    text = str(Equivalence(compared))
    words = "forbids this grid (in which cells, was not found in time), and mine.lp allows it"
    assert (words in text) == (number == 0)
    assert len(Equivalence(compared).to_json()["witnesses"][0]["violations"]) == len(
        witness.violations
    )
    assert all(section.pictures for section in Equivalence(compared).sections()[1:])
    exercise = Exercise(mine, "the exercise", tuple(at(4)))
    marked = Assessment("greater-than.lp", "too strict", (), compared)
    assert "Your rule is too strict: greater-than.lp" in grading_text(marked, "the exercise")
    cells = grading_json([marked], "x")["files"][0]["witnesses"][0]["cells"]
    assert cells == list(map(list, witness.cells))
    assert "Your rule is too strict" in grading_page([marked], exercise)
    assert "too strict" in junit_xml([marked], "the exercise")
    assert gradescope_results([marked], "the exercise", 1)


# ---- different inputs ----

STONES = "#defined stone/2.  % stone(R,C): a stone\n:- stone(R,C), a(R,C,1).\n"
FREE = "#defined stone/2.  % stone(R,C): a stone\n:- cell(1,1), a(1,1,1), stone(1,1).\n"
MORE = "#defined extra/2.  % extra(R,C): more\n" + STONES + ":- extra(R,C), a(R,C,2).\n"
UNUSED = "#defined other/2.  % other(R,C): not used\n" + STONES.replace("stone", "pebble")


@pytest.mark.parametrize(
    ("one", "two", "words"),
    [
        (
            STONES,
            library.find("even").text,
            "only one.lp reads stone/2, and only two.lp reads even/2",
        ),
        (MORE, UNUSED, "only one.lp reads extra/2 and stone/2, and only two.lp reads pebble/2"),
        (STONES, STONES, ""),
        (STONES, FREE, ""),
        (STONES, MORE, ""),
        (STONES, ":- a(1,1,1).\n", ""),
        (STONES, "stone(1,1).\n:- stone(R,C), a(R,C,1).\n", ""),
    ],
)
def test_rules_that_read_different_inputs_cannot_be_compared(one, two, words):
    first, second = RuleFile("one", "one.lp", one), RuleFile("two", "two.lp", two)
    if not words:
        assert compare_rules(first, second, at(4)).relation != "undecided"
        return
    with pytest.raises(RuleError) as error:
        compare_rules(first, second, at(4))
    assert f"one.lp and two.lp cannot be compared: {words}; give them" in str(error.value)
    assert str(pickle.loads(pickle.dumps(error.value))) == str(error.value)


def test_rules_with_different_inputs_are_compared_on_a_puzzle_with_facts_for_both():
    """Cages as cages and as cages of other names, with the sum of two cells."""
    facts = "cage(1,1,1). cage(1,2,1). cage_value(1,{}). sum_cage(1,1,1). sum_cage(1,2,1)."
    for first, second, relation in ((3, 3, "same"), (3, 7, "neither")):
        text = (
            f"....\n....\n....\n....\n[facts]\n{facts.format(first)} sum_cage_value(1,{second}).\n"
        )
        compared = aspdoku.equivalent("killer", "sum-cage", aspdoku.parse(text))
        assert compared.relation == relation
    with pytest.raises(RuleError, match="cannot be compared"):
        aspdoku.equivalent("killer", "sum-cage", Puzzle.blank(4))


@pytest.mark.parametrize("marked", ["killer", "sum-cage"])
@pytest.mark.parametrize(("first", "second"), [("killer", "sum-cage"), ("sum-cage", "killer")])
def test_a_puzzle_with_facts_for_one_of_two_rules_does_not_compare_them(first, second, marked):
    with pytest.raises(RuleError, match="cannot be compared") as error:
        aspdoku.equivalent(first, second, f"example:{marked}")
    assert error.value.exit_code == 65


def test_a_comparison_over_the_facts_of_a_puzzle_says_so():
    words = "this holds for the facts of the puzzle"
    over = "cage(1,1,1). cage(1,2,1). sum_cage(1,1,1). sum_cage(1,2,1)."
    puzzle = aspdoku.parse(f"{BLANK}[facts]\n{over}\n")
    on_puzzle = aspdoku.equivalent("killer", "sum-cage", puzzle)
    assert words in str(on_puzzle).splitlines()
    assert on_puzzle.to_json()["of_puzzle"] is True
    anywhere = aspdoku.equivalent("killer", "killer", size=4)
    assert words not in str(anywhere)
    assert "of_puzzle" not in anywhere.to_json()
    assert words not in str(aspdoku.equivalent("anti-knight", "anti-king", puzzle))


# ---- sections, as the two files declare them together ----

BLANK = "....\n....\n....\n....\n"
LEAST = "#defined mark/3.  % mark(R,C,V): at least V\n:- mark(R,C,V), a(R,C,N), N < V{}.\n"
PEAKS = f"{BLANK}[mark]\n3 . . .\n. 3 . .\n. . . .\n. . . .\n"
POINT = "#defined m/2.  % m(R,C): no 1\n:- m(R,C), a(R,C,1).\n"


@pytest.mark.parametrize(
    ("one", "two", "puzzle", "facts"),
    [
        (LEAST.format(""), LEAST.format(", N != 1"), PEAKS, ["mark(1,1,3)", "mark(2,2,3)"]),
        (POINT, ":- a(1,1,1), a(2,2,2).\n", f"{BLANK}[m]\nr1c1\n", ["m(1,1)"]),
    ],
)
@pytest.mark.parametrize("swapped", [False, True])
def test_a_witness_is_explained_with_the_facts_of_the_search(one, two, puzzle, facts, swapped):
    """Only a 1 in a marked cell tells the rules apart, and the second file may not declare it."""
    files = [RuleFile("one", "one.lp", one), RuleFile("two", "two.lp", two)]
    compared = aspdoku.equivalent(*files[:: -1 if swapped else 1], aspdoku.parse(puzzle)).data
    (witness,) = (each for each in compared.witnesses if each.violated == files[0])
    assert list(map(str, witness.facts)) == facts
    marked = {fact.arguments[:2] for fact in witness.facts}
    cells = {cell for violation in witness.violations for cell in violation.cells}
    ones = {cell for cell in marked if witness.grid[cell] == 1}
    assert ones
    assert ones <= cells <= {cell for cell in marked if witness.grid[cell] < 3}


def test_each_rule_defines_what_it_uses():
    """A predicate that only the other rule defines is always false in a program with this one."""
    with pytest.raises(RuleError, match="undefined predicate q/1"):
        aspdoku.equivalent(
            aspdoku.RuleFile.from_text("one", ":- q(N), a(1,1,N).\n"),
            aspdoku.RuleFile.from_text("two", "q(1).\n:- q(N), a(1,1,N).\n"),
        )


def test_the_column_of_an_undefined_predicate_counts_characters():
    text = ':- a(1,1,N), "äöü" != "x", q(N).\n'
    place = f"one.lp:1:{text.index('q(N)') + 1}: "
    with pytest.raises(RuleError, match=re.escape(f"{place}undefined predicate q/1")):
        aspdoku.equivalent(aspdoku.RuleFile.from_text("one", text), "anti-knight")


@pytest.mark.parametrize(("distance", "equal"), [(1, True), (2, False)])
def test_rules_with_words_of_the_vocabulary(distance, equal):
    """As `nonconsecutive`, with the pairs of cells written out."""
    own = rule_file(f":- a(R,C,N), a(R1,C1,M), |R-R1| + |C-C1| = {distance}, |N-M| = 1.", "mine")
    assert bool(aspdoku.equivalent("nonconsecutive", own, size=6)) == equal
    assert bool(aspdoku.equivalent(own, "nonconsecutive", size=6)) == equal


@pytest.mark.parametrize("equal", [True, False])
def test_rules_with_the_cells_that_an_edge_sees(equal):
    """As `no-ties` on 4x4, with the lines written out: no two of them are the same four cells."""
    ends = {
        "left": "a(J,1,A), a(J,2,B), a(J,3,C), a(J,4,D)",
        "right": "a(J,4,A), a(J,3,B), a(J,2,C), a(J,1,D)",
        "top": "a(1,J,A), a(2,J,B), a(3,J,C), a(4,J,D)",
        "bottom": "a(4,J,A), a(3,J,B), a(2,J,C), a(1,J,D)",
    }
    lines = [f"mine({edge},J,(A,B,C,D)) :- {cells}." for edge, cells in ends.items()]
    differ = ":- mine(E,J,L), mine(E1,J1,L), (E,J) < (E1,J1)"
    differ += "." if equal else ", E = left, E1 = right."
    own = rule_file("\n".join([*lines, differ]), "mine")
    assert bool(aspdoku.equivalent("no-ties", own, size=4)) == equal
    assert bool(aspdoku.equivalent(own, "no-ties", size=4)) == equal
