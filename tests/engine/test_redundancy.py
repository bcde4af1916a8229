"""Redundant givens, clues and rules, against the oracle's solutions without each of them."""

import re
from dataclasses import replace
from functools import cache
from itertools import chain
from math import inf

import oracle
import pytest
from rule_files import rule_file

import aspdoku
from aspdoku import Solver, compose
from aspdoku.engine.clues import clues
from aspdoku.engine.dependence import find_redundancies
from aspdoku.errors import TimeLimitError
from aspdoku.program import RuleFile, assemble, library

pytestmark = pytest.mark.versions

UNIQUE = ". 4 . .\n. . . 4\n. . 2 .\n1 . . .\n"
FULL = "1 2 3 4\n3 4 1 2\n2 1 4 3\n4 3 2 1\n"
STATUS = {0: "none", 1: "unique", 2: "several"}

# Puzzles with one solution, in which some items are redundant and some are not.
PUZZLES = {
    "four givens": UNIQUE,
    "all givens": FULL,
    "box": ". . . .\n2 . 4 .\n. 1 . 3\n. 2 1 4\n",
    "box, 6x6": ". . 3 2 5 .\n. 4 5 1 3 .\n3 1 . 5 . 2\n. 2 6 . . 1\n. 3 . . . 5\n6 . 2 . . .\n",
    "high boxes": (
        "box: 3x2\n1 2 3 4 5 .\n3 4 5 6 1 2\n5 6 1 2 3 4\n2 1 4 3 6 5\n4 3 6 5 . .\n. . . . . .\n"
    ),
    "without boxes": "without: box\n. 1 . .\n. 4 . .\n1 2 3 .\n4 . 1 .\n",
    "without rows": "without: row\n. 1 3 2\n4 . . 1\n. . 2 .\n3 4 1 4\n",
    "anti-knight": "with: anti-knight\n. . . .\n. 2 3 .\n2 . . 3\n. 4 . 2\n",
    "anti-knight, 6x6": (
        "with: anti-knight\n. 5 1 . . .\n. 3 6 . . .\n3 2 4 6 . .\n6 1 . 4 . .\n1 6 3 . 4 .\n5 4 2"
        " 3 . .\n"
    ),
    "anti-knight, retracted": "with: anti-knight\nwithout: anti_knight\n" + UNIQUE,
    "offset, 6x6": (
        "with: offset\n4 1 3 . . 6\n. . 6 . 3 .\n1 . . 5 . .\n. . . 3 4 1\n. . 1 6 2 .\n6 2 . ."
        " . 3\n"
    ),
    "greater-than": (
        "with: greater-than\n3 . . .\n. . . 3\n1 . . 2\n. 3 4 1\n[facts]\ngt(2,4,3,4). gt(1,2,1,3)."
        " gt(4,3,4,4). gt(4,3,3,3).\n"
    ),
    "greater-than, 6x6": (
        "with: greater-than\n. . 3 5 . .\n2 . . . . .\n. 6 . . . .\n. . 2 . 1 4\n. 2 . 3 . .\n. . ."
        " . 2 1\n[facts]\ngt(2,6,2,5). gt(5,4,5,3). gt(4,2,5,2). gt(6,1,5,1). gt(1,4,1,5)."
        " gt(1,4,2,4).\n"
    ),
    "chain": (
        (
            "with: chain\n. . 3 2\n. 3 . .\n. 1 . .\n. . . .\n[facts]\nchain(1,1,A). chain(4,3,A)."
            " chain(4,1,A). chain(1,4,A).\n"
        ).replace("A", '"A"')
    ),
    "two chains": (
        "with: chain\nwithout: box\n3 . 1 .\n. 1 . 3\n4 . . .\n. . . .\n"
        "[facts]\nchain(1,1,a). chain(2,2,a). chain(3,3,a). chain(4,4,a).\n"
        "chain(1,4,b). chain(2,3,b). chain(3,2,b). chain(4,1,b).\n"
    ),
    "killer": (
        "with: killer\n. 2 . .\n. . . .\n3 4 1 .\n. . 4 .\n[cage]\nC C C .\n. A A .\n. . . .\n. . ."
        " .\nA = 5\nC = 6\n"
    ),
    "killer without boxes": (
        "with: killer\nwithout: box\n. . . .\n. . 3 1\n. . 2 .\n. . . .\n"
        "[cage]\n. . . .\n. B . F\n. B A F\n. B A F\nA = 6\nB = 7\nF = 6\n"
    ),
    "killer without givens": (
        "with: killer\n. . . .\n. . . .\n. . . .\n. . . .\n[cage]\nA B C C\nA B D D\nE E D F\nG G G"
        " F\nA = 6\nB = 4\nC = 5\nD = 6\nE = 7\nF = 6\nG = 6\n"
    ),
    "killer, 6x6": (
        "with: killer\n. 3 . . 4 .\n. 5 . . 2 3\n. 2 . 3 . 4\n. 4 3 . 1 .\n. 1 . 4 . 6\n. 6 4 2 5"
        " 1\n[cage]\n. . . . . .\nE . . C D D\nE . . C . A\nE . . C . A\nF . G G . A\nF . . . ."
        " .\nA = 12\nC = 9\nD = 5\nE = 11\nF = 8\nG = 6\n"
    ),
}


def without_given(givens, cell):
    return [
        [None if (r, c) == cell else given for c, given in enumerate(row, 1)]
        for r, row in enumerate(givens, 1)
    ]


def any_grid(_):
    return True


def number_of(givens, rules, allowed=any_grid):
    """The number of solutions, up to two; `allowed` implements a custom rule."""
    found = 0
    for grid in oracle.solutions(givens, rules):
        found += allowed(grid)
        if found == 2:
            break
    return STATUS[found]


def given_items(givens):
    """By name, the givens that remain without each one."""
    cells = ((cell, oracle.number(givens, cell)) for cell in oracle.cells_of(len(givens)))
    return {
        f"{oracle.label(cell)}={number}": without_given(givens, cell)
        for cell, number in cells
        if number is not None
    }


def clue_items(rules):
    """By rule and name, the rules that remain without each clue."""
    left = {}
    for sign in rules.greater_than:
        name = "gt({},{},{},{})".format(*sign[0], *sign[1])
        left["greater-than", name] = replace(
            rules, greater_than=tuple(other for other in rules.greater_than if other != sign)
        )
    for cage in rules.cages:
        left["killer", cage.name] = replace(
            rules, cages=tuple(other for other in rules.cages if other != cage)
        )
    for name in rules.chains:
        others = {other: cells for other, cells in rules.chains.items() if other != name}
        left["chain", name.strip('"')] = replace(rules, chains=others)
    return left


def rule_items(rules):
    """By name, the rules that remain without each one."""
    left = {
        "row": (rules.rows, {"rows": False}),
        "column": (rules.columns, {"columns": False}),
        "box": (rules.boxes, {"boxes": False}),
        "anti-knight": (rules.anti_knight, {"anti_knight": False}),
        "offset": (rules.offset, {"offset": False}),
        "greater-than": (rules.greater_than, {"greater_than": ()}),
        "chain": (rules.chains, {"chains": {}}),
        "killer": (rules.cages, {"cages": ()}),
    }
    return {name: replace(rules, **changed) for name, (played, changed) in left.items() if played}


@cache
def expected(text):
    """By kind, rule and name, the number of solutions that the oracle finds without the item."""
    givens, rules = oracle.read(text)
    return (
        {("given", "", name): number_of(left, rules) for name, left in given_items(givens).items()}
        | {
            ("clue", of, name): number_of(givens, left)
            for (of, name), left in clue_items(rules).items()
        }
        | {("rule", "", name): number_of(givens, left) for name, left in rule_items(rules).items()}
    )


def found_in(program, time_limit=None):
    found = {}
    for item in find_redundancies(program, time_limit):
        key = (item.kind, item.rule, item.name)
        assert key not in found
        found[key] = item.status
        assert (
            item.needed
            is {"unique": False, "several": True, "none": True, "some": None, "unknown": None}[
                item.status
            ]
        )
    return found


@pytest.mark.slow_cases("greater-than, 6x6", "killer without givens", "killer, 6x6")
@pytest.mark.parametrize("text", PUZZLES.values(), ids=PUZZLES)
def test_an_item_is_needed_if_and_only_if_there_are_other_solutions_without_it(text):
    assert len(oracle.solutions(*oracle.read(text), limit=2)) == 1
    assert found_in(compose(aspdoku.parse(text))) == expected(text)


@pytest.mark.slow
def test_the_puzzles_have_needed_and_redundant_items_of_each_kind():
    seen = {
        (kind, status)
        for text in PUZZLES.values()
        for (kind, _, _), status in expected(text).items()
    }
    assert seen == {
        (kind, status) for kind in ("given", "clue", "rule") for status in ("unique", "several")
    }


@pytest.mark.parametrize("time_limit", [None, 60, inf])
def test_a_generous_time_limit_changes_nothing(time_limit):
    text = PUZZLES["killer"]
    assert found_in(compose(aspdoku.parse(text)), time_limit) == expected(text)


def test_givens_come_first_in_reading_order_then_clues_then_rules():
    found = list(find_redundancies(compose(aspdoku.parse(PUZZLES["greater-than, 6x6"]))))
    kinds = [item.kind for item in found]
    assert kinds == sorted(kinds, key=["given", "clue", "rule"].index)
    cells = [item.cell for item in found if item.kind == "given"]
    givens, _ = oracle.read(PUZZLES["greater-than, 6x6"])
    assert cells == [(r, c) for r, c in oracle.cells_of(6) if givens[r - 1][c - 1]]
    assert all(item.cell is None for item in found if item.kind != "given")


# ---- Facts of one clue ----


def facts_by_name(text, kind):
    return {
        item.name: {str(fact) for fact in item.facts}
        for item in find_redundancies(compose(aspdoku.parse(text)))
        if item.kind == kind
    }


def test_a_cage_is_one_clue_with_its_cells_and_sum():
    assert facts_by_name(PUZZLES["killer"], "clue") == {
        "A": {'cage(2,2,"A")', 'cage(2,3,"A")', 'cage_value("A",5)'},
        "C": {'cage(1,1,"C")', 'cage(1,2,"C")', 'cage(1,3,"C")', 'cage_value("C",6)'},
    }


def test_an_inequality_is_a_clue_and_a_given_is_a_fact():
    signs = re.findall(r"gt\([^)]*\)", PUZZLES["greater-than"])
    assert facts_by_name(PUZZLES["greater-than"], "clue") == {sign: {sign} for sign in signs}
    assert facts_by_name(PUZZLES["four givens"], "given") == {
        "r1c2=4": {"a(1,2,4)"},
        "r2c4=4": {"a(2,4,4)"},
        "r3c3=2": {"a(3,3,2)"},
        "r4c1=1": {"a(4,1,1)"},
    }
    assert facts_by_name(PUZZLES["four givens"], "rule") == {
        "row": set(),
        "column": set(),
        "box": set(),
    }


def test_a_sum_without_cells_is_a_clue():
    """The sum of no cells is 0, so this clue always holds."""
    text = f'with: killer\n{UNIQUE}[facts]\ncage_value("Z",0). cage(1,1,"A"). cage_value("A",3).\n'
    found = found_in(compose(aspdoku.parse(text)))
    assert {key: found[key] for key in found if key[0] == "clue"} == {
        ("clue", "killer", "A"): "unique",
        ("clue", "killer", "Z"): "unique",
    }


def test_cages_with_names_that_look_alike_are_separate():
    text = (
        f'with: killer\n{UNIQUE}[facts]\ncage(1,1,a). cage_value(a,3). cage(1,3,"a").'
        ' cage_value("a",1).\n'
    )
    assert facts_by_name(text, "clue") == {
        "a": {"cage(1,1,a)", "cage_value(a,3)"},
        '"a"': {'cage(1,3,"a")', 'cage_value("a",1)'},
    }


def test_unused_facts_and_exceptions_are_not_clues():
    text = (
        f"with: anti-knight\n{FULL}[facts]\ngt(2,1,1,1). ab(anti_knight,1). ab(anti_knight,2)."
        " ab(anti_knight,3).\n"
    )
    text += "ab(anti_knight,4).\n"
    found = found_in(compose(aspdoku.parse(text)))
    assert {kind for kind, _, _ in found} == {"given", "rule"}
    exempt = oracle.Rules(anti_knight=True, knight_exceptions=frozenset({1, 2, 3, 4}))
    givens = oracle.read_grid(FULL)
    assert found == {
        **{
            ("given", "", name): number_of(left, exempt)
            for name, left in given_items(givens).items()
        },
        **{
            ("rule", "", name): number_of(givens, left) for name, left in rule_items(exempt).items()
        },
    }


# ---- Custom rules, applied to the solutions of the oracle ----


def programs_with(rule_text, text, **more):
    puzzle = aspdoku.parse(text)
    return assemble(puzzle, [library.base(), library.find("box"), rule_file(rule_text)], **more)


def expected_under_custom_rule(text, allowed):
    """By kind, rule and name, the number of solutions without a given or a rule, for a custom rule
    that `allowed` implements.
    """
    givens, rules = oracle.read(text)
    return (
        {
            ("given", "", name): number_of(left, rules, allowed)
            for name, left in given_items(givens).items()
        }
        | {
            ("rule", "", name): number_of(givens, left, allowed)
            for name, left in rule_items(rules).items()
        }
        | {("rule", "", "mine"): number_of(givens, rules)}
    )


def steps_up_to(gap):
    return lambda grid: all(abs(row[c] - row[c + 1]) <= gap for row in grid for c in range(3))


GAP = (
    "% Neighbours in a row differ by the gap at most.\n:- a(R,C,N), a(R,C+1,N1), |N-N1| > gap, not"
    " ab(mine).\n"
)


def puzzle_that_needs(allowed):
    """A puzzle with a single solution that is allowed: as many givens of it as necessary, in
    reading order.
    """
    true = next(
        grid for grid in oracle.solutions(oracle.read_grid(". . . .\n" * 4)) if allowed(grid)
    )
    for number in range(17):
        shown = [
            str(given) if place < number else "."
            for place, given in enumerate(chain.from_iterable(true))
        ]
        text = "".join(" ".join(shown[start : start + 4]) + "\n" for start in range(0, 16, 4))
        if number_of(oracle.read_grid(text), oracle.CLASSIC, allowed) == "unique":
            return text
    raise AssertionError("a full grid has one solution")


@pytest.mark.parametrize("gap", [2, 3])
@pytest.mark.parametrize("as_text", [True, False])
def test_a_constant_of_the_command_line(gap, as_text):
    """It is removed with the rule that uses it, and kept otherwise."""
    text = puzzle_that_needs(steps_up_to(gap))
    program = programs_with(GAP, text, constants={"gap": str(gap) if as_text else gap})
    assert found_in(program) == expected_under_custom_rule(text, steps_up_to(gap))


@pytest.mark.parametrize("name", ["s", "five"])
def test_a_constant_that_only_the_facts_use(name):
    text = f"with: killer\n{FULL}[facts]\ncage(4,2,a). cage(4,3,a). cage_value(a,5).\n"
    named = aspdoku.parse(text.replace("a,5)", f"a,{name})"))
    same = found_in(compose(aspdoku.parse(text)))
    assert set(same.values()) == {"unique"}
    assert found_in(compose(named, constants={name: 5})) == same


NO_FOUR = (
    "% No 4 in a cage.\n#defined cage/3.  % cage(R,C,I): the cell lies in cage I\n:- cage(R,C,I),"
    " a(R,C,4).\n"
)


def test_a_shared_input_is_removed_for_both_rules():
    text = UNIQUE + '[facts]\ncage(1,1,"A"). cage(1,3,"A"). cage_value("A",4). cage(4,4,"B").\n'
    program = assemble(
        aspdoku.parse(text),
        [library.base(), library.find("box"), library.find("killer"), rule_file(NO_FOUR)],
    )
    found = list(find_redundancies(program))
    clues = {item.name: {str(fact) for fact in item.facts} for item in found if item.kind == "clue"}
    assert clues == {
        "A": {'cage(1,1,"A")', 'cage(1,3,"A")', 'cage_value("A",4)'},
        "B": {'cage(4,4,"B")'},
    }
    assert {item.status for item in found if item.kind == "clue"} == {"unique"}
    assert [item.name for item in found if item.kind == "rule"] == [
        "column",
        "row",
        "box",
        "killer",
        "mine",
    ]


def test_a_cage_is_a_clue_of_a_custom_rule():
    """Without the cage, it may hold the 4 again."""
    cage = [(1, 1), (1, 2), (2, 3)]

    def allowed(grid):
        return all(oracle.number(grid, cell) != 4 for cell in cage)

    text = puzzle_that_needs(allowed)
    program = programs_with(
        NO_FOUR, text + "[facts]\n" + "".join(f'cage({r},{c},"A").\n' for r, c in cage)
    )
    without_it = number_of(oracle.read_grid(text), oracle.CLASSIC)
    assert found_in(program) == expected_under_custom_rule(text, allowed) | {
        ("clue", "mine", "A"): without_it
    }


def test_clues_with_two_names():
    """A fact about two cages has the names of both, and is a separate clue."""
    own = (
        "% No.\n#defined link/2.  % link(I,I1): cages I and I1 are linked\n:- link(I,I),"
        " a(1,1,4).\n"
    )
    program = programs_with(own, UNIQUE + "[facts]\nlink(a,b). link(b,a). link(a,c).\n")
    clues = {
        item.name: [str(fact) for fact in item.facts]
        for item in find_redundancies(program)
        if item.kind == "clue"
    }
    assert clues == {"a b": ["link(a,b)"], "b a": ["link(b,a)"], "a c": ["link(a,c)"]}


@pytest.mark.parametrize(
    "comment", ["", "  % which cells", "  % cage(R,C): too few", "  % cage(R,C,C): twice"]
)
def test_facts_without_a_name_are_separate_clues(comment):
    own = f"% No.\n#defined mark/3.{comment.replace('cage', 'mark')}\n:- mark(R,C,X), a(R,C,9).\n"
    program = programs_with(own, UNIQUE + "[facts]\nmark(1,1,a). mark(1,2,a).\n")
    clues = {item.name for item in find_redundancies(program) if item.kind == "clue"}
    assert clues == {"mark(1,1,a)", "mark(1,2,a)"}


def test_a_rule_is_removed_with_its_retraction():
    """The name of a rule in its file may differ from the name of the file, so that its retraction
    is unknown without the file.
    """
    own = "% No 1 in the corner, were it not taken back.\n:- a(4,1,1), not ab(no_one).\n"
    program = programs_with(own, UNIQUE, without=["no-one"])
    true = expected(UNIQUE)
    assert found_in(program) == true | {("rule", "", "mine"): "unique"}


def marked(place, predicate, retractable=""):
    """A rule file called mine that needs facts of a predicate for marks, and forbids nothing
    relevant.
    """
    text = (
        f"% Mine.\n#defined {predicate}/2.  % {predicate}(I,N): a mark\n:- {predicate}(I,N),"
        f" a(1,1,9){retractable}.\n"
    )
    return RuleFile("mine", place, text)


@pytest.mark.parametrize("retractable", ["", ", not ab(mine)"])
def test_rule_files_with_the_same_name_are_distinguished_by_path(retractable):
    puzzle = aspdoku.parse(UNIQUE + "[facts]\none(a,1). two(a,1).\n")
    files = [
        marked("here/mine.lp", "one", retractable),
        marked("there/mine.lp", "two", retractable),
    ]
    found = found_in(assemble(puzzle, [library.base(), library.find("box"), *files]))
    assert found == expected(UNIQUE) | {
        ("clue", "here/mine.lp", "a"): "unique",
        ("clue", "there/mine.lp", "a"): "unique",
        ("rule", "", "here/mine.lp"): "unique",
        ("rule", "", "there/mine.lp"): "unique",
    }
    if retractable:
        program = assemble(puzzle, [library.base(), library.find("box"), *files], without=["mine"])
        assert [item.name for item in find_redundancies(program) if item.kind == "rule"] == [
            "column",
            "row",
            "box",
        ]


def test_a_rule_file_named_like_a_rule_of_the_base_is_named_by_path():
    text = UNIQUE.replace("1", ".")
    own = RuleFile("row", "mine/row.lp", "% The 1.\n:- not a(4,1,1).\n")
    found = found_in(assemble(aspdoku.parse(text), [library.base(), library.find("box"), own]))
    assert found["rule", "", "mine/row.lp"] == "several"
    assert ("rule", "", "row") in found


def test_a_retracted_rule_with_an_underscore_is_not_an_item():
    own = RuleFile(
        "my_rule", "my_rule.lp", "% No 4 in the corner.\n:- a(1,1,4), not ab(my_rule).\n"
    )
    program = assemble(
        aspdoku.parse(UNIQUE), [library.base(), library.find("box"), own], without=["my_rule"]
    )
    assert [item.name for item in find_redundancies(program) if item.kind == "rule"] == [
        "column",
        "row",
        "box",
    ]


SWAP = """% The corner is 1, unless the puzzle specifies 2.
#defined swap/1.  % swap(N): the corner holds N
mine(N) :- swap(N).
mine(1) :- not swap(2).
:- mine(N), not a(1,1,N).
"""


def test_a_clue_is_needed_if_another_solution_is_unique_without_it():
    givens = oracle.read_grid(". . 3 4\n. . . .\n. 3 4 .\n. . . .\n")
    corners = [grid[0][0] for grid in oracle.solutions(givens)]
    assert (corners.count(1), corners.count(2)) == (1, 1)
    program = programs_with(SWAP, ". . 3 4\n. . . .\n. 3 4 .\n. . . .\n[facts]\nswap(2).\n")
    (clue,) = [item for item in find_redundancies(program) if item.kind == "clue"]
    assert clue.needed is True


def test_a_clue_is_needed_if_there_is_no_solution_without_it():
    program = programs_with(
        SWAP, FULL.replace("1", "x").replace("2", "1").replace("x", "2") + "[facts]\nswap(2).\n"
    )
    (clue,) = [item for item in find_redundancies(program) if item.kind == "clue"]
    assert (clue.status, clue.needed) == ("none", True)


def test_a_rule_is_removed_as_by_without():
    own = (
        "% No number twice in a box.\n:- box(R,C,B), box(R1,C1,B), (R,C) < (R1,C1), a(R,C,N),"
        " a(R1,C1,N), not ab(mine).\n"
    )
    for name in ("row", "column", "box", "mine"):
        search = Solver(programs_with(own, UNIQUE, without=[name])).search(2)
        search.count()
        assert found_in(programs_with(own, UNIQUE))[("rule", "", name)] == search.status


# ---- Explicit regions ----

REGIONS = "A B B B\nA A B C\nA D C C\nD D D C"


def test_regions_of_the_puzzle_belong_to_the_rule_box():
    cells = {}
    for r, row in enumerate(REGIONS.splitlines(), 1):
        for c, name in enumerate(row.split(), 1):
            cells[name] = (*cells.get(name, ()), (r, c))
    signs = (((1, 2), (1, 1)), ((3, 4), (4, 4)), ((2, 1), (3, 1)))
    rules = oracle.Rules(boxes=False, chains=cells, greater_than=signs)
    true = oracle.solutions([[None] * 4] * 4, rules)[0]
    givens = [[None] * 4 for _ in range(4)]
    for r, c in oracle.cells_of(4):
        if len(oracle.solutions(givens, rules, limit=2)) == 2:
            givens[r - 1][c - 1] = true[r - 1][c - 1]
    text = "with: greater-than\n" + "".join(
        " ".join(str(given or ".") for given in row) + "\n" for row in givens
    )
    text += f"[box]\n{REGIONS}\n[facts]\n" + "".join(
        "gt({},{},{},{}).\n".format(*more, *less) for more, less in signs
    )

    found = found_in(compose(aspdoku.parse(text)))
    without_regions = replace(rules, chains={})
    clues = {key: left for key, left in clue_items(rules).items() if key[0] == "greater-than"}
    kept = {name: left for name, left in rule_items(rules).items() if name not in ("box", "chain")}
    assert found == {
        **{
            ("given", "", name): number_of(left, rules)
            for name, left in given_items(givens).items()
        },
        **{("clue", of, name): number_of(givens, left) for (of, name), left in clues.items()},
        **{("rule", "", name): number_of(givens, left) for name, left in kept.items()},
        ("rule", "", "box"): number_of(givens, without_regions),
    }


# ---- The time limit ----


@pytest.mark.parametrize("time_limit", [1e-9, 0.02])
def test_results_at_the_time_limit_are_true(time_limit):
    text = PUZZLES["greater-than, 6x6"]
    found = found_in(compose(aspdoku.parse(text)), time_limit)
    true = expected(text)
    assert found.keys() == true.keys()
    assert all(status in (true[key], "some", "unknown") for key, status in found.items())


def test_undecided_items_are_neither_needed_nor_redundant(monkeypatch):
    """The time is up before it is known that there is no other solution, so no item is reported as
    redundant.
    """
    text = PUZZLES["killer"]
    program, true = compose(aspdoku.parse(text)), expected(text)

    def hurried(_, handle):
        handle.wait(0.0)
        raise TimeLimitError("hurry")

    monkeypatch.setattr(Solver, "wait", hurried)
    found = {
        (item.kind, item.rule, item.name): item.needed for item in find_redundancies(program, 60)
    }
    assert found.keys() == true.keys()
    assert all(needed is None or true[key] == "several" for key, needed in found.items())
    assert None in found.values()


def test_what_lines_share_is_not_a_clue():
    """Two lines with one automaton, which is part of neither clue."""
    text = (
        f'with: automaton\n\n{UNIQUE}\n[automaton]\n"A": r1c1 r1c3\n"A": r3c1 r3c2\n\n[facts]\n'
        'automaton_start("A",0). automaton_accepting("A",3).\n'
        'automaton_edge("A",0,(1;2),1). automaton_edge("A",1,1..4,3).\n'
    )
    found = clues(compose(aspdoku.parse(text)))
    assert [(clue.name, len(clue.facts)) for clue in found] == [("1", 3), ("2", 3)]
