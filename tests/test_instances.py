"""Every puzzle in `instances/`, solved from the command line and by plain clingo, against its
solution file and the rules in plain Python.
"""

import json
import re
import subprocess
import sys
from collections import defaultdict
from itertools import combinations, product

import clingo
import oracle
import pytest
from choice_semantics import (
    MORE_NUMBERS,
    PATH_CLUES,
    REGION_CLUES,
    VALUE_RULES,
    VALUES,
    counts_along_arrows,
    counts_borders,
    counts_these,
    holds_for_values,
    is_connected,
    is_path,
    satisfies_connected,
    satisfies_each_row,
    satisfies_either,
    satisfies_kenken,
    satisfies_killer,
    satisfies_killer_with_indexers,
    satisfies_liar,
    satisfies_str8ts,
    satisfies_top_bottom,
)
from click.testing import CliRunner
from instance_files import (
    AS_PRINTED,
    BOARDS,
    ELABORATED,
    FOLDER,
    INSTANCES,
    PRINTED_FOLDER,
    ROOT,
    SOLVED,
)
from rule_semantics import RULE_SEMANTICS, labelled, lines, neighbours, number
from sampling import one_in

import aspdoku
from aspdoku import Solver, compose
from aspdoku.cli import cli

# The version of clingo that made the puzzles in instances/made/: another one draws other ones.
MADE_WITH = "5.8.3"
BLANK = FOLDER / "csp" / "blank.txt"
SIX_MINIMAL = FOLDER / "made" / "six-minimal.txt"
PRINTED = {"classic": [], "anti-knight": ["--with", "anti-knight"], "offset": ["--with", "offset"]}

EVERY = [*SOLVED, *ELABORATED.values()]

by_name = pytest.mark.parametrize(
    ("puzzle", "solution"), EVERY, ids=[puzzle.stem for puzzle, _ in EVERY]
)
by_rule = pytest.mark.parametrize("name", ELABORATED)
some_by_rule = pytest.mark.parametrize("name", one_in(3, ELABORATED))


def some_by_name(step):
    cases = [
        pytest.param(*pair, id=pair[0].stem, marks=[] if index % step == 0 else pytest.mark.slow)
        for index, pair in enumerate(EVERY)
    ]
    return pytest.mark.parametrize(("puzzle", "solution"), cases)


def run(*arguments):
    return CliRunner().invoke(cli, [str(argument) for argument in arguments])


def in_one_line(grid):
    return "".join("0123456789ABCDEFGHIJKLMNOP"[number] for row in grid for number in row)


def drawn(text):
    """The rows of a grid as `solve` prints it, without separator lines."""
    rows = [line.replace("|", " ").split() for line in text.splitlines()]
    return [list(map(int, row)) for row in rows if row and all(word.isdigit() for word in row)]


def test_the_corpus_is_complete():
    """A missing puzzle, or a misnamed solution file, is an error, not a skipped test."""
    files = {file for file in FOLDER.rglob("*.txt") if not file.name.endswith(".solution.txt")}
    listed = [*INSTANCES, *ELABORATED.values(), *BOARDS]
    assert files == {puzzle for puzzle, _ in listed} | set(AS_PRINTED)
    others = {file.suffix for file in FOLDER.rglob("*") if file.is_file()} - {
        ".txt",
        ".md",
        ".py",
        ".pyc",
    }
    assert others == set(), "puzzles of another format would not be tested"
    solutions = {solution for _, solution in [*EVERY, *BOARDS]}
    assert solutions == set(FOLDER.rglob("*.solution.txt"))
    assert {puzzle for puzzle, solution in INSTANCES if solution is None} == {BLANK, SIX_MINIMAL}
    assert {file.stem for file in AS_PRINTED} == PRINTED.keys()


@pytest.mark.slow_cases("chaos-construction", "little-killer", "nonconsecutive")
@some_by_name(4)
def test_solve_prints_the_unique_solution(puzzle, solution):
    expected = oracle.read_grid(solution.read_text("utf-8"))
    result = run("solve", "--format", "json", "-n", 2, puzzle)
    assert (result.exit_code, result.stderr) == (0, "")
    found = json.loads(result.stdout)
    assert (found["status"], found["solutions"]) == ("unique", [expected])


@some_by_name(16)
def test_solve_prints_the_solution_as_a_grid(puzzle, solution):
    if "schroedinger" in puzzle.stem:
        pytest.skip("its style prints two numbers in a cell: see test_cli_draw.py")
    expected = oracle.read_grid(solution.read_text("utf-8"))
    result = run("solve", puzzle)
    assert result.stdout.endswith("\n\nunique solution\n")
    assert drawn(result.stdout)[: len(expected)] == expected


@pytest.mark.slow_cases("chaos-construction", "little-killer", "nonconsecutive")
@some_by_name(16)
def test_solve_as_a_line_prints_only_the_solution(puzzle, solution):
    expected = oracle.read_grid(solution.read_text("utf-8"))
    result = run("solve", "--format", "line", puzzle)
    assert (result.exit_code, result.stdout, result.stderr) == (0, in_one_line(expected) + "\n", "")


@pytest.mark.parametrize(
    "puzzle", [puzzle for puzzle, _ in INSTANCES], ids=lambda puzzle: puzzle.stem
)
def test_the_printed_solution_satisfies_the_rules(puzzle):
    givens, rules = oracle.read(puzzle.read_text("utf-8"))
    result = run("solve", puzzle)
    assert result.exit_code == 0
    assert oracle.violations(drawn(result.stdout), givens, rules) == []


@pytest.mark.slow
def test_solve_in_a_separate_process(tmp_path):
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
    assert "unique solution" in run("solve", SIX_MINIMAL).stdout
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
    relations += {
        "classic": [],
        "anti-knight": [oracle.knights_move],
        "offset": [oracle.same_box_position(3, 3)],
    }[name]
    return any(related(cell, other) for related in relations)


@pytest.mark.slow_cases("anti-knight")
@pytest.mark.parametrize("name", PRINTED)
def test_a_grid_as_printed_has_no_solution_and_the_conflicts_are_named(name):
    file = PRINTED_FOLDER / f"{name}.txt"
    givens = oracle.read_grid(file.read_text("utf-8"))
    assert (
        oracle.solutions(
            givens,
            oracle.Rules(offset=name == "offset", anti_knight=name == "anti-knight"),
            limit=1,
        )
        == []
    )

    result = run("solve", *PRINTED[name], file)
    assert (result.exit_code, result.stdout) == (20, "no solution\n")

    named = re.findall(
        r"^warning: r(\d+)c(\d+)=(\d+) and r(\d+)c(\d+)=(\d+) conflict$",
        result.stderr,
        re.MULTILINE,
    )
    assert len(named) == len(result.stderr.splitlines()) > 0
    for pair in named:
        r, c, number, r1, c1, number1 = map(int, pair)
        assert number == number1 == givens[r - 1][c - 1] == givens[r1 - 1][c1 - 1]
        assert (r, c) < (r1, c1)
        assert see_each_other((r, c), (r1, c1), name)
    assert len(set(named)) == len(named)


@pytest.mark.slow_cases("anti-knight")
@pytest.mark.parametrize("name", PRINTED)
def test_no_conflict_is_overlooked(name):
    """If one given of each reported pair is removed, the oracle finds no conflicting pair."""
    givens = oracle.read_grid((PRINTED_FOLDER / f"{name}.txt").read_text("utf-8"))
    held = {
        (r, c): given for r, row in enumerate(givens, 1) for c, given in enumerate(row, 1) if given
    }
    seeing = [
        pair
        for pair in combinations(held, 2)
        if held[pair[0]] == held[pair[1]] and see_each_other(*pair, name)
    ]
    warnings = run("solve", *PRINTED[name], PRINTED_FOLDER / f"{name}.txt").stderr
    named = [
        ((int(r), int(c)), (int(r1), int(c1)))
        for r, c, r1, c1 in re.findall(r"r(\d+)c(\d+)=\d+ and r(\d+)c(\d+)=\d+ conflict", warnings)
    ]
    assert any(all(gone & set(pair) for pair in seeing) for gone in map(set, product(*named)))


# ---- Plain clingo ----


def clingo_answers(program, folder):
    """The answer sets that plain clingo finds for a program, each as its a/3 atoms."""
    file = folder / "program.lp"
    file.write_bytes(program)
    command = [sys.executable, "-m", "clingo", "--project=project", "0", str(file)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60)
    lines = done.stdout.splitlines()
    assert done.stderr == ""
    answers = [lines[number + 1] for number, line in enumerate(lines) if line.startswith("Answer:")]
    return [
        frozenset(tuple(map(int, atom)) for atom in re.findall(r"\ba\((\d+),(\d+),(\d+)\)", line))
        for line in answers
    ]


def answers_of(*arguments):
    lines = run("solve", "-n", "0", "--format", "json", *arguments).stdout
    return [
        frozenset(
            (r, c, number) for r, row in enumerate(rows, 1) for c, number in enumerate(row, 1)
        )
        for rows in json.loads(lines)["solutions"]
    ]


# The blank grid has 6.7 * 10^21 solutions; smaller blank grids are tested instead.
@pytest.mark.slow_cases("arrow", "chaos-construction", "little-killer", "nonconsecutive")
@pytest.mark.parametrize(
    "puzzle",
    one_in(6, [file for file in dict([*INSTANCES, *EVERY]) if file != BLANK]),
    ids=lambda file: file.stem,
)
def test_plain_clingo_finds_the_same_for_the_printed_program(puzzle, tmp_path):
    program = run("program", puzzle)
    assert (program.exit_code, program.stderr) == (0, "")
    found = clingo_answers(program.stdout_bytes, tmp_path)
    assert len(found) == 1
    assert found == answers_of(puzzle)


@pytest.mark.slow
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


# ---- A puzzle for every rule ----


def facts_of(puzzle):
    facts = defaultdict(list)
    for fact in puzzle.facts:
        facts[fact.name].append(fact.arguments)
    return facts


def shifted_to_one(grid, puzzle):
    """The grid with its numbers shifted so that they begin with 1."""
    return [
        [None if held is None else held - puzzle.numbers[0] + 1 for held in row] for row in grid
    ]


def facts_by_line(name, facts):
    """The facts of each line separately, for rules in plain Python that take a single line."""
    if name not in {"little-killer", "lunchbox", "pill-arrow", "sum-line"}:
        return [facts]
    numbers = {arguments[0] for arguments in facts[name.replace("-", "_")]}
    return [
        defaultdict(
            list,
            {
                each: [arguments for arguments in all_ if arguments[0] == line]
                for each, all_ in facts.items()
            },
        )
        for line in numbers
    ]


def satisfies_suguru(grid, facts):
    size = len(grid)
    full = (
        sorted(number(grid, cell) for cell in cells) for cells in labelled(facts, "suguru").values()
    )
    return all(held == list(range(1, len(held) + 1)) for held in full) and all(
        number(grid, cell) != number(grid, other)
        for cell in oracle.cells_of(size)
        for other in neighbours(cell, size, diagonal=True)
    )


def region_of(facts):
    """The region of each cell that is shown with the grid."""
    return {(r, c): label for r, c, label in facts["chaos_construction_region"]}


def satisfies_chaos_construction(grid, facts):
    """Whether the regions that are shown with the grid satisfy the rule."""
    region = region_of(facts)
    regions = labelled(facts, "chaos_construction_region").values()
    return (
        sorted(region) == oracle.cells_of(len(grid))
        and all(is_connected(cells, len(grid)) for cells in regions)
        and all(
            len({number(grid, cell) for cell in cells}) == len(cells) == len(grid)
            for cells in regions
        )
    )


def satisfies_chaos_same(_, facts):
    region = region_of(facts)
    return all(region[r, c] == region[r1, c1] for r, c, r1, c1 in facts["chaos_same"])


def satisfies_chaos_apart(_, facts):
    region = region_of(facts)
    return all(region[r, c] != region[r1, c1] for r, c, r1, c1 in facts["chaos_apart"])


def satisfies_chaos_distinct(grid, facts):
    region = region_of(facts)
    return all(
        number(grid, first) == len({region[cell] for cell in others})
        for first, *others in lines(facts, "chaos_distinct")
    )


def path_satisfies(name):
    """Whether the path that is shown with the grid satisfies a rule."""

    def holds(grid, facts):
        path = frozenset(facts["path_on"])
        return is_path(path, len(grid)) and PATH_CLUES[name](grid, path, facts)

    return holds


def satisfies_schroedinger(grid, facts):
    """Whether the inner grid, one smaller, satisfies the rule.

    The last row holds, for each column, the row of the cell with two numbers; the last column holds
    the second numbers.
    """
    size = len(grid)
    inner = range(1, size)
    rows_of_pairs = [number(grid, (size, c)) for c in inner]
    if sorted(rows_of_pairs) != list(inner):
        return False
    held = {(r, c): [number(grid, (r, c))] for r in inner for c in inner}
    for c, r in enumerate(rows_of_pairs, 1):
        held[r, c].append(number(grid, (r, size)))

    def numbers(cells):
        return sorted(n for cell in cells for n in held[cell])

    totals = dict(facts["schroedinger_cage_value"])
    cages = labelled(facts, "schroedinger_cage")
    units = [[(r, c) for r in inner] for c in inner] + [[(r, c) for c in inner] for r in inner]
    return (
        all(
            numbers(cells) == list(range(1, size + 1))
            for cells in [*units, *labelled(facts, "schroedinger_box").values()]
        )
        and all(each == sorted(each) for each in held.values())
        and all(len(set(numbers(cells))) == len(numbers(cells)) for cells in cages.values())
        and all(sum(numbers(cages[label])) == total for label, total in totals.items())
    )


SEMANTICS = {name: semantics.holds for name, semantics in RULE_SEMANTICS.items()} | {
    "chaos-apart": satisfies_chaos_apart,
    "chaos-arrow": lambda grid, facts: counts_along_arrows(grid, region_of(facts), facts),
    "chaos-borders": lambda grid, facts: counts_borders(grid, region_of(facts), facts),
    "chaos-construction": satisfies_chaos_construction,
    "chaos-count": lambda grid, facts: counts_these(grid, region_of(facts), facts),
    "chaos-distinct": satisfies_chaos_distinct,
    "chaos-same": satisfies_chaos_same,
    "connected": satisfies_connected,
    # Their puzzles have cages.
    **{name: holds_for_values(name, satisfies_killer) for name in VALUES},
    "indexers": satisfies_killer_with_indexers,
    "each-row": satisfies_each_row,
    "either": satisfies_either,
    "kenken": satisfies_kenken,
    **MORE_NUMBERS,
    "liar": satisfies_liar,
    **{name: path_satisfies(name) for name in PATH_CLUES},
    "schroedinger": satisfies_schroedinger,
    "str8ts": satisfies_str8ts,
    "suguru": satisfies_suguru,
    "top-bottom": satisfies_top_bottom,
}


def test_every_rule_has_a_puzzle():
    named = {
        name
        for file, _ in [*INSTANCES, *ELABORATED.values(), *BOARDS]
        for name in aspdoku.read(file).elaborations
    }
    default = set((ROOT / "asp" / "default").read_text("utf-8").split())
    assert {file.stem for file in (ROOT / "asp" / "elaborations").glob("*.lp")} == named | default


@pytest.mark.slow_cases("chaos-construction", "little-killer")
@some_by_rule
def test_the_solution_satisfies_the_rules(name):
    file, solution = ELABORATED[name]
    puzzle = aspdoku.read(file)
    grid = tuple(map(tuple, oracle.read_grid(solution.read_text("utf-8"))))
    default = {"rows": "row", "columns": "column", "boxes": "box"}
    rules = oracle.Rules(**{key: rule not in puzzle.without for key, rule in default.items()})
    grids = (shifted_to_one(grid, puzzle), shifted_to_one(puzzle.grid, puzzle))
    assert oracle.violations(*grids, rules, len(puzzle.numbers)) == []
    facts = facts_of(puzzle)
    for shown in next(iter(Solver(compose(puzzle)).search(1))).shown:
        facts[shown.name].append(shown.arguments)
    may_be_false = {
        str(rule).replace("_", "-") for *_, rule, _ in [*facts["either"], *facts["liar"]]
    }
    if VALUE_RULES & {*puzzle.elaborations}:
        may_be_false |= {"killer"}  # cages are about values
    for rule in {*puzzle.elaborations} - may_be_false:
        assert all(SEMANTICS[rule](grid, part) for part in facts_by_line(rule, facts))


# Without these rules, all clues have to be true, and about numbers, and there is no solution.
MAY_BE_FALSE = {"either", "liar", *VALUES}

# No grid violates these as such: it must be possible to find regions, or a path, in it.
CHOOSES = {"chaos-construction", *REGION_CLUES, *PATH_CLUES}


@some_by_rule
def test_the_rule_is_needed(name):
    """Without the rule there are other solutions, at least one of which violates it; or none, if
    the rule says which clues may be false, or what cells count.
    """
    puzzle = aspdoku.read(ELABORATED[name][0])
    assert name in puzzle.elaborations
    found = [solution.rows for solution in Solver(compose(puzzle, without=(name,))).search(2)]
    assert len(found) == (0 if name in MAY_BE_FALSE else 2)
    if name not in CHOOSES | MAY_BE_FALSE:
        assert not all(
            SEMANTICS[name](grid, part)
            for grid in found
            for part in facts_by_line(name, facts_of(puzzle))
        )


MADE = {
    file.stem: file.read_text("utf-8").split("\n", 1)[0]
    for file in sorted((FOLDER / "made").glob("*.txt"))
    if not file.name.endswith(".solution.txt")
}


def test_the_first_line_of_a_puzzle_is_the_command_that_made_it():
    """Or why it was composed by hand."""
    expected = re.compile(r"# (aspdoku generate --|composed by hand: \w)")
    assert [name for name, line in MADE.items() if not expected.match(line)] == []


@pytest.mark.slow
@pytest.mark.parametrize(
    "name", [name for name, line in MADE.items() if line.startswith("# aspdoku generate")][::2]
)
def test_the_command_makes_the_puzzle_again(name):
    if clingo.__version__ != MADE_WITH:
        pytest.skip(f"clingo {clingo.__version__} finds other solutions than {MADE_WITH}")
    remake = [sys.executable, ROOT / ".ci" / "remake", FOLDER / "made" / f"{name}.txt"]
    done = subprocess.run(remake, capture_output=True, text=True)
    assert done.stdout.endswith(": the same\n"), done.stdout + done.stderr


def test_titles_are_short():
    """A title is shown on slides and pages; where a puzzle comes from is a comment after it."""
    titles = [aspdoku.read(f"example:{name}").title for name in aspdoku.examples()]
    assert all(titles)
    assert [title for title in titles if len(title) > 50 or "(" in title] == []
