"""Ground rules kept, simplified, removed and added, against numbers counted by hand."""

from functools import cache

import oracle
import pytest
from sampling import one_in

import aspdoku
from aspdoku.lecture.changes import LineCount, diff_ground_programs, trace
from aspdoku.program import RuleFile, assemble, library
from aspdoku.puzzle import Function, Puzzle

pytestmark = pytest.mark.versions

BASE = library.base()
BOX, ANTI_KNIGHT = library.find("box"), library.find("anti-knight")
KNIGHT = "asp/elaborations/anti-knight.lp"
NO_FIVES = Function("ab", (Function("anti_knight"), 5))
PAIRS = len(oracle.knight_pairs(9))


@cache
def traced(rules, facts=(), without=(), size=9):
    return trace(assemble(Puzzle.blank(size).replace(facts=facts), rules, without))


def line_of(rule, fragment):
    (line,) = (
        number for number, text in enumerate(rule.text.splitlines(), 1) if text.startswith(fragment)
    )
    return line


def compare(before, after, size=4):
    """The ground diff of two texts, each in a separate file after the base."""
    files = [
        (BASE, *(RuleFile(f"f{k}", f"f{k}.lp", text) for k, text in enumerate(texts)))
        for texts in (before, after)
    ]
    return diff_ground_programs(*(traced(rules, size=size) for rules in files))


@pytest.mark.slow
def test_anti_knight_keeps_every_rule_and_adds_one_for_each_pair_and_number():
    found = diff_ground_programs(traced((BASE, BOX)), traced((BASE, BOX, ANTI_KNIGHT)))
    assert (found.kept, found.simplified, found.removed) == (found.before, 0, 0)
    assert found.added == PAIRS * 9 == 2016
    constraint = line_of(ANTI_KNIGHT, ":-")
    assert [line for line in found.gained if line.rules] == [LineCount(KNIGHT, constraint, 2016, 0)]
    assert len(found.gained) == 1
    assert found.lost == ()


RETRACTED = [
    # exceptions (facts), retracted rules, and the number of rules removed from each file
    ((), ("box",), {BOX.place: [81, 81]}),
    ((NO_FIVES,), (), {KNIGHT: [PAIRS]}),
    ((NO_FIVES, Function("ab", (Function("box"), 9))), (), {KNIGHT: [224], BOX.place: [9, 9]}),
    ((), ("anti-knight",), {KNIGHT: [2016]}),
    ((), ("anti-knight", "box"), {KNIGHT: [2016], BOX.place: [81, 81]}),
]


@pytest.mark.parametrize(("facts", "without", "lost"), RETRACTED)
def test_a_retraction_removes_only_its_ground_rules(facts, without, lost):
    rules = (BASE, BOX, ANTI_KNIGHT)
    found = diff_ground_programs(traced(rules), traced(rules, facts, without))
    total = sum(map(sum, lost.values()))
    assert (found.kept, found.simplified, found.removed, found.added) == (
        found.before - total,
        0,
        total,
        0,
    )
    places = {}
    for line in found.lost:
        places.setdefault(line.place, []).append(line.rules)
        assert not line.facts
    assert places == lost
    assert found.gained == (LineCount("the puzzle", 0, 0, len(facts) + len(without)),)


SIMPLIFIED = [
    # files before and after, and the numbers of rules simplified, changed, removed and added
    (
        ["{ s }. lucky :- s.\n:- lucky, a(1,1,1)."],
        ["{ s }. lucky :- s.\n:- lucky, a(1,1,1).", "lucky."],
        (2, 0, 0, 0),
    ),
    (
        ["{ lucky }.\n:- lucky, a(1,1,1)."],
        ["{ lucky }.\n:- lucky, a(1,1,1).", ":- a(1,1,1)."],
        (0, 0, 0, 1),
    ),
    (["{ p }. q :- p."], ["{ p }. q :- p.", "q."], (1, 0, 0, 0)),
    ([":- a(1,1,1)."], [], (0, 0, 1, 0)),
    ([":- a(1,1,1)."], [":- a(1,1,2)."], (0, 1, 0, 0)),
    ([":- a(1,1,1)."], ["\n:- a(1,1,2)."], (0, 0, 1, 1)),
    (
        [":- 2 { a(1,1,1) ; a(1,2,2) ; a(2,2,X) : p(X) }.\n#defined p/1."],
        [":- 2 { a(1,1,1) ; a(1,2,2) ; a(2,2,X) : p(X) }.\n#defined p/1.", "p(2)."],
        (0, 1, 0, 0),
    ),
    ([], ["a(1,1,1)."], (3 * 2, 0, 0, 0)),
    (
        [":- a(1,1,1), not ab(f0).\n#defined ab/1."],
        [":- a(1,1,1), not ab(f0).\n#defined ab/1.", "ab(f0)."],
        (0, 0, 1, 0),
    ),
    ([":- a(1,1,1)."], [":- a(1,1,1).", ":- a(1,1,1)."], (0, 0, 0, 1)),
    (
        ["{ s }. p :- s. :- a(1,1,1), not p."],
        ["{ s }. p :- s. :- a(1,1,1), not p.", "p."],
        (2, 0, 0, 0),
    ),
]


@pytest.mark.parametrize(("before", "after", "counts"), SIMPLIFIED)
def test_simplification_is_distinguished_from_removal(before, after, counts):
    found = compare(before, after)
    assert (found.simplified, found.changed, found.removed, found.added) == counts
    assert found.before == found.kept + found.simplified + found.changed + found.removed


def test_a_removed_rule_has_the_line_of_its_file():
    found = compare([":- a(1,1,1).\n\n:- a(1,1,2)."], [])
    assert found.lost == (LineCount("f0.lp", 1, 1, 0), LineCount("f0.lp", 3, 1, 0))


@pytest.mark.parametrize("name", one_in(6, library.rule_names()))
@pytest.mark.parametrize("givens", ["", "1 2 . .\n3 4 . .\n. . . .\n. . . ."])
def test_every_bundled_elaboration_keeps_every_rule(name, givens):
    rule = library.find(name)
    text = givens or "....\n....\n....\n...."
    puzzle = aspdoku.parse(f"{text}\n[facts]\n{rule.example}" if rule.example else text)
    found = diff_ground_programs(
        *(trace(assemble(puzzle, rules)) for rules in ([BASE], [BASE, rule]))
    )
    unused = name in ("boards", "extra-cell")  # which leave cells unused
    if not unused:
        assert (found.kept, found.simplified, found.removed) == (found.before, 0, 0)
    decided = name in ("chaos-apart", "chaos-same")  # by the inputs, whatever the numbers
    few = name == "digit-set" and bool(givens)  # all numbers are used, and no more than rows
    assert (found.added == 0) == (decided or few)
    words = {word.place for word in library.vocabulary().values()}
    lines = {line.place for line in found.gained} - words
    assert lines - ({BASE.place} if unused else set()) == (set() if decided else {rule.place})
    assert sum(line.rules for line in found.gained) == found.added
