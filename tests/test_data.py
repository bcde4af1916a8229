"""Thousands of published puzzles, if the collection exists next to the checkout: `aspdoku batch`
and the engine, compared with the oracle and the published solutions.
"""

import json
import subprocess
import sys
from collections import Counter
from dataclasses import replace
from itertools import pairwise

import oracle
import pytest
from collected_puzzles import DATA, READERS, SIGNS, collection, grid_of
from published_puzzles import Case, cases

import aspdoku
from aspdoku import Puzzle, Solver, compose
from aspdoku.errors import PuzzleError
from aspdoku.explanation.conflict import explain_conflict
from aspdoku.explanation.explainer import Explainer
from aspdoku.explanation.steps import difficulty_of
from aspdoku.puzzle import Function

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(
        not DATA.is_dir(),
        reason=f"there is no {DATA}: the puzzles of others are not part of the repository",
    ),
]


def batch(lines, *arguments):
    """The status and solution that `aspdoku batch` writes for each line."""
    command = [sys.executable, "-m", "aspdoku", "batch", "--format", "jsonl", *arguments, "-"]
    done = subprocess.run(
        command,
        input="".join(f"{line}\n" for line in lines),
        text=True,
        capture_output=True,
        timeout=600,
    )
    assert (done.returncode, done.stderr) == (0, "")
    found = [json.loads(line) for line in done.stdout.splitlines()]
    assert [each["line"] for each in found] == list(range(1, len(lines) + 1))
    assert [each["reason"] for each in found if each["reason"]] == []
    return [(each["status"], each["solution"]) for each in found]


def in_line(grid):
    return "".join(SIGNS[number or 0] for row in grid for number in row)


# ---- Files of classic puzzles ----


def truth(line):
    """Up to two solutions, by the oracle."""
    return [in_line(grid) for grid in oracle.solutions(grid_of(line), limit=2)]


@pytest.mark.parametrize("block", range(8))
@pytest.mark.parametrize("name", ["clues-17.txt", "hardest.txt"])
def test_every_line_of_a_file_agrees_with_the_oracle(name, block):
    lines = (DATA / name).read_text().split()[block::8]
    assert len(lines) >= 125
    for line, (status, solution) in zip(lines, batch(lines), strict=True):
        solutions = truth(line)
        assert status == ("none", "unique", "several")[len(solutions)], line
        if status == "unique":
            assert [solution] == solutions, line
        elif status == "several":
            assert oracle.violations(grid_of(solution), grid_of(line), oracle.CLASSIC) == [], line


# ---- A collection of puzzles of many kinds, in the formats of their programs ----


def facts_of(rules, jigsaw):
    """The facts of a puzzle, in which regions that replace the boxes are boxes, and others
    chains.
    """
    for (r, c), (r1, c1) in rules.greater_than:
        yield f"gt({r},{c},{r1},{c1})."
    for name, cells in rules.chains.items():
        yield from (f'{"box" if jigsaw else "chain"}({r},{c},"{name}").' for r, c in cells)
    for cage in rules.cages:
        yield from (f'cage({r},{c},"{cage.name}").' for r, c in cage.cells)
        if cage.total is not None:
            yield f'cage_value("{cage.name}",{cage.total}).'


def options_of(rules, kinds):
    """The command-line options for the rules of a puzzle."""
    played = {
        "greater-than": rules.greater_than,
        "killer": rules.cages,
        "anti-knight": rules.anti_knight,
        "chain": rules.chains and "jigsaw" not in kinds,
    }
    without = [] if rules.boxes or "jigsaw" in kinds else ["--without", "box"]
    return (*(word for name, on in played.items() if on for word in ("--with", name)), *without)


def published_solution(each):
    """The published unique solution in a line; None if none is published."""
    published = each.get("solution") or each.get("computed_solution")
    if published and each["format"] == "puzzlekit-text":
        return in_line([map(int, row.split()) for row in published.splitlines()[1:]])
    return published


def test_the_collection_has_puzzles_of_many_kinds():
    """A reader that returns nothing must not make tests pass."""
    formats = Counter(each["format"] for each, _, _ in collection())
    assert formats.keys() == READERS.keys()
    assert sum(formats.values()) > 130
    assert sum(each["format"] == "81char" for each, _, _ in collection()) > 80
    kinds = Counter(kind for each, _, _ in collection() for kind in each["kind"])
    assert (
        min(
            kinds[kind]
            for kind in ("classic", "killer", "jigsaw", "anti-knight", "strimko", "greater-than")
        )
        > 0
    )


def test_the_stated_solutions_satisfy_the_rules():
    """Otherwise the readers of these tests would be wrong."""
    for each, givens, rules in collection():
        if published := published_solution(each):
            assert oracle.violations(grid_of(published), givens, rules) == [], each["id"]


def test_every_puzzle_of_the_collection_has_the_stated_answer():
    groups = {}
    for each, givens, rules in collection():
        size = len(givens)
        options = (*options_of(rules, each["kind"]), "-c", f"n={size}")
        groups.setdefault(options, []).append((each, givens, rules))
    for options, members in groups.items():
        lines = [
            " ".join([in_line(givens), *facts_of(rules, "jigsaw" in each["kind"])])
            for each, givens, rules in members
        ]
        for (each, givens, rules), (status, solution) in zip(
            members, batch(lines, *options), strict=True
        ):
            count = each.get("solution_count")
            if count is not None:
                assert status == ("none", "unique", "several")[min(count, 2)], each["id"]
            if status in ("unique", "several"):
                assert oracle.violations(grid_of(solution), givens, rules) == [], each["id"]
            if published := published_solution(each):
                assert solution == published or status == "several", each["id"]


def test_the_stated_number_of_solutions_is_found():
    counted = [
        (each, givens)
        for each, givens, _ in collection()
        if each["format"] == "81char" and each["solution_count"] > 1
    ]
    assert len(counted) >= 3
    for each, givens in counted:
        puzzle = Puzzle(tuple(map(tuple, givens)))
        assert Solver(compose(puzzle)).search(0).count() == each["solution_count"], each["id"]


# ---- Explanations ----


def explained():
    """Forty puzzles of all kinds and sizes, rare ones first."""
    groups = {}
    for each, givens, rules in collection():
        if each.get("solution_count") == 1 and len(givens) <= 9 and not all(map(all, givens)):
            groups.setdefault((tuple(each["kind"]), each["format"], len(givens)), []).append(
                (each, givens, rules)
            )
    rounds = [
        group[number] for number in range(8) for group in groups.values() if number < len(group)
    ]
    return rounds[:40]


def test_forty_puzzles_of_many_kinds_are_explained():
    chosen = explained()
    assert len(chosen) == 40
    assert len({kind for each, _, _ in chosen for kind in each["kind"]}) >= 6


@pytest.mark.parametrize("block", range(8))
def test_puzzles_of_many_kinds_are_explained_from_the_givens_to_the_solution(block):
    for each, givens, rules in explained()[block::8]:
        facts = "\n".join(facts_of(rules, "jigsaw" in each["kind"]))
        rows = "\n".join(" ".join(str(number or ".") for number in row) for row in givens)
        options = options_of(rules, each["kind"])
        names = [word for option, word in pairwise(options) if option == "--with"]
        program = compose(
            aspdoku.parse(f"{rows}\n\n[facts]\n{facts}\n" if facts else rows),
            *names,
            without=["box"] if "--without" in options else [],
        )
        explainer = Explainer(program, 120)
        steps = list(explainer.steps())
        placed = {
            claim
            for step in steps
            for reason in (*step.eliminations, *step.reasons)
            for claim in reason.claims
            if claim.holds
        }
        grid = [list(row) for row in givens]
        for row, column, number, _ in placed:
            grid[row - 1][column - 1] = number
        assert explainer.unexplained() == [], each["id"]
        assert all(all(row) for row in grid), each["id"]
        assert oracle.violations(grid, givens, rules) == [], each["id"]
        assert explain_conflict(program).cause == "none", each["id"]
        assert difficulty_of(steps, explainer.unique).hardest >= 1, each["id"]


# ---- The whole collection, read by aspdoku, or by the tables of `published_puzzles` ----

LIMIT = 120  # seconds per search; the longest takes 12 s of processor time

# Puzzles that cannot be read completely, by reason. What can be read of them is still checked, see
# `problem`.
NOT_COVERED = {
    # One board more, of cells of the others.
    "multi-grid is not translated": {
        "pk-clueless1sudoku-17_27x27",
        "pk-clueless2sudoku-10_27x27",
        "pk-clueless2sudoku-1_27x27",
    },
}
# Puzzles with nothing to check: those that cannot be read at all.
NOT_CHECKED = NOT_COVERED["multi-grid is not translated"]


def test_uncovered_puzzles_are_listed():
    left = {case.name: case.reason for case in cases() if not case.covered}
    for name, reason in left.items():
        print(f"{name}: {reason}")
    known = {name: reason for reason, names in NOT_COVERED.items() for name in names}
    assert left.keys() == known.keys()
    assert {name: reason for name, reason in left.items() if known[name] not in reason} == {}


def test_unchecked_puzzles_are_listed():
    assert {
        case.name
        for case in cases()
        if not (case.puzzle and case.solution) and (not case.covered or case.count is None)
    } == NOT_CHECKED


def problem(case):
    """What is wrong with the results for a puzzle, if anything.

    The published solution has to be a solution, even if only a part of the puzzle could be read. If
    all of it could be read, the number of solutions has to be the published one.
    """
    if case.puzzle and case.solution and (what := contradiction(case)):
        return what
    if not case.covered or case.count is None:
        return ""
    search = Solver(compose(case.puzzle), LIMIT).search(case.count + 1)
    found = list(search)
    if search.ended == "time":
        return "too long"
    if case.count != len(found):
        return f"{len(found)} solutions, and not {case.count}"
    in_digits = {
        "".join(str(number) for row in solution.rows for number in row) for solution in found
    }
    return "" if not case.digits or case.digits in in_digits else "not the stated solution"


def contradiction(case):
    """Why the published solution does not solve the puzzle; empty if it does."""
    facts = tuple(Function("a", (*cell, number)) for cell, number in case.solution.items())
    try:
        search = Solver(
            compose(replace(case.puzzle, facts=case.puzzle.facts + facts)), LIMIT
        ).search(1)
    except PuzzleError as error:
        return f"not the stated solution: {error}"
    return "" if list(search) else f"not the stated solution: {search.status}"


@pytest.mark.parametrize("block", range(20))
def test_every_puzzle_has_the_stated_solution_and_number_of_solutions(block):
    problems = {case.name: problem(case) for case in cases()[block::20]}
    assert problems
    assert {name: what for name, what in problems.items() if what} == {}


GRID = {
    (place // 4 + 1, place % 4 + 1): int(number) for place, number in enumerate("1234341221434321")
}


@pytest.mark.parametrize(
    ("text", "reason", "solution", "count", "wrong"),
    [
        ("1.3. 3412 2143 4321", "", GRID, 1, ""),
        ("1.3. 3412 2143 4321", "", GRID, 2, "1 solutions, and not 2"),
        ("1... .... .... ....", "", GRID, None, ""),
        ("1... .... .... ....", "", GRID | {(1, 2): 4}, None, "not the stated solution: "),
        (
            "2... .... .... ....",
            "Or",
            GRID,
            None,
            "not the stated solution: given a(1,1,1) contradicts the grid",
        ),
        ("1... .... .... ....", "Or", GRID, 1, ""),
        ("1... .... .... ....", "Or", GRID | {(1, 2): 4}, 1, "not the stated solution"),
        ("1.3. 3412 2143 4321", "", {}, 1, "not the stated solution"),
    ],
)
def test_a_difference_from_the_stated_solution_is_reported(text, reason, solution, count, wrong):
    puzzle = aspdoku.parse(text.replace(" ", "\n"))
    message = problem(Case("x", (), puzzle, reason, solution, "" if solution else "1243", count))
    assert message.startswith(wrong) if wrong else not message
