"""The solver against the oracle, and against a plain clingo Control with the same program."""

import re
import subprocess
import sys
import threading
import time

import clingo
import oracle
import pytest
from choice_semantics import sudokus
from in_one_test import in_one_test
from rule_files import rule_file

import aspdoku
from aspdoku import Puzzle, Solver, compose
from aspdoku.engine import solver
from aspdoku.engine.solver import Pace
from aspdoku.errors import AspdokuError, RuleError, TimeLimitError
from aspdoku.program import RuleFile, assemble, library
from aspdoku.runtime.deadline import Deadline

pytestmark = pytest.mark.versions

TWO_SOLUTIONS = ". 4 2 .\n3 . . 1\n. . . .\n2 . . .\n"
UNIQUE = ". 4 . .\n. . . 4\n. . 2 .\n1 . . .\n"
CONTRADICTORY = "1 1 . .\n. . . .\n. . . .\n. . . .\n"
# Its search needs hundreds of conflicts.
HARD = "8..........36......7..9.2...5...7.......457.....1...3...1....68..85...1..9....4.."
SOON = 20

limits = pytest.mark.parametrize("time_limit", [None, 60], ids=["no time limit", "a time limit"])


def solver_of(puzzle, *rules, time_limit=None):
    if isinstance(puzzle, str):
        puzzle = aspdoku.parse(puzzle)
    return Solver(assemble(puzzle, [library.base(), library.find("box"), *rules]), time_limit)


def rows_of(search):
    return [[*map(list, solution.rows)] for solution in search]


# A grid, the number of solutions to search for, and the status, the end and the number found.
STATUS = [
    (CONTRADICTORY, 2, ("none", "complete", 0)),
    (CONTRADICTORY, 0, ("none", "complete", 0)),
    (CONTRADICTORY, 1, ("none", "complete", 0)),
    (UNIQUE, 2, ("unique", "complete", 1)),
    (UNIQUE, 0, ("unique", "complete", 1)),
    (UNIQUE, 1, ("some", "limit", 1)),
    (TWO_SOLUTIONS, 1, ("some", "limit", 1)),
    (TWO_SOLUTIONS, 2, ("several", "limit", 2)),
    (TWO_SOLUTIONS, 3, ("several", "complete", 2)),
    (TWO_SOLUTIONS, 0, ("several", "complete", 2)),
]


@limits
@in_one_test(("text", "limit", "expected"), STATUS)
def test_status_and_end_of_a_search(text, limit, expected, time_limit):
    search = solver_of(text, time_limit=time_limit).search(limit)
    assert (search.status, search.ended, search.found) == ("unknown", None, 0)
    found = rows_of(search)
    assert (search.status, search.ended, search.found) == expected
    assert len(found) == search.found
    true = oracle.solutions(oracle.read_grid(text))
    assert all(grid in true for grid in found)
    if search.ended == "complete":
        assert sorted(found) == sorted(true)


def test_the_default_limit_is_two():
    search = solver_of(Puzzle.blank(4)).search()
    assert len(list(search)) == 2
    assert (search.status, search.ended) == ("several", "limit")


def test_solutions_come_one_by_one():
    """The first solution is available before the second is searched for; the status is known
    afterwards.
    """
    search = solver_of(Puzzle.blank(4)).search(0)
    seen = []
    for _ in search:
        seen.append((search.found, search.status, search.ended))
        if len(seen) == 3:
            break
    assert seen == [(1, "some", None), (2, "several", None), (3, "several", None)]


@limits
def test_a_solver_works_after_an_abandoned_search(time_limit):
    solver = solver_of(TWO_SOLUTIONS, time_limit=time_limit)
    first = next(iter(solver.search(0)))
    assert len(list(solver.search(0))) == 2
    assert first.rows in {solution.rows for solution in solver.search(0)}


QUESTIONS = {
    "another search": lambda solver: next(iter(solver.search(1))),
    "counting": lambda solver: solver.search(2).count(),
    "statistics": lambda solver: solver.statistics(),
}


@limits
@pytest.mark.parametrize("ask", QUESTIONS.values(), ids=QUESTIONS)
def test_one_search_at_a_time(ask, time_limit):
    solver = solver_of(Puzzle.blank(4), time_limit=time_limit)
    search = solver.search(0)
    solutions = iter(search)
    found = {next(solutions).rows}
    with pytest.raises(AspdokuError, match=r"open|ended"):
        ask(solver)
    assert len(found | {solution.rows for solution in solutions}) == 288
    assert (search.found, search.ended) == (288, "complete")
    ask(solver)


@limits
def test_an_open_search_can_be_closed(time_limit):
    solver = solver_of(Puzzle.blank(4), time_limit=time_limit)
    solutions = iter(solver.search(0))
    next(solutions)
    solutions.close()
    assert solver.search(0).count() == 288


@limits
def test_a_process_exits_cleanly_while_a_search_is_open(time_limit):
    program = f"""
from aspdoku import Puzzle, Solver, compose
from aspdoku.runtime.deadline import Deadline
from aspdoku.engine import solver
solutions = iter(Solver(compose(Puzzle.blank(4)), {time_limit}).search(0))
next(solutions)
"""
    assert subprocess.run([sys.executable, "-c", program], capture_output=True).returncode == 0


LARGE = "import sys, aspdoku; blank = aspdoku.compose(aspdoku.Puzzle.blank(99));"


@pytest.mark.slow
@pytest.mark.parametrize(
    "question",
    [
        "found = aspdoku.solve(blank, time_limit=1); print(found.ended)",
        "print(aspdoku.generate(like=blank, time_limit=1).ended)",
    ],
)
def test_a_process_exits_cleanly_while_a_program_is_grounded(question):
    """Neither a callback of clingo nor its destructors may meet an end of the process."""
    command = [sys.executable, "-c", f"{LARGE} {question}; sys.exit(3)"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (3, "time\n", "")


@limits
@in_one_test(("text", "limit", "expected"), STATUS)
def test_a_search_can_be_repeated(text, limit, expected, time_limit):
    search = solver_of(text, time_limit=time_limit).search(limit)
    first = rows_of(search)
    second = rows_of(search)
    assert (search.status, search.ended, search.found) == expected
    assert len(first) == len(second)
    if search.ended == "complete":
        assert sorted(first) == sorted(second)


def test_one_search_does_not_limit_the_next():
    solver = solver_of(Puzzle.blank(4))
    assert [len(list(solver.search(limit))) for limit in (1, 0, 5, 0, 2)] == [1, 288, 5, 288, 2]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("names", "rules"), [((), oracle.CLASSIC), (("offset",), oracle.Rules(offset=True))]
)
def test_all_solutions_of_a_6x6_grid_under_its_first_rows(names, rules):
    text = "1 2 3 4 5 6\n4 5 6 1 2 3\n" + ". . . . . .\n" * 4
    found = rows_of(Solver(compose(aspdoku.parse(text), *names)).search(0))
    assert sorted(found) == sorted(oracle.solutions(oracle.read_grid(text), rules))


# ---- Answer sets and solutions ----


@limits
@pytest.mark.parametrize(
    "text",
    [
        "{ mine_x }.",
        "{ mine_x(1..10) }.",
        "{ mine_x(R) : row(R) } = 1.",
        "mine_x ; mine_y.",
        "mine_x :- not mine_y. mine_y :- not mine_x.",
        "{ mine_x(R,C) : cell(R,C) }. :- mine_x(1,1), mine_x(2,2).",
    ],
)
def test_answer_sets_with_the_same_grid_count_once(text, time_limit):
    search = solver_of(UNIQUE, rule_file(text), time_limit=time_limit).search(0)
    assert rows_of(search) == oracle.solutions(oracle.read_grid(UNIQUE))
    assert search.status == "unique"

    search = solver_of(Puzzle.blank(4), rule_file(text), time_limit=time_limit).search(0)
    assert len({solution.rows for solution in search}) == search.found == 288


def test_a_solution_is_read_by_row_and_column():
    (solution,) = solver_of(UNIQUE).search()
    ((first, *_), *_) = oracle.solutions(oracle.read_grid(UNIQUE))
    assert [solution[1, column] for column in (1, 2, 3, 4)] == list(first)
    assert list(solution) == list(solution.rows)
    assert solution.puzzle == aspdoku.parse(UNIQUE)


# ---- Statistics ----


@pytest.mark.parametrize("size", [4, 9])
def test_statistics_are_those_of_clingo(size):
    solver = solver_of(Puzzle.blank(size))
    assert len(list(solver.search(2))) == 2
    statistics = solver.statistics()

    control = clingo.Control(["--project=project", "2"])
    control.add("base", [], solver.program.text)
    control.ground([("base", [])])
    control.solve()
    lp, search = control.statistics["problem"]["lp"], control.statistics["solving"]["solvers"]
    assert (statistics.atoms, statistics.rules) == (lp["atoms"], lp["rules"])
    assert (statistics.choices, statistics.conflicts) == (search["choices"], search["conflicts"])
    assert statistics.choices > 0


def test_statistics_have_the_elapsed_time():
    began = time.perf_counter()
    solver = solver_of(Puzzle.blank(9))
    list(solver.search(50))
    passed = time.perf_counter() - began
    statistics = solver.statistics()
    assert 0 < statistics.grounding < passed
    assert 0 < statistics.solving < passed
    assert statistics.grounding + statistics.solving <= passed


def test_statistics_of_a_larger_program_are_larger():
    def statistics_of(size):
        solver = solver_of(Puzzle.blank(size))
        list(solver.search(1))
        return solver.statistics()

    small, large = statistics_of(4), statistics_of(9)
    assert small.atoms < large.atoms
    assert small.rules < large.rules


# ---- The time limit ----


@pytest.mark.slow
def test_a_time_limit_while_grounding():
    before = threading.active_count()
    began = time.monotonic()
    solver = solver_of(
        Puzzle.blank(4),
        rule_file("mine(1..180). mine(X,Y,Z) :- mine(X), mine(Y), mine(Z), X+Y = Z."),
        time_limit=0.05,
    )
    search = solver.search()
    assert list(search) == []
    assert (search.status, search.ended, search.found) == ("unknown", "time", 0)
    with pytest.raises(TimeLimitError, match="grounding"):
        solver.ground()
    assert time.monotonic() - began < SOON
    assert TimeLimitError.exit_code == 124
    while threading.active_count() > before and time.monotonic() - began < SOON:
        time.sleep(
            0.05
        )  # wait for the abandoned thread, because it slows down the tests after this one


@pytest.mark.slow
def test_a_time_limit_while_solving():
    solver = Solver(compose(Puzzle.blank(25), "offset"), time_limit=1)
    search = solver.search()
    began = time.monotonic()
    assert list(search) == []
    assert time.monotonic() - began < SOON
    assert (search.status, search.ended) == ("unknown", "time")
    assert solver.deadline.passed
    assert 0 < solver.statistics().solving < SOON


@pytest.mark.slow
def test_a_time_limit_among_solutions():
    search = Solver(compose(Puzzle.blank(9)), time_limit=0.5).search(0)
    found = {solution.rows for solution in search}
    assert (search.status, search.ended) == ("several", "time")
    assert len(found) == search.found > 1


@pytest.mark.slow
def test_the_time_limit_is_for_all_searches_together():
    solver = solver_of(Puzzle.blank(9), time_limit=0.5)
    list(solver.search(0))
    second = solver.search(0)
    list(second)
    assert second.ended == "time"


# ---- Messages of clingo, with the author's file and line ----

THIRD = "% The third.\n\n#defined gap/1.\n"


def place_of(message):
    return message.place, message.line, message.column


MESSAGES = [
    # the text after THIRD, line and column in the file, and a part of the message
    ("mine(N/0) :- number(N).", (4, 6), "operation undefined"),
    ("\n\n  mine(N/0) :- number(N).\n", (6, 8), "operation undefined"),
    ("% { x }\r\nmine(N/0) :- number(N).\r\n", (5, 6), "operation undefined"),
    ("%* a\n{{ b }}\n*% mine(N/0) :- number(N).", (6, 9), "operation undefined"),
]


@in_one_test(("text", "place", "fragment"), MESSAGES)
@in_one_test("position", [0, 1, 2])
def test_a_message_has_the_file_and_line_of_its_author(text, place, fragment, position):
    others = [
        rule_file("% One.\n\n% {{ }}\n", "one"),
        rule_file("% Two, without an end of line", "two"),
    ]
    others.insert(position, rule_file(THIRD + text, "third"))
    solver = solver_of(UNIQUE, *others)
    list(solver.search())
    assert solver.messages
    assert {message.place for message in solver.messages} == {"third.lp"}
    assert any(
        place_of(message) == ("third.lp", *place) and fragment in message.text
        for message in solver.messages
    )
    assert any(
        str(message).startswith(f"third.lp:{place[0]}:{place[1]}: ") for message in solver.messages
    )
    assert not any(
        "\n" in str(message) or "#inc_base" in str(message) for message in solver.messages
    )


def test_no_messages_without_a_problem():
    solver = solver_of(UNIQUE, rule_file(":- a(1,1,1), a(1,2,2)."))
    list(solver.search())
    assert solver.messages == []


def test_an_unsafe_variable_in_the_third_file_has_its_position():
    others = [rule_file("% One.\n", "one"), rule_file("% Two", "two")]
    with pytest.raises(RuleError, match=r"^third\.lp:4:10: .*\bR\b"):
        solver_of(UNIQUE, *others, rule_file(THIRD + ":- not a(R,1,1).", "third"))


def test_a_grounding_error_has_its_position():
    others = [rule_file("% One.\n", "one"), rule_file("% Two", "two")]
    with pytest.raises(RuleError, match=r"third\.lp:5:1: ") as caught:
        list(solver_of(UNIQUE, *others, rule_file(THIRD + "\n#const n = 7.\n", "third")).search())
    assert not re.search(r"<block>|<string>", str(caught.value))


@limits
def test_several_numbers_in_a_cell_are_rejected(time_limit):
    for text in ("a(1,1,7).", "a(0,1,1).", "a(1,5,1).", "a(1,1,x).", "cell(5,1).", 'a(1,"1",1).'):
        with pytest.raises(RuleError, match="a/3"):
            list(solver_of(UNIQUE, rule_file(text), time_limit=time_limit).search())


# A rule with sums over derived atoms, and arrows for which clingo with its default options finds no
# grid at all.
CHAIN = """
reaches(R,C,N) :- arrow(_,_,R,C), a(R,C,N), N > 0.
reaches(R,C,N-1) :- reaches(R,C,N), N > 1.
:- sum(I,S), #sum { N,K : a(R,C,N), arrow(I,K,R,C) } != S.
:- sum(I,S), #count { K,N : reaches(R,C,N), arrow(I,K,R,C) } != S.
"""
ARROWS = {
    ((1, 4),): 2,
    ((4, 4),): 1,
    ((1, 2), (2, 3), (3, 4)): 8,
    ((4, 1),): 2,
    ((1, 2), (2, 1)): 7,
    ((1, 1),): 1,
    ((1, 1), (2, 2), (3, 3), (4, 4)): 6,
}


@pytest.mark.slow
def test_no_solution_is_lost_with_sums_over_dependent_atoms():
    atoms = "".join(
        f"sum({name},{total}). "
        + "".join(
            f"arrow({name},{place},{row},{column}). " for place, (row, column) in enumerate(cells)
        )
        for name, (cells, total) in enumerate(ARROWS.items())
    )
    rule = RuleFile("chain", "chain.lp", CHAIN + atoms, vetted=True)
    found = {
        solution.rows
        for solution in Solver(
            assemble(Puzzle.blank(4), [library.base(), *library.defaults(), rule])
        ).search(0)
    }
    expected = {
        grid
        for grid in sudokus(4)
        if all(
            sum(grid[row - 1][column - 1] for row, column in cells) == total
            for cells, total in ARROWS.items()
        )
    }
    assert found == expected
    assert expected


def test_programs_that_are_grounded_at_once_need_no_thread(monkeypatch):
    """Only the first grounding, which may take long, can be interrupted."""
    started = []
    start = threading.Thread.start
    monkeypatch.setattr(
        threading.Thread, "start", lambda thread: (started.append(thread), start(thread))
    )
    pace = Pace()
    for givens in (UNIQUE, TWO_SOLUTIONS, CONTRADICTORY):
        Solver(compose(aspdoku.parse(givens)), 60, pace=pace).first_answer_set()
    assert len(started) == 1
    Solver(compose(aspdoku.parse(UNIQUE), "anti-knight"), 60, pace=pace).ground()
    assert len(started) == 2


@limits
@pytest.mark.parametrize("conflicts", [1, 2000], ids=["long searches", "short ones"])
def test_answer_sets_by_short_searches_are_those_of_the_oracle(conflicts, time_limit, monkeypatch):
    monkeypatch.setattr(solver, "_SHORT_SEARCH", conflicts)
    for givens in (HARD, UNIQUE, TWO_SOLUTIONS, CONTRADICTORY):
        puzzle = aspdoku.parse(givens)
        found = Solver(compose(puzzle), time_limit, pace=Pace()).answer_sets(3, shown=True)
        expected = oracle.solutions([list(row) for row in puzzle.grid], oracle.CLASSIC, limit=3)
        atoms = [
            sorted(f"a({r},{c},{n})" for r, row in enumerate(grid, 1) for c, n in enumerate(row, 1))
            for grid in expected
        ]
        assert sorted(sorted(map(str, each)) for each in found) == sorted(atoms)


def test_short_searches_end_at_the_time_limit():
    late = Solver(compose(aspdoku.parse(UNIQUE)), 60, pace=Pace())
    late.ground()
    late.deadline = Deadline(0)
    with pytest.raises(TimeLimitError):
        late.first_answer_set()
