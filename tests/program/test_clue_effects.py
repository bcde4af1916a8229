"""Clues that an exception removes, and clues that only forbid grids: compared with the solutions
that plain clingo finds for puzzles without them.
"""

from functools import cache
from random import Random

import clingo
import pytest
from in_one_test import in_one_test
from rule_files import rule_file
from rule_semantics import RULE_SEMANTICS
from sampling import one_in

import aspdoku
from aspdoku.engine.clues import clues, exceptions
from aspdoku.program import assemble, compose, library
from aspdoku.program.clue_effects import exception_for_clues, only_add_constraints
from aspdoku.puzzle import Function, Puzzle

WITH_INPUTS = sorted(name for name in RULE_SEMANTICS if library.find(name).inputs)
# Lines and cages with sums, whose clues are removed by exceptions for the sake of speed.
WITH_EXCEPTIONS = {"arrow", "between", "killer", "renban", "sum-line", "thermo", "whispers"}
CAGES = "#defined mine/2. % mine(R,I): x\n#defined mine_value/2. % mine_value(I,S): x\n"
MINE = frozenset({(("mine", 2), 1), (("mine_value", 2), 0)})


@cache
def grids(text):
    """The grids of the solutions of a program."""
    control = clingo.Control(["--eq=0", "--project=show", "0"], logger=lambda *_: None)
    control.add("base", [], text + "\n#show. #show a/3.")
    control.ground([("base", [])])
    with control.solve(yield_=True) as handle:
        return frozenset(frozenset(map(str, model.symbols(shown=True))) for model in handle)


def text_of(name, facts):
    return compose(Puzzle.blank(4).replace(facts=tuple(facts)), name).text


def random_facts(name, seed):
    drawn = RULE_SEMANTICS[name].example(Random(f"{name} {seed}"), 4)
    return [Function(key, arguments) for key, every in drawn.items() for arguments in every]


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("name", one_in(4, WITH_INPUTS))
def test_an_exception_has_the_effect_of_removing_the_clue(name):
    removed = 0
    for seed in range(2):
        facts = random_facts(name, seed)
        program = compose(Puzzle.blank(4).replace(facts=tuple(facts)), name)
        for clue, exception in exceptions(program, clues(program)).items():
            rest = [fact for fact in facts if fact not in clue.facts]
            assert grids(text_of(name, rest)) == grids(text_of(name, [*facts, exception]))
            removed += 1
    assert removed or name not in WITH_EXCEPTIONS


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("name", one_in(4, WITH_INPUTS))
def test_clues_that_only_add_constraints_allow_no_grid(name):
    files = frozenset(part.rule for part in compose(Puzzle.blank(4), name).parts)
    inputs = frozenset(item.signature for item in library.find(name).inputs)
    if not only_add_constraints(files, inputs):
        # Otherwise the test would be empty for the very rules that it is about.
        assert name not in {"black-dots", "greater-than", "thermo", "white-dots", "xv"}
        return
    rng = Random(name)
    for seed in range(2):
        facts = random_facts(name, seed)
        for _ in range(2):
            some = [fact for fact in facts if rng.random() < 0.7]
            assert grids(text_of(name, facts)) <= grids(text_of(name, some))


@pytest.mark.parametrize(
    "text",
    [
        ":- mine(R,I), a(R,1,1), not ab(mine,I).",
        ":- mine_value(I,S), #sum { N,R : a(R,1,N), mine(R,I) } != S, not ab(mine,I).",
        "mine_first(R,I) :- mine(R,I), not mine(R-1,I).\n"
        ":- mine_first(R,I), a(R,1,1), not ab(mine,I).",
        ":- mine(R,I), a(R,1,1), not ab(mine), not ab(mine,I).\n:- a(1,1,4), not ab(mine).",
    ],
)
def test_exceptions_that_are_recognized(text):
    assert recognized(CAGES + text) == "mine"


@in_one_test(
    ("text", "reason"),
    [
        (":- mine(R,I), a(R,1,1).", "no exception"),
        (":- mine(R,I), a(R,1,1), not ab(mine,R).", "an exception for something else"),
        (":- mine(R,I), a(R,1,1), not ab(mine,I;R).", "an exception for two things"),
        (":- mine(R,I), a(R,1,1), ab(mine,I).", "the opposite"),
        (":- mine(R,I), a(R,1,1), not ab(mine,I). :- mine(R,I), a(R,1,2).", "one has no exception"),
        (
            ":- mine(R,I), a(R,1,1), not ab(mine,I). :- mine(R,I), a(R,1,2), not ab(yours,I).",
            "exceptions of two names",
        ),
        (":- mine(R,I), mine(R,I1), I < I1, a(R,1,1), not ab(mine,I).", "two clues"),
        (":- mine(R,I), not mine(R,2), a(R,1,1), not ab(mine,I).", "another clue"),
        (":- mine(R,I), a(R,1,1), #count { J : mine(_,J) } = 1, not ab(mine,I).", "all clues"),
        (":- number(I), not mine(1,I), a(1,1,I), not ab(mine,I).", "without the clue"),
        (
            "mine_row(R) :- mine(R,I).\n:- mine(R,I), mine_row(R), a(R,1,1), not ab(mine,I).",
            "derived without the name",
        ),
        (
            "{ mine_odd(I) } :- mine(_,I).\n:- mine(R,I), mine_odd(I), a(R,1,1), not ab(mine,I).",
            "a choice",
        ),
        (
            "mine_odd(I) :- mine(_,I), not mine_odd(I).\n:- mine(R,I), a(R,1,1), not ab(mine,I).",
            "a constraint by negation",
        ),
        ("mine(1,1).\n:- mine(R,I), a(R,1,1), not ab(mine,I).", "a fact of the rule"),
        (
            ":- mine(R,I), a(R,1,1), not ab(mine,I).\n:- number(N), a(1,1,N), not ab(mine,N).",
            "an exception for numbers",
        ),
        (
            "ab(mine,1) :- a(1,1,1).\n:- mine(R,I), a(R,1,1), not ab(mine,I).",
            "an exception that follows",
        ),
        (":- mine(R,I), a(R,1,1), not ab(mine,I).\n#minimize { 1,I : mine(_,I) }.", "an optimum"),
        ("-mine(1,1).\n:- mine(R,I), a(R,1,1), not ab(mine,I).", "a contradiction"),
        (
            "-mine(R,N) :- a(R,1,1), number(N).\n:- mine(R,I), a(R,1,2), not ab(mine,I).",
            "a contradiction that follows",
        ),
        (
            "-mine_odd(I) :- mine(R,I).\n:- mine(R,I), a(R,1,2), not ab(mine,I).",
            "the opposite of something derived",
        ),
        (
            "mine_odd(I) :- mine(R,I). -mine_odd(1) :- a(1,1,1).\n"
            ":- mine(R,I), a(R,1,2), not ab(mine,I).",
            "a contradiction with something derived",
        ),
        (
            "ab(mine,I) :- mine(1,I), a(1,1,1).\n:- mine(R,I), a(R,1,1), not ab(mine,I).",
            "an exception that follows from the clue",
        ),
        (
            "-ab(mine,I) :- mine(1,I).\n:- mine(R,I), a(R,1,1), not ab(mine,I).",
            "no exception is allowed",
        ),
        (':- mine(R,I), a(R,1,1), not ab("mine",I).', "a string"),
        (":- mine(R,I), a(R,1,1), not ab(7,I).", "a number"),
        (":- mine(R,I), a(R,1,1), not ab(mine,I).\n#show x : mine(R,I).", "shown with the clue"),
        ("#external mine(1,1).\n:- mine(R,I), a(R,1,1), not ab(mine,I).", "an external clue"),
        (":- mine(R,(1;2)), a(R,1,1), not ab(mine,1).", "a pool"),
        (":- mine(R,1..2), a(R,1,1), not ab(mine,1).", "an interval"),
        (":- mine(R,_), a(R,1,1), not ab(mine,_).", "any clue"),
    ],
)
def test_exceptions_that_are_not_recognized(text, reason):
    assert recognized(CAGES + text) == "", reason


def recognized(text, *others):
    """Without the rule on boxes, which has exceptions of its own."""
    return exception_for_clues(rule_file(text), frozenset([library.base(), *others]), MINE)


def test_other_files_that_use_the_clues_or_choose_exceptions():
    text = CAGES + ":- mine(R,I), a(R,1,1), not ab(mine,I)."
    assert recognized(text, rule_file(":- a(1,1,1).", "yours")) == "mine"
    for other in (":- mine(R,I), a(R,1,2).", "{ ab(mine,1) }.", "{ ab(X,1) } :- X = mine."):
        assert recognized(text, rule_file(other, "yours")) == ""


def test_facts_about_what_is_derived():
    rule = rule_file(
        f"{CAGES}mine_row(R,I) :- mine(R,I).\n:- mine_row(R,I), a(R,1,2), not ab(mine,I)."
    )
    files = frozenset([library.base()])
    assert exception_for_clues(rule, files, MINE, frozenset({("mine", 2)})) == "mine"
    assert exception_for_clues(rule, files, MINE, frozenset({("mine_row", 2)})) == ""


@pytest.mark.parametrize("constants", [{"killer": 3}, {"x": "killer"}])
def test_a_name_that_is_a_constant_is_not_used(constants):
    puzzle = Puzzle.blank(4).replace(facts=(Function("cage", (1, 1, 1)),))
    program = assemble(puzzle, [library.base(), library.find("killer")], constants=constants)
    assert exceptions(program, clues(program)) == {}


OPPOSITE = """\
#defined mine/3.  % mine(R,C,I): x
#defined ab/1.  #defined ab/2.
-mine(R,C,N) :- a(R,C,1), number(N).
:- mine(R,C,I), a(R,C,2), not ab(mine), not ab(mine,I).
"""


@pytest.mark.parametrize("seed", range(1, 6))
def test_a_puzzle_whose_clues_contradict_what_follows_stays_unique(seed):
    cells = [(1, 1), (2, 2), (3, 2), (4, 4)]  # they hold 3 or 4
    facts = tuple(Function("mine", (*cell, name)) for name, cell in enumerate(cells, 1))
    puzzle = Puzzle(((3, 1, 2, 4), (2, 4, 3, 1), (1, 3, 4, 2), (4, 2, 1, 3))).replace(facts=facts)
    rule = rule_file(OPPOSITE)
    fewer = aspdoku.minimise(puzzle, with_=rule, seed=seed).puzzle
    assert len(grids(compose(fewer, rule).text)) == 1


def test_an_exception_that_the_puzzle_has_is_not_used():
    puzzle = Puzzle.blank(4).replace(facts=(cage := Function("cage", (1, 1, 1)),))
    for extra, count in ((), 1), ((Function("ab", (Function("killer"), 1)),), 0):
        program = assemble(
            puzzle.replace(facts=(cage, *extra)), [library.base(), library.find("killer")]
        )
        assert len(exceptions(program, clues(program))) == count


@in_one_test(
    ("text", "expected"),
    [
        (":- mine(R,I), a(R,1,1).", True),
        ("mine_row(R) :- mine(R,I), a(R,1,1).\n:- mine_row(R), a(R,2,2).", True),
        (":- mine(R,I), not a(R,1,1).", True),
        (":- not mine(1,1), a(1,1,1).", False),
        (":- a(1,1,1), 1 { mine(R,1) }.", False),
        (":- a(1,1,1), mine(R,1) : row(R).", False),
        ("mine_row(R) :- mine(R,I).\n:- not mine_row(1), a(1,1,1).", False),
        ("{ mine_odd(I) } :- mine(_,I).\n:- not mine_odd(1), a(1,1,1).", False),
        ("not not mine(1,1) :- a(1,1,1).", False),
        ("mine_odd(1) ; mine_odd(2) :- mine(1,1).", False),
    ],
)
def test_clues_that_are_only_required(text, expected):
    files = frozenset([library.base(), *library.defaults(), rule_file(CAGES + text)])
    assert only_add_constraints(files, frozenset({("mine", 2)})) is expected
