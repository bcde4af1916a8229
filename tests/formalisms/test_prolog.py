"""Prolog: both texts find the solutions of the instances, and clauses are counted in any layout."""

import re
import shutil
import subprocess
from collections import Counter

import pytest
from in_one_test import in_one_test
from instance_files import FOLDER

import aspdoku
from aspdoku.errors import TimeLimitError
from aspdoku.formalisms.comparison import compare_formalisms, encoding_change
from aspdoku.formalisms.engine import Case, Encoding, EngineError
from aspdoku.formalisms.programs import AnySizeProlog, FixedSizeProlog, clauses
from aspdoku.program import compose
from aspdoku.puzzle import Puzzle

ENGINES = [FixedSizeProlog(), AnySizeProlog()]
FOUR = ".4..\n...4\n..2.\n1..."
RIGHT = ((3, 4, 1, 2), (2, 1, 3, 4), (4, 3, 2, 1), (1, 2, 4, 3))

both = pytest.mark.parametrize("engine", ENGINES, ids=lambda engine: engine.name)
runs = pytest.mark.skipif(not shutil.which("swipl"), reason="needs swipl (apt install swi-prolog)")


def answer(engine, puzzle, *names, without=()):
    case = Case.of(compose(puzzle, *names, without=without))
    return engine.run(case, engine.encode(case), 60)


def answer_of(program, puzzle=FOUR, seconds=20, instance=None):
    """The result of a handmade text."""
    case = Case.of(compose(aspdoku.parse(puzzle)))
    return FixedSizeProlog().run(
        case,
        Encoding(
            program, FixedSizeProlog().encode(case).instance if instance is None else instance
        ),
        seconds,
    )


def facts(text, size=4):
    """A blank grid with these facts."""
    return aspdoku.parse("\n".join(["." * size] * size) + f"\n\n[facts]\n{text}\n")


# ---- Running the texts ----

SOLVED = [
    *("owl/four", "slides/six", "slides/offset", "slides/anti-knight", "slides/greater-than"),
    *(
        "slides/sixteen",
        "slides/everest",
        "made/killer",
        "made/strimko",
        "csp/escargot",
        "prolog/example",
    ),
]


@pytest.mark.slow_cases(
    "csp/escargot-prolog-sized",
    "made/killer-prolog-sized",
    "made/killer-prolog-source",
    "slides/everest-prolog-sized",
    "slides/everest-prolog-source",
    "slides/greater-than-prolog-sized",
)
@runs
@both
@pytest.mark.parametrize("file", SOLVED)
def test_the_encodings_find_the_expected_grid(engine, file):
    outcome = answer(engine, aspdoku.read(FOLDER / f"{file}.txt"))
    assert outcome.grid == aspdoku.read(FOLDER / f"{file}.solution.txt").grid
    assert outcome.unique is True
    assert outcome.start > 0
    assert outcome.solve > 0


@pytest.mark.slow
@runs
@both
def test_several_solutions_and_none(engine):
    several = answer(engine, Puzzle.blank(4))
    assert several.unique is False
    assert [sorted(row) for row in several.grid] == [[1, 2, 3, 4]] * 4
    assert answer(engine, aspdoku.parse("11..\n....\n....\n....")).grid is None


# Boxes that are taller than wide, or whole rows; two-digit numbers; the smallest grids.
@pytest.mark.slow_cases(
    "10-None-names3-prolog-sized",
    "10-None-names3-prolog-source",
    "6-box2-names2-prolog-sized",
    "6-box2-names2-prolog-source",
)
@runs
@both
@pytest.mark.parametrize(
    ("size", "box", "names"),
    [
        (1, None, ["anti-knight"]),
        (3, None, ["greater-than"]),
        (6, (3, 2), ["offset"]),
        (10, None, []),
    ],
)
def test_grids_of_any_size(engine, size, box, names):
    assert [
        row.status
        for row in compare_formalisms(compose(Puzzle.blank(size, box), *names), [engine], 60)
    ] == ["agrees"]


CHAIN = 'chain(1,1,"A"). chain(1,2,"A"). chain(2,1,"A"). '
CAGE = 'cage(1,1,"A"). cage(1,2,"A"). cage(2,1,"A"). '

# Unsatisfiable claims about a blank 4x4 grid, found by hand; the puzzles above are satisfiable.
FORBIDDEN = [
    ("offset", "a(1,1,1). a(3,3,1)."),
    ("anti-knight", "a(1,1,1). a(2,3,1)."),
    ("anti-knight", "a(1,4,1). a(3,3,1)."),
    ("greater-than", "gt(1,1,4,4). a(1,1,3). a(4,4,3)."),
    ("greater-than", "gt(1,1,4,4). a(1,1,3). a(4,4,4)."),
    ("chain", CHAIN + 'chain(4,4,"A"). a(1,1,1). a(4,4,1).'),
    ("killer", CAGE + 'cage(4,4,"A"). a(1,1,1). a(4,4,1).'),
    ("killer", CAGE + 'cage_value("A",8). a(1,1,2).'),
]


@runs
@both
@pytest.mark.parametrize(("name", "text"), FORBIDDEN)
def test_grids_that_an_elaboration_forbids(engine, name, text):
    assert answer(engine, facts(text), name).grid is None


@runs
@both
def test_elaborations_without_facts_forbid_nothing(engine):
    assert answer(engine, aspdoku.parse(FOUR), "greater-than", "chain", "killer").grid == RIGHT


@runs
@both
def test_a_chain_that_is_shorter_than_a_row_cannot_hold_every_number(engine):
    assert answer(engine, facts(CHAIN), "chain", without=["box"]).grid is None


@runs
@both
def test_a_sum_without_cells_has_no_solution(engine):
    assert answer(engine, facts('cage_value("A",5).'), "killer").grid is None


@pytest.mark.slow
@runs
@both
def test_elaborations_can_be_combined(engine):
    names = ["offset", "anti-knight", "greater-than", "killer"]
    puzzle = facts('gt(2,1,1,1). cage(1,1,"é"). cage(1,2,"é"). cage_value("é",15).', size=9)
    outcome = answer(engine, puzzle, *names)
    (upper, right, *_), (lower, *_), *_ = outcome.grid
    assert (upper + right, upper < lower) == (15, True)


# ---- Failures ----

READY = "sudoku([[3,4,1,2],[2,1,3,4],[4,3,2,1],[1,2,4,3]])."


@runs
def test_the_same_grid_twice_is_one_solution():
    outcome = answer_of(f"{READY}\n{READY}")
    assert (outcome.grid, outcome.unique) == (RIGHT, True)


@runs
@pytest.mark.parametrize(
    ("program", "message"),
    [
        (f"{READY}\nwrong(.", r"sudoku\.pl:2:.*Syntax error"),
        (f"{READY}\nloose(X) :- true.", r"sudoku\.pl:2:\n.*Singleton variables: \[X\]"),
        (":- use_module(library(none_such)).\n" + READY, "none_such"),
        ("sudoku(Board) :- none_such(Board).", "none_such/1"),
        ("sudoku(_).", "invalid answer of swipl"),
        ("sudoku(_) :- halt(0).", "invalid answer of swipl"),
        ("sudoku(_) :- halt(3).", "exited with status 3"),
    ],
)
def test_an_invalid_program_fails_without_an_answer(program, message):
    with pytest.raises(EngineError, match=message) as caught:
        answer_of(program)
    assert "/tmp" not in str(caught.value)


@runs
def test_a_grid_of_another_size_is_not_an_answer():
    with pytest.raises(EngineError, match="does not have 4 rows"):
        answer_of("sudoku(_).", instance="puzzle([[1,2],[2,1]]).")


@pytest.mark.slow
@runs
@pytest.mark.parametrize(
    "program",
    ["sudoku(_) :- repeat, fail.", ":- repeat, fail.\nsudoku(_)."],
    ids=["solving", "loading"],
)
def test_a_program_that_does_not_end_reaches_the_time_limit(program):
    with pytest.raises(TimeLimitError):
        answer_of(program, seconds=0.5)


@both
def test_a_missing_swipl_is_reported(engine, monkeypatch):
    monkeypatch.setenv("PATH", "")
    (row,) = compare_formalisms(compose(aspdoku.parse(FOUR)), [engine], 10)
    assert (row.status, row.reason) == ("skipped", "needs swipl (apt install swi-prolog)")


# ---- Counting clauses ----

# Counted by hand. Another size changes valid/1, grids/6 and sudoku/1; without boxes, grids/6 is
# removed.
CHANGES = [
    (FixedSizeProlog(), 6, "", (3, 3)),
    (FixedSizeProlog(), 16, "", (3, 3)),
    (FixedSizeProlog(), 9, "offset", (2, 1)),
    (FixedSizeProlog(), 9, "anti-knight", (4, 1)),
    (FixedSizeProlog(), 9, "greater-than", (3, 1)),
    (FixedSizeProlog(), 9, "killer", (4, 1)),
    (FixedSizeProlog(), 9, "chain without box", (4, 2)),
    (FixedSizeProlog(), 5, "chain without box", (4, 2)),
    (AnySizeProlog(), 6, "", (0, 0)),
    (AnySizeProlog(), 16, "", (0, 0)),
    (AnySizeProlog(), 9, "offset", (2, 1)),
    (AnySizeProlog(), 9, "anti-knight", (4, 1)),
    (AnySizeProlog(), 9, "greater-than", (3, 1)),
    (AnySizeProlog(), 9, "killer", (3, 1)),
    (AnySizeProlog(), 9, "chain without box", (2, 2)),
    (AnySizeProlog(), 5, "chain without box", (2, 2)),
]


@in_one_test(
    ("engine", "size", "what", "counts"),
    CHANGES,
)
def test_numbers_of_added_and_removed_clauses(engine, size, what, counts):
    name, _, without = what.partition(" without ")
    made = encoding_change(
        engine,
        Case.of(
            compose(Puzzle.blank(size), *[name] * bool(name), without=[without] * bool(without))
        ),
    )
    assert (len(made.added), len(made.removed)) == counts


@in_one_test(
    ("text", "expected"),
    [
        ("a. b.", ["a.", "b."]),
        ("a:-b,c.", ["a :- b, c."]),
        ("a :-\n    b,   % why. b?\n    c. /* and.\n so. */ d.", ["a :- b, c.", "d."]),
        ("p(Here, There) :- q(There,Here).", ["p(A, B) :- q(B, A)."]),
        ("p(Once, _, _) :- q(_Two, _Two).", ["p(_, _, _) :- q(A, A)."]),
        ("L ins 1..9 .", ["_ ins 1..9."]),
        ("x(1.5). y(0'.). z(0'a, 0''', 0'\\n).", ["x(1.5).", "y(0'.).", "z(0'a, 0''', 0'\\n)."]),
        (
            "say('It''s. A \\'dot\\'. % Here', \"and. \\\" here.\").",
            ["say('It''s. A \\'dot\\'. % Here', \"and. \\\" here.\")."],
        ),
        ("'plain'('Not plain', 'X').", ["plain('Not plain', 'X')."]),
        (
            "X =.. [f|T], X #\\= T, X-T = - (1), X = -(1).",
            ["A =.. [f|B], A #\\= B, A-B = - (1), A = -(1)."],
        ),
        ("a :- ( b -> c ; \\+ d ), !.", ["a :- (b -> c ; \\+ d), !."]),
        ("größer(Ä, Ä).", ["größer(A, A)."]),
        (" % nothing\n", []),
    ],
)
def test_clauses_have_a_normal_form(text, expected):
    assert clauses(text) == expected


def test_more_variables_than_letters():
    names = [f"V{k}" for k in range(30)]
    assert clauses(f"p({','.join(names + names)}).")[0].startswith("p(A, B, C, ")
    assert len(set(re.findall(r"\w+", clauses(f"p({','.join(names + names)}).")[0]))) == 31


def test_clauses_are_a_multiset_without_declarations():
    text = (
        ":- dynamic gt/4.\n:- use_module(library(clpfd)).\np(X,X).\np(Y,  Y). %"
        " again\n:-dynamic(cage/3)."
    )
    assert FixedSizeProlog().statements(text) == Counter(
        {"p(A, A).": 2, ":- use_module(library(clpfd)).": 1}
    )


@pytest.mark.parametrize("text", ["a :- b", "a. b(X) :- 'never closed.", "a. €."])
def test_invalid_prolog_text_is_rejected(text):
    with pytest.raises(EngineError, match="Prolog"):
        clauses(text)


VARIANTS = """
:- use_module(library(clpfd)).
terms(File, Terms) :- open(File, read, In), read_all(In, Terms), close(In).
read_all(In, Terms) :-
    read(In, Term),
    ( Term == end_of_file -> Terms = [] ; Terms = [Term|More], read_all(In, More) ).
:- initialization((terms('text.pl', Terms), terms('spelled.pl', Spelled), Terms =@= Spelled, length(Terms, N), write(N)), main).
"""  # noqa: E501


@runs
@both
def test_prolog_parses_the_normal_form_as_a_variant_of_the_text(engine, tmp_path):
    case = Case.of(
        compose(Puzzle.blank(9), "offset", "anti-knight", "greater-than", "chain", "killer")
    )
    text = engine.encode(case).program
    for name, content in (
        ("text", text),
        ("spelled", "\n".join(clauses(text))),
        ("variants", VARIANTS),
    ):
        (tmp_path / f"{name}.pl").write_text(content)
    done = subprocess.run(
        ["swipl", "-q", "variants.pl"], cwd=tmp_path, capture_output=True, text=True, timeout=20
    )
    assert (done.stdout, done.stderr) == (str(len(clauses(text))), "")
