"""Reasons: what is explained is true according to the oracle; errors of the functions."""

import re
import shlex

import oracle
import pytest
from api_calls import IMPOSSIBLE, SMALL, UNIQUE
from cli.cli_runner import run

import aspdoku

EXPECTED = oracle.solutions(oracle.read_grid(UNIQUE))
NUMBERS = {
    (r, c): number for r, row in enumerate(EXPECTED[0], 1) for c, number in enumerate(row, 1)
}


def holds(claim):
    return (NUMBERS[claim.row, claim.column] == claim.number) == claim.holds


def claims(steps):
    """What the steps conclude."""
    reasons = [reason for step in steps for reason in (*step.eliminations, *step.reasons)]
    return [claim for reason in reasons for claim in reason.claims]


@pytest.mark.parametrize("singles", [False, True])
def test_the_steps_lead_to_the_solution(singles):
    explanation = aspdoku.explain(UNIQUE, singles=singles)
    concluded = claims(explanation.steps)
    assert explanation.ended == "complete"
    assert all(map(holds, concluded))
    placed = {(claim.row, claim.column) for claim in concluded if claim.holds}
    assert placed == NUMBERS.keys() - aspdoku.parse(UNIQUE).givens().keys()


@pytest.mark.parametrize("cell", [(1, 1), (2, 2), (3, 4)])
@pytest.mark.parametrize("number", [1, 2, 3, 4])
def test_why_of_each_number(cell, number):
    row, column = cell
    sign = "=" if NUMBERS[cell] == number else "!="
    claim = f"r{row}c{column}{sign}{number}"
    found = aspdoku.why(UNIQUE, claim)
    assert found
    assert str(found.claim) == claim
    assert all(map(holds, claims(found.steps)))
    # What excludes a number from a cell may be that the cell holds another.
    assert {found.claim, aspdoku.why(UNIQUE, f"r{row}c{column}={NUMBERS[cell]}").claim} & set(
        claims(found.steps)
    )
    with pytest.raises(aspdoku.AspdokuError, match="holds in no solution"):
        aspdoku.why(UNIQUE, claim.replace(sign, "!=" if sign == "=" else "="))


def test_steps_are_passed_on_as_they_are_found():
    steps = []

    def stop(step):
        steps.append(step)
        if len(steps) == 3:
            raise KeyboardInterrupt

    found = aspdoku.explain(UNIQUE, on_step=stop, interruptible=True)
    assert (found.steps, found.ended) == (tuple(steps), "interrupted")


@pytest.mark.parametrize("options", [{}, {"singles": True}, {"batch": True, "singles": True}])
def test_the_text_of_an_explanation_ends_with_the_closing(options):
    found = aspdoku.explain("12.. .... .... ....", **options)
    assert str(found).endswith(found.closing())
    assert "several solutions" in found.closing()


def test_why_of_a_conclusion():
    concluded = claims([aspdoku.hint(UNIQUE).step])
    assert aspdoku.why(UNIQUE, concluded[0]).claim == concluded[0]


def test_why_of_an_open_claim_has_counterexamples():
    found = aspdoku.why(SMALL, "r3c2=3")
    assert (bool(found), found.steps, found.data) == (False, (), None)
    assert [grid[3, 2] == 3 for grid in found.counterexamples] == [True, False]


@pytest.mark.slow
def test_hints_up_to_the_solution():
    """Each hint is true; with all its conclusions entered, the next one is another one."""
    rows = [list(row) for row in aspdoku.parse(UNIQUE).grid]
    for _ in range(40):
        entries = aspdoku.Puzzle(tuple(map(tuple, rows)))
        found = aspdoku.hint(UNIQUE, entries)
        if found.step is None:
            break
        assert all(map(holds, claims([found.step])))
        placed = [claim for claim in claims([found.step]) if claim.holds]
        assert placed
        for claim in placed:
            rows[claim.row - 1][claim.column - 1] = claim.number
    assert rows == EXPECTED[0]
    assert str(found) == "no next step: the grid is solved"


def test_wrong_entries():
    found = aspdoku.hint(UNIQUE, UNIQUE.replace(". 4 . .", "2 4 . ."))
    assert ([str(claim) for claim in found.wrong_entries], found.step) == (["r1c1=2"], None)
    assert found.conflicts == ()
    assert "no rule is violated directly, but the grid has no solution with it" in str(found)


def test_wrong_entries_have_the_rules_that_they_violate():
    found = aspdoku.hint(UNIQUE, UNIQUE.replace(". 4 . .", "4 4 . ."))
    (conflict,) = found.conflicts
    assert list(map(str, conflict.givens)) == ["r1c1=4", "r1c2=4"]
    assert {each.words for each in conflict.rules} == {
        "row 1 has at most one 4",
        "box 1 has at most one 4",
    }


def test_conflict():
    assert not aspdoku.conflict(UNIQUE)
    found = aspdoku.conflict(IMPOSSIBLE)
    assert (bool(found), found.data.cause) == (True, "givens")
    assert {str(claim) for claim in found.data.repairs} == {"r1c1=1", "r1c2=1"}


def test_grade():
    assert aspdoku.grade(UNIQUE).label == "easy"
    assert aspdoku.grade(UNIQUE).name == "one solution"
    assert aspdoku.grade("." * 15 + "1").name == "puzzle"


CALLS = {
    "explain": aspdoku.explain,
    "hint": aspdoku.hint,
    "why": lambda puzzle, **arguments: aspdoku.why(puzzle, "r1c1=1", **arguments),
    "grade": aspdoku.grade,
    "conflict": aspdoku.conflict,
    "draw the solution": lambda *given, **named: aspdoku.draw(*given, solution=True, **named),
    "draw candidates": lambda *given, **named: aspdoku.draw(*given, true_candidates=True, **named),
}


@pytest.mark.parametrize("name", sorted(CALLS.keys() - {"conflict"}))
def test_no_solution(name):
    with pytest.raises(aspdoku.NoSolutionError, match="no solution") as caught:
        CALLS[name](IMPOSSIBLE)
    assert caught.value.exit_code == 20


@pytest.mark.parametrize("name", CALLS)
def test_time_limit(name):
    with pytest.raises(aspdoku.TimeLimitError) as caught:
        CALLS[name]("." * 81, time_limit=1e-6)
    assert caught.value.exit_code == 124


@pytest.mark.parametrize("claim", ["r1c1", "r5c1=1", "r1c1=5", "", (5, 1, 1), (1, 1, -1)])
def test_invalid_claims(claim):
    with pytest.raises(aspdoku.AspdokuError, match=r"invalid claim|outside the 4x4 grid"):
        aspdoku.why(UNIQUE, claim)


def test_unknown_degree():
    with pytest.raises(aspdoku.AspdokuError, match="unknown degree 'all': use one of where"):
        aspdoku.hint(UNIQUE, degree="all")


def test_entries_of_another_size():
    with pytest.raises(aspdoku.AspdokuError):
        aspdoku.hint(UNIQUE, "." * 81)


def test_why_takes_a_row_a_column_and_a_number():
    for claim in ((3, 2, 3), [3, 2, 3], aspdoku.why(UNIQUE, "r3c2=3").claim):
        assert str(aspdoku.why(UNIQUE, claim)) == str(aspdoku.why(UNIQUE, "r3c2=3"))
    assert str(aspdoku.why(UNIQUE, (3, 2, 4, False)).claim) == "r3c2!=4"


@pytest.mark.parametrize("claim", [(3, 2), (3, 2, "3"), 3, None, (1,)])
def test_what_is_not_a_claim(claim):
    with pytest.raises(TypeError, match="expected a claim, such as 'r3c4=5' or \\(3, 4, 5\\), not"):
        aspdoku.why(UNIQUE, claim)


ADVICE = {
    "explain": (IMPOSSIBLE, aspdoku.explain, ["explain"], "conflict(puzzle)"),
    "hint": (IMPOSSIBLE, aspdoku.hint, ["hint"], "conflict(puzzle)"),
    "why": (
        UNIQUE,
        lambda file: aspdoku.why(file, "r3c2=4"),
        ["why", "r3c2=4"],
        "why(puzzle, 'r3c2!=4')",
    ),
    "a rule": (
        UNIQUE,
        lambda file: aspdoku.count(file, with_="x"),
        ["count", "--with", "x"],
        "rules()",
    ),
    "an example": (
        UNIQUE,
        lambda _: aspdoku.read("example:x"),
        ["solve", "example:x"],
        "examples()",
    ),
}


@pytest.mark.parametrize("case", ADVICE)
def test_errors_name_functions_in_python_and_commands_on_the_command_line(case, tmp_path):
    text, call, command, function = ADVICE[case]
    file = tmp_path / "grid.txt"
    file.write_text(text)
    with pytest.raises(aspdoku.AspdokuError) as caught:
        call(file)
    assert re.findall("`(.*?)`", str(caught.value)) == [f"aspdoku.{function}"]
    assert getattr(aspdoku, function.partition("(")[0])
    arguments = command if "example:x" in command else [*command, file]
    advised = re.findall("`aspdoku (.*?)`", run(*arguments).stderr)
    words = {
        "why(puzzle, 'r3c2!=4')": ["why", "r3c2!=4", str(file)],
        "conflict(puzzle)": ["conflict"],
        "rules()": ["rules"],
        "examples()": ["example"],
    }
    assert list(map(shlex.split, advised)) == [words[function]]
