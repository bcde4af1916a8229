"""Many grids with one grounding, against the oracle, and against a new solver for each grid."""

from functools import cache
from random import Random

import clingo
import oracle
import pytest
from in_one_test import in_one_test

import aspdoku
from aspdoku import Puzzle, Solver, compose
from aspdoku.engine.grids import GridControl, GridResult, GroundedGrid, load
from aspdoku.engine.grounding import ProgramCollector
from aspdoku.errors import RuleError, TimeLimitError
from aspdoku.program import RuleFile, assemble, library

pytestmark = pytest.mark.versions

BOXES = {
    1: (1, 1),
    2: (1, 2),
    4: (2, 2),
    6: (2, 3),
    9: (3, 3),
    10: (2, 5),
    12: (3, 4),
    15: (3, 5),
    16: (4, 4),
    20: (4, 5),
}
RULES = {
    "": oracle.CLASSIC,
    "offset": oracle.Rules(offset=True),
    "anti-knight": oracle.Rules(anti_knight=True),
}
UNIQUE = ".4.....4..2.1..."
TWO_SOLUTIONS = ".42.3..1....2..."
CONTRADICTORY = "11.............."


def numbers_in(line):
    """The numbers of a grid, from a line of digits and dots."""
    return bytes(0 if sign == "." else int(sign) for sign in line)


def rows_of(numbers):
    size = round(len(numbers) ** 0.5)
    return [
        [number or None for number in numbers[start : start + size]]
        for start in range(0, size**2, size)
    ]


def flat(grid):
    return bytes(number or 0 for row in grid for number in row)


@cache
def some_grids(size, rule):
    return [flat(grid) for grid in oracle.solutions([[None] * size] * size, RULES[rule], limit=40)]


def full_grid(size, random, rule=""):
    """A full grid that satisfies the classic rules: a pattern with its numbers, and its rows and
    columns within bands, shuffled.

    With an additional rule, it is a solution of the oracle with its numbers shuffled.
    """
    if rule:
        names = [0, *random.sample(range(1, size + 1), size)]
        return bytes(names[number] for number in random.choice(some_grids(size, rule)))
    height, width = BOXES[size]
    names = random.sample(range(1, size + 1), size)
    rows = [
        band * height + row
        for band in random.sample(range(width), width)
        for row in random.sample(range(height), height)
    ]
    columns = [
        stack * width + column
        for stack in random.sample(range(height), height)
        for column in random.sample(range(width), width)
    ]
    return bytes(
        names[(width * (r % height) + r // height + c) % size] for r in rows for c in columns
    )


def with_cells_removed(numbers, empty, random):
    """The grid with this number of its cells emptied."""
    gone = set(random.sample(range(len(numbers)), empty))
    return bytes(0 if place in gone else number for place, number in enumerate(numbers))


def with_wrong_given(numbers, random):
    """The grid with another number in one of its given cells."""
    place = random.choice([place for place, number in enumerate(numbers) if number])
    size = round(len(numbers) ** 0.5)
    other = random.choice([number for number in range(1, size + 1) if number != numbers[place]])
    return numbers[:place] + bytes((other,)) + numbers[place + 1 :]


@cache
def board_of(size, rule=""):
    return GroundedGrid(compose(Puzzle.blank(size), *filter(None, [rule])))


def board_with(*texts, size=4):
    """A grounded grid with custom rules in addition to base and boxes; each text is a file."""
    rules = [
        RuleFile(f"mine{number}", f"mine{number}.lp", text) for number, text in enumerate(texts, 1)
    ]
    return GroundedGrid(assemble(Puzzle.blank(size), [library.base(), library.find("box"), *rules]))


def truth(numbers, rules=oracle.CLASSIC):
    """The status by the oracle, and up to two solutions."""
    found = oracle.solutions(rows_of(numbers), rules, limit=2)
    return ("none", "unique", "several")[len(found)], found


def assert_true(answer, numbers, rules=oracle.CLASSIC):
    """Assert that the result is that of the oracle; of several solutions, any valid one is
    accepted.
    """
    verdict, found = truth(numbers, rules)
    assert answer.status == verdict
    if verdict == "unique":
        assert answer.numbers == flat(found[0])
    elif verdict == "several":
        assert oracle.violations(rows_of(answer.numbers), rows_of(numbers), rules) == []
    else:
        assert answer.numbers == b""


# ---- Against the oracle ----

THINNED = [
    # size, additional rule, number of emptied cells, number of grids
    (4, "", (8, 13), 30),
    (4, "offset", (9, 15), 30),
    (6, "", (18, 28), 30),
    (6, "anti-knight", (20, 34), 30),
    (6, "offset", (20, 32), 30),
    (9, "", (44, 56), 16),
    (12, "", (50, 80), 8),
    (16, "", (70, 110), 5),
]


@pytest.mark.parametrize(("size", "rule", "empty", "count"), THINNED)
def test_results_are_those_of_the_oracle(size, rule, empty, count):
    random, board, verdicts = Random(f"{size} {rule}"), board_of(size, rule), set()
    for _ in range(count):
        grid = with_cells_removed(full_grid(size, random, rule), random.randint(*empty), random)
        for numbers in (grid, with_wrong_given(grid, random)):
            answer = board.solve(numbers)
            assert_true(answer, numbers, RULES[rule])
            verdicts.add(answer.status)
    assert {"unique", "none"} <= verdicts  # otherwise the test would prove little


def test_every_status_with_one_grounding():
    board = board_of(4)
    for line, verdict in [
        (UNIQUE, "unique"),
        (TWO_SOLUTIONS, "several"),
        (CONTRADICTORY, "none"),
        ("." * 16, "several"),
    ] * 2:
        assert truth(numbers_in(line))[0] == verdict
        assert_true(board.solve(numbers_in(line)), numbers_in(line))


@pytest.mark.parametrize("size", BOXES)
def test_a_full_grid_is_its_own_solution(size):
    """The cost that encodes the grid is split into groups of cells differently for each size."""
    random = Random(size)
    for _ in range(3):
        numbers = full_grid(size, random)
        assert oracle.violations(rows_of(numbers), rows_of(numbers), oracle.CLASSIC) == []
        assert board_of(size).solve(numbers) == GridResult("unique", numbers)


@pytest.mark.parametrize("size", [9, 10, 16])
def test_one_missing_number_is_found_in_any_cell(size):
    numbers = full_grid(size, Random(size))
    for place in range(size**2):
        assert board_of(size).solve(numbers[:place] + b"\0" + numbers[place + 1 :]) == GridResult(
            "unique", numbers
        )


# ---- Queries are independent ----


@pytest.mark.slow
@pytest.mark.parametrize("rule", RULES)
def test_a_hundred_puzzles_have_the_results_of_fresh_solvers(rule):
    random, board, verdicts = Random(f"fresh {rule}"), board_of(6, rule), []
    for _ in range(100):
        numbers = with_cells_removed(full_grid(6, random, rule), random.randint(10, 33), random)
        if random.random() < 0.3:
            numbers = with_wrong_given(numbers, random)
        fresh = Solver(
            compose(Puzzle(tuple(map(tuple, rows_of(numbers)))), *filter(None, [rule]))
        ).search(2)
        found = [flat(solution.rows) for solution in fresh]
        answer = board.solve(numbers)
        assert answer.status == fresh.status
        assert (
            (answer.numbers == found[0])
            if answer.status == "unique"
            else (bool(answer.numbers) == bool(found))
        )
        verdicts.append(answer.status)
    assert min(map(verdicts.count, ("none", "unique", "several"))) > 2


def test_a_repeated_grid_has_the_same_status():
    random, board = Random(5), board_of(6)
    grids = [with_cells_removed(full_grid(6, random), 24, random) for _ in range(20)]
    first = [board.solve(numbers).status for numbers in grids]
    random.shuffle(order := list(range(20)) * 3)
    assert [board.solve(grids[place]).status for place in order] == [
        first[place] for place in order
    ]


# ---- Custom rules ----

# Rule files that forbid no grid, but give each grid several answer sets, or show other atoms.
HARMLESS = [
    ("{ mine_x }.",),
    ("{ mine_x(1..10) }.",),
    ("{ mine_x(R) : row(R) } = 1.",),
    ("{ mine_x(R,C) : cell(R,C) }. :- mine_x(1,1), mine_x(2,2).",),
    ("mine_x ; mine_y.",),
    ("mine_x(R) : row(R).",),
    ("mine_x :- not mine_y. mine_y :- not mine_x.",),
    ("mine_x(X) :- X = 1..2, not mine_x(3-X).",),
    ("mine_x(1;2) :- not mine_y(1;2). mine_y(1;2) :- not mine_x(1;2).",),
    ("mine_x :- not not mine_x.",),
    ("mine_x :- not -mine_x. -mine_x :- not mine_x.",),
    ("mine_x :- #true : not mine_y. mine_y :- #true : not mine_x.",),
    ("mine_x :- { mine_y } 0. mine_y :- { mine_x } 0.",),
    ("mine_x :- not mine_y, a(1,1,3). mine_y :- not mine_x, a(1,1,3).",),
    ("#external mine_x. mine_y :- mine_x.",),
    # neither file contains a choice by itself
    ("#defined mine_y/0. mine_x :- not mine_y.", "#defined mine_x/0. mine_y :- not mine_x."),
    (
        "#defined z/0. x :- not z.",
        "#defined x/0. y :- x.",
        "#defined y/0. z :- not y. w :- z. { v } :- w.",
    ),
    ("#defined q/1. p(N) :- number(N), not q(N).", "#defined p/1. q(N) :- number(N), not p(N)."),
    ("mine_x :- a(1,1,1). mine_y :- not mine_x.",),
    ("#show.",),
    ("#show mine_x/1. { mine_x(R) : row(R) }.",),
    ("#show R : row(R).",),
    ("#show a(R,C,0) : cell(R,C).",),
    ("#show -a(R,C,N) : a(R,C,N). { mine_x }.",),
    ("a_(1,1,1). b(1,1,1). a(1,1). a(1,1,1,1).",),
    ("-a(1,1,9).",),
    # names that the engine may use internally
    ("answer(1). answer_base. answer_width(7). answer_weights(1,1).",),
    ("answer_weight(1,1000).",),
    ("answer_weight(C,N) :- column(C), number(N).",),
    ("{ answer_weight(C,7) } :- column(C).",),
]


@in_one_test("texts", HARMLESS)
@in_one_test("line", [UNIQUE, TWO_SOLUTIONS, CONTRADICTORY])
def test_grids_are_counted_instead_of_answer_sets(texts, line):
    assert_true(board_with(*texts).solve(numbers_in(line)), numbers_in(line))


FORBIDDING = [
    # a rule, and which of the 288 full grids satisfy it
    (":- not a(1,1,1).", lambda grid: grid[0] == 1),
    (":- a(R,C,4), R = C.", lambda grid: all(grid[5 * place] != 4 for place in range(4))),
    (":- a(1,1,N), a(4,4,N).", lambda grid: grid[0] != grid[15]),
    ("{ mine_x(1..4) } = 1. :- mine_x(N), not a(1,1,N).", lambda _: True),
    ("{ mine_x(1..4) } = 1. :- mine_x(N), not a(1,1,N). :- mine_x(1).", lambda grid: grid[0] != 1),
    ("a(1,1,3).", lambda grid: grid[0] == 3),
    ("a(1,1,3) ; a(1,1,4).", lambda grid: grid[0] in (3, 4)),
    ("{ a(1,1,3) }. :- not a(1,1,3).", lambda grid: grid[0] == 3),
    (":- not a(1,1,7).", lambda _: False),
]


@pytest.mark.parametrize(("text", "keeps"), FORBIDDING, ids=[text for text, _ in FORBIDDING])
def test_a_rule_that_forbids_grids(text, keeps):
    board = board_with(text)
    full = [flat(grid) for grid in oracle.solutions([[None] * 4] * 4)]
    assert len(full) == 288
    for numbers in full:
        assert board.solve(numbers) == (
            GridResult("unique", numbers) if keeps(numbers) else GridResult("none", b"")
        )
    for line in (UNIQUE, TWO_SOLUTIONS, CONTRADICTORY):
        fitting = [
            grid
            for grid in full
            if keeps(grid)
            and all(n in (0, grid[place]) for place, n in enumerate(numbers_in(line)))
        ]
        answer = board.solve(numbers_in(line))
        assert answer.status == ("none", "unique", "several")[min(len(fitting), 2)]
        assert answer.numbers in (fitting or [b""])


@in_one_test(
    "text",
    [
        *(
            "a(1,1,5).",
            "a(5,1,1).",
            "a(0,1,1).",
            "a(1,0,1).",
            "a(1,1,0).",
            "a(1,1,-1).",
            "a(1,1,40).",
            "a(x,y,1).",
        ),
        *(
            "a(1,1,x).",
            'a(1,1,"1").',
            "a(1,1,(1,1)).",
            "a(11,1,1).",
            "{ a(1,1,x;y) }. :- not a(1,1,x).",
        ),
        *(
            "cell(5,1).",
            "cell(0,1).",
            "number(5). ab(row). ab(column). ab(box). :- a(1,1,N), N < n+1.",
        ),
        "number(0). ab(row). ab(column). ab(box). :- not a(1,1,0).",
    ],
)
def test_numbers_outside_of_the_grid_are_rejected(text):
    """Their weight would corrupt the cost that encodes the grid; `solve` rejects them, too."""
    with pytest.raises(RuleError, match="a/3"):
        board_with(text).solve(numbers_in("." * 16))


def test_a_grounding_error_has_its_file_and_line():
    with pytest.raises(RuleError, match=r"mine1\.lp:2:"):
        board_with("% one\n:- not a(R,1,1).")


def test_messages_of_clingo_are_kept():
    messages = board_with("% one\nseen(N/0) :- number(N).").messages
    assert [(message.place, message.line) for message in messages] == [("mine1.lp", 2)]
    assert board_of(4).messages == []


# ---- Givens of the program itself ----

GIVENS = [
    # the grid of the program, and the grid that is queried
    ("1...............", "." * 16),
    ("1234............", "." * 16),
    ("1234341221434321", "." * 16),
    ("1234341221434321", "1234341221434321"),
    ("1234............", "1234............"),
    ("1234............", "....3412........"),
    ("1...............", "2..............."),
    ("1...............", ".1.............."),
    (UNIQUE, "." * 16),
    (CONTRADICTORY, "." * 16),
]


@in_one_test(("given", "asked"), GIVENS)
def test_givens_of_the_program_and_of_the_grid_both_hold(given, asked):
    board = GroundedGrid(compose(Puzzle(tuple(map(tuple, rows_of(numbers_in(given)))))))
    both = zip(numbers_in(given), numbers_in(asked), strict=True)
    if any(one and other and one != other for one, other in both):
        assert board.solve(numbers_in(asked)) == GridResult("none", b"")
    else:
        merged = bytes(
            one or other for one, other in zip(numbers_in(given), numbers_in(asked), strict=True)
        )
        assert_true(board.solve(numbers_in(asked)), merged)


# ---- Many grids: at-most-one constraints as binary clauses ----

REWRITTEN = {
    "exactly one": "{ mine(X) : X = 1..3 } = 1.",
    "at most one": "{ mine(1..4) }. :- 2 { mine(X) }.",
    "at least one": "{ mine(1..3) }. :- { mine(X) } 0.",
    "at least two": "{ mine(1..4) }. :- { mine(X) } 1.",
    "two bounds": "{ mine(1..5) }. :- not 2 { mine(X) } 3.",
    "several aggregates": "{ mine(1..6) }. :- 1 { mine(1..3) }, 2 { mine(4..6) }.",
    "a negated conjunction": "{ mine(1..3) }. mine(4) :- not mine(1). :- not mine(2), mine(3; 4).",
    "weights": "{ mine(1..4) }. :- 4 #sum { X : mine(X) }.",
    "a condition": "{ mine(1..3) }. :- mine(1) : mine(2), not mine(3).",
    "a sum to an atom": "{ mine(1..3) }. mine(7) :- 2 { mine(1..3) }. :- mine(7), a(1,1,1).",
    "an odd loop": "{ mine(1..2) }. mine(3) :- mine(1), not mine(3).",
    "a positive loop": "mine(1) :- mine(2). mine(2) :- mine(1). :- not mine(1), a(1,1,1).",
    "a disjunction": "mine(1); mine(2) :- a(1,1,1). :- mine(2).",
    "facts": "mine(1..3). :- 2 { mine(1); a(1,1,1); a(1,2,1) }. :- not mine(4), a(1,2,1).",
    "a large pigeonhole": "{ mine(H) : H = 1..20 } = 1.",
    "a false constraint": ":- { mine(1..3) } 0. #defined mine/1.",
    "minimized": "{ mine(1..3) }. #minimize { 1@1,X : mine(X) }.",
    "external": "#external mine(1). :- mine(1). :- not mine(1), a(1,1,1).",
}


def atoms_of_answer_sets(control, literals):
    """The answer sets of a control, as the sets of the indices of the literals that hold."""
    control.configuration.solve.models = 0
    control.configuration.solve.project = "no"
    found = []
    control.solve(
        on_model=lambda model: found.append(
            tuple(index for index, literal in enumerate(literals) if model.is_true(literal))
        )
    )
    return sorted(found)


@in_one_test("name", REWRITTEN)
def test_a_program_with_binary_clauses_has_the_same_answer_sets(name):
    """Among all atoms with a name, not only those of the grid."""
    collector = ProgramCollector()
    text = f"{{ a(1,1..2,1) }}. {REWRITTEN[name]}"
    control = clingo.Control(["--opt-mode=ignore"], logger=lambda *_: None)
    control.register_observer(collector)
    control.add("base", [], text)
    control.ground([("base", [])])
    named = [atom.literal for atom in control.symbolic_atoms]
    other = clingo.Control(["--opt-mode=ignore"])
    if name == "external":
        assert not collector.complete
        return
    assert collector.complete
    atoms = load(other, collector, set(named), set(named))
    expected = atoms_of_answer_sets(control, named)
    assert atoms_of_answer_sets(other, [atoms[literal] for literal in named]) == expected


@pytest.mark.parametrize("rule", RULES)
def test_a_grid_prepared_for_many_has_the_same_answers(rule):
    random = Random(rule)
    board = GroundedGrid(compose(Puzzle.blank(6), *filter(None, [rule])), for_many=True)
    for number in range(40):
        if number == 10:
            board.prepare_for_many()
        numbers = with_cells_removed(full_grid(6, random, rule), random.randint(14, 30), random)
        assert_true(board.solve(numbers), numbers, RULES[rule])
        wrong = with_wrong_given(numbers, random)
        assert_true(board.solve(wrong), wrong, RULES[rule])


def test_pairs_of_cells_are_binary_clauses():
    """36 pairs for each cell, and for each number in each row, column and box; but the 18 pairs of
    cells of a box that share a row or a column occur once.
    """
    reader = GridControl(compose(Puzzle.blank(9)), for_many=True)
    reader.prepare_for_many()
    reader.search(lambda _: None, models=1)
    statistics = reader.control.statistics["problem"]
    assert statistics["lp"]["atoms"] == 729  # each further one makes all searches longer
    generator = statistics["generator"]
    pairs_twice = 9 * 9 * 18
    assert generator["constraints_binary"] == 324 * 36 - pairs_twice
    assert generator["constraints"] == 324
    assert generator["vars"] == 729


# ---- The time limit ----

# A pigeonhole problem, fourteen pigeons in thirteen holes, if the first cell holds 1: there is no
# solution, and clingo takes long to prove it.
PIGEONS = "{ mine(P,H) : H = 1..13 } = 1 :- P = 1..14, a(1,1,1).\n:- mine(P,H), mine(P1,H), P < P1."


@pytest.mark.slow
def test_a_timeout_does_not_affect_other_grids():
    board = board_with(PIGEONS)
    for _ in range(2):
        assert board.solve(numbers_in("1" + "." * 15), 0.5) == GridResult("timed out", b"")
        for line in ("2" + "." * 15, "2.4.3.2..3.4..1.", CONTRADICTORY, "22" + "." * 14):
            assert_true(board.solve(numbers_in(line)), numbers_in(line))


@pytest.mark.slow
def test_a_solution_is_not_unique_if_time_is_up_before_the_proof():
    """Of the two solutions one has a 1 in the first cell, and takes too long."""
    full = [flat(grid) for grid in oracle.solutions([[None] * 4] * 4)]
    pairs = ((one, two) for one in full if one[0] == 1 for two in full if two[0] != 1)
    shared = (
        (two, bytes(n if n == other else 0 for n, other in zip(one, two, strict=True)))
        for one, two in pairs
    )
    easy, numbers = next(
        (two, both) for two, both in shared if len(oracle.solutions(rows_of(both))) == 2
    )
    verdict, found = board_with(PIGEONS).solve(numbers, 0.5)
    assert verdict == "timed out"
    assert found in (b"", easy)


def test_a_generous_time_limit_changes_nothing():
    random, board = Random(8), GroundedGrid(compose(Puzzle.blank(6)))
    for _ in range(30):
        numbers = with_cells_removed(full_grid(6, random), random.randint(14, 28), random)
        assert_true(board.solve(numbers, 600), numbers)


@pytest.mark.slow
def test_a_time_limit_for_grounding():
    with pytest.raises(TimeLimitError, match="grounding"):
        GroundedGrid(
            assemble(
                Puzzle.blank(4), [library.base(), RuleFile("mine", "mine.lp", "p(1..2000000).")]
            ),
            time_limit=0.1,
        )


# ---- The control below ----


def test_grid_control_finds_each_grid_once():
    reader, found = GridControl(compose(Puzzle.blank(4))), []
    assert reader.search(lambda model: found.append(reader.numbers(model)))
    assert sorted(found) == sorted(flat(grid) for grid in oracle.solutions([[None] * 4] * 4))


@pytest.mark.parametrize("models", [1, 2, 7])
def test_grid_control_stops_at_the_limit(models):
    reader, found = GridControl(compose(Puzzle.blank(4))), []
    assert not reader.search(lambda model: found.append(reader.numbers(model)), models=models)
    assert len(set(found)) == len(found) == models


def test_brave_candidates_are_those_of_the_oracle():
    reader, possible = (
        GridControl(compose(aspdoku.parse(". 4 2 .\n3 . . 1\n. . . .\n2 . . .\n"))),
        [set() for _ in range(16)],
    )
    reader.brave_candidates(possible)
    grids = [flat(grid) for grid in oracle.solutions(rows_of(numbers_in(TWO_SOLUTIONS)))]
    assert possible == [{grid[place] for grid in grids} for place in range(16)]


def test_there_are_literals_for_the_numbers_and_none_for_an_empty_cell():
    reader = GridControl(compose(aspdoku.parse("1 . . .\n. . . .\n. . . .\n. . . .\n")))
    assert reader.assumptions(numbers_in("." * 16)) == []
    assert len(reader.assumptions(numbers_in("1" + "." * 15))) == 1
    assert reader.search(
        lambda _: pytest.fail("a second number in the cell"),
        reader.assumptions(numbers_in("2" + "." * 15)),
    )
    assert all(reader.literal(place, 0) == 0 for place in range(16))
    assert all(reader.literal(15, number) for number in (1, 2, 3, 4))


def test_grid_control_stops_at_the_time_limit():
    reader = GridControl(
        assemble(Puzzle.blank(4), [library.base(), RuleFile("mine", "mine.lp", PIGEONS)]),
        time_limit=1,
    )
    with pytest.raises(TimeLimitError):
        reader.search(lambda _: None, reader.assumptions(numbers_in("1" + "." * 15)))
