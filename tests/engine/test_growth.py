"""Ground programs of users' rules that grow: grounding ends, and the rule to blame is named."""

import threading
import time
from contextlib import suppress

import clingo
import pytest
from in_one_test import in_one_test

import aspdoku
from aspdoku.engine import solver
from aspdoku.errors import GrowthError
from aspdoku.lecture.trial import try_rule
from aspdoku.program import RuleFile, assemble, library
from aspdoku.program.growth import growths, may_exceed
from aspdoku.puzzle import Puzzle
from aspdoku.web.questions import QUESTIONS

MOST = 20_000
GRID = "1... .... ..2. ...."
# Text, the line to blame, and why. None of them has a finite ground program of fewer rules.
GROWING = {
    "numbers": ("p(0).\np(X+1) :- p(X).\n", 2, "p/1 depends on itself, and nothing bounds X"),
    "terms": ("p(0).\np(f(X)) :- p(X).\n", 2, "p/1 depends on itself, and nothing bounds X"),
    "choices": ("p(0).\n{ p(X+1) } :- p(X).\n", 2, "p/1 depends on itself, and nothing bounds X"),
    "two predicates": ("q(0).\np(X+1) :- q(X).\nq(X) :- p(X).\n", 2, "nothing bounds X"),
    "a range": ("p(1..10**8).\n", 1, "the range 1..10**8 has 100,000,000 numbers"),
    "a product": ("d(1..300).\np(X,Y,Z) :- d(X), d(Y), d(Z).\n", 2, "the largest predicate is p/3"),
}
USED = ":- p(3), a(1,1,1).\n"


@pytest.fixture
def few(monkeypatch):
    monkeypatch.setattr(solver, "_SUSPECT_RULES", MOST)
    monkeypatch.setattr(solver, "_MOST_RULES", 2 * MOST)


@pytest.fixture
def ended():
    """Wait for threads that were abandoned: they would call back while Python ends."""
    before = threading.active_count()
    yield
    end = time.monotonic() + 60
    while threading.active_count() > before:
        assert time.monotonic() < end
        time.sleep(0.01)


def rule(name):
    return RuleFile.from_text("mine", GROWING[name][0] + ("" if name == "a product" else USED))


@pytest.mark.filterwarnings("ignore::aspdoku.AspdokuWarning")
@pytest.mark.parametrize("time_limit", [None, 600])
@pytest.mark.parametrize("name", GROWING)
@pytest.mark.usefixtures("few")
def test_grounding_ends_with_the_rule_to_blame(name, time_limit):
    _, line, reason = GROWING[name]
    with pytest.raises(GrowthError) as error:
        aspdoku.solve(GRID, with_=rule(name), time_limit=time_limit)
    assert str(error.value).startswith(f"mine.lp:{line}: ")
    assert reason in str(error.value)
    limit = 2 * MOST if name == "a product" else MOST
    assert str(error.value).endswith(f"; grounding was ended after {limit:,} ground rules")


@pytest.mark.filterwarnings("ignore::aspdoku.AspdokuWarning")
@pytest.mark.parametrize(
    "ask",
    [
        aspdoku.count,
        aspdoku.candidates,
        aspdoku.explain,
        aspdoku.depends,
        aspdoku.conflict,
        aspdoku.redundant,
    ],
)
@pytest.mark.usefixtures("few")
def test_every_question_ends(ask):
    with pytest.raises(GrowthError, match=r"^mine\.lp:2: p/1 depends on itself"):
        ask(GRID, with_=rule("numbers"))


@pytest.mark.usefixtures("few")
def test_comparisons_name_the_line_of_the_users_file():
    with pytest.raises(GrowthError, match=r"^mine\.lp:2: p/1 depends on itself"):
        aspdoku.equivalent(rule("numbers"), "anti-knight")
    question = {"kind": "equal", "name": "mine", "text": rule("numbers").text}
    with pytest.raises(aspdoku.AspdokuError, match=r"^mine\.lp:2: p/1 depends on itself"):
        QUESTIONS["equal"](question | {"reference": "anti-knight"}, 60)


@pytest.mark.filterwarnings("ignore::aspdoku.AspdokuWarning")
@pytest.mark.usefixtures("few")
def test_a_bounded_rule_that_looks_endless_is_grounded():
    """Another rule bounds X; plain clingo derives p(0..9) and q(1..10)."""
    text = "p(0).\nq(X+1) :- p(X).\np(X) :- q(X), X < 10.\n:- q(10), a(1,1,1).\n"
    mine = RuleFile.from_text("mine", text)
    assert aspdoku.count(Puzzle.blank(4), with_=mine).count == 288 * 3 // 4


@pytest.mark.usefixtures("few")
def test_the_limit_does_not_depend_on_bundled_rules():
    """They may have any number of ground rules."""
    found = aspdoku.solve(Puzzle.blank(9), with_="anti-king")
    assert found.status == "several"
    (part,) = [each for each in found.program.parts if each.rule.name == "anti-king"]
    assert part.rule.own is None


# Rule files, and whether grounding is watched at 9x9.
WATCHED = {
    ":- a(R,C,N), a(R+1,C+1,N).": False,
    ":- a(R,C,N), a(R1,C1,N), |R-R1| + |C-C1| = 3.": False,
    "mine(R,C) :- a(R,C,N), N > 3.\n:- mine(R,C), mine(R+1,C).": False,
    "mine(R,C) :- a(R,C,N), a(C,R,N), not a(1,1,N).\n:- mine(R,C), a(_,C,_).": False,
    "{ mine(R,C) : cell(R,C) } 3.\n:- mine(R,C), a(R,C,1).": False,
    "mine(R,C) ; mine(C,R) :- cell(R,C).\n:- mine(R,C), a(R,C,1).": False,
    "to(1,2).  to(2,1).  to(X,Z) :- to(X,Y), to(Y,Z).\n:- to(R,C), a(R,C,1).": False,
    "mine(X,Y,Z,U) :- number(X), number(Y), number(Z), row(U).": False,
    ":- a(R,C,N), a(R1,C1,N1), a(R2,C2,N2), N+N1 = N2.": True,
    "mine(R+C) :- cell(R,C).\n:- mine(N), a(1,1,N).": True,
    "mine(N) :- number(M), N = M*M.\n:- mine(N), a(1,1,N).": True,
    "mine((R,C)) :- cell(R,C).\n:- mine((R,C)), a(R,C,1).": True,
    "mine(X) :- row(X).  mine(X) :- mine(X+1), X > -5.\n:- mine(N), a(1,1,N).": True,
    "mine(1..3).\n:- mine(N), a(1,1,N).": True,
    "mine(S) :- S = #sum { N : number(N) }.\n:- mine(N), a(1,1,N).": True,
    "#defined gt/4.\ngt(R,C,C,R) :- cell(R,C).": True,
}


class Counter(clingo.Observer):
    rules, most = 0, None

    def rule(self, choice, head, body):
        self.rules += 1
        if self.rules == self.most:
            raise OverflowError


# Rules of which plain clingo derives more than FEW atoms, although each has a few values to begin
# with, and rules of which it does not.
FEW = 300
ENDLESS = [
    "p(X+1) :- p(X).",
    "p(Y) :- p(X), Y = X+1.",
    "p(Y) :- p(X), Y-1 = X.",
    "p(Y) :- p(X), Y+1 = X+2.",
    "p(Z) :- p(X), Y = X+1, Z = Y.",
    "p(Y) :- p(X), X = Y-1, Y > 0.",
    "p(Y) :- p(X), Y = f(Z), Z = f(X).",
    "p(Z) :- p(X), Z = Y, Y = X+1.",
    "p(Y) :- p(X), Z = Y-2, U = Z+1, X = U.",
    "p(X) :- p(X-1).",
    "p(X+n) :- p(X).",
    "p(X+1) :- p(X), X > 0.",
    "p(X-1) :- p(X), 9 > X.",
    "p(|X|+1) :- p(X), X > 0.",
    "p(X+Y) :- p(X), p(Y).",
    "p(f(X)) :- p(X).",
    "q(X+1) :- p(X).  p(X) :- q(X).",
    "-r(X+1) :- -r(X).  -r(1).",
    "p(S) :- S = #max { X+1 : p(X) }.",
    "s(1,1).  s(N,S+N) :- s(K,S), d(N), K > N-1.",
]
ENDING = [
    "p(X+1) :- p(X), X < 5.",
    "p(X-1) :- p(X), 0 < X.",
    "p(n+1-X) :- p(X).",
    "p(-X) :- p(X).",
    "p(|X|) :- p(X).",
    "p(|X|-1) :- p(X).",
    "p(X+1) :- p(X), |X| < 9.",
    "p(Y) :- p(X), Y = X+1, Y < 9.",
    "p(Y) :- p(X), Y = X-1, Y >= 0.",
    "p(Y) :- p(X), Y = X+1, d(Y).",
    "p(Y) :- p(X), X = 2*Y.",
    "p(X) :- p(X+1), X > -5.",
    "p(S) :- S = #max { X : p(X) }.",
    "s(1,1).  s(N,S+N) :- s(K,S), d(N), K < N.",
    "s(1,1).  s(K+1,S+N) :- s(K,S), d(K), d(N).",
]


@in_one_test("text", [*ENDLESS, *ENDING])
def test_the_text_shows_which_rules_grow_without_end(text):
    few = f"p(1..3).  d(1..3).  {text}\n"
    control = clingo.Control(["-cn=4", "--warn=none"], logger=lambda *_: None)
    counter = Counter()
    counter.most = FEW
    control.register_observer(counter)
    control.add("base", [], few)
    with suppress(OverflowError, RuntimeError):
        control.ground()
    assert (counter.rules == FEW) == (text in ENDLESS)
    assert bool(list(growths(RuleFile.from_text("mine", few)))) == (text in ENDLESS)


@pytest.mark.parametrize("head", ["", "p(X150) "])
@pytest.mark.parametrize("sum_", ["X{0}+X{0}", "X{0}+1"])
def test_chains_of_equations_are_not_written_out(sum_, head):
    """Their terms have 2 to the power of 150 nodes, or 150 levels."""
    chain = ", ".join(f"X{each + 1} = {sum_.format(each)}" for each in range(150))
    rule = RuleFile.from_text("mine", f"p(1).\n{head}:- p(X0), {chain}, X150 < 3.\n")
    assert not list(growths(rule))


@pytest.mark.filterwarnings("ignore::aspdoku.AspdokuWarning")
@pytest.mark.parametrize("time_limit", [None, 600])
@pytest.mark.usefixtures("ended")
def test_few_ground_rules_may_take_much_work(monkeypatch, time_limit):
    """All pairs of numbers are added, and most of the sums are known."""
    monkeypatch.setattr(solver, "_SUSPECT_SECONDS", 0.0)
    monkeypatch.setattr(solver, "_LONGEST_WAIT", 0.01)
    mine = RuleFile.from_text("mine", "p(1).\np(X+Y) :- p(X), p(Y).\n" + USED)
    with pytest.raises(GrowthError, match=r"^mine\.lp:2: p/1 depends on itself.*processor time$"):
        aspdoku.solve(GRID, with_=mine, time_limit=time_limit)


@pytest.mark.parametrize(
    ("text", "cause"),
    [
        ("p(1).\np(X+1) :- p(X), X < 10**9.\n" + USED, r"2: the largest predicate is p/1"),
        ("p(1).\np(f(X)) :- p(X).\n" + USED, r"2: p/1 depends on itself, and nothing bounds X"),
        (
            ":- a(A,B,X), a(C,D,Y), a(E,F,Z), X+Y+Z = 12.\n",
            "1: the rule with the most variables combines the values of 9",
        ),
    ],
)
@pytest.mark.filterwarnings("ignore::aspdoku.AspdokuWarning")
@pytest.mark.usefixtures("ended")
def test_the_time_limit_names_what_is_known_of_the_cause(monkeypatch, text, cause):
    monkeypatch.setattr(solver, "_ABANDONED_WAIT", 60.0 if "10**9" in text else 0.0)
    found = aspdoku.solve(Puzzle.blank(4), with_=RuleFile.from_text("mine", text), time_limit=1e-6)
    assert f"was still being grounded; mine.lp:{cause}" in str(found)


def ground_rules(text):
    control = clingo.Control(["-cn=9", "--warn=none"])
    control.register_observer(counter := Counter())
    control.add("base", [], text)
    control.ground()
    return counter.rules


@pytest.mark.parametrize("text", WATCHED)
def test_grounding_is_watched_only_if_it_may_be_large(text):
    """For each call, and so not for small programs; plain clingo counts the ground rules."""
    mine = RuleFile.from_text("mine", text)
    program = assemble(Puzzle.blank(9), [library.base(), mine])
    assert (solver.Solver(program)._brake is not None) == WATCHED[text]
    if not WATCHED[text]:
        used = ground_rules(library.base().text + text) - ground_rules(library.base().text)
        assert used < solver._SUSPECT_RULES
        assert may_exceed(mine, used - 1, 9, 0, frozenset())


def test_a_warning_comes_before_grounding():
    with pytest.warns(aspdoku.AspdokuWarning, match=r"mine\.lp:2:1: p/1 depends on itself"):
        aspdoku.solve(GRID, with_=rule("numbers"), time_limit=0.01)


@pytest.mark.usefixtures("ended")
def test_a_grounding_that_is_abandoned_ends():
    """Its thread would go on to take memory in a program that uses aspdoku."""
    program = assemble(Puzzle.blank(4), [library.base(), rule("numbers")])
    with pytest.raises(aspdoku.TimeLimitError):
        solver.Solver(program, 0.2).ground()


@pytest.mark.slow
def test_check_reports_a_grounding_that_ended():
    (found,) = try_rule(rule("numbers"), 600)
    assert (found.line, found.severity) == (2, "error")
    assert "did not end within 1,000,000 ground rules: p/1 depends on itself" in found.text
