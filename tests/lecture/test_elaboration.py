"""The elaboration report, step by step; the oracle counts the solutions and checks the grids."""

from dataclasses import replace
from functools import cache
from pathlib import Path

import oracle
import pytest
from choice_semantics import VARIANTS
from rule_semantics import RULE_SEMANTICS

import aspdoku
from aspdoku.lecture.elaboration import elaborate
from aspdoku.program import RuleFile, library
from aspdoku.puzzle import Puzzle
from aspdoku.questions.elaborate import CAVEAT, step_facts

INSTANCES = Path(__file__).parents[2] / "instances"
BLANK = Puzzle.blank(4)
SIGN = (((1, 1), (1, 2)),)
CHAIN = {"A": ((1, 1), (2, 2), (3, 2), (4, 3))}
CAGE = (oracle.Cage(((1, 1), (2, 1)), 5, "A"),)
RULES = {
    "anti-knight": replace(oracle.CLASSIC, anti_knight=True),
    "offset": replace(oracle.CLASSIC, offset=True),
    "greater-than": replace(oracle.CLASSIC, greater_than=SIGN),
    "chain": replace(oracle.CLASSIC, chains=CHAIN),
    "killer": replace(oracle.CLASSIC, cages=CAGE),
}


def rules_of(*names):
    return [library.find(name) for name in names]


def puzzle_of(name):
    example = library.find(name).example
    return aspdoku.parse(f"....\n....\n....\n....\n[facts]\n{example}") if example else BLANK


@cache
def report_on(name):
    return elaborate(puzzle_of(name), rules_of("box", name))


def counted(rules):
    return len(oracle.solutions(BLANK.grid, rules))


@pytest.mark.slow
def test_boards_only_add_to_the_text_and_retract_by_facts():
    """The boxes of the puzzle are those of the boards at each step."""
    puzzle = aspdoku.read(INSTANCES / "boards/oblong.txt")
    report = elaborate(puzzle, rules_of("box", "boards"))
    names = ["box", "boards", "without row", "without column"]
    assert [step.name for step in report.steps] == names
    assert [step.text_diff.removed for step in (*report.steps, report.combined)] == [()] * 5
    assert {step.contract.kind for step in report.steps} == {"restricts", "redefines", "parameter"}
    boards = report.steps[1].ground_diff
    assert {line.place for line in boards.lost} == {"asp/base.lp"}  # the unused cells
    *_, columns = report.steps
    assert columns.counts[-1].after == 1


def test_the_oracle_knows_all_bundled_elaborations():
    assert {*RULES, *RULE_SEMANTICS, *VARIANTS, "box", "extra-cell"} == set(library.rule_names())


@pytest.mark.slow
@pytest.mark.parametrize("name", RULES)
def test_the_number_of_solutions_is_that_of_the_oracle(name):
    steps = report_on(name).steps
    # Solutions are counted on a blank 4x4 grid, where rules about signs, chains and cages have no
    # effect.
    own = [step.counts[-1] for step in steps]
    assert all(count.size == 4 and count.before_exact and count.after_exact for count in own)
    assert [(count.before, count.after) for count in own] == [
        (counted(oracle.LATIN), counted(oracle.CLASSIC)),
        (counted(oracle.CLASSIC), counted(RULES[name])),
    ]


@pytest.mark.parametrize(
    ("names", "without", "counts"),
    [
        (["box"], [], [(576, 288)]),
        (["box", "anti-knight"], [], [(576, 288), (288, 24)]),
        (["box", "offset"], [], [(576, 288), (288, 168)]),
        (["box"], ["box"], [(576, 288), (288, 576)]),
        (["anti-knight", "box"], ["anti-knight"], [(576, 96), (96, 24), (24, 288)]),
    ],
)
def test_each_step_is_counted_before_and_after(names, without, counts):
    found = elaborate(BLANK.replace(without=tuple(without)), rules_of(*names))
    assert [(step.counts[0].before, step.counts[0].after) for step in found.steps] == counts
    if len(counts) > 1:
        assert (found.combined.counts[0].before, found.combined.counts[0].after) == (
            counts[0][0],
            counts[-1][1],
        )
    else:
        assert found.combined is None


def test_counting_stops_at_the_limit_and_is_marked_inexact():
    count = elaborate(Puzzle.blank(6), rules_of("box"), limit=7).steps[0].counts
    assert [
        (each.size, each.before, each.before_exact, each.after, each.after_exact) for each in count
    ] == [
        (4, 576, True, 288, True),
        (6, 7, False, 7, False),
    ]


@pytest.mark.parametrize("name", RULES)
def test_the_forbidden_grid_was_allowed_before_and_violates_the_rule(name):
    box, step = report_on(name).steps
    assert not oracle.violations(box.forbidden.grid.rows, BLANK.grid, oracle.LATIN)
    assert oracle.violations(box.forbidden.grid.rows, BLANK.grid, oracle.CLASSIC)
    assert not oracle.violations(step.forbidden.grid.rows, BLANK.grid, oracle.CLASSIC)
    assert oracle.violations(step.forbidden.grid.rows, BLANK.grid, RULES[name])
    texts = library.find(name).text.splitlines()
    assert all(
        texts[violation.line - 1].startswith(":-") and violation.place == step.place
        for violation in step.forbidden.violations
    )


@pytest.mark.parametrize(
    "puzzle", [BLANK, Puzzle.blank(9), aspdoku.parse("1 2 . .\n. . . .\n. . . .\n. . . .")]
)
def test_the_marked_cells_are_a_knights_move_apart_and_hold_the_same_number(puzzle):
    forbidden = elaborate(puzzle, rules_of("box", "anti-knight"), limit=1).steps[1].forbidden
    grid = forbidden.grid.rows
    assert not oracle.violations(grid, puzzle.grid, oracle.CLASSIC)
    twins = {tuple(sorted(pair)) for pair in oracle.equal_pairs(grid, oracle.knights_move)}
    assert {violation.cells for violation in forbidden.violations} == twins != set()


@pytest.mark.slow_cases("6")
@pytest.mark.parametrize("size", [4, 6])
def test_without_box_adds_a_fact_and_allows_another_grid(size):
    puzzle = Puzzle.blank(size).replace(without=("box",))
    step = elaborate(puzzle, rules_of("box"), limit=1).steps[1]
    assert ([each.text for each in step.text_diff.added], step.text_diff.removed) == (
        ["ab(box)."],
        (),
    )
    assert all(file.untouched for file in step.text_diff.kept)
    assert not oracle.violations(step.allowed.grid.rows, puzzle.grid, oracle.LATIN)
    assert oracle.violations(step.allowed.grid.rows, puzzle.grid, oracle.CLASSIC)
    assert (step.forbidden, step.contract.kind) == (None, "parameter")
    assert step.allowed.violations
    same_box = oracle.same_box(*oracle.CLASSIC.shape(size))
    for violation in step.allowed.violations:
        assert all(same_box(violation.cells[0], cell) for cell in violation.cells)
    assert (step.ground_diff.removed, step.ground_diff.kept) == (
        2 * size**2,
        step.ground_diff.before - 2 * size**2,
    )


@pytest.mark.slow
def test_an_exception_of_the_puzzle_is_a_separate_step():
    puzzle = aspdoku.read(INSTANCES / "lessons" / "except-the-fives.txt")
    step = elaborate(puzzle, rules_of("box", "anti-knight"), limit=2).steps[2]
    assert step.place == "ab(anti_knight,5)."
    assert ([each.text for each in step.text_diff.added], step.text_diff.removed) == (
        ["ab(anti_knight,5)."],
        (),
    )
    grid = step.allowed.grid.rows
    assert not oracle.violations(grid, puzzle.grid, oracle.CLASSIC)
    assert {
        oracle.number(grid, cell)
        for pair in oracle.equal_pairs(grid, oracle.knights_move)
        for cell in pair
    } == {5}
    assert {violation.cells for violation in step.allowed.violations} == {
        tuple(sorted(pair)) for pair in oracle.equal_pairs(grid, oracle.knights_move)
    }


HOOK = """#defined hole/2.
number(1..n).  row(1..n).  column(1..n).
cell(R,C) :- row(R), column(C).
{ a(R,C,N) : number(N) } = 1 :- cell(R,C).
:- a(R,C,N), a(R,C1,N), C < C1, not hole(R,C).
:- a(R,C,N), a(R1,C,N), R < R1, not hole(R,C).
"""


def test_a_fact_for_a_hook_of_the_base_removes_ground_rules():
    base = RuleFile("base", "hook.lp", HOOK)
    step = elaborate(BLANK, [RuleFile("holes", "holes.lp", "hole(1,1).\n")], base=base).steps[0]
    assert step.text_diff.added == (("hole(1,1).", "holes.lp", 1),)
    assert step.text_diff.removed == ()
    assert step.text_diff.kept[0].untouched
    assert step.contract.kind == "parameter"
    # For each number, the three cells to the right of r1c1, and the three below it.
    assert (step.ground_diff.removed, step.ground_diff.simplified, step.ground_diff.added) == (
        4 * (3 + 3),
        0,
        0,
    )
    assert [(line.line, line.rules) for line in step.ground_diff.lost] == [(5, 12), (6, 12)]
    assert ("but", CAVEAT) in step_facts(step)
    assert step.counts[0].after > step.counts[0].before == 576


def test_the_caveat_is_omitted_if_no_ground_rule_is_lost():
    assert all(
        heading != "but"
        for step in report_on("anti-knight").steps
        for heading, _ in step_facts(step)
    )


SILENT = [
    # a file, and why no forbidden grid is shown
    (
        "{ lucky(N) } :- number(N).\n:- lucky(1).",
        "none found: up to 50 solutions of the program before were tested",
    ),
    (":- a(1,1,N), a(1,2,N).", "it forbids no solution of this puzzle"),
    ("odd(1).", "it forbids no solution of this puzzle"),
]


@pytest.mark.parametrize(("text", "why"), SILENT)
def test_the_reason_for_no_forbidden_grid(text, why):
    step = elaborate(BLANK, [RuleFile("mine", "mine.lp", text)]).steps[0]
    assert step.forbidden is None
    assert why in step.no_example_reason


CHANGES = [
    # files that do not only restrict: their contract, and whether solutions are removed and added
    ("a(1,1,1).", "redefines", True, False),
    ("ab(box).", "parameter", False, True),
    ("ab(box). :- a(1,1,1).", "parameter", True, True),
    ("a(R,C,N) :- a(C,R,N).", "redefines", True, False),
    (
        "mine(1..2). { lucky }. :- lucky, a(1,1,1). :- not lucky, not a(1,1,4).",
        "extends",
        True,
        False,
    ),
]


@pytest.mark.parametrize(("text", "kind", "goes", "comes"), CHANGES)
def test_a_file_that_changes_the_game_excludes_and_adds_grids(text, kind, goes, comes):
    before = oracle.solutions(BLANK.grid, oracle.CLASSIC)
    step = elaborate(BLANK, [*rules_of("box"), RuleFile("mine", "mine.lp", text)]).steps[1]
    assert step.contract.kind == kind
    assert (step.forbidden is not None, step.allowed is not None) == (goes, comes)
    if goes:
        assert [list(row) for row in step.forbidden.grid.rows] in before
        cells = {violation.cells for violation in step.forbidden.violations}
        assert (((1, 1),) in cells) == (":- a(1,1,1)." in text)
        assert not cells or "lucky" not in text
    if comes:
        assert [list(row) for row in step.allowed.grid.rows] not in before
        assert not oracle.violations(step.allowed.grid.rows, BLANK.grid, oracle.LATIN)


def test_all_files_of_the_last_program_are_listed():
    found = elaborate(BLANK.replace(without=("box",)), rules_of("box", "anti-knight"))
    assert [file.place for file in found.files] == [
        "asp/base.lp",
        *(f"asp/elaborations/{name}.lp" for name in ("box", "anti-knight")),
    ]
    assert all(file.untouched for file in found.files)
