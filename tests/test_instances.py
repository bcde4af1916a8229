"""Every puzzle in `instances/`, from the command line and by plain clingo, against its solution file and the oracle."""

import json
import re
import runpy
import subprocess
import sys
from itertools import combinations, product

import oracle
import pytest
from click.testing import CliRunner
from corpus import AS_PRINTED, FOLDER, INSTANCES, PRINTED_FOLDER, SOLVED

from aspdoku.cli import cli

BLANK = FOLDER / "csp" / "blank.txt"
SIX_MINIMAL = FOLDER / "made" / "six-minimal.txt"
PRINTED = {"classic": [], "anti-knight": ["--with", "anti-knight"], "offset": ["--with", "offset"]}

by_name = pytest.mark.parametrize(("puzzle", "solution"), SOLVED, ids=[puzzle.stem for puzzle, _ in SOLVED])


def run(*arguments):
    return CliRunner().invoke(cli, [str(argument) for argument in arguments])


def in_one_line(grid):
    return "".join("123456789ABCDEFGHIJKLMNOP"[number - 1] for row in grid for number in row)


def drawn(text):
    """The rows of a grid as `solve` draws it, rulings left out."""
    rows = [line.replace("|", " ").split() for line in text.splitlines()]
    return [list(map(int, row)) for row in rows if row and all(word.isdigit() for word in row)]


def test_the_corpus_is_complete():
    """A puzzle that gets lost, or a solution file under a wrong name, must not pass for a test."""
    files = {file for file in FOLDER.rglob("*.txt") if not file.name.endswith(".solution.txt")}
    assert files == {puzzle for puzzle, _ in INSTANCES} | set(AS_PRINTED)
    assert {solution for _, solution in SOLVED} == set(FOLDER.rglob("*.solution.txt"))
    assert {puzzle for puzzle, solution in INSTANCES if solution is None} == {BLANK, SIX_MINIMAL}
    assert {file.stem for file in AS_PRINTED} == PRINTED.keys()


@by_name
def test_solve_draws_the_only_solution(puzzle, solution):
    expected = oracle.read_grid(solution.read_text("utf-8"))
    result = run("solve", puzzle)
    assert (result.exit_code, result.stderr) == (0, "")
    assert result.stdout.endswith("\n\nthe only solution\n")
    assert drawn(result.stdout) == expected


@by_name
def test_solve_as_a_line_prints_the_solution_and_nothing_else(puzzle, solution):
    expected = oracle.read_grid(solution.read_text("utf-8"))
    result = run("solve", "--format", "line", puzzle)
    assert (result.exit_code, result.stdout, result.stderr) == (0, in_one_line(expected) + "\n", "")


@pytest.mark.parametrize("puzzle", [puzzle for puzzle, _ in INSTANCES], ids=lambda puzzle: puzzle.stem)
def test_what_is_printed_keeps_the_rules(puzzle):
    givens, rules = oracle.read(puzzle.read_text("utf-8"))
    result = run("solve", puzzle)
    assert result.exit_code == 0
    assert oracle.violations(drawn(result.stdout), givens, rules) == []


def test_solve_in_a_process_of_its_own(tmp_path):
    puzzle, solution = FOLDER / "slides" / "sixteen.txt", FOLDER / "slides" / "sixteen.solution.txt"
    command = [sys.executable, "-m", "aspdoku", "solve", "--format", "line", str(puzzle)]
    done = subprocess.run(command, capture_output=True, text=True, cwd=tmp_path, timeout=60)
    expected = in_one_line(oracle.read_grid(solution.read_text("utf-8")))
    assert (done.returncode, done.stdout, done.stderr) == (0, expected + "\n", "")


def test_the_blank_grid_has_several_solutions():
    result = run("solve", BLANK)
    assert result.exit_code == 0
    assert result.stdout.endswith("\n\nat least two solutions; this is the first\n")


def test_each_given_of_six_minimal_is_needed(tmp_path):
    lines = SIX_MINIMAL.read_text("utf-8").splitlines()
    start = next(number for number, line in enumerate(lines) if line.startswith("2 . 5"))
    rows = [line.split() for line in lines[start:]]
    givens = [(r, c) for r, row in enumerate(rows) for c, word in enumerate(row) if word != "."]
    assert len(givens) == 10
    assert "the only solution" in run("solve", SIX_MINIMAL).stdout
    _, rules = oracle.read("\n".join(lines))
    for r, c in givens:
        poorer = [[*row] for row in rows]
        poorer[r][c] = "."
        file = tmp_path / f"without-{r}-{c}.txt"
        file.write_text("\n".join([*lines[:start], *map(" ".join, poorer)]), "utf-8")
        assert "at least two solutions" in run("solve", file).stdout
        assert len(oracle.solutions(oracle.read_grid(file.read_text("utf-8")), rules, limit=2)) == 2


# ---- The misprints of the slides ----


def see_each_other(cell, other, name):
    relations = [oracle.same_row, oracle.same_column, oracle.same_box(3, 3)]
    relations += {"classic": [], "anti-knight": [oracle.knights_move], "offset": [oracle.same_place(3, 3)]}[name]
    return any(related(cell, other) for related in relations)


@pytest.mark.parametrize("name", PRINTED)
def test_a_grid_as_printed_has_no_solution_and_the_clashes_are_named(name):
    file = PRINTED_FOLDER / f"{name}.txt"
    givens = oracle.read_grid(file.read_text("utf-8"))
    assert oracle.solutions(givens, oracle.Rules(offset=name == "offset", anti_knight=name == "anti-knight"), limit=1) == []

    result = run("solve", *PRINTED[name], file)
    assert (result.exit_code, result.stdout) == (20, "no solution\n")

    named = re.findall(r"^warning: r(\d+)c(\d+)=(\d+) and r(\d+)c(\d+)=(\d+) clash$", result.stderr, re.MULTILINE)
    assert len(named) == len(result.stderr.splitlines()) > 0
    for pair in named:
        r, c, number, r1, c1, number1 = map(int, pair)
        assert number == number1 == givens[r - 1][c - 1] == givens[r1 - 1][c1 - 1]
        assert (r, c) < (r1, c1)
        assert see_each_other((r, c), (r1, c1), name)
    assert len(set(named)) == len(named)


@pytest.mark.parametrize("name", PRINTED)
def test_no_clash_is_overlooked(name):
    """One given of each named pair taken out, the oracle finds no two left that see each other."""
    givens = oracle.read_grid((PRINTED_FOLDER / f"{name}.txt").read_text("utf-8"))
    held = {(r, c): given for r, row in enumerate(givens, 1) for c, given in enumerate(row, 1) if given}
    seeing = [pair for pair in combinations(held, 2) if held[pair[0]] == held[pair[1]] and see_each_other(*pair, name)]
    warnings = run("solve", *PRINTED[name], PRINTED_FOLDER / f"{name}.txt").stderr
    named = [
        ((int(r), int(c)), (int(r1), int(c1)))
        for r, c, r1, c1 in re.findall(r"r(\d+)c(\d+)=\d+ and r(\d+)c(\d+)=\d+ clash", warnings)
    ]
    assert any(all(gone & set(pair) for pair in seeing) for gone in map(set, product(*named)))


# ---- Plain clingo ----


def clingo_answers(program, folder):
    """The answers of plain clingo to a program, each as its a/3 atoms."""
    file = folder / "program.lp"
    file.write_bytes(program)
    command = [sys.executable, "-m", "clingo", "--project=project", "0", str(file)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60)
    lines = done.stdout.splitlines()
    assert done.stderr == ""
    answers = [lines[number + 1] for number, line in enumerate(lines) if line.startswith("Answer:")]
    return [frozenset(tuple(map(int, atom)) for atom in re.findall(r"\ba\((\d+),(\d+),(\d+)\)", line)) for line in answers]


def answers_of(*arguments):
    lines = run("solve", "-n", "0", "--format", "json", *arguments).stdout
    return [
        frozenset((r, c, number) for r, row in enumerate(rows, 1) for c, number in enumerate(row, 1))
        for rows in json.loads(lines)["solutions"]
    ]


# The blank grid has 6.7 * 10^21 answers; smaller blank ones stand for it below.
@pytest.mark.parametrize("puzzle", [puzzle for puzzle, _ in INSTANCES if puzzle != BLANK], ids=lambda puzzle: puzzle.stem)
def test_plain_clingo_finds_the_same_in_what_program_prints(puzzle, tmp_path):
    program = run("program", puzzle)
    assert (program.exit_code, program.stderr) == (0, "")
    found = clingo_answers(program.stdout_bytes, tmp_path)
    assert len(found) == 1
    assert found == answers_of(puzzle)


@pytest.mark.parametrize(
    ("arguments", "count"),
    [
        (["-c", "n=4"], 288),
        (["-c", "n=4", "--without", "box"], 576),
        (["--with", "anti-knight", PRINTED_FOLDER / "anti-knight.txt"], 0),
    ],
)
def test_plain_clingo_finds_the_same_when_there_are_many_or_none(arguments, count, tmp_path):
    found = clingo_answers(run("program", *arguments).stdout_bytes, tmp_path)
    assert len(found) == len(set(found)) == count
    assert set(found) == set(answers_of(*arguments))


def test_the_generated_puzzles_come_from_their_seeds():
    made = runpy.run_path(str(FOLDER / "generate.py"))
    for name, make in made["MADE"].items():
        puzzle = make()
        assert puzzle.write() == (FOLDER / "made" / f"{name}.txt").read_text("utf-8")
        assert "from seed" in puzzle.title
