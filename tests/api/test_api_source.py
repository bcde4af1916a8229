"""Puzzles in any form, and the rules and constants that all functions take."""

from functools import cache
from pathlib import Path

import pytest
from api_calls import CALLS, SMALL, UNIQUE, content
from in_one_test import in_one_test
from sampling import row_and_column

import aspdoku

CORNER = aspdoku.RuleFile.from_text("corner", "#defined ab/1.\n:- a(1,1,corner), not ab(corner).\n")


@pytest.fixture
def file(tmp_path):
    path = tmp_path / "grid.txt"
    path.write_text(UNIQUE)
    return path


FORMS = {
    "text": lambda file: file.read_text(),
    "path": lambda file: file,
    "name of a file": str,
    "index in a file": lambda file: f"{file}#1",
    "program": aspdoku.compose,
}


@cache
def expected(name):
    return content(CALLS[name](aspdoku.parse(UNIQUE)))


@pytest.mark.slow_cases("elaborate-*")
@pytest.mark.parametrize(("name", "form"), row_and_column([*CALLS], [*FORMS]))
def test_a_puzzle_in_any_form_has_the_same_answer(name, form, file):
    assert content(CALLS[name](FORMS[form](file))) == expected(name)


RULES = {
    "with": ({"with_": "diagonal"}, ["diagonal"], {}),
    "with several": ({"with_": ["diagonal", "offset"]}, ["diagonal", "offset"], {}),
    "with a file": ({"with_": CORNER, "constants": {"corner": 3}}, [CORNER], {"corner": 3}),
    "without": ({"without": "box"}, [], {}),
}


@pytest.mark.slow_cases("elaborate-*", "*-with several")
@pytest.mark.parametrize(("name", "case"), row_and_column([*CALLS], [*RULES]))
def test_rules_and_constants_are_those_of_the_composed_program(name, case):
    arguments, rules, constants = RULES[case]
    call, without = CALLS[name], arguments.get("without", ())
    program = aspdoku.compose(SMALL, *rules, without=without, constants=constants)

    def answer(*given, **named):
        try:
            return content(call(*given, **named))
        except aspdoku.AspdokuError as error:
            return type(error), str(error)

    assert answer(SMALL, **arguments) == answer(program)


def test_rules_and_constants_change_the_answer():
    def count(**arguments):
        return aspdoku.count("." * 16, **arguments).count

    assert count() == 288
    assert count(with_="diagonal") == count(with_=["diagonal"]) == count(with_={"diagonal"}) == 48
    assert count(without="box") == count(without=["box"]) == count(without=iter(["box"])) == 576
    assert count(with_=CORNER, constants={"corner": 1}) == 288 * 3 // 4
    assert count(with_=CORNER, constants={"corner": 1}, without="corner") == 288


def test_a_rule_is_a_name_a_path_or_a_file(tmp_path):
    path = tmp_path / "mine.lp"
    path.write_text(":- a(1,1,1).\n")
    rules = [str(path), path, aspdoku.RuleFile.read(path)]
    assert {aspdoku.count("." * 16, with_=rule).count for rule in rules} == {216}


def test_elaborate_uses_constants():
    """Each stage is composed with them, also the search for a solution that the rule forbids."""
    report = aspdoku.elaborate("." * 16, with_=CORNER, constants={"corner": 1}).data
    assert [(counts.before, counts.after) for counts in report.steps[1].counts] == [(288, 216)]
    assert report.steps[1].forbidden.grid[1, 1] == 1
    assert [(each.line, each.cells) for each in report.steps[1].forbidden.violations] == [
        (2, ((1, 1),))
    ]


ADDED = [
    {"with_": "diagonal"},
    {"without": "box"},
    {"constants": {"gap": 5}},
    {"facts": "even(1,1)"},
]


@in_one_test(("name", "arguments"), row_and_column([*CALLS], ADDED))
def test_nothing_can_be_added_to_a_program(name, arguments):
    with pytest.raises(aspdoku.AspdokuError, match="composed program are fixed"):
        CALLS[name](aspdoku.compose(SMALL), **arguments)


# The other two are called by a function in api_calls.
@pytest.mark.slow_cases("elaborate")
@pytest.mark.parametrize("name", sorted(CALLS.keys() - {"why", "compare"}))
def test_a_warning_points_to_the_caller(name):
    with pytest.warns(aspdoku.AspdokuWarning, match="killer has no effect") as caught:
        CALLS[name](UNIQUE, with_="killer")
    assert {warning.filename for warning in caught} == {__file__}, (
        "the function calls program_of itself, and is decorated with @interruptible"
    )


def test_a_program_lists_its_warnings():
    program = aspdoku.compose(SMALL, "killer")
    assert "killer has no effect" in program.warnings[0]


# ---- Errors

NOT_A_PUZZLE = {
    "empty": ("", "no grid found"),
    "no grid": ("5 5 5", "3 cells in one line"),
    "missing file": ("missing.txt", "missing.txt: No such file"),
    "missing path": (Path("missing"), "missing: No such file"),
    "folder": (Path(__file__).parent, "Is a directory"),
}


@in_one_test(("name", "case"), row_and_column([*CALLS], [*NOT_A_PUZZLE]))
def test_invalid_puzzles_are_rejected(name, case):
    puzzle, message = NOT_A_PUZZLE[case]
    with pytest.raises(aspdoku.PuzzleError, match=message):
        CALLS[name](puzzle)


BROKEN = aspdoku.RuleFile.from_text("mine", "\n:- a(R,C,.")


UNUSABLE = [
    ({"with_": "anti-knigt"}, "unknown rule 'anti-knigt'. Did you mean 'anti-knight'"),
    ({"with_": "./missing.lp"}, "missing.lp: No such file"),
    ({"with_": BROKEN}, "mine.lp:2:5: syntax error"),
    ({"with_": aspdoku.RuleFile.from_text("mine", ":- a(R,C,N), M > 3.")}, "mine.lp:1"),
    ({"without": "boxes"}, "cannot retract 'boxes'.* Did you mean 'box'"),
    ({"constants": {"gap": 1.5}}, "invalid constant gap=1.5"),
    ({"constants": {"n": 5}}, "constant n cannot be set"),
]


@in_one_test(("name", "case"), row_and_column([*CALLS], UNUSABLE))
def test_rules_that_cannot_be_used(name, case):
    arguments, message = case
    with pytest.raises(aspdoku.RuleError, match=message):
        CALLS[name](SMALL, **arguments)


WRONG_TYPES = {
    "number": ((5,), {}, "its text, a path or a Program, not 5"),
    "None": ((None,), {}, "not None"),
    "bytes": ((b"1...",), {}, "not b'1...'"),
    "lines": ((["1..."],), {}, "expected rows of numbers, not '1...'"),
    "with a number": ((SMALL,), {"with_": 5}, "int"),
    "with a list": ((SMALL,), {"with_": [["box"]]}, "expected str.* not list"),
}


@in_one_test(("name", "case"), row_and_column([*CALLS], [*WRONG_TYPES]))
def test_arguments_of_a_wrong_type(name, case):
    given, arguments, message = WRONG_TYPES[case]
    with pytest.raises(TypeError, match=message):
        CALLS[name](*given, **arguments)


@in_one_test(
    ("name", "seconds"),
    row_and_column(sorted(CALLS.keys() - {"compare"}), ["5", True, float("nan")]),
)
def test_invalid_time_limits(name, seconds):
    with pytest.raises((TypeError, aspdoku.AspdokuError), match="time limit"):
        CALLS[name](SMALL, time_limit=seconds)


INVALID_NUMBERS = {
    "solutions of a search": lambda value: aspdoku.Solver(aspdoku.compose(SMALL)).search(value),
    "rows": lambda value: aspdoku.Puzzle.blank(value),
}


@pytest.mark.parametrize("value", ["2", 1.5, True])
@pytest.mark.parametrize("call", INVALID_NUMBERS.values(), ids=INVALID_NUMBERS)
def test_numbers_of_a_wrong_type(call, value):
    with pytest.raises(TypeError, match="expected a number of"):
        call(value)


def test_a_line_of_a_batch_is_a_string():
    with pytest.raises(TypeError, match="expected a line of text, not None"):
        list(aspdoku.batch([None], size=4))
    with pytest.raises(aspdoku.AspdokuError, match="invalid number of processes 0"):
        aspdoku.batch([], jobs=0)


@pytest.mark.parametrize("arguments", [("x", None), ("x", b"a."), (3, "a.")])
def test_a_rule_is_given_as_a_string(arguments):
    with pytest.raises(TypeError, match="the name and the text of a rule as strings"):
        aspdoku.RuleFile.from_text(*arguments)


@pytest.mark.parametrize(
    "function",
    [
        aspdoku.compose,
        lambda program: aspdoku.convert(program, "lines"),
        lambda program: aspdoku.equivalent("box", "offset", program),
        lambda program: aspdoku.hint(SMALL, entries=program),
    ],
)
def test_a_program_is_rejected_if_its_rules_would_be_lost(function):
    with pytest.raises(TypeError, match="its rules would be lost"):
        function(aspdoku.compose(SMALL, "diagonal"))


def test_compose_takes_rules_one_by_one():
    with pytest.raises(TypeError, match=r"expected str.* not list"):
        aspdoku.compose(SMALL, ["diagonal"])
    with pytest.raises(TypeError, match="the text of a puzzle, not 5"):
        aspdoku.parse(5)


def test_an_empty_file_name():
    with pytest.raises(aspdoku.PuzzleError, match="empty file name"):
        aspdoku.read("")


def test_rows_of_digits_as_text():
    rows = [list("1..."), list("...."), list("..3."), list("....")]
    assert aspdoku.Puzzle.from_rows(rows).givens() == {(1, 1): 1, (3, 3): 3}


CAGE = "with: killer\n" + "....\n" * 4 + "[cage]\nA A . .\n" + ". . . .\n" * 3 + "A = three\n"


def test_a_name_instead_of_a_number_is_an_error_unless_it_is_a_constant():
    with pytest.raises(aspdoku.RuleError) as error:
        aspdoku.solve(CAGE)
    assert 'three in cage_value("A",three) is not a number' in str(error.value)
    program = aspdoku.compose(CAGE, constants={"three": 3})
    assert {solution[1, 1] for solution in aspdoku.solve(program, limit=0)} == {1, 2}
