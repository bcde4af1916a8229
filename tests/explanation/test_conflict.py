"""Explanations of why a puzzle has no solution.

Conflicts of two givens are compared with a scan of the grid, others with the search of
tests/oracle.py.
"""

from dataclasses import replace
from functools import cache
from itertools import combinations
from random import Random

import oracle
import pytest
from instance_files import AS_PRINTED, SOLVED
from rule_files import rule_file
from sampling import one_in
from work_limit import WorkLimit

import aspdoku
from aspdoku.errors import TimeLimitError
from aspdoku.explanation.conflict import MOST_RULES, ConflictExplanation, explain_conflict
from aspdoku.explanation.constraints import ConstraintModel
from aspdoku.explanation.steps import Claim
from aspdoku.program import RuleFile, assemble, compose, library

CLASSIC = oracle.CLASSIC
KNIGHT = replace(CLASSIC, anti_knight=True)
RULES = {"classic": CLASSIC, "anti-knight": KNIGHT, "offset": replace(CLASSIC, offset=True)}


def program(text, *rules, without=()):
    files = [library.find(each) if isinstance(each, str) else each for each in rules]
    return assemble(aspdoku.parse(text), [library.base(), library.find("box"), *files], without)


def claims_in(grid):
    return {
        Claim(r, c, n, True) for r, row in enumerate(grid, 1) for c, n in enumerate(row, 1) if n
    }


def with_only(size, claims):
    grid = [[None] * size for _ in range(size)]
    for claim in claims:
        grid[claim.row - 1][claim.column - 1] = claim.number
    return grid


def solvable(size, claims, rules=CLASSIC):
    return bool(oracle.solutions(with_only(size, claims), rules, limit=1))


def as_text(grid):
    return "\n".join(" ".join(str(n) if n else "." for n in row) for row in grid)


# ---- The misprints of the slides ----


def direct_conflicts(grid, rules):
    """The pairs of equal givens in a row, column or box, or in other cells that must differ."""
    size = len(grid)
    relations = [oracle.same_row, oracle.same_column, oracle.same_box(*rules.shape(size))]
    relations += [oracle.knights_move] if rules.anti_knight else []
    relations += [oracle.same_box_position(*rules.shape(size))] if rules.offset else []
    pairs = combinations(sorted(claims_in(grid)), 2)
    return {
        (a, b)
        for a, b in pairs
        if a.number == b.number and any(related(a[:2], b[:2]) for related in relations)
    }


@pytest.mark.slow_cases("anti-knight")
@pytest.mark.parametrize("file", AS_PRINTED, ids=lambda file: file.stem)
def test_conflicts_of_equal_givens_are_those_of_a_scan(file):
    grid = oracle.read_grid(file.read_text())
    expected = direct_conflicts(grid, RULES[file.stem])
    assert expected
    found = explain_conflict(
        compose(aspdoku.read(file), *([] if file.stem == "classic" else [file.stem]))
    )
    assert found.cause == "givens"
    assert {
        pair for conflict in found.conflicts for pair in combinations(sorted(conflict.givens), 2)
    } == expected
    assert len({conflict.givens for conflict in found.conflicts}) == len(found.conflicts)
    assert all(conflict.rules for conflict in found.conflicts)
    assert found.steps == ()
    for claim in found.repairs:
        assert oracle.solutions(with_only(9, claims_in(grid) - {claim}), RULES[file.stem], limit=1)


# A grid, the conflicting cells, and the messages of the rules that they violate.
PAIRS = [
    ("1..1\n....\n....\n....", "r1c1 r1c4", {"row 1 has at most one 1"}),
    ("2...\n....\n....\n2...", "r1c1 r4c1", {"column 1 has at most one 2"}),
    ("3...\n.3..\n....\n....", "r1c1 r2c2", {"box 1 has at most one 3"}),
    ("44..\n....\n....\n....", "r1c1 r1c2", {"row 1 has at most one 4", "box 1 has at most one 4"}),
    (
        "....\n....\n...1\n...1",
        "r3c4 r4c4",
        {"column 4 has at most one 1", "box 4 has at most one 1"},
    ),
]


@pytest.mark.parametrize(("text", "cells", "words"), PAIRS)
def test_two_givens_conflict_by_all_rules_that_they_violate(text, cells, words):
    (conflict,) = explain_conflict(program(text)).conflicts
    assert " ".join(f"r{claim.row}c{claim.column}" for claim in conflict.givens) == cells
    assert {each.words for each in conflict.rules} == words


# ---- Conflicts that need a search ----


@cache
def conflict_of(size, seed, name):
    made = program(as_text(broken(size, seed, name)), *([] if name == "classic" else [name]))
    return made, explain_conflict(made, proof=True)


@cache
def broken(size, seed, name):
    """Some cells of a solution as givens, one of them wrong, so that no two givens conflict
    directly.
    """
    rng, rules = Random(seed), RULES[name]
    solutions = LISTS[size, name]()
    while True:
        solution = rng.choice(solutions)
        claims = set(rng.sample(sorted(claims_in(solution)), rng.randint(size, 2 * size)))
        victim = rng.choice(sorted(claims))
        claims = claims - {victim} | {
            victim._replace(
                number=rng.choice([n for n in range(1, size + 1) if n != victim.number])
            )
        }
        grid = with_only(size, claims)
        if not direct_conflicts(grid, rules) and not solvable(size, claims, rules):
            return grid


@cache
def fours():
    return oracle.solutions([[None] * 4] * 4, CLASSIC)


@cache
def knights():
    return oracle.solutions([[None] * 4] * 4, KNIGHT)


@cache
def sixes():
    first = [[1, 2, 3, 4, 5, 6], *[[None] * 6] * 5]
    return oracle.solutions(first, CLASSIC, limit=400)[::20]


LISTS = {(4, "classic"): fours, (4, "anti-knight"): knights, (6, "classic"): sixes}
DEEP = (
    [(4, seed, "classic") for seed in range(8)]
    + [(4, seed, "anti-knight") for seed in range(4)]
    + [(6, seed, "classic") for seed in range(4)]
)


@pytest.mark.parametrize(("size", "seed", "name"), DEEP)
def test_a_deep_conflict_is_minimal_and_its_repairs_are_those_of_a_search(size, seed, name):
    grid, rules = broken(size, seed, name), RULES[name]
    givens = claims_in(grid)
    _, found = conflict_of(size, seed, name)
    assert found.cause == "givens"
    for conflict in found.conflicts:
        assert set(conflict.givens) <= givens
        assert not solvable(size, conflict.givens, rules)
        for claim in conflict.givens:
            assert solvable(size, set(conflict.givens) - {claim}, rules)
    assert set(found.repairs) == {
        claim for claim in givens if solvable(size, givens - {claim}, rules)
    }
    assert bool(found.steps) == found.is_deep


def test_some_conflicts_have_steps_and_some_do_not():
    assert {conflict_of(4, seed, "classic")[1].is_deep for seed in range(8)} == {True, False}


@pytest.mark.parametrize(("size", "seed", "name"), DEEP)
def test_the_rules_of_a_conflict_are_minimal(size, seed, name):
    """Checked with a new constraint model; rules are identified by their messages."""
    made, found = conflict_of(size, seed, name)
    constraints = ConstraintModel(made)
    bits = {each.words: each.bit for each in constraints.instances}
    assert len(bits) == len(constraints.instances)
    for conflict in found.conflicts:
        literals = [constraints.candidates[claim[:3]] for claim in conflict.givens]
        masks = [bits[each.words] for each in conflict.rules]
        assert len(masks) <= MOST_RULES
        if not masks:
            assert found.is_deep
            continue
        assert constraints.unsat_core(literals, sum(masks)) is not None
        if len(masks) > 2:
            assert all(
                constraints.unsat_core(literals, sum(masks) - mask) is None for mask in masks
            )


@pytest.mark.parametrize(("size", "seed", "name"), DEEP)
def test_the_steps_of_a_conflict_lead_to_a_violated_rule(size, seed, name):
    made, found = conflict_of(size, seed, name)
    if not found.steps:
        return
    assert [step.kind for step in found.steps].count("contradiction") == 1
    assert found.steps[-1].kind == "contradiction"
    constraints = ConstraintModel(made)
    bits = {each.words: each.bit for each in constraints.instances}
    known = [constraints.candidates[claim[:3]] for claim in found.conflicts[0].givens]
    for step in found.steps:
        learned = []
        for reason in (*step.eliminations, *step.reasons):
            rules_used = sum({bits[use.instance.words] for use in reason.rules})
            for claim in reason.claims:
                literal = constraints.candidates[claim[:3]] * (1 if claim.holds else -1)
                assert constraints.unsat_core([-literal, *known], rules_used) is not None
                (known if reason in step.eliminations else learned).append(literal)
            if not reason.claims:
                assert constraints.unsat_core(known, rules_used) is not None
        known += learned


# ---- Other causes ----


@pytest.mark.slow_cases("cages", "greater-than")
@pytest.mark.parametrize(
    "puzzle", one_in(3, [puzzle for puzzle, _ in SOLVED]), ids=lambda puzzle: puzzle.stem
)
def test_no_conflict_if_there_is_a_solution(puzzle):
    found = explain_conflict(compose(aspdoku.read(puzzle)))
    assert found == ConflictExplanation("none")


def test_a_grid_with_several_solutions_or_no_givens_has_no_conflict():
    for text in ("1...\n....\n....\n....", "....\n....\n....\n...."):
        assert explain_conflict(program(text)).cause == "none"


RULES_ALONE = [
    ":- row(1).",
    "%@ nothing {N}\n:- a(R,C,N), R < 2.",
    "a(1,1,1).\na(1,2,1).",
    ":- a(1,1,N), N < 3. :- a(1,1,N), N > 2.",
]


@pytest.mark.parametrize(
    "text", ["1...\n....\n....\n....", "....\n....\n....\n....", "12..\n34..\n....\n...."]
)
@pytest.mark.parametrize("rule", RULES_ALONE)
def test_unsatisfiable_rules_are_cited_without_givens(text, rule):
    found = explain_conflict(program(text, rule_file(rule)))
    (conflict,) = found.conflicts
    assert (found.cause, conflict.givens, found.repairs) == ("rules", (), ())
    assert "mine" in {each.guard.name for each in conflict.rules}


def test_rules_that_only_search_shows_to_be_unsatisfiable():
    """Five pigeons in four holes: no steps lead to a violated rule."""
    rule = (
        "%@ pigeon {I} needs a hole | pigeon {I} is in one hole\n"
        "{ hole(I,J) : J = 1..4 } = 1 :- I = 1..5.\n"
        ":- hole(I,J), hole(K,J), I < K, not ab(pigeon).\n"
    )
    found = explain_conflict(program("....\n....\n....\n....", rule_file(rule)))
    (conflict,) = found.conflicts
    assert (found.cause, conflict.givens, found.steps) == ("rules", (), ())
    assert {f"pigeon {number} needs a hole" for number in range(1, 6)} < {
        each.words for each in conflict.rules
    }


def test_unguarded_statements_can_be_unsatisfiable():
    assert (
        explain_conflict(
            program("....\n....\n....\n....", rule_file("p ; q.\np :- not p.\nr :- not r."))
        ).cause
        == "unguarded"
    )


def test_a_given_that_the_rules_never_allow_is_named():
    """The base has no 1 for the corner; a given in a file would add it as a fact."""
    text = "number(1..n).  row(1..n).  column(1..n).\ncell(R,C) :- row(R), column(C).\n"
    base = RuleFile("base", "base.lp", text + "{ a(R,C,N) : may(R,C,N) } = 1 :- cell(R,C).\n")
    rule = rule_file("may(R,C,N) :- cell(R,C), number(N), R+C+N != 3.")
    found = explain_conflict(
        assemble(aspdoku.parse("1...\n....\n....\n...."), [base, library.find("box"), rule])
    )
    assert found.cause == "impossible"
    assert [conflict.givens for conflict in found.conflicts] == [(Claim(1, 1, 1, True),)]
    assert found.repairs == (Claim(1, 1, 1, True),)


def test_a_retracted_rule_causes_no_conflict():
    text = "1...\n.1..\n....\n...."
    assert explain_conflict(program(text)).cause == "givens"
    assert explain_conflict(program(text, without=["box"])).cause == "none"


def test_an_exception_causes_no_conflict():
    exceptions = " ".join(f"ab(anti_knight,{number})." for number in range(1, 5))
    text = "1...\n..1.\n....\n...."
    assert {
        conflict.givens for conflict in explain_conflict(program(text, "anti-knight")).conflicts
    } == {(Claim(1, 1, 1, True), Claim(2, 3, 1, True))}
    assert (
        explain_conflict(program(text + "\n[facts]\n" + exceptions, "anti-knight")).cause == "none"
    )


# ---- Killer ----

KILLERS = [
    # facts and givens, the conflicting cages, and the conflicting cells
    (
        'cage(1,1,"A"). cage(1,2,"A"). cage_value("A",5).',
        "11..",
        {"cage A has at most one 1"},
        set(),
    ),
    (
        'cage(1,1,"A"). cage(1,2,"A"). cage_value("A",5).',
        "12..",
        {"cage A adds up to 5"},
        {(1, 1), (1, 2)},
    ),
    ('cage(1,1,"A"). cage(1,2,"A"). cage_value("A",8).', "....", {"cage A adds up to 8"}, set()),
    ('cage(1,1,"A"). cage(1,2,"A"). cage_value("A",2).', "....", set(), set()),
    (
        (
            'cage(1,1,"A"). cage(1,2,"A"). cage_value("A",3). cage(1,3,"B"). cage(1,4,"B").'
            ' cage_value("B",3).'
        ),
        "....",
        {"cage A adds up to 3", "cage B adds up to 3"},
        set(),
    ),
    (
        (
            'cage(1,1,"A"). cage(1,2,"A"). cage_value("A",4). cage(1,3,"B"). cage(1,4,"B").'
            ' cage_value("B",5).'
        ),
        "....",
        set(),
        set(),
    ),
]


@pytest.mark.parametrize(("facts", "row", "words", "cells"), KILLERS)
def test_unsatisfiable_cages_are_named(facts, row, words, cells):
    found = explain_conflict(program(f"{row}\n....\n....\n....\n[facts]\n{facts}", "killer"))
    assert found.cause == ("rules" if row == "...." else "givens")
    cited = {each.words for conflict in found.conflicts for each in conflict.rules}
    assert words <= cited
    assert any(word.startswith("cage") for word in cited)
    if cells:
        assert {claim[:2] for conflict in found.conflicts for claim in conflict.givens} == cells


def test_satisfiable_cages_cause_no_conflict():
    facts = (
        'cage(1,1,"A"). cage(1,2,"A"). cage_value("A",5). cage(1,3,"B"). cage(1,4,"B").'
        ' cage_value("B",5).'
    )
    assert (
        explain_conflict(program(f"1...\n....\n....\n....\n[facts]\n{facts}", "killer")).cause
        == "none"
    )


@pytest.mark.slow
def test_conflicts_are_explained_deterministically():
    for seed in range(3):
        made = program(as_text(broken(4, seed, "classic")))
        assert str(aspdoku.conflict(made)) == str(aspdoku.conflict(made))


# ---- Clues ----

THERMO = """\
with: thermo
. . . .
. . . .
. . . 4
. . . .
[facts]
thermo(1,1,3,4). thermo(1,2,2,4). thermo(2,1,1,1). thermo(2,2,2,1).
"""
# Cage A needs 1 and 2 in row 1, and so does cage B, which is in the same row.
CAGES = """\
with: killer
. . . .
. . . .
. . . .
. . . .
[cage]
A A B B
. . . .
. C C .
. . . .
A = 3
B = 3
C = 5
"""


def explained(text):
    return explain_conflict(compose(aspdoku.parse(text)))


def test_a_given_and_a_clue_that_conflict_are_named_with_their_places():
    """The 4 is in the bulb of a thermometer, on which greater numbers follow."""
    found = explained(THERMO)
    (conflict,) = found.conflicts
    assert conflict.givens == (Claim(3, 4, 4, True),)
    assert [clue.words for clue in conflict.clues] == ["thermo 1 from r3c4"]
    assert (found.repairs, found.clue_repairs) == (conflict.givens, conflict.clues)


def test_clues_that_conflict_without_givens():
    found = explained(CAGES)
    (conflict,) = found.conflicts
    assert conflict.givens == ()
    assert [clue.words for clue in conflict.clues] == ["cage A from r1c1", "cage B from r1c3"]
    assert found.clue_repairs == conflict.clues


def test_givens_alone_conflict_without_clues():
    text = THERMO.replace(". . . 4", "4 . . 4").replace("3,4).", "4,4).")
    assert [conflict.clues for conflict in explained(text).conflicts] == [()]


# ---- What is known first, and at a limit ----

# A clue that fails alone, among givens and clues that conflict without it.
FAILS_ALONE = CAGES.replace("C = 5", "C = 9").replace(". . . .\n. . . .", ". 1 1 .\n. . . .", 1)


def test_a_clue_that_fails_alone_is_named_first():
    """Two cells of a row hold at most 7, whatever else is wrong."""
    reports = []
    found = explain_conflict(
        compose(aspdoku.parse(FAILS_ALONE)), on_improved=lambda known: reports.append(known)
    )
    assert [[clue.words for clue in each.clues] for each in reports[0].conflicts] == [
        ["cage C from r3c2"]
    ]
    assert reports[0].conflicts[0].givens == ()
    assert {each.words for each in found.conflicts[0].rules} == {"cage C adds up to 9"}
    assert found.clue_repairs == ()  # the other two cages conflict


def test_all_clues_that_fail_alone_are_named():
    found = explained(FAILS_ALONE.replace("A = 3", "A = 8"))
    assert [[clue.words for clue in each.clues] for each in found.conflicts] == [
        ["cage A from r1c1"],
        ["cage C from r3c2"],
    ]


@pytest.mark.parametrize("text", [THERMO, CAGES, FAILS_ALONE, as_text(broken(4, 2, "classic"))])
def test_what_is_known_is_returned_at_any_limit(text, monkeypatch):
    """The limit is one of work, so that each moment of the search is tried."""
    monkeypatch.setattr("aspdoku.explanation.conflict.Deadline", WorkLimit)
    made = compose(aspdoku.parse(text))
    ended = []
    for searches in range(200):
        WorkLimit.left = searches
        reports = []
        try:
            found = explain_conflict(made, on_improved=reports.append)
        except TimeLimitError:
            assert reports == []
            ended.append("nothing")
            continue
        assert reports[-1] == found._replace(ended="complete")
        ended.append(found.ended)
        if found.ended == "complete":
            break
    assert list(dict.fromkeys(ended)) == ["nothing", "time", "complete"]


def test_searches_that_are_ended_are_begun_again(monkeypatch):
    """With the least limit; the grid is a published one with a wrong number in r9c8."""
    text = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..97"
    monkeypatch.setattr("aspdoku.explanation.cores._SHORT", "1")
    reports = []
    found = explain_conflict(program(text), on_improved=reports.append)
    assert {each.is_hard for each in reports} == {False, True}
    (conflict,) = found.conflicts
    assert not solvable(9, conflict.givens)
    for claim in conflict.givens:
        assert solvable(9, set(conflict.givens) - {claim})


def test_an_interruption_returns_what_is_known_on_request():
    made = compose(aspdoku.parse(CAGES))

    def interrupt(_):
        raise KeyboardInterrupt

    found = explain_conflict(made, on_improved=interrupt, interruptible=True)
    assert (found.ended, len(found.conflicts)) == ("interrupted", 1)
    with pytest.raises(KeyboardInterrupt):
        explain_conflict(made, on_improved=interrupt)
