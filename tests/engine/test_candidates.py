"""True candidates against all solutions, as found by tests/oracle.py without clingo.

A puzzle here is the text of a puzzle file, which aspdoku and the oracle read independently.
"""

import threading
import time
from collections import Counter
from functools import cache
from itertools import islice
from random import Random

import oracle
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from in_one_test import in_one_test
from instance_files import SOLVED
from rule_files import rule_file

import aspdoku
from aspdoku import Puzzle, Solver, compose
from aspdoku.engine.candidates import candidates
from aspdoku.engine.grids import GridControl
from aspdoku.errors import RuleError, TimeLimitError
from aspdoku.program import assemble, library

pytestmark = pytest.mark.versions

BLANK = ". . . .\n" * 4
TWO_SOLUTIONS = ". 4 2 .\n3 . . 1\n. . . .\n2 . . .\n"
UNIQUE = ". 4 . .\n. . . 4\n. . 2 .\n1 . . .\n"
CONTRADICTORY = "1 1 . .\n. . . .\n. . . .\n. . . .\n"
SOON = 20
MOST = 300  # solutions of a generated puzzle


def program_of(text, *rules):
    """The program for a puzzle, with custom rules in addition to base and boxes."""
    puzzle = aspdoku.parse(text)
    return (
        assemble(puzzle, [library.base(), library.find("box"), *rules])
        if rules
        else compose(puzzle)
    )


@cache
def solutions(text):
    """All solutions, by the oracle."""
    return oracle.solutions(*oracle.read(text))


def held(grids):
    """By cell, its numbers in each of the grids."""
    n = len(grids[0])
    return {cell: [oracle.number(grid, cell) for grid in grids] for cell in oracle.cells_of(n)}


def in_rows(by_cell):
    n = round(len(by_cell) ** 0.5)
    return tuple(tuple(by_cell[r, c] for c in range(1, n + 1)) for r in range(1, n + 1))


def possible_in(grids):
    return in_rows({cell: tuple(sorted(set(numbers))) for cell, numbers in held(grids).items()})


def forced_in(grids):
    return {cell: numbers[0] for cell, numbers in held(grids).items() if len(set(numbers)) == 1}


def equal_in(grids):
    """The groups of cells that are equal to each other in every grid, but differ between grids."""
    groups = {}
    for cell, numbers in held(grids).items():
        if len(set(numbers)) > 1:
            groups.setdefault(tuple(numbers), []).append(cell)
    return sorted(tuple(cells) for cells in groups.values() if len(cells) > 1)


def counts_in(grids):
    def count(numbers):
        times = Counter(numbers)
        return tuple(times[number] for number in sorted(times))

    return in_rows({cell: count(numbers) for cell, numbers in held(grids).items()})


def nothing(n, of=()):
    return ((of,) * n,) * n


# ---- Random puzzles ----

KINDS = {
    "box": oracle.CLASSIC,
    "latin": oracle.LATIN,
    "anti-knight": oracle.Rules(anti_knight=True),
    "anti-knight without boxes": oracle.Rules(anti_knight=True, boxes=False),
    "offset": oracle.Rules(offset=True),
    "greater-than": oracle.CLASSIC,
    "chain": oracle.CLASSIC,
    "killer": oracle.CLASSIC,
    "killer without boxes": oracle.LATIN,
}


def headers(kind):
    named, _, _ = kind.partition(" without ")
    with_ = "" if named in ("box", "latin") else f"with: {named}\n"
    return with_ + ("" if KINDS[kind].boxes else "without: box\n")


def full_grid(kind, n, random):
    """A random full grid; the first row is shuffled until one exists."""
    while True:
        first = random.sample(range(1, n + 1), n)
        if found := oracle.solutions([first, *[[None] * n] * (n - 1)], KINDS[kind], limit=30):
            return random.choice(found)


def signs(grid, random):
    cells = oracle.cells_of(len(grid))
    pairs = [
        (cell, other)
        for cell in cells
        for other in ((cell[0], cell[1] + 1), (cell[0] + 1, cell[1]))
        if other in cells
    ]
    chosen = random.sample(pairs, len(grid))
    ordered = [sorted(pair, key=lambda cell: -oracle.number(grid, cell)) for pair in chosen]
    return "[facts]\n" + "".join(
        "gt({},{},{},{}).\n".format(*more, *less) for more, less in ordered
    )


def chain(grid, random):
    cells = oracle.cells_of(len(grid))
    places = [
        random.choice([cell for cell in cells if oracle.number(grid, cell) == number])
        for number in grid[0]
    ]
    return "[facts]\n" + "".join(f'chain({r},{c},"A").\n' for r, c in places)


def cages(grid, random):
    """Cages of two or three cells in a line that hold different numbers, most of them with sums."""
    n = len(grid)
    label, totals, summed = {}, "", random.random() < 0.8
    for name in "ABCDEFGH":
        (r, c), (down, right), size = (
            random.choice(oracle.cells_of(n)),
            random.choice([(0, 1), (1, 0)]),
            random.choice([2, 3]),
        )
        cells = [(r + i * down, c + i * right) for i in range(size)]
        if all(cell in oracle.cells_of(n) and cell not in label for cell in cells):
            label |= dict.fromkeys(cells, name)
            if summed:
                totals += f"{name} = {sum(oracle.number(grid, cell) for cell in cells)}\n"
    picture = (" ".join(label.get((r, c), ".") for c in range(1, n + 1)) for r in range(1, n + 1))
    return "[cage]\n" + "\n".join(picture) + f"\n{totals}"


CLUES = {"greater-than": signs, "chain": chain, "killer": cages, "killer without boxes": cages}


@cache
def random_puzzle(kind, n, seed):
    """A puzzle with at least one solution and at most MOST."""
    random = Random(f"{kind}{n}{seed}")
    grid = full_grid(kind, n, random)
    clues = CLUES[kind](grid, random) if kind in CLUES else ""
    cells = random.sample(oracle.cells_of(n), n * n)
    for givens in range(random.randint(0, 4 if n == 4 else 14), n * n):
        shown = {cell: str(oracle.number(grid, cell)) for cell in cells[:givens]}
        rows = "\n".join(
            " ".join(shown.get((r, c), ".") for c in range(1, n + 1)) for r in range(1, n + 1)
        )
        text = f"{headers(kind)}{rows}\n{clues}"
        if len(oracle.solutions(*oracle.read(text), limit=MOST + 1)) <= MOST:
            return text
    raise AssertionError("a grid with just one cell open has one solution")


RANDOM = [
    (kind, n, seed) for kind in KINDS for n, seeds in ((4, 3), (6, 1)) for seed in range(seeds)
]


@pytest.mark.slow_cases("latin-6-0")
@pytest.mark.parametrize(("kind", "n", "seed"), RANDOM)
def test_candidates_are_the_numbers_in_all_solutions(kind, n, seed):
    text = random_puzzle(kind, n, seed)
    true = solutions(text)
    found = candidates(program_of(text), count_to=MOST + 1)
    assert found.possible == possible_in(true)
    assert found.forced == forced_in(true)
    assert sorted(found.equal_cells) == equal_in(true)
    assert (found.ended, found.unsatisfiable) == ("complete", False)
    assert (found.counts.counts, found.counts.solutions, found.counts.exact) == (
        counts_in(true),
        len(true),
        True,
    )


@pytest.mark.slow
def test_the_random_puzzles_are_of_every_kind():
    """Some of them have one solution and some many; some have cells that are always equal, and some
    have none.
    """
    all_solutions = [solutions(random_puzzle(*each)) for each in RANDOM]
    assert min(map(len, all_solutions)) == 1
    assert max(map(len, all_solutions)) > 100
    open_ones = [grids for grids in all_solutions if len(grids) > 1]
    assert {bool(equal_in(grids)) for grids in open_ones} == {True, False}
    assert any(0 < len(forced_in(grids)) < len(grids[0]) ** 2 for grids in open_ones)


some_cell = st.tuples(st.integers(1, 4), st.integers(1, 4))
some_signs = st.sets(
    st.tuples(some_cell, some_cell).filter(lambda pair: pair[0] != pair[1]), max_size=3
)


@pytest.mark.slow
@settings(max_examples=40, deadline=None)
@given(st.dictionaries(some_cell, st.integers(1, 4), max_size=5), some_signs, st.booleans())
def test_random_givens_and_inequalities(givens, signs, boxes):
    """Many of these puzzles are unsatisfiable."""
    rows = "\n".join(
        " ".join(str(givens.get((r, c), ".")) for c in range(1, 5)) for r in range(1, 5)
    )
    facts = "".join("gt({},{},{},{}).\n".format(*more, *less) for more, less in signs)
    text = (
        "with:"
        f" greater-than\n{'' if boxes else 'without: box'}\n{rows}\n{'[facts]' if facts else ''}\n{facts}"  # noqa: E501
    )
    true = oracle.solutions(*oracle.read(text))
    found = candidates(program_of(text), count_to=1000)
    assert found.unsatisfiable == (not true)
    assert found.possible == (possible_in(true) if true else nothing(4))
    assert found.forced == (forced_in(true) if true else {})
    assert sorted(found.equal_cells) == (equal_in(true) if true else [])
    assert (found.counts.solutions, found.counts.exact) == (len(true), True)
    assert found.counts.counts == (counts_in(true) if true else nothing(4))


# ---- One solution, and none ----


@pytest.mark.parametrize(
    ("puzzle", "solution"),
    [pair for pair in SOLVED if len(oracle.read_grid(pair[1].read_text())) <= 9],
    ids=lambda file: file.stem,
)
def test_with_one_solution_every_cell_has_one_candidate(puzzle, solution):
    found = candidates(compose(aspdoku.read(puzzle)), count_to=2)
    grid = oracle.read_grid(solution.read_text())
    assert found.possible == tuple(tuple((number,) for number in row) for row in grid)
    assert in_rows(found.forced) == tuple(map(tuple, grid))
    assert (found.equal_cells, found.unsatisfiable) == ((), False)
    assert (found.counts.counts, found.counts.solutions) == (nothing(len(grid), (1,)), 1)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(5))
def test_one_candidate_per_cell_if_and_only_if_the_solution_is_unique(seed):
    """Givens are added until the puzzle has a unique solution; before that, some cell has two
    candidates.
    """
    random = Random(seed)
    grid = full_grid("box", 4, random)
    shown = [[None] * 4 for _ in grid]
    for r, c in random.sample(oracle.cells_of(4), 16):
        shown[r - 1][c - 1] = grid[r - 1][c - 1]
        number = len(oracle.solutions(shown, limit=2))
        found = candidates(compose(Puzzle(tuple(map(tuple, shown)))))
        assert all(len(numbers) == 1 for row in found.possible for numbers in row) == (number == 1)
        assert (len(found.forced) == 16) == (number == 1)


NO_SOLUTION = [
    (CONTRADICTORY, ()),
    (UNIQUE.replace(". 4 . .", ". 4 . 3"), ()),
    (f"with: greater-than\n{BLANK}[facts]\ngt(2,2,2,3). gt(2,3,2,2).", ()),
    (f"with: greater-than\n{BLANK}[facts]\ngt(1,1,1,2). gt(1,2,4,2). gt(4,2,1,1).", ()),
    (f"with: killer\n{BLANK}[facts]\ncage(1,1,1). cage_value(1,5).", ()),
    (f"with: killer\n{BLANK}[facts]\ncage_value(1,5).", ()),
    # A rule that makes a given impossible, and one that makes every grid impossible.
    (UNIQUE, ("% No.\n:- a(4,1,1).",)),
    (BLANK, ("% No.\n:- a(1,1,N).",)),
    (BLANK, ("% No.\n:- not mine.\n#defined mine/0.",)),
    (BLANK, ("% Yes, and no.\n{ mine(1..9) }.\n:- mine(1).", "% No.\n:- not mine(1).")),
]


@in_one_test(("text", "rules"), NO_SOLUTION)
@in_one_test("time_limit", [None, 60])
def test_no_candidates_without_a_solution(text, rules, time_limit):
    mine = [rule_file(each, f"mine{number}") for number, each in enumerate(rules)]
    found = candidates(program_of(text, *mine), time_limit, count_to=5)
    assert (found.possible, found.ended, found.unsatisfiable) == (nothing(4), "complete", True)
    assert (found.forced, found.equal_cells) == ({}, ())
    assert found.counts == (nothing(4), 0, True)


# ---- Custom rules ----


def any_grid(_):
    return True


@pytest.mark.parametrize(
    ("text", "allowed"),
    [
        (":- a(1,1,4).", lambda grid: grid[0][0] != 4),
        (":- not a(1,1,4).", lambda grid: grid[0][0] == 4),
        (":- a(1,1,N), a(4,4,N1), N != N1.", lambda grid: grid[0][0] == grid[3][3]),
        (":- a(R,R,N), a(R1,R1,N), R < R1.", lambda grid: len({grid[i][i] for i in range(4)}) == 4),
        # Answer sets that only differ in other atoms count as one solution.
        ("{ mine(1..10) }. :- mine(1), mine(2), a(1,1,1).", any_grid),
        ("mine(1) ; mine(2). :- mine(1), a(1,1,1). :- mine(2), a(1,1,2).", any_grid),
        (
            "mine :- not yours. yours :- not mine. :- mine, a(1,1,1). :- yours, a(1,1,1).",
            lambda grid: grid[0][0] != 1,
        ),
        ("mine(N) : number(N) ; yours.", any_grid),
        ("mine :- not not mine.", any_grid),
        ("mine :- { not mine } 0.", any_grid),
        ("-mine :- not mine. mine :- not -mine.", any_grid),
        ("mine :- yours. yours :- not his. his :- hers. hers :- not mine.", any_grid),
        (
            (
                "mine(N) :- number(N), not mine(N+1), N < 3. mine(N) :- number(N), not mine(N-1), N"
                " > 1."
            ),
            any_grid,
        ),
        ("ab(mine) :- not yours. yours :- not ab(mine). :- a(1,1,1), not ab(mine).", any_grid),
        ("#external mine. [free]", any_grid),
        ("answer(1..5). #show answer/1.", any_grid),
    ],
)
def test_a_custom_rule(text, allowed):
    true = [grid for grid in solutions(BLANK) if allowed(grid)]
    found = candidates(program_of(BLANK, rule_file(text)), count_to=1000)
    assert found.possible == possible_in(true)
    assert found.forced == forced_in(true)
    assert sorted(found.equal_cells) == equal_in(true)
    assert found.counts == (counts_in(true), len(true), True)


def test_two_rules_that_choose_together():
    program = program_of(
        BLANK, rule_file("mine :- not yours.", "one"), rule_file("yours :- not mine.", "two")
    )
    assert candidates(program, count_to=1000).counts == (counts_in(solutions(BLANK)), 288, True)


def test_a_rule_with_a_reserved_name():
    """The time limit is for failures: on an invalid grid, the query for equal cells might
    not end.
    """
    true = solutions(TWO_SOLUTIONS)
    found = candidates(program_of(TWO_SOLUTIONS, rule_file("answer_weight(4,7).")), 20, count_to=5)
    assert sorted(found.equal_cells) == equal_in(true) == [((3, 2), (4, 3)), ((3, 3), (4, 2))]
    assert found.counts.counts == counts_in(true)


@pytest.mark.parametrize("name", ["answer_base", "answer_width"])
@pytest.mark.parametrize("value", [0, 2, "x"])
def test_a_constant_with_a_reserved_name(name, value):
    program = compose(aspdoku.parse(TWO_SOLUTIONS), constants={name: value})
    assert candidates(program, count_to=5) == candidates(program_of(TWO_SOLUTIONS), count_to=5)
    assert candidates(program, count_to=5).counts.counts == counts_in(solutions(TWO_SOLUTIONS))


@pytest.mark.parametrize(
    "text", ["a(1,1,7).", "a(0,1,1).", "a(1,5,1).", "a(1,1,x).", "cell(5,1).", 'a(1,"1",1).']
)
def test_several_numbers_in_a_cell_are_rejected(text):
    with pytest.raises(RuleError, match="a/3"):
        candidates(program_of(BLANK, rule_file(text)), count_to=1)


# ---- Counts up to a limit ----


@pytest.mark.parametrize("limit", [1, 2, 7, 100, 287, 288, 289, 10_000])
@pytest.mark.parametrize("time_limit", [None, 60])
def test_counts_up_to_a_limit(limit, time_limit):
    found = candidates(program_of(BLANK), time_limit, limit)
    true = counts_in(solutions(BLANK))
    counted = min(limit, 288)
    assert found.counts.solutions == counted
    assert all(sum(counts) == counted for row in found.counts.counts for counts in row)
    assert all(
        len(counts) == len(most) and all(map(int.__le__, counts, most))
        for row, true_row in zip(found.counts.counts, true, strict=True)
        for counts, most in zip(row, true_row, strict=True)
    )
    if limit != 288:  # at exactly the limit, it is undetermined whether others exist
        assert found.counts.exact == (limit > 288)
    if counted == 288:
        assert found.counts.counts == true
    assert found.possible == possible_in(solutions(BLANK))


def test_no_counts_unless_requested():
    assert candidates(program_of(BLANK)).counts is None


# ---- Sizes ----


def shifted(n):
    """A full grid: each row is a shift of the one before, by more than the width of a box from band
    to band.
    """
    rows, columns = oracle.CLASSIC.shape(n)
    return [[(columns * (r % rows) + r // rows + c) % n + 1 for c in range(n)] for r in range(n)]


@pytest.mark.parametrize("n", [1, 2, 3, 5, 8, 9, 10, 11, 12, 16])
def test_numbers_of_two_digits(n):
    """Two or three of the largest numbers are removed from a full grid, so that they can be
    exchanged.
    """
    grid = shifted(n)
    assert oracle.violations(grid, grid, oracle.CLASSIC) == []
    kept = n - 3 if n < 11 else n - 2
    givens = [[number if number <= kept else None for number in row] for row in grid]
    true = oracle.solutions(givens)
    found = candidates(compose(Puzzle(tuple(map(tuple, givens)))), count_to=len(true) + 1)
    assert len(true) > 1 or n == 1
    assert found.possible == possible_in(true)
    assert sorted(found.equal_cells) == equal_in(true)
    assert found.counts == (counts_in(true), len(true), True)


@pytest.mark.slow_cases("36")
@pytest.mark.parametrize("n", [9, 10, 12, 16, 25, 36])
def test_all_numbers_of_a_row_are_candidates(n):
    """With all rules of the base and the boxes retracted, every number is possible in an empty
    cell.
    """
    grid = shifted(n)
    row, column = n, n - 1
    grid[row - 1][column - 1] = None
    found = candidates(
        compose(Puzzle(tuple(map(tuple, grid))), without=["row", "column", "box"]), count_to=n + 1
    )
    assert found.possible[row - 1][column - 1] == tuple(range(1, n + 1))
    assert found.counts.counts[row - 1][column - 1] == (1,) * n
    assert len(found.forced) == n * n - 1
    assert (found.counts.solutions, found.counts.exact) == (n, True)


# ---- The time limit ----


def hurried(monkeypatch, *patience):
    """Let the time run out after this number of waits, each of which lasts at most this many
    seconds.

    None means no limit.
    """
    waits = iter(patience)

    def wait(_, handle):
        patient = next(waits, 0.0)
        handle.wait(patient)
        if patient is not None:
            raise TimeLimitError("hurry")

    monkeypatch.setattr(Solver, "wait", wait)


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("patience", [0.0, 0.0003, 0.001, 0.003, 0.01])
def test_partial_results_at_the_time_limit_are_true(patience, seed, monkeypatch):
    text = random_puzzle("box", 6, seed)
    program = program_of(text)
    true = possible_in(solutions(text))
    hurried(monkeypatch, patience)
    found = candidates(program, 60, count_to=10)
    assert (found.ended, found.forced, found.unsatisfiable) == ("time", {}, False)
    assert (found.equal_cells, found.counts) == (None, None)
    for numbers, most in zip(sum(found.possible, ()), sum(true, ()), strict=True):
        assert numbers == tuple(sorted(numbers))
        assert set(numbers) <= set(most)


def test_candidates_found_before_the_time_limit_are_kept(monkeypatch):
    """The search ends, but the time is up before its end is noticed; no result is lost."""

    def wait(_, handle):
        handle.wait()
        raise TimeLimitError("hurry")

    program = program_of(TWO_SOLUTIONS)
    monkeypatch.setattr(Solver, "wait", wait)
    found = candidates(program, 60)
    assert (found.ended, found.forced, found.equal_cells) == ("time", {}, None)
    assert found.possible == possible_in(solutions(TWO_SOLUTIONS))


def test_a_time_limit_while_comparing_cells_keeps_the_candidates(monkeypatch):
    program = program_of(TWO_SOLUTIONS)
    hurried(monkeypatch, None, 0.0)
    found = candidates(program, 60)
    assert found.equal_cells is None
    assert found.possible == possible_in(solutions(TWO_SOLUTIONS))
    assert (found.ended, found.forced) == ("complete", forced_in(solutions(TWO_SOLUTIONS)))


def test_a_time_limit_while_counting_keeps_everything_else(monkeypatch):
    """All waits but the last are unlimited: one for the candidates, and some for the equal
    cells.
    """
    program = program_of(TWO_SOLUTIONS)
    waits = []
    wait = Solver.wait
    monkeypatch.setattr(Solver, "wait", lambda self, handle: (waits.append(1), wait(self, handle)))
    candidates(program, 60)
    hurried(monkeypatch, *[None] * len(waits), 0.0)
    found = candidates(program, 60, count_to=10)
    true = solutions(TWO_SOLUTIONS)
    assert (found.ended, found.possible, found.forced) == (
        "complete",
        possible_in(true),
        forced_in(true),
    )
    assert sorted(found.equal_cells) == equal_in(true)
    assert found.counts.exact is False
    assert found.counts.solutions <= len(true)


@pytest.mark.slow
def test_a_time_limit_while_grounding():
    """The grid is so large that grounding never ends before the time limit is checked."""
    before, began = threading.active_count(), time.monotonic()
    found = candidates(compose(Puzzle.blank(25), "offset"), time_limit=1e-9, count_to=10)
    assert (found.possible, found.ended, found.forced) == (nothing(25), "time", {})
    assert (found.equal_cells, found.counts, found.unsatisfiable) == (None, None, False)
    while threading.active_count() > before and time.monotonic() - began < SOON:
        time.sleep(
            0.05
        )  # wait for the abandoned thread, because it slows down the tests after this one


# ---- Many queries to one control ----


def bytes_of(grid):
    return bytes(number or 0 for row in grid for number in row)


@pytest.mark.parametrize(
    "text", [TWO_SOLUTIONS, "with: anti-knight\n" + BLANK, random_puzzle("box", 6, 0)]
)
def test_grid_control_finds_all_solutions_and_searches_are_independent(text):
    true = solutions(text)
    n = len(true[0])
    reader = GridControl(program_of(text))
    for _ in range(2):
        found = []
        assert reader.search(lambda model, found=found: found.append(reader.numbers(model)))
        assert sorted(found) == sorted(map(bytes_of, true))
        possible = [set() for _ in range(n * n)]
        reader.brave_candidates(possible)
        assert [tuple(sorted(numbers)) for numbers in possible] == list(sum(possible_in(true), ()))
        some = []
        reader.search(lambda model, some=some: some.append(reader.numbers(model)), models=1)
        assert len(some) == 1
        assert some[0] in found


def test_brave_candidates_are_added():
    reader = GridControl(program_of(UNIQUE))
    possible = [{3, 4} for _ in range(16)]
    reader.brave_candidates(possible)
    ((first, *rest),) = [oracle.solutions(oracle.read_grid(UNIQUE))[0]]
    assert possible == [{3, 4, number} for number in sum(rest, first)]


@pytest.mark.parametrize("seed", range(6))
def test_grid_control_takes_givens_as_assumptions(seed):
    """The solutions of a blank grid are restricted to exactly those with these givens."""
    random = Random(seed)
    reader = GridControl(program_of(BLANK))
    true = random.choice(solutions(BLANK))
    givens = [[number if random.random() < 0.3 else None for number in row] for row in true]
    found = []
    assert reader.search(
        lambda model: found.append(reader.numbers(model)),
        reader.assumptions(bytes_of(givens)),
    )
    assert sorted(found) == sorted(map(bytes_of, oracle.solutions(givens)))
    assert bytes_of(true) in found


def test_numbers_that_the_rules_never_allow_have_no_literal():
    reader = GridControl(program_of(BLANK, rule_file("% None.\n:- a(1,1,2).")))
    everything = range(1, 5)
    assert [
        number
        for number in everything
        if reader.assumptions(bytes([number, *[0] * 15])) is not None
    ] in (
        [1, 3, 4],  # where grounding has seen to it
        [1, 2, 3, 4],
    )
    assumed = reader.assumptions(bytes([2, *[0] * 15]))
    found = []
    assert assumed is None or reader.search(found.append, assumed)
    assert found == []


def test_numbers_outside_of_the_grid_have_no_literal():
    reader = GridControl(program_of(BLANK))
    assert all(reader.literal(place, 0) == 0 for place in range(16))
    literals = [reader.literal(place, number) for place in range(16) for number in range(1, 5)]
    assert 0 not in literals
    assert len(set(literals)) == 64


def test_solutions_of_ten_numbers_are_read_one_by_one():
    """Grids of a blank 10x10 board, which need three levels of costs per row; each is checked
    against the rules.
    """
    reader = GridControl(compose(Puzzle.blank(10)))
    found = []
    assert not reader.search(lambda model: found.append(reader.numbers(model)), models=20)
    assert len(set(found)) == 20
    for numbers in islice(found, 20):
        rows = [list(numbers[start : start + 10]) for start in range(0, 100, 10)]
        assert oracle.violations(rows, [[None] * 10] * 10, oracle.CLASSIC) == []
